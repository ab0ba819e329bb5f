"""Interpreter: vector creation, permutation, masks and printing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.common import integers, mixed
from ..dialects.vector.kinds import kind_name
from ..ir.types import types as t
from ..ir.types.affine_map import AffineMap
from ..ir.types.attributes import ArrayAttr
from .arithmetic import always, as_array, joint_mask
from .faults import Fault, Unsupported
from .functions import combiner, fused
from .machine import Enter, computes, simple, structured
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
from .values import POISON, Array, number, settled

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
    """`vscale` is 1 here: scalable vectors have their minimum size."""
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


@simple("vector.fma")
def fma(op: vector.FMAOp, machine: Machine) -> Run:
    x, y, z = op.operands
    result, held = op.results[0], held_in(op.operands[0])

    def run(env: Environment) -> None:
        args = [env[x], env[y], env[z]]
        env[result] = Array(
            np.asarray(fused(args[0].data, args[1].data, args[2].data, held)), joint_mask(args)
        )

    return run


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


@simple("vector.scan")
def scan(op: vector.ScanOp, machine: Machine) -> Run:
    source, initial = op.source, op.initial_value
    dest, last = op.results
    axis, inclusive = op.reduction_dim.value, bool(op.inclusive.value)
    combine = combiner(kind_name(op.kind), dest.type)[1]

    def run(env: Environment) -> None:
        value, state = env[source], env[initial]
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
        env[dest] = Array(np.stack(rows, axis))
        env[last] = Array(rows[-1])

    return run
