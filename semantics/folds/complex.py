"""Folds of `complex`: parts of assembled numbers, inverse functions, neutral constants."""

from __future__ import annotations

from typing import Final

from ...dialects import complex
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from . import Constants, Fold, Folded


def _bitcast(op: Operation, constants: Constants) -> Folded:
    value = op.op_operands[0].value
    return [value] if value.type is op.results[0].type else None


def _create(op: Operation, constants: Constants) -> Folded:
    """The real and imaginary part of one number assemble to that number."""
    real, imaginary = (use.value.defining_op for use in op.op_operands)
    if isinstance(real, complex.ReOp) and isinstance(imaginary, complex.ImOp):
        whole = real.op_operands[0].value
        if whole is imaginary.op_operands[0].value:
            return [whole]
    return None


def _part(position: int) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known = constants[0]
        if isinstance(known, a.ArrayAttr):
            part = known.elements[position]
            assert isinstance(part, a.Attribute)
            return [part]
        made = op.op_operands[0].value.defining_op
        return [made.op_operands[position].value] if isinstance(made, complex.CreateOp) else None

    return fold


def _undoes(other: type[Operation]) -> Fold:
    """A fold of the inverse of an `other` operation to its operand."""

    def fold(op: Operation, constants: Constants) -> Folded:
        source = op.op_operands[0].value.defining_op
        return [source.op_operands[0].value] if isinstance(source, other) else None

    return fold


def _neutral(constant: a.Attribute | None, real: float) -> bool:
    """Whether `constant` is a complex number with that real part and no imaginary part."""
    if not isinstance(constant, a.ArrayAttr):
        return False
    parts = [part.value for part in constant.elements if isinstance(part, a.FloatAttr)]
    return parts == [real, 0.0]


def _add(op: Operation, constants: Constants) -> Folded:
    left, right = op.operands
    for one, other in ((left, right), (right, left)):
        taken = _subtracted(one, other, complex.SubOp)
        if taken is not None:
            return [taken]
    return [left] if _neutral(constants[1], 0.0) else None


def _sub(op: Operation, constants: Constants) -> Folded:
    left, right = op.operands
    taken = _subtracted(left, right, complex.AddOp)
    if taken is not None:
        return [taken]
    return [left] if _neutral(constants[1], 0.0) else None


def _subtracted(one: Value, other: Value, kind: type[Operation]) -> Value | None:
    """`a`, if `one` is `a - other` or, with the other kind of operation, `a + other`."""
    made = one.defining_op
    if isinstance(made, kind) and made.op_operands[1].value is other:
        return made.op_operands[0].value
    return None


def _times_one(op: Operation, constants: Constants) -> Folded:
    return [op.op_operands[0].value] if _neutral(constants[1], 1.0) else None


FOLDS: Final[dict[type[Operation], Fold]] = {
    complex.AddOp: _add,
    complex.BitcastOp: _bitcast,
    complex.ConjOp: _undoes(complex.ConjOp),
    complex.CreateOp: _create,
    complex.DivOp: _times_one,
    complex.ExpOp: _undoes(complex.LogOp),
    complex.ImOp: _part(1),
    complex.LogOp: _undoes(complex.ExpOp),
    complex.MulOp: _times_one,
    complex.NegOp: _undoes(complex.NegOp),
    complex.ReOp: _part(0),
    complex.SubOp: _sub,
}
