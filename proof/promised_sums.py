"""Integers that promise not to overflow: the sum itself where it keeps the promise, else poison.

The target must not have more poison than the source. Each promise is part of a term, so that a result without it is another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ..ir.types import types as t
from .commutation import paired
from .poison import PROMISED
from .terms import Term, add, make, mul, number, sub


def about_promises(s: Term, x: Term) -> list[tuple[Term, Term]] | None:
    """The premises if the source's term has promises that the target's does not have in this form; else None."""
    if _implies(s, x):  # leaves what else the sums promise
        return [(s.args[0], x.args[0])] if is_promised(x.args[0]) else []
    if is_promised(s) and not (is_promised(x) and s.attr == x.attr):
        return [(s.args[0], x)]
    if s.op in ("lin", "prod") and any(map(is_promised, s.args)) and (s.op != x.op or paired(s, x) is None):
        return [(without_promises(s), x)]
    return None


def is_promised(term: Term) -> bool:
    """Whether a term is its first argument unless a promise about that is broken."""
    return term.op == "op" and term.attr[0] == PROMISED


def _implies(s: Term, x: Term) -> bool:
    """Whether a promise and those within it imply another one and those within: they are about the same sums.

    Such sums do not wrap around. A sum with another promise, too, is not looked at here. O(promises within).
    """
    if not (is_promised(s) and is_promised(x)) or s.attr[1] != x.attr[1]:
        return False
    mine, its = _Sums(), _Sums()
    return mine.sum(s, s.attr[1]) == its.sum(x, x.attr[1]) and its.found <= mine.found


class _Sums:
    """The promised sums in a term: a constant, and terms with coefficients.

    Attributes:
        found: the promises, each with its sum, and other terms that may be poison.
    """

    def __init__(self):
        self.found: set[tuple[str, Sum]] = set()
        self.known: dict[tuple[Term, str], Sum] = {}

    def sum(self, term: Term, word: str, depth: int = 0) -> Sum:
        """The sum that an integer is if it keeps its promises of this kind. O(promises within)."""
        if term.op == "const" and isinstance(term.attr, int):
            width = getattr(term.type, "width", 64)
            value = term.attr % (1 << width)
            signed = word.endswith("nsw") and value >> (width - 1)
            return (value - (1 << width) if signed else value), frozenset()
        known = self.known.get((term, word))
        if known is not None:
            return known
        inner = term
        while is_promised(inner) and inner.attr[1] != word:
            inner = inner.args[0]
        result: Sum = 0, frozenset([(term, 1)])
        if is_promised(inner) and depth < MAX_DEPTH:
            result = self._combined(inner, word, depth + 1)
            self.found.add((word, result))
            outer = term
            while outer is not inner:
                self.found.add((outer.attr[1], self.sum(outer, outer.attr[1], depth + 1)))
                outer = outer.args[0]
        elif term.poison:
            self.found.add(("", result))
        self.known[term, word] = result
        return result

    def _combined(self, term: Term, word: str, depth: int) -> Sum:
        (c, left), (d, right) = (self.sum(arg, word, depth) for arg in term.args[2:])
        kind = term.attr[2].rpartition(".")[2]
        if kind == "muli":
            if left and right:
                return 0, frozenset([(term, 1)])
            scale = c if right else d
            return c * d, frozenset((part, n * scale) for part, n in left or right if n * scale)
        sign = -1 if kind == "subi" else 1
        parts = dict(left)
        for part, n in right:
            parts[part] = parts.get(part, 0) + sign * n
        return c + sign * d, frozenset((part, n) for part, n in parts.items() if n)


MAX_DEPTH = 60
"""The number of promised sums within one another that are expanded; those within them are terms like others."""


Sum = tuple[int, "frozenset[tuple[Term, int]]"]


def promised_sum(word: str, name: str, result: Term, held: Sequence[Term]) -> Term:
    """An integer that is the result of an operation, which promises something, on two others."""
    plain = _RING[name.rpartition(".")[2]](*map(without_promises, held))
    return make("op", (PROMISED, word, name), (result, plain, *held), type=result.type)


_RING = {"addi": add, "subi": sub, "muli": mul}


def without_promises(term: Term) -> Term:
    """An integer without the promises about sums and products in it. O(sum)."""
    if is_promised(term):
        return term.args[1]
    if not term.poison or term.op not in ("lin", "prod"):
        return term
    type = term.type or t.INDEX
    args = [without_promises(arg) for arg in term.args]
    if term.op == "prod":
        return reduce(mul, args)
    parts = (mul(number(n, type), arg) for n, arg in zip(term.attr[1:], args, strict=True))
    return reduce(add, parts, number(term.attr[0], type))
