"""The memory report equals what is in the output: each allocation, copy and clone is one record, with its cause.

Held for the programs of the examples and of the families of benchmarks, and for recorded inputs where there are some.
"""

import ast
import contextlib
import io
import os
import re
import tempfile
from pathlib import Path

import bufferize
import pytest
from bufferize.analysis.causes import Cause, CauseKind
from bufferize.cli.opt import main as opt
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.source.locations import Source
from bufferize.ir.source.reading import split_source
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
from bufferize.transforms.makers import MOVING
from bufferize.transforms.memory_report import IRMapping, Kind, MemoryReport
from bufferize.transforms.pass_base import Context

ROOT = Path(__file__).parents[2]
RECORDED = os.environ.get("BUFFERIZE_RECORDED")
COUNTED = {"memref.alloc": "allocations", "memref.copy": "copies", "bufferization.clone": "clones"}
STEPS = ("-buffer-deallocation-pipeline",)

PROGRAMS = {
    "pad, concat, collapse": """
func.func @f(%t: tensor<8x8xf32>, %a: tensor<?xf32>, %z: f32) -> (tensor<10x10xf32>, tensor<?xf32>, tensor<16xf32>) {
  %p = tensor.pad %t low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x8xf32> to tensor<10x10xf32>
  %c = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %l = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %p, %c, %l : tensor<10x10xf32>, tensor<?xf32>, tensor<16xf32>
}
""",
    "a call wants another layout": """
func.func private @g(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @f(%t: tensor<16xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %s = tensor.extract_slice %t[0] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %r = call @g(%s, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    "rows appended": """
func.func @f(%cache: tensor<8x16xf32>, %row: tensor<16xf32>, %n: index) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %cache) -> (tensor<8x16xf32>) {
    %u = tensor.insert_slice %row into %c[%i, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
    scf.yield %u : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}
""",
    "what the source asks for": """
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  %a = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %u = tensor.insert %f into %a[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %u : tensor<4xf32>
}
""",
    "a global": """
ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %t : tensor<4xf32>
  %x = tensor.extract %old[%i] : tensor<4xf32>
  return %x : f32
}
""",
    "buffers trade places": """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %v, %u : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
""",
    "branches": """
func.func @f(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<?xf32>, f32) {
  cf.cond_br %c, ^a, ^b
^a:
  %s = tensor.extract_slice %t[0] [%i] [2] : tensor<8xf32> to tensor<?xf32>
  cf.br ^c(%s : tensor<?xf32>)
^b:
  %e = tensor.empty(%i) : tensor<?xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^c(%z : tensor<?xf32>)
^c(%r: tensor<?xf32>):
  %u = tensor.insert %f into %t[%i] : tensor<8xf32>
  %x = tensor.extract %u[%i] : tensor<8xf32>
  return %r, %x : tensor<?xf32>, f32
}
""",
}
PROGRAMS |= {
    "one clone goes, another comes": """
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %unused = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
""",
}
REFUSED = {
    "nothing returns": """
func.func @f(%t: tensor<4xf32>) {
  "test.end"(%t) : (tensor<4xf32>) -> ()
}
""",
    "a memory space where a layout is taken for one": """
func.func @f() -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
}
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))


def read(text: str) -> bufferize.Operation:
    return bufferize.parse(text, allow_unregistered=True)


def texts() -> list[tuple[str, str]]:
    return [*PROGRAMS.items(), *((path.stem, path.read_text()) for path in EXAMPLES)]


def counts(text: str) -> dict[str, int]:
    """How often each operation is in a printed program."""
    return {what: len(re.findall(rf"\b{re.escape(name)}\b", text)) for name, what in COUNTED.items()}


def check(module: bufferize.Operation, loops: bool = False) -> bool:
    """The memory report of an explanation against the text that the passes print, after One-Shot and after deallocation.

    False if the program is refused: then there is nothing to count.
    """
    before = counts(str(module))
    found = bufferize.explain(module, with_help=False, allow_return_allocs_from_loops=loops)
    if not found.is_bufferized:
        return False
    bufferized = found.bufferized
    after = counts(printed(module, loops=loops))
    data = found.data()["memoryReport"]
    assert data["copies"] == after["copies"] - before["copies"]
    assert data["allocations"] == after["allocations"] - before["allocations"]
    assert sum(
        m["kind"] in ("copy", "allocation") and m["made"] != "linalg.copy" for m in data["records"]
    ) == (after["copies"] + after["allocations"])
    agree(bufferized.module, bufferized.memory_report)
    freed = IRMapping(bufferized.module).copy
    try:
        BufferDeallocationPipeline().run(freed, Context())
    except BufferizeError:
        assert found.freed is None or found.freed.problems or not found.memory_report.clones
        return True  # the pipeline does not take the program
    outcome = MemoryReport.of(freed)
    agree(freed, outcome)
    assert data["clones"] == len(outcome.clones)
    moved = {kind: sum(m.op.name == name for m in outcome) for name, kind in COUNTED.items()}
    assert moved == counts(printed(module, *STEPS, loops=loops))
    for name, kind in COUNTED.items():
        left = sum(m.op.name == name and m.was_written for m in outcome)
        assert left <= before[kind], "nothing passes for what the source says that it does not say"
    return True


