"""Completion scripts, tried in the shells they are for where these are installed."""

import shutil
import subprocess
from functools import cache

import pytest
import shtab
from bufferize.cli.commands import COMMANDS
from bufferize.cli.completion_command import SHELLS, bufferize_parser, opt_parser
from bufferize.cli.main import main

needs = {
    shell: pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")
    for shell in ("bash", "zsh", "fish")
}


@cache
def script(shell: str, *, is_opt: bool = False) -> str:
    return shtab.complete(opt_parser("bufferize-opt") if is_opt else bufferize_parser(), shell)


def bash_completes(*words: str, is_opt: bool = False) -> list[str]:
    """What bash offers when the last word is being typed."""
    typed = " ".join(f"'{word}'" for word in words)
    function = "_shtab_bufferize_opt" if is_opt else "_shtab_bufferize"
    program = f"""{script("bash", is_opt=is_opt)}
COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}
{function} '{words[0]}' '{words[-1]}' '{words[-2]}'
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


@needs["bash"]
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["bufferize", "gr"], ["graph"]),
        (["bufferize", "graph", "--ki"], ["--kind"]),
        (
            ["bufferize", "graph", "--kind", ""],
            ["alias", "cfg", "conflicts", "liveness", "ownership", "regions"],
        ),
        (["bufferize", "completion", ""], list(SHELLS)),
    ],
)
def test_bash_offers_what_fits(words, offered):
    assert bash_completes(*words) == offered


@needs["bash"]
def test_bash_offers_every_command():
    assert {*COMMANDS, "help"} <= set(bash_completes("bufferize", ""))


@needs["bash"]
def test_bash_completes_bufferize_opt():
    assert {"--cse", "--canonicalize"} <= set(bash_completes("bufferize-opt", "--c", is_opt=True))
    assert "-cse" in bash_completes("bufferize-opt", "-cs", is_opt=True)


@needs["bash"]
def test_bash_offers_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cell.mlir").write_text("")
    assert bash_completes("bufferize", "explain", "ce") == ["cell.mlir"]


@needs["zsh"]
def test_zsh_reads_its_script(tmp_path):
    file = tmp_path / "_bufferize"
    file.write_text(script("zsh"))
    subprocess.run(["zsh", "-n", str(file)], check=True)


@needs["fish"]
@pytest.mark.parametrize(
    ("typed", "offered"), [("bufferize gr", "graph"), ("bufferize graph --kind c", "cfg")]
)
def test_fish_offers_what_fits(tmp_path, typed, offered):
    file = tmp_path / "bufferize.fish"
    file.write_text(script("fish"))
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {file}; complete -C '{typed}'"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert offered in [line.partition("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("program", ["bufferize", "bufferize-opt"])
def test_the_command_prints_the_script_of_a_program(program, capsys):
    assert main(["completion", "bash", program]) == 0
    said = capsys.readouterr().out
    assert said.endswith(f"_shtab_{program.replace('-', '_')} {program}\n")
