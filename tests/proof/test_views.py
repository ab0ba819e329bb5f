"""Elements and sizes that are reached through views, and by other views or indices: what is equal is proved, and wrong twins are not."""

import pytest
from bufferize import parse
from bufferize.proof import semantics_views as views
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import certificate_of, check_certificate
from bufferize.proof.state import Base, Pointer
from bufferize.proof.terms import ONE, ZERO, make, number

from .test_arithmetic import fresh_terms

__all__ = ["fresh_terms"]

M, D = "memref<4x6xf32>", "memref<?x?xf32>"


def reading(body, place):
    """A function that writes one element of a buffer, and reads it again."""
    return (
        "func.func @f(%f: f32, %g: f32) -> f32 {\n  %i = arith.constant 1 : index\n  %j = arith.constant 2 : index\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
        f"  %p = arith.constant {place[0]} : index\n  %q = arith.constant {place[1]} : index\n"
        f"  %m = memref.alloc() : {M}\n  linalg.fill ins(%g : f32) outs(%m : {M})\n"
        f"  memref.store %f, %m[%p, %q] : {M}\n{body}\n  memref.dealloc %m : {M}\n  return %x : f32\n}}"
    )


AT = f"%x = memref.load %m[%i, %j] : {M}"
MOVED = f"%k = arith.addi %i, %c1 : index\n%l = arith.addi %j, %c2 : index\n%x = memref.load %m[%k, %l] : {M}"
PART = (
    f"%s = memref.subview %m[%c1, %c2] [3, 4] [1, 1] : {M} to memref<3x4xf32, strided<[6, 1], offset: ?>>\n"
    "%x = memref.load %s[%i, %j] : memref<3x4xf32, strided<[6, 1], offset: ?>>"
)
ROW = (
    f"%s = memref.subview %m[%i, 0] [1, 6] [1, 1] : {M} to memref<6xf32, strided<[1], offset: ?>>\n"
    "%x = memref.load %s[%j] : memref<6xf32, strided<[1], offset: ?>>"
)
COLUMN = (
    f"%s = memref.subview %m[0, %j] [4, 1] [1, 1] : {M} to memref<4xf32, strided<[6], offset: ?>>\n"
    "%x = memref.load %s[%i] : memref<4xf32, strided<[6], offset: ?>>"
)
EVERY_OTHER = (
    f"%s = memref.subview %m[0, 0] [2, 3] [2, 2] : {M} to memref<2x3xf32, strided<[12, 2]>>\n"
    "%x = memref.load %s[%i, %j] : memref<2x3xf32, strided<[12, 2]>>"
)
DOUBLED = (
    f"%k = arith.muli %i, %c2 : index\n%l = arith.muli %j, %c2 : index\n%x = memref.load %m[%k, %l] : {M}"
)
TURNED = (
    f"%s = memref.transpose %m (a, b) -> (b, a) : {M} to memref<6x4xf32, strided<[1, 6]>>\n"
    "%x = memref.load %s[%j, %i] : memref<6x4xf32, strided<[1, 6]>>"
)
AGAIN = (
    f"%s = memref.reinterpret_cast %m to offset: [0], sizes: [4, 6], strides: [6, 1] : {M} to memref<4x6xf32, strided<[6, 1]>>\n"
    "%x = memref.load %s[%i, %j] : memref<4x6xf32, strided<[6, 1]>>"
)
FIRST_ROWS = AGAIN.replace("4, 6]", "2, 6]").replace("4x6xf32, strided", "2x6xf32, strided")
TWO_ROWS = (
    f"%s = memref.subview %m[0, 0] [2, 6] [1, 1] : {M} to memref<2x6xf32, strided<[6, 1]>>\n"
    "%x = memref.load %s[%i, %j] : memref<2x6xf32, strided<[6, 1]>>"
)
FLAT = (
    f"%s = memref.collapse_shape %m [[0, 1]] : {M} into memref<24xf32>\n"
    "%k = affine.apply affine_map<(d0, d1) -> (d0 * 6 + d1)>(%i, %j)\n%x = memref.load %s[%k] : memref<24xf32>"
)
SPLIT = (
    f"%s = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 6] : {M} into memref<2x2x6xf32>\n"
    "%x = memref.load %s[%c1, %i, %j] : memref<2x2x6xf32>"
)
CAST = f"%s = memref.cast %m : {M} to {D}\n%x = memref.load %s[%i, %j] : {D}"
ELEMENTS = {
    # the element, how it is read first and then, and replacements after which another one is read
    "a part": ((2, 4), MOVED, PART, [("%c2] [3", "%c1] [3"), ("%c1, %c2", "%c0, %c2")]),
    "a row": ((1, 2), AT, ROW, [("[%i, 0]", "[%j, 0]"), ("%s[%j]", "%s[%i]")]),
    "a column": ((1, 2), AT, COLUMN, [("[0, %j]", "[0, %i]"), ("%s[%i]", "%s[%j]")]),
    "strides": ((2, 4), DOUBLED, EVERY_OTHER, [("%s[%i, %j]", "%s[%i, %i]"), ("%s[%i, %j]", "%s[%c0, %j]")]),
    "transposed": ((1, 2), TURNED, TURNED, [("%s[%j, %i]", "%s[%i, %j]")]),
    "the same layout": ((1, 2), AT, AGAIN, [("%s[%i, %j]", "%s[%j, %i]")]),
    "fewer rows of one layout": ((1, 2), TWO_ROWS, FIRST_ROWS, [("%s[%i, %j]", "%s[%i, %i]")]),
    "in one dimension": ((1, 2), FLAT, FLAT, [("d0 * 6", "d0 * 5"), ("(%i, %j)", "(%j, %i)")]),
    "in three dimensions": ((3, 2), SPLIT, SPLIT, [("%c1, %i, %j", "%c1, %c0, %j"), ("%c1, %i", "%c0, %i")]),
    "a cast": ((1, 2), AT, CAST, [("%s[%i, %j]", "%s[%j, %i]")]),
}  # fmt: skip


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_behind_views(name):
    place, before, after, wrong = ELEMENTS[name]
    text = reading(after, place)
    original, changed = parse(reading(before, place)), parse(text)
    proof = prove_modules(original, changed)
    assert proof.proved, [question.text for question in proof.questions]
    check_certificate(original, changed, certificate_of(original, changed, proof, leaks=True))
    for old, new in wrong:
        assert old in text
        assert not prove_modules(original, parse(text.replace(old, new))).proved, (old, new)


