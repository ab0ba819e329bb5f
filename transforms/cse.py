"""`-cse`: common subexpression elimination.

    %a = memref.dim %m, %c0
    %b = memref.dim %m, %c0     => uses of %b become uses of %a

Operations are equal if they have the same name, operands, attributes and result types, and equal regions of single
blocks. One replaces the other if it dominates it and both are free of memory effects, or if both only read and
nothing between them, in one block, writes. The walk keeps available expressions in scopes, one for each block on
the path down the dominator tree. Terminators and unknown operations are left alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final

from ..analysis.graphs import block_graph
from ..analysis.regions import is_graph_region
from ..analysis.stores import makes_stored_buffer
from ..dialects import bufferization
from ..ir.defects import MERGED_BUFFERS, NESTED_INDICES, Defect
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.dominance import DominatorTree
from ..ir.program.interfaces import READ, WRITE, MemoryEffectOp, is_memory_effect_free, memory_effects
from .pass_base import Context, Pass
from .rewriting.unneeded import DeadCode

MAX_NESTED: Final = 64
"""Operations with more nested operations are not compared: hashing them at each nesting level would be quadratic,
and bodies of that size are rarely duplicated."""

Step = Iterator[Any]
"""A step of the walk; it yields the steps that must run before it continues."""


class Cse(Pass):
    """Merge equal operations. O(operations * log(operations)) for bounded nesting depth."""

    name = "cse"
    summary = "eliminate common subexpressions"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        merging = _Merging(context.mirrored)
        merging.walk(op)
        for victim in merging.dead:
            if victim.parent_op is not None:
                merging.touched.add(victim.parent_op)
            victim.erase()
        context.note_touched(merging.touched - set(merging.dead))
        context.count(self.name, "num-cse'd", merging.replaced)
        context.count(self.name, "num-dce'd", len(merging.dead) - merging.replaced)


class _Merging:
    """One run. `dead` collects operations to erase, users before definitions; `touched` collects those with
    changed operands.

    An operation with regions is known by its operands, types and attributes only; the contents are compared when
    another looks alike, and of those that differ the later ones are known by their contents.
    """

    def __init__(self, mirrored: frozenset[Defect]) -> None:
        self._indices_are_apart = NESTED_INDICES not in mirrored
        self._buffers_are_apart = MERGED_BUFFERS not in mirrored
        self.dead: list[Operation] = []
        self.touched: set[Operation] = set()
        self.replaced = 0
        self._dead_code = DeadCode()
        self._known: dict[Hashable, Operation] = {}
        self._scopes: list[tuple[Hashable, Operation | None]] = []
        self._writes: dict[Block, _Writes] = {}
        self._effect_free: dict[Operation, bool] = {}
        """Answers for operations with regions. Nothing is erased before the end, so they stay true."""

    def walk(self, root: Operation) -> None:
        """Visit everything inside `root`; `_known` holds the expressions available at the current position."""
        stack: list[Step] = [self._regions(root)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)

    def _regions(self, op: Operation) -> Step:
        isolated = op.definition is None or op.has_trait(tr.ISOLATED_FROM_ABOVE)
        around = self._known
        if isolated:
            self._known = {}
        for region in op.regions:
            if region.has_one_block:
                yield self._block(region.entry, not is_graph_region(region), None)
            elif not region.is_empty and not is_graph_region(region):
                yield self._block(region.entry, True, block_graph(region).dominators)
        self._known = around

    def _block(self, block: Block, ordered: bool, tree: DominatorTree[Block] | None) -> Step:
        mark = len(self._scopes)
        for op in block:
            if op.regions:
                yield self._regions(op)
            self._simplify(op, ordered)
        self._writes.pop(block, None)
        for child in tree.children(block) if tree is not None else ():
            yield self._block(child, ordered, tree)
        while len(self._scopes) > mark:
            key, before = self._scopes.pop()
            if before is None:
                del self._known[key]
            else:
                self._known[key] = before

    def _simplify(self, op: Operation, ordered: bool) -> None:
        known = _BY_KIND.get(op.__class__)
        if known is None:
            known = _BY_KIND[op.__class__] = _of_kind(op)
        if known is _TERMINATOR:
            return
        if self._dead_code.is_trivially_dead(op):
            self.dead.append(op)
            self._dead_code.doomed.add(op)
            return
        reads = False
        if known is not _FREE or op.regions:
            reads = _only_reads(op)
            if not reads and not self._is_effect_free(op):
                return
        key = _own_key(op, {})
        if self._indices_are_apart and not op.op_operands and op.has_trait(tr.OF_PARENT):
            key = (key, op.parent_op)
        existing = self._known.get(key)
        if existing is not None and op.regions:
            key = _key(op)
            if key is None:
                return
            if key != _key(existing):
                existing = self._known.get(key)
        if existing is not None and self._may_replace(op, existing, reads):
            self._replace(op, existing, ordered)
            return
        self._scopes.append((key, existing))
        self._known[key] = op

    def _may_replace(self, op: Operation, existing: Operation, reads: bool) -> bool:
        if reads and self._written_between(existing, op):
            return False
        if self._buffers_are_apart and (op.regions or isinstance(op, bufferization.ToBufferOp)):
            return not makes_stored_buffer(op) and not makes_stored_buffer(existing)
        return True

    def _is_effect_free(self, op: Operation) -> bool:
        if not op.regions:
            return is_memory_effect_free(op)
        found = self._effect_free[op] = is_memory_effect_free(op, self._effect_free)
        return found

    def _replace(self, op: Operation, existing: Operation, ordered: bool) -> None:
        for mine, theirs in zip(op.results, existing.results, strict=True):
            self.touched.update(mine.users)
            if ordered:
                mine.replace_all_uses_with(theirs)
            else:  # in graph regions, a use may precede the operation that is kept
                mine.replace_uses_if(theirs, lambda use: not self._is_known(use.owner))
        if existing.location is None:
            existing.location = op.location
        if not any(result.has_uses for result in op.results):
            self.replaced += 1
            self.dead.append(op)

    def _is_known(self, op: Operation) -> bool:
        """Whether an operation equal to `op` was visited and is available."""
        key = _key(op)
        if key in self._known or not op.regions:
            return key in self._known
        alike = self._known.get(_own_key(op, {}))
        return alike is not None and key is not None and _key(alike) == key

    def _written_between(self, first: Operation, second: Operation) -> bool:
        """Whether an operation between the two may write, or they are in different blocks."""
        block = first.block
        if block is None or block is not second.block:
            return True
        writes = self._writes.get(block)
        if writes is None:
            writes = self._writes[block] = _Writes(block)
        last = writes.last_before(second)
        return last is not None and first.is_before_in_block(last)


class _Writes:
    """The last write before a position in a block, for positions queried in order. O(block) in total."""

    __slots__ = ("_at", "_last")

    def __init__(self, block: Block) -> None:
        self._at = block.first_op
        self._last: Operation | None = None

    def last_before(self, op: Operation) -> Operation | None:
        at = self._at
        while at is not None and at is not op:
            effects = memory_effects(at)
            if effects is None or any(effect.kind == WRITE for effect in effects):
                self._last = at
            at = at.next_op
        self._at = at
        return self._last


_TERMINATOR, _FREE, _DEPENDS = "terminator", "free", "depends"
_BY_KIND: dict[type[Operation], str] = {}
"""Whether operations of each kind, without regions, have no memory effects. Most kinds are decided."""


def _of_kind(op: Operation) -> str:
    if op.may_be_terminator:
        return _TERMINATOR
    return (
        _DEPENDS if op.regions or isinstance(op, MemoryEffectOp) or not is_memory_effect_free(op) else _FREE
    )


def _only_reads(op: Operation) -> bool:
    if op.regions or not isinstance(op, MemoryEffectOp):
        return False
    effects = op.memory_effects()
    return bool(effects) and all(effect.kind == READ for effect in effects)


def _key(op: Operation) -> Hashable | None:
    """The hash key shared by equal operations; None if `op` is not compared. O(operands and contents)."""
    if not op.regions:
        return _own_key(op, {})
    numbers: dict[Value, int] = {}
    parts: list[Hashable] = [_own_key(op, numbers)]
    pending: list[Region] = list(reversed(op.regions))
    count = 0
    while pending:
        region = pending.pop()
        parts.append("region")
        if region.is_empty:
            continue
        if not region.has_one_block:
            return None
        for arg in region.entry.args:
            numbers[arg] = len(numbers)
            parts.append(arg.type)
        for inner in region.entry:
            count += 1
            if count > MAX_NESTED:
                return None
            parts.append(_own_key(inner, numbers))
            for result in inner.results:
                numbers[result] = len(numbers)
            pending.extend(reversed(inner.regions))
    return tuple(parts)


def _own_key(op: Operation, numbers: dict[Value, int]) -> Hashable:
    """The key of `op` without its regions; values defined inside the compared operation are keyed by number."""
    operands: list[Hashable]
    if numbers:
        operands = [numbers.get(use._value, use._value) for use in op.op_operands]
    else:
        operands = [use._value for use in op.op_operands]
    properties = op.properties
    definition = op.definition
    if definition is not None:
        if len(operands) > 1 and definition.is_commutative:
            operands = [frozenset((operand, operands.count(operand)) for operand in operands)]
        if definition.defaults:
            properties = {**definition.defaults, **properties}
    return (
        op.name,
        tuple(operands),
        *[result.type for result in op.results],
        frozenset(properties.items()) if properties else None,
        frozenset(op.attributes.items()) if op.attributes else None,
        op.successors,
    )
