// The time-travel view of one trace.

// What is to be said about a step that the prediction does not reach; empty where it does.
function endedWords(trace, at) {
  if (at < trace.ended) return "";
  const isWithin = at === trace.row.first && trace.parting.length > 0;
  return isWithin ? "wrong: the prediction ends within this step" : "missing: the prediction has ended";
}

// How the step stands, in words: seen by all and told by screen readers.
function stepWords(trace, at, real, predicted, wrong) {
  const letter = trace.letters[at];
  const words = [`${endedWords(trace, at) || STATUSES[letter].words}.`];
  if (real && predicted && (real.line !== predicted.line || real.file !== predicted.file)) {
    words.push(
      `Really line ${real.line}, predicted line ${predicted.line > 0 ? predicted.line : "that is not in the program"}.`,
    );
  } else {
    const step = real || predicted;
    words.push(
      `${step.event === "line" ? "Line" : `${step.event[0].toUpperCase()}${step.event.slice(1)} at line`} ${step.line}.`,
    );
  }
  if (wrong) words.push(`${plural(wrong, "difference")}.`);
  return words.join(" ");
}

function stepButtons(go) {
  const make = (action, sign, words, key) =>
    button(element("span", { "aria-hidden": "true" }, sign), () => go[action](), {
      "aria-label": words,
      title: `${words} (${key})`,
      "data-action": action,
    });
  return element(
    "div",
    { class: "controls", role: "group", "aria-label": "Stepping" },
    make("home", "⇤", "First step", "Home"),
    make("previousWrong", "«", "Previous wrong step", "p"),
    make("back", "‹", "Step back", "←"),
    make("forward", "›", "Step forward", "→"),
    make("nextWrong", "»", "Next wrong step", "n"),
    make("end", "⇥", "Last step", "End"),
    button(["Divergence ", element("kbd", { "aria-hidden": "true" }, "d")], () => go.divergence(), {
      class: "to-divergence",
      "data-action": "divergence",
    }),
  );
}

function tracePage(view, onleave, onmove) {
  const node = document.getElementById("trace");
  const heading = element("h2", { id: "trace-title", tabindex: "-1" });
  const facts = element("p", { class: "facts" });
  const cause = element("div", { class: "cause" });
  const place = element("p", { class: "place" });
  const told = element("p", { class: "step-words", role: "status", "aria-live": "polite", id: "told" });
  const others = element("div", { class: "others", role: "group", "aria-label": "Other traces" });
  const keys = element("div", { class: "legend-box" });
  const end = element("div");
  const source = sourceView(),
    state = stateView();
  let trace = null,
    at = 0;
  const last = () => trace.pairs.length - 1;
  const find = (from, sign) => {
    for (let index = from; index >= 0 && index <= last(); index += sign)
      if (isWrong(trace.letters[index])) return index;
    return at;
  };
  const go = {
    to: (index) => {
      if (trace.pairs.length) {
        at = Math.max(0, Math.min(last(), index));
        move();
      }
    },
    home: () => go.to(0),
    end: () => go.to(last()),
    back: (many = 1) => go.to(at - many),
    forward: (many = 1) => go.to(at + many),
    nextWrong: () => go.to(find(at + 1, 1)),
    previousWrong: () => go.to(find(at - 1, -1)),
    divergence: () => trace.row.first !== null && go.to(trace.row.first),
    leave: onleave,
  };
  const timeline = timelineView(go.to);
  const controls = stepButtons(go);
  node.append(
    element(
      "div",
      { class: "trace-head" },
      button([element("span", { "aria-hidden": "true" }, "‹ "), "All traces"], onleave, {
        class: "quiet",
        id: "leave",
      }),
      others,
    ),
    element("div", { class: "trace-title" }, heading, facts),
    cause,
    element(
      "section",
      { class: "travel", "aria-label": "Timeline" },
      timeline.box,
      keys,
      element("div", { class: "travel-row" }, controls, place, told),
    ),
    element("div", { class: "panels" }, source.node, element("div", { class: "side" }, state.node, end)),
  );
  const move = () => {
    const [realAt, predictedAt] = trace.pairs[at];
    const real = realAt === null ? null : trace.real[realAt];
    const predicted = predictedAt === null ? null : trace.predicted[predictedAt];
    const letter = trace.letters[at];
    source.move(real, predicted, realAt ? lineBefore(trace.real, realAt) : null, endedWords(trace, at));
    const wrong = state.move(real, predicted, !isWrong(letter));
    const words = stepWords(trace, at, real, predicted, wrong);
    told.className = `step-words told-${STATUSES[letter].name}`;
    told.textContent = words[0].toUpperCase() + words.slice(1);
    const numbers =
      realAt === predictedAt ? "" : ` (real ${numbered(realAt)}, predicted ${numbered(predictedAt)})`;
    place.replaceChildren("Step ", element("b", {}, count(at)), ` of ${count(last())}${numbers}`);
    timeline.move(at, `${at} of ${last()}, ${words}`);
    for (const [action, off] of [
      ["home", at === 0],
      ["back", at === 0],
      ["forward", at === last()],
      ["end", at === last()],
    ]) {
      controls.querySelector(`[data-action=${action}]`).setAttribute("aria-disabled", off);
    }
    onmove(at);
  };
  return {
    node,
    go,
    show(index, step) {
      trace = openTrace(index);
      const { row } = trace;
      heading.textContent = row.id;
      facts.replaceChildren(
        badge(row.verdict),
        ...factWords(trace).map((words) => element("span", {}, words)),
      );
      cause.replaceChildren(...causeBlock(trace));
      keys.replaceChildren(legend(trace));
      end.replaceChildren(answerPanel(trace));
      others.replaceChildren(...otherTraces(index, view()));
      controls.querySelector(".to-divergence").hidden = row.first === null;
      node.hidden = false;
      source.show(trace);
      timeline.show(trace);
      if (trace.pairs.length) go.to(step ?? row.first ?? 0);
      else {
        source.move(null, null, null, "");
        state.move(null, null, true);
        told.textContent = "There are no steps to show.";
        place.textContent = "";
      }
    },
    focus: () => heading.focus({ preventScroll: true }),
  };
}

const numbered = (at) => (at === null ? "none" : count(at));

// The line whose effect the state shows: the last one of the same function.
function lineBefore(steps, at) {
  const step = steps[at],
    before = steps[at - 1];
  return before.event === "line" && before.frame === step.frame ? before : null;
}

function factWords(trace) {
  const { row } = trace;
  const words = [
    row.frame === null
      ? `all ${plural(row.total, "step")} right`
      : `${trace.kind} divergence at step ${count(row.frame)} of ${plural(row.total, "real step")}`,
  ];
  if (row.tokens !== null) words.push(plural(row.tokens, "token"));
  return words;
}

function otherTraces(index, view) {
  const rows = sorted(chosenRows(view), view.sort);
  const at = rows.indexOf(index);
  const link = (to, words, sign) => {
    const id = DATA.rows[to].id;
    return element(
      "a",
      {
        class: "quiet",
        href: writtenAddress({ ...view, trace: id, step: null }),
        "data-go": sign,
        "aria-label": `${words} trace: ${id}`,
      },
      words,
    );
  };
  return [
    at > 0 ? link(rows[at - 1], "Previous", "[") : null,
    element("span", { class: "of" }, at < 0 ? "" : `${count(at + 1)} of ${count(rows.length)}`),
    at >= 0 && at < rows.length - 1 ? link(rows[at + 1], "Next", "]") : null,
  ].filter(Boolean);
}
