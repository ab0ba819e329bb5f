"""Which clones another way of freeing memory does without: each way is run on what was bufferized, and its clones are counted.

A clone counts as saved if it is not made any more for its place in the source, or only where a flag says so, and all that its function still
clones is less than before.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from ..ir.source.records import record
from ..transforms.bufferize.on_copy import free_otherwise
from ..transforms.freeing.buffer_deallocation_pipeline import BufferDeallocationPipeline
from ..transforms.freeing.buffer_deallocation_static import BufferDeallocationStatic
from ..transforms.freeing.ownership_terminators import is_dynamic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..ir.program.core import Operation
    from ..transforms.account.report import MemoryRecord
    from ..transforms.bufferize.on_copy import Bufferized
    from ..transforms.pass_base import Pass


def ways(module: Operation) -> Iterator[tuple[str, Pass]]:
    """Other ways to free memory that make a difference for a program, by the option that asks for them."""
    if any(map(is_dynamic, module.walk())):
        yield (
            "-buffer-deallocation-pipeline=private-function-dynamic-ownership",
            BufferDeallocationPipeline(dynamic=True),
        )
    yield "-buffer-deallocation-static", BufferDeallocationStatic()


@record(frozen=True)
class Saving:
    """The option that saves a clone, and whether that is made all the same where its buffer is not owned at run time."""

    option: str
    is_partial: bool


class OtherFreeing:
    """The clones of one bufferized program, freed in other ways. Each is run once, when it is first asked for."""

    def __init__(self, bufferized: Bufferized, clones: Iterable[MemoryRecord], compat: str) -> None:
        clones = list(clones)
        self._before = _weighed(clones)
        self._saved: dict[Place, Saving] | None = None
        self._bufferized = bufferized
        self._compat = compat

    def saving(self, clone: MemoryRecord) -> Saving | None:
        """The option under which a clone is made less often, or not at all; None if there is none."""
        if self._saved is None:
            self._saved = {}
            for option, way in ways(self._bufferized.module):
                if len(self._saved) == len(self._before):
                    break  # the first way that saves a clone is the one that is told
                freed = free_otherwise(self._bufferized, way, self._compat)
                if freed.problems:
                    continue
                left = _weighed(freed.account.clones)
                before, after = _by_function(self._before), _by_function(left)
                for place, weight in self._before.items():
                    if left[place] < weight and after[place[0]] < before[place[0]]:
                        self._saved.setdefault(place, Saving(option, bool(left[place])))
        return self._saved.get(_place(clone))


Place: TypeAlias = "tuple[str, Operation, int | None]"
"""What a clone is for: the function, the operation that hands out a buffer, and the operand."""


def _place(clone: MemoryRecord) -> Place:
    return clone.function, clone.cause.op, clone.cause.operand


def _by_function(weights: Counter[Place]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (function, _, _), weight in weights.items():
        found[function] += weight
    return found


def _weighed(clones: Iterable[MemoryRecord]) -> Counter[Place]:
    """The bytes cloned for each place, half of them where it is decided at run time whether a clone is made."""
    found: Counter[Place] = Counter()
    for clone in clones:
        found[_place(clone)] += clone.traffic.estimate() * (1 if clone.times.at_most else 2)
    return found
