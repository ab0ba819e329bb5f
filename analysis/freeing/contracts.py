"""What a call gives: buffers that the caller owns, buffers that stay another's, or either, told by a flag.

C1  A function that others may call from outside gives away what it returns.
C2  A declaration may say otherwise: a result with `bufferization.owned = false` belongs to somebody else, and may be
    part of any memref that the function is given. With a number, the result of that number, an `i1`, tells.
C3  Of a callee that is not known, C1.
C4  A private function that is only called, and returns the same one of its arguments wherever it returns, or a part of
    it, gives nothing: the result is a view of what the caller passed, and nobody copies. So with what it returns twice:
    the second result is a view of the first.
C5  A private function that is only called, and returns what may be one of its arguments or an earlier result, tells its
    callers by a flag whether they come to own it, and nobody copies.
C6  What a function takes from its caller its body says (`taken`); a declaration takes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects import func
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CallOpInterface
from ...ir.program.symbols import SymbolTables
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..view_flow import is_buffer, strip_views
from .gifts import AWAY, Gift, Gives, declared
from .lent import lent_back
from .taken import Takes, taken_by


class Contracts:
    """What the functions of a program give their callers.

    Attributes:
        known: what is known of private functions with bodies, for each of their results.
        calls: the calls to those.
        unsettled: the results whose flags are there, but do not tell yet.
    """

    def __init__(self, symbols: SymbolTables, root: Operation) -> None:
        """
        Args:
            root: what holds the functions and all their uses. O(operations), and what `lent_back` takes.
        """
        self._symbols = symbols
        self.known: dict[tuple[FunctionLikeOp, int], Gift] = {}
        self.calls: dict[FunctionLikeOp, list[CallOpInterface]] = {}
        self.unsettled: set[tuple[FunctionLikeOp, int]] = set()
        self._learn(root)

    def _learn(self, root: Operation) -> None:
        """C4 to C6."""
        functions: list[FunctionLikeOp] = []
        private: list[FunctionLikeOp] = []
        used_otherwise: set[str] = set()
        calls: list[CallOpInterface] = []
        for op in root.walk():
            if isinstance(op, FunctionLikeOp):
                functions.append(op)
                if op.visibility == "private" and not op.is_declaration:
                    private.append(op)
                continue
            if isinstance(op, CallOpInterface):
                calls.append(op)
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if not isinstance(op, CallOpInterface):
                    used_otherwise.update(_symbols_in(attribute))
        private = [function for function in private if function.symbol_name not in used_otherwise]
        for function in private:
            self._learn_passed(function)
        for call in calls if private else ():
            function = self.callee(call)
            if function is not None:
                self.calls.setdefault(function, []).append(call)
        telling = [function for function in private if self._can_tell(function)]
        for (function, index), lent in lent_back(telling, self.callee, self.of_result).items():
            said = declared(function, index)
            flag = -1 if said is None or isinstance(said, bool) else said
            is_lent = lent.arguments or lent.results
            if is_lent and (function, index) not in self.known and not isinstance(said, bool):
                self.known[function, index] = lent.gift(flag)
        self._taken = taken_by(functions, self.callee, self.of_result) if calls else {}

    def _learn_passed(self, function: FunctionLikeOp) -> None:
        """C4."""
        ends = _ends(function)
        for index, kind in enumerate(function.function_type.results):
            if not t.is_memref(kind) or not ends or any(index >= len(end.operands) for end in ends):
                continue
            bottoms = [[strip_views(value) for value in end.operands[: index + 1]] for end in ends]
            passed = {_argument(bottom[index], function) for bottom in bottoms}
            position = passed.pop() if len(passed) == 1 else None
            if position is not None:
                self.known[function, index] = Gift(Gives.PASSED, (position,))
                continue
            for earlier in range(index):
                if all(bottom[earlier] is bottom[index] for bottom in bottoms):
                    self.known[function, index] = Gift(Gives.PASSED, results=(earlier,))
                    break

    def _can_tell(self, function: FunctionLikeOp) -> bool:
        """Whether one more result can be given to a function, its returns and its calls."""
        return (
            isinstance(function, func.FuncOp)
            and any(t.is_memref(kind) for kind in function.function_type.results)
            and all(isinstance(call, func.CallOp) for call in self.calls.get(function, ()))
            and all(isinstance(end, func.ReturnOp) for end in _ends(function))
        )

    def of_own_result(self, function: FunctionLikeOp, index: int) -> Gift:
        """What a function that is looked at gives its callers as result `index`."""
        known = self.known.get((function, index))
        if known is not None:
            return known
        said = declared(function, index)
        return AWAY if said is None or isinstance(said, bool) else Gift(Gives.TOLD, (), said)

    def callee(self, call: CallOpInterface) -> FunctionLikeOp | None:
        """The function that a call runs, if it names one."""
        symbol = call.callee_symbol()
        found = self._symbols.resolve(call, symbol) if symbol is not None else None
        return found if isinstance(found, FunctionLikeOp) else None

    def taken(self, call: CallOpInterface) -> dict[int, Takes]:
        """What becomes of the memrefs that a call passes, by number of operand. O(operands)."""
        callee = self.callee(call) if self._taken else None
        if callee is None:
            return {}
        found = {
            use.index: self._taken.get((callee, i))
            for i, use in enumerate(call.argument_operands())
            if is_buffer(use.value)
        }
        return {index: takes for index, takes in found.items() if takes is not None}

    def of_result(self, call: CallOpInterface, index: int) -> Gift:
        """What the caller gets as result `index`."""
        callee = self.callee(call)
        if callee is None:
            return AWAY
        known = self.known.get((callee, index))
        if known is not None:
            return known
        said = declared(callee, index)
        if said is None or said is True:
            return AWAY
        arguments = tuple(_buffers(call.argument_operands()))
        return Gift(Gives.BORROWED, arguments) if said is False else Gift(Gives.TOLD, arguments, said)


def _ends(function: FunctionLikeOp) -> list[Operation]:
    """What ends the blocks that lead nowhere."""
    return [op for block in function.body if (op := block.last_op) is not None and not op.successors]


def _symbols_in(attribute: a.Attribute) -> Iterable[str]:
    """The names of symbols in an attribute, at any depth."""
    waiting: list[object] = [attribute]
    while waiting:
        at = waiting.pop()
        if isinstance(at, a.SymbolRefAttr):
            yield from (at.root, *at.nested)
        elif isinstance(at, a.ArrayAttr):
            waiting += at.elements
        elif isinstance(at, a.DictionaryAttr):
            waiting += [value for _, value in at.entries]


def _argument(value: Value, function: FunctionLikeOp) -> int | None:
    """The number of the argument of a function that `value` is."""
    return value.index if isinstance(value, BlockArgument) and value.owner is function.body.entry else None


def _buffers(operands: Iterable[OpOperand]) -> Iterable[int]:
    return (i for i, use in enumerate(operands) if is_buffer(use.value))


class CallsThatFree:
    """Which calls may free what they are given, for passes that run function by function. What is learnt is kept for a program."""

    def __init__(self) -> None:
        self._learnt: tuple[Operation, Contracts] | None = None

    def inside(self, function: Operation) -> list[tuple[CallOpInterface, Value]]:
        """The calls in a function with what each may free. O(operations), the first time of the program."""
        calls = [
            op
            for op in function.walk()
            if isinstance(op, CallOpInterface) and any(map(is_buffer, op.operands))
        ]
        if not calls:
            return []
        root = function
        while root.parent_op is not None:
            root = root.parent_op
        if self._learnt is None or self._learnt[0] is not root:
            self._learnt = root, Contracts(SymbolTables(), root)
        contracts = self._learnt[1]
        return [(call, call.operands[position]) for call in calls for position in contracts.taken(call)]
