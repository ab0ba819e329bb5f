"""Operations that IREE's compiler cannot lower become calls of external functions, which are declared but not defined.

    %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
 => %1:2 = call @lapack_spotrf_ffi(%0) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)

A `custom_call` of StableHLO is a call of a library (LAPACK, cuDNN, `jax.ffi`). Operations of torch without a lowering to
linalg are executed by libraries, too. Both compute new tensors from their operands, so the functions read their arguments
(`bufferization.access`). Constants of torch (dimensions, modes) and attributes are not arguments: calls that differ in
them call different functions.

Modules are those of IREE's Python bindings, which declare StableHLO and torch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

Foreign: TypeAlias = Any
"""An object of JAX, torch or IREE's Python bindings, whose classes are not imported."""

CUSTOM_CALL: Final = "stablehlo.custom_call"
OPAQUE: Final = "torch.operator"
"""An operation of torch that its dialect does not declare; an attribute has its name."""
_CONSTANT: Final = "torch.constant."
_LIST: Final = "torch.prim.ListConstruct"
_COMPUTATION: Final = ("stablehlo.", "chlo.", "torch.")
_STRUCTURE: Final = ("torch.prim.", _CONSTANT, "torch.vtensor.")
"""Operations of torch that are structure or data, not computation."""


def call_operations(ir: Foreign, program: str, name: str, place: str, is_path: bool = False) -> str | None:
    """The text of a module, with rejected operations replaced by calls; None if there are none, or they have no such form.

    Args:
        ir: IREE's Python bindings.
        program: the text of the module, or the path of a file.
        name: of an operation of StableHLO or torch; undeclared operations of torch have names, too.
        place: without a name, file and line of the operations.
    """
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        try:
            module = ir.Module.parseFile(program) if is_path else ir.Module.parse(program)
        except ir.MLIRError:
            return None
        known = [op for op in _operations(ir, module) if _is_computation(_name(ir, op))]
        if name:
            found = [op for op in known if _name(ir, op) == name]
        else:
            file, _, line = place.rpartition(":")
            found = [op for op in known if line and f'"{file}":{line}:' in str(op.location)]
        if not found or not all(map(_maps_tensors, found)):
            return None
        calls = _ExternalCalls(ir, module)
        for op in found:
            calls.replace(op)
        return module.operation.get_asm(enable_debug_info=True)


def _is_computation(name: str) -> bool:
    return name.startswith(_COMPUTATION) and not name.startswith(_STRUCTURE)


def _operations(ir: Foreign, module: Foreign) -> list[Foreign]:
    found: list[Foreign] = []

    def visit(op: Foreign) -> Foreign:
        found.append(op.operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _name(ir: Foreign, op: Foreign) -> str:
    return ir.StringAttr(op.attributes["name"]).value if op.name == OPAQUE else op.name


def _maps_tensors(op: Foreign) -> bool:
    """Whether all results are tensors, and no region computes them."""
    kinds = ("tensor<", "!torch.vtensor<")
    return all(str(result.type).startswith(kinds) for result in op.results) and not len(op.regions)


class _ExternalCalls:
    """Replaces operations of a module by calls, and declares a function for each kind of call."""

    def __init__(self, ir: Foreign, module: Foreign):
        self.ir, self.module = ir, module
        self.taken = {ir.StringAttr(op.attributes["sym_name"]).value for op in module.body.operations}
        self.callees: dict[object, str] = {}

    def replace(self, op: Foreign) -> None:
        ir = self.ir
        types = [result.type for result in op.results]
        operands = _members(op, lambda owner: not _is_constant(owner))
        kind = ir.FunctionType.get([operand.type for operand in operands], types)
        constants = [str(value.owner).partition(" = ")[2] for value in _members(op, _is_constant)]
        attributes = [f"{name} = {op.attributes[name]}" for name in sorted(op.attributes.keys())]
        key = (op.name, str(kind), *constants, *attributes)
        if key not in self.callees:
            self.callees[key] = self.declare(op, kind)
        callee = ir.FlatSymbolRefAttr.get(self.callees[key])
        with ir.InsertionPoint(op):
            call = ir.Operation.create("func.call", types, operands, {"callee": callee}, loc=op.location)
        for old, new in zip(op.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        op.erase()

    def declare(self, op: Foreign, kind: Foreign) -> str:
        """Declare a function that computes what `op` does, and return its name."""
        ir = self.ir
        if op.name == CUSTOM_CALL:
            name = ir.StringAttr(op.attributes["call_target_name"]).value
        else:
            name = _name(ir, op).removeprefix("torch.")
        unique, number = name, 1
        while unique in self.taken:
            number += 1
            unique = f"{name}_{number}"
        self.taken.add(unique)
        with op.location, ir.InsertionPoint(self.module.body):
            read = ir.DictAttr.get({"bufferization.access": ir.StringAttr.get("read")})
            attributes = {
                "sym_name": ir.StringAttr.get(unique),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(kind),
                "arg_attrs": ir.ArrayAttr.get([read] * len(kind.inputs)),
            }
            ir.Operation.create("func.func", attributes=attributes, regions=1)
        return unique


def _members(op: Foreign, wanted: Callable[[Foreign], bool]) -> list[Foreign]:
    """The operands of an operation, and the members of lists among them, whose owners are as wanted."""
    found: list[Foreign] = []
    pending = list(op.operands)[::-1]
    while pending:
        value = pending.pop()
        owner = value.owner
        if getattr(owner, "name", "") == _LIST:
            pending += list(owner.operands)[::-1]
        elif wanted(owner):
            found.append(value)
    return found


def _is_constant(owner: Foreign) -> bool:
    return getattr(owner, "name", "").startswith(_CONSTANT)
