"""What follows from facts, against enumeration: claims hold wherever the facts do, and how many claims are found is counted."""

import random
from itertools import pairwise, product

import pytest
from bufferize.ir.types import types as t
from bufferize.proof import facts, terms
from bufferize.proof.facts import Facts, atoms_of
from bufferize.proof.terms import FALSE, ONE, TRUE, ZERO, make, number


@pytest.fixture(autouse=True)
def fresh_terms(monkeypatch):
    """No terms of other tests: sums are ordered by age."""
    monkeypatch.setattr(terms, "MAX_TERMS_KEPT", 0)
    terms.clear()


def symbols(names, type=t.INDEX, op="sym"):
    return [make(op, (name,), type=type) for name in names]


def linear(choose, of):
    """A random sum of symbols, as a term and as a function of their values."""
    parts = [choose.choice([0, 0, 0, 1, 1, -1, 2]) for _ in of]
    term = number(choose.choice([0, 0, 1, -2]))
    constant = term.attr
    for n, each in zip(parts, of, strict=True):
        term = terms.add(term, terms.mul(number(n), each))
    return term, lambda values: constant + sum(n * v for n, v in zip(parts, values, strict=True))


def test_which_sums_are_equal_where_others_are():
    choose, claimed, true = random.Random(1), 0, 0
    x = symbols("xyz")
    a, b = symbols("ab", t.I1)
    paths = [(), ((a, True),), ((a, True), (b, False)), ((b, False),), ((a, False),)]
    grid = list(product(range(-2, 3), repeat=3))
    for _ in range(160):
        known, here, given = Facts(), choose.choice(paths), []
        for _ in range(choose.randrange(4)):
            (left, f), (right, g) = linear(choose, x), linear(choose, x)
            path = choose.choice(paths)
            known.say_equal(left, right, path)
            if set(path) <= set(here):
                given.append((f, g))
        (left, f), (right, g) = linear(choose, x), linear(choose, x)
        if given and choose.random() < 0.7:  # a consequence, if the sums are independent
            right, g = left, f
            for term, on in known.zero.items():
                if any(set(path) <= set(here) for path in on):
                    left = terms.add(left, terms.mul(number(choose.choice([1, -1, 2])), term))
            f = values_of(left)
        where = [v for v in grid if all(p(v) == q(v) for p, q in given)]
        holds = all(f(v) == g(v) for v in where)
        found = known.equal(left, right, here)
        assert not found or holds, (left, right)
        assert known.same_shape((left, ONE), (right, ONE), here) == found
        assert known.same_shape((ONE, left), (ONE, right), here) == found
        claimed, true = claimed + found, true + holds
    assert (claimed, true) == (37, 50)


def values_of(term):
    """A sum as a function of the values of x, y and z."""
    constant, parts = terms.monomials(term)
    places = {"xyz".index(part.attr[0]): n for part, n in parts.items()}
    return lambda values: constant + sum(n * values[k] for k, n in places.items())


def test_sizes_and_types_that_differ_are_not_equal():
    known, (x, y) = Facts(), symbols("xy")
    (narrow,) = symbols("x", t.I32)
    (flag,) = symbols("c", t.F32)
    (other,) = symbols("d", t.F32)
    known.say_equal(x, y, ())
    assert known.equal(x, y, ()) and known.equal(y, x, ())
    assert not known.equal(x, narrow, ()) and not known.equal(flag, other, ())
    assert known.equal(flag, flag, ())
    assert not known.same_shape((x,), (x, x), ()) and not known.same_shape((x,), None, ())
    assert known.same_shape(None, None, ()) and not known.same_shape(None, (x,), ())


CONDITIONS = ["a", "b", "c"]


def test_legal_where_it_was_seen():
    """On a path, in all cases of a path, and whatever was passed before."""
    choose, found = random.Random(2), [0] * 3
    atoms = symbols("abc", t.I1)
    passed = [make("passed", name, type=t.I1) for name in ("first", "second")]
    every = list(product([False, True], repeat=5))
    both = [*atoms, *passed]

    def path():
        return tuple(
            (atom, atom.op == "passed" or choose.random() < 0.5)
            for atom in both
            if choose.random() < (0.2 if atom.op == "passed" else 0.4)
        )

    for _ in range(400):
        known, seen, here = Facts(), [path() for _ in range(choose.randrange(4))], path()
        for each in seen:
            known.say_legal("key", each)
        known.say_legal("another", ())

        def holds(conditions, values):
            return all(values[both.index(atom)] == value for atom, value in conditions)

        where = [values for values in every if holds(here, values)]
        cases = all(any(holds(each, values) for each in seen) for values in where)
        assert known.is_legal_in_any_case("key", here) == cases
        assert known.is_legal("key", here) == any(set(each) <= set(here) for each in seen)
        later = [[pair for pair in each if pair[0].op != "passed"] for each in seen]
        assert known.is_legal_sooner_or_later("key", here) == any(set(each) <= set(here) for each in later)
        behind = known.behind("key", here)
        missing = [[pair[0] for pair in each if pair not in here] for each in seen]
        waits = [each for each in missing if each and all(atom.op == "passed" for atom in each)]
        assert behind == (waits[0][-1].attr if waits else None)
        found = [found[0] + cases, found[1] + known.is_legal("key", here), found[2] + (behind is not None)]
    assert min(found) > 10


