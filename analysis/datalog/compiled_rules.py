"""Rules compiled to Python source: a loop per binding premise, a test per other premise.

    path(x, z) :- path(x, y), edge(y, z).

    bottom-up, for the delta of `path`:           top-down, for a path from `g0`:

    def run(delta, derived):                      def run(g0):
        for v0, v1 in delta:                          for v1 in goal(g0):
            for _, v2 in look(v1, ()):                    for _, v2 in look(v1, ()):
                row = (v0, v2)                                yield (g0, v2)
                if row not in rows:
                    derived[row] = rule

Rows, indexes, classes, functions and constants are bound when the code is linked with a database, so the source depends only
on the rules and is compiled once per program. All names in it are generated; no text of a rule file becomes source.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from enum import Enum, auto
from types import CodeType
from typing import Any

from .program import Program, mode_fits
from .relation import Knowledge
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
    variables_of,
)

MOST_LOOPS = 16
"""Python nests at most 20 blocks; a longer rule continues in another function."""
_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

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

Link = Callable[[Knowledge], Any]


class Purpose(Enum):
    """The action of a compiled rule for each instance of the rule, and its parameters besides the head's arguments."""

    DERIVE = auto()  # bottom-up: adds new rows of the head to `derived`
    ROWS = auto()  # for given arguments of the head: yields the rows of the head
    INSTANCES = auto()  # likewise: yields the values of all variables
    TEST = auto()  # likewise: returns whether there is an instance
    WATCH = (
        auto()
    )  # likewise: calls `watch` with the number of premises that hold, and the values known so far

    @property
    def parameters(self) -> tuple[str, ...]:
        return _PARAMETERS.get(self, ())


_PARAMETERS = {Purpose.DERIVE: ("delta", "derived"), Purpose.WATCH: ("watch",)}


class CompiledRule:
    """One rule as Python source; see the module.

    Attributes:
        rule: the rule.
        source: the generated source.
        variables: for each number of premises that hold, the variables that are bound then.
    """

    __slots__ = ("_code", "_links", "rule", "source", "variables")

    def __init__(
        self, rule: Rule, source: str, links: dict[str, Link], variables: list[tuple[str, ...]]
    ) -> None:
        self.rule = rule
        self.source = source
        self.variables = variables
        self._links = links
        self._code: CodeType | None = None  # on first use

    def link(self, known: Knowledge) -> Callable[..., Any]:
        """The function over the rows, classes and functions of a database.

        Raises:
            DatalogError: an extern has no function.
        """
        names: dict[str, Any] = {name: link(known) for name, link in self._links.items()}
        names["rule"] = self.rule
        if self._code is None:
            self._code = compile(self.source, f"<rule {self.rule.id}>", "exec")
        exec(self._code, names)
        return names["run"]


def compile_rule(
    program: Program,
    rule: Rule,
    order: Sequence[int],
    purpose: Purpose,
    *,
    adornment: str = "",
    delta: int | None = None,
    stored: bool = True,
) -> CompiledRule:
    """The rule with its premises in `order`.

    With `delta`, that premise, which is first, ranges over given rows only. The arguments of the head that are marked
    `b` in `adornment` are given. With `stored`, derived relations are read from their rows, which must be up to
    date; without, their rules are unfolded.
    """
    writer = _Writer(program, rule, purpose, stored)
    if delta is None:
        writer.bind_head(adornment)
    for i in order:
        writer.watch()
        writer.premise(rule.body[i], i == delta)
    return writer.finished()


