"""A normal form for elementwise contents, independent of how they were split into operations.

* `coord(k)` is the index in dimension `k`; `at<dims>(x)` is the element of `x` whose index in dimension `i` is the
  coordinate `dims[i]`, or 0 in a unit dimension (`dims[i]` is None). It simplifies to the value of a `fill`, and to
  the body of a `map` at that index.
* `pick(x, indices)` is the element at indices that are functions of the coordinates.
* `map(body)` has `body` at each index, a function of coordinates and elements. A body that depends on neither is a
  `fill`; a body that is a single element, at most with permuted dimensions, is that content or its transpose. A
  slice of a map is the map over slices of its operands.
* `reduce<rank, types>(bodies, begins, extents)` folds contents over loops, in order, where `acc<i>` is the i-th
  accumulator, initially its `begin`; the term denotes the first accumulator. Coordinates below the rank are its
  dimensions, later ones the loops. For fixed extents it is a function of the elements, whatever contents they
  belong to.
* Unit dimensions, and loops that run once, have no coordinates. A dimension that merges several dimensions of an
  operand is split into these, so that shapes are as fine as the operands'; a reshape that splits dimensions is an
  operand.

Undefined contents are not expanded: contents computed from them have one value at each index, however often that is
read. A body that reads contents depending on the index has no such form; nor have maps whose results are not
coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..dialects.linalg.base import LinalgOp
from ..ir.program.core import OpOperand
from ..ir.source.diagnostics import expect
from ..ir.types import affine, types as t
from ..ir.types.affine import AffineConstant, AffineDim
from ..ir.types.affine_map import AffineMap
from ..ir.types.attributes import DenseElementsAttr, FloatAttr
from ..ir.types.elements import decode_values, element_width
from . import contents as c
from .ranges import Box
from .terms import ONE, ZERO, Shape, Term, add, known_of_terms, make, mul, number, total

Dims = tuple["int | None", ...]

MAX_BODY = 400
"""The size limit of a body rewritten for one use; beyond it, computed contents stay opaque."""


def coord(number: int) -> Term:
    return make("coord", number, type=t.INDEX)


_elements = known_of_terms()
_results = known_of_terms()


def at(x: Term, dims: Dims, type: t.Type | None) -> Term:
    """The element of `x` at these coordinates. O(size of a map's body), once."""
    key = (x, dims, type)
    found = _elements.get(key)
    if found is None:
        found = _elements[key] = _at(x, dims, type)
    return found


def _at(x: Term, dims: Dims, type: t.Type | None) -> Term:
    shape = x.shape or ()
    dims = tuple(None if size is ONE else dim for dim, size in zip(dims, shape, strict=True))
    if x.op == "fill":
        return x.args[0]
    if x.op == "reshape" and x.args[0].shape is not None:
        kept = c.alike(x.args[0].shape, shape)
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
    """Whether a body is independent of the index. O(body)."""
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
    """Contents with `body` at each index."""
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
        if x.op not in ("ins", "sel") and not x.undefined and c.alike(x.shape or (), shape) == list(dims):
            return c.reshape(x, shape)
    if is_free(body):
        return c.fill(body, shape)
    found = _merged_dimension(body)
    if found is not None:
        k, sizes = found
        split = _renumbered([*shape], {k: sizes})
        finer = _rewritten_all([body], split)
        if finer is not None:
            return c.reshape(map_(finer[0], tuple(size for part in split for _, size in part)), shape)
    return make("map", None, (body,), shape=shape)


def reduce_(bodies: Sequence[Term], begins: Sequence[Term], ends: Sequence[Term], types: object) -> Term:
    """The first of several accumulators that loops fold together; coordinates are its dimensions, then the loops.

    Args:
        bodies, begins: each accumulator after one more iteration, and initially.
        ends: the trip count of each loop.
    """
    shape = begins[0].args if begins[0].op == "outline" else begins[0].shape or ()
    sizes = [*shape, *ends]
    found = next(filter(None, map(_merged_dimension, bodies)), None)
    if found is not None and all(begin.op != "outline" for begin in begins):
        k, parts = found
        split = _renumbered(sizes, {k: parts})
        finer = _rewritten_all(bodies, split)
        if finer is not None:
            new = [[size for _, size in part] for part in split]
            inner = tuple(size for part in new[: len(shape)] for size in part)
            rest = [size for part in new[len(shape) :] for size in part]
            return c.reshape(
                reduce_(finer, [c.reshape(begin, inner) for begin in begins], rest, types), shape
            )
    return make("reduce", (len(shape), types), (*bodies, *begins, *ends), shape=shape)


def parts_of(x: Term) -> tuple[list[Term], list[Term], list[Term]]:
    """The bodies, initial values and trip counts of a reduction."""
    n = len(x.attr[1])
    return list(x.args[:n]), list(x.args[n : 2 * n]), list(x.args[2 * n :])


Split = list[list[tuple[int, Term]]]
"""For each coordinate those that replace it, in row-major order, with their sizes."""


def _renumbered(sizes: Sequence[Term], split: dict[int, list[Term]]) -> Split:
    """Coordinates with some of them split."""
    found: Split = []
    following = 0
    for k, size in enumerate(sizes):
        parts = split.get(k, [size])
        found.append([(following + i, part) for i, part in enumerate(parts)])
        following += len(parts)
    return found


def _merged_dimension(body: Term) -> tuple[int, list[Term]] | None:
    """A coordinate over several merged dimensions of a reshape's source, and their sizes; else None. O(body)."""
    pending, seen = [body], {body}
    while pending:
        term = pending.pop()
        if term.op == "at" and term.args[0].op == "reshape":
            x = term.args[0]
            groups = merged(x.args[0].shape, x.shape)
            for dim, group in zip(term.attr, groups or (), strict=bool(groups)):
                if dim is not None and len(group) > 1:
                    return dim, group
        if term.shape is None:
            pending += [arg for arg in term.args if arg not in seen]
            seen.update(term.args)
    return None


def merged(inner: Shape | None, outer: Shape | None) -> list[list[Term]] | None:
    """For each dimension of a shape the sizes of the dimensions of another that it merges, in order; None if they
    do not match."""
    if inner is None or outer is None:
        return None
    left = [size for size in inner if size is not ONE]
    found: list[list[Term]] = []
    for size in outer:
        group: list[Term] = []
        if size is not ONE:
            while left and total(group) is not size:
                group.append(left.pop(0))
            if total(group) is not size:
                return None
        found.append(group)
    return None if left else found


def _rewritten_all(bodies: Sequence[Term], split: Split) -> list[Term] | None:
    """The bodies over split coordinates; None if one is too large."""

    def place(k: int) -> Term:
        found, factor = ZERO, ONE
        for other, size in reversed(split[k]):
            if size is not ONE:
                found = add(found, mul(coord(other), factor))
            factor = mul(factor, size)
        return found

    def element(y: Term, dims: Dims, type: t.Type | None) -> Term:
        sizes: list[Term] = []
        numbers: list[int | None] = []
        for dim, size in zip(dims, y.shape or (), strict=True):
            for other, part in [(None, size)] if dim is None else split[dim]:
                sizes.append(part)
                numbers.append(other)
        return at(c.reshape(y, tuple(sizes)), tuple(numbers), type)

    found: list[Term] = []
    for body in bodies:
        new = rewritten(body, place, element)
        if new is None:
            return None
        found.append(new)
    return found


def reshaped(x: Term, shape: Shape) -> Term | None:
    """A map or reduction with dimensions split to another shape; None if some would be merged."""
    groups = merged(shape, x.shape)
    if groups is None:
        return None
    rank = len(shape)
    kept = [i for i, size in enumerate(shape) if size is not ONE]
    split: Split = []
    for group in groups:
        split.append([(kept.pop(0), size) for size in group])
    if x.op == "map":
        finer = _rewritten_all([x.args[0]], split)
        return None if finer is None else map_(finer[0], shape)
    bodies, begins, ends = parts_of(x)
    split += [[(rank + i, size)] for i, size in enumerate(ends)]
    if any(begin.op == "outline" for begin in begins):
        return None
    finer = _rewritten_all(bodies, split)
    if finer is None:
        return None
    return reduce_(finer, [c.reshape(begin, shape) for begin in begins], ends, x.attr[1])


def part(x: Term, box: Box) -> Term | None:
    """A slice of a map or reduction; None if it is not supported."""
    offsets, sizes, strides = box
    rank = len(sizes)

    def place(k: int) -> Term:
        if k >= rank:
            return coord(k)
        if sizes[k] is ONE:
            return offsets[k]
        i = coord(k) if strides[k] is ONE else mul(strides[k], coord(k))
        return i if offsets[k] is ZERO else add(offsets[k], i)

    def cut(y: Term, dims: Dims) -> Term:
        """The slice of `y` at indices in the box."""
        places = [
            (ZERO, size, ONE) if k is None or k >= rank else (offsets[k], sizes[k], strides[k])
            for k, size in zip(dims, y.shape or (), strict=True)
        ]
        if not places:
            return y
        firsts, counts, steps = zip(*places, strict=True)
        return c.ext(y, (firsts, counts, steps))

    bodies, begins, ends = ([x.args[0]], [], []) if x.op == "map" else parts_of(x)
    if any(begin.op == "outline" for begin in begins):
        return None
    found: list[Term] = []
    for body in bodies:
        new = rewritten(body, place, lambda y, dims, type: at(cut(y, dims), dims, type))
        if new is None:
            return None
        found.append(new)
    if x.op == "map":
        return map_(found[0], sizes)
    return reduce_(found, [c.ext(begin, box) for begin in begins], ends, x.attr[1])


def of_structured(
    op: LinalgOp,
    use: OpOperand,
    payloads: Sequence[Term],
    args: Sequence[Term],
    held: Sequence[Any],
    level: int,
) -> Term | None:
    """A result as a function of elements (the normal form of this module); None if it has none.

    Args:
        payloads: the value that the body yields for each destination.
    """
    types = tuple(init.value.type for init in op.dps_inits())
    shapes = tuple(getattr(value, "shape", None) for value in held)
    maps, kinds = tuple(op.indexing_maps()), tuple(op.iterator_types())
    key = (maps, kinds, op.input_count, types, use.index, tuple(payloads), tuple(args), shapes, level)
    if key not in _results:
        _results[key] = _of_structured(op, use, payloads, args, held, level)
    return _results[key]


def _of_structured(
    op: LinalgOp,
    use: OpOperand,
    payloads: Sequence[Term],
    args: Sequence[Term],
    held: Sequence[Any],
    level: int,
) -> Term | None:
    maps = op.indexing_maps()
    kinds = op.iterator_types()
    shape: Shape = held[use.index].shape
    if any(kind not in ("parallel", "reduction") for kind in kinds):
        return None
    extents: dict[int, Term] = {}
    for places, value in zip(maps, held, strict=True):
        sizes = getattr(value, "shape", None) or ()
        for expr, size in zip(places.results, sizes, strict=True):
            if isinstance(expr, AffineDim):
                extents.setdefault(expr.position, size)
    loops = range(len(kinds))
    dims: list[int | None] = []
    for expr, size in zip(maps[use.index].results, shape, strict=True):
        dims.append(expr.position if isinstance(expr, AffineDim) else None)
        if not isinstance(expr, AffineDim) and not (isinstance(expr, AffineConstant) and size is ONE):
            return None
    known = [dim for dim in dims if dim is not None]
    if len(set(known)) < len(known) or any(loop not in extents for loop in loops):
        return None
    # loops that run once and are not a dimension of the result have index 0
    folded = [loop for loop in loops if loop not in dims and extents[loop] is not ONE]
    if any(kinds[loop] == "parallel" for loop in folded):
        return None  # without a dimension or accumulator, the last iteration would win
    numbers = {loop: i for i, loop in enumerate((*dims, *folded)) if loop is not None}
    first = op.input_count
    order = [use.index]
    many = {loop for loop in loops if extents[loop] is not ONE}

    def element(number: int, type: t.Type | None) -> Term | None:
        over = [expr.position for expr in maps[number].results if isinstance(expr, AffineDim)]
        if number >= first and not (many <= set(over) and len(set(over)) == len(over)):
            # its accumulator is read; other destinations have their initial value at each index
            if maps[number] != maps[use.index]:
                return None
            if number not in order:
                order.append(number)
            return make("acc", order.index(number), type=type)
        return _element(args[number], maps[number], numbers, type)

    bodies: list[Term] = []
    for position in order:
        computed = _without_level(payloads[position - first].args[0], level, element, numbers)
        if computed is None:
            return None
        bodies.append(computed)
    if not folded:
        return map_(bodies[0], shape)
    begins = [args[number] for number in order]
    if any(begin.undefined for begin in begins) or any(begin.op == "outline" for begin in begins[1:]):
        return None
    types = tuple(expect(t.ShapedType, op.op_operands[number].value.type).element for number in order)
    return reduce_(bodies, begins, [extents[loop] for loop in folded], types)


def _element(value: Term, places: AffineMap, numbers: dict[int, int], type: t.Type | None) -> Term | None:
    """The element of an operand at the indices of its map; None if these are not coordinates."""
    if value.op == "outline":
        return None
    if value.shape is None:
        return value if not places.results else None
    # loops that run once, which have no coordinates, are at 0
    loops = [affine.dim(i) if i in numbers else affine.constant(0) for i in range(places.num_dims)]
    found: list[int | None] = []
    for expr, size in zip(places.results, value.shape, strict=True):
        place = expr.replace(loops)
        if size is ONE:
            found.append(None)
        elif isinstance(place, AffineDim):
            found.append(numbers[place.position])
        else:
            return None
    return at(value, tuple(found), type)


def at_places(
    op: LinalgOp, args: Sequence[Term], ends: Sequence[Term], level: int
) -> Callable[[Term], Term | None]:
    """A translation from terms of a body to functions of input elements and coordinates; it returns None if
    impossible.

    Args:
        ends: the trip count of each loop.
    """
    maps = op.indexing_maps()
    numbers = {loop: loop for loop, end in enumerate(ends) if end is not ONE}

    def element(number: int, type: t.Type | None) -> Term | None:
        return _element(args[number], maps[number], numbers, type) if number < op.input_count else None

    def converted(term: Term) -> Term | None:
        return (
            _without_level(term, level, element, numbers) if len(ends) == len(op.iterator_types()) else None
        )

    return converted


def at_indices(args: Sequence[Term], level: int) -> Callable[[Term], Term | None]:
    """Like `at_places`, for an operation on scalars that is applied to contents of one shape, and to scalars."""

    def element(number: int, type: t.Type | None) -> Term:
        sizes = args[number].shape or ()
        return at(args[number], tuple(None if size is ONE else i for i, size in enumerate(sizes)), type)

    return lambda term: _without_level(term, level, element, {})


def of_places(value: Term, shape: Shape, level: int) -> Term | None:
    """Contents whose elements are a function of their indices; None if they read contents that depend on the
    index."""
    computed = _without_level(value, level, lambda number, type: None, {i: i for i in range(len(shape))})
    return None if computed is None else map_(computed, shape)


def _without_level(
    body: Term,
    level: int,
    element: Callable[[int, t.Type | None], Term | None],
    numbers: dict[int, int],
) -> Term | None:
    """A payload over coordinates and elements; None if it is undefined, or depends on its level in another way.
    O(body)."""
    done: dict[Term, Term] = {}
    stack = [(body, False)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if term.level < level:
            done[term] = term
            continue
        if term.op == "element" and term.attr[0] == level:
            new = element(term.attr[1], term.type)
            if new is None:
                return None
            done[term] = new
            continue
        if term.op == "place" and term.attr[0] == level:
            done[term] = coord(numbers[term.attr[1]]) if term.attr[1] in numbers else ZERO
            continue
        picked = _as_pick(term, level)
        if term.shape is not None or not (picked or term.args):
            return None  # contents that depend on the index, or a symbol of the level
        parts = picked[1] if picked else term.args
        if not ready:
            stack.append((term, True))
            stack += [(part, False) for part in parts if part not in done]
        elif picked:
            done[term] = pick(picked[0], [done[part] for part in parts], term.type)
        else:
            done[term] = c.rebuild(term, [done[part] for part in parts], None)
    computed = done[body]
    return None if computed.level >= level or computed.undefined else computed


def _as_pick(term: Term, level: int) -> tuple[Term, tuple[Term, ...]] | None:
    """The contents and the indices of an `item` of contents that are independent of the level; else None."""
    if term.op != "item" or term.args[0].op not in ("reshape", "ext"):
        return None
    part = term.args[0].args[0] if term.args[0].op == "reshape" else term.args[0]
    if part.op != "ext" or any(size is not ONE for size in part.shape or ()):
        return None
    x, (offsets, _, _) = part.args[0], c.box_of(part)
    return (x, offsets) if x.level < level and not x.undefined else None


def pick(x: Term, indices: Sequence[Term], type: t.Type | None) -> Term:
    """The element of `x` at computed indices. O(size of a map's body)."""
    dims = tuple(None if i is ZERO else i.attr if i.op == "coord" else -1 for i in indices)
    if -1 not in dims and all(
        (dim is not None) != (size is ONE) for dim, size in zip(dims, x.shape or (), strict=True)
    ):
        return at(x, dims, type)
    if x.op == "fill":
        return x.args[0]
    if x.op == "map" and not x.undefined:
        found = rewritten(
            x.args[0],
            lambda k: indices[k],
            lambda y, inner, of: pick(y, [ZERO if k is None else indices[k] for k in inner], of),
        )
        if found is not None:
            return found
    if all(i.op != "coord" and is_free(i) for i in indices) and type is not None:
        return c.element(x, indices, type)
    return make("pick", None, (x, *indices), type=type)


def _reduced_again(term: Term, args: list[Term], shape: Shape | None) -> Term:
    n = len(term.attr[1])
    return reduce_(args[:n], args[n : 2 * n], args[2 * n :], term.attr[1])


def element_of_literal(x: Term, box: Box) -> Term | None:
    """One element of the numbers that an attribute lists; None for more, or if they are in a resource."""
    offsets, sizes, _ = box
    value = x.attr
    element = value.element if isinstance(value, DenseElementsAttr) else None
    if not isinstance(element, (t.IntegerType, t.IndexType, t.FloatType)):
        return None
    width = element_width(element)
    if width is None or width % 8:
        return None
    if any(size is not ONE for size in sizes) or any(offset.op != "const" for offset in offsets):
        return None
    place = 0
    for offset, size in zip(offsets, value.shape, strict=True):
        if not 0 <= offset.attr < size:
            return None
        place = place * size + offset.attr
    data = value.data[place * width // 8 : (place + 1) * width // 8]
    if isinstance(element, t.FloatType):
        one = make("const", FloatAttr.from_bits(int.from_bytes(data, "little"), element), type=element)
    else:
        one = number(decode_values(data, element, 1)[0], element)
    return c.fill(one, sizes)


c.CUT.update({"map": part, "reduce": part, "literal": element_of_literal})
c.RESHAPED.update({"map": reshaped, "reduce": reshaped})
c.REBUILT.update(
    {
        "at": lambda term, args, shape: at(args[0], term.attr, term.type),
        "map": lambda term, args, shape: map_(args[0], shape or ()),
        "pick": lambda term, args, shape: pick(args[0], args[1:], term.type),
        "reduce": _reduced_again,
    }
)
