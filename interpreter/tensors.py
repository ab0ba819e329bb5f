"""Interpreter: creation, elements and reshapes of tensors; the `shape` dialect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects._reshapes import INTEGERS
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, dropped_dims
from ..dialects.tensor import SliceInsertionOp
from ..ir.program.core import Operation, Region, Value
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..semantics import tensors as equations
from . import Fault, LimitExceeded, Unsupported
from .heap import MemRef
from .machine import Enter, computes, evaluates, simple, structured
from .numbers import Storage, same_bits, storage
from .values import POISON, Array, decide, extent, number, numbers, pack, settled, undefined

if TYPE_CHECKING:
    from ..dialects import shape, tensor
    from ..ir.program.interfaces import Extent, SizedResultOp
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]

MAX_ELEMENTS = 1 << 26
"""The maximum number of elements of a tensor."""


def held_by(value: Value) -> Storage:
    """The storage of the elements of a tensor, memref or vector."""
    type = expect(t.ShapedType, value.type)
    if getattr(type, "encoding", None) is not None and "sparse_tensor" in str(getattr(type, "encoding", "")):
        raise Unsupported("sparse tensors are not supported")
    return storage(type.element)


def entries(env: Environment, mixed: Sequence[Mixed], what: str = "a size") -> list[int]:
    """The values of a mixed list of constants and operands."""
    return [entry if isinstance(entry, int) else number(env[entry], what) for entry in mixed]


def check_sizes(type: t.Type, sizes: Sequence[int], what: str) -> None:
    """Check run-time sizes against the static sizes of a type. Raises Fault."""
    shape = getattr(type, "shape", None)
    if shape is None:
        return
    if len(shape) != len(sizes) or any(a is not None and a != b for a, b in zip(shape, sizes, strict=True)):
        shown = "x".join(map(str, sizes)) or "no dimension"
        raise Fault(f"{what} of shape {shown} is not of type '{type}'", "shape-mismatch")


NEGATIVE_SIZE = "negative-size"
"""The code of faults by tensors with negative sizes."""


def check_count(sizes: Sequence[int]) -> None:
    """Check a shape: no negative sizes, not too many elements."""
    count = 1
    for size in sizes:
        if size < 0:
            raise Fault(f"makes a tensor with a dimension of size {size}", NEGATIVE_SIZE)
        count *= size
    if count > MAX_ELEMENTS:
        raise LimitExceeded(f"a tensor of {count} elements is too large")


def filled(scalar: object, shape: tuple[int, ...], held: Storage) -> Array:
    """An array with one value everywhere."""
    value, defined = pack(scalar, held)
    data = np.empty(shape + held.suffix, held.dtype)
    data[...] = value
    return Array(data, None if defined else np.zeros(shape, np.bool_))


def gathered(scalars: Sequence[Any], shape: tuple[int, ...], held: Storage) -> Array:
    """An array of these elements in row-major order."""
    data = np.zeros((len(scalars), *held.suffix), held.dtype)
    valid = np.ones(len(scalars), np.bool_)
    for i, scalar in enumerate(scalars):
        if scalar is POISON:
            valid[i] = False
        else:
            data[i], valid[i] = pack(scalar, held)
    return settled(data.reshape(shape + held.suffix), valid.reshape(shape))


def inside(index: list[int], shape: tuple[int, ...], doing: str) -> tuple[int, ...]:
    """An index, checked to be defined and within `shape`."""
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
        env[result] = extent(env[source].shape(held), number(env[index]), "tensor")

    return run


@evaluates("tensor.rank")
def rank(op: tensor.RankOp, value: Array) -> int:
    return len(value.shape(held_by(op.tensor)))


@simple("tensor.cast")
def cast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    held = held_by(source)

    def run(env: Environment) -> None:
        value: Array = env[source]
        check_sizes(result.type, value.shape(held), "a tensor")
        env[result] = value

    return run


@evaluates("tensor.bitcast")
def bitcast(op: tensor.BitcastOp, value: Array) -> Array:
    return Array(same_bits(held_by(op.source), held_by(op.dest))[1](value.data), value.valid)


def reshaped(value: Array, shape: tuple[int, ...], held: Storage) -> Array:
    """The elements in row-major order under another shape of the same size."""
    return Array(
        value.data.reshape(shape + held.suffix), None if value.valid is None else value.valid.reshape(shape)
    )


@evaluates("tensor.reshape")
def reshape(op: tensor.ReshapeOp, value: Array, wanted: Array) -> Array:
    held, held_shape = held_by(op.source), held_by(op.shape)
    sizes = tuple(int(number(wanted.element((i,), held_shape))) for i in range(wanted.data.shape[0]))
    check_count(sizes)
    if prod(sizes) != prod(value.shape(held)):
        raise Fault("reshapes to another number of elements", "shape-mismatch")
    check_sizes(op.result.type, sizes, "a tensor")
    return reshaped(value, sizes, held)


# -- equations shared by all engines (`semantics.tensors`)


class Slice:
    """The region that a slice operation reads or writes: offsets, sizes, strides, and the dimensions dropped in
    the slice."""

    def __init__(
        self,
        offsets: Sequence[Mixed],
        sizes: Sequence[Mixed],
        strides: Sequence[Mixed],
        dropped: Collection[int] = (),
    ) -> None:
        self.offsets, self.sizes, self.strides, self.dropped = offsets, sizes, strides, dropped

    @classmethod
    def of(cls, op: OffsetSizeAndStrideOp, small: Value) -> Slice:
        """The region of an operation whose slice is `small`."""
        sizes = op.mixed_sizes()
        dropped = dropped_dims(sizes, expect(t.ShapedType, small.type).sizes)
        return cls(op.mixed_offsets(), sizes, op.mixed_strides(), dropped)

    def place(
        self, env: Environment, shape: Sequence[int], doing: str
    ) -> tuple[tuple[slice, ...], list[int]]:
        """The region as numpy slices, and the slice's sizes without dropped dimensions. Raises Fault."""
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
    """Check that a slice is in bounds in one dimension."""
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
    """The domain of arrays, for one execution of an operation; `slice` is the operation's region, if it has one."""

    def __init__(self, op: Operation, env: Environment, held: Storage, slice: Slice | None) -> None:
        self.op, self.env, self.held, self.slice = op, env, held, slice

    def of(self, value: Value) -> Any:
        return self.env[value]

    def numbers(self, entries_: Sequence[Mixed]) -> list[int]:
        return entries(self.env, entries_)

    def plus(self, x: int, y: int) -> int:
        return x + y

    def sizes(self, value: Value) -> tuple[int, ...]:
        return self.env[value].shape(self.held)

    def sizes_of_result(self, op: SizedResultOp) -> tuple[int, ...]:
        return sizes_of_result(op, self.env, self.sizes)

    def undefined(self, sizes: tuple[int, ...]) -> Array:
        return undefined(sizes, self.held)

    def filled(self, scalar: object, sizes: tuple[int, ...]) -> Array:
        return filled(scalar, sizes, self.held)

    def assembled(self, scalars: list[Any], sizes: Sequence[int]) -> Array:
        return gathered(scalars, tuple(sizes), self.held)

    def generated(self, body: Region, sizes: tuple[int, ...]) -> Generator[Any, Any, Array]:
        last = body.entry.last_op
        if last is body.entry.first_op and last is not None and last.operands[0] not in body.entry.args:
            # the body only yields a value from outside: the same one everywhere
            leave = yield Enter(body.entry, [0] * len(sizes))
            return self.filled(leave.values[0], sizes)
        scalars: list[Any] = []
        for index in np.ndindex(*sizes):
            leave = yield Enter(body.entry, list(index))
            scalars.append(leave.values[0])
        return self.assembled(scalars, sizes)

    def reshaped(self, whole: Array, sizes: tuple[int, ...]) -> Array:
        return reshaped(whole, sizes, self.held)

    def box(self, offsets: Sequence[int], sizes: Sequence[int]) -> Slice:
        return Slice(offsets, sizes, [1] * len(sizes))

    def box_of(self, op: OffsetSizeAndStrideOp, small: Value) -> Slice:
        assert self.slice is not None
        return self.slice

    def part(self, whole: Array, box: Slice) -> Array:
        where, kept = box.place(self.env, whole.shape(self.held), "extracts")
        check_sizes(self.op.results[0].type, kept, "a slice")
        return reshaped(whole.moved(lambda x: x[where]), tuple(kept), self.held)

    def with_part(self, whole: Array, box: Slice, part: Array) -> Array:
        where, kept = box.place(self.env, whole.shape(self.held), "inserts")
        return inserted(part, whole, where, kept, self.held)


