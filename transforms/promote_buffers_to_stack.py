"""`-promote-buffers-to-stack`: small buffers that stay in their scope are allocated on the stack."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from ..analysis.allocations import (
    allocations,
    freed_by_any_name,
    is_known_control_flow,
    is_loop,
    only_allocates,
)
from ..analysis.freeing.contracts import CallsThatFree
from ..analysis.graphs import leaves_region
from ..analysis.origins import ViewFlow, is_buffer
from ..dialects import memref
from ..ir.defects import FREED_ALREADY
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region, Value
from ..ir.program.interfaces import AllocationOp
from ..ir.types import types as t
from . import makers
from .pass_base import Context, Pass, number

INDEX_BITS: Final = 64


class PromoteBuffersToStack(Pass):
    """Turn `memref.alloc` into `memref.alloca` where the buffer is small, not freed, and does not leave its scope.

        %n = memref.alloc() : memref<4xf32>  =>  %n = memref.alloca() : memref<4xf32>

    Small is a static size of at most `max-alloc-size-in-bytes`, or a rank of at most `max-rank-of-allocated-memref` if all
    sizes come from `memref.rank`. A scope is an operation whose stack allocations end with it; between it and the
    allocation there may be branches, but no loops. O(operations + uses), and for each nesting of scopes once the views
    that leave them.
    """

    name = "promote-buffers-to-stack"
    summary = "allocate small buffers on the stack"
    on = "func.func"

    max_bytes = number("max-alloc-size-in-bytes", 1024, "largest static size in bytes")
    max_rank = number("max-rank-of-allocated-memref", 1, "largest rank of buffers of dynamic size")

    @cached_property
    def _calls(self) -> CallsThatFree:
        return CallsThatFree()

    def run(self, op: Operation, context: Context) -> None:
        flow = ViewFlow(op)
        leaving = _Leaving(flow)
        stays: set[Value] = set()
        if FREED_ALREADY not in context.mirrored:
            stays = freed_by_any_name(op, flow)
            stays.update(flow.resolve_back([value for _, value in self._calls.inside(op)]))
        for value, dealloc in allocations(op):
            alloc = value.defining_op
            if not only_allocates(alloc) or not isinstance(alloc, AllocationOp) or dealloc is not None:
                continue
            if value not in stays and self._is_small(alloc) and _has_scope(value, leaving):
                new = makers.on_stack(alloc)
                if new is None:
                    continue
                assert alloc.block is not None
                alloc.block.insert_before(new, alloc)
                alloc.replace_with(new.results)
                context.count(self.name, "promoted")

    def _is_small(self, alloc: AllocationOp) -> bool:
        type = alloc.results[0].type
        if not isinstance(type, t.MemRefType):
            return False
        if type.has_static_shape:
            bits = element_bits(type.element)
            if bits is None:
                return False
            count = 1
            for size in type.shape:
                count *= size or 0
            return count * bits <= self.max_bytes * 8
        return type.rank <= self.max_rank and all(
            isinstance(operand.defining_op, memref.RankOp) for operand in alloc.operands
        )


def element_bits(type: t.Type) -> int | None:
    """The size of one element as MLIR's default data layout has it; None for types it does not know."""
    if isinstance(type, (t.IntegerType, t.FloatType)):
        return type.width
    if isinstance(type, t.IndexType):
        return INDEX_BITS
    if isinstance(type, t.ComplexType):
        element = element_bits(type.element)
        return None if element is None else 2 * element
    if isinstance(type, t.VectorType):
        element = element_bits(type.element)
        if element is None:
            return None
        for size in type.shape:
            element *= size or 0
        return element
    return None


class _Leaving:
    """Which buffers leave a region, by being passed on where it ends."""

    def __init__(self, flow: ViewFlow) -> None:
        self._flow = flow
        self._by_region: dict[Region, set[Value]] = {}

    def leaves(self, value: Value, region: Region) -> bool:
        """Whether `value` or a view of it is an operand of an operation that ends `region`."""
        found = self._by_region.get(region)
        if found is None:
            passed = [
                operand
                for block in region
                if block.last_op is not None
                and (block.last_op.has_trait(tr.RETURN_LIKE) or leaves_region(block.last_op))
                for operand in block.last_op.operands
                if is_buffer(operand)
            ]
            found = self._by_region[region] = set(self._flow.resolve_back(passed))
        return value in found


def _has_scope(value: Value, leaving: _Leaving) -> bool:
    """Whether a scope around the allocation keeps the buffer to itself."""
    region = value.parent_region
    while region is not None:
        around = region.parent_op
        if around is None:
            return False
        if around.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE) and not leaving.leaves(value, region):
            return True
        if is_loop(around) or not is_known_control_flow(around):
            return False
        region = around.parent_region
    return False
