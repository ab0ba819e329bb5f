"""The preparation phase of the 2020 pipeline: results become out-params that callers pass in.

converter = BufferizeTypeConverter()
converter.set_result_conversion_kind(
    t.RankedTensorType, t.MemRefType, ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
)
prepare(module, converter)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from ..analysis.causes import Cause, CauseKind
from ..dialects import func
from ..dialects.test import GetTupleElementOp, MakeTupleOp
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import PassFailed, error
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, TypeAttr
from . import makers
from .conversion import (
    ConversionPattern,
    ConversionRewriter,
    ConversionTarget,
    SignatureConversion,
    apply_partial_conversion,
)
from .conversion.rewriter import UnrealizedCast
from .partial.passes import BufferTypeConverter
from .pass_base import Context, Pass, choice, flag

# Signature conversion: type conversions, unpacking, and whether a result becomes an argument. A type is *decomposed*
# (a tuple into its elements), then each part is *converted* (a tensor to a memref); for each part of a result the
# *kind*, looked up by the classes of the part before and after its conversion, says whether it stays a result or
# becomes an argument that the function writes. By default it stays a result. Values follow: `pack` combines the parts
# that a function receives into one value, `unpack` decomposes a value that it forwards. Callbacks are tried newest
# first; None declines.

DecomposeType = Callable[[t.Type], Sequence[t.Type] | None]
DecomposeValue = Callable[[Builder, t.Type, Value], Sequence[Value] | None]
Pack = Callable[[Builder, t.Type, Sequence[Value]], Value | None]


class ResultConversionKind(StrEnum):
    """The conversion of a function result."""

    APPEND_TO_ARGUMENTS_LIST = "append-to-arguments-list"
    KEEP_AS_FUNCTION_RESULT = "keep-as-function-result"


class BufferizeTypeConverter(BufferTypeConverter):
    """Converts tensors to dense memrefs; users add further conversions, kinds and callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[tuple[type[t.Type], type[t.Type]], ResultConversionKind] = {}
        self._decompose_type: list[DecomposeType] = []
        self._decompose_value: list[DecomposeValue] = []
        self._pack: list[Pack] = []

    def set_result_conversion_kind(
        self, origin: type[t.Type], converted: type[t.Type], kind: ResultConversionKind
    ) -> None:
        """Set the kind of results of class `origin` whose conversion is of class `converted`."""
        self._kinds[origin, converted] = kind

    def result_conversion_kind(self, origin: t.Type, converted: t.Type) -> ResultConversionKind:
        key = (type(origin), type(converted))
        return self._kinds.get(key, ResultConversionKind.KEEP_AS_FUNCTION_RESULT)

    def add_decompose_type_conversion(self, callback: DecomposeType) -> None:
        """Register a decomposition of types. Also register how to pack and unpack their values."""
        self._decompose_type.append(callback)

    def add_decompose_value_conversion(self, callback: DecomposeValue) -> None:
        """Register a decomposition of values."""
        self._decompose_value.append(callback)

    def add_pack(self, callback: Pack) -> None:
        """Register how to pack values, as `addArgumentMaterialization` did.

        The type of the packed value may contain converted types where the original contained unconverted ones.
        """
        self._pack.append(callback)

    def decompose_type(self, type: t.Type) -> list[t.Type]:
        """The parts of a type; the type itself if no callback decomposes it."""
        for callback in reversed(self._decompose_type):
            parts = callback(type)
            if parts is not None:
                return list(parts)
        return [type]

    def decompose_value(self, builder: Builder, type: t.Type, value: Value) -> list[Value]:
        """The parts of a value that had `type` before the conversion; the value itself if no callback decomposes
        it."""
        for callback in reversed(self._decompose_value):
            parts = callback(builder, type, value)
            if parts is not None:
                return list(parts)
        return [value]

    def pack(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        """The parts packed into one value; None if no callback packs them."""
        for callback in reversed(self._pack):
            if (packed := callback(builder, type, values)) is not None:
                return packed
        return None

    def converted_parts(self, type: t.Type) -> list[tuple[t.Type, t.Type]] | None:
        """The parts of `type`, each before and after its conversion; None if one cannot be converted."""
        parts: list[tuple[t.Type, t.Type]] = []
        for part in self.decompose_type(type):
            converted = self.convert_one(part)
            if converted is None:
                return None
            parts.append((part, converted))
        return parts

    def becomes_argument(self, origin: t.Type, converted: t.Type) -> bool:
        """Whether a part of a result is appended to the arguments."""
        kind = self.result_conversion_kind(origin, converted)
        return kind is ResultConversionKind.APPEND_TO_ARGUMENTS_LIST


# Functions, returns and calls under a `BufferizeTypeConverter`.
#
#     func @callee(%a: tensor<5xf32>) -> tensor<5xf32> { return %a }
#     %x = call @callee(%t)
#  => func @callee(%a: memref<5xf32>, %out: memref<5xf32>) { copy %a to %out; return }
#     %x = memref.alloc(); call @callee(%m, %x)
#
# Results that become arguments are appended in order. A caller allocates a buffer for each.

Copy = Callable[[Value, Value, Cause], Operation]
"""Creates an operation that copies one buffer into another."""


class _Converter(ConversionPattern):
    """Base: operands arrive under their converted types and are unpacked here.

    Attributes:
        types: the type converter.
        done: the converted operations, which may look like unconverted ones.
    """

    def __init__(self, types: BufferizeTypeConverter, root: str) -> None:
        super().__init__(None, root=root)
        self.types = types
        self.done: set[Operation] = set()

    def is_legal(self, op: Operation) -> bool:
        raise NotImplementedError

    def stays(self, values: Sequence[t.Type], *, results: bool) -> bool:
        """Whether the types of a signature are legal already."""
        for type in values:
            if self.types.converted_parts(type) != [(type, type)]:
                return False
            if results and self.types.becomes_argument(type, type):
                return False
        return True

    def unpacked(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> list[tuple[t.Type, Value]] | None:
        """The parts of all converted operands, each with its original type; None if one cannot be converted."""
        found: list[tuple[t.Type, Value]] = []
        for use, operand in zip(op.op_operands, operands, strict=True):
            origin = use.value.type
            parts = self.types.converted_parts(origin)
            if parts is None:
                return None
            values = self.types.decompose_value(rewriter.before(op), origin, operand)
            if len(values) != len(parts):
                raise PassFailed(
                    error(f"cannot unpack a value of type '{origin}'", op.name_span), operation=op
                )
            with rewriter.converting(self.types):
                for (before, after), value in zip(parts, values, strict=True):
                    found.append((before, rewriter.remapped(value, after)))
        return found


class BufferizeFuncOpConverter(_Converter):
    """Converts signatures, and packs arguments of decomposed types where their values are used."""

    def __init__(self, types: BufferizeTypeConverter) -> None:
        super().__init__(types, func.FuncOp.name)

    def is_legal(self, op: Operation) -> bool:
        assert isinstance(op, FunctionOp)
        kind: t.FunctionType = op.function_type
        same = self.stays(kind.inputs, results=False) and self.stays(kind.results, results=True)
        return op in self.done or same

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        assert isinstance(op, FunctionOp)
        kind: t.FunctionType = op.function_type
        signature = SignatureConversion(len(kind.inputs))
        for index, type in enumerate(kind.inputs):
            parts = self.types.converted_parts(type)
            if parts is None:
                return False
            signature.add_inputs(index, [after for _, after in parts])
        results: list[t.Type] = []
        kept: list[int] = []
        for index, type in enumerate(kind.results):
            parts = self.types.converted_parts(type)
            if parts is None:
                return False
            for before, after in parts:
                if self.types.becomes_argument(before, after):
                    signature.append([after])
                else:
                    results.append(after)
                    kept.append(index)
        self.done.add(op)
        if not op.is_declaration:
            for stand_in in rewriter.convert_block(op.body.entry, signature, self.types):
                _pack(stand_in, self.types, rewriter)
        rewriter.set_property(op, "function_type", TypeAttr(t.FunctionType(signature.types, results)))
        _spread(op, "arg_attrs", _origins(signature))
        _spread(op, "res_attrs", kept)
        return True


def _origins(signature: SignatureConversion) -> list[int | None]:
    """For each new argument, the position of the old one it stems from."""
    origins: list[int | None] = [None] * len(signature.types)
    for index, parts in enumerate(signature.inputs):
        for position in parts if isinstance(parts, range) else ():
            origins[position] = index
    return origins


def _spread(op: Operation, name: str, origins: Sequence[int | None]) -> None:
    """Copy the attributes of the original argument or result to each new one."""
    given = op.properties.get(name)
    if isinstance(given, ArrayAttr):
        found = [DictionaryAttr() if origin is None else given[origin] for origin in origins]
        op.properties[name] = ArrayAttr(found)


def _pack(stand_in: UnrealizedCast, types: BufferizeTypeConverter, rewriter: ConversionRewriter) -> None:
    """Pack an argument that became several values; users that need the parts unpack the packed value."""
    cast = stand_in.op
    if len(cast.op_operands) == 1:
        return
    packed = types.pack(rewriter.before(cast), cast.results[0].type, cast.operands)
    if packed is not None:
        rewriter.set_operands(cast, (packed,))


class BufferizeReturnOpConverter(_Converter):
    """Copies results that became arguments into them, and returns the others.

    Args:
        types: the type converter.
        source, target: the kinds of return, before and after.
        copy: creates a copy of a buffer.
    """

    def __init__(
        self,
        types: BufferizeTypeConverter,
        source: type[Operation] = func.ReturnOp,
        target: type[Operation] = func.ReturnOp,
        copy: Copy = makers.copy,
    ) -> None:
        super().__init__(types, source.name)
        self.target = target
        self.copy = copy

    def is_legal(self, op: Operation) -> bool:
        return op in self.done or self.stays(op.operand_types, results=True)

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        function = op.parent_op
        assert op.block is not None and op.block.region is not None
        if not isinstance(function, FunctionOp):
            return False
        parts = self.unpacked(op, operands, rewriter)
        if parts is None:
            return False
        appended = [v for before, v in parts if self.types.becomes_argument(before, v.type)]
        kept = [v for before, v in parts if not self.types.becomes_argument(before, v.type)]
        before = rewriter.before(op)
        targets: list[BlockArgument] = function.body.entry.args
        cause = Cause(CauseKind.OUT_PARAMETER, op)
        for value, target in zip(appended, targets[len(targets) - len(appended) :], strict=True):
            before.insert(self.copy(value, target, cause))
        new = self.target(kept, where=op.where)
        self.done.add(new)
        return rewriter.replace_with(op, new)


class BufferizeCallOpConverter(_Converter):
    """Passes converted operands and a new buffer for each result that became an argument, and packs decomposed
    results."""

    def __init__(self, types: BufferizeTypeConverter) -> None:
        super().__init__(types, func.CallOp.name)

    def is_legal(self, op: Operation) -> bool:
        same = self.stays(op.operand_types, results=False) and self.stays(op.result_types, results=True)
        return op in self.done or same

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        parts = self.unpacked(op, operands, rewriter)
        if parts is None:
            return False
        passed = [value for _, value in parts]
        before = rewriter.before(op)
        types: list[t.Type] = []
        sources: list[list[Value | int]] = []
        for result in op.results:
            made: list[Value | int] = []
            for origin, converted in self.types.converted_parts(result.type) or ():
                if not self.types.becomes_argument(origin, converted):
                    made.append(len(types))
                    types.append(converted)
                    continue
                cause = Cause(CauseKind.OUT_PARAMETER, op, None, result)
                buffer = before.insert(makers.alloc(_allocatable(op, converted), (), 0, cause)).results[0]
                passed.append(buffer)
                made.append(buffer)
            sources.append(made)
        call = func.CallOp(passed, types, op.attributes, {"callee": op.properties["callee"]}, where=op.where)
        self.done.add(call)
        before.insert(call)
        groups = [[call.results[x] if isinstance(x, int) else x for x in made] for made in sources]
        for result, group in zip(op.results, groups, strict=True):
            if len(group) > 1:
                packed = self.types.pack(before, result.type, group)
                group[:] = group if packed is None else [packed]
        with rewriter.converting(self.types):
            rewriter.replace_by_groups(op, groups)
        return True


def _allocatable(call: Operation, type: t.Type) -> t.MemRefType:
    if not isinstance(type, t.MemRefType):
        raise PassFailed(error("Cannot allocate for a non-Memref type", call.name_span), operation=call)
    if None in type.shape:
        message = f"cannot allocate a buffer of type '{type}' for a result: the caller does not know its size"
        raise PassFailed(error(message, call.name_span), operation=call)
    return type


def populate_with_bufferize_op_conversion_patterns(
    types: BufferizeTypeConverter, target: ConversionTarget, copy: Copy = makers.copy
) -> list[ConversionPattern]:
    """The three patterns; declares in `target` when functions, returns and calls are legal. All other operations
    are."""
    function = BufferizeFuncOpConverter(types)
    leave = BufferizeReturnOpConverter(types, copy=copy)
    call = BufferizeCallOpConverter(types)
    target.add_dynamically_legal_ops(function.is_legal, func.FuncOp)
    target.add_dynamically_legal_ops(leave.is_legal, func.ReturnOp)
    target.add_dynamically_legal_ops(call.is_legal, func.CallOp)
    target.mark_unknown_dynamically_legal(lambda op: True)
    return [function, leave, call]


def prepare(module: Operation, types: BufferizeTypeConverter, copy: Copy = makers.copy) -> None:
    """Convert all functions of `module`, with returns and calls; operations inside keep their tensors.

    Raises:
        PassFailed: a signature cannot be converted. The program is unchanged.
    """
    target = ConversionTarget()
    apply_partial_conversion(
        module, target, populate_with_bufferize_op_conversion_patterns(types, target, copy)
    )


def flatten_tuples(converter: BufferizeTypeConverter) -> None:
    """Let `converter` decompose tuples, also nested ones, by `test.make_tuple` and `test.get_tuple_element`."""
    converter.add_decompose_type_conversion(flattened)
    converter.add_pack(_make_tuple)
    converter.add_decompose_value_conversion(_elements)


def flattened(type: t.Type) -> list[t.Type] | None:
    """The elements of a tuple with nested tuples flattened; None for other types. O(elements)."""
    if not isinstance(type, t.TupleType):
        return None
    found: list[t.Type] = []
    pending: list[t.Type] = [type]
    while pending:
        current = pending.pop()
        if isinstance(current, t.TupleType):
            pending.extend(reversed(current.elements))
        else:
            found.append(current)
    return found


def _make_tuple(b: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
    """The tuple of the values, nested as `type` is."""
    if not isinstance(type, t.TupleType):
        return None
    parts = iter(values)
    # A frame holds the remaining element types of a tuple and the values collected so far.
    frames: list[tuple[list[t.Type], list[Value]]] = [(list(reversed(type.elements)), [])]
    while True:
        waiting, made = frames[-1]
        if waiting:
            element = waiting.pop()
            if isinstance(element, t.TupleType):
                frames.append((list(reversed(element.elements)), []))
            else:
                made.append(next(parts))
            continue
        frames.pop()
        packed = b.insert(MakeTupleOp(made, (t.TupleType(v.type for v in made),))).results[0]
        if not frames:
            return packed
        frames[-1][1].append(packed)


def _elements(b: Builder, type: t.Type, value: Value) -> list[Value] | None:
    """The elements of a tuple, by its current type: elements may be converted already."""
    if not isinstance(value.type, t.TupleType):
        return None
    found: list[Value] = []
    pending: list[Value | tuple[Value, int]] = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            whole, i = current
            assert isinstance(whole.type, t.TupleType)
            properties = {"index": IntegerAttr(i, t.I32)}
            current = b.insert(
                GetTupleElementOp((whole,), (whole.type.elements[i],), None, properties)
            ).results[0]
        if isinstance(current.type, t.TupleType):
            count = len(current.type.elements)
            pending.extend((current, i) for i in reversed(range(count)))
        else:
            found.append(current)
    return found


APPEND, KEEP = ResultConversionKind


class BufferPlacementPreparation(Pass):
    """Convert signatures to buffers; tensor results become arguments that callers allocate.

        func.func @f(%a: tensor<5xf32>) -> tensor<5xf32>
     => func.func @f(%a: memref<5xf32>, %out: memref<5xf32>)

    Tuples are replaced by their elements. Function bodies keep their tensors, with `to_tensor` and
    `to_buffer` at the boundary.
    """

    name = "buffer-placement-preparation"
    summary = "convert function signatures to buffers, and results to arguments that callers allocate"
    tensor_results = choice(
        "tensor-results",
        [str(kind) for kind in ResultConversionKind],
        str(APPEND),
        "conversion of tensor results",
    )
    memref_results = choice(
        "memref-results",
        [str(kind) for kind in ResultConversionKind],
        str(KEEP),
        "conversion of results that are already memrefs",
    )
    decompose_tuples = flag("decompose-tuples", "unpack tuples in signatures", True)
    copy_op = choice("copy-op", ["memref.copy", "linalg.copy"], "memref.copy", "how results are copied")

    def run(self, op: Operation, context: Context) -> None:
        converter = BufferizeTypeConverter()
        for origin, kind in ((t.RankedTensorType, self.tensor_results), (t.MemRefType, self.memref_results)):
            converter.set_result_conversion_kind(origin, t.MemRefType, ResultConversionKind(kind))
        if self.decompose_tuples:
            flatten_tuples(converter)
        prepare(op, converter, makers.linalg_copy if self.copy_op == "linalg.copy" else makers.copy)
