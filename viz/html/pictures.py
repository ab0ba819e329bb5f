"""The pictures of a report: for each function those kinds that have something to say, laid out by Graphviz, or simply where there is none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...dialects import memref
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError
from ..graph.layered import render, to_svg
from ..graph.pictures import KINDS, draw, functions_in
from ..memory.picture import to_svg as to_memory_svg
from . import markup

if TYPE_CHECKING:
    from ...explain.explanation import Explanation
    from ...explain.memory import FunctionMemory

MAX_FUNCTIONS = 8
"""Functions of which pictures are made; those with findings come first."""
MAX_OPERATIONS = 1_500
"""Operations of a function beyond which no pictures are made: they would be folded beyond use."""
MAX_DOT = 80_000
"""Characters of a picture's description. A larger one takes seconds to lay out and nobody can read it."""
MAX_SVG = 2_500_000
"""Characters of all pictures together: a page with more opens slowly."""
TIME_BUDGET = 15.0
"""Seconds for all pictures; what is not begun by then is left out, and the page says so."""


MEMORY = "memory"
"""The picture that is not a graph: plans of memory, before and after what lowers the peak."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A drawn picture. `html` is inline SVG."""

    kind: str
    question: str
    function: str
    html: str


@dataclass(slots=True)
class Gallery:
    """The pictures, and what has to be said about those that are missing."""

    pictures: list[DrawnPicture] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(len(picture.html) for picture in self.pictures)


def graphviz_installed() -> bool:
    return shutil.which("dot") is not None


def draw_all(
    module: Operation,
    kinds: Sequence[str],
    gallery: Gallery,
    *,
    explanation: Explanation | None = None,
    first: Sequence[str] = (),
    deadline: float = 0.0,
) -> None:
    """Add the pictures of `module` to the gallery.

    Args:
        kinds: names from `viz.graph.pictures.KINDS`; those that say nothing of a function are skipped.
        explanation: what is said of the program, for the kinds that need it.
        first: names of functions to draw before others.
        deadline: value of `time.monotonic` after which no picture is begun; 0 for none.
    """
    functions = functions_in(module)
    order = {name: i for i, name in enumerate(first)}
    functions.sort(key=lambda op: order.get(_name(op), len(order)))
    large = {function: None for function in functions if _size(function) > MAX_OPERATIONS}
    if large:
        functions = [function for function in functions if function not in large]
        names = ", ".join(f"@{_name(function)}" for function in list(large)[:4]) + (
            ", ..." if len(large) > 4 else ""
        )
        remark = (
            f"Functions of more than {MAX_OPERATIONS:,} operations ({names}) have no pictures here; "
            "'bufferize graph --focus %VALUE' draws a part of one."
        )
        if remark not in gallery.remarks:
            gallery.remarks.append(remark)
    if len(functions) > MAX_FUNCTIONS:
        remark = f"Pictures were made of {MAX_FUNCTIONS} of {len(functions):,} functions, those with findings first."
        if remark not in gallery.remarks:
            gallery.remarks.append(remark)
    left_out = 0
    for function in functions[:MAX_FUNCTIONS]:
        for kind in kinds:
            if kind not in KINDS or not _worth(function, kind):
                continue
            if KINDS[kind].needs_explanation and explanation is None:
                continue
            if (deadline and time.monotonic() > deadline) or gallery.size > MAX_SVG:
                left_out += 1
                continue
            _draw(module, function, kind, gallery, explanation)
    if left_out:
        were = "picture was" if left_out == 1 else "pictures were"
        gallery.remarks.append(
            f"{left_out} more {were} left out to keep the page quick; 'bufferize graph' draws any one."
        )


def draw_memory(memory: Sequence[FunctionMemory], gallery: Gallery, deadline: float) -> None:
    """Add the plans of functions that hold something, those that hold most first."""
    question = "which buffers are alive when, and what would lower the peak"
    for function in sorted(memory, key=lambda function: -function.peak)[:MAX_FUNCTIONS]:
        if function.peak and time.monotonic() < deadline and gallery.size <= MAX_SVG:
            svg = to_memory_svg([function]).encode("utf-8", "replace")
            html = markup.embed(svg, f"{question}, in @{function.name}", titles=True)
            gallery.pictures.append(DrawnPicture(MEMORY, question, function.name, html))


def _name(function: Operation) -> str:
    return function.symbol_name if isinstance(function, FunctionOp) else ""


def _size(function: Operation) -> int:
    return sum(1 for _ in function.walk())


def _worth(function: Operation, kind: str) -> bool:
    """Whether a picture of that kind would show more than the text does."""
    nested = any(op.parent_op is not function for op in function.walk() if op is not function)
    if kind == "cfg":
        return any(sum(1 for _ in region) > 1 for op in function.walk() for region in op.regions)
    if kind == "regions":
        return nested
    if kind == "ownership":
        return any(isinstance(op, (memref.AllocOp, memref.AllocaOp)) for op in function.walk())
    return True


def _draw(
    module: Operation, function: Operation, kind: str, gallery: Gallery, explanation: Explanation | None
) -> None:
    name = _name(function)
    about = f"{kind} of @{name}"
    given = None if explanation is None else lambda: explanation
    try:
        canvas = draw(module, kind, functions=[name], short=True, explanation=given)
        dot = canvas.to_dot()
        if len(dot) > MAX_DOT:
            gallery.remarks.append(
                f"The picture {about} is too large for a page; 'bufferize graph --kind {kind} --function {name} "
                "--focus %VALUE' draws a part of it."
            )
            return
        drawn = render(dot, "svg") if graphviz_installed() else to_svg(canvas).encode("utf-8", "replace")
        html = markup.embed(drawn, f"{KINDS[kind].question}, in @{name}")
    except BufferizeError as failure:
        remark = f"{about}: {failure.diagnostic.message}"
        if kind not in ("liveness", "ownership", "alias", "conflicts"):
            gallery.remarks.append(remark)
        return
    except ValueError as failure:
        gallery.remarks.append(f"{about}: {failure}")
        return
    gallery.pictures.append(DrawnPicture(kind, KINDS[kind].question, name, html))
