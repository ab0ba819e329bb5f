"""Promises of operations (no overflow, exact division, alignment); breaking one is undefined behaviour.

The original's promises are assumed to hold. The transformed program must not promise more: each of its promises must be one that
the original makes for the same operation on the same operands and path, or it must follow from constants.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..dialects.bufferization import FREES_ARE_PLACED
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import AllocationOp
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr
from . import ranges
from .facts import touching
from .machine import CLAIMS, LIBRARY_CALL, UNIMPORTANT, Executor
from .poison import FLAGS, UNITS
from .promised_sums import promised_sum, without_promises
from .state import Base, MemoryState, Opaque, Pointer, alternatives, read_along
from .terms import ZERO, Term, add, arguments_in, divides, is_uninitialized, mul, number, sub

_WORDS = re.compile(r"[a-z]+")
_BITS = ((1, "nsw"), (2, "nuw"))
"""Overflow flags of the LLVM dialect."""
_OF_MEMORY = {
    "bufferization.to_tensor": ("restrict", "writable"),
    "bufferization.materialize_in_destination": ("restrict", "writable"),
}
"""Promises that operations make about buffers with other aliases."""


def promised(op: Operation) -> Iterator[str]:
    """The names of the promises that an operation makes about its results."""
    properties = op.properties
    for key, name in FLAGS.items():
        said = properties.get(key)
        if isinstance(said, IntegerAttr):
            yield from (f"{name} {word}" for bit, word in _BITS if said.value & bit)
        elif said is not None:
            text = str(said).rpartition("<")[2]
            yield from (f"{name} {word}" for word in _WORDS.findall(text) if word != "none")
    for key in UNITS:
        if key in properties:
            yield key
    for key in ("arg_attrs", "res_attrs"):
        said = properties.get(key)
        for i, entry in enumerate(said if isinstance(said, ArrayAttr) else ()):
            yield from (
                f"{key} {i} {pair}" for pair in (entry.items() if isinstance(entry, DictionaryAttr) else ())
            )


def claim_promises(m: Executor, op: Operation, state: MemoryState) -> None:
    """Assume or check the promises of an operation before it executes."""
    is_unused = op.has_trait(tr.PURE) and not any(result.has_uses for result in op.results)
    for word in promised(op) if not is_unused else ():
        held = [without_promises(x) if isinstance(x := m.env[value], Term) else x for value in op.operands]
        keys: list[tuple[object, ...]] = [
            ("promise", op.name, word, *(x if isinstance(x, Term) else None for x in held))
        ]
        exact = _exact_result(m, op, word, held, state)
        if exact is not None:
            keys.append(("exact", word, exact))
        if not m.transformed:
            for key in keys:
                m.facts.say_legal(key, state.path)
        elif word.startswith("overflow") and as_computed(op, held) in m.facts.plain:
            text = f"'{op.name}' may promise '{word}', which it does not wherever the original does this"
            m.ask(_is_kept(op, word, held), text, "promise")
        elif not _is_kept(op, word, held) and not any(m.facts.is_legal(key, state.path) for key in keys):
            m.ask_legal(keys[:1], state.path, f"'{op.name}' may promise '{word}'", "promise")
    if (op.attributes or LIBRARY_CALL in op.properties) and op.definition is not None:
        _claim_attributes(m, op, state)
    alignment = op.properties.get("alignment")
    if isinstance(alignment, IntegerAttr) and op.operands and alignment.value > 1:
        _claim_aligned(m, op, alignment.value, state)
    for word in _OF_MEMORY.get(op.name, ()):
        if word in op.properties:
            _claim_of_memory(m, op, word, state)


_OWN = frozenset(["bufferization", "bufferize", FREES_ARE_PLACED])
"""The prefixes and names of attributes of bufferization itself."""


def of_others(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Attributes without those of bufferization itself; the meaning of the others is not known."""
    return {k: v for k, v in attributes.items() if k.partition(".")[0] not in _OWN}


def _claim_attributes(m: Executor, op: Operation, state: MemoryState) -> None:
    """Discardable attributes may promise something (that accesses are parallel, or do not alias), and so does the name of a
    function that computes the same."""
    numbers = touching(op, m.env)[1] if not op.regions else ()
    kind = "allocation" if isinstance(op, AllocationOp) else op.name  # on the heap or on the stack
    said = {k: op.properties[k] for k in (LIBRARY_CALL,) if k in op.properties}
    for name, value in {**of_others(op.attributes), **said}.items():
        if name in UNIMPORTANT:
            continue
        key = ("attribute", kind, name, value, numbers)
        m.only_as_before(key, state.path, f"'{op.name}' has '{name}' in the original, too", "promise")


