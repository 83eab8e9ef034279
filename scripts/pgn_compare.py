#!/usr/bin/env python3
"""Reads PGN files with Gardez and with python-chess, and prints where they differ, game by game.

    scripts/pgn_compare.py [--engine PATH] FILE...

Compared are the number of games, the moves of the main line and the result. Each difference is a row of a table in
Markdown; the exit code is 1 if there is any. python-chess comes from PyPI into an environment of its own under target/.
"""

import argparse
import json
import logging
import pathlib
import subprocess
import sys

from clients import ROOT, enter_environment


def read_with_gardez(engine, path):
    """The moves, the result and the faults of each game."""
    run = subprocess.run([engine, "pgn", "convert", "--to", "jsonl", path], capture_output=True, text=True, check=True)
    games = [json.loads(line) for line in run.stdout.splitlines()]
    return [(game["uci"], game["result"], game["faults"]) for game in games]


def read_with_python_chess(path):
    """The moves, the result and the errors of each game."""
    import chess.pgn

    games = []
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            moves = []
            for move in game.mainline_moves():
                # Gardez keeps the moves up to a passed one as what was played.
                if not move:
                    break
                moves.append(board.uci(move))
                board.push(move)
            errors = [str(error) for error in game.errors]
            games.append((moves, game.headers.get("Result", "*"), errors))
    return games


def describe(moves):
    return f"{len(moves)} half-moves" + (f", last {moves[-1]}" if moves else "")


def differences(ours, theirs):
    """Rows of game, what Gardez has, what python-chess has."""
    if len(ours) != len(theirs):
        yield "all", f"{len(ours)} games", f"{len(theirs)} games"
    for number, (our, their) in enumerate(zip(ours, theirs), 1):
        if our[0] != their[0]:
            yield number, f"{describe(our[0])} {'; '.join(our[2][:1])}", f"{describe(their[0])} {'; '.join(their[2][:1])}"
        if our[1] != their[1]:
            yield number, our[1], their[1]


def main():
    enter_environment()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--engine", default=ROOT / "target" / "release" / "gardez")
    arguments.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = arguments.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    rows, games = [], 0
    for path in arguments.files:
        ours, theirs = read_with_gardez(arguments.engine, path), read_with_python_chess(path)
        games += len(ours)
        rows.extend((path.name, *row) for row in differences(ours, theirs))
    print("| file | game | Gardez | python-chess |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(str(cell).strip().replace("|", "\\|") for cell in row) + " |")
    print(f"\n{len(arguments.files)} files, {games} games, {len(rows)} differences")
    sys.exit(1 if rows else 0)


if __name__ == "__main__":
    main()
