"""Which operations may be erased when nobody uses their results.

An operation may go if, regions included, it does no more than read memory, or allocate memory that only its own
results give access to. Terminators and symbols stay whatever they do.
"""

from __future__ import annotations

from typing import Any

from ...ir.program import traits as tr
from ...ir.program.core import Operation, Region
from ...ir.program.interfaces import ALLOCATE, READ, MemoryEffectOp
from ...ir.types.types import is_tensor


class DeadCode:
    """Answers whether operations are dead, remembering for those with regions what keeps them alive.

    An operation with a large body is asked about each time something in its body changes. The operation inside that
    prevented its removal is kept as a witness, so that the answer does not cost another walk while the witness lives.
    """

    def __init__(self) -> None:
        self._witness: dict[Operation, Operation] = {}

    def is_trivially_dead(self, op: Operation) -> bool:
        """Whether `op` may be erased as it stands. O(1) as a rule, at most O(operations inside)."""
        for result in op.results:
            if result._first_use is not None:
                return False
        return self.would_be_dead(op)

    def would_be_dead(self, op: Operation) -> bool:
        """Whether `op` could be erased if its results had no uses."""
        known = _BY_KIND.get(op.__class__)
        if known is None:
            known = _BY_KIND[op.__class__] = _of_kind(op)
        if known is not _DEPENDS:
            return known is _ALWAYS
        if not op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS):
            return _harmless(op)
        if self._kept_by(op) is not None:
            return False
        if isinstance(op, MemoryEffectOp) and not _harmless(op):
            return False
        pending = [region.last_block for region in op.regions]
        while pending:
            block = pending.pop()
            while block is not None:
                for inner in reversed(block):
                    if inner.has_trait(tr.RECURSIVE_MEMORY_EFFECTS):
                        if isinstance(inner, MemoryEffectOp) and not _harmless(inner):
                            self._note(inner, inner, op)
                            return False
                        witness = self._kept_by(inner)
                        if witness is not None:
                            self._note(witness, inner, op)
                            return False
                        pending.extend(region.last_block for region in inner.regions)
                    elif not _harmless(inner):
                        self._note(inner, inner, op)
                        return False
                block = block.previous_block
        return True

    def _kept_by(self, op: Operation) -> Operation | None:
        """What is known to be inside `op` still, and to keep it alive. O(depth of that in `op`)."""
        witness = self._witness.get(op)
        if witness is not None and _keeps_alive(witness) and op.is_proper_ancestor_of(witness):
            return witness
        return None

    def _note(self, witness: Operation, inner: Operation, outermost: Operation) -> None:
        """`witness` keeps all alive that is around `inner`, up to `outermost`."""
        around: Operation | None = inner.parent_op
        while around is not None:
            self._witness[around] = witness
            if around is outermost:
                return
            around = around.parent_op

    def forget(self, op: Operation) -> None:
        """`op` is gone."""
        self._witness.pop(op, None)


_ALWAYS, _NEVER, _DEPENDS = "always", "never", "depends"
_BY_KIND: dict[type[Operation], str] = {}
"""Of each kind of operation whether it may go. Drivers ask for every operation, and of most kinds it is known."""


def _of_kind(op: Operation) -> str:
    if op.may_be_terminator or op.has_trait(tr.SYMBOL):
        return _NEVER
    if op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS) or isinstance(op, MemoryEffectOp):
        return _DEPENDS
    return _ALWAYS if op.has_trait(tr.PURE) else _NEVER


def alive_for_effects(region: Region) -> set[Operation]:
    """The operations inside `region` of which `would_be_dead` is false, all at once. O(operations)."""
    found: set[Operation] = set()
    holding: set[Operation | None] = set()  # what has something inside that is not harmless
    for op in [op for top in region.ops() for op in top.walk_post_order()]:
        if op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS):
            stays = op in holding or (isinstance(op, MemoryEffectOp) and not _harmless(op))
        else:
            stays = not _harmless(op)
        if stays:
            holding.add(op.parent_op)
        if stays or op.may_be_terminator or op.has_trait(tr.SYMBOL):
            found.add(op)
    return found


def _keeps_alive(op: Operation) -> bool:
    return op.block is not None and not _harmless(op)


def _declared_writes(op: MemoryEffectOp) -> tuple[int, ...]:
    """Where the operands are that its declaration says it does more to than read, as long as they are no tensors: without
    that all effects of each store were listed, every time, a tenth of the deallocation pipeline.
    """
    known = _WRITTEN.get(op.__class__)
    if known is None:
        definition: Any = op.definition
        declared = definition.effects if op.__class__.memory_effects is MemoryEffectOp.memory_effects else ()
        known = _WRITTEN[op.__class__] = tuple(
            field.position
            for kind, field in declared
            if kind not in (READ, ALLOCATE) and not field.of_results and field.position is not None
        )
    return known


_WRITTEN: dict[type[Operation], tuple[int, ...]] = {}


def _harmless(op: Operation) -> bool:
    """Whether the effects of `op` itself are known and may be done without."""
    if isinstance(op, MemoryEffectOp):
        for position in _declared_writes(op):
            if not is_tensor(op.op_operands[position]._value.type):
                return False
        results = op.results
        for effect in op.memory_effects():
            if effect.kind == READ:
                continue
            if effect.value is None or effect.value.defining_op is not op or not results:
                return False
            if effect.kind != ALLOCATE and not any(
                other.kind == ALLOCATE and other.value is effect.value for other in op.memory_effects()
            ):
                return False
        return True
    return op.has_trait(tr.PURE)
