"""Engine, coach, books and tablebases."""

import os
import signal
import threading

import chess
import gardez
import pytest

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def test_analysis_is_that_of_every_machine():
    board = gardez.Board()
    first = gardez.Engine().analyse(board, gardez.Limit(nodes=5000))
    second = gardez.Engine().analyse(chess.Board(), gardez.Limit(nodes=5000))
    assert (first["pv"], first["score"]) == (second["pv"], second["score"])
    assert first["nodes"] >= 5000 and sum(first["wdl"]) == 1000
    assert all(move in board.legal_moves for move in first["pv"][:1])


def test_lines_mates_and_root_moves():
    board = gardez.Board(MATE_IN_ONE)
    with gardez.Engine(Hash=1) as engine:
        lines = engine.analyse(board, gardez.Limit(depth=6), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        score = lines[0]["score"]
        assert str(lines[0]["pv"][0]) == "d1d8" and score.is_mate() and score.white() == gardez.Mate(1)
        assert score.black() == gardez.Mate(-1) and score.white() > gardez.Cp(5000) > score.black()
        assert score.white().score(mate_score=10000) == 9999
        only = engine.analyse(board, gardez.Limit(depth=3), root_moves=["g1f1"])
        assert str(only["pv"][0]) == "g1f1"
        assert engine.play(board, gardez.Limit(nodes=2000)).move == gardez.Move.from_uci("d1d8")
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1200})
        assert engine.options["UCI_LimitStrength"] is True and engine.options["Hash"] == 1
    mated = gardez.Board("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert gardez.Engine(Hash=1).play(mated, gardez.Limit(nodes=100)).move is None


def test_a_search_without_limits_is_stopped():
    engine = gardez.Engine(Hash=1)
    seen = []
    info = engine.analyse(gardez.Board(), gardez.Limit(), on_info=lambda lines: seen.append(lines) or len(seen) < 3)
    assert len(seen) >= 3 and info["pv"]

    begun = threading.Event()
    results = []

    def search():
        results.append(engine.analyse(gardez.Board(), gardez.Limit(), on_info=lambda lines: begun.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert begun.wait(60)
    engine.stop()
    thread.join()
    assert results[0]["pv"]
    with pytest.raises(ZeroDivisionError):
        engine.analyse(gardez.Board(), gardez.Limit(), on_info=lambda lines: 1 // 0)


def test_ctrl_c_ends_a_search():
    sent = []

    def interrupt(_):
        if not sent:
            sent.append(signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        gardez.Engine(Hash=1).analyse(gardez.Board(), gardez.Limit(), on_info=interrupt)


def test_python_runs_during_a_search():
    engine = gardez.Engine(Hash=1)
    begun, ended = threading.Event(), []

    def search():
        engine.analyse(gardez.Board(), gardez.Limit(), on_info=lambda lines: begun.set())
        ended.append(True)

    thread = threading.Thread(target=search)
    thread.start()
    assert begun.wait(60)
    assert sum(range(1000)) == 499500 and not ended, "this thread works while the other searches"
    engine.stop()
    thread.join()


def test_review_and_explanation(games):
    game = next(gardez.pgn.open(games))
    review = gardez.review(game, nodes=500, options={"Hash": 1})
    assert [move["san"] for move in review.errors][-1] == "Nf6"
    assert review.errors[-1]["judgement"] == "blunder" and "mate" in review.errors[-1]["text"]
    assert review.accuracy[0] > review.accuracy[1]
    assert "$4" in str(review.game) and review.exercises
    board = game.board()
    for move in game.mainline_moves()[:5]:
        board.push(move)
    explanation = gardez.explain(board, "Nf6", nodes=1000)
    assert explanation.judgement == "blunder" and explanation.error == "allowedMate"
    assert "Nf6 is a blunder." in str(explanation) and explanation.claims
    assert "mate" in gardez.explain(gardez.Board(MATE_IN_ONE), nodes=1000).text


def test_books(tmp_path):
    book = gardez.Book()
    board = gardez.Board()
    entries = list(book.find_all(board))
    assert book.find(board) == entries[0] == book.get(board)
    assert all(entry.move in board.legal_moves for entry in entries)
    assert book.weighted_choice(board) in entries
    with pytest.raises(IndexError):
        book.find(gardez.Board(MATE_IN_ONE))
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"short")
    with pytest.raises(ValueError):
        gardez.Book(broken)
    with pytest.raises(FileNotFoundError):
        gardez.Book(tmp_path / "nowhere.bin")


def test_tablebases():
    tables = gardez.Tablebase(os.environ["GARDEZ_SYZYGY"])
    assert tables.max_pieces == 4
    win = gardez.Board("8/8/8/8/8/8/1k6/3QK3 w - - 0 1")
    assert (tables.probe_wdl(win), tables.probe_wdl(gardez.Board("8/8/8/8/8/8/1k6/3QK3 b - - 0 1"))) == (2, -2)
    assert tables.probe_dtz(win) > 0
    with pytest.raises(KeyError):
        tables.probe_wdl(gardez.Board())
