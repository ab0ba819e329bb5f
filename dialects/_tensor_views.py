"""`tensor` slices, gather and scatter, and reshapes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, unit_attribute, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import (
    DestinationStyleOp,
    InParallelOpInterface,
    Slice,
    SubsetExtractionOp,
    SubsetInsertionOp,
)
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ._reshapes import (
    REASSOCIATION_ATTR,
    CollapsingOp,
    ExpandingOp,
    ReassociativeOp,
    infer_collapsed_shape,
    verify_reshape_like,
)
from .common import (
    SLICE_FORM,
    OffsetSizeAndStrideOp,
    PartOp,
    Unprefixed,
    out_of_bounds,
    rank_reduction_mask,
    slice_fields,
    static_values,
)

if TYPE_CHECKING:
    from .common import Mixed


# -- slices: extraction, insertion, and insertion by iterations of a parallel loop


def ranked(value: Value) -> t.RankedTensorType:
    """The type of a value that is a ranked tensor."""
    return expect(t.RankedTensorType, value.type)


def _reduced_type_finding(expected: t.ShapedType, actual: t.ShapedType) -> str | None:
    """Why `actual` is not a rank reduction of `expected`, or None."""
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
    """The slice of `source` at `[offsets] [sizes] [strides]`; dimensions of size 1 may be dropped."""

    name = "tensor.extract_slice"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE)
    source = operand(c.ANY_RANKED_TENSOR)
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = f"$source `` {SLICE_FORM} attr-dict `:` type($source) `to` type($result)"
    result_name = "extracted_slice"

    @staticmethod
    def infer_result_type(source: t.RankedTensorType, sizes: Sequence[Mixed | None]) -> t.RankedTensorType:
        """The type of a slice of `sizes` without rank reduction."""
        return source.with_shape(size if isinstance(size, int) else None for size in sizes)

    def verify(self) -> str | None:
        if finding := self.verify_slice_lists():
            return finding
        source = ranked(self.source)
        sizes = static_values(self.static_sizes)
        return _reduced_type_finding(source.with_shape(sizes), ranked(self.result)) or out_of_bounds(
            source.shape, static_values(self.static_offsets), sizes, static_values(self.static_strides)
        )


class SliceInsertionOp(OffsetSizeAndStrideOp, SubsetInsertionOp):
    """Replaces the slice of `dest` at `[offsets] [sizes] [strides]` by `source`, which may drop dimensions of size 1.

    The result is the updated tensor; an insertion without result updates a tensor shared by the iterations of a
    parallel loop.
    """

    source = operand(c.ANY_RANKED_TENSOR)
    dest = operand(c.ANY_RANKED_TENSOR)
    offsets = variadic_operand(c.INDEX)
    sizes = variadic_operand(c.INDEX)
    strides = variadic_operand(c.INDEX)
    static_offsets = attribute(c.DENSE_I64_ARRAY)
    static_sizes = attribute(c.DENSE_I64_ARRAY)
    static_strides = attribute(c.DENSE_I64_ARRAY)
    assembly_format = f"$source `into` $dest `` {SLICE_FORM} attr-dict `:` type($source) `into` type($dest)"

    @staticmethod
    def of(source: Value, dest: Value, lists: Slice, parallel: bool = False) -> SliceInsertionOp:
        """An insertion at these offsets, sizes and strides; `parallel` inserts into the shared tensor of a parallel
        loop.
        """
        if parallel:
            return ParallelInsertSliceOp.build(source=source, dest=dest, **slice_fields(lists))
        return InsertSliceOp.build(source=source, dest=dest, result=dest.type, **slice_fields(lists))

    def slice_ranks(self) -> tuple[int, int, int]:
        rank = ranked(self.operands[1]).rank
        return rank, rank, rank

    def subset_source(self) -> OpOperand:
        return self.op_operands[0]

    def subset_destination(self) -> OpOperand:
        return self.op_operands[1]

    def verify(self) -> str | None:
        if finding := self.verify_slice_lists():
            return finding
        source, dest = ranked(self.operands[0]), ranked(self.operands[1])
        sizes = static_values(self.static_sizes)
        return _reduced_type_finding(dest.with_shape(sizes), source) or out_of_bounds(
            dest.shape, static_values(self.static_offsets), sizes, static_values(self.static_strides)
        )


class InsertSliceOp(SliceInsertionOp, DestinationStyleOp):
    """Inserts a slice into a tensor."""

    name = "tensor.insert_slice"
    result = result(c.ANY_RANKED_TENSOR)
    traits = (
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.PURE,
        tr.DESTINATION_STYLE,
        tr.TypesMatchWith("expected result type to match dest type", "dest", "result", lambda type: type),
    )
    result_name = "inserted_slice"

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]


class ParallelInsertSliceOp(SliceInsertionOp):
    """Inserts one iteration's slice into the shared result of a parallel loop. Has no result itself."""

    name = "tensor.parallel_insert_slice"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if not isinstance(parent, InParallelOpInterface):
            shown = str(parent)
            return Unprefixed(
                "expected InParallelOpInterface parent, got:" + ("\n" if "\n" in shown else "") + shown
            )
        return super().verify()


