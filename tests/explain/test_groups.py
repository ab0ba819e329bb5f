"""Findings of one cause are shown as one, the costliest first; a long answer stays short."""

import json

import bufferize
import pytest
from bufferize.cli.main import main


def inserts(name: str, size: int, count: int) -> str:
    """Inserts into one tensor, of which all but the last need a copy, since the others start from it, too."""
    lines = [f"  %r{i} = tensor.insert %f into %t[%i] : tensor<{size}xf32>" for i in range(count)]
    types = ", ".join([f"tensor<{size}xf32>"] * count)
    results = ", ".join(f"%r{i}" for i in range(count))
    body = "\n".join(lines)
    head = f"func.func @{name}(%t: tensor<{size}xf32>, %f: f32, %i: index) -> ({types}) {{"
    return f"{head}\n{body}\n  return {results} : {types}\n}}\n"


def many(functions: int, count: int = 3) -> str:
    return "".join(inserts(f"f{n}", 8 * (n + 1), count) for n in range(functions))


def lines_of(capsys: pytest.CaptureFixture[str], path: str, *flags: str) -> list[str]:
    assert main(["explain", path, "--no-help", *flags]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def large(tmp_path):
    path = tmp_path / "large.mlir"
    path.write_text(many(37))
    return str(path)


def test_copies_of_one_value_are_one_group():
    found = bufferize.explain(bufferize.parse(inserts("t", 8, 5)), with_help=False, with_clones=False)
    (group,) = found.groups()
    assert len(group.findings) == len(found.memory_report.copies) == 4
    assert group.cost == (4 * 32, 4 * 32)
    (note,) = [note.text for note in group.diagnostic().notes if "the same cause forces" in note.text]
    assert note == "the same cause forces 3 more copies, on lines 3, 4, 5: 128 bytes in total"


def test_groups_come_by_cost_or_by_place():
    found = bufferize.explain(bufferize.parse(many(3)), with_help=False, with_clones=False)
    assert [group.cost[0] for group in found.groups()] == [2 * 96, 2 * 64, 2 * 32]
    assert [group.cost[0] for group in found.groups(by_place=True)] == [2 * 32, 2 * 64, 2 * 96]


def test_groups_and_their_findings_are_in_json(capsys, large):
    out = "\n".join(lines_of(capsys, large, "--format", "json"))
    data = json.loads(out)
    groups = data["summary"][0]["groups"]
    assert sum(group["copies"] for group in groups) == data["summary"][0]["copies"] == 74
    numbers = [number for group in groups for number in group["findings"]]
    assert sorted(numbers) == list(range(len(numbers)))
    first = data["diagnostics"][groups[0]["findings"][0]]
    assert first["code"] == groups[0]["code"] and first["data"]["bytes"] == 37 * 32


def test_a_long_answer_is_cut_and_says_so(capsys, large):
    lines = lines_of(capsys, large)
    assert len(lines) < 150
    assert lines[0].startswith("222 tensor operands, 148 in place, 74 copies") and lines[0] in lines[-20:]
    assert "and 54 more causes: --limit 0 shows all" in lines
    assert "(1184 bytes)" in lines[2], "the costliest first"
    assert "and 25 more functions: --limit 0 shows all" in lines


@pytest.mark.parametrize(("limit", "left"), [("1", 73), ("73", 1), ("74", 0), ("0", 0)])
def test_the_limit_is_what_is_asked_for(capsys, large, limit, left):
    lines = lines_of(capsys, large, "--limit", limit)
    said = [line for line in lines if line.endswith("--limit 0 shows all") and "cause" in line]
    noun = "cause" if left == 1 else "causes"
    assert said == ([f"and {left} more {noun}: --limit 0 shows all"] if left else [])
    assert sum(line.startswith("remark[") for line in lines) == 74 - left


def test_only_what_is_selected_is_shown(capsys, large):
    lines = lines_of(capsys, large, "--select", "not-owned", "--limit", "0")
    assert {line.split("]")[0] for line in lines if line.startswith("remark[")} == {"remark[not-owned"}
    lines = lines_of(capsys, large, "--sort", "place", "--limit", "1")
    assert "(32 bytes)" in lines[2]


def test_an_edit_that_an_error_shows_is_not_shown_again(capsys, tmp_path):
    path = tmp_path / "swap.mlir"
    path.write_text("""
func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %e) -> (tensor<8xf32>, tensor<8xf32>) {
    %s = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}
""")
    main(["explain", str(path)])
    out = capsys.readouterr().out
    assert out.count("help: unroll 'scf.for' by two") == 1
    assert "avoidable: unroll 'scf.for' by two" in out
