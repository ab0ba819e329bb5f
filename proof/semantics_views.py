"""Symbolic semantics of views; the assertions of casts become obligations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Value
from ..ir.source.diagnostics import expect, present
from ..ir.types import types as t
from ..ir.types.affine_map import AffineMapAttr
from . import contents as c
from .machine import Executor, semantics
from .ranges import Box, canonical, whole
from .regions import claim_view, layout_of, view_of
from .semantics_tensors import (
    box_of,
    claim_inside,
    claim_ranked,
    claim_reshapes,
    dropped,
    listed_sizes,
    ranked,
    reduced,
    sizes_list,
    sizes_of_result,
    static_shape,
    unranked_key,
)
from .state import (
    RANKED,
    TERMS,
    Base,
    BaseBuffer,
    BoxView,
    MemoryState,
    Opaque,
    Pointer,
    Reference,
    Reshape,
    Transpose,
    alternatives,
    conjunction,
    is_box,
    laid_out,
    pick,
    region,
    row_major,
)
from .terms import ONE, ZERO, Shape, Term, choose, make, mul, number, sub, substitute

if TYPE_CHECKING:
    from ..dialects import memref, vector
    from ..dialects._reshapes import ReassociativeOp


def mapped(reference: Reference, change: Callable[[Pointer], Reference], state: MemoryState) -> Reference:
    """A reference with each alternative changed, under the path condition of that alternative."""
    if isinstance(reference, Pointer):
        return change(reference)
    result: Reference | None = None
    around = state.path
    for path, ref in reversed(alternatives(reference)):
        state.path = (*around, *path)
        new = change(ref)
        state.path = around
        result = new if result is None else pick(conjunction(path), new, result)
    assert result is not None
    return result


def whole_ref(base: Base) -> Pointer:
    """A whole new allocation."""
    if base.shape is None:
        return Pointer(base, (), None)
    return Pointer(base, (), base.shape, row_major(base.shape), ZERO)


@semantics("memref.cast", "memref.memory_space_cast")
def cast(m: Executor, op: memref.CastOp | memref.MemorySpaceCastOp, state: MemoryState) -> None:
    type = op.results[0].type
    m.set(op.results[0], mapped(m.get(op.operands[0]), lambda ref: _cast(m, ref, type, state), state))


def _cast(m: Executor, ref: Pointer, type: object, state: MemoryState) -> Pointer:
    """The sizes and strides asserted by the type must hold."""
    if not isinstance(type, t.MemRefType):
        last = ref.steps[-1] if ref.steps else None
        if isinstance(last, Opaque) and last.key == RANKED:
            return Pointer(ref.base, ref.steps[:-1], None)
        return ref
    if ref.shape is None:
        content = m.read(ref, state) if ref.steps else ref.base.initial
        claim_ranked(m, content, type, state)
        _claim_layout(m, ref, type, state)
        shaped = present(ranked(content, type).shape)
        step = Opaque(RANKED, (), None, shaped)
        if ref.base.name is not None and not ref.steps:
            return laid_out(Pointer(ref.base, (step,), shaped), type, (ref.base.name, RANKED, type.rank))
        return argument_ref_of(Pointer(ref.base, (*ref.steps, step), shaped), type, ref)
    for i, known in enumerate(type.shape):
        if known is None:
            continue
        if not m.transformed:
            m.facts.say_equal(ref.shape[i], number(known), state.path)
        elif not m.facts.equal(ref.shape[i], number(known), state.path):
            m.ask(False, f"size {i} is {known}, as the cast claims", "cast")
    claims = type.strides_and_offset()
    if claims is None:
        return ref
    strides, offset = claims
    ref = _with_known_sizes(ref, type)
    for i, known in enumerate(strides):
        if (type.shape[i] or 2) <= 1:
            continue
        have = ref.strides[i] if ref.strides is not None else None
        key = ("stride", ref.base.name, ref.steps, i)
        if known is not None:
            _claim(m, have, known, key, f"stride {i}", state)
        elif type.is_identity_layout:
            _claim_row_major(m, ref, i, key, state)
    if offset is not None:
        _claim(m, ref.offset, offset, ("offset", ref.base.name, ref.steps), "the offset", state)
    if ref.strides is None:
        return argument_ref_of(ref, type, ref)
    return ref


def _with_known_sizes(ref: Pointer, type: t.MemRefType) -> Pointer:
    """A reference with its type's static sizes substituted into its strides."""
    known = {
        size: number(said)
        for size, said in zip(ref.shape or (), type.shape, strict=True)
        if said is not None and size.op != "const"
    }
    if not known or ref.strides is None or ref.shape is None or None in ref.strides:
        return ref
    if ref.strides == row_major(ref.shape):
        shape = tuple(known.get(size, size) for size in ref.shape)
        return Pointer(ref.base, ref.steps, ref.shape, row_major(shape), ref.offset)
    strides = substitute([s for s in ref.strides if s is not None], known, 0, c.rebuild)
    return Pointer(ref.base, ref.steps, ref.shape, tuple(strides), ref.offset)


