// The menu of a move in the analysis: a sign, a comment, its place among the variations.

import { GLYPHS, numberBefore } from "../../core/notation";
import { makeMainLine, type Node, promote, toggleGlyph } from "../../core/tree";
import { button } from "../../ui/controls";
import { openDialog } from "../../ui/dialog";
import { h } from "../../ui/dom";
import { complain } from "../../ui/notice";
import type { AnalysisTree } from "./tree";

export function openMoveMenu(tree: AnalysisTree, node: Node): void {
  const comment = h("textarea", { rows: 3, maxlength: 2000 });
  comment.value = node.comment ?? "";
  /** When the dialog closes, however that comes about. */
  const saveComment = () => {
    const text = comment.value.trim() || null;
    if (text !== node.comment)
      tree.edit(() => {
        node.comment = text;
      });
  };
  const act = (change: () => void) => () => {
    dialog.close();
    change();
  };
  const glyph = ([nag, sign]: [string, string]) => {
    const toggle = act(() => tree.edit(() => toggleGlyph(node, Number(nag))));
    const made = button(sign, toggle);
    made.setAttribute("aria-pressed", String(node.nags.includes(Number(nag))));
    return made;
  };
  const { parent } = node;
  const content = h(
    "div",
    { class: "move-menu" },
    parent && h("div", { class: "actions small" }, ...Object.entries(GLYPHS).map(glyph)),
    h("label", { class: "field" }, h("span", {}, "Comment"), comment),
    h(
      "div",
      { class: "actions small" },
      button("Save", () => dialog.close(), { kind: "primary" }),
      parent &&
        button(
          "Promote",
          act(() => tree.edit(() => promote(node))),
        ),
      parent &&
        button(
          "Make main line",
          act(() => tree.edit(() => makeMainLine(node))),
        ),
      parent &&
        button(
          "Delete from here",
          act(() => void tree.remove(node).catch(complain)),
        ),
    ),
  );
  const title = parent ? `${numberBefore(parent.fen)} ${node.san}` : "Before the first move";
  const dialog = openDialog(title, content, saveComment);
}
