import { readFile } from "node:fs/promises";
import type { Exercise } from "../src/api";
import { BLUNDERS, expect, moves, newGame, test } from "./fixtures";

test("analysis shows lines, arrows, chances and reasons", async ({ page, board }) => {
  await page.goto(`/analyse?fen=${encodeURIComponent("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")}`);
  await expect(page.locator(".lines li")).toHaveCount(3);
  await expect(page.locator(".line-score").first()).toHaveText("#1");
  await expect(page.locator(".cg-shapes line")).toHaveCount(3);
  await expect(page.locator(".evalbar")).toHaveAttribute("aria-label", /White mates in 1/);
  await page.getByRole("combobox", { name: "Lines" }).selectOption("1");
  await expect(page.locator(".lines li")).toHaveCount(1);
  await page.locator(".line-move").first().click();
  await board.expectPiece("d8", "white rook");
  await expect(page.locator(".tree .move")).toHaveText(
    ["1. Rd8#"].map((text) => new RegExp(text.replace(" ", "\\s"))),
  );
  await page.getByRole("button", { name: "Back" }).click();
  await board.move("g1f1");
  await expect(page.locator(".variation .move")).toHaveCount(1);
  await page.getByRole("tab", { name: "Why?" }).click();
  await expect(page.locator(".explain")).toContainText("Kf1");
});

test("a position that cannot be read leaves the start position, a sloppy one is repaired", async ({
  page,
}) => {
  await page.goto("/analyse?fen=bad");
  await expect(page.locator(".notice")).toContainText("The board needs 8 ranks");
  await expect(page.locator("cg-board piece:not(.ghost)")).toHaveCount(32);
  await page.goto(`/analyse?fen=${encodeURIComponent("4k3/8/8/8/8/8/8/4K2R w KQ - 0 0")}`);
  await expect(page.locator(".notice")).toContainText("The position was repaired: castling right left out");
  await expect(page.getByRole("textbox", { name: "Position as FEN" })).toHaveValue(
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
  );
});