def argument_ref_of(ref: Pointer, type: t.MemRefType, key: Pointer) -> Pointer:
    """A reference with the layout that its type states."""
    known = type.strides_and_offset()
    if known is None:
        return ref
    strides = tuple(number(s) if s is not None else None for s in known[0])
    return Pointer(
        ref.base, ref.steps, ref.shape, strides, number(known[1]) if known[1] is not None else None
    )


def _claim(
    m: Executor, have: Term | None, known: int, key: tuple[Any, ...], what: str, state: MemoryState
) -> None:
    if not m.transformed:
        if have is not None:
            m.facts.say_equal(have, number(known), state.path)
        elif key[1] is not None:
            m.facts.say_legal((key, known), state.path)
        return
    holds = have is not None and m.facts.equal(have, number(known), state.path)
    if not holds and key[1] is not None:
        holds = m.facts.is_legal((key, known), state.path)
    m.ask(holds, f"{what} is {known}, as the cast claims", "cast")


def _claim_layout(m: Executor, ref: Pointer, type: t.MemRefType, state: MemoryState) -> None:
    """Memory of unknown rank has the layout that a cast asserts, if it belongs to the original, which has to assert it.

    The buffer of a tensor of unknown rank is assumed to be row-major.
    """
    claims = type.strides_and_offset()
    if claims is not None and not type.is_identity_layout and {*claims[0], claims[1]} == {None}:
        return
    key = ("layout", ref.base.name, ref.steps, type.rank, type.layout)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif ref.base in m.visible:
        holds = m.facts.is_legal(key, state.path)
        m.ask(holds, "the memref of unknown rank has the layout that the cast claims", "cast")


def _claim_row_major(m: Executor, ref: Pointer, i: int, key: tuple[Any, ...], state: MemoryState) -> None:
    """A stride that an identity layout leaves open is still the number of elements of the inner dimensions."""
    if not m.transformed:
        m.facts.say_legal((key, "row major"), state.path)
        return
    have = ref.strides[i] if ref.strides is not None else None
    holds = have is not None and m.facts.equal(have, row_major(present(ref.shape))[i], state.path)
    if not holds and ref.base.name is not None:
        holds = m.facts.is_legal((key, "row major"), state.path)
    m.ask(holds, f"stride {i} leaves no gaps, as the cast claims", "cast")


@semantics("memref.subview")
def subview(m: Executor, op: memref.SubViewOp, state: MemoryState) -> None:
    box = canonical(box_of(m, op))
    factors = m.scalars(op.mixed_strides())
    type = op.results[0].type

    def change(ref: Pointer) -> Pointer:
        claim_inside(m, box, ref.shape, state, "the subview")
        if not m.transformed and ref.steps and is_box(ref, box) and (around := region(ref, box)) is not None:
            m.facts.say_inside(around, present(ref.base.shape), state.path)
        steps = ref.steps
        if ref.shape is not None and not whole(box, ref.shape):
            steps = (*steps, BoxView(box))
        strides = offset = None
        if ref.strides is not None:
            offset, strides = TERMS.part(ref.offset, ref.strides, box[0], factors)
        shape = reduced(op, box[1], type)
        if len(shape) != len(box[1]):
            steps = (*steps, Reshape(box[1], shape))
            if strides is not None:
                left_out = dropped(op, type)
                strides = [s for i, s in enumerate(strides) if i not in left_out]
        return Pointer(ref.base, steps, shape, None if strides is None else tuple(strides), offset)

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


@semantics("memref.collapse_shape", "memref.expand_shape")
def reshape_view(m: Executor, op: memref.CollapseShapeOp | memref.ExpandShapeOp, state: MemoryState) -> None:
    type = expect(t.MemRefType, op.results[0].type)

    def change(ref: Pointer) -> Pointer:
        if ref.shape is None:
            m.give_up("a reshape of a memref of unknown rank")
        shape = sizes_of_result(m, op, lambda value: ref.shape or (), state)
        claims = type.strides_and_offset()
        strides: Any = None
        assert ref.shape is not None
        if ref.strides is not None and tuple(ref.strides) == row_major(ref.shape):
            strides = row_major(shape)
        else:
            strides = _reshaped_strides(m, op, ref, shape)
        if op.name == "memref.collapse_shape":
            _claim_collapsible(m, op, ref, state)
        if strides is None and claims is not None:
            strides = tuple(number(s) if s is not None else None for s in claims[0])
        return Pointer(ref.base, (*ref.steps, Reshape(ref.shape, shape)), shape, strides, ref.offset)

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


