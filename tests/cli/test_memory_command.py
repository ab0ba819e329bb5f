"""`bufferize memory`: the peak, what lives at it, the plan, and what to do where it does not fit."""

import itertools
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from bufferize.cli.main import main

STATIC = """
func.func @f(%x: memref<16xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %x : memref<16xf32> to memref<16xf32>
  %r = memref.alloc() : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @g(%x: memref<16xf32>) {
  %0 = call @f(%x) : (memref<16xf32>) -> memref<4xf32>
  return
}
func.func @idle() {
  return
}
"""
SYMBOLIC = """
func.func @f(%n: index, %x: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %a[%c0] : memref<?xf32>
  %b = memref.alloc(%d) : memref<?xf32>
  memref.store %f, %b[%c0] : memref<?xf32>
  %s = memref.load %a[%c0] : memref<?xf32>
  memref.store %s, %b[%c0] : memref<?xf32>
  return
}
"""
TENSORS = """
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> f32 {
  %new = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  %y = tensor.extract %new[%i] : tensor<8xf32>
  %z = arith.addf %old, %y : f32
  return %z : f32
}
"""

REORDERED = """
func.func @f(%x: f32, %i: index) -> (f32, f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.store %x, %a[%i] : memref<64xf32>
  memref.store %x, %b[%i] : memref<64xf32>
  %0 = memref.load %a[%i] : memref<64xf32>
  %1 = memref.load %b[%i] : memref<64xf32>
  return %0, %1 : f32, f32
}
"""


def report(tmp_path, text, *flags, code=0):
    """What `--format json` says of each function."""
    file, out = tmp_path / "in.mlir", tmp_path / "out.json"
    file.write_text(text)
    assert main(["memory", str(file), "--format", "json", "-o", str(out), *flags]) == code
    return {function["function"]: function for function in json.loads(out.read_text())["functions"]}


def test_a_function_and_its_caller(tmp_path):
    found = report(tmp_path, STATIC)
    (space,) = found["f"]["spaces"]
    assert (space["bound"], space["height"], space["gap"], space["optimal"]) == (128, 128, 0, True)
    assert {b["name"]: b["bytes"] for b in space["buffers"]} == {"%a": 64, "%b": 64, "%c": 64}
    assert space["peak"]["line"] in (6, 9)
    assert found["f"]["unplanned"][0]["reason"] == "is returned"
    (call,) = found["g"]["spaces"][0]["buffers"]
    assert (call["name"], call["bytes"]) == ("call @f", 128)
    assert found["idle"]["spaces"] == []


def test_extents_are_assumed_by_name_and_the_bound_is_a_formula(tmp_path):
    found = report(tmp_path, SYMBOLIC, "--assume", "%n=100", "--assume", "dim(%x, 0)=4")["f"]
    assert found["assumed"] == {"%n": 100, "dim(%x, 0)": 4}
    (space,) = found["spaces"]
    assert space["bound"] == 416
    assert space["boundFormula"] == "4 * %n + 4 * dim(%x, 0)"
    assert report(tmp_path, SYMBOLIC, "--assume", "10")["f"]["assumed"] == {"%n": 10, "dim(%x, 0)": 10}


def test_tensors_are_bufferized_and_keep_their_names(tmp_path):
    (space,) = report(tmp_path, TENSORS)["f"]["spaces"]
    assert [(b["name"], b["bytes"]) for b in space["buffers"]] == [("%new", 32)]


def test_what_does_not_fit_fails_and_says_what_to_do(tmp_path, capsys):
    report(tmp_path, STATIC, "--capacity", "64", code=1)
    said = capsys.readouterr().err
    assert "@f needs 128 bytes, 64 bytes more than the capacity" in said
    assert "no plan of these buffers fits" in said
    assert "without %b the peak would be 64 bytes, which fits" in said
    report(tmp_path, STATIC, "--capacity", "1KiB")


