"""Leaks: heap allocations that a function never frees, or frees only on some paths.

A function *releases* an allocation where it frees a memref that may view it (`ViewFlow`), returns it, lets its address
escape (`escapes`), calls a function that frees or keeps it (`taken`), or passes it to an operation with unknown memory
effects. Possible releases count as releases, which avoids false positives. Where branches join, one of several buffers
goes on: it is released where its branch yields it, if what goes on is released.

*Never released*: no operation of the function releases it.

*Leaked on a path*: at a branch, one successor leaks the allocation if

  L1  some path to the branch allocates it and does not release it;
  L2  no path through this successor releases it, or a later buffer of the same operation;
  L3  some path through another successor does;
  L4  the condition is independent: it is not a constant, is not computed from an address, is not the result of a region or
      call or a block argument (such flags encode ownership), and decides no other operation of the function.

*Lost on a path* (`paths`): where one of several buffers goes on, another one of them is neither released nor goes on.

*Lost on a cycle*: some path leads from the allocation back to it, and no path to it releases the previous buffer.

The rules are F1, F3, F4, F8 and F14 of `rules/lifetimes.dl`; the dataflow results are asserted as facts.

L4 excludes infeasible paths: a second branch on the same condition takes the same side as the first. Loops do not count as
branches, as their bounds usually imply whether the body runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

from ...dialects import bufferization
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    CallOpInterface,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
    is_allocation,
)
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import present
from ...ir.source.records import record
from ...ir.types.attributes import SymbolRefAttr
from ...semantics.frees import freed_by
from ..allocations import escaping_allocations, is_loop, leaked
from ..causes import FactBase
from ..dataflow.framework import DenseAnalysis
from ..dataflow.graph import Segment
from ..dataflow.solver import solve
from ..fixpoint import BACKWARD, FORWARD, Direction
from ..origins import ViewFlow, closure, is_buffer
from .conditions import IndependentConditions, RunConditions, condition_of
from .contracts import Contracts, Takes
from .decisions import Decision
from .paths import Lost, Paths, needs_paths

Values = frozenset[Value]
NOTHING: Values = frozenset()


@record(frozen=True)
class PathLeak:
    """An allocation that is released on some paths from a branch and not on others.

    Attributes:
        value: the allocation.
        branch: the branching operation.
        way: the index of the successor that leaks it.
        where: the decisions of the path that leaks it, the last of them by `branch`.
        release: an operation that releases it on another path.
    """

    value: Value
    branch: Operation
    way: int
    where: Sequence[Decision]
    release: Operation


class Releases:
    """The heap allocations of one function, and their releases.

    Building takes O(operations + edges). Allocations marked `bufferization.manual_deallocation` are excluded.

    Attributes:
        allocated: the allocations, in textual order.
        released: the memrefs that are released, each with the releasing operation; None if the address escapes.
    """

    def __init__(
        self,
        function: FunctionOp,
        taken: Callable[[CallOpInterface], Iterable[int]],
        new: Callable[[CallOpInterface], Iterable[int]] = lambda call: (),
    ) -> None:
        """
        Args:
            taken: the indices of the operands that a call frees or keeps.
            new: the indices of the results of a call that are newly allocated for the caller.
        """
        self.function = function
        self._conditions = RunConditions(function)
        self.allocated: list[Value] = []
        self.released: list[tuple[Value, Operation | None]] = []
        for op in function.walk():
            self.released += ((value, op) for value in _takes_ownership_of(op, function))
            if isinstance(op, CallOpInterface) and any(map(is_buffer, op.operands)):
                self.released += ((op.operands[i], op) for i in taken(op))
            if (
                isinstance(op, CallOpInterface)
                and any(map(is_buffer, op.results))
                and not self._conditions.contradict(op)
            ):
                self.allocated += (op.results[i] for i in new(op))
            if isinstance(op, MemoryEffectOp) and not isinstance(op, bufferization.DeallocOp):
                self._effects(op)
        if self.allocated:
            self.released += ((value, None) for value in escaping_allocations(function))

    def _effects(self, op: MemoryEffectOp) -> None:
        for effect in op.memory_effects():
            if effect.value is None:
                continue
            if effect.kind == FREE:
                self.released.append((effect.value, op))
            elif (
                effect.kind == ALLOCATE
                and effect.value.defining_op is op
                and effect.resource != STACK_RESOURCE
                and op.get_attr(MANUAL_DEALLOCATION) is None
                and not self._conditions.contradict(op)
            ):
                self.allocated.append(effect.value)

    @cached_property
    def _flow(self) -> ViewFlow:
        return ViewFlow(self.function, conservative=True)

    def assert_facts(self, fact_base: FactBase) -> None:
        """Assert which values are allocated, and which of them may be released. O(operations + edges)."""
        if self.allocated:
            released = set(self._flow.resolve_back(value for value, _ in self.released))
            for value in self.allocated:
                fact_base.assert_fact("allocated", value)
                if value in released:
                    fact_base.assert_fact("may_be_released", value)

    def elsewhere(self) -> dict[Value, list[Operation]]:
        """The releases of allocations that have some, but none in their own block, and that do not escape."""
        if not self.allocated:
            return {}
        releases: dict[Value, list[Operation | None]] = {}
        for value, op in self.released:
            releases.setdefault(value, []).append(op)
        found: dict[Value, list[Operation]] = {}
        for value in self.allocated:
            block = value.parent_block
            own = releases.get(value, ())
            if any(op is None or op.block is block for op in own):
                continue
            ops = [op for view in self._flow.resolve(value) for op in releases.get(view, ())]
            if all(op is not None for op in ops):
                ops = [
                    op for view in closure([value], self._within) for op in self._releases_of(view, releases)
                ]
            known = [op for op in ops if op is not None]
            if known and len(known) == len(ops) and not any(op.block is block for op in known):
                found[value] = known
        return found

    def _within(self, view: Value) -> Iterator[Value]:
        """The memrefs that view what `view` does whichever branch is taken."""
        return (v for v in self._flow.targets.get(view, ()) if not _is_joined(v))

    def _releases_of(
        self, view: Value, releases: Mapping[Value, list[Operation | None]]
    ) -> Iterator[Operation | None]:
        """What releases `view`, or hands it to the join of branches where one of several buffers is released. O(views behind)."""
        yield from releases.get(view, ())
        for joined in filter(_is_joined, self._flow.targets.get(view, ())):
            if any(later in releases for later in self._flow.resolve(joined)):
                yield from (user for user in view.users if user.parent_op is joined.defining_op)


def _is_joined(value: Value) -> bool:
    """Whether a value is one of several, as the branch decides that leads to it."""
    op = value.defining_op
    return isinstance(op, RegionBranchOp) and not isinstance(op, LoopLikeOp)


def _runs_once(value: Value) -> bool:
    """Whether the loop in which an allocation stands is known to run once at most."""
    loop = value.parent_block.parent_op if value.parent_block is not None else None
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    return count is not None and count <= 1


def _is_new_result(
    function: FunctionOp, index: int, flow: ViewFlow, escaping: set[Value], freed: list[Value]
) -> bool:
    """Whether a result of a function always is one of its own allocations, which it does not free, does not return as
    another result, too, and whose address does not escape.
    """
    ends = [block.last_op for block in function.body]
    returns = [end for end in ends if end is not None and end.has_trait(tr.RETURN_LIKE)]
    origins = [
        value
        for value in flow.resolve_back(end.operands[index] for end in returns)
        if value in flow.terminals
    ]
    others = [use.value for end in returns for use in end.op_operands if use.index != index]
    gone = escaping.union(flow.resolve_back((*freed, *others)))
    return bool(origins) and all(is_allocation(value) and value not in gone for value in origins)


def _takes_ownership_of(op: Operation, function: FunctionOp) -> list[Value]:
    """The memrefs whose ownership `op` may take, other than those with a Free effect."""
    if isinstance(op, bufferization.DeallocOp):
        return list(op.memrefs)
    if op.definition is None or not _is_understood(op):
        return [value for value in op.operands if is_buffer(value)]
    if op.has_trait(tr.RETURN_LIKE) and op.parent_op is function:
        return list(op.operands)
    return []


def _is_understood(op: Operation) -> bool:
    """Whether the memory effects of `op` are known, so that it frees nothing else."""
    return (
        isinstance(op, (MemoryEffectOp, CallOpInterface, ViewLikeOp, RegionBranchOp))
        or op.has_trait(tr.PURE)
        or op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
        or (op.definition is not None and op.definition.is_terminator)
        or not any(is_buffer(value) for value in op.operands)
    )


# -- the three dataflow analyses, and the leaks that follow


class Leaks:
    """The leaks of functions.

    Allocations that are released in their own block, as nearly all are, need no dataflow analysis. The others are solved for
    together, as bit sets.

    Attributes:
        fact_base: the facts, with the rules.
        paths: the paths through functions where one of several buffers goes on.
    """

    def __init__(self, functions: Iterable[FunctionOp]) -> None:
        self.fact_base = FactBase("lifetimes")
        self._releases: dict[Value, list[Operation]] = {}
        self._branches: dict[Operation, int] = {}
        self._contracts: Contracts | None = None
        self._symbols = SymbolTables()
        self._new_results: dict[Operation, list[int]] = {}
        self._is_followed: dict[Operation, bool] = {}
        self.paths: dict[FunctionOp, Paths] = {}
        self._lost: dict[tuple[Value, Operation, int], PathLeak] = {}
        functions = list(functions)
        for function in functions:
            releases = Releases(function, self._taken, self._new)
            releases.assert_facts(self.fact_base)
            elsewhere = releases.elsewhere()
            if elsewhere:
                self._releases |= elsewhere
                self._assert_path_facts(function, elsewhere)
            if needs_paths(function, self._frees_one):
                self._follow_paths(function, releases)

    def _follow_paths(self, function: FunctionOp, releases: Releases) -> None:
        """Assert which allocations a path loses. O(steps followed)."""
        escaping = {value for value, op in releases.released if op is None}
        allocated = [value for value in releases.allocated if value not in escaping]
        paths = self.paths[function] = Paths(function, allocated, self._taken, self._followed)
        for event in paths.events:
            release = paths.released.get(event.value) if isinstance(event, Lost) else None
            where = paths.where(event) if release is not None else []
            if isinstance(event, Lost) and release is not None and where:
                branch, way = where[-1].op, where[-1].way
                self._branches.setdefault(branch, len(self._branches))
                self._lost[event.value, branch, way] = PathLeak(event.value, branch, way, where, release)
                self.fact_base.assert_fact("lost_on_path", event.value, branch, way)

    def _taken(self, call: CallOpInterface) -> dict[int, Takes]:
        if self._contracts is None:
            self._contracts = Contracts(SymbolTables(), call.root)
        return self._contracts.taken(call)

    def _followed(self, call: CallOpInterface) -> FunctionOp | None:
        """The callee, if it frees operands, and neither stores nor exposes an address. O(callee), once."""
        callee = self._contracts.callee(call) if self._taken(call) and self._contracts is not None else None
        if not isinstance(callee, FunctionOp) or callee.body.is_empty:
            return None
        if callee not in self._is_followed:
            self._is_followed[callee] = not leaked(callee)
        return callee if self._is_followed[callee] else None

    def _frees_one(self, call: CallOpInterface) -> bool:
        """Whether it depends on the callee's path which operands it frees."""
        if not any(map(is_buffer, call.operands)) or Takes.KEEPS not in self._taken(call).values():
            return False
        return self._followed(call) is not None

    def _new(self, call: CallOpInterface) -> list[int]:
        """The results of a call that the callee allocates, each time, and keeps nowhere: the caller has to free them. O(callee), once."""
        name = call.properties.get("callee")
        callee = self._symbols.resolve(call, name) if isinstance(name, SymbolRefAttr) else None
        if not isinstance(callee, FunctionOp) or callee.body.is_empty:
            return []
        if callee not in self._new_results:
            flow = ViewFlow(callee, conservative=True)
            escaping = set(escaping_allocations(callee))
            frees = (op for op in callee.walk() if not isinstance(op, bufferization.DeallocOp))
            freed = [value for op in frees for value in freed_by(op)]
            self._new_results[callee] = [
                index
                for index in range(len(call.results))
                if is_buffer(call.results[index]) and _is_new_result(callee, index, flow, escaping, freed)
            ]
        return self._new_results[callee]

    def on_cycles(self) -> list[tuple[Value, Operation]]:
        """The allocations that execute again before their buffer is freed, each with what frees the last one."""
        found = self.fact_base.query("lost_on_cycle")
        return [(v, op) for v, op in found if isinstance(v, Value) and isinstance(op, Operation)]

    def never(self) -> list[Value]:
        """The allocations that nothing releases, in textual order."""
        return [value for (value,) in self.fact_base.query("never_freed") if isinstance(value, Value)]

    def on_some_paths(self) -> list[PathLeak]:
        """The allocations that leak on a path, each at the first branch that leaks it."""
        first: dict[Value, tuple[Operation, int]] = {}
        for value, branch, way in self.fact_base.query("freed_on_some_paths"):
            assert isinstance(value, Value) and isinstance(branch, Operation) and isinstance(way, int)
            known = first.get(value)
            if known is None or (self._branches[branch], way) < (self._branches[known[0]], known[1]):
                first[value] = branch, way
        found = []
        for value, (branch, way) in first.items():
            leak = self._lost.get((value, branch, way))
            if leak is None:
                decision = Decision(branch, present(condition_of(branch, way)).value, way, way + 1, 0)
                leak = PathLeak(value, branch, way, [decision], self._releases[value][0])
            found.append(leak)
        return sorted(found, key=lambda leak: self._branches[leak.branch])

    def _assert_path_facts(self, function: FunctionOp, releases: dict[Value, list[Operation]]) -> None:
        """Assert which allocations may be held at each branch."""
        bit = {value: 1 << i for i, value in enumerate(releases)}
        made: dict[Operation | None, int] = {}
        for value, mask in bit.items():
            made[value.defining_op] = mask
        everything = (1 << len(bit)) - 1
        let_go: dict[Operation, int] = {}
        for value, ops in releases.items():
            for op in ops:
                let_go[op] = let_go.get(op, 0) | bit[value]

        def released(op: Operation) -> int:
            if op.definition is None and op.block is not None and op is op.block.last_op:
                return everything  # it may end the program
            return let_go.get(op, 0)

        def allocated(op: Operation) -> int:
            return made.get(op, 0)

        held = solve(function, _OnSomePath(FORWARD, adds=allocated, removes=released))
        released_before = solve(function, _OnSomePath(FORWARD, adds=released, removes=allocated))
        released_after = solve(function, _OnSomePath(BACKWARD, adds=released))
        conditions = IndependentConditions(function)
        for segment in held.graph.order:
            again = (held.at_start(segment) or 0) & ~(released_before.at_start(segment) or 0)
            for value, mask in bit.items() if again else ():
                if again & mask and value.defining_op in segment.ops and not _runs_once(value):
                    self.fact_base.assert_fact("made_again", value)
                    self.fact_base.assert_fact("releases", releases[value][0], value)
        for segment in held.graph.order:
            branch = segment.last_op
            ways = {edge.way.index: edge for edge in segment.leaving if edge.way is not None}
            at_end = held.at_end(segment)
            if branch is None or len(ways) < 2 or is_loop(branch) or not at_end:
                continue
            after = {way: released_after.at_start(edge.target) or 0 for way, edge in ways.items()}
            at_stake = at_end & reduce(or_, after.values())
            ways = [way for way in after if conditions.independent(branch, way)]
            if not at_stake or not ways:
                continue
            self._branches.setdefault(branch, len(self._branches))
            for way in ways:
                self.fact_base.assert_fact("independent", branch, way)
            before = released_before.at_end(segment) or 0
            for value, mask in bit.items():  # in textual order
                if at_stake & mask:
                    self.fact_base.assert_fact("holds_at", branch, value)
                    if before & mask:
                        self.fact_base.assert_fact("may_have_released", branch, value)
                    for way, found in after.items():
                        if found & mask:
                            self.fact_base.assert_fact("released_behind", branch, way, value)


