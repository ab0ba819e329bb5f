"""A change as a suggestion: the edits of the author's text that make it, read and compared before they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError, Edit
from ...ir.source.places import Source, Span
from ...ir.text.parser import parse_source
from ...ir.text.printer import print_operation
from ...ir.verifier import verify
from .change import ProgramCopy
from .difference import apply_edits, difference


def edits_of(program: ProgramCopy, source: Source, allow_unregistered: bool = True) -> list[Edit] | None:
    """The edits that make the original of a changed copy what the copy is; None if they cannot be told.

    The text with these edits is read, verified and compared with the copy. Near-linear in what was copied and in its text.
    """
    edits = difference(program, source)
    if edits is None:
        return None
    text = apply_edits(source, [*edits, *_left_out(program, source)])
    if text is None:
        return None
    try:
        module = parse_source(Source(source.name, text), allow_unregistered=allow_unregistered)
        verify(module, allow_unregistered=allow_unregistered)
    except BufferizeError:
        return None
    return edits if print_operation(module) == print_operation(program.copy) else None


def _left_out(program: ProgramCopy, source: Source) -> Sequence[Edit]:
    """Edits that take out the functions that were not copied."""
    found: list[Edit] = []
    for region in program.original.regions:
        for op in region.ops():
            if isinstance(op, FunctionOp) and not program.is_copied(op) and op.where is not None:
                _, start, _, end = op.where
                end = start + len(source.text[start:end].rstrip())
                found.append(Edit(Span(source, start, end), ""))
    return found
