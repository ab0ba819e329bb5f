"""The program: types, attributes, operations, regions; text in, text out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from .text import printer  # installs `Operation.to_text`  # noqa: F401


def on_demand(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports a module when one of its names is first accessed.

    Args:
        modules: the public names of each module, separated by spaces.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(import_module(package), name, found)
        return found

    return get
