"""Comparisons, counters and the parts of terms, case by case and against enumeration."""

import random
from itertools import product
from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.ir.types import types as t
from bufferize.proof import (
    commutation,
    loops,
    machine,
    parallel,
    promises,
    ranges,
    recurrences,
    refine,
    semantics_scalars,
    semantics_structured,
    state,
    terms,
)
from bufferize.proof.terms import FALSE, ONE, TRUE, ZERO, make, number
from bufferize.semantics.scalars import integers_compare

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@pytest.fixture(autouse=True)
def fresh_terms(monkeypatch):
    """No terms of other tests: sums are ordered by age."""
    monkeypatch.setattr(terms, "MAX_TERMS_KEPT", 0)
    terms.clear()


def symbol(name, type=t.INDEX, op="sym"):
    return make(op, (name,), type=type)


def counter(first, end, step=1, type=t.INDEX, k=0):
    ends = [each if isinstance(each, terms.Term) else number(each, type) for each in (first, end, step)]
    return make("iv", (1, k), ends, type=type, level=1)


def compared(predicate, left, right):
    """True, False, or None if that is not known."""
    term = semantics_scalars.compared(predicate, left, right)
    return True if term is TRUE else False if term is FALSE else None


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("type", [t.IntegerType(3), t.IntegerType(8), t.INDEX], ids=str)
def test_constants_are_compared(predicate, type):
    numbers = (-4, -1, 0, 1, 3)
    for a, b in product(numbers, repeat=2):
        expected = bool(integers_compare(predicate, a, b, getattr(type, "width", 64)))
        assert compared(predicate, number(a, type), number(b, type)) == expected, (a, b)
    x = symbol("x", type)
    assert compared(predicate, x, x) == (predicate in ("eq", "sle", "sge", "ule", "uge"))


def test_a_counter_is_below_the_end_of_its_loop():
    n = symbol("n")
    i = counter(0, n)
    known = {p: (compared(p, i, n), compared(p, n, i)) for p in PREDICATES}
    assert known == {
        "eq": (False, False),
        "ne": (True, True),
        "slt": (True, False),
        "sle": (True, False),
        "sgt": (False, True),
        "sge": (False, True),
        "ult": (None, None),
        "ule": (None, None),
        "ugt": (None, None),
        "uge": (None, None),
    }
    assert compared("slt", i, symbol("m")) is None


@pytest.mark.parametrize("type", [t.INDEX, t.IntegerType(8)], ids=str)
def test_counters_between_constants_are_compared(type):
    """Every answer is right, and signed ones are found if the ranges decide them."""
    bounds = [(0, 4, 1), (4, 6, 1), (3, 5, 1), (2, 9, 3), (-3, 1, 1), (0, 1, 1)]
    loops = [(counter(*each, type=type, k=k), range(*each)) for k, each in enumerate(bounds)]
    sums = [
        (terms.add(term, number(n, type)), [v + n for v in values]) for term, values in loops for n in (0, 1)
    ]
    sums += [(number(n, type), [n]) for n in (-3, 0, 3, 4, 8, 9)]
    for (left, mine), (right, its) in product(sums, repeat=2):
        for predicate in PREDICATES:
            found = compared(predicate, left, right)
            width = getattr(type, "width", 64)
            answers = {bool(integers_compare(predicate, a, b, width)) for a, b in product(mine, its)}
            if left is right and left.op != "const":
                answers = {predicate in ("eq", "sle", "sge", "ule", "uge")}
            elif set(left.args) & set(right.args) or left in right.args or right in left.args:
                continue  # the same counter
            assert found is None or answers == {found}, (predicate, left, right)
            if predicate[0] == "s" and not (set(left.args) & set(right.args)):
                low, high = (min(mine), max(mine)), (min(its), max(its))
                decided = low[1] < high[0] or low[0] > high[1] or len(answers) == 1
                assert (found is not None) == (decided and len(answers) == 1), (predicate, left, right)


def test_a_comparison_of_a_counter_that_does_not_fit_its_type_is_open():
    narrow = t.IntegerType(8)
    i = counter(0, 100, type=narrow)
    assert compared("slt", terms.add(i, number(20, narrow)), number(126, narrow)) is True
    assert compared("slt", terms.add(i, number(40, narrow)), number(126, narrow)) is None
    empty = counter(5, 3, type=narrow)
    assert compared("slt", empty, number(9, narrow)) is None


