"""Interpreter: operations with destinations that are not loop nests: pack, unpack, softmax; scatter, scan and sort.

Winograd transforms, top-k and FFT are not run. Scatter, scan and sort go step by step in the memory that they are given, as IREE's
loops for them do: wrong in-place decisions are visible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import DYNAMIC
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a
from . import Fault, LimitExceeded, Unsupported
from .heap import MemRef
from .machine import evaluates, simple
from .numbers import NDArray, Storage
from .structured import Payload
from .tensors import check_sizes, held_by
from .values import Array, numbers, pack, settled

if TYPE_CHECKING:
    from ..dialects import linalg
    from ..dialects.linalg.relayout import AlgorithmOp
    from .machine import Environment, Machine

Run = Callable[["Environment"], Any]
Where = tuple["slice | int", ...]
"""The elements, as NumPy indices."""


def _inverse(order: tuple[int, ...]) -> list[int]:
    inverse = [0] * len(order)
    for i, j in enumerate(order):
        inverse[j] = i
    return inverse


@evaluates("linalg.pack")
def pack_tiles(op: linalg.PackOp, value: Array, dest: Array, *rest: object) -> Array:
    held, positions = held_by(op.source), op.inner_dims_pos.values
    padding = None if op.padding_value is None else rest[0]
    given = iter(numbers(list(rest[op.padding_value is not None :]), "a size"))
    tiles = [next(given) if tile == DYNAMIC else tile for tile in op.static_inner_tiles.values]
    if any(tile <= 0 for tile in tiles):
        raise Fault("packs into tiles of a size that is not positive")
    shape = value.shape(held)
    full = list(shape)
    for position, tile in zip(positions, tiles, strict=True):
        full[position] = -(-full[position] // tile) * tile
    if tuple(full) != shape and op.padding_value is None:
        raise Fault("packs a tensor that its tiles do not divide, without padding")
    made, flags = _grown(value, tuple(full), held, 0 if op.padding_value is None else padding)

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
        outer = [outer[i] for i in op.outer_permutation() or range(len(outer))]
        return array.reshape(split).transpose([*outer, *(inner[i] for i in positions)])

    data = tiled(made)
    check_sizes(op.result.type, data.shape, "a packed tensor")
    if dest.data.shape != data.shape:
        raise Fault("packs into a tensor of another shape", "shape-mismatch")
    return settled(data, None if flags is None else tiled(flags))


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


@evaluates("linalg.unpack")
def unpack_tiles(op: linalg.UnPackOp, value: Array, dest: Array, *tiles: object) -> Array:
    positions, target = op.inner_dims_pos.values, dest.shape(held_by(op.source))
    rank = len(target)
    outer = _inverse(op.outer_permutation() or tuple(range(rank)))

    def joined(array: NDArray) -> NDArray:
        order: list[int] = []
        shape: list[int] = []
        for i in range(rank):
            order.append(outer[i])
            size, tile = array.shape[outer[i]], 1
            if i in positions:
                inner = rank + positions.index(i)
                order.append(inner)
                tile = array.shape[inner]
            if size * tile < target[i]:
                raise Fault("unpacks into a tensor that is larger than its tiles", "shape-mismatch")
            if (size - 1) * tile >= target[i] and size:
                raise Fault("unpacks into a tensor without room for a part of each tile", "shape-mismatch")
            shape.append(size * tile)
        whole = array.transpose(order).reshape(shape)
        return whole[tuple(slice(0, n) for n in target)]

    return value.moved(joined)


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


# -- scatter, scan, sort

MAX_STEPS = 1 << 20
"""The maximum number of times that a body runs on arrays."""


class _Cells:
    """The elements of an operand and which of them are defined: in place for a memref, else for an output a copy."""

    def __init__(self, operand: Array | MemRef, held: Storage, is_output: bool) -> None:
        if isinstance(operand, MemRef):
            if operand.is_typed_view or held.suffix:
                raise Unsupported("elements that are vectors, or bytes of a view")
            operand.check("writes" if is_output else "reads", write=is_output)
            self.data, self.flags = operand.data(), operand.flags()
        elif is_output:
            self.data, self.flags = operand.data.copy(), operand.mask(held).copy()
        else:
            self.data, self.flags = operand.data, operand.mask(held)

    def __getitem__(self, where: Where) -> Array:
        return settled(self.data[where], self.flags[where])

    def __setitem__(self, where: Where, value: Array) -> None:
        self.data[where] = value.data
        self.flags[where] = True if value.valid is None else value.valid


Step = Callable[[list[_Cells], Callable[[list[Array]], list[Array]]], None]


def _by_steps(op: AlgorithmOp, step: Step) -> Run:
    """Runs `step` on all operands and the body."""
    payload, helds = Payload(op.regions[0].entry), [held_by(value) for value in op.operands]
    outputs = [use.index for use in op.dps_inits()]

    def run(env: Environment) -> None:
        outside = payload.capture(env)
        cells = [
            _Cells(env[value], held, i in outputs)
            for i, (value, held) in enumerate(zip(op.operands, helds, strict=True))
        ]
        step(cells, lambda args: payload.evaluate(outside, args, {}))
        for i, result in zip(outputs, op.results, strict=False):
            env[result] = settled(cells[i].data, cells[i].flags)

    return run


def _number(op: AlgorithmOp, name: str) -> int:
    return expect(a.IntegerAttr, op.properties[name]).value


@simple("iree_linalg_ext.scatter", "tm_tensor.scatter")
def scatter(op: AlgorithmOp, machine: Machine) -> Run:
    """Each update is combined with what lies at its index; its dimensions are the last ones of the target."""
    dims = expect(a.DenseArrayAttr, op.properties["dimension_map"]).values
    if len(op.operands) != 3:
        raise Unsupported("a scatter with a mask")

    def step(cells: list[_Cells], body: Callable[[list[Array]], list[Array]]) -> None:
        updates, indices, target = cells
        batch = max(indices.data.ndim - 1, 1)
        sizes = updates.data.shape[batch:]
        shape = target.data.shape
        single = len(shape) - len(sizes)
        for at in np.ndindex(*updates.data.shape[:batch]):
            if not indices.flags[at].all():
                raise Fault("an index is an undefined value", "undefined-value")
            starts, extents = [0] * len(shape), [*[1] * single, *sizes]
            for dim, index in zip(dims, np.atleast_1d(indices.data[at]), strict=True):
                starts[dim] = int(index)
            for dim, (start, extent) in enumerate(zip(starts, extents, strict=True)):
                if start < 0 or start + extent > shape[dim]:
                    raise Fault(
                        f"index {start} of dimension {dim}, whose size is {shape[dim]}", "out-of-bounds"
                    )
            there = tuple(slice(s, s + n) for s, n in zip(starts, extents, strict=True))
            update = updates[at].moved(lambda x, shape=tuple(extents): np.reshape(x, shape))
            (target[there],) = body([update, target[there]])

    return _by_steps(op, step)


@simple("iree_linalg_ext.scan", "tm_tensor.scan")
def scan(op: AlgorithmOp, machine: Machine) -> Run:
    """Element i is combined from element i - 1 and input i (inclusive) or i - 1; the accumulator is the last one."""
    axis = _number(op, "dimension")
    inclusive = _number(op, "inclusive") != 0

    def step(cells: list[_Cells], body: Callable[[list[Array]], list[Array]]) -> None:
        source, output, accumulator = cells

        def at(i: int) -> Where:
            return (*[slice(None)] * axis, i)

        for i in range(source.data.shape[axis]):
            if i:
                (value,) = body([output[at(i - 1)], source[at(i if inclusive else i - 1)]])
                accumulator[()] = value
            else:
                value = source[at(0)] if inclusive else accumulator[()]
            output[at(i)] = value

    return _by_steps(op, step)


@simple("iree_linalg_ext.sort", "tm_tensor.sort")
def sort(op: AlgorithmOp, machine: Machine) -> Run:
    """Neighbours for which the body is false are exchanged, as often as there are elements."""
    axis = _number(op, "dimension")

    def step(cells: list[_Cells], body: Callable[[list[Array]], list[Array]]) -> None:
        size = cells[0].data.shape[axis]
        if size * size > MAX_STEPS:
            raise LimitExceeded(f"{size} elements are too many to be sorted")
        for _ in range(size):
            for i in range(size - 1):
                here, after = ((*[slice(None)] * axis, k) for k in (i, i + 1))
                found = [(np.array(x.data[at]), np.array(x.flags[at])) for x in cells for at in (here, after)]
                (keeps,) = body([Array(data, flags) for data, flags in found])
                if keeps.valid is not None and not keeps.valid.all():
                    raise Fault("a comparison of undefined values", "undefined-value")
                for x, left, right in zip(cells, found[::2], found[1::2], strict=True):
                    for at, stays, comes in ((here, left, right), (after, right, left)):
                        x.data[at] = np.where(keeps.data, stays[0], comes[0])
                        x.flags[at] = np.where(keeps.data, stays[1], comes[1])

    return _by_steps(op, step)
