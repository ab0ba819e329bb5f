"""What a descriptor holds, as values: pointer, offset, sizes, strides."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import operand, result, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import ViewLikeOp
from ..ir.types import types as t
from ._memref_views import STRIDED_MEMREF, STRIDED_MEMREF_RANK_0, memref_type_of


class ExtractAlignedPointerAsIndexOp(Operation):
    """The address of a buffer's first aligned element."""

    name = "memref.extract_aligned_pointer_as_index"
    traits = (tr.PURE, tr.SAME_VARIADIC_RESULT_SIZE)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    aligned_pointer = result(c.INDEX)
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    result_name = "intptr"


def _infer_metadata(state: Operation) -> list[t.Type]:
    source = memref_type_of(state.operands[0])
    base = t.MemRefType((), source.element, None, source.memory_space)
    return [base, *[t.INDEX] * (1 + 2 * source.rank)]


class ExtractStridedMetadataOp(ViewLikeOp):
    """A memref taken apart: its buffer as a memref of rank 0, its offset, sizes and strides."""

    name = "memref.extract_strided_metadata"
    source = operand(STRIDED_MEMREF)
    base_buffer = result(STRIDED_MEMREF_RANK_0)
    offset = result(c.INDEX)
    sizes = variadic_result(c.INDEX)
    strides = variadic_result(c.INDEX)
    traits = (tr.PURE, tr.SAME_VARIADIC_RESULT_SIZE, tr.InferResultTypes(_infer_metadata))
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"

    def result_names(self) -> list[str | None]:
        names: list[str | None] = [None] * len(self.results)
        names[:2] = ["base_buffer", "offset"]
        rank = (len(names) - 2) // 2
        if rank:
            names[2], names[2 + rank] = "sizes", "strides"
        return names
