"""Terms, their bounds, boxes and conditions against enumeration: what is claimed holds for all values of the symbols.

How often a claim that holds is also found is counted: a bound, a normal form or a case that is lost shows, too.
"""

import random
from itertools import product
from math import prod

import pytest
from bufferize import parse, prove
from bufferize.ir.types import types as t
from bufferize.proof import checker, contents, facts, ranges, refine, solvers, state, terms
from bufferize.proof.terms import boolean, make, number

INDICES: list[terms.Term] = []
FLAGS: list[terms.Term] = []
VALUES: dict[terms.Term, range] = {}


@pytest.fixture(autouse=True)
def fresh_terms(monkeypatch):
    """No terms of other tests: sums are ordered by age."""
    monkeypatch.setattr(terms, "MAX_TERMS_KEPT", 0)
    terms.clear()
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


# -- contents: what is inserted, sliced, reshaped and chosen, element by element

SHAPES = {1: [(6,), (4,), (1,)], 2: [(2, 3), (3, 2), (4, 1)]}
OFFSETS = 4


def symbols_of_offsets():
    """A size, and a number that a loop carries."""
    return make("size", ("m",), type=t.INDEX), make("slot", (1, 0), type=t.INDEX, level=1)


UNKNOWN = "?"
"""An element that was never written: whatever is there instead is right."""


def sizes_of(shape):
    return tuple(map(number, shape))


def given(name, shape):
    """Contents that are told apart by name, and their elements."""
    return make("given", name, (), shape=sizes_of(shape)), lambda known: {
        at: (name, at) for at in product(*map(range, shape))
    }


def chosen_box(choose, sizes, around):
    """A random box of given sizes in a shape, one of whose offsets may be a symbol; the box in terms and for given values."""
    steps = [choose.choice((1, 1, 2)) for _ in sizes]
    steps = [
        d if (s - 1) * d < n else 1 if s <= n else 0 for s, d, n in zip(sizes, steps, around, strict=True)
    ]
    room = [n - (s - 1) * d - 1 for s, d, n in zip(sizes, steps, around, strict=True)]
    offsets = [number(choose.randrange(r + 1)) for r in room]
    k = choose.randrange(len(sizes))
    if room[k] >= OFFSETS - 1 and choose.random() < 0.5:
        offsets[k] = terms.add(choose.choice(symbols_of_offsets()), number(room[k] - OFFSETS + 1))
    box = tuple(offsets), sizes_of(sizes), sizes_of(steps)
    return box, lambda known: (
        [value(o, known) for o in offsets],
        list(sizes),
        steps,
    )


def at_box(box, index):
    return tuple(o + k * d for o, k, d in zip(box[0], index, box[2], strict=True))


def some_contents(choose, shape, depth):
    """Random contents of a shape: a term, and its elements for values of the symbols."""
    how = choose.random()
    if not depth or how < 0.1:
        if choose.random() < 0.6:
            return given(choose.choice("pq"), shape)
        if choose.random() < 0.5:
            return contents.undef(sizes_of(shape), "u"), lambda known: dict.fromkeys(
                product(*map(range, shape)), UNKNOWN
            )
        name = choose.choice("kl")
        filled = contents.fill(make("scalar", name, (), type=t.F32), sizes_of(shape))
        return filled, lambda known: dict.fromkeys(product(*map(range, shape)), name)
    if how < 0.55:
        x, f = some_contents(choose, shape, depth - 1)
        part = tuple(choose.randrange(1, n + 1) for n in shape)
        y, g = some_contents(choose, part, depth - 1)
        box, where = chosen_box(choose, part, shape)

        def written(known):
            place = where(known)
            return f(known) | {at_box(place, at): each for at, each in g(known).items()}

        return contents.ins(x, y, box), written
    if how < 0.75:
        around = tuple(n + choose.randrange(OFFSETS) for n in shape)
        x, f = some_contents(choose, around, depth - 1)
        box, where = chosen_box(choose, shape, around)

        def sliced(known):
            whole, place = f(known), where(known)
            return {at: whole[at_box(place, at)] for at in product(*map(range, shape))}

        return contents.ext(x, box), sliced
    if how < 0.85:
        flag = choose.choice(FLAGS)
        (x, f), (y, g) = some_contents(choose, shape, depth - 1), some_contents(choose, shape, depth - 1)
        return contents.joined(flag, x, y), lambda known: f(known) if known[flag] else g(known)
    other = choose.choice([s for rank in SHAPES.values() for s in rank if prod(s) == prod(shape)] or [shape])
    x, f = some_contents(choose, other, depth - 1)
    return contents.reshape(x, sizes_of(shape)), lambda known: dict(
        zip(product(*map(range, shape)), f(known).values(), strict=True)
    )


