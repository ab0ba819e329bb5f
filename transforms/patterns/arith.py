"""Canonicalization of `arith`: constants combined, extensions sunk, conditions inverted."""

from __future__ import annotations

import math
from typing import Final

from ...dialects import arith
from ...ir.defects import NARROW_CASTS
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...semantics.folds import constant_of, integer_of, scalar_integer
from ...semantics.folds.rules import RewriteRule, RuleOperation, constant_like, rules_of, width_of
from .. import makers
from ..rewriting.rewriter import Pattern, Rewriter
from .by_rules import by_rules

# -- conversions between widths and kinds of numbers: extended products, truncations, floats of integers


def _made_by(value: Value, kind: type[Operation]) -> Operation | None:
    op = value.defining_op
    return op if isinstance(op, kind) else None


# -- sums and products with extended results


def _lower_half_only(kind: type[Operation]):
    """Use the ordinary operation if the upper half of the result is unused."""

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
    """The upper half of a signed product with one is the sign, in every bit."""
    left, right = op.operands
    type = op.results[0].type
    if scalar_integer(constant_of(right)) != 1 or width_of(type) == 1:
        return False
    zero, flags = constant_like(type, 0), arith.i1_like(type)
    if zero is None or flags is None:
        return False
    at = rewriter.before(op)
    none = makers.constant(at, zero, type)
    less = a.IntegerAttr(arith.INTEGER_PREDICATES.index("slt"), t.I64)
    negative = at.insert(arith.CmpIOp.build(predicate=less, lhs=left, rhs=none, result=flags))
    sign = at.insert(arith.ExtSIOp((negative.results[0],), (type,)))
    return rewriter.replace(op, [left, sign.the_result])


# -- truncation


def _shift_without_sign(op: Operation, rewriter: Rewriter) -> bool:
    """An arithmetic shift becomes a logical one if the truncation discards the bits shifted in."""
    shift = _made_by(op.op_operands[0].value, arith.ShRSIOp)
    if shift is None:
        return False
    distance = integer_of(shift.op_operands[1].value)
    wide, narrow = width_of(shift.results[0].type), width_of(op.results[0].type)
    if distance is None or wide is None or narrow is None or wide - narrow != distance:
        return False
    at = rewriter.before(op)
    value = present(constant_of(shift.op_operands[1].value))
    # as mlir-opt does, not shared: the position of a constant follows from where it was created
    again = makers.constant(at, value, shift.results[0].type)
    unsigned = at.insert(arith.ShRUIOp.build(
        lhs=shift.op_operands[0].value, rhs=again, result=shift.results[0].type
    ))  # fmt: skip
    return rewriter.replace_with(
        op, arith.TruncIOp((unsigned.results[0],), (op.results[0].type,), None, op.properties)
    )


# -- floats of integers


