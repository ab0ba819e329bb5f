"""`bufferize corpus`: the account of many programs, kept by content; and what changed between two such results."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .. import arguments, output

if TYPE_CHECKING:
    from .run import Start

SUMMARY = (
    "Analyse many programs and keep the account of each function in a file, by content: what was analysed once is not "
    "analysed again. With 'diff OLD NEW', compare two such files, two folders or two revisions, worst first."
)
EXAMPLES = (
    ("bufferize corpus programs/ -o today.db", "analyse every .mlir file below a folder"),
    (
        "bufferize corpus diff yesterday.db today.db",
        "what copies more than before? exit code 1 if something does",
    ),
    ("bufferize corpus diff main HEAD", "the programs of two revisions of this checkout"),
    ("bufferize corpus diff before/ after/", "of two folders, as two versions of a compiler wrote them"),
    ("bufferize corpus diff old.db new.db --format markdown", "as a comment for a code host"),
)
FORMATS = ("text", "json", "markdown", "html")
DEFAULT_OUTPUT = "corpus.db"


def configure(parser: arguments.Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; or diff OLD NEW")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"the file of results (default {DEFAULT_OUTPUT}); of diff, a file that keeps what is found out of folders "
        "and revisions (default: none)",
    )
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="processes at once (default: 0, one for each core)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on a Dask cluster: 'local' or tcp://..., extra bufferize[cluster]",
    )
    arguments.add_choice(parser, "--format", FORMATS, "text", "of a comparison")


def run(flags: argparse.Namespace) -> int:
    if flags.paths[0] == "diff":
        if len(flags.paths) != 3:
            raise arguments.UsageError(
                "'diff' takes two results, folders or revisions. Try: 'bufferize corpus --help'"
            )
        return _compare(flags.paths[1], flags.paths[2], flags)
    return _analyse(flags)


def _compare(old: str, new: str, flags: argparse.Namespace) -> int:
    from . import diff
    from .run import Store, programs_of

    with Store(flags.output or ":memory:") as cache:
        before, after = (programs_of(where, cache, _executor(flags)) for where in (old, new))
    found = diff.changes(before, after)
    render = {"text": diff.as_text, "json": diff.as_json, "markdown": diff.as_markdown, "html": diff.as_html}
    output.write_stdout(render[flags.format](found))
    return 1 if any(change.is_worse for change in found) else 0


def _analyse(flags: argparse.Namespace) -> int:
    from .run import Store, analyse

    files = _files(flags.paths)
    texts = {path: Path(path).read_bytes() for path in files}
    name = flags.output or DEFAULT_OUTPUT
    with Store(name) as store:
        keys, analysed = analyse(texts, store, _executor(flags))
        store.set_programs(keys)
        refused = sum("error" in known.found for known in store.programs().values())
    output.write_stdout(
        f"{len(files)} programs in {name}: {analysed} analysed now, {len(files) - analysed} known before, {refused} refused\n"
    )
    return 0


def _executor(flags: argparse.Namespace) -> Start:
    from . import run as runner

    return (
        runner.cluster(flags.cluster)
        if flags.cluster
        else runner.processes(max(flags.jobs, 0) or os.cpu_count() or 1)
    )


def _files(paths: list[str]) -> list[str]:
    """The programs that are meant; see `files_in`.

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
