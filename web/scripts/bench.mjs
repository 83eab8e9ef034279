// The bench of the engine for browsers, under Node: `node scripts/bench.mjs public/wasm/gardez_bg.wasm bench [DEPTH]` prints what
// `gardez bench [DEPTH]` prints last, so that scripts/check-bench.sh can run it in place of the program.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [file, , depth] = process.argv.slice(2);
const module = resolve(file);
globalThis.gardez = { isStopped: () => false, fault: (text) => console.error(text) };
const { initSync, bench } = await import(pathToFileURL(resolve(dirname(module), "gardez.js")).href);
initSync({ module: readFileSync(module) });
const [nodes, milliseconds] = bench(depth === undefined ? undefined : Number(depth));
console.log(`${nodes} nodes ${Math.round((nodes * 1000) / milliseconds)} nps`);
