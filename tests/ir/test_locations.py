"""Where operations come from: read, kept by passes, printed as mlir-opt prints it, and named in what is said of them."""

from __future__ import annotations

import json

import pytest
from bufferize.cli import opt
from bufferize.cli.main import main
from bufferize.ir.program.core import argument_location, location_of, origin_of
from bufferize.ir.text.op_printer import PrintStyle
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.types.locations import UnknownLoc

PROGRAM = """\
#file = loc("z.py":1:1)
#inner = loc("q"(#file))
#range = loc("late.py":9:9 to 10:2)
module @m {
  func.func private @declared(i32 loc("x"), f32) -> i32 loc(#inner)
  func.func @g(%arg0: tensor<4xf32> {test.x} loc(callsite(#file at #inner)), %arg1: f32) -> tensor<4xf32> attributes {a = #range} {
    %0 = linalg.map outs(%arg0 : tensor<4xf32>)
      (%out: f32 loc("out"(#range))) {
        %1 = arith.addf %out, %arg1 : f32 loc(#last)
        linalg.yield %1 : f32
      } loc(fused<affine_map<(d0) -> (d0)>>[#range, #file])
    return %0 : tensor<4xf32> loc(unknown)
  } loc("here")
} loc("mod")
#last = loc("late.py":9:9 to 10:2)
"""

WITH_ALIASES = """\
#loc1 = loc("z.py":1:1)
#loc3 = loc("p.mlir":6:78)
#loc4 = loc("late.py":9:9 to 10:2)
#loc7 = loc("q"(#loc1))
#loc9 = loc("out"(#loc4))
#loc10 = loc(callsite(#loc1 at #loc7))
module @m {
  func.func private @declared(i32, f32) -> i32 loc(#loc7)
  func.func @g(%arg0: tensor<4xf32> {test.x} loc(callsite(#loc1 at #loc7)), %arg1: f32 loc("p.mlir":6:78)) -> tensor<4xf32> attributes {a = #loc4} {
    %mapped = linalg.map outs(%arg0 : tensor<4xf32>)
      (%init: f32 loc("out"(#loc4))) {
        %0 = arith.addf %init, %arg1 : f32 loc(#loc4)
        linalg.yield %0 : f32 loc(#loc5)
      } loc(#loc8)
    return %mapped : tensor<4xf32> loc(#loc6)
  } loc(#loc2)
} loc(#loc)
#loc = loc("mod")
#loc2 = loc("here")
#loc5 = loc("p.mlir":10:9)
#loc6 = loc(unknown)
#map = affine_map<(d0) -> (d0)>
#loc8 = loc(fused<#map>[#loc4, #loc1])

"""

IN_FULL = """\
module @m {
  func.func private @declared(i32, f32) -> i32 loc("q"("z.py":1:1))
  func.func @g(%arg0: tensor<4xf32> {test.x} loc(callsite("z.py":1:1 at "q"("z.py":1:1))), %arg1: f32 loc("p.mlir":6:78)) -> tensor<4xf32> attributes {a = loc("late.py":9:9 to 10:2)} {
    %mapped = linalg.map outs(%arg0 : tensor<4xf32>)
      (%init: f32 loc("out"("late.py":9:9 to 10:2))) {
        %0 = arith.addf %init, %arg1 : f32 loc("late.py":9:9 to 10:2)
        linalg.yield %0 : f32 loc("p.mlir":10:9)
      } loc(fused<affine_map<(d0) -> (d0)>>["late.py":9:9 to 10:2, "z.py":1:1])
    return %mapped : tensor<4xf32> loc(unknown)
  } loc("here")
} loc("mod")
"""


@pytest.mark.parametrize(("local", "expected"), [(False, WITH_ALIASES), (True, IN_FULL)])
def test_locations_are_printed_as_mlir_opt_prints_them(local: bool, expected: str):
    module = parse_text(PROGRAM, "p.mlir")
    assert print_module(module, style=PrintStyle(local_scope=local, debug_info=True)) == expected


