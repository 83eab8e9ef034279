"""A cluster of processes: results are those of one machine, whatever happens to its processes."""

import os
import pathlib
import signal
import subprocess
import sys

import gardez.dask
import pytest
from distributed import Client

WORK = {"nodes": 300, "options": {"Hash": 1}, "part_bytes": 300}


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, directory, workers):
        self.directory = directory
        self.workers = []
        self.address_file = directory / "scheduler.json"
        self.scheduler = self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", self.address_file)
        for _ in range(workers):
            self.add_worker()

    def start(self, kind, *args):
        command = [sys.executable, "-m", "dask", kind, *map(str, args)]
        log = open(self.directory / f"{kind}-{len(self.workers)}.log", "w")
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.directory)

    def add_worker(self):
        args = ["--scheduler-file", self.address_file, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        self.workers.append(self.start("worker", *args, "--local-directory", self.directory))
        return self.workers[-1]

    def client(self):
        client = Client(scheduler_file=str(self.address_file), timeout=120)
        alive = sum(worker.poll() is None for worker in self.workers)
        client.wait_for_workers(alive, timeout=120)
        return client

    def close(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def tables(directory):
    return {path.name: path.read_bytes() for path in pathlib.Path(directory).glob("*.parquet")}


@pytest.fixture
def expected(many_games, tmp_path):
    """What the program writes on one machine."""
    out = tmp_path / "expected"
    args = [os.environ["GARDEZ_BIN"], "analyse", str(many_games), "--parquet", str(out), "--nodes", "300"]
    args += ["--hash", "1", "--part-bytes", "300", "--concurrency", "2"]
    subprocess.run(args, check=True, capture_output=True)
    assert len(tables(out)) > 10
    return tables(out)


def test_without_a_cluster(many_games, expected, tmp_path):
    summary = gardez.dask.analyse(many_games, directory=tmp_path / "out", **WORK)
    assert tables(tmp_path / "out") == expected
    assert (summary.games, summary.parts) == (120, len(expected))
    again = gardez.dask.analyse(many_games, directory=tmp_path / "out", **WORK)
    assert (again.games, again.parts) == (0, len(expected)), "nothing is repeated"
    with pytest.raises(ValueError, match="nodes: was 300, is now 301"):
        gardez.dask.analyse(many_games, directory=tmp_path / "out", **{**WORK, "nodes": 301})


def test_workers_that_die_and_workers_that_are_slow(many_games, expected, tmp_path):
    with Cluster(tmp_path, workers=4) as cluster, cluster.client() as client:
        killed, slow = cluster.workers[:2]

        def on_part(done, total):
            if done.parts == 2:
                slow.send_signal(signal.SIGSTOP)
            if done.parts == 4:
                killed.send_signal(signal.SIGKILL)
            if done.parts == total // 2:
                slow.send_signal(signal.SIGCONT)

        summary = gardez.dask.analyse(many_games, client, directory=tmp_path / "out", on_part=on_part, **WORK)
        assert killed.wait() == -signal.SIGKILL
    assert (summary.games, summary.parts) == (120, len(expected))
    assert tables(tmp_path / "out") == expected


def test_a_scheduler_that_is_lost(many_games, expected, tmp_path):
    class Lost(Exception):
        pass

    with Cluster(tmp_path, workers=2) as cluster, cluster.client() as client:

        def on_part(done, total):
            if done.parts == 3:
                cluster.scheduler.send_signal(signal.SIGKILL)
                raise Lost

        with pytest.raises(Lost):
            gardez.dask.analyse(many_games, client, directory=tmp_path / "out", on_part=on_part, **WORK)
    assert 3 <= len(tables(tmp_path / "out")) < len(expected)
    (tmp_path / "second").mkdir()
    with Cluster(tmp_path / "second", workers=2) as cluster, cluster.client() as client:
        gardez.dask.analyse(many_games, client, directory=tmp_path / "out", **WORK)
    assert tables(tmp_path / "out") == expected
