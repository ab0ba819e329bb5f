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
from ...dialects import tensor
from ...ir.program.core import BlockArgument, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, SubsetInsertionOp
from ...ir.source.collection import collection_paused
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import record
from ...ir.types import types as t
from ...ir.types.attributes import StringAttr
from .build_in_place import build_in_place, sites
from .carried_borders import carry_borders
from .decompose import compositions, decompose_concat, decompose_pad, share_prefixes
from .destinations import choose_dying_operands, choose_iteration_arguments, restore
from .fusion import forward_relayouts, fuse_producers, is_fresh
from .make_again import erase_dead, make_again
from .overwritten import empty_for_readers, empty_overwritten
from .rank_reduce import rank_reduce_slices
from .read_parts import forward_slices, read_parts
from .unroll_swaps import unroll_rotations

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
    choose_destinations: bool = False
    forward: bool = False
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
        self._written: set[tuple[str, int]] = set()
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
        plain = self.decide(self.root, False)
        base = self._cost(plain)
        if base is None or not (base.traffic or base.allocated):
            return None
        self._written = written_arguments(plain)
        original = self.root.clone()
        best, least = None, base
        for begin in (self._rotate, lambda: 0, self._copy_arguments):
            if begin == self._copy_arguments and (not least.copied or not self.levers.choose_destinations):
                continue
            self._become(original.clone())
            if not begin() and begin in (self._rotate, self._copy_arguments):
                continue
            cost = self._improve(base)
            if cost is not None and self._fits(self._decided(), base) and rank(cost) <= rank(least):
                best, least = self._take_out(), cost
        if best is None:
            return self._become(original)
        self._put_back(best)
        return self._settled(base)

    def _rotate(self) -> int:
        """Unroll the loops whose buffers rotate; how many loops were changed."""
        carried = carry_borders(self.root) if self.levers.choose_destinations else 0
        return carried + (unroll_rotations(self.root) if self.levers.unroll_swaps else 0)

    def _copy_arguments(self) -> int:
        """Let loops have copies of arguments to write to; how many operations then do."""
        return len(choose_iteration_arguments(self.root, self._is_protected, copying=True))

    def _improve(self, base: EstimatedCost) -> EstimatedCost | None:
        """Take every step that does good; what the program costs then, None if it cannot be bufferized."""
        levers, root = self.levers, self.root
        if levers.build_in_place:
            rank_reduce_slices(root)
        steps: list[Callable[[EstimatedCost], bool]] = []
        if levers.forward:
            steps.append(lambda base: bool(forward_relayouts(root)))
        if levers.choose_destinations:
            steps.append(lambda base: self._choose(False))
        if levers.read_parts:
            steps.append(lambda base: forward_slices(root) + read_parts(root) > 0)
        if levers.make_again or levers.empty_overwritten or levers.build_in_place:
            steps.append(self._put_in_place)
        if levers.choose_destinations:
            steps += [
                lambda base: self._choose(),
                lambda base: bool(fuse_producers(root, is_fresh)),
                lambda base: self._choose(),
            ]
        cost = self._cost(self._decided())
        for step in steps:
            if cost is not None:
                cost = self._try(step, base, cost)
        return cost

    def _try(
        self, step: Callable[[EstimatedCost], bool], base: EstimatedCost, before: EstimatedCost
    ) -> EstimatedCost:
        """Take a step if it moves fewer bytes, or as many with less memory; what the program costs then."""
        kept, known = self.root.clone(), self._result
        if not step(base):
            self._result = self._result or known
            return before
        self._result = None
        after = self._cost(self._decided())
        if after is not None and rank(after) <= rank(before) and self._holds(after, base, before):
            return after
        self._become(kept)
        return before

    def _holds(self, after: EstimatedCost, base: EstimatedCost, before: EstimatedCost) -> bool:
        """Whether no more is held at once than is allowed, or than was before."""
        limit = self.levers.peak_percent
        return not limit or after.peak * 100 <= base.peak * limit or after.peak <= before.peak

    def _choose(self, assembled: bool = True) -> bool:
        """Choose destinations, and keep those that are in place."""
        choices = choose_iteration_arguments(self.root, self._is_protected)
        choices += choose_dying_operands(self.root, self._is_protected, assembled)
        for _ in range(MAX_ROUNDS):
            self._result = None
            if not choices or self._decided().errors or not restore(choices, self._decided()):
                break
            choices = [choice for choice in choices if choice.use.value is not choice.before]
        return bool(choices)

    def _is_protected(self, argument: BlockArgument) -> bool:
        """Whether an argument of a function belongs to callers that nobody knows, and was left alone."""
        function = argument.owner.parent_op
        if not isinstance(function, FunctionOp):
            return False
        visibility = function.properties.get("sym_visibility")
        if isinstance(visibility, StringAttr) and visibility.value == "private":
            return False
        return (function.symbol_name, argument.index) not in self._written

    def _put_in_place(self, base: EstimatedCost) -> bool:
        """Make again, leave contents out, and build insertions in place; those that do no good are left alone."""
        original = self.root.clone()
        changed = self.save_contents()
        candidates = self._candidates()
        if self.emptied_for_readers:
            self._limit_emptied(original, base)
        if not candidates:
            return changed > 0
        before = self.root.clone()
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
        return bool(accepted or changed)

    def _settled(self, base: EstimatedCost) -> AnalysisResult | None:
        """What is decided of the form that was chosen, for good: unless that holds more at once than is allowed."""
        if self._result is None:
            return None
        result = self.settle(self._result)
        return result if result is self._result or self._fits(result, base) else self._result

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
        if self.levers.build_in_place:
            rank_reduce_slices(self.root)
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
            and found.traffic <= base.traffic
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


def rank(cost: EstimatedCost) -> tuple[int, int, int, int]:
    """What is minimised first: traffic, then copies, then what is held, then what is allocated."""
    return cost.traffic, cost.copied, cost.peak, cost.allocated


def written_arguments(result: AnalysisResult) -> set[tuple[str, int]]:
    """The arguments of functions that are written, for the decisions that were made."""
    found: set[tuple[str, int]] = set()
    for function in result.state.root.walk():
        if isinstance(function, FunctionOp) and function.regions and function.regions[0].blocks:
            for arg in function.regions[0].entry.args:
                writes = (
                    write
                    for alias in (result.state.alias.members(arg) if t.is_tensor(arg.type) else ())
                    for write in result.state.in_place_writes(alias)
                )
                if any(not isinstance(write.owner, LoopLikeOp) for write in writes):
                    found.add((function.symbol_name, arg.index))
    return found


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
