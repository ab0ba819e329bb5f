"""Folds of `arith`: constant folding, neutral and absorbing elements, inverse operations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ...dialects import arith
from ...dialects._described import FASTMATH_CASES
from ...dialects.arith import FLOAT_PREDICATES, INTEGER_PREDICATES
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import expect
from ...ir.source.records import replace
from ...ir.types import attributes as a, types as t
from ..scalars import EXTENDED, INTEGERS, PREDICATES, as_signed, as_unsigned, floats_compare
from . import IN_PLACE, Constants, Fold, Folded, scalar_integer
from .rules import (
    MAX_ELEMENTS,
    SHAPED,
    choose_elements,
    compute_float,
    compute_integer,
    fold_by,
    passing_poison,
    rules_of,
    width_of,
)

# -- conversions and comparisons of constant floats, and extrema. A conversion is folded only if it is lossless: floats
# converted to integers must be in range, narrower floats must be exact.


EXACT_INTEGERS: Final = 1 << 53
"""Integers up to here are exact in double precision, in which conversions are computed."""

Conversion = Callable[[Any, t.Type, t.Type], int | float | None]
"""Converts a number of one type to another; None if it has no value there."""


def _converted(convert: Conversion) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known, type = constants[0], op.results[0].type
        source = getattr(op.operands[0].type, "element", op.operands[0].type)
        target = type.element if isinstance(type, SHAPED) else type
        if any(isinstance(one, t.FloatType) and one.width > 64 for one in (source, target)):
            return None
        if isinstance(known, a.IntegerAttr | a.FloatAttr):
            number = convert(known.value, source, target)
            if number is None:
                return None
            if isinstance(target, t.FloatType):
                return [a.FloatAttr(number, target)]
            return [a.IntegerAttr(int(number), target)] if isinstance(target, t.IntegerType) else None
        if not isinstance(known, a.DenseElementsAttr) or not isinstance(type, SHAPED):
            return None
        if not type.has_static_shape or (not known.is_splat and known.num_elements > MAX_ELEMENTS):
            return None
        numbers = [
            convert(value, source, target)
            for value in ([known.splat_value] if known.is_splat else known.values())
        ]
        return None if None in numbers else [a.DenseElementsAttr.from_values(type, numbers)]

    return fold


def _from_integer(signed: bool) -> Conversion:
    def convert(number: int, source: t.Type, target: t.Type) -> float | None:
        number = (as_signed if signed else as_unsigned)(number, width_of(source) or 64)
        return float(number) if abs(number) <= EXACT_INTEGERS else None

    return convert


def _to_integer(signed: bool) -> Conversion:
    def convert(number: float, source: t.Type, target: t.Type) -> int | None:
        width = width_of(target)
        if width is None or not math.isfinite(number):
            return None
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
        return int(number) if low <= int(number) < high else None

    return convert


def _wider(number: float, source: t.Type, target: t.Type) -> float | None:
    return number if math.isfinite(number) else None


def _narrower(number: float, source: t.Type, target: t.Type) -> float | None:
    if not isinstance(target, t.FloatType) or math.isinf(number):
        return None
    if math.isnan(number):
        return math.nan
    return number if a.FloatAttr(number, target).value == number else None


def _extf(op: Operation, constants: Constants) -> Folded:
    """Extension of a truncation is the original if both steps allow contraction."""
    inner = op.op_operands[0].value.defining_op
    if inner is not None and inner.name == "arith.truncf":
        source = inner.op_operands[0].value
        both = "contract" in fastmath_flags(op) and "contract" in fastmath_flags(inner)
        if both and source.type is op.results[0].type:
            return [source]
    return _converted(_wider)(op, constants)


def _truncf(op: Operation, constants: Constants) -> Folded:
    """Truncation of an extension: the original value, or a truncation of it."""
    inner = op.op_operands[0].value.defining_op
    if inner is not None and inner.name == "arith.extf":
        source, type = inner.op_operands[0].value, op.results[0].type
        if source.type is type:
            return [source]
        before, after = (getattr(x, "element", x) for x in (source.type, type))
        if isinstance(before, t.FloatType) and isinstance(after, t.FloatType) and before.width > after.width:
            op.op_operands[0].value = source
            return IN_PLACE
    return _converted(_narrower)(op, constants)


def _cmpf(op: Operation, constants: Constants) -> Folded:
    predicate = FLOAT_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]
    left, right = constants
    if _is_nan(left):  # the right operand does not matter
        right = left
    elif _is_nan(right):
        left = right
    if not isinstance(left, a.FloatAttr) or not isinstance(right, a.FloatAttr) or left.type.width > 64:
        return None
    return [a.bool_attr(floats_compare(predicate, left.value, right.value))]


def _is_nan(attribute: a.Attribute | None) -> bool:
    return isinstance(attribute, a.FloatAttr) and math.isnan(attribute.value)


def fastmath_flags(op: Operation) -> frozenset[str]:
    """The set of `fastmath` flags, with `fast` expanded."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, a.DialectAttr):
        return frozenset()
    words = frozenset(word.strip() for word in flags.parameters.split(","))
    return frozenset(FASTMATH_CASES) if "fast" in words else words


