// Two texts compared character by character (code points: no character is cut in half).

const MOST_EDITS = 300; // above that the two have too little in common for single characters to tell anything

// -> [[kind, text]], kind "same", "real" (only there) or "predicted" (only there)
function differences(real, predicted) {
  const a = Array.from(real),
    b = Array.from(predicted);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++;
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const parts = [["same", a.slice(0, start)], ...middle, ["same", a.slice(a.length - end)]];
  return joined(parts.map(([kind, letters]) => [kind, letters.join("")]));
}

function joined(parts) {
  const found = [];
  for (const [kind, text] of parts) {
    if (!text) continue;
    const last = found[found.length - 1];
    if (last && last[0] === kind) last[1] += text;
    else found.push([kind, text]);
  }
  return found;
}

// Myers' greedy walk; gives up where more than MOST_EDITS characters differ.
function edits(a, b) {
  const whole = [
    ["real", a],
    ["predicted", b],
  ];
  if (!a.length || !b.length) return whole;
  const trail = [];
  let reach = new Map([[1, 0]]);
  for (let edit = 0; edit <= Math.min(a.length + b.length, MOST_EDITS); edit++) {
    trail.push(new Map(reach));
    for (let k = -edit; k <= edit; k += 2) {
      const down = k === -edit || (k !== edit && reach.get(k - 1) < reach.get(k + 1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return tooMixed(walkedBack(trail, a, b), whole);
    }
  }
  return whole;
}

function walkedBack(trail, a, b) {
  const found = [];
  let x = a.length,
    y = b.length;
  for (let edit = trail.length - 1; edit >= 0; edit--) {
    const reach = trail[edit],
      k = x - y;
    const down = k === -edit || (k !== edit && reach.get(k - 1) < reach.get(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = reach.get(fromK),
      fromY = fromX - fromK;
    while (x > fromX && y > fromY) {
      found.push(["same", [a[--x]]]);
      y--;
    }
    if (edit > 0) {
      if (down) found.push(["predicted", [b[--y]]]);
      else found.push(["real", [a[--x]]]);
    }
  }
  return found.reverse();
}

// Single letters that two different texts happen to share would only be confetti.
function tooMixed(parts, whole) {
  const shared = parts.filter(([kind]) => kind === "same").length;
  const changed = parts.length - shared;
  return changed > 8 && shared < changed / 3 ? whole : parts;
}

// Where two texts part, counted from 1; 0 where they are equal.
function firstDifference(parts) {
  let at = 1;
  for (const [kind, text] of parts) {
    if (kind !== "same") return at;
    at += Array.from(text).length;
  }
  return 0;
}

// One side of the comparison, with what the other side lacks marked.
function markedText(parts, side, limit = FOLD) {
  const nodes = [];
  parts.forEach(([kind, text], index) => {
    if (kind === "same") nodes.push(foldable(text, limit));
    else if (kind === side)
      nodes.push(element("mark", { class: `differs-${side}` }, foldable(visible(text), limit)));
    else if (!isBeside(parts, index, side))
      nodes.push(element("span", { class: `gap gap-${side}`, "aria-hidden": "true" }));
  });
  return nodes;
}

// Whether a change of the other side has its counterpart here; where it has none, a gap shows the place.
function isBeside(parts, index, side) {
  return [parts[index - 1], parts[index + 1]].some((part) => part && part[0] === side);
}

// Blanks and characters that show nothing must be seen where they are the difference.
function visible(text) {
  return text
    .replace(/ /g, "·")
    .replace(/[\p{Z}\p{C}]/gu, (letter) => `\\u${letter.codePointAt(0).toString(16).padStart(4, "0")}`);
}
