"""Creates operations at an insertion point.

    b = Builder.before(op)
    size = b.insert(memref.DimOp.build(source=buffer, index=zero, result=INDEX))

What is inserted takes the source position of the operation the builder was made for, so that diagnostics about rewritten
programs still point at the text a person wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..source.locations import Where
from ..types.attributes import Attribute
from ..types.types import Type
from .blocks import Block, Region
from .core import Operation
from .values import OpOperand, OpResult, Value

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
        """Told of every operation inserted; rewrites that keep worklists listen."""

    @classmethod
    def before(cls, op: Operation, on_insert: Callable[[Operation], None] | None = None) -> Builder:
        assert op.block is not None
        return cls(op.block, op, op.where, on_insert)

    @classmethod
    def after(cls, op: Operation, on_insert: Callable[[Operation], None] | None = None) -> Builder:
        """Right behind `op`; successive insertions come in order."""
        assert op.block is not None
        return cls(op.block, op.next_op, op.where, on_insert)

    @classmethod
    def at_start(
        cls, block: Block, where: Where | None = None, on_insert: Callable[[Operation], None] | None = None
    ) -> Builder:
        return cls(block, block.first_op, where, on_insert)

    @classmethod
    def at_end(
        cls, block: Block, where: Where | None = None, on_insert: Callable[[Operation], None] | None = None
    ) -> Builder:
        """Behind everything, a terminator included."""
        return cls(block, None, where, on_insert)

    def insert(self, op: Op) -> Op:
        """Put a detached operation at the insertion point, which stays behind it."""
        if op.where is None:
            op.where = self.where
        self.block.insert_before(op, self.anchor)
        if self.on_insert is not None:
            self.on_insert(op)
        return op

    def move_before(self, op: Operation) -> None:
        """Set the insertion point right before `op`."""
        assert op.block is not None
        self.block, self.anchor = op.block, op

    def move_after(self, op: Operation) -> None:
        assert op.block is not None
        self.block, self.anchor = op.block, op.next_op

    def move_to_start(self, block: Block) -> None:
        self.block, self.anchor = block, block.first_op


# Making operations of parts that are ready.
#
# `Operation.__init__` takes any iterables, counts and defaults. Reading makes nearly all operations of a program, from lists made
# for the purpose: built slot by slot they cost two thirds of that.


def append_new(
    block: Block,
    cls: type[Operation],
    operands: Sequence[Value],
    result_types: Sequence[Type],
    properties: dict[str, Attribute],
    regions: list[Region],
    where: Where | None,
) -> Operation:
    """A new operation at the end of `block`, of exactly these properties and regions, which it takes over."""
    op = cls.__new__(cls)
    op.op_operands = slots = []
    for index, value in enumerate(operands):
        slots.append(OpOperand(op, index, value))
    op.results = results = []
    for index, type in enumerate(result_types):
        results.append(OpResult(op, index, type))
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