def elements_of(term, known):
    """The elements of a term for contents."""
    shape = tuple(value(size, known) for size in term.shape)
    every = list(product(*map(range, shape)))
    match term.op:
        case "given":
            return {at: (term.attr, at) for at in every}
        case "undef" | "blank" | "hole":
            return dict.fromkeys(every, UNKNOWN)
        case "fill":
            return dict.fromkeys(every, scalar_of(term.args[0], known))
        case "sel":
            return elements_of(term.args[1 if value(term.args[0], known) else 2], known)
        case "reshape":
            return dict(zip(every, elements_of(term.args[0], known).values(), strict=True))
    box = [[value(each, known) for each in column] for column in contents.box_of(term)]
    x = elements_of(term.args[0], known)
    if term.op == "ext":
        return {at: x[at_box(box, at)] for at in every}
    return x | {at_box(box, at): each for at, each in elements_of(term.args[1], known).items()}


def scalar_of(term, known):
    if term.op == "sel":
        return scalar_of(term.args[1 if value(term.args[0], known) else 2], known)
    if term.op == "undef":
        return UNKNOWN
    return elements_of(term.args[0], known)[()] if term.op == "item" else term.attr


def refines(one, other):
    """Whether the second elements are right where the first ones are."""
    return all(each in (UNKNOWN, other[at]) for at, each in one.items())


def knowns(choose):
    """Some values of the symbols of contents."""
    every = list(product(range(OFFSETS), range(OFFSETS), *[range(2)] * len(FLAGS)))
    names = [*symbols_of_offsets(), *FLAGS]
    return [dict(zip(names, numbers, strict=True)) for numbers in choose.sample(every, 8)]


def test_contents_are_what_was_written():
    choose, sizes = random.Random(7), 0
    for _ in range(400):
        shape = choose.choice(SHAPES[choose.choice((1, 1, 2))])
        term, expected = some_contents(choose, shape, 4)
        index = tuple(choose.randrange(n) for n in shape)
        read = contents.element(term, tuple(map(number, index)), t.F32)
        written = contents.with_element(term, make("scalar", "w", (), type=t.F32), tuple(map(number, index)))
        for known in knowns(choose):
            there = expected(known)
            assert refines(there, elements_of(term, known)), term
            assert there[index] in (UNKNOWN, scalar_of(read, known)), term
            assert refines(there | {index: "w"}, elements_of(written, known)), term
        sizes += len(terms.text_of(term, 99)) + len(terms.text_of(read, 99)) + len(terms.text_of(written, 99))
    assert sizes == 103006


def test_contents_that_correspond():
    choose, claims = random.Random(8), [0, 0, 0]
    for _ in range(400):
        shape = choose.choice(SHAPES[choose.choice((1, 1, 2))])
        base, _ = some_contents(choose, shape, choose.randrange(2))
        s = x = base
        writes = []
        for _ in range(choose.randrange(1, 4)):
            part = tuple(choose.randrange(1, n + 1) for n in shape)
            writes.append((*some_contents(choose, part, 1), *chosen_box(choose, part, shape)))
        for written, _, box, _ in writes:
            s = contents.ins(s, written, box)
        if choose.random() < 0.3:  # put together anew from two parts
            cut = choose.randrange(1, shape[0]) if shape[0] > 1 else 0
            parts = [(0, cut), (cut, shape[0] - cut)] if cut else [(0, shape[0])]
            whole, x = s, contents.undef(sizes_of(shape))
            if choose.random() < 0.5:
                whole = contents.joined(FLAGS[0], whole, base)
            s = whole
            for begin, size in parts:
                box = in_terms(((begin, *[0] * (len(shape) - 1)), (size, *shape[1:]), [1] * len(shape)))
                x = contents.ins(x, contents.ext(whole, box), box)
        else:
            others = choose.sample(writes, len(writes) - (choose.random() < 0.3))
            for written, _, box, _ in others:
                x = contents.ins(x, written, box)
            if choose.random() < 0.3:
                x = contents.joined(FLAGS[1], x, s)
            if choose.random() < 0.3:
                s, x = contents.joined(FLAGS[1], s, base), contents.joined(FLAGS[1], x, base)
        truth = all(refines(elements_of(s, known), elements_of(x, known)) for known in knowns(choose))
        known_facts = facts.Facts()
        judge = refine.Refinement(known_facts)
        proved = judge.compare(s, x) is None
        assert truth or not proved, (s, x)
        claims = [claims[0] + proved, claims[1] + truth, claims[2] + (s is x)]
        rules = judge.derivations[0]
        assert (checker.Replay(known_facts, [rules]).compare(s, x) is None) == proved
        for n, rule in enumerate(rules or ()):
            wrong = [*rules[:n], "congruence" if rule != "congruence" else "inserted", *rules[n + 1 :]]
            with pytest.raises(checker.Refused):
                checker.Replay(known_facts, [wrong]).compare(s, x)
    assert claims == [236, 280, 147]


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