def test_text(tmp_path, capsys):
    file = tmp_path / "in.mlir"
    file.write_text(STATIC)
    assert main(["memory", str(file)]) == 0
    said = capsys.readouterr().out
    for part in (
        "@f: 3 buffers, 128 bytes",
        "gap 0: optimal for this order and these buffers",
        "%b : memref<16xf32>",
        "%r : memref<4xf32>, 16 bytes: is returned",
        "no heap buffers: @idle",
    ):
        assert part in said


def test_only_the_function_asked_for(tmp_path, capsys):
    assert list(report(tmp_path, STATIC, "--function", "g")) == ["g"]
    file = tmp_path / "in.mlir"
    assert main(["memory", str(file), "--function", "h"]) == 2
    assert "there is no function 'h'" in capsys.readouterr().err


def test_picture_and_trace(tmp_path):
    file, out = tmp_path / "in.mlir", tmp_path / "out"
    file.write_text(STATIC.replace("%a", "%a.b"))
    assert main(["memory", str(file), "--format", "svg", "-o", str(out), "--capacity", "1KiB"]) == 0
    titles = [e.text or "" for e in ET.parse(out).iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("%a.b : memref<16xf32>, 64 bytes at ") for title in titles)
    assert main(["memory", str(file), "--format", "trace", "-o", str(out)]) == 0
    events = json.loads(out.read_text())["traceEvents"]
    slices = [e for e in events if e["ph"] == "X" and e["pid"] == 1]
    assert {e["name"] for e in slices} == {"%a.b", "%b", "%c"}
    assert max(e["args"]["bytes"] for e in events if e["ph"] == "C") == 128
    for one in slices:  # slices of a thread follow one another
        for other in slices:
            if one is not other and one["tid"] == other["tid"]:
                assert one["ts"] + one["dur"] <= other["ts"] or other["ts"] + other["dur"] <= one["ts"]


@pytest.mark.parametrize(
    "flags", [["--capacity", "much"], ["--assume", "%n"], ["--capacity", "0"], ["--format", "png"]]
)
def test_flags_that_make_no_sense(tmp_path, capsys, flags):
    file = tmp_path / "in.mlir"
    file.write_text(STATIC)
    assert main(["memory", str(file), *flags]) == 2
    assert "Try: 'bufferize memory --help'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "hint"), [("n", "did you mean '%n'?"), ("%height", "there are %n, dim(%x, 0)")]
)
def test_assuming_something_of_an_extent_that_is_not_there_is_an_error(tmp_path, capsys, name, hint):
    file = tmp_path / "in.mlir"
    file.write_text(SYMBOLIC)
    assert main(["memory", str(file), "--assume", f"{name}=8"]) == 2
    assert f"no buffer has an unknown extent '{name}'" in (said := capsys.readouterr().err) and hint in said


def test_memory_spaces_are_written_as_in_types(tmp_path):
    text = STATIC.replace("memref<16xf32>", "memref<16xf32, 3>")
    assert [space["space"] for space in report(tmp_path, text)["f"]["spaces"]] == ["3"]


