"""A finding: one cause of copies or allocations, with evidence, wording, place, verdict and measurements.

Each kind of finding is a class in `kinds/`. Its docstring is its page (`ir.source.pages`); `title`, `mark` and
`annotate` produce its text, and `facts` its evidence. Changing a wording changes that class alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from ..analysis.causes import Cause, CauseKind, Row, stated
from ..analysis.cost_model import Times, loop_of
from ..analysis.naming import function_name, operand_span, value_name, value_span
from ..analysis.one_shot.result import Reason
from ..analysis.sizes import Formula, format_bytes, in_bytes
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value, origin_of
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.locations import Span
from ..ir.source.pages import Documented
from ..ir.source.records import Plain, field, record
from ..ir.source.text import joined, say
from ..transforms.memory_report import Kind as MovementKind, MemoryRecord, Verdict, number_or_text, total

if TYPE_CHECKING:
    from ..analysis.function_summaries import FunctionSummaries
    from ..analysis.one_shot.result import AnalysisResult, Reason


# -- JSON output of findings, operands and values.


def place_data(span: Span | None) -> Plain | None:
    """Line, column and end of a span, 1-based."""
    if span is None:
        return None
    end_line, end_column = span.end_line_column
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def operand_data(operand: OpOperand) -> Plain:
    """An operand as JSON: the operation, its position, the operand's number."""
    return {
        "operation": operand.owner.name,
        "operand": operand.index,
        "value": value_name(operand.value),
        "at": place_data(operand_span(operand)),
        "operationAt": place_data(operand.owner.name_span),
    }


def value_data(value: Value) -> Plain:
    """A value as JSON: its name, its owner, and its number there."""
    if isinstance(value, OpResult):
        return {
            "value": value_name(value),
            "operation": value.owner.name,
            "result": value.index,
            "at": place_data(value_span(value)),
            "operationAt": place_data(value.owner.name_span),
        }
    assert isinstance(value, BlockArgument)
    parent = value.owner.parent_op
    return {
        "value": value_name(value),
        "operation": parent.name if parent is not None else "",
        "argument": value.index,
        "at": place_data(value_span(value)),
        "operationAt": place_data(parent.name_span if parent is not None else None),
    }


def reason_data(reason: Reason) -> Plain:
    """A reason as JSON."""
    found: Plain = {
        "kind": str(reason.kind),
        "rule": reason.rule,
        "write": operand_data(reason.write),
        "value": value_data(reason.value),
    }
    if reason.read is not None:
        found["read"] = operand_data(reason.read)
    if reason.why_not_writable:
        found["why"] = reason.why_not_writable
    if reason.loop is not None:
        found["loop"] = {"operation": reason.loop.name, "at": place_data(reason.loop.name_span)}
    return found


@record()
class Share:
    """One finding's part of a run: executions, bytes allocated, bytes copied."""

    times: int = 0
    allocated: int = 0
    copied: int = 0

    def __str__(self) -> str:
        if not self.times:
            return "did not run"
        times = "once" if self.times == 1 else f"{self.times:,} times"
        if self.allocated == self.copied:
            return f"ran {times}: {format_bytes(self.copied)} allocated and copied"
        parts = [(self.allocated, "allocated"), (self.copied, "copied")]
        did = ", ".join(f"{format_bytes(count)} {verb}" for count, verb in parts if count)
        return f"ran {times}: {did}"


class Settled(StrEnum):
    """The decision that causes a copy, and hence the part of the tool that can give its verdict."""

    CHOICE = "which operand stays in place"
    OPERATION = "the semantics of the operation"
    LOOP = "which buffers a loop yields"
    LAYOUT = "the layouts of buffers"
    OWNER = "who owns a buffer"
    PROGRAM = "the program asks for it"
    OTHERWISE = "nothing of these"


