"""What verdicts and plans say, checked against what the passes then do: one program for each way in which they were once wrong."""

import re
from pathlib import Path

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.benchmarks.claims import counted_by_running
from bufferize.cli.compare_command import CONFIGURATIONS, compare
from bufferize.cli.main import main
from bufferize.explain.report import explain
from bufferize.explain.why import why
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
CELL = """\
func.func @f(%t: tensor<16xf32>, %v: f32, %i: index) -> (tensor<16xf32>, f32) {
  %u = tensor.insert %v into %t[%i] : tensor<16xf32>
  %x = tensor.extract %t[%i] : tensor<16xf32>
  return %u, %x : tensor<16xf32>, f32
}
"""
FRESH = """\
func.func @f(%v: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
"""
ROTATION = """\
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<16xf32>, %n: index, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z)
      -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %u = tensor.insert %v into %a[%i] : tensor<16xf32>
    scf.yield %b, %c, %u : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %r#0 : tensor<16xf32>
}
"""
STENCIL = """\
func.func @f(%x: tensor<66xf32>) -> tensor<66xf32> {
  %l = tensor.extract_slice %x[0] [64] [1] : tensor<66xf32> to tensor<64xf32>
  %h = tensor.extract_slice %x[2] [64] [1] : tensor<66xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %s = linalg.add ins(%l, %h : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = tensor.insert_slice %s into %x[1] [64] [1] : tensor<64xf32> into tensor<66xf32>
  return %b : tensor<66xf32>
}
"""
MATERIALIZED = """\
func.func @f(%a: tensor<64xf32>, %out: memref<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
"""
LENT = """\
func.func private @ext(memref<64xf32>)
func.func @f(%t: tensor<64xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<64xf32> to memref<64xf32>
  call @ext(%m) : (memref<64xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<64xf32>
  return %x : f32
}
"""
CALLS = """\
func.func private @first(%t: tensor<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<16xf32>
  return %x : f32
}
func.func private @set(%t: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %v into %t[%c0] : tensor<16xf32>
  return %u : tensor<16xf32>
}
func.func @f(%t: tensor<16xf32>, %v: f32) -> (tensor<16xf32>, f32) {
  %u = call @set(%t, %v) : (tensor<16xf32>, f32) -> tensor<16xf32>
  %x = call @first(%t) : (tensor<16xf32>) -> f32
  return %u, %x : tensor<16xf32>, f32
}
"""
ELEMENTWISE = """\
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %c = arith.addf %a, %b : tensor<64xf32>
  return %c : tensor<64xf32>
}
"""


def explained(text, tmp_path=None):
    name = "p.mlir" if tmp_path is None else str(tmp_path / "p.mlir")
    source = Source(name, text)
    return explain(parse_source(source), OPTIONS, source=source)


def said(found):
    return "\n".join(
        [*found.plan_lines(), *(f"{d.message} {d.notes} {d.suggestions}" for d in found.diagnostics)]
    )


@pytest.mark.parametrize("text", [CELL, FRESH, ROTATION, STENCIL, MATERIALIZED, CALLS])
@pytest.mark.parametrize(
    "name", ["default", "copy-before-write", "fewest-copies", "fewest-copies peak-percent=0"]
)
def test_a_row_of_compare_is_what_its_options_make(text, name, tmp_path):
    path = tmp_path / "p.mlir"
    path.write_text(text)
    (cost,) = compare(parse(text), [name])
    options = [
        f"{key.replace('_', '-')}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in CONFIGURATIONS[name].items()
    ]
    options += ["allow-return-allocs-from-loops"] * cost.relaxed
    command = f'bufferize-opt {path} -one-shot-bufferize="bufferize-function-boundaries {" ".join(options)}"'
    assert counted_by_running(command) == len(cost.memory_report.copies)
    freed = f"{command} -buffer-deallocation-pipeline"
    assert counted_by_running(freed) == len(cost.memory_report.copies) + len(cost.memory_report.clones)


@pytest.mark.parametrize("text", [CELL, MATERIALIZED, LENT, CALLS, STENCIL, ROTATION])
def test_the_first_command_does_what_is_said(text, tmp_path):
    (tmp_path / "p.mlir").write_text(text)
    plan = explained(text, tmp_path).plan
    assert counted_by_running(plan.command) == plan.best.cost.moves


