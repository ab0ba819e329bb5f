"""The `async` dialect: asynchronous regions and functions.

MLIR's definitions (`ods`) cover everything but the forms written in C++: `async.execute` and `async.func`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation
from ..ir.types import types as t
from .function_like import FunctionLikeOp
from .ods import operations_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..ir.program.core import Region
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer

TOKEN = t.DialectType("async", "token")
VALUE = "value<"


class ExecuteForm(Operation):
    """Runs its region asynchronously, after its dependencies; the region gets what the other operands will contain.

    [%token, ...] (%value as %argument: !async.value<t>, ...) -> !async.value<u> attributes {...} { region }
    """

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        dependencies = p.bracketed_operands("[", "]") if p.peek("[") else []
        arguments: list[Argument] = []
        uses: list[UnresolvedOperand] = []
        types: list[t.Type] = []

        def unwrapped() -> None:
            uses.append(p.operand())
            p.expect("as")
            argument = p.argument(False)
            types.append(p.colon_type())
            argument.type = _contents(p, types[-1])
            arguments.append(argument)

        if p.peek("("):
            p.comma_separated(unwrapped)
        state.add_operands(p.resolve_same(dependencies, TOKEN))
        state.add_operands(p.resolve_all(uses, types))
        state.set_segments([len(dependencies), len(uses)])
        state.result_types = [TOKEN, *p.arrow_types()]
        p.attr_dict_with_keyword(state)
        state.regions.append((yield p.region(arguments)))

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        body = self.regions[0]
        split = len(self.op_operands) - len(body.entry.args)
        if split:
            yield f" [{p.values(self.operands[:split])}]"
        if body.entry.args:
            pairs = zip(self.operands[split:], body.entry.args, strict=True)
            shown = ", ".join(f"{p.value(v)} as {p.value(arg)}: {p.type(v.type)}" for v, arg in pairs)
            yield f" ({shown})"
        yield p.arrow_types(self.result_types[1:])
        yield p.attr_dict_with_keyword(self, ("operandSegmentSizes",))
        yield " "
        yield p.region(body, entry_args=False)


def _contents(p: OpParser, type: t.Type) -> t.Type:
    """`f32` for `!async.value<f32>`."""
    if not (isinstance(type, t.DialectType) and type.dialect == "async" and type.body.startswith(VALUE)):
        p.error(f"operand #0 must be variadic of async value type or async token type, but got '{type}'")
    return p.scope.parse_type(type.body[len(VALUE) : -1])


class FuncOp(FunctionLikeOp):
    """A function whose body may suspend; it returns a token, values, or both."""

    name = "async.func"
    default_dialect = "async"


__getattr__ = operations_of("async", {"async.execute": ExecuteForm})
