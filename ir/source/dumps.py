"""Files of IR dumps: splits the output of `--mlir-print-ir-after-all` into programs.

    // -----// IR Dump After CSE (cse) //----- //
    func.func @f() { ... }

A header names the pass and is followed by the operation that the pass ran on, a module or a function, or, in module
scope, by the enclosing module; the header then names the operation. A top-level operation ends with a line that begins
with a brace, or on its first line if it opens no region; only definitions of locations and resources may follow it.
Further text (a program printed at the end of the same stream) is another program of the sequence. Text before the first
header, and errors and remarks between dumps, are ignored.
"""

from __future__ import annotations

import re

from .locations import Source
from .records import record

HEADER = "// -----// IR Dump "
"""The start of a dump's header."""
# Compiled when a file of dumps is read: every command tests whether its input is one.
_HEADER = (
    r"^// -----// IR Dump (?P<when>Before|After) (?P<name>\S+)(?P<failed> Failed)?"
    r"(?: \((?P<flag>[^)\n]*)\))?(?: \('(?P<op>[^'\n]*)' operation(?:: @(?P<symbol>[^)\n]*))?\))? //-----"
)
_PROGRAM = r"^(?:[#!][\w$.-]+ *=|\"?[A-Za-z_][\w$]*\.[\w$.]+\"?[ (]|module\b|%[\w$.-]+(?::\d+)? =)"
"""The first line of a program: an alias or an operation."""
_END = r"^\}.*$"
_AFTERWARDS = r"\n#loc\d* = [^\n]*|\s*^\{-#(?s:.*?)^#-\}"
"""Trailing parts of a program. Locations follow at once; after an empty line they belong to the next program."""
_FUNCTION = r"(?:[#!][^\n]*\n|\n)*func\.func\b[^@\n(]*@(?P<symbol>\"[^\"\n]*\"|[\w$.-]+)"
OUTPUT = "output"
"""The name of a program that follows the last dump without a header."""


@record(frozen=True)
class Dump:
    """One program of the sequence.

    Attributes:
        number: its position in the sequence, from 1.
        when: "After", "Before", or "" for a program without a header.
        name: the pass name in the header, `CSE`.
        flag: the flag of the pass, `cse`; "" if the header has none.
        symbol: the function that the pass ran on, if the header names it (in module scope).
        failed: whether the pass failed.
        source: the text, with the line numbers of the file.
    """

    number: int
    when: str
    name: str
    flag: str
    symbol: str
    failed: bool
    source: Source

    @property
    def is_called(self) -> str:
        """`after cse`."""
        return f"{self.when.lower()} {self.flag or self.name}".strip() + (" failed" if self.failed else "")

    @property
    def is_of_function(self) -> bool:
        """Whether the text is a function without its module."""
        return re.match(_FUNCTION, self.source.text) is not None

    @property
    def subject(self) -> str:
        """The function that the pass ran on; "" for a module."""
        alone = re.match(_FUNCTION, self.source.text)
        return self.symbol or (alone["symbol"] if alone is not None else "")

    def is_of(self, name: str) -> bool:
        """Whether it belongs to the pass with this flag or header name."""
        return name.lstrip("-") in (self.flag, self.name)


def read_dumps(source: Source) -> list[Dump]:
    """The programs of a file of dumps; empty if the text has no dump header. O(text)."""
    if HEADER not in source.text:
        return []
    headers = list(re.finditer(_HEADER, source.text, re.MULTILINE))
    found: list[Dump] = []
    program = re.compile(_PROGRAM, re.MULTILINE)
    ends = [header.start() for header in headers[1:]] + [len(source.text)]
    for header, end in zip(headers, ends, strict=False):
        when, name, flag = header["when"], header["name"], header["flag"] or ""
        failed = header["failed"] is not None
        symbol = header["symbol"] or ""
        start = source.text.find("\n", header.end(), end)
        while start >= 0:
            first = program.search(source.text, start, end)
            if first is None:
                break
            stop = _end_of_program(source.text, first.start(), end)
            part = source.part(first.start(), stop)
            found.append(Dump(len(found) + 1, when, name, flag, symbol, failed, part))
            when, name, flag, symbol, failed = "", OUTPUT, "", "", False
            start = stop
    return found


def _end_of_program(text: str, start: int, end: int) -> int:
    """The end of the program that begins at `start`: its aliases, its operation, and its trailing definitions."""
    line = start
    while text[line] in "#!":
        following = text.find("\n", line, end)
        while 0 <= following < end - 1 and text[following + 1] == "\n":
            following += 1
        if following < 0 or following + 1 >= end:
            return end
        line = following + 1
    feed = text.find("\n", line, end)
    stop = end if feed < 0 else feed
    if text[line:stop].rstrip().endswith(("{", "({")):
        closing = re.compile(_END, re.MULTILINE).search(text, stop, end)
        stop = end if closing is None else closing.end()
    afterwards = re.compile(_AFTERWARDS, re.MULTILINE)
    while (more := afterwards.match(text, stop, end)) is not None:
        stop = more.end()
    return stop
