"""Which results may be poison."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.types.attributes import Attribute, IntegerAttr
from .machine import Executor
from .terms import Term

SHIFTS = (
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
    "index.shl",
    "index.shrs",
    "index.shru",
    "llvm.shl",
    "llvm.ashr",
    "llvm.lshr",
    "llvm.intr.sshl.sat",
    "llvm.intr.ushl.sat",
)
CONVERSIONS = ("arith.fptosi", "arith.fptoui", "llvm.fptosi", "llvm.fptoui")
PLACES = ("vector.extract", "vector.insert", "llvm.extractelement", "llvm.insertelement")
SHUFFLES = ("vector.shuffle", "llvm.shufflevector")


def may_be_poison(m: Executor, root: Term) -> bool:
    """Whether a scalar is computed from a result that may be poison. O(its terms, up to a limit)."""
    pending, seen = [root], {root}
    while pending and len(seen) < MAX_SEARCHED:
        term = pending.pop()
        if term in m.facts.flagged or (term.op == "op" and _is_poisoning(term)):
            return True
        pending += [arg for arg in term.args if arg not in seen]
        seen.update(term.args)
    return bool(pending)


MAX_SEARCHED = 500
"""Terms of a condition that are searched for poison; in a larger one there may be some."""


def _is_poisoning(term: Term) -> bool:
    name, attributes, *_ = term.attr
    if name in (*SHIFTS, *CONVERSIONS, *PLACES, *SHUFFLES):
        return term.args[-1].op != "const"
    return isinstance(attributes, tuple) and says_poison(
        pair for pair in attributes if isinstance(pair, tuple)
    )


def says_poison(attributes: Iterable[tuple[object, Attribute]]) -> bool:
    """Whether an operation says by an attribute, such as `is_zero_poison`, that its result may be poison."""
    return any(
        str(name).endswith("_poison") and isinstance(value, IntegerAttr) and value.value
        for name, value in attributes
    )
