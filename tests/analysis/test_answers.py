"""What single questions answer where a whole program seldom shows it: each of these was once changed and nothing else noticed."""

import pytest
from bufferize import parse
from bufferize.analysis.cost_model import Frequencies
from bufferize.analysis.fewest_copies.hitting_sets import prices
from bufferize.analysis.freeing.calls import CallsOfProgram
from bufferize.analysis.freeing.flags import Flags
from bufferize.analysis.memory_plan.lives import Lives
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.models.others import overwrites_all
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import may_be_decided_otherwise
from bufferize.analysis.one_shot.functions import call_graph
from bufferize.analysis.one_shot.state import AnalysisState
from bufferize.analysis.parallel_writes import Dimension, Footprint, through_view
from bufferize.analysis.positions import RangeIndex
from bufferize.analysis.regions import ProgramOrder
from bufferize.analysis.sizes import Formula, Sizes, Symbol, element_bytes
from bufferize.ir.defects import SOUND
from bufferize.ir.program.core import Operation
from bufferize.ir.text.parser import parse_text
from bufferize.ir.types import types as t


def first(module: Operation, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def state_of(module: Operation) -> AnalysisState:
    return AnalysisState(module, AnalysisOptions(), ModelRegistry(), {}, {})


REGIONS = """
func.func @f(%c: i1, %n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.yield
  } else {
    scf.yield
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.yield
  }
  %0 = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %t : tensor<4xf32>
  ^bb2:
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}"""


@pytest.mark.parametrize(("name", "exclusive"), [("scf.if", True), ("scf.for", False)])
def test_which_operations_have_exclusive_regions(name, exclusive):
    module = parse(REGIONS)
    order = ProgramOrder(module)
    for _ in range(2):  # the answer is kept
        assert order.has_exclusive_regions(first(module, name)) is exclusive


@pytest.mark.parametrize(
    ("name", "otherwise"), [("scf.execute_region", True), ("arith.constant", False), ("scf.if", False)]
)
def test_what_the_reference_may_decide_otherwise(name, otherwise):
    module = parse(REGIONS)
    assert may_be_decided_otherwise(state_of(module), first(module, name)) is otherwise


def test_what_has_no_regions_and_no_model_is_not_decided_otherwise():
    module = parse("func.func @f() -> index {\n  %0 = index.constant 1\n  return %0 : index\n}")
    state = state_of(module)
    constant = first(module, "index.constant")
    assert state.model_of(constant) is None
    assert not may_be_decided_otherwise(state, constant)


def test_a_filter_of_functions_holds_for_what_is_nested():
    options = AnalysisOptions(bufferize_function_boundaries=True, no_analysis_func_filter=("f",))
    module = parse(REGIONS)
    assert not options.allows(first(module, "scf.yield"))
    other = parse(REGIONS.replace("@f", "@g"))
    assert options.allows(first(other, "scf.yield"))
    assert options.allows(other)


def test_calls_behind_one_that_leads_nowhere_are_seen():
    module = parse_text(
        """
        func.func @f() {
          "func.call"() <{callee = @nobody}> : () -> ()
          "func.call"() <{callee = @g}> : () -> ()
          return
        }
        func.func @g() { return }"""
    )
    graph = call_graph(module)
    assert [op.symbol_name for op in graph.targets.values()] == ["g"]  # pyright: ignore[reportAttributeAccessIssue]


REDUCTIONS = """
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %out : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%b : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0, %1 : tensor<4xf32>, tensor<f32>
}"""


def test_points_of_reductions_alone_have_an_order():
    module = parse(REDUCTIONS)
    state = state_of(module)
    generics = [op for op in module.walk() if op.name == "linalg.generic"]
    parallel = [state.model_of(op).is_parallel(op.regions[0], state) for op in generics]  # pyright: ignore[reportOptionalMemberAccess]
    assert parallel == [True, False]


@pytest.mark.parametrize(
    ("target", "indices", "all_of_it"),
    [("tensor<4xf32>", "%c0", True), ("tensor<5xf32>", "%c0", False), ("memref<4xf32>", "%c0", False)],
)
def test_a_transfer_that_writes_every_element(target, indices, all_of_it):
    result = f" -> {target}" if target.startswith("tensor") else ""
    module = parse(
        f"""
        func.func @f(%v: vector<4xf32>, %m: {target}) {{
          %c0 = arith.constant 0 : index
          "vector.transfer_write"(%v, %m, {indices}) <{{in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>,
            operandSegmentSizes = array<i32: 1, 1, 1, 0>}}> : (vector<4xf32>, {target}, index) -> ({result[4:]})
          return
        }}"""
    )
    assert overwrites_all(first(module, "vector.transfer_write"), SOUND) is all_of_it


def test_only_what_was_added_is_taken_out():
    index: RangeIndex[str] = RangeIndex()
    with pytest.raises(KeyError):
        index.remove(1, 2, "a")
    a = "a"
    index.add(1, 2, a)
    with pytest.raises(KeyError):
        index.remove(1, 3, a)
    with pytest.raises(KeyError):
        index.remove(0, 2, a)
    index.remove(1, 2, a)
    assert index.count == 0


def test_an_element_of_a_type_that_nobody_knows_is_a_byte():
    assert element_bytes(t.DialectType("mine", "x")) == 1
    assert element_bytes(t.IntegerType(9)) == 2
    assert element_bytes(t.VectorType((3,), t.F16)) == 6


def test_what_costs_nothing_has_no_price():
    cores = [frozenset((0, 1)), frozenset((1, 2))]
    assert prices(cores, {0: 0, 1: 3, 2: 5}) == {frozenset((1, 2)): 3}


def test_a_condition_that_is_known_is_left_out():
    flags = Flags()
    x, y = flags.variable("x"), flags.variable("y")
    assert flags.restricted(x, x) == 1
    assert flags.restricted(flags.both(x, y), x) == y
    assert flags.restricted(x, flags.negated(x)) == 0
    assert flags.restricted(y, x) == y
    assert flags.restricted(flags.both(x, y), flags.either(x, y)) == flags.both(x, y)
    assert flags.restricted(y, flags.both(x, y)) == 1


BLOCKS = """
func.func @f(%c: i1) {
  "test.first"() : () -> ()
  cf.br ^bb1
^bb1:
  "test.header"() : () -> ()
  cf.br ^bb2
^bb2:
  "test.latch"() : () -> ()
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  "test.behind"() : () -> ()
  cf.cond_br %c, ^bb4, ^bb5
^bb4:
  "test.perhaps"() : () -> ()
  cf.br ^bb5
^bb5:
  "test.last"() : () -> ()
  return
}"""


def test_what_runs_once_among_blocks():
    module = parse_text(BLOCKS, allow_unregistered=True)
    frequencies = Frequencies(Sizes())
    often = {
        op.name.removeprefix("test."): str(frequencies.of(op)).partition("@")[0]
        for op in module.walk()
        if op.dialect == "test"
    }
    assert often == {
        "first": "once",
        "header": "trips",
        "latch": "trips",
        "behind": "once",
        "perhaps": "at most once",
        "last": "once",
    }


TRIANGLE = """
func.func @f(%n: index, %low: index) {
  %one = arith.constant 1 : index
  scf.for %i = %low to %n step %one {
    "test.outer"() : () -> ()
    scf.for %j = %i to %n step %one {
      "test.inner"() : () -> ()
    }
  }
  return
}"""


def test_a_count_of_runs_names_no_induction_variable_and_is_not_estimated_as_nothing():
    module = parse_text(TRIANGLE, allow_unregistered=True)
    often = {op.name: Frequencies(Sizes()).of(op) for op in module.walk() if op.dialect == "test"}
    assert str(often["test.outer"]) == "%n - %low times"
    assert "%i" not in str(often["test.inner"])
    assert all(times.count.estimate() > 0 for times in often.values())


def test_a_buffer_lives_as_long_as_what_an_unknown_operation_made_of_it():
    module = parse_text(
        """
        func.func @f(%i: index) -> f32 {
          %a = memref.alloc() : memref<4xf32>
          %v = "test.view"(%a) : (memref<4xf32>) -> memref<4xf32>
          %x = memref.load %v[%i] : memref<4xf32>
          return %x : f32
        }""",
        allow_unregistered=True,
    )
    lives = Lives(first(module, "func.func"), CallsOfProgram())  # pyright: ignore[reportArgumentType]
    (life,) = lives.buffers
    assert life.obstacle or life.end >= lives.number[first(module, "memref.load")]


def test_a_place_in_a_part_of_a_part_is_scaled_by_the_stride():
    module = parse(
        """
        func.func @f(%m: memref<64xf32>, %i: index) {
          %s = memref.subview %m[5] [10] [3] : memref<64xf32> to memref<10xf32, strided<[3], offset: 5>>
          return
        }"""
    )
    view = first(module, "memref.subview")
    index = first(module, "func.func").regions[0].entry.args[1]
    found = through_view(view, Footprint([Dimension({index: 2, None: 1}, 2)], []))
    assert found is not None
    assert found.dimensions == [Dimension({None: 8, index: 6}, 4)]


def test_equal_formulas_are_one_key():
    n = Formula.of(Symbol("n"))
    same = {n * 2 + 1: "first", Formula.of(1) + n + n: "second"}
    assert list(same.values()) == ["second"]
    assert hash(n) == hash(Formula.of(Symbol("n")))
