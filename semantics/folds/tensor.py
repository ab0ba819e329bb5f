"""Folds of `tensor`: sizes and elements from definitions, inverse slices and reshapes."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from ...dialects import tensor
from ...dialects._reshapes import leaves_sizes_open
from ...dialects.common import constant_index
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.uniquing import Attribute
from ..boxes import covers
from . import IN_PLACE, Constants, Fold, Folded


def forgetting_cast(value: Value) -> Value | None:
    """The source of `value` if it is a cast that only forgets sizes, which users may bypass; else None."""
    if not isinstance(value, OpResult) or not isinstance(value.owner, tensor.CastOp):
        return None
    source = value.owner.source
    return source if knows_as_much(source.type, value.type) else None


def knows_as_much(known: t.Type, wanted: t.Type) -> bool:
    """Whether a tensor type is static wherever another one is; the sizes themselves are not compared."""
    if not isinstance(known, t.RankedTensorType) or not isinstance(wanted, t.RankedTensorType):
        return False
    if known.element is not wanted.element or known.encoding is not wanted.encoding:
        return False
    return len(known.shape) == len(wanted.shape) and all(
        w is None or k is not None for k, w in zip(known.shape, wanted.shape, strict=True)
    )


def look_through_casts(op: Operation) -> bool:
    """Replace operands that are casts by their sources; returns whether anything changed."""
    changed = False
    for use in op.op_operands:
        source = forgetting_cast(use.value)
        if source is not None:
            use.value = source
            changed = True
    return changed


def _dim(op: Operation, constants: Constants) -> Folded:
    index, source = constants[1], op.op_operands[0].value
    type = source.type
    if not isinstance(index, a.IntegerAttr) or not isinstance(type, t.RankedTensorType):
        return None
    position = index.value
    if not 0 <= position < len(type.shape):
        return None
    size = type.shape[position]
    if size is not None:
        return [a.index_attr(size)]
    made = source.defining_op
    if isinstance(made, tensor.GenerateOp):
        return [made.operands[type.shape[:position].count(None)]]
    if isinstance(made, tensor.ExtractSliceOp):
        sizes = made.mixed_sizes()
        if len(sizes) == len(type.shape) and isinstance(sizes[position], Value):
            return [sizes[position]]  # pyright: ignore[reportReturnType]
    return IN_PLACE if look_through_casts(op) else None


def _rank(op: Operation, constants: Constants) -> Folded:
    type = op.op_operands[0].value.type
    return [a.index_attr(len(type.shape))] if isinstance(type, t.RankedTensorType) else None


def _extract(op: Operation, constants: Constants) -> Folded:
    whole = constants[0]
    if isinstance(whole, a.DenseElementsAttr) and whole.is_splat:
        return element_of(whole, 0)
    indices = [index.value for index in constants[1:] if isinstance(index, a.IntegerAttr)]
    source = op.op_operands[0].value
    if len(indices) != len(op.op_operands) - 1 or not isinstance(source.type, t.RankedTensorType):
        return None
    made = source.defining_op
    if isinstance(made, tensor.InsertOp) and list(map(constant_index, made.operands[2:])) == indices:
        return [made.operands[0]]
    shape = source.type.shape
    if any(size is None or not 0 <= i < size for i, size in zip(indices, shape, strict=True)):
        return None
    position = 0
    for i, size in zip(indices, shape, strict=True):
        position = position * (size or 0) + i
    if isinstance(made, tensor.FromElementsOp):
        return [made.operands[position]]
    if isinstance(whole, a.SparseElementsAttr):
        return _sparse_element(whole, indices)
    return element_of(whole, position) if isinstance(whole, a.DenseElementsAttr) else None


def element_of(whole: a.DenseElementsAttr, position: int) -> Folded:
    """The element of a dense constant, if it is a number."""
    return _number(whole.splat_value if whole.is_splat else whole.values()[position], whole.type.element)


def _number(value: Any, element: t.Type) -> Folded:
    if isinstance(element, t.IntegerType | t.IndexType):
        return [a.IntegerAttr(int(value), element)]
    if isinstance(element, t.FloatType):
        return [a.FloatAttr(value, element)]
    if isinstance(element, t.ComplexType):
        real = _number(value.real, element.element)
        imaginary = _number(value.imag, element.element)
        if real and imaginary and isinstance(real[0], Attribute) and isinstance(imaginary[0], Attribute):
            return [a.ArrayAttr((real[0], imaginary[0]))]
    return None


def _sparse_element(whole: a.SparseElementsAttr, indices: list[int]) -> Folded:
    """The element of a sparse constant: a stored one or zero. O(stored elements)."""
    rank = len(indices)
    given = whole.indices.values()
    for row in range(whole.values.num_elements):
        if given[row * rank : row * rank + rank] == indices:
            return element_of(whole.values, row)
    return _number(0, whole.type.element)


def _extract_slice(op: tensor.ExtractSliceOp, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    assert isinstance(type, t.RankedTensorType)
    if source.type is type and covers(op, type.shape):
        return [source]
    known = constants[0]
    if isinstance(known, a.DenseElementsAttr) and known.is_splat and type.has_static_shape:
        return [a.DenseElementsAttr(type, known.data, True, known.strings)]
    inner = source.defining_op
    if isinstance(inner, tensor.SliceInsertionOp) and inner.source.type is type and inner.same_slice_as(op):
        return [inner.source]
    return None


def _insertion(op: tensor.SliceInsertionOp, constants: Constants) -> Folded:
    if not op.results:
        return None
    source, dest, type = op.source, op.dest, op.results[0].type
    assert isinstance(type, t.RankedTensorType)
    if source.type is type and None not in type.shape and covers(op, type.shape):
        return [source]
    if dest.type is type and 0 in op.static_sizes.values:
        return [dest]  # the inserted slice is empty
    before = dest.defining_op
    if (
        isinstance(before, tensor.SliceInsertionOp)
        and before.source.type is source.type
        and before.same_slice_as(op)
    ):
        op.op_operands[1].value = before.dest
        return IN_PLACE
    taken = source.defining_op
    if isinstance(taken, tensor.ExtractSliceOp) and taken.source is dest and taken.same_slice_as(op):
        return [dest]
    return None


def _pad(op: tensor.PadOp, constants: Constants) -> Folded:
    type = expect(t.RankedTensorType, op.results[0].type)
    return [op.source] if op.source.type is type and None not in type.shape and not op.nofold else None


def _reshape(inverse: type[Operation]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        source = op.op_operands[0].value
        if source.type is op.results[0].type:
            return [source]
        inner = source.defining_op
        if isinstance(inner, inverse) and inner.op_operands[0].value.type is op.results[0].type:
            same = inner.properties["reassociation"] is op.properties["reassociation"]
            if isinstance(
                op, tensor.ExpandShapeOp
            ):  # dynamic sizes may be distributed differently than before
                shape = expect(t.ShapedType, op.results[0].type).sizes
                groups = op.reassociation_indices()
                same = same and all(sum(shape[i] is None for i in group) <= 1 for group in groups)
                same = same and not leaves_sizes_open(source.type, op.results[0].type)
            original = inner.op_operands[0].value
            if same or (
                expect(t.ShapedType, original.type).num_dynamic <= 1
                and not leaves_sizes_open(source.type, original.type)
            ):
                return [original]
        return _reshaped(op, constants)

    return fold


def _reshaped(op: Operation, constants: Constants) -> Folded:
    """A reshaped constant is a constant."""
    type, known = op.results[0].type, constants[0]
    if (
        isinstance(known, a.DenseElementsAttr)
        and isinstance(type, t.RankedTensorType)
        and type.has_static_shape
    ):
        return [known.with_type(type)]
    return None


def _bitcast(op: Operation, constants: Constants) -> Folded:
    """A bitcast to the same type. Chains are merged by a pattern, as in mlir-opt: conversions only fold."""
    source = op.op_operands[0].value
    return [source] if source.type is op.results[0].type else None


def _from_elements(op: Operation, constants: Constants) -> Folded:
    type = expect(t.RankedTensorType, op.results[0].type)
    if None in constants or len(constants) != prod(size or 0 for size in type.shape):
        return None
    numbers: list[Any] = [c.value for c in constants if isinstance(c, a.IntegerAttr | a.FloatAttr)]
    if isinstance(type.element, t.ComplexType):
        parts = [c.elements for c in constants if isinstance(c, a.ArrayAttr)]
        numbers = [
            tuple(x.value for x in part if isinstance(x, a.IntegerAttr | a.FloatAttr)) for part in parts
        ]
    return [a.DenseElementsAttr.from_values(type, numbers)] if len(numbers) == len(constants) else None


def _splat(op: Operation, constants: Constants) -> Folded:
    """A splat of a constant is a constant."""
    type, known = op.results[0].type, constants[0]
    if (
        not isinstance(type, t.RankedTensorType)
        or not type.has_static_shape
        or not isinstance(known, a.IntegerAttr | a.FloatAttr)
    ):
        return None
    return [a.DenseElementsAttr.from_values(type, [known.value])]


def _insert(op: Operation, constants: Constants) -> Folded:
    """Inserting a constant into a splat of the same constant changes nothing."""
    scalar, dest = constants[0], constants[1]
    if not isinstance(dest, a.DenseElementsAttr) or not dest.is_splat:
        return None
    found = element_of(dest, 0)
    return [dest] if found and found[0] is scalar else None


def _gather(op: Operation, constants: Constants) -> Folded:
    """Slices of a splat constant, wherever they are."""
    known, type = constants[0], op.results[0].type
    if (
        isinstance(known, a.DenseElementsAttr)
        and known.is_splat
        and isinstance(type, t.RankedTensorType)
        and type.has_static_shape
    ):
        return [a.DenseElementsAttr(type, known.data, True, known.strings)]
    return None


def _tensor_reshape(op: tensor.ReshapeOp, constants: Constants) -> Folded:
    """A reshaped splat constant; a reshape of a reshape; a reshape to the tensor's own sizes."""
    splat = isinstance(constants[0], a.DenseElementsAttr) and constants[0].is_splat
    if splat and (folded := _reshaped(op, constants)) is not None:
        return folded
    source = op.source
    inner = source.defining_op
    if isinstance(inner, tensor.ReshapeOp):
        op.op_operands[0].value = inner.source
        return IN_PLACE
    type = source.type
    if type is not op.results[0].type or not isinstance(type, t.RankedTensorType):
        return None
    if type.rank <= 1:
        return [source]
    sizes = op.shape.defining_op
    if not isinstance(sizes, tensor.FromElementsOp) or len(sizes.op_operands) != type.rank:
        return None
    unchanged = all(
        _is_size(use.value, source, i, known)
        for i, (use, known) in enumerate(zip(sizes.op_operands, type.shape, strict=True))
    )
    return [source] if unchanged else None