@pytest.mark.parametrize(
    ("following", "by"),
    [
        (lambda x: terms.add(x, ONE), 1),
        (lambda x: terms.add(x, number(-3)), -3),
        (lambda x: x, None),
        (lambda x: terms.add(x, symbol("y")), None),
        (lambda x: terms.mul(x, number(2)), None),
        (lambda x: number(4), None),
    ],
)
def test_by_which_constant_a_number_is_increased(following, by):
    x = symbol("x")
    assert recurrences.increment(x, following(x)) == (None if by is None else (by, t.INDEX))
    inside = make("slot", (1, 0), shape=(), level=1)
    held = state_item(inside)
    after = make("fill", None, (following(held),), shape=())
    assert recurrences.increment(inside, after) == (None if by is None else (by, t.INDEX))


def state_item(contents):
    from bufferize.proof.contents import item

    return item(contents, t.INDEX)


def test_what_is_not_a_number_of_more_than_one_bit_is_not_increased():
    flag, real = symbol("c", t.I1), symbol("f", t.F32)
    assert recurrences.increment(flag, terms.add(flag, number(1, t.I1))) is None
    assert recurrences.increment(real, make("const", 1.0, type=t.F32)) is None


def test_a_hull_contains_its_ranges():
    extent, n = number(9), symbol("n")
    i = counter(1, 4)

    def hull(*parts, extent=extent):
        of = [tuple(p if isinstance(p, terms.Term) else number(p) for p in part) for part in parts]
        return tuple(term.attr if term.op == "const" else term for term in recurrences.hull(of, extent))

    assert hull((2, 3, 1)) == (2, 3)
    assert hull((2, 3, 1), (0, 1, 1)) == (0, 5)
    assert hull((i, 2, 1)) == (1, 4)
    assert hull((i, 2, 1), (7, 1, 1)) == (1, 7)
    assert hull((7, 5, 1)) == (7, 2)
    assert hull((-2, 4, 1)) == (0, 2)
    assert hull((9, 2, 1)) == (0, 9) and hull((-3, 3, 1)) == (0, 9)
    for part in ((n, 1, 1), (0, n, 1), (2, 3, 2)):
        assert hull(part) == (0, 9)
    assert hull((2, 3, 1), extent=n) == (0, n)


def test_offsets_from_which_the_counter_is_subtracted_go_up_instead():
    i, top = counter(0, 5), number(4)
    down, other = terms.sub(number(7), i), symbol("o")
    assert recurrences._upwards((other, down), 1, i, top) == (other, terms.add(i, number(3)))
    assert recurrences._upwards((down, other), 0, i, top) == (terms.add(i, number(3)), other)
    for same in ((i,), (terms.sub(number(7), terms.mul(number(2), i)),), (other,)):
        assert recurrences._upwards(same, 0, i, top) == same


def test_a_range_seen_through_an_index_that_is_not_known():
    n = symbol("n")
    numbers = [number(each) for each in (1, 2, 1, 0, 4, 1)]
    assert refine._as_places(*numbers) is not None
    for place in (0, 1, 3, 4, 5):
        given = list(numbers)
        given[place] = n
        found = refine._as_places(*given)
        assert found is None or found == (terms.sub(given[0], given[3]), given[1], given[2]), place


@pytest.mark.parametrize(
    ("layout", "shape", "shared"),
    [
        ("", "4x4", False),
        ("", "0x4", False),
        ("", "4x0", False),
        ("", "?x?", False),
        (", strided<[4, 1]>", "4x4", False),
        (", strided<[3, 1]>", "4x4", True),
        (", strided<[-4, 1]>", "4x4", False),
        (", strided<[1, 1]>", "4x1", False),
        (", strided<[0, 1]>", "1x4", False),
        (", strided<[0, 1]>", "2x4", True),
        (", strided<[1, 4]>", "4x4", False),
        (", strided<[1, 4]>", "5x4", True),
        (", strided<[?, 1]>", "4x4", False),
        (", strided<[2, 1]>", "4x?", False),
        (", strided<[0, 1]>", "4x?", True),
        (", strided<[1, 2]>", "?x4", False),
        (", affine_map<(i, j) -> (j, i)>", "4x4", False),
        (", affine_map<(i, j) -> (i)>", "4x4", True),
        (", affine_map<(i, j) -> (i + j)>", "4x4", True),
        (", affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>", "4x4", False),
        (", affine_map<(i, j) -> (i floordiv 2, j, i mod 3)>", "4x4", True),
        (", affine_map<(i, j) -> (i floordiv 2, j, j mod 2)>", "4x4", True),
        (", affine_map<(i, j) -> (i mod 2, j)>", "4x4", True),
        (", affine_map<(i, j) -> (i floordiv 2, j)>", "4x4", True),
    ],
)
def test_layouts_under_which_two_elements_may_share_an_address(layout, shape, shared):
    (function,) = parse(f"func.func private @f(memref<{shape}xf32{layout}>)").regions[0].ops()
    assert state.folds(function.function_type.inputs[0]) == shared


