"""The report page and the index of several, self-contained and without scripts from the input.

A content security policy in the page allows exactly one script and one style sheet, those of this package, by their
hashes, and nothing else: no requests, no inline handlers, no frames, no forms. Text of the input is escaped besides
(see `markup`), and pictures are rebuilt from known elements (see `svg`).

The page reads without a script. The script adds search, keys and the theme switch.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote

from ...analysis.function_summaries import describe_contracts
from ...analysis.sizes import in_bytes
from ...dialects import memref
from ...explain.explanation import Explanation
from ...explain.memory import FunctionMemory
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError
from ...ir.source.locations import Source
from ...transforms.memory_report import MemoryReport, total
from ..graph import KINDS, draw, functions_in
from ..graph.layered import drawn
from ..memory_plan import to_svg as to_memory_svg
from . import markup, totals
from .findings import After, PlacedFinding, card, placed, side_by_side, source_view

# The pictures of a report: for each function the kinds that apply, laid out by Graphviz, or by the built-in layout
# without it.

MAX_FUNCTIONS = 8
"""Functions with pictures; those with findings come first."""
MAX_OPERATIONS = 1_500
"""Larger functions, in operations, get no pictures: they would be folded beyond use."""
MAX_DOT = 80_000
"""Bound on the size of a picture's description. Larger ones take seconds to lay out and are unreadable."""
MAX_SVG = 2_500_000
"""Bound on the characters of all pictures together: a larger page opens slowly."""
TIME_BUDGET = 15.0
"""Time limit for all pictures, in seconds; pictures not begun by then are omitted, and the page says so."""


MEMORY = "memory"
"""The picture that is not a graph: memory plans, before and after the change that lowers the peak."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A drawn picture. `html` is inline SVG."""

    kind: str
    question: str
    function: str
    html: str


@dataclass(slots=True)
class Gallery:
    """The pictures, and the reasons for missing ones."""

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
        kinds: names from `viz.graph.KINDS`; those that do not apply to a function are skipped.
        explanation: the program's explanation, for the kinds that need it.
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
    """Add the memory plans of functions with buffers, by descending peak."""
    question = "which buffers are live when, and what would lower the peak"
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
        html = markup.embed(drawn(canvas), f"{KINDS[kind].question}, in @{name}")
    except BufferizeError as failure:
        remark = f"{about}: {failure.diagnostic.message}"
        if kind not in ("ownership", "alias", "conflicts"):
            gallery.remarks.append(remark)
        return
    except ValueError as failure:
        gallery.remarks.append(f"{about}: {failure}")
        return
    gallery.pictures.append(DrawnPicture(kind, KINDS[kind].question, name, html))


KEYS = (
    ("j  k", "next and previous finding"),
    ("o  Enter", "expand or collapse the finding"),
    ("/", "search findings, values and text; Enter for the next line, Shift+Enter for the one before"),
    ("n  N", "next and previous match"),
    ("g", "next section of the page: plan, totals, source, pictures, before and after"),
    ("e", "unfold or fold all findings"),
    ("t", "light, dark, or as the system says"),
    ("?", "this help"),
    ("Esc", "close, or leave the search"),
)


FIRST_KINDS = ("conflicts", MEMORY, "alias", "ownership")
"""Pictures of memory come before pictures of control flow."""


@dataclass
class Part:
    """One program of the input: its text, its explanation, the result of the passes, and the copies per function."""

    source: Source
    explanation: Explanation
    after: After | None = None
    gallery: Gallery = field(default_factory=Gallery)
    tally: dict[str, str] = field(default_factory=dict)


