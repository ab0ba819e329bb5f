"""Terms: values and buffer contents as the computation that produced them.

Both programs are evaluated over one hash-consed table of terms, so identical computations are one object. The only
arithmetic known is that of rings: sums and products of integers have a normal form, booleans fold, and everything
else is an uninterpreted function of its operation, attributes and arguments.

A term for the contents of a tensor or buffer has a `shape`: a tuple of terms, one for each dimension, or None for
an unknown rank. Loop terms are closed: they bind the symbols of their level, and symbols are named by level, so
equal loops are equal terms.

Not promised: that different terms denote different values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..ir.types import types as t
from .poison import SHIFTS, may_be_poison

Shape = tuple["Term", ...]

MAX_MONOMIALS = 24
"""Products of sums with more monomials are not expanded; this is the same in both programs."""

MAX_TERMS_KEPT = 200_000
"""Above this number, terms are dropped between proofs; below, small programs share them."""


class Term:
    """A hash-consed term: equal terms are one object."""

    __slots__ = ("args", "attr", "id", "level", "op", "order", "poison", "shape", "type", "undefined")

    op: str
    attr: Any
    args: tuple[Term, ...]
    id: int
    order: int
    """Cached result of `place_of`; 0 before."""
    type: t.Type | None
    """The type of a scalar; None for contents."""
    shape: Shape | None
    """The shape of contents; None for scalars and unknown ranks."""
    level: int
    """An upper bound on the levels of the loops whose symbols are free in the term."""
    undefined: bool
    """Whether an uninitialized or unknowable value occurs in the term."""
    poison: bool
    """Whether a result that may be poison occurs in the term: poison must not be dropped from a computation."""

    def __repr__(self) -> str:
        return text_of(self, 4)


_table: dict[tuple[str, Any, tuple[Term, ...], Any, Any], Term] = {}
_known: list[dict[Any, Any]] = []
_count = 0


def clear() -> None:
    """Drop the terms if there are many. Only between proofs."""
    global _count
    if _count < MAX_TERMS_KEPT:
        return
    for known in _known:
        known.clear()
    kept = {key: term for key, term in _table.items() if term.id <= _permanent}
    _table.clear()
    _table.update(kept)
    _count = _permanent


def known_of_terms() -> dict[Any, Any]:
    """A cache for facts that depend on terms alone, shared by both programs; cleared together with the terms."""
    _known.append({})
    return _known[-1]


def make(
    op: str,
    attr: object = None,
    args: Sequence[Term] = (),
    *,
    type: t.Type | None = None,
    shape: Shape | None = None,
    level: int = 0,
    undefined: bool = False,
) -> Term:
    """The term with these parts. O(arguments)."""
    global _count
    args = tuple(args)
    poison = False
    key = (op, attr, args, type, shape)
    found = _table.get(key)
    if found is not None:
        assert level <= found.level or args or shape, "a symbol is named by its level"
        return found
    term = Term()
    term.op, term.attr, term.args, term.type, term.shape = op, attr, args, type, shape
    for arg in args:
        if arg.level > level:
            level = arg.level
        undefined = undefined or arg.undefined
        poison = poison or arg.poison
    for size in shape or ():
        if size.level > level:
            level = size.level
    term.level = level
    term.undefined = undefined
    term.poison = poison or (op == "op" and _is_poisoning(term))
    term.order = 0
    _count += 1
    term.id = _count
    _table[key] = term
    return term


def _is_poisoning(term: Term) -> bool:
    """Whether the result of an operation may be poison where no operand is. O(attributes)."""
    name, attributes = term.attr[0], term.attr[1]
    if name in SHIFTS and term.args[-1].op == "const":
        return not 0 <= term.args[-1].attr < getattr(term.args[0].type, "width", 32)
    pairs = attributes if isinstance(attributes, tuple) else ()
    return may_be_poison(name, (pair for pair in pairs if isinstance(pair, tuple)))


def text_of(term: Term, depth: int = 3) -> str:
    """A term as text, truncated at a depth."""
    if term.op == "const":
        return str(term.attr)
    if term.op == "lin":
        parts = [
            (f"{c}*" if c != 1 else "") + text_of(a, depth - 1)
            for c, a in zip(term.attr[1:], term.args, strict=True)
        ]
        return "(" + " + ".join(parts + ([str(term.attr[0])] if term.attr[0] else [])) + ")"
    name = term.op if term.attr is None else f"{term.op}<{_short(term.attr)}>"
    if not term.args:
        return name
    if depth <= 0:
        return f"{name}(..)"
    return f"{name}({', '.join(text_of(arg, depth - 1) for arg in term.args)})"


def _short(attr: object) -> str:
    shown = str(attr[0] if isinstance(attr, tuple) and attr else attr)
    return shown if len(shown) < 30 else shown[:27] + "..."


# -- integers


def _wrap(value: int, type: t.Type) -> int:
    return type.wrap(value) if isinstance(type, (t.IntegerType, t.IndexType)) else value


def number(value: int, type: t.Type = t.INDEX) -> Term:
    """An integer constant."""
    return make("const", _wrap(value, type), type=type)


ZERO, ONE = number(0), number(1)
TRUE, FALSE = number(1, t.I1), number(0, t.I1)


_permanent = _count
"""Terms up to this number are constants of this module and never dropped."""


def boolean(value: bool) -> Term:
    return number(int(value), t.I1)


def constant_of(term: Term) -> int | None:
    """The integer of a constant integer term, else None."""
    return term.attr if term.op == "const" and isinstance(term.attr, int) else None


def monomials(term: Term) -> tuple[int, dict[Term, int]]:
    """An integer term as a constant plus a linear combination of monomials."""
    if term.op == "const":
        return term.attr, {}
    if term.op == "lin":
        return term.attr[0], dict(zip(term.args, term.attr[1:], strict=True))
    return 0, {term: 1}


def linear(constant: int, parts: dict[Term, int], type: t.Type) -> Term:
    """The sum of a constant and a linear combination of terms. O(n log n)."""
    kept: list[tuple[Term, int]] = []
    for part, coefficient in parts.items():
        coefficient = _wrap(coefficient, type)
        if coefficient or part.poison or may_vary(part):
            kept.append((part, coefficient))
    constant = _wrap(constant, type)
    if not kept:
        return number(constant, type)
    if len(kept) == 1 and kept[0][1] == 1 and not constant:
        return kept[0][0]
    kept.sort(key=lambda pair: pair[0].id)
    return make("lin", (constant, *(c for _, c in kept)), [part for part, _ in kept], type=type)


def add(left: Term, right: Term) -> Term:
    return _combine(left, right, 1)


def sub(left: Term, right: Term) -> Term:
    return _combine(left, right, -1)


def _combine(left: Term, right: Term, factor: int) -> Term:
    type = left.type or t.INDEX
    c, parts = monomials(left)
    d, others = monomials(right)
    for part, coefficient in others.items():
        parts[part] = parts.get(part, 0) + factor * coefficient
    return linear(c + factor * d, parts, type)


def mul(left: Term, right: Term) -> Term:
    type = left.type or t.INDEX
    c, parts = monomials(left)
    d, others = monomials(right)
    if (len(parts) + 1) * (len(others) + 1) > MAX_MONOMIALS:
        return _product((left, right), type)
    sums: dict[Term, int] = {}
    for part, x in parts.items():
        sums[part] = sums.get(part, 0) + x * d
    for part, x in others.items():
        sums[part] = sums.get(part, 0) + x * c
    for part, x in parts.items():
        for other, y in others.items():
            joined = _product((*_factors(part), *_factors(other)), type)
            sums[joined] = sums.get(joined, 0) + x * y
    return linear(c * d, sums, type)


def _factors(term: Term) -> tuple[Term, ...]:
    return term.args if term.op == "prod" else (term,)


def _product(factors: tuple[Term, ...], type: t.Type) -> Term:
    return make("prod", None, sorted(factors, key=lambda term: term.id), type=type)


def total(terms: Iterable[Term]) -> Term:
    """The product of index terms: the number of elements of a shape."""
    result = ONE
    for term in terms:
        result = mul(result, term)
    return result


def extreme(kind: str, terms: Sequence[Term]) -> Term:
    """The minimum (`min`) or maximum (`max`) of index terms."""
    distinct = list(dict.fromkeys(terms))
    constants = [term.attr for term in distinct if term.op == "const"]
    others = [term for term in distinct if term.op != "const"]
    if constants:
        others.append(number(min(constants) if kind == "min" else max(constants)))
    if len(others) == 1:
        return others[0]
    return make(kind, None, sorted(others, key=lambda term: term.id), type=t.INDEX)


def is_uninitialized(root: Term) -> bool:
    """Whether uninitialized memory is read in a scalar: such a scalar may differ from itself at another use."""
    pending, seen = [root], {root}
    while pending:
        term = pending.pop()
        if term.op == "undef":
            return True
        pending += [arg for arg in term.args if arg.undefined and arg not in seen]
        seen.update(term.args)
    return False


def may_vary(term: Term) -> bool:
    """Whether a scalar may differ from itself at another use."""
    return term.undefined and is_uninitialized(term)


def divides(divisor: int, term: Term) -> bool:
    """Whether a sum is a multiple of a constant, by its coefficients."""
    constant, parts = monomials(term)
    return not constant % divisor and not any(n % divisor for n in parts.values())


def arguments_in(roots: Iterable[Term]) -> set[int] | None:
    """The arguments on whose values or contents terms or their sizes depend; None if this may be any. O(terms)."""
    found: set[int] = set()
    pending = [*roots]
    seen = set(pending)
    while pending:
        term = pending.pop()
        if term.op in ("junk", "clobber"):
            return None
        if term.op == "sym" and term.attr[0] == "argument":
            found.add(term.attr[1])
        more = [part for part in (*term.args, *(term.shape or ())) if part not in seen]
        pending += more
        seen.update(more)
    return found


# -- booleans


def negate(term: Term) -> Term:
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.op == "not":
        return term.args[0]
    return make("not", None, (term,), type=t.I1)


def both(left: Term, right: Term) -> Term:
    """Conjunction."""
    if left is TRUE or left is right:
        return right
    if right is TRUE:
        return left
    if (left is FALSE and not right.poison) or (right is FALSE and not left.poison):
        return FALSE
    if not any(term.poison or may_vary(term) for term in (left, right)):
        if negate(left) is right:
            return FALSE
        for one, other in ((left, right), (right, left)):
            if (absorbed := _absorbed(one, other)) is not None:
                return absorbed
    return make("and", None, sorted((left, right), key=lambda term: term.id), type=t.I1)


def _absorbed(left: Term, right: Term) -> Term | None:
    """The simplification of `a and (a and b)`, `a and not (a and b)` and `not (a and b) and not (a and not b)`;
    else None."""
    if right.op == "and" and left in right.args:
        return right
    if right.op == "and" and negate(left) in right.args:
        return FALSE
    if right.op == "not" and right.args[0].op == "and":
        parts = right.args[0].args
        if negate(left) in parts:
            return left
        if left in parts:
            return both(left, negate(parts[1] if parts[0] is left else parts[0]))
        if left.op == "not" and left.args[0].op == "and":
            others = left.args[0].args
            for a in parts:
                rest = parts[1] if parts[0] is a else parts[0]
                if a in others and negate(rest) in others:
                    return negate(a)
    return None


def either(left: Term, right: Term) -> Term:
    """Disjunction."""
    return negate(both(negate(left), negate(right)))


def choose(condition: Term, yes: Term, no: Term) -> Term:
    """`yes` if the condition holds, otherwise `no`, without factoring out common subterms."""
    if condition is TRUE or yes is no:
        return yes
    if condition is FALSE:
        return no
    if condition.op == "not":
        condition, yes, no = condition.args[0], no, yes
    if may_vary(condition):
        return undecided(condition, yes, no)
    yes, no = under(yes, condition, True), under(no, condition, False)
    if yes is no:
        return yes
    if (
        no.op == "sel"
        and no.args[1] is yes
        and not condition.poison
        and (joined := either(condition, no.args[0])) in condition.args
    ):
        return choose(joined, yes, no.args[2])
    if yes.type is t.I1 and not yes.poison and not no.poison:
        if yes is TRUE:
            return either(condition, no)
        if yes is FALSE:
            return both(negate(condition), no)
        if no is FALSE:
            return both(condition, yes)
        if no is TRUE:
            return either(negate(condition), yes)
    return undecided(condition, yes, no)


def undecided(condition: Term, yes: Term, no: Term) -> Term:
    """A choice, even between equal terms."""
    shape = yes.shape
    if shape is not None and no.shape is not None and len(shape) == len(no.shape):
        shape = tuple(choose(condition, a, b) for a, b in zip(shape, no.shape, strict=True))
    return make("sel", None, (condition, yes, no), type=yes.type, shape=shape)


def choices(term: Term) -> list[tuple[list[tuple[Term, bool]], Term]]:
    """The terms that a choice at the root is between, each with its conditions. O(choices)."""
    found: list[tuple[list[tuple[Term, bool]], Term]] = []
    pending: list[tuple[list[tuple[Term, bool]], Term]] = [([], term)]
    while pending:
        path, one = pending.pop()
        if one.op == "sel":
            condition, yes, no = one.args
            pending += [([*path, (condition, False)], no), ([*path, (condition, True)], yes)]
        else:
            found.append((path, one))
    return found


def under(term: Term, condition: Term, holds: bool) -> Term:
    """A term under a known condition, as far as the choices at its root are decided. O(choices at the root)."""
    while condition.op == "not":
        condition, holds = condition.args[0], not holds
    if may_vary(condition):
        return term
    if term is condition:
        return boolean(holds)
    if term.op == "not" and term.args[0] is condition:
        return boolean(not holds)
    while term.op == "sel":
        chosen, yes, no = term.args
        if chosen is condition:
            term = yes if holds else no
            continue
        simpler = _condition_under(chosen, condition, holds, MAX_NESTED)
        return term if simpler is chosen else choose(simpler, yes, no)
    return term


MAX_NESTED = 6
"""The depth to which conjunctions are searched for a known condition."""


def _condition_under(term: Term, condition: Term, holds: bool, depth: int) -> Term:
    """A condition under another, known one."""
    if term is condition:
        return boolean(holds)
    if not depth or not (term.op in ("not", "and") or (term.op == "sel" and term.type is t.I1)):
        return term
    parts = [_condition_under(part, condition, holds, depth - 1) for part in term.args]
    if all(new is old for new, old in zip(parts, term.args, strict=True)):
        return term
    if term.op == "sel":
        return choose(*parts)
    return negate(parts[0]) if term.op == "not" else both(*parts)


# -- substitution


def substitute(
    roots: Sequence[Term],
    symbols: dict[Term, Term],
    level: int,
    rebuild: Callable[[Term, list[Term], Shape | None], Term],
) -> list[Term]:
    """The terms with the symbols of a level substituted.

    Args:
        rebuild: makes a term like the first one from new arguments and a new shape, in normal form.
    """
    done: dict[Term, Term] = dict(symbols)
    stack: list[tuple[Term, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if term.level < level:
            done[term] = term
            continue
        parts = term.args if term.shape is None else (*term.args, *term.shape)
        if not ready:
            stack.append((term, True))
            stack.extend((part, False) for part in parts if part not in done)
            continue
        if all(done[part] is part for part in parts):
            done[term] = term
            continue
        shape = None if term.shape is None else tuple(done[size] for size in term.shape)
        done[term] = rebuild(term, [done[arg] for arg in term.args], shape)
    return [done[root] for root in roots]
