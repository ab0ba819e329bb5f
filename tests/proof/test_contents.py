"""Contents that are inserted, sliced, reshaped and chosen, held against their elements; and comparisons of such contents, held
against the elements and against the checker of certificates.
"""

import random
from itertools import product
from math import prod

import pytest
from bufferize import parse
from bufferize.ir.types import types as t
from bufferize.proof import checker, contents, facts, refine, terms
from bufferize.proof.terms import ONE, ZERO, make, number

from .test_arithmetic import FLAGS, fresh_terms, in_terms, value

__all__ = ["fresh_terms"]

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
    assert sizes == 102327


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
    assert claims == [245, 280, 147]


def test_what_is_overwritten_is_forgotten_but_for_holes():
    """The contents of a base do not matter where parts together overwrite them, and a hole overwrites nothing."""
    (whole, _), (part, _), (other, _) = given("p", (4,)), given("q", (2,)), given("r", (2,))
    low, high = (in_terms(((at,), (2,), (1,))) for at in (0, 2))
    hole = make("hole", None, (), shape=sizes_of((2,)))
    both = contents.ins(contents.ins(whole, part, low), other, high)
    assert (both.args[1], both.args[0].args[1], both.args[0].args[0].op) == (other, part, "blank")
    kept = contents.ins(contents.ins(whole, hole, low), other, high)
    assert (kept.args[1], kept.args[0].args[1], kept.args[0].args[0]) == (other, hole, whole)
    left = contents.ins(contents.ins(whole, part, low), hole, high)
    assert left.args[0].args[0] is whole


def test_contents_of_unknown_rank_under_a_shape():
    (x, _), sizes = given("p", (4,)), sizes_of((4,))
    unknown = make("given", "u", (), shape=None)
    known = contents.ranked(unknown, sizes)
    assert known.shape == sizes and contents.unranked(known) is unknown
    assert contents.unranked(unknown) is unknown and contents.unranked(x) is x


def test_uninitialized_parts_of_uninitialized_contents():
    box = in_terms(((1,), (2,), (1,)))
    whole, same, other = (contents.undef(sizes_of((n,)), key) for n, key in ((4, "u"), (2, "u"), (2, "v")))
    assert contents.ins(whole, same, box) is whole
    inserted = contents.ins(whole, other, box)
    assert inserted.op == "ins" and inserted.undefined and contents.ext(inserted, box) is other
    (full, _), (part, _) = given("p", (4,)), given("q", (2,))
    assert contents.ins(full, same, box).args[:2] == (full, same)
    assert contents.ins(whole, part, box).args[:2] == (whole, part)


def test_the_elements_of_a_small_shape():
    m = make("size", ("m",), type=t.INDEX)
    for shape, count in [
        ((2, 3), 6),
        ((6,), 6),
        ((1, 2), 2),
        ((63,), 63),
        ((64,), None),
        ((1,), None),
        ((), None),
    ]:
        found = refine.elements_of(sizes_of(shape))
        assert (found and len(found)) == count, shape
    assert refine.elements_of((m, number(2))) is None and refine.elements_of((number(0), number(2))) is None
    every = [[offset.attr for offset in box[0]] for box in refine.elements_of(sizes_of((2, 3)))]
    assert every == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert all(box[1:] == (sizes_of((1, 1)),) * 2 for box in refine.elements_of(sizes_of((2, 3))))


