"""Budgets of copies, for continuous integration: what is more than allowed is an error with a place.

Nothing passes because nothing was looked at: a budget for a function that is nowhere is refused, and a program that cannot be
bufferized keeps to no budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..ir.source.records import record
from . import arguments

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic
    from ..transforms.memory_report import MemoryRecord

ADDED = "added"
MOST_PLACES = 6
"""Copies that are pointed at where there are too many."""


@record(frozen=True)
class Budgets:
    """How many copies are allowed.

    Attributes:
        by_name: in functions that are named.
        others: in each other function; None for any number.
        only_added: whether only the copies that bufferization adds count: no clones, and not what the program has already.
    """

    by_name: dict[str, int]
    others: int | None
    only_added: bool = False

    def allowed(self, name: str) -> int | None:
        """How many copies a function may make; None for any number."""
        return self.by_name.get(name, self.others)

    @property
    def any(self) -> bool:
        """Whether anything is limited."""
        return bool(self.by_name) or self.others is not None


def read_budgets(texts: Sequence[str], none: str | bool = False) -> Budgets:
    """The budgets of `--budget`; `none` allows no copy anywhere (`--fail-on-copy`, or "added").

    Raises:
        UsageError: one is not a number.
    """
    named: dict[str, int] = {}
    for text in texts:
        name, _, count = text.rpartition("=")
        if not count.isdigit():
            raise arguments.UsageError(f"--budget takes a number or NAME=NUMBER, not '{text}'")
        named[name.removeprefix("@")] = int(count)
    others = named.pop("", None)
    return Budgets({}, 0, none == ADDED) if none else Budgets(named, others, True)


def check_names(names: Iterable[str], modules: Sequence[Operation], flag: str = "") -> None:
    """Refuse the name of a function that no program has. O(operations) if there are names.

    Raises:
        UsageError: there is one, with a name that is like it.
    """
    wanted = {name.removeprefix("@") for name in names}
    if not wanted:
        return
    from ..analysis.naming import symbol

    known = {symbol(op) for module in modules for op in module.walk() if "sym_name" in op.properties}
    for name in sorted(wanted - known):
        hint = arguments.did_you_mean(name, [k for k in known if k])
        whose = f", which {flag} names" if flag else ""
        raise arguments.UsageError(f"there is no function '@{name}' in the program{whose}{hint}")


def check_covered(limited: Iterable[str], functions: Sequence[str]) -> None:
    """Refuse budgets for functions (`limited`) that `--function` leaves out.

    Raises:
        UsageError: there is one.
    """
    names = {name.removeprefix("@") for name in functions}
    for name in limited:
        if name not in names:
            raise arguments.UsageError(f"--budget limits '@{name}', which --function leaves out")


def over_budget(explanation: Explanation, budgets: Budgets) -> Iterator[Diagnostic]:
    """An error for each function that copies more than it may, and for a program of which that cannot be said."""
    from ..explain.kinds.remarks import OverBudget
    from ..ir.source.diagnostics import error

    if not budgets.any:
        return
    if not explanation.is_bufferized:
        first = next(iter(explanation.errors), None) or next(
            (d for d in explanation.remarks if d.severity == "error"), None
        )
        span = first.primary_span if first is not None else None
        yield error("the program cannot be bufferized, and so keeps to no budget", span, OverBudget.id)
        return
    for name, copies in explanation.copies_by_function(budgets.only_added).items():
        allowed = budgets.allowed(name)
        if allowed is not None and len(copies) > allowed:
            yield _too_many(name, copies, allowed)


def _too_many(name: str, copies: list[MemoryRecord], allowed: int) -> Diagnostic:
    from ..explain.kinds.remarks import OverBudget
    from ..ir.source.diagnostics import error

    where = f"@{name}" if name else "the program"
    clones = sum(copy.kind == "clone" for copy in copies)
    noun = "copy" if len(copies) == 1 else "copies"
    span = copies[0].function_place
    which = f" ({clones} of them by deallocation)" if clones else ""
    found = error(f"{where} makes {len(copies)} {noun}{which}, {allowed} allowed", span, OverBudget.id)
    for copy in copies[:MOST_PLACES]:
        place = copy.place
        if place is not None and span is not None and place.source is span.source:
            found.label(place, f"copied here{', ' + str(copy.times) if not copy.times.is_once else ''}")
    if len(copies) > MOST_PLACES:
        found.note(f"and {len(copies) - MOST_PLACES} more")
    return found