CLAIMS = {
    "a size": ("%m: memref<?xf32>", "memref.cast %m : memref<?xf32> to memref<4xf32>"),
    "another size": ("%m: memref<?xf32>", "memref.cast %m : memref<?xf32> to memref<5xf32>"),
    "a stride": (
        "%m: memref<4xf32, strided<[?]>>",
        "memref.cast %m : memref<4xf32, strided<[?]>> to memref<4xf32, strided<[2]>>",
    ),
    "an offset": (
        "%m: memref<4xf32, strided<[1], offset: ?>>",
        "memref.cast %m : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 3>>",
    ),
    "rows without gaps": (
        "%m: memref<4x?xf32, strided<[4, 1]>>",
        "memref.cast %m : memref<4x?xf32, strided<[4, 1]>> to memref<4x?xf32>",
    ),
    "contiguous rows": (
        "%m: memref<2x3xf32, strided<[?, 1]>>",
        "memref.collapse_shape %m [[0, 1]] : memref<2x3xf32, strided<[?, 1]>> into memref<6xf32, strided<[1]>>",
    ),
    "a layout": (
        "%m: memref<4xf32>",
        "memref.reinterpret_cast %m to offset: [2], sizes: [3], strides: [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 2>>",
    ),
    "other objects": (
        "%m: memref<4xf32>, %k: memref<4xf32>",
        "memref.distinct_objects %m, %k : memref<4xf32>, memref<4xf32>",
    ),
}  # fmt: skip


def claiming(arguments, claim):
    made = "%r, %q = " if claim.count("%k") else "%r = "
    return parse(f"func.func @f({arguments}) {{\n  {made + claim if claim else ''}\n  return\n}}")


@pytest.mark.parametrize("name", CLAIMS)
def test_what_a_view_claims_is_proved_only_if_the_original_claims_it(name):
    arguments, claim = CLAIMS[name]
    with_claim, without = claiming(arguments, claim), claiming(arguments, "")
    assert prove_modules(with_claim, claiming(arguments, claim)).proved
    assert prove_modules(with_claim, without).proved
    assert not prove_modules(without, with_claim).proved
    for other, (its_arguments, its_claim) in CLAIMS.items():
        if other != name and its_arguments == arguments:
            assert not prove_modules(claiming(arguments, its_claim), with_claim).proved


