"""What may be erased, and where values are used: asked of nests all at once, as when asked one by one."""

from __future__ import annotations

import pytest
from bufferize import run_passes
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.patterns import region_branch as uses
from bufferize.transforms.patterns.region_branch import uses_inside
from bufferize.transforms.rewriting.rewriter import Rewriter
from bufferize.transforms.rewriting.unneeded import DeadCode, alive_for_effects
from hypothesis import given, settings, strategies as st

LINES = (
    "memref.store %f, %m[%i] : memref<8xf32>",
    "{v} = memref.load %m[%i] : memref<8xf32>",
    "{v} = memref.alloc() : memref<8xf32>",
    "{v} = arith.addi %i, %i : index",
    '"test.unknown"(%i) : (index) -> ()',
)
OPENINGS = ("scf.if %c {", "scf.for {v} = %i to %i step %i {", "scf.execute_region {")


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function of nested regions with operations of all kinds of effects."""
    lines = ["func.func @f(%m: memref<8xf32>, %f: f32, %i: index, %c: i1) {"]
    open_regions: list[str] = []
    for number in range(draw(st.integers(1, 20))):
        kind = draw(st.sampled_from(["line", "line", "open", "close"]))
        if kind == "line":
            lines.append(draw(st.sampled_from(LINES)).replace("{v}", f"%v{number}"))
        elif kind == "open":
            open_regions.append(draw(st.sampled_from(OPENINGS)).replace("{v}", f"%v{number}"))
            lines.append(open_regions[-1])
        elif open_regions:
            lines += _close(open_regions.pop())
    while open_regions:
        lines += _close(open_regions.pop())
    return "\n".join([*lines, "return", "}"])


def _close(opened: str) -> list[str]:
    return ["scf.yield", "}"] if opened.startswith("scf.execute_region") else ["}"]


@settings(max_examples=60, deadline=None)
@given(functions())
def test_what_stays_alive_is_the_same_all_at_once(text: str) -> None:
    module = parse_text(text, allow_unregistered=True)
    region = module.regions[0]
    expected: set[Operation] = {
        op for top in region.ops() for op in top.walk() if not DeadCode().would_be_dead(op)
    }
    assert alive_for_effects(region) == expected
    remembering = DeadCode()
    for op in module.regions[0].entry.ops[0].walk():
        assert remembering.would_be_dead(op) == (op not in expected)


@settings(max_examples=60, deadline=None)
@given(functions(), st.data())
def test_recorded_uses_are_those_found_by_climbing(text: str, data: st.DataObject) -> None:
    function = parse_text(text, allow_unregistered=True).regions[0].entry.ops[0]
    condition, index = function.regions[0].entry.args[3], function.regions[0].entry.args[2]
    regions = [region for op in function.walk() for region in op.regions if not region.is_empty]
    rewriter = Rewriter()
    many, uses.MANY = uses.MANY, 0  # type: ignore[misc]  # record even few uses
    try:
        for _ in range(8):
            value: Value = data.draw(st.sampled_from([condition, index]))
            region = data.draw(st.sampled_from(regions))
            found = uses_inside(value, region, rewriter)
            assert found == [use for use in value.uses if region.is_ancestor_of(use.owner.parent_region)]
            if data.draw(st.booleans()):
                other = function.regions[0].entry.args[0]
                for use in found:
                    use.value = other
    finally:
        uses.MANY = many  # type: ignore[misc]


@pytest.mark.parametrize("name", ["cse", "canonicalize"])
def test_nested_dead_code_is_walked_once(name, monkeypatch):
    depth = 1000
    module = parse_text("func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "return\n}")
    asked = 0
    has_trait = Operation.has_trait

    def counted(op, trait):
        nonlocal asked
        asked += 1
        return has_trait(op, trait)

    monkeypatch.setattr(Operation, "has_trait", counted)
    run_passes(module, [name])
    assert asked < 100 * depth
