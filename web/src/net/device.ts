// The backend on this device: the engine as WebAssembly in a worker, and games in the browser's database.

import type { ApiError, Info } from "../api";
import { type Backend, Refusal } from "./backend";
import { backendOver } from "./client";
import { Connection, type Socket } from "./connection";
import { onEnd } from "./device/alive";
import type { FromBackend, ToBackend } from "./device/messages";

/** What the module says of itself, put in when the page is built; null if it was not there. */
declare const __DEVICE_INFO__: Info | null;

export const canPlayOnDevice = (): boolean =>
  __DEVICE_INFO__ !== null && typeof Worker === "function" && typeof WebAssembly === "object";

export interface DeviceListener {
  engineRestarted(reason: string): void;
  storageFailed(reason: string): void;
}

export function startOnDevice(listener: DeviceListener): Backend {
  const device = new Device(listener);
  const backend = backendOver({
    place: "device",
    send: (method, path, body) => device.send(method, path, body),
    connection: new Connection(() => device.open()),
  });
  // Known already, so that the first view need not wait for the module.
  const info = __DEVICE_INFO__;
  if (info) backend.session.info = () => Promise.resolve(info);
  return backend;
}

interface PendingRequest {
  resolve(response: Response): void;
  reject(error: Refusal): void;
}

class Device {
  readonly #listener: DeviceListener;
  readonly #pending = new Map<number, PendingRequest>();
  #worker: Worker | null = null;
  #isReady = false;
  #socket: (Socket & { connection: number }) | null = null;
  #lastId = 0;
  #forget = (): void => undefined;

  constructor(listener: DeviceListener) {
    this.#listener = listener;
    this.#start();
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      const text = body === undefined ? "" : JSON.stringify(body);
      this.#post({ type: "request", id, method, path, body: text });
    });
  }

  /** A connection to the worker, which looks like one to the server. */
  open(): Socket {
    const connection = ++this.#lastId;
    const socket = {
      connection,
      send: (text: string) => this.#post({ type: "message", connection, text }),
      close: () => this.#worker?.postMessage({ type: "disconnect", connection } satisfies ToBackend),
      onopen: null,
      onclose: null,
      onmessage: null,
    };
    this.#socket = socket;
    this.#post({ type: "connect", connection });
    if (this.#isReady) queueMicrotask(() => this.#opened());
    return socket;
  }

  #opened(): void {
    this.#socket?.onopen?.();
  }

  #post(message: ToBackend): void {
    if (!this.#worker) this.#start();
    this.#worker?.postMessage(message);
  }

  #start(): void {
    const lock = `gardez-backend-${Date.now()}-${++this.#lastId}`;
    const worker = new Worker(new URL("./device/backend.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<FromBackend>) => {
      if (event.data.type === "ready")
        this.#forget = onEnd(lock, () => this.#worker === worker && this.#end("it was ended"));
      this.#receive(event.data);
    };
    worker.onerror = (event) => {
      // Says so itself where it can.
      event.preventDefault();
      if (this.#worker === worker) this.#end(event.message || "it could not be started");
    };
    const base = new URL(import.meta.env.BASE_URL, document.baseURI).href;
    this.#post({ type: "start", base, lock });
  }

  #receive(message: FromBackend): void {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        this.#opened();
        break;
      case "answer": {
        const pending = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        if (message.ok) pending?.resolve(new Response(message.text));
        else pending?.reject(refusal(message.text));
        break;
      }
      case "message":
        if (message.connection === this.#socket?.connection) this.#socket.onmessage?.({ data: message.text });
        break;
      case "engine-restarted":
        this.#listener.engineRestarted(message.reason);
        break;
      case "storage-failed":
        this.#listener.storageFailed(message.reason);
        break;
      case "fault":
        this.#end(message.reason);
        break;
    }
  }

  /** The worker cannot be used any more. What was asked is refused; the connection comes back with another worker. */
  #end(reason: string): void {
    this.#forget();
    this.#forget = () => undefined;
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending)
      reject(new Refusal("busy", "the program on this device had to be started again"));
    this.#listener.engineRestarted(reason);
    const socket = this.#socket;
    this.#socket = null;
    socket?.onclose?.();
  }
}

function refusal(text: string): Refusal {
  const { code, message } = JSON.parse(text) as ApiError;
  return new Refusal(code, message);
}
