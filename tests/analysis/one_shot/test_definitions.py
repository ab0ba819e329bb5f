"""Definitions computed value by value are those that `definitions.dl`, beside this file, derives."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from bufferize.analysis.datalog.database import Database
from bufferize.analysis.datalog.program import load_program
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.ir.program.core import Value
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings
from hypothesis import strategies as st

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
