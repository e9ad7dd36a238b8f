// Takes the picture of the docs: `node picture.mjs FILE`. The upper part of the page of the example, with a change open.
import { launch, open } from "./browser.mjs";

const browser = await launch();
try {
  await open(browser, "web", { viewport: { width: 1120, height: 860 }, colorScheme: "light" }, async (page) => {
    await page.locator("#tree details.resource").nth(1).locator("> summary").click();
    await page.mouse.move(0, 0);
    await page.evaluate(() => { document.activeElement.blur(); window.scrollTo(0, 0); });
    await page.screenshot({ path: process.argv[2] });
  });
} finally {
  await browser.close();
}
