"""The kind `carried-around-loop`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ...analysis.places import value_name
from ...ir.program.interfaces import LoopLikeOp
from ..conflict import Conflict
from ..conflict_labels import loop_over


class CarriedAroundLoop(Conflict):
    """A later iteration reads what an earlier one would have overwritten.

    The read comes before the write in the text, but the loop runs the write before the next read, and the contents
    were made outside of the loop. Pass the tensor through iter_args, or read it before the loop.

    Example:
        scf.for ... {
          %x = tensor.extract %t[%i] : tensor<4xf32>         // the next iteration needs %t
          %u = tensor.insert %f into %t[%i] : tensor<4xf32>
    """

    id = "carried-around-loop"

    def why(self, reason: Reason) -> str:
        assert reason.read is not None
        if reason.read is reason.write:
            return f": '{reason.write.owner.name}' still reads the old value in the next iteration"
        writer = reason.write.owner
        reader, victim = self.reader(reason), value_name(reason.value)
        if isinstance(writer, LoopLikeOp) and loop_over(reason) is writer:
            return (
                f": the loop {self.would_overwrite(reason)} {victim}, which {reader} reads in every iteration"
            )
        return f": the next iteration's {reader} still needs what {self.writer(reason)} {self.would_overwrite(reason)}"
