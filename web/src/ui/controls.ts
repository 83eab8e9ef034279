// The controls that views are made of.

import { h, uniqueId } from "./dom";
import { type IconName, icon } from "./icons";

interface ButtonOptions {
  icon?: IconName;
  kind?: "primary" | "quiet" | "danger" | "icon" | "control";
  label?: string;
  pressed?: boolean;
  disabled?: boolean;
  title?: string;
}

/** A button. Without text it needs a `label`. */
export function button(
  text: string,
  onclick: (event: MouseEvent) => void,
  options: ButtonOptions = {},
): HTMLButtonElement {
  const kind = options.kind ?? (text ? "" : "icon");
  return h(
    "button",
    {
      type: "button",
      class: `button ${kind}`.trim(),
      "aria-label": options.label,
      "aria-pressed": options.pressed === undefined ? null : String(options.pressed),
      title: options.title ?? (text ? null : options.label),
      disabled: options.disabled,
      onclick,
    },
    options.icon && icon(options.icon),
    text && h("span", {}, text),
  );
}

/** A drop-down list with its label. */
export function select<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  value: T,
  onchange: (value: T) => void,
): HTMLLabelElement {
  const list = h("select", { onchange: () => onchange(list.value as T) });
  for (const [id, text] of options) list.append(h("option", { value: id, selected: id === value }, text));
  return h("label", { class: "field" }, h("span", {}, label), list);
}

/** A few choices side by side, as radio buttons. */
export function choices<T extends string>(
  legend: string,
  options: readonly (readonly [T, string])[],
  value: T,
  onchange: (value: T) => void,
): HTMLFieldSetElement {
  const name = uniqueId("choice");
  const group = h("fieldset", { class: "choices" }, h("legend", {}, legend));
  const row = h("div", { class: "segments" });
  for (const [id, text] of options) {
    const input = h("input", {
      type: "radio",
      name,
      value: id,
      checked: id === value,
      onchange: () => onchange(id),
    });
    row.append(h("label", {}, input, h("span", {}, text)));
  }
  group.append(row);
  return group;
}

export function checkbox(
  label: string,
  checked: boolean,
  onchange: (checked: boolean) => void,
): HTMLLabelElement {
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    checked,
    onchange: () => onchange(input.checked),
  });
  return h("label", { class: "switch" }, input, h("span", {}, label));
}
