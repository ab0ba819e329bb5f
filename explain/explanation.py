"""The explanation of a program: memory report, findings, totals, peak, measurements. The options that ask for one, checked at run time.

Created by `report.explain`; the command, the report, `compare`, pictures, notebooks and budgets only read it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args, get_origin, get_type_hints

from ..analysis.naming import lines_text
from ..analysis.one_shot.result import AnalysisResult
from ..analysis.sizes import format_bytes
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, Diagnostic, error
from ..ir.source.records import field, record
from ..ir.source.text import joined, say
from ..transforms.bufferize.on_copy import Bufferized, Freed
from ..transforms.memory_report import MOVES, MemoryRecord, MemoryReport, counted, together_of
from .finding import Finding, Share, operand_data
from .groups import CauseGroup, by_cost, grouped
from .kinds.boundaries import NotOwned

if TYPE_CHECKING:
    from .memory import FunctionMemory
    from .plan import CopyPlan


# Measurements of a run, attached to findings.
#
# A finding states what a copy costs per execution; a run shows how often it executes. The caller who ran the program
# passes figures, which become a note on each finding, a line per run, and JSON data. The operations that a finding
# stands for are identified by their causes, which survive the passes after bufferization.

MEASURED = "measured"
"""The kind of notes with measurements."""

MAX_SHOWN = 40
"""Characters of an argument that are shown."""


def by_cause(findings: Iterable[Finding]) -> dict[object, Finding]:
    """The finding of each operation, keyed by the cause that the operation carries through all passes. O(records)."""
    return {
        memory_record.op.cause: finding
        for finding in findings
        for memory_record in finding.records
        if memory_record.op.cause is not None
    }


@record(frozen=True)
class Figures:
    """The cost of a run: operations executed, allocations, peak bytes, bytes copied."""

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
        """As JSON."""
        return {
            "operations": self.operations,
            "allocations": self.allocations,
            "peakBytes": self.peak,
            "bytesCopied": self.copied,
        }


@record()
class Measured:
    """One run.

    Attributes:
        entry: the function that was run.
        arguments: its arguments, in the syntax of `bufferize run --args`.
        seed: of random arguments.
        figures: of the whole run.
        shares: the part of each finding whose operations are in the program run.
        cloned: bytes copied by clones, which deallocation inserts where ownership is unknown.
        freed: whether the program frees its buffers.
        copying_always: figures of the same run with a copy before every write, as without analysis; None if that
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
        """Bytes copied by the operations of findings."""
        return sum(share.copied for share in self.shares.values())

    def call(self) -> str:
        """`@f(random:4, 1)`."""
        shown = (text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..." for text in self.arguments)
        return f"@{self.entry}({', '.join(shown)})"

    def who_copied(self) -> str:
        """How much of the copied bytes the findings account for, unless they account for all."""
        whole, explained = self.figures.copied, self.explained
        if explained == whole:
            return ""
        parts = [
            (explained, "findings"),
            (self.cloned, "clones made by deallocation"),
            (whole - explained - self.cloned, "the program's own operations"),
        ]
        words = [
            f"{'all' if count == whole else format_bytes(count)} by {who}" for count, who in parts if count
        ]
        return ", ".join(words)

    def lines(self) -> list[str]:
        """The run as text, and its cost without analysis."""
        found = [f"measured: {self.call()}: {self.figures}" + ("" if self.freed else "; nothing is freed")]
        if who := self.who_copied():
            found.append(f"  copied: {who}")
        if self.copying_always is not None:
            found.append(f"  without analysis: {self.copying_always}")
        return found

    def data(self) -> dict[str, Any]:
        """As JSON."""
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
    """Add the measurements of the runs to each finding, as data and as a note. O(findings * runs)."""
    for finding in findings:
        if not finding.inserted or not runs or isinstance(finding, NotOwned):
            continue  # clones are reported in total
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
            said.note("not part of the program that was run", MEASURED)
            continue
        ran = [(run, share) for run, share in shares if share.times]
        for run, share in ran or shares[:1]:
            said.note(f"in @{run.entry}, it {share}" if len(ran) > 1 else str(share), MEASURED)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


MAX_LINES = 8
"""Line numbers shown for copies that the plan does not eliminate."""


AVOIDABLE = "avoidable as shown below"
"""Copies that a suggestion eliminates, though no command does."""
EXCHANGED = "avoidable as shown below, but then another is made"
"""Copies that a suggestion eliminates, though the program then moves no less in all."""


@record()
class Explanation:
    """The explanation of one program.

    Attributes:
        result: the analysis.
        memory_report: all allocations, copies and clones with their causes, in the explained part of the program.
        findings: one per cause, in program order; those of operands without a buffer come last.
        remarks: other diagnostics: failures of the rewrite, data lost by mlir-opt 22, what was not measured.
        bufferized: the bufferized copy of the program; None if the analysis refuses the program.
        freed: the copy after deallocation; None if it was not requested, or failed.
        operands, in_place: the number of tensor operands, and of those in place.
        advice: verified suggestions for the program as a whole.
        contracts: what callers must know about each function; see `contracts`.
        measured: the measured runs of the bufferized program.
        memory: peaks and the buffers live there, if requested (`at_peak`).
        accepted: findings that the project accepts: counted, but not shown.
        plan: the command line with the fewest copies; None if nothing is copied, or no plan was searched.
        refused: why default options refuse a program that is explained with `allow-return-allocs-from-loops` instead.
        way_out: a command line that bufferizes a program which cannot be bufferized as it is, if one is known.
    """

    result: AnalysisResult
    memory_report: MemoryReport
    findings: list[Finding]
    remarks: list[Diagnostic]
    bufferized: Bufferized | None
    freed: Freed | None
    operands: int
    in_place: int
    advice: list[str] = field(default_factory=list)
    contracts: list[dict[str, Any]] = field(default_factory=list)
    measured: list[Measured] = field(default_factory=list)
    memory: list[FunctionMemory] = field(default_factory=list)
    accepted: list[Finding] = field(default_factory=list)
    plan: CopyPlan | None = None
    refused: list[Diagnostic] = field(default_factory=list)
    way_out: str = ""

    def __repr__(self) -> str:
        return f"<Explanation: {self.summary()}>"

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors because of which the program cannot be bufferized."""
        return self.result.errors

    @property
    def is_bufferized(self) -> bool:
        """Whether One-Shot Bufferize succeeds."""
        return self.bufferized is not None and not self.bufferized.problems

    @property
    def is_complete(self) -> bool:
        """Whether there is a memory report: One-Shot Bufferize ran to completion, possibly with errors."""
        return self.bufferized is not None and self.bufferized.is_complete

    def prove(self) -> None:
        """Attach derivations to all diagnostics."""
        for diagnostic in (*self.errors, *(f.diagnostic for f in self.findings), *self.remarks):
            diagnostic.prove()

    def out_of_place(self) -> list[dict[str, Any]]:
        """The out-of-place operands, as JSON."""
        return [operand_data(operand) for operand in self.result.out_of_place()]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of all findings, then the remarks."""
        return [*self.refused, *(finding.with_data() for finding in self.findings), *self.remarks]

    def plan_lines(self) -> list[str]:
        """The plan's verified command line and the copies that remain; empty if nothing is copied or cloned."""
        plan = self.plan
        if plan is None:
            return [self.way_out] if self.way_out else []
        lines = plan.lines() if plan.helps else []
        left = self._left_by(plan)
        if plan.helps and left:
            lines.append(say("then {left}", left=joined("; ", left.values())))
        elif left:
            lines += [left.pop(word) for word in (AVOIDABLE, EXCHANGED) if word in left]
            if left:
                found = joined("; ", left.values())
                lines.append(say("no command that was tried copies less: {left}", left=found))
        if plan.untried:
            lines.append(f"not tried because it takes long: {', '.join(plan.untried)}")
        return lines

    def _left_by(self, plan: CopyPlan) -> dict[str, str]:
        """For each verdict: `1 is necessary: line 337`."""
        by_word: dict[str, list[MemoryRecord]] = {}
        for memory_record in self.memory_report:
            verdict = memory_record.verdict
            if (
                memory_record.made not in MOVES
                or verdict is None
                or (plan.helps and plan.best.lacks(memory_record))
            ):
                continue
            word = str(verdict.word)
            if word == "avoidable":
                word = EXCHANGED if plan.tried_edits and verdict.is_by_safe_edit else AVOIDABLE
            by_word.setdefault(word, []).append(memory_record)
        said: dict[str, str] = {}
        for word, records in by_word.items():
            places = [m.place for m in records if m.place is not None]
            place = say(": {lines}", lines=lines_text(places, MAX_LINES)) if places else ""
            count, verb = len(records), "is" if len(records) == 1 else "are"
            said[word] = say("{count} {verb} {word}{place}", count=count, verb=verb, word=word, place=place)
        if plan.helps and plan.instead:
            verb = "is" if plan.instead == 1 else "are"
            said["made"] = say("{count} {verb} made elsewhere by it", count=plan.instead, verb=verb)
        return said

    def groups(self, *, by_place: bool = False) -> list[CauseGroup]:
        """Findings grouped by cause, by descending cost or in textual order."""
        found = grouped(self.findings)
        return found if by_place else by_cost(found)

    def copies_by_function(self, only_added: bool = False) -> dict[str, list[MemoryRecord]]:
        """The copies and clones of each function that has any, without accepted ones.

        Args:
            only_added: exclude copies of the input program and clones by deallocation.
        """
        accepted = {id(memory_record) for finding in self.accepted for memory_record in finding.records}
        found: dict[str, list[MemoryRecord]] = {}
        for copy in self.memory_report.copies if only_added else self.memory_report.moves:
            if id(copy) not in accepted:
                found.setdefault(copy.function, []).append(copy)
        return found

    def summary(self) -> str:
        """One line: operands, in place, copies, allocations, clones, bytes."""
        noun = "operand" if self.operands == 1 else "operands"
        said = f"{self.operands} tensor {noun}, {self.in_place} in place"
        if not self.is_complete:
            return f"{said}; the program cannot be bufferized"
        refused = "; the program cannot be bufferized" if not self.is_bufferized else ""
        return f"{said}, {self.memory_report.summary()}{refused}"

    def data(self) -> dict[str, Any]:
        """Totals, as JSON."""
        memory_report = self.memory_report.data()
        named = {id(m): f.id for f in (*self.findings, *self.accepted) for m in f.records}
        for memory_record, entry in zip(self.memory_report.records, memory_report["records"], strict=True):
            entry["cause"] = named.get(id(memory_record), entry["cause"])
        copied = [m.bytes for m in self.memory_report.copies if m.bytes is not None]
        return {
            "operands": self.operands,
            "inPlace": self.in_place,
            "bufferized": self.is_bufferized,
            "copies": memory_report["copies"],
            "allocations": memory_report["allocations"],
            "clones": memory_report["clones"],
            "moves": memory_report["moves"],
            "bytesCopied": memory_report["bytesCopied"],
            "totals": memory_report["totals"],
            "symbolicSizes": sorted(str(size) for size in copied if size.constant is None),
            "memoryReport": memory_report,
            "outOfPlace": self.out_of_place(),
            "advice": self.advice,
            "plan": self.plan.data() | {"text": self.plan_lines()} if self.plan is not None else None,
            "wayOut": self.way_out or None,
            "allowsReturnAllocsFromLoops": bool(self.refused),
            "contracts": self.contracts,
            "measured": [run.data() for run in self.measured],
            **({"peaks": _peaks(self.memory)} if self.memory else {}),
            "groups": self._groups_data(),
        }

    def _groups_data(self) -> list[dict[str, Any]]:
        """The groups by descending cost; findings are indices into `errors` followed by `diagnostics`."""
        numbers = {finding: i for i, finding in enumerate(self.findings, len(self.errors))}
        return [group.data(numbers) for group in self.groups()]


def _peaks(memory: list[FunctionMemory]) -> list[dict[str, Any]]:
    from .memory import peaks_data

    return peaks_data(memory)


def summary_of(explanations: Sequence[Explanation]) -> str:
    """One summary line for several programs."""
    memory_report = together_of([e.memory_report for e in explanations])
    operands = sum(e.operands for e in explanations)
    said = f"{operands} tensor operands, {sum(e.in_place for e in explanations)} in place, {memory_report.summary()}"
    failed = sum(not e.is_complete for e in explanations)
    return said + (f"; {counted(failed, 'program')} cannot be bufferized" if failed else "")


# Typed options of the Python interface, and their validation at run time.
#
# A name that is not known is a TypeError, as for any Python function; a value that is none of those allowed is a `BufferizeError`. Both
# suggest what is like it.

Heuristic = Literal["bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer", "fewest-copies"]
Layout = Literal["infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map"]


class AnalysisKeywords(TypedDict, total=False):
    """The fields of `AnalysisOptions`."""

    bufferize_function_boundaries: bool
    allow_return_allocs_from_loops: bool
    check_parallel_regions: bool
    analysis_heuristic: Heuristic
    analysis_fuzzer_seed: int
    time_limit: float | None
    assumed_size: int
    dialect_filter: tuple[str, ...]
    no_analysis_func_filter: tuple[str, ...]
    nested_modules: bool
    compare_parts: bool
    may_reorder: bool
    pairs_per_use: int
    compat: Literal["mlir-22"] | None


class ExplainKeywords(AnalysisKeywords, total=False):
    """The fields of `AnalysisOptions`, and the options of `explain` itself."""

    function_boundary_layout: Layout
    show_all: bool
    wanted: Callable[[Operation], bool]
    with_memory_report: bool
    with_clones: bool
    with_help: bool


class OneShotKeywords(TypedDict, total=False):
    """The options of the pass `one-shot-bufferize`."""

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    assumed_size: int
    analysis_fuzzer_seed: int
    analysis_heuristic: Heuristic
    bufferize_function_boundaries: bool
    buffer_alignment: int
    destination_passing: bool
    check_parallel_regions: bool
    compare_parts: bool
    copy_before_write: bool
    dialect_filter: Sequence[str]
    dump_alias_sets: bool
    eliminate_dead_inits: bool
    fewest_copies: bool
    function_boundary_type_conversion: Layout
    rematerialize: bool
    must_infer_memory_space: bool
    nested_modules: bool
    no_analysis_func_filter: Sequence[str]
    peak_percent: int
    print_conflicts: bool
    forward_slices: bool
    test_analysis_only: bool
    time_limit: int
    unroll_and_rename: bool
    choose_destinations: bool
    forward_relayouts: bool
    unknown_type_conversion: Layout
    use_encoding_for_memory_space: bool


@cache
def _hints(keywords: type) -> dict[str, Any]:
    return get_type_hints(keywords)


def checked(function: str, keywords: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the options passed to `function` against `keywords`, one of the types above, and return them.

    Raises:
        TypeError: an unknown option.
        BufferizeError: an invalid value.
    """
    hints = _hints(keywords)
    for name, value in given.items():
        if name not in hints:
            raise TypeError(f"{function}() has no option '{name}'{_like(name, hints)}")
        allowed = _allowed(hints[name])
        if allowed is not None and value not in allowed:
            listed = ", ".join(repr(one) for one in allowed)
            problem = error(
                f"{function}({name}={value!r}): there is no such {name.replace('_', ' ')}{_like(value, allowed)}"
            )
            raise BufferizeError(problem.help(f"must be one of {listed}"))
        if hints[name] is bool and not isinstance(value, bool):
            raise BufferizeError(error(f"{function}({name}={value!r}): must be True or False"))
        if hints[name] is int and (not isinstance(value, int) or isinstance(value, bool)):
            raise BufferizeError(error(f"{function}({name}={value!r}): must be an integer"))
    return dict(given)


def _allowed(hint: object) -> tuple[object, ...] | None:
    """The values of a literal type; None for other types."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    parts = [part for part in get_args(hint) if get_origin(part) is Literal]
    return (*get_args(parts[0]), None) if parts else None


def _like(word: object, known: Iterable[object]) -> str:
    close = difflib.get_close_matches(str(word), [str(one) for one in known if one is not None], 1, 0.5)
    return f" (did you mean '{close[0]}'?)" if close else ""
