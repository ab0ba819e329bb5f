"""The `tm_tensor` dialect: torch-mlir's destination-style operations that are not loop nests."""

from ._algorithms import AlgorithmOp
from .ods import operations_of

_NAMES = ("attention", "scan", "scatter", "sort", "topk")

__getattr__ = operations_of("tm_tensor", dict.fromkeys((f"tm_tensor.{name}" for name in _NAMES), AlgorithmOp))
