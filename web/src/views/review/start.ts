// Before there is a review, or a deeper one: the choice of effort, and its progress.

import type { Effort, Review } from "../../api";
import type { Reviews } from "../../net/backend";
import { button, choices } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { complain } from "../../ui/notice";

const EFFORTS = [
  ["quick", "Quick"],
  ["normal", "Normal"],
  ["deep", "Deep"],
] as const;

/** The next more thorough review, if there is one. */
export const deeperThan = (effort: Effort): Effort | undefined =>
  EFFORTS[EFFORTS.findIndex(([id]) => id === effort) + 1]?.[0];

export class ReviewStart {
  readonly #box: HTMLElement;
  readonly #reviews: Reviews;
  readonly #game: string;
  readonly #finished: (review: Review) => void;
  readonly #gaveUp: () => void;
  #effort: Effort = "normal";
  #unsubscribe: () => void = () => undefined;

  /** Draws into `box`; `gaveUp` is called when the person cancels, or it fails. */
  constructor(
    box: HTMLElement,
    reviews: Reviews,
    game: string,
    finished: (review: Review) => void,
    gaveUp: () => void = () => this.ask(),
  ) {
    this.#gaveUp = gaveUp;
    this.#box = box;
    this.#reviews = reviews;
    this.#game = game;
    this.#finished = finished;
  }

  ask(): void {
    fill(
      this.#box,
      h("h2", {}, "Review this game"),
      h("p", { class: "hint" }, "Gardez checks every move and shows where the game was decided."),
      choices("How thorough", EFFORTS, this.#effort, (effort) => {
        this.#effort = effort;
      }),
      button("Start the review", () => this.#start(), { icon: "play", kind: "primary" }),
    );
  }

  /** Begins at once. */
  run(effort: Effort): void {
    this.#effort = effort;
    this.#start();
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #start(): void {
    const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the review" });
    const count = h("span", { class: "hint" }, "Waiting for the engine…");
    const cancel = button("Cancel", () => this.#cancel());
    fill(this.#box, h("h2", {}, "Checking every move"), bar, count, cancel);
    this.#unsubscribe = this.#reviews.start(this.#game, this.#effort, {
      progressed(done, total) {
        bar.max = total;
        bar.value = done;
        count.textContent = `${done} of ${total} positions`;
      },
      finished: (review) => this.#finished(review),
      failed: (error) => {
        complain(error);
        this.#gaveUp();
      },
    });
  }

  #cancel(): void {
    this.#unsubscribe();
    this.#reviews.cancel(this.#game);
    this.#gaveUp();
  }
}
