import { h, uniqueId } from "./dom";

/** The form for typing a move, in SAN or UCI. It empties when `play` accepts the move. */
export class MoveForm {
  readonly element: HTMLFormElement;
  readonly #input: HTMLInputElement;

  constructor(play: (move: string) => Promise<boolean>) {
    const id = uniqueId("typed-move");
    this.#input = h("input", {
      id,
      placeholder: "Nf3, e2e4 …",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    this.element = h(
      "form",
      {
        class: "typed",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void this.#submit(play);
        },
      },
      h("label", { for: id }, "Type a move"),
      this.#input,
    );
  }

  set disabled(disabled: boolean) {
    this.#input.disabled = disabled;
  }

  focus(): void {
    this.#input.focus();
  }

  async #submit(play: (move: string) => Promise<boolean>): Promise<void> {
    const text = this.#input.value.trim();
    if (text && (await play(text))) this.#input.value = "";
  }
}
