"""What to say when the parser of types and attributes meets a token it does not expect.

The parser knows which tokens would have been right; from these, and from the construct that is open, follows
the message `mlir-opt` gives in most cases. The rows are tried in order.
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
_OPENING: Final = ("(", "[", "{", "<")
_PARAMETRIZED: Final = ("tensor", "memref", "vector", "complex", "tuple")


def explain(found: str, text: str, expected: set[str], before: Sequence[tuple[str, str]]) -> tuple[str, int]:
    """The message, and by how many characters its place lies behind the start of the token.

    `found` is the kind of token that came, empty at the end, and `text` what it says; `before` are the kinds
    and texts of the tokens read so far.
    """
    opener = _open_type(before)
    last = before[-1][0] if before else None
    if expected >= _ATTRIBUTE:
        if found == "WORD" and text in _ATTRIBUTE_OPENING:
            return f"expected '{_ATTRIBUTE_OPENING[text]}' after '{text}'", len(text)
        return "expected attribute value", 0
    if expected >= _TYPE:
        if found == "WORD" and text in _PARAMETRIZED:
            return f"expected '<' in {text} type", len(text)
        if found in ("INTEGER", "QUESTION") and last == "SHAPED":
            return "expected 'x' in dimension list", len(text)
        return "expected non-function type", 0
    if expected >= _EXPRESSION:
        if found in ("PLUS", "STAR"):
            side = "right" if last in _OPERATORS else "left"
            return f"missing {side} operand of binary operator", 0
        if last in _OPERATORS:
            return "missing right operand of binary operator", 0
        return "expected affine expression", 0
    if "_UNKNOWN" in expected and "WORD" not in expected:
        return "expected location instance", 0
    kinds = [kind for kind, _ in before]
    if "_RPAR" in expected and "AFFINE_MAP" in kinds and "MOD" in expected:
        return "expected ')' in affine map range", 0
    if "COMPARISON" in expected:
        return "expected '== affine-expr' or '>= affine-expr' at end of affine constraint", 0
    if "_EQUAL" in expected:
        return "expected ',' or '}'", 0
    if {"STRING", "WORD"} <= expected:
        return "expected attribute name", 0
    if "WORD" in expected:
        return "expected bare identifier", 0
    if {"INTEGER", "FLOAT"} <= expected:
        return "expected constant integer or floating point value", 0
    if {"INTEGER", "QUESTION"} <= expected:
        return "expected a 64-bit signed integer or '?'", 0
    if "INTEGER" in expected:
        return "expected integer value", 0
    if "_OFFSET" in expected:
        return "expected 'offset' after comma", 0
    if "_AT" in expected:
        return "expected 'at' in callsite location", 0
    if "_ARROW" in expected and kinds and kinds[0] in ("AFFINE_MAP", "AFFINE_SET"):
        return "expected '->' or ':'", 0
    if "_ARROW" in expected:
        return "expected '->' in function type", 0
    if "_GREATER" in expected and opener is not None:
        return f"expected '>' in {opener} type", 0
    marks = [f"'{mark}'" for name, mark in PUNCTUATION_OF.items() if name in expected]
    if not marks or "$END" in expected:
        return "unexpected text after the end", 0
    closing = [mark for mark in marks if mark in ("')'", "']'", "'}'", "'>'")]
    if "','" in marks and closing:
        return f"expected ',' or {closing[0]}", 0
    return f"expected {(closing or marks)[0]}", 0


def _open_type(before: Sequence[tuple[str, str]]) -> str | None:
    """The name of the type whose bracket is the innermost open one, if it is a type's."""
    open_brackets: list[str | None] = []
    for kind, text in before:
        if text[-1:] in _OPENING and kind not in ("STRING", "SYMBOL"):
            name = text.partition("<")[0].strip()
            open_brackets.append(name if name in _PARAMETRIZED else None)
        elif kind in ("SHAPED", "VECTOR"):
            open_brackets.append(text.partition("<")[0].strip())
        elif kind in ("_GREATER", "_RPAR", "_RBRACK", "_RBRACE") and open_brackets:
            open_brackets.pop()
    return open_brackets[-1] if open_brackets else None
