"""The preparations in order: make again, leave contents out, build in place; then the first two once more.

Each is driven by an analysis of the program as it then is, so that what need not be copied is not touched. Building in
place makes buffers live longer. So the result is bufferized on trial and compared with what the program costs without any
of this (`analysis/traffic.py`): if it copies more bytes, or holds more at once than is allowed, insertions are tried
in halves and quarters, and those that do no good are left alone; if that does not help, nothing is changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from ...analysis.one_shot.found_conflicts import InPlaceConflict, ReadAfterWrite
from ...analysis.one_shot.places import PartPlaces
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.result import AnalysisResult
from ...analysis.traffic import EstimatedCost, runs, traffic
from ...analysis.weights import Weights
from ...dialects import scf, tensor
from ...ir.program.core import Operation, OpOperand, Region, Value
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.collection import collection_paused
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import record
from .build_in_place import build_in_place, sites
from .decompose import compositions, decompose_concat, decompose_pad, share_prefixes
from .make_again import erase_dead, make_again
from .overwritten import empty_for_readers, empty_overwritten
from .rank_reduce import rank_reduce_slices
from .read_parts import read_parts
from .unroll_swaps import unroll_swaps

MAX_TRIALS = 24
"""How often insertions are built in place on trial."""
MAX_ROUNDS = 4
"""How often copies are looked at again after some were saved."""
SMALL = 20_000
"""Operations of a program of which all forms that are tried may be kept until the end: no garbage is collected before."""


@record(frozen=True)
class Levers:
    """Which preparations are made.

    Attributes:
        peak_percent: how much of the bytes held at once without preparations may be held with them; 0 for any number.
    """

    make_again: bool = False
    empty_overwritten: bool = False
    build_in_place: bool = False
    read_parts: bool = False
    unroll_swaps: bool = False
    peak_percent: int = 110


Decide = Callable[[Operation, bool], AnalysisResult]
"""Analyses a module on trial, and leaves it as it is; the flag says whether it was prepared."""
Settle = Callable[[AnalysisResult], AnalysisResult]
"""Decides what was analysed on trial for good: the same, or decisions that copy less."""
BufferizeCopy = Callable[[AnalysisResult], Operation]
"""Bufferizes a copy of what was analysed. Raises PassFailed."""


@record(frozen=True)
class Form:
    """The program in one of the forms that were tried: its regions, taken out of the root, and what was decided of it."""

    regions: list[Region]
    result: AnalysisResult


class Preparation:
    """Changes one program so that its bufferization copies less.

    Each form of the program is analysed once: the decisions say what can be saved, what that form costs, and, for the form that is
    chosen, how it is bufferized in the end.

    Attributes:
        root: the program.
        decide, bufferize: how forms of it are tried.
        settle: how the form that is chosen is decided in the end.
    """

    def __init__(
        self, root: Operation, levers: Levers, decide: Decide, settle: Settle, bufferize: BufferizeCopy
    ) -> None:
        self.root = root
        self.levers = levers
        self.decide = decide
        self.settle = settle
        self.bufferize = bufferize
        self.emptied_at_most = sys.maxsize
        self.emptied_for_readers = 0
        self._result: AnalysisResult | None = None
        self._last: tuple[AnalysisResult, EstimatedCost | None] | None = None

    def run(self) -> AnalysisResult | None:
        """Change `root`; what was decided of it as it then is, if that is known.

        O(MAX_TRIALS) analyses and bufferizations at most, a handful if the peak is no matter.
        """
        if sum(1 for _ in self.root.walk()) > SMALL:
            return self._run()
        with collection_paused():
            return self._run()

    def _run(self) -> AnalysisResult | None:
        base = self._cost(self.decide(self.root, False))
        if base is None or not base.copied:
            return None
        original = self.root.clone()
        unrolled = self._begin()
        changed = self.save_contents() + unrolled
        candidates = self._candidates()
        if not candidates and not changed:
            return self._settled(base)
        if self.emptied_for_readers:
            self._limit_emptied(original, base)
        before = self.root.clone() if candidates else None
        best: Form | None = None
        accepted: set[int] = set()
        waiting = [candidates] if candidates else []
        for _ in range(MAX_TRIALS):
            if not waiting or before is None:
                break
            if best is None:
                best = self._take_out()
            group = waiting.pop()
            self._become(before.clone())
            built = build_all(self.root, accepted | set(group))
            if not built and not accepted:
                continue
            self.save_contents()
            if self._is_acceptable(base):
                accepted.update(group)
                best = self._take_out()
            elif len(group) > 1:
                middle = len(group) // 2
                waiting += [group[middle:], group[:middle]]
        if best is not None:
            self._put_back(best)
        if not accepted and not self._is_acceptable(base):
            return self._become(original)
        return self._settled(base)

    def _settled(self, base: EstimatedCost) -> AnalysisResult | None:
        """What is decided of the form that was chosen, for good: unless that holds more at once than is allowed."""
        if self._result is None:
            return None
        result = self.settle(self._result)
        return result if result is self._result or self._fits(result, base) else self._result

    def _begin(self) -> int:
        """What is done whatever is saved afterwards; how many readers were taken apart and loops unrolled."""
        if self.levers.build_in_place:
            rank_reduce_slices(self.root)
        apart = read_parts(self.root) if self.levers.read_parts else 0
        if apart:
            self._result = None
        return apart + self._unroll()

    def _unroll(self) -> int:
        if not self.levers.unroll_swaps or not any(isinstance(op, scf.ForOp) for op in self.root.walk()):
            return 0
        result = self._decided()
        unrolled = 0 if result.errors else unroll_swaps(self.root, result)
        if unrolled:
            self._result = None
        return unrolled

    # -- forms

    def _decided(self) -> AnalysisResult:
        """What is decided of the program as it is."""
        if self._result is None:
            self._result = self.decide(self.root, True)
        return self._result

    def _become(self, other: Operation) -> None:
        """Take another form, that of a copy which is not used any more; nothing is decided of it yet."""
        replace(self.root, other)
        self._result = None

    def _take_out(self) -> Form:
        """The form that the program has; the root is left empty."""
        result = self._decided()
        regions = [Region() for _ in self.root.regions]
        for kept, region in zip(regions, self.root.regions, strict=True):
            kept.take_blocks(region)
        return Form(regions, result)

    def _put_back(self, form: Form) -> None:
        for kept, region in zip(form.regions, self.root.regions, strict=True):
            for block in list(region):
                block.erase()
            region.take_blocks(kept)
        self._result = form.result

    # -- costs

    def _limit_emptied(self, original: Operation, base: EstimatedCost) -> None:
        """Leave alone the last of the destinations that are emptied for their readers' sake, if they take too much.

        Such a destination is a new buffer where there was none: the one that is saved may have been smaller.
        """
        if self._is_acceptable(base):
            return
        fits, exceeds = 0, self.emptied_for_readers
        while exceeds - fits > 1:
            self.emptied_at_most = (fits + exceeds) // 2
            self._save_again(original)
            if self._is_acceptable(base):
                fits = self.emptied_at_most
            else:
                exceeds = self.emptied_at_most
        self.emptied_at_most = fits
        self._save_again(original)

    def _save_again(self, original: Operation) -> None:
        self._become(original.clone())
        self._begin()
        self.save_contents()

    def _cost(self, result: AnalysisResult) -> EstimatedCost | None:
        """What a program costs on buffers; None if it cannot be bufferized. What was asked last is known."""
        if self._last is not None and self._last[0] is result:
            return self._last[1]
        cost = None
        if not result.errors:
            with suppress(PassFailed):
                cost = traffic(self.bufferize(result), result.options.assumed_size)
        self._last = result, cost
        return cost

    def _candidates(self) -> list[int]:
        """Which of `puts` may be worth building in place: none if nothing is copied, else those that are not there already."""
        if not self.levers.build_in_place:
            return []
        result = self._decided()
        places = PartPlaces(result.state)
        found = [
            i for i, use in enumerate(puts(self.root)) if result.errors or not _is_there(use, result, places)
        ]
        cost = self._cost(result) if found else None
        return found if cost is None or cost.copied else []

    def _is_acceptable(self, base: EstimatedCost) -> bool:
        """Whether the program as it is copies no more, and holds no more than is allowed."""
        return self._fits(self._decided(), base)

    def _fits(self, result: AnalysisResult, base: EstimatedCost) -> bool:
        found = self._cost(result)
        limit = self.levers.peak_percent
        return (
            found is not None
            and found.copied <= base.copied
            and (not limit or found.peak * 100 <= base.peak * limit)
        )

    def save_contents(self) -> int:
        """Make again, and leave out, what would be copied; how many tensors."""
        total = self.emptied_for_readers = 0
        for _ in range(MAX_ROUNDS if self.levers.make_again or self.levers.empty_overwritten else 0):
            result = self._decided()
            saved = 0 if result.errors else self._save(result)
            if not saved:
                break
            self._result = None
            total += saved
        return total

    def _save(self, result: AnalysisResult) -> int:
        copies = result.plan()
        before = [copy.value for copy in copies]
        for copy in copies:
            conflict = None if copy.operand is None else result.conflict(copy.operand)
            if isinstance(conflict, ReadAfterWrite):
                before.append(conflict.write.value)
        saved = 0
        if self.levers.empty_overwritten:
            allowed = self.emptied_at_most - self.emptied_for_readers
            emptied = empty_for_readers(copies, result.conflict, allowed)
            self.emptied_for_readers += emptied
            saved += emptied + empty_overwritten(copies)
        if self.levers.make_again:
            saved += make_again(copies)
        if saved:
            erase_dead(before)
        return saved


def prepare_at_once(
    root: Operation,
    copies: list[PlannedBuffer],
    conflict_of: Callable[[OpOperand], InPlaceConflict | None],
) -> bool:
    """Make every preparation in `root`, without looking whether each does good: to see what could be had.

    `copies` is what the analysis plans for it, `conflict_of` what it found against an operand. Near-linear in the program.
    False if the program is as it was.
    """
    before = [copy.value for copy in copies]
    changed = empty_for_readers(copies, conflict_of, sys.maxsize) + empty_overwritten(copies)
    changed += make_again(copies) + erase_dead(before) + rank_reduce_slices(root) + read_parts(root)
    found = len(puts(root))
    if found:
        build_all(root, set(range(found)))
    return bool(changed or found)


def replace(root: Operation, other: Operation) -> None:
    """Give `root` the regions of `other`, which is not used any more."""
    for region, new in zip(root.regions, other.regions, strict=True):
        for block in list(region):
            block.erase()
        region.take_blocks(new)


COMPOSITIONS = (tensor.ConcatOp, tensor.PadOp, SubsetInsertionOp)


def puts(root: Operation) -> list[OpOperand]:
    """The operands that operations put into something, those of the most bytes first."""
    found: list[OpOperand] = []
    for op in root.walk():
        if isinstance(op, COMPOSITIONS):
            found += op.op_operands if isinstance(op, tensor.ConcatOp) else op.op_operands[:1]
    weights = Weights()
    return sorted(found, key=lambda use: weights.bytes_of(use.value) * runs(use.owner), reverse=True)


def _is_there(use: OpOperand, result: AnalysisResult, places: PartPlaces) -> bool:
    """Whether what is inserted lies in its place already, for the decisions that were made."""
    op = use.owner
    if not isinstance(op, SubsetInsertionOp):
        return False
    into = op.subset_destination()
    shares = result.is_in_place(into) and result.may_alias(use.value, into.value)
    return shares and places.is_exactly(use, op)


def build_all(root: Operation, numbers: set[int]) -> int:
    """Build the operands that have these `numbers` among `puts(root)` in place; how many uses got another buffer.

    Later insertions come first: what is put into a part of something else finds that part there.
    """
    uses = [use for number, use in enumerate(puts(root)) if number in numbers]
    chosen = {use.owner for use in uses if isinstance(use.owner, SubsetInsertionOp)}
    wanted: dict[Operation, set[Value]] = {}
    for use in uses:
        wanted.setdefault(use.owner, set()).add(use.value)
    found = [op for op in compositions(root) if op in wanted]
    for op in share_prefixes([op for op in found if isinstance(op, tensor.ConcatOp)]):
        wanted[op].add(op.operands[0])
    for op in found:
        if not any(use.value in wanted[op] and sites(use) for use in op.op_operands):
            continue
        made = decompose_concat(op) if isinstance(op, tensor.ConcatOp) else decompose_pad(op)
        for values in wanted.values():  # a result that is put somewhere else
            if op.results and op.results[0] in values and made:
                values.add(made[-1].results[0])
        chosen.update(insertion for insertion in made if insertion.operands[0] in wanted[op])
    built = 0
    for op in reversed([op for op in root.walk() if op in chosen]):
        assert isinstance(op, SubsetInsertionOp)
        built += build_in_place(op)
    return built