def as_promised(m: Executor, op: Operation, result: Term, held: Sequence[Term]) -> Term:
    """The result of an integer operation, which is poison where it breaks a promise.

    Sums of indices are taken not to overflow. That such a result may be poison is known beside its term, so that bounds know its parts.
    """
    for word in promised(op):
        if _is_kept(op, word, held):
            continue
        if result.type is t.INDEX:
            m.facts.flagged.add(result)
        else:
            result = promised_sum(word, op.name, result, held)
    return result


def as_computed(op: Operation, held: Sequence[Any]) -> tuple[object, ...]:
    """An operation with its operands, in any order if that does not matter."""
    return op.name, frozenset(held) if op.has_trait(tr.COMMUTATIVE) else tuple(held)


def note_plain(m: Executor, op: Operation, held: Sequence[Any]) -> None:
    """Remember that the original computes this without a promise against overflow."""
    if not m.transformed and op.name in _MAY_OVERFLOW and not any(True for _ in promised(op)):
        m.facts.plain.add(as_computed(op, [without_promises(x) for x in held]))


_MAY_OVERFLOW = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (("arith", "addi subi muli shli trunci"), ("llvm", "add sub mul shl trunc"))
    for name in names.split()
)


Exact = tuple[int, frozenset[tuple[Term, int]]]
"""A sum without wrap-around: a constant, and terms with coefficients."""


def _exact_result(
    m: Executor, op: Operation, word: str, held: Sequence[Any], state: MemoryState
) -> Exact | None:
    """The result of an operation that promises not to overflow, as a sum over the operands of other such operations."""
    name = op.name.rpartition(".")[2]
    if name not in _EXACT or not word.startswith("overflow") or len(held) != 2 or held[0].shape is not None:
        return None
    if not isinstance(held[0].type, (t.IntegerType, t.IndexType)):
        return None
    left, right = (_exact(m, word, x, state) for x in held)
    if name == "muli":
        if right[1] and left[1]:
            return None
        scale, (constant, parts) = (right[0], left) if not right[1] else (left[0], right)
        found: Exact = constant * scale, frozenset((part, n * scale) for part, n in parts)
    else:
        sign = -1 if name == "subi" else 1
        sums = dict(left[1])
        for part, n in right[1]:
            sums[part] = sums.get(part, 0) + sign * n
        found = left[0] + sign * right[0], frozenset((part, n) for part, n in sums.items() if n)
    if not m.transformed:
        m.facts.exact[word, {"addi": add, "subi": sub, "muli": mul}[name](*held)] = found
    return found


def _exact(m: Executor, word: str, x: Term, state: MemoryState) -> Exact:
    if x.op == "const" and isinstance(x.attr, int):
        width = getattr(x.type, "width", 64)
        value = x.attr % (1 << width)
        return (value - (1 << width) if word.endswith("nsw") and value >> (width - 1) else value), frozenset()
    found = m.facts.exact.get((word, x))
    known = found is not None and m.facts.is_legal(("exact", word, found), state.path)
    return found if found is not None and known else (0, frozenset([(x, 1)]))


def _is_kept(op: Operation, word: str, held: Sequence[Any]) -> bool:
    """Whether constants prove that there is no overflow."""
    name = op.name.rpartition(".")[2]
    compute = _EXACT.get(name)
    if compute is None or not word.startswith("overflow") or len(held) != 2:
        return False
    x, y = held
    if x.op != "const" or y.op != "const" or not isinstance(x.attr, int) or not isinstance(y.attr, int):
        return False
    width = getattr(x.type, "width", 64)
    if word.endswith("nsw"):
        values = [v - (1 << width) if v >> (width - 1) & 1 and v >= 0 else v for v in (x.attr, y.attr)]
        return -(1 << (width - 1)) <= compute(*values) < 1 << (width - 1)
    values = [v % (1 << width) for v in (x.attr, y.attr)]
    return 0 <= compute(*values) < 1 << width


_EXACT = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y}


def _claim_of_memory(m: Executor, op: Operation, word: str, state: MemoryState) -> None:
    """Check that the original makes the same promise about memory that the program does not own."""
    held = next(m.env[value] for value in op.operands if t.is_memref(value.type))
    for path, ref in alternatives(held):
        here, key = (*state.path, *path), (op.name, word, ref.base.name)
        if not m.transformed:
            m.facts.say_legal(key, here)
        elif ref.base.name is not None:
            m.ask(m.facts.is_legal(key, here), f"'{op.name}' may promise '{word}'", "promise")


