"""`-eliminate-empty-tensors`: a `tensor.empty` that is inserted into a slice of another tensor becomes that slice.

    %e = tensor.empty() : tensor<5xf32>
    %f = linalg.fill ins(%cst : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    %r = tensor.insert_slice %f into %t[%o] [5] [1] : tensor<5xf32> into tensor<10xf32>
 => %s = tensor.extract_slice %t[%o] [5] [1] : tensor<10xf32> to tensor<5xf32>
    %f = linalg.fill ins(%cst : f32) outs(%s : tensor<5xf32>) -> tensor<5xf32>
    %r = tensor.insert_slice %f into %t[%o] [5] [1] : tensor<5xf32> into tensor<10xf32>

After bufferization, the result needs neither an allocation nor a copy. A `tensor.empty` qualifies if the inserted
tensor is equivalent to it by One-Shot analysis. The slice is extracted at the first position where its operands are
defined; if that is too late, the operands (offset arithmetic, the destination) are hoisted where that is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import TYPE_CHECKING, ClassVar

from ..analysis.causes import Cause, CauseKind
from ..analysis.graphs import comes_before, is_defined_at
from ..analysis.models.base import owner_of
from ..analysis.models.facts import registry_with
from ..analysis.naming import value_name
from ..analysis.one_shot import AnalysisOptions
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.result import AnalysisResult
from ..analysis.origins import closure, strip_views
from ..dialects import bufferization, memref, tensor
from ..dialects.bufferization import tensor_type_for
from ..dialects.builtin import ModuleOp
from ..dialects.linalg.named import CopyOp
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.defects import RESTRICTED_DESTINATIONS, Defect
from ..ir.program import traits as tr
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import (
    FREE,
    READ,
    WRITE,
    AllocationOp,
    CastOp,
    InParallelOpInterface,
    MemoryEffectOp,
    SubsetInsertionOp,
    is_function_argument,
    is_memory_effect_free,
    memory_effects,
)
from ..ir.source.diagnostics import PassFailed, expect
from ..ir.source.text import say
from ..ir.types import types as t
from ..ir.types.attributes import UNIT, DenseArrayAttr
from ..semantics.boxes import disjoint, part_of
from . import makers
from .buffer_results_to_out_params import check_returns
from .pass_base import Context, Pass, Stayed
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, Pattern, rewrite_greedily
from .rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from .buffer_optimizations import Stayed

SLICE_PROPERTIES = ("static_offsets", "static_sizes", "static_strides")


class EliminateEmptyTensors(Pass):
    """Dead `tensor.empty` operations may remain. One analysis, then O(operations + lengths of use-def
    chains)."""

    name: ClassVar[str] = "eliminate-empty-tensors"
    summary: ClassVar[str] = "try to eliminate all tensor.empty ops"
    on: ClassVar[str] = "any"

    def run(self, op: Operation, context: Context, stayed: Stayed | None = None) -> None:
        if isinstance(op, ModuleOp):
            check_returns(op)
        options = AnalysisOptions(
            bufferize_function_boundaries=isinstance(op, ModuleOp),
            allow_return_allocs_from_loops=True,
            compat=context.compat or None,
        )
        result = analyze(op, options, registry_with(context.models, context.rules))
        if result.errors:
            raise PassFailed(result.errors, operation=op)
        elimination = Elimination(result, context.mirrored, stayed=stayed)
        elimination.run(op)
        if not elimination.tried:
            context.note_touched(set())
        context.count(self.name, "replaced", elimination.replaced)


class Elimination:
    """Replaces uses of empty tensors, insertion by insertion.

    Attributes:
        only_where_inserted: extract a slice only where its insertion is certain to run: elsewhere it may be out of
            bounds.
        stayed: called with each empty tensor that is not replaced, and the reason.
    """

    def __init__(
        self,
        result: AnalysisResult,
        mirrored: frozenset[Defect],
        only_where_inserted: bool = False,
        stayed: Stayed | None = None,
    ) -> None:
        self.result = result
        self.mirrored = mirrored
        self.only_where_inserted = only_where_inserted
        self.stayed = stayed
        self._reached: set[Value] = set()
        self.replaced = 0
        self.tried = False
        """Whether there was a candidate; if not, the program is unchanged."""

    def run(self, root: Operation) -> int:
        """Visit all insertions in `root`; returns the number of replaced uses of empty tensors."""
        for op in list(root.walk_post_order()):
            if isinstance(op, SubsetInsertionOp):
                self.visit(op, op.subset_source())
            elif isinstance(op, CopyOp) and op.results:
                self.visit(op, op.op_operands[0])
        if self.stayed is not None:
            for op in root.walk():
                if isinstance(op, tensor.EmptyOp) and op.results[0] not in self._reached:
                    self.stayed(op.results[0], "no tensor with its buffer is inserted into another", None)
        return self.replaced

    def visit(self, insertion: Operation, source: OpOperand) -> None:
        """Replace the empty tensors whose buffers `insertion` would otherwise copy from its operand `source`."""
        is_in_place = self.result.is_in_place(source)
        if not isinstance(source.value.type, t.RankedTensorType) or not (is_in_place or self.stayed):
            return
        for use in self.uses_of_empty_tensors(source):
            self._reached.add(use.value)
            if not is_in_place:
                self._stays(use.value, "'{operation}' reads a copy of it", insertion)
                continue
            self.tried = True
            needed = [value for value in _needed_values(insertion) if not is_defined_at(value, use.owner)]
            replacement = self.part_for(insertion, use)
            if replacement is not None:
                use.value = replacement
                self.replaced += 1
            elif needed:
                why = (
                    "the slice of '{operation}' needs {names}, computed later, and cannot be extracted before"
                )
                self._stays(use.value, why, insertion, needed)
            else:
                self._stays(use.value, "the destination of '{operation}' may be accessed before", insertion)

    def _stays(self, empty: Value, why: str, insertion: Operation, needed: Sequence[Value] = ()) -> None:
        if self.stayed is not None:
            names = ", ".join(map(value_name, needed))
            self.stayed(empty, say(why, operation=insertion, names=names), insertion)

    def uses_of_empty_tensors(self, source: OpOperand) -> list[OpOperand]:
        """The uses of `tensor.empty` that provide the buffer of `source`, found along the reverse use-def chain from `source` on.

        Only steps to an equivalent buffer, of the same type or through a cast, are followed.
        """
        state = self.result.unsettled
        found: dict[Value, OpOperand] = {}
        pending: dict[Value, OpOperand] = {source.value: source}
        seen: set[Value] = set()
        while pending:
            value, through = pending.popitem()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value.defining_op, tensor.EmptyOp):
                found[value] = through
                continue
            if not state.is_known(owner_of(value)):
                continue
            for alias in state.aliasing_operands(value):
                is_cast = isinstance(value, OpResult) and isinstance(value.owner, CastOp)
                if alias.equivalent and (is_cast or alias.operand.value.type is value.type):
                    pending[alias.operand.value] = alias.operand
        return list(found.values())

    def part_for(self, insertion: Operation, use: OpOperand) -> Value | None:
        """The slice that replaces a `use` of an empty tensor; None without a legal position, or if it cannot be
        extracted."""
        empty = use.value
        needed = _needed_values(insertion)
        user = _statement(use.owner)
        place = self.place_for(needed, empty, user)
        if self.only_where_inserted and (place or user).ancestor_in_block(insertion.block) is None:
            return None
        in_memory = not t.is_tensor(insertion.op_operands[1].value.type)
        mirrors = RESTRICTED_DESTINATIONS in self.mirrored
        if in_memory and not mirrors and not self.is_unobserved(insertion, place or user):
            return None
        if place is None:
            if not self.move_up(needed, user):
                return None
            place = user
        before = Builder.before(place)
        made_by = empty.defining_op
        before.where = made_by.where if made_by is not None else None
        part = _extract(insertion, before)
        if part is None or part.type is empty.type:
            return part
        if expect(t.ShapedType, part.type).element is not expect(t.ShapedType, empty.type).element:
            return None
        after = Builder.after_definition(part)
        after.where = before.where
        return after.insert(tensor.CastOp((part,), (empty.type,))).results[0]

    def is_unobserved(self, insertion: Operation, start: Operation) -> bool:
        """Whether it is unobservable that the tensor occupies its destination from `start` on instead of from
        `insertion` on.

        `restrict` promises that no other tensor aliases the buffer. The program may still access it as a memref: a
        load before the insertion must see the old contents, and a later store must not change the tensor. Accesses
        are disambiguated by their allocations. O(operations from `start` to the last use of the tensor).
        """
        state, block = self.result.unsettled, insertion.block
        first, last = start.ancestor_in_block(block), insertion
        if first is None:
            return False
        made_of = closure(
            [insertion.op_operands[0].value],
            lambda value: [
                alias.operand.value
                for alias in (state.aliasing_operands(value) if state.is_known(owner_of(value)) else ())
            ],
        )
        for value in closure(
            made_of, lambda value: [alias.value for use in value.uses for alias in state.aliasing_values(use)]
        ):
            for use in value.uses:
                around = use.owner.ancestor_in_block(block)
                if around is None or around.has_trait(tr.TERMINATOR):
                    return False
                if isinstance(use.owner, bufferization.ToBufferOp):
                    return False
                if insertion.is_before_in_block(around):
                    if state.writes(use):
                        return False
                    if last.is_before_in_block(around):
                        last = around
        dest = insertion.op_operands[1].value
        op: Operation | None = first
        while op is not None and op is not last.next_op:
            if op is not insertion and any(_may_access(inner, dest) for inner in op.walk()):
                return False
            op = op.next_op
        return True

    def place_for(self, needed: list[Value], empty: Value, user: Operation) -> Operation | None:
        """The first candidate position that all of `needed` dominate and that dominates `user`.

        As in mlir-opt, block arguments count only where their own block, or a region below it, is entered.
        """
        candidates: list[Operation | None] = [empty.defining_op]
        for value in needed:
            if isinstance(value, OpResult):
                candidates.append(value.owner.next_op)
            else:
                assert isinstance(value, BlockArgument)
                candidates.append(value.owner.first_op)
        for place in candidates:
            if place is None or not all(_is_in_scope(value, place) for value in needed):
                continue
            if place is user or comes_before(place, user):
                return place
        return None

    def move_up(self, needed: list[Value], user: Operation) -> bool:
        """Hoist the computation of `needed` before `user`, if all of it is pure and in the same block.

        All of it moves, in order, or nothing. O(operations moved, nested ones included), and sorting them.
        """
        moved: set[Operation] = set()
        pending = [value for value in needed if not is_defined_at(value, user)]
        while pending:
            value = pending.pop()
            op = value.defining_op
            if op is None or op.block is not user.block or op is user:
                return False
            if op in moved:
                continue
            if not is_memory_effect_free(op):
                return False
            moved.add(op)
            for inner in op.walk():
                for use in inner.op_operands:
                    region = use.value.parent_region
                    inside = region is not None and any(r.is_ancestor_of(region) for r in op.regions)
                    if not inside and not is_defined_at(use.value, user):
                        pending.append(use.value)
        if user.block is None:
            return False
        for op in sorted(moved, key=cmp_to_key(_in_order)):
            op.move_before(user)
        return True


def _statement(op: Operation) -> Operation:
    """The operation before which slices may be extracted for `op`: parallel insertions stand among their like only."""
    around = op.parent_op
    return around if isinstance(around, InParallelOpInterface) else op


def _may_access(op: Operation, dest: Value) -> bool:
    """Whether `op` itself may access the buffer of `dest`, into which an insertion with `restrict` goes: that is, it is the
    only way for tensors to access the buffer.
    """
    if isinstance(op, bufferization.ToTensorOp):
        return _may_overlap(op.buffer, dest)
    if isinstance(op, bufferization.MaterializeInDestinationOp) and not op.results:
        return _may_overlap(op.op_operands[1].value, dest)
    origin = strip_views(dest)
    if op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS) and not isinstance(op, MemoryEffectOp):
        return False  # nested operations are queried separately
    effects = memory_effects(op)
    if effects is None:
        return not op.has_trait(tr.TERMINATOR)
    return any(
        effect.kind in (READ, WRITE, FREE) and (effect.value is None or _may_be_in(effect.value, origin))
        for effect in effects
    )


def _may_overlap(one: Value, other: Value) -> bool:
    """Whether two memrefs of the program view one buffer, in parts that are not known to be disjoint."""
    if strip_views(one) is not strip_views(other):
        return False
    views = one.defining_op, other.defining_op
    if not all(isinstance(view, memref.SubViewOp) for view in views):
        return True
    first, second = (expect(memref.SubViewOp, view) for view in views)
    if first.view_source() is not second.view_source():
        return True
    boxes = [part_of(v.mixed_offsets(), v.mixed_sizes(), v.mixed_strides(), ()) for v in (first, second)]
    return boxes[0] is None or boxes[1] is None or not disjoint(boxes[0], boxes[1])


def _may_be_in(buffer: Value, origin: Value) -> bool:
    """Whether a memref may alias the buffer of `origin`: not if both are distinct allocations, or one predates the
    other's."""
    other = strip_views(buffer)
    if other is origin:
        return True
    own = [isinstance(value.defining_op, AllocationOp) for value in (other, origin)]
    return not all(own) and not any(
        allocated and is_function_argument(value)
        for allocated, value in zip(own, (origin, other), strict=True)
    )


