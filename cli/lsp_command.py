"""`bufferize lsp`: what the other commands print, in an editor.

A program is explained as `bufferize explain` does it: by the settings of its project, and by the flags that the editor starts the
server with.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import arguments
from .arguments import Parser

if TYPE_CHECKING:
    from ..lsp.server import SettingsFor

SUMMARY = "Serve an editor over standard input and output, by the Language Server Protocol."
EXAMPLES = (
    ("bufferize lsp", "what the editor's configuration starts; see docs/editors.md"),
    ("bufferize lsp --ods mydialect.json", "with definitions of operations of your own"),
)


def configure(parser: Parser) -> None:
    arguments.add_settings(parser)
    arguments.add_models(parser)
    arguments.add_analysis(parser)
    arguments.add_layout(parser)


def run(flags: argparse.Namespace) -> int:
    from .. import __version__
    from ..lsp.server import make_server

    make_server(__version__, settings_with(flags)).start_io()
    return 0


def settings_with(flags: argparse.Namespace) -> SettingsFor:
    """How the program in a file is explained, given the flags of the server. The settings are read anew for each program."""
    from ..lsp.settings import EditorSettings
    from .near_flags import NearFlags

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
