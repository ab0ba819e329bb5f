"""An open program, parsed, verified and explained as far as possible, with the settings of its project.

A text that does not parse has only errors; one that parses has values, positions and symbols; one that can
be analysed also has an explanation. Each step is computed once, on request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from lsprotocol import types as lsp

from ..analysis.naming import operand_span, source_spelling, symbol, value_span
from ..analysis.one_shot import AnalysisOptions
from ..dialects import memref
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Diagnostic, Severity
from ..ir.source.locations import Source, Span
from ..ir.source.parts import cut
from ..ir.text.parser import UNKNOWN_DIALECT, parse_source
from ..ir.verifier import verify
from ..transforms.bufferize import INFER_LAYOUT

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..explain.explanation import Explanation


# Project settings for editors.


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """How the programs of one project are explained.

    Attributes:
        options: of the analysis.
        registry: models of the project's own operations; None if there are none.
        layout: of buffers in signatures.
        ignored: ids of findings that are not shown.
    """

    options: AnalysisOptions = field(
        default_factory=lambda: AnalysisOptions(bufferize_function_boundaries=True)
    )
    registry: ModelRegistry | None = None
    layout: str = INFER_LAYOUT
    ignored: frozenset[str] = frozenset()


# Programs with operations in custom syntax of unknown dialects: their functions are skipped, all others are parsed.
#
# Such an operation cannot be skipped alone, since only its dialect knows where it ends. So its function is blanked,
# together with all functions that reference it or that it references; positions in the rest are unchanged. A hint
# explains this and the remedy.

MOST_DIALECTS = 16
"""Maximum number of unknown dialects; each costs another parse."""


def read_known(source: Source) -> tuple[Operation, Source, list[Diagnostic]]:
    """The program without unknown custom syntax, the text that was parsed, and a hint per skipped dialect.

    O(text) per unknown dialect.

    Raises:
        BufferizeError: the text is invalid for another reason.
    """
    hints: list[Diagnostic] = []
    while True:
        try:
            return parse_source(source, allow_unregistered=True), source, _on(source, hints)
        except BufferizeError as failure:
            found = failure.diagnostic
            place = found.primary_span
            if found.code != UNKNOWN_DIALECT or place is None or len(hints) == MOST_DIALECTS:
                raise
            dialect = place.text.partition(".")[0]
            text = _without(source.text, dialect, place)
            if text == source.text:
                raise
            source = Source(source.name, text, source.first_line)
            hints.append(_hint(place, dialect))


def _on(source: Source, hints: list[Diagnostic]) -> list[Diagnostic]:
    """The hints, with positions moved to the text that was finally parsed."""
    for hint in hints:
        if hint.span is not None:
            hint.span = Span(source, hint.span.start, hint.span.end)
    return hints


def _hint(place: Span, dialect: str) -> Diagnostic:
    hint = Diagnostic(
        Severity.NOTE,
        f"operations of '{dialect}' use an unknown custom syntax: functions that contain them are skipped",
        place,
        UNKNOWN_DIALECT,
    )
    return hint.help(
        "add definitions with --ods or --irdl, or with ods or irdl in bufferize.toml; generic form needs none"
    )


def _without(text: str, dialect: str, place: Span) -> str:
    """The text with blanks for the functions that use a dialect, and those that they reference or that reference them."""
    lines = text.split("\n")
    uses = re.compile(rf"(?<![\w.$%@!#\"-]){re.escape(dialect)}\.[\w.$]+")
    at = place.line - place.source.first_line
    for part in cut(text, 1):
        own = [line for start, end in part.own for line in range(start, end)]
        if at in own or any(uses.search(lines[line].partition("//")[0]) for line in own):
            for line in own:
                lines[line] = " " * len(lines[line])
    return "\n".join(lines)


_NAME = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?:#(\d+))?")
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)")


T = TypeVar("T")


UNKNOWN = 64
"""Assumed size of dynamic dimensions, for peaks."""


class Stage(IntEnum):
    """Stages of an explanation; each takes longer than all before it."""

    DECISIONS = 0
    """In-place decisions and their reasons."""
    COSTS = 1
    """Allocations and copies of bufferization."""
    FREED = 2
    """Clones and frees of deallocation."""


class Document:
    """A named text and its analysis.

    Attributes:
        source: the text. After parsing, functions in unknown custom syntax are blank; see `read_known`.
        version: the editor's version number.
        settings: how it is explained.
        hints: about skipped functions.
    """

    def __init__(
        self, name: str, text: str, version: int = 0, settings: EditorSettings | None = None
    ) -> None:
        self.source = Source(name, text)
        self.version = version
        self.settings = settings or EditorSettings()
        self.hints: list[Diagnostic] = []
        self._explained: dict[Stage, Explanation] = {}
        self._answers: dict[tuple[object, ...], object] = {}

    @cached_property
    def _read(self) -> tuple[Operation | None, list[Diagnostic]]:
        try:
            module, self.source, self.hints = read_known(self.source)
            verify(module, allow_unregistered=True)
        except BufferizeError as failure:
            return None, list(failure.diagnostics)
        return module, []

    @property
    def module(self) -> Operation | None:
        """The program; None if the text is invalid."""
        return self._read[0]

    # -- explanations by stage

    def explained(self, stage: Stage) -> Explanation | None:
        """The explanation up to at least `stage`; None if there is no program."""
        from ..explain.report import explain

        if self.module is None:
            return None
        reached = max(self._explained, default=None)
        if reached is None or reached < stage:
            self._explained[stage] = explain(
                self.module,
                self.settings.options,
                self.settings.registry,
                source=self.source,
                with_help=False,
                with_memory_report=stage >= Stage.COSTS,
                with_clones=stage >= Stage.FREED,
                function_boundary_layout=self.settings.layout,
            )
            reached = stage
        return self._explained[reached]

    @property
    def explanation(self) -> Explanation | None:
        """The most advanced explanation available: what is shown beside a text must not wait for the last stage."""
        return self.explained(Stage.DECISIONS)

    @cached_property
    def helped(self) -> Explanation | None:
        """The explanation with verified suggestions, computed on request."""
        from ..explain.report import explain

        if self.module is None:
            return None
        return explain(
            self.module,
            self.settings.options,
            self.settings.registry,
            source=self.source,
            function_boundary_layout=self.settings.layout,
        )

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors of the text; empty if it is valid."""
        return self._read[1]

    def diagnostics(self, stage: Stage = Stage.FREED) -> list[Diagnostic]:
        """Errors of the text, or else the explanation's diagnostics, errors first, without those that the project
        ignores.
        """
        return self.errors if self.errors else [*self.hints, *self.shown(self.explained(stage))]

    def shown(self, explanation: Explanation | None) -> list[Diagnostic]:
        """An explanation's diagnostics, errors first, without those that the project ignores."""
        if explanation is None:
            return []
        said = [finding.diagnostic for finding in explanation.findings]
        every = (*explanation.errors, *said, *explanation.remarks)
        return [found for found in every if found.code not in self.settings.ignored]

    def has_reached(self, stage: Stage) -> bool:
        """Whether a stage has been computed."""
        return max(self._explained, default=-1) >= stage

    @cached_property
    def peaks(self) -> dict[str, str]:
        """The peak memory of each function with buffers, as text."""
        from ..analysis.memory_plan.planner import Effort
        from ..analysis.sizes import format_bytes
        from ..explain.memory import Assumptions, memory_of

        explanation = self.explained(Stage.COSTS)
        if explanation is None or explanation.bufferized is None or not explanation.is_bufferized:
            return {}
        found: dict[str, str] = {}
        for function in memory_of(explanation.bufferized.module, Assumptions({}, UNKNOWN), Effort(seconds=0)):
            spaces = [space.most_alive for space in function.spaces if space.most_alive]
            if spaces:
                assumed = f" where unknown extents are {UNKNOWN}" if function.assumed else ""
                found[function.name] = format_bytes(sum(spaces)) + assumed
        return found

    @cached_property
    def frees(self) -> list[tuple[Span, str]]:
        """The freed buffers, each with the source operation that follows the free; empty if unknown."""
        from ..explain.memory import buffer_name
        from ..transforms.bufferize.on_copy import free_copy

        explanation = self.explained(Stage.FREED)
        if explanation is None or explanation.bufferized is None or not explanation.is_bufferized:
            return []
        freed = explanation.freed
        if freed is None or (
            freed.module is None and not freed.problems
        ):  # the cost model counts no clones before deallocation has run
            freed = free_copy(explanation.bufferized, self.settings.options.compat or "", only_clones=False)
        found: list[tuple[Span, str]] = []
        for op in freed.module.walk() if freed.module is not None else ():
            place = op.name_span if isinstance(op, memref.DeallocOp) else None
            made = _allocation(op.op_operands[0].value) if place is not None else None
            if place is not None and place.source is self.source and made is not None:
                found.append((place, buffer_name(made)))
        return found

    def kept_for(self, key: tuple[object, ...], stamp: object, make: Callable[[Document], T]) -> T:
        """An answer that also depends on `stamp`, recomputed when that changes."""
        known = self._answers.get(key)
        if not isinstance(known, tuple) or known[0] != stamp:
            known = self._answers[key] = (stamp, make(self))
        return cast("T", known[1])

    def kept(self, key: tuple[object, ...], make: Callable[[Document], T]) -> T:
        """An answer that is computed on first use."""
        if key not in self._answers:
            self._answers[key] = make(self)
        return cast("T", self._answers[key])

    # -- positions

    def operation_at(self, offset: int) -> Operation | None:
        """The innermost operation whose text contains `offset`. O(operations in the enclosing blocks)."""
        found: Operation | None = None
        inside = self.module
        while inside is not None:
            inside = next((op for op in _children(inside) if _holds(op, offset)), None)
            found = inside or found
        return found

    def value_at(self, offset: int) -> Value | None:
        """The value whose name is at `offset`."""
        match = _mention(_NAME, self.source, offset)
        op = self.operation_at(offset)
        if match is None:
            return None
        wanted = match.group(1), int(match.group(2) or 0)
        for around in op.ancestors() if op is not None else ():
            for value in _known_around(around):
                if source_spelling(value) == wanted:
                    return value
        return None

    def symbol_at(self, offset: int) -> str | None:
        """The symbol at `offset`, without its `@`."""
        match = _mention(_SYMBOL, self.source, offset)
        return None if match is None else match.group(1)

    def definition(self, offset: int) -> Span | None:
        """The definition of what is at `offset`."""
        value = self.value_at(offset)
        if value is not None:
            return value_span(value)
        name = self.symbol_at(offset)
        return next((f.name_span for f in self.functions() if symbol(f) == name), None)

    def references(self, offset: int) -> list[Span]:
        """All mentions of the value or symbol at `offset`, its definition first."""
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


