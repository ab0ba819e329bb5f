"""Rule bodies compiled to closures: each premise binds its variables and calls the next.

A rule body becomes a chain of functions over one list of slots, the *environment*:

    [given ... given, sink, constant ..., variable ...]

A step reads its bound slots, fills slots for new variables, and calls the next step once per match. The last step passes the
row of the head to the sink. A step returns True to stop the search, so one chain serves "find all" and "is there one". A
chain is as deep as the rule is long, independent of the data.

Compilation has two phases. A `RulePlan` (order of premises, slots, columns, modes of externs) depends only on the rules and is
built once per program; it is then *linked* with the rows, classes and functions of each database. Planning took five of the
six milliseconds that the analysis of a small program cost.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from .program import Program, mode_fits
from .relation import Knowledge
from .rule_steps import (
    Binding,
    Environment,
    Maker,
    Step,
    aggregate,
    compute,
    copy,
    each,
    each_value,
    lookup,
    lookup_one,
    member,
    nonempty,
    test_two,
    test_values,
    tuple_getter,
    watch,
)
from .syntax import (
    Aggregate,
    Comparison,
    Constant,
    Premise,
    RelationKind,
    Rule,
    RuleArithmetic,
    RuleLiteral,
    RuleVariable,
    Term,
)

Link = Callable[[Knowledge], Maker]
"""Makes a step over the relations of a database."""

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


GREATEST = 1 << 127
"""Bound of products: repeated squaring would fill all memory with one number."""


def times(a: int, b: int) -> int:
    """The product.

    Raises:
        OverflowError: it exceeds the bound.
    """
    product = a * b
    if not -GREATEST <= product <= GREATEST:
        raise OverflowError("a product is larger than 2^127")
    return product


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": times,
    "/": operator.floordiv,
    "%": operator.mod,
}


class Chain:
    """One rule, linked with a database, for one adornment of its head or for the delta of one premise.

    Attributes:
        start: the first step.
        rest: the initial slots after the bound values and the sink.
        slots: the slot of each variable.
    """

    __slots__ = ("rest", "slots", "start")

    def __init__(self, start: Step, rest: list[Any], slots: dict[str, int]) -> None:
        self.start = start
        self.rest = rest
        self.slots = slots


class RulePlan:
    """One rule compiled for one adornment of its head, before it is linked.

    Attributes:
        rule: the rule.
        sink: the slot of the sink.
        row: reads the row of the head out of an environment.
    """

    __slots__ = ("_links", "_rest", "_slots", "row", "rule", "sink")

    def __init__(
        self,
        rule: Rule,
        sink: int,
        row: Callable[[Environment], tuple[Any, ...]],
        links: list[Link],
        rest: list[Any],
        slots: dict[str, int],
    ) -> None:
        self.rule = rule
        self.sink = sink
        self.row = row
        self._links = links[::-1]
        self._rest = rest
        self._slots = slots

    def link(self, known: Knowledge, last: Callable[[RulePlan, Knowledge], Step]) -> Chain:
        """The chain over these rows, classes and functions, which ends in the step that `last` makes.

        Raises:
            DatalogError: an extern has no function.
        """
        step = last(self, known)
        for link in self._links:
            step = link(known)(step)
        return Chain(step, self._rest, self._slots)


class ChainBuilder:
    """Plans one rule, premise by premise, in a given order.

    With `delta`, the only bound value is a list of new rows (for an equivalence, pairs of newly merged
    members) that `rule.body[delta]` ranges over. Otherwise the bound values are the head's arguments
    marked `b` in `adornment`. With `stored`, derived relations are read from their rows, which must be
    up to date; without, their rules are unfolded.
    """

    def __init__(
        self, program: Program, rule: Rule, adornment: str, stored: bool, delta: int | None = None
    ) -> None:
        self.program = program
        self.rule = rule
        self.stored = stored
        self.delta = delta
        self.sink = 1 if delta is not None else adornment.count("b")
        self.rest: list[Any] = []
        self.slots: dict[str, int] = {}
        self.constants: dict[tuple[type, Hashable], int] = {}
        self.known: set[str] = set()
        self.links: list[Link] = []
        if delta is None:
            self._bind_head(adornment)

    def _bind_head(self, adornment: str) -> None:
        given = [t for t, letter in zip(self.rule.head.terms, adornment, strict=True) if letter == "b"]
        for slot, term in enumerate(given):
            if isinstance(term, RuleVariable) and term.name not in self.known:
                self.slots[term.name] = slot
                self.known.add(term.name)
            else:
                self.links.append(_always(test_two(operator.eq, slot, self._slot(term), False)))

    def build(self, order: Iterable[int], watched: bool = False) -> RulePlan:
        """Compile the premises in `order`.

        A `watched` chain calls the sink, with the number of premises that hold and the environment,
        each time one more premise holds.
        """
        for count, i in enumerate(order):
            if watched:
                self.links.append(_always(watch(count, self.sink)))
            premise = self.rule.body[i]
            self.links.append(self._premise(premise, delta=i == self.delta))
            self.known.update(t.name for t in premise.terms if isinstance(t, RuleVariable))
        row = tuple_getter([self._slot(t) for t in self.rule.head.terms])
        return RulePlan(self.rule, self.sink, row, self.links, self.rest, self.slots)

    # -- slots ----------------------------------------------------------------------------------------

    def _slot(self, term: Term) -> int:
        if isinstance(term, RuleVariable):
            if term.name not in self.slots:
                self.slots[term.name] = self._new_slot(None)
            return self.slots[term.name]
        assert isinstance(term, Constant)
        key = (type(term.value), term.value)
        if key not in self.constants:
            self.constants[key] = self._new_slot(term.value)
        return self.constants[key]

    def _new_slot(self, value: object) -> int:
        self.rest.append(value)
        return self.sink + len(self.rest)

    def _is_bound(self, term: Term) -> bool:
        return isinstance(term, Constant) or (isinstance(term, RuleVariable) and term.name in self.known)

    def _columns(self, terms: Sequence[Term]) -> tuple[list[int], list[int], Binding]:
        """The bound columns, their slots, and the binding of the other columns."""
        columns = [c for c, t in enumerate(terms) if self._is_bound(t)]
        slots = [self._slot(terms[c]) for c in columns]
        first: dict[str, int] = {}
        repeated: list[tuple[int, int]] = []
        for c, term in enumerate(terms):
            if isinstance(term, RuleVariable) and term.name not in self.known:
                if term.name in first:
                    repeated.append((c, first[term.name]))
                else:
                    first[term.name] = c
        binds = [(c, self._slot(terms[c])) for c in first.values()]
        return columns, slots, Binding(binds, repeated)

    # -- premises -------------------------------------------------------------------------------------

    def _premise(self, premise: Premise, delta: bool) -> Link:
        if isinstance(premise, Aggregate):
            return self._aggregate(premise)
        if isinstance(premise, Comparison):
            return _always(self._comparison(premise))
        name, terms = premise.atom.name, premise.terms
        if delta:
            return _always(self._delta(terms))
        declaration = self.program.declarations[name]
        if declaration.kind is RelationKind.EXTERN:
            return self._extern(premise)
        if declaration.kind is RelationKind.EQUIVALENCE:
            return self._equivalence(premise)
        if self.program.reads_rows(name, self.stored):
            return self._rows(premise)
        return self._subgoal(premise)

    def _comparison(self, premise: Comparison) -> Maker:
        left, right = premise.left, premise.right
        if isinstance(left, RuleArithmetic) or isinstance(right, RuleArithmetic):
            return self._computed(premise)
        if self._is_bound(left) and self._is_bound(right):
            return test_two(_OPERATORS[premise.operator], self._slot(left), self._slot(right), False)
        if self._is_bound(left):
            left, right = right, left
        if left == right:
            raise AssertionError("ordering lets only one side of an equality be unbound")
        return copy(self._slot(right), self._slot(left))

    def _computed(self, premise: Comparison) -> Maker:
        left, right = premise.left, premise.right
        if isinstance(right, RuleVariable) and not self._is_bound(right):
            left, right = right, left
        if isinstance(left, RuleVariable) and not self._is_bound(left):
            return compute(self._value(right), self._slot(left))
        return test_values(_OPERATORS[premise.operator], self._value(left), self._value(right))

    def _value(self, term: Term) -> Callable[[Environment], Any]:
        """A function that reads or computes a term from an environment."""
        if not isinstance(term, RuleArithmetic):
            return itemgetter(self._slot(term))
        operation, left, right = ARITHMETIC[term.operator], self._value(term.left), self._value(term.right)
        return lambda env: operation(left(env), right(env))

    def _aggregate(self, premise: Aggregate) -> Link:
        slots = [self._slot(term) for term in premise.terms[1:]]
        columns = tuple(range(premise.given))
        result, bound = self._slot(premise.result), self._is_bound(premise.result)

        def link(known: Knowledge) -> Maker:
            relation = known.relation(premise.atom.name)
            if not columns:
                return aggregate(lambda _: premise.of(relation.order), result, bound)
            get, key = relation.index(columns).get, itemgetter(*slots)
            return aggregate(lambda env: premise.of(get(key(env)) or ()), result, bound)

        return link

    def _delta(self, terms: Sequence[Term]) -> Maker:
        _, _, binding = self._columns(terms)
        constants = [(c, self._slot(t)) for c, t in enumerate(terms) if isinstance(t, Constant)]
        return each(itemgetter(0), binding, constants)

    def _rows(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        if len(columns) == self.program.declarations[name].arity:
            row = tuple_getter(slots)
            return lambda known: member(known.relation(name).rows, row, negated)
        tests = negated or not binding
        if not columns:

            def link_all(known: Knowledge) -> Maker:
                relation = known.relation(name)
                if tests:
                    return nonempty(lambda _: relation.order, negated)
                return each(lambda _: relation.order, binding)

            return link_all
        key = itemgetter(*slots)
        is_plain = len(slots) == 1 and len(binding.binds) == 1 and not binding.repeated

        def link(known: Knowledge) -> Maker:
            get = known.relation(name).index(tuple(columns)).get
            if tests:
                return nonempty(lambda env: get(key(env)), negated)
            if is_plain:
                return lookup_one(get, slots[0], *binding.binds[0])
            return lookup(get, key, binding)

        return link

    def _equivalence(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        tests = negated or not binding

        def link(known: Knowledge) -> Maker:
            relation = known.equivalence(name)
            if len(columns) == 2:
                return test_two(relation.same, slots[0], slots[1], negated)
            if len(columns) == 1:
                slot = slots[0]
                if tests:
                    return nonempty(lambda env: env[slot] in relation, negated)
                return each_value(relation.members, slot, binding.binds[0][1])
            if tests:
                return nonempty(lambda _: len(relation), negated)
            if binding.repeated:  # eq(x, x): the known elements
                return each(lambda _: [(x, x) for x in relation], binding)

            def pairs(_: Environment) -> Iterable[tuple[Any, Any]]:
                return ((x, y) for x in list(relation) for y in relation.members(x))

            return each(pairs, binding)

        return link

    def _extern(self, premise: RuleLiteral) -> Link:
        name, terms, negated = premise.atom.name, premise.terms, premise.negated
        columns, slots, binding = self._columns(terms)
        adornment = "".join("b" if c in columns else "f" for c in range(len(terms)))
        fitting = [m for m in self.program.declarations[name].modes if mode_fits(m, adornment)]
        mode = max(fitting, key=lambda m: m.count("b"))
        asked = [self._slot(terms[c]) for c, letter in enumerate(mode) if letter == "b"]
        arguments = tuple_getter(asked)
        free = [c for c, letter in enumerate(mode) if letter == "f"]
        place = {c: i for i, c in enumerate(free)}
        checks = [(place[c], slot) for c, slot in zip(columns, slots, strict=True) if c in place]
        inner = Binding(
            [(place[c], slot) for c, slot in binding.binds],
            [(place[c], place[d]) for c, d in binding.repeated],
        )

        def link(known: Knowledge) -> Maker:
            function = known.extern(name, mode)
            if not free:
                if len(asked) == 2:
                    return test_two(function, asked[0], asked[1], negated)
                return nonempty(lambda env: function(*arguments(env)), negated)
            if len(asked) == 1 == len(inner.binds) and len(free) == 1 and not (checks or negated):
                return each_value(function, asked[0], inner.binds[0][1])
            rows: Callable[[Environment], Iterable[tuple[Any, ...]]]
            if len(free) == 1:
                rows = lambda env: [(value,) for value in function(*arguments(env))]  # noqa: E731
            else:
                rows = lambda env: function(*arguments(env))  # noqa: E731
            if negated or not binding:
                # the inner chain only says that a row passed the checks
                return nonempty(each(rows, inner, checks)(lambda _: True), negated)
            return each(rows, inner, checks)

        return link

    def _subgoal(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        adornment = "".join("b" if c in columns else "f" for c in range(len(premise.terms)))
        given = tuple_getter(slots)

        def link(known: Knowledge) -> Maker:
            goal = known.subgoal(name, adornment)
            if negated or not binding:
                some = goal.any
                return nonempty(lambda env: some(given(env)), negated)
            run = goal.run
            return each(lambda env: run(given(env)), binding)

        return link


def _always(maker: Maker) -> Link:
    """Link a step that reads no relation."""
    return lambda _: maker
