"""Families of like operations: members differ in name and meaning, everything else is their base class's.

    class FloatBinaryOp(Operation):
        lhs = operand(FLOAT_LIKE)
        ...

    AddFOp = member(FloatBinaryOp, "arith.addf", "Sum.", tr.COMMUTATIVE)

is what `class AddFOp(FloatBinaryOp)` with a name, a docstring and one more trait would be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..ir.declaration.constraints import AttributeConstraint
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser

Member = TypeVar("Member", bound=Operation)


def member(base: type[Member], name: str, doc: str, *traits: tr.Trait, **more: Any) -> type[Member]:
    """Declare the operation `name` as a member of the family `base`, with further traits and class attributes."""
    mnemonic = name.partition(".")[2].replace(".", "_")
    words = "".join(word.capitalize() for word in mnemonic.split("_"))
    namespace: dict[str, Any] = {
        "name": name,
        "__doc__": doc,
        "__module__": base.__module__,
        "traits": (*getattr(base, "traits", ()), *traits),
        **more,
    }
    return type(base)(f"{words}Op", (base,), namespace)


def i1_like(type: t.Type) -> t.Type:
    """`i1`, in the shape of `type` if it has one: the type of a comparison of such values."""
    if isinstance(type, (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)):
        return type.with_element(t.I1)
    return t.I1


def flag_set(
    dialect: str,
    mnemonic: str,
    cases: tuple[str, ...],
    separator: str,
    *,
    everything: str | None,
    summary: str,
    cpp: str,
) -> AttributeConstraint:
    """A set of flags `#dialect.mnemonic<a, b>`, written `<a, b>` behind its keyword.

    `cases` are in printing order, the empty set is `none`, and `everything` names the full set. The parser accepts
    any order; the attribute holds the canonical text, so that equal sets are one attribute.
    """
    words = frozenset(cases) | {"none"} | ({everything} if everything else set())

    def canonical(given: list[str]) -> a.Attribute:
        chosen = set(given) - {"none"}
        if everything and (everything in chosen or len(chosen) == len(cases)):
            body = everything
        else:
            body = separator.join(case for case in cases if case in chosen) or "none"
        return a.DialectAttr(dialect, f"{mnemonic}<{body}>")

    def parse(p: OpParser) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        p.expect("<")
        given: list[str] = []
        while True:
            start = p.skip()
            word = p.optional_keyword()
            if word is None or word not in words:
                shown = "none, " + ", ".join(cases) + (f", {everything}" if everything else "")
                p.error(f"expected {cpp} to be one of: {shown}", start)
            given.append(word)
            if not p.accept(","):
                break
        p.expect(">")
        return canonical(given)

    def test(attr: a.Attribute) -> bool:
        return (
            isinstance(attr, a.DialectAttr)
            and attr.dialect == dialect
            and attr.mnemonic == mnemonic
            and all(word.strip() in words for word in attr.parameters.split(","))
        )

    return AttributeConstraint(
        summary,
        test,
        parse,
        lambda p, attr: f"<{attr.parameters}>",  # pyright: ignore[reportAttributeAccessIssue]
    )


FASTMATH_CASES = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
FASTMATH_ATTR = flag_set(
    "arith",
    "fastmath",
    FASTMATH_CASES,
    ",",
    everything="fast",
    summary="Floating point fast math flags",
    cpp="::mlir::arith::FastMathFlags",
)
"""Liberties an optimizer may take with floating-point arithmetic."""
NO_FASTMATH = a.DialectAttr("arith", "fastmath<none>")
