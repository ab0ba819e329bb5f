"""Models: which buffers each operation reads, writes and aliases.

Begin with `base.Model`, the queries and their defaults. A dialect's module has the table `MODELS`; this file finds them.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Final

from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Operation
from ...ir.source.diagnostics import PassFailed
from ...ir.source.locations import Source
from .base import Model

# -- Model lookup by operation name. A dialect's models are imported when one of its operations is first met.

SHARED_MODELS: Final = {
    "arith": "tensor",
    "bufferization": "tensor",
    "ml_program": "others",
    "shape": "others",
    "sparse_tensor": "others",
    "test": "others",
    "vector": "others",
}
"""Dialects whose models and rewrites are with those of another."""

MODELS: Final = TablesByClass[Model]("MODELS", __package__ or "", beside="models", shared=SHARED_MODELS)
"""Modules in this folder hold the models of one dialect each, or of those that share one."""

STATED = ("reads", "writes", "aliasing_values")
"""The methods a model must define; the defaults of `Model` serve base classes of operation families."""


def check_stated(name: str, model: object) -> None:
    """Reject a model that does not say which operands are read, written or aliased.

    Raises:
        TypeError: it is no model, or one of `STATED` is not overridden.
    """
    if not isinstance(model, Model):
        raise TypeError(f"the model of '{name}' must be an instance of Model, not {model!r}")
    silent = [method for method in STATED if getattr(type(model), method) is getattr(Model, method)]
    if silent:
        raise TypeError(f"the model of '{name}' must say {' and '.join(silent)} of its operands")


@cache
def misspelt(kind: type[Model]) -> tuple[str, ...]:
    """Warnings about public names of a model class that resemble a query of `Model` but are none."""
    from difflib import get_close_matches

    known = {name for name in vars(Model) if not name.startswith("_")}
    found: list[str] = []
    for base in kind.__mro__:
        if base is Model:
            break
        for name, value in vars(base).items():
            if name.startswith("_") or name in known or not callable(value):
                continue
            close = get_close_matches(name, known, 1, 0.8)
            if close:
                found.append(f"{base.__name__}.{name} answers no question (did you mean '{close[0]}'?)")
    return tuple(found)


class ModelRegistry:
    """Models by operation name: the built-in ones, and those users register for their own operations.

    Registered models take precedence, so a facts file may also correct a built-in one.

    Attributes:
        rules: the texts of users' own rules; see `one_shot/facts.py`.
        flags: the command-line flags that describe the user's operations, for commands in messages.
    """

    def __init__(self) -> None:
        self._models: dict[str, Model | None] = {}
        self.rules: list[Source] = []
        self.flags: tuple[str, ...] = ()

    def add(self, name: str, model: Model) -> None:
        """Register `model` for the operations called `name`.

        Raises:
            TypeError: the model does not say whether operands are read or written, or what they alias.
        """
        check_stated(name, model)
        for doubt in misspelt(type(model)):
            warnings.warn(f"the model of '{name}': {doubt}", stacklevel=2)
        self._models[name] = model

    def names(self) -> list[str]:
        """The sorted names of the operations, registered or met so far, that have a model."""
        return sorted(name for name, model in self._models.items() if model is not None)

    def added(self, name: str) -> Model | None:
        """The model registered or cached under that name; None if there is none."""
        return self._models.get(name)

    def model_of(self, op: Operation) -> Model | None:
        """The model of the operation, or None if bufferization does not know it. O(1) after the first lookup of
        its name."""
        name = op.name
        try:
            return self._models[name]
        except KeyError:
            model = self._models[name] = self._find(op)
            return model

    @staticmethod
    def _find(op: Operation) -> Model | None:
        model = MODELS.of(op)
        if model is not None and MODELS.table(op.dialect) is None:
            try:
                check_stated(op.name, model)
            except TypeError as failure:
                raise PassFailed(str(failure)) from None
        return model
