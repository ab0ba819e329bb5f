"""Parsed rules as data, shipped beside the rule files, so that a process need not parse them.

    python -m bufferize.analysis.datalog.kept_rules FILE.dl ...

writes `FILE.rules.json` beside each file, with the checksum of the file; if the file has been edited since, each process
parses it. Parsing the rules of conflicts takes 6 ms and restoring them 1 ms, of the 120 ms of a run on ten lines.

A variable is kept as its name, `_` as null, a constant as a list of one, arithmetic as a list of three; a position as line and
column. Premises are told apart by their first entry.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable
from typing import Any

from ...ir.source.records import Plain
from .syntax import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
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
)

ENDING = ".rules.json"
Entry = list[Any]
"""What one declaration, rule, atom or premise is kept as."""
Parsed = tuple[tuple[Declaration, ...], tuple[Rule, ...]]
"""What `parser.parse` returns."""


def kept(path: str) -> Parsed | None:
    """The declarations and rules of the file at `path`; None if what is shipped is not for its content. O(rules).

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        checksum = zlib.crc32(file.read())
    try:
        with open(path.removesuffix(".dl") + ENDING, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return None
    return _Restorer(path).parsed(found) if found["checksum"] == checksum else None


def text_of(parsed: Parsed, content: bytes) -> str:
    """The content of a `.rules.json` file for rules parsed from `content`, one line per declaration and rule."""
    declarations, rules = parsed
    parts = [
        f'"checksum": {zlib.crc32(content)}',
        f'"declarations": {_lines(map(_plain_declaration, declarations))}',
        f'"rules": {_lines(map(_plain_rule, rules))}',
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(entries: Iterable[object]) -> str:
    return "[\n" + ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries) + "\n]"


def _plain_declaration(declared: Declaration) -> Entry:
    parameters = [[parameter.name, parameter.sort] for parameter in declared.parameters]
    return [declared.kind.value, declared.name, parameters, declared.modes, declared.position[1:]]


def _plain_rule(rule: Rule) -> Entry:
    body = [_plain_premise(premise) for premise in rule.body]
    return [rule.id, _plain_atom(rule.head), body, rule.text, rule.doc, rule.position[1:]]


def _plain_atom(atom: Atom) -> Entry:
    return [atom.name, [_plain_term(term) for term in atom.terms], atom.position[1:]]


def _plain_premise(premise: Premise) -> Entry:
    if isinstance(premise, RuleLiteral):
        return ["!" if premise.negated else "", _plain_atom(premise.atom)]
    if isinstance(premise, Comparison):
        left, right = _plain_term(premise.left), _plain_term(premise.right)
        return [premise.operator, left, right, premise.position[1:]]
    shape = [premise.given, premise.column, premise.text, premise.position[1:]]
    return [premise.function, _plain_term(premise.result), _plain_atom(premise.atom), *shape]


def _plain_term(term: Term) -> Entry | str | None:
    if isinstance(term, RuleVariable):
        return term.name
    if isinstance(term, Constant):
        return [term.value]
    if isinstance(term, RuleArithmetic):
        return [term.operator, _plain_term(term.left), _plain_term(term.right)]
    return None


class _Restorer:
    """Makes declarations and rules of the file `path` from their plain form."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.variables: dict[str, RuleVariable] = {}  # equal ones are shared

    def parsed(self, found: Plain) -> Parsed:
        return tuple(map(self.declaration, found["declarations"])), tuple(map(self.rule, found["rules"]))

    def declaration(self, plain: Entry) -> Declaration:
        kind, name, parameters, modes, place = plain
        named = tuple(Parameter(*parameter) for parameter in parameters)
        return Declaration(RelationKind(kind), name, named, tuple(modes), Position(self.path, *place))

    def rule(self, plain: Entry) -> Rule:
        id, head, body, text, doc, place = plain
        premises = tuple(map(self.premise, body))
        return Rule(id, self.atom(head), premises, text, doc, Position(self.path, *place))

    def atom(self, plain: Entry) -> Atom:
        name, terms, place = plain
        return Atom(name, tuple(map(self.term, terms)), Position(self.path, *place))

    def premise(self, plain: Entry) -> Premise:
        if len(plain) == 2:
            return RuleLiteral(self.atom(plain[1]), plain[0] == "!")
        if len(plain) == 4:
            operator, left, right, place = plain
            return Comparison(self.term(left), operator, self.term(right), Position(self.path, *place))
        function, result, atom, given, column, text, place = plain
        where = Position(self.path, *place)
        return Aggregate(self.term(result), function, self.atom(atom), given, column, text, where)

    def term(self, plain: Entry | str | None) -> Term:
        if isinstance(plain, list):
            if len(plain) == 1:
                return Constant(plain[0])
            return RuleArithmetic(plain[0], self.term(plain[1]), self.term(plain[2]))
        if plain is None:
            return Wildcard()
        known = self.variables.get(plain)
        if known is None:
            known = self.variables[plain] = RuleVariable(plain)
        return known


if __name__ == "__main__":
    from .parser import parse

    for argument in sys.argv[1:]:
        with open(argument, "rb") as read:
            source = read.read()
        made = text_of(parse(source.decode(), os.path.basename(argument)), source)
        with open(argument.removesuffix(".dl") + ENDING, "w", encoding="utf-8") as written:
            written.write(made)