def _allocation(buffer: Value) -> Operation | None:
    """The allocation behind a buffer and its views; None if it is ambiguous."""
    op = buffer.defining_op
    while op is not None and op.name in ("memref.extract_strided_metadata", "memref.cast"):
        op = op.op_operands[0].value.defining_op
    return op if isinstance(op, memref.AllocOp) else None


def _children(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        yield from region.ops()


def _holds(op: Operation, offset: int) -> bool:
    return op.where is not None and op.where[1] <= offset <= op.where[3]


def _known_around(op: Operation) -> Iterator[Value]:
    """The values that the text of `op` itself may mention or define."""
    yield from op.operands
    yield from op.results
    for region in op.regions:
        for block in region:
            yield from block.args
    for block in op.successors:
        yield from block.args


def _mention(pattern: re.Pattern[str], source: Source, offset: int) -> re.Match[str] | None:
    """The match on the line of `offset` that contains it."""
    line = source.line_column(offset)[0]
    for match in pattern.finditer(source.text, source.line_start(line), source.line_end(line)):
        if match.start() <= offset <= match.end():
            return match
    return None


# Positions in the protocol's terms: 0-based lines, columns in UTF-16 code units.


def position(source: Source, offset: int) -> lsp.Position:
    """The position of the character at `offset`. O(log lines + the line)."""
    line, column = source.line_column(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - source.first_line, len(before) + _astral(before))


def offset(source: Source, at: lsp.Position) -> int:
    """The offset of a position; clamped to the end of its line and of the text."""
    number = at.line + source.first_line
    if number > source.last_line:
        return len(source.text)
    units = 0
    column = 0
    for character in source.line(number):
        if units >= at.character:
            break
        units += 2 if ord(character) > 0xFFFF else 1
        column += 1
    return source.line_start(number) + column


def range_of(span: Span) -> lsp.Range:
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def _astral(text: str) -> int:
    """The number of characters that take two UTF-16 code units."""
    return 0 if text.isascii() else sum(ord(character) > 0xFFFF for character in text)
