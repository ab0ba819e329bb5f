"""Causes: why an operation allocates, copies or frees, stated where it is made; and the fact base behind a finding.

A `Cause` has a kind, the operation of the program that it is about, and *evidence*: a conflict found by the analysis, or two
types that do not fit. One cause may insert several operations: an out-of-place operand needs an allocation and a copy.

Causes are recorded where a decision is made: in the plan that follows from the analysis (`analysis/one_shot/plan.py`), in a
rewrite where only buffer types require a copy, and in passes that place or free memory.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable
from enum import StrEnum
from functools import cache, cached_property
from typing import TYPE_CHECKING

from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.source.records import record, replace
from ..ir.types import types as t
from .datalog.database import Database
from .datalog.program import Program, load_program
from .naming import value_name

if TYPE_CHECKING:
    from .datalog.provenance import Proof


class CauseKind(StrEnum):
    """The kinds of causes."""

    OUT_OF_PLACE = "out-of-place"
    """An operand is out of place: the operation writes to a new buffer."""
    LOOP_YIELD = "loop-yield"
    """A loop must not yield a buffer that has other aliases."""
    LOOP_CONDITION = "loop-condition"
    """The condition of a loop must forward a separate buffer, because the two regions may exchange buffers."""
    LOOP_UNSEEN = "loop-unseen"
    """A loop must not forward a constant, or one buffer at two positions; mlir-opt 22 does not see that."""
    GLOBAL_OVERWRITTEN = "global-overwritten"
    """A global is stored to while a value loaded from it may still be read."""
    NO_DESTINATION = "no-destination"
    """An operation defines a new tensor, and has no operand whose buffer it could reuse."""
    INSERTION = "insertion"
    """A slice is inserted into a tensor: copied into its subview."""
    CONCATENATION = "concatenation"
    """Inputs are concatenated: copied one after the other."""
    PADDING = "padding"
    """A tensor is padded: copied into the interior of the result."""
    GLOBAL_STORE = "global-store"
    """A tensor is stored in a global: copied into its memory."""
    LAYOUT_MISMATCH = "layout-mismatch"
    """A buffer has another layout than its receiver requires."""
    NOT_CONTIGUOUS = "not-contiguous"
    """A reshape needs a contiguous buffer, and this one may not be contiguous."""
    NOT_OWNED = "not-owned"
    """The receiver of a yielded or returned buffer must own it, and this one is or may be owned by another."""
    OUT_PARAMETER = "out-parameter"
    """A result became an out-parameter: it is copied to the caller's buffer, or the caller allocates it."""
    CRITICAL_ALIAS = "critical-alias"
    """Several buffers are joined in one value, which could not be freed at one point."""
    BOOKKEEPING = "bookkeeping"
    """Deallocation tracks ownership at run time."""
    UNRANKED_SHAPE = "unranked-shape"
    """The sizes of a buffer of unknown rank are collected."""
    ARENA = "arena"
    """Buffers with disjoint live ranges share one allocation."""
    FREED = "freed"
    """The buffer is dead."""
    ASKED = "asked-for"
    """The source contains the operation itself."""


@record(frozen=True)
class Types:
    """Evidence: the type of a buffer, and the type that is required."""

    given: t.Type
    wanted: t.Type


@record(frozen=True, eq=False)
class Cause:
    """Why something is allocated, copied or freed.

    Attributes:
        kind: the kind of reason.
        op: the operation that it is about, in the program at the time of the decision.
        operand: the index of the operand that it is about, or None.
        value: the value that is copied, or that the memory is allocated for; None if the source has none.
        evidence: a conflict of the analysis, or `Types`.
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
        """The operand, or None if the operation no longer has it."""
        operands = self.op.op_operands
        return operands[self.operand] if self.operand is not None and self.operand < len(operands) else None

    @property
    def is_asked(self) -> bool:
        """Whether the source itself requests it."""
        return self.kind is CauseKind.ASKED

    def because_of(self, evidence: object) -> Cause:
        """A copy with `evidence`, unless there already is some."""
        return self if self.evidence is not None else replace(self, evidence=evidence)


# The fact base of a finding: facts asserted while a program is inspected, and the rules that derive findings from them.
#
#     fact_base = FactBase("lifetimes")                  the rules of `rules/lifetimes.dl`
#     fact_base.assert_fact("allocated", value)          a fact
#     for (value,) in fact_base.query("never_freed"):   what the rules derive: the findings
#         fact_base.derivation("never_freed", value)    their proof, as text on request
#
# Facts come from the program or from the solution of an analysis; rules derive everything else. Decisions that a pass makes by
# other means are recorded by `stated`.

RULES: str | os.PathLike[str] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")
"""The folder of the rules of this package."""

Derivation = Callable[[], str]
Row = tuple[object, ...]


@cache
def rules_of(file: str) -> Program:
    """The checked rules of `rules/{file}.dl`. Cached.

    Raises:
        OSError: there is no such file.
    """
    return load_program(os.path.join(RULES, f"{file}.dl"))


class FactBase:
    """Facts of one program, and the rules of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    @cached_property
    def _database(self) -> Database:
        return Database(rules_of(self._file))

    @property
    def has_facts(self) -> bool:
        """Whether any fact was asserted."""
        return "_database" in self.__dict__

    def assert_fact(self, name: str, *row: object) -> None:
        """Add a fact."""
        self._database.assert_fact(name, *row)

    def query(self, name: str) -> list[Row]:
        """All rows of a relation that the rules derive, in the order of the facts. Semi-naive evaluation."""
        return self._database.query(name)

    def holds(self, name: str, *row: object) -> bool:
        """Whether a row is derived; None matches anything."""
        return self._database.holds(name, row)

    def proof(self, name: str, *row: object) -> Proof:
        """The proof of a row.

        Raises:
            DatalogError: the row is not derived.
        """
        return self._database.explain(name, row)

    def derivation(self, name: str, *row: object) -> Derivation:
        """The proof as text, computed on demand."""
        return lambda: self.proof(name, *row).render(shown)


def stated(*rows: Row) -> Derivation:
    """The derivation of a decision made without rules: the facts, each a relation with arguments, formatted on demand."""
    return lambda: "\n".join(
        f"{name}({', '.join(shown(item) for item in arguments)})   fact" for name, *arguments in rows
    )


def shown(item: object) -> str:
    """The text of a value, operand, operation or block in a proof."""
    if isinstance(item, OpOperand):
        return f"{_operation(item.owner)}[{item.index}]"
    if isinstance(item, Value):
        return value_name(item)
    if isinstance(item, Operation):
        return _operation(item)
    if isinstance(item, Block):
        return f"^{item.name_hint or 'entry'}"
    return str(item)


def _operation(op: Operation) -> str:
    span = op.name_span
    return f"{op.name}:{span.line}" if span is not None else op.name