def _claim_aligned(m: Executor, op: Operation, alignment: int, state: MemoryState) -> None:
    """Assume or check the alignment that an access or `assume_alignment` promises."""
    if any(str(value.type) == "!llvm.ptr" for value in op.operands):
        held = tuple(x if isinstance(x, Term) else None for x in (m.env[value] for value in op.operands))
        for smaller in (1 << i for i in range(1, alignment.bit_length())) if not m.transformed else ():
            m.facts.say_legal(("aligned", op.name, held, smaller), state.path)
        if m.transformed and not m.facts.is_legal(("aligned", op.name, held, alignment), state.path):
            m.ask(False, f"memory is aligned to {alignment} bytes, as '{op.name}' says", "alignment")
        return
    for value in op.operands:
        if not t.is_memref(value.type):
            continue
        numbers = tuple(x for v in op.operands if isinstance(x := m.env[v], Term) and x.type is t.INDEX)
        for path, ref in alternatives(m.env[value]):
            here = (*state.path, *path)
            key = ("aligned", ref.base.name, read_along(ref.base.initial, ref.steps), numbers, alignment)
            known = ref.base.name is not None
            if not known and _is_static(value.type) and is_aligned(ref, (), alignment):
                # its beginning is aligned, so a place is if it is in another buffer like it
                known, key = True, ("aligned in a new buffer", value.type, numbers, alignment)
            if not m.transformed:
                m.facts.say_legal(key, here)
            elif not (is_aligned(ref, numbers, alignment) or (known and m.facts.is_legal(key, here))):
                m.ask(False, f"memory is aligned to {alignment} bytes, as '{op.name}' states", "alignment")


def _is_static(type: t.Type) -> bool:
    return isinstance(type, t.MemRefType) and type.layout is None and type.has_static_shape


def is_aligned(ref: Pointer, numbers: Sequence[Term], alignment: int) -> bool:
    """Whether an element is aligned: the allocation says so, and the element is the first of it, or of an aligned region of it."""
    return (
        is_aligned_base(ref.base, alignment)
        and not any(isinstance(step, Opaque) for step in ref.steps)  # other views have their offset in `ref`
        and ref.offset is ZERO
        and all(number is ZERO for number in numbers)
    )


def is_aligned_base(base: Base, alignment: int) -> bool:
    """Whether an allocation or global, or a region of it, begins at a multiple of the alignment, as its operation declares."""
    maker = base.op
    said = maker.properties.get("alignment") if maker is not None else None
    return isinstance(said, IntegerAttr) and said.value % alignment == 0 and divides(alignment, base.start)


def claim_positive(m: Executor, terms: Sequence[Term], state: MemoryState) -> None:
    """Assume or check that the step of a counted loop, or a divisor, is positive."""
    for term in terms:
        key = ("positive", term)
        if not m.transformed:
            m.facts.say_legal(key, state.path)
        elif not _is_positive(term):
            legal = m.facts.is_legal(key, state.path)
            m.ask_legal(
                [] if legal else [key],
                state.path,
                "loop steps and divisors are positive",
                "promise",
            )


def _is_positive(term: Term) -> bool:
    """Whether a number is certainly positive: only index arithmetic is taken not to overflow."""
    if term.type is t.INDEX:
        return ranges.nonnegative(sub(term, number(1)))
    return term.op == "const" and term.attr > 0


def claim_initialized(m: Executor, condition: Term, state: MemoryState) -> None:
    """Assume or check that no branch, loop or allocation depends on uninitialized memory.

    Arguments may be such memory: those by which only the target decides are noted in its contract.
    """
    if not m.transformed:
        m.facts.decided.add(condition)
    elif condition.op != "const" and condition not in m.facts.decided:
        m.decided |= arguments_in([condition]) or set()
    if not condition.undefined or not is_uninitialized(condition):
        return
    key = ("branch on uninitialized memory", state.passed)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif not m.facts.is_legal(key, state.path):
        m.ask_legal([key], state.path, "no branch depends on uninitialized memory", "promise")


def claim_arguments_initialized(
    m: Executor, needed: Iterable[int], decided: Collection[int], args: Sequence[Term]
) -> None:
    """Check that the arguments are initialized that the target's callee needs to be; by some of them, only it decides."""
    for i in sorted(needed):
        good = i >= len(args) or not args[i].undefined or not is_uninitialized(args[i])
        m.ask(good, f"argument {i} is initialized, as the callee decides by it or uses it twice", "promise")
        if i in decided:
            m.decided |= arguments_in([args[i]]) or set()


CLAIMS.append(claim_promises)
