"""Frees and what follows them as facts: which functions free their arguments, which operation uses or frees a buffer after
a free, and under which conditions.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..analysis.allocations import is_loop
from ..analysis.causes import FactBase
from ..analysis.freeing.conditions import RunConditions
from ..analysis.freeing.decisions import Decision
from ..analysis.freeing.paths import Misuse, Paths
from ..analysis.origins import is_buffer
from ..dialects import bufferization, func, scf
from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, Region, Value
from ..ir.program.interfaces import (
    BranchOp,
    CountedLoopOp,
    FunctionOp,
    LoopLikeOp,
    ViewLikeOp,
    is_memory_effect_free,
)
from ..ir.program.symbols import SymbolTable
from ..ir.types import types as t
from ..semantics.frees import freed_by
from ..transforms.buffer_results_to_out_params import callee_name


class FreedByCallees:
    """The arguments that functions free, themselves or in callees, on every call or under one condition, with the
    place; the results of functions that are an argument or an earlier result; initial values that loops free.

    Near-linear.
    """

    def __init__(self, module: Operation, functions: list[FunctionOp]) -> None:
        self._tables = {
            op: SymbolTable(op) for op in {f.parent_op for f in functions if f.parent_op is not None}
        }
        self._frees: dict[Operation, dict[int, Operation]] = {}
        self._may_free: dict[Operation, dict[int, Operation]] = {}
        self.sharing: set[Operation] = set()
        """The calls whose results share a buffer with an operand or another result."""
        self._shared = {function: _shared_results(function) for function in functions}
        self.conditions: dict[tuple[Operation, Value], Decision] = {}
        """The condition under which an operation frees a buffer, if it may not."""
        self.followed: set[Operation] = set()
        """The calls into which each path was followed: what callees free under a condition is known for each path."""
        self.where: dict[tuple[OpOperand, Value, Operation], list[Decision]] = {}
        """The conditions under which a use follows a free on a path, where one of several buffers goes on."""
        self.inside: dict[tuple[OpOperand, Value, Operation], tuple[Operation | None, Operation | None]] = {}
        """On such a path, the operations of callees that free the buffer first, and again."""
        for function in functions:
            for i, arg in enumerate(function.body.entry.args):
                under = (use.owner for use in arg.uses if _is_in_branch(use.owner, function))
                free = next((op for op in under if arg in freed_by(op)), None)
                if free is not None:
                    self._may_free.setdefault(function, {})[i] = free
        changed = True
        while changed:
            changed = False
            for function in functions:
                known = self._frees.setdefault(function, {})
                for i, arg in enumerate(function.body.entry.args):
                    if i not in known and is_buffer(arg):
                        free = next((use.owner for use in arg.uses if self._is_certain(use, function)), None)
                        if free is not None:
                            known[i] = free
                            changed = True

    def _is_certain(self, use: OpOperand, function: FunctionOp) -> bool:
        op = use.owner
        if op.block is not function.body.entry or not function.body.has_one_block:
            return False
        return use.value in freed_by(op) or self._in_callee(use, self._frees) is not None

    def place(self, use: OpOperand) -> Operation | None:
        """The operation that frees the callee's argument for this operand, if it always does, or that of a loop that runs."""
        return self._in_callee(use, self._frees) or self._in_iteration(use)

    def _in_iteration(self, use: OpOperand) -> Operation | None:
        """The operation that frees a loop's initial value in the first iteration."""
        loop = use.owner
        given: list[Value] = []
        if isinstance(loop, CountedLoopOp):
            argument = loop.carried_argument(use)
            given += [argument] if argument is not None else []
        elif isinstance(loop, scf.WhileOp):
            argument = loop.before.entry.args[use.index]
            last = loop.before.entry.last_op
            given += [
                argument,
                *(loop.after.entry.args[u.index - 1] for u in argument.uses if u.owner is last and u.index),
            ]
        for value in given:
            for inner in value.uses if is_buffer(value) else ():
                frees = value in freed_by(inner.owner) or self._in_callee(inner, self._frees) is not None
                if frees and inner.owner.block is value.parent_block:
                    return inner.owner
        return None

    def shared(self, call: Operation) -> dict[int, Value]:
        """The results of a call that are one of its operands or of its other results, by number."""
        callee = self._callee(call)
        alike = self._shared.get(callee, {}) if isinstance(callee, FunctionOp) else {}
        return {
            number: call.results[other] if is_result else call.operands[other]
            for number, (is_result, other) in alike.items()
        }

    def place_in_branch(self, use: OpOperand) -> Operation | None:
        """The same, for a free under a condition."""
        return None if self.place(use) is not None else self._in_callee(use, self._may_free)

    def _in_callee(self, use: OpOperand, places: dict[Operation, dict[int, Operation]]) -> Operation | None:
        callee = self._callee(use.owner)
        return places.get(callee, {}).get(use.index) if callee is not None else None

    def _callee(self, op: Operation) -> Operation | None:
        if not isinstance(op, func.CallOp):
            return None
        function = function_of(op)
        table = self._tables.get(function.parent_op) if function.parent_op is not None else None
        return table.lookup(callee_name(op)) if table is not None else None


