import { svg } from "./dom";

/** Paths of icons on a grid of 24 by 24. */
const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  flip: "M7 4v16m0 0-3.5-3.5M7 20l3.5-3.5M17 20V4m0 0-3.5 3.5M17 4l3.5 3.5",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.7 1 1.5 1 2.5h6c0-1 .2-1.8 1-2.5A6 6 0 0 0 12 3z",
  flag: "M5 21V4m0 0h12l-2.5 4.5L17 13H5",
  draw: "M4 9h16M4 15h16",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5m0-5-5 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  gear: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  first: "M18 6l-6 6 6 6M7 5v14",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M17 5v14",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  download: "M12 4v11m0 0-4-4m4 4 4-4M5 20h14",
  plus: "M12 5v14M5 12h14",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3",
  board: "M4 4h16v16H4zM12 4v16M4 12h16",
  analyse: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5",
  learn: "M3 9l9-4.5L21 9l-9 4.5zM7 11.5V16c3 2.3 7 2.3 10 0v-4.5M21 9v5",
  games: "M5 5h14M5 10h14M5 15h14M5 20h9",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  threat: "M12 4 2.5 20h19zM12 10v4.5M12 17.3v.2",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }),
  );
}
