"""What counts as finished where commands are timed: a time until an error says nothing about the work."""

from __future__ import annotations

import pytest
from bufferize.benchmarks import cliffs
from bufferize.benchmarks.peers import ONE_SHOT


@pytest.mark.parametrize(
    ("name", "code", "finished"),
    [
        ("lint", 0, True),
        ("lint", 1, True),
        ("lint", 2, False),
        ("-cse", 0, True),
        ("-cse", 1, False),
        (ONE_SHOT, 1, False),
        ("explain", -2, False),
    ],
)
def test_exit_code_1_is_a_finding_of_commands_and_an_error_of_passes(
    name: str, code: int, finished: bool
) -> None:
    assert cliffs.is_finished(name, code) is finished


def test_program_that_passes_refuse_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cliffs.FAMILIES, "refused", lambda size: 'func.func @f() { "no' + "\n")
    (cost,) = cliffs.measure_cliffs(["refused"], [1], ["-cse"], 60)
    assert cost.seconds is None
    assert cost.note == "One-Shot: exit code 1"
