// What the coach says: sentences that mark squares and show lines on the board.

import type { Remark, RemarkLine } from "../api";
import { type Arrow, moveArrow } from "../board/board";
import { address } from "../router";
import { h } from "./dom";

export interface RemarkActions {
  /** Draws what a remark is about; nothing ends that. */
  mark(arrows: Arrow[]): void;
  /** The path of the view that shows a line, or what opens it; null where it cannot be opened. */
  open?(line: RemarkLine): string | (() => void) | null;
}

/** Sentences in a list. Looking at one marks it on the board, choosing one opens its line. */
export function remarkList(remarks: Remark[], actions: RemarkActions): HTMLElement {
  return h("ul", { class: "remarks" }, ...remarks.map((remark) => h("li", {}, remarkItem(remark, actions))));
}

function remarkItem(remark: Remark, actions: RemarkActions): HTMLElement {
  const { text, line } = remark;
  const arrows = marksOf(remark);
  const opens = line && actions.open?.(line);
  const mark = {
    onmouseenter: () => actions.mark(arrows),
    onfocus: () => actions.mark(arrows),
    onmouseleave: () => actions.mark([]),
    onblur: () => actions.mark([]),
  };
  const title = "Play it through on the board";
  if (typeof opens === "string")
    return h("a", { class: "remark-line", href: address(opens), title, ...mark }, text);
  if (opens)
    return h("button", { type: "button", class: "remark-line", onclick: opens, title, ...mark }, text);
  if (arrows.length === 0) return h("p", {}, text);
  // To be reached by the keyboard, as what is marked is part of what is said.
  return h("button", { type: "button", class: "remark-line", ...mark }, text);
}

/** Remarks without those that say what others have said already: a move threatens what the position is said to threaten. */
export function unsaid(remarks: Remark[], said: Remark[]): Remark[] {
  const texts = new Set(said.map(({ text }) => text));
  return remarks.filter(({ text }) => !texts.has(text));
}

/** The squares a remark is about, or else the first move of its line. */
export function marksOf({ squares, line }: Remark): Arrow[] {
  if (squares.length > 0) return squares.map((from) => ({ from, brush: "mark" }));
  const first = line?.moves[0];
  return first ? [moveArrow(first.uci, "mark")] : [];
}
