"""State of the analysis while it decides: decisions, alias classes and class facts, kept consistent.

* Queries on the program (`program_answers.ProgramAnswers`): models and structure, independent of decisions.
* Decisions (`DecidedOperands`): the operands in place, and the conflicts of the others.
* Classes (`alias_classes.AliasClasses`): derived by the rules of `rules/aliasing.dl` and `rules/conflict.dl`.

A decision is recorded and asserted as a fact, and the facts of the affected classes are updated. The functions at the end derive what
follows from all decisions: which values are one buffer, and which uses read undefined contents.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Protocol

from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ..causes import RULES
from ..datalog.program import Program, load_program
from ..datalog.union_find import EquivalenceRelation
from ..models import ModelRegistry
from ..models.base import TENSOR_TYPES, AliasingOperand, CalleeSummary, Model
from . import AnalysisOptions, DecidedOperands
from .alias_classes import AliasClasses
from .class_facts import ClassIndex
from .facts import externs, program_with, vocabulary
from .program_answers import ProgramAnswers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cost_model import CostModel
    from ..datalog.database import Database
    from ..datalog.evaluation import Goal
    from .conflict_ranges import KindRange


@cache
def conflict_program() -> Program:
    """The rules of aliasing and conflicts, checked. Parsed on first use."""
    return load_program(os.path.join(RULES, "aliasing.dl"), os.path.join(RULES, "conflict.dl"))


class AnalysisState(ProgramAnswers):
    """Queries on the program below `root`, the decisions so far, and the classes that follow from them.

    It extends `ProgramAnswers` because models and rules query it. Frequently used members of `decided` and `classes` are
    attributes here as well, for speed. The rules are read when a class is first needed: functions decided by position
    (`by_position.py`) often need none.

    Attributes:
        decided: the decisions; `in_place` is its set.
        classes: the classes; `database`, `alias`, `equivalence` and the refresh functions are its members.
        class_index: the index of class facts; None until `search.prepare` builds it.
        overwrites: the compiled query that decides pairs of reads and writes.
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
        self.decided = DecidedOperands()
        self.in_place = self.decided.in_place
        self.class_index: ClassIndex | None = None

    @property
    def answers(self) -> AnalysisState:
        """Itself; decisions made by position (`by_position.py`) have another object here."""
        return self

    @cached_property
    def weights(self) -> CostModel:
        """The cost model of copies, for the search for fewest copies and for explanations."""
        from ..cost_model import CostModel

        return CostModel(self.options.assumed_size)

    # -- classes

    @cached_property
    def classes(self) -> AliasClasses:
        program, answers = conflict_program(), externs(self)
        if self.registry.rules:
            program, answers = program_with(self.registry.rules), {**answers, **vocabulary(self)}
        classes = AliasClasses(program, answers)
        for defect in self.mirrored:
            classes.database.assert_fact("mirrors", defect.name)
        return classes

    @cached_property
    def database(self) -> Database:
        return self.classes.database

    @property
    def alias(self) -> EquivalenceRelation[Value]:
        return self.classes.alias

    @property
    def equivalence(self) -> EquivalenceRelation[Value]:
        return self.classes.equivalence

    @cached_property
    def refresh_aliases(self) -> Callable[[], None]:
        return self.classes.refresh_aliases

    @cached_property
    def refresh_equivalence(self) -> Callable[[], None]:
        return self.classes.refresh_equivalence

    @cached_property
    def overwrites(self) -> Goal:
        return self.database.goal("overwrites", "bbf")

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer; within `looking_back`, whether that was known at decision time."""
        return a is b or self.classes.are_equivalent(a, b)

    def looking_back(self) -> AbstractContextManager[None]:
        """Within the block, values are equivalent only if that was known when the operands were decided."""
        return self.classes.looking_back()

    def deriving_equivalence(self) -> AbstractContextManager[None]:
        """Mark merges within the block as later than the decisions, for `looking_back`."""
        return self.classes.deriving_equivalence()

    # -- decisions

    def keep_in_place(self, operand: OpOperand) -> None:
        """Decide the operand in place. Rule A1 merges the classes of its aliasing values."""
        if self.decided.keep(operand):
            self.share(operand)

    def share(self, operand: OpOperand) -> None:
        """Assert that the operand is in place, and update the facts of its class."""
        if self.class_index is not None and self.writes(operand):
            self.class_index.note_write(operand)
        self.database.assert_fact("in_place", operand)
        self.refresh_aliases()

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand in self.in_place

    def ranges_of_write(self, write: OpOperand) -> list[KindRange]:
        """The positions at which it may come between a read and its definition."""
        assert self.class_index is not None
        return self.class_index.ranges.of_write(write)

    def may_overwrite(self, read: OpOperand, write: OpOperand) -> bool:
        """False if structure alone (rule K2) shows that the write clobbers no definition of the read."""
        return (
            read is not write or self.class_index is None or read not in self.class_index.ranges.in_text_order
        )

    def overwritten(self, read: OpOperand, write: OpOperand) -> tuple[object, ...] | None:
        """The read, the write, and the definition that it clobbers, by the rules; None if there is none."""
        return self.overwrites.first(read, write)

    def class_data(self, value: Value) -> Any:
        return self.alias.data(value)

    def attach_class_data(self, value: Value, data: object) -> None:
        self.alias.attach(value, data)

    def crosses_parallel_region(self, write: OpOperand) -> bool:
        """Whether concurrent iterations would write one buffer (rule P1); False if the options do not check that."""
        if not self.options.check_parallel_regions or not self.has_parallel_regions:
            return False
        return self.database.holds("parallel_conflict", (write, None))

    def in_place_writes(self, value: Value) -> list[OpOperand]:
        """The in-place uses of this very value that write."""
        return [use for use in value.uses if use in self.in_place and self.writes(use)]


def tensor_operands(op: Operation) -> list[OpOperand]:
    """The operands of tensor type, in order."""
    return [use for use in op.op_operands if isinstance(use._value.type, TENSOR_TYPES)]


# Buffer equivalence after all decisions, and tensors with undefined contents.


def derive_equivalence(state: AnalysisState, root: Operation) -> None:
    """Merge each result with the operand whose buffer it is, nested operations first. O(operations * aliases).

    A result is the buffer of an in-place operand that it must alias as equivalent. It is also the buffer of its aliasing
    operands if all of these are in place and equivalent to it and to one another, and the operation never allocates it.
    """
    for op in state.post_order(root):
        model = state.model_of(op)
        for result in op.results if model is not None else ():
            if isinstance(result.type, TENSOR_TYPES):
                use = buffer_kept(state, model, result, state.aliasing_operands(result))
                if use is not None:
                    state.database.assert_fact("keeps_buffer", result, use)
                    state.refresh_equivalence()


class DecidedClasses(Protocol):
    """In-place decisions, and the equivalences derived so far."""

    in_place: set[OpOperand]

    def are_equivalent(self, a: Value, b: Value) -> bool: ...


def buffer_kept(
    decided: DecidedClasses, model: Model | None, result: OpResult, aliases: Sequence[AliasingOperand]
) -> OpOperand | None:
    """The operand whose buffer the result is, or None."""
    if not aliases:
        return None
    in_place = decided.in_place
    for alias in aliases:
        if alias.equivalent and alias.definite and alias.operand in in_place:
            return alias.operand
    if model is None or model.allocates(result):
        return None
    first = aliases[0].operand
    all_equal = all(
        alias.equivalent
        and alias.operand in in_place
        and decided.are_equivalent(alias.operand.value, first.value)
        for alias in aliases
    )
    return first if all_equal else None


def possible_equivalence(state: AnalysisState, roots: Iterable[Operation]) -> EquivalenceRelation[Value]:
    """The equivalences inside `roots` if every operand were in place: a superset of those under any decisions.

    Exceptions to conflicts that require equivalence may depend on decisions. A pair that conflicts even under this relation
    conflicts under all decisions. O(operations * aliases).
    """
    found: EquivalenceRelation[Value] = EquivalenceRelation()

    def join(one: Value, other: Value) -> None:
        for value in (one, other):
            if found.add(value) and value in state.equivalence:
                known = state.equivalence.find(value)
                found.add(known)
                found.union(known, value)
        found.union(one, other)

    with state.classes.assuming(found):
        for root in roots:
            for op in root.walk_post_order():
                for result in op.results if state.is_known(op) else ():
                    if not isinstance(result.type, TENSOR_TYPES):
                        continue
                    join(result, result)
                    aliases = state.aliasing_operands(result)
                    for alias in aliases:
                        if alias.equivalent and alias.definite:
                            join(result, alias.operand.value)
                    first = aliases[0].operand.value if aliases else result
                    if all(a.equivalent and state.are_equivalent(a.operand.value, first) for a in aliases):
                        join(result, first)
    return found


def undefined_uses(state: AnalysisState, root: Operation) -> set[OpOperand]:
    """The uses of tensors with undefined contents. O(operations), not counting the search for definitions."""
    found: set[OpOperand] = set()
    for op in state.post_order(root):
        if not state.is_known(op):
            continue
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES) and result.has_uses and not state.definitions.of(result):
                found.update(result.uses)
    return found
