"""Buffers that others may know when the function that allocates them has returned: they must not be on its stack.

A buffer is *kept* if it or a view of it is

  K1  stored in memory, or its address becomes a number that goes elsewhere (`analysis.escapes`);
  K2  given to an operation of which nothing is known, or to a call of a function that is not here;
  K3  given to a function that keeps its argument.

Being returned is not among these: the pass that promotes sees that itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import leaked
from ..analysis.origins import ViewFlow, is_buffer
from ..ir.program.core import BlockArgument, Operation, OpOperand, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp
from ..ir.program.symbols import SymbolTables
from ..ir.types.attributes import SymbolRefAttr


def kept_buffers(module: Operation) -> set[Value]:
    """The memrefs of the functions of `module` that are kept, allocations and others.

    A function is looked at again when one that it calls is found to keep one more argument.
    O(operations + memrefs * arguments that are kept).
    """
    functions = [op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration]
    symbols = SymbolTables()
    kept: set[Value] = set()
    callers: dict[Operation, list[tuple[Operation, OpOperand]]] = {}
    seeds: dict[Operation, list[Value]] = {}
    for function in functions:
        seeds[function] = [*leaked(function)]
        for use in _given_away(function):
            callee = _callee(use.owner, symbols)
            if callee is None:
                seeds[function].append(use.value)
            else:
                callers.setdefault(callee, []).append((function, use))
    flows: dict[Operation, ViewFlow] = {}
    waiting: list[Operation] = [function for function in functions if seeds[function]]
    while waiting:
        function = waiting.pop()
        flow = flows.get(function)
        if flow is None:
            flow = flows[function] = ViewFlow(function, conservative=True)
        found = [value for value in flow.resolve_back(seeds.pop(function, ())) if value not in kept]
        kept.update(found)
        for value in found:
            if (
                isinstance(value, BlockArgument)
                and value.owner.is_entry
                and value.owner.parent_op is function
            ):
                for caller, use in callers.get(function, ()):
                    if use.index == value.index:
                        seeds.setdefault(caller, []).append(use.value)
                        waiting.append(caller)
    return kept


def _given_away(function: Operation) -> Iterator[OpOperand]:
    """The memrefs that are given to calls, or to operations of which nothing is known."""
    for op in function.walk():
        if isinstance(op, CallOpInterface) or not op.is_registered:
            yield from (use for use in op.op_operands if is_buffer(use.value))


def _callee(op: Operation, symbols: SymbolTables) -> FunctionOp | None:
    """The function with a body that a direct call calls: its operands are the arguments. None if there is none."""
    name = op.properties.get("callee")
    target = symbols.resolve(op, name) if isinstance(name, SymbolRefAttr) else None
    if not isinstance(target, FunctionOp) or target.is_declaration:
        return None
    return target if len(target.body.entry.args) == len(op.op_operands) else None
