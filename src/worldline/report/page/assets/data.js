// Reading the embedded data. A trace is decoded when it is opened, and the last few are kept.

const DATA = JSON.parse(document.getElementById("data").textContent);
const EVENTS = ["call", "line", "return", "exception"];
const KEPT = 4;

// The letters of report/page/steps.py: what a pair of steps can be.
const STATUSES = {
  r: { name: "right", words: "right" },
  g: { name: "recovered", words: "right again" },
  o: { name: "own", words: "wrong, own error" },
  c: { name: "carried", words: "wrong, carried along" },
  u: { name: "unjudged", words: "wrong" },
  m: { name: "missing", words: "missing: the model left this step out" },
  a: { name: "made-up", words: "made up: this step never happens" },
};
const SHORT_WORDS = {
  r: "right",
  g: "right again",
  o: "own error",
  c: "carried along",
  u: "wrong",
  m: "left out",
  a: "made up",
};
const isWrong = (letter) => letter !== "r" && letter !== "g";

// "40r1o" -> [[40, "r"], [1, "o"]]
function statusRuns(text) {
  return Array.from(text.matchAll(/(\d+)([a-z])/g), (match) => [Number(match[1]), match[2]]);
}

function statusLetters(text) {
  return statusRuns(text)
    .map(([count, letter]) => letter.repeat(count))
    .join("");
}

const decoded = new Map();

function openTrace(index) {
  if (!decoded.has(index)) {
    if (decoded.size >= KEPT) decoded.delete(decoded.keys().next().value);
    decoded.set(index, decodeTrace(DATA.traces[index], DATA.rows[index]));
  }
  return decoded.get(index);
}

function decodeTrace(packed, row) {
  const pairs = [];
  for (const [count, real, predicted] of packed.pairs) {
    for (let at = 0; at < count; at++) {
      pairs.push([real < 0 ? null : real + at, predicted < 0 ? null : predicted + at]);
    }
  }
  return {
    ...packed,
    row,
    pairs,
    ended: pairs.findLastIndex(([, predicted]) => predicted !== null) + 1, // pairs from here on have no prediction
    letters: statusLetters(row.statuses),
    real: decodeSteps(packed.real, packed),
    predicted: decodeSteps(packed.predicted, packed),
    lines: packed.files.map(([, source]) => source.split(/\r\n|\r|\n/)),
  };
}

// The inverse of `packed` in report/page/steps.py. Unchanged states are shared, not copied.
function decodeSteps(numbers, { changes, texts }) {
  const frames = new Map();
  let current = 0;
  return numbers.map((number) => {
    const [
      event,
      line,
      set = [],
      gone = [],
      value = -1,
      frame = -1,
      depth = -1,
      called = -1,
      file = -1,
      output = -1,
    ] = changes[number];
    if (frame >= 0) current = frame;
    if (!frames.has(current)) {
      frames.set(current, { locals: new Map(), depth: 0, called: "", file: 0, shown: new Map() });
    }
    const last = frames.get(current);
    if (set.length || gone.length) {
      last.locals = new Map(last.locals);
      for (const name of gone) last.locals.delete(texts[name]);
      for (let at = 0; at < set.length; at += 2) last.locals.set(texts[set[at]], texts[set[at + 1]]);
    }
    if (depth >= 0) last.depth = depth;
    if (called >= 0) last.called = texts[called];
    if (file >= 0) last.file = file;
    const step = {
      event: EVENTS[event],
      line,
      frame: current,
      locals: last.locals,
      before: last.shown,
      value: value < 0 ? null : texts[value],
      depth: last.depth,
      called: last.called,
      file: last.file,
      output: output < 0 ? "" : texts[output],
    };
    // Some formats show no variables when a function is left: that is no change of them.
    if (!(step.locals.size === 0 && (step.event === "return" || step.event === "exception"))) {
      last.shown = last.locals;
    }
    return step;
  });
}
