"""Folds of scalars, element by element on constants, and folds as data: textual rewrite rules.

    addi(subi(a, b), b) => a            # letters are values, the same letter the same value
    andi(x, zero=0) => zero             # numbers are constants; a name before `=` refers to the operand itself
    mului_extended(x, 1) => x, 0        # a number on the right is a new constant of the result's type
    maxsi(x, MIN) => x                  # MIN and MAX are the least and the greatest signed number of the width
    addi(addi(x, C), D) => addi(x, addi(C, D))      # for a pattern: capitals are constants, and so are terms over them
    cmpi:ne(x, 0) => x                  # a comparison by that predicate; of bits, whose comparison has the type of x

One rule per line, tried in order. A rule applies if each value on the right has the type of the result it replaces.
Numbers are modulo 2**width, and match splat vectors and tensors too. Tests prove each rule from the semantics of
the operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...dialects.arith import INTEGER_PREDICATES
from ...dialects.builtin import POISON
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.source.records import record
from ...ir.source.text import lazy_pattern
from ...ir.types import attributes as a, types as t
from ..scalars import Integer, on_constants
from . import Constants, Fold, Folded, constant_of, scalar_integer

# -- Elementwise constant folding over scalars, vectors and tensors.


INDEX_WIDTH: Final = 64
MAX_ELEMENTS: Final = 1 << 16
"""Dense constants with more distinct elements are not folded: that makes programs larger, not simpler."""

SHAPED = (t.VectorType, t.RankedTensorType)


def passing_poison(fold: Fold) -> Fold:
    """Wraps the fold of an operation whose results are poison if an operand is."""

    def folded(op: Operation, constants: Constants) -> Folded:
        return [POISON for _ in op.results] if POISON in constants else fold(op, constants)

    return folded


def width_of(type: t.Type) -> int | None:
    """The bit width of an integer type, or of the elements of a shaped type."""
    element = type.element if isinstance(type, SHAPED) else type
    if isinstance(element, t.IntegerType):
        return element.width
    return INDEX_WIDTH if element is t.INDEX else None


def constant_like(type: t.Type, number: int) -> a.Attribute | None:
    """The constant `number` of an integer type or, as a splat, of a static shaped integer type; else None."""
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return a.IntegerAttr(number, type)
    if (
        isinstance(type, SHAPED)
        and isinstance(type.element, (t.IntegerType, t.IndexType))
        and type.has_static_shape
    ):
        return a.DenseElementsAttr.from_values(type, [a.IntegerAttr(number, type.element).value])
    return None


def compute_integer(
    equation: Integer,
    type: t.Type,
    constants: Sequence[a.Attribute | None],
    operand_type: t.Type | None = None,
) -> a.Attribute | None:
    """The result of an elementwise operation on constants, as a constant of `type`; None if it is undefined for
    some element."""
    width = width_of(type if operand_type is None else operand_type)
    if width is None:
        return None
    if all(isinstance(known, a.IntegerAttr) for known in constants):
        number = on_constants(equation, [known.value for known in constants], width)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        return None if number is None else constant_like(type, number)
    dense = [known for known in constants if isinstance(known, a.DenseElementsAttr)]
    if len(dense) < len(constants) or not isinstance(type, SHAPED) or not type.has_static_shape:
        return None
    if not isinstance(type.element, (t.IntegerType, t.IndexType)):
        return None
    count = 1 if all(known.is_splat for known in dense) else dense[0].num_elements
    if count > MAX_ELEMENTS:
        return None
    numbers: list[int] = []
    for row in zip(*(_first(known, count) for known in dense), strict=True):
        number = on_constants(equation, [int(x) for x in row], width)
        if number is None:
            return None
        numbers.append(a.IntegerAttr(number, type.element).value)
    return a.DenseElementsAttr.from_values(type, numbers)


def choose_elements(constants: Sequence[a.Attribute | None]) -> a.Attribute | None:
    """The elementwise `select` of two constants by a constant condition."""
    condition, yes, no = constants
    assert isinstance(condition, a.DenseElementsAttr)
    assert isinstance(yes, a.DenseElementsAttr)
    assert isinstance(no, a.DenseElementsAttr)
    if yes.num_elements > MAX_ELEMENTS or yes.strings or no.strings:
        return None
    rows = zip(condition.values(), yes.values(), no.values(), strict=True)
    return a.DenseElementsAttr.from_values(yes.type, [x if c else y for c, x, y in rows])


def compute_float(
    function: Callable[[float, float], float | None], type: t.Type, constants: Sequence[a.Attribute | None]
) -> a.Attribute | None:
    """The result of an elementwise operation on two constant floats, or tensors or vectors of them, or None.

    Results are rounded once from double precision, which is correct for formats with at most half its precision,
    and for double precision itself. None for other formats where the result is not exact.
    """
    left, right = constants[0], constants[1]
    element = type.element if isinstance(type, SHAPED) else type
    if not isinstance(element, t.FloatType) or element.width > 64:
        return None
    try:
        if isinstance(left, a.FloatAttr) and isinstance(right, a.FloatAttr):
            number = function(left.value, right.value)
            return None if number is None else a.FloatAttr(_unsigned_nan(number), element)
        if (
            not isinstance(left, a.DenseElementsAttr)
            or not isinstance(right, a.DenseElementsAttr)
            or not isinstance(type, SHAPED)
            or not type.has_static_shape
        ):
            return None
        count = 1 if left.is_splat and right.is_splat else left.num_elements
        if count > MAX_ELEMENTS:
            return None
        numbers: list[float] = []
        for x, y in zip(_first(left, count), _first(right, count), strict=True):
            number = function(x, y)
            if number is None:
                return None
            numbers.append(_unsigned_nan(number))
        return a.DenseElementsAttr.from_values(type, numbers)
    except (OverflowError, ZeroDivisionError):
        return None


def _unsigned_nan(number: float) -> float:
    """A NaN without its sign, which depends on the machine."""
    return math.nan if math.isnan(number) else number


def _first(attribute: a.DenseElementsAttr, count: int) -> list[float]:
    """The first elements; a splat is decoded only once."""
    return [attribute.splat_value] * count if attribute.is_splat else attribute.values()[:count]


_TOKEN: Final = lazy_pattern(r"\s*(-?\d+|[\w.:]+|=>|[(),=])")


@record(frozen=True)
class RuleLetter:
    name: str

    @property
    def is_constant(self) -> bool:
        return self.name.isupper()


@record(frozen=True)
class RuleNumber:
    """A number; MIN and MAX depend on the width."""

    text: str

    def of(self, width: int) -> int:
        if self.text in ("MIN", "MAX"):
            return (1 << (width - 1)) - (self.text == "MAX")
        return int(self.text)


@record(frozen=True)
class RuleOperation:
    """A one-result operation or, at the root of the left-hand side, the operation to fold."""

    name: str
    operands: tuple[RuleTerm, ...]
    predicate: str = ""
    """Of a comparison."""

    def properties(self) -> dict[str, a.Attribute]:
        if not self.predicate:
            return {}
        return {"predicate": a.IntegerAttr(INTEGER_PREDICATES.index(self.predicate), t.I64)}

    def is_kind_of(self, op: Operation) -> bool:
        """Whether `op` is this operation, compared by the same predicate."""
        return op.name == self.name and (not self.predicate or predicate_of(op) == self.predicate)


def predicate_of(op: Operation) -> str:
    """The predicate of a comparison of integers."""
    return INTEGER_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]


@record(frozen=True)
class RuleName:
    """A term that the right-hand side refers to."""

    name: str
    term: RuleTerm


RuleTerm = RuleLetter | RuleNumber | RuleOperation | RuleName


@record(frozen=True)
class RewriteRule:
    left: RuleOperation
    right: tuple[RuleTerm, ...]
    text: str

    def match(self, op: Operation, constants: Constants) -> dict[str, Value] | None:
        """The bindings of the letters, for one of the `candidates`; None if the left-hand side does not match."""
        bound: dict[str, Value] = {}
        for use, constant, term in zip(op.op_operands, constants, self.left.operands, strict=True):
            if not _matches(term, use._value, constant, bound):
                return None
        return bound

    def apply(self, op: Operation, constants: Constants) -> Folded:
        """The fold results, if the right-hand side consists of values and constants."""
        bound = self.match(op, constants)
        if bound is None:
            return None
        found: list[Value | a.Attribute] = []
        for term, result in zip(self.right, op.results, strict=True):
            if isinstance(term, RuleLetter):
                value = bound[term.name]
                if value.type is not result.type:
                    return None
                found.append(value)
                continue
            assert isinstance(term, RuleNumber), self.text
            number = constant_like(result.type, term.of(width_of(result.type) or 0))
            if number is None:
                return None
            found.append(number)
        return found


def _matches(term: RuleTerm, value: Value, constant: a.Attribute | None, bound: dict[str, Value]) -> bool:
    if isinstance(term, RuleLetter):
        if term.is_constant and constant is None:
            return False
        return bound.setdefault(term.name, value) is value
    if isinstance(term, RuleNumber):
        number, width = scalar_integer(constant), width_of(value.type)
        return number is not None and width is not None and not (number - term.of(width)) % (1 << width)
    if isinstance(term, RuleName):
        bound[term.name] = value
        return _matches(term.term, value, constant, bound)
    op = value.defining_op
    if op is None or not term.is_kind_of(op):
        return False
    return all(
        _matches(inner, use._value, constant_of(use._value) if _asks(inner) else None, bound)
        for inner, use in zip(term.operands, op.op_operands, strict=True)
    )


def _asks(term: RuleTerm) -> bool:
    """Whether a term matches certain constants only."""
    if isinstance(term, RuleLetter):
        return term.is_constant
    return isinstance(term, RuleNumber) or (isinstance(term, RuleName) and _asks(term.term))


def rules_of(dialect: str, text: str) -> dict[str, tuple[RewriteRule, ...]]:
    """The rules of a text by root operation; names without a dialect belong to `dialect`."""
    found: dict[str, list[RewriteRule]] = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line:
            tokens = _TOKEN.findall(line)
            tokens.reverse()
            left = _term(tokens, dialect)
            assert isinstance(left, RuleOperation) and tokens.pop() == "=>", line
            right = tuple(_list(tokens, dialect))
            assert not tokens, line
            found.setdefault(left.name, []).append(RewriteRule(left, right, line))
    return {name: tuple(rules) for name, rules in found.items()}


def _list(tokens: list[str], dialect: str) -> Iterator[RuleTerm]:
    yield _term(tokens, dialect)
    while tokens and tokens[-1] == ",":
        tokens.pop()
        yield _term(tokens, dialect)


def _term(tokens: list[str], dialect: str) -> RuleTerm:
    word = tokens.pop()
    following = tokens[-1] if tokens else ""
    if following == "(":
        tokens.pop()
        operands = tuple(_list(tokens, dialect))
        assert tokens.pop() == ")", word
        name, _, predicate = word.partition(":")
        return RuleOperation(name if "." in name else f"{dialect}.{name}", operands, predicate)
    if following == "=":
        tokens.pop()
        return RuleName(word, _term(tokens, dialect))
    return RuleNumber(word) if word in ("MIN", "MAX") or word.lstrip("-").isdigit() else RuleLetter(word)


def nothing(op: Operation, constants: Constants) -> Folded:
    """The fold of operations that have rules only."""
    return None


CONSTANT = "constant"
"""What defines an operand in the key of `candidates`, if it is a constant."""


def candidates(rules: Sequence[RewriteRule]) -> Callable[[Operation, Constants], Sequence[RewriteRule]]:
    """A function from an operation and its constant operands to the rules that may match it: by what defines its operands, and by
    its predicate.

    O(operands), after the first time.
    """
    known: dict[tuple[str, ...], list[RewriteRule]] = {}
    compares = any(rule.left.predicate for rule in rules)

    def may_match(rule: RewriteRule, key: tuple[str, ...]) -> bool:
        inner = (
            term.name == made if isinstance(term, RuleOperation) else made == CONSTANT or not _asks(term)
            for term, made in zip(rule.left.operands, key[:-1], strict=True)
        )
        return rule.left.predicate in ("", key[-1]) and all(inner)

    def find(op: Operation, constants: Constants) -> Sequence[RewriteRule]:
        names = [
            (made.name if (made := use._value.defining_op) else "") if constant is None else CONSTANT
            for use, constant in zip(op.op_operands, constants, strict=True)
        ]
        names.append(predicate_of(op) if compares else "")
        key = tuple(names)
        found = known.get(key)
        if found is None:
            found = known[key] = [rule for rule in rules if may_match(rule, key)]
        return found

    return find


def fold_by(rules: Sequence[RewriteRule], otherwise: Fold) -> Fold:
    """A fold that tries the rules, then `otherwise`. O(rules)."""
    if not rules:
        return otherwise
    find = candidates(rules)

    def fold(op: Operation, constants: Constants) -> Folded:
        for rule in find(op, constants):
            if (found := rule.apply(op, constants)) is not None:
                return found
        return otherwise(op, constants)

    return fold
