"""How wide text is on a terminal, and how to break it.

Source text and messages may hold anything: tabs, wide and combining characters, and characters that
act on the terminal instead of showing (escape codes, the bidirectional overrides that make code read
other than it is). `cells` is the one place where text becomes something safe to print.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from ..ir.source.diagnostics import JOINERS, character_width

TAB_WIDTH = 4
"""Tab stops in drawn source lines. `mlir-opt` uses eight; four leaves more room for labels."""


def _acts_on_terminal(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in JOINERS


def cells(text: str, unknown: str = "?", column: int = 0) -> Iterator[tuple[int, str, int]]:
    """What to print for each character of a line: (index in `text`, printed text, columns).

    Tabs reach to the next stop, counted from `column`; characters that would act on the terminal
    become `unknown`; combining characters follow their base with zero columns. Yields one item for
    every character. O(text).
    """
    for index, character in enumerate(text):
        if " " <= character <= "~":
            width = 1
        elif character == "\t":
            width = TAB_WIDTH - column % TAB_WIDTH
            character = " " * width
        elif _acts_on_terminal(character):
            character, width = unknown, 1
        else:
            width = character_width(character)
            if width == 0 and index == 0:
                character, width = unknown, 1  # nothing to combine with
        column += width
        yield index, character, width


def clean(text: str, unknown: str = "?") -> str:
    """`text`, which is one line, as it may be printed."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(printed for _, printed, _ in cells(text, unknown))


def clean_lines(lines: Iterable[str]) -> str:
    """Lines as they may be printed, each with a line feed: a name that holds one does not begin a line."""
    return "".join(f"{clean(line)}\n" for line in lines)


def display_width(text: str) -> int:
    """Columns of a cleaned text."""
    if text.isascii():
        return len(text)
    return sum(character_width(character) for character in text)


def wrap(text: str, width: int, unknown: str = "?") -> list[str]:
    """`text` cleaned and broken at spaces into lines of at most `width` columns.

    Line feeds in the text break too. A word wider than `width` stays whole on a line of its own. A line
    that fits keeps its spacing, so that drawings survive; a broken one keeps its indentation. O(text).
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = clean(paragraph, unknown).rstrip()
        if display_width(line) <= width:
            lines.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if len(indent) > width // 2:
            indent = ""
        current, used = indent, len(indent)
        for word in line.split():
            word_width = display_width(word)
            if used > len(indent) and used + 1 + word_width > width:
                lines.append(current)
                current, used = indent, len(indent)
            if used > len(indent):
                current, used = f"{current} {word}", used + 1 + word_width
            else:
                current, used = current + word, used + word_width
        lines.append(current)
    return lines
