"""Command-line parsing of `bufferize`: shared flags, and clear errors for unknown ones.

A command is a module with

    SUMMARY      one line for the list of commands
    EXAMPLES     pairs of a command line and its purpose, shown by --help
    configure    declares the flags on a `Parser`
    run          does the work with the parsed flags; returns the exit code

It is imported only when the command runs, or when help or completion needs its flags, so it must not import anything
heavy at module level. Long flags may be written with one dash and with `=`, as in `mlir-opt`. Flags cannot be
abbreviated.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from .output import UsageError

COLOR_CHOICES = ("auto", "always", "never")


class HelpRequested(Exception):
    """Carries the requested help text."""


class Parser(argparse.ArgumentParser):
    """The flags of one command. Never prints or exits: errors are raised."""

    def __init__(self, command: str, summary: str = "", examples: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(
            prog=f"bufferize {command}".strip(),
            description=summary,
            epilog=example_text(examples),
            formatter_class=_Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self._positionals.title = "arguments"
        self._optionals.title = "flags"
        self.add_argument("-h", "--help", action="store_true", help="show this help")

    def flags(self, text: str, group: str = "") -> None:
        """Declare flags, under a heading of their own if there is a `group`; see `declare_flags`."""
        declare_flags(self.add_argument_group(group) if group else self, text)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. Try: '{self.prog} --help'")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse the arguments.

        Raises:
            UsageError: an unknown flag, a missing or invalid value, or too many arguments.
            HelpRequested: --help was among them.
        """
        known = self._option_string_actions
        spelled = [_with_two_dashes(argument, known) for argument in arguments]
        before = spelled[: spelled.index("--")] if "--" in spelled else spelled
        if "-h" in before or "--help" in before:
            raise HelpRequested(self.format_help())
        self._check_flags(before, known)
        namespace, extra = self.parse_known_args(spelled)
        if "files" in namespace:  # files may stand between flags
            namespace.files += extra
            extra = []
        if extra:
            self.error(f"too many arguments: '{extra[0]}' is not expected")
        return namespace

    def _check_flags(self, arguments: Iterable[str], known: dict[str, argparse.Action]) -> None:
        """Report the first unknown flag, before missing arguments are reported."""
        takes_value = False
        for argument in arguments:
            if takes_value:
                takes_value = False
                continue
            if not argument.startswith("-") or argument == "-":
                continue
            name, equals, _ = argument.partition("=")
            action = known.get(name)
            if action is None and not argument.startswith("--"):
                action = known.get(argument[:2])  # a value may be attached to a short flag: -oFILE
                equals = argument[2:]
            if action is None:
                self.error(f"unknown flag '{name}'{did_you_mean(name, known)}")
            takes_value = not equals and action.nargs is None


_FLAG = re.compile(
    r"(--?[\w-]+(?:, --[\w-]+)*)(?: (%?[A-Z,]+)(\.\.\.)?(?::(int|float))?(?:=(\S*))?)?(?: -> (not )?(\w+))?  +(.*)"
)


def declare_flags(parser: argparse._ActionsContainer, text: str) -> None:
    """Declare flags by the lines of their help page; a line that is indented further continues the one before.

    --count N=1                how many programs
    --seconds S:float          a number without a default
    --models FILE...           can be repeated
    --every-pipeline -> every  without a value: sets `every`
    --no-reduce -> not reduce  sets `reduce` to False
    """
    text = text.strip("\n")
    margin = len(text) - len(text.lstrip())
    for line in re.split(rf"\n {{{margin}}}(?! )", re.sub(rf"\n {{{margin + 1},}}", "  ", text.strip())):
        found = _FLAG.fullmatch(line)
        assert found is not None, line
        names, metavar, several, kind, default, negated, dest, help = found.groups()
        more: dict[str, Any] = {"dest": dest} if dest else {}
        if metavar is None:
            more["action"] = "store_false" if negated else "store_true"
        elif several:
            more |= {"metavar": metavar, "action": "append", "default": []}
        else:
            read = {"int": int, "float": _amount}.get(kind) or _type_of(default)
            more |= {"metavar": metavar, "type": read, "default": default and read(default)}
        parser.add_argument(*names.split(", "), help=" ".join(help.split()), **more)


