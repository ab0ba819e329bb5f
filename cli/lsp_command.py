"""`bufferize lsp`: what the other commands print, in an editor."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .arguments import Parser

SUMMARY = "Serve an editor over standard input and output, by the Language Server Protocol."
EXAMPLES = (("bufferize lsp", "what the editor's configuration starts; see docs/editors.md"),)


def configure(parser: Parser) -> None:
    """There are no flags: clients say what they want in the protocol."""


def run(flags: argparse.Namespace) -> int:
    from .. import __version__
    from ..lsp.server import make_server

    make_server(__version__).start_io()
    return 0
