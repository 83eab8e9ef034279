// Writes the service worker of a built page: sw.js with the names of all files, and a version that is a hash of their content.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Shown when the page is installed, never by the page itself. */
const LEFT_OUT = /^(sw\.js|screenshots\/)|\.map$/;

export function precache(directory) {
  const files = readdirSync(directory, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(directory, name)).isFile() && !LEFT_OUT.test(name))
    .sort();
  const template = readFileSync(new URL("../sw.js", import.meta.url), "utf8");
  const hash = createHash("sha256").update(template);
  for (const name of files) hash.update(name).update(readFileSync(join(directory, name)));
  const version = hash.digest("hex").slice(0, 12);
  const worker = template
    .replace("%VERSION%", version)
    .replace('["%FILES%"]', JSON.stringify(files, null, 2));
  writeFileSync(join(directory, "sw.js"), worker);
  console.log(`${directory}/sw.js keeps ${files.length} files, version ${version}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) precache(process.argv[2] ?? "dist");
