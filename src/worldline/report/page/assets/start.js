// Which of the two views is shown is said by the address alone.

let view = readAddress();
let scrolled = 0; // where the overview was left
let last = null; // the trace that was open

const overview = overviewPage(
  () => view,
  () => {
    keepAddress(view);
    overview.update();
  },
);
const trace = tracePage(
  () => view,
  leave,
  (step) => {
    view.step = step;
    keepAddress(view);
  },
);
const numbers = new Map(DATA.rows.map((row, index) => [row.id, index]));

function leave() {
  goTo(writtenAddress({ ...view, trace: null, step: null }));
}

function showView() {
  const before = view.trace;
  forgetAddress();
  view = readAddress();
  if (!numbers.has(view.trace)) view.trace = null;
  const index = numbers.get(view.trace);
  if (view.trace === null) {
    trace.node.hidden = true;
    overview.node.hidden = false;
    document.title = DATA.title;
    overview.update();
    scrollTo(0, scrolled);
    const link =
      before === null
        ? null
        : [...overview.node.querySelectorAll(".cell-id a")].find((each) => each.textContent === before);
    if (link) link.focus({ preventScroll: scrolled > 0 });
  } else {
    if (!overview.node.hidden) scrolled = scrollY;
    overview.node.hidden = true;
    document.title = `${view.trace} · ${DATA.title}`;
    trace.show(index, view.step);
    if (last !== view.trace) scrollTo(0, 0);
    if (before !== view.trace) trace.focus();
  }
  last = view.trace;
}

// The address is ours, so the link that skips to the content must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
listenToKeys(trace, keysDialog(), () => view.trace !== null);
addEventListener("hashchange", showView);
addEventListener("pagehide", writeAddress);
document.addEventListener("click", (event) => event.target.closest("a[href]") && writeAddress(), true);
view.trace = null;
showView();
