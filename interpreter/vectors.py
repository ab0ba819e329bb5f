"""Interpreter: vector creation, permutation, masks and printing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import integers, mixed
from ..dialects.vector.kinds import kind_name
from ..ir.types import types as t
from ..ir.types.affine_map import AffineMap
from . import Fault, Unsupported
from .arithmetic import always, as_array, joint_mask
from .functions import combiner, fused
from .machine import Enter, computes, evaluates, simple, structured
from .numbers import (
    Function,
    NDArray,
    Storage,
    bits_of,
    element_type,
    from_bits,
    same_bits,
    storage,
    vector_shape,
)
from .structured import loop_sizes, over_loops
from .tensors import entries, gathered
from .values import POISON, Array, number, settled, undefined

if TYPE_CHECKING:
    from ..dialects import vector
    from ..ir.program.core import Operation, Value
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]


def held_in(value: Value) -> Storage:
    """The storage of the numbers in a vector or scalar."""
    return storage(element_type(value.type))


def spread(value: object, held: Storage) -> Array:
    """A vector, or a scalar as an array without dimensions."""
    return as_array(value, held)


def unwrapped(value: Array, type: t.Type, held: Storage) -> Any:
    """The result value of `type`: the array, or its only element for a scalar."""
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
            shape = value.data.shape[len(place) :]
            env[result] = undefined(shape, held) if isinstance(result.type, t.VectorType) else POISON
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


@evaluates("vector.scalable.extract")
def scalable_extract(op: vector.ScalableExtractOp, value: Array) -> Array:
    start, size = op.pos.value, vector_shape(op.output.type)[0]
    return value.moved(lambda x: x[start : start + size])


@evaluates("vector.scalable.insert")
def scalable_insert(op: vector.ScalableInsertOp, value: Array, target: Array) -> Array:
    start = op.pos.value
    return replaced(target, slice(start, start + len(value.data)), value)


@evaluates("vector.extract_strided_slice")
def extract_strided_slice(op: vector.ExtractStridedSliceOp, value: Array) -> Array:
    where = _strided(integers(op.offsets), integers(op.sizes), integers(op.strides))
    return value.moved(lambda x: x[where])


def _strided(offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> tuple[slice, ...]:
    return tuple(slice(o, o + n * s, s) for o, n, s in zip(offsets, sizes, strides, strict=True))


@evaluates("vector.insert_strided_slice")
def insert_strided_slice(op: vector.InsertStridedSliceOp, value: Array, target: Array) -> Array:
    offsets, small = integers(op.offsets), vector_shape(op.value_to_store.type)
    lead = (1,) * (len(offsets) - len(small))
    where = _strided(offsets, lead + tuple(small), lead + integers(op.strides))
    return replaced(target, where, value.moved(lambda x: x.reshape(lead + x.shape)))


@evaluates("vector.shape_cast")
def shape_cast(op: vector.ShapeCastOp, value: Array) -> Array:
    shape = vector_shape(op.output.type)
    return value.moved(lambda x: x.reshape(shape))


@evaluates("vector.transpose")
def transpose(op: vector.TransposeOp, value: Array) -> Array:
    return value.moved(lambda x: x.transpose(op.permutation.values))


@evaluates("vector.shuffle")
def shuffle(op: vector.ShuffleOp, x: Array, y: Array) -> Array:
    mask, held = list(op.mask.values), held_in(op.v1)
    joined = np.concatenate([np.atleast_1d(z.data) for z in (x, y)])
    flags = np.concatenate([np.atleast_1d(z.mask(held)) for z in (x, y)])
    picked = [max(i, 0) for i in mask]
    valid = flags[picked]
    valid[[i for i, chosen in enumerate(mask) if chosen < 0]] = False
    return settled(joined[picked], valid)


@evaluates("vector.interleave")
def interleave(op: vector.InterleaveOp, x: Array, y: Array) -> Array:
    held = held_in(op.lhs)

    def mixed_up(left: NDArray, right: NDArray) -> NDArray:
        return np.stack([left, right], axis=-1).reshape(*left.shape[:-1], -1)

    return settled(mixed_up(x.data, y.data), mixed_up(x.mask(held), y.mask(held)))


@evaluates("vector.deinterleave")
def deinterleave(op: vector.DeinterleaveOp, value: Array) -> list[Array]:
    return [value.moved(lambda x, first=first: x[..., first::2]) for first in (0, 1)]


@evaluates("vector.from_elements")
def from_elements(op: vector.FromElementsOp, *scalars: object) -> Array:
    return gathered(scalars, vector_shape(op.dest.type), held_in(op.dest))


@simple("vector.to_elements")
def to_elements(op: vector.ToElementsOp, machine: Machine) -> Run:
    source, results, held = op.source, op.results, held_in(op.source)

    def run(env: Environment) -> None:
        flat = env[source].moved(lambda x: x.reshape(-1))
        for i, result in enumerate(results):
            env[result] = flat.element((i,), held)

    return run


@evaluates("vector.bitcast")
def bitcast(op: vector.BitCastOp, value: Array) -> Array:
    before, after = held_in(op.source), held_in(op.output)
    widths = [getattr(element_type(v.type), "width", 64) for v in (op.source, op.output)]
    if widths[0] == widths[1]:
        return Array(same_bits(before, after)[1](value.data), value.valid)
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
    return Array(np.asarray(from_bits(after, made)).reshape(vector_shape(op.output.type)))


@simple("vector.step")
def step(op: Operation, machine: Machine) -> Run:
    result = op.results[0]
    return always(op, Array(np.arange(vector_shape(result.type)[0], dtype=np.int64)))


@simple("vector.vscale")
def vscale(op: Operation, machine: Machine) -> Run:
    """`vscale` is 1 here: scalable vectors have their minimum size."""
    return always(op, 1)


# -- masks


def corner(sizes: Sequence[int], shape: tuple[int, ...]) -> Array:
    """A mask that is set below `sizes` in every dimension."""
    mask = np.zeros(shape, np.bool_)
    if not shape:
        return Array(np.asarray(sizes[0] > 0))
    mask[tuple(slice(0, max(size, 0)) for size in sizes)] = True
    return Array(mask)


@evaluates("vector.constant_mask")
def constant_mask(op: vector.ConstantMaskOp) -> Array:
    return corner(op.mask_dim_sizes.values, vector_shape(op.mask.type))


@evaluates("vector.create_mask")
def create_mask(op: vector.CreateMaskOp, *sizes: object) -> Array:
    return corner([number(size, "the size of a mask") for size in sizes], vector_shape(op.mask.type))


MASK: Any = "mask of vector.mask"
"""The key of the current mask in the environment, for operations under `vector.mask`."""


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


# -- reductions, contractions, products and scans


@computes("vector.fma")
def fma(op: vector.FMAOp, machine: Machine) -> Run:
    operands, held = op.operands, held_in(op.lhs)

    def value(env: Environment) -> Array:
        x, y, z = args = [env[value] for value in operands]
        return Array(np.asarray(fused(x.data, y.data, z.data, held)), joint_mask(args))

    return value


def _folded(
    data: NDArray,
    valid: NDArray | None,
    axis: int,
    start: Array,
    combine: Function,
    chosen: NDArray | None = None,
) -> Array:
    """`start` combined with the slices of `data` along `axis`, in order; only the `chosen` ones, if specified."""
    state, flags = start.data, start.valid
    for i in range(data.shape[axis]):
        where: list[slice | int] = [slice(None)] * data.ndim
        where[axis] = i
        at = tuple(where)
        made = combine(state, data[at])
        keep = None if chosen is None else chosen[at]
        state = made if keep is None else np.where(keep, made, state)
        if valid is not None:
            here = valid[at] if keep is None else valid[at] | ~keep
            flags = here if flags is None else flags & here
    return Array(np.asarray(state), flags)


@simple("vector.reduction")
def reduction(op: vector.ReductionOp, machine: Machine) -> Run:
    source, acc, result = op.vector, op.acc, op.results[0]
    kind, held = kind_name(op.kind), held_in(source)
    combine = combiner(kind, result.type)[1]

    def run(env: Environment) -> None:
        value: Array = env[source]
        data, valid = value.data.reshape(-1), None if value.valid is None else value.valid.reshape(-1)
        chosen = env.get(MASK)
        if chosen is not None:
            chosen = chosen.reshape(-1)
            data, valid = data[chosen], None if valid is None else valid[chosen]
        if acc is not None:
            start = spread(env[acc], held)
        elif len(data):
            start = Array(data[0], None if valid is None else valid[0])
            data, valid = data[1:], None if valid is None else valid[1:]
        else:
            env[result] = POISON
            return
        env[result] = _folded(data, valid, 0, start, combine).element((), held)

    return run


@simple("vector.multi_reduction")
def multi_reduction(op: vector.MultiDimReductionOp, machine: Machine) -> Run:
    source, acc, result = op.source, op.acc, op.results[0]
    dims = sorted(op.reduction_dims.values)
    held, combine = held_in(source), combiner(kind_name(op.kind), op.results[0].type)[1]

    def run(env: Environment) -> None:
        value: Array = env[source]
        rank = value.data.ndim
        order = [*dims, *(i for i in range(rank) if i not in dims)]

        def lined_up(x: NDArray) -> NDArray:
            moved = x.transpose(order)
            return moved.reshape(-1, *moved.shape[len(dims) :]) if dims else moved[None]

        chosen = env.get(MASK)
        made = _folded(
            lined_up(value.data),
            None if value.valid is None else lined_up(value.valid),
            0,
            spread(env[acc], held),
            combine,
            None if chosen is None else lined_up(chosen),
        )
        env[result] = unwrapped(made, result.type, held)

    return run


@simple("vector.outerproduct")
def outerproduct(op: vector.OuterProductOp, machine: Machine) -> Run:
    left, right, acc, result = op.lhs, op.rhs, op.acc, op.results[0]
    held, kind = held_in(left), kind_name(op.kind)
    multiply, combine = combiner("mul", result.type)[1], combiner(kind, result.type)[1]

    def run(env: Environment) -> None:
        x, y = env[left], spread(env[right], held)
        if y.data.ndim:
            x = x.moved(lambda data: data[:, None])
        data = multiply(x.data, y.data)
        valid = joint_mask([x, y])
        if acc is not None:
            given: Array = env[acc]
            made = combine(given.data, data)
            chosen = env.get(MASK)
            data = made if chosen is None else np.where(chosen, made, given.data)
            valid = joint_mask([Array(data, valid), given])
        env[result] = settled(np.asarray(data), None if valid is None else np.broadcast_to(valid, data.shape))

    return run


@simple("vector.contract")
def contract(op: vector.ContractionOp, machine: Machine) -> Run:
    left, right, acc, result = op.lhs, op.rhs, op.acc, op.results[0]
    maps: list[AffineMap] = [attr.map for attr in op.indexing_maps.elements]
    kinds = ["parallel" in str(attr) for attr in op.iterator_types.elements]
    held = held_in(result)
    multiply, combine = combiner("mul", result.type)[1], combiner(kind_name(op.kind), result.type)[1]
    order = [i for i, parallel in enumerate(kinds) if not parallel] + [i for i, p in enumerate(kinds) if p]
    reduced = kinds.count(False)
    turned = [order.index(i) - reduced for i in maps[2].positions]

    def run(env: Environment) -> None:
        args = [env[left], env[right], spread(env[acc], held)]
        if env.get(MASK) is not None:
            raise Unsupported("contractions under a mask are not supported")
        shapes = [arg.data.shape for arg in args]
        sizes = loop_sizes(maps, shapes, len(kinds))
        ins = [
            over_loops(arg.data.astype(held.dtype), m, sizes).transpose(order)
            for arg, m in zip(args, maps[:2], strict=False)
        ]
        flags = [
            None if arg.valid is None else over_loops(arg.valid, m, sizes).transpose(order)
            for arg, m in zip(args, maps[:2], strict=False)
        ]
        back = np.argsort(turned) if turned else []
        state = args[2].moved(lambda x: x.transpose(back) if turned else x)
        data, valid = state.data, state.valid
        for at in np.ndindex(*(sizes[i] for i in order[:reduced])):
            data = combine(data, multiply(ins[0][at], ins[1][at]))
            for flag in flags:
                if flag is not None:
                    valid = flag[at] if valid is None else valid & flag[at]
        made = Array(np.asarray(data), valid).moved(lambda x: x.transpose(turned) if turned else x)
        env[result] = unwrapped(made, result.type, held)

    return run


@evaluates("vector.scan")
def scan(op: vector.ScanOp, value: Array, state: Array) -> tuple[Array, Array]:
    axis, inclusive = op.reduction_dim.value, bool(op.inclusive.value)
    combine = combiner(kind_name(op.kind), op.dest.type)[1]
    if value.valid is not None or state.valid is not None:
        raise Unsupported("scans of undefined elements are not supported")
    rows = []
    accumulated = state.data
    for i in range(value.data.shape[axis]):
        row = np.take(value.data, i, axis)
        if inclusive:
            accumulated = combine(accumulated, row) if i else row
            rows.append(accumulated)
        else:
            rows.append(accumulated)
            accumulated = combine(accumulated, row)
    return Array(np.stack(rows, axis)), Array(rows[-1])
