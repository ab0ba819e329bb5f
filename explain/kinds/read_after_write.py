"""The kind `read-after-write`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ...dialects.linalg.base import LinalgOp
from ...ir.source.diagnostics import Diagnostic
from ..conflict import Conflict
from ..conflict_labels import are_apart, carried_by


class ReadAfterWriteCopy(Conflict):
    """A value is read after its buffer would have been overwritten.

    The operation would write to a buffer whose old contents are read later. It gets a copy. Move the read before
    the write, write to another destination, or read the new value.

    Example:
        %u = tensor.insert %f into %t[%i] : tensor<4xf32>
        %x = tensor.extract %t[%i] : tensor<4xf32>   // still needs %t
    """

    id = "read-after-write"

    def why(self, reason: Reason) -> str:
        read = reason.read
        assert read is not None
        verb, writer = self.would_overwrite(reason), self.writer(reason)
        if are_apart(self.proved, reason):
            return f": {writer} writes to the buffer that {self.part_read(reason)}, and whole buffers are compared"
        if read.owner is reason.write.owner:
            if carried_by(read) is not None and read is not reason.write:
                return f": {writer} starts with it twice, and {verb} one while it goes on with the other"
            return f": {writer} {verb} what it still reads"
        return f": {self.reader(reason)} still needs what {writer} {verb}"

    def part_read(self, reason: Reason) -> str:
        """What is read of a buffer of which another part is written."""
        assert reason.read is not None
        if reason.read.owner is reason.write.owner:
            return "it reads another part of"
        return f"{self.reader(reason)} reads another part of"

    def tell(self, diagnostic: Diagnostic) -> None:
        super().tell(diagnostic)
        reason = self.reasons[0] if self.reasons else None
        if reason is None or reason.read is None or reason.read.owner is not reason.write.owner:
            return
        if isinstance(reason.write.owner, LinalgOp) and not self.result.is_in_place(reason.write):
            destination = "its input and its result cannot be one buffer"
            if self.copies and self.operand is reason.write:
                destination += ", and what the result begins with is the input"
            diagnostic.note(
                f"'{reason.write.owner.name}' reads elements after others were written: {destination}"
            )
            diagnostic.help(
                "the result can go to any buffer of the same shape that this operation does not read"
            )
