"""A Datalog program: declarations checked, rules type-checked, safe and stratified.

All checks happen here, so that evaluation need not repeat them:

(1) atoms name declared relations with the right number of arguments, and a variable has one sort in a rule;
(2) rules derive `.decl` relations and equivalences only; inputs and externs come from outside;
(3) no relation depends on its own negation, so relations can be computed stratum by stratum;
(4) a rule is safe: its premises can be ordered so that each has the arguments bound that it needs, and all variables of the
    head are bound.

An extern that only tests makes (4) depend on the adornment of the head. Relations whose rules are safe only with the head
bound are *demand only*: they are solved for bound arguments and never stored. They must not be recursive.

    before(a, b) :- position(a, i), position(b, j), precedes(i, j).   // can be stored
    before(a, b) :- precedes(a, b).                                   // demand only
    itself(a, b) :- a = b.                                            // likewise
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import Any

from ...ir.source.records import replace
from ..fixpoint import strongly_connected_components
from .kept_rules import Parsed, kept
from .syntax import (
    Aggregate,
    Comparison,
    Constant,
    DatalogError,
    Declaration,
    Position,
    Premise,
    RelationKind,
    Rule,
    RuleArithmetic,
    RuleLiteral,
    RuleVariable,
    Term,
    Wildcard,
    variables_of,
)

ANY = "any"
"""The sort that agrees with every other."""
NUMBER = "number"
_ORDERED_SORTS = {NUMBER, "symbol", ANY}


class Program:
    """Checked declarations and rules.

    Attributes:
        declarations: by relation name, in textual order.
        rules: all rules, in textual order.
        rules_of: by head, in textual order.
        strata: groups of mutually dependent relations in dependency order; includes inputs and externs.
        stratum_of: the number of the stratum a relation is in.
        recursive: the relations that depend on themselves.
        aggregated: the relations that aggregates read; always stored.
        demand_only: the derived relations that can be solved but not stored.
        plans: cache of compiled rules; owned by `evaluation`.
    """

    def __init__(self, declarations: Iterable[Declaration], rules: Iterable[Rule]) -> None:
        """Check the rules.

        Raises:
            DatalogError: one of the conditions of the module does not hold.
        """
        self.declarations: dict[str, Declaration] = {}
        for declaration in declarations:
            if declaration.name in self.declarations:
                raise DatalogError(f"relation '{declaration.name}' is declared twice", declaration.position)
            _check_parameters(declaration)
            self.declarations[declaration.name] = declaration
        self.rules = tuple(rules)
        self.rules_of: dict[str, list[Rule]] = {name: [] for name in self.declarations}
        ids: set[str] = set()
        for rule in self.rules:
            if rule.id in ids:
                raise DatalogError(f"two rules are labelled {rule.id}", rule.position, rule.text)
            ids.add(rule.id)
            self._check_names(rule)
            self._check_sorts(rule)
            self.rules_of[rule.head.name].append(rule)
        self.strata = strongly_connected_components(self.declarations, self._dependencies)
        self.stratum_of = {name: i for i, names in enumerate(self.strata) for name in names}
        self.recursive = {
            name
            for names in self.strata
            for name in names
            if len(names) > 1 or name in self._dependencies(name)
        }
        self.aggregated = {
            premise.atom.name
            for rule in self.rules
            for premise in rule.body
            if isinstance(premise, Aggregate)
        }
        self._check_stratified()
        self._answerable: dict[tuple[str, str], bool] = {}
        self.demand_only: set[str] = set()
        self._check_safe()
        self.plans: dict[tuple[Hashable, ...], Any] = {}

    # -- queries of the evaluation --------------------------------------------------------------------

    def declaration(self, name: str) -> Declaration:
        """Raises DatalogError if no such relation is declared."""
        try:
            return self.declarations[name]
        except KeyError:
            raise DatalogError(f"there is no relation '{name}'") from None

    def stored(self, name: str) -> bool:
        """Whether the relation can be held as rows or classes."""
        return self.declarations[name].kind is not RelationKind.EXTERN and name not in self.demand_only

    def reads_rows(self, name: str, stored: bool) -> bool:
        """Whether a rule reads the stored rows of the relation, rather than unfolding its rules."""
        kind = self.declarations[name].kind
        if kind is RelationKind.INPUT or name in self.recursive or name in self.aggregated:
            return True
        return stored and self.stored(name)

    def answerable(self, name: str, adornment: str) -> bool:
        """Whether the relation can be enumerated with the arguments marked `b` in `adornment` bound."""
        declaration = self.declarations[name]
        if declaration.kind is RelationKind.EXTERN:
            return any(mode_fits(mode, adornment) for mode in declaration.modes)
        if name not in self.demand_only:
            return True
        known = self._answerable.get((name, adornment))
        if known is None:
            known = all(self._orderable(rule, adornment) for rule in self.rules_of[name])
            self._answerable[name, adornment] = known
        return known

    # -- checks ---------------------------------------------------------------------------------------

    def _dependencies(self, name: str) -> list[str]:
        return list(dict.fromkeys(atom.name for rule in self.rules_of[name] for atom, _ in rule.reads()))

    def _check_names(self, rule: Rule) -> None:
        head = self.declarations.get(rule.head.name)
        if head is not None and head.kind in (RelationKind.INPUT, RelationKind.EXTERN):
            message = f"'{rule.head.name}' is defined outside the rules (.{head.kind.value}) and cannot be derived; choose another name"
            raise DatalogError(message, rule.head.position, rule.text)
        for atom in (rule.head, *(literal.atom for literal in rule.literals())):
            declaration = self.declarations.get(atom.name)
            if declaration is None:
                raise DatalogError(f"relation '{atom.name}' is not declared", atom.position, rule.text)
            if len(atom.terms) != declaration.arity:
                message = f"'{atom.name}' takes {declaration.arity} arguments, {len(atom.terms)} given"
                raise DatalogError(message, atom.position, rule.text)

    def _check_sorts(self, rule: Rule) -> None:
        sorts: dict[str, str] = {}
        for atom in (rule.head, *(literal.atom for literal in rule.literals())):
            for term, parameter in zip(atom.terms, self.declarations[atom.name].parameters, strict=True):
                if isinstance(term, Constant) and isinstance(term.value, int | str):
                    found = NUMBER if isinstance(term.value, int) else "symbol"
                    if found != parameter.sort and parameter.sort in (NUMBER, "symbol"):
                        message = (
                            f"'{parameter.name}' of '{atom.name}' is a {parameter.sort}, and {term} a {found}"
                        )
                        raise DatalogError(message, atom.position, rule.text)
                if not isinstance(term, RuleVariable) or parameter.sort == ANY:
                    continue
                sort = sorts.setdefault(term.name, parameter.sort)
                if sort != parameter.sort:
                    message = f"'{term.name}' is a {sort} and a {parameter.sort} in one rule"
                    raise DatalogError(message, atom.position, rule.text)
        for premise in rule.body:
            if isinstance(premise, Comparison):
                left, right = _sort(premise.left, sorts), _sort(premise.right, sorts)
                both = isinstance(premise.left, RuleVariable) and isinstance(premise.right, RuleVariable)
                if both and left != right and ANY not in (left, right):
                    message = f"'{premise}' compares a {left} with a {right}"
                    raise DatalogError(message, premise.position, rule.text)
                if premise.operator not in ("=", "!=") and not {left, right} <= _ORDERED_SORTS:
                    message = f"'{premise}' needs an order; only numbers and symbols have one"
                    raise DatalogError(message, premise.position, rule.text)

    def _check_stratified(self) -> None:
        for rule in self.rules:
            for atom, grows in rule.reads():
                if not grows and self.stratum_of[atom.name] == self.stratum_of[rule.head.name]:
                    how = (
                        "negation"
                        if any(p.negated and p.atom == atom for p in rule.literals())
                        else "aggregate"
                    )
                    written = f"!{atom}" if how == "negation" else next(
                        p.text for p in rule.body if isinstance(p, Aggregate) and p.atom == atom)  # fmt: skip
                    message = f"'{rule.head.name}' depends on its own {how}, through '{written}'"
                    raise DatalogError(message, atom.position, rule.text)

    def _check_safe(self) -> None:
        for names in self.strata:
            for name in names:
                for rule in self.rules_of[name]:
                    self._check_bound_by_premises(rule)
                    if self._orderable(rule, "f" * len(rule.head.terms)):
                        continue
                    if not self._orderable(rule, "b" * len(rule.head.terms)):
                        raise DatalogError(*self._what_is_missing(rule), rule.text)
                    if (
                        name in self.recursive
                        or name in self.aggregated
                        or self.declarations[name].kind is RelationKind.EQUIVALENCE
                    ):
                        which = "recursive" if name in self.recursive else "an equivalence"
                        if name in self.aggregated:
                            which = "aggregated"
                        message = f"'{name}' is {which}, but this rule can only test a given head"
                        raise DatalogError(message, rule.position, rule.text)
                    self.demand_only.add(name)

    def _check_bound_by_premises(self, rule: Rule) -> None:
        bound: set[str] = set()
        for premise in rule.body:
            is_equality = isinstance(premise, Comparison) and premise.operator == "="
            if is_equality:
                bound.update(t.name for t in premise.terms if isinstance(t, RuleVariable))
            elif isinstance(premise, Aggregate):
                bound.update(variables_of((premise.result,)))
            elif isinstance(premise, RuleLiteral) and not premise.negated:
                bound.update(variables_of(premise.terms))
        for what, terms, position in (
            ("head", rule.head.terms, rule.head.position),
            *(("premise", p.terms, p.position) for p in rule.body),
        ):
            for term in terms:
                if what == "head" and not isinstance(term, (RuleVariable, Constant)):
                    raise DatalogError("'_' has no value in a head", position, rule.text)
                for name in variables_of((term,)):
                    if name not in bound:
                        message = f"unsafe: no positive premise gives '{name}' a value"
                        raise DatalogError(message, position, rule.text)

    def _orderable(self, rule: Rule, adornment: str) -> bool:
        bound = {
            t.name
            for t, a in zip(rule.head.terms, adornment, strict=True)
            if a == "b" and isinstance(t, RuleVariable)
        }
        return len(order_premises(rule, bound, self.answerable)) == len(rule.body)

    def _what_is_missing(self, rule: Rule) -> tuple[str, Position]:
        done = order_premises(rule, set(variables_of(rule.head.terms)), self.answerable)
        stuck = next(p for i, p in enumerate(rule.body) if i not in done)
        return f"unsafe: no premise binds the arguments that '{stuck}' needs", stuck.position


def mode_fits(mode: str, adornment: str) -> bool:
    """Whether an extern's `mode` can answer a query with this adornment."""
    return all(given == "b" for needed, given in zip(mode, adornment, strict=True) if needed == "b")


