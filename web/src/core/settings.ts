// The settings of this browser, kept in its local storage.

export type Theme = "auto" | "light" | "dark";
export const BOARDS = ["walnut", "sage", "slate", "ink"] as const;
export const PIECES = ["cburnett", "flat", "letters"] as const;

export interface Settings {
  theme: Theme;
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  sound: boolean;
  vibration: boolean;
  coordinates: boolean;
  targets: boolean;
  lines: number;
  name: string;
}

const DEFAULTS: Settings = {
  theme: "auto",
  board: "walnut",
  pieces: "cburnett",
  sound: true,
  vibration: true,
  coordinates: true,
  targets: true,
  lines: 3,
  name: "",
};

const KEY = "gardez.settings";
const listeners = new Set<(settings: Settings) => void>();
let current: Settings = { ...DEFAULTS, ...recall<Partial<Settings>>(KEY) };

export const settings = (): Readonly<Settings> => current;

export function change(part: Partial<Settings>): void {
  current = { ...current, ...part };
  remember(KEY, current);
  for (const listener of listeners) listener(current);
}

/** Calls now and after every change, until the returned function is called. */
export function onSettings(listener: (settings: Settings) => void): () => void {
  listeners.add(listener);
  listener(current);
  return () => listeners.delete(listener);
}

export function recall<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key);
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may refuse; then the choice lasts as long as the page.
  }
}
