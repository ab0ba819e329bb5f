"""Before what an operation can move, and whether control that leaves one block is bound to reach another operation."""

import random

import pytest
from bufferize import parse
from bufferize.analysis.moving import is_bound_to_reach, movable_before, needed_before
from bufferize.dialects import func
from hypothesis import given, settings, strategies as st

BRANCH = "cf.cond_br %p, ^one, ^two"
ROWS = {
    "both branches lead there": (BRANCH, "cf.br ^two", "", True),
    "what is in between ends": (BRANCH, "%x = arith.addi %i, %i : index cf.br ^two", "", True),
    "one branch returns": (BRANCH, "return", "", False),
    "one branch loops": (BRANCH, "cf.cond_br %p, ^one, ^two", "", False),
    "a call might not return": (BRANCH, "func.call @g() : () -> () cf.br ^two", "", False),
    "an assertion might fail": (BRANCH, "cf.br ^two", 'cf.assert %p, "p"', False),
    "a loop might not end": (
        BRANCH,
        "scf.while : () -> () { scf.condition(%p) } do { scf.yield } cf.br ^two",
        "",
        False,
    ),
    "too much is in between": (
        BRANCH,
        " ".join(f"%x{n} = arith.addi %i, %i : index" for n in range(101)) + " cf.br ^two",
        "",
        False,
    ),
    "there is no branch": ("cf.br ^two", "cf.br ^two", "", True),
}


@pytest.mark.parametrize("name", ROWS)
def test_an_operation_that_control_is_bound_to_reach(name):
    branch, one, first, wanted = ROWS[name]
    module = parse(
        "func.func private @g()\nfunc.func @f(%p: i1, %i: index, %t: tensor<4xf32>) {\n"
        f"{branch}\n^one:\n{one}\n^two:\n{first}\n%y = tensor.extract %t[%i] : tensor<4xf32>\nreturn\n}}"
    )
    function = [op for op in module.walk() if op.name == "func.func"][1]
    anchor = function.body.entry.last_op
    (read,) = (op for op in function.walk() if op.name == "tensor.extract")
    assert is_bound_to_reach(anchor, read) == wanted
    assert not is_bound_to_reach(read, read) and not is_bound_to_reach(function, read)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_movable_before_agrees_with_what_must_move_along(seed):
    """Also where a later anchor is an operand, and an earlier one is not."""
    generator = random.Random(seed)
    values = ["%a", "%b"]
    lines = []
    for n in range(20):
        if generator.random() < 0.1:
            lines.append("func.call @effect() : () -> ()")
        lines.append(
            f"%v{n} = arith.addi {generator.choice(values[-6:])}, {generator.choice(values[-6:])} : i32"
        )
        values.append(f"%v{n}")
    body = "\n  ".join(lines)
    text = f"func.func private @effect()\nfunc.func @f(%a: i32, %b: i32) {{\n  {body}\n  return\n}}"
    ops = list(
        next(
            op for op in parse(text).walk() if isinstance(op, func.FuncOp) and not op.is_declaration
        ).body.entry
    )
    last = ops[-2]
    expected = [anchor for anchor in ops[:-2] if needed_before([last], anchor) is not None]
    assert movable_before(last, ops[:-2]) == expected
