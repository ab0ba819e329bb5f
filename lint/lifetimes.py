"""Lifetime checks: leaks, double frees, frees too early or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import is_loop
from ..analysis.causes import FactBase
from ..analysis.freeing.leaks import Leaks, PathLeak
from ..analysis.naming import operand_span, symbol, value_name, value_span
from ..analysis.origins import is_buffer
from ..dialects import bufferization, scf
from ..dialects.bufferization import MANUAL_DEALLOCATION
from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.program.interfaces import (
    FREE,
    BranchOp,
    CountedLoopOp,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    ViewLikeOp,
)
from ..ir.program.symbols import SymbolTable
from ..ir.source.diagnostics import Diagnostic, Label, Severity
from ..ir.source.text import say
from ..transforms.buffer_results_to_out_params import callee_name
from .advice import PipelineTrials, Trial, freed_by, freed_in_each_iteration, freed_on_path, freed_once
from .lifetime_findings import (
    DroppedInLoop,
    FreedBeforeDeallocation,
    FreedInLoop,
    FreedOnSomePaths,
    FreedTwice,
    NeverFreed,
    UsedAfterFree,
)
from .placement import remove_frees

DEALLOCATION = "buffer-deallocation-pipeline"
ANY_PROGRAM = "buffer-deallocation-static"
"""The deallocation pass for programs that the pipeline rejects: explicit frees, cyclic control flow, custom
deallocations.
"""


def find_lifetimes(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Findings about all functions inside `module`. Near-linear, plus one trial if something is not freed."""
    functions = _defined_functions(module)
    leaks = Leaks(functions)
    never = leaks.never()
    if never:
        yield from _leaks(module, never, trials, leaks.fact_base)
    misplaced = list(_misplaced_frees(module, functions, trials))
    for value, op in leaks.on_cycles():
        found = _lost_on_cycle(value, op)
        trials.advise(found, *freed_in_each_iteration(value))
        found.derivation = leaks.fact_base.derivation("lost_on_cycle", value, op)
        yield found
    for leak in leaks.on_some_paths():
        found = _leak_on_path(leak, leaks.fact_base)
        trials.advise(found, *freed_on_path(leak), trials.after(ANY_PROGRAM))
        yield found
    yield from misplaced


def _defined_functions(module: Operation) -> list[FunctionOp]:
    return [op for op in module.walk() if isinstance(op, FunctionOp) and not op.body.is_empty]


# -- not freed


def _leaks(
    module: Operation, leaks: list[Value], trials: PipelineTrials, fact_base: FactBase
) -> Iterator[Diagnostic]:
    trial = trials.run(DEALLOCATION)
    remedy = next((way for way in (DEALLOCATION, ANY_PROGRAM) if _helps(trials.run(way))), None)
    refused = trial.failure.span if trial.failure is not None else None
    by_hand = next((op for op in module.walk() if _frees_by_hand(op) and op.name_span == refused), None)
    if by_hand is not None:
        fact_base.assert_fact("frees_by_hand", by_hand)
    if trial.failure is not None:
        fact_base.assert_fact("refuses", DEALLOCATION)
    hindrances = fact_base.query("freed_before_pass")
    if hindrances and by_hand is not None and trial.failure is not None:
        found = _freed_before_pass(by_hand, leaks[0], trial.failure)
        if remedy is not None:
            found.help("run -{remedy}: it supports explicit deallocations (tried)", remedy=remedy)
        elif _helps(trials.run(DEALLOCATION, remove_frees, "without frees")):
            found.help("remove the deallocations and let the pass insert them (tried)")
        found.derivation = fact_base.derivation("freed_before_pass", by_hand, leaks[0])
        yield found
    for value in leaks:
        span = value_span(value)
        name = value_name(value)
        diagnostic = Diagnostic(
            Severity.WARNING, say("{name} is never freed", name=name), span, NeverFreed.id
        )
        diagnostic.label(span, "allocated here, not freed and not returned", True)
        if remedy is not None:
            diagnostic.help("run -{remedy}: every buffer is freed then (tried)", remedy=remedy)
        elif trial.failure is not None and by_hand is None:
            diagnostic.note(
                "-{pipeline} rejects the program: {message}",
                pipeline=DEALLOCATION,
                message=trial.failure.message,
            )
        diagnostic.data = {"buffer": name, "remedy": remedy, "verified": remedy is not None}
        diagnostic.derivation = fact_base.derivation("never_freed", value)
        yield diagnostic


