import { description } from "../core/options";
import { BOARDS, change, PIECES, settings, type Theme } from "../core/settings";
import { capital } from "../core/speech";
import type { Session } from "../net/backend";
import { checkbox, choices } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { fill, h } from "../ui/dom";
import { canVibrate, tick } from "../ui/haptic";
import { messageOf } from "../ui/notice";
import { play } from "../ui/sound";

export function openSettings(session: Session): void {
  const now = settings();
  const name = h("input", {
    value: now.name,
    maxlength: 40,
    autocomplete: "nickname",
    oninput: () => change({ name: name.value.trim() }),
  });
  const themes: [Theme, string][] = [
    ["auto", "System"],
    ["light", "Light"],
    ["dark", "Dark"],
  ];
  openDialog(
    "Settings",
    h(
      "div",
      { class: "fields" },
      h("label", { class: "field" }, h("span", {}, "Your name"), name),
      choices("Colours", themes, now.theme, (theme) => change({ theme })),
      choices(
        "Board",
        BOARDS.map((board) => [board, capital(board)] as const),
        now.board,
        (board) => change({ board }),
      ),
      choices(
        "Pieces",
        PIECES.map((pieces) => [pieces, capital(pieces)] as const),
        now.pieces,
        (pieces) => change({ pieces }),
      ),
      checkbox("Sounds", now.sound, (sound) => {
        change({ sound });
        play("move");
      }),
      canVibrate() &&
        checkbox("Vibration", now.vibration, (vibration) => {
          change({ vibration });
          tick();
        }),
      checkbox("Show where a piece can go", now.targets, (targets) => change({ targets })),
      checkbox("Coordinates", now.coordinates, (coordinates) => change({ coordinates })),
      h(
        "details",
        { class: "keys" },
        h("summary", {}, "Keys"),
        h(
          "dl",
          {},
          ...(
            [
              ["Tab", "to the board; then arrow keys, Enter to pick up and put down, Escape to cancel"],
              ["← →", "back and forward through the moves; Home and End"],
              ["/", "type a move"],
              ["f", "flip the board"],
              ["e", "engine on and off, in the analysis"],
            ] as const
          ).flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]),
        ),
      ),
      engineOptions(session),
    ),
  );
}

/** What the engine can be told in a chess program or on the command line, from its own table; fetched when opened. */
function engineOptions(session: Session): HTMLElement {
  const list = h("dl", {}, h("dd", {}, "Loading…"));
  const show = async (): Promise<void> => {
    try {
      const options = await session.options();
      fill(
        list,
        ...options.flatMap((option) => [h("dt", {}, option.name), h("dd", {}, description(option))]),
      );
    } catch (error) {
      fill(list, h("dd", {}, messageOf(error)));
    }
  };
  const details = h("details", { class: "keys" }, h("summary", {}, "Options of the engine"), list);
  details.addEventListener("toggle", () => void show(), { once: true });
  return details;
}
