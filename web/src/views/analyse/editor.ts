// The board editor: pick a piece and click squares, or drag pieces; dragged off the board they are removed.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key, Piece } from "chessground/types";
import type { Color } from "../../api";
import { EMPTY, possibleCastling, type Role, START, writeFen } from "../../core/fen";
import type { Positions } from "../../net/backend";
import { button, checkbox, choices } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { messageOf } from "../../ui/notice";

const ROLES: Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const SIDES = [
  ["white", "White"],
  ["black", "Black"],
] as const;
const RIGHTS = [
  ["K", "White O-O"],
  ["Q", "White O-O-O"],
  ["k", "Black O-O"],
  ["q", "Black O-O-O"],
] as const;

type Tool = Piece | "move" | "erase";

export class BoardEditor {
  readonly element: HTMLElement;
  readonly #positions: Positions;
  readonly #done: (fen: string) => void;
  readonly #ground: Api;
  readonly #resize: ResizeObserver;
  readonly #rights = new Set<string>();
  #turn: Color = "white";
  #tool: Tool = "move";

  readonly #surface = h("div", { class: "surface" });
  readonly #palette = h("div", { class: "palette cg-wrap", role: "toolbar", "aria-label": "Pieces" });
  readonly #side = h("div", {});
  readonly #castling = h("div", { class: "rights" });
  readonly #error = h("p", { class: "form-error", role: "alert" });
  readonly #fen = h("input", {
    class: "fen",
    spellcheck: "false",
    "aria-label": "Position as FEN",
    onchange: () => this.#load(this.#fen.value),
  });

  constructor(positions: Positions, start: string, done: (fen: string) => void) {
    this.#positions = positions;
    this.#done = done;
    this.#ground = Chessground(this.#surface, {
      movable: { free: true, color: "both", showDests: false },
      premovable: { enabled: false },
      drawable: { enabled: false },
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      draggable: { deleteOnDropOff: true, showGhost: false },
      selectable: { enabled: false },
      disableContextMenu: true,
      events: { change: () => this.#refresh() },
    });
    this.#surface.addEventListener("pointerdown", (event) => this.#touch(event));
    this.#resize = new ResizeObserver(() => this.#ground.redrawAll());
    this.#resize.observe(this.#surface);
    this.element = h(
      "div",
      { class: "editor" },
      h("div", { class: "editor-board" }, h("div", { class: "board editing" }, this.#surface), this.#palette),
      this.#fields(),
    );
    this.#drawPalette();
    this.#load(start);
  }

  dispose(): void {
    this.#resize.disconnect();
    this.#ground.destroy();
  }

  #fields(): HTMLElement {
    return h(
      "div",
      { class: "editor-fields" },
      this.#side,
      this.#castling,
      h("label", { class: "field" }, h("span", {}, "FEN"), this.#fen),
      this.#error,
      h(
        "div",
        { class: "actions small" },
        button("Use this position", () => void this.#finish(), { kind: "primary" }),
        button("Start position", () => this.#load(START)),
        button("Empty board", () => this.#load(EMPTY)),
      ),
    );
  }

  #read(): string {
    const placement = this.#ground.getFen();
    const castling = [...possibleCastling(placement)].filter((letter) => this.#rights.has(letter)).join("");
    return writeFen({ placement, turn: this.#turn, castling });
  }

  #load(text: string): void {
    const fields = text.trim().split(/\s+/);
    this.#ground.set({ fen: fields[0] || START });
    this.#turn = fields[1] === "b" ? "black" : "white";
    this.#rights.clear();
    for (const letter of fields[2] ?? "") if ("KQkq".includes(letter)) this.#rights.add(letter);
    this.#drawSide();
    this.#drawRights();
    this.#refresh();
  }

  #refresh(): void {
    if (document.activeElement !== this.#fen) this.#fen.value = this.#read();
    const possible = possibleCastling(this.#ground.getFen());
    for (const input of this.#castling.querySelectorAll("input"))
      input.disabled = !possible.includes(input.name);
  }

  #drawSide(): void {
    const choose = (color: Color) => {
      this.#turn = color;
      this.#refresh();
    };
    fill(this.#side, choices("To move", SIDES, this.#turn, choose));
  }

  #drawRights(): void {
    const right = ([letter, text]: (typeof RIGHTS)[number]) => {
      const made = checkbox(text, this.#rights.has(letter), (on) => {
        if (on) this.#rights.add(letter);
        else this.#rights.delete(letter);
        this.#refresh();
      });
      made.querySelector("input")?.setAttribute("name", letter);
      return made;
    };
    fill(this.#castling, ...RIGHTS.map(right));
  }

  #drawPalette(): void {
    const pieces = SIDES.flatMap(([color]) => ROLES.map((role) => ({ color, role })));
    fill(
      this.#palette,
      this.#toolButton("Move pieces", "move", "✥"),
      ...pieces.map((piece) => {
        const picture = h("piece" as "i", { class: `${piece.role} ${piece.color}` });
        return this.#toolButton(`${piece.color} ${piece.role}`, piece, picture);
      }),
      this.#toolButton("Erase", "erase", "✕"),
    );
  }

  #toolButton(name: string, tool: Tool, content: Node | string): HTMLElement {
    const choose = () => {
      this.#tool = tool;
      this.#drawPalette();
      this.#ground.set({ draggable: { enabled: tool === "move" } });
    };
    const pressed = String(isSame(this.#tool, tool));
    return h(
      "button",
      { type: "button", "aria-label": name, title: name, "aria-pressed": pressed, onclick: choose },
      content,
    );
  }

  /** Puts the chosen piece on a square, or takes it away where it stands already. */
  #touch(event: PointerEvent): void {
    if (this.#tool === "move") return;
    const key = this.#ground.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!key) return;
    event.preventDefault();
    const there = this.#ground.state.pieces.get(key);
    const piece = this.#tool === "erase" || (there && isSame(there, this.#tool)) ? undefined : this.#tool;
    this.#ground.setPieces(new Map<Key, Piece | undefined>([[key, piece]]));
    this.#refresh();
  }

  async #finish(): Promise<void> {
    const fen = document.activeElement === this.#fen ? this.#fen.value.trim() : this.#read();
    try {
      await this.#positions.play({ fen });
      this.#done(fen);
    } catch (error) {
      this.#error.textContent = messageOf(error);
    }
  }
}

function isSame(one: Tool, other: Tool): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one.role === other.role && one.color === other.color;
}
