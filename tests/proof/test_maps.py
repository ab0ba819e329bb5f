"""Functions of elements (maps, reductions, picked elements) against what they compute at each index, and comparisons of them.

Programs are lowered to such functions only in the forms that structured operations have; here every form occurs: transposed and
broadcast operands, unit dimensions, parts with strides, shapes split and merged, elements at computed indices.
"""

import random
from functools import lru_cache, partial
from itertools import compress, pairwise, permutations, product
from math import prod

import pytest
from bufferize.ir.types import types as t
from bufferize.proof import checker, contents, elementwise, facts, refine, terms
from bufferize.proof.terms import ZERO, make, number

from .test_arithmetic import COMPUTED, FLAGS, fresh_terms, in_terms
from .test_contents import at_box, given, refines, sizes_of

__all__ = ["fresh_terms"]

SHAPES = [(), (4,), (1,), (6,), (2, 3), (3, 2), (1, 3), (3, 1), (2, 1, 3), (1, 1), (2, 2, 2)]
INDEX = "arith.index_cast"


@lru_cache(1000)
def elements_of(term, known):
    """The elements of contents, given the flags that hold."""
    every = list(product(*(range(size.attr) for size in term.shape)))
    match term.op:
        case "given":
            return {at: (term.attr, at) for at in every}
        case "fill":
            return dict.fromkeys(every, scalar_of(term.args[0], known, (), ()))
        case "blank" | "undef":
            return dict.fromkeys(every, "?")
        case "sel":
            return elements_of(term.args[1 if term.args[0] in known else 2], known)
        case "reshape":
            return dict(zip(every, elements_of(term.args[0], known).values(), strict=True))
        case "transpose":
            x = elements_of(term.args[0], known)
            return {at: x[tuple(at[term.attr.index(d)] for d in range(len(at)))] for at in every}
        case "map":
            return {at: scalar_of(term.args[0], known, at, ()) for at in every}
        case "reduce":
            return {at: folded(*elementwise.parts_of(term), known, at)[0] for at in every}
    box = [[each.attr for each in column] for column in contents.box_of(term)]
    x = elements_of(term.args[0], known)
    if term.op == "ext":
        return {at: x[at_box(box, at)] for at in every}
    return x | {at_box(box, at): each for at, each in elements_of(term.args[1], known).items()}


def folded(bodies, begins, ends, known, at):
    """The accumulators of a reduction at an index after all iterations."""
    state = [elements_of(begin, known)[at] for begin in begins]
    for place in product(*(range(end.attr) for end in ends)):
        state = [scalar_of(body, known, at + place, state) for body in bodies]
    return state


def scalar_of(term, known, at, state):
    """A scalar at an index, with the accumulators before the iteration."""
    inner = partial(scalar_of, known=known, at=at, state=state)
    match term.op:
        case "scalar":
            return term.attr
        case "coord":
            return at[term.attr]
        case "acc":
            return state[term.attr]
        case "at":
            return elements_of(term.args[0], known)[tuple(0 if d is None else at[d] for d in term.attr)]
        case "pick":
            return elements_of(term.args[0], known)[tuple(map(inner, term.args[1:]))]
        case "item":
            return elements_of(term.args[0], known)[()]
        case "op":
            return (term.attr[0], *map(inner, term.args))
        case "sel":
            return inner(term.args[1 if term.args[0] in known else 2])
    return COMPUTED[term.op](term.attr, *map(inner, term.args))


def some_body(choose, sizes, depth, accumulators=0):
    """A random function of coordinates below `sizes`: a term, and its value for flags that hold, coordinates and accumulators."""
    how = choose.random()
    if how < 0.1:
        k = choose.randrange(len(sizes)) if sizes else None
        place = ZERO if k is None or sizes[k] == 1 else elementwise.coord(k)
        cast = make("op", (INDEX, (), 0), (place,), type=t.F32)
        return cast, lambda known, at, state: (INDEX, 0 if place is ZERO else at[k])
    if accumulators and how < 0.35:
        k = choose.randrange(accumulators)
        return make("acc", k, type=t.F32), lambda known, at, state: state[k]
    if depth and how < 0.6:
        (x, f), (y, g) = (some_body(choose, sizes, depth - 1, accumulators) for _ in range(2))
        if choose.random() < 0.2:
            flag = choose.choice(FLAGS)
            return terms.choose(flag, x, y), lambda known, at, state: (f if flag in known else g)(
                known, at, state
            )
        joined = make("op", ("arith.subf", (), 0), (x, y), type=t.F32)
        return joined, lambda known, at, state: ("arith.subf", f(known, at, state), g(known, at, state))
    if depth and how < 0.75:
        return picked(choose, sizes, depth)
    dims = choose.sample(range(len(sizes)), choose.randrange(len(sizes) + 1))
    shape = [sizes[d] for d in dims]
    if choose.random() < 0.3:
        place = choose.randrange(len(dims) + 1)
        dims.insert(place, None)
        shape.insert(place, 1)
    x, f = some_contents(choose, tuple(shape), max(depth - 1, 0))
    read, f = elementwise.at(x, tuple(dims), t.F32), lru_cache(1)(f)
    return read, lambda known, at, state: f(known)[tuple(0 if d is None else at[d] for d in dims)]


