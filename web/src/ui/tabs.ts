import { fill, h } from "./dom";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs over one panel. `changed` fills the panel when a tab is chosen. */
export class Tabs<T extends string> {
  readonly list = h("div", { class: "tabs", role: "tablist" });
  readonly panel = h("div", { class: "tab-panel", role: "tabpanel", tabindex: -1 });
  readonly #tabs: readonly (readonly [T, string])[];
  readonly #changed: (tab: T) => void;
  #current: T;

  constructor(tabs: readonly (readonly [T, string])[], current: T, changed: (tab: T) => void) {
    this.#tabs = tabs;
    this.#current = current;
    this.#changed = changed;
    this.#draw();
  }

  get current(): T {
    return this.#current;
  }

  open(tab: T): void {
    this.#current = tab;
    this.#draw();
    this.#changed(tab);
  }

  #draw(): void {
    fill(
      this.list,
      ...this.#tabs.map(([id, text], index) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(this.#current === id),
            tabindex: this.#current === id ? 0 : -1,
            onclick: () => this.open(id),
            onkeydown: (event: KeyboardEvent) => this.#key(event, index),
          },
          text,
        ),
      ),
    );
  }

  #key(event: KeyboardEvent, index: number): void {
    const next = this.#tabs.at((index + (STEPS[event.key] ?? 0)) % this.#tabs.length);
    if (!(event.key in STEPS) || !next) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(next[0]);
    this.list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }
}
