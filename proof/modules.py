"""Compares two modules without executing them: unchanged functions, symbols, declarations.

Covers functions and their interfaces, globals, resources, and all other operations of a module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ..dialects.bufferization import BUFFER_LAYOUT, WRITABLE
from ..dialects.function_like import FunctionLikeOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    CallOpInterface,
    FunctionOp,
    MemoryEffectOp,
)
from ..ir.program.symbols import modules_in
from ..ir.source.diagnostics import expect
from ..ir.source.metadata import Section, blob_bytes, builtin_blobs
from ..ir.text.printer import print_operation
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, SymbolRefAttr
from .obligations import Question
from .promises import of_others
from .regions import scratch_arguments
from .state import GLOBALS, global_value


@dataclass(slots=True)
class Modules:
    """Two modules to compare; `name` is the qualified name, empty at the top."""

    before: Operation
    after: Operation
    name: str = ""


def side_by_side(before: Operation, after: Operation) -> Iterator[Modules]:
    """The modules of two programs in pairs, by name; those without a name in order."""
    pending = [Modules(before, after)]
    while pending:
        modules = pending.pop()
        yield modules
        mine, its = modules_in(modules.before), modules_in(modules.after)
        for name in reversed([name for name in mine if name in its]):
            around = f"{modules.name}::{name}" if modules.name else name
            pending.append(Modules(mine[name], its[name], around))


Compared = tuple[str, Question | None]
"""The comparison that was made, and the open question, if any."""


def is_private(symbol: Operation) -> bool:
    """Whether a symbol is private to this program."""
    return _visibility(symbol) == "private"


def _visibility(symbol: Operation) -> str:
    return getattr(symbol.properties.get("sym_visibility"), "value", "public")


def _symbols(module: Operation) -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for op in module.regions[0].ops():
        name = getattr(op.properties.get("sym_name"), "value", None)
        if isinstance(name, str):
            found[name] = op
    return found


def compare_functions(modules: Modules) -> Iterator[Compared]:
    """Every function of every module exists, with the same interface."""
    mine, its = modules_in(modules.before), modules_in(modules.after)
    for name, module in mine.items():
        yield _compared(f"the module '{name}'", name in its, f"there is a module '{name}'", module)
    for name, module in its.items():
        text = f"there is no additional module '{name}'"
        yield _compared(f"the module '{name}'", name in mine, text, module)
    before, after = _symbols(modules.before), _symbols(modules.after)
    for name, added in after.items():
        is_seen = name not in before and isinstance(added, FunctionOp) and not is_private(added)
        if is_seen and not _computes_scratch(name, before, after):
            yield _compared(f"'@{name}'", False, f"there is no additional public function '{name}'", added)
    for name, original in before.items():
        if not isinstance(original, FunctionOp):
            continue
        what, other = f"the interface of '@{name}'", after.get(name)
        if not isinstance(other, FunctionOp):
            if not is_private(original) or original.is_declaration or _says(modules.after, "@" + name):
                yield _compared(what, False, f"there is a function '{name}'", original)
            continue
        if original.is_declaration != other.is_declaration:
            said = "declared" if original.is_declaration else "defined"
            yield _compared(what, False, f"'{name}' is still only {said}", other)
            continue
        if original.is_declaration:
            same = _promises(original) == _promises(other)
            yield _compared(what, same, f"'{name}' is declared with the same attributes", other)
        else:
            same = _binding(original) == _binding(other, len(original.function_type.inputs))
            text = f"the promises of '{name}' to its callers and to the linker are unchanged"
            yield _compared(what, same, text, other)
        seen = _visibility(original)
        yield _compared(what, seen == _visibility(other), f"'{name}' is still {seen}", other)
        for k, (left, right) in enumerate(_interface(original, other)):
            is_result = k >= len(original.function_type.inputs)
            good = _fits(left, right, is_result)
            is_compared = is_result and not original.is_declaration and t.is_tensor(left)
            good = good and (is_private(original) or is_compared or _keeps_layout(left, right))
            text = f"{_place(original, k)} of '{name}' has a type that fits '{left}'"
            yield _compared(what, good, text, other)
            if not is_result and t.is_tensor(right):
                same = _of_buffer(original, k) == _of_buffer(other, k)
                text = f"who may write to the buffer of {_place(original, k)} of '{name}', and its layout, are unchanged"
                yield _compared(what, same, text, other)


def _of_buffer(function: FunctionOp, i: int) -> list[Attribute | None]:
    """What later passes are told about the buffer of an argument that is still a tensor."""
    if not isinstance(function, FunctionLikeOp):
        return []
    return [function.arg_attr(i, name) for name in (BUFFER_LAYOUT, WRITABLE)]


def _computes_scratch(name: str, before: dict[str, Operation], after: dict[str, Operation]) -> bool:
    """Whether a function computes the size of the scratch memory that another one newly takes."""
    one, other = (symbols.get(name.removesuffix("_arena_size")) for symbols in (before, after))
    return (
        isinstance(one, FunctionOp) and isinstance(other, FunctionOp) and bool(scratch_arguments(one, other))
    )


def _compared(what: str, holds: bool, text: str, op: Operation, kind: str = "signature") -> Compared:
    return what, None if holds else Question(text, op, kind)


def _says(module: Operation, word: str) -> bool:
    """Whether a word is in an attribute of an operation."""
    return any(
        word in str(value)
        for op in module.walk()
        for value in (*op.properties.values(), *op.attributes.values())
    )


_SETTLED = frozenset([BUFFER_LAYOUT, WRITABLE])
"""Argument attributes that bufferization itself resolves."""


def _promises(function: FunctionOp) -> tuple[list[dict[str, Attribute]], dict[str, Attribute]]:
    """The attributes of a declaration's arguments and results, and of the declaration itself."""
    found: list[dict[str, Attribute]] = []
    counts = len(function.function_type.inputs), len(function.function_type.results)
    for key, count in zip(("arg_attrs", "res_attrs"), counts, strict=True):
        value = function.properties.get(key)
        entries = list(value) if isinstance(value, ArrayAttr) else [None] * count
        for entry in entries:
            pairs = entry.items() if isinstance(entry, DictionaryAttr) else ()
            found.append({k: v for k, v in pairs if k not in _SETTLED})
    return found, dict(function.attributes)


