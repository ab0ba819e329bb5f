"""Options of passes, one by one: a small program for each value, and what mlir-opt 22 makes of it.

`data/option_outputs.txt` holds the recorded outputs. Where an mlir-opt 22 is installed, the recording is compared with it;
`python tests/transforms/test_one_shot_options.py` records anew.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RECORDED = Path(__file__).parent / "data" / "option_outputs.txt"
MLIR_OPT = shutil.which("mlir-opt-22")

INSERT = """\
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}
"""
UPDATES = """\
func.func @f(%t: tensor<8xf32> {bufferization.writable = true}, %i: index, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert %f into %0[%i] : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
"""
LOOP_WITH_ALLOC = """\
func.func @f(%t: tensor<8xf32>, %l: index, %u: index, %s: index, %f: f32) -> tensor<8xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> tensor<8xf32> {
    %n = bufferization.alloc_tensor() : tensor<8xf32>
    %w = linalg.fill ins(%f : f32) outs(%n : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
UNKNOWN = """\
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %0 = "mystery.op"(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""
PARALLEL = """\
func.func @f(%o: tensor<8xf32>, %n: index, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%a = %o) -> tensor<8xf32> {
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
"""
TWO_DIALECTS = """\
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %n = bufferization.alloc_tensor() : tensor<8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%n : tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<8xf32>
  %2 = linalg.map { arith.addf } ins(%1, %t : tensor<8xf32>, tensor<8xf32>) outs(%1 : tensor<8xf32>)
  return %2 : tensor<8xf32>
}
"""
SLICE_RETURNED = """\
func.func private @ext(tensor<?xf32>) -> tensor<?xf32>
func.func private @g(%t: tensor<?xf32>, %i: index) -> tensor<4xf32> {
  %s = tensor.extract_slice %t[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @f(%t: tensor<?xf32>, %i: index) -> (tensor<?xf32>, f32) {
  %s = call @g(%t, %i) : (tensor<?xf32>, index) -> tensor<4xf32>
  %x = tensor.extract %s[%i] : tensor<4xf32>
  %r = call @ext(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %r, %x : tensor<?xf32>, f32
}
"""
ALLOC = """\
func.func @f(%i: index, %f: f32) -> tensor<8xf32> {
  %n = bufferization.alloc_tensor() : tensor<8xf32>
  %0 = tensor.insert %f into %n[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
SPACES = """\
func.func @f(%t: tensor<8xf32, 3 : i64>, %i: index, %f: f32) -> (tensor<8xf32, 3 : i64>, f32) {
  %n = bufferization.alloc_tensor() copy(%t) : tensor<8xf32, 3 : i64>
  %0 = tensor.insert %f into %n[%i] : tensor<8xf32, 3 : i64>
  %1 = tensor.extract %t[%i] : tensor<8xf32, 3 : i64>
  return %0, %1 : tensor<8xf32, 3 : i64>, f32
}
"""
SPACE_GIVEN = """\
func.func @f(%i: index, %f: f32) -> f32 {
  %n = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<8xf32>
  %0 = tensor.insert %f into %n[%i] : tensor<8xf32>
  %1 = tensor.extract %0[%i] : tensor<8xf32>
  return %1 : f32
}
"""
CALLER = """\
func.func private @plain(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %0 = call @plain(%t, %i, %f) : (tensor<8xf32>, index, f32) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
RESULTS = """\
func.func private @static(%f: f32) -> memref<8xf32> {
  %n = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%n : memref<8xf32>)
  return %n : memref<8xf32>
}
func.func @f(%f: f32) -> (memref<8xf32>, f32) {
  %n = call @static(%f) : (f32) -> memref<8xf32>
  return %n, %f : memref<8xf32>, f32
}
"""
DYNAMIC_RESULT = """\
func.func private @dynamic(%n: index, %f: f32) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return %a : memref<?xf32>
}
func.func @f(%n: index, %f: f32) {
  %a = call @dynamic(%n, %f) : (index, f32) -> memref<?xf32>
  return
}
"""
SIZES = """\
func.func @f(%m: memref<?x?xf32>, %u: memref<*xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<64xf32>
  %2 = memref.alloc() : memref<1024xf32>
  %r = memref.rank %u : memref<*xf32>
  %3 = memref.alloc(%r) : memref<?xf32>
  %4 = memref.alloc(%r, %r) : memref<?x?xf32>
  return
}
"""
BRANCHES = """\
func.func @f(%c: i1, %n: index, %in: memref<8xf32>, %out: memref<8xf32>) {
  cf.cond_br %c, ^a, ^b(%in : memref<8xf32>)
^a:
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %in, %0 : memref<8xf32> to memref<8xf32>
  cf.br ^b(%0 : memref<8xf32>)
^b(%x: memref<8xf32>):
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @loop(%n: index, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<8xf32>
    memref.copy %0, %out : memref<8xf32> to memref<8xf32>
  }
  return
}
"""
OWNERS = """\
func.func private @maybe(%m: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %n = memref.alloc() : memref<8xf32>
  %r = arith.select %c, %m, %n : memref<8xf32>
  return %r : memref<8xf32>
}
func.func @f(%m: memref<8xf32>, %c: i1) -> f32 {
  %i = arith.constant 0 : index
  %r = call @maybe(%m, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  %x = memref.load %r[%i] : memref<8xf32>
  return %x : f32
}
"""


def one_shot(*options: str) -> str:
    return f"-one-shot-bufferize={' '.join(options)}" if options else "-one-shot-bufferize"


BOUNDARIES = "bufferize-function-boundaries"
ANALYSIS = "test-analysis-only"
CASES: dict[str, tuple[str, str]] = {
    "no options": (INSERT, one_shot()),
    "allow-return-allocs-from-loops off": (LOOP_WITH_ALLOC, one_shot(BOUNDARIES)),
    "allow-return-allocs-from-loops on": (
        LOOP_WITH_ALLOC,
        one_shot(BOUNDARIES, "allow-return-allocs-from-loops"),
    ),
    "allow-return-allocs-from-loops on, analysis": (
        LOOP_WITH_ALLOC,
        one_shot(BOUNDARIES, ANALYSIS, "allow-return-allocs-from-loops"),
    ),
    "allow-unknown-ops off": (UNKNOWN, one_shot(BOUNDARIES)),
    "allow-unknown-ops on": (UNKNOWN, one_shot(BOUNDARIES, "allow-unknown-ops")),
    "allow-unknown-ops=0": (UNKNOWN, one_shot(BOUNDARIES, "allow-unknown-ops=0")),
    **{
        f"analysis-fuzzer-seed={seed}": (
            UPDATES,
            one_shot(BOUNDARIES, ANALYSIS, "analysis-heuristic=fuzzer", f"analysis-fuzzer-seed={seed}"),
        )
        for seed in (0, 1, 2, 7, 23)
    },
    **{
        f"analysis-heuristic={heuristic}": (
            UPDATES,
            one_shot(BOUNDARIES, ANALYSIS, f"analysis-heuristic={heuristic}"),
        )
        for heuristic in ("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer")
    },
    "analysis-heuristic=top-down, rewritten": (UPDATES, one_shot(BOUNDARIES, "analysis-heuristic=top-down")),
    **{
        f"buffer-alignment={n}": (ALLOC, one_shot(BOUNDARIES, f"buffer-alignment={n}"))
        for n in (0, 1, 16, 128)
    },
    "bufferize-function-boundaries": (INSERT, one_shot(BOUNDARIES)),
    "check-parallel-regions=1": (PARALLEL, one_shot(BOUNDARIES, "check-parallel-regions=1")),
    "check-parallel-regions=0": (PARALLEL, one_shot(BOUNDARIES, "check-parallel-regions=0")),
    "check-parallel-regions=0, analysis": (
        PARALLEL,
        one_shot(BOUNDARIES, ANALYSIS, "check-parallel-regions=0"),
    ),
    "copy-before-write": (UPDATES, one_shot(BOUNDARIES, "copy-before-write")),
    "copy-before-write without boundaries": (INSERT, one_shot("copy-before-write")),
    "copy-before-write with test-analysis-only": (INSERT, one_shot("copy-before-write", ANALYSIS)),
    "dialect-filter=tensor": (TWO_DIALECTS, one_shot("dialect-filter=tensor")),
    "dialect-filter=linalg": (TWO_DIALECTS, one_shot("dialect-filter=linalg")),
    "dialect-filter=tensor,linalg,bufferization": (
        TWO_DIALECTS,
        one_shot("dialect-filter=tensor,linalg,bufferization"),
    ),
    "dialect-filter with boundaries": (TWO_DIALECTS, one_shot(BOUNDARIES, "dialect-filter=func,tensor")),
    "dump-alias-sets": (UPDATES, one_shot(BOUNDARIES, ANALYSIS, "dump-alias-sets")),
    "dump-alias-sets alone": (UPDATES, one_shot(BOUNDARIES, "dump-alias-sets")),
    **{
        f"function-boundary-type-conversion={layout}": (
            SLICE_RETURNED,
            one_shot(BOUNDARIES, f"function-boundary-type-conversion={layout}"),
        )
        for layout in ("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map")
    },
    "must-infer-memory-space where none follows": (ALLOC, one_shot(BOUNDARIES, "must-infer-memory-space")),
    "must-infer-memory-space where one is given": (SPACE_GIVEN, one_shot("must-infer-memory-space")),
    "no-analysis-func-filter=plain": (CALLER, one_shot(BOUNDARIES, "no-analysis-func-filter=plain")),
    "no-analysis-func-filter without boundaries": (CALLER, one_shot("no-analysis-func-filter=plain")),
    "print-conflicts": (INSERT, one_shot(BOUNDARIES, ANALYSIS, "print-conflicts")),
    "print-conflicts alone": (INSERT, one_shot(BOUNDARIES, "print-conflicts")),
    "test-analysis-only": (INSERT, one_shot(ANALYSIS)),
    "test-analysis-only with boundaries": (CALLER, one_shot(BOUNDARIES, ANALYSIS)),
    **{
        f"unknown-type-conversion={layout}": (
            UNKNOWN,
            one_shot("allow-unknown-ops", f"unknown-type-conversion={layout}"),
        )
        for layout in ("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map")
    },
    "use-encoding-for-memory-space": (SPACES, one_shot(BOUNDARIES, "use-encoding-for-memory-space")),
    "out-params": (RESULTS, "-buffer-results-to-out-params"),
    **{
        f"out-params {options}": (program, f"-buffer-results-to-out-params={options}")
        for program, options in (
            (RESULTS, "add-result-attr"),
            (RESULTS, "hoist-static-allocs"),
            (RESULTS, "modify-public-functions"),
            (RESULTS, "modify-public-functions hoist-static-allocs add-result-attr"),
            (DYNAMIC_RESULT, "hoist-dynamic-allocs"),
            (DYNAMIC_RESULT, "hoist-static-allocs"),
        )
    },
    "stack": (SIZES, "-promote-buffers-to-stack"),
    **{
        f"stack {options}": (SIZES, f"-promote-buffers-to-stack={options}")
        for options in (
            "max-alloc-size-in-bytes=16",
            "max-alloc-size-in-bytes=15",
            "max-alloc-size-in-bytes=4096",
            "max-rank-of-allocated-memref=0",
            "max-rank-of-allocated-memref=2",
            "max-alloc-size-in-bytes=0 max-rank-of-allocated-memref=2",
        )
    },
    "hoisting": (BRANCHES, "-buffer-hoisting"),
    "loop hoisting": (BRANCHES, "-buffer-loop-hoisting"),
    "ownership": (OWNERS, "-ownership-based-buffer-deallocation"),
    "ownership private-function-dynamic-ownership": (
        OWNERS,
        "-ownership-based-buffer-deallocation=private-function-dynamic-ownership",
    ),
    "pipeline": (OWNERS, "-buffer-deallocation-pipeline"),
    "pipeline private-function-dynamic-ownership": (
        OWNERS,
        "-buffer-deallocation-pipeline=private-function-dynamic-ownership",
    ),
}
"""Program and flag by name."""


DIFFERENT: dict[str, tuple[str, str, str]] = {
    # mlir-opt 22 takes any word, and then decides top-down
    "unknown heuristic": (
        INSERT,
        one_shot("analysis-heuristic=sideways"),
        "for the analysis-heuristic option: Cannot find option named 'sideways'!",
    ),
    # mlir-opt 22 says so too, but of line 0
    "use-encoding-for-memory-space and must-infer-memory-space": (
        SPACES,
        one_shot("use-encoding-for-memory-space", "must-infer-memory-space"),
        "case.mlir:1:1: error: only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed",
    ),
    # mlir-opt 22 crashes
    "must-infer-memory-space at function boundaries": (
        ALLOC,
        one_shot(BOUNDARIES, "must-infer-memory-space"),
        "error: could not infer memory space",
    ),
    # mlir-opt 22 crashes
    "no-analysis-func-filter of a caller": (
        CALLER,
        one_shot(BOUNDARIES, "no-analysis-func-filter=f"),
        "memref.copy %arg0, %alloc",
    ),
    # mlir-opt 22 does not end
    "no-analysis-func-filter of caller and callee": (
        CALLER,
        one_shot(BOUNDARIES, "no-analysis-func-filter=plain,f"),
        "memref.copy %arg0, %alloc",
    ),
}
"""Program, flag and part of what is said where mlir-opt 22 does something else on purpose or by mistake."""


def recorded() -> dict[str, str]:
    """Outputs by the name of the case."""
    if not RECORDED.exists():
        return {}
    found: dict[str, str] = {}
    for part in RECORDED.read_text().split("// ===== ")[1:]:
        name, _, text = part.partition("\n")
        found[name] = text
    return found


def said(code: int, out: str, err: str, path: str) -> str:
    """What a run did, as it is recorded: the program, or the errors with their places."""
    if code == 0:
        return out.rstrip("\n") + "\n"
    lines = [line.replace(path, "case.mlir") for line in err.splitlines()]
    kept = [
        line
        for line in lines
        if ": error: " in line or "Invalid option" in line or line.startswith("<unknown>")
    ]
    return "\n".join(dict.fromkeys(kept)) + "\n"


def mlir_opt(program: str, flag: str) -> str:
    done = subprocess.run(
        [MLIR_OPT or "mlir-opt-22", "-allow-unregistered-dialect", flag, "-"],
        input=program,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return said(done.returncode, done.stdout, done.stderr, "<stdin>")


OUTPUTS = recorded()


@pytest.mark.parametrize("name", CASES)
def test_option_does_what_was_recorded(name, tmp_path, capsys):
    from bufferize.cli.opt import main

    program, flag = CASES[name]
    file = tmp_path / "case.mlir"
    file.write_text(program)
    code = main([str(file), "-allow-unregistered-dialect", flag])
    captured = capsys.readouterr()
    assert said(code, captured.out, captured.err, str(file)) == OUTPUTS[name]


@pytest.mark.parametrize("name", DIFFERENT)
def test_known_difference(name, tmp_path, capsys):
    from bufferize.cli.opt import main

    program, flag, expected = DIFFERENT[name]
    file = tmp_path / "case.mlir"
    file.write_text(program)
    main([str(file), "-allow-unregistered-dialect", flag])
    captured = capsys.readouterr()
    assert expected in captured.out + captured.err.replace(str(file), "case.mlir")


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", CASES)
def test_recording_is_what_mlir_opt_does(name):
    assert mlir_opt(*CASES[name]) == OUTPUTS[name]


NOT_OF_MLIR_OPT = {
    "fewest-copies", "rematerialize", "eliminate-dead-inits", "destination-passing", "compare-parts", "unroll-and-rename",
    "forward-slices", "choose-destinations", "forward-relayouts", "nested-modules", "peak-percent", "time-limit", "assumed-size",
}  # fmt: skip
"""Tried in tests of their own."""


def test_every_option_is_tried():
    from bufferize.transforms.pass_base import find_pass

    flags = " ".join(flag for _, flag in CASES.values())
    for name in (
        "one-shot-bufferize", "buffer-results-to-out-params", "promote-buffers-to-stack",
        "ownership-based-buffer-deallocation", "buffer-deallocation-pipeline",
    ):  # fmt: skip
        cls = find_pass(name)
        assert cls is not None
        for key in cls.declared_options():
            assert key in NOT_OF_MLIR_OPT or key in flags, f"{name}: {key}"


if __name__ == "__main__":
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("".join(f"// ===== {name}\n{mlir_opt(*case)}" for name, case in CASES.items()))
    sys.exit(0)
