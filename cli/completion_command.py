"""`bufferize completion SHELL`: a script with which a shell completes commands, flags, values and files.

The scripts are written by shtab from the parsers of the commands.
"""

from __future__ import annotations

import argparse

from .arguments import Parser, one_of
from .output import write_stdout

SUMMARY = "Print a completion script for a shell: commands, flags, and the values of flags that have a few."
EXAMPLES = (
    ("source <(bufferize completion bash)", "completion in this bash session"),
    ("source <(bufferize completion bash bufferize-opt)", "the same for bufferize-opt"),
    ("bufferize completion zsh > ~/.zfunc/_bufferize", "for zsh, in a folder of its fpath"),
    (
        "bufferize completion fish > ~/.config/fish/completions/bufferize.fish",
        "completion in fish, permanently",
    ),
)
PROGRAMS = ("bufferize", "bufferize-opt")
SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def configure(parser: Parser) -> None:
    shells = ", ".join(SHELLS[:-1])
    parser.add_argument(
        "shell", choices=SHELLS, type=one_of(SHELLS), metavar="SHELL", help=f"{shells} or {SHELLS[-1]}"
    )
    parser.add_argument(
        "program",
        nargs="?",
        default=PROGRAMS[0],
        choices=PROGRAMS,
        type=one_of(PROGRAMS),
        metavar="PROGRAM",
        help=f"{PROGRAMS[0]} (default) or {PROGRAMS[1]}",
    )


def run(flags: argparse.Namespace) -> int:
    import shtab

    parser = opt_parser(PROGRAMS[1]) if flags.program == PROGRAMS[1] else bufferize_parser()
    write_stdout(shtab.complete(parser, flags.shell) + "\n")
    return 0


def command_parsers() -> dict[str, Parser]:
    """The parsers of the commands with flags of their own, by name. Imports every command's module."""
    from .commands import COMMANDS

    found: dict[str, Parser] = {}
    for command in COMMANDS.values():
        if not command.forwards:
            module = command.load()
            parser = found[command.name] = Parser(command.name, module.SUMMARY)
            module.configure(parser)
    return found


def bufferize_parser() -> argparse.ArgumentParser:
    """All commands with their flags."""
    from .commands import COMMANDS

    whole = argparse.ArgumentParser(prog=PROGRAMS[0], add_help=False)
    whole.add_argument("-h", "--help", action="store_true", help="show this help")
    whole.add_argument("-V", "--version", action="store_true", help="show the version")
    commands = whole.add_subparsers(dest="command")
    parsers = command_parsers()
    for command in COMMANDS.values():
        parser = parsers.get(command.name) or opt_parser(command.name)
        _complete_files(parser)
        commands.add_parser(command.name, help=command.summary, parents=[parser], add_help=False)
    helped = commands.add_parser("help", help="show the help of a command", add_help=False)
    helped.add_argument("name", choices=tuple(COMMANDS), help="a command")
    return whole


def opt_parser(name: str) -> argparse.ArgumentParser:
    """The flags and passes of `bufferize-opt`, which takes long flags with one dash, too, like `mlir-opt`."""
    from ..transforms.pass_base import all_passes
    from .opt_settings import BOOLEAN_FLAGS, VALUE_FLAGS

    parser = argparse.ArgumentParser(prog=name, add_help=False)
    parser.add_argument("input", nargs="?", help="the program")
    parser.add_argument("-o", metavar="FILE", help="the file to write")
    words = {name: _one_line(help) for name, (_, help) in BOOLEAN_FLAGS.items()}
    words |= {cls.name: _one_line(cls.summary) for cls in all_passes()}
    words |= {"help": "show the flags and passes", "version": "show the version"}
    for word, help in words.items():
        parser.add_argument(f"--{word}", f"-{word}", action="store_true", help=help)
    for word, (_, _, help) in VALUE_FLAGS.items():
        if word != "o":
            parser.add_argument(f"--{word}", f"-{word}", help=_one_line(help))
    _complete_files(parser)
    return parser


def _one_line(text: str) -> str:
    return " ".join(text.replace("%%", "%").replace("%", "%%").split())


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Let values that are not enumerated be files."""
    import shtab

    for action in parser._actions:
        if action.choices is None and action.nargs != 0:
            vars(action)["complete"] = shtab.FILE
