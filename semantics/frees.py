"""Whether a program frees memory, and thereby says that it manages what it allocates: then a leak is a fault."""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.program.interfaces import FREE, MemoryEffectOp


def frees_memory(module: Operation) -> bool:
    """Whether the program frees memory, and so must free all of it."""
    return any(
        op.name == "bufferization.dealloc"
        or (isinstance(op, MemoryEffectOp) and any(effect.kind == FREE for effect in op.memory_effects()))
        for op in module.walk()
    )


def leaks_matter(before: Operation, after: Operation) -> bool:
    """Whether leaks of a transformed program are faults: if it frees memory, or no longer does what the original did."""
    return frees_memory(after) or frees_memory(before)