def _in_order(left: Operation, right: Operation) -> int:
    return -1 if left.is_before_in_block(right) else 1


def _is_in_scope(value: Value, place: Operation) -> bool:
    """Whether mlir-opt takes a value as available at `place`."""
    if isinstance(value, BlockArgument):
        return place.ancestor_in_block(value.owner) is not None
    return is_defined_at(value, place)


def _needed_values(insertion: Operation) -> list[Value]:
    """The operands of the slice: the destination, and offsets, sizes and strides that are values."""
    operands = insertion.operands
    return [*operands[2:], operands[1]]


def _extract(insertion: Operation, b: Builder) -> Value | None:
    """The slice of the destination that `insertion` overwrites; None if it cannot be extracted."""
    dest = insertion.op_operands[1].value
    if isinstance(insertion, tensor.SliceInsertionOp):
        counts = expect(DenseArrayAttr, insertion.properties[OPERAND_SEGMENTS])
        properties = {key: insertion.properties[key] for key in SLICE_PROPERTIES}
        properties[OPERAND_SEGMENTS] = makers.segments(1, *counts.values[-3:])
        type = insertion.op_operands[0].value.type
        operands = (dest, *insertion.operands[2:])
        return b.insert(tensor.ExtractSliceOp(operands, (type,), None, properties)).results[0]
    if isinstance(insertion, CopyOp):
        return dest
    if not isinstance(insertion, bufferization.MaterializeInDestinationOp):
        return None
    if t.is_tensor(dest.type):
        return dest
    if not insertion.restrict:
        return None
    # `restrict` holds for the tensor too.
    del insertion.properties["restrict"]
    properties = {"restrict": UNIT}
    if insertion.writable:
        properties["writable"] = UNIT
    made = bufferization.ToTensorOp((dest,), (tensor_type_for(dest.type),), None, properties)
    return b.insert(made).results[0]


