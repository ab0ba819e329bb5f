"""What explanations say at corners: each of these was once changed and nothing else noticed."""

from types import SimpleNamespace

import pytest
from bufferize import explain, parse
from bufferize.analysis.memory_plan.planner import QUICK
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.cli.main import main
from bufferize.explain.conflict_labels import LOOP_NAMES, _element
from bufferize.explain.fix import Fixed
from bufferize.explain.memory import Assumptions, memory_of
from bufferize.explain.report import _best_first
from bufferize.explain.suggest import budget
from bufferize.explain.verdicts import _is_older
from bufferize.explain.why import values_named
from bufferize.ir.types.affine import dim
from bufferize.ir.types.affine_map import AffineMap
from bufferize.transforms.changes.search import unrolled


@pytest.mark.parametrize(
    ("positions", "text"),
    [((0, 2), "(i, k)"), ((len(LOOP_NAMES) - 1,), "(p)"), ((len(LOOP_NAMES),), None)],
)
def test_loops_have_names_as_long_as_there_are_letters(positions, text):
    assert _element(AffineMap(20, 0, tuple(map(dim, positions)))) == text


def test_nothing_is_counted_before_anything_is_changed():
    assert Fixed("").before == Fixed("").after
    assert Fixed("").before[0] == 0


TRADING = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %known = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to TRIPS step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.extract %x[%c1] : tensor<4xf32>
    %w = tensor.insert %e into %y[%c0] : tensor<4xf32>
    scf.yield %w, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""


@pytest.mark.parametrize(("trips", "offered"), [("4", True), ("5", True), ("%n", True)])
def test_loops_whose_buffers_trade_places_are_unrolled(trips, offered):
    text = TRADING.replace("TRIPS", "%known" if trips != "%n" else trips).replace(
        "constant 4", f"constant {trips if trips != '%n' else 4}"
    )
    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    result = analyze(parse(text), options)
    found = [c for use in result.operands() if use.owner.name == "scf.yield" for c in unrolled(result, use)]
    assert bool(found) is offered


def test_the_types_are_where_a_copy_for_them_is_marked():
    module = parse(
        """
        func.func private @g(tensor<4xf32>)
        func.func @f(%t: tensor<8xf32>) {
          %p = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
          call @g(%p) : (tensor<4xf32>) -> ()
          return
        }"""
    )
    findings = explain(module, function_boundary_layout="identity-layout-map").findings
    (finding,) = [f for f in findings if f.id == "layout-mismatch"]
    assert [label.text for label in finding.diagnostic.labels if label.primary] == [
        "only the types of the buffers force this copy, not a read or write"
    ]


def test_what_a_callee_holds_is_held_while_it_runs():
    module = parse(
        """
        func.func @g(%x: f32) {
          %c0 = arith.constant 0 : index
          %m = memref.alloc() : memref<16xf32>
          memref.store %x, %m[%c0] : memref<16xf32>
          %y = memref.load %m[%c0] : memref<16xf32>
          memref.dealloc %m : memref<16xf32>
          return
        }
        func.func @f(%x: f32) -> f32 {
          %c0 = arith.constant 0 : index
          %m = memref.alloc() : memref<8xf32>
          memref.store %x, %m[%c0] : memref<8xf32>
          call @g(%x) : (f32) -> ()
          %y = memref.load %m[%c0] : memref<8xf32>
          memref.dealloc %m : memref<8xf32>
          return %y : f32
        }"""
    )
    peaks = {
        function.name: function.spaces[0].plan.height
        for function in memory_of(module, Assumptions({}, 64), QUICK)
    }
    assert peaks == {"g": 64, "f": 96}


FAILURES = {
    # a misspelt name, and one like which there is none
    "tensor.inserts %x into %t[%i]": ("did you mean 'tensor.insert'?", ""),
    "tensor.rotate_by %x into %t[%i]": ("custom op 'tensor.rotate_by' is unknown", "did you mean"),
    # every operand may share memory with the result, which says nothing about this program
    "tensor.gather %t[%n] gather_dims([0]) : (tensor<8xf32>, tensor<2x1xindex>) -> tensor<2x1xf32>": (
        "write it as a linalg.generic that extracts from the source",
        "cannot be updated in place",
    ),
}


