"""The subcommands of `bufferize`.

To add one, write a module in this folder as `bufferize.cli.arguments` describes and add a line to `COMMANDS`; help and
completion derive from it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


class Command:
    """A subcommand. A plain class, since `--version` imports this module and little else.

    Attributes:
        name: the subcommand.
        summary: one line for the list of commands.
        module: its module in this package.
        forwards: whether the module parses its arguments itself, in `main(arguments)`.
    """

    __slots__ = ("forwards", "module", "name", "summary")

    def __init__(self, name: str, summary: str, module: str, forwards: bool = False) -> None:
        self.name = name
        self.summary = summary
        self.module = module
        self.forwards = forwards

    def load(self) -> ModuleType:
        import importlib

        return importlib.import_module(f"{__package__}.{self.module}")


COMMANDS = {
    command.name: command
    for command in (
        Command(
            "explain",
            "explain why each copy and allocation exists, and how to eliminate it",
            "explain_command",
        ),
        Command(
            "graph", "draw control flow, regions, aliases, conflicts, liveness or ownership", "graph_command"
        ),
        Command(
            "analyze", "run a dataflow analysis and show what holds at each point, and why", "analyze_command"
        ),
        Command("query", "evaluate your own Datalog rules over the facts about a program", "query_command"),
        Command(
            "report",
            "write an HTML page with source, explanations, pictures, and the program before and after",
            "report_command",
        ),
        Command(
            "compare", "compare heuristics and options by copies, allocations and bytes", "compare_command"
        ),
        Command("fix", "edit programs so that they copy less; each edit is tested first", "fix_command"),
        Command(
            "lint",
            "find what a pipeline forgot: frees, lowerings, the order of passes, data races",
            "lint_command",
        ),
        Command(
            "memory",
            "plan memory: how much each function needs, and where each buffer lies",
            "memory_command",
        ),
        Command("opt", "run passes (the same as bufferize-opt)", "opt", forwards=True),
        Command("run", "run a function on a heap that checks every access", "run_command"),
        Command(
            "verify",
            "run a program before and after passes, and compare the results",
            "verify_command",
            forwards=True,
        ),
        Command(
            "prove",
            "prove for all inputs that passes preserve what a program computes",
            "prove_command",
            forwards=True,
        ),
        Command("fuzz", "send random programs through pipelines and compare the results", "fuzz_command"),
        Command("bench", "measure how the cost of analysis scales, next to other tools", "bench_command"),
        Command(
            "corpus", "analyse many programs, and compare the results with earlier ones", "corpus.command"
        ),
        Command(
            "playground",
            "write a page that explains programs in the browser, without a server",
            "playground_command",
        ),
        Command("lsp", "run the language server: findings, fixes, hovers, inlay hints", "lsp_command"),
        Command(
            "daemon",
            "start, query or stop the background process that speeds up small commands",
            "daemon_server",
        ),
        Command(
            "completion",
            "print a completion script for bash, zsh, fish, tcsh or powershell",
            "completion_command",
        ),
    )
}
