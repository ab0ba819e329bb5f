"""Goal-directed evaluation: the rows of a relation that match given arguments, found from the head down.

A goal is a relation with an adornment (which arguments are given). Its rules are compiled once; asking runs
nested loops over their premises, through indexes, classes and externs, in the order of the rules, and
stores nothing. Derived relations below are goals in turn. Recursive relations and equivalences are
not unfolded: they are kept as rows and classes and brought up to date first, if facts have come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .compiled_rules import ChainBuilder, RulePlan
from .knowledge import Knowledge
from .ordering import order_premises
from .program import Program
from .rule_steps import Environment, Step
from .syntax import Atom, DatalogError, RelationKind, Row, Rule, RuleLiteral, RuleVariable

_Start = tuple[Step, list[Any]]


class Goal:
    """`name` asked with the arguments marked `b` in `adornment` given.

    `all`, `first` and `holds` take the given arguments, in order. Keep a goal to ask often: it
    skips the look-up of the pattern that `Database.solve` makes.
    """

    __slots__ = ("_all", "_database", "_first", "_refresh", "_stored", "adornment", "name")

    def __init__(self, database: Knowledge, name: str, adornment: str, stored: bool) -> None:
        self.name = name
        self.adornment = adornment
        self._database = database
        self._stored = stored
        self._all: list[_Start] | None = None
        self._first: list[_Start] | None = None
        self._refresh: Callable[[], None] | None = database.refresher(name, stored)
        _plans(database.program, name, adornment, stored)  # what cannot be asked is refused now

    def all(self, *given: object) -> list[Row]:
        """The matching rows, each once, in the order the rules find them."""
        if self._refresh is not None:
            self._refresh()
        return list(self.run(given))

    def first(self, *given: object) -> Row | None:
        """The first matching row, or None; stops searching there."""
        if self._refresh is not None:
            self._refresh()
        found: dict[Row, None] = {}
        for start, rest in self._first or self._link_first():
            if start([*given, found, *rest]):
                return next(iter(found))
        return None

    def holds(self, *given: object) -> bool:
        """Whether there is a matching row."""
        if self._refresh is not None:
            self._refresh()
        return self.any(given)

    # Without refreshing, for goals within goals:

    def run(self, given: Sequence[Any]) -> Iterable[Row]:
        """The matching rows, with everything below up to date."""
        found: dict[Row, None] = {}
        for start, rest in self._all or self._link_all():
            start([*given, found, *rest])
        return found

    def any(self, given: Sequence[Any]) -> bool:
        """Whether there is a matching row, with everything below up to date."""
        found: dict[Row, None] = {}
        return any(start([*given, found, *rest]) for start, rest in self._first or self._link_first())

    # Linked when first asked: of most goals only one of the two is.

    def _link_all(self) -> list[_Start]:
        self._all = self._linked(_collect)
        return self._all

    def _link_first(self) -> list[_Start]:
        self._first = self._linked(_stop)
        return self._first

    def _linked(self, last: Callable[[RulePlan, Knowledge], Step]) -> list[_Start]:
        plans = _plans(self._database.program, self.name, self.adornment, self._stored)
        chains = [plan.link(self._database, last) for plan in plans]
        return [(chain.start, chain.rest) for chain in chains]


def _plans(program: Program, name: str, adornment: str, stored: bool) -> list[RulePlan]:
    """The plans of the rules that answer a goal; made once for each program of rules."""
    key = (name, adornment, stored)
    plans = program.plans.get(key)
    if plans is None:
        rules = _goal_rules(program, name, stored)
        plans = program.plans[key] = [plan_rule(program, rule, adornment, stored) for rule in rules]
    return plans


def _goal_rules(program: Program, name: str, stored: bool) -> Sequence[Rule]:
    """The rules that answer a goal: its own, or for a relation that is looked up, one that looks it up."""
    declaration = program.declaration(name)
    if declaration.kind is RelationKind.DERIVED and not program.reads_rows(name, stored):
        return program.rules_of[name]
    variables = tuple(RuleVariable(f"argument {i}") for i in range(declaration.arity))
    atom = Atom(name, variables, declaration.position)
    return (Rule(name, atom, (RuleLiteral(atom, False),), "", "", declaration.position),)


def plan_rule(program: Program, rule: Rule, adornment: str, stored: bool) -> RulePlan:
    """RulePlan `rule` for a head with this adornment.

    Raises:
        DatalogError: some premise needs an argument that nothing gives.
    """
    builder = ChainBuilder(program, rule, adornment, stored)
    order = order_premises(rule, set(builder.known), program.answerable)
    if len(order) < len(rule.body):
        message = f"'{rule.head.name}' cannot be asked with arguments given as '{adornment}'"
        raise DatalogError(message, rule.position, rule.text or None)
    return builder.build(order)


def _collect(plan: RulePlan, _: Knowledge) -> Step:
    row, sink = plan.row, plan.sink

    def step(env: Environment) -> bool:
        env[sink][row(env)] = None
        return False

    return step


def _stop(plan: RulePlan, _: Knowledge) -> Step:
    row, sink = plan.row, plan.sink

    def step(env: Environment) -> bool:
        env[sink][row(env)] = None
        return True

    return step