def _helps(trial: Trial) -> bool:
    return trial.module is not None and not Leaks(_defined_functions(trial.module)).never()


def _leak_on_path(leak: PathLeak, fact_base: FactBase) -> Diagnostic:
    name = value_name(leak.value)
    way = say(
        "where {value} is {wanted}", value=value_name(leak.condition.value), wanted=leak.condition.wanted
    )
    place = leak.branch.name_span
    diagnostic = Diagnostic(
        Severity.WARNING, say("{name} is not freed {way}", name=name, way=way), place, FreedOnSomePaths.id
    )
    diagnostic.label(place, "{way}, nothing frees {name} from here on", True, way=way, name=name)
    made = value_span(leak.value)
    diagnostic.label(made, "allocated here")
    diagnostic.label(leak.release.name_span, "released here, on another path")
    exits = [span for op in _exits(leak) if (span := op.name_span) is not None]
    for span in exits[:MAX_EXITS]:
        diagnostic.label(span, "{name} leaks when the function returns here", name=name)
    diagnostic.data = {
        "buffer": name,
        "condition": value_name(leak.condition.value),
        "is": leak.condition.wanted,
        "exits": [span.line for span in exits],
    }
    diagnostic.derivation = fact_base.derivation("freed_on_some_paths", leak.value, leak.branch, leak.way)
    return diagnostic


MAX_EXITS = 3
"""Function exits labelled for a leak."""


def _exits(leak: PathLeak) -> list[Operation]:
    """The function exits reached on a leaking path. O(blocks)."""
    branch = leak.branch
    if branch.successors:
        waiting = [branch.successors[leak.way]]
    else:
        while branch.parent_op is not None and not isinstance(branch.parent_op, FunctionOp):
            branch = branch.parent_op
        waiting = [branch.block] if branch.block is not None else []
    seen = set(waiting)
    found: list[Operation] = []
    while waiting:
        last = waiting.pop().last_op
        if last is not None and not last.successors:
            found.append(last)
        for block in last.successors if last is not None else ():
            if block not in seen:
                seen.add(block)
                waiting.append(block)
    return sorted(found, key=lambda op: op.where[1] if op.where is not None else 0)


def _frees_by_hand(op: Operation) -> bool:
    if isinstance(op, bufferization.DeallocOp):
        return True
    return (
        isinstance(op, MemoryEffectOp)
        and op.get_attr(MANUAL_DEALLOCATION) is None
        and any(effect.kind == FREE for effect in op.memory_effects())
    )


def _freed_before_pass(op: Operation, leak: Value, failure: Diagnostic) -> Diagnostic:
    diagnostic = Diagnostic(
        Severity.WARNING,
        say(
            "'{operation}' makes -{pipeline} fail, and {leak} is never freed",
            operation=op,
            pipeline=DEALLOCATION,
            leak=value_name(leak),
        ),
        op.name_span,
        FreedBeforeDeallocation.id,
    )
    diagnostic.label(op.name_span, "freed explicitly, before the pass that inserts deallocations", True)
    span = value_span(leak)
    diagnostic.label(span, "not freed")
    diagnostic.note("the pass says: {message}", message=failure.message)
    return diagnostic


# -- invalid frees


