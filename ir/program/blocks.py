"""Blocks and regions: doubly linked lists of operations and of blocks.

Inserting, moving and erasing are O(1). The order of operations within a block is kept as sparse numbers; a block is
renumbered lazily, when its order is queried after an insertion found no free number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..source.locations import Source
from .values import BlockArgument

if TYPE_CHECKING:
    from ..types.types import Type
    from ..types.uniquing import Attribute
    from .core import Operation
    from .values import Value

ORDER_STRIDE = 32
"""Distance between the order numbers of neighbouring operations: room for five insertions at one point."""


class Block:
    """A list of operations with block arguments, entered at the top and left by its last operation."""

    __slots__ = (
        "_next",
        "_numbered",
        "_previous",
        "args",
        "first_op",
        "last_op",
        "name_hint",
        "region",
        "where",
    )

    def __init__(self, arg_types: Iterable[Type] = (), location: Attribute | None = None):
        """A block whose arguments have the types `arg_types` and all the same location."""
        self.args: list[BlockArgument] = [BlockArgument(self, i, t) for i, t in enumerate(arg_types)]
        if location is not None:
            for arg in self.args:
                arg.location = location
        self.first_op: Operation | None = None
        self.last_op: Operation | None = None
        self.region: Region | None = None
        self._next: Block | None = None
        self._previous: Block | None = None
        self._numbered = True
        """Whether the `_order` numbers are ascending; an insertion without a free number clears this."""
        self.name_hint: str | None = None
        self.where: tuple[Source, int, int] | None = None

    # -- position

    @property
    def parent_op(self) -> Operation | None:
        return self.region.parent_op if self.region is not None else None

    @property
    def is_entry(self) -> bool:
        return self.region is not None and self.region.first_block is self

    @property
    def next_block(self) -> Block | None:
        return self._next

    @property
    def previous_block(self) -> Block | None:
        return self._previous

    # -- operations

    def __iter__(self) -> Iterator[Operation]:
        """The operations in order; the one just yielded may be erased or moved."""
        op = self.first_op
        while op is not None:
            following = op._next
            yield op
            op = following

    def __reversed__(self) -> Iterator[Operation]:
        op = self.last_op
        while op is not None:
            previous = op._previous
            yield op
            op = previous

    @property
    def ops(self) -> list[Operation]:
        return list(self)

    @property
    def is_empty(self) -> bool:
        return self.first_op is None

    @property
    def terminator(self) -> Operation | None:
        """The last operation if it is a terminator (or unregistered, hence possibly one), else None."""
        last = self.last_op
        return last if last is not None and last.may_be_terminator else None

    @property
    def successors(self) -> Sequence[Block]:
        return self.last_op.successors if self.last_op is not None else ()

    def append(self, op: Operation) -> Operation:
        """Add a detached operation at the end. O(1)."""
        last = self.last_op
        op.block = self
        op._previous = last
        op._next = None
        if last is None:
            self.first_op = op
            op._order = 0
        else:
            last._next = op
            op._order = last._order + ORDER_STRIDE
        self.last_op = op
        return op

    def insert_before(self, op: Operation, anchor: Operation | None) -> Operation:
        """Insert a detached operation before `anchor` (None: at the end). Amortised O(1)."""
        if anchor is None:
            return self.append(op)
        assert anchor.block is self, "the anchor is not in this block"
        before = anchor._previous
        op.block = self
        op._next = anchor
        op._previous = before
        anchor._previous = op
        if before is None:
            self.first_op = op
            op._order = anchor._order - ORDER_STRIDE
            return op
        before._next = op
        op._order = order = (before._order + anchor._order) >> 1
        if order == before._order:
            self._numbered = False
        return op

    def insert_after(self, op: Operation, anchor: Operation | None) -> Operation:
        """Insert a detached operation after `anchor` (None: at the start). Amortised O(1)."""
        return self.insert_before(op, self.first_op if anchor is None else anchor._next)

    def number(self) -> None:
        """Renumber the operations if an insertion has invalidated `_order`. O(1) if not, else O(operations)."""
        if self._numbered:
            return
        self._numbered = True
        order = 0
        op = self.first_op
        while op is not None:
            op._order = order
            order += ORDER_STRIDE
            op = op._next

    # -- arguments

    def add_argument(
        self, type: Type, index: int | None = None, location: Attribute | None = None
    ) -> BlockArgument:
        """Add an argument at `index` (default: last). O(arguments after it)."""
        at = len(self.args) if index is None else index
        arg = BlockArgument(self, at, type)
        arg.location = location
        self.args.insert(at, arg)
        for later in self.args[at + 1 :]:
            later.index += 1
        return arg

    def erase_argument(self, index: int) -> None:
        """Remove an argument that has no uses."""
        arg = self.args.pop(index)
        assert not arg.has_uses, "erasing a block argument that is still used"
        for later in self.args[index:]:
            later.index -= 1

    # -- editing

    def split_before(self, op: Operation) -> Block:
        """Move `op` and all that follows into a new block right after this one. O(operations moved)."""
        assert op.block is self and self.region is not None
        tail = Block()
        self.region.insert_after(tail, self)
        moving: Operation | None = op
        while moving is not None:
            following = moving._next
            moving.detach()
            tail.append(moving)
            moving = following
        return tail

    def clone_without_operations(self, mapping: dict[Value, Value]) -> Block:
        """A detached empty block with copies of the arguments, which `mapping` receives. O(arguments)."""
        copy = Block()
        copy.name_hint, copy.where = self.name_hint, self.where
        for arg in self.args:
            new = mapping[arg] = copy.add_argument(arg.type)
            new.name_hint, new.where, new.location = arg.name_hint, arg.where, arg.location
        return copy

    def detach(self) -> Block:
        """Take the block out of its region without touching its contents."""
        if self.region is not None:
            self.region._unlink(self)
        return self

    def erase(self) -> None:
        """Remove the block with its operations. None of its values may be used from outside."""
        self.detach()
        for op in self:
            for nested in op.walk():
                nested.drop_operands()
        for op in self:
            op.block = None
        self.first_op = self.last_op = None


class Region:
    """A list of blocks nested in an operation; the first is its entry."""

    __slots__ = ("first_block", "graph", "last_block", "parent_op")

    def __init__(self, parent_op: Operation | None = None):
        self.parent_op = parent_op
        self.first_block: Block | None = None
        self.last_block: Block | None = None
        self.graph: object = None
        """The control-flow graph cached by its analysis, which compares it with the blocks before reusing it."""

    @property
    def index(self) -> int:
        assert self.parent_op is not None
        return next(i for i, region in enumerate(self.parent_op.regions) if region is self)

    @property
    def parent_region(self) -> Region | None:
        """The region around the operation that owns this region; None at the top."""
        op = self.parent_op
        return op.block.region if op is not None and op.block is not None else None

    def __iter__(self) -> Iterator[Block]:
        block = self.first_block
        while block is not None:
            following = block._next
            yield block
            block = following

    def __reversed__(self) -> Iterator[Block]:
        block = self.last_block
        while block is not None:
            previous = block._previous
            yield block
            block = previous

    @property
    def blocks(self) -> list[Block]:
        return list(self)

    @property
    def is_empty(self) -> bool:
        return self.first_block is None

    @property
    def has_one_block(self) -> bool:
        return self.first_block is not None and self.first_block is self.last_block

    @property
    def entry(self) -> Block:
        """The first block. Asserts that there is one."""
        assert self.first_block is not None, "the region is empty"
        return self.first_block

    def append(self, block: Block) -> Block:
        return self.insert_before(block, None)

    def insert_before(self, block: Block, anchor: Block | None) -> Block:
        """Insert a detached block before `anchor` (None: at the end). O(1)."""
        before = self.last_block if anchor is None else anchor._previous
        block.region = self
        block._previous = before
        block._next = anchor
        if before is None:
            self.first_block = block
        else:
            before._next = block
        if anchor is None:
            self.last_block = block
        else:
            anchor._previous = block
        return block

    def insert_after(self, block: Block, anchor: Block) -> Block:
        return self.insert_before(block, anchor._next)

    def _unlink(self, block: Block) -> None:
        before, after = block._previous, block._next
        if before is None:
            self.first_block = after
        else:
            before._next = after
        if after is None:
            self.last_block = before
        else:
            after._previous = before
        block._previous = block._next = block.region = None

    def take_blocks(self, other: Region) -> None:
        """Move all blocks of `other` to the end of this region. O(blocks)."""
        for block in other:
            block.detach()
            self.append(block)

    def ops(self) -> Iterator[Operation]:
        """The operations directly in this region's blocks, in order."""
        for block in self:
            yield from block

    def is_ancestor_of(self, other: Region | None) -> bool:
        """Whether `other` is this region or nested in it. O(depth)."""
        while other is not None:
            if other is self:
                return True
            other = other.parent_region
        return False


def blocks_in(regions: Iterable[Region]) -> Iterator[Block]:
    """The blocks directly in `regions`, in order; the one just yielded may be erased."""
    for region in regions:
        yield from region


def operations_in(regions: Iterable[Region]) -> Iterator[Operation]:
    """The operations directly in the blocks of `regions`, in order; the one just yielded may be erased."""
    for region in regions:
        for block in region:
            yield from block
