"""Text output of `bufferize explain`: totals, causes by cost, and the page of a finding.

Findings with a common cause are shown as one group. The first groups are shown in full, up to a few screens; others up
to the limit in one line each, and the rest is counted. Reasons why a program cannot be bufferized come first.

For a file of IR dumps, a table has a row per pass. A dump of a module shows the whole program; a dump of a function replaces that
function in the program known so far. A row lists what the program then allocates, copies, clones and frees, with the difference
from the row before, and the copies that One-Shot Bufferize would still insert for remaining tensor operations.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..analysis.sizes import Formula, in_bytes
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import field, record, replace
from ..viz.render_style import clean_lines
from . import findings_output
from .findings_output import is_selected
from .output import say

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..explain.groups import CauseGroup
    from ..ir.source.diagnostics import Diagnostic, Edit
    from ..ir.source.pages import Documented
    from ..ir.source.reading import Dump
    from ..transforms.memory_report import MemoryReport


FULL_LINES = 75
"""Lines after which groups are abbreviated to one line each, without `--limit`."""
CONTRACTS = 12
"""Functions whose contracts are shown without `--limit 0`."""
ALL = 0


def explain_text(
    explanations: Sequence[Explanation],
    names: Sequence[str],
    problems: Sequence[Diagnostic],
    flags: argparse.Namespace,
) -> str:
    """The complete output.

    Args:
        names: the name of each program, if there are several.
        problems: exceeded budgets.
    """
    parts: list[str] = []
    totals = _totals(explanations, names)  # for several programs, the last line is the grand total
    errors = [d for e in explanations for d in (*e.errors, *_grave(e))] + list(problems)
    groups = selected(explanations, flags)
    remarks = [d for e in explanations for d in e.remarks if d.severity != "error" and is_selected(d, flags)]
    plans = [line for e in explanations for line in e.plan_lines()]
    refused = [d for e in explanations for d in e.refused if is_selected(d, flags)]
    if groups or errors or remarks or refused:
        parts.append(clean_lines([*totals[-1:], *plans]))
    if errors or refused:
        parts.append(findings_output.as_text([*errors, *refused], flags))
    parts += _groups(groups, flags, [s.edits for d in (*errors, *refused) for s in d.suggestions])
    if remarks:
        parts.append(findings_output.as_text(remarks, flags))
    parts.append(clean_lines([*totals, *_rest(explanations, flags), *plans]))
    return "\n".join(parts)


def selected(explanations: Sequence[Explanation], flags: argparse.Namespace) -> list[CauseGroup]:
    """The groups to show, in the requested order, over all programs."""
    from ..explain.groups import by_cost

    by_place = flags.sort == "place"
    found = [group for e in explanations for group in e.groups(by_place=True)]
    found = [group for group in found if is_selected(group.findings[0].diagnostic, flags)]
    return found if by_place else by_cost(found)


def _grave(explanation: Explanation) -> Iterator[Diagnostic]:
    return (d for d in explanation.remarks if d.severity == "error")


def _totals(explanations: Sequence[Explanation], names: Sequence[str]) -> list[str]:
    from ..explain.explanation import summary_of

    if len(explanations) == 1:
        return [explanations[0].summary()]
    lines = [
        f"{name}: {explanation.summary()}" for name, explanation in zip(names, explanations, strict=True)
    ]
    return [*lines, f"all: {summary_of(explanations)}"]


def _groups(
    groups: Sequence[CauseGroup], flags: argparse.Namespace, edited: Sequence[Sequence[Edit]]
) -> Iterator[str]:
    """The groups, without the suggestions whose edits an error has shown."""
    limit = findings_output.FIRST if flags.limit is None else flags.limit or len(groups)
    lines = 0
    short: list[CauseGroup] = []
    for group in groups[:limit]:
        if flags.limit is None and lines > FULL_LINES:
            short.append(group)
            continue
        said = group.diagnostic(whole=flags.limit == ALL)
        new = [suggestion for suggestion in said.suggestions if suggestion.edits not in edited]
        text = findings_output.as_text([replace(said, suggestions=new)], flags)
        lines += text.count("\n") + 1
        yield text
    if short:
        yield clean_lines(_in_one_line(group) for group in short)
    left = groups[limit:]
    if left:
        noun = "cause" if len(left) == 1 else "causes"
        yield f"and {len(left):,} more {noun}: --limit 0 shows all\n"
    elif short:
        yield "--limit 0 shows all in full\n"


def _in_one_line(group: CauseGroup) -> str:
    """`remark[padding] cell.mlir:7:5: %t is copied ..., and 3 more`."""
    said = group.findings[0].diagnostic
    span = said.primary_span
    place = f" {span}" if span is not None else ""
    more = f", and {len(group.findings) - 1} more" if len(group.findings) > 1 else ""
    verdict = group.findings[0].verdict
    word = f" ({verdict.word})" if verdict is not None else ""
    return f"{said.severity}[{said.code}]{place}: {said.message}{more}{word}"


def _rest(explanations: Sequence[Explanation], flags: argparse.Namespace) -> Iterator[str]:
    from ..analysis.function_summaries import describe_contracts

    contracts = [line for e in explanations for line in describe_contracts(e.contracts)]
    shown = len(contracts) if flags.limit == ALL or len(contracts) <= CONTRACTS + 1 else CONTRACTS
    yield from contracts[:shown]
    if shown < len(contracts):
        yield f"and {len(contracts) - shown:,} more functions: --limit 0 shows all"
    for explanation in explanations:
        yield from (line for run in explanation.measured for line in run.lines())
    for line in dict.fromkeys(line for e in explanations for line in e.advice):
        yield f"help: {line}"


# `bufferize explain ID`: the page of a finding, like `rustc --explain` and `ruff rule`.

WIDTH = 100
"""Text width of a page."""


@cache
def all_kinds() -> dict[str, type[Documented]]:
    """Every kind of finding of `explain`, `explain --ownership` and `lint`, by id."""
    from ..explain.kinds import KINDS
    from ..explain.ownership import KINDS as OWNERSHIP
    from ..lint.findings import KINDS as LINT

    return {kind.id: kind for kind in (*KINDS, *OWNERSHIP, *LINT)}


def page_of(word: str) -> str | None:
    """The page of the finding with this id, for a terminal; None for an unknown id."""
    import textwrap

    from ..ir.source.pages import TRUST

    kind = all_kinds().get(word)
    if kind is None:
        return None
    page = kind.page()
    paragraphs = (
        page.what,
        f"Why: {page.why}",
        f"Fix: {page.fix}",
        f"Applicability: {page.advice} ({TRUST[page.advice]}).",
    )
    found = [f"{word}: {page.title}", *(textwrap.fill(text, WIDTH) for text in paragraphs)]
    for heading, program in (
        ("A program with this finding", page.example),
        ("The same without it", page.instead),
    ):
        command = " ".join(("bufferize", kind.command[0], "FILE", *kind.command[1:], *program.flags))
        found += [f"{heading} ({command}):", textwrap.indent(program.shown(), "    ").rstrip()]
    return "\n\n".join(found) + "\n"


def unknown_id(word: str) -> None:
    """Report a word that is not a file but resembles an id.

    Raises:
        UsageError: it resembles an id.
    """
    from .arguments import UsageError, did_you_mean

    hint = "" if "." in word else did_you_mean(word, all_kinds())  # `model.py:name` is a model
    if hint:
        raise UsageError(f"there is neither a file nor a finding '{word}'{hint}")


MOST_ROWS = 40
"""Rows shown without `--limit 0`; rows without changes are omitted first."""
COUNTED = ("copies", "allocations", "clones", "frees", "to come")


@record()
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


@record()
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


def tabulate(dumps: Sequence[Dump], explained: Callable[[Dump], Explanation]) -> list[DumpRow]:
    """One row per dump. Costs one explanation without help per dump."""
    rows: list[DumpRow] = []
    known: dict[str, Tally] = {}
    before = Tally()
    for dump in dumps:
        say(f"dump {dump.number} of {len(dumps)}, {dump.is_called}")
        row = DumpRow(dump)
        rows.append(row)
        try:
            explanation = explained(dump)
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

    kinds = {Kind.COPY: "copies", Kind.ALLOCATION: "allocations", Kind.CLONE: "clones", Kind.FREE: "frees"}
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
