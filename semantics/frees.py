"""What an operation frees; and whether a program frees memory, by which it says that it manages what it allocates."""

from __future__ import annotations

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FREE, MemoryEffectOp


def freed_by(op: Operation) -> list[Value]:
    """The buffers that an operation itself frees."""
    effects = op.memory_effects() if isinstance(op, MemoryEffectOp) else ()
    return [effect.value for effect in effects if effect.kind == FREE and effect.value is not None]


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
