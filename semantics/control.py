"""Semantics of structured control flow, over any domain.

    C1  scf.execute_region, memref.alloca_scope   once(op)
    C2  scf.if, affine.if                         either(op, condition)
    C3  scf.index_switch                          switch(op, selector, cases)
    C4  scf.for, affine.for                       counted(op, bounds)
    C5  scf.while                                 repeated(op)
    C6  scf.forall, scf.parallel, affine.parallel grid(op, bounds)

Loops state their bounds themselves (`LoopLikeOp.bounds`). Numbers, conditions and what running a region means depend on the engine's
*domain*: functions of the environment in the interpreter, terms and symbolic states in the prover.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import CountedLoopOp, LoopBound, LoopLikeOp
from ..ir.types.affine_map import AffineMap, IntegerSet

if TYPE_CHECKING:
    from ..dialects import affine, scf

N = TypeVar("N")
C = TypeVar("C")


class ControlDomain(Protocol[N, C]):
    """The numbers and conditions of an engine, and how it runs regions."""

    def number(self, value: Value | int) -> N: ...

    def extreme(self, kind: str, map: AffineMap, operands: Sequence[Value]) -> N:
        """The greatest (`max`) or least (`min`) result of a map."""
        ...

    def truth(self, value: Value) -> C: ...

    def holds(self, set: IntegerSet, operands: Sequence[Value]) -> C: ...

    def once(self, op: Operation) -> Any:
        """Runs the only region of `op`."""
        ...

    def either(self, op: Operation, condition: C) -> Any:
        """Runs the first region of `op` if the condition holds, else the second, which may be empty."""
        ...

    def switch(self, op: Operation, selector: Value, cases: Sequence[int]) -> Any:
        """Runs the region of the case that equals the selector; the first region is the default."""
        ...

    def counted(self, op: CountedLoopOp, lower: N, upper: N, step: N) -> Any: ...

    def repeated(self, op: scf.WhileOp) -> Any:
        """Runs the first region, and the second as long as the condition at the first one's end holds."""
        ...

    def grid(self, op: LoopLikeOp, bounds: Sequence[tuple[N, N, N]]) -> Any:
        """Runs the body for every point of a grid, in any order."""
        ...


def bounds_of(op: LoopLikeOp, d: ControlDomain[N, C]) -> list[tuple[N, N, N]]:
    """The lower bound, the exclusive upper bound and the step of each induction variable."""

    def bound(value: LoopBound, kind: str) -> N:
        return d.extreme(kind, *value) if isinstance(value, tuple) else d.number(value)

    return [(bound(low, "max"), bound(high, "min"), d.number(step)) for low, high, step in op.bounds()]


def _once(op: Operation, d: ControlDomain[N, C]) -> Any:
    return d.once(op)


def _if(op: scf.IfOp, d: ControlDomain[N, C]) -> Any:
    return d.either(op, d.truth(op.condition))


def _affine_if(op: affine.IfOp, d: ControlDomain[N, C]) -> Any:
    return d.either(op, d.holds(op.condition.set, op.operands))


def _switch(op: scf.IndexSwitchOp, d: ControlDomain[N, C]) -> Any:
    return d.switch(op, op.arg, list(op.cases.values))


def _counted(op: CountedLoopOp, d: ControlDomain[N, C]) -> Any:
    [bounds] = bounds_of(op, d)
    return d.counted(op, *bounds)


def _repeated(op: scf.WhileOp, d: ControlDomain[N, C]) -> Any:
    return d.repeated(op)


def _grid(op: LoopLikeOp, d: ControlDomain[N, C]) -> Any:
    return d.grid(op, bounds_of(op, d))


EQUATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "scf.execute_region": _once,
    "memref.alloca_scope": _once,
    "scf.if": _if,
    "affine.if": _affine_if,
    "scf.index_switch": _switch,
    "scf.for": _counted,
    "affine.for": _counted,
    "scf.while": _repeated,
    "scf.forall": _grid,
    "scf.parallel": _grid,
    "affine.parallel": _grid,
}
"""How an operation runs its regions, and its results."""
