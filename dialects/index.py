"""The `index` and `complex` dialects: additions to MLIR's ODS records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration.constraints import I1, INDEX, AttributeConstraint
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .common import cast_incompatible
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.ComplexType) else type


class _ComplexConstant(Operation):
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


operations_of("complex", {"complex.constant": _ComplexConstant, "complex.bitcast": _Bitcast})


PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _parse_predicate(p: OpParser) -> a.Attribute:
    start = p.skip()
    word = p.optional_keyword()
    if word not in PREDICATES:
        p.error(f"expected ::mlir::index::IndexCmpPredicate to be one of: {', '.join(PREDICATES)}", start)
    return predicate_attr(word)


def predicate_attr(word: str) -> a.DialectAttr:
    return a.DialectAttr("index", f"cmp_predicate {word}")


def _predicate_word(attr: a.Attribute) -> str:
    return attr.body.partition(" ")[2].strip() if isinstance(attr, a.DialectAttr) else ""


PREDICATE_ATTR = AttributeConstraint(
    "index comparison predicate kind",
    lambda attr: (
        isinstance(attr, a.DialectAttr) and attr.dialect == "index" and _predicate_word(attr) in PREDICATES
    ),
    _parse_predicate,
    lambda p, attr: f" {_predicate_word(attr)}",
)


class CmpOp(Operation):
    """Compares indices."""

    name = "index.cmp"
    pred = attribute(PREDICATE_ATTR)
    lhs = operand(INDEX)
    rhs = operand(INDEX)
    result = result(I1)
    traits = (tr.PURE,)
    assembly_format = "`` $pred `(` $lhs `,` $rhs `)` attr-dict"

    @property
    def predicate(self) -> str:
        return _predicate_word(self.pred)


class _Cast(Operation):
    """Casts between `index` and an integer."""

    def verify(self) -> str | None:
        if (self.operands[0].type is t.INDEX) == (self.results[0].type is t.INDEX):
            return cast_incompatible(self)
        return None


class _Constant(Operation):
    """A constant index or boolean."""

    def result_names(self) -> list[str | None]:
        value = expect(a.IntegerAttr, self.properties["value"])
        return [f"idx{value.value}" if value.type is t.INDEX else ("true" if value.value else "false")]


__getattr__ = operations_of(
    "index",
    {
        "index.casts": _Cast,
        "index.castu": _Cast,
        "index.constant": _Constant,
        "index.bool.constant": _Constant,
    },
)
