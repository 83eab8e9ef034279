import { describe, expect, it } from "vitest";
import type { TreeMove } from "../src/api";
import { History } from "../src/core/history";
import { glyphs, lineText, numberBefore } from "../src/core/notation";
import * as tree from "../src/core/tree";

const fenAfter = (ply: number) => `8/8/8/8/8/8/8/8 ${ply % 2 ? "b" : "w"} - - 0 ${Math.floor(ply / 2) + 1}`;
const move = (uci: string, ply: number) => ({ uci, san: uci, fen: fenAfter(ply) });
const read = (
  uci: string,
  ply: number,
  variations: TreeMove[][] = [],
  comment: string | null = null,
): TreeMove => ({
  ...move(uci, ply),
  check: false,
  comment,
  nags: [],
  score: null,
  clock: null,
  variations,
});

function sample() {
  const game = tree.newTree(fenAfter(0));
  const e4 = tree.addMove(game.root, move("e2e4", 1));
  const e5 = tree.addMove(e4, move("e7e5", 2));
  const c5 = tree.addMove(e4, move("c7c5", 2));
  const nf3 = tree.addMove(c5, move("g1f3", 3));
  return { game, e4, e5, c5, nf3 };
}

describe("tree of moves", () => {
  it("goes into a line that is there instead of making another", () => {
    const { game, e4, e5 } = sample();
    expect(tree.addMove(game.root, move("e2e4", 1))).toBe(e4);
    expect(tree.addMove(e4, move("e7e5", 2))).toBe(e5);
    expect(e4.children).toHaveLength(2);
  });

  it("knows the way to a move and the line after it", () => {
    const { game, nf3 } = sample();
    expect(tree.movesTo(nf3)).toEqual(["e2e4", "c7c5", "g1f3"]);
    expect(tree.lineFrom(game.root).map(({ uci }) => uci)).toEqual(["e2e4", "e7e5"]);
    expect(tree.movesTo(game.root)).toEqual([]);
  });

  it("makes a variation the main line", () => {
    const { game, nf3 } = sample();
    tree.makeMainLine(nf3);
    expect(tree.lineFrom(game.root).map(({ uci }) => uci)).toEqual(["e2e4", "c7c5", "g1f3"]);
  });

  it("promotes a variation by one place, the innermost first", () => {
    const { game, e4, e5, c5, nf3 } = sample();
    const e6 = tree.addMove(e4, move("e7e6", 2));
    expect(tree.promote(e6)).toBe(true);
    expect(e4.children).toEqual([e5, e6, c5]);
    expect(tree.promote(nf3) && tree.promote(nf3)).toBe(true);
    expect(e4.children).toEqual([c5, e5, e6]);
    expect(tree.promote(nf3)).toBe(false);
    expect(tree.promote(game.root)).toBe(false);
  });

  it("gives a move one glyph at a time and keeps its other annotations", () => {
    const { e4 } = sample();
    e4.nags = [4, 13];
    tree.toggleGlyph(e4, 1);
    expect(e4.nags).toEqual([1, 13]);
    tree.toggleGlyph(e4, 1);
    expect(e4.nags).toEqual([13]);
  });

  it("is copied and written whole", () => {
    const { game, c5, nf3 } = sample();
    nf3.comment = "open";
    c5.nags = [1];
    const copied = tree.clone(game);
    const again = tree.fromApi(JSON.parse(JSON.stringify(tree.write(game))));
    tree.remove(c5);
    for (const kept of [copied, again]) {
      const found = tree.find(kept, ["e2e4", "c7c5", "g1f3"]);
      expect([found.san, found.comment, found.parent?.nags]).toEqual(["g1f3", "open", [1]]);
    }
    expect(tree.find(game, ["e2e4", "c7c5", "g1f3"])).toBe(game.root.children[0]);
  });

  it("undoes and redoes, until something else is done", () => {
    const history = new History<number>();
    history.add(1);
    history.add(2);
    expect([history.undo(3), history.undo(2), history.undo(1)]).toEqual([2, 1, undefined]);
    expect([history.redo(1), history.canRedo]).toEqual([2, true]);
    history.add(2);
    expect([history.canRedo, history.redo(9)]).toEqual([false, undefined]);
  });

  it("cuts a branch off", () => {
    const { e4, c5, e5, game } = sample();
    expect(tree.remove(c5)).toBe(e4);
    expect(e4.children).toEqual([e5]);
    expect(tree.remove(game.root)).toBe(game.root);
  });

  it("reads variations, nested too, and writes them back", () => {
    const game = tree.fromApi({
      tags: { White: "A" },
      start: fenAfter(0),
      variant: "standard",
      comment: "Begin",
      line: [
        read("e2e4", 1, [[read("d2d4", 1), read("d7d5", 2, [[read("g8f6", 2)]])]]),
        read("e7e5", 2, [], "solid"),
      ],
    });
    expect(game.root.children.map(({ uci }) => uci)).toEqual(["e2e4", "d2d4"]);
    expect(game.root.comment).toBe("Begin");
    const written = tree.toApi(game);
    expect(written.map(({ uci }) => uci)).toEqual(["e2e4", "e7e5"]);
    expect(written[1]?.comment).toBe("solid");
    expect(written[0]?.variations?.[0]?.map(({ uci }) => uci)).toEqual(["d2d4", "d7d5"]);
    expect(written[0]?.variations?.[0]?.[1]?.variations?.[0]?.[0]?.uci).toBe("g8f6");
  });

  it("numbers moves of both sides", () => {
    expect(numberBefore(fenAfter(0))).toBe("1.");
    expect(numberBefore(fenAfter(5))).toBe("3…");
    expect(glyphs([4, 99])).toBe("??");
    const moves = [{ san: "d5" }, { san: "Nf3" }, { san: "c5" }];
    expect(lineText(moves, fenAfter(1))).toBe("1… d5 2. Nf3 c5");
    expect(lineText(moves.slice(1), fenAfter(2))).toBe("2. Nf3 c5");
  });
});
