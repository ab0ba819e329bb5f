"""Buffers that are freed never, too often, too early, or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import is_loop
from ..analysis.freeing.leaks import Leaks, PathLeak
from ..analysis.grounds import Grounds
from ..analysis.places import operand_span, symbol, value_name, value_span
from ..analysis.view_flow import is_buffer
from ..dialects import bufferization
from ..dialects.bufferization import MANUAL_DEALLOCATION
from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.program.interfaces import FREE, BranchOp, FunctionOp, LoopLikeOp, MemoryEffectOp, ViewLikeOp
from ..ir.source.diagnostics import Diagnostic, Severity
from .codes import Code
from .trial import PipelineTrials, Trial

DEALLOCATION = "buffer-deallocation-pipeline"
ANY_PROGRAM = "buffer-deallocation-static"
"""Takes what the other refuses: programs that free already, loops of blocks, what is freed in ways of its own."""


def find_lifetimes(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Findings about all functions inside `module`. Near-linear, plus one trial if something is not freed."""
    functions = _defined_functions(module)
    leaks = Leaks(functions)
    never = leaks.never()
    if never:
        yield from _leaks(module, never, trials, leaks.grounds)
    for leak in leaks.on_some_paths():
        yield _leak_on_path(leak, leaks.grounds)
    yield from _misplaced_frees(functions)


def _defined_functions(module: Operation) -> list[FunctionOp]:
    return [op for op in module.walk() if isinstance(op, FunctionOp) and not op.body.is_empty]


# -- not freed


def _leaks(
    module: Operation, leaks: list[Value], trials: PipelineTrials, grounds: Grounds
) -> Iterator[Diagnostic]:
    trial = trials.run(DEALLOCATION)
    remedy = next((way for way in (DEALLOCATION, ANY_PROGRAM) if _helps(trials.run(way))), None)
    refused = trial.failure.span if trial.failure is not None else None
    by_hand = next((op for op in module.walk() if _frees_by_hand(op) and op.name_span == refused), None)
    if by_hand is not None:
        grounds.tell("frees_by_hand", by_hand)
    if trial.failure is not None:
        grounds.tell("refuses", DEALLOCATION)
    hindrances = grounds.found("freed_before_pass")
    if hindrances and by_hand is not None and trial.failure is not None:
        found = _freed_before_pass(by_hand, leaks[0], trial.failure, remedy)
        found.derivation = grounds.derivation("freed_before_pass", by_hand, leaks[0])
        yield found
    for value in leaks:
        span = value_span(value)
        name = value_name(value)
        diagnostic = Diagnostic(Severity.WARNING, f"{name} is never freed", span, str(Code.NEVER_FREED))
        if span is not None:
            diagnostic.label(span, "allocated here, not freed and not returned", True)
        if remedy is not None:
            diagnostic.help(f"run -{remedy}: every buffer is freed then (tried)")
        elif trial.failure is not None and by_hand is None:
            diagnostic.note(f"-{DEALLOCATION} does not take the program: {trial.failure.message}")
        diagnostic.data = {"buffer": name, "remedy": remedy, "verified": remedy is not None}
        diagnostic.derivation = grounds.derivation("never_freed", value)
        yield diagnostic


def _helps(trial: Trial) -> bool:
    return trial.module is not None and not Leaks(_defined_functions(trial.module)).never()


def _leak_on_path(leak: PathLeak, grounds: Grounds) -> Diagnostic:
    name = value_name(leak.value)
    way = f"where {value_name(leak.condition.value)} is {leak.condition.wanted}"
    place = leak.branch.name_span
    diagnostic = Diagnostic(
        Severity.WARNING, f"{name} is not freed {way}", place, str(Code.FREED_ON_SOME_PATHS)
    )
    if place is not None:
        diagnostic.label(place, f"{way}, nothing frees {name} from here on", True)
    made = value_span(leak.value)
    if made is not None:
        diagnostic.label(made, "allocated here")
    if leak.release.name_span is not None:
        diagnostic.label(leak.release.name_span, "let go of here, on another path")
    diagnostic.help("free it on this path too, or once, where the paths meet again")
    diagnostic.data = {
        "buffer": name,
        "condition": value_name(leak.condition.value),
        "is": leak.condition.wanted,
    }
    diagnostic.derivation = grounds.derivation("freed_on_some_paths", leak.value, leak.branch, leak.way)
    return diagnostic


def _frees_by_hand(op: Operation) -> bool:
    if isinstance(op, bufferization.DeallocOp):
        return True
    return (
        isinstance(op, MemoryEffectOp)
        and op.get_attr(MANUAL_DEALLOCATION) is None
        and any(effect.kind == FREE for effect in op.memory_effects())
    )


def _freed_before_pass(op: Operation, leak: Value, failure: Diagnostic, remedy: str | None) -> Diagnostic:
    diagnostic = Diagnostic(
        Severity.WARNING,
        f"'{op.name}' keeps -{DEALLOCATION} from running, and {value_name(leak)} is never freed",
        op.name_span,
        str(Code.FREED_BEFORE_PASS),
    )
    if op.name_span is not None:
        diagnostic.label(op.name_span, "freed by hand, before the pass that places all frees", True)
    span = value_span(leak)
    if span is not None:
        diagnostic.label(span, "not freed")
    diagnostic.note(f"the pass says: {failure.message}")
    if remedy is not None:
        diagnostic.help(f"run -{remedy}: it takes programs that free already (tried)")
    else:
        diagnostic.help(
            f"remove the frees and let the pass place them, or put '{MANUAL_DEALLOCATION}' on this and on the allocation"
        )
    return diagnostic


