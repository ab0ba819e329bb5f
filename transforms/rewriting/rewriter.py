"""The editing interface of patterns, which reports edits to the driver.

A pattern is a function `pattern(op, rewriter) -> bool`: it inspects `op`, changes the program through the rewriter,
and returns whether it did. `replace`, `replace_with`, `erase` and `set_operand` return True, so a pattern may
return their result. The driver revisits inserted, modified and moved operations, and the definitions of the
operands of erased ones, which may have become dead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ...dialects.cf import CasesOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.defects import SOUND, Defect
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import BranchOp
from ...ir.types.attributes import DenseArrayAttr
from ...ir.types.types import I32

if TYPE_CHECKING:
    from ...ir.source.locations import Where


Op = TypeVar("Op", bound=Operation)


class Rewriter:
    """Edits the program and reports the edits. Subclasses override `on_inserted`, `modified` and `on_erased`.

    Attributes:
        mirrored: the defects of mlir-opt 22 that patterns reproduce.
        memo: data that patterns cache between applications; cleared at the start of each round.
    """

    def __init__(self, mirrored: frozenset[Defect] = SOUND) -> None:
        self.mirrored = mirrored
        self.memo: dict[object, Any] = {}
        self._branches: dict[Block, dict[Operation, None]] = {}
        self._searched: set[Operation] = set()

    # -- notifications

    def on_inserted(self, op: Operation) -> None:
        """`op` was inserted, or moved to where it is now."""

    def modified(self, op: Operation) -> None:
        """Operands, attributes or regions of `op` were changed."""

    def moved(self, op: Operation) -> None:
        """`op` was moved and need not be revisited."""

    def on_erased(self, op: Operation) -> None:
        """`op` is about to be erased; its results have no uses left."""

    def inserted(self, op: Operation) -> None:
        for block in op.successors if self._searched else ():
            if block in self._branches or self._scope(block) in self._searched:
                self._branches.setdefault(block, {})[op] = None
        self.on_inserted(op)

    def erased(self, op: Operation) -> None:
        for block in op.successors if self._searched else ():
            self._branches.get(block, {}).pop(op, None)
        self.on_erased(op)

    def start_round(self) -> None:
        """Clear everything cached about the program."""
        self.memo = {}
        self._branches, self._searched = {}, set()

    # -- control flow

    def branches_to(self, block: Block) -> list[Operation]:
        """The terminators that branch to `block`. O(their number), after one walk over the function per round."""
        if block not in self._branches:
            scope = self._scope(block)
            if scope is not None and scope not in self._searched:
                self._search(scope)
        return list(self._branches.get(block, ()))

    @staticmethod
    def _scope(block: Block) -> Operation | None:
        """The function, or other isolated operation, around a block. O(depth)."""
        around = block.parent_op
        while (
            around is not None
            and not around.has_trait(tr.ISOLATED_FROM_ABOVE)
            and around.parent_op is not None
        ):
            around = around.parent_op
        return around

    def _search(self, scope: Operation) -> None:
        """Note the branches to all blocks in an operation, and the blocks without any."""
        self._searched.add(scope)
        for op in scope.walk():
            for region in op.regions:
                for block in region:
                    self._branches.setdefault(block, {})
            for target in op.successors:
                self._branches.setdefault(target, {})[op] = None

    def single_predecessor(self, block: Block) -> Block | None:
        """The source of the only edge to `block`; None if there are other edges."""
        branches = self.branches_to(block)
        if len(branches) == 1 and list(branches[0].successors).count(block) == 1:
            return branches[0].block
        return None

    def unique_predecessor(self, block: Block) -> Block | None:
        """The only block with edges to `block`, else None."""
        branches = self.branches_to(block)
        return branches[0].block if len(branches) == 1 else None

    # -- creating

    def before(self, op: Operation) -> Builder:
        """An insertion point right before `op`."""
        return Builder.before(op, self.inserted)

    def after(self, op: Operation) -> Builder:
        """An insertion point right after `op`."""
        return Builder.after(op, self.inserted)

    def at_start(self, block: Block, where: Where | None = None) -> Builder:
        return Builder.at_start(block, where, self.inserted)

    def at_end(self, block: Block, where: Where | None = None) -> Builder:
        return Builder.at_end(block, where, self.inserted)

    # -- replacing and erasing

    def replace_uses(self, value: Value, replacement: Value) -> None:
        """Replace every use of `value` by `replacement`. O(uses)."""
        if value is replacement:
            return
        use = value._first_use
        while use is not None:
            following = use._next
            use.value = replacement
            self.modified(use.owner)
            use = following

    def replace_uses_if(
        self, value: Value, replacement: Value, condition: Callable[[OpOperand], bool]
    ) -> bool:
        """Replace the uses for which `condition` holds; returns whether there were any. O(uses)."""
        changed = False
        for use in value.uses:
            if condition(use):
                use.value = replacement
                self.modified(use.owner)
                changed = True
        return changed

    def replace(self, op: Operation, values: Sequence[Value]) -> Literal[True]:
        """Replace all results of `op` and erase it."""
        for result, value in zip(op.results, values, strict=True):
            self.replace_uses(result, value)
        return self.erase(op)

    def replace_with(self, op: Operation, new: Operation) -> Literal[True]:
        """Insert `new` before `op`, replace the results of `op` by those of `new`, and erase `op`."""
        self.before(op).insert(new)
        return self.replace(op, new.results)

    def erase(self, op: Operation) -> Literal[True]:
        """Erase `op` with its nested operations, users before definitions. O(operations erased)."""
        if op.regions:
            for inner in _inside_out(op):
                self._erase_one(inner)
        self._erase_one(op)
        return True

    def _erase_one(self, op: Operation) -> None:
        self.erased(op)
        for result in op.results:
            for use in result.uses:  # only in graph regions, or where blocks form a cycle
                use.owner.drop_operands()
        op.erase()

    def erase_block(self, block: Block) -> None:
        """Erase a block with its operations; it must have no predecessors and no outside uses."""
        for op in reversed(block):
            self.erase(op)
        block.erase()

    # -- changing in place

    def set_operand(self, use: OpOperand, value: Value) -> Literal[True]:
        use.value = value
        self.modified(use.owner)
        return True

    def move_before(self, op: Operation, anchor: Operation) -> None:
        op.move_before(anchor)
        self.inserted(op)

    def inline_block(self, block: Block, anchor: Operation, arguments: Iterable[Value] = ()) -> None:
        """Move the operations of `block` before `anchor`, with its arguments replaced, and erase the block.

        O(operations moved + uses of the arguments).
        """
        for arg, value in zip(block.args, arguments, strict=True):
            self.replace_uses(arg, value)
        for op in block:
            op.move_before(anchor)
            self.inserted(op)
        block.erase()

    def merge_blocks(self, block: Block, into: Block, arguments: Iterable[Value] = ()) -> None:
        """Move the operations of `block` to the end of `into`, with its arguments replaced, and erase the block."""
        for arg, value in zip(block.args, arguments, strict=True):
            self.replace_uses(arg, value)
        for op in block:
            op.detach()
            into.append(op)
            self.inserted(op)
        block.erase()

    def rebuild(
        self,
        op: Op,
        operands: Iterable[Value] | None = None,
        kept_results: Sequence[int] | None = None,
        regions: Sequence[Region] | None = None,
    ) -> Op:
        """Replace `op` by a new operation of the same kind that takes its regions and keeps only some of its
        results.

        Results that are not kept must be unused. Segment sizes are up to the caller.
        """
        kept = range(len(op.results)) if kept_results is None else kept_results
        taken = op.regions if regions is None else list(regions)
        new = op.__class__.__new__(op.__class__)
        Operation.__init__(
            new,
            op.operands if operands is None else operands,
            [op.results[i].type for i in kept],
            op.attributes,
            op.properties,
            0,
            op.successors,
            op.where,
            op.location,
        )
        self.before(op).insert(new)
        for region in taken:
            region.parent_op = new
        new.regions = list(taken)
        op.regions = [Region(op) for _ in taken]
        for result, i in zip(new.results, kept, strict=True):
            result.name_hint = op.results[i].name_hint
            self.replace_uses(op.results[i], result)
        self.erase(op)
        return new


def _inside_out(op: Operation) -> list[Operation]:
    """All operations inside `op`, last first and inner before outer."""
    order = [inner for inner in op.walk() if inner is not op]
    order.reverse()
    return order


Pattern = Callable[[Any, Rewriter], bool]
"""A rewrite of one kind of operation: that of the class it is registered for."""


# Adding and removing operands, with segment sizes kept consistent.


def erase_operands(op: Operation, gone: Collection[int]) -> None:
    """Remove the operands at the positions `gone` and update segment sizes. O(operands)."""
    if not gone:
        return
    kept = [use.value for use in op.op_operands if use.index not in gone]
    sizes = op.properties.get(OPERAND_SEGMENTS)
    if isinstance(sizes, DenseArrayAttr):
        op.properties[OPERAND_SEGMENTS] = _shrunk(sizes, 0, gone)
        if isinstance(op, CasesOp):
            cases = op.case_operand_segments
            op.properties["case_operand_segments"] = _shrunk(cases, sum(sizes.values[:2]), gone)
    op.operands = kept


def _shrunk(sizes: DenseArrayAttr, start: int, gone: Collection[int]) -> DenseArrayAttr:
    left: list[int] = []
    for size in sizes.values:
        left.append(sum(i not in gone for i in range(start, start + size)))
        start += size
    return DenseArrayAttr(I32, tuple(left))


def forwarded_positions(op: BranchOp) -> set[int]:
    """The positions of the operands that a branch forwards to block arguments."""
    return {use.index for i in range(len(op.successors)) for use in op.successor_operands(i)}


def append_successor_operands(op: BranchOp, successor: int, values: Sequence[Value]) -> None:
    """Append `values` to the operands forwarded to successor number `successor`. O(operands)."""
    sizes = op.properties.get(OPERAND_SEGMENTS)
    if not isinstance(sizes, DenseArrayAttr):
        op.operands = [*op.operands, *values]
        return
    updated = list(sizes.values)
    if isinstance(op, CasesOp) and successor:
        cases = list(op.case_operand_segments.values)
        at = sum(updated[:2]) + sum(cases[:successor])
        cases[successor - 1] += len(values)
        updated[2] += len(values)
        op.properties["case_operand_segments"] = DenseArrayAttr(I32, tuple(cases))
    else:
        segment = 1 if isinstance(op, CasesOp) else len(updated) - len(op.successors) + successor
        at = sum(updated[: segment + 1])
        updated[segment] += len(values)
    op.insert_operands(at, values)
    op.properties[OPERAND_SEGMENTS] = DenseArrayAttr(I32, tuple(updated))


def passed_to(op: Operation, successor: int, arg: BlockArgument) -> OpOperand | None:
    """The operand that a branch forwards to `arg`; None if the branch produces the argument itself."""
    assert isinstance(op, BranchOp)
    position = arg.index - op.produced_operand_count(successor)
    operands = op.successor_operands(successor)
    return operands[position] if 0 <= position < len(operands) else None
