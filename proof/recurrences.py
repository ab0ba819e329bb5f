"""The equations of a loop: what differs between iterations, as a system of recurrences.

What may differ between iterations is a *slot*: a carried value, the contents of a buffer that the body writes, the trace. The
body runs once, on symbols for its slots; then each slot has a first value and a value after one more iteration, over those
symbols. That is a system of equations, and what a slot is after the loop is the system as seen from it: the slots it depends
on, numbered in the order in which they are met. Two loops that compute the same have the same systems, whatever order and
whatever else they carry; so nothing needs to be paired.

The equations have a normal form, reached in this order:

1. What does not differ after all is what it was first; what each iteration makes the same is that, once one has run.
2. Contents that change in one box only are what they were around it; what differs is the box.
3. What contents are first is forgotten if the loop writes all of them before anybody reads them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir.types import types as t
from . import ranges
from .contents import box_of, ext, ins, rebuild
from .ranges import Box, nonnegative
from .semantics_scalars import compared
from .terms import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Shape,
    Term,
    add,
    choose,
    extreme,
    make,
    monomials,
    number,
    sub,
    substitute,
)

if TYPE_CHECKING:
    from .machine import Executor

SEQUENCE = ("sequence",)
"""What all values are that something has, one after the other; other kinds of closed terms are what it is when a loop has ended."""

ENTERED: dict[Hashable, str] = {("for",): "slt", ("unsigned",): "ult"}
"""How loops that count up compare their first two heads, the bounds, before they run an iteration."""

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
        self.known: dict[Term, Term] = {}
        self.settled = False

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
        known = self.known
        while not self.settled:
            found: dict[Term, Term] = {}
            for slot in list(self.slots.values()):
                if slot.symbol in known or slot.key == RAN or slot.next is None:
                    continue
                if slot.next is slot.symbol or slot.next is slot.first:
                    found[slot.symbol] = slot.first
                elif slot.next.level < self.level:
                    found[slot.symbol] = choose(self._ran(), slot.next, slot.first)
            found = found or self._narrow()
            if not found:
                self.settled = True
                break
            self._replace(known, found)
        return known

    def _replace(self, known: dict[Term, Term], found: dict[Term, Term]) -> None:
        """Slots that are now something else: in the equations of the others, and in what is known."""
        for symbol, term in zip(
            known, substitute([*known.values()], found, self.level, rebuild), strict=True
        ):
            known[symbol] = term
        known.update(found)
        rest = [slot for slot in self.slots.values() if slot.symbol not in known]
        new = substitute([slot.next or slot.symbol for slot in rest], known, self.level, rebuild)
        for slot, term in zip(rest, new, strict=True):
            slot.next = term

    def _narrow(self) -> dict[Term, Term]:
        """Contents of which each iteration changes no more than one box: around it they are what they were first.

        Where each iteration makes them of the same contents, they are these around the box, once one has run.
        """
        for slot in list(self.slots.values()):
            first, content = slot.first, slot.next
            if content is None or content.op != "ins" or slot.symbol in self.known or slot.key[0] == "part":
                continue
            box = self._changed(content)
            while content.op == "ins":
                content = content.args[0]
            if box is None or (content is not slot.symbol and content.level >= self.level):
                continue
            around = first if content is slot.symbol else choose(self._ran(), content, first)
            symbol = make("tmp", (slot.symbol.attr, "part"), type=None, shape=box[1], level=self.level)
            part = Slot(("part", slot.key), symbol, ext(first, box))
            self.slots[part.key] = part
            whole = ins(around, symbol, box)
            (changed,) = substitute([slot.next], {slot.symbol: whole}, self.level, rebuild)  # pyright: ignore[reportArgumentType]
            part.next = ext(changed, box)
            return {slot.symbol: whole}
        return {}

    def _changed(self, content: Term) -> Box | None:
        """A box that is the same in each iteration, and in which all that is put into contents lies; None if that is all of them."""
        shape = content.shape or ()
        found: list[tuple[Term, Term]] = []
        boxes: list[Box] = []
        while content.op == "ins":
            boxes.append(box_of(content))
            content = content.args[0]
        for d, extent in enumerate(shape):
            ends = {(o[d], s[d], e[d]) for o, s, e in boxes}
            o, s, e = ends.pop()
            same = not ends and e is ONE and o.level < self.level and s.level < self.level
            ends.add((o, s, e))
            if same:
                found.append((o, s))
            elif all(one.op == "const" for end in ends for one in end) and all(end[2] is ONE for end in ends):
                low = min(o.attr for o, _, _ in ends)
                found.append((number(low), number(max(o.attr + s.attr for o, s, _ in ends) - low)))
            else:
                found.append((ZERO, extent))
        offsets, sizes = zip(*found, strict=True) if found else ((), ())
        box = offsets, sizes, (ONE,) * len(shape)
        return None if ranges.whole(box, shape) else box

    def forget(self) -> None:
        """What contents are first does not matter if the loop writes all of them, and reads nothing of them before."""
        slots = [slot for slot in self.slots.values() if slot.symbol not in self.known]
        for slot in slots:
            if slot.next is None or slot.next.op != "ins" or slot.symbol.shape is None:
                continue
            read: list[Term] = [s.next for s in slots if s is not slot and s.next is not None]
            boxes: list[Box] = []
            content = slot.next
            while content.op == "ins":
                boxes.append(box_of(content))
                read += content.args[1:]
                content = content.args[0]
            if content is not slot.symbol or not self._goes_over(boxes, slot.symbol.shape):
                continue
            if not any(symbols_in(term, {slot.symbol: None}, self.level) for term in read):
                slot.first = make("blank", None, (), shape=slot.symbol.shape)

    def _goes_over(self, boxes: Sequence[Box], shape: Shape) -> bool:
        """Whether all iterations together write all of a shape: in one dimension as the counter goes, in the others each does."""
        for d, extent in enumerate(shape):
            counters = {
                part
                for o, _, _ in boxes
                for part in monomials(o[d])[1]
                if part.op == "iv" and part.attr == self.level
            }
            if len(counters) != 1:
                continue
            (counter,) = counters
            lower, upper, step = counter.args
            if extent.type is not counter.type:
                return False
            window = [((*o[:d], sub(o[d], counter), *o[d + 1 :]), s, e) for o, s, e in boxes]
            length = (*shape[:d], step, *shape[d + 1 :])
            first = [((*o[:d], add(o[d], lower), *o[d + 1 :]), s, e) for o, s, e in window]
            return (
                lower is ZERO
                and all(o[d].level < self.level for o, _, _ in first)
                and nonnegative(sub(upper, extent))
                and (
                    ranges.cover(window, length)
                    or (upper is extent and self._up_to(window, d, step, shape, counter))
                )
            )
        return False

    def _up_to(self, window: Sequence[Box], d: int, step: Term, shape: Shape, counter: Term) -> bool:
        """Whether the only box goes as far as a step, or to the end where that is nearer."""
        if len(window) != 1:
            return False
        o, s, e = window[0]
        rest = sub(shape[d], counter)
        others = all(
            begin is ZERO and size is extent and stride is ONE
            for i, (begin, size, stride, extent) in enumerate(zip(o, s, e, shape, strict=True))
            if i != d
        )
        return others and o[d] is ZERO and e[d] is ONE and s[d] is extreme("min", (step, rest))

    def _ran(self) -> Term:
        """Whether an iteration has run."""
        slot = self.slots.get(RAN)
        if slot is None:
            symbol = make("tmp", (RAN, self.level), type=t.I1, level=self.level)
            slot = self.slots[RAN] = Slot(RAN, symbol, FALSE, TRUE)
        return slot.symbol

    def closed(self, kind: Hashable, heads: Sequence[Term], root: Term) -> Term:
        """What `root`, a term over symbols of slots, is when the loop ends. O(what it depends on)."""
        if root.level < self.level:
            return root
        ran = self.slots.get(RAN)
        if ran is not None and root is ran.symbol and kind in ENTERED:
            return compared(ENTERED[kind], heads[0], heads[1])
        if root.op == "sel" and ran is not None and root.args[0] is ran.symbol:
            return choose(*(self.closed(kind, heads, part) for part in root.args))
        if root.op == "ins" and kind != SEQUENCE and all(arg.level < self.level for arg in root.args[2:]):
            base, value = (self.closed(kind, heads, part) for part in root.args[:2])
            return ins(base, value, box_of(root))
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
