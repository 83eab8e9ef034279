"""Every blunder of a file of games in words: python explain_my_blunders.py games.pgn NAME [NODES]"""

import sys

import gardez

path, name, nodes = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
for game in gardez.pgn.open(path):
    white, black = game.headers.get("White"), game.headers.get("Black")
    if name not in (white, black):
        continue
    print(f"{white} - {black} {game.result}")
    for move in gardez.review(game, nodes=nodes).errors:
        is_mine = name == (white if move["ply"] % 2 else black)
        if is_mine and move["judgement"] == "blunder":
            print(f"  half-move {move['ply']}, {move['san']}: {move['text']}")
