"""`-func-bufferize`: functions take and return buffers; calls, returns and branches between blocks follow."""

from __future__ import annotations

from ..dialects.builtin import ModuleOp
from ..ir.program.core import Operation
from .conversion import ConversionPattern, ConversionTarget, apply_full_conversion
from .conversion.func import populate_func_bufferize_patterns
from .partial.type_converter import BufferTypeConverter, make_border_legal
from .pass_base import Context, Pass


class FuncBufferize(Pass):
    """Dense buffers in signatures.

        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
     => func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Runs on the module: signatures and calls change together.
    """

    name = "func-bufferize"
    summary = "Bufferize func/call/return ops"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_func_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        target.add_legal_ops(ModuleOp)
        make_border_legal(target)
        apply_full_conversion(op, target, patterns)
