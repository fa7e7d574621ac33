// A click on a link to a page stands until that page is there. The server holds one request at a
// time: what the old page sends after the click, or a connection that broke, can take its place.
(() => {
  if (window.keepsPageClicks) return;
  window.keepsPageClicks = true;
  const LINK = "[data-testid='stPageLink-NavLink']";
  const LOOK_EVERY = 1000; // milliseconds
  const PATIENCE = 3; // looks at a page at rest
  const AGAIN = 5; // clicks before it gives up
  let wanted = null; // the page of the last click, how long all has rested, how often it was clicked

  document.addEventListener("click", ({ target, isTrusted }) => {
    const link = isTrusted && target.closest?.(LINK);
    if (link) wanted = { path: link.pathname, rested: 0, clicks: 0 };
  }, true);
  window.addEventListener("popstate", () => { wanted = null; }); // Back is a later wish

  setInterval(() => {
    if (!wanted) return;
    if (location.pathname === wanted.path || wanted.clicks === AGAIN) {
      wanted = null;
      return;
    }
    const app = document.querySelector("[data-testid='stApp']");
    wanted.rested = app?.dataset.testScriptState === "notRunning" ? wanted.rested + 1 : 0;
    const link = [...document.querySelectorAll(LINK)].find(({ pathname }) => pathname === wanted.path);
    if (wanted.rested > PATIENCE && link) {
      wanted.rested = 0;
      wanted.clicks += 1;
      link.click();
    }
  }, LOOK_EVERY);
})();
