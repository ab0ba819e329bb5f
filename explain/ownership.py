"""Ownership findings: one diagnostic per buffer that a function owns.

    remark[freed-at-run-time]: %n is freed if a check at run time says so
     --> cell.mlir:3:8
      |
    3 |   %n = memref.alloc() : memref<4xf32>
      |   -- the block owns it from here
    ...
    9 |   return %r : memref<4xf32>
      |   ------ freed before this, unless it is the buffer of %r
      = help: ...

The facts come from `analysis.freeing.outcomes`, computed on the program after deallocation, whose operations
and values keep their source positions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..analysis.causes import Cause, Derivation, FactBase
from ..analysis.freeing.outcomes import Free, OwnershipOutcome, OwnershipOutcomes
from ..analysis.naming import operand_span
from ..ir.program.core import BlockArgument, Value
from ..ir.program.interfaces import CallOpInterface
from ..ir.source.diagnostics import Diagnostic, Severity, present
from ..ir.source.pages import Documented, kinds_in
from ..transforms.memory_report import counted
from .conflict_labels import buffer_name, buffer_span, is_inserted, is_mentioned, without_unwritten_views

MAX_PLACES = 4
"""Places of one kind that are labelled; the rest is counted."""


class OwnershipKind(Documented):
    """The ownership outcome of a buffer."""

    command = ("explain", "--ownership")


class AlwaysFreed(OwnershipKind):
    """The buffer is freed on every path.

    The block that owns it, or the one that ownership was transferred to, frees it at its end.

    Why: It is no longer used there, and it has no other owner.

    Fix (nothing to fix): This is the desired result.

    Example:
        func.func @f(%a: memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          memref.copy %a, %n : memref<4xf32> to memref<4xf32>
          return
        }

    Instead:
        func.func @f() -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          return %n : memref<4xf32>
        }
    """

    id = "freed"
    rules = ("ownership.W3",)


class FreedAtRunTime(OwnershipKind):
    """Whether the buffer is freed here is decided at run time.

    An ownership flag is checked, or addresses are compared because another value may be the same buffer.

    Why: Which of two buffers a value refers to depends on the path taken.

    Fix (by hand): Make the value refer to one of the buffers on all paths, or copy one of them explicitly.

    Example:
        func.func @f(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          %s = arith.select %c, %a, %n : memref<4xf32>
          return %s : memref<4xf32>
        }

    Instead:
        func.func @f(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          scf.if %c {
            memref.copy %a, %n : memref<4xf32> to memref<4xf32>
          }
          return %n : memref<4xf32>
        }
    """

    id = "freed-at-run-time"
    rules = ("ownership.W4",)


class ReturnedToCaller(OwnershipKind):
    """The caller owns the buffer.

    A function transfers ownership of its results; a buffer that it may not own is copied first.

    Why: The caller uses the buffer after the function has returned.

    Fix (nothing to fix): The caller frees it.

    Example:
        func.func @f() -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          return %n : memref<4xf32>
        }

    Instead:
        func.func @f(%out: memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          memref.copy %n, %out : memref<4xf32> to memref<4xf32>
          return
        }
    """

    id = "returned-to-caller"
    rules = ("ownership.W5",)


class AddressEscapes(OwnershipKind):
    """The buffer is never freed, because its address escapes.

    The address is stored in memory that may outlive the buffer, or is converted to an integer.

    Why: Any code that has the address may use the buffer at any time.

    Fix (by hand): Free it explicitly after its last use (bufferization.manual_deallocation), or store a copy
    instead.

    Example:
        func.func @f(%table: memref<memref<4xf32>>) {
          %n = memref.alloc() : memref<4xf32>
          memref.store %n, %table[] : memref<memref<4xf32>>
          return
        }

    Instead:
        func.func @f(%out: memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          memref.copy %n, %out : memref<4xf32> to memref<4xf32>
          return
        }
    """

    id = "address-escapes"
    rules = ("ownership.W1",)


class FreedByHand(OwnershipKind):
    """The program frees the buffer explicitly.

    Its allocation and deallocation are marked with bufferization.manual_deallocation.

    Why: A buffer has one owner. If that is the program, deallocation ignores the buffer.

    Fix (by hand): To let deallocation free it, remove the attribute and the memref.dealloc.

    Example:
        func.func @f() {
          %n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
          memref.dealloc %n {bufferization.manual_deallocation} : memref<4xf32>
          return
        }

    Instead:
        func.func @f() {
          %n = memref.alloc() : memref<4xf32>
          return
        }
    """

    id = "freed-by-hand"
    rules = ("ownership.W2",)


class NotFreed(OwnershipKind):
    """Nothing frees the buffer.

    No deallocation frees it, and no path leads from it out of the function.

    Why: An infinite loop uses its buffers forever.

    Fix (by hand): Add an exit to the loop, or free the buffer explicitly.

    Example:
        func.func @f() {
          %n = memref.alloc() : memref<4xf32>
          cf.br ^again
        ^again:
          "test.use"(%n) : (memref<4xf32>) -> ()
          cf.br ^again
        }

    Instead:
        func.func @f(%c: i1) {
          %n = memref.alloc() : memref<4xf32>
          cf.br ^again
        ^again:
          "test.use"(%n) : (memref<4xf32>) -> ()
          cf.cond_br %c, ^again, ^done
        ^done:
          return
        }
    """

    id = "not-freed"
    rules = ("ownership.W6",)


KINDS: tuple[type[Documented], ...] = kinds_in(sys.modules[__name__])
"""The kinds that `--ownership` reports."""


def explain_ownership(outcomes: OwnershipOutcomes) -> list[Diagnostic]:
    """One remark per buffer that the function allocates or receives from a call, in textual order.

    Buffers without a name in the source (copies made by deallocation) are explained with the buffer they
    are copies of.
    """
    return [explain_outcome(outcomes, outcome) for outcome in outcomes.all() if is_mentioned(outcome.value)]


def explain_outcome(outcomes: OwnershipOutcomes, outcome: OwnershipOutcome) -> Diagnostic:
    """The diagnostic for one buffer."""
    kind, derivation = outcome_of(outcome.value, _fact_base(outcome))
    name = buffer_name(outcome.value)
    diagnostic = Diagnostic(Severity.REMARK, _title(kind, name, outcome), buffer_span(outcome.value), kind.id)
    span = buffer_span(outcome.value)
    diagnostic.label(span, _origin(outcome), True)
    if outcome.escape is not None:
        _label_escape(diagnostic, outcome)
    else:
        _label_frees(diagnostic, outcomes, outcome)
        _label_returns(diagnostic, outcome)
    diagnostic.data = {
        "buffer": name,
        "fate": kind.id,
        "freed": [
            {
                "as": buffer_name(free.name),
                "always": free.is_certain,
                "compared-with": [buffer_name(value) for value in free.compared],
            }
            for free in outcome.frees
        ],
        "returned": bool(outcome.returned),
        "copies": len(outcome.copied),
    }
    diagnostic.derivation = derivation
    return diagnostic


def _fact_base(outcome: OwnershipOutcome) -> FactBase:
    """The facts about one buffer for `rules/ownership.dl`."""
    fact_base, value = FactBase("ownership"), outcome.value
    fact_base.assert_fact("owned", value)
    if outcome.escape is not None:
        fact_base.assert_fact("leaves", value, outcome.escape)
    if outcome.manual:
        fact_base.assert_fact("by_hand", value)
    for free in outcome.frees:
        fact_base.assert_fact("freed_as", value, free.name)
        if not free.is_certain:
            fact_base.assert_fact("decided_at_run_time", value, free.name)
    if outcome.returned:
        fact_base.assert_fact("returned", value)
    return fact_base


def outcome_of(value: Value, fact_base: FactBase) -> tuple[type[Documented], Derivation]:
    """The kind of a buffer's outcome, and its derivation."""
    for kind in KINDS:
        relation = kind.id.replace("-", "_")
        if fact_base.holds(relation, value):
            return kind, fact_base.derivation(relation, value)
    raise AssertionError("each buffer is freed or returned")


