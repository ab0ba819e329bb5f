"""`-copy-removal`: merges a buffer with the one it is copied to or from."""

from __future__ import annotations

from bisect import bisect_left

from ..analysis.allocations import deallocations, only_allocates
from ..analysis.graphs import BlockTree
from ..analysis.origins import OriginKind, Origins, ViewFlow, closure
from ..dialects import bufferization, memref
from ..dialects.linalg.base import PARALLEL, LinalgOp
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import CopyOpInterface, memory_effects
from ..ir.source.diagnostics import present
from ..ir.types import types as t
from . import makers
from .pass_base import Context, Pass


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
        self._freed: dict[Value, Operation | None] = {}

    def reuse_source(self, copy: CopyOpInterface) -> bool:
        source, target = copy.copy_source(), copy.copy_target()
        made = target.defining_op
        freed = self._dealloc_in(source, copy.block)
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
        freed = self._dealloc_in(source, copy.block)
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

    def _dealloc_in(self, value: Value, block: Block | None) -> Operation | None:
        """The only deallocation of `value`, if it frees nothing else and is in `block`. O(uses) the first time."""
        if value not in self._freed:
            found = deallocations(value)
            self._freed[value] = found[0] if len(found) == 1 and not found[0].results else None
        freed = self._freed[value]
        return freed if freed is not None and freed.block is block else None

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
            opaque = self._opaque[block] = [
                i for op, i in numbers.items() if op.block is not None and memory_effects(op) is None
            ]
        at = bisect_left(opaque, numbers[first] + 1)
        return at < len(opaque) and opaque[at] < numbers[last]

    def _replace(self, old: Value, new: Value) -> None:
        """Replace the uses of `old` by `new`, in the view flow too; a deallocation of one of them is erased."""
        self._freed.pop(old, None)
        self._freed.pop(new, None)
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


def _is_freed_like(value: Value, made: Operation) -> bool:
    """Whether the deallocation of the result of `made` also fits `value`."""
    return makers.freed_by(value.defining_op, value) == makers.freed_by(made, made.results[0])
