"""What is to be done so that every buffer is freed once: the outcome of the analysis, before anything is rewritten.

Formulas are diagrams of `flags`. What a transform adds to the program is: a free for each `FreePoint` whose condition is not
false, a guard for each `Guard` whose condition is not true, a copy for each `Returned` that is not owned, and a truth value
that travels for each `CarriedFlag` variable that a formula left to be decided at run time depends on.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ...ir.program.core import Operation, OpOperand
from .flow import CfgEdge, ExtendedBlock
from .owners import BufferOwner


@dataclass(slots=True)
class FreePoint:
    """A buffer is needed no more.

    Attributes:
        holder: under which name it is freed.
        condition: whether it is owned there.
        behind: the number of the operation in `stretch` behind which it is freed, -1 for the start; or None,
        passage: on the way from one stretch to another.
        given: what is known to hold there.
    """

    holder: BufferOwner
    condition: int
    stretch: ExtendedBlock
    behind: int | None = None
    passage: CfgEdge | None = None
    given: int = 1


@dataclass(slots=True)
class Handed:
    """Ownership goes from one name to another.

    Attributes:
        source, target: the holders.
        condition: in which cases.
        moved: whether the source is needed no more; else it is lent, and keeps what it owns.
    """

    source: BufferOwner
    target: BufferOwner
    condition: int
    moved: bool
    stretch: ExtendedBlock
    behind: int | None = None
    passage: CfgEdge | None = None


@dataclass(slots=True)
class Guard:
    """An operation of the program that frees `holder`: `condition` says whether there still is something to free, where
    `given` holds, without which it does not run."""

    op: Operation
    holder: BufferOwner
    condition: int
    stretch: ExtendedBlock
    at: int
    given: int = 1


@dataclass(slots=True)
class Returned:
    """A buffer is returned: `condition` says whether it is ours to give away, or that the caller is told that it is not.

    Attributes:
        told: what the caller is to be told, if a flag does that does not exist yet.
    """

    use: OpOperand
    holder: BufferOwner | None
    condition: int
    stretch: ExtendedBlock
    told: int | None = None


@dataclass(slots=True, eq=False, repr=False)
class CarriedFlag:
    """A truth value that depends on the way by which a stretch was entered.

    Attributes:
        name: the variable of the diagrams that stands for it.
        stretch: where it is chosen.
        holder, other: it says whether `holder` is owned, or, if there is another, whether both are one buffer. For an `i1`
            of the program there is none.
        ways: for each passage into the stretch the formula there, and what is known to hold.
    """

    name: Hashable
    stretch: ExtendedBlock
    holder: BufferOwner | None
    other: BufferOwner | None = None
    ways: list[tuple[CfgEdge, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class FreeingPlan:
    """Everything, in the order of the program."""

    frees: list[FreePoint] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    travelling: dict[Hashable, CarriedFlag] = field(default_factory=dict)