def _reshaped_strides(m: Executor, op: ReassociativeOp, ref: Pointer, shape: tuple[Term, ...]) -> Any:
    """The strides after a reshape, group by group."""
    if ref.strides is None or ref.shape is None:
        return None
    groups = op.reassociation_indices()
    if op.name == "memref.collapse_shape":
        return tuple(TERMS.collapsed(ref.strides, [size is ONE for size in ref.shape], groups))
    return tuple(TERMS.expanded(ref.strides, shape, groups))


def _claim_collapsible(m: Executor, op: ReassociativeOp, ref: Pointer, state: MemoryState) -> None:
    """Collapsed dimensions must be contiguous."""
    if ref.shape is None:
        return
    for group in op.reassociation_indices():
        kept = [i for i in group if ref.shape[i] is not ONE]
        for outer, inner in pairwise(kept):
            key = ("dense", ref.base.name, ref.steps, outer, inner)
            if not m.transformed:
                m.facts.say_legal(key, state.path)
                continue
            holds = ref.base.name is not None and m.facts.is_legal(key, state.path)
            if not holds and ref.strides is not None:
                s, d = ref.strides[outer], ref.strides[inner]
                holds = (
                    s is not None and d is not None and m.facts.equal(s, mul(d, ref.shape[inner]), state.path)
                )
            m.ask(holds, "dimensions that are collapsed are contiguous", "collapse")


@semantics("memref.reshape")
def reshape(m: Executor, op: memref.ReshapeOp, state: MemoryState) -> None:
    type = expect(t.ShapedType, op.results[0].type)

    def change(ref: Pointer) -> Pointer:
        if type.shape is None or ref.shape is None:
            key = (
                sizes_list(
                    m.content_of(op.operands[1], state), expect(t.ShapedType, op.operands[1].type).element
                ),
            )
            shape = None if type.shape is None else listed_sizes(m, op, ref.shape, state)
            claim_reshapes(m, (unranked_key(m, ref),) if ref.shape is None else ref.shape, *key, state)
            return Pointer(
                ref.base, (*ref.steps, Opaque(("reshape", type.shape), key, ref.shape, shape)), shape
            )
        shape = listed_sizes(m, op, ref.shape, state)
        if ref.strides is not None and m.transformed:
            dense = row_major(ref.shape)
            for i, (have, want) in enumerate(zip(ref.strides, dense, strict=True)):
                if ref.shape[i] is ONE:
                    continue
                holds = have is not None and m.facts.equal(have, want, state.path)
                m.ask(holds, "the reshaped memory is contiguous", "cast")
        return Pointer(ref.base, (*ref.steps, Reshape(ref.shape, shape)), shape, row_major(shape), ref.offset)

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


@semantics("memref.transpose")
def transpose(m: Executor, op: memref.TransposeOp, state: MemoryState) -> None:
    map_ = expect(AffineMapAttr, op.properties["permutation"]).map
    order = map_.positions

    def change(ref: Pointer) -> Pointer:
        assert ref.shape is not None
        shape = tuple(ref.shape[p] for p in order)
        strides = tuple(ref.strides[p] for p in order) if ref.strides is not None else None
        return Pointer(ref.base, (*ref.steps, Transpose(order)), shape, strides, ref.offset)

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


@semantics("memref.view", "vector.type_cast")
def opaque_view(m: Executor, op: memref.ViewOp | vector.TypeCastOp, state: MemoryState) -> None:
    type = expect(t.MemRefType, op.results[0].type)
    numbers = m.scalars(op.operands[1:])
    sizes = numbers[1:] if op.name == "memref.view" else ()
    shape = static_shape(type, sizes) if isinstance(type, t.MemRefType) else None

    def change(ref: Pointer) -> Pointer:
        if op.name == "memref.view" and shape is not None:
            claim_view(m, ref, numbers[0], shape, type.element, state)
            if (found := view_of(m, ref, numbers[0], shape, type.element, state)) is not None:
                return found
        key = (op.name, type.element, len(type.shape))
        step = Opaque(key, (*numbers[:1], *(shape or ())), ref.shape, shape)
        return Pointer(
            ref.base, (*ref.steps, step), shape, row_major(shape) if shape is not None else None, ZERO
        )

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


