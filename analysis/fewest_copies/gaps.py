"""How far from the fewest copies a choice may be, for functions of which the search has not proved that it is best.

It was stopped (`time-limit`), or had too many pairs of reads and writes to look at, or what it rests on is decided elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.program.core import OpOperand
from ...ir.source.diagnostics import Diagnostic, remark
from ...ir.source.records import record
from ..causes import stated
from ..naming import symbol
from ..one_shot.options import FEWEST_COPIES
from ..sizes import format_bytes
from .hitting_sets import prices
from .search import FoundCore, SearchResult

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


# What proves that a function cannot copy less: sets of operands of which one must be given up, each with a price.
#
# A *core* is a conflict and the operands whose staying in place makes it: the write, and those through which the write comes
# to share memory with the read. One of them has to be given up, whatever is decided elsewhere. Prices are such that over
# the cores that an operand is in they never sum up to more than giving it up costs; so all prices together are at most what
# any solution costs. Anyone can add them up; `analysis/certificates.py` checks each core by the rules.


@record(frozen=True)
class CertifiedCore:
    """Operands of which one must be given up.

    Attributes:
        operands: those, in the order of the program.
        evidence: the read, the write and the definition that it would destroy; or a write and a value that may not be
            written; or a write and a read that happen at once; or what a loop hands on, and values that it must not meet.
        hands_over: for the last kind, that operand of the loop's terminator: it is copied, or one of `operands` given up.
        price: in thousandths of a byte.
    """

    operands: tuple[OpOperand, ...]
    evidence: tuple[object, ...]
    hands_over: OpOperand | None
    price: int


@record(frozen=True)
class Certificate:
    """Cores and prices of one function; `bound` is the sum of the prices."""

    cores: tuple[CertifiedCore, ...]
    bound: int


def certificate(outcome: SearchResult) -> Certificate:
    """The certificate of what a search has found. O(cores)."""
    weights = {i: edge.weight for i, edge in enumerate(outcome.problem.edges)}
    by_edges = {core.edges: core for core in outcome.cores}
    found = [
        _certified(outcome, by_edges[edges], price) for edges, price in prices(by_edges, weights).items()
    ]
    return Certificate(tuple(found), sum(core.price for core in found))


def _certified(outcome: SearchResult, core: FoundCore, price: int) -> CertifiedCore:
    edges = [outcome.problem.edges[i] for i in sorted(core.edges)]
    hands_over = next((edge.operand for edge in edges if edge.hands_over), None)
    operands = tuple(edge.operand for edge in edges if not edge.hands_over)
    return CertifiedCore(operands, core.meeting.evidence, hands_over, price)
