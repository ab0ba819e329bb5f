"""What callers may know of a function of the original: sizes and values of its results, and which arguments do not matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .state import Moment
from .terms import Shape, Term


@dataclass(slots=True)
class Signature:
    """What the original says of its results for all arguments.

    Attributes:
        shapes: their sizes, as terms over those of the arguments.
        same: results whose value is that of an argument, `("argument", i)`, or of an earlier result, `("result", k)`.
        ignored: arguments of which nothing depends on the contents.
    """

    shapes: list[Shape | None]
    same: dict[int, tuple[str, int]] = field(default_factory=dict)
    ignored: set[int] = field(default_factory=set)


def signature_of(values: Sequence[Any], state: Moment, count: int) -> Signature:
    """What a function of the original that ends with these values, in this state, says of its results and `count` arguments."""
    shapes = [value.shape for value in values]
    same: dict[int, tuple[str, int]] = {}
    for k, value in enumerate(values):
        if not isinstance(value, Term):
            continue
        if value.op == "sym" and value.attr[0] == "argument":
            same[k] = value.attr
        elif value in values[:k] and not value.undefined:
            same[k] = ("result", values.index(value))
    return Signature(shapes, same, _ignored(values, state, count))


def _ignored(values: Sequence[Any], state: Moment, count: int) -> set[int]:
    """The arguments of which what a function does, and is seen to do, never says the contents."""
    pending = [
        *(value for value in values if isinstance(value, Term)),
        state.trace,
        *state.contents.values(),
    ]
    if any(not isinstance(value, Term) for value in values):
        return set()
    seen: set[Term] = set()
    named: set[int] = set()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op in ("junk", "clobber"):  # these may depend on anything
            return set()
        if term.op == "sym" and term.attr[0] == "argument":
            named.add(term.attr[1])
        pending.extend(term.args)
        pending.extend(term.shape or ())
    return set(range(count)) - named
