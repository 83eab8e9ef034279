const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where others reach this page: under the address it has here, unless that means each one's own machine, and under those
 * that the server knows. */
export function reachableAddresses(origin: string, known: readonly string[]): string[] {
  const own = LOOPBACK.test(new URL(origin).hostname) ? [] : [origin];
  return [...new Set([...own, ...known])];
}
