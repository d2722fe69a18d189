// The overview of the set: figures, and bars that filter the list. Filters of one group add up, groups narrow down.

const MOST_BARS = 8;

function passes(row, view, except = null) {
  return DATA.facets.every((facet, index) => {
    const chosen = view.filters.get(facet.key);
    if (!chosen || facet.key === except) return true;
    return row.bars[index] >= 0 && chosen.has(facet.bars[row.bars[index]][0]);
  });
}

const searchTexts = new Map();

function matchesSearch(row, index, words) {
  if (!words.length) return true;
  if (!searchTexts.has(index)) {
    const { files, entry, labels } = DATA.traces[index];
    const texts = [
      row.id,
      row.verdict,
      row.cause,
      row.why,
      entry,
      ...files.map(([, source]) => source),
      ...Object.values(labels),
    ];
    searchTexts.set(index, texts.join("\n").toLowerCase());
  }
  return words.every((word) => searchTexts.get(index).includes(word));
}

const searchWords = (view) => view.search.toLowerCase().split(/\s+/).filter(Boolean);

// Numbers of the rows that pass all filters, in the order of the file.
function chosenRows(view) {
  const words = searchWords(view);
  return DATA.rows
    .map((_, index) => index)
    .filter((index) => passes(DATA.rows[index], view) && matchesSearch(DATA.rows[index], index, words));
}

function barCounts(view) {
  const words = searchWords(view);
  const found = DATA.rows.map((row, index) => matchesSearch(row, index, words));
  return DATA.facets.map((facet, number) => {
    const counts = new Array(facet.bars.length).fill(0);
    DATA.rows.forEach((row, index) => {
      if (row.bars[number] >= 0 && found[index] && passes(row, view, facet.key)) counts[row.bars[number]]++;
    });
    return counts;
  });
}

function figures() {
  const rows = DATA.rows;
  const steps = rows.reduce((sum, row) => sum + row.total, 0);
  const shares = rows
    .filter((row) => row.total)
    .map((row) => row.right / row.total)
    .sort((a, b) => a - b);
  const middle = shares.length ? (shares[(shares.length - 1) >> 1] + shares[shares.length >> 1]) / 2 : null;
  const exact = rows.filter((row) => row.verdict === "exact").length;
  const answered = rows.filter((row) => row.correct).length;
  const each = (value, words) =>
    element("div", { class: "figure" }, element("dt", {}, words), element("dd", {}, value));
  return element(
    "dl",
    { class: "figures" },
    each(count(rows.length), rows.length === 1 ? "trace" : "traces"),
    each(count(exact), "exact from first to last step"),
    each(count(answered), "with the correct answer"),
    each(count(steps), "real steps"),
    each(middle === null ? "–" : `${Math.floor(100 * middle)} %`, "of a trace is right at first (median)"),
  );
}

function facetCard(facet, number, onfilter) {
  const totals = new Array(facet.bars.length).fill(0);
  for (const row of DATA.rows) if (row.bars[number] >= 0) totals[row.bars[number]]++;
  const most = Math.max(...totals, 1);
  const bars = facet.bars.map(([name, note], at) => {
    const now = element("span", { class: "bar-now" });
    const figure = element("span", { class: "bar-count" });
    const all = element("span", { class: "bar-all" }, now);
    all.style.width = `${(100 * totals[at]) / most}%`;
    const node = element(
      "button",
      {
        type: "button",
        class: "bar",
        title: note || name,
        "aria-pressed": "false",
        onclick: () => onfilter(facet.key, name),
      },
      element("span", { class: "bar-name" }, name),
      element("span", { class: "bar-track", "aria-hidden": "true" }, all),
      figure,
    );
    return { node, now, figure, name, total: totals[at] };
  });
  const longest = Math.max(...facet.bars.slice(0, MOST_BARS).map(([name]) => name.length));
  const items = bars.map((bar, at) => element("li", { hidden: at >= MOST_BARS }, bar.node));
  const heading = `facet-${number}`;
  const card = element(
    "section",
    { class: "card", "aria-labelledby": heading },
    element("h3", { id: heading }, facet.title),
    element("ul", { class: "bars" }, items),
  );
  card.style.setProperty("--name", Math.max(6, Math.min(longest, 18)));
  if (items.length > MOST_BARS) {
    const more = button(
      `${items.length - MOST_BARS} more`,
      () => {
        for (const item of items) item.hidden = false;
        more.remove();
        bars[MOST_BARS].node.focus();
      },
      { class: "quiet more", "aria-label": `${items.length - MOST_BARS} more of: ${facet.title}` },
    );
    card.append(more);
  }
  return {
    card,
    update(counts, chosen) {
      bars.forEach((bar, at) => {
        const isOn = Boolean(chosen && chosen.has(bar.name));
        bar.node.setAttribute("aria-pressed", isOn);
        bar.node.classList.toggle("is-off", Boolean(chosen) && !isOn);
        bar.now.style.width = bar.total ? `${(100 * counts[at]) / bar.total}%` : "0";
        bar.figure.textContent = count(counts[at]);
      });
    },
  };
}

