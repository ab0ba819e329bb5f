"""Function signatures: `-buffer-results-to-out-params`, `-drop-equivalent-buffer-results`, `-keep-arguments`.

    func.func private @f() -> memref<4xf32> { ... return %m : memref<4xf32> }
    %0 = call @f() : () -> memref<4xf32>
 => func.func private @f(%out: memref<4xf32>) { ... memref.copy %m, %out; return }
    %0 = memref.alloc() : memref<4xf32>
    call @f(%0) : (memref<4xf32>) -> ()

With hoisting, a buffer allocated by the function itself is replaced by `%out` instead of copied.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from ..analysis.causes import Cause, CauseKind
from ..analysis.origins import ViewFlow
from ..dialects import func, memref
from ..dialects.bufferization import WRITABLE
from ..ir.defects import RESULTS_OF_ONE_BUFFER
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, OpResult, Value, location_of
from ..ir.program.following import may_run_after
from ..ir.program.interfaces import (
    WRITE,
    AllocationOp,
    FunctionOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ..ir.program.symbols import SymbolTable
from ..ir.source.diagnostics import Diagnostic, PassFailed, error, expect, present, remark
from ..ir.types import attributes as a, types as t
from . import makers
from .pass_base import Context, Pass, Stayed, flag, names

# Function signatures: types and attributes edited together; `-keep-arguments`.

NO_ATTRIBUTES = a.DictionaryAttr()


def functions_in(module: Operation) -> list[func.FuncOp]:
    """The functions directly in a module."""
    return [op for region in module.regions for op in region.ops() if isinstance(op, func.FuncOp)]


def check_returns(module: Operation) -> None:
    """Reject functions without a return, with mlir-opt's message: their results are derived from the returns.

    Raises:
        PassFailed: there is one.
    """
    for function in functions_in(module):
        ends = [] if function.is_declaration else [block.last_op for block in function.body]
        if ends and not any(isinstance(end, func.ReturnOp) for end in ends):
            raise PassFailed(error("cannot bufferize func.func without func.return", function.name_span))


def is_public(function: Operation) -> bool:
    visibility = function.properties.get("sym_visibility")
    return not isinstance(visibility, a.StringAttr) or visibility.value == "public"


def callee_name(call: Operation) -> str:
    callee = expect(a.SymbolRefAttr, call.properties["callee"])
    return callee.root


def calls_by_callee(module: Operation, table: SymbolTable) -> dict[Operation, list[func.CallOp]]:
    """The calls inside `module` of each function that `table` knows, in textual order. O(operations)."""
    found: dict[Operation, list[func.CallOp]] = {}
    for op in module.walk():
        if isinstance(op, func.CallOp):
            callee = table.lookup(callee_name(op))
            if callee is not None:
                found.setdefault(callee, []).append(op)
    return found


def attributes_of(function: Operation, key: str, count: int) -> list[a.Attribute]:
    """The attribute dictionaries of arguments (`arg_attrs`) or results (`res_attrs`), empty ones included."""
    found = function.properties.get(key)
    return list(found.elements) if isinstance(found, a.ArrayAttr) else [NO_ATTRIBUTES] * count


def set_attributes(function: Operation, key: str, dictionaries: list[a.Attribute]) -> None:
    """Set the attribute dictionaries of arguments or results; removes the attribute if all are empty."""
    if any(dictionary is not NO_ATTRIBUTES for dictionary in dictionaries):
        function.properties[key] = a.ArrayAttr(dictionaries)
    else:
        function.properties.pop(key, None)


def set_type(function: Operation, inputs: list[t.Type], results: list[t.Type]) -> None:
    function.properties["function_type"] = a.TypeAttr(t.FunctionType(inputs, results))


def erase_results(function: FunctionOp, erased: Collection[int]) -> None:
    """Remove results from the signature. The caller updates the returns."""
    kind: t.FunctionType = function.function_type
    attributes = attributes_of(function, "res_attrs", len(kind.results))
    kept = [i for i in range(len(kind.results)) if i not in erased]
    set_type(function, list(kind.inputs), [kind.results[i] for i in kept])
    set_attributes(function, "res_attrs", [attributes[i] for i in kept])


# `-keep-arguments`: function arguments are marked read-only.
#
#     func.func @act(%t: tensor<4096xf32>) -> tensor<4096xf32> {
#       %r = linalg.exp ins(%t : tensor<4096xf32>) outs(%t : tensor<4096xf32>) -> tensor<4096xf32>
#   => func.func @act(%t: tensor<4096xf32> {bufferization.writable = false}) -> tensor<4096xf32> {
#
# An operation that would overwrite an argument gets a buffer of its own instead, uncopied if it does not read the old
# contents. That is cheaper than returning the caller's buffer, which deallocation clones, or copying before the call
# what the caller still needs.


class KeepArguments(Pass):
    """Only attributes change. O(functions + arguments)."""

    name: ClassVar[str] = "keep-arguments"
    summary: ClassVar[str] = "mark tensor arguments of functions as read-only"

    arguments = names(
        "arguments", "the arguments to mark, as FUNCTION#NUMBER (default: all tensor arguments)"
    )

    def run(self, op: Operation, context: Context) -> None:
        wanted = {name.removeprefix("@") for name in self.arguments}
        for function in op.walk():
            if isinstance(function, FunctionOp) and not function.is_declaration:
                wanted -= self._mark(function, wanted)
        if wanted:
            raise PassFailed(f"-{self.name}: there is no tensor argument '{min(wanted)}'")

    def _mark(self, function: FunctionOp, wanted: set[str]) -> set[str]:
        """Mark the arguments of one function; returns the requested names that it has."""
        inputs = function.function_type.inputs
        attributes = attributes_of(function, "arg_attrs", len(inputs))
        found: set[str] = set()
        for i, type in enumerate(inputs):
            name = f"{function.symbol_name}#{i}"
            if isinstance(type, t.RankedTensorType | t.UnrankedTensorType) and (
                name in wanted or not self.arguments
            ):
                found.add(name)
                old = expect(a.DictionaryAttr, attributes[i])
                attributes[i] = a.DictionaryAttr({**dict(old.items()), WRITABLE: a.FALSE})
        if found:
            set_attributes(function, "arg_attrs", attributes)
        return found


RESULT = "bufferize.result"

Sizes = list[list[int]]
"""For each hoisted allocation of dynamic size, the arguments that are its sizes; empty if they are not arguments."""


class BufferResultsToOutParams(Pass):
    """External functions keep their results, and so do public ones by default. O(operations + uses
    replaced)."""

    name: ClassVar[str] = "buffer-results-to-out-params"
    summary: ClassVar[str] = "convert memref-typed function results to out-params"

    add_result_attr = flag("add-result-attr", f"mark the new arguments with `{RESULT}`")
    hoist_dynamic_allocs = flag(
        "hoist-dynamic-allocs", "let callers allocate buffers whose sizes are arguments"
    )
    hoist_static_allocs = flag("hoist-static-allocs", "let callers allocate buffers of known size")
    modify_public_functions = flag("modify-public-functions", "change public functions too")

    def run(self, op: Operation, context: Context, stayed: Stayed = lambda value, why, at: None) -> None:
        """Rewrite functions and their calls; `stayed` is called with each returned buffer that its callers do not
        allocate."""
        sizes: dict[Operation, Sizes] = {}
        calls = calls_by_callee(op, SymbolTable(op))
        for function in functions_in(op):
            if function.is_declaration:
                continue
            if not self.may_change(function):
                _tell(function, stayed, f"leaves it a result without modify-public-functions: {PUBLIC}")
                continue
            if RESULTS_OF_ONE_BUFFER not in context.mirrored and _returns_one_twice(function):
                context.diagnostics.emit(remark(SHARED, function.name_span, "results-of-one-buffer"))
                _tell(function, stayed, f"leaves it a result: {SHARED}")
                continue
            if RESULTS_OF_ONE_BUFFER not in context.mirrored and _is_seen_as_argument(
                function, calls.get(function, ())
            ):
                context.diagnostics.emit(remark(PASSED_ON, function.name_span, "results-of-one-buffer"))
                _tell(function, stayed, f"leaves it a result: {PASSED_ON}")
                continue
            added = self.change_signature(function)
            sizes[function] = self.fill(function, added, stayed)
            context.count(self.name, "out-params", len(added))
        self.change_calls(op, sizes)

    def may_change(self, function: Operation) -> bool:
        return self.modify_public_functions or not is_public(function)

    def change_signature(self, function: func.FuncOp) -> list[BlockArgument]:
        """Move ranked memrefs from the results to new trailing arguments.

        Raises:
            PassFailed: one has a layout to which no allocation can be cast.
        """
        kind: t.FunctionType = function.function_type
        types = [type for type in kind.results if isinstance(type, t.MemRefType)]
        moved = [i for i, type in enumerate(kind.results) if isinstance(type, t.MemRefType)]
        for type in types:
            if not (_is_identity(type) or _is_fully_dynamic(type)):
                message = "cannot create out param for result with unsupported layout"
                raise PassFailed(error(message, function.name_span), operation=function)
        arguments = attributes_of(function, "arg_attrs", len(kind.inputs))
        results = attributes_of(function, "res_attrs", len(kind.results))
        for i in moved:
            attributes = expect(a.DictionaryAttr, results[i])
            if self.add_result_attr:
                attributes = a.DictionaryAttr({**dict(attributes.entries), RESULT: a.UNIT})
            arguments.append(attributes)
        set_type(function, [*kind.inputs, *types], list(kind.results))
        set_attributes(function, "arg_attrs", arguments)
        erase_results(function, moved)
        entry = function.body.entry
        return [entry.add_argument(type, location=location_of(function)) for type in types]

    def fill(self, function: func.FuncOp, added: list[BlockArgument], stayed: Stayed) -> Sizes:
        """Before each return, store the returned buffers into the new arguments."""
        sizes: Sizes = []
        leaves = [op for op in function.walk() if isinstance(op, func.ReturnOp)]
        for number, leave in enumerate(leaves):
            found = self.fill_before(function, leave, added, stayed)
            if number == 0:
                sizes = found
        return sizes

    def fill_before(
        self, function: func.FuncOp, leave: Operation, added: list[BlockArgument], stayed: Stayed
    ) -> Sizes:
        moved = [use.index for use in leave.op_operands if isinstance(use.value.type, t.MemRefType)]
        before = Builder.before(leave)
        sizes: Sizes = []
        for position, argument in zip(moved, added, strict=True):
            value = leave.op_operands[position].value
            type = expect(t.MemRefType, value.type)
            is_static = type.has_static_shape
            hoist = self.hoist_static_allocs if is_static else self.hoist_dynamic_allocs
            if hoist and isinstance(value, OpResult) and isinstance(value.owner, AllocationOp):
                if not is_static:
                    sizes.append(_sizes_from_arguments(value.owner, function))
                value.replace_all_uses_with(argument)
                value.owner.erase()
            else:
                option = f"hoist-{'static' if is_static else 'dynamic'}-allocs"
                is_fresh = isinstance(value, OpResult) and isinstance(value.owner, AllocationOp)
                why = (
                    f"without {option}"
                    if is_fresh
                    else "the function does not return a buffer that it allocates"
                )
                stayed(value, f"copies it into a buffer that callers allocate: {why}", leave)
                cause = Cause(CauseKind.OUT_PARAMETER, leave, position, value)
                before.insert(makers.copy(value, argument, cause))
        leave.operands = [value for i, value in enumerate(leave.operands) if i not in moved]
        leave.attributes.clear()
        return sizes

    def change_calls(self, module: Operation, sizes: dict[Operation, Sizes]) -> None:
        """Allocate the former results before each call.

        Raises:
            PassFailed: a callee or a size is unknown.
        """
        table = SymbolTable(module)
        findings: list[Diagnostic] = []
        for op in list(module.walk()):
            if not isinstance(op, func.CallOp):
                continue
            name = callee_name(op)
            callee = table.lookup(name)
            if not isinstance(callee, func.FuncOp):
                findings.append(error(f"cannot find callee '{name}' in symbol table", op.name_span))
            elif callee in sizes:
                finding = _pass_buffers(op, sizes[callee])
                if finding is not None:
                    findings.append(finding)
        if findings:
            raise PassFailed(findings)


PUBLIC = "the function is public, so its callers are unknown"
SHARED = "the results are kept: two of them may share a buffer, and a write to one is visible in the other"

PASSED_ON = "the results are kept: one may be an argument, and a write to one is visible in the other"


def _tell(function: func.FuncOp, stayed: Stayed, why: str) -> None:
    """Report each buffer that a function returns."""
    for op in function.walk():
        if isinstance(op, func.ReturnOp):
            for value in op.operands:
                if t.is_memref(value.type):
                    stayed(value, why, op)


def _returns_one_twice(function: func.FuncOp) -> bool:
    """Whether two results of one return may alias. O(operations)."""
    leaves = [op for op in function.walk() if isinstance(op, func.ReturnOp)]
    several = [values for op in leaves if len(values := [v for v in op.operands if t.is_memref(v.type)]) > 1]
    if not several:
        return False
    flow = ViewFlow(function)
    for values in several:
        seen: set[Value] = set()
        for value in values:
            origins = set(flow.resolve_back([value])) & set(flow.terminals)
            if origins & seen:
                return True
            seen |= origins
    return False


def _is_seen_as_argument(function: func.FuncOp, calls: Collection[Operation]) -> bool:
    """Whether a result may be an argument, and after a call one is written and the other one used. O(callers + uses)."""
    flow = ViewFlow(function)
    entry = function.body.entry
    flows: dict[FunctionOp, ViewFlow] = {}
    for leave in function.walk():
        if not isinstance(leave, func.ReturnOp):
            continue
        for k, value in enumerate(leave.operands):
            if not t.is_memref(value.type):
                continue
            passed = {
                origin.index
                for origin in flow.resolve_back([value])
                if isinstance(origin, BlockArgument) and origin.owner is entry
            }
            for call in calls if passed else ():
                caller = present(call.parent_of_type(FunctionOp))
                if caller not in flows:
                    flows[caller] = ViewFlow(caller)
                if _tells_apart(call, call.results[k], passed, flows[caller]):
                    return True
    return False


def _tells_apart(call: Operation, result: OpResult, passed: Collection[int], flow: ViewFlow) -> bool:
    """Whether it matters after a call that a result is one of the arguments that are `passed` on."""
    origins = [
        origin
        for origin in flow.resolve_back([call.operands[i] for i in passed])
        if origin in flow.terminals or origin not in flow.sources
    ]
    mine = set(flow.resolve(result))
    its = {value for origin in origins for value in flow.resolve(origin)} - mine
    outside = any(not isinstance(origin.defining_op, AllocationOp) for origin in origins)
    used = [use.owner for value in mine for use in value.uses if may_run_after(use.owner, call)]
    if not used:
        return False
    others = (use.owner for value in its for use in value.uses if may_run_after(use.owner, call))
    if any(_may_write(op, mine) for op in used):
        return outside or any(True for _ in others)
    return any(_may_write(op, its) for op in others)


def _may_write(op: Operation, values: Collection[Value]) -> bool:
    """Whether an operation may write to one of these buffers, or hand it to somebody who does.

    Who calls a public function takes a copy for an argument that it returns.
    """
    if isinstance(op, MemoryEffectOp):
        return any(
            effect.kind == WRITE and (effect.value is None or effect.value in values)
            for effect in op.memory_effects()
        )
    if isinstance(op, func.ReturnOp):
        return not is_public(expect(func.FuncOp, op.parent_op))
    return not (isinstance(op, (ViewLikeOp, RegionBranchOp)) or op.may_be_terminator)


def _is_identity(type: t.MemRefType) -> bool:
    return type.layout is None


def _is_fully_dynamic(type: t.MemRefType) -> bool:
    layout = type.strides_and_offset()
    return layout is not None and layout[1] is None and all(stride is None for stride in layout[0])


def _sizes_from_arguments(allocation: Operation, function: func.FuncOp) -> list[int]:
    """The positions of the function arguments that are the sizes of an allocation; empty if one is not an
    argument."""
    entry = function.body.entry
    found: list[int] = []
    for value in allocation.operands:
        if value.type is not t.INDEX or not isinstance(value, BlockArgument) or value.owner is not entry:
            return []
        found.append(value.index)
    return found


def _pass_buffers(call: func.CallOp, sizes: Sizes) -> Diagnostic | None:
    """Allocate and pass the former results of a call; returns a diagnostic if that is impossible."""
    before = Builder.before(call)
    kept = [result for result in call.results if not isinstance(result.type, t.MemRefType)]
    given = call.operands
    passed: list[Value] = []
    following = iter(sizes)
    for result in call.results:
        type = result.type
        if not isinstance(type, t.MemRefType):
            continue
        positions: list[int] = []
        if not type.has_static_shape:
            positions = next(following, [])
            if not positions:
                return error("cannot create out param for dynamically shaped result", call.name_span)
        dense = t.MemRefType(type.shape, type.element, None, type.memory_space)
        cause = Cause(CauseKind.OUT_PARAMETER, call, None, result)
        buffer: Value = before.insert(makers.alloc(dense, [given[i] for i in positions], 0, cause)).results[0]
        if type is not dense:
            buffer = before.insert(makers.cast(buffer, type)).results[0]
        result.replace_all_uses_with(buffer)
        passed.append(buffer)
    call.operands = [*given, *passed]
    call.results = kept
    for i, result in enumerate(kept):
        result.index = i
    call.attributes.clear()
    return None


# Do not return a buffer that the caller passed in: the caller knows it.
#
#    func.func private @f(%m: memref<4xf32>) -> memref<4xf32> { ... return %m : memref<4xf32> }
#    %1 = call @f(%0) : (memref<4xf32>) -> memref<4xf32>
# => func.func private @f(%m: memref<4xf32>) { ... return }
#    call @f(%0) : (memref<4xf32>) -> ()                     and %1 is %0


class DropEquivalentBufferResults(Pass):
    """Functions that are public, have no body, or have several returns are not changed. O(operations)."""

    name: ClassVar[str] = "drop-equivalent-buffer-results"
    summary: ClassVar[str] = "remove MemRef return values that are equivalent to a bbArg"

    def run(self, op: Operation, context: Context, stayed: Stayed = lambda value, why, at: None) -> None:
        """Rewrite functions and their calls; `stayed` is called with each buffer that remains a result, and the
        reason."""
        calls = calls_by_callee(op, SymbolTable(op))
        for function in functions_in(op):
            leave = None if function.is_declaration or is_public(function) else _only_return(function)
            if leave is None and not function.is_declaration:
                _tell(
                    function,
                    stayed,
                    PUBLIC if is_public(function) else "the function has several returns",
                )
            elif leave is not None:
                dropped = _passed_through(function, leave)
                for use in leave.op_operands:
                    if use.index not in dropped and t.is_memref(use.value.type):
                        stayed(use.value, "it is not an argument, or a cast of one", leave)
                _drop(function, leave, dropped)
                for call in calls.get(function, ()):
                    _use_operands(call, dropped)
                context.count(self.name, "dropped results", len(dropped))


def _only_return(function: func.FuncOp) -> Operation | None:
    found = [last for block in function.body if isinstance(last := block.last_op, func.ReturnOp)]
    return found[0] if len(found) == 1 else None


def _passed_through(function: func.FuncOp, leave: Operation) -> dict[int, int]:
    """For each result that is an argument, possibly cast, the position of that argument."""
    entry = function.body.entry
    found: dict[int, int] = {}
    for operand in leave.op_operands:
        value: Value = operand.value
        while isinstance(cast := value.defining_op, memref.CastOp):
            value = cast.op_operands[0].value
        if isinstance(value, BlockArgument) and value.owner is entry:
            found[operand.index] = value.index
    return found


def _drop(function: func.FuncOp, leave: Operation, dropped: dict[int, int]) -> None:
    erase_results(function, dropped)
    leave.operands = [value for i, value in enumerate(leave.operands) if i not in dropped]


def _use_operands(call: Operation, dropped: dict[int, int]) -> None:
    """Replace the dropped results of a call by its operands, cast to the result types."""
    after = Builder.after(call)
    after.where = call.where
    for i, argument in dropped.items():
        result, value = call.results[i], call.op_operands[argument].value
        if value.type is not result.type:
            value = after.insert(makers.cast(value, result.type)).results[0]
        result.replace_all_uses_with(value)
    call.results = [result for result in call.results if result.index not in dropped]
    for i, result in enumerate(call.results):
        result.index = i
    call.attributes.clear()
