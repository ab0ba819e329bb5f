"""Where buffers come from, against the rules as they are written, on random flows of views."""

from __future__ import annotations

from pathlib import Path

from bufferize.analysis.datalog import Database
from bufferize.analysis.datalog.program import parse_program
from bufferize.analysis.origins import (
    IntegerSet,
    OriginGroup,
    OriginKind,
    Origins,
    ViewFlow,
    is_allocation,
    is_buffer,
    members,
    overlap,
    singleton,
    strip_views,
    union,
)
from bufferize.dialects import func
from bufferize.ir.program.core import BlockArgument, Operation
from bufferize.ir.program.interfaces import FunctionOp
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

numbers = st.frozensets(st.integers(0, 60))


def _set(values: frozenset[int]) -> IntegerSet:
    found: IntegerSet = None
    for value in values:
        found = union(found, singleton(value))
    return found


@given(numbers, numbers)
def test_integer_sets_are_sets(one, other):
    left, right = _set(one), _set(other)
    assert list(members(left)) == sorted(one)
    assert list(members(union(left, right))) == sorted(one | other)
    assert overlap(left, right) == bool(one & other)


@given(numbers)
def test_union_with_a_subset_is_the_same_set(values):
    whole = _set(values)
    for value in values:
        assert union(whole, singleton(value)) is whole


def test_equal_sets_built_alike_share_what_they_have_in_common():
    base = _set(frozenset(range(1000)))
    left, right = union(base, 2000), union(base, 3000)
    assert overlap(left, right)
    assert list(members(union(left, right))) == [*range(1000), 2000, 3000]


M = "memref<4xf32>"


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function whose memrefs come from allocations, arguments, calls, choices, views, loops and branches."""
    lines: list[str] = []
    count = 0

    def name() -> str:
        nonlocal count
        count += 1
        return f"%v{count}"

    def body(known: list[str], depth: int, indent: str) -> None:
        for _ in range(draw(st.integers(0, 4))):
            kind = draw(st.integers(0, 6 if depth < 2 else 4))
            one, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
            new = name()
            if kind == 0:
                lines.append(f"{indent}{new} = memref.alloc() : {M}")
            elif kind == 1:
                lines.append(f"{indent}{new} = func.call @f({one}) : ({M}) -> {M}")
            elif kind == 2:
                lines.append(f"{indent}{new} = arith.select %c, {one}, {other} : {M}")
            elif kind == 3:
                lines.append(f"{indent}{new} = memref.cast {one} : {M} to {M}")
            elif kind == 4:
                lines.append(f"{indent}{new} = memref.alloca() : {M}")
            elif kind == 5:
                arg = name()
                lines.append(
                    f"{indent}{new} = scf.for %i{count} = %lb to %ub step %st iter_args({arg} = {one}) -> ({M}) {{"
                )
                inner = [*known, arg]
                body(inner, depth + 1, indent + "  ")
                lines.append(f"{indent}  scf.yield {draw(st.sampled_from(inner))} : {M}\n{indent}}}")
            else:
                lines.append(f"{indent}{new} = scf.if %c -> ({M}) {{")
                for end in ("} else {", "}"):
                    inner = list(known)
                    body(inner, depth + 1, indent + "  ")
                    lines.append(f"{indent}  scf.yield {draw(st.sampled_from(inner))} : {M}\n{indent}{end}")
            known.append(new)

    known = ["%a", "%b"]
    body(known, 0, "  ")
    passed = draw(st.sampled_from(known))
    head = f"func.func private @f({M}) -> {M}\nfunc.func @t(%a: {M}, %b: {M}, %c: i1, %lb: index, %ub: index, %st: index) {{\n"
    tail = f"  cf.cond_br %c, ^x({passed} : {M}), ^x({draw(st.sampled_from(known))} : {M})\n^x(%p: {M}):\n  return\n}}"
    return head + "\n".join(lines) + "\n" + tail


RULES = Path(__file__).with_name("views.dl")
"""What origins are, in rules: slow, and plainly so."""


def view_database(root: Operation, flow: ViewFlow | None = None) -> Database:
    """The facts of the memrefs inside `root` under the rules of views. O(edges)."""
    flow = flow or ViewFlow(root)
    database = Database(parse_program(RULES.read_text("utf-8"), "views.dl"))
    for source, targets in flow.targets.items():
        for target in targets:
            database.assert_fact("flows", source, target)
    for terminal in flow.terminals:
        database.assert_fact("comes_into_being", terminal)
        if is_allocation(terminal):
            database.assert_fact("allocated", terminal)
        elif (
            isinstance(terminal, BlockArgument)
            and terminal.owner.is_entry
            and isinstance(terminal.owner.parent_op, FunctionOp)
        ):
            database.assert_fact("handed_in", terminal)
    for value in dict.fromkeys([*flow.terminals, *flow.targets, *flow.sources]):
        database.assert_fact("view_of", value, strip_views(value))
    return database


def _by_rules(database: Database, one, other) -> bool | None:
    """What `views.dl` says about two memrefs."""
    if database.holds("same_allocation", (one, other)):
        return True
    return False if database.holds("told_apart", (one, other)) else None


@settings(max_examples=60, deadline=None)
@given(functions())
def test_origins_follow_the_rules(text):
    module = parse_text(text)
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp) and not op.is_declaration)
    database, origins = view_database(function), Origins(function)
    values = [v for op in function.walk() for v in op.results if is_buffer(v)]
    values += [a for op in function.walk() for r in op.regions for b in r for a in b.args if is_buffer(a)]
    values = values[:10]
    for one in values:
        for other in values:
            assert origins.same_allocation(one, other) == _by_rules(database, one, other)
    listed, in_a_tree = OriginGroup(origins, values), OriginGroup(origins, values)
    in_a_tree.__dict__["_holders"] = None
    for group in (listed, in_a_tree):
        for i, one in enumerate(values):
            assert group.same(one) == [
                j for j, other in enumerate(values) if origins.same_allocation(one, other) is True
            ]
            assert group.all_known(one) == all(
                origins.same_allocation(one, other) is not None for other in values
            )
            assert group.may_meet(one, i) == any(
                origins.may_meet(one, other) for j, other in enumerate(values) if j != i
            )


def test_kinds_of_origins():
    module = parse_text(
        f"""
        func.func @t(%a: {M}, %c: i1) {{
          %n = memref.alloc() : {M}
          %s = arith.select %c, %a, %n : {M}
          %g = "foo.get"() : () -> {M}
          return
        }}""",
        allow_unregistered=True,
    )
    function = next(module.regions[0].ops())
    origins = Origins(function)
    n, s, g = (op.results[0] for op in function.regions[0].entry if op.results)
    assert [origins.kind(value) for value in (n, s, g)] == [
        OriginKind.ALLOCATION,
        OriginKind.ARGUMENT,
        OriginKind.OTHER,
    ]


def test_an_origin_has_a_proof():
    module = parse_text(f"""
        func.func @t(%a: {M}, %c: i1) {{
          %n = memref.alloc() : {M}
          %s = arith.select %c, %a, %n : {M}
          %v = memref.cast %s : {M} to memref<?xf32>
          return
        }}""")
    function = next(module.regions[0].ops())
    n, _, v = (op.results[0] for op in function.regions[0].entry if op.results)
    proof = view_database(function).prove("origin", (v, n))
    assert proof is not None
    assert "V2" in proof.render()
