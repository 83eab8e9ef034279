import type { Analysis, GameState } from "../src/api";
import {
  againstWeakest,
  BoardHand,
  expect,
  join,
  LOCAL,
  linksOf,
  moves,
  newGame,
  status,
  test,
} from "./fixtures";
import { TestServer } from "./server";

test("a game against the weakest level is won move by move", async ({ page, board, server }) => {
  test.setTimeout(400_000);
  const { id } = await againstWeakest(server, "white");
  await page.goto(`/game/${id}`);
  for (let ply = 0; ply < 240; ply += 2) {
    await expect(status(page)).toHaveText(/Your move|You won/);
    if (/You won/.test((await status(page).textContent()) ?? "")) break;
    const game = await server.get<GameState>(`/games/${id}`);
    const best = await server.post<Analysis>("/analyse", { fen: game.position.fen, nodes: 20_000 });
    await board.move(best.lines[0]!.moves[0]!.uci);
    await expect.poll(async () => moves(page).count()).toBeGreaterThan(ply);
    await expect(status(page)).not.toHaveText(/thinking/);
  }
  await expect(status(page)).toHaveText(/You won.*checkmate/i);
  await expect(page.getByRole("button", { name: "Rematch" })).toBeVisible();
});

test("the first view starts a game with the choices made", async ({ page, board }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "Black" }).check();
  await page.getByLabel("Clock").selectOption("300+0");
  await page.getByRole("switch", { name: /human speed/ }).uncheck();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.locator(".strip.below .player")).toHaveAttribute("data-color", "black");
  await expect(page.locator(".strip.below .clock")).toHaveText("5:00");
  await expect(moves(page)).toHaveCount(1);
  await board.drag("e7", "e5");
  // The list keeps the move; from the board the answer may have taken the pawn already.
  await expect(moves(page).nth(1)).toHaveText("e5");
});

test("two browsers play each other by link", async ({ page, board, browser }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "By link" }).check();
  await page.getByRole("radio", { name: "White" }).check();
  await page.getByRole("button", { name: "Create a link" }).click();
  const friend = await join(page, browser, "Grace");
  await expect(page.locator(".strip.above .player-name")).toHaveText("Grace");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(status(page)).toHaveText("Your move");
  await board.move("e2e4");
  await expect(moves(friend)).toHaveText(["e4"]);
  await friend.getByLabel("Type a move").fill("c5");
  await friend.keyboard.press("Enter");
  await expect(moves(page)).toHaveText(["e4", "c5"]);
  await page.getByRole("button", { name: "Draw" }).click();
  await friend.getByRole("button", { name: "Accept" }).click();
  await expect(status(page)).toHaveText(/Draw/);
  await friend.context().close();
});

test("spectators are counted, and a friend who leaves is missed", async ({ page, browser, server }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "By link" }).check();
  await page.getByRole("button", { name: "Create a link" }).click();
  const friend = await join(page, browser, "Grace");
  const { watch } = await linksOf(page);
  const third = await browser.newContext({ baseURL: server.url });
  await (await third.newPage()).goto(watch);
  await expect(page.locator(".spectators")).toHaveText("1 watching");
  await third.close();
  await expect(page.locator(".spectators")).toHaveText("");
  await friend.context().close();
  await expect(page.locator(".notice").filter({ hasText: "Grace has left." })).toBeVisible();
  await expect(page.locator(".strip.above .player-away")).toBeVisible();
});

test("an invitation names addresses that others can reach, or says why there is none", async ({ page }) => {
  const invite = async () => {
    await page.goto("/");
    await page.getByRole("radio", { name: "By link" }).check();
    await page.getByRole("button", { name: "Create a link" }).click();
    return page.getByRole("dialog", { name: "Invitation" });
  };
  const alone = await invite();
  await expect(alone).toContainText("listens on this machine alone");
  await expect(alone).toContainText("make play HOST=0.0.0.0");
  await expect(alone.getByRole("textbox")).toHaveCount(0);

  await page.route("**/api/v1/info", async (route) => {
    const info = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...info, exposed: true, addresses: ["http://192.168.7.7:8080"] } });
  });
  const reachable = await invite();
  await expect(reachable.getByLabel("Link", { exact: true })).toHaveValue(
    /^http:\/\/192\.168\.7\.7:8080\/join\/\w+$/,
  );
  await expect(reachable.getByRole("img", { name: "QR code of the link" })).toBeVisible();
});

