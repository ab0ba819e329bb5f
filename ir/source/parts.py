"""A text as parts that can be parsed, analysed and explained separately; an edit invalidates only its own part."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

from . import find
from .diagnostics import ParseError
from .locations import Source, Span
from .records import record
from .text import lazy_pattern

_MARKS = lazy_pattern(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|[{}]|\n')
_FUNCTION = lazy_pattern(
    r"\s*(?:func\.func|func)\s+(?:private\s+|public\s+|nested\s+)*@([\w$.-]+|\"(?:\\.|[^\"\\\n])*\")"
)
_MODULE = lazy_pattern(r"\s*(?:builtin\.)?module\b[^{}]*(?:\{[^{}]*\}[^{}]*)?\{\s*$")
_SYMBOL = lazy_pattern(r"@([\w$.-]+|\"(?:\\.|[^\"\\\n])*\")")


@record(frozen=True)
class TextPart:
    """Some functions of a text, together with everything outside functions.

    Attributes:
        text: can be parsed on its own.
        lines: for each line of `text` its number in the whole, from 0.
        own: the ranges of lines (end exclusive) in the whole that belong to this part only.
    """

    text: str
    lines: Sequence[int]
    own: tuple[tuple[int, int], ...]

    def line(self, whole: int) -> int:
        """The part's line for a line of the whole, or the next line that the part contains."""
        return min(bisect_right(self.lines, whole - 1), len(self.lines) - 1)


TOGETHER = 32
"""Average number of components per part; each part costs some milliseconds however small it is."""
MANY_LINES = 200
"""A component of so many lines ends its part."""


def cut(text: str, together: int = TOGETHER) -> list[TextPart]:
    """The parts of a text, in the order of their first functions; at least one. O(text).

    Args:
        together: average number of small components per part. Boundaries depend on the contents of components, not on
            what precedes them, so that an edit changes a single part (content-defined chunking, as in rsync).
    """
    lines = text.split("\n")
    functions = _functions(text, lines)
    if functions is None or len(functions) < 2:
        return [TextPart(text, range(len(lines)), ((0, len(lines)),))]
    inside = [False] * len(lines)
    for start, end, _ in functions:
        inside[start:end] = [True] * (end - start)
    shared = [
        number
        for number, line in enumerate(lines)
        if not inside[number] and line.strip() and not line.lstrip().startswith("//")
    ]
    packs: list[list[tuple[int, int, str]]] = [[]]
    for component in _components(lines, functions):
        packs[-1] += component
        said = "\n".join(line for start, end, _ in component for line in lines[start:end])
        size = sum(end - start for start, end, _ in component)
        if size >= MANY_LINES or crc32(said.encode("utf-8", "replace")) % together == 0:
            packs.append([])
    return [_part(lines, shared, pack) for pack in packs if pack]


def _part(lines: list[str], shared: list[int], component: list[tuple[int, int, str]]) -> TextPart:
    numbers = sorted([*shared, *(line for start, end, _ in component for line in range(start, end))])
    own = tuple((start, end) for start, end, _ in component)
    return TextPart("\n".join(lines[number] for number in numbers), numbers, own)


def _functions(text: str, lines: list[str]) -> list[tuple[int, int, str]] | None:
    """First line, last line and name of each function; None if the text has another structure."""
    depths = list(_depths(text))
    base = next(
        (1 for line, depth in zip(lines, depths, strict=False) if depth == 0 and _MODULE.match(line)), 0
    )
    found: list[tuple[int, int, str]] = []
    number = 0
    while number < len(lines):
        start = number
        number += 1
        match = _FUNCTION.match(lines[start]) if depths[start] == base else None
        if match is None:
            if depths[start] > base:
                return None  # something else with lines inside: a nested module, a global's body
            continue
        opened = "{" in lines[start]
        while number < len(lines) and (depths[number] > base or not (opened or _ends(lines[number]))):
            opened = opened or depths[number] > base
            number += 1
        found.append((start, number, match[1]))
    return found


def _ends(line: str) -> bool:
    """Whether a line at function level starts something else; declarations have no body that would mark their end."""
    return not line.strip() or line.lstrip()[0] in "}#!/" or re.match(r"\s*[a-z_]+[.\w]*\s", line) is not None


def _depths(text: str) -> Iterator[int]:
    """The brace depth at the start of each line, ignoring strings and comments."""
    depth = 0
    yield depth
    for mark in _MARKS.finditer(text):
        character = text[mark.start()]
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == "\n":
            yield depth


