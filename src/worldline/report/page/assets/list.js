// The table of traces: sortable, in chunks so that a large set stays quick.

const CHUNK = 200;

const COLUMNS = [
  { key: "id", title: "Trace", of: (row) => row.id },
  { key: "verdict", title: "Verdict", of: (row) => row.verdict },
  { key: "cause", title: "Cause", of: (row) => row.cause || "" },
  { key: "first", title: "First divergence", of: (row) => row.frame ?? Infinity, isNumber: true },
  {
    key: "right",
    title: "Steps right",
    of: (row) => (row.total ? row.right / row.total : 0),
    isNumber: true,
  },
  { key: "tokens", title: "Tokens", of: (row) => row.tokens ?? Infinity, isNumber: true },
  { key: "answer", title: "Answer", of: (row) => answerWords(row.correct) },
];

// What is known of no trace gets no column.
const HAS_TOKENS = DATA.rows.some((row) => row.tokens !== null);
const SHOWN = COLUMNS.filter(({ key }) => key !== "tokens" || HAS_TOKENS);

const naturally = new Intl.Collator("en", { numeric: true });

// "cause" sorts upwards, "-cause" downwards; unknown or empty: as in the file.
function sorted(rows, sort) {
  const column = COLUMNS.find(({ key }) => key === sort.replace(/^-/, ""));
  if (!column) return rows;
  const sign = sort.startsWith("-") ? -1 : 1;
  const values = new Map(rows.map((index) => [index, column.of(DATA.rows[index])]));
  const compare = column.isNumber ? (a, b) => (a === b ? 0 : a - b) : naturally.compare;
  return [...rows].sort((a, b) => sign * compare(values.get(a), values.get(b)) || a - b);
}

function cell(title, className, ...children) {
  return element("td", { role: "cell", "data-title": title, class: className }, children);
}

function rowNode(index, view) {
  const row = DATA.rows[index];
  const href = writtenAddress({ ...view, trace: row.id, step: null });
  return element(
    "tr",
    {
      role: "row",
      onclick: (event) => {
        if (!event.target.closest("a") && !String(getSelection())) goTo(href);
      },
    },
    element("th", { role: "rowheader", scope: "row", class: "cell-id" }, element("a", { href }, row.id)),
    cell("Verdict", "cell-verdict", badge(row.verdict)),
    cell("Cause", "cell-cause", row.cause || "–"),
    cell(
      "First divergence",
      "number",
      row.frame === null ? "–" : count(row.frame),
      element("span", { class: "of" }, ` / ${count(row.total)}`),
    ),
    cell("Steps right", "number", count(row.right)),
    HAS_TOKENS ? cell("Tokens", "number", row.tokens === null ? "–" : count(row.tokens)) : null,
    cell("Answer", `cell-answer answer-${answerWords(row.correct).split(" ")[0]}`, answerWords(row.correct)),
    cell("Timeline", "cell-mini", miniTimeline(row), hidden(miniWords(row))),
  );
}

function miniWords(row) {
  const counts = {};
  for (const [many, letter] of statusRuns(row.statuses)) counts[letter] = (counts[letter] || 0) + many;
  return Object.entries(counts)
    .map(([letter, many]) => `${many} ${SHORT_WORDS[letter]}`)
    .join(", ");
}

function traceList(view, onchange) {
  const heads = SHOWN.map((column) => {
    const node = element(
      "th",
      { role: "columnheader", scope: "col", class: column.isNumber ? "number" : null },
      button(
        [column.title, element("span", { class: "arrow", "aria-hidden": "true" })],
        () => {
          view().sort =
            view().sort === column.key
              ? `-${column.key}`
              : view().sort === `-${column.key}`
                ? ""
                : column.key;
          onchange();
        },
        { class: "sort" },
      ),
    );
    return { node, key: column.key };
  });
  const body = element("tbody", { role: "rowgroup" });
  const table = element(
    "table",
    { role: "table", class: "list", "aria-labelledby": "list-title" },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        heads.map(({ node }) => node),
        element("th", { role: "columnheader", scope: "col" }, "Timeline"),
      ),
    ),
    body,
  );
  const more = button("", () => grow(), { class: "more" });
  const empty = element("p", { class: "empty" }, "No trace passes these filters.");
  const node = element("div", { class: "list-box" }, table, empty, more);
  let rows = [],
    shown = 0;
  const grow = () => {
    const next = rows.slice(shown, shown + CHUNK);
    body.append(...next.map((index) => rowNode(index, view())));
    shown += next.length;
    more.hidden = shown >= rows.length;
    more.textContent = `Show ${plural(Math.min(CHUNK, rows.length - shown), "more trace")}`;
  };
  return {
    node,
    update(chosen) {
      for (const head of heads) {
        const { sort } = view();
        head.node.setAttribute(
          "aria-sort",
          sort === head.key ? "ascending" : sort === `-${head.key}` ? "descending" : "none",
        );
      }
      rows = sorted(chosen, view().sort);
      shown = 0;
      body.replaceChildren();
      empty.hidden = rows.length > 0;
      table.hidden = rows.length === 0;
      grow();
    },
  };
}
