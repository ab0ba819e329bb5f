"""Measurements of a run, attached to findings.

A finding says what a copy costs each time; a run says how often it happens. Whoever has the program run gives figures
here, which become a note on each finding, a line about each run, and data for machines. The operations that a finding
stands for are known by their causes, which they keep through the passes after bufferization.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.sizes import format_bytes
from .finding import Finding, Share
from .kinds.boundaries import NotOwned

MEASURED = "measured"
"""The kind of the notes that say what was measured."""

MAX_SHOWN = 40
"""Characters of an argument that are shown."""


def by_cause(findings: Iterable[Finding]) -> dict[object, Finding]:
    """The finding that each operation stands for, by the cause that it carries through all passes. O(records)."""
    return {
        memory_record.op.cause: finding
        for finding in findings
        for memory_record in finding.records
        if memory_record.op.cause is not None
    }


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run took: operations run, allocations, bytes held at once at most, bytes that copies moved."""

    operations: int
    allocations: int
    peak: int
    copied: int

    def __str__(self) -> str:
        return (
            f"{_counted(self.operations, 'operation')}, {_counted(self.allocations, 'allocation')}, "
            f"at most {format_bytes(self.peak)} at once, {format_bytes(self.copied)} copied"
        )

    def data(self) -> dict[str, int]:
        """For machines."""
        return {
            "operations": self.operations,
            "allocations": self.allocations,
            "peakBytes": self.peak,
            "bytesCopied": self.copied,
        }


@dataclass(slots=True)
class Measured:
    """One run.

    Attributes:
        entry: the function that was run.
        arguments: what it was run on, as `--args` of `bufferize run` takes it.
        seed: of random arguments.
        figures: of the whole run.
        shares: what each finding has of them, for those that are in the program run.
        cloned: bytes copied by clones, which deallocation adds where it is not known who is to free a buffer.
        freed: whether the program frees its buffers.
        copying_always: figures of the same run where every write copies first, as without analysis; None if that
            cannot be run.
    """

    entry: str
    arguments: Sequence[str]
    seed: int
    figures: Figures
    shares: dict[Finding, Share]
    cloned: int = 0
    freed: bool = True
    copying_always: Figures | None = None

    @property
    def explained(self) -> int:
        """Bytes that the findings copied."""
        return sum(share.copied for share in self.shares.values())

    def call(self) -> str:
        """`@f(random:4, 1)`."""
        shown = (text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..." for text in self.arguments)
        return f"@{self.entry}({', '.join(shown)})"

    def who_copied(self) -> str:
        """How the bytes copied are shared out, unless findings copied all of them."""
        whole, explained = self.figures.copied, self.explained
        if explained == whole:
            return ""
        parts = [
            (explained, "findings"),
            (self.cloned, "clones that deallocation adds"),
            (whole - explained - self.cloned, "the program's own operations"),
        ]
        words = [
            f"{'all' if count == whole else format_bytes(count)} by {who}" for count, who in parts if count
        ]
        return ", ".join(words)

    def lines(self) -> list[str]:
        """The run in words, and what it takes without analysis."""
        found = [f"measured: {self.call()}: {self.figures}" + ("" if self.freed else "; nothing is freed")]
        if who := self.who_copied():
            found.append(f"  copied: {who}")
        if self.copying_always is not None:
            found.append(f"  without analysis: {self.copying_always}")
        return found

    def data(self) -> dict[str, Any]:
        """For machines."""
        return {
            "entry": self.entry,
            "arguments": list(self.arguments),
            "seed": self.seed,
            **self.figures.data(),
            "bytesCopiedByFindings": self.explained,
            "bytesCopiedByClones": self.cloned,
            "freed": self.freed,
            "withoutAnalysis": self.copying_always.data() if self.copying_always is not None else None,
        }


def add_measured(findings: Iterable[Finding], runs: Sequence[Measured]) -> None:
    """Tell each finding what it did in the runs, and note it. O(findings · runs)."""
    for finding in findings:
        if not finding.inserted or not runs or isinstance(finding, NotOwned):
            continue  # clones are told as a whole
        shares = [(run, share) for run in runs if (share := run.shares.get(finding)) is not None]
        finding.shares = [(run.entry, share) for run, share in shares]
        said = finding.diagnostic
        said.data["measured"] = [
            {
                "entry": run.entry,
                "times": share.times,
                "bytesAllocated": share.allocated,
                "bytesCopied": share.copied,
            }
            for run, share in shares
        ]
        if not shares:
            said.note("nothing of it is in the program that ran", MEASURED)
            continue
        ran = [(run, share) for run, share in shares if share.times]
        for run, share in ran or shares[:1]:
            said.note(f"in @{run.entry}, it {share}" if len(ran) > 1 else str(share), MEASURED)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
