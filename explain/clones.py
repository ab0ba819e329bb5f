"""Verdicts on clones of deallocation, inserted because the receiver of a buffer frees it and so must be its only owner.

*Avoidable*: another deallocation pass avoids it or makes it conditional: it was run on the bufferized program, and its clones
were counted. *Needed as written*: every possible origin of the buffer is an argument or a global, or is yielded twice; or it
executes only if a flag says at run time that the buffer is not owned. Origins are computed on the bufferized program
(`analysis/origins.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ..analysis.origins import ViewFlow
from ..dialects import memref
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FunctionOp, is_allocation, is_function_argument
from ..ir.source.diagnostics import present
from ..ir.source.records import record
from ..ir.source.text import say
from ..transforms.bufferize.on_copy import free_copy, free_otherwise
from ..transforms.freeing.ownership_flags import is_dynamic
from ..transforms.memory_report import Kind as MovementKind, MemoryRecord
from .finding import CopyVerdict, avoidable, needed, not_known

if TYPE_CHECKING:
    from ..transforms.bufferize.on_copy import Bufferized, Freed
    from .finding import Finding
    from .suggest import Trials


class CloneVerdicts:
    """Verdicts on the clones of one program; other deallocation passes are tried on first use."""

    def __init__(self, trials: Trials, may_try: bool) -> None:
        self._trials = trials
        self._may_try = may_try
        self._other: OtherFreeing | None = None
        self._flows: dict[Operation, ViewFlow] = {}

    def verdict(
        self, finding: Finding, clones: Sequence[MemoryRecord], command: str, is_behind: bool
    ) -> CopyVerdict:
        """The verdict on the clones of a finding.

        Args:
            command: bufferizes and frees the program by default.
            is_behind: whether another command, with these clones, copies less in all, so that the other deallocation
                passes, which were tried for that command, do not pay.
        """
        name = finding.name
        gets = say("the receiver frees the buffer that '{operation}' yields", operation=finding.op)
        origins = {origin for clone in clones for origin in self._origins(clone.op.operands[0])}
        is_given = bool(origins) and all(map(is_function_argument, origins))
        # callers own the arguments of a public function under any deallocation, unless it frees them explicitly
        is_plain = is_given and not self._frees_by_hand and all(map(_is_of_public_function, clones))
        saving = None if is_plain else self._saving(clones)
        if saving is not None:
            if is_behind or saving.is_partial:
                how = (
                    "{option} makes it only if {name} is not owned at run time"
                    if saving.is_partial
                    else "{option} avoids it, but copies no less in total"
                )
                said = say(how, option=saving.option, name=name)
                return needed(
                    said, (gets, "each command that was tried was run, and its copies were counted")
                )
            other = command.replace("-buffer-deallocation-pipeline", saving.option)
            return avoidable(say("{option} eliminates it", option=saving.option), saving.option, other)
        if is_given:
            steps = (
                gets,
                say("{name} is in a buffer of the caller", name=name),
                "the caller keeps and frees that buffer",
            )
            return needed(
                say("{name} is in a buffer of the caller, and callers free all results", name=name), steps
            )
        if origins and all(is_function_argument(one) or _is_global(one) for one in origins):
            steps = (gets, say("{name} is in the memory of a global", name=name), "which must not be freed")
            return needed(
                say("{name} is in the memory of a global, which must not be freed", name=name), steps
            )
        foreign = next(
            (o for o in origins if not (is_function_argument(o) or _is_global(o) or is_allocation(o))), None
        )
        if foreign is not None:
            maker = foreign.defining_op.name if foreign.defining_op is not None else "a branch"
            return not_known(
                say("it is not known who owns the results of '{maker}'", maker=maker),
                "an operation whose results have a known owner, or a copy",
            )
        if clones and all(clone.times.at_most for clone in clones):
            steps = (
                gets,
                say("{name} may be in a buffer with another owner", name=name),
                "it is cloned only if a flag says at run time that it is not owned",
            )
            return needed(say("it is made only if {name} is not owned at run time", name=name), steps)
        if len(origins) == 1 and self._is_returned_again(clones, *origins):
            steps = (gets, say("{name} is in a buffer that is yielded already, and freed once", name=name))
            return needed("one buffer is yielded twice, and each of the two is freed", steps)
        return not_known(
            say(
                "the owner of {name} depends on the path taken at run time, or on code that is not analysed",
                name=name,
            ),
            "forwarding a buffer that is allocated for it",
        )

    @cached_property
    def _frees_by_hand(self) -> bool:
        return any(m.kind is MovementKind.FREE for m in self._trials.memory_report)

    def _saving(self, clones: Sequence[MemoryRecord]) -> Saving | None:
        """A change that avoids every one of the clones."""
        trials = self._trials
        if trials.bufferized is None or not clones or not self._may_try:
            return None
        if self._other is None:
            every = [m for m in trials.memory_report if m.kind is MovementKind.CLONE and not m.was_written]
            self._other = OtherFreeing(trials.bufferized, every, trials.result.options.compat or "")
        savings = {self._other.saving(clone) for clone in clones}
        return savings.pop() if len(savings) == 1 else None

    def _origins(self, buffer: Value) -> list[Value]:
        """The possible origins of a buffer's memory. O(views behind it)."""
        flow = self._flow(buffer)
        return [value for value in flow.resolve_back([buffer]) if value in flow.terminals]

    def _flow(self, value: Value) -> ViewFlow:
        op = present(value.parent_op).closest(FunctionOp)
        if op not in self._flows:
            self._flows[op] = ViewFlow(op)
        return self._flows[op]

    def _is_returned_again(self, clones: Sequence[MemoryRecord], origin: Value) -> bool:
        """Whether the function also returns the memory of `origin` elsewhere."""
        made = {clone.op for clone in clones}
        again = self._flow(origin).resolve(origin)
        return any(
            use.owner not in made
            and isinstance(use.owner.parent_op, FunctionOp)
            and use.owner.next_op is None
            for value in again
            for use in value.uses
        )