def sizes_of_result(
    op: SizedResultOp, env: Environment, sizes: Callable[[Value], Sequence[int]]
) -> tuple[int, ...]:
    """The result sizes that an operation declares, checked against its type. Raises Fault."""

    def known(size: Extent) -> int:
        return sizes(size[0])[size[1]] if isinstance(size, tuple) else entries(env, [size])[0]

    result = op.results[0]
    for left, right in op.equal_sizes():
        one, other = INTEGERS.size(left, known), INTEGERS.size(right, known)
        if one != other:
            raise Fault(f"takes a size of {one} for one of {other}", "shape-mismatch")
    rank = expect(t.ShapedType, result.type).rank
    found = tuple(INTEGERS.size(op.size_of(result, i), known) for i in range(rank))
    check_count(found)
    check_sizes(result.type, found, "a tensor" if t.is_tensor(result.type) else "a buffer")
    return found


def _by_equation(op: Operation, machine: Machine) -> Run:
    """Executes the operation by its equation. In `scf.forall`, a shared output is updated, which the loop then
    returns."""
    insertion = op if isinstance(op, SliceInsertionOp) else None
    whole = op.results[0] if insertion is None else equations.updated(insertion)
    small = whole if insertion is None else insertion.source
    slice = Slice.of(op, small) if isinstance(op, OffsetSizeAndStrideOp) else None
    equation, held = equations.EQUATIONS[op.name], held_by(whole)

    def run(env: Environment) -> None:
        env[whole] = equation(op, _Arrays(op, env, held, slice))

    return run


