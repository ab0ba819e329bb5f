"""The `tm_tensor` dialect: torch-mlir's destination-style operations that are not loop nests."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, region, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ._algorithms import TRAITS, WITH_REGION, AlgorithmOp


class ScanOp(AlgorithmOp):
    """Running totals along a dimension; the second output is what has been accumulated."""

    name = "tm_tensor.scan"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    inclusive = attribute(c.BOOL_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` {WITH_REGION}"


class ScatterOp(AlgorithmOp):
    """Combines updates with the elements of the output at given indices."""

    name = "tm_tensor.scatter"
    traits = TRAITS
    dimension_map = attribute(c.DENSE_I64_ARRAY)
    unique_indices = attribute(c.BOOL_ATTR)
    region = region()
    assembly_format = f"attr-dict `unique_indices` `(` $unique_indices `)` {WITH_REGION}"


class SortOp(AlgorithmOp):
    """Sorts the outputs together along a dimension."""

    name = "tm_tensor.sort"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` {WITH_REGION}"


class TopkOp(AlgorithmOp):
    """The greatest elements along a dimension, and where they are."""

    name = "tm_tensor.topk"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` {WITH_REGION}"


class AttentionOp(AlgorithmOp):
    """softmax(query * key, and a mask) * value."""

    name = "tm_tensor.attention"
    traits = TRAITS
    region = region()
    assembly_format = f"attr-dict {WITH_REGION}"


class YieldOp(Operation):
    """What the region of one of these operations yields."""

    name = "tm_tensor.yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    operands_ = variadic_operand()
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"
