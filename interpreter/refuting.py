"""Inputs that refute: runs of functions that could not be proved, each error with the input that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..ir.program.core import Operation
from .show import input_text
from .verify import FunctionReport, Options, verify_module

REFUTING: Final = 12
"""Inputs tried for each function that is not proved."""


def refuting_runs(
    before: Operation, after: Operation, *, leaks: bool, excused: bool, seed: int = 0
) -> Callable[[str], list[FunctionReport]]:
    """What `proof.refute` asks of a function: whether it does the same on a few inputs, on the checked heap."""
    options = Options(seed=seed, inputs=REFUTING, tries=6 * REFUTING, leaks=leaks, excused=excused)

    def run(name: str) -> list[FunctionReport]:
        found = verify_module(before, after, options, [name])
        for finding in found:
            name_input(finding)
        return found

    return run


def name_input(finding: FunctionReport) -> None:
    """Note in the error which input shows it."""
    if finding.diagnostic is not None and finding.input is not None:
        text = input_text(finding.values or (), finding.types, finding.input.aliased)
        finding.diagnostic.note(f"'{finding.function}' shows this on {text}")
