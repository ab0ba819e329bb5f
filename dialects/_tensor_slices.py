"""Parts of tensors: taking them out, putting them in, and doing so from the threads of a parallel loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import OpOperand, Value
from ..ir.program.interfaces import DestinationStyleOp, SubsetExtractionOp, SubsetInsertionOp
from ..ir.types import types as t
from ._sizes import PartOp
from .common import OffsetSizeAndStrideOp, Unprefixed, out_of_bounds, rank_reduction_mask, static_values

if TYPE_CHECKING:
    from .common import Mixed


def ranked(value: Value) -> t.RankedTensorType:
    """The type of a value that is a ranked tensor."""
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return type


def _reduced_type_finding(expected: t.ShapedType, actual: t.ShapedType) -> str | None:
    """Why `actual` is not `expected` with dimensions of size 1 left out."""
    assert expected.shape is not None
    assert actual.shape is not None
    if len(actual.shape) > len(expected.shape):
        return Unprefixed("expected rank to be smaller or equal to the other rank. ")
    if rank_reduction_mask(expected.shape, actual.shape) is None:
        return Unprefixed(f"expected type to be '{expected}' or a rank-reduced version. (size mismatch) ")
    if actual.element is not expected.element:
        return Unprefixed(f"expected element type to be '{expected.element}'")
    return None


class ExtractSliceOp(PartOp, SubsetExtractionOp):
    """The part of `source` at `[offsets] [sizes] [strides]`; dimensions of size 1 may be dropped."""

    name = "tensor.extract_slice"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE)
    source = operand(c.ANY_RANKED_TENSOR)
    offsets = variadic_operand(c.INDEX)
    sizes = variadic_operand(c.INDEX)
    strides = variadic_operand(c.INDEX)
    static_offsets = attribute(c.DENSE_I64_ARRAY)
    static_sizes = attribute(c.DENSE_I64_ARRAY)
    static_strides = attribute(c.DENSE_I64_ARRAY)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = (
        "$source `` custom<DynamicIndexList>($offsets, $static_offsets)"
        " custom<DynamicIndexList>($sizes, $static_sizes)"
        " custom<DynamicIndexList>($strides, $static_strides)"
        " attr-dict `:` type($source) `to` type($result)"
    )
    result_name = "extracted_slice"

    @staticmethod
    def infer_result_type(source: t.RankedTensorType, sizes: Sequence[Mixed | None]) -> t.RankedTensorType:
        """The type of a slice of `sizes` without rank reduction."""
        return source.with_shape(size if isinstance(size, int) else None for size in sizes)

    def slice_ranks(self) -> tuple[int, int, int]:
        rank = ranked(self.source).rank
        return rank, rank, rank

    def verify(self) -> str | None:
        finding = self.verify_slice_lists()
        if finding:
            return finding
        source = ranked(self.source)
        sizes = static_values(self.static_sizes)
        return _reduced_type_finding(source.with_shape(sizes), ranked(self.result)) or out_of_bounds(
            source.shape, static_values(self.static_offsets), sizes, static_values(self.static_strides)
        )


class _InsertionOp(OffsetSizeAndStrideOp, SubsetInsertionOp):
    """What insertions of slices share: the same lists as extraction, checked against the destination."""

    def slice_ranks(self) -> tuple[int, int, int]:
        rank = ranked(self.operands[1]).rank
        return rank, rank, rank

    def subset_source(self) -> OpOperand:
        return self.op_operands[0]

    def subset_destination(self) -> OpOperand:
        return self.op_operands[1]

    def verify(self) -> str | None:
        finding = self.verify_slice_lists()
        if finding:
            return finding
        source, dest = ranked(self.operands[0]), ranked(self.operands[1])
        sizes = static_values(self.static_sizes)
        return _reduced_type_finding(dest.with_shape(sizes), source) or out_of_bounds(
            dest.shape, static_values(self.static_offsets), sizes, static_values(self.static_strides)
        )


class InsertSliceOp(_InsertionOp, DestinationStyleOp):
    """`dest` with the part at `[offsets] [sizes] [strides]` replaced by `source`, which may lack dimensions of size 1."""

    name = "tensor.insert_slice"
    source = operand(c.ANY_RANKED_TENSOR)
    dest = operand(c.ANY_RANKED_TENSOR)
    offsets = variadic_operand(c.INDEX)
    sizes = variadic_operand(c.INDEX)
    strides = variadic_operand(c.INDEX)
    static_offsets = attribute(c.DENSE_I64_ARRAY)
    static_sizes = attribute(c.DENSE_I64_ARRAY)
    static_strides = attribute(c.DENSE_I64_ARRAY)
    result = result(c.ANY_RANKED_TENSOR)
    traits = (
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.PURE,
        tr.DESTINATION_STYLE,
        tr.TypesMatchWith("expected result type to match dest type", "dest", "result", lambda type: type),
    )
    assembly_format = (
        "$source `into` $dest `` custom<DynamicIndexList>($offsets, $static_offsets)"
        " custom<DynamicIndexList>($sizes, $static_sizes)"
        " custom<DynamicIndexList>($strides, $static_strides)"
        " attr-dict `:` type($source) `into` type($dest)"
    )
    result_name = "inserted_slice"

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]


class ParallelInsertSliceOp(_InsertionOp):
    """What one thread of a parallel loop contributes to the result that the loop shares. Has no result of its own."""

    name = "tensor.parallel_insert_slice"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)
    source = operand(c.ANY_RANKED_TENSOR)
    dest = operand(c.ANY_RANKED_TENSOR)
    offsets = variadic_operand(c.INDEX)
    sizes = variadic_operand(c.INDEX)
    strides = variadic_operand(c.INDEX)
    static_offsets = attribute(c.DENSE_I64_ARRAY)
    static_sizes = attribute(c.DENSE_I64_ARRAY)
    static_strides = attribute(c.DENSE_I64_ARRAY)
    assembly_format = InsertSliceOp.assembly_format

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if parent is None or parent.name != "scf.forall.in_parallel":
            shown = str(parent)
            return Unprefixed(
                "expected InParallelOpInterface parent, got:" + ("\n" if "\n" in shown else "") + shown
            )
        return super().verify()
