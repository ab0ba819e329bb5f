"""`vector` shape operations: broadcast, bitcast, transpose, interleave."""

from __future__ import annotations

from typing import Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, result
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.types import types as t
from .kinds import ANY_VECTOR, FIXED_VECTOR, RANKED_VECTOR, SameElementType, element_of, vector_type
from .slices import MaskableOp


def _size(size: int | None, scalable: bool) -> str:
    return f"[{size}]" if scalable else str(size)


class BroadcastOp(MaskableOp):
    """Repeats a scalar or a vector along new leading dimensions and dimensions of size 1."""

    name = "vector.broadcast"
    traits = (
        tr.PURE,
        SameElementType("source operand and result have same element type", "source", "vector"),
    )
    source = operand()
    vector = result(ANY_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($vector)"

    def expected_mask_type(self) -> t.VectorType:
        return vector_type(self.vector.type).with_element(t.I1)

    def verify(self) -> str | None:
        source, target = self.source.type, vector_type(self.vector.type)
        if not isinstance(source, t.VectorType):
            scalar = isinstance(
                source, (t.IntegerType, t.IndexType, t.FloatType, t.DialectType, t.ComplexType)
            )
            return None if scalar and source is target.element else "source type is not a vector"
        lead = len(target.shape) - len(source.shape)
        if lead < 0:
            return "source rank higher than destination rank"
        pairs = zip(
            source.shape, source.scalable_dims, target.shape[lead:], target.scalable_dims[lead:], strict=True
        )
        for size, scalable, extent, extent_scalable in pairs:
            if (size == 1 and not scalable) or (size == extent and scalable == extent_scalable):
                continue
            return f"dimension mismatch ({_size(size, scalable)} vs. {_size(extent, extent_scalable)})"
        return None


class _CastOp(Operation):
    """The same contents under another type."""

    traits = (tr.PURE,)
    source = operand(ANY_VECTOR)
    output = result(ANY_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($output)"


class ShapeCastOp(_CastOp):
    """The same elements, in the same order, in another shape."""

    name = "vector.shape_cast"

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        if source.element is not target.element:
            return "has different source and result element types"
        counts = [x.num_elements for x in (source, target)]
        if counts[0] != counts[1]:
            return f"has different number of elements at source ({counts[0]}) and result ({counts[1]})"
        scalable = [sum(x.scalable_dims) for x in (source, target)]
        if scalable[0] != scalable[1]:
            return (
                f"has different number of scalable dims at source ({scalable[0]}) and result ({scalable[1]})"
            )
        return None


class BitCastOp(_CastOp):
    """The same bits as elements of another width; the last dimension changes accordingly."""

    name = "vector.bitcast"

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        if len(source.shape) != len(target.shape):
            return "failed to verify that all of {source, result} have same rank"
        for i, (x, y) in enumerate(zip(source.shape[:-1], target.shape[:-1], strict=True)):
            if x != y:
                return f"dimension size mismatch at: {i}"
        widths = [
            64 if isinstance(x.element, t.IndexType) else getattr(x.element, "width", 0)
            for x in (source, target)
        ]
        if not source.shape:
            return (
                None
                if widths[0] == widths[1]
                else "source/result bitwidth of the 0-D vector element types must be equal"
            )
        if widths[0] * (source.shape[-1] or 0) != widths[1] * (target.shape[-1] or 0):
            return "source/result bitwidth of the minor 1-D vectors must be equal"
        return None


class TransposeOp(Operation):
    """Dimension i of the result is dimension `permutation[i]` of the source."""

    name = "vector.transpose"
    traits = (tr.PURE, SameElementType("operand and result have same element type", "vector", "output"))
    vector = operand(ANY_VECTOR)
    permutation = attribute(c.DENSE_I64_ARRAY)
    output = result(ANY_VECTOR)
    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($output)"

    def verify(self) -> str | None:
        source, target = vector_type(self.vector.type), vector_type(self.output.type)
        order = self.permutation.values
        rank = len(target.shape)
        if len(source.shape) != rank:
            return f"vector result rank mismatch: {rank}"
        if len(order) != rank:
            return f"transposition length mismatch: {len(order)}"
        seen: set[int] = set()
        for i, position in enumerate(order):
            if not 0 <= position < rank:
                return f"transposition index out of range: {position}"
            if position in seen:
                return f"duplicate position index: {position}"
            seen.add(position)
            if target.shape[i] != source.shape[position]:
                return f"dimension size mismatch at: {position}"
        return None


def _shuffled_type(state: Any) -> list[t.Type]:
    first = state.operands[0].type
    count = len(state.properties["mask"].values)
    return [t.VectorType((count, *first.shape[1:]), first.element)]


class ShuffleOp(Operation):
    """Elements of two vectors in the order of `mask`, which indexes their concatenation."""

    name = "vector.shuffle"
    traits = (tr.PURE, tr.InferResultTypes(_shuffled_type))
    v1 = operand(FIXED_VECTOR)
    v2 = operand(FIXED_VECTOR)
    mask = attribute(c.DENSE_I64_ARRAY)
    vector = result(RANKED_VECTOR)
    assembly_format = "operands $mask attr-dict `:` type(operands)"

    def verify(self) -> str | None:
        first, second = vector_type(self.v1.type), vector_type(self.v2.type)
        if len(first.shape) != len(second.shape):
            return "rank mismatch"
        if first.shape[1:] != second.shape[1:]:
            return "dimension mismatch"
        if not self.mask.values:
            return "invalid mask length"
        total = (first.shape[0] or 0) + (second.shape[0] or 0) if first.shape else 2
        for i, index in enumerate(self.mask.values):
            if not -1 <= index < total:
                return f"mask index #{i + 1} out of range"
        return None


class InterleaveOp(Operation):
    """Interleaves two vectors along the last dimension."""

    name = "vector.interleave"
    traits = (tr.PURE, tr.all_types_match("lhs", "rhs"))
    lhs = operand(ANY_VECTOR)
    rhs = operand(ANY_VECTOR)
    output = result(RANKED_VECTOR)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($output)"

    def verify(self) -> str | None:
        source, target = vector_type(self.lhs.type), vector_type(self.output.type)
        shape = (*source.shape[:-1], 2 * (source.shape[-1] or 0)) if source.shape else (2,)
        scalable = source.scalable_dims or (False,)
        if target is not t.VectorType(shape, source.element, scalable):
            return "failed to verify that type of 'result' is double the width of the inputs"
        return None


class DeinterleaveOp(Operation):
    """The even and the odd elements along the last dimension."""

    name = "vector.deinterleave"
    traits = (tr.PURE, tr.all_types_match("res1", "res2"))
    source = operand(RANKED_VECTOR)
    res1 = result(RANKED_VECTOR)
    res2 = result(RANKED_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"

    def result_names(self) -> list[str | None]:
        return ["res1", "res2"]

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.res1.type)
        last = source.shape[-1] or 0
        if last % 2:
            return (
                "failed to verify that the trailing dimension of the source vector has an even number of "
                "elements"
            )
        if target is not t.VectorType((*source.shape[:-1], last // 2), source.element, source.scalable_dims):
            return (
                "failed to verify that the trailing dimension of the results is half the width of source "
                "trailing dimension"
            )
        return None


class StepOp(Operation):
    """The vector 0, 1, 2, ..."""

    name = "vector.step"
    traits = (tr.PURE,)
    output = result(
        c.TypeConstraint(
            "vector of index values of ranks 1",
            lambda x: isinstance(x, t.VectorType) and len(x.shape) == 1 and element_of(x) is t.INDEX,
        )
    )
    assembly_format = "attr-dict `:` type($output)"


class VectorScaleOp(Operation):
    """The machine's `vscale`: the factor by which scalable vectors exceed their type's size."""

    name = "vector.vscale"
    traits = (tr.PURE,)
    res = result(c.INDEX)
    result_name = "vscale"
    assembly_format = "attr-dict"