def _components(lines: list[str], functions: list[tuple[int, int, str]]) -> list[list[tuple[int, int, str]]]:
    """Connected components of functions that reference one another or share a name."""
    representative = list(range(len(functions)))

    first: dict[str, int] = {}
    for index, (_, _, name) in enumerate(functions):
        representative[find(representative, index)] = find(representative, first.setdefault(name, index))
    for index, (start, end, _) in enumerate(functions):
        for name in set(_SYMBOL.findall("\n".join(lines[start:end]))):
            if name in first:
                representative[find(representative, index)] = find(representative, first[name])
    groups: dict[int, list[tuple[int, int, str]]] = {}
    for index, function in enumerate(functions):
        groups.setdefault(find(representative, index), []).append(function)
    return list(groups.values())


# Finding the end of a type or attribute without parsing it.
#
# Operation parsers meet types and attributes in the middle of a text. Finding their ends only requires
# matching brackets, much faster than parsing; the text is then looked up in, or entered into, a
# table of parsed texts (see syntax.py).
#
# The functions consider only characters that a type or attribute can contain, so on other text they return a
# position no later than where the parser will report an error; unclosed brackets extend to the end of the
# text, a mismatched one ends it. Only nesting deeper than `MAX_BRACKETS` is an error here. One pass,
# O(length); the text between brackets is skipped by regular expressions that cannot backtrack.

MAX_BRACKETS: Final = 512
"""Open brackets allowed within one type or attribute. Programs have a dozen; the parser's own limit on
nested values is lower, but affine expressions may have more parentheses than levels.
"""

