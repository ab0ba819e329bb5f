"""Ownership contracts of calls: results that the caller owns, results that it borrows, or either, according to a flag.

C1  A public function transfers ownership of its results to the caller.
C2  A function may differ: a result with `bufferization.owned = false` is borrowed. If the function has a body, it must return
    one of its arguments there, or a view of one; a result of a declaration may alias any memref argument, or is the argument
    donated for it (`FunctionLikeOp.donated`). If the attribute is a number, the `i1` result of that number is the ownership
    flag.
C3  C1 applies to unknown callees.
C4  A private function without other uses than calls that always returns the same argument, or a view of it, transfers nothing:
    the result is a view of the caller's operand, without a copy. If it returns a buffer twice, the second result is a view of
    the first.
C5  If such a function returns what may be one of its arguments or an earlier result, an additional flag result tells the
    caller whether it owns the buffer, without a copy.
C6  The body of a function determines which arguments it takes ownership of (`taken`); a declaration takes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum

from ...dialects import func, memref, scf
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CallOpInterface, is_allocation
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import PassFailed, error
from ...ir.source.records import field, record
from ...ir.types import attributes as a, types as t
from ...semantics.frees import freed_by
from ..allocations import escaping_allocations, leaked
from ..graphs import region_exits
from ..origins import ViewFlow, closure, is_buffer, strip_views

# Ownership of results: owned by the caller, borrowed, or either, according to a flag.

OWNED = "bufferization.owned"
"""Result attribute: whether the caller owns it: true, false, or the number of the result that is the ownership flag."""


class Gives(Enum):
    """The ownership of a result."""

    OWNED = "owned"
    BORROWED = "borrowed"
    PASSED = "passed"
    FLAGGED = "flagged"


@record(frozen=True)
class OwnershipTransfer:
    """The ownership of one result of a call.

    Attributes:
        kind: see `Gives`.
        arguments: the positions of the arguments that it may alias.
        results: the positions of earlier results that it may alias.
        flag: the number of the result that is its ownership flag; -1 if there is none yet.
        exact: whether a result that is not owned must be a view of one of these.
    """

    kind: Gives
    arguments: tuple[int, ...] = ()
    flag: int = -1
    exact: bool = False
    results: tuple[int, ...] = ()

    def borrowed(self, call: CallOpInterface) -> list[Value]:
        """The values that a borrowed result of `call` may be a view of."""
        passed = [use.value for use in call.argument_operands()]
        return [
            *(passed[i] for i in self.arguments if i < len(passed)),
            *(call.results[i] for i in self.results),
        ]


AWAY = OwnershipTransfer(Gives.OWNED)


def declared(function: FunctionLikeOp, index: int) -> bool | int | None:
    """The `bufferization.owned` attribute of a result: a bool, or the number of the flag result; None without it."""
    said = function.result_attr(index, OWNED)
    if not isinstance(said, a.IntegerAttr):
        return None
    return bool(said.value) if said.type is t.I1 else said.value


def lends(function: FunctionLikeOp) -> bool:
    """Whether a function has a result that is declared as borrowed. O(results)."""
    return "res_attrs" in function.properties and any(
        declared(function, index) is False for index in range(len(function.function_type.results))
    )


def cloned_results(root: Operation, flow: ViewFlow) -> Iterator[Value]:
    """Buffers that public functions return without owning them, so that deallocation clones them (C1): memory of the caller, of a global, or
    of an earlier result. O(operations + views of returned buffers).
    """
    for function in root.walk():
        if not isinstance(function, FunctionLikeOp) or function.is_declaration:
            continue
        for end in region_exits(function.body) if function.visibility != "private" else ():
            foreign: set[Value] = {*function.body.entry.args}
            for index, value in enumerate(end.operands):
                if not is_buffer(value) or declared(function, index) is False:
                    continue
                origins = {origin for origin in flow.resolve_back([value]) if origin in flow.terminals}
                if origins & foreign or any(isinstance(o.defining_op, memref.GetGlobalOp) for o in origins):
                    yield value
                foreign |= origins


# Borrowed results of private functions: the arguments that a result may alias.
#
# A result is followed back through views, branches and regions (`ViewFlow`) to its origins:
#
#   L1  an argument of the function: the result may be that argument;
#   L2  an allocation: the result is a new buffer;
#   L3  the result of a call: according to the callee's contract, applied to the operands of the call;
#   L4  anything else (a load from a table, an unknown operation): the result may alias any memref argument;
#   L5  an origin of an earlier result: the two may be one buffer, whose ownership can be transferred only once.
#
# Recursive functions are iterated to a fixed point: each round can only add arguments.

Callees = Callable[[CallOpInterface], FunctionLikeOp | None]


@record()
class Borrowed:
    """The possible sources of one result, so far.

    Attributes:
        arguments: positions of arguments that it may alias.
        results: positions of earlier results that it may alias.
        is_sure: whether it must be one of these or a new buffer without other owners.
        is_new: whether it may be a new buffer.
    """

    arguments: set[int] = field(default_factory=set)
    results: set[int] = field(default_factory=set)
    is_sure: bool = True
    is_new: bool = False

    @property
    def one_argument(self) -> int | None:
        """The argument that it certainly is, or is a part of."""
        is_one = self.is_sure and not self.is_new and len(self.arguments) == 1
        return next(iter(self.arguments)) if is_one else None

    def ownership_transfer(self, flag: int = -1) -> OwnershipTransfer:
        """The contract of the result, with result `flag` as the ownership flag."""
        exact = self.is_sure and len(self.arguments) + len(self.results) == 1
        return OwnershipTransfer(
            Gives.FLAGGED, tuple(sorted(self.arguments)), flag, exact, tuple(sorted(self.results))
        )


def returned_borrow(
    functions: Sequence[FunctionLikeOp],
    callee: Callees,
    of_call: Callable[[CallOpInterface, int], OwnershipTransfer],
) -> dict[tuple[FunctionLikeOp, int], Borrowed]:
    """The possible sources of each memref result of `functions`. O(operations + rounds * values followed).

    Args:
        of_call: the contract of a result of a call to any other function.
    """
    found = {
        (function, index): Borrowed()
        for function in functions
        for index, kind in enumerate(function.function_type.results)
        if t.is_memref(kind)
    }
    flows = {function: ViewFlow(function, conservative=True) for function in functions}
    callers: dict[FunctionLikeOp, set[FunctionLikeOp]] = {}
    for function in functions:
        for op in function.walk():
            if isinstance(op, CallOpInterface):
                other = callee(op)
                if other is not None:
                    callers.setdefault(other, set()).add(function)
    keeping = {function for function in functions if escaping_allocations(function)}
    waiting = list(dict.fromkeys(functions))
    while waiting:
        function = waiting.pop()
        changed = False
        origins: dict[int, set[Value]] = {}
        for index in range(len(function.function_type.results)):
            if (function, index) in found:
                now, origins[index] = _follow(function, index, flows[function], callee, of_call, found)
                now.results.update(
                    other for other in origins if other != index and origins[other] & origins[index]
                )
                now.is_sure &= function not in keeping
                changed |= now != found[function, index]
                found[function, index] = now
        if changed:
            waiting += [other for other in callers.get(function, ()) if other not in waiting]
    return found


def _follow(
    function: FunctionLikeOp,
    index: int,
    flow: ViewFlow,
    callee: Callees,
    of_call: Callable[[CallOpInterface, int], OwnershipTransfer],
    found: dict[tuple[FunctionLikeOp, int], Borrowed],
) -> tuple[Borrowed, set[Value]]:
    """The possible sources of a result, and its origins that are not arguments."""
    answer = Borrowed()
    origins: set[Value] = set()

    def sources(value: Value) -> Iterable[Value]:
        op = value.defining_op
        if isinstance(op, memref.ReallocOp):
            answer.is_new = True
            return ()
        if not isinstance(op, CallOpInterface):
            return flow.sources.get(value, ())
        position = op.results.index(value)  # pyright: ignore[reportArgumentType]
        target = callee(op)
        known = found.get((target, position)) if target is not None else None
        if known is not None:
            answer.is_sure &= known.is_sure
            answer.is_new |= known.is_new
            return known.ownership_transfer().borrowed(op)
        ownership_transfer = of_call(op, position)
        answer.is_new |= ownership_transfer.kind in (Gives.OWNED, Gives.FLAGGED)
        if ownership_transfer.kind is not Gives.OWNED:
            answer.is_sure &= ownership_transfer.exact
        return ownership_transfer.borrowed(op)

    returned = [
        end.operands[index]
        for block in function.body
        if (end := block.last_op) is not None and not end.successors and index < len(end.operands)
    ]
    for value in closure(returned, sources):
        op = value.defining_op
        if isinstance(value, BlockArgument) and value.owner is function.body.entry:
            answer.arguments.add(value.index)
        elif value in flow.terminals:
            origins.add(value)
            answer.is_new = True
            answer.is_sure &= isinstance(op, CallOpInterface) or is_allocation(value)
    if not answer.is_sure:
        answer.arguments.update(arg.index for arg in function.body.entry.args if is_buffer(arg))
    return answer, origins


# Arguments whose ownership a function takes: it frees them, or they escape.
#
#   T1  A function *frees* an argument if on every path to a return an operation directly in its blocks frees it or a view of it,
#       or passes it to a call that does: the caller must not free it.
#   T2  It *keeps* an argument if it may free it on some paths, through an alias or in a nested region, or if the address escapes
#       (`escapes`): the caller cannot know, so freeing is left to the program.
#       A conditional free of a value that is an argument on some paths only is assumed to free the function's own buffer.
#   T3  A declaration takes nothing.
#
# Recursive functions are iterated to a fixed point. Arguments start as kept, and become freed where T1 is proved.


class Takes(Enum):
    """What a function does to the ownership of an argument."""

    FREES = "frees"
    KEEPS = "keeps"


Taken = dict[tuple[FunctionLikeOp, int], Takes]


def taken_by(
    functions: Sequence[FunctionLikeOp],
    callee: Callees,
    of_call: Callable[[CallOpInterface, int], OwnershipTransfer],
) -> Taken:
    """The arguments that `functions` take, by function and index. O(operations + rounds * values followed).

    Args:
        of_call: the contract of a result of a call, to follow values back through calls.
    """
    found: Taken = {}
    calls: dict[FunctionLikeOp, list[tuple[FunctionLikeOp, CallOpInterface]]] = {}
    ended: dict[FunctionLikeOp, list[Value]] = {}
    for function in functions:
        if function.is_declaration:
            continue
        ended[function] = [*leaked(function)]
        for op in function.walk():
            ended[function] += (value for value in freed_by(op) if _may_be_borrowed(op, value, function))
            if isinstance(op, CallOpInterface):
                target = callee(op)
                if target is not None and any(map(is_buffer, op.operands)):
                    calls.setdefault(target, []).append((function, op))
    flows: dict[FunctionLikeOp, ViewFlow] = {}
    waiting = {function: None for function in functions if ended.get(function)}
    while waiting:
        function, _ = waiting.popitem()
        if function not in flows:
            flows[function] = ViewFlow(function, conservative=True)
        for index in _arguments_behind(function, ended[function], flows[function], of_call):
            if (function, index) in found:
                continue
            found[function, index] = Takes.KEEPS
            for caller, call in calls.get(function, ()):
                arguments = [use.value for use in call.argument_operands()]
                if index < len(arguments):
                    ended[caller].append(arguments[index])
                    waiting[caller] = None
    _make_sure(found, callee)
    return found


def _may_be_borrowed(op: Operation, value: Value, function: FunctionLikeOp) -> bool:
    """Whether `op` may free a buffer of the caller. See T2."""
    bottom = strip_views(value)
    if isinstance(bottom, BlockArgument) and bottom.owner is function.body.entry:
        return True
    around = op.parent_op
    if not isinstance(around, scf.IfOp):
        return True
    from .flow import guarded_frees  # only few programs free within conditionals

    return not guarded_frees(around)


def _arguments_behind(
    function: FunctionLikeOp,
    values: Iterable[Value],
    flow: ViewFlow,
    of_call: Callable[[CallOpInterface, int], OwnershipTransfer],
) -> list[int]:
    """The arguments of a function that `values` may alias."""

    def sources(value: Value) -> Iterable[Value]:
        op = value.defining_op
        if not isinstance(op, CallOpInterface):
            return flow.sources.get(value, ())
        return of_call(op, op.results.index(value)).borrowed(op)  # pyright: ignore[reportArgumentType]

    return [
        value.index
        for value in closure(values, sources)
        if isinstance(value, BlockArgument) and value.owner is function.body.entry
    ]


class _Ended:
    """The frees of a function's arguments directly in its blocks, and the calls that may free them. O(operations)."""

    def __init__(self, function: FunctionLikeOp, callee: Callees) -> None:
        self._body = function.body
        self._freeing: dict[Value, set[Block]] = {}
        self._passed: dict[Value, list[tuple[Block, FunctionLikeOp, int]]] = {}
        self._exposed = {strip_views(value) for value in leaked(function)}
        for block in function.body:
            for op in block:
                for value in freed_by(op):
                    self._freeing.setdefault(strip_views(value), set()).add(block)
                target = callee(op) if isinstance(op, CallOpInterface) else None
                if target is not None and isinstance(op, CallOpInterface):
                    for i, use in enumerate(op.argument_operands()):
                        passed = self._passed.setdefault(strip_views(use.value), [])
                        passed.append((block, target, i))

    def is_freed_everywhere(self, index: int, found: Taken) -> bool:
        """T1. O(blocks)."""
        argument = self._body.entry.args[index]
        freeing = set(self._freeing.get(argument, ()))
        for block, target, i in self._passed.get(argument, ()):
            if found.get((target, i)) is Takes.FREES:
                freeing.add(block)
        if not freeing or argument in self._exposed:
            return False
        reached: set[Block] = set()
        waiting = [self._body.entry]
        while waiting:
            block = waiting.pop()
            if block not in reached and block not in freeing:
                reached.add(block)
                waiting += block.successors
        return all(block.successors for block in reached)


