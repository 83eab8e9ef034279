// Gardez on the device: a static site whose host can vanish, the engine as WebAssembly, games in the browser's database.

import { readFileSync } from "node:fs";
import type { Page, Worker } from "@playwright/test";
import { BLUNDERS, BoardHand, expect, moves, status, test } from "./fixtures";
import { install, StaticSite } from "./site";

const site = new StaticSite("/gardez/");
test.beforeAll(() => site.start());
test.afterAll(() => site.dispose());
test.afterEach(async () => {
  site.workerPrelude = "";
  await site.start();
});

/** Begins a game against the weakest level, from a position if one is given. */
async function begin(page: Page, fen?: string): Promise<void> {
  await page.getByRole("radio", { name: "Gardez" }).check();
  await page.getByLabel("Opponent").selectOption({ index: 0 });
  await page.getByRole("radio", { name: "White" }).check();
  await page.getByRole("switch", { name: /human speed/ }).uncheck();
  if (fen) {
    await page.getByRole("radio", { name: "Position" }).check();
    await page.getByLabel("Position (FEN)").fill(fen);
  }
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/#\/game\//);
  await expect(status(page)).toHaveText("Your move");
}

async function play(page: Page, fen?: string): Promise<void> {
  await page.goto(site.url);
  await begin(page, fen);
}

const engineWorker = async (page: Page): Promise<Worker> => {
  const find = () => page.workers().find((worker) => worker.url().includes("engine.worker"));
  await expect.poll(find).toBeDefined();
  return find()!;
};

const backendWorker = (page: Page): Worker =>
  page.workers().find((worker) => worker.url().includes("backend.worker"))!;

const notice = (page: Page) => page.locator(".notice");

for (const [where, viewport, isMobile] of [
  ["on a phone", { width: 390, height: 844 }, true],
  ["on a desk", { width: 1280, height: 800 }, false],
] as const) {
  test.describe(where, () => {
    test.use({ viewport, isMobile, hasTouch: isMobile });

    test(`${where}: a game to mate, a takeback, a hint and an analysis without any network`, async ({
      page,
      board,
      context,
    }) => {
      await page.goto(site.url);
      await install(page);
      await site.stop();
      await context.setOffline(true);
      await page.reload();

      // Black has one move only, and then White mates.
      await play(page, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
      await board.move("f6f7");
      await board.expectPiece("h7", "black king");
      await page.getByRole("button", { name: "Take back" }).click();
      await board.expectPiece("f6", "white king");
      await page.getByRole("button", { name: "Hint" }).click();
      await expect(page.locator(".coach")).toContainText("Look at the");
      await board.move("f6f7");
      await board.expectPiece("h7", "black king");
      await board.move("g1h1");
      await expect(status(page)).toContainText("You won");

      await page.goto(
        `${site.url}#/analyse?fen=${encodeURIComponent("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")}`,
      );
      await page.reload();
      await expect(page.locator(".lines li")).toHaveCount(3);
      await expect(page.locator(".line-score").first()).toHaveText("#1");

      // Closed and opened again, a game continues.
      await play(page);
      await board.move("e2e4");
      await expect(moves(page)).toHaveCount(2);
      await page.close();
      const again = await context.newPage();
      await again.goto(site.url);
      await again.locator(".going-game").first().click();
      await expect(moves(again)).toHaveCount(2);
      const hand = new BoardHand(again);
      await hand.move("a2a3");
      await expect(moves(again)).toHaveCount(4);
    });
  });
}

test("a game is imported, reviewed, learnt from and saved again on the device", async ({ page }) => {
  await page.goto(`${site.url}#/analyse`);
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page.getByLabel("PGN or FEN").fill(BLUNDERS);
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator(".tree .move")).toHaveCount(14);
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("radio", { name: "Quick" }).check();
  await page.getByRole("button", { name: "Start the review" }).click();
  await expect(page.locator(".graph")).toBeVisible({ timeout: 60_000 });
  await expect(page.locator(".report")).toContainText("Accuracy");
  await page.getByRole("button", { name: "Learn from mistakes" }).click();
  await expect(page.getByRole("heading", { name: /Find a better move/ })).toBeVisible();
  await page.getByRole("button", { name: "Show the solution" }).click();
  await expect(page.locator(".verdict")).toBeVisible();

  // What was reviewed is there the next time too.
  await page.goto(`${site.url}#/games`);
  await page.reload();
  await page.locator(".game-entry").getByRole("button", { name: "Review" }).click();
  await expect(page.locator(".report")).toContainText("Accuracy");
  await page.goto(`${site.url}#/games`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".game-entry").getByRole("button", { name: "PGN" }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toContain("Nf3# 0-1");
});

test("workers that break or are ended are replaced, and the game continues", async ({ page, board }) => {
  await play(page);
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);

  // One that is ended without a word.
  await (await engineWorker(page)).evaluate(() => self.close());
  await expect(notice(page)).toContainText("The engine had to be started again");
  await board.move("a2a3");
  await expect(moves(page)).toHaveCount(4);

  // One that breaks in the middle of a search.
  await (await engineWorker(page)).evaluate(() => {
    const { gardez } = globalThis as unknown as { gardez: { isStopped(): boolean } };
    gardez.isStopped = () => {
      throw new Error("broken on purpose");
    };
  });
  await board.move("h2h3");
  await expect(moves(page)).toHaveCount(6);
  await expect(notice(page).last()).toContainText("broken on purpose");

  // The one with the backend itself.
  await backendWorker(page).evaluate(() => self.close());
  await expect(page.locator(".connection")).not.toHaveClass(/visible/);
  await board.move("a3a4");
  await expect(moves(page)).toHaveCount(8);
});

