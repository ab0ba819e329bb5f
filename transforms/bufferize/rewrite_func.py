"""Rewrites of func: signatures, calls and returns.

Arguments and results get the layout of the options; results may get a more static layout afterwards, which all returns have in
common (`narrow_results`). A caller casts its operands to the callee's types, or copies them if the cast could fail.
"""

from __future__ import annotations

from ...analysis.causes import Cause, CauseKind
from ...analysis.freeing.contracts import OWNED, Contracts, declared
from ...dialects import cf, func
from ...dialects.bufferization import BUFFER_LAYOUT, WRITABLE
from ...dialects.memref import CastOp
from ...ir.program.core import Block, BlockArgument, Operation, OpResult, Value
from ...ir.program.interfaces import BranchOp, CountedLoopOp, FunctionOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...ir.types.attributes import FALSE, ArrayAttr, DictionaryAttr, SymbolRefAttr, TypeAttr
from .. import makers
from . import BufferizeOptions, UnknownMemorySpace
from .bufferizer import Bufferizer, Rewrite
from .inference import (
    BufferType,
    RewriteFailed,
    TypeInference,
    TypeRequest,
    converted_type,
    declared_buffer,
    failed,
    fully_dynamic_type,
    is_element_type,
    is_tensor,
)


def block_argument_type(arg: BlockArgument, types: TypeInference, op: Operation) -> TypeRequest:
    """The common type of all incoming buffers; if they differ, one with a fully dynamic layout.

    Values whose type is pending, around a loop of blocks, are ignored. `op` contains the block.
    """
    found: BufferType | None = None
    for operand in types.branches.incoming(arg):
        value = operand.value
        if types.times_pending(value):
            continue
        incoming = yield value
        if found is None:
            found = incoming
        elif found is not incoming:
            if found.memory_space is not incoming.memory_space:
                message = "incoming operands of block argument have inconsistent memory spaces"
                raise failed(op, message, prefixed=True)
            found = fully_dynamic_type(arg.type, found.memory_space)
    if found is None:
        raise failed(op, "could not infer buffer type of block argument", prefixed=True)
    return found


def bufferize_block_signature(block: Block, b: Bufferizer) -> None:
    """Change the tensor arguments of a block to buffers, and the operands of its branches."""
    types: list[t.Type] = [b.buffer_type(arg) if is_tensor(arg.type) else arg.type for arg in block.args]
    changed = False
    for arg, type in zip(block.args, types, strict=True):
        if arg.type is not type:
            changed = True
            b.retype(arg, type, block.first_op, block, makers.place_of(arg))
    if not changed:
        return
    for branch, successor in b.branches.edges(block):
        if not isinstance(branch, BranchOp):
            message = "cannot bufferize ops with block references that do not implement BranchOpInterface"
            raise failed(branch, message, prefixed=True)
        produced = branch.produced_operand_count(successor)
        for operand, type in zip(branch.successor_operands(successor), types[produced:], strict=True):
            if operand.value.type is not type:
                cause = b.cause(branch, CauseKind.LAYOUT_MISMATCH, operand.index, operand.value)
                operand.value = passed_buffer(b, operand.value, type, cause)


def passed_buffer(b: Bufferizer, value: Value, type: t.Type, cause: Cause) -> Value:
    """The buffer of `value` as `type`; casts or copies are inserted right after the definition of `value`."""
    buffer_type = b.buffer_type(value)
    b.stand_after(value)
    passed = b.insert(makers.to_buffer(value, buffer_type))
    passed.cause = cause
    return b.cast(passed.results[0], type)


def returns_of(function: Operation) -> list[Operation]:
    """The returns of a function, in the order of its blocks."""
    return [op for block in function.regions[0] if isinstance(op := block.last_op, func.ReturnOp)]


def signature_type(function: Operation, tensor: t.Type, options: BufferizeOptions) -> BufferType:
    """The buffer type for a tensor in the signature of a function.

    Raises:
        RewriteFailed: it has no memory space, or an element type that is invalid in memrefs.
    """
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    assert isinstance(tensor, t.ShapedType)
    if not is_element_type(tensor.element):
        message = f"cannot bufferize value of type '{tensor}': element type '{tensor.element}' is not a valid memref element type"
        raise failed(function, message)
    space = options.default_memory_space(tensor)
    if isinstance(space, UnknownMemorySpace):
        if options.must_infer_memory_space:
            raise failed(function, "could not infer memory space")
        space = None  # an unranked tensor has no encoding
    return converted_type(tensor, space, options.function_boundary_layout)


