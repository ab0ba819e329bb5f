"""Symbolic semantics of scalars: integers in normal form, folded constants, conditions."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir.program import traits as tr
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..semantics.scalars import INTEGERS, integers_compare, on_constants
from .commutation import in_order
from .contents import FOLDED, REBUILT
from .lanes import BROADCAST
from .machine import Executor, attributes_of, semantics
from .promises import as_promised, claim_initialized, note_plain, promised
from .ranges import interval
from .state import Choice, MemoryState, Pointer, constant, literal, pick, splat
from .terms import (
    FALSE,
    TRUE,
    Term,
    add,
    boolean,
    both,
    choose,
    extreme,
    make,
    may_vary,
    mul,
    negate,
    number,
    sub,
    undecided,
)

if TYPE_CHECKING:
    from ..dialects import arith, index
    from ..ir.program.core import Operation


# Constant folding and inverse casts. Only operations with a single correct result are folded: sums, products and
# quotients of f32 and f64 under IEEE 754 rounding, integers modulo their width.

_FLOATS: dict[str, Callable[[float, float], float]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": operator.truediv,
}
_FORMATS = {32: ("<f", "<I"), 64: ("<d", "<Q")}


def folded(name: str, args: list[Term], type: t.Type) -> Term | None:
    """The folded result of an operation on scalars; None if it does not fold."""
    if name in IDEMPOTENT and args[0] is args[1]:
        return args[0]
    if (rest := _beside_neutral(name, args, type)) is not None:
        return rest
    if name == "arith.trunci" and args[0].op == "op" and args[0].attr[0] in ("arith.extsi", "arith.extui"):
        return args[0].args[0] if args[0].args[0].type is type else None
    if name in CASTS and args[0].op in ("iv", "lin"):
        return _cast_of_counters(name, args[0], type)
    if isinstance(type, t.VectorType) and args and all(map(_is_splat, args)):
        one = folded(name, [arg.args[0] for arg in args], type.element)
        return None if one is None else make("op", BROADCAST, (one,), type=type)
    if not args or any(arg.op != "const" for arg in args):
        return None
    if isinstance(type, t.FloatType):
        return _of_floats(name, args, type)
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return _of_integers(name, args, type)
    return None


def _is_splat(term: Term) -> bool:
    """Whether a vector is one constant number that is broadcast."""
    return term.op == "op" and term.attr == BROADCAST and term.args[0].op == "const"


def _folded_again(term: Term, args: list[Term]) -> Term | None:
    """The folded result of a floating-point operation without fast-math flags on constants, else None."""
    promises = str(dict(term.attr[1]).get("fastmath", "none"))
    if "none" not in promises or not isinstance(term.type, t.FloatType):
        return None
    return folded(term.attr[0], args, term.type)


FOLDED.update(dict.fromkeys(_FLOATS, _folded_again))


def _of_floats(name: str, args: list[Term], type: t.FloatType) -> Term | None:
    formats = _FORMATS.get(type.width)
    if formats is None or len(args) != 2 or any(arg.type is not type for arg in args):
        return None
    if type.name not in ("f32", "f64"):
        return None
    x, y = (_value(arg.attr, formats) for arg in args)
    if x is None or y is None or (name == "arith.divf" and not y):
        return None
    operation = _FLOATS.get(name)
    result = operation(x, y) if operation is not None else math.nan
    if not math.isfinite(result):
        return None
    try:  # double precision suffices: rounding to single then rounds only once
        bits = struct.unpack(formats[1], struct.pack(formats[0], result))[0]
    except OverflowError:
        return None
    return make("const", a.FloatAttr.from_bits(bits, type), type=type)


def _value(attr: object, formats: tuple[str, str]) -> float | None:
    bits = getattr(attr, "bits", None)
    if not isinstance(bits, int):
        return None
    value = struct.unpack(formats[0], struct.pack(formats[1], bits))[0]
    return value if math.isfinite(value) else None


def _of_integers(name: str, args: list[Term], type: t.Type) -> Term | None:
    equation = INTEGERS.get(name)
    if equation is None:
        return None
    found = on_constants(equation, [arg.attr for arg in args], getattr(args[0].type, "width", 64))
    return None if found is None else number(found, type)


_NEUTRAL = {
    **dict.fromkeys(
        (f"arith.{name}" for name in ("divsi", "divui", "floordivsi", "ceildivsi", "ceildivui")), 1
    ),
    **dict.fromkeys((f"arith.{name}" for name in ("shli", "shrsi", "shrui", "ori", "xori")), 0),
    "arith.andi": -1,
}
"""The second operand beside which an operation yields the first; of `_BITWISE` ones, either operand."""

_BITWISE = frozenset(["arith.andi", "arith.ori", "arith.xori"])


def _beside_neutral(name: str, args: list[Term], type: t.Type) -> Term | None:
    """The operand that the other one does not change."""
    neutral = _NEUTRAL.get(name)
    if neutral is None or type is t.I1:  # whose only number besides 0 is -1
        return None
    for one, other in (args, args[::-1]) if name in _BITWISE else (args,):
        if other.op == "const" and other.attr == neutral:
            return one
    return None


IDEMPOTENT = frozenset(
    f"arith.{name}"
    for name in [
        "andi",
        "ori",
        "minsi",
        "maxsi",
        "minui",
        "maxui",
        "minimumf",
        "maximumf",
        "minnumf",
        "maxnumf",
    ]
)
"""Operations that yield their operand if both operands are the same."""


def _is_integer(type: t.Type) -> bool:
    return isinstance(type, (t.IntegerType, t.IndexType))


CASTS = frozenset(
    (
        "arith.index_cast",
        "arith.index_castui",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "index.casts",
        "index.castu",
    )
)
"""Operations that keep a number that both types hold; those that read it without a sign, if it is not negative."""


def _range_of_counters(term: Term) -> tuple[int, int] | None:
    """The range of a linear form of counters between constant bounds, if its type holds all of it."""
    counters = term.args if term.op == "lin" else [term]
    if any(c.op not in ("iv", "const") or any(b.op != "const" for b in c.args) for c in counters):
        return None
    if any(c.op == "iv" and c.args[0].attr > c.args[1].attr for c in counters):
        return None  # it does not run, or counts without a sign
    low, high = interval(term)
    if low is None or high is None or not _holds(term.type, low) or not _holds(term.type, high):
        return None
    return low, high


def _holds(type: t.Type | None, number: int) -> bool:
    """Whether an integer type holds a number, read with a sign; an index is taken to have 32 bits at least."""
    return abs(number) < 1 << (getattr(type, "width", 32) - 1)


def _cast_of_counters(name: str, term: Term, type: t.Type) -> Term | None:
    """A linear form of counters as another type, if no cast changes any number in it; else None."""
    known = _range_of_counters(term)
    if known is None or (name.endswith(("ui", "castu")) and known[0] < 0):
        return None
    bounds = [b.attr for c in (term.args if term.op == "lin" else [term]) for b in c.args]
    if not all(_holds(type, n) for n in (*known, *bounds)):
        return None

    def cast(counter: Term) -> Term:
        ends = [number(bound.attr, type) for bound in counter.args]
        return make("iv", counter.attr, ends, type=type, level=counter.level)

    if term.op == "iv":
        return cast(term)
    constant, *factors = term.attr
    if not all(_holds(type, n) for n in term.attr):
        return None
    total = number(constant, type)
    for factor, counter in zip(factors, term.args, strict=True):
        total = add(total, mul(number(factor, type), cast(counter)))
    return total


def _cast_again(term: Term, args: list[Term]) -> Term | None:
    """The folded result of a cast without promises, else None."""
    return folded(term.attr[0], args, term.type) if term.type is not None and not term.attr[1] else None


FOLDED.update(dict.fromkeys(CASTS, _cast_again))
REBUILT["cmp"] = lambda term, args, shape: compared(term.attr, *args)


@semantics("arith.constant", "index.constant", "index.bool.constant")
def constant_op(
    m: Executor, op: arith.ConstantOp | index.ConstantOp | index.BoolConstantOp, state: MemoryState
) -> None:
    value = op.properties["value"]
    type = op.results[0].type
    if t.is_tensor(type):
        m.set(
            op.results[0],
            literal(
                value, tuple(number(size) for size in expect(t.ShapedType, type).static_shape), m.resources
            ),
        )
    else:
        m.set(op.results[0], _broadcast_constant(value))


def _broadcast_constant(value: object) -> Term:
    """A constant; a vector of equal numbers is one number that is broadcast."""
    if isinstance(value, a.DenseElementsAttr) and isinstance(value.type, t.VectorType) and value.is_splat:
        one = splat(value)
        if one is not None:
            return make("op", BROADCAST, (one,), type=value.type)
    return constant(value)


def uninterpreted(m: Executor, op: Operation, state: MemoryState) -> None:
    """A scalar operation as an uninterpreted function of its operands."""
    args = [m.get(value) for value in op.operands]
    note_plain(m, op, args)
    if m.mask is not None:
        args.append(m.mask)
    commutes = op.has_trait(tr.COMMUTATIVE) and len(args) == 2
    if commutes:
        args = in_order(args)
    plain = len(op.results) == 1 and not any(True for _ in promised(op))
    known = folded(op.name, args, op.results[0].type) if plain else None
    if known is not None:
        m.set(op.results[0], known, op)
        return
    for i, result in enumerate(op.results):
        key = (op.name, attributes_of(op), i, *(["commutes"] if commutes else []))
        m.set(result, make("op", key, args, type=result.type), op)


@semantics("arith.addi", "arith.subi", "arith.muli", "index.add", "index.sub", "index.mul")
def ring(m: Executor, op: Operation, state: MemoryState) -> None:
    if not _is_integer(op.results[0].type):
        return uninterpreted(m, op, state)
    left, right = m.get(op.operands[0]), m.get(op.operands[1])
    if left.type is t.I1:
        return uninterpreted(m, op, state)
    kind = op.name.split(".")[1][:3]
    result = {"add": add, "sub": sub, "mul": mul}[kind](left, right)
    note_plain(m, op, (left, right))
    m.set(op.results[0], as_promised(m, op, result, (left, right)), op)
    return None


@semantics("arith.minsi", "arith.maxsi", "index.mins", "index.maxs")
def extreme_op(m: Executor, op: Operation, state: MemoryState) -> None:
    """A minimum or maximum; for indices, its range is asserted as well."""
    if op.results[0].type is not t.INDEX:
        return uninterpreted(m, op, state)
    kind = op.name.split(".")[1][:3]
    m.set(op.results[0], _extreme(kind, [m.get(value) for value in op.operands]), op)
    return None


def _extreme(kind: str, args: list[Term]) -> Term:
    """A minimum or maximum of indices, by their constant bounds if these decide it."""
    if len(args) == 2:
        for one, other in (args, args[::-1]):
            low, high = (one, other) if kind == "min" else (other, one)
            if _never_above(low, high) and not other.poison:
                return one
    return extreme(kind, args)


REBUILT["min"] = REBUILT["max"] = lambda term, args, shape: _extreme(term.op, args)


def _never_above(left: Term, right: Term) -> bool:
    """Whether one term is at most another, by constant bounds small enough to rule out overflow."""
    (low, most), (least, high) = interval(left), interval(right)
    if low is None or most is None or least is None or high is None:
        return False
    return most <= least and max(map(abs, (low, most, least, high))) < MAX_BOUND


MAX_BOUND = 1 << 31
"""Numbers of smaller magnitude are assumed to fit an index of any width."""


_SWAPPED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}
_REFLEXIVE = ("eq", "sle", "sge", "ule", "uge")
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@semantics("arith.cmpi", "index.cmp")
def compare(m: Executor, op: arith.CmpIOp | index.CmpOp, state: MemoryState) -> None:
    if not _is_integer(op.operands[0].type):
        return uninterpreted(m, op, state)
    m.set(op.results[0], compared(_predicate(op), m.get(op.operands[0]), m.get(op.operands[1])), op)
    return None


def _predicate(op: Operation) -> str:
    value = op.properties.get("predicate") or op.properties.get("pred")
    number = getattr(value, "value", None)
    if isinstance(number, int):
        return _PREDICATES[number]
    text = str(number if number is not None else value)
    for name in _PREDICATES:
        if text.endswith((name, f"{name})", f"{name}>")) or text.split()[-1].strip("<>()") == name:
            return name
    return text


def compared(predicate: str, left: Term, right: Term) -> Term:
    """A comparison of integers, or of pointers where the result is known."""
    if left is right and not left.poison and not may_vary(left):
        return boolean(predicate in _REFLEXIVE)
    if predicate in ("eq", "ne"):
        if left.op == "sel" and _has_pointer(left):
            return choose(
                left.args[0],
                compared(predicate, left.args[1], right),
                compared(predicate, left.args[2], right),
            )
        if right.op == "sel" and _has_pointer(right):
            return compared(predicate, right, left)
        if (
            left.op == right.op == "pointer"
            and left.attr[0] != right.attr[0]
            and distinct(left.attr, right.attr)
        ):
            return boolean(predicate == "ne")
        difference = sub(left, right)
        if difference.op == "const":
            return boolean(predicate == "ne")
        if predicate == "ne":
            return negate(compared("eq", left, right))
        if _is_below(left, right) or _is_below(right, left):
            return FALSE
        args = in_order((left, right))
        return make("cmp", "eq", args, type=t.I1)
    if left.op == right.op == "const" and isinstance(left.attr, int) and isinstance(right.attr, int):
        width = getattr(left.type, "width", 64)
        return boolean(integers_compare(predicate, left.attr, right.attr, width))
    if predicate in _SWAPPED:
        return compared(_SWAPPED[predicate], right, left)
    if predicate in ("slt", "sle") and _is_below(left, right):
        return TRUE
    if predicate in ("slt", "sle") and _is_below(right, left):
        return FALSE
    if predicate[0] == "s":
        first, second = _range_of_counters(left), _range_of_counters(right)
        if first is not None and second is not None:
            among = 1 if predicate == "sle" else 0
            if first[1] < second[0] + among:
                return TRUE
            if first[0] >= second[1] + among:
                return FALSE
    if predicate in ("sle", "ule"):
        return negate(make("cmp", predicate[0] + "lt", (right, left), type=t.I1))
    return make("cmp", predicate, (left, right), type=t.I1)


def _is_below(left: Term, right: Term) -> bool:
    """Whether a counter is compared with the bound of its own loop, which each iteration is below (`iv` counts up, with a sign)."""
    return left.op == "iv" and left.args[1] is right


def _has_pointer(term: Term) -> bool:
    return any(arg.op == "pointer" or (arg.op == "sel" and _has_pointer(arg)) for arg in term.args[1:])


def distinct(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Whether two pointers are different, each described by number, kind, possible aliases, and whether it may be
    empty."""
    return right[0] not in left[2] and left[0] not in right[2] and not (left[3] or right[3])


