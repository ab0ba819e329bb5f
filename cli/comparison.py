"""Heuristics and options side by side: what each makes of one program, counted in the result.

Each configuration bufferizes its own copy of the program; allocations and copies are counted in what comes out, so that
those which only the rewrite reveals (layouts that differ at a boundary, loops that hand on buffers) count too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dialects import memref
from ..explain.cost import Size, size_of, total
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context

BOUNDARIES = {"bufferize_function_boundaries": True}

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "analysis-heuristic=top-down": {"analysis_heuristic": "top-down"},
    "analysis-heuristic=bottom-up-from-terminators": {"analysis_heuristic": "bottom-up-from-terminators"},
    "allow-return-allocs-from-loops": {"allow_return_allocs_from_loops": True},
    "function-boundary-type-conversion=identity-layout-map": {
        "function_boundary_type_conversion": "identity-layout-map"
    },
    "function-boundary-type-conversion=fully-dynamic-layout-map": {
        "function_boundary_type_conversion": "fully-dynamic-layout-map"
    },
    "copy-before-write": {"copy_before_write": True},
}
"""Options of `one-shot-bufferize`, besides `bufferize-function-boundaries`, by the name they are shown under."""


@dataclass
class Outcome:
    """What one configuration makes of the program.

    Attributes:
        allocations, copied: the sizes of all buffers allocated and copied, each operation once.
        failed: why the program cannot be bufferized so; empty if it can.
    """

    name: str
    allocations: list[Size] = field(default_factory=list)
    copied: list[Size] = field(default_factory=list)
    failed: str = ""

    def data(self) -> dict[str, Any]:
        """For machines."""
        return {
            "configuration": self.name,
            "allocations": len(self.allocations),
            "bytesAllocated": sum(size.static or 0 for size in self.allocations),
            "copies": len(self.copied),
            "bytesCopied": sum(size.static or 0 for size in self.copied),
            "symbolicSizes": sorted(size.formula or "?" for size in self.copied if size.static is None),
            "failed": self.failed or None,
        }


def compare(module: Operation, configurations: Sequence[str] = tuple(CONFIGURATIONS)) -> list[Outcome]:
    """Bufferize copies of `module` under each configuration. As costly as that many runs of the pass."""
    outcomes = []
    for name in configurations:
        outcome = Outcome(name)
        copy = module.clone()
        try:
            OneShotBufferize(**BOUNDARIES, **CONFIGURATIONS[name]).run(copy, Context())
        except BufferizeError as failure:
            outcome.failed = failure.diagnostic.message
        else:
            count(copy, outcome)
        outcomes.append(outcome)
    return outcomes


def count(module: Operation, outcome: Outcome) -> None:
    """Add up the allocations and copies in a bufferized program."""
    for op in module.walk():
        if isinstance(op, memref.AllocOp):
            outcome.allocations.append(size_of(op.results[0].type))
        elif isinstance(op, memref.CopyOp):
            outcome.copied.append(size_of(op.operands[0].type))


def to_table(outcomes: Sequence[Outcome]) -> str:
    """One line for each outcome, numbers aligned."""
    rows = [("options", "copies", "bytes copied", "allocations", "bytes allocated")]
    for o in outcomes:
        if o.failed:
            rows.append((o.name, "-", "-", "-", f"cannot be bufferized: {o.failed}"))
        else:
            rows.append(
                (o.name, str(len(o.copied)), total(o.copied), str(len(o.allocations)), total(o.allocations))
            )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = []
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            row[1].rjust(widths[1]),
            row[2].rjust(widths[2]),
            row[3].rjust(widths[3]),
        ]
        lines.append("  ".join([*cells, row[4]]).rstrip())
    return "\n".join(lines) + "\n"
