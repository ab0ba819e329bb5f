"""Trying passes and edits: advice is given only after it was applied to a copy of the program that was then run.

The copy and the program run side by side on the checked heap: functions of limited size, on a few inputs each. A pass
that changes their results, or makes them misuse memory, has failed. An edit must also leave one finding less, and no new
one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from math import prod

from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import BufferizeError, Diagnostic
from ..ir.verifier import verify

MAX_FUNCTIONS, MAX_OPERATIONS, MAX_ELEMENTS, MAX_STEPS = 20, 500, 1 << 12, 5_000
"""Bounds on the functions run, their operations, the elements in memory, and steps, to keep linting fast."""

Runner = Callable[[str, Operation], None]
"""Runs a pipeline on a module, or raises BufferizeError. Passed in, since passes are in a higher layer."""


@dataclass(slots=True)
class Trial:
    """The result of a pipeline on a copy of a program.

    Attributes:
        module: the copy after the passes; None if they failed or a pass is unknown.
        copies: the counterpart of each value of the program.
        failure: the diagnostic if they failed.
    """

    module: Operation | None
    copies: dict[Value, Value] = field(default_factory=dict)
    failure: Diagnostic | None = None


Problems = Callable[[Operation], Counter[tuple[str, object]]]
"""The warnings and errors of a program, by id and buffer, found without trials. Passed in for the same reason."""


class Copied:
    """A copy of a program on which an edit is tried: maps operations and values to their counterparts."""

    def __init__(self, module: Operation) -> None:
        self._values: dict[Value, Value] = {}
        self.module = module.clone(self._values)
        self._operations = dict(zip(module.walk(), self.module.walk(), strict=True))

    def op(self, op: Operation) -> Operation:
        return self._operations[op]

    def value(self, value: Value) -> Value:
        return self._values[value]


Change = tuple[str, Callable[[Copied], object]]
"""Advice in words, and the edit that follows it on a copy."""


class PipelineTrials:
    """Runs pipelines and edits on copies of one program; pipelines at most once each."""

    def __init__(self, module: Operation, run: Runner | None, problems: Problems | None = None):
        self.module = module
        self._run = run
        self._problems = problems
        self._done: dict[tuple[str, str], Trial] = {}

    def after(self, pipeline: str) -> Change:
        """The advice to run a pipeline."""

        def edit(copy: Copied) -> None:
            if self._run is None:
                raise LookupError(pipeline)
            self._run(pipeline, copy.module)

        return f"run {flags_of(pipeline)}", edit

    @cached_property
    def _before(self) -> Counter[tuple[str, object]]:
        assert self._problems is not None
        return self._problems(self.module)

    def advise(self, diagnostic: Diagnostic, *changes: Change) -> None:
        """Add the first change that solves the problem to a finding, if one does.

        It does if the edited program is valid, has no problem that was not there and one less, and misuses no memory
        when it is run.
        """
        if self._problems is None:
            return
        for words, edit in changes:
            copy = Copied(self.module)
            try:
                edit(copy)
                verify(copy.module, allow_unregistered=True)
            except (BufferizeError, LookupError):
                continue
            after = self._problems(copy.module)
            if (
                not after - self._before
                and self._before - after
                and self._wrong_when_run(copy.module) is None
            ):
                diagnostic.help(f"{words} (tried)")
                return

    def run(self, pipeline: str, prepare: Callable[[Operation], None] | None = None, name: str = "") -> Trial:
        """The result of `pipeline` on a copy of the program, first modified by `prepare` (identified by `name`)."""
        key = (pipeline, name)
        if key not in self._done:
            self._done[key] = self._attempt(pipeline, prepare)
        return self._done[key]

    def first_that_removes(
        self, pipelines: tuple[str, ...], present: Callable[[Operation], bool]
    ) -> str | None:
        """The first pipeline after which `present` no longer holds."""
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
        """The first error of the copy that the program does not have when both run."""
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
    """A pipeline as flags: `canonicalize,cse{x}` becomes `-canonicalize -cse=x`."""
    return " ".join(f"-{name.replace('{', '=').rstrip('}')}" for name in pipeline.split(","))
