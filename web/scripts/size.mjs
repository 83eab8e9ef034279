// Measures what a first visit loads, compressed, and the engine that comes after it, and fails when it is too much.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 200_000;
const ENGINE_LIMIT = 1_500_000;
/** Loaded after the first view: the engine and its workers. */
const ENGINE = /^dist\/wasm\/.*\.(js|wasm)$|\.worker-.*\.js$/;
const files = (directory) =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

function measure(title, limit, paths) {
  let total = 0;
  for (const path of paths) {
    const content = readFileSync(path);
    const size = path.endsWith(".woff2") ? content.length : gzipSync(content, { level: 9 }).length;
    total += size;
    console.log(`${String(size).padStart(8)}  ${path}`);
  }
  console.log(`${String(total).padStart(8)}  ${title}, limit ${limit}`);
  return total <= limit;
}

const all = files("dist").filter((name) => /\.(html|js|css|woff2|svg|webmanifest|wasm)$/.test(name));
const first = all.filter((name) => !ENGINE.test(name));
const engine = all.filter((name) => ENGINE.test(name));
const fits = [measure("first view", LIMIT, first), measure("engine", ENGINE_LIMIT, engine)];
if (fits.includes(false)) process.exit(1);