def _binding(function: FunctionOp, count: int | None = None) -> list[dict[str, Attribute]]:
    """The externally relevant attributes of a definition and its first `count` arguments: aliasing, effects,
    linkage, the C interface."""
    entries, whole = _promises(function)
    inputs = len(function.function_type.inputs)
    first = [*entries[: inputs if count is None else count], *entries[inputs:]]
    return [of_others(entry) for entry in (*first, whole)]


def compare_targets(modules: Modules) -> Iterator[Compared]:
    """The module keeps its name and its attributes (data layout, target, and others)."""
    before, after = (
        {
            "sym_name": module.properties.get("sym_name"),
            **of_others(module.attributes),
        }
        for module in (modules.before, modules.after)
    )
    if any(before.values()) or any(after.values()):
        text = "the name and target of the module are unchanged"
        yield _compared("name and target of the module", before == after, text, modules.after, "module")


def _interface(original: FunctionOp, other: FunctionOp) -> Iterator[tuple[t.Type, t.Type]]:
    mine, its = original.function_type, other.function_type
    if len(its.inputs) == len(mine.inputs) or scratch_arguments(original, other) is not None:
        for i, (left, right) in enumerate(zip(mine.inputs, its.inputs, strict=False)):
            yield _as_buffer(original, i, left, right), right
        yield from zip(mine.results, its.results, strict=False)


def _as_buffer(function: FunctionOp, i: int, type: t.Type, other: t.Type) -> t.Type:
    """The type of an argument; for a tensor whose layout in memory is part of the interface, that of its buffer."""
    said = function.arg_attr(i, BUFFER_LAYOUT) if isinstance(function, FunctionLikeOp) else None
    if said is None or is_private(function) or not isinstance(other, t.MemRefType):
        return type
    tensor = expect(t.ShapedType, type)
    return t.MemRefType(tensor.shape or (), tensor.element, said, other.memory_space)


