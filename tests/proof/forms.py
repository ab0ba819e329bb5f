"""Normal forms of random terms, word for word: what sums, boxes, conditions, contents, bodies and operations on numbers become.

`test_arithmetic.py` and `test_contents.py` show that such forms are right; `forms.txt` shows that they stay what they are, so that
one that gets simpler or less so shows, too. After an intended change, `python -m tests.proof.forms` writes the file anew; read the
difference.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from bufferize.ir.types import attributes as a, types as t
from bufferize.proof import (
    commutation,
    contents,
    elementwise,
    facts,
    ranges,
    refine,
    semantics_scalars as scalars,
    terms,
)
from bufferize.proof.terms import Term, make, number

from .answers import clear_texts, term_text as text


def _index(name: str, how: str = "sym") -> Term:
    return make(how, (name,), type=t.INDEX)


def _counter(k: int, first: Term, end: Term, step: Term) -> Term:
    return make("iv", (1, k), (first, end, step), type=t.INDEX, level=1)


class _Symbols:
    """Indices, flags and contents with names."""

    def __init__(self) -> None:
        n = number
        self.x, self.y, self.m, self.n = _index("x"), _index("y"), _index("m", "size"), _index("n", "size")
        bounds = [(n(0), n(6), n(1)), (n(1), n(8), n(3)), (n(-3), n(4), n(2)), (n(0), self.m, n(1))]
        bounds += [(self.x, self.n, n(2)), (n(6), n(0), n(-1)), (n(0), self.m, self.y), (n(7), n(2), n(3))]
        self.counters = [_counter(k, *each) for k, each in enumerate(bounds)]
        self.flags = [make("sym", (name,), type=t.I1) for name in "abc"]

    def index(self, choose: random.Random, depth: int) -> Term:
        if not depth or choose.random() < 0.2:
            symbols = [self.x, self.y, self.m, self.n, *self.counters]
            return number(choose.randrange(-3, 7)) if choose.random() < 0.3 else choose.choice(symbols)
        left, right = self.index(choose, depth - 1), self.index(choose, depth - 1)
        match choose.choice(
            ["add", "sub", "mul", "scale", "min", "max", "floordiv", "ceildiv", "mod", "unsigned"]
        ):
            case "add":
                return terms.add(left, right)
            case "sub":
                return terms.sub(left, right)
            case "mul":
                return terms.mul(left, right)
            case "scale":
                return terms.mul(number(choose.randrange(-4, 5)), left)
            case "unsigned":
                name = choose.choice(
                    ["arith.maxui", "arith.divui", "arith.remui", "index.divu", "index.remu"]
                )
                return make("op", (name, ()), (left, number(choose.randrange(1, 5))), type=t.INDEX)
            case "min" | "max" as how:
                return scalars._extreme(how, [left, right])
            case how:
                return make(how, None, (left, number(choose.randrange(0, 5))), type=t.INDEX)

    def condition(self, choose: random.Random, depth: int) -> Term:
        if not depth or choose.random() < 0.15:
            return choose.choice(self.flags)
        one, other, third = (self.condition(choose, depth - 1) for _ in range(3))
        match choose.choice(["not", "and", "or", "choose", "compare"]):
            case "not":
                return terms.negate(one)
            case "and":
                return terms.both(one, other)
            case "or":
                return terms.either(one, other)
            case "choose":
                return terms.choose(one, other, third)
        left, right = self.index(choose, 1), self.index(choose, 1)
        return scalars.compared(choose.choice(PREDICATES), left, right)

    def box(self, choose: random.Random, rank: int) -> ranges.Box:
        def some(least: int, most: int, symbolic: float) -> Term:
            if choose.random() < symbolic:
                return terms.add(
                    choose.choice([self.x, self.m, self.n, *self.counters[:4]]),
                    number(choose.randrange(-1, 3)),
                )
            return number(choose.randrange(least, most))

        return (
            tuple(some(0, 5, 0.3) for _ in range(rank)),
            tuple(
                choose.choice([self.m, self.n]) if choose.random() < 0.2 else some(1, 5, 0)
                for _ in range(rank)
            ),
            tuple(some(1, 4, 0.05) if choose.random() < 0.3 else terms.ONE for _ in range(rank)),
        )


PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _sums() -> Iterator[str]:
    choose, symbols = random.Random(11), _Symbols()
    for _ in range(110):
        term = symbols.index(choose, 3)
        low, high = ranges.interval(term)
        bounds = [[text(each) for each in ranges._bounds(term, upper)] for upper in (False, True)]
        said = f"{text(term)} in {low}..{high}; {' '.join(bounds[0])} <= it <= {' '.join(bounds[1])}"
        signs = [
            ranges.is_never_negative(term),
            ranges.nonnegative(term),
            ranges.nonnegative(term, {symbols.x}),
        ]
        yield f"{said}; {_bits(signs)}"
        other = symbols.index(choose, 2)
        answers = [scalars.compared(predicate, term, other) for predicate in PREDICATES]
        known = "".join("1" if one is terms.TRUE else "0" if one is terms.FALSE else "?" for one in answers)
        yield f"  with {text(other)}: {known} {text(answers[3])}"


def _bits(answers: list[bool]) -> str:
    return "".join(str(int(each)) for each in answers)


def _boxes() -> Iterator[str]:
    choose, symbols = random.Random(12), _Symbols()
    for _ in range(140):
        rank = choose.choice((1, 1, 2))
        left, right = symbols.box(choose, rank), symbols.box(choose, rank)
        if choose.random() < 0.3:
            right = (left[0], *right[1:]) if choose.random() < 0.5 else (right[0], *left[1:])
        shape = tuple(choose.choice([symbols.m, number(choose.randrange(2, 7))]) for _ in range(rank))
        tests = [ranges.disjoint(left, right), ranges.inside(left, right), ranges.inside(right, left)]
        tests += [ranges.whole(left, shape), ranges.cover([left, right], shape), ranges.cover([left], shape)]
        yield f"{_box(left)} and {_box(right)} of {_shape(shape)}: {_bits(tests)}"
        made = [ranges.composed(left, right), ranges.canonical(left), ranges.common(left, right)]
        yield f"  {' '.join(map(_box, [*made, ranges.relative(left, right)]))}"
        cells = ranges.grid([left, right], shape)
        if cells is not None:
            yield "  " + " ".join(f"{_box(cell)}{sorted(inside)}" for cell, inside in cells)
        o, s, d = (each[0] for each in left)
        places = refine._as_places(o, s, d, *(each[0] for each in right))
        yield f"  {' '.join(map(text, places)) if places is not None else None}"


def _box(box: ranges.Box | None) -> str:
    if box is None:
        return "None"
    return "[" + ", ".join(f"{text(o)}:{text(s)}:{text(d)}" for o, s, d in zip(*box, strict=True)) + "]"


def _shape(shape: tuple[Term, ...]) -> str:
    return "x".join(map(text, shape))


def _conditions() -> Iterator[str]:
    choose, symbols = random.Random(13), _Symbols()
    for _ in range(120):
        one, other, third = (symbols.condition(choose, 3) for _ in range(3))
        made = [terms.both(one, other), terms.either(one, third), terms.choose(one, other, third)]
        made += [terms.under(one, other, True), terms.under(one, other, False)]
        yield f"{text(one)}; {text(other)}: {' '.join(map(text, made))}"
        yield f"  {int(facts.implied([(one, True), (other, False)], third))}"


def _contents() -> Iterator[str]:
    from .test_contents import chosen_box, some_contents

    choose = random.Random(14)
    for _ in range(160):
        rank = choose.choice((1, 2))
        shape = choose.choice({1: [(6,), (4,)], 2: [(2, 3), (3, 2), (4, 1)]}[rank])
        x, _ = some_contents(choose, shape, 3)
        y, _ = some_contents(choose, shape, 2)
        yield f"{text(x)}"
        part = tuple(choose.randrange(1, n + 1) for n in shape)
        box, _ = chosen_box(choose, part, shape)
        slice_ = contents.ext(y, box)
        made = [contents.ins(x, slice_, box), contents.ext(x, box)]
        made += [contents.transposed(x, order) for order in ([(1, 0)] if rank == 2 else [])]
        indices = [choose.choice([terms.ZERO, terms.ONE, _index("k", "size")]) for _ in shape]
        value = contents.element(x, indices, t.F32)
        made += [value, contents.with_element(y, value, indices)]
        yield f"  {_box(box)} {_shape(tuple(indices))}: {' '.join(map(text, made))}"


def _bodies() -> Iterator[str]:
    from .test_contents import chosen_box, some_contents

    choose = random.Random(15)

    def body(shape: tuple[int, ...], depth: int) -> Term:
        if not depth or choose.random() < 0.2:
            dims = choose.sample(range(len(shape)), len(shape))
            x, _ = some_contents(choose, tuple(shape[d] for d in dims), 1)
            dims = [None if choose.random() < 0.05 and shape[d] == 1 else d for d in dims]
            return elementwise.at(x, tuple(dims), t.F32)
        if choose.random() < 0.2:
            coordinate = elementwise.coord(choose.randrange(len(shape)))
            return make("op", ("arith.sitofp", ()), (coordinate,), type=t.F32)
        name = choose.choice(["arith.addf", "arith.mulf"])
        args = commutation.in_order([body(shape, depth - 1), body(shape, depth - 1)])
        return make("op", (name, (), "commutes"), args, type=t.F32)

    for _ in range(110):
        shape = choose.choice([(6,), (4,), (2, 3), (3, 2), (4, 1), (1, 4)])
        sizes = tuple(map(number, shape))
        x = elementwise.map_(body(shape, 2), sizes)
        yield text(x)
        part = tuple(choose.randrange(1, n + 1) for n in shape)
        box, _ = chosen_box(choose, part, shape)
        made = [contents.ext(x, box)]
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        others = [(count,), (count, 1), (2, count // 2), (count // 2, 2), (1, count)]
        made += [contents.reshape(x, tuple(map(number, each))) for each in others]
        yield f"  {_box(box)}: {' '.join(map(text, made))}"
        places = [
            choose.choice([terms.ZERO, elementwise.coord(k), _index("k", "size")]) for k in range(len(shape))
        ]
        merged = elementwise.merged(sizes, tuple(map(number, choose.choice(others))))
        yield f"  {text(elementwise.pick(x, places, t.F32))} {merged and [list(map(text, each)) for each in merged]}"


def _numbers() -> Iterator[str]:
    names = ["addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi", "shli", "shrsi",
             "shrui", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"]  # fmt: skip
    for name, type in product(names, (t.IntegerType(4), t.INDEX)):
        found = []
        for left, right in product((-8, -3, 0, 1, 5), (-2, 0, 1, 3)):
            made = scalars.folded(f"arith.{name}", [number(left, type), number(right, type)], type)
            found.append("-" if made is None else text(made))
        yield f"{name} {type}: {' '.join(found)}"
    floats = [a.FloatAttr(value, t.F32) for value in (0.0, 1.5, -2.0, 1e30, 3e38)]
    for name in ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf"):
        found = []
        for left, right in product(floats, repeat=2):
            args = [make("const", each, type=t.F32) for each in (left, right)]
            made = scalars.folded(name, args, t.F32)
            found.append("-" if made is None else text(made))
        yield f"{name}: {' '.join(found)}"
    symbols = _Symbols()
    choose = random.Random(16)
    for name, type in product(sorted(scalars.CASTS), (t.IntegerType(3), t.IntegerType(32), t.INDEX)):
        found = []
        for counter in [*symbols.counters, number(3), number(-5), symbols.x]:
            term = terms.add(
                terms.mul(number(choose.choice([1, 1, 2, -1])), counter), number(choose.choice([0, 0, 1, -4]))
            )
            made = scalars.folded(name, [term], type)
            found.append("-" if made is None else text(made))
        yield f"{name} to {type}: {' '.join(found)}"


PARTS = {
    "sums": _sums,
    "boxes": _boxes,
    "conditions": _conditions,
    "contents": _contents,
    "bodies": _bodies,
    "numbers": _numbers,
}


def forms(part: str) -> list[str]:
    """The lines of one part, computed from no other terms."""
    kept, terms.MAX_TERMS_KEPT = terms.MAX_TERMS_KEPT, 0
    try:
        terms.clear()
        clear_texts()
        if part in ("contents", "bodies"):
            from .test_arithmetic import named_symbols

            named_symbols()
        return [line.rstrip() for line in PARTS[part]()]
    finally:
        terms.MAX_TERMS_KEPT = kept


FILE = Path(__file__).parent / "forms.txt"
FORMS: dict[str, list[str]] = {}
"""The sections of the file."""
for _section in FILE.read_text("utf-8").split("== ")[1:] if FILE.exists() else ():
    _name, *_lines = _section.splitlines()
    FORMS[_name] = _lines


if __name__ == "__main__":
    FILE.write_text("".join("\n".join([f"== {part}", *forms(part), ""]) for part in PARTS), "utf-8")
