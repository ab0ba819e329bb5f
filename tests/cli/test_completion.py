"""Completion scripts, tried in the shells they are for where these are installed."""

import shutil
import subprocess

import pytest
from bufferize.cli.commands import COMMANDS
from bufferize.cli.completion_command import (
    CommandWords,
    Flag,
    bash_script,
    command_flags,
    fish_script,
    opt_flags,
    zsh_script,
)

needs = {
    shell: pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")
    for shell in ("bash", "zsh", "fish")
}

COMMAND_WORDS = [
    CommandWords(
        "graph",
        "it's a picture: [of] \\ all",
        (
            Flag((), "the program"),
            Flag(("--kind",), "which: [one] of 'these'", True, ("cfg", "alias")),
            Flag(("--output", "-o"), "where to", True),
            Flag(("--short",), "short"),
        ),
    ),
    CommandWords("completion", "a script", (Flag((), "shell", True, ("bash", "zsh", "fish")),)),
]


def bash_completes(script: str, *words: str) -> list[str]:
    """What bash offers when the last word is being typed."""
    typed = " ".join(f"'{word}'" for word in words)
    program = f"""{script}
COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}
_bufferize
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.split()


@needs["bash"]
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["bufferize", "gr"], ["graph"]),
        (["bufferize", "help", "co"], ["completion"]),
        (["bufferize", "graph", "--"], ["--kind", "--output", "--short"]),
        (["bufferize", "graph", "--kind", ""], ["cfg", "alias"]),
        (["bufferize", "graph", "--kind", "=", "c"], ["cfg"]),
        (["bufferize", "graph", "--kind", "="], ["cfg", "alias"]),
        (["bufferize", "graph", "file"], []),
        (["bufferize", "graph", "-o", "x"], []),
        (["bufferize", "completion", ""], ["bash", "zsh", "fish"]),
        (["bufferize", "nothing", "x"], []),
    ],
)
def test_bash_offers_what_fits(words, offered):
    assert bash_completes(bash_script(COMMAND_WORDS), *words) == offered


@needs["bash"]
def test_bash_offers_every_flag_of_every_command():
    words = command_flags()
    script = bash_script(words)
    assert [command.name for command in words] == list(COMMANDS)
    assert set(bash_completes(script, "bufferize", "")) == {*COMMANDS, "help", "--help", "--version"}
    for command in words:
        flags = {spelling for flag in command.flags for spelling in flag.spellings}
        assert set(bash_completes(script, "bufferize", command.name, "-")) == flags
        assert "--help" in flags


@needs["zsh"]
def test_zsh_reads_its_script(tmp_path):
    file = tmp_path / "_bufferize"
    file.write_text(zsh_script(command_flags(), opt_flags()) + zsh_script(COMMAND_WORDS))
    subprocess.run(["zsh", "-n", str(file)], check=True)


@needs["fish"]
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("bufferize gr", ["graph"]),
        ("bufferize graph --kind ", ["alias", "cfg"]),
        ("bufferize graph --sh", ["--short"]),
        ("bufferize completion z", ["zsh"]),
    ],
)
def test_fish_offers_what_fits(tmp_path, typed, offered):
    file = tmp_path / "bufferize.fish"
    file.write_text(fish_script(COMMAND_WORDS))
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {file}; complete -C '{typed}'"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == offered


def test_scripts_quote_what_shells_would_read():
    assert "'graph:it'\\''s a picture: [of] \\ all'" in zsh_script(COMMAND_WORDS)
    assert "\\[one\\]" in zsh_script(COMMAND_WORDS)
    assert "-d 'it\\'s a picture: [of] \\\\ all'" in fish_script(COMMAND_WORDS)


@needs["bash"]
def test_bash_completes_bufferize_opt():
    script = bash_script(COMMAND_WORDS, (Flag(("--cse",), "once"), Flag(("-o",), "where to", True)))
    script = script.replace("\n_bufferize\n", "\n")

    def offers(word: str) -> list[str]:
        typed = f"{script}\nCOMP_WORDS=(bufferize-opt '{word}'); COMP_CWORD=1\n_bufferize_opt\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
        return subprocess.run(
            ["bash", "--norc", "-c", typed], capture_output=True, text=True, check=True
        ).stdout.split()

    assert offers("--c") == ["--cse"]
    assert offers("-") == ["-o", "-cse"]
    assert offers("file") == []
