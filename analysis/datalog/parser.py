"""Parser of Datalog text. The grammar is `datalog.lark`.

A block of `//` lines directly above a rule documents it; a label at its start such as `R3:` or `A10b:` is the rule's id, which
proofs cite. A comment followed by a blank line is ignored.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Any

from ...ir.source import lalr
from ...ir.source.text import lazy_pattern
from .syntax import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    DatalogError,
    Declaration,
    Parameter,
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

_LABEL = lazy_pattern(r"([A-Z]+[0-9]+[a-z]?):\s*")
_ESCAPE = lazy_pattern(r"\\(.)")
_ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "remainder": "%"}
MOST_NESTED = 50
"""Nesting depth of expressions, beyond which parsing fails, as recursive functions walk them."""
_ESCAPES = {"n": "\n", "t": "\t"}


@cache
def _grammar() -> lalr.TableParser:
    return lalr.TableParser(lalr.load(__package__ or "", "datalog"))


@cache
def parse(text: str, file: str = "<rules>") -> tuple[tuple[Declaration, ...], tuple[Rule, ...]]:
    """The declarations and rules of `text`, in order. Parsed once per process and text.

    Raises:
        DatalogError: the text is not Datalog, or a declaration contradicts itself.
    """
    reader = _Reader(text, file)
    try:
        tree = _grammar().parse_text(text)
    except lalr.UnexpectedTokenError as error:
        token = error.token
        if token.type == lalr.END:
            what = "unexpected end of the rules, a '.' may be missing"
        elif token.type:
            what = f"unexpected '{token}'"
        else:
            what = f"unexpected character {token.value!r}"
        raise DatalogError(what, reader.place(token.start_pos)) from None
    return reader.read(tree)


class _Reader:
    """Turns one parse tree into declarations and rules."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.ends = [at for at, character in enumerate(text) if character == "\n"]
        self.file = file
        self.count: dict[str, int] = {}
        self.declared: list[Declaration] = []
        self.rules: list[Rule] = []
        self.computed: list[Premise] = []
        """Equations for the arithmetic inside atoms of the current rule."""

    def read(self, tree: lalr.Node) -> tuple[tuple[Declaration, ...], tuple[Rule, ...]]:
        declarations: list[Declaration] = self.declared
        rules: list[Rule] = self.rules
        for node in tree.children:
            if node.data == "declaration":
                declarations.append(self.declaration(node))
            else:
                rules.append(self.rule(node))
        return tuple(declarations), tuple(rules)

    def place(self, at: int) -> Position:
        line = bisect_left(self.ends, at)  # line breaks before it
        return Position(self.file, line + 1, at - (self.ends[line - 1] if line else -1))

    def declaration(self, node: Any) -> Declaration:
        directive, name, *rest = node.children
        parameters = tuple(Parameter(*map(str, p.children)) for p in rest if p.data == "parameter")
        modes = tuple(str(mode) for m in rest if m.data == "modes" for mode in m.children)
        where = self.place(node.start)
        kind = RelationKind(str(directive)[1:])
        if modes and kind is not RelationKind.EXTERN:
            raise DatalogError(f"only an .extern has modes, and '{name}' is not one", where)
        for mode in modes:
            if len(mode) != len(parameters) or set(mode) - {"b", "f"}:
                raise DatalogError(
                    f"mode '{mode}' of '{name}' must have one letter, b or f, for each argument", where
                )
        if kind is RelationKind.EQUIVALENCE and (
            len(parameters) != 2 or parameters[0].sort != parameters[1].sort
        ):
            raise DatalogError(f"equivalence '{name}' needs two arguments of one sort", where)
        if kind is RelationKind.EXTERN and not modes:
            modes = ("b" * len(parameters),)
        return Declaration(kind, str(name), parameters, modes, where)

    def rule(self, node: Any) -> Rule:
        where = self.place(node.start)
        label, doc = self.comment_above(where.line)
        self.computed = []
        head = self.atom(node.children[0])
        aggregates = [child for child in node.children[1:] if child.data == "aggregate"]
        others = [self.premise(child) for child in node.children[1:] if child.data != "aggregate"]
        plain = (*others, *self.computed)
        outside = set(variables_of((*head.terms, *(t for premise in plain for t in premise.terms))))
        body = (*plain, *(self.aggregate(child, head.name, outside, aggregates) for child in aggregates))
        if not label:
            self.count[head.name] = self.count.get(head.name, 0) + 1
            label = f"{head.name}.{self.count[head.name]}"
        text = self.text[node.start : node.end]
        return Rule(label, head, body, text, doc, where)

    def comment_above(self, line: int) -> tuple[str, str]:
        """The label and the text of the comment that ends on the line above `line`; empty if none."""
        words: list[str] = []
        for above in range(line - 2, -1, -1):
            stripped = self.lines[above].strip()
            if not stripped.startswith("//"):
                break
            words.append(stripped.lstrip("/").strip())
        doc = " ".join(reversed(words))
        match = _LABEL.match(doc)
        return (match[1], doc[match.end() :]) if match else ("", doc)

    def atom(self, node: Any, start: int | None = None) -> Atom:
        name, *terms = node.children
        return Atom(
            str(name), tuple(map(self.argument, terms)), self.place(node.start if start is None else start)
        )

    def premise(self, node: Any) -> Premise:
        if node.data == "comparison":
            left, operator, right = node.children
            return Comparison(
                self.expression(left), str(operator), self.expression(right), self.place(node.start)
            )
        return RuleLiteral(self.atom(node.children[0], node.start), node.data == "negative")

    def aggregate(self, node: Any, head: str, outside: set[str], siblings: list[Any]) -> Aggregate:
        """Turn the braces into a rule of its own. Variables that also occur outside are its grouping columns."""
        left, operator, function, *rest = node.children
        where = self.place(node.start)
        if str(operator) != "=":
            raise DatalogError(
                f"bind the result of '{function}' to a variable with '=' instead of comparing it", where
            )
        has_value = getattr(rest[0], "data", "") not in ("positive", "negative", "comparison", "aggregate")
        value = self.expression(rest.pop(0)) if has_value else None
        if (value is None) != (str(function) == "count"):
            wanted = "takes nothing" if value is not None else "needs a value"
            form = "count : { ... }" if str(function) == "count" else f"{function} x : {{ ... }}"
            raise DatalogError(f"'{function}' {wanted} before the ':', as in '{form}'", where)
        result = self.expression(left)
        if isinstance(result, Wildcard):
            raise DatalogError("'_' cannot name the result", where)
        around = outside | {
            name
            for other in siblings
            if other is not node
            for name in variables_of((self.expression(other.children[0]),))
        }
        before, self.computed = self.computed, []
        if any(child.data == "aggregate" for child in rest):
            raise DatalogError("aggregates cannot be nested; define a relation for the inner one", where)
        inner = [self._named(premise) for premise in map(self.premise, rest)]
        inner += self.computed
        self.computed = before
        names = list(dict.fromkeys(variables_of(tuple(t for premise in inner for t in premise.terms))))
        given = [name for name in names if name in around]
        terms: list[Term] = [RuleVariable(name) for name in given + [n for n in names if n not in around]]
        if value is not None:
            fresh = RuleVariable(f"{function} of {value}")
            inner.append(Comparison(fresh, "=", value, where))
            terms.append(fresh)
        self.count["{"] = self.count.get("{", 0) + 1
        name = f"{head}.{function}{self.count['{']}"
        atom = Atom(name, tuple(terms), where)
        text = self.text[node.start : node.end]
        parameters = tuple(Parameter(str(term), "any") for term in terms)
        self.declared.append(Declaration(RelationKind.DERIVED, name, parameters, (), where))
        self.rules.append(Rule(name, atom, tuple(inner), text, "", where))
        return Aggregate(
            result,
            str(function),
            atom,
            len(given),
            len(terms) - 1 if value is not None else None,
            text,
            where,
        )

    def _named(self, premise: Premise) -> Premise:
        """The same, with a name for each `_` that something is found for: what is counted are ways to find something."""
        if not isinstance(premise, RuleLiteral) or premise.negated:
            return premise
        terms = [
            RuleVariable(f"_ {premise.position.line}:{premise.position.column}:{i}")
            if isinstance(t, Wildcard)
            else t
            for i, t in enumerate(premise.terms)
        ]
        return RuleLiteral(Atom(premise.atom.name, tuple(terms), premise.position), False)

    def expression(self, node: Any, depth: int = 0) -> Term:
        """A term, or what is computed of terms."""
        sign = _ARITHMETIC.get(node.data)
        if sign is None and node.data != "negate":
            return self.term(node)
        if depth > MOST_NESTED:
            raise DatalogError(
                f"an expression is nested more than {MOST_NESTED} deep", self.place(node.start)
            )
        parts = [self.expression(child, depth + 1) for child in node.children]
        if any(isinstance(part, Wildcard) for part in parts):
            raise DatalogError("'_' has no value in an expression", self.place(node.start))
        if sign is None:
            only = parts[0]
            if isinstance(only, Constant) and isinstance(only.value, int):
                return Constant(-only.value)
            return RuleArithmetic("-", Constant(0), only)
        return RuleArithmetic(sign, parts[0], parts[1])

    def argument(self, node: Any) -> Term:
        """A term of an atom. What is computed there gets a name, and an equation beside the atom."""
        found = self.expression(node)
        if not isinstance(found, RuleArithmetic):
            return found
        name = RuleVariable(str(found))
        self.computed.append(Comparison(name, "=", found, self.place(node.start)))
        return name

    def term(self, node: Any) -> Term:
        if node.data == "wildcard":
            return Wildcard()
        word = str(node.children[0])
        if node.data == "variable":
            return RuleVariable(word)
        if node.data == "number":
            return Constant(int(word))
        return Constant(_ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[1]), word[1:-1]))
