"""Symbolic semantics of memory: allocations, frees, accesses, copies, asynchronous transfers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..dialects.linalg.base import LinalgOp
from ..ir.program.core import Operation
from ..ir.program.following import may_follow
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    AllocationOp,
    CallOpInterface,
    Effect,
)
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.attributes import SymbolRefAttr
from ..semantics.frees import freed_by
from . import contents as c
from .facts import Path
from .machine import Executor, Steps, attributes_of, semantics
from .ownership import identity
from .promises import claim_initialized
from .ranges import disjoint
from .semantics_structured import structured, yields_input
from .semantics_tensors import claim_inside, claim_same_shape, claim_size, static_shape
from .semantics_unknown import unknown
from .semantics_views import address_of, whole_ref
from .state import (
    ALLOC,
    ARGUMENT,
    CARRIED,
    GIVEN,
    GLOBAL,
    RANKED,
    STACK,
    UNKNOWN,
    Base,
    BaseBuffer,
    BoxView,
    Held,
    MemoryState,
    Opaque,
    Pointer,
    Reference,
    Reshape,
    Transpose,
    alternatives,
    argument_ref,
    bases_of,
    conjunction,
    folds,
    read_along,
    region,
)
from .stored import Stored
from .terms import FALSE, ONE, TRUE, Term, both, choices, choose, either, make, negate

if TYPE_CHECKING:
    from ..dialects import affine, bufferization, linalg, memref, ml_program, test


# -- allocations


@semantics("memref.alloc", "memref.alloca")
def alloc(m: Executor, op: memref.AllocOp | memref.AllocaOp, state: MemoryState) -> None:
    type = expect(t.MemRefType, op.results[0].type)
    shape = static_shape(type, m.scalars(op.dynamic_sizes))
    stack = op.is_stack_allocation()
    for size in m.scalars(op.dynamic_sizes):
        claim_initialized(m, size, state)
        if m.transformed and (stack or size.op == "const"):
            claim_size(m, size, state)
    base = m.allocate(op, shape, state, stack=stack)
    base.bytes = type.element is t.I8 and len(type.shape) == 1 and type.layout is None
    if not m.transformed:
        m.facts.say_sizes(shape, state.path)
    if type.layout is not None and type.strides_and_offset() is None:
        base.folds = folds(type)
        m.set(op.results[0], Pointer(base, (), shape))
    elif type.layout is not None:
        key = ("layout", type.layout, m.scalars(op.symbol_operands))
        if not m.transformed:
            m.facts.say_legal(key, state.path)
        elif key[2] and not m.facts.is_legal(key, state.path):
            base.folds = True  # by some strides
        m.set(op.results[0], argument_ref(base, type, key))
    else:
        m.set(op.results[0], whole_ref(base))


def manage(m: Executor, op: Operation, effects: Sequence[Effect], state: MemoryState) -> None:
    """An operation whose only effects are to free some operands, to allocate its single result, or both.

    A buffer allocated in exchange for a freed one has contents that depend on the freed contents.
    """
    sizes = [value for value in op.operands if value.type is t.INDEX]
    types = [result.type for result in op.results]
    if (
        any(effect.kind not in (ALLOCATE, FREE) or effect.value is None for effect in effects)
        or [effect.value for effect in effects if effect.kind == ALLOCATE] != list(op.results)
        or not all(isinstance(type, t.MemRefType) and type.layout is None for type in types)
        or sum(size is None for type in types for size in expect(t.ShapedType, type).shape or ())
        != len(sizes)
    ):
        m.give_up(f"what '{op.name}' allocates or frees", op, "unknown")
    freed = [m.get(value) for value in freed_by(op)]
    shapes = [static_shape(type, m.scalars(sizes)) for type in types]
    contents = [
        make("forwarded", (op.name, attributes_of(op)), [m.read(held, state) for held in freed], shape=shape)
        if freed
        else None
        for shape in shapes
    ]
    for held in freed:
        free(m, held, state)
    for result, shape, content in zip(op.results, shapes, contents, strict=True):
        m.set(result, whole_ref(m.allocate(op, shape, state, initial=content)))


USUAL = ("memref.dealloc", "memref.realloc", "bufferization.dealloc")
"""Deallocations of buffers whose allocation names no deallocation of its own."""


def _is_freed_so(base: Base, op: Operation | None) -> bool:
    """Whether `op` is the deallocation that the allocation of `base` declares. An operation that transfers
    ownership is accepted too."""
    maker = base.op
    if (
        base.kind != ALLOC
        or not isinstance(maker, AllocationOp)
        or op is None
        or op.results
        or isinstance(op, CallOpInterface)
    ):
        return True
    way = maker.way_to_free(maker.results[0])
    return op.name == way or (op.name in USUAL and way in (*USUAL, None))


def _claim_not_kept(m: Executor, base: Base, path: Path) -> None:
    """A buffer that unknown code may retain is freed only if no such code runs later, or if the source frees it too."""
    kept = [how for one, (_, *how) in m.escaped.items() if one.home is base]
    if m.current is not None and not all(m.facts.is_legal(("free kept", *how), path) for how in kept):
        later = any(map(m.is_unknown_call, may_follow(m.current)))
        m.ask(
            not later,
            "freed memory is not retained by a callee that is called again",
            "use-after-free",
        )


def _is_all_of_it(ref: Pointer) -> bool:
    """Whether a reference covers a whole allocation: no view on the way drops elements or changes their order."""
    if ref.base is not ref.base.home:  # a byte range
        return False
    if isinstance(ref.steps[-1] if ref.steps else None, BaseBuffer):
        return True
    return all(
        isinstance(step, (Reshape, Transpose)) or (isinstance(step, Opaque) and step.key == RANKED)
        for step in ref.steps
    )


@semantics("bufferization.clone")
def clone(m: Executor, op: Operation, state: MemoryState) -> None:
    """A copy or the same buffer; indistinguishable, because neither may be written while both are used."""
    source = m.get(op.operands[0])
    content = m.read(source, state)
    base = m.allocate(op, source.shape, state, initial=content)
    base.is_copy_of(bases_of(source))
    m.set(op.results[0], layout_of(base, op.results[0].type))


def layout_of(base: Base, type: object) -> Pointer:
    """A new buffer under a type: row-major as far as the type is known."""
    return whole_ref(base) if isinstance(type, t.MemRefType) else Pointer(base, (), base.shape)


@semantics("memref.get_global")
def get_global(m: Executor, op: memref.GetGlobalOp, state: MemoryState) -> None:
    base = m.global_base(expect(SymbolRefAttr, op.properties["name"]).root)
    type = op.results[0].type
    m.set(op.results[0], argument_ref(base, type, ("global", base.name)))


@semantics("ml_program.global_load", "ml_program.global_load_const")
def global_load(
    m: Executor, op: ml_program.GlobalLoadOp | ml_program.GlobalLoadConstOp, state: MemoryState
) -> None:
    m.set(
        op.results[0], state.content(m.global_base(expect(SymbolRefAttr, op.properties["global"]).root)), op
    )


@semantics("ml_program.global_store")
def global_store(m: Executor, op: ml_program.GlobalStoreOp, state: MemoryState) -> None:
    base = m.global_base(expect(SymbolRefAttr, op.properties["global"]).root)
    m.check_writable(base, state.path)
    m.put(base, m.get(op.operands[0]), state)


@semantics("memref.realloc")
def realloc(m: Executor, op: memref.ReallocOp, state: MemoryState) -> None:
    source = m.get(op.operands[0])
    shape = static_shape(op.results[0].type, m.scalars(op.operands[1:]))
    content = make("realloc", None, (m.read(source, state),), shape=shape)
    free(m, source, state)
    m.set(op.results[0], whole_ref(m.allocate(op, shape, state, initial=content)))


@semantics("memref.dealloc")
def dealloc(m: Executor, op: memref.DeallocOp, state: MemoryState) -> None:
    free(m, m.get(op.operands[0]), state)


def free(m: Executor, reference: Reference, state: MemoryState, condition: Term = TRUE) -> None:
    """Free the buffer of a reference under a condition."""
    from .facts import implied

    for path, ref in alternatives(reference):
        base = ref.base.home
        here = both(condition, conjunction(path))
        claim_initialized(m, here, state)
        if here is FALSE or implied((*state.path, (here, True)), FALSE):
            continue
        life = state.life(base)
        on_path = (*state.path, *path, *(() if condition is TRUE else ((condition, True),)))
        if m.transformed:
            if not implied(on_path, life):
                m.ask(False, "memory is freed once", "double-free")
            if any(base in held or base.overlaps & held for held in m.transfers.values()):
                m.ask(False, "freed memory is not used by a transfer that may still run", "use-after-free")
            m.ask(_is_freed_so(base, m.current), "the deallocation matches the allocation", "bad-free")
            _claim_not_kept(m, base, on_path)
            m.ask(
                _is_all_of_it(ref), "the deallocation frees a whole allocation, through its base", "bad-free"
            )
            if base.kind in (STACK, GLOBAL):
                m.ask(implied(on_path, FALSE), "freed memory was allocated", "bad-free")
            if (
                not base.owned
                and (base.kind == ARGUMENT or (base.name is not None and base.name[0] == UNKNOWN))
                and not m.facts.is_legal(("free", base.name), on_path)
            ):
                m.ask(implied(on_path, FALSE), "freed memory is owned by the program", "bad-free")
            if (
                base.kind == GIVEN
                and (base.readonly or base.is_lent)
                and not m.facts.is_legal(("free given", base.initial), on_path)
            ):
                m.ask(implied(on_path, FALSE), "freed memory is owned by the program", "bad-free")
            if not base.owned and base.kind == CARRIED:
                m.ask(implied(on_path, FALSE), "freed memory is owned, not borrowed", "bad-free")
            for other in base.overlaps:
                if other.home is base or implied((*on_path, (state.life(other), True)), FALSE):
                    continue
                if base.owned:  # any later use must prove that another buffer was freed
                    state.alive[other] = choose(here, m.junk(None, t.I1), state.life(other))
                else:
                    m.ask(False, "nothing else uses freed memory", "use-after-free")
        else:
            if base.name is not None:
                m.facts.say_legal(("free", base.name), on_path)
            if base.kind == GIVEN:
                m.facts.say_legal(("free given", base.initial), on_path)
            for one, (_, *how) in m.escaped.items():
                if one.home is base:
                    m.facts.say_legal(("free kept", *how), on_path)
        state.alive[base] = choose(here, FALSE, life)


# -- elements and copies


def load_from(
    m: Executor, reference: Reference, place: Sequence[Term], type: t.Type, state: MemoryState
) -> Term:
    claim_inside(m, c.point(place), reference.shape, state, "the element read")
    if not place:
        return c.item(m.read(reference, state), type)
    return c.item(c.reshape(m.read(reference, state, c.point(place)), ()), type)


def store_to(
    m: Executor, reference: Reference, place: Sequence[Term], value: Term, state: MemoryState
) -> None:
    if not isinstance(value, Term):
        m.give_up("a buffer that is stored in memory")
    claim_inside(m, c.point(place), reference.shape, state, "the element written")
    if not place:
        m.write(reference, c.fill(value, ()), state)
    else:
        m.write(reference, c.fill(value, (ONE,) * len(place)), state, c.point(place))


def _store_buffer(
    m: Executor, held: Held, type: t.Type, target: Held, place: Sequence[Term], state: MemoryState
) -> Term:
    """What is in memory where a reference is stored. The function does not own its buffer any more."""
    if (
        not isinstance(held, Pointer)
        or not isinstance(target, Pointer)
        or held != whole_ref(held.base)
        or held.base.kind != ALLOC
        or not held.base.owned
        or target.base.kind != ARGUMENT
        or target.base not in m.visible
        or state.level > 0
    ):
        m.give_up("a buffer that is stored in memory")
    term = make("stored", (len(m.stored), type), type=type)
    m.stored[held.base] = Stored(held.base, target, tuple(place), term, state.trace)
    held.base.owned = False
    return term


@semantics("memref.load")
def load(m: Executor, op: memref.LoadOp, state: MemoryState) -> None:
    place = m.scalars(op.operands[1:])
    m.set(op.results[0], load_from(m, m.get(op.operands[0]), place, op.results[0].type, state), op)


@semantics("memref.store")
def store(m: Executor, op: memref.StoreOp, state: MemoryState) -> None:
    value, target, *place = op.operands
    held, where = m.get(value), m.scalars(place)
    if not isinstance(held, Term):
        held = _store_buffer(m, held, value.type, m.get(target), where, state)
    store_to(m, m.get(target), where, held, state)


@semantics("memref.copy", "test.copy", "linalg.copy")
def copy(m: Executor, op: memref.CopyOp | test.CopyOp | linalg.CopyOp, state: MemoryState) -> Steps | None:
    source, target = m.get(op.operands[0]), m.get(op.operands[1])
    types = [expect(t.ShapedType, value.type) for value in op.operands]
    if types[0].element is not types[1].element or (isinstance(op, LinalgOp) and not yields_input(op)):
        return structured(m, expect(LinalgOp, op), state)
    if isinstance(source, Term):
        if isinstance(target, Term):
            claim_same_shape(m, source.shape, target.shape, state, "source and target")
            m.set(op.results[0], source, op)
            return None
        m.give_up("a copy of a tensor into a buffer")
    claim_same_shape(m, source.shape, target.shape, state, "the source and the target of a copy")
    _claim_no_overlap(m, source, target, state)
    m.write(target, m.read(source, state), state)
    return None


def _claim_no_overlap(m: Executor, source: Reference, target: Reference, state: MemoryState) -> None:
    """Copying between overlapping regions is undefined, unless they are identical."""
    for one, left in alternatives(source):
        for other, right in alternatives(target):
            same = left.base is right.base
            if _elements(left) == _elements(right) if same else right.base not in left.base.overlaps:
                continue
            a, b = region(left), region(right)
            apart = same and (
                (a is not None and b is not None and disjoint(a, b)) or _same_or_disjoint(left, right)
            )
            what = "source and target of the copy do not overlap"
            for key, path in _overlapping(left, right):
                if key is None:
                    m.ask(apart, what, "overlap")
                elif not apart or not m.transformed:
                    m.only_as_before(key, (*state.path, *one, *other, *path), what, "overlap")


def _overlapping(left: Pointer, right: Pointer) -> Iterator[tuple[tuple[object, ...] | None, Path]]:
    """The cases in which a copy from one to the other may overlap, with their conditions: the key of a legal one, or None if only
    this program can say which buffers these are."""
    for one, source in choices(identity(left.base)):
        for other, target in choices(identity(right.base)):
            pair = {source, target}
            is_new = make("buffer") in pair
            if is_new and any(
                which.op == "buffer" and which.attr and which.attr[0] in (ARGUMENT, GLOBAL) for which in pair
            ):
                continue
            key = None if is_new else ("copy", source, _elements(left), target, _elements(right))
            yield key, (*one, *other)


def _elements(ref: Pointer) -> object:
    """Which elements of its buffer a reference has, in which order: what it reads of arbitrary contents.

    Reshapes that undo each other differ in their steps (and in the stride of a dimension of size 1), not in what they read.
    """
    if ref.base.shape is None:
        return ref.steps
    contents = make("arbitrary", shape=ref.base.shape)
    seen = read_along(contents, ref.steps)
    return () if seen is contents else seen


def _same_or_disjoint(one: Pointer, other: Pointer) -> bool:
    """Whether views of one base have the same elements in the same order or none in common: only offsets of single elements differ."""
    return len(one.steps) == len(other.steps) and all(
        a == b
        or (
            isinstance(a, BoxView)
            and isinstance(b, BoxView)
            and a.box[1] == b.box[1]
            and all(
                size is ONE or (start is first and stride is step)
                for start, size, stride, first, _, step in zip(*a.box, *b.box, strict=True)
            )
        )
        for a, b in zip(one.steps, other.steps, strict=True)
    )


@semantics("memref.prefetch", "affine.prefetch")
def nothing(m: Executor, op: memref.PrefetchOp | affine.PrefetchOp, state: MemoryState) -> None:
    return None


@semantics("memref.atomic_rmw")
def atomic(m: Executor, op: memref.AtomicRMWOp, state: MemoryState) -> None:
    value, target, *place = op.operands
    old = load_from(m, m.get(target), m.scalars(place), op.results[0].type, state)
    new = make("op", ("rmw", attributes_of(op)), (old, m.get(value)), type=old.type)
    store_to(m, m.get(target), m.scalars(place), new, state)
    m.set(op.results[0], old, op)


# -- the border between tensors and buffers


@semantics("bufferization.to_tensor")
def to_tensor(m: Executor, op: bufferization.ToTensorOp, state: MemoryState) -> None:
    m.set(op.results[0], m.read(m.get(op.operands[0]), state), op)


@semantics("bufferization.to_buffer")
def to_buffer(m: Executor, op: bufferization.ToBufferOp, state: MemoryState) -> None:
    """A buffer with these contents; read-only, since a write would change the tensor."""
    content = m.get(op.operands[0])
    base = Base(GIVEN, content, op, None, "the buffer of a tensor", level=state.level)
    state.alive[base] = TRUE
    state.contents[base] = content
    m.set(op.results[0], argument_ref(base, op.results[0].type, ("to_buffer", content.id)))


@semantics("bufferization.materialize_in_destination")
def materialize(m: Executor, op: bufferization.MaterializeInDestinationOp, state: MemoryState) -> None:
    source, target = m.get(op.operands[0]), m.get(op.operands[1])
    if isinstance(target, Term):
        m.set(op.results[0], source, op)
        claim_same_shape(m, source.shape, target.shape, state, "source and destination")
        return
    claim_same_shape(m, source.shape, target.shape, state, "source and destination")
    m.write(target, source, state)


@semantics("bufferization.dealloc_tensor")
def dealloc_tensor(m: Executor, op: bufferization.DeallocTensorOp, state: MemoryState) -> None:
    """Frees the buffer that the tensor will have; which other tensors share it is not known."""
    m.ask(False, "nothing uses the buffer of a tensor after it is freed", "use-after-free")


@semantics("bufferization.dealloc")
def dealloc_by_condition(m: Executor, op: bufferization.DeallocOp, state: MemoryState) -> None:
    """Frees each memref whose condition holds and that no retained memref aliases; duplicates are freed once."""
    from .semantics_scalars import compared

    count, kept = len(op.memrefs), [m.get(value) for value in op.retained]
    conditions = [m.get(value) for value in op.conditions]
    memrefs = [m.get(value) for value in op.memrefs]

    def same(left: Reference, right: Reference) -> Term:
        result = FALSE
        for path, x in alternatives(left):
            for other, y in alternatives(right):
                equal = compared("eq", *(address_of(each.base.home, m.transformed) for each in (x, y)))
                for term, holds in (*path, *other):
                    equal = both(equal, term if holds else negate(term))
                result = either(result, equal)
        return result

    for i in range(count):
        condition = conditions[i]
        for retained in kept:
            condition = both(condition, negate(same(memrefs[i], retained)))
        for j in range(i):
            condition = both(condition, negate(both(conditions[j], same(memrefs[j], memrefs[i]))))
        free(m, memrefs[i], state, condition)
    for result, retained in zip(op.results, kept, strict=True):
        updated = FALSE
        for i in range(count):
            updated = either(updated, both(conditions[i], same(memrefs[i], retained)))
        m.set(result, updated)


# Asynchronous transfers: data moves at the start, and source and target stay in use until a wait is certain. A wait on
# the same tag is certain if it is in the transfer's block or an enclosing one: then it is executed after the transfer
# on every path.


@semantics("memref.dma_start", "affine.dma_start")
def start(m: Executor, op: Operation, state: MemoryState) -> None:
    memrefs = [held for value in op.operands if not isinstance(held := m.get(value), Term)]
    tags = [value for value in op.operands if t.is_memref(value.type)][2:]
    unknown(m, op, state, tags)
    m.transfers[op] = {base.home for held in memrefs for base in bases_of(held)}


@semantics("memref.dma_wait", "affine.dma_wait")
def wait(m: Executor, op: Operation, state: MemoryState) -> None:
    unknown(m, op, state, op.operands[:1])
    tags = {base.home for base in bases_of(m.get(op.operands[0]))}
    for started, held in list(m.transfers.items()):
        behind = op.block is not None and started.ancestor_in_block(op.block) is not None
        if behind and len(tags) == 1 and tags <= held:
            del m.transfers[started]
