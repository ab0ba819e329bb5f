"""Reads source files and files of IR dumps, and pauses the cyclic garbage collector while a program is built.

An unreadable file is an input error and is reported as such: a missing file by name,
a byte that is not UTF-8 by its position. NUL characters are kept: `mlir-opt` skips them between tokens
and rejects them inside one, which is the lexer's task.
"""

from __future__ import annotations

import gc
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from .diagnostics import InputError, error
from .locations import Source
from .records import record

STDIN_NAME = "<stdin>"
SPLIT_MARKER = "// -----"


BYTECODE = b"ML\xefR"
"""Magic number of MLIR bytecode."""


def source_from_bytes(name: str, data: bytes) -> Source:
    """`data` decoded as UTF-8. Raises InputError that points at the first invalid byte.

    Bytecode is rejected with a message of its own: only the compiler that wrote it knows its dialects well enough to
    read it.
    """
    if data.startswith(BYTECODE):
        message = (
            f"{name} is MLIR bytecode, a binary form; print it as text first, with the compiler that wrote it: "
            "mlir-opt FILE -o FILE.mlir (iree-opt, stablehlo-opt and others take the same)"
        )
        raise InputError(error(message, code="bytecode"))
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as failure:
        # The bytes before the failure decode, so the character offset is the length of that prefix.
        # The rest of the line is shown with replacement characters.
        at = len(data[: failure.start].decode("utf-8"))
        source = Source(name, data.decode("utf-8", errors="replace"))
        byte = data[failure.start]
        message = f"byte 0x{byte:02x} at offset {failure.start} is not valid UTF-8: {failure.reason}"
        raise InputError(error(message, source.span(at, at + 1), "invalid-utf-8")) from None


MAX_OF_DEVICE = 1 << 24
"""Bytes read from a device before it is treated as endless."""


def read_source(path: str | os.PathLike[str], stdin: BinaryIO | None = None) -> Source:
    """The text of a file, or of standard input if `path` is ``-``.

    Raises InputError if the file is missing, a directory, unreadable or not UTF-8.
    """
    name = os.fspath(path)
    if name == "-":
        if stdin is None and sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise InputError(error("cannot read standard input: it is closed", code="unreadable-input"))
        return source_from_bytes(STDIN_NAME, (stdin or sys.stdin.buffer).read())
    try:
        with open(name, "rb") as file:
            is_device = stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty()
            data = file.read(MAX_OF_DEVICE if is_device else -1)
            if is_device and len(data) == MAX_OF_DEVICE:
                message = f"cannot read input file '{name}': it is a device, and has no end"
                raise InputError(error(message, code="unreadable-input"))
    except (OSError, ValueError) as failure:  # ValueError: the name contains a NUL character
        reason = failure.strerror if isinstance(failure, OSError) else None
        message = f"cannot open input file '{name}': {reason or failure}"
        raise InputError(error(message, code="unreadable-input")) from None
    return source_from_bytes(name, data)


def split_source(source: Source, marker: str = SPLIT_MARKER) -> list[Source]:
    """The pieces of ``--split-input-file``: the text between lines that are just `marker`.

    Line numbers stay those of the whole file. A line counts as a marker if nothing but white space
    surrounds the marker on it. O(text).
    """
    pieces: list[Source] = []
    text = source.text
    piece_start = 0
    piece_line = line = source.first_line
    piece_column = 0
    counted = 0
    found = text.find(marker)
    while found != -1:
        line_start = text.rfind("\n", 0, found) + 1
        line_end = text.find("\n", found)
        line_end = len(text) if line_end == -1 else line_end
        if text[line_start:line_end].strip() == marker:
            pieces.append(Source(source.name, text[piece_start:line_start], piece_line, piece_column))
            line += text.count("\n", counted, line_end)
            counted = piece_start = line_end
            piece_line, piece_column = line, line_end - line_start + 1
        found = text.find(marker, line_end)
    pieces.append(Source(source.name, text[piece_start:], piece_line, piece_column))
    return pieces


# Pausing Python's cyclic garbage collector during construction.
#
# Operations, values and uses refer to one another, so a growing program makes the collector repeatedly scan live
# objects: a quarter of the time to parse a large file.


def keep_programs() -> None:
    """For short-lived processes: exclude everything built so far from later collections.

    Programs are cyclic, so a collection on leaving `collection_paused` would traverse them for nothing: a
    tenth of the time to parse and print a large file.
    """
    global _keeps_programs
    _keeps_programs = True


_keeps_programs = False


@contextmanager
def collection_paused() -> Iterator[None]:
    """Disables cyclic collection; nests. Garbage that is created inside is freed only afterwards."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if _keeps_programs and hasattr(gc, "freeze"):  # PyPy has no `gc.freeze`
                gc.freeze()
            gc.enable()


# Files of IR dumps: splits the output of `--mlir-print-ir-after-all` into programs.
#
#     // -----// IR Dump After CSE (cse) //----- //
#     func.func @f() { ... }
#
# A header names the pass and is followed by the operation that the pass ran on, a module or a function, or, in module
# scope, by the enclosing module; the header then names the operation. A top-level operation ends with a line that begins
# with a brace, or on its first line if it opens no region; only definitions of locations and resources may follow it.
# Further text (a program printed at the end of the same stream) is another program of the sequence. Text before the first
# header, and errors and remarks between dumps, are ignored.

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
