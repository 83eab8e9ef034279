// Keeps the screen on while a clock runs.

let wanted = false;
let lock: WakeLockSentinel | null = null;
let asking = false;

/** Keeps the screen on from now on, or no longer. */
export function keepAwake(on: boolean): void {
  if (wanted === on) return;
  wanted = on;
  void settle();
}

async function settle(): Promise<void> {
  if (!wanted) {
    const held = lock;
    lock = null;
    await held?.release();
    return;
  }
  if (lock || asking || document.hidden || !("wakeLock" in navigator)) return;
  asking = true;
  try {
    const granted = await navigator.wakeLock.request("screen");
    lock = granted;
    granted.addEventListener("release", () => {
      if (lock === granted) lock = null;
    });
  } catch {
    // A battery that is nearly empty, or a policy: the screen then goes dark as always.
  } finally {
    asking = false;
  }
  if (!wanted) await settle();
}

// A page that was hidden has lost its lock.
document.addEventListener("visibilitychange", () => void settle());
