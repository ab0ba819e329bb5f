"""Trying passes: advice is given only after it was followed on a copy of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import BufferizeError, Diagnostic

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
        return Trial(copy, copies)


def flags_of(pipeline: str) -> str:
    """A pipeline as flags: `canonicalize,cse{x}` is `-canonicalize -cse=x`."""
    return " ".join(f"-{name.replace('{', '=').rstrip('}')}" for name in pipeline.split(","))
