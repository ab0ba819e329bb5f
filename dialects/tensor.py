"""The `tensor` dialect: creating, indexing, slicing and reshaping immutable tensors.

These operations have no memory effects; bufferization decides which become views and which become copies.
Slices and reshapes are in `_tensor_views`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, region, result, unit_attribute, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, OpOperand, OpResult
from ..ir.program.interfaces import CastOp as CastOpInterface, DestinationStyleOp, Size, SizedResultOp, Sum
from ..ir.types import types as t
from ..ir.types.elements import element_width
from ._tensor_views import (
    NUMBER_TENSOR,
    STATIC_TENSOR,
    CollapseShapeOp as CollapseShapeOp,
    ExpandShapeOp as ExpandShapeOp,
    ExtractSliceOp as ExtractSliceOp,
    GatherOp as GatherOp,
    InsertSliceOp as InsertSliceOp,
    ParallelInsertSliceOp as ParallelInsertSliceOp,
    ReshapeOp as ReshapeOp,
    ScatterOp as ScatterOp,
    SliceInsertionOp as SliceInsertionOp,
    ranked,
)
from .common import (
    SameShapeOp,
    ShapedDimOp,
    SizesGivenOp,
    Unprefixed,
    cast_incompatible,
    compatible_shapes,
    element_of,
    mixed,
    static_values,
    total,
    verify_dynamic_dimension_count,
)

if TYPE_CHECKING:
    from .common import Mixed


NON_0_RANKED_TENSOR = c.TypeConstraint(
    "non-0-ranked or unranked tensor",
    lambda x: t.is_tensor(x) and getattr(x, "shape", None) != (),
    kinds=(t.RankedTensorType, t.UnrankedTensorType),
)


def cast_compatible(source: t.Type, target: t.Type) -> bool:
    """Whether `tensor.cast` is valid: equal element types, and no contradictory sizes."""
    if not isinstance(source, t.ShapedType) or not isinstance(target, t.ShapedType):
        return False
    if source.element is not target.element:
        return False
    return source.shape is None or target.shape is None or compatible_shapes(source.shape, target.shape)


class BitcastOp(CastOpInterface, SameShapeOp):
    """The same bits under another element type of the same width."""

    name = "tensor.bitcast"
    traits = (tr.PURE,)
    source = operand(NUMBER_TENSOR)
    dest = result(NUMBER_TENSOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify(self) -> str | None:
        source, dest = self.source.type, self.dest.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(dest, t.ShapedType)
        fits = element_width(source.element) == element_width(dest.element) and (
            source.shape is None or dest.shape is None or compatible_shapes(source.shape, dest.shape)
        )
        return None if fits else cast_incompatible(self)


class CastOp(CastOpInterface, SameShapeOp):
    """The same tensor under a more or less static type. Wrong static sizes are undefined behaviour."""

    name = "tensor.cast"
    traits = (tr.PURE,)
    source = operand(c.ANY_TENSOR)
    dest = result(c.ANY_TENSOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    result_name = "cast"

    def verify(self) -> str | None:
        return None if cast_compatible(self.source.type, self.dest.type) else cast_incompatible(self)


class ConcatOp(SizedResultOp):
    """Concatenates tensors along dimension `dim`; all other sizes are equal."""

    name = "tensor.concat"
    traits = (tr.PURE,)
    dim = attribute(c.I64_ATTR)
    inputs = variadic_operand(c.ANY_RANKED_TENSOR)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)"
    result_name = "concat"

    @staticmethod
    def infer_shape(dim: int, shapes: Sequence[t.Shape]) -> tuple[int | None, ...]:
        """The shape of the concatenation, as far as it is static."""
        inferred: list[int | None] = []
        for i, sizes in enumerate(zip(*shapes, strict=True)):
            known = [size for size in sizes if size is not None]
            if i == dim:
                inferred.append(sum(known) if len(known) == len(sizes) else None)
            else:
                inferred.append(known[0] if known else None)
        return tuple(inferred)

    def size_of(self, result: OpResult, position: int) -> Size:
        if position == self.dim.value:
            return Sum(tuple((value, position) for value in self.inputs))
        known = self.infer_shape(self.dim.value, [ranked(value).shape for value in self.inputs])[position]
        return (self.inputs[0], position) if known is None else known

    def equal_sizes(self) -> Iterator[tuple[Size, Size]]:
        for value in self.inputs[1:]:
            for i in range(ranked(value).rank):
                if i != self.dim.value:
                    yield (value, i), (self.inputs[0], i)

    def verify(self) -> str | None:
        if not self.inputs:
            return "requires at least one input"
        types = [ranked(value) for value in self.inputs]
        output = ranked(self.result)
        if any(type.rank != output.rank for type in types):
            return "rank of concatenated inputs must match result rank"
        if any(type.element is not output.element for type in types):
            return "inputs and result element type must match"
        dim = self.dim.value
        if dim >= output.rank:
            return "concatenation dim must be less than the tensor rank"
        shapes = [type.shape for type in types]
        for i, sizes in enumerate(zip(*shapes, strict=True)):
            if i != dim and len({size for size in sizes if size is not None}) > 1:
                return f"static concatenation size mismatch along non-concatenated dimension {i}"
        inferred = self.infer_shape(dim, shapes)
        if not compatible_shapes(inferred, output.shape):
            shown = t.RankedTensorType(inferred, output.element)
            return f"result type '{output}'does not match inferred shape '{shown}' static sizes"
        return None


class DimOp(ShapedDimOp):
    """The size of a dimension of a tensor."""

    name = "tensor.dim"
    source = operand(NON_0_RANKED_TENSOR)


class EmptyOp(SizesGivenOp):
    """A tensor with unspecified contents; elements must be written before they are read."""

    name = "tensor.empty"
    traits = (tr.PURE,)
    dynamic_sizes = variadic_operand(c.INDEX)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = "`(`$dynamic_sizes`)` attr-dict `:` type($result)"

    def verify(self) -> str | None:
        return verify_dynamic_dimension_count(ranked(self.result).shape, len(self.dynamic_sizes))


class ExtractOp(Operation):
    """Reads one element."""

    name = "tensor.extract"
    tensor = operand(c.ANY_RANKED_TENSOR)
    indices = variadic_operand(c.INDEX)
    result = result()
    traits = (
        tr.PURE,
        tr.TypesMatchWith("result type matches element type of tensor", "tensor", "result", element_of),
    )
    assembly_format = "$tensor `[` $indices `]` attr-dict `:` type($tensor)"
    result_name = "extracted"

    def verify(self) -> str | None:
        if len(self.indices) != ranked(self.tensor).rank:
            return "incorrect number of indices for extract_element"
        return None


class FromElementsOp(Operation):
    """A tensor of scalar operands, in row-major order."""

    name = "tensor.from_elements"
    elements = variadic_operand()
    result = result(STATIC_TENSOR)
    traits = (
        tr.PURE,
        tr.TypesMatchWith(
            "operand types match result element type",
            "result",
            "elements",
            lambda type: [type.element] * type.num_elements,
        ),
    )
    assembly_format = "$elements attr-dict `:` type($result)"
    result_name = "from_elements"


def _yielded_type(block: Block) -> t.Type | None:
    last = block.last_op
    return last.op_operands[0].value.type if last is not None and last.op_operands else None


class GenerateOp(SizesGivenOp):
    """A tensor whose elements `body` computes from their indices, in any order."""

    name = "tensor.generate"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.ImplicitTerminator("tensor.yield"))
    dynamic_sizes = variadic_operand(c.INDEX)
    body = region(single_block=True)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = "$dynamic_sizes $body attr-dict `:` type($result)"
    result_name = "generated"

    def verify(self) -> str | None:
        given, expected = len(self.dynamic_sizes), ranked(self.result).num_dynamic
        if given != expected:
            return f"incorrect number of dynamic sizes, has {given}, expected {expected}"
        return None

    def verify_regions(self) -> str | None:
        block = self.body.entry
        output = ranked(self.result)
        if any(arg.type is not t.INDEX for arg in block.args):
            return Unprefixed("all body arguments must be index")
        if len(block.args) != output.rank:
            return Unprefixed("must have one body argument per input dimension")
        if _yielded_type(block) is not output.element:
            return "body must be terminated with a `yield` operation of the tensor element type"
        return None


class InsertOp(DestinationStyleOp):
    """`dest` with one element replaced."""

    name = "tensor.insert"
    scalar = operand()
    dest = operand(c.ANY_RANKED_TENSOR)
    indices = variadic_operand(c.INDEX)
    result = result(c.ANY_RANKED_TENSOR)
    traits = (
        tr.PURE,
        tr.DESTINATION_STYLE,
        tr.TypesMatchWith("result type matches type of dest", "dest", "result", lambda type: type),
        tr.TypesMatchWith("scalar type matches element type of dest", "dest", "scalar", element_of),
    )
    assembly_format = "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)"
    result_name = "inserted"

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def verify(self) -> str | None:
        if len(self.indices) != ranked(self.dest).rank:
            return "incorrect number of indices"
        return None


class PadOp(SizedResultOp):
    """Pads `source` by `low` and `high` elements in each dimension, with values computed by the region."""

    name = "tensor.pad"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE, tr.ImplicitTerminator("tensor.yield"))
    source = operand(c.ANY_RANKED_TENSOR)
    low = variadic_operand(c.INDEX)
    high = variadic_operand(c.INDEX)
    static_low = attribute(c.DENSE_I64_ARRAY)
    static_high = attribute(c.DENSE_I64_ARRAY)
    nofold = unit_attribute()
    region = region(single_block=True)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = (
        "$source (`nofold` $nofold^)? `low` `` custom<DynamicIndexList>($low, $static_low)"
        " `high` `` custom<DynamicIndexList>($high, $static_high)"
        " $region attr-dict `:` type($source) `to` type($result)"
    )
    result_name = "padded"

    def mixed_low(self) -> list[Mixed]:
        return mixed(self.low, self.static_low)

    def mixed_high(self) -> list[Mixed]:
        return mixed(self.high, self.static_high)

    def size_of(self, result: OpResult, position: int) -> Size:
        return Sum(((self.source, position), self.mixed_low()[position], self.mixed_high()[position]))

    def verify(self) -> str | None:
        source, output = ranked(self.source), ranked(self.result)
        low, high = static_values(self.static_low), static_values(self.static_high)
        if len(low) != source.rank or len(high) != source.rank:
            return Unprefixed(
                f"failed to infer expectedType from sourceType '{source}', specified resultType is '{output}'"
            )
        sizes = zip(source.shape, low, high, strict=True)
        expected = t.RankedTensorType(
            [total(size, total(below, above)) for size, below, above in sizes], source.element
        )
        fits = output.rank == expected.rank and all(
            size == wanted or wanted is None
            for size, wanted in zip(output.shape, expected.shape, strict=True)
        )
        if not fits:
            return Unprefixed(f"specified type '{output}' does not match the inferred type '{expected}'")
        return None

    def verify_regions(self) -> str | None:
        block = self.region.entry
        output = ranked(self.result)
        if len(block.args) != output.rank:
            return Unprefixed(f"expected the block to have {output.rank} arguments")
        for i, arg in enumerate(block.args):
            if arg.type is not t.INDEX:
                return f"expected block argument {i + 1} to be an index"
        if _yielded_type(block) is not output.element:
            return "expected yield type to match shape element type"
        return None


class RankOp(Operation):
    """The number of dimensions."""

    name = "tensor.rank"
    traits = (tr.PURE,)
    tensor = operand(c.ANY_TENSOR)
    result = result(c.INDEX)
    assembly_format = "$tensor attr-dict `:` type($tensor)"
    result_name = "rank"


class SplatOp(SizesGivenOp):
    """Broadcasts a scalar to a tensor."""

    name = "tensor.splat"
    input = operand()
    dynamic_sizes = variadic_operand(c.INDEX)
    aggregate = result(c.ANY_RANKED_TENSOR)
    traits = (
        tr.PURE,
        tr.TypesMatchWith("operand type matches element type of result", "aggregate", "input", element_of),
    )
    assembly_format = "$input (`[` $dynamic_sizes^ `]`)? attr-dict `:` type($aggregate)"
    result_name = "splat"

    def verify(self) -> str | None:
        return verify_dynamic_dimension_count(ranked(self.aggregate).shape, len(self.dynamic_sizes))


class YieldOp(Operation):
    """Yields an element from the body of `tensor.generate` or `tensor.pad`."""

    name = "tensor.yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR, tr.has_parent("tensor.generate", "tensor.pad"))
    value = operand()
    assembly_format = "$value attr-dict `:` type($value)"
