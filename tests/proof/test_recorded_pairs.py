"""Recorded programs and what passes make of them: the proof holds, and what is changed in them afterwards is not proved."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from bufferize import prove, run_passes
from bufferize.dialects import arith
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.program.core import Operation
from bufferize.ir.text.parser import parse_text
from bufferize.ir.types import attributes as a, types as t

from .answers import ANSWERS, BUFFERIZED, RECORDED, answer, bufferized, program, recorded, to_bufferize


@pytest.mark.parametrize("file", RECORDED)
def test_what_is_answered_about_recorded_outputs_of_passes(file):
    for name, before, after in recorded(file):
        assert answer(program(before), program(after))[1] == ANSWERS[name]


@pytest.mark.parametrize("file", BUFFERIZED)
def test_what_is_answered_about_bufferized_programs(file):
    for name, text in to_bufferize(file):
        assert answer(*bufferized(text))[1] == ANSWERS[name], name


def test_how_many_functions_are_proved_of_recorded_outputs():
    """A proof that fails where it held is a loss."""
    lines = [line for name, section in ANSWERS.items() if name.split()[0] in RECORDED for line in section]
    assert sum(": proved: " in line for line in lines) >= 315


EDITED = ("memref.copy", "memref.store", "arith.constant", "scf.if")


def edited(program: Operation) -> Iterator[tuple[str, Operation]]:
    """Copies of a program on buffers, each with one operation changed or left out."""
    for i, known in enumerate(program.walk()):
        for what in ("left out", "other indices", "one more", "other way"):
            if known.name not in EDITED and known.dialect != "linalg":
                continue
            copy = program.clone()
            op = list(copy.walk())[i]
            if what == "left out" and (op.name in ("memref.copy", "memref.store") or writes_a_buffer(op)):
                op.erase()
            elif what == "other indices" and op.name == "memref.store" and len(op.operands) > 3:
                op.operands = [*op.operands[:-2], op.operands[-1], op.operands[-2]]
            elif what == "one more" and is_index(op):
                number = op.properties["value"]
                assert isinstance(number, a.IntegerAttr)
                op.properties["value"] = a.index_attr(number.value + 1)
            elif what == "other way" and op.name == "scf.if" and not op.regions[1].is_empty:
                then, otherwise = op.regions
                op.regions = [otherwise, then]
            else:
                continue
            yield f"{known.name} {what}", copy


def is_index(op: Operation) -> bool:
    """Whether this is a number by which something is accessed or bounded; which size is asked for does not count."""
    if not isinstance(op, arith.ConstantOp) or op.results[0].type is not t.INDEX:
        return False
    return not any(use.owner.name == "memref.dim" for use in op.results[0].uses)


def writes_a_buffer(op: Operation) -> bool:
    return op.dialect == "linalg" and not op.results and op.name not in ("linalg.yield", "linalg.index")


def test_what_is_changed_is_not_proved_unless_it_does_the_same():
    count = still = 0
    for _, *texts in islice(recorded("bufferize/programs"), 0, None, 2):
        before, after = map(program, texts)
        if not prove(before, after).proved:
            continue
        for what, changed in edited(after):
            count += 1
            if prove(before, changed).proved:
                still += 1
                for finding in verify_module(before, changed, Options(inputs=1)):
                    assert not finding.failed, (what, finding.diagnostic)
    assert count > 50 and still < count / 2


PROGRAMS = (Path(__file__).parent / "programs.mlir").read_text("utf-8").split("// -----\n")
SELF_COPY = "slices in parallel"


@pytest.mark.parametrize("text", PROGRAMS, ids=[text.partition("\n")[0].strip("/ ") for text in PROGRAMS])
def test_each_access_counts(text):
    """All that is written is read: nothing can be left out but a copy of a slice onto itself."""
    before, after = parse_text(text), parse_text(text)
    run_passes(after, ["one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"])
    assert prove(before, after).proved
    same = [what for what, program in edited(after) if prove(before, program).proved]
    assert same == (["memref.copy left out"] if SELF_COPY in text else [])
