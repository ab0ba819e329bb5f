"""Interpreter: creation, elements and reshapes of tensors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import Mixed, dropped_dims
from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..semantics import subsets
from .faults import Fault, LimitExceeded, Unsupported
from .numbers import Storage, same_bits, storage
from .registry import Enter, computes, simple, structured
from .values import POISON, Array, number, numbers, pack, settled, undefined

if TYPE_CHECKING:
    from ..dialects import tensor
    from ..dialects.common import OffsetSizeAndStrideOp, SizesGivenOp
    from .machine import Machine
    from .registry import Environment


Run = Callable[["Environment"], Any]
Reading = Callable[["Environment"], Array]

MAX_ELEMENTS = 1 << 26
"""No tensor has more elements than this."""


def held_by(value: Value) -> Storage:
    """The storage of the elements of a tensor, memref or vector."""
    type = value.type
    assert isinstance(type, t.ShapedType)
    if getattr(type, "encoding", None) is not None and "sparse_tensor" in str(getattr(type, "encoding", "")):
        raise Unsupported("sparse tensors are not supported")
    return storage(type.element)


def entries(env: Environment, mixed: Sequence[Mixed], what: str = "a size") -> list[int]:
    """The numbers that a mixed list stands for."""
    return [entry if isinstance(entry, int) else number(env[entry], what) for entry in mixed]


def check_sizes(type: t.Type, sizes: Sequence[int], what: str) -> None:
    """That sizes known only now agree with those the type knows. Raises Fault."""
    shape = getattr(type, "shape", None)
    if shape is None:
        return
    if len(shape) != len(sizes) or any(a is not None and a != b for a, b in zip(shape, sizes, strict=True)):
        shown = "x".join(map(str, sizes)) or "no dimension"
        raise Fault(f"{what} of shape {shown} is not of type '{type}'", "shape-mismatch")


def check_count(sizes: Sequence[int]) -> None:
    """That a shape is one: no negative sizes, not too many elements."""
    count = 1
    for size in sizes:
        if size < 0:
            raise Fault(f"makes a tensor with a dimension of size {size}")
        count *= size
    if count > MAX_ELEMENTS:
        raise LimitExceeded(f"a tensor of {count} elements is too large")


def new_shape(env: Environment, sizes: Sequence[Mixed]) -> tuple[int, ...]:
    """The shape that sizes make."""
    shape = tuple(entries(env, sizes))
    check_count(shape)
    return shape


@computes("tensor.empty")
def empty(op: SizesGivenOp, machine: Machine) -> Run:
    result = op.results[0]
    held, sizes = held_by(result), op.mixed_sizes()
    return lambda env: undefined(new_shape(env, sizes), held)


@computes("tensor.splat")
def splat(op: tensor.SplatOp, machine: Machine) -> Run:
    result, scalar = op.results[0], op.input
    held, sizes = held_by(result), op.mixed_sizes()
    return lambda env: filled(env[scalar], new_shape(env, sizes), held)


def filled(scalar: object, shape: tuple[int, ...], held: Storage) -> Array:
    """An array that holds one value everywhere."""
    value, defined = pack(scalar, held)
    data = np.empty(shape + held.suffix, held.dtype)
    data[...] = value
    return Array(data, None if defined else np.zeros(shape, np.bool_))


@computes("tensor.from_elements")
def from_elements(op: Operation, machine: Machine) -> Run:
    operands, result = op.operands, op.results[0]
    held = held_by(result)
    shape = expect(t.RankedTensorType, result.type).static_shape
    return lambda env: gathered([env[value] for value in operands], shape, held)


def gathered(scalars: list[Any], shape: tuple[int, ...], held: Storage) -> Array:
    """An array of given elements in row-major order."""
    data = np.zeros((len(scalars), *held.suffix), held.dtype)
    valid = np.ones(len(scalars), np.bool_)
    for i, scalar in enumerate(scalars):
        if scalar is POISON:
            valid[i] = False
        else:
            data[i], valid[i] = pack(scalar, held)
    return settled(data.reshape(shape + held.suffix), valid.reshape(shape))


@structured("tensor.generate")
def generate(op: tensor.GenerateOp, machine: Machine) -> Callable[[Environment], Generator[Any, Any, Any]]:
    result = op.results[0]
    held, body, sizes = held_by(result), op.regions[0].entry, op.mixed_sizes()

    def run(env: Environment) -> Generator[Any, Any, Any]:
        shape = new_shape(env, sizes)
        scalars = []
        for index in np.ndindex(*shape):
            leave = yield Enter(body, list(index))
            scalars.append(leave.values[0])
        return [gathered(scalars, shape, held)]

    return run


def inside(index: list[int], shape: tuple[int, ...], doing: str) -> tuple[int, ...]:
    """An index, which must be defined and within `shape`."""
    for dim, (at, size) in enumerate(zip(numbers(index), shape, strict=True)):
        if not 0 <= at < size:
            raise Fault(f"{doing} index {at} of dimension {dim}, whose size is {size}", "out-of-bounds")
    return tuple(index)


@simple("tensor.extract")
def extract(op: Operation, machine: Machine) -> Run:
    tensor, *indices = op.operands
    result = op.results[0]
    held = held_by(tensor)

    def run(env: Environment) -> None:
        source: Array = env[tensor]
        at = inside([env[i] for i in indices], source.shape(held), "reads")
        element = source.element(at, held)
        if element is POISON:
            machine.read_undefined()
        env[result] = element

    return run


@simple("tensor.insert")
def insert(op: Operation, machine: Machine) -> Run:
    scalar, dest, *indices = op.operands
    result = op.results[0]
    held = held_by(dest)

    def run(env: Environment) -> None:
        target: Array = env[dest]
        at = inside([env[i] for i in indices], target.shape(held), "writes")
        value, defined = pack(env[scalar], held)
        data = target.data.copy()
        data[at] = value
        valid = target.valid
        if valid is not None or not defined:
            valid = target.mask(held).copy()
            valid[at] = defined
        env[result] = Array(data, valid)

    return run


@simple("tensor.dim")
def dim(op: Operation, machine: Machine) -> Run:
    source, index = op.operands
    result = op.results[0]
    held = held_by(source)

    def run(env: Environment) -> None:
        shape = env[source].shape(held)
        at = number(env[index])
        if not 0 <= at < len(shape):
            raise Fault(f"asks for dimension {at} of a tensor of rank {len(shape)}", "out-of-bounds")
        env[result] = shape[at]

    return run


@computes("tensor.rank")
def rank(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    held = held_by(source)
    return lambda env: len(env[source].shape(held))


@simple("tensor.cast")
def cast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    held = held_by(source)

    def run(env: Environment) -> None:
        value: Array = env[source]
        check_sizes(result.type, value.shape(held), "a tensor")
        env[result] = value

    return run


@simple("tensor.bitcast")
def bitcast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    array = same_bits(held_by(source), held_by(result))[1]

    def run(env: Environment) -> None:
        value: Array = env[source]
        env[result] = Array(array(value.data), value.valid)

    return run


@simple("tensor.collapse_shape")
def collapse_shape(op: tensor.CollapseShapeOp, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    held, groups = held_by(source), op.reassociation_indices()

    def run(env: Environment) -> None:
        value: Array = env[source]
        shape = value.shape(held)
        collapsed = []
        for group in groups:
            size = 1
            for i in group:
                size *= shape[i]
            collapsed.append(size)
        check_sizes(result.type, collapsed, "a tensor")
        env[result] = reshaped(value, tuple(collapsed), held)

    return run


def reshaped(value: Array, shape: tuple[int, ...], held: Storage) -> Array:
    """The elements in row-major order under another shape, of as many elements."""
    return Array(
        value.data.reshape(shape + held.suffix), None if value.valid is None else value.valid.reshape(shape)
    )


@simple("tensor.expand_shape")
def expand_shape(op: tensor.ExpandShapeOp, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    held, sizes, groups = held_by(source), op.mixed_output_shape(), op.reassociation_indices()

    def run(env: Environment) -> None:
        value: Array = env[source]
        shape = tuple(entries(env, sizes))
        check_expansion(value.shape(held), shape, groups)
        check_sizes(result.type, shape, "a tensor")
        env[result] = reshaped(value, shape, held)

    return run


def check_expansion(
    collapsed: Sequence[int], expanded: Sequence[int], groups: Sequence[Sequence[int]]
) -> None:
    """That the sizes of each group make up the size they are split from."""
    for size, group in zip(collapsed, groups, strict=True):
        product = 1
        for i in group:
            product *= expanded[i]
        if product != size:
            raise Fault(
                f"splits a dimension of size {size} into parts whose product is {product}", "shape-mismatch"
            )


@simple("tensor.reshape")
def reshape(op: Operation, machine: Machine) -> Run:
    source, shape = op.operands
    result = op.results[0]
    held, held_shape = held_by(source), held_by(shape)

    def run(env: Environment) -> None:
        value: Array = env[source]
        wanted: Array = env[shape]
        sizes = tuple(int(number(wanted.element((i,), held_shape))) for i in range(wanted.data.shape[0]))
        check_count(sizes)
        if int(np.prod(sizes, dtype=np.int64)) != int(np.prod(value.shape(held), dtype=np.int64)):
            raise Fault("reshapes to another number of elements", "shape-mismatch")
        check_sizes(result.type, sizes, "a tensor")
        env[result] = reshaped(value, sizes, held)

    return run


@simple("tensor.concat")
def concat(op: tensor.ConcatOp, machine: Machine) -> Run:
    operands, result, axis = op.operands, op.results[0], op.dim.value
    held = held_by(result)

    def run(env: Environment) -> None:
        parts: list[Array] = [env[value] for value in operands]
        shapes = [list(part.shape(held)) for part in parts]
        if len({tuple(s[:axis] + s[axis + 1 :]) for s in shapes}) > 1:
            raise Fault("joins tensors whose other sizes differ", "shape-mismatch")
        data = np.concatenate([part.data for part in parts], axis)
        valid = None
        if any(part.valid is not None for part in parts):
            valid = np.concatenate([part.mask(held) for part in parts], axis)
        check_sizes(result.type, data.shape[: data.ndim - len(held.suffix)], "a tensor")
        env[result] = Array(data, valid)

    return run


@structured("tensor.pad")
def pad(op: tensor.PadOp, machine: Machine) -> Callable[[Environment], Generator[Any, Any, Any]]:
    from ..dialects.common import mixed

    source, result = op.source, op.results[0]
    low = mixed(op.low, op.static_low)
    high = mixed(op.high, op.static_high)
    held, body = held_by(source), op.regions[0].entry
    constant = body.first_op is body.last_op  # nothing but the yield: the same value everywhere

    def run(env: Environment) -> Generator[Any, Any, Any]:
        value: Array = env[source]
        before, after = entries(env, low), entries(env, high)
        inner = value.shape(held)
        if any(n < 0 for n in (*before, *after)):
            raise Fault("pads by a negative number of elements")
        shape = tuple(a + n + b for a, n, b in zip(before, inner, after, strict=True))
        check_count(shape)
        check_sizes(result.type, shape, "a tensor")
        if constant:
            leave = yield Enter(body, [0] * len(shape))
            border = filled(leave.values[0], shape, held)
        else:
            scalars = []
            for index in np.ndindex(*shape):
                leave = yield Enter(body, list(index))
                scalars.append(leave.values[0])
            border = gathered(scalars, shape, held)
        where = tuple(slice(a, a + n) for a, n in zip(before, inner, strict=True))
        data = border.data.copy()
        data[where] = value.data
        valid = None
        if border.valid is not None or value.valid is not None:
            valid = border.mask(held).copy()
            valid[where] = value.mask(held)
        return [settled(data, valid)]

    return run


# -- parts of tensors: extracting and inserting slices, in sequence or from parallel iterations; gather and scatter


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


class _Arrays:
    """Extractions and insertions over arrays: what a tensor is depends on the environment of the run."""

    def of(self, value: Value) -> Reading:
        return lambda env: env[value]

    def part(self, whole: Reading, op: OffsetSizeAndStrideOp, small: Value) -> Reading:
        held, place = held_by(small), Slice(op, expect(t.ShapedType, small.type)).place

        def read(env: Environment) -> Array:
            value = whole(env)
            where, kept = place(env, value.shape(held), "extracts")
            check_sizes(small.type, kept, "a slice")
            shape = tuple(kept)
            data = value.data[where].reshape(shape + held.suffix)
            valid = None if value.valid is None else value.valid[where].reshape(shape)
            return settled(data, valid)

        return read

    def with_part(self, whole: Reading, op: OffsetSizeAndStrideOp, small: Value, part: Reading) -> Reading:
        held, place = held_by(small), Slice(op, expect(t.ShapedType, small.type)).place

        def read(env: Environment) -> Array:
            target = whole(env)
            where, kept = place(env, target.shape(held), "inserts")
            return inserted(part(env), target, where, kept, held)

        return read


@computes("tensor.extract_slice")
def extract_slice(op: tensor.ExtractSliceOp, machine: Machine) -> Reading:
    return subsets.extraction(op, _ARRAYS)


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


@simple(*subsets.INSERTIONS)
def insertion(op: tensor.SliceInsertionOp, machine: Machine) -> Run:
    """Where iterations share the destination, an argument of the loop, it is updated; `scf.forall` takes it from there."""
    whole, becomes = subsets.updated(op), subsets.insertion(op, _ARRAYS)

    def run(env: Environment) -> None:
        env[whole] = becomes(env)

    return run


_ARRAYS = _Arrays()


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
