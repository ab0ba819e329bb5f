"""Hooks of a declared operation kind, with defaults.

`Operation` inherits this, so whoever asks needs to know no names: every operation answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..source.diagnostics import Diagnostic

Directive = tuple[Callable[..., Any], Callable[..., Any]]
"""How a `custom<Name>` of a format is read and printed."""


class OperationProtocol:
    """The questions that parser, printer and verifier ask of a kind of operation."""

    __slots__ = ()

    traits: ClassVar[Sequence[Any]] = ()
    """What the kind promises."""
    assembly_format: ClassVar[str | None] = None
    """Its own form in MLIR's notation; None if functions read and print it, or if it has the generic form only."""
    parse: ClassVar[Callable[..., Any] | None] = None
    """Reads its own form, `(parser, state)`, where no format says it; a generator where it has regions."""
    print_custom: ClassVar[Callable[..., Any] | None] = None
    """Prints its own form, `(operation, printer)`, where no format says it; a generator where it has regions."""
    complete_generic: ClassVar[Callable[..., None] | None] = None
    """Adds what the generic form may leave out, `(state)`."""
    directives: ClassVar[Mapping[str, Directive]] = {}
    """Its own `custom<Name>` directives, by name."""
    default_dialect: ClassVar[str] = ""
    """The dialect whose name operations in its regions may leave out."""
    result_name: ClassVar[str | None] = None
    """What printing calls its only result; None for a number."""
    verify_looks_around: ClassVar[bool] = False
    """Whether `verify` looks at more than types, counts, properties and attributes; see `bufferize.ir.verifier`."""
    suggests_names: ClassVar[bool] = False
    """Whether this kind of operation has names of its own for its results."""
    implies_regions: ClassVar[bool] = False
    """Whether its regions follow from its name and are not written in its own form."""

    usual_format: ClassVar[str | None] = None
    """What its usual line looks like, as an assembly format, where all that it may be is read by `parse`."""

    @classmethod
    def one_line_form(cls) -> tuple[str, Any] | None:
        """An expression for all of its own form on one line, and what makes the operation of a match; None if there is none."""
        return None

    @classmethod
    def header_form(cls) -> Any:
        """What takes the usual beginning of it, as far as into its region; see `text/fast_path`. None if there is nothing of the kind."""
        return None

    def verify(self) -> str | Diagnostic | None:
        """What is wrong with it, apart from what its fields and traits say."""
        return None

    def verify_regions(self) -> str | Diagnostic | None:
        """What is wrong with its regions, asked when what is in them is right."""
        return None

    def verify_symbols(self, symbols: Any) -> str | Diagnostic | None:
        """What is wrong with the symbols that it names."""
        return None

    def block_argument_names(self, region: Any) -> Sequence[str | None]:
        """What printing calls the arguments of a region: a name each, or None for a number."""
        return ()