def test_what_is_asked_for_goes_where_a_pass_eliminates_it():
    assert explained(MATERIALIZED).plan.best.cost.moves == 0


def test_two_causes_that_only_go_together_are_tried_together():
    assert explained(LENT).plan.best.cost.moves == 0


def test_an_argument_overwritten_and_a_clone_instead_are_said():
    price = explained(CELL).plan_lines()[1]
    assert "overwrites %t of @f" in price
    assert "1 clone (64 bytes)" in price


def test_three_buffers_rotate_and_are_unrolled_by_three():
    text = said(explained(ROTATION))
    assert "%a, %b and %c rotate their buffers" in text
    assert "unroll 'scf.for' by three" in text
    assert "swap" not in text


def test_no_destination_is_advised_that_was_not_tried():
    assert "could write there directly" not in said(explained(STENCIL))


def test_calls_that_only_read_move_before_calls_that_write():
    assert "move 'func.call' of @first up, before 'func.call' of @set writes" in said(explained(CALLS))


def test_what_a_pass_converts_is_converted_by_the_first_command(tmp_path):
    (tmp_path / "p.mlir").write_text(ELEMENTWISE)
    found = explained(ELEMENTWISE, tmp_path)
    assert found.summary().endswith("the program cannot be bufferized")
    command = found.way_out.partition(": ")[2]
    assert "-convert-elementwise-to-linalg" in command
    assert counted_by_running(command) == 0


def test_fix_says_what_it_cannot_change(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(ELEMENTWISE)
    assert main(["fix", str(path), "--diff"]) == 1
    assert "cannot be bufferized" in capsys.readouterr().err


def test_several_results_are_asked_about_by_their_common_name():
    (answer,) = why(explained(ROTATION), "%r")
    assert answer.message.startswith("%r#0 ")


def test_a_type_in_a_sentence_is_kept(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(
        "func.func @f(%t: tensor<8x4x16xf32>) -> tensor<128xf32> {\n"
        "  %s = tensor.extract_slice %t[0, 1, 0] [8, 1, 16] [1, 1, 1] : tensor<8x4x16xf32> to tensor<8x16xf32>\n"
        "  %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>\n"
        "  return %c : tensor<128xf32>\n}\n"
    )
    assert main(["explain", str(path)]) == 0
    assert "the buffer is memref<8x16xf32" in capsys.readouterr().out


LOADED = """\
ml_program.global private mutable @state(dense<0.0> : tensor<16xf32>) : tensor<16xf32>
func.func @step(%v: f32, %i: index) -> f32 {
  %s = ml_program.global_load @state : tensor<16xf32>
  %x = tensor.extract %s[%i] : tensor<16xf32>
  %u = tensor.insert %v into %s[%i] : tensor<16xf32>
  ml_program.global_store @state = %u : tensor<16xf32>
  return %x : f32
}
"""
WHERE = "func.func private @where() -> index"
CALLED = "  %j = call @where() : () -> index"
UNUSED = """\
func.func @f(%t: tensor<16xf32>, %v: f32, %i: index) -> f32 {
  %u = tensor.insert %v into %t[%i] : tensor<16xf32>
  %x = tensor.extract %t[%i] : tensor<16xf32>
  return %x : f32
}
"""
ON_BUFFERS = """\
func.func @f(%n: index, %v: f32, %o: memref<?xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kept = memref.alloc() : memref<8xf32>
  %large = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%v : f32) outs(%large : memref<1024xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.copy ins(%o : memref<?xf32>) outs(%b : memref<?xf32>)
    %freed = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%freed : memref<8xf32>)
    memref.dealloc %freed : memref<8xf32>
  }
  return %kept : memref<8xf32>
}
"""


def test_of_two_copies_of_a_global_one_is_redundant():
    *lines, read, insert, store, leave, end = LOADED.splitlines()
    found = explained("\n".join([WHERE, *lines, insert, store, CALLED, read.replace("%i", "%j"), leave, end]))
    verdicts = {f.id: f.verdict for f in found.findings}
    assert verdicts["not-writable"].word == "open"
    assert "one of the two is redundant" in verdicts["not-writable"].why
    assert "might be moved before the store to the global" in verdicts["global-overwritten"].why


def test_what_is_loaded_and_used_before_the_store_is_not_copied():
    found = explained(LOADED)
    words = {f.id: f.verdict.word for f in found.findings}
    assert words == {"not-writable": "needed as written", "global-store": "needed as written"}
    *lines, read, insert, store, leave, end = LOADED.splitlines()
    found = explained("\n".join([WHERE, *lines, CALLED, read, insert, store, leave, end]))
    assert "global-overwritten" in {f.id for f in found.findings}


def test_what_nobody_uses_is_left_out():
    assert "remove 'tensor.insert': its result is unused" in said(explained(UNUSED))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("%a", "-buffer-loop-hoisting leaves it in the loop: its size %i is computed there"),
        ("%b", "-buffer-loop-hoisting moves it out of the loop"),
        ("%freed", "-buffer-loop-hoisting leaves it in the loop: each iteration frees it"),
        ("%freed", "-promote-buffers-to-stack leaves it on the heap: it is freed explicitly"),
        ("%kept", "-promote-buffers-to-stack leaves it on the heap: it, or a view of it, leaves the scope"),
        ("%large", "it takes more than max-alloc-size-in-bytes (1024)"),
    ],
)
def test_passes_on_buffers_say_what_decided(name, expected):
    (answer,) = why(explained(ON_BUFFERS), name)
    assert any(expected in note.text for note in answer.notes)
    assert "decided(" in answer.derivation()


