"""Function summaries for explanations: must-write and may-write sets, the subsets of a buffer that are accessed, and what
callers must know (`contracts`), as data and as text.

Bufferization is conservative: loops are assumed to write their inits, calls to write what the callee may, and partial writes
to write the whole buffer. An explanation may mention such an assumption ("is assumed to"), but says that a buffer *is* written
only if

(1) an operation with a known write does it in place, possibly inside a loop or a callee, and
(2) no copy required by buffer types lies in between, in which case only the copy is written.

If no such write is found, nothing follows. `may_be_updated` is the dual: it returns False only if no write is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..ir.program.core import BlockArgument, Operation, OpOperand, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, LoopLikeOp
from ..semantics.boxes import BoxPart
from .models.base import LoopModel, is_tensor
from .naming import symbol, value_name
from .one_shot.functions import declared_access
from .one_shot.regions_of_memory import MemoryRegions, Place
from .one_shot.result import AnalysisResult

MAX_WRITES = 16
"""Writes of one buffer that are examined to find a known one; with more, none counts as known."""


class FunctionSummaries:
    """Cached queries on one analysed program.

    Attributes:
        result: the result of the analysis.
        relaid: operands that are copied only because the layout of a buffer does not fit.
    """

    def __init__(self, result: AnalysisResult, relaid: Iterable[OpOperand] = ()) -> None:
        self.result = result
        self.relaid = frozenset(relaid)
        self._places = MemoryRegions(result.state)
        self._onward: dict[OpOperand, tuple[Value, ...]] = {}
        self._seen_loops: set[Operation] = set()
        self._writers: dict[tuple[Value, Operation | None], OpOperand | None] = {}

    # -- writes

    def is_write(self, use: OpOperand) -> bool:
        """Whether the operation of `use` must write the buffer of `use` if it is in place."""
        return self.writer(use) is not None

    def is_updated(self, arg: BlockArgument) -> bool:
        """Whether a known write inside a loop writes the buffer of its iter_arg."""
        return self._writer_of(arg, arg.owner.parent_op) is not None

    def may_be_updated(self, init: OpOperand) -> bool:
        """Whether a loop may write the buffer of an init under the current decisions. O(alias classes)."""
        state = self.result.state
        pending: list[Value] = list(self._receivers(init))
        seen = set(pending)
        if not pending:
            return True
        while pending:
            for alias in self.result.alias_set(pending.pop()):
                for use in alias.uses:
                    if not state.is_known(use.owner):
                        return True
                    if isinstance(use.owner, LoopLikeOp) and use not in state.in_place:
                        continue
                    onward = self._receivers(use) if self._is_handed_on(use) else []
                    if not onward and use in state.in_place and state.writes(use):
                        return True
                    following = [value for value in onward if value not in seen]
                    seen.update(following)
                    pending += following
        return False

    @staticmethod
    def _is_handed_on(use: OpOperand) -> bool:
        """Whether the operand is an init or a yielded value of a loop."""
        op = use.owner
        return isinstance(op, LoopLikeOp) or (isinstance(op.parent_op, LoopLikeOp) and op.next_op is None)

    def is_written(self, arg: BlockArgument) -> bool:
        """Whether a known write in a function writes its argument in place."""
        found = self._writer_of(arg, None)
        return found is not None and self._leads_to(arg, found.value)

    def _leads_to(self, arg: BlockArgument, written: Value) -> bool:
        """Whether what is written comes from `arg`: two sources of one branch alias, though neither is in the other's buffer."""
        if not self.result.may_alias(arg, written):
            return True  # the write is in a callee or a loop that receives the buffer
        path = self.result.sharing_path(arg, written)
        return all(step.operand is None or step.operand.value is step.left for step in path)

    def writer(self, use: OpOperand) -> OpOperand | None:
        """The operand of the known write that `use` leads to: inside a loop, inside a callee, or `use` itself."""
        op = use.owner
        state = self.result.state
        if isinstance(op, LoopLikeOp):
            for arg in self._receivers(use):
                if (found := self._writer_of(arg, op)) is not None:
                    return found
            return None
        if isinstance(op, CallOpInterface):
            callee = state.call_targets.get(op)
            if not isinstance(callee, FunctionOp):
                return None
            if callee.is_declaration:
                access = declared_access(callee, use.index)
                return use if access is not None and access[1] else None
            arguments = callee.body.entry.args
            return self._writer_of(arguments[use.index], None) if use.index < len(arguments) else None
        return use if state.is_known(op) and state.writes(use) else None

    def _receivers(self, use: OpOperand) -> list[BlockArgument]:
        """The iter_args that a loop forwards `use` to, as an init or as a yielded value."""
        loop = use.owner if isinstance(use.owner, LoopLikeOp) else use.owner.parent_op
        if loop is not None and loop not in self._seen_loops:
            self._seen_loops.add(loop)
            model = self.result.state.model_of(loop)
            if isinstance(model, LoopModel):
                self._onward.update(model.entries(loop))
                for carried in model.loop_carried(loop, self.result.state):
                    if carried.operand not in self.result.loop_copies:
                        self._onward[carried.operand] = carried.receivers
            if isinstance(loop, LoopLikeOp):
                for init, arg in zip(loop.init_operands, loop.region_iter_args, strict=False):
                    self._onward.setdefault(init, (arg,))
        return [value for value in self._onward.get(use, ()) if isinstance(value, BlockArgument)]

    def _writer_of(self, start: BlockArgument, around: Operation | None) -> OpOperand | None:
        """A known write of the buffer of `start` inside `around`, through nested loops and calls. Amortised O(alias classes)."""
        key = (start, around)
        if key in self._writers:
            return self._writers[key]
        pending: list[Value] = [start]
        seen: set[Value] = {start}
        found: OpOperand | None = None
        while pending and found is None:
            value = pending.pop()
            for alias in self.result.alias_set(value):
                for use in alias.uses:
                    if around is not None and not around.is_ancestor_of(use.owner):
                        continue
                    onward = [v for v in self._onward_from(use) if v not in seen]
                    is_write = self._is_plain_write(use)
                    if (onward or is_write) and self._is_same_buffer(value, alias):
                        if is_write:
                            found = use
                            break
                        seen.update(onward)
                        pending += onward
                if found is not None:
                    break
        self._writers[key] = found
        return found

    def _is_plain_write(self, use: OpOperand) -> bool:
        """Whether an operation itself must write `use` in place."""
        state = self.result.state
        return (
            use in state.in_place
            and state.writes(use)
            and state.is_known(use.owner)
            and not isinstance(use.owner, LoopLikeOp | CallOpInterface)
        )

    def _onward_from(self, use: OpOperand) -> list[BlockArgument]:
        """The iter_args and function arguments that `use` is forwarded to, which its alias class does not contain."""
        op = use.owner
        if isinstance(op, CallOpInterface):
            callee = self.result.state.call_targets.get(op)
            if (
                use not in self.result.state.in_place
                or not isinstance(callee, FunctionOp)
                or callee.is_declaration
            ):
                return []
            arguments = callee.body.entry.args
            return [arguments[use.index]] if use.index < len(arguments) else []
        if isinstance(op, LoopLikeOp):
            return self._receivers(use) if use in self.result.state.in_place else []
        return self._receivers(use) if self._is_handed_on(use) else []

    def _is_same_buffer(self, one: Value, other: Value) -> bool:
        """Whether no copy that a layout requires lies between two aliases."""
        if one is other or not self.relaid:
            return True
        return not any(step.operand in self.relaid for step in self.result.sharing_path(one, other))

    def reaches(self, one: Value, other: Value) -> bool:
        """Whether a write to one is visible in the other, given copies that layouts require."""
        return not self.result.may_alias(one, other) or self._is_same_buffer(one, other)

    # -- calls

    def call_path(self, write: OpOperand) -> Iterator[tuple[FunctionOp, OpOperand | None]]:
        """The chain of callees from a call to a known write, each with the operand in it that leads on.

        The last operand is the write itself; None if there is no known write.
        """
        seen: set[Operation] = set()
        current: OpOperand | None = write
        while current is not None and isinstance(current.owner, CallOpInterface):
            callee = self.result.state.call_targets.get(current.owner)
            if not isinstance(callee, FunctionOp) or callee in seen:
                return
            seen.add(callee)
            following = None if callee.is_declaration else self._next_on_path(callee, current.index)
            yield callee, following
            current = following

    def _next_on_path(self, callee: FunctionOp, position: int) -> OpOperand | None:
        arguments = callee.body.entry.args
        if position >= len(arguments):
            return None
        looked = 0
        for alias in self.result.alias_set(arguments[position]):
            for use in alias.uses:
                if use in self.result.state.in_place and self.result.state.writes(use):
                    looked += 1
                    if looked > MAX_WRITES:
                        return None
                    if self.is_write(use) and self._is_same_buffer(arguments[position], alias):
                        return use
        return None

    def copied_write(self, callee: FunctionOp, position: int) -> OpOperand | None:
        """A write in a callee that only writes a copy of the argument, which a layout requires."""
        arguments = callee.body.entry.args if not callee.is_declaration else ()
        if position >= len(arguments) or not self.relaid:
            return None
        writes = (
            use
            for alias in self.result.alias_set(arguments[position])
            for use in alias.uses
            if self._is_plain_write(use) and not self._is_same_buffer(arguments[position], alias)
        )
        return next(writes, None)

    # -- parts

    def are_disjoint(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether the subsets read and written are disjoint subsets of one buffer."""
        return self._places.of(read.value).root is self._places.of(
            write.value
        ).root and self._places.different_parts(read, write)

    def elements(self, use: OpOperand, is_write: bool) -> str:
        """The elements that `use` accesses, if that is a box with known bounds: `[0, 8)`, `[0, 8) x [4, 6)`; else empty."""
        place = self._places.written_by(use) if is_write else self._places.read_by(use)
        return _bounds(place)


def _bounds(place: Place) -> str:
    if not place.exact or len(place.steps) != 1 or not isinstance(place.steps[0], BoxPart):
        return ""
    ranges = place.steps[0].ranges
    if all(part.size == {None: 1} and not set(part.offset) - {None} for part in ranges):
        return f"element [{', '.join(str(part.offset.get(None, 0)) for part in ranges)}]"
    said = []
    for part in ranges:
        if part.stride != 1 or {*part.offset, *part.size} - {None}:
            return ""
        first = part.offset.get(None, 0)
        said.append(f"[{first}, {first + part.size.get(None, 0)})")
    return " x ".join(said)


# Function contracts for callers: arguments read, overwritten and returned.


def contracts(proved: FunctionSummaries, wanted: Callable[[Operation], bool]) -> list[dict[str, Any]]:
    """One JSON entry per function with tensors in its signature.

    `overwritten` is what callers must assume; `provedOverwritten` says whether an operation is known to write.
    """
    result = proved.result
    found = []
    for function in _functions(result, wanted):
        summary = result.summary(function)
        entry: dict[str, Any] = {"function": symbol(function), "known": summary is not None}
        if summary is not None:
            returned = {argument: position for position, argument in summary.equivalent.items()}
            entry["arguments"] = [
                {
                    "argument": value_name(arg),
                    "read": arg.index in summary.read,
                    "overwritten": arg.index in summary.written,
                    "provedOverwritten": arg.index in summary.written and proved.is_written(arg),
                    "returnedAs": returned.get(arg.index),
                    "mayShareWith": list(summary.aliasing.get(arg.index, ())),
                }
                for arg in function.body.entry.args
                if is_tensor(arg)
            ]
        found.append(entry)
    return found


def describe_contracts(entries: list[dict[str, Any]]) -> list[str]:
    """One line for each function: `@f: %t is read and overwritten, and returned as result 0`."""
    lines = []
    for entry in entries:
        if not entry["known"]:
            lines.append(
                f"@{entry['function']}: it or a function that it calls is recursive, so callers make worst-case assumptions"
            )
            continue
        parts = [_describe(argument) for argument in entry["arguments"]]
        if parts:
            lines.append(f"@{entry['function']}: " + "; ".join(parts))
    return lines


def _describe(argument: dict[str, Any]) -> str:
    verbs = ["read"] if argument["read"] else []
    if argument["overwritten"]:
        verbs.append("overwritten" if argument["provedOverwritten"] else "assumed to be overwritten")
    text = f"{argument['argument']} is " + (" and ".join(verbs) if verbs else "neither read nor overwritten")
    if argument["returnedAs"] is not None:
        return text + f", and returned as result {argument['returnedAs']}"
    if argument["mayShareWith"]:
        results = ", ".join(str(position) for position in argument["mayShareWith"])
        return text + f", and may share memory with result{'s' if ',' in results else ''} {results}"
    return text


def _functions(result: AnalysisResult, wanted: Callable[[Operation], bool]) -> Iterator[FunctionOp]:
    if not result.options.bufferize_function_boundaries:
        return
    for op in result.state.root.walk():
        if isinstance(op, FunctionOp) and not op.is_declaration and wanted(op):
            yield op
