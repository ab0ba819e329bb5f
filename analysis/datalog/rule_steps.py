"""Join order of premises, and the step kinds they compile to; see `compiled_rules`.

A step looks its bound slots up in the environment, fills slots for new variables, and calls the next step once per
match; True stops the search. Each kind is written out for its shape: a generic one would spend more time on finding out
what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from .syntax import (
    Aggregate,
    Comparison,
    Constant,
    Premise,
    Rule,
    RuleArithmetic,
    RuleVariable,
    Term,
    Wildcard,
    variables_of,
)

Datum: TypeAlias = Any
"""A component of a row, or the value of a slot; any hashable type."""
Row = tuple[Datum, ...]
Environment = list[Datum]
Reader = Callable[[Environment], Datum]
"""Reads or computes a value from an environment."""
Step = Callable[[Environment], bool]
Maker = Callable[[Step], Step]
"""Makes a step, given the next one."""


class Binding:
    """How to match a row: (column, slot) to bind; (column, column) that must be equal."""

    __slots__ = ("binds", "repeated")

    def __init__(self, binds: list[tuple[int, int]], repeated: list[tuple[int, int]]) -> None:
        self.binds = binds
        self.repeated = repeated

    def __bool__(self) -> bool:
        return bool(self.binds)


def tuple_getter(slots: Sequence[int]) -> Callable[[Environment], Row]:
    """Reads the slots out of an environment, always as a tuple."""
    if not slots:
        return lambda _: ()
    if len(slots) == 1:
        (slot,) = slots
        return lambda env: (env[slot],)
    return itemgetter(*slots)


def test_two(test: Callable[[Datum, Datum], Datum], left: int, right: int, negated: bool) -> Maker:
    """Continue if `test` holds for two slots."""

    def make(following: Step) -> Step:
        if negated:
            return lambda env: not test(env[left], env[right]) and following(env)
        return lambda env: test(env[left], env[right]) and following(env)

    return make


def watch(count: int, sink: int) -> Maker:
    """Call the sink with the number of premises that hold, and continue."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            env[sink](count, env)
            return following(env)

        return step

    return make


def copy(from_slot: int, to_slot: int) -> Maker:
    """Copy one slot to another."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            env[to_slot] = env[from_slot]
            return following(env)

        return step

    return make


def compute(value: Reader, to_slot: int) -> Maker:
    """Assign a computed value to a slot."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            env[to_slot] = value(env)
            return following(env)

        return step

    return make


def test_values(test: Callable[[Datum, Datum], Datum], left: Reader, right: Reader) -> Maker:
    """Continue if `test` holds for two computed values."""
    return lambda following: lambda env: test(left(env), right(env)) and following(env)


def aggregate(value: Reader, slot: int, is_bound: bool) -> Maker:
    """Continue if the aggregate has a value; it must equal the slot if that is bound, and is assigned to it otherwise."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            found = value(env)
            if found is None or (is_bound and found != env[slot]):
                return False
            env[slot] = found
            return following(env)

        return step

    return make


def member(rows: dict[Datum, Datum], row: Reader, negated: bool) -> Maker:
    """Continue if the row is among `rows`."""

    def make(following: Step) -> Step:
        if negated:
            return lambda env: row(env) not in rows and following(env)
        return lambda env: row(env) in rows and following(env)

    return make


def nonempty(found: Reader, negated: bool) -> Maker:
    """Continue if anything was found."""

    def make(following: Step) -> Step:
        if negated:
            return lambda env: not found(env) and following(env)
        return lambda env: bool(found(env) and following(env))

    return make


def each_value(values: Callable[[Datum], Iterable[Datum]], slot: int, to_slot: int) -> Maker:
    """Continue with each value found for a slot."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            for value in values(env[slot]):
                env[to_slot] = value
                if following(env):
                    return True
            return False

        return step

    return make


def lookup_one(get: Callable[[Datum], Datum], slot: int, column: int, to_slot: int) -> Maker:
    """Continue with one column of each row under the key in a slot."""

    def make(following: Step) -> Step:
        def step(env: Environment) -> bool:
            for row in get(env[slot]) or ():
                env[to_slot] = row[column]
                if following(env):
                    return True
            return False

        return step

    return make


def lookup(get: Callable[[Datum], Datum], key: Reader, binding: Binding) -> Maker:
    """Continue with each row under a key."""
    return each(lambda env: get(key(env)) or (), binding)


def each(
    rows: Callable[[Environment], Iterable[Row]],
    binding: Binding,
    checks: Sequence[tuple[int, int]] = (),
) -> Maker:
    """Continue with each row; `checks` are (column, slot) that must be equal."""
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


# Join order.
#
# The author's order is kept, as it reflects selectivity and cost; a premise is only delayed until it can be evaluated. Among
# those that can, one with a bound argument precedes one that would enumerate a whole relation. Negations and comparisons
# wait for all their variables, externs for one of their modes.

Answerable = Callable[[str, str], bool]


def adornment_of(terms: tuple[Term, ...], bound: set[str]) -> str:
    """One letter per term: `b` if it is bound, `f` if it is free."""
    return "".join(
        "b" if isinstance(t, Constant) or (isinstance(t, RuleVariable) and t.name in bound) else "f"
        for t in terms
    )


def order_premises(
    rule: Rule, bound: set[str], answerable: Answerable, first: int | None = None
) -> list[int]:
    """The indexes of `rule.body` in the order of evaluation, given the variables `bound` by the head.

    `first` goes to the front (the premise that reads the delta). The list is shorter than the body if the rest cannot be
    evaluated. Quadratic in the length of the body, once per rule and binding.
    """
    known = set(bound)
    waiting = list(range(len(rule.body)))
    order: list[int] = []

    def take(i: int) -> None:
        waiting.remove(i)
        order.append(i)
        known.update(t.name for t in rule.body[i].terms if isinstance(t, RuleVariable))

    if first is not None:
        take(first)
    while waiting:
        fallback: int | None = None
        for i in waiting:
            state = _readiness(rule.body[i], known, answerable)
            if state == 2:
                take(i)
                break
            if state == 1 and fallback is None:
                fallback = i
        else:
            if fallback is None:
                return order
            take(fallback)
    return order


def _readiness(premise: Premise, known: set[str], answerable: Answerable) -> int:
    """0: cannot be evaluated yet; 1: would enumerate a relation; 2: has a bound argument."""
    unknown = [t for t in premise.terms if isinstance(t, RuleVariable) and t.name not in known]
    if isinstance(premise, Aggregate):
        return 0 if any(name not in known for name in variables_of(premise.terms[1:])) else 2
    if isinstance(premise, Comparison):
        parts = [t for t in premise.terms if isinstance(t, RuleArithmetic)]
        if any(name not in known for name in variables_of(tuple(parts))):
            return 0
        enough = 1 if premise.operator == "=" else 0
        return 2 if len(unknown) <= enough and not any(isinstance(t, Wildcard) for t in premise.terms) else 0
    adornment = adornment_of(premise.terms, known)
    if premise.negated and unknown:
        return 0
    if not answerable(premise.atom.name, adornment):
        return 0
    return 2 if premise.negated or "b" in adornment or not adornment else 1
