"""Lifetime and placement checks: leaks, double frees, frees in the wrong place, allocations that a pass would move."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ..analysis.allocations import is_loop, only_allocates
from ..analysis.causes import FactBase
from ..analysis.freeing.leaks import Leaks, PathLeak
from ..analysis.naming import value_name, value_span
from ..dialects import bufferization
from ..dialects.bufferization import MANUAL_DEALLOCATION
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import FREE, FunctionOp, LoopLikeOp, MemoryEffectOp
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.text import say
from .advice import PipelineTrials, Trial, freed_in_each_iteration, freed_on_path, freed_once
from .after_free import in_words, misuse_after_free
from .findings import CouldBeHoisted, CouldBeOnStack, HoistingAfterDeallocation
from .frees import FreedByCallees, assert_frees, assert_misuses, function_of
from .lifetime_findings import (
    DroppedInLoop,
    FreedBeforeDeallocation,
    FreedInLoop,
    FreedOnSomePaths,
    FreedTwice,
    NeverFreed,
    UsedAfterFree,
)
from .stack import Cycles, kept_buffers

# Allocations that a placement pass would move, each found by running the pass on a copy.

HOISTING = "buffer-loop-hoisting"
PROMOTION = "promote-buffers-to-stack"


def find_placements(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Remarks on heap allocations in `module`. Two or three trials, if there is a candidate."""
    allocs = [op.results[0] for op in module.walk() if only_allocates(op)]
    looped = [value for value in allocs if loops_around(value)]
    freed = [value for value in looped if any(_frees(user) for user in value.users)]
    hoisted = set()
    if looped:
        unfreed = set(looped).difference(freed)
        if unfreed:
            moved = trials.run(HOISTING)
            hoisted = {value for value in unfreed if _left_loops(value, moved.copies.get(value))}
        if freed:
            without = trials.run(HOISTING, remove_frees, "without frees")
            hoisted |= {value for value in freed if _left_loops(value, without.copies.get(value))}
    fact_base = FactBase("pipelines")
    for value in allocs:
        fact_base.assert_fact("on_heap", value)
        if value in hoisted:
            fact_base.assert_fact("moved_out", value, HOISTING)
        if any(_frees(user) for user in value.users):
            fact_base.assert_fact("freed", value)
    for relation in ("hoisting_is_late", "hoistable"):
        for value, _ in fact_base.query(relation):
            assert isinstance(value, Value)
            diagnostic = _hoistable(value, relation == "hoisting_is_late")
            diagnostic.derivation = fact_base.derivation(relation, value, HOISTING)
            yield diagnostic
    _assert_promotion(module, fact_base, allocs, hoisted, trials)
    for value, _ in fact_base.query("promotable"):
        assert isinstance(value, Value)
        diagnostic = _promotable(value)
        diagnostic.derivation = fact_base.derivation("promotable", value, PROMOTION)
        yield diagnostic


def _assert_promotion(
    module: Operation,
    fact_base: FactBase,
    allocs: Sequence[Value],
    hoisted: Container[Value],
    trials: PipelineTrials,
) -> None:
    """Assert facts about allocations that the pass would move to the stack. No trial if there is no candidate."""
    cycles = Cycles()
    candidates = [
        value for value in allocs if value not in hoisted and not any(_frees(u) for u in value.users)
    ]
    escaping = kept_buffers(module) if candidates else set[Value]()
    stays = False
    for value in candidates:
        around = cycles.around(_maker(value), scopes_end=False)
        if around is not None:
            fact_base.assert_fact("runs_again", value, around)
        if value in escaping:
            fact_base.assert_fact("escapes", value)
        stays |= around is None and value not in escaping
    promoted = trials.run(PROMOTION) if stays else None
    for value in allocs:
        if promoted is not None and promoted.module is not None and _is_gone(promoted.copies.get(value)):
            fact_base.assert_fact("gone", value, PROMOTION)


