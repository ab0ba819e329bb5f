"""`bufferize corpus`: copies of many programs, cached by content, and the difference between two results."""

from __future__ import annotations

import argparse
import html
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...viz.render_style import clean_lines
from .. import arguments, output
from . import run as runner
from .run import MEASURES, Programs, Store, analyse, programs_of

if TYPE_CHECKING:
    from .run import Start


# Comparison of two corpus results, regressions first.

REFUSED = "now refused"
ACCEPTED = "now accepted"
NOTABLE_SECONDS = 0.2
NOTABLE_FACTOR = 2
"""Factor, and seconds, beyond which a program is reported as slower."""

Functions = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class CorpusDifference:
    """A changed function, or a changed program as a whole.

    Attributes:
        path, function: where; the function is "" if the program's state changed.
        what: in words.
        before, after: the numbers; empty if there are none.
    """

    path: str
    function: str
    what: str
    before: dict[str, int]
    after: dict[str, int]

    @property
    def growth(self) -> tuple[int, int, int, int]:
        """The increase of copied bytes, of copies and clones, and of peak and allocations."""
        more = {measure: self.after.get(measure, 0) - self.before.get(measure, 0) for measure in MEASURES}
        return more["bytes"], more["copies"] + more["clones"], more["peak"], more["allocations"]

    @property
    def is_refused(self) -> bool:
        return self.what.startswith(REFUSED)

    @property
    def is_worse(self) -> bool:
        """Whether it is newly refused, or the first differing measure grew."""
        return self.is_refused or self.growth > (0, 0, 0, 0)

    @property
    def verdict(self) -> str:
        """`worse`, `better`, or empty if neither."""
        if self.is_worse:
            return "worse"
        return "better" if self.growth < (0, 0, 0, 0) or self.what == ACCEPTED else ""

    @property
    def order(self) -> tuple[Any, ...]:
        return (not self.is_refused, *(-number for number in self.growth), self.path, self.function)


def changes(old: Programs, new: Programs) -> list[CorpusDifference]:
    """The differences between two results by path, worst first."""
    return sorted(_changes(old, new), key=lambda change: change.order)


def _changes(old: Programs, new: Programs) -> Iterator[CorpusDifference]:
    for path in sorted(old.keys() | new.keys()):
        before = old[path].found if path in old else None
        after = new[path].found if path in new else None
        if before is None:
            yield CorpusDifference(path, "", "new program", {}, {})
        elif after is None:
            yield CorpusDifference(path, "", "program is gone", {}, {})
        elif "error" in after:
            if "error" not in before:
                yield CorpusDifference(path, "", f"{REFUSED}: {after['error']}", {}, {})
        elif "error" in before:
            yield CorpusDifference(path, "", ACCEPTED, {}, {})
        if before is not None and after is not None and "error" not in before and "error" not in after:
            yield from _functions(path, before["functions"], after["functions"])
            yield from _time(path, old[path].seconds, new[path].seconds)


def _functions(path: str, old: Functions, new: Functions) -> Iterator[CorpusDifference]:
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, {}), new.get(name, {})
        parts = [
            f"{measure} {before.get(measure, 0):,} -> {after.get(measure, 0):,}"
            for measure in MEASURES
            if before.get(measure, 0) != after.get(measure, 0)
        ]
        if parts:
            yield CorpusDifference(path, name, ", ".join(parts), before, after)


def _time(path: str, before: float, after: float) -> Iterator[CorpusDifference]:
    """Report that a program takes much longer or shorter; not a failure, since timings are noisy."""
    if (
        abs(after - before) > NOTABLE_SECONDS
        and not 1 / NOTABLE_FACTOR < (after + 1e-3) / (before + 1e-3) < NOTABLE_FACTOR
    ):
        what = f"analysed in {after:.2f} s, {before:.2f} s before"
        yield CorpusDifference(
            path, "", what, {"milliseconds": int(before * 1000)}, {"milliseconds": int(after * 1000)}
        )


def as_text(found: list[CorpusDifference]) -> str:
    """One line per change."""
    if not found:
        return "no difference\n"
    return "".join(f"{c.verdict:6} {_place(c)}: {c.what}\n" for c in found)


def as_json(found: list[CorpusDifference]) -> str:
    entries = [
        {
            "path": c.path,
            "function": c.function,
            "what": c.what,
            "worse": c.is_worse,
            "before": c.before,
            "after": c.after,
        }
        for c in found
    ]
    return json.dumps(entries, indent=1) + "\n"


