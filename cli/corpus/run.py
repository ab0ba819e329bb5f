"""Analyses many programs through one function, on any executor, with results cached by content.

A dying worker loses its batch. The programs in flight are then retried one by one; one that kills its
worker twice is recorded as such. Results are yielded as they arrive, so an interrupted run can be resumed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
import subprocess
import tarfile
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...analysis.memory_plan.planner import Effort
from ...analysis.models.base import has_tensor_semantics
from ...analysis.one_shot import AnalysisOptions
from ...explain.memory import Assumptions, memory_of
from ...explain.report import explain
from ...ir.program.core import Operation
from ...ir.source.diagnostics import BufferizeError, InputError, error
from ...ir.source.locations import Source
from ...ir.source.reading import source_from_bytes
from ...ir.text.parser import parse_source
from ...ir.verifier import verify
from ...transforms.memory_report import Kind, MemoryRecord, MemoryReport
from ..output import Progress
from ..programs import files_in

if TYPE_CHECKING:
    from ...analysis.one_shot import AnalysisOptions


BATCH = 20_000
"""Batch size in characters: about half a second of work, so that submission overhead is small."""

MOST_WORKERS = 64
"""Assumed number of workers if an executor, such as a cluster, does not report it."""

Job = tuple[str, str, bytes]
"""Key, name and text of a program."""


class Result(NamedTuple):
    """The result for a program: its key, the measurement, and its CPU time in seconds."""

    key: str
    found: dict[str, Any]
    seconds: float


Measure = Callable[[str, str], dict[str, Any]]
Start = Callable[[], Executor]


def processes(jobs: int) -> Start:
    """A factory of executors with `jobs` local processes."""
    return lambda: ProcessPoolExecutor(jobs)


def cluster(address: str) -> Start:
    """A factory of executors on a Dask cluster: `local`, or the address of a scheduler.

    Raises:
        ModuleNotFoundError: the extra `bufferize[cluster]` is not installed.
    """
    from distributed import Client

    client = Client(threads_per_worker=1) if address == "local" else Client(address)
    return client.get_executor


def run(jobs: Sequence[Job], measure: Measure, start: Start, room: int = BATCH) -> Iterator[list[Result]]:
    """The results of all jobs, in batches, in any order. Closing the generator cancels the jobs in flight.

    Args:
        room: characters per batch.
    """
    waiting = deque(_batches(jobs, room))
    lost: list[Job] = []
    while waiting:  # each death loses the few batches in flight
        for batch in (yield from _run_until_death(waiting, measure, start)):
            lost += batch
    alone = deque([job] for job in lost)
    while alone:
        for [job] in (yield from _run_until_death(alone, measure, start, 1)):
            yield [Result(job[0], {"error": "the process that analysed it died"}, 0.0)]


def _run_until_death(
    batches: deque[list[Job]], measure: Measure, start: Start, at_once: int = 0
) -> Generator[list[Result], None, list[list[Job]]]:
    """Run batches from the left until all are done or the executor breaks; returns the lost batches.

    Args:
        at_once: bound on the batches in flight, which are lost if a pool breaks; 0 for two per worker.
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
                    ) as failure:  # errors of programs are caught where they are analysed, so a worker died
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
    """Whether a worker died; each executor has its own exception for that."""
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
        return measure(name, source_from_bytes(name, text).text)
    except InputError as failure:
        return {"error": str(failure.diagnostic.message)}
    except Exception as failure:
        return {"error": f"internal error: {type(failure).__name__}: {failure}"}


def _batches(jobs: Sequence[Job], size: int) -> list[list[Job]]:
    batches: list[list[Job]] = []
    room = 0
    for job in jobs:
        if not batches or len(job[2]) > room:  # an empty file needs no room
            batches.append([])
            room = size
        batches[-1].append(job)
        room -= len(job[2])
    return batches


# Results of many programs in one SQLite file, keyed by content: equal texts are analysed once, whatever their paths.

