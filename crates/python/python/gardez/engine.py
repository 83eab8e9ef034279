"""The engine, asked as python-chess's `SimpleEngine` is, but within this process."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Callable, Iterable, Mapping, Optional, TypedDict, Union

from . import _gardez
from ._gardez import Board, Move
from .coach import _options


@dataclass
class Limit:
    """What ends a search; without any of them it lasts until it is stopped. Times are in seconds."""

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    white_clock: Optional[float] = None
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None
    black_inc: Optional[float] = None
    remaining_moves: Optional[int] = None


class Score:
    """Centipawns, or a number of moves to mate, for one side. Scores can be compared."""

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Centipawns. Of a mate nothing, or what it is to count as."""
        raise NotImplementedError

    def mate(self) -> Optional[int]:
        """Moves to mate, negative if the side is mated, or None."""
        raise NotImplementedError

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.mate() is not None

    def _key(self) -> "tuple[int, int]":
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._key() == other._key()

    def __lt__(self, other: "Score") -> bool:
        return self._key() < other._key()

    def __le__(self, other: "Score") -> bool:
        return self._key() <= other._key()

    def __gt__(self, other: "Score") -> bool:
        return self._key() > other._key()

    def __ge__(self, other: "Score") -> bool:
        return self._key() >= other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Cp(Score):
    """Centipawns."""

    def __init__(self, cp: int) -> None:
        self.cp = cp

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return self.cp

    def mate(self) -> Optional[int]:
        return None

    def _key(self) -> "tuple[int, int]":
        return (0, self.cp)

    def __neg__(self) -> "Cp":
        return Cp(-self.cp)

    def __str__(self) -> str:
        return f"{self.cp:+d}" if self.cp else "0"

    def __repr__(self) -> str:
        return f"Cp({self})"


class Mate(Score):
    """Moves to mate: positive if the side mates, negative or 0 if it is mated."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def mate(self) -> Optional[int]:
        return self.moves

    def _key(self) -> "tuple[int, int]":
        return (1, -self.moves) if self.moves > 0 else (-1, -self.moves)

    def __neg__(self) -> "Score":
        return MateGiven if self.moves == 0 else Mate(-self.moves)

    def __str__(self) -> str:
        return f"#{self.moves:+d}" if self.moves else "#-0"

    def __repr__(self) -> str:
        return f"Mate({self.moves:+d})"


class _MateGiven(Score):
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return mate_score

    def mate(self) -> Optional[int]:
        return 0

    def _key(self) -> "tuple[int, int]":
        return (2, 0)

    def __neg__(self) -> Mate:
        return Mate(0)

    def __str__(self) -> str:
        return "#+0"

    def __repr__(self) -> str:
        return "MateGiven"


MateGiven = _MateGiven()


@dataclass(frozen=True)
class PovScore:
    """A score and the side that sees it."""

    relative: Score
    turn: bool

    def white(self) -> Score:
        """As White sees it."""
        return self.pov(True)

    def black(self) -> Score:
        """As Black sees it."""
        return self.pov(False)

    def pov(self, color: bool) -> Score:
        """As a side sees it."""
        return self.relative if self.turn == color else -self.relative  # type: ignore[operator]

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.relative.is_mate()


class Info(TypedDict, total=False):
    """What a search has found: a line, its value and what it took."""

    multipv: int
    depth: int
    seldepth: int
    score: PovScore
    wdl: "tuple[int, int, int]"
    lowerbound: bool
    upperbound: bool
    pv: "list[Move]"
    nodes: int
    time: float
    nps: int
    hashfull: int
    tbhits: int


@dataclass(frozen=True)
class PlayResult:
    """The move to play, the answer that is expected, and what was found."""

    move: Optional[Move]
    ponder: Optional[Move]
    info: Info


def _info(line: Any, used: Any, turn: bool) -> Info:
    rank, depth, seldepth, cp, mate, bound, wdl, pv = line
    nodes, time, nps, hashfull, tbhits = used
    score = Cp(cp) if mate is None else Mate(mate)
    info = Info(
        multipv=rank, depth=depth, seldepth=seldepth, score=PovScore(score, turn), wdl=wdl, pv=pv,
        nodes=nodes, time=time, nps=nps, hashfull=hashfull, tbhits=tbhits,
    )
    if bound == "lower":
        info["lowerbound"] = True
    elif bound == "upper":
        info["upperbound"] = True
    return info


class Engine:
    """An engine in this process. It searches without Python's lock; Ctrl-C and `stop` end a search.

    Options are those of `gardez options`: `Engine(Threads=2, Hash=256)`.
    """

    def __init__(self, **options: Any) -> None:
        self._engine = _gardez.RawEngine()
        self.configure(options)

    def configure(self, options: Mapping[str, Any]) -> None:
        """Sets options; ValueError names the one that does not exist or does not take its value."""
        for name, value in _options(options):
            self._engine.set_option(name, value)

    @property
    def options(self) -> "dict[str, Any]":
        """All options with their values."""
        return self._engine.options()

    def new_game(self) -> None:
        """Forgets everything about the games before."""
        self._engine.new_game()

    def stop(self) -> None:
        """Ends the search under way, from any thread. It returns what it has found."""
        self._engine.stop()

    def _search(
        self, board: Board, limit: Limit, lines: int, root_moves: Any, analyses: bool, on_info: Any
    ) -> "tuple[Any, Any, list[Info], Info]":
        turn = board.turn
        callback = None
        if on_info is not None:
            def callback(found: Any, used: Any) -> Optional[bool]:
                return on_info([_info(line, used, turn) for line in found])
        moves = None if root_moves is None else list(root_moves)
        best, ponder, found, used = self._engine.search(board, asdict(limit), lines, moves, analyses, callback)
        infos = [_info(line, used, turn) for line in found]
        return best, ponder, infos, infos[0] if infos else Info(nodes=used[0], time=used[1])

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[Union[Move, str]]] = None,
        on_info: Optional[Callable[["list[Info]"], Optional[bool]]] = None,
    ) -> Any:
        """The best line, or with `multipv` a list of the best lines.

        `on_info` is called with every new set of lines, and ends the search by returning False.
        """
        _, _, infos, first = self._search(board, limit, multipv or 1, root_moves, True, on_info)
        return first if multipv is None else infos

    def play(
        self, board: Board, limit: Limit, *, root_moves: Optional[Iterable[Union[Move, str]]] = None
    ) -> PlayResult:
        """The move to play, at the level that the options say."""
        best, ponder, _, info = self._search(board, limit, 1, root_moves, False, None)
        return PlayResult(best, ponder, info)

    def quit(self) -> None:
        """Ends a search under way. The engine ends with the object."""
        self.stop()

    close = quit

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()
