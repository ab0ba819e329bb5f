"""Call graph, and function summaries: aliasing results, and the subsets of arguments read and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...dialects import func
from ...dialects.builtin import ModuleOp
from ...ir.defects import RESULTS_OF_CALLS
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.records import field, record
from ...ir.types import types as t
from ...ir.types.attributes import StringAttr, SymbolRefAttr
from ...semantics.boxes import BoxPart, Range
from ...semantics.integers import lower_bound
from ..datalog.union_find import EquivalenceRelation
from ..models.base import TENSOR_TYPES, CalleeSummary
from ..models.func import argument_attribute
from .state import AnalysisState

if TYPE_CHECKING:
    from .answers import Answers
    from .regions_of_memory import MemoryRegions, Place


# Bounding boxes, with constant bounds, of the subsets that a function reads and writes of an argument.
#
#     func.func @head(%t: tensor<8xf32>, %i: index) -> f32 {
#       %s = tensor.extract_slice %t[0] [4] [1]              // all reads are within [0, 4)
#       %x = tensor.extract %s[%i]
#
# Aliases of the argument are followed through models, regardless of decisions: copying a use only removes accesses to the
# argument's buffer. Loops are assumed to access all of their operands.

MAX_VALUES = 200
"""Aliases followed from one argument; beyond them the whole argument counts as accessed."""

Interval = tuple[int | None, int | None]
"""The first and the last index accessed in one dimension; None where unknown."""


def touched_parts(
    state: Answers, places: MemoryRegions, argument: BlockArgument
) -> tuple[BoxPart | None, BoxPart | None]:
    """The bounding boxes of all reads and all writes; None for the whole argument, or for no access. O(MAX_VALUES * uses)."""
    read: list[Place] = []
    written: list[Place] = []
    seen: dict[Value, None] = {argument: None}
    pending: list[Value] = [argument]
    while pending:
        for use in pending.pop().uses:
            if state.reads(use):
                read.append(places.read_by(use))
            if state.writes(use):
                written.append(places.written_by(use))
            for alias in state.aliasing_values(use):
                if alias.value not in seen:
                    seen[alias.value] = None
                    pending.append(alias.value)
        if len(seen) > MAX_VALUES:
            return None, None
    return _hull(read, argument), _hull(written, argument)


def _hull(places: list[Place], argument: BlockArgument) -> BoxPart | None:
    """The smallest box with constant bounds around all regions; None if it is the whole argument."""
    type = argument.type
    if not places or not isinstance(type, t.RankedTensorType):
        return None
    boxes = [_box(place, argument, len(type.shape)) for place in places]
    ranges: list[Range] = []
    is_less = False
    for extent, *intervals in zip(type.shape, *boxes, strict=True):
        first, last = _least(low for low, _ in intervals), _greatest(high for _, high in intervals)
        first = max(0, first or 0)
        if last is None or (extent is not None and last >= extent):
            if extent is None:
                return None
            last = extent - 1
        is_less |= extent is None or first > 0 or last < extent - 1
        ranges.append(Range({None: first} if first else {}, {None: max(0, last - first + 1)}))
    return BoxPart(tuple(ranges), tuple(range(len(ranges)))) if is_less else None


def _box(place: Place, argument: BlockArgument, rank: int) -> list[Interval]:
    """The interval of a region in each dimension of the argument: the intersection of its enclosing subsets."""
    found: list[Interval] = [(None, None)] * rank
    for steps in (place.steps, *place.around):
        if place.root is not argument or not steps or not isinstance(steps[0], BoxPart):
            continue
        for i, each in enumerate(steps[0].ranges):
            if each.stride < 1:
                continue
            low = lower_bound(each.offset)
            below = lower_bound({atom: -factor for atom, factor in each.last().items()})
            high = None if below is None else -below
            known_low, known_high = found[i]
            found[i] = _greatest_known(known_low, low), _least_known(known_high, high)
    return found


def _least(numbers: Iterable[int | None]) -> int | None:
    """The least number; None if one is unknown."""
    known = list(numbers)
    return None if None in known else min(number for number in known if number is not None)


def _greatest(numbers: Iterable[int | None]) -> int | None:
    known = list(numbers)
    return None if None in known else max(number for number in known if number is not None)


def _least_known(one: int | None, other: int | None) -> int | None:
    return min((number for number in (one, other) if number is not None), default=None)


def _greatest_known(one: int | None, other: int | None) -> int | None:
    return max((number for number in (one, other) if number is not None), default=None)


ACCESS = "bufferization.access"


class FunctionClasses(Protocol):
    """Queries on a decided function that its summary needs."""

    @property
    def answers(self) -> AnalysisState: ...

    @property
    def alias(self) -> EquivalenceRelation[Value]: ...

    @property
    def equivalence(self) -> EquivalenceRelation[Value]: ...

    def are_equivalent(self, a: Value, b: Value) -> bool: ...

    def is_value_read(self, value: Value) -> bool: ...

    def is_writable(self, value: Value) -> bool: ...

    def in_place_writes(self, value: Value) -> list[OpOperand]: ...


def use_calls(state: AnalysisState, calls: list[Operation]) -> None:
    """Assert the facts in the summaries of callees: equivalent results, and results that may share a buffer."""
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
    """Assert which results of a call may share a buffer."""
    for one, other in results_in_one_buffer(state, call):
        state.database.assert_fact("returned_together", one, other)


def results_in_one_buffer(state: AnalysisState, call: Operation) -> Iterator[tuple[Value, Value]]:
    """The pairs of results of a call that may share a buffer: the first of each group with each other member."""
    if RESULTS_OF_CALLS in state.mirrored:
        return
    callee = state.callee(call)
    tensors = tuple(result.index for result in call.results if isinstance(result.type, TENSOR_TYPES))
    for group in (tensors,) if callee is None else callee.sharing:
        for position in group[1:]:
            yield call.results[group[0]], call.results[position]


def returns_of(function: Operation) -> list[Operation]:
    """The return operations of a function, in the order of its blocks."""
    ends = [block.last_op for block in function.regions[0]]
    return [op for op in ends if op is not None and op.has_trait(tr.RETURN_LIKE)]


def summarize(state: FunctionClasses, function: Operation, is_called: bool) -> CalleeSummary:
    """The summary of a function: which results may alias which arguments, and which arguments are read or written.

    The subsets of its arguments that it reads and writes are only known to callers.

    O((arguments + results) * returns), plus the sizes of their alias classes.
    """
    assert isinstance(function, FunctionOp)
    kind: t.FunctionType = function.function_type
    tensors = [i for i, type in enumerate(kind.inputs) if isinstance(type, TENSOR_TYPES)]
    returned = [i for i, type in enumerate(kind.results) if isinstance(type, TENSOR_TYPES)]
    if function.is_declaration:
        aliasing = {i: tuple(returned) for i in tensors} if returned else {}
        access = {i: declared_access(function, i) or (True, True) for i in tensors}
        return _summary(aliasing, {}, access, (tuple(returned),) if len(returned) > 1 else ())
    returns = returns_of(function)
    args = function.body.entry.args
    aliasing: dict[int, tuple[int, ...]] = {}
    by_class = [_by_class(state, return_op) for return_op in returns]
    for i in tensors:
        found: dict[int, None] = {}
        if _ranked(args[i]):
            representative = state.alias.find(args[i])
            for positions in by_class:
                found.update(dict.fromkeys(positions.get(representative, ())))
        if found:
            aliasing[i] = tuple(found)
    equivalent = returned_arguments(state, function).agreed
    written: dict[Value, bool] = {}
    access: dict[int, tuple[bool, bool]] = {}
    for i in tensors:
        declared = declared_access(function, i)
        if declared is None:
            representative = state.alias.find(args[i])
            if representative not in written:
                written[representative] = is_written(state, representative)
            declared = state.is_value_read(args[i]), written[representative]
        access[i] = declared
    summary = _summary(aliasing, equivalent, access, _sharing(state, returns, returned))
    summary = summary._replace(read_only=_read_only(state, returns, returned))
    answers = state.answers
    if not is_called or not answers.options.compare_parts:
        return summary
    from .regions_of_memory import MemoryRegions

    places = MemoryRegions(answers)
    parts = {
        i: touched_parts(answers, places, args[i]) for i in tensors if declared_access(function, i) is None
    }
    return summary._replace(
        read_parts={i: read for i, (read, _) in parts.items() if read is not None},
        written_parts={i: written for i, (_, written) in parts.items() if written is not None},
    )


def _read_only(state: FunctionClasses, returns: list[Operation], returned: list[int]) -> frozenset[int]:
    """The results that may alias read-only values inside the function, such as constants. Callers check the arguments."""
    known: dict[Value, bool] = {}

    def may_be_constant(value: Value) -> bool:
        representative = state.alias.find(value)
        if representative not in known:
            known[representative] = any(
                isinstance(alias, OpResult) and not state.is_writable(alias)
                for alias in state.alias.members(representative)
            )
        return known[representative]

    return frozenset(
        position
        for position in returned
        if any(may_be_constant(return_op.op_operands[position].value) for return_op in returns)
    )


def _by_class(state: FunctionClasses, return_op: Operation) -> dict[Value, list[int]]:
    """The positions of the ranked tensors that a return yields, by the representative of their alias class."""
    found: dict[Value, list[int]] = {}
    for use in return_op.op_operands:
        if _ranked(use.value):
            found.setdefault(state.alias.find(use.value), []).append(use.index)
    return found


class ReturnedArguments(NamedTuple):
    """Which arguments a function returns.

    Attributes:
        agreed: by result, the argument whose buffer every return yields.
        found: by return and result, the argument whose buffer it yields. As in mlir-opt, later returns are not checked once
            one differs.
    """

    agreed: dict[int, int]
    found: dict[Operation, dict[int, int]]


def returned_arguments(state: FunctionClasses, function: Operation) -> ReturnedArguments:
    """Which results are equivalent to arguments. O(arguments + results * returns * equivalent arguments)."""
    returns = returns_of(function)
    args: dict[Value, list[BlockArgument]] = {}
    for arg in function.regions[0].entry.args:
        if _ranked(arg):
            args.setdefault(state.equivalence.find(arg), []).append(arg)
    result = ReturnedArguments({}, {return_op: {} for return_op in returns})
    for position in range(len(returns[0].op_operands) if returns else 0):
        expected: int | None = None
        for return_op in returns:
            arg = _equivalent_argument(state, return_op.op_operands[position], args)
            if arg is not None:
                result.found[return_op][position] = arg
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
    """The first argument equivalent to the returned value, or None. `args` is keyed by class representative."""
    if not isinstance(returned.value.type, TENSOR_TYPES):
        return None
    for arg in args.get(state.equivalence.find(returned.value), ()):
        if state.are_equivalent(returned.value, arg):
            return arg.index
    return None


def is_written(state: FunctionClasses, value: Value) -> bool:
    """Whether some alias of `value` is written in place. O(uses of the alias class)."""
    return any(state.in_place_writes(alias) for alias in state.alias.members(value))


def _ranked(value: Value) -> bool:
    return isinstance(value.type, t.RankedTensorType)


def declared_access(function: Operation, index: int) -> tuple[bool, bool] | None:
    """Whether an argument is read and written according to its `bufferization.access`; None without that attribute."""
    attribute = argument_attribute(function, index, ACCESS)
    if not isinstance(attribute, StringAttr):
        return None
    return attribute.value in ("read", "read-write"), attribute.value in ("write", "read-write")


def _sharing(
    state: FunctionClasses, returns: list[Operation], returned: list[int]
) -> tuple[tuple[int, ...], ...]:
    """Groups of results that some return yields from one alias class."""
    groups: dict[tuple[int, ...], None] = {}
    for return_op in returns:
        by_class: dict[Value, list[int]] = {}
        for position in returned:
            value = return_op.op_operands[position].value
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


# The call graph: functions are analysed callees first, as far as calls are acyclic.


@record()
class CallGraph:
    """The functions of a module and their calls.

    Attributes:
        order: non-recursive functions, callees first.
        cyclic: the others: recursive functions and their callers.
        targets: the function that each `func.call` resolves to.
        calls: the `func.call` operations inside each function, in textual order.
    """

    order: list[Operation] = field(default_factory=list)
    cyclic: list[Operation] = field(default_factory=list)
    targets: dict[Operation, Operation] = field(default_factory=dict)
    calls: dict[Operation, list[Operation]] = field(default_factory=dict)


def modules_below(module: Operation) -> list[Operation]:
    """The module and its nested modules, outermost first. O(operations directly in modules)."""
    found = [module]
    for around in found:  # grows
        found += [op for region in around.regions for op in region.ops() if isinstance(op, ModuleOp)]
    return found


def call_graph(module: Operation, nested_modules: bool = False) -> CallGraph:
    """The call graph of the functions directly in `module`, and in its nested modules if `nested_modules`. O(operations).

    Calls of functions without tensors in their signatures do not constrain the order.
    """
    graph = CallGraph()
    modules = modules_below(module) if nested_modules else [module]
    functions: list[Operation] = [
        op for m in modules for region in m.regions for op in region.ops() if isinstance(op, func.FuncOp)
    ]
    symbols = SymbolTables()
    callers: dict[Operation, list[Operation]] = {function: [] for function in functions}
    unordered_callees: dict[Operation, int] = {}
    for function in functions:
        calls = graph.calls[function] = [op for op in function.walk() if isinstance(op, func.CallOp)]
        callees: dict[Operation, None] = {}
        for call in calls:
            callee = call.properties.get("callee")
            target = symbols.resolve(call, callee) if isinstance(callee, SymbolRefAttr) else None
            if target is None or not isinstance(target, func.FuncOp):
                continue
            graph.targets[call] = target
            if target in callers and has_tensor_signature(target):
                callees[target] = None
        unordered_callees[function] = len(callees)
        for callee in callees:
            callers[callee].append(function)
    ready = [function for function in functions if not unordered_callees[function]]
    for function in ready:  # grows; in mlir-opt the order among independent functions is one of addresses
        graph.order.append(function)
        del unordered_callees[function]
        for caller in callers[function]:
            unordered_callees[caller] -= 1
            if not unordered_callees[caller]:
                ready.append(caller)
    graph.cyclic = list(unordered_callees)
    return graph


def has_tensor_signature(function: Operation) -> bool:
    assert isinstance(function, FunctionOp)
    kind = function.function_type
    assert isinstance(kind, t.FunctionType)
    return any(isinstance(type, TENSOR_TYPES) for type in (*kind.inputs, *kind.results))
