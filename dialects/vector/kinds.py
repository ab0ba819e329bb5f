"""Constraints and attributes shared by the `vector` operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.declaration import constraints as c
from ...ir.program import traits as tr
from ...ir.types import attributes as a, types as t
from ..common import element_of

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser

# -- types


def _is_vector(type: t.Type) -> bool:
    return isinstance(type, t.VectorType)


def has_rank(type: t.Type) -> bool:
    """Whether `type` is a vector of at least one dimension."""
    return isinstance(type, t.VectorType) and len(type.shape) > 0


def is_fixed(type: t.Type) -> bool:
    """Whether `type` is a vector without scalable dimensions."""
    return isinstance(type, t.VectorType) and True not in type.scalable_dims


ANY_VECTOR = c.TypeConstraint("vector of any type values", _is_vector)
RANKED_VECTOR = c.TypeConstraint("vector of any type values", has_rank)
FIXED_VECTOR = c.TypeConstraint("fixed-length vector of any type values", is_fixed)
MASK = c.TypeConstraint(
    "vector of 1-bit signless integer values",
    lambda x: isinstance(x, t.VectorType) and has_rank(x) and x.element is t.I1,
)
MASK_OF_ANY_RANK = c.TypeConstraint(
    "vector of 1-bit signless integer values", lambda x: isinstance(x, t.VectorType) and x.element is t.I1
)
FIXED_MASK = c.TypeConstraint(
    "fixed-length vector of 1-bit signless integer values", lambda x: MASK.test(x) and is_fixed(x)
)
INDEX_VECTOR = c.TypeConstraint(
    "vector of integer or index values",
    lambda x: (
        isinstance(x, t.VectorType) and has_rank(x) and isinstance(x.element, (t.IntegerType, t.IndexType))
    ),
)
FLOAT_VECTOR = c.TypeConstraint(
    "vector of floating-point values",
    lambda x: isinstance(x, t.VectorType) and isinstance(x.element, t.FloatType),
)
TENSOR_OR_MEMREF = c.TypeConstraint(
    "Tensor or MemRef of any type values", lambda x: t.is_tensor(x) or t.is_memref(x)
)

# -- attributes

KINDS = tuple("add mul minui minsi minnumf maxui maxsi maxnumf and or xor maximumf minimumf".split())


def _enumeration(mnemonic: str, cases: Sequence[str], cpp: str) -> c.AttributeConstraint:
    """`#vector.mnemonic<case>`, written `<case>`; `cpp` is what MLIR calls it in diagnostics."""
    base = c.dialect_enum("vector", mnemonic, cases, bracketed=True)

    def parse(p: OpParser) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        p.expect("<")
        at = p.skip()
        word = p.optional_keyword()
        if word not in cases:
            p.error(f"expected ::mlir::vector::{cpp} to be one of: {', '.join(cases)}", at)
        p.expect(">")
        return a.DialectAttr("vector", f"{mnemonic}<{word}>")

    return c.AttributeConstraint(base.summary, base.test, parse, base.print)


KIND = _enumeration("kind", KINDS, "CombiningKind")
"""The combining kinds of reductions."""

ADD = a.DialectAttr("vector", "kind<add>")

PUNCTUATION = _enumeration(
    "punctuation", ("no_punctuation", "newline", "comma", "open", "close"), "PrintPunctuation"
)
NEWLINE = a.DialectAttr("vector", "punctuation<newline>")


_FLOAT_KINDS = frozenset(["minnumf", "maxnumf", "minimumf", "maximumf"])


def kind_name(attr: a.Attribute) -> str:
    """`add` of `#vector.kind<add>`."""
    assert isinstance(attr, a.DialectAttr)
    return attr.parameters


def combines(kind: a.Attribute, element: t.Type) -> bool:
    """Whether a combining kind supports elements of that type."""
    name = kind_name(kind)
    if name in _FLOAT_KINDS:
        return isinstance(element, t.FloatType)
    if name in ("add", "mul"):
        return isinstance(element, (t.IntegerType, t.IndexType, t.FloatType))
    return isinstance(element, (t.IntegerType, t.IndexType))


def vector_type(type: t.Type) -> t.VectorType:
    """`type`, which the declaration guarantees to be a vector."""
    assert isinstance(type, t.VectorType)
    return type


# -- traits


class SameElementType(tr.Trait):
    """The named operands and results have the same element type; `summary` is MLIR's description."""

    def __init__(self, summary: str, *names: str):
        self.summary = summary
        self.names = names

    def check(self, op) -> str | None:
        if len({element_of(getattr(op, name).type) for name in self.names}) > 1:
            return f"failed to verify that {self.summary}"
        return None
