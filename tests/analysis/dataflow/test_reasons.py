"""Reasons, widening, and what does not come to an end."""

import pytest
from bufferize import parse
from bufferize.analysis.dataflow import DenseAnalysis, NoConvergenceError, Solver, SparseAnalysis, solve, why


class Constants(SparseAnalysis):
    """A number, or 'many'."""

    def join(self, a, b):
        return a if a == b else "many"

    def unknown(self, value):
        return "many"

    def transfer(self, op, states):
        return op.properties["value"].value if op.name == "arith.constant" else "many"


COUNTING = """func.func @f(%n: index) {
  cf.br ^head
^head:
  %x = arith.constant 1 : index
  cf.br ^head
}"""


class Count(DenseAnalysis):
    def boundary(self, segment):
        return 0

    def join(self, a, b):
        return max(a, b)

    def transfer(self, op, state):
        return state + 1


def test_what_does_not_converge_is_named_with_its_place():
    with pytest.raises(
        NoConvergenceError, match="the analysis Count does not converge: this point was visited 50 times"
    ) as failure:
        solve(parse(COUNTING), Count(), most_visits=50)
    assert failure.value.diagnostic.primary_span.line == 4


class Widened(Count):
    def widen(self, old, new):
        return float("inf")


class Bounded(Widened):
    """At most nine, once the loop is left as wide as it goes."""

    narrows = True

    def transfer(self, op, state):
        return min(state + 1, 9)

    def widen(self, old, new):
        return float("inf")

    def narrow(self, old, new):
        return new if old == float("inf") else old


def test_widening_ends_it_and_narrowing_comes_back():
    program = parse(COUNTING)
    constant = next(op for op in program.walk() if op.name == "arith.constant")
    assert solve(program, Widened()).before(constant) == float("inf")
    assert solve(program, Bounded()).before(constant) == 9


STORES = """func.func @f(%c: i1, %x: i32, %n: index, %m: memref<4xi32>) {
  scf.for %i = %n to %n step %n {
    memref.store %x, %m[%n] : memref<4xi32>
    scf.if %c {
      func.call @g(%m, %x, %n) : (memref<4xi32>, i32, index) -> ()
    }
  }
  return
}
func.func private @g(%m: memref<4xi32>, %x: i32, %n: index) {
  memref.store %x, %m[%n] : memref<4xi32>
  return
}"""


class Stores(DenseAnalysis):
    contexts = 1

    def boundary(self, segment):
        return frozenset()

    def join(self, a, b):
        return a | b

    def transfer(self, op, state):
        return state | {op} if op.name == "memref.store" else state


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        (
            0,
            [
                "propagated along 'scf.yield'",
                "propagated along 'scf.if' where %c is false",
                "computed by 'memref.store'",
            ],
        ),
        (
            1,
            [
                "propagated along 'scf.yield'",
                "propagated along 'scf.yield'",
                "out of the called function",
                "computed by",
            ],
        ),
    ],
)
def test_a_reason_leads_back_to_what_made_it_so(store, expected):
    program = parse(STORES)
    stores = [op for op in program.walk() if op.name == "memref.store"]
    end = next(op for op in program.walk() if op.name == "func.return")
    reason = why(solve(program, Stores()), end, lambda state: stores[store] in state)
    assert len(reason.steps) >= len(expected)
    left = iter(reason.steps)
    for words in expected:
        assert any(words in step.text for step in left), reason.render()
    assert reason.steps[-1].op is stores[store]


def test_the_reason_of_a_state_lists_joins_and_transfers():
    program = parse(STORES)
    end = next(op for op in program.walk() if op.name == "func.return")
    text = why(solve(program, Stores()), end).render()
    assert text.startswith("{memref.store:11, memref.store:3}  joined of")
    for part in (
        "{}  along 'scf.for'",
        "along 'scf.yield', back",
        "where %c is false",
        "{}  at the boundary",
    ):
        assert part in text
    with pytest.raises(LookupError, match="it does not hold there"):
        why(solve(program, Stores()), end, lambda state: "x" in state)


def test_a_solver_solves_several_analyses_at_once():
    solver = Solver(parse(STORES), [Stores(), Bounded(), Constants()])
    assert [type(s.analysis) for s in solver.solutions.values()] == [Stores, Bounded, Constants]