def _shared_results(function: FunctionOp) -> dict[int, tuple[bool, int]]:
    """The results that are always one buffer with an earlier result (True, its number) or an argument (False, its number).

    None where the function returns ownership flags, which tell its callers what to free.
    """
    last = function.body.entry.last_op if function.body.has_one_block else None
    if last is None or any(value.type == t.I1 for value in last.operands):
        return {}
    found: dict[int, tuple[bool, int]] = {}
    returned: dict[Value, int] = {}
    for number, value in enumerate(last.operands):
        if not is_buffer(value):
            continue
        base: Value | None = value
        while base is not None and base.defining_op is not None:
            value, base = base, _same_memory(base.defining_op)
        value = base if base is not None else value
        if isinstance(value, BlockArgument) and value.owner is function.body.entry:
            found[number] = (False, value.index)
        elif value in returned:
            found[number] = (True, returned[value])
        returned.setdefault(value, number)
    return found


def _is_in_branch(op: Operation, function: FunctionOp) -> bool:
    """Whether an operation is in a branch within the single block of a function."""
    branch = op.parent_op
    return isinstance(branch, CHOICES) and branch.block is function.body.entry and function.body.has_one_block


def _same_memory(op: Operation) -> Value | None:
    """The operand whose memory the result shares: for a view, or a conversion between tensor and memref."""
    if isinstance(op, ViewLikeOp):
        return op.view_source() if is_buffer(op.view_source()) else None
    if isinstance(op, bufferization.ToTensorOp):
        return op.operands[0]
    if isinstance(op, bufferization.ToBufferOp):
        maker = op.operands[0].defining_op
        may_write = isinstance(maker, bufferization.ToTensorOp) and "writable" in maker.properties
        return (
            op.operands[0] if may_write or "read_only" in op.properties else None
        )  # otherwise it may be a copy
    return None


