"""The interface through which the analysis queries a program; `program_answers.ProgramAnswers` implements it.

Components of the analysis (definitions, memory regions, facts for the rules) depend on this protocol only, which keeps
imports one way. Class facts also depend on decisions, which only `state.AnalysisState` can answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...ir.program.core import Operation, OpOperand, Value
from ..models.base import AliasingOperand, AliasingValue, Model, ModelContext
from ..regions import ProgramOrder
from . import AnalysisOptions


class Answers(ModelContext, Protocol):
    """Queries about models and structure. Only `are_equivalent` depends on decisions."""

    @property
    def options(self) -> AnalysisOptions: ...

    @property
    def order(self) -> ProgramOrder: ...

    @property
    def last_accesses(self) -> Mapping[Operation, Operation | None]:
        """The last access through the memref of each `to_buffer`; see `program_answers.last_accesses`."""
        ...

    @property
    def has_parallel_regions(self) -> bool: ...

    def model_of(self, op: Operation) -> Model | None: ...

    def defines_by_element(self, op: Operation) -> bool:
        """`Model.defines_by_element`."""
        ...

    def post_order(self, root: Operation) -> list[Operation]: ...

    def is_known(self, op: Operation) -> bool: ...

    def reads(self, operand: OpOperand) -> bool: ...

    def writes(self, operand: OpOperand) -> bool: ...

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]: ...

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]: ...

    def is_alias_only(self, operand: OpOperand) -> bool: ...

    def is_reading_use(self, use: OpOperand) -> bool: ...

    def is_writable(self, value: Value) -> bool: ...

    def is_inside(self, value: Value, op: Operation) -> bool: ...

    def definitions_of(self, value: Value) -> tuple[Value, ...]: ...

    def has_contents_of_its_own(self, value: Value) -> bool: ...


class ClassAnswers(Answers, Protocol):
    """Queries about decisions and the alias classes that follow from them."""

    def is_in_place(self, operand: OpOperand) -> bool: ...

    def crosses_parallel_region(self, write: OpOperand) -> bool: ...

    def class_data(self, value: Value) -> Any:
        """The data attached to the alias class of `value`, or None."""
        ...

    def attach_class_data(self, value: Value, data: object) -> None: ...
