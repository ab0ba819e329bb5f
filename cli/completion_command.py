"""`bufferize completion SHELL`: a script with which a shell completes commands and flags."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .output import write_stdout

if TYPE_CHECKING:
    from .arguments import Parser


# Completions of `bufferize`: commands, their flags, and the values of these.


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag as typed, or (spellings empty) a positional argument.

    Attributes:
        spellings: `--kind`, `-o`; longest first.
        help: its purpose, one line.
        takes_value: whether a value follows.
        values: the possible values, if enumerated; otherwise a file or any text.
    """

    spellings: tuple[str, ...]
    help: str
    takes_value: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandWords:
    """The completions of one command."""

    name: str
    summary: str
    flags: tuple[Flag, ...]


def command_flags() -> list[CommandWords]:
    """All commands with their flags. Imports every command's module; missing ones are omitted."""
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


# Completion scripts. Each is static text generated from the list of commands, so completion is instant.

BASH = r"""# bash completion for bufferize; made by: bufferize completion bash

_bufferize() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "@COMMANDS@ help --help --version" -- "$current"))
        return
    fi
    # bash splits at '=': --kind=cfg is three words
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    local flags="" values=""
    case $command in
        help) COMPREPLY=($(compgen -W "@COMMANDS@" -- "$current")); return ;;
@CASES@
        *) return ;;
    esac
    if [[ -n $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$current"))
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$current"))
    fi
}

complete -o bashdefault -o default -F _bufferize bufferize
@OPT@"""


BASH_OPT = r"""
_bufferize_opt() {
    local current=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    if [[ $current == --* ]]; then
        COMPREPLY=($(compgen -W "@FLAGS@" -- "$current"))
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "@SHORT@" -- "$current"))
    fi
}

complete -o bashdefault -o default -F _bufferize_opt bufferize-opt
"""


def bash_script(commands: Sequence[CommandWords], opt: Sequence[Flag] = ()) -> str:
    """The script for bash, which falls back to file names. `opt` are the flags of bufferize-opt."""
    cases: list[str] = []
    for command in commands:
        cases.append(f"        {command.name})")
        cases.append(f'            flags="{" ".join(s for flag in command.flags for s in flag.spellings)}"')
        with_values = [flag for flag in command.flags if flag.spellings and flag.values]
        if with_values:
            cases.append("            case $previous in")
            cases += [
                f'                {"|".join(flag.spellings)}) values="{" ".join(flag.values)}" ;;'
                for flag in with_values
            ]
            cases.append("            esac")
        for flag in command.flags:
            if not flag.spellings and flag.values:
                cases.append(
                    f'            [[ $current == -* || -n $values ]] || values="{" ".join(flag.values)}"'
                )
        cases.append("            ;;")
    names = " ".join(command.name for command in commands)
    return (
        BASH.replace("@COMMANDS@", names)
        .replace("@CASES@", "\n".join(cases))
        .replace("@OPT@", _bash_opt(opt))
    )


def _bash_opt(flags: Sequence[Flag]) -> str:
    """Like `mlir-opt`, bufferize-opt accepts long flags with one dash, too."""
    if not flags:
        return ""
    long = [spelling for flag in flags for spelling in flag.spellings if spelling.startswith("--")]
    short = [spelling for flag in flags for spelling in flag.spellings if not spelling.startswith("--")]
    short += [spelling[1:] for spelling in long]
    return BASH_OPT.replace("@FLAGS@", " ".join(long)).replace("@SHORT@", " ".join(short))


ZSH = r"""#compdef bufferize bufferize-opt
# zsh completion for bufferize; made by: bufferize completion zsh

_bufferize() {
    if [[ $service == bufferize-opt ]]; then
@OPT@
        return
    fi
    local -a commands
    commands=(
@COMMANDS@
    )
    if (( CURRENT == 2 )); then
        _describe -t commands 'command' commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
        help) _describe -t commands 'command' commands ;;
@CASES@
        *) _files ;;
    esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _bufferize "$@"
else
    compdef _bufferize bufferize bufferize-opt
fi
"""


