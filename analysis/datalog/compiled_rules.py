"""Premises compiled to closures: each binds what it can and calls the next one.

A rule body becomes a chain of functions over one list of slots, the *environment*:

    [given ... given, sink, constant ..., variable ...]

A step looks its bound slots up, fills slots for new variables, and calls the next step once per match. The
last step hands the row of the head to the sink. A step returns True to stop the search, so one chain serves
"find all" and "is there one". A chain is as deep as the rule is long, whatever the data.

Compiling has two halves. What depends on the rules alone (the order of premises, slots, columns, modes of externs) is a
`Plan`, made once per program of rules; a plan is *linked* with the rows, classes and functions of each database. Small
programs are analysed by the dozen, and planning took five of the six milliseconds that each analysis cost.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from .knowledge import Knowledge
from .program import Program, mode_fits
from .syntax import Comparison, Constant, Premise, RelationKind, Rule, RuleLiteral, RuleVariable, Term

Environment = list[Any]
Step = Callable[[Environment], bool]
Maker = Callable[[Step], Step]
"""Given the next step, the step."""
Link = Callable[[Knowledge], Maker]
"""Given what is known, how to make a step over it."""

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Chain:
    """One rule, linked, for one binding of its head, or for one premise that brings a delta.

    Attributes:
        start: the first step.
        rest: what follows the given values and the sink in a fresh environment.
        slots: the slot of each variable.
    """

    __slots__ = ("rest", "slots", "start")

    def __init__(self, start: Step, rest: list[Any], slots: dict[str, int]) -> None:
        self.start = start
        self.rest = rest
        self.slots = slots


class Plan:
    """One rule compiled for one binding of its head, before it is linked.

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

    def link(self, known: Knowledge, last: Callable[[Plan, Knowledge], Step]) -> Chain:
        """The chain over these rows, classes and functions, which ends in the step that `last` makes.

        Raises:
            DatalogError: no function was given for an extern.
        """
        step = last(self, known)
        for link in self._links:
            step = link(known)(step)
        return Chain(step, self._rest, self._slots)


