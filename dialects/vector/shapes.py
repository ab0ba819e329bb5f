"""Vectors into vectors: elements taken out, put in, repeated, reordered, reinterpreted."""

from __future__ import annotations

from math import prod
from typing import Any

from ...ir import attributes as a
from ...ir import constraints as c
from ...ir import traits as tr
from ...ir import types as t
from ...ir.core import Operation
from ...ir.declare import attribute, operand, result, variadic_operand, variadic_result
from ..common import DYNAMIC, Unprefixed, mixed
from .kinds import ANY_VECTOR, FIXED_VECTOR, RANKED_VECTOR, SameElementType, element_of
from .masks import MaskableOp

_SAME_ELEMENT = SameElementType("operand and result have same element type", "source", "output")


def _vector(type: t.Type) -> t.VectorType:
    assert isinstance(type, t.VectorType)
    return type


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
        return _vector(self.vector.type).with_element(t.I1)

    def verify(self) -> str | None:
        source, target = self.source.type, _vector(self.vector.type)
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


class ShapeCastOp(Operation):
    """The same elements, in the same order, in another shape."""

    name = "vector.shape_cast"
    traits = (tr.PURE,)
    source = operand(ANY_VECTOR)
    output = result(ANY_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($output)"

    def verify(self) -> str | None:
        source, target = _vector(self.source.type), _vector(self.output.type)
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


class BitCastOp(Operation):
    """The same bits, in elements of another width; the last dimension changes with it."""

    name = "vector.bitcast"
    traits = (tr.PURE,)
    source = operand(ANY_VECTOR)
    output = result(ANY_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($output)"

    def verify(self) -> str | None:
        source, target = _vector(self.source.type), _vector(self.output.type)
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
        source, target = _vector(self.vector.type), _vector(self.output.type)
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


# -- single elements and whole sub-vectors

_POSITION_MISMATCH = (
    "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) "
    "-- this can only happen due to an incorrect fold/rewrite"
)


def _position_error(position: tuple[int, ...], vector: t.VectorType, what: str) -> str | None:
    for i, (index, extent) in enumerate(zip(position, vector.shape, strict=False)):
        if index != DYNAMIC and not -1 <= index < (extent or 0):
            return (
                f"expected position attribute #{i + 1} to be a non-negative integer smaller than the "
                f"corresponding {what}"
            )
    return None


def _extracted_type(state: Any) -> list[t.Type]:
    source = state.operands[0].type
    count = len(state.properties["static_position"].values)
    if not isinstance(source, t.VectorType) or count > len(source.shape):
        return []
    if count == len(source.shape):
        return [source.element]
    return [t.VectorType(source.shape[count:], source.element, source.scalable_dims[count:])]


class ExtractOp(Operation):
    """The element, or sub-vector, at a position in the leading dimensions."""

    name = "vector.extract"
    traits = (tr.PURE, _SAME_ELEMENT)
    source = operand(ANY_VECTOR)
    dynamic_position = variadic_operand(c.INDEX)
    static_position = attribute(c.DENSE_I64_ARRAY)
    output = result()
    assembly_format = (
        "$source `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict "
        "`:` type($output) `from` type($source)"
    )

    def mixed_position(self) -> list[Any]:
        return mixed(self.dynamic_position, self.static_position)

    def verify(self) -> str | None:
        source, position = _vector(self.source.type), self.static_position.values
        target = self.output.type
        if isinstance(target, t.VectorType) and not target.shape:
            return Unprefixed("expected a scalar instead of a 0-d vector as the result type")
        if len(position) <= len(source.shape):
            inferred = _extracted_type(self)[0]
            one = isinstance(target, t.VectorType) and target.shape == (1,) and target.element is inferred
            if inferred is not target and not one:
                return (
                    f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation "
                    f"'{target}'"
                )
        if position.count(DYNAMIC) != len(self.dynamic_position):
            return _POSITION_MISMATCH
        if len(position) > len(source.shape):
            return "expected position attribute of rank no greater than vector rank"
        return _position_error(position, source, "vector dimension or poison (-1)")


class InsertOp(Operation):
    """The destination with an element, or sub-vector, replaced at a position in the leading dimensions."""

    name = "vector.insert"
    traits = (
        tr.PURE,
        SameElementType("source operand and result have same element type", "value_to_store", "output"),
        tr.all_types_match("dest", "output"),
    )
    value_to_store = operand()
    dest = operand(ANY_VECTOR)
    dynamic_position = variadic_operand(c.INDEX)
    static_position = attribute(c.DENSE_I64_ARRAY)
    output = result(ANY_VECTOR)
    assembly_format = (
        "$value_to_store `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict "
        "`:` type($value_to_store) `into` type($dest)"
    )

    def mixed_position(self) -> list[Any]:
        return mixed(self.dynamic_position, self.static_position)

    def verify(self) -> str | None:
        source, target = self.value_to_store.type, _vector(self.dest.type)
        if isinstance(source, t.VectorType) and not source.shape:
            return Unprefixed("expected a scalar instead of a 0-d vector as the source operand")
        position = self.static_position.values
        if position.count(DYNAMIC) != len(self.dynamic_position):
            return _POSITION_MISMATCH
        rank = len(target.shape)
        if len(position) > rank:
            return "expected position attribute of rank no greater than dest vector rank"
        if isinstance(source, t.VectorType):
            if len(position) + len(source.shape) != rank:
                return "expected position attribute rank + source rank to match dest vector rank"
        elif len(position) != rank:
            return "expected position attribute rank to match the dest vector rank"
        return _position_error(position, target, "dest vector dimension")


class ScalableInsertOp(Operation):
    """Puts a fixed or scalable vector into a scalable one, at a multiple of its length."""

    name = "vector.scalable.insert"
    traits = (tr.PURE, tr.all_types_match("dest", "output"))
    value_to_store = operand(c.TypeConstraint(" of ranks 1", lambda x: _rank_one(x)))
    dest = operand(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    pos = attribute(c.I64_ATTR)
    output = result(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest)"
    )

    def verify(self) -> str | None:
        source, target = _vector(self.value_to_store.type), _vector(self.dest.type)
        if source.element is not target.element:
            return "failed to verify that all of {valueToStore, dest} have same element type"
        if self.pos.value % (source.shape[0] or 1):
            return "failed to verify that position is a multiple of the source length."
        return None


class ScalableExtractOp(Operation):
    """Takes a vector out of a scalable one, at a multiple of its length."""

    name = "vector.scalable.extract"
    traits = (tr.PURE,)
    source = operand(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    pos = attribute(c.I64_ATTR)
    output = result(c.TypeConstraint(" of ranks 1", lambda x: _rank_one(x)))
    assembly_format = "$source `[` $pos `]` attr-dict `:` type($output) `from` type($source)"

    def verify(self) -> str | None:
        source, target = _vector(self.source.type), _vector(self.output.type)
        if source.element is not target.element:
            return "failed to verify that all of {source, result} have same element type"
        if self.pos.value % (target.shape[0] or 1):
            return "failed to verify that position is a multiple of the result length."
        return None


def _rank_one(type: t.Type) -> bool:
    return isinstance(type, t.VectorType) and len(type.shape) == 1


def _scalable(type: t.Type) -> bool:
    return _rank_one(type) and True in _vector(type).scalable_dims


# -- strided slices


def _numbers(array: a.ArrayAttr) -> list[int]:
    return [x.value for x in array.elements]  # pyright: ignore[reportAttributeAccessIssue]


def _range_error(
    values: list[int], extents: list[int | None], name: str, *, least: int, half_open: bool
) -> str | None:
    """Whether each entry of attribute `name` is in its range, from `least` to its extent."""
    for i, (value, extent) in enumerate(zip(values, extents, strict=False)):
        limit = (extent or 0) + (0 if half_open else 1)
        if not least <= value < limit:
            return f"expected {name} dimension {i} to be confined to [{least}, {limit})"
    return None


def _strides_error(strides: list[int]) -> str | None:
    return None if all(stride == 1 for stride in strides) else "expected strides to be confined to [1, 2)"


class ExtractStridedSliceOp(Operation):
    """A rectangle of a vector.

    Leading dimensions are cut, the ones not mentioned kept whole; strides are 1.
    """

    name = "vector.extract_strided_slice"
    traits = (tr.PURE, _SAME_ELEMENT)
    source = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    sizes = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type(results)"

    def verify(self) -> str | None:
        source, target = _vector(self.source.type), _vector(self.output.type)
        offsets, sizes, strides = map(_numbers, (self.offsets, self.sizes, self.strides))
        if not len(offsets) == len(sizes) == len(strides):
            return "expected offsets, sizes and strides attributes of same size"
        if len(offsets) > len(source.shape):
            return "expected offsets attribute of rank no greater than vector rank"
        extents = list(source.shape)
        error = (
            _range_error(offsets, extents, "offsets", least=0, half_open=True)
            or _range_error(sizes, extents, "sizes", least=1, half_open=False)
            or _strides_error(strides)
        )
        if error is not None:
            return error
        for i, (offset, size, extent) in enumerate(zip(offsets, sizes, extents, strict=False)):
            if offset + size > (extent or 0):
                return (
                    f"expected sum(offsets, sizes) dimension {i} to be confined to [1, {(extent or 0) + 1})"
                )
        shape = (*sizes, *source.shape[len(sizes) :])
        expected = t.VectorType(shape, source.element, source.scalable_dims)
        if target is not expected:
            return f"expected result type to be '{expected}'"
        return None


class InsertStridedSliceOp(Operation):
    """The destination with a rectangle replaced; the source is aligned with its trailing dimensions."""

    name = "vector.insert_strided_slice"
    traits = (
        tr.PURE,
        SameElementType("operand #0 and result have same element type", "value_to_store", "output"),
        tr.all_types_match("dest", "output"),
    )
    value_to_store = operand(RANKED_VECTOR)
    dest = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"

    def verify(self) -> str | None:
        source, target = _vector(self.value_to_store.type), _vector(self.dest.type)
        offsets, strides = _numbers(self.offsets), _numbers(self.strides)
        if len(offsets) != len(target.shape):
            return "expected offsets of same size as destination vector rank"
        if len(strides) != len(source.shape):
            return "expected strides of same size as source vector rank"
        if len(source.shape) > len(target.shape):
            return "expected source rank to be no greater than destination rank"
        error = _range_error(
            offsets, list(target.shape), "offsets", least=0, half_open=True
        ) or _strides_error(strides)
        if error is not None:
            return error
        lead = len(target.shape) - len(source.shape)
        extents = (1,) * lead + source.shape
        for i, (offset, size, extent) in enumerate(zip(offsets, extents, target.shape, strict=True)):
            if offset + (size or 0) > (extent or 0):
                return (
                    f"expected sum(offsets, source vector shape) dimension {i} to be confined to "
                    f"[1, {(extent or 0) + 1})"
                )
        return None


# -- mixing elements


def _shuffled_type(state: Any) -> list[t.Type]:
    first = state.operands[0].type
    count = len(state.properties["mask"].values)
    return [t.VectorType((count, *first.shape[1:]), first.element)]


class ShuffleOp(Operation):
    """Elements of two vectors, in the order of `mask`, whose numbers run through the first and then the
    second.
    """

    name = "vector.shuffle"
    traits = (tr.PURE, tr.InferResultTypes(_shuffled_type))
    v1 = operand(FIXED_VECTOR)
    v2 = operand(FIXED_VECTOR)
    mask = attribute(c.DENSE_I64_ARRAY)
    vector = result(RANKED_VECTOR)
    assembly_format = "operands $mask attr-dict `:` type(operands)"

    def verify(self) -> str | None:
        first, second = _vector(self.v1.type), _vector(self.v2.type)
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
    """Elements of two vectors in turn, along the last dimension."""

    name = "vector.interleave"
    traits = (tr.PURE, tr.all_types_match("lhs", "rhs"))
    lhs = operand(ANY_VECTOR)
    rhs = operand(ANY_VECTOR)
    output = result(RANKED_VECTOR)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($output)"

    def verify(self) -> str | None:
        source, target = _vector(self.lhs.type), _vector(self.output.type)
        shape = (*source.shape[:-1], 2 * (source.shape[-1] or 0)) if source.shape else (2,)
        scalable = source.scalable_dims or (False,)
        if target is not t.VectorType(shape, source.element, scalable):
            return "failed to verify that type of 'result' is double the width of the inputs"
        return None


class DeinterleaveOp(Operation):
    """The elements in even and in odd places of the last dimension."""

    name = "vector.deinterleave"
    traits = (tr.PURE, tr.all_types_match("res1", "res2"))
    source = operand(RANKED_VECTOR)
    res1 = result(RANKED_VECTOR)
    res2 = result(RANKED_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"

    def result_names(self) -> list[str | None]:
        return ["res1", "res2"]

    def verify(self) -> str | None:
        source, target = _vector(self.source.type), _vector(self.res1.type)
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


def _all_elements(type: Any) -> list[t.Type]:
    return [type.element] * prod(type.shape)


class FromElementsOp(Operation):
    """A vector of the given elements, in row-major order."""

    name = "vector.from_elements"
    traits = (
        tr.PURE,
        tr.TypesMatchWith(
            "shaped type 'dest' matches 'elements' element count and types", "dest", "elements", _all_elements
        ),
    )
    elements = variadic_operand()
    dest = result(FIXED_VECTOR)
    assembly_format = "$elements attr-dict `:` type($dest)"


def _element_types(state: Any) -> list[t.Type]:
    return _all_elements(state.operands[0].type)


class ToElementsOp(Operation):
    """The elements of a vector, in row-major order."""

    name = "vector.to_elements"
    traits = (tr.PURE, tr.InferResultTypes(_element_types))
    source = operand(ANY_VECTOR)
    elements = variadic_result()
    assembly_format = "$source attr-dict `:` type($source)"


class StepOp(Operation):
    """The vector 0, 1, 2, ..."""

    name = "vector.step"
    traits = (tr.PURE,)
    output = result(
        c.TypeConstraint(
            "vector of index values of ranks 1", lambda x: _rank_one(x) and element_of(x) is t.INDEX
        )
    )
    assembly_format = "attr-dict `:` type($output)"


class VectorScaleOp(Operation):
    """How many times longer scalable vectors are than their type says; a constant of the machine."""

    name = "vector.vscale"
    traits = (tr.PURE,)
    res = result(c.INDEX)
    result_name = "vscale"
    assembly_format = "attr-dict"
