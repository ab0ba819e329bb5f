"""Canonicalization of `vector`: transfers, masks, gathers, reductions, and arithmetic on their results."""

from __future__ import annotations

from math import inf
from typing import Final

from ...dialects import arith, vector
from ...dialects.common import constant_index, slice_fields
from ...dialects.tensor import ExtractSliceOp, SliceInsertionOp
from ...dialects.vector.compute import ContractionOp, MultiDimReductionOp, ReductionOp
from ...dialects.vector.kinds import ADD, kind_name
from ...dialects.vector.memory import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    ScatterOp,
    StoreOp,
)
from ...dialects.vector.shapes import BroadcastOp, ShapeCastOp, TransposeOp, VectorScaleOp
from ...dialects.vector.slices import ConstantMaskOp, CreateMaskOp, ExtractOp, MaskOp
from ...dialects.vector.transfer import TransferOp, TransferReadOp, TransferWriteOp
from ...ir.defects import (
    MASKED_COPIES,
    MASKED_TRANSFERS,
    NEGATIVE_INDICES,
    PERMUTED_TRANSFERS,
    SCALABLE_TRANSFERS,
)
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from ...semantics.folds import constant_of, integer_of
from ...semantics.folds.vector import copies_whole, mark_in_bounds, write_before
from ...semantics.folds.vector_elements import elements_of
from .. import makers
from ..rewriting.rewriter import Rewriter
from .tensor_casts import destination_of_cast
from .vector_shapes import PART_PATTERNS, SHAPE_PATTERNS

# -- arithmetic on results of `vector` operations: sums with a contraction, comparisons of `vector.step`


def _product_of_nothing(value: Value) -> ContractionOp | None:
    """The contraction with a zero accumulator that defines `value`, else None."""
    made_by = value.defining_op
    if not isinstance(made_by, ContractionOp) or made_by.kind is not ADD:
        return None
    elements = elements_of(constant_of(made_by.acc))
    return made_by if elements is not None and not any(elements) else None


def sum_of_product(op: Operation, rewriter: Rewriter) -> bool:
    """An addend of a contraction from zero becomes its accumulator."""
    for value, other in (op.operands, reversed(op.operands)):
        contraction = _product_of_nothing(value)
        if contraction is None:
            continue
        operands = [contraction.lhs, contraction.rhs, other]
        made = ContractionOp(operands, op.result_types, contraction.attributes, contraction.properties)
        return rewriter.replace_with(op, made)
    return False


_DECIDED: Final = {
    "ult": lambda number, count: True if number >= count else None,
    "ule": lambda number, count: True if number >= count - 1 else None,
    "ugt": lambda number, count: False if number >= count - 1 else None,
    "uge": lambda number, count: False if number >= count else None,
    "eq": lambda number, count: False if number >= count else None,
    "ne": lambda number, count: True if number >= count else None,
}
"""The result of comparing 0, 1, ..., count - 1 with a number, where it is uniform."""


def comparison_of_step(op: arith.CmpIOp, rewriter: Rewriter) -> bool:
    step, type = op.lhs.defining_op, op.lhs.type
    if step is None or step.name != "vector.step" or not isinstance(type, t.VectorType):
        return False
    elements = elements_of(constant_of(op.rhs))
    rule = _DECIDED.get(arith.INTEGER_PREDICATES[op.predicate.value])
    if (
        any(type.scalable_dims)
        or rule is None
        or elements is None
        or len(elements) != 1
        or not type.num_elements
    ):
        return False
    decided = rule(elements[0] % (1 << 64), type.num_elements)
    if decided is None:
        return False
    result = expect(t.VectorType, op.result.type)
    value = a.DenseElementsAttr.from_values(result, [decided])
    return rewriter.replace_with(op, arith.ConstantOp((), (result,), None, {"value": value}))


# -- transfers: overwritten writes, reads of written values, writes to a tensor that is then sliced


def overwritten(op: TransferWriteOp, rewriter: Rewriter) -> bool:
    """Erase an earlier write to the same slice of a tensor that has no other reader."""
    if not isinstance(op.base.type, t.RankedTensorType):
        return False
    before, after = write_before(op, rewriter.mirrored)
    if before is None:
        return False
    between: TransferOp = op
    while between is not after:
        below = between.base.defining_op
        assert isinstance(below, TransferOp), "the way that was gone to what was written before"
        between = below
        if not between.results[0].has_one_use:
            return False
    base = next(use for use in after.op_operands if use.value is before.results[0])
    return rewriter.set_operand(base, before.base)


