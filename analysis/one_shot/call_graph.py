"""Who calls whom, and in which order functions are analysed: callees before callers, as far as calls are acyclic."""

from __future__ import annotations

from ...dialects import func
from ...dialects.builtin import ModuleOp
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.records import field, record
from ...ir.types import types as t
from ...ir.types.attributes import SymbolRefAttr
from ..models.base import TENSOR_TYPES


@record()
class CallGraph:
    """The functions of a module and their calls.

    Attributes:
        order: functions in order, callees first.
        cyclic: the others: those on cycles of calls, and those that call them.
        targets: the function that each `func.call` calls, where it is found.
        calls: the `func.call` operations inside each function, in textual order.
    """

    order: list[Operation] = field(default_factory=list)
    cyclic: list[Operation] = field(default_factory=list)
    targets: dict[Operation, Operation] = field(default_factory=dict)
    calls: dict[Operation, list[Operation]] = field(default_factory=dict)


def modules_below(module: Operation) -> list[Operation]:
    """The module and the modules directly or indirectly in it, from the outermost in. O(operations that stand in modules)."""
    found = [module]
    for around in found:  # grows
        found += [op for region in around.regions for op in region.ops() if isinstance(op, ModuleOp)]
    return found


def call_graph(module: Operation, nested_modules: bool = False) -> CallGraph:
    """The call graph of the functions directly in `module`, and in modules inside it if `nested_modules`. O(operations).

    Calls of functions without tensors in their signatures do not matter for the order.
    """
    graph = CallGraph()
    modules = modules_below(module) if nested_modules else [module]
    functions: list[Operation] = [
        op for m in modules for region in m.regions for op in region.ops() if isinstance(op, func.FuncOp)
    ]
    symbols = SymbolTables()
    callers: dict[Operation, list[Operation]] = {function: [] for function in functions}
    waiting_for: dict[Operation, int] = {}
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
        waiting_for[function] = len(callees)
        for callee in callees:
            callers[callee].append(function)
    ready = [function for function in functions if not waiting_for[function]]
    for function in ready:  # grows; in mlir-opt the order among independent functions is one of addresses
        graph.order.append(function)
        del waiting_for[function]
        for caller in callers[function]:
            waiting_for[caller] -= 1
            if not waiting_for[caller]:
                ready.append(caller)
    graph.cyclic = list(waiting_for)
    return graph


def has_tensor_signature(function: Operation) -> bool:
    assert isinstance(function, FunctionOp)
    kind = function.function_type
    assert isinstance(kind, t.FunctionType)
    return any(isinstance(type, TENSOR_TYPES) for type in (*kind.inputs, *kind.results))
