"""Canonicalization of indices that are split and joined: dimensions of size 1, and what was joined before it is split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...dialects import arith
from ...dialects.affine.indices import DelinearizeIndexOp, LinearizeIndexOp
from ...dialects.common import DYNAMIC, Mixed, mixed
from ...dialects.folds.constants import integer_of
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter


def _basis(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Mixed]:
    return mixed(op.dynamic_basis, op.static_basis)


def _split_basis(basis: Sequence[Mixed]) -> tuple[list[Value], a.DenseArrayAttr]:
    values = [size for size in basis if isinstance(size, Value)]
    static = tuple(size if isinstance(size, int) else DYNAMIC for size in basis)
    return values, a.DenseArrayAttr(t.I64, static)


def _split(at: Builder, index: Value, basis: Sequence[Mixed], count: int) -> Sequence[Value]:
    values, static = _split_basis(basis)
    made = DelinearizeIndexOp([index, *values], [t.INDEX] * count, None, {"static_basis": static})
    return at.insert(made).results


def _join(at: Builder, indices: Sequence[Value], basis: Sequence[Mixed], disjoint: a.Attribute) -> Value:
    values, static = _split_basis(basis)
    segments = a.DenseArrayAttr(t.I32, (len(indices), len(values)))
    properties: dict[str, a.Attribute] = {
        "static_basis": static,
        "disjoint": disjoint,
        OPERAND_SEGMENTS: segments,
    }
    return at.insert(LinearizeIndexOp([*indices, *values], (t.INDEX,), None, properties)).linear_index


def _zero(at: Builder) -> Value:
    value = a.IntegerAttr(0, t.INDEX)
    return at.insert(arith.ConstantOp((), (t.INDEX,), None, {"value": value})).results[0]


def _split_without_units(op: Operation, rewriter: Rewriter) -> bool:
    """An index into a dimension of size 1 is 0."""
    assert isinstance(op, DelinearizeIndexOp)
    basis = _basis(op)
    lead = len(op.results) - len(basis)
    kept = [i for i in range(len(op.results)) if i < lead or basis[i - lead] != 1]
    if len(kept) == len(op.results):
        return False
    at = rewriter.before(op)
    zero = _zero(at)
    values: list[Value] = [zero] * len(op.results)
    if kept:
        found = _split(at, op.linear_index, [basis[i - lead] for i in kept if i >= lead], len(kept))
        for i, value in zip(kept, found, strict=True):
            values[i] = value
    rewriter.replace(op, values)
    return True


def _split_what_was_joined(op: Operation, rewriter: Rewriter) -> bool:
    """The last indices are those that were joined, as far as the sizes are the same."""
    assert isinstance(op, DelinearizeIndexOp)
    joined = op.linear_index.defining_op
    if not isinstance(joined, LinearizeIndexOp) or not joined.disjoint:
        return False
    ours, theirs, indices = _basis(op), _basis(joined), list(joined.multi_index)
    same = 0
    while same < min(len(ours), len(theirs)) and ours[-1 - same] == theirs[-1 - same]:
        same += 1
    if not same:
        return False
    values = indices[-same:]
    left = len(op.results) - same
    if left:
        if len(indices) == same:
            return False
        rest = theirs[: len(theirs) - same]
        at = rewriter.before(op)
        index = _join(at, indices[:-same], rest, joined.disjoint_property)
        values = [*_split(at, index, ours[: len(ours) - same], left), *values]
    rewriter.replace(op, values)
    return True


def _join_without_units(op: Operation, rewriter: Rewriter) -> bool:
    """An index into a dimension of size 1 says nothing, if it is 0 or promised to be within its size."""
    assert isinstance(op, LinearizeIndexOp)
    basis, indices = _basis(op), list(op.multi_index)
    lead = len(indices) - len(basis)
    kept = [
        i
        for i in range(len(indices))
        if i < lead or basis[i - lead] != 1 or not (op.disjoint or integer_of(indices[i]) == 0)
    ]
    if len(kept) == len(indices):
        return False
    at = rewriter.before(op)
    if not kept:
        rewriter.replace(op, [_zero(at)])
        return True
    sizes = [basis[i - lead] for i in kept if i >= lead]
    rewriter.replace(op, [_join(at, [indices[i] for i in kept], sizes, op.disjoint_property)])
    return True


def _join_without_leading_zero(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, LinearizeIndexOp)
    basis, indices = _basis(op), list(op.multi_index)
    if len(indices) < 2 or integer_of(indices[0]) != 0:
        return False
    sizes = basis[1:] if len(basis) == len(indices) else basis
    rewriter.replace(op, [_join(rewriter.before(op), indices[1:], sizes, op.disjoint_property)])
    return True


def _join_what_was_split(op: Operation, rewriter: Rewriter) -> bool:
    """All indices that an index was split into, joined over the same sizes."""
    assert isinstance(op, LinearizeIndexOp)
    indices = list(op.multi_index)
    split = indices[0].defining_op if indices else None
    if not isinstance(split, DelinearizeIndexOp) or indices != list(split.results):
        return False
    inner = len(indices) - 1
    if not inner or _basis(op)[-inner:] != _basis(split)[-inner:]:
        return False
    rewriter.replace(op, [split.linear_index])
    return True


PATTERNS: Final = {
    "affine.delinearize_index": (_split_without_units, _split_what_was_joined),
    "affine.linearize_index": (_join_without_units, _join_without_leading_zero, _join_what_was_split),
}
