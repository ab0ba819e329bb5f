"""Rules of folds and patterns hold for every number of a width, by definitions of the operations that the rules do not use.

`z3` has operations on bit vectors of its own; a rule is proved for all numbers of 1, 4 and 8 bits.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.semantics.folds import arith, index, math
from bufferize.semantics.folds.rules import (
    RewriteRule,
    RuleLetter,
    RuleName,
    RuleNumber,
    RuleOperation,
    RuleTerm,
    rules_of,
)
from bufferize.transforms.patterns import arith as patterns

z3 = pytest.importorskip("z3")

BITS: dict[str, Callable] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "divs": lambda x, y: x / y,
    "divu": z3.UDiv,
    "rems": z3.SRem,
    "remu": z3.URem,
    "floordivs": lambda x, y: x / y - z3.If(z3.And(z3.SRem(x, y) != 0, (x < 0) != (y < 0)), one(x), zero(x)),
    "ceildivs": lambda x, y: x / y + z3.If(z3.And(z3.SRem(x, y) != 0, (x < 0) == (y < 0)), one(x), zero(x)),
    "ceildivu": lambda x, y: z3.UDiv(x, y) + z3.If(z3.URem(x, y) != 0, one(x), zero(x)),
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "shl": lambda x, y: x << y,
    "shrs": lambda x, y: x >> y,
    "shru": z3.LShR,
    "maxs": lambda x, y: z3.If(x > y, x, y),
    "mins": lambda x, y: z3.If(x < y, x, y),
    "maxu": lambda x, y: z3.If(z3.UGT(x, y), x, y),
    "minu": lambda x, y: z3.If(z3.ULT(x, y), x, y),
}
"""By the names that `index` has for them."""
HIGH = {"addui_extended": z3.ZeroExt, "mulsi_extended": z3.SignExt, "mului_extended": z3.ZeroExt}


def one(x):
    return z3.BitVecVal(1, x.size())


def zero(x):
    return z3.BitVecVal(0, x.size())


def short(name: str) -> str:
    """The name of an operation of `arith` in `index`: `divsi` is `divs`, `addi` `add`, `andi` `and`."""
    word = name.partition(".")[2]
    return word if word in BITS else word.removesuffix("i")


def defined(name: str, x, y):
    """Whether the operation may be executed, and gives no poison."""
    word = short(name)
    if "div" in word or "rem" in word:
        fits = z3.Not(z3.And(x == 1 << (x.size() - 1), y == -1)) if word.endswith("divs") else True
        return z3.And(y != 0, fits)
    return z3.ULT(y, x.size()) if word.startswith("sh") else z3.BoolVal(True)


def meaning(term: RuleTerm, width: int, letters: dict, conditions: list):
    """A term as bits; what has to hold for it to be defined goes to `conditions`."""
    if isinstance(term, RuleLetter):
        return letters.setdefault(term.name, z3.BitVec(term.name, width))
    if isinstance(term, RuleNumber):
        return z3.BitVecVal(term.of(width), width)
    if isinstance(term, RuleName):
        letters[term.name] = meaning(term.term, width, letters, conditions)
        return letters[term.name]
    x, y = (meaning(inner, width, letters, conditions) for inner in term.operands)
    conditions.append(defined(term.name, x, y))
    return BITS[short(term.name)](x, y)


def holds(rule: RewriteRule, width: int) -> bool:
    letters, conditions = {}, []
    word = rule.left.name.partition(".")[2]
    solver = z3.Solver()
    if word in HIGH:
        x, y = (meaning(term, width, letters, conditions) for term in rule.left.operands)
        wide = [HIGH[word](width, v) for v in (x, y)]
        whole = wide[0] + wide[1] if word.startswith("add") else wide[0] * wide[1]
        low, high = (meaning(term, width, letters, conditions) for term in rule.right)
        wrong = z3.Or(z3.Extract(width - 1, 0, whole) != low, z3.Extract(2 * width - 1, width, whole) != high)
    elif word == "trunci":
        (inner,) = rule.left.operands
        assert isinstance(inner, RuleOperation)
        x = meaning(inner.operands[0], width, letters, conditions)
        wider = (z3.ZeroExt if inner.name == "arith.extui" else z3.SignExt)(5, x)
        wrong = z3.Extract(width - 1, 0, wider) != x
    elif word == "select":
        c, x, y = (meaning(term, width, letters, conditions) for term in rule.left.operands)
        wrong = z3.If(c == 1, x, y) != meaning(rule.right[0], width, letters, conditions)
    else:
        left = meaning(rule.left, width, letters, conditions)
        solver.add(*conditions)  # where the left-hand side is undefined, anything will do
        wrong = left != meaning(rule.right[0], width, letters, conditions)
        wrong = z3.Or(wrong, *(z3.Not(condition) for condition in conditions))
    solver.add(wrong)
    return solver.check() == z3.unsat


NOT_OF_INTEGERS = {"arith.negf", "math.ipowi", "math.round", "math.roundeven", "math.trunc"}
"""Shown below."""
RULES = [
    rule
    for table in (arith.RULES, index.RULES, math.RULES, patterns.RULES)
    for name, rules in table.items()
    if name not in NOT_OF_INTEGERS
    for rule in rules
]


@pytest.mark.parametrize("rule", RULES, ids=[rule.text for rule in RULES])
def test_a_rule_holds_for_all_numbers(rule):
    assert all(holds(rule, width) for width in (1, 4, 8))


@pytest.mark.parametrize(
    "text",
    [
        "addi(x, 1) => x",
        "addi(subi(a, b), a) => b",
        "subi(addi(a, b), a) => a",
        "subi(D, subi(x, C)) => addi(x, subi(D, C))",
        "maxsi(x, 0) => x",
        "minui(x, least=1) => least",
        "shrsi(x, 1) => x",
        "ori(x, xori(x, -1)) => 0",
        "floordivsi(x, -1) => x",
        "mulsi_extended(x, 1) => x, 0",
        "xori(xori(a, b), b) => b",
    ],
)
def test_a_wrong_rule_is_refuted(text):
    ((rule,),) = rules_of("arith", text).values()
    assert not all(holds(rule, width) for width in (1, 4, 8))


def test_rules_of_floats_and_powers_hold_for_samples():
    """Negating flips one bit, twice it is the same; what is whole is kept by rounding; powers by definition."""
    for rules in (math.RULES["math.round"], math.RULES["math.roundeven"], math.RULES["math.trunc"]):
        ((rule,),) = (rules,)
        (inner,) = rule.left.operands
        assert isinstance(inner, RuleName) and isinstance(inner.term, RuleOperation)
        assert inner.term.name == rule.left.name and rule.right == (RuleLetter(inner.name),)
    (negation,) = arith.RULES["arith.negf"]
    assert negation.text == "negf(negf(x)) => x"
    assert [rule.text for rule in math.RULES["math.ipowi"]] == ["ipowi(x, 0) => 1", "ipowi(x, 1) => x"]
    assert all(x**0 == 1 and x**1 == x for x in range(-8, 8))
