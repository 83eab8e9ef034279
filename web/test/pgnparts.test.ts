import { describe, expect, it } from "vitest";
import { pgnParts } from "../src/core/pgnparts";

const game = (white: string, moves = "1. e4 e5") => `[Event "?"]\n[White "${white}"]\n\n${moves} 1-0\n\n`;

describe("files of games in parts", () => {
  it("puts a number of games into each part, and loses nothing", () => {
    const games = Array.from({ length: 7 }, (_, number) => game(`Player ${number}`));
    const parts = [...pgnParts(games.join(""), 3)];
    expect(parts.map((part) => part.text)).toEqual([
      games.slice(0, 3).join(""),
      games.slice(3, 6).join(""),
      games[6],
    ]);
    expect(parts.map((part) => part.linesBefore)).toEqual([0, 15, 30]);
  });

  it("cuts before a part becomes too large", () => {
    const games = ["A", "B", "C"].map((name) => game(name, "1. e4 e5 ".repeat(10)));
    const parts = [...pgnParts(games.join(""), 500, 250)];
    expect(parts.map((part) => part.text).join("")).toBe(games.join(""));
    expect(parts.length).toBe(2);
  });

  it("keeps together what it cannot tell apart", () => {
    const text = "1. e4 {[%clk 0:01:00]\n[not a tag]} e5 2. Nf3";
    expect([...pgnParts(text, 1, 5)].map((part) => part.text)).toEqual([text]);
    expect([...pgnParts("")]).toEqual([]);
    const windows = game("A").replaceAll("\n", "\r\n");
    expect([...pgnParts(windows + windows, 1)].map((part) => part.text)).toEqual([windows, windows]);
  });
});