def build_page(title: str, parts: Sequence[Part], *, version: str, options: str = "") -> str:
    """The page as HTML. Linear in programs and findings.

    Args:
        title: the name of the input.
        options: the analysis flags as typed; empty for the defaults.
    """
    numbered: list[list[PlacedFinding]] = []
    for part in parts:
        first = sum(len(findings) for findings in numbered) + 1
        numbered.append(placed(part.explanation, first, by_place=True))
    findings = [finding for group in numbered for finding in group]
    sections = [
        ("plan", "Plan", totals.plan([part.explanation for part in parts], findings)),
        ("totals", "Totals", _totals(parts, findings)),
        ("source", "Source", _source(parts, numbered)),
        ("pictures", "Pictures", _pictures(parts)),
        ("after", "Before and after", _before_and_after(parts)),
    ]
    sections = [section for section in sections if section[2]]
    body = [
        '<a class="skip" href="#source">Skip to the source</a>',
        _header(title, [(name, label) for name, label, _ in sections]),
        "<main>",
        *(
            markup.tag("section", markup.tag("h2", markup.text(label)) + content, id=name)
            for name, label, content in sections
        ),
        "</main>",
        markup.tag(
            "footer",
            f"bufferize {markup.text(version)}"
            + (f" · {markup.tag('code', markup.text(options))}" if options else ""),
        ),
        _help(),
    ]
    return document(title.rsplit("/", 1)[-1], "".join(body), _asset("report.js"))


def document(title: str, body: str, script: str = "") -> str:
    """A page with the style of reports, `body` as HTML, and one script or none."""
    style = _asset("report.css")
    scripts = f"'{_hash(script)}'" if script else "'none'"
    policy = f"default-src 'none'; script-src {scripts}; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{markup.text(title)}: bufferize report</title>"
        f"<style>{style}</style>"
    )
    end = f"<script>{script}</script>" if script else ""
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}{end}</body></html>\n'


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def asset_hashes() -> tuple[str, str]:
    """The hashes of script and style that the policy of a page embedding a report must allow."""
    return _hash(_asset("report.js")), _hash(_asset("report.css"))


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def _header(title: str, sections: list[tuple[str, str]]) -> str:
    links = "".join(markup.tag("a", label, href=f"#{name}") for name, label in sections)
    search = (
        '<div class="search"><input id="search" type="search" placeholder="Search  /" aria-label="Search" autocomplete="off" '
        'spellcheck="false"><span id="count" role="status"></span><div id="results" hidden></div></div>'
    )
    buttons = (
        '<button id="theme" type="button" title="light or dark (t)" aria-label="light or dark">◐</button>'
        '<button id="keys" type="button" title="keys (?)" aria-label="keys">?</button>'
    )
    name = markup.tag("h1", markup.text(title.rsplit("/", 1)[-1]), title=title)
    return f'<header>{name}<nav aria-label="Parts">{links}</nav><div class="tools">{search}{buttons}</div></header>'


def _help() -> str:
    rows = "".join(
        markup.tag("dt", "".join(markup.tag("kbd", markup.text(key)) for key in keys.split()))
        + markup.tag("dd", markup.text(meaning))
        for keys, meaning in KEYS
    )
    return (
        '<dialog id="help" aria-label="Keys"><h2>Keys</h2>'
        f'<dl>{rows}</dl><p class="legend"><span class="k copy">◆</span> copy <span class="k alloc">◇</span> allocation '
        '<span class="k free">✕</span> free <span class="k remark">●</span> remark <span class="k problem">✖</span> error</p>'
        '<form method="dialog"><button>Close</button></form></dialog>'
    )


def _totals(parts: Sequence[Part], findings: list[PlacedFinding]) -> str:
    explanations = [part.explanation for part in parts]
    errors = sum(len(e.errors) for e in explanations)
    html = totals.figures(explanations)
    if errors:
        html += markup.tag(
            "p", f"The program cannot be bufferized: {markup.counted(errors, 'error')}, below.", _class="said"
        )
    if not findings:
        html += markup.tag(
            "p",
            "Nothing is copied and nothing is allocated: every tensor is updated in place.",
            _class="good",
        )
    contracts = [line for e in explanations for line in describe_contracts(e.contracts)]
    html += totals.causes(findings)
    html += totals.measured(explanations) + totals.functions(explanations)
    if contracts:
        html += _contracts(contracts)
    return html + totals.kinds(findings)


MAX_CONTRACTS = 100
"""Contracts listed; the rest is counted."""


def _contracts(lines: list[str]) -> str:
    """The contracts of functions for the buffers that callers pass."""
    rows = "".join(markup.tag("li", markup.tag("code", markup.text(line))) for line in lines[:MAX_CONTRACTS])
    if len(lines) > MAX_CONTRACTS:
        rows += markup.tag("li", f"and {len(lines) - MAX_CONTRACTS:,} more")
    summary = markup.tag("summary", "What functions do to the buffers that callers pass")
    opened = "" if len(lines) <= 3 else None
    return markup.tag("details", summary + markup.tag("ul", rows), _class="contracts", open=opened)


