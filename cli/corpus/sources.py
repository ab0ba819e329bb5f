"""What `corpus diff` compares: kept results, programs in files and folders, or those of a revision.

A file that is no `.mlir` holds results. A folder, or a `.mlir` file, is analysed. What is neither is a revision of the checkout that
the command runs in: the programs that git has there. Programs of folders and revisions are known by their paths inside.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from ...ir.source.diagnostics import InputError, error
from ..programs import files_in
from ..progress import Progress
from .run import Start, run
from .store import Programs, Store, key_of

SUFFIX = ".mlir"


def programs_of(where: str, cache: Store, start: Start) -> Programs:
    """What is known of the programs that a word means; what is not known yet is found out and kept in `cache`.

    Raises:
        InputError: there are none.
    """
    path = Path(where)
    if path.is_file() and path.suffix != SUFFIX:
        with Store(where, must_exist=True) as store:
            return store.programs()
    if path.exists():
        texts = {_inside(file, path): Path(file).read_bytes() for file in files_in([where])}
    else:
        texts = dict(_of_revision(where))
        if not texts:
            raise InputError(error(f"revision '{where}' has no program: no file ends in {SUFFIX}"))
    keys, _ = analyse(texts, cache, start)
    return cache.of(keys)


def _inside(file: str, root: Path) -> str:
    return Path(file).name if root.is_file() else Path(file).relative_to(root).as_posix()


def analyse(texts: dict[str, bytes], store: Store, start: Start) -> tuple[dict[str, str], int]:
    """Find out of programs what `store` does not know; their keys, and how many that were."""
    from ... import __version__
    from ...explain.corpus import measure

    keys = {path: key_of(text, __version__) for path, text in texts.items()}
    have = store.known(keys.values())
    missing = {key: path for path, key in keys.items() if key not in have}
    if missing:
        jobs = [(key, path, texts[path]) for key, path in missing.items()]
        with Progress(len(jobs)) as progress:
            for batch in run(jobs, measure, start):
                store.add(batch)
                for result in batch:
                    progress.step(missing[result.key])
    return keys, len(missing)


def _of_revision(revision: str) -> Iterator[tuple[str, bytes]]:
    """The programs of the checkout around the current folder as they were at a revision, by path.

    Raises:
        InputError: there is neither a file, a folder nor a revision of that name.
    """

    def git(*words: str) -> bytes:
        return subprocess.run(
            ["git", *words],
            capture_output=True,
            check=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout

    try:
        name = (
            git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")
            .decode()
            .strip()
        )
        archive = git("archive", "--format=tar", name)
    except (OSError, subprocess.CalledProcessError):
        raise InputError(
            error(f"'{revision}' is no file of results, no folder, and no revision of the checkout here")
        ) from None
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() and member.name.endswith(SUFFIX) else None
            if file is not None:
                yield member.name, file.read()
