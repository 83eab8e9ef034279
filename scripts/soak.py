#!/usr/bin/env python3
"""Plays many fast games between processes of the engine, with options drawn at random, and looks for trouble.

    scripts/soak.py ./gardez --games 10000 [--concurrency 2] [--syzygy DIR] [--seed 1]
    scripts/soak.py ./gardez --searches 100000

The first form plays in rounds of 20 games by `gardez match`: Chess960, double Chess960 and standard chess, Threads 1 to 8,
Hash 1 to 1024, MultiPV, pondering, tablebases. It stops at the first illegal move, crash or stall. The second asks one
process again and again and fails if its memory grows.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def options(draw, syzygy):
    chosen = {
        "Threads": draw.choice([1, 1, 1, 2, 3, 4, 8]),
        "Hash": draw.choice([1, 2, 16, 16, 64, 256, 1024]),
        "MultiPV": draw.choice([1, 1, 2, 4]),
        "Ponder": draw.choice(["true", "false"]),
        "OwnBook": draw.choice(["true", "false"]),
        "Contempt": draw.choice([0, 0, 20]),
    }
    if draw.random() < 0.3:
        chosen["UCI_LimitStrength"] = "true"
        chosen["UCI_Elo"] = draw.randint(1000, 2400)
    if syzygy and draw.random() < 0.5:
        chosen["SyzygyPath"] = syzygy
    return chosen


def known_options(program):
    text = subprocess.run([program], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^option name (.+?) type", text, re.M))


def play(args):
    draw, known, played = random.Random(args.seed), known_options(args.program), 0
    while played < args.games:
        names = []
        for side in "ab":
            chosen = {k: v for k, v in options(draw, args.syzygy).items() if k in known}
            settings = ",".join(f"{name}={value}" for name, value in chosen.items())
            names.append(f"uci:{args.program}:{settings},@name={side}")
        games = min(20, args.games - played)
        command = [args.program, "match", *names, "--games", str(games), "--tc", "1+0.01", "--margin", "1000"]
        command += ["--concurrency", str(args.concurrency), "--seed", str(draw.randrange(1 << 30))]
        variant = draw.choice([None, "chess960", "dfrc"])
        if variant:
            command += ["--openings", variant]
        with tempfile.TemporaryDirectory() as directory:
            pgn = Path(directory) / "games.pgn"
            result = subprocess.run([*command, "--pgn", str(pgn)], capture_output=True, text=True)
            text = pgn.read_text(errors="replace") if pgn.exists() else ""
        trouble = re.findall(r"illegal|crash|stall|disconnect|hang|abandon|panick", result.stdout + result.stderr + text, re.I)
        if result.returncode or trouble:
            print(result.stdout, result.stderr, text, sep="\n")
            sys.exit(f"After {played} games: {sorted(set(trouble))} by {' '.join(command)}")
        played += games
        forfeits = len(re.findall("time forfeit", text))
        print(f"{played} of {args.games} games, no trouble{f', {forfeits} time forfeits' if forfeits else ''}", flush=True)


def resident(process):
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4


def search(args):
    process = subprocess.Popen([args.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    # A small table is full soon; pages of a large one count when they are first used.
    process.stdin.write("setoption name Hash value 1\n")
    before = None
    draw = random.Random(args.seed)
    for number in range(1, args.searches + 1):
        moves = draw.choice(["", "e2e4", "d2d4 d7d5", "e2e4 c7c5 g1f3", "c2c4 e7e5 b1c3 g8f6"])
        new = "ucinewgame\n" if number % 100 == 0 else ""
        process.stdin.write(f"{new}position startpos moves {moves}\ngo nodes {draw.randint(1, 400)}\n")
        for line in process.stdout:
            if line.startswith("bestmove"):
                break
        else:
            sys.exit(f"It ended after {number} searches.")
        # The first searches fill tables that are there from then on.
        if number == max(1, args.searches // 10):
            before = resident(process)
        if number % 10000 == 0:
            print(f"{number} searches, {resident(process)} KiB", flush=True)
    after = resident(process)
    process.stdin.write("quit\n")
    print(f"{args.searches} searches: {before} KiB after a tenth of them, {after} KiB at the end")
    if after > before + 1024:
        sys.exit("The memory has grown.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--searches", type=int, default=0)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--syzygy")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.program = str(Path(args.program).resolve())
    if args.searches:
        search(args)
    if args.games:
        play(args)


if __name__ == "__main__":
    main()
