import type { Color } from "../api";
import { h } from "../ui/dom";

const ROLES = [
  ["q", "queen"],
  ["r", "rook"],
  ["b", "bishop"],
  ["n", "knight"],
] as const;

/** Asks over the board which piece a pawn becomes. Null when the person cancels. */
export function askPromotion(
  over: HTMLElement,
  square: string,
  color: Color,
  orientation: Color,
): Promise<string | null> {
  const before = document.activeElement;
  return new Promise((resolve) => {
    const finish = (letter: string | null) => {
      layer.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(letter);
    };
    const list = h("div", { class: "promotion-list cg-wrap" });
    for (const [letter, role] of ROLES) {
      list.append(
        h(
          "button",
          { type: "button", "aria-label": role, "data-piece": letter, onclick: () => finish(letter) },
          h("piece" as "i", { class: `${role} ${color}` }),
        ),
      );
    }
    const layer = h(
      "div",
      { class: "promotion", role: "dialog", "aria-label": "Promote to", "aria-modal": "true" },
      list,
    );
    const file = "abcdefgh".indexOf(square.charAt(0));
    layer.style.setProperty("--file", String(orientation === "white" ? file : 7 - file));
    layer.classList.toggle("below", color !== orientation);
    layer.addEventListener("click", (event) => {
      if (event.target === layer) finish(null);
    });
    layer.addEventListener("keydown", (event) => {
      const letter = ROLES.find(([known]) => known === event.key.toLowerCase())?.[0];
      const step = stepOf(event);
      if (event.key === "Escape") finish(null);
      else if (letter) finish(letter);
      else if (step) focusNext(list, step);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    over.append(layer);
    list.querySelector("button")?.focus();
  });
}

/** Which way a key moves between the pieces: 1 forward, -1 back, 0 for other keys. */
function stepOf({ key, shiftKey }: KeyboardEvent): number {
  if (key === "Tab") return shiftKey ? -1 : 1;
  if (key === "ArrowDown" || key === "ArrowRight") return 1;
  return key === "ArrowUp" || key === "ArrowLeft" ? -1 : 0;
}

function focusNext(list: HTMLElement, step: number): void {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
