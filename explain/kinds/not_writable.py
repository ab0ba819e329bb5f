"""The kind `not-writable`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ...analysis.places import value_name
from ...ir.source.diagnostics import Diagnostic
from ..conflict import Conflict


class NotWritable(Conflict):
    """The buffer may not be written.

    The operation would write to a constant, to an argument marked as not writable, or to memory that others own.
    Copy on purpose, or allow the write where it is yours to allow. A constant of equal elements can be made by
    tensor.empty and linalg.fill instead.

    Example:
        %c = arith.constant dense<0.0> : tensor<4xf32>
        %u = tensor.insert %f into %c[%i] : tensor<4xf32>
    """

    id = "not-writable"

    def why(self, reason: Reason) -> str:
        writer = self.writer(reason)
        verb = "would write" if self.proved.is_write(reason.write) else "is taken to write"
        return f": {writer} {verb} to {value_name(reason.value)}, which {reason.why_not_writable}"

    def tell(self, diagnostic: Diagnostic) -> None:
        super().tell(diagnostic)
        for reason in self.reasons[:1]:
            op = reason.value.defining_op
            held = op.properties.get("value") if op is not None and op.name == "arith.constant" else None
            if getattr(held, "is_splat", False):
                diagnostic.help(
                    "all its elements are equal: tensor.empty and linalg.fill make it in a buffer of its own, without a copy"
                )
