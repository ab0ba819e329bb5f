"""The `index` dialect: arithmetic on `index` values, whose width is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration.constraints import BOOL_ATTR, I1, INDEX, INDEX_ATTR, AttributeConstraint, TypeConstraint
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import member
from .common import NoMemoryEffectOp, cast_incompatible

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


class IndexBinaryOp(NoMemoryEffectOp):
    """Two indices to one."""

    lhs = operand(INDEX)
    rhs = operand(INDEX)
    result = result(INDEX)
    assembly_format = "$lhs `,` $rhs attr-dict"


AddOp = member(IndexBinaryOp, "index.add", "Sum, modulo the width.", tr.COMMUTATIVE, tr.PURE)
SubOp = member(IndexBinaryOp, "index.sub", "Difference, modulo the width.", tr.PURE)
MulOp = member(IndexBinaryOp, "index.mul", "Product, modulo the width.", tr.COMMUTATIVE, tr.PURE)
DivSOp = member(IndexBinaryOp, "index.divs", "Signed quotient, rounded towards zero; undefined for 0.")
DivUOp = member(IndexBinaryOp, "index.divu", "Unsigned quotient; undefined for 0.")
CeilDivSOp = member(IndexBinaryOp, "index.ceildivs", "Signed quotient, rounded up; undefined for 0.")
CeilDivUOp = member(IndexBinaryOp, "index.ceildivu", "Unsigned quotient, rounded up; undefined for 0.")
FloorDivSOp = member(IndexBinaryOp, "index.floordivs", "Signed quotient, rounded down; undefined for 0.")
RemSOp = member(IndexBinaryOp, "index.rems", "Signed remainder; undefined for 0.")
RemUOp = member(IndexBinaryOp, "index.remu", "Unsigned remainder; undefined for 0.")
MaxSOp = member(IndexBinaryOp, "index.maxs", "Signed maximum.", tr.COMMUTATIVE, tr.PURE)
MaxUOp = member(IndexBinaryOp, "index.maxu", "Unsigned maximum.", tr.COMMUTATIVE, tr.PURE)
MinSOp = member(IndexBinaryOp, "index.mins", "Signed minimum.", tr.COMMUTATIVE, tr.PURE)
MinUOp = member(IndexBinaryOp, "index.minu", "Unsigned minimum.", tr.COMMUTATIVE, tr.PURE)
ShlOp = member(IndexBinaryOp, "index.shl", "Left shift.", tr.PURE)
ShrSOp = member(IndexBinaryOp, "index.shrs", "Right shift that fills with the sign.", tr.PURE)
ShrUOp = member(IndexBinaryOp, "index.shru", "Right shift that fills with zeros.", tr.PURE)
AndOp = member(IndexBinaryOp, "index.and", "Bitwise and.", tr.COMMUTATIVE, tr.PURE)
OrOp = member(IndexBinaryOp, "index.or", "Bitwise or.", tr.COMMUTATIVE, tr.PURE)
XOrOp = member(IndexBinaryOp, "index.xor", "Bitwise exclusive or.", tr.COMMUTATIVE, tr.PURE)


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


INTEGER_OR_INDEX = TypeConstraint(
    "integer or index", lambda type: isinstance(type, (t.IntegerType, t.IndexType))
)


class IndexCastOp(Operation):
    """Between `index` and an integer."""

    input = operand(INTEGER_OR_INDEX)
    output = result(INTEGER_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def verify(self) -> str | None:
        if (self.operands[0].type is t.INDEX) == (self.results[0].type is t.INDEX):
            return cast_incompatible(self)
        return None


CastSOp = member(IndexCastOp, "index.casts", "Between `index` and an integer, sign-extended or cut.")
CastUOp = member(IndexCastOp, "index.castu", "Between `index` and an integer, zero-extended or cut.")


class SizeOfOp(Operation):
    """The width of `index` in bits."""

    name = "index.sizeof"
    result = result(INDEX)
    traits = (tr.PURE,)
    assembly_format = "attr-dict"


class ConstantOp(Operation):
    """An index known in the program's text."""

    name = "index.constant"
    value = attribute(INDEX_ATTR)
    result = result(INDEX)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "attr-dict $value"

    def result_names(self) -> list[str | None]:
        return [f"idx{self.value.value}"]


class BoolConstantOp(Operation):
    """A truth value."""

    name = "index.bool.constant"
    value = attribute(BOOL_ATTR)
    result = result(I1)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "attr-dict $value"

    def result_names(self) -> list[str | None]:
        return ["true" if self.value.value else "false"]
