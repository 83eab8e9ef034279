// A worker with an engine: does one job after the other.

import { holdLock } from "./alive";
import type { FromEngine, ToEngine } from "./messages";
import { type EngineWorker, instantiate, provide } from "./module";
import { AddressWatch } from "./watch";

let engine: EngineWorker | null = null;
let running = -1;
let watch: AddressWatch | null = null;

const post = (message: FromEngine): void => postMessage(message);
const fault = (reason: string): void => post({ type: "fault", reason });

async function start({ base, module, stop, lock }: Extract<ToEngine, { type: "start" }>): Promise<void> {
  provide({
    report: (text) => post({ type: "report", number: running, text }),
    isStopped: () => (stop ? Atomics.load(stop, 0) === running : (watch?.isGone() ?? false)),
    fault,
  });
  const { EngineWorker: Engine } = await instantiate(base, module);
  engine = new Engine();
  await holdLock(lock);
  post({ type: "ready" });
}

function run(number: number, job: string, wanted: string): void {
  if (!engine) return;
  running = number;
  watch = wanted ? new AddressWatch(wanted) : null;
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
  if (message.type === "run") run(message.number, message.job, message.wanted);
  else start(message).catch((error: unknown) => fault(String(error)));
});
