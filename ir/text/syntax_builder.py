"""The LALR parser of syntax.lark, with the actions that build types and attributes.

There is no parse tree: the value of each rule is the type or attribute it denotes. Importing this module loads the
tables, so syntax.py imports it when a text first needs it.

Values are built bottom-up, so the parser never recurses; the constructors limit the nesting of values
(uniquing.py, affine.py).
"""

from __future__ import annotations

import re
import threading
from typing import Any, Final, NoReturn, Protocol

from ..source import lalr
from ..source.text import NO_TOKEN, lazy_pattern, malformed
from ..types import affine, attributes as a, types as t
from ..types.affine import AffineDepthError, AffineExpr
from ..types.affine_map import AffineMap, IntegerSet
from ..types.uniquing import NestingError
from . import literals
from .dialect_text import attribute_error, dialect_attribute, dialect_type, type_error
from .literals import Mistake, number_attribute, string_value
from .tokens import explain, tokens

# Parts of types and attributes from tokens, with located errors.

MAX_SIZE: Final = (1 << 63) - 1
"""The largest extent; a larger one is a syntax error."""


class PlacedToken(Protocol):
    """A token's text and its position."""

    value: str
    start_pos: int


def mistake(token: PlacedToken, message: str) -> Mistake:
    return Mistake(message, token.start_pos, token.start_pos + len(token.value))


def body_extent(token: PlacedToken) -> tuple[int, int]:
    """The range of the text between `dense<` and `>`."""
    start = token.start_pos + token.value.index("<") + 1
    return start, token.start_pos + len(token.value) - 1


def integer_of(token: PlacedToken, message: str) -> int:
    value = token.value
    if len(value) > literals.MAX_DIGITS:
        raise mistake(token, message)
    number = int(value, 16) if value.startswith("0x") else int(value)
    if number > MAX_SIZE:
        raise mistake(token, message)
    return number


def shape_of(token: PlacedToken) -> tuple[int | None, ...]:
    opener = token.value
    at = opener.index("<") + 1
    sizes = opener[at:].split("x")[:-1]
    shape: list[int | None] = []
    for size in sizes:
        digits = size.strip(" \t\r\n[]")
        if digits == "?":
            shape.append(None)
            at += len(size) + 1
            continue
        if len(digits) > literals.MAX_DIGITS or int(digits) > MAX_SIZE:
            start = token.start_pos + at + len(size) - len(size.lstrip())
            raise Mistake("invalid dimension", start, start + len(digits))
        shape.append(int(digits))
        at += len(size) + 1
    return tuple(shape)


def memory_space_error(space: a.Attribute | None) -> str | None:
    if space is None or isinstance(space, a.IntegerAttr | a.StringAttr | a.DictionaryAttr | a.DialectAttr):
        return None
    return "unsupported memory space Attribute"


_DIALECT_SYMBOL = lazy_pattern(r"[!#]([\w$-]+)(?:\.([^<]*))?(?s:(<.*)?)", re.ASCII)


class Aliases(Protocol):
    """Names defined elsewhere that a text may use; see `SyntaxScope`."""

    types: dict[str, t.Type]
    attributes: dict[str, a.Attribute]


