"""Explanations: turns conflicts and proofs into diagnostics.

`bufferize.explain` is both this package and a function: importing any of its modules binds the name to
the package, so the package is callable and behaves like the public function of that name.
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