_ASCII = re.ASCII
_BORING = lazy_pattern(r'[^<>()\[\]{}"/!#-]*', _ASCII)
_STRING = lazy_pattern(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"', _ASCII)
_SYMBOLS = lazy_pattern(
    r'@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")(?:\s*::\s*@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"))*+',
    _ASCII,
)
_DIALECT_SYMBOL = lazy_pattern(r"[!#](?:[A-Za-z_0-9$.]|-(?!>))+(<)?", _ASCII)
_NUMBER = lazy_pattern(r"-?\s*(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?)", _ASCII)
_WORD = lazy_pattern(r"[A-Za-z_][\w$.]*", _ASCII)
# A whole builtin type without nesting, or its name with the opening bracket, or a word.
_BUILTIN_TYPE = lazy_pattern(
    r'(?:tensor|memref|vector|complex|tuple)\s*<(?:[^<>()\[\]{}"/!#-]*+>)?|[A-Za-z_]\w*', _ASCII
)
_ARROW = lazy_pattern(r"\s*(?://[^\n]*\s*)*+->\s*(?://[^\n]*\s*)*+", _ASCII)
_COLON = lazy_pattern(r"\s*(?://[^\n]*\s*)*+:(?!:)\s*(?://[^\n]*\s*)*+", _ASCII)
_OPENING = lazy_pattern(r"\s*([<(\[])", _ASCII)

_CLOSER: Final = {"<": ">", "(": ")", "[": "]", "{": "}"}


def type_end(source: Source | str, position: int) -> int:
    """The position just after the type that starts at `position`.

    Raises ParseError if brackets are nested more than `MAX_BRACKETS` deep.
    """
    text = source if isinstance(source, str) else source.text
    match = _BUILTIN_TYPE.match(text, position)
    if match is not None:
        end = match.end()
        return _balanced(source, text, end - 1) if text[end - 1] == "<" else end
    if text.startswith("!", position):
        return _dialect_symbol_end(source, text, position)
    if not text.startswith("(", position):
        return position
    end = _balanced(source, text, position)
    arrow = _ARROW.match(text, end)
    if arrow is None:
        return end
    end = arrow.end()
    return _balanced(source, text, end) if text.startswith("(", end) else type_end(source, end)


def angle_end(source: Source | str, position: int) -> int:
    """The position just after the `>` that matches the `<` at `position`, within a dialect's type or attribute."""
    return _balanced(source, source if isinstance(source, str) else source.text, position, raw=True)


def elements_end(source: Source | str, position: int) -> int:
    """The position just after the `dense<...>`, `sparse<...>` or `dense_resource<...>` at `position`, without its type."""
    text = source if isinstance(source, str) else source.text
    match = _WORD.match(text, position)
    return _brackets_end(source, text, position if match is None else match.end(), "<")


def attribute_end(source: Source | str, position: int, colon_type: bool = True) -> int:
    """The position just after the attribute that starts at `position`.

    With `colon_type`, a `: type` after a number or string belongs to it; it always belongs to `dense<...> :
    type` and its relatives. Raises ParseError as `type_end` does.
    """
    text = source if isinstance(source, str) else source.text
    first = text[position : position + 1]
    if first in ("[", "{"):
        return _balanced(source, text, position)
    if first == "@":
        match = _SYMBOLS.match(text, position)
        return position + 1 if match is None else match.end()
    if first == "#":
        end = _dialect_symbol_end(source, text, position)
        name = text[position:end]
        return _colon_type_end(source, text, end) if colon_type and ("." in name or "<" in name) else end
    if first == '"':
        match = _STRING.match(text, position)
        end = position + 1 if match is None else match.end()
        return _colon_type_end(source, text, end) if colon_type else end
    if first.isdigit() or first == "-":
        match = _NUMBER.match(text, position)
        if match is None:
            return position + 1
        return _colon_type_end(source, text, match.end()) if colon_type else match.end()
    match = _WORD.match(text, position)
    if match is None:
        return type_end(source, position)
    word = match.group()
    if word in ("dense", "sparse", "dense_resource"):
        return _colon_type_end(source, text, elements_end(source, position))
    if word in ("affine_map", "affine_set", "array", "strided"):
        return _brackets_end(source, text, match.end(), "<")
    if word == "loc":
        return _brackets_end(source, text, match.end(), "(")
    if word == "distinct":
        return _brackets_end(source, text, _brackets_end(source, text, match.end(), "["), "<")
    return type_end(source, position)


def _colon_type_end(source: Source | str, text: str, position: int) -> int:
    colon = _COLON.match(text, position)
    return position if colon is None else type_end(source, colon.end())


def _brackets_end(source: Source | str, text: str, position: int, opening: str) -> int:
    match = _OPENING.match(text, position)
    return position if match is None or match[1] != opening else _balanced(source, text, match.end() - 1)


def _dialect_symbol_end(source: Source | str, text: str, position: int) -> int:
    """The end of `!name` or `#name`, including an immediately following body in `<>`."""
    match = _DIALECT_SYMBOL.match(text, position)
    if match is None:
        return position + 1
    return match.end() if match[1] is None else _balanced(source, text, match.end() - 1, raw=True)


def dialect_body_end(source: Source | str, text: str, position: int) -> int:
    """The position just after the body in `<>` that opens at `position`, or where its brackets mismatch."""
    return _balanced(source, text, position, raw=True)


def _balanced(source: Source | str, text: str, position: int, raw: bool = False) -> int:
    """The position just after the bracket that matches the one at `position`.

    `raw` marks the body of a dialect's symbol, in which `//` starts no comment. An angle bracket
    in parentheses is a comparison in an affine set if `=` follows, or if it would close nothing.
    """
    closers = [_CLOSER[text[position]]]
    raw_levels = 1 if raw else 0  # while at least this many brackets are open we are inside such a body
    at = position + 1
    length = len(text)
    while True:
        at = _BORING.match(text, at).end()  # pyright: ignore[reportOptionalMemberAccess]  # matches anything
        if at >= length:
            return length
        character = text[at]
        if character == closers[-1]:
            closers.pop()
            at += 1
            if not closers:
                return at
            if len(closers) < raw_levels:
                raw_levels = 0
        elif character in "<([{":
            if character == "<" and closers[-1] == ")" and text.startswith("=", at + 1):
                at += 2
                continue
            closers.append(_CLOSER[character])
            if len(closers) > MAX_BRACKETS:
                where = source if isinstance(source, Source) else Source("<string>", text)
                message = f"brackets nested more than {MAX_BRACKETS} levels deep"
                raise ParseError(message, Span(where, at, at + 1))
            at += 1
        elif character == '"':
            match = _STRING.match(text, at)
            at = at + 1 if match is None else match.end()
        elif character in "!#":
            match = _DIALECT_SYMBOL.match(text, at)
            if match is None:
                at += 1
            elif match[1] is None:
                at = match.end()
            else:
                at = match.end() - 1
                if not raw_levels:
                    raw_levels = len(closers) + 1
        elif character == "-":
            at += 2 if text.startswith(">", at + 1) else 1
        elif character == "/":
            if text.startswith("/", at + 1) and not raw_levels:
                line_end = text.find("\n", at)
                at = length if line_end < 0 else line_end
            else:
                at += 1
        elif character == ">" and closers[-1] == ")":
            at += 1
        else:
            return at  # a mismatched closing bracket
