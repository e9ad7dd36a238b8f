// The page of a plan, as people use it. What it has to show is computed from the JSON of the same plan.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, planOf } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const CHANGES = "#tree details[data-action]";
const count = (actions, kind) => actions.filter((action) => action.action === kind).length;
/// The ids of the changes that are seen: not hidden, and nothing that holds them closed.
const seen = (page) => page.$$eval(CHANGES, (nodes) =>
  nodes.filter((node) => node.querySelector("summary").checkVisibility()).map((node) => node.id).sort());
const idsOf = (actions) => actions.map((action) => `change-${action.index}`).sort();

/// Waits for what the page says is shown, and checks that exactly these changes can be seen.
async function assertShown(page, plan, expected) {
  const words = `${expected.length} of ${plan.actions.length} shown`;
  await page.waitForFunction((wanted) => document.getElementById("shown").textContent === wanted, words);
  const ids = new Set(idsOf(expected));
  const found = await seen(page);
  const missing = [...ids].filter((id) => !found.includes(id));
  assert.deepEqual(missing, [], "what fits is seen");
  // What holds something that fits is seen as well; everything else is not.
  const needless = await page.$$eval(CHANGES, (nodes, fitting) =>
    nodes
      .filter((node) => node.querySelector("summary").checkVisibility() && !fitting.includes(node.id))
      .filter((node) => ![...node.querySelectorAll("details[data-action]")].some((child) => fitting.includes(child.id)))
      .map((node) => node.id), [...ids]);
  assert.deepEqual(needless, [], "what does not fit is not seen");
}

for (const name of ["web", "rules"]) {
  test(`${name}: the page has every change of the plan, with its kind`, () => open(browser, name, {}, async (page) => {
    const plan = planOf(name);
    const found = await page.$$eval(CHANGES, (nodes) => nodes.map((node) => [node.id, node.dataset.action, node.dataset.type]));
    const expected = plan.actions.map((action) => [`change-${action.index}`, action.action, action.label]);
    assert.deepEqual(found.sort(), expected.sort());
    assert.equal(await page.textContent("#shown"), `${plan.actions.length} in all`);
    assert.equal(await page.title(), `Plan of ${name}.yml`);
    assert.equal(await page.textContent("h1"), `Plan of ${name}.yml for Contoso`);
  }));
}

test("the plans are large and mixed enough to tell something", () => {
  const { actions } = planOf("rules");
  assert.deepEqual(["create", "modify", "delete"].map((kind) => count(actions, kind)), [100, 100, 100]);
  assert.ok(new Set(planOf("web").actions.map((action) => action.label)).size > 10);
  assert.ok(planOf("large").actions.length > 10_000);
});

test("a text finds the changes that have it in a value, in any case", () => open(browser, "web", {}, async (page) => {
  const plan = planOf("web");
  await page.fill("#text", "node|22-LTS");
  const fitting = plan.actions.filter((action) => action.changes.some((change) => JSON.stringify(change.after ?? null).includes("NODE|22-lts")));
  assert.ok(fitting.length > 1);
  await assertShown(page, plan, fitting);
  await page.fill("#text", "node|22-lts no-such-word");
  await assertShown(page, plan, []);
}));

test("a type and a text are combined, and cleared together", () => open(browser, "web", {}, async (page) => {
  const plan = planOf("web");
  const apps = plan.actions.filter((action) => action.label === "web app");
  assert.ok(apps.length > 2);
  await page.selectOption("#type", "web app");
  await assertShown(page, plan, apps);
  await page.fill("#text", apps[0].name);
  await assertShown(page, plan, apps.filter((app) => JSON.stringify([app.name, app.changes]).includes(apps[0].name)));
  await page.click("#filter button[type=reset]");
  await page.waitForFunction((wanted) => document.getElementById("shown").textContent === wanted, `${plan.actions.length} in all`);
  assert.equal(await page.$$eval(CHANGES, (nodes) => nodes.filter((node) => node.hidden).length), 0);
}));

test("each kind of change can be left out", () => open(browser, "rules", {}, async (page) => {
  const plan = planOf("rules");
  for (const kind of ["create", "modify", "delete"]) {
    await page.uncheck(`input[name=action][value=${kind}]`);
    await assertShown(page, plan, plan.actions.filter((action) => action.action !== kind));
    await page.check(`input[name=action][value=${kind}]`);
  }
}));

test("everything works with the keyboard alone", () => open(browser, "web", {}, async (page) => {
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "text");
  await page.keyboard.type("storefront");
  await page.waitForFunction(() => / of /.test(document.getElementById("shown").textContent));
  // On to the first change in a resource group: it is reached, and opened and closed.
  const isResource = () => document.activeElement.matches("details.resource > summary");
  for (let steps = 0; steps < 50 && !(await page.evaluate(isResource)); steps += 1) await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(isResource));
  const isOpen = () => page.evaluate(() => document.activeElement.parentElement.open);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "where the keyboard is can be seen");
  const first = await isOpen();
  await page.keyboard.press("Enter");
  assert.equal(await isOpen(), !first);
  await page.keyboard.press("Space");
  assert.equal(await isOpen(), first);
}));

