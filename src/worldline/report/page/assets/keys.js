// The keyboard. Keys that a field or a button needs stay theirs.

const KEYS = [
  [["→", "j"], "one step on"],
  [["←", "k"], "one step back"],
  [["Page Down", "Page Up"], "ten steps on, back"],
  [["Home", "End"], "first step, last step"],
  [["d"], "to the divergence"],
  [["n", "p"], "next, previous wrong step"],
  [["]", "["], "next, previous trace of the list"],
  [["Esc"], "back to the overview"],
  [["/"], "search the traces (in the overview)"],
  [["?"], "show these keys"],
];

function keysDialog() {
  const dialog = document.getElementById("keys");
  const close = button("Close", () => dialog.close());
  dialog.append(
    element("h2", { id: "keys-title" }, "Keys"),
    element(
      "dl",
      {},
      KEYS.map(([keys, words]) => [
        element(
          "dt",
          {},
          keys.flatMap((key) => [element("kbd", {}, key), " "]),
        ),
        element("dd", {}, words),
      ]),
    ),
    close,
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const show = () => {
    if (!dialog.open) {
      dialog.showModal();
      close.focus();
    }
  };
  document.getElementById("show-keys").addEventListener("click", show);
  return { show, isOpen: () => dialog.open };
}

// A slider is also moved up and down; elsewhere these keys scroll.
const ON_SLIDER = { ArrowUp: "ArrowRight", ArrowDown: "ArrowLeft" };

function stepKeys(go) {
  return {
    ArrowLeft: () => go.back(),
    ArrowRight: () => go.forward(),
    j: () => go.forward(),
    k: () => go.back(),
    PageUp: () => go.back(10),
    PageDown: () => go.forward(10),
    Home: () => go.home(),
    End: () => go.end(),
    d: () => go.divergence(),
    n: () => go.nextWrong(),
    p: () => go.previousWrong(),
    Escape: () => go.leave(),
    "[": () => follow("["),
    "]": () => follow("]"),
  };
}

function follow(sign) {
  const link = document.querySelector(`#trace [data-go="${sign}"]`);
  if (link) goTo(link.getAttribute("href"));
}

function listenToKeys(trace, dialog, isTrace) {
  const actions = stepKeys(trace.go);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.isOpen()) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const action = isTrace()
      ? actions[event.target.id === "timeline" ? ON_SLIDER[event.key] || event.key : event.key]
      : { "/": () => document.getElementById("search").focus() }[event.key];
    if (event.key === "?") dialog.show();
    else if (action) action();
    else return;
    event.preventDefault();
  });
}
