"""Calls: a function owns nothing it is given, and its caller owns everything it returns.

Private functions that have bodies may instead return, behind their results, who owns each of them
(`private-function-dynamic-ownership`).
"""

from __future__ import annotations

from ....dialects.function_like import FunctionLikeOp
from ....ir.program.builder import Builder
from ....ir.program.core import Operation
from ....ir.program.interfaces import CallOpInterface
from ....ir.program.symbols import SymbolTables
from .regions import append_owners
from .state import State, buffers, constant_bool


def is_dynamic(function: Operation | None) -> bool:
    """Whether a function may tell its callers at run time who owns its results: it is private and has a body."""
    return (
        isinstance(function, FunctionLikeOp)
        and function.visibility == "private"
        and not function.is_declaration
    )


def handle_call(op: CallOpInterface, state: State, symbols: SymbolTables, dynamic: bool) -> None:
    """Own the results of a call.

    Args:
        dynamic: whether private functions tell at run time. A callee that is a value counts as public.
    """
    symbol = op.callee_symbol()
    if dynamic and symbol is not None and is_dynamic(symbols.resolve(op, symbol)):
        for result, owned in append_owners(op, state):
            state.own(result, owned)
            state.must_free(result)
        return
    owned = constant_bool(Builder.before(op), True)
    escaping = [result for result in buffers(op.results) if result in state.unmanaged]
    not_owned = constant_bool(Builder.before(op), False) if escaping else owned
    for result in buffers(op.results):
        if result in state.unmanaged:
            state.own(result, not_owned)
        else:
            state.own(result, owned)
            state.must_free(result)
