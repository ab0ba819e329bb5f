"""Elementwise contents in one normal form, whether computed in parts or as a whole.

* `coord(k)` is the place in dimension `k`; `at<dims>(x)` is the element of `x` whose place in dimension `i` is the coordinate `dims[i]`,
  or 0 in a dimension of one element (`dims[i]` is None). It is the value of what is filled, and what a `map` has there.
* `map(body)` has `body` at each place, a function of coordinates and elements. A body that depends on neither makes a `fill`; one that is
  an element, in another order of the dimensions at most, makes that content, or its transposition. The part of a map in a box is the map
  of the parts that its elements are taken from.
* `reduce<kinds, dims>(body, begin, extents)` folds `body` over the loops, in their order, where `acc` is what there is so far: at first
  `begin`. Loops are coordinates; `dims` are those of the result. As long as its extents are those, it is that function of the elements,
  whatever they are elements of.

What is undefined is not looked into: a content that was computed of it has one value at each place, however often that is read.
A body that reads contents at places of its own has no such form; nor do maps whose places are not coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..dialects.linalg.base import LinalgOp
from ..ir.program.core import OpOperand
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from . import contents as c
from .ranges import Box
from .terms import ONE, ZERO, Shape, Term, add, make, mul, substitute

Dims = tuple["int | None", ...]

MAX_BODY = 400
"""Terms of a body that are rewritten for one use; beyond, what is computed stays a content of its own."""


def coord(number: int) -> Term:
    return make("coord", number, type=t.INDEX)


def at(x: Term, dims: Dims, type: t.Type | None) -> Term:
    """The element of `x` at these coordinates. O(what the body of a map has)."""
    shape = x.shape or ()
    dims = tuple(None if size is ONE else dim for dim, size in zip(dims, shape, strict=True))
    if x.op == "fill":
        return x.args[0]
    if x.op == "reshape" and x.args[0].shape is not None:
        kept = alike(x.args[0].shape, shape)
        if kept is not None:
            return at(x.args[0], tuple(None if i is None else dims[i] for i in kept), type)
    if x.op == "transpose":
        inner: list[int | None] = [None] * len(dims)
        for dim, position in zip(dims, x.attr, strict=True):
            inner[position] = dim
        return at(x.args[0], tuple(inner), type)
    if x.op == "map" and not x.undefined:
        found = rewritten(
            x.args[0],
            lambda k: ZERO if dims[k] is None else coord(dims[k] or 0),
            lambda y, inner, of: at(y, tuple(None if k is None else dims[k] for k in inner), of),
        )
        if found is not None:
            return found
    if all(dim is None for dim in dims) and type is not None:
        return c.item(c.reshape(x, ()), type)
    return make("at", dims, (x,), type=type)


def alike(inner: Shape, outer: Shape) -> list[int | None] | None:
    """For each dimension of one shape the same one of another, None for those of one element; None if they differ in more than those."""
    kept = [i for i, size in enumerate(outer) if size is not ONE]
    sizes = [size for size in inner if size is not ONE]
    if len(kept) != len(sizes) or any(outer[i] is not size for i, size in zip(kept, sizes, strict=True)):
        return None
    following = iter(kept)
    return [None if size is ONE else next(following) for size in inner]


def rewritten(
    body: Term, place: Callable[[int], Term], element: Callable[[Term, Dims, t.Type | None], Term]
) -> Term | None:
    """A body with other coordinates and elements; None if it is too large."""
    done: dict[Term, Term] = {}
    stack = [(body, False)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if len(done) > MAX_BODY:
            return None
        if term.op == "coord":
            done[term] = place(term.attr)
        elif term.op == "at":
            done[term] = element(term.args[0], term.attr, term.type)
        elif term.shape is not None or not term.args:
            done[term] = term  # contents have no free coordinates
        elif not ready:
            stack.append((term, True))
            stack += [(arg, False) for arg in term.args]
        else:
            args = [done[arg] for arg in term.args]
            same = all(new is old for new, old in zip(args, term.args, strict=True))
            done[term] = term if same else c.rebuild(term, args, None)
    return done[body]


def is_free(body: Term) -> bool:
    """Whether a body is the same at all places. O(body)."""
    pending, seen = [body], {body}
    while pending:
        term = pending.pop()
        if term.op in ("coord", "at"):
            return False
        if term.shape is None:
            pending += [arg for arg in term.args if arg not in seen]
            seen.update(term.args)
    return True


def map_(body: Term, shape: Shape) -> Term:
    """What has `body` at each place."""
    if body.op == "at":
        x, dims = body.args[0], body.attr
        if x.shape == shape and all(dim is None or dim == i for i, dim in enumerate(dims)):
            return x
        if len(dims) == len(shape) and sorted(dim for dim in dims if dim is not None) == [
            i for i, size in enumerate(shape) if size is not ONE
        ]:
            ones = iter(i for i, size in enumerate(shape) if size is ONE)
            places = [next(ones) if dim is None else dim for dim in dims]
            order = tuple(places.index(i) for i in range(len(places)))
            if tuple((x.shape or ())[p] for p in order) == shape:
                return c.transposed(x, order)
    if is_free(body):
        return c.fill(body, shape)
    return make("map", None, (body,), shape=shape)


def part(x: Term, box: Box) -> Term | None:
    """A box of a map, or of the result of a reduction whose loops it bounds; None if that is not followed."""
    offsets, sizes, strides = box
    if x.op == "map":
        positions = list(range(len(sizes)))
    else:
        positions = list(x.attr[1])

    def place(k: int) -> Term:
        i = positions.index(k) if k in positions else -1
        return coord(k) if i < 0 else add(offsets[i], mul(strides[i], ZERO if sizes[i] is ONE else coord(k)))

    def cut(y: Term, dims: Dims) -> Term:
        """The part of `y` that is seen where the places are in the box."""
        known = [positions.index(k) if k is not None and k in positions else -1 for k in dims]
        whole = y.shape or ()
        inner = (
            tuple(offsets[i] if i >= 0 else ZERO for i in known),
            tuple(sizes[i] if i >= 0 else size for i, size in zip(known, whole, strict=True)),
            tuple(strides[i] if i >= 0 else ONE for i in known),
        )
        return c.ext(y, inner)

    body = rewritten(x.args[0], place, lambda y, dims, type: at(cut(y, dims), dims, type))
    if body is None:
        return None
    if x.op == "map":
        return map_(body, sizes)
    begin = x.args[1]
    if begin.op == "outline":
        return None
    extents = list(x.args[2:])
    for i, k in enumerate(positions):
        extents[k] = sizes[i]
    return make("reduce", x.attr, (body, c.ext(begin, box), *extents), shape=sizes)


def of_structured(
    op: LinalgOp, use: OpOperand, body: Term, args: Sequence[Term], held: Sequence[Any], level: int
) -> Term | None:
    """A result as a function of elements (`elementwise`); None if it has no such form."""
    maps = op.indexing_maps()
    kinds = op.iterator_types()
    shape: Shape = held[use.index].shape
    reduces = "reduction" in kinds
    if any(kind not in ("parallel", "reduction") for kind in kinds):
        return None
    extents: dict[int, Term] = {}
    for places, value in zip(maps, held, strict=True):
        sizes = getattr(value, "shape", None) or ()
        for expr, size in zip(places.results, sizes, strict=True):
            if isinstance(expr, AffineDim):
                extents.setdefault(expr.position, size)
    dims = [expr.position if isinstance(expr, AffineDim) else -1 for expr in maps[use.index].results]
    loops = range(len(kinds))
    if -1 in dims or len(set(dims)) < len(dims) or any(loop not in extents for loop in loops):
        return None
    if not reduces and len(dims) < len(kinds):
        return None  # loops that do not count: the last one would win
    if reduces and any(kinds[dim] != "parallel" for dim in dims):
        return None
    numbers = {loop: loop if reduces else dims.index(loop) for loop in loops}

    def element(number: int, type: t.Type | None) -> Term | None:
        if number == use.index and reduces:
            return make("acc", None, type=type)
        if reduces and number >= op.input_count:
            return None  # what is folded in another destination so far
        value, places = args[number], maps[number]
        if value.op == "outline":
            return None
        if value.shape is None:
            return value if not places.results else None
        found: list[int | None] = []
        for expr, size in zip(places.results, value.shape, strict=True):
            if size is ONE:
                found.append(None)
            elif isinstance(expr, AffineDim):
                found.append(numbers[expr.position])
            else:
                return None
        return at(value, tuple(found), type)

    computed = _without_level(body.args[0], level, element, numbers)
    if computed is None:
        return None
    if not reduces:
        return map_(computed, shape)
    begin = args[use.index]
    ends = [extents[loop] for loop in loops]
    element_type = expect(t.ShapedType, use.value.type).element
    return make("reduce", (tuple(kinds), tuple(dims), element_type), (computed, begin, *ends), shape=shape)


def of_places(value: Term, shape: Shape, level: int) -> Term | None:
    """Contents whose element is a function of its place; None if that reads contents at places of its own."""
    computed = _without_level(value, level, lambda number, type: None, {i: i for i in range(len(shape))})
    return None if computed is None else map_(computed, shape)


def _without_level(
    body: Term,
    level: int,
    element: Callable[[int, t.Type | None], Term | None],
    numbers: dict[int, int],
) -> Term | None:
    """What a payload computes, over coordinates and elements; None if it is undefined, or has another part of its level."""
    symbols: dict[Term, Term] = {}
    pending, seen = [body], {body}
    while pending:
        term = pending.pop()
        if term.level < level:
            continue
        if term.shape is not None:
            return None  # contents that hang on the place
        if term.op == "element" and term.attr[0] == level:
            new = element(term.attr[1], term.type)
            if new is None:
                return None
            symbols[term] = new
        elif term.op == "place" and term.attr[0] == level:
            symbols[term] = coord(numbers[term.attr[1]])
        pending += [arg for arg in term.args if arg not in seen]
        seen.update(term.args)
    (computed,) = substitute([body], symbols, level, c.rebuild) if symbols else (body,)
    return None if computed.level >= level or computed.undefined else computed


c.CUT.update({"map": part, "reduce": part})
c.REBUILT.update(
    {
        "at": lambda term, args, shape: at(args[0], term.attr, term.type),
        "map": lambda term, args, shape: map_(args[0], shape or ()),
    }
)
