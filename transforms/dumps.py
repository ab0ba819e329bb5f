"""`mlir-opt`'s debugging flags: IR printed around passes, pipelines printed, crash reproducers.

A dump is a header (`// -----// IR Dump After CSE (cse) //----- //`) and the operation the pass runs on or, in
module scope, the whole program. Dumps go to a callback, or each to its own file in a directory tree: one directory
per operation with passes of its own, files numbered by the position of the pass in its pipeline.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from .pass_base import Pass
from .pass_manager import Nest

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


@dataclass
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
            while shown.parent_op is not None:
                shown = shown.parent_op
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
    current: Operation | None = op
    while current is not None:
        symbol = current.properties.get("sym_name")
        name = getattr(symbol, "value", None) or "no-symbol-name"
        safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in name)
        found.append(f"{current.name.replace('.', '_')}_{safe}")
        current = current.parent_op
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
