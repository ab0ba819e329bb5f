"""Ten thousand programs: the same results however they are run, each analysed once, and what got worse on top."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from bufferize.cli.corpus.run import BATCH, Start, cluster, measure, processes, run
from bufferize.cli.main import main

PROGRAMS = 10_000
SHAPES = (
    """func.func @f(%t: tensor<{n}xf32>, %f: f32, %i: index) -> (tensor<{n}xf32>, f32) {{
  %n = tensor.insert %f into %t[%i] : tensor<{n}xf32>
  %o = tensor.extract %{read}[%i] : tensor<{n}xf32>
  return %n, %o : tensor<{n}xf32>, f32
}}
""",
    """func.func @g(%f: f32, %i: index) -> f32 {{
  %e = tensor.empty() : tensor<{n}xf32>
  %n = linalg.fill ins(%f : f32) outs(%e : tensor<{n}xf32>) -> tensor<{n}xf32>
  %t = tensor.insert %f into %n[%i] : tensor<{n}xf32>
  %o = tensor.extract %{read}[%i] : tensor<{n}xf32>
  %p = tensor.extract %t[%i] : tensor<{n}xf32>
  %s = arith.addf %o, %p : f32
  return %s : f32
}}
""",
)


def program(number: int) -> str:
    """Each has a size of its own; every seventh copies."""
    read = ("t" if number % 2 == 0 else "n") if number % 7 == 0 else ("n" if number % 2 == 0 else "t")
    return SHAPES[number % 2].format(n=number + 2, read=read)


def write(folder: Path) -> Path:
    for number in range(PROGRAMS):
        path = folder / str(number // 500) / f"p{number}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(program(number), encoding="utf-8")
    return folder


def corpus(*words: str) -> None:
    assert main(["corpus", *words]) == 0


def results(file: Path) -> list[Any]:
    with sqlite3.connect(file) as database:
        return database.execute(
            "select path, result from programs join results using (key) order by path"
        ).fetchall()


def workers() -> list[int]:
    """The processes that this one started, without the one that watches over shared resources."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [int(c) for c in children if b"resource_tracker" not in Path(f"/proc/{c}/cmdline").read_bytes()]


def kill_a_worker() -> threading.Thread:
    """Kills one of this process's workers while they analyse."""

    def kill() -> None:
        while not (running := workers()):
            time.sleep(0.05)
        time.sleep(1)
        os.kill(running[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc")
def test_ten_thousand_programs(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    folder = str(write(tmp_path / "programs"))
    one, two, killed = (tmp_path / f"{name}.db" for name in ("one", "two", "killed"))
    corpus(folder, "-o", str(one), "--jobs", "1")
    capfd.readouterr()
    corpus(folder, "-o", str(one), "--jobs", "1")
    assert f"0 analysed now, {PROGRAMS} known before" in capfd.readouterr().out
    corpus(folder, "-o", str(two), "--jobs", "2")
    killer = kill_a_worker()
    corpus(folder, "-o", str(killed), "--jobs", "2")
    killer.join()
    assert len(results(one)) == PROGRAMS and results(one) == results(two) == results(killed)
    changed = tmp_path / "programs" / "8" / "p4243.mlir"
    changed.write_text(changed.read_text().replace("extract %t", "extract %n"), encoding="utf-8")
    corpus(folder, "-o", str(two), "--jobs", "2")
    capfd.readouterr()
    assert main(["corpus", "diff", str(one), str(two)]) == 1
    line, *others = capfd.readouterr().out.splitlines()
    assert line.startswith(f"worse  {changed} @g: copies 0 -> 1")
    assert all(
        "analysed in" in other for other in others
    )  # whoever is first in a process loads what it needs


def _slow(name: str, text: str) -> dict[str, Any]:
    time.sleep(0.05)
    return measure(name, text)


def _run(start: Start, count: int) -> dict[str, Any]:
    jobs = [(str(number), f"{number}.mlir", program(number).encode()) for number in range(count)]
    return {result.key: result.found for batch in run(jobs, _slow, start) for result in batch}


@pytest.mark.long
def test_a_dask_cluster_gives_the_same_and_loses_nothing_with_a_worker():
    pytest.importorskip("distributed", reason="the extra bufferize[cluster] is not installed")
    from distributed import Client, LocalCluster

    count = 3 * BATCH // len(program(0))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        Client(local) as client,
    ):
        start = cluster(local.scheduler_address)
        victim = next(iter(local.workers.values())).process.pid

        def kill() -> None:
            time.sleep(1)
            os.kill(victim, signal.SIGKILL)

        threading.Thread(target=kill).start()
        found = _run(start, count)
        assert len(client.scheduler_info()["workers"]) >= 1
    assert found == _run(processes(2), count)
