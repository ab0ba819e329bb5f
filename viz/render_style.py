"""Style of drawn diagnostics: glyphs, colours, styled rows, text width.

Colours come from the 256-colour cube and have a contrast of at least 3:1 against black as well as
against white (WCAG 2.1, section 1.4.11), because the background is unknown. Colour never carries
meaning alone: primary and secondary marks also differ in their glyphs.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from ..ir.source.diagnostics import JOINERS, character_width
from ..ir.source.records import record

MINIMUM_WIDTH = 40
"""Narrower terminals are treated as this wide, since labels need room."""
DEFAULT_WIDTH = 100


@record(frozen=True)
class Glyphs:
    """One character set. Marks come as pairs: secondary, primary."""

    mark: tuple[str, str]
    hang: tuple[str, str]  # the first column of a mark whose label hangs below
    tie: tuple[str, str]  # from a mark down to its label, and along the lines of a multi-line span
    across: tuple[str, str]  # from the left border to the place where a multi-line span begins or ends
    open: tuple[str, str]  # the corner where a multi-line span leaves its first line ...
    open_here: tuple[str, str]  # ... or starts as its first line starts
    close: tuple[str, str]
    turn_up: tuple[str, str]  # where `across` meets the beginning, and the end
    label: str  # before a hanging label
    label_more: str  # the same, with more labels below at the same column
    border: str
    place: str
    other_place: str
    note: str
    last_note: str
    cut: str  # replaces what was cut from a line
    skipped: str  # replaces lines
    unknown: str  # replaces characters that must not reach the terminal


ASCII = Glyphs(
    mark=("-", "^"), hang=("-", "^"), tie=("|", "|"), across=("_", "_"),
    open=(" ", " "), open_here=("/", "/"), close=("|", "|"), turn_up=("|", "|"),
    label="", label_more="", border="|", place="-->", other_place=":::",
    note="=", last_note="=", cut="...", skipped="...", unknown="?",
)  # fmt: skip
UNICODE = Glyphs(
    mark=("─", "━"), hang=("┬", "┯"), tie=("│", "┃"), across=("─", "━"),
    open=("╭", "┏"), open_here=("╭", "┏"), close=("╰", "┗"), turn_up=("╯", "┛"),
    label="╰╴", label_more="├╴", border="│", place="╭▸", other_place="├▸",
    note="├", last_note="╰", cut="…", skipped="···", unknown="�",
)  # fmt: skip

PALETTE: Mapping[str, str] = {
    "error": "1;38;5;160",
    "warning": "1;38;5;166",
    "remark": "1;38;5;133",
    "note": "1;38;5;30",
    "help": "1;38;5;28",
    "secondary": "38;5;33",
    "border": "38;5;33",
    "title": "1",
    "added": "38;5;28",
    "removed": "38;5;160",
    "changed-added": "1;38;5;28",
    "changed-removed": "1;38;5;160",
}


class PrintedLine:
    """One printed line: cells by column; later writes overwrite earlier ones.

    Empty cells are spaces; trailing ones are not printed.
    """

    __slots__ = ("_cells",)

    def __init__(self) -> None:
        self._cells: dict[int, tuple[str, str]] = {}

    def put(self, column: int, text: str, style: str = "") -> int:
        """Write cleaned text at `column`. Returns the column after it."""
        cells = self._cells
        last = column
        for character in text:
            width = character_width(character)
            if width == 0:  # combines with the previous cell
                before = cells.get(last)
                if before is not None:
                    cells[last] = (before[0] + character, before[1])
                continue
            cells[column] = (character, style)
            if width == 2:
                cells[column + 1] = ("", style)
            last = column
            column += width
        return column

    def render(self, color: bool) -> str:
        """The text, with escape codes where the style changes if `color`."""
        cells = self._cells
        last = max((column for column, (text, _) in cells.items() if text != " "), default=-1)
        parts: list[str] = []
        active = ""
        for column in range(last + 1):
            text, style = cells.get(column, (" ", ""))
            if color and style != active and text != " ":  # a space looks the same in every style
                if PALETTE.get(active):
                    parts.append("\x1b[0m")
                if PALETTE.get(style):
                    parts.append(f"\x1b[{PALETTE[style]}m")
                active = style
            parts.append(text)
        if color and PALETTE.get(active):
            parts.append("\x1b[0m")
        return "".join(parts)


def wants_color(stream: TextIO, choice: str = "auto", environ: Mapping[str, str] | None = None) -> bool:
    """Whether to colour output to `stream`; `choice` is the user's ``auto``, ``always`` or ``never``.

    ``auto`` checks, in this order: NO_COLOR (no-color.org: any value disables), CLICOLOR_FORCE and
    FORCE_COLOR (any value but empty and 0 enables), TERM=dumb, and whether the stream is a terminal.
    """
    if choice in ("always", "never"):
        return choice == "always"
    environ = os.environ if environ is None else environ
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("CLICOLOR_FORCE", "FORCE_COLOR")):
        return True
    if environ.get("TERM") == "dumb":
        return False
    return _is_terminal(stream)


def wants_unicode(stream: TextIO) -> bool:
    """Whether `stream` can encode the unicode glyphs."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        "╭▸━…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def terminal_width(stream: TextIO, environ: Mapping[str, str] | None = None) -> int:
    """Columns of the terminal behind `stream`: COLUMNS, the system's value, or DEFAULT_WIDTH."""
    columns = (os.environ if environ is None else environ).get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and 0 < len(columns) < 6 and int(columns) > 0:
        return int(columns)
    if _is_terminal(stream):
        try:
            return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
        except (OSError, ValueError, AttributeError):
            pass
    return DEFAULT_WIDTH


def _is_terminal(stream: TextIO) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # no such method; or the stream is closed
        return False


# The display width of text, and line breaking.
#
# Source text and messages may contain anything: tabs, wide and combining characters, and characters that
# control the terminal (escape codes, or bidirectional overrides that make code display
# differently from what it is). `cells` is the one place where text is made safe to print.

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
    """`text`, a single line, made safe to print."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(printed for _, printed, _ in cells(text, unknown))


def clean_lines(lines: Iterable[str]) -> str:
    """Lines made safe to print, each with a newline: a newline within a name does not start a line."""
    return "".join(f"{clean(line)}\n" for line in lines)


def display_width(text: str) -> int:
    """Columns of a cleaned text."""
    return len(text) if text.isascii() else sum(character_width(character) for character in text)


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
