// What the tests of this folder share: the browser, the plans, and pages that are watched.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { SVC_PLANS: plans, SVC_TOOLS: tools, SVC_CHROMIUM: executablePath } = process.env;
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");

/// How long one step may take before it counts as hanging.
const LONGEST = 120_000;

// No sandbox: the tests may run as root, where chromium has none, and open only what they made.
export const launch = () => chromium.launch({ executablePath, args: ["--no-sandbox"] });

/// A Mermaid of today, and an old one for the forges that have such.
export const mermaids = ["mermaid", "mermaid-old"].map((name) => join(tools, "node_modules", name, "dist", "mermaid.min.js"));

/// The plan itself, as its JSON says it.
export const planOf = (name) => JSON.parse(readFileSync(join(plans, `${name}.json`), "utf8"));

/// The graphs of the Markdown files of a folder, by the file's name.
export const graphsOf = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const blocks = readFileSync(join(folder, name), "utf8").matchAll(/^```mermaid\n([\s\S]*?)^```$/gm);
      return [...blocks].map((block) => ({ name, graph: block[1] }));
    });

export const plansFolder = plans;

/// Opens the page of a plan, hands it to `use`, and checks that it complained of nothing and asked nobody for anything.
export async function open(browser, name, options, use) {
  const address = pathToFileURL(join(plans, `${name}.html`)).href;
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  try {
    context.setDefaultTimeout(LONGEST);
    const page = await context.newPage();
    const complaints = [];
    const requests = [];
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(address);
    const result = await use(page);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, [address]);
    return result;
  } finally {
    await context.close();
  }
}
