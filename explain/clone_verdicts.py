"""Whether a clone that deallocation makes is necessary: whoever is given a buffer frees it, so it must be nobody else's.

*Avoidable*: another way of freeing, tried, makes it less often. *Necessary*: all that the buffer can be is the caller's, or a global's, or is
handed out twice; or it is made only where a flag says at run time that it is not owned. Where a buffer comes from is asked of the
program on buffers (`analysis/view_flow.py`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis.origins import ViewFlow, is_allocation
from ..dialects import memref
from ..ir.program.core import BlockArgument, Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..transforms.memory_report import Kind as MovementKind
from .routes import OtherFreeing, Saving
from .verdict import CopyVerdict, avoidable, needed, not_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..transforms.memory_report import MemoryRecord
    from .finding import Finding
    from .suggest import Trials


class CloneVerdicts:
    """Verdicts on the clones of one program; other ways of freeing it are tried when that is first asked for."""

    def __init__(self, trials: Trials, may_try: bool) -> None:
        self._trials = trials
        self._may_try = may_try
        self._other: OtherFreeing | None = None
        self._flows: dict[Operation, ViewFlow] = {}

    def verdict(self, finding: Finding, clones: Sequence[MemoryRecord], command: str) -> CopyVerdict:
        """The verdict on the clones of a finding; `command` bufferizes and frees the program in the plain way."""
        name = finding.name
        gets = f"who gets what '{finding.op.name}' hands out frees it"
        origins = {origin for clone in clones for origin in self._origins(clone.op.operands[0])}
        is_given = bool(origins) and all(map(_is_given, origins))
        # what a public function is given is its callers', however memory is freed, unless it frees that by hand
        is_plain = is_given and not self._frees_by_hand and all(map(_is_of_public_function, clones))
        saving = None if is_plain else self._saving(clones)
        if saving is not None:
            left = ", unless it is found not to be owned at run time" if saving.is_partial else ""
            other = command.replace("-buffer-deallocation-pipeline", saving.option)
            return avoidable(f"{saving.option} does without it{left}", saving.option, other)
        if is_given:
            steps = (
                gets,
                f"{name} is in a buffer that the caller gives",
                "the caller keeps that, and frees it",
            )
            return needed(f"{name} is in a buffer of the caller, and who gets a result frees it", steps)
        if origins and all(_is_given(one) or _is_global(one) for one in origins):
            steps = (gets, f"{name} is in the memory of a global", "nobody may free that")
            return needed(f"{name} is in the memory of a global, which nobody may free", steps)
        foreign = next((o for o in origins if not (_is_given(o) or _is_global(o) or is_allocation(o))), None)
        if foreign is not None:
            maker = foreign.defining_op.name if foreign.defining_op is not None else "a branch"
            return not_known(
                f"nobody knows who owns what comes from '{maker}'",
                "an operation of which it is known, or a copy of it",
            )
        if clones and all(clone.times.at_most for clone in clones):
            steps = (
                gets,
                f"{name} may be in a buffer that is somebody else's",
                "it is cloned only if a flag says at run time that it is not owned",
            )
            return needed(f"it is made only where {name} is found not to be owned at run time", steps)
        if len(origins) == 1 and self._is_handed_out_again(clones, *origins):
            steps = (gets, f"{name} is in a buffer that is handed out already, and freed once")
            return needed("one buffer is handed out twice, and each of the two is freed", steps)
        return not_known(
            f"whose buffer {name} is depends on what happens at run time, or on what is not followed",
            "handing out a buffer that is made for it",
        )

    @cached_property
    def _frees_by_hand(self) -> bool:
        return any(m.kind is MovementKind.FREE for m in self._trials.account)

    def _saving(self, clones: Sequence[MemoryRecord]) -> Saving | None:
        """What saves each of the clones."""
        trials = self._trials
        if trials.bufferized is None or not clones or not self._may_try:
            return None
        if self._other is None:
            every = [m for m in trials.account if m.kind is MovementKind.CLONE and not m.was_written]
            self._other = OtherFreeing(trials.bufferized, every, trials.result.options.compat or "")
        savings = {self._other.saving(clone) for clone in clones}
        return savings.pop() if len(savings) == 1 else None

    def _origins(self, buffer: Value) -> list[Value]:
        """Where the memory of a buffer comes from. O(views behind it)."""
        flow = self._flow(buffer)
        return [value for value in flow.resolve_back([buffer]) if value in flow.terminals]

    def _flow(self, value: Value) -> ViewFlow:
        region = value.parent_region
        op = region.parent_op if region is not None else None
        while op is not None and not isinstance(op, FunctionOp):
            op = op.parent_op
        assert op is not None
        if op not in self._flows:
            self._flows[op] = ViewFlow(op)
        return self._flows[op]

    def _is_handed_out_again(self, clones: Sequence[MemoryRecord], origin: Value) -> bool:
        """Whether the function returns the memory of `origin` besides."""
        made = {clone.op for clone in clones}
        again = self._flow(origin).resolve(origin)
        return any(
            use.owner not in made
            and isinstance(use.owner.parent_op, FunctionOp)
            and use.owner.next_op is None
            for value in again
            for use in value.uses
        )


def _is_given(value: Value) -> bool:
    return (
        isinstance(value, BlockArgument)
        and value.owner.is_entry
        and isinstance(value.owner.parent_op, FunctionOp)
    )


def _is_of_public_function(clone: MemoryRecord) -> bool:
    around = clone.op.parent_op
    while around is not None and not isinstance(around, FunctionOp):
        around = around.parent_op
    return around is not None and around.properties.get("sym_visibility") is None


def _is_global(value: Value) -> bool:
    return isinstance(value.defining_op, memref.GetGlobalOp)
