"""What frees and what copies a buffer that an operation allocated (`AllocationOpInterface`).

The classes are found by name: `memref.alloc` is cloned by an operation of `bufferization`, whose clones are freed by one of
`memref`, and neither dialect is loaded before it is needed.
"""

from __future__ import annotations

from typing import Any

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import AllocationOp
from ..ir.text.registry import default_registry


class BufferAllocationOp(AllocationOp):
    """Allocates a memref: freed by `memref.dealloc` unless it is on the stack, cloned by `bufferization.clone`."""

    def build_free(self, value: Value) -> Operation | None:
        return None if self.is_stack_allocation() else _build("memref.dealloc", memref=value)

    def build_clone(self, value: Value) -> Operation:
        return _build("bufferization.clone", input=value, output=value.type)


def _build(name: str, **fields: Any) -> Operation:
    found = default_registry().find(name)
    assert found is not None
    return found.build(**fields)
