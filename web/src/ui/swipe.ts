// A finger that moves sideways over a list of moves walks through them.

/** How far the finger goes for one move. */
const STEP = 28;

/** Calls `step` with 1 (the finger goes left, forward) or -1 for every step of a touch that moves sideways. */
export function onSwipe(element: HTMLElement, step: (direction: 1 | -1) => void): void {
  let from: number | null = null;
  let stepped = false;
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    from = event.clientX;
    stepped = false;
  });
  element.addEventListener("pointermove", (event) => {
    if (from === null) return;
    while (Math.abs(from - event.clientX) >= STEP) {
      const direction = from > event.clientX ? 1 : -1;
      from -= direction * STEP;
      stepped = true;
      step(direction);
    }
  });
  const end = () => {
    from = null;
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  // The touch that walked is no tap on the move under it.
  element.addEventListener(
    "click",
    (event) => {
      if (stepped) event.stopPropagation();
      stepped = false;
    },
    true,
  );
}
