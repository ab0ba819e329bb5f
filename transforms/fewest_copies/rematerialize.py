"""Cheap values are rematerialized for each consumer that overwrites them, instead of copied.

    %zeros = linalg.fill ins(%cst : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%a, %b) outs(%zeros)
    %1 = linalg.matmul ins(%c, %d) outs(%zeros)
 => each product gets its own `linalg.fill` of a `tensor.empty`

Cheap values are tensors whose elements are all one scalar (`linalg.fill`, `tensor.splat`, a splat constant, a `linalg.generic` that
yields a scalar from outside), slices, casts and reshapes of these, broadcasts, and results of `linalg.generic` that depend only
on indices and single elements. A copy reads and writes all bytes; rematerialization writes them, and reads fewer.

Only values that the analysis would copy with their contents are rematerialized.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...analysis.graphs import is_defined_at
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.strided_places import TENSOR_VIEWS
from ...dialects import arith, linalg, tensor
from ...dialects.common import Mixed, as_number, constant_index as constant, slice_fields
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import InParallelOpInterface, SizedResultOp, Slice, Sum, is_memory_effect_free
from ...ir.source.diagnostics import expect, present
from ...ir.source.records import record
from ...ir.types import attributes as a, types as t
from ...ir.types.elements import DenseElementsAttr
from .. import makers
from ..rewriting.unneeded import DeadCode

# Hoisting pure operations to an insertion point, and building sizes and slices.
#
# An operation may be hoisted to a point if it is pure, is in the point's block or an enclosing one, and its operands dominate the
# point or can be hoisted as well.

MAX_MOVED = 64
"""Operations hoisted for one value; a value that needs more is not rematerialized."""


def needed_moves(values: list[Value], place: Operation) -> list[Operation] | None:
    """The operations to hoist before `place`, in order, so that `values` dominate it.

    None if one cannot be hoisted. O(operations moved * depth).
    """
    moved: dict[Operation, None] = {}
    pending: list[tuple[Value, bool]] = [(value, False) for value in reversed(values)]
    while pending:
        value, ready = pending.pop()
        op = value.defining_op
        if op in moved or is_defined_at(value, place):
            continue
        if op is None or len(moved) > MAX_MOVED or not _may_move(op, place):
            return None
        if ready:
            moved[op] = None
            continue
        pending.append((value, True))
        pending += [(operand, False) for operand in op.operands]
    return list(moved)


def _may_move(op: Operation, place: Operation) -> bool:
    if op.regions and not isinstance(op, linalg.FillOp) and not _computes_scalar(op):
        return False
    if not is_memory_effect_free(op) or op.may_be_terminator:
        return False
    inside = place.ancestor_in_block(op.block)
    return inside is not None and inside is not op


def _computes_scalar(op: Operation) -> bool:
    """Whether an operation computes a tensor of one element, as frontends do for offsets."""
    return isinstance(op, LinalgOp) and all(getattr(v.type, "shape", ()) == () for v in op.operands)


def move(operations: list[Operation], place: Operation) -> None:
    """Hoist operations before `place`, or before its ancestor in their own block."""
    for op in operations:
        anchor = present(place.ancestor_in_block(op.block))
        if anchor is not op:
            op.move_before(anchor)


def add(b: Builder, one: Mixed, other: Mixed) -> Mixed:
    """The sum of two sizes."""
    left, right = constant(one), constant(other)
    if left is not None and right is not None:
        return left + right
    if left == 0:
        return other
    if right == 0:
        return one
    return makers.binary(b, arith.AddIOp, makers.as_value(b, one), makers.as_value(b, other))


def sizes_of(b: Builder, value: Value) -> list[Value]:
    """A value for each dynamic size of a tensor, from its definition where possible."""
    type = expect(t.RankedTensorType, value.type)
    return [size_of(b, value, i) for i, size in enumerate(type.shape) if size is None]


def size_of(b: Builder, value: Value, position: int, sums: bool = True) -> Value:
    """The size of a tensor in one dimension, as a value. O(updates between the tensor and its definition).

    With `sums`, one sum of sizes is computed; nested sums may be as long as the program is deep.
    """
    while True:
        op = value.defining_op
        type = expect(t.RankedTensorType, value.type)
        known = type.shape[position]
        if known is not None:
            return makers.index(b, known)
        size = op.size_of(expect(OpResult, value), position) if isinstance(op, SizedResultOp) else None
        if isinstance(size, tuple) and isinstance(size[0].type, t.RankedTensorType):
            value, position = size
            continue
        if isinstance(size, Value | int):
            return makers.as_value(b, size)
        if isinstance(size, Sum) and sums:
            total: Mixed = 0
            for part in size.parts:
                total = add(b, total, size_of(b, *part, sums=False) if isinstance(part, tuple) else part)
            return makers.as_value(b, total)
        return b.insert(tensor.DimOp((value, makers.index(b, position)), (t.INDEX,))).results[0]


def empty(b: Builder, type: t.RankedTensorType, sizes: list[Value]) -> Value:
    """A new `tensor.empty`."""
    return b.insert(tensor.EmptyOp(sizes, (type,))).results[0]


# Slices of tensors: the subset that an insertion writes, parts of concatenations and paddings.


def extract(
    b: Builder,
    source: Value,
    type: t.RankedTensorType,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> Value:
    """A new extraction of a slice."""
    fields = slice_fields(_lists(offsets, sizes, strides))
    return b.insert(tensor.ExtractSliceOp.build(source=source, result=type, **fields)).the_result


def insert(
    b: Builder,
    source: Value,
    dest: Value,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> tensor.SliceInsertionOp:
    """A new insertion of a slice."""
    return b.insert(tensor.SliceInsertionOp.of(source, dest, _lists(offsets, sizes, strides)))


def _lists(offsets: Sequence[Mixed], sizes: Sequence[Mixed], strides: Sequence[Mixed]) -> Slice:
    """The lists with constants as static entries; for sizes, the type of the slice determines which are static."""
    return list(map(as_number, offsets)), list(sizes), list(map(as_number, strides))


def sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a tensor: numbers for static sizes, values for dynamic ones."""
    type = expect(t.RankedTensorType, value.type)
    return [size_of(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape


MAX_BODY = 8
"""Operations in the body of a `linalg.generic` that counts as cheap."""


@record(frozen=True)
class Recipe:
    """How to rematerialize a tensor: fill it with `scalar` (a value, or the attribute of a constant), or clone `op`."""

    scalar: Value | a.Attribute | None
    op: Operation | None = None


def recipe(value: Value) -> Recipe | None:
    """How to rematerialize a tensor cheaply; None if it is not cheap. O(views between it and its definition)."""
    current = value
    while True:
        op = current.defining_op
        if op is None:
            return None
        found = _made_by(op)
        if found is not None:
            return found if found.op is None or current is value else None
        if op is None or op.name not in TENSOR_VIEWS:
            return None
        current = op.op_operands[0].value


def may_be_rematerialized(op: Operation) -> bool:
    """Whether `recipe` looks at operations of this kind: without any of them, it has none. O(1)."""
    if isinstance(op, arith.ConstantOp):
        return t.is_tensor(op.results[0].type)
    return isinstance(op, LinalgOp | tensor.SplatOp)


def _made_by(op: Operation) -> Recipe | None:
    if isinstance(op, linalg.FillOp | tensor.SplatOp):
        return Recipe(op.op_operands[0].value)
    if isinstance(op, arith.ConstantOp):
        elements = op.properties.get("value")
        if isinstance(elements, DenseElementsAttr) and elements.is_splat:
            scalar = _number(elements.splat_value, elements.element)
            return None if scalar is None else Recipe(scalar)
        return None
    if not isinstance(op, LinalgOp):
        return None
    if isinstance(op, linalg.GenericOp):
        return _of_generic(op)
    return Recipe(None, op) if isinstance(op, linalg.BroadcastOp) else None


def _number(value: Any, element: t.Type) -> a.Attribute | None:
    if isinstance(element, t.FloatType):
        return a.FloatAttr(value, element)
    if isinstance(element, t.IntegerType | t.IndexType):
        return a.IntegerAttr(int(value), element)
    return None


def _of_generic(op: LinalgOp) -> Recipe | None:
    """The recipe of a generic operation that reads only scalars and tensors of one element, or broadcasts a smaller tensor."""
    if _only_broadcasts(op):
        return Recipe(None, op)
    if len(op.results) != 1 or any(
        not op.overwrites(use)
        if op.is_init(use)
        else op.has_user_of_payload_arg(use) and not _is_scalar(use.value)
        for use in op.op_operands
    ):
        return None
    body = op.regions[0].entry
    last = present(body.last_op)
    yielded = last.op_operands[0].value
    if yielded.parent_block is not body:
        return Recipe(yielded)
    if len(body.ops) > MAX_BODY or any(inner.regions for inner in body) or not is_memory_effect_free(op):
        return None  # memory may be overwritten in between
    return Recipe(None, op) if all(_is_scalar(value) for value in op.inputs) else None


def _only_broadcasts(op: LinalgOp) -> bool:
    """Whether an operation yields the elements of its only input as they are, each at several positions."""
    if len(op.inputs) != 1 or len(op.results) != 1 or not op.overwrites(op.dps_inits()[0]):
        return False
    source, body = op.dps_inputs()[0], op.regions[0].entry
    return (
        present(body.last_op).operands[0] is op.payload_arg(source)
        and op.matching_map(source).is_projected_permutation
        and len(op.matching_map(source).results) < op.matching_map(op.dps_inits()[0]).num_dims
        and op.matching_map(op.dps_inits()[0]).is_permutation
    )


def _is_scalar(value: Value) -> bool:
    """Whether a value is a scalar or a tensor of rank 0."""
    return not isinstance(value.type, t.ShapedType) or (
        isinstance(value.type, t.RankedTensorType) and not value.type.shape
    )


def _before(op: Operation) -> Builder:
    """A builder before an operation, or before its parent for a parallel insertion."""
    around = op.parent_op
    return Builder.before(around if isinstance(around, InParallelOpInterface) else op)


def rematerialize_copied(copies: list[PlannedBuffer]) -> int:
    """Replace what the planned `copies` would copy by rematerialized tensors; how many. O(copies * views)."""
    made = 0
    for copy in copies:
        value = copy.value
        if not copy.with_contents or copy.operand is None or not isinstance(value.type, t.RankedTensorType):
            continue
        if not (value.has_uses if copy.of_result else copy.operand.value is value):
            continue  # it starts from something else by now
        found = recipe(value)
        if found is None or (not copy.of_result and _is_made_for(value, copy.operand)):
            continue
        if copy.of_result:
            assert isinstance(value, OpResult)
            again = make(found, value, Builder.after(value.owner))
            if again is None:
                continue
            value.replace_uses_if(again, lambda use: not isinstance(use.owner, tensor.DimOp))
        else:
            again = make(found, value, _before(copy.op))
            if again is None:
                continue
            copy.operand.value = again
        made += 1
    return made


def _is_made_for(value: Value, use: OpOperand) -> bool:
    """Whether a tensor is computed in a buffer of its own for this use alone, so that another one like it would be copied, too."""
    op = value.defining_op
    return (
        isinstance(op, LinalgOp)
        and op.block is use.owner.block
        and all(other is use for other in value.uses)
        and isinstance(op.op_operands[-1].value.defining_op, tensor.EmptyOp)
        and sum(1 for _ in op.op_operands[-1].value.uses) == 1
    )


def own_empties(op: Operation) -> int:
    """Give each use in a nested region its own `tensor.empty`, if hoisting or -cse has shared it. Returns their number. O(uses).

    If a loop yields a result in the shared buffer, it is copied, since the next iteration writes that buffer again.
    """
    inside = [use for use in op.results[0].uses if use.owner.parent_region is not op.parent_region]
    for use in inside:
        b = _before(use.owner)
        use.value = empty(b, expect(t.RankedTensorType, use.value.type), list(op.operands))
    return len(inside)


def make(found: Recipe, value: Value, b: Builder) -> Value | None:
    """A tensor like `value`, rematerialized; None if its type has an encoding."""
    type = expect(t.RankedTensorType, value.type)
    if type.encoding is not None:
        return None
    scalar = found.scalar
    if found.op is not None:
        target = empty(b, type, sizes_of(b, value))
        clone = found.op.clone()
        clone.op_operands[-1].value = target  # alone: what was its destination may be an input, too
        return b.insert(clone).results[0]
    return made_of(b, scalar, type, sizes_of(b, value))


def made_of(
    b: Builder, scalar: Value | a.Attribute | None, type: t.RankedTensorType, sizes: Sequence[Value] = ()
) -> Value:
    """A new tensor filled with one scalar."""
    if isinstance(scalar, a.Attribute):
        scalar = makers.constant(b, scalar, type.element)
    return fill(b, scalar, empty(b, type, list(sizes)))


def fill(b: Builder, scalar: Any, target: Value) -> Value:
    """A new `linalg.fill`."""
    return b.insert(linalg.FillOp.make([scalar], [target])).results[0]


def erase_dead(values: Iterable[Value]) -> int:
    """Erase the definitions of dead values, transitively. Returns the number of erased operations, without those nested in them."""
    erased: set[Operation] = set()
    dead = DeadCode()
    pending = list(values)
    while pending:
        op = pending.pop().defining_op
        if (
            op is None
            or op.block is None
            or not erased.isdisjoint(op.ancestors())
            or not dead.is_trivially_dead(op)
        ):
            continue
        pending += op.operands
        op.erase()
        erased.add(op)
    return len(erased)