def _title(kind: type[Documented], name: str, outcome: OwnershipOutcome) -> str:
    if kind is AlwaysFreed:
        first = buffer_name(outcome.frees[0].name)
        return f"{name} is always freed" if first == name else f"{name} is always freed, as {first}"
    if kind is FreedAtRunTime:
        compared = next((free.compared for free in outcome.frees if free.compared), [])
        if compared:
            return (
                f"{name} is freed unless it is the buffer of {_names(compared)}, which is checked at run time"
            )
        return f"{name} is freed by its owner, which is known only at run time"
    return {
        ReturnedToCaller: f"{name} is returned: the caller frees it",
        AddressEscapes: f"{name} is never freed: its address escapes",
        FreedByHand: f"{name} is freed explicitly",
        NotFreed: f"nothing frees {name}",
    }[kind]


def _origin(outcome: OwnershipOutcome) -> str:
    if isinstance(outcome.value.defining_op, CallOpInterface):
        return "owned from here on: a call transfers ownership of its results"
    return "owned by this block from here on" if not outcome.manual else "left to the program"


def _label_escape(diagnostic: Diagnostic, outcome: OwnershipOutcome) -> None:
    use = present(outcome.escape)
    span = operand_span(use)
    diagnostic.label(span, f"its address escapes through '{use.owner.name}', and its later uses are unknown")
    diagnostic.note("a use after free would be worse than a leak")
    diagnostic.note("mlir-opt frees it anyway, and so does --compat=mlir-22")
    diagnostic.help(
        "free it explicitly after its last use, with the attribute bufferization.manual_deallocation"
    )


