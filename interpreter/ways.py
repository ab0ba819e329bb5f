"""In which way an allocation is freed: as the operation that allocates it says."""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.program.interfaces import AllocationOp

_WAYS: dict[type[Operation], str | None] = {}


def freed_wrongly(maker: Operation | None, operation: Operation) -> str | None:
    """The name of what should have freed what `maker` allocated, if `operation` does so in another way."""
    if not isinstance(maker, AllocationOp) or not maker.results or isinstance(operation, AllocationOp):
        return None  # what frees and allocates hands a buffer on
    kind = type(maker)
    if kind not in _WAYS:
        _WAYS[kind] = maker.way_to_free(maker.results[0])
    way = _WAYS[kind]
    usual = operation.dialect in ("memref", "bufferization", "test")
    wrong = way is not None and way != operation.name and not (usual and way == "memref.dealloc")
    return way if wrong else None