@pytest.mark.parametrize("op", FAILURES)
def test_a_failure_names_the_way_out_and_nothing_else(op, tmp_path, capsys):
    file = tmp_path / "a.mlir"
    file.write_text(
        "func.func @f(%t: tensor<8xf32>, %x: f32, %i: index, %n: tensor<2x1xindex>) -> tensor<2x1xf32> {\n"
        f"  %r = {op}\n  return %r : tensor<2x1xf32>\n}}\n"
    )
    assert main(["explain", str(file)]) in (0, 1, 2)
    out, err = capsys.readouterr()
    said, silent = FAILURES[op]
    assert said in out + err
    assert not silent or silent not in out + err


def test_a_call_in_a_region_needs_its_dialect(tmp_path, capsys):
    file = tmp_path / "a.mlir"
    text = "func.func @f(%p: i1) {\n  scf.if %p {\n    call @f(%p) : (i1) -> ()\n  }\n  return\n}\n"
    file.write_text(text)
    assert main(["explain", str(file)]) == 2
    assert "write 'func.call'" in capsys.readouterr().err
    file.write_text(text.replace("    call", "    func.call"))
    assert main(["explain", str(file)]) == 0


def test_a_function_that_never_returns(tmp_path, capsys):
    file = tmp_path / "a.mlir"
    file.write_text("func.func @f(%t: tensor<8xf32>) {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n")
    main(["explain", str(file)])
    assert "no path through it returns" in " ".join(capsys.readouterr().out.split())


ALLOCATED = """
func.func @f(%t: tensor<4xf32>, %f: f32, %p: i1, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = bufferization.alloc_tensor() : tensor<4xf32>
  %after = tensor.insert %f into %t[%c1] : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %t) -> (tensor<4xf32>) {
    %inner = tensor.empty() : tensor<4xf32>
    %w = tensor.insert %f into %b[%i] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("value", "root", "older"),
    [
        ("before", "e", True),
        ("before", "a", True),
        ("after", "e", False),
        ("t", "e", True),
        ("t", "inner", True),
        ("b", "inner", True),
        ("b", "e", False),
        ("before", "inner", False),
        ("w", "inner", False),
        ("before", "after", False),
        ("t", "t", False),
    ],
)
def test_a_buffer_that_is_allocated_later_holds_nothing_older(value, root, older):
    module = parse(ALLOCATED)
    one, other = (values_named(module, name)[0] for name in (value, root))
    assert _is_older(one, other) is older


def suggestions(*saved):
    made = [SimpleNamespace(copies_saved=number) for number in saved]
    return SimpleNamespace(diagnostic=SimpleNamespace(suggestions=made), copies=1)


@pytest.mark.parametrize(
    ("first", "others", "order"),
    [
        ((1,), ((2,),), [2, 1]),
        ((), ((2,),), [2]),
        ((2,), ((2,),), [2]),
        ((1,), ((1,),), [1]),
        ((1,), ((2,), (0,)), [1]),
        ((1,), ((3,), (0,)), [3, 1]),
        ((1, 3), ((0,), (0,)), [3, 1]),
        ((), ((),), []),
    ],
)
def test_the_change_that_saves_all_copies_of_a_cause_comes_first(first, others, order):
    findings = [suggestions(*first), *(suggestions(*saved) for saved in others)]
    _best_first(SimpleNamespace(findings=findings))
    assert [one.copies_saved for one in findings[0].diagnostic.suggestions] == order


@pytest.mark.parametrize(
    ("size", "is_part", "operations"),
    [(10, False, 2000), (10, True, 500), (3000, False, 3000), (3000, True, 3000), (30_000, False, 20_000)],
)
def test_the_budget_of_trials(size, is_part, operations):
    assert budget(size, is_part) == operations
