"""Model queries about an undecided program: the only module that calls models.

Any two values may share memory, none are known to be the same buffer, nothing is known of functions that are called. The
analysis answers more, and keeps what models say of operands (`program_answers.ProgramAnswers`); whoever changes the program
asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.defects import SOUND, Defect
from ...ir.program.core import Block, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import BranchOp
from ..models.base import (
    AliasingOperand,
    AliasingValue,
    CalleeSummary,
    Model,
    owner_of,
    stored_globals,
    unknown_aliasing_operands,
    unknown_aliasing_values,
)
from ..models.registry import ModelRegistry
from .definitions import ValueReads


def branches_in(region: Region | None) -> dict[Block, list[BranchOp]]:
    """The branches that lead to each block of a region, each once. O(blocks)."""
    found: dict[Block, list[BranchOp]] = {}
    for block in region or ():
        branch = block.last_op
        if isinstance(branch, BranchOp):
            for target in dict.fromkeys(branch.successors):
                found.setdefault(target, []).append(branch)
    return found


class ModelAnswers:
    """Questions about operands and values; also the `ModelContext` that models may ask.

    Attributes:
        registry: the models.
        mirrored: the defects of mlir-opt 22 that are mirrored.
        allows_return_allocs_from_loops: whether a loop may yield a buffer other than the one it was given.
    """

    def __init__(
        self,
        registry: ModelRegistry,
        allows: Callable[[Operation], bool],
        *,
        mirrored: frozenset[Defect] = SOUND,
        allows_return_allocs_from_loops: bool = True,
    ) -> None:
        self.registry = registry
        self.allows = allows
        self.mirrored = mirrored
        self.allows_return_allocs_from_loops = allows_return_allocs_from_loops
        self.value_reads = ValueReads(self)
        self._stored_globals: dict[Operation, set[object]] = {}

    # -- models

    def model_of(self, op: Operation) -> Model | None:
        """The model of an operation that may be bufferized; None if it is unknown."""
        model = self.registry.model_of(op)
        return model if model is not None and self.allows(op) else None

    def is_known(self, op: Operation) -> bool:
        return self.model_of(op) is not None

    def reads(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is read; true of unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.reads(operand, self)

    def writes(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is written if kept in place; true of unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.writes(operand, self)

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """The values that share memory with the operand if kept in place."""
        model = self.model_of(operand.owner)
        return unknown_aliasing_values(operand) if model is None else model.aliasing_values(operand, self)

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]:
        """The operands whose buffers `value` may share."""
        model = self.model_of(owner_of(value))
        return unknown_aliasing_operands(value) if model is None else model.aliasing_operands(value, self)

    def is_alias_only(self, operand: OpOperand) -> bool:
        """Whether the operand is neither read nor written, but something shares its buffer."""
        if not self.is_known(operand.owner) or self.reads(operand) or self.writes(operand):
            return False
        return bool(self.aliasing_values(operand))

    def is_writable(self, value: Value) -> bool:
        model = self.model_of(owner_of(value))
        return model is not None and model.is_writable(value, self)

    def must_be_in_place(self, operand: OpOperand) -> bool:
        model = self.model_of(operand.owner)
        return model is not None and model.must_be_in_place(operand, self)

    def stored_globals(self, root: Operation) -> set[object]:
        """The symbols of the globals that something inside `root` stores to. O(operations), once."""
        found = self._stored_globals.get(root)
        if found is None:
            found = self._stored_globals[root] = stored_globals(root.walk(), self.model_of)
        return found

    # -- what models ask

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        """The branches that lead to a block, each once, in the order of the text. O(blocks of the region)."""
        return branches_in(block.region).get(block, ())

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer."""
        return a is b

    def is_value_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a view of it, reads."""
        return self.value_reads.is_read(value)

    def is_reading_use(self, use: OpOperand) -> bool:
        """Whether the use counts as a read of its buffer, itself or through a view."""
        return self.value_reads.is_reading_use(use)

    def callee(self, call: Operation) -> CalleeSummary | None:
        """What is known of the function that `call` calls; None if it was not analysed."""
        return None
