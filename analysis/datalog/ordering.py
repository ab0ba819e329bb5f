"""In which order the premises of a rule are asked.

The author's order is kept, since it says what is selective and what is cheap; a premise only waits
until it can be asked. Among those that can be asked, one that has something bound goes before one that would
enumerate a whole relation. Negations and comparisons wait for all their variables, externs for one of their
modes.
"""

from __future__ import annotations

from collections.abc import Callable

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

Answerable = Callable[[str, str], bool]


def adornment_of(terms: tuple[Term, ...], bound: set[str]) -> str:
    """One letter per term: `b` if it has a value, `f` if not."""
    return "".join(
        "b" if isinstance(t, Constant) or (isinstance(t, RuleVariable) and t.name in bound) else "f"
        for t in terms
    )


def order_premises(
    rule: Rule, bound: set[str], answerable: Answerable, first: int | None = None
) -> list[int]:
    """The indexes of `rule.body` in the order of evaluation, given the variables `bound` by the head.

    `first` is put in front (the premise that brings the delta). The list is shorter than the body when the
    rest cannot be asked at all. Quadratic in the length of the body, once per rule and binding.
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
    """0: cannot be asked yet; 1: would enumerate a relation; 2: has something to go by."""
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
