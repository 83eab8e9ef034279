// How the exercises went: kept while the view is open, and summed up at the end.

import type { Exercise, Remark } from "../../api";
import { JUDGEMENT_GLYPH, numberBefore } from "../../core/notation";
import { counted } from "../../core/speech";
import { button } from "../../ui/controls";
import { h } from "../../ui/dom";

interface Result {
  wrong: number;
  end: "solved" | "shown" | null;
}

export class Results {
  readonly #results = new Map<Exercise, Result>();

  wrong(exercise: Exercise): void {
    const result = this.#of(exercise);
    if (!result.end) this.#results.set(exercise, { ...result, wrong: result.wrong + 1 });
  }

  /** Only the first end counts: who has seen the solution has not found it. */
  end(exercise: Exercise, end: "solved" | "shown"): void {
    const result = this.#of(exercise);
    this.#results.set(exercise, { ...result, end: result.end ?? end });
  }

  /** "solved at the first try" */
  text(exercise: Exercise): string {
    const { wrong, end } = this.#of(exercise);
    if (end === "shown") return "the solution was shown";
    if (end === "solved")
      return wrong === 0 ? "solved at the first try" : `solved after ${counted(wrong, "wrong attempt")}`;
    return wrong > 0 ? "not solved yet" : "not tried";
  }

  count(exercises: Exercise[]): { solved: number; atOnce: number } {
    const results = exercises.map((exercise) => this.#of(exercise)).filter(({ end }) => end === "solved");
    return { solved: results.length, atOnce: results.filter(({ wrong }) => wrong === 0).length };
  }

  #of(exercise: Exercise): Result {
    return this.#results.get(exercise) ?? { wrong: 0, end: null };
  }
}

/** What stands in place of the exercises after the last one. */
export function summary(
  exercises: Exercise[],
  results: Results,
  lesson: Remark[],
  go: (index: number) => void,
): HTMLElement {
  const { solved, atOnce } = results.count(exercises);
  const all = solved === exercises.length;
  const rows = exercises.map((exercise, index) => {
    const { position, played, judgement } = exercise;
    const move = `${numberBefore(position.fen)} ${played.san}${JUDGEMENT_GLYPH[judgement]}`;
    return h(
      "li",
      {},
      button(move, () => go(index), { kind: "quiet", title: "Try it again" }),
      h("span", {}, results.text(exercise)),
    );
  });
  return h(
    "div",
    { class: "exercise", role: "status" },
    h("h2", {}, all ? "Well done" : "The end of the exercises"),
    h(
      "p",
      {},
      `You solved ${solved} of ${counted(exercises.length, "exercise")}`,
      solved > 0 && `, ${atOnce} at the first try`,
      ".",
    ),
    ...lesson.map(({ text }) => h("p", {}, text)),
    h("ul", { class: "results" }, ...rows),
  );
}
