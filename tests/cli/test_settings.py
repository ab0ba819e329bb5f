"""Settings from files: which file counts, what is typed counts more, and every mistake has its place."""

from pathlib import Path

import pytest
from bufferize.cli import settings
from bufferize.cli.main import main
from bufferize.ir.source.diagnostics import ParseError

COPY = """func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "f.mlir").write_text(COPY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    shown = capsysbinary.readouterr()
    return code, shown.out.decode(), shown.err.decode()


def test_the_nearest_file_counts_and_a_pyproject_of_others_is_passed_over(project: Path):
    program = project / "deep" / "er" / "f.mlir"
    assert settings.find(program) is None or not settings.find(program).is_relative_to(project)  # type: ignore[union-attr]
    (project / "bufferize.toml").write_text("")
    (project / "deep" / "pyproject.toml").write_text("[tool.ruff]\n")
    assert settings.find(program) == project / "bufferize.toml"
    (project / "deep" / "pyproject.toml").write_text("[tool.bufferize]\n")
    assert settings.find(program) == project / "deep" / "pyproject.toml"
    (project / "deep" / "er" / "pyproject.toml").write_text("[tool.bufferize.budgets]\nf = 3\n")
    found = settings.find(program)
    assert found is not None and settings.read(found).budgets == {"f": 3}


def test_budgets_fail_and_what_is_typed_counts_more(
    project: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    (project / "bufferize.toml").write_text('files = ["deep/**/*.mlir"]\n[budgets]\n"*" = 0\n')
    code, out, err = run(capsysbinary, "explain", "--no-help")
    assert code == 1 and "deep/er/f.mlir:" in out and "@f makes 1 copy, 0 allowed" in err
    assert run(capsysbinary, "explain", "--no-help", "--budget", "1")[0] == 0
    assert run(capsysbinary, "explain", "deep/er/f.mlir", "--isolated")[0] == 0
    (project / "other.toml").write_text("[budgets]\nf = 1\n")
    assert run(capsysbinary, "explain", "deep/er/f.mlir", "--config", "other.toml")[0] == 0


def test_options_are_those_of_the_flags(project: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    (project / "bufferize.toml").write_text('[options]\nformat = "json"\nno-help = true\n')
    assert run(capsysbinary, "explain", "deep/er/f.mlir")[1].startswith("{")
    assert run(capsysbinary, "explain", "deep/er/f.mlir", "--format", "text")[1].startswith("3 tensor")


def test_models_are_found_beside_the_file(project: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    (project / "bufferize.toml").write_text('models = ["deep/m.dl"]\n')
    (project / "deep" / "m.dl").write_text("nonsense")
    code, _, err = run(capsysbinary, "explain", "deep/er/f.mlir")
    assert code != 0 and "m.dl" in err


def test_ignored_ids_are_counted_with_their_reason(project: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    (project / "bufferize.toml").write_text('[ignore]\nread-after-write = "measured: it is cheap"\n')
    code, out, err = run(capsysbinary, "explain", "deep/er/f.mlir", "--fail-on-copy")
    assert code == 0 and "read-after-write" not in out
    assert "1 finding with the id 'read-after-write' not shown: measured: it is cheap" in err


MISTAKES = [
    ("budgets = 3", "1:1: error: 'budgets' is a table"),
    ("budget = 3", "1:1: error: there is no key 'budget' here (did you mean 'budgets'?)"),
    ("[budgets]\nf = -1", "2:1: error: the budget of 'f' must be a number of copies, at least 0"),
    ("[budgets]\nf = true", "2:1: error: the budget of 'f'"),
    ("[ignore]\nnot-ownd = 'x'", "2:1: error: no finding has the id 'not-ownd' (did you mean 'not-owned'?)"),
    ("ignore.not-owned = ' '", "1:8: error: give the reason why 'not-owned' is ignored"),
    ("files = 'x'", "1:1: error: 'files' must be a list of strings"),
    (
        "[options]\nanalysis-heuristik = 'x'",
        "2:1: error: no command has a flag '--analysis-heuristik' (did you mean",
    ),
    ("[options]\nanalysis-heuristic = 'top'", "2:1: error: there is no 'top'"),
    ("[options]\nno-help = 'yes'", "2:1: error: 'no-help' must be true or false"),
    ("[options]\noutput = 'x'", "2:1: error: '--output' cannot be a setting"),
    ("[options]\nanalysis-fuzzer-seed = 'x'", "2:1: error: 'x' is not a value of '--analysis-fuzzer-seed'"),
    ("x = [1,\n\n", "3:1: error: this is not valid TOML"),
    ("x = = 3", "1:5: error: this is not valid TOML: invalid value"),
    ("x = " + "9" * 5000, "1:5005: error: this is not valid TOML: a number is too long"),
    ("x = " + "[" * 5000, "1:5005: error: this is not valid TOML: it is nested too deeply"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[text[:40] for text, _ in MISTAKES])
def test_mistakes_have_their_places(
    text: str, said: str, project: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    (project / "bufferize.toml").write_text(text)
    code, out, err = run(capsysbinary, "explain", "deep/er/f.mlir")
    assert code != 0 and not out and f"bufferize.toml:{said}" in err


def test_options_of_other_commands_are_passed_over(project: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    (project / "bufferize.toml").write_text("[options]\nkind = 'alias'\nfail-on = 'remark'\n")
    assert run(capsysbinary, "explain", "deep/er/f.mlir")[0] == 0


def test_a_pattern_that_means_nothing_is_an_error(project: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    (project / "bufferize.toml").write_text('files = ["none/*.mlir"]\n')
    code, _, err = run(capsysbinary, "explain")
    assert code != 0 and "bufferize.toml:1:1: error: there is no file 'none/*.mlir'" in err
    (project / "bufferize.toml").unlink()
    assert "required: FILE" in run(capsysbinary, "explain")[2]


def test_places_in_a_shared_file(project: Path):
    (project / "pyproject.toml").write_text(
        "[project]\nfiles = 1\n[tool.bufferize]\nmodel = []\n[tool.bufferize.ignore]\nx = ''\n"
    )
    with pytest.raises(ParseError) as refused:
        settings.read(project / "pyproject.toml")
    assert [d.span.line for d in refused.value.diagnostics if d.span is not None] == [4, 6]


def test_each_program_has_the_settings_nearest_to_it(
    project: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    for name, said in (
        ("strict", '[budgets]\n"*" = 0\n'),
        ("lenient", '[ignore]\nread-after-write = "known"\n'),
    ):
        (project / name).mkdir()
        (project / name / "f.mlir").write_text(COPY, encoding="utf-8")
        (project / name / "bufferize.toml").write_text(said, encoding="utf-8")
    for order in (("strict", "lenient"), ("lenient", "strict")):
        code, out, err = run(capsysbinary, "explain", "--no-help", *order, "deep")
        assert code == 1 and err.count("makes 1 copy, 0 allowed") == 1
        assert "not shown: known" in err
        assert "strict/f.mlir:1:1" in out and "lenient/f.mlir:1" not in out
    (project / "strict" / "bufferize.toml").write_text("[options]\nallow-return-allocs-from-loops = 3\n")
    code, _, err = run(capsysbinary, "explain", "--no-help", "lenient", "strict")
    assert code == 2 and "strict/bufferize.toml:2" in err
