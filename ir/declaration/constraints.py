"""Constraints on operands, results and attributes, with MLIR's descriptions.

A `TypeConstraint` is a predicate on one type and a summary that completes "operand #0 must be ...". A constraint that
a single type satisfies (`exactly(INDEX)`) also names it, so that assembly formats need not spell it.
An `AttributeConstraint` adds how the attribute is written inside an assembly format, where types are often implied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..types import attributes as a, types as t


class AttributeReader(Protocol):
    """The part of the operation parser's interface that parsing the short form of an attribute needs."""

    attribute_name: str

    @property
    def position(self) -> int: ...

    def attribute(self, type: t.Type | None = None) -> a.Attribute: ...

    def keyword(self) -> str: ...

    def optional_string(self) -> Any: ...

    def peek(self, token: str) -> bool: ...

    def accept(self, token: str) -> bool: ...

    def expect(self, token: str) -> object: ...

    def error(self, message: str, start: int) -> object: ...


class TypeConstraint:
    """A set of types.

    Attributes:
        summary: completes "must be ...", in MLIR's words.
        test: the membership predicate.
        only: the single member, if there is just one.
        short: the prefix `!dialect.name` of all members, if assembly formats omit it: `<f32>`; else empty.
        kinds: the classes of all members, if there are few; the only classes that `type($x)` parses.
    """

    __slots__ = ("kinds", "only", "short", "summary", "test")

    def __init__(
        self,
        summary: str,
        test: Callable[[t.Type], bool],
        only: t.Type | None = None,
        short: str = "",
        kinds: tuple[type[t.Type], ...] = (),
    ):
        self.summary = summary
        self.test = test
        self.only = only
        self.short = short
        self.kinds = kinds

    def __repr__(self) -> str:
        return f"<{self.summary}>"


def exactly(type: t.Type, summary: str | None = None) -> TypeConstraint:
    """The set with one member."""
    return TypeConstraint(str(type) if summary is None else summary, lambda other: other is type, type)


def any_of(*constraints: TypeConstraint, summary: str | None = None) -> TypeConstraint:
    """The union of sets; by default its summary joins theirs with "or"."""
    tests = tuple(c.test for c in constraints)
    return TypeConstraint(
        summary or " or ".join(c.summary for c in constraints), lambda type: any(test(type) for test in tests)
    )


def instance(kind: type[t.Type] | tuple[type[t.Type], ...], summary: str) -> TypeConstraint:
    return TypeConstraint(summary, lambda type: isinstance(type, kind), kinds=_kinds(kind))


def container(
    kind: type[t.Type] | tuple[type[t.Type], ...], summary: str, element: TypeConstraint | None = None
) -> TypeConstraint:
    """Shaped types of that class whose element type satisfies `element`; the summary is "SUMMARY of ELEMENT values"."""
    if element is None:
        return TypeConstraint(
            f"{summary} of any type values", lambda type: isinstance(type, kind), kinds=_kinds(kind)
        )
    inner = element.test
    return TypeConstraint(
        f"{summary} of {element.summary} values",
        lambda type: isinstance(type, kind) and inner(type.element),  # pyright: ignore[reportAttributeAccessIssue]
        kinds=_kinds(kind),
    )


def _kinds(kind: type[t.Type] | tuple[type[t.Type], ...]) -> tuple[type[t.Type], ...]:
    return kind if isinstance(kind, tuple) else (kind,)


def _like(scalar: TypeConstraint, summary: str) -> TypeConstraint:
    """The scalar, or a vector or tensor of it."""
    inner = scalar.test
    return TypeConstraint(
        summary,
        lambda type: (
            inner(type)
            or (
                isinstance(type, (t.VectorType, t.RankedTensorType, t.UnrankedTensorType))
                and inner(type.element)
            )
        ),
    )


