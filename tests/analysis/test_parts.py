"""Parts of a buffer against their elements, listed one by one."""

import random
from itertools import product

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions, across_iterations
from bufferize.analysis.one_shot.across_iterations import disjoint_sets
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.semantics.boxes import BoxPart, Range, cover, disjoint, inside, steps_disjoint, then

ATOMS = ("n", "m")


def random_form(r: random.Random, low: int, high: int):
    form = {None: r.randint(low, high)}
    for atom in ATOMS:
        if r.random() < 0.3:
            form[atom] = r.choice((1, 2))
    return {atom: factor for atom, factor in form.items() if factor}


def random_part(r: random.Random, rank: int) -> BoxPart:
    ranges = tuple(
        Range(random_form(r, 0, 6), random_form(r, 0, 4), r.choice((1, 1, 1, 2, 3))) for _ in range(rank)
    )
    return BoxPart(ranges, tuple(range(rank)))


def number(form, values) -> int:
    return sum(factor * (1 if atom is None else values[atom]) for atom, factor in form.items())


def elements(part: BoxPart, values) -> set[tuple[int, ...]]:
    axes = [
        [number(r.offset, values) + i * r.stride for i in range(number(r.size, values))] for r in part.ranges
    ]
    return set(product(*axes))


def atoms_of(part: BoxPart) -> set[object]:
    return {atom for r in part.ranges for form in (r.offset, r.size) for atom in form} - {None}


def valuations():
    return [dict(zip(ATOMS, numbers, strict=True)) for numbers in product(range(3), repeat=len(ATOMS))]


def compare_pairs(seed: int, count: int) -> int:
    r = random.Random(seed)
    found = 0
    for _ in range(count):
        rank = r.choice((1, 2))
        one, other = random_part(r, rank), random_part(r, rank)
        apart = disjoint_sets(one, other)
        if disjoint(one, other) or apart:
            found += 1
            assert all(not elements(one, v) & elements(other, v) for v in valuations())
        elif not atoms_of(one) and not atoms_of(other):
            assert elements(one, {}) & elements(other, {})
        assert apart or not disjoint(one, other)
        if inside(one, other):
            assert all(elements(one, v) <= elements(other, v) for v in valuations())
    return found


def test_parts_said_to_be_disjoint_share_no_element():
    assert compare_pairs(1, 800) > 80


def test_parts_that_share_their_first_element_are_not_disjoint_sets(monkeypatch):
    """What is decided without `islpy` is what `islpy` decides."""
    pytest.importorskip("islpy")
    r = random.Random(4)
    pairs = [tuple(random_part(r, rank) for _ in range(2)) for rank in (1, 2) for _ in range(400)]
    shared = [pair for pair in pairs if across_iterations._share_first_element(*pair)]
    assert len(shared) > 150
    monkeypatch.setattr(across_iterations, "_share_first_element", lambda *pair: False)
    assert not any(disjoint_sets(*pair) for pair in shared)


def test_elements_at_a_constant_and_at_any_index_may_be_one(monkeypatch):
    monkeypatch.setattr(across_iterations, "_is_empty", None)  # decided without `islpy`
    one, other = (BoxPart((Range(offset, {None: 1}),), (0,)) for offset in ({}, {"n": 1}))
    assert not disjoint_sets(one, other)
    assert not disjoint_sets(other, one)


@pytest.mark.long
def test_ten_thousand_pairs():
    assert compare_pairs(2, 10_000) > 1000


def test_constant_parts_are_told_apart_whenever_one_dimension_does_it():
    r = random.Random(3)
    for _ in range(1000):
        one, other = (
            BoxPart(tuple(Range({None: r.randint(1, 9)}, {None: r.randint(1, 4)}) for _ in range(2)), (0, 1))
            for _ in range(2)
        )
        assert disjoint(one, other) == (not elements(one, {}) & elements(other, {}))


def test_a_part_of_a_part_is_the_elements_of_both():
    r = random.Random(4)
    for _ in range(300):
        outer = BoxPart((Range({None: r.randint(0, 5)}, {None: 6}, r.choice((1, 2))),), (0,))
        inner = BoxPart((Range({None: r.randint(0, 2)}, {None: r.randint(0, 2)}, r.choice((1, 2))),), (0,))
        (composed,) = then(then((), outer), inner)
        places = sorted(elements(outer, {}))
        expected = {places[i] for (i,) in elements(inner, {}) if i < len(places)}
        assert isinstance(composed, BoxPart)
        assert {e for e in elements(composed, {}) if e <= places[-1]} == expected


def test_ways_that_differ_before_a_reshape_are_not_compared_behind_it():
    whole = BoxPart((Range({}, {None: 4}),), (0,))
    assert not steps_disjoint((whole,), (whole,))


