"""`-buffer-placement-preparation`: signatures as the preparation phase of 2020 made them."""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.types import types as t
from .account import makers
from .pass_base import Context, Pass, choice, flag
from .preparation import BufferizeTypeConverter, ResultConversionKind, flatten_tuples, prepare

APPEND, KEEP = ResultConversionKind


class BufferPlacementPreparation(Pass):
    """Buffers in signatures; results that were tensors become arguments, which callers allocate.

        func.func @f(%a: tensor<5xf32>) -> tensor<5xf32>
     => func.func @f(%a: memref<5xf32>, %out: memref<5xf32>)

    Tuples become their elements. Bodies keep their tensors, behind a border of `to_tensor` and `to_buffer`.
    """

    name = "buffer-placement-preparation"
    summary = "Convert signatures to buffers, results to arguments that callers allocate"
    tensor_results = choice(
        "tensor-results",
        [str(kind) for kind in ResultConversionKind],
        str(APPEND),
        "what becomes of results that were tensors",
    )
    memref_results = choice(
        "memref-results",
        [str(kind) for kind in ResultConversionKind],
        str(KEEP),
        "what becomes of results that were memrefs before",
    )
    decompose_tuples = flag("decompose-tuples", "unpack tuples in signatures", True)
    copy_op = choice("copy-op", ["memref.copy", "linalg.copy"], "memref.copy", "how results are copied")

    def run(self, op: Operation, context: Context) -> None:
        converter = BufferizeTypeConverter()
        for origin, kind in ((t.RankedTensorType, self.tensor_results), (t.MemRefType, self.memref_results)):
            converter.set_result_conversion_kind(origin, t.MemRefType, ResultConversionKind(kind))
        if self.decompose_tuples:
            flatten_tuples(converter)
        prepare(op, converter, makers.linalg_copy if self.copy_op == "linalg.copy" else makers.copy)
