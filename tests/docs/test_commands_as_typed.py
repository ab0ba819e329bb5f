"""Every command in the handbook runs as it stands there, from the folder of the checkout; and examples of help are well formed."""

import argparse
import importlib.util
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest
from bufferize.cli.arguments import Parser
from bufferize.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
GENERATED = {
    "commands.md": "its examples are those of help, about a program of the reader's; see the test below"
}
NOT_RUN = {
    "bufferize bench": "measures for minutes",
    "bufferize playground -o site": "fetches from the network; see tests/cli/test_playground.py",
    "bufferize explain model.py": "needs JAX; see tests/bridges",
    "bufferize explain resnet.py": "needs torch; see tests/bridges",
    "bufferize explain attention.py": "needs JAX; see tests/bridges",
    "bufferize prove model.mlir --against model.bufferized.mlir": "two programs of the reader's",
}
"""Commands that begin so are not run here, and why."""


def load(name: str) -> ModuleType:
    known = sys.modules.get(f"handbook_{name}")
    if known is None:
        spec = importlib.util.spec_from_file_location(f"handbook_{name}", ROOT / "docs" / f"{name}.py")
        assert spec is not None and spec.loader is not None
        known = sys.modules[f"handbook_{name}"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(known)
    return known


runnable = load("runnable")


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in GENERATED], ids=lambda page: page.name)
def test_commands_run_as_typed(page: Path):
    with runnable.folder() as place:
        for step in runnable.typed(page.read_text(encoding="utf-8")):
            if step.file:
                (place / step.file).parent.mkdir(parents=True, exist_ok=True)
                (place / step.file).write_text(step.text, encoding="utf-8")
            for command in step.commands:
                if not command.line.startswith(tuple(NOT_RUN)):
                    # pictures are described, not laid out: that is Graphviz's work, and takes a while
                    line = command.line.replace(".svg", ".dot") if " graph " in command.line else command.line
                    printed = runnable.run(line)
                    assert "error" not in printed and "[exit code" not in printed, f"{line}\n{printed}"


@pytest.mark.parametrize("name", [c.name for c in COMMANDS.values() if not c.forwards])
def test_examples_of_help_are_well_formed(name: str):
    module = COMMANDS[name].load()
    parser = Parser(name, module.SUMMARY)
    module.configure(parser)
    for line, meaning in module.EXAMPLES:
        words = shlex.split(line.replace("source <(", "").rstrip(")"))
        if words[0] == "bufferize":
            words = words[: next((i for i, word in enumerate(words) if word in ("|", ">")), len(words))]
            assert words[1] == name, line
            assert isinstance(parser.read(words[2:]), argparse.Namespace), line
        assert meaning


def test_the_table_of_exceptions_is_true():
    shown = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert all(line in shown for line in NOT_RUN)
