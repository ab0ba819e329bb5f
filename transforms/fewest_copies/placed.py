"""A program on trial whose copied tensors are rematerialized, and whose results are computed in their destinations.

Destination passing extends live ranges. So the result is bufferized on trial, and its cost compared with that of the original
program (`analysis/cost_model.py`): if it copies more bytes, or exceeds the allowed peak, the insertions are bisected, and those
without benefit are left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable

from ...analysis.cost_model import EstimatedCost
from ...analysis.one_shot import ReadAfterWrite
from ...analysis.one_shot.regions_of_memory import MemoryRegions
from ...analysis.one_shot.result import AnalysisResult
from ...ir.program.core import Operation
from ...ir.program.interfaces import SubsetInsertionOp
from ..changes.rewrites import DROP_DEAD_FILL, RAISE_RESHAPE, REDUCE_RANK, apply_all
from .destination_passing import sites
from .destinations import choose_dying_operands
from .overwritten import empty_for_readers, empty_overwritten, may_overwrite_whole
from .remainders import build_all, is_there, puts
from .rematerialize import erase_dead, may_be_rematerialized, rematerialize_copied
from .trial import BufferizeCopy, Decide, Form, Transformations, TriedProgram, fingerprint, rank

MAX_TRIALS = 24
"""Trials of destination passing; further candidates keep their destinations."""
MAX_HARMFUL = 8
"""Insertions up to which each is also tried as a copy."""
MAX_ROUNDS = 4
"""Rounds of eliminating copies; later rounds profit from earlier ones."""


class PlacedProgram(TriedProgram):
    """A tried program with rematerialization, dead init elimination and destination passing.

    Attributes:
        chosen: the transformations to try.
        emptied_at_most: how many destinations may be emptied for their readers; see `_limit_emptied`.
        emptied_for_readers: how many were, the last time.
        least: the cost of the best form so far.
    """

    def __init__(
        self,
        root: Operation,
        chosen: Transformations,
        decide: Decide,
        bufferize: BufferizeCopy,
        tried: dict[Hashable, EstimatedCost | None] | None = None,
    ) -> None:
        super().__init__(root, decide, bufferize, chosen.peak_percent, tried)
        self.chosen = chosen
        self.emptied_at_most = sys.maxsize
        self.emptied_for_readers = 0
        self._refused: set[Hashable] = set()
        """Forms with a step that does not pay there, and forms that are not acceptable, each with the limits it was tried under."""
        self.least: EstimatedCost | None = None
        self._numbers: dict[Hashable, list[int]] = {}
        """The candidates of each form, so that a form is not analysed again for them."""

    def _put_in_place(self, original: Operation | None = None) -> bool:
        """Rematerialize, eliminate dead inits, and pass destinations; insertions without benefit are left alone.

        Args:
            original: a copy of the current program, if there is one.
        """
        original = original or self.root.clone()
        changed = self.save_contents()
        candidates = self._candidates()
        if self.emptied_for_readers:
            self._limit_emptied(original)
        if not candidates:
            return changed > 0
        before = self.root.clone()
        accepted = self._build(before, candidates, False)
        ahead = before.clone() if self.chosen.choose_destinations else before
        if ahead is not before:
            choose_dying_operands(ahead, self._is_protected)
        if any(site.nearer for use in puts(ahead) for site in sites(use, True)):
            cost, late = self._cost_now(), self._take_out()
            self._become(ahead.clone())
            sooner = self._build(ahead, candidates, True)
            other = self._cost_now() if sooner else None
            if other is None or (cost is not None and rank(cost) <= rank(other)):
                self._put_back(late)
            else:
                accepted = sooner
        return bool(accepted or changed)

    def _build(self, before: Operation, candidates: list[int], early: bool) -> set[int]:
        """Pass destinations to those of the candidates in `before` that this helps, and return them: bisected, MAX_TRIALS at most."""
        best: Form | None = None
        accepted: set[int] = set()
        waiting = [candidates]
        for _ in range(MAX_TRIALS):
            if not waiting:
                break
            if best is None:
                best = self._take_out()
            group = waiting.pop()
            self._become(before.clone())
            built = build_all(self.root, accepted | set(group), early)
            if not built and not accepted:
                continue
            tried = fingerprint(self.root), self.emptied_at_most, len(self.plain)
            if tried not in self._refused:
                self.save_contents()
                if self._is_acceptable():
                    accepted.update(group)
                    best = self._take_out()
                    continue
                self._refused.add(tried)
            if len(group) > 1:
                middle = len(group) // 2
                waiting += [group[middle:], group[:middle]]
        if best is not None:
            self._put_back(best)
        return accepted

    def _put_some_in_place(self) -> bool:
        """Pass destinations, but not to insertions that cost more in place, because others must be copied.

        One trial for each. Returns whether there are such insertions, or the form costs less than the best so far.
        """
        original, candidates = self.root.clone(), self._candidates()
        if len(candidates) > MAX_HARMFUL:
            return False
        accepted = self._build(original, candidates, False)
        harmful = 0
        for number in sorted(accepted):
            cost, best = self._cost_now(), self._take_out()
            self._become(original.clone())
            build_all(self.root, accepted - {number}, False)
            self.save_contents()
            other = self._cost_now()
            if cost is None or other is None or rank(other) >= rank(cost) or not self._is_acceptable():
                self._put_back(best)
            else:
                accepted.discard(number)
                harmful += 1
        now = self._cost_now()
        return harmful > 0 or (now is not None and self.least is not None and rank(now) < rank(self.least))

    def _limit_emptied(self, original: Operation) -> None:
        """Limit the destinations emptied for their readers to those within the allowed peak.

        Each is a new buffer, and the copy that it eliminates may have been smaller.
        """
        if self._is_acceptable():
            return
        fits, exceeds = 0, self.emptied_for_readers
        while exceeds - fits > 1:
            self.emptied_at_most = (fits + exceeds) // 2
            self._save_again(original)
            if self._is_acceptable():
                fits = self.emptied_at_most
            else:
                exceeds = self.emptied_at_most
        self.emptied_at_most = fits
        self._save_again(original)

    def _save_again(self, original: Operation) -> None:
        self._become(original.clone())
        if self.chosen.destination_passing:
            apply_all(self.root, REDUCE_RANK, RAISE_RESHAPE)
        self.save_contents()

    def _candidates(self) -> list[int]:
        """The numbers of `puts` that are not in place yet, and so are copied."""
        if not self.chosen.destination_passing:
            return []
        if (form := fingerprint(self.root)) not in self._numbers:
            self._numbers[form] = self._not_in_place()
        return self._numbers[form]

    def _not_in_place(self) -> list[int]:
        into = puts(self.root)
        if not any(isinstance(use.owner, SubsetInsertionOp) for use in into):
            return list(range(len(into)))
        result = self._decided()
        places = MemoryRegions(result.unsettled)
        return [i for i, use in enumerate(into) if result.errors or not is_there(use, result, places)]

    def save_contents(self) -> int:
        """Rematerialize copied tensors and eliminate dead inits. Returns the number of tensors."""
        total = self.emptied_for_readers = 0
        if self.chosen.eliminate_dead_inits:
            total = apply_all(self.root, DROP_DEAD_FILL)
            self._result = None if total else self._result
        if not any(may_be_rematerialized(op) or may_overwrite_whole(op) for op in self.root.walk()):
            return total
        for _ in range(MAX_ROUNDS if self.chosen.rematerialize or self.chosen.eliminate_dead_inits else 0):
            result = self._decided()
            saved = 0 if result.errors else self._save(result)
            if not saved:
                break
            self._result = None
            total += saved
        return total

    def _save(self, result: AnalysisResult) -> int:
        copies = result.plan()
        conflicts = [result.conflict(copy.operand) for copy in copies if copy.operand is not None]
        before = [copy.value for copy in copies]
        before += [found.write.value for found in conflicts if isinstance(found, ReadAfterWrite)]
        saved = 0
        if self.chosen.eliminate_dead_inits:
            allowed = self.emptied_at_most - self.emptied_for_readers
            emptied = empty_for_readers(copies, result.conflict, allowed)
            self.emptied_for_readers += emptied
            saved += emptied + empty_overwritten(copies)
        if self.chosen.rematerialize:
            saved += rematerialize_copied(copies)
        if saved:
            erase_dead(before)
        return saved
