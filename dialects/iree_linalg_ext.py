"""The `iree_linalg_ext` dialect: IREE's destination-style operations that are not loop nests."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import LEGACY_SYNTAX, OPERAND_SEGMENTS, attribute, region, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._algorithms import INS_AND_OUTS, TRAITS, WITH_REGION, AlgorithmOp


class ScatterOp(AlgorithmOp):
    """Combines updates with the elements of the output at given indices."""

    name = "iree_linalg_ext.scatter"
    traits = TRAITS
    dimension_map = attribute(c.DENSE_I64_ARRAY)
    unique_indices = attribute(c.BOOL_ATTR)
    region = region()
    assembly_format = (
        "attr-dict `dimension_map` `=` $dimension_map `unique_indices` `(` $unique_indices `)` " + WITH_REGION
    )


class GatherOp(AlgorithmOp):
    """Reads slices of the input at given indices."""

    name = "iree_linalg_ext.gather"
    traits = TRAITS
    dimension_map = attribute(c.DENSE_I64_ARRAY)
    assembly_format = f"attr-dict `dimension_map` `=` $dimension_map {INS_AND_OUTS} (`->` type($results_)^)?"


class SortOp(AlgorithmOp):
    """Sorts the outputs together along a dimension."""

    name = "iree_linalg_ext.sort"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` {WITH_REGION}"


class ScanOp(AlgorithmOp):
    """Running totals along a dimension; the second output is what has been accumulated."""

    name = "iree_linalg_ext.scan"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    inclusive = attribute(c.BOOL_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` {WITH_REGION}"


class TopkOp(AlgorithmOp):
    """The greatest elements along a dimension, and where they are."""

    name = "iree_linalg_ext.topk"
    traits = TRAITS
    dimension = attribute(c.I64_ATTR)
    region = region()
    assembly_format = f"attr-dict `dimension` `(` $dimension `)` {WITH_REGION}"


class FftOp(AlgorithmOp):
    """One stage of a fast Fourier transform, on real and imaginary parts."""

    name = "iree_linalg_ext.fft"
    traits = TRAITS
    assembly_format = f"attr-dict {INS_AND_OUTS} (`:` type($results_)^)?"


class ReverseOp(AlgorithmOp):
    """The input with the order of some dimensions reversed."""

    name = "iree_linalg_ext.reverse"
    traits = TRAITS
    dimensions = attribute(c.ANY_ATTR)
    assembly_format = f"attr-dict `dimensions` `(` $dimensions `)` {INS_AND_OUTS} (`:` type($results_)^)?"


class YieldOp(Operation):
    """What the region of one of these operations yields."""

    name = "iree_linalg_ext.yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    operands_ = variadic_operand()
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


def _with_segments(op: Operation, renewed: set[Value]) -> None:
    """Other versions of IREE name each operand, in the same order: those tied to results come last."""
    segments = op.properties.get(OPERAND_SEGMENTS)
    outputs = len(op.results)
    if outputs and not (isinstance(segments, a.DenseArrayAttr) and len(segments.values) == 2):
        sizes = (len(op.op_operands) - outputs, outputs)
        op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, sizes)


LEGACY_SYNTAX.update(
    (kind.name, _with_segments) for kind in (ScatterOp, GatherOp, SortOp, ScanOp, TopkOp, FftOp, ReverseOp)
)
