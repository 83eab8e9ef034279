"""Games in files."""

from __future__ import annotations

import os
import weakref
from typing import IO, Any, Optional, Union

from ._gardez import Game, Games

__all__ = ["Game", "open", "read_game"]

_readers: "weakref.WeakKeyDictionary[Any, Games]" = weakref.WeakKeyDictionary()


def open(source: Union[str, "os.PathLike[str]", IO[Any]], *, strict: bool = False) -> Games:
    """The games of a file, one after the other.

    What cannot be read of a game is listed in its `errors`, and costs the rest of its variation or game at most. With
    `strict` it raises ValueError instead.
    """
    return Games(source, strict=strict)


def read_game(handle: IO[Any]) -> Optional[Game]:
    """The next game of an open file, or None after the last.

    The file is read ahead, so nothing else should read from it.
    """
    reader = _readers.get(handle)
    if reader is None:
        reader = _readers[handle] = Games(handle)
    return next(reader, None)
