"""What a Dask cluster costs next to one process, and what its scheduler holds: python cluster_speed.py games.pgn [NODES]

CPU time of all processes, because the machine may be busy; two workers against one process with two threads.
"""

import os
import resource
import sys
import tempfile
import time

import gardez.dask
import psutil
from distributed import Client, LocalCluster


def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def stub(part, settings):
    """A part that nothing is done for: what is left is the cluster's own work."""
    return gardez.dask.Summary(games=200, parts=1)


def cluster():
    return LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)


def overhead(path, nodes):
    results = {}
    for name in ("one process", "cluster"):
        with tempfile.TemporaryDirectory() as directory:
            start, begin = cpu(), time.perf_counter()
            if name == "cluster":
                with cluster() as local, Client(local) as client:
                    gardez.dask.analyse(path, client, nodes, directory=directory)
            else:
                gardez.dask.analyse(path, None, nodes, directory=directory, threads=2)
            results[name] = (cpu() - start, time.perf_counter() - begin)
            tables = sorted(file for file in os.listdir(directory) if file.endswith(".parquet"))
        print(f"{name:12} {results[name][0]:8.1f} s of CPU, {results[name][1]:8.1f} s on the clock, {len(tables)} files")
    ratio = results["cluster"][0] / results["one process"][0]
    print(f"the cluster takes {100 * (ratio - 1):.1f} % more CPU")


def memory(games=1_000_000):
    """The memory of scheduler and client while a million games go through, two hundred in a part."""
    parts = [gardez.dask.Part("synthetic.pgn", index, (0, 1), (0, 0)) for index in range(games // 200)]
    settings = gardez.dask.Settings("/", 1, None, (), 1)
    process = psutil.Process()
    # The scheduler runs in this process, next to the client.
    with cluster() as local, Client(local) as client:
        done = 0
        for summary in gardez.dask._run(client, stub, parts, settings):
            done += summary.games
            if done % 200_000 == 0:
                print(f"{done:9} games: scheduler and client {process.memory_info().rss / 2**20:.0f} MiB")


if __name__ == "__main__":
    overhead(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20_000)
    memory()
