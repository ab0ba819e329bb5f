"""Which values may own a buffer, which only view one, and how operations transfer ownership.

An *owner* is a memref through which a buffer may have to be freed:

  H1  a *root*: the result of an allocation, or of a call that transfers ownership to its caller;
  H2  an *input*: a block argument, region argument or result that receives a memref from an edge. An unused block argument
      is not an owner: buffers forwarded to it are freed before;
  H3  a *choice* among several owners: the result of `arith.select`, a memref loaded from a table of memrefs, a result of an
      unknown operation, a result of a call that may be one of its arguments.

Every other memref is a *view* of one owner (a subview, a cast), or of memory that the function does not own: an argument, a
global, the stack. A value of another type *carries* the buffers that are reachable through it: an address, a tensor over a
buffer, the token of an asynchronous operation, which keeps its operands live until it is awaited.

  O1  An operation with a Free effect on a view *frees* the buffer of its owner; so does `memref.realloc`, which also defines
      a root, and a call to a function that frees its argument (`taken`).
  O2  An operation through which a memref or carrier escapes (`escapes`) *keeps* it: it is never freed here. So does a
      transfer whose end is unknown (`Transfers`).
  O3  So does a closed operation (`flow`) in which the program frees a buffer from outside: freeing it is left to the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from ...dialects import arith, memref
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    BranchOp,
    CallOpInterface,
    MemoryEffectOp,
    ViewLikeOp,
)
from ...ir.source.records import record, replace
from ...ir.types import attributes as a, types as t
from ..allocations import EXPOSING, Stores, carries, is_local_table, lets_out
from ..origins import is_buffer, strip_views
from .contracts import AWAY, Contracts, Gives, OwnershipTransfer, Takes
from .flow import ExtendedBlock, ExtendedBlockGraph, guarded_frees, has_known_region_flow, uses_inside

# Asynchronous transfers (`dma_start`): their buffers must stay allocated until they are awaited.
#
# A transfer and its waits (`dma_wait`) use the same tag buffer. A wait is *sure* for a transfer if it follows the transfer in the
# same block, or follows an operation around it: every path from the transfer reaches the wait. The buffers of a transfer are live
# at each sure wait, up to the first one in its own block with the same element of the tag.
#
# If there is no sure wait, or the buffers are not visible there (they differ per iteration, for example), the end of the transfer
# is unknown: it keeps its buffers and its tag, which are never freed here.

STARTS = frozenset(("memref.dma_start", "affine.dma_start"))
WAITS = frozenset(("memref.dma_wait", "affine.dma_wait"))


class Transfers:
    """The transfers of a function. O(operations + transfers * waits for the same tag).

    Attributes:
        awaited: by waiting operation, the memrefs of the transfers that it waits for.
        endless: by starting operation, the memrefs of a transfer whose end is unknown.
    """

    def __init__(self, function: Operation) -> None:
        self.awaited: dict[Operation, list[Value]] = {}
        self.endless: dict[Operation, list[Value]] = {}
        starts: list[Operation] = []
        waits: dict[Value, list[Operation]] = {}
        for op in function.walk():
            if op.name in STARTS:
                starts.append(op)
            elif op.name in WAITS:
                waits.setdefault(strip_views(op.operands[0]), []).append(op)
        for start in starts:
            *moved, tag = [value for value in start.operands if is_buffer(value)]
            sure = _sure(start, tag, waits.get(strip_views(tag), ()))
            for value in (*moved, tag):
                there = [wait for wait in sure if _can_name(wait, value)]
                for wait in there:
                    self.awaited.setdefault(wait, []).append(value)
                if not there or there[-1] is not sure[-1]:
                    self.endless.setdefault(start, []).append(value)


def _sure(start: Operation, tag: Value, waits: list[Operation] | tuple[()]) -> list[Operation]:
    """The sure waits of a transfer, in order, up to the first one for its own element of the tag."""
    element = _indices(start, tag)
    found: list[Operation] = []
    for wait in waits:
        around = start.ancestor_in_block(wait.block) if wait.block is not None else None
        if around is None or around is wait or not around.is_before_in_block(wait):
            continue
        found.append(wait)
        if wait.block is start.block and wait.operands[0] is tag and _indices(wait, tag) == element:
            break
    return found


def _indices(op: Operation, tag: Value) -> tuple[object, ...]:
    """The element of a tag that an operation accesses: the operands after the tag, and their map."""
    operands = op.operands
    at = max(i for i, value in enumerate(operands) if value is tag)
    places = op.get_attr("tag_map")
    rank = (
        places.map.num_dims + places.map.num_symbols
        if isinstance(places, a.AffineMapAttr)
        else getattr(tag.type, "rank", 0)
    )
    return (*operands[at + 1 : at + 1 + rank], places)


def _can_name(op: Operation, value: Value) -> bool:
    home = value.parent_block
    return home is not None and op.ancestor_in_block(home) is not None


WAITING = frozenset(("gpu.wait", "async.await"))
"""Operations after which the asynchronous operation of a token has ended."""


class OwnerKind(Enum):
    """How an owner is defined."""

    ROOT = "root"
    INPUT = "input"
    CHOICE = "choice"


@record(eq=False, repr=False)
class BufferOwner:
    """A value that may own a buffer.

    Attributes:
        value: the memref.
        kind: see the module.
        home: the extended block that defines it.
        at: the index of the defining operation there, -1 for an input.
        bit: its number among the owners that are live across extended blocks, -1 for others.
        foreign: whether it may be memory that the function does not own.
        sources: for a choice, the values that it may be.
        flag: for the result of a call with an ownership flag: the result that is the flag, or the name of a variable if there
            is none yet.
        is_exact: whether such a result is one of `sources` if it is not owned.
    """

    value: Value
    kind: OwnerKind
    home: ExtendedBlock
    at: int
    bit: int = -1
    foreign: bool = False
    flag: Value | tuple[str, Value] | None = None
    is_exact: bool = False
    sources: tuple[Value, ...] = ()

    @property
    def order(self) -> tuple[int, int]:
        """A sort key: an owner that dominates another comes before it."""
        return self.home.number, self.at


class Action(NamedTuple):
    """An operation frees or keeps a buffer.

    Attributes:
        op: the operation, which may be nested in the one with index `at`.
        at: the index of an operation in its extended block.
        value: the memref or carrier.
        conditions: the action happens if all of these hold.
    """

    op: Operation
    at: int
    value: Value
    conditions: tuple[Value, ...] = ()


class BufferOwners:
    """The owners of a function. O(operations + owners that each value may view).

    Attributes:
        all: in order of discovery; dominating ones first.
        uses: by extended block and index of an operation, the owners it uses.
        frees, keeps: by extended block, the operations of O1 and O2.
    """

    def __init__(self, flow: ExtendedBlockGraph, contracts: Contracts) -> None:
        self.flow = flow
        self._contracts = contracts
        self.all: list[BufferOwner] = []
        self._one: dict[Value, BufferOwner] = {}
        self._many: dict[Value, tuple[BufferOwner, ...]] = {}
        self.uses: dict[ExtendedBlock, list[tuple[int, tuple[BufferOwner, ...]]]] = {}
        self.made: dict[ExtendedBlock, list[BufferOwner]] = {}
        self.frees: dict[ExtendedBlock, list[Action]] = {}
        self.keeps: dict[ExtendedBlock, list[Action]] = {}
        self._tables = _local_tables(flow)
        self._transfers = Transfers(flow.function)
        self._unused = _unused_inputs(flow)
        for ebb in flow.ebbs:
            self._ebb(ebb)
        if flow.any_closed:
            self._leave_to_the_program()
        self._mark_foreign()

    def of(self, value: Value) -> BufferOwner | None:
        """The owner that `value` is or views, if there is exactly one."""
        return self._one.get(value)

    def possible(self, value: Value) -> tuple[BufferOwner, ...]:
        """The owners that `value` may view or carry; empty for memory that the function does not own."""
        one = self._one.get(value)
        return (one,) if one is not None else self._many.get(value, ())

    def gives(self, index: int) -> OwnershipTransfer:
        """The ownership transfer of the function's own result `index`."""
        function = self.flow.function
        if not isinstance(function, FunctionLikeOp):
            return AWAY
        ownership_transfer = self._contracts.of_own_result(function, index)
        return (
            replace(ownership_transfer, flag=-1)
            if (function, index) in self._contracts.unsettled
            else ownership_transfer
        )

    # -- building

    def _add(self, value: Value, kind: OwnerKind, home: ExtendedBlock, at: int) -> BufferOwner:
        owner = self._one[value] = BufferOwner(value, kind, home, at)
        self.all.append(owner)
        self.made.setdefault(home, []).append(owner)
        return owner

    def _ebb(self, ebb: ExtendedBlock) -> None:
        for value in ebb.inputs:
            if is_buffer(value) and ebb.arriving and value not in self._unused:
                self._add(value, OwnerKind.INPUT, ebb, -1)
        after = ebb.after
        if after is not None and not has_known_region_flow(after):
            self._results_of_unknown(after, ebb)
        last = ebb.last
        for at, op in enumerate(ebb.ops):
            is_cut = op is last and any(p.target.after is op or p.successor is None for p in ebb.leaving)
            self._operation(op, at, ebb, is_cut)

    def _operation(self, op: Operation, at: int, ebb: ExtendedBlock, is_cut: bool) -> None:
        used: dict[BufferOwner, None] = {}
        for value in uses_inside(op, is_cut):
            used.update(dict.fromkeys(self.possible(value)))
        if isinstance(op, memref.LoadOp):
            for stored in self._stored(op):
                used.update(dict.fromkeys(self.possible(stored)))
        for moved in self._transfers.awaited.get(op, ()):
            used.update(dict.fromkeys(self.possible(moved)))
        for moved in self._transfers.endless.get(op, ()):
            if self.possible(moved):
                self.keeps.setdefault(ebb, []).append(Action(op, at, moved))
        taken = self._contracts.taken(op) if isinstance(op, CallOpInterface) else {}
        stores = Stores(op)
        for use in op.op_operands:
            held = self.possible(use.value)
            takes = taken.get(use.index) if held else None
            if takes is Takes.FREES:
                self.frees.setdefault(ebb, []).append(Action(op, at, use.value))
            elif held and (takes or self._keeps(use, stores) or self._is_given_out(use, ebb)):
                self.keeps.setdefault(ebb, []).append(Action(op, at, use.value))
        guarded = guarded_frees(op) if op.regions and not is_cut else []
        for inner in op.walk() if guarded else ():
            if isinstance(inner, ViewLikeOp):
                self._results(inner, at, ebb, used)
        for freeing, conditions in guarded or [(op, ())]:
            for effect in freeing.memory_effects() if isinstance(freeing, MemoryEffectOp) else ():
                if effect.kind == FREE and effect.value is not None and self.possible(effect.value):
                    self.frees.setdefault(ebb, []).append(Action(freeing, at, effect.value, conditions))
        if used:
            self.uses.setdefault(ebb, []).append((at, tuple(used)))
        if op.results and not is_cut:
            self._results(op, at, ebb, used)

    def _results(self, op: Operation, at: int, ebb: ExtendedBlock, used: dict[BufferOwner, None]) -> None:
        if isinstance(op, ViewLikeOp):
            self._view(op.results[0], op.view_source())
            return
        if isinstance(op, arith.SelectOp) and is_buffer(op.results[0]):
            self._choice(op.results[0], op.operands[1:], ebb, at)
            return
        allocated = allocated_results(op)
        for result in op.results:
            if result in allocated:
                self._add(result, OwnerKind.ROOT, ebb, at)
            elif isinstance(op, CallOpInterface):
                if is_buffer(result):
                    self._call_result(op, result, ebb, at)
            elif isinstance(op, memref.LoadOp):
                self._choice(result, self._stored(op), ebb, at)
            elif is_buffer(result):
                if not isinstance(op, MemoryEffectOp) or result not in _made_by(op):
                    self._choice(result, [v for v in op.operands if is_buffer(v)], ebb, at)
            elif used and self._is_carrier(op, result):
                self._may_view(result, used)

    def _leave_to_the_program(self) -> None:
        """O3: after a closed operation it is unknown whether a free inside it has run. O(frees)."""
        holds = {s.last: s for s in self.flow.ebbs if s.last is not None}
        for ebb, actions in self.frees.items():
            left: list[Action] = []
            for action in actions:
                one = self._one.get(action.value)
                around = one and self.flow.closed_around(ebb.block, one.home.block)
                if one is None or around is None:
                    left.append(action)
                else:
                    outer = holds[around]
                    at = len(outer.ops) - 1
                    self.keeps.setdefault(outer, []).append(Action(around, at, one.value))
                    self.uses.setdefault(outer, []).append((at, (one,)))
            self.frees[ebb] = left

    def _choice(self, result: Value, sources: Iterable[Value], ebb: ExtendedBlock, at: int) -> None:
        """Add `result` as a choice among `sources`, if the function may own any of these."""
        known = tuple(value for value in sources if self.possible(value) or value in self._one)
        if known:
            self._add(result, OwnerKind.CHOICE, ebb, at).sources = tuple(sources)

    def _stored(self, op: memref.LoadOp) -> list[Value]:
        """The memrefs that a load from a table may return: those stored before it."""
        return self._tables.get(op.operands[0], [])

    def _view(self, result: Value, source: Value) -> None:
        one = self._one.get(source)
        if one is not None:
            self._one[result] = one
        else:
            self._may_view(result, self._many.get(source, ()))

    def _may_view(self, result: Value, held: Iterable[BufferOwner]) -> None:
        found = tuple(dict.fromkeys(held))
        if found:
            self._many[result] = found

    def _call_result(self, op: CallOpInterface, result: OpResult, ebb: ExtendedBlock, at: int) -> None:
        gives = self._contracts.of_result(op, result.index)
        borrowed = gives.borrowed(op)
        if gives.kind is Gives.PASSED and borrowed:
            self._view(result, borrowed[0])
            return
        if gives.kind is Gives.BORROWED:
            self._choice(result, borrowed, ebb, at)
            return
        if gives.kind is Gives.FLAGGED:
            owner = self._add(result, OwnerKind.CHOICE, ebb, at)
            owner.sources = tuple(borrowed)
            owner.flag = op.results[gives.flag] if 0 <= gives.flag < len(op.results) else ("flag", result)
            owner.is_exact = gives.exact
            return
        self._add(result, OwnerKind.ROOT, ebb, at)

    def _results_of_unknown(self, op: Operation, ebb: ExtendedBlock) -> None:
        """P3: the results of an operation with unknown region control flow, which may still run after it returns."""
        held: dict[BufferOwner, None] = {}
        for inner in op.walk():
            for value in inner.operands:
                for owner in self.possible(value):
                    if not op.is_proper_ancestor_of(owner.home.block.parent_op or op):
                        held[owner] = None
        for result in op.results:
            if is_buffer(result):
                self._choice(result, [owner.value for owner in held], ebb, -1)
            elif not _is_plain(result.type):
                self._may_view(result, held)

    def _is_given_out(self, use: OpOperand, ebb: ExtendedBlock) -> bool:
        """Whether the terminator of a region of P3 forwards a buffer from inside to an unknown receiver."""
        around = ebb.block.parent_op
        return (
            use.owner is ebb.block.last_op
            and not use.owner.successors
            and is_buffer(use.value)
            and around is not None
            and around is not self.flow.function
            and not has_known_region_flow(around)
            and any(around.is_ancestor_of(held.home.block.parent_op) for held in self.possible(use.value))
        )

    def _keeps(self, use: OpOperand, stores: Stores) -> bool:
        op = use.owner
        if is_buffer(use.value):
            return stores.keeps(use)
        if isinstance(op, CallOpInterface) or op.definition is None:
            return isinstance(op, CallOpInterface)
        if _is_token(use.value.type) and (
            op.name in WAITING or (op.results and all(_is_token(result.type) for result in op.results))
        ):
            return False
        return not isinstance(op, EXPOSING) and lets_out(op)

    def _is_carrier(self, op: Operation, result: Value) -> bool:
        """Whether a result of another type may carry the buffer of an operand."""
        if isinstance(op, EXPOSING):
            return True
        if op.definition is None:
            return not _is_plain(result.type)
        if _is_token(result.type):
            return True
        return any(
            value in self._many and not is_buffer(value) and carries(value, result) for value in op.operands
        )

    def _mark_foreign(self) -> None:
        """Propagate `foreign` from values that the function does not own along forwarded operands."""
        targets: dict[BufferOwner, list[BufferOwner]] = {}
        waiting: list[BufferOwner] = []

        def source(value: Value, target: BufferOwner) -> None:
            one = self._one.get(value)
            if one is not None:
                targets.setdefault(one, []).append(target)
            elif not target.foreign:
                target.foreign = True
                waiting.append(target)

        for ebb in self.flow.ebbs:
            for edge in ebb.arriving:
                for argument, value in edge.passed:
                    owner = self._one.get(argument)
                    if owner is not None:
                        source(value, owner)
        for owner in self.all:
            for value in owner.sources:
                source(value, owner)
        while waiting:
            for target in targets.get(waiting.pop(), ()):
                if not target.foreign:
                    target.foreign = True
                    waiting.append(target)


