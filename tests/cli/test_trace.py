"""`bufferize-opt --trace`: what each pass cost, one behind the other, and the buffers of the result."""

import itertools
import json
from pathlib import Path

import pytest
from bufferize.cli.opt import main

ROOT = Path(__file__).parents[2]
PROGRAMS = [
    ("examples/cell.mlir", "-one-shot-bufferize=bufferize-function-boundaries", False),
    ("docs/programs/blur.mlir", "-cse", True),
]


@pytest.mark.parametrize(("program", "step", "has_buffers"), PROGRAMS)
def test_passes_and_buffers_over_time(
    program: str, step: str, has_buffers: bool, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    trace = tmp_path / "trace.json"
    assert main([str(ROOT / program), step, "--trace", str(trace)]) == 0
    assert b"func.func @" in capsysbinary.readouterr().out
    events = json.loads(trace.read_bytes())["traceEvents"]
    steps = [event for event in events if event.get("cat") == "pass"]
    names = [event["name"] for event in steps]
    assert names[0] == "(parse)" and any(step.partition("=")[0][1:] in name for name in names)
    assert all(abs(a["ts"] + a["dur"] - b["ts"]) < 1 for a, b in itertools.pairwise(steps))
    assert any(event.get("cat") == "buffer" for event in events) is has_buffers
    assert {event["pid"] for event in steps}.isdisjoint(
        {e["pid"] for e in events if e.get("cat") == "buffer"}
    )
