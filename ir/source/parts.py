"""A text cut into parts that can be read, analysed and explained apart: what one edit does not touch need not be looked at again.

Functions that name one another belong together; those that do not, have nothing to do with each other. A part holds the functions of
some such components, in the order of the text, between everything that stands outside of functions (aliases, globals, an enclosing module),
which every part has. Lines stay whole, so that a place in a part is one in the text with another number of its line.

The cut needs no parser, and so it also works while a text is being typed. Where the text has another shape than functions at its top, or
in one module, it is a single part: slower, and right as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from zlib import crc32

from .records import record
from .union_find import find

_MARKS = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|[{}]|\n')
_FUNCTION = re.compile(
    r"\s*(?:func\.func|func)\s+(?:private\s+|public\s+|nested\s+)*@([\w$.-]+|\"(?:\\.|[^\"\\\n])*\")"
)
_MODULE = re.compile(r"\s*(?:builtin\.)?module\b[^{}]*(?:\{[^{}]*\}[^{}]*)?\{\s*$")
_SYMBOL = re.compile(r"@([\w$.-]+|\"(?:\\.|[^\"\\\n])*\")")


@record(frozen=True)
class TextPart:
    """Some functions of a text, and what stands outside of functions.

    Attributes:
        text: to be read for itself.
        lines: for each line of `text` its number in the whole, from 0.
        own: the ranges of lines, end exclusive, in the whole that belong to this part alone.
    """

    text: str
    lines: Sequence[int]
    own: tuple[tuple[int, int], ...]

    def line(self, whole: int) -> int:
        """The line of the part for a line of the whole that it has; the next one that it has for others."""
        return min(bisect_right(self.lines, whole - 1), len(self.lines) - 1)


TOGETHER = 32
"""Components that make one part, on average: a part costs some milliseconds, however small it is."""
MANY_LINES = 200
"""A component of so many lines ends its part."""


def cut(text: str, together: int = TOGETHER) -> list[TextPart]:
    """The parts of a text, in the order of their first functions; at least one. O(text).

    Args:
        together: how many small components make a part, on average. Which they are depends on what they say, not on what stands
            before them, so that an edit changes one part and no other (content-defined chunking, as in rsync).
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
    """First line, last line and name of each function; None if the text has another shape."""
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
    """Whether a line at the level of functions begins something else: a declaration has no body that would say where it ends."""
    return not line.strip() or line.lstrip()[0] in "}#!/" or re.match(r"\s*[a-z_]+[.\w]*\s", line) is not None


def _depths(text: str) -> Iterator[int]:
    """How many braces are open at the start of each line, those in strings and comments not counted."""
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
    """Functions that name one another, directly or by way of others; also those that have one name."""
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
