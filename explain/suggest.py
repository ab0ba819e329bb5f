"""What could be changed to save a copy, tried before it is said.

A candidate is a set of edits of the source text that keeps the meaning of the program by construction (moving operations
without effects, taking another destination whose contents are not read), or that states a permission only the author can
give. Each is applied, read, verified and analysed again; only those that save something are suggested, with what they save.
Trials are limited by their total cost, so that explaining a large program stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.formulas import Formula, in_bytes
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.options import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN
from ..analysis.places import operand_span, source_of, value_name, whole_lines
from ..dialects import bufferization
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, SubsetExtractionOp, SubsetInsertionOp
from ..ir.source.diagnostics import BufferizeError, Edit, Suggestion
from ..ir.source.places import Source, Span
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..transforms.account.movements import Account, counted, total
from ..transforms.bufferize.on_copy import bufferize_copy
from ..transforms.bufferize.options import INFER_LAYOUT
from .edits import apply_edits, dependents_until, move_after, move_before, needed_before

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult

SMALL = 4_000
"""Operations that are analysed again in trials however small the program is: about half a second of work."""

MAX_TRIALS_PER_COPY = 6


def budget(size: int) -> int:
    """Operations that may be analysed again for a program of `size` operations: about as much as it costs, twice."""
    return max(SMALL, 2 * size)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may save copies.

    Attributes:
        title: what to do, in the imperative.
        edits: the change.
        permission: whether it promises something about memory that only the author knows.
    """

    title: str
    edits: tuple[Edit, ...]
    permission: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """How many copies and allocations a program makes, and how many bytes these copy; sizes by name."""

    copies: int
    allocations: int
    bytes: Formula

    @classmethod
    def of(cls, account: Account) -> Totals:
        return cls(len(account.copies), len(account.allocations), total(account.copies).by_name())

    def describe(self) -> str:
        """`2 copies (32 bytes) and 1 allocation`."""
        copies = counted(self.copies, "copy", "copies")
        if self.copies:
            copies += f" ({in_bytes(self.bytes)})"
        return f"{copies} and {counted(self.allocations, 'allocation')}"

    def improves_on(self, other: Totals | None) -> bool:
        """Whether nothing is worse and something better; anything is better than a program that fails (None)."""
        if other is None:
            return True
        mine = (self.copies, self.allocations, self.bytes.estimate())
        theirs = (other.copies, other.allocations, other.bytes.estimate())
        return all(a <= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs


class Trials:
    """Applies candidates to the text of one program, bufferizes the outcome and compares accounts."""

    def __init__(
        self,
        result: AnalysisResult,
        source: Source | None,
        registry: ModelRegistry | None,
        account: Account,
        layout: str = INFER_LAYOUT,
        allow_unregistered: bool = True,
    ):
        self.result = result
        self.source = source
        self.registry = registry
        self.layout = layout
        self.allow_unregistered = allow_unregistered
        self.size = sum(1 for _ in result.state.root.walk())
        self.remaining = budget(self.size)
        self.before: Totals | None = None if result.errors else Totals.of(account)
        self._tried: dict[str, Totals | None] = {}
        self.skipped = False
        """Whether candidates were left untried because the budget was used up."""

    def suggestions(self, operand: OpOperand, reasons: list[Reason]) -> list[Suggestion]:
        """What saves something at `operand`, best first."""
        found: list[tuple[Totals, Suggestion]] = []
        outcomes: set[str] = set()
        if self.source is None:
            return []
        for i, candidate in enumerate(candidates(self.result, operand, reasons)):
            if i >= MAX_TRIALS_PER_COPY:
                break
            if self.remaining < self.size:
                self.skipped = True
                break
            text = self.changed(candidate)
            if text is None or text in outcomes:
                continue
            outcomes.add(text)
            after = self.attempt(text)
            if after is not None and after.improves_on(self.before):
                found.append(
                    (after, Suggestion(candidate.title, list(candidate.edits), self.saving(after), True))
                )
        found.sort(key=lambda entry: (entry[0].copies, entry[0].allocations))
        return [suggestion for _, suggestion in found]

    def changed(self, candidate: Candidate) -> str | None:
        """The program's text with the candidate's edits; None if they do not fit."""
        return None if self.source is None else apply_edits(self.source, candidate.edits)

    def attempt(self, text: str) -> Totals | None:
        """What a changed program needs; None if it is not valid or was not tried."""
        if text not in self._tried:
            if self.remaining < self.size:
                self.skipped = True
                return None
            self.remaining -= self.size
            self._tried[text] = self._analyse(text)
        return self._tried[text]

    def with_options(self, options: AnalysisOptions) -> Totals | None:
        """What the unchanged program needs under other options; None if it cannot be bufferized or was not tried."""
        if self.remaining < self.size:
            return None
        self.remaining -= self.size
        return self._totals(self.result.state.root, options)

    def _analyse(self, text: str) -> Totals | None:
        assert self.source is not None
        try:
            module = parse_source(Source(self.source.name, text), allow_unregistered=self.allow_unregistered)
            verify(module, allow_unregistered=self.allow_unregistered)
        except BufferizeError:
            return None
        return self._totals(module, self.result.options)

    def _totals(self, module: Operation, options: AnalysisOptions) -> Totals | None:
        result = analyze(module, options, self.registry)
        if result.errors:
            return None
        found = bufferize_copy(result, function_boundary_layout=self.layout, registry=self.registry)
        return Totals.of(found.account) if found.is_complete else None

    def saving(self, after: Totals) -> str:
        """What is gained, in words."""
        before = self.before
        if before is None:
            return f"the program is then bufferized, with {after.describe()}"
        parts = []
        copies = before.copies - after.copies
        gone = before.bytes - after.bytes
        if copies > 0:
            parts.append(counted(copies, "copy", "copies") + (f" ({in_bytes(gone)})" if gone else ""))
        if before.allocations > after.allocations:
            parts.append(counted(before.allocations - after.allocations, "allocation"))
        return " and ".join(parts) if parts else f"{in_bytes(gone)} copied"

    def other_heuristics(self) -> list[tuple[str, Totals]]:
        """Heuristics under which the program needs less, best first."""
        found = []
        for heuristic in (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS):
            if heuristic != self.result.options.analysis_heuristic:
                totals = self.with_options(replace(self.result.options, analysis_heuristic=heuristic))
                if totals is not None and totals.improves_on(self.before):
                    found.append((heuristic, totals))
        return sorted(found, key=lambda entry: entry[1].copies)


# -- candidates


def candidates(result: AnalysisResult, operand: OpOperand, reasons: list[Reason]) -> Iterator[Candidate]:
    """Changes worth trying to keep `operand` in place, given all that speaks against it."""
    raw = [reason for reason in reasons if reason.read is not None]
    yield from _move_reads_up(raw)
    yield from _move_write_down(raw)
    yield from _matching_slice(result, operand)
    yield from _other_destination(result, operand)
    yield from _grant_writing([reason.value for reason in reasons if reason.kind is ReasonKind.NOT_WRITABLE])


def _move_reads_up(conflicts: list[Reason]) -> Iterator[Candidate]:
    """All reads of the old value before the write that destroys it."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        reads = _readers(conflicts, write)
        anchor = write.ancestor_in_block(reads[0].block)
        if anchor is None or not all(_is_behind(read, anchor) for read in reads):
            continue
        moved = needed_before(reads, anchor)
        edits = move_before(moved, anchor) if moved else None
        if edits:
            what = _listed(reads)
            yield Candidate(f"move {what} up, before '{anchor.name}' writes", tuple(edits))


def _readers(conflicts: list[Reason], write: Operation) -> list[Operation]:
    """The operations that read what `write` destroys, each once."""
    return list(
        dict.fromkeys(c.read.owner for c in conflicts if c.write.owner is write and c.read is not None)
    )


def _is_behind(op: Operation, anchor: Operation) -> bool:
    return op.block is anchor.block and op is not anchor and anchor.is_before_in_block(op)


def _move_write_down(conflicts: list[Reason]) -> Iterator[Candidate]:
    """The write behind the last read, if nothing between needs its result."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        readers = _readers(conflicts, write)
        holders = [reader.ancestor_in_block(write.block) for reader in readers]
        if any(holder is None or holder is write for holder in holders):
            continue
        last = max((h for h in holders if h is not None), key=lambda op: op.position)
        if last.may_be_terminator or not write.is_before_in_block(last):
            continue
        moved = dependents_until(write, last)
        edits = move_after(moved, last) if moved else None
        if edits:
            yield Candidate(f"move '{write.name}' down, behind the last read of the old value", tuple(edits))


MAX_CHAIN = 8
"""Operations between taking a slice and putting it back that are followed."""


def _matching_slice(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """Take the slice from the very tensor into which it is inserted again, if what it held is not looked at."""
    extract = operand.owner
    if not isinstance(extract, SubsetExtractionOp) or operand is not extract.subset_extraction_source():
        return
    state = result.state
    mention = operand_span(operand)
    if mention is None or any(
        state.reads(use) or state.is_alias_only(use) for use in extract.results[0].uses
    ):
        return
    for insertion in _inserted_by(extract):
        target = insertion.subset_destination().value
        if target is operand.value or target.type is not operand.value.type:
            continue
        edit = Edit(mention, value_name(target))
        title = f"take the slice from {value_name(target)}, into which it is inserted"
        owner = target.defining_op
        if owner is None or owner.block is not extract.block or owner.is_before_in_block(extract):
            yield Candidate(title, (edit,))
            continue
        moved = dependents_until(extract, owner)
        edits = move_after(moved, owner) if moved else None
        lines = whole_lines(extract)
        if edits and lines is not None:
            # the slice is the first of the lines moved: the mention is as far into them as it was into its line
            at, moved_text = mention.start - lines.start, edits[0].replacement
            text = moved_text[:at] + edit.replacement + moved_text[at + len(mention.text) :]
            yield Candidate(title, (Edit(edits[0].span, text), *edits[1:]))


def _inserted_by(extract: Operation) -> Iterator[SubsetInsertionOp]:
    """The insertions that put back a slice, or what was made of it in destination-passing style."""
    value: Value = extract.results[0]
    for _ in range(MAX_CHAIN):
        following: Value | None = None
        for use in value.uses:
            user = use.owner
            if isinstance(user, SubsetInsertionOp) and use is user.subset_source():
                yield user
            elif isinstance(user, DestinationStyleOp) and use in user.dps_inits():
                following = user.tied_result(use)
        if following is None:
            return
        value = following


def _other_destination(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """An input of the operation whose last use this is, as destination, if the destination's contents are not read."""
    op = operand.owner
    if not isinstance(op, DestinationStyleOp) or operand not in op.dps_inits() or result.state.reads(operand):
        return
    mention = operand_span(operand)
    if mention is None:
        return
    for other in op.dps_inputs():
        value = other.value
        if (
            value is operand.value
            or value.type is not operand.value.type
            or mention.text == value_name(value)
        ):
            continue
        if isinstance(value, OpResult | BlockArgument):
            yield Candidate(
                f"use {value_name(value)} as the destination of '{op.name}'",
                (Edit(mention, value_name(value)),),
            )


def _grant_writing(values: list[Value]) -> Iterator[Candidate]:
    """Say that memory may be written, where the program says that it may not or does not say."""
    for value in dict.fromkeys(values):
        owner = value.defining_op
        if isinstance(owner, bufferization.ToTensorOp):
            edit = _add_writable(owner)
            if edit is not None:
                title = f"if {value_name(value)} is the only way to this memory and it may be overwritten, say 'writable'"
                yield Candidate(title, (edit,), True)
        elif isinstance(value, BlockArgument):
            edit = _allow_argument(value)
            if edit is not None:
                yield Candidate(
                    f"if callers do not need {value_name(value)} any more, let it be overwritten",
                    (edit,),
                    True,
                )


def _add_writable(op: Operation) -> Edit | None:
    source = source_of(op)
    if source is None or op.where is None:
        return None
    colon = re.compile(r"\s*(?::(?!:)|\{)").search(
        source.text, op.where[2] + len("bufferization.to_tensor"), op.where[3]
    )
    if colon is None:
        return None
    return Edit(Span(source, colon.start(), colon.start()), " writable")


def _allow_argument(arg: Value) -> Edit | None:
    assert isinstance(arg, BlockArgument)
    if arg.where is None:
        return None
    source, _, end = arg.where
    stop = source.text.find("%", end)
    denial = re.compile(r"bufferization\.writable\s*=\s*false").search(
        source.text, end, stop if stop > 0 else len(source.text)
    )
    if denial is None:
        return None
    return Edit(Span(source, denial.start(), denial.end()), "bufferization.writable = true")


def _listed(ops: list[Operation]) -> str:
    if len(ops) == 1:
        return f"'{ops[0].name}'"
    return f"the {len(ops)} operations that read the old value"
