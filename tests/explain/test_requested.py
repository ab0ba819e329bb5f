"""Copies that the program requests: which are needed as written, and which the program might do without."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.dialects.bufferization import AllocTensorOp, MaterializeInDestinationOp
from bufferize.explain.report import explain
from bufferize.explain.requested import verdict_on_request
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source

T = "tensor<4xf32>"
FILL = f"%g = linalg.fill ins(%f : f32) outs(%t : {T}) -> {T}"
STORED = "memref.store %f, %m[%i] : memref<4xf32>"
INTO = f"bufferization.materialize_in_destination %g in restrict writable %m : ({T}, memref<4xf32>) -> ()"
ALSO = INTO.replace("%m", "%n")
COPY = f"%c = bufferization.alloc_tensor() copy(%g) : {T}"
READ = f"%x = tensor.extract %g[%i] : {T}"
EARLY, LATER, NEEDED = (
    "might be computed in its destination",
    "without it, the reads of %g",
    "the program requests it",
)
CASES = {
    "right behind its computation": ([FILL, INTO], NEEDED),
    "behind a store": ([FILL, STORED, INTO], EARLY),
    "behind what has no effects": ([FILL, READ, INTO], NEEDED),
    "behind another destination of it": ([FILL, ALSO, INTO], NEEDED),
    "behind another destination of another tensor": ([FILL, ALSO.replace("%g", "%t"), INTO], EARLY),
    "before a store": ([FILL, INTO, STORED], NEEDED),
    "of an argument": ([STORED, INTO.replace("%g", "%t")], NEEDED),
    "of what is not computed in a destination": ([f"%g = tensor.from_elements %f, %f, %f, %f : {T}", STORED, INTO], NEEDED),
    "in a branch": ([FILL, "scf.if %p {", INTO, "}"], EARLY),
    "behind a hundred and one reads": ([FILL, *[READ.replace("%x", f"%x{k}") for k in range(101)], INTO], EARLY),
    "behind a hundred reads": ([FILL, *[READ.replace("%x", f"%x{k}") for k in range(100)], INTO], NEEDED),
    "read later": ([FILL, COPY, READ], LATER),
    "read before": ([FILL, READ, COPY], NEEDED),
    "read before and later": ([FILL, READ, COPY, READ.replace("%x", "%y")], LATER),
    "not read": ([FILL, COPY], NEEDED),
    "read in a branch": ([FILL, COPY, "scf.if %p {", READ, "}"], LATER),
    "written later": ([FILL, COPY, f"%w = tensor.insert %f into %g[%i] : {T}"], NEEDED),
    "read and written later": ([FILL, COPY, READ, f"%w = tensor.insert %f into %g[%i] : {T}"], NEEDED),
    "read by what has effects": ([FILL, COPY, f'"mine.op"(%g) : ({T}) -> ()'], NEEDED),
    "an argument that is read later": ([COPY.replace("%g", "%t"), READ.replace("%g", "%t")], NEEDED),
    "in another memory": ([FILL, f"%c = bufferization.alloc_tensor() copy(%g) {{memory_space = 1 : i64}} : {T}", READ], NEEDED),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_on_a_copy_that_is_requested(name):
    lines, said = CASES[name]
    arguments = f"%t: {T}, %f: f32, %i: index, %p: i1, %m: memref<4xf32>, %n: memref<4xf32>"
    module = parse(
        f"func.func @f({arguments}) {{\n" + "\n".join(lines) + "\nreturn\n}", allow_unregistered=True
    )
    op = [op for op in module.walk() if isinstance(op, AllocTensorOp | MaterializeInDestinationOp)][-1]
    state = SimpleNamespace(writes=lambda use: use.owner.name == "tensor.insert" and use.index == 1)
    finding = SimpleNamespace(op=op, name="%g", result=SimpleNamespace(state=state))
    verdict = verdict_on_request(finding)
    assert verdict.why.startswith(said) or said in verdict.why
    assert (str(verdict.word) == "needed as written") is (said == NEEDED)


COPIED = """
func.func @f(%t: tensor<64xf32>, %v: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<64xf32>
  %c = linalg.copy ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %w = tensor.insert %v into %c[%i] : tensor<64xf32>
  %x = tensor.extract %w[%i] : tensor<64xf32>
  return %x : f32
}"""


def test_a_copy_of_a_tensor_in_the_program_is_counted_and_avoided():
    source = Source("t.mlir", COPIED)
    found = explain(parse_source(source), AnalysisOptions(bufferize_function_boundaries=True), source=source)
    assert [move.made for move in found.memory_report.moves] == ["linalg.copy"]
    assert "1 copy that the program has already" in found.memory_report.summary()
    assert found.plan is not None and found.plan.helps
    assert found.plan.best.cost.moves == 0
