"""Symbolic semantics of calls, by contract.

A call in the source is a function of its operands, their contents, and the order of observable effects. What the
target's callee does in addition (which buffers it overwrites, which results alias which buffers) is its contract,
which was established when the callee itself was compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .blocks import run_blocks
from .contracts import Contract, Signature, always_returns, needed_initialized
from .machine import Executor, Steps, semantics
from .promises import claim_arguments_initialized
from .regions import scratch_arguments, scratch_sizes
from .semantics_memory import free
from .semantics_structured import outline
from .semantics_tensors import static_shape
from .semantics_unknown import (
    claim_argument_alignment,
    comes_from_outside,
    known_outside,
    reach,
    sharing,
    whereabouts,
)
from .state import (
    GIVEN,
    GLOBAL,
    UNKNOWN,
    Base,
    MemoryState,
    Pointer,
    Symbols,
    alternatives,
    argument_ref,
    bases_of,
    connect,
    may_alias,
)
from .terms import TRUE, Shape, Term, make

if TYPE_CHECKING:
    from ..dialects import func
    from ..ir.program.core import Operation


@semantics("func.return")
def ends(m: Executor, op: func.ReturnOp, state: MemoryState) -> None:
    return None


@semantics("func.call")
def call(m: Executor, op: func.CallOp, state: MemoryState) -> Steps | None:
    name = op.callee_symbol().root
    callee: Any = m.symbols.get(name)
    original: Any = m.other_symbols.get(name) if m.transformed else callee
    if callee is None:
        m.give_up(f"there is no function '{name}'")
    if original is None:
        if callee.is_declaration:
            m.give_up(f"what '{name}' does", op, "unknown")
        return _inlined(m, op, callee, state)
    return _by_contract(m, op, name, callee, original, state)


def _given_scratch(
    m: Executor, op: Operation, name: str, callee: Any, original: Any, given: list[Any], state: MemoryState
) -> Steps:
    """Scratch memory passed to a callee as extra arguments: of the requested size, and undefined afterwards."""
    added = scratch_arguments(original, callee)
    count = len(original.function_type.inputs)
    if added is None or len(given) != count + len(added):
        m.give_up(f"'{name}' has other arguments than in the original", op, "signature")
    if added:
        sizes = yield scratch_sizes(m, name, given[:count], added)
        for held, size in zip(given[count:], sizes, strict=True):
            m.ask(m.facts.equal(held.shape[0], size, state.path),
                  f"'{name}' receives as much memory as it requires", "sizes")  # fmt: skip
            m.write(held, m.junk(held.shape), state)


def _inlined(m: Executor, op: Operation, callee: FunctionOp, state: MemoryState) -> Steps:
    """Run a function that only the target has where it is called; short loops are unrolled."""
    if m.unrolling > MAX_INLINED:
        m.give_up(f"the effects of '{callee.symbol_name}', which the original does not have", op, "helper")
    m.unrolling += 1
    values = yield run_blocks(m, callee.body, [m.get(value) for value in op.operands], state)
    m.unrolling -= 1
    for result, value in zip(op.results, values, strict=True):
        m.set(result, value)


MAX_INLINED = 3
"""The nesting depth of inlined functions that only the target has."""


def _by_contract(
    m: Executor, op: Operation, name: str, callee: Any, original: Any, state: MemoryState
) -> Steps:
    given = [m.get(value) for value in op.operands]
    before_types = original.function_type.inputs
    everything = given
    given = given[: len(before_types)]
    args = [held if isinstance(held, Term) else m.read(held, state) for held in given]
    shared = m.changing_globals()
    m.looked_at.update(shared)
    known: Signature | None = m.signatures.get(name)
    told = [_told(arg, known is not None and i in known.ignored) for i, arg in enumerate(args)]
    memory = {
        i: held
        for i, (held, type) in enumerate(zip(given, before_types, strict=True))
        if not isinstance(held, Term) and t.is_memref(type)
    }
    kept = _kept(m, name, callee, known, memory)
    where = [whereabouts(m, held, state, i in kept) for i, held in memory.items()]
    claim_argument_alignment(m, name, list(memory.values()), state)
    is_exposed = name in _original_symbols(m).calling_unknown
    seen = known_outside(m, state) if is_exposed else []
    known_by = (*told, *where, *map(state.content, (*shared, *seen)))
    is_pure = known is not None and known.is_pure
    token = make(
        "call",
        (name, sharing(m, list(memory.values()))),
        known_by if is_pure else (state.trace, *known_by),
    )
    if is_pure:
        _claim_called(m, token, state)
    else:
        state.trace = token
    if name not in m.symbols.returning:
        m.symbols.returning[name] = always_returns(m.symbols, name)
    if not is_pure and not m.symbols.returning[name]:
        state.go_on(name)
    if is_exposed:
        reach(m, token, {i: memory[i] for i in kept}, state)
    for base in shared if not is_pure else ():
        m.put(base, make("call after", base.name, (token,), shape=base.shape), state)
    contract = m.contracts.get(name) if m.transformed else None
    unknown = m.transformed and contract is None
    _claim_disjoint(m, everything, before_types, contract, unknown, is_exposed, op)
    yield _given_scratch(m, op, name, callee, original, everything, state)
    results = len(original.function_type.results)
    for i, held in enumerate(given):
        if isinstance(held, Term):
            continue
        if not t.is_tensor(before_types[i]):
            m.write(held, make("call after", i, (token,), shape=held.shape), state, by=(name, i))
        elif unknown:
            if _access(callee, original, i) not in ("none", "read"):
                m.write(held, m.junk(held.shape), state)
        elif contract is not None and i in contract.written:
            k = contract.equal.get(i)
            content = m.junk(held.shape) if k is None else make("result", k, (token,), shape=held.shape)
            m.write(held, content, state)
    if contract is not None:
        claim_arguments_initialized(m, needed_initialized(contract, callee), contract.decided, args)
    for i in sorted(contract.freed) if contract is not None else ():
        if not isinstance(given[i], Term):
            surely = contract is not None and i in contract.freed_surely
            free(m, given[i], state, TRUE if surely else m.junk(None, t.I1))
    if len(op.results) != results:
        m.give_up(f"'{name}' has other results than in the original", op, "signature")
    values: list[Term] = []
    for k, type in enumerate(original.function_type.results):
        values.append(_value(m, op, name, token, k, type, args, values))
    shared: list[Base] = []
    for k, result in enumerate(op.results):
        if not t.is_memref(result.type):
            m.set(result, values[k], op)
            continue
        held = _given_buffer(m, op, name, k, values[k], given, contract, unknown, state)
        is_seen = is_exposed and t.is_memref(original.function_type.results[k])
        if is_seen and held.base.kind == GIVEN and not _is_new(m, name, k):
            held.base.name = UNKNOWN, (k, token.id)
            comes_from_outside(m, held.base, token, k, state)
        m.set(result, held)
        if held.base.kind == GIVEN and not held.base.owned:
            for other in shared:
                connect(held.base, other)
            shared.append(held.base)


def _claim_called(m: Executor, token: Term, state: MemoryState) -> None:
    """A call without effects is where the original has it, too: the callee may rely on something there."""
    key = ("call", token)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif not m.facts.is_legal(key, state.path):
        m.ask_legal([key], state.path, "the original calls the function as well", "call")


def _original_symbols(m: Executor) -> Symbols:
    return m.other_symbols if m.transformed else m.symbols


def _kept(
    m: Executor, name: str, callee: FunctionOp, known: Signature | None, memory: Iterable[int]
) -> list[int]:
    """The arguments that unknown code may retain: the callee, or functions it passes them to."""
    if name not in _original_symbols(m).calling_unknown:
        return []
    return [
        i for i in memory if callee.is_declaration or known is None or known.kept is None or i in known.kept
    ]


def _told(arg: Term, is_ignored: bool) -> Term:
    """The term a callee receives for an argument: the sizes alone if it ignores the contents."""
    return outline(arg.shape) if is_ignored and arg.shape is not None else arg


def _value(
    m: Executor,
    op: Operation,
    name: str,
    token: Term,
    k: int,
    type: t.Type,
    args: list[Term],
    earlier: list[Term],
) -> Term:
    """The value, or the contents, of a result."""
    known: Signature | None = m.signatures.get(name)
    source = known.same.get(k) if known is not None else None
    if source is not None:
        return args[source[1]] if source[0] == "argument" else earlier[source[1]]
    if t.is_tensor(type) or t.is_memref(type):
        return make("result", k, (token,), shape=_shape(m, op, name, token, k, expect(t.ShapedType, type)))
    return make("result", k, (token,), type=type)


def _shape(m: Executor, op: Operation, name: str, token: Term, k: int, type: t.ShapedType) -> Shape | None:
    """The sizes of a call's result: those of an argument where the callee's signature says so."""
    if type.shape is None:
        return None
    known: Signature | None = m.signatures.get(name)
    dynamic: list[Term] = []
    for d, size in enumerate(type.shape):
        if size is None:
            shape = known.shapes[k] if known is not None and k < len(known.shapes) else None
            source = shape[d] if shape is not None else None
            if source is not None and source.op == "size" and source.attr[0] == "argument":
                dynamic.append(m.dimension(op.operands[source.attr[1]], source.attr[2]))
            elif source is not None and source.op == "sym" and source.attr[0] == "argument":
                dynamic.append(m.get(op.operands[source.attr[1]]))
            elif source is not None and source.op == "const":
                dynamic.append(source)
            else:
                dynamic.append(make("size", ("result", k, d), (token,), type=t.INDEX))
    return static_shape(type, dynamic)


def _given_buffer(
    m: Executor, op: Operation, name: str, k: int, content: Term, given: list[Any], contract: Contract | None, unknown: bool,
    state: MemoryState,
) -> Pointer:  # fmt: skip
    """The buffer of a call's result."""
    known: Signature | None = m.signatures.get(name) if not m.transformed else None
    source = contract.results.get(k) if contract is not None else "some"
    if known is not None and k in known.fresh:
        source = None
    result_type = op.results[k].type
    if isinstance(source, int):
        held = given[source]
        content_now = m.read(held, state)
        if content_now is not content and not (contract is not None and contract.equal.get(source) == k):
            m.write(held, content, state)
        return held
    base = Base(GIVEN, content, op, level=state.level)
    base.owned = contract is not None and k in contract.owned
    gives = unknown and m.frees and _gives_memory(m.symbols[name], m.other_symbols[name], k)
    base.is_lent = unknown and m.frees and not gives
    if gives:
        base.owned = True
    elif source == "some" or unknown:
        for held in given:
            if not isinstance(held, Term):
                for other in may_alias(bases_of(held)):
                    connect(base, other)
        for shared in sorted(contract.globals.get(k, ())) if contract is not None else ():
            _may_be_global(m, base, m.global_base(shared))
    for i in sorted(contract.copies.get(k, ())) if contract is not None else ():
        base.is_copy_of(bases_of(given[i]) if not isinstance(given[i], Term) else ())
    state.contents[base] = content
    state.alive[base] = TRUE
    return argument_ref(base, result_type, ("result", base.id))


