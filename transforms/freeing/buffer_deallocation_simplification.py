"""`-buffer-deallocation-simplification`: resolves deallocations at compile time where possible."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.origins import OriginGroup, Origins
from ...dialects import bufferization, memref
from ...ir.program.core import Operation, Value
from .. import makers
from ..pass_base import Context, Pass
from ..patterns.bufferization import DEALLOC_PATTERNS, either, known, new_dealloc, parts, update
from ..patterns.memref import FOLDS_THAT_INSERT
from ..rewriting.greedy import Config, Pattern, rewrite_greedily
from ..rewriting.rewriter import Rewriter
from ..rewriting.simplify_regions import NORMAL

# Simplifications of `bufferization.dealloc` by alias analysis.
#
#     S1  a listed buffer that must alias a retained one is removed: the retained one owns it if its condition holds
#     S2  a retained buffer that aliases no listed one is not owned, and is removed
#     S3  a listed buffer that aliases no other one gets its own deallocation
#     S4  a retained alias of a buffer with a constantly true condition is owned
#
# The origins of the unchanged program remain valid, as no simplification adds an origin.

DeallocOp = bufferization.DeallocOp


class Simplification:
    """The patterns S1 to S4, with the alias analysis they use."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._patterns: Sequence[Pattern] = (
            self.drop_retained,
            self.drop_unrelated,
            self.split,
            self.own_always_freed,
            *DEALLOC_PATTERNS,
        )

    def patterns_of(self, op: Operation) -> Sequence[Pattern]:
        """The patterns to try on `op`, in order."""
        return self._patterns if isinstance(op, DeallocOp) else FOLDS_THAT_INSERT.get(type(op), ())

    def drop_retained(self, op: Operation, rewriter: Rewriter) -> bool:
        """S1."""
        assert isinstance(op, DeallocOp)
        listed, flags, retained = parts(op)
        if not retained or len(set(retained)) != len(retained):
            return False
        group = OriginGroup(self._origins, retained)
        memrefs: list[Value] = []
        conditions: list[Value] = []
        for value, condition in zip(listed, flags, strict=True):
            if not any(self._hand_over(op, name, condition, group, rewriter) for name in _names(value)):
                memrefs.append(value)
                conditions.append(condition)
        return update(op, memrefs, conditions, rewriter)

    @staticmethod
    def _hand_over(
        op: DeallocOp, value: Value, condition: Value, group: OriginGroup, rewriter: Rewriter
    ) -> bool:
        same = group.same(value)
        if not same or not group.all_known(value):
            return False
        builder = rewriter.after(op)
        for i in same:
            owned = op.results[i]
            merged = either(builder, owned, condition)
            rewriter.replace_uses_if(
                owned, merged, lambda use, made=merged.defining_op: use.owner is not made
            )
        return True

    def drop_unrelated(self, op: Operation, rewriter: Rewriter) -> bool:
        """S2."""
        assert isinstance(op, DeallocOp)
        memrefs, conditions, retained = parts(op)
        if not retained:
            return False
        group = OriginGroup(self._origins, memrefs)
        related = [group.may_meet(value) for value in retained]
        if all(related):
            return False
        builder = rewriter.before(op)
        false = makers.boolean(builder, False)
        kept = [value for value, stays in zip(retained, related, strict=True) if stays]
        results = iter(new_dealloc(builder, memrefs, conditions, kept).results)
        rewriter.replace(op, [next(results) if stays else false for stays in related])
        return True

    def split(self, op: Operation, rewriter: Rewriter) -> bool:
        """S3."""
        assert isinstance(op, DeallocOp)
        memrefs, conditions, retained = parts(op)
        if len(memrefs) <= 1:
            return False
        group = OriginGroup(self._origins, memrefs)
        together = [group.may_meet(value, i) for i, value in enumerate(memrefs)]
        if all(together):
            return False
        builder = rewriter.before(op)
        alone: list[DeallocOp] = []
        rest: list[int] = []
        for i, stays in enumerate(together):
            if stays:
                rest.append(i)
            else:
                alone.append(new_dealloc(builder, [memrefs[i]], [conditions[i]], retained))
        remaining = new_dealloc(builder, [memrefs[i] for i in rest], [conditions[i] for i in rest], retained)
        owned: list[Value] = list(remaining.results)
        for single in alone:
            owned = [either(builder, one, other) for one, other in zip(owned, single.results, strict=True)]
        rewriter.replace(op, owned)
        return True

    def own_always_freed(self, op: Operation, rewriter: Rewriter) -> bool:
        """S4."""
        assert isinstance(op, DeallocOp)
        listed, flags, retained = parts(op)
        if not retained:
            return False
        group = OriginGroup(self._origins, retained)
        certain: set[int] = set()
        memrefs: list[Value] = []
        conditions: list[Value] = []
        changed = False
        for value, condition in zip(listed, flags, strict=True):
            same = {i for name in _names(value) for i in group.same(name)} if known(condition) else set[int]()
            for i in sorted(same):
                changed |= op.results[i].has_uses
                rewriter.replace_uses(op.results[i], condition)
            certain |= same
            if not same:
                memrefs.append(value)
                conditions.append(condition)
        return (len(certain) == len(op.results) and update(op, memrefs, conditions, rewriter)) or changed


def _names(value: Value) -> list[Value]:
    """A listed buffer, and the memref that it is the base of."""
    op = value.defining_op
    return [value, op.operands[0]] if isinstance(op, memref.ExtractStridedMetadataOp) else [value]


class BufferDeallocationSimplification(Pass):
    """Split deallocations of buffers that cannot alias, and resolve conditions that are known.

        %owned:2 = bufferization.dealloc (%n, %x : ...) if (%true, %c) retain (%n, %y : ...)
     => bufferization.dealloc (%x : ...) if (%c) ...       // %n is new, so it is neither %x nor %y: it is retained and owned

    Also folds and canonicalizes deallocations and their conditions. `analysis/origins.py`
    computes the origins.
    """

    name = "buffer-deallocation-simplification"
    summary = "simplify bufferization.dealloc using the origins of buffers"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        simplification = Simplification(Origins(op))
        outcome = rewrite_greedily(op, simplification.patterns_of, Config(top_down=False, regions=NORMAL))
        context.note_touched(outcome.touched)