PICKED = """\
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %v: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = arith.select %c, %t, %u : tensor<8xf32>
  %b = tensor.insert %v into %s[%i] : tensor<8xf32>
  return %b, %t : tensor<8xf32>, tensor<8xf32>
}
"""
READ_LATER = """\
func.func @f(%t: tensor<8xf32>, %v: f32, %i: index) -> (f32, tensor<8xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32>
  %b = tensor.insert %v into %t[%i] : tensor<8xf32>
  %x = memref.load %m[%i] : memref<8xf32>
  return %x, %b : f32, tensor<8xf32>
}
"""
READ_PAST_TENSOR = """\
func.func @f(%m: memref<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %b = tensor.insert %v into %t[%i] : tensor<8xf32>
  %x = memref.load %m[%i] : memref<8xf32>
  return %b, %x : tensor<8xf32>, f32
}
"""
UNUSED = """\
func.func @f(%t: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %b = tensor.insert %v into %t[%i] : tensor<8xf32>
  return %t : tensor<8xf32>
}
"""


def test_what_a_select_may_have_picked_is_not_called_necessary():
    words = {
        str(move.verdict.word) for move in explained(PICKED).memory_report.moves if move.verdict is not None
    }
    assert words and "necessary" not in words


def test_what_reads_a_buffer_later_is_no_loop():
    assert "carried-around-loop" not in {finding.id for finding in explained(READ_LATER).findings}


def test_memory_that_is_read_past_its_tensor_is_not_called_writable():
    assert not [
        s.title for finding in explained(READ_PAST_TENSOR).findings for s in finding.diagnostic.suggestions
    ]


def test_what_nobody_uses_is_erased_by_the_plan():
    found = explained(UNUSED)
    assert found.plan is not None
    assert "-canonicalize" in found.plan.command
    assert found.plan.best.cost.copies == 0


UNDONE = """\
func.func @f(%b: tensor<8xf32>) -> tensor<8xf32> {
  %x = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}
"""


def test_reshapes_that_undo_one_another_need_not_move_anything():
    words = {
        str(move.verdict.word) for move in explained(UNDONE).memory_report.moves if move.verdict is not None
    }
    assert "necessary" not in words


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f(%a: tensor<4x6xi8>, %b: tensor<4x6xi8>) -> tensor<4x6xi8> {\n"
        "  %r = tensor.insert_slice %a into %b[0, 0] [4, 6] [1, 1] : tensor<4x6xi8> into tensor<4x6xi8>\n"
        "  return %r : tensor<4x6xi8>\n}\n",
        "func.func @f(%a: tensor<?xf32>, %v: f32) -> tensor<?xf32> {\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %r = tensor.pad %a low[%c0] high[0] {\n  ^bb0(%i: index):\n    tensor.yield %v : f32\n"
        "  } : tensor<?xf32> to tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n",
    ],
    ids=["all of a tensor is inserted", "padded by nothing"],
)
def test_a_tensor_that_may_be_all_of_the_result_is_not_moved_of_necessity(text: str) -> None:
    explained_ = explained(text)
    words = [m.verdict.word for m in explained_.memory_report.copies if m.verdict is not None]
    assert words == ["avoidable"]
    assert explained_.plan is not None
    assert "-canonicalize" in explained_.plan.command


