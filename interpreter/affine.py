"""Interpreter: affine maps and memory accesses, and the bounds of structured operations."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.types.affine import EVALUATE, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from ..ir.types.affine_map import AffineMap, strides_of
from . import Fault, Unsupported
from .control import HIGHEST, IndexOverflow, apply
from .heap import MemRef
from .machine import simple
from .numbers import NDArray, vector_shape
from .values import POISON, numbers

if TYPE_CHECKING:
    from ..dialects import affine
    from ..ir.program.core import Value
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]
Steps = Generator[Any, Any, Any]


def _maps_to(op: affine.ApplyOp | affine.MinOp | affine.MaxOp, choose: Callable[[list[int]], int]) -> Run:
    operands, result, map = op.operands, op.results[0], op.map.map

    def run(env: Environment) -> None:
        values = [env[value] for value in operands]
        try:
            env[result] = POISON if POISON in values else choose(apply(map, values))
        except IndexOverflow:
            env[result] = POISON

    return run


@simple("affine.apply")
def affine_apply(op: affine.ApplyOp, machine: Machine) -> Run:
    return _maps_to(op, lambda results: results[0])


@simple("affine.min")
def affine_min(op: affine.MinOp, machine: Machine) -> Run:
    return _maps_to(op, min)


@simple("affine.max")
def affine_max(op: affine.MaxOp, machine: Machine) -> Run:
    return _maps_to(op, max)


# -- memory


def _place(
    op: affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp,
) -> tuple[Value, list[Value], AffineMap]:
    return op.memref, op.indices, op.map.map


@simple("affine.load")
def affine_load(op: affine.LoadOp, machine: Machine) -> Run:
    from .memory import _undefined

    memref, indices, map = _place(op)
    result = op.results[0]

    def run(env: Environment) -> None:
        place = apply(map, [env[i] for i in indices])
        element = env[memref].load(place)
        machine.heap.touch(env[memref], place, writes=False)
        if element is POISON:
            _undefined(env[memref], machine)
        env[result] = element

    return run


@simple("affine.store")
def affine_store(op: affine.StoreOp, machine: Machine) -> Run:
    memref, indices, map = _place(op)
    value = op.value

    def run(env: Environment) -> None:
        place = apply(map, [env[i] for i in indices])
        env[memref].store(place, env[value])
        machine.heap.touch(env[memref], place, writes=True)

    return run


def window(memref: MemRef, index: list[int], sizes: tuple[int, ...], doing: str) -> MemRef:
    """The slice in the last dimensions that starts at `index`. Raises Fault if it is out of bounds."""
    first = len(memref.sizes) - len(sizes)
    if first < 0:
        raise Unsupported("vectors of more dimensions than their memref are not supported")
    for dim, (at, size) in enumerate(zip(numbers(index), memref.sizes, strict=True)):
        extent = sizes[dim - first] if dim >= first else 1
        if extent and (at < 0 or at + extent > size):
            raise memref.buffer.fault(
                f"{doing} elements {at} to {at + extent - 1} of dimension {dim}, whose size is {size}",
                "out-of-bounds",
            )
    offset = memref.offset + sum(at * stride for at, stride in zip(index, memref.strides, strict=True))
    return memref.with_layout(offset, sizes, memref.strides[first:])


@simple("affine.vector_load")
def affine_vector_load(op: affine.VectorLoadOp, machine: Machine) -> Run:
    memref, indices, map = _place(op)
    result = op.results[0]
    sizes = vector_shape(result.type)

    def run(env: Environment) -> None:
        place = apply(map, [env[i] for i in indices])
        env[result] = window(env[memref], place, sizes, "reads").read()

    return run


@simple("affine.vector_store")
def affine_vector_store(op: affine.VectorStoreOp, machine: Machine) -> Run:
    memref, indices, map = _place(op)
    value = op.value
    sizes = vector_shape(value.type)

    def run(env: Environment) -> None:
        place = apply(map, [env[i] for i in indices])
        window(env[memref], place, sizes, "writes").write(env[value])

    return run


# -- index arithmetic


@simple("affine.delinearize_index")
def delinearize_index(op: affine.DelinearizeIndexOp, machine: Machine) -> Run:
    from ..dialects.common import mixed
    from .tensors import entries

    linear, results = op.linear_index, op.results
    basis = mixed(op.dynamic_basis, op.static_basis)

    def run(env: Environment) -> None:
        sizes = entries(env, basis)
        rest = numbers([env[linear]])[0]
        found: list[int] = []
        inner = sizes if len(sizes) < len(results) else sizes[1:]
        for size in reversed(inner):
            if size <= 0:
                raise Fault(f"divides by a size of {size}, which is not positive", "division-by-zero")
            found.append(rest % size)
            rest //= size
        found.append(rest)
        for result, value in zip(results, reversed(found), strict=True):
            env[result] = value

    return run


@simple("affine.linearize_index")
def linearize_index(op: affine.LinearizeIndexOp, machine: Machine) -> Run:
    """`disjoint` promises that indices are in bounds, but for a negative first one; otherwise there is no value."""
    from ..dialects.common import mixed
    from .tensors import entries

    indices, result, promised = op.multi_index, op.results[0], op.disjoint
    basis = mixed(op.dynamic_basis, op.static_basis)

    def run(env: Environment) -> None:
        sizes = entries(env, basis)
        values = numbers([env[i] for i in indices])
        if promised:
            pairs = list(zip(reversed(values), reversed(sizes), strict=False))
            inner = pairs if len(sizes) < len(values) else pairs[:-1]
            if any(value >= size for value, size in pairs) or any(value < 0 for value, _ in inner):
                env[result] = POISON
                return
        if len(sizes) < len(values):
            sizes = [1, *sizes]
        total = 0
        for value, size in zip(values, sizes, strict=True):
            total = total * size + value
        env[result] = total if ~HIGHEST <= total <= HIGHEST else POISON

    return run


# -- loops of structured operations: trip counts, bounds of operands, and arrays broadcast over the loops


def loop_sizes(maps: list[AffineMap], shapes: list[tuple[int, ...]], loops: int) -> tuple[int, ...]:
    """The trip count of each loop: the size of the first dimension indexed by it alone. Raises Fault if sizes
    disagree."""
    sizes: dict[int, int] = {}
    for map_, shape in zip(maps, shapes, strict=True):
        for expr, extent in zip(map_.results, shape, strict=True):
            if isinstance(expr, AffineDim) and expr.position not in sizes:
                sizes[expr.position] = extent
    if len(sizes) < loops:
        raise Unsupported("the loop bounds cannot be had from the operands")
    return tuple(sizes[loop] for loop in range(loops))


def check_bounds(maps: list[AffineMap], shapes: list[tuple[int, ...]], sizes: tuple[int, ...]) -> None:
    """Check that every map stays within the shape of its operand. Raises Fault."""
    for number, (map_, shape) in enumerate(zip(maps, shapes, strict=True)):
        for dim, (expr, extent) in enumerate(zip(map_.results, shape, strict=True)):
            low, high = (0, -1) if 0 in sizes else _range(expr, sizes)
            if low < 0 or high >= extent:
                raise Fault(
                    f"operand {number} is indexed from {low} to {high} in dimension {dim}, whose size is {extent}",
                    "out-of-bounds",
                )
            if isinstance(expr, AffineDim) and sizes[expr.position] != extent:
                raise Fault(
                    f"dimension {dim} of operand {number} has size {extent}, but the loop over it runs "
                    f"{sizes[expr.position]} times",
                    "shape-mismatch",
                )


def _range(expr: AffineExpr, sizes: tuple[int, ...]) -> tuple[int, int]:
    """The least and greatest value of an expression over the loops."""
    if isinstance(expr, AffineDim):
        return 0, sizes[expr.position] - 1
    if isinstance(expr, AffineConstant):
        return expr.value, expr.value
    linear = strides_of(expr, len(sizes))
    if linear is None:
        values = evaluate_expression(expr, [np.arange(n) for n in sizes], True)
        return int(values.min()), int(values.max())
    factors = [_constant(factor) for factor in linear[0]]
    low = high = _constant(linear[1])
    for factor, size in zip(factors, sizes, strict=True):
        reach = factor * (size - 1)
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high


def _constant(expr: AffineExpr) -> int:
    if not isinstance(expr, AffineConstant):
        raise Unsupported("maps with symbols are not supported here")
    return expr.value


def evaluate_expression(expr: AffineExpr, dims: list[Any], mesh: bool = False) -> Any:
    """The values of an expression over arrays of dimensions; with `mesh`, over their cartesian product."""
    if mesh:
        dims = [x.reshape([-1 if i == j else 1 for j in range(len(dims))]) for i, x in enumerate(dims)]
    if any(isinstance(part, AffineSymbol) for part in expr.walk()):
        raise Unsupported("maps with symbols are not supported here")
    return expr.over(dims, (), np.asarray, lambda kind, x, y: EVALUATE[kind](x, y))


def over_loops(array: NDArray, map_: AffineMap, sizes: tuple[int, ...]) -> NDArray:
    """A view of `array` with one dimension per loop; a copy if the map is not linear. The caller has checked
    bounds."""
    if 0 in sizes:
        return np.zeros(sizes, array.dtype)
    offset = 0
    strides = [0] * len(sizes)
    for expr, stride in zip(map_.results, array.strides, strict=True):
        if isinstance(expr, AffineDim):
            strides[expr.position] += stride
            continue
        linear = strides_of(expr, len(sizes))
        if linear is None:
            dims = [
                np.arange(n).reshape([-1 if i == j else 1 for j in range(len(sizes))])
                for i, n in enumerate(sizes)
            ]
            where = tuple(evaluate_expression(e, dims) for e in map_.results)
            return np.broadcast_to(array[where], sizes)
        offset += _constant(linear[1]) * stride
        for i, factor in enumerate(linear[0]):
            strides[i] += _constant(factor) * stride
    start = array
    if offset:
        # start at the element addressed by the constants of the map
        place = tuple(slice(_start(expr), None) for expr in map_.results)
        start = array[place]
    return np.lib.stride_tricks.as_strided(start, sizes, strides, writeable=False)


def _start(expr: AffineExpr) -> int:
    linear = strides_of(
        expr, 1 + max((part.position for part in expr.walk() if isinstance(part, AffineDim)), default=0)
    )
    return _constant(linear[1]) if linear is not None else 0
