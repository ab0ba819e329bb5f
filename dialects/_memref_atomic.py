"""Reading and writing in one step that no other thread sees half of."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, region, result, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import READ, WRITE, MemoryEffectOp, is_memory_effect_free
from ..ir.source.diagnostics import Diagnostic, error
from ..ir.types import types as t
from ._memref_views import memref_type_of
from .common import element_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


NUMBER_MEMREF = c.container(t.MemRefType, "memref", c.SIGNLESS_INTEGER_OR_FLOAT)


RMW_KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
    *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
)


class AtomicRMWOp(MemoryEffectOp):
    """Combines `value` with one element in one indivisible step; the result is what was there before."""

    name = "memref.atomic_rmw"
    kind = attribute(
        c.integer_enum(
            t.I64, RMW_KINDS, f"allowed 64-bit signless integer cases: {', '.join(map(str, range(16)))}"
        )
    )
    value = operand(c.SIGNLESS_INTEGER_OR_FLOAT)
    memref = operand(NUMBER_MEMREF, effects=(READ, WRITE))
    indices = variadic_operand(c.INDEX)
    result = result(c.SIGNLESS_INTEGER_OR_FLOAT)
    traits = (
        tr.all_types_match("value", "result"),
        tr.TypesMatchWith("value type matches element type of memref", "memref", "value", element_of),
    )
    assembly_format = (
        "$kind $value `,` $memref `[` $indices `]` attr-dict"
        " `:` `(` type($value) `,` type($memref) `)` `->` type($result)"
    )

    def verify(self) -> str | None:
        if len(self.indices) != memref_type_of(self.memref).rank:
            return "expects the number of subscripts to be equal to memref rank"
        kind = RMW_KINDS[self.kind.value]
        if kind in ("addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"):
            if not isinstance(self.value.type, t.FloatType):
                return f"with kind '{kind}' expects a floating-point type"
        elif kind != "assign" and not isinstance(self.value.type, t.IntegerType):
            return f"with kind '{kind}' expects an integer type"
        return None


class GenericAtomicRMWOp(MemoryEffectOp):
    """Replaces one element by what the region makes of it, in one indivisible step; the result is the new one."""

    name = "memref.generic_atomic_rmw"
    memref = operand(NUMBER_MEMREF, effects=(READ, WRITE))
    indices = variadic_operand(c.INDEX)
    result = result(c.SIGNLESS_INTEGER_OR_FLOAT)
    atomic_body = region()
    traits = (
        tr.SINGLE_BLOCK,
        tr.TypesMatchWith("result type matches element type of memref", "memref", "result", element_of),
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        memref = p.operand()
        indices = p.comma_separated(p.operand, "[", "]")
        type = p.colon_type()
        if not isinstance(type, t.MemRefType):
            p.error("expected memref type")
        state.operands = [p.resolve(memref, type), *p.resolve_all(indices, [t.INDEX] * len(indices))]
        state.result_types = [type.element]
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.value(self.memref)}[{p.values(self.indices)}] : {p.type(self.memref.type)} "
        yield p.region(self.atomic_body)
        yield p.attr_dict(self)

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        body = self.atomic_body.entry
        if len(body.args) != 1:
            return "expected single number of entry block arguments"
        if body.args[0].type is not self.result.type:
            return "expected block argument of the same type result type"
        for op in body:
            if not is_memory_effect_free(op):
                return error(
                    "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
                    op.name_span,
                )
        return None


class AtomicYieldOp(Operation):
    """The new element, at the end of `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"
    traits = (tr.has_parent("memref.generic_atomic_rmw"), tr.PURE, tr.TERMINATOR, tr.RETURN_LIKE)
    value = operand()
    assembly_format = "$value attr-dict `:` type($value)"

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if parent is not None and parent.results and self.value.type is not parent.results[0].type:
            return f"types mismatch between yield op: '{self.value.type}' and its parent: '{parent.results[0].type}'"
        return None
