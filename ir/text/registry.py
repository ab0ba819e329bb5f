"""Registry of operations by name; dialects are loaded when first met.

A dialect is a module (or package) of `bufferize.dialects`; importing it declares its operations. Nothing is imported
before a program mentions it, so starting up costs what the program at hand needs.
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

    def __init__(self, package: str, hidden: frozenset[str] = frozenset()):
        self.package = package
        self.hidden = hidden
        """Dialects that are there and taken to be unknown."""
        self.loaded: set[str] = set()
        self._loading: set[str] = set()
        self._lock = threading.RLock()
        self.aliases: dict[str, str] = {}
        self._attribute_checks: dict[tuple[str, str], Any] = {}
        self._modules: set[str] = set()
        """The dialects that have a module; the others have declarations only."""
        self.forms: dict[type[Operation], Any] = {}
        self.uses_fast_forms = True
        self.awaited: dict[type[Operation], int] = {}
        """How many more operations of a class are read until its fast form is worth making; see `custom_form`."""
        self.fast_forms: dict[str, Any] = {}
        """Compiled one-expression forms by the spelling of the operation's name; filled by `custom_form`."""

    @cached_property
    def dialects(self) -> tuple[str, ...]:
        """The names of all dialects known here, sorted."""
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.submodule_search_locations is None:
            return ()
        skipped = ("common", "folds", "legacy", "function_like", "ods")
        # listed by hand: `pkgutil` imports `inspect` for that, a tenth of what a small program takes; the playground has compiled modules only
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
        return tuple(sorted((self._modules | declared) - self.hidden))

    @property
    def public_dialects(self) -> tuple[str, ...]:
        """The dialects that programs are written in: `test` is read, so that tests of others run, and offered to nobody."""
        return tuple(name for name in self.dialects if name != "test")

    def knows_dialect(self, name: str) -> bool:
        if name in self.hidden:
            return False
        return name in self.dialects or any(full.startswith(name + ".") for full in declare.REGISTRY)

    def load(self, dialect: str) -> None:
        """Import the module of `dialect`, if there is one. Another thread that wants it waits until it is there."""
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
            if dialect in self._modules:
                module = importlib.import_module(f"{self.package}.{dialect}")
                for part in getattr(module, "MODULES", ()):
                    importlib.import_module(f"{self.package}.{dialect}.{part}")
            else:
                importlib.import_module(f"{self.package}.ods").declare_shipped(dialect)
            for cls in list(declare.REGISTRY.values()):
                for alias in vars(cls).get("aliases", ()):
                    self.aliases[alias] = cls.name
        elif not any(name.startswith(dialect + ".") for name in declare.REGISTRY):
            importlib.import_module(f"{self.package}._described").load_installed(dialect)

    def attribute_check(self, dialect: str, kind: str) -> Any:
        """The function `kind` with which `dialect` checks attributes that bear its name, or None.

        `check_operation_attribute(op, name, value)` or `check_argument_attribute(op, name, value)` of the dialect's
        module; they return what is wrong, or None.
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
        """The class of the operation of that full name or alias."""
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
        """The operations of a dialect, sorted by name; none if it is not known."""
        if dialect not in self.dialects:
            return []
        self.load(dialect)
        names = {n for n in (*declare.REGISTRY, *declare.UNDECLARED) if n.startswith(f"{dialect}.")}
        return [cls for name in sorted(names) if (cls := self.find(name)) is not None]

    def candidates(self, name: str, default_dialect: str) -> list[type[Operation]]:
        """What a custom-form name may mean, most likely first.

        A name without dialect belongs to the enclosing operation's default dialect or to `builtin`; otherwise it may be
        a spelling of 2020, of which some (`dim`, `load`) could belong to several dialects.
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


UNPREFIXED = frozenset(("call", "call_indirect", "return"))
"""Operations of `func` that were written without its name, and still are right in a function."""

_default: Registry | None = None

FOREIGN = frozenset(("gradient", "iree_linalg_ext", "quantum", "tm_tensor", "util"))
"""The dialects of other projects that are known here and not to mlir-opt."""


@cache
def mlir_registry() -> Registry:
    """What mlir-opt knows: with `--allow-unregistered-dialect` it keeps operations of foreign dialects as they are."""
    return Registry(default_registry().package, FOREIGN)


def default_registry() -> Registry:
    global _default
    if _default is None:
        _default = Registry(f"{__name__.rsplit('.', 3)[0]}.dialects")
    return _default