def remove_frees(module: Operation) -> None:
    """Erase all frees, so that allocations can be placed anew."""
    for op in list(module.walk()):
        if _frees(op) and not op.results:
            op.erase()


def _maker(value: Value) -> Operation:
    assert value.defining_op is not None
    return value.defining_op


def loops_around(value: Value) -> int:
    """The number of loops around the definition of `value`."""
    return sum(map(is_loop, value.parent_op.ancestors())) if value.parent_op is not None else 0


def _frees(op: Operation) -> bool:
    """Whether the only memory effect of `op` is to free."""
    if isinstance(op, bufferization.DeallocOp):
        return True
    effects = op.memory_effects() if isinstance(op, MemoryEffectOp) else []
    return bool(effects) and all(effect.kind == FREE for effect in effects)


def _left_loops(value: Value, copy: Value | None) -> bool:
    return copy is not None and not _is_gone(copy) and loops_around(copy) < loops_around(value)


def _is_gone(copy: Value | None) -> bool:
    """Whether the copy's operation was replaced: it is erased, or was rewritten."""
    return copy is not None and (copy.parent_block is None or copy.parent_block.parent_op is None)


def _hoistable(value: Value, freed: bool) -> Diagnostic:
    name = value_name(value)
    span = value_span(value)
    code = HoistingAfterDeallocation.id if freed else CouldBeHoisted.id
    title = say(
        "{name} is allocated{freed} in every iteration; one buffer would be enough",
        name=name,
        freed=" and freed" if freed else "",
    )
    diagnostic = Diagnostic(Severity.REMARK, title, span, code)
    diagnostic.label(span, "its size is known before the loop", True)
    if freed:
        for user in value.users:
            if _frees(user) and user.name_span is not None:
                diagnostic.label(user.name_span, "freed here, so it can no longer be hoisted")
                break
        diagnostic.help(
            "run -{pipeline} before deallocation: it hoists the allocation (tried without the deallocations)",
            pipeline=HOISTING,
        )
    else:
        diagnostic.help(
            "run -{pipeline}: it hoists the allocation out of the loop (tried)", pipeline=HOISTING
        )
    diagnostic.data = {"buffer": name, "remedy": HOISTING, "verified": True}
    return diagnostic


def _promotable(value: Value) -> Diagnostic:
    name = value_name(value)
    span = value_span(value)
    diagnostic = Diagnostic(
        Severity.REMARK, say("{name} is small enough for the stack", name=name), span, CouldBeOnStack.id
    )
    diagnostic.label(span, "allocated on the heap", True)
    diagnostic.help(
        "run -{pipeline} before deallocation: it turns this into an alloca (tried)", pipeline=PROMOTION
    )
    diagnostic.data = {"buffer": name, "remedy": PROMOTION, "verified": True}
    return diagnostic


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
    misplaced = list(_misplaced_frees(module, functions, leaks, trials))
    on_cycles = leaks.on_cycles()
    for value, op in on_cycles:
        found = _lost_on_cycle(value, op)
        trials.advise(found, *freed_in_each_iteration(value))
        found.derivation = leaks.fact_base.derivation("lost_on_cycle", value, op)
        yield found
    dropped = {value for value, _ in on_cycles}
    around = {
        op for value in dropped if value.defining_op is not None for op in value.defining_op.ancestors()
    }
    for leak in leaks.on_some_paths():
        if leak.branch in around or leak.value in dropped:
            continue  # the loop drops what it has received, and that is one of them
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
    conditions = [in_words(decision, function_of(leak.release)) for decision in leak.where]
    way = say("where {conditions}", conditions=" and ".join(conditions))
    in_callee = _is_in_callee(leak)
    place = (leak.release if in_callee else leak.branch).name_span
    diagnostic = Diagnostic(
        Severity.WARNING, say("{name} is not freed {way}", name=name, way=way), place, FreedOnSomePaths.id
    )
    diagnostic.label(place, "{way}, nothing frees {name} from here on", True, way=way, name=name)
    made = value_span(leak.value)
    diagnostic.label(made, "allocated here")
    if in_callee:
        diagnostic.label(leak.branch.name_span, "the callee decides here whether it frees the buffer")
    else:
        is_joined = _is_forwarded(leak)
        how = (
            "forwarded here, on another path, and released later"
            if is_joined
            else "released here, on another path"
        )
        diagnostic.label(leak.release.name_span, how)
    exits = [span for op in _exits(leak) if (span := op.name_span) is not None]
    for span in exits[:MAX_EXITS]:
        diagnostic.label(span, "{name} leaks when the function returns here", name=name)
    diagnostic.data = {"buffer": name, "conditions": conditions, "exits": [span.line for span in exits]}
    diagnostic.derivation = fact_base.derivation("freed_on_some_paths", leak.value, leak.branch, leak.way)
    return diagnostic


