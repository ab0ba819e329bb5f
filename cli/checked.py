"""`bufferize-opt --checked`: the output of each pass is proved to do what its input does.

Where the proof of a function stays open after One-Shot, that function is bufferized again with a copy before each write, and proved
again. What is refuted, and what is open still, is refused, with the question. In the end a line says how much was proved, and
what that cost.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, PassFailed, error
from ..ir.text.printer import print_module
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Pass
from ..transforms.pass_manager import Nest, PassManager

if TYPE_CHECKING:
    from ..proof.check import FunctionAnswer, ProofOfProgram

MAX_QUESTIONS = 3
"""Questions named for one function."""


class CheckedPassManager(PassManager):
    """Runs passes, and proves each of them on this program.

    Attributes:
        proved: functions proved, added up over passes that changed something.
        again: the functions that were bufferized again, with copies.
        seconds: of the proofs.
    """

    proved = 0
    seconds = 0.0

    def run(self, module: Operation) -> None:
        self.again: list[str] = []
        super().run(module)

    def _run_step(self, step: Pass | Nest, op: Operation, place: tuple[int, ...]) -> None:
        if op.parent_op is not None or (isinstance(step, Nest) and step.anchor in (op.name, "any")):
            super()._run_step(
                step, op, place
            )  # part of a step that is proved as a whole, or several such steps
            return
        before = op.clone()
        super()._run_step(step, op, place)
        if self.context.diagnostics.has_errors or print_module(before) == print_module(op):
            return
        proof = self._prove(before, op)
        if not proof.proved and isinstance(step, OneShotBufferize):
            careful = _with_copies(
                step, [answer.function for answer in proof.outcomes if answer.verdict != "proved"]
            )
            if careful is not None:
                self.again += [answer.function for answer in proof.outcomes if answer.verdict != "proved"]
                _become(op, before.clone())
                super()._run_step(careful, op, place)
                proof = self._prove(before, op)
        if not proof.proved:
            raise PassFailed(
                [_refusal(answer, step) for answer in proof.outcomes if answer.verdict != "proved"]
            )
        self.proved += len(proof.outcomes)

    def _prove(self, before: Operation, after: Operation) -> ProofOfProgram:
        from ..proof.check import prove_modules

        started = time.perf_counter()
        try:
            return prove_modules(before, after)
        finally:
            self.seconds += time.perf_counter() - started

    def report(self) -> str:
        """What was proved, and what it cost."""
        passes = sum(self.timings.values())
        again = (
            f", {', '.join('@' + name for name in dict.fromkeys(self.again))} with a copy before each write"
            if self.again
            else ""
        )
        return (
            f"checked: each change of {len(self.steps)} step{'s' if len(self.steps) != 1 else ''} is proved "
            f"({self.proved} function{'s' if self.proved != 1 else ''}{again}); proofs took {self.seconds:.2f} s, passes {passes:.2f} s\n"
        )


def _with_copies(step: OneShotBufferize, functions: list[str]) -> OneShotBufferize | None:
    """The pass with copies before the writes of some functions; None if it makes them already."""
    if step.copy_before_write:
        return None
    options = dict(step.option_values)
    if step.bufferize_function_boundaries:
        left_out = [*step.no_analysis_func_filter, *functions]
        options["no-analysis-func-filter"] = list(dict.fromkeys(left_out))
    else:
        options["copy-before-write"] = True
    careful = type(step)()
    careful.option_values = options
    return careful


def _become(module: Operation, other: Operation) -> None:
    """Make a module what another one is."""
    for region, new in zip(module.regions, other.regions, strict=True):
        for block in reversed(region.blocks):
            block.erase()
        region.take_blocks(new)
    module.attributes, module.properties = other.attributes, other.properties


def _refusal(answer: FunctionAnswer, step: Pass | Nest) -> Diagnostic:
    name = f"-{step.name}" if isinstance(step, Pass) else f"passes on {step.anchor}"
    what = (
        f"{name} changes what @{answer.function} does"
        if answer.verdict == "refuted"
        else f"could not prove that @{answer.function} does after {name} what it did before"
    )
    first = answer.questions[0] if answer.questions else None
    found = error(what, None if first is None else first.span)
    for question in answer.questions[:MAX_QUESTIONS]:
        found.attach(f"could not prove that {question.text}", question.span)
    return found