def _misplaced_frees(
    module: Operation, functions: list[FunctionOp], trials: PipelineTrials
) -> Iterator[Diagnostic]:
    fact_base = FactBase("lifetimes")
    callees = FreedByCallees(module, functions)
    for function in functions:
        _assert_frees(function, fact_base, callees)
    for op, base, loop in fact_base.query("freed_in_loop"):
        assert isinstance(op, Operation) and isinstance(base, Value) and isinstance(loop, Operation)
        found = _in_loop(op, base, loop)
        trials.advise(
            found,
            ("free it after the loop", lambda copy, op=op, loop=loop: copy.op(op).move_after(copy.op(loop))),
        )
        found.derivation = fact_base.derivation("freed_in_loop", op, base, loop)
        yield found
    for relation, code in (("freed_twice", FreedTwice.id), ("used_after_free", UsedAfterFree.id)):
        reported: set[Operation] = set()
        for use, base, free in fact_base.query(relation):
            assert isinstance(use, OpOperand) and isinstance(base, Value) and isinstance(free, Operation)
            if use.owner not in reported:
                reported.add(use.owner)
                found = _behind(code, use, base, free, callees)
                trials.advise(found, *freed_once(use.owner, free, code == FreedTwice.id))
                found.derivation = fact_base.derivation(relation, use, base, free)
                yield found


class FreedByCallees:
    """The arguments that functions free, themselves or in callees, on every call or under one condition, with the
    place.

    Near-linear.
    """

    def __init__(self, module: Operation, functions: list[FunctionOp]) -> None:
        self._tables = {
            op: SymbolTable(op) for op in {f.parent_op for f in functions if f.parent_op is not None}
        }
        self._frees: dict[Operation, dict[int, Operation]] = {}
        self._may_free: dict[Operation, dict[int, Operation]] = {}
        self.conditions: dict[tuple[Operation, Value], Condition] = {}
        """The condition under which an operation frees a buffer, if it may not."""
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
        return use.value in freed_by(op) or self.place(use) is not None

    def place(self, use: OpOperand) -> Operation | None:
        """The operation that frees the callee's argument for this operand, if it always does."""
        return self._in_callee(use, self._frees)

    def place_in_branch(self, use: OpOperand) -> Operation | None:
        """The same, for a free under a condition."""
        return None if self.place(use) is not None else self._in_callee(use, self._may_free)

    def _in_callee(self, use: OpOperand, places: dict[Operation, dict[int, Operation]]) -> Operation | None:
        op = use.owner
        if op.name != "func.call":
            return None
        function = _function(op)
        table = self._tables.get(function.parent_op) if function.parent_op is not None else None
        callee = table.lookup(callee_name(op)) if table is not None else None
        return places.get(callee, {}).get(use.index) if callee is not None else None


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


def _assert_frees(function: FunctionOp, fact_base: FactBase, callees: FreedByCallees) -> None:
    """Assert facts about frees and what follows them.

    Near-linear: only the first of several frees in a block counts.
    """
    bases: dict[Value, Value] = {}
    frees: dict[Value, list[Operation]] = {}
    choices: list[tuple[Operation, Value, Condition]] = []
    for op in function.walk():
        source = _same_memory(op)
        if source is not None:
            bases[op.results[0]] = bases.get(source, source)
        given = [use for use in op.op_operands if callees.place(use) is not None]
        freed = [bases.get(value, value) for value in (*freed_by(op), *(use.value for use in given))]
        for base in freed:
            frees.setdefault(base, []).append(op)
            choice = base.defining_op
            if choice is not None and choice.name == "arith.select":
                sides = enumerate(choice.operands[1:])
                choices += [(op, bases.get(side, side), (choice, which)) for which, side in sides]
        for use, base in zip(given, freed[len(freed) - len(given) :], strict=True):
            if freed.count(base) > 1 and freed.index(base) < len(freed) - len(given) + given.index(use):
                _assert_behind(use, base, op, fact_base)
        for use in op.op_operands:
            place = callees.place_in_branch(use)
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
        _assert_uses(base, ops, views[base], fact_base)
    for op, base, condition in choices:
        callees.conditions[op, base] = condition
        fact_base.assert_fact("frees", op, base)
        for use in _uses(views[base]):
            if use.owner.block is op.block and op.is_before_in_block(use.owner) and not use.owner.successors:
                _assert_behind(use, base, op, fact_base)


def _condition_around(op: Operation) -> Condition:
    branch, region = op.parent_op, op.parent_region
    assert branch is not None
    assert region is not None
    return branch, list(branch.regions).index(region)


def _assert_behind(use: OpOperand, base: Value, free: Operation, fact_base: FactBase) -> None:
    fact_base.assert_fact("uses", use, base)
    fact_base.assert_fact("owner", use, use.owner)
    fact_base.assert_fact("behind", use, free)


