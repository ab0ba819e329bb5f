"""The program before and after, side by side, function by function.

This module does not run passes; it is told what they left. Lines of the result that allocate, copy or free carry a sign in
their margin, since those are what a reader looks for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...dialects import memref
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import Diagnostic, format_plain
from ...ir.text.printer import print_operation
from ..graph.liveness import lifetimes
from . import markup
from .markup import highlight

if TYPE_CHECKING:
    from ...ir.source.locations import Source

SIGNS = {
    "memref.alloc": ("◇", "alloc", "allocates"),
    "memref.alloca": ("◇", "alloc", "allocates on the stack"),
    "memref.realloc": ("◇", "alloc", "allocates anew"),
    "memref.copy": ("◆", "copy", "copies"),
    "linalg.copy": ("◆", "copy", "copies"),
    "bufferization.clone": ("◆", "copy", "copies"),
    "memref.dealloc": ("✕", "free", "frees"),
    "bufferization.dealloc": ("✕", "free", "frees what is owned"),
}
MAX_COMPARED_LINES = 6_000
"""Lines of each side that are shown, over all functions."""
MAX_LIFE = 2_000_000
"""Buffers times operations of a function beyond which its peak is not computed."""
OPEN_COMPARISONS = 2


@dataclass
class After:
    """What passes left of a program.

    Attributes:
        module: the changed program, if they went through.
        buffers: the program after bufferization, before anything is freed; None if other passes were asked for.
        pipeline: the passes that were run, as a person would write them.
        diagnostics: what they reported.
    """

    module: Operation | None = None
    buffers: Operation | None = None
    pipeline: str = ""
    diagnostics: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Peak:
    """The most bytes of allocations that are alive at once in one function, with how many more of unknown size.

    `static` is None for a function that is too large to be followed.
    """

    function: str
    static: int | None
    dynamic: int


def peaks(module: Operation) -> list[Peak]:
    """The peak of each function that allocates and is small enough. Calls are not followed."""
    found: list[Peak] = []
    for function in _functions(module):
        operations = sum(1 for _ in function.walk())
        made = sum(isinstance(op, (memref.AllocOp, memref.AllocaOp)) for op in function.walk())
        if not made:
            continue
        if made * operations > MAX_LIFE:
            found.append(Peak(_name(function), None, 0))
            continue
        static, dynamic = max(lifetimes(function).bytes_at(), default=(0, 0))
        found.append(Peak(_name(function), static, dynamic))
    return found


def _functions(module: Operation) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, FunctionOp)]


def _name(op: Operation) -> str:
    return getattr(op.properties.get("sym_name"), "value", "") or ""


def side_by_side(before: Operation, source: Source, after: After) -> str:
    """Both programs as HTML."""
    parts: list[str] = []
    if after.pipeline:
        parts.append(
            markup.tag("p", "After " + markup.tag("code", markup.text(after.pipeline)), _class="say")
        )
    if after.diagnostics:
        said = "\n".join(format_plain(diagnostic) for diagnostic in after.diagnostics)
        parts.append(markup.tag("pre", markup.text(said), _class="said"))
    if after.module is None:
        return "".join(parts)
    olds, news = _texts(before, source), _texts(after.module, None)
    names = list(dict.fromkeys([*olds, *news]))
    shown = 0
    for index, name in enumerate(names):
        left, right = olds.get(name, []), news.get(name, [])
        shown += max(len(left), len(right))
        if shown > MAX_COMPARED_LINES and index:
            parts.append(
                markup.tag(
                    "p", f"⋯ {markup.counted(len(names) - index, 'more part')} left out", _class="fold"
                )
            )
            break
        parts.append(_pair(name, left, right, index < OPEN_COMPARISONS))
    return "".join(parts)


def _texts(module: Operation, source: Source | None) -> dict[str, list[str]]:
    """The lines of each function and other top-level operation, by a name to pair them with."""
    found: dict[str, list[str]] = {}
    count = 0
    for op in module.regions[0].blocks[0] if module.regions and module.regions[0].blocks else ():
        if source is not None and op.where is not None:
            raw = source.text[op.where[1] : op.where[3]]
            column = source.line_column(op.where[1])[1]
            raw = " " * (column - 1) + raw
        else:
            raw = print_operation(op)
        name = f"@{_name(op)}" if _name(op) else f"{op.name} {(count := count + 1)}"
        found[name] = _unindented(raw.rstrip("\n").split("\n"))
    return found


def _unindented(lines: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return [line[margin:].rstrip("\r") for line in lines]


def _pair(name: str, left: list[str], right: list[str], opened: bool) -> str:
    counts: dict[str, int] = {}
    rows = "".join(_line(line, counts) for line in right[:MAX_COMPARED_LINES])
    tally = ", ".join(
        f"{what} {count} times" if count > 1 else f"{what} once" for what, count in counts.items()
    )
    summary = markup.tag(
        "summary",
        markup.tag("code", markup.text(name))
        + markup.tag("span", tally or "no memory operations", _class="tally"),
    )
    old = markup.tag(
        "div",
        markup.tag("h4", "before") + "".join(_line(line, {}) for line in left[:MAX_COMPARED_LINES]),
        _class="side",
    )
    new = markup.tag("div", markup.tag("h4", "after") + (rows or markup.tag("p", "gone")), _class="side")
    if not left:
        old = markup.tag(
            "div", markup.tag("h4", "before") + markup.tag("p", "not there: a pass added it"), _class="side"
        )
    return markup.tag(
        "details",
        summary + markup.tag("div", old + new, _class="pair"),
        open="" if opened else None,
        _class="both",
    )


def _line(raw: str, counts: dict[str, int]) -> str:
    sign, kind = "", ""
    for word in raw.replace("(", " ").split()[:6]:
        if word in SIGNS:
            glyph, kind, what = SIGNS[word]
            counts[what] = counts.get(what, 0) + 1
            sign = markup.tag("span", glyph, _class=f"k {kind}", title=what)
            break
    margin = markup.tag("span", sign, _class="g")
    return markup.tag(
        "div", margin + markup.tag("code", highlight(raw) or "&#8203;"), _class=f"l {kind}".strip()
    )