@pytest.mark.parametrize(
    ("parts", "size", "covered"),
    [
        ([({}, {"n": 1}), ({"n": 1}, {"m": 1})], {"n": 1, "m": 1}, True),
        ([({"n": 1}, {"m": 1}), ({}, {"n": 1})], {"n": 1, "m": 1}, True),
        ([({}, {"n": 1}), ({"n": 1}, {"m": 1})], {"n": 2}, False),
        ([({}, {"n": 1}), ({"m": 1}, {"m": 1})], {"n": 1, "m": 1}, False),
        ([({}, {None: 3}), ({None: 2}, {None: 2})], {None: 4}, True),
        ([({}, {None: 1}), ({None: 2}, {None: 2})], {None: 4}, False),
    ],
)
def test_parts_cover_a_tensor(parts, size, covered):
    boxes = [BoxPart((Range(offset, extent),), (0,)) for offset, extent in parts]
    assert cover(boxes, [size]) == covered


def test_covering_by_constants_is_covering_of_elements():
    r = random.Random(5)
    outcomes = set()
    for _ in range(400):
        parts = [
            BoxPart(tuple(Range({None: r.randint(0, 1)}, {None: r.randint(1, 3)}) for _ in range(2)), (0, 1))
            for _ in range(r.randint(1, 4))
        ]
        everything = set(product(range(3), repeat=2))
        expected = everything <= set().union(*(elements(p, {}) for p in parts))
        assert cover(parts, [{None: 3}, {None: 3}]) == expected
        outcomes.add(expected)
    assert outcomes == {True, False}


LOOP = """\
func.func @f(%t: tensor<64xf32>) -> tensor<64xf32> {{
  %low = arith.constant {0} : index
  %high = arith.constant {1} : index
  %step = arith.constant {2} : index
  %r = scf.for %i = %low to %high step %step iter_args(%x = %t) -> (tensor<64xf32>) {{
    %from = affine.apply affine_map<(d0) -> (d0 * {3} + {4})>(%i)
    %to = affine.apply affine_map<(d0) -> (d0 * {5} + {6})>(%i)
    %v = tensor.extract %t[%from] : tensor<64xf32>
    %w = tensor.insert %v into %x[%to] : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }}
  return %r : tensor<64xf32>
}}
"""


@pytest.mark.parametrize("seed", range(3))
def test_what_a_loop_overwrites_after_reading_it_is_not_copied(seed):
    r = random.Random(seed)
    outcomes = set()
    for _ in range(8):
        low, count, step = r.randint(0, 3), r.randint(2, 6), r.choice((1, 2, 3))
        a, b, c, d = r.choice((1, 2)), r.randint(0, 9), r.choice((1, 2)), r.randint(0, 9)
        iterations = range(low, low + count * step, step)
        met = any(w * c + d == i * a + b for i in iterations for w in iterations if w < i)
        module = parse(LOOP.format(low, low + count * step, step, a, b, c, d))
        result = analyze(module, AnalysisOptions(bufferize_function_boundaries=True, compare_parts=True))
        assert any(copy.with_contents for copy in result.plan()) == met
        outcomes.add(met)
    assert outcomes == {True, False}


