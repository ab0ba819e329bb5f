"""The loops of structured operations: how many, what they read of each operand, and arrays laid out over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr
from ..ir.types.affine_map import AffineMap, strides_of
from .faults import Fault, Unsupported

if TYPE_CHECKING:
    pass


def loop_sizes(maps: list[AffineMap], shapes: list[tuple[int, ...]], loops: int) -> tuple[int, ...]:
    """How often each loop runs: the size of the first dimension it indexes alone. Raises Fault if sizes disagree."""
    sizes: dict[int, int] = {}
    for map_, shape in zip(maps, shapes, strict=True):
        for expr, extent in zip(map_.results, shape, strict=True):
            if isinstance(expr, AffineDim) and expr.position not in sizes:
                sizes[expr.position] = extent
    if len(sizes) < loops:
        raise Unsupported("the loop bounds cannot be had from the operands")
    return tuple(sizes[loop] for loop in range(loops))


def check_bounds(maps: list[AffineMap], shapes: list[tuple[int, ...]], sizes: tuple[int, ...]) -> None:
    """That every map stays within the shape of its operand. Raises Fault."""
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
    """The smallest and largest value of an expression over the loops."""
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
    """The values of an expression for arrays of dimensions; with `mesh`, for all combinations of them."""
    if mesh:
        dims = [x.reshape([-1 if i == j else 1 for j in range(len(dims))]) for i, x in enumerate(dims)]
    values: dict[AffineExpr, Any] = {}
    pending = [expr]
    while pending:
        part = pending[-1]
        if part in values:
            pending.pop()
        elif isinstance(part, AffineDim):
            values[part] = dims[part.position]
        elif isinstance(part, AffineConstant):
            values[part] = np.asarray(part.value)
        elif isinstance(part, AffineBinary):
            missing = [x for x in (part.lhs, part.rhs) if x not in values]
            if missing:
                pending.extend(missing)
                continue
            x, y = values[part.lhs], values[part.rhs]
            values[part] = {
                "+": lambda x, y: x + y,
                "*": lambda x, y: x * y,
                "mod": lambda x, y: x % y,
                "floordiv": lambda x, y: x // y,
                "ceildiv": lambda x, y: -(-x // y),
            }[part.kind](x, y)
        else:
            raise Unsupported("maps with symbols are not supported here")
    return values[expr]


def over_loops(array: Any, map_: AffineMap, sizes: tuple[int, ...]) -> Any:
    """A view of `array` with a dimension for each loop; a copy if the map is not linear. Bounds are checked before."""
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
        # begin at the element that the constants of the map address
        place = tuple(slice(_start(expr), None) for expr in map_.results)
        start = array[place]
    return np.lib.stride_tricks.as_strided(start, sizes, strides, writeable=False)


def _start(expr: AffineExpr) -> int:
    linear = strides_of(
        expr, 1 + max((part.position for part in expr.walk() if isinstance(part, AffineDim)), default=0)
    )
    return _constant(linear[1]) if linear is not None else 0
