"""Places of views: what is called one place has the same addresses, by numpy; ways that differ in the views between are recognised."""

from math import prod

import numpy as np
import pytest
from bufferize import parse
from bufferize.analysis.strided_places import are_one_place
from hypothesis import given, settings, strategies as st


class Views:
    """Random views of one buffer: their text, and what numpy sees through them, where `%i` is 1."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.lines: list[str] = []
        memory = np.arange(prod(shape)).reshape(shape)
        self.known = [("%m", memory, memref(memory))]

    def add(self, draw: st.DrawFn) -> None:
        name, array, type = draw(st.sampled_from(self.known))
        kind = draw(st.sampled_from(["subview", "reduced", "expand", "collapse", "transpose"]))
        seen = getattr(self, kind)(draw, name, array, type)
        if seen is not None:
            text, view = seen
            result = f"%{len(self.known)}"
            self.lines.append(f"{result} = {text} {memref(view)}")
            self.known.append((result, view, memref(view)))

    def subview(
        self, draw: st.DrawFn, name: str, array: np.ndarray, type: str, reduce: bool = False
    ) -> object:
        offsets = [draw(st.integers(0, n - 1)) for n in array.shape]
        strides = [draw(st.integers(1, 2)) for _ in array.shape]
        sizes = [
            draw(st.integers(1, -(-(n - o) // s)))
            for n, o, s in zip(array.shape, offsets, strides, strict=True)
        ]
        view = array[
            tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, strides, strict=True))
        ]
        if reduce:
            ones = tuple(i for i, n in enumerate(sizes) if n == 1)
            view = np.squeeze(view, ones[:1]) if ones else view
        shown = ["%i" if o == 1 and draw(st.booleans()) else str(o) for o in offsets]
        return f"memref.subview {name}[{', '.join(shown)}] {sizes} {strides} : {type} to", view

    def reduced(self, draw: st.DrawFn, name: str, array: np.ndarray, type: str) -> object:
        return self.subview(draw, name, array, type, reduce=True)

    def expand(self, draw: st.DrawFn, name: str, array: np.ndarray, type: str) -> object:
        if not array.ndim:
            return None
        dim = draw(st.integers(0, array.ndim - 1))
        by = draw(st.sampled_from([n for n in range(1, array.shape[dim] + 1) if array.shape[dim] % n == 0]))
        shape = (*array.shape[:dim], array.shape[dim] // by, by, *array.shape[dim + 1 :])
        strides = (*array.strides[:dim], array.strides[dim] * by, *array.strides[dim:])
        groups = [[i] if i < dim else [i, i + 1] if i == dim else [i + 1] for i in range(array.ndim)]
        view = np.lib.stride_tricks.as_strided(array, shape, strides)
        return f"memref.expand_shape {name} {groups} output_shape {list(shape)} : {type} into", view

    def collapse(self, draw: st.DrawFn, name: str, array: np.ndarray, type: str) -> object:
        if array.ndim < 2:
            return None
        dim = draw(st.integers(0, array.ndim - 2))
        if array.strides[dim] != array.strides[dim + 1] * array.shape[dim + 1]:
            return None
        groups = [[i] if i < dim else [i, i + 1] if i == dim else [i + 1] for i in range(array.ndim - 1)]
        shape = (*array.shape[:dim], array.shape[dim] * array.shape[dim + 1], *array.shape[dim + 2 :])
        strides = (*array.strides[:dim], *array.strides[dim + 1 :])
        view = np.lib.stride_tricks.as_strided(array, shape, strides)
        return f"memref.collapse_shape {name} {groups} : {type} into", view

    def transpose(self, draw: st.DrawFn, name: str, array: np.ndarray, type: str) -> object:
        order = draw(st.permutations(range(array.ndim)))
        dims = ", ".join(f"d{i}" for i in range(array.ndim))
        to = ", ".join(f"d{i}" for i in order)
        return f"memref.transpose {name} ({dims}) -> ({to}) : {type} to", array.transpose(order)


def memref(array: np.ndarray) -> str:
    return f"memref<{'x'.join(map(str, array.shape))}{'x' if array.ndim else ''}f32, strided<[{', '.join('?' for _ in array.shape)}], offset: ?>>"


@st.composite
def views(draw: st.DrawFn) -> Views:
    found = Views(draw(st.sampled_from([(4, 6), (2, 3, 4), (12,), (1, 8), (2, 2, 2, 2)])))
    for _ in range(draw(st.integers(2, 10))):
        found.add(draw)
    return found


@settings(max_examples=150, deadline=None)
@given(views())
def test_one_place_has_the_same_addresses(found: Views) -> None:
    body = "\n".join(found.lines)
    uses = ", ".join(name for name, _, _ in found.known)
    types = ", ".join(type for _, _, type in found.known)
    module = parse(
        f'func.func @f(%m: {found.known[0][2]}, %i: index) {{\n{body}\n"test.use"({uses}) : ({types}) -> ()\nreturn }}',
        allow_unregistered=True,
    )
    use = next(op for op in module.walk() if op.name == "test.use")
    values = list(use.operands)
    for one, (_, a, _) in zip(values, found.known, strict=True):
        for other, (_, b, _) in zip(values, found.known, strict=True):
            if a.shape == b.shape and are_one_place(one, other):
                assert (a == b).all()


PAIRS = """
func.func @f(%m: memref<8x16xf32>, %d: memref<8x16xf32, strided<[?, ?], offset: ?>>, %i: index, %j: index, %k: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  BODY
  "test.use"(%x, %y) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) -> ()
  return
}
"""
ROW = "memref.subview %d[%i, 4] [1, 4] [1, 1] : memref<8x16xf32, strided<[?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>"
THROUGH_EXPANSION = """
  %e = memref.expand_shape %d [[0], [1, 2]] output_shape [8, 4, 4] : memref<8x16xf32, strided<[?, ?], offset: ?>> into memref<8x4x4xf32, strided<[?, ?, ?], offset: ?>>
  %y = memref.subview %e[%i, AT, 0] [1, 1, 4] [1, 1, 1] : memref<8x4x4xf32, strided<[?, ?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
"""
THROUGH_ROW = """
  %r = memref.subview %d[%i, 1] [1, 12] [1, 1] : memref<8x16xf32, strided<[?, ?], offset: ?>> to memref<1x12xf32, strided<[?, ?], offset: ?>>
  %y = memref.subview %r[0, 3] [1, 4] [1, STEP] : memref<1x12xf32, strided<[?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
"""
THROUGH_LOOP = """
  %q = scf.for %n = %c0 to %c9 step %c1 iter_args(%a = %d) -> (memref<8x16xf32, strided<[?, ?], offset: ?>>) {
    %v = scf.if %c -> (memref<8x16xf32, strided<[?, ?], offset: ?>>) {
      scf.yield %a : memref<8x16xf32, strided<[?, ?], offset: ?>>
    } else {
      scf.yield OTHER : memref<8x16xf32, strided<[?, ?], offset: ?>>
    }
    scf.yield %v : memref<8x16xf32, strided<[?, ?], offset: ?>>
  }
  %y = memref.subview %q[%i, 4] [1, 4] [1, 1] : memref<8x16xf32, strided<[?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
"""
FLAT = """
  %f = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  %at = affine.apply affine_map<(d0) -> (d0 * 16 + 4)>(%i)
  %p = memref.subview %f[%at] [4] [1] : memref<128xf32> to memref<4xf32, strided<[1], offset: ?>>
  %y = memref.cast %p : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  %s = memref.subview %m[%i, COLUMN] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %x = memref.cast %s : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
"""


@pytest.mark.parametrize(
    ("body", "same"),
    [
        (f"%x = {ROW} {THROUGH_EXPANSION.replace('AT', '1')}", True),
        (f"%x = {ROW} {THROUGH_EXPANSION.replace('AT', '2')}", False),
        (f"%x = {ROW} {THROUGH_EXPANSION.replace('AT', '%j')}", False),
        (f"%x = {ROW} {THROUGH_ROW.replace('STEP', '1')}", True),
        (f"%x = {ROW} {THROUGH_ROW.replace('STEP', '2')}", False),
        (f"%x = {ROW} {THROUGH_LOOP.replace('OTHER', '%a')}", True),
        (f"%x = {ROW} {THROUGH_LOOP.replace('OTHER', '%d')}", False),
        (FLAT.replace("COLUMN", "4"), True),
        (FLAT.replace("COLUMN", "5"), False),
    ],
)
def test_ways_to_one_place(body: str, same: bool) -> None:
    module = parse(PAIRS.replace("BODY", body), allow_unregistered=True)
    use = next(op for op in module.walk() if op.name == "test.use")
    assert are_one_place(*use.operands) is same


@pytest.mark.parametrize(
    ("new", "same"),
    [
        ("tensor.empty() : tensor<8x4xf32>", True),
        ("bufferization.alloc_tensor() : tensor<8x4xf32>", True),
        # the buffer of another tensor may have gaps between rows
        ('"test.tensor"() : () -> tensor<8x4xf32>', False),
    ],
)
def test_the_buffer_of_a_new_tensor_has_no_gaps(new, same):
    module = parse(
        f"""
func.func @f() {{
  %t = {new}
  %m = bufferization.to_buffer %t : tensor<8x4xf32> to memref<8x4xf32>
  %x = memref.subview %m[2, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 8>>
  %c = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32, strided<[4, 1], offset: 8>> into memref<16xf32, strided<[1], offset: 8>>
  %y = memref.expand_shape %c [[0, 1]] output_shape [4, 4] : memref<16xf32, strided<[1], offset: 8>> into memref<4x4xf32, strided<[4, 1], offset: 8>>
  "test.use"(%x, %y) : (memref<4x4xf32, strided<[4, 1], offset: 8>>, memref<4x4xf32, strided<[4, 1], offset: 8>>) -> ()
  return
}}""",
        allow_unregistered=True,
    )
    use = next(op for op in module.walk() if op.name == "test.use")
    assert are_one_place(*use.operands) is same
