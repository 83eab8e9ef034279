import type { ExerciseVerdict, Move } from "../../api";
import { moveNumbers } from "../../core/notation";
import { h } from "../../ui/dom";

export type Phase = "asked" | "wrong" | "right" | "shown";

/** Lines are cut after this many moves: what comes later is hardly ever played. */
const MAX_LINE = 12;

/** A line on the board: a refutation or the solution. */
export interface ShownLine {
  moves: Move[];
  /** How many of them are played. */
  at: number;
}

/** The moves of a line from a position, to go to each. */
export function lineMoves(line: ShownLine, fen: string, show: (at: number) => void): HTMLElement {
  const numbers = moveNumbers(fen, line.moves.length);
  const entries = line.moves.map(({ san }, index) => {
    const current = index + 1 === line.at ? "true" : null;
    const number = numbers[index];
    return h(
      "button",
      { type: "button", class: "line-move", "aria-current": current, onclick: () => show(index + 1) },
      number && h("span", { class: "number" }, `${number} `),
      san,
    );
  });
  return h("p", { class: "shown-line" }, ...entries);
}

/** The line that answers an attempt, in UCI: a wrong one with what refutes it, or else the solution. */
export function answerLine(move: string, { verdict, solution, refutation }: ExerciseVerdict): string[] {
  const isWrong = move !== "" && verdict === "wrong";
  const rest = (isWrong ? refutation : (solution ?? [])).map(({ uci }) => uci);
  return (isWrong ? [move, ...rest] : rest).slice(0, MAX_LINE);
}

/** What is said of an attempt. */
export interface Judged {
  phase: Phase;
  text: string;
  reasons: string;
}

/** `first` is the first move of the line that answers the attempt. */
export function judged(move: string, { verdict, remarks }: ExerciseVerdict, first: string): Judged {
  const reasons = remarks.map(({ text }) => text).join(" ");
  if (move === "") return { phase: "shown", text: `The solution is ${first}.`, reasons };
  if (verdict === "best") return { phase: "right", text: `Correct: ${first}.`, reasons };
  if (verdict === "good") return { phase: "right", text: `Good. Best is ${first}.`, reasons };
  return { phase: "wrong", text: `Not ${first}.`, reasons: reasons || "The answer on the board shows why." };
}
