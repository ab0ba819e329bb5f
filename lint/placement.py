"""Allocations that a placement pass would move, each found by running the pass on a copy."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ..analysis.allocations import is_loop, only_allocates
from ..analysis.causes import FactBase
from ..analysis.naming import value_name, value_span
from ..dialects import bufferization
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FREE, MemoryEffectOp
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.text import say
from .advice import PipelineTrials
from .findings import CouldBeHoisted, CouldBeOnStack, HoistingAfterDeallocation
from .stack import Cycles, kept_buffers

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
    count = 0
    block = value.parent_block
    op = block.parent_op if block is not None else None
    while op is not None:
        count += is_loop(op)
        op = op.parent_op
    return count


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
