"""Files of games analysed on a Dask cluster, as Parquet files.

A file is cut into ranges of bytes at the borders of games. The analysis of a range is a pure function of its games and of
the number of nodes: it may be repeated, by any worker, and gives the same bytes. So what a cluster writes is what
`gardez analyse --parquet` writes on one machine. Workers need this package and the files under the same paths.
"""

from __future__ import annotations

import glob
import json
import os
import sys
import uuid
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Union

from . import __version__, _gardez
from .coach import DEFAULT_NODES, _options

PART_BYTES = 1 << 18
"""The size of parts if nothing else is said, the same as that of `gardez analyse`."""

_PARTS_PER_MEASUREMENT = 64
_TASKS_PER_THREAD = 4
_MOST_FAULTS = 20


@dataclass
class Summary:
    """What has been done. Parts that an earlier run had written are counted in `parts` alone."""

    games: int = 0
    faulty: int = 0
    rows: int = 0
    parts: int = 0
    faults: "list[str]" = field(default_factory=list)
    """What is wrong with the games: the first few."""


@dataclass(frozen=True)
class Part:
    """A range of bytes of a file, and what comes before it."""

    path: str
    index: int
    range: "tuple[int, int]"
    before: "tuple[int, int]"

    @property
    def name(self) -> str:
        """The name of its file."""
        return _gardez.part_name(self.path, self.index)


@dataclass(frozen=True)
class Settings:
    """How to analyse, and where to write."""

    directory: str
    nodes: int
    depth: Optional[int]
    options: "tuple[tuple[str, str], ...]"
    threads: int


def _measure(path: str, part_bytes: int, indices: "list[int]") -> "list[tuple[int, int, int, int]]":
    """Where parts begin and end, and how many games and lines they have."""
    ranges = [_gardez.part_range(path, part_bytes, index) for index in indices]
    return [(start, end, *_gardez.part_size(path, start, end)) for start, end in ranges]


def _analyse(part: Part, settings: Settings) -> Summary:
    """Analyses a part and writes its file, which is there as a whole or not at all."""
    data, games, faulty, rows, faults = _gardez.analyse_part(
        part.path, part.range, part.before, settings.nodes, settings.depth, list(settings.options), settings.threads
    )
    target = Path(settings.directory) / part.name
    unfinished = target.with_name(f".{part.name}.{uuid.uuid4().hex}")
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    return Summary(games, faulty, rows, 1, faults[:_MOST_FAULTS])


def _chunks(count: int) -> "list[list[int]]":
    indices = list(range(count))
    return [indices[first : first + _PARTS_PER_MEASUREMENT] for first in range(0, count, _PARTS_PER_MEASUREMENT)]


def _parts(path: str, part_bytes: int, client: Any) -> "list[Part]":
    chunks = _chunks(_gardez.part_count(path, part_bytes))
    if client is None:
        measured = [_measure(path, part_bytes, chunk) for chunk in chunks]
    else:
        futures = [client.submit(_measure, path, part_bytes, chunk, pure=False) for chunk in chunks]
        measured = client.gather(futures)
    parts, games_before, lines_before = [], 0, 0
    for index, (start, end, games, lines) in enumerate(size for chunk in measured for size in chunk):
        if start < end:
            parts.append(Part(path, index, (start, end), (games_before, lines_before)))
        games_before += games
        lines_before += lines
    return parts


def _claim(directory: Path, work: "dict[str, Any]") -> None:
    """Writes what the work is, or makes sure that what is there belongs to it."""
    directory.mkdir(parents=True, exist_ok=True)
    record = directory / "_work.json"
    if not record.exists():
        record.write_text(json.dumps(work, indent=1))
    earlier = json.loads(record.read_text())
    if earlier != work:
        differences = [f"{name}: was {earlier.get(name)}, is now {value}" for name, value in work.items()
                       if earlier.get(name) != value]
        raise ValueError(f"{directory} belongs to other work: {'; '.join(differences)}")


def _run(client: Any, task: Callable[..., Summary], parts: Iterable[Part], settings: Settings) -> Iterator[Summary]:
    """Hands parts out, a few for each thread of the cluster, so that scheduler and client never hold more than these."""
    if client is None:
        for part in parts:
            yield task(part, settings)
        return
    from distributed import as_completed

    threads = sum(client.nthreads().values()) or 1
    waiting = iter(parts)

    def submit(part: Part) -> Any:
        return client.submit(task, part, settings, key=f"gardez-{part.name}-{uuid.uuid4().hex}", retries=3)

    first = [submit(part) for part in islice(waiting, _TASKS_PER_THREAD * threads)]
    # Results come as they arrive: a worker that hangs with a result holds up no other.
    running = as_completed(first, with_results=True)
    del first
    for future, result in running:
        future.release()
        part = next(waiting, None)
        if part is not None:
            running.add(submit(part))
        yield result


def analyse(
    paths: Union[str, "os.PathLike[str]", "Iterable[Union[str, os.PathLike[str]]]"],
    client: Any = None,
    nodes: int = DEFAULT_NODES,
    *,
    directory: Union[str, "os.PathLike[str]"],
    depth: Optional[int] = None,
    options: Optional[Mapping[str, Any]] = None,
    part_bytes: int = PART_BYTES,
    threads: int = 1,
    progress: Optional[bool] = None,
    on_part: Optional[Callable[[Summary, int], None]] = None,
    _task: Callable[..., Summary] = _analyse,
) -> Summary:
    """Analyses PGN files with a `distributed.Client` and writes Parquet files into a directory.

    Without a client it works in this process. `threads` is the number of games at a time in each task. What is written
    already is not repeated: the same call resumes. Dask's dashboard shows the tasks, and a line on standard error how
    far the work has come, on a terminal or with `progress`. `on_part` is called with the summary so far and the number of
    parts in all.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files = [os.path.abspath(file) for path in paths for file in (sorted(glob.glob(os.fspath(path))) or [os.fspath(path)])]
    stems = [Path(file).stem for file in files]
    if len(set(stems)) < len(stems):
        raise ValueError(f"files of the same name would be written to the same tables: {', '.join(sorted(stems))}")
    target = Path(directory).absolute()
    settings = Settings(str(target), nodes, depth, tuple(_options(options)), threads)
    work = {key: value for key, value in asdict(settings).items() if key not in ("directory", "threads")}
    work["options"] = [list(option) for option in settings.options]
    _claim(target, {**work, "part_bytes": part_bytes, "version": __version__})

    parts = [part for file in files for part in _parts(file, part_bytes, client)]
    missing = [part for part in parts if not (target / part.name).exists()]
    done, total = Summary(parts=len(parts) - len(missing)), len(parts)
    shows = sys.stderr.isatty() if progress is None else progress
    for summary in _run(client, _task, missing, settings):
        done.games += summary.games
        done.faulty += summary.faulty
        done.rows += summary.rows
        done.parts += summary.parts
        done.faults = (done.faults + summary.faults)[:_MOST_FAULTS]
        if shows:
            filled = 30 * done.parts // max(total, 1)
            bar = "#" * filled + "." * (30 - filled)
            print(f"\r[{bar}] {done.parts} of {total} parts, {done.games} games", end="", file=sys.stderr, flush=True)
        if on_part is not None:
            on_part(done, total)
    if shows:
        print(file=sys.stderr)
    return done
