"""Solvers for index obligations that bounds do not settle: islpy for linear ones, z3 for products of unknowns.

A query asks whether integers exist that refute a claim: an index shared by two boxes, or a negative value of a
term. It is encoded as a system of inequalities over unknowns, which are the monomials of the terms, each with its
known bounds. If the system is unsatisfiable, the claim holds. An unconstrained unknown may be any integer, so
answers are sound but incomplete.

Each query has a limit in solver steps, so that answers do not depend on the machine. Queries over the limit are
recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import ranges
from .ranges import Box
from .terms import ONE, Term, monomials, text_of

MAX_UNKNOWNS = 64
"""Larger systems are not solved: solvers take exponential time."""
ISL_OPERATIONS = 200_000
"""The limit of isl for one query: about a tenth of a second."""
Z3_RESOURCES = 2_000_000
"""The limit of z3 for one query: about half a second."""

Sum = tuple[int, dict[int, int]]
"""A constant, and the coefficients by unknown."""


@dataclass(slots=True)
class Inequalities:
    """A system of inequalities.

    Attributes:
        known: terms known to be nonnegative.
        sums: sums that are at least 0.
        products: unknowns that are products of sums.
        numbers: the unknown of each monomial.
        count: the number of unknowns.
    """

    known: Collection[Term]
    sums: list[Sum] = field(default_factory=list)
    products: list[tuple[int, list[Sum]]] = field(default_factory=list)
    numbers: dict[Term, int] = field(default_factory=dict)
    count: int = 0
    _new: list[Term] = field(default_factory=list)

    def unknown(self) -> Sum:
        """A fresh, unconstrained unknown."""
        number = self.count
        self.count += 1
        return 0, {number: 1}

    def of(self, term: Term) -> Sum:
        """A term as a sum of unknowns."""
        constant, parts = monomials(term)
        coefficients: dict[int, int] = {}
        for part, coefficient in parts.items():
            if part not in self.numbers:
                self.numbers[part] = next(iter(self.unknown()[1]))
                self._new.append(part)
            coefficients[self.numbers[part]] = coefficient
        return constant, coefficients

    def at_least_zero(self, *parts: tuple[int, Sum]) -> None:
        """Assert that a linear combination of sums is nonnegative."""
        constant, coefficients = 0, dict[int, int]()
        for factor, (c, others) in parts:
            constant += factor * c
            for number, coefficient in others.items():
                coefficients[number] = coefficients.get(number, 0) + factor * coefficient
        self.sums.append((constant, coefficients))

    def zero(self, *parts: tuple[int, Sum]) -> None:
        self.at_least_zero(*parts)
        self.at_least_zero(*((-factor, sum_) for factor, sum_ in parts))

    def product(self, factors: Sequence[Sum]) -> Sum:
        """The product of sums: a multiple if all but one are constants."""
        constant, rest = 1, list[Sum]()
        for factor in factors:
            if factor[1]:
                rest.append(factor)
            else:
                constant *= factor[0]
        if not rest or not constant:
            return constant, {}
        if len(rest) > 1:
            made = self.unknown()
            self.products.append((next(iter(made[1])), rest))
            rest = [made]
        c, parts = rest[0]
        return constant * c, {number: constant * n for number, n in parts.items()}

    def settle(self) -> bool:
        """Assert the known facts about each monomial; False if there are too many unknowns."""
        while self._new and self.count <= MAX_UNKNOWNS:
            part = self._new.pop()
            self._say(part, (0, {self.numbers[part]: 1}))
        return self.count <= MAX_UNKNOWNS

    def _say(self, part: Term, value: Sum) -> None:
        one = (1, dict[int, int]())
        if ranges.is_never_negative(part, self.known):
            self.at_least_zero((1, value))
        divisor = (
            part.args[1].attr
            if part.op in ("floordiv", "ceildiv", "mod") and part.args[1].op == "const"
            else 0
        )
        if part.op == "iv" and ranges.counts_up(part):
            first, end, step = map(self.of, part.args)
            self.at_least_zero((1, value), (-1, first))
            self.at_least_zero((1, end), (-1, one), (-1, value))
            turns = self.unknown()
            self.at_least_zero((1, turns))
            self.zero((1, value), (-1, first), (-1, self.product([step, turns])))
        elif part.op in ("min", "max"):
            sign = 1 if part.op == "min" else -1
            for arg in part.args:
                self.at_least_zero((sign, self.of(arg)), (-sign, value))
        elif part.op == "prod":
            self.zero((1, value), (-1, self.product([self.of(factor) for factor in part.args])))
        elif part.op == "mod" and divisor > 0:
            whole, times = self.of(part.args[0]), self.unknown()
            self.at_least_zero((divisor - 1, one), (-1, value))
            self.zero((1, whole), (-divisor, times), (-1, value))
        elif divisor > 0:
            whole, up = self.of(part.args[0]), divisor - 1 if part.op == "ceildiv" else 0
            self.at_least_zero((1, whole), (up, one), (-divisor, value))
            self.at_least_zero((divisor, value), (divisor - 1 - up, one), (-1, whole))


Solver = Callable[[Inequalities], "bool | None"]
"""Whether a system is unsatisfiable; None if undecided."""


def ask_islpy(system: Inequalities) -> bool | None:
    """Integer sets of isl; products are unconstrained."""
    import islpy as isl

    context = isl.Context()
    context.set_max_operations(ISL_OPERATIONS)
    names = [f"x{i}" for i in range(system.count)]
    try:
        space = isl.Space.create_from_names(context, set=names)
        found = isl.BasicSet.universe(space)
        for constant, parts in system.sums:
            named: dict[Any, int] = {1: constant, **{names[number]: n for number, n in parts.items()}}
            found = found.add_constraint(isl.Constraint.ineq_from_names(space, named))
        return found.is_empty()
    except isl.Error:
        return None


def ask_z3(system: Inequalities) -> bool | None:
    """Integers of z3, with products."""
    import z3

    xs: list[Any] = [z3.Int(f"x{i}") for i in range(system.count)]

    def value(sum_: Sum) -> Any:
        return sum_[0] + sum(n * xs[number] for number, n in sum_[1].items())

    solver: Any = z3.Solver()
    solver.set("rlimit", Z3_RESOURCES)
    for sum_ in system.sums:
        solver.add(value(sum_) >= 0)
    for number, factors in system.products:
        product: Any = 1
        for factor in factors:
            product *= value(factor)
        solver.add(xs[number] == product)
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat


SOLVERS: dict[str, Solver] = {"islpy": ask_islpy, "z3": ask_z3}
"""The solvers by the library they require."""


class Solvers:
    """Solvers tried in turn, with cached answers.

    Attributes:
        unanswered: the queries that no solver decided within its limit.
    """

    def __init__(self, names: Sequence[str]):
        self.solvers = [SOLVERS[name] for name in names]
        self.unanswered: dict[str, None] = {}
        self._known: dict[Any, bool] = {}

    def nonnegative(self, term: Term, known: Collection[Term]) -> bool:
        """Whether a term is proved nonnegative."""
        key = term, frozenset(known)
        if key not in self._known:
            system = Inequalities(known)
            system.at_least_zero((-1, system.of(term)), (-1, (1, {})))
            self._known[key] = self._ask(system, lambda: f"{text_of(term)} is not negative")
        return self._known[key]

    def are_disjoint(self, left: Box, right: Box) -> bool:
        """Whether two boxes are proved disjoint."""
        key = left, right
        if key not in self._known:
            system = Inequalities(())
            for o, s, d, p, z, e in zip(*left, *right, strict=True):
                sides: list[Sum] = []
                for offset, size, stride in ((o, s, d), (p, z, e)):
                    at = system.unknown()
                    system.at_least_zero((1, at))
                    system.at_least_zero((1, system.of(size)), (-1, (1, {})), (-1, at))
                    along = system.product([at, system.of(stride)])
                    place = system.unknown()
                    system.zero((1, place), (-1, system.of(offset)), (-1, along))
                    sides.append(place)
                system.zero((1, sides[0]), (-1, sides[1]))
            self._known[key] = self._ask(
                system, lambda: f"{_box_text(left)} and {_box_text(right)} share no index"
            )
        return self._known[key]

    def _ask(self, system: Inequalities, text: Callable[[], str]) -> bool:
        with ranges.asking(None):
            if not system.settle():
                return False
        answers = []
        for solver in self.solvers:
            answers.append(solver(system))
            if answers[-1]:
                return True
        if None in answers:
            self.unanswered[text()] = None
        return False


def _box_text(box: Box) -> str:
    parts = [
        f"{text_of(o)}" if s is ONE else f"{text_of(o)} + {text_of(s)} * {text_of(d)}"
        for o, s, d in zip(*box, strict=True)
    ]
    return f"[{', '.join(parts)}]"
