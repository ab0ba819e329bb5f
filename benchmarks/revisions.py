"""Compares two revisions: each phase measured alternately on the same programs.

The revision is extracted from the checkout that the package was installed from. Measurements
alternate, and the best of three counts, so that other load on the machine affects both alike.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from ..ir.source.diagnostics import InputError
from .measure import measure

REPEATS = 3


@dataclass(frozen=True, slots=True)
class RevisionComparison:
    """CPU seconds of one phase of one family, before and now."""

    family: str
    phase: str
    before: float
    now: float


@contextmanager
def checked_out(revision: str) -> Iterator[str]:
    """A temporary folder with the package `bufferize` at `revision`.

    Raises:
        InputError: this is no checkout, or it has no such revision.
    """
    root = Path(__file__).parents[1]
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "archive", revision, "--"], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as failure:
        said = getattr(failure, "stderr", b"").decode(errors="replace").strip().splitlines()
        raise InputError(
            f"cannot take revision '{revision}' from {root}: {said[-1] if said else failure}"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
            archive.extractall(Path(folder) / "bufferize", filter="data")
        yield folder


def compare(folder: str, family: str, size: int, phases: Sequence[str]) -> list[RevisionComparison]:
    """The phases of one family, now and for the package in `folder`; failed phases are omitted."""
    best: dict[tuple[str, str], float] = {}
    for _ in range(REPEATS):
        for which, found_in in (("before", folder), ("now", None)):
            for phase, seconds in measure(family, size, phases, found_in=found_in).seconds.items():
                best[which, phase] = min(seconds, best.get((which, phase), seconds))
    return [
        RevisionComparison(family, phase, best["before", phase], best["now", phase])
        for phase in phases
        if ("before", phase) in best and ("now", phase) in best
    ]


def to_markdown(rows: Sequence[RevisionComparison], revision: str) -> str:
    """A table; the last column is the relative change of time, negative for faster."""
    lines = [f"| family | phase | {revision} | now | change |", "|---|---|---|---|---|"]
    for row in rows:
        change = f"{row.now / row.before - 1:+.0%}" if row.before else "-"
        lines.append(f"| {row.family} | {row.phase} | {row.before:.3f} s | {row.now:.3f} s | {change} |")
    return "\n".join(lines) + "\n"