ANY_TYPE = TypeConstraint("any type", lambda _: True)
INDEX = exactly(t.INDEX, "index")
I1 = exactly(t.I1, "1-bit signless integer")
I8 = exactly(t.I8, "8-bit signless integer")
I16 = exactly(t.I16, "16-bit signless integer")
I32 = exactly(t.I32, "32-bit signless integer")
I64 = exactly(t.I64, "64-bit signless integer")
F16 = exactly(t.F16, "16-bit float")
F32 = exactly(t.F32, "32-bit float")
F64 = exactly(t.F64, "64-bit float")
ANY_INTEGER = instance(t.IntegerType, "integer")
ANY_SIGNLESS_INTEGER = TypeConstraint(
    "signless integer", lambda x: isinstance(x, t.IntegerType) and x.signedness == "signless"
)
ANY_FLOAT = instance(t.FloatType, "floating-point")
SIGNLESS_INTEGER_OR_INDEX = TypeConstraint(
    "signless integer or index", lambda x: x is t.INDEX or ANY_SIGNLESS_INTEGER.test(x)
)
SIGNLESS_INTEGER_OR_FLOAT = TypeConstraint(
    "signless integer or floating-point", lambda x: ANY_FLOAT.test(x) or ANY_SIGNLESS_INTEGER.test(x)
)
SIGNLESS_INTEGER_LIKE = _like(SIGNLESS_INTEGER_OR_INDEX, "signless-integer-like")
SIGNLESS_FIXED_WIDTH_INTEGER_LIKE = _like(ANY_SIGNLESS_INTEGER, "signless-fixed-width-integer-like")
FLOAT_LIKE = _like(ANY_FLOAT, "floating-point-like")
BOOL_LIKE = _like(I1, "bool-like")
ANY_TENSOR = container((t.RankedTensorType, t.UnrankedTensorType), "tensor")
ANY_RANKED_TENSOR = container(t.RankedTensorType, "ranked tensor")
ANY_MEMREF = container(t.MemRefType, "memref")
ANY_RANKED_OR_UNRANKED_MEMREF = TypeConstraint(
    "ranked or unranked memref of any type values",
    lambda x: isinstance(x, (t.MemRefType, t.UnrankedMemRefType)),
    kinds=(t.MemRefType, t.UnrankedMemRefType),
)
ANY_VECTOR = container(t.VectorType, "vector")
ANY_SHAPED = TypeConstraint(
    "shaped of any type values",
    lambda x: isinstance(
        x, (t.RankedTensorType, t.UnrankedTensorType, t.MemRefType, t.UnrankedMemRefType, t.VectorType)
    ),
)
TENSOR_OR_MEMREF = TypeConstraint(
    "tensor or memref of any type values",
    lambda x: isinstance(x, (t.RankedTensorType, t.UnrankedTensorType, t.MemRefType, t.UnrankedMemRefType)),
)


class AttributeConstraint:
    """A set of attributes, and the short form of its members where their kind is known.

    Attributes:
        summary: completes "attribute 'x' failed to satisfy constraint: ...".
        test: the membership predicate.
        parse: parses the short form at the parser's cursor.
        print: the short form as text.
    """

    __slots__ = ("cases", "parse", "print", "summary", "test")

    def __init__(
        self,
        summary: str,
        test: Callable[[a.Attribute], bool],
        parse: Callable[..., a.Attribute] | None = None,
        print: Callable[..., str] | None = None,
        cases: dict[str, a.Attribute] | None = None,
    ):
        self.cases = cases
        """For enumerations spelled as one keyword: the members by keyword."""
        self.summary = summary
        self.test = test
        self.parse = parse or (lambda p: p.attribute())
        self.print = print or (lambda p, attr: p.attribute(attr))

    def __repr__(self) -> str:
        return f"<{self.summary}>"


def attribute_instance(
    kind: type[a.Attribute] | tuple[type[a.Attribute], ...], summary: str
) -> AttributeConstraint:
    return AttributeConstraint(summary, lambda attr: isinstance(attr, kind))


