"""Making operations of parts that are ready.

`Operation.__init__` takes any iterables, counts and defaults. Reading makes nearly all operations of a program, from lists made
for the purpose: built slot by slot they cost two thirds of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..source.places import Where
from ..types.attributes import Attribute
from ..types.types import Type
from .blocks import Block, Region
from .core import Operation
from .values import OpOperand, OpResult, Value


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
