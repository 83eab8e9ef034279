"""Why moves are good or bad."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

from . import _gardez
from ._gardez import Board, Game, Move

DEFAULT_NODES = 20_000


def _options(options: Optional[Mapping[str, Any]]) -> "list[tuple[str, str]]":
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [(name, text(value)) for name, value in (options or {}).items()]


@dataclass(frozen=True)
class Explanation:
    """Why a move is good or bad, or how a position is."""

    text: str
    judgement: Optional[str] = None
    """`inaccuracy`, `mistake`, `blunder`, or None."""
    error: Optional[str] = None
    """What kind of error, such as `allowedMate`."""
    loss: float = 0.0
    """Points of the win percentage that the move gives away."""
    claims: "list[dict[str, Any]]" = field(default_factory=list)
    """What is said, as facts that can be checked."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Review:
    """A game with the value of each move, its errors and what there is to learn."""

    record: "dict[str, Any]"
    """Everything, as `gardez analyse --json` writes it."""
    game: Game
    """The game with evaluations, signs, reasons and better lines."""

    @property
    def moves(self) -> "list[dict[str, Any]]":
        """What there is to say of each move."""
        return self.record["moves"]

    @property
    def errors(self) -> "list[dict[str, Any]]":
        """The moves that were inaccuracies, mistakes or blunders."""
        return [move for move in self.moves if move["judgement"]]

    @property
    def accuracy(self) -> "tuple[float, float]":
        """The accuracy of White and Black, from 0 to 100."""
        white, black = self.record["players"]
        return white["accuracy"], black["accuracy"]

    @property
    def exercises(self) -> "list[dict[str, Any]]":
        """The errors as questions, with all good answers."""
        return self.record["exercises"]


def review(
    game: Game, nodes: int = DEFAULT_NODES, *, depth: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
) -> Review:
    """Goes through a game with the engine, with this many nodes for each position."""
    record, annotated = _gardez.review_game(game, nodes, depth, _options(options))
    return Review(json.loads(record), annotated)


def explain(
    board: Board,
    move: Optional[Union[Move, str]] = None,
    nodes: int = DEFAULT_NODES,
    *,
    tablebases: Optional[str] = None,
) -> Explanation:
    """Why a move is good or bad; without a move, how the position is."""
    if move is None:
        record = json.loads(_gardez.explain_position(board, nodes, tablebases))
    else:
        record = json.loads(_gardez.explain_move(board, move, nodes, tablebases))
    del record["move"]
    return Explanation(**record)
