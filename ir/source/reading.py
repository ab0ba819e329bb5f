"""Reads source files, with the cyclic garbage collector paused while much is built.

A program that cannot be read is the user's problem and is reported as such: a missing file by name,
a byte that is not UTF-8 by its place. NUL characters are kept: `mlir-opt` skips them between tokens
and objects to them inside one, which is for the lexer to do.
"""

from __future__ import annotations

import gc
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from .diagnostics import InputError, error
from .locations import Source

STDIN_NAME = "<stdin>"
SPLIT_MARKER = "// -----"


BYTECODE = b"ML\xefR"
"""What a file of MLIR bytecode begins with."""


def source_from_bytes(name: str, data: bytes) -> Source:
    """`data` decoded as UTF-8. Raises InputError that points at the first byte that cannot be decoded.

    Bytecode is refused in words of its own: only the compiler that wrote it knows its dialects well enough to read it.
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
        # Everything before the byte decodes, so its offset in characters is the length of that part.
        # What follows is shown with replacement characters, as far as the end of the line.
        at = len(data[: failure.start].decode("utf-8"))
        source = Source(name, data.decode("utf-8", errors="replace"))
        byte = data[failure.start]
        message = f"byte 0x{byte:02x} at offset {failure.start} is not valid UTF-8: {failure.reason}"
        raise InputError(error(message, source.span(at, at + 1), "invalid-utf-8")) from None


MAX_OF_DEVICE = 1 << 24
"""Bytes that are read of a device before it is taken to have no end."""


def read_source(path: str | os.PathLike[str], stdin: BinaryIO | None = None) -> Source:
    """The text of a file, or of standard input if `path` is ``-``.

    Raises InputError if there is no such file, it is a directory, may not be read or is not UTF-8.
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
    except (OSError, ValueError) as failure:  # ValueError: the name holds a NUL character
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


# Pausing Python's cyclic garbage collector while much is built and nothing is dropped.
#
# Operations, values and uses refer to one another, so a growing program makes the collector scan ever more objects that are
# all alive: a quarter of the time of reading a large file. Work that only builds runs faster without it.


def keep_programs() -> None:
    """For a process that reads programs, answers and ends: what has been built so far is never scanned again.

    Programs are cyclic, so leaving `collection_paused` starts a collection that walks through all of them for nothing: a
    tenth of the time of reading and printing a large file.
    """
    global _keeps_programs
    _keeps_programs = True


_keeps_programs = False


@contextmanager
def collection_paused() -> Iterator[None]:
    """No cyclic collection inside; nests. Whoever dropped a program inside pays for it in memory until the end."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if _keeps_programs and hasattr(gc, "freeze"):  # PyPy has none
                gc.freeze()
            gc.enable()