def _check_parameters(declaration: Declaration) -> None:
    names = [parameter.name for parameter in declaration.parameters]
    if len(set(names)) != len(names):
        message = f"two arguments of '{declaration.name}' have the same name"
        raise DatalogError(message, declaration.position)


def _sort(term: Term, sorts: dict[str, str]) -> str:
    if isinstance(term, RuleArithmetic):
        return NUMBER
    return sorts.get(term.name, ANY) if isinstance(term, RuleVariable) else ANY


@cache
def parse_program(text: str, file: str = "<rules>") -> Program:
    """The checked program of one rule text. Cached per process.

    Raises:
        DatalogError: see `parse` and `Program`.
    """
    from .parser import parse  # importing it with its grammar takes 3 ms

    return Program(*parse(text, file))


@cache
def load_program(*paths: str | os.PathLike[str]) -> Program:
    """The checked program of several rule files; later ones may use the declarations of earlier ones.

    Rule ids are qualified by file name: `conflict.K3`. Cached per process, even if a file changes on disk.

    Raises:
        DatalogError: see `parse` and `Program`.
        OSError: a file cannot be read.
    """
    declarations: list[Declaration] = []
    rules: list[Rule] = []
    for path in paths:
        more_declarations, more_rules = _parsed(os.fspath(path))
        declarations += more_declarations
        rules += [replace(rule, id=f"{file_stem(path)}.{rule.id}") for rule in more_rules]
    return Program(declarations, rules)


def file_stem(path: str | os.PathLike[str]) -> str:
    """The name of a file without folders and extension, which qualifies rule ids."""
    return os.path.splitext(os.path.basename(path))[0]


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@cache
def _parsed(path: str) -> Parsed:
    """The declarations and rules of a file; those of this package are shipped parsed."""
    found = kept(path) if path.startswith(_PACKAGE) else None
    if found is None:
        from .parser import parse  # importing it with its grammar takes 3 ms

        with open(path, encoding="utf-8") as file:
            found = parse(file.read(), path)
    return found


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

    `first` goes to the front: the premise that reads the delta. After it, of the premises with a bound argument the one that binds
    the fewest variables is next, and without it the one written first. The list is shorter than the body if the rest cannot
    be evaluated. Quadratic in the length of the body, once per rule and binding.
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
        ready = {i: _readiness(rule.body[i], known, answerable) for i in waiting}
        bounded = [i for i in waiting if ready[i] == 2]
        possible = bounded or [i for i in waiting if ready[i] == 1]
        if not possible:
            return order
        if first is None or not bounded:
            take(possible[0])
        else:
            take(min(possible, key=lambda i: len(set(variables_of(rule.body[i].terms)) - known)))
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