def _make_sure(found: Taken, callee: Callees) -> None:
    """Promote kept arguments to freed by T1, to a fixed point, as that may depend on callees."""
    ended = {function: _Ended(function, callee) for function in dict.fromkeys(f for f, _ in found)}
    changed = True
    while changed:
        changed = False
        for (function, index), takes in found.items():  # callees come first
            if takes is Takes.KEEPS and ended[function].is_freed_everywhere(index, found):
                found[function, index] = Takes.FREES
                changed = True


class Contracts:
    """The ownership contracts of the functions of a program.

    Attributes:
        known: the contracts of private functions with bodies, by result.
        calls: the calls to those functions.
        one_argument: by result, the argument that it must be a view of, for functions whose callers are all known, and for those
            with donated arguments.
        unsettled: the results whose flag results exist but are not computed yet.
    """

    def __init__(self, symbols: SymbolTables, root: Operation) -> None:
        """
        Args:
            root: contains the functions and all their uses. O(operations), plus `returned_borrow`.
        """
        self._symbols = symbols
        self.known: dict[tuple[FunctionLikeOp, int], OwnershipTransfer] = {}
        self.calls: dict[FunctionLikeOp, list[CallOpInterface]] = {}
        self.one_argument: dict[tuple[FunctionLikeOp, int], int] = {}
        self.unsettled: set[tuple[FunctionLikeOp, int]] = set()
        self._derive_contracts(root)

    def _derive_contracts(self, root: Operation) -> None:
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
            self._derive_passed_through(function)
        for call in calls if private else ():
            function = self.callee(call)
            if function is not None:
                self.calls.setdefault(function, []).append(call)
        telling = [function for function in private if self._can_tell(function)]
        self._lending = [
            function for function in functions if lends(function) and not function.is_declaration
        ]
        donating = [function for function in functions if not function.is_declaration and function.donated()]
        asked = [*dict.fromkeys([*telling, *self._lending, *donating])]
        for (function, index), borrowed in returned_borrow(asked, self.callee, self.of_result).items():
            said = declared(function, index)
            if borrowed.one_argument is not None:
                self.one_argument[function, index] = borrowed.one_argument
            if said is False and borrowed.one_argument is not None:
                self.known[function, index] = OwnershipTransfer(Gives.PASSED, (borrowed.one_argument,))
                continue
            if function not in telling:
                continue
            flag = -1 if said is None or isinstance(said, bool) else said
            is_lent = borrowed.arguments or borrowed.results
            if is_lent and (function, index) not in self.known and not isinstance(said, bool):
                self.known[function, index] = borrowed.ownership_transfer(flag)
        self._taken = taken_by(functions, self.callee, self.of_result) if calls else {}

    def _derive_passed_through(self, function: FunctionLikeOp) -> None:
        """C4."""
        ends = _ends(function)
        for index, kind in enumerate(function.function_type.results):
            if not t.is_memref(kind) or not ends or any(index >= len(end.operands) for end in ends):
                continue
            bottoms = [[strip_views(value) for value in end.operands[: index + 1]] for end in ends]
            passed = {_argument(bottom[index], function) for bottom in bottoms}
            position = passed.pop() if len(passed) == 1 else None
            if position is not None:
                self.known[function, index] = OwnershipTransfer(Gives.PASSED, (position,))
                continue
            for earlier in range(index):
                if all(bottom[earlier] is bottom[index] for bottom in bottoms):
                    self.known[function, index] = OwnershipTransfer(Gives.PASSED, results=(earlier,))
                    break

    def _can_tell(self, function: FunctionLikeOp) -> bool:
        """Whether a flag result can be added to a function, its returns and its calls."""
        return (
            isinstance(function, func.FuncOp)
            and any(t.is_memref(kind) for kind in function.function_type.results)
            and all(isinstance(call, func.CallOp) for call in self.calls.get(function, ()))
            and all(isinstance(end, func.ReturnOp) for end in _ends(function))
        )

    def check(self) -> None:
        """Reject functions that declare a result as borrowed and do not return an argument there.

        Raises:
            PassFailed: C2 does not hold of a function with a body.
        """
        for function in self._lending:
            for index in range(len(function.function_type.results)):
                if declared(function, index) is False and (function, index) not in self.known:
                    problem = error(
                        f"result {index} may be allocated here, although it declares another owner",
                        function.name_span,
                    )
                    problem.help(f"return an argument, or remove '{OWNED}' from the result")
                    raise PassFailed(problem, operation=function)

    def of_own_result(self, function: FunctionLikeOp, index: int) -> OwnershipTransfer:
        """The contract of a function's own result `index`."""
        if (known := self.known.get((function, index))) is not None:
            return known
        said = declared(function, index)
        return AWAY if said is None or isinstance(said, bool) else OwnershipTransfer(Gives.FLAGGED, (), said)

    def callee(self, call: CallOpInterface) -> FunctionLikeOp | None:
        """The function that a call resolves to, or None."""
        symbol = call.callee_symbol()
        found = self._symbols.resolve(call, symbol) if symbol is not None else None
        return found if isinstance(found, FunctionLikeOp) else None

    def taken(self, call: CallOpInterface) -> dict[int, Takes]:
        """The ownership that a call takes, by index of the operand. O(operands)."""
        callee = self.callee(call) if self._taken else None
        if callee is None:
            return {}
        found = {
            use.index: self._taken.get((callee, i))
            for i, use in enumerate(call.argument_operands())
            if is_buffer(use.value)
        }
        return {index: takes for index, takes in found.items() if takes is not None}

    def borrowed_from(self, call: CallOpInterface, index: int) -> list[Value] | None:
        """The values that result `index` may be, or be a view of, if the callee says that it does not transfer ownership. C2."""
        callee = self.callee(call)
        if callee is None or declared(callee, index) is not False:
            return None
        return self.of_result(call, index).borrowed(call)

    def of_result(self, call: CallOpInterface, index: int) -> OwnershipTransfer:
        """The contract of result `index` of a call."""
        callee = self.callee(call)
        if callee is None:
            return AWAY
        if (known := self.known.get((callee, index))) is not None:
            return known
        said = declared(callee, index)
        if said is None or said is True:
            return AWAY
        arguments = tuple(i for i, result in callee.donated().items() if result == index)
        if said is False and len(arguments) == 1:
            return OwnershipTransfer(Gives.PASSED, arguments)
        arguments = tuple(_buffers(call.argument_operands()))
        return (
            OwnershipTransfer(Gives.BORROWED, arguments)
            if said is False
            else OwnershipTransfer(Gives.FLAGGED, arguments, said)
        )


def _ends(function: FunctionLikeOp) -> list[Operation]:
    """The terminators without successors."""
    return [op for block in function.body if (op := block.last_op) is not None and not op.successors]


def _symbols_in(attribute: a.Attribute) -> Iterable[str]:
    """The symbol names in an attribute, at any depth."""
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
    """The index of `value` among the arguments of a function, or None."""
    return value.index if isinstance(value, BlockArgument) and value.owner is function.body.entry else None


def _buffers(operands: Iterable[OpOperand]) -> Iterable[int]:
    return (i for i, use in enumerate(operands) if is_buffer(use.value))
