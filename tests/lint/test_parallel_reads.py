"""Parallel iterations that read what others write: wrong programs, and right ones that differ in one thing."""

import pytest
from bufferize.cli.main import main

HEAD = """
func.func @f(%b: memref<64xf32>, %o: memref<64xf32>, %m: memref<16x16xf32>, %n: index, %f: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
"""
LINE = "scf.parallel (%i) = (%c0) to (%n) step (%c1) {{\n{0}\n}}"
PLANE = "scf.parallel (%i, %j) = (%c1, %c1) to (%c8, %c8) step (%c1, %c1) {{\n{0}\n}}"
FORALL = "scf.forall (%i) in (8) {{\n{0}\n}}"
NEXT = "%k = arith.addi %i, %c1 : index\n"
HERE = "memref.store %x, %b[%i] : memref<64xf32>"
V8 = "memref<8xf32, strided<[1], offset: ?>>"
TILE = "affine.apply affine_map<(d0) -> (d0 * 8 + {0})>(%i)"
TILES = (
    f"%at = {TILE.format(0)}\n%there = {TILE.format('{0}')}\n"
    f"%to = memref.subview %b[%at] [8] [1] : memref<64xf32> to {V8}\n"
    f"%from = memref.subview {{1}}[%there] [8] [1] : memref<64xf32> to {V8}\n"
    f"linalg.exp ins(%from : {V8}) outs(%to : {V8})"
)
WRONG = {
    "the next element": LINE.format(NEXT + "%x = memref.load %b[%k] : memref<64xf32>\n" + HERE),
    "the previous element, read last": LINE.format(
        "memref.store %f, %b[%i] : memref<64xf32>\n%k = arith.subi %i, %c1 : index\n"
        "%x = memref.load %b[%k] : memref<64xf32>\nmemref.store %x, %o[%i] : memref<64xf32>"
    ),
    "two elements further": LINE.format(
        "%k = arith.addi %i, %c2 : index\n%x = memref.load %b[%k] : memref<64xf32>\n" + HERE
    ),
    "twenty elements further": LINE.format(
        "%c20 = arith.constant 20 : index\n%k = arith.addi %i, %c20 : index\n"
        "%x = memref.load %b[%k] : memref<64xf32>\n" + HERE
    ).replace("(%n)", "(%c32)"),
    "the row above": PLANE.format(
        "%k = arith.subi %i, %c1 : index\n%x = memref.load %m[%k, %j] : memref<16x16xf32>\n"
        "memref.store %x, %m[%i, %j] : memref<16x16xf32>"
    ),
    "the diagonal": PLANE.format(
        "%k = arith.subi %i, %c1 : index\n%l = arith.addi %j, %c1 : index\n"
        "%x = memref.load %m[%k, %l] : memref<16x16xf32>\nmemref.store %x, %m[%i, %j] : memref<16x16xf32>"
    ),
    "the next tile": FORALL.format(TILES.format(8, "%b")),
    "a tile that overlaps the next": FORALL.format(TILES.format(1, "%b")),
    "by a store that is affine": "affine.parallel (%i) = (0) to (8) {\n%x = affine.load %b[%i + 1] : memref<64xf32>\n"
    "affine.store %x, %b[%i] : memref<64xf32>\n}",
    "in an inner loop": PLANE.format(
        "scf.for %k = %c0 to %c8 step %c1 {\n%l = arith.addi %j, %c1 : index\n"
        "%x = memref.load %m[%i, %l] : memref<16x16xf32>\nmemref.store %x, %m[%i, %j] : memref<16x16xf32>\n}"
    ),
    "a copy of the next tile": FORALL.format(
        TILES.format(8, "%b").replace(
            f"linalg.exp ins(%from : {V8}) outs(%to : {V8})", f"memref.copy %from, %to : {V8} to {V8}"
        )
    ),
}
RIGHT = {
    "its own element": LINE.format("%x = memref.load %b[%i] : memref<64xf32>\n" + HERE),
    "the next element of another buffer": LINE.format(
        NEXT + "%x = memref.load %o[%k] : memref<64xf32>\n" + HERE
    ),
    "one after another": LINE.format(NEXT + "%x = memref.load %b[%k] : memref<64xf32>\n" + HERE).replace(
        "scf.parallel (%i) = (%c0) to (%n) step (%c1)", "scf.for %i = %c0 to %n step %c1"
    ),
    "a step over the next element": LINE.format(
        NEXT + "%x = memref.load %b[%k] : memref<64xf32>\n" + HERE
    ).replace("step (%c1)", "step (%c2)"),
    "the other half": LINE.format(
        "%k = arith.addi %i, %c32 : index\n%x = memref.load %b[%k] : memref<64xf32>\n" + HERE
    ).replace("(%n)", "(%c32)"),
    "a column that is not written": PLANE.format(
        "%x = memref.load %m[%i, %c0] : memref<16x16xf32>\nmemref.store %x, %m[%i, %j] : memref<16x16xf32>"
    ),
    "only under a condition": LINE.format(
        NEXT + "scf.if %p {\n%x = memref.load %b[%k] : memref<64xf32>\n" + HERE + "\n}"
    ),
    "its own tile": FORALL.format(TILES.format(0, "%b")),
    "the next tile of another buffer": FORALL.format(TILES.format(8, "%o")),
    "behind a barrier": FORALL.format(
        NEXT + "%x = memref.load %b[%k] : memref<64xf32>\ngpu.barrier\n" + HERE
    ),
    "one iteration": LINE.format(NEXT + "%x = memref.load %b[%k] : memref<64xf32>\n" + HERE).replace(
        "(%n)", "(%c1)"
    ),
    "a buffer of the iteration": LINE.format(
        NEXT + "%b2 = memref.alloca() : memref<64xf32>\n"
        "%x = memref.load %b2[%k] : memref<64xf32>\nmemref.store %x, %b2[%i] : memref<64xf32>"
    ),
}


def linted(body, tmp_path, capsys):
    file = tmp_path / "a.mlir"
    file.write_text(f"{HEAD}{body}\nreturn\n}}\n")
    main(["lint", str(file)])
    out, err = capsys.readouterr()
    assert not err
    return out


@pytest.mark.parametrize("name", WRONG)
def test_a_read_of_what_another_iteration_writes(name, tmp_path, capsys):
    assert "warning[parallel-read-race]" in linted(WRONG[name], tmp_path, capsys)


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_said_of_other_reads(name, tmp_path, capsys):
    assert "parallel-read-race" not in linted(RIGHT[name], tmp_path, capsys)
