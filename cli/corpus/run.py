"""Many programs through one function, on any executor: batches of about half a second, and nothing lost.

A worker that dies takes its batch with it. What was under way is then tried again, each program alone; one that kills its
worker twice is recorded as such. Results are handed over as they come, so a run that is stopped goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

BATCH = 20_000
"""Characters that take about half a second: batches are as long as that, so that handing them over costs little."""

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

    client = Client() if address == "local" else Client(address)
    return client.get_executor


def run(jobs: Sequence[Job], measure: Measure, start: Start, room: int = BATCH) -> Iterator[list[Result]]:
    """The results of all jobs, in batches, in any order. Whoever does not go on ends what is under way.

    Args:
        room: characters that make a batch.
    """
    unfinished = {job[0]: job for job in jobs}
    for finished in _run_batches(_batches(list(unfinished.values()), room), measure, start):
        for result in finished:
            unfinished.pop(result.key, None)
        yield finished
    for job in list(unfinished.values()):  # what was under way when a worker died
        finished = next(iter(_run_batches([[job]], measure, start)), None)
        yield finished or [Result(job[0], {"error": "the process that analysed it died"}, 0.0)]


def _run_batches(batches: list[list[Job]], measure: Measure, start: Start) -> Iterator[list[Result]]:
    with start() as executor:
        try:
            waiting: list[Future[list[Result]]] = [
                executor.submit(_measure_all, batch, measure) for batch in batches
            ]
        except BrokenProcessPool:
            return
        try:
            for future in as_completed(waiting):
                try:
                    yield future.result()
                except (
                    Exception
                ) as failure:  # what programs do is caught where they are analysed: a worker died
                    if not _is_death(failure):
                        raise
        finally:
            for future in waiting:
                future.cancel()


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
