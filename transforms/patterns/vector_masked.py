"""Canonicalization of what is done under a mask, when the mask is known, and of gathers and scatters of what lies in a row."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, vector
from ...dialects.vector.compute import MultiDimReductionOp, ReductionOp
from ...dialects.vector.elements import ExtractOp
from ...dialects.vector.kinds import kind_name
from ...dialects.vector.masks import ConstantMaskOp, MaskOp
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
from ...dialects.vector.shapes import ShapeCastOp
from ...dialects.vector.transfer import TransferOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import constant_of
from ...semantics.folds.vector_constants import elements_of
from ..rewriting.rewriter import Rewriter


def _all_of(mask: Value) -> bool | None:
    """Whether all of a mask is set, or nothing; None if it depends."""
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
    """`maskedload` and `expandload`: all is loaded, or nothing."""
    known = _all_of(op.mask)
    if known is None:
        return False
    if not known:
        return rewriter.replace(op, [op.pass_thru])
    place = [op.base, *op.indices]
    loaded = LoadOp(place, op.result_types, None, _kept(op, "alignment"))
    if loaded.verify() is not None:
        loaded.drop_operands()
        return False
    return rewriter.replace_with(op, loaded)


def _store(op: MaskedStoreOp | CompressStoreOp, rewriter: Rewriter) -> bool:
    """`maskedstore` and `compressstore`: all is stored, or nothing."""
    known = _all_of(op.mask)
    if known is None:
        return False
    if known:
        operands = [op.value_to_store, op.base, *op.indices]
        stored = StoreOp(operands, (), None, _kept(op, "alignment"))
        if stored.verify() is not None:
            stored.drop_operands()
            return False
        rewriter.before(op).insert(stored)
    return rewriter.erase(op)


def _in_a_row(indices: Value) -> bool:
    """Whether indices are 0, 1, 2, ..."""
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
    """A mask that is all set need not be given."""
    if op.mask is None or not _all_of(op.mask):
        return False  # `op.mask` is the last operand
    index = next(use.index for use in reversed(op.op_operands) if use.value is op.mask)
    sizes = expect(a.DenseArrayAttr, op.properties["operandSegmentSizes"]).values
    op.erase_operand(index)
    op.properties["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (*sizes[:-1], 0))
    rewriter.modified(op)
    return True


# -- vector.mask


def _full_mask(op: MaskOp, rewriter: Rewriter) -> bool:
    """What runs under a mask that is all set runs without it."""
    inner = op.maskable
    if inner is None or not _all_of(op.mask):
        return False
    rewriter.move_before(inner, op)
    return rewriter.replace(op, inner.results)


def _empty_mask(op: MaskOp, rewriter: Rewriter) -> bool:
    """Where nothing runs, a value that is there already is given on, or chosen."""
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
"""What combines two integers, and two floats, for each kind of reduction."""


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
    """All of a vector in another shape, or its only element."""
    if isinstance(type, t.VectorType):
        return at.insert(ShapeCastOp.build(source=source, output=type)).output
    assert isinstance(source.type, t.VectorType)
    position = a.DenseArrayAttr(t.I64, (0,) * len(source.type.shape))
    made = ExtractOp.build(source=source, dynamic_position=[], static_position=position, output=type)
    return at.insert(made).output


def _select(at: Builder, mask: Value, yes: Value, no: Value) -> Value:
    return at.insert(arith.SelectOp((mask, yes, no), (yes.type,))).results[0]


def _around(op: Operation) -> MaskOp | None:
    """The `vector.mask` that an operation runs under."""
    parent = op.parent_op
    return parent if isinstance(parent, MaskOp) else None


def _single_element(op: ReductionOp, rewriter: Rewriter) -> bool:
    """The reduction of one element is that element, combined with what there was."""
    type, masked = op.vector.type, _around(op)
    assert isinstance(type, t.VectorType)
    if type.shape not in ((), (1,)) or any(type.scalable_dims):
        return False
    if masked is not None and (op.acc is None or masked.passthru is not None):
        return False  # what there is if the element is masked off is the neutral one
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
    """Along dimensions of size 1 nothing is combined but with what there was."""
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


PATTERNS: Final = {
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