def _is_new(m: Executor, name: str, k: int) -> bool:
    """Whether a result of the original is memory that nothing else refers to."""
    callee, known = m.symbols[name], m.signatures.get(name)
    if isinstance(callee, FunctionOp) and callee.is_declaration:
        return m.frees and _gives_memory(callee, m.other_symbols.get(name, callee), k)
    return known is not None and k in known.fresh


def _may_be_global(m: Executor, base: Base, shared: Base) -> None:
    """The result's buffer may be a global, and may thus alias results of other calls that may be that global."""
    for other in (shared, *shared.overlaps):
        connect(base, other)
    if shared.readonly:
        base.readonly = shared.readonly


def _gives_memory(callee: Any, original: Any, index: int) -> bool:
    """Whether a result of a declaration is assumed to be owned by the caller, as in ownership-based deallocation."""
    for function in (callee, original):
        attr = function.result_attr(index, "bufferization.owned")
        if attr is not None and not attr.value:
            return False
    return True


def _access(callee: Any, original: Any, index: int) -> str | None:
    for function in (callee, original):
        attr = function.arg_attr(index, "bufferization.access")
        if attr is not None:
            return attr.value
    return None


def _is_used(contract: Contract | None, i: int) -> bool:
    """Whether a callee may read, write or return an argument."""
    return (
        contract is None
        or contract.read is None
        or i in contract.read
        or i in contract.written
        or any(source in (i, "some") for source in contract.results.values())
    )