BODIES = {
    "read_first": ("%v = tensor.extract %t[%i] : !v\n%w = tensor.insert %v into %x[%i] : !v", False),
    "written_first": (
        "%z = arith.constant 0.0 : f32\n%u = tensor.insert %z into %x[%i] : !v\n"
        "%v = tensor.extract %t[%i] : !v\n%w = tensor.insert %v into %u[%i] : !v",
        True,
    ),
    "next_is_written": (
        "%j = arith.addi %i, %one : index\n%v = tensor.extract %t[%i] : !v\n%w = tensor.insert %v into %x[%j] : !v",
        True,
    ),
    "other_branch": (
        "%z = arith.constant 0.0 : f32\n%w = scf.if %c -> (!v) {\n%u = tensor.insert %z into %x[%i] : !v\nscf.yield %u : !v\n"
        "} else {\n%v = tensor.extract %t[%i] : !v\n%u = tensor.insert %v into %x[%i] : !v\nscf.yield %u : !v\n}",
        False,
    ),
    "again_in_an_inner_loop": (
        "%w = scf.for %k = %zero to %n step %one iter_args(%y = %x) -> (!v) {\n"
        "%v = tensor.extract %t[%i] : !v\n%d = arith.addf %v, %v : f32\n%u = tensor.insert %d into %y[%i] : !v\nscf.yield %u : !v\n}",
        True,
    ),
    "elementwise": (
        "%s = tensor.extract_slice %t[%i] [4] [1] : !v to !s\n%o = tensor.extract_slice %x[%i] [4] [1] : !v to !s\n"
        "%e = linalg.exp ins(%s : !s) outs(%o : !s) -> !s\n%w = tensor.insert_slice %e into %x[%i] [4] [1] : !s into !v",
        True,  # of four elements, three are read again
    ),
    "elementwise_apart": (
        "%f = arith.muli %i, %four : index\n%s = tensor.extract_slice %t[%f] [4] [1] : !v to !s\n"
        "%o = tensor.extract_slice %x[%f] [4] [1] : !v to !s\n"
        "%e = linalg.exp ins(%s : !s) outs(%o : !s) -> !s\n%w = tensor.insert_slice %e into %x[%f] [4] [1] : !s into !v",
        False,
    ),
    "backwards_in_place": (
        "%f = arith.muli %i, %four : index\n%s = tensor.extract_slice %t[%f] [4] [1] : !v to !s\n"
        "%o = tensor.extract_slice %x[%f] [4] [1] : !v to !s\n"
        '%e = linalg.generic {indexing_maps = [affine_map<(d) -> (3 - d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}'
        " ins(%s : !s) outs(%o : !s) {\n^bb0(%a: f32, %b: f32):\nlinalg.yield %a : f32\n} -> !s\n"
        "%w = tensor.insert_slice %e into %x[%f] [4] [1] : !s into !v",
        True,
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_an_iteration_that_reads_before_it_writes_needs_no_copy(name):
    pytest.importorskip("islpy")
    body, is_copied = BODIES[name]
    module = parse(
        "!v = tensor<64xf32>\n!s = tensor<4xf32>\nfunc.func @f(%t: !v, %n: index, %c: i1) -> !v {\n"
        "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n%four = arith.constant 4 : index\n"
        f"%r = scf.for %i = %zero to %n step %one iter_args(%x = %t) -> (!v) {{\n{body}\nscf.yield %w : !v\n}}\nreturn %r : !v\n}}"
    )
    result = analyze(module, AnalysisOptions(bufferize_function_boundaries=True, compare_parts=True))
    assert any(copy.with_contents for copy in result.plan()) == is_copied


NEST = """\
func.func @f(%t: tensor<64xf32>, %z: f32) -> tensor<64xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<64xf32>) {{
    %m = affine.apply affine_map<(d0) -> ({bound})>(%i)
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%y = %x) -> (tensor<64xf32>) {{
      %from = affine.apply affine_map<(d0, d1) -> (d0 * {0} + d1 * {1} + {2})>(%i, %j)
      %to = affine.apply affine_map<(d0, d1) -> (d0 * {3} + d1 * {4} + {5})>(%i, %j)
      {body}
      scf.yield %w : tensor<64xf32>
    }}
    scf.yield %q : tensor<64xf32>
  }}
  return %r : tensor<64xf32>
}}
"""
READ_FIRST = (
    "%v = tensor.extract %t[%from] : tensor<64xf32>\n%w = tensor.insert %v into %y[%to] : tensor<64xf32>"
)
WRITTEN_FIRST = (
    "%u = tensor.insert %z into %y[%to] : tensor<64xf32>\n%v = tensor.extract %t[%from] : tensor<64xf32>\n"
    "%w = tensor.insert %v into %u[%c0] : tensor<64xf32>"
)


@pytest.mark.parametrize("body", [READ_FIRST, WRITTEN_FIRST])
def test_iterations_of_nested_loops_are_compared_in_lexicographic_order(body):
    pytest.importorskip("islpy")
    r = random.Random(3)
    outcomes = set()
    for _ in range(14):
        n, triangular = r.randint(2, 4), r.random() < 0.5
        read = [r.choice((0, 1, 4)), r.choice((0, 1, 2)), r.randint(1, 4)]
        write = read if r.random() < 0.4 else [r.choice((0, 1, 4)), r.choice((0, 1, 2)), r.randint(1, 4)]
        steps = [(i, j) for i in range(n) for j in range(i + 1 if triangular else n)]
        met = any(
            w[0] * write[0] + w[1] * write[1] + write[2] == i * read[0] + j * read[1] + read[2]
            for i, j in steps
            for w in steps
            if (w < (i, j) if body is READ_FIRST else w <= (i, j))
        )
        text = NEST.format(*read, *write, n=n, bound="d0 + 1" if triangular else str(n), body=body)
        result = analyze(parse(text), AnalysisOptions(bufferize_function_boundaries=True, compare_parts=True))
        assert any(copy.with_contents for copy in result.plan()) == met, text
        outcomes.add(met)
    assert outcomes == {True, False}


def test_sets_that_begin_at_one_element_are_not_empty():
    pytest.importorskip("islpy")
    r = random.Random(5)
    found = 0
    for _ in range(400):
        rank = r.choice((1, 2))
        read, write = random_part(r, rank), random_part(r, rank)
        if r.random() < 0.5:
            write = read
        if across_iterations._share_first_element(read, write):
            text = across_iterations._Emptiness(lambda atom: atom == "n").text(read, write)
            assert text is not None and not across_iterations._is_empty(text)
            found += 1
    assert found > 100
