"""What to say when the parser of types and attributes meets a token it does not expect.

The parser knows which tokens would have been right; from these, and from the construct that is open, follows
the message `mlir-opt` gives. Values that could begin here are named first, then what the open construct lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .tokens import PUNCTUATION_OF

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
_OPENERS: Final = ("tensor", "memref", "vector", "complex", "tuple")

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
"""What a token opens, outermost first; None: the type whose name it begins with."""
_CLOSING: Final = ("_GREATER", "_RPAR", "_RBRACK", "_RBRACE")
_UNCLOSED: Final = {
    **{name: f"expected '>' in {name} type" for name in _OPENERS},
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
"""What is missing in a construct in which nothing new can begin."""
_AFFINE: Final = {
    **dict.fromkeys(("map", "map body"), ("affine map", "affine map range")),
    **dict.fromkeys(("set", "set body"), ("integer set", "integer set constraint list")),
}
"""What maps and sets are called, before and behind their arrow or colon, and what follows that."""


def explain(found: str, text: str, expected: set[str], before: Sequence[tuple[str, str]]) -> tuple[str, int]:
    """The message, and by how many characters its place lies behind the start of the token.

    `found` is the kind of token that came, empty at the end, and `text` what it says; `before` are the kinds
    and texts of the tokens read so far.
    """
    opened = _open_constructs(before)
    within = opened[-1] if opened else ""
    last = before[-1][0] if before else ""
    if expected >= _ATTRIBUTE:
        if found == "WORD" and text in _ATTRIBUTE_OPENING:
            behind = {"affine_map": "in affine map", "affine_set": "in integer set"}.get(
                text, f"after '{text}'"
            )
            return f"expected '{_ATTRIBUTE_OPENING[text]}' {behind}", len(text)
        if found == "_GREATER" and within.startswith("memref"):
            return "expected list element", 0
        if within == "tensor":  # an encoding may be missing, and then that is what is wrong
            return _UNCLOSED[within], 0
        return "expected attribute value", 0
    if expected >= _TYPE:
        if found == "WORD" and text in _OPENERS:
            return f"expected '<' in {text} type", len(text)
        if last == "SHAPED" and found in ("INTEGER", "QUESTION"):
            return "expected 'x' in dimension list", len(text)
        return "expected non-function type", 0
    if "_UNKNOWN" in expected and "WORD" not in expected:
        return "expected location instance", 0
    if within in _AFFINE:
        name, content = _AFFINE[within]
        if last in ("_ARROW", "_COLON"):
            return f"expected '(' in {content}", 0
        if within.endswith("body"):
            return f"expected '>' in {name}", 0
        return (
            "expected '->' or ':'"
            if last in ("_RPAR", "_RBRACK")
            else "expected '(' in dimensional identifier list"
        ), 0
    if within in ("dimensions", "symbols"):
        return ("expected bare identifier" if "WORD" in expected else _UNCLOSED[within]), 0
    if expected >= _EXPRESSION:
        if text[:1].isalpha():
            return "use of undeclared identifier", 0
        if found in ("PLUS", "STAR"):
            side = "right" if last in _OPERATORS else "left"
            return f"missing {side} operand of binary operator", 0
        if last in _OPERATORS:
            return "missing right operand of binary operator", 0
        return "expected affine expression", 0
    if "COMPARISON" in expected and within == "set range":
        return "expected '== affine-expr' or '>= affine-expr' at end of affine constraint", 0
    if {"STRING", "WORD"} <= expected and within == "dictionary":
        return "expected attribute name", 0
    for wanted, message in (
        ({"INTEGER", "FLOAT"}, "expected constant integer or floating point value"),
        ({"INTEGER", "QUESTION"}, "expected a 64-bit signed integer or '?'"),
        ({"INTEGER"}, "expected integer value"),
        ({"_OFFSET"}, "expected 'offset' after comma"),
        ({"_AT"}, "expected 'at' in callsite location"),
    ):
        if wanted <= expected:
            return message, 0
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
