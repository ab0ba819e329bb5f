"""Notebook output of programs and results.

`install()` adds displays to programs, analysis results and explanations; a cell that ends in one then shows
it. `picture` draws a program as `bufferize graph` does. No notebook needs to be installed: notebooks look for the
methods `_repr_html_` and `_repr_svg_`, which return text.

Everything is escaped as in the report, no script is used, and long programs and tables are truncated with a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from .html import markup
from .html.markup import highlight

if TYPE_CHECKING:
    from ..analysis.one_shot.result import AnalysisResult
    from ..explain.explanation import Explanation
    from .graph.canvas import Canvas

MAX_LINES = 400
"""Lines of a program shown; the rest is counted."""
MAX_ROWS = 100
"""Operands in the table; the rest is counted."""
MAX_FINDINGS = 50
"""Findings shown; the rest is counted."""

STYLE = """
<style>
.bufferize { font-size: 13px; line-height: 1.45; }
.bufferize pre { font-size: 12px; line-height: 1.45; white-space: pre-wrap; margin: 0; background: none; color: inherit; }
.bufferize i { font-style: normal; }
.bufferize i.c, .bufferize .soft { opacity: .7; }
.bufferize i.s, .bufferize i.d { color: #00806b; } .bufferize i.o { color: #c05a00; }
.bufferize i.t { color: #2e86c1; } .bufferize i.y, .bufferize i.a, .bufferize i.b { color: #b0538f; }
.bufferize table { border-collapse: collapse; margin: .4em 0; } .bufferize td, .bufferize th { text-align: left; padding: .15em .8em .15em 0; }
.bufferize summary { cursor: pointer; } .bufferize .copy { color: #c05a00; } .bufferize .alloc { color: #2e86c1; }
.bufferize .body { margin: .2em 0 .6em 1.4em; } .bufferize .places { list-style: none; padding: 0; margin: 0; }
.bufferize .places .say { display: block; margin-left: 3em; opacity: .8; } .bufferize .places .go { display: inline-block; width: 3em; }
.bufferize mark { color: inherit; background: none; border-bottom: 2px solid #2e86c1; } .bufferize mark.p { border-color: #d55e00; }
.bufferize .code { opacity: .7; margin-left: .8em; } .bufferize .unseen { display: none; }
.bufferize .patch .n { opacity: .7; display: inline-block; width: 4em; }
.bufferize .patch code { white-space: pre-wrap; } .bufferize p { margin: .2em 0; }
</style>
"""


@dataclass(frozen=True)
class Picture:
    """A picture of a program; `svg()` lays it out, with Graphviz if that is installed."""

    canvas: Canvas

    @property
    def dot(self) -> str:
        """The picture in the dot language."""
        return self.canvas.to_dot()

    def svg(self) -> str:
        """The picture as SVG.

        Raises:
            BufferizeError: Graphviz fails.
        """
        return self._svg

    @cached_property
    def _svg(self) -> str:
        from .graph.layered import drawn

        document = drawn(self.canvas).decode("utf-8", "replace")
        return document[document.index("<svg") :]

    def save(self, path: str) -> None:
        """Write the picture to a file whose name ends in .dot, .svg, .png or .pdf."""
        from pathlib import Path

        from .graph.layered import drawn

        Path(path).write_bytes(drawn(self.canvas, Path(path).suffix.removeprefix(".") or "dot"))

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except BufferizeError:
            return None

    def _repr_html_(self) -> str | None:
        """The error message if there is no picture."""
        try:
            self.svg()
        except BufferizeError as failure:
            return _wrap(
                markup.tag("p", markup.text(failure.diagnostic.message))
                + markup.tag("pre", markup.text(self.dot))
            )
        return None


def picture(
    module: Operation,
    kind: str = "cfg",
    *,
    functions: Sequence[str] = (),
    focus: str = "",
    short: bool = False,
    explanation: Explanation | None = None,
) -> Picture:
    """A picture of a program; `kind` and the rest are as for `bufferize graph`.

    Args:
        explanation: the program's explanation; computed with function boundaries if needed and not given.

    Raises:
        BufferizeError: there is nothing to draw, or no such function or value.
    """
    from .graph import draw

    def explained() -> Explanation:
        if explanation is not None:
            return explanation
        from ..explain.report import explain_module

        return explain_module(module, with_help=False, with_clones=False)

    return Picture(draw(module, kind, functions=functions, focus=focus, short=short, explanation=explained))


def module_html(module: Operation) -> str:
    """A program (or any operation) as coloured text."""
    from ..ir.text.printer import print_operation

    lines = print_operation(module).split("\n")
    shown = "\n".join(highlight(line) for line in lines[:MAX_LINES])
    return _wrap(markup.tag("pre", shown) + _rest(len(lines) - MAX_LINES, "line"))


def result_html(result: AnalysisResult) -> str:
    """The decisions of the analysis as a table, out-of-place operands first."""
    from ..analysis.naming import line_of, value_name

    operands = sorted(result.operands(), key=result.is_in_place)
    rows = []
    for operand in operands[:MAX_ROWS]:
        in_place = result.is_in_place(operand)
        line = line_of(operand.owner)
        cells = [
            str(line) if line is not None else "",
            markup.tag("code", markup.text(operand.owner.name)),
            markup.tag("code", markup.text(value_name(operand.value))),
            "in place" if in_place else markup.tag("b", "◆ out of place", _class="copy"),
        ]
        rows.append(markup.tag("tr", "".join(markup.tag("td", cell) for cell in cells)))
    head = markup.tag(
        "tr", "".join(markup.tag("th", h) for h in ("line", "operation", "operand", "decision"))
    )
    errors = "".join(markup.tag("p", markup.text(str(error))) for error in result.errors)
    return _wrap(
        errors + markup.tag("table", head + "".join(rows)) + _rest(len(operands) - MAX_ROWS, "operand")
    )


def explanation_html(explanation: Explanation) -> str:
    """An explanation: the summary, and the findings grouped by cause, folded, by descending cost."""
    from .html.findings import card, placed

    findings = placed(explanation)
    cards = "".join(card(finding, len(findings) == 1) for finding in findings[:MAX_FINDINGS])
    summary = markup.tag("p", markup.tag("b", markup.text(explanation.summary())))
    advice = "".join(markup.tag("p", "help: " + markup.text(line)) for line in explanation.advice)
    # Anchors are useless in a notebook, and ids of several cells would clash.
    cards = cards.replace(' id="f', ' data-finding="f').replace('<a href="#L', '<a data-line="')
    return _wrap(summary + cards + _rest(len(findings) - MAX_FINDINGS, "finding") + advice)


def _rest(count: int, noun: str) -> str:
    return markup.tag("p", f"⋯ {markup.counted(count, 'more ' + noun)}", _class="soft") if count > 0 else ""


def _wrap(html: str) -> str:
    return STYLE + markup.tag("div", html, _class="bufferize")


def install() -> None:
    """Add displays of operations, analysis results and explanations for notebooks. Idempotent."""
    from ..analysis.one_shot.result import AnalysisResult
    from ..explain.explanation import Explanation

    for cls, show in (
        (Operation, module_html),
        (AnalysisResult, result_html),
        (Explanation, explanation_html),
    ):
        setattr(cls, "_repr_html_", show)  # noqa: B010  (a method the classes do not declare: notebooks are not their business)


def load_ipython_extension(_: object) -> None:
    """`%load_ext bufferize.viz.notebook` installs the displays."""
    install()
