// The options of the engine, in words.

import type { EngineOption } from "../api";

export function description(option: EngineOption): string {
  switch (option.kind) {
    case "spin":
      return `${option.help}. From ${option.min} to ${option.max}, by default ${option.default}.`;
    case "combo":
      return `${option.help}. One of ${option.choices.join(", ")}; by default ${option.default}.`;
    case "check":
      return `${option.help}. By default ${option.default ? "on" : "off"}.`;
    case "text":
      return option.default ? `${option.help}. By default ${option.default}.` : `${option.help}.`;
    case "button":
      return `${option.help}.`;
  }
}
