"""Dialects of IREE and torch-mlir.

`iree_linalg_ext`, `tm_tensor`: destination-style operations that are not loop nests. `util`: functions, calls, and
optimization barriers.
"""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import CallOpInterface, RegionBranchTerminatorOp
from ..ir.types import attributes as a
from .function_like import FunctionLikeOp
from .linalg.relayout import AlgorithmOp
from .ods import operations_of

_NAMES = [
    f"iree_linalg_ext.{name}" for name in ["scatter", "gather", "sort", "scan", "topk", "fft", "reverse"]
]

_TORCH_NAMES = [f"tm_tensor.{name}" for name in ["attention", "scan", "scatter", "sort", "topk"]]

__getattr__ = operations_of("iree_linalg_ext", dict.fromkeys(_NAMES, AlgorithmOp))
operations_of("tm_tensor", dict.fromkeys(_TORCH_NAMES, AlgorithmOp))


class FuncOp(FunctionLikeOp):
    """A function that is isolated from above."""

    name = "util.func"
    traits = (*FunctionLikeOp.traits, tr.AFFINE_SCOPE, tr.AUTOMATIC_ALLOCATION_SCOPE)


class CallOp(CallOpInterface):
    """Calls a function by name."""

    name = "util.call"
    callee = attribute(c.FLAT_SYMBOL_REF_ATTR)
    operands_ = variadic_operand()
    results_ = variadic_result()
    assembly_format = "$callee `(` $operands_ `)` attr-dict `:` functional-type($operands_, results)"

    def callee_symbol(self) -> a.SymbolRefAttr:
        return self.callee


class ReturnOp(RegionBranchTerminatorOp):
    """Returns from a function."""

    name = "util.return"
    operands_ = variadic_operand()
    traits = (tr.has_parent("util.func"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


class BarrierOp(Operation):
    """Returns its operands, opaque to optimizations."""

    name = "util.optimization_barrier"
    operands_ = variadic_operand()
    results_ = variadic_result()
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"
    traits = (
        tr.TypesMatchWith("results have the types of operands", "operands_", "results_", lambda types: types),
    )
