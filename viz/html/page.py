"""The report as one page, and the index of several: no other file, no network, nothing of the input that runs.

A content security policy in the page allows exactly one script and one style sheet, those of this package, by their
hashes, and nothing else: no requests, no inline handlers, no frames, no forms. Text of the input is escaped besides
(see `markup`), and pictures are rebuilt from known elements (see `svg`).

The page reads without a script. The script adds search, keys and the theme switch.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote

from ...analysis.sizes import in_bytes
from ...explain.contracts import describe_contracts
from ...explain.explanation import Explanation
from ...ir.source.locations import Source
from ...transforms.memory_report import MemoryReport, total
from ..graph.pictures import KINDS
from . import markup, totals
from .findings import PlacedFinding, card, placed
from .pictures import MEMORY, DrawnPicture, Gallery
from .source_view import After, side_by_side, source_view

KEYS = (
    ("j  k", "next and previous finding"),
    ("o  Enter", "fold the finding in or out"),
    ("/", "search findings, values and text; Enter for the next line, Shift+Enter for the one before"),
    ("n  N", "next and previous match"),
    ("g", "plan, totals, source, pictures, before and after: the next part of the page"),
    ("e", "unfold or fold all findings"),
    ("t", "light, dark, or as the system says"),
    ("?", "this help"),
    ("Esc", "close, or leave the search"),
)


FIRST_KINDS = ("conflicts", MEMORY, "alias", "ownership")
"""Pictures of memory come before pictures of control flow."""


@dataclass
class Part:
    """One program of the input: its text, what is said of it, what passes made of it, and how much each function moves then."""

    source: Source
    explanation: Explanation
    after: After | None = None
    gallery: Gallery = field(default_factory=Gallery)
    tally: dict[str, str] = field(default_factory=dict)


def build_page(title: str, parts: Sequence[Part], *, version: str, options: str = "") -> str:
    """The page as HTML. Linear in programs and findings.

    Args:
        title: the name of the input.
        options: what steered the analysis, as typed; empty for the defaults.
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
    """What a page that shows a report has to allow: the hashes of its script and of its style."""
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


def _contracts(lines: list[str]) -> str:
    """What functions do to the buffers that callers pass."""
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


# One page that lists the reports of several programs, those that copy most first.


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One file.

    Attributes:
        path: the file.
        page: the name of its report beside this page; "" if there is none.
        cost: bytes copied in all runs; unknown sizes are taken to be alike.
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
        account = MemoryReport([movement for e in explanations for movement in e.account])
        copies, fresh = account.copies, account.allocations
        errors = [error for e in explanations for error in e.errors]
        cells = (
            f"{len(copies):,}",
            in_bytes(total(copies)),
            f"{len(fresh):,}",
            in_bytes(total(fresh)),
        )
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
