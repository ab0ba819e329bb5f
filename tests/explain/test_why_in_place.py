"""`--why` of an operand in place names the exception that keeps each read from harm."""

import bufferize
import pytest
from bufferize.cli.main import main
from bufferize.explain.why import why

TEXT = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""


def test_the_rule_is_named_with_its_reason():
    found = why(bufferize.explain(bufferize.parse(TEXT)), "%t")
    notes = [note.text for diagnostic in found for note in diagnostic.notes]
    assert "'tensor.extract' is not clobbered (conflict.K1): the read happens before the write" in notes
    assert any("conflict.D3" in note for note in notes)


RETURNS = """\
func.func private @g(%a: memref<4xf32>, %k: index) -> (memref<4xf32>, memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  return %n, %a : memref<4xf32>, memref<4xf32>
}
func.func @p(%a: memref<4xf32>, %k: index) -> memref<?xf32> {
  %m = memref.alloc(%k) : memref<?xf32>
  %s = memref.alloc() : memref<4xf32>
  memref.copy %a, %s : memref<4xf32> to memref<4xf32>
  %y:2 = call @g(%a, %k) : (memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  return %m : memref<?xf32>
}
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "%n",
            "-buffer-results-to-out-params copies it into a buffer that callers allocate: without hoist-static",
        ),
        ("%n", "-drop-equivalent-buffer-results keeps the result: it is not an argument"),
        ("%n", "-buffer-deallocation-pipeline: %n is returned: the caller frees it"),
        ("%a", "-drop-equivalent-buffer-results drops the result: callers have the argument"),
        (
            "%m",
            "-buffer-results-to-out-params leaves it a result without modify-public-functions: the function is public",
        ),
        ("%s", "-buffer-deallocation-pipeline: %s is"),
    ],
)
def test_passes_on_buffers_say_what_decided(name: str, said: str) -> None:
    (found,) = why(bufferize.explain(bufferize.parse(RETURNS)), name)
    assert any(note.text.startswith(said) for note in found.notes), [note.text for note in found.notes]


T8 = "tensor<8xf32>"
LOOP = "%c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %z = arith.constant 0.0 : f32\n"
INTO = f"""func.func @f(%x: {T8}, %t: tensor<16xf32>, %o: index) -> tensor<16xf32> {{
  %e = tensor.empty() : {T8}
  %y = linalg.exp ins(%x : {T8}) outs(%e : {T8}) -> {T8}
  %p = SOURCE
  %r = tensor.insert_slice %y into %p[%o] [8] [1] : {T8} into tensor<16xf32>
  return %r : tensor<16xf32>
}}"""
EACH = f"""func.func @f(%x: {T8}, %n: index) -> f32 {{
  {LOOP}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {{
    %e = tensor.empty(SIZE) : tensor<?xf32>
    %a = linalg.fill ins(%s : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %v = tensor.extract %a[%c0] : tensor<?xf32>
    scf.yield %v : f32
  }}
  return %r : f32
}}"""
BLOCKS = """func.func @f(%p: i1, %m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  cf.cond_br %p, ^a, ^c(%m : memref<?xf32>)
^a:
  %k = arith.addi %n, %n : index
  %b = memref.alloc(SIZE) : memref<?xf32>
  cf.br ^c(%b : memref<?xf32>)
^c(%x: memref<?xf32>):
  %v = memref.load %x[%c0] : memref<?xf32>
  return %v : f32
}"""
DECIDED = {
    "an empty tensor gets its destination": (
        INTO.replace("SOURCE", "tensor.cast %t : tensor<16xf32> to tensor<16xf32>"),
        "%e",
        "-eliminate-empty-tensors computes it in its destination",
    ),
    "the offset is computed from the tensor": (
        INTO.replace(
            "SOURCE",
            f"tensor.cast %t : tensor<16xf32> to tensor<16xf32>\n  %v = tensor.extract %y[%o] : {T8}\n"
            "  %k = arith.fptosi %v : f32 to i64\n  %j = arith.index_cast %k : i64 to index",
        ).replace("%p[%o]", "%p[%j]"),
        "%e",
        "-eliminate-empty-tensors keeps it: the slice of 'tensor.insert_slice' needs %j, %p, computed later",
    ),
    "an empty tensor has no destination": (
        EACH.replace("SIZE", "%n"),
        "%e",
        "-eliminate-empty-tensors keeps it: no tensor with its buffer is inserted into another",
    ),
    "a size from outside": (
        EACH.replace("SIZE", "%n"),
        "%a",
        "-buffer-loop-hoisting moves it out of the loop",
    ),
    "a size of the iteration": (
        EACH.replace("SIZE", "%i"),
        "%a",
        "-buffer-loop-hoisting leaves it in the loop: its size %i is computed there",
    ),
    "a size from before the branch": (
        BLOCKS.replace("SIZE", "%n"),
        "%b",
        "-buffer-hoisting moves it out of the branch",
    ),
    "a size of the branch": (
        BLOCKS.replace("SIZE", "%k"),
        "%b",
        "-buffer-hoisting leaves it in its block: its size %k is computed there",
    ),
}


@pytest.mark.parametrize("name", DECIDED)
def test_why_a_pass_does_what_it_does_with_a_buffer(name, tmp_path, capsys):
    text, value, said = DECIDED[name]
    file = tmp_path / "a.mlir"
    file.write_text(text)
    assert main(["explain", str(file), "--why", value, "--no-help"]) == 0
    assert said in " ".join(capsys.readouterr().out.replace("│", " ").split())
