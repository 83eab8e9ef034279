#!/usr/bin/env python3
"""Plays games against the engine through python-chess, a real client of both protocols, and lets it read a book.

    scripts/clients.py [--engine PATH] [--uci N] [--xboard N] [--seed S]

Every game has its own random limits, options and start position. The first exception, and any warning that
python-chess logs, is a failure. python-chess comes from PyPI into an environment of its own under target/.
"""

import argparse
import collections
import logging
import pathlib
import random
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target" / "clients-venv"
REQUIREMENT = "chess==1.11.2"
# The longest game; what matters is the conversation, not the result.
MAX_PLIES = 120

# What python-chess warns about although the protocol asks for it.
EXPECTED_WARNINGS = (
    # It wants to end engines with SIGTERM, and says so to each one that would rather be asked.
    "Rejecting feature sigterm=0",
    # It asks for this line with "." when it ends an analysis, and then does not know it.
    "Unexpected engine output: 'stat01: ",
)


def enter_environment():
    """Runs this script again inside the environment, which is made first if need be."""
    python = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if pathlib.Path(sys.prefix) == ENVIRONMENT:
        return
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", REQUIREMENT], check=True)
    sys.exit(subprocess.run([python, *sys.argv]).returncode)


class Complaints(logging.Handler):
    """Collects what python-chess is not content with."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        message = self.format(record)
        if not any(expected in message for expected in EXPECTED_WARNINGS):
            self.messages.append(message)


def random_board(dice, chess960):
    """A start position, with a few random moves played from it."""
    import chess

    if chess960:
        board = chess.Board.from_chess960_pos(dice.randrange(960))
    else:
        board = chess.Board()
    for _ in range(dice.randrange(10)):
        moves = list(board.legal_moves)
        if moves:
            board.push(dice.choice(moves))
    return board


def random_limit(dice):
    import chess.engine

    return dice.choice(
        [
            chess.engine.Limit(time=0.01),
            chess.engine.Limit(nodes=dice.randrange(1, 3000)),
            chess.engine.Limit(depth=dice.randrange(1, 6)),
            "clock",
        ]
    )


class Clocks:
    """A game's clocks, which run only in steps that the game chooses: no player loses on time here."""

    def __init__(self, dice):
        self.left = [dice.choice([0.5, 2.0, 10.0])] * 2
        self.increment = dice.choice([0, 0.01, 0.1])

    def limit(self):
        import chess.engine

        white, black = self.left
        return chess.engine.Limit(
            white_clock=white, black_clock=black, white_inc=self.increment, black_inc=self.increment
        )

    def moved(self, turn):
        side = 0 if turn else 1
        self.left[side] = max(0.05, self.left[side] * 0.97) + self.increment


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def play(engine, dice, *, chess960, ponder, root_moves):
    """One game of the engine with itself. Returns its length."""
    import chess.engine

    board = random_board(dice, chess960)
    limit = random_limit(dice)
    clocks = Clocks(dice)
    game = object()
    plies = 0
    while not board.is_game_over(claim_draw=True) and plies < MAX_PLIES:
        restricted = None
        if root_moves and dice.random() < 0.2:
            restricted = dice.sample(list(board.legal_moves), 1)
        arguments = {"root_moves": restricted} if restricted else {}
        result = engine.play(
            board,
            clocks.limit() if limit == "clock" else limit,
            game=game,
            ponder=ponder,
            info=chess.engine.INFO_ALL,
            **arguments,
        )
        if result.resigned or (result.draw_offered and result.move is None):
            break
        check(result.move in board.legal_moves, f"{result.move} in {board.fen()}")
        check(restricted is None or result.move in restricted, f"{result.move} is not {restricted}")
        check("score" in result.info and "pv" in result.info, f"no score: {result.info}")
        clocks.moved(board.turn)
        board.push(result.move)
        if result.ponder is not None:
            check(result.ponder in board.legal_moves, f"ponder {result.ponder} in {board.fen()}")
        if ponder and result.ponder is not None and dice.random() < 0.5 and not board.is_game_over():
            # The opponent plays what the engine expects, so that it goes on thinking.
            board.push(result.ponder)
            plies += 1
        plies += 1
    return plies


def analyse_uci(engine, board, dice):
    import chess.engine

    lines = dice.randrange(1, 5)
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=lines)
    check(len(infos) == min(lines, board.legal_moves.count()), f"{len(infos)} lines, not {lines}")
    first = [info["pv"][0] for info in infos]
    check(len(set(first)) == len(first), f"lines with the same move: {first}")


