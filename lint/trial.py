"""Trying passes: advice is given only after it was followed on a copy of the program, and the copy was run.

What was made of the copy runs beside the program on the checked heap: functions that are not too large, on a few inputs each. A
pass that changes what they compute, or lets them misuse memory, has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import prod

from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import BufferizeError, Diagnostic

MAX_FUNCTIONS, MAX_OPERATIONS, MAX_ELEMENTS, MAX_STEPS = 20, 500, 1 << 12, 5_000
"""What is run: so many functions, of so many operations, on memory of so many elements, for so many steps. Linting stays quick."""

Runner = Callable[[str, Operation], None]
"""Runs a pipeline on a module, or raises BufferizeError. Passes are above this layer: whoever lints brings them."""


@dataclass(slots=True)
class Trial:
    """What a pipeline made of a copy of a program.

    Attributes:
        module: the copy as the passes left it; None if they failed or there is no such pass.
        copies: what became of each value of the program.
        failure: what was said if they failed.
    """

    module: Operation | None
    copies: dict[Value, Value] = field(default_factory=dict)
    failure: Diagnostic | None = None


class PipelineTrials:
    """Runs pipelines on copies of one program, each at most once."""

    def __init__(self, module: Operation, run: Runner | None):
        self.module = module
        self._run = run
        self._done: dict[tuple[str, str], Trial] = {}

    def run(self, pipeline: str, prepare: Callable[[Operation], None] | None = None, name: str = "") -> Trial:
        """The outcome of `pipeline` on a copy of the program, changed by `prepare` before (called `name`)."""
        key = (pipeline, name)
        if key not in self._done:
            self._done[key] = self._attempt(pipeline, prepare)
        return self._done[key]

    def first_that_removes(
        self, pipelines: tuple[str, ...], present: Callable[[Operation], bool]
    ) -> str | None:
        """The first pipeline after which `present` does not hold any more."""
        for pipeline in pipelines:
            after = self.run(pipeline).module
            if after is not None and not present(after):
                return pipeline
        return None

    def _attempt(self, pipeline: str, prepare: Callable[[Operation], None] | None) -> Trial:
        if self._run is None:
            return Trial(None)
        copies: dict[Value, Value] = {}
        copy = self.module.clone(copies)
        if prepare is not None:
            prepare(copy)
        try:
            self._run(pipeline, copy)
        except BufferizeError as failure:
            return Trial(None, failure=failure.diagnostic)
        wrong = self._wrong_when_run(copy)
        return Trial(copy, copies) if wrong is None else Trial(None, failure=wrong)

    def _wrong_when_run(self, copy: Operation) -> Diagnostic | None:
        """The first thing that goes wrong in the copy and not in the program, when both are run."""
        if find_spec("numpy") is None:
            return None
        from ..interpreter.verify import Options, functions_of, verify_function

        small = [function for function in functions_of(self.module) if _is_small(function)][:MAX_FUNCTIONS]
        there = {function.symbol_name for function in functions_of(copy)}
        for function in small:
            if function.symbol_name in there and function.properties.get("sym_visibility") is None:
                found = verify_function(
                    self.module, copy, function.symbol_name, Options(inputs=2, tries=6, max_steps=MAX_STEPS)
                )
                if found.failed and found.diagnostic is not None:
                    return found.diagnostic
        return None


def _is_small(function: Operation) -> bool:
    for count, op in enumerate(function.walk()):
        if count > MAX_OPERATIONS:
            return False
        for kind in (*op.operand_types, *op.result_types):
            if prod(size or 1 for size in getattr(kind, "shape", ())) > MAX_ELEMENTS:
                return False
    return True


def flags_of(pipeline: str) -> str:
    """A pipeline as flags: `canonicalize,cse{x}` is `-canonicalize -cse=x`."""
    return " ".join(f"-{name.replace('{', '=').rstrip('}')}" for name in pipeline.split(","))
