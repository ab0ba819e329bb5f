"""Operations that take apart and put together by coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, unit_attribute
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import types as t
from ._tensor_slices import ranked

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
    """What is wrong with `gather_dims` or `scatter_dims`."""
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
    """The type of what is gathered: leading dimensions of `indices`, then those of `source`, 1 for each in `dims`."""
    shape = list(indices.shape[:-1])
    for i, size in enumerate(source.shape):
        if i not in dims:
            shape.append(size)
        elif not rank_reduced:
            shape.append(1)
    return source.with_shape(shape)


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
        finding = _coordinate_finding(dims, indices.shape, source.rank, "gather", "source")
        if finding:
            return finding
        full = infer_gather_type(source, indices, dims, False)
        reduced = infer_gather_type(source, indices, dims, True)
        if self.result.type not in (full, reduced):
            return (
                f"result type mismatch: expected '{full}' or its rank-reduced variant '{reduced}' "
                f"(got: '{self.result.type}')"
            )
        return None


class ScatterOp(Operation):
    """`dest` with the slices at the coordinates in `indices`, which must be unique, replaced by those of `source`."""

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
        finding = _coordinate_finding(dims, indices.shape, dest.rank, "scatter", "dest")
        if finding:
            return finding
        if not self.unique:
            return "requires 'unique' attribute to be set"
        full = infer_gather_type(dest, indices, dims, False)
        reduced = infer_gather_type(dest, indices, dims, True)
        if self.source.type not in (full, reduced):
            return (
                f"source type mismatch: expected '{full}' or its rank-reduced variant '{reduced}' "
                f"(got: '{self.source.type}')"
            )
        return None
