"""The kind `not-owned`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ...analysis.places import value_name, value_span
from ...ir.source.diagnostics import Diagnostic
from ..conflict_labels import add_label
from ..finding import Finding
from ..loops import argument_behind as origin


class NotOwned(Finding):
    """What is handed out is not owned, so deallocation clones it.

    Who calls a function owns what it returns, and a block owns what it is passed; a buffer that is or may be somebody else's, such as
    an argument, is cloned before. Return a buffer that the function made, or drop the result: the caller has the argument.

    Example:
        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
    """

    id = "not-owned"

    def title(self) -> str:
        return (
            f"{self.name} is cloned ({self.bytes}) by deallocation: '{self.op.name}' hands out a buffer that is not, or "
            "may not be, its own"
        )

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            diagnostic.label(place, "who gets this owns it, and frees it", True)
        root = origin(self.result, self.value)
        if root is not None:
            add_label(
                diagnostic,
                value_span(root),
                f"this is the buffer of {value_name(root)}, which the caller owns",
            )

    def tell(self, diagnostic: Diagnostic) -> None:
        diagnostic.note("no read or write forces this copy, only that each buffer is freed by one owner")
        root = origin(self.result, self.value)
        if root is not None and self.result.are_equivalent(root, self.value):
            diagnostic.help(
                f"the caller has {value_name(root)} already: there is no clone if the result is left out"
            )

    def tell_rules(self, grounds: Grounds) -> None:
        root = origin(self.result, self.value)
        if root is not None:
            grounds.tell("may_be", self.value, root)
            grounds.tell("callers", root)
