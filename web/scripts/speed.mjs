// Nodes a second of processor time, so that it does not matter what else the machine does: the engine in Chromium, the program, and
// Stockfish's lite build for one thread in Chromium, in turns on the same positions: `node scripts/speed.mjs ../gardez [ROUNDS]`.
// Stockfish is fetched for the measurement only.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "@playwright/test";
import { transformWithOxc } from "vite";

const STOCKFISH = "stockfish@17.1.0";
const NODES = 1_000_000;
const POSITIONS = {
  opening: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  middlegame: "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
};
const [program, rounds = "5"] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "gardez-speed-"));
execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", STOCKFISH], {
  stdio: "ignore",
});
const sources = join(folder, "node_modules/stockfish/src");
const lite = readdirSync(sources).find((name) => /lite-single.*\.js$/.test(name));

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const [, place, name = ""] = new URL(request.url, "http://x").pathname.split("/");
  const file = place === "stockfish" ? join(sources, name) : join("public/wasm", name);
  response.setHeader("content-type", TYPES[extname(name)] ?? "text/html");
  response.end(name ? readFileSync(file) : "<!doctype html>");
});
await new Promise((resolve) => server.listen(0, "localhost", resolve));
const base = `http://localhost:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
await page.goto(base);

const session = await browser.newBrowserCDPSession();

/** Seconds of processor time of the process that runs the page and its workers. */
async function rendererTime() {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ cpuTime }) => cpuTime));
}

/** Runs a search twice in a worker, and measures the second: browsers compile anew, and better, what is used much. */
async function measure(start) {
  await start();
  const before = await rendererTime();
  const nodes = await start();
  return nodes / ((await rendererTime()) - before);
}

const engineSource = `globalThis.gardez = { isStopped: () => false, report() {}, fault() {} };
  const module = import("${base}/wasm/gardez.js").then(async (exports) => {
    await exports.default({ module_or_path: "${base}/wasm/gardez_bg.wasm" });
    return exports;
  });
  onmessage = async ({ data }) => {
    const { Studied } = JSON.parse(new (await module).EngineWorker().run(data));
    postMessage(Studied.nodes);
  };`;
await page.evaluate(
  ([source, address]) => {
    const script = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const gardez = new Worker(script, { type: "module" });
    const stockfish = new Worker(address);
    stockfish.postMessage("uci");
    stockfish.postMessage("setoption name Hash value 32");
    globalThis.searchGardez = (job) =>
      new Promise((resolve) => {
        gardez.onmessage = ({ data }) => resolve(data);
        gardez.postMessage(job);
      });
    globalThis.searchStockfish = (fen, nodes) =>
      new Promise((resolve) => {
        let searched = 0;
        stockfish.onmessage = ({ data }) => {
          searched = Number(/ nodes (\d+)/.exec(data)?.[1] ?? searched);
          if (String(data).startsWith("bestmove")) resolve(searched);
        };
        for (const command of ["ucinewgame", `position fen ${fen}`, `go nodes ${nodes}`])
          stockfish.postMessage(command);
      });
  },
  [engineSource, `${base}/stockfish/${lite}`],
);

const gardez = (fen) => {
  const game = { start: fen, variant: "standard", moves: [] };
  const job = { Study: { game, lines: 1, depth: null, nodes: NODES, milliseconds: 600_000 } };
  return measure(() => page.evaluate((text) => globalThis.searchGardez(text), JSON.stringify(job)));
};

const stockfish = (fen) =>
  measure(() => page.evaluate(([text, nodes]) => globalThis.searchStockfish(text, nodes), [fen, NODES]));

/** The shell says at the end how much time of the processor the program has taken. */
const native = (fen) =>
  new Promise((resolve) => {
    const child = spawn("sh", ["-c", '"$0"; times', program]);
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
      if (/^bestmove/m.test(output)) child.stdin.end("quit\n");
    });
    child.on("close", () => {
      const times = [...output.matchAll(/(\d+)m([\d.]+)s/g)].map(
        ([, minutes, seconds]) => minutes * 60 + +seconds,
      );
      const [user, system] = times.slice(-2);
      resolve(Number([...output.matchAll(/ nodes (\d+)/g)].at(-1)[1]) / (user + system));
    });
    child.stdin.write(`setoption name Hash value 32\nposition fen ${fen}\ngo nodes ${NODES}\n`);
  });

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const [name, fen] of Object.entries(POSITIONS)) {
  const runs = { native: [], gardez: [], stockfish: [] };
  for (let round = 0; round < Number(rounds); round++) {
    runs.native.push(await native(fen));
    runs.gardez.push(await gardez(fen));
    runs.stockfish.push(await stockfish(fen));
  }
  const [program_, chromium_, other] = Object.values(runs).map(median);
  const thousands = (value) => `${Math.round(value / 1000)}k`;
  console.log(
    `${name}: program ${thousands(program_)}, in Chromium ${thousands(chromium_)} (${(chromium_ / program_).toFixed(2)}), ` +
      `Stockfish lite in Chromium ${thousands(other)} (Gardez ${(chromium_ / other).toFixed(2)} times as many)`,
  );
}

const { code: transpiled } = await transformWithOxc(
  readFileSync("src/net/device/watch.ts", "utf8"),
  "watch.ts",
);

/** How long it takes until a search has ended after it is not wanted any more. */
const stopped = await page.evaluate(
  ([source, job, runs]) => {
    const script = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(script, { type: "module" });
    const once = () =>
      new Promise((resolve) => {
        const wanted = URL.createObjectURL(new Blob(["wanted"]));
        let start = 0;
        worker.onmessage = ({ data }) => {
          if (data === "ended") resolve(performance.now() - start);
          else if (start === 0) {
            start = performance.now();
            URL.revokeObjectURL(wanted);
          }
        };
        worker.postMessage({ wanted, job });
      });
    return Array.from({ length: runs }).reduce(
      async (all) => [...(await all), await once()],
      Promise.resolve([]),
    );
  },
  [
    `${transpiled}
     let watch;
     globalThis.gardez = {
       isStopped: () => watch.isGone(),
       report: () => postMessage("searching"),
       fault() {},
     };
     const engine = import("${base}/wasm/gardez.js").then(async (module) => {
       await module.default({ module_or_path: "${base}/wasm/gardez_bg.wasm" });
       return new module.EngineWorker();
     });
     onmessage = async ({ data }) => {
       const ready = await engine;
       watch = new AddressWatch(data.wanted);
       ready.run(data.job);
       postMessage("ended");
     };`,
    JSON.stringify({
      Study: {
        game: { start: POSITIONS.middlegame, variant: "standard", moves: [] },
        lines: 1,
        depth: null,
        nodes: null,
        milliseconds: 600_000,
      },
    }),
    20,
  ],
);
const milliseconds = (values) =>
  `${Math.round(median(values))} ms (at most ${Math.round(Math.max(...values))})`;
console.log(`a search is stopped in ${milliseconds(stopped)}`);
await browser.close();
server.close();

// What a move of each level costs, under Node, in processor time.
globalThis.gardez = { isStopped: () => false };
const { initSync, EngineWorker, BrowserBackend } = await import(
  new URL("../public/wasm/gardez.js", import.meta.url).href
);
initSync({ module: readFileSync("public/wasm/gardez_bg.wasm") });
const { levels } = JSON.parse(await new BrowserBackend().request("GET", "/info", ""));
const engine = new EngineWorker();
const costs = levels
  .filter(({ elo }) => elo !== null)
  .map(({ id }) => {
    const game = { start: POSITIONS.middlegame, variant: "standard", moves: [] };
    const job = { Choose: { id: "speed", player: { Level: id }, game, clocks: [null, null], seed: 1 } };
    const before = process.cpuUsage();
    engine.run(JSON.stringify(job));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
console.log(`a move of a level costs ${milliseconds(costs)} of a core`);
