"""The recurrences of a loop.

A *slot* is a loop variable: an iter_arg, the contents of a buffer that the body writes, or the trace. The body is executed once
on symbols for its slots; then each slot has an initial value and a next value, a term over these symbols. The value of a slot
after the loop is the system of recurrences that it depends on, numbered in order of discovery. Equivalent loops have equal
systems, regardless of the order of slots and of other slots; so slots need not be paired.

The recurrences have a normal form, by these steps in order:

1. A loop-invariant slot is replaced by its initial value; one with a constant next value by that, once an iteration has run.
2. Contents that change in one box only keep their initial value around it; the slot is the box.
3. Slots that are equal initially, and after an iteration if before it, are one.
4. The initial value of contents is dropped if the loop overwrites all of them before reading any.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir.types import types as t
from . import ranges
from .contents import box_of, ext, fill, ins, item, rebuild
from .ranges import Box, nonnegative
from .semantics_scalars import compared, folded
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
    mul,
    number,
    sub,
    substitute,
)

if TYPE_CHECKING:
    from .machine import Executor

SEQUENCE = ("sequence",)
"""The kind of closed terms for the sequence of all values; other kinds are values after the loop."""

ENTERED: dict[Hashable, str] = {("for",): "slt", ("unsigned",): "ult"}
"""How loops that count up compare their first two heads, the bounds, before they run an iteration."""

RAN = "ran"
"""The key of the slot for whether an iteration has run."""


@dataclass(slots=True)
class Slot:
    """A loop variable: it may differ between iterations."""

    key: Any
    symbol: Term
    first: Term
    next: Term | None = None


class System:
    """The recurrences of a loop; see the module."""

    def __init__(self, level: int):
        self.level = level
        self.slots: dict[Any, Slot] = {}
        self.known: dict[Term, Term] = {}
        self.settled = False

    def add(self, m: Executor, key: object, first: Term, shape: Shape | None = None) -> Term:
        """Add a slot with an initial value. Returns its symbol at the head of the body."""
        symbol = make(
            "tmp",
            (m.transformed, m.new(), self.level),
            type=first.type,
            shape=shape,
            level=self.level,
        )
        self.slots[key] = Slot(key, symbol, first)
        return symbol

    def settle(self) -> dict[Term, Term]:
        """Steps 1 to 3. Returns the replacements of the symbols of removed slots."""
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
            found = found or self._narrow() or self._merged()
            if not found:
                self.settled = True
                break
            self._replace(known, found)
        return known

    def _replace(self, known: dict[Term, Term], found: dict[Term, Term]) -> None:
        """Substitute removed slots in the other recurrences and in `known`."""
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
        """Step 2: contents of which each iteration changes one box only keep their initial value around it.

        If each iteration derives them from the same contents, they equal these around the box, once an iteration has run.
        """
        for slot in list(self.slots.values()):
            first, content = slot.first, slot.next
            if content is None or content.op != "ins" or slot.symbol in self.known or slot.key[0] == "part":
                continue
            box = self._changed(slot, content)
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

    def _merged(self) -> dict[Term, Term]:
        """Step 3, by refining the partition of the slots by initial values until each class has one next value.

        Undefined values are left alone: each read may see another one. O(classes * size of the recurrences).
        """
        alike: dict[object, list[tuple[Slot, Term]]] = {}
        for slot in self.slots.values():
            if slot.symbol in self.known or slot.next is None or slot.key in (RAN, "trace"):
                continue
            if not slot.first.undefined and not slot.next.undefined:
                key = slot.first, slot.symbol.type, slot.symbol.shape
                alike.setdefault(key, []).append((slot, slot.next))
        classes = [each for each in alike.values() if len(each) > 1]
        while True:
            found = {slot.symbol: each[0][0].symbol for each in classes for slot, _ in each[1:]}
            finer: dict[object, list[tuple[Slot, Term]]] = {}
            for i, each in enumerate(classes):
                new = substitute([following for _, following in each], dict(found), self.level, rebuild)
                for pair, following in zip(each, new, strict=True):
                    finer.setdefault((i, following), []).append(pair)
            classes = [each for each in finer.values() if len(each) > 1]
            if sum(len(each) - 1 for each in classes) == len(found):
                return found

    def _changed(self, slot: Slot, content: Term) -> Box | None:
        """A loop-invariant box that contains all changes of the contents; None if that is the whole.

        If the body reads the contents, boxes that move with the iterations are not followed.
        """
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
                some = hull(ends, extent)
                moves = some[1] is not extent and not self._is_read(slot)
                found.append(some if moves else (ZERO, extent))
        offsets, sizes = zip(*found, strict=True) if found else ((), ())
        box = offsets, sizes, (ONE,) * len(shape)
        return None if ranges.whole(box, shape) else box

    def _is_read(self, slot: Slot) -> bool:
        """Whether an iteration reads the contents of a slot into which it inserts."""
        read = [other.next for other in self.slots.values() if other is not slot and other.next is not None]
        content = slot.next or slot.symbol
        while content.op == "ins":
            read += content.args[1:]
            content = content.args[0]
        return any(symbols_in(term, {slot.symbol: None}, self.level) for term in read)

    def forget(self, runs: bool) -> None:
        """Step 4: drop the initial value of contents that the loop overwrites entirely before reading them.

        Args:
            runs: whether the loop runs for certain: then it replaces what it does not read.
        """
        slots = [slot for slot in self.slots.values() if slot.symbol not in self.known]
        for slot in slots:
            nexts = [s.next for s in slots if s.next is not None]
            if (
                runs
                and slot.symbol.shape is not None
                and not any(symbols_in(term, {slot.symbol: None}, self.level) for term in nexts)
            ):
                slot.first = make("blank", None, (), shape=slot.symbol.shape)
                continue
            if slot.next is None or slot.next.op != "ins" or slot.symbol.shape is None:
                continue
            boxes: list[Box] = []
            content = slot.next
            while content.op == "ins":
                boxes.append(box_of(content))
                content = content.args[0]
            covers = content is slot.symbol and self._goes_over(boxes, slot.symbol.shape)
            if covers and not self._is_read(slot):
                slot.first = make("blank", None, (), shape=slot.symbol.shape)

    def _goes_over(self, boxes: Sequence[Box], shape: Shape) -> bool:
        """Whether all iterations together cover a shape: in one dimension along the induction variable, in the others each."""
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
            if lower is ZERO and step is ONE:  # a loop that goes down writes what it writes when it goes up
                top = sub(upper, ONE)
                boxes = [(_upwards(o, d, counter, top), s, e) for o, s, e in boxes]
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
        """Whether the only box extends by the step, or to the end if that is nearer."""
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

    def terminates(self, condition: Term) -> bool:
        """Whether a loop that goes on under this condition ends for certain: it counts towards a loop-invariant bound.

        Counting by 1 reaches every bound before it wraps; other steps need a constant bound.
        """
        known = self.settle()
        (going,) = substitute([condition], known, self.level, rebuild) if known else (condition,)
        pending = [going]
        while pending:
            term = pending.pop()
            if term.op == "and":
                pending += term.args
            elif term is FALSE or (term.op == "cmp" and term.attr in ("slt", "ult") and self._reaches(term)):
                return True
        return False

    def _reaches(self, comparison: Term) -> bool:
        """Whether one side of a `<` is loop-invariant, and the other one counts towards it."""
        left, right = comparison.args
        for slot in self.slots.values():
            if slot.next is None or slot.next.type is not left.type:
                continue
            goes_up = monomials(left)[1] == {slot.symbol: 1}
            if not goes_up and monomials(right)[1] != {slot.symbol: 1}:
                continue
            bound, step = right if goes_up else left, sub(slot.next, slot.symbol)
            if bound.level >= self.level or step.op != "const":
                continue
            by = step.attr if goes_up else -step.attr
            small = bound.op == "const" and abs(bound.attr) + by < 1 << (getattr(bound.type, "width", 32) - 1)
            if by == 1 or (by > 1 and small and comparison.attr == "slt"):
                return True
        return False

    def _ran(self) -> Term:
        """Whether an iteration has run."""
        slot = self.slots.get(RAN)
        if slot is None:
            symbol = make("tmp", (RAN, self.level), type=t.I1, level=self.level)
            slot = self.slots[RAN] = Slot(RAN, symbol, FALSE, TRUE)
        return slot.symbol

    def closed(self, kind: Hashable, heads: Sequence[Term], root: Term) -> Term:
        """The value of `root`, a term over the symbols of slots, after the loop. O(slots it depends on)."""
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


def hull(ranges_: Iterable[tuple[Term, Term, Term]], extent: Term) -> tuple[Term, Term]:
    """An offset and a size that contain ranges with variable offsets; those of the whole if no constants bound them."""
    lows, highs = [], []
    for offset, size, stride in ranges_:
        low, high = ranges.interval(offset)
        if low is None or high is None or size.op != "const" or stride is not ONE or extent.op != "const":
            return ZERO, extent
        lows.append(low)
        highs.append(high + size.attr)
    low, high = max(min(lows), 0), min(max(highs), extent.attr)
    return (number(low), number(high - low)) if low < high else (ZERO, extent)


def _upwards(offsets: Sequence[Term], d: int, counter: Term, top: Term) -> tuple[Term, ...]:
    """Offsets with the counter running from its top to 0, if it is subtracted in a dimension."""
    if monomials(offsets[d])[1].get(counter) != -1:
        return tuple(offsets)
    up = sub(add(offsets[d], mul(number(2), counter)), top)
    return (*offsets[:d], up, *offsets[d + 1 :])


def symbols_in(root: Term, wanted: dict[Term, Any], level: int) -> list[Term]:
    """The symbols in a term, in order of first occurrence."""
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


def increment(symbol: Term, following: Term) -> tuple[int, t.Type] | None:
    """The constant by which a number, or the one of rank 0, was increased, and its type; else None."""
    value = following.args[0] if symbol.shape == () and following.op == "fill" else following
    if not isinstance(value.type, (t.IntegerType, t.IndexType)) or value.type is t.I1:
        return None
    by = sub(value, symbol if symbol.shape is None else item(symbol, value.type))
    return (by.attr, value.type) if by.op == "const" and by.attr else None


def counted(first: Term, by: int, times: Term, type: t.Type) -> Term | None:
    """A number, or contents of rank 0, after it was increased so many times; None if that does not fit its type."""
    if times.type is not type:
        fitting = folded("arith.index_cast", [times], type) if times.op in ("iv", "lin") else None
        if fitting is None:
            return None
        times = fitting
    value = add(first if first.shape is None else item(first, type), mul(number(by, type), times))
    return value if first.shape is None else fill(value, ())
