#!/usr/bin/env python3
"""Measures the gain in Elo of several search parameters at once, all in the same games.

    cargo build --release --features tuning
    scripts/screen.py --engine PATH --openings FILE --games 120 --nodes 25000 use_probcut lmr_pv=1500/700 ...

A factor is a number of the search and two values for it; for a flag they are 1 and 0. The design is a Hadamard
matrix: in each of its rows Gardez plays itself, one side with the first value of about half of the factors and the
second of the rest, the other side the other way round. So every game tells something of every factor, and each effect
is known as well as by a match of its own of all games together, as long as effects add up. Elo is the first value's
gain over the second, with the interval of 95 %. Up to fifteen factors take sixteen rows, up to thirty-one twice as many.
"""

import argparse
import json
import math
import subprocess
import sys

# Elo for a whole point more of the score, near an even result.
ELO_PER_SCORE = 1600 / math.log(10)


def factor(text):
    name, _, values = text.partition("=")
    first, _, second = (values or "1/0").partition("/")
    if not (name and first and second):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME or NAME=FIRST/SECOND")
    return name, first, second


def hadamard(least):
    matrix = [[1]]
    while len(matrix) < least:
        matrix = [row + row for row in matrix] + [row + [-sign for sign in row] for row in matrix]
    return matrix


def play(args, number, signs):
    """Plays one row; returns the Elo of its first side and the variance of that."""

    def player(name, side):
        options = (
            f"{option}={first if side * sign > 0 else second}"
            for (option, first, second), sign in zip(args.factors, signs)
        )
        return f"gardez:@name={name},{','.join(options)}"

    command = [args.engine, "match", player("first", 1), player("second", -1), "--games", str(args.games)]
    command += ["--nodes", str(args.nodes), "--openings", args.openings, "--seed", str(args.seed + number)]
    command += ["--concurrency", str(args.concurrency), "--json"]
    try:
        played = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        sys.exit(f"{args.engine} cannot be run: {error.strerror}")
    if played.returncode != 0:
        sys.exit(f"a match ended with exit code {played.returncode}")
    pairs = json.loads(played.stdout)["encounters"][0]["pairs"]
    count = sum(pairs)
    scores = [0, 0.25, 0.5, 0.75, 1]
    mean = sum(score * pair for score, pair in zip(scores, pairs)) / count
    variance = sum(pair * (score - mean) ** 2 for score, pair in zip(scores, pairs)) / count
    return ELO_PER_SCORE * (mean - 0.5), ELO_PER_SCORE**2 * variance / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="a program built with the feature tuning")
    parser.add_argument("--openings", required=True)
    parser.add_argument("--games", type=int, default=120, help="in each row; even, since openings are played twice")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("factors", nargs="+", type=factor, metavar="NAME[=FIRST/SECOND]")
    args = parser.parse_args()

    design = hadamard(len(args.factors) + 1)
    totals, variance = [0.0] * len(args.factors), 0.0
    for number, row in enumerate(design):
        # The first column is the same in all rows and would tell nothing.
        signs = row[1:]
        elo, row_variance = play(args, number, signs)
        variance += row_variance
        totals = [total + sign * elo for total, sign in zip(totals, signs)]
        print(f"row {number + 1} of {len(design)}: {elo:+.1f}", file=sys.stderr, flush=True)
    error = 1.96 * math.sqrt(variance) / len(design)
    print(f"{len(design) * args.games} games at {args.nodes} nodes, each effect ± {error:.1f}")
    for (name, first, second), total in zip(args.factors, totals):
        print(f"{name} {first} instead of {second}: {total / len(design):+.1f}")


main()
