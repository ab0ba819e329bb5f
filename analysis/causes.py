"""Why memory is allocated, copied or freed: what whoever makes such an operation has to state.

A `Cause` names a kind, the operation of the program that it is for, and what speaks for it (the *evidence*: a conflict
that the analysis found, the two types that do not fit). One cause may make several operations: an out-of-place operand
takes an allocation and a copy.

Causes are stated where a decision is made: in the plan that follows from the analysis (`one_shot/plan.py`), in a rewrite
where only types reveal that a copy is needed, in passes that place or free memory.
"""

from __future__ import annotations

from enum import StrEnum

from ..ir.program.core import Operation, OpOperand, Value
from ..ir.source.records import record, replace
from ..ir.types import types as t


class CauseKind(StrEnum):
    """The kinds of causes."""

    OUT_OF_PLACE = "out-of-place"
    """An operand is not updated in place: what it is written to gets a buffer of its own."""
    LOOP_YIELD = "loop-yield"
    """A loop must not hand on a buffer that others know."""
    LOOP_CONDITION = "loop-condition"
    """What passes the condition of a loop must be a buffer of its own, because the two regions do not hand one round."""
    LOOP_UNSEEN = "loop-unseen"
    """A loop must not hand on a constant, or one buffer at two positions; mlir-opt 22 does not see that."""
    GLOBAL_OVERWRITTEN = "global-overwritten"
    """A global is stored to while what was loaded from it may still be read."""
    NO_DESTINATION = "no-destination"
    """An operation makes a new tensor, and has no operand whose buffer it could take."""
    INSERTION = "insertion"
    """A slice is put into a tensor: copied into its place."""
    CONCATENATION = "concatenation"
    """Inputs are copied one behind the other."""
    PADDING = "padding"
    """A tensor is copied into the middle of a larger one."""
    GLOBAL_STORE = "global-store"
    """A tensor is stored in a global: copied into its memory."""
    LAYOUT_MISMATCH = "layout-mismatch"
    """A buffer has another layout than the place that receives it."""
    NOT_CONTIGUOUS = "not-contiguous"
    """A reshape needs a contiguous buffer, and this one is not known to be one."""
    NOT_OWNED = "not-owned"
    """What is handed out must be owned by whoever gets it, and this is or may be somebody else's."""
    OUT_PARAMETER = "out-parameter"
    """A result became an argument: it is copied where the caller wants it, or allocated by the caller."""
    CRITICAL_ALIAS = "critical-alias"
    """Several buffers meet in one value, which could not be freed at one place."""
    BOOKKEEPING = "bookkeeping"
    """Deallocation has to note at run time who owns what."""
    UNRANKED_SHAPE = "unranked-shape"
    """The sizes of a buffer of unknown rank are collected."""
    ARENA = "arena"
    """Buffers that are not alive together are parts of one allocation."""
    FREED = "freed"
    """Nobody uses the buffer any more."""
    ASKED = "asked-for"
    """The source says so itself."""


@record(frozen=True)
class Types:
    """Evidence: a buffer has one type where another is wanted."""

    given: t.Type
    wanted: t.Type


@record(frozen=True, eq=False)
class Cause:
    """Why something is allocated, copied or freed.

    Attributes:
        kind: which of the reasons there are.
        op: the operation that it is for, of the program as it was when the cause was stated.
        operand: the number of the operand that it is for, if it is for one.
        value: the value that is copied, or gets the memory; None if there is none in the source.
        evidence: what speaks for it: a conflict of the analysis, or `Types`.
        in_result: whether a result of `op` is copied instead of the operand.
    """

    kind: CauseKind
    op: Operation
    operand: int | None = None
    value: Value | None = None
    evidence: object = None
    in_result: bool = False

    @property
    def use(self) -> OpOperand | None:
        """The operand, as long as the operation has it."""
        operands = self.op.op_operands
        return operands[self.operand] if self.operand is not None and self.operand < len(operands) else None

    @property
    def is_asked(self) -> bool:
        """Whether the source itself asks for it."""
        return self.kind is CauseKind.ASKED

    def because_of(self, evidence: object) -> Cause:
        """The same with evidence, where there was none."""
        return self if self.evidence is not None else replace(self, evidence=evidence)
