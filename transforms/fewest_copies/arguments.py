"""Arguments that a bufferized program overwrites, or returns: what a change costs the callers.

A call overwrites what its callee overwrites. Of a callee that is not known, or has no body, the worst is assumed, unless
its declaration says that it does not write the argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from ...analysis.naming import value_name
from ...analysis.one_shot.functions import declared_access
from ...analysis.origins import ViewFlow, closure, strip_views
from ...dialects import arith, memref
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    WRITE,
    CallOpInterface,
    FunctionOp,
    MemoryEffectOp,
    RegionBranchOp,
    is_function_argument,
)
from ...ir.program.symbols import SymbolTables
from ...ir.types import types as t
from ...ir.types.attributes import SymbolRefAttr


def written_arguments(root: Operation) -> set[tuple[str, int]]:
    """The function arguments that a bufferized program writes, in callees, too. O(operations + views)."""
    flow = _ArgumentFlow(root)
    written_by = cache(_written)  # an operation may view many buffers
    callers: dict[BlockArgument, list[BlockArgument]] = {}
    written: dict[BlockArgument, str] = {}
    for function in root.walk():
        if not isinstance(function, FunctionOp) or function.is_declaration:
            continue
        for arg in function.body.entry.args:
            if not t.is_memref(arg.type):
                continue
            for view in flow.views(arg):
                for use in view.uses:
                    if not isinstance(use.owner, CallOpInterface):
                        values = written_by(use.owner)
                        is_written = values is None or view in values
                    elif isinstance(inside := _argument_of_callee(use, flow.symbols), BlockArgument):
                        callers.setdefault(inside, []).append(arg)
                        is_written = False
                    else:
                        is_written = inside
                    if is_written:
                        written[arg] = function.symbol_name
    left = list(written)
    while left:
        for arg in callers.get(left.pop(), ()):
            function = arg.owner.parent_op
            if arg not in written and isinstance(function, FunctionOp):
                written[arg] = function.symbol_name
                left.append(arg)
    return {(name, arg.index) for arg, name in written.items()}


MAX_CALLS = 32
"""Nested calls through which an argument is followed; beyond them each result may be any argument."""


class _ArgumentFlow:
    """The memrefs that may view an argument, also as results of calls that return it."""

    def __init__(self, root: Operation) -> None:
        self.symbols = SymbolTables()
        self._flow = ViewFlow(root)
        self._known: dict[BlockArgument, list[Value]] = {}
        self._pending: set[BlockArgument] = set()

    def views(self, arg: BlockArgument) -> list[Value]:
        """`arg` and all memrefs that may view it, of its function. Amortised O(result)."""
        if arg not in self._known:
            self._pending.add(arg)
            self._known[arg] = closure([arg], self._targets)
            self._pending.remove(arg)
        return self._known[arg]

    def _targets(self, source: Value) -> Iterator[Value]:
        for target in self._flow.targets.get(source, ()):
            if not isinstance(target.defining_op, CallOpInterface) or self._may_return(source, target):
                yield target

    def _may_return(self, given: Value, result: Value) -> bool:
        """Whether the callee may return the argument `given` as `result`."""
        call = result.defining_op
        assert isinstance(result, OpResult) and call is not None
        for use in call.op_operands:
            if use.value is not given:
                continue
            inside = _argument_of_callee(use, self.symbols)
            if not isinstance(inside, BlockArgument) or inside in self._pending:
                return True
            if len(self._pending) > MAX_CALLS:
                return True
            if any(_returns(later, result.index) for view in self.views(inside) for later in view.uses):
                return True
        return False


def _returns(use: OpOperand, index: int) -> bool:
    return use.index == index and isinstance(use.owner.parent_op, FunctionOp) and not use.owner.successors


def named_arguments(module: Operation, wanted: set[tuple[str, int]]) -> Iterator[str]:
    """`%t of @f` for each of these arguments of public functions, in program order: of others all callers are known."""
    for op in module.walk() if wanted else ():
        if isinstance(op, FunctionOp) and not op.is_declaration and not _is_private(op):
            for argument in op.body.entry.args:
                if (op.symbol_name, argument.index) in wanted:
                    yield f"{value_name(argument)} of @{op.symbol_name}"


def not_donated(module: Operation, wanted: set[tuple[str, int]]) -> Iterator[str]:
    """`f#0`, as `-keep-arguments` names them, for each of these arguments that unknown callers have not donated."""
    for op in module.walk() if wanted else ():
        if isinstance(op, FunctionLikeOp) and isinstance(op, FunctionOp) and not _is_private(op):
            given = op.donated()
            indices = (arg.index for arg in op.body.entry.args) if not op.is_declaration else ()
            for index in indices:
                if (op.symbol_name, index) in wanted and index not in given:
                    yield f"{op.symbol_name}#{index}"


def returned_arguments(root: Operation) -> Counter[str]:
    """For each function, by name, the number of results in a bufferized program that may alias an argument.

    What a call returns is the caller's own: if it would alias an argument, the callee clones it.
    """
    functions = [op for op in root.walk() if isinstance(op, FunctionOp) and not op.is_declaration]
    returned = [(function.symbol_name, use.value) for function in functions for use in _returned(function)]
    # what is returned mostly is a view of one buffer, so the flow of all views is not needed
    origins = [(name, strip_views(value)) for name, value in returned]
    if not any(isinstance(made.defining_op, _SEVERAL_ORIGINS) or _is_passed(made) for _, made in origins):
        return Counter(name for name, origin in origins if isinstance(origin, BlockArgument))
    flow = ViewFlow(root)
    views = {
        view
        for function in functions
        for arg in function.body.entry.args
        if t.is_memref(arg.type)
        for view in flow.resolve(arg, through_calls=False)
    }
    return Counter(name for name, value in returned if value in views)


_SEVERAL_ORIGINS = (arith.SelectOp, memref.ReallocOp, RegionBranchOp)


def _is_passed(value: Value) -> bool:
    """Whether branches or regions pass the value on: it is an argument, but not a function's."""
    return isinstance(value, BlockArgument) and not is_function_argument(value)


def _returned(function: FunctionOp) -> Iterator[OpOperand]:
    for block in function.body:
        end = block.last_op
        if end is not None and end.may_be_terminator and not end.successors:
            yield from (use for use in end.op_operands if t.is_memref(use.value.type))


def _is_private(function: Operation) -> bool:
    return isinstance(function, FunctionLikeOp) and function.visibility == "private"


def _argument_of_callee(use: OpOperand, symbols: SymbolTables) -> BlockArgument | bool:
    """What an operand of a call is in the function that is called; without a body, whether that may write it."""
    reference = use.owner.properties.get("callee")
    callee = symbols.resolve(use.owner, reference) if isinstance(reference, SymbolRefAttr) else None
    if not isinstance(callee, FunctionOp):
        return True
    if callee.is_declaration:
        access = declared_access(callee, use.index)
        return access is None or access[1]
    inside = callee.body.entry.args
    return inside[use.index] if use.index < len(inside) else True


def _written(op: Operation) -> frozenset[Value] | None:
    """The operands that an operation writes; None if it may write all of them."""
    if not isinstance(op, MemoryEffectOp):
        return frozenset()
    values = [effect.value for effect in op.memory_effects() if effect.kind == WRITE]
    return None if None in values else frozenset(value for value in values if value is not None)