def zsh_script(commands: Sequence[CommandWords], opt: Sequence[Flag] = ()) -> str:
    """The script for zsh, to be sourced or put into a folder of its `fpath`."""
    listed = [f"        {_single(f'{command.name}:{command.summary}')}" for command in commands]
    cases: list[str] = []
    for command in commands:
        cases.append(f"        {command.name})")
        cases += _zsh_arguments(command.flags, "            ")
        cases.append("            ;;")
    script = ZSH.replace("@COMMANDS@", "\n".join(listed)).replace("@CASES@", "\n".join(cases))
    return script.replace("@OPT@", "\n".join(_zsh_arguments(opt, "        ")))


def _zsh_arguments(flags: Sequence[Flag], indent: str) -> list[str]:
    lines = [f"{indent}_arguments -s \\"]
    lines += [f"{indent}    {_single(spec)} \\" for flag in flags for spec in _zsh_specs(flag)]
    if all(flag.spellings for flag in flags):
        lines.append(f"{indent}    '*:file:_files' \\")
    lines[-1] = lines[-1].removesuffix(" \\")
    return lines


def _zsh_specs(flag: Flag) -> list[str]:
    help = flag.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    action = f"({' '.join(flag.values)})" if flag.values else "_files"
    if not flag.spellings:
        return [f"1:{help}:{action}"]
    if not flag.takes_value:
        return [f"{spelling}[{help}]" for spelling in flag.spellings]
    return [
        f"*{spelling}{'=' if spelling.startswith('--') else '+'}[{help}]:value:{action}"
        for spelling in flag.spellings
    ]


def _single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish_script(commands: Sequence[CommandWords], opt: Sequence[Flag] = ()) -> str:
    """The script for fish."""
    names = " ".join(command.name for command in commands)
    lines = [
        "# fish completion for bufferize; made by: bufferize completion fish",
        f"set -l commands {names} help",
        "complete -c bufferize -n \"not __fish_seen_subcommand_from $commands\" -f -s h -l help -d 'show help'",
        "complete -c bufferize -n \"not __fish_seen_subcommand_from $commands\" -f -s V -l version -d 'show the version'",
    ]
    for command in commands:
        lines.append(
            'complete -c bufferize -n "not __fish_seen_subcommand_from $commands" -f '
            f"-a {command.name} -d {_fish(command.summary)}"
        )
    lines.append(f'complete -c bufferize -n "__fish_seen_subcommand_from help" -f -a "{names}"')
    for command in commands:
        condition = f'-n "__fish_seen_subcommand_from {command.name}"'
        lines += _fish_flags(f"complete -c bufferize {condition}", command.flags)
    lines += _fish_flags("complete -c bufferize-opt", opt)
    return "\n".join(lines) + "\n"


def _fish_flags(start: str, flags: Sequence[Flag]) -> list[str]:
    lines: list[str] = []
    for flag in flags:
        words = [start]
        for spelling in flag.spellings:
            words.append(f"-l {spelling[2:]}" if spelling.startswith("--") else f"-s {spelling[1:]}")
        if flag.values:
            words.append(f"{'-x ' if flag.spellings else '-f '}-a {_fish(' '.join(flag.values))}")
        elif flag.takes_value and flag.spellings:
            words.append("-r")
        if flag.spellings or flag.values:
            lines.append(" ".join([*words, f"-d {_fish(flag.help)}"]))
    return lines


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SUMMARY = "Print a completion script for a shell: commands, flags, and the values of flags that have a few."
EXAMPLES = (
    ("source <(bufferize completion bash)", "completion in this bash session"),
    ("bufferize completion zsh > ~/.zfunc/_bufferize", "for zsh, in a folder of its fpath"),
    (
        "bufferize completion fish > ~/.config/fish/completions/bufferize.fish",
        "completion in fish, permanently",
    ),
)
SCRIPTS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}


def configure(parser: Parser) -> None:
    from .arguments import one_of

    parser.add_argument(
        "shell",
        choices=tuple(SCRIPTS),
        type=one_of(tuple(SCRIPTS)),
        metavar="SHELL",
        help="bash, zsh or fish",
    )


def run(flags: argparse.Namespace) -> int:
    write_stdout(SCRIPTS[flags.shell](command_flags(), opt_flags()))
    return 0
