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
from bufferize.ir.types import attributes as a
from bufferize.ir.types import types as t

RECORDS = Path(__file__).parents[1] / "transforms"
PROVED = {
    "bufferize/programs": 36,
    "data/buffer-deallocation": 3,
    "data/buffer-hoisting": 2,
    "data/buffer-loop-hoisting": 2,
    "data/canonicalize": 12,
    "data/canonicalize.aggressive": 1,
    "data/canonicalize.arith": 6,
    "data/canonicalize.cf": 6,
    "data/canonicalize.corners": 5,
    "data/canonicalize.edges": 21,
    "data/canonicalize.indices": 2,
    "data/canonicalize.linalg": 3,
    "data/canonicalize.memref": 11,
    "data/canonicalize.others": 99,
    "data/canonicalize.scf": 12,
    "data/canonicalize.shape": 1,
    "data/canonicalize.sizes": 16,
    "data/canonicalize.slices": 6,
    "data/canonicalize.tensor": 46,
    "data/canonicalize.vector_parts": 1,
    "data/cse": 3,
    "data/eliminate-empty-tensors": 2,
    "data/empty-tensor-to-alloc-tensor": 13,
    "data/expand-realloc": 1,
    "data/promote-buffers-to-stack": 2,
}
"""Functions that are proved in each file, at least: a proof that fails where it held is a loss."""


def pairs(name: str) -> Iterator[tuple[Operation, Operation]]:
    for part in (RECORDS / f"{name}.mlir").read_text("utf-8").split("// -----\n"):
        before, _, after = part.partition("// =>\n")
        yield parse_text(before, allow_unregistered=True), parse_text(after, allow_unregistered=True)


@pytest.mark.parametrize("name", PROVED)
def test_what_passes_make_is_proved(name):
    verdicts = [outcome.verdict for pair in pairs(name) for outcome in prove(*pair).outcomes]
    assert verdicts.count("proved") >= PROVED[name]
    assert "refuted" not in verdicts


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
    for before, after in islice(pairs("bufferize/programs"), 0, None, 2):
        if not prove(before, after).proved:
            continue
        for what, program in edited(after):
            count += 1
            if prove(before, program).proved:
                still += 1
                for finding in verify_module(before, program, Options(inputs=1)):
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
