"""Folds of `affine.delinearize_index` and `affine.linearize_index`: sizes and indices that are constants, a single index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...dialects.affine.indices import DelinearizeIndexOp, LinearizeIndexOp
from ...dialects.common import DYNAMIC
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import IN_PLACE, Constants, Fold, Folded
from .constants import integer_of


def _make_static(op: DelinearizeIndexOp | LinearizeIndexOp) -> bool:
    """Take sizes that are positive constants into the attribute. Whether there were any."""
    static, kept = list(op.static_basis.values), list[Value]()
    following = iter(op.dynamic_basis)
    for i, size in enumerate(static):
        if size != DYNAMIC:
            continue
        value = next(following)
        number = integer_of(value)
        if number is not None and number > 0:
            static[i] = number
        else:
            kept.append(value)
    count = len(op.dynamic_basis)
    if len(kept) == count:
        return False
    indices = op.operands[: len(op.op_operands) - count]
    op.operands = [*indices, *kept]
    op.properties["static_basis"] = a.DenseArrayAttr(t.I64, tuple(static))
    if isinstance(op, LinearizeIndexOp):
        op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (len(indices), len(kept)))
    return True


def _delinearize(op: DelinearizeIndexOp, constants: Constants) -> Folded:
    if len(op.results) == 1:
        return [op.linear_index]
    changed = _make_static(op)
    index = integer_of(op.linear_index)
    if index is None or op.dynamic_basis or not op.results:
        return IN_PLACE if changed else None
    sizes = op.static_basis.values[-(len(op.results) - 1) :]
    found: list[int] = []
    for size in reversed(sizes):
        found.append(index % size)
        index //= size
    return [a.IntegerAttr(number, t.INDEX) for number in (index, *reversed(found))]


def _linearize(op: LinearizeIndexOp, constants: Constants) -> Folded:
    indices: Sequence[Value] = op.multi_index
    if len(indices) == 1:
        return [indices[0]]
    changed = _make_static(op)
    numbers = [integer_of(index) for index in op.multi_index]
    if not numbers or None in numbers or op.dynamic_basis:
        return IN_PLACE if changed else None
    total = 0
    for number, size in zip(numbers, (1, *op.static_basis.values[-(len(numbers) - 1) :]), strict=True):
        total = total * size + (number or 0)
    return [a.IntegerAttr(total, t.INDEX)]


FOLDS: Final[dict[type[Operation], Fold]] = {
    DelinearizeIndexOp: _delinearize,
    LinearizeIndexOp: _linearize,
}
