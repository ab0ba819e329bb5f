"""Operations, values, blocks, regions, and their interfaces.

Begin with `core.Operation`; `builder` creates operations, `interfaces` says what other packages may ask of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..source.diagnostics import Diagnostic

# -- Hooks of a declared operation class, with defaults.
#
# `Operation` inherits these, so callers need not know which classes override them.

Directive = tuple[Callable[..., Any], Callable[..., Any]]
"""How a `custom<Name>` of a format is parsed and printed."""


class OperationProtocol:
    """The questions that parser, printer and verifier ask of an operation class."""

    __slots__ = ()

    traits: ClassVar[Sequence[Any]] = ()
    """The traits of the class."""
    assembly_format: ClassVar[str | None] = None
    """The custom form in MLIR's declarative notation; None if `parse` and `print_custom` handle it or only the generic
    form exists.
    """
    parse: ClassVar[Callable[..., Any] | None] = None
    """Parses the custom form, `(parser, state)`, if there is no format; a generator if the form has regions."""
    print_custom: ClassVar[Callable[..., Any] | None] = None
    """Prints the custom form, `(operation, printer)`, if there is no format; a generator if the form has regions."""
    complete_generic: ClassVar[Callable[..., None] | None] = None
    """Fills in parts that the generic form may omit, `(state)`."""
    directives: ClassVar[Mapping[str, Directive]] = {}
    """The class's own `custom<Name>` directives, by name."""
    default_dialect: ClassVar[str] = ""
    """The dialect whose prefix may be omitted by operations in the regions."""
    result_name: ClassVar[str | None] = None
    """The printed name hint of a single result; None prints a number."""
    verify_looks_around: ClassVar[bool] = False
    """Whether `verify` depends on more than types, counts, properties and attributes; see `bufferize.ir.verifier`."""
    suggests_names: ClassVar[bool] = False
    """Whether the class suggests names for its results."""
    implies_regions: ClassVar[bool] = False
    """Whether the regions follow from the name and are omitted from the custom form."""

    usual_format: ClassVar[str | None] = None
    """The most common spelling as an assembly format, for classes whose full custom form needs `parse`."""

    @classmethod
    def one_line_form(cls) -> tuple[str, Any] | None:
        """A regular expression for the complete custom form on one line, and a function that builds the operation from
        a match, or None.
        """
        return None

    @classmethod
    def header_form(cls) -> Any:
        """Matches the common spelling of the operation's header, up to its region; see `text/fast_path`.

        None if there is none.
        """
        return None

    def verify(self) -> str | Diagnostic | None:
        """The message for a violated invariant beyond fields and traits, or None."""
        return None

    def verify_regions(self) -> str | Diagnostic | None:
        """Like `verify`, for invariants of the region contents; called only after the nested operations have been
        verified.
        """
        return None

    def verify_symbols(self, symbols: Any) -> str | Diagnostic | None:
        """Like `verify`, for the symbols that the operation references."""
        return None

    def block_argument_names(self, region: Any) -> Sequence[str | None]:
        """Name hints for printing the arguments of a region; None prints a number."""
        return ()
