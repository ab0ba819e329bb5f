"""Folds of `arith`: constants computed, neutral and absorbing elements, operations that undo each other."""

from __future__ import annotations

from typing import Final

from ...dialects import arith
from ...dialects.arith import INTEGER_PREDICATES
from ...dialects.common import element_of
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import IN_PLACE, Constants, Fold, Folded
from .arith_floats import FLOAT_FOLDS
from .constants import constant_of, scalar_integer
from .elementwise import (
    all_ones,
    as_signed,
    choose_elements,
    compute_integer,
    constant_like,
    is_all_ones,
    is_one,
    is_zero,
    passing_poison,
    width_of,
)
from .integer_division import (
    Binary,
    as_unsigned,
    ceildivsi,
    ceildivui,
    divsi,
    divui,
    floordivsi,
    remsi,
    remui,
)


def _made_by(value: Value, name: str) -> Operation | None:
    op = value.owner if isinstance(value, OpResult) else None
    return op if op is not None and op.name == name else None


def _operands(op: Operation) -> tuple[Value, Value]:
    return op.op_operands[0].value, op.op_operands[1].value


def _computed(op: Operation, constants: Constants, function: Binary) -> Folded:
    found = compute_integer(function, op.results[0].type, constants)
    return None if found is None else [found]


def _zero(op: Operation) -> Folded:
    found = compute_integer(lambda x, y, width: 0, op.results[0].type, [None, None], constant=0)
    return None if found is None else [found]


# -- sums and products