_SCHEMA = """
create table if not exists results (key text primary key, result text not null, seconds real not null);
create table if not exists programs (path text primary key, key text not null);
"""


def key_of(text: bytes, version: str) -> str:
    """The cache key: a hash of the text and of the version, which includes non-default flags."""
    return hashlib.sha256(version.encode() + b"\0" + text).hexdigest()


class Known(NamedTuple):
    """The result of a program, and its CPU time in seconds."""

    found: dict[str, Any]
    seconds: float


Programs = dict[str, Known]
"""Results by path."""


class Store:
    """A file of results. Use as a context manager; added results survive later failures.

    Raises:
        InputError: the file is not a result file, or cannot be opened.
    """

    def __init__(self, path: str, *, must_exist: bool = False) -> None:
        if must_exist and not Path(path).is_file():
            raise InputError(error(f"cannot read '{path}': there is no such file"))
        try:
            self._database = sqlite3.connect(path)
            columns = [row[1] for row in self._database.execute("pragma table_info(results)")]
            if columns and "seconds" not in columns:  # from an earlier version: recompute
                self._database.execute("drop table results")
            self._database.executescript(_SCHEMA)
        except sqlite3.Error as failure:
            raise InputError(error(f"cannot use '{path}' for results: {failure}")) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def known(self, keys: Iterable[str]) -> set[str]:
        """The `keys` that have results."""
        have = {key for (key,) in self._database.execute("select key from results")}
        return have & set(keys)

    def add(self, results: Iterable[tuple[str, dict[str, Any], float]]) -> None:
        """Store results with keys and times in seconds, in one transaction."""
        with self._database:
            self._database.executemany(
                "insert or replace into results values (?, ?, ?)",
                [(key, json.dumps(found, sort_keys=True), seconds) for key, found, seconds in results],
            )

    def set_programs(self, keys: dict[str, str]) -> None:
        """Store the programs of this result: keys by path."""
        with self._database:
            self._database.execute("delete from programs")
            self._database.executemany("insert into programs values (?, ?)", sorted(keys.items()))

    def programs(self) -> Programs:
        """The result of each program, by path."""
        rows = self._database.execute(
            "select path, result, seconds from programs join results using (key) order by path"
        )
        return {path: Known(json.loads(result), seconds) for path, result, seconds in rows}

    def of(self, keys: dict[str, str]) -> Programs:
        """The results of programs, from keys by path."""
        rows = self._database.execute("select key, result, seconds from results")
        known = {key: Known(json.loads(result), seconds) for key, result, seconds in rows}
        return {path: known[key] for path, key in sorted(keys.items()) if key in known}


# The operands of `corpus diff`: stored results, programs in files and folders, or those of a revision.
#
# A file other than `.mlir` contains results. A folder or `.mlir` file is analysed. Anything else is a revision of the
# checkout that contains the current directory. Programs of folders and revisions are identified by relative paths.

SUFFIX = ".mlir"


def programs_of(where: str, cache: Store, start: Start, options: AnalysisOptions) -> Programs:
    """The results of the programs that `where` denotes; missing ones are computed and stored in `cache`.

    Raises:
        InputError: there are none.
    """
    path = Path(where)
    if path.is_file() and path.suffix != SUFFIX:
        with Store(where, must_exist=True) as store:
            return store.programs()
    if path.exists():
        texts = {_inside(file, path): Path(file).read_bytes() for file in files_in([where])}
    else:
        texts = dict(_of_revision(where))
        if not texts:
            raise InputError(error(f"revision '{where}' has no program: no file ends in {SUFFIX}"))
    keys, _ = analyse(texts, cache, start, options)
    return cache.of(keys)


def _inside(file: str, root: Path) -> str:
    return Path(file).name if root.is_file() else Path(file).relative_to(root).as_posix()


