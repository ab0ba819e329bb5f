"""Canonicalization of `arith` where widths and kinds of numbers change: wide products, truncations, floats of integers."""

from __future__ import annotations

import math
from typing import Final

from ...dialects import arith
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import constant_of, integer_of, scalar_integer
from ...semantics.folds.elementwise import constant_like, width_of
from ..rewriting.rewriter import Rewriter


def _made_by(value: Value, kind: type[Operation]) -> Operation | None:
    op = value.defining_op
    return op if isinstance(op, kind) else None


# -- products and sums of twice the width


def _lower_half_only(kind: type[Operation]):
    """If nobody wants the upper half, the ordinary operation does."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        if op.results[1].has_uses:
            return False
        left, right = op.operands
        new = kind.build(lhs=left, rhs=right, result=op.results[0].type)
        rewriter.before(op).insert(new)
        rewriter.replace_uses(op.results[0], new.results[0])
        return rewriter.erase(op)

    return pattern


def _times_one(op: Operation, rewriter: Rewriter) -> bool:
    """The upper half of a number times one is its sign, everywhere."""
    left, right = op.operands
    type = op.results[0].type
    if scalar_integer(constant_of(right)) != 1 or width_of(type) == 1:
        return False
    zero, flags = constant_like(type, 0), arith.i1_like(type)
    if zero is None or flags is None:
        return False
    at = rewriter.before(op)
    none = at.insert(arith.ConstantOp.build(value=zero, result=type)).the_result
    less = a.IntegerAttr(arith.INTEGER_PREDICATES.index("slt"), t.I64)
    negative = at.insert(arith.CmpIOp.build(predicate=less, lhs=left, rhs=none, result=flags))
    sign = at.insert(arith.ExtSIOp((negative.results[0],), (type,)))
    return rewriter.replace(op, [left, sign.the_result])


# -- truncation


def _truncated_extension(op: Operation, rewriter: Rewriter) -> bool:
    """Extending and then cutting off less is extending less."""
    for kind in (arith.ExtSIOp, arith.ExtUIOp):
        extension = _made_by(op.op_operands[0].value, kind)
        if extension is None:
            continue
        source = extension.op_operands[0].value
        before, after = width_of(source.type), width_of(op.results[0].type)
        if before is None or after is None or before >= after:
            return False
        return rewriter.replace_with(op, kind((source,), (op.results[0].type,)))
    return False


def _shift_without_sign(op: Operation, rewriter: Rewriter) -> bool:
    """What a shift fills with does not matter where it is cut off."""
    shift = _made_by(op.op_operands[0].value, arith.ShRSIOp)
    if shift is None:
        return False
    distance = integer_of(shift.op_operands[1].value)
    wide, narrow = width_of(shift.results[0].type), width_of(op.results[0].type)
    if distance is None or wide is None or narrow is None or wide - narrow != distance:
        return False
    at = rewriter.before(op)
    value = constant_of(shift.op_operands[1].value)
    assert value is not None
    # a constant of its own, as in mlir-opt: where constants stand follows from where they were made
    again = at.insert(arith.ConstantOp((), (shift.results[0].type,), None, {"value": value}))
    unsigned = at.insert(arith.ShRUIOp.build(
        lhs=shift.op_operands[0].value, rhs=again.results[0], result=shift.results[0].type
    ))  # fmt: skip
    return rewriter.replace_with(
        op, arith.TruncIOp((unsigned.results[0],), (op.results[0].type,), None, op.properties)
    )


def _bits_of_bits(op: Operation, rewriter: Rewriter) -> bool:
    """Bits read as a second type after a first are read as the second."""
    inner = _made_by(op.op_operands[0].value, arith.BitcastOp)
    if inner is None:
        return False
    return rewriter.replace_with(op, arith.BitcastOp((inner.op_operands[0].value,), (op.results[0].type,)))


# -- floats of integers


def _comparison_of_integer(op: Operation, rewriter: Rewriter) -> bool:
    """An integer made a float compares with a constant as the integer itself does with a nearby integer.

    Not where the float may have lost bits that matter: where the integer has more bits than the significand, and the
    constant lies among the numbers that were rounded.
    """
    bound = constant_of(op.op_operands[1].value)
    made = op.op_operands[0].value.defining_op
    if not isinstance(bound, a.FloatAttr) or not isinstance(made, (arith.SIToFPOp, arith.UIToFPOp)):
        return False
    number, integer = bound.value, made.op_operands[0].value
    type = integer.type
    if math.isnan(number) or not isinstance(type, t.IntegerType):
        return False
    signed = isinstance(made, arith.SIToFPOp)
    form = bound.type.format
    bits = type.width - signed
    if type.width > form.precision:
        if math.isinf(number):
            if form.max_exponent < bits:
                return False
        elif number and form.precision <= math.frexp(number)[1] - 1 <= bits:
            return False
    predicate = arith.FLOAT_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]
    if predicate in ("false", "true"):
        return False
    decided: bool | None = None
    comparison = predicate[1:]
    low, high = (-(1 << bits), (1 << bits) - 1) if signed else (0, (1 << bits) - 1)
    nearest = 0
    if predicate in ("ord", "uno"):
        decided = predicate == "ord"
    elif number > a.FloatAttr(float(high), bound.type).value:
        decided = comparison in ("ne", "lt", "le")
    elif number < a.FloatAttr(float(low), bound.type).value:
        decided = comparison in ("ne", "gt", "ge")
    else:
        nearest = math.trunc(number)
        if not low <= nearest <= high:
            return False
        if nearest != number:  # a fraction: the integer below, or above, is as good
            negative = number < 0
            if comparison in ("eq", "ne"):
                decided = comparison == "ne"
            elif negative and not signed:
                decided = comparison in ("gt", "ge")
            elif comparison in ("lt", "le"):
                comparison = "lt" if negative else "le"
            else:
                comparison = "ge" if negative else "gt"
    if decided is not None:
        constant = arith.ConstantOp.build(value=a.bool_attr(decided), result=t.I1)
        return rewriter.replace_with(op, constant)
    if comparison not in ("eq", "ne"):
        comparison = ("s" if signed else "u") + comparison
    at = rewriter.before(op)
    constant = at.insert(arith.ConstantOp.build(value=a.IntegerAttr(nearest, type), result=type))
    code = a.IntegerAttr(arith.INTEGER_PREDICATES.index(comparison), t.I64)
    new = arith.CmpIOp.build(predicate=code, lhs=integer, rhs=constant.the_result, result=t.I1)
    return rewriter.replace_with(op, new)


WIDE_PATTERNS: Final = {
    arith.AddUIExtendedOp: (_lower_half_only(arith.AddIOp),),
    arith.MulSIExtendedOp: (_lower_half_only(arith.MulIOp), _times_one),
    arith.MulUIExtendedOp: (_lower_half_only(arith.MulIOp),),
    arith.TruncIOp: (_truncated_extension, _shift_without_sign),
    arith.BitcastOp: (_bits_of_bits,),
    arith.CmpFOp: (_comparison_of_integer,),
}
