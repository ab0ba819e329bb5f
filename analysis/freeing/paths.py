"""What happens to buffers along single paths through a function, where one of several buffers goes on.

`arith.select`, results of branches, block arguments and loop-carried values stand for another buffer on another path. Paths are
followed one by one, each with the buffer that every memref is on it, as far as its conditions are surely compatible
(`decisions`). A loop runs not at all, once or twice, or as often as its constant bounds say.

Calls of functions that free arguments are followed into the callee, with the buffers and terms of the operands, unless it stores
or exposes an address. Frees and uses there count as those of the call.

On a path, a buffer is *let go* where it is returned, escapes, is kept by a call or is passed to an operation with unknown effects:
nothing is claimed about it from there on. Whether buffers escape at all, and what calls take, is as in `leaks`.

MAX_PATHS and MAX_STEPS bound the work; the paths beyond them are not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...dialects import arith, bufferization, memref, scf
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import (
    READ,
    WRITE,
    BranchOp,
    CallOpInterface,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.source.records import record
from ...semantics.frees import freed_by
from ..allocations import EXPOSING
from ..graphs import BranchSuccessor
from ..origins import is_buffer
from .decisions import Decision, PathDecisions, UndecidedPath

MAX_PATHS = 64
"""Paths followed through one function."""
MAX_STEPS = 20_000
"""Operations executed on the paths of one function, in all."""
MAX_ITERATIONS = 8
"""Iterations followed of a loop whose trip count is constant."""
MAX_CALLS = 4
"""Nested calls that are followed."""
TRIPS = 3
"""A loop with unknown bounds runs not at all, once, or twice."""

Buffer = tuple[Value, int]
"""An allocation or argument, and the number of the execution."""


@record(frozen=True)
class Misuse:
    """A buffer that is used or freed where it is free already, on some path.

    Attributes:
        use: the operand.
        base: the allocation or argument.
        free: the operation that has freed it.
        is_free: whether `use` frees it again.
        inside: the operation of a callee that has freed it, if `free` is a call.
        again: the operation of a callee that frees it again, if `use` is an operand of a call.
    """

    use: OpOperand
    base: Value
    free: Operation
    is_free: bool
    inside: Operation | None = None
    again: Operation | None = None


@record(frozen=True)
class Lost:
    """An allocation that is neither freed nor let go at the end of some path."""

    value: Value


Event = Misuse | Lost


Followed = Callable[[CallOpInterface], FunctionOp | None]
"""The function whose body is executed for a call; None if the call is not followed."""


def needs_paths(function: FunctionOp, frees_one: Callable[[CallOpInterface], bool]) -> bool:
    """Whether some memref of the function may be one of several, or is freed between branches of blocks, or by a callee on some
    of its paths. O(operations).
    """
    several = not function.body.has_one_block
    return any(
        (isinstance(op, arith.SelectOp) and is_buffer(op.results[0]))
        or (isinstance(op, RegionBranchOp) and any(map(is_buffer, op.results)))
        or (several and freed_by(op))
        or (isinstance(op, CallOpInterface) and frees_one(op))
        for op in function.walk()
    )


class Paths:
    """The events on the paths through a function.

    Attributes:
        events: each event with the decisions of the paths on which it happens.
        released: for each allocation, an operation that frees it or lets it go on some complete path.
        entered: the calls that were followed, if every path was followed to its end.
    """

    def __init__(
        self,
        function: FunctionOp,
        allocated: Iterable[Value],
        taken: Callable[[CallOpInterface], Iterable[int]],
        followed: Followed = lambda call: None,
    ) -> None:
        """
        Args:
            allocated: the allocations that the function has to free; those that escape are not among them.
            taken: the indices of the operands that a call frees or keeps.
            followed: the callee to follow for a call.
        """
        self.events: dict[Event, list[list[Decision]]] = {}
        self.released: dict[Value, Operation] = {}
        self.entered: set[Operation] = set()
        held = dict.fromkeys(allocated)
        prefix: list[int] | None = []
        steps = 0
        is_complete = True
        for _ in range(MAX_PATHS):
            path = _Path(function, held, taken, followed, PathDecisions(prefix), MAX_STEPS - steps)
            path.run()
            steps += path.steps
            for event in path.events:
                self.events.setdefault(event, []).append(path.decisions.made)
            is_complete &= path.is_complete
            self.entered |= path.entered
            if path.is_complete:
                for base, op in path.released.items():
                    self.released.setdefault(base, op)
            prefix = _following(path.decisions.made)
            if prefix is None or steps >= MAX_STEPS:
                break
        if prefix is not None or not is_complete:
            self.entered.clear()

    def where(self, event: Event) -> list[Decision]:
        """The decisions on which an event depends: of the shortest path, those that another way would not do as well."""
        paths = self.events[event]
        shortest = min(paths, key=len)
        as_well = {decision.question: {decision.way} for decision in shortest}
        for path in paths:
            taken = {decision.question: decision.way for decision in path}
            others = [one.question for one in shortest if taken.get(one.question, one.way) != one.way]
            if len(others) == 1:
                as_well[others[0]].add(taken[others[0]])
        return [decision for decision in shortest if len(as_well[decision.question]) < decision.ways]


def _following(made: list[Decision]) -> list[int] | None:
    """The prefix of the next path, depth first; None after the last one."""
    while made and made[-1].way == made[-1].ways - 1:
        made = made[:-1]
    return [*(d.way for d in made[:-1]), made[-1].way + 1] if made else None


class _Path:
    """One path: executes operations, with the buffer that each memref is."""

    def __init__(
        self,
        function: FunctionOp,
        allocated: dict[Value, None],
        taken: Callable[[CallOpInterface], Iterable[int]],
        followed: Followed,
        decisions: PathDecisions,
        max_steps: int,
    ) -> None:
        self.decisions = decisions
        self.events: list[Event] = []
        self.released: dict[Value, Operation] = {}
        self.is_complete = False
        self.steps = 0
        self._max_steps = max_steps
        self._function = function
        self._allocated = allocated
        self._taken = taken
        self._followed = followed
        self.entered: set[Operation] = set()
        self._calls: list[tuple[CallOpInterface, FunctionOp]] = []
        """The calls that the path is in, outermost first."""
        self._terms = decisions.terms
        self._buffers: dict[Value, Buffer] = {
            arg: (arg, 0) for arg in function.body.entry.args if is_buffer(arg)
        }
        self._count = 0
        self._held: dict[Buffer, None] = {}
        self._freed: dict[Buffer, tuple[Operation, Operation]] = {}
        """The operation of the function that freed a buffer, and that in its callees if it is a call."""
        self._gone: set[Buffer] = set()
        self._trips: dict[Operation, int] = {}

    def run(self) -> None:
        """Follow the path to the end of the function, or until it is undecided."""
        op = self._function.body.entry.first_op
        try:
            while op is not None and self.steps < self._max_steps:
                self.steps += 1
                op = self._execute(op)
        except UndecidedPath:
            return

    # -- control flow

    def _execute(self, op: Operation) -> Operation | None:
        """Execute `op`, and return the next operation."""
        if isinstance(op, BranchOp):
            return self._branch(op)
        if isinstance(op, CallOpInterface) and (callee := self._callee(op)) is not None:
            return self._enter_callee(op, callee)
        if isinstance(op, scf.ForOp):
            return self._enter_loop(op)
        if isinstance(op, scf.WhileOp):
            self._forward_all(list(zip(op.operands, op.before.entry.args, strict=True)))
            return op.before.entry.first_op
        if isinstance(op, RegionBranchOp) and not isinstance(op, LoopLikeOp):
            return self._enter(op)
        if op.has_trait(tr.RETURN_LIKE) or (op.block is not None and op is op.block.last_op):
            return self._leave(op)
        if isinstance(op, arith.SelectOp) and is_buffer(op.results[0]):
            self._forward(
                op.operands[2 - self.decisions.truth(op, self._terms.of(op.operands[0]))], op.results[0]
            )
        else:
            self._other(op)
        return op.next_op

    def _way(self, op: BranchOp | RegionBranchOp, ways: int) -> int:
        """The successor that `op` takes."""
        if ways == 1:
            return 0
        condition = op.successor_condition(0) if isinstance(op, BranchOp) else op.entry_condition(0)
        if condition is None:
            raise UndecidedPath
        term = self._terms.of(condition.value)
        if condition.wanted == "true":
            return 0 if self.decisions.truth(op, term) else 1
        of_way = op.successor_condition if isinstance(op, BranchOp) else op.entry_condition
        wanted = [None if (c := of_way(way)) is None else c.wanted for way in range(ways)]
        number = self._terms.value_of(term)
        if number is None:
            return self.decisions.choose(op, term, ways, wanted)
        return wanted.index(str(number)) if str(number) in wanted else 0

    def _branch(self, op: BranchOp) -> Operation | None:
        successor = BranchSuccessor(op, self._way(op, len(op.successors)))
        self._forward_all([(use.value, target) for use, target in successor.pairs()])
        return successor.target.first_op

    def _enter(self, op: RegionBranchOp) -> Operation | None:
        successors = op.region_successors(None)
        successor = successors[self._way(op, len(successors))]
        passed = op.entry_successor_operands(successor)
        self._forward_all(
            [(use.value, target) for use, target in zip(passed, successor.inputs, strict=False)]
        )
        return op.next_op if successor.region is None else successor.region.entry.first_op

    def _enter_loop(self, op: scf.ForOp) -> Operation | None:
        trips = op.static_trip_count()
        if trips is None:
            bounds = self._terms.tuple_of(op.operands[:3])
            trips = self.decisions.choose(op, bounds, TRIPS)
        elif trips > MAX_ITERATIONS:
            raise UndecidedPath
        self._trips[op] = trips
        return self._iterate(op, op.operands[3:])

    def _iterate(self, op: scf.ForOp, values: list[Value]) -> Operation | None:
        """Begin the next iteration with the given values, or end the loop."""
        if not self._trips[op]:
            self._forward_all(list(zip(values, op.results, strict=True)))
            return op.next_op
        self._trips[op] -= 1
        self._forward_all(list(zip(values, op.region_iter_args, strict=True)))
        self._terms.give(op.induction_variable, self._terms.tuple_of(op.operands[:3], 1 + self._trips[op]))
        return op.regions[0].entry.first_op

    def _go_round(self, loop: scf.WhileOp, op: Operation) -> Operation | None:
        """Leave a region of `loop`: its first condition decides how often its body runs."""
        if op.parent_region is loop.after:
            self._forward_all(list(zip(op.operands, loop.before.entry.args, strict=True)))
            return loop.before.entry.first_op
        if loop not in self._trips:
            self._trips[loop] = self.decisions.choose(loop, self._terms.of(op.operands[0]), TRIPS, "trips")
        values, leaves = op.operands[1:], not self._trips[loop]
        self._forward_all(list(zip(values, loop.results if leaves else loop.after.entry.args, strict=True)))
        if leaves:
            del self._trips[loop]
            return loop.next_op
        self._trips[loop] -= 1
        return loop.after.entry.first_op

    def _callee(self, call: CallOpInterface) -> FunctionOp | None:
        """The function to follow for a call."""
        callee = self._followed(call)
        is_entered = callee is self._function or any(callee is other for _, other in self._calls)
        return None if is_entered or len(self._calls) >= MAX_CALLS else callee

    def _enter_callee(self, call: CallOpInterface, callee: FunctionOp) -> Operation | None:
        taken = set(self._taken(call))
        for use in call.op_operands:
            if use.index not in taken:
                self._use(use)
        given = [use.value for use in call.argument_operands()]
        self._forward_all(list(zip(given, callee.body.entry.args, strict=True)))
        self._calls.append((call, callee))
        self.entered.add(call)
        return callee.body.entry.first_op

    def _leave_callee(self, op: Operation) -> Operation | None:
        if not op.has_trait(tr.RETURN_LIKE):
            raise UndecidedPath  # it may end the program
        call, _ = self._calls.pop()
        self._forward_all(list(zip(op.operands, call.results, strict=True)))
        self._allocate(call, [result for result in call.results if result not in self._buffers])
        return call.next_op

    def _leave(self, op: Operation) -> Operation | None:
        """Leave a region, or the function."""
        parent = op.parent_op
        if self._calls and parent is self._calls[-1][1]:
            return self._leave_callee(op)
        if parent is self._function:
            self._return(op)
            return None
        if isinstance(parent, scf.ForOp):
            return self._iterate(parent, op.operands)
        if isinstance(parent, scf.WhileOp):
            return self._go_round(parent, op)
        if not isinstance(parent, RegionBranchOp):
            raise UndecidedPath
        self._forward_all(list(zip(op.operands, parent.results, strict=False)))
        return parent.next_op

    def _forward_all(self, pairs: list[tuple[Value, Value]]) -> None:
        """Forward several values at once: targets may be sources, too."""
        buffers = [self._buffers.get(source) for source, _ in pairs]
        terms = [self._terms.of(source) for source, _ in pairs]
        for (_, target), buffer, term in zip(pairs, buffers, terms, strict=True):
            self._become(target, buffer)
            self._terms.give(target, term)

    def _forward(self, source: Value, target: Value) -> None:
        self._become(target, self._buffers.get(source))

    def _become(self, target: Value, buffer: Buffer | None) -> None:
        if buffer is not None:
            self._buffers[target] = buffer
        else:
            self._buffers.pop(target, None)

    # -- effects

    def _other(self, op: Operation) -> None:
        """An operation that forwards no control."""
        self._terms.compute(op)
        frees = freed_by(op)
        if isinstance(op, (bufferization.DeallocOp, memref.ReallocOp, *EXPOSING)):
            self._let_go(op, op.operands)
            self._allocate(op)
        elif isinstance(op, ViewLikeOp):
            self._forward(op.view_source(), op.results[0])
        elif isinstance(op, CallOpInterface):
            self._call(op)
        elif isinstance(op, MemoryEffectOp) and not op.regions:
            self._effects(op, frees)
        elif op.regions:
            self._nested(op)
        elif not op.has_trait(tr.PURE) or any(map(is_buffer, op.results)):
            self._let_go(op, op.operands)

    def _effects(self, op: MemoryEffectOp, frees: list[Value]) -> None:
        touched = {effect.value for effect in op.memory_effects() if effect.kind in (READ, WRITE)}
        for use in op.op_operands:
            buffer = self._buffers.get(use.value)
            if buffer is None or buffer in self._gone:
                continue
            before = self._freed.get(buffer)
            is_free = use.value in frees
            if before is not None and (is_free or use.value in touched):
                self._misuse(use, buffer, before, is_free=is_free)
            elif is_free:
                self._freed[buffer] = self._calls[0][0] if self._calls else op, op
                self._release(buffer, op)
        self._allocate(op)

    def _nested(self, op: Operation) -> None:
        """An operation whose regions are not followed: nothing is known about the buffers that they free or forward."""
        inner = list(op.walk())
        self.steps += len(inner)
        for part in inner:
            if freed_by(part) or isinstance(part, (bufferization.DeallocOp, CallOpInterface)):
                raise UndecidedPath
            for use in part.op_operands:
                self._use(use)
            if part is not op and part.definition is None:
                self._let_go(op, part.operands)
        if any(map(is_buffer, op.results)) or isinstance(op, RegionBranchOp) or op.definition is None:
            self._let_go(op, op.operands)

    def _call(self, op: CallOpInterface) -> None:
        for use in op.op_operands:
            self._use(use)
        self._let_go(op, [op.operands[index] for index in self._taken(op)])
        if any(map(is_buffer, op.results)):
            self._let_go(op, op.operands)
        self._allocate(op)

    def _use(self, use: OpOperand) -> None:
        buffer = self._buffers.get(use.value)
        if buffer is not None and buffer in self._freed and buffer not in self._gone:
            self._misuse(use, buffer, self._freed[buffer], is_free=False)

    def _misuse(
        self, use: OpOperand, buffer: Buffer, freed: tuple[Operation, Operation], *, is_free: bool
    ) -> None:
        self._gone.add(buffer)  # what follows from it says nothing more
        free, inside = freed
        again = None
        if self._calls:
            call = self._calls[0][0]
            given = next((one for one in call.op_operands if self._buffers.get(one.value) == buffer), None)
            if given is None or free is call:
                return  # a mistake of the callee alone
            use, again = given, use.owner if is_free else None
        self.events.append(Misuse(use, buffer[0], free, is_free, None if inside is free else inside, again))

    def _let_go(self, op: Operation, values: Iterable[Value]) -> None:
        for value in values:
            buffer = self._buffers.get(value)
            if buffer is not None:
                self._gone.add(buffer)
                self._release(buffer, op)

    def _release(self, buffer: Buffer, op: Operation) -> None:
        if buffer in self._held:
            del self._held[buffer]
            self.released.setdefault(buffer[0], self._calls[0][0] if self._calls else op)

    def _allocate(self, op: Operation, results: Sequence[Value] | None = None) -> None:
        for result in op.results if results is None else results:
            if not is_buffer(result):
                continue
            self._buffers.pop(result, None)
            if result in self._allocated:
                self._count += 1
                self._buffers[result] = result, self._count
                self._held[result, self._count] = None

    def _return(self, op: Operation) -> None:
        if op.has_trait(tr.RETURN_LIKE):
            for use in op.op_operands:
                self._use(use)
            self._let_go(op, op.operands)
            self.events += [Lost(value) for value in dict.fromkeys(value for value, _ in self._held)]
            self.is_complete = True
