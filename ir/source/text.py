"""Sentences as templates with typed arguments, and the spelling of names and strings.

    say("{value} is copied ({bytes}) on line {line}", value=ValueName("%t"), bytes=in_bytes(size), line=span.line)

For printing, a `Text` is a plain string. Code that caches it, sends it to another process or relocates it in a text
uses its arguments: a `LineNumber` is a line of the parsed text and changes if that text becomes part of another. An
f-string would lose this structure, so sentences that mention lines are built by `say`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self


class LineNumber(int):
    """A line number of the parsed text."""

    __slots__ = ()


class TypedName(str):
    """A name in a sentence whose kind is part of machine-readable output."""

    __slots__ = ()
    type: ClassVar[str]


class ValueName(TypedName):
    """The name of a value, as the source spells it."""

    __slots__ = ()
    type = "value"


class OperationName(TypedName):
    """The name of an operation."""

    __slots__ = ()
    type = "operation"


class Text(str):
    """A string that remembers its template.

    Attributes:
        template: with argument names in braces.
        arguments: texts, names, lines and plain values by name. Objects with an attribute `spoken` are replaced by it.
    """

    __slots__ = ("arguments", "template")
    type: ClassVar[str] = "text"

    template: str
    arguments: Mapping[str, object]

    @classmethod
    def of(cls, template: str, arguments: Mapping[str, object]) -> Self:
        """Instantiate a template; an operation among the arguments stands for its name."""
        arguments = {name: getattr(value, "spoken", value) for name, value in arguments.items()}
        made = cls(template.format(**arguments))
        made.template = template
        made.arguments = arguments
        return made

    def mapped(self, change: Callable[[Any], object]) -> Self:
        """The sentence with its arguments, also those of texts among them, replaced by `change` of them."""
        changed = {
            name: value.mapped(change) if isinstance(value, Text) else change(value)
            for name, value in self.arguments.items()
        }
        return self.of(self.template, changed)

    def __add__(self, other: str) -> Text:
        return joined("", (self, other)) if other else self

    def __radd__(self, other: str) -> Text:
        return joined("", (other, self)) if other else self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).of, (self.template, self.arguments)


class ByteCount(Text):
    """A size in bytes: `4096 bytes`, `4*%t.0 bytes`."""

    __slots__ = ()
    type = "bytes"


TEXTS: dict[str, type[Text]] = {kind.type: kind for kind in (Text, ByteCount)}
NAMES: dict[str, type[TypedName]] = {kind.type: kind for kind in (ValueName, OperationName)}


def say(template: str, **arguments: object) -> Text:
    """Instantiate a template with keyword arguments."""
    return Text.of(template, arguments)


def joined(separator: str, parts: Iterable[object]) -> Text:
    """Concatenate texts with a separator."""
    named = {f"part{number}": part for number, part in enumerate(parts)}
    return Text.of(separator.join(f"{{{name}}}" for name in named), named)


# -- as plain data

KEY = "~"
"""Key that marks the encoded objects; no data of ours has it."""


def to_plain(item: Any) -> Any:
    """Encode data that contains texts as plain JSON values. O(data)."""
    if isinstance(item, Text):
        return {KEY: item.type, "template": item.template, "arguments": to_plain(item.arguments)}
    if isinstance(item, LineNumber):
        return {KEY: "line", "number": int(item)}
    if isinstance(item, TypedName):
        return {KEY: item.type, "name": str(item)}
    if isinstance(item, Mapping):
        return {key: to_plain(value) for key, value in item.items()}
    if isinstance(item, list | tuple):
        return [to_plain(one) for one in item]
    # types and attributes are encoded as printed
    return item if item is None or isinstance(item, str | int | float) else str(item)


def from_plain(item: Any, line: Callable[[int], int] = int) -> Any:
    """Decode data encoded by `to_plain`, mapping line numbers by `line`. O(data)."""
    if isinstance(item, list):
        return [from_plain(one, line) for one in item]
    if not isinstance(item, dict):
        return item
    kind = item.get(KEY)
    if kind is None:
        return {key: from_plain(value, line) for key, value in item.items()}
    if kind == "line":
        return LineNumber(line(item["number"]))
    if kind in NAMES:
        return NAMES[kind](item["name"])
    return TEXTS[kind].of(item["template"], from_plain(item["arguments"], line))


def for_machines(text: str) -> dict[str, Any] | None:
    """A text's template and arguments for JSON output; None for a plain string."""
    if not isinstance(text, Text):
        return None
    return {
        "template": text.template,
        "arguments": {name: _argument(value) for name, value in text.arguments.items()},
    }


