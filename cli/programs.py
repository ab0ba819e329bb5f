"""From the name of a file to checked programs, for the commands that show something of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir.source.diagnostics import BufferizeError

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from ..ir.source.places import Source


@dataclass(frozen=True, slots=True)
class SourceProgram:
    """A module that has been read and verified, and the text it was read from."""

    module: Operation
    source: Source


def read_programs(path: str, *, split: bool = False, allow_unregistered: bool = True) -> list[SourceProgram]:
    """The programs in a file: one, or with `split` one for each part between `// -----` lines.

    Raises:
        BufferizeError: the file cannot be read, is empty, does not parse or does not verify. If that may be because
            the file has several parts and `split` is not set, the error says so.
    """
    from ..ir.source.diagnostics import InputError, error
    from ..ir.source.reading import read_source, split_source

    source = read_source(path)
    if not source.text.strip():
        raise InputError(error(f"'{source.name}' is empty: there is no program in it", code="empty-input"))
    parts = split_source(source)
    if split:
        return [_read(part, allow_unregistered) for part in parts if part.text.strip()]
    try:
        return [_read(source, allow_unregistered)]
    except BufferizeError as failure:
        if len(parts) > 1:
            failure.diagnostic.help(
                f"the file has {len(parts)} parts, separated by '// -----'; --split-input-file reads them one by one"
            )
        raise


def _read(source: Source, allow_unregistered: bool) -> SourceProgram:
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    module = parse_source(source, allow_unregistered=allow_unregistered)
    verify(module, allow_unregistered=allow_unregistered)
    return SourceProgram(module, source)
