// A worker with an engine: does one job after the other.

import { holdLock } from "./alive";
import type { FromEngine, ToEngine } from "./messages";
import { type EngineWorker, instantiate, provide } from "./module";

let engine: EngineWorker | null = null;
let running = -1;

const post = (message: FromEngine): void => postMessage(message);
const fault = (reason: string): void => post({ type: "fault", reason });

async function start({ base, module, stop, lock }: Extract<ToEngine, { type: "start" }>): Promise<void> {
  provide({
    report: (text) => post({ type: "report", number: running, text }),
    isStopped: () => stop !== null && Atomics.load(stop, 0) === running,
    fault,
  });
  const { EngineWorker: Engine } = await instantiate(base, module);
  engine = new Engine();
  await holdLock(lock);
  post({ type: "ready" });
}

function run(number: number, job: string): void {
  if (!engine) return;
  running = number;
  try {
    post({ type: "answer", number, ok: true, text: engine.run(job) });
  } catch (error) {
    // A refusal is a text. Anything else has broken the module.
    if (typeof error === "string") post({ type: "answer", number, ok: false, text: error });
    else fault(String(error));
  }
}

addEventListener("message", (event: MessageEvent<ToEngine>) => {
  const message = event.data;
  if (message.type === "run") run(message.number, message.job);
  else start(message).catch((error: unknown) => fault(String(error)));
});