def test_what_is_said_after_a_mark_is_taken_back():
    known, (x, y) = Facts(), symbols("xy")
    (a,) = symbols("a", t.I1)
    known.say_equal(x, y, ((a, True),))
    known.say_legal("first", ((a, True),))
    mark = known.mark()
    known.say_equal(x, y, ())
    known.say_legal("first", ())
    known.say_legal("second", ())
    known.say_sizes((x, number(3)), ())
    assert known.equal(x, y, ()) and known.is_legal("first", ()) and known.is_legal("second", ())
    assert known.sizes_on(()) == {x}
    known.rollback(mark)
    assert not known.equal(x, y, ()) and known.equal(x, y, ((a, True),))
    assert not known.is_legal("first", ()) and known.is_legal("first", ((a, True),))
    assert not known.is_legal("second", ((a, True),))
    assert known.sizes_on(()) == frozenset()


def test_the_terms_of_facts_are_those_of_keys_and_paths():
    known, (x, y, z, w) = Facts(), symbols("xyzw")
    a, b = symbols("ab", t.I1)
    known.say_legal(("box", x, (y, (number(7),))), ((a, True),))
    mark = known.mark()
    known.say_legal(("box", w), ())
    known.say_equal(w, z, ())
    known.rollback(mark)
    known.say_equal(z, number(0), ((b, False),))
    assert set(known.terms()) == {x, y, z, number(7), a, b}


def test_a_box_is_in_bounds_dimension_by_dimension():
    known, (x, y) = Facts(), symbols("xy")
    m, n = symbols("mn", op="size")
    box = (ZERO, x, number(2)), (m, ONE, number(3)), (ONE, ONE, number(2))
    shape = m, y, number(7)
    inside = ("inside", x, ONE, ONE, y)
    assert known.outside(box, shape, ()) == [inside]
    known.say_inside(((x,), (ONE,), (ONE,)), (y,), ())
    assert known.outside(box, shape, ()) == []
    cases = [  # offset, size, stride, extent, whether it is inside
        (ZERO, number(4), ONE, number(4), True),
        (ZERO, number(5), ONE, number(4), False),
        (ONE, number(4), ONE, number(4), False),
        (number(-1), number(4), ONE, number(4), False),
        (number(1), number(2), number(2), number(4), True),
        (number(1), number(2), number(3), number(4), False),
        (number(3), number(3), number(-1), number(4), True),
        (ZERO, m, ONE, m, True),
        (ZERO, m, number(2), m, False),
        (ONE, m, ONE, m, False),
        (ZERO, m, ONE, n, False),
        (ZERO, m, ONE, terms.add(m, n), True),
        (n, m, ONE, terms.add(m, n), True),
        (n, terms.sub(m, n), ONE, m, False),
        (ZERO, x, ONE, x, True),
        (ZERO, x, ONE, terms.add(x, ONE), False),
    ]
    for offset, size, stride, extent, good in cases:
        one = (offset,), (size,), (stride,)
        missing = [] if good else [("inside", offset, size, stride, extent)]
        assert Facts().outside(one, (extent,), ()) == missing, one
    equal = Facts()
    equal.say_equal(m, n, ())
    assert equal.outside(((ZERO,), (m,), (ONE,)), (n,), ()) == []
    assert equal.outside(((ZERO,) * 2, (m, number(9)), (ONE,) * 2), (n, number(8)), ()) != []


