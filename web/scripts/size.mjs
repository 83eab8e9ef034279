// Measures what a first visit loads, compressed, and fails when it is too much.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 200_000;
const files = (directory) =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

let total = 0;
for (const path of files("dist").filter((name) => /\.(html|js|css|woff2|svg|webmanifest)$/.test(name))) {
  const content = readFileSync(path);
  const size = path.endsWith(".woff2") ? content.length : gzipSync(content).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${path}`);
}
console.log(`${String(total).padStart(8)}  first view, limit ${LIMIT}`);
if (total > LIMIT) process.exit(1);
