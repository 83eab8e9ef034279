// What must be on the screen together is: board, lines with clocks and controls, at every size, in every view.

import { mkdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { BLUNDERS, expect, LOCAL, newGame, test } from "./fixtures";
import type { TestServer } from "./server";

const SIZES = [
  [360, 640],
  [390, 844],
  [640, 360],
  [844, 390],
  [768, 1024],
  [1280, 800],
] as const;

/** With GARDEZ_PICTURES the screens are kept, to be looked at. */
const folder = process.env.GARDEZ_PICTURES;

type Box = [name: string, left: number, top: number, right: number, bottom: number];

/** What of these is not wholly inside the window, or lies over another; and what scrolls sideways. */
async function faults(page: Page, selectors: string[]): Promise<string[]> {
  const boxes = await page.evaluate((wanted) => {
    const visible = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    return wanted.flatMap((selector): Box[] => {
      const found = visible(selector).map((element) => element.getBoundingClientRect());
      // What is missing is nowhere on the screen.
      if (found.length === 0) return [[`${selector} (missing)`, -1, -1, -1, -1]];
      return found.map(({ left, top, right, bottom }) => [selector, left, top, right, bottom]);
    });
  }, selectors);
  const { width, height } = page.viewportSize()!;
  const outside = boxes
    .filter(([, left, top, right, bottom]) => Math.min(left, top, width - right, height - bottom) < -0.5)
    .map(([name, ...sides]) => `${name} is outside: ${sides.map(Math.round)}`);
  const overlapping = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => overlap(one, other))
      .map((other) => `${one[0]} and ${other[0]} overlap`),
  );
  const sideways = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll(".place, .panel, .page")]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => `${element.tagName} ${element.className} scrolls sideways`),
  );
  return [...outside, ...overlapping, ...sideways];
}

const overlap = ([, ...a]: Box, [, ...b]: Box): boolean =>
  Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 1 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1;

async function reviewed(server: TestServer, page: Page): Promise<string> {
  const { games } = await server.post<{ games: { id: string }[] }>("/import", { pgn: BLUNDERS });
  const { id } = games[0]!;
  await page.goto(`/review/${id}`);
  await page.getByRole("radio", { name: "Quick" }).check();
  await page.getByRole("button", { name: "Start the review" }).click();
  await expect(page.locator(".graph")).toBeVisible();
  return id;
}

test("board, clocks and controls are on the screen together", async ({ page, server }) => {
  test.setTimeout(300_000);
  const clock = { initial: 300_000, increment: 0 };
  const { id } = await newGame(server, { ...LOCAL, moves: ["e4", "e5", "Nf3", "Nc6", "Bc4"], clock });
  const review = await reviewed(server, page);
  const bar = (name: string) => `[data-control="${name}"]`;
  const walk = ["back", "forward", "flip"].map(bar);
  // Of each view what must be on the screen at first, and what must stay there when its panel scrolls.
  const views: [string, string, string[], string[]?][] = [
    ["play", "/", [".newgame > .wide"]],
    [
      "game",
      `/game/${id}`,
      [".stage .board", ".above .clock", ".below .clock", ...walk, bar("hint"), bar("undo"), ".moves"],
    ],
    [
      "analyse",
      "/analyse",
      [".stage .board", ...walk, ".lines li:first-child .line-score"],
      [".stage .board", ...walk],
    ],
    ["review", `/review/${review}?ply=8`, [".stage .board", ...walk, ".graph", ".remark", ".player-name"]],
    ["learn", `/learn/${review}`, [".stage .board", ...walk, bar("hint"), bar("undo")]],
    ["games", "/games", [".page-head h1"], []],
  ];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const [name, path, wanted, staying = wanted] of views) {
      await page.goto(path);
      for (const selector of wanted) await expect(page.locator(selector).first()).toBeAttached();
      if (folder) {
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: `${folder}/${name}-${width}x${height}.png` });
      }
      const at = `${name} at ${width}x${height}`;
      expect.soft(await faults(page, wanted), at).toEqual([]);
      // What scrolls is the panel, and the rest stays.
      await page.locator(".panel, .page").first().hover();
      await page.mouse.wheel(0, 4000);
      expect.soft(await faults(page, staying), `${at}, scrolled`).toEqual([]);
    }
  }
});

test("notices cover neither board nor clock", async ({ page, board, server }) => {
  const clock = { initial: 300_000, increment: 0 };
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const { id } = await newGame(server, { ...LOCAL, moves: ["e4"], clock });
    await page.goto(`/game/${id}`);
    await board.seePiece("e4");
    await page.getByLabel("Type a move").fill("Ke4");
    await page.getByLabel("Type a move").press("Enter");
    await expect(page.locator(".notice").first()).toBeVisible();
    const wanted = [".stage .board", ".above .clock", ".below .clock", ".controls", ".notice"];
    expect.soft(await faults(page, wanted), `${width}x${height}`).toEqual([]);
  }
});

