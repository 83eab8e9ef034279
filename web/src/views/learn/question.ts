import type { Exercise } from "../../api";
import { turnOf } from "../../core/fen";
import { JUDGEMENT_GLYPH, numberBefore } from "../../core/notation";
import { h } from "../../ui/dom";

/** What an exercise asks; `place` is its place among the others, "2 of 5". */
export function question({ position, played, judgement, solved }: Exercise, place: string): HTMLElement[] {
  const side = turnOf(position.fen) === "white" ? "White" : "Black";
  const name = `${numberBefore(position.fen)} ${played.san}${JUDGEMENT_GLYPH[judgement]}`;
  return [
    h("p", { class: "hint" }, `Exercise ${place}${solved ? " · solved" : ""}`),
    h("h2", {}, `Find a better move for ${side}`),
    h(
      "p",
      {},
      "The move played was ",
      h("strong", { class: judgement }, name),
      `, ${judgement === "inaccuracy" ? "an" : "a"} ${judgement}.`,
    ),
  ];
}
