// The worker with the backend: everything that the server does, on this device.

import { holdLock } from "./alive";
import type { Change } from "./database";
import { Engines } from "./engines";
import type { BackendCommand, FromBackend, ToBackend } from "./messages";
import { type BrowserBackend, compile, instantiate, provide } from "./module";
import { Store } from "./store";

const post = (message: FromBackend): void => postMessage(message);

/** Whatever breaks the module ends in an error that nothing handles. */
addEventListener("error", (event) => post({ type: "fault", reason: event.message }));
addEventListener("unhandledrejection", (event) => post({ type: "fault", reason: String(event.reason) }));

async function start(base: string, lock: string): Promise<BrowserBackend> {
  const store = new Store({
    changed: (change) => void backend.refresh(JSON.stringify(change)),
    failed: (reason) => post({ type: "storage-failed", reason }),
  });
  const stored = store.open();
  const module = await compile(base);
  const engines = new Engines(base, module, {
    reported: (number, text) => backend.report(number, text),
    answered: (number, text) => backend.answer(number, text),
    restarted: (reason) => post({ type: "engine-restarted", reason }),
    refused: (number, reason, isWorkerGone) => backend.refuseJob(number, reason, isWorkerGone),
  });
  provide({
    save: (question, change) => void save(store, backend, question, JSON.parse(change) as Change),
    start: (question, lane, job) => engines.run(lane, question, job),
    // Not within the call that asks for it: the answer goes to the same module.
    cancel: (question) => queueMicrotask(() => engines.cancel(question)),
    fault: (reason) => post({ type: "fault", reason }),
  });
  const { BrowserBackend: Backend } = await instantiate(base, module);
  const backend = new Backend();
  for (const change of await stored) backend.load(JSON.stringify(change));
  await holdLock(lock);
  return backend;
}

async function save(store: Store, backend: BrowserBackend, question: number, change: Change): Promise<void> {
  const saved = await store.save(change);
  backend.answer(question, JSON.stringify(saved));
  if (saved !== "done") await backend.refresh(JSON.stringify({ games: [saved.conflict] }));
}

async function request(
  backend: BrowserBackend,
  message: Extract<ToBackend, { type: "request" }>,
): Promise<void> {
  const { id, method, path, body } = message;
  try {
    post({ type: "answer", id, ok: true, text: await backend.request(method, path, body) });
  } catch (error) {
    if (typeof error !== "string") throw error;
    post({ type: "answer", id, ok: false, text: error });
  }
}

/** Passes on what a connection has to send, until it is closed. */
async function pass(backend: BrowserBackend, connection: number): Promise<void> {
  backend.connect(connection);
  for (;;) {
    const texts = await backend.messages(connection);
    if (texts.length === 0) return;
    for (const text of texts) post({ type: "message", connection, text });
  }
}

let starting: Promise<BrowserBackend> | null = null;

async function receive(message: ToBackend): Promise<void> {
  if (message.type === "start") {
    starting = start(message.base, message.lock);
    await starting;
    post({ type: "ready" });
    return;
  }
  // Nothing is sent before the start.
  const backend = await starting;
  if (backend) await obey(backend, message);
}

async function obey(backend: BrowserBackend, message: BackendCommand): Promise<void> {
  switch (message.type) {
    case "request":
      return await request(backend, message);
    case "connect":
      return await pass(backend, message.connection);
    case "disconnect":
      return await backend.disconnect(message.connection);
    case "message":
      return await backend.receive(message.connection, message.text);
  }
}

addEventListener("message", (event: MessageEvent<ToBackend>) => void receive(event.data));
