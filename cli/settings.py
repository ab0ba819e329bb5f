"""Project settings from the nearest `bufferize.toml` or `pyproject.toml` of each program.

Settings are in `bufferize.toml`, or in `pyproject.toml` under `[tool.bufferize]`. The nearest such file applies,
searched from the folder of a program upwards (`near_flags`: each of several programs has its own); a `pyproject.toml`
without that table is skipped. Command-line flags take precedence; lists and budgets are merged. Paths are relative to
the settings file.
An unknown key is an error with its position: silently ignoring a setting would be worse than rejecting it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ir.source.diagnostics import BufferizeError, ParseError, error
from ..ir.source.locations import Source, Span
from ..ir.source.reading import read_source
from ..ir.source.records import field, record
from .arguments import HelpRequested, declare_definitions, description_flags, did_you_mean

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..ir.source.diagnostics import DiagnosticEngine
    from ..transforms.pass_base import Context
    from .arguments import Parser
    from .findings_output import Accepted, Budgets


FILE_NAME = "bufferize.toml"
SHARED_FILE_NAME = "pyproject.toml"
SHARED_TABLE = "tool.bufferize"
TABLES = ("files", "models", "ods", "irdl", "dialect", "rules", "options", "budgets", "ignore")
PATH_LISTS = ("models", "ods", "irdl", "dialect", "rules")
PATH_OPTIONS = frozenset({"baseline"})
EVERY_FUNCTION = "*"
NOT_SETTINGS = frozenset(
    """
    help config isolated output models ods irdl dialect rules budget watch analysis why show forbid
    relations
    """.split()
)
"""Flags that concern one invocation, or have a table of their own."""


@record()
class ProjectSettings:
    """The contents of one settings file.

    Attributes:
        source: the file.
        files: patterns of the default programs.
        paths: files for `--models`, `--ods`, `--irdl`, `--dialect` and `--rules`, relative to the current directory.
        options: values of flags by the flag's name without dashes.
        budgets: copies allowed by function; `*` for all others.
        ignore: ids that are not reported, each with the reason.
    """

    source: Source
    files: list[str] = field(default_factory=list)
    paths: dict[str, list[str]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    budgets: dict[str, int] = field(default_factory=dict)
    ignore: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return Path(self.source.name).parent

    def place(self, key: str, table: str = "") -> Span | None:
        """The position of `key` in a table. O(text)."""
        return place_of_key(self.source, key, table)

    def programs(self) -> list[str]:
        """The files that the patterns in `files` match, without duplicates.

        Raises:
            ParseError: a pattern matches none.
        """
        found: dict[str, None] = {}
        for pattern in self.files:
            matches = _matching(self.folder, pattern)
            if not matches:
                raise ParseError(error(f"there is no file '{pattern}'", self.place("files"), "no-such-file"))
            found.update(dict.fromkeys(matches))
        return list(found)


def _matching(folder: Path, pattern: str) -> list[str]:
    if os.path.isabs(pattern):
        return [pattern] if os.path.exists(pattern) else []
    try:
        return [_shown(path) for path in sorted(folder.glob(pattern))]
    except (ValueError, NotImplementedError):  # invalid pattern
        return []


def _shown(path: Path) -> str:
    """The path relative to the current directory, if possible."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError, RuntimeError):
        return str(path)


# -- finding and reading


def find(start: Path) -> Path | None:
    """The settings file that applies to `start`, a file or folder; None if there is none."""
    try:
        here = start.resolve()
    except (OSError, ValueError, RuntimeError):  # not a valid file name: reading it will report so
        here = Path.cwd()
    for folder in (here, *here.parents):
        for file in (folder / FILE_NAME, folder / SHARED_FILE_NAME):
            if not file.is_file() and os.path.lexists(file):
                raise ParseError(
                    error(
                        f"'{_shown(file)}' is not a file, but settings are read from it",
                        None,
                        "malformed-settings",
                    )
                )
            if file.is_file() and (file.name == FILE_NAME or _speaks_of_us(file)):
                return file
    return None


def _speaks_of_us(path: Path) -> bool:
    try:
        return re.search(rb"^\s*\[\s*tool\s*\.\s*bufferize\b", path.read_bytes(), re.M) is not None
    except OSError:
        return False


