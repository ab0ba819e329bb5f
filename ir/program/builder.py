"""Creates operations at an insertion point.

    b = Builder.before(op)
    size = b.insert(memref.DimOp.build(source=buffer, index=zero, result=INDEX))

Inserted operations inherit the source position of the operation that the builder was created for, so diagnostics about
rewritten programs still point into the source text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..source.locations import Where
from ..types.attributes import Attribute
from ..types.types import Type
from .blocks import Block, Region
from .core import Operation
from .values import BlockArgument, OpOperand, OpResult, Value

Op = TypeVar("Op", bound=Operation)


class Builder:
    """An insertion point: in `block`, before `anchor`, or at the end if `anchor` is None."""

    __slots__ = ("anchor", "block", "on_insert", "where")

    def __init__(
        self,
        block: Block,
        anchor: Operation | None = None,
        where: Where | None = None,
        on_insert: Callable[[Operation], None] | None = None,
    ):
        self.block = block
        self.anchor = anchor
        self.where = where
        self.on_insert = on_insert
        """Callback for each inserted operation; rewrites that keep worklists register here."""

    @classmethod
    def before(cls, op: Operation, on_insert: Callable[[Operation], None] | None = None) -> Builder:
        assert op.block is not None
        return cls(op.block, op, op.where, on_insert)

    @classmethod
    def after(cls, op: Operation, on_insert: Callable[[Operation], None] | None = None) -> Builder:
        """An insertion point right after `op`; successive insertions appear in order."""
        assert op.block is not None
        return cls(op.block, op.next_op, op.where, on_insert)

    @classmethod
    def after_definition(cls, value: Value) -> Builder:
        """An insertion point right after a value becomes available."""
        if isinstance(value, BlockArgument):
            return cls.at_start(value.owner)
        assert value.defining_op is not None
        return cls.after(value.defining_op)

    @classmethod
    def at_start(
        cls, block: Block, where: Where | None = None, on_insert: Callable[[Operation], None] | None = None
    ) -> Builder:
        return cls(block, block.first_op, where, on_insert)

    @classmethod
    def at_end(
        cls, block: Block, where: Where | None = None, on_insert: Callable[[Operation], None] | None = None
    ) -> Builder:
        """An insertion point at the end of the block, after its terminator if it has one."""
        return cls(block, None, where, on_insert)

    def insert(self, op: Op) -> Op:
        """Insert a detached operation; the insertion point stays after it."""
        if op.where is None:
            op.where = self.where
        self.block.insert_before(op, self.anchor)
        if self.on_insert is not None:
            self.on_insert(op)
        return op

    def move_before(self, op: Operation) -> None:
        """Move the insertion point right before `op`."""
        assert op.block is not None
        self.block, self.anchor = op.block, op

    def move_after(self, op: Operation) -> None:
        assert op.block is not None
        self.block, self.anchor = op.block, op.next_op

    def move_to_start(self, block: Block) -> None:
        self.block, self.anchor = block, block.first_op


# Fast construction from ready-made parts.
#
# `Operation.__init__` accepts arbitrary iterables, counts and defaults. The parser creates nearly all operations of a
# program and already has lists; filling the slots directly saves a third of the time.


def append_new(
    block: Block,
    cls: type[Operation],
    operands: Sequence[Value],
    result_types: Sequence[Type],
    properties: dict[str, Attribute],
    regions: list[Region],
    where: Where | None,
) -> Operation:
    """Append a new operation to `block`. It takes ownership of `properties` and `regions`; nothing is copied."""
    op = cls.__new__(cls)
    op.op_operands = slots = []
    for index, value in enumerate(operands):  # as `OpOperand.__init__`, without a call per operand
        use = OpOperand.__new__(OpOperand)
        use.owner = op
        use.index = index
        use._value = value
        use._previous = None
        use._next = first = value._first_use
        if first is not None:
            first._previous = use
        value._first_use = use
        slots.append(use)
    op.results = results = []
    for index, type in enumerate(result_types):  # as `OpResult.__init__`
        result = OpResult.__new__(OpResult)
        result.type = type
        result.name_hint = result._first_use = None
        result.owner = op
        result.index = index
        results.append(result)
    op.attributes = {}
    op.properties = properties
    op.successors = ()
    op.regions = regions
    for region in regions:
        region.parent_op = op
    op.location = op.cause = None
    op.where = where
    block.append(op)
    return op