RECOMPUTED = """
func.func @f(%x: tensor<32x32xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<32x32xf32>
  %a = linalg.exp ins(%x : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = linalg.matmul ins(%a, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z1 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul ins(%b, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z2 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = linalg.matmul ins(%c, %c : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z3 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = linalg.add ins(%d, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %w = tensor.extract %s[%c0, %c0] : tensor<32x32xf32>
  return %w : f32
}
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            (Path(__file__).parents[2] / "docs" / "programs" / "pairs.mlir").read_text(encoding="utf-8"),
            "%a (line 4) moves: it runs before %u (line 11)",
        ),
        (RECOMPUTED, "%a (line 6) is recomputed"),
    ],
)
def test_the_picture_shows_memory_before_and_after_the_best_change(
    tmp_path: Path, program: str, said: str
) -> None:
    file, out = tmp_path / "in.mlir", tmp_path / "out.svg"
    file.write_text(program, encoding="utf-8")
    assert main(["memory", str(file), "--format", "svg", "-o", str(out)]) == 0
    lines = [e.text or "" for e in ET.parse(out).iter("{http://www.w3.org/2000/svg}text")]
    [tried] = [line for line in lines if "today" not in line and line.startswith("@f")]
    assert "@f: today" in lines
    assert tried.startswith("@f: with -")
    assert said in lines
    [less] = [line for line in lines if line.endswith("% less")]
    assert main(["memory", str(file), "--format", "json", "-o", str(out)]) == 0
    [function] = json.loads(out.read_text())["functions"]
    after, before = function["tried"][-1]["peak"], function["spaces"][0]["height"]
    assert less.endswith(f" {100 * (before - after) / before:.0f} % less")


GAP = """
func.func @f(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
"""


def test_live_bytes_are_steps_also_where_nothing_lives(tmp_path):
    file, out = tmp_path / "in.mlir", tmp_path / "out"
    file.write_text(GAP)
    assert main(["memory", str(file), "--format", "svg", "-o", str(out)]) == 0
    [line] = ET.parse(out).iter("{http://www.w3.org/2000/svg}polyline")
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    for (x, y), (right, other) in itertools.pairwise(points):
        assert x == right or y == other, "a step line has no slopes"
    assert [y for _, y in points].count(max(y for _, y in points)) >= 3, "nothing lives between and behind"
    assert main(["memory", str(file), "--format", "trace", "-o", str(out)]) == 0
    events = [e for e in json.loads(out.read_text())["traceEvents"] if e["ph"] == "C"]
    assert [e["args"]["bytes"] for e in events] == [0, 64, 0, 64, 0]


def test_the_peak_with_results_is_that_of_explain(tmp_path, capsys):
    file = tmp_path / "in.mlir"
    steps = "".join(
        f"  %e{i} = tensor.empty() : tensor<64xf32>\n"
        f"  %{i} = linalg.exp ins(%{i - 1 if i else 't'} : tensor<64xf32>) outs(%e{i} : tensor<64xf32>) -> tensor<64xf32>\n"
        for i in range(5)
    )
    file.write_text(
        f"func.func @f(%t: tensor<64xf32>) -> tensor<64xf32> {{\n{steps}  return %4 : tensor<64xf32>\n}}\n"
    )
    assert main(["explain", str(file), "--memory"]) == 0
    assert "peak 512 bytes" in capsys.readouterr().out
    assert main(["memory", str(file)]) == 0
    assert "with these 512 bytes at the peak" in capsys.readouterr().out


SMALL = """
func.func @f(%m: memref<1xf32>) {
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  %c = memref.alloc() : memref<1xf32>
  memref.copy %m, %a : memref<1xf32> to memref<1xf32>
  memref.copy %a, %b : memref<1xf32> to memref<1xf32>
  memref.copy %b, %c : memref<1xf32> to memref<1xf32>
  memref.copy %a, %m : memref<1xf32> to memref<1xf32>
  memref.copy %c, %m : memref<1xf32> to memref<1xf32>
  return
}
"""


def test_what_a_buffer_costs_is_counted_without_alignment(tmp_path, capsys):
    file = tmp_path / "in.mlir"
    file.write_text(SMALL)
    assert main(["memory", str(file)]) == 0
    said = capsys.readouterr().out
    assert "bound   36 bytes" in said
    assert "without %a the peak would be 8 bytes, 4 bytes less" in said


def test_operations_are_reordered_where_that_lowers_the_peak(tmp_path, capsys):
    (tmp_path / "in.mlir").write_text(REORDERED)
    said = []
    for flags in ([], ["--reorder"]):
        assert main(["memory", str(tmp_path / "in.mlir"), *flags]) == 0
        said.append(capsys.readouterr().out.splitlines()[0])
    assert said == ["@f: 2 buffers, 512 bytes", "@f: 2 buffers, 256 bytes"]
