"""The kinds of pictures, each drawn by a module of its own that is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...ir.program.core import Operation
    from .canvas import Canvas


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of picture.

    Attributes:
        name: as in `--kind`; the function that draws it is `draw_<name>` in the module `<name>`.
        question: what it answers.
        needs_analysis: whether it shows decisions of the One-Shot analysis.
    """

    name: str
    question: str
    needs_analysis: bool = False


KINDS = {
    kind.name: kind
    for kind in (
        Kind("cfg", "how control gets from block to block, and with which values"),
        Kind("regions", "how operations nest, and how control and values pass between their regions"),
        Kind("alias", "which values share memory, and which operations made them do so", True),
        Kind(
            "conflicts", "for each copy: which read would see which write, and whose contents it needs", True
        ),
        Kind("liveness", "when each buffer is alive, and where memory peaks"),
        Kind("ownership", "who has to free each buffer, block by block, and where it is freed"),
    )
}


def draw(
    module: Operation,
    kind: str,
    *,
    functions: Sequence[str] = (),
    focus: str = "",
    short: bool = False,
    dominators: bool = False,
    analysis: Any = None,
) -> Canvas:
    """The picture of that kind.

    Args:
        functions: names of the functions to draw, all if there are none.
        focus: `%value` or `@function`: draw its neighbourhood.
        analysis: a function that returns the One-Shot analysis of the module; called by pictures that need it.

    Raises:
        BufferizeError: there is nothing to draw, or no such function or value.
    """
    from .request import make_request
    from .wording import Wording

    wording = Wording(module, short)
    request = make_request(
        module,
        wording,
        functions=functions,
        focus=focus,
        short=short,
        dominators=dominators,
        analysis=analysis,
    )
    module_of_kind = importlib.import_module(f"{__package__}.{kind}")
    return getattr(module_of_kind, f"draw_{kind}")(request, wording)
