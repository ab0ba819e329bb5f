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
    "analysed again. With 'diff OLD NEW', compare two such files, worst first."
)
EXAMPLES = (
    ("bufferize corpus programs/ -o today.db", "analyse every .mlir file below a folder"),
    (
        "bufferize corpus diff yesterday.db today.db",
        "what copies more than before? exit code 1 if something does",
    ),
    ("bufferize corpus diff old.db new.db --format markdown", "as a comment for a code host"),
)
FORMATS = ("text", "json", "markdown", "html")


def configure(parser: arguments.Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders; or diff OLD NEW")
    parser.add_argument(
        "-o", "--output", default="corpus.db", metavar="FILE", help="the file of results (default corpus.db)"
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
            raise arguments.UsageError("'diff' takes two files of results. Try: 'bufferize corpus --help'")
        return _compare(flags.paths[1], flags.paths[2], flags.format)
    return _analyse(flags)


def _compare(old: str, new: str, format: str) -> int:
    from . import diff
    from .store import Store

    with Store(old, must_exist=True) as before, Store(new, must_exist=True) as after:
        found = diff.changes(dict(before.programs()), dict(after.programs()))
    render = {"text": diff.as_text, "json": diff.as_json, "markdown": diff.as_markdown, "html": diff.as_html}
    output.write_stdout(render[format](found))
    return 1 if any(change.is_worse for change in found) else 0


def _analyse(flags: argparse.Namespace) -> int:
    from ... import __version__
    from ..progress import Progress
    from .store import Store, key_of

    files = _files(flags.paths)
    texts = {path: Path(path).read_bytes() for path in files}
    keys = {path: key_of(text, __version__) for path, text in texts.items()}
    with Store(flags.output) as store:
        store.set_programs(keys)
        have = store.known(keys.values())
        missing = {key: path for path, key in keys.items() if key not in have}
        if missing:
            from ...explain.corpus import measure
            from . import run as runner

            jobs = [(key, path, texts[path]) for key, path in missing.items()]
            with Progress(len(jobs)) as progress:
                for batch in runner.run(jobs, measure, _executor(flags)):
                    store.add(batch)
                    for key, _ in batch:
                        progress.step(missing[key])
        refused = sum("error" in result for _, result in store.programs())
    output.write_stdout(
        f"{len(files)} programs in {flags.output}: {len(missing)} analysed now, {len(files) - len(missing)} known before, "
        f"{refused} refused\n"
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
