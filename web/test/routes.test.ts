import { describe, expect, it } from "vitest";
import type { Info } from "../src/api";
import { firstChoice, readClock, toNewGame } from "../src/core/newgame";
import { lineAddress, readRoute } from "../src/router";

describe("addresses", () => {
  it.each([
    ["/", { page: "play" }],
    ["/nowhere/at/all", { page: "play" }],
    ["/game/abc", { page: "game", id: "abc", show: false }],
    ["/game/abc?show", { page: "game", id: "abc", show: true }],
    ["/join/TOKEN", { page: "join", token: "TOKEN" }],
    ["/review/x?ply=12", { page: "review", id: "x", ply: 12 }],
    ["/review/x?ply=-1", { page: "review", id: "x", ply: null }],
    ["/learn", { page: "learn", game: null }],
    [
      "/analyse?game=x&ply=3&line=e2e4.e7e5",
      { page: "analyse", fen: null, game: "x", ply: 3, line: ["e2e4", "e7e5"] },
    ],
    ["/analyse?fen=8%2F8", { page: "analyse", fen: "8/8", game: null, ply: null, line: [] }],
  ])("%s", (address, route) => expect(readRoute(address)).toEqual(route));

  it("of a line is read as it was written", () => {
    const line = [{ uci: "e7e8q" }, { uci: "a1b1" }];
    expect(readRoute(lineAddress("x", 7, line))).toMatchObject({
      game: "x",
      ply: 7,
      line: ["e7e8q", "a1b1"],
    });
  });
});

describe("new game", () => {
  const choice = {
    opponent: "engine" as const,
    engine: "level:800",
    other: "classic:turochamp",
    side: "black" as const,
    clock: "180+2",
    from: "standard" as const,
    fen: "",
    humanPace: true,
  };

  it("seats the engine opposite", () => {
    expect(toNewGame(choice, "Ann", null)).toEqual({
      white: { kind: "level", level: "800" },
      black: { kind: "you", name: "Ann" },
      clock: { initial: 180_000, increment: 2000 },
      humanPace: true,
    });
  });

  it("tosses a coin for the side", () => {
    const random = { ...choice, side: "random" as const };
    expect(toNewGame(random, "", null, 0.2).black).toEqual({ kind: "you" });
    expect(toNewGame(random, "", null, 0.8).white).toEqual({ kind: "you" });
  });

  it("lets engines play each other", () => {
    const game = toNewGame({ ...choice, opponent: "engines" }, "", null);
    expect(game.white).toEqual({ kind: "level", level: "800" });
    expect(game.black).toEqual({ kind: "classic", classic: "turochamp" });
  });

  it("continues from a position with its moves", () => {
    const origin = { fen: "x", moves: ["e2e4"], variant: "chess960" as const };
    expect(toNewGame(choice, "", origin)).toMatchObject(origin);
  });

  it("starts with the choice of last time, where it still exists", () => {
    const level = (id: string) => ({ id, name: id, elo: null });
    const info = { levels: [level("400"), level("800"), level("full")], classics: [] } as unknown as Info;
    expect(firstChoice(info, null)).toMatchObject({ engine: "level:400", other: "level:full" });
    const kept = { engine: "level:800", other: "classic:gone", from: "fen" as const, fen: "8/8" };
    expect(firstChoice(info, kept)).toMatchObject({
      engine: "level:800",
      other: "level:full",
      from: "standard",
      fen: "",
    });
  });

  it("knows no clock", () => expect(readClock("none")).toBeNull());
});
