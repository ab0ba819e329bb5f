"""Many programs through one function, on any executor: batches of about half a second, and nothing lost.

A worker that dies takes its batch with it. What was under way is then tried again, each program alone; one that kills its
worker twice is recorded as such. Results are handed over as they come, so a run that is stopped goes on where it was.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

BATCH = 20_000
"""Characters that take about half a second: batches are as long as that, so that handing them over costs little."""

MOST_WORKERS = 64
"""Workers that an executor is taken to have that does not say it, as clusters do not."""

Job = tuple[str, str, bytes]
"""Key, name and text of a program."""


class Result(NamedTuple):
    """What is known of a program: its key, what was measured, and how long that took, in seconds of the processor."""

    key: str
    found: dict[str, Any]
    seconds: float


Measure = Callable[[str, str], dict[str, Any]]
Start = Callable[[], Executor]


def processes(jobs: int) -> Start:
    """Executors of `jobs` processes on this machine."""
    return lambda: ProcessPoolExecutor(jobs)


def cluster(address: str) -> Start:
    """Executors on a Dask cluster: `local`, or the address of a scheduler.

    Raises:
        ModuleNotFoundError: the extra `bufferize[cluster]` is not installed.
    """
    from distributed import Client

    client = Client(threads_per_worker=1) if address == "local" else Client(address)
    return client.get_executor


def run(jobs: Sequence[Job], measure: Measure, start: Start, room: int = BATCH) -> Iterator[list[Result]]:
    """The results of all jobs, in batches, in any order. Whoever does not go on ends what is under way.

    Args:
        room: characters that make a batch.
    """
    waiting = deque(_batches(jobs, room))
    lost: list[Job] = []
    while waiting:  # each death costs what was under way, a few batches
        for batch in (yield from _run_until_death(waiting, measure, start)):
            lost += batch
    alone = deque([job] for job in lost)
    while alone:
        for [job] in (yield from _run_until_death(alone, measure, start, 1)):
            yield [Result(job[0], {"error": "the process that analysed it died"}, 0.0)]


def _run_until_death(
    batches: deque[list[Job]], measure: Measure, start: Start, at_once: int = 0
) -> Generator[list[Result], None, list[list[Job]]]:
    """Run batches, taken from the left, until all are done or the executor is broken; answers with those that were lost.

    Args:
        at_once: how many are handed over at most; 0 for two for each worker. What is handed over is lost when a pool breaks.
    """
    lost: list[list[Job]] = []
    under_way: dict[Future[list[Result]], list[Job]] = {}
    is_broken = False
    with start() as executor:
        most = at_once or 2 * (getattr(executor, "_max_workers", 0) or MOST_WORKERS)
        try:
            while under_way or (batches and not is_broken):
                while batches and len(under_way) < most and not is_broken:
                    try:
                        under_way[executor.submit(_measure_all, batches[0], measure)] = batches[0]
                    except BrokenProcessPool:
                        is_broken = True
                    else:
                        batches.popleft()
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    batch = under_way.pop(future)
                    try:
                        results = future.result()
                    except (
                        Exception
                    ) as failure:  # what programs do is caught where they are analysed: a worker died
                        if not _is_death(failure):
                            raise
                        lost.append(batch)
                    else:
                        yield results
        finally:
            for future in under_way:
                future.cancel()
    return lost


def _is_death(failure: Exception) -> bool:
    """Whether a worker died: each executor has a word of its own for it."""
    return isinstance(failure, BrokenProcessPool) or type(failure).__name__ in (
        "KilledWorker",
        "CancelledError",
    )


def _measure_all(batch: list[Job], measure: Measure) -> list[Result]:
    results = []
    for key, name, text in batch:
        start = time.process_time()
        found = _guarded(name, text, measure)
        results.append(Result(key, found, time.process_time() - start))
    return results


def _guarded(name: str, text: bytes, measure: Measure) -> dict[str, Any]:
    try:
        return measure(name, text.decode("utf-8", "surrogateescape"))
    except Exception as failure:
        return {"error": f"internal error: {type(failure).__name__}: {failure}"}


def _batches(jobs: Sequence[Job], size: int) -> list[list[Job]]:
    batches: list[list[Job]] = []
    room = 0
    for job in jobs:
        if len(job[2]) > room:
            batches.append([])
            room = size
        batches[-1].append(job)
        room -= len(job[2])
    return batches