def picked(choose, sizes, depth):
    """An element at computed indices: a coordinate, one that is shifted or counts down, or a number."""
    indices, places, shape = [], [], []
    for _ in range(choose.randrange(1, 3)):
        n, k = choose.randrange(3), choose.randrange(len(sizes)) if sizes else None
        factor = choose.choice((1, 1, -1)) if k is not None and sizes[k] > 1 else 0
        first = n + (sizes[k] - 1 if factor < 0 else 0) if factor else n
        shape.append(n + (sizes[k] if factor else 1))
        indices.append(terms.add(terms.mul(number(factor), elementwise.coord(k or 0)), number(first)))
        places.append(lambda at, first=first, factor=factor, k=k: first + (factor * at[k] if factor else 0))
    x, f = some_contents(choose, tuple(shape), depth - 1)
    read, f = elementwise.pick(x, indices, t.F32), lru_cache(1)(f)
    return read, lambda known, at, state: f(known)[tuple(place(at) for place in places)]


def some_contents(choose, shape, depth):
    """Random contents of a shape: a term, and its elements for the flags that hold."""
    how, sizes = choose.random(), sizes_of(shape)
    every = list(product(*map(range, shape)))
    if not depth or how < 0.1:
        if choose.random() < 0.7:
            return given(choose.choice("pq"), shape)
        name = choose.choice("kl")
        filled = contents.fill(make("scalar", name, (), type=t.F32), sizes)
        return filled, lambda known: dict.fromkeys(every, name)
    if how < 0.35:
        body, f = some_body(choose, shape, depth)
        return elementwise.map_(body, sizes), lambda known: {at: f(known, at, ()) for at in every}
    if how < 0.5:
        return some_reduction(choose, shape, depth)
    if how < 0.65:
        around = tuple(n + choose.randrange(3) for n in shape)
        x, f = some_contents(choose, around, depth - 1)
        box = some_box(choose, shape, around)
        return contents.ext(x, in_terms(box)), lambda known: (
            lambda there: {at: there[at_box(box, at)] for at in every}
        )(f(known))
    if how < 0.75:
        x, f = some_contents(choose, shape, depth - 1)
        part = tuple(choose.randrange(1, n + 1) for n in shape)
        y, g = some_contents(choose, part, depth - 1)
        box = some_box(choose, part, shape)
        return contents.ins(
            x, y, in_terms(box)
        ), lambda known: f(known) | {at_box(box, at): each for at, each in g(known).items()}
    if how < 0.85:
        order = choose.choice(list(permutations(range(len(shape)))))
        inner = [0] * len(shape)
        for d, p in enumerate(order):
            inner[p] = shape[d]
        x, f = some_contents(choose, tuple(inner), depth - 1)
        return contents.transposed(x, order), lambda known: (
            lambda there: {at: there[tuple(at[order.index(p)] for p in range(len(at)))] for at in every}
        )(f(known))
    other = choose.choice([each for each in SHAPES if prod(each) == prod(shape)] or [shape])
    x, f = some_contents(choose, other, depth - 1)
    return contents.reshape(x, sizes), lambda known: dict(zip(every, f(known).values(), strict=True))


def some_reduction(choose, shape, depth):
    ends = tuple(choose.randrange(1, 3) for _ in range(choose.randrange(1, 3)))
    count = choose.randrange(1, 3)
    bodies = [some_body(choose, shape + ends, depth, count) for _ in range(count)]
    begins = [some_contents(choose, shape, depth - 1) for _ in range(count)]
    term = elementwise.reduce_(
        [b for b, _ in bodies], [b for b, _ in begins], sizes_of(ends), (t.F32,) * count
    )

    def expected(known):
        found = {}
        started = [f(known) for _, f in begins]
        for at in product(*map(range, shape)):
            state = [each[at] for each in started]
            for place in product(*map(range, ends)):
                state = [f(known, at + place, state) for _, f in bodies]
            found[at] = state[0]
        return found

    return term, expected


def some_box(choose, sizes, around):
    steps = [choose.choice((1, 1, 2)) for _ in sizes]
    steps = [d if (s - 1) * d < n else 1 for s, d, n in zip(sizes, steps, around, strict=True)]
    offsets = [choose.randrange(n - (s - 1) * d) for s, d, n in zip(sizes, steps, around, strict=True)]
    return tuple(offsets), tuple(sizes), tuple(steps)


