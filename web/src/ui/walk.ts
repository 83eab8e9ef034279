import { button } from "./controls";
import { h } from "./dom";

interface Steps {
  first(): void;
  back(): void;
  forward(): void;
  last(): void;
  flip(): void;
}

/** The buttons that walk through moves and flip the board. */
export function walkControls(label: string, steps: Steps): HTMLElement {
  return h(
    "div",
    { class: "walk", role: "group", "aria-label": label },
    button("", () => steps.first(), { icon: "first", label: "First position" }),
    button("", () => steps.back(), { icon: "back", label: "Back" }),
    button("", () => steps.forward(), { icon: "forward", label: "Forward" }),
    button("", () => steps.last(), { icon: "last", label: "Last position" }),
    button("", () => steps.flip(), { icon: "flip", label: "Flip the board" }),
  );
}
