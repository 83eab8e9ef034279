import { expect, test } from "vitest";
import { reachableAddresses } from "../src/core/addresses";

test("an address that means the own machine is no address for others", () => {
  for (const origin of ["http://localhost:8080", "http://127.0.0.2:8080", "http://[::1]:8080"])
    expect(reachableAddresses(origin, [])).toEqual([]);
  expect(reachableAddresses("http://localhost:8080", ["http://192.168.7.7:8080"])).toEqual([
    "http://192.168.7.7:8080",
  ]);
});

test("the address of the page comes first, and none comes twice", () => {
  expect(reachableAddresses("https://chess.example", ["http://192.168.7.7:8080"])).toEqual([
    "https://chess.example",
    "http://192.168.7.7:8080",
  ]);
  expect(reachableAddresses("http://192.168.7.7:8080", ["http://192.168.7.7:8080"])).toHaveLength(1);
});