def test_without_the_flag_only_attributes_show_locations():
    text = print_module(parse_text(PROGRAM, "p.mlir"))
    assert text.count("loc(") == 1
    assert text.startswith('#loc = loc("late.py":9:9 to 10:2)\nmodule @m')


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("local", [False, True])
def test_printed_locations_are_read_again(generic: bool, local: bool):
    style = PrintStyle(local_scope=local, debug_info=True)
    once = print_module(parse_text(PROGRAM, "p.mlir"), generic=generic, style=style)
    assert print_module(parse_text(once, "other.mlir"), generic=generic, style=style) == once


def test_what_was_made_from_nothing_has_no_location():
    module = parse_text("func.func @f(%a: i32) { return }", "p.mlir")
    func = module.regions[0].entry.first_op
    assert func is not None
    assert str(location_of(func)) == 'loc("p.mlir":1:1)'
    assert str(argument_location(func.regions[0].entry.args[0])) == 'loc("p.mlir":1:14)'
    assert origin_of(func) is None
    func.where = None
    assert location_of(func) is UnknownLoc()


COPIED = """\
func.func @f(%a: tensor<4xf32>, %i: index, %c: f32) -> (tensor<4xf32>, f32) {
  %x = tensor.insert %c into %a[%i] : tensor<4xf32> loc(#loc3)
  %y = tensor.extract %a[%i] : tensor<4xf32> loc("model.py":13:4)
  return %x, %y : tensor<4xf32>, f32
} loc("model.py":10:1)
#loc3 = loc(callsite("f"("model.py":12:4) at "main.py":3:3))
"""


