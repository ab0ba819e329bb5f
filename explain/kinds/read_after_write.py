"""The kind `read-after-write`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ..conflict import Conflict


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
        writer = f"'{reason.write.owner.name}'"
        assert reason.read is not None
        if reason.read.owner is reason.write.owner:
            return f": {writer} would overwrite what it still reads"
        return f": {self.reader(reason)} still needs what {self.writer(reason)} would overwrite"