@pytest.mark.parametrize(
    ("type", "static"),
    [
        ("memref<4xf32>", True),
        ("memref<?xf32>", False),
        ("memref<4xf32, strided<[2]>>", False),
        ("memref<*xf32>", False),
        ("tensor<4xf32>", False),
        ("f32", False),
    ],
)
def test_types_of_which_the_place_of_each_element_is_known(type, static):
    (function,) = parse(f"func.func private @f({type})").regions[0].ops()
    assert promises._is_static(function.function_type.inputs[0]) == static


def test_a_long_sum_is_not_searched_to_the_end():
    """Each counter is replaced by its bound, and there is a limit."""
    for count, shown in ((5, True), (20, True), (30, False)):
        rest = number(3 * count)
        for k in range(count):
            rest = terms.sub(rest, counter(0, 4, k=k))
        assert ranges.nonnegative(rest) == shown, count
        assert not ranges.nonnegative(terms.sub(rest, ONE))


def unsigned(how, left, right):
    return make("op", (f"arith.{how}", (), 0), (left, right), type=t.INDEX)


def test_which_unsigned_results_are_not_negative():
    x, n = symbol("x"), symbol("n", op="size")
    c = symbol("c", t.I1)
    three = number(3)
    expected = {
        unsigned("divui", x, three): True,
        unsigned("divui", x, ONE): False,
        unsigned("divui", x, number(-2)): False,
        unsigned("divui", x, n): False,
        unsigned("remui", x, three): True,
        unsigned("remui", x, ONE): True,
        unsigned("remui", x, ZERO): False,
        unsigned("remui", x, n): False,
        unsigned("remsi", x, three): False,
        unsigned("maxui", n, three): True,
        unsigned("maxui", n, x): False,
        unsigned("maxui", unsigned("maxui", n, three), n): True,
        unsigned("maxui", unsigned("maxui", n, x), n): False,
        unsigned("minui", n, three): False,
        make("sel", None, (c, n, three), type=t.INDEX): True,
        make("sel", None, (c, x, three), type=t.INDEX): False,
        make("sel", None, (c, three, x), type=t.INDEX): False,
        make("mod", None, (x, three), type=t.INDEX): True,
        make("mod", None, (x, n), type=t.INDEX): False,
        make("floordiv", None, (n, three), type=t.INDEX): True,
        make("floordiv", None, (x, three), type=t.INDEX): False,
        make("floordiv", None, (n, number(-3)), type=t.INDEX): False,
        make("prod", None, (n, n), type=t.INDEX): True,
        make("prod", None, (n, x), type=t.INDEX): False,
        counter(0, x): True,
        counter(-1, x): False,
        counter(0, x, -1): False,
        counter(0, x, n): True,
    }
    assert {term: ranges.is_never_negative(term) for term in expected} == expected
    assert ranges.nonnegative(x, [x]) and not ranges.nonnegative(terms.sub(x, ONE), [x])
    quotient = unsigned("divui", n, three)
    assert ranges.nonnegative(terms.sub(n, terms.mul(three, quotient)))
    assert ranges.nonnegative(terms.add(terms.sub(terms.mul(three, quotient), n), number(2)))
    assert not ranges.nonnegative(terms.add(terms.sub(terms.mul(three, quotient), n), ONE))
    assert not ranges.nonnegative(terms.sub(x, terms.mul(three, unsigned("divui", x, three))))
    most = unsigned("maxui", n, symbol("m", op="size"))
    assert ranges.nonnegative(terms.sub(most, n)) and not ranges.nonnegative(terms.sub(n, most))
    assert not ranges.nonnegative(terms.sub(unsigned("maxui", n, x), n))


