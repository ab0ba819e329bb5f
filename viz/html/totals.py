"""Summary of a report: totals, kinds of findings, functions."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.cost_model import EstimatedCost
from ...analysis.sizes import Formula, format_bytes, in_bytes
from ...explain.explanation import Explanation, Figures
from ...explain.kinds import KINDS
from ...explain.memory import FunctionMemory
from ...ir.source.text import LineNumber, Text
from ...transforms.memory_report import together_of, total
from . import markup
from .findings import PlacedFinding, quoting

MAX_FUNCTIONS = 40
"""Functions in the table; those with the most copies come first."""
MAX_CAUSES = 20
"""Causes in the table, by descending cost; all of them are beside the source."""
MAX_CAUSE_LINES = 6
"""Lines of one cause that the table links to."""
MAX_RUNS = 40
"""Runs in the table of what was measured."""


def plan(explanations: Sequence[Explanation], findings: Sequence[PlacedFinding]) -> str:
    """The command with the fewest copies, edits of the source, and what lowers the peak; empty if there is nothing to
    do.
    """
    parts = [_step(line) for e in explanations for line in e.plan_lines()]
    for finding in findings:
        for suggestion in finding.diagnostic.suggestions[:1]:
            saving = f": saves {suggestion.saving}" if suggestion.saving else ""
            said = quoting(f"{suggestion.title}{saving}")
            parts.append(f"{_line_link(finding)}{markup.tag('a', said, href=f'#{finding.id}')}")
    for line in dict.fromkeys(advice for e in explanations for advice in e.advice):
        parts.append(markup.text(line))
    return markup.tag("ul", "".join(markup.tag("li", part) for part in parts), _class="plan") if parts else ""


def _linked(said: object) -> str:
    """A sentence as HTML, in which source lines are links."""
    if isinstance(said, LineNumber):
        return markup.tag("a", str(said), href=f"#L{said}")
    if isinstance(said, Text):
        return markup.text(said.template).format(
            **{name: _linked(value) for name, value in said.arguments.items()}
        )
    return markup.text(said)


def _step(line: str) -> str:
    """A line of the plan; a command line is set apart, and source lines are links."""
    start = line.find("bufferize-opt ")
    if start < 0:
        return _linked(line)
    return markup.text(line[:start]) + markup.tag("pre", markup.text(line[start:]), tabindex="0")


def _line_link(finding: PlacedFinding) -> str:
    return f"{markup.tag('a', f'line {finding.line}', href=f'#L{finding.line}')} " if finding.line else ""


def figures(explanations: Sequence[Explanation]) -> str:
    """The figures at the top of the page, those of `bufferize explain`."""
    operands = sum(e.operands for e in explanations)
    in_place = sum(e.in_place for e in explanations)
    copies = [m for e in explanations for m in e.memory_report.copies]
    fresh = [m for e in explanations for m in e.memory_report.allocations]
    clones = [m for e in explanations for m in e.memory_report.clones]
    share = f"{100 * in_place // operands}% of {operands:,}" if operands else "no tensor operands"
    tiles = [
        _tile("copies", f"{len(copies):,}", _amount(total(copies)) if copies else "none", "copy"),
        _tile("allocations", f"{len(fresh):,}", _amount(total(fresh)) if fresh else "none", "alloc"),
        _tile("operands in place", f"{in_place:,}", share),
    ]
    if clones:
        tiles.insert(1, _tile("clones by deallocation", f"{len(clones):,}", _amount(total(clones)), "copy"))
    cost = together_of([e.memory_report for e in explanations]).cost
    if cost.traffic or cost.allocated:
        number, _, unit = format_bytes(cost.traffic).rpartition(" ")
        tiles.append(_tile("traffic", number, cost.words(), "", unit))
    memory = [function for e in explanations for function in e.memory]
    if memory:
        tiles.append(_peak(explanations, memory))
    return markup.tag("dl", "".join(tiles), _class="tiles") + _bar(in_place, operands)


def _amount(size: Formula) -> str:
    if size.constant is None:
        return f"{in_bytes(size)}; %t.0 is the size of the first dimension of %t"
    return f"{in_bytes(size)}, when each runs once"


def _peak(explanations: Sequence[Explanation], memory: Sequence[FunctionMemory]) -> str:
    """The peak that `explain` reports, and the part of it that an arena can hold, which notes and memory picture refer
    to.
    """
    cost = EstimatedCost.sum(e.memory_report.cost for e in explanations)
    most = max(memory, key=lambda function: function.peak)
    number, _, unit = format_bytes(cost.peak).rpartition(" ")
    said = f"live at once, including results; an arena needs {format_bytes(most.peak)} in @{most.name}"
    if most.assumed:
        said += f", assuming {', '.join(f'{name} = {n}' for name, n in sorted(most.assumed.items()))}"
    return _tile("peak", number, said, "", unit)


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
    """A table of causes by descending cost, with lines and a link to the card."""
    ranked = sorted((f for f in findings if any(f.cost)), key=lambda f: f.cost, reverse=True)
    rows: list[str] = []
    for finding in ranked[:MAX_CAUSES]:
        lines = [finding.line, *finding.other_lines] if finding.line else finding.other_lines
        links = ", ".join(markup.tag("a", f"{n:,}", href=f"#L{n}") for n in lines[:MAX_CAUSE_LINES])
        links += f" and {len(lines) - MAX_CAUSE_LINES} more" if len(lines) > MAX_CAUSE_LINES else ""
        link = markup.tag("a", quoting(finding.diagnostic.message), href=f"#{finding.id}")
        cells = (links, markup.text(finding.size), link, markup.text(finding.verdict))
        rows.append(markup.tag("tr", "".join(markup.tag("td", cell) for cell in cells)))
    if len(ranked) > MAX_CAUSES:
        more = f"and {len(ranked) - MAX_CAUSES:,} more, beside the source"
        rows.append(markup.tag("tr", markup.tag("td", more, colspan="4")))
    if not rows:
        return ""
    head = "".join(markup.tag("th", name) for name in ("lines", "how much", "why", "verdict"))
    return _table(markup.tag("tr", head), rows, "causes")


def _table(head: str, rows: Sequence[str], kind: str) -> str:
    """A table in a box of its own, which scrolls if it is wider than the page."""
    table = markup.tag("table", markup.tag("thead", head) + markup.tag("tbody", "".join(rows)), _class=kind)
    return markup.tag("div", table, _class="wide", role="group", aria_label=kind, tabindex="0")


def kinds(findings: Sequence[PlacedFinding]) -> str:
    """The number of places per kind of finding, with its meaning. Each is a button that searches for it."""
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
    head = "".join(markup.tag("th", name) for name in ("places", "finding", "what it means"))
    return _table(markup.tag("tr", head), rows, "kinds")


def functions(explanations: Sequence[Explanation]) -> str:
    """A table of functions, if several copy or allocate."""
    rows: dict[str, list[int]] = {}
    for explanation in explanations:
        for name, memory_report in explanation.memory_report.by_function().items():
            row = rows.setdefault(name, [0, 0, 0, 0])
            copied = total(memory_report.copies)
            row[0] += len(memory_report.copies)
            row[1] += len(memory_report.allocations)
            row[2] += copied.static_part
            row[3] += copied.constant is None
    if len(rows) < 2:
        return ""
    peaks = {name: a.cost.peak for e in explanations for name, a in e.memory_report.by_function().items()}
    head = ["function", "copies", "bytes copied", "allocations"] + (["peak"] if peaks else [])
    body = []
    for name, (copies, fresh, size, symbolic) in sorted(rows.items(), key=lambda item: -item[1][0])[
        :MAX_FUNCTIONS
    ]:
        cells = [f"{copies:,}", format_bytes(size) + (" + dynamic" if symbolic else ""), f"{fresh:,}"]
        if peaks:
            cells.append(format_bytes(peaks.get(name, 0)))
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
    return _table(header, body, "functions")


def measured(explanations: Sequence[Explanation]) -> str:
    """A table of measured runs, each with the analysis and without it."""
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
    return _table(header, body, "functions")


def _figures_row(name: str, figures: Figures) -> str:
    cells = (
        f"{figures.operations:,}",
        f"{figures.allocations:,}",
        format_bytes(figures.peak),
        format_bytes(figures.copied),
    )
    return markup.tag(
        "tr", markup.tag("td", name) + "".join(markup.tag("td", markup.text(c), _class="num") for c in cells)
    )
