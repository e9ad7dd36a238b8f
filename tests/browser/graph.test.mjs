// The graphs of the Markdown files, read and drawn by the Mermaid that forges use.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { graphsOf, launch, mermaids, plansFolder } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/// A page with a Mermaid, set up as forges do: nothing in a label is a link or a script.
async function pageWith(file) {
  const page = await browser.newPage();
  await page.addScriptTag({ path: file });
  await page.evaluate(() => window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict" }));
  return page;
}

/// What Mermaid makes of a text: how many boxes, and the words in them, or why it refuses.
const drawn = (page, graph) => page.evaluate(async (text) => {
  try {
    await window.mermaid.parse(text);
    const drawing = await window.mermaid.render("drawing", text);
    const holder = document.createElement("div");
    // The old one gives the drawing itself.
    holder.innerHTML = drawing.svg ?? drawing;
    const words = [...holder.querySelectorAll("g.node, g.cluster")].map((box) => box.textContent).join(" ");
    return { boxes: holder.querySelectorAll("g.node").length, words };
  } catch (error) {
    return { refused: String(error.message ?? error.str ?? error) };
  }
}, graph);

for (const file of mermaids) {
  const version = file.split("/").at(-3);
  test(`${version}: every graph of the golden reports and of this run's plans is drawn with all its boxes`, async () => {
    const page = await pageWith(file);
    const golden = graphsOf("tests/golden/reports");
    assert.ok(golden.length > 3);
    for (const { name, graph } of [...golden, ...graphsOf(plansFolder)]) {
      const { refused, boxes, words } = await drawn(page, graph);
      assert.equal(refused, undefined, `${name}: ${refused}`);
      const wanted = new Set([...graph.matchAll(/^\s+(n\d+)\[/gm)].map((box) => box[1]));
      assert.equal(boxes, wanted.size, name);
      assert.ok(words.includes("+ ") && !/#\d+;/.test(words), `${name}: escaped characters are shown as themselves: ${words}`);
    }
  });

  test(`${version}: a graph that is wrong is refused`, async () => {
    assert.ok((await drawn(await pageWith(file), 'graph LR\n  n0["a" --> n1\n')).refused);
  });
}
