/** How often to look, in milliseconds: looking takes a fraction of one. */
const EVERY = 40;

/** Looks whether an address still exists, without giving the thread away; a search can do nothing else. */
export class AddressWatch {
  readonly #address: string;
  /** A browser that never finds the address cannot say when it is gone. */
  readonly #works: boolean;
  #next: number;

  constructor(address: string) {
    this.#address = address;
    this.#works = exists(address);
    this.#next = performance.now() + EVERY;
  }

  isGone(): boolean {
    if (!this.#works || performance.now() < this.#next) return false;
    this.#next = performance.now() + EVERY;
    return !exists(this.#address);
  }
}

function exists(address: string): boolean {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}
