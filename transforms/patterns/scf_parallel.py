"""Canonicalization of `scf.forall` and `scf.parallel`: constant bounds, dimensions that run once or never."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir import attributes as a
from ...ir import types as t
from ...ir.builder import Builder
from ...ir.core import Operation, Value
from ...ir.declare import OPERAND_SEGMENTS
from ..rewriting.rewriter import Rewriter

Dimension = tuple[Mixed, Mixed, Mixed]
"""Lower bound, upper bound and step of one dimension of a grid."""


def _dimensions(op: scf.ForallOp) -> list[Dimension]:
    return list(zip(op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step, strict=True))


def _trip_count(dimension: Dimension) -> int | None:
    low, high, step = map(constant_index, dimension)
    if dimension[0] is dimension[1]:
        return 0
    if low is None or high is None or step is None or step <= 0:
        return None
    return max(0, -(-(high - low) // step))


def _constant_control(op: Operation, rewriter: Rewriter) -> bool:
    """Lower bounds, else upper bounds, else steps that are constants become part of the operation."""
    assert isinstance(op, scf.ForallOp)
    parts = [op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step]
    for i, part in enumerate(parts):
        numbers = [constant_index(entry) for entry in part]
        folded = [entry if number is None else number for entry, number in zip(part, numbers, strict=True)]
        if any(
            isinstance(new, int) and not isinstance(old, int) for new, old in zip(folded, part, strict=True)
        ):
            parts[i] = folded
            break
    else:
        return False
    _set_control(op, parts, op.outputs)
    rewriter.modified(op)
    return True


def _single_iterations(op: Operation, rewriter: Rewriter) -> bool:
    """A grid with an empty dimension does nothing; dimensions that run once are left out, and if nothing is shared and
    no dimension remains, only the body is left.
    """
    assert isinstance(op, scf.ForallOp)
    if op.mapping is not None and op.mapping.elements:
        return False
    dimensions = _dimensions(op)
    counts = [_trip_count(dimension) for dimension in dimensions]
    if 0 in counts:
        rewriter.replace(op, op.outputs)
        return True
    if 1 not in counts or (op.results and all(count == 1 for count in counts)):
        return False
    at = rewriter.before(op)
    starts: list[Value] = []
    for (low, _, _), count in zip(dimensions, counts, strict=True):
        if count == 1:
            starts.append(_as_value(low, at))
    if any(count != 1 for count in counts):
        _leave_out(op, [i for i, count in enumerate(counts) if count == 1], starts, rewriter)
        return True
    body = op.regions[0].entry
    last = body.last_op
    assert last is not None
    rewriter.erase(last)
    rewriter.inline_block(body, op, starts)
    rewriter.erase(op)
    return True


def _as_value(entry: Mixed, at: Builder) -> Value:
    if isinstance(entry, Value):
        return entry
    return at.insert(arith.ConstantOp.build(value=a.index_attr(entry), result=t.INDEX)).the_result


def _leave_out(op: scf.ForallOp, gone: list[int], starts: list[Value], rewriter: Rewriter) -> None:
    """Replace a grid by one without the dimensions `gone`, whose indices are `starts`."""
    body = op.regions[0].entry
    for position, start in zip(gone, starts, strict=True):
        rewriter.replace_uses(body.args[position], start)
    for position in reversed(gone):
        body.erase_argument(position)
    kept = [d for i, d in enumerate(_dimensions(op)) if i not in gone]
    outputs = op.outputs
    _set_control(op, [[d[i] for d in kept] for i in range(3)], outputs)
    rewriter.rebuild(op)


def _set_control(op: scf.ForallOp, parts: list[list[Mixed]], outputs: list[Value]) -> None:
    """Give a grid other bounds and steps."""
    operands: list[Value] = []
    sizes: list[int] = []
    for key, part in zip(("staticLowerBound", "staticUpperBound", "staticStep"), parts, strict=True):
        values, constants = split_mixed(part)
        op.properties[key] = constants
        operands += values
        sizes.append(len(values))
    op.operands = [*operands, *outputs]
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (*sizes, len(outputs)))


def _constant_index(op: Operation, rewriter: Rewriter) -> bool:
    """The index of a dimension that runs once is its lower bound."""
    assert isinstance(op, scf.ForallOp)
    changed = False
    for dimension, index in zip(_dimensions(op), op.regions[0].entry.args, strict=False):
        if index.has_uses and _trip_count(dimension) == 1:
            rewriter.replace_uses(index, _as_value(dimension[0], rewriter.before(op)))
            changed = True
    return changed


FORALL_PATTERNS: Final = (_constant_control, _single_iterations, _constant_index)
PARALLEL_PATTERNS: Final = ()