def _is_forwarded(leak: PathLeak) -> bool:
    """Whether the other path releases the buffer after the branch, as one of several that may arrive there."""
    return leak.release.parent_op is leak.branch and leak.release.has_trait(tr.RETURN_LIKE)


def _is_in_callee(leak: PathLeak) -> bool:
    """Whether a callee decides about the leak."""
    return function_of(leak.branch) is not function_of(leak.release)


MAX_EXITS = 3
"""Function exits labelled for a leak."""


def _exits(leak: PathLeak) -> list[Operation]:
    """The function exits reached on a leaking path. O(blocks)."""
    branch = leak.release if _is_in_callee(leak) else leak.branch
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
    module: Operation, functions: list[FunctionOp], leaks: Leaks, trials: PipelineTrials
) -> Iterator[Diagnostic]:
    fact_base = FactBase("lifetimes")
    callees = FreedByCallees(module, functions)
    callees.followed.update(call for paths in leaks.paths.values() for call in paths.entered)
    for function in functions:
        assert_frees(function, fact_base, callees)
    for paths in leaks.paths.values():
        assert_misuses(paths, fact_base, callees)
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
            follows = (use, base, free) in callees.where and free in reported  # from a mistake that is shown
            if use.owner not in reported and not follows:
                reported.add(use.owner)
                found = misuse_after_free(code, use, base, free, callees)
                trials.advise(found, *freed_once(use.owner, free, code == FreedTwice.id))
                found.derivation = fact_base.derivation(relation, use, base, free)
                yield found


def _lost_on_cycle(value: Value, release: Operation) -> Diagnostic:
    name, place = value_name(value), value_span(value)
    title = say(
        "{name} is allocated again before it is freed: all but the last of its buffers leak", name=name
    )
    diagnostic = Diagnostic(Severity.WARNING, title, place, DroppedInLoop.id)
    diagnostic.label(place, "control comes back here, and nothing has freed it", True)
    diagnostic.label(release.name_span, "freed here, after the loop")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _in_loop(op: Operation, base: Value, loop: Operation) -> Diagnostic:
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    is_always = op.parent_op is loop or bool(loop.successors)
    severity = Severity.ERROR if count is not None and op.parent_op is loop else Severity.WARNING
    name = value_name(base)
    diagnostic = Diagnostic(
        severity,
        say(
            "{name} comes from before a cycle of blocks and is freed in it: a double free if it runs twice",
            name=name,
        )
        if loop.successors
        else say(
            "{name} comes from outside '{loop}' and is freed inside: a double free if {what} twice",
            name=name,
            loop=loop,
            what="the body runs" if is_always else "this runs",
        ),
        op.name_span,
        FreedInLoop.id,
    )
    where = "freed in every iteration" if is_always else "freed here, in a branch of the body"
    diagnostic.label(op.name_span, where, True)
    diagnostic.label(loop.name_span, "control comes back from here" if loop.successors else "the loop")
    span = value_span(base)
    diagnostic.label(span, "made once")
    diagnostic.data = {"buffer": name}
    return diagnostic
