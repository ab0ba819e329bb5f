"""What is answered, what is decided and the classes that follow: each is made and used here without the others."""

from __future__ import annotations

import subprocess
import sys

import pytest
from bufferize.analysis.datalog.database import Database
from bufferize.analysis.datalog.program import load_program
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.one_shot import AnalysisOptions, DecidedOperands, ReadOnly
from bufferize.analysis.one_shot.alias_classes import AliasClasses
from bufferize.analysis.one_shot.class_facts import ClassFacts
from bufferize.analysis.one_shot.facts import externs
from bufferize.analysis.one_shot.program_answers import ProgramAnswers
from bufferize.analysis.one_shot.state import RULES, AnalysisState, conflict_program
from bufferize.ir.program.core import Operation, OpOperand, Value
from bufferize.ir.text.parser import parse_text

PROGRAM = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}"""


def program() -> tuple[Operation, OpOperand, OpOperand]:
    """The module, the operand that is written, and the one that is read after."""
    module = parse_text(PROGRAM)
    insert, extract = (
        next(op for op in module.walk() if op.name == name) for name in ("tensor.insert", "tensor.extract")
    )
    return module, insert.op_operands[1], extract.op_operands[0]


def answers_of(module: Operation) -> ProgramAnswers:
    return ProgramAnswers(module, AnalysisOptions(), ModelRegistry(), {}, {})


@pytest.mark.parametrize("part", ["", "program_answers", "alias_classes"])
def test_no_part_loads_another(part: str) -> None:
    """Decisions are in the package itself."""
    code = f"import sys, bufferize.analysis.one_shot.{part or '__init__'}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    others = {"program_answers", "alias_classes", "state"}
    assert {name for name in others if f"bufferize.analysis.one_shot.{name}" in loaded.split()} == {part} - {
        ""
    }


# -- what is answered


def test_a_program_answers_with_nothing_decided() -> None:
    module, write, read = program()
    answers = answers_of(module)
    assert answers.writes(write) and answers.reads(read) and not answers.writes(read)
    assert [alias.value for alias in answers.aliasing_values(write)] == [write.owner.results[0]]
    assert answers.definitions_of(read.value) == (read.value,)
    assert answers.order.happens_before(write.owner, read.owner)
    assert answers.tensor_values(answers.root) == [write.owner.results[0], read.value]
    assert not answers.are_equivalent(write.value, write.owner.results[0])


def test_the_rules_find_what_would_conflict_with_nothing_decided() -> None:
    module, write, read = program()
    database = Database(conflict_program(), externs(answers_of(module)))
    assert list(database.solve("overwrites", (read, write, None))) == [(read, write, read.value)]
    assert not database.holds("overwrites", (write, read, None))


# -- classes


def by_hand(aliases: dict[OpOperand, tuple[Value, ...]]) -> AliasClasses:
    """Classes of which nobody but `aliases` is asked: no options, no models, no order."""
    answers = {"holds": lambda use: (use.value,), "aliasing_value": lambda use: aliases.get(use, ())}
    return AliasClasses(load_program(f"{RULES}/aliasing.dl"), answers)


def test_classes_follow_from_facts_made_by_hand() -> None:
    _, write, read = program()
    new, old = write.owner.results[0], write.value
    classes = by_hand({write: (new,)})
    classes.add([old, new])
    facts = ClassFacts()
    facts.add("reads", 3, 5, read)
    classes.alias.attach(old, facts)
    assert classes.alias.members(new) == [new]
    with classes.database.transaction():
        classes.database.assert_fact("in_place", write)
        classes.refresh_aliases()
        assert classes.alias.members(new) == [new, old]
        assert classes.alias.data(new) is facts
    assert classes.alias.members(new) == [new] and classes.alias.data(new) is None
    classes.database.assert_fact("in_place", write)
    classes.refresh_aliases()
    assert [step.left for step in classes.alias.explain_path(new, old)] == [new]
    assert not classes.are_equivalent(new, old)  # they may overlap, and no more is known


def test_facts_of_classes_become_one_in_unions_made_by_hand() -> None:
    _, write, read = program()
    new, old = write.owner.results[0], write.value
    classes = by_hand({})
    for value, kind, use in ((old, "reads", read), (new, "writes", write)):
        facts = ClassFacts()
        facts.add(kind, 1, 2, use)
        classes.alias.attach(value, facts)
    classes.alias.union(old, new)
    joined = classes.alias.data(new)
    assert (joined.reads.count, joined.writes.count) == (1, 1)


def test_classes_tell_what_was_known_when() -> None:
    module, write, _ = program()
    new, old = write.owner.results[0], write.value
    number = next(op for op in module.walk() if op.name == "tensor.extract").results[0]
    classes = by_hand({})
    classes.equivalence.union(old, number)
    with classes.deriving_equivalence():
        classes.database.assert_fact("keeps_buffer", new, write)
        classes.refresh_equivalence()
    assert classes.are_equivalent(old, new)
    with classes.looking_back():
        assert classes.are_equivalent(old, number) and classes.are_equivalent(new, new)
        assert not classes.are_equivalent(old, new)
    assert classes.are_equivalent(old, new)


# -- decisions


def test_decisions_are_a_record() -> None:
    _, write, read = program()
    decided = DecidedOperands()
    assert decided.keep(read) and not decided.keep(read)
    assert read in decided.in_place and write not in decided.in_place
    found = ReadOnly((write.value,))
    decided.against[write] = found
    assert decided.conflict(write) is found and decided.conflict(read) is None
    assert decided.in_place == {read} and not decided.keep(read)


# -- together


def test_the_state_ties_them_together() -> None:
    module, write, read = program()
    state = AnalysisState(module, AnalysisOptions(), ModelRegistry(), {}, {})
    state.classes.add(state.tensor_values(state.root))
    state.keep_in_place(write)
    assert state.decided.in_place == {write} and state.in_place is state.decided.in_place
    assert state.classes.alias.same(write.owner.results[0], read.value)
    assert state.database.holds("raw_conflict", (read, write, None))