@semantics("arith.andi", "arith.ori", "arith.xori")
def bits(m: Executor, op: Operation, state: MemoryState) -> None:
    if op.results[0].type is not t.I1:
        return uninterpreted(m, op, state)
    left, right = m.get(op.operands[0]), m.get(op.operands[1])
    key = ("both used", op.name, frozenset((left, right)))
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif not m.facts.is_legal(key, state.path) and any(_may_be_poison(m, x) for x in (left, right)):
        # a choice of the original may leave poison unused, and is the same term
        m.ask_legal([key], state.path, f"the result of '{op.name}' is not poison", "promise")
    if op.name == "arith.andi":
        result = both(left, right)
    elif op.name == "arith.ori":
        result = negate(both(negate(left), negate(right)))
    elif any(x.poison or may_vary(x) for x in (left, right)):
        return uninterpreted(m, op, state)
    else:
        result = choose(left, negate(right), right)
    m.set(op.results[0], result, op)
    return None


def _may_be_poison(m: Executor, root: Term) -> bool:
    """Whether a scalar is computed from a result that may be poison. O(its terms, up to a limit)."""
    pending, seen = [root], {root}
    while pending and len(seen) < MAX_SEARCHED:
        term = pending.pop()
        if term.poison or term in m.facts.flagged:
            return True
        pending += [arg for arg in term.args if arg not in seen]
        seen.update(term.args)
    return bool(pending)


