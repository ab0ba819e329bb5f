"""The `iree_linalg_ext` and `tm_tensor` dialects: destination-style operations of IREE and torch-mlir that are not loop nests."""

from __future__ import annotations

from ..ir.declaration.declare import LEGACY_SYNTAX, OPERAND_SEGMENTS
from ..ir.program.core import Operation, Value
from ..ir.types import attributes as a, types as t
from .linalg.relayout import AlgorithmOp
from .ods import operations_of

_NAMES = [
    f"iree_linalg_ext.{name}" for name in ["scatter", "gather", "sort", "scan", "topk", "fft", "reverse"]
]

_TORCH_NAMES = [f"tm_tensor.{name}" for name in ["attention", "scan", "scatter", "sort", "topk"]]

__getattr__ = operations_of("iree_linalg_ext", dict.fromkeys(_NAMES, AlgorithmOp))
operations_of("tm_tensor", dict.fromkeys(_TORCH_NAMES, AlgorithmOp))


def _with_segments(op: Operation, renewed: set[Value]) -> None:
    """Upgrade the syntax of other IREE versions, which name each operand, in the same order: those tied to results are
    last.
    """
    segments = op.properties.get(OPERAND_SEGMENTS)
    outputs = len(op.results)
    if outputs and not (isinstance(segments, a.DenseArrayAttr) and len(segments.values) == 2):
        sizes = (len(op.op_operands) - outputs, outputs)
        op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, sizes)


LEGACY_SYNTAX.update(dict.fromkeys(_NAMES, _with_segments))
