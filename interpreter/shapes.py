"""Interpreter: the shape dialect on shapes as extent tensors."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a
from .faults import Fault, Unsupported
from .heap import MemRef
from .machine import Enter, computes, simple, structured
from .values import Array, decide, number

if TYPE_CHECKING:
    from ..dialects import shape
    from ..ir.program.core import Operation
    from .machine import Environment, Machine

Run = Callable[["Environment"], Any]


def _extents(value: Array) -> list[int]:
    if not isinstance(value, Array):
        raise Unsupported("shapes that are not tensors of extents are not supported")
    return [int(x) for x in value.data]


def _array(extents: list[int]) -> Array:
    return Array(np.array(extents, np.int64))


@simple("shape.shape_of")
def shape_of(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        value = env[source]
        env[result] = _array(list(value.sizes if isinstance(value, MemRef) else value.data.shape))

    return run


@computes("shape.const_shape", "shape.const_size", "shape.const_witness")
def constant(op: Operation, machine: Machine) -> Run:
    held = next(iter(op.properties.values()))
    if isinstance(held, a.DenseElementsAttr):
        value = _array(list(held.values()))
        return lambda env: value
    known = int(expect(a.IntegerAttr, held).value)
    return lambda env: known


@computes(
    "shape.to_extent_tensor",
    "shape.from_extent_tensor",
    "shape.value_as_shape",
    "shape.size_to_index",
    "shape.index_to_size",
)
def same(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    return lambda env: env[source]


@simple("shape.get_extent")
def get_extent(op: Operation, machine: Machine) -> Run:
    source, dim = op.operands
    result = op.results[0]

    def run(env: Environment) -> None:
        extents, at = _extents(env[source]), number(env[dim])
        if not 0 <= at < len(extents):
            raise Fault(f"asks for extent {at} of a shape of rank {len(extents)}", "out-of-bounds")
        env[result] = extents[at]

    return run


@simple("shape.num_elements")
def num_elements(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        product = 1
        for extent in _extents(env[source]):
            product *= extent
        env[result] = product

    return run


@computes("shape.rank")
def rank(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    return lambda env: len(_extents(env[source]))


@structured("shape.assuming")
def assuming(op: shape.AssumingOp, machine: Machine) -> Callable[[Environment], Generator[Any, Any, Any]]:
    witness, body = op.operands[0], op.regions[0].entry

    def run(env: Environment) -> Generator[Any, Any, Any]:
        if not decide(env[witness], "an assumption"):
            raise Fault("an assumption does not hold", "assertion")
        leave = yield Enter(body, [])
        return leave.values

    return run


@computes("shape.cstr_require")
def cstr_require(op: Operation, machine: Machine) -> Run:
    predicate = op.operands[0]
    return lambda env: env[predicate]
