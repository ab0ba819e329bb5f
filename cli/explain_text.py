"""Text output of `bufferize explain`: totals, causes by cost, and the page of a finding.

Findings with a common cause are shown as one group. The first groups are shown in full, up to a few screens; others up
to the limit in one line each, and the rest is counted. Reasons why a program cannot be bufferized come first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..viz.render_style import clean_lines
from . import findings_output
from .findings_output import is_selected

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..explain.groups import CauseGroup
    from ..ir.source.diagnostics import Diagnostic
    from ..ir.source.pages import Documented


FULL_LINES = 75
"""Lines after which groups are abbreviated to one line each, without `--limit`."""
CONTRACTS = 12
"""Functions whose contracts are shown without `--limit 0`."""
ALL = 0


def explain_text(
    explanations: Sequence[Explanation],
    names: Sequence[str],
    problems: Sequence[Diagnostic],
    flags: argparse.Namespace,
) -> str:
    """The complete output.

    Args:
        names: the name of each program, if there are several.
        problems: exceeded budgets.
    """
    parts: list[str] = []
    totals = _totals(explanations, names)  # for several programs, the last line is the grand total
    errors = [d for e in explanations for d in (*e.errors, *_grave(e))] + list(problems)
    groups = selected(explanations, flags)
    remarks = [d for e in explanations for d in e.remarks if d.severity != "error" and is_selected(d, flags)]
    plans = [line for e in explanations for line in e.plan_lines()]
    refused = [d for e in explanations for d in e.refused if is_selected(d, flags)]
    if groups or errors or remarks or refused:
        parts.append(clean_lines([*totals[-1:], *plans]))
    if errors or refused:
        parts.append(findings_output.as_text([*errors, *refused], flags))
    parts += _groups(groups, flags)
    if remarks:
        parts.append(findings_output.as_text(remarks, flags))
    parts.append(clean_lines([*totals, *_rest(explanations, flags), *plans]))
    return "\n".join(parts)


def selected(explanations: Sequence[Explanation], flags: argparse.Namespace) -> list[CauseGroup]:
    """The groups to show, in the requested order, over all programs."""
    from ..explain.groups import by_cost

    by_place = flags.sort == "place"
    found = [group for e in explanations for group in e.groups(by_place=True)]
    found = [group for group in found if is_selected(group.findings[0].diagnostic, flags)]
    return found if by_place else by_cost(found)


def _grave(explanation: Explanation) -> Iterator[Diagnostic]:
    return (d for d in explanation.remarks if d.severity == "error")


def _totals(explanations: Sequence[Explanation], names: Sequence[str]) -> list[str]:
    from ..explain.explanation import summary_of

    if len(explanations) == 1:
        return [explanations[0].summary()]
    lines = [
        f"{name}: {explanation.summary()}" for name, explanation in zip(names, explanations, strict=True)
    ]
    return [*lines, f"all: {summary_of(explanations)}"]


def _groups(groups: Sequence[CauseGroup], flags: argparse.Namespace) -> Iterator[str]:
    limit = findings_output.FIRST if flags.limit is None else flags.limit or len(groups)
    lines = 0
    short: list[CauseGroup] = []
    for group in groups[:limit]:
        if flags.limit is None and lines > FULL_LINES:
            short.append(group)
            continue
        text = findings_output.as_text([group.diagnostic(whole=flags.limit == ALL)], flags)
        lines += text.count("\n") + 1
        yield text
    if short:
        yield clean_lines(_in_one_line(group) for group in short)
    left = groups[limit:]
    if left:
        noun = "cause" if len(left) == 1 else "causes"
        yield f"and {len(left):,} more {noun}: --limit 0 shows all\n"
    elif short:
        yield "--limit 0 shows all in full\n"


def _in_one_line(group: CauseGroup) -> str:
    """`remark[padding] cell.mlir:7:5: %t is copied ..., and 3 more`."""
    said = group.findings[0].diagnostic
    span = said.primary_span
    place = f" {span}" if span is not None else ""
    more = f", and {len(group.findings) - 1} more" if len(group.findings) > 1 else ""
    verdict = group.findings[0].verdict
    word = f" ({verdict.word})" if verdict is not None else ""
    return f"{said.severity}[{said.code}]{place}: {said.message}{more}{word}"


def _rest(explanations: Sequence[Explanation], flags: argparse.Namespace) -> Iterator[str]:
    from ..analysis.function_summaries import describe_contracts

    contracts = [line for e in explanations for line in describe_contracts(e.contracts)]
    shown = len(contracts) if flags.limit == ALL or len(contracts) <= CONTRACTS + 1 else CONTRACTS
    yield from contracts[:shown]
    if shown < len(contracts):
        yield f"and {len(contracts) - shown:,} more functions: --limit 0 shows all"
    for explanation in explanations:
        yield from (line for run in explanation.measured for line in run.lines())
    for line in dict.fromkeys(line for e in explanations for line in e.advice):
        yield f"help: {line}"


# `bufferize explain ID`: the page of a finding, like `rustc --explain` and `ruff rule`.

WIDTH = 100
"""Text width of a page."""


@cache
def all_kinds() -> dict[str, type[Documented]]:
    """Every kind of finding of `explain`, `explain --ownership` and `lint`, by id."""
    from ..explain.kinds import KINDS
    from ..explain.ownership import KINDS as OWNERSHIP
    from ..lint.findings import KINDS as LINT

    return {kind.id: kind for kind in (*KINDS, *OWNERSHIP, *LINT)}


def page_of(word: str) -> str | None:
    """The page of the finding with this id, for a terminal; None for an unknown id."""
    import textwrap

    from ..ir.source.pages import TRUST

    kind = all_kinds().get(word)
    if kind is None:
        return None
    page = kind.page()
    paragraphs = (
        page.what,
        f"Why: {page.why}",
        f"Fix: {page.fix}",
        f"Applicability: {page.advice} ({TRUST[page.advice]}).",
    )
    found = [f"{word}: {page.title}", *(textwrap.fill(text, WIDTH) for text in paragraphs)]
    for heading, program in (
        ("A program with this finding", page.example),
        ("The same without it", page.instead),
    ):
        command = " ".join(("bufferize", kind.command[0], "FILE", *kind.command[1:], *program.flags))
        found += [f"{heading} ({command}):", textwrap.indent(program.shown(), "    ").rstrip()]
    return "\n\n".join(found) + "\n"


def unknown_id(word: str) -> None:
    """Report a word that is not a file but resembles an id.

    Raises:
        UsageError: it resembles an id.
    """
    from .arguments import UsageError, did_you_mean

    hint = "" if "." in word else did_you_mean(word, all_kinds())  # `model.py:name` is a model
    if hint:
        raise UsageError(f"there is neither a file nor a finding '{word}'{hint}")
