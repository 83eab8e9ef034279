"""Opening books."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import Iterator, Optional, Union

from . import _gardez
from ._gardez import Board, Move


@dataclass(frozen=True)
class BookEntry:
    """A move of a book. One with weight 0 is never chosen."""

    move: Move
    weight: int


class Book:
    """A Polyglot book, or without a path the book that is built in."""

    def __init__(self, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> None:
        self._book = _gardez.Book(path)

    def find_all(self, board: Board) -> Iterator[BookEntry]:
        """The moves for a position, the heaviest first."""
        return (BookEntry(move, weight) for move, weight in self._book.find_all(board))

    def get(self, board: Board) -> Optional[BookEntry]:
        """The heaviest move for a position, or None."""
        return next(self.find_all(board), None)

    def find(self, board: Board) -> BookEntry:
        """The heaviest move for a position; IndexError if there is none."""
        entry = self.get(board)
        if entry is None:
            raise IndexError(f"the book has no move for {board.fen()}")
        return entry

    def weighted_choice(self, board: Board, *, random: random.Random = random) -> BookEntry:  # type: ignore[assignment]
        """A move, each as likely as its weight says; IndexError if there is none."""
        entries = [entry for entry in self.find_all(board) if entry.weight > 0]
        if not entries:
            raise IndexError(f"the book has no move for {board.fen()}")
        return random.choices(entries, [entry.weight for entry in entries])[0]
