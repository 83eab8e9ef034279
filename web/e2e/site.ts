// The page as a static site, built for the tests and served as such hosts do: files below a path, and nothing else.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { expect, type Page } from "@playwright/test";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

export class StaticSite {
  readonly #folder = mkdtempSync(join(tmpdir(), "gardez-site-"));
  #server: Server | null = null;
  #port = 0;
  #version = "one";
  /** JavaScript that runs in the worker with the backend before its own. */
  workerPrelude = "";

  constructor(readonly path: string) {
    execFileSync("node", ["scripts/site.mjs", join(this.#folder, "one")], { stdio: "pipe" });
  }

  get url(): string {
    return `http://localhost:${this.#port}${this.path}`;
  }

  async start(): Promise<void> {
    if (this.#server) return;
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site");
      const name = pathname.slice(this.path.length) || "index.html";
      try {
        if (!pathname.startsWith(this.path)) throw new Error("not below the path of the site");
        const content = readFileSync(join(this.#folder, this.#version, name));
        response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
        if (name.includes("backend.worker")) response.write(this.workerPrelude);
        response.end(content);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "localhost", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Puts a second version in place of the first: the same but for a mark in the page and in its script. */
  update(mark: string): void {
    const next = join(this.#folder, "two");
    cpSync(join(this.#folder, "one"), next, { recursive: true });
    const page = join(next, "index.html");
    writeFileSync(page, readFileSync(page, "utf8").replace("<html ", `<html data-mark="${mark}" `));
    execFileSync("node", ["scripts/precache.mjs", next], { stdio: "pipe" });
    this.#version = "two";
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    this.#server = null;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until the service worker has all files, and the page is answered by it. */
export async function install(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}