def read(path: Path) -> ProjectSettings:
    """Read a settings file.

    Raises:
        InputError: it cannot be read.
        ParseError: it is not valid TOML, or has invalid settings; carries every mistake.
    """
    import tomllib

    if path.exists() and not (path.is_file() or path.is_fifo()):
        raise ParseError(
            error(
                f"'{_shown(path)}' is not a file, but settings are read from it", None, "malformed-settings"
            )
        )
    source = read_source(_shown(path))
    try:
        whole = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as failure:
        raise ParseError(error(*_toml_mistake(str(failure), source), "malformed-settings")) from None
    except (ValueError, RecursionError) as failure:
        what = "it is nested too deeply" if isinstance(failure, RecursionError) else "a number is too long"
        raise ParseError(error(*_toml_mistake(what, source), "malformed-settings")) from None
    given = whole
    if path.name == SHARED_FILE_NAME:
        tool = whole.get("tool", {})
        given = tool.get("bufferize", {}) if isinstance(tool, dict) else {}
    settings = ProjectSettings(source)
    mistakes = list(_take(given, settings))
    if mistakes:
        raise ParseError([error(message, span, "malformed-settings") for message, span in mistakes])
    return settings


def _toml_mistake(message: str, source: Source) -> tuple[str, Span | None]:
    what, _, where = message.partition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", where)
    if found is not None:
        at = min(source.offset(int(found[1]), int(found[2])), len(source.text))
    else:
        at = len(source.text)
    return f"this is not valid TOML: {what[:1].lower()}{what[1:]}", Span(
        source, at, min(at + 1, len(source.text))
    )


Mistake = tuple[str, Span | None]


def _take(given: object, settings: ProjectSettings) -> Iterator[Mistake]:
    """Store the parsed data in `settings`; yields mistakes."""
    if not isinstance(given, dict):
        yield f"'{SHARED_TABLE}' must be a table", settings.place("bufferize", "tool")
        return
    for key, value in given.items():
        place = settings.place(key)
        if key == "files" or key in PATH_LISTS:
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                yield f"'{key}' must be a list of strings", place
            elif key == "files":
                settings.files = value
            else:
                settings.paths[key] = [str(settings.folder / item) for item in value]
        elif key not in TABLES:
            yield f"there is no key '{key}' here{did_you_mean(key, TABLES)}", place
        elif not isinstance(value, dict):
            yield f"'{key}' is a table", place
        elif key == "options":
            settings.options = {name.lstrip("-"): item for name, item in value.items()}
        elif key == "budgets":
            yield from _take_budgets(value, settings)
        else:
            yield from _take_ignored(value, settings)


def _take_budgets(given: dict[str, Any], settings: ProjectSettings) -> Iterator[Mistake]:
    for name, allowed in given.items():
        if not isinstance(allowed, int) or isinstance(allowed, bool) or allowed < 0:
            yield (
                f"the budget of '{name}' must be a number of copies, at least 0",
                settings.place(name, "budgets"),
            )
        else:
            settings.budgets[name.removeprefix("@")] = allowed


def _take_ignored(given: dict[str, Any], settings: ProjectSettings) -> Iterator[Mistake]:
    from .explain_text import all_kinds

    known = all_kinds()
    for name, reason in given.items():
        place = settings.place(name, "ignore")
        if name not in known:
            yield f"no finding has the id '{name}'{did_you_mean(name, known)}", place
        elif not isinstance(reason, str) or not reason.strip():
            yield f"give the reason why '{name}' is ignored: {name} = \"the reason\"", place
        else:
            settings.ignore[name] = reason


_HEADER = re.compile(r"[ \t]*\[+\s*([^\]\n]*?)\s*\]+")


