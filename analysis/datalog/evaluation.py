"""Datalog evaluation: semi-naive bottom-up by strata, and goal-directed top-down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .compiled_rules import CompiledRule, Purpose, compile_rule
from .program import Program, order_premises
from .relation import Knowledge
from .syntax import Atom, DatalogError, RelationKind, Row, Rule, RuleLiteral, RuleVariable, variables_of
from .union_find import EquivalenceRelation

Run = Callable[[Any, dict[Any, Rule]], None]
"""Takes the delta (or an empty tuple) and the rows derived so far, and adds the consequences."""


class Derivation(NamedTuple):
    """The reason of a union that a rule derived."""

    rule: Rule
    round: int


class Seen(NamedTuple):
    """A cursor: the size of a relation when it was last read. Void once the generation has changed."""

    generation: int
    rows: int  # of an equivalence, unions
    elements: int


NOTHING = Seen(-1, 0, 0)


class Stratum:
    """Mutually dependent relations with their rules, and their cursors into the relations they read."""

    def __init__(self, database: Knowledge, names: list[str]) -> None:
        program = database.program
        self.database = database
        self.names = names
        self.rules = [rule for name in names for rule in program.rules_of[name]]
        self.grows_with: list[str] = []  # read positively: new tuples only add tuples here
        self.breaks_with: list[
            str
        ] = []  # read under negation or aggregation: new tuples may remove tuples here
        for rule in self.rules:
            for atom, grows in rule.reads():
                name = atom.name
                if not program.stored(name):
                    self.breaks_with += database.read_by_goal(name)
                elif grows:
                    self.grows_with.append(name)
                else:
                    self.breaks_with.append(name)
        self.grows_with = list(dict.fromkeys(self.grows_with))
        self.breaks_with = list(dict.fromkeys(self.breaks_with))
        self.sources = list(dict.fromkeys(self.grows_with + self.breaks_with))
        self._held = [(name, database.held(name)) for name in self.sources]
        self._premises = [
            (number, i, premise.atom.name)
            for number, rule in enumerate(self.rules)
            for i, premise in enumerate(rule.body)
            if isinstance(premise, RuleLiteral) and not premise.negated and program.stored(premise.atom.name)
        ]
        self._is_recursive = any(name in self.sources for name in names)
        self.seen: dict[str, Seen] | None = None
        self._full: list[Run] | None = None
        self._by_delta: dict[tuple[int, int], Run] = {}

    def update(self) -> None:
        """Derive the consequences of new tuples. Lower strata must be up to date.

        O(sources) if there are no new tuples.
        """
        now = self._cursors()
        if now == self.seen:
            return
        database = self.database
        if database.journal is not None:
            database.journal.append(self._restore(self.seen))
        seen = self.seen
        if seen is not None and (
            any(now[name] != seen[name] for name in self.breaks_with)
            or any(now[name].generation != seen[name].generation for name in self.sources)
        ):
            for name in self.names:
                database.clear_derived(name)
            seen = None
        if seen is None:
            self._insert(self._run_full())
            # Other strata do not change meanwhile; `_run_full` has read the asserted tuples of this one.
            seen = {name: now[name] if name not in self.names else self._at_start(now, name) for name in now}
            now = self._cursors()
        while now != seen:
            derived = self._run_deltas(seen, now)
            seen = now
            self._insert(derived)
            if self._is_recursive:
                now = self._cursors()
        self.seen = seen

    def _at_start(self, before: dict[str, Seen], name: str) -> Seen:
        # If the relation was cleared, all its tuples were asserted again or derived just now: read all of them.
        seen, now = before[name], self._cursors()[name]
        return seen if seen.generation == now.generation else Seen(now.generation, 0, 0)

    def _restore(self, seen: dict[str, Seen] | None) -> Any:
        def undo() -> None:
            self.seen = seen

        return undo

    def _cursors(self) -> dict[str, Seen]:
        found: dict[str, Seen] = {}
        for name, held in self._held:
            if isinstance(held, EquivalenceRelation):
                found[name] = Seen(held.generation, len(held.unions), len(held))
            else:
                found[name] = Seen(held.generation, len(held.order), 0)
        return found

    # -- one round ------------------------------------------------------------------------------------

    def _run_full(self) -> dict[str, dict[Any, Rule]]:
        if self._full is None:
            self._full = [self._compile(rule, None) for rule in self.rules]
        derived: dict[str, dict[Any, Rule]] = {name: {} for name in self.names}
        for rule, run in zip(self.rules, self._full, strict=True):
            run((), derived[rule.head.name])
        return derived

    def _run_deltas(self, seen: dict[str, Seen], now: dict[str, Seen]) -> dict[str, dict[Any, Rule]]:
        derived: dict[str, dict[Any, Rule]] = {name: {} for name in self.names}
        deltas: dict[str, list[Any]] = {}
        for number, i, name in self._premises:
            if seen[name] == now[name]:
                continue
            if name not in deltas:
                deltas[name] = self._delta(name, seen[name], now[name])
            run = self._by_delta.get((number, i))
            if run is None:
                run = self._by_delta[number, i] = self._compile(self.rules[number], i)
            run(deltas[name], derived[self.rules[number].head.name])
        return derived

    def _delta(self, name: str, seen: Seen, now: Seen) -> list[Any]:
        held: Any = self.database.held(name)
        if not isinstance(held, EquivalenceRelation):
            return held.order[seen.rows : now.rows]
        return list(_new_pairs(held, seen, now))

    def _compile(self, rule: Rule, delta: int | None) -> Run:
        program = self.database.program
        key = (rule.id, delta)
        plan: CompiledRule | None = program.plans.get(key)
        if plan is None:
            order = order_premises(rule, set(), program.answerable, delta)
            plan = program.plans[key] = compile_rule(program, rule, order, Purpose.DERIVE, delta=delta)
        run = plan.link(self.database)
        return _computing(run, rule) if rule.computes else run

    def _insert(self, derived: dict[str, dict[Any, Rule]]) -> None:
        database = self.database
        database.round += 1
        mark, journal = database.round, database.journal
        for name, rows in derived.items():
            held: Any = database.held(name)
            if isinstance(held, EquivalenceRelation):
                for (x, y), rule in rows.items():
                    held.union(x, y, Derivation(rule, mark))
            else:
                held.insert_new(rows, mark)
                most = database.most_rows
                if most is not None and len(held) > most:
                    place = database.program.declarations[name].position
                    raise DatalogError(
                        f"'{name}' has more than {most:,} rows; does a rule count forever?", place
                    )
                if journal is not None:
                    journal += [held.remove_last] * len(rows)


def _computing(run: Run, rule: Rule) -> Run:
    """A rule with arithmetic, whose exceptions are reported as errors of the rule."""

    def guarded(rows: Any, derived: dict[Any, Rule], /) -> None:
        try:
            run(rows, derived)
        except (ArithmeticError, TypeError) as failure:
            raise DatalogError(f"'{rule.head.name}': {failure}", rule.position, rule.text) from None

    return guarded


def _new_pairs(held: EquivalenceRelation[Any], seen: Seen, now: Seen) -> Iterator[tuple[Any, Any]]:
    """The pairs that became equivalent between `seen` and `now`, in both orders."""
    for x in held.elements_between(seen.elements, now.elements):
        yield x, x
    for number in range(seen.rows, now.rows):
        right = list(held.side_members(number, second=True))
        for x in held.side_members(number, second=False):
            for y in right:
                yield x, y
                yield y, x


# Goal-directed evaluation: the rows of a relation that match bound arguments, found top-down.
#
# A goal is a relation with an adornment (which arguments are bound). Its rules are compiled once; a query runs
# nested loops over their premises, through indexes, classes and externs, in the order of the rules, and
# stores nothing. Derived relations in premises are goals in turn. Recursive relations and equivalences are
# not unfolded: they are stored as rows and classes, and updated before the query if there are new facts.


class Goal:
    """A compiled query for `name` with the arguments marked `b` in `adornment` bound.

    `all`, `first` and `holds` take the bound arguments, in order. Reusing a goal skips the pattern look-up of
    `Database.solve`.
    """

    __slots__ = ("_database", "_linked", "_refresh", "_stored", "_tests", "adornment", "name")

    def __init__(self, database: Knowledge, name: str, adornment: str, stored: bool) -> None:
        self.name = name
        self.adornment = adornment
        self._database = database
        self._stored = stored
        self._linked: list[Callable[..., Iterator[Row]]] | None = None  # on first use
        self._tests: list[Callable[..., bool]] | None = None  # on first use
        self._refresh: Callable[[], None] | None = database.refresher(name, stored)
        self._plans(Purpose.ROWS)  # raises now if the query is impossible

    def all(self, *arguments: object) -> list[Row]:
        """The matching rows, each once, in the order the rules find them."""
        if self._refresh is not None:
            self._refresh()
        return list(self.run(arguments))

    def first(self, *arguments: object) -> Row | None:
        """The first matching row, or None; stops searching there."""
        if self._refresh is not None:
            self._refresh()
        return next((row for rows in self._linked or self._link() for row in rows(*arguments)), None)

    def holds(self, *arguments: object) -> bool:
        """Whether there is a matching row."""
        if self._refresh is not None:
            self._refresh()
        return self.any(arguments)

    # For goals within goals, without refreshing:

    def run(self, arguments: Sequence[Any]) -> Iterable[Row]:
        """The matching rows. Stored relations must be up to date."""
        found: dict[Row, None] = {}
        for rows in self._linked or self._link():
            found.update(dict.fromkeys(rows(*arguments)))
        return found

    def any(self, arguments: Sequence[Any]) -> bool:
        """Whether there is a matching row. Stored relations must be up to date."""
        if self._tests is None:
            self._tests = [plan.link(self._database) for plan in self._plans(Purpose.TEST)]
        for test in self._tests:  # without a generator, as this is asked for each pair
            if test(*arguments):
                break
        else:
            return False
        return True

    def _link(self) -> list[Callable[..., Iterator[Row]]]:
        self._linked = [plan.link(self._database) for plan in self._plans(Purpose.ROWS)]
        return self._linked

    def _plans(self, purpose: Purpose) -> list[CompiledRule]:
        """The rules that answer the goal, compiled once per Datalog program."""
        program = self._database.program
        key = (self.name, self.adornment, self._stored, purpose)
        plans = program.plans.get(key)
        if plans is None:
            rules = _goal_rules(program, self.name, self._stored)
            plans = program.plans[key] = [
                plan_rule(program, rule, self.adornment, purpose, stored=self._stored) for rule in rules
            ]
        return plans


def _goal_rules(program: Program, name: str, stored: bool) -> Sequence[Rule]:
    """The rules that answer a goal: those of the relation, or for a stored relation one that looks it up."""
    declaration = program.declaration(name)
    if declaration.kind is RelationKind.DERIVED and not program.reads_rows(name, stored):
        return program.rules_of[name]
    variables = tuple(RuleVariable(f"argument {i}") for i in range(declaration.arity))
    atom = Atom(name, variables, declaration.position)
    return (Rule(name, atom, (RuleLiteral(atom, False),), "", "", declaration.position),)


def plan_rule(
    program: Program, rule: Rule, adornment: str, purpose: Purpose, *, stored: bool
) -> CompiledRule:
    """Compile `rule` for a head with this adornment.

    Raises:
        DatalogError: some premise needs an argument that nothing binds.
    """
    bound = variables_of(
        tuple(t for t, letter in zip(rule.head.terms, adornment, strict=True) if letter == "b")
    )
    order = order_premises(rule, set(bound), program.answerable)
    if len(order) < len(rule.body):
        message = f"'{rule.head.name}' cannot be asked with arguments given as '{adornment}'"
        raise DatalogError(message, rule.position, rule.text or None)
    return compile_rule(program, rule, order, purpose, adornment=adornment, stored=stored)
