"""`bufferize bench --freeing`: programs freed in two ways, the clones and peaks of both, and what one of them refuses."""

import os
import re
from pathlib import Path

import pytest
from bufferize.benchmarks import proofs
from bufferize.benchmarks.freeing import compare
from bufferize.cli.main import main

RECORDED = os.environ.get("BUFFERIZE_RECORDED")
PAGE = Path(__file__).parents[2] / "docs" / "deallocation.md"

M = "memref<4xf32>"
CHAIN = f"""
func.func @chain(%a: {M}) {{
  %b = memref.alloc() : {M}
  linalg.exp ins(%a : {M}) outs(%b : {M})
  %c = memref.alloc() : {M}
  linalg.exp ins(%b : {M}) outs(%c : {M})
  %d = memref.alloc() : {M}
  linalg.exp ins(%c : {M}) outs(%d : {M})
  linalg.exp ins(%d : {M}) outs(%a : {M})
  return
}}
"""
CHOSEN = f"""
func.func @chosen(%c: i1, %a: {M}, %n: index) -> memref<?xf32> {{
  %r = scf.if %c -> (memref<?xf32>) {{
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }} else {{
    %d = memref.cast %a : {M} to memref<?xf32>
    scf.yield %d : memref<?xf32>
  }}
  return %r : memref<?xf32>
}}
"""
LOOP = f"""
func.func @loop(%c: i1, %a: {M}) {{
  cf.br ^head
^head:
  %b = memref.alloc() : {M}
  memref.copy %a, %b : {M} to {M}
  cf.cond_br %c, ^head, ^out
^out:
  return
}}
"""


def test_peaks_are_those_of_runs():
    found = compare("chain", CHAIN)
    assert found is not None and found.both and not found.is_worse
    assert set(found.peaks) == {("chain", 48, 32)}


def test_clones_are_counted_in_both_results():
    found = compare("chosen", CHOSEN)
    assert found is not None and found.clones[1] == 1 <= found.clones[0]


def test_tensors_are_bufferized_first():
    found = compare("t", "func.func @t(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    assert found is not None and found.both
    assert compare("bad", "func.func @t(") is None


def test_the_command_says_what_is_refused_and_taken(tmp_path, capsys):
    (tmp_path / "a.mlir").write_text(CHAIN + "// -----\n" + LOOP)
    assert main(["bench", "--freeing", str(tmp_path), "-o", str(tmp_path / "results")]) == 0
    said = capsys.readouterr().out
    assert "| Only structured control-flow loops are supported. | 1 | 1 |" in said
    assert "2 programs; both accept 1." in said and "0 programs are worse" in said
    assert (tmp_path / "results.md").read_text() == said


def test_a_folder_without_programs(tmp_path, capsys):
    assert main(["bench", "--freeing", str(tmp_path)]) == 2
    assert "there are no .mlir files" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded inputs")
def test_the_programs_that_are_not_proved_are_those_in_docs():
    """BUFFERIZE_RECORDED is the folder that has the recorded programs under `conformance/inputs`."""
    page = PAGE.read_text()
    found = proofs.measure(
        Path(RECORDED or "") / "conformance", "builtin.module(buffer-deallocation-static)", unknown=True
    )
    rows = re.findall(r"^\| ((?:[0-9a-f]{10}(?:, )?)+) \|", page, re.MULTILINE)
    assert {name for row in rows for name in row.split(", ")} == {Path(name).stem for name in found.open}
    count = found.programs[""]
    assert f"for {count - len(found.open_ownership):,} of {count:,} outputs" in page
    assert f"For {count - len(found.open):,} it also proves" in page