def extremum(least: bool, spreads_nan: bool) -> Callable[[float, float], float]:
    """The minimum or maximum of two floats with -0 below 0; a NaN is either propagated or ignored."""

    def choose(x: float, y: float) -> float:
        if math.isnan(x) or math.isnan(y):
            return x if math.isnan(x) == spreads_nan else y
        return (min if least else max)(x, y, key=lambda v: (v, math.copysign(1, v)))

    return choose


def divide(x: float, y: float) -> float:
    """The IEEE 754 quotient, including division by zero."""
    if y:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


def remainder(x: float, y: float) -> float:
    """The remainder of a division truncated towards zero."""
    return math.fmod(x, y) if y and math.isfinite(x) and not math.isnan(y) else math.nan


# -- floats: only identities that hold for every value, and exact computations


def _is_float(attribute: a.Attribute | None, value: float) -> bool:
    if (
        isinstance(attribute, a.DenseElementsAttr)
        and attribute.is_splat
        and isinstance(attribute.type.element, t.FloatType)
    ):
        known: float = attribute.splat_value
    elif isinstance(attribute, a.FloatAttr):
        known = attribute.value
    else:
        return False
    if math.isnan(value):
        return math.isnan(known)
    return known == value and math.copysign(1, known) == math.copysign(1, value)


def _float(function: Callable[[float, float], float | None], neutral: float | None) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        if neutral is not None and _is_float(constants[1], neutral):
            return [op.operands[0]]
        found = compute_float(function, op.results[0].type, constants)
        return None if found is None else [found]

    return fold


def _product(op: Operation, constants: Constants) -> Folded:
    if _is_float(constants[1], 1.0):
        return [op.operands[0]]
    flags = fastmath_flags(op)
    if {"nnan", "nsz"} <= flags and (_is_float(constants[1], 0.0) or _is_float(constants[1], -0.0)):
        return [op.operands[1]]
    found = compute_float(lambda x, y: x * y, op.results[0].type, constants)
    return None if found is None else [found]


def _float_extremum(function: Callable[[float, float], float | None], neutral: float) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = op.operands
        if left is right:
            return [right]
        if _is_float(constants[1], neutral):
            return [left]
        found = compute_float(function, op.results[0].type, constants)
        return None if found is None else [found]

    return fold


def _negf(op: Operation, constants: Constants) -> Folded:
    known = constants[0]
    if isinstance(known, a.FloatAttr):
        return [a.FloatAttr.from_bits(known.bits ^ (1 << (known.type.width - 1)), known.type)]
    found = compute_float(lambda x, y: -x, op.results[0].type, [known, known])
    return None if found is None else [found]


FLOAT_FOLDS: Final[dict[type[Operation], Fold]] = {
    arith.AddFOp: _float(lambda x, y: x + y, -0.0),
    arith.SubFOp: _float(lambda x, y: x - y, 0.0),
    arith.MulFOp: _product,
    arith.DivFOp: _float(divide, 1.0),
    arith.RemFOp: _float(remainder, None),
    arith.NegFOp: _negf,
    arith.MaximumFOp: _float_extremum(extremum(False, True), -math.inf),
    arith.MinimumFOp: _float_extremum(extremum(True, True), math.inf),
    arith.MaxNumFOp: _float_extremum(extremum(False, False), math.nan),
    arith.MinNumFOp: _float_extremum(extremum(True, False), math.nan),
    arith.CmpFOp: _cmpf,
    arith.ExtFOp: _extf,
    arith.FPToSIOp: _converted(_to_integer(True)),
    arith.FPToUIOp: _converted(_to_integer(False)),
    arith.SIToFPOp: _converted(_from_integer(True)),
    arith.TruncFOp: _truncf,
    arith.UIToFPOp: _converted(_from_integer(False)),
}


def _made_by(value: Value, name: str) -> Operation | None:
    op = value.owner if isinstance(value, OpResult) else None
    return op if op is not None and op.name == name else None