def _places(op: TransferOp) -> dict[int, int | None]:
    """The number of elements transferred in each dimension of the base; 1 in dimensions not listed."""
    return {
        expression.position: size
        for expression, size in zip(op.map.results, op.vector_type.shape, strict=True)
        if isinstance(expression, AffineDim)
    }


def read_back(op: TransferReadOp, rewriter: Rewriter) -> bool:
    """A read of a value just written is that value, transposed or broadcast."""
    write = op.base.defining_op
    if not isinstance(op.base.type, t.RankedTensorType) or not isinstance(write, TransferWriteOp):
        return False
    if not all(op.in_bounds_flags) or not all(write.in_bounds_flags):
        return False
    if op.indices != write.indices or op.is_masked or write.is_masked or _places(op) != _places(write):
        return False
    written = [x.position for x in write.map.results if isinstance(x, AffineDim)]
    if len(written) != len(write.map.results) or not written:
        return False
    type = op.vector_type
    lead = len(type.shape) - len(written)
    order: list[int] = [-1] * len(type.shape)
    for i, expression in enumerate(op.map.results):
        if isinstance(expression, AffineDim):
            order[i] = lead + written.index(expression.position)
    free = iter([i for i in range(len(order)) if i not in order])
    order = [next(free) if i < 0 else i for i in order]
    shape: list[int | None] = [None] * len(order)
    scalable = [False] * len(order)
    for i, place in enumerate(order):
        shape[place], scalable[place] = type.shape[i], type.scalable_dims[i]
    wide = t.VectorType(shape, type.element, scalable)
    at = rewriter.before(op)
    value = at.insert(BroadcastOp.build(source=write.value_to_store, vector=wide)).vector
    permutation = a.DenseArrayAttr(t.I64, tuple(order))
    return rewriter.replace_with(op, TransposeOp.build(vector=value, permutation=permutation, output=type))


def written_into_slice(op: SliceInsertionOp, rewriter: Rewriter) -> bool:
    """A slice of a freshly written tensor that is inserted elsewhere is written there directly."""
    part = op.source.defining_op
    write = part.source.defining_op if isinstance(part, ExtractSliceOp) else None
    if not isinstance(part, ExtractSliceOp) or not isinstance(write, TransferWriteOp) or write.is_masked:
        return False
    type, whole = op.source.type, write.base.type
    assert isinstance(type, t.RankedTensorType) and isinstance(whole, t.RankedTensorType)
    inserted = part.result.type
    rank = len(write.vector_type.shape)
    if not write.results[0].has_one_use or type.rank != rank or whole.rank != rank or inserted is not type:
        return False
    zero = all(constant_index(i) == 0 if isinstance(i, Value) else i == 0 for i in part.mixed_offsets())
    ones = all(constant_index(i) == 1 if isinstance(i, Value) else i == 1 for i in part.mixed_strides())
    if not zero or not ones or any(constant_index(i) != 0 for i in write.indices):
        return False
    if part.mixed_sizes() != op.mixed_sizes():
        return False
    if [_places(write).get(i) for i in range(rank)] != list(whole.shape):
        return False
    slice = (op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides())
    made = ExtractSliceOp.build(source=op.dest, result=type, **slice_fields(slice))
    rewriter.before(op).insert(made)
    properties = dict(write.properties)
    properties["in_bounds"] = a.ArrayAttr(a.bool_attr(False) for _ in range(rank))
    operands = [write.value_to_store, made.result, *write.indices]
    new = rewriter.before(op).insert(TransferWriteOp(operands, (type,), None, properties))
    return rewriter.set_operand(op.op_operands[0], new.results[0])


# -- constant masks, and gathers and scatters of contiguous elements


def _all_of(mask: Value) -> bool | None:
    """Whether a mask is all set (True), all clear (False), or neither or unknown (None)."""
    made_by = mask.defining_op
    if isinstance(made_by, ConstantMaskOp):
        type, sizes = mask.type, made_by.mask_dim_sizes.values
        assert isinstance(type, t.VectorType)
        if tuple(sizes) == (type.shape or (1,)):
            return True
        return None if any(sizes) else False
    elements = elements_of(constant_of(mask))
    if not elements or any(bool(element) != bool(elements[0]) for element in elements):
        return None
    return bool(elements[0])