function chips(view, onfilter, onclear) {
  const items = [];
  for (const facet of DATA.facets) {
    for (const name of view.filters.get(facet.key) || []) {
      items.push(
        element(
          "li",
          {},
          button(
            [
              element("span", { class: "chip-key" }, facet.title),
              name,
              element("span", { "aria-hidden": "true", class: "chip-x" }, "×"),
            ],
            () => onfilter(facet.key, name),
            { class: "chip", "aria-label": `Remove the filter ${facet.title}: ${name}` },
          ),
        ),
      );
    }
  }
  if (items.length || view.search) {
    items.push(element("li", {}, button("Clear all", onclear, { class: "quiet", id: "clear" })));
  }
  return items;
}

// Built once; `update` shows what the view asks for.
function overviewPage(view, onchange) {
  const onfilter = (key, name) => {
    const chosen = view().filters.get(key) || new Set();
    if (!chosen.delete(name)) chosen.add(name);
    if (chosen.size) view().filters.set(key, chosen);
    else view().filters.delete(key);
    onchange();
  };
  const cards = DATA.facets.map((facet, number) =>
    facet.bars.length ? facetCard(facet, number, onfilter) : null,
  );
  const list = traceList(view, onchange);
  const search = element("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "id, cause, source text …",
    oninput: () => {
      view().search = search.value;
      onchange();
    },
  });
  const onclear = () => {
    view().filters.clear();
    view().search = search.value = "";
    onchange();
    search.focus();
  };
  const shown = element("ul", { class: "chips", id: "chips", "aria-label": "Filters that are on" });
  const told = element("p", { role: "status", class: "told" });
  const node = document.getElementById("overview");
  node.append(
    element("section", { "aria-label": "The set in figures" }, figures()),
    element(
      "section",
      { "aria-labelledby": "bars-title" },
      element("h2", { id: "bars-title" }, "What went wrong, and where"),
      element("p", { class: "hint" }, "Each bar is a button: it filters the list below."),
      element(
        "div",
        { class: "cards" },
        cards.filter(Boolean).map((each) => each.card),
      ),
    ),
    element(
      "section",
      { "aria-labelledby": "list-title" },
      element(
        "div",
        { class: "list-head" },
        element("h2", { id: "list-title" }, "Traces"),
        told,
        element("label", { class: "search" }, hidden("Search the traces"), search),
      ),
      shown,
      list.node,
    ),
  );
  return {
    node,
    update() {
      const counts = barCounts(view());
      cards.forEach(
        (each, number) => each && each.update(counts[number], view().filters.get(DATA.facets[number].key)),
      );
      if (search.value !== view().search) search.value = view().search;
      const rows = chosenRows(view());
      told.textContent =
        rows.length === DATA.rows.length
          ? `all ${count(rows.length)}`
          : `${count(rows.length)} of ${count(DATA.rows.length)}`;
      const hadFocus = shown.contains(document.activeElement);
      shown.replaceChildren(...chips(view(), onfilter, onclear));
      if (hadFocus) (shown.querySelector("button") || search).focus();
      list.update(rows);
    },
  };
}
