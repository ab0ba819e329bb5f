"""Rule text to rules. The grammar is `datalog.lark`.

A block of `//` lines directly above a rule documents it; if the block opens with a label such as `R3:` or
`A10b:`, that is the rule's id, and proofs cite it. A comment followed by a blank line belongs to nobody.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ...ir.source import lalr
from .errors import DatalogError, Position
from .syntax import (
    Atom,
    Comparison,
    Constant,
    Declaration,
    Parameter,
    Premise,
    RelationKind,
    Rule,
    RuleLiteral,
    RuleVariable,
    Term,
    Wildcard,
)

_LABEL = re.compile(r"([A-Z]+[0-9]+[a-z]?):\s*")
_ESCAPE = re.compile(r"\\(.)")
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
        self.file = file
        self.count: dict[str, int] = {}

    def read(self, tree: lalr.Node) -> tuple[tuple[Declaration, ...], tuple[Rule, ...]]:
        declarations: list[Declaration] = []
        rules: list[Rule] = []
        for node in tree.children:
            if node.data == "declaration":
                declarations.append(self.declaration(node))
            else:
                rules.append(self.rule(node))
        return tuple(declarations), tuple(rules)

    def place(self, at: int) -> Position:
        line = self.text.count("\n", 0, at) + 1
        return Position(self.file, line, at - self.text.rfind("\n", 0, at))

    def declaration(self, node: Any) -> Declaration:
        directive, name, *rest = node.children
        parameters = tuple(Parameter(*map(str, p.children)) for p in rest if p.data == "parameter")
        modes = tuple(str(mode) for m in rest if m.data == "modes" for mode in m.children)
        where = self.place(node.start)
        kind = RelationKind(str(directive)[1:])
        if modes and kind is not RelationKind.EXTERN:
            raise DatalogError(f"only an .extern has modes, '{name}' is none", where)
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
        head = self.atom(node.children[0])
        body = tuple(self.premise(child) for child in node.children[1:])
        where = self.place(node.start)
        label, doc = self.comment_above(where.line)
        if not label:
            self.count[head.name] = self.count.get(head.name, 0) + 1
            label = f"{head.name}.{self.count[head.name]}"
        text = self.text[node.start : node.end]
        return Rule(label, head, body, text, doc, where)

    def comment_above(self, line: int) -> tuple[str, str]:
        """The label and the words of the comment that ends on the line above `line`; empty if none."""
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
            str(name), tuple(map(self.term, terms)), self.place(node.start if start is None else start)
        )

    def premise(self, node: Any) -> Premise:
        if node.data == "comparison":
            left, operator, right = node.children
            return Comparison(self.term(left), str(operator), self.term(right), self.place(node.start))
        return RuleLiteral(self.atom(node.children[0], node.start), node.data == "negative")

    def term(self, node: Any) -> Term:
        if node.data == "wildcard":
            return Wildcard()
        word = str(node.children[0])
        if node.data == "variable":
            return RuleVariable(word)
        if node.data == "number":
            return Constant(int(word))
        return Constant(_ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[1]), word[1:-1]))
