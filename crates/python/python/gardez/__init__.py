"""Chess: rules, engine, coach, and tables of analysed games.

Names and manners are those of python-chess where they mean the same.
"""

from __future__ import annotations

from . import pgn
from ._gardez import (
    Board,
    Game,
    Games,
    LegalMoves,
    Move,
    Outcome,
    Tablebase,
    Termination,
    __version__,
    perft,
)
from .book import Book, BookEntry
from .coach import Explanation, Review, explain, review
from .engine import Cp, Engine, Info, Limit, Mate, MateGiven, PlayResult, PovScore, Score
from .squares import (
    BLACK,
    COLOR_NAMES,
    COLORS,
    PIECE_NAMES,
    PIECE_SYMBOLS,
    PIECE_TYPES,
    SQUARE_NAMES,
    SQUARES,
    STARTING_FEN,
    WHITE,
    parse_square,
    square,
    square_file,
    square_name,
    square_rank,
)
from .tables import analyse, to_table

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = PIECE_TYPES
globals().update({name.upper(): number for number, name in enumerate(SQUARE_NAMES)})

__all__ = [
    "BISHOP", "BLACK", "Board", "Book", "BookEntry", "COLORS", "COLOR_NAMES", "Cp", "Engine", "Explanation", "Game",
    "Games", "Info", "KING", "KNIGHT", "LegalMoves", "Limit", "Mate", "MateGiven", "Move", "Outcome", "PAWN",
    "PIECE_NAMES", "PIECE_SYMBOLS", "PIECE_TYPES", "PlayResult", "PovScore", "QUEEN", "ROOK", "Review", "SQUARES",
    "SQUARE_NAMES", "STARTING_FEN", "Score", "Tablebase", "Termination", "WHITE", "__version__", "analyse", "explain",
    "parse_square", "perft", "pgn", "review", "square", "square_file", "square_name", "square_rank", "to_table",
]
