"""Which buffers from outside the body of a loop may write: a guess that saves running the body twice."""

from __future__ import annotations

from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import CopyOpInterface, DestinationStyleOp, LoopLikeOp, ViewLikeOp
from ..ir.types import types as t
from .machine import Executor
from .state import Base, Choice, Pointer, bases_of


def may_write_set(m: Executor, op: Operation) -> set[Base]:
    """The buffers from outside that the body of a loop may write, found by looking. A guess: the run tells."""
    found: set[Base] = set()
    for inner in op.walk():
        if inner is op:
            continue
        for value in inner.operands:
            if t.is_memref(value.type) and _writes(inner, value):
                root = _root(value, op)
                held = m.env.get(root) if root is not None else None
                if isinstance(held, (Pointer, Choice)):
                    for base in bases_of(held):
                        found.add(base)
                        found |= base.overlaps
    return found


_READS = frozenset(
    ["memref.load", "affine.load", "memref.dim", "vector.transfer_read", "vector.load", "memref.rank"]
)


def _writes(op: Operation, value: Value) -> bool:
    if op.name in _READS or isinstance(op, ViewLikeOp):
        return False
    if isinstance(op, CopyOpInterface):
        return op.copy_target() is value
    if isinstance(op, DestinationStyleOp):
        return any(use.value is value for use in op.dps_inits())
    return True


def _root(value: Value, loop: Operation) -> Value | None:
    """The memref outside of a loop that a value in it is a view of, as far as views and inner loops tell."""
    for _ in range(64):
        if isinstance(value, OpResult):
            owner = value.owner
            if not loop.is_ancestor_of(owner):
                return value
            if isinstance(owner, ViewLikeOp):
                value = owner.view_source()
                continue
            if isinstance(owner, LoopLikeOp) and value.index < len(owner.init_operands):
                value = owner.init_operands[value.index].value
                continue
            return None
        assert isinstance(value, BlockArgument)
        around = value.owner.parent_op
        if around is None or not loop.is_ancestor_of(around):
            return value
        if around is loop and around is not None and not isinstance(around, LoopLikeOp):
            return None
        if isinstance(around, LoopLikeOp) and value in around.region_iter_args:
            at = around.region_iter_args.index(value)
            if at < len(around.init_operands):
                value = around.init_operands[at].value
                continue
        return None
    return None
