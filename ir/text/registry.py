"""Registry of operations by name; dialects are loaded on first use.

A dialect is a module (or package) of `bufferize.dialects`; importing it declares its operations. It is imported
when a program first mentions it, so startup costs only what the program at hand needs.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
from functools import cache, cached_property
from typing import Any

from ..declaration import declare
from ..program.core import Operation

MODULE = "builtin.module"


class Registry:
    """Operation classes by name. One process-wide instance: `default_registry()`."""

    _lock = threading.RLock()
    """Held while dialects are loaded. All registries share it, as they share the table of undeclared operations."""

    def __init__(self, package: str, hidden: frozenset[str] = frozenset()):
        self.package = package
        self.hidden = hidden
        """Dialects that are available but treated as unknown."""
        self.loaded: set[str] = set()
        self._loading: set[str] = set()
        self.aliases: dict[str, str] = {}
        self._attribute_checks: dict[tuple[str, str], Any] = {}
        self._modules: set[str] = set()
        """Dialects that have a module; the others have declarations only."""
        self.forms: dict[type[Operation], Any] = {}
        self.uses_fast_forms = True
        self.awaited: dict[type[Operation], int] = {}
        """For each operation class, the remaining occurrences before its fast form is compiled; see `custom_form`."""
        self.fast_forms: dict[str, Any] = {}
        """Compiled one-expression forms by the spelling of the operation's name; filled by `custom_form`."""

    @cached_property
    def dialects(self) -> tuple[str, ...]:
        """The names of all dialects known here, sorted."""
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.submodule_search_locations is None:
            return ()
        skipped = ("common", "folds", "legacy", "function_like", "ods")
        # listed without `pkgutil`, which imports `inspect`: a tenth of the time for a small program; the playground has
        # compiled modules only
        found = {
            stem
            for place in spec.submodule_search_locations
            for stem, suffix in map(os.path.splitext, os.listdir(place))
            if stem[0].islower() and suffix in ("", ".py", ".pyc")
        }
        self._modules = {name for name in found if name not in skipped and "_ops" not in name}
        declared = {
            stem
            for place in spec.submodule_search_locations
            if os.path.isdir(data := os.path.join(place, "ods", "data"))
            for stem, suffix in map(os.path.splitext, os.listdir(data))
            if suffix == ".json"
        }
        elsewhere = {dialect for dialect, home in HOMES.items() if home in self._modules}
        return tuple(sorted((self._modules | declared | elsewhere) - self.hidden))

    @property
    def public_dialects(self) -> tuple[str, ...]:
        """The dialects offered to users: all but `test`, which is supported only so that upstream tests can be parsed."""
        return tuple(name for name in self.dialects if name != "test")

    def knows_dialect(self, name: str) -> bool:
        if name in self.hidden:
            return False
        return name in self.dialects or any(full.startswith(name + ".") for full in declare.REGISTRY)

    def way_out(self, name: str) -> str:
        """What an unknown name may stand for: one spelt alike, or an operation without its dialect; "" if nothing."""
        import difflib

        if "." in name:
            close = difflib.get_close_matches(name, declare.REGISTRY, 1, 0.8)
            return f"did you mean '{close[0]}'?" if close else ""
        if f"func.{name}" not in declare.REGISTRY:
            return ""
        return f"only in the blocks of a 'func.func' itself may the dialect be omitted: write 'func.{name}'"

    def load(self, dialect: str) -> None:
        """Import the module of `dialect`, if there is one. Concurrent callers wait until it is loaded."""
        if dialect in self.loaded:
            return
        with self._lock:
            if dialect not in self.loaded and dialect not in self._loading:
                self._loading.add(dialect)
                try:
                    self._load(dialect)
                finally:
                    self.loaded.add(dialect)
                    self._loading.remove(dialect)

    def _load(self, dialect: str) -> None:
        if dialect in self.dialects:
            home = HOMES.get(dialect, dialect)
            if home in self._modules:
                module = importlib.import_module(f"{self.package}.{home}")
                for part in getattr(module, "MODULES", ()):
                    importlib.import_module(f"{self.package}.{home}.{part}")
            else:
                importlib.import_module(f"{self.package}.ods").declare_shipped(dialect)
            for cls in list(declare.REGISTRY.values()):
                for alias in vars(cls).get("aliases", ()):
                    self.aliases[alias] = cls.name
        elif not any(name.startswith(dialect + ".") for name in declare.REGISTRY):
            importlib.import_module(f"{self.package}._described").load_installed(dialect)

    def attribute_check(self, dialect: str, kind: str) -> Any:
        """The function called `kind` with which `dialect` checks attributes that carry its prefix, or None.

        `check_operation_attribute(op, name, value)` or `check_argument_attribute(op, name, value)` of the dialect's
        module; they return an error message, or None.
        """
        key = (dialect, kind)
        if key not in self._attribute_checks:
            module = None
            if dialect in self.dialects and dialect in self._modules:
                self.load(dialect)
                module = importlib.import_module(f"{self.package}.{dialect}")
            self._attribute_checks[key] = getattr(module, kind, None)
        return self._attribute_checks[key]

    def find(self, name: str) -> type[Operation] | None:
        """The operation class with that full name or alias, or None."""
        if self.hidden and name.partition(".")[0] in self.hidden:
            return None
        cls = declare.REGISTRY.get(name)
        if cls is None or self._loading:
            dialect = name.partition(".")[0]
            if dialect in self._loading or (cls is None and dialect not in self.loaded):
                self.load(dialect)
                cls = declare.REGISTRY.get(name)
            if cls is None:
                with self._lock:
                    declare.UNDECLARED.pop(name, lambda: None)()
                cls = declare.REGISTRY.get(name)
            if cls is None and name in self.aliases:
                cls = declare.REGISTRY[self.aliases[name]]
        return cls

    def operations(self, dialect: str) -> list[type[Operation]]:
        """The operations of a dialect, sorted by name; empty if the dialect is unknown."""
        if dialect not in self.dialects:
            return []
        self.load(dialect)
        names = {n for n in (*declare.REGISTRY, *declare.UNDECLARED) if n.startswith(f"{dialect}.")}
        return [cls for name in sorted(names) if (cls := self.find(name)) is not None]

    def candidates(self, name: str, default_dialect: str) -> list[type[Operation]]:
        """The classes that a custom-form name may refer to, most likely first.

        A name without dialect belongs to the enclosing operation's default dialect or to `builtin`; otherwise it may be
        a 2020 spelling, some of which (`dim`, `load`) could belong to several dialects.
        """
        if "." in name:
            cls = self.find(name)
            return [cls] if cls is not None else self._legacy(name)
        for prefix in (default_dialect, "builtin", "func"):
            if prefix:
                cls = self.find(f"{prefix}.{name}")
                if cls is not None and (prefix != "func" or name in UNPREFIXED):
                    return [cls]
        return self._legacy(name)

    def _legacy(self, name: str) -> list[type[Operation]]:
        legacy = importlib.import_module(f"{self.package}.legacy")
        return [cls for full in legacy.resolve(name) if (cls := self.find(full)) is not None]


HOMES = {
    "catalyst": "quantum",
    "complex": "index",
    "gradient": "quantum",
    "tm_tensor": "iree_linalg_ext",
    "ub": "builtin",
    "util": "iree_linalg_ext",
}
"""Dialects that are declared in the module of another one."""

UNPREFIXED = frozenset(("call", "call_indirect", "return"))
"""Operations of `func` that were written without prefix, and still may be within a function."""

_DEFAULT = Registry(f"{__name__.rsplit('.', 3)[0]}.dialects")

FOREIGN = frozenset(("catalyst", "gradient", "iree_linalg_ext", "quantum", "tm_tensor", "util"))
"""Dialects of other projects that this package supports and mlir-opt does not know."""


@cache
def mlir_registry() -> Registry:
    """The dialects of mlir-opt, which preserves operations of foreign dialects under `--allow-unregistered-dialect`."""
    return Registry(default_registry().package, FOREIGN)


def default_registry() -> Registry:
    """The registry of the process; made when this module is imported, so that threads cannot make two."""
    return _DEFAULT
