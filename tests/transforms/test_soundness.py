"""Where mlir-opt 22 loses data: the copy that is needed is made; --compat=mlir-22 leaves it out, as it does.

`docs/differences.md` lists these situations. What matters of each outcome is where its copies go.
"""

import re
import shutil
import subprocess

import pytest
from bufferize.cli.opt import main

MLIR_OPT = shutil.which("mlir-opt-22")
BOUNDARIES = "bufferize-function-boundaries allow-unknown-ops"
SEQUENTIAL = "bufferize-function-boundaries check-parallel-regions=0"

INSERTIONS = """\
func.func @f(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %k = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %a, %y = %a) -> (tensor<4xi32>, tensor<4xi32>) {
    %m = tensor.extract_slice %y[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %w = tensor.insert %k into %m[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %m into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
"""

PROGRAMS: dict[str, tuple[str, str, list[str], list[str]]] = {
    "a write in another block than the argument it destroys": (
        """\
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %i: index, %v: f32, %c: i1) -> (tensor<4xf32>, f32) {
  cf.br ^a
^a:
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "iterations of scf.parallel follow one another": (
        """\
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %n: index, %v: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = tensor.extract %t[%i] : tensor<4xf32>
    memref.store %r, %m[%i] : memref<4xf32>
    %w = tensor.insert %v into %t[%c0] : tensor<4xf32>
    %q = tensor.extract %w[%c1] : tensor<4xf32>
    memref.store %q, %m[%c0] : memref<4xf32>
  }
  return
}
""",
        SEQUENTIAL,
        ["%arg0, %alloc"],
        [],
    ),
    "an iteration of scf.forall reads what another one inserts": (
        """\
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (7) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %j = arith.addi %i, %c1 : index
    %own = tensor.extract_slice %o[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %x = tensor.extract %o[%i] : tensor<8xf32>
    %f = linalg.fill ins(%x : f32) outs(%own : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%j] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
""",
        BOUNDARIES,
        ["%arg0, %alloc", "%subview, %subview_0"],
        ["%subview, %subview_0"],
    ),
    "an iteration of scf.forall inserts all of another shared tensor": (
        """\
func.func @f(%t: tensor<4xf32>, %u: tensor<4x4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4x4xf32>) {
    %s = tensor.from_elements %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %o into %p[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    }
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4x4xf32>
}
""",
        BOUNDARIES,
        ["%arg0, %alloc", "%alloc_0, %subview", "%arg0, %subview_1"],
        ["%alloc, %subview", "%arg0, %subview_0"],
    ),
    "an iteration of scf.forall overwrites all of the shared tensor": (
        """\
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %w = linalg.fill ins(%v : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %s = tensor.extract_slice %w[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
""",
        BOUNDARIES,
        ["%subview, %subview_0"],
        ["%subview, %subview_0"],
    ),
    "a vector is as long as the first dimension, and written along the second": (
        """\
func.func @f(%t: tensor<4x8xf32> {bufferization.writable = false}, %v: vector<8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %u = vector.transfer_write %v, %t[%c0, %c0] : vector<8xf32>, tensor<4x8xf32>
  return %u : tensor<4x8xf32>
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "a vector covers the only dimension that is not 1": (
        """\
func.func @f(%t: tensor<4x1xf32> {bufferization.writable = false}, %v: vector<4xf32>) -> tensor<4x1xf32> {
  %c0 = arith.constant 0 : index
  %u = vector.transfer_write %v, %t[%c0, %c0] {permutation_map = affine_map<(a, b) -> (a)>} : vector<4xf32>, tensor<4x1xf32>
  return %u : tensor<4x1xf32>
}
""",
        BOUNDARIES,
        [],
        [],
    ),
    "one branch passes two values to one block": (
        """\
func.func @f(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^x(%a : tensor<4xf32>), ^x(%b : tensor<4xf32>)
^x(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
""",
        BOUNDARIES,
        [],
        ["type mismatch for bb argument #0 of successor #1"],
    ),
    "a global is stored to while what was loaded is read": (
        """\
ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%v: tensor<4xf32>, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %v : tensor<4xf32>
  %r = tensor.extract %old[%i] : tensor<4xf32>
  return %r : f32
}
""",
        BOUNDARIES,
        ["%0, %alloc", "%arg0, %1"],
        ["%arg0, %1"],
    ),
    "results of scf.index_switch share memory with what is yielded": (
        """\
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %i: index, %v: f32) -> (f32, tensor<4xf32>) {
  %s = scf.index_switch %i -> tensor<4xf32>
  case 0 { scf.yield %t : tensor<4xf32> }
  default { scf.yield %t : tensor<4xf32> }
  %w = tensor.insert %v into %s[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %w : f32, tensor<4xf32>
}
""",
        BOUNDARIES,
        ["%0, %alloc"],
        [],
    ),
    "two results of one call share memory": (
        """\
func.func private @two(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %a:2 = call @two(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %v into %a#0[%i] : tensor<4xf32>
  %r = tensor.extract %a#1[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
""",
        BOUNDARIES,
        ["%0#0, %alloc"],
        ["%arg0, %alloc"],
    ),
    "regions of unknown operations": (
        """\
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %i: index, %v: f32) {
  "mystery.region"() ({
    %w = tensor.insert %v into %t[%i] : tensor<4xf32>
    %r = tensor.extract %t[%i] : tensor<4xf32>
    %x = tensor.extract %w[%i] : tensor<4xf32>
    "mystery.use"(%r, %x) : (f32, f32) -> ()
  }) : () -> ()
  return
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "insertions at the end of one scf.forall": (
        INSERTIONS,
        BOUNDARIES,
        [
            "%arg0, %alloc",
            "%arg0, %alloc_0",
            "%subview, %alloc_2",
            "%alloc_2, %alloc_3",
            "%alloc_3, %subview_4",
            "%alloc_2, %subview_5",
        ],
        [
            "%arg0, %alloc",
            "%arg0, %alloc_0",
            "%subview, %alloc_2",
            "%alloc_2, %subview_3",
            "%subview, %subview_4",
        ],
    ),
    "insertions at the end of one scf.forall, without analysis": (
        INSERTIONS,
        "bufferize-function-boundaries copy-before-write",
        [
            "%arg0, %alloc",
            "%arg0, %alloc_0",
            "%subview, %alloc_2",
            "%subview, %alloc_3",
            "%alloc_2, %subview_4",
            "%alloc_3, %subview_5",
        ],
        [
            "%arg0, %alloc",
            "%arg0, %alloc_0",
            "%subview, %alloc_2",
            "%alloc_2, %subview_3",
            "%subview, %subview_4",
        ],
    ),
    "a store through a memref of a buffer that is two results of a loop, without analysis": (
        """\
func.func @f(%x: tensor<4xf32>, %c: i1, %i: index, %v: f32) -> tensor<4xf32> {
  %0:2 = scf.while (%a = %x, %b = %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%c) %b, %b : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    scf.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  %m = bufferization.to_buffer %0#1 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %0#0 : tensor<4xf32>
}
""",
        "bufferize-function-boundaries copy-before-write",
        ["%arg0, %alloc", "%arg0, %alloc_0", "%0#1, %alloc_1"],
        ["%arg0, %alloc", "%arg0, %alloc_0"],
    ),
    "a load through a memref after the tensor was overwritten": (
        """\
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %w, %r : tensor<4xf32>, f32
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "a store through a memref, without analysis": (
        """\
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r : f32
}
""",
        "bufferize-function-boundaries copy-before-write",
        ["%arg0, %alloc"],
        [],
    ),
    "a store through a memref in a loop, without analysis": (
        """\
func.func @f(%v: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.splat %v : tensor<4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %v) -> (f32) {
    %m = bufferization.to_buffer %s : tensor<4xf32> to memref<4xf32>
    %x = memref.load %m[%i] : memref<4xf32>
    %y = arith.addf %x, %a : f32
    memref.store %y, %m[%i] : memref<4xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
""",
        "bufferize-function-boundaries copy-before-write",
        ["%alloc, %alloc_0"],
        [],
    ),
    "a store through a memref in a cycle of blocks, without analysis": (
        """\
func.func @f(%v: f32, %i: index, %c: i1) -> f32 {
  %s = tensor.splat %v : tensor<4xf32>
  cf.br ^bb1(%v : f32)
^bb1(%a: f32):
  %m = bufferization.to_buffer %s : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %y = arith.addf %x, %a : f32
  memref.store %y, %m[%i] : memref<4xf32>
  cf.cond_br %c, ^bb1(%y : f32), ^bb2
^bb2:
  return %y : f32
}
""",
        "bufferize-function-boundaries copy-before-write",
        ["%alloc, %alloc_0"],
        [],
    ),
    "a store through a memref in a branch, without analysis": (
        """\
func.func @f(%v: f32, %i: index, %c: i1) {
  %s = tensor.splat %v : tensor<4xf32>
  scf.if %c {
    %m = bufferization.to_buffer %s : tensor<4xf32> to memref<4xf32>
    memref.store %v, %m[%i] : memref<4xf32>
  }
  return
}
""",
        "bufferize-function-boundaries copy-before-write",
        [],
        [],
    ),
    "a store through a memref of what a branch forwards, without analysis": (
        """\
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1(%t : tensor<4xf32>), ^bb1(%t : tensor<4xf32>)
^bb1(%0: tensor<4xf32>):
  %m = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %t : tensor<4xf32>
}
""",
        "bufferize-function-boundaries copy-before-write",
        ["%0, %alloc"],
        ["type mismatch for bb argument #0 of successor #1"],
    ),
    "a reduction that may not run": (
        """\
func.func @f(%t: tensor<8xf32>, %x: tensor<8x?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<8x?xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "a body of linalg.map that uses what was there": (
        """\
func.func @f(%t: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}
""",
        BOUNDARIES,
        ["%arg0, %alloc"],
        [],
    ),
    "a part of a buffer where a layout without gaps is asked for": (
        """\
func.func private @g(%t: tensor<4x?xf32>) -> f32
func.func @f(%t: tensor<4x4xf32>, %n: index) -> f32 {
  %s = tensor.extract_slice %t[0, 0] [4, %n] [1, 1] : tensor<4x4xf32> to tensor<4x?xf32>
  %r = func.call @g(%s) : (tensor<4x?xf32>) -> f32
  return %r : f32
}
""",
        "bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
        ["%subview, %alloc"],
        [],
    ),
    "a part of a buffer, canonicalized": (
        """\
func.func @f(%m: memref<4x4xf32>, %n: index) -> memref<4x?xf32> {
  %s = memref.subview %m[0, 0] [4, %n] [1, 1] : memref<4x4xf32> to memref<4x?xf32, strided<[4, 1]>>
  %t = bufferization.to_tensor %s : memref<4x?xf32, strided<[4, 1]>> to tensor<4x?xf32>
  %b = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  return %b : memref<4x?xf32>
}
""",
        "-canonicalize",
        ["%subview, %alloc"],
        [],
    ),
    "a part of one column, which has no gaps": (
        """\
func.func @f(%m: memref<4x4xf32>, %n: index) -> memref<1x?xf32> {
  %s = memref.subview %m[0, 0] [1, %n] [1, 1] : memref<4x4xf32> to memref<1x?xf32, strided<[4, 1]>>
  %t = bufferization.to_tensor %s : memref<1x?xf32, strided<[4, 1]>> to tensor<1x?xf32>
  %b = bufferization.to_buffer %t : tensor<1x?xf32> to memref<1x?xf32>
  return %b : memref<1x?xf32>
}
""",
        "-canonicalize",
        [],
        [],
    ),
    "a clone without the gaps of its source": (
        """\
func.func @f(%m: memref<4x4xf32>, %n: index, %i: index) -> f32 {
  %s = memref.subview %m[0, 0] [4, %n] [1, 1] : memref<4x4xf32> to memref<4x?xf32, strided<[4, 1]>>
  %t = bufferization.clone %s : memref<4x?xf32, strided<[4, 1]>> to memref<4x?xf32>
  %r = memref.load %t[%i, %i] : memref<4x?xf32>
  memref.dealloc %t : memref<4x?xf32>
  return %r : f32
}
""",
        "-canonicalize -convert-bufferization-to-memref",
        ["%subview, %alloc"],
        [],
    ),
    **{
        f"a destination that the program names itself: {name}": (
            f"""\
func.func @f(%v: f32, %m: memref<4xf32>, %i: index) -> f32 {{
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  {before}
  bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  {after}
  return %r : f32
}}
""",
            "-eliminate-empty-tensors -one-shot-bufferize=bufferize-function-boundaries -canonicalize",
            needed,
            made,
        )
        for name, before, after, needed, made in (
            (
                "a store before the tensor is read",
                "",
                "memref.store %v, %m[%i] : memref<4xf32> %r = tensor.extract %1[%i] : tensor<4xf32>",
                ["%alloc, %arg1"],
                [],
            ),
            (
                "a load before the tensor is copied",
                "%r = memref.load %m[%i] : memref<4xf32>",
                "",
                ["%alloc, %arg1"],
                [],
            ),
            (
                "a write to the tensor behind the copy",
                "",
                "%2 = tensor.insert %v into %1[%i] : tensor<4xf32> %r = tensor.extract %2[%i] : tensor<4xf32>",
                ["%alloc, %arg1"],
                [],
            ),
            (
                "a load behind the last read",
                "",
                "%r = tensor.extract %1[%i] : tensor<4xf32> %q = memref.load %m[%i] : memref<4xf32>",
                [],
                [],
            ),
            (
                "a store to another buffer",
                "%a = memref.alloc() : memref<4xf32> memref.store %v, %a[%i] : memref<4xf32>",
                "%r = memref.load %a[%i] : memref<4xf32>",
                [],
                [],
            ),
        )
    },
}
"""Program, options or flags, copies that are needed, and copies (or the complaint) of mlir-opt 22."""


def flags_of(options: str) -> list[str]:
    return (
        [f"-{flag}" for flag in options[1:].split(" -")]
        if options.startswith("-")
        else [f"-one-shot-bufferize={options}"]
    )


def copies(out: str, err: str) -> list[str]:
    complaints = "\n".join(line for line in err.splitlines() if " error: " in line)
    return [a or b for a, b in re.findall(r"memref\.copy (\S+, \S+) :|(?<=error: )(.*)", out + complaints)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_data_is_lost_unless_asked_for(name, tmp_path, capsys):
    program, options, sound, mirrored = PROGRAMS[name]
    file = tmp_path / "case.mlir"
    file.write_text(program)
    for flags, expected in (([], sound), (["--compat=mlir-22"], mirrored)):
        main([str(file), "-allow-unregistered-dialect", *flags_of(options), *flags])
        assert copies(*capsys.readouterr()) == expected


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_mirrored_is_what_mlir_opt_does(name):
    program, options, _, mirrored = PROGRAMS[name]
    command = [MLIR_OPT or "", "-allow-unregistered-dialect", *flags_of(options), "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, timeout=600)
    assert copies(done.stdout, done.stderr) == mirrored


EXPANDED_READS = """\
func.func @f(%m: memref<64xf32>, %i: index, %p: f32) -> (vector<4xf32>, vector<2x2xf32>) {
  %e = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %padded = vector.transfer_read %e[%i, %i], %p : memref<8x8xf32>, vector<4xf32>
  %c = memref.expand_shape %m [[0, 1, 2]] output_shape [4, 4, 4] : memref<64xf32> into memref<4x4x4xf32>
  %d = memref.collapse_shape %c [[0, 1], [2]] : memref<4x4x4xf32> into memref<16x4xf32>
  %x = memref.expand_shape %d [[0], [1, 2]] output_shape [16, 2, 2] : memref<16x4xf32> into memref<16x2x2xf32>
  %rows = vector.transfer_read %x[%i, %i, %i], %p {in_bounds = [true, true]} : memref<16x2x2xf32>, vector<2x2xf32>
  return %padded, %rows : vector<4xf32>, vector<2x2xf32>
}
"""


def test_a_vector_that_is_not_adjacent_in_the_source_is_read_through_the_expansion(tmp_path, capsys):
    """Past the end of an expanded row is padding, not the next row; two dimensions of one group are no two dimensions of the source."""
    path = tmp_path / "program.mlir"
    path.write_text(EXPANDED_READS, encoding="utf-8")
    reads = {}
    for compat in ((), ("--compat=mlir-22",)):
        assert main([str(path), "-fold-memref-alias-ops", *compat]) == 0
        reads[compat] = re.findall(r"transfer_read (%\w+)\[", capsys.readouterr().out)
    assert all(base.startswith("%expand_shape") for base in reads[()])
    assert not any(base.startswith("%expand_shape") for base in reads["--compat=mlir-22",])