MAX_SEARCHED = 500
"""Terms of a condition that are searched for poison; in a larger one there may be some."""


@semantics("arith.select")
def select(m: Executor, op: arith.SelectOp, state: MemoryState) -> None:
    condition, yes, no = (m.get(value) for value in op.operands)
    if not isinstance(op.operands[0].type, t.IntegerType):
        return uninterpreted(m, op, state)
    if isinstance(yes, (Pointer, Choice)):
        claim_initialized(m, condition, state)
        m.set(op.results[0], pick(condition, yes, no))
        return None
    chosen = undecided if condition.poison and yes is no else choose
    m.set(op.results[0], chosen(condition, yes, no), op)
    return None


@semantics("arith.index_cast", "arith.index_castui", "index.casts", "index.castu")
def index_cast(m: Executor, op: Operation, state: MemoryState) -> None:
    x = m.get(op.operands[0])
    type = op.results[0].type
    if t.is_memref(type):
        m.give_up("the elements of a buffer as another type", op)
    if not _is_integer(type):
        return uninterpreted(m, op, state)
    signed = op.name in ("arith.index_cast", "index.casts")
    if x.op == "const" and (signed or (x.attr >= 0 and x.type is not t.I1)):
        # the only bit of an i1 is its sign bit
        m.set(op.results[0], number(-x.attr if x.type is t.I1 else x.attr, type), op)
        return None
    if x.op == "op" and x.attr[0] == op.name and x.args[0].type is type and type is t.I64:
        m.set(op.results[0], x.args[0], op)
        return None
    return uninterpreted(m, op, state)


