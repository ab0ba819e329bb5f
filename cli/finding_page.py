"""`bufferize explain ID`: the page of a finding, as `rustc --explain` and `ruff rule` have."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ir.source.pages import Documented


WIDTH = 100
"""Columns of the text of a page."""


@cache
def all_kinds() -> dict[str, type[Documented]]:
    """Every kind of finding of `explain`, `explain --ownership` and `lint`, by id."""
    from ..explain.kinds import KINDS
    from ..explain.ownership import KINDS as OWNERSHIP
    from ..lint.findings import KINDS as LINT

    return {kind.id: kind for kind in (*KINDS, *OWNERSHIP, *LINT)}


def page_of(word: str) -> str | None:
    """The page of the finding with this id, for a terminal; None if there is none."""
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
    for heading, program in (("This program has it", page.example), ("This one has not", page.instead)):
        command = " ".join(("bufferize", kind.command[0], "FILE", *kind.command[1:], *program.flags))
        found += [f"{heading} ({command}):", textwrap.indent(program.shown(), "    ").rstrip()]
    return "\n\n".join(found) + "\n"


def unknown_id(word: str) -> None:
    """Complain about a word that is no file and nearly an id.

    Raises:
        UsageError: it is like one.
    """
    from .arguments import UsageError, did_you_mean

    hint = did_you_mean(word, all_kinds())
    if hint:
        raise UsageError(f"there is no file and no finding '{word}'{hint}")