def _comparison_of_integer(op: Operation, rewriter: Rewriter) -> bool:
    """Compare the integer instead of its conversion to float, with a suitably rounded constant.

    Not if the conversion may round: the integer has more bits than the significand, and the constant lies in the
    range of the rounded values.
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
        if nearest != number:  # a fraction: the next integer below or above decides equally
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
    constant = makers.constant(at, nearest, type)
    code = a.IntegerAttr(arith.INTEGER_PREDICATES.index(comparison), t.I64)
    new = arith.CmpIOp.build(predicate=code, lhs=integer, rhs=constant, result=t.I1)
    return rewriter.replace_with(op, new)


WIDE_PATTERNS: Final = {
    arith.AddUIExtendedOp: (_lower_half_only(arith.AddIOp),),
    arith.MulSIExtendedOp: (_lower_half_only(arith.MulIOp), _times_one),
    arith.MulUIExtendedOp: (_lower_half_only(arith.MulIOp),),
    arith.CmpFOp: (_comparison_of_integer,),
}


OPPOSITE: Final = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sge",
    "sge": "slt",
    "sle": "sgt",
    "sgt": "sle",
    "ult": "uge",
    "uge": "ult",
    "ule": "ugt",
    "ugt": "ule",
}

RULES: Final = rules_of(
    "arith",
    """
    addi(addi(x, C), D) => addi(x, addi(C, D))
    addi(subi(x, C), D) => addi(x, subi(D, C))
    addi(subi(C, x), D) => subi(addi(C, D), x)
    addi(x, muli(y, -1)) => subi(x, y)
    addi(muli(y, -1), x) => subi(x, y)
    subi(addi(x, C), D) => addi(x, subi(C, D))
    subi(D, addi(x, C)) => subi(subi(D, C), x)
    subi(subi(x, C), D) => subi(x, addi(C, D))
    subi(subi(C, x), D) => subi(subi(C, D), x)
    subi(D, subi(x, C)) => subi(addi(C, D), x)
    subi(D, subi(C, x)) => addi(x, subi(D, C))
    subi(subi(x, y), x) => subi(0, y)
    muli(muli(x, C), D) => muli(x, muli(C, D))
    andi(extui(x), extui(y)) => extui(andi(x, y))
    andi(extsi(x), extsi(y)) => extsi(andi(x, y))
    ori(extui(x), extui(y)) => extui(ori(x, y))
    ori(extsi(x), extsi(y)) => extsi(ori(x, y))
    xori(extui(x), extui(y)) => extui(xori(x, y))
    xori(extsi(x), extsi(y)) => extsi(xori(x, y))
    extsi(extui(x)) => extui(x)
    trunci(extsi(x)) => extsi(x)            # if the result is wider than x
    trunci(extui(x)) => extui(x)
    select(c, x, select(c, y, z)) => select(c, x, z)
    select(c, select(c, x, y), z) => select(c, x, z)
    select(xori(c, -1), x, y) => select(c, y, x)
    select(c, 0, -1) => xori(c, 1)          # if these are bits as c is
    cmpi:eq(extsi(x), extsi(y)) => cmpi:eq(x, y)
    cmpi:ne(extsi(x), extsi(y)) => cmpi:ne(x, y)
    cmpi:eq(extui(x), extui(y)) => cmpi:eq(x, y)
    cmpi:ne(extui(x), extui(y)) => cmpi:ne(x, y)
    index_cast(extsi(x)) => index_cast(x)
    index_castui(extui(x)) => index_castui(x)
    bitcast(bitcast(x)) => bitcast(x)
    mulf(negf(x), negf(y)) => mulf(x, y)
    divf(negf(x), negf(y)) => divf(x, y)
    """
    + "\n".join(f"xori(cmpi:{one}(x, y), -1) => cmpi:{other}(x, y)" for one, other in OPPOSITE.items()),
)


def _with_flags(rule: RewriteRule) -> Pattern:
    """The pattern of a rule of sums or products; it keeps the overflow flags that both operations have, or none."""
    position = next(i for i, term in enumerate(rule.left.operands) if isinstance(term, RuleOperation))
    drops = "C" not in rule.text or rule.text.startswith("subi(addi(x, C), D)")

    def flags(op: Operation) -> dict[str, a.Attribute]:
        both = (op, present(op.op_operands[position].value.defining_op))
        words = [
            set(str(each.properties.get("overflowFlags")).strip(">").partition("<")[2].split(", "))
            for each in both
        ]
        kept = [word for word in ("nsw", "nuw") if not drops and all(word in given for given in words)]
        return {"overflowFlags": a.DialectAttr("arith", f"overflow<{', '.join(kept) or 'none'}>")}

    pattern = by_rules([rule], flags)
    if "-1" not in rule.text:
        return pattern
    return lambda op, rewriter: op.results[0].type is not t.I1 and pattern(op, rewriter)


def _select_to_extension(op: Operation, rewriter: Rewriter) -> bool:
    """`select c, 1, 0` extends `c`; `select c, 0, 1` its negation."""
    condition, yes, no = op.operands
    type = op.results[0].type
    if not isinstance(type, t.IntegerType) or type.width == 1 or condition.type is not t.I1:
        return False
    chosen = (scalar_integer(constant_of(yes)), scalar_integer(constant_of(no)))
    if chosen == (0, 1):
        true = makers.constant(rewriter.before(op), a.TRUE, t.I1)
        condition = (
            rewriter.before(op).insert(arith.XOrIOp.build(lhs=condition, rhs=true, result=t.I1)).the_result
        )
    elif chosen != (1, 0):
        return False
    return rewriter.replace_with(op, arith.ExtUIOp((condition,), (type,)))


def _cast_back(op: Operation, rewriter: Rewriter) -> bool:
    """An integer cast to index and back, or the reverse, is the original value, unless the type between is narrower."""
    inner = _made_by(op.op_operands[0].value, type(op))
    if inner is None or inner.op_operands[0].value.type is not op.results[0].type:
        return False
    between, outside = (width_of(value.type) or 0 for value in (inner.results[0], op.results[0]))
    if between < outside and NARROW_CASTS not in rewriter.mirrored:
        return False
    return rewriter.replace(op, [inner.op_operands[0].value])


def _of_vectors(name: str) -> Pattern:
    """The pattern of that name for arithmetic on results of `vector` operations."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        if all(value.defining_op is None or value.defining_op.dialect != "vector" for value in op.operands):
            return False
        from . import vector

        return getattr(vector, name)(op, rewriter)

    return pattern


PATTERNS: Final[dict[type[Operation], tuple[Pattern, ...]]] = {
    arith.AddIOp: (*map(_with_flags, RULES["arith.addi"]), _of_vectors("sum_of_product")),
    arith.SubIOp: tuple(map(_with_flags, RULES["arith.subi"])),
    arith.MulIOp: tuple(map(_with_flags, RULES["arith.muli"])),
    arith.AndIOp: (by_rules(RULES["arith.andi"]),),
    arith.OrIOp: (by_rules(RULES["arith.ori"]),),
    arith.XOrIOp: (by_rules(RULES["arith.xori"]),),
    arith.AddFOp: (_of_vectors("sum_of_product"),),
    arith.CmpIOp: (_of_vectors("comparison_of_step"), by_rules(RULES["arith.cmpi"])),
    arith.SelectOp: (by_rules(RULES["arith.select"]), _select_to_extension),
    arith.IndexCastOp: (_cast_back, by_rules(RULES["arith.index_cast"])),
    arith.IndexCastUIOp: (_cast_back, by_rules(RULES["arith.index_castui"])),
    arith.ExtSIOp: (by_rules(RULES["arith.extsi"]),),
    arith.TruncIOp: (by_rules(RULES["arith.trunci"]), _shift_without_sign),
    arith.BitcastOp: (by_rules(RULES["arith.bitcast"]),),
    arith.MulFOp: (by_rules(RULES["arith.mulf"]),),
    arith.DivFOp: (by_rules(RULES["arith.divf"]),),
    **WIDE_PATTERNS,
}