test("a position is set up in the editor and played from", async ({ page }) => {
  await page.goto("/analyse");
  await page.getByRole("button", { name: "Edit board" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up a position" });
  await dialog.getByRole("button", { name: "Empty board" }).click();
  const surface = (await dialog.locator("cg-board").boundingBox())!;
  const put = async (piece: string, file: number, rank: number) => {
    await dialog.getByRole("button", { name: piece }).click();
    await page.mouse.click(
      surface.x + ((file + 0.5) * surface.width) / 8,
      surface.y + ((7.5 - rank) * surface.height) / 8,
    );
  };
  await put("white king", 4, 0);
  await put("black king", 4, 7);
  await put("white pawn", 0, 1);
  await expect(dialog.getByLabel("Position as FEN")).toHaveValue("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
  await dialog.getByRole("button", { name: "Use this position" }).click();
  await expect(page.locator(".fen-row input")).toHaveValue(/^4k3\/8\/8\/8\/8\/8\/P7\/4K3 w/);
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByRole("dialog").getByRole("radio", { name: "One board" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.locator('[data-square="a2"]')).toHaveAttribute("aria-label", /white pawn/);
});

test("a PGN is imported, reviewed, and its mistakes solved again", async ({ page, board, server }) => {
  test.setTimeout(300_000);
  await page.goto("/analyse");
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page.getByLabel("PGN or FEN").fill(BLUNDERS);
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator(".tree .move")).toHaveCount(14);
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page).toHaveURL(/\/review\//);
  await page.getByRole("radio", { name: "Quick" }).check();
  await page.getByRole("button", { name: "Start the review" }).click();
  await expect(page.locator(".graph")).toBeVisible({ timeout: 200_000 });
  await expect(page.locator(".report")).toContainText("Accuracy");
  await expect(moves(page).filter({ hasText: "??" })).not.toHaveCount(0);
  const box = (await page.locator(".graph").boundingBox())!;
  await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
  await expect(moves(page).last()).toHaveAttribute("aria-current", "true");

  await page.getByRole("button", { name: "Learn from mistakes" }).click();
  await expect(page).toHaveURL(/\/learn\//);
  await expect(page.getByRole("heading", { name: /Find a better move/ })).toBeVisible();
  const game = new URL(page.url()).pathname.split("/").at(-1)!;
  const { exercises } = await server.get<{ exercises: Exercise[] }>(`/exercises?game=${game}`);
  const first = exercises[0]!;
  await board.move(first.played.uci);
  await expect(page.locator(".verdict")).toHaveText(/^Not /);
  await page.getByRole("button", { name: "Try again" }).click();
  const { solution } = await server.post<{ solution: { uci: string }[] }>("/exercises/check", {
    game,
    ply: first.ply,
    move: "",
  });
  await board.move(solution[0]!.uci);
  await expect(page.locator(".verdict")).toHaveText(/^Correct/);
});

test("games are found, deleted and brought back", async ({ page, server }) => {
  await newGame(server, { white: { kind: "you", name: "Zebedee" }, black: { kind: "you", name: "Yolanda" } });
  await page.goto("/games");
  await page.getByLabel("Search").fill("zebedee");
  const entry = page.locator(".game-entry");
  await expect(entry).toHaveCount(1);
  await page.getByRole("button", { name: /Delete Zebedee/ }).click();
  await expect(entry).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(entry).toHaveCount(1);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    entry.getByRole("button", { name: "PGN" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toContain('[White "Zebedee"]');
  await entry.getByRole("link", { name: /Zebedee/ }).click();
  await expect(page.locator(".strip.below .player-name")).toHaveText("Zebedee");
});

test("a recorded game is replayed as a show", async ({ page, server }) => {
  const { games } = await server.post<{ games: { id: string }[] }>("/import", {
    pgn: "1. f3 e5 2. g4 Qh4# 0-1",
  });
  await page.goto(`/game/${games[0]!.id}?show`);
  await expect(moves(page).first()).toHaveAttribute("aria-current", "true");
  await expect(moves(page).last()).toHaveAttribute("aria-current", "true");
});

test("the engine rests while the page is hidden", async ({ page }) => {
  const sent: string[] = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
  await page.goto("/analyse");
  await expect(page.locator(".lines li")).toHaveCount(3);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  const count = (type: string) => sent.filter((message) => message.includes(`"type":"${type}"`)).length;
  const before = count("analyse");
  await hide(true);
  await expect.poll(() => count("stop")).toBe(1);
  await hide(false);
  await expect.poll(() => count("analyse")).toBe(before + 1);
});

test("a file with thousands of games is imported whole, and the count stays right", async ({ page }) => {
  test.setTimeout(300_000);
  const game = (number: number) =>
    `[White "Imported ${number}"]\n[Black "Someone"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n`;
  const pgn = Array.from({ length: 2100 }, (_, number) => game(number)).join("");
  await page.goto("/games");
  const search = page.getByRole("searchbox", { name: "Search" });
  const count = page.locator("main").getByRole("status");
  await search.fill("Imported");
  await expect(count).toHaveText("No games match.");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(pgn) });
  await expect(count).toHaveText("2100 games", { timeout: 200_000 });
  await search.fill("Imported 2099");
  await expect(count).toHaveText("1 game");
  await page.getByRole("button", { name: "Delete Imported 2099 – Someone" }).click();
  await expect(count).toHaveText("No games match.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(count).toHaveText("1 game");
});

test("an analysis keeps its variations, signs and comments over a reload, and changes are undone", async ({
  page,
}) => {
  await page.goto("/analyse");
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page
    .getByLabel("PGN or FEN")
    .fill("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 (4. Bxc6 dxc6 5. O-O) Nf6 *");
  await page.getByRole("button", { name: "Load" }).click();
  const variation = page.locator(".variation .move");
  const bare = /^4\.\sBxc6$/;
  await expect(variation).toHaveText([bare, "dxc6", /^5\.\sO-O$/]);

  await variation.nth(1).click({ button: "right" });
  await page.getByRole("dialog").getByLabel("Comment").fill("Towards the centre?");
  await page.getByRole("dialog").getByRole("button", { name: "!?", exact: true }).click();
  await page.reload();
  await expect(variation).toHaveText([bare, "dxc6!?", /^5\.\sO-O$/]);
  await expect(page.locator(".variation .comment")).toHaveText("Towards the centre?");

  await variation.first().click({ button: "right" });
  await page.getByRole("button", { name: "Make main line" }).click();
  await expect(variation).toHaveText([/^4\.\sBa4$/, "Nf6"]);
  await page.locator(".tree .move", { hasText: "dxc6" }).click({ button: "right" });
  await page.getByRole("button", { name: "Delete from here" }).click();
  await expect(page.locator(".tree .move", { hasText: "dxc6" })).toHaveCount(0);
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.click();
  await undo.click();
  await expect(variation).toHaveText([bare, "dxc6!?", /^5\.\sO-O$/]);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(variation).toHaveText([/^4\.\sBa4$/, "Nf6"]);
});

test("the mouse wheel over the board walks through the moves", async ({ page, board }) => {
  await page.goto("/analyse");
  await page.getByRole("tab", { name: "Load & save" }).click();
  await page.getByLabel("PGN or FEN").fill("1. e4 e5 2. Nf3 *");
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator(".tree .move")).toHaveCount(3);
  await page.getByRole("button", { name: "Start position" }).click();
  await board.expectPiece("e2", "white pawn");
  const { x, y } = await board.place("d5");
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 100);
  await board.expectPiece("e4", "white pawn");
  await page.mouse.wheel(0, -100);
  await board.expectPiece("e2", "white pawn");
});
