"""The equations of a loop: what each slot is first, and after one more iteration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.types import types as t
from .contents import rebuild
from .machine import Executor
from .terms import FALSE, TRUE, Shape, Term, choose, make, substitute

RAN = "ran"
"""The key of the slot that says whether an iteration has run."""


@dataclass(slots=True)
class Slot:
    """Something that may differ between iterations."""

    key: Any
    symbol: Term
    first: Term
    next: Term | None = None


class System:
    """The equations of a loop: see above."""

    def __init__(self, level: int):
        self.level = level
        self.slots: dict[Any, Slot] = {}

    def add(self, m: Executor, key: object, first: Term, shape: Shape | None = None) -> Term:
        """A slot with a first value; gives the symbol that stands for it at the head of the body."""
        symbol = make(
            "tmp",
            (m.transformed, m.new(), self.level),
            type=first.type,
            shape=shape or first.shape,
            level=self.level,
        )
        self.slots[key] = Slot(key, symbol, first)
        return symbol

    def settle(self) -> dict[Term, Term]:
        """What does not differ after all is what it was first; what each iteration makes the same is that, once one has run.

        Gives what replaces the symbols of such slots.
        """
        known: dict[Term, Term] = {}
        while True:
            found: dict[Term, Term] = {}
            for slot in list(self.slots.values()):
                if slot.symbol in known or slot.key == RAN or slot.next is None:
                    continue
                if slot.next is slot.symbol or slot.next is slot.first:
                    found[slot.symbol] = slot.first
                elif slot.next.level < self.level:
                    found[slot.symbol] = choose(self._ran(), slot.next, slot.first)
            if not found:
                return known
            known.update(found)
            rest = [slot for slot in self.slots.values() if slot.symbol not in known]
            new = substitute([slot.next or slot.symbol for slot in rest], known, self.level, rebuild)
            for slot, term in zip(rest, new, strict=True):
                slot.next = term

    def _ran(self) -> Term:
        """Whether an iteration has run."""
        slot = self.slots.get(RAN)
        if slot is None:
            symbol = make("tmp", (RAN, self.level), type=t.I1, level=self.level)
            slot = self.slots[RAN] = Slot(RAN, symbol, FALSE, TRUE)
        return slot.symbol

    def closed(self, kind: object, heads: Sequence[Term], root: Term) -> Term:
        """What `root`, a term over symbols of slots, is when the loop ends. O(what it depends on)."""
        if root.level < self.level:
            return root
        ran = self.slots.get(RAN)
        if root.op == "sel" and ran is not None and root.args[0] is ran.symbol:
            return choose(*(self.closed(kind, heads, part) for part in root.args))
        by_symbol = {slot.symbol: slot for slot in self.slots.values()}
        order: dict[Term, int] = {}
        pending = [*heads, root]
        at = 0
        while at < len(pending):
            for symbol in symbols_in(pending[at], by_symbol, self.level):
                if symbol not in order:
                    order[symbol] = len(order)
                    pending.append(by_symbol[symbol].next or symbol)
            at += 1
        numbered = {
            symbol: make("slot", (self.level, i), type=symbol.type, shape=symbol.shape, level=self.level)
            for symbol, i in order.items()
        }
        terms = substitute([root, *(by_symbol[s].next or s for s in order)], numbered, self.level, rebuild)
        head_terms = substitute(list(heads), numbered, self.level, rebuild)
        args = [*head_terms, terms[0]]
        for symbol, term in zip(order, terms[1:], strict=True):
            args += (by_symbol[symbol].first, term)
        shape = root.shape
        if shape is not None:
            shape = tuple(self.closed(kind, heads, size) for size in shape)
        result = make("loop", (kind, self.level, len(heads)), args, type=root.type, shape=shape)
        result.level = min(result.level, self.level - 1)
        return result


def symbols_in(root: Term, wanted: dict[Term, Any], level: int) -> list[Term]:
    """The symbols that a term contains, in the order in which they are met."""
    found: list[Term] = []
    seen: set[Term] = set()
    pending = [root]
    while pending:
        term = pending.pop()
        if term.level < level or term in seen:
            continue
        seen.add(term)
        if term in wanted:
            found.append(term)
            continue
        pending.extend(reversed(term.args))
        if term.shape is not None:
            pending.extend(reversed(term.shape))
    return found
