"""Causes: why an operation allocates, copies or frees, stated where it is made; and the fact base behind a finding.

A `Cause` names a kind, the operation of the program that it is for, and what speaks for it (the *evidence*: a conflict
that the analysis found, the two types that do not fit). One cause may make several operations: an out-of-place operand
takes an allocation and a copy.

Causes are stated where a decision is made: in the plan that follows from the analysis (`analysis/one_shot/plan.py`), in a rewrite
where only types reveal that a copy is needed, in passes that place or free memory.
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
    """An operand is not updated in place: what it is written to gets a buffer of its own."""
    LOOP_YIELD = "loop-yield"
    """A loop must not forward a buffer that others know."""
    LOOP_CONDITION = "loop-condition"
    """What passes the condition of a loop must be a buffer of its own, because the two regions do not hand one round."""
    LOOP_UNSEEN = "loop-unseen"
    """A loop must not forward a constant, or one buffer at two positions; mlir-opt 22 does not see that."""
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
    """A buffer has a different layout than required."""
    NOT_CONTIGUOUS = "not-contiguous"
    """A reshape needs a contiguous buffer, and this one is not known to be one."""
    NOT_OWNED = "not-owned"
    """What is yielded must be owned by whoever gets it, and this is or may be somebody else's."""
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


# The fact base of a finding: facts asserted while a program is inspected, and the rules that derive findings from them.
#
#     fact_base = FactBase("lifetimes")                  the rules of `rules/lifetimes.dl`
#     fact_base.assert_fact("allocated", value)          a fact
#     for (value,) in fact_base.query("never_freed"):   what the rules derive: the findings
#         fact_base.derivation("never_freed", value)    their proof, as text on request
#
# Facts come from the program or from the solution of an analysis. Whatever follows from them is a rule's to derive;
# decisions that a pass makes are `stated` as they are.

RULES: str | os.PathLike[str] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")
"""The folder of the rules of this package."""

Derivation = Callable[[], str]
Row = tuple[object, ...]


@cache
def rules_of(file: str) -> Program:
    """The rules of `rules/FILE.dl`, checked. Parsed on first use.

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
        """All rows of a relation that follow, in the order of the facts. Semi-naive, each fact is looked at once."""
        return self._database.query(name)

    def holds(self, name: str, *row: object) -> bool:
        """Whether a row follows; None stands for anything."""
        return self._database.holds(name, row)

    def proof(self, name: str, *row: object) -> Proof:
        """Why a row follows.

        Raises:
            DatalogError: it does not.
        """
        return self._database.explain(name, row)

    def derivation(self, name: str, *row: object) -> Derivation:
        """The proof as text, made when it is asked for."""
        return lambda: self.proof(name, *row).render(shown)


def stated(*rows: Row) -> Derivation:
    """What no rule decides, but who acts: the facts, each its relation and arguments, written when somebody asks."""
    return lambda: "\n".join(
        f"{name}({', '.join(shown(item) for item in arguments)})   fact" for name, *arguments in rows
    )


def shown(item: object) -> str:
    """A value, operand, operation or block as proofs write it."""
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