def test_what_a_later_insertion_overwrites_need_not_be_moved() -> None:
    text = (
        "func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %0 = tensor.insert_slice %a into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>\n"
        "  %1 = tensor.insert_slice %b into %0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>\n"
        "  return %1 : tensor<8xf32>\n}\n"
    )
    words = {m.line: str(m.verdict.word) for m in explained(text).memory_report.copies if m.verdict}
    assert words[2] != "necessary"
    assert words[3] == "necessary"


def test_loops_whose_buffers_come_back_after_six_iterations_are_explained() -> None:
    names = "abcde"
    carried = ", ".join(f"%{n} = %x{n}" for n in names)
    tensors = ", ".join(["tensor<4xf32>"] * 5)
    text = (
        f"func.func @f({', '.join(f'%x{n}: tensor<4xf32>' for n in names)}, %v: f32) -> tensor<4xf32> {{\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c9 = arith.constant 9 : index\n"
        f"  %r:5 = scf.for %i = %c0 to %c9 step %c1 iter_args({carried}) -> ({tensors}) {{\n"
        "    %u = tensor.insert %v into %a[%c0] : tensor<4xf32>\n"
        f"    scf.yield %b, %c, %u, %e, %d : {tensors}\n  }}\n"
        "  return %r#0 : tensor<4xf32>\n}\n"
    )
    assert "unroll 'scf.for' by six" in said(explained(text))


def judged(text):
    """The verdicts on copies, by line."""
    return {m.line: str(m.verdict.word) for m in explained(text).memory_report.copies if m.verdict}


def test_a_copy_that_is_asked_for_and_only_read_is_avoidable() -> None:
    text = (
        "func.func @f(%t: tensor<16xf32>, %i: index) -> f32 {\n"
        "  %c = bufferization.alloc_tensor() copy(%t) : tensor<16xf32>\n"
        "  %x = tensor.extract %c[%i] : tensor<16xf32>\n  return %x : f32\n}\n"
    )
    assert judged(text) == {2: "avoidable"}
    assert "use the tensor that 'bufferization.alloc_tensor' copies" in said(explained(text))


def test_two_products_onto_one_argument_need_two_buffers() -> None:
    matrix = "tensor<8x8xf32>"
    text = (
        f"func.func @f(%a: {matrix}, %b: {matrix}, %t: {matrix}) -> ({matrix}, {matrix}) {{\n"
        f"  %x = linalg.matmul ins(%a, %b : {matrix}, {matrix}) outs(%t : {matrix}) -> {matrix}\n"
        f"  %y = linalg.matmul ins(%b, %a : {matrix}, {matrix}) outs(%t : {matrix}) -> {matrix}\n"
        f"  return %x, %y : {matrix}, {matrix}\n}}\n"
    )
    assert judged(text) == {2: "necessary"}
    same = text.replace("ins(%b, %a", "ins(%a, %b")  # one of the two is redundant
    assert "necessary" not in judged(same).values()


def test_what_is_padded_to_the_size_of_the_callers_tensor_is_not_moved_of_necessity() -> None:
    text = (
        "func.func @f(%t: tensor<16xf32>, %v: f32) -> tensor<16xf32> {\n"
        "  %s = tensor.extract_slice %t[4] [8] [1] : tensor<16xf32> to tensor<8xf32>\n"
        "  %p = tensor.pad %s low[4] high[4] {\n  ^bb0(%i: index):\n    tensor.yield %v : f32\n"
        "  } : tensor<8xf32> to tensor<16xf32>\n  return %p : tensor<16xf32>\n}\n"
    )
    assert judged(text) == {3: "needed as written"}


SITUATIONS = [
    part.strip().splitlines()
    for part in (Path(__file__).parent / "situations.mlir").read_text().split("// -----")[1:]
]