def assert_frees(function: FunctionOp, fact_base: FactBase, callees: FreedByCallees) -> None:
    """Assert facts about frees and what follows them.

    Near-linear: only the first of several frees in a block counts.
    """
    bases: dict[Value, Value] = {}
    conditions_of = RunConditions(function)
    frees: dict[Value, list[Operation]] = {}
    choices: list[tuple[Operation, Value, Decision]] = []
    for op in function.walk():
        source = _same_memory(op)
        if source is not None:
            bases[op.results[0]] = bases.get(source, source)
        for number, same in callees.shared(op).items():
            bases[op.results[number]] = bases.get(same, same)
            callees.sharing.add(op)
        passed = [use for use in op.op_operands if callees.place(use) is not None]
        freed = [bases.get(value, value) for value in (*freed_by(op), *(use.value for use in passed))]
        for base in freed:
            frees.setdefault(base, []).append(op)
        for use, base in zip(passed, freed[len(freed) - len(passed) :], strict=True):
            if freed.count(base) > 1 and freed.index(base) < len(freed) - len(passed) + passed.index(use):
                _assert_behind(use, base, op, fact_base)
        for use in op.op_operands:
            place = None if op in callees.followed else callees.place_in_branch(use)
            if place is not None:
                choices.append((op, bases.get(use.value, use.value), _condition_around(place)))
    views: dict[Value, list[Value]] = {base: [base] for base in (*frees, *(base for _, base, _ in choices))}
    for view, base in bases.items():
        if base in views:
            views[base].append(view)
    for base, ops in frees.items():
        for op in ops:
            fact_base.assert_fact("frees", op, base)
            loop = _loop_between(op, base.parent_block)
            if loop is not None:
                fact_base.assert_fact("around", op, base, loop)
                _tell_how_often(loop, fact_base)
        _assert_uses(base, ops, views[base], bases, conditions_of, fact_base)
    for op, base, condition in choices:
        callees.conditions[op, base] = condition
        fact_base.assert_fact("frees", op, base)
        for use in _uses(views[base]):
            if use.owner.block is op.block and op.is_before_in_block(use.owner) and not use.owner.successors:
                _assert_behind(use, base, op, fact_base)


def assert_misuses(paths: Paths, fact_base: FactBase, callees: FreedByCallees) -> None:
    """Assert facts about buffers that are used or freed after a free on some path."""
    for event in paths.events:
        if isinstance(event, Misuse):
            callees.where[event.use, event.base, event.free] = paths.where(event)
            callees.inside[event.use, event.base, event.free] = event.inside, event.again
            fact_base.assert_fact("frees", event.free, event.base)
            if event.is_free:
                fact_base.assert_fact("frees", event.use.owner, event.base)
            _assert_behind(event.use, event.base, event.free, fact_base)


def _condition_around(op: Operation) -> Decision:
    branch, region = op.parent_op, op.parent_region
    assert branch is not None
    assert region is not None
    return _taken(branch, region)


def _taken(branch: Operation, region: Region) -> Decision:
    return Decision(branch, branch.operands[0], list(branch.regions).index(region), len(branch.regions), 0)


def _assert_behind(use: OpOperand, base: Value, free: Operation, fact_base: FactBase) -> None:
    fact_base.assert_fact("uses", use, base)
    fact_base.assert_fact("owner", use, use.owner)
    fact_base.assert_fact("behind", use, free)


def _tell_how_often(loop: Operation, fact_base: FactBase) -> None:
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    if count is not None and count <= 1:
        fact_base.assert_fact("once", loop)


MAX_BLOCKS = 100
"""Blocks after a free that are examined; double frees beyond them are not reported."""
MAX_FREES = 16
"""Frees per buffer whose conditions are examined."""


def _assert_uses(
    base: Value,
    frees: list[Operation],
    views: list[Value],
    bases: Container[Value],
    conditions_of: RunConditions,
    fact_base: FactBase,
) -> None:
    first: dict[Block, Operation] = {}
    for op in frees:
        known = first.get(op.block) if op.block is not None else None
        if op.block is not None and (known is None or op.is_before_in_block(known)):
            first[op.block] = op
    for use in _uses(views):
        if isinstance(use.owner, ViewLikeOp) and all(
            r in bases or not r.has_uses for r in use.owner.results[:1]
        ):
            continue  # accesses through the view are uses
        found = _passed_to(use) if isinstance(use.owner, BranchOp) else [use]
        for free in list(first.values())[:MAX_FREES]:
            conditions = conditions_between(free, use.owner, base.parent_block)
            # a conditionally forwarded buffer takes its ownership along: only uses in this block count
            if conditions and (use.owner.may_be_terminator or conditions_of.include_flag(free)):
                continue
            if conditions is not None:
                for inner in found:
                    _assert_behind(inner, base, free, fact_base)
                    if inner is not use and inner.value in freed_by(inner.owner):
                        fact_base.assert_fact("frees", inner.owner, base)


