"""Dead init elimination: a destination overwritten as a whole becomes a `tensor.empty`.

    %1 = insert %a into %t[0] [%n] [1]
    %2 = insert %b into %1[%n] [%m] [1]     // %t has %n + %m elements
 => the first insertion gets `tensor.empty(%k)` for %t

A chain of updates is followed, each of which is the only use of the previous tensor (other than for its size). Together they must
cover the tensor, by constant bounds or by adjacent slices (`boxes.cover`). Destinations that the analysis would copy are
replaced, and those filled with one value (*dead inits*).

A loop is an update, too, if the only use of its iter_arg is a chain of updates that it yields. Their writes are united over all
iterations if the trip count is static and the offsets follow from the induction variable by arithmetic on constants; so are the parallel insertions of an `scf.forall`:

    scf.for %i = 0 to 64 iter_args(%out = %zeros) { ... %n = insert %row into %out[%i, 0] [1, 32] [1, 1]; scf.yield %n }
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import product
from math import prod

from ...analysis.one_shot import InPlaceConflict, ReadAfterWrite
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.strided_places import inserts_what_is_there
from ...dialects import affine, linalg, scf, tensor
from ...dialects.common import constant_index
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import CountedLoopOp, LoopAxis
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...semantics.boxes import BoxPart, Range, cover
from ...semantics.integers import Form, linear_form, shape_forms
from ...semantics.scalars import INTEGERS, on_constants
from ...semantics.tensors import written_part
from .rematerialize import empty, erase_dead, sizes_of

# The must-write set of a loop-carried tensor over all iterations, as boxes with constant bounds.
#
# The iter_arg is followed through a chain of insertions and inner loops, each of which is the only use of the previous tensor, to
# the yield at the same position. So its old contents are never read, and each insertion that runs in every iteration writes
# its slice. Its offsets follow from the induction variable by arithmetic on constants; an insertion with other offsets is ignored.

MAX_ITERATIONS = 4096
"""Iterations of one loop nest that are enumerated; in larger ones, each dimension must follow its own loop."""
MAX_CHAIN = 64
"""Updates in a loop body."""
MAX_DEPTH = 32
"""Nesting depth of the arithmetic of an offset."""

Corners = tuple[tuple[int, int], ...]
"""The first index and the (exclusive) end of a box in each dimension."""


def uses_of_contents(value: Value) -> list[OpOperand]:
    """The uses of a tensor other than for its size, or for a destination that is overwritten as a whole."""
    return [use for use in value.uses if not isinstance(use.owner, tensor.DimOp) and not _is_blank_slice(use)]


def _is_blank_slice(use: OpOperand) -> bool:
    """Whether a use extracts a slice only to overwrite it, by destination passing."""
    op = use.owner
    return isinstance(op, tensor.ExtractSliceOp) and all(
        isinstance(each.owner, LinalgOp) and each.owner.is_init(each) and each.owner.overwrites(each)
        for each in op.results[0].uses
    )


def written_by_loop(
    loop: CountedLoopOp | scf.ForallOp, init: OpOperand, known: Mapping[Value, int], exactly: bool = False
) -> list[Corners] | None:
    """The boxes of `init` that a loop must write, for known induction variables; None if it may read it. O(iterations * body).

    With `exactly`, those that it writes; None also if that is unknown.
    """
    chain = _chain(loop, init)
    if chain is None:
        return None
    if (whole := _written_by_nest(loop, init, known)) is not None:
        return [whole]
    axes, boxes = loop.axes(), list[Corners]()
    values = [_values_of_axis(axis) for axis in axes]
    iterations = prod(map(len, values))
    if iterations * _iterations(chain) > MAX_ITERATIONS or (exactly and not iterations):
        return None if exactly else boxes
    for point in product(*values):
        given = {**known, **{axis.variable: at for axis, at in zip(axes, point, strict=True)}}
        for use in chain:
            inner = use.owner
            if isinstance(inner, CountedLoopOp | scf.ForallOp):
                found = written_by_loop(inner, use, given, exactly)
                if found is None:
                    return None
            else:
                part = written_part(use)
                box = None if part is None else _box(part, given)
                if exactly and box is None:
                    return None
                found = [] if box is None else [box]
            for box in found:
                _add(boxes, box)
    return boxes


def written_exactly(operand: OpOperand) -> list[Corners] | None:
    """The boxes that an update writes; None if they are unknown, or if it may read the tensor."""
    op = operand.owner
    if isinstance(op, CountedLoopOp | scf.ForallOp):
        return written_by_loop(op, operand, {}, exactly=True)
    part = written_part(operand)
    box = None if part is None else _box(part, {})
    return None if box is None else [box]


def insertions_of(update: OpOperand) -> list[OpOperand]:
    """The updated operands of the insertions that an update consists of: itself, or those in the bodies of its loops."""
    op = update.owner
    if not isinstance(op, CountedLoopOp | scf.ForallOp):
        return [update]
    return [each for inner in _chain(op, update) or () for each in insertions_of(inner)]


def _written_by_nest(
    loop: CountedLoopOp | scf.ForallOp, init: OpOperand, known: Mapping[Value, int]
) -> Corners | None:
    """The box that nested loops write by one insertion, each dimension following its own induction variable. None if they do not.

    O(dimensions), and the iterations of a loop whose variable is not simply scaled and shifted.
    """
    values: dict[Value, range] = {}
    for _ in range(MAX_DEPTH):
        chain = _chain(loop, init)
        if chain is None or len(chain) != 1:
            return None
        values.update((axis.variable, _values_of_axis(axis)) for axis in loop.axes())
        init = chain[0]
        if not isinstance(init.owner, CountedLoopOp | scf.ForallOp):
            break
        loop = init.owner
    part = written_part(init)
    if part is None or not all(values.values()):
        return None
    corners: list[tuple[int, int]] = []
    free = set(values)
    for each in part.ranges:
        followed = _found_in((each.offset, each.size), values.keys())
        if len(followed) > 1 or not followed <= free:
            return None
        free -= followed
        variable = next(iter(followed), None)
        found = _swept(each, known, variable, values[variable] if variable is not None else range(1))
        if found is None:
            return None
        corners.append(found)
    return tuple(corners)


def _found_in(forms: Sequence[Form], wanted: Set[Value]) -> set[Value]:
    """Those of some values that linear forms are computed from."""
    found, seen = set[Value](), set[Value]()
    pending = [atom for form in forms for atom in form if isinstance(atom, Value)]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in wanted:
            found.add(value)
        elif isinstance(value, OpResult):
            pending += value.owner.operands
    return found


def _swept(
    each: Range, known: Mapping[Value, int], variable: Value | None, values: range
) -> tuple[int, int] | None:
    """The first index and the end of what a range covers without gaps while a variable takes some values; None if it does not."""
    points: Sequence[int] = values
    if variable is not None and each.offset.keys() <= {variable, None} and not each.size.keys() - {None}:
        step, size = abs(each.offset[variable] * values.step), each.size.get(None, 0)
        if step > size and len(values) > 1:
            return None
        points = (values[0], values[-1])  # the steps in between leave no gap
    elif len(values) > MAX_ITERATIONS:
        return None
    spans: list[tuple[int, int]] = []
    for at in points:
        given = known if variable is None else {**known, variable: at}
        box = _box(BoxPart((each,), (0,)), given)
        if box is None:
            return None
        spans += box
    spans.sort()
    low, high = spans[0]
    for start, end in spans[1:]:
        if start > high and points is values:
            return None
        high = max(high, end)
    return low, high


def _values_of_axis(axis: LoopAxis) -> range:
    """The values of an induction variable; empty if they are unknown."""
    lower = None if axis.lower is None else constant_index(axis.lower)
    if lower is None or not isinstance(axis.step, int) or axis.count is None or not axis.signed:
        return range(0)
    return range(lower, lower + axis.count * axis.step, axis.step)


def _chain(loop: CountedLoopOp | scf.ForallOp, init: OpOperand) -> list[OpOperand] | None:
    """The updates of one loop-carried tensor in the body, in order; None if it has other uses."""
    result = updated(init)
    if result is None:
        return None
    current: Value = loop.region_iter_args[result.index]
    chain: list[OpOperand] = []
    if isinstance(loop, scf.ForallOp):  # disjoint insertions at the end of each iteration
        chain = uses_of_contents(current)
        are_updates = all(use.owner.parent_op is loop.terminator and use.index == 1 for use in chain)
        return chain if are_updates else None
    end = loop.yielded_operands[result.index]
    for _ in range(MAX_CHAIN):
        uses = uses_of_contents(current)
        if len(uses) != 1:
            return None
        use = uses[0]
        if use is end:
            return chain
        following = updated(use) if use.owner.block is loop.regions[0].entry else None
        if following is None:
            return None
        current = following
        chain.append(use)
    return None


def _iterations(chain: list[OpOperand]) -> int:
    """The maximum number of updates per iteration, multiplied by trip counts for inner loops."""
    total = 0
    for use in chain:
        inner = use.owner
        if not isinstance(inner, CountedLoopOp | scf.ForallOp):
            total += 1
            continue
        trips = prod(axis.count or 0 for axis in inner.axes())
        total += trips * max(1, _iterations(_chain(inner, use) or []))
    return total


def _box(part: BoxPart, known: Mapping[Value, int]) -> Corners | None:
    """The constant bounds of a box without gaps, or None."""
    corners: list[tuple[int, int]] = []
    for each in part.ranges:
        offset, size = _value_of_form(each.offset, known), _value_of_form(each.size, known)
        if offset is None or size is None or size < 1 or (each.stride != 1 and size > 1):
            return None
        corners.append((offset, offset + size))
    return tuple(corners)


def _value_of_form(form: Form, known: Mapping[Value, int], depth: int = 0) -> int | None:
    total = 0
    for atom, factor in form.items():
        value = 1 if atom is None else _value(atom, known, depth) if isinstance(atom, Value) else None
        if value is None:
            return None
        total += factor * value
    return total


def _value(value: Value, known: Mapping[Value, int], depth: int = 0) -> int | None:
    """The constant value of an index or integer, for known induction variables; None if it is not constant."""
    if value in known:
        return known[value]
    if (constant := constant_index(value)) is not None:
        return constant
    if depth > MAX_DEPTH or not isinstance(value, OpResult):
        return None
    op = value.owner
    equation = INTEGERS.get(op.name)
    if equation is None or isinstance(op, affine.ApplyOp):
        form = linear_form(value)
        return None if value in form else _value_of_form(form, known, depth + 1)
    operands = [_value(operand, known, depth + 1) for operand in op.operands]
    numbers = [operand for operand in operands if operand is not None]
    widths = [_width(each.type) for each in (*op.operands, value)]
    if len(numbers) < len(operands) or 0 in widths:
        return None
    if any(n < 0 and equation.view(i) == "u" for i, n in enumerate(numbers)):
        return None  # as an unsigned number it depends on the width of `index`
    found = on_constants(equation, numbers, min(widths))
    if found is None or -(1 << (min(widths) - 1)) <= found < 1 << (min(widths) - 1):
        return found
    return None  # it wraps around, so its value depends on signedness


def _width(type: t.Type) -> int:
    """The bit width of a type; at least 32 for `index`, 0 for other types."""
    if isinstance(type, t.IndexType):
        return 32
    return type.width if isinstance(type, t.IntegerType) else 0


def _add(boxes: list[Corners], box: Corners) -> None:
    """Add a box to a stack of boxes, merging adjacent ones."""
    boxes.append(box)
    while len(boxes) > 1 and (whole := _joined(boxes[-2], boxes[-1])) is not None:
        boxes[-2:] = [whole]


def _joined(one: Corners, other: Corners) -> Corners | None:
    """The union of two boxes that are adjacent in one dimension and equal in the others, else None."""
    different = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if not different:
        return one
    at = different[0]
    (low, high), (first, end) = one[at], other[at]
    if len(different) > 1 or max(low, first) > min(high, end):
        return None
    return (*one[:at], (min(low, first), max(high, end)), *one[at + 1 :])


MAX_UPDATES = 64
"""Updates followed from one destination."""


def empty_overwritten(copies: list[PlannedBuffer]) -> int:
    """Replace destinations that planned `copies` copy only to be overwritten. Returns their number. O(copies * updates^2)."""
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
        if operand.value is value and (is_overwritten(operand) or _is_computed_into(operand)):
            replace_by_empty(operand)
            replaced += 1
    return replaced


def empty_for_readers(
    copies: list[PlannedBuffer], conflict_of: Callable[[OpOperand], InPlaceConflict | None], at_most: int
) -> int:
    """Replace destinations that are overwritten while another operand, which would be copied, reads them. Returns their number.

    For example, rotating a tensor within its own buffer copies a slice first; rotating it into another buffer does not.
    """
    replaced = 0
    for copy in copies:
        conflict = None if copy.operand is None else conflict_of(copy.operand)
        if replaced == at_most or not copy.with_contents or not isinstance(conflict, ReadAfterWrite):
            continue
        write = conflict.write
        if write is not copy.operand and not _is_fresh(write.value) and is_overwritten(write):
            replace_by_empty(write)
            replaced += 1
    return replaced


def fold_onto_itself(op: Operation) -> bool:
    """Remove an insertion of the contents that are already there, through any chain of views; False if that is not provable."""
    if not isinstance(op, tensor.SliceInsertionOp) or not op.results or not inserts_what_is_there(op):
        return False
    source = op.source
    op.replace_with([op.dest])
    erase_dead([source])
    return True


def drop_dead_fill(op: Operation) -> bool:
    """Remove a fill that is overwritten as a whole; False if that is not provable. O(updates^2)."""
    if not isinstance(op, linalg.FillOp) or not op.results:
        return False
    uses = uses_of_contents(op.results[0])
    if not uses or not all(is_overwritten(use) or _is_computed_into(use) for use in uses):
        return False
    op.replace_with([op.op_operands[1].value])
    return True


def replace_by_empty(operand: OpOperand) -> None:
    """Let an operation overwrite a new tensor instead."""
    value = operand.value
    assert isinstance(value.type, t.RankedTensorType)
    b = Builder.before(operand.owner)
    operand.value = empty(b, value.type, sizes_of(b, value))


def _is_fresh(value: Value) -> bool:
    """Whether a tensor is a `tensor.empty` with a single use."""
    return isinstance(value.defining_op, tensor.EmptyOp) and value.has_one_use


def may_overwrite_whole(op: Operation) -> bool:
    """Whether the operation may be one of those that overwrite a destination as a whole; without any, none is. O(1)."""
    if isinstance(op, tensor.InsertOp):
        extents, indices = expect(t.RankedTensorType, op.operands[1].type).shape, op.operands[2:]
        return all(
            n in (1, None) or constant_index(i) is not None for n, i in zip(extents, indices, strict=True)
        )
    return isinstance(op, LinalgOp | tensor.SliceInsertionOp | CountedLoopOp | scf.ForallOp)


def is_overwritten(operand: OpOperand) -> bool:
    """Whether the operand is overwritten as a whole before its contents are read."""
    parts: list[BoxPart] = []
    if not isinstance(operand.value.type, t.RankedTensorType):
        return False
    whole = shape_forms(operand.value)
    left = _elements(
        whole
    )  # that so many are written is looked at first: whether they are all takes far longer
    for _ in range(MAX_UPDATES):
        op = operand.owner
        if not operand.value.has_one_use and any(
            use is not operand and use.value is operand.value for use in op.op_operands
        ):
            return False
        found, following = _written_by(operand), updated(operand)
        if found is None or following is None:
            return False
        parts += found
        for part in found:
            written = _elements([r.size for r in part.ranges]) if part.ranges else None
            left = None if written is None or left is None else left - written
        if (left is None or left <= 0) and cover(parts, whole):
            return True
        uses = uses_of_contents(following)
        if len(uses) != 1:
            return False
        operand = uses[0]
    return False


def _is_computed_into(operand: OpOperand) -> bool:
    """Whether the operand is a destination that is overwritten by one operation, through reshapes."""
    while isinstance(operand.owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        uses = uses_of_contents(operand.owner.results[0])
        if len(uses) != 1:
            return False
        operand = uses[0]
    op = operand.owner
    if not isinstance(op, LinalgOp) or not op.is_init(operand) or not op.overwrites(operand):
        return False
    return all(use is operand or use.value is not operand.value for use in op.op_operands)


def updated(operand: OpOperand) -> OpResult | None:
    """The result of an insertion or loop that corresponds to the updated operand; None for other operands."""
    op = operand.owner
    if isinstance(op, CountedLoopOp):
        return op.carried_result(operand)
    if isinstance(op, scf.ForallOp):
        return next((op.results[i] for i, use in enumerate(op.init_operands) if use is operand), None)
    if isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp) and operand.index == 1:
        return next(iter(op.results), None)
    return None


def _written_by(operand: OpOperand) -> list[BoxPart] | None:
    """The must-write set of an update; None if it may read the tensor."""
    op = operand.owner
    if isinstance(op, CountedLoopOp | scf.ForallOp):
        boxes = written_by_loop(op, operand, {})
        return None if boxes is None else [_part_of_box(box) for box in boxes]
    if not isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp) or operand.index != 1:
        return None
    part = written_part(operand)
    return None if part is None else [part]


def _elements(sizes: Sequence[Form]) -> int | None:
    """The number of elements of a box; None if it is not constant."""
    if any(size.keys() - {None} for size in sizes):
        return None
    return prod(size.get(None, 0) for size in sizes)


def _part_of_box(box: Corners) -> BoxPart:
    ranges = tuple(Range({None: low} if low else {}, {None: high - low}) for low, high in box)
    return BoxPart(ranges, tuple(range(len(ranges))))
