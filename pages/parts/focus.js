// Streamlit draws a new control in the place of one that shows something else than it holds. Where
// the old one had the focus, the new one gets it: whoever uses the keyboard goes on where they were.
(() => {
  if (window.keepsTheFocus) return;
  window.keepsTheFocus = true;
  const PATIENCE = 10000; // milliseconds
  const REACHED = "input, textarea, button, summary, [role=slider], [tabindex='0']";
  const NUMBERED = /(?:^|\s)st-key-(\S+)-\d+(?=\s|$)/;
  let last = null; // what has the focus, in which control, and which place it has there

  const controlOf = element => {
    const place = element.closest?.("[class*='st-key-']");
    const name = place && NUMBERED.exec(place.className)?.[1];
    return name ? { place, name } : null;
  };
  const within = place => [...place.querySelectorAll(REACHED)];

  document.addEventListener("focusin", ({ target }) => {
    const control = controlOf(target);
    last = control && { target, name: control.name, number: within(control.place).indexOf(target) };
  });
  // It is still there: somebody has left it. If not, it was taken away.
  document.addEventListener("focusout", ({ target }) =>
    setTimeout(() => {
      if (last?.target === target && target.isConnected && document.activeElement !== target) {
        last = null;
      }
    }));
  new MutationObserver(() => {
    if (!last || last.target.isConnected) return;
    last.gone ??= performance.now();
    const active = document.activeElement;
    if ((active && active !== document.body) || performance.now() > last.gone + PATIENCE) {
      last = null;
      return;
    }
    for (const place of document.querySelectorAll(`[class*='st-key-${CSS.escape(last.name)}-']`)) {
      const target = NUMBERED.exec(place.className)?.[1] === last.name && within(place)[last.number];
      if (target) {
        target.focus();
        return;
      }
    }
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