def _addi(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if is_zero(constants[1]):
        return [left]
    for one, other in ((left, right), (right, left)):
        difference = _made_by(one, "arith.subi")
        if difference is not None and difference.operands[1] is other:  # (a - b) + b
            return [difference.operands[0]]
    return _computed(op, constants, lambda x, y, width: x + y)


def _subi(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if left is right:
        zero = _zero(op)
        if zero is not None:
            return zero
    if is_zero(constants[1]):
        return [left]
    total = _made_by(left, "arith.addi")
    if total is not None:  # (a + b) - b, (a + b) - a
        if total.operands[1] is right:
            return [total.operands[0]]
        if total.operands[0] is right:
            return [total.operands[1]]
    return _computed(op, constants, lambda x, y, width: x - y)


def _muli(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if is_zero(constants[1]):
        return [right]
    if is_one(constants[1]):
        return [left]
    return _computed(op, constants, lambda x, y, width: x * y)


def _quotient(function: Binary) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        if is_one(constants[1]):
            return [op.operands[0]]
        return _computed(op, constants, function)

    return fold


def _remainder(function: Binary) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        if is_one(constants[1]):
            return _zero(op)
        return _computed(op, constants, function)

    return fold


# -- bits


def _andi(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if is_zero(constants[1]):
        return [right]
    if is_all_ones(constants[1]):
        return [left]
    for one, other in ((left, right), (right, left)):
        if _is_not_of(one, other):
            zero = _zero(op)
            if zero is not None:
                return zero
        inner = _made_by(one, "arith.andi")
        if inner is not None and any(operand is other for operand in inner.operands):
            return [one]
    return _computed(op, constants, lambda x, y, width: x & y)


def _is_not_of(value: Value, other: Value) -> bool:
    """Whether `value` is `other` with all bits turned."""
    negation = _made_by(value, "arith.xori")
    return (
        negation is not None
        and negation.operands[0] is other
        and is_all_ones(constant_of(negation.operands[1]))
    )


def _ori(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if is_zero(constants[1]):
        return [left]
    if constants[1] is not None and is_all_ones(constants[1]):
        return [constants[1]]  # a new constant, as in mlir-opt: it matters for where it ends up
    if _is_not_of(left, right) or _is_not_of(right, left):
        ones = all_ones(op.results[0].type)
        if ones is not None:
            return [ones]
    return _computed(op, constants, lambda x, y, width: x | y)


def _xori(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    if is_zero(constants[1]):
        return [left]
    if left is right:
        zero = _zero(op)
        if zero is not None:
            return zero
    for one, other in ((left, right), (right, left)):
        inner = _made_by(one, "arith.xori")
        if inner is not None:
            if inner.operands[1] is other:
                return [inner.operands[0]]
            if inner.operands[0] is other:
                return [inner.operands[1]]
    return _computed(op, constants, lambda x, y, width: x ^ y)


def _shift(function: Binary) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        if is_zero(constants[1]):
            return [op.operands[0]]
        return _computed(op, constants, lambda x, y, w: None if not 0 <= y < w else function(x, y, w))

    return fold


def _extremum(least: bool, signed: bool) -> Fold:
    def choose(x: int, y: int, width: int) -> int:
        key = (lambda v: v) if signed else (lambda v: as_unsigned(v, width))
        return min(x, y, key=key) if least else max(x, y, key=key)

    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = _operands(op)
        if left is right:
            return [right]
        known = scalar_integer(constants[1])
        width = width_of(op.results[0].type)
        if known is not None and width is not None:
            known = as_signed(known, width)
            low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
            value = known if signed else as_unsigned(known, width)
            if value == (low if least else high):
                return [right]
            if value == (high if least else low):
                return [left]
        return _computed(op, constants, choose)

    return fold


# -- comparisons and choices

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
REFLEXIVE: Final = {"eq", "sle", "sge", "ule", "uge"}


def holds(predicate: str, x: int, y: int, width: int) -> bool:
    """Whether an integer comparison holds of two signed numbers."""
    if predicate[0] == "u":
        x, y = as_unsigned(x, width), as_unsigned(y, width)
    comparison = predicate[-2:]
    if comparison == "eq":
        return x == y
    if comparison == "ne":
        return x != y
    if comparison == "lt":
        return x < y
    if comparison == "le":
        return x <= y
    return x > y if comparison == "gt" else x >= y


def _cmpi(op: Operation, constants: Constants) -> Folded:
    left, right = _operands(op)
    predicate = INTEGER_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]
    type = op.results[0].type
    if left is right:
        found = compute_integer(
            lambda x, y, width: 0, type, [None, None], constant=int(predicate in REFLEXIVE)
        )
        if found is not None:
            return [found]
    if is_zero(constants[1]):
        for name in ("arith.extsi", "arith.extui"):
            extension = _made_by(left, name)
            if predicate == "ne" and extension is not None and element_of(extension.operands[0].type) is t.I1:
                return [extension.operands[0]]
    if element_of(left.type) is t.I1 and (
        (predicate == "ne" and is_zero(constants[1])) or (predicate == "eq" and is_all_ones(constants[1]))
    ):
        return [left]
    if constants[0] is not None and constants[1] is None:
        swapped = _SWAPPED.get(predicate, predicate)
        op.properties["predicate"] = a.IntegerAttr(INTEGER_PREDICATES.index(swapped), t.I64)
        op.op_operands[0].value, op.op_operands[1].value = right, left
        return IN_PLACE
    width = width_of(left.type)
    if width is None:
        return None
    found = compute_integer(
        lambda x, y, _: int(holds(predicate, x, y, width)), type, constants, operand_type=left.type
    )
    return None if found is None else [found]


def _select(op: Operation, constants: Constants) -> Folded:
    condition, yes, no = op.operands
    if yes is no:
        return [yes]
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
    comparison = _made_by(condition, "arith.cmpi")
    if comparison is not None:
        left, right = _operands(comparison)
        predicate = INTEGER_PREDICATES[expect(a.IntegerAttr, comparison.properties["predicate"]).value]
        if predicate in ("eq", "ne") and ((left is yes and right is no) or (left is no and right is yes)):
            return [no if predicate == "eq" else yes]
    return None


# -- products and sums of twice the width


def _addui_extended(op: Operation, constants: Constants) -> Folded:
    type = op.results[0].type
    carry = op.results[1].type
    if is_zero(constants[1]):
        none = constant_like(carry, 0)
        return None if none is None else [op.operands[0], none]

    def carried(x: int, y: int, width: int) -> int:
        return (as_unsigned(x, width) + as_unsigned(y, width)) >> width

    total = compute_integer(lambda x, y, w: x + y, type, constants)
    over = compute_integer(carried, carry, constants, operand_type=type)
    return None if total is None or over is None else [total, over]


def _mul_extended(signed: bool) -> Fold:
    def high(x: int, y: int, width: int) -> int:
        if not signed:
            x, y = as_unsigned(x, width), as_unsigned(y, width)
        return (x * y) >> width

    def fold(op: Operation, constants: Constants) -> Folded:
        type = op.results[0].type
        if constants[1] is not None and is_zero(constants[1]):
            return [constants[1], constants[1]]
        if not signed and constants[1] is not None and is_one(constants[1]):
            zero = constant_like(type, 0)
            return None if zero is None else [op.operands[0], zero]
        lower = compute_integer(lambda x, y, w: x * y, type, constants)
        upper = compute_integer(high, type, constants)
        return None if lower is None or upper is None else [lower, upper]

    return fold


# -- conversions


def _resize(signed: bool) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        inner = _made_by(op.operands[0], op.name)
        if inner is not None and op.name != "arith.index_cast" and op.name != "arith.index_castui":
            op.op_operands[0].value = inner.operands[0]
            return IN_PLACE
        source = op.operands[0].type
        width = width_of(source)
        if width is None:
            return None
        found = compute_integer(
            lambda x, y, _: x if signed else as_unsigned(x, width),
            op.results[0].type,
            [constants[0], constants[0]],
            operand_type=source,
        )
        return None if found is None else [found]

    return fold


def _trunci(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    for name in ("arith.extui", "arith.extsi"):
        extension = _made_by(source, name)
        if extension is not None:
            original = extension.operands[0]
            if original.type is op.results[0].type:
                return [original]
            before, after = width_of(original.type), width_of(op.results[0].type)
            if before is not None and after is not None and before > after:
                op.op_operands[0].value = original
                return IN_PLACE
    narrowing = _made_by(source, "arith.trunci")
    if narrowing is not None:
        op.op_operands[0].value = narrowing.operands[0]
        return IN_PLACE
    found = compute_integer(
        lambda x, y, _: x, op.results[0].type, [constants[0], constants[0]], operand_type=source.type
    )
    return None if found is None else [found]


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


_FOLDS: Final[dict[type[Operation], Fold]] = {
    arith.AddIOp: _addi,
    arith.AddUIExtendedOp: _addui_extended,
    arith.MulSIExtendedOp: _mul_extended(True),
    arith.MulUIExtendedOp: _mul_extended(False),
    arith.SubIOp: _subi,
    arith.MulIOp: _muli,
    arith.DivUIOp: _quotient(divui),
    arith.DivSIOp: _quotient(divsi),
    arith.CeilDivUIOp: _quotient(ceildivui),
    arith.CeilDivSIOp: _quotient(ceildivsi),
    arith.FloorDivSIOp: _quotient(floordivsi),
    arith.RemUIOp: _remainder(remui),
    arith.RemSIOp: _remainder(remsi),
    arith.AndIOp: _andi,
    arith.OrIOp: _ori,
    arith.XOrIOp: _xori,
    arith.ShLIOp: _shift(lambda x, y, width: x << y),
    arith.ShRUIOp: _shift(lambda x, y, width: as_unsigned(x, width) >> y),
    arith.ShRSIOp: _shift(lambda x, y, width: x >> y),
    arith.MaxSIOp: _extremum(False, True),
    arith.MaxUIOp: _extremum(False, False),
    arith.MinSIOp: _extremum(True, True),
    arith.MinUIOp: _extremum(True, False),
    arith.CmpIOp: _cmpi,
    arith.SelectOp: _select,
    arith.ExtUIOp: _resize(False),
    arith.ExtSIOp: _resize(True),
    arith.TruncIOp: _trunci,
    arith.IndexCastOp: _resize(True),
    arith.IndexCastUIOp: _resize(False),
    arith.BitcastOp: _bitcast,
    **FLOAT_FOLDS,
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
"""What mlir-opt does not fold to poison."""

FOLDS: Final[dict[type[Operation], Fold]] = {
    kind: fold if kind in _STOPS_POISON else passing_poison(fold) for kind, fold in _FOLDS.items()
}