def integer_attribute(type: t.Type, summary: str) -> AttributeConstraint:
    """Integers of one type, spelled without it."""
    return AttributeConstraint(
        summary,
        lambda attr: isinstance(attr, a.IntegerAttr) and attr.type is type,
        lambda p: p.attribute(type),
        lambda p, attr: p.attribute_without_type(attr),
    )


ANY_ATTR = AttributeConstraint("any attribute", lambda _: True)
TYPED_ATTR = AttributeConstraint(
    "TypedAttr instance",
    lambda attr: getattr(attr, "type", None) is not None or isinstance(attr, a.StringAttr),
)
UNIT_ATTR = attribute_instance(a.UnitAttr, "unit attribute")
BOOL_ATTR = integer_attribute(t.I1, "bool attribute")
I32_ATTR = integer_attribute(t.I32, "32-bit signless integer attribute")
I64_ATTR = integer_attribute(t.I64, "64-bit signless integer attribute")
INDEX_ATTR = integer_attribute(t.INDEX, "index attribute")
STRING_ATTR = AttributeConstraint(
    "string attribute",
    lambda attr: isinstance(attr, a.StringAttr),
    # a colon after it belongs to the operation, not to a typed string
    lambda p: a.StringAttr(p.string()) if p.peek('"') else p.attribute(),
)
SYMBOL_NAME_ATTR = AttributeConstraint(
    "string attribute",
    lambda attr: isinstance(attr, a.StringAttr),
    lambda p: p.symbol_name(),
    lambda p, attr: p.symbol_name(attr),
)
SYMBOL_REF_ATTR = attribute_instance(a.SymbolRefAttr, "symbol reference attribute")
FLAT_SYMBOL_REF_ATTR = AttributeConstraint(
    "flat symbol reference attribute", lambda attr: isinstance(attr, a.SymbolRefAttr) and not attr.nested
)
TYPE_ATTR = AttributeConstraint(
    "any type attribute",
    lambda attr: isinstance(attr, a.TypeAttr),
    lambda p: a.TypeAttr(p.type()),
    lambda p, attr: p.type(attr.type),  # pyright: ignore[reportAttributeAccessIssue]
)
ARRAY_ATTR = attribute_instance(a.ArrayAttr, "array attribute")
DICTIONARY_ATTR = attribute_instance(a.DictionaryAttr, "dictionary of named attribute values")
AFFINE_MAP_ATTR = attribute_instance(a.AffineMapAttr, "AffineMap attribute")
ELEMENTS_ATTR = attribute_instance(
    (a.DenseElementsAttr, a.DenseResourceAttr, a.SparseElementsAttr), "constant vector/tensor attribute"
)


def array_of(element: AttributeConstraint, summary: str) -> AttributeConstraint:
    """Array attributes whose members all satisfy `element`."""
    return AttributeConstraint(
        summary, lambda attr: isinstance(attr, a.ArrayAttr) and all(element.test(x) for x in attr)
    )


I64_ARRAY_ATTR = array_of(I64_ATTR, "64-bit integer array attribute")
BOOL_ARRAY_ATTR = array_of(BOOL_ATTR, "1-bit boolean array attribute")
AFFINE_MAP_ARRAY_ATTR = array_of(AFFINE_MAP_ATTR, "AffineMap array attribute")


def dense_array(element: t.IntegerType, summary: str) -> AttributeConstraint:
    """`array<i64: 1, 2>`, written `[1, 2]`."""
    return AttributeConstraint(
        summary,
        lambda attr: isinstance(attr, a.DenseArrayAttr) and attr.element is element,
        lambda p: p.dense_array(element),
        lambda p, attr: p.dense_array(attr),
    )


DENSE_I32_ARRAY = dense_array(t.I32, "i32 dense array attribute")
DENSE_I64_ARRAY = dense_array(t.I64, "i64 dense array attribute")


