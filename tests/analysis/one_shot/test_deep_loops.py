"""Loops nested deeper than Python may call: whether each reads depends on the one in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.program_answers import ProgramAnswers
from bufferize.ir.text.parser import parse_text

sys.path.insert(0, str(Path(__file__).parent))
from helpers import analyzed, decisions

DEPTH = 400
TYPE = "tensor<8xf32>"


def nest(depth: int, innermost: str) -> str:
    """Loops that hand one tensor inwards; `innermost` makes `%u` of `%t<depth>`."""
    lines = [f"func.func @f(%t0: {TYPE}, %f: f32, %i: index) -> {TYPE} {{"]
    lines += [f"%c{k} = arith.constant {k} : index" for k in (0, 1, 8)]
    for k in range(depth):
        lines.append(
            f"%r{k} = scf.for %i{k} = %c0 to %c8 step %c1 iter_args(%t{k + 1} = %t{k}) -> ({TYPE}) {{"
        )
    lines.append(innermost)
    for k in reversed(range(depth)):
        lines += [f"scf.yield {'%u' if k == depth - 1 else f'%r{k + 1}'} : {TYPE}", "}"]
    return "\n".join([*lines, f"return %r0 : {TYPE}", "}"])


INSERT = f"%u = tensor.insert %f into %t{DEPTH}[%i] : {TYPE}"
FILL = f"%u = linalg.fill ins(%f : f32) outs(%t{DEPTH} : {TYPE}) -> {TYPE}"


@pytest.mark.parametrize(("innermost", "reads"), [(INSERT, True), (FILL, False)])
def test_outermost_loop_may_be_asked_first(innermost: str, reads: bool) -> None:
    module = parse_text(nest(DEPTH, innermost))
    answers = ProgramAnswers(module, AnalysisOptions(), ModelRegistry(), {}, {})
    loops = [op for op in module.walk() if op.name == "scf.for"]
    assert {answers.reads(loop.op_operands[3]) for loop in loops} == {reads}


def test_deep_nest_is_updated_in_place() -> None:
    result = analyzed(nest(DEPTH, INSERT))
    assert not result.errors
    assert set(decisions(result, "scf.for")) == {"nnnT"}
