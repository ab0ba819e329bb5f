"""Diagnostics as data, and the exceptions this package raises.

* BufferizeError      carries one or more diagnostics
  - InputError        a file cannot be read or decoded
  - ParseError        the text is not IR                   carries a Span
  - VerifyError       the IR breaks an invariant           carries every finding
  - PassFailed        a pass's precondition does not hold  carries the operation

A failed `assert` is our bug, never the user's.

A `Diagnostic` holds no layout. `viz` draws it for a terminal, a code host or an editor;
`format_plain` below is the one rendering that needs nothing else, the style of `mlir-opt`:

    cell.mlir:2:3: error: redefinition of SSA value '%a'
      %a = arith.constant 1 : i32
      ^
    cell.mlir:1:14: note: previously defined here
    func.func @f(%a: i32) {
                 ^

The library never prints: a pass reports to a `DiagnosticEngine`, and whoever made the engine decides.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final, TypeVar

from .locations import Span
from .records import field, record

# How wide a character is on a terminal.
#
# `rich.cells` knows it, too, but importing it took 16 ms, and every command that may print a diagnostic would: explaining ten lines
# takes 200.

JOINERS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Invisible but harmless: they shape the letters around them."""


def character_width(character: str) -> int:
    """Columns of a character that can be printed: 0, 1 or 2."""
    if character.isascii():
        return 1
    if character in JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Severity(StrEnum):
    """How much a diagnostic matters. Only `ERROR` makes a command fail."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@record()
class Label:
    """A span and what is to be said of it. A primary label marks *the* place, others give context."""

    span: Span
    text: str = ""
    primary: bool = False


@record()
class Note:
    """A remark on the whole diagnostic, with no place of its own. `kind` is printed before it."""

    text: str
    kind: str = "note"


@record()
class Edit:
    """Replace the text of `span`; an empty span inserts, an empty replacement deletes."""

    span: Span
    replacement: str


class Applicability(StrEnum):
    """How far a suggestion can be trusted; `bufferize fix` makes those that are safe, `--unsafe-fixes` the others, too."""

    SAFE = "safe"
    """The program computes the same, by construction; `fix` proves it or runs both before it makes the change."""
    MAYBE = "maybe"
    """It computes the same if a condition holds which was not proved."""
    CALLERS = "changes what callers see"
    """It states a permission that only the author can give."""

    @property
    def meaning(self) -> str:
        """What it says, in words."""
        return _TRUST[self]


_TRUST = {
    Applicability.SAFE: "the program computes the same",
    Applicability.MAYBE: "the program computes the same if a condition holds that was not proved",
    Applicability.CALLERS: "only you can know whether callers agree",
}


@record()
class Suggestion:
    """Edits that, all made together, resolve the diagnostic. Edits must not overlap.

    `saving` says in words what is gained; `verified` is True only if the edited program was analysed
    again and does save that. `applicability` says how far it can be trusted to keep what the program does.
    """

    title: str
    edits: list[Edit] = field(default_factory=list)
    saving: str | None = None
    verified: bool = False
    applicability: Applicability | None = None
    copies_saved: int = 0


@record()
class Diagnostic:
    """One finding.

    message      one line that suffices on its own
    span         the place, or None if there is none in any text
    code         kebab-case id of the problem (never of the fix), such as ``read-after-write``
    labels       spans with words; where no primary label touches `span`, one without words is implied
    notes        remarks on the whole
    children     findings that only make sense together with this one (mlir's attached notes)
    suggestions  alternatives, best first
    steps        an ordered chain of places that leads to the finding, first cause first
    place        where it comes from if that is a text that was not read, ``model.py:3:4``; see `origin`
    data         what machines want to know besides: plain values for JSON
    derivation   how it follows from the rules, as text; made when somebody asks (`prove`)
    """

    severity: Severity
    message: str
    span: Span | None = None
    code: str | None = None
    labels: list[Label] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    children: list[Diagnostic] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    steps: list[Label] = field(default_factory=list)
    place: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    derivation: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.severity = Severity(self.severity)

    def label(self, span: Span, text: str, primary: bool = False) -> Diagnostic:
        """Add a label; returns self, so that calls chain."""
        self.labels.append(Label(span, text, primary))
        return self

    def note(self, text: str, kind: str = "note") -> Diagnostic:
        """Add a remark on the whole; returns self."""
        self.notes.append(Note(text, kind))
        return self

    def help(self, text: str) -> Diagnostic:
        """Add advice; returns self."""
        return self.note(text, "help")

    def prove(self) -> Diagnostic:
        """Note how it follows from the rules, if that is known; returns self."""
        if self.derivation is not None:
            proof = self.derivation()
            self.note(proof, "proof")
            self.data["proof"] = proof
        return self

    def attach(self, message: str, span: Span | None = None) -> Diagnostic:
        """Attach a note with a place of its own, as mlir's `attachNote`; returns self."""
        self.children.append(Diagnostic(Severity.NOTE, message, span))
        return self

    def suggest(self, suggestion: Suggestion) -> Diagnostic:
        """Add a suggestion; returns self."""
        self.suggestions.append(suggestion)
        return self

    def step(self, span: Span, text: str) -> Diagnostic:
        """Add the next place of the chain that leads to the finding; returns self."""
        self.steps.append(Label(span, text))
        return self

    @property
    def primary_span(self) -> Span | None:
        """Where it is: its span, or else its first primary label, or else its first label."""
        if self.span is not None:
            return self.span
        labels = sorted(self.labels, key=lambda label: not label.primary)
        return labels[0].span if labels else None

    @property
    def origin(self) -> str | None:
        """What the program says that its place comes from, ``model.py:12:4``; None if it does not say."""
        if self.place is not None:
            return self.place
        stated = _stated(self.span)
        return stated.place if stated is not None else None

    def __str__(self) -> str:
        return f"{location_text(self)}: {self.severity}: {self.message}"


@record(frozen=True)
class Meaning:
    """What a diagnostic code means: a line, and a page of Markdown with what, why, example, instead."""

    id: str
    title: str
    help: str = ""
    help_uri: str | None = None


def error(message: str, span: Span | None = None, code: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, span, code)


def warning(message: str, span: Span | None = None, code: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.WARNING, message, span, code)


def remark(message: str, span: Span | None = None, code: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.REMARK, message, span, code)


def _stated(span: Span | None) -> Any:
    """The location that the text states for what begins at a place."""
    return span.source.locations.get(span.start) if span is not None else None


# Errors


class BufferizeError(Exception):
    """Everything this package raises on purpose. `diagnostics` holds at least one diagnostic.

    Made of a message, a diagnostic or several; `span` places a bare message.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, what: str | Diagnostic | Iterable[Diagnostic], span: Span | None = None) -> None:
        if isinstance(what, str):
            self.diagnostics = (error(what, span),)
        elif isinstance(what, Diagnostic):
            self.diagnostics = (what,)
        else:
            self.diagnostics = tuple(what)
        assert self.diagnostics, "an error says something"
        super().__init__(self.diagnostics[0].message)

    @property
    def diagnostic(self) -> Diagnostic:
        """The first diagnostic."""
        return self.diagnostics[0]

    @property
    def span(self) -> Span | None:
        """Place of the first diagnostic."""
        return self.diagnostics[0].span

    def __str__(self) -> str:
        return "\n".join(format_plain(diagnostic) for diagnostic in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What notebooks show in the place of a traceback: what is wrong is in the program, not in this package."""
        return str(self).split("\n")


class InputError(BufferizeError):
    """A file cannot be read or decoded."""


class ParseError(BufferizeError):
    """The text is not what it should be: IR, a pass pipeline, a rule."""


class VerifyError(BufferizeError):
    """The IR breaks invariants. Carries every finding, not only the first."""


class PassFailed(BufferizeError):
    """A pass's precondition does not hold. `operation` is the one it stopped at, if it is one."""

    def __init__(
        self,
        what: str | Diagnostic | Iterable[Diagnostic],
        span: Span | None = None,
        operation: object = None,
    ) -> None:
        super().__init__(what, span)
        self.operation = operation


# Collecting


class DiagnosticEngine:
    """Where passes report. Keeps what was reported, counts it, and tells whoever listens.

    A handler sees every diagnostic at once, in the order of emission; with ``keep=False`` nothing is
    remembered but the counts, for a run that may report without end.
    """

    __slots__ = ("counts", "diagnostics", "handlers", "keep")

    def __init__(self, *handlers: Callable[[Diagnostic], object], keep: bool = True) -> None:
        self.handlers = list(handlers)
        self.keep = keep
        self.diagnostics: list[Diagnostic] = []
        self.counts: dict[Severity, int] = dict.fromkeys(Severity, 0)

    def emit(self, diagnostic: Diagnostic) -> Diagnostic:
        """Report a finished diagnostic and return it."""
        self.counts[diagnostic.severity] += 1
        if self.keep:
            self.diagnostics.append(diagnostic)
        for handler in self.handlers:
            handler(diagnostic)
        return diagnostic

    def emit_all(self, failure: BufferizeError) -> None:
        """Report everything an error carries."""
        for diagnostic in failure.diagnostics:
            self.emit(diagnostic)

    @property
    def error_count(self) -> int:
        return self.counts[Severity.ERROR]

    @property
    def has_errors(self) -> bool:
        return self.counts[Severity.ERROR] > 0


# The rendering of mlir-opt

TAB_STOP = 8  # LLVM's, which prints tabs in source lines as spaces up to the next multiple of eight
SNIPPET_WIDTH = 4096  # a longer source line is cut around the place: nobody reads it, and it may be megabytes


def location_text(diagnostic: Diagnostic) -> str:
    """``FILE:LINE:COL`` of a diagnostic, that which the program states if it does, or mlir's ``<unknown>:0``."""
    return diagnostic.origin or (str(diagnostic.span) if diagnostic.span is not None else "<unknown>:0")


def format_plain(diagnostic: Diagnostic, underline: bool = False) -> str:
    """The diagnostic as `mlir-opt` prints it: a line, the source line, a caret; then its notes alike.

    What comes from another text is said to be there, with notes of who called it and of where it stands in the text that
    was read. A note at the very place of what was printed before it does not repeat the source line. Labels and suggestions
    are left out, notes without a place are printed without one. With `underline`, tildes extend the caret to the whole
    span. No line feed at the end.
    """
    lines: list[str] = []
    shown: Span | None = None
    pending = [diagnostic]
    while pending:
        current = pending.pop()
        lines.append(f"{location_text(current)}: {current.severity}: {current.message}")
        if current.span is not None and current.span != shown:
            if current.origin is not None:
                stated = _stated(current.span)
                callers = stated.callers if stated is not None else ()
                lines.extend(f"{caller}: note: called from" for caller in callers)
                lines.append(f"{current.span}: note: here in the program that was read")
            lines.extend(_snippet(current.span, underline))
        shown = current.span
        lines.extend(f"{location_text(current)}: {note.kind}: {note.text}" for note in current.notes)
        pending.extend(reversed(current.children))
    return "\n".join(lines)


def _snippet(span: Span, underline: bool) -> tuple[str, str]:
    """The source line and the line with the caret under it."""
    number, column = span.source.line_column(span.start)
    start, end = span.source.line_start(number), span.source.line_end(number)
    at = span.source.line_start(number) + column - 1
    if end - start > SNIPPET_WIDTH:
        start = max(start, at - SNIPPET_WIDTH // 2)
        end = min(end, start + SNIPPET_WIDTH)
    text = span.source.text[start:end]
    printed: list[str] = []
    width = caret = tilde = 0
    for position, character in enumerate(text, start):
        if position == at:
            caret = width
        if position == span.end:
            tilde = width
        if character == "\t":
            character = " " * (TAB_STOP - width % TAB_STOP)
            width += len(character)
        else:
            width += character_width(character)
        printed.append(character)
    if at >= end:
        caret = width
    if span.end >= end:
        tilde = width
    return "".join(printed), " " * caret + "^" + "~" * (tilde - caret - 1 if underline else 0)


# What a declaration promises, said where it is used: an operation that was verified has the types and attributes it declares.
#
# Type checkers know an operand's type as a `Type`, since one class serves tensors and buffers alike. `expect` states which
# kind it is, checks that, and lets them know.

T = TypeVar("T")


def expect(kind: type[T], found: object) -> T:
    """`found`, which is of that kind. Anything else is a mistake in this program, not in its input: AssertionError.

    >>> expect(int, 3) + 1
    4
    """
    assert isinstance(found, kind), f"{found!r} is no {kind.__name__}"
    return found