# -- freed at the wrong place


def _misplaced_frees(functions: list[FunctionOp]) -> Iterator[Diagnostic]:
    grounds = Grounds("lifetimes")
    for function in functions:
        _tell_of_frees(function, grounds)
    for op, base, loop in grounds.found("freed_in_loop"):
        assert isinstance(op, Operation) and isinstance(base, Value) and isinstance(loop, Operation)
        found = _in_loop(op, base, loop)
        found.derivation = grounds.derivation("freed_in_loop", op, base, loop)
        yield found
    for relation, code in (("freed_twice", Code.FREED_TWICE), ("used_after_free", Code.USED_AFTER_FREE)):
        reported: set[Operation] = set()
        for use, base, free in grounds.found(relation):
            assert isinstance(use, OpOperand) and isinstance(base, Value) and isinstance(free, Operation)
            if use.owner not in reported:
                reported.add(use.owner)
                found = _behind(code, use, base, free)
                found.derivation = grounds.derivation(relation, use, base, free)
                yield found


def _tell_of_frees(function: FunctionOp, grounds: Grounds) -> None:
    """What is freed where, and what comes behind. Near-linear: of the frees in one block only the first counts."""
    bases: dict[Value, Value] = {}
    frees: dict[Value, list[Operation]] = {}
    for op in function.walk():
        if isinstance(op, ViewLikeOp) and is_buffer(op.view_source()):
            source = op.view_source()
            bases[op.results[0]] = bases.get(source, source)
        if isinstance(op, MemoryEffectOp):
            for effect in op.memory_effects():
                if effect.kind == FREE and effect.value is not None and is_buffer(effect.value):
                    frees.setdefault(bases.get(effect.value, effect.value), []).append(op)
    views: dict[Value, list[Value]] = {base: [base] for base in frees}
    for view, base in bases.items():
        if base in views:
            views[base].append(view)
    for base, ops in frees.items():
        for op in ops:
            grounds.tell("frees", op, base)
            loop = _loop_between(op, base.parent_block)
            if loop is not None:
                grounds.tell("around", op, base, loop)
                count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
                if count is not None and count <= 1:
                    grounds.tell("once", loop)
        _tell_of_uses(base, ops, views[base], grounds)


def _tell_of_uses(base: Value, frees: list[Operation], views: list[Value], grounds: Grounds) -> None:
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
        for block, free in first.items():
            user = use.owner.ancestor_in_block(block)
            if user is not None and user is not free and free.is_before_in_block(user):
                grounds.tell("uses", use, base)
                grounds.tell("owner", use, use.owner)
                grounds.tell("behind", use, free)


def _in_loop(op: Operation, base: Value, loop: Operation) -> Diagnostic:
    count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
    severity = Severity.ERROR if count is not None and op.parent_op is loop else Severity.WARNING
    name = value_name(base)
    diagnostic = Diagnostic(
        severity,
        f"{name} comes from outside of '{loop.name}' and is freed inside: once too often if the body runs twice",
        op.name_span,
        str(Code.FREED_IN_LOOP),
    )
    if op.name_span is not None:
        diagnostic.label(op.name_span, "freed in every iteration", True)
    if loop.name_span is not None:
        diagnostic.label(loop.name_span, "the loop")
    span = value_span(base)
    if span is not None:
        diagnostic.label(span, "made once")
    diagnostic.help("run -buffer-loop-hoisting before deallocation, not after it")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _loop_between(op: Operation, home: Block | None) -> Operation | None:
    """The outermost loop around `op` that `home` is not in."""
    found = None
    current: Operation | None = op
    while current is not None and current.block is not home:
        current = current.parent_op
        if isinstance(current, FunctionOp):
            break
        if current is not None and is_loop(current):
            found = current
    return found if current is not None and current.block is home else None


def _behind(code: Code, use: OpOperand, base: Value, free: Operation) -> Diagnostic:
    """A use or a free that comes after a free in its own block."""
    twice = code is Code.FREED_TWICE
    name, span = value_name(base), operand_span(use)
    title = f"{name} is freed twice" if twice else f"{name} is used after it was freed"
    diagnostic = Diagnostic(Severity.ERROR, title, span, str(code))
    if span is not None:
        diagnostic.label(span, "freed again here" if twice else "used here", True)
    if free.name_span is not None:
        diagnostic.label(free.name_span, "freed here")
    diagnostic.data = {"buffer": name, "function": symbol(_function(free))}
    return diagnostic


def _uses(views: list[Value]) -> Iterator[OpOperand]:
    for view in views:
        yield from view.uses


def _function(op: Operation) -> Operation:
    current = op
    while current.parent_op is not None and not isinstance(current, FunctionOp):
        current = current.parent_op
    return current
