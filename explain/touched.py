"""What a change of the text touches: the function it is in, and its callers if what they know of it changes.

A part of a program that is tried for itself needs the functions that it calls, and everything that is no function. It is the
program with the other functions left out: they are analysed and bufferized as before, so their account stays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..analysis.one_shot.call_graph import CallGraph, call_graph
from ..analysis.places import symbol
from ..ir.program.core import Block, Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Source, Span
from ..ir.source.records import record
from ..ir.types.attributes import SymbolRefAttr
from .edits import apply_edits


@record()
class FunctionTexts:
    """The functions of a program, as pieces of its text.

    Attributes:
        functions: in the order of the text.
        sizes: how many operations each has.
    """

    source: Source
    functions: list[Operation]
    sizes: dict[Operation, int]
    _spans: list[Span]
    _starts: list[int]
    _callees: dict[Operation, list[Operation]]
    _callers: dict[Operation, list[Operation]]
    _head: str
    _rest: str

    @classmethod
    def of(cls, root: Operation, source: Source) -> FunctionTexts | None:
        """None if functions cannot be left out: there is only one, or they are known by more than calls. O(program)."""
        functions: list[Operation] = [
            op for region in root.regions for op in region.ops() if isinstance(op, FunctionOp)
        ]
        spans = [op.span for op in functions]
        if len(functions) < 2 or any(span is None or span.source is not source for span in spans):
            return None
        if _has_inner_symbols(root, functions[0].block) or _is_named_elsewhere(root, functions):
            return None
        placed = [span for span in spans if span is not None]
        if any(a.end > b.start for a, b in pairwise(placed)):
            return None
        gaps = [source.text[a.end : b.start].strip() for a, b in pairwise(placed)]
        rest = "\n".join([*(gap for gap in gaps if gap), source.text[placed[-1].end :]])
        graph = call_graph(root)
        callees = {op: list(dict.fromkeys(_called(graph, op))) for op in functions}
        callers: dict[Operation, list[Operation]] = {}
        for function, called in callees.items():
            for callee in called:
                callers.setdefault(callee, []).append(function)
        sizes = {op: sum(1 for _ in op.walk()) for op in functions}
        head = source.text[: placed[0].start]
        return cls(
            source,
            list(functions),
            sizes,
            placed,
            [span.start for span in placed],
            callees,
            callers,
            head,
            rest,
        )

    def holding(self, edits: Iterable[Edit]) -> set[Operation] | None:
        """The functions that edits are in; None if one is elsewhere."""
        found: set[Operation] = set()
        for edit in edits:
            number = bisect_right(self._starts, edit.span.start) - 1
            if number < 0 or edit.span.source is not self.source:
                return None
            span = self._spans[number]
            if edit.span.end > span.end or edit.span.start == span.end:
                return None
            found.add(self.functions[number])
        return found

    def with_callees(self, functions: Iterable[Operation]) -> set[Operation]:
        """These, and all that they call."""
        return _closure(functions, self._callees)

    def with_callers(self, functions: Iterable[Operation]) -> set[Operation]:
        """These, all that call them, and all that those call."""
        return self.with_callees(_closure(functions, self._callers))

    def text(self, part: set[Operation], edits: Sequence[Edit]) -> str | None:
        """The program with these functions only, and with edits that are inside them; None if edits overlap."""
        pieces = [self._head]
        for function in sorted(part, key=lambda op: op.where[1] if op.where is not None else 0):
            span = function.span
            assert span is not None
            own = [edit for edit in edits if span.start <= edit.span.start < span.end]
            text = apply_edits(self.source, own, span)
            if text is None:
                return None
            pieces.append(text)
        return "\n".join([*pieces, self._rest])


def _called(graph: CallGraph, function: Operation) -> Iterable[Operation]:
    return (graph.targets[call] for call in graph.calls.get(function, ()) if call in graph.targets)


def _closure(start: Iterable[Operation], following: dict[Operation, list[Operation]]) -> set[Operation]:
    found = set(start)
    waiting = list(found)
    while waiting:
        for other in following.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _has_inner_symbols(root: Operation, block: Block | None) -> bool:
    """Whether functions stand in modules inside the module, or two have one name."""
    names: set[str | None] = set()
    for op in root.walk():
        if isinstance(op, FunctionOp):
            if op.block is not block or symbol(op) in names:
                return True
            names.add(symbol(op))
    return False


def _is_named_elsewhere(root: Operation, functions: Sequence[Operation]) -> bool:
    """Whether something other than a call refers to a function."""
    names = {symbol(op) for op in functions}
    for op in root.walk():
        if op.name != "func.call":
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if isinstance(attribute, SymbolRefAttr) and attribute.root in names:
                    return True
    return False
