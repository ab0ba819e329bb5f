"""Deciding by position decides as the search does, with the same conflicts, classes and summaries of functions."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from bufferize.analysis.one_shot import (
    BOTTOM_UP,
    FEWEST_COPIES,
    TOP_DOWN,
    AnalysisOptions,
    ReadAfterWrite,
    search,
)
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.result import AnalysisResult
from bufferize.benchmarks.families import FAMILIES
from bufferize.ir.defects import MLIR_22
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.program.interfaces import FunctionOp
from bufferize.ir.source.diagnostics import present
from bufferize.ir.text.parser import parse_text
from hypothesis import example, given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from random_programs import random_module

TENSOR = "tensor<8xf32>"
STEPS = (
    "%R = tensor.insert %f into %A[%i] : tensor<8xf32>",
    "%x{n} = tensor.extract %A[%i] : tensor<8xf32>",
    "%R = tensor.empty() : tensor<8xf32>",
    "%R = linalg.fill ins(%f : f32) outs(%A : tensor<8xf32>) -> tensor<8xf32>",
    "%R = linalg.add ins(%A, %B : tensor<8xf32>, tensor<8xf32>) outs(%C : tensor<8xf32>) -> tensor<8xf32>",
    "%R = linalg.copy ins(%A : tensor<8xf32>) outs(%B : tensor<8xf32>) -> tensor<8xf32>",
    "%R = arith.select %c, %A, %B : tensor<8xf32>",
    "%R = arith.constant dense<1.0> : tensor<8xf32>",
    "%s{n} = tensor.extract_slice %A[2] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"
    "  %w{n} = linalg.fill ins(%f : f32) outs(%s{n} : tensor<4xf32>) -> tensor<4xf32>\n"
    "  %R = tensor.insert_slice %w{n} into %B[2] [4] [1] : tensor<4xf32> into tensor<8xf32>",
    '%R = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}\n'
    "      outs(%A : tensor<8xf32>) {\n  ^bb(%o{n}: f32):\n    %j{n} = linalg.index 0 : index\n"
    "    %g{n} = tensor.extract %B[%j{n}] : tensor<8xf32>\n    linalg.yield %g{n} : f32\n  } -> tensor<8xf32>",
    "%R = tensor.generate {\n  ^bb(%o{n}: index):\n    %l{n} = scf.if %c -> f32 {\n"
    "      %g{n} = tensor.extract %A[%o{n}] : tensor<8xf32>\n      scf.yield %g{n} : f32\n    } else {\n"
    "      %h{n} = tensor.extract %B[%o{n}] : tensor<8xf32>\n      scf.yield %h{n} : f32\n    }\n"
    "    tensor.yield %l{n} : f32\n  } : tensor<8xf32>",
    "%d{n} = tensor.cast %A : tensor<8xf32> to tensor<?xf32>\n  %R = tensor.cast %d{n} : tensor<?xf32> to tensor<8xf32>",
    "%R = call @callee(%A, %B, %f, %i) : (tensor<8xf32>, tensor<8xf32>, f32, index) -> tensor<8xf32>",
    "%R, %q{n} = call @both(%A, %B) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)",
)
CALLEES = """
func.func private @callee(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %x = tensor.extract %u[%i] : tensor<8xf32>
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @both(%t: tensor<8xf32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %u, %u : tensor<8xf32>, tensor<8xf32>
}
"""


def straight_program(generator: random.Random, length: int) -> str:
    """A function of one block in which any earlier tensor may be an operand, beside two that it calls."""
    names = ["%t", "%u"]
    lines: list[str] = []
    for n in range(length):
        step = generator.choice(STEPS).replace("{n}", str(n))
        for hole in ("%A", "%B", "%C"):
            step = step.replace(hole, generator.choice(names[-4:] + names[:2]))
        lines.append("  " + step.replace("%R", f"%r{n}"))
        if "%R" in step:
            names.append(f"%r{n}")
    signature = (
        "%t: tensor<8xf32>, %u: tensor<8xf32> {bufferization.writable = false}, %f: f32, %i: index, %c: i1"
    )
    ends = f"  return {names[-1]} : {TENSOR}"
    return f"func.func @f({signature}) -> {TENSOR} {{\n" + "\n".join([*lines, ends]) + "\n}" + CALLEES


def classes(result: AnalysisResult) -> list[tuple[list[Value], list[Value]]]:
    values = result.state.tensor_values(result.state.root)
    return [(result.alias_set(value), result.equivalence_class(value)) for value in values]


def certificates(result: AnalysisResult) -> list[tuple[object, ...]]:
    """Of each search for fewest copies: what it gives up, the weight, the bound, and how many cores prove it.

    Which of several reads by one operation, or in its regions, a core names is not defined.
    """
    return [
        (
            function,
            {outcome.problem.edges[i].operand for i in outcome.given_up},
            outcome.weight,
            outcome.bound,
            len(outcome.cores),
        )
        for function, outcome in result.outcomes.items()
    ]


def first_conflicts(result: AnalysisResult) -> list[tuple[object, ...]]:
    """Operands with their first conflicts; which of several reads by one operation, or in its regions, comes first is not defined."""

    def statement(op: Operation) -> Operation:
        while not isinstance(around := present(op.parent_op), FunctionOp):
            op = around
        return op

    return [
        (operand, statement(conflict.read.owner), conflict.write)
        if isinstance(conflict, ReadAfterWrite)
        else (operand, conflict)
        for operand, conflict in result.first_conflicts.items()
    ]


def assert_same(text: str, options: AnalysisOptions) -> AnalysisResult:
    """Both tiers find the same: decisions, first conflicts in their order, undefined contents, summaries, classes."""
    module = parse_text(text, allow_unregistered=True)
    found = analyze(module, options)
    judge = analyze(module, options, find_conflict=search.find_conflict)
    assert [str(error) for error in found.errors] == [str(error) for error in judge.errors]
    assert found.unsettled.in_place == judge.unsettled.in_place
    assert first_conflicts(found) == first_conflicts(judge)
    assert found.undefined_uses == judge.undefined_uses
    assert found.analyzed == judge.analyzed
    assert found.unsettled.callees == judge.unsettled.callees
    assert certificates(found) == certificates(judge)
    if not found.errors:
        assert classes(found) == classes(judge)
    return found


@settings(max_examples=150, deadline=None)
@example(365888, 11, FEWEST_COPIES, None, False, True)
@example(727, 11, FEWEST_COPIES, None, False, True)
@given(
    st.integers(0, 10**9),
    st.integers(1, 14),
    st.sampled_from([BOTTOM_UP, TOP_DOWN, FEWEST_COPIES]),
    st.sampled_from([None, MLIR_22]),
    st.booleans(),
    st.booleans(),
)
def test_functions_of_one_block(
    seed: int, length: int, heuristic: str, compat: str | None, parts: bool, may_reorder: bool
) -> None:
    options = AnalysisOptions(
        bufferize_function_boundaries=True,
        analysis_heuristic=heuristic,
        compat=compat,
        compare_parts=parts,
        may_reorder=may_reorder,
    )
    text = straight_program(random.Random(seed), length)
    assert_same(text, options)
    assert analyze(parse_text(text), options)._by_position, "nothing was decided by position"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 12), st.booleans())
def test_programs_with_regions_and_blocks(seed: int, length: int, blocks: bool) -> None:
    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    assert_same(random_module(random.Random(seed), length, blocks=blocks), options)


@pytest.mark.parametrize("family", FAMILIES)
def test_families(family: str) -> None:
    assert_same(FAMILIES[family](120), AnalysisOptions(bufferize_function_boundaries=True))


def nested_slices(generator: random.Random, depth: int) -> str:
    """Slices of slices, updated and inserted again in any order, now and then elsewhere than they were taken from."""
    shape = {"%s0": 20, "%u": 20}
    made = ["%s0"]
    lines: list[str] = []
    for n in range(depth):
        source = made[-1] if generator.random() < 0.8 else generator.choice(made)
        size = shape[source] - 1
        if size < 4:
            continue
        start = generator.randrange(2)
        lines.append(
            f"  %s{n + 1} = tensor.extract_slice {source}[{start}] [{size}] [1] : tensor<{size + 1}xf32> to tensor<{size}xf32>"
        )
        shape[f"%s{n + 1}"] = size
        made.append(f"%s{n + 1}")
    current = made[-1]
    lines.append(f"  %w = tensor.insert %f into {current}[%i] : tensor<{shape[current]}xf32>")
    shape["%w"] = shape[current]
    written = ["%w"]
    for n in range(2 * depth):
        source = written[-1] if generator.random() < 0.8 else generator.choice(written + made)
        fitting = [value for value, size in shape.items() if size == shape[source] + 1]
        if not fitting:
            break
        into = next((v for v in fitting if v in made), fitting[0])
        into = into if generator.random() < 0.8 else generator.choice(fitting)
        size, start = shape[source], generator.randrange(2)
        lines.append(
            f"  %r{n} = tensor.insert_slice {source} into {into}[{start}] [{size}] [1] : tensor<{size}xf32> into tensor<{size + 1}xf32>"
        )
        if generator.random() < 0.1:
            other = generator.choice(made)
            lines.append(f"  %x{n} = tensor.extract {other}[%i] : tensor<{shape[other]}xf32>")
        shape[f"%r{n}"] = size + 1
        written.append(f"%r{n}")
    last = written[-1]
    type = f"tensor<{shape[last]}xf32>"
    signature = f"%s0: tensor<20xf32>, %u: tensor<20xf32>, %f: f32, %i: index) -> {type}"
    return f"func.func @f({signature} {{\n" + "\n".join([*lines, f"  return {last} : {type}"]) + "\n}"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from((BOTTOM_UP, TOP_DOWN, FEWEST_COPIES)), st.booleans())
def test_slices_of_slices_are_decided_alike(seed: int, heuristic: str, parts: bool) -> None:
    options = AnalysisOptions(
        bufferize_function_boundaries=True, analysis_heuristic=heuristic, compare_parts=parts
    )
    assert_same(nested_slices(random.Random(seed), 12), options)
