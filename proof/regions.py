"""Arenas: byte views at known offsets of one buffer.

`memref.view` is a typed view of a range of bytes. A range with one type is a *region*: a base of its own, which is live as long as
the byte buffer. Regions of one buffer that are not provably disjoint overlap: a write to one clobbers the other, whose contents
become a function of both. So a memory plan is right if no live region is clobbered.

A region is the same at all of its views, in all iterations: its offset must not depend on anything that changes during the
lifetime of the byte buffer. Other views remain opaque.

Disjointness may depend on the sizes of the original's allocations being non-negative. A fact that holds at a view of a region also
holds at its later uses, so each view checks again, and overlaps only grow.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.program.interfaces import FunctionOp
from ..ir.types import types as t
from ..ir.types.attributes import IntegerAttr
from ..ir.types.elements import stored_bytes
from . import contents as c, ranges
from .machine import Executor, Steps
from .state import ARGUMENT, GLOBAL, REGION, STACK, Base, MemoryState, Pointer, row_major
from .terms import ONE, ZERO, Shape, Term, add, constant_of, divides, mul, number, sub, total

MAX_STEPS = 400
"""Substitutions of bounds in one query, for stacked dynamic buffers; beyond them ranges count as overlapping."""

_VARYING = frozenset(["junk", "undef", "stride", "offset", "pointer"])
"""Terms whose value may vary over time although they contain no loop symbol."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes of a buffer from `start` to before `end`."""

    start: Term
    end: Term


def view_of(
    m: Executor, ref: Pointer, at: Term, shape: Shape, element: t.Type, state: MemoryState
) -> Pointer | None:
    """A view of bytes as a region; None if it must be opaque. O(regions of the buffer)."""
    home = ref.base.home
    if ref.steps or not _holds_bytes(ref):
        return None
    width = stored_bytes(element)
    bytes_ = mul(total(shape), number(width)) if width is not None else None
    if bytes_ is None or home.shape is None:
        return None
    inside = m.ranges_of.get(ref.base)
    start = at if inside is None else add(inside.start, at)
    place = ByteRange(start, add(start, bytes_))
    base = _region(m, home, place, (element, None), shape, state)
    if base is None:
        return None
    return Pointer(base, (), shape, row_major(shape), ZERO)


def claim_view(
    m: Executor, ref: Pointer, at: Term, shape: Shape, element: t.Type, state: MemoryState
) -> None:
    """Check that a view of bytes is inside its buffer and aligned."""
    width = stored_bytes(element)
    if width is None or ref.shape is None:
        return
    size, end = ref.shape[0] if ref.shape else ZERO, add(at, mul(total(shape), number(width)))
    inside = m.ranges_of.get(ref.base)
    start = at if inside is None else add(inside.start, at)
    home = ref.base.home
    is_aligned = _is_aligned(home, width & -width)
    place = "aligned" if is_aligned else home.name  # in aligned memory, the place itself is a multiple
    keys = ("view", at, end, size), ("view aligned", place, start, width)
    if not m.transformed:
        for key in keys:
            m.facts.say_legal(key, state.path)
        return
    known = m.facts.sizes_on(state.path)
    good = ranges.nonnegative(at, known, MAX_STEPS) and _reaches(size, end, known)
    m.ask(good or m.facts.is_legal(keys[0], state.path), "a view stays inside its buffer", "bounds")
    good = is_aligned and divides(width & -width, start)
    m.ask(
        good or (place is not None and m.facts.is_legal(keys[1], state.path)),
        "the elements of a view of bytes are aligned",
        "alignment",
    )


MALLOCED = 16
"""The alignment of allocations that specify none."""


def _is_aligned(home: Base, alignment: int) -> bool:
    """Whether an allocation is aligned to a power of two. Arguments are assumed to be aligned for their views."""
    said = home.op.properties.get("alignment") if home.op is not None else None
    if isinstance(said, IntegerAttr):
        return said.value % alignment == 0
    return alignment == 1 or (home.kind not in (STACK, GLOBAL) and alignment <= MALLOCED)


