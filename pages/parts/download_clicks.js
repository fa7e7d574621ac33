// The server makes a file when somebody asks for it, and knows only the buttons of its newest run: a
// click from before the page has followed fails, or gives the file of the settings before. So a click
// on a download waits until the page is at rest.
(() => {
  if (window.keepsDownloadClicks) return;
  window.keepsDownloadClicks = true;
  const DOWNLOAD = "[data-testid='stDownloadButton'] button";
  const KEYED = /(?:^|\s)(st-key-\S+)/;
  const LOOK_EVERY = 100; // milliseconds
  const PATIENCE = 2; // looks at a page at rest
  let wanted = null; // the class of the control that was clicked, how long all has rested, the timer

  const stop = () => {
    clearInterval(wanted?.timer);
    wanted = null;
  };
  const look = () => {
    const button = document.querySelector(`.${CSS.escape(wanted.control)} ${DOWNLOAD}`);
    const app = document.querySelector("[data-testid='stApp']");
    wanted.rested = app?.dataset.testScriptState === "notRunning" ? wanted.rested + 1 : 0;
    if (button && wanted.rested < PATIENCE) return;
    stop();
    button?.click();
  };
  document.addEventListener("click", (click) => {
    const button = click.isTrusted && click.target.closest?.(DOWNLOAD);
    const control = button && KEYED.exec(button.closest("[class*='st-key-']")?.className)?.[1];
    if (!control) return;
    click.stopImmediatePropagation();
    stop();
    wanted = { control, rested: 0, timer: setInterval(look, LOOK_EVERY) };
  }, true);
})();
