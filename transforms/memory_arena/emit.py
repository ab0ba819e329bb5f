"""Writing a layout into a program: constants where places are known, else arithmetic from the sizes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...analysis.memory_plan.layout import Amount, Layout
from ...dialects import arith, memref
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, Value
from ...ir.types import types as t
from ..bufferize import make


class Arithmetic:
    """Sums, products and maxima of `index` values at one place of the program; constants are made once.

    Attributes:
        builder: the place.
        copies: values of the program, and what they are called here.
        doubtful: extents that may be negative, since no allocation with them need be reached; then they count as 0.
    """

    def __init__(self, builder: Builder, copies: dict[Value, Value], doubtful: Collection[Value]) -> None:
        self.builder = builder
        self.copies = copies
        self.doubtful = doubtful
        self._constants: dict[int, Value] = {}

    def constant(self, number: int) -> Value:
        if number not in self._constants:
            self._constants[number] = self.builder.insert(make.constant_index(number)).results[0]
        return self._constants[number]

    def binary(self, kind: type[Operation], left: Value, right: Value) -> Value:
        return self.builder.insert(kind((left, right), (t.INDEX,))).results[0]

    def amount(self, amount: Amount) -> Value:
        """The bytes of an item."""
        found = self.constant(amount.factor)
        for extent in amount.extents:
            value = self.copy(extent)
            if extent in self.doubtful:
                value = self.binary(arith.MaxSIOp, value, self.constant(0))
            found = self.binary(arith.MulIOp, found, value)
        return found

    def rounded_up(self, offset: Value, alignment: int) -> Value:
        """The least multiple of `alignment` that is not below `offset`."""
        if alignment == 1:
            return offset
        raised = self.binary(arith.AddIOp, offset, self.constant(alignment - 1))
        whole = self.binary(arith.DivUIOp, raised, self.constant(alignment))
        return self.binary(arith.MulIOp, whole, self.constant(alignment))

    def copy(self, value: Value) -> Value:
        """`value`, computed here from the arguments of the function (`is_known_at_entry`)."""
        waiting = [value]
        while waiting:
            current = waiting[-1]
            if current in self.copies:
                waiting.pop()
                continue
            op = current.defining_op
            assert op is not None
            missing = [operand for operand in op.operands if operand not in self.copies]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            clone = self.builder.insert(op.clone(self.copies))
            self.copies.update(zip(op.results, clone.results, strict=True))
        return self.copies[value]


def is_known_at_entry(value: Value, entry: Block, known: dict[Value, bool]) -> bool:
    """Whether a value can be computed from the arguments of a function alone. Answers are kept in `known`."""
    waiting = [value]
    while waiting:
        current = waiting[-1]
        if current in known:
            waiting.pop()
            continue
        op = current.defining_op
        if op is None:
            known[current] = isinstance(current, BlockArgument) and current.owner is entry
        elif op.regions or not (op.has_trait(tr.PURE) or isinstance(op, memref.DimOp)):
            known[current] = False
        else:
            missing = [operand for operand in op.operands if operand not in known]
            if missing:
                waiting += missing
                continue
            known[current] = all(known[operand] for operand in op.operands)
        waiting.pop()
    return known[value]


def offsets(layout: Layout, at: Arithmetic) -> list[Value]:
    """The offset of each item, as a value."""
    found: dict[int, Value] = {}
    ends: dict[int, Value] = {}
    for i in layout.order:
        item = layout.items[i]
        if item.offset is not None:
            found[i] = at.constant(item.offset)
            continue
        found[i] = at.rounded_up(_highest(layout, item.below, found, ends, at), item.alignment)
    return [found[i] for i in range(len(layout.items))]


def size(layout: Layout, places: list[Value], at: Arithmetic) -> Value:
    """The bytes of the arena, as a value."""
    if layout.size is not None:
        return at.constant(layout.size)
    return _highest(layout, layout.tops, dict(enumerate(places)), {}, at)


def _highest(
    layout: Layout, items: list[int], places: Mapping[int, Value], ends: dict[int, Value], at: Arithmetic
) -> Value:
    """The highest end of some items: one number for those that are known, the others compared at run time."""
    known: int | None = None
    found: Value | None = None
    for i in items:
        item = layout.items[i]
        if item.offset is not None and item.amount.static is not None:
            known = max(known or 0, item.offset + item.amount.static)
            continue
        if i not in ends:
            ends[i] = at.binary(arith.AddIOp, places[i], at.amount(item.amount))
        found = ends[i] if found is None else at.binary(arith.MaxUIOp, found, ends[i])
    if found is None:
        return at.constant(known or 0)
    return found if not known else at.binary(arith.MaxUIOp, found, at.constant(known))
