"""Canonicalization of `memref.alloca_scope`: scopes that need not be, and allocations that need not be in them."""

from __future__ import annotations

from typing import Final

from ...dialects import memref
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Region, Value
from ...ir.program.interfaces import STACK_RESOURCE, MemoryEffectOp
from ...ir.source.expect import expect
from ..rewriting.rewriter import Rewriter
from .inlining import replace_by_region


def _allocates_on_stack(op: Operation) -> bool:
    if isinstance(op, MemoryEffectOp):
        return any(
            effect.kind == "allocate" and effect.resource == STACK_RESOURCE for effect in op.memory_effects()
        )
    return not op.has_trait(tr.PURE) and not op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)


def _inline_scope(op: memref.AllocaScopeOp, rewriter: Rewriter) -> bool:
    """A scope without allocations on the stack of its own, or at the end of another one, need not be a scope."""
    pending = list(op.body.ops())
    allocates = False
    while pending and not allocates:
        inner = pending.pop()
        allocates = _allocates_on_stack(inner)
        if not inner.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            pending.extend(nested for region in inner.regions for nested in region.ops())
    parent, block = op.parent_op, op.block
    if allocates:
        if parent is None or block is None or not parent.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            return False
        if (
            block.last_op is None
            or block.last_op.previous_op is not op
            or not expect(Region, block.region).has_one_block
        ):
            return False
    replace_by_region(op, op.body, rewriter)
    return True


def _hoist_from_scope(op: memref.AllocaScopeOp, rewriter: Rewriter) -> bool:
    """Allocations at the end of a scope, in a scope of their own, can be made in the outer one as soon as sizes are known.

    Nothing but the ends of regions follows the inner scope, so that they do not live longer than before.
    """
    outermost: Operation = op
    while True:
        parent = outermost.parent_op
        if parent is None or not _is_last(outermost):
            return False
        if parent.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            break
        outermost = parent
    region = outermost.parent_region
    if outermost is op or region is None:
        return False
    ready: list[Operation] = []
    pending = list(op.body.ops())[::-1]
    while pending:
        inner = pending.pop()
        if isinstance(inner, memref.AllocaOp):
            if all(_defined_outside(value, outermost) for value in inner.operands):
                ready.append(inner)
        elif not inner.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            pending += [nested for part in inner.regions for nested in part.ops()][::-1]
    for allocation in ready:
        rewriter.move_before(allocation, outermost)
    return bool(ready)


def _is_last(op: Operation) -> bool:
    """Whether only a terminator follows, in a region of one block."""
    block = op.block
    return (
        block is not None
        and block.region is not None
        and block.region.has_one_block
        and (op.next_op is None or op.next_op is block.last_op)
    )


def _defined_outside(value: Value, op: Operation) -> bool:
    return not any(region.is_ancestor_of(value.parent_region) for region in op.regions)


SCOPE_PATTERNS: Final = (_inline_scope, _hoist_from_scope)