def _claim_disjoint(
    m: Executor, given: list[Any], before: Sequence[t.Type], contract: Contract | None, unknown: bool, is_exposed: bool, op: Operation
) -> None:  # fmt: skip
    """A buffer that the callee writes does not alias another one that it uses, nor one that it gets as a tensor a global that it uses.

    Buffers after those of `before`, the types in the source, are scratch memory, and written.

    Args:
        is_exposed: whether the callee calls unknown code, which may write what it knows.
    """
    if not m.transformed:
        return
    count = len(before)
    memrefs = [(i, held) for i, held in enumerate(given) if not isinstance(held, Term)]
    for i, held in memrefs:
        if i < count and not t.is_memref(before[i]) and contract is not None and _is_used(contract, i):
            bases = {near for base in bases_of(held) for near in (base, *base.overlaps)}
            shared = {base.name[1] for base in bases if base.kind == GLOBAL and base.name is not None}
            m.ask(not shared & contract.used, f"argument {i} is no global that the callee uses", "call")
            known = is_exposed and any(base in m.escaped or base in m.visible for base in bases)
            m.ask(not known, f"argument {i} is not known to what the callee calls", "call")
        written = i >= count or unknown or (contract is not None and i in contract.written)
        changed = contract is not None and i in contract.changed
        if not written and not changed:
            continue
        for j, other in memrefs:
            if i == j or (i < count and j < count and not unknown and not _is_used(contract, j)):
                continue
            if i < count and j < count and t.is_memref(before[i]) and t.is_memref(before[j]):
                continue  # the callee was compared for arguments that alias, or the original passes the same
            for _, left in alternatives(held):
                for _, right in alternatives(other):
                    from .ranges import disjoint
                    from .state import region

                    if left.base is not right.base and right.base not in left.base.overlaps:
                        continue
                    a, b = region(left), region(right)
                    if (
                        left.base is right.base
                        and a is not None
                        and b is not None
                        and a[0]
                        and disjoint(a, b)
                    ):
                        continue
                    m.ask(False, f"arguments {i} and {j} do not alias, because the callee writes", "call")