def printed(module: bufferize.Operation, *steps: str, loops: bool = False) -> str:
    """What `bufferize-opt` prints for the program after some passes."""
    options = " allow-return-allocs-from-loops" if loops else ""
    flags = [f"-one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops{options}", *steps]
    text = io.StringIO()
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file, contextlib.redirect_stdout(text):
        file.write(str(module))
        file.flush()
        assert opt([file.name, "--allow-unregistered-dialect", *flags]) == 0
    return text.getvalue()


def agree(module: bufferize.Operation, memory_report: MemoryReport) -> None:
    """Each operation that moves memory is one record, and has a cause unless it was in the source."""
    ops = [op for op in module.walk() if op.name in MOVING and not (op.name == "linalg.copy" and op.results)]
    assert [memory_record.op for memory_record in memory_report] == ops
    assert len(memory_report) == len(ops)
    for memory_record in memory_report:
        assert isinstance(memory_record.op.cause, Cause) or memory_record.was_written


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_the_account_is_what_is_in_the_output(name, text):
    module = read(text)
    written = [op for op in module.walk() if op.name in MOVING]
    check(module)
    check(module, loops=True)
    assert [op for op in module.walk() if op.name in MOVING] == written, "explaining changes nothing"


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_the_pass_refuses_is_not_called_bufferized(text):
    module = read(text)
    assert not bufferize.explain(module, with_help=False).is_bufferized
    with contextlib.redirect_stderr(io.StringIO()), pytest.raises(AssertionError):
        printed(module)


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded inputs")
def test_the_account_is_what_is_in_the_output_of_recorded_inputs():
    wrong, looked_at = [], 0
    for path in sorted(Path(RECORDED or "").rglob("inputs/*.mlir")):
        for i, part in enumerate(split_source(Source(path.name, path.read_text()))):
            try:
                looked_at += check(read(part.text))
            except BufferizeError:
                continue
            except AssertionError as failure:
                wrong.append(f"{path}, part {i}: {failure}")
    assert not wrong, "\n".join(wrong)
    assert looked_at, f"{RECORDED} holds no program that bufferizes"


def test_causes_tell_what_each_is_for():
    found = bufferize.explain(read(PROGRAMS["pad, concat, collapse"]), with_help=False)
    made = [
        (m.kind, m.cause.kind, m.data()["value"]) for m in found.memory_report if m.kind is not Kind.CLONE
    ]
    assert made == [
        (Kind.ALLOCATION, CauseKind.PADDING, "%p"),
        (Kind.COPY, CauseKind.PADDING, "%t"),
        (Kind.ALLOCATION, CauseKind.CONCATENATION, "%c"),
        (Kind.COPY, CauseKind.CONCATENATION, "%a"),
        (Kind.COPY, CauseKind.CONCATENATION, "%a"),
        (Kind.ALLOCATION, CauseKind.NOT_CONTIGUOUS, "%s"),
        (Kind.COPY, CauseKind.NOT_CONTIGUOUS, "%s"),
    ]
    assert str(found.memory_report.copies[1].bytes) == "4*%a.0"


def test_nothing_else_in_transforms_makes_memory():
    """Allocations, copies, clones and frees are made in `transforms/makers.py`, where a cause is an argument."""
    made = {"AllocOp", "AllocaOp", "CopyOp", "CloneOp", "DeallocOp", "ReallocOp", "AllocTensorOp"}
    direct = []
    for path in sorted((ROOT / "transforms").rglob("*.py")):
        if path.name == "makers.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = node.func
            if isinstance(called, ast.Attribute) and called.attr == "build":
                called = called.value
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            owner = getattr(getattr(called, "value", None), "id", "")
            if name in made and not (name == "DeallocOp" and owner != "memref"):
                direct.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
    assert not direct


def test_the_size_of_an_unranked_clone_is_named_by_its_source():
    text = "func.func @f(%t: tensor<*xf32>) -> tensor<*xf32> { return %t : tensor<*xf32> }"
    (clone,) = bufferize.explain(bufferize.parse(text)).memory_report.clones
    assert str(clone.bytes) == "size(%t)"