test("two pages of one browser show the same game", async ({ page, board, context }) => {
  await play(page);
  const second = await context.newPage();
  await second.goto(page.url());
  const hand = new BoardHand(second);
  await hand.seePiece("e2");
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);
  await expect(moves(second)).toHaveCount(2);
  await hand.move("a2a3");
  await expect(moves(second)).toHaveCount(4);
  await expect(moves(page)).toHaveCount(4);
  await expect(moves(page)).toHaveText(await moves(second).allTextContents());
  await page.goto(`${site.url}#/games`);
  await expect(page.locator(".game-entry")).toHaveCount(1);
});

test("storage that is refused is reported, and games are played without it", async ({ page, board }) => {
  site.workerPrelude = `indexedDB.open = () => { throw new DOMException("not in this window", "SecurityError"); };`;
  await page.goto(site.url);
  await expect(notice(page)).toContainText("Games cannot be kept in this browser: not in this window");
  await notice(page).getByRole("button", { name: "Dismiss" }).click();
  await begin(page);
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);
});

test("storage that is full is reported, and the game continues without it", async ({ page, board }) => {
  site.workerPrelude = `IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };`;
  await play(page);
  await expect(notice(page)).toContainText("Games cannot be kept in this browser: there is no room left");
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);
  await board.move("a2a3");
  await expect(moves(page)).toHaveCount(4);
});

test("the engine in Chromium searches the same nodes as the program", async ({ page }) => {
  await page.goto(site.url);
  const nodes = await page.evaluate(async (base) => {
    Object.assign(globalThis, { gardez: { isStopped: () => false } });
    const module = (await import(`${base}wasm/gardez.js`)) as {
      default(options: { module_or_path: string }): Promise<void>;
      bench(): Float64Array;
    };
    await module.default({ module_or_path: `${base}wasm/gardez_bg.wasm` });
    return module.bench()[0];
  }, site.url);
  expect(nodes).toBe(Number(readFileSync("../scripts/bench-number", "utf8")));
});

test("what only a server can do says so", async ({ page }) => {
  await page.goto(site.url);
  await page.getByRole("radio", { name: "By link" }).check();
  await expect(page.locator(".newgame")).toContainText("Playing by link needs a server");
  await expect(page.getByRole("button", { name: "Create a link" })).toBeDisabled();
});
