"""A parse position with operations for reading tokens, literals, types and attributes.

Custom assembly forms are parsed by calls to these methods rather than by one grammar: a grammar with a rule for each of
several hundred operations takes seconds to build. Types, attributes, maps and locations are delimited first
(`bufferize.ir.source.parts`), and each distinct text is parsed once (`bufferize.ir.text.syntax`).

Every method first skips white space and comments. `accept` and the `optional_` methods leave the cursor unchanged
if nothing matches; all others raise `ParseError` at the offending position.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from ..source.diagnostics import Diagnostic, ParseError, error
from ..source.locations import Source, Span
from ..source.parts import angle_end, attribute_end, type_end
from ..source.text import NO_TOKEN, malformed, unquoted
from ..types import attributes as a, types as t
from .syntax import SyntaxScope

INT64 = range(-(1 << 63), 1 << 63)

_SKIP = re.compile(r"[ \t\r\n]*(?://[^\n]*\n?[ \t\r\n]*)*").match
_SKIPPED = frozenset(["", " ", "\t", "\r", "\n", "/"])
_WORD = re.compile(r"[A-Za-z_][\w$.]*").match
_STRING = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"').match
_INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F]+(?![0-9a-fA-F.])|\d+(?![\d.]))").match
_FLOAT = re.compile(r"-?\d+\.\d*(?:[eE][-+]?\d+)?").match
_SYMBOL = re.compile(r'@(?:([A-Za-z_][\w$.]*)|("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"))').match
_SIMPLE_TYPE = re.compile(r'[a-z]\w*(?:<[^<>"()-]*(?:<[^<>"()-]*>[^<>"()-]*)?>)?(?![\w<])').match
_WORD_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.")
_TYPE_START = re.compile(r"[!(]|[a-z]").match

T = TypeVar("T")


class Cursor:
    """A position in `source`, and methods that parse from it."""

    __slots__ = ("layouts_seen", "position", "scope", "source", "text", "types_seen")

    def __init__(self, source: Source, scope: SyntaxScope | None = None, position: int = 0):
        self.source = source
        self.text = source.text
        self.position = position
        self.scope = scope or SyntaxScope()
        self.layouts_seen: dict[str, dict[object, object]] = {}
        """By operation name, layouts of the fast path whose types mention aliases (`fast_path`)."""
        self.types_seen: dict[str, t.Type] = {}
        """Types by their text, for texts without aliases."""

    # -- errors

    def fail(
        self, message: str, position: int | None = None, end: int | None = None, note: str = ""
    ) -> NoReturn:
        """Raise a `ParseError` at `position`, by default at the next token; `note` names the way out."""
        failure = self.diagnostic(message, position, end)
        if note:
            failure.attach(note, failure.span)
        raise ParseError(failure)

    def error(self, message: str, position: int | None = None, end: int | None = None) -> NoReturn:
        """Raise a `ParseError`; operation parsers override this to name the operation."""
        self.fail(message, position, end)

    def diagnostic(self, message: str, position: int | None = None, end: int | None = None) -> Diagnostic:
        at = position
        next = self.skip() if at is None else at
        if self.text.startswith('"', next) and _STRING(self.text, next) is None:
            line_end = (self.text + "\n").index("\n", next)
            return error("expected '\"' in string literal", Span(self.source, line_end, line_end + 1))
        if malformed(self.text, next) is not None:
            at = next + (self.text[next] in "@.")
            return error(NO_TOKEN[self.text[next]], Span(self.source, at, at + 1))
        if at is None:
            # report a missing token right after the previous one, not at the start of some later line
            at = len(self.text[: self.skip()].rstrip()) or self.position
        return error(message, Span(self.source, at, at + 1 if end is None else end))

    # -- tokens

    def skip(self) -> int:
        """Skip white space and comments, and return the new position."""
        at = self.position
        text = self.text
        following = text[at : at + 1]
        if following == " ":  # one space or none in most places
            if text[at + 1 : at + 2] not in _SKIPPED:
                self.position = at = at + 1
                return at
        elif following not in _SKIPPED:
            return at
        match = _SKIP(text, at)
        assert match is not None
        self.position = match.end()
        return self.position

    def peek(self, token: str) -> bool:
        """Whether the next token is `token`, a keyword or punctuation."""
        at = self.skip()
        text = self.text
        if not text.startswith(token, at):
            return False
        end = at + len(token)
        following = text[end : end + 1]
        if token[-1] in _WORD_CHARACTERS:
            return following not in _WORD_CHARACTERS
        return not (following == ":" == token) and not (following == ">" and token == "-")

    def accept(self, token: str) -> bool:
        if self.peek(token):
            self.position += len(token)
            return True
        return False

    def expect(self, token: str, context: str = "") -> None:
        """Consume `token`. As in mlir-opt, a missing keyword is an error of the operation, a missing mark one of the
        text.
        """
        if not self.accept(token):
            if token[0].isalpha():
                self.error(f"expected '{token}'{context}", self.skip())
            self.fail(f"expected '{token}'{context}")

    def at_end(self) -> bool:
        return self.skip() >= len(self.text)

    def optional_keyword(self) -> str | None:
        match = _WORD(self.text, self.skip())
        if match is None:
            return None
        self.position = match.end()
        return match.group()

    def keyword(self, what: str = "valid keyword") -> str:
        word = self.optional_keyword()
        if word is None:
            self.error(f"expected {what}")
        return word

    def optional_string(self) -> str | None:
        match = _STRING(self.text, self.skip())
        if match is None:
            return None
        self.position = match.end()
        return unquoted(match.group())

    def string(self) -> str:
        found = self.optional_string()
        if found is None:
            self.error("expected string")
        return found

    def keyword_or_string(self) -> str:
        found = self.optional_string()
        return found if found is not None else self.keyword("valid keyword or string")

    def optional_integer(self) -> int | None:
        match = _INTEGER(self.text, self.skip())
        if match is None:
            return None
        self.position = match.end()
        text = match.group()
        return int(text, 16) if "x" in text else int(text)

    def integer(self) -> int:
        at = self.skip()
        found = self.optional_integer()
        if found is None:
            self.error("expected integer value", at)
        if found not in INT64:
            self.error("integer value too large", at)
        return found

    def optional_symbol_name(self) -> a.StringAttr | None:
        match = _SYMBOL(self.text, self.skip())
        if match is None:
            return None
        self.position = match.end()
        return a.StringAttr(match.group(1) if match.group(1) is not None else unquoted(match.group(2)))

    def symbol_name(self) -> a.StringAttr:
        found = self.optional_symbol_name()
        if found is None:
            self.error("expected valid '@'-identifier for symbol name", self.skip())
        return found

    # -- types

    def type(self) -> t.Type:
        at = self.skip()
        match = _SIMPLE_TYPE(self.text, at)
        if match is not None:
            known = self.types_seen.get(match.group())
            if known is not None:
                self.position = match.end()
                return known
        if _TYPE_START(self.text, at) is None:
            self.fail("expected non-function type")
        end = type_end(self.source, at)
        parsed = self.scope.parse_type(self.source, at, end)
        self.position = end
        if match is not None and match.end() == end:
            self.types_seen[match.group()] = parsed
        return parsed

    def shortened_type(self, name: str) -> t.Type:
        """A type in full, or only the part after `!dialect.name` if all types here have that name: `<f32>` or nothing."""
        at = self.skip()
        first = self.text[at : at + 1]
        if first == "!":
            return self.type()
        end = angle_end(self.source, at) if first == "<" else at
        parsed = self.scope.parse_type(name + self.text[at:end])
        self.position = end
        return parsed

    def optional_type(self) -> t.Type | None:
        """A type if one starts here, else None. A word that names no type is not consumed."""
        at = self.skip()
        if _TYPE_START(self.text, at) is None:
            return None
        word = _WORD(self.text, at)
        if word is not None and not _names_type(word.group()):
            return None
        return self.type()

    def type_list(self) -> list[t.Type]:
        """Comma-separated types without brackets, at least one."""
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        return types

    def colon_type(self) -> t.Type:
        self.expect(":")
        return self.type()

    def colon_type_list(self) -> list[t.Type]:
        self.expect(":")
        return self.type_list()

    def paren_types(self) -> list[t.Type]:
        """`(t, u)`, possibly empty."""
        return self.comma_separated(self.type)

    def arrow_types(self) -> list[t.Type]:
        """The types of `-> t` or `-> (t, u)`; empty if there is no arrow."""
        return self.arrow_type_list() if self.accept("->") else []

    def arrow_type_list(self) -> list[t.Type]:
        """The types after an arrow: one type, or a list in parentheses."""
        if self.peek("("):
            at = self.position
            end = type_end(self.source, at)
            # `-> (a) -> b` is one function type; `-> (a, b)` a list of results
            if "->" in self.text[at:end] and isinstance(
                parsed := self._try_function_type(at, end), t.FunctionType
            ):
                self.position = end
                return [parsed]
            self.position = at
            return self.paren_types()
        return [self.type()]

    def _try_function_type(self, start: int, end: int) -> t.Type | None:
        try:
            return self.scope.parse_type(self.source, start, end)
        except ParseError:
            return None

    def function_type(self) -> t.FunctionType:
        """`(t, u) -> v`."""
        inputs = self.paren_types()
        self.expect("->")
        return t.FunctionType(inputs, self.arrow_type_list())

    # -- attributes

    def attribute(self, type: t.Type | None = None) -> a.Attribute:
        """An attribute; `type` applies to a number or string without a type of its own."""
        at = self.skip()
        if type is not None and (plain := self._plain_number(type)) is not None:
            return plain
        end = attribute_end(self.source, at, colon_type=type is None)
        parsed = self.scope.parse_attribute(self.source, at, end, type)
        self.position = end
        return parsed

    def _plain_number(self, type: t.Type) -> a.Attribute | None:
        at = self.position
        text = self.text
        if isinstance(type, t.FloatType):
            match = _FLOAT(text, at)
            if match is not None:
                self.position = match.end()
                return a.FloatAttr(float(match.group()), type)
            return None
        if not isinstance(type, (t.IntegerType, t.IndexType)):
            return None
        if type is t.I1:
            if self.accept("true"):
                return a.bool_attr(True)
            if self.accept("false"):
                return a.bool_attr(False)
        match = _INTEGER(text, at)
        if match is None:
            return None
        self.position = match.end()
        value = match.group()
        return a.IntegerAttr(int(value, 16) if "x" in value else int(value), type)

    def optional_symbol_ref(self) -> a.SymbolRefAttr | None:
        if not self.text.startswith("@", self.skip()):
            return None
        found = self.attribute()
        assert isinstance(found, a.SymbolRefAttr)
        return found

    def attribute_of(self, kind: type[a.Attribute]) -> Any:
        """An attribute of class `kind`. Raises ParseError for any other."""
        at = self.skip()
        found = self.attribute()
        if not isinstance(found, kind):
            self.error("invalid kind of attribute specified", at)
        return found

    def dense_array(self, element: t.IntegerType | t.FloatType) -> a.DenseArrayAttr:
        """`[1, 2]` as `array<element: 1, 2>`."""
        if self.peek("array"):
            return self.attribute_of(a.DenseArrayAttr)
        if element is t.I1:
            values = self.comma_separated(self._boolean, "[", "]")
        else:
            values = self.comma_separated(self.integer, "[", "]")
        return a.DenseArrayAttr(element, tuple(values))

    def _boolean(self) -> int:
        if self.accept("true"):
            return 1
        if self.accept("false"):
            return 0
        return self.integer()

    def dictionary(self) -> dict[str, a.Attribute]:
        """`{a = 1, b}`."""
        entries: dict[str, a.Attribute] = {}

        def entry() -> None:
            at = self.skip()
            name = self.optional_string()
            if name is None:
                name = self.optional_keyword()
            if name is None:
                self.fail("expected attribute name")
            if not name:
                self.fail("expected valid attribute name", at)
            if name in entries:
                self.fail(f"duplicate key '{name}' in dictionary attribute", at)
            entries[name] = self.attribute() if self.accept("=") else a.UnitAttr()

        self.comma_separated(entry, "{", "}", " in attribute dictionary")
        return entries

    # -- lists

    def comma_separated(
        self, item: Callable[[], T], open: str = "(", close: str = ")", context: str = ""
    ) -> list[T]:
        """`open item, item close`, possibly empty; `context` is appended to the message for a missing bracket."""
        self.expect(open, context)
        items: list[T] = []
        if self.accept(close):
            return items
        while True:
            items.append(item())
            if not self.accept(","):
                break
        self.expect(close, context)
        return items


_TYPE_WORD = re.compile(
    r"(?:index|none|tensor|memref|vector|tuple|complex|[su]?i\d+|bf16|tf32|f\d\w*)(?![\w$.])"
).fullmatch
_ATTRIBUTE_WORDS = frozenset(
    """
    affine_map affine_set array dense dense_resource distinct false loc opaque sparse strided true unit
    """.split()
)


def _names_type(word: str) -> bool:
    return _TYPE_WORD(word) is not None
