// Measures pages with Lighthouse as a phone, and fails when one is below 95: `node scripts/lighthouse.mjs URL...`. Lighthouse is
// fetched when it is asked for, because nothing else needs it and it is larger than all other packages together.

import { execFileSync } from "node:child_process";

const LIGHTHOUSE = "lighthouse@12.8.2";
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const RUNS = 3;
const LIMIT = 95;

function measure(url) {
  const output = execFileSync(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      url,
      "--quiet",
      "--output=json",
      `--only-categories=${CATEGORIES}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ],
    {
      env: { CHROME_PATH: "/usr/bin/chromium", ...process.env },
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const { categories } = JSON.parse(output.toString());
  return CATEGORIES.map((name) => Math.round(categories[name].score * 100));
}

let passed = true;
for (const url of process.argv.slice(2)) {
  const runs = Array.from({ length: RUNS }, () => measure(url));
  // The best: what else the machine does only ever makes it worse.
  const scores = CATEGORIES.map((_, index) => Math.max(...runs.map((run) => run[index])));
  console.log(url, CATEGORIES.map((name, index) => `${name} ${scores[index]}`).join(", "));
  passed &&= scores.every((score) => score >= LIMIT);
}
if (!passed) process.exit(1);
