"""Goal-directed evaluation: the rows of a relation that match given arguments, found from the head down.

A goal is a relation with an adornment (which arguments are given). Its rules are compiled once; asking runs
nested loops over their premises, through indexes, classes and externs, in the order of the rules, and
stores nothing. Derived relations below are goals in turn. Recursive relations and equivalences are
not unfolded: they are kept as rows and classes and brought up to date first, if facts have come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .compiled_rules import Chain, ChainBuilder, Environment, Step
from .errors import DatalogError
from .knowledge import Knowledge
from .ordering import order_premises
from .syntax import Atom, RelationKind, Row, Rule, RuleLiteral, RuleVariable

_Start = tuple[Step, list[Any]]


class Goal:
    """`name` asked with the arguments marked `b` in `adornment` given.

    `all`, `first` and `holds` take the given arguments, in order. Keep a goal to ask often: it
    skips the look-up of the pattern that `Database.solve` makes.
    """

    __slots__ = ("_all", "_first", "_refresh", "adornment", "name")

    def __init__(self, database: Knowledge, name: str, adornment: str, stored: bool) -> None:
        self.name = name
        self.adornment = adornment
        self._all: list[_Start] = []
        self._first: list[_Start] = []
        self._refresh: Callable[[], None] | None = database.refresher(name, stored)
        for rule in goal_rules(database, name, stored):
            for final, starts in ((_collect, self._all), (_stop, self._first)):
                chain = compile_rule(database, rule, adornment, stored, final)
                starts.append((chain.start, chain.rest))

    def all(self, *given: Any) -> list[Row]:
        """The matching rows, each once, in the order the rules find them."""
        if self._refresh is not None:
            self._refresh()
        return list(self.run(given))

    def first(self, *given: Any) -> Row | None:
        """The first matching row, or None; stops searching there."""
        if self._refresh is not None:
            self._refresh()
        found: dict[Row, None] = {}
        for start, rest in self._first:
            if start([*given, found, *rest]):
                return next(iter(found))
        return None

    def holds(self, *given: Any) -> bool:
        """Whether there is a matching row."""
        if self._refresh is not None:
            self._refresh()
        return self.any(given)

    # Without refreshing, for goals within goals:

    def run(self, given: Sequence[Any]) -> Iterable[Row]:
        """The matching rows, with everything below up to date."""
        found: dict[Row, None] = {}
        for start, rest in self._all:
            start([*given, found, *rest])
        return found

    def any(self, given: Sequence[Any]) -> bool:
        """Whether there is a matching row, with everything below up to date."""
        found: dict[Row, None] = {}
        return any(start([*given, found, *rest]) for start, rest in self._first)


def goal_rules(database: Knowledge, name: str, stored: bool) -> Sequence[Rule]:
    """The rules that answer a goal: its own, or for a relation that is looked up, one that looks it up."""
    declaration = database.program.declaration(name)
    if declaration.kind is RelationKind.DERIVED and not database.reads_rows(name, stored):
        return database.program.rules_of[name]
    variables = tuple(RuleVariable(f"argument {i}") for i in range(declaration.arity))
    atom = Atom(name, variables, declaration.position)
    return (Rule(name, atom, (RuleLiteral(atom, False),), "", "", declaration.position),)


def compile_rule(
    database: Knowledge,
    rule: Rule,
    adornment: str,
    stored: bool,
    final: Callable[[ChainBuilder], Step],
    order: Sequence[int] | None = None,
) -> Chain:
    """Compile `rule` for a head with this adornment."""
    builder = ChainBuilder(database, rule, adornment, stored)
    if order is None:
        order = order_premises(rule, set(builder.known), database.program.answerable)
    if len(order) < len(rule.body):
        message = f"'{rule.head.name}' cannot be asked with arguments given as '{adornment}'"
        raise DatalogError(message, rule.position, rule.text or None)
    return builder.build(order, final)


def _collect(builder: ChainBuilder) -> Step:
    row, sink = builder.head_row(), builder.sink

    def step(env: Environment) -> bool:
        env[sink][row(env)] = None
        return False

    return step


def _stop(builder: ChainBuilder) -> Step:
    row, sink = builder.head_row(), builder.sink

    def step(env: Environment) -> bool:
        env[sink][row(env)] = None
        return True

    return step