@record(eq=False)
class Finding(Documented):
    """One cause with its allocations and copies.

    Attributes:
        proved: the analysis, and function summaries proved from it.
        cause: the cause.
        records: its allocations and copies; empty if the program cannot be bufferized, or if there are none.
        copies: whether contents are copied.
        size: bytes copied per execution, or else allocated.
        times: the number of executions.
        inserted: whether anything is inserted at all.
        reasons: why an operand is out of place, clearest first; may be empty for operands decided by a greedy order.
        diagnostic: the message.
        shares: its part of measured runs, by entry function.
        has_more: whether the search for reasons stopped at a limit.
        foreseen: the verdict on the expected copy, for a refused program without records.
        tells_of: the causes that this kind reports, each with what decides whether it copies.
    """

    tells_of: ClassVar[tuple[tuple[CauseKind, Settled], ...]] = ()

    proved: FunctionSummaries
    cause: Cause
    records: list[MemoryRecord]
    copies: bool
    size: Formula
    times: Times
    inserted: bool = True
    reasons: list[Reason] = field(default_factory=list)
    diagnostic: Diagnostic = field(default_factory=lambda: Diagnostic(Severity.REMARK, ""))
    shares: list[tuple[str, Share]] = field(default_factory=list)
    foreseen: Verdict | None = None
    has_more: bool = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} [{self.id}]: {self.diagnostic.message or self.name}>"

    # -- subject

    @property
    def result(self) -> AnalysisResult:
        """The analysis."""
        return self.proved.result

    @property
    def op(self) -> Operation:
        return self.cause.op

    @property
    def operand(self) -> OpOperand | None:
        return self.cause.use

    @property
    def value(self) -> Value:
        value = self.cause.value
        if value is None:
            value = self.op.results[0] if self.op.results else self.op.op_operands[0].value
        return value

    @property
    def op_span(self) -> Span | None:
        """The operation's name in the source."""
        return self.op.name_span

    @property
    def line(self) -> int | None:
        """The source line."""
        return self.op_span.line if self.op_span is not None else None

    @property
    def function(self) -> str | None:
        """The name of the enclosing function."""
        return function_name(self.op)

    @property
    def name(self) -> str:
        """The value's name in the source."""
        return value_name(self.value)

    @property
    def bytes(self) -> str:
        """The size as text."""
        return in_bytes(self.size)

    @property
    def cost(self) -> tuple[int, int]:
        """Total bytes copied, then allocated, over one call; unknown sizes are assumed to be equal."""
        moved = (MovementKind.COPY, MovementKind.CLONE)
        copied = sum(m.traffic.estimate() for m in self.records if m.kind in moved)
        allocated = sum(m.traffic.estimate() for m in self.records if m.kind not in moved)
        return copied, allocated

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the copy, if there is one."""
        return next((m.verdict for m in self.records if m.verdict is not None), self.foreseen)

    @property
    def causes(self) -> tuple[object, ...]:
        """Grouping keys: findings of one kind that share a key are shown as one group."""
        return ((self.op.name, self.copies),)

    # -- wording, overridden by kinds

    def title(self) -> str:
        """A one-line message that suffices on its own."""
        raise NotImplementedError

    def mark(self, diagnostic: Diagnostic) -> None:
        """Label the relevant places."""
        place = self.place()
        diagnostic.label(place, "", True)

    def annotate(self, diagnostic: Diagnostic) -> None:
        """Add notes."""

    def place(self) -> Span | None:
        """The position to report."""
        if self.operand is not None:
            return operand_span(self.operand)
        return value_span(self.value) or self.op.name_span

    def describe(self) -> Diagnostic:
        """Fill in the diagnostic."""
        diagnostic = self.diagnostic
        diagnostic.message, diagnostic.span, diagnostic.code = self.title(), self.place(), self.id
        diagnostic.place = origin_of(self.op)
        diagnostic.derivation = self.derivation
        self.mark(diagnostic)
        self.annotate(diagnostic)
        if self.inserted:
            diagnostic.note(self.cost_note())
        return diagnostic

    # -- derivation

    def facts(self) -> list[Row]:
        """The facts it rests on: the cause as recorded by the rewrite; kinds add their evidence."""
        return [("made_for", self.op, self.value, str(self.cause.kind))]

    def derivation(self) -> str:
        """The derivation from the rules, or else the underlying facts."""
        return stated(*self.facts())()

    def tell_verdict(self) -> None:
        """Add the verdict as a note; verdicts are computed last."""
        if self.verdict is not None:
            self.diagnostic.note("{word}: {why}", "verdict", word=self.verdict.word, why=self.verdict.why)

    def with_data(self) -> Diagnostic:
        """The diagnostic with all JSON data, which is computed on the first call."""
        data = self.diagnostic.data
        if "code" not in data:
            self.diagnostic.data = self.data() | data
        return self.diagnostic

    def cost_note(self) -> str:
        """The cost as text."""
        kinds = {m.kind for m in self.records}
        allocates = not self.records or MovementKind.ALLOCATION in kinds
        bytes, are = self.bytes, "is" if self.size.constant == 1 else "are"
        if MovementKind.CLONE in kinds:
            what = say("{bytes} {are} copied into a new buffer", bytes=bytes, are=are)
        elif self.copies:
            what = (
                say("{bytes} {are} allocated and copied", bytes=bytes, are=are)
                if allocates
                else say("{bytes} {are} copied", bytes=bytes, are=are)
            )
        else:
            what = say(
                "{bytes} {are} allocated{why_not_copied}",
                bytes=bytes,
                are=are,
                why_not_copied=self.why_not_copied(),
            )
        return say("{what}{times}", what=what, times=in_words(self.times, self.size))

    def why_not_copied(self) -> str:
        """Why an allocation comes without a copy."""
        return ""

    def data(self) -> dict[str, Any]:
        """All data of a finding, as JSON."""
        found: dict[str, Any] = {
            "code": self.id,
            "inserted": self.inserted,
            "copies": self.copies,
            "function": self.function,
            "operation": self.op.name,
            "value": value_data(self.value),
            "bytes": self.size.constant,
            "size": self.size.text,
            "times": number_or_text(self.times.count),
            "atMost": self.times.at_most,
            "conflicts": [reason_data(reason) for reason in self.reasons],
            "records": [memory_record.data() | {"cause": self.id} for memory_record in self.records],
        }
        if self.operand is not None:
            found["operand"] = operand_data(self.operand)
            found["inPlace"] = self.result.is_in_place(self.operand)
        if self.verdict is not None:
            found["verdict"] = self.verdict.data()
        return found


def in_words(times: Times, size: Formula) -> str:
    """The count and the resulting total: `, 16 times: 64.0 KiB in all`; empty for a single execution."""
    if times.is_once:
        return ", at most once" if times.at_most else ""
    text = say(", {times}", times=times.text)
    symbols = times.count.symbols()
    loops = [line for symbol in symbols if (line := loop_of(symbol)) is not None]
    if loops:
        lines = joined(" and ", loops)
        text = say(", in every iteration of the loop on line {lines}", lines=lines)
        if len(symbols) > len(loops) or max(times.count.terms.values()) > 1:
            text = say("{text} ({times})", text=text, times=times.text)
        elif times.at_most:
            text = say("{text} at most", text=text)
    whole = size * times.count
    return (
        say("{text}: {bytes} in all", text=text, bytes=in_bytes(whole))
        if whole.constant is not None
        else text
    )


def size_of_records(records: list[MemoryRecord]) -> tuple[bool, Formula]:
    """Whether the records copy, and the bytes they copy or else allocate."""
    copied = [m for m in records if m.kind in (MovementKind.COPY, MovementKind.CLONE)]
    return bool(copied), total(copied or records)


# Verdicts on copies: each word is a claim over a domain of changes, with evidence that covers the domain.
#
# * *necessary*: no change in the domain has fewer copies: in-place decisions (in callees too), placement and order of
#   computations, rematerialization, other destinations, moved reshapes and slices, fusion and fission, inlining, or
#   argument attributes.
# * *needed as written*: no choice of in-place decisions and no order of this function has fewer copies, and no tried
#   pass helped.
# * *avoidable*: a change was applied, and the program copies fewer bytes in total; the verdict includes the command
#   that applies it.
# * *open*: the verdict states the open question.


class Word(StrEnum):
    NECESSARY = "necessary"
    NEEDED = "needed as written"
    AVOIDABLE = "avoidable"
    OPEN = "open"


DOMAINS = {
    Word.NECESSARY: "all changes that fewest-copies, reorder-to-save-copies and fix can make, also in callees and callers",
    Word.NEEDED: "the in-place decisions and the order of operations in this function, and the passes of the plan",
}


@record(frozen=True)
class CopyVerdict:
    """A verdict word and a one-sentence reason.

    Attributes:
        certificate: for "necessary" and "needed as written", steps that a person can check.
        cores: the same for machines, if the search proved it: conflicts, each of which needs a copy of one of some
            operands.
        change: for "avoidable", the change that was tried.
        command: for "avoidable", the command that applies it.
        settled_by: for "open", what would decide it; `why` says what is missing.
    """

    word: Word
    why: str
    certificate: tuple[str, ...] = ()
    cores: tuple[dict[str, Any], ...] = ()
    change: str = ""
    command: str = ""
    settled_by: str = ""

    @property
    def is_by_safe_edit(self) -> bool:
        """Whether it is avoidable by an edit that `bufferize fix` makes by default."""
        return self.command.startswith("bufferize fix ") and "--unsafe-fixes" not in self.command

    def data(self) -> dict[str, Any]:
        """As JSON."""
        found: dict[str, Any] = {"word": str(self.word), "why": self.why}
        if self.word in DOMAINS:
            found |= {
                "domain": DOMAINS[self.word],
                "certificate": list(self.certificate),
                "cores": list(self.cores),
            }
        elif self.word is Word.AVOIDABLE:
            found |= {"change": self.change, "command": self.command, "tried": True}
        else:
            found |= {"missing": self.why, "settledBy": self.settled_by}
        return found


def necessary(why: str, certificate: tuple[str, ...], cores: tuple[dict[str, Any], ...] = ()) -> CopyVerdict:
    return CopyVerdict(Word.NECESSARY, why, certificate, cores)


def needed(why: str, certificate: tuple[str, ...], cores: tuple[dict[str, Any], ...] = ()) -> CopyVerdict:
    return CopyVerdict(Word.NEEDED, why, certificate, cores)


def avoidable(why: str, change: str, command: str) -> CopyVerdict:
    return CopyVerdict(Word.AVOIDABLE, why, change=change, command=command)


def not_known(missing: str, settled_by: str) -> CopyVerdict:
    return CopyVerdict(Word.OPEN, missing, settled_by=settled_by)
