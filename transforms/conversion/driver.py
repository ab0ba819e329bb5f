"""Converting an operation and all inside it, from the outside in: completely, or not at all.

Every operation is legalized in its turn; what patterns make is legalized at once. If one cannot be, or a value is left
that is needed under a type that nobody can give it, every edit is taken back before the failure is reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.program.core import Block, Operation
from ...ir.source.diagnostics import PassFailed, error
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
        work = _to_convert(root, target)
        for op in work:  # grows while it is walked
            legal = legalizer.legalize(op)
            work += rewriter.take_adopted()
            if legal:
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
    """All operations, each before those inside it, without what is inside recursively legal ones.

    Blocks come after one that leads to them, the last successor of a block first.

    Raises:
        PassFailed: nothing leads to some block.
    """
    found: list[Operation] = []
    pending: list[Operation | Block] = [root]
    seen: set[Block] = set()
    while pending:
        next_one = pending.pop()
        if isinstance(next_one, Block):
            new = [block for block in dict.fromkeys(next_one.successors) if block not in seen]
            seen.update(new)
            # The operations first, whose regions come with them; then the blocks that they lead to.
            pending.extend(new)
            pending.extend(reversed(next_one.ops))
            continue
        found.append(next_one)
        if next_one.regions and not (target.is_legal(next_one) and target.is_recursively_legal(next_one)):
            entries = [region.entry for region in next_one.regions if not region.is_empty]
            seen.update(entries)
            pending.extend(reversed(entries))
    for op in found:
        for region in op.regions:
            if not region.is_empty and region.entry in seen and any(block not in seen for block in region):
                raise PassFailed(error("unreachable blocks were not converted", op.name_span), operation=op)
    return found


def _erase(ignored: set[Operation]) -> None:
    for op in ignored:
        op.drop_operands()
    for op in ignored:
        op.detach()