def _kept(op: Operation, *names: str) -> dict[str, a.Attribute]:
    return {name: op.properties[name] for name in names if name in op.properties}


def _load(op: MaskedLoadOp | ExpandLoadOp, rewriter: Rewriter) -> bool:
    """`maskedload` and `expandload` with a uniform mask: load everything or nothing."""
    known = _all_of(op.mask)
    if known is None:
        return False
    if not known:
        return rewriter.replace(op, [op.pass_thru])
    place = [op.base, *op.indices]
    loaded = LoadOp(place, op.result_types, None, {**_kept(op, "alignment"), **makers.access_defaults()})
    if loaded.verify() is not None:
        loaded.drop_operands()
        return False
    return rewriter.replace_with(op, loaded)


def _store(op: MaskedStoreOp | CompressStoreOp, rewriter: Rewriter) -> bool:
    """`maskedstore` and `compressstore` with a uniform mask: store everything or nothing."""
    known = _all_of(op.mask)
    if known is None:
        return False
    if known:
        operands = [op.value_to_store, op.base, *op.indices]
        stored = StoreOp(operands, (), None, {**_kept(op, "alignment"), **makers.access_defaults()})
        if stored.verify() is not None:
            stored.drop_operands()
            return False
        rewriter.before(op).insert(stored)
    return rewriter.erase(op)


def _in_a_row(indices: Value) -> bool:
    """Whether the indices are 0, 1, 2, ..."""
    type, made_by = indices.type, indices.defining_op
    assert isinstance(type, t.VectorType)
    if len(type.shape) != 1:
        return False
    if made_by is not None and made_by.name == "vector.step":
        return True
    elements = elements_of(constant_of(indices))
    count = type.num_elements or 0
    return elements is not None and len(elements) == count and elements == list(range(count))


def _gather(op: GatherOp, rewriter: Rewriter) -> bool:
    base, indices, mask = op.base, op.indices, op.mask
    if _all_of(mask) is False:
        return rewriter.replace(op, [op.pass_thru])
    if not isinstance(base.type, t.MemRefType) or not _in_a_row(indices):
        return False
    operands = [base, *op.offsets, mask, op.pass_thru]
    loaded = MaskedLoadOp(operands, op.result_types, None, _kept(op, "alignment"))
    return rewriter.replace_with(op, loaded)


def _scatter(op: ScatterOp, rewriter: Rewriter) -> bool:
    base, indices, mask = op.base, op.indices, op.mask
    if not isinstance(base.type, t.MemRefType):
        return False
    if _all_of(mask) is not False:
        if not _in_a_row(indices):
            return False
        operands = [base, *op.offsets, mask, op.value_to_store]
        rewriter.before(op).insert(MaskedStoreOp(operands, (), None, _kept(op, "alignment")))
    return rewriter.erase(op)


