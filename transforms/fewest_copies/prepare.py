"""The preparations in order: make again, leave contents out, build in place; then the first two once more.

Each is driven by an analysis of the program as it then is, so that what need not be copied is not touched. Building in
place makes buffers live longer. So the result is bufferized on trial and compared with what the program costs without any
of this (`analysis/traffic.py`): if it copies more bytes, or holds more at once than is allowed, insertions are tried
in halves and quarters, and those that do no good are left alone; if that does not help, nothing is changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.analyze import analyze
from ...analysis.one_shot.found_conflicts import ReadAfterWrite
from ...analysis.one_shot.options import AnalysisOptions
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.result import AnalysisResult
from ...analysis.traffic import EstimatedCost, bytes_of, runs, traffic
from ...dialects import tensor
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import record
from .build_in_place import build_in_place, sites
from .decompose import compositions, decompose_concat, decompose_pad, share_prefixes
from .ground import Ground
from .make_again import erase_dead, make_again
from .overwritten import empty_for_readers, empty_overwritten
from .rank_reduce import rank_reduce_slices

MAX_TRIALS = 24
"""How often insertions are built in place on trial."""
MAX_ROUNDS = 4
"""How often copies are looked at again after some were saved."""


@record(frozen=True)
class Levers:
    """Which preparations are made.

    Attributes:
        peak_percent: how much of the bytes held at once without preparations may be held with them; 0 for any number.
    """

    make_again: bool = False
    empty_overwritten: bool = False
    build_in_place: bool = False
    peak_percent: int = 110


Bufferize = Callable[[Operation, bool], None]
"""Bufferizes a module; the flag says whether it was prepared. Raises PassFailed."""


class Preparation:
    """Changes one program so that its bufferization copies less.

    Attributes:
        root: the program.
        bufferize: what is tried on clones of it.
    """

    def __init__(
        self,
        root: Operation,
        options: AnalysisOptions,
        registry: ModelRegistry,
        levers: Levers,
        bufferize: Bufferize,
    ) -> None:
        self.root = root
        self.options = options
        self.registry = registry
        self.levers = levers
        self.bufferize = bufferize
        self.emptied_at_most = sys.maxsize
        self.emptied_for_readers = 0

    def run(self) -> None:
        """Change `root`. O(MAX_TRIALS) analyses and bufferizations at most, a handful if the peak is no matter."""
        original = self.root.clone()
        if self.levers.build_in_place:
            rank_reduce_slices(self.root)
        prepared = self.root.clone()
        changed = self.save_contents()
        candidates = len(puts(self.root)) if self.levers.build_in_place else 0
        if not candidates and not changed:
            return
        base = self.cost(original.clone(), False)
        if base is None:
            replace(self.root, original)
            return
        self._limit_emptied(prepared, base)
        before = self.root.clone()
        accepted: set[int] = set()
        waiting = [list(range(candidates))] if candidates else []
        for _ in range(MAX_TRIALS):
            if not waiting:
                break
            group = waiting.pop()
            if self.attempt(before, accepted | set(group), base):
                accepted.update(group)
            elif len(group) > 1:
                middle = len(group) // 2
                waiting += [group[middle:], group[:middle]]
        if not self.attempt(before, accepted, base):
            replace(self.root, original)

    def _limit_emptied(self, prepared: Operation, base: EstimatedCost) -> None:
        """Leave alone the last of the destinations that are emptied for their readers' sake, if they take too much.

        Such a destination is a new buffer where there was none: the one that is saved may have been smaller.
        """
        if self.is_acceptable(self.cost(self.root.clone(), True), base):
            return
        fits, exceeds = 0, self.emptied_for_readers
        while exceeds - fits > 1:
            self.emptied_at_most = (fits + exceeds) // 2
            replace(self.root, prepared.clone())
            self.save_contents()
            if self.is_acceptable(self.cost(self.root.clone(), True), base):
                fits = self.emptied_at_most
            else:
                exceeds = self.emptied_at_most
        self.emptied_at_most = fits
        replace(self.root, prepared)
        self.save_contents()

    def attempt(self, before: Operation, chosen: set[int], base: EstimatedCost) -> bool:
        """Build the chosen insertions in place, in the program as it was `before`; whether the result is acceptable."""
        replace(self.root, before.clone())
        if chosen:
            build_all(self.root, chosen)
            self.save_contents()
        return self.is_acceptable(self.cost(self.root.clone(), True), base)

    def cost(self, root: Operation, prepared: bool) -> EstimatedCost | None:
        """What a clone of the program costs on buffers, which it is rewritten to; None if that fails."""
        try:
            self.bufferize(root, prepared)
        except PassFailed:
            return None
        return traffic(root)

    def is_acceptable(self, found: EstimatedCost | None, base: EstimatedCost) -> bool:
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
            result = analyze(self.root, self.options, self.registry)
            saved = 0 if result.errors else self._save(result)
            total += saved
            if not saved:
                break
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
        erase_dead(before)
        return saved


def prepare_at_once(root: Operation, copies: list[PlannedBuffer]) -> None:
    """Make every preparation in `root`, without looking whether each does good: to see what could be had.

    `copies` is what the analysis plans for it. Near-linear in the program.
    """
    before = [copy.value for copy in copies]
    empty_overwritten(copies)
    make_again(copies)
    erase_dead(before)
    rank_reduce_slices(root)
    found = len(puts(root))
    if found:
        build_all(root, set(range(found)))


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
    return sorted(found, key=weight, reverse=True)


def weight(use: OpOperand) -> int:
    """The bytes of an operand, times how often it is put somewhere."""
    return bytes_of(use.value.type) * runs(use.owner)


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
    ground = Ground()
    built = 0
    for op in reversed([op for op in root.walk() if op in chosen]):
        assert isinstance(op, SubsetInsertionOp)
        built += build_in_place(op, ground)
    return built