def test_commutative_arguments_are_paired_by_their_likeness():
    choose = random.Random(3)
    x = [symbol(f"x{i}") for i in range(6)]
    y = [symbol(f"y{i}") for i in range(6)]

    def wrapped(i, inner):
        return make("op", (f"math.f{i}", (), 0), (inner,), type=t.INDEX)

    for count in (2, 3, 5, 8):
        for op in ("max", "prod", "and"):
            mine = [wrapped(i, x[i % 6]) for i in range(count)]
            its = [wrapped(i, y[i % 6]) for i in range(count)]
            left = make(op, None, tuple(choose.sample(mine, count)), type=t.INDEX)
            right = make(op, None, tuple(choose.sample(its, count)), type=t.INDEX)
            found = commutation.paired(left, right)
            assert found is not None and sorted(a.id for a, _ in found) == sorted(a.id for a in mine)
            assert sorted(b.id for _, b in found) == sorted(b.id for b in its)
            if count <= commutation.MAX_PAIRED:
                assert {(mine.index(a), its.index(b)) for a, b in found} == {(i, i) for i in range(count)}
    sums = [
        terms.add(terms.add(terms.mul(number(2), a), terms.mul(number(3), b)), number(n))
        for a, b, n in ((x[0], x[1], 4), (y[1], y[0], 4), (y[1], y[0], 5))
    ]
    assert set(commutation.paired(sums[0], sums[1])) == {(x[0], y[1]), (x[1], y[0])}
    assert commutation.paired(sums[0], sums[2]) is None
    shared = make("max", None, (x[0], x[1]), type=t.INDEX), make("max", None, (y[0], x[0]), type=t.INDEX)
    assert set(commutation.paired(*shared)) == {(x[0], x[0]), (x[1], y[0])}
    assert commutation.paired(shared[0], make("max", None, (*x[:3],), type=t.INDEX)) is None
    plain = [make("op", ("math.g", (), k), (x[0], x[1]), type=t.INDEX) for k in (0, 1)]
    assert commutation.paired(*plain) is None
    assert commutation.paired(plain[0], plain[0]) == [(x[0], x[0]), (x[1], x[1])]


def test_uninitialized_contents_are_marked():
    from bufferize.proof import contents

    shape = (number(4),)
    assert contents.undef(shape).undefined and contents.undef(shape, 1).undefined
    assert contents.undef(shape).shape == shape and contents.undef(shape) is not contents.undef(shape, 1)
    assert contents.reshape(contents.undef(shape, 1), (number(2), number(2))).undefined


def test_which_numbers_are_never_above_others():
    n, x = symbol("n", op="size"), symbol("x")
    low, high = counter(0, 5), counter(4, 9, k=1)
    never_above = semantics_scalars._never_above
    assert never_above(low, high) and not never_above(high, low)
    assert never_above(number(3), number(3)) and not never_above(number(4), number(3))
    assert never_above(terms.add(low, number(0)), number(4)) and not never_above(low, number(3))
    for unknown in (n, x, make("min", None, (x, number(3)), type=t.INDEX)):
        for known in (number(-1), number(0), number(9)):
            assert not never_above(unknown, known) and not never_above(known, unknown)
    large = semantics_scalars.MAX_BOUND
    assert never_above(number(1), number(large - 1)) and not never_above(number(1), number(large))
    assert never_above(number(1 - large), number(1)) and not never_above(number(-large), number(1))


def test_places_that_are_not_known():
    x = symbol("x")
    assert state._plus(x, ONE) is terms.add(x, ONE) and state._times(x, x) is terms.mul(x, x)
    for one, other in ((None, x), (x, None), (None, None)):
        assert state._plus(one, other) is None and state._times(one, other) is None
    assert state._times(None, ZERO) is ZERO and state._times(ZERO, None) is ZERO


def loops_in(*loops):
    lines = [
        f"scf.for %i{k} = %{lower} to %{upper} step %{step} {{ }}"
        for k, (lower, upper, step) in enumerate(loops)
    ]
    constants = "\n".join(f"%{n} = arith.constant {n} : index" for n in range(17))
    (function,) = (
        parse(f"func.func @f(%n: index) {{\n{constants}\n" + "\n".join(lines) + "\nreturn }").regions[0].ops()
    )
    return function