def _stays_inside(ref: Pointer, offset: Term, sizes: Shape, strides: tuple[Term, ...]) -> bool:
    """Whether everything is constant and no element of the layout is outside of its row-major allocation."""
    terms = (offset, *sizes, *strides, *(ref.base.shape or ()))
    if ref.base.shape is None or ref.steps or any(term.op != "const" for term in terms):
        return False
    if ref.strides != row_major(ref.base.shape):
        return False
    reach = [(size.attr - 1) * stride.attr for size, stride in zip(sizes, strides, strict=True)]
    first = offset.attr + sum(min(step, 0) for step in reach)
    last = offset.attr + sum(max(step, 0) for step in reach)
    return any(size.attr == 0 for size in sizes) or (
        first >= 0 and last < prod(s.attr for s in ref.base.shape)
    )


@semantics("memref.reinterpret_cast")
def reinterpret_cast(m: Executor, op: memref.ReinterpretCastOp, state: MemoryState) -> None:
    """A different layout of the same memory. The unchanged layout is the identity."""
    offset = m.scalars(op.mixed_offsets())[0]
    sizes, strides = m.scalars(op.mixed_sizes()), m.scalars(op.mixed_strides())

    def change(ref: Pointer) -> Pointer:
        ref = _before_base(ref)
        if ref.shape == sizes and ref.strides == strides and ref.offset is offset:
            return ref
        box = _box_of_layout(ref, offset, sizes, strides)
        if box is not None and (not ref.steps or not m.facts.outside(box, ref.shape or (), state.path)):
            claim_inside(m, box, ref.shape, state, "another layout of the same memory")
            return Pointer(ref.base, (*ref.steps, BoxView(box)), sizes, strides, offset)
        around = _around(ref)
        box = None if around is None else _box_of_layout(around, offset, sizes, strides)
        if box is not None:
            claim_inside(m, box, ref.base.shape, state, "another layout of the same memory")
            return Pointer(ref.base, (BoxView(box),), sizes, strides, offset)
        found = layout_of(
            m, ref, offset, sizes, strides, expect(t.ShapedType, op.results[0].type).element, state
        )
        if found is not None:
            return found
        key = ("layout", ref.base.name, ref.steps, offset, sizes, strides)
        if not sizes and offset is ZERO and _is_only_a_base(op.results[0]):
            return _base_buffer(ref)
        if not m.transformed:
            m.facts.say_legal(key, state.path)
        elif not _stays_inside(ref, offset, sizes, strides) and (
            ref.base.name is None or not m.facts.is_legal(key, state.path)
        ):
            m.ask(False, "another layout of the same memory stays inside", "layout")
        args = (offset, *sizes, *strides)
        layout = (*(ref.strides or ()), ref.offset)
        known = tuple(term for term in layout if term is not None)
        # it starts at the allocation and may reach elements outside of a view of it
        if any(isinstance(step, Opaque) for step in ref.steps):
            m.give_up("another layout of a view of unknown layout")
        step = Opaque(("layout", len(sizes), len(known)), (*args, *known), ref.base.shape, sizes)
        return Pointer(ref.base, (step,), sizes, strides, offset)

    m.set(op.results[0], mapped(m.get(op.operands[0]), change, state))


def _before_base(ref: Pointer) -> Pointer:
    """The reference that a base buffer was extracted from: layouts of one are layouts of the other."""
    last = ref.steps[-1] if ref.steps else None
    if not isinstance(last, BaseBuffer):
        return ref
    return Pointer(ref.base, ref.steps[:-1], last.shape, last.strides, last.offset)


def _around(ref: Pointer) -> Pointer | None:
    """The allocation or argument that a box of consecutive elements is cut out of, as a whole: layouts count from its first element,
    and may leave the box. None for other views."""
    base = ref.base
    if not ref.steps or base.home is not base or base.shape is None or ref.strides is None:
        return None
    strides = [stride for stride in ref.strides if stride is not None]
    offset = ref.offset
    if offset is None or len(strides) != len(base.shape):
        return None
    for step in ref.steps:
        if not isinstance(step, BoxView) or any(stride is not ONE for stride in step.box[2]):
            return None
        for start, stride in zip(step.box[0], strides, strict=True):
            offset = sub(offset, mul(start, stride))
    return Pointer(base, (), base.shape, tuple(strides), offset)