def _passed_to(use: OpOperand) -> list[OpOperand]:
    """The uses of the block arguments that a branch passes an operand to: to pass on a buffer is not to access it."""
    branch = use.owner
    assert isinstance(branch, BranchOp)
    args = [arg for block in branch.successors for arg in block.args if use in branch.argument_operand(arg)]
    return [inner for arg in args for inner in arg.uses if not inner.owner.successors]


CHOICES = (scf.IfOp, scf.IndexSwitchOp)
"""The operations whose condition decides which of their regions runs."""


def conditions_between(free: Operation, user: Operation, home: Block | None) -> list[Decision] | None:
    """The conditions under which an operation runs after a free; None if it never does, or only on paths without the
    free.

    Both run on one path if the conditions of the user are among those of the free; nothing is known about the
    correlation of other conditions. Blocks are followed while each has one successor. O(depth + blocks).

    Args:
        home: the block that defines the buffer; when it runs again, the buffer is another.
    """
    conditions: list[Decision] = []
    current = free
    while current.block is not None:
        inside = user.ancestor_in_block(current.block)
        if inside is not None and (inside is current or not current.is_before_in_block(inside)):
            return None
        inside = inside or _in_later_block(user, current.block, home)
        if inside is not None:
            return conditions if _is_free_of(user, inside, conditions) else None
        parent, region = current.parent_op, current.parent_region
        if not isinstance(parent, (*CHOICES, CountedLoopOp)) or region is None:
            return None
        if isinstance(parent, CHOICES):
            conditions.insert(0, _taken(parent, region))
        current = parent
    return None


def _in_later_block(user: Operation, block: Block, home: Block | None) -> Operation | None:
    """The operation around `user`, or itself, in a block that always runs after `block` and before `home`."""
    seen = {block, home}
    while (end := block.terminator) is not None and len(end.successors) == 1 and len(seen) < MAX_BLOCKS:
        block = end.successors[0]
        if block in seen:
            return None
        inside = user.ancestor_in_block(block)
        if inside is not None:
            return inside
        seen.add(block)
    return None


def _is_free_of(user: Operation, around: Operation, conditions: list[Decision]) -> bool:
    """Whether an operation inside `around` depends on no condition beyond `conditions`; if that is empty, any qualifies."""
    if not conditions:
        return True
    known = {(decision.value, decision.way) for decision in conditions}
    while user is not around:
        parent, region = user.parent_op, user.parent_region
        if parent is None or region is None:
            return False
        if isinstance(parent, CHOICES):
            if (parent.operands[0], list(parent.regions).index(region)) not in known:
                return False
        elif not isinstance(parent, CountedLoopOp):
            return False
        user = parent
    return True


def _loop_between(op: Operation, home: Block | None) -> Operation | None:
    """The outermost loop around `op` that does not contain `home`, or the branch that ends its block on a cycle of blocks."""
    found = None
    current: Operation | None = op
    while current is not None and current.block is not home:
        if home is not None and current.block is not None and current.block.region is home.region:
            return current.block.last_op if _comes_back(current.block, home) else found
        current = current.parent_op
        if isinstance(current, FunctionOp):
            break
        if current is not None and is_loop(current):
            found = current
    return found if current is not None and current.block is home else None


def _comes_back(block: Block, home: Block) -> bool:
    """Whether a path leads from `block` to itself without entering `home`; at most MAX_BLOCKS blocks are looked at."""
    seen: set[Block] = set()
    waiting = [*block.successors]
    while waiting and len(seen) < MAX_BLOCKS:
        at = waiting.pop()
        if at is block:
            return True
        if at is not home and at not in seen:
            seen.add(at)
            waiting += at.successors
    return False


def _uses(views: list[Value]) -> Iterator[OpOperand]:
    """The uses of a buffer that may access its memory: not those that ask for its address, rank or sizes."""
    for view in views:
        for use in view.uses:
            op = use.owner
            asks = op.results and all(r.type is t.INDEX for r in op.results) and is_memory_effect_free(op)
            if not asks:
                yield use


def function_of(op: Operation) -> Operation:
    """The function around `op`, or the outermost operation."""
    return op.closest(FunctionOp) or op.root