@pytest.mark.parametrize(
    ("original", "other", "found"),
    [
        ([(0, 8, 1)], [(0, 8, 1)], {}),
        ([(0, 8, 1)], [(0, 8, 2)], {0: 2}),
        ([(0, 8, 1)], [(0, 8, 4)], {0: 4}),
        ([(0, 8, 2)], [(0, 8, 4)], {0: 2}),
        ([(0, 8, 1)], [(1, 9, 2)], {}),
        ([(0, 8, 1)], [(0, 6, 2)], {}),
        ([(0, 9, 1)], [(0, 8, 2)], {0: 2}),
        ([(0, "n", 1)], [(0, "n", 2)], {}),
        ([(0, 8, "n")], [(0, 8, 2)], {}),
        ([("n", 8, 1)], [("n", 8, 2)], {}),
        ([(0, 5, 1), (0, 8, 1)], [(0, 5, 1), (0, 8, 2)], {1: 2}),
        ([(0, "n", 1), (0, 8, 1)], [(0, "n", 1), (0, 8, 2)], {1: 2}),
        ([(0, 8, 1), (0, 6, 1)], [(0, 8, 2), (0, 6, 3)], {0: 2, 1: 3}),
        ([(0, 8, 1)], [(0, 8, 4), (0, 8, 2)], {0: 2}),
    ],
)
def test_loops_that_were_unrolled(original, other, found):
    one = loops_in(*original)
    at_once = loops.unrolled_loops(one, loops_in(*other))
    assert at_once == found
    every = [op for op in one.walk() if op.name == "scf.for"]
    assert loops.numbered(one, at_once) == {every[k]: times for k, times in found.items()}
    assert loops.unrolled_loops(one, None) == {}


def test_the_place_of_contents_depends_on_their_parts_and_not_on_the_order_of_writes():
    def given(name):
        return make("sym", (name,), shape=(number(4),))

    def written(base, *parts):
        for part, at in parts:
            base = make("ins", 1, (base, part, number(at), number(1), ONE), shape=base.shape)
        return commutation.place_of(base)

    x, y, p, q = map(given, "xypq")
    assert written(x, (p, 0), (q, 1)) == written(x, (q, 1), (p, 0)) == written(x, (p, 2), (q, 3))
    assert (
        len({written(x, (p, 0), (q, 1)), written(y, (p, 0), (q, 1)), written(x, (p, 0)), written(x, (q, 0))})
        == 4
    )
    nothing = make("blank", None, (), shape=(number(4),))
    assert written(nothing, (p, 0)) != written(x, (p, 0))
    assert written(nothing, (p, 0)) == written(make("undef", "u", (), shape=(number(4),)), (p, 0))


def test_which_calls_are_of_unknown_functions():
    module = parse("""
      func.func private @unknown()
      func.func @known() { return }
      func.func @f(%g: () -> ()) {
        func.call @unknown() : () -> ()
        func.call @known() : () -> ()
        func.call_indirect %g() : () -> ()
        return
      }""")
    executor = object.__new__(machine.Executor)
    calls = [op for op in module.walk() if op.name.startswith("func.call") or op.name == "func.return"]

    class Symbols(set):
        calling_unknown = frozenset(["unknown"])

    executor.symbols = Symbols(["unknown", "known"])
    found = [executor.is_unknown_call(op) for op in calls]
    assert found == [False, True, False, True, False]
    executor.symbols = Symbols(["unknown"])
    assert executor.is_unknown_call(calls[2])


@pytest.mark.parametrize(
    ("bound", "trips"),
    [
        ((0, 6, 1), 6), ((0, 7, 3), 3), ((1, 7, 3), 2), ((5, 2, 1), 0), ((0, 0, 1), 0), ((2, 3, 5), 1),
        ((0, 6, 0), None), ((6, 0, -1), None), (("n", 6, 1), None), ((0, "n", 1), None), ((0, 6, "n"), None),
    ],
)  # fmt: skip
def test_the_iterations_of_a_parallel_loop(bound, trips):
    assert parallel._trips([symbol(each) if each == "n" else number(each) for each in bound]) == trips


TILED = [
    # offset, size and stride in each dimension, the shape, and whether iterations over 0 to 8 by 2, and 0 to 3, cover it
    ([("i", 2, 1)], (8,), True),
    ([("i", 1, 1)], (8,), False),
    ([("i", 3, 1)], (8,), True),
    ([("i", 2, 2)], (8,), False),
    ([("i", 2, 1)], (9,), False),
    ([("i", 2, 1)], (7,), True),
    ([("j", 1, 1)], (3,), True),
    ([(0, 8, 1)], (8,), True),
    ([(0, 7, 1)], (8,), False),
    ([(1, 8, 1)], (8,), False),
    ([("i", 2, 1), ("j", 1, 1)], (8, 3), True),
    ([("i", 2, 1), (0, 5, 1)], (8, 5), True),
    ([("j", 1, 1), ("j", 1, 1)], (3, 3), False),
    ([("i", 2, 1), (0, 5, 1)], (8, "m"), False),
    ([("i", 2, 1), (0, "m", 1)], (8, "m"), True),
    ([("k", 2, 1)], (8,), False),
    ([("i+1", 2, 1)], (8,), False),
    ([("i+j", 2, 1)], (8,), False),
]


