// Builds the page as a site of its own for any static host, below any path: `node scripts/site.mjs [DIRECTORY]`.

import { resolve } from "node:path";
import { build } from "vite";
import { precache } from "./precache.mjs";

const [directory = "../site"] = process.argv.slice(2);
const outDir = resolve(directory);
await build({ mode: "site", logLevel: "warn", build: { outDir, emptyOutDir: true } });
precache(outDir);
