"""Where the text of a type or attribute ends, without reading what it means.

Parsers of operations meet types and attributes in the middle of a text. Finding their ends is a matter of
matching brackets, much quicker than parsing, and the extended block found is then looked up in, or entered into, a
table of texts already parsed (see syntax.py).

Both functions look only at what a type or attribute can consist of, so on text that is none they return a
place no later than where the parser will complain; brackets that never close extend it to the end of the
text, a wrong closing bracket ends it. Only nesting deeper than `MAX_BRACKETS` is an error here. One pass,
O(extended block); the pieces between brackets are jumped over by regular expressions that cannot backtrack.
"""

from __future__ import annotations

import re
from typing import Final

from .diagnostics import ParseError
from .locations import Source, Span

MAX_BRACKETS: Final = 512
"""Levels of open brackets inside one type or attribute. Programs have a dozen; the parser's own limit on
nesting of values is lower, but affine expressions may have more parentheses than levels."""

_ASCII = re.ASCII
_BORING = re.compile(r'[^<>()\[\]{}"/!#-]*', _ASCII).match
_STRING = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"', _ASCII).match
_SYMBOLS = re.compile(
    r'@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")(?:\s*::\s*@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"))*+',
    _ASCII,
).match
_DIALECT_SYMBOL = re.compile(r"[!#](?:[A-Za-z_0-9$.]|-(?!>))+(<)?", _ASCII).match
_SPACE = re.compile(r"\s*(?://[^\n]*\s*)*+", _ASCII).match
_NUMBER = re.compile(
    r"-?\s*(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?)",
    _ASCII,
).match
_WORD = re.compile(r"[A-Za-z_][\w$.]*", _ASCII).match
# A whole builtin type with nothing nested, or its name with the bracket that opens it, or a word.
_BUILTIN_TYPE = re.compile(
    r'(?:tensor|memref|vector|complex|tuple)\s*<(?:[^<>()\[\]{}"/!#-]*+>)?|[A-Za-z_]\w*', _ASCII
).match
_ARROW = re.compile(r"\s*(?://[^\n]*\s*)*+->\s*(?://[^\n]*\s*)*+", _ASCII).match
_COLON = re.compile(r"\s*(?://[^\n]*\s*)*+:(?!:)\s*(?://[^\n]*\s*)*+", _ASCII).match
_OPENING = re.compile(r"\s*([<(\[])", _ASCII).match

_CLOSER: Final = {"<": ">", "(": ")", "[": "]", "{": "}"}


def type_end(source: Source | str, position: int) -> int:
    """The position just after the type that starts at `position`.

    Raises ParseError if brackets are nested more than `MAX_BRACKETS` deep.
    """
    text = source if isinstance(source, str) else source.text
    match = _BUILTIN_TYPE(text, position)
    if match is not None:
        end = match.end()
        return _balanced(source, text, end - 1) if text[end - 1] == "<" else end
    if text.startswith("!", position):
        return _dialect_symbol_end(source, text, position)
    if not text.startswith("(", position):
        return position
    end = _balanced(source, text, position)
    arrow = _ARROW(text, end)
    if arrow is None:
        return end
    end = arrow.end()
    if text.startswith("(", end):
        return _balanced(source, text, end)
    return type_end(source, end)


def angle_end(source: Source | str, position: int) -> int:
    """The position just after the `>` that closes the `<` at `position`, in the text of a dialect's type or attribute."""
    return _balanced(source, source if isinstance(source, str) else source.text, position, raw=True)


def attribute_end(source: Source | str, position: int, colon_type: bool = True) -> int:
    """The position just after the attribute that starts at `position`.

    With `colon_type` a `: type` after a number or string is part of it; it always is part of `dense<...> :
    type` and its like. Raises ParseError as `type_end` does.
    """
    text = source if isinstance(source, str) else source.text
    first = text[position : position + 1]
    if first in ("[", "{"):
        return _balanced(source, text, position)
    if first == "@":
        match = _SYMBOLS(text, position)
        return position + 1 if match is None else match.end()
    if first == "#":
        end = _dialect_symbol_end(source, text, position)
        name = text[position:end]
        return _colon_type_end(source, text, end) if colon_type and ("." in name or "<" in name) else end
    if first == '"':
        match = _STRING(text, position)
        end = position + 1 if match is None else match.end()
        return _colon_type_end(source, text, end) if colon_type else end
    if first.isdigit() or first == "-":
        match = _NUMBER(text, position)
        if match is None:
            return position + 1
        return _colon_type_end(source, text, match.end()) if colon_type else match.end()
    match = _WORD(text, position)
    if match is None:
        return type_end(source, position)
    word = match.group()
    if word in ("dense", "sparse", "dense_resource"):
        return _colon_type_end(source, text, _brackets_end(source, text, match.end(), "<"))
    if word in ("affine_map", "affine_set", "array", "strided"):
        return _brackets_end(source, text, match.end(), "<")
    if word == "loc":
        return _brackets_end(source, text, match.end(), "(")
    if word == "distinct":
        return _brackets_end(source, text, _brackets_end(source, text, match.end(), "["), "<")
    return type_end(source, position)


def _colon_type_end(source: Source | str, text: str, position: int) -> int:
    colon = _COLON(text, position)
    return position if colon is None else type_end(source, colon.end())


def _brackets_end(source: Source | str, text: str, position: int, opening: str) -> int:
    match = _OPENING(text, position)
    if match is None or match[1] != opening:
        return position
    return _balanced(source, text, match.end() - 1)


def _dialect_symbol_end(source: Source | str, text: str, position: int) -> int:
    """End of `!name`, `#name`, and of a body in `<>` that follows at once."""
    match = _DIALECT_SYMBOL(text, position)
    if match is None:
        return position + 1
    return match.end() if match[1] is None else _balanced(source, text, match.end() - 1, raw=True)


def dialect_body_end(source: Source | str, text: str, position: int) -> int:
    """The position just after the body in `<>` that opens at `position`, or where its brackets go wrong."""
    return _balanced(source, text, position, raw=True)


def _balanced(source: Source | str, text: str, position: int, raw: bool = False) -> int:
    """The position just after the bracket that closes the one at `position`.

    `raw` says that this is the body of a dialect's symbol, in which `//` starts no comment. An angle bracket
    in parentheses is a comparison in an affine set if `=` follows, or if it would close nothing.
    """
    closers = [_CLOSER[text[position]]]
    raw_levels = 1 if raw else 0  # while at least so many brackets are open we are in such a body
    at = position + 1
    length = len(text)
    while True:
        at = _BORING(text, at).end()  # pyright: ignore[reportOptionalMemberAccess]  # matches anything
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
            match = _STRING(text, at)
            at = at + 1 if match is None else match.end()
        elif character in "!#":
            match = _DIALECT_SYMBOL(text, at)
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
            return at  # a closing bracket that closes something else
