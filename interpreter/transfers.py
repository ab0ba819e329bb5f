"""Interpreter: vector transfers, loads and stores."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.types.affine import AffineDim
from . import Fault, Unsupported
from .affine import window
from .heap import MemRef
from .machine import computes, simple
from .numbers import NDArray, Storage, vector_shape
from .tensors import held_by
from .values import Array, numbers, pack, settled
from .vectors import MASK

if TYPE_CHECKING:
    from ..dialects import vector
    from ..ir.program.core import Value
    from .machine import Environment, Machine

Run = Callable[["Environment"], Any]


class _Rectangle:
    """The elements of the source that a transfer accesses, as a numpy index, and which of them are in bounds."""

    def __init__(self, op: vector.TransferReadOp | vector.TransferWriteOp, shape: tuple[int, ...]) -> None:
        if held_by(op.base).suffix:
            raise Unsupported("transfers of elements that are vectors are not supported")
        self.shape = shape
        self.map = op.map
        self.flags = op.in_bounds_flags

    def place(
        self, index: list[int], extents: tuple[int, ...], mask: NDArray | None, doing: str
    ) -> tuple[tuple[Any, ...], Any]:
        """An index array for each dimension of the source, over the vector; and the mask of accessed elements.

        Raises Fault if a dimension marked in bounds is not.
        """
        rank = len(self.shape)
        walks = {expr.position: i for i, expr in enumerate(self.map.results) if isinstance(expr, AffineDim)}
        inside: NDArray = np.ones((1,) * rank, np.bool_)
        given = None if mask is None else self._mask(mask)
        where: list[Any] = []
        for dim, (start, extent) in enumerate(zip(numbers(index), extents, strict=True)):
            walk = walks.get(dim)
            if walk is None:
                if not 0 <= start < extent:
                    raise Fault(
                        f"{doing} index {start} of dimension {dim}, whose size is {extent}", "out-of-bounds"
                    )
                where.append(np.full((1,) * rank, start))
                continue
            shape = [1] * rank
            shape[walk] = self.shape[walk]
            positions = (start + np.arange(self.shape[walk])).reshape(shape)
            within = (positions >= 0) & (positions < extent)
            if self.flags[walk] and not within.all():
                touched = within if given is None else within | ~given
                if not np.all(touched):
                    raise Fault(
                        f"{doing} elements {start} to {start + self.shape[walk] - 1} of dimension {dim}, whose size "
                        f"is {extent}, although they are declared in bounds",
                        "out-of-bounds",
                    )
            inside = inside & within
            where.append(np.where(within, positions, 0))
        if given is not None:
            inside = inside & given
        return tuple(np.broadcast_to(x, self.shape) for x in where), np.broadcast_to(inside, self.shape)

    def _mask(self, mask: NDArray) -> NDArray:
        """The mask, whose dimensions follow those of the source, permuted to the vector's."""
        dims = [expr.position for expr in self.map.results if isinstance(expr, AffineDim)]
        order = sorted(dims)
        if mask.ndim != len(dims):
            return mask.reshape((1,) * len(self.shape)) if mask.size == 1 else mask
        turned = mask.transpose([order.index(d) for d in dims])
        shape = []
        following = iter(turned.shape)
        for expr in self.map.results:
            shape.append(next(following) if isinstance(expr, AffineDim) else 1)
        return turned.reshape(shape)


@simple("vector.transfer_read")
def transfer_read(op: vector.TransferReadOp, machine: Machine) -> Run:
    base, indices, padding, mask, result = op.base, op.indices, op.padding, op.mask, op.results[0]
    held, rectangle = held_by(base), _Rectangle(op, vector_shape(op.results[0].type))

    def run(env: Environment) -> None:
        source = env[base]
        value: Array = source.peek() if isinstance(source, MemRef) else source
        flags = _given_mask(env, mask)
        place, inside = rectangle.place([env[i] for i in indices], value.data.shape, flags, "reads")
        fill, defined = pack(env[padding], held)
        if 0 in value.data.shape:
            data: NDArray = np.full(rectangle.shape, fill, held.dtype)
            valid: NDArray = np.full(rectangle.shape, defined)
        else:
            data = np.where(inside, value.data[place], fill).astype(held.dtype)
            valid = np.where(inside, value.mask(held)[place], defined)
        env[result] = settled(data, np.asarray(valid))

    return run


def _given_mask(env: Environment, mask: Value | None) -> Any:
    if mask is not None:
        if env[mask].valid is not None:
            raise Fault("a mask is undefined", "undefined-value")
        return env[mask].data
    return env.get(MASK)


@simple("vector.transfer_write")
def transfer_write(op: vector.TransferWriteOp, machine: Machine) -> Run:
    source, base, indices, mask = op.value_to_store, op.base, op.indices, op.mask
    held, rectangle = held_by(base), _Rectangle(op, vector_shape(op.value_to_store.type))
    results = op.results

    def run(env: Environment) -> None:
        value: Array = env[source]
        target = env[base]
        flags = _given_mask(env, mask)
        in_memory = isinstance(target, MemRef)
        if in_memory:
            target.check("writes", write=True)
        shape = target.sizes if in_memory else target.data.shape
        place, inside = rectangle.place([env[i] for i in indices], shape, flags, "writes")
        chosen = tuple(x[inside] for x in place) if place else ()
        contents = value.data[inside] if place else value.data.reshape(-1)[0]
        defined = value.mask(held)[inside] if place else value.mask(held).reshape(-1)[0]
        if in_memory:
            if np.any(inside):
                target.data()[chosen] = contents
                target._mark(chosen, defined)
            return
        data, valid = target.data.copy(), target.mask(held).copy()
        if np.any(inside):
            data[chosen], valid[chosen] = contents, defined
        env[results[0]] = settled(data, valid)

    return run


