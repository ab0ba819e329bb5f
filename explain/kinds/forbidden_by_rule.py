"""The kind `forbidden-by-rule`."""

from __future__ import annotations

from ...analysis.conflicts import Reason
from ..conflict import Conflict


class ForbiddenByRule(Conflict):
    """A rule of your own forbids that the operand keeps its buffer.

    The rule stands in a file given with `--rules`, or as `rules` in the settings; what it is for, the comment above it says.

    Example:
        // accelerator.X1: The engine cannot read and write one buffer.
        forbidden(use, value) :- owner(use, op), op_name(op, "linalg.matmul"), written(use), holds(use, value).
    """

    id = "forbidden-by-rule"

    def why(self, reason: Reason) -> str:
        rules = self.result.state.database.program.rules
        said = next(
            (rule.doc.partition(". ")[0].removesuffix(".") for rule in rules if rule.id == reason.rule), ""
        )
        told = f": {said[0].lower()}{said[1:]}" if said else ""
        return f", as rule {reason.rule} wants it{told}"
