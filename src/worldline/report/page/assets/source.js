// The source with the line that really runs and the line the model believes in, told apart by words.

function sourceView() {
  const code = element("ol", { class: "code" });
  const path = element("span", { class: "path" });
  const note = element("p", { class: "note" });
  const box = element(
    "div",
    { class: "code-box", tabindex: "0", role: "region", "aria-label": "Source" },
    code,
  );
  const node = element(
    "section",
    { class: "panel source", "aria-labelledby": "source-title" },
    element("h3", { id: "source-title" }, "Source ", path),
    note,
    box,
  );
  let trace = null,
    file = -1,
    items = [],
    marked = [];
  const showFile = (number) => {
    file = number;
    path.textContent = [trace.files[number][0], trace.entry].filter(Boolean).join(" · ");
    const lines = trace.lines[number];
    const shown = highlighted(trace.files[number][1]).slice(
      0,
      lines[lines.length - 1] ? lines.length : lines.length - 1,
    );
    items = shown.map((pieces, index) => {
      const tag = element("span", { class: "line-tag" });
      const item = element(
        "li",
        {},
        tag,
        element("span", { class: "line-number", "aria-hidden": "true" }, String(index + 1)),
        element("code", {}, pieces.length ? pieces : "\u200b"),
      );
      item.style.setProperty("--indent", lines[index].search(/\S|$/) + 2);
      return { item, tag };
    });
    code.replaceChildren(...items.map(({ item }) => item));
    marked = [];
  };
  const mark = (line, kind, words) => {
    const found = items[line - 1];
    if (!found) return;
    found.item.className = `is-${kind}`;
    if (kind !== "before") found.item.setAttribute("aria-current", "true");
    found.tag.textContent = words;
    marked.push(found);
  };
  const keepInSight = (found) => {
    const top = found.item.offsetTop,
      bottom = top + found.item.offsetHeight;
    if (top < box.scrollTop + 24 || bottom > box.scrollTop + box.clientHeight - 24) {
      box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    }
  };
  return {
    node,
    show(next) {
      trace = next;
      file = -1;
    },
    move(real, predicted, before, ended) {
      const wanted = (real || predicted || { file: 0 }).file;
      if (wanted !== file && trace.files[wanted]) showFile(wanted);
      for (const { item, tag } of marked) {
        item.className = "";
        item.removeAttribute("aria-current");
        tag.textContent = "";
      }
      marked = [];
      note.textContent = lineNote(trace, real, predicted, ended);
      note.hidden = !note.textContent;
      if (before && before.file === file) mark(before.line, "before", "just ran");
      const isSame = real && predicted && real.line === predicted.line && real.file === predicted.file;
      if (isSame) mark(real.line, "both", "both");
      else {
        if (predicted && predicted.file === file) mark(predicted.line, "predicted", "predicted");
        if (real) mark(real.line, "real", "real");
      }
      if (marked.length) keepInSight(marked[marked.length - 1]);
    },
  };
}

const withArticle = (event) => `${event === "exception" ? "an" : "a"} ${event}`;

function lineNote(trace, real, predicted, ended) {
  if (!real && !predicted) return "There are no steps to show.";
  if (!predicted) return ended ? "" : "The model has no such step.";
  if (!real) return "The program has no such step.";
  if (
    !trace.lines[predicted.file] ||
    predicted.line < 1 ||
    predicted.line > trace.lines[predicted.file].length
  ) {
    return "The predicted line is not in the program.";
  }
  if (predicted.file !== real.file) {
    return `The predicted line is line ${predicted.line} of ${trace.files[predicted.file][0]}.`;
  }
  return real.event === predicted.event
    ? ""
    : `Really ${withArticle(real.event)}, predicted ${withArticle(predicted.event)}.`;
}
