"""What one finding did in one run of the bufferized program."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.formulas import format_bytes


@dataclass(slots=True)
class Share:
    """What one finding did in one run: how often, bytes allocated, bytes copied."""

    times: int = 0
    allocated: int = 0
    copied: int = 0

    def __str__(self) -> str:
        if not self.times:
            return "did not run"
        times = "once" if self.times == 1 else f"{self.times:,} times"
        if self.allocated == self.copied:
            return f"ran {times}: {format_bytes(self.copied)} allocated and copied"
        parts = [(self.allocated, "allocated"), (self.copied, "copied")]
        did = ", ".join(f"{format_bytes(count)} {verb}" for count, verb in parts if count)
        return f"ran {times}" + (f": {did}" if did else "")
