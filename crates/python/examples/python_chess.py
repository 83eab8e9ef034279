"""A script for python-chess with another import: python python_chess.py games.pgn [NAME] [NODES]"""

import sys

import gardez as chess

nodes = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
with open(sys.argv[1]) as handle, chess.Engine() as engine:
    while (game := chess.pgn.read_game(handle)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
        info = engine.analyse(board, chess.Limit(nodes=nodes))
        outcome = board.outcome()
        print(game.headers["White"], board.result(), info["score"].white() if not outcome else outcome.termination.name)
