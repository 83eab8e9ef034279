// Choosing a game: against whom, which side, what clock, from where.

import type { Info } from "../api";
import type { App } from "../app";
import { type Choice, firstChoice, type Opponent, type Origin, toNewGame } from "../core/newgame";
import { recall, remember, settings } from "../core/settings";
import { checkbox, choices, select } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { h } from "../ui/dom";
import { messageOf } from "../ui/notice";

const CLOCKS = [
  ["none", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 s"],
  ["300+0", "5 minutes"],
  ["600+5", "10 minutes + 5 s"],
  ["900+10", "15 minutes + 10 s"],
  ["1800+20", "30 minutes + 20 s"],
] as const;
const OPPONENTS: readonly (readonly [Opponent, string])[] = [
  ["engine", "Gardez"],
  ["friend", "By link"],
  ["local", "One board"],
  ["engines", "Watch"],
  ["replay", "Replay"],
];
const SIDES = [
  ["white", "White"],
  ["random", "Random"],
  ["black", "Black"],
] as const;
const STARTS = [
  ["standard", "Standard"],
  ["chess960", "Chess960"],
  ["fen", "Position"],
] as const;
const SUBMIT: Record<Opponent, string> = {
  engine: "Play",
  local: "Play",
  friend: "Create a link",
  engines: "Watch",
  replay: "Choose a game",
};

const KEPT = "gardez.newgame";

export class NewGameForm {
  readonly element: HTMLFormElement;
  readonly #app: App;
  /** A position to continue from; then the form does not ask for a start. */
  readonly #origin: Origin | null;
  /** Called with the address of the new game. */
  readonly #done: (path: string) => void;
  readonly #choice: Choice;
  readonly #fields = h("div", { class: "fields" });
  readonly #note = h("p", { class: "hint" });
  readonly #error = h("p", { class: "form-error", role: "alert" });
  readonly #submitText = h("span");
  readonly #submit = h("button", { type: "submit", class: "button primary wide" }, this.#submitText);

  constructor(app: App, origin: Origin | null, done: (path: string) => void) {
    this.#app = app;
    this.#origin = origin;
    this.#done = done;
    this.#choice = firstChoice(app.info, recall<Partial<Choice>>(KEPT));
    const opponents = OPPONENTS.filter(([id]) => !(origin && id === "replay"));
    this.element = h(
      "form",
      {
        class: "newgame",
        novalidate: true,
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void this.#start();
        },
      },
      choices("Play with", opponents, this.#choice.opponent, (opponent) => this.#change({ opponent })),
      this.#fields,
      this.#error,
      this.#submit,
    );
    this.#draw();
  }

  /** Changes the choice and shows the fields that belong to it. */
  #change(part: Partial<Choice>): void {
    this.#set(part);
    this.#draw();
  }

  #set(part: Partial<Choice>): void {
    Object.assign(this.#choice, part);
  }

  #draw(): void {
    const { opponent } = this.#choice;
    this.#submitText.textContent = SUBMIT[opponent];
    this.#submit.disabled = false;
    if (opponent === "replay") {
      const hint = "Any saved or imported game can be replayed move by move.";
      this.#fields.replaceChildren(h("p", { class: "hint" }, hint));
      return;
    }
    if (opponent === "friend" && !this.#app.info.links) {
      this.#submit.disabled = true;
      const hint = "Playing by link needs a server. Here, two can play at one board.";
      this.#fields.replaceChildren(h("p", { class: "hint" }, hint));
      return;
    }
    const clock = this.#choice.clock as (typeof CLOCKS)[number][0];
    this.#fields.replaceChildren(
      ...this.#playerFields(opponent),
      select("Clock", CLOCKS, clock, (value) => this.#set({ clock: value })),
      ...this.#startFields(),
      ...this.#paceField(opponent),
    );
  }

  #playerFields(opponent: Opponent): HTMLElement[] {
    const { info } = this.#app;
    const { engine, other, side } = this.#choice;
    const chooseEngine = (id: string) => {
      this.#set({ engine: id });
      this.#describeEngine();
    };
    const sideField = choices("You play", SIDES, side, (value) => this.#set({ side: value }));
    this.#describeEngine();
    switch (opponent) {
      case "engine":
        return [engineList(info, "Opponent", engine, chooseEngine), this.#note, sideField];
      case "engines":
        return [
          engineList(info, "White", engine, chooseEngine),
          this.#note,
          engineList(info, "Black", other, (id) => this.#set({ other: id })),
        ];
      case "friend":
        return [sideField];
      default:
        return [];
    }
  }

  /** Describes a classic engine, below the list. */
  #describeEngine(): void {
    const classic = this.#app.info.classics.find(({ id }) => `classic:${id}` === this.#choice.engine);
    this.#note.textContent = classic?.description ?? "";
    this.#note.hidden = !classic;
  }

  #startFields(): HTMLElement[] {
    if (this.#origin) return [h("p", { class: "hint" }, "The game starts from the position on the board.")];
    const { from, fen } = this.#choice;
    const start = choices("Start from", STARTS, from, (value) => {
      this.#change({ from: value });
      this.#fields.querySelector<HTMLInputElement>(`input[value="${value}"]`)?.focus();
    });
    if (from !== "fen") return [start];
    const input = h("input", {
      value: fen,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "rnbqkbnr/pppppppp/8/8/…",
      oninput: () => this.#set({ fen: input.value }),
    });
    return [start, h("label", { class: "field" }, h("span", {}, "Position (FEN)"), input)];
  }

  #paceField(opponent: Opponent): HTMLElement[] {
    if (opponent !== "engine") return [];
    return [
      checkbox("Plays at human speed", this.#choice.humanPace, (humanPace) => this.#set({ humanPace })),
    ];
  }

  async #start(): Promise<void> {
    this.#error.textContent = "";
    if (this.#choice.opponent === "replay") {
      this.#done("/games");
      return;
    }
    this.#submit.disabled = true;
    try {
      const { fen: _, ...kept } = this.#choice;
      remember(KEPT, kept);
      const { games } = this.#app.backend;
      const game = await games.create(toNewGame(this.#choice, settings().name, this.#origin));
      this.#done(`/game/${game.id}`);
    } catch (error) {
      this.#error.textContent = messageOf(error);
    } finally {
      this.#submit.disabled = false;
    }
  }
}

function engineList(
  info: Info,
  label: string,
  value: string,
  onchange: (id: string) => void,
): HTMLLabelElement {
  const list = h("select", { onchange: () => onchange(list.value) });
  const group = (title: string, entries: [string, string][]) => {
    if (entries.length === 0) return;
    const part = h("optgroup", { label: title });
    for (const [id, text] of entries) part.append(h("option", { value: id, selected: id === value }, text));
    list.append(part);
  };
  group(
    "Gardez, by level",
    info.levels.map(({ id, name, elo }) => [`level:${id}`, elo ? `${name} · ${elo}` : name]),
  );
  group(
    "Classic engines",
    info.classics.map(({ id, name }) => [`classic:${id}`, name]),
  );
  return h("label", { class: "field" }, h("span", {}, label), list);
}

/** The same form as a dialog. */
export function openNewGame(app: App, origin: Origin | null = null): void {
  const form = new NewGameForm(app, origin, (path) => {
    dialog.close();
    app.go(path);
  });
  const dialog = openDialog(origin ? "Play from here" : "New game", form.element);
}
