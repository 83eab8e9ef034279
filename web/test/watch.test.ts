import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AddressWatch } from "../src/net/device/watch";

let addresses: Set<string>;
let requests: number;

/** Finds the addresses that exist, at once. */
class TestRequest {
  status = 0;
  #address = "";
  open(_method: string, address: string): void {
    this.#address = address;
  }
  send(): void {
    requests += 1;
    if (!addresses.has(this.#address)) throw new Error("not found");
    this.status = 200;
  }
}

beforeEach(() => {
  addresses = new Set(["blob:job"]);
  requests = 0;
  vi.stubGlobal("XMLHttpRequest", TestRequest);
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("notices that an address is gone, and does not look all the time", () => {
  const watch = new AddressWatch("blob:job");
  for (let look = 0; look < 1000; look++) expect(watch.isGone()).toBe(false);
  expect(requests).toBe(1);
  addresses.clear();
  vi.advanceTimersByTime(50);
  expect(watch.isGone()).toBe(true);
});

it("ends no search where the browser finds no such address at all", () => {
  addresses.clear();
  const watch = new AddressWatch("blob:job");
  vi.advanceTimersByTime(50);
  expect(watch.isGone()).toBe(false);
});
