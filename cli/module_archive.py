"""The compiled modules of this package in one file: finding and reading 180 files took a quarter of a small command.

For each import, Python searches folders, compares the times of two files, and opens and reads the compiled one. The archive
holds what these compiled files (`.pyc`) contain, and is in the same folder: whoever may change it may change them.

(1) A module whose source has another time or size than when it was compiled is imported as usual.
(2) A process that imported modules which are not in the archive writes a new one when it exits.
(3) `PYTHONDONTWRITEBYTECODE` and `PYTHONPYCACHEPREFIX` mean what they mean for compiled files. Where nothing can be written,
    or the package is not in plain files, imports are as usual.

Only entry points install it: a program that imports the package imports it as any other.
"""

from __future__ import annotations

import marshal
import os
import sys

# What `importlib.machinery` and `importlib.util` export, without importing them.
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader

TYPE_CHECKING = False  # see `bufferize/__init__.py`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

Entry = tuple[str, str, bool, int, int, int, int]
"""Source file, compiled file, whether it is a package, time (ns) and size of the source, start and length in the archive."""

HEAD = b"bufferize modules " + MAGIC_NUMBER
PYC_HEADER = 16
LENGTH_BYTES = 8


class _Loader(SourceFileLoader):
    """Takes the code of a module from the archive."""

    def __init__(self, archive: ModuleArchive, name: str, path: str) -> None:
        super().__init__(name, path)
        self._archive = archive

    def get_code(self, fullname: str) -> CodeType | None:
        return self._archive.code(fullname) or super().get_code(fullname)


class ModuleArchive:
    """The archive of one package, and the import hook (`sys.meta_path`) that uses it.

    Args:
        package: the name of the package.
        path: the archive's file; it need not exist.
    """

    def __init__(self, package: str, path: str) -> None:
        self._package = package
        self._path = path
        self._entries: dict[str, Entry] = {}
        self._blobs = 0
        try:
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115  read until the process ends
            head = self._file.read(len(HEAD) + LENGTH_BYTES)
            if head.startswith(HEAD):
                length = int.from_bytes(head[len(HEAD) :], "little")
                self._entries = marshal.loads(self._file.read(length))
                self._blobs = len(head) + length
        except (OSError, ValueError, EOFError, TypeError):
            pass  # there is none, or it is damaged: imports are as usual

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        entry = self._entries.get(fullname)
        if entry is None:
            return None
        source, compiled, is_package, time, size, _, _ = entry
        try:
            status = os.stat(source)
        except OSError:
            return None
        if status.st_mtime_ns != time or status.st_size != size:
            del self._entries[fullname]
            return None
        spec = ModuleSpec(fullname, _Loader(self, fullname, source), origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = compiled
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def code(self, name: str) -> CodeType | None:
        """The code of a module; None if it cannot be read."""
        try:
            return marshal.loads(self._bytes(self._entries[name]))
        except (OSError, ValueError, EOFError, TypeError):
            return None

    def _bytes(self, entry: Entry) -> bytes:
        self._file.seek(self._blobs + entry[5])
        return self._file.read(entry[6])

    def save(self) -> None:
        """Write the archive again if modules of the package were imported that it lacks. O(size of the archive)."""
        lacking = [name for name in sys.modules if name not in self._entries and self._is_ours(name)]
        if not lacking or sys.dont_write_bytecode:
            return
        entries: dict[str, Entry] = {}
        blobs: list[bytes] = []
        start = 0
        temporary = f"{self._path}.{os.getpid()}"
        try:
            found = [(name, entry, self._bytes(entry)) for name, entry in self._entries.items()]
            added = [
                (name, *known) for name in lacking if (known := _compiled(sys.modules[name])) is not None
            ]
            if not added:
                return
            for name, (source, compiled, is_package, time, size, _, _), code in (*found, *added):
                entries[name] = source, compiled, is_package, time, size, start, len(code)
                blobs.append(code)
                start += len(code)
            index = marshal.dumps(entries)
            with open(temporary, "xb") as file:
                file.write(HEAD + len(index).to_bytes(LENGTH_BYTES, "little") + index + b"".join(blobs))
            os.replace(temporary, self._path)
        except OSError:
            pass  # as for compiled files: the next process imports as this one did

    def _is_ours(self, name: str) -> bool:
        return name == self._package or name.startswith(self._package + ".")


def _compiled(module: ModuleType) -> tuple[Entry, bytes] | None:
    """What the archive holds of an imported module; None unless its compiled file is that of its source."""
    spec = module.__spec__
    if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin or not spec.cached:
        return None
    try:
        status = os.stat(spec.origin)
        with open(spec.cached, "rb") as file:
            data = file.read()
    except OSError:
        return None
    fields = [int.from_bytes(data[i : i + 4], "little") for i in range(4, PYC_HEADER, 4)]
    if fields != [0, int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF]:
        return None
    is_package = spec.submodule_search_locations is not None
    entry = spec.origin, spec.cached, is_package, status.st_mtime_ns, status.st_size, 0, 0
    return entry, data[PYC_HEADER:]


def use_archive() -> None:
    """Import the package's further modules from its archive."""
    package = __name__.partition(".")[0]
    spec = sys.modules[package].__spec__
    if spec is None or type(spec.loader) is not SourceFileLoader or not spec.cached:
        return
    name = os.path.basename(spec.cached).replace("__init__", "modules").replace(".pyc", ".archive")
    archive = ModuleArchive(package, os.path.join(os.path.dirname(spec.cached), name))
    sys.meta_path.insert(0, archive)
    import atexit

    atexit.register(archive.save)