def place_of_key(source: Source, key: str, table: str = "") -> Span | None:
    """The position of a key in the table whose name ends in `table`; None if not found.

    `table` is "" for the top level of `bufferize.toml`, or of `[tool.bufferize]`.
    """
    wanted = {table, f"{SHARED_TABLE}.{table}"} if table else {"", SHARED_TABLE}
    words = rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')"
    plain = re.compile(rf"[ \t]*(?:--?)?({words})\s*[=.]")
    header = re.compile(rf"[ \t]*\[+\s*(?:{re.escape(SHARED_TABLE)}\s*\.\s*)?({words})\s*[\].]")
    dotted = re.compile(rf"[ \t]*{re.escape(table)}\s*\.\s*({words})\s*=") if table else None
    inside = ""
    at = 0
    for line in source.text.splitlines(keepends=True):
        head = _HEADER.match(line)
        found = None
        if head is not None:
            inside = re.sub(r"\s*\.\s*", ".", head[1]).replace('"', "")
            found = header.match(line) if not table else None
        elif inside in wanted:
            found = plain.match(line)
        elif dotted is not None and inside in ("", SHARED_TABLE):
            found = dotted.match(line)
        if found is not None:
            return Span(source, at + found.start(1), at + found.end(1))
        at += len(line)
    return None


# -- applying settings to commands


def read_flags(parser: Parser, typed: Sequence[str]) -> argparse.Namespace:
    """The flags of a command: those on the command line, completed by the settings of the first program.

    `settings` of the result are these settings, or None; `with_settings` parses the command line under the settings of
    another file, unless all programs share the same: see `near_flags`.

    Raises:
        UsageError: as `Parser.read`.
        BufferizeError: the settings are invalid.
    """

    if not any(action.dest == "isolated" for action in parser._actions):
        return parser.read(typed)
    try:
        flags = parser.read(typed)
        missing: BufferizeError | None = None
    except HelpRequested:
        raise
    except BufferizeError as failure:  # a missing program may be supplied by the settings
        if not failure.diagnostic.message.startswith("the following arguments are required: FILE"):
            raise
        missing = failure
        flags = parser.read([*typed, "-"])
    settings = _settings_of(flags, [] if missing else _typed_programs(flags))
    if missing is not None:
        programs = [] if settings is None else settings.programs()
        if not programs:
            raise missing
        typed = [*typed, "--", *programs] if "--" not in typed else [*typed, *programs]

    def with_settings(settings: ProjectSettings | None) -> argparse.Namespace:
        with _defaults_of(parser, settings):
            found = parser.read(typed)
        found.settings, found.with_settings = settings, None
        return found

    flags = with_settings(settings)
    if flags.config is None and not flags.isolated:
        flags.with_settings = lambda path: with_settings(None if path is None else read(path))
    return flags


@contextmanager
def _defaults_of(parser: Parser, settings: ProjectSettings | None) -> Iterator[None]:
    """Within the block, settings provide the defaults of flags."""
    before = [(action, action.default) for action in parser._actions]
    known = dict(parser._defaults)
    try:
        if settings is not None:
            _set_defaults(parser, settings)
        yield
    finally:
        parser._defaults = known
        for action, default in before:
            action.default = default


def _typed_programs(flags: argparse.Namespace) -> list[str]:
    given = getattr(flags, "files", None) or getattr(flags, "file", None) or []
    return [given] if isinstance(given, str) else list(given)


def _settings_of(flags: argparse.Namespace, programs: Iterable[str]) -> ProjectSettings | None:
    if flags.config is not None:
        return read(Path(flags.config))
    if flags.isolated:
        return None
    first = next((path for path in programs if path != "-"), ".")
    path = find(Path(first))
    return None if path is None else read(path)


def _set_defaults(parser: Parser, settings: ProjectSettings) -> None:
    """Make settings the defaults of flags.

    Raises:
        ParseError: no command has such a flag, or the value is invalid; carries every mistake.
    """
    by_name = _by_name(parser)
    mistakes: list[Mistake] = []
    for name, value in settings.options.items():
        action = by_name.get(name)
        place = settings.place(name, "options")
        if action is None:
            known = _all_flag_names()
            if name not in known:
                mistakes.append((f"no command has a flag '--{name}'{did_you_mean(name, known)}", place))
            continue
        if name in PATH_OPTIONS and isinstance(value, str):
            value = str(settings.folder / value)
        try:
            parser.set_defaults(**{action.dest: _value(action, name, value)})
        except (argparse.ArgumentTypeError, ValueError) as failure:
            mistakes.append((str(failure), place))
    for name, paths in settings.paths.items():
        if name in by_name:
            parser.set_defaults(**{by_name[name].dest: paths})
    if "budget" in by_name:
        texts = [f"{'' if name == EVERY_FUNCTION else name + '='}{n}" for name, n in settings.budgets.items()]
        parser.set_defaults(budget=texts)
    if mistakes:
        raise ParseError([error(message, span, "malformed-settings") for message, span in mistakes])