def _is_of_public_function(clone: MemoryRecord) -> bool:
    around = clone.op.parent_of_type(FunctionOp)
    return around is not None and around.properties.get("sym_visibility") is None


def _is_global(value: Value) -> bool:
    return isinstance(value.defining_op, memref.GetGlobalOp)


# Clones that another deallocation pass avoids: its source position has none any more, or only a conditional one, and the
# total of its function decreases.


def freed_otherwise(bufferized: Bufferized, compat: str) -> Iterator[tuple[str, Freed]]:
    """The outcomes of the other applicable deallocation passes, by the option that selects them."""
    if any(map(is_dynamic, bufferized.module.walk())):
        yield (
            "-buffer-deallocation-pipeline=private-function-dynamic-ownership",
            free_copy(bufferized, compat, dynamic=True),
        )
    from ..transforms.freeing.buffer_deallocation_static import on_trial

    yield "-buffer-deallocation-static", free_otherwise(bufferized, on_trial(), compat)


@record(frozen=True)
class Saving:
    """The option that avoids a clone, and whether a conditional clone remains for buffers not owned at run time."""

    option: str
    is_partial: bool


class OtherFreeing:
    """The clones of one bufferized program under other deallocation passes, each run on first use."""

    def __init__(self, bufferized: Bufferized, clones: Iterable[MemoryRecord], compat: str) -> None:
        clones = list(clones)
        self._before = _weighed(clones)
        self._saved: dict[Place, Saving] | None = None
        self._bufferized = bufferized
        self._compat = compat

    def saving(self, clone: MemoryRecord) -> Saving | None:
        """The option that avoids a clone or makes it conditional; None if there is none."""
        if self._saved is None:
            self._saved = {}
            for option, freed in freed_otherwise(self._bufferized, self._compat):
                if freed.problems:
                    continue
                left = _weighed(freed.memory_report.clones, self._before)
                if left.total() >= self._before.total():
                    continue  # it clones as much, elsewhere
                before, after = _by_function(self._before), _by_function(left)
                for place, weight in self._before.items():
                    if left[place] < weight and after[place[0]] < before[place[0]]:
                        self._saved.setdefault(place, Saving(option, bool(left[place])))
                if len(self._saved) == len(self._before):
                    break  # the first pass that avoids a clone is reported
        return self._saved.get(_place(clone))


Place: TypeAlias = "tuple[str, Operation, int | None]"
"""The purpose of a clone: the function, the operation that yields a buffer, and the operand."""


def _place(clone: MemoryRecord) -> Place:
    return clone.function, clone.cause.op, clone.cause.operand


def _by_function(weights: Counter[Place]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (function, _, _), weight in weights.items():
        found[function] += weight
    return found


def _weighed(clones: Iterable[MemoryRecord], before: Container[Place] = ()) -> Counter[Place]:
    """The bytes cloned for each purpose; conditional clones count half, but for new purposes: their flag may always be false."""
    found: Counter[Place] = Counter()
    for clone in clones:
        place = _place(clone)
        is_half = clone.times.at_most and (not before or place in before)
        found[place] += clone.traffic.estimate() * (1 if is_half else 2)
    return found
