"""Dead code elimination for operations and block arguments.

*Liveness here is optimistic*: everything is dead until shown live. An operation is live if it has effects that must
happen (see below), or if a live operation uses one of its results; a block argument is live if a live operation
uses it; forwarded operands are live only if the argument they feed is. So values that only feed themselves around a
loop die too. One pass over uses, no iteration: O(operations + uses).

Afterwards everything left is live, and stays so until it loses a use. The next run therefore overdeletes only what
lost a use and what was live because of that, then rederives what other uses keep alive (delete and rederive [1]_).

.. [1] A. Gupta, I. S. Mumick and V. S. Subrahmanian, "Maintaining views incrementally", SIGMOD 1993.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import ALLOCATE, READ, BranchOp, DestinationStyleOp, MemoryEffectOp
from ...ir.types.types import MemRefType, is_tensor
from .rewriter import Rewriter, erase_operands, forwarded_positions, passed_to

# Side effects that keep an operation alive. An operation may be erased if it, including its regions, does no more than
# read memory or allocate memory that is accessible through its own results only. Terminators and symbols always stay.


class DeadCode:
    """Deadness queries, with a cached witness for operations with regions.

    An operation with a large body is queried whenever its body changes. The nested operation that keeps it alive is
    cached as a witness, so that a query needs no walk while the witness exists.

    Args:
        moves_are_noted: the caller calls `note_moved` after each move. Otherwise each query checks that the witness is still
            there, which takes as long as it is deep.
    """

    def __init__(self, moves_are_noted: bool = False) -> None:
        self._witness: dict[Operation, Operation] = {}
        self._contain_witness: set[Operation] | None = set() if moves_are_noted else None
        """The operations whose witness was nested in them after the last move."""
        self.doomed: set[Operation] = set()
        """Operations found dead that the caller has yet to erase. Without them, each level of nested dead code
        would be walked once for each level around it."""

    def is_trivially_dead(self, op: Operation) -> bool:
        """Whether `op` may be erased as it stands. Usually O(1), at most O(operations inside)."""
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
                    if inner in self.doomed:
                        continue
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
        """A cached witness that is still nested in `op` and keeps it alive.

        O(depth of the witness in `op`); if moves are noted, only for the first query after a move.
        """
        witness = self._witness.get(op)
        if witness is None or not _keeps_alive(witness):
            return None
        known = self._contain_witness
        if known is not None and op in known:
            return witness
        if not op.is_proper_ancestor_of(witness):
            return None
        if known is not None:
            known.add(op)
        return witness

    def note_moved(self) -> None:
        """Operations, blocks or regions were moved."""
        if self._contain_witness:
            self._contain_witness.clear()

    def _note(self, witness: Operation, inner: Operation, outermost: Operation) -> None:
        """Record that `witness` keeps alive all ancestors of `inner` up to `outermost`."""
        around: Operation | None = inner.parent_op
        while around is not None:
            self._witness[around] = witness
            if around is outermost:
                return
            around = around.parent_op

    def forget(self, op: Operation) -> None:
        """Drop the cache entry of an erased operation."""
        self._witness.pop(op, None)
        if self._contain_witness:
            self._contain_witness.discard(op)


_ALWAYS, _NEVER, _DEPENDS = "always", "never", "depends"
_BY_KIND: dict[type[Operation], str] = {}
"""Whether operations of each kind may be erased. Drivers query every operation, and most kinds are decided."""


def _of_kind(op: Operation) -> str:
    if op.may_be_terminator or op.has_trait(tr.SYMBOL):
        return _NEVER
    if op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS) or isinstance(op, MemoryEffectOp):
        return _DEPENDS
    return _ALWAYS if op.has_trait(tr.PURE) else _NEVER


def alive_for_effects(region: Region) -> set[Operation]:
    """The operations inside `region` for which `would_be_dead` is false, all at once. O(operations)."""
    found: set[Operation] = set()
    holding: set[Operation | None] = set()  # operations that contain a nested effect
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
    """The positions of non-tensor operands on which the operation's declaration has an effect other than a read.
    Enumerating all effects of each store on every query took a tenth of the deallocation pipeline."""
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
    """Whether the effects of `op` itself are known and dispensable."""
    if isinstance(op, MemoryEffectOp):
        for position in _declared_writes(op):
            if not is_tensor(op.op_operands[position]._value.type):
                return False
        if isinstance(op, DestinationStyleOp) and op.op_operands:
            last = op.op_operands[-1]
            if isinstance(last._value.type, MemRefType) and last in op.dps_inits():
                return False  # it writes the buffer
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
"""A unit of liveness."""


class Unneeded:
    """Erases dead code in a region and nested regions: first everywhere, then near changes."""

    def __init__(self, region: Region, rewriter: Rewriter) -> None:
        self._region = region
        self._rewriter = rewriter
        self._used: dict[Operation, list[Value]] | None = None
        self._dead = DeadCode()
        self.erased_arguments = False
        """Whether block arguments were erased too; the rewriter reports operations only."""

    def erase(self, changed: Collection[Operation], *, settled: bool = False) -> bool:
        """Erase dead operations and block arguments; returns whether operations were erased.

        Args:
            changed: the operations inserted, moved, changed or erased since the last call, and their ancestors.
            settled: nothing changed, and no operation is trivially dead: only values that feed themselves can be.
        """
        if self._region.is_empty:
            return False
        if _passes_nothing(self._region):
            self._used = None
            return not settled and self._sweep_backwards()
        if self._used is None:
            ops, args = self._unneeded_everywhere()
            if changed:  # the next, incremental call needs the uses of this one
                self._used = {op: op.operands for top in self._region.ops() for op in top.walk()}
        else:
            gone = self._unneeded_near(changed, self._used)
            ops = [item for item in gone if isinstance(item, Operation)]
            args = {item for item in gone if isinstance(item, BlockArgument)}
        return self._erase(ops, args)

    def _sweep_backwards(self) -> bool:
        """For regions of one block each: erase dead operations in one backward walk."""
        changed = False
        dead = DeadCode().is_trivially_dead
        pending = [block.last_op for block in self._region]
        while pending:
            op = pending.pop()
            while op is not None:
                previous = op._previous
                if dead(op):
                    self._rewriter.erase(op)
                    changed = True
                elif op.regions:
                    pending.append(previous)
                    pending += [block.last_op for inner in op.regions for block in inner]
                    break
                op = previous
        return changed

    def _erase(self, ops: Iterable[Operation], args: set[BlockArgument]) -> bool:
        blocks = dict.fromkeys(arg.owner for arg in args)
        self.erased_arguments |= bool(args)
        for op in dict.fromkeys(op for block in blocks for op in self._rewriter.branches_to(block)):
            self._pass_less(op, args)  # first: a nested branch may forward a value erased here
        changed = False
        for op in ops:
            if op.block is None:
                continue  # erased with an ancestor
            for result in op.results:
                for use in result.uses:
                    use.owner.drop_operands()
            self._rewriter.erase(op)
            changed = True
        for block in blocks:  # last, when the uses in nested regions are gone too
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

    # -- near changes

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
        """Whether an item might be dead: no unconditionally live operation uses it."""
        if isinstance(item, Operation):
            if item.block is None or not self._dead.would_be_dead(item):
                return False
        elif item.owner.region is None or item.owner.is_entry or not all(self._passes(item)):
            return False
        return all(isinstance(user, BlockArgument) or self._dead.would_be_dead(user) for user in _users(item))

    def _passes(self, arg: BlockArgument) -> Iterator[OpOperand | None]:
        """What each branch forwards to `arg`; None for a branch that does not say, or that produces the argument
        itself."""
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
    """The items that make this item live."""
    for value in item.results if isinstance(item, Operation) else (item,):
        for use in value.uses:
            op = use.owner
            if not (isinstance(op, BranchOp) and op.successors and use.index in forwarded_positions(op)):
                yield op
                continue
            for i, block in enumerate(op.successors):
                yield from (arg for arg in block.args if passed_to(op, i, arg) is use)


def _passes_nothing(region: Region) -> bool:
    """Whether no value can feed itself: every nested region has one block, in which definitions precede uses."""
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
    """The live operations and block arguments, by marking from those that must stay."""
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
    """Record the operands that `op` forwards to block arguments; returns the arguments for which they are unknown."""
    if not isinstance(op, BranchOp):
        return [arg for block in op.successors for arg in block.args]
    produced: list[Value] = []
    for i, block in enumerate(op.successors):
        count = op.produced_operand_count(i)
        produced.extend(block.args[:count])
        for arg, use in zip(block.args[count:], op.successor_operands(i), strict=True):
            incoming.setdefault(arg, []).append(use._value)
    return produced
