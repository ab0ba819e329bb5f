"""What callers may know of a function, once its body has been decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ...ir.defects import RESULTS_OF_CALLS
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.types import types as t
from ...ir.types.attributes import StringAttr
from ..datalog.union_find import EquivalenceRelation
from ..models.base import TENSOR_TYPES, CalleeSummary
from ..models.func import argument_attribute
from .options import AnalysisOptions
from .state import AnalysisState

ACCESS = "bufferization.access"


class FunctionClasses(Protocol):
    """What has to be known of a function whose operands are decided, whoever decided them."""

    @property
    def options(self) -> AnalysisOptions: ...

    @property
    def alias(self) -> EquivalenceRelation[Value]: ...

    @property
    def equivalence(self) -> EquivalenceRelation[Value]: ...

    def are_equivalent(self, a: Value, b: Value) -> bool: ...

    def is_value_read(self, value: Value) -> bool: ...

    def is_writable(self, value: Value) -> bool: ...

    def in_place_writes(self, value: Value) -> list[OpOperand]: ...


def use_calls(state: AnalysisState, calls: list[Operation]) -> None:
    """Take over what is known of the functions called: equivalence, and results in one buffer."""
    for call in calls:
        if not state.is_known(call):
            continue
        callee = state.callee(call)
        if callee is not None:
            for position, argument in callee.equivalent.items():
                use = call.op_operands[argument]
                if use in state.in_place:
                    state.database.assert_fact("keeps_buffer", call.results[position], use)
        join_results(state, call)
    state.refresh_equivalence()
    state.refresh_aliases()


def join_results(state: AnalysisState, call: Operation) -> None:
    """Tell the rules which results of a call the callee takes from one buffer, or may."""
    for one, other in results_in_one_buffer(state, call):
        state.database.assert_fact("returned_together", one, other)


def results_in_one_buffer(state: AnalysisState, call: Operation) -> Iterator[tuple[Value, Value]]:
    """The pairs of results of a call that may arrive in one buffer: of each group the first with each other."""
    if RESULTS_OF_CALLS in state.mirrored:
        return
    callee = state.callee(call)
    tensors = tuple(result.index for result in call.results if isinstance(result.type, TENSOR_TYPES))
    for group in (tensors,) if callee is None else callee.sharing:
        for position in group[1:]:
            yield call.results[group[0]], call.results[position]


def returns_of(function: Operation) -> list[Operation]:
    """The operations that leave the function, in the order of its blocks."""
    ends = [block.last_op for block in function.regions[0]]
    return [op for op in ends if op is not None and op.has_trait(tr.RETURN_LIKE)]


def summarize(state: FunctionClasses, function: Operation) -> CalleeSummary:
    """Which results may be buffers of which arguments, and which arguments are read or written.

    O(arguments * returns + results * returns) plus what aliases what, and the alias classes of both.
    """
    assert isinstance(function, FunctionOp)
    kind: t.FunctionType = function.function_type
    tensors = [i for i, type in enumerate(kind.inputs) if isinstance(type, TENSOR_TYPES)]
    returned = [i for i, type in enumerate(kind.results) if isinstance(type, TENSOR_TYPES)]
    if function.is_declaration:
        aliasing = {i: tuple(returned) for i in tensors} if returned else {}
        access = {i: _declared_access(function, i) or (True, True) for i in tensors}
        return _summary(aliasing, {}, access, (tuple(returned),) if len(returned) > 1 else ())
    leaves = returns_of(function)
    args = function.body.entry.args
    aliasing: dict[int, tuple[int, ...]] = {}
    by_class = [_by_class(state, leave) for leave in leaves]
    for i in tensors:
        found: dict[int, None] = {}
        if _ranked(args[i]):
            leader = state.alias.find(args[i])
            for positions in by_class:
                found.update(dict.fromkeys(positions.get(leader, ())))
        if found:
            aliasing[i] = tuple(found)
    equivalent = returned_arguments(state, function).agreed
    written: dict[Value, bool] = {}
    access: dict[int, tuple[bool, bool]] = {}
    for i in tensors:
        declared = _declared_access(function, i)
        if declared is None:
            leader = state.alias.find(args[i])
            if leader not in written:
                written[leader] = is_written(state, leader)
            declared = state.is_value_read(args[i]), written[leader]
        access[i] = declared
    summary = _summary(aliasing, equivalent, access, _sharing(state, leaves, returned))
    summary = summary._replace(read_only=_read_only(state, leaves, returned))
    if not isinstance(state, AnalysisState) or not state.options.compare_parts:
        return summary
    from .callee_parts import touched_parts
    from .regions_of_memory import PartPlaces

    places = PartPlaces(state)
    parts = {
        i: touched_parts(state, places, args[i]) for i in tensors if _declared_access(function, i) is None
    }
    return summary._replace(
        read_parts={i: read for i, (read, _) in parts.items() if read is not None},
        written_parts={i: written for i, (_, written) in parts.items() if written is not None},
    )


def _read_only(state: FunctionClasses, leaves: list[Operation], returned: list[int]) -> frozenset[int]:
    """The results that may be constants or the like. What arguments may be is for the caller to know."""
    known: dict[Value, bool] = {}

    def may_be_constant(value: Value) -> bool:
        leader = state.alias.find(value)
        if leader not in known:
            known[leader] = any(
                isinstance(alias, OpResult) and not state.is_writable(alias)
                for alias in state.alias.members(leader)
            )
        return known[leader]

    return frozenset(
        position
        for position in returned
        if any(may_be_constant(leave.op_operands[position].value) for leave in leaves)
    )


def _by_class(state: FunctionClasses, leave: Operation) -> dict[Value, list[int]]:
    """The positions of the ranked tensors that a return forwards, by the representative of their alias class."""
    found: dict[Value, list[int]] = {}
    for use in leave.op_operands:
        if _ranked(use.value):
            found.setdefault(state.alias.find(use.value), []).append(use.index)
    return found


class ReturnedArguments(NamedTuple):
    """Which arguments a function hands back.

    Attributes:
        agreed: for each result that every return takes from one argument's buffer, the argument.
        found: for each return what was looked up on the way: by position the argument. As in mlir-opt, a return is
            not looked at once an earlier one differs.
    """

    agreed: dict[int, int]
    found: dict[Operation, dict[int, int]]


def returned_arguments(state: FunctionClasses, function: Operation) -> ReturnedArguments:
    """Which results are arguments. O(arguments + results * returns), times the arguments known to be one buffer."""
    leaves = returns_of(function)
    args: dict[Value, list[BlockArgument]] = {}
    for arg in function.regions[0].entry.args:
        if _ranked(arg):
            args.setdefault(state.equivalence.find(arg), []).append(arg)
    result = ReturnedArguments({}, {leave: {} for leave in leaves})
    for position in range(len(leaves[0].op_operands) if leaves else 0):
        expected: int | None = None
        for leave in leaves:
            arg = _equivalent_argument(state, leave.op_operands[position], args)
            if arg is not None:
                result.found[leave][position] = arg
            if arg is None or (expected is not None and arg != expected):
                break
            expected = arg
        else:
            assert expected is not None
            result.agreed[position] = expected
    return result


def _equivalent_argument(
    state: FunctionClasses, returned: OpOperand, args: dict[Value, list[BlockArgument]]
) -> int | None:
    """The first argument whose buffer the returned value is, or None; `args` by the leaders of their classes."""
    if not isinstance(returned.value.type, TENSOR_TYPES):
        return None
    for arg in args.get(state.equivalence.find(returned.value), ()):
        if state.are_equivalent(returned.value, arg):
            return arg.index
    return None


def is_written(state: FunctionClasses, value: Value) -> bool:
    """Whether something that may share the buffer of `value` is written in place. O(uses of the alias class)."""
    return any(state.in_place_writes(alias) for alias in state.alias.members(value))


def _ranked(value: Value) -> bool:
    return isinstance(value.type, t.RankedTensorType)


def _declared_access(function: Operation, index: int) -> tuple[bool, bool] | None:
    """Whether an argument is read and written, where an attribute says so."""
    attribute = argument_attribute(function, index, ACCESS)
    if not isinstance(attribute, StringAttr):
        return None
    return attribute.value in ("read", "read-write"), attribute.value in ("write", "read-write")


def _sharing(
    state: FunctionClasses, leaves: list[Operation], returned: list[int]
) -> tuple[tuple[int, ...], ...]:
    """Groups of results that one return takes from one alias class."""
    groups: dict[tuple[int, ...], None] = {}
    for leave in leaves:
        by_class: dict[Value, list[int]] = {}
        for position in returned:
            value = leave.op_operands[position].value
            by_class.setdefault(state.alias.find(value), []).append(position)
        groups.update(dict.fromkeys(tuple(group) for group in by_class.values() if len(group) > 1))
    return tuple(groups)


def _summary(
    aliasing: dict[int, tuple[int, ...]],
    equivalent: dict[int, int],
    access: dict[int, tuple[bool, bool]],
    sharing: tuple[tuple[int, ...], ...],
) -> CalleeSummary:
    sources: dict[int, list[int]] = {}
    for argument, results in aliasing.items():
        for result in results:
            sources.setdefault(result, []).append(argument)
    return CalleeSummary(
        aliasing,
        equivalent,
        frozenset(i for i, (read, _) in access.items() if read),
        frozenset(i for i, (_, written) in access.items() if written),
        {result: tuple(sorted(arguments)) for result, arguments in sources.items()},
        sharing,
    )
