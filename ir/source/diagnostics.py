"""Diagnostics as data, and the exceptions this package raises.

* BufferizeError      carries one or more diagnostics
  - InputError        a file cannot be read or decoded
  - ParseError        the text is not IR                   carries a Span
  - VerifyError       the IR breaks an invariant           carries every finding
  - PassFailed        a pass's precondition does not hold  carries the operation

A failed `assert` is our bug, never the user's.

A `Diagnostic` holds no layout. `viz` renders it for a terminal, a code host or an editor;
`format_plain` below is the one rendering without dependencies, in the style of `mlir-opt`:

    cell.mlir:2:3: error: redefinition of SSA value '%a'
      %a = arith.constant 1 : i32
      ^
    cell.mlir:1:14: note: previously defined here
    func.func @f(%a: i32) {
                 ^

The library never prints: a pass reports to a `DiagnosticEngine`, and the engine's creator decides.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from .locations import Span
from .records import field, record
from .text import Text

# The width of characters on a terminal.
#
# `rich.cells` could compute it, but importing that takes 16 ms of the 200 ms that explaining ten lines takes, and
# every command that may print a diagnostic would import it.

JOINERS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Invisible but harmless characters: they shape the letters around them."""


def character_width(character: str) -> int:
    """The terminal columns of a printable character: 0, 1 or 2."""
    if character.isascii():
        return 1
    if character in JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Severity(StrEnum):
    """How serious a diagnostic is. Only `ERROR` makes a command fail."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@record()
class Label:
    """A span and a text about it. A primary label marks *the* place, others give context."""

    span: Span
    text: str = ""
    primary: bool = False


@record()
class Note:
    """A remark on the whole diagnostic, without a span. `kind` is printed before it."""

    text: str
    kind: str = "note"


@record()
class Edit:
    """Replace the text of `span`; an empty span inserts, an empty replacement deletes."""

    span: Span
    replacement: str


class Applicability(StrEnum):
    """How safe a suggestion is; `bufferize fix` applies the safe ones, and with `--unsafe-fixes` the others too."""

    SAFE = "safe"
    """The program computes the same by construction; `fix` proves that or runs both programs before it applies the
    change.
    """
    MAYBE = "maybe"
    """The program computes the same under a condition that was not proved."""
    CALLERS = "changes what callers see"
    """It grants a permission that only the author can grant."""

    @property
    def meaning(self) -> str:
        """Its description in words."""
        return _TRUST[self]


_TRUST = {
    Applicability.SAFE: "the program computes the same",
    Applicability.MAYBE: "the program computes the same if a condition holds that was not proved",
    Applicability.CALLERS: "only you can know whether callers agree",
}


@record()
class Suggestion:
    """Edits that together resolve the diagnostic. Edits must not overlap.

    `saving` describes the benefit in words; `verified` is True only if the edited program was analysed
    again and has that benefit. `applicability` says how safe it is.
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
    labels       spans with texts; if no primary label touches `span`, one without text is implied
    notes        remarks on the whole
    children     findings that only make sense together with this one (MLIR's attached notes)
    suggestions  alternatives, best first
    steps        an ordered chain of places that leads to the finding, first cause first
    place        the location in a file that was not read, ``model.py:3:4``; see `origin`
    data         additional plain values for JSON output
    derivation   computes the derivation from the rules, as text; called on request (`prove`)
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

    def label(
        self, span: Span | None, text: str, /, primary: bool = False, **arguments: object
    ) -> Diagnostic:
        """Add a label, whose text may be a template with arguments, if there is a place; returns self."""
        if span is not None:
            self.labels.append(Label(span, _said(text, arguments), primary))
        return self

    def note(self, text: str, kind: str = "note", /, **arguments: object) -> Diagnostic:
        """Add a remark on the whole, as a text or a template with arguments; returns self."""
        self.notes.append(Note(_said(text, arguments), kind))
        return self

    def help(self, text: str, /, **arguments: object) -> Diagnostic:
        """Add advice; returns self."""
        return self.note(text, "help", **arguments)

    def prove(self) -> Diagnostic:
        """Add the derivation from the rules as a note, if there is one; returns self."""
        if self.derivation is not None:
            proof = self.derivation()
            self.note(proof, "proof")
            self.data["proof"] = proof
        return self

    def attach(self, message: str, span: Span | None = None) -> Diagnostic:
        """Attach a note with a span of its own, like MLIR's `attachNote`; returns self."""
        self.children.append(Diagnostic(Severity.NOTE, message, span))
        return self

    def suggest(self, suggestion: Suggestion) -> Diagnostic:
        """Add a suggestion; returns self."""
        self.suggestions.append(suggestion)
        return self

    def step(self, span: Span, text: str) -> Diagnostic:
        """Append a place to the chain that leads to the finding; returns self."""
        self.steps.append(Label(span, text))
        return self

    @property
    def primary_span(self) -> Span | None:
        """The diagnostic's span, or else its first primary label, or else its first label."""
        if self.span is not None:
            return self.span
        labels = sorted(self.labels, key=lambda label: not label.primary)
        return labels[0].span if labels else None

    @property
    def origin(self) -> str | None:
        """The file position in the program's explicit location, ``model.py:12:4``; None without one."""
        if self.place is not None:
            return self.place
        stated = _stated(self.span)
        return stated.place if stated is not None else None

    def __str__(self) -> str:
        return f"{location_text(self)}: {self.severity}: {self.message}"


def _said(text: str, arguments: Mapping[str, object]) -> str:
    return Text.of(text, arguments) if arguments else text


@record(frozen=True)
class Meaning:
    """The meaning of a diagnostic code: a one-line title, and a page of Markdown with what, why, example, instead."""

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
    """The explicit location in the text of what begins at `span`."""
    return span.source.locations.get(span.start) if span is not None else None


# Errors


class BufferizeError(Exception):
    """Base of all intentional exceptions of this package. `diagnostics` holds at least one diagnostic.

    Constructed from a message, one diagnostic or several; `span` locates a message.
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
        """The text that notebooks show instead of a traceback, since the error is in the program, not in this package."""
        return str(self).split("\n")


class InputError(BufferizeError):
    """A file cannot be read or decoded."""


class ParseError(BufferizeError):
    """The text is malformed: IR, a pass pipeline, a rule."""


class VerifyError(BufferizeError):
    """The IR breaks invariants. Carries every finding, not only the first."""


class PassFailed(BufferizeError):
    """A pass's precondition does not hold. `operation` is the operation it failed at, if there is one."""

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
    """Collects the diagnostics of passes: stores and counts them and notifies handlers.

    A handler sees every diagnostic at once, in the order of emission; with ``keep=False`` only the
    counts are stored, for runs with an unbounded number of reports.
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
        """Report every diagnostic of an error."""
        for diagnostic in failure.diagnostics:
            self.emit(diagnostic)

    @property
    def error_count(self) -> int:
        return self.counts[Severity.ERROR]

    @property
    def has_errors(self) -> bool:
        return self.counts[Severity.ERROR] > 0


# The rendering of mlir-opt

TAB_STOP = 8  # as in LLVM, which expands tabs in source lines
SNIPPET_WIDTH = 4096  # longer source lines are cut around the place, as they may be megabytes


def location_text(diagnostic: Diagnostic) -> str:
    """``FILE:LINE:COL`` of a diagnostic, preferring the program's explicit location, or MLIR's ``<unknown>:0``."""
    return diagnostic.origin or (str(diagnostic.span) if diagnostic.span is not None else "<unknown>:0")


def format_plain(diagnostic: Diagnostic, underline: bool = False) -> str:
    """The diagnostic as `mlir-opt` prints it: a line, the source line, a caret; then its attached notes likewise.

    A diagnostic with a location in another file is reported there, with notes for its call sites and for its position
    in the parsed text. A note at the position printed last does not repeat the source line. Labels and suggestions are
    omitted, notes without a span are printed without one. With `underline`, tildes extend the caret to the whole span.
    No newline at the end.
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
    """The source line and the caret line below it."""
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
            if unicodedata.category(character) == "Cc":  # would control the terminal
                character = "?"
        printed.append(character)
    if at >= end:
        caret = width
    if span.end >= end:
        tilde = width
    return "".join(printed), " " * caret + "^" + "~" * (tilde - caret - 1 if underline else 0)


# Narrowing to what a declaration guarantees: a verified operation has the declared types and attributes.
#
# Static types say only `Type` for an operand, since one class serves tensors and buffers. `expect` asserts the
# class and narrows the static type.

T = TypeVar("T")


def expect(kind: type[T], found: object) -> T:
    """`found`, asserted to be of class `kind`. A violation is a bug of this package, not of its input: AssertionError.

    >>> expect(int, 3) + 1
    4
    """
    assert isinstance(found, kind), f"{found!r} is no {kind.__name__}"
    return found


def present(found: T | None) -> T:
    """`found`, asserted not to be None; see `expect`."""
    assert found is not None
    return found
