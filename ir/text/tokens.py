"""The tokens of the grammar in syntax.lark.

One regular expression finds the next token; a few words are special if a bracket follows, and these take in
what the grammar should not see: `tensor<4x?x` with its sizes is one token, and so are `dense<...>` with its
body, the numbers of `array<i32: ...>`, and `!dialect.name<...>`, whose contents only the dialect could read.
Tokens are made one at a time, as the parser asks, so what follows an error is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from ..source.extent import dialect_body_end
from ..types.floats import FORMATS
from .literals import Mistake

_TOKEN = re.compile(
    r"(?:\s+|//[^\n]*)*+(?:"
    r"(?P<WORD>[A-Za-z_][\w$.]*)"
    r"|(?P<FLOAT>[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<INTEGER>0x[0-9a-fA-F]+|[0-9]+)"
    r'|(?P<STRING>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")'
    r'|(?P<SYMBOL>@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"))'
    r"|(?P<SIGIL>[!#](?:[A-Za-z_0-9$.]|-(?!>))+)"
    r"|(?P<PUNCTUATION>->|::|==|>=|<=|[()\[\]{}<>,:=+*?-])"
    r"|(?P<OTHER>.))",
    re.ASCII | re.DOTALL,
).match

_PUNCTUATION: Final = {
    "(": "_LPAR",
    ")": "_RPAR",
    "[": "_LBRACK",
    "]": "_RBRACK",
    "{": "_LBRACE",
    "}": "_RBRACE",
    "<": "_LESS",
    ">": "_GREATER",
    ",": "_COMMA",
    ":": "_COLON",
    "::": "_COLONCOLON",
    "=": "_EQUAL",
    "->": "_ARROW",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "?": "QUESTION",
    "==": "COMPARISON",
    ">=": "COMPARISON",
    "<=": "COMPARISON",
}
PUNCTUATION_OF: Final = {name: mark for mark, name in _PUNCTUATION.items() if name != "COMPARISON"}

_KEYWORDS: Final = {
    "true": "TRUE",
    "false": "FALSE",
    "unit": "_UNIT",
    "unknown": "_UNKNOWN",
    "callsite": "_CALLSITE",
    "fused": "_FUSED",
    "at": "_AT",
    "to": "_TO",
    "offset": "_OFFSET",
    "mod": "MOD",
    "floordiv": "FLOORDIV",
    "ceildiv": "CEILDIV",
    "index": "SCALAR",
    "none": "SCALAR",
    **dict.fromkeys(FORMATS, "SCALAR"),
}

# Words that are special if this follows, and the token they then are, with what follows in it.
_OPENERS: Final = {
    "tensor": ("SHAPED", r"\s*<\s*(?:\*\s*x|(?:(?:\?|[0-9]+)\s*x\s*)*)"),
    "memref": ("SHAPED", r"\s*<\s*(?:\*\s*x|(?:(?:\?|[0-9]+)\s*x\s*)*)"),
    "vector": ("VECTOR", r"\s*<\s*(?:(?:[0-9]+|\[\s*[0-9]+\s*\])\s*x\s*)*"),
    "complex": ("COMPLEX", r"\s*<"),
    "tuple": ("_TUPLE", r"\s*<"),
    "dense": ("DENSE", r"\s*<"),
    "sparse": ("SPARSE", r"\s*<"),
    "array": ("DENSE_ARRAY", r"\s*<"),
    "dense_resource": ("_DENSE_RESOURCE", r"\s*<"),
    "affine_map": ("AFFINE_MAP", r"\s*<"),
    "affine_set": ("AFFINE_SET", r"\s*<"),
    "strided": ("_STRIDED", r"\s*<\s*\["),
    "distinct": ("_DISTINCT", r"\s*\["),
    "loc": ("_LOC", r"\s*\("),
}
_OPENED = {word: (kind, re.compile(rest, re.ASCII).match) for word, (kind, rest) in _OPENERS.items()}
_INTEGER_TYPE = re.compile(r"[su]?i[0-9]+").fullmatch
_LIST_END = re.compile(r'(?:[^"<>{}/]++|/(?!/)|//[^\n]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")*+', re.ASCII).match

MakeToken = Callable[[str, str, int], Any]


def tokens(text: str, start: int, end: int, make: MakeToken) -> Iterator[Any]:
    """The tokens of `text[start:end]`; `make(kind, value, offset)` makes each.

    Raises Mistake where no token starts.
    """
    at = start
    in_array = 0  # brackets open since `array<`, with that one; its numbers follow a colon at level one
    while True:
        match = _TOKEN(text, at, end)
        if match is None:
            return
        kind = match.lastgroup
        value = match[kind]  # pyright: ignore[reportArgumentType, reportCallIssue]
        begin = match.start(kind)  # pyright: ignore[reportArgumentType, reportCallIssue]
        at = match.end()
        if kind == "PUNCTUATION":
            kind = _PUNCTUATION[value]
            yield make(kind, value, begin)
            if not in_array:
                continue
            if kind == "_GREATER":
                in_array -= 1
            elif kind == "_LESS":
                in_array += 1
            elif kind == "_COLON" and in_array == 1:
                in_array = 0
                close = _LIST_END(text, at, end).end()  # pyright: ignore[reportOptionalMemberAccess]
                yield make("NUMBERS", text[at:close], at)
                at = close
            continue
        if kind == "WORD":
            kind = _KEYWORDS.get(value)
            if kind is None:
                special = _OPENED.get(value)
                opened = special and special[1](text, at, end)
                if special is not None and opened:
                    kind = special[0]
                    at = opened.end()
                    if kind in ("DENSE", "SPARSE"):
                        body = at
                        at = _LIST_END(text, at, end).end()  # pyright: ignore[reportOptionalMemberAccess]
                        if not text.startswith(">", at) or at >= end:
                            raise _unclosed(text, body, min(at, end))
                        at += 1
                    elif kind == "DENSE_ARRAY":
                        in_array = 1
                    elif in_array:
                        in_array += 1
                    value = text[begin:at]
                else:
                    kind = "SCALAR" if _INTEGER_TYPE(value) else "WORD"
        elif kind == "SIGIL":
            is_type = value[0] == "!"
            if text.startswith("<", at) and at < end:
                close = dialect_body_end(text, text, at)
                if close > end or text[close - 1] != ">":
                    opening = text[at]
                    raise Mistake(f"unbalanced '{opening}' character in pretty dialect name", at)
                at = close
                value = text[begin:at]
                kind = "DIALECT_TYPE" if is_type else "DIALECT_ATTRIBUTE"
            elif "." in value:
                kind = "DIALECT_TYPE" if is_type else "DIALECT_ATTRIBUTE"
            else:
                kind = "TYPE_ALIAS" if is_type else "ATTRIBUTE_ALIAS"
        elif kind == "OTHER":
            if value not in "%^|/}":
                raise _no_token(text, begin)
            kind = "_RBRACE" if value == "}" else kind
        yield make(kind, value, begin)  # pyright: ignore[reportArgumentType]


def _unclosed(text: str, start: int, at: int) -> Mistake:
    """What is wrong with the body of a dense literal that starts at `start` and stops at `at` without `>`."""
    depth = text.count("[", start, at) - text.count("]", start, at)
    return Mistake("expected ']'" if depth > 0 else "expected '>'", at)


def _no_token(text: str, at: int) -> Mistake:
    character = text[at]
    if character == '"':
        line_end = text.find("\n", at)
        return Mistake("expected '\"' in string literal", len(text) if line_end < 0 else line_end)
    if character == "@":
        return Mistake("@ identifier expected to start with letter or '_'", at + 1)
    return Mistake("unexpected character", at)
