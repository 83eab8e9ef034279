"""Games as tables with a row for each move."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Optional, Union

from . import _gardez
from ._gardez import Game, Games
from .coach import DEFAULT_NODES, _options

Source = Union[str, "os.PathLike[str]", Game, Iterable[Game]]


def _games(source: Source) -> "list[Game]":
    if isinstance(source, Game):
        return [source]
    if isinstance(source, (str, os.PathLike)):
        return list(Games(source))
    return list(source)


def _table(rows: Any) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("tables need pyarrow: pip install 'gardez[tables]'") from error
    return pyarrow.table(rows)


def analyse(
    games: Source,
    nodes: int = DEFAULT_NODES,
    workers: Optional[int] = None,
    *,
    depth: Optional[int] = None,
    options: Optional[Mapping[str, Any]] = None,
) -> Any:
    """Analyses games and returns a pyarrow.Table with a row for each move.

    The rows are handed over without being copied; `.to_pandas()` and `polars.from_arrow()` go on from there. The result does
    not depend on the number of workers, which is that of the processors if nothing else is said.
    """
    rows = _gardez.analyse_games(_games(games), nodes, depth, _options(options), workers or os.cpu_count() or 1)
    return _table(rows)


def to_table(games: Source) -> Any:
    """The same columns without an analysis: moves, clocks, and the evaluations that the games have."""
    return _table(_gardez.rows_of_games(_games(games)))
