// The real program, with a data directory of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export class TestServer {
  url = "";
  #data = "";
  #port = 0;
  #process: ChildProcess | null = null;

  constructor(readonly options: string[] = []) {}

  async start(): Promise<void> {
    const binary = process.env.GARDEZ_BIN;
    if (!binary) throw new Error("GARDEZ_BIN must name the gardez program to test");
    this.#data ||= await mkdtemp(join(tmpdir(), "gardez-e2e-"));
    const child = spawn(
      binary,
      ["serve", "--port", String(this.#port), "--data", this.#data, ...this.options],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    this.#process = child;
    this.url = await new Promise<string>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`gardez serve ended with ${code}`)));
      createInterface({ input: child.stdout! }).on("line", (line) => {
        const address = /http:\/\/localhost:(\d+)/.exec(line);
        if (address) resolve(address[0]);
      });
    });
    // The same address after a restart, as people have it in their browser.
    this.#port = Number(new URL(this.url).port);
  }

  /** Kills it, so that it cannot clean up. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.#data, { recursive: true, force: true });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async get<T>(path: string): Promise<T> {
    return (await (await fetch(`${this.url}/api/v1${path}`)).json()) as T;
  }
}