def _place(function: FunctionOp, k: int) -> str:
    count = len(function.function_type.inputs)
    return f"argument {k}" if k < count else f"result {k - count}"


def _fits(left: t.Type, right: t.Type, is_result: bool) -> bool:
    """Whether a value of one type may be passed where the other is expected: same elements, sizes and memory
    space.

    The sizes of results are compared as terms.
    """
    if left is right:
        return True
    if not t.is_memref(right) or not (t.is_tensor(left) or t.is_memref(left)):
        return False
    mine, its = expect(t.ShapedType, left), expect(t.ShapedType, right)
    if mine.element is not its.element or (mine.shape != its.shape and not is_result):
        return False
    space = getattr(right, "memory_space", None)
    if t.is_tensor(left):
        encoding = getattr(left, "encoding", None)
        return space is None or not isinstance(encoding, IntegerAttr) or _number(space) == encoding.value
    if space is not getattr(left, "memory_space", None):
        return False
    known = left.strides_and_offset() if isinstance(left, t.MemRefType) else None
    said = right.strides_and_offset() if isinstance(right, t.MemRefType) else None
    if known is None or said is None or is_result:
        return is_result or not (isinstance(left, t.MemRefType) and isinstance(right, t.MemRefType))
    return all(b is None or a == b for a, b in zip((*known[0], known[1]), (*said[0], said[1]), strict=True))


def _keeps_layout(left: t.Type, right: t.Type) -> bool:
    """Whether callers that know the layout of one type may read a buffer of the other one by it."""
    if not t.is_memref(left):
        return getattr(left, "shape", None) is None or getattr(right, "shape", None) is not None
    if not isinstance(left, t.MemRefType) or not isinstance(right, t.MemRefType):
        return left is right
    known, said = left.strides_and_offset(), right.strides_and_offset()
    if known is None or said is None:
        return left.layout == right.layout
    return all(a in (None, b) for a, b in zip((*known[0], known[1]), (*said[0], said[1]), strict=True))


def _number(space: object) -> object:
    return space.value if isinstance(space, IntegerAttr) else space


def compare_globals(modules: Modules) -> Iterator[Compared]:
    """Each global exists with the same type, initial contents and alignment, and stays constant."""
    before, after = _symbols(modules.before), _symbols(modules.after)
    for name, added in after.items():
        if added.name in GLOBALS and name not in before and not is_private(added):
            text = f"there is no additional public global '{name}'"
            yield f"the global '@{name}'", Question(text, added, "global")
    for name, op in before.items():
        if op.name not in GLOBALS:
            continue
        what, other = f"the global '@{name}'", after.get(name)
        if other is None or other.name not in GLOBALS:
            gone = is_private(op) and not _says(modules.after, "@" + name)
            yield _compared(what, gone, f"there is a global '@{name}'", op, "global")
            continue
        text = f"the initial value and constness of '@{name}' are unchanged"
        yield _compared(what, _as_global(op) == _as_global(other), text, other, "global")
        said, now = op.properties.get("alignment"), other.properties.get("alignment")
        good = not isinstance(said, IntegerAttr) or (
            isinstance(now, IntegerAttr) and now.value % said.value == 0
        )
        yield _compared(what, good, f"the alignment of '@{name}' is unchanged", other, "alignment")


def _as_global(op: Operation) -> tuple[object, ...]:
    """The type, initial contents, constness and visibility of a global of any dialect."""
    type = getattr(op.properties["type"], "type", None)
    space = getattr(type, "memory_space", None)
    return (
        getattr(type, "element", type),
        getattr(type, "shape", None),
        space,
        getattr(type, "layout", None),
        *global_value(op),
        _visibility(op),
        of_others(op.attributes),
    )


