// A game tree as text: the main line, variations indented below the move they replace.

import { turnOf } from "../core/fen";
import { glyphs, numberBefore } from "../core/notation";
import type { GameTree, Node } from "../core/tree";
import { h } from "./dom";

export class TreeView {
  readonly element = h("div", {
    class: "tree",
    tabindex: 0,
    role: "group",
    "aria-label": "Moves and variations",
  });
  #go: (node: Node) => void;
  #edit: (node: Node) => void;
  #current: HTMLElement | null = null;

  /** `edit`: a menu for a move is wanted. */
  constructor(go: (node: Node) => void, edit: (node: Node) => void) {
    this.#go = go;
    this.#edit = edit;
  }

  show(tree: GameTree, current: Node): void {
    this.#current = null;
    this.element.replaceChildren(
      ...(tree.root.comment ? [comment(tree.root.comment)] : []),
      ...this.#line(tree.root, current),
    );
    if (tree.root.children.length === 0) {
      this.element.append(h("p", { class: "hint" }, "Move the pieces: every try is kept as a variation."));
    }
    const marked = this.#current as HTMLElement | null;
    if (marked) this.element.scrollTop = marked.offsetTop - this.element.clientHeight / 2;
    else this.element.scrollTop = 0;
  }

  /** The moves after one. `numbered`: the first has a number even if it is Black's. */
  #line(from: Node, current: Node, numbered = true): HTMLElement[] {
    const made: HTMLElement[] = [];
    let interrupted = numbered;
    for (let parent = from, node = parent.children[0]; node; parent = node, node = node.children[0]) {
      made.push(this.#move(node, parent, interrupted, current));
      interrupted = false;
      if (node.comment) made.push(comment(node.comment));
      const others = parent.children.slice(1);
      for (const other of others) {
        const variation = h("div", { class: "variation" }, this.#move(other, parent, true, current));
        if (other.comment) variation.append(comment(other.comment));
        variation.append(...this.#line(other, current, other.comment !== null));
        made.push(variation);
      }
      interrupted = others.length > 0 || node.comment !== null;
    }
    return made;
  }

  #move(node: Node, parent: Node, numbered: boolean, current: Node): HTMLElement {
    const number = numbered || turnOf(parent.fen) === "white" ? numberBefore(parent.fen) : "";
    const made = h(
      "button",
      {
        type: "button",
        class: "move",
        tabindex: -1,
        "aria-current": node === current ? "true" : null,
        onclick: () => this.#go(node),
        oncontextmenu: (event: MouseEvent) => {
          event.preventDefault();
          this.#edit(node);
        },
      },
      number && h("span", { class: "number" }, `${number}\u00a0`),
      node.san + glyphs(node.nags),
    );
    if (node === current) this.#current = made;
    return made;
  }
}

const comment = (text: string): HTMLElement => h("span", { class: "comment" }, text);
