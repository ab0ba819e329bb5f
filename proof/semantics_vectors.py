"""Vectors: read from and written to tensors and memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from .machine import Executor, Steps, attributes_of, semantics
from .semantics_structured import contents_of
from .semantics_tensors import claim_inside
from .state import MemoryState, Reference
from .terms import Shape, Term, make, mul, number

if TYPE_CHECKING:
    from ..dialects import vector
    from ..dialects.vector.transfer import TransferOp
    from ..ir.program.core import Operation


def masked(m: Executor, args: list[Term]) -> list[Term]:
    return args if m.mask is None else [*args, m.mask]


@semantics("vector.transfer_read", "vector.transfer_write")
def transfer(m: Executor, op: vector.TransferReadOp | vector.TransferWriteOp, state: MemoryState) -> None:
    """A vector read from, or written to, a place of a tensor or buffer."""
    writes = op.name == "vector.transfer_write"
    base = op.base
    held = m.get(base)
    content = contents_of(m, held, state)
    rest = [m.get(value) for value in op.operands if value is not base]
    types = tuple(str(value.type) for value in op.operands if value is not base)
    named = tuple(pair for pair in attributes_of(op) if pair[0] != "in_bounds")
    key = (op.name, named, types)
    _claim_in_bounds(m, op, held.shape, state)
    args = masked(m, [content, *rest])
    if not writes:
        m.set(op.results[0], make("op", key, args, type=op.results[0].type), op)
        return
    new = make("transferred", key, args, shape=held.shape)
    if isinstance(held, Term):
        m.set(op.results[0], new, op)
    else:
        m.write(held, new, state)


def _claim_in_bounds(m: Executor, op: TransferOp, shape: Shape | None, state: MemoryState) -> None:
    """Dimensions that are said to be in bounds are; where they are, it makes no difference that it is said."""
    indices = m.scalars(op.indices)
    vector = op.vector_type
    for expr, flag, size, scalable in zip(
        op.map.results, op.in_bounds_flags, vector.shape, vector.scalable_dims, strict=True
    ):
        if not flag or shape is None or not isinstance(expr, AffineDim):
            continue
        extent = number(size or 0)
        if scalable:
            extent = mul(extent, make("vscale", None, (), type=t.INDEX))
        box = (indices[expr.position],), (extent,), (number(1),)
        claim_inside(m, box, (shape[expr.position],), state, "the vector")


def _claim_transfer(m: Executor, legal: object, state: MemoryState) -> None:
    if not m.transformed:
        m.facts.say_legal(legal, state.path)
        return
    m.ask(m.facts.is_legal(legal, state.path), "the vector is inside of its bounds", "bounds")


@semantics("vector.mask")
def mask(m: Executor, op: vector.MaskOp, state: MemoryState) -> Steps:
    around = m.mask
    args = [m.get(value) for value in op.operands]
    m.mask = make("mask", None, args if around is None else [*args, around])
    last = yield m.region(op.regions[0], (), state)
    m.mask = around
    for result, value in zip(op.results, [m.get(value) for value in last.operands], strict=True):
        m.set(result, value, op)


@semantics("vector.load", "vector.maskedload", "vector.gather", "vector.expandload")
def vector_read(
    m: Executor,
    op: vector.LoadOp | vector.MaskedLoadOp | vector.GatherOp | vector.ExpandLoadOp,
    state: MemoryState,
) -> None:
    vector_load(m, op, m.get(op.base), m.scalars([v for v in op.operands if v is not op.base]), state)


def vector_load(
    m: Executor, op: Operation, held: Reference, rest: Sequence[Term], state: MemoryState
) -> None:
    """A vector of elements read from memory."""
    legal = ("transfer", op.name, attributes_of(op), tuple(rest), held.shape, op.results[0].type)
    _claim_transfer(m, legal, state)
    args = masked(m, [contents_of(m, held, state), *rest])
    m.set(op.results[0], make("op", (op.name, attributes_of(op)), args, type=op.results[0].type), op)


@semantics("vector.store", "vector.maskedstore", "vector.scatter", "vector.compressstore")
def vector_write(
    m: Executor,
    op: vector.StoreOp | vector.MaskedStoreOp | vector.ScatterOp | vector.CompressStoreOp,
    state: MemoryState,
) -> None:
    moved = (
        op.operands[-1]
        if op.name in ("vector.maskedstore", "vector.scatter", "vector.compressstore")
        else op.operands[0]
    )
    rest = m.scalars([v for v in op.operands if v is not op.base and v is not moved])
    vector_store(m, op, m.get(op.base), rest, m.get(moved), state)


def vector_store(
    m: Executor, op: Operation, held: Reference, rest: Sequence[Term], value: Term, state: MemoryState
) -> None:
    """A vector of elements written to memory."""
    legal = ("transfer", op.name, attributes_of(op), tuple(rest), held.shape, value.type)
    _claim_transfer(m, legal, state)
    args = masked(m, [contents_of(m, held, state), value, *rest])
    new = make("transferred", (op.name, attributes_of(op), value.type), args, shape=held.shape)
    if isinstance(held, Term):
        m.set(op.results[0], new, op)
    else:
        m.write(held, new, state)
