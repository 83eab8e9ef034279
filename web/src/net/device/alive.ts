// Whether a worker is alive. A worker that ends without a word, because the browser has ended it or by `close`, sends nothing.
// But it holds a lock as long as it lives, and the browser gives that to whoever waits for it next.

/** In the worker: takes the lock for as long as it lives. */
export async function holdLock(name: string): Promise<void> {
  // Browsers have locks only over HTTPS and on this machine.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return;
  await new Promise<void>((resolve) => {
    void locks.request(name, () => {
      resolve();
      return new Promise<never>(() => undefined);
    });
  });
}

/** Outside: calls once when the worker that holds the lock has ended. The function that it returns stops waiting. */
export function onEnd(name: string, ended: () => void): () => void {
  const locks = navigator.locks as LockManager | undefined;
  const waiting = new AbortController();
  // Refused when the wait is aborted, which is what was wanted.
  locks?.request(name, { signal: waiting.signal }, () => ended()).catch(() => undefined);
  return () => waiting.abort();
}
