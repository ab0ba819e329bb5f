"""What can be typed after `bufferize`: commands, their flags, and the values of these."""

from __future__ import annotations

import argparse
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag as typed, or (spellings empty) an argument that follows the flags.

    Attributes:
        spellings: `--kind`, `-o`; longest first.
        help: what it does, one line.
        takes_value: whether a value follows.
        values: the possible values, if they are a few words; a file or any text otherwise.
    """

    spellings: tuple[str, ...]
    help: str
    takes_value: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandWords:
    """What completion knows of a command."""

    name: str
    summary: str
    flags: tuple[Flag, ...]


def command_flags() -> list[CommandWords]:
    """All commands with their flags. Imports every command's module; those that are not there are left out."""
    from .arguments import Parser
    from .commands import COMMANDS

    found: list[CommandWords] = []
    for command in COMMANDS.values():
        if command.forwards:
            found.append(CommandWords(command.name, command.summary, opt_flags()))
            continue
        module = command.load()
        parser = Parser(command.name, module.SUMMARY)
        module.configure(parser)
        found.append(CommandWords(command.name, command.summary, tuple(_flags(parser))))
    return found


def _flags(parser: argparse.ArgumentParser) -> list[Flag]:
    return [
        Flag(
            tuple(sorted(action.option_strings, key=len, reverse=True)),
            _one_line(action.help or ""),
            action.nargs is None,
            tuple(str(choice) for choice in action.choices or ()),
        )
        for action in parser._actions
    ]


def opt_flags() -> tuple[Flag, ...]:
    """The flags and passes of `bufferize-opt`."""
    from ..transforms.catalog import all_passes
    from .opt_settings import BOOLEAN_FLAGS, VALUE_FLAGS

    flags = [Flag((f"--{name}",), _one_line(help)) for name, (_, help) in BOOLEAN_FLAGS.items()]
    flags += [
        Flag(("-o",) if name == "o" else (f"--{name}",), _one_line(help), True)
        for name, (_, _, help) in VALUE_FLAGS.items()
    ]
    flags += [Flag((f"--{cls.name}",), _one_line(cls.summary)) for cls in all_passes()]
    flags += [Flag(("--help",), "show the flags and passes"), Flag(("--version",), "show the version")]
    return tuple(flags)


def _one_line(text: str) -> str:
    return " ".join(text.replace("%%", "%").split())
