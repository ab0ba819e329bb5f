"""State of the analysis while it decides: alias classes, class facts and decisions, kept consistent.

* What the program answers (`program_answers.ProgramAnswers`): models and structure. Nothing there depends on decisions.
* What was decided (`decided.DecidedOperands`): which operands are in place, and what was found against the others.
* The classes that follow (`alias_classes.AliasClasses`): the rules of `rules/aliasing.dl` and `rules/conflict.dl` with facts.

A decision is recorded, told to the rules as a fact, and the facts of the classes that it touches are kept up to date. That is
all that is left to do here.
"""

from __future__ import annotations

import os.path
from contextlib import AbstractContextManager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from ...ir.program.core import Operation, OpOperand, Value
from ..causes import RULES
from ..datalog.program import Program, load_program
from ..models.base import TENSOR_TYPES, CalleeSummary
from ..models.registry import ModelRegistry
from .alias_classes import AliasClasses
from .class_facts import ClassIndex
from .decided import DecidedOperands
from .facts import externs, program_with, vocabulary
from .options import AnalysisOptions
from .program_answers import ProgramAnswers

if TYPE_CHECKING:
    from ..cost_model import CostModel


@cache
def conflict_program() -> Program:
    """The rules of aliasing and conflicts, checked. Parsed on first use."""
    return load_program(os.path.join(RULES, "aliasing.dl"), os.path.join(RULES, "conflict.dl"))


class AnalysisState(ProgramAnswers):
    """Answers about the program below `root`, decisions, and the classes of values under the decisions made so far.

    It is the answers, as it is what models are asked with and what the rules ask; it has the other two. What is looked up often
    is an attribute here as well, the same object.

    Attributes:
        decided: the decisions; `in_place` is its set.
        classes: the classes; `database`, `alias`, `equivalence` and what brings them up to date are its own.
        class_index: keeps the facts of classes, once there is somebody who looks for conflicts.
        overwrites: the rule that all pairs of reads and writes are put to.
    """

    def __init__(
        self,
        root: Operation,
        options: AnalysisOptions,
        registry: ModelRegistry,
        callees: dict[Operation, CalleeSummary],
        call_targets: dict[Operation, Operation],
        unwritten: frozenset[OpOperand] = frozenset(),
    ) -> None:
        super().__init__(root, options, registry, callees, call_targets, unwritten)
        program, answers = conflict_program(), externs(self)
        if registry.rules:
            program, answers = program_with(registry.rules), {**answers, **vocabulary(self)}
        self.classes = AliasClasses(program, answers)
        self.database = self.classes.database
        self.alias = self.classes.alias
        self.equivalence = self.classes.equivalence
        self.refresh_aliases = self.classes.refresh_aliases
        self.refresh_equivalence = self.classes.refresh_equivalence
        for defect in self.mirrored:
            self.database.assert_fact("mirrors", defect.name)
        self.overwrites = self.database.goal("overwrites", "bbf")
        self.decided = DecidedOperands()
        self.in_place = self.decided.in_place
        self.class_index: ClassIndex | None = None

    @cached_property
    def weights(self) -> CostModel:
        """What copies cost. Made when the search for fewest copies, or an explanation, asks for it."""
        from ..cost_model import CostModel

        return CostModel(self.options.assumed_size)

    # -- classes

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer; while looking back, whether they were."""
        return a is b or self.classes.are_equivalent(a, b)

    def looking_back(self) -> AbstractContextManager[None]:
        """Within the block, values are equivalent only if that was known when operands were decided."""
        return self.classes.looking_back()

    def deriving_equivalence(self) -> AbstractContextManager[None]:
        """What is joined within the block was not known when operands were decided."""
        return self.classes.deriving_equivalence()

    # -- decisions

    def keep_in_place(self, operand: OpOperand) -> None:
        """Decide that the operand keeps its buffer. What aliases it joins its class by rule A1."""
        if self.decided.keep(operand):
            self.share(operand)

    def share(self, operand: OpOperand) -> None:
        """Tell the rules of an operand that keeps its buffer, and bring the facts of its class up to date."""
        if self.class_index is not None and self.writes(operand):
            self.class_index.note_write(operand)
        self.database.assert_fact("in_place", operand)
        self.refresh_aliases()

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand in self.in_place

    def class_data(self, value: Value) -> Any:
        return self.alias.data(value)

    def attach_class_data(self, value: Value, data: object) -> None:
        self.alias.attach(value, data)

    def crosses_parallel_region(self, write: OpOperand) -> bool:
        """Whether iterations that run at once would write one buffer (rule P1), and that matters."""
        if not self.options.check_parallel_regions or not self.has_parallel_regions:
            return False
        return self.database.holds("parallel_conflict", (write, None))

    def in_place_writes(self, value: Value) -> list[OpOperand]:
        """The uses of exactly this value that are in place and write."""
        return [use for use in value.uses if use in self.in_place and self.writes(use)]


def tensor_operands(op: Operation) -> list[OpOperand]:
    """The operands of tensor type, in order."""
    return [use for use in op.op_operands if isinstance(use._value.type, TENSOR_TYPES)]
