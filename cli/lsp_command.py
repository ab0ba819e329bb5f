"""`bufferize lsp`: the commands' findings in an editor.

A program is explained as by `bufferize explain`, with its project's settings and the flags with which the editor starts
the server.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, BinaryIO

from . import arguments
from .arguments import Parser
from .output import UsageError

if TYPE_CHECKING:
    from ..lsp.server import SettingsFor

MAX_MESSAGE = 1 << 28
"""Bound on one message, in bytes; a program of a million operations takes a fifth of it."""
MAX_HEADER = 1 << 16
"""Bytes of a header line that are read at once; the rest of a longer line is treated as the next one."""

SUMMARY = "Serve an editor over standard input and output, with the Language Server Protocol."
EXAMPLES = (
    ("bufferize lsp", "the command for the editor's configuration; see docs/editors.md"),
    ("bufferize lsp --ods mydialect.json", "with definitions of your own operations"),
)


def configure(parser: Parser) -> None:
    arguments.add_settings(parser)
    arguments.add_models(parser)
    arguments.add_analysis(parser)
    arguments.add_layout(parser)


def run(flags: argparse.Namespace) -> int:
    from .. import __version__
    from ..lsp.server import make_server

    server = make_server(__version__, settings_with(flags))
    with open(os.dup(sys.stdout.fileno()), "wb") as output:  # the server closes it when the editor leaves
        server.start_io(_Bounded(sys.stdin.buffer), output)  # pyright: ignore[reportArgumentType]
    return 0


class _Bounded:
    """Standard input with a bound on single reads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.closed = False

    def readline(self) -> bytes:
        return self._stream.readline(MAX_HEADER)

    def read(self, count: int) -> bytes:
        if not 0 <= count <= MAX_MESSAGE:
            raise UsageError(f"a message of {count} bytes exceeds the limit of {MAX_MESSAGE}")
        return self._stream.read(count)

    def close(self) -> None:
        self._stream.close()


def settings_with(flags: argparse.Namespace) -> SettingsFor:
    """The settings for the program in a file, given the server's flags; reread for each program."""
    from ..lsp.document import EditorSettings
    from .settings import NearFlags

    def settings_for(path: str) -> EditorSettings:
        its = NearFlags(flags).of(path)
        settings = its.flags.settings
        return EditorSettings(
            arguments.analysis_options(its.flags),
            its.registry,
            its.flags.function_boundary_type_conversion,
            frozenset(() if settings is None else settings.ignore),
        )

    return settings_for