def _unused_inputs(flow: ExtendedBlockGraph) -> set[Value]:
    """Block arguments without uses other than being forwarded to such arguments. O(inputs + uses)."""
    unused = {
        value
        for ebb in flow.ebbs
        if ebb.arriving and all(edge.successor is not None for edge in ebb.arriving)
        for value in ebb.inputs
        if is_buffer(value) and all(isinstance(use.owner, BranchOp) for use in value.uses)
    }
    sources: dict[Value, list[Value]] = {}
    passed: dict[Value, int] = {}
    for ebb in flow.ebbs:
        for edge in ebb.leaving:
            for argument, value in edge.passed:
                if value in unused:
                    sources.setdefault(argument, []).append(value)
                    passed[value] = passed.get(value, 0) + (edge.successor is not None)
    waiting = [argument for argument in sources if argument not in unused]
    waiting += [value for value in unused if passed.get(value, 0) != len(value.uses)]
    while waiting:
        used = waiting.pop()
        unused.discard(used)
        waiting += [value for value in sources.get(used, ()) if value in unused]
    return unused


def allocated_results(op: Operation) -> list[Value]:
    """The results that `op` allocates on the heap, unless they are marked for manual deallocation."""
    if not isinstance(op, MemoryEffectOp) or op.get_attr(MANUAL_DEALLOCATION) is not None:
        return []
    return [
        effect.value
        for effect in op.memory_effects()
        if effect.kind == ALLOCATE
        and effect.value is not None
        and effect.value.defining_op is op
        and effect.resource != STACK_RESOURCE
    ]


def _made_by(op: MemoryEffectOp) -> list[Value | None]:
    """The results that an operation allocates, in any kind of memory."""
    return [effect.value for effect in op.memory_effects() if effect.kind == ALLOCATE]


def _is_token(type: t.Type) -> bool:
    """Whether a value is the token of an asynchronous operation."""
    return isinstance(type, t.DialectType) and (
        type.body == "async.token" or (type.dialect == "async" and type.body == "token")
    )


def _is_plain(type: t.Type) -> bool:
    """Whether a value of this type holds numbers only."""
    return isinstance(type, (t.IntegerType, t.FloatType, t.IndexType, t.ComplexType, t.VectorType))


def _local_tables(flow: ExtendedBlockGraph) -> dict[Value, list[Value]]:
    """For tables of memrefs that do not escape, the values stored in them. O(operations + uses)."""
    tables: dict[Value, list[Value]] = {}
    for ebb in flow.ebbs:
        for op in ebb.ops:
            if (
                isinstance(op, memref.StoreOp)
                and is_buffer(op.operands[0])
                and is_local_table(op.operands[1], op.operands[0])
            ):
                tables.setdefault(op.operands[1], []).append(op.operands[0])
    return tables
