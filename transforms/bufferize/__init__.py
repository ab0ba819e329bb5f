"""Rewrites operations on tensors to operations on buffers, as the plan of the analysis says.

Begin with `driver`; a dialect's module `rewrite_<dialect>` has the table `REWRITES`.
"""

from __future__ import annotations

from typing import Final

from ...ir.program.core import Operation
from ...ir.source.records import record
from ...ir.types import types as t
from ...ir.types.attributes import Attribute

# -- Options of the rewrite, with the names and defaults of mlir-opt's `one-shot-bufferize`.

INFER_LAYOUT, FULLY_DYNAMIC_LAYOUT, IDENTITY_LAYOUT = (
    "infer-layout-map",
    "fully-dynamic-layout-map",
    "identity-layout-map",
)


class UnknownMemorySpace:
    """An unknown memory space, for which there is no default."""


UNKNOWN_SPACE: Final = UnknownMemorySpace()

MemorySpace = Attribute | None
"""A memory space; None is the default one."""


@record(frozen=True)
class BufferizeOptions:
    """Options of the rewrite.

    Attributes:
        bufferize_function_boundaries: whether functions, calls and returns are rewritten; else they are unknown.
        allow_unknown_ops: whether operations that cannot be rewritten may stay, with tensors.
        copy_before_write: whether there was no analysis, so that every write needs a copy before it.
        dialect_filter: if not empty, only operations of these dialects are rewritten.
        no_analysis_func_filter: functions in which there was no analysis.
        function_boundary_layout: layout of buffers in signatures.
        unknown_layout: layout of buffers of which nothing is known.
        must_infer_memory_space: whether there is no default memory space.
        use_encoding_for_memory_space: whether the encoding of a tensor type is its memory space.
        nested_modules: whether functions of modules inside the module are rewritten with it.
        buffer_alignment: alignment of allocations in bytes; 0 for none.
        copies_onto_itself: whether a part that is in its place already is copied there all the same, as mlir-opt does.
        says_borrowed: whether functions say which results are buffers of their callers, who keep them.
    """

    bufferize_function_boundaries: bool = False
    allow_unknown_ops: bool = False
    copy_before_write: bool = False
    dialect_filter: tuple[str, ...] = ()
    no_analysis_func_filter: tuple[str, ...] = ()
    function_boundary_layout: str = INFER_LAYOUT
    unknown_layout: str = FULLY_DYNAMIC_LAYOUT
    must_infer_memory_space: bool = False
    use_encoding_for_memory_space: bool = False
    nested_modules: bool = False
    buffer_alignment: int = 64
    copies_onto_itself: bool = True
    says_borrowed: bool = False

    def allows(self, op: Operation) -> bool:
        """Whether the operation is one of those to be rewritten."""
        if self.bufferize_function_boundaries and not self.dialect_filter:
            return True
        dialect = op.name.partition(".")[0]
        if dialect == "func" and not self.bufferize_function_boundaries:
            return False
        return not self.dialect_filter or dialect in self.dialect_filter

    def default_memory_space(self, tensor: t.Type) -> MemorySpace | UnknownMemorySpace:
        """The memory space of a tensor about which nothing else is known."""
        if self.must_infer_memory_space:
            return UNKNOWN_SPACE
        if not self.use_encoding_for_memory_space:
            return None
        return tensor.encoding if isinstance(tensor, t.RankedTensorType) else UNKNOWN_SPACE