def _amount(text: str) -> float:
    """A number that is not negative, and is one."""
    with contextlib.suppress(ValueError):
        if (number := float(text)) >= 0:
            return number
    raise argparse.ArgumentTypeError(f"'{text}' is not a number that is 0 or more")


def _type_of(default: str | None) -> type[int] | type[float] | type[str]:
    if default is None or not default.replace(".", "").isdigit():
        return str
    return float if "." in default else int


def _columns() -> int:
    """The width of help text. `argparse` would import `shutil` for this whenever a parser is created."""
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return (os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0) or 80
    except (ValueError, OSError):
        return 80


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=_columns() - 2)

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any) -> str:
        """One line, since every flag is listed below."""
        names = [str(action.metavar or action.dest) for action in actions if not action.option_strings]
        return f"usage: {' '.join([self._prog, *names, '[flags]'])}\n\n"


def _with_two_dashes(argument: str, known: dict[str, argparse.Action]) -> str:
    if argument.startswith("-") and not argument.startswith("--"):
        name, _, _ = argument.partition("=")
        if len(name) > 2 and f"-{name}" in known:
            return f"-{argument}"
    return argument


def example_text(examples: Sequence[tuple[str, str]]) -> str:
    """The examples of a command as help prints them."""
    if not examples:
        return ""
    lines = ["examples:"]
    for line, meaning in examples:
        lines += [f"  {line}", f"      {meaning}"]
    return "\n".join(lines)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean '...'?)` with the most similar known word, or empty if none is similar."""
    import difflib

    close = difflib.get_close_matches(word, list(known), 1, 0.6)
    return f" (did you mean '{close[0]}'?)" if close else ""


def one_of(choices: Sequence[str]) -> Callable[[str], str]:
    """A converter that accepts only `choices`."""

    def read(text: str) -> str:
        if text not in choices:
            hint = did_you_mean(text, choices) or f": choose from {', '.join(choices)}"
            raise argparse.ArgumentTypeError(f"there is no '{text}'{hint}")
        return text

    return read


def add_choice(
    parser: argparse._ActionsContainer,
    flag: str,
    choices: Sequence[str],
    default: str,
    help: str,
    **more: Any,
) -> None:
    """Declare a flag with an enumerated value."""
    parser.add_argument(
        flag,
        type=one_of(choices),
        choices=choices,
        default=default or None,
        help=f"{help} (default: {default})" if default else help,
        **more,
    )


# -- flags that commands share


def add_inputs(parser: Parser) -> None:
    """Declare the positional files or folders and how they are read (see `bufferize.cli.programs`), descriptions of
    operations, and the settings flags (see `bufferize.cli.settings`).
    """
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="MLIR files; folders (all .mlir files in them); - for standard input; or MODEL.py:NAME, which executes the file and uses the JAX function or torch module with that name",
    )
    parser.flags("""
        --example SHAPES=   argument types for MODEL.py:NAME, such as 16x8xf32,f32[4]
                            (default: NAME_example or example in that file)
        --split-input-file  read the parts between '// -----' lines as separate programs
    """)
    add_unregistered(parser)
    add_models(parser)
    add_settings(parser)


def add_unregistered(parser: Parser) -> None:
    """Declare what happens to operations of unknown dialects; `mlir-opt`'s flag is accepted, too."""
    parser.flags("""
        --no-unregistered-dialect -> not allow_unregistered
                            report operations of unknown dialects as errors instead of keeping them
        --allow-unregistered-dialect -> allow_unregistered
                            keep them (the default)
    """)


def add_settings(parser: Parser) -> None:
    """Declare `--config` and `--isolated`, for commands that read settings. See `bufferize.cli.settings`."""
    parser.flags("""
        --config FILE  read settings from FILE only
        --isolated     ignore bufferize.toml and pyproject.toml
    """)
    parser.flags(
        """
        --dump N:int              read the dump with this number, counted from 1
        --pass NAME -> pass_name  read the dump of the pass with this flag or name
        """,
        "flags for files of IR dumps (--mlir-print-ir-after-all)",
    )


def add_output(parser: Parser, help: str) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help=help)


def add_color(parser: Parser) -> None:
    """Declare `--color`; `bufferize.viz.render_style.wants_color` defines `auto`."""
    add_choice(
        parser,
        "--color",
        COLOR_CHOICES,
        "auto",
        "when to use colour; auto: on terminals, unless NO_COLOR is set",
    )


def add_function(parser: Parser, help: str) -> None:
    parser.add_argument("--function", metavar="NAME", action="append", default=[], help=help)


def add_models(parser: Parser) -> None:
    """Declare the flags that describe operations of the user: their syntax, and how they bufferize.

    Every command that reads programs has them all, so that a program that one command accepts is accepted by all.
    """
    parser.flags("""
        --models FILE...     facts about your own operations; can be repeated
        --rules FILE...      additional Datalog rules that derive conflicts or exceptions to them; can be
                             repeated
        --dialect FOLDER...  load a dialect written in Python (its code is executed): a folder or a module
                             name; can be repeated
        --ods FILE...        definitions of operations of your own, as llvm-tblgen -dump-json writes them; can
                             be repeated
        --irdl FILE...       definitions of operations of your own, in IRDL; can be repeated
    """)


DESCRIPTIONS = ("models", "rules", "dialect", "ods", "irdl")
"""The flags of `add_models`."""


def description_flags(flags: argparse.Namespace) -> tuple[str, ...]:
    """The flags of `add_models` as given, and `--example`, for a command line that reads the same program."""
    given = [(name, str(path)) for name in DESCRIPTIONS for path in getattr(flags, name)]
    if example := getattr(flags, "example", ""):
        given.insert(0, ("example", example))
    return tuple(f"--{name} {shlex.quote(text)}" for name, text in given)


def declare_definitions(flags: argparse.Namespace) -> None:
    """Declare the operations defined by the --ods and --irdl files, and the deallocations described by --models.

    Raises DefinitionError if a definition cannot be read, ParseError if facts are malformed.
    """
    declare_operations(
        getattr(flags, "ods", ()),
        getattr(flags, "irdl", ()),
        getattr(flags, "models", None) or (),
        getattr(flags, "dialect", None) or (),
    )


def declare_operations(
    ods: Sequence[str], irdl: Sequence[str], models: Sequence[str], dialects: Sequence[str] = ()
) -> None:
    """See `declare_definitions`."""
    for place in dialects:
        from ..dialects._described import load_dialect

        load_dialect(place)
    if ods or irdl:
        from ..dialects.ods import declare_files

        declare_files(ods, irdl)
    if models:
        from ..analysis.models.facts import declare_described
        from ..ir.source.reading import read_source

        declare_described(read_source(path) for path in models)


HEURISTICS = ("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer", "fewest-copies")


def add_analysis(parser: Parser) -> None:
    """Declare the flags of the One-Shot analysis; `analysis_options` reads them."""
    group = parser.add_argument_group("flags of the analysis")
    what = "the order in which operands are decided; fewest-copies: search for the best choice"
    add_choice(group, "--analysis-heuristic", HEURISTICS, "bottom-up", what)
    declare_flags(
        group,
        """
        --analysis-fuzzer-seed N=0  seed of the fuzzer's order
        --time-limit SECONDS:float  time limit of the fewest-copies search for each function; an unfinished
                                    search is reported
        --assumed-size N=64         the value that the search assumes for sizes without a known bound
                                    (default: 64)
        --compare-parts             let disjoint parts of one buffer share it; mlir-opt does not
        --no-function-boundaries -> not function_boundaries
                                    do not bufferize functions, calls and returns; arguments are read-only
                                    tensors
        --allow-return-allocs-from-loops
                                    let loops yield newly allocated buffers
        """,
    )


def add_layout(parser: Parser) -> None:
    add_choice(
        parser,
        "--function-boundary-type-conversion",
        ("infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map"),
        "infer-layout-map",
        "layout maps in function signatures",
    )


def analysis_options(flags: argparse.Namespace) -> Any:
    """The `AnalysisOptions` for the flags of `add_analysis`."""
    from ..analysis.one_shot import AnalysisOptions

    return AnalysisOptions(
        bufferize_function_boundaries=flags.function_boundaries,
        allow_return_allocs_from_loops=flags.allow_return_allocs_from_loops,
        analysis_heuristic=flags.analysis_heuristic,
        analysis_fuzzer_seed=flags.analysis_fuzzer_seed,
        time_limit=flags.time_limit,
        assumed_size=flags.assumed_size,
        compare_parts=flags.compare_parts,
        compat=getattr(flags, "compat", None) or None,
    )
