"""Pictures of programs, one module per kind; `bufferize graph` draws them.

Begin with `draw`.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.program.values import Value
from ...ir.source.diagnostics import BufferizeError
from .blocks import Wording

if TYPE_CHECKING:
    from ...explain.explanation import Explanation
    from .canvas import Canvas


# -- The kinds of pictures and their options; each drawing module is imported on request.

# Picture requests, and resolving the names in them.


@dataclass(frozen=True, slots=True)
class Request:
    """The parameters of a picture.

    Attributes:
        functions: the functions to draw.
        focus: the value or function whose neighbourhood to draw, if any.
        short: omit types and cut lines early.
        dominators: draw the dominator tree too.
        explanation: the program's explanation, for pictures of decisions and copies.
    """

    functions: tuple[Operation, ...]
    focus: Value | Operation | None = None
    short: bool = False
    dominators: bool = False
    explanation: Callable[[], Explanation] | None = None

    def explained(self) -> Explanation:
        """The program's explanation, which this picture requires."""
        assert self.explanation is not None, "this picture needs the explanation"
        return self.explanation()


def functions_in(module: Operation) -> list[Operation]:
    """The functions with a body, in textual order, at any nesting depth."""
    return [op for op in module.walk() if isinstance(op, FunctionOp) and op.regions and not op.body.is_empty]


def _what_to_draw(
    module: Operation, wording: Wording, functions: Sequence[str], focus: str
) -> tuple[Sequence[Operation], Value | Operation | None]:
    """The functions of these names, and the value or function in focus, to whose function a picture is limited."""
    available = functions_in(module)
    if not available:
        raise BufferizeError("there is no function with a body in the program: nothing to draw")
    chosen = [_function(available, name) for name in functions] or available
    target: Value | Operation | None = None
    if focus:
        if focus.startswith("@"):
            target = _function(available, focus)
            chosen = [target]
        else:
            target, function = _value(chosen, wording, focus if focus.startswith("%") else f"%{focus}")
            chosen = [function]
    return chosen, target


def _function(available: Sequence[Operation], name: str) -> Operation:
    wanted = name.removeprefix("@")
    by_name = {op.symbol_name: op for op in available if isinstance(op, FunctionOp)}
    if wanted in by_name:
        return by_name[wanted]
    raise BufferizeError(f"there is no function '@{wanted}' with a body{_hint(wanted, list(by_name), '@')}")


def _value(functions: Sequence[Operation], wording: Wording, name: str) -> tuple[Value, Operation]:
    """The first value of that name, and its function."""
    known: list[str] = []
    for function in functions:
        for op in function.walk():
            for value in op.defined_values():
                text = wording.value(value)
                if name in (text, text.partition("#")[0]):
                    return value, function
                known.append(text)
    raise BufferizeError(f"there is no value '{name}'{_hint(name, known, '')}")


def _hint(word: str, known: list[str], sign: str) -> str:
    close = difflib.get_close_matches(word, known[:20000], 1, 0.4)
    if close:
        return f" (did you mean '{sign}{close[0]}'?)"
    listed = ", ".join(f"{sign}{name}" for name in known[:5])
    return f"; there are {listed}{', ...' if len(known) > 5 else ''}" if known else ""


@dataclass(frozen=True, slots=True)
class PictureKind:
    """A kind of picture.

    Attributes:
        name: as in `--kind`; the module `<name>` draws it with `draw_<name>`.
        question: the question it answers, which begins the module's docstring.
        needs_explanation: whether it shows decisions or copies: the module sets `NEEDS_EXPLANATION = True`.
    """

    name: str
    question: str
    needs_explanation: bool = False


def kinds() -> Iterator[PictureKind]:
    """The drawing modules in this folder. Their source is scanned, not imported, since listing the kinds must not
    require pydot.

    If there are only compiled modules, as in the playground, they are imported.
    """
    for folder in sys.modules[__name__].__path__:
        for file in sorted(Path(folder).glob("*.py*")):
            if file.suffix == ".py":
                text = file.read_text("utf-8")
                draws = f"def draw_{file.stem}(" in text
                question, needs = text.removeprefix('"""'), "\nNEEDS_EXPLANATION = True\n" in text
            elif file.stem == "__init__":
                continue
            else:
                module = importlib.import_module(f"{__name__}.{file.stem}")
                draws = hasattr(module, f"draw_{file.stem}")
                question, needs = module.__doc__ or "", getattr(module, "NEEDS_EXPLANATION", False)
            if draws:
                question = question.partition("?")[0]
                yield PictureKind(file.stem, question[0].lower() + question[1:], needs)


KINDS = {kind.name: kind for kind in kinds()}
"""The kinds of pictures by name: every drawing module in this folder."""


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
    """Draw a picture of that kind.

    Args:
        functions: names of the functions to draw; all if empty.
        focus: `%value` or `@function`: draw its neighbourhood.
        explanation: returns the module's explanation; called by pictures that need it.

    Raises:
        BufferizeError: there is nothing to draw, or no such function or value.
    """
    from .layered import arrange

    wording = Wording(module, short)
    chosen, target = _what_to_draw(module, wording, functions, focus)
    request = Request(tuple(chosen), target, short, dominators, explanation)
    module_of_kind = importlib.import_module(f"{__package__}.{kind}")
    canvas = getattr(module_of_kind, f"draw_{kind}")(request, wording)
    arrange(canvas)
    return canvas
