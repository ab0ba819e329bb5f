"""Boundary between tensor and memref forms of a function: arguments into buffers, buffers into results.

A bufferized function has memref arguments instead of tensors, with static or dynamic layouts; its results may have
become trailing arguments (out-params), or been dropped as equivalent to an argument. This module creates arguments
for both forms from the same values, and makes their results comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ..ir.program.core import Operation
from ..ir.types import types as t
from . import Unsupported
from .heap import ARGUMENT, Heap, MemRef, dense
from .numbers import NDArray, storage, storage_in
from .values import POISON, Array

MAX_DROPPED = 6
"""The number of dropped results that are identified by trying all combinations."""


def argument_buffer(type: t.Type, sizes: tuple[int, ...], heap: Heap, padded: bool) -> MemRef:
    """A caller's buffer for an argument of `type`; with `padded`, dynamic strides leave gaps."""
    held = storage_in(type)
    layout = type.strides_and_offset() if isinstance(type, t.MemRefType) and type.layout is not None else None
    if layout is None:
        count = int(np.prod(sizes, dtype=np.int64))
        return dense(heap.new(held, count, ARGUMENT), sizes)
    known, offset = layout
    gap = 1 if padded else 0
    strides = [0] * len(sizes)
    step = 1
    for i in reversed(range(len(sizes))):
        stride = known[i]
        strides[i] = step if stride is None else stride
        step = max(strides[i], 1) * max(sizes[i], 1) + gap
    start = (3 * gap) if offset is None else offset
    reach = start + 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True) if n > 0)
    return MemRef(heap.new(held, max(reach, 0), ARGUMENT), start, sizes, tuple(strides))


@dataclass(slots=True)
class Prepared:
    """The arguments of a call, and the buffers among them by position."""

    values: list[Any]
    buffers: dict[int, MemRef] = field(default_factory=dict)


def prepare(
    values: Sequence[Any],
    types: Sequence[t.Type],
    heap: Heap,
    *,
    read_only: Sequence[bool] = (),
    padded: bool = False,
    shared: dict[int, int] | None = None,
) -> Prepared:
    """Create arguments of these types: arrays become buffers for memref types.

    `read_only` marks arguments that must not be written; `shared` maps a position to an earlier one with the same
    buffer.
    """
    prepared = Prepared([])
    for position, (value, type) in enumerate(zip(values, types, strict=False)):
        is_shaped = t.is_memref(type) or t.is_tensor(type)
        if is_shaped != (isinstance(value, Array) and not isinstance(type, t.VectorType)) or (
            is_shaped and not _fits(value.shape(storage_in(type)), type)
        ):
            raise Unsupported(f"argument {position} has become a '{type}'")
        if not t.is_memref(type):
            prepared.values.append(value)
            continue
        other = shared.get(position) if shared else None
        if other is not None and other in prepared.buffers:
            buffer = prepared.buffers[other]
        else:
            held = storage_in(type)
            buffer = argument_buffer(type, value.shape(held), heap, padded)
            buffer.write(value)
            buffer.buffer.history.append((f"it belongs to argument {position}", None))
            if position < len(read_only) and read_only[position]:
                buffer.buffer.read_only = f"argument {position}, which must not be written"
        prepared.buffers[position] = buffer
        prepared.values.append(buffer)
    return prepared


def _fits(sizes: tuple[int, ...], type: t.Type) -> bool:
    """Whether a tensor or buffer of these sizes may have this type."""
    shape = type.shape if isinstance(type, t.ShapedType) else None
    return shape is None or (
        len(shape) == len(sizes)
        and all(known in (None, size) for known, size in zip(shape, sizes, strict=True))
    )


def out_parameters(
    expected: Sequence[Any],
    results: Sequence[t.Type],
    extra: Sequence[t.Type],
    heap: Heap,
    prepared: Prepared,
) -> list[int]:
    """Add buffers for results that became trailing arguments. Returns the indices of these results, in order.

    Their sizes are those of the expected results. Raises Unsupported if the results cannot be identified.
    """
    shaped = [
        i
        for i, value in enumerate(expected)
        if isinstance(value, Array) and not isinstance(results[i], t.VectorType)
    ]
    if len(shaped) < len(extra):
        raise Unsupported("the transformed function takes arguments that are not understood")
    moved = shaped if len(shaped) == len(extra) else _fitting(expected, shaped, extra)
    for i, type in zip(moved, extra, strict=True):
        value = expected[i]
        if not t.is_memref(type):
            raise Unsupported(f"the transformed function takes another argument of type '{type}'")
        held = storage_in(type)
        buffer = argument_buffer(type, value.shape(held), heap, False)
        buffer.buffer.history.append((f"it takes result {i}", None))
        prepared.buffers[len(prepared.values)] = buffer
        prepared.values.append(buffer)
    return moved


def _fitting(expected: Sequence[Any], shaped: list[int], extra: Sequence[t.Type]) -> list[int]:
    for chosen in combinations(shaped, len(extra)):
        if all(fits(expected[i], type) for i, type in zip(chosen, extra, strict=True)):
            return list(chosen)
    raise Unsupported("cannot tell which results became arguments")


