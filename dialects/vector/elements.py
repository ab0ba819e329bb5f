"""Taking elements and sub-vectors out of vectors, and putting them in."""

from __future__ import annotations

from math import prod
from typing import Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, result, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.types import types as t
from ..common import DYNAMIC, Unprefixed
from .kinds import ANY_VECTOR, FIXED_VECTOR, SameElementType, vector_type

_SAME_ELEMENT = SameElementType("operand and result have same element type", "source", "output")


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

    def verify(self) -> str | None:
        source, position = vector_type(self.source.type), self.static_position.values
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

    def verify(self) -> str | None:
        source, target = self.value_to_store.type, vector_type(self.dest.type)
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
        source, target = vector_type(self.value_to_store.type), vector_type(self.dest.type)
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
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        if source.element is not target.element:
            return "failed to verify that all of {source, result} have same element type"
        if self.pos.value % (target.shape[0] or 1):
            return "failed to verify that position is a multiple of the result length."
        return None


def _rank_one(type: t.Type) -> bool:
    return isinstance(type, t.VectorType) and len(type.shape) == 1


def _scalable(type: t.Type) -> bool:
    return _rank_one(type) and True in vector_type(type).scalable_dims


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
