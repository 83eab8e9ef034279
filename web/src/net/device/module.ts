// The WebAssembly module, crates/wasm, and the JavaScript that was generated with it. scripts/build-wasm.sh puts both into
// public/wasm, from where they are loaded when they are needed.

/** What the module exports; crates/wasm says what it does. */
export interface Exports {
  initSync(options: { module: WebAssembly.Module }): unknown;
  BrowserBackend: new () => BrowserBackend;
  EngineWorker: new () => EngineWorker;
}

export interface BrowserBackend {
  load(change: string): boolean;
  refresh(change: string): Promise<void>;
  request(method: string, address: string, body: string): Promise<string>;
  connect(connection: number): void;
  receive(connection: number, text: string): Promise<void>;
  messages(connection: number): Promise<string[]>;
  disconnect(connection: number): Promise<void>;
  answer(question: number, text: string): void;
  refuseChange(question: number, reason: string): void;
  refuseJob(question: number, reason: string, isWorkerGone: boolean): void;
  report(question: number, text: string): void;
}

export interface EngineWorker {
  run(job: string): string;
}

/** What the module calls, as the global object `gardez`. */
export interface Imports {
  save(question: number, change: string): void;
  start(question: number, lane: string, job: string): void;
  cancel(question: number): void;
  report(text: string): void;
  isStopped(): boolean;
  fault(text: string): void;
}

export function provide(imports: Partial<Imports>): void {
  Object.assign(globalThis, { gardez: imports });
}

export async function compile(base: string): Promise<WebAssembly.Module> {
  const response = await fetch(new URL("wasm/gardez_bg.wasm", base));
  if (!response.ok) throw new Error(`the engine cannot be loaded: status ${response.status}`);
  // Some static hosts do not know the type of such files, and compiling while loading insists on it.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export async function instantiate(base: string, module: WebAssembly.Module): Promise<Exports> {
  const exports = (await import(/* @vite-ignore */ new URL("wasm/gardez.js", base).href)) as Exports;
  exports.initSync({ module });
  return exports;
}
