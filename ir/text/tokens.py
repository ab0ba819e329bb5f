"""Tokens of syntax.lark, and messages for unexpected ones.

One regular expression finds the next token. A few words followed by a bracket form larger tokens, which hide
their contents from the grammar: `tensor<4x?x` with its sizes is one token, and so are `dense<...>` with its
body, the numbers of `array<i32: ...>`, and `!dialect.name<...>`, whose contents only the dialect could parse.
Tokens are produced on demand, so text after an error is not scanned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ..source.parts import dialect_body_end
from ..source.text import NO_TOKEN, lazy_pattern
from ..types.floats import FORMATS
from .literals import Mistake

_TOKEN = lazy_pattern(
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
)

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

# Words that start a larger token if followed by this text, with the kind of that token.
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
_OPENED = {word: (kind, lazy_pattern(rest, re.ASCII)) for word, (kind, rest) in _OPENERS.items()}
_INTEGER_TYPE = lazy_pattern(r"[su]?i[0-9]+")
_LIST_END = lazy_pattern(r'(?:[^"<>{}/]++|/(?!/)|//[^\n]*|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")*+', re.ASCII)

MakeToken = Callable[[str, str, int], Any]


def tokens(text: str, start: int, end: int, make: MakeToken) -> Iterator[Any]:
    """The tokens of `text[start:end]`; `make(kind, value, offset)` creates each.

    Raises Mistake where no token starts.
    """
    at = start
    in_array = 0  # open brackets since `array<`, inclusive; its numbers follow a colon at level one
    while True:
        match = _TOKEN.match(text, at, end)
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
                close = _LIST_END.match(text, at, end).end()  # pyright: ignore[reportOptionalMemberAccess]
                yield make("NUMBERS", text[at:close], at)
                at = close
            continue
        if kind == "WORD":
            kind = _KEYWORDS.get(value)
            if kind is None:
                special = _OPENED.get(value)
                opened = special and special[1].match(text, at, end)
                if special is not None and opened:
                    kind = special[0]
                    at = opened.end()
                    if kind in ("DENSE", "SPARSE"):
                        body = at
                        at = _LIST_END.match(text, at, end).end()  # pyright: ignore[reportOptionalMemberAccess]
                        if not text.startswith(">", at) or at >= end:
                            raise _unclosed(text, body, min(at, end))
                        at += 1
                    elif kind == "DENSE_ARRAY":
                        in_array = 1
                    elif in_array:
                        in_array += 1
                    value = text[begin:at]
                else:
                    kind = "SCALAR" if _INTEGER_TYPE.fullmatch(value) else "WORD"
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
    """The error for the body of a dense literal that starts at `start` and ends at `at` without `>`."""
    depth = text.count("[", start, at) - text.count("]", start, at)
    return Mistake("expected ']'" if depth > 0 else "expected '>'", at)


def _no_token(text: str, at: int) -> Mistake:
    character = text[at]
    if character == '"':
        line_end = text.find("\n", at)
        return Mistake("expected '\"' in string literal", len(text) if line_end < 0 else line_end)
    return Mistake(NO_TOKEN.get(character, "unexpected character"), at + (character in "@."))


# Messages for tokens that the parser of types and attributes does not expect.
#
# The message that `mlir-opt` gives is derived from the tokens that the parser would have accepted and from the open
# construct: values that may begin here are named first, then the missing part of the construct.

_TYPE: Final = {"SCALAR", "SHAPED", "DIALECT_TYPE"}
_ATTRIBUTE: Final = {"STRING", "DENSE", "_LBRACK"}
_EXPRESSION: Final = {"INTEGER", "WORD", "MINUS", "_LPAR"}
_OPERATORS: Final = ("PLUS", "MINUS", "STAR", "MOD", "FLOORDIV", "CEILDIV")
_ATTRIBUTE_OPENING: Final = {
    **dict.fromkeys(
        ("affine_map", "affine_set", "array", "dense", "dense_resource", "sparse", "strided"), "<"
    ),
    "distinct": "[",
    "loc": "(",
}
_PARAMETRIZED: Final = ("tensor", "memref", "vector", "complex", "tuple")

_OPENED_BY: Final = {
    "SHAPED": None,
    "VECTOR": None,
    "COMPLEX": None,
    "_TUPLE": None,
    "AFFINE_MAP": ("map",),
    "AFFINE_SET": ("set",),
    "_STRIDED": ("strided", "strides"),
    "DENSE_ARRAY": ("array",),
    "_DISTINCT": ("other",),
    "_LOC": ("location",),
    "_LESS": ("other",),
    "_LBRACE": ("dictionary",),
}
"""The construct that a token opens, outermost first; None: the type whose name it begins with."""
_CLOSING: Final = ("_GREATER", "_RPAR", "_RBRACK", "_RBRACE")
_UNCLOSED: Final = {
    **{name: f"expected '>' in {name} type" for name in _PARAMETRIZED},
    "memref": "expected ',' or '>' in memref type",
    "memref attributes": "expected ',' or '>'",
    "dimensions": "expected ')' in dimensional identifier list",
    "symbols": "expected ']' in symbol list",
    "map range": "expected ')' in affine map range",
    "set range": "expected ')' in integer set constraint list",
    "parentheses": "expected ')'",
    "types": "expected ')'",
    "strides": "expected ']'",
    "list": "expected ',' or ']'",
    "locations": "expected ',' or ']'",
    "dictionary": "expected '}' in attribute dictionary",
}
"""The missing part of a construct in which nothing new can begin."""
_AFFINE: Final = {
    **dict.fromkeys(("map", "map body"), ("affine map", "affine map range")),
    **dict.fromkeys(("set", "set body"), ("integer set", "integer set constraint list")),
}
"""Names of maps and sets before and after their arrow or colon, and what follows that."""


def explain(found: str, text: str, expected: set[str], before: Sequence[tuple[str, str]]) -> tuple[str, int]:
    """The message, and the offset of its position from the start of the token.

    `found` is the kind of the unexpected token, empty at the end, and `text` its text; `before` are the kinds
    and texts of the tokens read so far.
    """
    opened = _open_constructs(before)
    within = opened[-1] if opened else ""
    last = before[-1][0] if before else ""
    if expected >= _ATTRIBUTE:
        return _explain_attribute(found, text, within)
    if expected >= _TYPE:
        return _explain_type(found, text, last)
    if "_UNKNOWN" in expected and "WORD" not in expected:
        return "expected location instance", 0
    if within in _AFFINE:
        return _explain_affine(within, last), 0
    if within in ("dimensions", "symbols"):
        return ("expected bare identifier" if "WORD" in expected else _UNCLOSED[within]), 0
    if expected >= _EXPRESSION:
        return _explain_expression(found, text, last), 0
    if "COMPARISON" in expected and within == "set range":
        return "expected '== affine-expr' or '>= affine-expr' at end of affine constraint", 0
    if {"STRING", "WORD"} <= expected and within == "dictionary":
        return "expected attribute name", 0
    for wanted, message in (
        ({"INTEGER", "FLOAT"}, "expected constant integer or floating point value"),
        ({"INTEGER", "QUESTION"}, "expected a 64-bit signed integer or '?'"),
        ({"INTEGER"}, "expected integer value"),
        ({"_OFFSET"}, "expected 'offset' after comma"),
    ):
        if wanted <= expected:
            return message, 0
    if "_AT" in expected and any(kind == "_CALLSITE" for kind, _ in before):
        return "expected 'at' in callsite location", 0
    if within == "strided":
        return {"_OFFSET": "expected ':' after 'offset'", "_RBRACK": "expected ','"}.get(
            last, "expected '>'"
        ), 0
    if "_ARROW" in expected and "_COMMA" not in expected:
        return "expected '->' in function type", 0
    if within in _UNCLOSED:
        return _UNCLOSED[within], 0
    marks = [f"'{mark}'" for name, mark in PUNCTUATION_OF.items() if name in expected]
    if not marks or ("$END" in expected and not opened):
        return "unexpected text after the end", 0
    closing = [mark for mark in marks if mark in ("')'", "']'", "'}'", "'>'")]
    return f"expected {(closing or marks)[0]}", 0


def _explain_attribute(found: str, text: str, within: str) -> tuple[str, int]:
    """`explain` where an attribute is expected."""
    if found == "WORD" and text in _ATTRIBUTE_OPENING:
        places = {"affine_map": "in affine map", "affine_set": "in integer set"}
        place = places.get(text) or f"after '{text}'"
        return f"expected '{_ATTRIBUTE_OPENING[text]}' {place}", len(text)
    if found == "_GREATER" and within.startswith("memref"):
        return "expected list element", 0
    if found == "WORD" and text in _PARAMETRIZED and within.startswith("memref"):
        return f"expected '<' in {text} type", len(text)
    if within == "tensor":  # an encoding may be missing, and then that is the error
        return _UNCLOSED[within], 0
    return "expected attribute value", 0


def _explain_type(found: str, text: str, last: str) -> tuple[str, int]:
    """`explain` where a type is expected."""
    if found == "WORD" and text in _PARAMETRIZED:
        return f"expected '<' in {text} type", len(text)
    if last == "SHAPED" and found in ("INTEGER", "QUESTION"):
        return "expected 'x' in dimension list", len(text)
    return "expected non-function type", 0


def _explain_affine(within: str, last: str) -> str:
    """The message inside of a map or set, outside of its lists and expressions."""
    name, content = _AFFINE[within]
    if last in ("_ARROW", "_COLON"):
        return f"expected '(' in {content}"
    if within.endswith("body"):
        return f"expected '>' in {name}"
    is_after_list = last in ("_RPAR", "_RBRACK")
    return "expected '->' or ':'" if is_after_list else "expected '(' in dimensional identifier list"


def _explain_expression(found: str, text: str, last: str) -> str:
    """The message where an affine expression is expected."""
    if text[:1].isalpha():
        return "use of undeclared identifier"
    if found in ("PLUS", "STAR"):
        return f"missing {'right' if last in _OPERATORS else 'left'} operand of binary operator"
    return "missing right operand of binary operator" if last in _OPERATORS else "expected affine expression"


def _open_constructs(before: Sequence[tuple[str, str]]) -> list[str]:
    """The constructs whose brackets are open, outermost first; see `_UNCLOSED` for their names."""
    opened: list[str] = []
    previous = ""
    for kind, text in before:
        within = opened[-1] if opened else ""
        if kind in _OPENED_BY:
            opened += _OPENED_BY[kind] or (text.partition("<")[0].strip(),)
        elif kind == "_LPAR":
            if within in _AFFINE:
                opened.append(within.replace("body", "range") if within.endswith("body") else "dimensions")
            else:
                opened.append(
                    "parentheses" if within.endswith("range") or within == "parentheses" else "types"
                )
        elif kind == "_LBRACK":
            opened.append("symbols" if within in _AFFINE else "locations" if previous == "_FUSED" else "list")
        elif kind in ("_ARROW", "_COLON") and within in ("map", "set"):
            opened[-1] = f"{within} body"
        elif kind == "_COMMA" and within == "memref":
            opened[-1] = "memref attributes"
        elif kind in _CLOSING and opened:
            opened.pop()
        previous = kind
    return opened
