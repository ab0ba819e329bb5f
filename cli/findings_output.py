"""Findings as text, JSON, GitHub annotations or SARIF, for all commands that have some."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import arguments, output

if TYPE_CHECKING:
    from ..ir.source.diagnostics import Diagnostic, Meaning

FORMATS = ("text", "json", "github", "sarif")
FIRST = 20
"""Findings, or groups of findings, that are shown to people without `--limit`."""


def add_format(parser: arguments.Parser) -> None:
    """`--format` and `-o`, which `write` reads."""
    arguments.add_choice(
        parser, "--format", FORMATS, "text", "for people, programs, GitHub annotations or SARIF viewers"
    )
    arguments.add_output(parser, "write to FILE instead of standard output")


def add_choice_of_findings(parser: arguments.Parser, shown: str) -> None:
    """`--select` and `--limit`, which `is_selected` and `as_limited_text` read."""
    parser.add_argument(
        "--select", metavar="ID", action="append", default=[], help="show only findings with this id"
    )
    parser.add_argument("--limit", type=count, metavar="N", help=shown)


def count(text: str) -> int:
    """Reads a number of things."""
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"a number is expected, not '{text}'")
    return int(text)


def check_ids(ids: Sequence[str], known: Iterable[str]) -> None:
    """Refuse ids of findings that there are not.

    Raises:
        UsageError: there is one.
    """
    names = set(known)
    for name in ids:
        if name not in names:
            raise arguments.UsageError(f"there is no finding '{name}'{arguments.did_you_mean(name, names)}")


def is_selected(diagnostic: Diagnostic, flags: argparse.Namespace) -> bool:
    """Whether `--select` asks for it."""
    return not flags.select or diagnostic.code in flags.select


def as_text(diagnostics: Sequence[Diagnostic], flags: argparse.Namespace) -> str:
    """The findings as people read them, with a line feed at the end; nothing if there are none."""
    from ..viz.render_diagnostic import render_diagnostics
    from ..viz.render_style import terminal_width, wants_color, wants_unicode

    if not diagnostics:
        return ""
    color = wants_color(sys.stdout, flags.color) and (flags.output == "-" or flags.color == "always")
    unicode = wants_unicode(sys.stdout) if flags.output == "-" else True
    width = terminal_width(sys.stdout)
    return render_diagnostics(diagnostics, width=width, color=color, unicode=unicode) + "\n"


def as_limited_text(diagnostics: Sequence[Diagnostic], flags: argparse.Namespace) -> str:
    """As many findings as `--limit` asks for, as people read them, and how many there are besides."""
    limit = FIRST if flags.limit is None else flags.limit or len(diagnostics)
    text = as_text(diagnostics[:limit], flags)
    left = len(diagnostics) - limit
    return text + (f"\nand {left:,} more: --limit 0 shows all\n" if left > 0 else "")


def for_machines(
    diagnostics: Sequence[Diagnostic], format: str, summary: object, rules: Sequence[Meaning]
) -> str:
    """The findings as JSON (with `summary` besides), GitHub annotations or SARIF (with `rules`, and the totals of `summary`)."""
    if format == "json":
        import json

        from ..viz.render_json import to_plain

        data = to_plain(diagnostics)
        data["summary"] = summary
        return json.dumps(data, indent=1) + "\n"
    if format == "github":
        from ..viz.render_github import to_github

        return to_github(diagnostics) + "\n"
    from .. import __version__
    from ..viz.render_sarif import to_sarif

    totals = {"summary": _numbers(summary)} if summary else None
    return to_sarif(diagnostics, __version__, rules, properties=totals) + "\n"


def _numbers(summary: Any) -> Any:
    """A summary without what it lists, which the results say."""
    if isinstance(summary, dict):
        return {key: value for key, value in summary.items() if not isinstance(value, dict | list)}
    return [_numbers(entry) for entry in summary]


def write(text: str, flags: argparse.Namespace) -> None:
    """Write to where `-o` says."""
    if flags.output == "-":
        output.write_stdout(text)
    else:
        output.write_file(flags.output, text)
