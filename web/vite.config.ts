import { defineConfig } from "vitest/config";

const server = process.env.GARDEZ_URL ?? "http://localhost:8080";

export default defineConfig({
  build: {
    target: "es2022",
    // The server's policy allows data: for pictures alone, so fonts and scripts must stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
