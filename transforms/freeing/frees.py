"""How a buffer is freed and copied: as the operation that allocates it says.

An allocation of `memref.alloc` is freed by `memref.dealloc`. What an input holds is freed as what flows into it was
allocated. If that may be a part of the allocation, its base is freed.
"""

from __future__ import annotations

from ...analysis.freeing.holders import Holder, Holders
from ...analysis.view_flow import strip_views
from ...dialects import memref
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.program.interfaces import CallOpInterface, ViewLikeOp
from ..deallocation import build
from ..ownership.state import base_buffer


class Frees:
    """What is known of the holders of one function for writing frees. O(holders + what flows into them)."""

    def __init__(self, holders: Holders) -> None:
        self._holders = holders
        self._sources: dict[Holder, list[Value]] = {}
        for stretch in holders.flow.stretches:
            for passage in stretch.arriving:
                for given, value in passage.passed:
                    holder = holders.of(given)
                    if holder is not None:
                        self._sources.setdefault(holder, []).append(value)
        for holder in holders.all:
            if holder.sources:
                self._sources[holder] = list(holder.sources)
        self._partial = self._find_partial()

    def _find_partial(self) -> set[Holder]:
        """The holders that may be a part of an allocation, rather than all of it as it was allocated."""
        feeds: dict[Holder, list[Holder]] = {}
        found: dict[Holder, None] = {}
        for holder in self._holders.all:
            if isinstance(holder.value.defining_op, CallOpInterface):
                found[holder] = None
        for holder, sources in self._sources.items():
            for value in sources:
                one = self._holders.of(value)
                if one is None:
                    if self._holders.possible(value):
                        found[holder] = None
                    continue
                feeds.setdefault(one, []).append(holder)
                if not _is_whole(value):
                    found[holder] = None
        waiting = list(found)
        while waiting:
            for fed in feeds.get(waiting.pop(), ()):
                if fed not in found:
                    found[fed] = None
                    waiting.append(fed)
        return set(found)

    def free(self, holder: Holder, builder: Builder) -> None:
        """Free what `holder` holds."""
        value = holder.value
        if holder in self._partial:
            value = base_buffer(builder, value)
        build.free(builder, value)

    def free_if(self, condition: Value, holder: Holder, builder: Builder) -> None:
        """Free what `holder` holds if a flag says so."""
        _, then, _ = build.choose(builder, condition)
        self.free(holder, then)


def _is_whole(value: Value) -> bool:
    """Whether between a value and its holder there are only casts."""
    op = value.defining_op
    while isinstance(op, ViewLikeOp) and value is op.results[0]:
        if not isinstance(op, memref.CastOp):
            return strip_views(value) is value
        value = op.view_source()
        op = value.defining_op
    return True
