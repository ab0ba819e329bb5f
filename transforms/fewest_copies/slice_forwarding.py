"""A tensor assembled from slices of others is not materialized: its readers read the slices.

    %0 = insert %a into %e[0] [31] [1]                     %x = extract %o[0] [31] [1]
    %1 = insert %b into %0[31] [1] [1]                     %y = linalg.generic ins(%a) outs(%x) { ... }
    %2 = linalg.generic ins(%1) outs(%o) { ... }        => %z = insert %y into %o[0] [31] [1]
                                                           (the same with %b for the rest)

So a shift or rotation is not copied: its readers load from the source slices. The parts must be slices of other tensors, arguments,
or one scalar (the border of a padding, or of an insertion into a filled tensor), which readers use directly. Computed parts are
handled by destination passing instead. Parts have constant offsets and sizes, are disjoint, and cover the tensor. A reader must read
each element at the loop indices equal to its position, with parallel loops only: then its iteration space can be split by part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, product
from math import prod
from operator import add

from ...dialects import tensor
from ...dialects.common import Mixed, constant_index, dropped_dims
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.generic import IndexOp
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.source.diagnostics import expect
from ...ir.source.records import record, replace
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim, AffineExpr
from ...ir.types.affine_map import AffineMap
from .. import makers
from . import rematerialize
from .carry_borders import Box, box_of
from .remainders import border, decompose_concat, subtract
from .rematerialize import empty, erase_dead, extract, insert, made_of, make, recipe, size_of, sizes_of

MAX_PARTS = 8
"""Parts times readers, each of which becomes an operation; beyond that the tensor is materialized."""


MAX_DEPTH = 4
"""Nesting depth of tensors assembled from assembled tensors."""


@record(frozen=True)
class LaidPart:
    """A part at `offsets` with these `sizes`: a tensor, or a scalar."""

    value: Value | None
    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    scalar: Value | a.Attribute | None = None

    def slice(self, b: Builder, element: t.Type, offsets: tuple[int, ...], sizes: tuple[int, ...]) -> Value:
        """A slice of the part, with offsets relative to the whole."""
        type = t.RankedTensorType(sizes, element)
        if self.value is None:
            return made_of(b, self.scalar, type)
        if sizes == self.sizes:
            return self.value
        at = [offset - start for offset, start in zip(offsets, self.offsets, strict=True)]
        return extract(b, self.value, type, at, sizes, [1] * len(sizes))


AssembledOp = tensor.SliceInsertionOp | tensor.ConcatOp | tensor.PadOp


def read_parts_of(op: Operation) -> int:
    """Let the readers of an assembled tensor read its parts. Returns the number of readers."""
    if not isinstance(op, AssembledOp) or not op.results:
        return 0
    whole = op.results[0]
    readers = list(dict.fromkeys(use.owner for use in whole.uses))
    if not readers or not all(_reads_points(reader, whole) for reader in readers):
        return 0
    parts = parts_of(op)
    if not parts or len(parts) * len(readers) > MAX_PARTS:
        return 0
    for reader in readers:
        assert isinstance(reader, LinalgOp)
        for init in reader.dps_inits():
            if init.value is whole or _is_read_elsewhere(init, parts):
                type = expect(t.RankedTensorType, init.value.type)
                init.value = empty(Builder.before(reader), type, [])
        _read_apart(reader, whole, parts)
    erase_dead([whole])
    return len(readers)


def forward_slice(op: Operation) -> bool:
    """Extract a slice of an assembled tensor from its parts; False if that is not possible."""
    if not isinstance(op, tensor.ExtractSliceOp):
        return False
    made, box = op.source.defining_op, box_of(op)
    if box is None or not isinstance(made, AssembledOp):
        return False
    whole = op.source
    if not all(
        (isinstance(user, tensor.ExtractSliceOp) and box_of(user)) or _reads_points(user, whole)
        for user in whole.users
    ):
        return False
    parts = parts_of(made)
    found = [(part, common) for part in parts if (common := _common(part, box)) is not None]
    if not found or len(found) > MAX_PARTS // 2:
        return False
    b = Builder.before(op)
    pieces: list[Value] = []
    for part, (offsets, sizes) in found:
        pieces.append(part.slice(b, expect(t.RankedTensorType, op.source.type).element, offsets, sizes))
    value = pieces[0]
    if len(pieces) > 1:
        value = empty(b, expect(t.RankedTensorType, op.results[0].type), [])
        for piece, (_, (offsets, sizes)) in zip(pieces, found, strict=True):
            at = [offset - start for offset, start in zip(offsets, box[0], strict=True)]
            value = insert(b, piece, value, at, sizes, [1] * len(sizes)).results[0]
    op.replace_with([value])
    erase_dead([whole])
    return True


def _common(part: LaidPart, box: Box) -> Box | None:
    """The intersection of a part and a box."""
    offsets = tuple(map(max, part.offsets, box[0]))
    ends = tuple(
        min(a + m, b + n) for a, m, b, n in zip(part.offsets, part.sizes, box[0], box[1], strict=True)
    )
    sizes = tuple(end - offset for offset, end in zip(offsets, ends, strict=True))
    return (offsets, sizes) if all(size > 0 for size in sizes) else None


def parts_of(op: AssembledOp, depth: int = 0) -> list[LaidPart]:
    """The parts of an assembled tensor; empty if they are unknown or do not cover it."""
    if isinstance(op, tensor.SliceInsertionOp):
        parts = _inserted(op)
    else:
        parts = _joined(op) if isinstance(op, tensor.ConcatOp) else _padded(op)
    shape = _shape(op.results[0])
    if parts is None or None in shape:
        return []
    flat: list[LaidPart] = []
    for part in parts:
        made = None if part.value is None else part.value.defining_op
        found = None if part.value is None else recipe(part.value)
        if found is not None and found.op is None:
            flat.append(replace(part, value=None, scalar=found.scalar))
        elif part.value is None or _is_elsewhere(part.value):
            flat.append(part)
        elif isinstance(made, AssembledOp) and depth < MAX_DEPTH:
            inner = parts_of(made, depth + 1)
            if not inner:
                return []
            flat += [replace(one, offsets=tuple(map(add, part.offsets, one.offsets))) for one in inner]
        else:
            return []
    parts = flat
    if any(_overlap(one, other) for one, other in combinations(parts, 2)):
        return []
    covered = sum(prod(part.sizes) for part in parts)
    return parts if covered == prod(size for size in shape if size is not None) else []


def _inserted(op: tensor.SliceInsertionOp) -> list[LaidPart] | None:
    """The parts of a chain of insertions, with the remainder of a filled tensor. None if some part is unknown."""
    parts: list[LaidPart] = []
    last: Operation | None = op
    shape = tuple(size or 0 for size in _shape(op.results[0]))
    left = prod(shape)
    while left > 0:
        box = box_of(last) if isinstance(last, tensor.SliceInsertionOp) else None
        if not isinstance(last, tensor.SliceInsertionOp) or box is None or len(parts) == MAX_PARTS:
            return None
        parts.append(LaidPart(last.source, *box))
        left -= prod(box[1])
        filled = recipe(last.dest)
        if left > 0 and filled is not None and filled.op is None:
            return parts[::-1] + _of_one_value(shape, parts, filled.scalar)
        last = last.dest.defining_op
    return parts[::-1]


def _of_one_value(
    shape: tuple[int, ...], parts: Sequence[LaidPart], scalar: Value | a.Attribute | None
) -> list[LaidPart]:
    """The remainder of a filled tensor of this shape after `parts`."""
    rest = subtract(shape, [(part.offsets, part.sizes) for part in parts])
    return [LaidPart(None, *box, scalar) for box in rest]


def _padded(op: tensor.PadOp) -> list[LaidPart] | None:
    sizes = tuple(size for size in _shape(op.source) if size is not None)
    low = tuple(n for entry in op.mixed_low() if (n := constant_index(entry)) is not None)
    shape = tuple(size for size in _shape(op.results[0]) if size is not None)
    scalar = border(op) if len(low) == len(sizes) == len(shape) else None
    if scalar is None:
        return None
    inner = LaidPart(op.source, low, sizes)
    return [inner, *_of_one_value(shape, [inner], scalar)]


def _joined(op: tensor.ConcatOp) -> list[LaidPart] | None:
    along, at = op.dim.value, 0
    parts: list[LaidPart] = []
    for value in op.operands:
        sizes = tuple(size for size in _shape(value) if size is not None)
        if len(sizes) < len(_shape(value)):
            return None
        parts.append(LaidPart(value, tuple(at if i == along else 0 for i in range(len(sizes))), sizes))
        at += sizes[along]
    return parts


def _is_elsewhere(value: Value) -> bool:
    """Whether a value is in another buffer, rather than computed for this use."""
    return isinstance(value, BlockArgument) or isinstance(value.defining_op, tensor.ExtractSliceOp)


def _overlap(one: LaidPart, other: LaidPart) -> bool:
    return all(
        max(a, b) < min(a + m, b + n)
        for a, m, b, n in zip(one.offsets, one.sizes, other.offsets, other.sizes, strict=True)
    )


def _reads_points(op: Operation, whole: Value) -> bool:
    """Whether an operation reads each element of `whole` exactly at the loop indices equal to its position."""
    if not isinstance(op, LinalgOp) or not op.has_pure_tensor_semantics or "reduction" in op.iterator_types():
        return False
    if any(isinstance(inner, IndexOp) for inner in op.walk()):
        return False
    for use in op.op_operands:
        map, type = op.matching_map(use), use.value.type
        if isinstance(type, t.RankedTensorType):
            if not map.is_projected_permutation or type.encoding is not None or None in type.shape:
                return False
        elif map.results:
            return False
        if use.value is whole and (op.payload_arg(use).has_uses if op.is_init(use) else not map.is_identity):
            return False
        if op.is_init(use) and not map.is_permutation:
            return False
    return True


def _is_read_elsewhere(init: OpOperand, parts: Sequence[LaidPart]) -> bool:
    """Whether parts are slices of an overwritten destination, and are read at other positions than they are written."""
    op = expect(LinalgOp, init.owner)
    made = (part.value.defining_op for part in parts if part.value is not None)
    return not op.payload_arg(init).has_uses and any(
        isinstance(each, tensor.ExtractSliceOp) and each.source is init.value for each in made
    )


def _read_apart(op: LinalgOp, whole: Value, parts: Sequence[LaidPart]) -> None:
    """Replace `op` by one operation for each part of `whole`."""
    b = Builder.before(op)
    current = [use.value for use in op.dps_inits()]
    for part in parts:
        clone = expect(LinalgOp, op.clone())
        places: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        slices: dict[tuple[Value, tuple[int, ...], tuple[int, ...]], Value] = {}
        for use in clone.op_operands:
            number = use.index - op.input_count
            value = _so_far(op, op.op_operands[use.index], current)
            if value is whole and number < 0:
                element = expect(t.RankedTensorType, whole.type).element
                value = part.slice(b, element, part.offsets, part.sizes)
            elif isinstance(value.type, t.RankedTensorType):
                dims = _positions(op.matching_map(op.op_operands[use.index]))
                offsets, sizes = tuple(part.offsets[d] for d in dims), tuple(part.sizes[d] for d in dims)
                if sizes != value.type.shape:
                    type = t.RankedTensorType(sizes, value.type.element)
                    key = value, offsets, sizes
                    if key not in slices:
                        slices[key] = extract(b, value, type, offsets, sizes, [1] * len(dims))
                    value = slices[key]
                if number >= 0:
                    places.append((offsets, sizes))
                    clone.results[number].type = value.type
            use.value = value
        b.insert(clone)
        for number, (offsets, sizes) in enumerate(places):
            found, into = clone.results[number], current[number]
            if found.type is not into.type:
                found = insert(b, found, into, offsets, sizes, [1] * len(sizes)).results[0]
            current[number] = found
    op.replace_with(current)


def _so_far(op: LinalgOp, use: OpOperand, current: Sequence[Value]) -> Value:
    """The current value of an operand after some parts are computed; for a destination, their results.

    An input that is also a destination is read from there, if at the same positions, which only its own part overwrites.
    """
    map = str(op.matching_map(use))
    for init, value in zip(op.dps_inits(), current, strict=True):
        if init is use or (
            not op.is_init(use) and init.value is use.value and str(op.matching_map(init)) == map
        ):
            return value
    return use.value


def _positions(map: AffineMap) -> list[int]:
    return [expr.position for expr in map.results if isinstance(expr, AffineDim)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape


# Rank-reducing slices: unit dimensions that are collapsed right after an extraction, or expanded right before an insertion, are
# dropped by the slice itself.
#
#     %s = tensor.extract_slice %t[0, %i] [8, 1] [1, 1] : tensor<8x8xi32> to tensor<8x1xi32>
#     %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x1xi32> into tensor<8xi32>
#  => %c = tensor.extract_slice %t[0, %i] [8, 1] [1, 1] : tensor<8x8xi32> to tensor<8xi32>
#
# The layout of a slice can rarely be collapsed, so its buffer would be copied; a rank-reducing subview is always possible.


def reduce_rank(op: Operation) -> int:
    """Make a slice with collapsed or expanded unit dimensions rank-reducing; 0 if that is not possible."""
    if isinstance(op, tensor.SliceInsertionOp):
        return _reduce_insertion(op)
    if not isinstance(op, tensor.CollapseShapeOp):
        return 0
    made = op.op_operands[0].value.defining_op
    if not isinstance(made, tensor.ExtractSliceOp) or not _drops_only_ones(made, op):
        return 0
    type = expect(t.RankedTensorType, op.results[0].type)
    lists = made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()
    view = made.results[0]
    op.replace_with([rematerialize.extract(Builder.before(op), made.source, type, *lists)])
    erase_dead([view])
    return 1


MAX_ELEMENTS = 16
"""Elements of a tensor up to which they are inserted one by one."""


def insert_elements(op: Operation) -> int:
    """Insert the elements that a slice or a part of a concatenation is made of; 0 if it is made otherwise, or of more than
    MAX_ELEMENTS. The slice would need a buffer.

       insert (tensor.from_elements %x, %y : tensor<2xf32>) into %t[%i] [2] [1]
    => tensor.insert %y into (tensor.insert %x into %t[%i])[%i + 1]
    """
    if isinstance(op, tensor.ConcatOp):
        if not any(map(elements_of, op.operands)):
            return 0
        for made in decompose_concat(op):
            insert_elements(made)
        return 1
    if not isinstance(op, tensor.InsertSliceOp):
        return 0
    elements = elements_of(op.source)
    if not elements or (len(elements) > 1 and any(stride != 1 for stride in op.mixed_strides())):
        return 0
    b, source, dest = Builder.before(op), op.source, op.dest
    shape = expect(t.RankedTensorType, source.type).shape
    dropped = dropped_dims(op.mixed_sizes(), shape)
    for element, at in zip(elements, product(*(range(size or 0) for size in shape)), strict=True):
        inside = iter(at)
        indices = [
            makers.as_value(b, rematerialize.add(b, offset, 0 if i in dropped else next(inside)))
            for i, offset in enumerate(op.mixed_offsets())
        ]
        dest = b.insert(tensor.InsertOp((element, dest, *indices), (op.dest.type,))).results[0]
    op.replace_with([dest])
    erase_dead([source])
    return 1


def elements_of(value: Value) -> tuple[Value, ...]:
    """The elements that a tensor is made of, through reshapes; none if it is made otherwise, or of more than MAX_ELEMENTS."""
    maker = value.defining_op
    while isinstance(maker, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        maker = maker.op_operands[0].value.defining_op
    if not isinstance(maker, tensor.FromElementsOp) or len(maker.operands) > MAX_ELEMENTS:
        return ()
    return tuple(maker.operands)


def _drops_only_ones(slice: tensor.ExtractSliceOp, collapse: tensor.CollapseShapeOp) -> bool:
    """Whether each group has at most one non-unit dimension, and a rank-reducing slice exists."""
    shape = expect(t.RankedTensorType, slice.results[0].type).shape
    result = expect(t.RankedTensorType, collapse.results[0].type)
    for group in collapse.reassociation_indices():
        if sum(shape[i] != 1 for i in group) > 1:
            return False
    sizes = slice.mixed_sizes()
    kept = [size for i, size in enumerate(sizes) if i not in dropped_dims(sizes, result.shape)]
    return _fit(kept, result.shape)


def _fit(kept: list[Mixed], shape: t.Shape) -> bool:
    """Whether the kept sizes equal those of a shape."""
    return len(kept) == len(shape) and all(
        isinstance(size, int) == (n is not None) and (n is None or n == size)
        for size, n in zip(kept, shape, strict=True)
    )


def _reduce_insertion(op: tensor.SliceInsertionOp) -> int:
    """Insert a tensor without the unit dimensions by which it was expanded; 1 if that is possible."""
    view = op.op_operands[0].value.defining_op
    if not isinstance(view, tensor.ExpandShapeOp):
        return 0
    source = view.op_operands[0].value
    shape = expect(t.RankedTensorType, view.results[0].type).shape
    type = expect(t.RankedTensorType, source.type)
    if any(sum(shape[i] != 1 for i in group) > 1 for group in view.reassociation_indices()):
        return 0
    if not type.shape and any(size != 1 for size in shape):
        return 0
    sizes = op.mixed_sizes()
    kept = [size for i, size in enumerate(sizes) if i not in dropped_dims(sizes, type.shape)]
    if not _fit(kept, type.shape):
        return 0
    op.op_operands[0].value = source
    erase_dead([view.results[0]])
    return 1


# Slicing producers: only the extracted slice of a result is computed, from slices of the operands.
#
#     %p = linalg.matmul ins(%x, %w) outs(%zeros) -> tensor<8x256xf32>
#     %s = tensor.extract_slice %p[0, 0] [8, 32] [1, 1]
#  => %v = tensor.extract_slice %w[0, 0] [256, 32] [1, 1]
#     %s = linalg.matmul ins(%x, %v) outs(zeros of 8x32)
#
# Conditions: the slice is the only use of the result; each dimension of the result is one loop, which is the only one in the operand
# dimensions that it indexes, so a range of the loop is a slice of the operand; strides are 1; sizes are static; the payload has no
# `linalg.index`. Reductions run over the same elements in the same order.

MAX_BODY = 48
"""Operations in the payload; with a larger one, the tensor is materialized."""


def slice_result(op: Operation) -> bool:
    """Compute only the extracted slice of the result of a structured operation; False if that is not possible."""
    if not isinstance(op, tensor.ExtractSliceOp) or op.block is None:
        return False
    producer = op.source.defining_op
    if not isinstance(producer, LinalgOp) or not _may_be_sliced(producer, op):
        return False
    sliced = _loops_taken(producer, op)
    if sliced is None:
        return False
    b = Builder.before(op)
    clone = expect(LinalgOp, producer.clone())
    for use in producer.op_operands:
        clone.op_operands[use.index].value = _part(b, producer, use.index, sliced)
    made = b.insert(clone).results[0]
    made.type = clone.dps_inits()[0].value.type
    made.name_hint = op.results[0].name_hint
    if made.type is not op.results[0].type:  # a size that is known, but not in the type of the slice
        made = b.insert(tensor.CastOp((made,), (op.results[0].type,))).results[0]
    op.replace_with([made])
    erase_dead([producer.results[0]])
    return True


def _may_be_sliced(producer: LinalgOp, op: tensor.ExtractSliceOp) -> bool:
    if len(producer.results) != 1 or not producer.results[0].has_one_use or producer.block is not op.block:
        return False
    if not producer.has_pure_tensor_semantics or not is_memory_effect_free(producer):
        return False
    type, whole = op.results[0].type, producer.results[0].type
    if not isinstance(type, t.RankedTensorType) or not isinstance(whole, t.RankedTensorType):
        return False
    if len(type.shape) != len(whole.shape) or type.encoding is not None:
        return False
    inner = list(producer.walk())
    return len(inner) <= MAX_BODY and not any(isinstance(each, IndexOp) for each in inner)


def _loops_taken(producer: LinalgOp, op: tensor.ExtractSliceOp) -> dict[int, tuple[Mixed, int]] | None:
    """The offset and size of the range of each sliced loop; None if unknown."""
    map = producer.matching_map(producer.dps_inits()[0])
    shape = op.source.type.shape if isinstance(op.source.type, t.RankedTensorType) else ()
    if not map.is_projected_permutation:
        return None  # a diagonal: two dimensions slice one loop differently
    sliced: dict[int, tuple[Mixed, int]] = {}
    lists = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
    for expr, extent, offset, size, stride in zip(map.results, shape, *lists, strict=True):
        count = constant_index(size)
        if not isinstance(expr, AffineDim) or count is None or constant_index(stride) != 1:
            return None
        if constant_index(offset) == 0 and count == extent:
            continue
        sliced[expr.position] = offset, count
    if not sliced:
        return None
    for use in producer.op_operands:
        for expr in producer.matching_map(use).results:
            if not isinstance(expr, AffineDim) and _uses(expr, sliced):
                return None
    return sliced


def _uses(expr: AffineExpr, loops: Collection[int]) -> bool:
    return any(isinstance(inner, AffineDim) and inner.position in loops for inner in expr.walk())


def _part(b: Builder, producer: LinalgOp, index: int, sliced: dict[int, tuple[Mixed, int]]) -> Value:
    """The operand of the smaller operation."""
    use = producer.op_operands[index]
    value, type = use.value, use.value.type
    map = producer.matching_map(use)
    if not isinstance(type, t.RankedTensorType):
        return value
    found = [sliced.get(expr.position) if isinstance(expr, AffineDim) else None for expr in map.results]
    if not any(found):
        return value
    offsets: list[Mixed] = [0 if part is None else part[0] for part in found]
    shape = tuple(size if part is None else part[1] for size, part in zip(type.shape, found, strict=True))
    sizes: list[Mixed] = [
        size_of(b, value, position) if size is None else size for position, size in enumerate(shape)
    ]
    part = extract(b, value, type.with_shape(shape), offsets, sizes, [1] * len(shape))
    if isinstance(value.defining_op, tensor.EmptyOp):
        fresh: Value | None = empty(b, type.with_shape(shape), sizes_of(b, part))
    else:
        known = recipe(part)
        fresh = None if known is None else make(known, part, b)
    if fresh is None:
        return part
    erase_dead([part])
    return fresh
