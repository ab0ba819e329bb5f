"""Iterations that use the buffers of those before them: allocations that leave loops whose buffers are freed already.

Two cases, in loops whose iterations come one after the other:

  I1  A buffer is made and freed in the body, and nothing else in the body is allocated while it is not held: it is made
      before the loop and freed behind it.
  I2  A loop carries a buffer, and each iteration makes a new one to carry and frees that which it got. One more buffer is
      made before the loop, and the two take turns (double buffering):

        %r = scf.for ... iter_args(%x = %a) {       %s = memref.alloc()
          %n = memref.alloc()                       %r:2 = scf.for ... iter_args(%x = %a, %n = %s) {
          "step"(%x, %n)                     =>       "step"(%x, %n)
          memref.dealloc %x                           scf.yield %n, %x
          scf.yield %n                              }
        }                                           memref.dealloc %r#1
"""

from __future__ import annotations

from collections.abc import Callable

from ...dialects import affine, memref, scf
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.program.interfaces import LoopLikeOp

_IN_TURN = ("scf.for", "affine.for", "scf.while")


def loops_inside_out(function: Operation) -> list[Operation]:
    """The loops of I1, inner ones first."""
    return [op for op in function.walk_post_order() if isinstance(op, LoopLikeOp) and op.name in _IN_TURN]


def allocate_before(loop: Operation, may_allocate: Callable[[Operation], bool]) -> int:
    """I1; how many buffers were moved. O(operations of the body) for each."""
    moved = 0
    for region in loop.regions:
        if not region.has_one_block:
            continue
        body = region.entry
        for alloc in [op for op in body if isinstance(op, memref.AllocOp)]:
            dealloc = _freed_in(alloc.results[0], body)
            if dealloc is None or any(loop.is_ancestor_of(_home(value)) for value in alloc.operands):
                continue
            if _spans(alloc, dealloc, may_allocate):
                alloc.move_before(loop)
                dealloc.move_after(loop)
                moved += 1
    return moved


def take_turns(loop: Operation, may_allocate: Callable[[Operation], bool]) -> int:
    """I2; for how many carried buffers. O(operations of the body) for each."""
    if not isinstance(loop, scf.ForOp | affine.ForOp) or not loop.regions[0].has_one_block:
        return 0
    body = loop.regions[0].entry
    last = body.last_op
    assert last is not None
    count = 0
    for position, use in enumerate(list(last.op_operands)):
        alloc = use.value.defining_op
        carried = body.args[position + 1]
        freed = _freed_in(carried, body)
        if (
            not isinstance(alloc, memref.AllocOp)
            or alloc.block is not body
            or freed is None
            or carried.type is not alloc.results[0].type
            or not _is_plain(alloc)
            or sum(value is use.value for value in last.operands) != 1
            or any(value is carried for value in last.operands)
            or not _spans(alloc, freed, may_allocate)
        ):
            continue
        alloc.move_before(loop)
        spare = body.add_argument(carried.type)
        alloc.results[0].replace_all_uses_with(spare)
        loop.insert_operands(len(loop.op_operands), [alloc.results[0]])
        last.insert_operands(len(last.op_operands), [carried])
        left = OpResult(loop, len(loop.results), carried.type)
        loop.results.append(left)  # pyright: ignore[reportArgumentType]
        freed.move_after(loop)
        freed.op_operands[0].value = left
        count += 1
    return count


def _spans(alloc: Operation, dealloc: Operation, may_allocate: Callable[[Operation], bool]) -> bool:
    """Whether all else that may allocate in a body does so between the two, so that holding the buffer longer costs nothing."""
    assert alloc.block is not None
    return alloc.is_before_in_block(dealloc) and all(
        alloc.is_before_in_block(op) and op.is_before_in_block(dealloc)
        for op in alloc.block
        if op is not alloc and may_allocate(op)
    )


def _freed_in(value: Value, body: Block) -> memref.DeallocOp | None:
    """The one deallocation of a value, if it is in `body`."""
    found = [op for op in value.users if isinstance(op, memref.DeallocOp)]
    return found[0] if len(found) == 1 and found[0].block is body else None


def _is_plain(alloc: memref.AllocOp) -> bool:
    """Whether all buffers of that type are alike."""
    kind = alloc.memref_type
    return alloc.alignment is None and kind.has_static_shape and kind.is_identity_layout


def _home(value: Value) -> Operation | None:
    return value.defining_op or (value.parent_block.parent_op if value.parent_block is not None else None)
