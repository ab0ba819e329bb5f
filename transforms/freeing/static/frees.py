"""How a buffer is freed: as the operation that allocates it says (`AllocationOp.build_free`).

What an input holds is freed as what flows into it was allocated; if that was done in several ways there is no one operation
for it, and the program is refused. If it may be a part of the allocation, its base is freed. What a call gives is freed as the
function that is called allocates it.
"""

from __future__ import annotations

from ....analysis.causes import Cause, CauseKind
from ....analysis.freeing.holders import Holder, HolderKind, Holders
from ....analysis.freeing.makers import Makers
from ....analysis.freeing.plan import Returned
from ....analysis.view_flow import strip_views
from ....dialects import memref
from ....dialects.function_like import FunctionLikeOp
from ....ir.program.builder import Builder
from ....ir.program.core import Operation, OpResult, Value
from ....ir.program.interfaces import AllocationOp, CallOpInterface, ViewLikeOp
from ....ir.source.diagnostics import PassFailed, error
from ....ir.source.places import Span
from ....ir.types import types as t
from ...account import makers
from ..lowering import build
from ..ownership.state import base_buffer


class Frees:
    """What is known of the holders of one function for writing frees. O(holders + what flows into them)."""

    def __init__(self, holders: Holders, elsewhere: Makers) -> None:
        """
        Args:
            elsewhere: what other functions allocate.
        """
        self._holders = holders
        self._elsewhere = elsewhere
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
        self._feeds: dict[Holder, list[Holder]] = {}
        self._partial = self._find_partial()
        self._makers = self._find_makers()

    def _find_partial(self) -> set[Holder]:
        """The holders that may be a part of an allocation, rather than all of it as it was allocated."""
        feeds = self._feeds
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

    def _find_makers(self) -> dict[Holder, dict[str, AllocationOp]]:
        """For each holder the allocations that its buffer may stem from, one of each kind of operation."""
        found: dict[Holder, dict[str, AllocationOp]] = {}
        waiting: list[tuple[Holder, AllocationOp]] = []
        for holder in self._holders.all:
            op = holder.value.defining_op
            if holder.kind is HolderKind.ROOT and isinstance(op, AllocationOp):
                waiting.append((holder, op))
            elif isinstance(op, CallOpInterface) and isinstance(holder.value, OpResult):
                made = self._elsewhere.of_call(op, holder.value.index)
                waiting += [(holder, maker) for maker in made]
        while waiting:
            holder, op = waiting.pop()
            kinds = found.setdefault(holder, {})
            if op.name not in kinds:
                kinds[op.name] = op
                waiting += [(fed, op) for fed in self._feeds.get(holder, ())]
        return found

    def free(self, holder: Holder, builder: Builder) -> None:
        """Free what `holder` holds.

        Raises:
            PassFailed: its buffer may have been allocated in ways that are freed differently.
        """
        value = holder.value
        if holder in self._partial and _has_base(value.type):
            value = base_buffer(builder, value)
        cause = Cause(CauseKind.FREED, _maker(holder.value), None, holder.value)
        ways = {makers.freed_by(maker, value): maker for maker in self._makers.get(holder, {}).values()}
        ways.pop(None, None)
        if len(ways) > 1:
            problem = error("what this holds was allocated in ways that are freed differently", _span(holder))
            for maker in ways.values():
                problem.attach("it may be this", maker.name_span)
            raise PassFailed(problem)
        builder.insert(makers.free(value, cause, next(iter(ways.values()), None)))

    def clone(self, returned: Returned, builder: Builder) -> Value:
        """A buffer of its own for what is returned, made as the operation says that allocated it, if there is just one.

        Raises:
            PassFailed: what the function returns otherwise is freed in another way than the copy would be.
        """
        use = returned.use
        function = self._holders.flow.function
        known = list(self._makers.get(returned.holder, {}).values()) if returned.holder is not None else []
        others = (
            self._elsewhere.of_function(function, use.index) if isinstance(function, FunctionLikeOp) else []
        )
        known = known or others
        cause = Cause(CauseKind.NOT_OWNED, use.owner, use.index, use.value)
        made = makers.clone(use.value, cause, known[0] if len(known) == 1 else None)
        way = makers.freed_by(made, made.results[0])
        for maker in others:
            if makers.freed_by(maker, maker.results[0]) not in (way, None):
                problem = error(
                    f"what is returned has to be copied, and a copy by '{made.name}' is freed by '{way}'",
                    use.owner.name_span,
                )
                problem.attach("what this makes is returned too, and freed otherwise", maker.name_span)
                raise PassFailed(problem)
        return builder.insert(made).the_result

    def free_if(self, condition: Value, holder: Holder, builder: Builder) -> None:
        """Free what `holder` holds if a flag says so."""
        _, then, _ = build.choose(builder, condition)
        self.free(holder, then)


def _has_base(type: t.Type) -> bool:
    """Whether the base of a memref can be asked for: not where its layout says nothing of strides."""
    return not isinstance(type, t.MemRefType) or type.strides_and_offset() is not None


def _span(holder: Holder) -> Span | None:
    op = holder.value.defining_op or holder.home.block.parent_op
    return op.name_span if op is not None else None


def _is_whole(value: Value) -> bool:
    """Whether between a value and its holder there are only casts."""
    op = value.defining_op
    while isinstance(op, ViewLikeOp) and value is op.results[0]:
        if not isinstance(op, memref.CastOp):
            return strip_views(value) is value
        value = op.view_source()
        op = value.defining_op
    return True


def _maker(value: Value) -> Operation:
    """The operation that a value is a result of, or is an argument in."""
    op = value.defining_op
    if op is None:
        block = value.parent_block
        assert block is not None and block.parent_op is not None
        op = block.parent_op
    return op
