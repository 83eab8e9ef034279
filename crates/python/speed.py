"""Speed next to python-chess, in one run: python speed.py games.pgn [path of stockfish]

Prints how long each takes and how many times as fast Gardez is. CPU time, because the machine may be busy.
"""

import itertools
import random
import sys
import time

import chess
import chess.engine
import chess.pgn
import gardez
import psutil

ROUNDS = 3


def seconds(work):
    """The least CPU time of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def report(name, ours, theirs, unit=1.0):
    ours, theirs = seconds(ours) / unit, seconds(theirs) / unit
    print(f"{name:24} gardez {1e6 * ours:12.1f} us   python-chess {1e6 * theirs:12.1f} us   {theirs / ours:7.1f} times")


def random_fens(count):
    rng = random.Random(1)
    fens = []
    while len(fens) < count:
        board = chess.Board()
        for _ in range(rng.randrange(80)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        fens.append(board.fen())
    return fens


def their_perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += their_perft(board, depth - 1)
        board.pop()
    return nodes


def their_games(path):
    with open(path, encoding="utf-8", errors="replace") as handle:
        count = 0
        while (game := chess.pgn.read_game(handle)) is not None:
            count += sum(1 for _ in game.mainline_moves())
    return count


def our_games(path):
    return sum(len(game.mainline_moves()) for game in gardez.pgn.open(path))


def rules(path):
    fens = random_fens(300)
    ours, theirs = [gardez.Board(fen) for fen in fens], [chess.Board(fen) for fen in fens]
    report("legal moves, a position", lambda: [list(b.legal_moves) for b in ours],
           lambda: [list(b.legal_moves) for b in theirs], len(fens))
    report("counting them", lambda: [b.legal_moves.count() for b in ours],
           lambda: [b.legal_moves.count() for b in theirs], len(fens))
    assert gardez.perft(gardez.Board(), 4) == 197281
    report("perft 4", lambda: gardez.perft(gardez.Board(), 4), lambda: their_perft(chess.Board(), 4))
    assert our_games(path) == their_games(path)
    report("reading a PGN", lambda: our_games(path), lambda: their_games(path))


def analysis(path, stockfish, games=5, nodes=20_000):
    """The same positions with the same nodes, one thread each, as the review's first pass searches them."""
    read = list(itertools.islice(gardez.pgn.open(path), games))
    boards = []
    for game in read:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            boards.append(board.copy())
    start = time.process_time()
    with gardez.Engine() as engine:
        for board in boards:
            engine.analyse(board, gardez.Limit(nodes=nodes))
    ours = time.process_time() - start
    theirs = [board.to_chess() for board in boards]
    start = time.process_time()
    with chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        for board in theirs:
            engine.analyse(board, chess.engine.Limit(nodes=nodes))
        process = psutil.Process(engine.transport.get_pid())
        other = time.process_time() - start + sum(process.cpu_times()[:2])
    print(f"{len(boards)} positions at {nodes} nodes: gardez {ours:.1f} s of CPU, "
          f"python-chess with Stockfish {other:.1f} s")


if __name__ == "__main__":
    rules(sys.argv[1])
    if len(sys.argv) > 2:
        analysis(sys.argv[1], sys.argv[2])
