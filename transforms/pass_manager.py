"""Pass pipelines: parsing, running, verification, timing, statistics.

Two notations are supported, both `mlir-opt`'s: a flag for each pass (`-buffer-hoisting -cse`) and one text that
nests passes under the operations they run on (`builtin.module(func.func(buffer-hoisting),cse)`). A function pass
that is not nested explicitly runs on each function of the module.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source import lalr
from ..ir.source.diagnostics import BufferizeError, ParseError, PassFailed, Severity
from ..ir.source.locations import Source, Span
from ..ir.source.reading import collection_paused
from ..ir.source.records import field, record
from ..ir.source.text import lazy_pattern
from ..ir.verifier import verify
from .pass_base import Context, Pass, find_pass, retired_pass

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


def run_checked(
    steps: str | Sequence[Pass | Nest], module: Operation, context: Context, allow_unregistered: bool = True
) -> None:
    """Run passes, or a pipeline written as text, on a module; the diagnostics are in the context.

    Raises:
        BufferizeError: there is no such pass, or one fails or reports an error.
    """
    steps = [parse_pipeline(steps)] if isinstance(steps, str) else list(steps)
    PassManager(steps, context, allow_unregistered=allow_unregistered).run(module)
    if context.diagnostics.has_errors:
        raise PassFailed(
            found for found in context.diagnostics.diagnostics if found.severity is Severity.ERROR
        )


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


MAX_ANCHORS: Final = 100
"""Anchors within each other in a pipeline, beyond which it is rejected: programs nest a few modules."""


def _step(element: Any, source: Source, depth: int = 0) -> Pass | Nest:
    name = element.children[0]
    if len(element.children) > 1 and isinstance(element.children[-1], lalr.Node):
        return _nest(element, source, depth)
    options = str(element.children[1])[1:-1] if len(element.children) > 1 else ""
    try:
        return make_pass(str(name), options)
    except PassFailed as failure:
        start = name.start_pos
        raise ParseError(failure.diagnostic.message, Span(source, start, start + len(name.value))) from None


def _nest(element: Any, source: Source, depth: int = 0) -> Nest:
    name = element.children[0]
    if depth == MAX_ANCHORS:
        start = name.start_pos
        message = f"more than {MAX_ANCHORS} anchors within each other in the pass pipeline"
        raise ParseError(message, Span(source, start, start + len(name.value)))
    return Nest(str(name), [_step(child, source, depth + 1) for child in element.children[-1].children])


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


# `mlir-opt`'s debugging flags: IR printed around passes, pipelines printed, crash reproducers.
#
# A dump is a header (`// -----// IR Dump After CSE (cse) //----- //`) and the operation the pass runs on or, in
# module scope, the whole program. Dumps go to a callback, or each to its own file in a directory tree: one directory
# per operation with passes of its own, files numbered by the position of the pass in its pipeline.

CLASS_NAMES = {
    "canonicalize": "Canonicalizer",
    "cse": "CSE",
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "eliminate-empty-tensors": "EmptyTensorEliminationPass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemRefPass",
}
"""The names that `mlir-opt` prints for passes, where they differ from the flag in camel case followed by `Pass`."""


def class_name(name: str) -> str:
    """The name of a pass in dumps."""
    return CLASS_NAMES.get(name) or "".join(word.capitalize() for word in name.split("-")) + "Pass"


@record()
class Dumps:
    """The dump configuration.

    Attributes:
        write: receives each dump.
        show: prints an operation.
        before, after: the passes before and after which to print; None for all.
        changed_only: omit dumps after passes that changed nothing.
        failed_only: dump only after a failed pass.
        module_scope: print the whole program.
        directory: write files below it instead.
    """

    write: Callable[[str], object]
    show: Callable[[Operation], str]
    before: set[str] | None = field(default_factory=set)
    after: set[str] | None = field(default_factory=set)
    changed_only: bool = False
    failed_only: bool = False
    module_scope: bool = False
    directory: str = ""
    _texts: list[str] = field(default_factory=list)

    def enter(self, step: Pass, op: Operation, place: Sequence[int]) -> None:
        """Called before a pass runs on `op`; `place` is its position in the nested pipelines."""
        if self.before is None or step.name in self.before:
            self._dump("Before", step, op, place)
        if self.changed_only:
            self._texts.append(self.show(op))

    def leave(self, step: Pass, op: Operation, place: Sequence[int], failed: bool) -> None:
        """Called after the pass has run or failed."""
        same = self.changed_only and self._texts.pop() == self.show(op)
        if failed:
            wanted = self.failed_only or self.after is None or step.name in self.after
        else:
            wanted = not same and not self.failed_only and (self.after is None or step.name in self.after)
        if wanted:
            self._dump("After", step, op, place, " Failed" if failed else "")

    def _dump(self, when: str, step: Pass, op: Operation, place: Sequence[int], failed: str = "") -> None:
        around = ""
        shown = op
        if self.module_scope:
            name = op.symbol_name if isinstance(op, FunctionOp) else ""
            around = f" ('{op.name}' operation{f': @{name}' if name else ''})"
            shown = op.root
        head = f"// -----// IR Dump {when} {class_name(step.name)}{failed} ({step.name}){around} //----- //"
        text = f"{head}\n{self.show(shown)}\n\n"
        if not self.directory:
            self.write(text)
            return
        path = os.path.join(self.directory, *_directories(op))
        os.makedirs(path, exist_ok=True)
        name = "_".join([*map(str, place), step.name]) + ".mlir"
        with open(os.path.join(path, name), "a", encoding="utf-8") as file:
            file.write(text)


def _directories(op: Operation) -> list[str]:
    """A directory name for each ancestor of `op`, outermost first, and for `op`; none escapes the directory."""
    found: list[str] = []
    for current in op.ancestors():
        symbol = current.properties.get("sym_name")
        name = getattr(symbol, "value", None) or "no-symbol-name"
        safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in name)
        found.append(f"{current.name.replace('.', '_')}_{safe}")
    return found[::-1]


def flattened(steps: Sequence[Pass | Nest]) -> list[Pass | Nest]:
    """The steps, with composite passes replaced by their parts."""
    found: list[Pass | Nest] = []
    for step in steps:
        if isinstance(step, Nest):
            found.append(Nest(step.anchor, flattened(step.steps)))
        else:
            inner = step.parts()
            found += flattened(inner) if inner else [step]
    return found


def pipeline_text(steps: Sequence[Pass | Nest], pretty: bool = False) -> str:
    """The pipeline in the syntax of `--pass-pipeline`; `pretty` puts each pass on its own line."""
    flat = flattened(steps)
    if len(flat) == 1 and isinstance(flat[0], Nest) and flat[0].anchor == "builtin.module":
        flat = flattened(flat[0].steps)
    return _nest_text("builtin.module", flat, "", pretty)


def _nest_text(anchor: str, steps: Sequence[Pass | Nest], indent: str, pretty: bool) -> str:
    inner = indent + "  " if pretty else ""
    texts = [
        inner + _nest_text(step.anchor, step.steps, inner, pretty).removeprefix(inner)
        if isinstance(step, Nest)
        else inner + _pass_text(step)
        for step in steps
    ]
    if pretty:
        return f"{indent}{anchor}(\n" + ",\n".join(texts) + f"\n{indent})"
    return f"{anchor}({','.join(texts)})"


def _pass_text(step: Pass) -> str:
    """A pass with all its options, sorted; an empty list has an empty value.

    Options that `mlir-opt` lacks are omitted at their defaults, so that it can read the text.
    """
    texts: list[str] = []
    for key, option in sorted(step.declared_options().items()):
        value = step.option_values.get(key, option.default)
        if key in step.not_in_mlir and value == option.default:
            continue
        if isinstance(value, list):
            texts.append(f"{key}={{{','.join(map(_element_text, value))}}}" if value else "")
        else:
            texts.append(f"{key}={str(value).lower() if isinstance(value, bool) else value}")
    return f"{step.name}{{{' '.join(texts)}}}" if texts else step.name


def _element_text(element: object) -> str:
    return _nest_text(element.anchor, element.steps, "", False) if isinstance(element, Nest) else str(element)


def pipeline_page(steps: Sequence[Pass | Nest]) -> str:
    """The output of `--dump-pass-pipeline`."""
    flat = flattened(steps)
    if len(flat) == 1 and isinstance(flat[0], Nest) and flat[0].anchor == "builtin.module":
        flat = flat[0].steps
    return f"Pass Manager with {len(flat)} passes:\n{pipeline_text(steps, True)}\n\n"