def _tell_how_often(loop: Operation, fact_base: FactBase) -> None:
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    if count is not None and count <= 1:
        fact_base.assert_fact("once", loop)


MAX_FREES = 16
"""Frees per buffer whose conditions are examined."""


def _assert_uses(base: Value, frees: list[Operation], views: list[Value], fact_base: FactBase) -> None:
    first: dict[Block, Operation] = {}
    for op in frees:
        known = first.get(op.block) if op.block is not None else None
        if op.block is not None and (known is None or op.is_before_in_block(known)):
            first[op.block] = op
    for use in _uses(views):
        if isinstance(use.owner, ViewLikeOp) and not any(r.has_uses for r in use.owner.results):
            continue
        if isinstance(use.owner, BranchOp) and not any(
            arg.has_uses
            for block in use.owner.successors
            for arg in block.args
            if use in use.owner.argument_operand(arg)
        ):
            continue
        passed = _passed_to(use)
        for free in list(first.values())[:MAX_FREES]:
            taken = conditions_between(free, use.owner)
            # a conditionally forwarded buffer takes its ownership along: only uses in this block count
            if taken is not None and not (taken and use.owner.may_be_terminator):
                for inner in passed or (use,):
                    _assert_behind(inner, base, free, fact_base)
                    if inner is not use and inner.value in freed_by(inner.owner):
                        fact_base.assert_fact("frees", inner.owner, base)


def _passed_to(use: OpOperand) -> list[OpOperand]:
    """The uses of the block arguments that a branch passes an operand to, unless one of them is a branch again."""
    branch = use.owner
    if not isinstance(branch, BranchOp):
        return []
    args = [arg for block in branch.successors for arg in block.args if use in branch.argument_operand(arg)]
    found = [inner for arg in args for inner in arg.uses]
    return [] if any(inner.owner.successors for inner in found) else found


Condition = tuple[Operation, int]
"""A conditional operation, and the region that it takes."""
CHOICES = (scf.IfOp, scf.IndexSwitchOp)
"""The operations whose condition decides which of their regions runs."""


def conditions_between(free: Operation, user: Operation) -> list[Condition] | None:
    """The conditions under which an operation runs after a free; None if it never does, or only on paths without the
    free.

    Both run on one path if the conditions of the user are among those of the free; nothing is known about the
    correlation of other conditions. O(depth).
    """
    taken: list[Condition] = []
    current = free
    while current.block is not None:
        inside = user.ancestor_in_block(current.block)
        if inside is not None:
            if inside is current or not current.is_before_in_block(inside):
                return None
            return taken if _is_free_of(user, inside, taken) else None
        parent, region = current.parent_op, current.parent_region
        if not isinstance(parent, (*CHOICES, CountedLoopOp)) or region is None:
            return None
        if isinstance(parent, CHOICES):
            taken.insert(0, (parent, list(parent.regions).index(region)))
        current = parent
    return None


def _is_free_of(user: Operation, around: Operation, taken: list[Condition]) -> bool:
    """Whether an operation inside `around` depends on no condition beyond `taken`; if that is empty, any qualifies."""
    if not taken:
        return True
    known = {(op.op_operands[0].value, which) for op, which in taken}
    while user is not around:
        parent, region = user.parent_op, user.parent_region
        if parent is None or region is None:
            return False
        if isinstance(parent, CHOICES):
            if (parent.op_operands[0].value, list(parent.regions).index(region)) not in known:
                return False
        elif not isinstance(parent, CountedLoopOp):
            return False
        user = parent
    return True


