"""`bufferize completion SHELL`: a script that teaches a shell the commands and flags."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .completion_words import command_flags, opt_flags
from .output import write_stdout

if TYPE_CHECKING:
    from .arguments import Parser

SUMMARY = "Print a completion script for a shell: commands, flags, and the values of flags that have a few."
EXAMPLES = (
    ("source <(bufferize completion bash)", "complete in this session of bash"),
    ("bufferize completion zsh > ~/.zfunc/_bufferize", "for zsh, in a folder of its fpath"),
    ("bufferize completion fish > ~/.config/fish/completions/bufferize.fish", "for fish, from now on"),
)
SHELLS = ("bash", "zsh", "fish")


def configure(parser: Parser) -> None:
    from .arguments import one_of

    parser.add_argument(
        "shell", choices=SHELLS, type=one_of(SHELLS), metavar="SHELL", help="bash, zsh or fish"
    )


def run(flags: argparse.Namespace) -> int:
    from . import completion_scripts

    script = getattr(completion_scripts, f"{flags.shell}_script")
    write_stdout(script(command_flags(), opt_flags()))
    return 0
