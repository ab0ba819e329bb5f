"""The kind `unknown-operation`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ...analysis.places import value_name
from ...ir.source.diagnostics import Diagnostic
from ..conflict import Conflict


class UnknownOperation(Conflict):
    """An operation of which nothing is known takes part.

    Operations without a bufferization model are taken to read and write everything they touch. Describe them with
    --models FILE.

    Example:
        %u = "my.update"(%t) : (tensor<4xf32>) -> tensor<4xf32>
    """

    id = "unknown-operation"

    def why(self, reason: Reason) -> str:
        if reason.read is None:
            return f": {self.writer(reason)} may write to {value_name(reason.value)}, which {reason.why_not_writable}"
        return (
            f": {self.reader(reason)} still needs what {self.writer(reason)} {self.would_overwrite(reason)}"
        )

    def tell(self, diagnostic: Diagnostic) -> None:
        super().tell(diagnostic)
        unknown = next((reason.unknown for reason in self.reasons if reason.unknown is not None), None)
        if self.inserted and unknown is not None:
            diagnostic.help(f"--models FILE can say what '{unknown.name}' reads, writes and aliases")
