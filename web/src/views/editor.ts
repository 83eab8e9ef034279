// The board editor: pick a piece and click squares, or drag pieces about; off the board they vanish.

import { Chessground } from "chessground";
import type { Key, Piece } from "chessground/types";
import type { Color } from "../api";
import { possibleCastling, type Role, START, turnOf, writeFen } from "../core/fen";
import { http } from "../net/http";
import { button, checkbox, choices, fill, h } from "../ui/dom";
import { messageOf } from "../ui/notice";

const ROLES: Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const RIGHTS = [
  ["K", "White O-O"],
  ["Q", "White O-O-O"],
  ["k", "Black O-O"],
  ["q", "Black O-O-O"],
] as const;

type Tool = Piece | "move" | "erase";

export function editorView(
  start: string,
  done: (fen: string) => void,
): { element: HTMLElement; dispose(): void } {
  let turn: Color = turnOf(start);
  const rights = new Set([...(start.split(" ")[2] ?? "")].filter((letter) => "KQkq".includes(letter)));
  let tool: Tool = "move";
  const surface = h("div", { class: "surface" });
  const board = h("div", { class: "board editing" }, surface);
  const fenText = h("input", {
    class: "fen",
    spellcheck: "false",
    "aria-label": "Position as FEN",
    onchange: () => load(fenText.value),
  });
  const error = h("p", { class: "form-error", role: "alert" });
  const castling = h("div", { class: "rights" });
  const palette = h("div", { class: "palette cg-wrap", role: "toolbar", "aria-label": "Pieces" });

  const ground = Chessground(surface, {
    fen: start,
    movable: { free: true, color: "both", showDests: false },
    premovable: { enabled: false },
    drawable: { enabled: false },
    animation: { enabled: false },
    highlight: { lastMove: false, check: false },
    draggable: { deleteOnDropOff: true, showGhost: false },
    selectable: { enabled: false },
    disableContextMenu: true,
    events: { change: () => refresh() },
  });

  const fen = () => {
    const placement = ground.getFen();
    const possible = possibleCastling(placement);
    return writeFen({
      placement,
      turn,
      castling: [...possible].filter((letter) => rights.has(letter)).join(""),
    });
  };

  function refresh(): void {
    if (document.activeElement !== fenText) fenText.value = fen();
    const possible = possibleCastling(ground.getFen());
    for (const input of castling.querySelectorAll("input")) input.disabled = !possible.includes(input.name);
  }

  function drawRights(): void {
    fill(
      castling,
      ...RIGHTS.map(([letter, text]) => {
        const made = checkbox(text, rights.has(letter), (on) => {
          if (on) rights.add(letter);
          else rights.delete(letter);
          refresh();
        });
        made.querySelector("input")!.name = letter;
        return made;
      }),
    );
  }

  function load(text: string): void {
    const [placement = "", side, castles = "-"] = text.trim().split(/\s+/);
    ground.set({ fen: placement || START });
    turn = side === "b" ? "black" : "white";
    rights.clear();
    for (const letter of castles) if ("KQkq".includes(letter)) rights.add(letter);
    drawSide();
    drawRights();
    refresh();
  }

  const sideBox = h("div", {});
  function drawSide(): void {
    fill(
      sideBox,
      choices(
        "To move",
        [
          ["white", "White"],
          ["black", "Black"],
        ] as const,
        turn,
        (color) => ((turn = color), refresh()),
      ),
    );
  }

  function drawPalette(): void {
    const entry = (name: string, value: Tool, content: Node) =>
      h(
        "button",
        {
          type: "button",
          "aria-label": name,
          title: name,
          "aria-pressed": String(JSON.stringify(tool) === JSON.stringify(value)),
          onclick: () => (
            (tool = value), drawPalette(), ground.set({ draggable: { enabled: tool === "move" } })
          ),
        },
        content,
      );
    fill(
      palette,
      entry("Move pieces", "move", document.createTextNode("✥")),
      ...(["white", "black"] as const).flatMap((color) =>
        ROLES.map((role) =>
          entry(`${color} ${role}`, { color, role }, h("piece" as "i", { class: `${role} ${color}` })),
        ),
      ),
      entry("Erase", "erase", document.createTextNode("✕")),
    );
  }

  surface.addEventListener("pointerdown", (event) => {
    if (tool === "move") return;
    const key = ground.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!key) return;
    event.preventDefault();
    const there = ground.state.pieces.get(key);
    const same = typeof tool === "object" && there?.role === tool.role && there.color === tool.color;
    const piece: Piece | undefined = tool === "erase" || same ? undefined : (tool as Piece);
    ground.setPieces(new Map<Key, Piece | undefined>([[key, piece]]));
    refresh();
  });

  async function finish(): Promise<void> {
    const text = document.activeElement === fenText ? fenText.value.trim() : fen();
    try {
      await http.position({ fen: text });
      done(text);
    } catch (problem) {
      error.textContent = messageOf(problem);
    }
  }

  drawSide();
  drawRights();
  drawPalette();
  refresh();
  const resize = new ResizeObserver(() => ground.redrawAll());
  resize.observe(surface);
  const element = h(
    "div",
    { class: "editor" },
    h("div", { class: "editor-board" }, board, palette),
    h(
      "div",
      { class: "editor-fields" },
      sideBox,
      castling,
      h("label", { class: "field" }, h("span", {}, "FEN"), fenText),
      error,
      h(
        "div",
        { class: "actions small" },
        button("Use this position", () => void finish(), { kind: "primary" }),
        button("Start position", () => load(START)),
        button("Empty board", () => load("8/8/8/8/8/8/8/8 w - - 0 1")),
      ),
    ),
  );
  return {
    element,
    dispose: () => {
      resize.disconnect();
      ground.destroy();
    },
  };
}
