// The page on the device: without its server, below a path, and from one version to the next.

import { expect, test } from "./fixtures";
import { TestServer } from "./server";
import { install, StaticSite } from "./site";

test("the page opens without its server, at every address", async ({ page }) => {
  const server = new TestServer();
  await server.start();
  try {
    await page.goto(server.url);
    await install(page);
    await server.kill();
    for (const path of ["/", "/analyse", "/game/anything"]) {
      await page.goto(server.url + path);
      await expect(page.locator(".brand")).toBeVisible();
      await expect(page.getByRole("link", { name: "Analyse" })).toBeVisible();
    }
    await page.goto(server.url);
    await server.start();
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  } finally {
    await server.dispose();
  }
});

test("the manifest and all that it names are there, and the page can be installed", async ({
  page,
  server,
}) => {
  await page.goto(server.url);
  const manifest = new URL((await page.locator('link[rel="manifest"]').getAttribute("href"))!, page.url())
    .href;
  const { icons, screenshots, start_url } = (await (await page.request.get(manifest)).json()) as {
    icons: { src: string; purpose?: string }[];
    screenshots: { src: string }[];
    start_url: string;
  };
  expect(icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const src of [...icons, ...screenshots].map((picture) => picture.src).concat(start_url)) {
    const answer = await page.request.get(new URL(src, manifest).href);
    expect(answer.ok(), src).toBe(true);
  }
  const session = await page.context().newCDPSession(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // Windows of tests are private ones, in which nothing is installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});

test("a static site works below a path, offline, and asks before an update takes over", async ({ page }) => {
  const site = new StaticSite("/some/path/");
  await site.start();
  const mark = () => page.locator("html").getAttribute("data-mark");
  const caches = () => page.evaluate(async () => (await window.caches.keys()).length);
  try {
    await page.goto(site.url);
    await expect(page.locator(".brand img")).toHaveJSProperty("complete", true);
    await install(page);
    await page.getByRole("link", { name: "Analyse" }).click();
    await expect(page).toHaveURL(`${site.url}#/analyse`);
    await page.goBack();
    await expect(page).toHaveURL(site.url);

    site.update("new");
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    const update = page.getByRole("button", { name: "Update" });
    await expect(update).toBeVisible();
    // Until the person agrees, every page stays what it was, even when it is loaded again.
    await page.reload();
    await expect(update).toBeVisible();
    expect(await mark()).toBeNull();
    expect(await caches()).toBe(2);
    await update.click();
    await expect.poll(mark).toBe("new");
    await expect.poll(caches).toBe(1);
    await expect(update).toHaveCount(0);

    await site.stop();
    await page.reload();
    expect(await mark()).toBe("new");
    await expect(page.locator(".brand")).toBeVisible();
  } finally {
    await site.dispose();
  }
});