def _by_equation_of_body(
    op: Operation, machine: Machine
) -> Callable[[Environment], Generator[Any, Any, Any]]:
    equation, held = equations.EQUATIONS_OF_BODIES[op.name], held_by(op.results[0])

    def run(env: Environment) -> Generator[Any, Any, Any]:
        return [(yield from equation(op, _Arrays(op, env, held, None)))]

    return run


simple(*equations.EQUATIONS)(_by_equation)
structured(*equations.EQUATIONS_OF_BODIES)(_by_equation_of_body)


def inserted(value: Array, target: Array, where: Any, kept: list[int], held: Storage) -> Array:
    """`target` with the region `where` replaced by `value`."""
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


# -- gather and scatter


def _coordinates(indices: Array, dims: Sequence[int], shape: Sequence[int], rank: int) -> tuple[Any, ...]:
    """The coordinates for each dimension in `dims`, as an array over the leading dimensions of `indices`."""
    if indices.valid is not None:
        raise Fault("an index is undefined", "undefined-value")
    given = indices.data
    for position, dim in enumerate(dims):
        column = given[..., position]
        if column.size and not (column.min() >= 0 and column.max() < shape[dim]):
            raise Fault(
                f"a coordinate of dimension {dim} is beyond its size of {shape[dim]}", "out-of-bounds"
            )
    return tuple(given[..., position] for position in range(len(dims)))


def _along(shape: Sequence[int], dims: Sequence[int], coordinates: tuple[Any, ...]) -> tuple[Any, ...]:
    """An index that broadcasts to the leading dimensions, then all dimensions with 1 for those in `dims`."""
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


@evaluates("tensor.gather")
def gather(op: tensor.GatherOp, value: Array, indices: Array) -> Array:
    dims, held = op.gather_dims.values, held_by(op.source)
    shape = value.shape(held)
    coordinates = _coordinates(indices, dims, shape, len(shape))
    where = _along(shape, dims, coordinates)
    made = value.moved(lambda x: x[where])
    if expect(t.ShapedType, op.result.type).rank == coordinates[0].ndim + len(shape):
        return made
    return reshaped(made, (*coordinates[0].shape, *(n for i, n in enumerate(shape) if i not in dims)), held)


@evaluates("tensor.scatter")
def scatter(op: tensor.ScatterOp, value: Array, target: Array, indices: Array) -> Array:
    dims, held = op.scatter_dims.values, held_by(op.dest)
    shape = target.shape(held)
    where = _along(shape, dims, _coordinates(indices, dims, shape, len(shape)))
    full = np.broadcast_shapes(*(x.shape for x in where))
    data = target.data.copy()
    data[where] = value.data.reshape(full + held.suffix)
    valid = None
    if target.valid is not None or value.valid is not None:
        valid = target.mask(held).copy()
        valid[where] = value.mask(held).reshape(full)
    return settled(data, valid)


# -- shape, on shapes as extent tensors


def _extents(value: Array) -> list[int]:
    if not isinstance(value, Array):
        raise Unsupported("shapes that are not tensors of extents are not supported")
    return [int(x) for x in value.data]


def _array(extents: list[int]) -> Array:
    return Array(np.array(extents, np.int64))


@evaluates("shape.shape_of")
def shape_of(op: Operation, value: Array | MemRef) -> Array:
    return _array(list(value.sizes if isinstance(value, MemRef) else value.data.shape))


@computes("shape.const_shape", "shape.const_size", "shape.const_witness")
def constant(op: Operation, machine: Machine) -> Run:
    held = next(iter(op.properties.values()))
    if isinstance(held, a.DenseElementsAttr):
        value = _array(list(held.values()))
        return lambda env: value
    known = int(expect(a.IntegerAttr, held).value)
    return lambda env: known


@evaluates(
    *("shape.to_extent_tensor", "shape.from_extent_tensor", "shape.value_as_shape"),
    *("shape.size_to_index", "shape.index_to_size", "shape.cstr_require"),
)
def same(op: Operation, value: object) -> object:
    return value


@evaluates("shape.get_extent")
def get_extent(op: Operation, shape: Array, dim: int) -> int:
    return extent(_extents(shape), number(dim), "shape")


@evaluates("shape.num_elements")
def num_elements(op: Operation, shape: Array) -> int:
    return prod(_extents(shape))


@evaluates("shape.rank")
def shape_rank(op: Operation, shape: Array) -> int:
    return len(_extents(shape))


@structured("shape.assuming")
def assuming(op: shape.AssumingOp, machine: Machine) -> Callable[[Environment], Generator[Any, Any, Any]]:
    witness, body = op.operands[0], op.regions[0].entry

    def run(env: Environment) -> Generator[Any, Any, Any]:
        if not decide(env[witness], "an assumption"):
            raise Fault("an assumption does not hold", "assertion")
        leave = yield Enter(body, [])
        return leave.values

    return run