def test_slices_whose_place_is_known_by_facts():
    """What was written beside a slice does not matter, if facts say that it is beside it."""
    at, n = make("sym", ("at",), type=t.INDEX), make("size", ("n",), type=t.INDEX)
    (whole, _), (part, _) = given("p", (9,)), given("q", (2,))
    two = sizes_of((2,))
    wide = make("given", "wide", (), shape=(n,))

    def box(offset, size=two[0]):
        return (offset,), (size,), (number(1),)

    def says(term):
        return lambda asked: (asked.op == "const" and asked.attr >= 0) or asked is term

    gap = terms.sub(at, number(2))  # what is written at 0 ends before the slice
    written = contents.ins(whole, part, box(number(0)))
    hole = contents.ins(whole, contents.hole(two), box(at))
    slice_ = contents.ext(written, box(at))
    assert slice_ is not contents.ext(whole, box(at))
    for s, x, known, found in [
        (slice_, contents.ext(whole, box(at)), gap, (contents.ext(whole, box(at)),) * 2),
        (slice_, contents.ext(whole, box(at)), terms.sub(at, number(1)), None),
        (contents.ext(whole, box(at)), slice_, gap, (contents.ext(whole, box(at)),) * 2),
        (whole, whole, gap, None),
        (
            contents.ext(whole, box(number(3))),
            contents.ext(hole, box(number(3))),
            gap,
            (contents.ext(whole, box(number(3))),) * 2,
        ),
        (contents.ext(hole, box(number(3))), contents.ext(whole, box(number(3))), gap, None),
        (contents.ext(wide, box(at)), contents.ext(wide, box(at)), gap, None),
    ]:
        assert refine.slices_of(s, x, says(known)) == found, (s, x)


LITERALS = [
    # numbers and their type, the indices of one, and what it is
    ("[[1, -2], [3, 4]]", "2x2xi8", (0, 1), -2),
    ("[[1, -2], [3, 4]]", "2x2xi8", (1, 0), 3),
    ("[[1, 2, 3], [4, 5, 6]]", "2x3xi16", (1, 1), 5),
    ("[[1, 2], [3, 4], [5, 6]]", "3x2xindex", (2, 1), 6),
    ("[1.0, 2.5]", "2xf32", (1,), 2.5),
    ("[1.0, 2.5]", "2xf64", (1,), 2.5),
    ("[1.0, 2.5]", "2xf32", (2,), None),
    ("[1.0, 2.5]", "2xf32", (-1,), None),
    ("[[1, 2], [3, 4]]", "2x2xi32", (0, 2), None),
    ("[true, false]", "2xi1", (1,), None),
    ("[1, 2]", "2xi4", (1,), 2),
    ("[(1.0, 2.0), (3.0, 4.0)]", "2xcomplex<f32>", (1,), None),
]


@pytest.mark.parametrize(("numbers", "type", "at", "expected"), LITERALS)
def test_one_of_the_numbers_of_a_literal(numbers, type, at, expected):
    module = parse(f"func.func @f() {{ %c = arith.constant dense<{numbers}> : tensor<{type}> return }}")
    (value,) = (op.properties["value"] for op in module.walk() if op.name == "arith.constant")
    x = make("literal", value, shape=sizes_of(value.type.shape))
    found = contents.element(x, tuple(map(number, at)), value.element)
    if expected is None:
        assert found.op != "const"
    else:
        held = found.attr if isinstance(found.attr, int) else found.attr.value
        assert (held, found.type) == (expected, value.element)
    two = (ZERO,) * len(at), (*[ONE] * (len(at) - 1), number(2)), (ONE,) * len(at)
    assert contents.ext(x, two).op in ("ext", "literal")  # or all of it
    unknown = make("sym", ("i",), type=t.INDEX)
    assert contents.ext(x, contents.point([unknown] * len(at))).op == "ext"


def test_reshapes_to_equal_sizes_do_nothing():
    """Also if only facts tell that the sizes are equal; the certificate says so in one step."""
    one, other, third = (make("sym", (name,), type=t.INDEX) for name in "nmk")
    x, y = make("given", "p", (), shape=(one,)), make("given", "q", (), shape=(one,))
    known = facts.Facts()
    known.say_equal(one, other, ())

    def reshaped(term, *sizes):
        return make("reshape", None, (term,), shape=sizes)

    for s, after, is_right in [
        (reshaped(x, other), x, True),
        (x, reshaped(x, other), True),
        (reshaped(x, other), y, False),
        (y, reshaped(x, other), False),
        (reshaped(x, third), x, False),
        (x, reshaped(x, third), False),
        (x, reshaped(x, other, ONE), False),
    ]:
        judge = refine.Refinement(known)
        assert (judge.compare(s, after) is None) == is_right, (s, after)
        if is_right:
            assert judge.derivations[0][0] == "reshaped"
            assert checker.Replay(known, judge.derivations).compare(s, after) is None
