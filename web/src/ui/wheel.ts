// The mouse wheel over a board walks through the moves.

/** How far a wheel turns for one move, in pixels: a notch of a mouse, or a short way on a touchpad. */
const STEP = 60;
/** Pixels of a line and of a page, for wheels that count in those. */
const PIXELS = [1, 20, 400];

/** Calls `step` with 1 (the wheel turns down, forward) or -1 for every step. */
export function onWheel(element: HTMLElement, step: (direction: 1 | -1) => void): void {
  let turned = 0;
  element.addEventListener(
    "wheel",
    (event) => {
      // With Ctrl the wheel zooms.
      if (event.ctrlKey) return;
      event.preventDefault();
      const way = event.deltaY * (PIXELS[event.deltaMode] ?? 1);
      // A wheel that turns back does so at once.
      turned = Math.sign(way) === Math.sign(turned) ? turned + way : way;
      while (Math.abs(turned) >= STEP) {
        const direction = turned > 0 ? 1 : -1;
        turned -= direction * STEP;
        step(direction);
      }
    },
    { passive: false },
  );
}