def argument_type(function: FunctionOp, index: int, options: BufferizeOptions) -> BufferType:
    """The buffer type for an argument; an attribute may specify its layout."""
    type = signature_type(function, function.function_type.inputs[index], options)
    attrs = function.get_attr("arg_attrs")
    if isinstance(attrs, ArrayAttr) and isinstance(type, t.MemRefType):
        named = expect(DictionaryAttr, attrs.elements[index])
        layout = named.get(BUFFER_LAYOUT)
        if layout is not None:
            return type.with_layout(layout)
    return type


def function_value_type(value: Value, types: TypeInference) -> TypeRequest:
    assert isinstance(value, BlockArgument)
    function = present(value.owner.parent_op)
    if value.owner.is_entry:
        return argument_type(expect(FunctionOp, function), value.index, types.options)
    return (yield from block_argument_type(value, types, function))


def set_type(function: Operation, inputs: list[t.Type], results: list[t.Type]) -> None:
    function.properties["function_type"] = TypeAttr(t.FunctionType(inputs, results))


def bufferize_function(op: FunctionOp, b: Bufferizer) -> None:
    kind: t.FunctionType = op.function_type
    inputs = [argument_type(op, i, b.options) if is_tensor(x) else x for i, x in enumerate(kind.inputs)]
    results = [signature_type(op, x, b.options) if is_tensor(x) else x for x in kind.results]
    if not op.is_declaration:
        for block in op.body:
            bufferize_block_signature(block, b)
        for leave in returns_of(op):
            b.stand_before(leave)
            for operand, type in zip(leave.op_operands, results, strict=True):
                if is_tensor(operand.value.type):
                    value = operand.value
                    promised = b.insert(makers.to_buffer(value, type))
                    promised.cause = b.cause(leave, CauseKind.LAYOUT_MISMATCH, operand.index, value)
                    operand.value = promised.results[0]
    set_type(op, inputs, results)


def bufferize_return(op: Operation, b: Bufferizer) -> None:
    """Rewritten with the function."""


def callee_of(call: Operation, symbols: SymbolTables) -> FunctionOp | None:
    reference = call.properties.get("callee")
    found = symbols.resolve(call, reference) if isinstance(reference, SymbolRefAttr) else None
    return found if isinstance(found, FunctionOp) else None


def bufferize_call(op: Operation, b: Bufferizer) -> None:
    types = [b.buffer_type(r) if is_tensor(r.type) else r.type for r in op.results]
    callee = callee_of(op, b.symbols)
    if callee is None:
        raise RewriteFailed
    inputs: tuple[t.Type, ...] = callee.function_type.inputs
    replacements: list[Value] = []
    for operand in op.op_operands:
        if not is_tensor(operand.value.type):
            replacements.append(operand.value)
            continue
        buffer = b.buffer(operand.value)
        wanted = inputs[operand.index]
        if is_tensor(wanted):
            wanted = argument_type(callee, operand.index, b.options)
        if buffer.type is not wanted:
            cause = b.cause(op, CauseKind.LAYOUT_MISMATCH, operand.index, operand.value)
            buffer = _fitting(b, buffer, wanted, cause)
        replacements.append(buffer)
    for operand, value in zip(op.op_operands, replacements, strict=True):
        operand.value = value
    b.retype_results(op, types)


def _fitting(b: Bufferizer, buffer: Value, wanted: t.Type, cause: Cause) -> Value:
    if not isinstance(wanted, t.MemRefType) or not isinstance(buffer.type, t.MemRefType):
        return b.cast(buffer, wanted)
    fitting = b.cast_or_copy(buffer, wanted, cause)
    if fitting is None:
        raise RewriteFailed
    return fitting


def call_type(value: Value, types: TypeInference) -> TypeRequest:
    """The type in the callee's signature, as it is or will be after the callee is rewritten."""
    assert isinstance(value, OpResult)
    callee = callee_of(value.owner, types.symbols)
    if callee is None:
        raise RewriteFailed
    type = callee.function_type.results[value.index]
    if is_tensor(type):
        return signature_type(callee, type, types.options)
    return type
    yield value