test("a link to a change opens what holds it, also where it is filtered away", () => open(browser, "web", {}, async (page) => {
  const plan = planOf("web");
  const slot = plan.actions.find((action) => action.label === "slot");
  await page.fill("#text", "no-such-word");
  await assertShown(page, plan, []);
  await page.locator(`.graph a[href="#change-${slot.index}"]`).click();
  await page.waitForFunction((id) => document.getElementById(id).querySelector("summary").checkVisibility(), `change-${slot.index}`);
  assert.equal(await page.evaluate(() => document.activeElement.parentElement.id), `change-${slot.index}`);
  assert.ok(await page.locator(`#change-${slot.index} > summary`).isVisible());
}));

test("a deletion is listed above the changes, with a link to it", () => open(browser, "rules", {}, async (page) => {
  const deleted = planOf("rules").actions.filter((action) => action.action === "delete");
  const links = await page.$$eval(".deletions a", (nodes) => nodes.map((node) => node.getAttribute("href")));
  assert.deepEqual(links, deleted.map((action) => `#change-${action.index}`));
  await page.click("#close");
  await page.click(".deletions li:last-child a");
  await page.waitForFunction((id) => document.getElementById(id).open, links.at(-1).slice(1));
}));

test("everything is opened, closed, and opened for printing only", () => open(browser, "web", {}, async (page) => {
  const closed = () => page.$$eval("#tree details.resource:not([open])", (nodes) => nodes.length);
  await page.click("#open");
  assert.equal(await closed(), 0);
  await page.click("#close");
  const all = await closed();
  assert.ok(all > 0);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await closed(), 0);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await closed(), all);
}));

/// The contrast of each kind of text with what is behind it, after WCAG 2.
const contrasts = (page) => page.evaluate(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [red, green, blue] = channels(color).slice(0, 3)
      .map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const kinds = ["h1", ".outcome", ".facts dt", ".label", ".name", ".tally", ".origin", ".sign.create", ".sign.modify", ".sign.delete",
    "#tree ins", "#tree del", "th", ".arrow", "a", "#shown", "footer", "button", ".deletions li"];
  return kinds.map((kind) => [kind, document.querySelector(kind)]).filter(([, node]) => node).map(([kind, node]) => {
    const [one, other] = [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => b - a);
    return [kind, (one + 0.05) / (other + 0.05)];
  });
});

test("the page is light or dark as the reader has it, and readable in both", async () => {
  const pages = [];
  for (const colorScheme of ["light", "dark"]) {
    pages.push(await open(browser, "rules", { colorScheme }, async (page) => {
      for (const [kind, contrast] of await contrasts(page)) assert.ok(contrast >= 4.5, `${colorScheme} ${kind}: ${contrast.toFixed(2)}`);
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    }));
  }
  assert.notEqual(pages[0], pages[1]);
});

test("without scripts everything can be read and opened", () => open(browser, "web", { javaScriptEnabled: false }, async (page) => {
  const plan = planOf("web");
  assert.equal(await page.locator(CHANGES).count(), plan.actions.length);
  assert.equal(await page.locator("#filter").isVisible(), false);
  const group = page.locator("#tree > details.group").first();
  const resource = group.locator("> details.resource").first();
  await resource.locator("> summary").click();
  assert.ok(await resource.locator("table.properties").first().isVisible());
  assert.ok(await page.locator(".graph svg").isVisible());
}));

test("on a telephone the page is as wide as the screen", async () => {
  for (const name of ["web", "rules"]) {
    await open(browser, name, { viewport: { width: 390, height: 800 } }, async (page) => {
      await page.click("#open");
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(wide <= screen, `${name}: ${wide} of ${screen}`);
    });
  }
});

test("no name in the drawing leaves its box", () => open(browser, "web", {}, async (page) => {
  const outside = await page.$$eval(".graph .box", (boxes) => boxes.flatMap((box) => {
    const right = box.querySelector("rect").getBoundingClientRect().right;
    return [...box.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().right > right).map((text) => text.textContent);
  }));
  assert.deepEqual(outside, []);
}));

test("ten thousand changes are opened and filtered", () => open(browser, "large", {}, async (page) => {
  const plan = planOf("large");
  assert.equal(await page.textContent("#shown"), `${plan.actions.length} in all`);
  await page.fill("#text", "container-77");
  const fitting = plan.actions.filter((action) => JSON.stringify(action).includes("container-77"));
  await page.waitForFunction(
    (wanted) => document.getElementById("shown").textContent === wanted,
    `${fitting.length} of ${plan.actions.length} shown`,
  );
  assert.equal(fitting.length, 101);
}));
