// Pictures for the README and the manifest. They are written only when asked for, so that a test run leaves the tree as it
// was: GARDEZ_PICTURES=../docs/images npx playwright test pictures. Those of the manifest (public/screenshots) are copies.

import { mkdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { BLUNDERS, expect, newGame, test } from "./fixtures";
import type { TestServer } from "./server";

const folder = process.env.GARDEZ_PICTURES;
const ITALIAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d4", "exd4", "cxd4", "Bb4+"];

async function picture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

async function showGame(page: Page, server: TestServer): Promise<void> {
  const { id } = await newGame(server, {
    white: { kind: "you", name: "Ada" },
    black: { kind: "you", name: "Charles" },
    moves: ITALIAN,
    clock: { initial: 600_000, increment: 5000 },
  });
  await page.goto(`/game/${id}`);
  await expect(page.locator(".moves .move")).toHaveCount(ITALIAN.length);
}

async function showAnalysis(page: Page, server: TestServer): Promise<void> {
  const { id } = await newGame(server, { white: { kind: "you" }, black: { kind: "you" }, moves: ITALIAN });
  await page.goto(`/analyse?game=${id}`);
  await expect(page.locator(".engine-facts")).toHaveText(/Depth (8|9|[1-9]\d)/);
}

async function showReview(page: Page, server: TestServer): Promise<void> {
  const imported = await server.post<{ games: { id: string }[] }>("/import", { pgn: BLUNDERS });
  await page.goto(`/review/${imported.games[0]!.id}`);
  await page.getByRole("radio", { name: "Quick" }).check();
  await page.getByRole("button", { name: "Start the review" }).click();
  await expect(page.locator(".graph")).toBeVisible({ timeout: 200_000 });
}

test.describe("pictures", () => {
  test.use({ viewport: { width: 1200, height: 750 }, contextOptions: { reducedMotion: "reduce" } });

  test("on a desk", async ({ page, server }) => {
    test.setTimeout(300_000);
    await showGame(page, server);
    await picture(page, "game");
    await page.emulateMedia({ colorScheme: "dark" });
    await showAnalysis(page, server);
    await picture(page, "analysis");
    await page.emulateMedia({ colorScheme: "light" });
    await showReview(page, server);
    await picture(page, "review");
  });
});

test.describe("pictures of a phone", () => {
  test.use({
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
    contextOptions: { reducedMotion: "reduce" },
  });

  test("in the hand", async ({ page, server }) => {
    test.setTimeout(300_000);
    await showGame(page, server);
    await picture(page, "phone-game");
    await page.emulateMedia({ colorScheme: "dark" });
    await showAnalysis(page, server);
    await picture(page, "phone-analysis");
    await page.emulateMedia({ colorScheme: "light" });
    await showReview(page, server);
    await picture(page, "phone-review");
  });
});
