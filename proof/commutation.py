"""The order of commutative operands, and which of them correspond in two terms."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

from .terms import Term

_PLAIN = (str, int, type(None))


def in_order(terms: Iterable[Term]) -> list[Term]:
    """The terms sorted by structure, independent of creation order and symbol names."""
    return sorted(terms, key=lambda term: (place_of(term), term.id))


def place_of(root: Term) -> int:
    """A structural hash: terms of the same structure share it. O(new terms)."""
    pending = [root]
    while pending:
        term = pending[-1]
        if term.order:
            pending.pop()
            continue
        missing = [arg for arg in term.args if not arg.order]
        if missing:
            pending += missing
            continue
        pending.pop()
        orders = [arg.order for arg in term.args] if term.op != "ins" else _assembled(term)
        text = f"{term.op} {_name_of(term)} {orders}"
        term.order = crc32(text.encode()) + 1
    return root.order


_NAMED = frozenset(["op", "const", "sym", "size", "element", "at", "coord", "acc", "transpose"])
"""The operations of terms whose attribute is part of their structure."""


def _name_of(term: Term) -> object:
    """The structural part of a term's attribute, the same in each run."""
    attr = term.attr
    if isinstance(attr, tuple) and attr and term.op in ("op", "element"):
        attr = attr[0 if term.op == "op" else 1]  # for elements, the operand number and not the level
    if term.op == "literal":
        data = attr[1] if isinstance(attr, tuple) else getattr(attr, "data", None)
        return crc32(data[:4096]) if isinstance(data, bytes) else getattr(attr, "key", "")
    if term.op not in _NAMED:
        return ""
    if isinstance(attr, _PLAIN) or (isinstance(attr, tuple) and all(isinstance(p, _PLAIN) for p in attr)):
        return attr
    return str(attr) if term.op == "const" else ""


def _assembled(term: Term) -> list[int]:
    """The hashes of the parts that contents are assembled from, whatever their positions. O(chain)."""
    found: set[int] = set()
    while term.op == "ins":
        found.add(term.args[1].order)
        term = term.args[0]
    if term.op not in ("undef", "blank", "hole"):
        found.add(term.order)
    return sorted(found)


COMMUTE = frozenset(["and", "prod", "min", "max", "lin"])


def _commutes(term: Term) -> bool:
    return term.op in COMMUTE or (term.op == "op" and term.attr[-1] == "commutes")


def paired(left: Term, right: Term) -> list[tuple[Term, Term]] | None:
    """The arguments of two terms of one operation in pairs, commutative ones matched by structure; None if the
    terms do not match."""
    if len(left.args) != len(right.args) or left.type is not right.type:
        return None
    if not _commutes(left):
        return list(zip(left.args, right.args, strict=True)) if left.attr == right.attr else None
    sums = left.op == "lin"
    if (left.attr[0] != right.attr[0]) if sums else (left.attr != right.attr):
        return None
    factors = (left.attr[1:], right.attr[1:]) if sums else ((0,) * len(left.args),) * 2
    mine, its = (list(zip(*part, strict=True)) for part in zip(factors, (left.args, right.args), strict=True))
    found: list[tuple[Term, Term]] = []
    for pair in list(mine):
        if pair in its:
            mine.remove(pair)
            its.remove(pair)
            found.append((pair[1], pair[1]))
    while mine:
        fits = [
            (_likeness(one[1], other[1], MAX_LIKE), -i, -j)
            for i, one in enumerate(mine)
            for j, other in enumerate(its)
            if one[0] == other[0]
        ]
        if not fits:
            return None
        _, i, j = max(fits) if len(mine) <= MAX_PAIRED else fits[0]
        found.append((mine.pop(-i)[1], its.pop(-j)[1]))
    return found


MAX_LIKE = 4
"""The depth to which the similarity of two terms is measured, and the number of arguments."""

MAX_PAIRED = 6
"""The number of commutative arguments for which all pairings are tried."""


def _likeness(one: Term, other: Term, depth: int) -> int:
    """The structural similarity of two terms. O(4^depth)."""
    if place_of(one) == place_of(other):
        return 4**depth
    if (
        not depth
        or one.op != other.op
        or _name_of(one) != _name_of(other)
        or len(one.args) != len(other.args)
    ):
        return 0
    pairs = zip(one.args[:MAX_LIKE], other.args[:MAX_LIKE], strict=True)
    found = sum(_likeness(a, b, depth - 1) for a, b in pairs)
    if len(one.args) == 2 and _commutes(one):
        turned = zip(one.args, reversed(other.args), strict=True)
        found = max(found, sum(_likeness(a, b, depth - 1) for a, b in turned))
    return 1 + found
