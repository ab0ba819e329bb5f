"""Converting an operation and all inside it, from the outside in: completely, or not at all.

Every operation is legalized in its turn; what patterns make is legalized at once. If one cannot be, or a value is left
that is needed under a type that nobody can give it, every edit is taken back before the failure is reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.core import Operation
from ...ir.diagnostics import PassFailed, error
from .legalize import Legalizer
from .materialize import resolve_stand_ins
from .pattern import ConversionPattern
from .rewriter import ConversionRewriter
from .target import ConversionTarget


def apply_partial_conversion(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern]
) -> None:
    """Convert what can be converted; operations that are not illegal may stay as they are.

    O(operations + edits), for patterns that are local.

    Raises:
        PassFailed: an operation that is illegal cannot be converted. The program is what it was.
    """
    _convert(root, target, patterns, full=False)


def apply_full_conversion(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern]
) -> None:
    """Convert everything that is not legal.

    Raises:
        PassFailed: an operation is neither legal nor can it be converted. The program is what it was.
    """
    _convert(root, target, patterns, full=True)


def _convert(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern], *, full: bool
) -> None:
    rewriter = ConversionRewriter()
    legalizer = Legalizer(target, patterns, rewriter)
    try:
        for op in _to_convert(root, target):
            if legalizer.legalize(op):
                continue
            if full:
                raise PassFailed(
                    error(f"failed to legalize operation '{op.name}'", op.name_span), operation=op
                )
            if target.is_illegal(op):
                message = f"failed to legalize operation '{op.name}' that was explicitly marked illegal"
                raise PassFailed(error(message, op.name_span), operation=op)
        resolve_stand_ins(rewriter)
    except PassFailed:
        rewriter.roll_back(0)
        raise
    _erase(rewriter.ignored)


def _to_convert(root: Operation, target: ConversionTarget) -> list[Operation]:
    """All operations, each before those inside it, without what is inside recursively legal ones."""
    found: list[Operation] = []
    pending = [root]
    while pending:
        op = pending.pop()
        found.append(op)
        if op.regions and not (target.is_legal(op) and target.is_recursively_legal(op)):
            inside = [inner for region in op.regions for inner in region.ops()]
            pending.extend(reversed(inside))
    return found


def _erase(ignored: set[Operation]) -> None:
    for op in ignored:
        op.drop_operands()
    for op in ignored:
        op.detach()
