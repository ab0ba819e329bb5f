"""What is shown does not depend on who found it out, nor when: results of earlier runs, several processes, programs in parts."""

import os
import random
import stat
from pathlib import Path

import pytest
from bufferize.cli import cache, questions
from bufferize.cli.main import main
from bufferize.explain import plan
from hypothesis import HealthCheck, given, settings, strategies as st

BODIES = (
    """func.func @NAME(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}
""",
    """func.func @NAME(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %x = tensor.extract %t[%i] : tensor<?xf32>
    %b = tensor.insert %x into %a[%i] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
""",
    """func.func @NAME(%f: f32, %i: index) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    """func.func @NAME(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r:2 = call @CALLED(%t, %f, %i) : (tensor<8xf32>, f32, index) -> (tensor<8xf32>, f32)
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %n : tensor<8xf32>
}
""",
)
FORMATS = (["--format", "text"], ["--limit", "0"], ["--format", "json"], ["--format", "sarif", "--all"])


def program(kinds: list[int], lines_between: int = 0) -> str:
    """Functions of these kinds; one of the last kind calls the first function before it that can be called."""
    functions = []
    called = None
    for number, kind in enumerate(kinds):
        body = BODIES[kind if kind < 3 or called is not None else 0]
        if body is BODIES[0]:
            called = called or f"f{number}"
        functions.append(body.replace("NAME", f"f{number}").replace("CALLED", called or ""))
    return ("// a comment\n" * lines_between + "\n").join(functions)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results are kept in a folder of this test; every text is cut, with one component to a part."""
    monkeypatch.delenv("BUFFERIZE_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(questions, "SHORT", 0)
    monkeypatch.setattr(questions, "TOGETHER", 1)
    return tmp_path / "bufferize"


def said(file: Path, *flags: str) -> tuple[int, bytes]:
    out = file.with_suffix(".out")
    out.unlink(missing_ok=True)
    code = main(["explain", str(file), "-o", str(out), *flags])
    return code, out.read_bytes() if out.exists() else b""


@given(kinds=st.lists(st.integers(0, 3), min_size=1, max_size=4), between=st.integers(0, 2))
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_kept_and_found_out_answers_are_the_same(kept: Path, kinds: list[int], between: int):
    file = kept.parent / "in.mlir"
    for text, some in (
        (program(kinds, between), FORMATS[:3]),
        (program([*kinds, 1], between + 1), FORMATS[1:]),
    ):
        file.write_text(text)
        for flags in some:
            anew = said(file, "--no-cache", *flags)
            assert anew[1]
            assert said(file, *flags) == anew
            assert said(file, *flags) == anew  # kept by now


SITUATIONS = Path(__file__).parents[1] / "explain/situations.mlir"
"""Among them programs of which an edit saves nothing in all, which only the tried plan knows."""


@pytest.mark.parametrize("part", [4, 6, 12])
def test_kept_verdicts_are_the_same(kept: Path, part: int):
    file = kept.parent / "in.mlir"
    file.write_text(SITUATIONS.read_text(encoding="utf-8").split("// -----\n")[part])
    for flags in FORMATS[:1] + FORMATS[2:3]:
        anew = said(file, "--no-cache", *flags)
        assert said(file, *flags) == anew
        assert said(file, *flags) == anew


def test_what_is_cut_is_said_of_the_lines_of_the_whole(kept: Path, monkeypatch: pytest.MonkeyPatch):
    file = kept.parent / "in.mlir"
    file.write_text(program([0, 1, 2, 3, 0], 2))
    for flags in FORMATS:
        apart = said(file, "--no-help", *flags)
        monkeypatch.setattr(questions, "SHORT", 1 << 30)
        assert said(file, "--no-help", "--no-cache", *flags) == apart
        monkeypatch.setattr(questions, "SHORT", 0)


def test_all_parts_of_a_large_program_are_planned_alike(kept: Path, monkeypatch: pytest.MonkeyPatch):
    file = kept.parent / "in.mlir"
    file.write_text(program([0] * 10))
    apart = said(file, "--no-cache")[1].decode()
    assert "10 copies (320 bytes)" in apart and "10 copies -> 0: " in apart
    monkeypatch.setattr(questions, "ROUNDED", 1_000)  # as if the program were that long
    apart = said(file, "--no-cache")[1].decode()
    assert "10 copies -> " not in apart
    assert "not tried because it takes long: fewest-copies" in apart


def test_one_function_of_a_large_program_is_planned_as_if_alone(kept: Path, monkeypatch: pytest.MonkeyPatch):
    for limit in ("SMALL", "LARGE_PROGRAM", "HUGE"):
        monkeypatch.setattr(plan, limit, 8)  # each function has four operations
    monkeypatch.setattr(plan, "BUDGET", 8)
    file = kept.parent / "in.mlir"
    file.write_text(program([0, 0, 0, 0]))
    monkeypatch.setattr(questions, "SHORT", 1 << 30)
    assert "fewest-copies" in said(file, "--no-cache")[1].decode().partition("not tried")[2]
    alone = said(file, "--function", "f1")[1].decode()
    assert alone.startswith("3 tensor operands") and "\n1 copy -> 0: " in alone


def test_only_what_changed_is_found_out(kept: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    real = questions.answer
    monkeypatch.setattr(questions, "answer", lambda question: asked.append(question.text) or real(question))
    file = kept.parent / "in.mlir"
    text = program([0, 1, 3, 2, 1])
    file.write_text(text)
    said(file, "--no-help")
    assert len(asked) == 4  # one of them is a caller and what it calls
    asked.clear()
    file.write_text("// moved\n" + text.replace("tensor<4xf32>", "tensor<5xf32>"))
    said(file, "--no-help")
    assert ["@f3" in part for part in asked] == [True]
    asked.clear()
    said(file, "--no-help", "--all")  # another question
    assert len(asked) == 4
    asked.clear()
    said(file, "--no-help", "--compare-parts")  # every flag of the analysis makes another one
    assert len(asked) == 4
    asked.clear()
    other = kept.parent / "models.facts"
    other.write_text('operation("a.b").\n')
    said(file, "--no-help", "--all", "--models", str(other))
    other.write_text('operation("a.c").\n')
    said(file, "--no-help", "--all", "--models", str(other))
    assert len(asked) == 8


@pytest.mark.parametrize("command", ["lint", "report"])
def test_other_commands_keep_whole_files(kept: Path, monkeypatch: pytest.MonkeyPatch, command: str):
    file, out = kept.parent / "in.mlir", kept.parent / "out"
    file.write_text(program([0, 2]))
    runs = []
    for flags in ([], [], ["--no-cache"]):
        code = main([command, str(file), "-o", str(out), *flags])
        runs.append((code, out.read_bytes()))
        if len(runs) == 1:
            monkeypatch.setattr(questions, "answer", lambda _: pytest.fail("it is known"))
    assert runs[0] == runs[1] == runs[2]
    asked: list[questions.TextQuestion] = []
    monkeypatch.setattr(questions, "answer", lambda question: asked.append(question) or {"error": "no"})
    main([command, str(file), "-o", str(out), "--compare-parts"])
    assert asked[0].settings["flags"]["compare_parts"] is True


def test_several_processes_say_the_same(kept: Path, capfd: pytest.CaptureFixture[str]):
    folder = kept.parent / "programs"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.mlir").write_text(program([0, 1, number]))
    (folder / "broken.mlir").write_text("func.func @f() { return %x : i32 }\n")
    runs = []
    for flags in (["--jobs", "2", "--no-cache"], ["--no-cache"], ["--jobs", "2"], []):
        runs.append((main(["explain", str(folder), *flags]), *capfd.readouterr()))
    assert runs[0] == runs[1] == runs[2] == runs[3]
    assert runs[0][0] == 2
    assert "use of undeclared SSA value" in runs[0][2]


def test_what_cannot_be_told_apart_is_explained_as_a_whole(kept: Path):
    file = kept.parent / "in.mlir"
    refused = """func.func @refused(%t: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = "unknown.op"(%t) ({ ^bb0(%a: tensor<8xf32>): "unknown.yield"(%a) : (tensor<8xf32>) -> () }) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
    number = program([0, 1]).replace("@f0(", '@f0(%s: tensor<8xf32> {a.b = "1618033988000000001"}, ')
    for text in (program([0, 1]) + refused, number):
        file.write_text(text)
        assert said(file) == said(file) == said(file, "--no-cache")


class TestCache:
    def test_results_are_private_and_found_again(self, tmp_path: Path):
        known = cache.ResultCache(tmp_path / "c")
        key = cache.key_of("a", b"b")
        assert known.get(key) is None
        known.put(key, '{"x":"\\u00e9"}')
        assert cache.ResultCache(tmp_path / "c").get(key) == '{"x":"\\u00e9"}'
        assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o700
        assert key != cache.key_of("ab", b"")

    def test_a_folder_of_others_is_not_used(self, tmp_path: Path):
        folder = tmp_path / "c"
        folder.mkdir()
        folder.chmod(0o777)
        known = cache.ResultCache(folder)
        known.put(cache.key_of("a"), "{}")
        assert known.get(cache.key_of("a")) is None
        assert not list(folder.iterdir())
        (tmp_path / "link").symlink_to(folder)
        assert not cache.ResultCache(tmp_path / "link")._is_usable()

    def test_what_is_damaged_is_not_there(self, tmp_path: Path):
        known = cache.ResultCache(tmp_path / "c")
        key = cache.key_of("a")
        known.put(key, "{}")
        [file] = (tmp_path / "c").rglob("*" + cache.SUFFIX)
        file.write_bytes(file.read_bytes()[:-3])
        assert known.get(key) is None

    def test_the_oldest_go_first(self, tmp_path: Path):
        known = cache.ResultCache(tmp_path / "c", most=cache.FOLDERS * 4000)
        keys = ["0" + cache.key_of(str(i))[1:] for i in range(8)]
        noise = random.Random(1)
        for i, key in enumerate(keys):
            known.put(key, bytes(noise.randrange(32, 127) for _ in range(1000)).decode())
            os.utime(known._path(key), (i, i))
        left = [known.get(key) is not None for key in keys]
        assert left == sorted(left)
        assert 2 <= sum(left) < 8
        assert sum(f.stat().st_size for f in (tmp_path / "c").rglob("*" + cache.SUFFIX)) <= 4000

    def test_nothing_is_kept_without(self, kept: Path):
        file = kept.parent / "in.mlir"
        file.write_text(program([0]))
        said(file, "--no-cache")
        assert not kept.exists()
        said(file)
        assert kept.exists()


def test_what_was_found_in_limited_time_is_not_kept(kept: Path):
    file = kept.parent / "in.mlir"
    file.write_text(program([0]))
    limited = ("--analysis-heuristic", "fewest-copies", "--time-limit", "60")
    assert said(file, *limited) == said(file, *limited)
    assert not list(kept.rglob("*.z"))
    said(file, *limited[:2])
    assert list(kept.rglob("*.z"))
