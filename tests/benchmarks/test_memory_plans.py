"""The table of plans: bounds, plans and gaps of programs."""

from pathlib import Path

from bufferize.benchmarks.memory_plans import HEADER, main

DOCS = Path(__file__).parents[2] / "docs" / "memory.md"
STARTS = ("| t_", "| j_", "| c_", "| h_")
"""Programs are named after where they come from."""

PROGRAM = """
func.func @f(%x: memref<16xf32>, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<8xf32>
  %r = memref.load %b[%i] : memref<16xf32>
  memref.store %r, %c[%i] : memref<8xf32>
  return %r : f32
}
"""


def test_a_row_for_each_function_with_buffers(tmp_path, capsys):
    (tmp_path / "one.mlir").write_text(PROGRAM)
    (tmp_path / "wrong.mlir").write_text("no program")
    (tmp_path / "idle.mlir").write_text("func.func @g() {\n  return\n}\n")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{HEADER}\n| one | 2 | 128 | 128 | 0 | 128 |\n"
    assert main([]) == 2


def test_no_plan_in_the_handbook_is_above_best_fit():
    rows = [line.split("|") for line in DOCS.read_text().splitlines() if line.startswith(STARTS)]
    numbers = [[int(cell.replace(",", "")) for cell in row[2:7]] for row in rows]
    assert len(rows) > 30
    assert all(plan - bound == gap and plan <= other for _, bound, plan, gap, other in numbers)
    assert sum(row[3] == 0 for row in numbers) >= 0.9 * len(rows)