def _by_name(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Flags by long name without dashes; a `--no-x` flag is also known as `x`."""
    return {
        spelling[2:]: action
        for action in parser._actions
        for spelling in action.option_strings
        if spelling.startswith("--")
    }


def _all_flag_names() -> set[str]:
    from .completion_command import command_parsers

    return {
        spelling[2:]
        for parser in command_parsers().values()
        for action in parser._actions
        for spelling in action.option_strings
        if spelling.startswith("--")
    } - NOT_SETTINGS


def _value(action: argparse.Action, name: str, value: object) -> Any:
    """The value of a flag for a setting.

    Raises:
        ValueError, argparse.ArgumentTypeError: the value is invalid; the message lists valid ones.
    """
    if name in NOT_SETTINGS:
        raise ValueError(f"'--{name}' cannot be a setting; use it on the command line")
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError(f"'{name}' must be true or false")
        return action.const if value else action.default
    if isinstance(value, (dict, list, bool)):
        raise ValueError(f"'{name}' must be a string or a number")
    read = action.type
    if read is None:
        return str(value)
    assert callable(read)
    try:
        return read(str(value))
    except ValueError:
        raise ValueError(f"'{value}' is not a value of '--{name}'") from None


# The flags of one program among several: the command line, completed by the settings nearest to that program.
#
# The programs of one command may belong to several projects, or to parts of a project with settings of their own. How
# a program is parsed, explained and judged (`[options]`, models, definitions, budgets, ignored ids, the baseline)
# follows its own settings; what concerns all programs together, such as the format, follows those of the first.

FlagsBySettings = Callable[[Path | None], argparse.Namespace]
"""Parses the flags under a settings file, or without one."""


class ProgramFlags:
    """The flags of the programs under one settings file, and the files that they name."""

    def __init__(self, flags: argparse.Namespace) -> None:
        self.flags = flags

    @cached_property
    def models(self) -> list[Source]:
        """The files of `--models`."""
        return [read_source(path) for path in self.flags.models]

    @cached_property
    def rules(self) -> list[Source]:
        """The files of `--rules`."""
        return [read_source(path) for path in self.flags.rules]

    @cached_property
    def registry(self) -> ModelRegistry:
        """The bufferization models to use."""
        from ..analysis.models.facts import registry_with

        registry = registry_with(self.models, self.rules)
        registry.flags = description_flags(self.flags)
        return registry

    def context(self, engine: DiagnosticEngine | None = None) -> Context:
        """A context to run passes in, with the user's models and rules."""
        from ..transforms.pass_base import Context

        return Context(engine, models=self.models, rules=self.rules)

    @cached_property
    def accepted(self) -> Accepted:
        """The findings accepted by these settings and the baseline."""
        from .findings_output import Accepted

        return Accepted(self.flags)

    @cached_property
    def budgets(self) -> Budgets:
        """The copy budgets."""
        from .findings_output import read_budgets

        return read_budgets(self.flags.budget, self.flags.fail_on_copy or self.accepted.has_baseline)


class NearFlags:
    """Finds the flags of each program of a command.

    Attributes:
        first: those of the first program, which the command was parsed with.
    """

    def __init__(self, flags: argparse.Namespace) -> None:
        self.first = ProgramFlags(flags)
        settings = flags.settings
        self._read: FlagsBySettings | None = flags.with_settings
        self._folders: dict[Path, Path | None] = {}
        self._known = {None if settings is None else Path(settings.source.name).resolve(): self.first}

    def __iter__(self):
        yield from self._known.values()

    def of(self, path: str) -> ProgramFlags:
        """The flags for the program in a file; those of the first for other inputs.

        Declares the operations that its settings define.

        Raises:
            BufferizeError: its settings are invalid.
        """

        if self._read is None or not Path(path).is_file():
            return self.first
        folder = Path(path).parent
        if folder not in self._folders:
            self._folders[folder] = find(folder)
        file = self._folders[folder]
        found = self._known.get(file)
        if found is None:
            found = self._known[file] = ProgramFlags(self._read(file))
            declare_definitions(found.flags)
        return found
