"""Each constant once, at the start of the region that isolates it.

At the start of every round of rewriting, the constants of the program are visited in order. The first of each value and
type is kept, and moved to the start of the entry block around it that belongs to an isolated operation, unless it
already stands there among constants that were kept; further ones are replaced by it. Constants that folds make in
between stand where they were needed until the next round moves them to the very front: this is how mlir-opt orders them.
"""

from __future__ import annotations

from ...ir.program import traits as tr
from ...ir.program.core import Operation, Region
from ...ir.types.types import Type
from ...semantics.folds.constants import constant_of
from .rewriter import Rewriter


class UniqueConstants:
    """The constants kept in one round."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._kept: dict[tuple[Region, str, object, Type], Operation] = {}
        self._owned: set[Operation] = set()
        self._regions: dict[Region, Region] = {}

    def visit(self, op: Operation) -> bool:
        """Keep or replace `op`; false if it was erased. O(uses of what is replaced), else O(1) amortised."""
        if not op.has_trait(tr.CONSTANT_LIKE):
            return True
        block = op.block
        if block is None or block.region is None:
            return True
        value = constant_of(op.the_result) or (op.name, frozenset(op.properties.items()))
        region = self._home(block.region)
        key = (region, op.dialect, value, op.results[0].type)
        kept = self._kept.get(key)
        if kept is not None:
            self._rewriter.replace(op, kept.results)
            return False
        first = region.entry.first_op
        if (
            first is not None
            and first is not op
            and (block is not region.entry or op.previous_op not in self._owned)
        ):
            op.move_before(first)
            self._rewriter.moved(op)
        self._kept[key] = op
        self._owned.add(op)
        return True

    def _home(self, region: Region) -> Region:
        """The closest region at or around `region` that belongs to an isolated, unknown or outermost operation."""
        passed: list[Region] = []
        at = region
        while at not in self._regions:
            parent = at.parent_op
            outer = at.parent_region
            if (
                parent is None
                or outer is None
                or parent.definition is None
                or parent.has_trait(tr.ISOLATED_FROM_ABOVE)
            ):
                self._regions[at] = at
                break
            passed.append(at)
            at = outer
        home = self._regions[at]
        for inner in passed:
            self._regions[inner] = home
        return home
