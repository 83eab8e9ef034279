import { describe, expect, it } from "vitest";
import { areaPath, graphPoints, linePath, plyAt } from "../src/ui/graph";

describe("evaluation graph", () => {
  it("spreads the plies over the width, with White's success at the top", () => {
    expect(graphPoints([50, 100, 0], 200, 100)).toEqual([
      { x: 0, y: 50 },
      { x: 100, y: 0 },
      { x: 200, y: 100 },
    ]);
  });

  it("stays inside the picture", () => {
    expect(graphPoints([120, -5], 10, 100).map(({ y }) => y)).toEqual([0, 100]);
  });

  it("draws lines and closes areas", () => {
    const points = graphPoints([50, 75], 100, 100);
    expect(linePath(points)).toBe("M0 50L100 25");
    expect(areaPath(points, 100)).toBe("M0 50L100 25L100 100L0 100Z");
    expect(areaPath([])).toBe("");
  });

  it("finds the ply under the pointer", () => {
    expect(plyAt(0, 40)).toBe(0);
    expect(plyAt(0.5, 41)).toBe(21);
    expect(plyAt(1.2, 40)).toBe(40);
    expect(plyAt(-1, 40)).toBe(0);
  });
});
