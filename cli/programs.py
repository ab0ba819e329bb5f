"""Reads and verifies the programs named on a command line.

A file is one program; with `--split-input-file` one per part between `// -----` lines. A file of IR dumps is a sequence
of programs, from which `--pass` or `--dump` choose.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from ..ir.program.interfaces import CallOpInterface
from ..ir.source.diagnostics import BufferizeError, InputError, error
from ..ir.source.records import field, record
from .arguments import UsageError, did_you_mean
from .output import say, show_errors

if TYPE_CHECKING:
    import argparse

    from ..ir.program.core import Operation
    from ..ir.source.locations import Source
    from ..ir.source.reading import Dump
    from .settings import NearFlags

MOST_NUMBERS = 12
"""Dump numbers listed in a message."""


@record(frozen=True)
class SourceProgram:
    """A verified module, and the text it was parsed from.

    Attributes:
        dump: its dump in a file of IR dumps, if it is one.
    """

    module: Operation
    source: Source
    dump: Dump | None = None

    @property
    def name(self) -> str:
        """Its name among several programs."""
        dump = f" (dump {self.dump.number}, {self.dump.is_called})" if self.dump is not None else ""
        return self.source.name + dump


T = TypeVar("T")


@record()
class ReadPrograms(Generic[T]):
    """The programs read from several files, and the errors of others.

    Attributes:
        programs: in the order of files.
        failures: one per unreadable file.
    """

    programs: list[T] = field(default_factory=list)
    failures: list[BufferizeError] = field(default_factory=list)

    def show_failures(self, color: str) -> bool:
        """Print the errors; returns whether any program was read."""

        for failure in self.failures:
            show_errors(failure, color)
        return bool(self.programs)


@record(frozen=True)
class KnownProgram(Generic[T]):
    """A text with its cached result; the program was not parsed."""

    source: Source
    said: T

    @property
    def name(self) -> str:
        """Its name among several programs."""
        return self.source.name


FindOut = Callable[[Sequence[tuple["Source", "argparse.Namespace"]]], "Sequence[T | None]"]
"""The cached results for texts, each with its flags; None for those that must be parsed."""


def files_in(paths: Sequence[str]) -> list[str]:
    """The files denoted by paths: files themselves, and every `.mlir` file below folders, sorted, without duplicates.

    Raises:
        InputError: a file does not exist, or a folder contains no program.
    """

    found: dict[str, None] = {}
    for text in paths:
        if not os.path.isdir(text):
            found[text] = None
            continue
        inside = sorted(str(path) for path in Path(text).rglob("*.mlir"))
        if not inside:
            raise InputError(error(f"there is no program in the folder '{text}': no file ends in .mlir"))
        found.update(dict.fromkeys(inside))
    return list(found)


def source_of_one(flags: argparse.Namespace) -> Source | None:
    """The text of the only file of `arguments.add_inputs`; None if there are several, or a folder.

    Raises:
        InputError: it cannot be read.
    """
    if len(flags.files) != 1 or os.path.isdir(flags.files[0]):
        return None
    say(f"reading {flags.files[0]}")
    return source_named(flags.files[0], getattr(flags, "example", ""))


def read_all(flags: argparse.Namespace, near: NearFlags | None = None) -> ReadPrograms[SourceProgram]:
    """The programs of the files and folders of `arguments.add_inputs`. If there are several, unreadable ones are
    skipped and recorded.

    Args:
        near: the settings of each program.

    Raises:
        BufferizeError: the only file cannot be read; see `read_programs`.
    """
    return of_each(
        files_in(flags.files),
        lambda path: read_file(path, flags if near is None else near.of(path).flags),
    )


def of_each(paths: Sequence[str], find: Callable[[str], Sequence[T]]) -> ReadPrograms[T]:
    """The results of `find` for each file. If there are several files, failures are recorded instead of raised.

    Raises:
        BufferizeError: the only file cannot be read.
    """
    found: ReadPrograms[T] = ReadPrograms()
    for path in paths:
        try:
            found.programs += find(path)
        except UsageError:
            raise
        except BufferizeError as failure:
            if len(paths) == 1:
                raise
            found.failures.append(failure)
    return found


def read_or_known(
    flags: argparse.Namespace, near: NearFlags, source: Source | None, find_out: FindOut[T] | None
) -> ReadPrograms[SourceProgram | KnownProgram[T]]:
    """Like `read_all`, with the cached result of `find_out` in place of a program if there is one. IR dumps are
    always parsed.

    Raises:
        BufferizeError: see `read_all`.
    """
    from ..ir.source.reading import HEADER

    known: dict[str, KnownProgram[T]] = {}
    if find_out is not None:
        texts = [source] if source is not None else readable(files_in(flags.files))
        asked = [
            (one, near.of(one.name).flags) for one in texts if one.text.strip() and HEADER not in one.text
        ]
        for (one, _), said in zip(asked, find_out(asked), strict=True):
            if said is not None:
                known[one.name] = KnownProgram(one, said)

    def of_file(path: str) -> Sequence[SourceProgram | KnownProgram[T]]:
        done = known.get(source.name if source is not None else path)
        return [done] if done is not None else read_file(path, near.of(path).flags, source)

    return of_each(files_in(flags.files), of_file)


def source_named(path: str, example: str = "") -> Source:
    """The text of a file, or of the model that `FILE.py:NAME` denotes; StableHLO is lowered to linalg.

    Args:
        example: shapes of the model's arguments.

    Raises:
        InputError: there is no such file or model.
    """
    from ..ir.source.reading import read_source

    if ".py" in path and not path.endswith(".mlir"):
        from ..bridges.models import is_model, model_source

        if is_model(path):
            return model_source(path, example)
    source = read_source(path)
    if "stablehlo." in source.text:
        from ..bridges.models import is_stablehlo, stablehlo_source

        if is_stablehlo(source.text):
            return stablehlo_source(source)
    return source


def readable(paths: Sequence[str]) -> list[Source]:
    """The texts of the files that are readable, and repeatedly so."""
    from ..ir.source.reading import read_source

    found: list[Source] = []
    for path in filter(os.path.isfile, paths):
        with suppress(BufferizeError):
            found.append(read_source(path))
    return found


def read_file(path: str, flags: argparse.Namespace, source: Source | None = None) -> list[SourceProgram]:
    """The programs in a file, under the given flags; see `read_programs`.

    Args:
        source: the text, if already read.
    """
    return read_programs(
        source or source_named(path, getattr(flags, "example", "")),
        split=flags.split_input_file,
        allow_unregistered=flags.allow_unregistered,
        number=flags.dump,
        pass_name=flags.pass_name,
    )


def read_programs(
    path: str | Source,
    *,
    split: bool = False,
    allow_unregistered: bool = True,
    number: int | None = None,
    pass_name: str | None = None,
) -> list[SourceProgram]:
    """The programs in a file: one, or with `split` one per part between `// -----` lines.

    Args:
        path: the name of the file, or its text.
        number, pass_name: which dump of a file of IR dumps to take.

    Raises:
        UsageError: the file contains dumps and none is chosen, or has no such dump.
        BufferizeError: the file cannot be read, is empty, does not parse or does not verify. If the reason may be that
            the file has several parts and `split` is not set, the error says so.
    """
    from ..ir.source.reading import read_dumps, split_source

    if isinstance(path, str):
        say(f"reading {path}")
        path = source_named(path)
    source = path
    if not source.text.strip():
        raise InputError(error(f"'{source.name}' is empty: there is no program in it", code="empty-input"))
    dumps = read_dumps(source)
    if dumps:
        return [read_dump(dump, allow_unregistered) for dump in chosen(dumps, number, pass_name)]
    if number is not None or pass_name is not None:
        raise UsageError(f"'{source.name}' has no IR dumps to choose from")
    parts = split_source(source)
    if split:
        found = [_read(part, allow_unregistered) for part in parts if part.text.strip()]
    else:
        try:
            found = [_read(source, allow_unregistered)]
        except BufferizeError as failure:
            if len(parts) > 1:
                failure.diagnostic.help(
                    f"the file has {len(parts)} parts, separated by '// -----'; --split-input-file reads them one by one"
                )
            raise
    return found


def read_parts(path: str, *, allow_unregistered: bool = True) -> list[SourceProgram | BufferizeError]:
    """The programs between `// -----` lines of a file, each parsed separately; an error takes the place of its part."""
    from ..ir.source.reading import split_source

    say(f"reading {path}")
    found: list[SourceProgram | BufferizeError] = []
    for part in split_source(source_named(path)):
        if part.text.strip():
            try:
                found.append(_read(part, allow_unregistered=allow_unregistered))
            except BufferizeError as failure:
                found.append(failure)
    return found


def chosen(dumps: Sequence[Dump], number: int | None, pass_name: str | None) -> list[Dump]:
    """The dumps selected by `--dump` and `--pass`: one, or one per function that the pass ran on.

    Raises:
        UsageError: there is none, or the choice is ambiguous.
    """
    name = dumps[0].source.name
    if number is not None:
        if not 1 <= number <= len(dumps):
            raise UsageError(f"there is no dump {number}: '{name}' has {len(dumps)}")
        return [dumps[number - 1]]
    if pass_name is None:
        known = ", ".join(dict.fromkeys(dump.flag or dump.name for dump in dumps))
        raise UsageError(
            f"'{name}' holds {len(dumps)} IR dumps: choose one with --dump N or --pass NAME ({known})"
        )
    found = [dump for dump in dumps if dump.is_of(pass_name)]
    if not found:
        hint = did_you_mean(pass_name, [word for dump in dumps for word in (dump.flag, dump.name) if word])
        raise UsageError(f"'{name}' has no dump of a pass '{pass_name}'{hint}")
    found = [dump for dump in found if dump.when != "Before"] or found
    subjects = [dump.subject for dump in found]
    if len(set(subjects)) < len(subjects):
        numbers = ", ".join(str(dump.number) for dump in found[:MOST_NUMBERS])
        more = ", ..." if len(found) > MOST_NUMBERS else ""
        raise UsageError(
            f"the pass '{pass_name}' ran {len(found)} times: choose with --dump, of {numbers}{more}"
        )
    return found


def read_dump(dump: Dump, allow_unregistered: bool = True) -> SourceProgram:
    """The program of a dump. For a function dumped alone, declarations of its callees are added.

    Raises:
        BufferizeError: it does not parse or does not verify.
    """
    from ..ir.source.locations import Source

    source = dump.source
    missing = "\n".join(_declarations(source, allow_unregistered)) if dump.is_of_function else ""
    if missing:
        source = Source(source.name, f"{source.text.rstrip()}\n{missing}\n", source.first_line)
    read = _read(source, allow_unregistered)
    return SourceProgram(read.module, source, dump)


def _declarations(source: Source, allow_unregistered: bool) -> Iterator[str]:
    """Declarations of the functions and globals that a text uses but does not define."""
    from ..ir.program.symbols import SymbolTables
    from ..ir.text.parser import parse_source
    from ..ir.types.attributes import SymbolRefAttr
    from ..ir.types.types import FunctionType

    module = parse_source(source, allow_unregistered=allow_unregistered)
    symbols = SymbolTables()
    seen: set[str] = set()
    for op in module.walk():
        called = op.properties.get({"func.call": "callee", "memref.get_global": "name"}.get(op.name, ""))
        if not isinstance(called, SymbolRefAttr) or str(called) in seen:
            continue
        if symbols.resolve(op, called) is None:
            seen.add(str(called))
            if isinstance(op, CallOpInterface):
                type = FunctionType(tuple(use.value.type for use in op.op_operands), op.result_types)
                yield f"func.func private {called}{_signature(type)}"
            else:
                yield f'memref.global "private" {called} : {op.result_types[0]}'


def _signature(type: object) -> str:
    """A function type as in a declaration: inputs, then results if there are any."""
    text = str(type)
    return text.removesuffix(" -> ()")


def _read(source: Source, allow_unregistered: bool) -> SourceProgram:
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    module = parse_source(source, allow_unregistered=allow_unregistered)
    verify(module, allow_unregistered=allow_unregistered)
    return SourceProgram(module, source)
