import type { Score, Wdl } from "../api";
import type { Ending } from "../core/ending";
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
    const label = score ? `Evaluation: ${speakScore(score)}` : "No evaluation";
    this.#draw(share, score ? shortScore(score) : "", label);
    this.element.classList.remove("ended");
  }

  /** The game is over: how, instead of chances. */
  end({ title, winner, text }: Ending): void {
    this.#draw({ white: 1, black: 0, none: 0.5 }[winner ?? "none"], title, text);
    this.element.classList.add("ended");
  }

  #draw(share: number, text: string, label: string): void {
    this.#white.style.setProperty("--share", String(Math.min(1, Math.max(0, share))));
    this.element.classList.toggle("black-ahead", share < 0.5);
    setText(this.#text, text);
    this.element.setAttribute("aria-label", label);
  }

  flip(blackBelow: boolean): void {
    this.element.classList.toggle("flipped", blackBelow);
  }
}