def test_a_common_factor_of_indices_cancels():
    x, y = symbols("xy")
    for left, right, one, other, follows in [
        # what is known to be equal: twice x and so on; what is asked
        ((2, x, 0), (2, y, 0), (1, x, 0), (1, y, 0), True),
        ((2, x, 0), (2, y, 6), (1, x, 0), (1, y, 3), True),
        ((2, x, 0), (2, y, 6), (1, x, 0), (1, y, 6), False),
        ((4, x, 0), (6, y, 0), (2, x, 0), (3, y, 0), True),
        ((4, x, 0), (6, y, 0), (1, x, 0), (1, y, 0), False),
        ((2, x, 1), (2, y, 0), (1, x, 0), (1, y, 0), False),
        ((2, x, 1), (2, y, 0), (4, x, 2), (4, y, 0), True),
        ((3, x, 0), (0, y, 0), (1, x, 0), (0, y, 0), True),
        ((3, x, 1), (0, y, 0), (1, x, 0), (0, y, 0), False),
        ((1, x, 0), (1, y, 0), (1, x, 0), (1, y, 1), False),
    ]:
        known = Facts()
        known.say_equal(sum_of(*left), sum_of(*right), ())
        assert known.equal(sum_of(*one), sum_of(*other), ()) == follows, (left, right, one, other)
    a, b = symbols("ab", t.I8)  # 2 * a and 2 * (a + 128) are equal
    known = Facts()
    known.say_equal(terms.mul(number(2, t.I8), a), terms.mul(number(2, t.I8), b), ())
    assert not known.equal(a, b, ())


def sum_of(times, symbol, constant):
    return terms.add(terms.mul(number(times), symbol), number(constant))


def test_sums_are_solved_whatever_their_number_and_order():
    choose = random.Random(3)
    x = symbols("abcdefghijklmnop")
    (condition,) = symbols("c", t.I1)
    for _ in range(20):
        pairs = list(pairwise(x))
        choose.shuffle(pairs)
        known = Facts()
        for one, other in pairs:
            one, other = choose.sample((one, other), 2)
            known.say_equal(one, terms.add(other, number(other.attr[0] < one.attr[0])), ())
        # each letter is one more than the one before it, or one less: what is added is known for each pair
        ups = [known.equal(terms.add(one, ONE), other, ()) for one, other in pairwise(x)]
        downs = [known.equal(one, other, ()) for one, other in pairwise(x)]
        assert [up + down for up, down in zip(ups, downs, strict=True)] == [1] * (len(x) - 1)
        assert known.equal(terms.add(x[0], number(sum(ups))), x[-1], ())
        assert not known.equal(terms.add(x[0], number(sum(ups) + 1)), x[-1], ())
        known.say_equal(x[0], ZERO, ((condition, True),))
        assert known.equal(x[-1], number(sum(ups)), ((condition, True),))
        assert not known.equal(x[-1], number(sum(ups)), ())
    a, b, c, d = x[:4]
    known = Facts()  # no part has the factor 1
    known.say_equal(terms.mul(number(2), a), terms.mul(number(3), b), ())
    known.say_equal(c, terms.add(terms.mul(number(2), a), d), ())
    known.say_equal(terms.mul(number(5), d), terms.mul(number(2), a), ())
    assert known.equal(c, terms.add(terms.mul(number(3), b), d), ())
    assert known.equal(terms.mul(number(3), b), terms.mul(number(5), d), ())
    assert not known.equal(c, terms.mul(number(3), b), ())


def test_what_is_left_behind_a_box_that_is_in_bounds():
    known, (x, y, z) = Facts(), symbols("xyz")
    (condition,) = symbols("c", t.I1)
    (m,) = symbols("m", op="size")
    path = ((condition, True),)
    behind = terms.sub(y, terms.add(x, ONE))
    for offset, size, stride, extent, asked, follows in [
        (x, ONE, ONE, y, behind, True),
        (x, ONE, ONE, y, terms.add(behind, ONE), True),
        (x, ONE, ONE, y, terms.add(behind, m), True),
        (x, ONE, ONE, y, terms.sub(behind, ONE), False),
        (x, ONE, ONE, y, terms.sub(behind, m), False),
        (x, ONE, ONE, y, terms.add(behind, z), False),
        (x, ONE, ONE, y, x, False),
        (x, ONE, ONE, y, y, False),
        (x, number(3), ONE, y, terms.sub(behind, number(2)), True),
        (x, number(3), ONE, y, terms.sub(behind, number(3)), False),
        (x, number(3), z, y, terms.sub(behind, terms.mul(number(2), z)), True),
        (x, m, ONE, y, terms.sub(y, terms.add(x, m)), False),  # an empty box may begin behind the end
        (x, ZERO, ONE, y, terms.sub(y, x), False),
        (ZERO, z, ONE, y, terms.sub(y, z), True),
        (ZERO, z, ONE, y, terms.sub(terms.sub(y, z), ONE), False),
        (ZERO, z, number(2), y, terms.sub(y, terms.mul(number(2), z)), False),
        (ZERO, z, number(2), y, terms.add(terms.sub(y, terms.mul(number(2), z)), ONE), True),
        (ZERO, z, ZERO, y, terms.sub(y, ONE), False),
        (ZERO, z, number(-1), y, terms.add(y, z), False),
        (ZERO, z, x, y, terms.sub(y, terms.mul(terms.sub(z, ONE), x)), False),
    ]:
        known = Facts()
        mark = known.mark()
        known.say_inside(((offset,), (size,), (stride,)), (extent,), path)
        assert known.nonnegative(asked, path) == follows, (offset, size, stride, extent, asked)
        assert not known.nonnegative(asked, ())
        known.rollback(mark)
        assert not known.nonnegative(asked, path)


