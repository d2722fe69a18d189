// Python source in lines of coloured pieces. It only has to look right, so it is a scan, not a parser.

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break case class continue def del elif else except " +
    "finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const PIECES = new RegExp(
  [
    "(?<comment>#[^\\r\\n]*)",
    "(?<string>[rbfuRBFU]{0,2}(?:'''[^]*?(?:'''|$)|\"\"\"[^]*?(?:\"\"\"|$)" +
      "|'(?:\\\\[^]|[^'\\\\\\r\\n])*'?|\"(?:\\\\[^]|[^\"\\\\\\r\\n])*\"?))",
    "(?<number>\\b\\d[\\w.]*)",
    "(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)",
  ].join("|"),
  "gu",
);

// -> one list of nodes for each line
function highlighted(source) {
  const lines = [[]];
  const put = (text, kind) => {
    text.split(/\r\n|\r|\n/).forEach((piece, index) => {
      if (index) lines.push([]);
      if (piece)
        lines[lines.length - 1].push(kind ? element("span", { class: `code-${kind}` }, piece) : piece);
    });
  };
  let at = 0;
  for (const match of source.matchAll(PIECES)) {
    const { comment, string, number } = match.groups;
    const kind = comment
      ? "comment"
      : string
        ? "string"
        : number
          ? "number"
          : KEYWORDS.has(match[0])
            ? "keyword"
            : "";
    put(source.slice(at, match.index), "");
    put(match[0], kind);
    at = match.index + match[0].length;
  }
  put(source.slice(at), "");
  return lines;
}
