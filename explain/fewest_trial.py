"""What the levers of fewest copies save in a program: tried at once on a copy, which is analysed and bufferized.

A copy counts as saved if the bufferized program has none at the place in the source that it is for, other than of a part onto itself,
and all that is still copied is less than before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.found_conflicts import InPlaceConflict, ReadAfterWrite
from ..analysis.one_shot.options import FEWEST_COPIES
from ..analysis.places import value_name
from ..ir.program.core import Operation, OpOperand
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import replace
from ..transforms.account.movements import Movement
from ..transforms.account.twins import Twins
from ..transforms.bufferize.on_copy import bufferize_copy
from ..transforms.fewest_copies.prepare import prepare_at_once
from ..transforms.pass_base import Context
from ..transforms.reorder_to_save_copies import ReorderToSaveCopies

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult


PAIRS_PER_USE = 16
"""Pairs of reads and writes that are looked at for each use: the pass itself looks at more, but an explanation should not take longer."""


def searching(options: AnalysisOptions) -> AnalysisOptions:
    """The options with which a program is searched for its explanation."""
    return replace(options, compare_parts=True, analysis_heuristic=FEWEST_COPIES, pairs_per_use=PAIRS_PER_USE)


class FewestTrial:
    """One program with every lever of fewest copies, if wanted with reads moved up besides.

    Attributes:
        before, after: bytes copied in all runs, sizes that are not known taken to be alike; `after` is None if it failed.
    """

    def __init__(
        self,
        result: AnalysisResult,
        copies: Iterable[Movement],
        registry: ModelRegistry,
        layout: str,
        best_as_it_is: Callable[[], AnalysisResult],
        reorder: bool = False,
    ) -> None:
        """
        Args:
            best_as_it_is: the same search in the program itself: no lever may have anything to change.
        """
        self.before = _bytes(copies)
        self.after: int | None = None
        self._left: dict[Hashable, set[str]] = {}
        options = searching(result.options)
        twins = Twins(result.state.root)
        try:
            planned, conflicts = twins.planned(result.plan()), _conflicts(result, twins)
            is_changed = prepare_at_once(twins.copy, planned, conflicts.get)
            if reorder:
                _reordered(options).reorder(twins.copy, registry, Context())
                is_changed = True
            best = analyze(twins.copy, options, registry) if is_changed else best_as_it_is()
            if best.errors:
                return
            found = bufferize_copy(best, function_boundary_layout=layout, registry=registry)
        except BufferizeError:
            return
        if not found.is_complete:
            return
        left = [copy for copy in found.account.copies if not copy.is_onto_itself]
        self.after = _bytes(left)
        for copy in left:
            value = copy.cause.value
            name = value_name(value) if value is not None else ""
            self._left.setdefault(_place(copy.cause.op), set()).add(name)

    @property
    def saves(self) -> bool:
        """Whether fewer bytes are copied in all."""
        return self.after is not None and self.after < self.before

    def is_saved(self, copy: Movement) -> bool:
        """Whether a copy is not there any more."""
        place = _place(copy.cause.op)
        if not self.saves or place is None:
            return False
        left = self._left.get(place)
        if not left:
            return True
        value = copy.cause.value
        return (
            value is not None
            and _is_named(value_name(value))
            and all(map(_is_named, left))
            and value_name(value) not in left
        )


def _reordered(options: AnalysisOptions) -> ReorderToSaveCopies:
    """The pass that moves reads up, asked as the analysis is."""
    return ReorderToSaveCopies(
        bufferize_function_boundaries=options.bufferize_function_boundaries,
        allow_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        analysis_heuristic=FEWEST_COPIES,
    )


def _conflicts(result: AnalysisResult, twins: Twins) -> dict[OpOperand, InPlaceConflict]:
    """What was found against operands of the program, told of its copy: reads that a write would destroy."""
    return {
        twins.operand(operand): ReadAfterWrite(
            twins.operand(found.read), twins.operand(found.write), found.definition
        )
        for operand, found in result.first_conflicts.items()
        if isinstance(found, ReadAfterWrite)
    }


def _is_named(name: str) -> bool:
    return name.startswith("%")


def _place(op: Operation) -> Hashable:
    """Where an operation stands in the source; what is made from it stands there, too."""
    return None if op.where is None else (id(op.where[0]), op.where[2])


def _bytes(copies: Iterable[Movement]) -> int:
    return sum(copy.traffic.estimate() for copy in copies if not copy.is_onto_itself)