def narrow_results(function: FunctionOp) -> None:
    """Change result types to those before casts, if all returns agree; dead casts remain."""
    leaves = returns_of(function)
    if not leaves:
        return
    for i in range(len(leaves[0].op_operands)):
        sources = [_before_cast(leave.op_operands[i].value) for leave in leaves]
        if all(source.type is sources[0].type for source in sources):
            for leave, source in zip(leaves, sources, strict=True):
                leave.op_operands[i].value = source
    set_type(function, list(function.function_type.inputs), leaves[0].operand_types)


def _before_cast(value: Value) -> Value:
    op = value.defining_op
    return op.op_operands[0].value if isinstance(op, CastOp) else value


def leave_branch(op: Operation, b: Bufferizer) -> None:
    """`bufferize_block_signature` rewrites branches together with their successors."""


REWRITES = {
    func.CallOp: Rewrite(bufferize_call, call_type),
    func.FuncOp: Rewrite(bufferize_function, function_value_type),
    func.ReturnOp: Rewrite(bufferize_return),
    cf.BranchToOp: Rewrite(leave_branch),
    cf.CondBranchOp: Rewrite(leave_branch),
}


OBSOLETE = frozenset((BUFFER_LAYOUT, WRITABLE))


def remove_bufferization_attributes(module: Operation) -> None:
    """Remove bufferization attributes from all functions with a body. O(operations)."""
    for op in module.walk():
        if op.name != "func.func":
            continue
        assert isinstance(op, FunctionOp)
        attrs = op.get_attr("arg_attrs")
        if op.is_declaration or not isinstance(attrs, ArrayAttr):
            continue
        kept = [_without_obsolete(dictionary) for dictionary in attrs.elements]
        if any(isinstance(d, DictionaryAttr) and d.entries for d in kept):
            op.set_attr("arg_attrs", ArrayAttr(kept))
        else:
            op.remove_attr("arg_attrs")


def _without_obsolete(dictionary: object) -> DictionaryAttr:
    assert isinstance(dictionary, DictionaryAttr)
    return DictionaryAttr({key: value for key, value in dictionary.entries if key not in OBSOLETE})


def say_borrowed(root: Operation, symbols: SymbolTables) -> None:
    """Mark results that are views of arguments as borrowed: donated ones, and any if all callers are known.

    Callers use the operand instead where a result must be the whole argument. O(operations * depth of the call graph).
    """
    contracts = Contracts(symbols, root)
    given: set[tuple[FunctionOp, int]] = set()
    lent: dict[FunctionOp, dict[int, int]] = {}
    for (function, index), argument in contracts.one_argument.items():
        if declared(function, index) is not None:
            continue
        if function.visibility != "private":
            if (function, argument) in given or function.donated().get(argument, -1) not in (index, None):
                continue
            given.add((function, argument))
        function.set_result_attr(index, OWNED, FALSE)
        lent.setdefault(function, {})[index] = argument
    calls = [op for op in root.walk() if isinstance(op, func.CallOp)] if lent else []
    changed = True
    while changed:
        changed = False
        for call in calls:
            function = callee_of(call, symbols)
            if function is None:
                continue
            for index, argument in lent.get(function, {}).items():
                result, passed = call.results[index], call.operands[argument]
                if result.has_uses and result.type is passed.type and _returns_all(function, index, argument):
                    result.replace_all_uses_with(passed)
                    changed = True


def _returns_all(function: FunctionOp, index: int, argument: int) -> bool:
    """Whether a result must be the argument itself, through casts and loops that forward it. O(their number)."""
    for leave in returns_of(function):
        value = leave.op_operands[index].value
        while isinstance(value, OpResult):
            op = value.owner
            if isinstance(op, CastOp):
                value = op.op_operands[0].value
            elif isinstance(op, CountedLoopOp):
                end, carried = op.regions[0].entry.last_op, op.region_iter_args[value.index]
                if end is None or end.op_operands[value.index].value is not carried:
                    return False
                value = op.init_operands[value.index].value
            else:
                return False
        if value is not function.body.entry.args[argument]:
            return False
    return True
