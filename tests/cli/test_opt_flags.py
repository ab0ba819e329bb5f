"""The flags of mlir-opt that people have in their scripts: dumps between passes, pipelines, what is left out of texts."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from bufferize.cli.opt import main

PROGRAM = """
func.func @a(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func @b() {
  return
}
"""
NESTED = "--pass-pipeline=builtin.module(func.func(cse,canonicalize),cse)"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM)
    return str(path)


def headers(text: str) -> list[str]:
    start, end = "// -----// IR Dump ", " //----- //"
    return [
        line.removeprefix(start).removesuffix(end) for line in text.splitlines() if line.startswith(start)
    ]


@pytest.mark.parametrize(
    ("flags", "dumps"),
    [
        (
            [NESTED, "--mlir-print-ir-after-all"],
            [
                "After CSE (cse)",
                "After Canonicalizer (canonicalize)",
                "After CSE (cse)",
                "After Canonicalizer (canonicalize)",
                "After CSE (cse)",
            ],
        ),
        (
            ["-cse", "-canonicalize", "--mlir-print-ir-before=canonicalize"],
            ["Before Canonicalizer (canonicalize)"],
        ),
        (["-cse", "-canonicalize", "--mlir-print-ir-after=cse"], ["After CSE (cse)"]),
        (["-cse", "-cse", "--mlir-print-ir-after-all", "--mlir-print-ir-after-change"], ["After CSE (cse)"]),
        (["-cse", "--mlir-print-ir-after-change"], []),
        (["-cse", "--mlir-print-ir-after-failure"], []),
        (
            [
                "--pass-pipeline=builtin.module(func.func(cse))",
                "--mlir-print-ir-after-all",
                "--mlir-print-ir-module-scope",
            ],
            ["After CSE (cse) ('func.func' operation: @a)", "After CSE (cse) ('func.func' operation: @b)"],
        ),
    ],
)
def test_programs_are_printed_between_passes(program, capsys, flags, dumps):
    assert main([program, *flags]) == 0
    assert headers(capsys.readouterr().err) == dumps


def test_dumps_may_go_to_a_tree_of_files(program, tmp_path, capsys):
    tree = tmp_path / "tree"
    assert main([program, NESTED, "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tree}"]) == 0
    assert capsys.readouterr().err == ""
    module = "builtin_module_no-symbol-name"
    assert sorted(str(path.relative_to(tree)) for path in tree.rglob("*.mlir")) == [
        f"{module}/1_cse.mlir",
        f"{module}/func_func_a/0_0_cse.mlir",
        f"{module}/func_func_a/0_1_canonicalize.mlir",
        f"{module}/func_func_b/0_0_cse.mlir",
        f"{module}/func_func_b/0_1_canonicalize.mlir",
    ]
    assert (tree / module / "func_func_b" / "0_0_cse.mlir").read_text() == (
        "// -----// IR Dump After CSE (cse) //----- //\nfunc.func @b() {\n  return\n}\n\n"
    )


def test_a_pipeline_is_printed_with_its_options(program, capsys):
    flags = ["-one-shot-bufferize=bufferize-function-boundaries", "-buffer-deallocation-pipeline"]
    assert main([program, *flags, "--dump-pass-pipeline"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "Pass Manager with 9 passes:"
    assert said[2].startswith(
        "  one-shot-bufferize{allow-return-allocs-from-loops=false allow-unknown-ops=false "
    )
    assert said[3] == "  expand-realloc{emit-deallocs=false},"
    assert said[-2:] == [")", ""]


ELEMENTS = """func.func @f() -> tensor<4xi32> {
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = arith.constant {x = [dense<[1, 2, 3]> : tensor<3xi8>]} 1 : i32
  %2 = arith.constant dense<7> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""


def test_large_elements_are_left_out_on_request(tmp_path, capsys):
    path = tmp_path / "e.mlir"
    path.write_text(ELEMENTS)
    assert main([str(path), "--mlir-elide-elementsattrs-if-larger=2", "--mlir-disable-threading"]) == 0
    text = capsys.readouterr().out
    assert "dense_resource<__elided__> : tensor<4xi32>" in text
    assert "[dense_resource<__elided__> : tensor<3xi8>]" in text
    assert "dense<7> : tensor<4xi32>" in text
    assert main([str(path), "--mlir-elide-elementsattrs-if-larger=many"]) == 1


def test_long_resources_are_left_out_on_request(tmp_path, capsys):
    path = tmp_path / "r.mlir"
    path.write_text(
        '"t.op"() {x = dense_resource<w> : tensor<2xi8>, y = dense_resource<v> : tensor<1xi8>} : () -> ()\n'
        '{-# dialect_resources: { builtin: { w: "0x010000000A0B", v: "0x010000000A" } } #-}\n'
    )
    assert (
        main([str(path), "--allow-unregistered-dialect", "--mlir-elide-resource-strings-if-larger=12"]) == 0
    )
    text = capsys.readouterr().out
    assert 'v: "0x010000000A"' in text
    assert "w: " not in text


MAPPED = """#map = affine_map<(d0) -> (d0)>
"t.op"() {m = affine_map<(d0) -> (d0)>} : () -> ()
"""


def test_local_scope_has_no_aliases(tmp_path, capsys):
    path = tmp_path / "m.mlir"
    path.write_text(MAPPED)
    assert main([str(path), "--allow-unregistered-dialect", "--mlir-print-local-scope"]) == 0
    assert "#map" not in capsys.readouterr().out


FAILING = """func.func @f(%a: memref<4xf32>) {
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  "t.use"(%t) : (tensor<4xf32>) -> ()
  return
}
"""


def test_a_failure_shows_the_operation_and_can_be_reproduced(tmp_path, capsys):
    path, again = tmp_path / "f.mlir", tmp_path / "again.mlir"
    path.write_text(FAILING)
    flags = ["--allow-unregistered-dialect", "-one-shot-bufferize=bufferize-function-boundaries"]
    assert main([str(path), *flags, f"--mlir-pass-pipeline-crash-reproducer={again}"]) == 1
    said = capsys.readouterr().err
    assert (
        'f.mlir:2:8: note: see current operation: %0 = "bufferization.to_tensor"(%arg0) : '
        "(memref<4xf32>) -> tensor<4xf32>\n" in said
    )
    assert f"reproducer generated at `{again}`" in said
    text = again.read_text()
    assert "bufferization.to_tensor %arg0" in text
    assert 'pipeline: "builtin.module(one-shot-bufferize{' in text
    assert main([str(again), *flags]) == 1


def test_the_note_on_an_operation_is_left_out_on_request(tmp_path, capsys):
    path = tmp_path / "f.mlir"
    path.write_text(FAILING)
    flags = ["--allow-unregistered-dialect", "-one-shot-bufferize=bufferize-function-boundaries"]
    assert main([str(path), *flags, "--mlir-print-op-on-diagnostic=false"]) == 1
    said = capsys.readouterr().err
    assert "error: " in said
    assert "note: " not in said


def test_expected_errors_need_no_note_on_the_operation(tmp_path, capsys):
    path = tmp_path / "f.mlir"
    lines = FAILING.split("\n")
    path.write_text("\n".join([lines[0], "  // expected-error @+1 {{}}", *lines[1:]]))
    flags = ["--allow-unregistered-dialect", "-one-shot-bufferize=bufferize-function-boundaries"]
    assert main([str(path), *flags, "--verify-diagnostics"]) == 0
    assert capsys.readouterr().err == ""


def test_what_was_verified_is_printed(tmp_path, capsys):
    path = tmp_path / "m.mlir"
    path.write_text("func.func @f() {\n  return\n}\n")
    assert main([str(path), "--verify-diagnostics", "-cse"]) == 0
    assert "func.func @f()" in capsys.readouterr().out


def test_passes_are_listed_with_their_options(capsys):
    assert main(["--list-passes"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("Passes:\n")
    assert "\n  --one-shot-bufferize" in listed and "\n      print-conflicts" in listed


def test_times_are_sorted_on_request(program, capsys):
    assert main([program, "-cse", "-canonicalize", "--mlir-timing", "--mlir-timing-display=list"]) == 0
    report = capsys.readouterr().err
    assert "... Execution time report ..." in report
    shown = [float(line.split()[0]) for line in report.splitlines() if line.endswith(")") or "%)" in line]
    assert shown[:-1] == sorted(shown[:-1], reverse=True)
    assert main([program, "--mlir-timing", "--mlir-timing-display=table"]) == 1


def test_bytecode_is_refused_with_the_way_to_its_text(tmp_path, capsys):
    path = tmp_path / "p.mlirbc"
    path.write_bytes(b"ML\xefR\r\x03MLIR22\x00")
    assert main([str(path)]) == 1
    assert "is MLIR bytecode, a binary form; print it as text first" in capsys.readouterr().err


PARTS = """func.func @a(%t: tensor<?xf32>, %m: memref<8x8xf32>, %i: index) -> (tensor<?xf32>, f32) {
  %c = arith.constant 1.0 : f32
  %0 = tensor.insert %c into %t[%i] : tensor<?xf32>
  %v = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.load %v[%i] {alignment = 8} : memref<8xf32, strided<[1], offset: ?>>
  affine.for %k = 0 to 8 {
    %2 = affine.load %m[%k + %i, %k mod 3] : memref<8x8xf32>
  }
  return %0, %1 : tensor<?xf32>, f32
}
//--
func.func @b() {
  return
}
"""


def test_parts_are_split_and_joined_at_any_marker(tmp_path, capsys):
    path = tmp_path / "parts.mlir"
    path.write_text(PARTS)
    assert main([str(path), "--split-input-file=//--", "--output-split-marker=// next"]) == 0
    first, second = capsys.readouterr().out.split("// next\n")
    assert "@a" in first
    assert second == "module {\n  func.func @b() {\n    return\n  }\n}\n\n"


def test_regions_can_be_skipped(program, capsys):
    assert main([program, "--mlir-print-skip-regions"]) == 0
    assert capsys.readouterr().out == "module {...}\n\n"


def test_the_module_around_a_later_part_begins_behind_the_marker(tmp_path, capsys):
    path = tmp_path / "parts.mlir"
    path.write_text("func.func @a() {\n  return\n}\n  //--\nfunc.func @b() {\n  return\n}\n")
    assert main([str(path), "--split-input-file=//--", "--mlir-print-debuginfo"]) == 0
    assert f'loc("{path}":4:7)' in capsys.readouterr().out


def test_the_pipeline_is_printed_once_for_each_part_without_options_of_ours(tmp_path, capsys):
    path = tmp_path / "parts.mlir"
    path.write_text(PARTS)
    assert main([str(path), "--split-input-file=//--", "--dump-pass-pipeline", "-one-shot-bufferize"]) == 0
    printed = capsys.readouterr().err
    assert printed.count("Pass Manager with 1 passes:") == 2
    assert "fewest-copies" not in printed
    assert (
        main(
            [str(path), "--split-input-file=//--", "--dump-pass-pipeline", "-one-shot-bufferize=time-limit=3"]
        )
        == 0
    )
    assert "time-limit=3" in capsys.readouterr().err


@pytest.mark.mlir
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize(
    "flags",
    [
        ["-one-shot-bufferize=bufferize-function-boundaries", "--mlir-print-op-generic"],
        ["-fold-memref-alias-ops", "--mlir-print-op-generic"],
        ["-lower-affine", "--mlir-print-op-generic"],
        [
            "-one-shot-bufferize=bufferize-function-boundaries",
            "-buffer-deallocation-pipeline",
            "--mlir-print-op-generic",
        ],
        ["--mlir-print-debuginfo", "--mlir-print-local-scope"],
        ["--mlir-print-debuginfo"],
        ["--dump-pass-pipeline", "-one-shot-bufferize"],
        ["--mlir-print-skip-regions", "--mlir-print-ir-after-all", "-cse"],
        ["--output-split-marker=// next"],
    ],
    ids=" ".join,
)
def test_flags_print_what_mlir_opt_prints(tmp_path, capsys, flags):
    path = tmp_path / "parts.mlir"
    path.write_text(PARTS)
    command = [str(path), "--split-input-file=//--", *flags]
    expected = subprocess.run(["mlir-opt-22", *command], capture_output=True, text=True, check=True)
    assert main(command) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (expected.stdout, expected.stderr)


# -- what is printed, and how

NAMED = """\
#l = loc("a.py":3:4)
func.func @f(%a: i32 loc("x y"), %b: i32 loc("n"(#l)), %c: i1 loc(#l)) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32 loc("sum"(#l))
  %1 = arith.constant 5 : i32 loc("b.py":7:0 to 8:2)
  %2 = arith.muli %1, %0 : i32 loc(callsite("in" at #l))
  %3 = arith.muli %1, %2 : i32 loc(callsite(#l at "out"))
  %4 = arith.muli %2, %3 : i32 loc(fused<"m">[#l, "fu"])
  %5:2 = scf.if %c -> (i32, i32) {
    %6 = arith.addi %0, %4 : i32 loc("sum"(#l))
    scf.yield %6, %0 : i32, i32
  } else {
    scf.yield %0, %0 : i32, i32
  } loc("pair")
  %8 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  return %5#0, %5#1 : i32, i32 loc(unknown)
} loc("fn")
"""
BRANCHES = """\
func.func @f(%a: i32, %c: i1, %m: memref<4xi32>, %i: index) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.execute_region -> i32 {
    cf.br ^x(%a : i32)
  ^x(%q: i32):
    %l = arith.addi %q, %one : i32
    memref.store %l, %m[%i] : memref<4xi32>
    cf.cond_br %c, ^x(%l : i32), ^y
  ^y:
    scf.yield %l : i32
  }
  cf.cond_br %c, ^d(%r : i32), ^e
^d(%w: i32):
  return %w : i32
^e:
  cf.br ^d(%a : i32)
}
"""
PRINTING = [
    ["--mlir-print-debuginfo", "--mlir-pretty-debuginfo"],
    ["--mlir-print-debuginfo", "--mlir-pretty-debuginfo", "--mlir-print-local-scope"],
    ["--mlir-use-nameloc-as-prefix"],
    ["--mlir-use-nameloc-as-prefix", "--mlir-print-op-generic"],
    ["--mlir-print-value-users"],
    ["--mlir-print-value-users", "--mlir-print-op-generic"],
    ["--mlir-print-value-users", "--mlir-print-unique-ssa-ids", "--mlir-print-debuginfo"],
    ["--mlir-print-unique-ssa-ids"],
    ["--mlir-print-elementsattrs-with-hex-if-larger=2"],
    ["--mlir-print-elementsattrs-with-hex-if-larger=-1"],
    ["--verify-roundtrip"],
    ["--no-implicit-module"],
    ["--no-implicit-module", "-cse"],
    ["--no-implicit-module", "--pass-pipeline=func.func(cse)"],
    ["-inline=op-pipelines=func.func(cse),a.b(canonicalize) max-iterations=2"],
    ["-inline=op-pipelines={func.func()} default-pipeline={cse,canonicalize}"],
    ["-canonicalize=region-simplify=disabled"],
]


@pytest.mark.parametrize("program", [NAMED, BRANCHES], ids=["named", "branches"])
@pytest.mark.parametrize("flags", PRINTING, ids=" ".join)
def test_texts_are_those_of_mlir_opt(flags, program, tmp_path, capsys):
    if shutil.which("mlir-opt-22") is None:
        pytest.skip("mlir-opt-22 is not installed")
    path = tmp_path / "p.mlir"
    path.write_text(program)
    expected = subprocess.run(
        ["mlir-opt-22", str(path), *flags], capture_output=True, text=True, check=True
    ).stdout
    assert main([str(path), *flags]) == 0
    assert capsys.readouterr().out == expected


def test_users_are_shown_in_comments(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text("func.func @f(%a: i32, %b: i32) {\n  %0 = arith.addi %a, %a : i32\n  return\n}\n")
    assert main([str(path), "--mlir-print-value-users"]) == 0
    shown = capsys.readouterr().out
    assert (
        "// %arg0 is used by %1\n" in shown and "// %arg1 is unused\n" in shown and "i32 // unused" in shown
    )


@pytest.mark.parametrize(
    ("text", "flags", "message"),
    [
        (PROGRAM, [], "0:0: error: source must contain a single top-level operation, found: 2"),
        (
            BRANCHES,
            ["--pass-pipeline=builtin.module(cse)"],
            "can't run 'builtin.module' pass manager on 'func.func' op",
        ),
    ],
)
def test_without_a_module_the_input_is_one_operation(text, flags, message, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(text)
    assert main([str(path), "--no-implicit-module", *flags]) == 1
    assert message in capsys.readouterr().err


def test_all_options_of_inline_are_dumped(program, capsys):
    main([program, "-inline=op-pipelines=func.func(cse),a.b(cse)", "--dump-pass-pipeline"])
    assert (
        "inline{default-pipeline=canonicalize inlining-threshold=4294967295 max-iterations=4 "
        "op-pipelines={func.func(cse),a.b(cse)}}"
    ) in capsys.readouterr().err
    assert main([program, "-inline=op-pipelines=cse"]) == 1
    assert "wrapped with the anchor operation type" in capsys.readouterr().err


def test_unreachable_blocks_are_erased_before_anything_else(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text("func.func @f(%a: i32) -> i32 {\n  return %a : i32\n^dead:\n  cf.br ^dead\n}\n")
    assert main([str(path), "-canonicalize=region-simplify=disabled"]) == 0
    assert "cf.br" not in capsys.readouterr().out


def test_a_pipeline_that_nests_too_deeply_is_an_error(program, capsys):
    nested = "builtin.module(" * 5000 + ")" * 5000
    assert main([program, f"--pass-pipeline={nested}"]) == 1
    assert "error: more than 100 anchors within each other in the pass pipeline" in capsys.readouterr().err
