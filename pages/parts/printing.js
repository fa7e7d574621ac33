// Figures and long tables are drawn for the window. On a sheet they are as much smaller as it is.
(() => {
  if (window.fitsPaper) return;
  window.fitsPaper = true;
  const DRAWN = "[data-testid='stPlotlyChart'] .svg-container, [data-testid='stDataFrame']";
  const MAIN = "[data-testid='stMainBlockContainer'] > [data-testid='stVerticalBlock']";
  const SHEET = 680; // pixels of A4 within the margins of figures.css, less a few

  // The pixels on the sheet for what stands in a place: a column has its share of them, and the
  // padding of a fold is as wide on paper as on the screen.
  const room = (place) => {
    const main = document.querySelector(MAIN);
    const around = place.closest("[data-testid='stColumn']") ?? main;
    const padding = around.clientWidth - place.clientWidth;
    return (SHEET * around.clientWidth) / main.clientWidth - padding;
  };
  window.addEventListener("beforeprint", () => {
    for (const drawing of document.querySelectorAll(DRAWN)) {
      const place = drawing.closest("[data-testid='stElementContainer']");
      place.style.setProperty("--on-paper", 1);
      place.style.setProperty("--on-paper", Math.min(1, room(place) / drawing.offsetWidth));
      const rows = drawing.querySelector(".dvn-scroller");
      place.toggleAttribute("data-cut", rows && rows.scrollHeight > rows.clientHeight + 1);
    }
  });
})();