def _operands(op: Operation) -> tuple[Value, Value]:
    return op.op_operands[0].value, op.op_operands[1].value


RULES: Final = rules_of(
    "arith",
    """
    addi(x, 0) => x
    addi(subi(a, b), b) => a
    addi(b, subi(a, b)) => a
    subi(x, x) => 0
    subi(x, 0) => x
    subi(addi(a, b), b) => a
    subi(addi(a, b), a) => b
    muli(x, zero=0) => zero
    muli(x, 1) => x
    divsi(x, 1) => x
    divui(x, 1) => x
    ceildivsi(x, 1) => x
    ceildivui(x, 1) => x
    floordivsi(x, 1) => x
    remsi(x, 1) => 0
    remui(x, 1) => 0
    andi(x, zero=0) => zero
    andi(x, -1) => x
    andi(xori(x, -1), x) => 0
    andi(x, xori(x, -1)) => 0
    andi(all=andi(x, y), x) => all
    andi(all=andi(x, y), y) => all
    andi(x, all=andi(x, y)) => all
    andi(y, all=andi(x, y)) => all
    ori(x, 0) => x
    ori(x, -1) => -1                    # a new constant, as in mlir-opt: it matters for where it ends up
    ori(xori(x, -1), x) => -1
    ori(x, xori(x, -1)) => -1
    xori(x, 0) => x
    xori(x, x) => 0
    xori(xori(a, b), b) => a
    xori(xori(a, b), a) => b
    xori(b, xori(a, b)) => a
    xori(a, xori(a, b)) => b
    shli(x, 0) => x
    shrsi(x, 0) => x
    shrui(x, 0) => x
    maxsi(x, x) => x
    maxsi(x, most=MAX) => most
    maxsi(x, MIN) => x
    minsi(x, x) => x
    minsi(x, least=MIN) => least
    minsi(x, MAX) => x
    maxui(x, x) => x
    maxui(x, most=-1) => most
    maxui(x, 0) => x
    minui(x, x) => x
    minui(x, least=0) => least
    minui(x, -1) => x
    addui_extended(x, 0) => x, 0
    mulsi_extended(x, 0) => 0, 0
    mului_extended(x, 0) => 0, 0
    mului_extended(x, 1) => x, 0
    trunci(extui(x)) => x
    trunci(extsi(x)) => x
    select(c, x, x) => x
    select(cmpi:eq(x, y), x, y) => y
    select(cmpi:eq(x, y), y, x) => x
    select(cmpi:ne(x, y), x, y) => x
    select(cmpi:ne(x, y), y, x) => y
    cmpi:eq(x, x) => 1
    cmpi:ne(x, x) => 0
    cmpi:slt(x, x) => 0
    cmpi:sle(x, x) => 1
    cmpi:sgt(x, x) => 0
    cmpi:sge(x, x) => 1
    cmpi:ult(x, x) => 0
    cmpi:ule(x, x) => 1
    cmpi:ugt(x, x) => 0
    cmpi:uge(x, x) => 1
    cmpi:ne(extsi(x), 0) => x           # of one bit, as the result
    cmpi:ne(extui(x), 0) => x
    cmpi:ne(x, 0) => x
    cmpi:eq(x, -1) => x
    negf(negf(x)) => x
    """,
)

_LEAST_IS_NO_OPERAND: Final = replace(
    INTEGERS["arith.ceildivsi"], legal=lambda x, y, width: y and (not x or -(1 << (width - 1)) not in (x, y))
)
"""`ceildivsi`, not folded where mlir-opt's computation over absolute values would overflow."""


def _integer(kind: type[Operation]) -> Fold:
    """Fold an integer operation by its rewrite rules, or compute it by its equation."""
    equation = _LEAST_IS_NO_OPERAND if kind is arith.CeilDivSIOp else INTEGERS[kind.name]

    def computed(op: Operation, constants: Constants) -> Folded:
        if None in constants:
            return None
        found = compute_integer(equation, op.results[0].type, constants)
        return None if found is None else [found]

    return fold_by(RULES.get(kind.name, ()), computed)


def _extended(kind: type[Operation]) -> Fold:
    """Fold an operation with two results by its rewrite rules, or compute both by their equations."""
    equations = EXTENDED[kind.name]

    def computed(op: Operation, constants: Constants) -> Folded:
        operand_type = op.op_operands[0].value.type
        found = [
            compute_integer(equation, result.type, constants, operand_type)
            for equation, result in zip(equations, op.results, strict=True)
        ]
        return [known for known in found if known is not None] if None not in found else None

    return fold_by(RULES[kind.name], computed)


