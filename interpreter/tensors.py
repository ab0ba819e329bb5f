"""Tensors: making them, their elements, and their shapes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import Mixed
from ..ir.program.core import Operation, Value
from ..ir.source.expect import expect
from ..ir.types import types as t
from .faults import Fault, LimitExceeded, Unsupported
from .number_casts import same_bits
from .numbers import Storage, storage
from .registry import Enter, computes, simple, structured
from .values import POISON, Array, number, numbers, pack, settled, undefined

if TYPE_CHECKING:
    from ..dialects import tensor
    from ..dialects._sizes import SizesGivenOp
    from .machine import Machine
    from .registry import Environment

Run = Callable[["Environment"], Any]

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