def integer_enum(
    type: t.IntegerType, cases: Sequence[str] | dict[str, int], summary: str
) -> AttributeConstraint:
    """An enumeration stored as an integer attribute and spelled as its keyword: `arith.cmpi slt`."""
    values = dict(cases) if isinstance(cases, dict) else {case: i for i, case in enumerate(cases)}
    names = {value: case for case, value in values.items()}

    def parse(p: AttributeReader) -> a.Attribute:
        start = p.position
        word = p.optional_string() if p.peek('"') else p.keyword()
        if word not in values:
            p.error(
                "expected string or keyword containing one of the following enum values for attribute "
                f"'{p.attribute_name}' [{', '.join(values)}]",
                start,
            )
        return a.IntegerAttr(values[word], type)

    return AttributeConstraint(
        summary,
        lambda attr: isinstance(attr, a.IntegerAttr) and attr.type is type and attr.value in names,
        parse,
        lambda p, attr: names[attr.value],  # pyright: ignore[reportAttributeAccessIssue]
        {case: a.IntegerAttr(value, type) for case, value in values.items()},
    )


def dialect_enum(
    dialect: str,
    mnemonic: str,
    cases: Sequence[str],
    *,
    bracketed: bool = False,
    separator: str | None = None,
) -> AttributeConstraint:
    """An enumeration of a dialect, `#arith.fastmath<fast>`; spelled `fast` in formats, or `<fast>` if `bracketed`.

    `separator` ("," or "|") makes it a bit set of several cases, printed in the order of `cases`.
    """
    allowed = frozenset(cases)
    prefix = f"{mnemonic}<"

    def words_of(attr: a.Attribute) -> str:
        assert isinstance(attr, a.DialectAttr)
        return attr.body[len(prefix) : -1]

    def test(attr: a.Attribute) -> bool:
        if not isinstance(attr, a.DialectAttr) or attr.dialect != dialect or not attr.body.startswith(prefix):
            return False
        words = words_of(attr).split(separator) if separator else [words_of(attr)]
        return all(word.strip() in allowed for word in words)

    def parse(p: AttributeReader) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        if bracketed:
            p.expect("<")
        words = []
        while True:
            start = p.position
            word = p.keyword()
            if word not in allowed:
                p.error(f"expected one of {', '.join(cases)} for {mnemonic}, got: {word}", start)
            words.append(word)
            if separator is None or not p.accept(separator):
                break
        if bracketed:
            p.expect(">")
        return enum_attribute(words)

    def enum_attribute(words: Sequence[str]) -> a.Attribute:
        joined = (separator or "").join(words) if separator != "," else ",".join(words)
        return a.DialectAttr(dialect, f"{mnemonic}<{joined}>")

    return AttributeConstraint(
        f"{dialect}.{mnemonic} attribute",
        test,
        parse,
        (lambda p, attr: f"<{words_of(attr)}>") if bracketed else (lambda p, attr: words_of(attr)),
    )


TYPES = {found.summary: found for found in list(globals().values()) if isinstance(found, TypeConstraint)}
"""Type constraints by summary, which is how ODS records name them."""
for constraint in (
    instance(t.ComplexType, "complex-type"),
    instance((t.IntegerType, t.IndexType), "integer or index"),
    TypeConstraint(
        "complex type with floating-point elements",
        lambda x: isinstance(x, t.ComplexType) and isinstance(x.element, t.FloatType),
    ),
):
    TYPES[constraint.summary] = constraint

ATTRIBUTES = {found.summary: found for found in (ARRAY_ATTR, DICTIONARY_ATTR, STRING_ATTR)}
"""Attribute constraints that ODS records name by summary without specifying a short form."""
ATTRIBUTES["index elements attribute"] = AttributeConstraint(
    "index elements attribute",
    lambda attr: isinstance(attr, a.DenseElementsAttr) and attr.type.element is t.INDEX,
)
