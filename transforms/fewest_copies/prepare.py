"""The preparation of a program for `fewest-copies`: steps in order, each kept only where it reduces the cost.

Each step uses an analysis of the current program, so that only copied values are rewritten. The steps are taken from several
starts, such as the program with unrolled loops; the cheapest form is chosen. If none is cheaper, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from ...analysis.cost_model import EstimatedCost
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import Operation
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.diagnostics import present
from ...ir.source.reading import collection_paused
from ..changes.rewrites import (
    CARRY_BORDER,
    CARRY_OLDER,
    EXPAND_UNITS,
    FILL_REMAINDER,
    FOLD_ONTO_ITSELF,
    FORWARD_COPY,
    FORWARD_RELAYOUT,
    FORWARD_SLICE,
    FUSE,
    FUSE_FRESH,
    FUSE_KEPT,
    FUSE_SIBLINGS,
    INITS,
    INSERT_ELEMENTS,
    OWN_EMPTIES,
    RAISE_RESHAPE,
    READ_INIT,
    READ_PARTS,
    REDUCE_RANK,
    SINK_INTO_BRANCHES,
    SINK_RELAYOUT,
    SINK_RESHAPE,
    SLICE_RESULT,
    SPLIT,
    UNROLL,
    UNROLL_WHILE,
    RewriteKind,
    apply_all,
)
from ..eliminate_empty_tensors import Elimination
from .destinations import (
    choose_dead_buffers,
    choose_dying_operands,
    choose_iteration_arguments,
    origin_of,
    restore,
)
from .fusion import updated_inits
from .placed import MAX_ROUNDS, PlacedProgram
from .remainders import copy_destinations, copy_remainders
from .trial import (
    BufferizeCopy,
    Decide,
    PlainCost,
    Transformations,
    fingerprint,
    is_callers,
    operations_in,
    rank,
)

SMALL = 20_000
"""Operations of a program up to which garbage collection is paused, and all tried forms stay in memory."""


class PreparationStep(NamedTuple):
    """A method that changes the program and returns whether anything changed, and its arguments."""

    change: Callable[..., bool]
    arguments: tuple[object, ...] = ()


Settle = Callable[[AnalysisResult], AnalysisResult]
"""Returns the final decisions for a trial analysis: the same, or cheaper ones."""


class Preparation(PlacedProgram):
    """Rewrites one program so that its bufferization copies less.

    Each form of the program is analysed once. The decisions determine which copies to eliminate, the cost of the form, and, for
    the chosen form, the final bufferization.

    Attributes:
        settle: returns the final decisions for the chosen form.
        reorder: moves reads up where that eliminates copies, and returns the decisions for the result.
        decides_alike: whether `decide` ignores its flag.
        as_it_is: the cost of the unprepared program, if known.
    """

    def __init__(
        self,
        root: Operation,
        chosen: Transformations,
        decide: Decide,
        settle: Settle,
        bufferize: BufferizeCopy,
        reorder: Callable[[AnalysisResult], AnalysisResult] | None = None,
        decides_alike: bool = False,
        as_it_is: PlainCost | None = None,
        tried: dict[Hashable, EstimatedCost | None] | None = None,
    ) -> None:
        super().__init__(root, chosen, decide, bufferize, tried)
        self.decides_alike = decides_alike
        self.as_it_is = as_it_is
        self.settle = settle
        self.reorder = reorder
        self.given_up: str | None = None
        """The savings that a higher peak would allow, with the option for it."""
        self.is_unchanged = decides_alike
        """Whether the program, and its decisions, are what they were before `improve`."""

    def improve(self) -> bool:
        """Rewrite `root`. Returns whether a form was found that costs no more; `finish` has its decisions.

        O(MAX_TRIALS) analyses and bufferizations at most, a handful without a limit on the peak.
        """
        if not self.begin():
            return False
        if sum(1 for _ in self.root.walk()) > SMALL:
            return self._improve()
        with collection_paused():
            return self._improve()

    def begin(self) -> bool:
        """Determine the cost of the unprepared program. Returns whether it can be lower."""
        base = self._of_the_program()
        if base is None or not (base.traffic_with_clones or base.allocated):
            return False
        self.base, self.plain = base, [base]
        return True

    def _improve(self) -> bool:
        original, is_original = self.root.clone(), True
        best, least = None, self.base
        begun: set[Hashable] = set()
        asked = self.chosen.choose_destinations
        starts = (
            (self._rotate, asked or self.chosen.unroll_and_rename),
            (None, True),
            (self._copy_arguments, asked),
            (self._put_some_in_place, asked and self._puts),
            (self._eliminate_empty_tensors, asked),
            (self._trade_buffers, asked and self.chosen.unroll_and_rename),
        )
        for number, (begin, is_asked) in enumerate(starts):
            if not is_asked or (number in (2, 3, 5) and not least.copied):
                continue
            if not is_original:
                self._become(original.clone())
            is_original = False
            if begin is not None:
                self.least = least
                if not begin():
                    continue
                self._result = None
            form = fingerprint(self.root)
            if form in begun:
                continue
            begun.add(form)
            is_plain = begin == self._eliminate_empty_tensors
            is_worse = is_plain and self._is_beaten(least)
            if is_plain and not (least.copied or is_worse):
                continue
            cost = self._take_steps(begin is None)
            if cost is None or not self._fits(cost):
                continue
            if is_worse or rank(cost) < rank(least) or (rank(cost) == rank(least) and number < 4):
                best, least = self._take_out(), cost
                self.is_unchanged = begin is None and cost is self.base
        if best is None:
            self._become(original)
            return False
        self._put_back(best)
        self.given_up = self._given_up(least)
        return True

    def _of_the_program(self) -> EstimatedCost | None:
        """The cost of the program; None if it cannot be bufferized."""
        if self.as_it_is is not None:
            self._written = self.as_it_is.written
            return self.as_it_is.cost
        plain = self.decide(self.root, False)
        cost = self._bufferized(plain).cost
        self._result = plain if self.decides_alike else None
        return cost

    def _rotate(self) -> int:
        """Unroll the loops whose buffers rotate. Returns the number of changed loops."""
        carried = apply_all(self.root, CARRY_BORDER) if self.chosen.choose_destinations else 0
        return carried + (apply_all(self.root, UNROLL, UNROLL_WHILE) if self.chosen.unroll_and_rename else 0)

    def _trade_buffers(self) -> int:
        """Let loops that write the inside of a buffer trade two. Returns whether any can be unrolled."""
        return apply_all(self.root, CARRY_OLDER) and self._rotate()

    def _copy_arguments(self) -> int:
        """Copy protected arguments before loops that then write the copy. Returns the number of changed operations."""
        return len(choose_iteration_arguments(self.root, self._is_protected, copying=True))

    def _eliminate_empty_tensors(self) -> int:
        """Replace empty tensors by the slices that they are inserted into. Returns the number of changed uses."""
        if not any(isinstance(op, SubsetInsertionOp) for op in self.root.walk()):
            return 0
        result = self._decided()
        return (
            0 if result.errors else Elimination(result, frozenset(), only_where_inserted=True).run(self.root)
        )

    def _take_steps(self, is_original: bool) -> EstimatedCost | None:
        """Take every step that reduces the cost. Returns the final cost; None if the program cannot be bufferized.

        Args:
            is_original: whether the program is unchanged, and so costs `self.base` under the same decisions.
        """
        if self.chosen.destination_passing and self._rewrite(
            FOLD_ONTO_ITSELF, INSERT_ELEMENTS, REDUCE_RANK, RAISE_RESHAPE
        ):
            is_original = False
        steps = self._steps()
        cost = self.base if is_original and self.decides_alike else self._cost_now()
        form, there = fingerprint(self.root), operations_in(self.root)
        for number, step in enumerate(steps):
            again = step.change == self._move_reads or (
                step.change == self._put_in_place and step in steps[:number]
            )
            tried = form, step, self.emptied_at_most, len(self.plain)
            if cost is None or (again and not cost.copied) or tried in self._refused:
                continue
            if (needed := self._needed(step)) and not any(issubclass(kind, needed) for kind in there):
                continue
            before = cost
            cost = self._try(step, before)
            if cost is not before:
                form, there = fingerprint(self.root), operations_in(self.root)
            elif tried[2] == self.emptied_at_most:
                self._refused.add(tried)
        return cost

    def _steps(self) -> list[PreparationStep]:
        """The chosen steps, in the order in which they are taken."""
        chosen = self.chosen
        steps: list[PreparationStep] = []

        def add(change: Callable[..., bool], *arguments: object) -> None:
            steps.append(PreparationStep(change, arguments))

        if chosen.forward_relayouts:
            add(self._rewrite, EXPAND_UNITS)
            add(self._rewrite, SLICE_RESULT)
            add(self._rewrite, FORWARD_COPY, FORWARD_RELAYOUT)
            add(self._rewrite, SINK_RESHAPE, FORWARD_RELAYOUT)
            add(self._rewrite, SINK_RELAYOUT, FORWARD_RELAYOUT)
        if chosen.choose_destinations:
            add(self._rewrite, SINK_INTO_BRANCHES)
            add(self._rewrite, *INITS)
            add(self._read_inits)
            add(self._choose, False)
        if chosen.forward_slices:
            add(self._read_where_it_lies)
        if self._puts:
            add(self._put_in_place)
        if chosen.rematerialize:
            add(self._then_put_in_place, OWN_EMPTIES)
        if chosen.choose_destinations:
            add(self._choose)
            add(self._rewrite, FUSE)
            add(self._rewrite, FUSE_FRESH)
            add(self._choose)
            add(self._rewrite, FUSE_KEPT)
            add(self._rewrite, FUSE_SIBLINGS)
            add(self._then_put_in_place, SPLIT)
            if chosen.eliminate_dead_inits:
                add(self._copy_remainders, copy_remainders)
            if chosen.destination_passing:
                add(self._copy_remainders, copy_destinations)
            add(self._choose, True, True)
            if self.reorder is not None:
                add(self._move_reads)
            if self._puts:  # new destinations may enable further steps
                add(self._put_in_place)
        if chosen.forward_relayouts and self._puts:  # alone, it may replace relayouts by copies
            add(self._then_put_in_place, EXPAND_UNITS)
        if chosen.eliminate_dead_inits:
            add(self._rewrite, FILL_REMAINDER)
        return steps

    def _needed(self, step: PreparationStep) -> tuple[type[Operation], ...]:
        """The operations without which a step changes nothing; none if it may change any program."""
        change, arguments = step
        if change == self._choose:
            return (tensor.EmptyOp,)
        if change == self._read_inits:
            return (LinalgOp,)
        if change == self._read_where_it_lies:
            return (*FORWARD_SLICE.of, *READ_PARTS.of)
        return tuple(kind for of in arguments if isinstance(of, RewriteKind) for kind in of.of)

    @property
    def _puts(self) -> bool:
        chosen = self.chosen
        return chosen.rematerialize or chosen.eliminate_dead_inits or chosen.destination_passing

    def _rewrite(self, *kinds: RewriteKind) -> bool:
        """Apply all rewrites of some kinds; the decisions stay valid if there are none."""
        changed = bool(apply_all(self.root, *kinds))
        self._result = None if changed else self._result
        return changed

    def _read_inits(self) -> bool:
        """Let elementwise operations read as inputs the destinations that would be copied, or returned to their callers."""
        result = self._decided()
        if result.errors:
            return False
        found = [
            op
            for op in self.root.walk()
            for use in updated_inits(op)
            if not result.is_in_place(use) or is_callers(origin_of(use.value))
        ]
        changed = [READ_INIT.rewrite(op) for op in dict.fromkeys(found)]
        self._result = None if changed else self._result
        return any(changed)

    def _then_put_in_place(self, kind: RewriteKind) -> bool:
        """Apply all rewrites of a kind, which only pays with destinations passed to the results."""
        changed = self._rewrite(kind)
        if changed and self._puts:
            self._put_in_place()
        return changed

    def _read_where_it_lies(self) -> bool:
        """Forward slices to a fixed point."""
        rounds = 0
        while rounds < MAX_ROUNDS and self._rewrite(FORWARD_SLICE, READ_PARTS):
            rounds += 1
        return rounds > 0

    def _move_reads(self) -> bool:
        """Move reads before the writes that clobber them."""
        assert self.reorder is not None
        before = fingerprint(self.root)
        known = self._decided()
        after = self.reorder(known)
        # another order of decisions may be cheaper, but is not what `decide` would find
        self._result = after if after.options == known.options else None
        return fingerprint(self.root) != before

    def _copy_remainders(self, copy: Callable[[list[PlannedBuffer]], int]) -> bool:
        """Copy partly overwritten destinations, or only their remainders, and compute the rest in place."""
        result = self._decided()
        if result.errors or not copy(result.plan()):
            return False
        self._result = None
        if self.chosen.destination_passing:
            self._put_in_place()
        return True

    def _try(self, step: PreparationStep, before: EstimatedCost) -> EstimatedCost:
        """Take a step if it reduces traffic, or memory at equal traffic. Returns the cost afterwards."""
        change, arguments = step
        deciding = (self._put_in_place, self._copy_remainders, self._read_inits, self._move_reads)
        if change in deciding or self._result is None:
            kept, known = self.root.clone(), self._result
            if not (self._put_in_place(kept) if change == self._put_in_place else change(*arguments)):
                self._result = self._result or known
                return before
            if not self._is_better(before):
                self._become(kept)
                return before
        else:  # the step needs no decisions: take it on a copy, so that those of the program stay valid if it does not help
            other = self.root.clone()
            form = self._take_out()
            self._become(other)
            if not change(*arguments) or not self._is_better(before):
                self._put_back(form)
                return before
        return present(self._cost_now())

    def _is_better(self, before: EstimatedCost) -> bool:
        """Whether the program costs less than before a step.

        New buffers may exceed the allowed peak until results are computed in dying operands.
        """
        after = self._cost_now()
        if after is None or rank(after) >= rank(before):
            return False
        if after.copied > max(before.copied, min(plain.copied for plain in self.plain)):
            return False
        if self._holds(after, before):
            return True
        if not self.chosen.choose_destinations or not self._choose(dead=True):
            return False
        after = self._cost_now()
        return after is not None and rank(after) < rank(before) and self._holds(after, before)

    def finish(self) -> AnalysisResult:
        """The final decisions for the current form."""
        decided = self._decided()
        self._bufferized(decided)  # callers go on with it, even if its cost was known
        result = self.settle(decided)
        return result if result is decided or self._fits(self._bufferized(result).cost) else decided

    def _choose(self, assembled: bool = True, dead: bool = False) -> bool:
        """Choose destinations, and keep those that are in place. With `dead`, also buffers that died earlier."""
        choices = choose_iteration_arguments(self.root, self._is_protected)
        choices += choose_dying_operands(self.root, self._is_protected, assembled)
        if dead:
            choices += choose_dead_buffers(self.root, self._is_protected)
        if choices:
            self._result = None
        for _ in range(MAX_ROUNDS):
            if not choices or self._decided().errors:
                break
            if not restore([choice for choice in choices if not self._is_kept(choice)]):
                break
            self._result = None
            choices = [choice for choice in choices if choice.use.value is not choice.before]
        return bool(choices)