def compare_resources(modules: Modules) -> Iterator[Compared]:
    """Resources are compared by contents, not by name."""
    before, after = (
        op.where[0].metadata if op.where is not None else {} for op in (modules.before, modules.after)
    )
    if before is after or modules.name:
        return
    mine, its = builtin_blobs(before), builtin_blobs(after)
    for key in dict.fromkeys((*mine, *its)):
        if key in mine and key in its:
            same = mine[key] == its[key] or _blob(before, key) == _blob(after, key)
        else:  # the name of one that is not in the file says what an element is, but not its value
            same = not all(_says(op, f"dense_resource<{key}>") for op in (modules.before, modules.after))
        what = f"resource '{key}'"
        yield _compared(what, same, f"{what} is unchanged", modules.after, "resource")


def _blob(section: Section, key: str) -> bytes | None:
    try:
        return blob_bytes(section, key.strip('"'))
    except ValueError:
        return None


def compare_others(modules: Modules) -> Iterator[Compared]:
    """All other operations of a module are unchanged."""
    before, after = _other_operations(modules.before), _other_operations(modules.after)
    if before or after:
        numbers: dict[object, int] = {}
        same = len(before) == len(after) and all(
            print_operation(one, generic=True) == print_operation(other, generic=True)
            or _numbered(one, k, numbers) == _numbered(other, k, numbers)
            for k, (one, other) in enumerate(zip(before, after, strict=True))
        )
        text = "the module's other operations are unchanged"
        yield _compared("other operations of the module", same, text, modules.after, "module")


def _other_operations(module: Operation) -> list[Operation]:
    return [
        op
        for op in module.regions[0].ops()
        if not isinstance(op, FunctionOp) and op.name not in GLOBALS and op.name != "builtin.module"
    ]


_DEFINED_EVERYWHERE = frozenset(["arith", "complex", "index", "math", "llvm"])
"""The dialects whose pure operations may run for any operands: those of other dialects may be out of bounds."""

_SOMETIMES = frozenset(f"llvm.{name}" for name in ("sdiv", "udiv", "srem", "urem", "freeze"))
"""Pure operations that are undefined for some operands, or may have another result when they run again."""


def _is_arithmetic(op: Operation) -> bool:
    """Whether it does not matter where and how often an operation runs, other than for its results."""
    if op.regions or op.name in _SOMETIMES or op.dialect not in _DEFINED_EVERYWHERE:
        return False
    return bool(op.results) and not op.successors and op.has_trait(tr.PURE)


def _numbered(root: Operation, place: int, numbers: dict[object, int]) -> object:
    """The structure of an operation with its regions, up to the position and multiplicity of pure arithmetic. O(its size).

    Value numbering: a value computed by pure arithmetic is named by the operation and the names of its operands;
    any other by the number of its definition.

    Args:
        place: the position of the operation in its module.
        numbers: the numbers of values, shared by both programs.
    """
    names: dict[Value, int] = {}
    blocks: dict[object, int] = {}
    found: list[object] = []

    def number(key: object) -> int:
        return numbers.setdefault(key, len(numbers) + 1)

    pending: list[tuple[str, Any]] = [("operation", root)]
    while pending:
        what, item = pending.pop()
        if what != "operation":
            found.append([[str(arg.type) for arg in block.args] for block in item.blocks])
            for block in item.blocks:
                blocks[block] = len(blocks)
                for i, arg in enumerate(block.args):
                    names[arg] = number(("argument", place, blocks[block], i, str(arg.type)))
            for block in reversed(item.blocks):
                pending += [("operation", op) for op in reversed(list(block))]
            continue
        op = item
        described = (
            op.name,
            tuple(sorted((k, str(v)) for k, v in (*op.properties.items(), *op.attributes.items()))),
            tuple(str(result.type) for result in op.results),
            tuple(names.get(value) or (object(), 0) for value in op.operands),
        )
        if _is_arithmetic(op):
            for i, result in enumerate(op.results):
                names[result] = number((described, i))
            continue
        at = len(found)
        found.append(
            (blocks.get(op.block, -1), described, tuple(blocks.get(block, -1) for block in op.successors))
        )
        for i, result in enumerate(op.results):
            names[result] = number(("result", place, at, i))
        pending += [("region", region) for region in reversed(op.regions)]
    return found


