// What the coach says on the page: Why?, hints, reviews, exercises, finished positions.

import type { Page } from "@playwright/test";
import type { Exercise } from "../src/api";
import { BLUNDERS, expect, LOCAL, moves, newGame, test } from "./fixtures";
import type { TestServer } from "./server";

/** Black overlooks mate in one. */
const SCHOLAR = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"];

const why = (page: Page) => page.locator(".explain");

async function reviewed(page: Page, server: TestServer): Promise<string> {
  const { games } = await server.post<{ games: { id: string }[] }>("/import", { pgn: BLUNDERS });
  const { id } = games[0]!;
  await page.goto(`/review/${id}`);
  await page.getByRole("radio", { name: "Quick" }).check();
  await page.getByRole("button", { name: "Start the review" }).click();
  await expect(page.locator(".graph")).toBeVisible({ timeout: 200_000 });
  return id;
}

test("Why? speaks of the last move and the position, and keeps numbers behind Details", async ({
  page,
  board,
  server,
}) => {
  const { id } = await newGame(server, { ...LOCAL, moves: SCHOLAR });
  await page.goto(`/analyse?game=${id}`);
  await page.getByRole("tab", { name: "Why?" }).click();
  await expect(why(page)).toContainText("Nf6 is a blunder.");
  await expect(why(page)).toContainText("This allows mate at once: 4. Qxf7#.");
  await expect(why(page)).toContainText("White mates at once with 4. Qxf7#.");
  await expect(why(page).getByRole("table")).toBeHidden();
  await why(page).locator("summary").click();
  await expect(why(page).getByRole("table")).toBeVisible();
  await why(page)
    .getByRole("button", { name: /This allows mate at once/ })
    .click();
  await board.expectPiece("f7", "white queen");
  await expect(why(page)).toContainText("Qxf7# is a good move.");
  await expect(why(page)).toContainText("Black is checkmated: White has won.");
});

test("a remark marks its squares on the board", async ({ page }) => {
  const isolated = "r1bq1rk1/pp3ppp/2n1pn2/8/1bBP4/2N2N2/PP3PPP/R1BQR1K1 w - - 0 1";
  await page.goto(`/analyse?fen=${encodeURIComponent(isolated)}`);
  await page.getByRole("switch", { name: "Engine" }).uncheck();
  await page.getByRole("tab", { name: "Why?" }).click();
  const remark = why(page).getByRole("button", { name: /isolated pawn on d4/ });
  await expect(page.locator(".cg-shapes circle")).toHaveCount(0);
  await remark.hover();
  await expect(page.locator(".cg-shapes circle")).toHaveCount(1);
});

