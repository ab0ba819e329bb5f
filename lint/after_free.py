"""The message for a use or a free after a free: where control goes in between, as numbered steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..analysis.freeing.conditions import condition_of
from ..analysis.freeing.decisions import Decision
from ..analysis.naming import line_of, operand_span, symbol, value_name, value_span
from ..dialects import scf
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import LoopLikeOp
from ..ir.source.diagnostics import Diagnostic, Label, Severity
from ..ir.source.locations import Span
from ..ir.source.text import Text, say
from ..ir.types import types as t
from .frees import FreedByCallees, conditions_between, function_of
from .lifetime_findings import FreedTwice

NO_CASE = "none of the cases"
"""The description of the value of a switch in its default region."""


def misuse_after_free(
    code: str, use: OpOperand, base: Value, free: Operation, callees: FreedByCallees
) -> Diagnostic:
    """The finding for a use or free after a free: in its block, or on a path shown in numbered steps."""
    twice = code == FreedTwice.id
    name, span = value_name(base), operand_span(use)
    title = (
        say("{name} is freed twice", name=name)
        if twice
        else say("{name} is used after it was freed", name=name)
    )
    path = _PathAfterFree.of(use, base, free, callees)
    home = function_of(use.owner) if any(callees.inside.get((use, base, free), ())) else None
    said = [*path.taken, *([path.chosen] if path.chosen is not None else ())]
    if said:
        title += " where " + " and ".join(in_words(condition, home) for condition in said)
    if path.inside is not None or path.again is not None:
        title += _where_inside(use, free, path.inside or path.again or free, twice)
    diagnostic = Diagnostic(
        Severity.ERROR if path.is_certain(use, free) else Severity.WARNING, title, span, code
    )
    where = "freed again here" if twice else "used here"
    is_plain = not said and path.inside is None and path.again is None
    diagnostic.label(span, where if is_plain else "", True)
    if is_plain:
        diagnostic.label(free.name_span, "freed here")
    else:
        events = path.events(use, base, free, where)
        diagnostic.steps = [Label(place, text) for place, text in events if place is not None]
    if use.value is not base and use.value.defining_op in callees.sharing:
        diagnostic.note(
            "{value} is the buffer of {name}, which the callee returns",
            value=value_name(use.value),
            name=name,
        )
    diagnostic.data = {"buffer": name, "function": symbol(function_of(free))}
    return diagnostic


class _PathAfterFree(NamedTuple):
    """The way from a free to a use or another free.

    Attributes:
        taken: the decisions along it.
        chosen: the condition under which the callee frees, if its decisions are not among `taken`.
        inside: the free in a callee or loop, if `free` only leads to it.
        again: the same for the second free.
    """

    taken: Sequence[Decision]
    chosen: Decision | None
    inside: Operation | None
    again: Operation | None

    @classmethod
    def of(cls, use: OpOperand, base: Value, free: Operation, callees: FreedByCallees) -> _PathAfterFree:
        taken = callees.where.get((use, base, free)) or conditions_between(free, use.owner, base.parent_block)
        on_path, again_inside = callees.inside.get((use, base, free), (None, None))
        chosen = callees.conditions.get((free, base)) if on_path is None else None
        places = (callees.place(given) or callees.place_in_branch(given) for given in free.op_operands)
        inside = on_path or next((place for place in places if place is not None), None)
        return cls(taken or [], chosen, inside, again_inside or callees.place(use))

    def is_certain(self, use: OpOperand, free: Operation) -> bool:
        """Whether the loops on it surely run as often as they must."""
        if any(decision.value is None for decision in self.taken):
            return False  # nobody knows how often that loop runs
        return all(
            place is None or not isinstance(op, LoopLikeOp) or _runs_surely(op, place)
            for op, place in ((free, self.inside), (use.owner, self.again))
        )

    def events(
        self, use: OpOperand, base: Value, free: Operation, where: str
    ) -> list[tuple[Span | None, Text | str]]:
        """The numbered steps, the last of which is `where`."""
        last: Text | str = where
        if self.again is not None and isinstance(use.owner, LoopLikeOp):
            last = "freed again by this loop"
        elif self.again is not None:
            last = say("freed again in @{function}", function=symbol(function_of(self.again)))
        chosen: list[tuple[Span | None, Text | str]] = []
        if self.chosen is not None:
            chosen = [(self.chosen.op.name_span, say("where {condition}", condition=in_words(self.chosen)))]
        in_loop = isinstance(free, LoopLikeOp)
        passed = say("passed to {what} that frees it", what="a loop" if in_loop else "a function")
        there = say("freed here, in the {what}", what="first iteration" if in_loop else "callee")
        if self.inside is None:
            freed = [*chosen, (free.name_span, "freed here"), *_events_elsewhere(self.taken, free)]
        else:
            freed = [
                (free.name_span, passed),
                *chosen,
                *_events_elsewhere(self.taken, free),
                (self.inside.name_span, there),
            ]
        return [
            (value_span(base), "allocated here" if base.defining_op is not None else "passed in here"),
            *_events_of(self.taken, free, before=True),
            *freed,
            *_events_of(self.taken, free, before=False),
            (operand_span(use), last),
        ]


def _events_of(
    taken: Sequence[Decision], free: Operation, *, before: bool
) -> list[tuple[Span | None, Text | str]]:
    """The decisions that a path takes before a free, or after it, as steps."""
    return [
        _event_of(d)
        for d in taken
        if ((line_of(d.op) or 0) <= (line_of(free) or 0)) is before and function_of(d.op) is function_of(free)
    ]


def _events_elsewhere(taken: Sequence[Decision], free: Operation) -> list[tuple[Span | None, Text | str]]:
    """The decisions that a path takes in callees."""
    return [_event_of(d) for d in taken if function_of(d.op) is not function_of(free)]


def _event_of(d: Decision) -> tuple[Span | None, Text | str]:
    if d.value is None:
        return d.op.name_span, in_words(d)
    what = "this branch runs" if d.op.regions else "this buffer goes on"
    return d.op.name_span, say("{condition}: {what}", condition=in_words(d), what=what)


def _runs_surely(loop: LoopLikeOp, place: Operation) -> bool:
    """Whether the first iteration, which frees at `place`, always runs."""
    if isinstance(loop, scf.WhileOp):
        return place.parent_region is loop.before
    count = loop.static_trip_count()
    return count is not None and count > 0


def _where_inside(use: OpOperand, free: Operation, place: Operation, twice: bool) -> Text | str:
    """Where a callee or a loop frees, as the end of a title."""
    loop = next((op for op in (free, use.owner) if isinstance(op, LoopLikeOp)), None)
    if loop is not None:
        inside = say("in the first iteration of '{loop}'", loop=loop)
    else:
        inside = say("in @{function}", function=symbol(function_of(place)))
    if use.owner is free:
        return say(", {inside}, which receives it twice", inside=inside)
    if not twice:
        return say(" {inside}", inside=inside)
    if loop is None:
        return say(", {inside} and by its caller", inside=inside)
    return say(", {inside} and {when}", inside=inside, when="after it" if loop is free else "before it")


def in_words(decision: Decision, home: Operation | None = None) -> str:
    """The condition; values of other functions than `home`, if given, are named with their function."""
    if decision.value is None:
        runs = ("does not run", "runs once", "runs twice")[decision.way]
        return say("'{loop}' {runs}", loop=decision.op, runs=runs)
    wanted = "false" if decision.way else "true"
    if decision.value.type is not t.I1:
        condition = condition_of(decision.op, decision.way)
        wanted = NO_CASE if condition is None or condition.wanted == "default" else condition.wanted
    block = decision.value.parent_block
    around = function_of(block.parent_op) if block is not None and block.parent_op is not None else None
    name = value_name(decision.value)
    if home is not None and around is not None and around is not home:
        name = say("{value} of @{function}", value=name, function=symbol(around))
    return say("{value} is {wanted}", value=name, wanted=wanted)