# `-empty-tensor-to-alloc-tensor`: give every `tensor.empty` a buffer of its own.
#
#     %0 = tensor.empty(%n) : tensor<?xf32>
#   => %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
#
# Like mlir-opt's, the pass also folds operations on the way and removes dead ones.


def to_alloc_tensor(op: Operation, rewriter: Rewriter) -> bool:
    """Replace one empty tensor by one allocation."""
    result = op.results[0]
    cause = Cause(CauseKind.NO_DESTINATION, op, None, result)
    return rewriter.replace_with(op, makers.alloc_tensor(result.type, cause, op.operands))


PATTERNS: dict[type[Operation], Sequence[Pattern]] = {tensor.EmptyOp: (to_alloc_tensor,), **FOLDS_THAT_INSERT}


class EmptyTensorToAllocTensor(Pass):
    """No `tensor.empty` remains. O(operations) per round of folding."""

    name: ClassVar[str] = "empty-tensor-to-alloc-tensor"
    summary: ClassVar[str] = "replace all empty ops by alloc_tensor ops"
    on: ClassVar[str] = "any"

    def run(self, op: Operation, context: Context) -> None:
        outcome = rewrite_greedily(op, lambda inner: PATTERNS.get(type(inner), ()), Config(top_down=False))
        context.note_touched(outcome.touched)
        context.count(self.name, "replaced", outcome.rewritten)
