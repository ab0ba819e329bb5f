"""Order, repetition and exclusion, against climbing from operation to operation."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.regions import ProgramOrder, region_of
from bufferize.ir.program.core import Operation, Region, Value
from bufferize.ir.program.interfaces import LoopLikeOp, RegionBranchOp
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent / "one_shot"))
from random_programs import random_module


def is_repetitive(region: Region) -> bool:
    return isinstance(region.parent_op, LoopLikeOp)


def climb_to_exclusive(order: ProgramOrder, a: Operation, b: Operation) -> bool:
    """What `mutually_exclusive` says, by climbing."""
    around = a.parent_op
    while around is not None:
        if isinstance(around, RegionBranchOp) and around is not b and order.encloses(around, b):
            break
        around = around.parent_op
    if around is None:
        return False
    left = next(r for r in around.regions if a.ancestor_in_region(r) is not None)
    right = next(r for r in around.regions if b.ancestor_in_region(r) is not None)
    return left is not right and not (order.region_reaches(left, right) or order.region_reaches(right, left))


def climb_to_repeating(order: ProgramOrder, op: Operation, value: Value) -> Operation | None:
    """What `repeated_since` says, by climbing."""
    inner = order.repetitive_region(op.parent_region)
    outer = order.repetitive_region(region_of(value))
    while inner is not None and inner is not outer:
        further = order.repetitive_region(inner.parent_region)
        if further is outer:
            return inner.parent_op
        inner = further
    return None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_exclusion_and_repetition_are_those_found_by_climbing(seed: int, blocks: bool) -> None:
    rng = random.Random(seed)
    module = parse_text(
        random_module(rng, 6, blocks=blocks, unknown_regions=True, switches=True), allow_unregistered=True
    )
    order = ProgramOrder(module, is_repetitive)
    ops = [op for op in module.walk() if op is not module]
    values: list[Value] = [result for op in ops for result in op.results]
    values += [arg for op in ops for region in op.regions for block in region for arg in block.args]
    for _ in range(200):
        a, b, value = rng.choice(ops), rng.choice(ops), rng.choice(values)
        assert order.mutually_exclusive(a, b) == climb_to_exclusive(order, a, b)
        assert order.repeated_since(a, value) is climb_to_repeating(order, a, value)
        region = b.parent_region
        assert region is not None
        assert order.ancestor_in_region(a, region) is a.ancestor_in_region(region)


T = "tensor<8xf32>"


def conditionals(depth: int, nested_in: str) -> str:
    """Conditionals nested in one branch of each other; the other branch updates the outermost tensor."""
    update = "%u{k} = tensor.insert %f into %t[%i] : " + T + "\nscf.yield %u{k} : " + T
    opening, closing = [], []
    for k in range(depth):
        opening.append(f"%r{k} = scf.if %c -> ({T}) {{")
        if nested_in == "else":
            opening += [update.format(k=k), "} else {"]
    inner = "%t"
    for k in reversed(range(depth)):
        closing.append(f"scf.yield {inner} : {T}")
        if nested_in == "then":
            closing += ["} else {", update.format(k=k)]
        closing.append("}")
        inner = f"%r{k}"
    body = "\n".join([*opening, *closing, f"return {inner} : {T}"])
    return f"func.func @f(%t: {T}, %f: f32, %i: index, %c: i1) -> {T} {{\n{body}\n}}"


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(["then", "else"]), st.integers(1, 150))
def test_positions_keep_alternatives_apart(nested_in: str, depth: int) -> None:
    """Each read is a few ranges of positions, and they hold none of the writes of other branches."""
    result = analyze(
        parse_text(conditionals(depth, nested_in)), AnalysisOptions(bufferize_function_boundaries=True)
    )
    assert result.out_of_place() == []
    state = result.state
    assert state.class_index is not None
    of = state.class_index.ranges
    updates = [op for op in state.order.enter if op.name == "tensor.insert"]
    writes = {op: extent for op in updates for _, *extent in of.of_write(op.op_operands[1])}
    for op in updates:
        ranges = [(low, high) for _, low, high in of.of_read(op.op_operands[1])]
        assert len(ranges) <= 1 + depth.bit_length()
        assert all(
            other is op or high < start or end < low
            for low, high in ranges
            for other, (start, end) in writes.items()
        )
