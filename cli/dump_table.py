"""`bufferize explain` of a file of IR dumps: the copies that each pass added.

A dump of a module shows the whole program; a dump of a function replaces that function in the program known so far. A
row lists what the program then allocates, copies, clones and frees, with the difference from the row before, and the
copies that One-Shot Bufferize would still insert for remaining tensor operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..analysis.sizes import Formula, in_bytes
from ..ir.source.diagnostics import BufferizeError
from .output import say

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.source.reading import Dump
    from ..transforms.memory_report import MemoryReport
    from .programs import SourceProgram

MOST_ROWS = 40
"""Rows shown without `--limit 0`; rows without changes are omitted first."""
COUNTED = ("copies", "allocations", "clones", "frees", "to come")


@dataclass(slots=True)
class Tally:
    """The copies and allocations of one function or a whole program.

    Attributes:
        counts: the number of records per kind in COUNTED.
        copied: bytes copied, once per copy.
    """

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    copied: Formula = field(default_factory=lambda: Formula.of(0))

    def add(self, other: Tally) -> None:
        for what, count in other.counts.items():
            self.counts[what] += count
        self.copied = self.copied + other.copied


@dataclass(slots=True)
class DumpRow:
    """One dump in the table.

    Attributes:
        tally: of the whole program, as far as it is known; None if the dump cannot be parsed.
        added: the difference from the row before.
        problem: why it cannot be parsed.
    """

    dump: Dump
    tally: Tally | None = None
    added: dict[str, int] = field(default_factory=dict)
    problem: str = ""

    def data(self) -> dict[str, Any]:
        """As JSON."""
        dump = self.dump
        found: dict[str, Any] = {
            "number": dump.number,
            "when": dump.when,
            "pass": dump.flag or dump.name,
            "function": dump.subject,
            "line": dump.source.first_line,
            "problem": self.problem or None,
        }
        if self.tally is not None:
            counts = {_key(what): count for what, count in self.tally.counts.items()}
            copied = self.tally.copied.constant
            found |= counts | {"bytesCopied": copied if copied is not None else str(self.tally.copied)}
            found["added"] = {_key(what): count for what, count in self.added.items()}
        return found


def _key(what: str) -> str:
    return "copiesToCome" if what == "to come" else what


def tabulate(
    dumps: Sequence[Dump],
    read: Callable[[Dump], SourceProgram],
    explained: Callable[[SourceProgram], Explanation],
) -> list[DumpRow]:
    """One row per dump. Costs one explanation without help per dump."""
    rows: list[DumpRow] = []
    known: dict[str, Tally] = {}
    before = Tally()
    for dump in dumps:
        say(f"dump {dump.number} of {len(dumps)}, {dump.is_called}")
        row = DumpRow(dump)
        rows.append(row)
        try:
            explanation = explained(read(dump))
        except BufferizeError as failure:
            row.problem = failure.diagnostic.message
            continue
        tallies = {name: _tally(part) for name, part in explanation.memory_report.by_function().items()}
        if dump.is_of_function:
            known = {**known, dump.subject: tallies.get(dump.subject, Tally())}
        else:
            known = tallies
        row.tally = Tally()
        for tally in known.values():
            row.tally.add(tally)
        row.added = {what: count - before.counts[what] for what, count in row.tally.counts.items()}
        before = row.tally
    return rows


def _tally(memory_report: MemoryReport) -> Tally:
    from ..transforms.memory_report import Kind

    kinds = {
        Kind.COPY: "copies",
        Kind.ALLOCATION: "allocations",
        Kind.CLONE: "clones",
        Kind.FREE: "frees",
    }
    tally = Tally()
    for memory_record in memory_report:
        if memory_record.was_written:
            what = kinds.get(memory_record.kind)
        else:
            what = "to come" if memory_record.kind is Kind.COPY else None
        if what is not None:
            tally.counts[what] += 1
            if what in ("copies", "to come") and memory_record.bytes is not None:
                tally.copied = tally.copied + memory_record.bytes
    return tally


def as_table(rows: Sequence[DumpRow], name: str, limit: int | None) -> str:
    """The rows as text, numbers aligned."""
    most = len(rows) if limit == 0 else limit or MOST_ROWS
    shown = list(rows)
    if len(shown) > most:
        shown = [row for row in rows if row.problem or any(row.added.values()) or row is rows[-1]]
    hidden = len(rows) - len(shown[:most])
    heads = ("dump", "pass", "line", *COUNTED, "bytes copied")
    cells = [heads, *(_cells(row) for row in shown[:most])]
    widths = [max(len(row[i]) for row in cells if len(row) > i) for i in range(len(heads) - 1)]
    lines = [f"{name}: {len(rows)} IR dumps"]
    for row in cells:
        aligned = [
            cell.ljust(width) if i == 1 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("  ".join([*aligned, *row[len(widths) :]]).rstrip())
    if hidden:
        lines.append(f"and {hidden} more, most without changes: --limit 0 shows all")
    lines.append(
        "'to come' counts copies that One-Shot Bufferize would make; --dump N explains one of the dumps"
    )
    return "\n".join(lines) + "\n"


def _cells(row: DumpRow) -> tuple[str, ...]:
    dump = row.dump
    called = dump.is_called + (f" @{dump.subject}" if dump.subject else "")
    first = (str(dump.number), called, str(dump.source.first_line))
    if row.tally is None:
        return (*first, f"cannot be read: {row.problem}")
    counts = (
        f"{count} ({row.added[what]:+})" if row.added[what] else str(count)
        for what, count in row.tally.counts.items()
    )
    return (*first, *counts, in_bytes(row.tally.copied))
