"""Model queries about an undecided program: the only module that calls models.

Conservative: any two values may alias, no two are known to be equivalent, callees are unknown. The analysis refines and
caches these answers (`program_answers.ProgramAnswers`); transformations, which change the program, use this class.
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
    """The branches to each block of a region, each once. O(blocks)."""
    found: dict[Block, list[BranchOp]] = {}
    for block in region or ():
        branch = block.last_op
        if isinstance(branch, BranchOp):
            for target in dict.fromkeys(branch.successors):
                found.setdefault(target, []).append(branch)
    return found


class ModelAnswers:
    """Queries about operands and values; also the `ModelContext` passed to models.

    Attributes:
        registry: the models.
        mirrored: the defects of mlir-opt 22 that are mirrored.
        allows_return_allocs_from_loops: whether a loop may yield a buffer other than that of its iter_arg.
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
        """Whether the operand's buffer is read; true for unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.reads(operand, self)

    def writes(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is written if the operand is in place; true for unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.writes(operand, self)

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """The values that alias the operand if it is in place."""
        model = self.model_of(operand.owner)
        return unknown_aliasing_values(operand) if model is None else model.aliasing_values(operand, self)

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]:
        """The operands that `value` may alias."""
        model = self.model_of(owner_of(value))
        return unknown_aliasing_operands(value) if model is None else model.aliasing_operands(value, self)

    def is_alias_only(self, operand: OpOperand) -> bool:
        """Whether the operation neither reads nor writes the operand, but some value aliases it."""
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
        """The symbols of the globals that are stored to inside `root`. Cached; O(operations)."""
        found = self._stored_globals.get(root)
        if found is None:
            found = self._stored_globals[root] = stored_globals(root.walk(), self.model_of)
        return found

    # -- ModelContext

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        """The branches to a block, each once, in textual order. O(blocks of the region)."""
        return branches_in(block.region).get(block, ())

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer."""
        return a is b

    def is_value_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a view of it, reads."""
        return self.value_reads.is_read(value)

    def is_reading_use(self, use: OpOperand) -> bool:
        """Whether the use reads its buffer, by itself or through a view."""
        return self.value_reads.is_reading_use(use)

    def callee(self, call: Operation) -> CalleeSummary | None:
        """The summary of the callee of `call`; None if it was not analysed."""
        return None
