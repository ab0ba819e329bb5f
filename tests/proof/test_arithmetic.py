"""Terms, their bounds, boxes and conditions against enumeration: what is claimed holds for all values of the symbols.

How often a claim that holds is also found is counted: a bound, a normal form or a case that is lost shows, too.
"""

import random
from functools import reduce
from itertools import product
from math import prod

import pytest
from bufferize import parse, prove
from bufferize.ir.types import types as t
from bufferize.proof import facts, ranges, refine, solvers, state, terms
from bufferize.proof.terms import boolean, make, number

INDICES: list[terms.Term] = []
FLAGS: list[terms.Term] = []
VALUES: dict[terms.Term, range] = {}


@pytest.fixture(autouse=True)
def fresh_terms(monkeypatch):
    """No terms of other tests: sums are ordered by age."""
    monkeypatch.setattr(terms, "MAX_TERMS_KEPT", 0)
    terms.clear()
    named_symbols()


def named_symbols():
    """New terms for the symbols of random ones."""
    symbols = {make("sym", (name,), type=t.INDEX): range(-2, 4) for name in "xy"}
    sizes = {make("size", (name,), type=t.INDEX): range(4) for name in "mn"}
    flags = {make("sym", (name,), type=t.I1): range(2) for name in "abc"}
    counters = {
        make("iv", (1, k), [number(b), number(e), number(s)], type=t.INDEX, level=1): range(b, e, s)
        for k, (b, e, s) in enumerate([(0, 6, 1), (1, 8, 3), (-3, 4, 2)])
    }
    VALUES.clear()
    VALUES.update(symbols | sizes | flags | counters)
    VALUES[make("slot", (1, 0), type=t.INDEX, level=1)] = range(4)
    INDICES[:], FLAGS[:] = [*symbols, *sizes, *sizes, *counters], list(flags)


