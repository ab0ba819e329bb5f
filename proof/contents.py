"""Symbolic contents of tensors and buffers in normal form: slices, insertions, reshapes.

* `ext(x, box)` is the slice of `x` at a box; `ins(x, v, box)` is `x` with `v` inserted there.
* Extracting an inserted slice yields it; inserting an extracted slice back changes nothing; overwritten insertions
  vanish; slices of slices compose.
* `reshape` keeps the row-major order of elements; `fill` has one value everywhere; `undef` is uninitialized: each
  use may see a different value.

Chains of `ins` are searched up to `MAX_CHAIN` only: the rules are a convenience, since both programs mostly perform
the same steps in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.types import types as t
from . import ranges
from .commutation import in_order
from .ranges import Box as Box
from .terms import (
    ONE,
    ZERO,
    Shape,
    Term,
    both,
    choose,
    extreme,
    linear,
    make,
    monomials,
    mul,
    negate,
    number as number,
    under,
)

MAX_CHAIN = 40
"""The number of writes that a read looks through."""

MAX_CHOICES = 4
"""The number of choices that a read looks through; each doubles the work."""


_KNOWN = frozenset(["ins", "undef", "fill"])
"""Contents whose slices may be simpler than the whole."""


CUT: dict[str, Callable[[Term, Box], Term | None]] = {}
"""Slices of further kinds of contents, if supported (`elementwise`)."""
RESHAPED: dict[str, Callable[[Term, Shape], Term | None]] = {}
"""Reshapes of further kinds of contents, if supported."""
REBUILT: dict[str, Callable[[Term, list[Term], Shape | None], Term]] = {}
"""How terms of further kinds are rebuilt from new arguments and another shape."""
NUMBERS = frozenset(["const", "iv", "lin"])
"""Terms of which `FOLDED` may know more."""
FOLDED: dict[str, Callable[[Term, list[Term]], Term | None]] = {}
"""Constant folds by operation name (`semantics_scalars`)."""


def undef(shape: Shape | None, key: object = None) -> Term:
    """Uninitialized contents."""
    return make("undef", key, (), shape=shape, undefined=True)


def hole(shape: Shape | None) -> Term:
    """Contents of the target that are not compared."""
    return make("hole", None, (), shape=shape)


def ranked(x: Term, shape: Shape) -> Term:
    """Contents of unknown rank under a known shape."""
    return make("ranked", None, (x,), shape=shape)


def unranked(x: Term) -> Term:
    """Contents under an unranked type. Facts about their shape are kept."""
    return x.args[0] if x.op == "ranked" else x


def fill(value: Term, shape: Shape | None) -> Term:
    if shape == () and value.op == "item":
        return value.args[0]
    return make("fill", None, (value,), shape=shape)


def full_box(shape: Sequence[Term]) -> Box:
    return (ZERO,) * len(shape), tuple(shape), (ONE,) * len(shape)


def point(indices: Sequence[Term]) -> Box:
    """The box of a single element."""
    return tuple(indices), (ONE,) * len(indices), (ONE,) * len(indices)


def _box(term: Term, skip: int) -> Box:
    rank = term.attr
    args = term.args
    return args[skip : skip + rank], args[skip + rank : skip + 2 * rank], args[skip + 2 * rank :]


def box_of(term: Term) -> Box:
    """The box of an `ext` or `ins`."""
    return _box(term, 1 if term.op == "ext" else 2)


def ext(
    x: Term, box: Box, choices: int = MAX_CHOICES, nonnegative: ranges.Nonnegative = ranges.nonnegative
) -> Term:
    """The slice of `x` at a box. O(rank * writes looked through), doubled for each choice looked through."""
    assert x.shape is not None
    if x.op == "ext":
        box, x = ranges.composed(_box(x, 1), box), x.args[0]
    current = x
    inner: list[tuple[Term, Box]] = []
    for _ in range(MAX_CHAIN):
        if ranges.whole(box, current.shape or ()):
            return _put_back(current, inner)
        op = current.op
        if op == "fill":
            return _put_back(fill(current.args[0], box[1]), inner)
        if op == "undef":
            return _put_back(make("undef", current.attr, (), shape=box[1], undefined=True), inner)
        if op == "hole":
            return _put_back(hole(box[1]), inner)
        if op == "sel":
            condition, yes, no = current.args
            if choices and (yes.op in _KNOWN or no.op in _KNOWN):
                parts = [ext(part, box, choices - 1, nonnegative) for part in (yes, no)]
                return _put_back(choose(condition, *parts), inner)
            break
        if op == "reshape" and current.args[0].op == "ins":
            part = _below(current.args[0].shape or (), current.shape or (), box)
            if part is not None:
                return _put_back(reshape(ext(current.args[0], part, choices, nonnegative), box[1]), inner)
        if op == "ext":
            box, current = ranges.composed(_box(current, 1), box), current.args[0]
            continue
        if op in CUT and not current.undefined:
            cut = CUT[op](current, box)
            return _put_back(_raw_ext(current, box) if cut is None else cut, inner)
        if op != "ins":
            break
        base, value = current.args[0], current.args[1]
        there = _box(current, 2)
        if there == box:
            return _put_back(value, inner)
        if ranges.disjoint(there, box, nonnegative):
            current = base
            continue
        if ranges.inside(box, there, nonnegative):
            part = ranges.relative(box, there)
            if part is not None:
                return _put_back(ext(value, part, choices, nonnegative), inner)
            break
        if ranges.inside(there, box, nonnegative):
            part = ranges.relative(there, box)
            if part is not None:
                inner.append((value, part))
                current = base
                continue
        both = ranges.common(there, box)
        here, part = (both and ranges.relative(both, there)), (both and ranges.relative(both, box))
        if here is not None and part is not None:
            inner.append((ext(value, here, choices, nonnegative), part))
            current = base
            continue
        break
    return _put_back(_raw_ext(current, box), inner)


def alike(inner: Shape, outer: Shape) -> list[int | None] | None:
    """For each dimension of one shape the equal dimension of another, None for unit dimensions; None if the shapes
    differ in more than unit dimensions."""
    kept = [i for i, size in enumerate(outer) if size is not ONE]
    sizes = [size for size in inner if size is not ONE]
    if len(kept) != len(sizes) or any(outer[i] is not size for i, size in zip(kept, sizes, strict=True)):
        return None
    following = iter(kept)
    return [None if size is ONE else next(following) for size in inner]


def _below(shape: Shape, outer: Shape, box: Box) -> Box | None:
    """A box of reshaped contents as a box of the contents, if the shapes differ in unit dimensions only; else None."""
    kept = alike(shape, outer)
    if kept is None or any(
        size is ONE and count is not ONE for size, count in zip(outer, box[1], strict=True)
    ):
        return None
    offsets, sizes, strides = (
        tuple(other if k is None else column[k] for k in kept)
        for column, other in zip(box, (ZERO, ONE, ONE), strict=True)
    )
    return offsets, sizes, strides


def _raw_ext(x: Term, box: Box) -> Term:
    return make("ext", len(box[0]), (x, *box[0], *box[1], *box[2]), shape=box[1])


def _put_back(x: Term, inner: list[tuple[Term, Box]]) -> Term:
    for value, box in reversed(inner):
        x = ins(x, value, box)
    return x


def ins(x: Term, value: Term, box: Box) -> Term:
    """`x` with `value` inserted at a box. O(rank * writes looked through)."""
    assert x.shape is not None
    if ranges.whole(box, x.shape):
        return value
    if value.op == "ext" and value.args[0] is x and _box(value, 1) == box:
        return x
    if x.op in CUT and value.op in CUT and ext(x, box) is value:
        return x
    if value.op == "ins" and all(stride is ONE for stride in box[2]):
        chain: list[tuple[Term, Box]] = []
        inner = value
        while inner.op == "ins" and len(chain) < MAX_CHAIN:
            chain.append((inner.args[1], _box(inner, 2)))
            inner = inner.args[0]
        if inner.op == "ext" and inner.args[0] is x and _box(inner, 1) == box:
            for part, there in reversed(chain):
                x = ins(x, part, ranges.composed(box, there))
            return x
    while x.op == "ins" and (_box(x, 2) == box or ranges.inside(_box(x, 2), box)):
        x = x.args[0]
    if x.op == "ins" and value.op != "hole":
        x = _overwritten(x, box)
    if x.op == "undef" and value.op == "undef" and x.attr == value.attr:
        return x
    if x.op == "fill" and value.op == "fill" and x.args[0] is value.args[0]:
        return x
    return make("ins", len(box[0]), (x, value, *box[0], *box[1], *box[2]), shape=x.shape)


def _overwritten(x: Term, box: Box) -> Term:
    """`x` before an insertion at a box: its base becomes `blank` if the insertions together overwrite all of it."""
    chain: list[Term] = []
    base = x
    while base.op == "ins" and len(chain) < MAX_CHAIN:
        if base.args[1].op == "hole":
            return x
        chain.append(base)
        base = base.args[0]
    if base.op == "blank" or not ranges.cover([box, *(_box(link, 2) for link in chain)], x.shape or ()):
        return x
    base = make("blank", None, (), shape=x.shape)
    for link in reversed(chain):
        base = make("ins", link.attr, (base, *link.args[1:]), shape=x.shape)
    return base


def reshape(x: Term, shape: Shape) -> Term:
    """The same elements in row-major order."""
    if x.op == "reshape":
        x = x.args[0]
    if x.shape == shape:
        return x
    if x.op == "fill":
        return fill(x.args[0], shape)
    if x.op == "undef":
        return make("undef", x.attr, (), shape=shape, undefined=True)
    if x.op == "hole":
        return hole(shape)
    if x.op == "sel":
        return choose(x.args[0], reshape(x.args[1], shape), reshape(x.args[2], shape))
    if x.op in RESHAPED and not x.undefined and (found := RESHAPED[x.op](x, shape)) is not None:
        return found
    return make("reshape", None, (x,), shape=shape)


def transposed(x: Term, order: tuple[int, ...]) -> Term:
    """Dimension i of the result is dimension `order[i]` of `x`."""
    if all(i == p for i, p in enumerate(order)):
        return x
    if x.op == "transpose":
        return transposed(x.args[0], tuple(x.attr[p] for p in order))
    shape = tuple((x.shape or ())[p] for p in order)
    return fill(x.args[0], shape) if x.op == "fill" else make("transpose", order, (x,), shape=shape)


def item(x: Term, type: t.Type) -> Term:
    """The one element of contents of rank 0."""
    if x.op == "fill":
        return x.args[0]
    if x.op == "sel":
        return choose(x.args[0], item(x.args[1], type), item(x.args[2], type))
    if x.op == "undef":
        return make("undef", x.attr, (), type=type, undefined=True)
    return make("item", None, (x,), type=type)


def element(x: Term, indices: Sequence[Term], type: t.Type) -> Term:
    """The element of `x` at an index."""
    return item(x, type) if not indices else item(reshape(ext(x, point(indices)), ()), type)


def with_element(x: Term, value: Term, indices: Sequence[Term]) -> Term:
    """`x` with another element at an index."""
    return fill(value, ()) if not indices else ins(x, fill(value, (ONE,) * len(indices)), point(indices))


MAX_ASSUMED = 4
"""The depth in contents to which decided choices are searched."""


def assumed(term: Term, condition: Term, holds: bool, depth: int = MAX_ASSUMED) -> Term:
    """Contents under a known condition: decided choices in inserted values and their targets are simplified, up to
    `depth`.

    Values computed in two branches are joined; if each is simplified under its condition, consecutive branches on
    one condition need not be searched again.
    """
    term = under(term, condition, holds)
    if not depth or term.op not in ("ins", "ext", "fill", "item", "reshape"):
        return term
    count = 2 if term.op == "ins" else 1
    parts = [assumed(part, condition, holds, depth - 1) for part in term.args[:count]]
    if all(new is old for new, old in zip(parts, term.args, strict=False)):
        return term
    return rebuild(term, [*parts, *term.args[count:]], term.shape)


def joined(condition: Term, yes: Term, no: Term) -> Term:
    """The contents after two branches on a condition."""
    if yes is no:
        return yes
    return choose(condition, assumed(yes, condition, True), assumed(no, condition, False))


def rebuild(term: Term, args: list[Term], shape: Shape | None) -> Term:
    """A term like `term` with other arguments, in normal form."""
    op = term.op
    if op == "ext":
        rank = term.attr
        return ext(
            args[0],
            (tuple(args[1 : 1 + rank]), tuple(args[1 + rank : 1 + 2 * rank]), tuple(args[1 + 2 * rank :])),
        )
    if op == "ins":
        rank = term.attr
        return ins(
            args[0],
            args[1],
            (tuple(args[2 : 2 + rank]), tuple(args[2 + rank : 2 + 2 * rank]), tuple(args[2 + 2 * rank :])),
        )
    if op == "lin":
        assert term.type is not None
        constant, sums = term.attr[0], {}
        for coefficient, arg in zip(term.attr[1:], args, strict=True):
            c, parts = monomials(arg)
            constant += coefficient * c
            for part, n in parts.items():
                sums[part] = sums.get(part, 0) + coefficient * n
        return linear(constant, sums, term.type)
    if op == "sel":
        return choose(*args)
    if op == "item":
        assert term.type is not None
        return item(args[0], term.type)
    if op == "reshape":
        assert shape is not None
        return reshape(args[0], shape)
    if op == "fill":
        return fill(args[0], shape)
    if op == "transpose":
        return transposed(args[0], term.attr)
    if op == "prod":
        product = args[0]
        for factor in args[1:]:
            product = mul(product, factor)
        return product
    if op in REBUILT:
        return REBUILT[op](term, args, shape)
    if op in ("min", "max"):
        return extreme(op, args)
    if op == "not":
        return negate(args[0])
    if op == "and":
        return both(*args)
    folds = op == "op" and term.attr[0] in FOLDED and args and all(arg.op in NUMBERS for arg in args)
    if folds and (known := FOLDED[term.attr[0]](term, args)) is not None:
        return known
    if op == "op" and term.attr[-1] == "commutes":
        args = in_order(args)
    return make(op, term.attr, args, type=term.type, shape=shape, undefined=term.undefined)