def as_markdown(found: list[CorpusDifference]) -> str:
    """A comment for a code host."""
    worse = sum(c.is_worse for c in found)
    head = f"**{worse} worse, {len(found) - worse} other changes**\n"
    if not found:
        return head
    rows = "".join(f"| {c.verdict} | {_cell(_place(c))} | {_cell(c.what)} |\n" for c in found)
    return f"{head}\n| | where | what |\n|---|---|---|\n{rows}"


def as_html(found: list[CorpusDifference]) -> str:
    rows = "".join(
        f"<tr><td>{c.verdict}</td><td>{html.escape(_place(c))}</td><td>{html.escape(c.what)}</td></tr>\n"
        for c in found
    )
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>bufferize corpus diff</title>\n<table>\n{rows}</table>\n'


def _place(change: CorpusDifference) -> str:
    place = change.path + (f" @{change.function}" if change.function else "")
    return "".join(c if c.isprintable() else "�" for c in place)


def _cell(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).replace("|", "\\|")


SUMMARY = "Analyse many programs, and store what each function copies and allocates in a file, by content, so that no program is analysed twice. With 'diff OLD NEW', compare two such files, two folders or two revisions, worst changes first."
EXAMPLES = (
    ("bufferize corpus programs/ -o today.db", "analyse every .mlir file below a folder"),
    (
        "bufferize corpus diff yesterday.db today.db",
        "what copies more than before? (exit code 1 if anything does)",
    ),
    ("bufferize corpus diff main HEAD", "the programs of two revisions of this checkout"),
    ("bufferize corpus diff before/ after/", "the output of two versions of a compiler"),
    ("bufferize corpus diff old.db new.db --format markdown", "as a comment in a code review"),
)
FORMATS = ("text", "json", "markdown", "html")
DEFAULT_OUTPUT = "corpus.db"
MAX_REFUSED = 50
"""Refused programs that are listed; the rest is counted."""


def configure(parser: arguments.Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; or diff OLD NEW")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"the file of results (default {DEFAULT_OUTPUT}); for diff, a file that caches the results of folders and revisions (default: none)",
    )
    parser.flags("""
        --jobs N=0         processes at once (default: 0, one for each core)
        --cluster ADDRESS  run on a Dask cluster: 'local' or tcp://..., extra bufferize[cluster]
    """)
    arguments.add_choice(parser, "--format", FORMATS, "text", "of a comparison")
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    if flags.paths[0] == "diff":
        if len(flags.paths) != 3:
            raise arguments.UsageError(
                "'diff' takes two results, folders or revisions. Try: 'bufferize corpus --help'"
            )
        return _compare(flags.paths[1], flags.paths[2], flags)
    return _analyse(flags)


def _compare(old: str, new: str, flags: argparse.Namespace) -> int:

    with Store(flags.output or ":memory:") as cache:
        options = arguments.analysis_options(flags)
        before, after = (programs_of(where, cache, _executor(flags), options) for where in (old, new))
    found = changes(before, after)
    render = {"text": as_text, "json": as_json, "markdown": as_markdown, "html": as_html}
    output.write_stdout(render[flags.format](found))
    return 1 if any(change.is_worse for change in found) else 0


def _analyse(flags: argparse.Namespace) -> int:

    files = _files(flags.paths)
    texts = {path: Path(path).read_bytes() for path in files}
    name = flags.output or DEFAULT_OUTPUT
    with Store(name) as store:
        keys, analysed = analyse(texts, store, _executor(flags), arguments.analysis_options(flags))
        store.set_programs(keys)
        refused = {path: p.found["error"] for path, p in store.programs().items() if "error" in p.found}
    output.write_stdout(
        f"{len(files)} programs in {name}: {analysed} analysed now, {len(files) - analysed} known before, {len(refused)} refused\n"
    )
    named = [f"refused: {path}: {why}" for path, why in sorted(refused.items())]
    more = len(named) - MAX_REFUSED
    output.write_stdout(clean_lines([*named[:MAX_REFUSED], *([f"and {more:,} more"] if more > 0 else [])]))
    return 0


def _executor(flags: argparse.Namespace) -> Start:

    return (
        runner.cluster(flags.cluster)
        if flags.cluster
        else runner.processes(max(flags.jobs, 0) or os.cpu_count() or 1)
    )


def _files(paths: list[str]) -> list[str]:
    """The selected programs; see `files_in`.

    Raises:
        InputError: there is no such file.
    """
    from ...ir.source.diagnostics import InputError, error
    from ..programs import files_in

    found = files_in(paths)
    for path in found:
        if not Path(path).is_file():
            raise InputError(error(f"cannot read '{path}': there is no such file or folder"))
    return found
