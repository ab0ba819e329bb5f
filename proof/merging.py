"""Where two ways meet: contents, lives and values are those of the way that was taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .contents import joined
from .machine import Executor
from .state import APPEARING, MemoryState, pick
from .terms import FALSE, Term, choose


def merged_value(condition: Term, yes: Any, no: Any) -> Any:
    """A value that is `yes` if the condition holds, otherwise `no`."""
    if isinstance(yes, Term):
        return joined(condition, yes, no)
    return pick(condition, yes, no)


def merge(m: Executor, into: MemoryState, condition: Term, yes: MemoryState, no: MemoryState) -> None:
    """Make `into` what is after either of two layers over it. O(what they changed)."""
    for base in dict.fromkeys((*yes.contents, *no.contents)):
        if base.kind in APPEARING:
            in_yes, in_no = yes.life(base) is not FALSE, no.life(base) is not FALSE
            if not in_yes and not in_no and base not in into.alive:
                continue
            if base in yes.alive and base not in no.alive and not no.known(base):
                into.contents[base] = yes.content(base)
                continue
            if base in no.alive and base not in yes.alive and not yes.known(base):
                into.contents[base] = no.content(base)
                continue
        into.contents[base] = joined(condition, yes.content(base), no.content(base))
    for base in dict.fromkeys((*yes.alive, *no.alive)):
        life = choose(condition, yes.life(base), no.life(base))
        if life is FALSE and not into.known(base) and base not in into.alive:
            continue
        into.alive[base] = life
    into.trace = choose(condition, yes.trace, no.trace)


def results(condition: Term, yes: Sequence[Any], no: Sequence[Any]) -> list[Any]:
    return [merged_value(condition, a, b) for a, b in zip(yes, no, strict=True)]


def absorb(state: MemoryState, layer: MemoryState) -> None:
    """Make what a layer changed part of the state below it."""
    state.contents.update(layer.contents)
    state.alive.update(layer.alive)
    state.trace = layer.trace
