// The timeline of all pairs: one canvas, however long the trace, and a slider for keyboard and screen reader.
// Heights differ as well as colours: right is low, carried along is higher, an own error is full height.

const SHAPES = {
  r: { height: 0.34, rank: 0 },
  g: { height: 0.34, rank: 1, dot: true },
  c: { height: 0.62, rank: 2 },
  m: { height: 1, rank: 3, hollow: true },
  a: { height: 1, rank: 4, split: true },
  u: { height: 0.82, rank: 5 },
  o: { height: 1, rank: 6 },
};
const WIDEST = 56; // pixels for one step
const LEAST_FOLDED = 40; // steps

// Where each pair stands. Thousands of steps in a row that one side lacks say no more than a few: such a run gets at
// most a third of the room that all the others have.
function timelineScale(text) {
  const runs = statusRuns(text);
  const isFoldable = (letter) => letter === "m" || letter === "a";
  const others = runs.reduce((sum, [many, letter]) => sum + (isFoldable(letter) ? 0 : many), 0);
  const most = Math.max(LEAST_FOLDED, others / 3);
  const parts = [];
  let start = 0,
    from = 0;
  for (const [many, letter] of runs) {
    const room = isFoldable(letter) ? Math.min(many, most) : many;
    parts.push({ start, many, letter, from, room });
    start += many;
    from += room;
  }
  return {
    parts,
    room: from,
    // A pair's number -> its middle, and a place -> its pair; places count from 0 to `room`.
    placeOf(at) {
      const part = parts.find((each) => at < each.start + each.many) || parts[parts.length - 1];
      return part.from + ((at - part.start + 0.5) / part.many) * part.room;
    },
    pairAt(place) {
      const part = parts.find((each) => place < each.from + each.room) || parts[parts.length - 1];
      return (
        part.start +
        Math.max(0, Math.min(part.many - 1, Math.floor(((place - part.from) / part.room) * part.many)))
      );
    },
  };
}

// The letters of at most so many columns; where several steps share one, the worst of them is shown.
function timelineColumns(scale, most) {
  const size = Math.max(1, scale.room / most);
  const columns = new Array(Math.ceil(scale.room / size - 1e-9)).fill(null);
  for (const { letter, from, room } of scale.parts) {
    const end = Math.min(
      columns.length,
      Math.max(Math.ceil((from + room) / size - 1e-9), Math.floor(from / size) + 1),
    );
    for (let index = Math.floor(from / size); index < end; index++) {
      if (columns[index] === null || SHAPES[letter].rank > SHAPES[columns[index]].rank)
        columns[index] = letter;
    }
  }
  return columns;
}

function paintTimeline(canvas, timeScale) {
  const style = getComputedStyle(canvas);
  const dots = window.devicePixelRatio || 1;
  const width = canvas.clientWidth,
    height = canvas.clientHeight;
  if (!width) return;
  canvas.width = Math.round(width * dots);
  canvas.height = Math.round(height * dots);
  const pen = canvas.getContext("2d");
  pen.scale(dots, dots);
  const columns = timelineColumns(timeScale, Math.floor(width / 2));
  const wide = width / columns.length;
  const gap = wide > 4 ? Math.min(2, wide / 5) : 0;
  const paints = {};
  for (const [letter, { name }] of Object.entries(STATUSES))
    paints[letter] = style.getPropertyValue(`--${name}`);
  columns.forEach((letter, index) => {
    paintColumn(pen, letter, paints[letter], { x: index * wide, wide: Math.max(wide - gap, 0.5), height });
  });
}

function paintColumn(pen, letter, paint, { x, wide, height }) {
  const shape = SHAPES[letter];
  const tall = Math.max(shape.height * height, 2),
    top = height - tall;
  pen.fillStyle = pen.strokeStyle = paint;
  if (shape.hollow && wide >= 3) {
    pen.lineWidth = 1;
    pen.strokeRect(x + 0.5, top + 0.5, wide - 1, tall - 1);
  } else if (shape.hollow) {
    pen.fillRect(x, top, wide, 1);
    pen.fillRect(x, height - 1, wide, 1);
  } else if (shape.split) {
    pen.fillRect(x, top, wide, tall * 0.42);
    pen.fillRect(x, top + tall * 0.58, wide, tall * 0.42);
  } else {
    pen.fillRect(x, top, wide, tall);
  }
  if (shape.dot) pen.fillRect(x, top - 4, wide, 2);
}

// The small one of the list: a drawing that follows the colours of the page by itself.
const MINI = { columns: 60, wide: 120, high: 14 };

function miniTimeline(row) {
  const columns = timelineColumns(timelineScale(row.statuses), MINI.columns);
  const wide = MINI.wide / Math.max(columns.length, 1);
  const paths = {};
  columns.forEach((letter, index) => {
    const tall = SHAPES[letter].height * MINI.high;
    const x = (index * wide).toFixed(2);
    paths[letter] =
      `${paths[letter] || ""}M${x} ${(MINI.high - tall).toFixed(1)}h${wide.toFixed(2)}V${MINI.high}H${x}z`;
  });
  return drawing(
    "svg",
    {
      class: "mini",
      viewBox: `0 0 ${MINI.wide} ${MINI.high}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    Object.entries(paths).map(([letter, d]) =>
      drawing("path", { d, class: `fill-${STATUSES[letter].name}` }),
    ),
  );
}

function timelineView(onstep) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const head = element("span", { class: "playhead", "aria-hidden": "true" });
  const flag = element("span", { class: "flag", "aria-hidden": "true" });
  const box = element(
    "div",
    {
      class: "timeline",
      role: "slider",
      tabindex: "0",
      id: "timeline",
      "aria-label": "Step",
      "aria-valuemin": "0",
    },
    canvas,
    flag,
    head,
  );
  let scale = null;
  const stepAt = (event) => {
    const place = canvas.getBoundingClientRect();
    if (scale) onstep(scale.pairAt(Math.max(0, (event.clientX - place.left) / place.width) * scale.room));
  };
  box.addEventListener("pointerdown", (event) => {
    box.setPointerCapture(event.pointerId);
    stepAt(event);
  });
  box.addEventListener("pointermove", (event) => event.buttons && stepAt(event));
  const repaint = () => scale && paintTimeline(canvas, scale);
  new ResizeObserver(repaint).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  const share = (at) => `${(scale.placeOf(at) / scale.room) * 100}%`;
  return {
    box,
    show(trace) {
      scale = trace.pairs.length ? timelineScale(trace.row.statuses) : null;
      box.hidden = !scale;
      if (!scale) return;
      box.style.maxWidth = `${scale.room * WIDEST}px`;
      box.setAttribute("aria-valuemax", trace.pairs.length - 1);
      flag.hidden = trace.row.first === null;
      if (!flag.hidden) flag.style.left = share(trace.row.first);
      repaint();
    },
    move(at, words) {
      head.style.left = share(at);
      box.setAttribute("aria-valuenow", at);
      box.setAttribute("aria-valuetext", words);
    },
  };
}

function legend(trace) {
  const shown = "rgocuma".split("").filter((letter) => trace.letters.includes(letter));
  const items = shown.map((letter) =>
    element(
      "li",
      {},
      element("span", { class: `key key-${STATUSES[letter].name}`, "aria-hidden": "true" }),
      SHORT_WORDS[letter],
    ),
  );
  const isFolded = timelineScale(trace.row.statuses).parts.some(({ many, room }) => room < many);
  if (isFolded) items.push(element("li", {}, "long runs that one side lacks are drawn shorter"));
  return element("ul", { class: "legend", "aria-label": "What the colours and heights mean" }, items);
}
