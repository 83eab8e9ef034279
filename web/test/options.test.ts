import { describe, expect, it } from "vitest";
import { description } from "../src/core/options";

describe("the options of the engine", () => {
  it("are described with their values", () => {
    expect(
      description({ name: "Hash", help: "Memory in MiB", kind: "spin", default: 16, min: 1, max: 64 }),
    ).toBe("Memory in MiB. From 1 to 64, by default 16.");
    expect(
      description({
        name: "Search",
        help: "The driver",
        kind: "combo",
        default: "pvs",
        choices: ["pvs", "mtdf"],
      }),
    ).toBe("The driver. One of pvs, mtdf; by default pvs.");
    expect(description({ name: "Ponder", help: "Think on", kind: "check", default: false })).toBe(
      "Think on. By default off.",
    );
    expect(description({ name: "EvalFile", help: "A file", kind: "text", default: "" })).toBe("A file.");
  });
});