def analyse(
    texts: dict[str, bytes], store: Store, start: Start, options: AnalysisOptions
) -> tuple[dict[str, str], int]:
    """Compute the results missing from `store`; returns all keys, and how many were missing."""
    from ... import __version__

    version = __version__ if options == PLAIN else f"{__version__} {options!r}"
    keys = {path: key_of(text, version) for path, text in texts.items()}
    have = store.known(keys.values())
    missing = {key: path for path, key in keys.items() if key not in have}
    if missing:
        jobs = [(key, path, texts[path]) for key, path in missing.items()]
        with Progress(len(jobs)) as progress:
            for batch in run(jobs, partial(measure, options=options), start):
                store.add(batch)
                for result in batch:
                    progress.step(missing[result.key])
    return keys, len(missing)


def _of_revision(revision: str) -> Iterator[tuple[str, bytes]]:
    """The programs of the checkout around the current folder at a revision, by path.

    Raises:
        InputError: there is neither a file, a folder nor a revision of that name.
    """

    def git(*words: str) -> bytes:
        return subprocess.run(
            ["git", *words],
            capture_output=True,
            check=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout

    try:
        name = (
            git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")
            .decode()
            .strip()
        )
        archive = git("archive", "--format=tar", name)
    except (OSError, subprocess.CalledProcessError):
        raise InputError(
            error(f"'{revision}' is neither a file of results, nor a folder, nor a revision of this checkout")
        ) from None
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() and member.name.endswith(SUFFIX) else None
            if file is not None:
                yield member.name, file.read()


# -- The result for one program of a corpus: counts per function, or the reason it was refused.
#
# A program with tensors is analysed and bufferized, and the counts are those of the resulting buffers and copies. A
# program without tensors, such as the output of `mlir-opt`, is counted as it is. This makes outputs of two compilers
# comparable.


MEASURES = ("copies", "bytes", "peak", "allocations", "clones")
"""The compared quantities, most important first."""
UNKNOWN_EXTENT = 64
"""Assumed size of dynamic dimensions, for peaks."""


PLAIN = AnalysisOptions(bufferize_function_boundaries=True)
"""Default analysis options."""


def measure(name: str, text: str, options: AnalysisOptions = PLAIN) -> dict[str, Any]:
    """The numbers of a program by function, or the first error if it is refused.

    Bytes are totals over one call; unknown sizes are assumed to be equal. Deterministic: equal texts give
    equal results on every machine.
    """
    source = Source(name, text)
    try:
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
    except BufferizeError as failure:
        return {"error": str(failure.diagnostic.message)}
    if not any(has_tensor_semantics(op) for op in module.walk()):
        return _numbers(MemoryReport.of(module).records, module)
    explanation = explain(module, options, source=source, with_help=False)
    if explanation.bufferized is None or not explanation.is_bufferized:
        problems = [*explanation.errors, *explanation.remarks]
        return {"error": problems[0].message if problems else "cannot be bufferized"}
    made = [memory_record for memory_record in explanation.memory_report if not memory_record.was_written]
    return _numbers(made, explanation.bufferized.module)


def _numbers(records: Iterable[MemoryRecord], module: Operation) -> dict[str, Any]:
    """Counts of the records and peaks of the program, by function."""
    functions: dict[str, dict[str, int]] = {}

    def of(name: str) -> dict[str, int]:
        return functions.setdefault(name, dict.fromkeys(MEASURES, 0))

    for memory_record in records:
        numbers = of(memory_record.function)
        measure = COUNTED.get(memory_record.kind)
        if measure is not None:
            numbers[measure] += 1
        if measure in ("copies", "clones"):
            numbers["bytes"] += memory_record.traffic.estimate()
    if functions:
        for function in memory_of(module, Assumptions({}, UNKNOWN_EXTENT), Effort(seconds=0)):
            peak = sum(space.most_alive for space in function.spaces)
            if peak:
                of(function.name)["peak"] = peak
    return {"functions": functions}


COUNTED = {Kind.COPY: "copies", Kind.ALLOCATION: "allocations", Kind.CLONE: "clones"}
