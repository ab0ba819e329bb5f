"""The `complex` dialect: additions to MLIR's ODS records."""

from ..ir.program.core import Operation
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .ods import operations_of


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.ComplexType) else type


class _Constant(Operation):
    """A complex constant: real part, imaginary part."""

    result_name = "cst"

    def verify(self) -> str | None:
        parts = expect(a.ArrayAttr, self.properties["value"]).elements
        if len(parts) != 2:
            return "requires 'value' to be a complex constant, represented as array of two values"
        element = _element(self.results[0].type)
        for part in parts:
            if not isinstance(part, (a.FloatAttr, a.IntegerAttr)):
                return "requires attribute's elements to be float attributes"
            if part.type is not element:
                types = ", ".join(f"'{getattr(other, 'type', None)}'" for other in parts)
                return f"requires attribute's element types ({types}) to match the element type of the op's return type ('{element}')"
        return None


class _Bitcast(Operation):
    """The same bits under another type of the same width, complex or not."""

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


__getattr__ = operations_of("complex", {"complex.constant": _Constant, "complex.bitcast": _Bitcast})
