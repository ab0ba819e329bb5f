"""Rules of folds and patterns hold for every number of a width, by definitions of the operations that the rules do not use.

`z3` has operations on bit vectors of its own; a rule is proved for all numbers of 1, 4 and 8 bits.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.ir.text.parser import parse_text
from bufferize.semantics.folds import arith, constant_of, index, math
from bufferize.semantics.folds.rules import (
    RewriteRule,
    RuleLetter,
    RuleName,
    RuleNumber,
    RuleOperation,
    RuleTerm,
    candidates,
    rules_of,
)
from bufferize.transforms.patterns import arith as patterns, index as index_patterns, shape, tensor

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
COMPARE: dict[str, Callable] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "slt": lambda x, y: x < y,
    "sle": lambda x, y: x <= y,
    "sgt": lambda x, y: x > y,
    "sge": lambda x, y: x >= y,
    "ult": z3.ULT,
    "ule": z3.ULE,
    "ugt": z3.UGT,
    "uge": z3.UGE,
}
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
    word = term.name.partition(".")[2]
    if word == "select":
        condition, *chosen = term.operands
        c = meaning(condition, 1, letters, conditions)
        x, y = (meaning(inner, width, letters, conditions) for inner in chosen)
        return z3.If(c == 1, x, y)
    known = [
        None if isinstance(inner, RuleNumber) else meaning(inner, width, letters, conditions)
        for inner in term.operands
    ]
    size = next(
        (x.size() for x in known if x is not None), width
    )  # a number has the width of the other operand
    operands = [
        meaning(inner, size, letters, conditions) if x is None else x
        for inner, x in zip(term.operands, known, strict=True)
    ]
    if word == "cmpi":
        return z3.If(COMPARE[term.predicate](*operands), z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))
    if len(operands) == 1:
        return converted(word, operands[0], operands[0].size() + 3)
    conditions.append(defined(term.name, *operands))
    return BITS[short(term.name)](*operands)


def converted(word: str, x, size: int):
    """A conversion to so many bits; a cast to the type that is unknown here, of any size, keeps the bits."""
    if word not in ("extui", "extsi", "index_cast", "index_castui"):
        return x
    grown = (z3.SignExt if word in ("extsi", "index_cast") else z3.ZeroExt)(abs(size - x.size()), x)
    return grown if size >= x.size() else z3.Extract(size - 1, 0, x)


CONVERSIONS = ("trunci", "extsi", "index_cast", "index_castui")


def conversions_agree(rule: RewriteRule, width: int) -> bool:
    """Both sides of a rule of conversions, for result types that are narrower and wider than what is between."""
    letters = {}
    word = rule.left.name.partition(".")[2]
    inside = meaning(rule.left.operands[0], width, letters, [])
    right = rule.right[0]
    for size in (width, width + 1, width + 6):
        if isinstance(right, RuleOperation) and right.name.startswith("arith.ext") and size <= width:
            continue  # an extension to a narrower type is not valid, and the rule not applied
        if (word == "extsi" and size <= inside.size()) or (word == "trunci" and size >= inside.size()):
            continue
        left = z3.Extract(size - 1, 0, inside) if word == "trunci" else converted(word, inside, size)
        if isinstance(right, RuleLetter):
            if size != width:
                continue
            made = letters[right.name]
        else:
            (operand,) = right.operands
            made = converted(right.name.partition(".")[2], meaning(operand, width, letters, []), size)
        solver = z3.Solver()
        solver.add(left != made)
        if solver.check() != z3.unsat:
            return False
    return True


def holds_always(term: RuleOperation, width: int, number: int) -> bool:
    solver = z3.Solver()
    solver.add(meaning(term, width, {}, []) != number)
    return solver.check() == z3.unsat


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
    elif word in CONVERSIONS:
        return conversions_agree(rule, width)
    else:
        made = rule.right[0]
        if "xori(c, 1)" in rule.text or (word == "cmpi" and isinstance(made, RuleLetter)):
            width = 1  # the condition is what is chosen from; what is compared has the type of the result
        if isinstance(made, RuleNumber) and word == "cmpi":
            return holds_always(rule.left, width, made.of(1))
        left = meaning(rule.left, width, letters, conditions)
        solver.add(*conditions)  # where the left-hand side is undefined, anything will do
        wrong = left != meaning(rule.right[0], width, letters, conditions)
        wrong = z3.Or(wrong, *(z3.Not(condition) for condition in conditions))
    solver.add(wrong)
    return solver.check() == z3.unsat


NOT_OF_INTEGERS = {
    *("arith.negf", "arith.mulf", "arith.divf", "math.ipowi", "math.round", "math.roundeven", "math.trunc")
}
"""Shown below."""
RULES = [
    rule
    for table in (
        *(arith.RULES, index.RULES, math.RULES),
        *(patterns.RULES, index_patterns.RULES, shape.RULES, tensor.RULES),
    )
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
        "extsi(extui(x)) => extsi(x)",
        "trunci(extui(x)) => extsi(x)",
        "index_cast(extui(x)) => index_cast(x)",
        "select(c, x, select(c, y, z)) => select(c, x, y)",
        "select(xori(c, -1), x, y) => select(c, x, y)",
        "select(c, -1, 0) => xori(c, 1)",
        "select(cmpi:eq(x, y), x, y) => x",
        "xori(cmpi:slt(x, y), -1) => cmpi:sgt(x, y)",
        "cmpi:eq(x, 0) => x",
        "cmpi:sle(x, x) => 0",
        "cmpi:ne(extui(x), extsi(y)) => cmpi:ne(x, y)",
        "andi(extui(x), extui(y)) => extsi(andi(x, y))",
    ],
)
def test_a_wrong_rule_is_refuted(text):
    ((rule,),) = rules_of("arith", text).values()
    assert not all(holds(rule, width) for width in (1, 4, 8))


@pytest.mark.parametrize("name", ["mulf", "divf"])
def test_negations_of_both_operands_cancel(name):
    (rule,) = patterns.RULES[f"arith.{name}"]
    assert rule.text == f"{name}(negf(x), negf(y)) => {name}(x, y)"
    x, y = (z3.FP(letter, z3.FPSort(3, 4)) for letter in "xy")
    apply = {"mulf": z3.fpMul, "divf": z3.fpDiv}[name]
    solver = z3.Solver()
    solver.add(apply(z3.RNE(), z3.fpNeg(x), z3.fpNeg(y)) != apply(z3.RNE(), x, y))
    assert solver.check() == z3.unsat


def test_an_index_cast_to_a_narrower_type_and_back_is_another_index():
    text = """
      func.func @f(%i: index, %w: i32) -> (index, i32, index) {
        %0 = arith.index_cast %i : index to i8
        %1 = arith.index_cast %0 : i8 to index
        %2 = arith.index_cast %w : i32 to index
        %3 = arith.index_cast %2 : index to i32
        %4 = arith.index_castui %i : index to i64
        %5 = arith.index_castui %4 : i64 to index
        return %1, %3, %5 : index, i32, index
      }"""
    kept = {"": ["arith.index_cast", "arith.index_cast", "func.return"], "mlir-22": ["func.return"]}
    for compat, names in kept.items():
        module = parse_text(text)
        transform(module, ("-canonicalize",), compat)
        (function,) = module.regions[0].entry.ops
        assert [op.name for op in function.regions[0].entry] == names


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


def test_only_rules_that_may_match_are_tried():
    module = parse_text(
        "func.func @f(%x: i8, %y: i8) { %c = arith.constant 0 : i8 %0 = arith.addi %x, %c : i8 "
        "%1 = arith.addi %x, %y : i8 %2 = arith.subi %x, %y : i8 %3 = arith.addi %2, %y : i8 return }"
    )
    of_zero, of_difference, always = rules_of(
        "arith", "addi(x, 0) => x\naddi(subi(x, y), y) => x\naddi(x, x) => x"
    )["arith.addi"]
    find = candidates((of_zero, of_difference, always))
    found = [
        find(op, [constant_of(value) for value in op.operands])
        for op in module.walk()
        if op.name == "arith.addi"
    ]
    assert found == [[of_zero, always], [always], [of_difference, always]]
