"""Interpreter: linalg operations that are not loop nests (pack, unpack, softmax); Winograd transforms are not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .faults import Fault
from .heap import MemRef
from .machine import simple
from .numbers import NDArray, Storage
from .tensors import check_sizes, entries, held_by
from .values import Array, pack, settled

if TYPE_CHECKING:
    from ..dialects import linalg
    from .machine import Environment, Machine

Run = Callable[["Environment"], Any]


def _inverse(order: tuple[int, ...]) -> list[int]:
    inverse = [0] * len(order)
    for i, j in enumerate(order):
        inverse[j] = i
    return inverse


@simple("linalg.pack")
def pack_tiles(op: linalg.PackOp, machine: Machine) -> Run:
    source, dest, padding, result = op.source, op.dest, op.padding_value, op.results[0]
    held, positions, mixed = held_by(source), op.inner_dims_pos.values, op.mixed_tiles()
    permutation = op.outer_permutation()

    def run(env: Environment) -> None:
        value: Array = env[source]
        tiles = entries(env, mixed)
        if any(tile <= 0 for tile in tiles):
            raise Fault("packs into tiles of a size that is not positive")
        shape = value.shape(held)
        full = list(shape)
        for position, tile in zip(positions, tiles, strict=True):
            full[position] = -(-full[position] // tile) * tile
        if tuple(full) != shape and padding is None:
            raise Fault("packs a tensor that its tiles do not divide, without padding")
        made, flags = _grown(value, tuple(full), held, env[padding] if padding is not None else 0)

        def tiled(array: NDArray) -> NDArray:
            split: list[int] = []
            outer: list[int] = []
            inner: dict[int, int] = {}
            for i, size in enumerate(full):
                outer.append(len(split))
                if i in positions:
                    tile = tiles[positions.index(i)]
                    inner[i] = len(split) + 1
                    split += [size // tile, tile]
                else:
                    split.append(size)
            if permutation:
                outer = [outer[i] for i in permutation]
            return array.reshape(split).transpose([*outer, *(inner[i] for i in positions)])

        data = tiled(made)
        check_sizes(result.type, data.shape, "a packed tensor")
        if env[dest].data.shape != data.shape:
            raise Fault("packs into a tensor of another shape", "shape-mismatch")
        env[result] = settled(data, None if flags is None else tiled(flags))

    return run


def _grown(
    value: Array, shape: tuple[int, ...], held: Storage, padding: object
) -> tuple[NDArray, NDArray | None]:
    """The elements with padding appended in each dimension."""
    if value.data.shape == shape:
        return value.data, value.valid
    number, defined = pack(padding, held)
    data = np.full(shape, number, held.dtype)
    where = tuple(slice(0, n) for n in value.data.shape)
    data[where] = value.data
    if value.valid is None and defined:
        return data, None
    flags = np.full(shape, defined)
    flags[where] = value.mask(held)
    return data, flags


@simple("linalg.unpack")
def unpack_tiles(op: linalg.UnPackOp, machine: Machine) -> Run:
    source, dest, result = op.source, op.dest, op.results[0]
    held, positions = held_by(source), op.inner_dims_pos.values
    permutation = op.outer_permutation()

    def run(env: Environment) -> None:
        value: Array = env[source]
        target = env[dest].shape(held)
        rank = len(target)

        def joined(array: NDArray) -> NDArray:
            outer = list(range(rank))
            if permutation:
                outer = _inverse(permutation)
            order: list[int] = []
            shape: list[int] = []
            for i in range(rank):
                order.append(outer[i])
                size = array.shape[outer[i]]
                if i in positions:
                    inner = rank + positions.index(i)
                    order.append(inner)
                    size *= array.shape[inner]
                shape.append(size)
            whole = array.transpose(order).reshape(shape)
            if any(a < b for a, b in zip(shape, target, strict=True)):
                raise Fault("unpacks into a tensor that is larger than its tiles", "shape-mismatch")
            return whole[tuple(slice(0, n) for n in target)]

        env[result] = value.moved(joined)

    return run


@simple("linalg.softmax")
def softmax(op: linalg.SoftmaxOp, machine: Machine) -> Run:
    source, output, axis = op.operands[0], op.operands[1], op.dimension.value
    held = held_by(source)
    results = op.results

    def run(env: Environment) -> None:
        given = env[source]
        value: Array = given.peek() if isinstance(given, MemRef) else given
        data = value.data
        if data.shape[axis]:
            shifted = held.round(np.exp(data - data.max(axis, keepdims=True)))
            data = held.round(shifted / held.round(shifted.sum(axis, keepdims=True)))
        valid = None
        if value.valid is not None:
            valid = np.broadcast_to(value.valid.all(axis, keepdims=True), data.shape)
        made = settled(np.array(data), valid)
        if results:
            env[results[0]] = made
        else:
            env[output].write(made)

    return run
