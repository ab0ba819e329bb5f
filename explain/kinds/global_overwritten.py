"""The kind `global-overwritten`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ..finding import Finding


class GlobalOverwritten(Finding):
    """A global is stored to after it was loaded.

    The loaded value would change under its readers, so it is copied when it is loaded.

    Example:
        %t = ml_program.global_load @state : tensor<4xf32>
        ml_program.global_store @state = %u : tensor<4xf32>
        %x = tensor.extract %t[%i] : tensor<4xf32>
    """

    id = "global-overwritten"

    def title(self) -> str:
        return f"{self.name} is copied ({self.bytes}): the global it was loaded from is stored to"

    def tell_rules(self, grounds: Grounds) -> None:
        state = self.result.state
        model = state.model_of(self.op)
        loaded = model.global_loaded(self.op) if model is not None else None
        if loaded is not None:
            grounds.tell("loads", self.op, loaded)
        for name in state.stored_globals(state.root):
            grounds.tell("stored", name)
