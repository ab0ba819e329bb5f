"""Proofs as data, and as text.

A proof is a tree whose node says what holds and why; its leaves are facts, computed tests, absent tuples and
comparisons. Equal parts are one object, so a proof is no larger than the facts that take part in it;
the text shows each once and refers back to it with "see above".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from ...ir.source.records import field, record
from .syntax import Row, Rule


class Why(Enum):
    """The reason at a node of a proof."""

    FACT = "fact"  # asserted from outside
    RULE = "rule"  # by a rule, from the premises
    CHAIN = "chain"  # by a chain of unions, each a premise
    REFLEXIVE = "reflexive"  # a known element is equivalent to itself
    EXTERN = "computed"  # a function says so
    ABSENT = "absent"  # no such tuple
    COMPARISON = "comparison"  # by comparing values
    MISSED = "missed"  # a rule does not apply, for what excludes it holds
    AGGREGATE = "aggregate"  # of all rows of a relation


@record(frozen=True, eq=False)
class Proof:
    """Why something holds.

    Attributes:
        name: the relation; for a comparison its operator, for a rule that does not apply its id.
        row: the arguments, None where any value will do.
        why: the kind of reason.
        rule: the rule, for Why.RULE.
        bindings: the value of each variable of the rule.
        premises: the proofs of what the rule or the chain needs, in the order of the rule.
        label: what was asserted along with a fact.
    """

    name: str
    row: Row
    why: Why
    rule: Rule | None = None
    bindings: dict[str, Any] = field(default_factory=dict)
    premises: tuple[Proof, ...] = ()
    label: object = None

    def reason(self, show: Callable[[Any], str] = str) -> str:
        """The reason in a word or two; empty where the conclusion says it all."""
        if self.rule is not None and self.why is not Why.MISSED:
            return self.rule.id
        if self.why in (Why.ABSENT, Why.COMPARISON, Why.AGGREGATE, Why.MISSED):
            return ""
        return self.why.value if self.label is None else f"{self.why.value}  {show(self.label)}"

    def conclusion(self, show: Callable[[Any], str] = str) -> str:
        """What holds, as it is written in rules; "no p(x)" for an absent tuple."""
        words = ["_" if value is None else show(value) for value in self.row]
        if self.why is Why.COMPARISON:
            return f"{words[0]} {self.name} {words[1]}"
        if self.why is Why.AGGREGATE:
            return f"{words[0]} = {self.name}"
        if self.why is Why.MISSED:
            holds = self.premises[0]
            return f"why not {self.name}: {holds.rule.id if holds.rule is not None else holds.conclusion(show)} holds"
        text = f"{self.name}({', '.join(words)})"
        return f"no {text}" if self.why is Why.ABSENT else text

    def render(self, show: Callable[[Any], str] = str) -> str:
        """The tree as text, one conclusion a line, the reasons in a column of their own.

        `show` writes values. No line ends in a space; there is no newline at the end. Each level indents by
        three columns.
        """
        return "\n".join(_columns(_lines(self, show)))


_BRANCH, _LAST, _PASS, _BLANK = "├─ ", "└─ ", "│  ", "   "


def _lines(root: Proof, show: Callable[[Any], str]) -> Iterable[tuple[str, str]]:
    shown: set[int] = set()
    waiting: list[tuple[str, str, Proof]] = [("", "", root)]
    while waiting:
        here, below, proof = waiting.pop()
        reason = proof.reason(show)
        if id(proof) in shown and proof.premises:
            yield here + proof.conclusion(show), f"{reason}  see above"
            continue
        shown.add(id(proof))
        yield here + proof.conclusion(show), reason
        for i, premise in enumerate(reversed(proof.premises)):
            branch, passing = (_LAST, _BLANK) if i == 0 else (_BRANCH, _PASS)
            waiting.append((below + branch, below + passing, premise))


def _columns(lines: Iterable[tuple[str, str]]) -> Iterable[str]:
    listed = list(lines)
    width = max((len(left) for left, right in listed if right), default=0)
    return (f"{left:<{width}}  {right}" if right else left for left, right in listed)
