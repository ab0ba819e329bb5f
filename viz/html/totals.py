"""What it all comes to: figures, kinds of findings, functions."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.sizes import Formula, format_bytes, in_bytes
from ...explain.explanation import Explanation
from ...explain.kinds import KINDS
from ...explain.measured import Figures
from ...transforms.memory_report import together_of, total
from . import markup
from .findings import PlacedFinding, quoting
from .source_view import Peak

MAX_FUNCTIONS = 40
"""Functions in the table; those with the most copies come first."""
MAX_CAUSES = 20
"""Causes in the table; the costliest come first, and all are beside the source."""
MAX_RUNS = 40
"""Runs in the table of what was measured."""


def figures(explanations: Sequence[Explanation], peaks: Sequence[Peak] | None) -> str:
    """The figures at the top of the page."""
    operands = sum(e.operands for e in explanations)
    in_place = sum(e.in_place for e in explanations)
    copies = [m for e in explanations for m in e.account.copies]
    fresh = [m for e in explanations for m in e.account.allocations]
    clones = [m for e in explanations for m in e.account.clones]
    share = f"{100 * in_place // operands}% of {operands:,}" if operands else "no tensor operands"
    tiles = [
        _tile("copies", f"{len(copies):,}", "inserted by bufferization", "copy"),
        _tile("bytes copied", *_amount(total(copies))),
        _tile("allocations", f"{len(fresh):,}", in_bytes(total(fresh)) if fresh else "none", "alloc"),
        _tile("operands in place", f"{in_place:,}", share),
    ]
    if clones:
        tiles.append(
            _tile("clones", f"{len(clones):,}", f"made by deallocation: {in_bytes(total(clones))}", "copy")
        )
    cost = together_of([e.account for e in explanations]).cost
    if cost.traffic or cost.allocated:
        tiles.append(_tile("traffic", *_number(cost.traffic, cost.words())))
    if peaks is not None:
        tiles.append(_peak(peaks))
    return markup.tag("dl", "".join(tiles), _class="tiles") + _bar(in_place, operands)


def _amount(size: Formula) -> tuple[str, ...]:
    """What a tile shows: number and unit apart; a formula goes below as a whole."""
    number, _, unit = in_bytes(size).rpartition(" ")
    if size.constant is None:
        return ("it depends", f"{in_bytes(size)}; %t.0 is the size of the first dimension of %t")
    return number, "when each of them runs once", "", unit


def _number(size: int, below: str) -> tuple[str, str, str, str]:
    number, _, unit = format_bytes(size).rpartition(" ")
    return number, below, "", unit


def _peak(peaks: Sequence[Peak]) -> str:
    if not peaks:
        return _tile("peak memory", "0", "nothing is allocated", "", "bytes")
    known = [peak for peak in peaks if peak.static is not None]
    if not known:
        return _tile(
            "peak memory", "not known", "the functions that allocate are too large to be followed here"
        )
    most = max(known, key=lambda peak: (peak.static or 0, peak.dynamic))
    number, _, unit = format_bytes(most.static or 0).rpartition(" ")
    more = f", and {markup.counted(most.dynamic, 'buffer')} of dynamic size" if most.dynamic else ""
    return _tile(
        "peak memory",
        number,
        f"in @{most.function}, each held until it is freed, calls not followed{more}",
        "",
        unit,
    )


def _tile(name: str, number: str, below: str, kind: str = "", unit: str = "") -> str:
    inner = (
        markup.tag("dt", markup.text(name))
        + markup.tag(
            "dd",
            markup.text(number) + markup.tag("small", markup.text(f" {unit}") if unit else ""),
            _class="big",
        )
        + markup.tag("dd", markup.text(below))
    )
    return markup.tag("div", inner, _class=f"tile {kind}".strip())


def _bar(in_place: int, operands: int) -> str:
    if not operands:
        return ""
    width = 1000 * in_place / operands
    label = f"{in_place} of {operands} tensor operands are updated in place"
    return (
        f'<svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="{markup.text(label)}">'
        f'<rect class="rest" width="1000" height="8"/><rect class="done" width="{width:.1f}" height="8"/></svg>'
    )


def causes(findings: Sequence[PlacedFinding]) -> str:
    """A table of what costs most, each with a link to its card; nothing if there is only one cause."""
    ranked = sorted((f for f in findings if any(f.cost)), key=lambda f: f.cost, reverse=True)
    if len(ranked) < 2:
        return ""
    rows = []
    for finding in ranked[:MAX_CAUSES]:
        places = markup.counted(1 + len(finding.others), "place")
        link = markup.tag("a", quoting(finding.diagnostic.message), href=f"#{finding.id}")
        cells = (markup.tag("td", markup.text(finding.size), _class="num"), markup.tag("td", link))
        rows.append(markup.tag("tr", "".join(cells) + markup.tag("td", places, _class="num")))
    if len(ranked) > MAX_CAUSES:
        more = f"and {len(ranked) - MAX_CAUSES:,} more, beside the source"
        rows.append(markup.tag("tr", markup.tag("td", more, colspan="3")))
    head = "".join(markup.tag("th", name) for name in ("how much", "what costs most", "in"))
    return markup.tag(
        "table",
        markup.tag("thead", markup.tag("tr", head)) + markup.tag("tbody", "".join(rows)),
        _class="kinds",
    )


def kinds(findings: Sequence[PlacedFinding]) -> str:
    """How many findings there are of each kind, with what the kind means. Each is a button that searches for it."""
    counts: dict[str, int] = {}
    for finding in findings:
        code = finding.diagnostic.code or str(finding.diagnostic.severity)
        counts[code] = counts.get(code, 0) + 1 + len(finding.others)
    if not counts:
        return ""
    rows = []
    for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        page = next((kind.page() for kind in KINDS if kind.id == code), None)
        title, meaning = (page.title, page.text) if page is not None else ("", "")
        button = markup.tag("button", markup.text(code), type="button", data_find=code, _class="code")
        words = markup.tag("b", markup.text(title)) + ("<br>" + markup.text(meaning) if meaning else "")
        rows.append(
            markup.tag(
                "tr",
                markup.tag("td", f"{count:,}", _class="num")
                + markup.tag("td", button)
                + markup.tag("td", words),
            )
        )
    return markup.tag("table", "".join(rows), _class="kinds")


def functions(explanations: Sequence[Explanation], peaks: Sequence[Peak] | None) -> str:
    """A table of functions, if there are several that copy or allocate."""
    rows: dict[str, list[int]] = {}
    for explanation in explanations:
        for name, account in explanation.account.by_function().items():
            row = rows.setdefault(name, [0, 0, 0, 0])
            copied = total(account.copies)
            row[0] += len(account.copies)
            row[1] += len(account.allocations)
            row[2] += copied.static_part
            row[3] += copied.constant is None
    if len(rows) < 2:
        return ""
    peak = {p.function: p for p in peaks or ()}
    head = ["function", "copies", "bytes copied", "allocations"] + (["peak"] if peaks is not None else [])
    body = []
    for name, (copies, fresh, size, symbolic) in sorted(rows.items(), key=lambda item: -item[1][0])[
        :MAX_FUNCTIONS
    ]:
        cells = [f"{copies:,}", format_bytes(size) + (" + dynamic" if symbolic else ""), f"{fresh:,}"]
        if peaks is not None:
            cells.append(_peak_of(peak.get(name)))
        button = markup.tag(
            "button", markup.text(f"@{name}"), type="button", data_find=f"@{name}", _class="code"
        )
        body.append(
            markup.tag(
                "tr", markup.tag("td", button) + "".join(markup.tag("td", c, _class="num") for c in cells)
            )
        )
    if len(rows) > MAX_FUNCTIONS:
        body.append(
            markup.tag(
                "tr", markup.tag("td", f"and {len(rows) - MAX_FUNCTIONS:,} more", colspan=str(len(head)))
            )
        )
    header = markup.tag("tr", "".join(markup.tag("th", h) for h in head))
    return markup.tag(
        "table", markup.tag("thead", header) + markup.tag("tbody", "".join(body)), _class="functions"
    )


def _peak_of(peak: Peak | None) -> str:
    if peak is None:
        return ""
    return format_bytes(peak.static) if peak.static is not None else "not known"


def measured(explanations: Sequence[Explanation]) -> str:
    """A table of what runs took, each with the analysis and without it."""
    runs = [run for explanation in explanations for run in explanation.measured]
    if not runs:
        return ""
    body: list[str] = []
    for run in runs[:MAX_RUNS]:
        name = markup.tag("code", markup.text(run.call())) + ("" if run.freed else ", nothing is freed")
        who = run.who_copied()
        body.append(_figures_row(name + (f"<br>copied: {markup.text(who)}" if who else ""), run.figures))
        if run.copying_always is not None:
            body.append(_figures_row("without analysis", run.copying_always))
    if len(runs) > MAX_RUNS:
        body.append(markup.tag("tr", markup.tag("td", f"and {len(runs) - MAX_RUNS:,} more", colspan="5")))
    heads = ("measured in a run", "operations", "allocations", "peak", "bytes copied")
    header = markup.tag("tr", "".join(markup.tag("th", head) for head in heads))
    return markup.tag(
        "table", markup.tag("thead", header) + markup.tag("tbody", "".join(body)), _class="functions"
    )


def _figures_row(name: str, figures: Figures) -> str:
    cells = (
        f"{figures.operations:,}",
        f"{figures.allocations:,}",
        format_bytes(figures.peak),
        format_bytes(figures.copied),
    )
    return markup.tag(
        "tr",
        markup.tag("td", name) + "".join(markup.tag("td", markup.text(c), _class="num") for c in cells),
    )
