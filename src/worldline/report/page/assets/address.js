// The address after the "#": which trace at which step, what is filtered, searched and sorted.
// `step` counts the pairs of steps from 0: up to the divergence that is the number of the real step, too.

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  const filters = new Map();
  for (const facet of DATA.facets) {
    const known = new Set(facet.bars.map(([name]) => name));
    const chosen = found.getAll(facet.key).filter((name) => known.has(name));
    if (chosen.length) filters.set(facet.key, new Set(chosen));
  }
  const step = Number.parseInt(found.get("step"), 10);
  return {
    trace: found.get("trace"),
    step: Number.isNaN(step) ? null : step,
    filters,
    search: found.get("search") || "",
    sort: found.get("sort") || "",
  };
}

function writtenAddress({ trace, step, filters, search, sort }) {
  const parts = new URLSearchParams();
  if (trace !== null && trace !== undefined) parts.set("trace", trace);
  if (step !== null && step !== undefined && parts.has("trace")) parts.set("step", step);
  for (const [key, names] of filters) for (const name of names) parts.append(key, name);
  if (search) parts.set("search", search);
  if (sort) parts.set("sort", sort);
  return `#${parts}`;
}

// The address follows what is shown, without adding pages to the history. Browsers refuse it when it changes too
// often, as it would while a key is held down: it is written when things have been quiet for a moment.
const QUIET = 150; // milliseconds
let pending = null;

function keepAddress(view) {
  clearTimeout(pending && pending.timer);
  pending = { view, timer: setTimeout(writeAddress, QUIET) };
}

function writeAddress() {
  if (!pending) return;
  const wanted = writtenAddress(pending.view);
  forgetAddress();
  if (location.hash !== wanted && (location.hash || wanted !== "#")) history.replaceState(null, "", wanted);
}

function forgetAddress() {
  clearTimeout(pending && pending.timer);
  pending = null;
}

// To another view: what is shown now stays in the history as it is.
function goTo(address) {
  writeAddress();
  location.hash = address;
}
