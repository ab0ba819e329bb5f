"""A destination that is overwritten as a whole needs no contents: it becomes a `tensor.empty`.

    %1 = insert %a into %t[0] [%n] [1]
    %2 = insert %b into %1[%n] [%m] [1]     // %t has %n + %m elements
 => the first insertion gets `tensor.empty(%k)` for %t

Followed is a chain of updates, each of which is the only one to use the tensor before it (asking for a size does not
count). Together they must cover the tensor, by constants or by places that follow one another (`parts.cover`). Replaced are
destinations that the analysis would copy, and those that are filled with one value (*dead inits*).

A loop is an update, too: of its argument it must use nothing but a chain of updates that it yields. What these write is added up over all
iterations if the number of these is known, and the places follow from the counter by arithmetic on constants:

    scf.for %i = 0 to 64 iter_args(%out = %zeros) { ... %n = insert %row into %out[%i, 0] [1, 32] [1, 1]; scf.yield %n }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ...analysis.one_shot.found_conflicts import InPlaceConflict, ReadAfterWrite
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.strided_places import inserts_what_is_there
from ...dialects import linalg, scf, tensor
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.types import types as t
from ...semantics.boxes import BoxPart, Range, cover
from ...semantics.integers import Form, shape_forms
from ...semantics.subsets import written_part
from .ground import empty, sizes_of
from .loop_writes import Corners, uses_of_contents, written_by_loop

MAX_UPDATES = 64
"""Updates that are followed from one destination at most."""


def empty_overwritten(copies: list[PlannedBuffer]) -> int:
    """Replace what planned `copies` would copy only to overwrite it; how many. O(copies * updates^2)."""
    replaced = 0
    for copy in copies:
        value, operand = copy.value, copy.operand
        if not copy.with_contents or operand is None or not isinstance(value.type, t.RankedTensorType):
            continue
        if copy.of_result:
            uses = uses_of_contents(value)
            if len(uses) != 1:
                continue
            operand = uses[0]
        if operand.value is value and is_overwritten(operand):
            _replace(operand)
            replaced += 1
    return replaced


def empty_for_readers(
    copies: list[PlannedBuffer], conflict_of: Callable[[OpOperand], InPlaceConflict | None], at_most: int
) -> int:
    """Replace destinations that are overwritten while somebody still reads them, who would get a copy; how many.

    A rotation of a tensor within its own buffer first copies the part that it overwrites; into another buffer it need not.
    """
    replaced = 0
    for copy in copies:
        conflict = None if copy.operand is None else conflict_of(copy.operand)
        if replaced == at_most or not isinstance(conflict, ReadAfterWrite):
            continue
        write = conflict.write
        if write is not copy.operand and not _is_fresh(write.value) and is_overwritten(write):
            _replace(write)
            replaced += 1
    return replaced


def fold_onto_itself(op: Operation) -> bool:
    """Leave out an insertion of what is there already, through any chain of views; False if it is not, or not known to be."""
    if not isinstance(op, tensor.SliceInsertionOp) or not op.results or not inserts_what_is_there(op):
        return False
    op.replace_with([op.dest])
    return True


def drop_dead_fill(op: Operation) -> bool:
    """Leave out a fill all of whose contents are overwritten; False if they are not. O(updates^2)."""
    if not isinstance(op, linalg.FillOp) or not op.results:
        return False
    uses = uses_of_contents(op.results[0])
    if not uses or not all(is_overwritten(use) for use in uses):
        return False
    op.replace_with([op.op_operands[1].value])
    return True


def _replace(operand: OpOperand) -> None:
    value = operand.value
    assert isinstance(value.type, t.RankedTensorType)
    b = Builder.before(operand.owner)
    operand.value = empty(b, value.type, sizes_of(b, value))


def _is_fresh(value: Value) -> bool:
    """Whether a tensor is a `tensor.empty` that nobody else uses."""
    return isinstance(value.defining_op, tensor.EmptyOp) and value.has_one_use


def is_overwritten(operand: OpOperand) -> bool:
    """Whether all that is in the operand is overwritten before anything but its size is asked for."""
    parts: list[BoxPart] = []
    if not isinstance(operand.value.type, t.RankedTensorType):
        return False
    whole = shape_forms(operand.value)
    left = _elements(
        whole
    )  # that so many are written is looked at first: whether they are all takes far longer
    for _ in range(MAX_UPDATES):
        op = operand.owner
        if any(use is not operand and use.value is operand.value for use in op.op_operands):
            return False
        found = _written_by(operand)
        if found is None or not op.results:
            return False
        parts += found
        for part in found:
            written = _elements([r.size for r in part.ranges]) if part.ranges else None
            left = None if written is None or left is None else left - written
        if (left is None or left <= 0) and cover(parts, whole):
            return True
        uses = uses_of_contents(updated(operand))
        if len(uses) != 1:
            return False
        operand = uses[0]
    return False


def updated(operand: OpOperand) -> OpResult:
    """The result of an update of a tensor, by an insertion or a loop."""
    op = operand.owner
    return op.results[operand.index - len(op.operands) if isinstance(op, scf.ForOp) else 0]


def _written_by(operand: OpOperand) -> list[BoxPart] | None:
    """What an update certainly writes of a tensor; None if it may read it."""
    op = operand.owner
    if isinstance(op, scf.ForOp):
        boxes = written_by_loop(op, operand, {})
        return None if boxes is None else [_part_of_box(box) for box in boxes]
    if not isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp) or operand.index != 1:
        return None
    part = written_part(operand)
    return None if part is None else [part]


def _elements(sizes: Sequence[Form]) -> int | None:
    """How many elements a box has; None if that is not a number."""
    if any(size.keys() - {None} for size in sizes):
        return None
    return prod(size.get(None, 0) for size in sizes)


def _part_of_box(box: Corners) -> BoxPart:
    ranges = tuple(Range({None: low} if low else {}, {None: high - low}) for low, high in box)
    return BoxPart(ranges, tuple(range(len(ranges))))
