// Steps to undo and to redo.

/** How many steps can be undone. */
const MOST = 100;

export class History<T> {
  readonly #done: T[] = [];
  #undone: T[] = [];

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Something is about to change; this is how it was. */
  add(before: T): void {
    this.#done.push(before);
    if (this.#done.length > MOST) this.#done.shift();
    this.#undone = [];
  }

  /** How it was before the last change; `now` is kept to be redone. */
  undo(now: T): T | undefined {
    const before = this.#done.pop();
    if (before !== undefined) this.#undone.push(now);
    return before;
  }

  redo(now: T): T | undefined {
    const after = this.#undone.pop();
    if (after !== undefined) this.#done.push(now);
    return after;
  }
}
