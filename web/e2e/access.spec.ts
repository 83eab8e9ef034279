import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { againstWeakest, BLUNDERS, expect, LOCAL, moves, newGame, status, test } from "./fixtures";

/** Presses Tab until the element with the focus matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await expect(page.locator(selector).first()).toBeAttached();
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

async function walkTo(page: Page, square: string): Promise<void> {
  const at = await page.evaluate(() => (document.activeElement as HTMLElement).dataset.square);
  if (!at) throw new Error("the board does not have the focus");
  const step = async (difference: number, forward: string, back: string) => {
    for (let i = 0; i < Math.abs(difference); i++) await page.keyboard.press(difference > 0 ? forward : back);
  };
  await step(square.charCodeAt(0) - at.charCodeAt(0), "ArrowRight", "ArrowLeft");
  await step(Number(square[1]) - Number(at[1]), "ArrowUp", "ArrowDown");
}

test("a whole game is played with the keyboard alone", async ({ page }) => {
  await page.goto("/");
  await tabTo(page, 'input[type="radio"][value="engine"], input[type="radio"][value="local"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, 'button[type="submit"]');
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/game\//);
  await tabTo(page, ".squares [data-square]");
  let played = 0;
  for (const [from, to] of [
    ["f2", "f3"],
    ["e7", "e5"],
    ["g2", "g4"],
    ["d8", "h4"],
  ] as const) {
    await walkTo(page, from);
    await page.keyboard.press("Enter");
    await expect(page.locator(`[data-square="${from}"]`)).toHaveAttribute("aria-selected", "true");
    await walkTo(page, to);
    await page.keyboard.press("Enter");
    await expect(moves(page)).toHaveCount(++played);
  }
  await expect(status(page)).toHaveText(/Black won/);
  await expect(page.locator('[role="status"]').filter({ hasText: /checkmate/i })).toHaveCount(1);
});

test("arrow keys walk through the moves, and typed moves are played", async ({ page, server }) => {
  const { id } = await newGame(server, { ...LOCAL, moves: ["e4", "e5"] });
  await page.goto(`/game/${id}`);
  await expect(moves(page)).toHaveCount(2);
  await page.keyboard.press("ArrowLeft");
  await expect(moves(page).first()).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("End");
  await page.keyboard.press("/");
  await page.keyboard.type("Nf3");
  await page.keyboard.press("Enter");
  await expect(moves(page)).toHaveCount(3);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("tapping plays, and nothing is wider than the screen", async ({ page, board, server }) => {
    const { id } = await againstWeakest(server, "white");
    await page.goto(`/game/${id}`);
    await expect(status(page)).toHaveText(/Your move/);
    await board.tap("e2");
    await board.tap("e4");
    await board.expectPiece("e4", "white pawn");
    await expect(moves(page)).toHaveCount(2);
    for (const path of ["/", `/game/${id}`, "/analyse", "/games", "/learn"]) {
      await page.goto(path);
      await expect(page.locator("main")).toBeVisible();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
});

/** What axe finds fault with. */
async function violations(page: Page, part = "html"): Promise<string[]> {
  const found = await new AxeBuilder({ page }).include(part).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`${colorScheme} colours`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("axe finds nothing on any view, on a desk and on a phone", async ({ page, server }) => {
      const game = await newGame(server, {
        ...LOCAL,
        moves: ["e4", "d5", "exd5"],
        clock: { initial: 300_000, increment: 0 },
      });
      const imported = await server.post<{ games: { id: string }[] }>("/import", { pgn: BLUNDERS });
      const review = `/review/${imported.games[0]!.id}`;
      for (const path of ["/", `/game/${game.id}`, "/analyse", review, "/learn", "/games"]) {
        await page.goto(path);
        await expect(page.locator("main")).toBeVisible();
        await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
        if (path === "/analyse") {
          await expect(page.locator(".lines li").first()).toBeVisible();
          await page.getByRole("tab", { name: "Why?" }).click();
          await expect(page.locator(".explain")).toBeVisible();
        }
        if (path === review) {
          await page.getByRole("radio", { name: "Quick" }).check();
          await page.getByRole("button", { name: "Start the review" }).click();
          await expect(page.locator(".graph")).toBeVisible();
        }
        for (const size of [
          { width: 360, height: 640 },
          { width: 1280, height: 800 },
        ]) {
          await page.setViewportSize(size);
          expect.soft(await violations(page), `${path} at ${size.width}`).toEqual([]);
        }
      }
      await page.goto("/");
      await page.getByRole("button", { name: "Settings" }).click();
      expect(await violations(page, "dialog")).toEqual([]);
    });
  });
}

test("the colours change with the button, and stay", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Dark colours" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("nothing jumps while views load", async ({ page, server }) => {
  const { id } = await newGame(server, { ...LOCAL, moves: ["e4", "e5"] });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const path of ["/", `/game/${id}`, "/analyse"]) {
    await page.goto(path);
    await expect(page.locator("cg-board piece").first()).toBeVisible();
    if (path === "/analyse") await expect(page.locator(".lines li")).toHaveCount(3);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
  }
});