def test_numbers_that_are_not_negative_as_sizes_or_as_others_are_not():
    x, y, z = symbols("xyz")
    (condition,) = symbols("c", t.I1)
    path = ((condition, True),)
    known = Facts()
    assert not known.nonnegative(x, path)
    known.say_sizes((x, number(3)), path)
    known.say_equal(y, z, path)
    for term, follows in [
        (x, True),
        (terms.add(x, ONE), True),
        (terms.sub(x, ONE), False),
        (terms.mul(number(-1), x), False),
        (y, False),
        (terms.sub(y, z), True),
        (terms.sub(z, y), True),
        (terms.sub(terms.sub(y, z), ONE), False),
        (number(0), True),
        (number(-1), False),
    ]:
        assert known.nonnegative(term, path) == follows, term
        assert known.nonnegative(term, ()) == (follows and term.op == "const"), term
    assert known.is_legal(("size", x), path) and not known.is_legal(("size", number(3)), path)
    known.say_sizes((number(-2), number(0)), path)
    assert known.is_legal(("size", number(-2)), path) and not known.is_legal(("size", number(0)), path)
    a, b = symbols("ab", t.I8)
    known.say_equal(a, b, ())
    assert known.nonnegative(terms.sub(a, b), ())


def test_the_alignment_that_a_call_needs():
    known, (x,) = Facts(), symbols("x")
    a, b = symbols("ab", t.I1)
    key = ("f", 0, x)
    assert known.alignment_needed(key, ()) == 1
    known.argument_alignment[key] = [(((a, True),), 8), (((b, True),), 16), (((a, True), (b, True)), 4)]
    assert known.alignment_needed(key, ((a, True),)) == 8
    assert known.alignment_needed(key, ((a, True), (b, True))) == 16
    assert known.alignment_needed(key, ()) == 16
    assert known.alignment_needed(("f", 1, x), ()) == 1


def test_boxes_that_are_disjoint_under_conditions():
    known, (i,) = Facts(), symbols("i")
    a, b = symbols("ab", t.I1)
    box, other = ((ZERO,), (ONE,), (ONE,)), ((ONE,), (ONE,), (ONE,))
    place, second = (box, frozenset([(a, True)]), None), (other, frozenset(), "how")
    known.assume_disjoint((i,), place, second, ((b, True),))
    here = ((b, True), (a, True))

    def found(one, two, path=here, counters=(i,)):
        return known.disjoint_boxes(counters, one, two, path)

    assert found(place, second) == [(box, other)]
    assert found((other, frozenset([(a, True), (b, False)]), "any"), second) == [(box, other)]
    assert found((box, frozenset(), None), second) == []
    assert found((box, frozenset([(a, False)]), None), second) == []
    assert found(place, (other, frozenset([(a, True)]), "how")) == [(box, other)]
    assert found(place, (box, frozenset(), "how")) == []
    assert found(place, (other, frozenset(), "otherwise")) == []
    assert found(place, (other, frozenset(), None)) == []
    assert found(place, second, ()) == [] and found(place, second, here, ()) == []


def test_contradictions_imply_everything():
    a, b = symbols("ab", t.I1)
    assert facts.implied([(a, True), (a, False)], FALSE)
    assert facts.implied([(TRUE, False)], a) and facts.implied([(FALSE, True)], a)
    assert not facts.implied([(TRUE, True), (FALSE, False)], a)
    assert facts.implied([(terms.both(a, b), True)], b)
    assert not facts.implied([(terms.both(a, b), False)], b)
    assert facts.implied([(terms.both(a, b), False), (a, True)], terms.negate(b))


def test_the_atoms_of_conditions():
    a, b, c = symbols("abc", t.I1)
    either_or = terms.either(terms.both(a, b), terms.negate(c))
    for roots, found in [
        ([], set()),
        ([terms.TRUE, a], {a}),
        ([a, terms.FALSE], {a}),
        ([a, terms.TRUE, b], {a, b}),
        ([terms.negate(a), a], {a}),
        ([either_or], {a, b, c}),
        ([either_or, terms.choose(a, b, c)], {a, b, c}),
    ]:
        atoms = atoms_of(roots)
        assert set(atoms) == found and len(atoms) == len(found), roots
