"""Changes that may save a copy: edits of the source text, to be tried before anything is said of them.

Each keeps the meaning of the program by construction (moving operations without effects, taking another destination whose
contents are not read, making again what is cheap to make), or states a permission that only the author can give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.moving import dependents_until, invariant, needed_before
from ..analysis.one_shot.places import PartPlaces
from ..analysis.places import operand_span, source_of, value_name, whole_lines
from ..dialects import bufferization, tensor
from ..dialects.common import constant_index
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, LoopLikeOp, SubsetExtractionOp, SubsetInsertionOp
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Span
from .edits import Candidate, move_after, move_before
from .rebuilt import (
    computed_in_place,
    destination_of,
    empty_destination,
    made_again,
    read_only_argument,
    slice_of_destination,
)
from .unrolled import unrolled_swap

if TYPE_CHECKING:
    from ..analysis.one_shot.result import AnalysisResult


def candidates(result: AnalysisResult, operand: OpOperand, reasons: list[Reason]) -> Iterator[Candidate]:
    """Changes worth trying to keep `operand` in place, given all that speaks against it."""
    raw = [reason for reason in reasons if reason.read is not None]
    yield from _move_reads_up(raw)
    yield from _hoist_reads(raw)
    yield from _move_write_down(raw)
    for use in [operand, *islice((use for use in operand.value.uses if use is not operand), MAX_SLICES)]:
        yield from _matching_slice(result, use)
    yield from made_again(operand)
    yield from empty_destination(operand)
    yield from slice_of_destination(operand)
    yield from _existing_slice(result, operand)
    yield from computed_in_place(result, operand)
    yield from _other_destination(result, operand)
    for write in dict.fromkeys(reason.write for reason in raw):
        yield from read_only_argument(result, write)
    yield from unrolled_swap(result, operand)
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


def _hoist_reads(conflicts: list[Reason]) -> Iterator[Candidate]:
    """Reads in a loop of what does not change from iteration to iteration, before the loop."""
    by_loop: dict[Operation, dict[Operation, None]] = {}
    for conflict in conflicts:
        loop = conflict.write.owner if isinstance(conflict.write.owner, LoopLikeOp) else conflict.loop
        if loop is None or conflict.read is None or not loop.is_proper_ancestor_of(conflict.read.owner):
            return
        by_loop.setdefault(loop, {})[conflict.read.owner] = None
    for loop, reads in by_loop.items():
        moved = invariant(reads, loop)
        edits = move_before(moved, loop) if moved else None
        if edits:
            certain = all(_is_safe_anywhere(op) for op in moved or ())
            title = f"move {_listed(list(reads))} before '{loop.name}': it reads the same each time"
            if not certain:
                title = f"if it is valid even where the loop does not reach it, {title}"
            yield Candidate(title, tuple(edits), not certain)


def _is_safe_anywhere(op: Operation) -> bool:
    """Whether an operation may run where it did not: an access by constants within static sizes, or no access at all."""
    if not isinstance(op, tensor.ExtractOp):
        return not isinstance(op, SubsetExtractionOp)
    shape = getattr(op.operands[0].type, "shape", None)
    indices = [constant_index(index) for index in op.operands[1:]]
    return shape is not None and all(
        index is not None and extent is not None and 0 <= index < extent
        for index, extent in zip(indices, shape, strict=True)
    )


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


MAX_SLICES = 16
"""Other uses of what is copied that may be slices of it, put back elsewhere."""
MAX_CHAIN = 8
"""Operations between taking a slice and putting it back that are followed."""


def _matching_slice(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """Take the slice from the very tensor into which it is inserted again, if what it held is not looked at."""
    extract = operand.owner
    if not isinstance(extract, SubsetExtractionOp) or operand is not extract.subset_extraction_source():
        return
    state = result.state
    mention = operand_span(operand)
    if mention is None:
        return
    looked_at = any(state.reads(use) or state.is_alias_only(use) for use in extract.results[0].uses)
    for insertion in _inserted_by(extract):
        target = insertion.subset_destination().value
        if target is operand.value or target.type is not operand.value.type:
            continue
        if looked_at and not _has_same_part(PartPlaces(state), target, operand):
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


def _has_same_part(places: PartPlaces, target: Value, taken: OpOperand) -> bool:
    """Whether the part that is taken is in `target` what it is in the tensor it is taken from: only others were changed."""
    for _ in range(MAX_CHAIN):
        if target is taken.value:
            return True
        insertion = target.defining_op
        if isinstance(insertion, tensor.InsertOp):
            destination = insertion.op_operands[1]
        elif isinstance(insertion, SubsetInsertionOp):
            destination = insertion.subset_destination()
        else:
            return False
        if not places.different_parts(taken, destination):
            return False
        target = destination.value
    return False


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


def _existing_slice(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """What is inserted, computed in a slice of the destination that the operation which computes it reads anyway."""
    insertion = operand.owner
    if isinstance(insertion, SubsetInsertionOp) and operand is insertion.subset_source():
        init = destination_of(operand.value)
        if init is not None:
            yield from _other_destination(result, init)


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
