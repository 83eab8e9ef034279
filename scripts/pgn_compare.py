#!/usr/bin/env python3
"""Reads PGN files with Gardez, with python-chess and with pgn-extract, and prints where they differ, game by game.

    scripts/pgn_compare.py [--engine PATH] [--pgn-extract PATH] FILE...

Compared are the number of games, the moves of the main line and the result. Each difference is a row of a table in
Markdown; the exit code is 1 if there is any. python-chess comes from PyPI into an environment of its own under target/;
pgn-extract, which Debian packages, is asked only if its path is given.
"""

import argparse
import itertools
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


def read_with_pgn_extract(program, path):
    """The moves and the result of each game; what it says of faults is not assigned to games."""
    options = ["-s", "-Wuci", "--keepbroken", "--allownullmoves", "--nestedcomments", "-w100000"]
    run = subprocess.run([program, *options, path], capture_output=True, check=True)
    games, tag = [], "*"
    for line in run.stdout.decode(errors="replace").splitlines():
        if line.startswith("["):
            if line.startswith("[Result "):
                tag = line.split('"')[1]
        elif line.strip():
            *moves, result = line.split()
            # Here too the game is played up to a passed move. Promotions are in capitals, unlike in UCI.
            played = list(itertools.takewhile(lambda move: move != "--", moves))
            games.append(([move.lower() for move in played], tag if result == "*" else result, []))
            tag = "*"
    return games


def number(count, name):
    return f"{count} {name}" + ("" if count == 1 else "s")


def describe(moves):
    return number(len(moves), "half-move") + (f", last {moves[-1]}" if moves else "")


def differences(ours, theirs):
    """Rows of game, what Gardez has, what the other has."""
    if len(ours) != len(theirs):
        yield "all", number(len(ours), "game"), number(len(theirs), "game")
    for index, (our, their) in enumerate(zip(ours, theirs), 1):
        if our[0] != their[0]:
            yield index, f"{describe(our[0])} {'; '.join(our[2][:1])}", f"{describe(their[0])} {'; '.join(their[2][:1])}"
        if our[1] != their[1]:
            yield index, our[1], their[1]


def compare(name, read, files, gardez):
    """Prints a table, and returns how many rows it has."""
    rows = [(path.name, *row) for path in files for row in differences(gardez[path], read(path))]
    print(f"| file | game | Gardez | {name} |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(str(cell).strip().replace("|", "\\|") for cell in row) + " |")
    games = sum(map(len, gardez.values()))
    print(f"\n{number(len(files), 'file')}, {number(games, 'game')}, {number(len(rows), 'difference')}\n")
    return len(rows)


def main():
    enter_environment()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--engine", default=ROOT / "target" / "release" / "gardez")
    arguments.add_argument("--pgn-extract", metavar="PATH")
    arguments.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = arguments.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    files = arguments.files
    gardez = {path: read_with_gardez(arguments.engine, path) for path in files}
    found = compare("python-chess", read_with_python_chess, files, gardez)
    if arguments.pgn_extract:
        found += compare("pgn-extract", lambda path: read_with_pgn_extract(arguments.pgn_extract, path), files, gardez)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