test("a move is taken back, and a hint shown", async ({ page, board, server }) => {
  const { id } = await againstWeakest(server, "white");
  await page.goto(`/game/${id}`);
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Take back" }).click();
  await expect(moves(page)).toHaveCount(0);
  await board.expectPiece("e2", "white pawn");
  for (const name of ["Hint", "Tell me more", "Show the move"])
    await page.getByRole("button", { name }).click();
  await expect(page.locator("[data-hint]")).toBeVisible();
  await expect(page.locator(".cg-shapes line")).not.toHaveCount(0);
});

test("a pawn is promoted to the piece that was chosen", async ({ page, board, server }) => {
  const { id } = await newGame(server, { ...LOCAL, fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1" });
  await page.goto(`/game/${id}`);
  await board.pick("a7");
  await board.click("a8");
  await expect(page.getByRole("dialog", { name: "Promote to" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await board.expectPiece("a7", "white pawn");
  await board.move("a7a8n");
  await board.expectPiece("a8", "white knight");
  await expect(moves(page)).toHaveText(["a8=N"]);
});

test("a premove is played when its time comes", async ({ page, board, browser }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "By link" }).check();
  await page.getByRole("radio", { name: "Black" }).check();
  await page.getByRole("button", { name: "Create a link" }).click();
  const friend = await join(page, browser, "Grace");
  await expect(status(friend)).toHaveText("Your move");
  await board.move("e7e5");
  await expect(page.locator("square.current-premove")).toHaveCount(2);
  await new BoardHand(friend).move("e2e4");
  await expect(moves(friend)).toHaveText(["e4", "e5"]);
  await friend.context().close();
});

test("reload, a killed server and its restart lose nothing", async ({ page, board, server }) => {
  const { id } = await newGame(server, LOCAL);
  await page.goto(`/game/${id}`);
  await board.move("e2e4");
  await expect(moves(page)).toHaveText(["e4"]);
  await page.reload();
  await expect(moves(page)).toHaveText(["e4"]);
  await board.move("e7e5");
  await expect(moves(page)).toHaveText(["e4", "e5"]);
  await server.kill();
  await expect(page.locator(".connection")).toBeVisible();
  // Made while the server is away; arrives when it is back.
  await board.move("g1f3");
  await server.start();
  await expect(page.locator(".connection")).toBeHidden();
  await expect(moves(page)).toHaveText(["e4", "e5", "Nf3"]);
});

test("engines play each other, paused and watched", async ({ page, server }) => {
  const { levels } = await server.get<{ levels: { id: string }[] }>("/info");
  const level = levels[0]!.id;
  const { id } = await newGame(server, {
    white: { kind: "level", level },
    black: { kind: "level", level },
    seed: 3,
  });
  await page.goto(`/game/${id}`);
  await expect(moves(page).nth(1)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(status(page)).toHaveText(/Paused/);
});

test("a classic shows what its last search did", async ({ page, board, server }) => {
  const { id } = await newGame(server, {
    white: { kind: "you" },
    black: { kind: "classic", classic: "groundup:1" },
  });
  await page.goto(`/game/${id}`);
  const search = page.getByText("The last search", { exact: true });
  await expect(status(page)).toHaveText("Your move");
  await expect(search).toBeHidden();
  await board.move("e2e4");
  await expect(moves(page)).toHaveCount(2);
  await search.click();
  await expect(page.getByRole("region", { name: "The last search" })).toContainText(/groundup:1: .*nodes/);
});

test("resigning is asked twice, and a rematch changes sides", async ({ page, board, server }) => {
  const { id } = await againstWeakest(server, "white");
  await page.goto(`/game/${id}`);
  await board.move("e2e4");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await expect(status(page)).toHaveText(/You lost/);
  await page.getByRole("button", { name: "Rematch" }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.locator(".strip.below .player")).toHaveAttribute("data-color", "black");
});

test("Chess960 and any position can be chosen to start from", async ({ page, board }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "One board" }).check();
  await page.getByRole("radio", { name: "Chess960" }).check();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".opening")).toHaveText(/Chess960/);
  await page.goto("/");
  await page.getByRole("radio", { name: "Position" }).check();
  const fen = page.getByLabel("Position (FEN)");
  await fen.fill("nonsense");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await fen.fill("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/\/game\//);
  await board.move("e1g1");
  await board.expectPiece("f1", "white rook");
  await expect(moves(page)).toHaveText(["O-O"]);
});

test("a password is asked for where there is one", async ({ page }) => {
  const guarded = new TestServer(["--password", "open sesame"]);
  await guarded.start();
  try {
    await page.goto(guarded.url);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).not.toBeEmpty();
    await expect(page.locator(".connection")).toBeHidden();
    await page.getByLabel("Password").fill("open sesame");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  } finally {
    await guarded.dispose();
  }
});
