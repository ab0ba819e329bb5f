"""Pass pipelines: parsing, running, verification, timing, statistics.

Two notations are supported, both `mlir-opt`'s: a flag for each pass (`-buffer-hoisting -cse`) and one text that
nests passes under the operations they run on (`builtin.module(func.func(buffer-hoisting),cse)`). A function pass
that is not nested explicitly runs on each function of the module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..ir.program.core import Operation
from ..ir.source import lalr
from ..ir.source.diagnostics import BufferizeError, ParseError, PassFailed
from ..ir.source.locations import Source, Span
from ..ir.source.reading import collection_paused
from ..ir.source.records import field, record
from ..ir.source.text import lazy_pattern
from ..ir.verifier import verify
from .catalog import find_pass
from .pass_base import Context, Pass, retired_pass

_OPTION = lazy_pattern(r"\s*([^\s={}]+)(?:=((?:\{(?:[^{}]|\{[^{}]*\})*\})|(?:[^\s{}]|\{[^{}]*\})*))?\s*")


@record()
class Nest:
    """Passes to run on each operation of one kind directly inside the current one."""

    anchor: str
    steps: list[Pass | Nest] = field(default_factory=list)


def make_pass(name: str, options: str = "") -> Pass:
    """The pass of that name with options as text: `"opt=x flag list=a,b"`.

    Raises:
        PassFailed: an unknown pass or option.
    """
    cls = find_pass(name)
    if cls is None:
        gone = retired_pass(name)
        raise PassFailed(gone or f"'{name}' does not refer to a registered pass or pass pipeline")
    made = cls()
    position = 0
    while position < len(options):
        match = _OPTION.match(options, position)
        if match is None or match.end() == position:
            raise PassFailed(f"<Pass-Options-Parser>: cannot read options '{options}'")
        made.set_option(match.group(1), match.group(2) or "")
        position = match.end()
    return made


@cache
def _grammar() -> lalr.TableParser:
    return lalr.TableParser(lalr.load(__package__ or "", "pipeline"))


def parse_pipeline(text: str) -> Nest:
    """Parse a pipeline; the outermost anchor is the operation it runs on.

    Raises:
        ParseError: a syntax error; points to the offending character.
        PassFailed: an unknown pass or option.
    """
    source = Source("<pass-pipeline>", text)
    try:
        tree = _grammar().parse_text(text)
    except lalr.UnexpectedTokenError as failure:
        at = failure.token.start_pos
        raise ParseError(
            "expected ',' or ')' after a pass, and a name before it, in the pass pipeline",
            Span(source, at, at + 1),
        ) from None
    outermost = tree.children[0].children
    if (
        len(outermost) == 1
        and len(outermost[0].children) > 1
        and isinstance(outermost[0].children[-1], lalr.Node)
    ):
        return _nest(outermost[0], source)
    root = Nest("builtin.module")
    root.steps = [_step(element, source) for element in outermost]
    return root


def _step(element: Any, source: Source) -> Pass | Nest:
    name = element.children[0]
    if len(element.children) > 1 and isinstance(element.children[-1], lalr.Node):
        return _nest(element, source)
    options = str(element.children[1])[1:-1] if len(element.children) > 1 else ""
    try:
        return make_pass(str(name), options)
    except PassFailed as failure:
        start = name.start_pos
        raise ParseError(failure.diagnostic.message, Span(source, start, start + len(name.value))) from None


def _nest(element: Any, source: Source) -> Nest:
    return Nest(str(element.children[0]), [_step(child, source) for child in element.children[-1].children])


class PassManager:
    """Runs passes over modules.

    Attributes:
        on_step: called with the name of each step of the pipeline as it begins.
        verify_each: verify the program after each pass; a pass that breaks it is reported as an internal error.
        timings: seconds by pass name, in order of first run.
    """

    def __init__(
        self,
        steps: Sequence[Pass | Nest],
        context: Context | None = None,
        *,
        verify_each: bool = True,
        allow_unregistered: bool = False,
        on_step: Callable[[str], object] = lambda name: None,
    ):
        self.on_step = on_step
        self.steps = list(steps)
        self.context = context or Context()
        self.verify_each = verify_each
        self.allow_unregistered = allow_unregistered
        self.timings: dict[str, float] = {}

    def run(self, module: Operation) -> None:
        """Run all passes on `module`.

        Raises:
            BufferizeError: a pass failed; the module may have been partially changed.
        """
        for place, step in enumerate(self.steps):
            self.on_step(step.name if isinstance(step, Pass) else f"passes on {step.anchor}")
            self._run_step(step, module, (place,))

    def _run_step(self, step: Pass | Nest, op: Operation, place: tuple[int, ...]) -> None:
        if isinstance(step, Nest):
            if step.anchor == op.name or step.anchor == "any":
                targets = [op]
            else:
                targets = _nested(op, step.anchor)
            for target in targets:
                around = () if target is op and op.parent_op is None else place
                for i, inner in enumerate(step.steps):
                    self._run_step(inner, target, (*around, i))
            return
        direct = step.on in (op.name, "any")
        targets = [op] if direct else _nested(op, step.on)
        touched: set[Operation] | None = set()
        started = time.perf_counter()
        try:
            with collection_paused():
                for target in targets:
                    self.context.touched = None
                    self._run_pass(step, target, place if direct else (*place, 0))
                    if touched is not None and self.context.touched is not None:
                        touched |= self.context.touched
                    else:  # a single target without a report suffices
                        touched = None
                self.context.touched = touched
        finally:
            self.timings[step.name] = self.timings.get(step.name, 0.0) + time.perf_counter() - started
        if self.verify_each and not step.parts():  # parts of a composite pass were verified one by one
            started = time.perf_counter()
            self._check(step, op)
            self.timings["(verify)"] = self.timings.get("(verify)", 0.0) + time.perf_counter() - started

    def _run_pass(self, step: Pass, op: Operation, place: tuple[int, ...]) -> None:
        dumps = self.context.dumps
        if dumps is None or step.parts():
            step.run(op, self.context)
            return
        dumps.enter(step, op, place)
        errors = self.context.diagnostics.error_count
        try:
            step.run(op, self.context)
        except BufferizeError:
            dumps.leave(step, op, place, True)
            raise
        dumps.leave(step, op, place, self.context.diagnostics.error_count > errors)

    def _check(self, step: Pass, op: Operation) -> None:
        try:
            verify(op, allow_unregistered=self.allow_unregistered, touched=self.context.touched)
        except BufferizeError as failure:
            for diagnostic in failure.diagnostics:
                diagnostic.note(f"the program was valid before pass '{step.name}'")
            raise


def _nested(op: Operation, kind: str) -> list[Operation]:
    return [nested for region in op.regions for nested in region.ops() if nested.name == kind]
