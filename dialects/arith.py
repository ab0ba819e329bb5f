"""The `arith` dialect: elementwise arithmetic on integers, `index` and floats.

Operations apply to scalars and, elementwise, to vectors and tensors of them, without memory effects.
Those that are undefined for some operands (division by zero) are effect-free but not `PURE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, BOOL_LIKE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE, TYPED_ATTR
from ..ir.declaration.declare import attribute, operand, result, unit_attribute
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpResult
from ..ir.program.interfaces import SelectLikeOp, Size, SizedResultOp, ValueBoundsOp, same_size
from ..ir.text.fast_path import Parts, plain_attribute
from ..ir.types import attributes as a, types as t
from ._arith_conversions import (
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    NO_OVERFLOW_FLAGS,
    OVERFLOW_ATTR,
    SHAPED,
    BitcastOp as BitcastOp,
    ExtFOp as ExtFOp,
    ExtSIOp as ExtSIOp,
    ExtUIOp as ExtUIOp,
    FPToSIOp as FPToSIOp,
    FPToUIOp as FPToUIOp,
    IndexCastOp as IndexCastOp,
    IndexCastUIOp as IndexCastUIOp,
    ScalingExtFOp as ScalingExtFOp,
    ScalingTruncFOp as ScalingTruncFOp,
    SIToFPOp as SIToFPOp,
    TruncFOp as TruncFOp,
    TruncIOp as TruncIOp,
    UIToFPOp as UIToFPOp,
    constant_name,
    predicate,
)
from ._described import FASTMATH_ATTR, NO_FASTMATH, i1_like, member
from .common import NoMemoryEffectOp, constant_index

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


class ConstantOp(Operation):
    """A constant number, tensor or vector."""

    name = "arith.constant"
    value = attribute(TYPED_ATTR)
    result = result(ANY_TYPE)
    traits = (
        tr.TypesMatchWith("all of {value, result} have same type", "value", "result", lambda type: type),
        tr.CONSTANT_LIKE,
        tr.PURE,
    )
    assembly_format = "attr-dict $value"

    @classmethod
    def one_line_form(cls) -> tuple[str, Any]:
        """Matches constants without aliases, strings or comments in their text: an eighth of the operations of a
        network.
        """
        return r" ([^\n\"#!@{}/]{1,200})", _read_constant

    def verify(self) -> str | None:
        type, value = self.results[0].type, self.value
        if isinstance(type, t.IntegerType) and not type.is_signless:
            return "integer return type must be signless"
        elements = (a.DenseElementsAttr, a.DenseResourceAttr, a.SparseElementsAttr)
        if not isinstance(value, (a.IntegerAttr, a.FloatAttr, *elements)):
            return "value must be an integer, float, or elements attribute"
        if (
            isinstance(type, t.VectorType)
            and any(type.scalable_dims)
            and not getattr(value, "is_splat", False)
        ):
            return (
                "intializing scalable vectors with elements attribute is not supported"
                " unless it's a vector splat"
            )
        return None

    def result_names(self) -> list[str | None]:
        return [constant_name(self.properties.get("value"))]


def _read_constant(p: OpParser, captured: Sequence[str]) -> Parts | None:
    """A constant from its text; None defers to the general parser."""
    value = plain_attribute(p, captured[0].rstrip())
    type = getattr(value, "type", None)
    return None if value is None or type is None else ([], {"value": value}, type, [])


class IntegerBinaryOp(NoMemoryEffectOp):
    """Combines two integers of the same type."""

    lhs = operand(SIGNLESS_INTEGER_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    result = result(SIGNLESS_INTEGER_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"


class OverflowIntegerBinaryOp(IntegerBinaryOp):
    """An integer operation with optional no-overflow flags, whose violation yields poison."""

    overflow_flags = attribute(OVERFLOW_ATTR, key="overflowFlags", default=NO_OVERFLOW_FLAGS)
    assembly_format = "$lhs `,` $rhs (`overflow` `` $overflow_flags^)? attr-dict `:` type($result)"


class ExactIntegerBinaryOp(IntegerBinaryOp):
    """An integer operation with an optional `exact` flag, whose violation yields poison."""

    is_exact = unit_attribute("isExact")
    assembly_format = "$lhs `,` $rhs (`exact` $is_exact^)? attr-dict `:` type($result)"


class FloatBinaryOp(Operation):
    """Combines two floats of the same type."""

    lhs = operand(FLOAT_LIKE)
    rhs = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


class MinimumOp(IntegerBinaryOp, ValueBoundsOp):
    """The smaller of two numbers."""

    traits = (*IntegerBinaryOp.traits, tr.COMMUTATIVE, tr.PURE)

    def constant_upper_bound(self) -> int | None:
        numbers = [number for value in self.operands if (number := constant_index(value)) is not None]
        return min(numbers, default=None)


AddIOp = member(OverflowIntegerBinaryOp, "arith.addi", "Sum, modulo 2**width.", tr.COMMUTATIVE, tr.PURE)
SubIOp = member(OverflowIntegerBinaryOp, "arith.subi", "Difference, modulo 2**width.", tr.PURE)


class MulIOp(OverflowIntegerBinaryOp):
    """Product, modulo 2**width."""

    name = "arith.muli"
    traits = (*OverflowIntegerBinaryOp.traits, tr.COMMUTATIVE, tr.PURE)

    def result_names(self) -> list[str | None]:
        """`c4_vscale` for a constant multiple of `vscale`."""
        if self.results[0].type is t.INDEX:
            left, right = (value.defining_op for value in self.operands)
            for base, other in ((left, right), (right, left)):
                if base is None or other is None or other.name != "vector.vscale":
                    continue
                value = base.properties.get("value") if base.has_trait(tr.CONSTANT_LIKE) else None
                if isinstance(value, a.IntegerAttr):
                    return [f"c{value.value}_vscale"]
        return [None]


ShLIOp = member(
    OverflowIntegerBinaryOp, "arith.shli", "Left shift; poison if it is by the width or more.", tr.PURE
)
DivUIOp = member(ExactIntegerBinaryOp, "arith.divui", "Unsigned quotient; undefined for a divisor of 0.")
DivSIOp = member(
    ExactIntegerBinaryOp, "arith.divsi", "Signed quotient, rounded towards zero; undefined for 0."
)
ShRUIOp = member(ExactIntegerBinaryOp, "arith.shrui", "Right shift that fills with zeros.", tr.PURE)
ShRSIOp = member(ExactIntegerBinaryOp, "arith.shrsi", "Right shift that fills with the sign.", tr.PURE)
CeilDivUIOp = member(IntegerBinaryOp, "arith.ceildivui", "Unsigned quotient, rounded up; undefined for 0.")
CeilDivSIOp = member(IntegerBinaryOp, "arith.ceildivsi", "Signed quotient, rounded up; undefined for 0.")
FloorDivSIOp = member(
    IntegerBinaryOp, "arith.floordivsi", "Signed quotient, rounded down; undefined for 0.", tr.PURE
)
RemUIOp = member(IntegerBinaryOp, "arith.remui", "Unsigned remainder; undefined for a divisor of 0.", tr.PURE)
RemSIOp = member(IntegerBinaryOp, "arith.remsi", "Signed remainder, with the sign of the dividend.", tr.PURE)
AndIOp = member(IntegerBinaryOp, "arith.andi", "Bitwise and.", tr.COMMUTATIVE, tr.IDEMPOTENT, tr.PURE)
OrIOp = member(IntegerBinaryOp, "arith.ori", "Bitwise or.", tr.COMMUTATIVE, tr.IDEMPOTENT, tr.PURE)
XOrIOp = member(IntegerBinaryOp, "arith.xori", "Bitwise exclusive or.", tr.COMMUTATIVE, tr.PURE)
MaxSIOp = member(IntegerBinaryOp, "arith.maxsi", "Signed maximum.", tr.COMMUTATIVE, tr.PURE)
MaxUIOp = member(IntegerBinaryOp, "arith.maxui", "Unsigned maximum.", tr.COMMUTATIVE, tr.PURE)
MinSIOp = member(MinimumOp, "arith.minsi", "Signed minimum.")
MinUIOp = member(MinimumOp, "arith.minui", "Unsigned minimum.")

AddFOp = member(FloatBinaryOp, "arith.addf", "Sum.", tr.COMMUTATIVE)
SubFOp = member(FloatBinaryOp, "arith.subf", "Difference.")
MulFOp = member(FloatBinaryOp, "arith.mulf", "Product.", tr.COMMUTATIVE)
DivFOp = member(FloatBinaryOp, "arith.divf", "Quotient.")
RemFOp = member(FloatBinaryOp, "arith.remf", "Remainder, with the sign of the dividend.")
MaximumFOp = member(
    FloatBinaryOp, "arith.maximumf", "Maximum; NaN if an operand is; -0 below +0.", tr.COMMUTATIVE,
    aliases=("arith.maxf",),
)  # fmt: skip
MinimumFOp = member(
    FloatBinaryOp, "arith.minimumf", "Minimum; NaN if an operand is; -0 below +0.", tr.COMMUTATIVE,
    aliases=("arith.minf",),
)  # fmt: skip
MaxNumFOp = member(
    FloatBinaryOp, "arith.maxnumf", "Maximum of those operands that are numbers.", tr.COMMUTATIVE
)
MinNumFOp = member(
    FloatBinaryOp, "arith.minnumf", "Minimum of those operands that are numbers.", tr.COMMUTATIVE
)


class NegFOp(Operation):
    """Negates a float by flipping its sign, also of NaNs."""

    name = "arith.negf"
    operand = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


class AddUIExtendedOp(Operation):
    """Sum and carry bit."""

    name = "arith.addui_extended"
    lhs = operand(SIGNLESS_INTEGER_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    sum = result(SIGNLESS_INTEGER_LIKE)
    overflow = result(BOOL_LIKE)
    traits = (tr.all_types_match("lhs", "rhs", "sum"), tr.PURE, tr.COMMUTATIVE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)"

    def result_names(self) -> list[str | None]:
        return ["sum", "overflow"]


class ExtendedMultiplicationOp(Operation):
    """The low and the high half of a double-width product."""

    lhs = operand(SIGNLESS_INTEGER_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    low = result(SIGNLESS_INTEGER_LIKE)
    high = result(SIGNLESS_INTEGER_LIKE)
    traits = (tr.all_types_match("lhs", "rhs", "low", "high"), tr.PURE, tr.COMMUTATIVE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"

    def result_names(self) -> list[str | None]:
        return ["low", "high"]


MulSIExtendedOp = member(ExtendedMultiplicationOp, "arith.mulsi_extended", "Signed product in two halves.")
MulUIExtendedOp = member(ExtendedMultiplicationOp, "arith.mului_extended", "Unsigned product in two halves.")

SAME_SHAPE_OF_I1 = tr.TypesMatchWith(
    "result type has i1 element type and same shape as operands", "lhs", "result", i1_like
)


class CmpIOp(Operation):
    """Compares integers by a signed or unsigned predicate."""

    name = "arith.cmpi"
    predicate = attribute(predicate(INTEGER_PREDICATES))
    lhs = operand(SIGNLESS_INTEGER_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    result = result(BOOL_LIKE)
    traits = (SAME_SHAPE_OF_I1, tr.PURE, tr.SAME_TYPE_OPERANDS, tr.ELEMENTWISE)
    assembly_format = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"


class CmpFOp(Operation):
    """Compares floats; with a NaN operand, `o...` predicates are false and `u...` predicates true."""

    name = "arith.cmpf"
    predicate = attribute(predicate(FLOAT_PREDICATES))
    lhs = operand(FLOAT_LIKE)
    rhs = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(BOOL_LIKE)
    traits = (SAME_SHAPE_OF_I1, tr.PURE, tr.SAME_TYPE_OPERANDS, tr.ELEMENTWISE)
    assembly_format = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"


class _ConditionMatches(tr.Trait):
    """The condition is one bit, or one bit per element. A trait, since it is checked before the shapes are compared."""

    def check(self, op: Operation) -> str | None:
        condition, type = op.operands[0].type, op.results[0].type
        if condition is t.I1 or (isinstance(type, SHAPED) and i1_like(type) is condition):
            return None
        return "failed to verify that condition is signless i1 or has matching shape"


class SelectOp(SizedResultOp, SelectLikeOp):
    """Selects one of two values of any type; elementwise if the condition is shaped."""

    name = "arith.select"
    condition = operand(BOOL_LIKE)
    true_value = operand(ANY_TYPE)
    false_value = operand(ANY_TYPE)
    result = result(ANY_TYPE)
    traits = (
        tr.all_types_match("true_value", "false_value", "result"),
        _ConditionMatches(),
        tr.PURE,
        tr.ELEMENTWISE,
    )

    def size_of(self, result: OpResult, position: int) -> Size:
        return same_size(result, self.true_value, position)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        uses = [p.operand()]
        for _ in range(2):
            p.expect(",")
            uses.append(p.operand())
        p.attr_dict(state)
        condition, type = t.I1, p.colon_type()
        if p.accept(","):
            condition, type = type, p.type()
        state.add_operands(p.resolve_all(uses, [condition, type, type]))
        state.result_types = [type]

    def print_custom(self, p: Printer) -> str:
        type, condition = self.results[0].type, self.operands[0].type
        prefix = "" if condition is t.I1 else f"{p.type(condition)}, "
        return f" {p.values(self.operands)}{p.attr_dict(self)} : {prefix}{p.type(type)}"


# Conversions