def _label_frees(diagnostic: Diagnostic, outcomes: OwnershipOutcomes, outcome: OwnershipOutcome) -> None:
    for free in outcome.frees[:MAX_PLACES]:
        span = free.dealloc.name_span
        diagnostic.label(span, _freed_here(outcome, free))
    if len(outcome.frees) > MAX_PLACES:
        diagnostic.note(f"and in {counted(len(outcome.frees) - MAX_PLACES, 'more place')}")
    for free in outcome.frees:
        path = outcomes.path(outcome, free.name)
        if len(path) > 1:
            for value in dict.fromkeys(map(without_unwritten_views, path)):
                at = buffer_span(value)
                if at is not None:
                    diagnostic.step(at, _passed_on(value, outcome))
            break
    flags = [free for free in outcome.frees if free.condition is not None]
    if flags:
        diagnostic.note(
            f"{buffer_name(flags[0].name)} is not always this buffer, or not always owned: a flag decides at run time"
        )
    compared = next((free for free in outcome.frees if free.compared), None)
    if compared is not None:
        diagnostic.note(
            f"{buffer_name(compared.name)} and {_names(compared.compared)} may be the same buffer: their addresses are compared first"
        )


def _freed_here(outcome: OwnershipOutcome, free: Free) -> str:
    name = "" if without_unwritten_views(free.name) is outcome.value else f" as {buffer_name(free.name)}"
    if free.is_certain:
        return f"freed{name} before this: no path uses it from here on"
    conditions = []
    if free.condition is not None:
        conditions.append("if it is owned here")
    if free.compared:
        conditions.append(f"unless it is the buffer of {_names(free.compared)}")
    return f"freed{name} before this, {' and '.join(conditions)}"


def _passed_on(value: Value, outcome: OwnershipOutcome) -> str:
    if value is outcome.value:
        return "allocated here"
    if isinstance(value, BlockArgument):
        return f"{buffer_name(value)} may be this buffer, with a flag for its ownership"
    return f"{buffer_name(value)} may be this buffer"


def _label_returns(diagnostic: Diagnostic, outcome: OwnershipOutcome) -> None:
    for span in dict.fromkeys(map(operand_span, outcome.returned[:MAX_PLACES])):
        diagnostic.label(span, "the caller owns it from here on")
    clones = [op for op in outcome.copied if is_inserted(op)]
    if clones:
        cause = clones[0].cause
        span = (cause.op if isinstance(cause, Cause) else clones[0]).name_span
        diagnostic.label(
            span, "copied here if it is not owned, because a function returns only buffers that it owns"
        )


def _names(values: Sequence[Value]) -> str:
    names = list(dict.fromkeys(map(buffer_name, values)))
    shown = ", ".join(names[:MAX_PLACES])
    return shown if len(names) <= MAX_PLACES else f"{shown} and {len(names) - MAX_PLACES} more"
