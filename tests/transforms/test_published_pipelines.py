"""`s/mlir-opt/bufferize-opt/` in the pipelines of docs/drop_in.md gives the same text, up to loops over memrefs.

Programs are the examples, and a sample of those that other tests bufferize. Where mlir-opt refuses a program, so do we;
where it loses data (docs/differences.md) we give its text under `--compat=mlir-22`.
"""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize.cli.opt import main

ROOT = Path(__file__).parents[2]
PIPELINES = re.findall(
    r"^```pipeline\n(.*)\n```", (ROOT / "docs/drop_in.md").read_text(encoding="utf-8"), re.M
)
SAMPLE = 20


def programs() -> list[str]:
    """The examples, then a sample of the programs of test_programs.py and of the recorded passes."""
    recorded = [
        part.partition("\n")[2] if part.startswith("//") else part
        for path in (
            ROOT / "tests/transforms/bufferize/programs.mlir",
            *sorted((ROOT / "tests/transforms/data").glob("*.mlir")),
        )
        for part in (
            text.split("// =>\n")[0] for text in path.read_text(encoding="utf-8").split("// -----\n")
        )
        if "tensor<" in part
    ]
    examples = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.mlir"))]
    return examples + random.Random(22).sample(recorded, SAMPLE)


OWN_FAILURE = "type mismatch for bb argument"
"""What mlir-opt says of its own output where both successors of a branch are one block: it converts the operands for the first only."""


ATTEMPTS = 12
"""With `copy-before-write`, mlir-opt treats one class as another where a function calls another: two of three runs crash or hang."""
NO_ANSWER = "no answer"


def theirs(path: Path, pipeline: str) -> tuple[int, str]:
    """The exit code and the text of the first run that neither crashes nor hangs."""
    command = ["mlir-opt-22", "--allow-unregistered-dialect", str(path), f"--pass-pipeline={pipeline}"]
    for _ in range(ATTEMPTS):
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
        except subprocess.TimeoutExpired:
            continue
        if answer.returncode >= 0:
            return answer.returncode, OWN_FAILURE if OWN_FAILURE in answer.stderr else answer.stdout
    return -1, NO_ANSWER


@pytest.mark.mlir
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("pipeline", PIPELINES, ids=["torch-mlir", "iree", "heir", "catalyst", "lighthouse"])
def test_a_published_pipeline_gives_the_same_text(pipeline, tmp_path, capsys):
    path = tmp_path / "program.mlir"
    done = 0
    for program in programs():
        path.write_text(program, encoding="utf-8")
        code, text = theirs(path, pipeline)
        ours = main(["--allow-unregistered-dialect", str(path), f"--pass-pipeline={pipeline}"])
        printed = capsys.readouterr().out
        if text in (OWN_FAILURE, NO_ANSWER):
            continue
        assert bool(ours) == bool(code), program
        if code:
            continue
        done += 1
        if printed == text or any(theirs(path, pipeline)[1] == printed for _ in range(5)):
            continue
        main(["--allow-unregistered-dialect", "--compat=mlir-22", str(path), f"--pass-pipeline={pipeline}"])
        assert capsys.readouterr().out == text, program
    assert done >= SAMPLE