@semantics(
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.floordivsi",
    "arith.ceildivsi",
    "arith.ceildivui",
    "index.divs",
    "index.divu",
    "index.rems",
    "index.remu",
    "index.floordivs",
    "index.ceildivs",
    "index.ceildivu",
    "tosa.intdiv",
    "llvm.sdiv",
    "llvm.udiv",
    "llvm.srem",
    "llvm.urem",
)
def divide(m: Executor, op: Operation, state: MemoryState) -> None:
    """Division by zero is undefined, so a division that the source does not execute is an obligation."""
    left, right = m.get(op.operands[0]), m.get(op.operands[1])
    if not m.transformed or not _is_safe_divisor(right):
        m.only_as_before(("divide", op.name, left, right), state.path, "the divisor is not zero", "division")
    return uninterpreted(m, op, state)


@semantics("math.ipowi")
def power(m: Executor, op: Operation, state: MemoryState) -> None:
    """Zero to a negative power divides by zero."""
    base, exponent = m.get(op.operands[0]), m.get(op.operands[1])
    is_safe = _is_constant(base, lambda x: x != 0) or _is_constant(exponent, lambda x: x >= 0)
    if not m.transformed or not is_safe:
        m.only_as_before(
            ("power", base, exponent), state.path, "the power is not a division by zero", "division"
        )
    return uninterpreted(m, op, state)


def _is_safe_divisor(term: Term) -> bool:
    """Whether the divisor is a constant other than 0 and -1."""
    return _is_constant(term, lambda value: value not in (0, -1))


def _is_constant(term: Term, good: Callable[[int], bool]) -> bool:
    """Whether a term is a constant, or many equal ones, with this property. The only bit of an i1 is its sign bit."""
    one = term.args[0] if term.op == "op" and term.attr == BROADCAST else term
    return one.op == "const" and isinstance(one.attr, int) and one.type is not t.I1 and good(one.attr)
