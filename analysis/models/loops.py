"""What models of loops have in common: what is handed on, and whether it is copied. Whatever the dialect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from enum import Enum, auto
from typing import NamedTuple

from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from .base import Model, ModelContext


class CarriedCopy(Enum):
    """Whether a loop copies what it hands on: as its memory demands, in any case, or not at all.

    `IF_NEEDED_UNSEEN` is `IF_NEEDED` where mlir-opt 22 never copies, `ALWAYS_UNLESS_COMPARED` where it always does: it is as memory
    demands with `compare-parts` only. See `one_shot/loop_copies.py`.
    """

    IF_NEEDED = auto()
    IF_NEEDED_UNSEEN = auto()
    ALWAYS_UNLESS_COMPARED = auto()
    NEVER = auto()


class LoopCarried(NamedTuple):
    """A tensor that one iteration of a loop hands on, to the next one or out.

    Attributes:
        operand: of the terminator.
        body: the region that it leaves.
        own: the argument of the region whose buffer it usually is.
        fresh: the arguments of the region that are new buffers in each iteration.
        receivers: the values it becomes.
        copied: whether it is copied.
    """

    operand: OpOperand
    body: Region
    own: BlockArgument | None
    fresh: Set[BlockArgument]
    receivers: tuple[Value, ...]
    copied: CarriedCopy


class LoopModel(Model):
    """What all loops with carried tensors have in common."""

    def loop_carried(self, loop: Operation, context: ModelContext) -> Iterator[LoopCarried]:
        """The tensors that iterations hand on. O(operands of the terminators)."""
        return iter(())

    def entries(self, loop: Operation) -> Iterator[tuple[OpOperand, tuple[Value, ...]]]:
        """The operands that a loop only passes to its first iteration, and the values they become."""
        return iter(())

    def first_init(self, loop: Operation) -> int:
        """The index of the operand that the first result comes from; those of other results follow in order."""
        return 0

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        if not isinstance(value, OpResult):
            return ()
        operands = value.owner.op_operands
        position = self.first_init(value.owner) + value.index
        return operands[position : position + 1]

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return True

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return True

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return True
