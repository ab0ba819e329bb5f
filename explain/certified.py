"""What the search for fewest copies proves of single operands: the cores that pay for their copies.

Each core is a conflict that comes about if all of some operands stay in place; so one of them is copied, whatever else is
decided. Prices on cores, which over the cores through an operand are never more than its copy costs, make a bound that anyone
can add up. Where the cores through an operand pay for all that its copy costs, no choice copies fewer bytes there.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from ..analysis.certificates import CertificateChecker, faults
from ..analysis.fewest_copies.choose import CertifiedCore, certificate
from ..analysis.fewest_copies.problem import BYTE
from ..analysis.moving import is_bound_to_follow
from ..analysis.naming import line_of, value_name
from ..analysis.one_shot.regions_of_memory import PartPlaces
from ..ir.program.core import OpOperand, Value
from ..ir.program.interfaces import SubsetInsertionOp
from ..ir.source.records import replace
from ..ir.source.text import OperationName, joined, say
from .data import operand_data, value_data
from .verdict import CopyVerdict, needed, not_known

if TYPE_CHECKING:
    from ..analysis.fewest_copies.search import SearchResult
    from ..analysis.one_shot.result import AnalysisResult


MAX_ALIKE = 16
"""Conflicts of the same values among which one is looked for that no order settles."""


class Certified:
    """The proofs of one program.

    Attributes:
        checker: what proofs are checked with.

    Args:
        best: what the search decides of the program.
    """

    def __init__(self, best: AnalysisResult) -> None:
        self._best = best
        self._places = PartPlaces(best.state)
        self._cores: dict[OpOperand, list[CertifiedCore]] = {}
        self._costs: dict[OpOperand, int] = {}
        self.checker = CertificateChecker(best)
        for outcome in best.outcomes.values():
            self._collect(outcome, self.checker)

    def _collect(self, outcome: SearchResult, checker: CertificateChecker) -> None:
        found = certificate(outcome)
        settled = replace(found, cores=tuple(self._hardest(outcome, core) for core in found.cores))
        for proof in (settled, found):
            if not faults(self._best, proof, checker):
                break
        else:
            return
        for core in proof.cores:
            ends = core.operands if core.hands_over is None else (*core.operands, core.hands_over)
            for operand in ends:
                self._cores.setdefault(operand, []).append(core)
        for edge in outcome.problem.edges:
            if edge.operand in self._cores:
                self._costs[edge.operand] = max(self._costs.get(edge.operand, 0), edge.weight)

    def _hardest(self, outcome: SearchResult, core: CertifiedCore) -> CertifiedCore:
        """The core with the evidence, among what makes the same values meet, that no order settles, and no number if there is one."""
        bound: tuple[object, ...] | None = None
        others = (meeting.evidence for meeting in islice(outcome.meetings_like(core.evidence), MAX_ALIKE))
        for evidence in (core.evidence, *others):
            if not _order_might_help(evidence):
                if not self._is_open(evidence):
                    return replace(core, evidence=evidence)
                bound = bound or evidence
        return replace(core, evidence=bound or core.evidence)

    def _is_open(self, evidence: tuple[object, ...]) -> bool:
        """Whether a read and a write may touch no common element, for numbers that are not known."""
        if len(evidence) != 3:
            return False
        read, write = evidence[0], evidence[1]
        if not isinstance(read, OpOperand) or not isinstance(write, OpOperand):
            return False
        op = write.owner
        if (
            isinstance(op, SubsetInsertionOp) and read is op.subset_source()
        ):  # it may lie in its place already
            return not self._places.is_in_another_place(read, op)
        return self._places.is_open(read, write)

    def conflicts(self, operand: OpOperand) -> list[tuple[object, ...]]:
        """The evidence of the cores that pay for the copy of an operand."""
        return [core.evidence for core in self._cores.get(operand, ()) if core.price]

    def verdict(self, operand: OpOperand, doubt: CopyVerdict | None) -> CopyVerdict:
        """Whether the copy of an operand is proven to be needed; `doubt` is said instead of "necessary" if it is given."""
        cores = [core for core in self._cores.get(operand, ()) if core.price]
        if not cores:
            if self._best.errors or not self._best.outcomes:
                return not_known(
                    "the search had too many pairs of reads and writes to look at", "a smaller function"
                )
            return not_known(
                "the search proves nothing of this operand: what else it depends on is decided in functions that are called",
                "inlining them",
            )
        paid, cost = sum(core.price for core in cores), self._costs[operand]
        if paid < cost:
            return not_known(
                f"{paid // BYTE} of {cost // BYTE} bytes are proven to be needed; the rest is shared with other operands",
                "more time for the search (time-limit), or a smaller function",
            )
        movable = next((core for core in cores if _order_might_help(core.evidence)), None)
        if movable is not None:
            read = movable.evidence[0]
            assert isinstance(read, OpOperand)
            return not_known(
                f"'{read.owner.name}' might be moved before the write that destroys what it reads",
                "moving it: what has effects, or is not alone on its lines, was not tried",
            )
        if any(self._is_open(core.evidence) for core in cores):
            return not_known(
                "whether what is read and what is written overlap depends on offsets or sizes that cannot be compared",
                "offsets and sizes that can be compared, such as numbers or one value",
            )
        if doubt is not None:
            return doubt
        steps = tuple(step for core in cores for step in _steps(core))
        what = "one conflict" if len(cores) == 1 else f"{len(cores)} conflicts"
        return needed(
            f"no choice of what stays in place, and no order, copies less here ({what}, checked)",
            steps,
            tuple(_core_data(core) for core in cores),
        )


def _order_might_help(evidence: tuple[object, ...]) -> bool:
    """Whether the read of a conflict might run before its write, in its block or moved out of what it stands in."""
    if len(evidence) != 3:
        return False
    read, write = evidence[0], evidence[1]
    return (
        isinstance(read, OpOperand) and isinstance(write, OpOperand) and not is_bound_to_follow(read, write)
    )


def _steps(core: CertifiedCore) -> list[str]:
    """A core in two steps: what destroys what, and what makes the two share memory."""
    evidence = core.evidence
    if core.hands_over is not None:
        first = f"the loop goes on with {_named(evidence[0])}, which would be {' or '.join(_named(e) for e in evidence[1:3])}"
    elif len(evidence) == 3:
        read, write, definition = evidence
        first = say(
            "{write} writes before {read} reads the contents of {value}",
            write=_at(write),
            read=_at(read),
            value=_named(definition),
        )
    else:
        write, value = _at(evidence[0]), _named(evidence[1])
        first = say("{write} would write {value}, which must not be", write=write, value=value)
    kept = joined(", ", map(_at, core.operands))
    return [
        first,
        say("they share memory if these stay in place: {operands}", operands=kept)
        if kept
        else "they share memory in any case",
    ]


def _at(operand: object) -> str:
    if not isinstance(operand, OpOperand):
        return _named(operand)
    line = line_of(operand.owner)
    where = say(" on line {line}", line=line) if line is not None else ""
    operation, value = OperationName(operand.owner.name), value_name(operand.value)
    return say("'{operation}'{where} ({value})", operation=operation, where=where, value=value)


def _named(thing: object) -> str:
    if isinstance(thing, OpOperand):
        return value_name(thing.value)
    return value_name(thing) if isinstance(thing, Value) else str(thing)


def _core_data(core: CertifiedCore) -> dict[str, Any]:
    """A core for machines."""
    said = [
        operand_data(part) if isinstance(part, OpOperand) else value_data(part)
        for part in core.evidence
        if isinstance(part, OpOperand | Value)
    ]
    return {
        "conflict": said,
        "oneOf": [operand_data(operand) for operand in core.operands],
        "bytes": core.price // BYTE,
    }
