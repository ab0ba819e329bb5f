"""Symbolic semantics of tensors: extraction, insertion, and operations composed of them.

The equations are shared with the interpreter (`semantics.tensors`); tests check both against numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..dialects import linalg, tensor
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, dropped_dims
from ..ir.program.core import Block, Region
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..semantics import tensors as equations
from . import contents as c, elementwise, ranges
from .machine import ON_ELEMENTS, Executor, Steps, attributes_of, semantics
from .ownership import check_leaks
from .ranges import Box, canonical
from .state import KNOWN_TERMS, MemoryState, Opaque, Pointer
from .terms import FALSE, ONE, TRUE, ZERO, Shape, Term, add, make, number, total

if TYPE_CHECKING:
    from ..dialects import memref
    from ..ir.program.core import Operation, Value
    from ..ir.program.interfaces import Extent, Size, SizedResultOp


def static_shape(type: t.Type, dynamic: Sequence[Term]) -> Shape | None:
    """The sizes of a type, with terms for the dynamic ones."""
    sizes = expect(t.ShapedType, type).shape
    if sizes is None:
        return None
    following = iter(dynamic)
    return tuple(number(size) if size is not None else next(following) for size in sizes)


def reduced(op: OffsetSizeAndStrideOp, shape: Sequence[Term], type: t.Type) -> Shape:
    """The sizes of a slice without its dropped unit dimensions."""
    left_out = dropped(op, type)
    return tuple(size for i, size in enumerate(shape) if i not in left_out)


def dropped(op: OffsetSizeAndStrideOp, type: t.Type) -> frozenset[int]:
    """The unit dimensions of a slice that its result type drops."""
    sizes = op.mixed_sizes()
    short = expect(t.ShapedType, type).sizes
    return dropped_dims(sizes, short) if len(short) < len(sizes) else frozenset()


def box_of(m: Executor, op: OffsetSizeAndStrideOp) -> Box:
    """The box of an operation with offsets, sizes and strides."""
    return m.scalars(op.mixed_offsets()), m.scalars(op.mixed_sizes()), m.scalars(op.mixed_strides())


def claim_inside(m: Executor, box: Box, shape: Shape | None, state: MemoryState, what: str) -> None:
    """An access is in bounds, and has no constant stride of 0: assumed of the source, an obligation of the target."""
    repeats = [
        size
        for size, stride in zip(box[1], box[2], strict=True)
        if stride is ZERO and size not in (ZERO, ONE)
    ]
    if repeats:
        m.only_as_before(("stride of 0", *repeats), state.path, f"{what} has no stride of 0", "bounds")
    if shape is None:
        return
    if not m.transformed:
        m.facts.say_inside(box, shape, state.path)
    else:
        m.ask_legal(m.facts.outside(box, shape, state.path), state.path, f"{what} is in bounds", "bounds")


def claim_same_shape(
    m: Executor, left: Shape | None, right: Shape | None, state: MemoryState, what: str
) -> None:
    """Two shapes agree."""
    if left is None or right is None or left is right:
        return
    if not m.transformed:
        for x, y in zip(left, right, strict=False):
            m.facts.say_equal(x, y, state.path)
    if not m.transformed or not m.facts.same_shape(left, right, state.path):
        m.only_as_before(("sizes", left, right), state.path, f"{what} have the same sizes", "sizes")


def claim_size(m: Executor, size: Term, state: MemoryState) -> None:
    """The target allocates no negative size on the stack. On the heap it may: passes move allocations out of loops that may not
    run, and such a buffer has no elements."""
    if not ranges.nonnegative(size, m.facts.sizes_on(state.path)):
        m.only_as_before(("size", size), state.path, "no allocation has a negative size", "bounds")


@semantics("tensor.dim", "memref.dim")
def dim(m: Executor, op: tensor.DimOp | memref.DimOp, state: MemoryState) -> None:
    source, index = op.operands
    place = m.get(index)
    shape = expect(t.ShapedType, source.type).shape
    if place.op == "const" and shape is not None and 0 <= place.attr < len(shape):
        m.set(op.results[0], m.dimension(source, place.attr))
        return
    held = m.get(source)
    known = held.shape if shape is None else shape
    if known is not None:
        claim_inside(m, c.point((place,)), (number(len(known)),), state, "the requested dimension")
    shape = held.shape
    said = reshaped_sizes(held)
    if said is not None:
        claim_inside(m, c.point((place,)), said.shape, state, "the requested size")
        m.set(op.results[0], size_in(said, place), op)
        return
    if shape is None:
        shape = (m.content_of(source, state) if isinstance(held, Term) else unranked_key(m, held),)
        m.only_as_before(("dim", place, *shape), state.path, "the requested dimension exists", "bounds")
    m.set(op.results[0], make("size", "at", (place, *shape), type=t.INDEX))


def unranked_key(m: Executor, reference: object) -> Term:
    from .state import Pointer

    if isinstance(reference, Pointer) and not reference.steps:
        return reference.base.initial
    m.give_up("the sizes of a view of unknown rank")
    raise AssertionError


@semantics("tensor.rank", "memref.rank")
def rank(m: Executor, op: tensor.RankOp | memref.RankOp, state: MemoryState) -> None:
    sizes = expect(t.ShapedType, op.operands[0].type).shape
    if sizes is not None:
        m.set(op.results[0], number(len(sizes)))
        return
    held = m.get(op.operands[0])
    key = held if isinstance(held, Term) else unranked_key(m, held)
    m.set(op.results[0], make("rank", None, (key,), type=t.INDEX))


@semantics("tensor.cast")
def cast(m: Executor, op: tensor.CastOp, state: MemoryState) -> None:
    """A cast asserts sizes; the contents are unchanged."""
    x = m.get(op.operands[0])
    m.set(op.results[0], recast(m, x, expect(t.ShapedType, op.results[0].type), state))


def recast(m: Executor, x: Term, type: t.ShapedType, state: MemoryState) -> Term:
    """Contents under a type with other static sizes."""
    if x.shape is None or type.shape is None:
        claim_ranked(m, x, type, state)
        return ranked(x, type)
    said = [(size, known) for size, known in zip(x.shape, type.shape, strict=False) if known is not None]
    sizes = tuple(size for size, _ in said), tuple(number(known) for _, known in said)
    claim_same_shape(m, *sizes, state, "the types before and after a cast")
    return x


def claim_ranked(m: Executor, x: Term, type: t.ShapedType, state: MemoryState) -> None:
    """A value of unranked type has the rank and sizes that a cast asserts."""
    if type.shape is None:
        return
    key = ("rank", x, len(type.shape))
    said = [(make("size", "at", (number(i), x), type=t.INDEX), size) for i, size in enumerate(type.shape)]
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    else:
        m.ask(m.facts.is_legal(key, state.path), f"the rank is {len(said)}, as the cast claims", "cast")
    for size, known in said:
        if known is not None:
            claim_same_shape(m, (size,), (number(known),), state, "the types before and after a cast")


def ranked(x: Term, type: t.ShapedType) -> Term:
    """Contents of unknown rank under a ranked type, or the reverse."""
    if type.shape is None:
        return c.unranked(x)
    sizes = tuple(
        number(size) if size is not None else make("size", "at", (number(i), x), type=t.INDEX)
        for i, size in enumerate(type.shape)
    )
    return c.ranked(x, sizes)


@semantics("tensor.bitcast")
def bitcast(m: Executor, op: tensor.BitcastOp, state: MemoryState) -> None:
    x = m.get(op.operands[0])
    m.set(
        op.results[0], make("bits", expect(t.ShapedType, op.results[0].type).element, (x,), shape=x.shape), op
    )


@semantics("tensor.extract")
def extract(m: Executor, op: tensor.ExtractOp, state: MemoryState) -> None:
    x, place = m.get(op.operands[0]), m.scalars(op.operands[1:])
    if x.shape is None:
        m.give_up("an element of a tensor of unknown rank")
    claim_inside(m, c.point(place), x.shape, state, "the element read")
    m.set(op.results[0], c.element(x, place, op.results[0].type), op)


@semantics("tensor.insert")
def insert(m: Executor, op: tensor.InsertOp, state: MemoryState) -> None:
    value, x, place = m.get(op.operands[0]), m.get(op.operands[1]), m.scalars(op.operands[2:])
    claim_inside(m, c.point(place), x.shape, state, "the element written")
    m.set(op.results[0], c.with_element(x, value, place), op)


class TensorTerms:
    """The domain of terms; `known` overrides the terms of some values, such as shared outputs."""

    def __init__(
        self, m: Executor, state: MemoryState, known: Mapping[Value, Term] = MappingProxyType({})
    ) -> None:
        self.m, self.state, self.known = m, state, known

    def of(self, value: Value) -> Term:
        return self.known[value] if value in self.known else self.m.get(value)

    def numbers(self, entries: Sequence[Mixed]) -> Shape:
        return self.m.scalars(entries)

    def plus(self, x: Term, y: Term) -> Term:
        return add(x, y)

    def sizes(self, value: Value) -> Shape:
        return self.of(value).shape or ()

    def sizes_of_result(self, op: SizedResultOp) -> Shape:
        return sizes_of_result(self.m, op, self.sizes, self.state)

    def undefined(self, sizes: Sequence[Term]) -> Term:
        self._exists(sizes)
        return self.m.undefined(tuple(sizes))

    def filled(self, scalar: Term, sizes: Sequence[Term]) -> Term:
        self._exists(sizes)
        return c.fill(scalar, tuple(sizes))

    def _exists(self, sizes: Sequence[Term]) -> None:
        if not self.m.transformed:
            self.m.facts.say_sizes(tuple(sizes), self.state.path)

    def assembled(self, scalars: Sequence[Term], sizes: Sequence[Term]) -> Term:
        if scalars and all(scalar is scalars[0] for scalar in scalars):
            return c.fill(scalars[0], tuple(sizes))
        x = self.m.undefined(tuple(sizes))
        for place, scalar in zip(product(*(range(size.attr) for size in sizes)), scalars, strict=True):
            x = c.with_element(x, scalar, list(map(number, place)))
        return x

    def generated(self, body: Region, sizes: Sequence[Term]) -> Steps:
        self._exists(sizes)
        return generated(self.m, body, tuple(sizes), self.state)

    def reshaped(self, whole: Term, sizes: Sequence[Term]) -> Term:
        return c.reshape(whole, tuple(sizes))

    def box(self, offsets: Sequence[Term], sizes: Sequence[Term]) -> tuple[Box, Shape]:
        return (tuple(offsets), tuple(sizes), (ONE,) * len(sizes)), tuple(sizes)

    def box_of(self, op: OffsetSizeAndStrideOp, small: Value) -> tuple[Box, Shape]:
        box = canonical(box_of(self.m, op))
        return box, reduced(op, box[1], small.type)

    def part(self, whole: Term, box: tuple[Box, Shape]) -> Term:
        claim_inside(self.m, box[0], whole.shape, self.state, "the slice")
        self._exists(box[1])
        return c.reshape(c.ext(whole, box[0]), box[1])

    def with_part(self, whole: Term, box: tuple[Box, Shape], part: Term) -> Term:
        claim_inside(self.m, box[0], whole.shape, self.state, "the slice")
        claim_same_shape(self.m, box[1], part.shape, self.state, "the slice and the inserted tensor")
        self._exists(box[1])
        sizes = box[0][1]
        return c.ins(whole, c.reshape(part, sizes) if len(sizes) != len(part.shape or ()) else part, box[0])


@semantics(*(name for name in equations.EQUATIONS if name != tensor.ParallelInsertSliceOp.name))
def by_equation(m: Executor, op: Operation, state: MemoryState) -> None:
    m.set(op.results[0], equations.EQUATIONS[op.name](op, TensorTerms(m, state)), op)


@semantics(*equations.EQUATIONS_OF_BODIES)
def by_equation_of_body(m: Executor, op: Operation, state: MemoryState) -> Steps:
    contents = yield from equations.EQUATIONS_OF_BODIES[op.name](op, TensorTerms(m, state))
    m.set(op.results[0], contents, op)


def sizes_of_result(
    m: Executor, op: SizedResultOp, sizes: Callable[[Value], Shape], state: MemoryState
) -> Shape:
    """The result sizes that an operation declares; constants where its type is static."""

    def known(size: Extent) -> Term:
        return sizes(size[0])[size[1]] if isinstance(size, tuple) else m.scalar(size)

    def term(size: Size) -> Term:
        return KNOWN_TERMS.size(size, known)

    for left, right in op.equal_sizes():
        what = "a dimension before and after"
        claim_same_shape(m, (term(left),), (term(right),), state, what)
    result = op.results[0]
    said = expect(t.ShapedType, result.type).sizes
    computed = tuple(term(op.size_of(result, i)) for i in range(len(said)))
    shape = tuple(x if s is None else number(s) for x, s in zip(computed, said, strict=True))
    claim_same_shape(m, computed, shape, state, "the result and its type")
    return shape


@semantics("tensor.reshape")
def reshape(m: Executor, op: tensor.ReshapeOp, state: MemoryState) -> None:
    x = m.get(op.operands[0])
    type = expect(t.ShapedType, op.results[0].type)
    if x.shape is None or type.shape is None:
        args = x, sizes_list(m.get(op.operands[1]), expect(t.ShapedType, op.operands[1].type).element)
        shape = None if type.shape is None else listed_sizes(m, op, x.shape, state)
        claim_reshapes(m, (x,) if x.shape is None else x.shape, args[1], state)
        m.set(op.results[0], make("reshaped", type.shape, args, shape=shape), op)
        return
    m.set(op.results[0], c.reshape(x, listed_sizes(m, op, x.shape, state)), op)


def listed_sizes(m: Executor, op: Operation, before: Shape | None, state: MemoryState) -> Shape:
    """The result sizes of a reshape, read from its shape operand."""
    list_, type = op.operands[1], expect(t.ShapedType, op.results[0].type)
    said = sizes_list(m.content_of(list_, state), expect(t.ShapedType, list_.type).element)
    listed = tuple(size_in(said, number(i)) for i in range(len(type.sizes)))
    shape = tuple(
        size if known is None else number(known) for size, known in zip(listed, type.sizes, strict=True)
    )
    claim_same_shape(m, listed, shape, state, "the listed sizes and the type of a reshape")
    if before is not None:
        what = "the shapes before and after a reshape"
        claim_same_shape(m, (total(before),), (total(shape),), state, what)
    return shape


def claim_reshapes(m: Executor, before: tuple[Term, ...], sizes: Term, state: MemoryState) -> None:
    """Where a rank is not known, the listed sizes fit only if the original has the same reshape."""
    text = "the shapes before and after a reshape have the same sizes"
    m.only_as_before(("reshape", sizes, *before), state.path, text, "sizes")


def sizes_list(contents: Term, element: t.Type) -> Term:
    return make("sizes", element, (contents,), shape=contents.shape)


def size_in(sizes: Term, place: Term) -> Term:
    """One size read from a shape operand."""
    element = sizes.attr
    size = c.element(sizes.args[0], [place], element)
    return size if element is t.INDEX else make("op", ("arith.index_cast", (), 0), (size,), type=t.INDEX)


def reshaped_sizes(held: object) -> Term | None:
    """The term of a shape operand that lists the sizes of a reshaped value, as `sizes<element type>(contents)`."""
    if isinstance(held, Term):
        return held.args[1] if held.op == "reshaped" and len(held.args) > 1 else None
    last = held.steps[-1] if isinstance(held, Pointer) and held.steps else None
    is_reshape = isinstance(last, Opaque) and isinstance(last.key, tuple) and last.key[0] == "reshape"
    return last.args[0] if isinstance(last, Opaque) and is_reshape else None


# -- operations defined elementwise


def runs(level: int, extents: Sequence[Term]) -> Term:
    """That a body runs at a point of a grid: its accesses are legal at each point, and unconstrained if the grid
    is empty. Trailing unit dimensions have no effect."""
    rank = len(extents)
    while rank and extents[rank - 1] is ONE:
        rank -= 1
    return make("runs", level, extents[:rank], type=t.I1)


def generated(m: Executor, body: Region, shape: Shape, state: MemoryState) -> Steps:
    """Contents whose elements a body computes from their indices."""
    level = state.level + 1
    places = [make("place", (level, i), type=t.INDEX, level=level) for i in range(len(shape))]
    inner = MemoryState(state, [(runs(level, shape), True)])
    inner.level = level
    last = yield m.region(body, places, inner)
    value = m.get(last.operands[0])
    claim_keeps_to_itself(m, inner)
    if inner.trace is not state.trace:
        m.give_up("a body with effects")
    return of_places(value, shape, level)


def claim_keeps_to_itself(m: Executor, inner: MemoryState) -> None:
    """A body that runs at each point of a grid neither changes nor frees memory around it, and frees what it allocates."""
    if any(base.level < inner.level for base in (*inner.contents, *inner.alive)):
        m.give_up("a body that writes")
    check_leaks(m, inner, inner.level, lambda base: FALSE)


def of_places(value: Term, shape: Shape, level: int) -> Term:
    """Contents whose elements are a function of their indices."""
    if value.level < level:
        return c.fill(value, shape)
    if (plain := elementwise.of_places(value, shape, level)) is not None:
        return plain
    term = make("generate", level, (value,), shape=shape)
    term.level = min(term.level, max([level - 1, *(size.level for size in shape)]))
    return term


@semantics(ON_ELEMENTS)
def on_elements(m: Executor, op: Operation, state: MemoryState) -> Steps:
    """The operation on scalars, at each index: as `linalg.generic` with that body, so that the two are the same term."""
    held = [m.get(value) for value in op.operands]
    shapes: list[Shape] = [value.shape for value in held]
    for shape in shapes[1:]:
        claim_same_shape(m, shapes[0], shape, state, "the operands")
    level, mark = state.level + 1, m.mark()
    inner = MemoryState(state, [(runs(level, shapes[0]), True)])
    inner.level = level
    body = Block()
    for i, (value, whole) in enumerate(zip(op.operands, held, strict=True)):
        arg = body.add_argument(expect(t.ShapedType, value.type).element)
        is_fill = whole.op == "fill"
        m.env[arg] = whole.args[0] if is_fill else make("element", (level, i), type=arg.type, level=level)
    elements = [expect(t.ShapedType, type).element for type in op.result_types]
    scalar = type(op)(body.args, elements, op.attributes, op.properties, where=op.where)
    body.append(scalar)
    body.append(linalg.YieldOp(scalar.results))  # what is not used promises nothing
    yield m.block(body, inner)

    converted = elementwise.at_indices(held, level)
    if m.is_said_since(mark):
        m.compare_iterations(mark, level, lambda term: converted(term) or term, TRUE)
    for i, (result, element) in enumerate(zip(op.results, scalar.results, strict=True)):
        found = converted(m.get(element))
        if found is not None:
            m.set(result, elementwise.map_(found, shapes[0]), op)
        else:  # of contents that are undefined
            key = op.name, attributes_of(op), i, element.type
            m.set(result, make("each", key, held, shape=shapes[0]), op)


@semantics("tensor.gather", "tensor.scatter")
def opaque(m: Executor, op: tensor.GatherOp | tensor.ScatterOp, state: MemoryState) -> None:
    args = [m.get(value) for value in op.operands]
    type = expect(t.ShapedType, op.results[0].type)
    if any(size is None for size in type.shape or (None,)):
        m.give_up("sizes that are unknown")
    text = f"the places of '{op.name}' are in bounds"
    m.only_as_before((op.name, attributes_of(op), *args), state.path, text, "bounds")
    m.set(op.results[0], make("each", (op.name, attributes_of(op)), args, shape=static_shape(type, ())), op)


def structure_of(region: Region, captured: list[Value]) -> Any:
    """The structure of a region without branches: operations, types, attributes, and the numbering of operands."""
    names: dict[Value, Any] = {}
    found: list[Any] = []
    for block in region:
        for arg in block.args:
            names[arg] = len(names)
    pending = [(op, 0) for block in region for op in block][::-1]
    while pending:
        op, depth = pending.pop()
        for value in op.operands:
            if value not in names:
                names[value] = ("captured", len(captured))
                captured.append(value)
        operands = tuple(names[value] for value in op.operands)
        for result in op.results:
            names[result] = len(names)
        types = tuple(str(result.type) for result in op.results)
        found.append(
            (
                depth,
                op.name,
                tuple(sorted((*op.properties.items(), *op.attributes.items()), key=lambda pair: pair[0])),
                operands,
                types,
                len(op.regions),
            )
        )
        for inner in op.regions:
            for block in inner:
                for arg in block.args:
                    names[arg] = len(names)
                found.append((depth, "block", tuple(str(arg.type) for arg in block.args)))
                pending += [(nested, depth + 1) for nested in reversed(list(block))]
    return tuple(tuple(str(arg.type) for arg in block.args) for block in region), tuple(found)