def fits(value: object, type: t.Type) -> bool:
    """Whether the shape and element type of a value match a type."""
    if not isinstance(value, Array):
        return not isinstance(type, t.ShapedType)
    if not isinstance(type, t.ShapedType):
        return False
    held = storage(type.element)
    shape = value.shape(held)
    return held.dtype == value.data.dtype and (
        type.shape is None
        or (
            len(type.shape) == len(shape)
            and all(a is None or a == b for a, b in zip(type.shape, shape, strict=True))
        )
    )


def contents(value: object) -> Any:
    """A result as a value: the current contents of a buffer. Raises Fault if the buffer was freed."""
    return value.read("returns") if isinstance(value, MemRef) else value


# -- comparing


def difference(expected: object, actual: object) -> str | None:
    """How `actual` differs from `expected`; None if it does not. Expected undefined elements match anything.

    Floats may differ by a few units in the last place, since sums may be reordered.
    """
    if expected is POISON:
        return None
    if isinstance(expected, Array):
        if not isinstance(actual, Array):
            return "is not a tensor or buffer"
        return _array_difference(expected, actual)
    if isinstance(expected, Operation):
        return None
    if actual is POISON:
        return f"is undefined instead of {expected}"
    if isinstance(actual, Array):
        return "is a tensor or buffer"
    return (
        None
        if _close(np.asarray(expected), np.asarray(actual)).all()
        else f"is {actual} instead of {expected}"
    )


def _array_difference(expected: Array, actual: Array) -> str | None:
    if expected.data.shape != actual.data.shape:
        return f"has shape {_shown(actual.data.shape)} instead of {_shown(expected.data.shape)}"
    wrong = ~_close(expected.data, actual.data)
    if actual.valid is not None:
        wrong = wrong | ~_like(actual.valid, wrong)
    if expected.valid is not None:
        wrong = wrong & _like(expected.valid, wrong)
    places = np.argwhere(wrong)
    if not len(places):
        return None
    at = tuple(int(x) for x in places[0])
    defined = actual.valid is None or bool(_like(actual.valid, wrong)[at])
    found = str(actual.data[at]) if defined else "undefined"
    more = f" ({len(places)} elements differ)" if len(places) > 1 else ""
    return f"has {found} instead of {expected.data[at]} at [{', '.join(map(str, at))}]{more}"


def _like(flags: NDArray, whole: NDArray) -> NDArray:
    """Per-element flags, broadcast to elements that are vectors."""
    return np.broadcast_to(flags.reshape(flags.shape + (1,) * (whole.ndim - flags.ndim)), whole.shape)


def _shown(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "()"


def _close(expected: NDArray, actual: NDArray) -> NDArray:
    """Elementwise: equal, both NaN, or within the rounding error of a reordered sum."""
    if expected.dtype != actual.dtype or expected.dtype.kind not in "fc":
        return np.asarray(expected == actual)
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    if same.all():
        return np.asarray(same)
    step = np.finfo(expected.dtype).eps * 64
    with np.errstate(all="ignore"):
        near = np.abs(expected - actual) <= step * np.maximum(np.abs(expected), np.abs(actual))
    return np.asarray(same | (near & np.isfinite(expected) & np.isfinite(actual)))


def compare_results(
    expected: Sequence[Any], actual: Sequence[Any], moved: Sequence[int], prepared: Prepared, inputs: int
) -> tuple[int, str] | None:
    """The first differing result and the difference; None if all agree.

    `moved` results are in the out-params after the first `inputs` arguments. Other missing results must equal the
    final contents of some argument.
    """
    outs = [contents(prepared.buffers[inputs + i]) for i in range(len(moved))]
    for i, result in zip(moved, outs, strict=True):
        found = difference(expected[i], result)
        if found:
            return i, found
    rest = [i for i in range(len(expected)) if i not in moved]
    results = [contents(value) for value in actual]
    missing = len(rest) - len(results)
    if missing == 0:
        for i, value in zip(rest, results, strict=True):
            found = difference(expected[i], value)
            if found:
                return i, found
        return None
    if missing < 0 or missing > MAX_DROPPED:
        raise Unsupported(f"the transformed function gives {len(results)} results instead of {len(rest)}")
    held = [contents(buffer) for buffer in prepared.buffers.values() if not buffer.buffer.freed]
    first: tuple[int, str] | None = None
    for dropped in combinations(rest, missing):
        found = _with_dropped(expected, [i for i in rest if i not in dropped], results, dropped, held)
        if found is None:
            return None
        first = first or found
    return first


def _with_dropped(
    expected: Sequence[Any], kept: list[int], results: list[Any], dropped: tuple[int, ...], held: list[Any]
) -> tuple[int, str] | None:
    for i, value in zip(kept, results, strict=True):
        found = difference(expected[i], value)
        if found:
            return i, found
    for i in dropped:
        if not any(difference(expected[i], value) is None for value in held):
            return i, "is gone, and no argument holds it"
    return None
