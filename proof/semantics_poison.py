"""Symbolic semantics of operations whose results may be poison: shifts, conversions, and places in vectors.

Poison differs from itself, but terms cancel. So it is an obligation that the source computes the same, except where that is never
poison. A result that is poison in any case is uninitialized.
"""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.types import types as t
from .machine import Executor, attributes_of, semantics
from .poison import CONVERSIONS, PLACES, SHIFTS, SHUFFLES
from .semantics_scalars import uninterpreted
from .state import MemoryState
from .terms import Term, make


@semantics(*SHIFTS, *CONVERSIONS, "llvm.extractelement", "llvm.insertelement", "llvm.shufflevector")
def poisoning(m: Executor, op: Operation, state: MemoryState) -> None:
    """A result that may be poison: a shift past the width, a number that the type does not hold, a place out of bounds."""
    args = [m.get(value) for value in op.operands]
    key = ("computed", op.name, attributes_of(op), op.results[0].type, *args)
    if not m.transformed or not _is_never_poison(op, args):
        m.only_as_before(key, state.path, f"the result of '{op.name}' is not poison", "promise")
    return uninterpreted(m, op, state)


@semantics("ub.poison", "llvm.mlir.poison", "llvm.mlir.undef")
def poison(m: Executor, op: Operation, state: MemoryState) -> None:
    """A value that may be any, another one at each use."""
    type = op.results[0].type
    if isinstance(type, t.ShapedType) and not isinstance(type, t.VectorType):
        m.give_up("poison of this type", op)
    m.set(op.results[0], poison_of(m, type), op)


def poison_of(m: Executor, type: t.Type) -> Term:
    return make("undef", m.new() if m.transformed else None, type=type, undefined=True)


def _is_never_poison(op: Operation, args: list[Term]) -> bool:
    """Whether a shift is by a constant less than the width, or a place is a static one."""
    if op.name in SHUFFLES:
        return all(place >= 0 for place in getattr(op.properties.get("mask"), "values", (-1,)))
    if op.dialect == "vector":
        return not any(arg.type is t.INDEX for arg in args)
    last = args[-1].attr if args[-1].op == "const" else None
    type = op.results[0].type
    if op.name in PLACES:
        vector = op.operands[0].type
        least = (vector.static_shape or (0,))[0] if isinstance(vector, t.VectorType) else 0
    else:
        least = 32 if type is t.INDEX else getattr(type, "width", 0)
    return op.name not in CONVERSIONS and isinstance(last, int) and 0 <= last < least
