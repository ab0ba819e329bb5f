"""Canonicalization of indices that are split and joined: dimensions of size 1, and what was joined before it is split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Final

from ...dialects import arith
from ...dialects.affine.indices import DelinearizeIndexOp, LinearizeIndexOp
from ...dialects.common import DYNAMIC, Mixed, mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import integer_of
from ..rewriting.rewriter import Rewriter


def _basis(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Mixed]:
    return mixed(op.dynamic_basis, op.static_basis)


def _sizes(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Mixed | None]:
    """A size for each index; None for the first, where it is left out."""
    count = len(op.results) if isinstance(op, DelinearizeIndexOp) else len(op.multi_index)
    basis = _basis(op)
    return [*([None] * (count - len(basis))), *basis]


def _product(at: Builder, sizes: Sequence[Mixed | None]) -> Mixed | None:
    from ..bufferize.indices import apply  # affine's dialect is imported only for programs that need it

    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    return apply(at, lambda factors: reduce(mul, factors), known)


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


def _split_without_units(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """An index into a dimension of size 1 is 0."""
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
    return rewriter.replace(op, values)


def _joined(op: DelinearizeIndexOp) -> LinearizeIndexOp | None:
    """What made the index that is split, if no index of it reaches beyond its size."""
    joined = op.linear_index.defining_op
    return joined if isinstance(joined, LinearizeIndexOp) and joined.disjoint else None


def _split_what_was_joined(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """The last indices are those that were joined, as far as the sizes are the same."""
    joined = _joined(op)
    if joined is None:
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
    return rewriter.replace(op, values)


def _join_without_units(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    """An index into a dimension of size 1 says nothing, if it is 0 or promised to be within its size."""
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
        return rewriter.replace(op, [_zero(at)])
    sizes = [basis[i - lead] for i in kept if i >= lead]
    return rewriter.replace(op, [_join(at, [indices[i] for i in kept], sizes, op.disjoint_property)])


def _join_without_leading_zero(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    basis, indices = _basis(op), list(op.multi_index)
    if len(indices) < 2 or integer_of(indices[0]) != 0:
        return False
    sizes = basis[1:] if len(basis) == len(indices) else basis
    return rewriter.replace(op, [_join(rewriter.before(op), indices[1:], sizes, op.disjoint_property)])


def _split_last_of_joined(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """The last sizes, of which there are several, make up the last size of what was joined: its last index is split alone."""
    joined = _joined(op)
    if joined is None:
        return False
    ours, theirs, indices = _basis(op), _basis(joined), list(joined.multi_index)
    target = theirs[-1] if theirs else None
    product, count = 1, 0
    while isinstance(target, int) and product < target and count < len(ours):
        count += 1
        size = ours[-count]
        if not isinstance(size, int):
            return False
        product *= size
    if product != target or count < 2:
        return False
    at = rewriter.before(op)
    index = _join(at, indices[:-1], theirs[:-1], joined.disjoint_property)
    first = _split(at, index, ours[:-count], len(op.results) - count)
    return rewriter.replace(op, [*first, *_split(at, indices[-1], ours[-count:], count)])


@dataclass(frozen=True, slots=True)
class _Part:
    """Indices of a join, from `start`, that are `length` neighbouring results of one split, from its result `first`."""

    split: DelinearizeIndexOp
    start: int
    first: int
    length: int


def _parts_split_before(op: LinearizeIndexOp) -> list[_Part]:
    """Where indices in a row come from one split over the same sizes; at most one part of each split."""
    indices, sizes = list(op.multi_index), _sizes(op)
    parts: list[_Part] = []
    at = 0
    while at < len(indices):
        split = indices[at].defining_op
        if not isinstance(split, DelinearizeIndexOp):
            at += 1
            continue
        results, theirs = split.results, _sizes(split)
        first = next(i for i, result in enumerate(results) if result is indices[at])
        # the size of the very first index does not count on either side, nor does one that `disjoint` promises
        agrees = sizes[at] == theirs[first] or (
            first == 0 and (at == 0 or (op.disjoint and theirs[0] is None))
        )
        length = 1
        while (
            at + length < len(indices)
            and first + length < len(results)
            and indices[at + length] is results[first + length]
            and sizes[at + length] == theirs[first + length]
        ):
            length += 1
        if not agrees or length < 2 or any(part.split is split for part in parts):
            at += 1
            continue
        parts.append(_Part(split, at, first, length))
        at += length
    return parts


def _join_what_was_split(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    """Indices that one index was split into, joined over the same sizes, need not be split: wholly, or in part."""
    parts = _parts_split_before(op)
    if not parts:
        return False
    indices, sizes = list(op.multi_index), _sizes(op)
    new_indices, new_sizes = list[Value](), list[Mixed | None]()
    replaced: list[tuple[DelinearizeIndexOp, list[Value]]] = []
    end = 0
    for part in parts:
        new_indices += indices[end : part.start]
        new_sizes += sizes[end : part.start]
        end = part.start + part.length
        merged, split = sizes[part.start : end], part.split
        at = rewriter.before(split)
        size = _product(at, merged)
        new_sizes.append(size)
        if part.length == len(split.results):
            new_indices.append(split.linear_index)
            continue
        theirs = _sizes(split)
        theirs[part.first : part.first + part.length] = [size]
        found = list(_split(at, split.linear_index, _given(theirs), len(theirs)))
        again = _split(at, found[part.first], _given(merged), part.length)
        replaced.append((split, [*found[: part.first], *again, *found[part.first + 1 :]]))
        new_indices.append(found[part.first])
    new_indices += indices[end:]
    new_sizes += sizes[end:]
    rewriter.replace(op, [_join(rewriter.before(op), new_indices, _given(new_sizes), op.disjoint_property)])
    for split, values in replaced:
        rewriter.replace(split, values)
    return True


def _given(sizes: Sequence[Mixed | None]) -> list[Mixed]:
    return [size for size in sizes if size is not None]


PATTERNS: Final = {
    DelinearizeIndexOp: (_split_without_units, _split_what_was_joined, _split_last_of_joined),
    LinearizeIndexOp: (_join_without_units, _join_without_leading_zero, _join_what_was_split),
}
