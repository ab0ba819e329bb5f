"""Parts of types and attributes, from tokens; what is wrong with them, and where."""

from __future__ import annotations

from typing import Final, Protocol

from ..types.attributes import Attribute, DialectAttr, DictionaryAttr, IntegerAttr, StringAttr
from . import literals
from .literals import Mistake

MAX_SIZE: Final = (1 << 63) - 1


class PlacedToken(Protocol):
    """A word of the text, and where it begins."""

    value: str
    start_pos: int


def mistake(token: PlacedToken, message: str) -> Mistake:
    return Mistake(message, token.start_pos, token.start_pos + len(token.value))


def body_extent(token: PlacedToken) -> tuple[int, int]:
    """Where the text between `dense<` and `>` lies."""
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
    sizes = opener[opener.index("<") + 1 :].split("x")[:-1]
    shape: list[int | None] = []
    for size in sizes:
        digits = size.strip(" \t\r\n[]")
        if digits == "?":
            shape.append(None)
            continue
        if len(digits) > literals.MAX_DIGITS or int(digits) > MAX_SIZE:
            raise mistake(token, "invalid dimension")
        shape.append(int(digits))
    return tuple(shape)


def memory_space_error(space: Attribute | None) -> str | None:
    if space is None or isinstance(space, IntegerAttr | StringAttr | DictionaryAttr | DialectAttr):
        return None
    return "unsupported memory space Attribute"
