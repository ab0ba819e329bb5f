"""Which changes help together: for each place the first that saves its copy, all places at once.

A trial costs as much as the program however many changes are in it. So in each round every place that still copies tries its next change,
all in one trial; those whose copy is gone stay. A round that does no good is tried again in halves. That a program of a
thousand conflicts is analysed a handful of times, rather than a thousand, is all that matters here: which of two changes of
one place is the better is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import Operation
from ...ir.source.records import field, record
from .change import Change
from .trial import ChangeTrials, TrialOutcome

MAX_ROUNDS = 6
"""Changes that are tried at one place."""
MAX_HALVES = 16
"""Further trials for rounds that did no good as a whole."""


@record(eq=False)
class Subject:
    """Something that is copied.

    Attributes:
        place: the operation for which it is copied.
        changes: what may do without, the plainest first.
    """

    place: Operation
    changes: list[Change]


@record(eq=False)
class ChangePlan:
    """Changes that were tried together.

    Attributes:
        chosen: the change for each subject that is saved by one.
        outcome: what the program needs with them; None if nothing helps.
    """

    chosen: dict[Subject, Change] = field(default_factory=dict)
    outcome: TrialOutcome | None = None


def plan_together(
    trials: ChangeTrials, subjects: Sequence[Subject], at_most: int, rounds: int = MAX_ROUNDS
) -> ChangePlan:
    """Changes that together copy less, found in about `at_most` operations analysed again (one trial at least)."""
    return _Search(trials, at_most).run(subjects, rounds)


class _Search:
    def __init__(self, trials: ChangeTrials, at_most: int) -> None:
        self.trials = trials
        self.limit = trials.spent + at_most
        self.plan = ChangePlan()
        self.halves = 0

    def run(self, subjects: Sequence[Subject], rounds: int) -> ChangePlan:
        for number in range(rounds):
            tried = {
                subject: subject.changes[number]
                for subject in subjects
                if subject not in self.plan.chosen and number < len(subject.changes)
            }
            if self._is_left(subjects) and tried:
                self._take(tried)
            if self.trials.spent >= self.limit:
                break
        return self.plan

    def _is_left(self, subjects: Sequence[Subject]) -> bool:
        outcome = self.plan.outcome
        return outcome is None or any(subject.place in outcome.left for subject in subjects)

    def _take(self, tried: dict[Subject, Change]) -> None:
        """Add those of the changes that help, if they do so together; else half of them, and the other half."""
        waiting = [tried]
        while waiting:
            group = waiting.pop()
            found = self._with(group)
            if found is not None and self._is_better(found):
                self._accept(group, found)
            elif len(group) > 1 and self.halves < MAX_HALVES and self.trials.spent < self.limit:
                self.halves += 2
                entries = list(group.items())
                middle = len(entries) // 2
                waiting += [dict(entries[middle:]), dict(entries[:middle])]

    def _accept(self, group: dict[Subject, Change], found: TrialOutcome) -> None:
        made = set(found.applied)
        group = {subject: change for subject, change in group.items() if change in made}
        saved = {subject: change for subject, change in group.items() if subject.place not in found.left}
        if saved and len(saved) < len(group):
            alone = self._with(saved)
            if alone is not None and alone.totals.weight <= found.totals.weight:
                group, found = saved, alone
        self.plan.chosen.update(group)
        self.plan.outcome = found

    def _with(self, group: dict[Subject, Change]) -> TrialOutcome | None:
        return self.trials.attempt(list(dict.fromkeys([*self.plan.chosen.values(), *group.values()])))

    def _is_better(self, found: TrialOutcome) -> bool:
        before = self.plan.outcome.totals if self.plan.outcome is not None else self.trials.before
        return before is None or found.totals.weight < before.weight