def _unmasked_transfer(op: TransferOp, rewriter: Rewriter) -> bool:
    """Drop a mask that is all set."""
    if op.mask is None or not _all_of(op.mask):
        return False  # the mask is the last operand
    index = next(use.index for use in reversed(op.op_operands) if use.value is op.mask)
    sizes = expect(a.DenseArrayAttr, op.properties["operandSegmentSizes"]).values
    op.erase_operand(index)
    op.properties["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (*sizes[:-1], 0))
    rewriter.modified(op)
    return True


# -- vector.mask


def _full_mask(op: MaskOp, rewriter: Rewriter) -> bool:
    """Inline the operation of a `vector.mask` that is all set."""
    inner = op.maskable
    if inner is None or not _all_of(op.mask):
        return False
    rewriter.move_before(inner, op)
    return rewriter.replace(op, inner.results)


def _empty_mask(op: MaskOp, rewriter: Rewriter) -> bool:
    """A mask without an operation forwards its yielded value, or selects between that and `passthru`."""
    if op.maskable is not None:
        return False
    values = [use.value for use in op.yielded()]
    if op.passthru is not None:
        if len(values) != 1:
            return False
        chosen = arith.SelectOp((op.mask, values[0], op.passthru), (values[0].type,))
        values = [rewriter.before(op).insert(chosen).results[0]]
    return rewriter.replace(op, values)


# -- reductions of one element

_COMBINE: Final[dict[str, tuple[type[Operation], type[Operation]]]] = {
    "add": (arith.AddIOp, arith.AddFOp),
    "and": (arith.AndIOp, arith.AndIOp),
    "maximumf": (arith.MaximumFOp, arith.MaximumFOp),
    "maxnumf": (arith.MaxNumFOp, arith.MaxNumFOp),
    "maxsi": (arith.MaxSIOp, arith.MaxSIOp),
    "maxui": (arith.MaxUIOp, arith.MaxUIOp),
    "minimumf": (arith.MinimumFOp, arith.MinimumFOp),
    "minnumf": (arith.MinNumFOp, arith.MinNumFOp),
    "minsi": (arith.MinSIOp, arith.MinSIOp),
    "minui": (arith.MinUIOp, arith.MinUIOp),
    "mul": (arith.MulIOp, arith.MulFOp),
    "or": (arith.OrIOp, arith.OrIOp),
    "xor": (arith.XOrIOp, arith.XOrIOp),
}
"""The combining operation for integers and for floats, by reduction kind."""


def _combined(
    at: Builder, kind: a.Attribute, one: Value, other: Value, fastmath: a.Attribute | None
) -> Value:
    type = one.type
    element = type.element if isinstance(type, t.VectorType) else type
    cls = _COMBINE[kind_name(kind)][isinstance(element, t.FloatType)]
    made = cls.build(lhs=one, rhs=other, result=type)
    if fastmath is not None and "fastmath" in made.properties:
        made.properties["fastmath"] = fastmath
    return at.insert(made).results[0]


def _part(at: Builder, source: Value, type: t.Type) -> Value:
    """A vector cast to another shape, or its only element."""
    if isinstance(type, t.VectorType):
        return at.insert(ShapeCastOp.build(source=source, output=type)).output
    assert isinstance(source.type, t.VectorType)
    position = a.DenseArrayAttr(t.I64, (0,) * len(source.type.shape))
    made = ExtractOp.build(source=source, dynamic_position=[], static_position=position, output=type)
    return at.insert(made).output


def _select(at: Builder, mask: Value, yes: Value, no: Value) -> Value:
    return at.insert(arith.SelectOp((mask, yes, no), (yes.type,))).results[0]


def _around(op: Operation) -> MaskOp | None:
    """The `vector.mask` that encloses the operation."""
    parent = op.parent_op
    return parent if isinstance(parent, MaskOp) else None


def _single_element(op: ReductionOp, rewriter: Rewriter) -> bool:
    """The reduction of one element is that element, combined with the accumulator."""
    type, masked = op.vector.type, _around(op)
    assert isinstance(type, t.VectorType)
    if type.shape not in ((), (1,)) or any(type.scalable_dims):
        return False
    if masked is not None and (op.acc is None or masked.passthru is not None):
        return False  # without an accumulator a masked-off element yields the neutral one
    root = masked or op
    at = rewriter.before(root)
    mask = None if masked is None else _part(at, masked.mask, t.I1)
    result = _part(at, op.vector, op.dest.type)
    if op.acc is not None:
        result = _combined(at, op.kind, result, op.acc, op.fastmath)
        if mask is not None:
            result = _select(at, mask, result, op.acc)
    return rewriter.replace(root, [result])


def _unit_reduction(op: MultiDimReductionOp, rewriter: Rewriter) -> bool:
    """A reduction along unit dimensions only combines with the accumulator."""
    type, masked = op.source.type, _around(op)
    assert isinstance(type, t.VectorType)
    reduced = op.reduction_dims.values
    if any(type.shape[i] != 1 or type.scalable_dims[i] for i in reduced):
        return False
    if masked is not None and masked.passthru is not None:
        return False
    root = masked or op
    at = rewriter.before(root)
    wanted = op.dest.type
    mask = None
    if masked is not None:
        mask = _part(at, masked.mask, wanted.with_element(t.I1) if isinstance(wanted, t.VectorType) else t.I1)
    result = _combined(at, op.kind, op.acc, _part(at, op.source, wanted), None)
    if mask is not None:
        result = _select(at, mask, result, op.acc)
    return rewriter.replace(root, [result])


MASKED_PATTERNS: Final = {
    CompressStoreOp: (_store,),
    ExpandLoadOp: (_load,),
    GatherOp: (_gather,),
    MaskOp: (_full_mask, _empty_mask),
    MaskedLoadOp: (_load,),
    MaskedStoreOp: (_store,),
    MultiDimReductionOp: (_unit_reduction,),
    ReductionOp: (_single_element,),
    ScatterOp: (_scatter,),
    vector.TransferReadOp: (_unmasked_transfer,),
    vector.TransferWriteOp: (_unmasked_transfer,),
}


def _constant_mask(op: CreateMaskOp, rewriter: Rewriter) -> bool:
    """A mask with constant sizes, clamped to the dimensions; all are 0 if one is."""
    type = expect(t.VectorType, op.mask.type)
    sizes: list[int] = []
    scalable = type.scalable_dims or (False,)
    for value, extent, scales in zip(op.sizes, type.shape or (1,), scalable, strict=True):
        number = _scalable_size(value, extent) if scales else integer_of(value)
        if number is None or extent is None:
            return False
        sizes.append(min(max(number, 0), extent))
    if 0 in sizes:
        sizes = [0] * len(sizes)
    made = ConstantMaskOp.build(mask_dim_sizes=a.DenseArrayAttr(t.I64, tuple(sizes)), mask=type)
    return rewriter.replace_with(op, made)


def _scalable_size(value: Value, extent: int | None) -> int | None:
    """The size of a mask in a scalable dimension if it covers nothing or everything, whatever `vscale` is.

    As in mlir-opt, the constant 0 is not such a size, though it covers nothing.
    """
    constant = integer_of(value)
    if constant is not None:
        return constant if constant < 0 else None
    factor = _multiple_of_vscale(value)
    return factor if factor is not None and extent is not None and factor >= extent else None


def _multiple_of_vscale(value: Value) -> int | None:
    """The constant factor if `value` is a multiple of `vector.vscale`."""
    made_by = value.defining_op
    if isinstance(made_by, VectorScaleOp):
        return 1
    if made_by is None or made_by.name != "arith.muli":
        return None
    left, right = made_by.operands
    for scale, number in ((left, right), (right, left)):
        if isinstance(scale.defining_op, VectorScaleOp):
            return integer_of(number)
    return None


def _masked_copy(op: TransferWriteOp, rewriter: Rewriter) -> bool:
    """A masked copy of a whole tensor is that tensor if the defect is mirrored; the fold requires that nothing is masked."""
    read = op.value_to_store.defining_op
    if (
        MASKED_COPIES not in rewriter.mirrored
        or not isinstance(read, TransferReadOp)
        or not copies_whole(read, op)
    ):
        return False
    return rewriter.replace(op, [read.base])


def _written_before(op: TransferReadOp, rewriter: Rewriter) -> bool:
    """What was written if defects are mirrored; the fold requires that all of it is read, and that nothing overwrites it."""
    mirrored = rewriter.mirrored & {MASKED_TRANSFERS, PERMUTED_TRANSFERS, SCALABLE_TRANSFERS}
    if not mirrored or not isinstance(op.base.type, t.RankedTensorType):
        return False
    written, _ = write_before(op, mirrored)
    if written is None or not all(written.in_bounds_flags):
        return False
    return rewriter.replace(op, [written.value_to_store])


def _ends_in_bounds(op: TransferOp, rewriter: Rewriter) -> bool:
    """Only its least end is compared with the buffer if the defects are mirrored; the fold also compares its beginning."""
    negative = NEGATIVE_INDICES in rewriter.mirrored
    marked = mark_in_bounds(op, -inf if negative else 0, SCALABLE_TRANSFERS in rewriter.mirrored)
    if marked:
        rewriter.modified(op)
    return marked


PATTERNS: Final = {
    **MASKED_PATTERNS,
    **PART_PATTERNS,
    **SHAPE_PATTERNS,
    CreateMaskOp: (_constant_mask,),
    vector.TransferReadOp: (
        _ends_in_bounds,
        _written_before,
        *MASKED_PATTERNS[vector.TransferReadOp],
        read_back,
    ),
    vector.TransferWriteOp: (
        _ends_in_bounds,
        _masked_copy,
        *MASKED_PATTERNS[vector.TransferWriteOp],
        overwritten,
        destination_of_cast,
    ),
}
