"""`bufferize-opt --checked`: prove that the result of passes is equivalent to their input.

The result is proved against the input; if that is open, each step is proved against its input, or against the program's. If
the proof of a function remains open after One-Shot, that function is bufferized again with a copy before each write, and
the later steps run again. Refuted and open steps are rejected, with the open question. A final line reports how much was
proved, and at which cost.
"""

from __future__ import annotations

import time

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, PassFailed, error
from ..ir.text.printer import print_module
from ..proof.check import FunctionAnswer, ProofOfProgram, prove_modules
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Pass
from ..transforms.pass_manager import Nest, PassManager

MAX_QUESTIONS = 3
"""Open questions listed per function."""


class CheckedPassManager(PassManager):
    """Runs passes, and proves their result.

    Attributes:
        proved: functions proved.
        again: the functions that were bufferized again, with copies.
        seconds: of the proofs.
    """

    proved = 0
    seconds = 0.0

    def run(self, module: Operation) -> None:
        self.again: list[str] = []
        self.ran: list[tuple[Pass | Nest, tuple[int, ...], Operation]] = []
        before = module.clone()
        super().run(module)
        self._prove_steps(before, module)

    def _run_step(self, step: Pass | Nest, op: Operation, place: tuple[int, ...]) -> None:
        super()._run_step(step, op, place)
        is_sequence = isinstance(step, Nest) and step.anchor in (op.name, "any")
        if op.parent_op is None and not is_sequence:
            self.ran.append((step, place, op.clone()))

    def _prove_steps(self, before: Operation, module: Operation) -> None:
        """Prove the steps that ran since `before`.

        Raises:
            PassFailed: one is not proved.
        """
        ran, self.ran = self.ran, []
        if self.context.diagnostics.has_errors or print_module(before) == print_module(module):
            return
        whole = proof = self._prove(before, module)
        if whole.proved:
            self.proved += len(whole.outcomes)
            return
        start = before
        for i, (step, place, after) in enumerate(ran):
            if print_module(start) == print_module(after):
                continue
            if start is not before or i + 1 < len(ran):
                proof = self._prove(start, after)
                if not proof.proved and start is not before and (later := self._prove(before, after)).proved:
                    proof = later
            names = [answer.function for answer in proof.outcomes if answer.verdict != "proved"]
            careful = _with_copies(step, names) if names and isinstance(step, OneShotBufferize) else None
            if careful is not None:
                self.again += names
                _become(module, start.clone())
                for again, where in [(careful, place), *((step, place) for step, place, _ in ran[i + 1 :])]:
                    self._run_step(again, module, where)
                self._prove_steps(start, module)
                return
            if not proof.proved:
                raise PassFailed(
                    [_refusal(answer, step) for answer in proof.outcomes if answer.verdict != "proved"]
                )
            self.proved += len(proof.outcomes)
            start = after

    def _prove(self, before: Operation, after: Operation) -> ProofOfProgram:
        started = time.perf_counter()
        try:
            return prove_modules(before, after)
        finally:
            self.seconds += time.perf_counter() - started

    def report(self) -> str:
        """How many functions were proved, and the time of the proofs."""
        passes = sum(self.timings.values())
        again = (
            f", {', '.join('@' + name for name in dict.fromkeys(self.again))} with a copy before each write"
            if self.again
            else ""
        )
        return (
            f"checked: the result of {len(self.steps)} step{'s' if len(self.steps) != 1 else ''} is proved "
            f"({self.proved} function{'s' if self.proved != 1 else ''}{again}); proofs took {self.seconds:.2f} s, passes {passes:.2f} s\n"
        )


def _with_copies(step: OneShotBufferize, functions: list[str]) -> OneShotBufferize | None:
    """The pass with copies before all writes of some functions; None if it already has them."""
    known = list(step.no_analysis_func_filter)
    left_out = list(dict.fromkeys([*known, *functions]))
    if step.copy_before_write or left_out == known:
        return None
    careful = type(step)()
    careful.option_values = dict(step.option_values)
    if step.bufferize_function_boundaries:
        careful.option_values["no-analysis-func-filter"] = left_out
    else:
        careful.option_values["copy-before-write"] = True
    return careful


def _become(module: Operation, other: Operation) -> None:
    """Replace the contents of a module by those of another."""
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
        else f"could not prove that {name} preserves @{answer.function}"
    )
    first = answer.questions[0] if answer.questions else None
    found = error(what, None if first is None else first.span)
    for question in answer.questions[:MAX_QUESTIONS]:
        found.attach(f"could not prove that {question.text}", question.span)
    return found
