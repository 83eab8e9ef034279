import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = process.env.GARDEZ_URL ?? "http://localhost:8080";

/** What the page of a static site may load, in the page itself: such hosts set no headers. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
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

export default defineConfig(({ mode }) => ({
  // Below any path on a static host; at the root of the program's own server.
  base: mode === "site" ? "./" : "/",
  plugins: mode === "site" ? [policy] : [],
  build: {
    target: "es2022",
    // The server's policy allows data: for pictures alone, so fonts and scripts must stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
}));