# -- gather and scatter


STATIC_TENSOR = c.TypeConstraint(
    "statically shaped tensor of any type values",
    lambda x: isinstance(x, t.RankedTensorType) and x.has_static_shape,
)


INDEX_TENSOR = c.container(t.RankedTensorType, "ranked tensor", c.SIGNLESS_INTEGER_OR_INDEX)


NUMBER_TENSOR = c.container(
    (t.RankedTensorType, t.UnrankedTensorType),
    "tensor",
    c.TypeConstraint(
        "signless integer or unsigned integer or signed integer or floating-point",
        lambda x: isinstance(x, (t.IntegerType, t.FloatType)),
    ),
)


def _coordinate_finding(dims: Sequence[int], indices: t.Shape, rank: int, what: str, side: str) -> str | None:
    """The error in `gather_dims` or `scatter_dims`, or None."""
    if not dims:
        return f"{what}_dims must be non-empty"
    if len(dims) > rank:
        return f"{what}_dims overflow {side} rank"
    if not indices or indices[-1] != len(dims):
        return f"{what}_dims length must match the size of last dimension of indices"
    for dim in dims:
        if dim < 0:
            return f"{what}_dims value must be non-negative"
        if dim >= rank:
            return f"{what}_dims value must be smaller than {side} rank"
    if any(first >= second for first, second in pairwise(dims)):
        return f"{what}_dims values must be strictly increasing"
    return None


def infer_gather_type(
    source: t.RankedTensorType, indices: t.RankedTensorType, dims: Sequence[int], rank_reduced: bool
) -> t.RankedTensorType:
    """The type of a gather: leading dimensions of `indices`, then those of `source`, with 1 for each in `dims`."""
    shape = list(indices.shape[:-1])
    for i, size in enumerate(source.shape):
        if i not in dims:
            shape.append(size)
        elif not rank_reduced:
            shape.append(1)
    return source.with_shape(shape)


def _gathered_finding(
    type: t.Type, what: str, whole: t.RankedTensorType, indices: t.RankedTensorType, dims: Sequence[int]
) -> str | None:
    full, reduced = (infer_gather_type(whole, indices, dims, reduce) for reduce in (False, True))
    wanted = f"expected '{full}' or its rank-reduced variant '{reduced}'"
    return None if type in (full, reduced) else f"{what} type mismatch: {wanted} (got: '{type}')"


class GatherOp(Operation):
    """The slices of `source` at the coordinates in `indices`."""

    name = "tensor.gather"
    traits = (tr.PURE,)
    source = operand(c.ANY_RANKED_TENSOR)
    indices = operand(INDEX_TENSOR)
    gather_dims = attribute(c.DENSE_I64_ARRAY)
    unique = unit_attribute()
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict"
        " `:` functional-type(operands, results)"
    )
    result_name = "gather"

    def verify(self) -> str | None:
        source, indices, dims = ranked(self.source), ranked(self.indices), self.gather_dims.values
        if finding := _coordinate_finding(dims, indices.shape, source.rank, "gather", "source"):
            return finding
        return _gathered_finding(self.result.type, "result", source, indices, dims)


