"""The command `bufferize`: finding subcommands, help, and what is said when the command line is not understood."""

import subprocess
import sys
from pathlib import Path

import pytest
from bufferize import __version__
from bufferize.cli.commands import COMMANDS
from bufferize.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(capsys, flag):
    assert run(capsys, flag) == (0, f"bufferize {__version__}\n", "")


@pytest.mark.parametrize("flag", ["--help", "-h", "help"])
def test_help_lists_all_commands_and_examples(capsys, flag):
    code, out, err = run(capsys, flag)
    assert (code, err) == (0, "")
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert "examples:\n  bufferize explain" in out


def test_no_command_shows_help_and_fails(capsys):
    code, out, err = run(capsys)
    assert (code, out) == (2, "")
    assert err.startswith("Bufferization for MLIR")


def test_the_package_runs_as_the_command_does(capsys):
    ran = subprocess.run([sys.executable, "-m", "bufferize", "--version"], capture_output=True, text=True)
    main(["--version"])
    assert (ran.returncode, ran.stdout) == (0, capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples(capsys, name):
    code, out, err = run(capsys, name, "--help")
    assert (code, err) == (0, "")
    assert "xamples:" in out
    if not COMMANDS[name].forwards:
        assert run(capsys, "help", name)[1] == out
        assert all(
            line.startswith(f"usage: bufferize {name}")
            for line in out.splitlines()
            if line.startswith("usage")
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grph"], "unknown command 'grph' (did you mean 'graph'?). Try: 'bufferize --help'"),
        (["qqq"], "unknown command 'qqq'. Try: 'bufferize --help'"),
        (["--kind", "cfg"], "unknown flag '--kind'; flags follow the command. Try: 'bufferize --help'"),
        (["graph"], "the following arguments are required: FILE. Try: 'bufferize graph --help'"),
        (
            ["graph", "x", "--knd"],
            "unknown flag '--knd' (did you mean '--kind'?). Try: 'bufferize graph --help'",
        ),
        (["graph", "--qqq=1"], "unknown flag '--qqq'. Try: 'bufferize graph --help'"),
        (["run", "x", "y"], "too many arguments: 'y' is not expected. Try: 'bufferize run --help'"),
        (
            ["graph", "x", "--kind=cgf"],
            "argument --kind: there is no 'cgf' (did you mean 'cfg'?). Try: 'bufferize graph --help'",
        ),
        (["graph", "x", "--kind"], "argument --kind: expected one argument. Try: 'bufferize graph --help'"),
        (
            ["completion", "rc"],
            "argument SHELL: there is no 'rc': choose from bash, zsh, fish, tcsh, powershell",
        ),
    ],
)
def test_what_is_not_understood_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"bufferize: error: {message}")
    assert err.count("\n") == 1


def test_a_file_instead_of_a_command_is_recognised(capsys, tmp_path):
    file = tmp_path / "cell.mlir"
    file.write_text("")
    assert f"as in 'bufferize explain {file}'" in run(capsys, str(file))[2]


def test_opt_is_bufferize_opt(capsys, tmp_path):
    file = tmp_path / "cell.mlir"
    file.write_text("func.func private @f()\n")
    assert run(capsys, "opt", str(file)) == (0, "module {\n  func.func private @f()\n}\n\n", "")


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


HEAVY = {"numpy", "networkx", "pydot", "rich", "lark", "asyncio"}


def test_version_imports_next_to_nothing():
    loaded = modules_after("from bufferize.cli.main import main; main(['--version'])")
    assert not loaded & (HEAVY | {"argparse"})
    assert not {name for name in loaded if name.startswith("bufferize.")} - {
        "bufferize.cli", "bufferize.cli.main", "bufferize.cli.commands", "bufferize.cli.crash",
    }  # fmt: skip


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if not command.forwards])
def test_help_of_a_command_imports_nothing_heavy(name):
    assert not modules_after(f"from bufferize.cli.main import main; main(['{name}', '--help'])") & HEAVY


def test_explain_imports_no_code_generator_and_no_planner(tmp_path):
    file = tmp_path / "cell.mlir"
    file.write_text((ROOT / "examples" / "cell.mlir").read_text())
    code = f"from bufferize.cli.main import main; main(['explain', {str(file)!r}, '--no-cache'])"
    assert not modules_after(code) & {
        "inspect",
        "dataclasses",
        "bufferize.analysis.memory_plan.planner",
        *HEAVY,
    }


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from bufferize.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def without_numpy(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY, *words], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", [["run", "P"], ["verify", "P"], ["fuzz"], ["explain", "P", "--measure"]])
def test_what_runs_programs_names_the_extra_it_needs(words, tmp_path):
    path = tmp_path / "p.mlir"
    path.write_text("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}\n")
    done = without_numpy(*(str(path) if word == "P" else word for word in words))
    assert done.returncode == 2
    assert (
        done.stderr
        == "bufferize: error: this needs numpy, which is not installed: pip install 'bufferize[run]'\n"
    )


ROOT = Path(__file__).parents[2]
ONE_SHOT = "-one-shot-bufferize=bufferize-function-boundaries"


@pytest.mark.parametrize("name", ["cell", "ownership"])
def test_what_does_not_run_programs_needs_no_extra(name):
    """One process runs all commands: most of the time of each is the start of Python."""
    commands = [["explain"], ["graph"], ["fix"], ["memory"], ["compare"], ["prove", ONE_SHOT], ["lint"]]
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from bufferize.cli.main import main\n"
        f"sys.exit(any(main([*words, sys.argv[1]]) not in (0, 1) for words in {commands}))"
    )
    program = str(ROOT / "examples" / f"{name}.mlir")
    done = subprocess.run([sys.executable, "-c", code, program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "numpy" not in done.stderr, done.stderr
