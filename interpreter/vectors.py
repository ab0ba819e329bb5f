"""Vectors: making them, moving and picking their elements, masks, printing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import integers, mixed
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr
from .arithmetic import always, as_array
from .faults import Fault, Unsupported
from .number_casts import bits_of, from_bits, same_bits
from .numbers import NDArray, Storage, element_type, storage, vector_shape
from .registry import Enter, computes, simple, structured
from .tensors import entries, gathered
from .values import POISON, Array, number, settled

if TYPE_CHECKING:
    from ..dialects import vector
    from ..ir.program.core import Operation, Value
    from .machine import Machine
    from .registry import Environment

Run = Callable[["Environment"], Any]


def held_in(value: Value) -> Storage:
    """The storage of the numbers in a vector or scalar."""
    return storage(element_type(value.type))


def spread(value: object, held: Storage) -> Array:
    """A vector, or a scalar as an array without dimensions."""
    return as_array(value, held)


def unwrapped(value: Array, type: t.Type, held: Storage) -> Any:
    """What a result of `type` is: the array, or for a scalar its only element."""
    return value if isinstance(type, t.VectorType) else value.element((), held)


@computes("vector.broadcast")
def broadcast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    held = held_in(source)
    shape = vector_shape(result.type)
    return lambda env: spread(env[source], held).moved(lambda x: np.broadcast_to(x, shape))


@simple("vector.extract")
def extract(op: vector.ExtractOp, machine: Machine) -> Run:
    source, result = op.source, op.results[0]
    position, held = mixed(op.dynamic_position, op.static_position), held_in(source)

    def run(env: Environment) -> None:
        place = entries(env, position, "a position")
        value: Array = env[source]
        if any(at == -1 for at in place):
            env[result] = (
                POISON
                if not isinstance(result.type, t.VectorType)
                else Array(
                    np.zeros(value.data.shape[len(place) :], held.dtype),
                    np.zeros(value.data.shape[len(place) :], np.bool_),
                )
            )
            return
        at = _checked(place, value.data.shape)
        env[result] = unwrapped(value.moved(lambda x: x[at]), result.type, held)

    return run


def _checked(place: list[int], shape: tuple[int, ...]) -> tuple[int, ...]:
    for dim, (at, size) in enumerate(zip(place, shape, strict=False)):
        if not 0 <= at < size:
            raise Fault(f"position {at} of dimension {dim} of a vector of size {size}", "out-of-bounds")
    return tuple(place)


@simple("vector.insert")
def insert(op: vector.InsertOp, machine: Machine) -> Run:
    source, dest, result = op.value_to_store, op.dest, op.results[0]
    position, held = mixed(op.dynamic_position, op.static_position), held_in(dest)

    def run(env: Environment) -> None:
        target: Array = env[dest]
        at = _checked(entries(env, position, "a position"), target.data.shape)
        value = spread(env[source], held)
        env[result] = replaced(target, at, value)

    return run


def replaced(target: Array, where: Any, value: Array) -> Array:
    """`target` with the part at `where` replaced."""
    data = target.data.copy()
    data[where] = value.data
    if target.valid is None and value.valid is None:
        return Array(data)
    valid = np.ones(data.shape, np.bool_) if target.valid is None else target.valid.copy()
    valid[where] = True if value.valid is None else value.valid
    return settled(data, valid)


@computes("vector.scalable.extract")
def scalable_extract(op: vector.ScalableExtractOp, machine: Machine) -> Run:
    source, result, start = op.operands[0], op.results[0], op.pos.value
    size = vector_shape(result.type)[0]
    return lambda env: env[source].moved(lambda x: x[start : start + size])


@simple("vector.scalable.insert")
def scalable_insert(op: vector.ScalableInsertOp, machine: Machine) -> Run:
    source, dest, result, start = op.operands[0], op.operands[1], op.results[0], op.pos.value

    def run(env: Environment) -> None:
        value: Array = env[source]
        env[result] = replaced(env[dest], slice(start, start + len(value.data)), value)

    return run


def _integers(attribute: ArrayAttr) -> list[int]:
    return list(integers(attribute))


@computes("vector.extract_strided_slice")
def extract_strided_slice(op: vector.ExtractStridedSliceOp, machine: Machine) -> Run:
    source = op.source
    where = _strided(_integers(op.offsets), _integers(op.sizes), _integers(op.strides))
    return lambda env: env[source].moved(lambda x: x[where])


def _strided(offsets: list[int], sizes: list[int], strides: list[int]) -> tuple[slice, ...]:
    return tuple(slice(o, o + n * s, s) for o, n, s in zip(offsets, sizes, strides, strict=True))


@simple("vector.insert_strided_slice")
def insert_strided_slice(op: vector.InsertStridedSliceOp, machine: Machine) -> Run:
    source, dest, result = op.value_to_store, op.dest, op.results[0]
    small = vector_shape(source.type)
    offsets, strides = _integers(op.offsets), _integers(op.strides)
    lead = len(offsets) - len(small)
    sizes = [1] * lead + list(small)
    strides = [1] * lead + strides
    where = _strided(offsets, sizes, strides)

    def run(env: Environment) -> None:
        value: Array = env[source]
        env[result] = replaced(env[dest], where, value.moved(lambda x: x.reshape(sizes)))

    return run


@computes("vector.shape_cast")
def shape_cast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    shape = vector_shape(result.type)
    return lambda env: env[source].moved(lambda x: x.reshape(shape))


@computes("vector.transpose")
def transpose(op: vector.TransposeOp, machine: Machine) -> Run:
    source, order = op.vector, op.permutation.values
    return lambda env: env[source].moved(lambda x: x.transpose(order))


@simple("vector.shuffle")
def shuffle(op: vector.ShuffleOp, machine: Machine) -> Run:
    left, right, result, mask = op.v1, op.v2, op.results[0], list(op.mask.values)
    held = held_in(left)

    def run(env: Environment) -> None:
        x, y = env[left], env[right]
        joined = [np.atleast_1d(z.data) for z in (x, y)]
        flags = np.concatenate([np.atleast_1d(z.mask(held)) for z in (x, y)])
        picked = [max(i, 0) for i in mask]
        valid = flags[picked]
        valid[[i for i, chosen in enumerate(mask) if chosen < 0]] = False
        env[result] = settled(np.concatenate(joined)[picked], valid)

    return run


@simple("vector.interleave")
def interleave(op: vector.InterleaveOp, machine: Machine) -> Run:
    left, right = op.operands
    result, held = op.results[0], held_in(op.operands[0])

    def mixed_up(x: NDArray, y: NDArray) -> NDArray:
        return np.stack([x, y], axis=-1).reshape(*x.shape[:-1], -1)

    def run(env: Environment) -> None:
        x, y = env[left], env[right]
        env[result] = settled(mixed_up(x.data, y.data), mixed_up(x.mask(held), y.mask(held)))

    return run


@simple("vector.deinterleave")
def deinterleave(op: vector.DeinterleaveOp, machine: Machine) -> Run:
    source = op.operands[0]
    even, odd = op.results

    def run(env: Environment) -> None:
        env[even] = env[source].moved(lambda x: x[..., 0::2])
        env[odd] = env[source].moved(lambda x: x[..., 1::2])

    return run


@computes("vector.from_elements")
def from_elements(op: Operation, machine: Machine) -> Run:
    operands, result = op.operands, op.results[0]
    held, shape = held_in(result), vector_shape(result.type)
    return lambda env: gathered([env[value] for value in operands], shape, held)


@simple("vector.to_elements")
def to_elements(op: Operation, machine: Machine) -> Run:
    source, results = op.operands[0], op.results
    held = held_in(source)

    def run(env: Environment) -> None:
        flat = env[source].moved(lambda x: x.reshape(-1))
        for i, result in enumerate(results):
            env[result] = flat.element((i,), held)

    return run


@simple("vector.bitcast")
def bitcast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    before, after = held_in(source), held_in(result)
    shape = vector_shape(result.type)
    widths = [getattr(element_type(v.type), "width", 64) for v in (source, result)]
    same = same_bits(before, after)[1]

    def run(env: Environment) -> None:
        value: Array = env[source]
        if widths[0] == widths[1]:
            env[result] = Array(same(value.data), value.valid)
            return
        if value.valid is not None:
            raise Unsupported("reinterpreting undefined elements is not supported")
        small, large = min(widths), max(widths)
        count = large // small
        bits = np.asarray(bits_of(before, value.data)).astype(object)
        if widths[0] > small:
            made = np.stack([(bits >> (small * i)) & ((1 << small) - 1) for i in range(count)], axis=-1)
        else:
            grouped = bits.reshape(*bits.shape[:-1], -1, count)
            made = sum(grouped[..., i] << (small * i) for i in range(count))
        env[result] = Array(np.asarray(from_bits(after, made)).reshape(shape))

    return run


@simple("vector.step")
def step(op: Operation, machine: Machine) -> Run:
    result = op.results[0]
    return always(op, Array(np.arange(vector_shape(result.type)[0], dtype=np.int64)))


@simple("vector.vscale")
def vscale(op: Operation, machine: Machine) -> Run:
    """Scalable vectors have their smallest size here."""
    return always(op, 1)


# -- masks


def corner(sizes: list[int], shape: tuple[int, ...]) -> Array:
    """A mask that is set below `sizes` in every dimension."""
    mask = np.zeros(shape, np.bool_)
    if not shape:
        return Array(np.asarray(sizes[0] > 0))
    mask[tuple(slice(0, max(size, 0)) for size in sizes)] = True
    return Array(mask)


@computes("vector.constant_mask")
def constant_mask(op: vector.ConstantMaskOp, machine: Machine) -> Run:
    result = op.results[0]
    value = corner(list(op.mask_dim_sizes.values), vector_shape(result.type))
    return lambda env: value


@computes("vector.create_mask")
def create_mask(op: vector.CreateMaskOp, machine: Machine) -> Run:
    sizes, result = op.sizes, op.results[0]
    shape = vector_shape(result.type)
    return lambda env: corner([number(env[value], "the size of a mask") for value in sizes], shape)


MASK: Any = "mask of vector.mask"
"""Where an operation under a mask finds it in the environment."""


@structured("vector.mask")
def mask(op: vector.MaskOp, machine: Machine) -> Callable[[Environment], Generator[Any, Any, Any]]:
    flags, passthru, results = op.operands[0], op.passthru, op.results
    body = op.regions[0].entry

    def run(env: Environment) -> Generator[Any, Any, Any]:
        given: Array = env[flags]
        if given.valid is not None:
            raise Fault("a mask is undefined", "undefined-value")
        env[MASK] = given.data
        try:
            leave = yield Enter(body, [])
        finally:
            env.pop(MASK, None)
        values = list(leave.values)
        if passthru is not None and results and isinstance(values[0], Array):
            other, chosen = env[passthru], given.data
            held = held_in(results[0])
            values[0] = settled(
                np.where(chosen, values[0].data, other.data),
                np.where(chosen, values[0].mask(held), other.mask(held)),
            )
        return values

    return run


@simple("vector.print")
def print_value(op: vector.PrintOp, machine: Machine) -> Run:
    source = op.source
    punctuation = {"newline": "\n", "comma": ", ", "open": "( ", "close": " )", "no_punctuation": ""}
    end = punctuation.get(
        op.punctuation.parameters if hasattr(op.punctuation, "parameters") else "newline", ""
    )
    text = op.string_literal.value if op.string_literal is not None else ""

    def run(env: Environment) -> None:
        shown = text
        value = None
        if source is not None:
            value = env[source]
            shown = _shown(value.data) if isinstance(value, Array) else _scalar_text(value)
        machine.show(shown + end, value)

    return run


def _scalar_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, np.floating) else str(value)


def _shown(data: NDArray) -> str:
    if not data.ndim:
        return _scalar_text(data[()])
    parts = []
    for inner in data:
        parts.append(_shown(np.asarray(inner)))
    return f"( {', '.join(parts)} )"