for (const [name, fen, ending] of [
  ["Checkmate", "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "Checkmate: White wins"],
  ["Stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Stalemate: draw"],
] as const) {
  test(`a finished position is called ${name}`, async ({ page }) => {
    await page.goto(`/analyse?fen=${encodeURIComponent(fen)}`);
    await expect(page.locator(".engine-facts")).toHaveText(ending);
    await expect(page.locator(".evalbar-text")).toHaveText(name);
    await expect(page.locator(".evalbar")).toHaveAttribute("aria-label", ending);
    await expect(page.locator(".opening")).toHaveText(ending);
    await expect(page.locator(".chances")).toBeHidden();
    await expect(page.locator(".lines li")).toHaveCount(0);
    await expect(page.locator("main")).not.toContainText("#0");
  });
}

test("a hint comes in three steps", async ({ page, server }) => {
  const { id } = await newGame(server, { ...LOCAL, fen: "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1" });
  await page.goto(`/game/${id}`);
  const coach = page.locator(".coach");
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(coach).toContainText("Look at the");
  await expect(page.locator(".cg-shapes circle")).toHaveCount(1);
  await coach.getByRole("button", { name: "Tell me more" }).click();
  await expect(coach).toContainText("There is a mate in one.");
  await expect(coach).not.toContainText("Ra8");
  await coach.getByRole("button", { name: "Show the move" }).click();
  await expect(coach).toContainText("1. Ra8#");
  await expect(page.locator("[data-hint=a1a8]")).toBeVisible();
  await expect(page.locator(".cg-shapes line")).toHaveCount(1);
});

test("Why? explains the last move of a game while it is played", async ({ page, board, server }) => {
  const { id } = await newGame(server, { ...LOCAL, moves: SCHOLAR.slice(0, 5) });
  await page.goto(`/game/${id}`);
  const coach = page.locator(".coach");
  await page.getByRole("button", { name: "Why?" }).click();
  await expect(coach).toContainText("White threatens mate with 4. Qxf7#.");
  await board.move("g8f6");
  await expect(coach).toBeEmpty();
  await page.getByRole("button", { name: "Why?" }).click();
  await expect(coach).toContainText("Nf6 is a blunder.");
});

test("a review says why, keeps its place, opens better lines and can be repeated deeper", async ({
  page,
  server,
}) => {
  test.setTimeout(300_000);
  const id = await reviewed(page, server);
  await page.getByRole("button", { name: "Start position" }).click();
  await page.getByRole("button", { name: "Next error" }).click();
  await expect(page).toHaveURL(/\/review\/.*\?ply=\d+$/);
  const address = page.url();
  const ply = Number(new URL(address).searchParams.get("ply"));
  await expect(page.locator(".remark strong")).toHaveText(/\?/);
  await expect(page.locator(".lesson")).toContainText("The game turned with");
  const better = page.locator(".better a");
  const line = (await better.textContent()) ?? "";
  // The arrows of what was played and what was better stand on the position before.
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(new RegExp(`ply=${ply - 1}$`));
  await expect(page.locator(".cg-shapes line")).toHaveCount(2);
  await page.keyboard.press("ArrowRight");
  await better.click();
  await expect(page).toHaveURL(/\/analyse\?game=.*&line=/);
  const first = line.split(" ")[1]!;
  await expect(page.locator(".tree .move[aria-current]")).toContainText(first);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(moves(page).nth(ply - 1)).toHaveAttribute("aria-current", "true");

  await page.getByRole("button", { name: "End position" }).click();
  await expect(page.locator(".remark")).toContainText("Checkmate: Black wins");
  await expect(page.locator(".evalbar-text")).toHaveText("Checkmate");
  await expect(page.locator("main")).not.toContainText("#0");

  await page.getByRole("button", { name: "Review deeper" }).click();
  await expect(page.locator(".review-more")).toContainText("50000 nodes a move", { timeout: 200_000 });
  await expect(page.getByRole("button", { name: "Review deeper" })).toBeVisible();
  await page.goto(`/review/${id}`);
  await expect(page.locator(".review-more")).toContainText("50000 nodes a move");
});

test("in Learn a wrong try is refuted, the solution is played through, and the end sums up", async ({
  page,
  board,
  server,
}) => {
  test.setTimeout(300_000);
  const game = await reviewed(page, server);
  const { exercises } = await server.get<{ exercises: Exercise[] }>(`/exercises?game=${game}`);
  const first = exercises[0]!;
  await page.goto(`/learn/${game}`);
  await expect(page.getByRole("heading", { name: /Find a better move/ })).toBeVisible();
  await board.move(first.played.uci);
  await expect(page.locator(".verdict")).toHaveText(
    new RegExp(`^Not ${first.played.san.replace("+", "\\+")}\\. `),
  );
  // The opponent answers on the board.
  await expect(page.locator(".shown-line .line-move").nth(1)).toHaveAttribute("aria-current", "true");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".shown-line")).toHaveCount(0);
  const { solution } = await server.post<{ solution: { uci: string; san: string }[] }>("/exercises/check", {
    game,
    ply: first.ply,
    move: "",
  });
  await board.move(solution[0]!.uci);
  await expect(page.locator(".verdict")).toHaveText(/^Correct/);
  const line = page.locator(".shown-line .line-move");
  const shown = Math.min(solution.length, 12);
  await expect(line).toHaveCount(shown);
  await line.last().click();
  await expect(line.last()).toHaveAttribute("aria-current", "true");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await expect(line.nth(shown - 2)).toHaveAttribute("aria-current", "true");

  for (let at = 1; at < exercises.length; at++) {
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.getByRole("button", { name: "Show the solution" }).click();
    await expect(page.locator(".verdict")).toHaveText(/^The solution is /);
  }
  await page.getByRole("button", { name: "Finish" }).click();
  const results = page.locator(".results li");
  await expect(results).toHaveCount(exercises.length);
  await expect(results.first()).toContainText("solved after 1 wrong attempt");
  await expect(page.locator(".exercise").first()).toContainText(
    `You solved 1 of ${exercises.length} exercises`,
  );
});
