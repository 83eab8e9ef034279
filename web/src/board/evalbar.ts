import type { Score, Wdl } from "../api";
import { barShare, expected, shortScore, speakScore } from "../core/score";
import { h, setText } from "../ui/dom";

/** The bar next to the board: White's part grows with White's chances. */
export class EvalBar {
  readonly element: HTMLElement;
  #white = h("div", { class: "evalbar-white" });
  #text = h("span", { class: "evalbar-text" });

  constructor() {
    this.element = h(
      "div",
      { class: "evalbar", role: "img", "aria-label": "No evaluation" },
      this.#white,
      this.#text,
    );
  }

  show(score: Score | null, wdl: Wdl | null = null): void {
    const share = score && wdl ? expected(wdl) : barShare(score);
    this.#white.style.setProperty("--share", String(Math.min(1, Math.max(0, share))));
    this.element.classList.toggle("black-ahead", share < 0.5);
    setText(this.#text, score ? shortScore(score) : "");
    this.element.setAttribute("aria-label", score ? `Evaluation: ${speakScore(score)}` : "No evaluation");
  }

  flip(blackBelow: boolean): void {
    this.element.classList.toggle("flipped", blackBelow);
  }
}
