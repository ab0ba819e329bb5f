"""Folds of `vector`: shape changes and their inverses, inverse transfers, transfers in bounds, absorbed casts."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Final

from ...dialects import vector
from ...dialects.builtin import POISON
from ...dialects.common import constant_index
from ...dialects.vector.shapes import BroadcastOp, ShapeCastOp, ShuffleOp, TransposeOp
from ...dialects.vector.slices import ExtractStridedSliceOp, InsertStridedSliceOp, numbers_of
from ...dialects.vector.transfer import TransferOp, TransferReadOp, TransferWriteOp
from ...ir.defects import MASKED_TRANSFERS, PERMUTED_TRANSFERS, SCALABLE_TRANSFERS, SOUND, Defect
from ...ir.program.core import Operation
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from . import IN_PLACE, Constants, Fold, Folded
from .memref import look_through_memref_casts
from .tensor import look_through_casts
from .vector_elements import (
    FOLDS as ELEMENT_FOLDS,
    MAX_CHAIN,
    MAX_SHARED,
    constant_with,
    count_of,
    elements_of,
    splat_of,
)

# -- shape changes of constants and poison, and inverse shape changes


def shape_of(type: t.Type) -> tuple[int | None, ...]:
    """The shape of a vector; empty for a scalar."""
    return type.shape if isinstance(type, t.VectorType) else ()


def repeats(source: t.Type, target: t.Type) -> bool:
    """Whether a value of one type can be broadcast to the other."""
    assert isinstance(target, t.VectorType)
    if not isinstance(source, t.VectorType):
        return True
    lead = len(target.shape) - len(source.shape)
    return lead >= 0 and all(
        (size == 1 and not scalable) or (size == extent and scalable == extent_scalable)
        for size, scalable, extent, extent_scalable in zip(
            source.shape, source.scalable_dims, target.shape[lead:], target.scalable_dims[lead:], strict=True
        )
    )


def keeps_order(transpose: TransposeOp) -> bool:
    """Whether a transpose moves only unit dimensions, which preserves the order of elements."""
    type = transpose.vector.type
    assert isinstance(type, t.VectorType)
    moved = [
        i
        for i in transpose.permutation.values
        if type.shape[i] != 1 or (type.scalable_dims and type.scalable_dims[i])
    ]
    return moved == sorted(moved)


def _broadcast(op: Operation, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    if source.type is type:
        return [source]
    if constants[0] is POISON:
        return [POISON]
    made_by = source.defining_op
    if isinstance(made_by, ShapeCastOp) and _only_leading_ones(made_by, type):
        op.op_operands[0].value = made_by.source
        return IN_PLACE
    return splat_of(constants[0], type)


def _only_leading_ones(cast: ShapeCastOp, type: t.Type) -> bool:
    """Whether a cast only adds or drops leading unit dimensions, which a broadcast to `type` implies."""
    return _without_leading_ones(cast.source.type) == _without_leading_ones(cast.output.type) and repeats(
        cast.source.type, type
    )


def _without_leading_ones(type: t.Type) -> list[tuple[int | None, bool]]:
    assert isinstance(type, t.VectorType)
    dims = list(zip(type.shape, type.scalable_dims, strict=True))
    first = next((i for i, dim in enumerate(dims) if dim != (1, False)), len(dims))
    return dims[first:]


def _shape_cast(op: Operation, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    if source.type is type:
        return [source]
    before = source.defining_op
    original = source
    if isinstance(before, ShapeCastOp):
        original = before.source
    elif isinstance(before, TransposeOp) and keeps_order(before):
        original = before.vector
    elif isinstance(before, BroadcastOp) and isinstance(before.source.type, t.VectorType):
        counts = [prod(size or 0 for size in shape_of(x)) for x in (before.source.type, source.type)]
        original = before.source if counts[0] == counts[1] else source
    if original is not source:  # in graph regions, operations may use themselves
        op.op_operands[0].value = original
        return IN_PLACE
    if constants[0] is POISON:
        return [POISON]
    elements = elements_of(constants[0])
    constant = None if elements is None else constant_with(type, elements)
    return None if constant is None else [constant]


def _transpose(op: TransposeOp, constants: Constants) -> Folded:
    if op.vector.type is op.output.type and keeps_order(op):
        return [op.vector]
    return [POISON] if constants[0] is POISON else splat_of(constants[0], op.output.type)


def _bitcast(op: Operation, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    if source.type is type:
        return [source]
    before = source.defining_op
    if before is not None and before.name == "vector.bitcast":
        original = before.op_operands[0].value
        if original.type is type:
            return [original]
        if original is not source:
            op.op_operands[0].value = original
            return IN_PLACE
    return _repeated_bits(constants[0], type)


def _repeated_bits(known: a.Attribute | None, type: t.Type) -> Folded:
    """A splat constant bitcast to wider integers, its bits repeated. For floats, only `f16` to `f32`."""
    if not isinstance(known, a.DenseElementsAttr) or not known.is_splat or not isinstance(type, t.VectorType):
        return None
    before, after = known.type.element, type.element
    if isinstance(before, t.IntegerType) and isinstance(after, t.IntegerType):
        times, rest = divmod(after.width, before.width)
        if rest or times < 2:
            return None
        narrow = known.splat_value % (1 << before.width)
        wide = sum(narrow << i * before.width for i in range(times))
        return [a.DenseElementsAttr.from_values(type, [wide])]
    if before is t.F16 and after is t.F32:
        return [a.DenseElementsAttr.from_data(type, known.data * 2, 1)]
    return None


def _shuffle(op: ShuffleOp, constants: Constants) -> Folded:
    """One of the two vectors unchanged, or permuted constants."""
    type, other = op.v1.type, op.v2.type
    assert isinstance(type, t.VectorType) and isinstance(other, t.VectorType)
    if not type.shape:
        return None
    if constants[0] is POISON and constants[1] is POISON:
        return [POISON]
    mask, first, second = op.mask.values, type.shape[0] or 0, other.shape[0] or 0
    if tuple(mask) == tuple(range(first)):
        return [op.v1]
    if tuple(mask) == tuple(range(first, first + second)):
        return [op.v2]
    if len(type.shape) != 1:
        return None
    elements: list[object] = []
    for constant, size in zip(constants, (first, second), strict=True):
        known = elements_of(constant)
        if known is None and constant is not POISON:
            return None
        elements += [None] * size if known is None else known * size if len(known) == 1 else known
    known = next((element for element in elements if element is not None), None)
    chosen = [elements[i] if i >= 0 and elements[i] is not None else known for i in mask]
    return [constant_with(op.vector.type, chosen)]  # pyright: ignore[reportReturnType]


def _from_elements(op: Operation, constants: Constants) -> Folded:
    """`from_elements` of `to_elements` is the vector; constant elements make a constant vector."""
    type = op.results[0].type
    first = op.op_operands[0].value.defining_op if op.op_operands else None
    if (
        first is not None
        and first.name == "vector.to_elements"
        and first.op_operands[0].value.type is type
        and op.operands == first.results
    ):
        return [first.op_operands[0].value]
    elements = [elements_of(constant) for constant in constants]
    if not elements or any(known is None for known in elements):
        return None
    constant = constant_with(type, [known[0] for known in elements if known is not None])
    return None if constant is None else [constant]


def _to_elements(op: Operation, constants: Constants) -> Folded:
    """`to_elements` of `from_elements`, or of a constant."""
    source = op.op_operands[0].value
    made_by = source.defining_op
    if made_by is None:
        return None
    if made_by.name == "vector.from_elements":
        return [*made_by.operands]
    if isinstance(made_by, BroadcastOp) and not isinstance(made_by.source.type, t.VectorType):
        return [made_by.source for _ in op.results]
    return None


SHAPE_FOLDS: Final[dict[type[Operation], Fold]] = {
    vector.BitCastOp: _bitcast,
    BroadcastOp: _broadcast,
    vector.FromElementsOp: _from_elements,
    ShapeCastOp: _shape_cast,
    ShuffleOp: _shuffle,
    vector.ToElementsOp: _to_elements,
    TransposeOp: _transpose,
}


# -- strided slices: whole vectors, slices of constants, and of inserted slices


def _extract(op: ExtractStridedSliceOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.output.type)
    if op.source.type is type:
        return [op.source]
    if (found := _from_insertions(op)) is not None:
        return found
    if (found := splat_of(constants[0], type)) is not None:
        return found
    elements = elements_of(constants[0])
    if elements is None:
        return None
    chosen = [elements[i] for i in _places(op.source.type, numbers_of(op.offsets), type.shape)]
    constant = constant_with(type, chosen)
    return None if constant is None else [constant]


def _places(whole: t.Type, offsets: list[int], shape: tuple[int | None, ...]) -> list[int]:
    """The row-major positions of a slice aligned with the trailing dimensions of a vector."""
    assert isinstance(whole, t.VectorType)
    rank = len(whole.shape)
    starts = [*offsets, *[0] * (rank - len(offsets))]
    sizes = [*[1] * (rank - len(shape)), *[size or 0 for size in shape]]
    strides = [1] * rank
    for i in range(rank - 2, -1, -1):
        strides[i] = strides[i + 1] * (whole.shape[i + 1] or 0)
    ranges = [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    return [sum(i * stride for i, stride in zip(point, strides, strict=True)) for point in product(*ranges)]


def _from_insertions(op: ExtractStridedSliceOp) -> Folded:
    """The inserted slice at the same position, or a part of it, past disjoint insertions."""
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    insertion = op.source.defining_op
    for _ in range(MAX_CHAIN):
        if not isinstance(insertion, InsertStridedSliceOp):
            return None
        part, whole = insertion.value_to_store.type, insertion.dest.type
        assert isinstance(part, t.VectorType) and isinstance(whole, t.VectorType)
        if len(part.shape) != len(whole.shape) or len(offsets) > len(part.shape):
            return None
        places = numbers_of(insertion.offsets)
        if (
            part is op.output.type
            and tuple(places[: len(offsets)]) == tuple(offsets)
            and not any(places[len(offsets) :])
        ):
            return [insertion.value_to_store]
        rows = list(zip(offsets, sizes, places, part.shape, strict=False))
        apart = any(start + size <= at or at + (extent or 0) <= start for start, size, at, extent in rows)
        if not apart:
            within = all(
                at <= start and start + size <= at + (extent or 0) for start, size, at, extent in rows
            )
            if not within or part.shape[len(offsets) :] != whole.shape[len(offsets) :]:
                return None
            op.op_operands[0].value = insertion.value_to_store
            moved = [a.IntegerAttr(start - at, t.I64) for start, _, at, _ in rows]
            op.properties["offsets"] = a.ArrayAttr(moved)
            return IN_PLACE
        insertion = insertion.dest.defining_op
    return None


def _insert(op: InsertStridedSliceOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.output.type)
    if op.value_to_store.type is type:
        return [op.value_to_store]
    part, whole = elements_of(constants[0]), elements_of(constants[1])
    if part is None or whole is None:
        return None
    if len(part) == len(whole) == 1 and part == whole:
        return [op.dest]
    count = count_of(type)
    if count > MAX_SHARED and not op.output.has_one_use:
        return None
    inner = expect(t.VectorType, op.value_to_store.type)
    elements = whole * count if len(whole) == 1 else list(whole)
    places = _places(type, numbers_of(op.offsets), inner.shape)
    for i, place in enumerate(places):
        elements[place] = part[0 if len(part) == 1 else i]
    constant = constant_with(type, elements)
    return None if constant is None else [constant]


SLICE_FOLDS: Final[dict[type[Operation], Fold]] = {
    ExtractStridedSliceOp: _extract,
    InsertStridedSliceOp: _insert,
}


def mark_in_bounds(op: TransferOp, least: float = 0, scalable: bool = False) -> bool:
    """Mark the dimensions that are in bounds by constants; returns whether any is new.

    Broadcast dimensions are in bounds if all others are.

    Args:
        least: the least index that counts as in bounds.
        scalable: whether scalable dimensions count as having their least size.
    """
    type = op.base.type
    if not isinstance(type, t.RankedTensorType | t.MemRefType):
        return False
    flags = op.in_bounds_flags
    repeated = [i for i, expression in enumerate(op.map.results) if not isinstance(expression, AffineDim)]
    for i, expression in enumerate(op.map.results):
        if flags[i] or not isinstance(expression, AffineDim):
            continue
        extent = type.shape[expression.position]
        start = constant_index(op.indices[expression.position])
        length = op.vector_type.shape[i]
        known = extent is not None and start is not None and length is not None
        scales = op.vector_type.scalable_dims[i] and not scalable
        flags[i] = known and not scales and least <= start and start + length <= extent
    if all(flag for i, flag in enumerate(flags) if i not in repeated):
        for i in repeated:
            flags[i] = True
    if flags == op.in_bounds_flags:
        return False
    op.properties["in_bounds"] = a.ArrayAttr(a.bool_attr(flag) for flag in flags)
    return True


def _same_place(left: TransferOp, right: TransferOp) -> bool:
    return (
        left.indices == right.indices
        and left.map is right.map
        and left.vector_type is right.vector_type
        and left.mask is None
        and right.mask is None
    )


MAX_WRITES: Final = 64
"""The number of disjoint writes searched, as n searches over n writes are quadratic."""


def write_before(
    op: TransferOp, mirrored: frozenset[Defect] = SOUND
) -> tuple[TransferWriteOp | None, TransferOp]:
    """The last write to the same slice that `op` transfers, and the transfer that follows it, both on tensors.

    Writes in between are provably disjoint; the write is None if one may overlap, or if `op` may transfer only a part
    of the slice. O(MAX_WRITES * rank).
    """
    after = op
    for _ in range(0 if op.is_masked and MASKED_TRANSFERS not in mirrored else MAX_WRITES):
        write = after.base.defining_op
        if not isinstance(write, TransferWriteOp):
            break
        if _same_place(write, op):
            return write, after
        if not _disjoint(write, op, mirrored):
            break
        after = write
    return None, op


def _disjoint(left: TransferOp, right: TransferOp, mirrored: frozenset[Defect]) -> bool:
    """Whether constant indices prove that two transfers of the same shape are disjoint.

    As in mlir-opt, they are also as far apart as their vectors are long in that dimension if nothing is permuted.
    """
    if left.vector_type is not right.vector_type:
        return False
    shape = left.vector_type.shape
    leading = len(left.indices) - len(left.map.results)
    extents: list[list[int | None]] = [[1] * leading + list(shape[max(-leading, 0) :])]
    if PERMUTED_TRANSFERS not in mirrored:
        extents += [_extents(left), _extents(right)]
    scalable = any(left.vector_type.scalable_dims) and SCALABLE_TRANSFERS not in mirrored
    for i, (one, other) in enumerate(zip(left.indices, right.indices, strict=True)):
        first, second = constant_index(one), constant_index(other)
        if first is None or second is None:
            continue
        lengths = [each[i] for each in extents]
        if scalable and set(lengths) != {1}:
            continue
        if all(length is not None and abs(first - second) >= length for length in lengths):
            return True
    return False


def _extents(op: TransferOp) -> list[int | None]:
    """The number of elements transferred in each dimension of the base."""
    found: list[int | None] = [1] * len(op.indices)
    for expression, size in zip(op.map.results, op.vector_type.shape, strict=True):
        if isinstance(expression, AffineDim):
            found[expression.position] = size
    return found


def _read(op: TransferReadOp, constants: Constants) -> Folded:
    if isinstance(op.base.type, t.RankedTensorType):
        written, _ = write_before(op)
        if written is not None and all(written.in_bounds_flags):
            return [written.value_to_store]
    changed = mark_in_bounds(op) or look_through_memref_casts(op) or look_through_casts(op)
    return IN_PLACE if changed else None


def _write(op: TransferWriteOp, constants: Constants) -> Folded:
    read = op.value_to_store.defining_op
    type = op.base.type
    if (
        isinstance(type, t.RankedTensorType)
        and isinstance(read, TransferReadOp)
        and not read.is_masked
        and (
            (not op.is_masked and copies_whole(read, op)) or (read.base is op.base and _same_place(read, op))
        )
    ):
        return [read.base]
    return IN_PLACE if mark_in_bounds(op) or look_through_memref_casts(op) else None


def copies_whole(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether a whole tensor is read and then overwrites a whole tensor, apart from masks."""
    type = write.base.type
    if not isinstance(type, t.RankedTensorType) or read.base.type is not type:
        return False
    if read.vector_type is not write.vector_type:
        return False
    if not read.in_bounds_flags or read.vector_type.shape != type.shape:
        return False
    minor = read.map.is_minor_identity and write.map.is_minor_identity
    inside = all(read.in_bounds_flags) and all(write.in_bounds_flags)
    return minor and inside and all(constant_index(i) == 0 for i in (*read.indices, *write.indices))


def _access(op: Operation, constants: Constants) -> Folded:
    return IN_PLACE if look_through_memref_casts(op) else None


FOLDS: Final[dict[type[Operation], Fold]] = {
    **ELEMENT_FOLDS,
    **SHAPE_FOLDS,
    **SLICE_FOLDS,
    vector.LoadOp: _access,
    vector.MaskedLoadOp: _access,
    vector.MaskedStoreOp: _access,
    vector.StoreOp: _access,
    TransferReadOp: _read,
    TransferWriteOp: _write,
}
