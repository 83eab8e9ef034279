// The moves under analysis: a tree with variations, the place in it that is shown, and what the backend knows about
// each position.

import type { Position, PositionRequest, Tree } from "../../api";
import { START } from "../../core/fen";
import { History } from "../../core/history";
import { recall, remember } from "../../core/settings";
import * as tree from "../../core/tree";
import type { Backend } from "../../net/backend";
import { complain, notify } from "../../ui/notice";

const KEPT = "gardez.analysis";

/** The whole tree, and the moves to the place that was shown. */
interface Kept {
  tree: tree.WrittenTree;
  moves: string[];
}

/** The tree at a time, and the moves to the place that was shown. */
interface Snapshot {
  tree: tree.GameTree;
  moves: string[];
}

export class AnalysisTree {
  readonly #backend: Backend;
  /** The place changed. `from` is where it was before; null after another tree was loaded. */
  readonly #moved: (from: tree.Node | null) => void;
  /** More is known about the current position. */
  readonly #learned: () => void;
  readonly #positions = new Map<tree.Node, Position>();
  #history = new History<Snapshot>();
  #tree = tree.newTree();
  #current = this.#tree.root;
  #isLoaded = false;

  constructor(backend: Backend, moved: (from: tree.Node | null) => void, learned: () => void) {
    this.#backend = backend;
    this.#moved = moved;
    this.#learned = learned;
  }

  get tree(): tree.GameTree {
    return this.#tree;
  }

  get current(): tree.Node {
    return this.#current;
  }

  /** What is known about the current position; nothing before the backend has answered. */
  get position(): Position | undefined {
    return this.#positions.get(this.#current);
  }

  /** The current position, as the backend is asked about it. */
  request(node = this.#current): Required<PositionRequest> {
    return { fen: this.#tree.root.fen, moves: tree.movesTo(node), variant: this.#tree.variant };
  }

  async goTo(node: tree.Node | null | undefined): Promise<void> {
    if (node) await this.#show(node, this.#current);
  }

  /** Plays a move, in UCI or SAN. */
  async play(move: string): Promise<boolean> {
    const from = this.#current;
    const request = this.request(from);
    const answer = await this.#backend.positions.play({ ...request, moves: [...request.moves, move] });
    const played = answer.moves.at(-1);
    if (!played || from !== this.#current) return false;
    if (!from.children.some(({ uci }) => uci === played.uci)) this.#keep();
    const node = tree.addMove(from, played);
    this.#positions.set(node, answer.position);
    await this.goTo(node);
    return true;
  }

  /** Plays a line of the engine. */
  async playLine(moves: string[]): Promise<void> {
    const request = this.request();
    const from = this.#current;
    const answer = await this.#backend.positions.play({ ...request, moves: [...request.moves, ...moves] });
    this.#keep();
    const node = tree.addMoves(from, answer.moves.slice(request.moves.length));
    this.#positions.set(node, answer.position);
    await this.goTo(node);
  }

  /** Adds a line and goes to its first move, from where it can be played through. */
  async openLine(moves: string[], from = this.#current): Promise<void> {
    const request = this.request(from);
    const answer = await this.#backend.positions.play({ ...request, moves: [...request.moves, ...moves] });
    const added = answer.moves.slice(request.moves.length);
    this.#keep();
    tree.addMoves(from, added);
    await this.goTo(from.children.find(({ uci }) => uci === added[0]?.uci));
  }

  /** Changes something about a move other than the moves after it. */
  edit(change: () => void): void {
    this.#keep();
    change();
    this.#remember();
    this.#learned();
  }

  /** Removes a move and all after it. */
  async remove(node = this.#current): Promise<void> {
    if (!node.parent) return;
    this.#keep();
    const isShown = tree.pathTo(this.#current).includes(node);
    const before = tree.remove(node);
    await this.goTo(isShown ? before : this.#current);
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  undo(): void {
    this.#return(this.#history.undo(this.#snapshot()));
  }

  redo(): void {
    this.#return(this.#history.redo(this.#snapshot()));
  }

  #snapshot(): Snapshot {
    return { tree: tree.clone(this.#tree), moves: tree.movesTo(this.#current) };
  }

  /** The tree is about to change. */
  #keep(): void {
    this.#history.add(this.#snapshot());
  }

  #return(to: Snapshot | undefined): void {
    if (!to) return;
    this.#tree = to.tree;
    this.#positions.clear();
    void this.#show(tree.find(to.tree, to.moves), null);
  }

  async loadGame(id: string, ply: number | null): Promise<"white" | "black"> {
    const game = await this.#backend.games.get(id);
    const tags = { ...game.tags, White: game.white.name, Black: game.black.name };
    const made = tree.newTree(game.start, game.variant, tags);
    const last = tree.addMoves(made.root, game.moves);
    this.#use(made, ply === null ? last : ([made.root, ...tree.pathTo(last)][ply] ?? last));
    return game.you === "black" ? "black" : "white";
  }

  async loadFen(text: string): Promise<void> {
    const fen = text.trim();
    try {
      await this.#loadMoves(fen || START, "standard", []);
    } catch (error) {
      // Castling rights of Chess960 need its rules to be understood.
      await this.#loadMoves(fen, "chess960", []).catch(() => {
        throw error;
      });
    }
  }

  /** Loads what was on the board at the last visit. */
  loadKept(): void {
    const kept = recall<Kept>(KEPT);
    if (!kept?.tree) {
      this.loadStart();
      return;
    }
    const made = tree.fromApi(kept.tree);
    this.#use(made, tree.find(made, kept.moves));
  }

  loadStart(): void {
    this.#use(tree.newTree());
  }

  loadTree(read: Tree): void {
    this.#use(tree.fromApi(read));
  }

  writePgn(): Promise<string> {
    const { root, variant, tags } = this.#tree;
    const line = tree.toApi(this.#tree);
    return this.#backend.positions.writePgn({ tags, start: root.fen, variant, comment: root.comment, line });
  }

  async #loadMoves(start: string, variant: tree.GameTree["variant"], moves: string[]): Promise<void> {
    const answer = await this.#backend.positions.play({ fen: start, variant, moves });
    if (answer.warnings.length > 0) notify(`The position was repaired: ${answer.warnings.join("; ")}.`);
    const made = tree.newTree(answer.start, answer.variant);
    this.#use(made, tree.addMoves(made.root, answer.moves));
  }

  #use(made: tree.GameTree, at = made.root): void {
    // Another tree can be undone too; the first one, of a page that opens, replaces nothing.
    if (this.#isLoaded) this.#keep();
    this.#isLoaded = true;
    this.#tree = made;
    this.#positions.clear();
    void this.#show(at, null);
  }

  #remember(): void {
    remember(KEPT, { tree: tree.write(this.#tree), moves: tree.movesTo(this.#current) } satisfies Kept);
  }

  async #show(node: tree.Node, from: tree.Node | null): Promise<void> {
    this.#current = node;
    this.#moved(from);
    this.#remember();
    if (this.#positions.has(node)) return;
    try {
      const { position } = await this.#backend.positions.play(this.request(node));
      this.#positions.set(node, position);
      if (node === this.#current) this.#learned();
    } catch (error) {
      complain(error);
    }
  }
}
