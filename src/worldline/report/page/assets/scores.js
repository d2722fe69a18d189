// The facts of the run, copied as lines of "name: value". Where the browser refuses, they are selected instead.

function listenToCopying() {
  const facts = document.getElementById("facts");
  if (!facts) return;
  const told = document.getElementById("copied");
  document.getElementById("copy-facts").addEventListener("click", async () => {
    const lines = [...facts.rows].map((row) => [...row.cells].map((each) => each.textContent).join(": "));
    try {
      await navigator.clipboard.writeText(`${lines.join("\n")}\n`);
      told.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(facts);
      told.textContent = "selected: copy it with your keys";
    }
  });
}

listenToCopying();
