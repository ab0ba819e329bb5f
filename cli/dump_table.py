"""`bufferize explain` of a file of IR dumps: the copies that each pass added.

A dump of a module shows the whole program; a dump of a function replaces that function in the program known so far. A
row lists what the program then allocates, copies, clones and frees, with the difference from the row before, and the
copies that One-Shot Bufferize would still insert for remaining tensor operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..analysis.sizes import Formula, in_bytes
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.locations import Source
from ..ir.source.records import record
from .output import say

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..transforms.memory_report import MemoryReport
    from .programs import SourceProgram


# Files of IR dumps: splits the output of `--mlir-print-ir-after-all` into programs.
#
#     // -----// IR Dump After CSE (cse) //----- //
#     func.func @f() { ... }
#
# A header names the pass and is followed by the operation that the pass ran on, a module or a function, or, in module
# scope, by the enclosing module; the header then names the operation. A top-level operation ends with a line that begins
# with a brace, or on its first line if it opens no region; only definitions of locations and resources may follow it.
# Further text (a program printed at the end of the same stream) is another program of the sequence. Text before the first
# header, and errors and remarks between dumps, are ignored.

HEADER = "// -----// IR Dump "
"""The start of a dump's header."""
# Compiled when a file of dumps is read: every command tests whether its input is one.
_HEADER = (
    r"^// -----// IR Dump (?P<when>Before|After) (?P<name>\S+)(?P<failed> Failed)?"
    r"(?: \((?P<flag>[^)\n]*)\))?(?: \('(?P<op>[^'\n]*)' operation(?:: @(?P<symbol>[^)\n]*))?\))? //-----"
)
_PROGRAM = r"^(?:[#!][\w$.-]+ *=|\"?[A-Za-z_][\w$]*\.[\w$.]+\"?[ (]|module\b|%[\w$.-]+(?::\d+)? =)"
"""The first line of a program: an alias or an operation."""
_END = r"^\}.*$"
_AFTERWARDS = r"\n#loc\d* = [^\n]*|\s*^\{-#(?s:.*?)^#-\}"
"""Trailing parts of a program. Locations follow at once; after an empty line they belong to the next program."""
_FUNCTION = r"(?:[#!][^\n]*\n|\n)*func\.func\b[^@\n(]*@(?P<symbol>\"[^\"\n]*\"|[\w$.-]+)"
OUTPUT = "output"
"""The name of a program that follows the last dump without a header."""


@record(frozen=True)
class Dump:
    """One program of the sequence.

    Attributes:
        number: its position in the sequence, from 1.
        when: "After", "Before", or "" for a program without a header.
        name: the pass name in the header, `CSE`.
        flag: the flag of the pass, `cse`; "" if the header has none.
        symbol: the function that the pass ran on, if the header names it (in module scope).
        failed: whether the pass failed.
        source: the text, with the line numbers of the file.
    """

    number: int
    when: str
    name: str
    flag: str
    symbol: str
    failed: bool
    source: Source

    @property
    def is_called(self) -> str:
        """`after cse`."""
        return f"{self.when.lower()} {self.flag or self.name}".strip() + (" failed" if self.failed else "")

    @property
    def is_of_function(self) -> bool:
        """Whether the text is a function without its module."""
        return re.match(_FUNCTION, self.source.text) is not None

    @property
    def subject(self) -> str:
        """The function that the pass ran on; "" for a module."""
        alone = re.match(_FUNCTION, self.source.text)
        return self.symbol or (alone["symbol"] if alone is not None else "")

    def is_of(self, name: str) -> bool:
        """Whether it belongs to the pass with this flag or header name."""
        return name.lstrip("-") in (self.flag, self.name)


def read_dumps(source: Source) -> list[Dump]:
    """The programs of a file of dumps; empty if the text has no dump header. O(text)."""
    if HEADER not in source.text:
        return []
    headers = list(re.finditer(_HEADER, source.text, re.MULTILINE))
    found: list[Dump] = []
    program = re.compile(_PROGRAM, re.MULTILINE)
    ends = [header.start() for header in headers[1:]] + [len(source.text)]
    for header, end in zip(headers, ends, strict=False):
        when, name, flag = header["when"], header["name"], header["flag"] or ""
        failed = header["failed"] is not None
        symbol = header["symbol"] or ""
        start = source.text.find("\n", header.end(), end)
        while start >= 0:
            first = program.search(source.text, start, end)
            if first is None:
                break
            stop = _end_of_program(source.text, first.start(), end)
            part = source.part(first.start(), stop)
            found.append(Dump(len(found) + 1, when, name, flag, symbol, failed, part))
            when, name, flag, symbol, failed = "", OUTPUT, "", "", False
            start = stop
    return found


def _end_of_program(text: str, start: int, end: int) -> int:
    """The end of the program that begins at `start`: its aliases, its operation, and its trailing definitions."""
    line = start
    while text[line] in "#!":
        following = text.find("\n", line, end)
        while 0 <= following < end - 1 and text[following + 1] == "\n":
            following += 1
        if following < 0 or following + 1 >= end:
            return end
        line = following + 1
    feed = text.find("\n", line, end)
    stop = end if feed < 0 else feed
    if text[line:stop].rstrip().endswith(("{", "({")):
        closing = re.compile(_END, re.MULTILINE).search(text, stop, end)
        stop = end if closing is None else closing.end()
    afterwards = re.compile(_AFTERWARDS, re.MULTILINE)
    while (more := afterwards.match(text, stop, end)) is not None:
        stop = more.end()
    return stop


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
