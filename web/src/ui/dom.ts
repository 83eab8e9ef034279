// Elements without a framework.

type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Props = Record<string, Value>;

/** Makes an element. `on…` functions listen; false and null leave an attribute out; true sets an empty one. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...clean(children));
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, props);
  element.append(...clean(children));
  return element;
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
}

function clean(children: Child[]): (Node | string)[] {
  return children
    .filter(
      (child): child is Node | string | number => child !== null && child !== undefined && child !== false,
    )
    .map((child) => (typeof child === "number" ? String(child) : child));
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...clean(children));
}

/** Sets the text only if it differs, so that nothing is announced twice. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let counter = 0;
export const uniqueId = (prefix: string): string => `${prefix}-${++counter}`;

/** Lets the person save a PGN as a file. */
export function saveFile(name: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/x-chess-pgn" }));
  h("a", { href: address, download: name }).click();
  // Some browsers read the file only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
