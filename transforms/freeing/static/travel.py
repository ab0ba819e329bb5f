"""Letting truth values travel: arguments of blocks and regions, and results of operations with regions.

    ^bb3(%m: memref<4xf32>)            =>  ^bb3(%m: memref<4xf32>, %owned: i1)
    %r = scf.for ... iter_args(%x = %a) =>  %r:2 = scf.for ... iter_args(%x = %a, %owned = %false)

At an operation with regions, what one operand feeds goes together: the initial value of a loop feeds the argument of its
body and its result. A *slot* is one such operand list position; variables share it if they agree on every way they share.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from ....analysis.control_flow import region_exits
from ....analysis.freeing.equations import Equations
from ....analysis.freeing.flow import CARRYING, EXTENSIBLE, Passage
from ....analysis.freeing.plan import Travelling
from ....dialects import scf
from ....dialects._described import DescribedBranchOp
from ....ir.declaration.declare import OPERAND_SEGMENTS
from ....ir.program.builder import Builder
from ....ir.program.core import Block, Operation, OpResult, Value
from ....ir.program.interfaces import BranchOp, FunctionOp
from ....ir.source.diagnostics import PassFailed, error
from ....ir.types import types as t
from ....ir.types.attributes import DenseArrayAttr
from ...rewriting.operands import append_successor_operands
from .formulas import Formulas
from .places import add_otherwise, split_described


@dataclass(slots=True)
class _Slot:
    """One more operand for each of several lists, and what it becomes: at blocks (of regions) or as a result."""

    variables: dict[Block | None, Travelling] = field(default_factory=dict)
    formulas: dict[Operation, int] = field(default_factory=dict)


class Travel:
    """Gives each variable that formulas depend on a value, and feeds it."""

    def __init__(
        self, function: FunctionOp, equations: Equations, variables: dict[Hashable, Travelling]
    ) -> None:
        self._equations = equations
        self._variables = variables
        self._values: dict[Hashable, Value] = {}
        self._behind_described: dict[Passage, BranchOp] = {}
        self._flags = equations.flags
        self.formulas = Formulas(function, self._flags, self._values.__getitem__)

    def carry(self, formulas: Iterable[int]) -> int:
        """Make all travel that `formulas` depend on, directly or not; how many new values that takes. O(variables).

        Raises:
            PassFailed: it would have to travel through an operation that nothing can be added to.
        """
        needed = sorted(self._equations.needed_for(formulas, self._variables), key=_order)
        at_blocks: list[Travelling] = []
        at_operations: dict[Operation, list[Travelling]] = {}
        for variable in needed:
            around = variable.stretch.behind
            if around is None and variable.stretch.block.is_entry:
                around = variable.stretch.block.parent_op
            if around is None:
                at_blocks.append(variable)
                self._values[variable.name] = variable.stretch.block.add_argument(t.I1)
            elif around.name not in EXTENSIBLE:
                problem = error("which buffers are owned here is known only at run time", around.name_span)
                problem.attach("this operation cannot be given a truth value to carry", around.name_span)
                raise PassFailed(problem, operation=around)
            else:
                at_operations.setdefault(around, []).append(variable)
        slots = {op: self._slots(op, found) for op, found in at_operations.items()}
        made = {op: self._open(op, found) for op, found in slots.items()}
        for variable in at_blocks:
            for passage, formula, given in variable.ways:
                self._feed_block(passage, self._equations.value(formula, given))
        for op, found in slots.items():
            self._fill(op, found)
        return len(at_blocks) + sum(made.values())

    def _feed_block(self, passage: Passage, formula: int) -> None:
        op = passage.source.last
        assert isinstance(op, BranchOp)
        assert passage.successor is not None
        value = self.formulas.write(formula, Builder.before(op))
        if isinstance(op, DescribedBranchOp):
            branch = self._behind_described.get(passage)
            if branch is None:
                branch = self._behind_described[passage] = split_described(passage)
            append_successor_operands(branch, 0, [value])
        else:
            append_successor_operands(op, passage.successor, [value])

    # -- operations with regions

    def _slots(self, op: Operation, variables: list[Travelling]) -> list[_Slot]:
        slots: list[_Slot] = []
        past = None  # what passes on the way past a conditional that has one region only
        if op.name in ("scf.if", "affine.if") and op.regions[1].is_empty:
            past = add_otherwise(op)
        for variable in variables:
            place = None if variable.stretch.behind is op else variable.stretch.block
            formulas: dict[Operation, int] = {}
            for passage, formula, given in variable.ways:
                source = passage.source.last
                assert source is not None
                if source is op and past is not None:
                    source = past
                formulas[source] = self._equations.value(formula, given)
            slot = next((s for s in slots if _fits(op, s, place, formulas)), None)
            if slot is None:
                slot = _Slot()
                slots.append(slot)
            slot.variables[place] = variable
            slot.formulas.update(formulas)
        return slots

    def _open(self, op: Operation, slots: list[_Slot]) -> int:
        """Add the arguments and results."""
        for slot in slots:
            inputs, _ = _lists(op, next(iter(slot.variables)))
            for place in inputs:
                if place is None:
                    value: Value = OpResult(op, len(op.results), t.I1)
                    op.results.append(value)  # pyright: ignore[reportArgumentType]
                else:
                    value = place.add_argument(t.I1)
                variable = slot.variables.get(place)
                if variable is not None:
                    self._values[variable.name] = value
        return len(slots)

    def _fill(self, op: Operation, slots: list[_Slot]) -> None:
        """Pass the operands."""
        for slot in slots:
            _, sources = _lists(op, next(iter(slot.variables)))
            for source in sources:
                value = self.formulas.write(slot.formulas.get(source, 0), Builder.before(source))
                source.insert_operands(len(source.op_operands), [value])
                sizes = source.properties.get(OPERAND_SEGMENTS)
                if isinstance(sizes, DenseArrayAttr):
                    grown = (*sizes.values[:-1], sizes.values[-1] + 1)
                    source.properties[OPERAND_SEGMENTS] = DenseArrayAttr(t.I32, grown)


def _fits(op: Operation, slot: _Slot, place: Block | None, formulas: dict[Operation, int]) -> bool:
    """Whether a variable at `place` can share a slot: the same lists, and the same formulas where both are fed."""
    inputs, _ = _lists(op, next(iter(slot.variables)))
    return (
        place in inputs
        and place not in slot.variables
        and all(slot.formulas.get(source, formula) == formula for source, formula in formulas.items())
    )


def _lists(op: Operation, place: Block | None) -> tuple[list[Block | None], list[Operation]]:
    """What is fed together with `place` (the entry block of a region, None for the results), and by which operations."""
    exits = [end for region in op.regions for end in region_exits(region)]
    if isinstance(op, scf.WhileOp):
        before, after = (region.entry for region in op.regions)
        if place is before:
            return [before], [op, *region_exits(op.regions[1])]
        return [after, None], region_exits(op.regions[0])
    if op.name in CARRYING:
        return [op.regions[0].entry, None], [op, *exits]
    if op.name == "test.region_if":
        then, otherwise, join = op.regions
        if place is join.entry:
            return [place], [*region_exits(then), *region_exits(otherwise)]
        if place is None:
            return [None], region_exits(join)
        return [then.entry, otherwise.entry], [op]
    return [None], exits


def _order(variable: Travelling) -> tuple[int, tuple[int, int], int, int]:
    holder, other = variable.holder, variable.other
    assert holder is not None
    return variable.stretch.rank, holder.order, holder.bit, other.bit if other is not None else -1
