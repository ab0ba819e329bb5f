"""Buffers that are freed never, too often, too early, or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import is_loop
from ..analysis.leaks import PathLeak, Releases
from ..analysis.places import operand_span, symbol, value_name, value_span
from ..analysis.view_flow import is_buffer
from ..dialects import bufferization
from ..dialects.bufferization import MANUAL_DEALLOCATION
from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.program.interfaces import (
    FREE,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    ViewLikeOp,
)
from ..ir.source.diagnostics import Diagnostic, Severity
from .codes import Code
from .trial import PipelineTrials

DEALLOCATION = "buffer-deallocation-pipeline"


def find_lifetimes(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Findings about all functions inside `module`. Near-linear, plus one trial if something is not freed."""
    functions = _defined_functions(module)
    releases = [Releases(function) for function in functions]
    leaks = [value for one in releases for value in one.never()]
    if leaks:
        yield from _leaks(module, leaks, trials)
    for one in releases:
        yield from map(_leak_on_path, one.on_some_paths())
    for function in functions:
        yield from _misplaced_frees(function)


def _defined_functions(module: Operation) -> list[FunctionOp]:
    return [op for op in module.walk() if isinstance(op, FunctionOp) and not op.body.is_empty]


# -- not freed


def _leaks(module: Operation, leaks: list[Value], trials: PipelineTrials) -> Iterator[Diagnostic]:
    trial = trials.run(DEALLOCATION)
    helps = trial.module is not None and not any(
        Releases(function).never() for function in _defined_functions(trial.module)
    )
    by_hand = next((op for op in module.walk() if _frees_by_hand(op)), None)
    if by_hand is not None and trial.failure is not None:
        yield _freed_before_pass(by_hand, leaks[0], trial.failure)
    for value in leaks:
        span = value_span(value)
        name = value_name(value)
        diagnostic = Diagnostic(Severity.WARNING, f"{name} is never freed", span, str(Code.NEVER_FREED))
        if span is not None:
            diagnostic.label(span, "allocated here, not freed and not returned", True)
        if helps:
            diagnostic.help(f"run -{DEALLOCATION}: every buffer is freed then (tried)")
        elif trial.failure is not None and by_hand is None:
            diagnostic.note(f"-{DEALLOCATION} does not take the program: {trial.failure.message}")
        diagnostic.data = {"buffer": name, "remedy": DEALLOCATION if helps else None, "verified": helps}
        yield diagnostic


def _leak_on_path(leak: PathLeak) -> Diagnostic:
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
    return diagnostic


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
    diagnostic.help(
        f"remove the frees and let the pass place them, or put '{MANUAL_DEALLOCATION}' on this and on the allocation"
    )
    return diagnostic


# -- freed at the wrong place


def _misplaced_frees(function: FunctionOp) -> Iterator[Diagnostic]:
    bases: dict[Value, Value] = {}
    frees: dict[Value, list[tuple[Operation, Value]]] = {}
    for op in function.walk():
        if isinstance(op, ViewLikeOp) and is_buffer(op.view_source()):
            source = op.view_source()
            bases[op.results[0]] = bases.get(source, source)
        if isinstance(op, MemoryEffectOp):
            for effect in op.memory_effects():
                if effect.kind == FREE and effect.value is not None and is_buffer(effect.value):
                    frees.setdefault(bases.get(effect.value, effect.value), []).append((op, effect.value))
    if not frees:
        return
    views: dict[Value, list[Value]] = {base: [base] for base in frees}
    for view, base in bases.items():
        if base in views:
            views[base].append(view)
    for base, found in frees.items():
        yield from _in_loops(base, found)
        yield from _behind(base, found, views[base])


def _in_loops(base: Value, frees: list[tuple[Operation, Value]]) -> Iterator[Diagnostic]:
    home = base.parent_block
    for op, _ in frees:
        loop = _loop_between(op, home)
        if loop is None:
            continue
        count = loop.static_trip_count() if isinstance(loop, LoopLikeOp) else None
        if count is not None and count <= 1:
            continue
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
        yield diagnostic


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


def _behind(base: Value, frees: list[tuple[Operation, Value]], views: list[Value]) -> Iterator[Diagnostic]:
    """Uses and frees that come after a free in its own block. The first free of each block counts."""
    first: dict[Block, Operation] = {}
    freeing = {op for op, _ in frees}
    for op, _ in frees:
        block = op.block
        if block is None:
            continue
        known = first.get(block)
        if known is None or op.is_before_in_block(known):
            first[block] = op
    reported: set[Operation] = set()
    for use in _uses(views):
        for block, free in first.items():
            user = use.owner.ancestor_in_block(block)
            if user is None or user is free or not free.is_before_in_block(user) or use.owner in reported:
                continue
            if isinstance(use.owner, ViewLikeOp) and not any(r.has_uses for r in use.owner.results):
                continue
            reported.add(use.owner)
            twice = use.owner in freeing
            name = value_name(base)
            code = Code.FREED_TWICE if twice else Code.USED_AFTER_FREE
            title = f"{name} is freed twice" if twice else f"{name} is used after it was freed"
            diagnostic = Diagnostic(Severity.ERROR, title, operand_span(use), str(code))
            span = operand_span(use)
            if span is not None:
                diagnostic.label(span, "freed again here" if twice else "used here", True)
            if free.name_span is not None:
                diagnostic.label(free.name_span, "freed here")
            diagnostic.data = {"buffer": name, "function": symbol(_function(free))}
            yield diagnostic


def _uses(views: list[Value]) -> Iterator[OpOperand]:
    for view in views:
        yield from view.uses


def _function(op: Operation) -> Operation:
    current = op
    while current.parent_op is not None and not isinstance(current, FunctionOp):
        current = current.parent_op
    return current
