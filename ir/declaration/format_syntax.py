"""Parses MLIR's declarative assembly formats, and derives the types that they omit.

`"$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)"` becomes a tuple of the classes below;
`bufferize.ir.text.format_parser` and `format_printer` define their meaning. A malformed format is a bug of this
package, so it raises a plain `ValueError` when the operation is first parsed or printed; a test compiles every format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from ..program import traits as tr
from ..program.core import Operation, Region
from ..source.records import record
from ..types import attributes as a, types as t
from .declare import SINGLE, VARIADIC, AttributeField, OpDefinition, _ValueField


@record(frozen=True)
class Literal:
    text: str


@record(frozen=True)
class Space:
    """An explicit space, newline, or (empty) the suppression of a space."""

    text: str


@record(frozen=True)
class Variable:
    """`$name`: an operand, attribute, region or successor field.

    `qualified($name)` prints an attribute with its full name.
    """

    name: str
    qualified: bool = False


@record(frozen=True)
class TypeOf:
    """`type($name)`, `type(operands)`, `type(results)`. `qualified(type($name))` prints it with its full name."""

    name: str
    qualified: bool = False


@record(frozen=True)
class Directive:
    """`attr-dict`, `attr-dict-with-keyword`, `prop-dict`, `operands`, `regions`, `successors`."""

    kind: str


@record(frozen=True)
class FunctionalType:
    inputs: str
    results: str


@record(frozen=True)
class Custom:
    """`custom<Name>($a, type($b), ref($c))`; arguments are Variable, TypeOf or (for ref) Ref."""

    name: str
    arguments: tuple[Element, ...]


@record(frozen=True)
class Ref:
    """`ref(...)`: passes an already parsed element to a custom directive."""

    element: Element


@record(frozen=True)
class Group:
    """`(...^...)?` with an optional `:(...)`: present if the anchor is."""

    then: tuple[Element, ...]
    otherwise: tuple[Element, ...]
    anchor: Element


@record(frozen=True)
class AnyOrder:
    """`oilist(...)`: clauses that start with a literal and may come in any order, each at most once."""

    clauses: tuple[tuple[Literal, tuple[Element, ...]], ...]


Element: TypeAlias = (
    Literal | Space | Variable | TypeOf | Directive | FunctionalType | Custom | Ref | Group | AnyOrder
)

_TOKEN = re.compile(r'\s*(?:(`[^`]*`)|("[^"]*")|(\$\w+)|([a-z][\w-]*)|(.))', re.DOTALL)
_DIRECTIVES = frozenset(
    ["attr-dict", "attr-dict-with-keyword", "prop-dict", "operands", "regions", "successors", "results"]
)


def read_format(text: str) -> tuple[Element, ...]:
    """The elements of a format.

    Raises:
        ValueError: the format is malformed.
    """
    tokens = [m.group(m.lastindex or 0) for m in _TOKEN.finditer(text.strip())]
    reader = _Reader(tokens, text)
    elements, _ = reader.sequence(until=None)
    return elements


class _Reader:
    def __init__(self, tokens: list[str], text: str):
        self.tokens = tokens
        self.at = 0
        self.text = text

    def fail(self, what: str) -> ValueError:
        return ValueError(f"{what} in assembly format {self.text!r}")

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise self.fail(f"expected {expected or 'more'}, found {token or 'the end'}")
        self.at += 1
        return token

    def sequence(self, until: str | None) -> tuple[tuple[Element, ...], Element | None]:
        """Elements up to `until` (consumed), and the one marked with `^`, if any."""
        elements: list[Element] = []
        anchor: Element | None = None
        while True:
            token = self.peek()
            if token == (until or ""):
                if until is not None:
                    self.take()
                return tuple(elements), anchor
            if token == "^":
                self.take()
                anchor = elements[-1]
            else:
                elements.append(self.element())

    def element(self) -> Element:
        token = self.take()
        if token.startswith("`"):
            inner = token[1:-1]
            return (
                Space(inner.replace("\\n", "\n")) if inner.strip() == "" or inner == "\\n" else Literal(inner)
            )
        if token.startswith('"'):
            return Literal(token[1:-1])
        if token.startswith("$"):
            return Variable(token[1:])
        if token == "(":
            return self.group()
        if token in _DIRECTIVES:
            return Directive(token)
        if token == "type":
            return TypeOf(self.argument_name())
        if token == "qualified":
            self.take("(")
            inner = self.element()
            self.take(")")
            return type(inner)(inner.name, True) if isinstance(inner, (Variable, TypeOf)) else inner
        if token == "ref":
            self.take("(")
            inner = self.element()
            self.take(")")
            return Ref(inner)
        if token == "functional-type":
            self.take("(")
            inputs = self.take().lstrip("$")
            self.take(",")
            results = self.take().lstrip("$")
            self.take(")")
            return FunctionalType(inputs, results)
        if token == "custom":
            return self.custom()
        if token == "oilist":
            return self.any_order()
        raise self.fail(f"unexpected {token!r}")

    def argument_name(self) -> str:
        self.take("(")
        name = self.take().lstrip("$")
        self.take(")")
        return name

    def group(self) -> Group:
        then, anchor = self.sequence(until=")")
        otherwise: tuple[Element, ...] = ()
        if self.peek() == ":":
            self.take()
            self.take("(")
            otherwise, other_anchor = self.sequence(until=")")
            anchor = anchor or other_anchor
        self.take("?")
        if anchor is None:
            raise self.fail("optional group without an anchor")
        return Group(then, otherwise, anchor)

    def custom(self) -> Custom:
        self.take("<")
        name = ""
        while self.peek() != ">":
            name += self.take()
        self.take(">")
        self.take("(")
        arguments: list[Element] = []
        while self.peek() != ")":
            arguments.append(self.element())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return Custom(name, tuple(arguments))

    def any_order(self) -> AnyOrder:
        self.take("(")
        clauses: list[tuple[Literal, list[Element]]] = []
        while self.peek() != ")":
            if self.peek() == "|":
                self.take()
            element = self.element()
            if isinstance(element, Literal) and (not clauses or self.tokens[self.at - 2] in ("|", "(")):
                clauses.append((element, []))
            else:
                clauses[-1][1].append(element)
        self.take(")")
        return AnyOrder(tuple((literal, tuple(elements)) for literal, elements in clauses))


# Shared by parsing and printing: `custom<Name>` directives and region requests.

DIRECTIVES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
"""`custom<Name>` directives shared by dialects: (parser, printer). A class may define its own in `directives`."""


def directive_of(cls: type[Operation], name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    own = cls.directives
    if name in own:
        return own[name]
    if name in DIRECTIVES:
        return DIRECTIVES[name]
    raise ValueError(f"{cls.name} uses the unknown directive custom<{name}>")


class AttributeSlot:
    """Access to one attribute for a custom directive while an operation is parsed."""

    __slots__ = ("key", "properties")

    def __init__(self, properties: dict[str, a.Attribute], key: str):
        self.properties = properties
        self.key = key

    def set(self, value: a.Attribute) -> None:
        self.properties[self.key] = value

    def get(self) -> a.Attribute | None:
        return self.properties.get(self.key)


@record(eq=False, repr=False)
class RegionPrint:
    """A request to print a region in braces, yielded by forms with regions."""

    region: Region
    entry_args: bool
    terminators: bool
    empty_block: bool
    deeper: bool = False
    """Whether the form is on a line of its own, indented one level more than the operation."""


# -- Derives the types that an assembly format omits.
#
# A format spells some types; the others follow: a constraint may allow only one type, a trait may equate types or compute
# one from another, results may be inferred. The order of derivation depends on the declaration alone, so it is computed
# once.


class TypedOperands(Protocol):
    """The inputs of a derivation: the operands and types collected so far, and the operation's attributes."""

    uses: dict[str, list[Any]]
    types: dict[str, list[t.Type]]
    parsed: Any


