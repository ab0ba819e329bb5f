"""Definitions computed value by value are those that `definitions.dl`, beside this file, derives."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from bufferize.analysis.datalog.database import Database
from bufferize.analysis.datalog.program import load_program
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.definitions import Chains, find_values, refers_to_part
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.program.interfaces import SubsetInsertionOp
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from random_programs import random_module


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_definitions_are_those_of_the_rules(seed: int, blocks: bool) -> None:
    module = parse_text(random_module(random.Random(seed), 8, blocks=blocks), allow_unregistered=True)
    state = analyze(module, AnalysisOptions(bufferize_function_boundaries=True)).state
    database = Database(load_program(Path(__file__).with_name("definitions.dl")))
    values = state.tensor_values(state.root)
    for value in values:
        database.assert_fact("tensor", value)
        if state.definitions.defines(value):
            database.assert_fact("writes_contents", value)
        for alias in state.aliasing_operands(value):
            database.assert_fact("hands_on", value, alias.operand.value)
    derived: dict[Value, set[Value]] = {value: set() for value in values}
    for value, definition in database.query("definition_of"):
        derived[value].add(definition)
    assert derived == {value: set(state.definitions.of(value)) for value in values}


def parts_found(root: Operation) -> set[bool | None]:
    """What chains answer for each tensor and insertion, compared with the plain walk."""
    state = analyze(root, AnalysisOptions(bufferize_function_boundaries=True)).state
    chains = Chains(state)
    answers: set[bool | None] = set()
    for insertion in root.walk():
        if not isinstance(insertion, SubsetInsertionOp):
            continue

        def is_part(value: Value, insertion: SubsetInsertionOp = insertion) -> bool:
            return refers_to_part(value, insertion, state.are_equivalent)

        for value in state.tensor_values(state.root):
            found = chains.has_part(value, insertion, is_part)
            answers.add(found)
            plain = all(is_part(end) for end in find_values(state, value, is_part))
            assert found in (None, plain), (str(insertion), str(value))
    return answers


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_parts_are_found_in_chains_as_by_walking(seed: int, blocks: bool) -> None:
    parts_found(parse_text(random_module(random.Random(seed), 8, blocks=blocks), allow_unregistered=True))


def test_parts_of_parts() -> None:
    lines = ["func.func @f(%s0: tensor<40xf32>, %f: f32, %i: index) {"]
    for depth in range(30):
        size, start = 40 - depth, depth % 2
        lines.append(
            f"%s{depth + 1} = tensor.extract_slice %s{depth}[{start}] [{size - 1}] [1] : tensor<{size}xf32> to tensor<{size - 1}xf32>"
        )
    lines.append("%r30 = tensor.insert %f into %s30[%i] : tensor<10xf32>")
    for depth in reversed(range(30)):
        size, start = 40 - depth, 0 if depth == 7 else depth % 2
        lines.append(
            f"%r{depth} = tensor.insert_slice %r{depth + 1} into %s{depth}[{start}] [{size - 1}] [1] : tensor<{size - 1}xf32> into tensor<{size}xf32>"
        )
    assert parts_found(parse_text("\n".join([*lines, "return }"]))) == {True, False}
