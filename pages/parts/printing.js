// Figures and long tables are drawn for the window. On a sheet they are as much smaller as it is.
(() => {
  if (window.fitsPaper) return;
  window.fitsPaper = true;
  const DRAWN = "[data-testid='stPlotlyChart'] .svg-container, [data-testid='stDataFrame']";
  const MAIN = "[data-testid='stMainBlockContainer'] > [data-testid='stVerticalBlock']";
  const SHEET = 680; // pixels of A4 within the margins of figures.css, less a few

  const share = (drawing) => {
    const column = drawing.closest("[data-testid='stColumn']");
    return column ? column.clientWidth / document.querySelector(MAIN).clientWidth : 1;
  };
  window.addEventListener("beforeprint", () => {
    for (const drawing of document.querySelectorAll(DRAWN)) {
      const place = drawing.closest("[data-testid='stElementContainer']");
      place.style.setProperty("--on-paper", 1);
      const scale = (SHEET * share(drawing)) / drawing.offsetWidth;
      place.style.setProperty("--on-paper", Math.min(1, scale));
      const rows = drawing.querySelector(".dvn-scroller");
      place.toggleAttribute("data-cut", rows && rows.scrollHeight > rows.clientHeight + 1);
    }
  });
})();
