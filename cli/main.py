"""`bufferize`: the command people type. It finds the subcommand, imports what that one needs, and runs it.

To add a subcommand, write a module beside this one as `bufferize.cli.arguments` describes and add a line to `COMMANDS`;
help and completion know it then.

Exit codes, of every command but `opt`, which has those of `mlir-opt`: 0, nothing was found that makes it fail; 1, something was;
2, it could not be done: the command line is not understood, a file is missing or is no program, a library is not installed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from .. import __version__
from .crash import NOT_DONE, guarded


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand.

    Attributes:
        name: what is typed.
        summary: one line for the list of commands.
        module: its module in this package.
        forwards: whether the module reads its arguments itself: it then has `main(arguments)` and nothing else.
    """

    name: str
    summary: str
    module: str
    forwards: bool = False

    def load(self) -> ModuleType:
        return importlib.import_module(f"{__package__}.{self.module}")


COMMANDS = {
    command.name: command
    for command in (
        Command(
            "explain",
            "why each copy and each allocation is needed, and what to do about it",
            "explain_command",
        ),
        Command(
            "graph", "draw control flow, regions, aliases, conflicts, liveness or ownership", "graph_command"
        ),
        Command("report", "write a page: source, explanations, pictures, before and after", "report_command"),
        Command(
            "compare", "heuristics and options side by side: copies, allocations, bytes", "compare_command"
        ),
        Command("fix", "make the changes that save copies, each tried", "fix_command"),
        Command("lint", "say what a pipeline lacks: frees, lowering, order, shared buffers", "lint_command"),
        Command(
            "memory", "how much memory each function takes, and where each buffer lies", "memory_command"
        ),
        Command("opt", "run passes; the same as bufferize-opt", "opt", forwards=True),
        Command("run", "run a function, checking every access to memory", "run_command"),
        Command(
            "verify", "compare by running what passes make of a program", "verify_command", forwards=True
        ),
        Command(
            "prove",
            "prove for all inputs that passes keep what a program does",
            "prove_command",
            forwards=True,
        ),
        Command("fuzz", "random programs through pipelines: same results, clean heap", "fuzz_command"),
        Command("bench", "measure what analysis costs and how it grows, beside peers", "bench_command"),
        Command(
            "corpus",
            "many programs, analysed once by content; what changed between two results",
            "corpus.command",
        ),
        Command("lsp", "serve an editor: findings, help, hovers, hints", "lsp_command"),
        Command("completion", "print a completion script for bash, zsh or fish", "completion_command"),
    )
}

EXAMPLES = (
    ("bufferize explain cell.mlir", "why does bufferization copy here?"),
    ("bufferize graph cell.mlir --kind cfg -o cell.svg", "draw the control flow of its functions"),
    ("bufferize opt cell.mlir -one-shot-bufferize=bufferize-function-boundaries", "do it"),
)


@guarded("bufferize", NOT_DONE)
def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
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
        sys.stderr.write(f"bufferize: error: {unknown(words[0])}\n")
        return NOT_DONE
    return run_command(command, words[1:])


def run_command(command: Command, arguments: list[str]) -> int:
    """Run one subcommand; what goes wrong with the input or the command line is said on standard error."""
    module = command.load()
    if command.forwards:
        return module.main(arguments)

    from ..ir.source.diagnostics import BufferizeError
    from .arguments import HelpRequested, Parser, declare_definitions
    from .progress import Progress

    color = "auto"
    try:
        parser = Parser(command.name, module.SUMMARY, module.EXAMPLES)
        module.configure(parser)
        flags = parser.read(arguments)
        color = getattr(flags, "color", color)
        declare_definitions(flags)
        with Progress(None):
            return module.run(flags)
    except HelpRequested as page:
        sys.stdout.write(str(page))
        return 0
    except BufferizeError as failure:
        from .errors import show_errors

        show_errors(failure, color)
        return NOT_DONE


def unknown(word: str) -> str:
    """What to say of a word that is no command."""
    import difflib
    import os

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
    lines += ["", "  -h, --help     show this help", "  -V, --version  show the version", "", "examples:"]
    for line, meaning in EXAMPLES:
        lines += [f"  {line}", f"      {meaning}"]
    return "\n".join(lines) + "\n"
