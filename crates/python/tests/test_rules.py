"""Boards, moves and games, next to python-chess."""

import copy
import io
import pickle
import random

import chess
import chess.pgn
import gardez
import pytest


def random_boards(count, seed=1, chess960=False):
    """Boards of both libraries after the same random moves."""
    rng = random.Random(seed)
    for number in range(count):
        theirs = chess.Board.from_chess960_pos(number * 37 % 960) if chess960 else chess.Board()
        ours = gardez.Board(theirs.fen(), chess960=chess960)
        yield ours, theirs
        for _ in range(60):
            moves = sorted(theirs.legal_moves, key=str)
            if not moves:
                break
            move = rng.choice(moves)
            assert ours.san(move.uci()) == theirs.san(move)
            ours.push(gardez.Move.from_uci(move.uci()))
            theirs.push(move)
            yield ours, theirs


@pytest.mark.parametrize("chess960", [False, True])
def test_both_libraries_agree(chess960):
    for ours, theirs in random_boards(6, chess960=chess960):
        place = theirs.fen()
        assert ours.fen() == place
        assert sorted(map(str, ours.legal_moves)) == sorted(map(str, theirs.legal_moves)), place
        assert ours.legal_moves.count() == len(ours.legal_moves) == theirs.legal_moves.count()
        assert ours.turn == theirs.turn and ours.ply() == theirs.ply()
        assert ours.is_check() == theirs.is_check()
        assert ours.is_checkmate() == theirs.is_checkmate()
        assert ours.is_stalemate() == theirs.is_stalemate()
        assert ours.is_insufficient_material() == theirs.is_insufficient_material()
        assert ours.is_repetition() == theirs.is_repetition()
        outcome, expected = ours.outcome(), theirs.outcome()
        assert (outcome is None) == (expected is None)
        if outcome is not None:
            assert outcome.termination.name == expected.termination.name
            assert (outcome.winner, outcome.result()) == (expected.winner, expected.result())
        assert str(ours) == str(theirs)
        for square in gardez.SQUARES:
            assert ours.piece_type_at(square) == theirs.piece_type_at(square)
            assert ours.color_at(square) == theirs.color_at(square)
        assert list(ours.checkers()) == list(theirs.checkers())


def test_conversion_keeps_the_moves():
    for ours, theirs in random_boards(2):
        assert gardez.Board.from_chess(theirs).move_stack == ours.move_stack
        back = ours.to_chess()
        assert back == theirs and back.move_stack == theirs.move_stack
    assert gardez.Move.from_uci("e7e8q").to_chess() == chess.Move.from_uci("e7e8q")


