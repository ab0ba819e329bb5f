"""Permissions only the author can give: writable arguments, and external functions that only read.

A private function's argument may also be called not writable, so that the function copies it where it writes: that keeps what the
program computes, since a copy is made wherever one is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.naming import symbol, value_name
from ...analysis.origins import is_allocation
from ...dialects import bufferization
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CallOpInterface, FunctionOp
from ...ir.types.attributes import FALSE, TRUE, UNIT, ArrayAttr, Attribute, DictionaryAttr, StringAttr
from .change import Applicability, Change, Target

if TYPE_CHECKING:
    from ...analysis.one_shot.result import AnalysisResult

WRITABLE, ACCESS = "bufferization.writable", "bufferization.access"


class MarkArgument(Change):
    """An attribute of a function's argument."""

    name = "mark argument"

    def __init__(
        self,
        function: FunctionOp,
        index: int,
        key: str,
        value: Attribute,
        title: str,
        applicability: Applicability,
    ) -> None:
        super().__init__(function, title)
        self.index, self.key, self.value = index, key, value
        self.applicability = applicability

    def apply(self, program: Target) -> bool:
        function = program.op(self.place)
        if not isinstance(function, FunctionOp):
            return False
        found = function.properties.get("arg_attrs")
        if not isinstance(found, ArrayAttr):
            found = ArrayAttr([DictionaryAttr()] * len(function.function_type.inputs))
        entries = list(found.elements)
        entry = entries[self.index]
        assert isinstance(entry, DictionaryAttr)
        if entry.get(self.key) is self.value:
            return False
        entries[self.index] = DictionaryAttr({**dict(entry.entries), self.key: self.value})
        function.properties["arg_attrs"] = ArrayAttr(entries)
        return True


class AllowWriting(Change):
    """`writable` on a `bufferization.to_tensor`."""

    name = "mark writable"
    applicability = Applicability.CALLERS

    def apply(self, program: Target) -> bool:
        op = program.op(self.place)
        if op is None or op.get_attr("writable") is not None:
            return False
        op.set_attr("writable", UNIT)
        return True


def only_read(result: AnalysisResult, write: OpOperand) -> Iterator[Change]:
    """Say of a function without a body that it only reads an argument."""
    callee = _callee(result, write.owner)
    if callee is not None and callee.is_declaration:
        title = f"if @{symbol(callee)} only reads the argument, say so on its declaration"
        yield MarkArgument(callee, write.index, ACCESS, StringAttr("read"), title, Applicability.CALLERS)


def not_writable(result: AnalysisResult, write: OpOperand) -> Iterator[Change]:
    """Let a private function, or one that it calls, copy what it overwrites: its other callers need no copy then."""
    seen: set[Operation] = set()
    function = _callee(result, write.owner)
    index = write.index
    while function is not None and function not in seen and not function.is_declaration:
        seen.add(function)
        if function.properties.get("sym_visibility") is not None:
            title = f"let @{symbol(function)} copy its argument {index} where it overwrites it: mark it not writable"
            yield MarkArgument(function, index, WRITABLE, FALSE, title, Applicability.SAFE)
        argument = function.regions[0].entry.args[index]
        passed = [use for use in argument.uses if _callee(result, use.owner) is not None]
        if len(passed) != 1:
            return
        function, index = _callee(result, passed[0].owner), passed[0].index


def _callee(result: AnalysisResult, op: Operation) -> FunctionOp | None:
    callee = result.state.call_targets.get(op) if isinstance(op, CallOpInterface) else None
    return callee if isinstance(callee, FunctionOp) else None


def writing_allowed(values: Sequence[Value]) -> Iterator[Change]:
    """Say that memory may be written, where the program says that it may not or does not say."""
    for value in dict.fromkeys(values):
        owner = value.defining_op
        if isinstance(owner, bufferization.ToTensorOp) and not _is_accessed_later(owner):
            yield AllowWriting(
                owner,
                f"if {value_name(value)} is the only way to this memory and it may be overwritten, say 'writable'",
            )
        elif isinstance(value, BlockArgument):
            function = value.owner.parent_op
            if isinstance(function, FunctionOp) and _is_denied(function, value.index):
                title = f"if callers do not need {value_name(value)} any more, let it be overwritten"
                yield MarkArgument(function, value.index, WRITABLE, TRUE, title, Applicability.CALLERS)


def _is_accessed_later(op: bufferization.ToTensorOp) -> bool:
    """Whether the memory of a tensor may be accessed past it, as is seen here; of arguments only their callers know more."""
    buffer = op.operands[0]
    made = buffer.defining_op
    if made is not None and not is_allocation(buffer):
        return True
    return any(
        use.owner is not op
        and use.owner.name != "memref.dealloc"
        and (use.owner.block is not op.block or not use.owner.is_before_in_block(op))
        for use in buffer.uses
    )


def _is_denied(function: Operation, index: int) -> bool:
    found = function.properties.get("arg_attrs")
    entry = found.elements[index] if isinstance(found, ArrayAttr) else None
    return isinstance(entry, DictionaryAttr) and entry.get(WRITABLE) is FALSE