def _argument(value: object) -> dict[str, Any]:
    if isinstance(value, LineNumber):
        return {"type": "line", "value": int(value)}
    if isinstance(value, Text):
        found = {"type": value.type, "text": str(value)}
        return found | (for_machines(value) or {}) if value.arguments else found
    if isinstance(value, TypedName):
        return {"type": value.type, "text": str(value)}
    return (
        {"type": "number", "value": value} if isinstance(value, int) else {"type": "text", "text": str(value)}
    )


class LazyPattern:
    """A regular expression that is compiled when a method of it is first requested.

    Python compiles regular expressions in every process, 0.1 to 1 ms each, and most programs need few of those that the
    imported modules define.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._source), name)
        setattr(self, name, found)  # not looked up here again
        return found


if TYPE_CHECKING:
    lazy_pattern = re.compile
else:
    lazy_pattern = LazyPattern


# Spelling of names and strings in program text.
#
# Strings are byte sequences. They are held as Python text, decoded as UTF-8; an invalid byte
# becomes a lone surrogate (`surrogateescape`), so nothing is lost.

_PLAIN = re.compile(r"[ !#-\[\]-~]*").fullmatch  # printable ASCII without `"` and `\`
_BARE_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*").fullmatch
_ESCAPE = re.compile(rb'\\(?:([0-9a-fA-F]{2})|([nt"\\]))')

_ESCAPED_BYTE = [chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:02X}" for byte in range(256)]
_ESCAPED_BYTE[ord('"')] = "\\22"
_ESCAPED_BYTE[ord("\\")] = "\\\\"


def encode(text: str) -> bytes:
    """The bytes of a string."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that did not come from `decode`
        return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """Inverse of `encode`."""
    return data.decode("utf-8", "surrogateescape")


def quoted(text: str) -> str:
    """`text` in quotes, with everything but printable ASCII escaped."""
    if _PLAIN(text):
        return f'"{text}"'
    return '"' + "".join(map(_ESCAPED_BYTE.__getitem__, encode(text))) + '"'


def _unescaped_byte(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes.fromhex(match[1].decode())
    return {b"n": b"\n", b"t": b"\t"}.get(match[2], match[2])


def unquoted(literal: str) -> str:
    """The string denoted by a quoted literal."""
    inner = literal[1:-1]
    return decode(_ESCAPE.sub(_unescaped_byte, encode(inner))) if "\\" in inner else inner


def keyword_or_string(name: str) -> str:
    """`name` unchanged if it is an identifier, else quoted."""
    return name if _BARE_IDENTIFIER(name) else quoted(name)


def symbol(name: str) -> str:
    """`name` as the name of a symbol: `@f`, `@"a b"`."""
    return "@" + keyword_or_string(name)


malformed = lazy_pattern(
    r"%(?![\w$.-])|@(?![A-Za-z_\"])|#(?![\w$.-])|!(?![\w$.-])|\^(?![\w$.-])|\.(?!\.\.)"
).match
"""The first character of what is no token, although a token of some kind begins so."""
NO_TOKEN = {
    "%": "invalid SSA name",
    "@": "@ identifier expected to start with letter or '_'",
    "#": "invalid attribute name",
    "!": "invalid type identifier",
    "^": "invalid block name",
    ".": "expected three consecutive dots for an ellipsis",
}
"""What mlir-opt says of it, before it says what is expected."""
