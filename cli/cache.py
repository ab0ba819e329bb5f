"""Results cached by content, so that a second run computes only what changed.

A result depends on the request (the kind of question, its settings and a text, all plain data), on this package's
files, and on the installed optional libraries. The key is a hash of all of these, and answers have no other inputs. So
results never need invalidation: an outdated one is simply not found.

Each result is a file of compressed JSON in a private folder (see `usual_folder`), written under a
temporary name and then renamed, so that several processes may read and write concurrently. A folder that others can
write to is not used; a corrupt file counts as missing. The oldest results are deleted beyond `MOST` bytes. `--no-
cache`, or BUFFERIZE_NO_CACHE in the environment, disables reading and writing.
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
"""Bound on the bytes of all results."""
FOLDERS = 16
"""Number of subfolders; each is bounded separately, so a write scans only one."""
OPTIONAL = ("highspy", "islpy", "numpy", "ortools", "z3")
"""Optional libraries that improve answers where installed."""
SUFFIX = ".json.z"


def add_flag(parser: arguments.Parser) -> None:
    parser.flags("--no-cache -> not cached  neither use nor store cached results")


def key_of(*parts: str | bytes) -> str:
    """A hash of everything that a result depends on."""
    import hashlib

    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


@cache
def this_package() -> str:
    """A hash that identifies the code: this package's files with sizes and times, Python, and optional libraries.

    Takes a few milliseconds.
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
    """This package's files with sizes and modification times."""
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
    """Results by key. After any file error, reads find nothing and writes are dropped."""

    def __init__(self, folder: Path | None = None, most: int = MOST) -> None:
        self.folder = usual_folder() if folder is None else folder
        self.most = most
        self._is_private: bool | None = None

    def get(self, key: str) -> str | None:
        """The cached JSON for a key, or None."""
        import zlib

        if not self._is_usable():
            return None
        path = self._path(key)
        try:
            text = zlib.decompress(path.read_bytes()).decode()
            os.utime(path)  # mark as recently used
        except (OSError, ValueError, zlib.error):
            return None
        return text

    def put(self, key: str, text: str) -> None:
        """Cache JSON under a key."""
        import zlib

        from .output import replace_file

        data = zlib.compress(text.encode(), 1)
        if len(data) > self.most // FOLDERS or not self._is_usable():
            return
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            replace_file(str(path), data)
            self._make_room(path.parent)

    def _path(self, key: str) -> Path:
        return self.folder / key[0] / (key + SUFFIX)

    def _make_room(self, folder: Path) -> None:
        """Delete the least recently used results until the folder is small enough. O(results in it)."""
        known = [(entry.stat(), entry.path) for entry in os.scandir(folder)]
        total = sum(size.st_size for size, _ in known)
        if total <= self.most // FOLDERS:
            return
        for size, path in sorted(known, key=lambda entry: entry[0].st_mtime_ns):
            with suppress(OSError):  # another process was faster
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
    """The cache folder: the platform's default, or XDG_CACHE_HOME on any system."""
    home = os.path.expanduser("~")
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen, "bufferize")
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "bufferize")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return Path(local, "bufferize", "Cache")
    return Path(home, ".cache", "bufferize")


def is_wanted(cached: bool) -> bool:
    """Whether the cache is used, given `--no-cache`."""
    return cached and not os.environ.get("BUFFERIZE_NO_CACHE")


def plain(data: object) -> str:
    """Canonical JSON, equal for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
