"""What proves that a function cannot copy less: sets of operands of which one must be given up, each with a price.

A *core* is a conflict and the operands whose staying in place makes it: the write, and those through which the write comes
to share memory with the read. One of them has to be given up, whatever is decided elsewhere. Prices are such that over
the cores that an operand is in they never sum up to more than giving it up costs; so all prices together are at most what
any solution costs. Anyone can add them up; `analysis/certificates.py` checks each core by the rules.
"""

from __future__ import annotations

from ...ir.program.core import OpOperand
from ...ir.source.records import record
from .hitting_sets import prices
from .search import FoundCore, SearchResult


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