def _source(parts: Sequence[Part], numbered: list[list[PlacedFinding]]) -> str:
    html = ""
    for part, findings in zip(parts, numbered, strict=True):
        nowhere = [finding for finding in findings if not finding.line]
        html += "".join(card(finding, True) for finding in nowhere)
        html += markup.tag("div", source_view(part.source, findings), _class="listing")
    return html


def _pictures(parts: Sequence[Part]) -> str:
    html = ""
    for part in parts:
        for remark in part.gallery.remarks:
            html += markup.tag("p", markup.text(remark), _class="say")
        by_kind: dict[str, list[DrawnPicture]] = {}
        for picture in part.gallery.pictures:
            by_kind.setdefault(picture.kind, []).append(picture)
        for kind in (*FIRST_KINDS, *(kind for kind in KINDS if kind not in FIRST_KINDS)):
            if kind in by_kind:
                question = by_kind[kind][0].question
                summary = markup.tag(
                    "summary", markup.tag("b", kind) + " " + markup.tag("span", markup.text(question))
                )
                opened = "" if len(by_kind) == 1 or kind in ("conflicts", MEMORY) else None
                figures = "".join(_figure(picture, picture is by_kind[kind][0]) for picture in by_kind[kind])
                html += markup.tag("details", summary + figures, _class="kind", open=opened)
    return html


def _figure(picture: DrawnPicture, opened: bool) -> str:
    summary = markup.tag("summary", markup.tag("code", markup.text(f"@{picture.function}")))
    drawing = markup.tag(
        "div", picture.html, _class="picture", tabindex="0", role="group", aria_label=picture.kind
    )
    return markup.tag("details", summary + drawing, _class="figure", open="" if opened else None)


def _before_and_after(parts: Sequence[Part]) -> str:
    return "".join(
        side_by_side(part.explanation.result.state.root, part.source, part.after, part.tally)
        for part in parts
        if part.after is not None
    )


# The index of the reports of several programs, by descending copies.


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One file of the index.

    Attributes:
        path: the file.
        page: the name of its report beside this page; "" if there is none.
        cost: total bytes copied; unknown sizes are assumed to be equal.
        cells: copies, bytes copied, allocations, bytes allocated.
        problem: why there is no report, or why the program cannot be bufferized.
    """

    path: str
    page: str
    cost: int = 0
    cells: tuple[str, ...] = ()
    problem: str = ""

    @classmethod
    def of(cls, path: str, page: str, explanations: Sequence[Explanation]) -> IndexEntry:
        """The entry for the programs of one file."""
        memory_report = MemoryReport(
            [memory_record for e in explanations for memory_record in e.memory_report]
        )
        copies, fresh = memory_report.copies, memory_report.allocations
        errors = [error for e in explanations for error in e.errors]
        cells = (f"{len(copies):,}", in_bytes(total(copies)), f"{len(fresh):,}", in_bytes(total(fresh)))
        cost = sum(copy.traffic.estimate() for copy in copies)
        return cls(path, page, cost, cells, errors[0].message if errors else "")


def build_index(entries: Sequence[IndexEntry]) -> str:
    """The page as HTML. O(entries log entries)."""
    heads = ("program", "copies", "bytes copied", "allocations", "bytes allocated", "")
    rows = [markup.tag("tr", "".join(markup.tag("th", markup.text(head)) for head in heads))]
    for entry in sorted(entries, key=lambda entry: -entry.cost):
        name = markup.text(entry.path)
        link = markup.tag("a", name, href=quote(entry.page)) if entry.page else name
        cells = [link, *map(markup.text, entry.cells or ("", "", "", "")), markup.text(entry.problem)]
        rows.append(markup.tag("tr", "".join(markup.tag("td", cell) for cell in cells)))
    title = f"{markup.counted(len(entries), 'program')}"
    table = markup.tag("div", markup.tag("table", "".join(rows)), _class="wide")
    body = f"<header>{markup.tag('h1', title)}</header><main>{markup.tag('section', table)}</main>"
    return document(title, body)
