from __future__ import annotations

import pytest
from bufferize.ir.program import traits as tr
from bufferize.ir.program.core import Operation, Region
from bufferize.ir.program.symbols import Surroundings
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

NESTED = st.recursive(
    st.just(""),
    lambda inner: st.lists(
        st.tuples(st.sampled_from(("test.open", "builtin.module")), inner), min_size=1, max_size=3
    ).map(lambda parts: "\n".join(f'"{name}"() ({{\n{body}\n}}) : () -> ()' for name, body in parts)),
    max_leaves=12,
)


def climb_to_isolated(op: Operation, region: Region) -> Operation | None:
    """What `Surroundings.isolated_from` says, by climbing."""
    parent = op.parent_op
    while parent is not None and op.parent_region is not region:
        if parent.has_trait(tr.ISOLATED_FROM_ABOVE):
            return parent
        op, parent = parent, parent.parent_op
    return None


@pytest.mark.parametrize("walk", [Operation.walk, Operation.walk_post_order])
@settings(deadline=None)
@given(NESTED, st.data())
def test_surroundings_are_those_found_by_climbing(walk, text, data) -> None:
    module = parse_text(text or '"test.empty"() : () -> ()', allow_unregistered=True)
    regions = [region for op in module.walk() for region in op.regions]
    start = data.draw(st.sampled_from(list(module.walk())))
    around = Surroundings()
    for op in walk(start):
        if data.draw(st.booleans()):
            around.move_to(op)
            for region in regions:
                assert around.ancestor_in(region) is op.ancestor_in_region(region)
                assert around.isolated_from(region) is climb_to_isolated(op, region)
