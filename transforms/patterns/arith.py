"""Canonicalization of `arith`: constants combined, extensions sunk, conditions inverted."""

from __future__ import annotations

import math
from typing import Final

from ...dialects import arith
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...semantics.folds.constants import constant_of, integer_of, scalar_integer
from ...semantics.folds.rules import (
    RewriteRule,
    RuleLetter,
    RuleNumber,
    RuleOperation,
    RuleTerm,
    compute_integer,
    constant_like,
    is_all_ones,
    rules_of,
    width_of,
)
from ...semantics.scalars import INTEGERS
from .. import makers
from ..rewriting.rewriter import Pattern, Rewriter

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


def _truncated_extension(op: Operation, rewriter: Rewriter) -> bool:
    """Truncating an extended value extends it less, or truncates the original."""
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


def _bits_of_bits(op: Operation, rewriter: Rewriter) -> bool:
    """Two bitcasts in a row are one."""
    inner = _made_by(op.op_operands[0].value, arith.BitcastOp)
    if inner is None:
        return False
    return rewriter.replace_with(op, arith.BitcastOp((inner.op_operands[0].value,), (op.results[0].type,)))


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
    arith.TruncIOp: (_truncated_extension, _shift_without_sign),
    arith.BitcastOp: (_bits_of_bits,),
    arith.CmpFOp: (_comparison_of_integer,),
}


def _inner(value: Value, kind: type[Operation]) -> Operation | None:
    op = value.defining_op
    return op if isinstance(op, kind) else None


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
    """,
)


def _rewritten(rule: RewriteRule) -> Pattern:
    """The pattern of a rule whose right-hand side is one operation on matched values and derived constants."""
    made = expect(RuleOperation, rule.right[0])
    kind = {
        arith.AddIOp.name: arith.AddIOp,
        arith.SubIOp.name: arith.SubIOp,
        arith.MulIOp.name: arith.MulIOp,
    }[made.name]
    below = present(next((term for term in rule.left.operands if isinstance(term, RuleOperation)), None))
    position = rule.left.operands.index(below)
    drops_flags = "C" not in rule.text or rule.text.startswith("subi(addi(x, C), D)")

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        type = op.results[0].type
        bound = rule.match(op, [constant_of(value) for value in op.operands])
        if bound is None or ("-1" in rule.text and type is t.I1):
            return False
        known = {name: constant_of(value) for name, value in bound.items() if name.isupper()}
        if not all(isinstance(constant, a.IntegerAttr) for constant in known.values()):
            return False
        operands: list[Value] = []
        for term in made.operands:
            if isinstance(term, RuleLetter):
                operands.append(bound[term.name])
                continue
            constant = _computed(term, known, type)
            if constant is None:
                return False
            operands.append(makers.constant(rewriter.before(op), constant, type))
        left, right = operands
        flags = arith.NO_OVERFLOW_FLAGS if drops_flags else _common_flags(op, _inner_at(op, position))
        return rewriter.replace_with(op, kind.build(lhs=left, rhs=right, result=type, overflow_flags=flags))

    return pattern


def _inner_at(op: Operation, position: int) -> Operation:
    return present(op.op_operands[position].value.defining_op)


def _computed(term: RuleTerm, known: dict[str, a.Attribute | None], type: t.Type) -> a.Attribute | None:
    """The constant value of a term over numbers and matched constants."""
    if isinstance(term, RuleNumber):
        return constant_like(type, term.of(0))
    if isinstance(term, RuleLetter):
        return known[term.name]
    assert isinstance(term, RuleOperation)
    return compute_integer(
        INTEGERS[term.name], type, [_computed(inner, known, type) for inner in term.operands]
    )


def _common_flags(op: Operation, other: Operation) -> a.DialectAttr:
    """The overflow flags that both operations have."""
    known = [
        {word.strip() for word in flags.parameters.split(",")}
        for flags in (op.properties.get("overflowFlags"), other.properties.get("overflowFlags"))
        if isinstance(flags, a.DialectAttr)
    ]
    words = [word for word in ("nsw", "nuw") if len(known) == 2 and all(word in flags for flags in known)]
    return a.DialectAttr("arith", f"overflow<{', '.join(words) or 'none'}>")


def _extend_after(kind: type[Operation]) -> Pattern:
    """Sink extensions of both operands of a bitwise operation below it."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        left, right = _inner(op.op_operands[0].value, kind), _inner(op.op_operands[1].value, kind)
        if left is None or right is None:
            return False
        x, y = left.op_operands[0].value, right.op_operands[0].value
        if x.type is not y.type:
            return False
        narrow = rewriter.before(op).insert(type(op)((x, y), (x.type,)))
        return rewriter.replace_with(op, kind((narrow.the_result,), (op.results[0].type,)))

    return pattern


def predicate_of(op: Operation) -> str:
    """The predicate of a comparison of integers."""
    return arith.INTEGER_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]


def _not_of_comparison(op: Operation, rewriter: Rewriter) -> bool:
    """The negation of a comparison is the opposite comparison."""
    comparison = _inner(op.op_operands[0].value, arith.CmpIOp)
    if comparison is None or not is_all_ones(constant_of(op.op_operands[1].value)):
        return False
    predicate = predicate_of(comparison)
    opposite = a.IntegerAttr(arith.INTEGER_PREDICATES.index(OPPOSITE[predicate]), t.I64)
    left, right = comparison.operands
    return rewriter.replace_with(
        op, arith.CmpIOp.build(predicate=opposite, lhs=left, rhs=right, result=op.results[0].type)
    )


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