def test_pushing_and_popping():
    board = gardez.Board()
    assert board.push_san("e4") == gardez.Move.from_uci("e2e4")
    board.push_uci("e7e5")
    assert board.peek().uci() == "e7e5"
    assert board.pop().uci() == "e7e5"
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert board.copy(stack=False).move_stack == []
    assert pickle.loads(pickle.dumps(board)).move_stack == copy.copy(board).move_stack == board.move_stack
    assert board.variation_san(["c7c5", "Nf3"]) == "1... c5 2. Nf3"
    board.push_uci("c7c5")
    assert board.opening() == ("B20", "Sicilian Defence")
    board.pop()
    board.pop()
    with pytest.raises(IndexError):
        board.pop()
    assert gardez.Move.from_uci("e2e4") in board.legal_moves and "e2e5" not in board.legal_moves
    assert board.find_move(gardez.E2, gardez.E4).uci() == "e2e4"
    assert {gardez.Move.from_uci("a2a3"), gardez.Move(8, 16)} == {gardez.Move.from_uci("a2a3")}


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: gardez.Board("8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
        (lambda: gardez.Board("hello"), "hello"),
        (lambda: gardez.Board().push_san("Ke2"), "Ke2"),
        (lambda: gardez.Board().push(gardez.Move.from_uci("e2e5")), "e2e5 is not legal in rnbqkbnr"),
        (lambda: gardez.Move.from_uci("e2"), "e2e4"),
        (lambda: gardez.Move.from_uci("é2é4"), "e2e4"),
        (lambda: gardez.Move(64, 0), "63"),
        (lambda: gardez.parse_square("i9"), "i9"),
        (lambda: gardez.Board.from_chess960_pos(960), "959"),
        (lambda: gardez.Game.from_pgn("1. e4 e5 2. Ke3 *"), "game 1, line 1, column 13"),
        (lambda: gardez.Game.from_pgn(""), "no game"),
        (lambda: gardez.Engine(Colour="red"), "Colour"),
        (lambda: gardez.Engine(Hash=0), "Hash"),
        (lambda: gardez.Engine().analyse(gardez.Board(), gardez.Limit(time=-1)), "time"),
        (lambda: gardez.Tablebase("/nowhere"), "nowhere"),
        (lambda: gardez.explain(gardez.Board(), "e2e5"), "e2e5"),
    ],
)
def test_bad_input_raises_what_and_where(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_games_of_a_file(games):
    read = list(gardez.pgn.open(games))
    assert [game.headers["Event"] for game in read] == ["Mate", "Faulty", "Drawn"]
    assert [len(game) for game in read] == [7, 2, 8]
    assert read[0].errors == [] and "line 15" in read[1].errors[0]
    assert read[0].clocks()[:2] == [300.0, None] and read[0].evals()[2] == (20, None)
    assert read[0].end_board().is_checkmate() and read[0].board() == gardez.Board()
    assert [str(move) for move in read[0].mainline_moves()][-1] == "h5f7"
    with pytest.raises(ValueError, match="game 2, line 15"):
        list(gardez.pgn.open(games, strict=True))
    with open(games) as handle, open(games) as theirs:
        while (game := gardez.pgn.read_game(handle)) is not None:
            expected = chess.pgn.read_game(theirs)
            assert [str(move) for move in game.mainline_moves()] == [str(move) for move in expected.mainline_moves()]
            assert {name: game.headers.get(name, "?") for name in ("Event", "White", "Black", "Result")} == {
                name: expected.headers[name] for name in ("Event", "White", "Black", "Result")
            }
    assert str(gardez.Game.from_pgn(str(read[0]))) == str(read[0])
    assert str(pickle.loads(pickle.dumps(read[0]))) == str(read[0])
    assert gardez.Game.from_chess(read[0].to_chess()).mainline_moves() == read[0].mainline_moves()
    with pytest.raises(FileNotFoundError):
        gardez.pgn.open("nowhere.pgn")

    class Broken(io.StringIO):
        def read(self, size=-1):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        next(gardez.pgn.open(Broken()))


def test_a_game_from_a_board():
    board = gardez.Board()
    for san in "f3 e5 g4 Qh4#".split():
        board.push_san(san)
    game = gardez.Game(board, {"White": "A", "Round": 3})
    assert game.result == "0-1" and game.headers["White"] == "A"
    assert "2. g4 Qh4# 0-1" in str(game)


def test_perft():
    assert [gardez.perft(gardez.Board(), depth) for depth in range(6)] == [1, 20, 400, 8902, 197281, 4865609]
    assert gardez.perft(chess.Board(), 3) == 8902


def test_everything_has_a_docstring():
    for kind in (gardez.Board, gardez.Move, gardez.Game, gardez.LegalMoves, gardez.Engine, gardez.Book, gardez.Tablebase):
        assert kind.__doc__
        missing = [name for name in dir(kind) if not name.startswith("_") and not getattr(kind, name).__doc__]
        assert not missing, f"{kind.__name__}: {missing}"
    missing = [name for name in ("analyse", "explain", "perft", "review", "to_table") if not getattr(gardez, name).__doc__]
    assert not missing
