"""The search by position decides as the plain one, and finds the same conflicts."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from bufferize.analysis.one_shot import HEURISTICS, AnalysisOptions, ReadAfterWrite, search
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.ir.defects import MLIR_22
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from random_programs import random_module

from .helpers import find_conflict_exhaustively

FEATURES = st.fixed_dictionaries(
    {"blocks": st.booleans(), "unknown_regions": st.booleans(), "switches": st.booleans()}
)
OPTIONS = st.builds(
    AnalysisOptions,
    bufferize_function_boundaries=st.booleans(),
    allow_return_allocs_from_loops=st.just(True),
    check_parallel_regions=st.booleans(),
    analysis_heuristic=st.sampled_from(HEURISTICS),
    analysis_fuzzer_seed=st.integers(0, 100),
    compat=st.sampled_from([None, MLIR_22]),
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 12), FEATURES, OPTIONS)
def test_search_by_position_decides_as_all_pairs(
    seed: int, length: int, features: dict[str, bool], options: AnalysisOptions
) -> None:
    module = parse_text(random_module(random.Random(seed), length, **features), allow_unregistered=True)
    fast = analyze(module, options)
    judge = analyze(module, options, find_conflict=find_conflict_exhaustively)
    assert fast.state.in_place == judge.state.in_place
    assert [str(e) for e in fast.errors] == [str(e) for e in judge.errors]
    assert set(fast.first_conflicts) == set(judge.first_conflicts)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 10), FEATURES, OPTIONS)
def test_reasons_are_all_conflicts_of_all_pairs_and_each_has_a_proof(
    seed: int, length: int, features: dict[str, bool], options: AnalysisOptions
) -> None:
    module = parse_text(random_module(random.Random(seed), length, **features), allow_unregistered=True)
    result = analyze(module, options)
    for operand in result.out_of_place():
        reasons = result.reasons(operand)
        if not reasons:  # a copy once that saves one at the end of each iteration
            assert options.analysis_heuristic == "fewest-copies"
            continue
        found = {(r.read, r.write, r.value) for r in reasons if r.read is not None}
        with result.state.looking_back():
            expected = {
                (c.read, c.write, c.definition)
                for c in search.all_conflicts(result.state, operand)
                if isinstance(c, ReadAfterWrite)
            }
        assert found == expected
        aliases = result.alias_set(operand.value)
        for reason in reasons[:3]:
            proof = result.prove(operand, reason)
            assert proof.rule is not None
            assert proof.rule.id == reason.rule
        assert result.alias_set(operand.value) == aliases, "a proof leaves no trace"


CHAIN = "func.func @f(%t0: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {{\n{}\nreturn %t{} : tensor<8xf32>\n}}"


@pytest.mark.parametrize("count", [1, 50, 500])
def test_chain_of_updates_stays_in_place(count: int) -> None:
    lines = [f"%t{k + 1} = tensor.insert %f into %t{k}[%i] : tensor<8xf32>" for k in range(count)]
    result = analyze(
        parse_text(CHAIN.format("\n".join(lines), count)), AnalysisOptions(bufferize_function_boundaries=True)
    )
    assert result.out_of_place() == []


def test_only_the_last_of_many_updates_of_one_tensor_is_in_place() -> None:
    lines = [f"%t{k + 1} = tensor.insert %f into %t0[%i] : tensor<8xf32>" for k in range(300)]
    result = analyze(
        parse_text(CHAIN.format("\n".join(lines), 300)), AnalysisOptions(bufferize_function_boundaries=True)
    )
    assert len(result.out_of_place()) == 299
