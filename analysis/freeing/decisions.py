"""The conditions that one path through a function decides, as terms over values that it does not compute.

A *term* is a number for a value that pure operations compute: equal terms are equal values, so a second branch on a condition
takes the side that the first one took. A path is followed only while its decisions are surely compatible:

  D1  a constant decides; negation, conjunction and disjunction are decided by their operands;
  D2  other conditions are free if they read, in total, values that no earlier condition has read, and
  D3  each of these is an argument of the function, or the result of an operation without regions that reads no buffer of flags
      or addresses. Results of calls and addresses often encode who owns a buffer.

Everything else is `UndecidedPath`: nothing is claimed about the rest of the path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import and_, or_, xor

from ...dialects import arith
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import CallOpInterface, FunctionOp, LoopLikeOp
from ...ir.source.records import record
from ...ir.types import attributes as a, types as t
from ..allocations import EXPOSING

MAX_LEAVES = 32
"""Values read by one condition that is followed."""

Key = tuple[object, ...]
LOGICAL = {"arith.andi": and_, "arith.ori": or_, "arith.xori": xor}


class UndecidedPath(Exception):
    """Which way control goes may depend on what the path has decided before."""


@record(frozen=True)
class Decision:
    """One way of several that control takes.

    Attributes:
        op: the operation that decides.
        value: the flag or number that decides; None for a loop.
        way: 0 or 1 where a flag is true or false, the number of the successor or region, or that of a loop's iterations.
        ways: how many of them there are.
        again: how often the path has decided this before.
    """

    op: Operation
    value: Value | None
    way: int
    ways: int
    again: int

    @property
    def question(self) -> tuple[Operation, Value | None, int]:
        """What is decided."""
        return self.op, self.value, self.again


class Terms:
    """The terms of the values on one path."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []
        self._leaves: list[frozenset[int] | None] = []
        """The leaves under each term; None if a path may not be decided by it."""
        self._of: dict[Value, int] = {}
        self._values: dict[int, Value] = {}
        self._logical: dict[int, tuple[str, int, int]] = {}

    def give(self, target: Value, term: int) -> None:
        self._of[target] = term

    def of(self, value: Value) -> int:
        found = self._of.get(value)
        if found is None:
            found = self._of[value] = self._leaf(value)
        return found

    def compute(self, op: Operation) -> None:
        """Give each result of `op` its term."""
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, a.IntegerAttr):
            self._of[op.results[0]] = self.constant(op.value.value)
        elif op.has_trait(tr.PURE) and not op.regions and not isinstance(op, EXPOSING):
            fixed = tuple(sorted((name, str(given)) for name, given in op.properties.items()))
            terms = tuple(map(self.of, op.operands))
            for number, result in enumerate(op.results):
                term = self._of[result] = self._computed((op.name, number, fixed, terms), terms)
                self._values.setdefault(term, result)
                if op.name in LOGICAL:
                    self._logical[term] = op.name, terms[0], terms[1]
        else:
            for result in op.results:
                self._of[result] = self._leaf(result)

    def constant(self, number: int) -> int:
        return self._intern(("constant", number), frozenset())

    def value_of(self, term: int) -> int | None:
        """The number that a term is, if it is a constant."""
        key = self._keys[term]
        return key[1] if key[0] == "constant" and isinstance(key[1], int) else None

    def tuple_of(self, values: Iterable[Value], number: int = 0) -> int:
        """A term of its own for several values and a number."""
        terms = tuple(map(self.of, values))
        return self._computed(("tuple", number, terms), terms)

    def value(self, term: int) -> Value | None:
        """The first value with this term."""
        return self._values.get(term)

    def leaves(self, term: int) -> frozenset[int] | None:
        return self._leaves[term]

    def logical(self, term: int) -> tuple[str, int, int] | None:
        """A conjunction, disjunction or exclusive disjunction of flags, and its operands."""
        return self._logical.get(term)

    def _computed(self, key: Key, terms: tuple[int, ...]) -> int:
        under: frozenset[int] | None = frozenset()
        for term in terms:
            more = self._leaves[term]
            under = None if more is None or under is None else under | more
        return self._intern(key, under if under is None or len(under) <= MAX_LEAVES else None)

    def _leaf(self, value: Value) -> int:
        number = len(self._keys)  # each time another value
        self._values[number] = value
        return self._intern(("leaf", number), frozenset((number,)) if _is_free(value) else None)

    def _intern(self, key: Key, leaves: frozenset[int] | None) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._keys)
            self._keys.append(key)
            self._leaves.append(leaves)
        return found


def _is_free(value: Value) -> bool:
    """D3."""
    if isinstance(value, BlockArgument):
        return isinstance(value.owner.parent_op, FunctionOp) and value.owner.is_entry
    op = value.defining_op
    if op is None or op.regions or isinstance(op, (CallOpInterface, *EXPOSING)):
        return False
    reads_buffers = any(isinstance(kind, t.MemRefType) for kind in op.operand_types)
    return not (reads_buffers and isinstance(value.type, (t.IndexType, t.IntegerType)))


class PathDecisions:
    """The decisions of one path: those of `prefix`, and after them the first way of each.

    Attributes:
        made: the decisions so far.
        terms: the values they are about.
    """

    def __init__(self, prefix: list[int]) -> None:
        self._prefix = prefix
        self.made: list[Decision] = []
        self.terms = Terms()
        self._known: dict[int, tuple[int, object]] = {}
        self._asked = Counter[tuple[Operation, Value | None]]()
        self._used: set[int] = set()

    def truth(self, op: Operation, term: int) -> bool:
        """D1, D2 for a condition of one bit. Iterative: a stack of what is still to be evaluated."""
        values: list[bool] = []
        waiting: list[tuple[str, int]] = [("", term)]
        while waiting:
            name, at = waiting.pop()
            if name:
                other, one = values.pop(), values.pop()
                values.append(LOGICAL[name](one, other))
            elif (parts := self.terms.logical(at)) is not None:
                waiting += [(parts[0], at), ("", parts[2]), ("", parts[1])]
            else:
                values.append(self._bit(op, at))
        return values[0]

    def _bit(self, op: Operation, term: int) -> bool:
        fixed = self.terms.value_of(term)
        return bool(fixed & 1) if fixed is not None else not self.choose(op, term, 2)

    def choose(self, op: Operation, term: int, ways: int, meaning: object = None) -> int:
        """The way that control takes where `term`, which is no constant, decides between `ways`.

        Args:
            meaning: what the ways stand for; the same term decides only between the same ways again.
        """
        known = self._known.get(term)
        if known is not None and known[1] == meaning:
            return known[0]
        leaves = self.terms.leaves(term)
        if not leaves or leaves & self._used:
            raise UndecidedPath
        position = len(self.made)
        way = self._prefix[position] if position < len(self._prefix) else 0
        value = None if isinstance(op, LoopLikeOp) else self.terms.value(term)
        self.made.append(Decision(op, value, way, ways, self._asked[op, value]))
        self._asked[op, value] += 1
        self._known[term] = way, meaning
        self._used |= leaves
        return way