def _lost_on_cycle(value: Value, release: Operation) -> Diagnostic:
    name, place = value_name(value), value_span(value)
    title = say(
        "{name} is allocated again before it is freed: all but the last of its buffers leak", name=name
    )
    diagnostic = Diagnostic(Severity.WARNING, title, place, DroppedInLoop.id)
    diagnostic.label(place, "control comes back here, and nothing has freed it", True)
    diagnostic.label(release.name_span, "freed here, behind the loop")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _in_loop(op: Operation, base: Value, loop: Operation) -> Diagnostic:
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    severity = Severity.ERROR if count is not None and op.parent_op is loop else Severity.WARNING
    name = value_name(base)
    diagnostic = Diagnostic(
        severity,
        say(
            "{name} comes from outside '{loop}' and is freed inside: a double free if the body runs twice",
            name=name,
            loop=loop,
        ),
        op.name_span,
        FreedInLoop.id,
    )
    diagnostic.label(op.name_span, "freed in every iteration", True)
    diagnostic.label(loop.name_span, "the loop")
    span = value_span(base)
    diagnostic.label(span, "made once")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _loop_between(op: Operation, home: Block | None) -> Operation | None:
    """The outermost loop around `op` that does not contain `home`."""
    found = None
    current: Operation | None = op
    while current is not None and current.block is not home:
        current = current.parent_op
        if isinstance(current, FunctionOp):
            break
        if current is not None and is_loop(current):
            found = current
    return found if current is not None and current.block is home else None


def _behind(code: str, use: OpOperand, base: Value, free: Operation, callees: FreedByCallees) -> Diagnostic:
    """The finding for a use or free after a free: in its block, or on a path shown in numbered steps."""
    twice = code == FreedTwice.id
    name, span = value_name(base), operand_span(use)
    title = (
        say("{name} is freed twice", name=name)
        if twice
        else say("{name} is used after it was freed", name=name)
    )
    taken = conditions_between(free, use.owner) or []
    chosen = callees.conditions.get((free, base))
    said = [*taken, *([chosen] if chosen is not None else ())]
    if said:
        title += " where " + " and ".join(_in_words(condition) for condition in said)
    places = (callees.place(given) or callees.place_in_branch(given) for given in free.op_operands)
    inside = next((place for place in places if place is not None), None)
    again = callees.place(use)
    if inside is not None or again is not None:
        called = _function(inside or again or free)
        if use.owner is free:
            title += say(", in @{function}, which is given it twice", function=symbol(called))
        else:
            title += (
                say(", in @{function} and by its caller", function=symbol(called))
                if twice
                else say(" in @{function}", function=symbol(called))
            )
    diagnostic = Diagnostic(Severity.ERROR, title, span, code)
    where = "freed again here" if twice else "used here"
    is_plain = not said and inside is None and again is None
    diagnostic.label(span, where if is_plain else "", True)
    if is_plain:
        diagnostic.label(free.name_span, "freed here")
    else:
        last = (
            say("freed again in @{function}", function=symbol(_function(again)))
            if again is not None
            else where
        )
        events = [
            (value_span(base), "allocated here"),
            *(
                (op.name_span, say("{condition}: this branch runs", condition=_in_words((op, which))))
                for op, which in taken
            ),
            *(
                [(chosen[0].name_span, say("where {condition}", condition=_in_words(chosen)))]
                if chosen and inside is None
                else ()
            ),
            (free.name_span, "passed to a function that frees it" if inside is not None else "freed here"),
            *(
                [(chosen[0].name_span, say("where {condition}", condition=_in_words(chosen)))]
                if chosen and inside is not None
                else ()
            ),
            (inside.name_span if inside is not None else None, "freed here, in the callee"),
            (span, last),
        ]
        diagnostic.steps = [Label(place, text) for place, text in events if place is not None]
    diagnostic.data = {"buffer": name, "function": symbol(_function(free))}
    return diagnostic


def _in_words(condition: Condition) -> str:
    op, which = condition
    if isinstance(op, scf.IndexSwitchOp):
        case = op.cases.values[which - 1] if which else "none of the cases"
        return say("{value} is {case}", value=value_name(op.op_operands[0].value), case=case)
    return say(
        "{value} is {truth}",
        value=value_name(op.op_operands[0].value),
        truth="true" if which == 0 else "false",
    )


def _uses(views: list[Value]) -> Iterator[OpOperand]:
    for view in views:
        yield from view.uses


def _function(op: Operation) -> Operation:
    current = op
    while current.parent_op is not None and not isinstance(current, FunctionOp):
        current = current.parent_op
    return current