def test_what_passes_make_keeps_the_location(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(COPIED)
    flags = ["--mlir-print-debuginfo", "--mlir-print-local-scope"]
    assert opt.main([str(path), "-one-shot-bufferize=bufferize-function-boundaries", *flags]) == 0
    lines = capsys.readouterr().out.splitlines()
    stated = 'loc(callsite("f"("model.py":12:4) at "main.py":3:3))'
    for made in ("memref.alloc", "memref.copy", "memref.store"):
        assert [line.endswith(stated) for line in lines if made in line] == [True], made
    assert [line.endswith('loc("model.py":13:4)') for line in lines if "memref.load" in line] == [True]


def test_inlined_operations_name_their_call(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text("""\
func.func @outer(%x: i32) -> i32 {
  %0 = call @inner(%x) : (i32) -> i32
  return %0 : i32
}
func.func private @inner(%x: i32) -> i32 {
  %0 = func.call @innermost(%x) : (i32) -> i32
  return %0 : i32
}
func.func private @innermost(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32 loc("a")
  return %0 : i32
}
""")
    assert opt.main([str(path), "-inline", "--mlir-print-debuginfo", "--mlir-print-local-scope"]) == 0
    calls = [f'callsite("a" at callsite("{path}":6:8 at "{path}":2:8))']
    added = [
        line.partition("loc(")[2][:-1] for line in capsys.readouterr().out.splitlines() if "addi" in line
    ]
    assert added == calls


def test_what_stands_for_an_argument_has_its_location(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(
        """func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<3xf32> {
  "use"(%t) : (tensor<4xf32>) -> ()
  %s = tensor.splat %x : tensor<3xf32>
  return %s : tensor<3xf32>
}"""
    )
    flags = ["--mlir-print-debuginfo", "--mlir-print-local-scope", "--allow-unregistered-dialect"]
    assert (
        opt.main([str(path), "-one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops", *flags])
        == 0
    )
    printed = capsys.readouterr().out
    (view,) = [line for line in printed.splitlines() if "to_tensor" in line]
    assert view.endswith('p.mlir":1:14)')
    (body,) = [line for line in printed.splitlines() if "(%init" in line]
    assert body.endswith('p.mlir":3:8)) {')


def printed_with_locations(text: str, *passes: str, tmp_path, capsys) -> list[str]:
    path = tmp_path / "p.mlir"
    path.write_text(text)
    assert opt.main([str(path), *passes, "--mlir-print-debuginfo", "--mlir-print-local-scope"]) == 0
    return capsys.readouterr().out.splitlines()


def test_ownership_is_decided_where_the_buffer_is_defined(tmp_path, capsys):
    text = "func.func @f(%a: memref<4xf32>) -> memref<4xf32> {\n  return %a : memref<4xf32>\n}"
    flag = "-ownership-based-buffer-deallocation"
    lines = printed_with_locations(text, flag, tmp_path=tmp_path, capsys=capsys)
    made = [line for line in lines if "arith.constant" in line or "clone" in line]
    assert len(made) == 3
    assert all(line.endswith('p.mlir":1:14)') for line in made)


def test_constants_that_stand_for_several_have_no_location(tmp_path, capsys):
    text = """func.func @f(%c: i1, %m: memref<4xf32>) {
  %a = arith.constant 1 : index
  %x = arith.constant 0.0 : f32
  %b = arith.constant 1 : index
  memref.store %x, %m[%a] : memref<4xf32>
  scf.if %c {
    %i = arith.constant 2 : index
    memref.store %x, %m[%i] : memref<4xf32>
  }
  memref.store %x, %m[%b] : memref<4xf32>
  return
}"""
    lines = printed_with_locations(text, "-canonicalize", tmp_path=tmp_path, capsys=capsys)
    ends = {line.split(" = ")[0].strip(): line.rpartition("loc(")[2] for line in lines if "constant" in line}
    assert ends["%c1"] == ends["%c2"] == "unknown)"
    assert ends["%cst"].endswith('p.mlir":3:8)')


@pytest.mark.parametrize(
    ("location", "lines"),
    [
        ('"model.py":12:4', ["model.py:12:4: error: ", "p.mlir:2:8: note: here"]),
        (
            'callsite("f"("a.py":1:2) at fused["m.py":4:5, "n.py":1:1])',
            ["a.py:1:2: error: ", "m.py:4:5: note: called from", "p.mlir:2:8: note: here"],
        ),
        ('fused["x", "q.py":1:2]', ["q.py:1:2: error: ", "p.mlir:2:8: note: here"]),
        (
            '"n"(callsite("x" at callsite("a.py":1:2 at "m.py":4:5)))',
            [
                "a.py:1:2: error: ",
                "a.py:1:2: note: called from",
                "m.py:4:5: note: called from",
                "p.mlir:2:8: note",
            ],
        ),
        ('"name"', ["p.mlir:2:8: error: "]),
        ("unknown", ["p.mlir:2:8: error: "]),
    ],
)
def test_errors_are_where_the_program_says(location: str, lines: list[str], tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.mlir").write_text(
        "func.func @f(%a: tensor<4xf32>, %i: index) {\n"
        '  %x = "tensor.insert"(%i, %a, %i) : (index, tensor<4xf32>, index) -> tensor<4xf32> '
        f"loc({location})\n  return\n}}\n"
    )
    assert opt.main(["p.mlir"]) == 1
    said = [
        line for line in capsys.readouterr().err.splitlines() if ": error: " in line or ": note: " in line
    ]
    assert len(said) == len(lines) + 1  # and the operation as it is now
    for line, start in zip(said, lines, strict=False):
        assert line.startswith(start)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_findings_say_where_the_operation_comes_from(form: str, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(COPIED)
    main(["explain", str(path), "--format", form])
    out = capsys.readouterr().out
    if form == "json":
        assert json.loads(out)["diagnostics"][0]["place"] == "model.py:12:4"
    elif form == "sarif":
        last = json.loads(out)["runs"][0]["results"][0]["relatedLocations"][-1]
        assert last["physicalLocation"] == {
            "artifactLocation": {"uri": "model.py"},
            "region": {"startLine": 12, "startColumn": 4},
        }
    else:
        assert "from model.py:12:4" in out


def test_help_moves_operations_with_their_locations(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(COPIED)
    main(["explain", str(path)])
    assert '2 +   %y = tensor.extract %a[%i] : tensor<4xf32> loc("model.py":13:4)' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"t.a"() : () -> () loc', "expected '(' in location"),
        ('"t.a"() : () -> () loc(#nowhere)', "undefined symbol alias id 'nowhere'"),
        (
            '"t.a"() : () -> () loc(#map)\n#map = affine_map<(d0) -> (d0)>',
            "expected location attribute, but got",
        ),
    ],
)
def test_what_is_no_location_is_an_error(text: str, message: str, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(text + "\n")
    assert opt.main([str(path), "--allow-unregistered-dialect"]) == 1
    assert message in capsys.readouterr().err