# An unchanged function is equivalent to itself; its callees must be compared. This suffices if the function neither
# allocates, frees nor transfers memory, so that it cannot leak; or if the program frees nothing and does not call it,
# so that no caller relies on which memory it returns. Otherwise only what it computes needs no comparison: that it leaks
# nothing has to be shown by executing it.


THE_TEXT = "the text"
"""What was compared if a function is unchanged."""


class Pair(Protocol):
    """Two programs, and the results about functions of both."""

    before: Operation
    after: Operation
    originals: dict[str, FunctionOp]
    others: dict[str, FunctionOp]
    frees: bool

    def is_proved(self, name: str) -> bool: ...

    def needs_initialized(self, name: str) -> bool: ...


def is_unchanged(pair: Pair, name: str) -> bool:
    """Whether the function of that name is unchanged in a way that proves it equivalent. O(both programs)."""
    return _has_same_text(pair, name) and (
        not _manages_memory(pair.originals[name]) or not (pair.frees or _is_called(pair, name))
    )


def computes_the_same(pair: Pair, name: str) -> bool:
    """Whether the function of that name is unchanged, and so has legal accesses and the same contents of memory, sizes
    and results as before; and nothing in the program relies on more. O(both programs)."""
    return _has_same_text(pair, name) and not _is_called(pair, name)


def _has_same_text(pair: Pair, name: str) -> bool:
    original, other = pair.originals[name], pair.others.get(name)
    return (
        other is not None
        and all(_calls_proved(op, pair) for op in original.walk())
        and print_operation(original, generic=True) == print_operation(other, generic=True)
        and _rest(pair.before) == _rest(pair.after)
    )


def _calls_proved(op: Operation, pair: Pair) -> bool:
    """Whether an operation, if it is a call, calls what is proved, gets no memory from it, and gives it nothing uninitialized
    that the callee of the original does not mind."""
    if not isinstance(op, CallOpInterface):
        return True
    symbol = op.callee_symbol()
    gets_memory = any(t.is_memref(result.type) for result in op.results)
    if symbol is None or gets_memory or not pair.is_proved(symbol.root):
        return False
    return _is_all_unchanged(pair, symbol.root) or not pair.needs_initialized(symbol.root)


def _is_all_unchanged(pair: Pair, name: str) -> bool:
    """Whether a function and everything that it calls is unchanged. O(both programs)."""
    pending, seen = [name], {name}
    while pending:
        one, other = (functions.get(pending[-1]) for functions in (pair.originals, pair.others))
        pending.pop()
        if (
            one is None
            or other is None
            or print_operation(one, generic=True) != print_operation(other, generic=True)
        ):
            return False
        for op in one.walk():
            symbol = op.callee_symbol() if isinstance(op, CallOpInterface) else None
            if symbol is not None and symbol.root not in seen:
                seen.add(symbol.root)
                pending.append(symbol.root)
    return True


def _manages_memory(function: FunctionOp) -> bool:
    """Whether a function returns memory, or allocates or frees some, other than on the stack."""
    return any(map(t.is_memref, function.function_type.results)) or any(
        effect.kind == FREE or (effect.kind == ALLOCATE and effect.resource != STACK_RESOURCE)
        for op in function.walk()
        if isinstance(op, MemoryEffectOp)
        for effect in op.memory_effects()
    )


def _is_called(pair: Pair, name: str) -> bool:
    return any(is_named(name, module) for module in (pair.before, pair.after))


def is_named(function: str, module: Operation) -> bool:
    """Whether an operation of the program that a module belongs to names a function, or one whose name begins like that."""
    *_, program = (module, *module.ancestors())
    return _says(program, str(SymbolRefAttr(function)))


def _rest(module: Operation) -> list[str]:
    """The symbols of a module other than functions, such as globals."""
    return [
        print_operation(op, generic=True) for op in module.regions[0].ops() if not isinstance(op, FunctionOp)
    ]
