// Draws the icons of public/ from icon.svg with the browser of the tests: `node scripts/icons.mjs`. The files are kept in
// the repository, so that building the page needs no browser.

import { readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const folder = new URL("../public/", import.meta.url);
const drawing = readFileSync(new URL("icon.svg", folder), "utf8");
/** Systems cut maskable icons to their own shape, and iOS rounds the corners itself: both want the whole square filled. */
const square = drawing.replace(/ rx="\d+"/, "");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const [name, size, svg] of [
  ["icon-192.png", 192, drawing],
  ["icon-512.png", 512, drawing],
  ["icon-maskable-512.png", 512, square],
  ["apple-touch-icon.png", 180, square],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  await page.screenshot({ path: new URL(name, folder).pathname, omitBackground: true });
  await page.close();
}
await browser.close();