class _Writer:
    def __init__(self, program: Program, rule: Rule, purpose: Purpose, stored: bool) -> None:
        self.program = program
        self.rule = rule
        self.purpose = purpose
        self.stored = stored
        self.lines: list[str] = []
        self.functions: list[tuple[str, list[str]]] = []  # those that continue in another one
        self.links: dict[str, Link] = {}
        self.names: dict[str, str] = {}
        self.variables: list[tuple[str, ...]] = []
        self.loops = 0
        self.parameters = list(purpose.parameters)

    def bind_head(self, adornment: str) -> None:
        """Take the given arguments of the head as parameters. Tests `continue` the loop."""
        given = [t for t, letter in zip(self.rule.head.terms, adornment, strict=False) if letter == "b"]
        self.parameters += [f"g{i}" for i in range(len(given))]
        self._loop("for _ in (0,):")
        for i, term in enumerate(given):
            if isinstance(term, RuleVariable) and term.name not in self.names:
                self.names[term.name] = f"g{i}"
            else:
                self._unless(f"g{i} != {self._text(term)}")

    def watch(self) -> None:
        """One more premise holds."""
        self.variables.append(tuple(self.names))
        if self.purpose is Purpose.WATCH:
            self._line(f"watch({len(self.variables) - 1}, {self._values()})")

    # -- text

    def _line(self, text: str) -> None:
        self.lines.append("    " * (self.loops + 1) + text)

    def _loop(self, head: str) -> None:
        if self.loops == MOST_LOOPS:
            self._continue_in_another()
        self._line(head)
        self.loops += 1

    def _continue_in_another(self) -> None:
        following = [*self.purpose.parameters, *self.names.values()]
        again = f"rest{len(self.functions)}"
        call = f"{again}({', '.join(following)})"
        if self.purpose is Purpose.TEST:
            self._line(f"if {call}: return True")
        else:
            generates = self.purpose in (Purpose.ROWS, Purpose.INSTANCES)
            self._line(f"{'yield from ' if generates else ''}{call}")
        self._end_function()
        self.parameters, self.lines, self.loops = following, [], 0

    def _end_function(self) -> None:
        name = f"rest{len(self.functions) - 1}" if self.functions else "run"
        self.functions.append((f"def {name}({', '.join(self.parameters)}", self.lines))

    def _values(self) -> str:
        return "(" + "".join(f"{name}, " for name in self.names.values()) + ")"

    def _unless(self, condition: str) -> None:
        self._line(f"if {condition}: continue")

    def _bind(self, prefix: str, link: Link) -> str:
        name = f"{prefix}{len(self.links)}"
        self.links[name] = link
        return name

    # -- terms

    def _new(self, term: RuleVariable) -> str:
        return self.names.setdefault(term.name, f"v{len(self.names)}")

    def _is_bound(self, term: Term) -> bool:
        if isinstance(term, RuleArithmetic):
            return all(name in self.names for name in variables_of((term,)))
        return isinstance(term, Constant) or (isinstance(term, RuleVariable) and term.name in self.names)

    def _text(self, term: Term) -> str:
        if isinstance(term, RuleVariable):
            return self.names[term.name]
        if isinstance(term, RuleArithmetic):
            if term.operator == "*":
                self.links["times"] = lambda _: times
                return f"times({self._text(term.left)}, {self._text(term.right)})"
            operator = "//" if term.operator == "/" else term.operator
            return f"({self._text(term.left)} {operator} {self._text(term.right)})"
        assert isinstance(term, Constant)
        value = term.value
        if type(value) is int:
            return str(value) if value >= 0 else f"({value})"
        return self._bind("k", lambda _: value)

    def _tuple(self, terms: Sequence[Term]) -> str:
        return "(" + "".join(f"{self._text(term)}, " for term in terms) + ")"

    def _key(self, terms: Sequence[Term]) -> str:
        return self._text(terms[0]) if len(terms) == 1 else self._tuple(terms)

    # -- premises

    def premise(self, premise: Premise, delta: bool) -> None:
        """Write the loop or test of one premise."""
        if isinstance(premise, Aggregate):
            self._aggregate(premise)
            return
        if isinstance(premise, Comparison):
            self._comparison(premise)
            return
        name = premise.atom.name
        kind = self.program.declarations[name].kind
        if delta:
            self._rows("delta", premise.terms)
        elif kind is RelationKind.EXTERN:
            self._extern(premise)
        elif kind is RelationKind.EQUIVALENCE:
            self._equivalence(premise)
        elif self.program.reads_rows(name, self.stored):
            self._stored(premise)
        else:
            self._subgoal(premise)

    def _rows(self, rows: str, terms: Sequence[Term], checked: Sequence[int] = ()) -> None:
        """A loop over rows that binds unbound terms; the columns `checked` match already."""
        targets: list[str] = []
        tests: list[str] = []
        seen: dict[str, str] = {}
        for column, term in enumerate(terms):
            if self._is_bound(term) or (isinstance(term, RuleVariable) and term.name in seen):
                if column in checked:
                    targets.append("_")
                    continue
                targets.append(f"c{column}")
                known = (
                    seen[term.name]
                    if isinstance(term, RuleVariable) and term.name in seen
                    else self._text(term)
                )
                tests.append(f"c{column} != {known}")
            elif isinstance(term, RuleVariable):
                seen[term.name] = f"v{len(self.names) + len(seen)}"
                targets.append(seen[term.name])
            else:
                targets.append("_")
        self._loop(
            f"for {''.join(f'{target}, ' for target in targets)}in {rows}:"
            if targets
            else f"for _ in {rows}:"
        )
        for test in tests:
            self._unless(test)
        self.names.update(seen)

    def _binds(self, terms: Sequence[Term]) -> bool:
        return any(isinstance(term, RuleVariable) and term.name not in self.names for term in terms)

    def _comparison(self, premise: Comparison) -> None:
        left, right = premise.left, premise.right
        if self._is_bound(left) and self._is_bound(right):
            self._unless(f"not {self._text(left)} {_OPERATORS[premise.operator]} {self._text(right)}")
            return
        if self._is_bound(left):
            left, right = right, left
        assert isinstance(left, RuleVariable)
        value = self._text(right)
        self._line(f"{self._new(left)} = {value}")

    def _aggregate(self, premise: Aggregate) -> None:
        name, columns = premise.atom.name, tuple(range(premise.given))
        value = self._bind("aggregate", lambda _: premise.of)
        if columns:
            look = self._bind("look", lambda known: known.relation(name).index(columns).get)
            rows = f"{look}({self._key(premise.terms[1:])}, ())"
        else:
            rows = self._bind("all", lambda known: known.relation(name).order)
        result = f"found{len(self.links)}"
        self._line(f"{result} = {value}({rows})")
        if self._is_bound(premise.result):
            self._unless(f"{result} is None or {result} != {self._text(premise.result)}")
        else:
            assert isinstance(premise.result, RuleVariable)
            self._unless(f"{result} is None")
            self._line(f"{self._new(premise.result)} = {result}")

    def _stored(self, premise: RuleLiteral) -> None:
        name, terms = premise.atom.name, premise.terms
        columns = [c for c, term in enumerate(terms) if self._is_bound(term)]
        bound = [terms[c] for c in columns]
        if len(columns) == len(terms):
            rows = self._bind("rows", lambda known: known.relation(name).rows)
            self._unless(f"{self._tuple(terms)} {'in' if premise.negated else 'not in'} {rows}")
            return
        if columns:
            look = self._bind("look", lambda known: known.relation(name).index(tuple(columns)).get)
            found = f"{look}({self._key(bound)}, ())"
        else:
            found = self._bind("all", lambda known: known.relation(name).order)
        if premise.negated or not self._binds(terms):
            self._unless(found if premise.negated else f"not {found}")
        else:
            self._rows(found, terms, columns)

    def _equivalence(self, premise: RuleLiteral) -> None:
        name, terms = premise.atom.name, premise.terms
        negated = "" if premise.negated else "not "
        left, right = terms
        known = [self._is_bound(term) for term in terms]
        relation = self._bind("classes", lambda known: known.equivalence(name))
        if all(known):
            self._unless(f"{negated}{relation}.same({self._text(left)}, {self._text(right)})")
        elif any(known):
            one, other = (left, right) if known[0] else (right, left)
            if premise.negated or not isinstance(other, RuleVariable):
                self._unless(f"{self._text(one)} {'in' if premise.negated else 'not in'} {relation}")
            else:
                members = f"{relation}.members({self._text(one)})"
                self._loop(f"for {self._new(other)} in {members}:")
        elif premise.negated or not self._binds(terms):
            self._unless(f"len({relation})" if premise.negated else f"not len({relation})")
        elif left == right:
            assert isinstance(left, RuleVariable)
            self._loop(f"for {self._new(left)} in list({relation}):")
        else:
            one, other = (self._new(t) if isinstance(t, RuleVariable) else "_" for t in terms)
            if one == "_":
                self._loop(f"for {other} in [y for x in {relation} for y in {relation}.members(x)]:")
                return
            self._loop(f"for {one} in list({relation}):")
            self._loop(f"for {other} in {relation}.members({one}):")

    def _extern(self, premise: RuleLiteral) -> None:
        name, terms = premise.atom.name, premise.terms
        adornment = "".join("b" if self._is_bound(term) else "f" for term in terms)
        fitting = [m for m in self.program.declarations[name].modes if mode_fits(m, adornment)]
        mode = max(fitting, key=lambda m: m.count("b"))
        function = self._bind("call", lambda known: known.extern(name, mode))
        asked = ", ".join(self._text(t) for t, letter in zip(terms, mode, strict=True) if letter == "b")
        free = [t for t, letter in zip(terms, mode, strict=True) if letter == "f"]
        found = f"{function}({asked})"
        if not free:
            self._unless(found if premise.negated else f"not {found}")
            return
        if premise.negated or not self._binds(terms):
            if len(free) == 1 and self._is_bound(free[0]):
                exists = f"{self._text(free[0])} in {found}"
            else:
                tests = [f"x[{i}] == {self._text(t)}" for i, t in enumerate(free) if self._is_bound(t)]
                exists = f"any({' and '.join(tests) or 'True'} for x in {found})"
            self._unless(exists if premise.negated else f"not {exists}")
        elif len(free) == 1 and isinstance(free[0], RuleVariable):
            self._loop(f"for {self._new(free[0])} in {found}:")
        else:
            self._rows(f"[(x,) for x in {found}]" if len(free) == 1 else found, free)

    def _subgoal(self, premise: RuleLiteral) -> None:
        name, terms = premise.atom.name, premise.terms
        columns = [c for c, term in enumerate(terms) if self._is_bound(term)]
        adornment = "".join("b" if c in columns else "f" for c in range(len(terms)))
        goal = self._bind("goal", lambda known: known.subgoal(name, adornment))
        given = self._tuple([terms[c] for c in columns])
        if premise.negated or not self._binds(terms):
            self._unless(f"{'' if premise.negated else 'not '}{goal}.any({given})")
        else:
            self._rows(f"{goal}.run({given})", terms, columns)

    # -- the head

    def finished(self) -> CompiledRule:
        """The compiled rule, after writing what is done with an instance."""
        self.variables.append(tuple(self.names))
        if self.purpose is Purpose.DERIVE:
            self._derive()
        elif self.purpose is Purpose.ROWS:
            self._line(f"yield {self._tuple(self.rule.head.terms)}")
        elif self.purpose is Purpose.INSTANCES:
            self._line(f"yield {self._values()}")
        else:
            self._line("return True" if self.purpose is Purpose.TEST else "pass")
        self._end_function()
        local = "".join(f", {name}={name}" for name in (*self.links, "rule"))
        text = "".join(
            "\n".join([f"{head}{', ' if head[-1] != '(' else ''}{local[2:]}):", *lines]) + "\n"
            for head, lines in reversed(self.functions)
        )
        return CompiledRule(self.rule, text, self.links, self.variables)

    def _derive(self) -> None:
        head = self.rule.head
        name = head.name
        self._line(f"row = {self._tuple(head.terms)}")
        if self.program.declarations[name].kind is RelationKind.EQUIVALENCE:
            same = self._bind("same", lambda known: known.equivalence(name).same)
            self._line(f"if not {same}(*row): derived.setdefault(row, rule)")
        else:
            rows = self._bind("rows", lambda known: known.relation(name).rows)
            self._line(f"if row not in {rows}: derived[row] = rule")
