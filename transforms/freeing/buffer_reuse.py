"""`-copy-removal`, `-buffer-reuse`, `-optimize-allocation-liveness`: a buffer is merged with its copy, frees move after the last use, freed
buffers are reused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from ...analysis.allocations import deallocations, escaping_allocations, only_allocates
from ...analysis.graphs import reverse_postorder
from ...analysis.nested_dominance import BlockTree
from ...analysis.origins import OriginKind, Origins, ViewFlow, closure
from ...dialects import bufferization, memref
from ...dialects.linalg.base import PARALLEL, LinalgOp
from ...ir.defects import ESCAPING_BUFFERS, UNKNOWN_RESULTS
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpResult, Region, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    CopyOpInterface,
    CountedLoopOp,
    LoopLikeOp,
    MemoryEffectOp,
    memory_effects,
)
from ...ir.source.diagnostics import PassFailed, error, present
from ...ir.types import types as t
from .. import makers
from ..pass_base import Context, Pass, flag

# Reuse across iterations: hoisting allocations that are freed in the loop.
#
# Two cases, in sequential loops:
#
#   I1  A buffer is allocated and freed in the body, and all other allocations of the body are between the two: it is allocated
#       before the loop and freed after it.
#   I2  Each iteration allocates a buffer to yield and frees its iter_arg. One more buffer is allocated before the loop, and the
#       two alternate (double buffering):
#
#         %r = scf.for ... iter_args(%x = %a) {       %s = memref.alloc()
#           %n = memref.alloc()                       %r:2 = scf.for ... iter_args(%x = %a, %n = %s) {
#           "step"(%x, %n)                     =>       "step"(%x, %n)
#           memref.dealloc %x                           scf.yield %n, %x
#           scf.yield %n                              }
#         }                                           memref.dealloc %r#1


def loops_inside_out(function: Operation) -> list[Operation]:
    """The loops of I1, inner ones first."""
    return [
        op
        for op in function.walk_post_order()
        if isinstance(op, LoopLikeOp) and not op.has_trait(tr.PARALLEL_LOOP)
    ]


def allocate_before(loop: Operation, may_allocate: Callable[[Operation], bool]) -> int:
    """Apply I1. Returns the number of hoisted buffers. O(operations of the body) for each."""
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
    """Apply I2. Returns the number of loop-carried buffers. O(operations of the body) for each."""
    if not isinstance(loop, CountedLoopOp) or not loop.regions[0].has_one_block:
        return 0
    body = loop.regions[0].entry
    last = present(body.last_op)
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
    """Whether all other allocations of a body are between the two, so that extending the live range does not raise the peak."""
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
    """Whether the allocation has a static shape, an identity layout and no alignment."""
    kind = alloc.memref_type
    return alloc.alignment is None and kind.has_static_shape and kind.is_identity_layout


def _home(value: Value) -> Operation | None:
    return value.defining_op or (value.parent_block.parent_op if value.parent_block is not None else None)


Freed = dict[t.Type, list[memref.DeallocOp]]
"""The deallocations since the last allocation, by type, in order."""


class BufferReuse(Pass):
    """Reuse a freed buffer for the next allocation of the same size.

        memref.dealloc %a : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>      =>   (nothing: %b is %a)
        "use"(%b)                                     "use"(%a)

    Both buffers have the same type and, if dynamic, the same sizes. Nothing is allocated in between, so the
    peak of memory never rises. A buffer freed at the end of a block can be reused in successors that have no
    other predecessor; successors that do not reuse it free it. Run this after a pass that frees at the last
    use. O(operations).

    With `loops`, a buffer that each iteration allocates and frees is allocated once before the loop, and a
    buffer that replaces that of the previous iteration alternates with it. The buffer is allocated even if
    the loop does not run.
    """

    name = "buffer-reuse"
    summary = "let an allocation reuse a buffer that was just freed"
    on = "func.func"

    loops = flag("loops", "reuse buffers across iterations of loops")

    def run(self, op: Operation, context: Context) -> None:
        self._reuse(op, context)
        while self.loops and self._leave_loops(op, context):
            self._reuse(op, context)

    def _reuse(self, op: Operation, context: Context) -> None:
        for inner in list(op.walk()):
            for region in inner.regions:
                if not region.is_empty:
                    context.count(self.name, "reused", _reuse_in_region(region))

    def _leave_loops(self, op: Operation, context: Context) -> bool:
        """Whether an allocation was hoisted, which may enable more reuse. Repeated once per nesting level."""
        found = 0
        for loop in loops_inside_out(op):
            moved, turns = allocate_before(loop, may_allocate), take_turns(loop, may_allocate)
            context.count(self.name, "before loops", moved)
            context.count(self.name, "taking turns", turns)
            found += moved + turns
        return found > 0


def _reuse_in_region(region: Region) -> int:
    """Reuse within blocks, and from each block to those of which it is the only predecessor. Returns the count. O(operations)."""
    reused = 0
    blocks = reverse_postorder([region.entry], lambda block: block.successors)
    before: dict[Block, set[Block]] = {}
    for block in blocks:
        for successor in block.successors:
            before.setdefault(successor, set()).add(block)
    for block in blocks:
        freed: Freed = {}
        for dealloc, alloc in _matches(block, freed):
            _take(dealloc, [alloc])
            reused += 1
        following = list(dict.fromkeys(block.successors))
        if any(freed.values()) and all(len(before[b]) == 1 and b is not region.entry for b in following):
            reused += _reuse_after(following, freed)
    return reused


def _matches(block: Block, freed: Freed) -> list[tuple[memref.DeallocOp, memref.AllocOp]]:
    """The pairs of deallocation and reusing allocation in a block; updates `freed` to the unused ones at its end."""
    found: list[tuple[memref.DeallocOp, memref.AllocOp]] = []
    for op in block:
        if isinstance(op, memref.DeallocOp):
            freed.setdefault(op.operands[0].type, []).append(op)
        elif isinstance(op, memref.AllocOp):
            dealloc = _fitting(op, freed.get(op.results[0].type, []))
            if dealloc is None:
                freed.clear()
                continue
            freed[op.results[0].type].remove(dealloc)
            found.append((dealloc, op))
        elif may_allocate(op):
            freed.clear()
    return found


def _reuse_after(following: list[Block], freed: Freed) -> int:
    """Let successor blocks reuse buffers freed at the end of their predecessor. Returns the count."""
    ours = {dealloc for found in freed.values() for dealloc in found}
    taken: dict[memref.DeallocOp, dict[Block, memref.AllocOp]] = {}
    for block in following:
        for dealloc, alloc in _matches(block, {kind: list(found) for kind, found in freed.items()}):
            if dealloc in ours:
                taken.setdefault(dealloc, {})[block] = alloc
    for dealloc, allocs in taken.items():
        for block in following:
            if block not in allocs:
                again = dealloc.clone()
                again.where = dealloc.where
                block.insert_before(again, block.first_op)
        _take(dealloc, list(allocs.values()))
    return sum(len(allocs) for allocs in taken.values())


def _take(dealloc: memref.DeallocOp, allocs: list[memref.AllocOp]) -> None:
    """Do not free a buffer, but use it for what allocations make."""
    buffer = dealloc.operands[0]
    dealloc.erase()
    for alloc in allocs:
        alloc.replace_with([buffer])


def _fitting(alloc: memref.AllocOp, deallocs: list[memref.DeallocOp]) -> memref.DeallocOp | None:
    """The last of the deallocations whose buffer is as the allocation wants it."""
    return next((op for op in reversed(deallocs) if _fits(alloc, op.operands[0])), None)


def _fits(alloc: memref.AllocOp, buffer: Value) -> bool:
    made = buffer.defining_op
    if isinstance(made, memref.AllocOp):
        return made.operands == alloc.operands and made.alignment is alloc.alignment
    type = alloc.memref_type
    return alloc.alignment is None and type.has_static_shape and type.is_identity_layout and made is None


def may_allocate(op: Operation) -> bool:
    """Whether an operation, or something it runs, may allocate."""
    if op.has_trait(tr.PURE):
        return False
    if op.regions or not isinstance(op, MemoryEffectOp) or only_allocates(op):
        return True
    return any(effect.kind == ALLOCATE for effect in op.memory_effects())


# `-optimize-allocation-liveness`: moves frees after the last use.


class OptimizeAllocationLiveness(Pass):
    """Move each deallocation up, directly after the last use of the buffer or of a view of it.

        %n = memref.alloc() ; "use"(%n) ; "much.more"() ; memref.dealloc %n
     => %n = memref.alloc() ; "use"(%n) ; memref.dealloc %n ; "much.more"()

    Applies to buffers that a single operation frees, in the block of the allocation. If that is a
    `memref.realloc` whose result is used, the program is rejected; expand reallocations first. Results of
    unknown operations on a buffer are treated as views of it, and buffers whose address escapes are left
    unchanged. mlir-opt does neither, and `--compat=mlir-22` reproduces this. Linear in operations, uses, and
    views of each buffer.
    """

    name = "optimize-allocation-liveness"
    summary = "move deallocations directly after the last use"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        flow = ViewFlow(op, UNKNOWN_RESULTS not in context.mirrored, context.mirrored)
        escaping = {} if ESCAPING_BUFFERS in context.mirrored else escaping_allocations(op)
        for allocation in [inner for inner in op.walk_post_order() if isinstance(inner, MemoryEffectOp)]:
            buffer = _only_allocated(allocation)
            if buffer is None or buffer in escaping:
                continue
            dealloc = _only_dealloc(buffer)
            if dealloc is None or dealloc.block is not allocation.block:
                continue
            last = _last_use(buffer, dealloc, flow)
            if last is not None and last is not dealloc and last.next_op is not dealloc:
                _check_results(dealloc, last)
                dealloc.move_after(last)


def _only_allocated(op: MemoryEffectOp) -> Value | None:
    """The result that `op` allocates, if it allocates one thing, a result."""
    allocated = [effect.value for effect in op.memory_effects() if effect.kind == ALLOCATE]
    if len(allocated) != 1 or allocated[0] is None or allocated[0].defining_op is not op:
        return None
    return allocated[0]


def _only_dealloc(buffer: Value) -> Operation | None:
    """The one user that frees the buffer, if there is just one."""
    freeing = [
        user
        for user in buffer.users
        if isinstance(user, MemoryEffectOp)
        and any(effect.kind == FREE and effect.value is buffer for effect in user.memory_effects())
    ]
    return freeing[0] if len(freeing) == 1 else None


def _last_use(buffer: Value, dealloc: Operation, flow: ViewFlow) -> Operation | None:
    """The last operation of the block that uses the buffer or a view of it, besides the one that frees it.

    None if there is none, if a use is not inside the block, for then it is not known when it happens, or if what ends the
    block uses it.
    """
    block = present(dealloc.block)
    last: Operation | None = None
    for view in flow.resolve(buffer):
        for use in view.uses:
            if use.owner is dealloc:
                continue
            user = use.owner.ancestor_in_block(block)
            if user is None or user is block.last_op:
                return None
            if last is None or last.is_before_in_block(user):
                last = user
    return last


def _check_results(freeing: Operation, last: Operation) -> None:
    """Raises PassFailed if an operation that frees, and gives a buffer besides, would come to stand after its users."""
    block = freeing.block
    uses = [use for result in freeing.results for use in result.uses]
    early = [use for use in uses if not _is_after(use.owner.ancestor_in_block(block), last)]
    if early:
        # as a verifier meets them: what stands in the block itself comes before what is nested
        direct = [use for use in early if use.owner.block is block] or early
        first = direct[0]
        for use in direct:
            if (use.owner.position, use.index) < (first.owner.position, first.index):
                first = use
        problem = error(f"operand #{first.index} does not dominate this use", first.owner.name_span)
        problem.attach(
            "this operation frees its operand and would be moved after uses of its result", freeing.name_span
        )
        problem.help("run -expand-realloc first")
        raise PassFailed(problem, operation=freeing)


def _is_after(user: Operation | None, last: Operation) -> bool:
    return user is None or last.is_before_in_block(user)


class CopyRemoval(Pass):
    """Remove copies whose source is dead afterwards, with the allocation and the deallocation of one of the
    buffers.

    *Reusing the source*: the target is allocated here and not used before the copy, and the source is freed
    after the copy and not used in between. The source replaces the target.

        %t = memref.alloc()  ;  linalg.copy %s to %t  ;  memref.dealloc %s  ;  "use"(%t)   =>   "use"(%s)

    A clone is a target that is allocated by the copy itself.

    *Reusing the target*: the source is allocated and freed here and not used after the copy, and the target
    exists before the source and is not used until the copy. The target replaces the source.

        %s = memref.alloc()  ;  "fill"(%s)  ;  linalg.copy %s to %t  ;  memref.dealloc %s   =>   "fill"(%t)

    All these operations are in one block, source and target have the same type, and no operation in between
    has unknown effects. Uses of aliases count as uses, including those of values that may be the same buffer,
    such as another argument of the function, because moving a write above such a read would change the
    result. Operations that read each element exactly where they write it are allowed. Run this after
    deallocation. O(operations + uses of aliases of source and target, for each copy).
    """

    name = "copy-removal"
    summary = "remove unnecessary copies of buffers"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        if op.regions[0].is_empty:
            return
        removal = _Removal(op)
        for copy in [inner for inner in op.walk() if isinstance(inner, CopyOpInterface)]:
            if copy.block is None:
                continue
            if removal.reuse_source(copy) or removal.reuse_target(copy):
                context.count(self.name, "removed")


class _Removal:
    def __init__(self, function: Operation) -> None:
        self._flow = ViewFlow(function, conservative=True)
        self._dominance = BlockTree(function)
        self._origins = Origins(function)
        self._unsure: dict[Block, list[int]] = {}
        self._opaque: dict[Block, list[int]] = {}
        self._listed: dict[Block, list[Operation]] = {}
        self._numbered: dict[Block, dict[Operation, int]] = {}

    def reuse_source(self, copy: CopyOpInterface) -> bool:
        source, target = copy.copy_source(), copy.copy_target()
        made = target.defining_op
        freed = _dealloc_in(source, copy.block)
        if freed is None or source.type is not target.type or not copy.is_before_in_block(freed):
            return False
        if made is not copy:
            if not only_allocates(made) or made is None or made.block is not copy.block:
                return False
            if not _is_freed_like(source, made):
                return False
            if self._used_between(target, made, copy):
                return False
        if self._used_between(source, copy, freed) or self._met_between(source, target, copy, freed):
            return False
        self._replace(target, source)
        copy.erase()
        freed.erase()
        if made is not None and made is not copy:
            made.erase()
        return True

    def reuse_target(self, copy: CopyOpInterface) -> bool:
        source, target = copy.copy_source(), copy.copy_target()
        made = source.defining_op
        freed = _dealloc_in(source, copy.block)
        if isinstance(copy, bufferization.CloneOp):
            return False
        if not only_allocates(made) or made is None or made.block is not copy.block or freed is None:
            return False
        if source.type is not target.type or source is target or not copy.is_before_in_block(freed):
            return False
        if not self._exists_before(target, made) or self._opaque_between(made, copy):
            return False
        if self._used_between(target, made, copy) or self._used_between(source, copy, freed):
            return False
        if self._met_between(target, source, made, copy):
            return False
        copy.erase()
        freed.erase()
        self._replace(source, target)
        made.erase()
        return True

    def _exists_before(self, value: Value, op: Operation) -> bool:
        block = value.parent_block
        if block is None or op.block is None:
            return False
        if block is op.block:
            return value.defining_op is None or value.defining_op.is_before_in_block(op)
        return self._dominance.is_above(block, op.block)

    def _used_between(self, value: Value, first: Operation, last: Operation) -> bool:
        """Whether an alias of `value` is used after `first` and before `last`, which are in one block."""
        for alias in self._aliases(value):
            for use in alias.uses:
                at = use.owner.ancestor_in_block(first.block)
                if at is not None and first.is_before_in_block(at) and at.is_before_in_block(last):
                    return True
        return False

    def _met_between(self, kept: Value, moved: Value, first: Operation, last: Operation) -> bool:
        """Whether an operation between `first` and `last` may access the buffer `kept` through an unknown alias.

        Accesses to `moved` there become accesses to `kept`. Operations that access both element by element are
        allowed.
        """
        block = present(first.block)
        numbers = self._numbers(block)
        unsure = self._unsure.get(block)
        if unsure is None:
            unsure = self._unsure[block] = [i for op, i in numbers.items() if self._touches_unsure(op)]
        operations = self._listed[block]
        at = bisect_left(unsure, numbers[first] + 1)
        while at < len(unsure) and unsure[at] < numbers[last]:
            op = operations[unsure[at]]
            at += 1
            if op.block is None:  # erased with an earlier copy
                continue
            for inner in op.walk():
                for use in inner.op_operands:
                    value = use.value
                    if (
                        value is moved
                        or not t.is_memref(value.type)
                        or not self._origins.may_meet(value, kept)
                    ):
                        continue
                    if isinstance(inner, CopyOpInterface | memref.DeallocOp) and inner is last:
                        continue
                    if not _by_element(inner, value, moved):
                        return True
        return False

    def _touches_unsure(self, op: Operation) -> bool:
        """Whether a buffer operand of `op`, or of a nested operation, is not known to be allocated in this
        function."""
        return any(
            t.is_memref(value.type) and self._origins.kind(value) is not OriginKind.ALLOCATION
            for inner in op.walk()
            for value in inner.operands
        )

    def _aliases(self, value: Value) -> list[Value]:
        """All values that may alias `value`, including itself."""
        return closure(self._flow.resolve_back([value]), lambda v: self._flow.targets.get(v, ()))

    def _numbers(self, block: Block) -> dict[Operation, int]:
        """The operations of a block, numbered once in order; erased operations keep their numbers."""
        found = self._numbered.get(block)
        if found is None:
            self._listed[block] = list(block)
            found = self._numbered[block] = {op: i for i, op in enumerate(self._listed[block])}
        return found

    def _opaque_between(self, first: Operation, last: Operation) -> bool:
        """Whether an operation between two of one block has unknown effects. O(log), after one walk."""
        block = present(first.block)
        numbers = self._numbers(block)
        opaque = self._opaque.get(block)
        if opaque is None:
            opaque = self._opaque[block] = [i for op, i in numbers.items() if memory_effects(op) is None]
        at = bisect_left(opaque, numbers[first] + 1)
        return at < len(opaque) and opaque[at] < numbers[last]

    def _replace(self, old: Value, new: Value) -> None:
        """Replace the uses of `old` by `new`, in the view flow too."""
        old.replace_all_uses_with(new)
        moved = self._flow.targets.pop(old, [])
        self._flow.targets.setdefault(new, []).extend(moved)
        for view in moved:
            self._flow.sources.setdefault(view, []).append(new)


def _by_element(op: Operation, read: Value, written: Value) -> bool:
    """Whether a structured operation reads each element of `read` exactly where it writes it to `written`."""
    if not isinstance(op, LinalgOp) or any(kind != PARALLEL for kind in op.iterator_types()):
        return False
    if any(
        inner.regions or any(t.is_memref(v.type) for v in inner.operands) for inner in op.regions[0].entry
    ):
        return False
    uses = [use for use in op.op_operands if use.value is read or use.value is written]
    inits = op.dps_inits()
    return all(
        op.matching_map(use).is_identity and (use.value is written) == any(init is use for init in inits)
        for use in uses
    )


def _dealloc_in(value: Value, block: Block | None) -> Operation | None:
    """The only deallocation of `value`, if it frees nothing else and is in `block`."""
    found = deallocations(value)
    return found[0] if len(found) == 1 and found[0].block is block and not found[0].results else None


def _is_freed_like(value: Value, made: Operation) -> bool:
    """Whether the deallocation of the result of `made` also fits `value`."""
    return makers.freed_by(value.defining_op, value) == makers.freed_by(made, made.results[0])