def _box_of_layout(ref: Pointer, offset: Term, sizes: Shape, strides: tuple[Term, ...]) -> Box | None:
    """The box of a reference that a layout with the same strides denotes; None if there is none."""
    if ref.shape is None or ref.strides != strides or ref.offset is None or not sizes:
        return None
    start = sub(offset, ref.offset)
    if start is not ZERO and strides != (ONE,):
        return None
    return (start, *[ZERO] * (len(sizes) - 1)), sizes, (ONE,) * len(sizes)


@semantics("memref.assume_alignment", "memref.distinct_objects")
def unchanged(
    m: Executor, op: memref.AssumeAlignmentOp | memref.DistinctObjectsOp, state: MemoryState
) -> None:
    if op.name == "memref.distinct_objects":
        _claim_distinct(m, [m.get(value) for value in op.operands], state)
    for operand, result in zip(op.operands, op.results, strict=False):
        m.set(result, m.get(operand))


def _claim_distinct(m: Executor, held: list[Reference], state: MemoryState) -> None:
    """No two of these alias."""
    for i, left in enumerate(held):
        for j in range(i):
            for one, x in alternatives(left):
                for other, y in alternatives(held[j]):
                    key, path = ("distinct", x.base.name, y.base.name), (*state.path, *one, *other)
                    if not m.transformed:
                        m.facts.say_legal(key, path)
                    elif x.base is y.base or y.base in x.base.overlaps:
                        named = x.base.name is not None and y.base.name is not None
                        holds = named and m.facts.is_legal(key, path)
                        m.ask(holds, "objects declared distinct share no memory", "promise")


@semantics("memref.extract_strided_metadata")
def metadata(m: Executor, op: memref.ExtractStridedMetadataOp, state: MemoryState) -> None:
    """The strided metadata of a memref. The first result, the base buffer, is valid only for deallocation and for
    its address."""
    reference = m.get(op.operands[0])
    type = expect(t.MemRefType, op.operands[0].type)
    rank = type.rank
    m.set(op.results[0], mapped(reference, _base_buffer, state))
    options = alternatives(reference)
    if len(options) > 1 and any(result.has_uses for result in op.results[1:]):
        m.give_up("the layout of one of several buffers")
    ref = options[0][1]
    unknown = [m.junk(None, t.INDEX) for _ in range(2 * rank + 1)] if ref.strides is None else []
    values: list[Term | None] = [ref.offset, *(ref.shape or ()), *(ref.strides or unknown[1:])]
    known = type.strides_and_offset()
    if known is not None:
        stated = [known[1], *type.shape, *known[0]]
        values = [number(s) if s is not None else v for s, v in zip(stated, values, strict=True)]
    for i, result in enumerate(op.results[1:]):
        value = values[i] if i < len(values) else None
        m.set(result, value if value is not None else m.junk(None, t.INDEX))


_OF_BASES = frozenset(["memref.dealloc", "memref.extract_aligned_pointer_as_index", "bufferization.dealloc"])
"""The operations allowed on a base buffer regardless of its contents."""


def _is_only_a_base(value: Value) -> bool:
    """Whether nobody asks for more than which buffer a scalar of it stands for, directly or through its base."""
    return all(
        use.owner.name in _OF_BASES
        or (
            use.owner.name == "memref.extract_strided_metadata"
            and all(base.owner.name in _OF_BASES for base in use.owner.results[0].uses)
        )
        for use in value.uses
    )


def _base_buffer(ref: Pointer) -> Pointer:
    ref = _before_base(ref)
    return Pointer(ref.base, (*ref.steps, BaseBuffer(ref.shape, ref.strides, ref.offset)), (), (), ZERO)


@semantics("memref.extract_aligned_pointer_as_index")
def pointer(m: Executor, op: memref.ExtractAlignedPointerAsIndexOp, state: MemoryState) -> None:
    value: Term | None = None
    for path, ref in reversed(alternatives(m.get(op.operands[0]))):
        m.addressed.add(ref.base.home)
        one = address_of(ref.base, m.transformed)
        value = one if value is None else choose(conjunction(path), one, value)
    m.set(op.results[0], value)


def address_of(base: Base, transformed: bool) -> Term:
    """The address of a buffer. Empty buffers may share an address, but the target compares addresses only to
    decide what to free, where that is irrelevant: it assumes that buffers of unknown size have distinct
    addresses."""
    shared = base.reuses | {other.id for other in base.overlaps}
    sizes = base.home.shape
    empty = sizes is None or any(size is ZERO or (size.op != "const" and not transformed) for size in sizes)
    return make("pointer", (base.id, base.kind, tuple(sorted(shared)), empty), type=t.INDEX)
