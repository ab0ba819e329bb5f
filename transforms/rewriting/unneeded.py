"""Dead operations and block arguments, and which operations may be erased.

*Liveness here is optimistic*: nothing is needed until something says so. An operation is needed if it does more than could
be undone (see `dead_code`), or if a needed operation uses one of its results; a block argument is needed if a needed
operation uses it; what branches pass is needed for needed arguments only. So values that only feed themselves around
a loop go too. One pass over uses, no iteration: O(operations + uses).

When that is done all that is left is needed, and stays so until a use goes. So the next time only what lost a use is
doubted, and what was needed for that alone; what something else needs is then taken back (delete and rederive [1]_).

.. [1] A. Gupta, I. S. Mumick and V. S. Subrahmanian, "Maintaining views incrementally", SIGMOD 1993.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import ALLOCATE, READ, BranchOp, MemoryEffectOp
from ...ir.types.types import is_tensor
from .rewriter import Rewriter, erase_operands, forwarded_positions, passed_to

# Which operations may be erased when nobody uses their results.
#
# An operation may go if, regions included, it does no more than read memory, or allocate memory that only its own
# results give access to. Terminators and symbols stay whatever they do.


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


Item = Operation | BlockArgument
"""What may be needed."""


class Unneeded:
    """Erases what is not needed in a region and inside it: first everywhere, then near what changed."""

    def __init__(self, region: Region, rewriter: Rewriter) -> None:
        self._region = region
        self._rewriter = rewriter
        self._used: dict[Operation, list[Value]] | None = None
        self._dead = DeadCode()
        self.erased_arguments = False
        """Whether arguments of blocks went, too; of operations the rewriter hears."""

    def erase(self, changed: Collection[Operation]) -> bool:
        """Erase operations and block arguments that are not needed; whether operations went.

        Args:
            changed: what was inserted, moved, changed or erased since the last call, and what is around that.
        """
        if self._region.is_empty:
            return False
        if _passes_nothing(self._region):
            self._used = None
            return self._sweep_backwards()
        if self._used is None:
            ops, args = self._unneeded_everywhere()
            if changed:  # there will be a next time, and then this is what was used
                self._used = {op: op.operands for top in self._region.ops() for op in top.walk()}
        else:
            gone = self._unneeded_near(changed, self._used)
            ops = [item for item in gone if isinstance(item, Operation)]
            args = {item for item in gone if isinstance(item, BlockArgument)}
        return self._erase(ops, args)

    def _sweep_backwards(self) -> bool:
        """For regions of one block each: last operations first, what is dead goes. One walk."""
        changed = False
        dead = DeadCode().is_trivially_dead
        walks = [reversed(block) for block in self._region]
        while walks:
            op = next(walks[-1], None)
            if op is None:
                walks.pop()
            elif dead(op):
                self._rewriter.erase(op)
                changed = True
            elif op.regions:
                walks.extend(reversed(block) for inner in op.regions for block in inner)
        return changed

    def _erase(self, ops: Iterable[Operation], args: set[BlockArgument]) -> bool:
        blocks = dict.fromkeys(arg.owner for arg in args)
        self.erased_arguments |= bool(args)
        for op in dict.fromkeys(op for block in blocks for op in self._rewriter.branches_to(block)):
            self._pass_less(op, args)  # first of all, for an inner branch may pass what is erased around it
        changed = False
        for op in ops:
            if op.block is None:
                continue  # it went with what was around it
            for result in op.results:
                for use in result.uses:
                    use.owner.drop_operands()
            self._rewriter.erase(op)
            changed = True
        for block in blocks:  # last, when what used their arguments is gone from inner regions too
            for arg in reversed(block.args):
                if arg in args:
                    block.erase_argument(arg.index)
        return changed

    def _pass_less(self, op: Operation, gone: set[BlockArgument]) -> None:
        assert isinstance(op, BranchOp)
        positions: set[int] = set()
        for i, block in enumerate(op.successors):
            args = block.args[op.produced_operand_count(i) :]
            positions.update(
                use.index for arg, use in zip(args, op.successor_operands(i), strict=True) if arg in gone
            )
        erase_operands(op, positions)
        self._rewriter.modified(op)

    def _unneeded_everywhere(self) -> tuple[list[Operation], set[BlockArgument]]:
        needed_ops, needed_args = _needed(self._region)
        ops: list[Operation] = []
        args: set[BlockArgument] = set()
        pending = [self._region]
        while pending:
            for block in reversed(pending.pop()):
                for op in reversed(block):
                    if op in needed_ops:
                        pending.extend(op.regions)
                    else:
                        ops.append(op)
                if not block.is_entry:
                    args.update(arg for arg in block.args if arg not in needed_args)
        return ops, args

    # -- near what changed

    def _unneeded_near(self, changed: Iterable[Operation], used: dict[Operation, list[Value]]) -> list[Item]:
        suspects: list[Item] = []
        for op in changed:
            suspects += map(_item, used.pop(op, ()))
            if op.block is not None:
                used[op] = op.operands
                suspects.append(op)
                suspects += [arg for block in (op.block, *op.successors) for arg in block.args]
        doubted: dict[Item, list[Item]] = {}
        seen: set[Item] = set()
        while suspects:
            item = suspects.pop()
            if item not in seen:
                seen.add(item)
                if self._can_be_doubted(item):
                    doubted[item] = [_item(value) for value in self._used_by(item)]
                    suspects += doubted[item]
        needed = {item for item in doubted if any(other not in doubted for other in _users(item))}
        waiting = list(needed)
        while waiting:
            for item in doubted[waiting.pop()]:
                if item in doubted and item not in needed:
                    needed.add(item)
                    waiting.append(item)
        return [item for item in doubted if item not in needed]

    def _can_be_doubted(self, item: Item) -> bool:
        """Whether an item could go, and nothing that stays whatever happens uses it."""
        if isinstance(item, Operation):
            if item.block is None or not self._dead.would_be_dead(item):
                return False
        elif item.owner.region is None or item.owner.is_entry or not all(self._passes(item)):
            return False
        return all(isinstance(user, BlockArgument) or self._dead.would_be_dead(user) for user in _users(item))

    def _passes(self, arg: BlockArgument) -> Iterator[OpOperand | None]:
        """What each branch passes to `arg`; None for one that does not say, or makes it itself."""
        for op in self._rewriter.branches_to(arg.owner):
            for i, block in enumerate(op.successors):
                if block is arg.owner:
                    yield passed_to(op, i, arg) if isinstance(op, BranchOp) else None

    def _used_by(self, item: Item) -> list[Value]:
        if isinstance(item, Operation):
            return item.operands
        return [use.value for use in self._passes(item) if use is not None]


def _item(value: Value) -> Item:
    if isinstance(value, OpResult):
        return value.owner
    assert isinstance(value, BlockArgument)
    return value


def _users(item: Item) -> Iterator[Item]:
    """What an item is needed for if that is needed."""
    for value in item.results if isinstance(item, Operation) else (item,):
        for use in value.uses:
            op = use.owner
            if not (isinstance(op, BranchOp) and op.successors and use.index in forwarded_positions(op)):
                yield op
                continue
            for i, block in enumerate(op.successors):
                yield from (arg for arg in block.args if passed_to(op, i, arg) is use)


def _passes_nothing(region: Region) -> bool:
    """Whether no value can feed itself in `region`: every region inside is one block, in which uses follow definitions."""
    pending = [region]
    while pending:
        current = pending.pop()
        if current.first_block is None:
            continue
        if not current.has_one_block:
            return False
        op = current.first_block.first_op
        while op is not None:
            if op.regions:
                if op.definition is None or op.has_trait(tr.GRAPH_REGION):
                    return False
                pending.extend(op.regions)
            op = op._next
    return True


def _needed(region: Region) -> tuple[set[Operation], set[BlockArgument]]:
    """The operations and block arguments that are needed, by marking from those that have to stay."""
    ops: set[Operation] = set()
    args: set[BlockArgument] = set()
    incoming: dict[BlockArgument, list[Value]] = {}
    waiting: list[Value] = []

    def need(op: Operation) -> None:
        if op not in ops:
            ops.add(op)
            passed = forwarded_positions(op) if isinstance(op, BranchOp) and op.successors else ()
            waiting.extend(use._value for use in op.op_operands if use.index not in passed)

    staying = alive_for_effects(region)
    for op in [op for top in region.ops() for op in top.walk()]:
        if op.successors:
            waiting.extend(_passed(op, incoming))
        if op in staying:
            need(op)
    while waiting:
        value = waiting.pop()
        if isinstance(value, OpResult):
            need(value.owner)
        elif isinstance(value, BlockArgument) and value not in args:
            args.add(value)
            waiting.extend(incoming.get(value, ()))
    return ops, args


def _passed(op: Operation, incoming: dict[BlockArgument, list[Value]]) -> list[Value]:
    """Record what `op` passes to block arguments; the arguments for which that cannot be said."""
    if not isinstance(op, BranchOp):
        return [arg for block in op.successors for arg in block.args]
    produced: list[Value] = []
    for i, block in enumerate(op.successors):
        count = op.produced_operand_count(i)
        produced.extend(block.args[:count])
        for arg, use in zip(block.args[count:], op.successor_operands(i), strict=True):
            incoming.setdefault(arg, []).append(use._value)
    return produced
