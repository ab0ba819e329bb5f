"""Symbolic semantics of vectors that are transferred to and from tensors and memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.program.interfaces import SubsetInsertionOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from . import contents as c
from .lanes import BROADCAST, assembled, has_lanes, lanes, part_of
from .machine import Executor, Steps, attributes_of, semantics
from .semantics_poison import poison_of, poisoning
from .semantics_scalars import uninterpreted
from .semantics_structured import contents_of, outline
from .semantics_tensors import claim_inside
from .state import MemoryState, Reference
from .terms import FALSE, ONE, TRUE, ZERO, Shape, Term, make, mul, number

if TYPE_CHECKING:
    from ..dialects import vector
    from ..dialects.vector.transfer import TransferOp


POISON = -1
"""The position in a vector that makes a result poison."""


def masked(m: Executor, args: list[Term]) -> list[Term]:
    return args if m.mask is None else [*args, m.mask]


@semantics("vector.broadcast")
def broadcast(m: Executor, op: Operation, state: MemoryState) -> None:
    """Numbers that are broadcast twice are broadcast once. Elements that a mask leaves out are unspecified."""
    if m.mask is not None:
        type = op.results[0].type
        m.set(
            op.results[0],
            make(
                "op", (op.name, "masked", 0), (m.get(op.operands[0]), m.mask, poison_of(m, type)), type=type
            ),
            op,
        )
        return
    x = m.get(op.operands[0])
    if x.op == "op" and x.attr == BROADCAST and not isinstance(x.args[0].type, t.VectorType):
        x = x.args[0]
    type = expect(t.VectorType, op.results[0].type)
    result = make("op", BROADCAST, (x,), type=type)
    elements = lanes(result)
    m.set(op.results[0], result if elements is None else assembled(elements, type), op)


@semantics("vector.extract")
def extract(m: Executor, op: vector.ExtractOp, state: MemoryState) -> None:
    """The elements at a static position; one out of bounds, or that may be, is poison."""
    x, type = m.get(op.source), op.results[0].type
    if POISON in op.static_position.values:
        m.set(op.results[0], poison_of(m, type), op)
        return
    elements, part = lanes(x), part_of(expect(t.VectorType, x.type), op.static_position.values)
    if elements is None or part is None or op.dynamic_position:
        poisoning(m, op, state)
        return
    found = elements[part.start : part.stop]
    m.set(op.results[0], assembled(found, type) if isinstance(type, t.VectorType) else found[0], op)


@semantics("vector.insert")
def insert(m: Executor, op: vector.InsertOp, state: MemoryState) -> None:
    """Replaces the elements at a static position; one out of bounds, or that may be, is poison."""
    value, x, type = m.get(op.value_to_store), m.get(op.dest), expect(t.VectorType, op.results[0].type)
    if POISON in op.static_position.values:
        m.set(op.results[0], poison_of(m, type), op)
        return
    elements, part = lanes(x), part_of(type, op.static_position.values)
    inserted = lanes(value) if isinstance(value.type, t.VectorType) else [value]
    if elements is None or inserted is None or part is None or op.dynamic_position:
        poisoning(m, op, state)
        return
    elements[part.start : part.stop] = inserted
    m.set(op.results[0], assembled(elements, type), op)


@semantics("vector.shuffle")
def shuffle(m: Executor, op: vector.ShuffleOp, state: MemoryState) -> None:
    """Elements, or parts in the first dimension, of two vectors; some may be poison."""
    one, other, type = lanes(m.get(op.v1)), lanes(m.get(op.v2)), expect(t.VectorType, op.results[0].type)
    if one is None or other is None or not has_lanes(type):
        poisoning(m, op, state)
        return
    count = prod(type.static_shape[1:])
    unknown = [poison_of(m, type.element)] * count
    rows = [(one + other)[i : i + count] for i in range(0, len(one) + len(other), count)]
    m.set(
        op.results[0],
        assembled([x for i in op.mask.values for x in (unknown if i == POISON else rows[i])], type),
        op,
    )


@semantics("vector.from_elements")
def from_elements(m: Executor, op: vector.FromElementsOp, state: MemoryState) -> None:
    """A vector of scalars."""
    m.set(
        op.results[0],
        assembled([m.get(value) for value in op.operands], expect(t.VectorType, op.dest.type)),
        op,
    )


@semantics("vector.to_elements")
def to_elements(m: Executor, op: vector.ToElementsOp, state: MemoryState) -> None:
    """The elements of a vector."""
    elements = lanes(m.get(op.source))
    if elements is None:
        uninterpreted(m, op, state)
        return
    for result, element in zip(op.results, elements, strict=True):
        m.set(result, element, op)


@semantics("vector.constant_mask")
def constant_mask(m: Executor, op: vector.ConstantMaskOp, state: MemoryState) -> None:
    """A mask that is set everywhere, or nowhere, is one bit that is broadcast."""
    type = expect(t.VectorType, op.results[0].type)
    sizes = op.mask_dim_sizes.values
    if not any(sizes) or tuple(sizes) == (type.shape or (1,)):
        term = make("op", BROADCAST, (TRUE if any(sizes) else FALSE,), type=type)
    else:
        term = make("op", (op.name, attributes_of(op), 0), type=type)
    m.set(op.results[0], term, op)


@semantics("vector.transfer_read", "vector.transfer_write")
def transfer(m: Executor, op: vector.TransferReadOp | vector.TransferWriteOp, state: MemoryState) -> None:
    """A vector transferred from or to a position of a tensor or buffer."""
    writes = isinstance(op, SubsetInsertionOp)
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
    if m.mask is None and op.mask is None and _writes_all(m, op, held.shape):
        args[0] = outline(held.shape)
    new = make("transferred", key, args, shape=held.shape)
    if isinstance(held, Term):
        m.set(op.results[0], new, op)
    else:
        m.write(held, new, state)


def _writes_all(m: Executor, op: TransferOp, shape: Shape | None) -> bool:
    """Whether a vector that is written overwrites all elements of a shape."""
    vector = op.vector_type
    if shape is None or not op.map.is_permutation or any(vector.scalable_dims):
        return False
    if len(vector.shape) != len(shape):  # elements that are vectors
        return False
    counts = {d: number(count or 0) for d, count in zip(op.map.positions, vector.shape, strict=True)}
    return all(
        index is ZERO and counts[d] is size
        for d, (index, size) in enumerate(zip(m.scalars(op.indices), shape, strict=True))
    )


def _claim_in_bounds(m: Executor, op: TransferOp, shape: Shape | None, state: MemoryState) -> None:
    """Dimensions marked in bounds are, and so is the place in those that the vector does not extend along; if they are, the
    mark is irrelevant."""
    if shape is None:
        return
    indices, vector = m.scalars(op.indices), op.vector_type
    along = {expr.position for expr in op.map.results if isinstance(expr, AffineDim)}
    for d in set(range(len(shape))) - along:
        claim_inside(m, c.point(indices[d : d + 1]), shape[d : d + 1], state, "the vector")
    mask = masked(m, [] if op.mask is None else [m.get(op.mask)])
    sizes = zip(vector.shape, vector.scalable_dims, strict=True)
    for expr, flag, (size, scalable) in zip(op.map.results, op.in_bounds_flags, sizes, strict=True):
        if not flag or not isinstance(expr, AffineDim):
            continue
        extent = number(size or 0)
        if scalable:
            extent = mul(extent, make("vscale", None, (), type=t.INDEX))
        box, extents = ((indices[expr.position],), (extent,), (ONE,)), (shape[expr.position],)
        if not mask:
            claim_inside(m, box, extents, state, "the vector")
        elif not m.transformed or m.facts.outside(box, extents, state.path):
            # elements that the mask leaves out are not accessed, and may be out of bounds
            key = ("masked", *mask, expr.position, op.map, box, extents)
            m.only_as_before(key, state.path, "what the mask selects is in bounds", "bounds")


@semantics("vector.mask")
def mask(m: Executor, op: vector.MaskOp, state: MemoryState) -> Steps:
    """The masked operation has the mask as an operand, and `passthru`; if there is none, these choose between yielded values."""
    around = m.mask
    args = [m.get(value) for value in op.operands]
    m.mask = make("mask", None, args if around is None else [*args, around])
    last = yield m.region(op.regions[0], (), state)
    m.mask = around
    for result, value in zip(op.results, [m.get(value) for value in last.operands], strict=True):
        if op.maskable is None and op.passthru is not None and value is not args[1]:
            value = make("op", (op.name, (), 0), (*args, value), type=value.type)
        m.set(result, value, op)


def _transfer(
    m: Executor, op: Operation, rest: Sequence[Term], shape: Shape | None, type: t.Type | None, state: MemoryState
) -> tuple[str, tuple[object, ...]]:  # fmt: skip
    """How a vector is loaded or stored: an operation of `affine` does what its equal does at the place of its map. In bounds."""
    said = tuple(pair for pair in attributes_of(op) if pair[0] != "map")
    how = op.name.replace("affine.vector_", "vector."), said
    key = ("transfer", *how, tuple(masked(m, [*rest])), shape, type)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif not m.facts.is_legal(key, state.path):
        m.ask_legal([key], state.path, "the vector is in bounds", "bounds")
    return how


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
    """A vector loaded from memory."""
    type = op.results[0].type
    how = _transfer(m, op, rest, held.shape, type, state)
    args = masked(m, [contents_of(m, held, state), *rest])
    m.set(op.results[0], make("op", how, args, type=type), op)


@semantics("vector.store", "vector.maskedstore", "vector.scatter", "vector.compressstore")
def vector_write(
    m: Executor,
    op: vector.StoreOp | vector.MaskedStoreOp | vector.ScatterOp | vector.CompressStoreOp,
    state: MemoryState,
) -> None:
    moved = op.operands[0 if op.name == "vector.store" else -1]
    rest = m.scalars([v for v in op.operands if v is not op.base and v is not moved])
    vector_store(m, op, m.get(op.base), rest, m.get(moved), state)


def vector_store(
    m: Executor, op: Operation, held: Reference, rest: Sequence[Term], value: Term, state: MemoryState
) -> None:
    """A vector stored to memory."""
    how = _transfer(m, op, rest, held.shape, value.type, state)
    args = masked(m, [contents_of(m, held, state), value, *rest])
    new = make("transferred", (*how, value.type), args, shape=held.shape)
    if isinstance(held, Term):
        m.set(op.results[0], new, op)
    else:
        m.write(held, new, state)
