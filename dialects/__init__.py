"""The dialects, one module or package each.

Other modules use a few operations of a large dialect, and most programs contain none of it. So a package can import its
modules when one of their names is first accessed, and all of them when the dialect is loaded (`ir.text.registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports a module when one of its names is first accessed.

    Args:
        modules: the public names of each module, separated by spaces.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"the {package.rpartition('.')[2]} dialect has no '{name}'")
        found = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(import_module(package), name, found)
        return found

    return get
