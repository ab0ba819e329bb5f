"""Direct memory access: transfers that run beside the program and are waited for by tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import operand, variadic_operand
from ..ir.program.core import Operation, Value
from ..ir.types import types as t

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


def _rank(value: Value) -> int:
    return value.type.rank if isinstance(value.type, t.MemRefType) else 0


class DmaStartOp(Operation):
    """Starts a transfer of `num_elements` from one buffer to another, to be waited for by the tag.

    The operands are source, its indices, destination, its indices, the number of elements, tag, its indices, and
    for strided transfers the stride and the number of elements per stride.
    """

    name = "memref.dma_start"
    inputs = variadic_operand()

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        groups = []
        for _ in range(2):
            groups.append((p.operand(), p.comma_separated(p.operand, "[", "]")))
            p.expect(",")
        count = p.operand()
        p.expect(",")
        groups.append((p.operand(), p.comma_separated(p.operand, "[", "]")))
        strides = []
        while p.accept(","):
            strides.append(p.operand())
        if len(strides) not in (0, 2):
            p.error("expected two stride related operands")
        p.attr_dict(state)
        types = p.colon_type_list()
        if len(types) != 3:
            p.error("fewer/more types expected")
        for i, ((memref, indices), type) in enumerate(zip(groups, types, strict=True)):
            if i == 2:
                state.operands.append(p.resolve(count, t.INDEX))
            state.operands.append(p.resolve(memref, type))
            state.operands.extend(p.resolve_all(indices, [t.INDEX] * len(indices)))
        state.operands.extend(p.resolve_all(strides, [t.INDEX] * len(strides)))

    def parts(self) -> tuple[list[Value], list[Value], Value, list[Value], list[Value]]:
        """Source with indices, destination with indices, count, tag with indices, and the strides ([] if none)."""
        values = self.operands
        ends = 1 + _rank(values[0])
        source, values = values[:ends], values[ends:]
        ends = 1 + _rank(values[0])
        target, values = values[:ends], values[ends:]
        count, values = values[0], values[1:]
        ends = 1 + _rank(values[0])
        return source, target, count, values[:ends], values[ends:]

    def print_custom(self, p: Printer) -> str:
        source, target, count, tag, strides = self.parts()
        shown = [f"{p.value(m)}[{p.values(indices)}]" for m, *indices in (source, target, tag)]
        shown.insert(2, p.value(count))
        shown.extend(p.value(v) for v in strides)
        types = p.types(v.type for v in (source[0], target[0], tag[0]))
        return f" {', '.join(shown)}{p.attr_dict(self)} : {types}"

    def verify(self) -> str | None:
        values = self.operands
        if len(values) < 4:
            return "expected at least 4 operands"
        position = 0
        for noun in ("source", "destination", "tag"):
            if noun == "tag":
                if position >= len(values) or values[position].type is not t.INDEX:
                    return "expected num elements to be of index type"
                position += 1
            if position >= len(values) or not isinstance(values[position].type, t.MemRefType):
                article = {"source": "source", "destination": "destination", "tag": "tag"}[noun]
                return f"expected {article} to be of memref type"
            rank = _rank(values[position])
            indices = values[position + 1 : position + 1 + rank]
            if len(indices) != rank or any(v.type is not t.INDEX for v in indices):
                return f"expected {noun} indices to be of index type"
            position += 1 + rank
        rest = values[position:]
        if len(rest) not in (0, 2):
            return "incorrect number of operands"
        if any(v.type is not t.INDEX for v in rest):
            return "expected stride and num elements per stride to be of type index"
        return None


class DmaWaitOp(Operation):
    """Waits until the transfer with that tag is complete."""

    name = "memref.dma_wait"
    tag_memref = operand(c.ANY_MEMREF)
    tag_indices = variadic_operand(c.INDEX)
    num_elements = operand(c.INDEX)
    assembly_format = "$tag_memref `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag_memref)"

    def verify(self) -> str | None:
        count, rank = len(self.tag_indices), _rank(self.tag_memref)
        if count != rank:
            return f"expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {count}"
        return None
