"""No file of rules can be left out: whoever uses it fails, and says which it is. Each of its rules decides something, too.

That no single rule can be left out is tested where the programs are that it decides; here is said where.
"""

import re
import shutil
from pathlib import Path

import pytest
from bufferize.analysis import causes
from bufferize.analysis.one_shot import facts, state
from bufferize.cli.main import main

TESTS = Path(__file__).parents[1]
T = "tensor<8xf32>"
COPIED = f"""
func.func @f(%t: {T}, %f: f32, %i: index) -> ({T}, f32) {{
  %u = tensor.insert %f into %t[%i] : {T}
  %x = tensor.extract %t[%i] : {T}
  return %u, %x : {T}, f32
}}"""
YIELDED = f"""
func.func @f(%t: {T}, %s: {T}, %n: index) -> {T} {{
  %r = scf.for %k = %n to %n step %n iter_args(%a = %t) -> ({T}) {{
    scf.yield %s : {T}
  }}
  return %r : {T}
}}"""
LEAKED = """
func.func @f(%f: f32, %i: index) {
  %n = memref.alloc() : memref<4xf32>
  memref.store %f, %n[%i] : memref<4xf32>
  return
}"""
COLLIDES = """
func.func @f(%m: memref<4xf32>, %f: f32, %i: index) {
  scf.forall (%k) in (8) {
    memref.store %f, %m[%i] : memref<4xf32>
  }
  return
}"""
TAKEN_TWICE = f"""
func.func @f(%m: memref<8xf32>, %f: f32, %i: index) -> ({T}, {T}) {{
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to {T}
  %s = bufferization.to_tensor %m restrict writable : memref<8xf32> to {T}
  %u = tensor.insert %f into %t[%i] : {T}
  return %u, %s : {T}, {T}
}}"""
LOOP = ("explain", "--allow-return-allocs-from-loops")

USES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "aliasing": (COPIED, ("explain",), "analysis/one_shot/test_every_rule.py"),
    "conflict": (COPIED, ("explain",), "analysis/one_shot/test_every_rule.py"),
    "lifetimes": (LEAKED, ("lint",), "lint/test_rules.py"),
    "loops": (YIELDED, LOOP, "analysis/one_shot/test_loop_copies.py"),
    "ownership": (LEAKED, ("explain", "--ownership"), "explain/test_pages.py"),
    "parallel": (COLLIDES, ("lint",), "lint/test_rules.py"),
    "pipelines": (LEAKED.replace("return", "bufferization.dealloc\nreturn"), ("lint",), "lint/test_rules.py"),
    "promises": (TAKEN_TWICE, ("lint",), "lint/test_rules.py"),
    "vocabulary": (COPIED, ("explain", "--rules", "RULES"), "analysis/one_shot/test_own_rules.py"),
}
"""A program and a command that needs the file, and the tests that leave out its rules one by one."""


def test_every_file_is_one_of_these() -> None:
    assert {path.stem for path in Path(causes.RULES).glob("*.dl")} == set(USES)


@pytest.mark.parametrize("file", USES)
def test_none_can_be_left_out(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, command, _ = USES[file]
    program, rules, less = tmp_path / "in.mlir", tmp_path / "own.dl", tmp_path / "rules"
    program.write_text(text)
    rules.write_text(
        '// X1: Nothing.\nunaffected(read, write) :- owner(read, op), attribute(op, "x", _), owner(write, _).\n'
    )
    words = [str(rules) if word == "RULES" else word for word in command]
    run = [words[0], str(program), *words[1:], "--format", "json", "-o", str(tmp_path / "out.json")]
    assert main(run) in (0, 1)
    shutil.copytree(causes.RULES, less)
    (less / f"{file}.dl").unlink()
    for module in (causes, state):
        monkeypatch.setattr(module, "RULES", less)
    monkeypatch.setattr(facts, "BASE", tuple(str(less / Path(path).name) for path in facts.BASE))
    for cached in (causes.rules_of, state.conflict_program, facts._program):
        cached.cache_clear()
    try:
        assert main(run) == 2
        assert f"{file}.dl': No such file" in capsys.readouterr().err
    finally:
        for cached in (causes.rules_of, state.conflict_program, facts._program):
            cached.cache_clear()


@pytest.mark.parametrize("file", USES)
def test_its_rules_are_left_out_one_by_one_elsewhere(file: str) -> None:
    rules = re.findall(r"^[a-z_]+\(.*?:-", (Path(causes.RULES) / f"{file}.dl").read_text(), re.M)
    tests = (TESTS / USES[file][2]).read_text()
    assert not rules or (file in tests and "test_no_rule_can_be_left_out" in tests)