class ChainBuilder:
    """Plans one rule, premise by premise, in a given order.

    With `delta`, the one given value is a list of new rows (for an equivalence, of pairs of newly joined
    members) that `rule.body[delta]` ranges over. Otherwise the given values are the head's arguments
    marked `b` in `adornment`. With `stored`, derived relations are read from their rows, which must be
    up to date; without, they are solved in place.
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
                self.links.append(_always(_compare(operator.eq, slot, self._slot(term))))

    def build(self, order: Iterable[int], watched: bool = False) -> Plan:
        """Plan the premises in `order`.

        A `watched` chain calls the sink, with the number of premises that hold and the environment,
        each time one more premise holds.
        """
        for count, i in enumerate(order):
            if watched:
                self.links.append(_always(_watch(count, self.sink)))
            premise = self.rule.body[i]
            self.links.append(self._premise(premise, delta=i == self.delta))
            self.known.update(t.name for t in premise.terms if isinstance(t, RuleVariable))
        row = _tuple_getter([self._slot(t) for t in self.rule.head.terms])
        return Plan(self.rule, self.sink, row, self.links, self.rest, self.slots)

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

    def _new_slot(self, value: Any) -> int:
        self.rest.append(value)
        return self.sink + len(self.rest)

    def _is_bound(self, term: Term) -> bool:
        return isinstance(term, Constant) or (isinstance(term, RuleVariable) and term.name in self.known)

    def _columns(self, terms: Sequence[Term]) -> tuple[list[int], list[int], Binding]:
        """Columns that are bound, their slots, and what to do with the other columns of a row."""
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
        if self._is_bound(left) and self._is_bound(right):
            return _compare(_OPERATORS[premise.operator], self._slot(left), self._slot(right))
        if self._is_bound(left):
            left, right = right, left
        if left == right:
            raise AssertionError("ordering lets only one side of an equality be unbound")
        return _copy(self._slot(right), self._slot(left))

    def _delta(self, terms: Sequence[Term]) -> Maker:
        _, _, binding = self._columns(terms)
        constants = [(c, self._slot(t)) for c, t in enumerate(terms) if isinstance(t, Constant)]
        return _each(itemgetter(0), binding, constants)

    def _rows(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        if len(columns) == self.program.declarations[name].arity:
            row = _tuple_getter(slots)
            return lambda known: _member(known.relation(name).rows, row, negated)
        tests = negated or not binding
        if not columns:

            def link_all(known: Knowledge) -> Maker:
                relation = known.relation(name)
                if tests:
                    return _nonempty(lambda _: relation.order, negated)
                return _each(lambda _: relation.order, binding)

            return link_all
        key = itemgetter(*slots)
        is_plain = len(slots) == 1 and len(binding.binds) == 1 and not binding.repeated

        def link(known: Knowledge) -> Maker:
            get = known.relation(name).index(tuple(columns)).get
            if tests:
                return _nonempty(lambda env: get(key(env)), negated)
            if is_plain:
                return _lookup_one(get, slots[0], *binding.binds[0])
            return _lookup(get, key, binding)

        return link

    def _equivalence(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        tests = negated or not binding

        def link(known: Knowledge) -> Maker:
            relation = known.equivalence(name)
            if len(columns) == 2:
                return _test2(relation.same, slots[0], slots[1], negated)
            if len(columns) == 1:
                slot = slots[0]
                if tests:
                    return _nonempty(lambda env: env[slot] in relation, negated)
                return _each_value(relation.members, slot, binding.binds[0][1])
            if tests:
                return _nonempty(lambda _: len(relation), negated)
            if binding.repeated:  # eq(x, x): the known elements
                return _each(lambda _: [(x, x) for x in relation], binding)

            def pairs(_: Environment) -> Iterable[tuple[Any, Any]]:
                return ((x, y) for x in list(relation) for y in relation.members(x))

            return _each(pairs, binding)

        return link

    def _extern(self, premise: RuleLiteral) -> Link:
        name, terms, negated = premise.atom.name, premise.terms, premise.negated
        columns, slots, binding = self._columns(terms)
        adornment = "".join("b" if c in columns else "f" for c in range(len(terms)))
        fitting = [m for m in self.program.declarations[name].modes if mode_fits(m, adornment)]
        mode = max(fitting, key=lambda m: m.count("b"))
        asked = [self._slot(terms[c]) for c, letter in enumerate(mode) if letter == "b"]
        arguments = _tuple_getter(asked)
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
                    return _test2(function, asked[0], asked[1], negated)
                return _nonempty(lambda env: function(*arguments(env)), negated)
            rows: Callable[[Environment], Iterable[tuple[Any, ...]]]
            if len(free) == 1:
                rows = lambda env: [(value,) for value in function(*arguments(env))]  # noqa: E731
            else:
                rows = lambda env: function(*arguments(env))  # noqa: E731
            if negated or not binding:
                # the inner chain only says that a row passed the checks
                return _nonempty(_each(rows, inner, checks)(lambda _: True), negated)
            return _each(rows, inner, checks)

        return link

    def _subgoal(self, premise: RuleLiteral) -> Link:
        name, negated = premise.atom.name, premise.negated
        columns, slots, binding = self._columns(premise.terms)
        adornment = "".join("b" if c in columns else "f" for c in range(len(premise.terms)))
        given = _tuple_getter(slots)

        def link(known: Knowledge) -> Maker:
            goal = known.subgoal(name, adornment)
            if negated or not binding:
                some = goal.any
                return _nonempty(lambda env: some(given(env)), negated)
            run = goal.run
            return _each(lambda env: run(given(env)), binding)

        return link


def _always(maker: Maker) -> Link:
    """A step that looks nothing up."""
    return lambda _: maker


class Binding:
    """What to take from a row: (column, slot) to bind; (column, column) that must agree."""

    __slots__ = ("binds", "repeated")

    def __init__(self, binds: list[tuple[int, int]], repeated: list[tuple[int, int]]) -> None:
        self.binds = binds
        self.repeated = repeated

    def __bool__(self) -> bool:
        return bool(self.binds)


def _tuple_getter(slots: Sequence[int]) -> Callable[[Environment], tuple[Any, ...]]:
    if not slots:
        return lambda _: ()
    if len(slots) == 1:
        (slot,) = slots
        return lambda env: (env[slot],)
    return itemgetter(*slots)


# -- the kinds of step --------------------------------------------------------------------------------
# Each is written out for its shape: a generic one would spend more time on finding out what to do.


def _compare(test: Callable[[Any, Any], Any], left: int, right: int) -> Maker:
    return _test2(test, left, right, False)


def _test2(test: Callable[[Any, Any], Any], left: int, right: int, negated: bool) -> Maker:
    def make(following: Step) -> Step:
        if negated:
            return lambda env: not test(env[left], env[right]) and following(env)
        return lambda env: test(env[left], env[right]) and following(env)

    return make


def _watch(count: int, sink: int) -> Maker:
    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            env[sink](count, env)
            return following(env)

        return step

    return make


def _copy(from_slot: int, to_slot: int) -> Maker:
    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            env[to_slot] = env[from_slot]
            return following(env)

        return step

    return make


def _member(rows: dict[Any, Any], row: Callable[[Environment], Any], negated: bool) -> Maker:
    def make(following: Step) -> Step:
        if negated:
            return lambda env: row(env) not in rows and following(env)
        return lambda env: row(env) in rows and following(env)

    return make


def _nonempty(found: Callable[[Environment], Any], negated: bool) -> Maker:
    def make(following: Step) -> Step:
        if negated:
            return lambda env: not found(env) and following(env)
        return lambda env: bool(found(env) and following(env))

    return make


def _each_value(values: Callable[[Any], Iterable[Any]], slot: int, to_slot: int) -> Maker:
    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            for value in values(env[slot]):
                env[to_slot] = value
                if following(env):
                    return True
            return False

        return step

    return make


def _lookup_one(get: Callable[[Any], Any], slot: int, column: int, to_slot: int) -> Maker:
    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            for row in get(env[slot]) or ():
                env[to_slot] = row[column]
                if following(env):
                    return True
            return False

        return step

    return make


def _lookup(get: Callable[[Any], Any], key: Callable[[Environment], Any], binding: Binding) -> Maker:
    return _each(lambda env: get(key(env)) or (), binding)


def _each(
    rows: Callable[[Environment], Iterable[tuple[Any, ...]]],
    binding: Binding,
    checks: Sequence[tuple[int, int]] = (),
) -> Maker:
    """A step per row; `checks` are (column, slot) that must agree."""
    binds, repeated = binding.binds, binding.repeated

    def make(following: Step) -> Step:
        if not checks and not repeated and len(binds) == 1:
            ((column, to_slot),) = binds

            def one(env: Environment) -> bool:
                for row in rows(env):
                    env[to_slot] = row[column]
                    if following(env):
                        return True
                return False

            return one
        if not checks and not repeated and len(binds) == 2:
            (column, to_slot), (column2, to_slot2) = binds

            def two(env: Environment) -> bool:
                for row in rows(env):
                    env[to_slot] = row[column]
                    env[to_slot2] = row[column2]
                    if following(env):
                        return True
                return False

            return two

        def step(env: Environment) -> bool:
            for row in rows(env):
                if any(row[c] != env[s] for c, s in checks) or any(row[c] != row[d] for c, d in repeated):
                    continue
                for c, s in binds:
                    env[s] = row[c]
                if following(env):
                    return True
            return False

        return step

    return make
