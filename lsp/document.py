"""One program as an editor has it: read, verified and explained as far as it goes.

A text that cannot be read has its errors and nothing else; one that can be read has values, places and symbols; one that can
be analysed has an explanation too. Each step is taken when somebody asks, and once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from ..analysis.one_shot.options import AnalysisOptions
from ..analysis.places import operand_span, source_spelling, symbol, value_span
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Diagnostic
from ..ir.source.places import Source, Span
from ..ir.text.parser import parse_source
from ..ir.verifier import verify

if TYPE_CHECKING:
    from ..explain.explanation import Explanation

_NAME = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?:#(\d+))?")
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)")


OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
T = TypeVar("T")


def said_by(explanation: Explanation | None) -> list[Diagnostic]:
    """Errors first, then findings and remarks."""
    return [] if explanation is None else [*explanation.errors, *explanation.diagnostics]


class Document:
    """A text under a name, and what is known of it.

    Attributes:
        source: the text.
        version: the editor's number of it.
    """

    def __init__(self, name: str, text: str, version: int = 0) -> None:
        self.source = Source(name, text)
        self.version = version
        self._answers: dict[tuple[object, ...], object] = {}

    @cached_property
    def _read(self) -> tuple[Operation | None, list[Diagnostic]]:
        try:
            module = parse_source(self.source, allow_unregistered=True)
        except BufferizeError as failure:
            return None, list(failure.diagnostics)
        try:
            verify(module, allow_unregistered=True)
        except BufferizeError as failure:
            return None, list(failure.diagnostics)
        return module, []

    @property
    def module(self) -> Operation | None:
        """The program; None if the text is not one."""
        return self._read[0]

    @cached_property
    def explanation(self) -> Explanation | None:
        """What bufferization does to the program and why; None if there is no program."""
        from ..explain.report import explain

        if self.module is None:
            return None
        return explain(self.module, OPTIONS, source=self.source, with_help=False)

    @cached_property
    def quick_explanation(self) -> Explanation | None:
        """The same without what deallocation adds, which takes most of the time; for those who wait."""
        from ..explain.report import explain

        if self.module is None or "explanation" in self.__dict__:
            return self.explanation
        return explain(self.module, OPTIONS, source=self.source, with_help=False, with_clones=False)

    @cached_property
    def helped(self) -> Explanation | None:
        """The explanation with help that was tried, for those who ask for it."""
        from ..explain.report import explain

        return None if self.module is None else explain(self.module, OPTIONS, source=self.source)

    @property
    def errors(self) -> list[Diagnostic]:
        """Why the text is no program; empty if it is one."""
        return self._read[1]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Errors of the text, or else what the explanation says."""
        return self.errors or said_by(self.explanation)

    @property
    def quick_diagnostics(self) -> list[Diagnostic]:
        return self.errors or said_by(self.quick_explanation)

    def kept_for(self, key: tuple[object, ...], stamp: object, make: Callable[[Document], T]) -> T:
        """An answer that also depends on `stamp`: made anew when that is another than before."""
        known = self._answers.get(key)
        if not isinstance(known, tuple) or known[0] != stamp:
            known = self._answers[key] = (stamp, make(self))
        return cast("T", known[1])

    def kept(self, key: tuple[object, ...], make: Callable[[Document], T]) -> T:
        """An answer that is made when it is asked for first."""
        if key not in self._answers:
            self._answers[key] = make(self)
        return cast("T", self._answers[key])

    # -- what stands where

    def operation_at(self, offset: int) -> Operation | None:
        """The innermost operation whose text holds `offset`. O(operations in the blocks around it)."""
        found: Operation | None = None
        inside = self.module
        while inside is not None:
            inside = next((op for op in _children(inside) if _holds(op, offset)), None)
            found = inside or found
        return found

    def value_at(self, offset: int) -> Value | None:
        """The value whose name stands at `offset`."""
        match = _mention(_NAME, self.source, offset)
        op = self.operation_at(offset)
        if match is None:
            return None
        wanted = match.group(1), int(match.group(2) or 0)
        while op is not None:
            for value in _known_around(op):
                if source_spelling(value) == wanted:
                    return value
            op = op.parent_op
        return None

    def symbol_at(self, offset: int) -> str | None:
        """The symbol that stands at `offset`, without its `@`."""
        match = _mention(_SYMBOL, self.source, offset)
        return None if match is None else match.group(1)

    def definition(self, offset: int) -> Span | None:
        """Where what stands at `offset` is defined."""
        value = self.value_at(offset)
        if value is not None:
            return value_span(value)
        name = self.symbol_at(offset)
        return next((f.name_span for f in self.functions() if symbol(f) == name), None)

    def references(self, offset: int) -> list[Span]:
        """Everywhere the value or symbol at `offset` is mentioned, its definition first."""
        value = self.value_at(offset)
        if value is None:
            name = self.symbol_at(offset)
            if name is None:
                return []
            pattern = re.compile(rf"@{re.escape(name)}(?![\w$.])")
            return [Span(self.source, *match.span()) for match in pattern.finditer(self.source.text)]
        spans = [value_span(value), *(operand_span(use) for use in reversed(value.uses))]
        return list(dict.fromkeys(span for span in spans if span is not None))

    def functions(self) -> Iterator[Operation]:
        """The functions of the program, nested modules included."""
        if self.module is not None:
            pending = [self.module]
            while pending:
                for op in _children(pending.pop()):
                    if isinstance(op, FunctionOp):
                        yield op
                    elif op.regions:
                        pending.append(op)


def _children(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        yield from region.ops()


def _holds(op: Operation, offset: int) -> bool:
    return op.where is not None and op.where[1] <= offset <= op.where[3]


def _known_around(op: Operation) -> Iterator[Value]:
    """The values that the text of `op` itself may mention, or define."""
    yield from op.operands
    yield from op.results
    for region in op.regions:
        for block in region:
            yield from block.args
    for block in op.successors:
        yield from block.args


def _mention(pattern: re.Pattern[str], source: Source, offset: int) -> re.Match[str] | None:
    """The match on the line of `offset` that holds it."""
    line = source.line_column(offset)[0]
    for match in pattern.finditer(source.text, source.line_start(line), source.line_end(line)):
        if match.start() <= offset <= match.end():
            return match
    return None
