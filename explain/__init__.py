"""Explanations: from conflicts and proofs to diagnostics for people.

`bufferize.explain` is both this package and the call: importing any of its modules binds the name of the package to
the package, so the package can be called, and does what the function of that name in the public interface does.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation

if TYPE_CHECKING:
    from .explanation import Explanation


def _explain(module: Any, **options: Any) -> Explanation:
    from .report import explain_module

    if not isinstance(module, Operation):
        module = sys.modules[__name__.rpartition(".")[0]].read(module)
    return explain_module(module, **options)


class _CallableModule(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Explanation:
        return _explain(*args, **options)


sys.modules[__name__].__class__ = _CallableModule
