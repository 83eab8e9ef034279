// Choosing a game: against whom, which side, what clock, from where.

import type { App } from "../app";
import { type Choice, type Origin, toNewGame } from "../core/newgame";
import { recall, remember, settings } from "../core/settings";
import { http } from "../net/http";
import { openDialog } from "../ui/dialog";
import { button, checkbox, choices, h, select } from "../ui/dom";
import { complain, messageOf } from "../ui/notice";

const CLOCKS = [
  ["none", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 s"],
  ["300+0", "5 minutes"],
  ["600+5", "10 minutes + 5 s"],
  ["900+10", "15 minutes + 10 s"],
  ["1800+20", "30 minutes + 20 s"],
] as const;

const KEY = "gardez.newgame";

function remembered(app: App): Choice {
  const middle = app.info.levels[Math.floor((app.info.levels.length - 1) / 3)] ?? app.info.levels[0];
  const strongest = app.info.levels.at(-1);
  const defaults: Choice = {
    opponent: "engine",
    engine: `level:${middle?.id ?? ""}`,
    other: `level:${strongest?.id ?? ""}`,
    side: "white",
    clock: "none",
    from: "standard",
    fen: "",
    humanPace: true,
  };
  const choice = { ...defaults, ...recall<Partial<Choice>>(KEY) };
  const known = new Set(engines(app).map(([id]) => id));
  if (!known.has(choice.engine)) choice.engine = defaults.engine;
  if (!known.has(choice.other)) choice.other = defaults.other;
  return { ...choice, fen: "", from: choice.from === "fen" ? "standard" : choice.from };
}

function engines(app: App): [string, string][] {
  return [
    ...app.info.levels.map(({ id, name, elo }): [string, string] => [
      `level:${id}`,
      elo ? `${name} · ${elo}` : name,
    ]),
    ...app.info.classics.map(({ id, name }): [string, string] => [`classic:${id}`, `Classic: ${name}`]),
  ];
}

function engineList(
  app: App,
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
  const all = engines(app);
  group(
    "Gardez, by level",
    all.filter(([id]) => id.startsWith("level:")),
  );
  group(
    "Programs of the past",
    all.filter(([id]) => id.startsWith("classic:")).map(([id, text]) => [id, text.replace("Classic: ", "")]),
  );
  return h("label", { class: "field" }, h("span", {}, label), list);
}

/** The form; `done` is told the address of the new game. */
export function newGameForm(app: App, origin: Origin | null, done: (path: string) => void): HTMLFormElement {
  const choice = remembered(app);
  const fields = h("div", { class: "fields" });
  const error = h("p", { class: "form-error", role: "alert" });
  const start = h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Play"));

  const draw = () => {
    fields.replaceChildren(...parts());
    start.firstElementChild!.textContent = {
      engine: "Play",
      local: "Play",
      friend: "Make a link",
      engines: "Watch",
      replay: "Choose a game",
    }[choice.opponent];
  };

  const note = h("p", { class: "hint" });
  const describe = () => {
    const [kind, id] = choice.engine.split(":");
    note.textContent =
      kind === "classic" ? (app.info.classics.find((classic) => classic.id === id)?.description ?? "") : "";
    note.hidden = !note.textContent;
  };

  function parts(): HTMLElement[] {
    const { opponent } = choice;
    const made: HTMLElement[] = [];
    if (opponent === "engine" || opponent === "engines") {
      const label = opponent === "engine" ? "Opponent" : "White";
      made.push(
        engineList(app, label, choice.engine, (id) => ((choice.engine = id), describe())),
        note,
      );
      describe();
    }
    if (opponent === "engines")
      made.push(engineList(app, "Black", choice.other, (id) => (choice.other = id)));
    if (opponent === "replay") {
      return [
        h("p", { class: "hint" }, "Any saved or imported game can be played back as a show, move by move."),
      ];
    }
    if (opponent === "engine" || opponent === "friend") {
      const sides = [
        ["white", "White"],
        ["random", "Either"],
        ["black", "Black"],
      ] as const;
      made.push(choices("You play", sides, choice.side, (side) => (choice.side = side)));
    }
    made.push(
      select("Clock", CLOCKS, choice.clock as (typeof CLOCKS)[number][0], (clock) => (choice.clock = clock)),
    );
    if (origin) {
      made.push(h("p", { class: "hint" }, "The game goes on from the position on the board."));
    } else {
      const from = [
        ["standard", "Standard"],
        ["chess960", "Chess960"],
        ["fen", "Position"],
      ] as const;
      made.push(
        choices("Start from", from, choice.from, (value) => ((choice.from = value), draw(), focusFrom())),
      );
      if (choice.from === "fen") {
        const input = h("input", {
          value: choice.fen,
          spellcheck: "false",
          autocomplete: "off",
          placeholder: "rnbqkbnr/pppppppp/8/8/…",
          oninput: () => (choice.fen = input.value),
        });
        made.push(h("label", { class: "field" }, h("span", {}, "Position (FEN)"), input));
      }
    }
    if (opponent === "engine") {
      made.push(checkbox("Takes its time, like a person", choice.humanPace, (on) => (choice.humanPace = on)));
    }
    return made;
  }

  const focusFrom = () => fields.querySelector<HTMLInputElement>(`input[value="${choice.from}"]`)?.focus();

  const kinds = [
    ["engine", "Gardez"],
    ["friend", "By link"],
    ["local", "One board"],
    ["engines", "Watch"],
    ...(origin ? [] : [["replay", "Replay"] as const]),
  ] as const;
  const form = h(
    "form",
    {
      class: "newgame",
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void begin();
      },
    },
    choices("Play with", kinds, choice.opponent, (opponent) => ((choice.opponent = opponent), draw())),
    fields,
    error,
    start,
  );

  async function begin(): Promise<void> {
    error.textContent = "";
    if (choice.opponent === "replay") return done("/games");
    start.disabled = true;
    try {
      const { fen: _, ...kept } = choice;
      remember(KEY, kept);
      const game = await http.create(toNewGame(choice, settings().name, origin));
      done(`/game/${game.id}`);
    } catch (problem) {
      error.textContent = messageOf(problem);
    } finally {
      start.disabled = false;
    }
  }

  draw();
  return form;
}

/** The same form as a dialog. */
export function openNewGame(app: App, origin: Origin | null = null): void {
  try {
    const form = newGameForm(app, origin, (path) => {
      dialog.close();
      app.go(path);
    });
    const dialog = openDialog(origin ? "Play from here" : "New game", form);
  } catch (error) {
    complain(error);
  }
}

export const newGameButton = (app: App): HTMLButtonElement =>
  button("New game", () => openNewGame(app), { icon: "plus" });
