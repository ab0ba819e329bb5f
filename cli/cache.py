"""Results cached by content, so that a second run computes only what changed.

A result depends on what it was asked with: a kind of question, its settings and a text, all plain data; on this package, file by file;
and on which optional libraries are installed. The key is a hash of all of that, and nothing else reaches whoever answers. So a result
never has to be thrown away because something changed: it is not found any more.

Each result is a file of compressed JSON in a private folder (see `usual_folder`), written whole under
another name and then renamed, so that several processes may read and write at once. A folder that somebody else can write to is
not used; a file that is no result is not there. The oldest results go when there are more than `MOST` bytes. `--no-cache`, or
BUFFERIZE_NO_CACHE in the environment, asks for no results and keeps none.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from . import arguments

MOST = 256 << 20
"""Bytes of all results together."""
FOLDERS = 16
"""Results are in so many folders by their keys, each bounded for itself: who writes looks at one."""
OPTIONAL = ("highspy", "islpy", "numpy", "ortools", "z3")
"""Libraries that make answers sharper where they are installed."""
SUFFIX = ".json.z"


def add_flag(parser: arguments.Parser) -> None:
    parser.add_argument(
        "--no-cache",
        dest="cached",
        action="store_false",
        help="neither use nor store cached results",
    )


def key_of(*parts: str | bytes) -> str:
    """A name for what a result depends on."""
    import hashlib

    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


@cache
def this_package() -> str:
    """A name for the code that answers: this package's files with their sizes and times, Python, and optional libraries.

    A few milliseconds.
    """
    import hashlib
    from importlib.util import find_spec

    digest = hashlib.sha256(sys.version.encode())
    for name in OPTIONAL:
        found = find_spec(name)
        digest.update(f"{name} {found.origin if found is not None else ''}\n".encode())
    for place, size, changed in sorted(files_of_package()):
        digest.update(f"{place} {size} {changed}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def files_of_package() -> Iterator[tuple[str, int, int]]:
    """This package's files with their sizes and times."""
    return _files(str(Path(__file__).resolve().parent.parent), 0)


def _files(folder: str, depth: int) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            if entry.is_dir():
                if depth or os.path.exists(os.path.join(entry.path, "__init__.py")):
                    yield from _files(entry.path, depth + 1)
            elif not entry.name.endswith((".pyc", ".md")):
                known = entry.stat()
                yield entry.path, known.st_size, known.st_mtime_ns


class ResultCache:
    """Results by key. Whatever goes wrong with the files, there is no result and nothing is kept."""

    def __init__(self, folder: Path | None = None, most: int = MOST) -> None:
        self.folder = usual_folder() if folder is None else folder
        self.most = most
        self._is_private: bool | None = None

    def get(self, key: str) -> str | None:
        """The JSON that is kept under a key."""
        import zlib

        if not self._is_usable():
            return None
        path = self._path(key)
        try:
            text = zlib.decompress(path.read_bytes()).decode()
            os.utime(path)  # it is in use: others go first
        except (OSError, ValueError, zlib.error):
            return None
        return text

    def put(self, key: str, text: str) -> None:
        """Keep JSON under a key."""
        import tempfile
        import zlib

        data = zlib.compress(text.encode(), 1)
        if len(data) > self.most // FOLDERS or not self._is_usable():
            return
        path = self._path(key)
        temporary = ""
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
            self._make_room(path.parent)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)

    def _path(self, key: str) -> Path:
        return self.folder / key[0] / (key + SUFFIX)

    def _make_room(self, folder: Path) -> None:
        """Take away what was not asked for the longest, until a folder is as small as it should be. O(results in it)."""
        known = [(entry.stat(), entry.path) for entry in os.scandir(folder)]
        total = sum(size.st_size for size, _ in known)
        if total <= self.most // FOLDERS:
            return
        for size, path in sorted(known, key=lambda entry: entry[0].st_mtime_ns):
            with suppress(OSError):  # somebody else was quicker
                os.unlink(path)
            total -= size.st_size
            if total <= self.most // FOLDERS * 3 // 4:
                break

    def _is_usable(self) -> bool:
        if self._is_private is None:
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                known = os.lstat(self.folder)
                mine = not hasattr(os, "geteuid") or known.st_uid == os.geteuid()
                self._is_private = (
                    stat.S_ISDIR(known.st_mode)
                    and mine
                    and (os.name == "nt" or not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
                )
            except OSError:
                self._is_private = False
        return self._is_private


def usual_folder() -> Path:
    """Where results are kept: where `platformdirs` has caches, and where XDG_CACHE_HOME says on any system."""
    home = os.path.expanduser("~")
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):
        return Path(given, "bufferize")
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "bufferize")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return Path(local, "bufferize", "Cache")
    return Path(home, ".cache", "bufferize")


def is_wanted(cached: bool) -> bool:
    """Whether results are taken and kept, given `--no-cache`."""
    return cached and not os.environ.get("BUFFERIZE_NO_CACHE")


def plain(data: object) -> str:
    """JSON of plain data, the same for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
