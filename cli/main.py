"""`bufferize`: finds the subcommand, imports only what it needs, and runs it.

The subcommands are listed in `commands`.

Exit codes, except for `opt`, which has those of `mlir-opt`: 0, success; 1, findings that make it fail;
2, the command could not run: invalid command line, missing or invalid input, or missing library.
"""

from __future__ import annotations

import os
import sys

from .. import __version__
from .commands import COMMANDS, Command
from .crash import NOT_DONE, guarded

TYPE_CHECKING = False  # see `bufferize/__init__.py`
if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLES = (
    ("bufferize explain cell.mlir", "why does bufferization copy here?"),
    ("bufferize graph cell.mlir --kind cfg -o cell.svg", "draw the control flow of its functions"),
    ("bufferize opt cell.mlir -one-shot-bufferize=bufferize-function-boundaries", "do it"),
)


@guarded("bufferize", NOT_DONE)
def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None and (
        words[:1] == ["--daemon"] or os.environ.get("BUFFERIZE_DAEMON", "") not in ("", "0")
    ):
        from .daemon import run_by_daemon

        words = words[words[:1] == ["--daemon"] :]
        if (code := run_by_daemon("bufferize", words)) is not None:
            return code
    if words and words[0] in ("--version", "-version", "-V"):
        sys.stdout.write(f"bufferize {__version__}\n")
        return 0
    if not words:
        sys.stderr.write(help_text())
        return NOT_DONE
    if words[0] in ("--help", "-help", "-h", "help"):
        if words[0] != "help" or len(words) == 1:
            sys.stdout.write(help_text())
            return 0
        words = [words[1], "--help"]
    command = COMMANDS.get(words[0])
    if command is None:
        from ..viz.render_style import clean_lines

        sys.stderr.write(clean_lines([f"bufferize: error: {unknown(words[0])}"]))
        return NOT_DONE
    return run_command(command, words[1:])


def run_command(command: Command, arguments: list[str]) -> int:
    """Run one subcommand; report errors in the input or command line on standard error."""
    module = command.load()
    if command.forwards:
        return module.main(arguments)

    from ..ir.source.diagnostics import BufferizeError
    from .arguments import HelpRequested, Parser, declare_definitions
    from .output import Progress
    from .settings import read_flags

    color = "auto"
    flags = None
    try:
        parser = Parser(command.name, module.SUMMARY, module.EXAMPLES)
        module.configure(parser)
        flags = read_flags(parser, arguments)
        color = getattr(flags, "color", color)
        declare_definitions(flags)
        with Progress(None):
            return module.run(flags)
    except HelpRequested as page:
        sys.stdout.write(str(page))
        return 0
    except BufferizeError as failure:
        from .output import annotate_errors, show_errors

        show_errors(failure, color)
        if getattr(flags, "format", "") == "github":
            annotate_errors(failure)
        return NOT_DONE


def unknown(word: str) -> str:
    """The message for an unknown command."""
    import difflib

    if word.startswith("-"):
        return f"unknown flag '{word}'; flags follow the command. Try: 'bufferize --help'"
    close = difflib.get_close_matches(word, COMMANDS, 1, 0.5)
    if close:
        return f"unknown command '{word}' (did you mean '{close[0]}'?). Try: 'bufferize --help'"
    if os.path.exists(word):
        return f"unknown command '{word}'; a file follows a command, as in 'bufferize explain {word}'"
    return f"unknown command '{word}'. Try: 'bufferize --help'"


def help_text() -> str:
    """The page of `bufferize --help`."""
    lines = [
        "Bufferization for MLIR programs that explains every copy it makes.",
        "",
        "usage: bufferize COMMAND ...",
        "       bufferize COMMAND --help",
        "",
        "commands:",
    ]
    lines += [f"  {command.name:12} {command.summary}" for command in COMMANDS.values()]
    lines += [
        "",
        "  -h, --help     show this help",
        "  -V, --version  show the version",
        "  --daemon       before a command: let a warm process run it (see bufferize daemon)",
        "",
        "examples:",
    ]
    for line, meaning in EXAMPLES:
        lines += [f"  {line}", f"      {meaning}"]
    return "\n".join(lines) + "\n"
