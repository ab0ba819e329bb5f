"""What is kept of one program among thousands: the account of each function in numbers, or why there is none."""

from __future__ import annotations

from typing import Any

from ..analysis.one_shot.options import AnalysisOptions
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.places import Source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..transforms.account.movements import Account, Movement
from .report import explain

MEASURES = ("copies", "bytes", "allocations", "clones")
"""What is compared, most important first."""


def measure(name: str, text: str) -> dict[str, Any]:
    """The numbers of a program by function, or the first error of one that is refused.

    Bytes are those of all runs of one call; sizes that are not known are taken to be alike. Deterministic: equal texts give
    equal results on every machine.
    """
    source = Source(name, text)
    try:
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
    except BufferizeError as failure:
        return {"error": str(failure.diagnostic.message)}
    explanation = explain(
        module, AnalysisOptions(bufferize_function_boundaries=True), source=source, with_help=False
    )
    if not explanation.is_bufferized:
        problems = [*explanation.errors, *explanation.remarks]
        return {"error": problems[0].message if problems else "cannot be bufferized"}
    return {"functions": {name: _numbers(part) for name, part in explanation.account.by_function().items()}}


def _numbers(account: Account) -> dict[str, int]:
    copied: list[Movement] = [*account.copies, *account.clones]
    return {
        "copies": len(account.copies),
        "bytes": sum(movement.traffic.estimate() for movement in copied),
        "allocations": len(account.allocations),
        "clones": len(account.clones),
    }