class ScatterOp(Operation):
    """Replaces the slices of `dest` at the coordinates in `indices`, which must be unique, by those of `source`."""

    name = "tensor.scatter"
    traits = (tr.PURE,)
    source = operand(c.ANY_RANKED_TENSOR)
    dest = operand(c.ANY_RANKED_TENSOR)
    indices = operand(INDEX_TENSOR)
    scatter_dims = attribute(c.DENSE_I64_ARRAY)
    unique = unit_attribute()
    result = result(c.ANY_RANKED_TENSOR)
    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict"
        " `:` functional-type(operands, results)"
    )
    result_name = "scatter"

    def verify(self) -> str | None:
        dest, indices, dims = ranked(self.dest), ranked(self.indices), self.scatter_dims.values
        if finding := _coordinate_finding(dims, indices.shape, dest.rank, "scatter", "dest"):
            return finding
        if not self.unique:
            return "requires 'unique' attribute to be set"
        return _gathered_finding(self.source.type, "source", dest, indices, dims)


# -- reshapes: the same elements, in row-major order, under another shape


INDEX_TENSOR_1D = c.TypeConstraint(
    "1D tensor of signless integer or index values",
    lambda x: (
        isinstance(x, t.RankedTensorType) and x.rank == 1 and c.SIGNLESS_INTEGER_OR_INDEX.test(x.element)
    ),
)


class ReshapeOp(Operation):
    """The elements of `source`, in row-major order, under the shape in the operand `shape`."""

    name = "tensor.reshape"
    traits = (tr.PURE,)
    source = operand(c.ANY_TENSOR)
    shape = operand(INDEX_TENSOR_1D)
    result = result(c.ANY_TENSOR)
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    result_name = "reshape"

    def verify(self) -> str | None:
        source, output = self.source.type, self.result.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(output, t.ShapedType)
        if source.element is not output.element:
            return "element types of source and destination tensor types should be the same"
        if output.shape is None:
            return None
        if source.has_static_shape and output.has_static_shape and source.num_elements != output.num_elements:
            return "source and destination tensor should have the same number of elements"
        length = ranked(self.shape).shape[0]
        if length is None:
            return "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type"
        if length != output.rank:
            return "length of shape operand differs from the result's tensor rank"
        return None


def _verify_reshape(
    op: ReassociativeOp, expanded: t.RankedTensorType, collapsed: t.RankedTensorType
) -> str | None:
    groups = op.reassociation_indices()
    if finding := verify_reshape_like(expanded, collapsed, groups):
        return finding
    expected = t.RankedTensorType(infer_collapsed_shape(expanded.shape, groups), expanded.element)
    if t.RankedTensorType(collapsed.shape, collapsed.element) is not expected:
        return f"expected collapsed type to be '{expected}', but got '{collapsed}'"
    return None


class ExpandShapeOp(ExpandingOp):
    """Splits each dimension into its group; `output_shape` gives the dynamic sizes."""

    name = "tensor.expand_shape"
    traits = (tr.PURE,)
    src = operand(c.ANY_TENSOR)
    reassociation = attribute(REASSOCIATION_ATTR)
    output_shape = variadic_operand(c.INDEX)
    static_output_shape = attribute(c.DENSE_I64_ARRAY)
    result = result(c.ANY_TENSOR)
    assembly_format = (
        "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)"
        " attr-dict `:` type($src) `into` type($result)"
    )
    result_name = "expanded"

    def verify(self) -> str | None:
        output = ranked(self.result)
        static = static_values(self.static_output_shape)
        if len(static) != output.rank:
            return (
                f"expected number of static shape dims to be equal to the output rank ({output.rank}) "
                f"but found {len(static)} inputs instead"
            )
        dynamic = sum(size is None for size in static)
        if len(self.output_shape) != dynamic:
            return (
                "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
                f"{dynamic} dynamic dims while output_shape has {len(self.output_shape)} values"
            )
        return _verify_reshape(self, output, ranked(self.src))


class CollapseShapeOp(CollapsingOp):
    """Collapses the dimensions of each group into one."""

    name = "tensor.collapse_shape"
    traits = (tr.PURE,)
    src = operand(c.ANY_TENSOR)
    reassociation = attribute(REASSOCIATION_ATTR)
    result = result(c.ANY_TENSOR)
    assembly_format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    result_name = "collapsed"

    def verify(self) -> str | None:
        if any(not group for group in self.reassociation_indices()):
            return "reassociation indices must not be empty"
        return _verify_reshape(self, ranked(self.src), ranked(self.result))