def uci_game(path, dice):
    import chess.engine

    chess960 = dice.random() < 0.4
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        engine.configure({"Hash": dice.choice([1, 4, 16]), "Threads": dice.choice([1, 1, 2])})
        engine.configure({"UCI_ShowWDL": dice.random() < 0.3, "Search": dice.choice(["pvs", "mtdf"])})
        analyse_uci(engine, random_board(dice, chess960), dice)
        # After a move it expected the engine goes on with the search it began, whatever the client restricts.
        ponder = dice.random() < 0.5
        return play(engine, dice, chess960=chess960, ponder=ponder, root_moves=not ponder)


def xboard_game(path, dice):
    import chess.engine

    chess960 = dice.random() < 0.4
    with chess.engine.SimpleEngine.popen_xboard(path) as engine:
        engine.configure({"memory": dice.choice([1, 4, 16]), "cores": dice.choice([1, 1, 2])})
        engine.configure({"Search": dice.choice(["pvs", "mtdf"])})
        engine.ping()
        board = random_board(dice, chess960)
        moves = dice.sample(list(board.legal_moves), min(3, board.legal_moves.count()))
        info = engine.analyse(board, chess.engine.Limit(depth=5), root_moves=moves)
        check(info["pv"][0] in moves, f"{info['pv'][0]} is not one of {moves}")
        return play(engine, dice, chess960=chess960, ponder=dice.random() < 0.5, root_moves=False)


def as_in_books(board, move):
    """The move as Polyglot writes it: castling goes to the rook."""
    import chess

    if not board.is_castling(move):
        return move
    rook = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(move.from_square))
    return chess.Move(move.from_square, rook)


def book(path, dice):
    """A book of random games, built by the engine and read by python-chess. Returns the number of its moves."""
    import chess.pgn
    import chess.polyglot

    with tempfile.TemporaryDirectory() as directory:
        games = pathlib.Path(directory, "games.pgn")
        file = pathlib.Path(directory, "book.bin")
        expected = collections.Counter()
        with games.open("w") as pgn:
            for _ in range(100):
                board = chess.Board()
                result = dice.choice(["1-0", "0-1", "1/2-1/2"])
                while not board.is_game_over() and board.ply() < 60:
                    move = dice.choice(list(board.legal_moves))
                    won = result == ("1-0" if board.turn else "0-1")
                    score = 1 if result == "1/2-1/2" else 2 * won
                    expected[chess.polyglot.zobrist_hash(board), as_in_books(board, move)] += score
                    board.push(move)
                game = chess.pgn.Game.from_board(board)
                game.headers["Result"] = result
                print(game, end="\n\n", file=pgn)
        arguments = ["book", "build", "--min-games", "1", "--max-ply", "60", "-o", file, games]
        subprocess.run([*path, *arguments], check=True, stdout=subprocess.DEVNULL)
        with chess.polyglot.open_reader(file) as reader:
            found = {(entry.key, entry.move): entry.weight for entry in reader}
    expected = {move: score for move, score in expected.items() if score > 0}
    check(found == expected, "the book differs from the games")
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=str(ROOT / "target" / "release" / "gardez"))
    parser.add_argument("--uci", type=int, default=5, help="number of UCI games")
    parser.add_argument("--xboard", type=int, default=3, help="number of XBoard games")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    enter_environment()

    complaints = Complaints()
    logger = logging.getLogger("chess.engine")
    logger.addHandler(complaints)
    logger.propagate = False
    games = [("UCI", uci_game)] * arguments.uci + [("XBoard", xboard_game)] * arguments.xboard
    for number, (protocol, game) in enumerate(games, 1):
        seed = arguments.seed * 1_000_003 + number
        try:
            plies = game([arguments.engine], random.Random(seed))
        except Exception as error:  # Whatever it is, it belongs to this game.
            complaints.messages.append(f"{type(error).__name__}: {error}")
            plies = 0
        if complaints.messages:
            print(f"{protocol} game {number} (seed {seed}):", *complaints.messages, sep="\n  ")
            return 1
        print(f"{protocol} game {number}: {plies} plies", flush=True)
    moves = book([arguments.engine], random.Random(arguments.seed))
    print(f"a book of {moves} moves, as python-chess expects it")
    print(f"{arguments.uci} UCI and {arguments.xboard} XBoard games without a complaint")
    return 0


if __name__ == "__main__":
    sys.exit(main())
