// The two states side by side, with what differs marked down to the character.

const TITLES = {
  call: "State at the call",
  line: "State before the line runs",
  return: "State when it returns",
  exception: "State when it raises",
};
const LEAVES = new Set(["return", "exception"]);

// -> [{ name, real, predicted, verdict, kind }]; verdict "", "differs", "left out" or "invented"
function comparedRows(real, predicted, isRight) {
  const rows = [];
  for (const [kind, part] of [
    ["value", "value"],
    ["output", "output"],
  ]) {
    const texts = [real, predicted].map((step) => (step && step[part] ? step[part] : null));
    if (texts[0] === null && texts[1] === null) continue;
    const isOneSided = kind === "output" && texts[1] === null; // formats that hold no output
    const verdict = isRight || isOneSided || !real || !predicted ? "" : verdictOn(texts);
    rows.push({ name: kind === "output" ? "prints" : valueName(real || predicted), texts, verdict, kind });
  }
  // What a format does not show when a function is left is not left out by the model.
  const isHeld = real && predicted && !(LEAVES.has(predicted.event) && predicted.locals.size === 0);
  const names = new Set([...(real ? real.locals.keys() : []), ...(predicted ? predicted.locals.keys() : [])]);
  for (const name of names) {
    const texts = [real, predicted].map((step) =>
      step && step.locals.has(name) ? step.locals.get(name) : null,
    );
    rows.push({ name, texts, verdict: isRight || !isHeld ? "" : verdictOn(texts), kind: "variable" });
  }
  return rows;
}

const valueName = (step) => (step.event === "exception" ? "raises" : "returns");

function verdictOn([real, predicted]) {
  if (real === predicted) return "";
  if (predicted === null) return "left out";
  return real === null ? "invented" : "differs";
}

function changeWord(step, name) {
  if (!step || !step.locals.has(name) || step.event === "call") return "";
  if (step.before === step.locals) return "";
  if (!step.before.has(name)) return "new";
  return step.before.get(name) === step.locals.get(name) ? "" : "changed";
}

function goneNames(step) {
  if (!step || step.locals.size === 0 || step.before === step.locals) return [];
  return [...step.before.keys()].filter((name) => !step.locals.has(name));
}

function valueCell(side, row, step, parts) {
  const text = row.texts[side === "real" ? 0 : 1];
  const node = element("td", { class: `value value-${side}`, role: "cell", "data-title": side });
  if (text === null) {
    const words =
      row.verdict === "left out" ? "left out" : row.verdict === "invented" ? "no such variable" : "–";
    node.append(element("span", { class: "nothing" }, words));
    return node;
  }
  node.append(element("code", {}, parts ? markedText(parts, side) : foldable(text)));
  const word = row.kind === "variable" ? changeWord(step, row.name) : "";
  if (word) node.append(element("span", { class: "change" }, word));
  return node;
}

function stateRow(row, real, predicted) {
  const parts = row.verdict === "differs" ? differences(row.texts[0], row.texts[1]) : null;
  const about = parts ? `differs from character ${count(firstDifference(parts))}` : row.verdict;
  return element(
    "tr",
    { role: "row", class: `row-${row.kind}${row.verdict ? " is-wrong" : ""}` },
    element(
      "th",
      { scope: "row", role: "rowheader" },
      element("span", { class: "name" }, row.name),
      row.verdict ? element("span", { class: "about" }, about) : null,
    ),
    valueCell("real", row, real, parts),
    valueCell("predicted", row, predicted, parts),
  );
}

function stateView() {
  const body = element("tbody", { role: "rowgroup" });
  const head = (words, className) =>
    element("th", { scope: "col", role: "columnheader", class: className }, words);
  const table = element(
    "table",
    { class: "state", role: "table", "aria-labelledby": "state-title" },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        head("name", ""),
        head("real", "head-real"),
        head("predicted", "head-predicted"),
      ),
    ),
    body,
  );
  const title = element("span");
  const where = element("span", { class: "path" });
  const node = element(
    "section",
    { class: "panel state-panel", "aria-labelledby": "state-title" },
    element("h3", { id: "state-title" }, title, where),
    table,
  );
  return {
    node,
    // -> how many rows differ
    move(real, predicted, isRight) {
      const rows = comparedRows(real, predicted, isRight);
      const step = real || predicted;
      title.textContent = TITLES[step ? step.event : "line"];
      where.textContent = step && step.called ? `in ${step.called}` : "";
      const nodes = rows.map((row) => stateRow(row, real, predicted));
      const gone = goneNames(real);
      if (gone.length) {
        nodes.push(
          element(
            "tr",
            { role: "row", class: "row-gone" },
            element("th", { scope: "row", role: "rowheader" }, "gone"),
            element("td", { colspan: "2", role: "cell" }, element("code", {}, gone.join(", "))),
          ),
        );
      }
      if (!nodes.length) {
        nodes.push(
          element(
            "tr",
            { role: "row" },
            element("td", { colspan: "3", role: "cell", class: "nothing" }, "No variables are shown here."),
          ),
        );
      }
      body.replaceChildren(...nodes);
      return rows.filter((row) => row.verdict).length;
    },
  };
}
