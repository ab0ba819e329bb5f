"""The `math` dialect: elementary functions, element by element on vectors and tensors."""

from __future__ import annotations

from ..ir.declaration.constraints import BOOL_LIKE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ._family import FASTMATH_ATTR, NO_FASTMATH, i1_like, member

_FASTMATH = "(`fastmath` `` $fastmath^)? attr-dict `:`"


class FloatUnaryOp(Operation):
    """One float to one of the same type."""

    operand = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$operand {_FASTMATH} type($result)"


class MathBinaryOp(Operation):
    """Two floats to one of the same type."""

    lhs = operand(FLOAT_LIKE)
    rhs = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$lhs `,` $rhs {_FASTMATH} type($result)"


class IntegerUnaryOp(Operation):
    """One integer to one of the same type."""

    operand = operand(SIGNLESS_INTEGER_LIKE)
    result = result(SIGNLESS_INTEGER_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = "$operand attr-dict `:` type($result)"


class FloatClassificationOp(Operation):
    """Whether a float is of some class."""

    operand = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(BOOL_LIKE)
    traits = (
        tr.TypesMatchWith(
            "result type has i1 element type and same shape as operands", "operand", "result", i1_like
        ),
        tr.PURE,
        tr.ELEMENTWISE,
    )
    assembly_format = "$operand attr-dict `:` type($operand)"


AbsFOp = member(FloatUnaryOp, "math.absf", "Absolute value.")
AcosOp = member(FloatUnaryOp, "math.acos", "Arc cosine.")
AcoshOp = member(FloatUnaryOp, "math.acosh", "Inverse hyperbolic cosine.")
AsinOp = member(FloatUnaryOp, "math.asin", "Arc sine.")
AsinhOp = member(FloatUnaryOp, "math.asinh", "Inverse hyperbolic sine.")
AtanOp = member(FloatUnaryOp, "math.atan", "Arc tangent.")
AtanhOp = member(FloatUnaryOp, "math.atanh", "Inverse hyperbolic tangent.")
CbrtOp = member(FloatUnaryOp, "math.cbrt", "Cube root.")
CeilOp = member(FloatUnaryOp, "math.ceil", "The smallest integer not below.")
CosOp = member(FloatUnaryOp, "math.cos", "Cosine.")
CoshOp = member(FloatUnaryOp, "math.cosh", "Hyperbolic cosine.")
ErfOp = member(FloatUnaryOp, "math.erf", "Error function.")
ErfcOp = member(FloatUnaryOp, "math.erfc", "One minus the error function.")
ExpOp = member(FloatUnaryOp, "math.exp", "Power of e.")
Exp2Op = member(FloatUnaryOp, "math.exp2", "Power of 2.")
ExpM1Op = member(FloatUnaryOp, "math.expm1", "Power of e, minus one.")
FloorOp = member(FloatUnaryOp, "math.floor", "The largest integer not above.")
LogOp = member(FloatUnaryOp, "math.log", "Natural logarithm.")
Log10Op = member(FloatUnaryOp, "math.log10", "Logarithm to base 10.")
Log1pOp = member(FloatUnaryOp, "math.log1p", "Natural logarithm of one plus the operand.")
Log2Op = member(FloatUnaryOp, "math.log2", "Logarithm to base 2.")
RoundOp = member(FloatUnaryOp, "math.round", "The nearest integer, halves away from zero.")
RoundEvenOp = member(FloatUnaryOp, "math.roundeven", "The nearest integer, halves to even.")
RsqrtOp = member(FloatUnaryOp, "math.rsqrt", "One over the square root.")
SinOp = member(FloatUnaryOp, "math.sin", "Sine.")
SinhOp = member(FloatUnaryOp, "math.sinh", "Hyperbolic sine.")
SqrtOp = member(FloatUnaryOp, "math.sqrt", "Square root.")
TanOp = member(FloatUnaryOp, "math.tan", "Tangent.")
TanhOp = member(FloatUnaryOp, "math.tanh", "Hyperbolic tangent.")
TruncOp = member(FloatUnaryOp, "math.trunc", "The nearest integer towards zero.")

Atan2Op = member(MathBinaryOp, "math.atan2", "Angle of the point (rhs, lhs).")
CopySignOp = member(MathBinaryOp, "math.copysign", "The magnitude of lhs with the sign of rhs.")
PowFOp = member(MathBinaryOp, "math.powf", "lhs to the power of rhs.")

AbsIOp = member(IntegerUnaryOp, "math.absi", "Absolute value; the smallest integer is its own.")
CountLeadingZerosOp = member(IntegerUnaryOp, "math.ctlz", "How many of the highest bits are zero.")
CountTrailingZerosOp = member(IntegerUnaryOp, "math.cttz", "How many of the lowest bits are zero.")
CtPopOp = member(IntegerUnaryOp, "math.ctpop", "How many bits are set.")

IsFiniteOp = member(FloatClassificationOp, "math.isfinite", "Neither infinite nor NaN.")
IsInfOp = member(FloatClassificationOp, "math.isinf", "Infinite, of either sign.")
IsNaNOp = member(FloatClassificationOp, "math.isnan", "Not a number.")
IsNormalOp = member(FloatClassificationOp, "math.isnormal", "Neither zero, subnormal, infinite nor NaN.")


class IPowIOp(Operation):
    """lhs to the power of rhs, both signed integers."""

    name = "math.ipowi"
    lhs = operand(SIGNLESS_INTEGER_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    result = result(SIGNLESS_INTEGER_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"


class FPowIOp(Operation):
    """A float to the power of a signed integer."""

    name = "math.fpowi"
    lhs = operand(FLOAT_LIKE)
    rhs = operand(SIGNLESS_INTEGER_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (
        tr.all_types_match("lhs", "result"),
        tr.SAME_OPERANDS_AND_RESULT_SHAPE,
        tr.PURE,
        tr.ELEMENTWISE,
    )
    assembly_format = f"$lhs `,` $rhs {_FASTMATH} type($lhs) `,` type($rhs)"


class ClampFOp(Operation):
    """`value`, or the bound it lies beyond."""

    name = "math.clampf"
    value = operand(FLOAT_LIKE)
    min = operand(FLOAT_LIKE)
    max = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$value `to` ` ` `[` $min `,` $max `]` {_FASTMATH} type($result)"


class FmaOp(Operation):
    """a * b + c, rounded once."""

    name = "math.fma"
    a = operand(FLOAT_LIKE)
    b = operand(FLOAT_LIKE)
    c = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(FLOAT_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$a `,` $b `,` $c {_FASTMATH} type($result)"


class SincosOp(Operation):
    """Sine and cosine at once."""

    name = "math.sincos"
    operand = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    sin = result(FLOAT_LIKE)
    cos = result(FLOAT_LIKE)
    traits = (
        tr.all_types_match("operand", "sin", "cos"),
        tr.SAME_OPERANDS_AND_RESULT_SHAPE,
        tr.PURE,
        tr.ELEMENTWISE,
    )
    assembly_format = f"$operand {_FASTMATH} type($operand)"

    def result_names(self) -> list[str | None]:
        return ["sin", "cos"]
