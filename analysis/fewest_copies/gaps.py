"""How far from the fewest copies a choice may be, for functions of which the search has not proved that it is best.

It was stopped (`time-limit`), or had too many pairs of reads and writes to look at, or what it rests on is decided elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.source.diagnostics import Diagnostic, remark
from ..formulas import format_bytes
from ..grounds import stated
from ..one_shot.options import FEWEST_COPIES
from ..places import symbol

if TYPE_CHECKING:
    from ..one_shot.result import AnalysisResult

CODE = "not-proved-fewest"


def remarks_on_gaps(result: AnalysisResult) -> list[Diagnostic]:
    """One remark for each function of which a better choice is not ruled out. O(functions)."""
    if result.options.analysis_heuristic != FEWEST_COPIES:
        return []
    from .problem import BYTE  # the search, which is not imported where it is not used

    found: list[Diagnostic] = []
    for root in result.analyzed:
        outcome = result.outcomes.get(root)
        name = f"@{symbol(root)}" if symbol(root) else "the program"
        if outcome is None:
            least, most = None, None
            said = (
                f"too much may meet in {name} to search for fewest copies: it is decided in mlir-opt's order"
            )
        elif (outcome.weight - outcome.bound) // BYTE:
            least, most = outcome.bound // BYTE, outcome.weight // BYTE
            said = (
                f"{name} copies {format_bytes(most)}, of which {format_bytes(least)} are proved to be needed: "
                f"the fewest are at most {format_bytes(most - least)} less"
            )
        else:
            continue
        diagnostic = remark(said, root.name_span, CODE)
        diagnostic.data = {"function": symbol(root), "leastBytes": least, "bytes": most}
        diagnostic.derivation = stated(("searched", root), ("not proved_fewest", root))
        found.append(diagnostic)
    return found