class _OnSomePath(DenseAnalysis[int]):
    """May-analysis: the values, as bits, that some path to a point (backward: from it) adds and does not remove again."""

    def __init__(
        self,
        direction: Direction,
        adds: Callable[[Operation], int],
        removes: Callable[[Operation], int] = lambda op: 0,
    ) -> None:
        self.direction = direction
        self._adds = adds
        self._removes = removes

    def initial(self, segment: Segment) -> int | None:
        return None if self.direction is FORWARD else 0

    def boundary(self, segment: Segment) -> int:
        return 0

    def join(self, a: int, b: int) -> int:
        return a | b

    def transfer(self, op: Operation, state: int) -> int:
        return (state & ~self._removes(op)) | self._adds(op)


class HeldAllocations(DenseAnalysis[Values]):
    """The heap allocations that may be allocated and not released; at the end of a function, its leaks."""

    def boundary(self, segment: Segment) -> Values:
        function = segment.function
        if isinstance(function, FunctionOp) and function not in self._known:
            self._known.add(function)
            found = Releases(function, self._taken)
            flow = ViewFlow(function, conservative=True)
            for value, op in found.released:
                if op is not None:
                    self._let_go.setdefault(op, set()).update(flow.resolve_back([value]))
            escaping = {value for value, op in found.released if op is None}
            self._made.update(
                {value.defining_op: value for value in found.allocated if value not in escaping}
            )
        return NOTHING

    def __init__(self) -> None:
        self._known: set[FunctionOp] = set()
        self._let_go: dict[Operation, set[Value]] = {}
        self._made: dict[Operation | None, Value] = {}
        self._contracts: Contracts | None = None

    def _taken(self, call: CallOpInterface) -> Iterable[int]:
        if self._contracts is None:
            self._contracts = Contracts(SymbolTables(), self.solution.graph.root)
        return self._contracts.taken(call)

    def join(self, a: Values, b: Values) -> Values:
        return a | b

    def transfer(self, op: Operation, state: Values) -> Values:
        made, let_go = self._made.get(op), self._let_go.get(op)
        if let_go:
            state = state - let_go
        return state if made is None else state | {made}
