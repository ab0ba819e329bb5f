"""Rounds that visit only what is near a change end in the program that visiting everything ends in."""

from __future__ import annotations

from itertools import chain

import pytest
from bufferize import run_passes
from bufferize.benchmarks.families import branching_allocations
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.generate_graphs import graph_program
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.transforms.patterns import for_operation
from bufferize.transforms.rewriting.greedy import Config, _Driver, rewrite_greedily
from bufferize.transforms.rewriting.simplify_regions import NORMAL
from bufferize.transforms.rewriting.unneeded import Unneeded

PASSES = ("-buffer-deallocation-static", "-canonicalize")
FEEDS_ITSELF = """
func.func @f(%n: index, %c: i1, %m: memref<4xf32>, %x: f32) {
  %i = arith.constant 0 : index
  cf.br ^head(%n, %n : index, index)
^head(%a: index, %b: index):
  %d = arith.addi %a, %n : index
  %e = arith.addi %b, %n : index
  cf.cond_br %c, ^head(%d, %e : index, index), ^end(%a : index)
^end(%y: index):
  %false = arith.constant false
  %zero = arith.subi %n, %n : index
  cf.cond_br %false, ^never, ^last(%zero : index)
^never:
  cf.br ^last(%n : index)
^last(%k: index):
  %w = arith.muli %y, %k : index
  %z = arith.addi %w, %i : index
  memref.store %x, %m[%z] : memref<4xf32>
  return
}
"""
"""What the loop computes is needed until the product is known to be zero, which takes a second round."""


def canonicalized(text: str) -> str:
    module = parse_text(text)
    transform(module, PASSES, "")
    return print_module(module)


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch):
    """Call to have everything visited in each round."""

    def switch() -> None:
        monkeypatch.setattr(_Driver, "_near", lambda self: None)
        monkeypatch.setattr(
            Unneeded, "_unneeded_near", lambda self, changed, used: [*chain(*self._unneeded_everywhere())]
        )

    return switch


@pytest.mark.parametrize(
    "text",
    [branching_allocations(80), FEEDS_ITSELF, *(graph_program(seed) for seed in range(8_000_000, 8_000_012))],
    ids=lambda text: "",
)
def test_visiting_what_is_near_a_change_is_enough(text, everywhere):
    found = canonicalized(text)
    everywhere()
    assert found == canonicalized(text)


def test_what_only_feeds_itself_goes_when_it_is_needed_no_more():
    assert "^bb1:" in canonicalized(FEEDS_ITSELF)


def test_later_rounds_leave_alone_what_did_not_change():
    module = parse_text(branching_allocations(800))
    count = sum(1 for _ in module.walk())
    visits = 0

    def patterns_of(op):
        nonlocal visits
        visits += 1
        return for_operation(op)

    outcome = rewrite_greedily(module, patterns_of, Config(regions=NORMAL))
    assert outcome.rounds == 10
    assert visits < 3 * count


METADATA = """
func.func @f(%m: memref<4xf32>) -> (index, index) {
  %b, %o, %s, %st = memref.extract_strided_metadata %m : memref<4xf32> -> memref<f32>, index, index, index
  return %o, %s : index, index
}"""


@pytest.mark.parametrize(
    "name", ["canonicalize", "buffer-deallocation-simplification", "empty-tensor-to-alloc-tensor"]
)
def test_every_greedy_pass_folds_to_constants_that_it_inserts(name):
    module = parse_text(METADATA)
    run_passes(module, [name])
    assert "extract_strided_metadata" not in str(module)


def test_users_of_a_duplicate_constant_come_first_from_below_too():
    """mlir-opt folds the read through the cast before the write, which thus stays."""
    module = parse_text("""
func.func @f(%a: tensor<4x8xf32>, %x: f32) -> tensor<?x8xf32> {
  %t = tensor.cast %a : tensor<4x8xf32> to tensor<?x8xf32>
  %i = arith.constant 0 : index
  %j = arith.constant 0 : index
  %v = vector.transfer_read %t[%i, %j], %x {in_bounds = [true]} : tensor<?x8xf32>, vector<2xf32>
  %w = vector.transfer_write %v, %t[%i, %j] {in_bounds = [true]} : vector<2xf32>, tensor<?x8xf32>
  return %w : tensor<?x8xf32>
}""")
    transform(module, ("-linalg-generalize-named-ops",), "")
    assert "vector.transfer_read %arg0[" in print_module(module)


def test_shapes_are_looked_through_before_they_fold():
    module = parse_text("""
func.func @f(%a: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %s = tensor.from_elements %one, %four : tensor<2xindex>
  %r = tensor.reshape %a(%s) : (tensor<1x4xf32>, tensor<2xindex>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}""")
    transform(module, ("-resolve-shaped-type-result-dims",), "")
    assert "reshape" not in print_module(module)
