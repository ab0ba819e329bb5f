"""The subcommands of `bufferize`.

To add one, write a module beside this one as `bufferize.cli.arguments` describes and add a line to `COMMANDS`; help and completion
know it then.
"""

from __future__ import annotations

import importlib
from types import ModuleType


class Command:
    """A subcommand. Plain, for `--version` imports this module and little else.

    Attributes:
        name: what is typed.
        summary: one line for the list of commands.
        module: its module in this package.
        forwards: whether the module reads its arguments itself: it then has `main(arguments)` and nothing else.
    """

    __slots__ = ("forwards", "module", "name", "summary")

    def __init__(self, name: str, summary: str, module: str, forwards: bool = False) -> None:
        self.name = name
        self.summary = summary
        self.module = module
        self.forwards = forwards

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
        Command("analyze", "run a dataflow analysis: what holds at each point, and why", "analyze_command"),
        Command("query", "ask rules of your own about a program: Datalog over its facts", "query_command"),
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
        Command(
            "playground",
            "write a page that explains programs in the browser, without a server",
            "playground.command",
        ),
        Command("lsp", "serve an editor: findings, help, hovers, hints", "lsp_command"),
        Command(
            "daemon", "start, show or stop the warm process that makes small commands fast", "daemon_server"
        ),
        Command("completion", "print a completion script for bash, zsh or fish", "completion_command"),
    )
}
