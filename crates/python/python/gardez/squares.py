"""Colours, kinds of pieces and squares, numbered as in python-chess."""

from __future__ import annotations

WHITE, BLACK = True, False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PIECE_TYPES = [1, 2, 3, 4, 5, 6]
PIECE_SYMBOLS = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]

SQUARES = range(64)
SQUARE_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]

STARTING_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def square(file_index: int, rank_index: int) -> int:
    """The number of the square of a file and a rank, both from 0."""
    return rank_index * 8 + file_index


def parse_square(name: str) -> int:
    """The number of a square, from 0 for a1 to 63 for h8."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is no square: squares are written a1 to h8") from None


def square_name(square: int) -> str:
    """The name of a square."""
    if not 0 <= square < 64:
        raise ValueError(f"{square} is no square: squares go from 0 (a1) to 63 (h8)")
    return SQUARE_NAMES[square]


def square_file(square: int) -> int:
    """The file of a square, from 0 for a."""
    return square & 7


def square_rank(square: int) -> int:
    """The rank of a square, from 0 for the first."""
    return square >> 3