test("coordinates can be read, whichever side is below", async ({ page, board, server }) => {
  const { id } = await newGame(server, { ...LOCAL, moves: ["e4"] });
  await page.goto(`/game/${id}`);
  await board.seePiece("e4");
  for (const leftFile of ["a", "h"]) {
    const { pale, covered } = await page.evaluate((file) => {
      const style = getComputedStyle(document.documentElement);
      const probe = document.body.appendChild(document.createElement("i"));
      const colour = (token: string) => {
        probe.style.color = style.getPropertyValue(token);
        return getComputedStyle(probe).color;
      };
      const dark = colour("--square-dark");
      const light = colour("--square-light");
      const isLight = (rank: number) => ("abcdefgh".indexOf(file) + rank) % 2 === 0;
      const ranks = [...document.querySelectorAll("coords.ranks coord")];
      const wrong = ranks.filter((coord) => {
        const drawn = getComputedStyle(coord).color;
        return drawn === (isLight(Number(coord.textContent)) ? light : dark);
      });
      const surface = document.querySelector("cg-board")!.getBoundingClientRect();
      const files = [...document.querySelectorAll("coords.files coord")];
      const under = files.filter((coord) => coord.getBoundingClientRect().top < surface.bottom - 1);
      probe.remove();
      return {
        pale: wrong.map((coord) => coord.textContent),
        covered: under.map((coord) => coord.textContent),
      };
    }, leftFile);
    expect(pale).toEqual([]);
    expect(covered).toEqual([]);
    await page.getByRole("button", { name: "Flip the board" }).click();
  }
});

test("no button takes the place of another when a game ends", async ({ page, board, server }) => {
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".controls button, .actions button")].map((made) => {
        const { x, y } = made.getBoundingClientRect();
        return [made.textContent, Math.round(x), Math.round(y)].join(" ");
      }),
    );
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const { id } = await newGame(server, { ...LOCAL, moves: ["f3", "e5", "g4"] });
    await page.goto(`/game/${id}`);
    await expect(page.getByRole("button", { name: "Resign" })).toBeEnabled();
    const before = await places();
    await board.move("d8h4");
    await expect(page.getByRole("button", { name: "Rematch" })).toBeVisible();
    const after = await places();
    for (const place of before) expect.soft(after, `${width}x${height}`).toContain(place);
    await expect(page.getByRole("button", { name: "Resign" })).toBeDisabled();
  }
});

test.describe("in the hand", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a finger over the moves walks through them, with a tick", async ({ page, board, server }) => {
    await page.addInitScript(() => {
      const ticks: unknown[] = [];
      Object.assign(window, { ticks });
      navigator.vibrate = (pattern) => ticks.push(pattern) > 0;
    });
    const { id } = await newGame(server, { ...LOCAL, moves: ["e4", "e5", "Nf3", "Nc6"] });
    await page.goto(`/game/${id}`);
    await board.seePiece("c6");
    await page.getByRole("button", { name: "Flip the board" }).tap();
    const box = (await page.locator(".moves").boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const point = (x: number) => [{ x, y: box.y + box.height / 2 }];
    const start = box.x + 100;
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: point(start) });
    for (let x = start; x <= start + 60; x += 10)
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: point(x) });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(page.locator(".moves [aria-current]")).toHaveText("e5");
    expect(await page.evaluate(() => (window as unknown as { ticks: unknown[] }).ticks.length)).toBe(2);
  });

  test("notches and rounded corners stay free, and two taps do not zoom", async ({ page, board, server }) => {
    const { id } = await newGame(server, { ...LOCAL, moves: ["e4"] });
    const session = await page.context().newCDPSession(page);
    const wanted = [".stage .board", ".strip.above", ".controls", ".top .nav-link"];
    for (const [width, height, insets] of [
      [390, 844, { top: 47, bottom: 34, left: 0, right: 0 }],
      [844, 390, { top: 0, bottom: 21, left: 47, right: 47 }],
    ] as const) {
      await page.setViewportSize({ width, height });
      await session.send("Emulation.setSafeAreaInsetsOverride", { insets });
      await page.goto(`/game/${id}`);
      await board.seePiece("e4");
      const boxes = await page.evaluate(
        (selectors) =>
          selectors.flatMap((selector) =>
            [...document.querySelectorAll(selector)].map((element) => {
              const { left, top, right, bottom } = element.getBoundingClientRect();
              return { selector, left, top, right: innerWidth - right, bottom: innerHeight - bottom };
            }),
          ),
        wanted,
      );
      for (const box of boxes) {
        for (const side of ["left", "top", "right", "bottom"] as const)
          expect
            .soft(box[side], `${box.selector} ${side} at ${width}`)
            .toBeGreaterThanOrEqual(insets[side] - 0.5);
      }
    }
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).touchAction)).toBe(
      "manipulation",
    );
  });

  test("the screen stays on while a clock runs", async ({ page, board, server }) => {
    await page.addInitScript(() => {
      const locks = { held: 0 };
      Object.assign(window, { locks });
      const wakeLock = {
        request: () => {
          locks.held += 1;
          const release = () => {
            locks.held -= 1;
            return Promise.resolve();
          };
          return Promise.resolve(Object.assign(new EventTarget(), { release }));
        },
      };
      Object.defineProperty(navigator, "wakeLock", { value: wakeLock });
    });
    const held = () => page.evaluate(() => (window as unknown as { locks: { held: number } }).locks.held);
    const clock = { initial: 300_000, increment: 0 };
    const { id } = await newGame(server, { ...LOCAL, moves: ["f3", "e5", "g4"], clock });
    await page.goto(`/game/${id}`);
    await board.seePiece("g4");
    await expect.poll(held).toBe(1);
    await board.move("d8h4");
    await expect(page.getByRole("button", { name: "Rematch" })).toBeVisible();
    await expect.poll(held).toBe(0);
  });
});