def _is_size(value: Value, of: Value, position: int, known: int | None) -> bool:
    """Whether `value` is certainly the size of a dimension of `of`."""
    number = constant_index(value)
    if number is not None:
        return number == known
    made = value.defining_op
    return isinstance(made, tensor.DimOp) and made.source is of and constant_index(made.index) == position


def _concat(op: Operation, constants: Constants) -> Folded:
    """The concatenation of a single tensor is that tensor."""
    operands = op.operands
    return [operands[0]] if len(operands) == 1 and operands[0].type is op.results[0].type else None


FOLDS: Final[dict[type[Operation], Fold]] = {
    tensor.BitcastOp: _bitcast,
    tensor.CollapseShapeOp: _reshape(tensor.ExpandShapeOp),
    tensor.ConcatOp: _concat,
    tensor.DimOp: _dim,
    tensor.ExpandShapeOp: _reshape(tensor.CollapseShapeOp),
    tensor.ExtractOp: _extract,
    tensor.ExtractSliceOp: _extract_slice,
    tensor.FromElementsOp: _from_elements,
    tensor.GatherOp: _gather,
    tensor.InsertOp: _insert,
    tensor.SliceInsertionOp: _insertion,
    tensor.PadOp: _pad,
    tensor.RankOp: _rank,
    tensor.ReshapeOp: _tensor_reshape,
    tensor.SplatOp: _splat,
}
