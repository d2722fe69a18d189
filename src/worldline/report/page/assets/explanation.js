// Why a prediction went wrong, and what came of it: the causes and the answer.

const FAULTS = {
  model: "the model's fault",
  budget: "the budget's fault: the text was cut",
  extraction: "the extraction's fault",
  dataset: "the data set's fault",
  nobody: "nobody's: the answer is right, whatever the steps are",
};

function causeBlock(trace) {
  if (!trace.causes.length) {
    const words = trace.row.verdict === "exact" ? "Every step is there and right." : "No cause was found.";
    return [element("p", { class: "why" }, words)];
  }
  const [[name, why], ...rest] = trace.causes;
  const nodes = [
    element("p", { class: "why" }, element("strong", { title: DATA.causes[name] || null }, name), ` ${why}`),
  ];
  if (trace.parting.length) nodes.push(partingList(trace.parting));
  if (rest.length) {
    const weights = trace.causes.map(([, , weight]) => Math.round(100 * weight));
    nodes.push(
      element(
        "details",
        { class: "further" },
        element("summary", {}, `${plural(rest.length, "further cause")}`),
        element(
          "ol",
          {},
          trace.causes.map(([cause, words], index) =>
            element(
              "li",
              {},
              element("span", { class: "weight" }, `${weights[index]} %`),
              element("strong", {}, cause),
              ` ${words}`,
            ),
          ),
        ),
      ),
    );
  }
  return nodes;
}

const SHORT = 160; // characters shown of a value here

// What differs at the divergence, where no pair of steps shows it.
function partingList(parting) {
  return element(
    "dl",
    { class: "parting" },
    parting.map(([name, real, predicted]) => {
      const parts = real !== null && predicted !== null ? differences(real, predicted) : null;
      const side = (text, kind) =>
        text === null
          ? element("span", { class: "nothing" }, "none")
          : element("code", {}, parts ? markedText(parts, kind, SHORT) : foldable(text, SHORT));
      const word = (kind) => element("span", { class: `head-${kind}` }, `${kind} `);
      return [
        element("dt", {}, name),
        element("dd", {}, word("real"), side(real, "real")),
        element("dd", {}, word("predicted"), side(predicted, "predicted")),
      ];
    }),
  );
}

function answerPanel(trace) {
  const [real, given, expected] = trace.answer;
  const isWrong = trace.row.correct === false;
  const parts =
    isWrong && real !== null && given !== null && real !== given ? differences(real, given) : null;
  const item = (words, content, className = "") => [
    element("dt", {}, words),
    element("dd", { class: className }, content),
  ];
  const code = (text, side) =>
    text === null
      ? element("span", { class: "nothing" }, "none")
      : element("code", {}, parts && side ? markedText(parts, side) : foldable(text));
  const labels = Object.entries(trace.labels).flatMap(([key, text]) => item(key, foldable(text)));
  return element(
    "section",
    { class: "panel answer", "aria-labelledby": "answer-title" },
    element(
      "h3",
      { id: "answer-title" },
      "Answer ",
      element(
        "span",
        { class: `answer-${answerWords(trace.row.correct).split(" ")[0]}` },
        answerWords(trace.row.correct),
      ),
    ),
    element(
      "dl",
      {},
      item("real", code(real, "real")),
      item("given", code(given, "predicted")),
      expected === null ? [] : item("expected by the data set", code(expected, null)),
      item("fault", FAULTS[trace.fault] || trace.fault),
      item("real trace", [foldable(trace.endings[0]), element("span", { class: "of" }, ` (${trace.by[0]})`)]),
      item("prediction", [foldable(trace.endings[1]), element("span", { class: "of" }, ` (${trace.by[1]})`)]),
      labels,
    ),
  );
}
