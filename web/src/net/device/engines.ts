// The workers with engines. Each lane has one, which does one job after the other: moves are not kept waiting by an analysis,
// and neither by a review.
//
// A worker that searches receives no messages, so it looks for itself whether its job is still wanted: at a number in shared memory
// where the page is isolated from other origins, elsewhere at an address that exists only as long as the job is wanted. One that does
// not look is replaced by another. (Ending it alone would not do: Chromium lets it compute for two more seconds.)

import { onEnd } from "./alive";
import type { FromEngine, ToEngine } from "./messages";

interface Job {
  number: number;
  text: string;
}

/** How long a job may take to notice that it is not wanted any more, in milliseconds. */
const PATIENCE = 500;

export interface EnginesListener {
  reported(number: number, text: string): void;
  answered(number: number, text: string): void;
  /** A worker had to be replaced by another. */
  restarted(reason: string): void;
  /** A job has no answer: the reason in JSON, or why the worker has ended. */
  refused(number: number, reason: string, isWorkerGone: boolean): void;
}

const CANCELLED = "cancelled";

/** Numbers of workers, for the names of their locks. */
let workers = 0;

class Lane {
  readonly #base: string;
  readonly #module: WebAssembly.Module;
  readonly #listener: EnginesListener;
  readonly #queue: Job[] = [];
  readonly #stop =
    globalThis.crossOriginIsolated === true
      ? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      : null;
  #worker: Worker | null = null;
  #isReady = false;
  #running: Job | null = null;
  /** Exists as long as the running job is wanted. */
  #address = "";
  #forget = (): void => undefined;

  constructor(base: string, module: WebAssembly.Module, listener: EnginesListener) {
    this.#base = base;
    this.#module = module;
    this.#listener = listener;
  }

  add(job: Job): void {
    this.#queue.push(job);
    this.#next();
  }

  cancel(number: number): void {
    const waiting = this.#queue.findIndex((job) => job.number === number);
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1);
      this.#listener.refused(number, CANCELLED, true);
    } else if (this.#running?.number === number) {
      if (this.#stop) Atomics.store(this.#stop, 0, number);
      URL.revokeObjectURL(this.#address);
      setTimeout(() => this.#running?.number === number && this.#restart(CANCELLED), PATIENCE);
    }
  }

  #next(): void {
    if (!this.#worker) this.#start();
    if (!this.#isReady || this.#running) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#running = job;
    if (!this.#stop) this.#address = URL.createObjectURL(new Blob(["wanted"]));
    this.#post({ type: "run", number: job.number, job: job.text, wanted: this.#address });
  }

  #post(message: ToEngine): void {
    this.#worker?.postMessage(message);
  }

  #start(): void {
    const lock = `gardez-engine-${Date.now()}-${workers++}`;
    const worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<FromEngine>) => {
      if (event.data.type === "ready")
        this.#forget = onEnd(lock, () => this.#worker === worker && this.#restart("it was ended"));
      this.#receive(event.data);
    };
    worker.onerror = (event) => this.#restart(event.message || "it could not be started");
    if (this.#stop) Atomics.store(this.#stop, 0, -1);
    this.#post({ type: "start", base: this.#base, module: this.#module, stop: this.#stop, lock });
  }

  #receive(message: FromEngine): void {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        break;
      case "report":
        this.#listener.reported(message.number, message.text);
        return;
      case "answer":
        this.#running = null;
        URL.revokeObjectURL(this.#address);
        if (message.ok) this.#listener.answered(message.number, message.text);
        else this.#listener.refused(message.number, message.text, false);
        break;
      case "fault":
        this.#restart(message.reason);
        return;
    }
    this.#next();
  }

  /** Another worker takes the place of this one; what it was doing is refused. */
  #restart(reason: string): void {
    this.#forget();
    this.#forget = () => undefined;
    this.#worker?.terminate();
    this.#worker = null;
    const wasReady = this.#isReady;
    this.#isReady = false;
    const jobs = this.#running ? [this.#running] : [];
    this.#running = null;
    // One that cannot even start would not do any better the next time.
    if (!wasReady) jobs.push(...this.#queue.splice(0));
    if (reason !== CANCELLED) this.#listener.restarted(reason);
    for (const { number } of jobs) this.#listener.refused(number, reason, true);
    // Now rather than when it is needed: starting takes a moment.
    if (wasReady) this.#next();
  }
}

export class Engines {
  readonly #lanes = new Map<string, Lane>();
  readonly #base: string;
  readonly #module: WebAssembly.Module;
  readonly #listener: EnginesListener;

  constructor(base: string, module: WebAssembly.Module, listener: EnginesListener) {
    this.#base = base;
    this.#module = module;
    this.#listener = listener;
  }

  run(lane: string, number: number, text: string): void {
    const known = this.#lanes.get(lane) ?? new Lane(this.#base, this.#module, this.#listener);
    this.#lanes.set(lane, known);
    known.add({ number, text });
  }

  cancel(number: number): void {
    for (const lane of this.#lanes.values()) lane.cancel(number);
  }
}
