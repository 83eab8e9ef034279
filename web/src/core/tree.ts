// A game with variations: what the analysis shows and a PGN file holds.

import type { Move, PgnWriteMove, Tree, TreeMove, Variant } from "../api";
import { START } from "./fen";

export interface Node {
  uci: string;
  san: string;
  /** After the move. */
  fen: string;
  comment: string | null;
  nags: number[];
  parent: Node | null;
  /** The first is the main line from here, the others are variations. */
  children: Node[];
}

export interface GameTree {
  root: Node;
  variant: Variant;
  tags: Record<string, string>;
}

export function newTree(
  start = START,
  variant: Variant = "standard",
  tags: Record<string, string> = {},
): GameTree {
  return { root: newNode({ uci: "", san: "", fen: start }, null), variant, tags };
}

function newNode(move: Pick<Move, "uci" | "san" | "fen">, parent: Node | null): Node {
  return { uci: move.uci, san: move.san, fen: move.fen, comment: null, nags: [], parent, children: [] };
}

/** Plays a move: follows an existing line, or starts a variation. */
export function addMove(parent: Node, move: Pick<Move, "uci" | "san" | "fen">): Node {
  const known = parent.children.find(({ uci }) => uci === move.uci);
  if (known) return known;
  const child = newNode(move, parent);
  parent.children.push(child);
  return child;
}

/** Plays moves in a row and returns the last one. */
export function addMoves(start: Node, moves: Pick<Move, "uci" | "san" | "fen">[]): Node {
  return moves.reduce(addMove, start);
}

/** From the first move to this one. */
export function pathTo(target: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = target; at?.parent; at = at.parent) path.unshift(at);
  return path;
}

export const movesTo = (target: Node): string[] => pathTo(target).map((move) => move.uci);

/** The main line below a move. */
export function lineFrom(start: Node): Node[] {
  const line: Node[] = [];
  for (let at = start.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** Makes a variation the main line, at this branch and all before it. */
export function promote(target: Node): void {
  for (let at: Node = target; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** Removes a move and all that follow, and returns the one before it. */
export function remove(target: Node): Node {
  const parent = target.parent;
  if (!parent) return target;
  parent.children = parent.children.filter((child) => child !== target);
  return parent;
}

export function fromApi(tree: Tree): GameTree {
  const made = newTree(tree.start, tree.variant, tree.tags);
  made.root.comment = tree.comment;
  addLine(made.root, tree.line);
  return made;
}

function addLine(from: Node, line: TreeMove[]): void {
  let parent = from;
  for (const move of line) {
    const child = addMove(parent, move);
    child.comment = move.comment;
    child.nags = move.nags;
    for (const variation of move.variations) addLine(parent, variation);
    parent = child;
  }
}

export function toApi(tree: GameTree): PgnWriteMove[] {
  return writeLine(tree.root);
}

function writeLine(from: Node): PgnWriteMove[] {
  const line: PgnWriteMove[] = [];
  for (let parent = from, at = parent.children[0]; at; parent = at, at = at.children[0]) {
    line.push({
      ...writeMove(at),
      variations: parent.children.slice(1).map((other) => [writeMove(other), ...writeLine(other)]),
    });
  }
  return line;
}

const writeMove = (move: Node): PgnWriteMove => ({ uci: move.uci, comment: move.comment, nags: move.nags });
