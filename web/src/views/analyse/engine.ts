// The engine in the analysis: its switch, its lines, and what it draws on the board and next to it.

import type { Analysis, Outcome, PositionRequest } from "../../api";
import { type Arrow, type Board, moveArrow } from "../../board/board";
import { EvalBar } from "../../board/evalbar";
import { endingOf } from "../../core/ending";
import { change, settings } from "../../core/settings";
import type { AnalysisEngine } from "../../net/backend";
import { checkbox, select } from "../../ui/controls";
import { h } from "../../ui/dom";
import { Lines } from "../../ui/lines";
import { messageOf } from "../../ui/notice";

/** How often what the engine finds is drawn, in milliseconds: no one reads faster, and drawing empties batteries. */
const DRAW_EVERY = 150;

interface Shown {
  request: PositionRequest;
  /** Of a game that is over: there is nothing to analyse. Not known before the backend has answered. */
  outcome: Outcome | null | undefined;
}

export class EnginePanel {
  readonly controls: HTMLElement;
  readonly lines: Lines;
  readonly bar = new EvalBar();
  readonly #engine: AnalysisEngine;
  readonly #board: Board;
  #shown: Shown | null = null;
  #analysis: Analysis | null = null;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #on = true;
  #threat = false;

  constructor(engine: AnalysisEngine, board: Board, maxLines: number, play: (moves: string[]) => void) {
    this.#engine = engine;
    this.#board = board;
    this.lines = new Lines(play);
    this.lines.expect(settings().lines);
    this.controls = this.#makeControls(maxLines);
    document.addEventListener("visibilitychange", this.#visibilityChanged);
  }

  /** Analyses a position from now on. */
  analyse(shown: Shown): void {
    this.#shown = shown;
    this.#restart();
  }

  /** Whether the game is over is known now. */
  learn(outcome: Outcome | null | undefined): void {
    if (!this.#shown || this.#shown.outcome !== undefined || outcome === undefined) return;
    this.#shown.outcome = outcome;
    this.#restart();
  }

  toggle(): void {
    this.controls.querySelector("input")?.click();
  }

  /** Draws the arrows and the bar again, instead of other marks on the board. */
  draw(): void {
    this.bar.flip(this.#board.orientation === "black");
    const analysis = this.#analysis;
    const ending = endingOf(this.#shown?.outcome);
    if (ending) this.bar.end(ending);
    if (!analysis) {
      this.#board.arrows([]);
      return;
    }
    if (analysis.lines.length > 0) this.lines.show(analysis);
    const best = analysis.lines[0];
    this.bar.show(best?.score ?? null, best?.wdl ?? null);
    const arrows = this.#arrows(analysis);
    this.#board.arrows(arrows);
    this.#board.element.dataset.arrows = String(arrows.length);
  }

  #drawSoon(): void {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.draw();
    }, DRAW_EVERY);
  }

  dispose(): void {
    clearTimeout(this.#drawing);
    document.removeEventListener("visibilitychange", this.#visibilityChanged);
    this.#engine.stop();
  }

  /** No one looks at a hidden page, and thinking empties batteries. */
  readonly #visibilityChanged = (): void => {
    if (document.hidden) this.#engine.stop();
    else this.#restart();
  };

  #makeControls(maxLines: number): HTMLElement {
    const counts = Array.from({ length: maxLines }, (_, index) => String(index + 1));
    return h(
      "div",
      { class: "engine-controls" },
      checkbox("Engine", this.#on, (on) => {
        this.#on = on;
        this.#restart();
      }),
      select(
        "Lines",
        counts.map((count) => [count, count] as const),
        String(settings().lines),
        (count) => {
          change({ lines: Number(count) });
          this.lines.expect(Number(count));
          this.#restart();
        },
      ),
      checkbox("Threat", this.#threat, (on) => {
        this.#threat = on;
        this.#restart();
      }),
    );
  }

  #restart(): void {
    this.#analysis = null;
    if (!this.#shown || document.hidden) return;
    const { request, outcome } = this.#shown;
    if (!this.#on || outcome) {
      this.#engine.stop();
      if (outcome) this.lines.end(endingOf(outcome)?.text ?? outcome.text);
      else this.lines.clear("The engine is off.");
      this.draw();
      return;
    }
    this.lines.clear("Thinking…");
    // A position in which the game is over has no lines.
    if (outcome === undefined) return;
    this.#engine.start(
      { ...request, lines: settings().lines, threat: this.#threat },
      (analysis) => {
        this.#analysis = analysis;
        this.#drawSoon();
      },
      (error) => this.lines.clear(messageOf(error)),
    );
  }

  #arrows(analysis: Analysis): Arrow[] {
    const [best, ...others] = analysis.lines;
    const wanted = [
      ...others.map((line) => ({ line, brush: "other" as const })),
      { line: best, brush: "best" as const },
      { line: this.#threat ? analysis.threat : null, brush: "threat" as const },
    ];
    return wanted.flatMap(({ line, brush }) => {
      const move = line?.moves[0];
      return move ? moveArrow(move.uci, brush) : [];
    });
  }
}
