"""xDSL and this package: programs go there and back, passes run in xDSL's own driver, and the page about it runs."""

import re
import subprocess
import sys
from pathlib import Path

import bufferize
import pytest

pytest.importorskip("xdsl", reason="xDSL is not installed")
from bufferize.bridges import xdsl as bridge
from xdsl.context import Context
from xdsl.utils.exceptions import DiagnosticException

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples").glob("*.mlir"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_programs_go_there_and_back(path: Path):
    module = bufferize.parse(path.read_text(encoding="utf-8"))
    there = bridge.to_xdsl(module, Context())
    assert str(bridge.from_xdsl(there)) == str(module)
    assert str(module) == str(bufferize.parse(path.read_text(encoding="utf-8")))


def test_every_pass_becomes_one_of_xdsl_with_its_options():
    from bufferize.transforms.pass_base import find_pass

    for name, load in bridge.UNIVERSE.all_passes.items():
        made = load()
        original = find_pass(name.removeprefix("bufferize-"))
        assert made.name == name and original is not None
        assert set(made.__dataclass_fields__) - {"name"} == {
            o.name for o in original.declared_options().values()
        }, name


def test_what_a_pass_refuses_is_said_and_changes_nothing():
    module = bridge.to_xdsl(
        bufferize.parse(
            "func.func private @f(tensor<4xf32>) -> tensor<4xf32>\n"
            "func.func @g(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
            '  %0 = "x.y"(%t) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}',
            allow_unregistered=True,
        )
    )
    before = str(module)
    with pytest.raises(DiagnosticException, match="was not bufferized"):
        bridge.bridged("one-shot-bufferize")(bufferize_function_boundaries=True).apply(Context(), module)
    assert str(module) == before


def test_xdsl_opt_finds_the_passes(tmp_path: Path):
    """By the entry point: where it is not installed yet, by what it names."""
    program = (
        "from xdsl.universe import Universe\n"
        "from xdsl.xdsl_opt_main import xDSLOptMain\n"
        "from bufferize.bridges.xdsl import UNIVERSE\n"
        "class Main(xDSLOptMain):\n"
        "    def register_all_passes(self):\n"
        "        super().register_all_passes()\n"
        "        for name, load in UNIVERSE.all_passes.items():\n"
        "            self.available_passes.setdefault(name, load)\n"
        "Main().run()\n"
    )
    passes = "bufferize-one-shot-bufferize{bufferize-function-boundaries=true},canonicalize"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            "--allow-unregistered-dialect",
            "-p",
            passes,
            str(ROOT / "examples" / "cell.mlir"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "memref.store" in done.stdout and "memref.copy" in done.stdout


def test_the_page_runs():
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs" / "xdsl.md").read_text(encoding="utf-8"), re.M | re.S
    )
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "xdsl.md", "exec"), names)
