// Making elements. Text only ever becomes a text node: nothing a program or a model wrote is read as HTML.

const NAMESPACE = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(NAMESPACE, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, words);
}

const hidden = (words) => element("span", { class: "sr" }, words);
const count = (number) => number.toLocaleString("en");
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

function badge(verdict) {
  return element("span", { class: `badge badge-${verdict}` }, verdict);
}

function answerWords(correct) {
  return correct === null ? "none given" : correct ? "correct" : "wrong";
}

// A long text is folded; a button unfolds it in place.
const FOLD = 600;

function foldable(text, limit = FOLD) {
  if (text.length <= limit) return document.createTextNode(text);
  const start = whole(text, limit / 2);
  const end = whole(text, text.length - limit / 2);
  const span = element("span", {}, text.slice(0, start));
  const unfold = button(
    `… ${plural(end - start, "more character")} …`,
    () => span.replaceWith(document.createTextNode(text)),
    { class: "fold" },
  );
  span.append(unfold, text.slice(end));
  return span;
}

// The next place to cut at that leaves the two halves of a character together.
function whole(text, at) {
  const place = Math.floor(at);
  return /[\udc00-\udfff]/.test(text[place]) ? place + 1 : place;
}
