const STEP = 1100;

/** The timer that shows the moves of a game one after another. */
export class Replay {
  readonly #step: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(step: () => void) {
    this.#step = step;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(this.#step, STEP);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
