"""Liveness against its definition: a value is live in if a path leads to a use without passing its definition."""

import pytest
from bufferize.analysis.liveness import Liveness
from bufferize.ir.program.core import Block, Operation, Value
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st


def plainly_live_in(value: Value, block: Block) -> bool:
    """Search forward from the start of `block` for a use, not entering the block that defines the value."""
    home = value.parent_block
    if block is home:
        return False
    seen, waiting = {block}, [block]
    while waiting:
        current = waiting.pop()
        for op in current:
            for nested in op.walk():
                if any(use is value for use in nested.operands):
                    return True
        for target in current.successors:
            if target not in seen and target is not home:
                seen.add(target)
                waiting.append(target)
    return False


def check(root: Operation) -> None:
    live = Liveness(root)
    blocks = [b for op in root.walk() for region in op.regions for b in region]
    values = [r for op in root.walk() for r in op.results] + [a for b in blocks for a in b.args]
    for block in blocks:
        for value in values:
            home = value.parent_block
            inside = any(
                op is not None and home is not None and op.is_ancestor_of(home.parent_op) for op in block
            )
            expected = not inside and plainly_live_in(value, block)
            assert live.is_live_in(value, block) == expected, (value, block.name_hint)
            assert live.is_live_out(value, block) == any(live.is_live_in(value, s) for s in block.successors)
        assert live.live_in(block) == [v for v in live._order if live.is_live_in(v, block)]


PROGRAMS = {
    "straight": 'func.func @f(%a: i1) {\n %x = "t.d"(%a) : (i1) -> i1\n "t.u"(%x) : (i1) -> ()\n return\n}',
    "diamond": """func.func @f(%a: i1) {
  %x = "t.d"() : () -> i1
  cf.cond_br %a, ^l, ^r
^l:
  "t.u"(%x) : (i1) -> ()
  cf.br ^j
^r:
  cf.br ^j
^j:
  return
}""",
    "loop": """func.func @f(%a: i1) {
  %x = "t.d"() : () -> i1
  cf.br ^h(%x : i1)
^h(%p: i1):
  %y = "t.d"(%p) : (i1) -> i1
  cf.cond_br %a, ^h(%y : i1), ^e
^e:
  "t.u"(%x) : (i1) -> ()
  return
}""",
    "nested": """func.func @f(%a: i1) {
  %x = "t.d"() : () -> i1
  "t.r"() ({
    %y = "t.d"(%x) : (i1) -> i1
    "t.r"() ({ "t.u"(%y, %a) : (i1, i1) -> () }) : () -> ()
  }) : () -> ()
  return
}""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_liveness_is_as_defined(text):
    check(parse_text(text, allow_unregistered=True))


@st.composite
def cfgs(draw):
    """A function of blocks that branch anywhere and use values of any block that dominates nothing in particular."""
    count = draw(st.integers(1, 6))
    lines = ["func.func @f(%a: i1) {", '  %v0 = "t.d"() : () -> i1', "  cf.br ^b0"]
    for i in range(count):
        lines.append(f"^b{i}:")
        lines.append(f'  %x{i} = "t.d"() : () -> i1')
        for used in draw(st.lists(st.integers(0, count - 1), max_size=2)):
            lines.append(f'  "t.u"(%x{used}, %v0) : (i1, i1) -> ()')
        if draw(st.booleans()):
            used = draw(st.integers(0, count - 1))
            lines.append(f'  "t.r"() ({{ "t.u"(%x{used}) : (i1) -> () }}) : () -> ()')
        left, right = draw(st.integers(0, count)), draw(st.integers(0, count))
        lines.append(f"  cf.cond_br %a, ^b{left}, ^b{right}")
    lines += [f"^b{count}:", "  return", "}"]
    return "\n".join(lines)


@given(cfgs())
@settings(max_examples=60, deadline=None)
def test_liveness_of_any_graph_is_as_defined(text):
    check(parse_text(text, allow_unregistered=True))
