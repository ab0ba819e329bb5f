"""Registry of rewrites: one `Rewrite` per operation kind, found by name.

A rewrite belongs to an operation that has a model (see `analysis/models`). It says

* `bufferize(op, b)`: how to replace the operation; `b` is the `Bufferizer` at work, with its insertion point before
  the operation. It raises `RewriteFailed` if it cannot.
* `buffer_type(value, types)`: the type of the buffer of a value that the operation owns (a result, or an
  argument of one of its blocks), before the operation is rewritten. A generator: it yields each value whose buffer
  type it needs and receives that type, so that chains of any length need no recursion.
* `may_allocate_inside`: whether buffers may be inserted in the regions of the operation.

Users add rewrites of their own operations with `RewriteRegistry.add`.
"""

from __future__ import annotations

from typing import Final

from ...analysis.models.registry import MODELS, SHARED_MODELS
from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Operation
from ...ir.source.diagnostics import PassFailed, error
from .bufferizer import Rewrite

REWRITES: Final = TablesByClass[Rewrite]("REWRITES", __package__ or "", "rewrite_", "rewrites", SHARED_MODELS)
"""Modules beside this one, `rewrite_<dialect>`, have the rewrites of a dialect, or of those that share one."""


class RewriteRegistry:
    """Rewrites by operation name: the built-in ones, and those a user adds, which take precedence."""

    def __init__(self) -> None:
        self._rewrites: dict[str, Rewrite | None] = {}

    def add(self, kind: str | type[Operation], rewrite: Rewrite) -> None:
        """Make `rewrite` the one for a kind of operation, given by its class or full name."""
        self._rewrites[kind if isinstance(kind, str) else kind.name] = rewrite

    def has(self, name: str) -> bool:
        """Whether a rewrite for operations of that name was added, or found already."""
        return self._rewrites.get(name) is not None

    def find(self, op: Operation) -> Rewrite | None:
        """The rewrite of the operation; None if there is none. O(1) after the first of its name."""
        name = op.name
        try:
            return self._rewrites[name]
        except KeyError:
            rewrite = self._rewrites[name] = self._load(op)
            return rewrite

    @staticmethod
    def _load(op: Operation) -> Rewrite | None:
        rewrite = REWRITES.of(op)
        if rewrite is None and MODELS.of(op) is not None:
            own = MODELS.table(op.dialect) is not None
            home = REWRITES.homes.get(op.dialect, op.dialect)
            place = f"REWRITES of {__package__}.rewrite_{home}" if own else REWRITES.place(op)
            raise PassFailed(error(f"'{op.name}' has a model, but no rewrite in {place}", op.name_span))
        return rewrite
