import { type Browser, test as base, expect, type Locator, type Page } from "@playwright/test";
import type { Color, GameState, Info, NewGame } from "../src/api";
import { TestServer } from "./server";

export { expect };

export const test = base.extend<{ board: BoardHand; quiet: void }, { server: TestServer }>({
  server: [
    async ({}, use) => {
      const server = new TestServer();
      await server.start();
      await use(server);
      await server.dispose();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  board: async ({ page }, use) => use(new BoardHand(page)),
  // After every test: the console is clean, nothing has left the machine, and the page shows no raw data.
  quiet: [
    async ({ page, server }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (
          message.type() === "error" &&
          /Content Security Policy|TypeError|ReferenceError/.test(message.text())
        )
          faults.push(message.text());
      });
      page.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== new URL(server.url).hostname)
          faults.push(`request to ${request.url()}`);
      });
      await use();
      expect(faults).toEqual([]);
      if (page.isClosed()) return;
      expect(await page.locator("body").textContent()).not.toMatch(/\{\s*"|\[object/);
    },
    { auto: true },
  ],
});

/** Moves pieces as a person does: with the pointer, on the screen. */
export class BoardHand {
  constructor(readonly page: Page) {}

  square(name: string): Locator {
    return this.page.locator(`.stage .squares [data-square="${name}"]`);
  }

  async place(name: string): Promise<{ x: number; y: number }> {
    const box = await this.square(name).boundingBox();
    if (!box) throw new Error(`square ${name} is not on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async click(name: string): Promise<void> {
    const { x, y } = await this.place(name);
    await this.page.mouse.click(x, y);
  }

  async tap(name: string): Promise<void> {
    const { x, y } = await this.place(name);
    await this.page.touchscreen.tap(x, y);
  }

  /** Waits until a piece is there: the page loads before the game that it shows. */
  async seePiece(square: string): Promise<void> {
    await expect(this.square(square)).toHaveAttribute("aria-label", /, (white|black) /);
  }

  /** Chooses the piece to move. */
  async pick(square: string): Promise<void> {
    await this.seePiece(square);
    await this.click(square);
    await expect(this.square(square)).toHaveAttribute("aria-selected", "true");
  }

  /** "e2e4", or "a7a8q" with the piece chosen when asked. */
  async move(uci: string): Promise<void> {
    await this.pick(uci.slice(0, 2));
    await this.click(uci.slice(2, 4));
    if (uci[4]) await this.page.locator(`.promotion [data-piece="${uci[4]}"]`).click();
  }

  async drag(from: string, to: string): Promise<void> {
    await this.seePiece(from);
    const start = await this.place(from);
    const end = await this.place(to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 6 });
    await this.page.mouse.up();
  }

  async expectPiece(square: string, piece: string): Promise<void> {
    await expect(this.square(square)).toHaveAttribute("aria-label", new RegExp(`^${square}, ${piece}`));
  }
}

export const moves = (page: Page): Locator => page.locator(".moves .move");
export const status = (page: Page): Locator => page.locator(".status");

export function newGame(server: TestServer, game: NewGame): Promise<GameState> {
  return server.post<GameState>("/games", game);
}

export async function againstWeakest(
  server: TestServer,
  you: Color,
  extra: Partial<NewGame> = {},
): Promise<GameState> {
  const level = (await server.get<Info>("/info")).levels[0]!.id;
  const seats: [NewGame["white"], NewGame["white"]] = [{ kind: "you" }, { kind: "level", level }];
  const [white, black] = you === "white" ? seats : [seats[1], seats[0]];
  return newGame(server, { white, black, seed: 7, ...extra });
}

/** The links of the game that a page shows, as its player gets them. */
export async function linksOf(page: Page): Promise<{ invite: string; watch: string }> {
  await expect(page).toHaveURL(/\/game\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { links } = (await (await page.request.get(`/api/v1/games/${id}`)).json()) as GameState;
  return { invite: links?.invite ?? "", watch: links!.watch };
}

/** Accepts the invitation to the game of a page, in a browser of its own. */
export async function join(page: Page, browser: Browser, name: string): Promise<Page> {
  const { invite } = await linksOf(page);
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const friend = await context.newPage();
  await friend.goto(invite);
  await friend.getByLabel("Your name").fill(name);
  await friend.getByRole("button", { name: "Join the game" }).click();
  await expect(friend).toHaveURL(/\/game\//);
  return friend;
}

export const LOCAL: Pick<NewGame, "white" | "black"> = { white: { kind: "you" }, black: { kind: "you" } };

/** White misses a win and is mated: short, with plain blunders. */
export const BLUNDERS = `[Event "Lesson"]
[White "Hasty"]
[Black "Patient"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1
`;
