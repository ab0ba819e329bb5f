"""The `complex` dialect: arithmetic on complex numbers."""

from __future__ import annotations

from ..ir.declaration.constraints import (
    ANY_COMPLEX,
    ANY_FLOAT,
    ANY_SIGNLESS_INTEGER,
    ANY_TYPE,
    ARRAY_ATTR,
    COMPLEX_OF_FLOAT,
    I1,
)
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import FASTMATH_ATTR, NO_FASTMATH, member

_FASTMATH = "(`fastmath` `` $fastmath^)? attr-dict `:`"


class ComplexUnaryOp(Operation):
    """One complex number to one of the same type."""

    complex = operand(COMPLEX_OF_FLOAT)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(COMPLEX_OF_FLOAT)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$complex {_FASTMATH} type($complex)"


class ComplexBinaryOp(Operation):
    """Two complex numbers to one of the same type."""

    lhs = operand(COMPLEX_OF_FLOAT)
    rhs = operand(COMPLEX_OF_FLOAT)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(COMPLEX_OF_FLOAT)
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = f"$lhs `,` $rhs {_FASTMATH} type($result)"


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.ComplexType) else type


class ComplexToFloatOp(Operation):
    """A real number that belongs to a complex one."""

    complex = operand(COMPLEX_OF_FLOAT)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(ANY_FLOAT)
    traits = (
        tr.TypesMatchWith("complex element type matches result type", "complex", "result", _element),
        tr.PURE,
        tr.ELEMENTWISE,
    )
    assembly_format = f"$complex {_FASTMATH} type($complex)"


class ComplexComparisonOp(Operation):
    """Compares complex numbers."""

    lhs = operand(COMPLEX_OF_FLOAT)
    rhs = operand(COMPLEX_OF_FLOAT)
    result = result(I1)
    traits = (tr.all_types_match("lhs", "rhs"), tr.PURE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"


AddOp = member(ComplexBinaryOp, "complex.add", "Sum.")
Atan2Op = member(ComplexBinaryOp, "complex.atan2", "Arc tangent of lhs / rhs.")
DivOp = member(ComplexBinaryOp, "complex.div", "Quotient.")
MulOp = member(ComplexBinaryOp, "complex.mul", "Product.")
PowOp = member(ComplexBinaryOp, "complex.pow", "lhs to the power of rhs.")
SubOp = member(ComplexBinaryOp, "complex.sub", "Difference.")
ConjOp = member(ComplexUnaryOp, "complex.conj", "The conjugate: the imaginary part negated.")
CosOp = member(ComplexUnaryOp, "complex.cos", "Cosine.")
ExpOp = member(ComplexUnaryOp, "complex.exp", "Power of e.")
Expm1Op = member(ComplexUnaryOp, "complex.expm1", "Power of e, minus one.")
LogOp = member(ComplexUnaryOp, "complex.log", "Natural logarithm.")
Log1pOp = member(ComplexUnaryOp, "complex.log1p", "Natural logarithm of one plus the operand.")
NegOp = member(ComplexUnaryOp, "complex.neg", "Negation.")
RsqrtOp = member(ComplexUnaryOp, "complex.rsqrt", "One over the square root.")
SignOp = member(ComplexUnaryOp, "complex.sign", "The number divided by its absolute value; 0 for 0.")
SinOp = member(ComplexUnaryOp, "complex.sin", "Sine.")
SqrtOp = member(ComplexUnaryOp, "complex.sqrt", "Square root.")
TanOp = member(ComplexUnaryOp, "complex.tan", "Tangent.")
TanhOp = member(ComplexUnaryOp, "complex.tanh", "Hyperbolic tangent.")
AbsOp = member(ComplexToFloatOp, "complex.abs", "Absolute value.")
AngleOp = member(ComplexToFloatOp, "complex.angle", "Argument.")
ImOp = member(ComplexToFloatOp, "complex.im", "Imaginary part.")
ReOp = member(ComplexToFloatOp, "complex.re", "Real part.")
EqualOp = member(ComplexComparisonOp, "complex.eq", "Whether both parts are equal.")
NotEqualOp = member(ComplexComparisonOp, "complex.neq", "Whether a part differs.")


class PowiOp(Operation):
    """A complex number to the power of a signed integer."""

    name = "complex.powi"
    lhs = operand(COMPLEX_OF_FLOAT)
    rhs = operand(ANY_SIGNLESS_INTEGER)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    result = result(COMPLEX_OF_FLOAT)
    traits = (tr.all_types_match("lhs", "result"), tr.PURE, tr.ELEMENTWISE)
    assembly_format = f"$lhs `,` $rhs {_FASTMATH} type($result) `,` type($rhs)"


class CreateOp(Operation):
    """A complex number from its parts."""

    name = "complex.create"
    real = operand(ANY_FLOAT)
    imaginary = operand(ANY_FLOAT)
    complex = result(COMPLEX_OF_FLOAT)
    traits = (
        tr.all_types_match("real", "imaginary"),
        tr.TypesMatchWith("complex element type matches real operand type", "complex", "real", _element),
        tr.TypesMatchWith(
            "complex element type matches imaginary operand type", "complex", "imaginary", _element
        ),
        tr.PURE,
    )
    assembly_format = "$real `,` $imaginary attr-dict `:` type($complex)"


class ConstantOp(Operation):
    """A complex number known in the program's text: real part, imaginary part."""

    name = "complex.constant"
    value = attribute(ARRAY_ATTR)
    complex = result(ANY_COMPLEX)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "$value attr-dict `:` type($complex)"
    result_name = "cst"

    def verify(self) -> str | None:
        parts = self.value.elements
        if len(parts) != 2:
            return "requires 'value' to be a complex constant, represented as array of two values"
        element = _element(self.results[0].type)
        for part in parts:
            if not isinstance(part, (a.FloatAttr, a.IntegerAttr)):
                return "requires attribute's elements to be float attributes"
            if part.type is not element:
                return f"requires attribute's element types ({parts[0].type}, {parts[1].type}) to match the element type of the op's return type ({element})"
        return None


class BitcastOp(Operation):
    """The same bits as another type of the same width, complex or not."""

    name = "complex.bitcast"
    operand = operand(ANY_TYPE)
    result = result(ANY_TYPE)
    traits = (tr.PURE,)
    assembly_format = "$operand attr-dict `:` type($operand) `to` type($result)"

    def verify(self) -> str | None:
        source, target = self.operands[0].type, self.results[0].type
        if source is target:
            return None
        widths: list[int] = []
        for type in (source, target):
            if not isinstance(type, (t.IntegerType, t.FloatType, t.ComplexType)):
                return f"{'operand' if type is source else 'result'} must be int/float/complex"
            element = _element(type)
            width = getattr(element, "width", 0)
            widths.append(2 * width if element is not type else width)
        if isinstance(source, t.ComplexType) == isinstance(target, t.ComplexType):
            return "requires that either input or output has a complex type"
        return None if widths[0] == widths[1] else "casting bitwidths do not match"