# -- comparisons and selects

_SWAPPED: Final = {
    "slt": "sgt",
    "sle": "sge",
    "sgt": "slt",
    "sge": "sle",
    "ult": "ugt",
    "ule": "uge",
    "ugt": "ult",
    "uge": "ule",
}


def _cmpi(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    predicate = INTEGER_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]
    type = op.results[0].type
    if constants[0] is not None and constants[1] is None:
        swapped = _SWAPPED.get(predicate, predicate)
        op.properties["predicate"] = a.IntegerAttr(INTEGER_PREDICATES.index(swapped), t.I64)
        op.op_operands[0].value, op.op_operands[1].value = right, left
        return IN_PLACE
    found = compute_integer(PREDICATES[predicate], type, constants, left.type)
    return None if found is None else [found]


def _select(op: Operation, constants: Constants) -> Folded:
    condition, yes, no = op.operands
    if isinstance(constants[1], a.DialectAttr):  # poison
        return [no]
    if isinstance(constants[2], a.DialectAttr):
        return [yes]
    known = scalar_integer(constants[0])
    if known is not None:
        return [yes if known else no]
    if yes.type is t.I1 and constants[1] is a.TRUE and constants[2] is a.FALSE:
        return [condition]
    if all(isinstance(constant, a.DenseElementsAttr) for constant in constants):
        chosen = choose_elements(constants)
        if chosen is not None:
            return [chosen]
    return None


# -- conversions


def _resized(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    inner = _made_by(source, op.name)
    if inner is not None and op.name not in ("arith.index_cast", "arith.index_castui"):
        op.op_operands[0].value = inner.operands[0]
        return IN_PLACE
    found = compute_integer(INTEGERS[op.name], op.results[0].type, constants, source.type)
    return None if found is None else [found]


def _trunci(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    extension = _made_by(source, "arith.extui") or _made_by(source, "arith.extsi")
    if extension is not None:
        original = extension.operands[0]
        before, after = width_of(original.type), width_of(op.results[0].type)
        if before is not None and after is not None and before > after:
            op.op_operands[0].value = original
            return IN_PLACE
    return _resized(op, constants)


def _bitcast(op: Operation, constants: Constants) -> Folded:
    source, type = op.operands[0], op.results[0].type
    if source.type is type:
        return [source]
    known = constants[0]
    if isinstance(known, a.FloatAttr) and isinstance(type, t.IntegerType):
        return [a.IntegerAttr(known.bits, type)]
    if isinstance(known, a.IntegerAttr) and isinstance(type, t.FloatType):
        return [a.FloatAttr.from_bits(known.value & ((1 << type.width) - 1), type)]
    return None


_INTEGER: Final = (
    arith.AddIOp, arith.SubIOp, arith.MulIOp, arith.DivUIOp, arith.DivSIOp, arith.CeilDivUIOp, arith.CeilDivSIOp, arith.FloorDivSIOp,
    arith.RemUIOp, arith.RemSIOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp,
    arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.MinUIOp,
)  # fmt: skip
_FOLDS: Final[dict[type[Operation], Fold]] = {
    **{kind: _integer(kind) for kind in _INTEGER},
    **{
        kind: _extended(kind)
        for kind in (arith.AddUIExtendedOp, arith.MulSIExtendedOp, arith.MulUIExtendedOp)
    },
    arith.CmpIOp: fold_by(RULES["arith.cmpi"], _cmpi),
    arith.SelectOp: fold_by(RULES["arith.select"], _select),
    arith.ExtUIOp: _resized,
    arith.ExtSIOp: _resized,
    arith.TruncIOp: fold_by(RULES["arith.trunci"], _trunci),
    arith.IndexCastOp: _resized,
    arith.IndexCastUIOp: _resized,
    arith.BitcastOp: _bitcast,
    **FLOAT_FOLDS,
    arith.NegFOp: fold_by(RULES["arith.negf"], FLOAT_FOLDS[arith.NegFOp]),
}

_STOPS_POISON: Final = {
    arith.AddUIExtendedOp,
    arith.CmpFOp,
    arith.CmpIOp,
    arith.MulSIExtendedOp,
    arith.MulUIExtendedOp,
    arith.SelectOp,
    arith.ShLIOp,
    arith.ShRSIOp,
    arith.ShRUIOp,
}
"""Operations that mlir-opt does not fold to poison."""

FOLDS: Final[dict[type[Operation], Fold]] = {
    kind: fold if kind in _STOPS_POISON else passing_poison(fold) for kind, fold in _FOLDS.items()
}
