"""A plan that changes the source first: what `bufferize fix` makes of a program, bufferized by the command line that then copies least.

Some copies go only if the source is changed: a read is moved before a branch, a constant is filled in. `fix` makes such changes if they are
proved, or run, to keep what the program does. Here it is run, and its outcome is bufferized; places in the changed text are told of the
text as it was, so that it is known which copies are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Applicability, BufferizeError
from ..ir.source.locations import Source
from ..ir.source.records import replace
from ..ir.text.parser import parse_source
from ..transforms.memory_report import MOVES
from .routes import RouteOutcome, run_route

if TYPE_CHECKING:
    from .finding import Finding
    from .fix import Explain
    from .plan import CopyPlan, Planner


def with_edits(
    plan: CopyPlan, planner: Planner, findings: Iterable[Finding], source: Source, explain: Explain
) -> CopyPlan:
    """The plan that changes the source first, if there is a safe change for what the plan leaves, and it then copies less."""
    options = planner.options
    plain = replace(
        options,
        allow_return_allocs_from_loops=False,
        nested_modules=False,
        bufferize_function_boundaries=False,
    )
    is_default = options.bufferize_function_boundaries and plain == type(options)()
    if not is_default or planner.has_models or not any(_may_change(finding, plan) for finding in findings):
        return plan
    from .fix import fix

    try:
        fixed = fix(source, options, planner.registry, with_left=False, explain=explain)
        if not fixed.applied:
            return plan
        changed = Source(source.name, fixed.text)
        module = parse_source(changed, allow_unregistered=True)
    except BufferizeError:
        return plan
    place = _places_before(source, changed)
    best = plan.best
    for route in dict.fromkeys((plan.best.route, plan.plain, replace(plan.plain, fewest=True))):
        edited = replace(route, edits=True)
        try:
            account = list(run_route(edited, module, planner.registry))
        except BufferizeError:
            continue
        found = RouteOutcome.of(edited, account, place=place)
        if found.cost.is_less_than(best.cost):
            best = found
    return plan if best is plan.best else planner.finished(replace(plan, best=best))


def _may_change(finding: Finding, plan: CopyPlan) -> bool:
    """Whether the plan leaves a copy that a safe change would save."""
    left = any(m.made in MOVES and not (plan.helps and plan.best.lacks(m)) for m in finding.movements)
    return left and any(
        s.verified and s.applicability is Applicability.SAFE for s in finding.diagnostic.suggestions
    )


def _places_before(source: Source, changed: Source) -> Callable[[Operation], Hashable]:
    """Where operations of the changed text stand in the text as it was: by lines that are the same, or begin with the same results."""
    before, after = source.text.splitlines(), changed.text.splitlines()
    lines: dict[int, int] = {}
    for same in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        lines.update((same.b + i, same.a + i) for i in range(same.size))
    left = [number for number in range(len(before)) if number not in set(lines.values())]
    for key in (str.strip, _results):
        for number, text in enumerate(after):
            wanted = key(text)
            other = next((n for n in left if wanted and key(before[n]) == wanted), None)
            if number not in lines and other is not None:
                lines[number] = other
                left.remove(other)

    def place(op: Operation) -> Hashable:
        if op.where is None:
            return None
        line, _ = changed.line_column(op.where[2])
        number = line - changed.first_line
        if number not in lines:
            return (id(changed), op.where[2])
        old, new = before[lines[number]], after[number]
        column = op.where[2] - changed.line_start(line) - _indent(new) + _indent(old)
        return (id(source), source.line_start(source.first_line + lines[number]) + column)

    return place


def _results(text: str) -> str:
    return text.partition("=")[0].strip() if text.lstrip().startswith("%") else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