class TypePlan:
    """The order in which types that the format omits are derived."""

    def __init__(self, definition: OpDefinition, elements: tuple[Element, ...]):
        explicit = _spelled(elements)
        self.all_operands = "*operands" in explicit
        self.all_results = "*results" in explicit
        known = set(explicit)
        fields = definition.operands + definition.results
        if self.all_operands:
            known |= {f.name for f in definition.operands}
        if self.all_results:
            known |= {f.name for f in definition.results}
        self.derivations: list[tuple[str, Callable[[TypedOperands], list[t.Type] | None]]] = []
        """Fields, with the computation of their types from those of earlier ones."""
        for f in fields:
            fixed_count = f.arity == SINGLE or not f.of_results
            if f.name not in known and f.constraint.only is not None and fixed_count:
                self.derivations.append((f.name, _constant(f.constraint.only, f)))
                known.add(f.name)
        changed = True
        rules = [r for trait in definition.traits for r in equations(trait, definition)]
        while changed:
            changed = False
            for source, target, compute in rules:
                if target not in known and source in known:
                    self.derivations.append((target, compute))
                    known.add(target)
                    changed = True
        self.infer: Callable[[Any], list[t.Type]] | None = None
        for trait in definition.traits:
            if isinstance(trait, tr.InferResultTypes):
                self.infer = trait.infer
        self.missing = [f.name for f in definition.operands if f.name not in known]
        self.needs_inference = any(f.name not in known for f in definition.results)