@pytest.mark.parametrize(("box", "shape", "covers"), TILED)
def test_iterations_that_together_cover_a_shape(box, shape, covers):
    i, j, k, m = (
        counter(0, 8, 2),
        counter(0, 3, 1, k=1),
        counter(0, symbol("n"), 2, k=2),
        symbol("m", op="size"),
    )
    named = {"i": i, "j": j, "k": k, "m": m, "i+1": terms.add(i, ONE), "i+j": terms.add(i, j)}
    columns = [
        tuple(named[each] if isinstance(each, str) else number(each) for each in column)
        for column in zip(*box, strict=True)
    ]
    sizes = [named[each] if isinstance(each, str) else number(each) for each in shape]
    assert parallel._tiles(tuple(columns), sizes, (i, j, k), 1) is covers


FOLLOWED = [
    # sizes of an input at d0 + d1, of a window and of the result, and whether all indices are in bounds for certain
    ((7, 3, 5), True),
    ((8, 3, 5), True),
    ((6, 3, 5), False),
    ((7, 1, 5), True),
    ((5, 1, 5), True),
    ((4, 1, 5), False),
    ((7, 0, 5), True),
    (("m", 3, 5), False),
    ((7, "m", 5), False),
    ((7, 3, "m"), False),
    (("m", "m", "m"), False),
]


@pytest.mark.parametrize(("sizes", "is_followed"), FOLLOWED)
def test_sums_of_loops_are_in_bounds_of_constant_sizes(sizes, is_followed):
    module = parse("""
      func.func @f(%a: tensor<7xf32>, %w: tensor<3xf32>, %o: tensor<5xf32>) {
        %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
            affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
            ins(%a, %w : tensor<7xf32>, tensor<3xf32>) outs(%o : tensor<5xf32>) {
        ^bb0(%x: f32, %y: f32, %p: f32):
          linalg.yield %x : f32
        } -> tensor<5xf32>
        return
      }""")
    (op,) = (op for op in module.walk() if op.name == "linalg.generic")
    m = symbol("m", op="size")
    shapes = [None if n is None else (m if n == "m" else number(n),) for n in sizes]
    given = tuple(enumerate(shapes))
    assert semantics_structured._is_followed(op, given) is is_followed
    assert semantics_structured._loop_sizes(op, given) == [], "each loop goes over one size"


def test_sizes_that_one_loop_goes_over():
    module = parse("""
      func.func @f(%a: tensor<3x4xf32>, %b: tensor<4xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
        %r = linalg.matvec ins(%a, %b : tensor<3x4xf32>, tensor<4xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32>
      }""")
    (op,) = (op for op in module.walk() if op.name == "linalg.matvec")
    m, n, k, l = (symbol(name, op="size") for name in "mnkl")  # noqa: E741
    found = semantics_structured._loop_sizes(op, ((0, (m, n)), (1, (k,)), (2, (l,))))
    assert found == [(n, k), (m, l)]
    assert semantics_structured._loop_sizes(op, ((0, (m, n)), (1, (n,)), (2, None))) == []
    assert semantics_structured._single_loops(
        op, [SimpleNamespace(shape=(ONE, n)), SimpleNamespace(shape=(ONE,)), 1]
    ) == {0, 1}
    assert semantics_structured._single_loops(op, [SimpleNamespace(shape=(m, n))] * 3) == set()


def test_the_operands_that_a_result_depends_on():
    """Operand 0 is an input, 1 and 2 are destinations: what one result is computed from is also what the elements of its own are."""

    def element(i, level=1):
        return make("element", (level, i), type=t.F32, level=level)

    def body(*args):
        return make("body", None, (make("op", ("arith.addf", (), 0), args, type=t.F32),), level=1)

    a, p, q = map(element, range(3))
    for first, second, found in [
        (body(a, a), body(q, q), [{0}, {2}]),
        (body(a, p), body(q, q), [{0, 1}, {2}]),
        (body(a, p), body(p, q), [{0, 1}, {0, 1, 2}]),
        (body(p, q), body(a, a), [{0, 1, 2}, {0}]),
        (body(p, p), body(p, element(0, level=2)), [{1}, {1}]),
    ]:
        bodies = first, second
        assert [semantics_structured._elements_in(bodies, k, 1, 1) for k in (0, 1)] == found