COMPUTED = {
    "lin": lambda attr, *args: attr[0] + sum(n * a for n, a in zip(attr[1:], args, strict=True)),
    "prod": lambda attr, *args: prod(args),
    "min": lambda attr, *args: min(args),
    "max": lambda attr, *args: max(args),
    "floordiv": lambda attr, a, b: a // b,
    "ceildiv": lambda attr, a, b: -(-a // b),
    "mod": lambda attr, a, b: a % b,
    "not": lambda attr, a: 1 - a,
    "and": lambda attr, *args: min(args),
    "sel": lambda attr, c, a, b: a if c else b,
    "const": lambda attr: attr,
}


def value(term, known):
    """What a term is for values of its symbols."""
    if term in VALUES:
        return known.get(term, VALUES[term][0])  # a symbol that cancelled out
    return COMPUTED[term.op](term.attr, *(value(arg, known) for arg in term.args))


def assignments(roots):
    """All values of the symbols of terms."""
    found, pending = {}, list(roots)
    while pending:
        term = pending.pop()
        if term in VALUES:
            found[term] = VALUES[term]
        else:
            pending += term.args
    return [dict(zip(found, numbers, strict=True)) for numbers in product(*found.values())]


def index(choose, depth):
    """A random index term, and what it should be as a function of the symbols."""
    if not depth or choose.random() < 0.15:
        term = choose.choice([*INDICES, number(choose.randrange(-3, 7))])
        return term, lambda known: value(term, known)
    how = choose.choice(["add", "sub", "mul", "scale", "min", "max", "floordiv", "ceildiv", "mod"])
    (left, f), (right, g) = (index(choose, depth - 1) for _ in range(2))
    n = choose.randrange(1, 5)
    match how:
        case "add":
            return terms.add(left, right), lambda known: f(known) + g(known)
        case "sub":
            return terms.sub(left, right), lambda known: f(known) - g(known)
        case "mul":
            return terms.mul(left, right), lambda known: f(known) * g(known)
        case "scale":
            return terms.mul(number(-n), left), lambda known: -n * f(known)
        case "min":
            return terms.extreme("min", [left, right]), lambda known: min(f(known), g(known))
        case "max":
            return terms.extreme("max", [left, right]), lambda known: max(f(known), g(known))
    if left.op == "const":
        return left, f
    divided = make(how, None, (left, number(n)), type=t.INDEX)
    return divided, lambda known: COMPUTED[how](None, f(known), n)


def test_questions_to_a_solver():
    pytest.importorskip("islpy")
    choose, found = random.Random(6), [0, 0]
    solver = solvers.Solvers(["islpy"])
    for _ in range(150):
        term, expected = index(choose, 2)
        known = assignments([term])
        if len(known) > 700:
            continue
        lowest = min(expected(each) for each in known)
        claimed = solver.nonnegative(term, ())
        assert not claimed or lowest >= 0, term
        found = [found[0] + claimed, found[1] + (lowest >= 0)]
    assert found == [61, 66]


def test_layouts_that_map_two_elements_to_one_place():
    found = [0, 0]
    for strides, sizes in product(product(range(1, 5), repeat=2), product(range(1, 5), repeat=2)):
        layout = f"strided<[{strides[0]}, {strides[1]}]>"
        text = f"func.func private @f(memref<{sizes[0]}x{sizes[1]}xf32, {layout}>)"
        type = next(parse(text).regions[0].ops()).function_type.inputs[0]
        places = [i * strides[0] + j * strides[1] for i, j in product(*map(range, sizes))]
        shared = len(set(places)) < len(places)
        assert state.folds(type) or not shared, type
        found = [found[0] + state.folds(type), found[1] + shared]
    assert found == [90, 70]


def condition(choose, depth):
    """A random condition, and what it should be."""
    if not depth or choose.random() < 0.1:
        term = choose.choice([*FLAGS, *FLAGS, boolean(choose.random() < 0.5)])
        return term, lambda known: value(term, known)
    (a, f), (b, g), (c, h) = (condition(choose, depth - 1) for _ in range(3))
    match choose.choice(["not", "and", "and", "or", "choose"]):
        case "not":
            return terms.negate(a), lambda known: 1 - f(known)
        case "and":
            return terms.both(a, b), lambda known: min(f(known), g(known))
        case "or":
            return terms.either(a, b), lambda known: max(f(known), g(known))
    return terms.choose(a, b, c), lambda known: g(known) if f(known) else h(known)


def test_bounds_of_index_terms():
    choose, found, holds, bounded = random.Random(1), 0, 0, 0
    for _ in range(600):
        term, expected = index(choose, 2)
        known = assignments([term])
        if len(known) > 700:
            continue
        numbers = [value(term, each) for each in known]
        assert numbers == [expected(each) for each in known], term
        low, high = ranges.interval(term)
        assert low is None or low <= min(numbers), term
        assert high is None or high >= max(numbers), term
        bounded += (low == min(numbers)) + (high == max(numbers))
        claimed = ranges.nonnegative(term)
        assert not claimed or min(numbers) >= 0, term
        assert not ranges.is_never_negative(term) or min(numbers) >= 0, term
        found, holds = found + claimed, holds + (min(numbers) >= 0)
    assert (found, holds, bounded) == (298, 318, 605)


def test_conditions():
    choose = random.Random(2)
    every = [dict(zip(FLAGS, bits, strict=True)) for bits in product(range(2), repeat=len(FLAGS))]
    decided, sizes = 0, 0
    for _ in range(400):
        (one, f), (other, g), (third, h) = (condition(choose, 3) for _ in range(3))
        for term, expected in ((one, f), (other, g), (third, h)):
            assert all(value(term, known) == expected(known) for known in every), term
        sizes += len(terms.text_of(one, 9))
        for known in every:
            assert value(terms.under(one, other, True), known) == f(known) or not g(known)
            assert value(terms.under(one, other, False), known) == f(known) or g(known)
        path = [(other, True), (third, False)]
        true = all(f(known) or not (g(known) and not h(known)) for known in every)
        assert facts.implied(path, one) == true
        decided += true
        chosen = dict.fromkeys([FLAGS[0]], True)
        rest = facts.assign(one, chosen)
        assert all(value(rest, known) == f(known) for known in every if known[FLAGS[0]])
    assert (decided, sizes) == (216, 15250)


def test_choices_of_the_same_are_one():
    """Under `a and b`, and under `a` without `b`, means under `a`; other choices stay."""
    choose, count = random.Random(12), 0
    every = [dict(zip(FLAGS, bits, strict=True)) for bits in product(range(2), repeat=len(FLAGS))]
    leaves = [number(n) for n in range(3)]
    for _ in range(300):
        conditions, values = [condition(choose, 2) for _ in range(3)], choose.choices(leaves, k=4)
        term = values[3]
        for (decides, _), leaf in zip(conditions, values, strict=False):
            term = terms.choose(decides, leaf, term)
        cases = terms.choices(term)
        count += len(cases)
        for known in every:
            expected = values[3]
            for (_, holds), leaf in zip(conditions, values, strict=False):
                expected = leaf if holds(known) else expected
            assert value(term, known) == expected.attr, term
            reached = [leaf for path, leaf in cases if all(value(c, known) == holds for c, holds in path)]
            assert reached == [expected], term
    assert count == 811
    a, b, c = FLAGS
    one, other = leaves[:2]
    both, without = terms.both(a, b), terms.both(a, terms.negate(b))
    assert terms.choose(both, one, terms.choose(without, one, other)) is terms.choose(a, one, other)
    assert terms.choose(both, one, terms.choose(c, one, other)).args[0] is both
    assert terms.choose(both, other, terms.choose(without, one, other)).args[0] is both


def elements(box):
    """The indices in a box of numbers."""
    return set(product(*([o + k * d for k in range(s)] for o, s, d in zip(*box, strict=True))))


def in_terms(box):
    return tuple(tuple(map(number, column)) for column in box)


def in_numbers(box):
    return tuple(tuple(term.attr for term in column) for column in box)


def boxes(choose, rank, plain=0.6):
    steps = [1 if choose.random() < plain else choose.randrange(1, 4) for _ in range(rank)]
    return [choose.randrange(5) for _ in range(rank)], [choose.randrange(1, 4) for _ in range(rank)], steps


def test_boxes():
    choose, claims = random.Random(3), [0] * 5
    for _ in range(700):
        rank = choose.choice((1, 1, 2))
        one, other = boxes(choose, rank), boxes(choose, rank)
        left, right = in_terms(one), in_terms(other)
        if ranges.disjoint(left, right):
            assert not elements(one) & elements(other)
            claims[0] += 1
        if ranges.inside(left, right):
            assert elements(one) <= elements(other)
            claims[1] += 1
        nested = in_numbers(ranges.composed(left, right))
        origins = [[o + k * d for k in range(99)] for o, d in zip(one[0], one[2], strict=True)]
        assert elements(nested) == {
            tuple(line[k] for line, k in zip(origins, at, strict=True)) for at in elements(other)
        }
        related = ranges.relative(left, right)
        if related is not None:
            assert ranges.composed(right, related) == left
            claims[2] += 1
        shape = tuple(choose.randrange(1, 6) for _ in range(rank))
        fit = (
            [0] * rank if choose.random() < 0.7 else one[0],
            shape if choose.random() < 0.7 else one[1],
            one[2],
        )
        everything = set(product(*map(range, shape)))
        if ranges.whole(in_terms(fit), tuple(map(number, shape))):
            assert elements(fit) == everything
            claims[3] += 1
        claims[4] += ranges.whole(in_terms(([0] * rank, shape, [1] * rank)), tuple(map(number, shape)))
    assert claims == [394, 66, 487, 300, 700]


def test_cutting_into_cells():
    choose, cut, covered = random.Random(4), 0, 0
    for _ in range(300):
        rank = choose.choice((1, 1, 2))
        shape = [choose.randrange(1, 7) for _ in range(rank)]
        inner = []
        for _ in range(choose.randrange(1, 4)):
            steps = [choose.choice((1, 1, 2, 3)) for _ in shape]
            starts = [choose.randrange(n) for n in shape]
            sizes = [
                choose.randrange(1, 1 + -(-(n - o) // d))
                for n, o, d in zip(shape, starts, steps, strict=True)
            ]
            inner.append((starts, sizes, steps))
        whole, limits = set(product(*map(range, shape))), tuple(map(number, shape))
        cells = ranges.grid([in_terms(box) for box in inner], limits)
        covers = ranges.cover([in_terms(box) for box in inner], limits)
        assert not covers or set().union(*map(elements, inner)) == whole
        covered += covers
        if cells is None:
            continue
        cut += len(cells)
        assert sum(len(elements(in_numbers(cell))) for cell, _ in cells) == len(whole)
        for cell, around in cells:
            for k, box in enumerate(inner):
                here = elements(in_numbers(cell))
                assert here <= elements(box) if k in around else not here & elements(box)
    assert (cut, covered) == (1365, 74)


def test_a_range_seen_through_a_stepping_index():
    found = 0
    for o, s, d, begin, count, step in product(
        range(4), range(1, 4), (1, 2), range(-2, 4), range(1, 5), (1, 2, 3)
    ):
        place = refine._as_places(*map(number, (o, s, d, begin, count, step)))
        inside = {i for i in range(count) if begin + i * step in range(o, o + s * d, d)}
        if place is None:
            continue
        found += 1
        first, size, stride = (part.attr for part in place)
        assert {i for i in range(first, first + size * stride, stride) if 0 <= i < count} == inside
    assert found == 652


def counting(first, end, step):
    ends = [each if isinstance(each, terms.Term) else number(each) for each in (first, end, step)]
    return make("iv", (1, 9), ends, type=t.INDEX, level=1)


def of(how, *args):
    return make(
        how, None, [each if isinstance(each, terms.Term) else number(each) for each in args], type=t.INDEX
    )


def symbol(name, how="sym"):
    return make(how, (name,), type=t.INDEX)


@pytest.mark.parametrize(
    ("term", "bounds"),
    [
        (lambda x, m: counting(0, 6, 1), (0, 5)),
        (lambda x, m: counting(1, 8, 3), (1, 7)),
        (lambda x, m: counting(5, 2, 1), (5, 5)),
        (lambda x, m: counting(0, m, 1), (0, None)),
        (lambda x, m: counting(x, 6, 1), (None, 5)),
        (lambda x, m: counting(1, of("min", m, 7), 3), (1, 6)),
        (lambda x, m: counting(of("min", m, 1), 7, 3), (0, 6)),
        (lambda x, m: counting(0, 6, x), (None, None)),
        (lambda x, m: counting(0, 6, 0), (None, None)),
        (lambda x, m: counting(6, 0, -1), (None, None)),
        (lambda x, m: counting(0, 6, of("min", m, 2)), (None, None)),
        (lambda x, m: of("mod", x, 4), (0, 3)),
        (lambda x, m: of("mod", counting(0, 3, 1), 4), (0, 2)),
        (lambda x, m: of("mod", counting(0, 5, 1), 4), (0, 3)),
        (lambda x, m: of("mod", x, m), (None, None)),
        (lambda x, m: of("floordiv", counting(3, 9, 1), 2), (1, 4)),
        (lambda x, m: of("ceildiv", counting(3, 9, 1), 2), (2, 4)),
        (lambda x, m: of("floordiv", counting(3, 9, 1), -2), (None, None)),
        (lambda x, m: of("floordiv", counting(3, 9, 1), 0), (None, None)),
        (lambda x, m: of("min", m, 4), (0, 4)),
        (lambda x, m: of("min", x, 4), (None, 4)),
        (lambda x, m: of("max", x, 4), (4, None)),
        (lambda x, m: terms.sub(number(9), counting(0, 6, 1)), (4, 9)),
    ],
)
def test_an_interval_has_the_ends_that_are_known(term, bounds):
    assert ranges.interval(term(symbol("x"), symbol("m", "size"))) == bounds


def test_how_a_shape_is_cut_where_not_all_is_known():
    x, m = symbol("x"), symbol("m", "size")

    def row(offset, size, stride=1):
        parts = [(each if isinstance(each, terms.Term) else number(each),) for each in (offset, size, stride)]
        return tuple(parts)

    halves = [row(0, m), row(m, m)]
    assert ranges.cover(halves, (terms.add(m, m),))
    assert not ranges.cover(halves[:1], (terms.add(m, m),))
    assert not ranges.cover(
        [row(0, m), row(terms.add(m, number(1)), m)], (terms.add(terms.add(m, m), number(1)),)
    )
    assert ranges.cover([row(0, m)] * 12, (m,)), "as many as are looked at"
    assert not ranges.cover([row(0, m)] * 13, (m,)), "more than are looked at"
    assert ranges.grid([row(0, 2, x)], (number(8),)) is None, "a stride that is not known"
    assert ranges.grid([row(0, 2, -1)], (number(8),)) is None, "a stride that goes down"
    assert ranges.grid([row(x, 1)], (number(8),)) is None, "a place that is not known"
    assert ranges.grid([row(m, 2, 2)], (terms.add(m, number(8)),)) is None, (
        "strides from a place that is not known"
    )
    cells = ranges.grid([row(2, 0), row(4, 2)], (number(8),))
    assert cells is not None
    pieces = [(in_numbers(cell), sorted(there)) for cell, there in cells]
    assert pieces == [(((at,), (2,), (1,)), [1] if at == 4 else []) for at in (0, 2, 4, 6)]


@pytest.mark.parametrize(
    ("left", "right", "op"), [(3, 5, "lin"), (5, 3, "lin"), (4, 4, "prod"), (5, 5, "prod")]
)
def test_products_of_long_sums_are_not_expanded(left, right, op):
    one = reduce(terms.add, [symbol(f"l{i}") for i in range(left)])
    other = reduce(terms.add, [symbol(f"r{i}") for i in range(right)])
    assert terms.mul(one, other).op == op


def test_a_choice_that_decides_another():
    a, b = FLAGS[:2]
    inner = make("sel", None, (a, b, terms.negate(b)), type=t.I1)
    outer = terms.choose(inner, number(1), number(2))
    assert terms.under(outer, a, True) is terms.choose(b, number(1), number(2))
    assert terms.under(outer, a, False) is terms.choose(b, number(2), number(1))
    assert terms.under(outer, FLAGS[2], True) is outer
    assert terms.text_of(outer, 0) == "sel(..)"


ARITHMETIC = {"addi": int.__add__, "subi": int.__sub__, "muli": int.__mul__}


@pytest.mark.parametrize("name", ARITHMETIC)
@pytest.mark.parametrize("word", ["nsw", "nuw"])
def test_a_promise_about_constants_is_proved_if_it_holds(name, word):
    choose = random.Random(5)
    cases = [
        (0, 0),
        (127, 0),
        (127, 1),
        (-128, 0),
        (-128, 1),
        (-1, -1),
        (0, 1),
        (16, 8),
        (16, 16),
        (-128, -1),
    ]
    cases += [(choose.randrange(-128, 128), choose.randrange(-128, 128)) for _ in range(25)]
    holds = []
    for a, b in cases:
        if word == "nuw":
            good = 0 <= ARITHMETIC[name](a % 256, b % 256) < 256
        else:
            good = -128 <= ARITHMETIC[name](a, b) < 128
        text = f"""func.func @f() -> i8 {{
          %a = arith.constant {a} : i8
          %b = arith.constant {b} : i8
          %c = arith.{name} %a, %b PROMISE : i8
          return %c : i8
        }}"""
        after = parse(text.replace("PROMISE", f"overflow<{word}>"))
        assert prove(parse(text.replace("PROMISE", "")), after).proved == good, (a, b)
        holds.append(good)
    assert 3 < sum(holds) < len(cases)
