"""Programs with operations in a notation that nobody here knows: the functions that have them are left out, all others are read.

Such an operation cannot be read past, since only its own dialect knows where it ends. So its function becomes blank, together with
all functions that name it or are named by it: lines and columns of the rest stay what they are. One hint says so, and what helps.
"""

from __future__ import annotations

import re

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, Diagnostic, Severity
from ..ir.source.locations import Source, Span
from ..ir.source.parts import cut
from ..ir.text.parser import UNKNOWN_DIALECT, parse_source

MOST_DIALECTS = 16
"""Unknown dialects after which the text is no program; each takes another reading."""


def read_known(source: Source) -> tuple[Operation, Source, list[Diagnostic]]:
    """The program without what is in unknown notation, its text as it was read, and a hint for each dialect that was left out.

    O(text) for each unknown dialect.

    Raises:
        BufferizeError: the text is no program for another reason.
    """
    hints: list[Diagnostic] = []
    while True:
        try:
            return parse_source(source, allow_unregistered=True), source, _on(source, hints)
        except BufferizeError as failure:
            found = failure.diagnostic
            place = found.primary_span
            if found.code != UNKNOWN_DIALECT or place is None or len(hints) == MOST_DIALECTS:
                raise
            dialect = place.text.partition(".")[0]
            text = _without(source.text, dialect, place)
            if text == source.text:
                raise
            source = Source(source.name, text, source.first_line)
            hints.append(_hint(place, dialect))


def _on(source: Source, hints: list[Diagnostic]) -> list[Diagnostic]:
    """The hints on the text that was read in the end, whose places are those of the texts before."""
    for hint in hints:
        if hint.span is not None:
            hint.span = Span(source, hint.span.start, hint.span.end)
    return hints


def _hint(place: Span, dialect: str) -> Diagnostic:
    hint = Diagnostic(
        Severity.NOTE,
        f"operations of '{dialect}' are in a notation that is not known: functions with them are left out",
        place,
        UNKNOWN_DIALECT,
    )
    return hint.help(
        "--ods or --irdl, or ods and irdl in bufferize.toml, give definitions; generic form needs none"
    )


def _without(text: str, dialect: str, place: Span) -> str:
    """The text with blanks for the functions that use a dialect, and those that name them or are named by them."""
    lines = text.split("\n")
    uses = re.compile(rf"(?<![\w.$%@!#\"-]){re.escape(dialect)}\.[\w.$]+")
    at = place.line - place.source.first_line
    for part in cut(text, 1):
        own = [line for start, end in part.own for line in range(start, end)]
        if at in own or any(uses.search(lines[line].partition("//")[0]) for line in own):
            for line in own:
                lines[line] = " " * len(lines[line])
    return "\n".join(lines)
