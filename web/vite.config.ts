import { existsSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { Exports } from "./src/net/device/module";

const server = process.env.GARDEZ_URL ?? "http://localhost:8080";

/** What the page of a static site may load, in the page itself: such hosts set no headers. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  // Workers look at such addresses while they search (src/net/device/watch.ts).
  "connect-src 'self' blob:",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ");

const policy: Plugin = {
  name: "policy",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
};

/** What the engine for browsers says of itself; null where it was not built (scripts/build-wasm.sh). */
async function deviceInfo(): Promise<unknown> {
  const file = (name: string) => new URL(`public/wasm/${name}`, import.meta.url);
  if (!existsSync(file("gardez_bg.wasm"))) return null;
  const { initSync, BrowserBackend } = (await import(file("gardez.js").href)) as Exports;
  initSync({ module: new WebAssembly.Module(readFileSync(file("gardez_bg.wasm"))) });
  return JSON.parse(await new BrowserBackend().request("GET", "/info", "")) as unknown;
}

export default defineConfig(
  async ({ mode }): Promise<ViteUserConfig> => ({
    // Below any path on a static host; at the root of the program's own server.
    base: mode === "site" ? "./" : "/",
    plugins: mode === "site" ? [policy] : [],
    define: { __DEVICE_INFO__: JSON.stringify(await deviceInfo()) },
    worker: { format: "es" },
    build: {
      target: "es2022",
      // The server's policy allows data: for pictures alone, so fonts and scripts must stay files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    server: { proxy: { "/api": { target: server, ws: true } } },
    test: { include: ["test/**/*.test.ts"], environment: "node" },
  }),
);
