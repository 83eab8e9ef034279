// The coach at a game: a hint in three steps, and why the last move was good or bad.

import type { Explanation, GameState, RemarkLine } from "../../api";
import { type Arrow, moveArrow } from "../../board/board";
import type { Backend, Hint } from "../../net/backend";
import { lineAddress } from "../../router";
import { button } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { marksOf, type RemarkActions, remarkList, unsaid } from "../../ui/remarks";

export class CoachPanel {
  readonly element = h("div", { class: "coach", "aria-live": "polite" });
  readonly #backend: Backend;
  readonly #game: string;
  readonly #mark: (arrows: Arrow[]) => void;
  /** Counts what was asked and cleared: an answer to an older question is dropped. */
  #asked = 0;
  #hint: Hint | null = null;
  /** Steps of the hint that are shown. */
  #steps = 0;

  /** `mark` draws on the board. */
  constructor(backend: Backend, game: string, mark: (arrows: Arrow[]) => void) {
    this.#backend = backend;
    this.#game = game;
    this.#mark = mark;
  }

  get #hasMore(): boolean {
    return this.#hint !== null && this.#steps < this.#hint.steps.length;
  }

  /** What the hint has shown so far: the piece to look at, then the move. */
  get arrows(): Arrow[] {
    const hint = this.#hint;
    if (!hint || this.#steps === 0) return [];
    return this.#hasMore ? hint.steps.slice(0, 1).flatMap(marksOf) : [moveArrow(hint.uci, "hint")];
  }

  /** The first hint says what to look at; asked again, it says more. */
  async hint(): Promise<void> {
    if (this.#hasMore) {
      this.#more();
      return;
    }
    await this.#ask(this.#backend.games.hint(this.#game), (hint) => {
      this.#hint = hint;
      this.#more();
    });
  }

  /** Explains a move of the game: why it was good or bad, and what it threatens. */
  async why(game: GameState | null, ply: number): Promise<void> {
    if (!game) return;
    const { start: fen, variant } = game;
    const moves = game.moves.slice(0, ply).map(({ uci }) => uci);
    const explain = this.#backend.positions.explain({ fen, moves, variant });
    await this.#ask(explain, (answer) => this.#explain(answer, game, ply));
  }

  /** The position has changed. */
  clear(): void {
    this.#asked += 1;
    this.#hint = null;
    this.#steps = 0;
    fill(this.element);
  }

  async #ask<T>(question: Promise<T>, show: (answer: T) => void): Promise<void> {
    this.clear();
    this.#mark([]);
    fill(this.element, h("p", { class: "hint" }, "The coach looks at the position…"));
    const number = this.#asked;
    try {
      const answer = await question;
      if (number === this.#asked) show(answer);
    } catch (error) {
      if (number === this.#asked) this.clear();
      throw error;
    }
  }

  /** Shows the next step of the hint. */
  #more(): void {
    const hint = this.#hint;
    if (!hint) return;
    this.#steps += 1;
    const isLast = this.#steps + 1 === hint.steps.length;
    fill(
      this.element,
      this.#head("Hint"),
      ...hint.steps.slice(0, this.#steps).map(({ text }) => h("p", {}, text)),
      this.#hasMore &&
        button(isLast ? "Show the move" : "Tell me more", () => this.#more(), { icon: "hint" }),
    );
    this.#mark(this.arrows);
  }

  /** While a game is played the coach speaks of the last move alone: what to play now is for hints to say. */
  #explain({ lastMove, position, threat }: Explanation, game: GameState, ply: number): void {
    const isOver = game.outcome !== null || game.kind === "imported";
    const open = (line: RemarkLine) => (isOver ? lineAddressIn(game, ply, line) : null);
    const actions: RemarkActions = { mark: this.#mark, open };
    const reasons = lastMove?.remarks ?? [];
    const about = unsaid([...(isOver ? position : []), ...(threat ? [threat] : [])], reasons);
    fill(
      this.element,
      this.#head(lastMove ? lastMove.verdict : "The position"),
      reasons.length > 0 && remarkList(reasons, actions),
      about.length > 0 && remarkList(about, actions),
      !isOver && !threat && h("p", {}, "It threatens nothing at once."),
    );
  }

  #head(text: string): HTMLElement {
    const close = () => {
      this.clear();
      this.#mark([]);
    };
    return h(
      "div",
      { class: "coach-head" },
      h("h2", {}, text),
      button("", close, { icon: "close", label: "Close what the coach says" }),
    );
  }
}

/** Where the analysis shows a line that begins at a place of a game or before the last move; not one of a threat. */
function lineAddressIn(game: GameState, ply: number, { fen, moves }: RemarkLine): string | null {
  const fenAt = (at: number) => game.moves[at - 1]?.fen ?? game.start;
  const from = [ply, ply - 1].find((at) => at >= 0 && fenAt(at) === fen);
  return from === undefined ? null : lineAddress(game.id, from, moves);
}