def _comparison_of_extensions(kind: type[Operation]) -> Pattern:
    """Extended values are equal iff the originals are."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        predicate = predicate_of(op)
        left, right = _inner(op.op_operands[0].value, kind), _inner(op.op_operands[1].value, kind)
        if left is None or right is None or predicate not in ("eq", "ne"):
            return False
        x, y = left.op_operands[0].value, right.op_operands[0].value
        if x.type is not y.type:
            return False
        return rewriter.replace_with(
            op,
            arith.CmpIOp.build(predicate=op.properties["predicate"], lhs=x, rhs=y, result=op.results[0].type),
        )

    return pattern


def _select_in_branch(position: int) -> Pattern:
    """A `select` nested in a branch of a `select` on the same condition is decided."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        inner = _inner(op.op_operands[position].value, arith.SelectOp)
        if inner is None or inner.op_operands[0].value is not op.op_operands[0].value:
            return False
        values = op.operands
        values[position] = inner.op_operands[position].value
        return rewriter.replace_with(op, arith.SelectOp(values, (op.results[0].type,)))

    return pattern


def _is_not(value: Value) -> Value | None:
    negation = _inner(value, arith.XOrIOp)
    if negation is not None and is_all_ones(constant_of(negation.op_operands[1].value)):
        return negation.op_operands[0].value
    return None


def _select_by_negation(op: Operation, rewriter: Rewriter) -> bool:
    condition = _is_not(op.op_operands[0].value)
    if condition is None:
        return False
    return rewriter.replace_with(
        op,
        arith.SelectOp((condition, op.op_operands[2].value, op.op_operands[1].value), (op.results[0].type,)),
    )


def _select_of_bits(op: Operation, rewriter: Rewriter) -> bool:
    """`select c, false, true` is the negation of `c`."""
    condition, yes, no = op.operands
    type = op.results[0].type
    if getattr(type, "element", type) is not t.I1 or condition.type is not type:
        return False
    if scalar_integer(constant_of(yes)) != 0 or not is_all_ones(constant_of(no)):
        return False
    ones = constant_like(type, 1)
    if ones is None:
        return False
    true = makers.constant(rewriter.before(op), ones, type)
    return rewriter.replace_with(op, arith.XOrIOp.build(lhs=condition, rhs=true, result=type))


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


def _cast_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """An integer cast to index and back, or the reverse, is the original value."""
    inner = _inner(op.op_operands[0].value, type(op))
    if inner is None or inner.op_operands[0].value.type is not op.results[0].type:
        return False
    return rewriter.replace(op, [inner.op_operands[0].value])


def _cast_of_extension(kind: type[Operation]) -> Pattern:
    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        extension = _inner(op.op_operands[0].value, kind)
        if extension is None:
            return False
        return rewriter.replace_with(op, type(op)((extension.op_operands[0].value,), (op.results[0].type,)))

    return pattern


def _signed_extension_of_unsigned(op: Operation, rewriter: Rewriter) -> bool:
    extension = _inner(op.op_operands[0].value, arith.ExtUIOp)
    if extension is None:
        return False
    return rewriter.replace_with(op, arith.ExtUIOp((extension.op_operands[0].value,), (op.results[0].type,)))


def _negated_operands(op: Operation, rewriter: Rewriter) -> bool:
    """Drop the negations of both operands of a product or quotient."""
    left, right = _inner(op.op_operands[0].value, arith.NegFOp), _inner(op.op_operands[1].value, arith.NegFOp)
    if left is None or right is None:
        return False
    return rewriter.replace_with(
        op,
        type(op)(
            (left.op_operands[0].value, right.op_operands[0].value),
            (op.results[0].type,),
            op.attributes,
            op.properties,
        ),
    )


def _of_vectors(name: str) -> Pattern:
    """The pattern of that name for arithmetic on results of `vector` operations."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        if all(value.defining_op is None or value.defining_op.dialect != "vector" for value in op.operands):
            return False
        from . import vector

        return getattr(vector, name)(op, rewriter)

    return pattern


PATTERNS: Final[dict[type[Operation], tuple[Pattern, ...]]] = {
    arith.AddIOp: (*map(_rewritten, RULES["arith.addi"]), _of_vectors("sum_of_product")),
    arith.SubIOp: tuple(map(_rewritten, RULES["arith.subi"])),
    arith.MulIOp: tuple(map(_rewritten, RULES["arith.muli"])),
    arith.AndIOp: (_extend_after(arith.ExtUIOp), _extend_after(arith.ExtSIOp)),
    arith.OrIOp: (_extend_after(arith.ExtUIOp), _extend_after(arith.ExtSIOp)),
    arith.XOrIOp: (_extend_after(arith.ExtUIOp), _extend_after(arith.ExtSIOp), _not_of_comparison),
    arith.AddFOp: (_of_vectors("sum_of_product"),),
    arith.CmpIOp: (
        _of_vectors("comparison_of_step"),
        _comparison_of_extensions(arith.ExtSIOp),
        _comparison_of_extensions(arith.ExtUIOp),
    ),
    arith.SelectOp: (
        _select_in_branch(2),
        _select_in_branch(1),
        _select_by_negation,
        _select_of_bits,
        _select_to_extension,
    ),
    arith.IndexCastOp: (_cast_of_cast, _cast_of_extension(arith.ExtSIOp)),
    arith.IndexCastUIOp: (_cast_of_cast, _cast_of_extension(arith.ExtUIOp)),
    arith.ExtSIOp: (_signed_extension_of_unsigned,),
    **WIDE_PATTERNS,
    arith.MulFOp: (_negated_operands,),
    arith.DivFOp: (_negated_operands,),
}