def _spelled(elements: tuple[Element, ...]) -> set[str]:
    names: set[str] = set()
    for e in elements:
        match e:
            case TypeOf(name):
                names.add("*" + name if name in ("operands", "results") else name)
            case FunctionalType(inputs, results):
                names.update("*" + n if n in ("operands", "results") else n for n in (inputs, results))
            case Group():
                names |= _spelled(e.then) | _spelled(e.otherwise)
            case AnyOrder():
                for _, body in e.clauses:
                    names |= _spelled(body)
            case Custom():
                names |= {x.name for x in e.arguments if isinstance(x, TypeOf)}
            case _:
                pass
    return names


def _constant(type: t.Type, field: _ValueField) -> Callable[[TypedOperands], list[t.Type]]:
    if field.of_results:
        return lambda state: [type]
    name = field.name
    return lambda state: [type] * len(state.uses[name])


def equations(trait: tr.Trait, definition: OpDefinition):
    """The type equations of a trait: (known field, derived field, computation)."""
    fields = definition.operands + definition.results

    def copy(source: str, target: _ValueField) -> Callable[[TypedOperands], list[t.Type] | None]:
        def compute(state: TypedOperands) -> list[t.Type] | None:
            known = state.types.get(source)
            if not known:
                return None
            count = 1 if target.of_results or target.arity == SINGLE else len(state.uses[target.name])
            return [known[0]] * count

        return compute

    if trait is tr.SAME_OPERANDS_AND_RESULT_TYPE:
        names = [f.name for f in fields]
    elif trait is tr.SAME_TYPE_OPERANDS:
        names = [f.name for f in definition.operands]
    elif isinstance(trait, tr.AllTypesMatch):
        names = list(trait.names)
    elif isinstance(trait, tr.TypesMatchWith):
        target = definition.fields[trait.target]
        source = definition.fields[trait.source]
        compute = trait.compute
        source_name = trait.source
        if isinstance(source, AttributeField):
            key = source.key

            def from_attribute(state: TypedOperands) -> list[t.Type] | None:
                value = state.parsed.properties.get(key)
                return None if value is None else _listed(compute(getattr(value, "type", value)))

            return [("@" + source_name, trait.target, from_attribute)]
        variadic = source.arity == VARIADIC
        fits = source.constraint.test

        def from_types(state: TypedOperands) -> list[t.Type] | None:
            known = state.types.get(source_name)
            if known is None or (not variadic and not known) or not all(fits(type) for type in known):
                return None  # a wrong type is reported as such; nothing can be derived from it
            return _listed(compute(known if variadic else known[0]))

        return [(source_name, target.name, from_types)]
    else:
        return []
    return [
        (source, target, copy(source, definition.fields[target]))
        for source in names
        for target in names
        if source != target
    ]


def _listed(types: Any) -> list[t.Type] | None:
    if types is None:
        return None
    return list(types) if isinstance(types, (list, tuple)) else [types]