# -- contiguous accesses


@computes("vector.load")
def load(op: vector.LoadOp, machine: Machine) -> Run:
    base, indices = op.base, op.indices
    sizes = _piece(held_by(base), vector_shape(op.results[0].type))
    return lambda env: window(env[base], [env[i] for i in indices], sizes, "reads").read()


def _piece(held: Storage, sizes: tuple[int, ...]) -> tuple[int, ...]:
    if held.suffix:
        raise Unsupported("loads of elements that are vectors are not supported")
    return sizes


@simple("vector.store")
def store(op: vector.StoreOp, machine: Machine) -> Run:
    base, indices, value = op.base, op.indices, op.value_to_store
    sizes = _piece(held_by(base), vector_shape(value.type))

    def run(env: Environment) -> None:
        window(env[base], [env[i] for i in indices], sizes, "writes").write(env[value])

    return run


def _chosen(env: Environment, mask: Value | None) -> list[tuple[int, ...]]:
    """The positions of the set mask elements, in order."""
    return [tuple(int(x) for x in at) for at in np.argwhere(_given_mask(env, mask))]


@simple("vector.maskedload", "vector.expandload")
def masked_load(op: vector.MaskedLoadOp | vector.ExpandLoadOp, machine: Machine) -> Run:
    base, indices, mask, passed, result = op.base, op.indices, op.mask, op.pass_thru, op.results[0]
    held, packed = held_by(base), op.name == "vector.expandload"

    def run(env: Environment) -> None:
        other: Array = env[passed]
        data, valid = other.data.copy(), other.mask(held).copy()
        start = numbers([env[i] for i in indices])
        for count, at in enumerate(_chosen(env, mask)):
            data[at], valid[at] = pack(env[base].load(_moved(start, (count,) if packed else at)), held)
        env[result] = settled(data, valid)

    return run


def _moved(start: list[int], by: tuple[int, ...]) -> list[int]:
    """The index `start` offset by `by` in the last dimensions."""
    lead = len(start) - len(by)
    return [*start[:lead], *(x + y for x, y in zip(start[lead:], by, strict=True))]


@simple("vector.maskedstore", "vector.compressstore")
def masked_store(op: vector.MaskedStoreOp | vector.CompressStoreOp, machine: Machine) -> Run:
    base, indices, mask, value = op.base, op.indices, op.mask, op.value_to_store
    held, packed = held_by(base), op.name == "vector.compressstore"

    def run(env: Environment) -> None:
        given: Array = env[value]
        start = numbers([env[i] for i in indices])
        for count, at in enumerate(_chosen(env, mask)):
            env[base].store(_moved(start, (count,) if packed else at), given.element(at, held))

    return run


@simple("vector.gather")
def gather(op: vector.GatherOp, machine: Machine) -> Run:
    base, offsets, indices, mask = op.base, op.offsets, op.indices, op.mask
    passed, result, held = op.pass_thru, op.results[0], held_by(op.base)

    def run(env: Environment) -> None:
        other: Array = env[passed]
        data, valid = other.data.copy(), other.mask(held).copy()
        start = numbers([env[i] for i in offsets])
        source = env[base]
        for at in _chosen(env, mask):
            place = _moved(start, (int(env[indices].data[at]),))
            if isinstance(source, MemRef):
                element = source.load(place)
            else:
                for x, size in zip(place, source.data.shape, strict=True):
                    if not 0 <= x < size:
                        raise Fault(f"reads index {x} of a dimension of size {size}", "out-of-bounds")
                element = source.element(tuple(place), held)
            data[at], valid[at] = pack(element, held)
        env[result] = settled(data, valid)

    return run


@simple("vector.scatter")
def scatter(op: vector.ScatterOp, machine: Machine) -> Run:
    base, offsets, indices, mask, value = op.base, op.offsets, op.indices, op.mask, op.value_to_store
    held, results = held_by(op.base), op.results

    def run(env: Environment) -> None:
        start = numbers([env[i] for i in offsets])
        target = env[base]
        given: Array = env[value]
        if isinstance(target, MemRef):
            for at in _chosen(env, mask):
                target.store(_moved(start, (int(env[indices].data[at]),)), given.element(at, held))
            return
        data, valid = target.data.copy(), target.mask(held).copy()
        for at in _chosen(env, mask):
            place = tuple(_moved(start, (int(env[indices].data[at]),)))
            for x, size in zip(place, data.shape, strict=True):
                if not 0 <= x < size:
                    raise Fault(f"writes index {x} of a dimension of size {size}", "out-of-bounds")
            data[place], valid[place] = pack(given.element(at, held), held)
        env[results[0]] = settled(data, valid)

    return run
