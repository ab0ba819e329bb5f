"""Rules compiled to Python source: a loop per binding premise, a test per other premise. For bottom-up evaluation:

    path(x, z) :- path(x, y), edge(y, z).        for the delta of `path`:

    def run(delta, derived):
        for v0, v1 in delta:
            for _, v2 in look0(v1, ()):
                row = (v0, v2)
                if row not in rows:
                    derived[row] = rule

Goals that are asked often become one function that tries their rules in turn, and asks for no answer of an extern twice:

    def run(a0, a1):
        t0 = None
        for _ in (0,):
            for v2 in (t0 if t0 is not None else (t0 := tuple(call0(a0)))):
                if not call1(v2, a1): continue
                return (a0, a1)

Rows, indexes, classes, functions and constants are bound when the code is linked with a database, so the source depends only
on the rules and is compiled once per program. All names in it are generated; no text of a rule file becomes source.
`compiled_rules` builds closures instead: for rare top-down queries, for explanations, and for rules with more loops than
Python nests.
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


class GeneratedCode:
    """A function `run` as Python source, for a rule or a goal; see the module.

    Attributes:
        source: the generated source.
    """

    __slots__ = ("_code", "_links", "source")

    def __init__(self, name: str, source: str, links: dict[str, Link]) -> None:
        self.source = source
        self._links = links
        self._code = compile(source, f"<{name}>", "exec")

    def link(self, known: Knowledge) -> Callable[..., Any]:
        """The function over the rows, classes and functions of a database.

        Raises:
            DatalogError: an extern has no function.
        """
        names: dict[str, Any] = {name: link(known) for name, link in self._links.items()}
        exec(self._code, names)
        return names["run"]


def generate(program: Program, rule: Rule, order: Sequence[int], delta: int | None) -> GeneratedCode | None:
    """The rule with its premises in `order`, `delta` first; None if it needs too many nested loops."""
    writer = _Writer(program, True)
    if delta is None:
        writer.start()
    for i in order:
        writer.premise(rule.body[i], i == delta)
    writer.derive(rule)
    return writer.finished(f"rule {rule.id}", ("delta", "derived")) if writer.is_nestable else None


def generate_goal(
    program: Program, rules: Sequence[tuple[Rule, Sequence[int]]], adornment: str, stored: bool
) -> GeneratedCode | None:
    """A function from the bound arguments to the first matching row or None, which tries the rules in turn.

    Args:
        rules: each rule, and the order of its premises.
        stored: whether derived relations are read from their rows.

    Returns:
        None if a rule computes, whose mistakes are reported by rule, or needs too many nested loops.
    """
    if any(rule.computes for rule, _ in rules):
        return None
    writer = _Writer(program, stored)
    for rule, order in rules:
        writer.start()
        writer.bind_head(rule.head.terms, adornment)
        for i in order:
            writer.premise(rule.body[i], False)
        writer.answer(rule.head.terms)
        if not writer.is_nestable:
            return None
    parameters = [f"a{i}" for i in range(adornment.count("b"))]
    return writer.finished(f"goal {adornment}", parameters)


class _Writer:
    """Writes the source of one rule, or of the rules of one goal.

    Attributes:
        stored: whether derived relations are read from their rows, which must be up to date, or their rules unfolded.
    """

    def __init__(self, program: Program, stored: bool) -> None:
        self.program = program
        self.stored = stored
        self.lines: list[str] = []
        self.links: dict[str, Link] = {}
        self.names: dict[str, str] = {}
        self.loops = 0
        self.most_loops = 0
        self._called: dict[str, str] = {}
        self._answers: dict[str, str] = {}

    @property
    def is_nestable(self) -> bool:
        return self.most_loops <= MOST_LOOPS

    def start(self) -> None:
        """Start a rule that does not begin with a loop over its delta."""
        self.names = {}
        self.loops = 0
        self._loop("for _ in (0,):")

    def bind_head(self, terms: Sequence[Term], adornment: str) -> None:
        """The parameters, which are the bound terms of the head."""
        given = [term for term, letter in zip(terms, adornment, strict=True) if letter == "b"]
        for number, term in enumerate(given):
            if self._is_bound(term):
                self._unless(f"a{number} != {self._text(term)}")
            else:
                assert isinstance(term, RuleVariable)
                self.names[term.name] = f"a{number}"

    # -- text

    def _line(self, text: str) -> None:
        self.lines.append("    " * (self.loops + 1) + text)

    def _loop(self, head: str) -> None:
        self._line(head)
        self.loops += 1
        self.most_loops = max(self.most_loops, self.loops)

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
        key = f"{name} {mode}"
        function = self._called.get(key)
        if function is None:
            function = self._called[key] = self._bind("call", lambda known: known.extern(name, mode))
        asked = [self._text(t) for t, letter in zip(terms, mode, strict=True) if letter == "b"]
        free = [t for t, letter in zip(terms, mode, strict=True) if letter == "f"]
        call = f"{function}({', '.join(asked)})"
        if not free:
            self._unless(self._once(call, asked) if premise.negated else f"not {self._once(call, asked)}")
            return
        if len(free) == 1:
            found, term = self._once(call, asked, are_rows=True), free[0]
            if self._is_bound(term):
                self._unless(f"{self._text(term)} {'in' if premise.negated else 'not in'} {found}")
            elif premise.negated or not isinstance(term, RuleVariable):
                self._unless(found if premise.negated else f"not {found}")
            else:
                self._loop(f"for {self._new(term)} in {found}:")
        elif premise.negated or not self._binds(terms):
            tests = [f"x[{i}] == {self._text(t)}" for i, t in enumerate(free) if self._is_bound(t)]
            exists = f"any({' and '.join(tests) or 'True'} for x in {call})"
            self._unless(exists if premise.negated else f"not {exists}")
        else:
            self._rows(call, free)

    def _once(self, call: str, arguments: Sequence[str], are_rows: bool = False) -> str:
        """The call, whose answer is remembered if it depends on parameters of a goal alone: other rules may ask it, too."""
        if not all(text.startswith("a") for text in arguments):
            return call
        kept = self._answers.setdefault(call, f"t{len(self._answers)}")
        answer = f"tuple({call})" if are_rows else call
        return f"({kept} if {kept} is not None else ({kept} := {answer}))"

    def _subgoal(self, premise: RuleLiteral) -> None:
        name, terms = premise.atom.name, premise.terms
        columns = [c for c, term in enumerate(terms) if self._is_bound(term)]
        adornment = "".join("b" if c in columns else "f" for c in range(len(terms)))
        key = f"{name} {adornment}"
        goal = self._called.get(key)
        if goal is None:
            goal = self._called[key] = self._bind("goal", lambda known: known.subgoal(name, adornment))
        bound = [terms[c] for c in columns]
        given = self._tuple(bound)
        if premise.negated or not self._binds(terms):
            found = self._once(f"{goal}.any({given})", [self._text(term) for term in bound])
            self._unless(f"{'' if premise.negated else 'not '}{found}")
        else:
            self._rows(f"{goal}.run({given})", terms, columns)

    # -- the head

    def derive(self, rule: Rule) -> None:
        """Insert the row of the head among those derived."""
        head = rule.head
        name = head.name
        derived_by = self._bind("rule", lambda _: rule)
        self._line(f"row = {self._tuple(head.terms)}")
        if self.program.declarations[name].kind is RelationKind.EQUIVALENCE:
            same = self._bind("same", lambda known: known.equivalence(name).same)
            self._line(f"if not {same}(*row): derived.setdefault(row, {derived_by})")
        else:
            rows = self._bind("rows", lambda known: known.relation(name).rows)
            self._line(f"if row not in {rows}: derived[row] = {derived_by}")

    def answer(self, terms: Sequence[Term]) -> None:
        """Return the row of the head."""
        self._line(f"return {self._tuple(terms)}")

    def finished(self, name: str, parameters: Sequence[str]) -> GeneratedCode:
        """The compiled function."""
        local = [f"{name}={name}" for name in self.links]
        kept = [f"    {' = '.join(self._answers.values())} = None"] if self._answers else []
        head = f"def run({', '.join([*parameters, *local])}):"
        text = "\n".join([head, *kept, *self.lines, "    return None"])
        return GeneratedCode(name, text + "\n", self.links)
