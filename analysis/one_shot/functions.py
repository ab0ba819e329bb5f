"""What callers may know of a function, once its body has been decided."""

from __future__ import annotations

from ...ir import types as t
from ...ir.attributes import StringAttr
from ...ir.core import BlockArgument, Operation, OpOperand, Value
from ...ir.interfaces import FunctionOp
from ..models.base import TENSOR_TYPES, CalleeSummary
from ..models.func import argument_attribute
from .state import AnalysisState

ACCESS = "bufferization.access"


def returns_of(function: Operation) -> list[Operation]:
    """The operations that leave the function, in the order of its blocks."""
    found = []
    for block in function.regions[0]:
        if block.last_op is not None and block.last_op.name == "func.return":
            found.append(block.last_op)
    return found


def summarize(state: AnalysisState, function: Operation) -> CalleeSummary:
    """Which results may be buffers of which arguments, and which arguments are read or written.

    O(arguments * results * returns) plus the alias classes of the arguments.
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
    for i in tensors:
        found: dict[int, None] = {}
        for leave in leaves:
            for position, value in enumerate(leave.operands):
                if _ranked(args[i]) and _ranked(value) and state.alias.same(value, args[i]):
                    found[position] = None
        if found:
            aliasing[i] = tuple(found)
    equivalent: dict[int, int] = {}
    for position in returned:
        same = [equivalent_argument(state, leave.op_operands[position], args) for leave in leaves]
        if same and same[0] is not None and all(arg is same[0] for arg in same):
            equivalent[position] = same[0].index
    access = {
        i: _declared_access(function, i) or (state.is_value_read(args[i]), is_written(state, args[i]))
        for i in tensors
    }
    return _summary(aliasing, equivalent, access, _sharing(state, leaves, returned))


def equivalent_argument(
    state: AnalysisState, returned: OpOperand, args: list[BlockArgument]
) -> BlockArgument | None:
    """The first argument whose buffer the returned value is, or None."""
    if not _ranked(returned.value):
        return None
    for arg in args:
        if _ranked(arg) and state.are_equivalent(returned.value, arg):
            return arg
    return None


def is_written(state: AnalysisState, value: Value) -> bool:
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
    state: AnalysisState, leaves: list[Operation], returned: list[int]
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
    return CalleeSummary(
        aliasing,
        equivalent,
        frozenset(i for i, (read, _) in access.items() if read),
        frozenset(i for i, (_, written) in access.items() if written),
        sharing,
    )
