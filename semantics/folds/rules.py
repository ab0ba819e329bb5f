"""Folds as data: textual rewrite rules.

    addi(subi(a, b), b) => a            # letters are values, the same letter the same value
    andi(x, zero=0) => zero             # numbers are constants; a name before `=` refers to the operand itself
    mului_extended(x, 1) => x, 0        # a number on the right is a new constant of the result's type
    maxsi(x, MIN) => x                  # MIN and MAX are the least and the greatest signed number of the width
    addi(addi(x, C), D) => addi(x, addi(C, D))      # for a pattern: capitals are constants, and so are terms over them

One rule per line, tried in order. A rule applies if each value on the right has the type of the result it replaces.
Numbers are modulo 2**width, and match splat vectors and tensors too. Tests prove each rule from the semantics of
the operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...ir.program.core import Operation, Value
from ...ir.source.records import record
from ...ir.source.text import lazy_pattern
from ...ir.types import attributes as a
from . import Constants, Fold, Folded
from .constants import constant_of, scalar_integer
from .elementwise import constant_like, width_of

_TOKEN: Final = lazy_pattern(r"\s*(-?\d+|[\w.]+|=>|[(),=])")


@record(frozen=True)
class RuleLetter:
    name: str

    @property
    def is_constant(self) -> bool:
        return self.name.isupper()


@record(frozen=True)
class RuleNumber:
    """A number; MIN and MAX depend on the width."""

    text: str

    def of(self, width: int) -> int:
        if self.text in ("MIN", "MAX"):
            return (1 << (width - 1)) - (self.text == "MAX")
        return int(self.text)


@record(frozen=True)
class RuleOperation:
    """A one-result operation or, at the root of the left-hand side, the operation to fold."""

    name: str
    operands: tuple[RuleTerm, ...]


@record(frozen=True)
class RuleName:
    """A term that the right-hand side refers to."""

    name: str
    term: RuleTerm


RuleTerm = RuleLetter | RuleNumber | RuleOperation | RuleName


@record(frozen=True)
class RewriteRule:
    left: RuleOperation
    right: tuple[RuleTerm, ...]
    text: str

    def match(self, op: Operation, constants: Constants) -> dict[str, Value] | None:
        """The bindings of the letters; None if the left-hand side does not match."""
        bound: dict[str, Value] = {}
        for use, constant, term in zip(op.op_operands, constants, self.left.operands, strict=True):
            if not _matches(term, use._value, constant, bound):
                return None
        return bound

    def apply(self, op: Operation, constants: Constants) -> Folded:
        """The fold results, if the right-hand side consists of values and constants."""
        bound = self.match(op, constants)
        if bound is None:
            return None
        found: list[Value | a.Attribute] = []
        for term, result in zip(self.right, op.results, strict=True):
            if isinstance(term, RuleLetter):
                value = bound[term.name]
                if value.type is not result.type:
                    return None
                found.append(value)
                continue
            assert isinstance(term, RuleNumber), self.text
            number = constant_like(result.type, term.of(width_of(result.type) or 0))
            if number is None:
                return None
            found.append(number)
        return found


def _matches(term: RuleTerm, value: Value, constant: a.Attribute | None, bound: dict[str, Value]) -> bool:
    if isinstance(term, RuleLetter):
        if term.is_constant and constant is None:
            return False
        return bound.setdefault(term.name, value) is value
    if isinstance(term, RuleNumber):
        number, width = scalar_integer(constant), width_of(value.type)
        return number is not None and width is not None and not (number - term.of(width)) % (1 << width)
    if isinstance(term, RuleName):
        bound[term.name] = value
        return _matches(term.term, value, constant, bound)
    op = value.defining_op
    if op is None or op.name != term.name:
        return False
    return all(
        _matches(inner, use._value, constant_of(use._value) if _asks(inner) else None, bound)
        for inner, use in zip(term.operands, op.op_operands, strict=True)
    )


def _asks(term: RuleTerm) -> bool:
    """Whether a term matches certain constants only."""
    if isinstance(term, RuleLetter):
        return term.is_constant
    return isinstance(term, RuleNumber) or (isinstance(term, RuleName) and _asks(term.term))


def rules_of(dialect: str, text: str) -> dict[str, tuple[RewriteRule, ...]]:
    """The rules of a text by root operation; names without a dialect belong to `dialect`."""
    found: dict[str, list[RewriteRule]] = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line:
            tokens = _TOKEN.findall(line)
            tokens.reverse()
            left = _term(tokens, dialect)
            assert isinstance(left, RuleOperation) and tokens.pop() == "=>", line
            right = tuple(_list(tokens, dialect))
            assert not tokens, line
            found.setdefault(left.name, []).append(RewriteRule(left, right, line))
    return {name: tuple(rules) for name, rules in found.items()}


def _list(tokens: list[str], dialect: str) -> Iterator[RuleTerm]:
    yield _term(tokens, dialect)
    while tokens and tokens[-1] == ",":
        tokens.pop()
        yield _term(tokens, dialect)


def _term(tokens: list[str], dialect: str) -> RuleTerm:
    word = tokens.pop()
    following = tokens[-1] if tokens else ""
    if following == "(":
        tokens.pop()
        operands = tuple(_list(tokens, dialect))
        assert tokens.pop() == ")", word
        return RuleOperation(word if "." in word else f"{dialect}.{word}", operands)
    if following == "=":
        tokens.pop()
        return RuleName(word, _term(tokens, dialect))
    return RuleNumber(word) if word in ("MIN", "MAX") or word.lstrip("-").isdigit() else RuleLetter(word)


def nothing(op: Operation, constants: Constants) -> Folded:
    """The fold of operations that have rules only."""
    return None


def fold_by(rules: Sequence[RewriteRule], otherwise: Fold) -> Fold:
    """A fold that tries the rules, then `otherwise`. O(rules)."""
    if not rules:
        return otherwise

    def fold(op: Operation, constants: Constants) -> Folded:
        for rule in rules:
            if (found := rule.apply(op, constants)) is not None:
                return found
        return otherwise(op, constants)

    return fold
