"""Many programs: the same results however they were run, once for each content, and the worst difference first."""

import json
import os
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bufferize.cli.corpus import command
from bufferize.cli.corpus.run import Known, Store, key_of, measure, processes, run
from bufferize.cli.main import main

COPY = """func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}
"""
NO_COPY = COPY.replace("%o = tensor.extract %t[%i]", "%o = tensor.extract %n[%i]")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.mlir").write_text(COPY, encoding="utf-8")
    (folder / "deep" / "b.mlir").write_text(NO_COPY, encoding="utf-8")
    (folder / "same.mlir").write_text(COPY, encoding="utf-8")
    (folder / "broken.mlir").write_text("func.func @f(", encoding="utf-8")
    return folder


def results(file: Path) -> dict[str, Any]:
    with Store(str(file)) as store:
        return {Path(path).name: known.found for path, known in store.programs().items()}


def test_each_content_is_analysed_once(
    programs: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    file = tmp_path / "r.db"
    assert main(["corpus", str(programs), "-o", str(file), "--jobs", "1"]) == 0
    assert main(["corpus", str(programs), "-o", str(file), "--jobs", "1"]) == 0
    first, refused, second, same = capsysbinary.readouterr().out.decode().splitlines()
    assert refused == same and refused.startswith("refused: ") and "broken.mlir: expected " in refused
    assert "3 analysed now, 1 known before, 1 refused" in first
    assert "0 analysed now, 4 known before, 1 refused" in second
    found = results(file)
    assert found["a.mlir"] == found["same.mlir"]
    assert (
        found["a.mlir"]["functions"]["f"]["copies"] == 1 and found["a.mlir"]["functions"]["f"]["bytes"] >= 32
    )
    assert found["b.mlir"].get("functions", {}).get("f", {}).get("copies", 0) == 0
    assert "error" in found["broken.mlir"]


def test_results_do_not_depend_on_the_number_of_workers():
    jobs = [
        (str(i), f"{i}.mlir", (COPY if i % 3 else NO_COPY).replace("8", str(i + 2)).encode())
        for i in range(40)
    ]
    one, two = ({r.key: r.found for batch in run(jobs, measure, processes(n)) for r in batch} for n in (1, 2))
    assert one == two and len(one) == 40


def _dies_once(name: str, text: str) -> dict[str, Any]:
    """Kills its process the first time that it sees a certain program."""
    mark = Path(text.splitlines()[0])
    if name == "7" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"functions": {name: {"copies": len(text)}}}


def _always_dies(name: str, text: str) -> dict[str, Any]:
    if name == "7":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"functions": {}}


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by POSIX signals here")
def test_a_killed_worker_loses_nothing(tmp_path: Path):
    text = f"{tmp_path / 'mark'}\n".encode()
    jobs = [(str(i), str(i), text) for i in range(12)]
    found = {r.key: r.found for batch in run(jobs, _dies_once, processes(2)) for r in batch}
    assert found.keys() == {str(i) for i in range(12)} and all(
        "error" not in value for value in found.values()
    )
    started: list[None] = []

    def start() -> Executor:
        started.append(None)
        return processes(2)()

    jobs = [(str(i), str(i), text) for i in range(60)]
    found = {r.key: r.found for batch in run(jobs, _always_dies, start, room=1) for r in batch}
    assert found.keys() == {str(i) for i in range(60)}
    assert [key for key, value in found.items() if "error" in value] == ["7"]
    assert len(started) <= 4  # not one for each program that was waiting


def test_an_executor_is_all_that_is_needed():
    class Here(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    (batch,) = run([("k", "x.mlir", COPY.encode())], measure, Here)
    assert batch[0].found["functions"]["f"]["copies"] == 1
    assert isinstance(processes(1)(), ProcessPoolExecutor)


def test_a_copy_added_is_on_top_and_fails(
    programs: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    main(["corpus", str(programs), "-o", str(old), "--jobs", "1"])
    (programs / "deep" / "b.mlir").write_text(COPY, encoding="utf-8")
    (programs / "a.mlir").write_text(NO_COPY, encoding="utf-8")
    main(["corpus", str(programs), "-o", str(new), "--jobs", "1"])
    capsysbinary.readouterr()
    assert main(["corpus", "diff", str(old), str(new)]) == 1
    first, second = capsysbinary.readouterr().out.decode().splitlines()
    assert first.startswith("worse ") and "b.mlir @f" in first and "copies 0 -> 1" in first
    assert second.startswith("better") and "a.mlir @f" in second
    assert main(["corpus", "diff", str(new), str(new)]) == 0
    assert main(["corpus", "diff", str(old), str(new), "--format", "json"]) == 1
    shown = capsysbinary.readouterr().out.decode()
    assert json.loads(shown[shown.index("[") :])[0]["worse"]


def test_every_format_escapes_what_it_shows():
    found = command.changes({}, {"<b>|\x1b.mlir": Known({"error": "<x>"}, 0.0)})
    assert "<b>" not in command.as_html(found).replace("<body>", "")
    assert "\\|" in command.as_markdown(found)
    assert all("\x1b" not in render(found) for render in (command.as_text, command.as_markdown))


@pytest.mark.parametrize(
    "arguments", [["nowhere"], ["diff", "a"], ["diff", "no.db", "no.db"], []], ids=" ".join
)
def test_what_is_wrong_is_said(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    monkeypatch.chdir(tmp_path)
    assert main(["corpus", *arguments]) != 0
    assert "error" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_files_that_are_not_text_are_refused_with_the_reason(tmp_path: Path, capsys: Any):
    (tmp_path / "binary.mlir").write_bytes(b"ML\xefR\x01\x00")
    (tmp_path / "latin.mlir").write_bytes(b"// \xe9\n")
    main(["corpus", str(tmp_path), "-o", str(tmp_path / "c.db"), "--jobs", "1"])
    said = capsys.readouterr().out
    assert "is MLIR bytecode" in said and "byte 0xe9 at offset 3 is not valid UTF-8" in said


def test_an_empty_file_is_a_program(tmp_path: Path, capsys: Any):
    (tmp_path / "empty.mlir").write_bytes(b"")
    assert main(["corpus", str(tmp_path / "empty.mlir"), "-o", str(tmp_path / "results.db")]) == 0
    assert "1 analysed now" in capsys.readouterr().out


def test_a_file_that_is_no_result_is_refused(tmp_path: Path, capsys: Any):
    (tmp_path / "x.db").write_text("not a database, and long enough to look at " * 40, encoding="utf-8")
    (tmp_path / "p.mlir").write_text(COPY, encoding="utf-8")
    assert main(["corpus", str(tmp_path / "p.mlir"), "-o", str(tmp_path / "x.db")]) != 0
    assert "cannot use" in capsys.readouterr().err


def test_keys_depend_on_text_and_version():
    assert len({key_of(text, version) for text in (b"a", b"b") for version in ("1", "2")}) == 4


def test_flags_of_the_analysis_are_part_of_what_a_result_depends_on(
    programs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    file = tmp_path / "r.db"
    arguments = ["corpus", str(programs), "-o", str(file), "--jobs", "1"]
    assert main(arguments) == 0
    plain = results(file)
    for flags in (["--analysis-heuristic", "fewest-copies"], ["--no-function-boundaries"]):
        assert main([*arguments, *flags]) == 0
        assert "3 analysed now" in capfd.readouterr().out.splitlines()[-2]
        assert "functions" in results(file)["a.mlir"]
    assert main(arguments) == 0
    assert "0 analysed now" in capfd.readouterr().out.splitlines()[-2]
    assert results(file) == plain
