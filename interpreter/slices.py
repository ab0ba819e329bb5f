"""Parts of tensors: extracting and inserting slices, in sequence or from parallel iterations; gather and scatter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import dropped_dims
from ..ir.source.expect import expect
from ..ir.types import types as t
from .faults import Fault
from .numbers import Storage
from .registry import simple
from .tensors import check_sizes, entries, held_by
from .values import Array, settled

if TYPE_CHECKING:
    from ..dialects import tensor
    from ..dialects.common import OffsetSizeAndStrideOp
    from .machine import Machine
    from .registry import Environment

Run = Callable[["Environment"], Any]


class Slice:
    """Where a slice operation reads or writes, from its operands."""

    def __init__(self, op: OffsetSizeAndStrideOp, small: t.ShapedType) -> None:
        self.offsets, self.sizes, self.strides = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
        self.dropped = dropped_dims(self.sizes, small.shape or ())

    def place(
        self, env: Environment, shape: Sequence[int], doing: str
    ) -> tuple[tuple[slice, ...], list[int]]:
        """Slices of the whole, and the sizes of the part without dropped dimensions. Raises Fault."""
        where: list[slice] = []
        kept: list[int] = []
        lists = (entries(env, x) for x in (self.offsets, self.sizes, self.strides))
        for i, (offset, size, stride) in enumerate(zip(*lists, strict=True)):
            check_part(i, offset, size, stride, shape[i], doing)
            end = offset + size * (stride or 1)
            where.append(slice(offset, None if end < 0 else end, stride or 1) if size else slice(0, 0))
            if i not in self.dropped:
                kept.append(size)
        return tuple(where), kept


def check_part(dim: int, offset: int, size: int, stride: int, extent: int, doing: str) -> None:
    """That a part of one dimension lies within it."""
    if size < 0:
        raise Fault(f"{doing} a slice of size {size} in dimension {dim}", "out-of-bounds")
    if stride == 0 and size > 1:
        raise Fault(f"{doing} a slice whose stride in dimension {dim} is 0")
    last = offset + (size - 1) * stride
    if offset < 0 or offset > extent or (size and not (0 <= offset < extent and 0 <= last < extent)):
        raise Fault(
            f"{doing} elements {offset} to {last} of dimension {dim}, whose size is {extent}", "out-of-bounds"
        )


@simple("tensor.extract_slice")
def extract_slice(op: tensor.ExtractSliceOp, machine: Machine) -> Run:
    source, result = op.source, op.results[0]
    held, part = held_by(source), Slice(op, expect(t.ShapedType, result.type))

    def run(env: Environment) -> None:
        value: Array = env[source]
        where, kept = part.place(env, value.shape(held), "extracts")
        check_sizes(result.type, kept, "a slice")
        shape = tuple(kept)
        data = value.data[where].reshape(shape + held.suffix)
        valid = None if value.valid is None else value.valid[where].reshape(shape)
        env[result] = settled(data, valid)

    return run


def inserted(value: Array, target: Array, where: Any, kept: list[int], held: Storage) -> Array:
    """`target` with the part at `where` replaced by `value`."""
    if list(value.shape(held)) != kept:
        raise Fault(
            f"inserts a tensor of shape {_shown(value.shape(held))} into a slice of shape {_shown(kept)}",
            "shape-mismatch",
        )
    data = target.data.copy()
    data[where] = value.data.reshape(data[where].shape)
    valid = None
    if target.valid is not None or value.valid is not None:
        valid = target.mask(held).copy()
        valid[where] = value.mask(held).reshape(valid[where].shape)
    return settled(data, valid)


def _shown(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "()"


@simple("tensor.insert_slice")
def insert_slice(op: tensor.InsertSliceOp, machine: Machine) -> Run:
    source, dest, result = op.source, op.dest, op.results[0]
    held, part = held_by(dest), Slice(op, expect(t.ShapedType, source.type))

    def run(env: Environment) -> None:
        target: Array = env[dest]
        where, kept = part.place(env, target.shape(held), "inserts")
        env[result] = inserted(env[source], target, where, kept, held)

    return run


@simple("tensor.parallel_insert_slice")
def parallel_insert_slice(op: tensor.ParallelInsertSliceOp, machine: Machine) -> Run:
    """Updates what `dest`, an argument of the loop, stands for; `scf.forall` takes it from there."""
    source, dest = op.source, op.dest
    held, part = held_by(dest), Slice(op, expect(t.ShapedType, source.type))

    def run(env: Environment) -> None:
        target: Array = env[dest]
        where, kept = part.place(env, target.shape(held), "inserts")
        env[dest] = inserted(env[source], target, where, kept, held)

    return run


# -- gather and scatter


def _coordinates(indices: Array, dims: Sequence[int], shape: Sequence[int], rank: int) -> tuple[Any, ...]:
    """For each dimension in `dims` the coordinates, as an array over the leading dimensions of `indices`."""
    if indices.valid is not None:
        raise Fault("an index is an undefined value", "undefined-value")
    given = indices.data
    for position, dim in enumerate(dims):
        column = given[..., position]
        if column.size and not (column.min() >= 0 and column.max() < shape[dim]):
            raise Fault(
                f"a coordinate of dimension {dim} is beyond its size of {shape[dim]}", "out-of-bounds"
            )
    return tuple(given[..., position] for position in range(len(dims)))


def _along(shape: Sequence[int], dims: Sequence[int], coordinates: tuple[Any, ...]) -> tuple[Any, ...]:
    """An index of the whole that broadcasts to leading dimensions, then all dimensions with 1 for those in `dims`."""
    lead = coordinates[0].ndim
    rank = len(shape)
    where: list[Any] = []
    for i, size in enumerate(shape):
        if i in dims:
            where.append(coordinates[list(dims).index(i)].reshape(coordinates[0].shape + (1,) * rank))
        else:
            extent = [1] * (lead + rank)
            extent[lead + i] = size
            where.append(np.arange(size).reshape(extent))
    return tuple(where)


@simple("tensor.gather")
def gather(op: tensor.GatherOp, machine: Machine) -> Run:
    source, indices, result, dims = op.source, op.indices, op.results[0], op.gather_dims.values
    held = held_by(source)

    def run(env: Environment) -> None:
        value: Array = env[source]
        shape = value.shape(held)
        coordinates = _coordinates(env[indices], dims, shape, len(shape))
        where = _along(shape, dims, coordinates)
        made = value.moved(lambda x: x[where])
        lead = coordinates[0].ndim
        if expect(t.ShapedType, result.type).rank < lead + len(shape):
            keep = list(coordinates[0].shape) + [n for i, n in enumerate(shape) if i not in dims]
            made = Array(
                made.data.reshape(tuple(keep) + held.suffix),
                None if made.valid is None else made.valid.reshape(keep),
            )
        env[result] = made

    return run


@simple("tensor.scatter")
def scatter(op: tensor.ScatterOp, machine: Machine) -> Run:
    source, dest, indices, dims = op.source, op.dest, op.indices, op.scatter_dims.values
    result = op.results[0]
    held = held_by(dest)

    def run(env: Environment) -> None:
        target: Array = env[dest]
        value: Array = env[source]
        shape = target.shape(held)
        where = _along(shape, dims, _coordinates(env[indices], dims, shape, len(shape)))
        full = np.broadcast_shapes(*(x.shape for x in where))
        data = target.data.copy()
        data[where] = value.data.reshape(full + held.suffix)
        valid = None
        if target.valid is not None or value.valid is not None:
            valid = target.mask(held).copy()
            valid[where] = value.mask(held).reshape(full)
        env[result] = settled(data, valid)

    return run
