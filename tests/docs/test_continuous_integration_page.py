"""The action, the hooks and the workflow that the handbook shows: what they run is there, and does what the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "continuous_integration.md").read_text(encoding="utf-8")


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def on_page(name: str) -> Any:
    found = re.search(rf"<!-- file: {re.escape(name)} -->\n```yaml\n(.*?)^```", PAGE, re.M | re.S)
    assert found is not None
    return yaml.safe_load(found[1])


def test_the_page_uses_what_there_is():
    steps = on_page(".github/workflows/copies.yml")["jobs"]["copies"]["steps"]
    (action,) = [step for step in steps if "OWNER/bufferize" in step.get("uses", "")]
    assert action["with"].keys() <= read("action.yml")["inputs"].keys()
    (repository,) = on_page(".pre-commit-config.yaml")["repos"]
    hooks = {hook["id"]: hook for hook in read(".pre-commit-hooks.yaml")}
    assert {hook["id"] for hook in repository["hooks"]} == hooks.keys()


def _folder_with_commands(folder: Path) -> Path:
    """A folder for PATH with `bufferize` in it, run by this Python."""
    folder.mkdir()
    script = folder / "bufferize"
    script.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c "from bufferize.cli.main import main; raise SystemExit(main())" "$@"\n'
    )
    script.chmod(0o755)
    return folder


@pytest.mark.skipif(
    os.name != "posix" or shutil.which("bash") is None, reason="the action's step is a bash script"
)
def test_a_copy_added_fails_the_action_and_its_inputs_are_data(tmp_path: Path):
    commands = _folder_with_commands(tmp_path / "bin")
    (step,) = [step for step in read("action.yml")["runs"]["steps"] if step.get("name") == "Explain"]
    assert "${{" not in step["run"]  # what others wrote is no part of the script
    program = tmp_path / "cell.mlir"
    text = (ROOT / "examples" / "cell.mlir").read_text(encoding="utf-8")

    def act(arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PATH": f"{commands}:{os.environ['PATH']}",
            "FILES": "cell.mlir",
            "ARGUMENTS": arguments,
        }
        return subprocess.run(
            ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    program.write_text(text.replace("extract %t", "extract %new"), encoding="utf-8")
    assert act("--baseline known.json --write-baseline").returncode == 0
    assert act("--baseline known.json; touch oops").returncode != 0 and not (tmp_path / "oops").exists()
    program.write_text(text, encoding="utf-8")
    done = act("--baseline known.json")
    assert done.returncode == 1 and done.stdout.startswith("::notice file=cell.mlir,line=3")


@pytest.mark.skipif(
    os.name != "posix" or shutil.which("bash") is None or shutil.which("git") is None,
    reason="the action's step is a bash script, and compares revisions",
)
def test_what_copies_more_than_a_revision_fails_the_action(tmp_path: Path):
    commands = _folder_with_commands(tmp_path / "bin")
    (step,) = [step for step in read("action.yml")["runs"]["steps"] if step.get("name") == "Compare"]
    assert "${{" not in step["run"]
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    text = (ROOT / "examples" / "cell.mlir").read_text(encoding="utf-8")
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q"], cwd=checkout, check=True)
    for said in (text.replace("extract %t", "extract %new"), text):
        (checkout / "cell.mlir").write_text(said, encoding="utf-8")
        subprocess.run(["git", "add", "."], cwd=checkout, check=True)
        subprocess.run(["git", *author, "commit", "-q", "-m", "a program"], cwd=checkout, check=True)

    def act(revision: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PATH": f"{commands}:{os.environ['PATH']}",
            "REVISION": revision,
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        }
        words = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]  # as GitHub runs bash
        return subprocess.run(words, cwd=checkout, env=environment, capture_output=True, text=True)

    assert act("HEAD").returncode == 0
    done = act("HEAD~1")
    assert (
        done.returncode == 1 and "| worse | cell.mlir @swap_cell |" in (tmp_path / "summary.md").read_text()
    )
    assert act("HEAD; touch oops").returncode == 2 and not (checkout / "oops").exists()
