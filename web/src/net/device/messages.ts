// What the page, the worker with the backend and the workers with engines send each other.

/** From the page to the worker with the backend: first of all where its files are, and the lock that it is to hold. */
export type ToBackend = { type: "start"; base: string; lock: string } | BackendCommand;

export type BackendCommand =
  | { type: "request"; id: number; method: string; path: string; body: string }
  | { type: "connect"; connection: number }
  | { type: "disconnect"; connection: number }
  | { type: "message"; connection: number; text: string };

/** From the worker with the backend to the page. */
export type FromBackend =
  | { type: "ready" }
  /** Text of the answer; of a refusal its reason in JSON. */
  | { type: "answer"; id: number; ok: boolean; text: string }
  | { type: "message"; connection: number; text: string }
  /** An engine had to be started again. */
  | { type: "engine-restarted"; reason: string }
  /** Games cannot be stored any more. */
  | { type: "storage-failed"; reason: string }
  /** The worker cannot continue. */
  | { type: "fault"; reason: string };

/** From the worker with the backend to one with an engine. */
export type ToEngine =
  | { type: "start"; base: string; module: WebAssembly.Module; stop: Int32Array | null; lock: string }
  /** `wanted`: an address that exists as long as the job is wanted; empty where `stop` says so. */
  | { type: "run"; number: number; job: string; wanted: string };

/** From a worker with an engine. */
export type FromEngine =
  | { type: "ready" }
  | { type: "report"; number: number; text: string }
  | { type: "answer"; number: number; ok: boolean; text: string }
  | { type: "fault"; reason: string };