def pointer(shape, strides, offset=0):
    base = object.__new__(Base)
    sizes, steps = (None if each is None else numbers(*each) for each in (shape, strides))
    return Pointer(base, (), sizes, steps, None if offset is None else number(offset))


def numbers(*each):
    return tuple(map(number, each))


LAYOUTS = [
    (((4,), (1,)), 0, (3,), (1,), ((0,), (3,), (1,))),
    (((4,), (1,)), 2, (3,), (1,), ((2,), (3,), (1,))),
    (((4,), (1,), 1), 2, (3,), (1,), ((1,), (3,), (1,))),
    (((4,), (2,)), 0, (3,), (2,), ((0,), (3,), (1,))),
    (((4,), (2,)), 2, (3,), (2,), None),
    (((4,), (1,)), 0, (2,), (2,), None),
    (((4, 6), (6, 1)), 0, (2, 6), (6, 1), ((0, 0), (2, 6), (1, 1))),
    (((4, 6), (6, 1)), 1, (2, 6), (6, 1), None),
    (((4, 6, 2), (12, 2, 1)), 0, (2, 6, 1), (12, 2, 1), ((0, 0, 0), (2, 6, 1), (1, 1, 1))),
    (((), ()), 0, (), (), None),
    (((4,), (1,), None), 0, (3,), (1,), None),
    ((None, None), 0, (3,), (1,), None),
]


@pytest.mark.parametrize(("given", "offset", "sizes", "strides", "box"), LAYOUTS)
def test_the_box_of_a_layout_with_the_same_strides(given, offset, sizes, strides, box):
    found = views._box_of_layout(pointer(*given), number(offset), numbers(*sizes), numbers(*strides))
    assert found == (None if box is None else tuple(numbers(*column) for column in box))


INSIDE = [
    ((4, 6), 0, (4, 6), (6, 1), True),
    ((4, 6), 0, (4, 7), (6, 1), False),
    ((4, 6), 1, (4, 6), (6, 1), False),
    ((4, 6), 0, (24,), (1,), True),
    ((4, 6), 1, (23,), (1,), True),
    ((4, 6), 1, (24,), (1,), False),
    ((4, 6), 23, (24,), (-1,), True),
    ((4, 6), 22, (24,), (-1,), False),
    ((4, 6), 5, (2, 3), (6, -1), True),
    ((4, 6), 1, (2, 3), (6, -1), False),
    ((4, 6), 99, (0, 3), (6, 1), True),
    ((4, 6), 0, (1,), (99,), True),
]


@pytest.mark.parametrize(("shape", "offset", "sizes", "strides", "inside"), INSIDE)
def test_a_constant_layout_stays_in_its_allocation(shape, offset, sizes, strides, inside):
    ref = pointer(shape, (6, 1))
    ref.base.shape = numbers(*shape)
    assert views._stays_inside(ref, number(offset), numbers(*sizes), numbers(*strides)) is inside
    unknown = make("sym", ("x",), type=ONE.type)
    assert not views._stays_inside(ref, unknown, numbers(*sizes), numbers(*strides))
    other = pointer(shape, (1, 4))
    other.base.shape = numbers(*shape)
    assert not views._stays_inside(other, ZERO, numbers(*sizes), numbers(*strides))
    ref.base.shape = None
    assert not views._stays_inside(ref, number(offset), numbers(*sizes), numbers(*strides))


UNRANKED = """
func.func @f(%m: memref<*xf32>, %i: index) -> f32 {{
  %c = memref.cast %m : memref<*xf32> to memref<4x?xf32{0}>
  %r = memref.load %c[%i, %i] : memref<4x?xf32{0}>
  return %r : f32
}}"""


@pytest.mark.parametrize("claimed", ["", ", strided<[?, 1]>", ", strided<[?, ?], offset: 2>"])
def test_a_layout_of_memory_of_unknown_rank_is_claimed_only_if_the_original_claims_it(claimed):
    with_claim, without = (UNRANKED.format(layout) for layout in (claimed, ", strided<[?, ?], offset: ?>"))
    assert prove_modules(parse(with_claim), parse(with_claim)).proved
    assert prove_modules(parse(with_claim), parse(without)).proved
    assert not prove_modules(parse(without), parse(with_claim)).proved