def knowns():
    """The sets of flags that may hold."""
    return [frozenset(compress(FLAGS, values)) for values in product(range(2), repeat=len(FLAGS))]


def test_functions_of_elements_are_what_they_compute():
    choose, sizes = random.Random(11), 0
    for _ in range(350):
        shape = choose.choice(SHAPES)
        term, expected = some_contents(choose, shape, 3)
        index = tuple(choose.randrange(n) for n in shape)
        read = contents.element(term, tuple(map(number, index)), t.F32)
        for known in knowns()[:: choose.randrange(3, 6)]:
            there = expected(known)
            assert elements_of(term, known) == there, term
            assert scalar_of(read, known, (), ()) == there[index], term
        sizes += len(terms.text_of(term, 99)) + len(terms.text_of(read, 99))
    assert sizes == 71317


def compared(s, x, choose):
    """Whether contents correspond; a certificate of that is accepted with these rules, and not with one of them replaced."""
    known_facts = facts.Facts()
    judge = refine.Refinement(known_facts)
    proved = judge.compare(s, x) is None
    rules = judge.derivations[0]
    assert (checker.Replay(known_facts, [rules]).compare(s, x) is None) == proved
    for other in ("congruence", "cells", "fold", "reshaped") if rules else ():
        n = choose.randrange(min(len(rules), 8))
        if other != rules[n]:
            wrong = [*rules[:n], other, *rules[n + 1 :]]
            with pytest.raises(checker.Refused):
                checker.Replay(known_facts, [wrong]).compare(s, x)
    return proved


def in_pieces(choose, x):
    """Contents put together from slices of themselves, in a random order; sometimes a slice is missing."""
    cuts = [sorted({0, choose.randrange(n.attr + 1), n.attr}) for n in x.shape]
    pieces = [
        (tuple(low for low, _ in each), tuple(high - low for low, high in each), (1,) * len(each))
        for each in product(*map(list, map(pairwise, cuts)))
    ]
    choose.shuffle(pieces)
    if choose.random() < 0.2:
        pieces.pop()
    whole = (
        contents.undef(x.shape, "u") if choose.random() < 0.5 else given("q", [n.attr for n in x.shape])[0]
    )
    for box in map(in_terms, pieces):
        whole = contents.ins(whole, contents.ext(x, box), box)
    return whole


def test_functions_of_what_is_written_in_pieces():
    """A body over whole operands, and over operands or results that were put together from slices."""
    choose, claims = random.Random(12), [0, 0, 0]
    for _ in range(250):
        shape = choose.choice([(4,), (2, 3), (1, 3), (3, 2)])
        parts, operand = [], given("p", shape)[0]
        for _ in range(choose.randrange(1, 3)):
            part = tuple(choose.randrange(1, n + 1) for n in shape)
            parts.append((given(choose.choice("qr"), part)[0], in_terms(some_box(choose, part, shape))))
        first, second = operand, operand
        for part, box in parts:
            first = contents.ins(first, part, box)
        for part, box in choose.sample(parts, len(parts) - (choose.random() < 0.2)):
            second = contents.ins(second, part, box)
        if choose.random() < 0.5:
            second = in_pieces(choose, second)
        s, x = of_operand(choose, first, second)
        if choose.random() < 0.5:
            x = in_pieces(choose, x)
        truth = refines(elements_of(s, frozenset()), elements_of(x, frozenset()))
        proved = compared(s, x, choose)
        assert truth or not proved, (s, x)
        claims = [claims[0] + proved, claims[1] + truth, claims[2] + (s is x)]
    assert claims == [143, 151, 76]


def of_operand(choose, *operands):
    """The same random function of each operand: of its elements, of what is transposed, or a sum over a dimension."""
    shape = [n.attr for n in operands[0].shape]
    dims = tuple(range(len(shape)))
    how, turned = choose.random(), choose.random() < 0.3
    sizes, k = sizes_of(shape), choose.randrange(len(shape))
    found = []
    for y in operands:
        if how < 0.5:
            body = make("op", ("math.exp", (), 0), (elementwise.at(y, dims, t.F32),), type=t.F32)
            term = elementwise.map_(body, sizes)
        else:
            places = tuple(len(dims) - 1 if d == k else d - (d > k) for d in dims)
            read = elementwise.at(y, places, t.F32)
            body = make("op", ("arith.addf", (), 0), (make("acc", 0, type=t.F32), read), type=t.F32)
            rest = tuple(size for d, size in enumerate(sizes) if d != k)
            begin = contents.fill(make("scalar", "k", (), type=t.F32), rest)
            term = elementwise.reduce_([body], [begin], (sizes[k],), (t.F32,))
        found.append(contents.transposed(term, tuple(reversed(range(len(term.shape))))) if turned else term)
    return found
