"""Symbolic memory state: allocations, references into them, their contents, symbols; and the initial state of both programs.

* A `Base` is one allocation: it has a term for its contents, and one for whether it is live.
* A `Pointer` is a base and the views that lead to a part of it; a `Choice` is one of two references, by a condition.
* A `MemoryState` maps bases to contents and lifetimes, and has the `trace` of externally visible events in order.
  States of branches and loop bodies are layers over the state at entry, so entering one is O(1).

A read extracts a part of the base's contents along the views; a write inserts it along them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeAlias

from ..dialects._described import DescribedAllocationOp
from ..dialects._reshapes import Numbers
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.symbols import calling_unknown
from ..ir.source.metadata import Section, blob_bytes
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineBinary, AffineDim
from ..ir.types.attributes import Attribute, StringAttr
from ..ir.types.elements import DenseResourceAttr
from . import contents as c
from .ranges import Box, composed
from .terms import FALSE, ONE, TRUE, ZERO, Shape, Term, add, both, choose, make, mul, negate, number

ALLOC, STACK, GLOBAL, ARGUMENT, CARRIED, GIVEN = "alloc", "stack", "global", "argument", "carried", "given"
UNKNOWN = "unknown"
"""The first part of the name of a base returned by an unknown operation; the second part is the same in both programs."""
REGION = "region"
"""The origin of a base: a heap or stack allocation, a global, a function argument, a loop-carried buffer, a result of a call or
unknown operation, a range of bytes of another base (`regions`)."""

APPEARING = frozenset([ALLOC, STACK, GIVEN])
"""Bases that do not exist before the operation that creates them."""


class Base:
    """An abstract memory location: one allocation.

    Attributes:
        kind: its origin.
        name: a name that is the same in both programs (an argument's number, a global's name), or None.
        initial: its initial contents.
        readonly: why it must not be written, or None.
        is_lent: whether it is the result of a declared function that keeps it.
        overlaps: other bases that may alias it.
        owned: whether this function must free it.
        level: the nesting level of the loop in which it is allocated.
        bytes: whether it is an untyped sequence of bytes.
        home: the allocation that it is a region of; itself if it is not a region.
        key: for a region, its identity within its home, used in terms.
        start: for a region, its first byte within its home.
        folds: whether the layout of its type may map two elements to one address.
        reuses: the numbers of bases whose address it may have, as they may have been freed.
        copies: bases that are copies of it or alias it, as `bufferization.clone` allows either.
        which: for a loop-carried buffer, which buffer of those before the loop it is; see `ownership.identity`.
    """

    __slots__ = (
        "bytes", "copies", "folds", "home", "id", "initial", "is_lent", "key", "kind", "level", "name", "op", "overlaps", "owned", "readonly", "reuses", "shape", "start", "which",
    )  # fmt: skip

    count = 0

    def __init__(
        self,
        kind: str,
        initial: Term,
        op: Operation | None = None,
        name: tuple[str, Any] | None = None,
        readonly: str | None = None,
        owned: bool = False,
        level: int = 0,
    ):
        Base.count += 1
        self.id = Base.count
        self.kind = kind
        self.initial = initial
        self.shape = initial.shape
        self.op = op
        self.name = name
        self.readonly = readonly
        self.is_lent = False
        self.overlaps: set[Base] = set()
        self.owned = owned
        self.level = level
        self.bytes = False
        self.home: Base = self
        self.key: object = None
        self.start: Term = ZERO
        self.folds = False
        self.copies: set[Base] = set()
        self.reuses: frozenset[int] = frozenset()
        self.which: Term | None = None

    def is_copy_of(self, others: Iterable[Base]) -> None:
        """Record that this is a copy or an alias of these bases, and of those that they are copies of."""
        for one in {member for other in others for member in (other, *other.copies)} - {self}:
            one.copies.add(self)
            self.copies.add(one)

    @property
    def allocator(self) -> tuple[object, ...] | None:
        """The allocator, if it is not the usual one: other allocators may yield memory that is accessed or freed in another way."""
        op = self.op
        if self.kind != ALLOC or op is None or op.dialect in ("memref", "bufferization"):
            return None
        # A described clone is of one kind with what it clones: both are cloned by the same operation.
        clone = op.cloned_by if isinstance(op, DescribedAllocationOp) else ""
        return clone or op.name, *((k, v) for k, v in sorted(op.properties.items()) if k != "alignment")

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name if self.name is not None else self.id}>"


@dataclass(frozen=True, slots=True)
class BoxView:
    """A view of a box."""

    box: Box


@dataclass(frozen=True, slots=True)
class Reshape:
    """The same elements in another shape."""

    before: Shape
    after: Shape


@dataclass(frozen=True, slots=True)
class Transpose:
    """Dimension i is dimension `order[i]` of what is viewed."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """An uninterpreted view, equal to others of the same kind with the same operands."""

    key: object
    args: tuple[Term, ...]
    before: Shape | None
    after: Shape | None


@dataclass(frozen=True, slots=True)
class BaseBuffer:
    """The base of a reference as a memref of rank 0, for freeing it and for its address."""

    shape: Shape | None
    strides: tuple[Term | None, ...] | None
    offset: Term | None


RANKED = "ranked"
"""The cast of an unranked memref to a ranked one."""

Step: TypeAlias = "BoxView | Reshape | Transpose | Opaque | BaseBuffer"


def mapped_step(step: Step, change: Callable[[Term], Term]) -> Step:
    """A view with each of its numbers changed."""

    def shape(sizes: Shape | None) -> Shape | None:
        return None if sizes is None else tuple(map(change, sizes))

    if isinstance(step, BoxView):
        offsets, sizes, strides = (tuple(map(change, part)) for part in step.box)
        return BoxView((offsets, sizes, strides))
    if isinstance(step, Reshape):
        return Reshape(tuple(map(change, step.before)), tuple(map(change, step.after)))
    if isinstance(step, Opaque):
        return Opaque(step.key, tuple(map(change, step.args)), shape(step.before), shape(step.after))
    return step


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference to a part of a base.

    Attributes:
        steps: the views that lead to it, outermost first.
        shape: of the part; None if its rank is unknown.
        strides, offset: in elements; None where a view hides them.
    """

    base: Base
    steps: tuple[Step, ...]
    shape: Shape | None
    strides: tuple[Term | None, ...] | None = None
    offset: Term | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two references."""

    condition: Term
    yes: Reference
    no: Reference

    @property
    def shape(self) -> Shape | None:
        if self.yes.shape is None or self.no.shape is None:
            return None
        return tuple(choose(self.condition, a, b) for a, b in zip(self.yes.shape, self.no.shape, strict=True))


Reference: TypeAlias = "Pointer | Choice"
Held: TypeAlias = "Term | Pointer | Choice"
"""The symbolic value of an SSA value: a number, the contents of a tensor, or a reference."""


def pick(condition: Term, yes: Reference, no: Reference) -> Reference:
    """One of two references; the reference itself if there is nothing to choose."""
    if condition is TRUE or yes == no:
        return yes
    if condition is FALSE:
        return no
    if condition.op == "not":
        condition, yes, no = condition.args[0], no, yes
    while isinstance(yes, Choice) and yes.condition is condition:
        yes = yes.yes
    while isinstance(no, Choice) and no.condition is condition:
        no = no.no
    return yes if yes == no else Choice(condition, yes, no)


def conjunction(path: Sequence[tuple[Term, bool]]) -> Term:
    """The conditions of a path as one."""
    condition = TRUE
    for term, holds in path:
        condition = both(condition, term if holds else negate(term))
    return condition


def alternatives(reference: Reference) -> list[tuple[list[tuple[Term, bool]], Pointer]]:
    """The pointers that a reference may be, each with its path condition. O(alternatives * depth)."""
    found: list[tuple[list[tuple[Term, bool]], Pointer]] = []
    pending: list[tuple[list[tuple[Term, bool]], Reference]] = [([], reference)]
    while pending:
        path, one = pending.pop()
        if isinstance(one, Choice):
            pending.append(([*path, (one.condition, False)], one.no))
            pending.append(([*path, (one.condition, True)], one.yes))
        else:
            found.append((path, one))
    return found


def bases_of(reference: Reference) -> set[Base]:
    return {ref.base for _, ref in alternatives(reference)}


class MemoryState:
    """The contents and lifetimes of bases at a program point, as a layer over an earlier state."""

    __slots__ = ("alive", "below", "contents", "level", "passed", "path", "trace")

    def __init__(self, below: MemoryState | None = None, assume: Sequence[tuple[Term, bool]] = ()):
        self.below = below
        self.contents: dict[Base, Term] = {}
        self.alive: dict[Base, Term] = {}
        self.trace: Term = below.trace if below else make("begin")
        self.passed: Term = below.passed if below else make("begin")
        self.level: int = below.level if below else 0
        known = below.path if below else ()
        self.path: tuple[tuple[Term, bool], ...] = (*known, *(each for each in assume if each not in known))

    def go_on(self, what: object, *others: Term) -> None:
        """Record that execution continued after an event that may not terminate: a call, an assertion, a loop.

        Legality after the event does not imply legality before it, so the path records the event by its kind and position, which
        must be the same in both programs.

        Args:
            others: the values forwarded on the joining paths.
        """
        self.passed = make("passed", what, (self.passed, *others))
        self.path = (*self.path, (self.passed, True))

    def go_on_to(self, passed: Term) -> None:
        """All was passed that was on a way that began here. O(what was)."""
        self.path = (*self.path, *passed_since(passed, self.passed))
        self.passed = passed

    def content(self, base: Base) -> Term:
        """O(layers)."""
        layer: MemoryState | None = self
        while layer is not None:
            if (found := layer.contents.get(base)) is not None:
                return found
            layer = layer.below
        return base.initial

    def life(self, base: Base) -> Term:
        """Whether a base is live, as a term. O(layers)."""
        layer: MemoryState | None = self
        base = base.home
        while layer is not None:
            if (found := layer.alive.get(base)) is not None:
                return found
            layer = layer.below
        return FALSE if base.kind in APPEARING else TRUE

    def has(self, base: Base) -> bool:
        """Whether a base exists in this layer."""
        return base in self.alive or self.known(base)

    def known(self, base: Base) -> bool:
        """Whether a base existed when this layer began."""
        layer = self.below
        while layer is not None:
            if base in layer.alive:
                return True
            layer = layer.below
        return base.kind not in APPEARING


def passed_since(passed: Term, start: Term | None = None) -> tuple[tuple[Term, bool], ...]:
    """The conditions of the path after `start`, or of the whole path."""
    found: list[tuple[Term, bool]] = []
    while passed is not start and passed.op == "passed":
        found.append((passed, True))
        passed = passed.args[0]
    return tuple(reversed(found))


def connect(one: Base, other: Base) -> None:
    """Record that two bases may alias."""
    if one is not other:
        one.overlaps.add(other)
        other.overlaps.add(one)


def may_alias(bases: Iterable[Base]) -> set[Base]:
    """What a reference to one of these bases may alias: them, and what they may alias."""
    return {near for base in bases for near in (base, *base.overlaps)}


# -- along the steps of a view


def repeats(step: object) -> bool:
    """Whether a view shows an element more than once."""
    return isinstance(step, BoxView) and any(
        d is ZERO and s is not ONE for s, d in zip(step.box[1], step.box[2], strict=True)
    )


def read_step(x: Term, step: Step) -> Term:
    if isinstance(step, BoxView):
        return c.ext(x, step.box)
    if isinstance(step, Reshape):
        return c.reshape(x, step.after)
    if isinstance(step, Transpose):
        return c.transposed(x, step.order)
    if isinstance(step, BaseBuffer):
        return make("base", None, (x,), shape=())
    if step.key == RANKED and step.after is not None:
        return c.ranked(x, step.after)
    return make("view", step.key, (x, *step.args), shape=step.after)


def write_step(x: Term, value: Term, step: Step) -> Term:
    if isinstance(step, BoxView):
        return c.ins(x, value, step.box)
    if isinstance(step, Reshape):
        return c.reshape(value, step.before)
    if isinstance(step, Transpose):
        back = [0] * len(step.order)
        for i, p in enumerate(step.order):
            back[p] = i
        return c.transposed(value, tuple(back))
    if isinstance(step, BaseBuffer):
        return make("unbase", None, (x, value), shape=x.shape)
    if step.key == RANKED:
        return c.unranked(value)
    return make("unview", step.key, (x, value, *step.args), shape=x.shape)


def read_along(x: Term, steps: Sequence[Step]) -> Term:
    """The part of the contents that a view selects."""
    for step in steps:
        x = read_step(x, step)
    return x


def write_along(x: Term, value: Term, steps: Sequence[Step]) -> Term:
    """The contents with the part that a view selects replaced."""
    seen = [x]
    for step in steps[:-1]:
        seen.append(read_step(seen[-1], step))
    for before, step in zip(reversed(seen), reversed(steps), strict=False):
        value = write_step(before, value, step)
    return value


def region(ref: Pointer, part: Box | None = None) -> Box | None:
    """A bounding box in the base of a reference, or of a box of it; None if unknown."""
    if ref.base.shape is None:
        return None
    box = c.full_box(ref.base.shape)
    for step in ref.steps:
        if not isinstance(step, BoxView):
            return box
        box = composed(box, step.box)
    return composed(box, part) if part is not None else box


def is_box(ref: Pointer, part: Box | None = None) -> bool:
    """Whether `region` is the reference, or the box of it, and not only a bound."""
    boxes = 0
    while boxes < len(ref.steps) and isinstance(ref.steps[boxes], BoxView):
        boxes += 1
    rest = ref.steps[boxes:]
    return not rest or (part is None and all(isinstance(step, (Reshape, Transpose)) for step in rest))


def _plus(x: Term | None, y: Term | None) -> Term | None:
    return None if x is None or y is None else add(x, y)


def _times(x: Term | None, y: Term | None) -> Term | None:
    if x is ZERO or y is ZERO:
        return ZERO
    return None if x is None or y is None else mul(x, y)


TERMS: Numbers[Term | None] = Numbers(_plus, _times, ONE)
"""Terms, or None where they are not known."""
KNOWN_TERMS = Numbers(add, mul, ONE)


def row_major(shape: Shape) -> tuple[Term, ...]:
    """The strides of a dense, row-major layout."""
    return tuple(KNOWN_TERMS.dense(shape))


# The symbols of a program, shared by all of its functions.

GLOBALS = ("memref.global", "ml_program.global")


class Symbols(dict[str, Operation]):
    """The symbols of a module.

    Attributes:
        globals: the names of its globals, in their order.
        returning: whether calls of functions certainly come back, of those that were asked for.
    """

    def __init__(self, module: Operation) -> None:
        super().__init__()
        for op in module.regions[0].ops() if module.regions else ():
            symbol = op.properties.get("sym_name")
            if isinstance(symbol, StringAttr):
                self[symbol.value] = op
        self.returning: dict[str, bool] = {}
        self.globals = sorted(name for name, op in self.items() if op.name in GLOBALS)

    @cached_property
    def calling_unknown(self) -> set[str]:
        """Functions without a body, and their transitive callers."""
        return calling_unknown(self)


def global_value(op: Operation) -> tuple[Attribute | None, bool]:
    """The initial value of a global, and whether it is constant."""
    value = op.properties.get("initial_value") or op.properties.get("value")
    return value, "constant" in op.properties or (
        op.name == "ml_program.global" and "is_mutable" not in op.properties
    )


def scope_of(op: Operation | None) -> Operation | None:
    """The operation whose region is the scope of a stack buffer."""
    around = op.parent_op.ancestors() if op is not None and op.parent_op is not None else ()
    return next((scope for scope in around if scope.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE)), None)


# Initial state: globals, constants, and arguments shared by both programs.


def literal(value: object, shape: Shape, resources: Section) -> Term:
    """The contents that an attribute says; those of a resource are what is in it, if the file has it."""
    if isinstance(value, DenseResourceAttr):
        try:
            data = blob_bytes(resources, value.key)
        except ValueError:
            data = None
        if data is not None:
            return make("literal", (value.type, sha256(data).digest()), shape=shape)
    one = splat(value) if isinstance(value, a.DenseElementsAttr) else None
    return make("literal", value, shape=shape) if one is None else c.fill(one, shape)


def splat(value: a.DenseElementsAttr) -> Term | None:
    """The number that all elements are; None if they differ, or are no numbers."""
    if not value.is_splat or not value.num_elements:
        return None
    element = value.type.element
    if isinstance(element, t.FloatType):
        return constant(a.FloatAttr.from_bits(int.from_bytes(value.data, "little"), element))
    if isinstance(element, (t.IntegerType, t.IndexType)):
        return number(int(value.splat_value), element)
    return None


def constant(value: Any) -> Term:
    """The scalar that an attribute says."""
    if isinstance(value, a.IntegerAttr):
        return number(value.value, value.type)
    return make("const", value, type=value.type)


def argument_shape(index: int, type: t.Type) -> Shape | None:
    """The sizes of an argument: constants for static sizes, otherwise symbols shared by both programs."""
    sizes = getattr(type, "shape", None)
    if sizes is None or isinstance(type, t.VectorType):
        return None
    return tuple(
        number(size) if size is not None else make("size", ("argument", index, d), type=t.INDEX)
        for d, size in enumerate(sizes)
    )


def folds(type: t.Type) -> bool:
    """Whether, by their type, two elements may have one address. Unknown strides are assumed to keep elements disjoint."""
    if not isinstance(type, t.MemRefType) or type.layout is None:
        return False
    known = type.strides_and_offset()
    if known is None:
        return not _is_tiled(type.layout)
    dims = [
        (abs(d), size) for d, size in zip(known[0], type.shape, strict=True) if d is not None and size != 1
    ]
    reach = 1
    for stride, size in sorted(dims, key=lambda dim: dim[0]):
        if stride < reach:
            return True
        if size is None:  # dynamic extents are unknown
            return False
        reach += (size - 1) * stride
    return False


def _is_tiled(layout: object) -> bool:
    """Whether a layout maps distinct elements to distinct addresses: by indices, and their quotients and remainders by one number."""
    map_ = getattr(layout, "map", None)
    if map_ is None:
        return False
    divided: dict[str, set[tuple[int, object]]] = {"floordiv": set(), "mod": set()}
    plain: set[int] = set()
    for expr in map_.results:
        if isinstance(expr, AffineDim):
            plain.add(expr.position)
        elif isinstance(expr, AffineBinary) and expr.kind in divided and isinstance(expr.lhs, AffineDim):
            divided[expr.kind].add((expr.lhs.position, str(expr.rhs)))
    both = divided["floordiv"] & divided["mod"]
    return plain | {position for position, _ in both} >= set(range(map_.num_dims))


def argument_ref(base: Base, type: t.Type, index: object) -> Pointer:
    """A reference to all of a buffer whose layout is what its type says, and symbols where the type does not."""
    base.folds = base.folds or folds(type)
    return laid_out(Pointer(base, (), base.shape), type, index)


def laid_out(ref: Pointer, type: t.Type, index: object) -> Pointer:
    """A reference under the layout that a type says, with symbols of an index where it does not."""
    known = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    if known is None or ref.shape is None:
        return ref
    if isinstance(type, t.MemRefType) and type.layout is None:
        return Pointer(ref.base, ref.steps, ref.shape, row_major(ref.shape), number(0))
    strides = tuple(
        number(s) if s is not None else make("stride", (index, d), type=t.INDEX)
        for d, s in enumerate(known[0])
    )
    offset = number(known[1]) if known[1] is not None else make("offset", index, type=t.INDEX)
    return Pointer(ref.base, ref.steps, ref.shape, strides, offset)