@pytest.mark.parametrize("lines", SITUATIONS, ids=lambda lines: lines[0].removeprefix("// "))
def test_what_the_plan_of_a_situation_says(lines):
    wanted = [line.removeprefix("//   ") for line in lines if line.startswith("//   ")]
    text = "\n".join(line for line in lines if not line.startswith("//"))
    said = [re.sub(": bufferize(-opt)? .*", "", line) for line in explained(text).plan_lines()]
    assert [re.sub(": lines? [0-9, ]+", "", line) for line in said] == wanted


T8 = "tensor<8xf32>"
NOT_NECESSARY = {
    "an element is written back": f"""func.func @f(%t: {T8}, %i: index) -> ({T8}, {T8}) {{
  %x = tensor.extract %t[%i] : {T8}
  %u = tensor.insert %x into %t[%i] : {T8}
  return %t, %u : {T8}, {T8} }}""",
    "an update is undone": f"""func.func @f(%t: {T8}, %v: f32, %i: index) -> ({T8}, {T8}) {{
  %x = tensor.extract %t[%i] : {T8}
  %u = tensor.insert %v into %t[%i] : {T8}
  %r = tensor.insert %x into %u[%i] : {T8}
  return %t, %r : {T8}, {T8} }}""",
    "both updates write the same place": f"""func.func @f(%t: {T8}, %v: f32, %i: index) -> ({T8}, {T8}) {{
  %j = arith.addi %i, %i : index
  %k = arith.addi %i, %i : index
  %u = tensor.insert %v into %t[%j] : {T8}
  %r = tensor.insert %v into %t[%k] : {T8}
  return %u, %r : {T8}, {T8} }}""",
    "a sum of one product": """func.func @f(%x: tensor<4x1xf32>, %w: tensor<1x1xf32>) -> tensor<4x1xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x1xf32>, tensor<1x1xf32>) outs(%x : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32> }""",
    "a sum of integers": """func.func @f(%x: tensor<4x4xi32>, %w: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x4xi32>, tensor<4x4xi32>) outs(%x : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32> }""",
}


@pytest.mark.parametrize("name", NOT_NECESSARY)
def test_a_copy_that_another_program_does_without_is_not_necessary(name):
    verdicts = [m.verdict.word for m in explained(NOT_NECESSARY[name]).memory_report.moves if m.verdict]
    assert verdicts
    assert "necessary" not in verdicts


STEPS = """\
func.func private @step(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %l = tensor.extract_slice %x[0] [62] [1] : tensor<64xf32> to tensor<62xf32>
  %h = tensor.extract_slice %x[2] [62] [1] : tensor<64xf32> to tensor<62xf32>
  %m = tensor.extract_slice %y[1] [62] [1] : tensor<64xf32> to tensor<62xf32>
  %s = linalg.add ins(%l, %h : tensor<62xf32>, tensor<62xf32>) outs(%m : tensor<62xf32>) -> tensor<62xf32>
  %r = tensor.insert_slice %s into %y[1] [62] [1] : tensor<62xf32> into tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<64xf32>, tensor<64xf32>) {
    %z = func.call @step(%x, %y) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    scf.yield %z, %x : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0 : tensor<64xf32>
}
"""


def test_inlining_is_tried_after_an_argument_of_the_inlined_function_was_kept():
    route = explained(STEPS).plan.best.route
    assert route.inline
    assert not route.keep


TRIANGLE = """\
func.func @f(%t: tensor<16x16xf32>, %s: f32) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %t) -> (tensor<16x16xf32>) {
    %u = tensor.insert %s into %q[%i, %i] : tensor<16x16xf32>
    %w = scf.for %j = %i to %n step %c1 iter_args(%y = %u) -> (tensor<16x16xf32>) {
      %p = scf.for %k = %j to %n step %c1 iter_args(%z = %y) -> (tensor<16x16xf32>) {
        %x = tensor.extract %y[%i, %k] : tensor<16x16xf32>
        %e = arith.addf %x, %x : f32
        %v = tensor.insert %e into %z[%i, %k] : tensor<16x16xf32>
        scf.yield %v : tensor<16x16xf32>
      }
      scf.yield %p : tensor<16x16xf32>
    }
    scf.yield %w : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
"""


def test_what_is_copied_in_a_triangular_loop_counts():
    plan = explained(TRIANGLE).plan
    assert (plan.before.copies, plan.best.cost.copies) == (1, 0)
