"""Checking only what was touched finds what checking everything finds, after a change of that."""

import random

import pytest
from bufferize.benchmarks.families import FAMILIES
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.source.diagnostics import VerifyError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.types import types as t
from bufferize.ir.verifier import verify


def findings(root: Operation, touched: set[Operation] | None) -> list[str]:
    try:
        verify(root, touched=touched)
    except VerifyError as failure:
        return [diagnostic.message for diagnostic in failure.diagnostics]
    return []


def values_of(ops: list[Operation]) -> list[Value]:
    found: list[Value] = [result for op in ops for result in op.results]
    return found + [arg for op in ops for region in op.regions for block in region for arg in block.args]


def break_something(root: Operation, rng: random.Random) -> set[Operation]:
    """One change, most often a wrong one; what it touches."""
    ops = [op for op in root.walk() if op is not root and op.block is not None]
    kind = rng.choice(("operand", "type", "erase", "move", "property"))
    op = rng.choice(ops)
    if kind == "operand" and op.op_operands:
        rng.choice(op.op_operands).value = rng.choice(values_of(ops))
    elif kind == "type" and op.results:
        rng.choice(op.results).type = rng.choice([t.F64, t.INDEX])
    elif kind == "erase" and not op.results and not op.regions:
        parent = op.parent_op
        assert parent is not None
        op.drop_operands()
        op.erase()
        return {parent}
    elif kind == "move" and op.results:
        other = rng.choice([other for other in ops if other.block is op.block])
        if other is not op:
            op.move_before(other)
    elif kind == "property" and op.properties and op.name != "func.func":
        op.properties.pop(rng.choice(sorted(op.properties)))
    return {op}


@pytest.mark.parametrize("family", ["mixed", "branches", "nested", "functions", "branching_allocations"])
def test_what_was_touched_is_checked_as_when_all_is(family: str):
    rng = random.Random(family)
    text = FAMILIES[family](40)
    wrong = 0
    for _ in range(60):
        root = parse_text(text)
        touched = break_something(root, rng)
        expected = findings(root, None)
        wrong += bool(expected)
        assert findings(root, touched) == expected
    assert wrong >= 5
