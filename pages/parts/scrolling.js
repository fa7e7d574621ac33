// What scrolls sideways in its place, as a long formula on a phone does, is reached by the keyboard.
(() => {
  if (window.scrollsByKeyboard) return;
  window.scrollsByKeyboard = true;
  const SCROLLING = ".katex-display, [class*='st-key-named-at-the-right-'], [data-testid='stTable'] *";
  const PAUSE = 200; // milliseconds in which changes are gathered
  let waiting = 0;

  const letReach = () => {
    waiting = 0;
    for (const place of document.querySelectorAll(SCROLLING)) {
      const scrolls =
        place.scrollWidth > place.clientWidth + 1 &&
        ["auto", "scroll"].includes(getComputedStyle(place).overflowX);
      if (scrolls && place.tabIndex < 0) {
        place.tabIndex = 0;
        place.dataset.reached = "yes";
      } else if (!scrolls && place.dataset.reached) {
        place.removeAttribute("tabindex");
        delete place.dataset.reached;
      }
    }
  };
  const later = () => (waiting ||= setTimeout(letReach, PAUSE));
  new MutationObserver(later).observe(document.documentElement, { childList: true, subtree: true });
  window.addEventListener("resize", later);
})();
