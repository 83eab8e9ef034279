import { button } from "./controls";
import { h, setText } from "./dom";
import type { IconName } from "./icons";

interface Steps {
  first(): void;
  back(): void;
  forward(): void;
  last(): void;
  flip(): void;
}

/** A button of the bar of controls: a picture, with its name below where there is room. */
export function controlButton(
  name: IconName,
  caption: string,
  onclick: () => void,
  label = caption,
): HTMLButtonElement {
  const made = button(caption, onclick, { icon: name, kind: "control", label, title: label });
  made.dataset.control = name;
  return made;
}

/** Gives a button of the bar another name. */
export function renameControl(control: HTMLButtonElement, text: string): void {
  control.title = text;
  control.setAttribute("aria-label", text);
  const shown = control.querySelector("span");
  if (shown) setText(shown, text);
}

/** The buttons that walk through moves and flip the board, and what else belongs to them. */
export function walkControls(label: string, steps: Steps, ...others: HTMLElement[]): HTMLElement {
  const first = controlButton("first", "Start", () => steps.first(), "Start position");
  const last = controlButton("last", "End", () => steps.last(), "End position");
  // Where room is short, these two give way.
  for (const far of [first, last]) far.classList.add("far");
  return h(
    "div",
    { class: "walk", role: "group", "aria-label": label },
    ...others,
    controlButton("flip", "Flip", () => steps.flip(), "Flip the board"),
    first,
    controlButton("back", "Back", () => steps.back()),
    controlButton("forward", "Forward", () => steps.forward()),
    last,
  );
}
