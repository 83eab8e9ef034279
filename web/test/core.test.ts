import { describe, expect, it } from "vitest";
import type { Outcome } from "../src/api";
import { formatClock, remaining, speakClock } from "../src/core/clock";
import { endingOf } from "../src/core/ending";
import { isPromotion, plyOf, possibleCastling, readPieces, START, turnOf, writeFen } from "../src/core/fen";
import { materialLead } from "../src/core/material";
import { barShare, expected, formatScore, shortScore, speakScore } from "../src/core/score";
import { speakSan } from "../src/core/speech";

describe("clock", () => {
  const clock = {
    initial: 60_000,
    increment: 0,
    white: 30_000,
    black: 45_000,
    running: "white" as const,
    at: 0,
  };

  it("counts down the running side only", () => {
    expect(remaining(clock, "white", 10_000)).toBe(20_000);
    expect(remaining(clock, "black", 10_000)).toBe(45_000);
  });

  it("stops at zero and never runs backwards", () => {
    expect(remaining(clock, "white", 90_000)).toBe(0);
    expect(remaining(clock, "white", -500)).toBe(30_000);
  });

  it("shows hours, minutes, and tenths when it matters", () => {
    expect(formatClock(3_723_000)).toBe("1:02:03");
    expect(formatClock(245_999)).toBe("4:05");
    expect(formatClock(9_870)).toBe("9.8");
    expect(formatClock(0)).toBe("0.0");
  });

  it("is said in words", () => {
    expect(speakClock(61_000)).toBe("1 minute 1 second");
    expect(speakClock(0)).toBe("no time");
  });
});

describe("FEN", () => {
  it("knows pieces, turn and move number", () => {
    expect(readPieces(START).size).toBe(32);
    expect(readPieces(START).get("e8")).toEqual({ color: "black", role: "king" });
    expect(turnOf("8/8/8/8/8/8/8/8 b - - 0 7")).toBe("black");
    expect(plyOf("8/8/8/8/8/8/8/8 b - - 0 7")).toBe(13);
    expect(plyOf("8/8/8/8/8/8/8/8 w - - 0 x")).toBe(0);
  });

  it("survives nonsense", () => {
    expect(readPieces("").size).toBe(0);
    expect(readPieces("xxxxxxxxxxxx/9/ppppppppppppp").size).toBeLessThanOrEqual(8);
  });

  it("allows castling only from the first squares", () => {
    expect(possibleCastling(START)).toBe("KQkq");
    expect(possibleCastling("r3k3/8/8/8/8/8/8/4K2R")).toBe("Kq");
  });

  it("writes what the editor shows", () => {
    expect(writeFen({ placement: "8/8/8/8/8/8/8/8", turn: "black", castling: "" })).toBe(
      "8/8/8/8/8/8/8/8 b - - 0 1",
    );
  });

  it("asks for a piece only when a pawn arrives", () => {
    const fen = "8/P3k3/8/8/8/8/R7/K7 w - - 0 1";
    expect(isPromotion(fen, "a7", "a8")).toBe(true);
    expect(isPromotion(fen, "a2", "h2")).toBe(false);
  });
});

describe("material", () => {
  it("counts what a side is ahead in", () => {
    const lead = materialLead("4k3/8/8/8/8/8/PP6/R3K1n1 w - - 0 1");
    expect(lead.white).toEqual({ pieces: ["rook", "pawn", "pawn"], points: 4 });
    expect(lead.black).toEqual({ pieces: ["knight"], points: 0 });
  });
});

describe("score", () => {
  it("is written from White's view", () => {
    expect(formatScore({ cp: 125 })).toBe("+1.25");
    expect(formatScore({ cp: -40 })).toBe("−0.40");
    expect(formatScore({ cp: 0 })).toBe("0.00");
    expect(formatScore({ mate: -2 })).toBe("#−2");
    expect(shortScore({ cp: -385 })).toBe("3.9");
    expect(shortScore({ mate: -2 })).toBe("M2");
  });

  it("is said in words", () => {
    expect(speakScore({ mate: -2 })).toBe("Black mates in 2");
    expect(speakScore({ cp: 50 })).toBe("White is better by 0.50");
  });

  it("fills the bar", () => {
    expect(barShare({ cp: 0 })).toBe(0.5);
    expect(barShare({ mate: -1 })).toBe(0);
    expect(barShare({ cp: 300 })).toBeGreaterThan(0.7);
    expect(expected([500, 500, 0])).toBe(0.75);
    expect(expected([0, 0, 0])).toBe(0.5);
  });
});

describe("speech", () => {
  it.each([
    ["e4", "e4"],
    ["exd5", "pawn e takes d5"],
    ["Nbxd7+", "knight b takes d7, check"],
    ["O-O-O", "castles queen side"],
    ["e8=Q#", "e8 becomes a queen, checkmate"],
    ["Qh4xe1", "queen h4 takes e1"],
  ])("says %s", (san, words) => expect(speakSan(san)).toBe(words));
});

describe("finished positions", () => {
  const outcome = (reason: Outcome["reason"], winner: Outcome["winner"], result: Outcome["result"]) => ({
    reason,
    winner,
    result,
    text: "",
  });

  it("have a name instead of a score", () => {
    expect(endingOf(outcome("checkmate", "black", "0-1"))?.text).toBe("Checkmate: Black wins");
    expect(endingOf(outcome("stalemate", null, "1/2-1/2"))?.text).toBe("Stalemate: draw");
    expect(endingOf(outcome("insufficient material", null, "1/2-1/2"))?.title).toBe("Draw");
    expect(formatScore({ mate: 0 })).toBe("Checkmate");
  });

  it("are not those of games that were given up", () => {
    expect(endingOf(outcome("resignation", "white", "1-0"))).toBeNull();
    expect(endingOf(null)).toBeNull();
  });
});