class _Builder(threading.local):
    """One method per rule; `children` are the values of its parts and the significant tokens. State is per thread."""

    def __init__(self) -> None:
        self.aliases: Aliases | None = None
        self.used_alias = False
        self.text = ""
        self.identifiers: dict[str, AffineExpr] = {}
        self.num_dims = 0
        self.num_symbols = 0

    def type_text(self, children: list[Any]) -> Any:
        return children[0]

    attribute_text = location_attribute = type_text

    # -- types

    def scalar(self, children: list[Any]) -> t.Type:
        token = children[0]
        try:
            found = t.named_type(token.value)
        except ValueError as error:
            raise mistake(token, str(error)) from None
        assert found is not None
        return found

    def shaped(self, children: list[Any]) -> t.Type:
        token, element, *rest = children
        opener = token.value
        is_memref = opener.startswith("memref")
        end = token.start_pos + len(opener)
        problem = t.element_error("memref" if is_memref else "tensor", element)
        if problem:
            raise Mistake(problem, end)
        if "*" in opener:
            return self._unranked(token, element, rest, is_memref)
        shape = shape_of(token)
        if not is_memref:
            if len(rest) > 1:
                raise mistake(token, "expected '>' in tensor type")
            return t.RankedTensorType(shape, element, rest[0] if rest else None)
        layout = memory_space = None
        for attribute in rest:
            if isinstance(attribute, a.AffineMapAttr | a.StridedLayoutAttr):
                if memory_space is not None:
                    raise mistake(token, "expected memory space to be last in memref type")
                layout = attribute
            elif memory_space is not None:
                raise mistake(token, "multiple memory spaces specified in memref type")
            else:
                memory_space = attribute
        problem = t.memref_error(shape, layout) or memory_space_error(memory_space)
        if problem:
            raise mistake(token, problem)
        return t.MemRefType(shape, element, layout, memory_space)

    def _unranked(self, token: PlacedToken, element: t.Type, rest: list[Any], is_memref: bool) -> t.Type:
        if not is_memref:
            if rest:
                raise mistake(token, "cannot apply encoding to unranked tensor")
            return t.UnrankedTensorType(element)
        if any(isinstance(attribute, a.AffineMapAttr | a.StridedLayoutAttr) for attribute in rest):
            raise mistake(token, "cannot have affine map for unranked memref type")
        if len(rest) > 1:
            raise mistake(token, "multiple memory spaces specified in memref type")
        problem = memory_space_error(rest[0]) if rest else None
        if problem:
            raise mistake(token, problem)
        return t.UnrankedMemRefType(element, rest[0] if rest else None)

    def vector(self, children: list[Any]) -> t.Type:
        token, element = children
        problem = t.element_error("vector", element)
        if problem:
            raise mistake(token, problem)
        shape = shape_of(token)
        if 0 in shape:
            message = f"vector types must have positive constant sizes but got {', '.join(map(str, shape))}"
            raise mistake(token, message)
        sizes = token.value.partition("<")[2].split("x")
        return t.VectorType(shape, element, ["[" in size for size in sizes[: len(shape)]])

    def complex(self, children: list[Any]) -> t.Type:
        token, element = children
        problem = t.element_error("complex", element)
        if problem:
            raise Mistake(problem, token.start_pos + len(token.value))
        return t.ComplexType(element)

    def tuple(self, children: list[Any]) -> t.Type:
        return t.TupleType(children)

    def function_type(self, children: list[Any]) -> t.Type:
        return t.FunctionType(children[0], children[1])

    def inputs(self, children: list[Any]) -> list[Any]:
        return children

    results = inputs

    def dialect_type(self, children: list[Any]) -> t.Type:
        dialect, body = self._dialect_symbol(children[0])
        problem = type_error(dialect, body)
        if problem is not None:
            raise Mistake(problem, children[0].start_pos + len(dialect) + 2)
        aliases = self.aliases
        found = dialect_type(
            dialect, body, aliases.attributes if aliases else {}, aliases.types if aliases else {}
        )
        self.used_alias |= found.body != body or bool(found.parts)
        return found

    def _dialect_symbol(self, token: PlacedToken) -> tuple[str, str]:
        match = _DIALECT_SYMBOL.fullmatch(token.value)
        assert match is not None
        dialect, name, body = match.groups()
        return dialect, (body[1:-1] if name is None else name + (body or ""))

    def type_alias(self, children: list[Any]) -> t.Type:
        token = children[0]
        self.used_alias = True
        found = self.aliases.types.get(token.value[1:]) if self.aliases else None
        if found is None:
            raise Mistake(
                f"undefined symbol alias id '{token.value[1:]}'", token.start_pos + len(token.value)
            )
        return found

    # -- attributes

    def number(self, children: list[Any]) -> a.Attribute:
        first = children[0]
        negative = first.type == "MINUS"
        token = children[1] if negative else first
        type = children[-1] if isinstance(children[-1], t.Type) else None
        return number_attribute(token.value, negative, type, token.start_pos)

    def string(self, children: list[Any]) -> a.Attribute:
        token = children[0]
        return a.StringAttr(self._string(token), children[1] if len(children) > 1 else None)

    def _string(self, token: PlacedToken) -> str:
        return string_value(token.value, token.start_pos)

    def boolean(self, children: list[Any]) -> a.Attribute:
        return a.bool_attr(children[0].type == "TRUE")

    def unit(self, children: list[Any]) -> a.Attribute:
        return a.UNIT

    def symbol_ref(self, children: list[Any]) -> a.Attribute:
        names = []
        for token in children:
            value = token.value
            quoted = value.startswith('@"')
            names.append(string_value(value[1:], token.start_pos + 1) if quoted else value[1:])
        return a.SymbolRefAttr(names[0], names[1:])

    def type_attribute(self, children: list[Any]) -> a.Attribute:
        return a.TypeAttr(children[0])

    def array(self, children: list[Any]) -> a.Attribute:
        return a.ArrayAttr(children)

    def entry(self, children: list[Any]) -> tuple[str, a.Attribute, Any]:
        token = children[0]
        name = self._string(token) if token.type == "STRING" else token.value
        if not name:
            raise mistake(token, "expected valid attribute name")
        return name, children[1] if len(children) > 1 else a.UNIT, token

    def dictionary(self, children: list[Any]) -> a.Attribute:
        entries: dict[str, a.Attribute] = {}
        for name, attribute, token in children:
            if name in entries:
                raise mistake(token, f"duplicate key '{name}' in dictionary attribute")
            entries[name] = attribute
        return a.DictionaryAttr(entries)

    def dense(self, children: list[Any]) -> a.Attribute:
        return literals.dense_elements(
            self.text, *body_extent(children[0]), children[1], children[0].start_pos
        )

    def sparse(self, children: list[Any]) -> a.Attribute:
        return literals.sparse_elements(
            self.text, *body_extent(children[0]), children[1], children[0].start_pos
        )

    def dense_array(self, children: list[Any]) -> a.Attribute:
        token, element, numbers = children
        problem = literals.array_element_error(element)
        if problem:
            raise Mistake(problem, token.start_pos + len(token.value))
        start = numbers.start_pos
        return literals.dense_array(self.text, start, start + len(numbers.value), element)

    def dense_array_empty(self, children: list[Any]) -> a.Attribute:
        token, element = children
        problem = literals.array_element_error(element)
        if problem:
            raise Mistake(problem, token.start_pos + len(token.value))
        return literals.DenseArrayAttr(element, ())  # pyright: ignore[reportArgumentType]

    def dense_resource(self, children: list[Any]) -> a.Attribute:
        token, type = children
        return a.DenseResourceAttr(self._string(token) if token.type == "STRING" else token.value, type)

    def dialect_attribute(self, children: list[Any]) -> a.Attribute:
        dialect, body = self._dialect_symbol(children[0])
        problem = attribute_error(dialect, body)
        if problem is not None:
            raise Mistake(problem, children[0].start_pos + len(dialect) + 2)
        aliases = self.aliases.attributes if self.aliases else {}
        found = dialect_attribute(dialect, body, children[1] if len(children) > 1 else None, aliases)
        self.used_alias |= bool(found.parts)
        return found

    def attribute_alias(self, children: list[Any]) -> a.Attribute:
        token = children[0]
        self.used_alias = True
        found = self.aliases.attributes.get(token.value[1:]) if self.aliases else None
        if found is None:
            raise Mistake(
                f"undefined symbol alias id '{token.value[1:]}'", token.start_pos + len(token.value)
            )
        return found

    def distinct(self, children: list[Any]) -> a.Attribute:
        number = integer_of(children[0], "expected an unsigned 64-bit integer")
        return a.DistinctAttr(number, children[1] if len(children) > 1 else a.UNIT)

    def strided(self, children: list[Any]) -> a.Attribute:
        return a.StridedLayoutAttr(children[0], children[1] if len(children) > 1 else 0)

    def strides(self, children: list[Any]) -> list[int | None]:
        return children

    def stride(self, children: list[Any]) -> int | None:
        if children[0].type == "QUESTION":
            return None
        value = integer_of(children[-1], "expected a 64-bit signed integer or '?'")
        return -value if len(children) > 1 else value

    # -- affine maps and sets

    def word(self, children: list[Any]) -> Any:
        return children[0]

    def names_in_parens(self, children: list[Any]) -> list[Any]:
        return children

    names = names_in_parens

    def space(self, children: list[Any]) -> None:
        dims = children[0]
        symbols = children[1] if len(children) > 1 else []
        found: dict[str, AffineExpr] = {}
        for tokens_of_kind, make in ((dims, affine.dim), (symbols, affine.symbol)):
            for position, token in enumerate(tokens_of_kind):
                if token.value in found:
                    raise mistake(token, f"redefinition of identifier '{token.value}'")
                found[token.value] = make(position)
        self.identifiers = found
        self.num_dims, self.num_symbols = len(dims), len(symbols)

    def affine_map(self, children: list[Any]) -> a.Attribute:
        return a.AffineMapAttr(AffineMap(self.num_dims, self.num_symbols, children[2:]))

    def affine_set(self, children: list[Any]) -> a.Attribute:
        # MLIR represents a set without constraints by one that always holds.
        constraints = children[2:] or [(affine.constant(0), True)]
        expressions, equalities = zip(*constraints, strict=True)
        return a.IntegerSetAttr(IntegerSet(self.num_dims, self.num_symbols, expressions, equalities))

    def constraint(self, children: list[Any]) -> tuple[AffineExpr, bool]:
        left, comparison, right = children
        if comparison.value == "<=":
            left, right = right, left
        return left - right, comparison.value == "=="

    def sum(self, children: list[Any]) -> AffineExpr:
        left, operator, right = children
        return left + right if operator.type == "PLUS" else left - right

    def product(self, children: list[Any]) -> AffineExpr:
        left, operator, right = children
        kind = operator.value
        if not right.is_symbolic and not (kind == "*" and left.is_symbolic):
            what = "at least one of the multiply operands" if kind == "*" else f"right operand of {kind}"
            raise mistake(operator, f"non-affine expression: {what} has to be either a constant or symbolic")
        return affine.CONSTRUCT[kind](left, right)

    def affine_name(self, children: list[Any]) -> AffineExpr:
        token = children[0]
        found = self.identifiers.get(token.value)
        if found is None:
            raise mistake(token, "use of undeclared identifier")
        return found

    def affine_constant(self, children: list[Any]) -> AffineExpr:
        return affine.constant(integer_of(children[0], "constant too large for index"))

    def negation(self, children: list[Any]) -> AffineExpr:
        return -children[1]

    # -- locations

    def unknown_location(self, children: list[Any]) -> a.Attribute:
        return a.UnknownLoc()

    def name_location(self, children: list[Any]) -> a.Attribute:
        return a.NameLoc(self._string(children[0]), children[1] if len(children) > 1 else None)

    def file_location(self, children: list[Any]) -> a.Attribute:
        line, *column = (integer_of(token, "expected integer") for token in children[1:])
        return a.FileLineColLoc(self._string(children[0]), line, column[0] if column else 0)

    def file_range(self, children: list[Any]) -> a.Attribute:
        line, column, *end = (integer_of(token, "expected integer") for token in children[1:])
        end_line, end_column = end if len(end) == 2 else (line, end[0])
        return a.FileLineColLoc(self._string(children[0]), line, column, end_line, end_column)

    def call_site(self, children: list[Any]) -> a.Attribute:
        return a.CallSiteLoc(children[0], children[1])

    def metadata(self, children: list[Any]) -> tuple[a.Attribute]:
        return (children[0],)

    def fused(self, children: list[Any]) -> a.Attribute:
        if children and type(children[0]) is tuple:
            return a.fused(children[1:], children[0][0])
        return a.fused(children)


