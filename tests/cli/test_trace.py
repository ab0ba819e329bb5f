"""`bufferize-opt --trace`: what each pass cost, one behind the other, and the buffers of the result."""

import json
from pathlib import Path

import pytest
from bufferize.cli.opt import main

ROOT = Path(__file__).parents[2]
PASSES = ["-one-shot-bufferize=bufferize-function-boundaries", "-buffer-deallocation-pipeline"]


@pytest.mark.parametrize(("passes", "buffers"), [(PASSES, 1), (["-cse"], 0)], ids=["buffers", "tensors"])
def test_passes_and_buffers_over_time(
    passes: list[str], buffers: int, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    trace = tmp_path / "trace.json"
    assert main([str(ROOT / "examples" / "cell.mlir"), *passes, "--trace", str(trace)]) == 0
    assert b"func.func @swap_cell" in capsysbinary.readouterr().out
    events = json.loads(trace.read_bytes())["traceEvents"]
    steps = [event for event in events if event.get("cat") == "pass"]
    names = [event["name"] for event in steps]
    assert names[0] == "(parse)" and any(passes[0].partition("=")[0][1:] in name for name in names)
    assert all(abs(a["ts"] + a["dur"] - b["ts"]) < 1 for a, b in zip(steps, steps[1:], strict=False))
    assert len([event for event in events if event.get("cat") == "buffer"]) == buffers
    assert {event["pid"] for event in steps}.isdisjoint(
        {e["pid"] for e in events if e.get("cat") == "buffer"}
    )
