"""Vectors: reductions, contractions, products and scans."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.vector.kinds import kind_name
from ..ir.types.affine_map import AffineMap
from .arithmetic import joint_mask
from .faults import Unsupported
from .functions import combiner, fused
from .registry import simple
from .structured import loop_sizes, over_loops
from .values import POISON, Array, settled
from .vectors import MASK, held_in, spread, unwrapped

if TYPE_CHECKING:
    from ..dialects import vector
    from .machine import Machine
    from .registry import Environment

Run = Callable[["Environment"], Any]


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


def _folded(data: Any, valid: Any, axis: int, start: Array, combine: Any, chosen: Any = None) -> Array:
    """`start` combined with the slices of `data` along `axis`, in order; only those `chosen`, if that is given."""
    state, flags = start.data, start.valid
    for i in range(data.shape[axis]):
        where = [slice(None)] * data.ndim
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

        def lined_up(x: Any) -> Any:
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
