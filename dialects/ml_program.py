"""The `ml_program` dialect: top-level structure of machine-learning programs (functions, global variables)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, unit_attribute, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import Effect, MemoryEffectOp
from ..ir.types import attributes as a, types as t
from .function_like import FunctionLikeOp, FunctionReturnOp

if TYPE_CHECKING:
    from ..ir.program.symbols import SymbolTables
    from ..ir.text.op_parser import OpParser, UnresolvedOperand
    from ..ir.text.printer import Printer

TOKEN = t.DialectType("ml_program", "token")
TOKEN_TYPE = c.exactly(TOKEN, "Token for establishing execution ordering in a graph")
TOKENS_RESOURCE = "ml_program.global"


def _parse_visibility(p: OpParser, slot: Any) -> None:
    for word in tr.VISIBILITIES:
        if p.accept(word):
            slot.set(a.StringAttr(word))
            return
    p.error("expected 'public', 'private', or 'nested'")


def _print_visibility(p: Printer, op: Operation, visibility: a.Attribute | None) -> str:
    return visibility.value if isinstance(visibility, a.StringAttr) else ""


def _parse_initial_value(p: OpParser, type_slot: Any, value_slot: Any) -> None:
    """`(value : type) : type`, or `: type` without a value."""
    if p.accept("("):
        value_slot.set(p.attribute())
        p.expect(")")
    type_slot.set(a.TypeAttr(p.colon_type()))


def _print_initial_value(p: Printer, op: Operation, type: a.TypeAttr, value: a.Attribute | None) -> str:
    start = f"({p.attribute(value)})" if value is not None else ""
    return f"{start} : {p.type(type.type)}"


def _parse_ordering(p: OpParser, tokens: list[UnresolvedOperand], types: list[t.Type]) -> None:
    """` ordering(%a, %b -> !ml_program.token)`, ` ordering(() -> type)`, or empty."""
    if not p.accept("ordering"):
        return
    p.expect("(")
    if p.accept("("):
        p.expect(")")
    else:
        tokens.extend(p.operand_list())
    if p.accept("->"):
        types.append(p.type())
    p.expect(")")


def _print_ordering(p: Printer, op: Operation, tokens: list[Any], types: list[t.Type]) -> str:
    if not tokens and not types:
        return ""
    before = p.values(tokens) if tokens else "()"
    after = f" -> {p.type(types[0])}" if types else ""
    return f" ordering({before}{after})"


class FuncOp(FunctionLikeOp):
    """A function whose operations execute in order."""

    name = "ml_program.func"


class SubgraphOp(FunctionLikeOp):
    """A function whose operations are ordered by data dependences alone."""

    name = "ml_program.subgraph"
    traits = (*FunctionLikeOp.traits, tr.SINGLE_BLOCK, tr.GRAPH_REGION)


class GlobalOp(Operation):
    """A global variable."""

    name = "ml_program.global"
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    type = attribute(c.TYPE_ATTR)
    is_mutable = unit_attribute()
    value = attribute(c.ANY_ATTR, optional=True)
    sym_visibility = attribute(c.attribute_instance(a.StringAttr, "string attribute"), optional=True)
    traits = (tr.SYMBOL,)
    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? "
        "$sym_name `` custom<TypedInitialValue>($type, $value) attr-dict"
    )
    directives = {  # noqa: RUF012 (read only)
        "SymbolVisibility": (_parse_visibility, _print_visibility),
        "TypedInitialValue": (_parse_initial_value, _print_initial_value),
    }

    def verify(self) -> str | None:
        if not self.is_mutable and self.value is None:
            return "immutable global must have an initial value"
        return None


class GlobalAccessOp(MemoryEffectOp):
    """Reads or writes a global variable by name."""

    global_ = attribute(c.SYMBOL_REF_ATTR, key="global")
    reads = True
    needs_mutable = True

    def memory_effects(self) -> list[Effect]:
        return [Effect("read" if self.reads else "write", None, TOKENS_RESOURCE)]

    def accessed_type(self) -> t.Type:
        return self.results[0].type if self.reads else self.operands[0].type

    def verify_symbols(self, symbols: SymbolTables) -> str | None:
        found = symbols.resolve(self, self.global_)
        if not isinstance(found, GlobalOp):
            return f"undefined global: {self.global_}"
        if self.needs_mutable and not self.reads and not found.is_mutable:
            return f"cannot store to an immutable global {self.global_}"
        if not self.needs_mutable and found.is_mutable:
            return "cannot load as const from mutable global " + self.global_.root
        if found.type.type is not self.accessed_type():
            verb, word = ("load from", "as") if self.reads else ("store to a", "from")
            return f"cannot {verb} global typed '{found.type.type}' {word} '{self.accessed_type()}'"
        return None

    def result_names(self) -> list[str | None]:
        return [self.global_.nested[-1] if self.global_.nested else self.global_.root]


class GlobalLoadOp(GlobalAccessOp):
    """Loads the current value of a global variable."""

    name = "ml_program.global_load"
    result = result(c.ANY_TYPE)
    assembly_format = "$global_ `:` type($result) attr-dict"


class GlobalLoadConstOp(GlobalAccessOp):
    """Loads the value of an immutable global variable."""

    name = "ml_program.global_load_const"
    result = result(c.ANY_TYPE)
    needs_mutable = False
    assembly_format = "$global_ `:` type($result) attr-dict"

    def memory_effects(self) -> list[Effect]:
        return []


class GlobalLoadGraphOp(GlobalAccessOp):
    """A load ordered by tokens."""

    name = "ml_program.global_load_graph"
    consume_tokens = variadic_operand(TOKEN_TYPE)
    result_ = result(c.ANY_TYPE)
    produce_token = result(TOKEN_TYPE)
    assembly_format = "$global_ `` custom<TokenOrdering>($consume_tokens, type($produce_token)) `:` type($result_) attr-dict"
    directives = {"TokenOrdering": (_parse_ordering, _print_ordering)}  # noqa: RUF012 (read only)

    def result_names(self) -> list[str | None]:
        return ["result", "produceToken"]


class GlobalStoreOp(GlobalAccessOp):
    """Stores to a global variable."""

    name = "ml_program.global_store"
    value = operand(c.ANY_TYPE)
    reads = False
    assembly_format = "$global_ `=` $value `:` type($value) attr-dict"

    def result_names(self) -> list[str | None]:
        return []


class GlobalStoreGraphOp(GlobalAccessOp):
    """A store ordered by tokens."""

    name = "ml_program.global_store_graph"
    value = operand(c.ANY_TYPE)
    consume_tokens = variadic_operand(TOKEN_TYPE)
    produce_token = result(TOKEN_TYPE)
    reads = False
    assembly_format = (
        "$global_ `=` $value `` custom<TokenOrdering>($consume_tokens, type($produce_token)) "
        "`:` type($value) attr-dict"
    )
    directives = {"TokenOrdering": (_parse_ordering, _print_ordering)}  # noqa: RUF012 (read only)

    def result_names(self) -> list[str | None]:
        return [None]


class OutputOp(FunctionReturnOp):
    """Ends a subgraph."""

    name = "ml_program.output"
    traits = (tr.has_parent("ml_program.subgraph"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)


class ReturnOp(FunctionReturnOp):
    """Ends a function."""

    name = "ml_program.return"
    traits = (tr.has_parent("ml_program.func"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)


class TokenOp(Operation):
    """A token without predecessors."""

    name = "ml_program.token"
    token = result(TOKEN_TYPE)
    traits = (tr.PURE,)
    assembly_format = "attr-dict"
