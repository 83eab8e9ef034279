// A game with variations: what the analysis shows and a PGN file holds.

import type { Move, PgnWriteMove, Tree, TreeMove, Variant } from "../api";
import { START } from "./fen";
import { GLYPHS } from "./notation";

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

/** Moves the innermost variation with this move one place up; true if there was one. */
export function promote(target: Node): boolean {
  for (let at: Node = target; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    const place = siblings.indexOf(at);
    if (place === 0) continue;
    siblings.splice(place, 1);
    siblings.splice(place - 1, 0, at);
    return true;
  }
  return false;
}

/** Makes a variation the main line, at this branch and all before it. */
export function makeMainLine(target: Node): void {
  for (let at: Node = target; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** Gives a move this glyph, in place of another; or takes it away where the move has it. */
export function toggleGlyph(target: Node, nag: number): void {
  const others = target.nags.filter((known) => !(known in GLYPHS));
  target.nags = target.nags.includes(nag) ? others : [nag, ...others];
}

/** The move that a path of moves in UCI leads to, as far as the tree has them. */
export function find(tree: GameTree, moves: string[]): Node {
  let at = tree.root;
  for (const move of moves) {
    const next = at.children.find(({ uci }) => uci === move);
    if (!next) break;
    at = next;
  }
  return at;
}

/** A tree of its own with the same moves. */
export function clone(tree: GameTree): GameTree {
  return { ...tree, tags: { ...tree.tags }, root: cloneNode(tree.root) };
}

/** Not by recursion: a game may have thousands of moves. */
function cloneNode(root: Node): Node {
  const copy = (node: Node, parent: Node | null): Node => ({
    ...node,
    nags: [...node.nags],
    parent,
    children: [],
  });
  const made = copy(root, null);
  const open: [Node, Node][] = [[root, made]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    for (const child of from.children) {
      const copied = copy(child, to);
      to.children.push(copied);
      open.push([child, copied]);
    }
  }
  return made;
}

/** Removes a move and all that follow, and returns the one before it. */
export function remove(target: Node): Node {
  const parent = target.parent;
  if (!parent) return target;
  parent.children = parent.children.filter((child) => child !== target);
  return parent;
}

/** What a tree is read from: an answer of the backend, or what this page has kept. */
export interface WrittenTree extends Pick<Tree, "tags" | "start" | "variant" | "comment"> {
  line: WrittenMove[];
}

export interface WrittenMove extends Pick<TreeMove, "uci" | "san" | "fen" | "comment" | "nags"> {
  variations: WrittenMove[][];
}

export function fromApi(tree: WrittenTree): GameTree {
  const made = newTree(tree.start, tree.variant, tree.tags);
  made.root.comment = tree.comment;
  addLine(made.root, tree.line);
  return made;
}

function addLine(from: Node, line: WrittenMove[]): void {
  let parent = from;
  for (const move of line) {
    const child = addMove(parent, move);
    child.comment = move.comment;
    child.nags = move.nags;
    for (const variation of move.variations) addLine(parent, variation);
    parent = child;
  }
}

/** The whole tree, to be read again. */
export function write({ root, variant, tags }: GameTree): WrittenTree {
  return { tags, start: root.fen, variant, comment: root.comment, line: writeLine(root) };
}

/** The moves as the backend writes them into a PGN. */
export const toApi = (tree: GameTree): PgnWriteMove[] => write(tree).line;

function writeLine(from: Node): WrittenMove[] {
  const line: WrittenMove[] = [];
  for (let parent = from, at = parent.children[0]; at; parent = at, at = at.children[0]) {
    line.push({
      ...writeMove(at),
      variations: parent.children.slice(1).map((other) => [writeMove(other), ...writeLine(other)]),
    });
  }
  return line;
}

const writeMove = ({ uci, san, fen, comment, nags }: Node): WrittenMove => ({
  uci,
  san,
  fen,
  comment,
  nags,
  variations: [],
});