def layout_of(
    m: Executor, ref: Pointer, offset: Term, sizes: Shape, strides: tuple[Term, ...], element: t.Type, state: MemoryState
) -> Pointer | None:  # fmt: skip
    """Another constant layout of a whole region, if it is in bounds and injective; else None."""
    place = m.ranges_of.get(ref.base)
    width = stored_bytes(element)
    numbers = [constant_of(term) for term in (offset, *sizes, *strides)]
    if ref.steps or place is None or width is None or ref.shape is None or None in numbers:
        return None
    reach, (first, *rest) = 1, [n for n in numbers if n is not None]
    dims = sorted(zip(rest[len(sizes) :], rest[: len(sizes)], strict=True))
    for stride, size in dims:
        if size > 1 and stride < reach:
            return None
        reach += max(size - 1, 0) * stride
    count = constant_of(total(ref.shape))
    if count is None or first < 0 or first + reach > count:
        return None
    base = _region(m, ref.base.home, place, (element, (offset, strides)), sizes, state)
    return None if base is None else Pointer(base, (), sizes, strides, offset)


def scratch_arguments(original: FunctionOp, other: FunctionOp) -> list[t.Type] | None:
    """The types of the transformed function's additional last arguments, if these are byte buffers; else None."""
    mine, its = original.function_type.inputs, other.function_type.inputs
    added = its[len(mine) :]
    good = len(its) >= len(mine) and all(
        isinstance(type, t.MemRefType) and type.element is t.I8 and len(type.shape) == 1 and type.is_identity_layout
        for type in added
    )  # fmt: skip
    return list(added) if good else None


def scratch_sizes(m: Executor, name: str, given: Sequence[Any], types: Sequence[Any]) -> Steps:
    """The bytes of each additional argument of `@name`: by its type, else as computed by `@name_arena_size`."""
    unknown = any(type.shape[0] is None for type in types)
    query: Any = m.symbols.get(f"{name}_arena_size") if unknown else None
    if unknown and (query is None or len(query.function_type.inputs) != len(given)):
        m.give_up(f"the size of the memory passed to '{name}'", kind="signature")
    computed: list[Any] = []
    if query is not None:
        last = yield m.region(query.body, given, MemoryState())
        computed = [m.get(value) for value in last.operands]
    return [
        number(type.shape[0]) if type.shape[0] is not None else computed[i] for i, type in enumerate(types)
    ]


def scratch(size: Term) -> Pointer:
    """Scratch memory passed to a function: it aliases nothing, and is dead afterwards."""
    base = Base(ARGUMENT, c.undef((size,), ("scratch", Base.count)))
    base.bytes = True
    return Pointer(base, (), (size,), (ONE,), ZERO)


def _holds_bytes(ref: Pointer) -> bool:
    return ref.shape is not None and len(ref.shape) == 1 and ref.base.bytes


def _region(
    m: Executor, home: Base, place: ByteRange, kind: tuple[object, ...], shape: Shape, state: MemoryState
) -> Base | None:
    """The region of a range with a type and shape."""
    terms = (place.start, place.end, *shape)
    if any(term.level > home.level or _varies(term) for term in terms):
        return None
    found = m.regions.setdefault(home, {})
    key = (place, kind, shape)
    base = found.get(key)
    if base is None:
        initial = m.junk(shape) if home in m.written and not m.transformed else m.undefined(shape)
        base = Base(REGION, initial, home.op, None, home.readonly, level=home.level)
        base.home, base.key, base.start = home, key, place.start
        base.bytes = kind == (t.I8, None)
        base.overlaps = {home, *(other for other in home.overlaps if other.home is not home)}
        for other in base.overlaps:
            other.overlaps.add(base)
        found[key] = base
        m.ranges_of[base] = place
    known = m.facts.sizes_on(state.path)
    for other in found.values():
        if (
            other is not base
            and other not in base.overlaps
            and not are_disjoint(place, m.ranges_of[other], known)
        ):
            base.overlaps.add(other)
            other.overlaps.add(base)
    return base


def _varies(root: Term) -> bool:
    pending, seen = [root], set[Term]()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op in _VARYING:
            return True
        pending.extend(term.args)
    return False


def are_disjoint(left: ByteRange, right: ByteRange, known: Collection[Term] = ()) -> bool:
    """Whether two ranges of bytes are disjoint."""
    start, end = constant_of(left.start), constant_of(left.end)
    other, last = constant_of(right.start), constant_of(right.end)
    if start is not None and end is not None and other is not None and last is not None:
        return end <= other or last <= start
    return any(
        ranges.nonnegative(sub(later.start, earlier.end), known, MAX_STEPS)
        for earlier, later in ((left, right), (right, left))
    )


def _reaches(size: Term, end: Term, known: Collection[Term]) -> bool:
    """Whether a buffer of `size` bytes reaches to `end`."""
    return any(ranges.nonnegative(sub(top, end), known, MAX_STEPS) for top in ranges.tops(size, known))
