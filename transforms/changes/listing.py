"""Which changes are worth trying where an operand is out of place, the plainest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.conflicts import Reason, ReasonKind
from .destinations import (
    computed_in_place,
    destination_of_inserted,
    emptied,
    forwarded_slices,
    other_destinations,
    rematerialized,
)
from .loops import unrolled
from .moves import reads_before_branches, reads_hoisted, reads_moved_up, write_moved_down
from .permissions import not_writable, only_read, writing_allowed

if TYPE_CHECKING:
    from ...analysis.one_shot.places import PartPlaces
    from ...analysis.one_shot.result import AnalysisResult
    from ...ir.program.core import OpOperand
    from .change import Change


def changes_at(
    result: AnalysisResult, operand: OpOperand, reasons: list[Reason], places: PartPlaces | None = None
) -> Iterator[Change]:
    """Changes that may keep `operand` in place, given all that speaks against it. Near-linear in the reasons.

    Who asks for many operands of one program passes `places`, which remembers where values lie.
    """
    conflicts = [reason for reason in reasons if reason.read is not None]
    yield from reads_moved_up(conflicts)
    yield from reads_hoisted(conflicts)
    yield from reads_before_branches(conflicts)
    yield from write_moved_down(conflicts)
    yield from forwarded_slices(result, operand, places)
    yield from rematerialized(operand)
    yield from emptied(operand)
    yield from computed_in_place(operand)
    yield from destination_of_inserted(result, operand)
    yield from other_destinations(result, operand)
    for write in dict.fromkeys(reason.write for reason in conflicts):
        yield from only_read(result, write)
        yield from not_writable(result, write)
    yield from unrolled(result, operand)
    yield from writing_allowed([reason.value for reason in reasons if reason.kind is ReasonKind.NOT_WRITABLE])
