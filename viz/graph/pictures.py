"""The kinds of pictures, each drawn by a module of its own that is imported when it is asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...explain.explanation import Explanation
    from ...ir.program.core import Operation
    from .canvas import Canvas


@dataclass(frozen=True, slots=True)
class PictureKind:
    """A kind of picture.

    Attributes:
        name: as in `--kind`; the function that draws it is `draw_<name>` in the module `<name>`.
        question: what it answers: how the text of that module begins.
        needs_explanation: whether it shows decisions or copies: whether the module says `NEEDS_EXPLANATION = True`.
    """

    name: str
    question: str
    needs_explanation: bool = False


def kinds() -> Iterator[PictureKind]:
    """The modules in this folder that draw; read, not imported: who lists the kinds need not have what draws them."""
    for folder in sys.modules[__name__.rpartition(".")[0]].__path__:
        for file in sorted(Path(folder).glob("*.py")):
            text = file.read_text("utf-8")
            if f"def draw_{file.stem}(" in text:
                question = text.removeprefix('"""').partition("?")[0]
                yield PictureKind(
                    file.stem, question[0].lower() + question[1:], "\nNEEDS_EXPLANATION = True\n" in text
                )


KINDS = {kind.name: kind for kind in kinds()}
"""The kinds of pictures by name: a module is one by being in this folder."""


def draw(
    module: Operation,
    kind: str,
    *,
    functions: Sequence[str] = (),
    focus: str = "",
    short: bool = False,
    dominators: bool = False,
    explanation: Callable[[], Explanation] | None = None,
) -> Canvas:
    """The picture of that kind.

    Args:
        functions: names of the functions to draw, all if there are none.
        focus: `%value` or `@function`: draw its neighbourhood.
        explanation: returns what is said of the module; called by pictures that need it.

    Raises:
        BufferizeError: there is nothing to draw, or no such function or value.
    """
    from .layered import arrange
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
        explanation=explanation,
    )
    module_of_kind = importlib.import_module(f"{__package__}.{kind}")
    canvas = getattr(module_of_kind, f"draw_{kind}")(request, wording)
    arrange(canvas)
    return canvas
