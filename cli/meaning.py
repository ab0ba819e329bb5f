"""`bufferize explain ID`: what a finding with this id means."""

from __future__ import annotations


def all_meanings() -> dict[str, tuple[str, str]]:
    """Title and text of every finding of `explain`, `explain --ownership` and `lint`, by id."""
    from ..explain import codes, ownership
    from ..lint import codes as lint

    found: dict[str, tuple[str, str]] = {}
    for meanings in (codes.MEANINGS, ownership.MEANINGS, lint.MEANINGS):
        found.update({str(code): meaning for code, meaning in meanings.items()})
    return found


def meaning_of(word: str) -> str | None:
    """The page of the finding with this id, for a terminal; None if there is none."""
    import textwrap

    found = all_meanings().get(word)
    if found is None:
        return None
    title, text = found
    return f"{word}: {title}\n\n{textwrap.fill(text, 100)}\n\nAn example: docs/findings.md#{word} in the handbook.\n"


def unknown_meaning(word: str) -> None:
    """Complain about a word that is no file and nearly an id.

    Raises:
        UsageError: it is like one.
    """
    from .arguments import UsageError, did_you_mean

    hint = did_you_mean(word, all_meanings())
    if hint:
        raise UsageError(f"there is no file and no finding '{word}'{hint}")
