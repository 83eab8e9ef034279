"""Games and directories that several tests use."""

import pytest

GAMES = """[Event "Mate"]
[White "Amateur"]
[Black "Visitor"]
[WhiteElo "1500"]
[Date "2026.11.18"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 2. Bc4 {[%eval 0.2]} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Faulty"]
[White "A"]
[Black "Amateur"]
[Result "*"]

1. d4 d5 2. Ke3 *

[Event "Drawn"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

"""


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


@pytest.fixture
def many_games(tmp_path):
    """A hundred and twenty short games."""
    lines = ["e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 dxc4 e4 b5", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "c4 c5 Nc3 Nc6 g3 g6 Bg2"]
    text = "".join(f'[Event "{n}"]\n[White "W{n % 7}"]\n\n{lines[n % len(lines)]} *\n\n' for n in range(120))
    path = tmp_path / "many.pgn"
    path.write_text(text)
    return path
