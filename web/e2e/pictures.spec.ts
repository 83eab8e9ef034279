// Pictures for the README. They are written only when asked for, so that a test run leaves the tree as it was.

import { mkdirSync } from "node:fs";
import { BLUNDERS, expect, newGame, test } from "./fixtures";

const folder = process.env.GARDEZ_PICTURES;
const ITALIAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d4", "exd4", "cxd4", "Bb4+"];

test.describe("pictures", () => {
  test.use({ viewport: { width: 1200, height: 750 }, contextOptions: { reducedMotion: "reduce" } });

  test("a game", async ({ page, server }) => {
    const { id } = await newGame(server, {
      white: { kind: "you", name: "Ada" },
      black: { kind: "you", name: "Charles" },
      moves: ITALIAN,
      clock: { initial: 600_000, increment: 5000 },
    });
    await page.goto(`/game/${id}`);
    await expect(page.locator(".moves .move")).toHaveCount(ITALIAN.length);
    await picture("game");

    async function picture(name: string): Promise<void> {
      if (!folder) return;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: `${folder}/${name}.png` });
    }
  });

  test("analysis and review", async ({ page, server }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme: "dark" });
    const { id } = await newGame(server, { white: { kind: "you" }, black: { kind: "you" }, moves: ITALIAN });
    await page.goto(`/analyse?game=${id}`);
    await expect(page.locator(".engine-facts")).toHaveText(/Depth (8|9|[1-9]\d)/);
    if (folder) await page.screenshot({ path: `${folder}/analysis.png` });
    await page.emulateMedia({ colorScheme: "light" });
    const imported = await server.post<{ games: { id: string }[] }>("/import", { pgn: BLUNDERS });
    await page.goto(`/review/${imported.games[0]!.id}`);
    await page.getByRole("radio", { name: "Quick" }).check();
    await page.getByRole("button", { name: "Start the review" }).click();
    await expect(page.locator(".graph")).toBeVisible({ timeout: 200_000 });
    if (folder) await page.screenshot({ path: `${folder}/review.png` });
  });
});
