"""The solver against round-robin iteration of the same equations, on random programs."""

from __future__ import annotations

import pytest
from bufferize import parse
from bufferize.analysis.dataflow import (
    BACKWARD,
    FORWARD,
    DenseAnalysis,
    SparseAnalysis,
    flow_graph,
    solve,
)
from bufferize.analysis.dataflow.framework import is_public
from bufferize.analysis.dataflow.graph import EdgeKind
from hypothesis import given, settings, strategies as st


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Up to three functions over i32; every value is defined in the entry or by an argument, so all uses are fine."""
    count = draw(st.integers(1, 3))
    return "\n".join(_function(draw, number, count) for number in range(count))


def _function(draw: st.DrawFn, number: int, functions: int) -> str:
    names = iter(range(10_000))
    blocks = draw(st.integers(1, 4))
    private = "private " if number else ""
    lines = [f"func.func {private}@f{number}(%c: i1, %x: i32, %n: index) -> i32 {{"]
    for block in range(blocks):
        if block:
            lines.append(f"^b{block}(%a{block}: i32):")
        known = ["%x"] + ([f"%a{block}"] if block else [])
        _body(draw, lines, known, names, functions, 2)
        value = draw(st.sampled_from(known))
        targets = draw(st.lists(st.integers(1, blocks - 1), max_size=2)) if blocks > 1 else []
        if not targets:
            lines.append(f"  return {value} : i32")
        elif len(targets) == 1:
            lines.append(f"  cf.br ^b{targets[0]}({value} : i32)")
        else:
            other = draw(st.sampled_from(known))
            lines.append(f"  cf.cond_br %c, ^b{targets[0]}({value} : i32), ^b{targets[1]}({other} : i32)")
    return "\n".join([*lines, "}"])


def _body(draw: st.DrawFn, lines: list[str], known: list[str], names, functions: int, depth: int) -> None:
    for _ in range(draw(st.integers(0, 3))):
        name = f"%v{next(names)}"
        kind = draw(st.sampled_from(["op", "op", "constant", "call", "if", "for"][: 6 if depth else 4]))
        one = draw(st.sampled_from(known))
        if kind == "op":
            lines.append(f"  {name} = arith.addi {one}, {draw(st.sampled_from(known))} : i32")
        elif kind == "constant":
            lines.append(f"  {name} = arith.constant {draw(st.integers(0, 3))} : i32")
        elif kind == "call":
            callee = draw(st.integers(0, functions - 1))
            lines.append(f"  {name} = func.call @f{callee}(%c, {one}, %n) : (i1, i32, index) -> i32")
        elif kind == "if":
            lines.append(f"  {name} = scf.if %c -> (i32) {{")
            for ending in ("  } else {", "  }"):
                inner = list(known)
                _body(draw, lines, inner, names, functions, depth - 1)
                lines.append(f"  scf.yield {draw(st.sampled_from(inner))} : i32")
                lines.append(ending)
        else:
            carried = f"%v{next(names)}"
            lines.append(
                f"  {name} = scf.for %i{name[1:]} = %n to %n step %n iter_args({carried} = {one}) -> (i32) {{"
            )
            inner = [*known, carried]
            _body(draw, lines, inner, names, functions, depth - 1)
            lines.append(f"  scf.yield {draw(st.sampled_from(inner))} : i32")
            lines.append("  }")
        known.append(name)


class Trail(DenseAnalysis):
    """Which additions and constants some path met last: an addition makes the analysis forget one other."""

    def boundary(self, segment):
        return frozenset({"outside"})

    def join(self, a, b):
        return a | b

    def transfer(self, op, state):
        if op.name == "arith.constant":
            return state - {"outside"} | {id(op)}
        if op.name == "arith.addi":
            return frozenset(sorted(map(str, state))[:1]) | {id(op)}
        return state

    def leave_call(self, call, callee, before, state):
        return state | {id(call)}


class Backwards(Trail):
    direction = BACKWARD

    def initial(self, segment):
        return frozenset()


class Everywhere(Trail):
    """On every path: the meet over paths."""

    def join(self, a, b):
        return a & b


class Calls(Trail):
    contexts = 0


class Strings(Trail):
    contexts = 2


class BackwardCalls(Backwards):
    contexts = 1


def plainly(program, analysis, rounds=1000):
    """The states entering each segment, in each context, by doing all of it again until nothing changes."""
    graph = flow_graph(program)
    forward, k = analysis.direction is FORWARD, analysis.contexts
    starts = {}

    def raised(key, state):
        if state is None:
            return
        old = starts.get(key)
        starts[key] = state if old is None else analysis.join(old, state)

    def left(key):
        state = starts.get(key)
        ops = key[0].ops if forward else key[0].ops[::-1]
        for op in ops:
            if state is None:
                return None
            callee = graph.callee(op) if k is not None else None
            if callee is None:
                state = analysis.transfer(op, state)
                continue
            inside = (op, *key[1])[:k]
            heads, tails = [graph.first(callee.body.entry)], graph.returns(callee)
            for head in heads if forward else tails:
                raised((head, inside), analysis.enter_call(op, callee, state))
            found = None
            for tail in tails if forward else heads:
                out = outs.get((tail, inside))
                if out is not None:
                    found = out if found is None else analysis.join(found, out)
            state = None if found is None else analysis.leave_call(op, callee, state, found)
        return state

    outs = {}
    for segment in graph:
        if analysis.initial(segment) is not None:
            raised((segment, ()), analysis.initial(segment))
    boundary = graph.entries if forward else graph.exits
    for segment in boundary:
        edges = segment.called_by if forward else segment.returns
        if k is None or not edges or is_public(segment):
            raised((segment, ()), analysis.boundary(segment))
    for _ in range(rounds):
        before = dict(starts), dict(outs)
        for key in list(starts):
            out = left(key)
            if out is None:
                continue
            outs[key] = out
            for edge in key[0].leaving if forward else key[0].arriving:
                raised((edge.target if forward else edge.source, key[1]), analysis.edge(edge, out))
        if (starts, outs) == before:
            return starts
    raise AssertionError("the oracle needs more rounds")


class Bits(Trail):
    """Distributive, so that the solution does not depend on the order of visits."""

    def transfer(self, op, state):
        if op.name == "arith.constant":
            return state - {"outside"} | {str(op)}
        if op.name == "arith.addi":
            return frozenset(e for e in state if "constant" not in e) | {"added"}
        return state

    def leave_call(self, call, callee, before, state):
        return state | {"called"}


def variants():
    for direction in (FORWARD, BACKWARD):
        for contexts in (None, 0, 1, 2):
            for must in (False, True):
                if direction is BACKWARD and must:
                    continue
                name = f"{direction.value}, calls {contexts}, {'every' if must else 'some'} path"
                members = {"direction": direction, "contexts": contexts}
                if must:
                    members["join"] = lambda self, a, b: a & b
                if direction is BACKWARD:
                    members["initial"] = lambda self, segment: frozenset()
                yield pytest.param(type("Variant", (Bits,), members), id=name)


@pytest.mark.parametrize("kind", list(variants()))
@settings(max_examples=25, deadline=None)
@given(text=programs())
def test_a_dense_solution_is_that_of_round_robin(kind, text):
    program = parse(text)
    solution = solve(program, kind())
    found = {key: solution.entering(key) for segment in flow_graph(program)
             for key in [(segment, c) for c in solution.contexts_of(segment)]}  # fmt: skip
    assert found == plainly(program, kind())


class Constants(SparseAnalysis):
    """A number, or 'many'."""

    def join(self, a, b):
        return a if a == b else "many"

    def unknown(self, value):
        return "many"

    def transfer(self, op, states):
        if op.name == "arith.constant":
            return op.properties["value"].value
        if op.name == "arith.addi" and "many" not in states:
            return (states[0] + states[1]) % 4
        return "many"


def plain_constants(program):
    """The same, all operations and edges again and again."""
    graph, analysis = flow_graph(program), Constants()
    states = {}
    for _ in range(200):
        before = dict(states)
        received = {}
        for segment in graph:
            for value in segment.inputs:
                edges = [*segment.arriving, *segment.called_by, *segment.returned_from]
                uses = [
                    u for e in edges if e.kind is not EdgeKind.AROUND for u, to in e.pairs() if to is value
                ]
                if segment.after is not None and not uses:
                    continue
                found = [states[u.value] for u in uses if u.value in states]
                if not uses or (segment in graph.entries and is_public(segment)):
                    found.append("many")
                for state in found:
                    received[value] = analysis.join(received[value], state) if value in received else state
            for op in segment.ops:
                if graph.callee(op) or op.name in ("scf.if", "scf.for"):
                    continue
                if all(v in states for v in op.operands):
                    for result in op.results:
                        received[result] = analysis.transfer(op, [states[v] for v in op.operands])
        for value, state in received.items():
            states[value] = analysis.join(states[value], state) if value in states else state
        if states == before:
            return states
    raise AssertionError("the oracle needs more rounds")


@settings(max_examples=60, deadline=None)
@given(text=programs())
def test_a_sparse_solution_is_that_of_round_robin(text):
    program = parse(text)
    assert solve(program, Constants()).states == plain_constants(program)


class Wanted(SparseAnalysis):
    """Backwards: what reaches the return of a function by additions."""

    direction = BACKWARD

    def join(self, a, b):
        return a | b

    def transfer(self, op, states):
        if op.name == "func.return":
            return frozenset({"returned"})
        return frozenset().union(*states) if op.name == "arith.addi" else frozenset()


def test_a_sparse_analysis_runs_backwards():
    program = parse("""func.func @f(%c: i1, %a: i32, %b: i32, %n: index) -> i32 {
      %unused = arith.addi %b, %b : i32
      %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (i32) {
        %y = arith.addi %x, %x : i32
        scf.yield %y : i32
      }
      return %r : i32
    }""")
    found = {value.name_hint: bool(state) for value, state in solve(program, Wanted()).states.items()}
    assert {name for name, wanted in found.items() if wanted} == {"a", "r", "x", "y"}


class Depth(SparseAnalysis):
    """How many additions lead to a value."""

    def join(self, a, b):
        return max(a, b)

    def unknown(self, value):
        return 0

    def transfer(self, op, states):
        return min(max(states, default=0) + 1, 5)


class Reads(DenseAnalysis):
    """The greatest depth so far; reads another analysis."""

    reads = (Depth,)

    def boundary(self, segment):
        return 0

    def join(self, a, b):
        return max(a, b)

    def transfer(self, op, state):
        return max([state, *(self.read(Depth, value) or 0 for value in op.results)])


@settings(max_examples=30, deadline=None)
@given(text=programs())
def test_an_analysis_that_reads_another_sees_its_final_states(text):
    program = parse(text)
    depth = solve(program, Depth())

    class After(Reads):
        reads = ()

        def transfer(self, op, state):
            return max([state, *(depth.of(value) or 0 for value in op.results)])

    together, after = solve(program, Reads()), solve(program, After())
    for segment in flow_graph(program):
        assert together.at_end(segment) == after.at_end(segment)


def test_reading_what_is_not_solved_is_an_error():
    class Wrong(Reads):
        reads = ()

    with pytest.raises(LookupError, match="Depth is not solved: add it to `reads`"):
        solve(parse("func.func @f() {\n %0 = arith.constant 1 : i1\n return\n}"), Wrong())