_builder = _Builder()
_parser = lalr.TableParser(
    lalr.load(__package__ or "", "syntax"),
    {name: getattr(_builder, name) for name in vars(_Builder) if not name.startswith("_")},
)


def parse(rule: str, text: str, start: int, end: int, aliases: Aliases) -> tuple[Any, bool]:
    """The value of `text[start:end]` as `type_text` or `attribute_text`, and whether it used an alias.

    Raises Mistake, with positions in `text`.
    """
    _builder.aliases = aliases
    _builder.used_alias = False
    _builder.text = text
    try:
        value = _parser.parse(tokens(text, start, end, lalr.Token), end, rule)
    except lalr.UnexpectedTokenError as unexpected:
        _unexpected(unexpected, text, start, end)
    except (NestingError, AffineDepthError) as error:
        raise Mistake(str(error), start) from None
    finally:
        _builder.aliases = None
        _builder.text = ""
    return value, _builder.used_alias


def _unexpected(unexpected: lalr.UnexpectedTokenError, text: str, start: int, end: int) -> NoReturn:
    token = unexpected.token
    at_end = token.type == lalr.END
    position = end if at_end else token.start_pos
    read = list(tokens(text, start, position, lambda kind, value, at: (kind, value, at + len(value))))
    found, value = ("", "") if at_end else (token.type, token.value)
    before = [(kind, what) for kind, what, _ in read]
    if malformed(text, position) is not None and not at_end:
        raise Mistake(NO_TOKEN[text[position]], position) from None
    message, moved = explain(found, value, unexpected.expected, before)
    if value == "strided" and moved and text.startswith("<", position + moved):
        raise Mistake("expected '['", position + moved + 1) from None
    if moved:
        position += moved
    elif message.startswith("expected"):  # as in mlir-opt, a missing token is reported after the previous one
        position = read[-1][2] if read else len(text[:position].rstrip()) or position
    raise Mistake(message, position) from None
