"""Rules compiled to Python source for bottom-up evaluation: a loop per binding premise, a test per other premise.

    path(x, z) :- path(x, y), edge(y, z).        for the delta of `path`:

    def run(delta, derived):
        for v0, v1 in delta:
            for _, v2 in look0(v1, ()):
                row = (v0, v2)
                if row not in rows:
                    derived[row] = rule

Rows, indexes, classes, functions and constants are bound when the code is linked with a database, so the source depends only
on the rules and is compiled once per program. All names in it are generated; no text of a rule file becomes source.
`compiled_rules` builds closures instead: for top-down queries, for explanations, and for rules with more loops than Python
nests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .compiled_rules import times
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
"""Python nests at most 20 blocks."""
_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

Run = Callable[[Any, dict[Any, Rule]], None]
"""Takes the delta (or an empty tuple) and the rows derived so far, and adds the consequences."""
Link = Callable[[Knowledge], Any]


class GeneratedRule:
    """One rule as Python source, for all rows of its premises or for the delta of one premise; see the module.

    Attributes:
        source: the generated source.
    """

    __slots__ = ("_code", "_links", "rule", "source")

    def __init__(self, rule: Rule, source: str, links: dict[str, Link]) -> None:
        self.rule = rule
        self.source = source
        self._links = links
        self._code = compile(source, f"<rule {rule.id}>", "exec")

    def link(self, known: Knowledge) -> Run:
        """The function over the rows, classes and functions of a database.

        Raises:
            DatalogError: an extern has no function.
        """
        names: dict[str, Any] = {name: link(known) for name, link in self._links.items()}
        names["rule"] = self.rule
        exec(self._code, names)
        return names["run"]


def generate(program: Program, rule: Rule, order: Sequence[int], delta: int | None) -> GeneratedRule | None:
    """The rule with its premises in `order`, `delta` first; None if it needs too many nested loops."""
    writer = _Writer(program, rule, delta)
    for i in order:
        writer.premise(rule.body[i], i == delta)
    return writer.finished() if writer.loops <= MOST_LOOPS else None


class _Writer:
    def __init__(self, program: Program, rule: Rule, delta: int | None) -> None:
        self.program = program
        self.rule = rule
        self.delta = delta
        self.lines: list[str] = []
        self.links: dict[str, Link] = {}
        self.names: dict[str, str] = {}
        self.loops = 0
        if delta is None:
            self._loop("for _ in (0,):")

    # -- text

    def _line(self, text: str) -> None:
        self.lines.append("    " * (self.loops + 1) + text)

    def _loop(self, head: str) -> None:
        self._line(head)
        self.loops += 1

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
        elif self.program.reads_rows(name, True):
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
        if len(free) == 1:
            found = f"[(x,) for x in {found}]"
        if premise.negated or not self._binds(terms):
            tests = [f"x[{i}] == {self._text(t)}" for i, t in enumerate(free) if self._is_bound(t)]
            exists = f"any({' and '.join(tests) or 'True'} for x in {found})"
            self._unless(exists if premise.negated else f"not {exists}")
        else:
            self._rows(found, free)

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

    def finished(self) -> GeneratedRule:
        """The compiled rule, after writing the insertion of the head."""
        head = self.rule.head
        name = head.name
        self._line(f"row = {self._tuple(head.terms)}")
        if self.program.declarations[name].kind is RelationKind.EQUIVALENCE:
            same = self._bind("same", lambda known: known.equivalence(name).same)
            self._line(f"if not {same}(*row): derived.setdefault(row, rule)")
        else:
            rows = self._bind("rows", lambda known: known.relation(name).rows)
            self._line(f"if row not in {rows}: derived[row] = rule")
        local = "".join(f", {name}={name}" for name in self.links)
        text = "\n".join([f"def run(delta, derived, rule=rule{local}):", *self.lines])
        return GeneratedRule(self.rule, text + "\n", self.links)
