"""Sizes of tensors and buffers as formulas, each size named once, where it comes from.

    %e = tensor.empty(%n) : tensor<?xf32>
    %u = linalg.fill ... outs(%e)            the size of %u is %n
    func.func @f(%t: tensor<?xf32>)
    %v = tensor.insert %f into %t[%i]        the size of %v is that of %t: %t.0

A dimension is followed back through operations that keep it, to a number, to the value that was given for it, or to the
value that has it first. What a loop carries has the size that it had before the loop if each iteration keeps it.
"""

from __future__ import annotations

import operator
from typing import Final

from ..dialects.common import constant_index
from ..ir.program.core import BlockArgument, OpResult, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, Size, SizedResultOp, same_size
from ..ir.source.expect import expect
from ..ir.types import types as t
from .formulas import Formula, Symbol
from .naming import symbol, value_name

INDEX_BYTES: Final = 8
"""Bytes of an `index` on the 64-bit machines that bufferized code runs on."""

MAX_NESTING: Final = 24
"""Loops inside loops that a size is followed through, and operations on indices inside each other."""

DIMS: Final = frozenset(("tensor.dim", "memref.dim"))
ARITHMETIC: Final = {"arith.addi": operator.add, "arith.subi": operator.sub, "arith.muli": operator.mul}


def element_bytes(element: t.Type) -> int:
    """Bytes of one element in memory, sub-byte ones rounded up to a byte."""
    if isinstance(element, t.ComplexType):
        return 2 * element_bytes(element.element)
    if isinstance(element, t.IndexType):
        return INDEX_BYTES
    if isinstance(element, t.VectorType):
        return (element.num_elements or 1) * element_bytes(element.element)
    return max(1, (getattr(element, "width", 8) + 7) // 8)


class Sizes:
    """The sizes of the values of one program, each looked up once. The program must not change."""

    def __init__(self) -> None:
        self._dims: dict[tuple[Value, int], Formula] = {}
        self._depth = 0

    def bytes_of(self, type: t.Type, value: Value | None = None) -> Formula:
        """The bytes of a buffer of a type. Sizes that it does not know are those of `value`, which has as many dimensions.

        Where no such value is given, or nobody knows the rank, the whole size is one symbol.
        """
        shape = getattr(type, "shape", None)
        if shape is None:
            name = f"size({value_name(value)})" if value is not None else f"size({type})"
            return Formula.of(Symbol(name, value if value is not None else type, scope_of(value)))
        factor = element_bytes(expect(t.ShapedType, type).element)
        unknown: list[int] = []
        for i, extent in enumerate(shape):
            if extent is None:
                unknown.append(i)
            else:
                factor *= extent
        total = Formula.of(factor)
        for i in unknown:
            total = total * self._unknown(type, value, i)
        return total

    def _unknown(self, type: t.Type, value: Value | None, position: int) -> Formula:
        if value is None or len(getattr(value.type, "shape", None) or ()) != expect(t.ShapedType, type).rank:
            name = f"size({value_name(value)}).{position}" if value is not None else f"?.{position}"
            return Formula.of(Symbol(name, (value or type, position), scope_of(value)))
        return self.dim(value, position)

    def dim(self, value: Value, position: int) -> Formula:
        """One dimension of a ranked value. Amortised O(operations followed)."""
        followed: list[tuple[Value, int]] = []
        while True:
            known = self._dims.get((value, position))
            if known is not None:
                break
            followed.append((value, position))
            step = self._step(value, position)
            if isinstance(step, Formula):
                known = step
                break
            value, position = step
        for place in followed:
            self._dims[place] = known
        return known

    def _step(self, value: Value, position: int) -> Formula | tuple[Value, int]:
        """The dimension, or the value and dimension that it is equal to."""
        shape = getattr(value.type, "shape", None)
        if shape is None or position >= len(shape):
            return _first(value, position)
        extent = shape[position]
        if extent is not None:
            return Formula.of(extent)
        if isinstance(value, BlockArgument):
            return self._of_argument(value, position)
        assert isinstance(value, OpResult)
        op = value.owner
        if op.block is None:
            return _first(value, position)  # it has been rewritten: what it was made of is gone
        known: Size = None
        if isinstance(op, LoopLikeOp) and value.index < len(op.region_iter_args):
            known = same_size(value, op.region_iter_args[value.index], position)
        elif isinstance(op, SizedResultOp):
            known = op.size_of(value, position)
        if isinstance(known, int):
            return Formula.of(known)
        if isinstance(known, Value):
            return self.index(known)
        return known or _first(value, position)

    def _of_argument(self, arg: BlockArgument, position: int) -> Formula | tuple[Value, int]:
        """What a loop carries: as before the loop, if each iteration hands on what has the size of what it got."""
        loop = arg.owner.parent_op
        if not isinstance(loop, LoopLikeOp) or self._depth >= MAX_NESTING:
            return _first(arg, position)
        carried, inits, yielded = loop.region_iter_args, loop.init_operands, loop.yielded_operands
        number = next((i for i, other in enumerate(carried) if other is arg), None)
        if number is None or number >= len(inits):
            return _first(arg, position)
        own = _first(arg, position)
        if number < len(yielded):
            self._dims[arg, position] = own
            self._depth += 1
            try:
                kept = self.dim(yielded[number]._value, position) == own
            finally:
                self._depth -= 1
                for place in [place for place, known in self._dims.items() if known is own]:
                    del self._dims[place]
            if not kept:
                return own
        return inits[number]._value, position

    def index(self, value: Value) -> Formula:
        """A number of type `index` (or an integer): sums and products are followed."""
        number = constant_index(value)
        if number is not None:
            return Formula.of(number)
        op = value.defining_op
        if op is None or self._depth >= MAX_NESTING:
            return named(value)
        if op.name in DIMS:
            position = constant_index(op.operands[1])
            source = op.operands[0]
            if position is not None and getattr(source.type, "shape", None) is not None:
                return self.dim(source, position)
            return named(value)
        self._depth += 1
        try:
            if op.name in ("arith.index_cast", "arith.index_castui"):
                return self.index(op.operands[0])
            if op.name in ARITHMETIC:
                return ARITHMETIC[op.name](self.index(op.operands[0]), self.index(op.operands[1]))
        finally:
            self._depth -= 1
        return named(value)


def named(value: Value) -> Formula:
    """A value as a symbol of its own."""
    return Formula.of(Symbol(value_name(value), value, scope_of(value)))


def _first(value: Value, position: int) -> Formula:
    """A dimension that comes from nowhere else."""
    return Formula.of(Symbol(f"{value_name(value)}.{position}", (value, position), scope_of(value)))


def scope_of(value: Value | None) -> str:
    """`@f`, the function that a value belongs to."""
    region = value.parent_region if value is not None else None
    op = region.parent_op if region is not None else None
    while op is not None and not isinstance(op, FunctionOp):
        op = op.parent_op
    return f"@{symbol(op)}" if op is not None else ""
