#!/usr/bin/env python3
"""Plays Gardez against the engines that Debian packages, and prints the strength table of the README.

    scripts/strength.py --openings FILE [--engine PATH] [--dir DIR] [--concurrency K] [--only NAME]... [short|long]

`short` is 100 games each at 1 s + 0.01 s (Stockfish: 20,000 nodes a move for both sides), `long` is 200 games
at 5 s + 0.05 s. Games, states and incidents are kept in DIR; the same command goes on where it was interrupted.
The clocks want an idle machine with a core for each game.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

SHORT, LONG = ["--tc", "1+0.01"], ["--tc", "5+0.05"]
# name, Debian package, player, limit
OPPONENTS = {
    "short": [
        ("Stockfish", "stockfish", "uci:/usr/games/stockfish:Threads=1,Hash=16", ["--nodes", "20000"]),
        ("Ethereal", "ethereal-chess", "uci:/usr/games/ethereal-chess", SHORT),
        ("Toga II", "toga2", "uci:/usr/games/toga2", SHORT),
        ("Glaurung", "glaurung", "uci:/usr/games/glaurung:Threads=1", SHORT),
        ("GNU Chess", "gnuchess", "uci:/usr/games/gnuchess --uci", SHORT),
        ("Fairy-Max", "fairymax", "xboard:/usr/games/fairymax", SHORT),
        ("Phalanx", "phalanx", "xboard:/usr/games/phalanx", SHORT),
        ("Sjeng", "sjeng", "xboard:/usr/games/sjeng", SHORT),
    ],
    "long": [
        ("Ethereal", "ethereal-chess", "uci:/usr/games/ethereal-chess", LONG),
        ("Toga II", "toga2", "uci:/usr/games/toga2", LONG),
        ("Glaurung", "glaurung", "uci:/usr/games/glaurung:Threads=1", LONG),
    ],
}
GAMES = {"short": 100, "long": 200}
# Games that both sides hold for decided are ended; no side gets extra moves in which to lose on time.
RULES = ["--draw", "40", "8", "10", "--resign", "4", "800"]


def version(package):
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True, check=False
    )
    if shown.returncode != 0:
        sys.exit(f"{package} is not installed: apt-get install {package}")
    return shown.stdout.split("-")[0].split("+")[0]


def play(args, name, player, limit):
    """Plays the match, or what is left of it, and returns its summary."""
    pgn = args.dir / f"{args.table}-{name.lower().replace(' ', '-')}.pgn"
    command = [args.engine, "match", "gardez", player, *limit, *RULES, "--games", str(GAMES[args.table])]
    command += ["--concurrency", str(args.concurrency), "--openings", args.openings, "--seed", str(args.seed)]
    command += ["--pgn", pgn, "--resume", "--json"]
    played = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if played.returncode != 0:
        sys.exit(f"the match against {name} ended with exit code {played.returncode}; the same command goes on")
    return json.loads(played.stdout)


def row(name, shown_version, limit, summary):
    encounter, players = summary["encounters"][0], summary["players"]
    wins, draws, losses = (encounter[key] for key in ("wins", "draws", "losses"))
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    if encounter["elo"] is None or encounter["error"] is None:
        elo = "more than +700" if score > 0.5 else "less than -700"
    else:
        elo = f"{encounter['elo']:+.0f} ± {encounter['error']:.0f}"
    depths = f"{players[0]['depth']:.1f} / {players[1]['depth']:.1f}"
    limit = f"{limit[1]} nodes" if limit[0] == "--nodes" else limit[1]
    incidents = sum(player["incidents"] for player in players)
    return (
        f"| {name} {shown_version} | {limit} | {games} | {wins}-{draws}-{losses} | {100 * score:.1f} % | {elo} |"
        f" {depths} | {incidents} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="?", choices=OPPONENTS, default="short")
    parser.add_argument("--engine", default=str(ROOT / "target" / "release" / "gardez"))
    parser.add_argument("--openings", required=True)
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("strength"))
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="NAME", help="only these opponents")
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    known = [name for name, *_ in OPPONENTS[args.table]]
    if unknown := set(args.only or []) - set(known):
        sys.exit(f"no opponent {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    rows = []
    for name, package, player, limit in OPPONENTS[args.table]:
        if args.only is None or name in args.only:
            shown_version = version(package)
            print(f"{name} {shown_version}", file=sys.stderr)
            rows.append(row(name, shown_version, limit, play(args, name, player, limit)))
    print("| opponent | limit | games | won-drawn-lost | score | Elo | mean depth | incidents |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
