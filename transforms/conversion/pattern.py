"""How one operation is converted.

    @pattern("tensor.cast", converter=buffers)
    def convert_cast(op, operands, rewriter):
        type = buffers.convert_one(op.results[0].type)
        rewriter.replace_with(op, memref.CastOp.build(source=operands[0], dest=type))
        return True

A pattern is given the operation and its operands *under their new types*. It changes the program only through the
rewriter and says whether it did; what a pattern that then declines has changed is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, Value
from .type_converter import TypeConverter

if TYPE_CHECKING:
    from .rewriter import ConversionRewriter

Rewrite = Callable[..., bool]


class ConversionPattern:
    """Base of patterns. A subclass defines `match_and_rewrite`.

    Attributes:
        root: full name of the operations it applies to, or a class that they are of (an interface); None for all.
        converter: the types that operands are wanted under; None for whatever they have become.
        benefit: patterns with a higher one are tried first; otherwise in the order in which they were added.
        makes_its_own_kind: whether it may be applied to what it makes itself. It has to come to an end.
    """

    root: str | type[Operation] | None = None
    makes_its_own_kind = False

    def __init__(
        self,
        converter: TypeConverter | None = None,
        *,
        root: str | type[Operation] | None = None,
        benefit: int = 1,
    ) -> None:
        self.converter = converter
        self.benefit = benefit
        if root is not None:
            self.root = root

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        raise NotImplementedError


class _FunctionPattern(ConversionPattern):
    def __init__(
        self,
        rewrite: Rewrite,
        root: str | type[Operation] | None,
        converter: TypeConverter | None,
        benefit: int,
    ) -> None:
        super().__init__(converter, root=root, benefit=benefit)
        self._rewrite = rewrite

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        return self._rewrite(op, operands, rewriter)

    def __repr__(self) -> str:
        return f"<pattern {getattr(self._rewrite, '__name__', '?')} for {self.root or 'any operation'}>"


def pattern(
    root: str | type[Operation] | None, *, converter: TypeConverter | None = None, benefit: int = 1
) -> Callable[[Rewrite], ConversionPattern]:
    """Make a pattern of a function `(op, operands, rewriter) -> bool`.

    `root` is the name of an operation, its class, or an interface: `pattern(CastOp)` applies to whatever casts.
    """
    name = root if root is None or isinstance(root, str) else getattr(root, "name", root)

    def make(rewrite: Rewrite) -> ConversionPattern:
        return _FunctionPattern(rewrite, name, converter, benefit)

    return make
