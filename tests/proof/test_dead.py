"""Operations of which nobody uses the result: added to a program, they are proved exactly if they are defined for all inputs."""

import re

import pytest
from bufferize import parse, prove

INPUTS = (
    "%q: i32, %b: i1, %n: index, %x: i32, %y: i32, %w: i64, %s: f32, %v: vector<4xi32>, %d: vector<4xf32>, "
    "%t: tensor<4xi32>, %u: tensor<?xi32>, %e: tensor<4x6xf32>, %g: tensor<?x?xf32>, "
    "%m: memref<4xi32>, %k: memref<?xi32>, %h: memref<4x6xf32>, %l: memref<?x?xf32>"
)
TENSORS = """
%true = arith.constant true
%two = arith.constant dense<2> : tensor<4xi32>
%zero = arith.constant dense<0> : tensor<4xi32>
%some = arith.constant dense<[1, 2, 3, 0]> : tensor<4xi32>
%good = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
%twos = arith.constant dense<2> : vector<4xi32>
%zeros = arith.constant dense<0> : vector<4xi32>
%spread = vector.broadcast %i32_3 : i32 to vector<4xi32>
%spread0 = vector.broadcast %i32_0 : i32 to vector<4xi32>
"""


def is_defined(text):
    """Whether the operation, added to a program, is proved. `%i32_m1` stands for the constant -1 of this type."""
    kept = [line for line in TENSORS.splitlines() if line.partition(" ")[0] in re.findall(r"%\w+", text)]
    constants = {
        f"{name} = arith.constant {number.replace('m', '-')} : {type}"
        for name, type, number in re.findall(r"(%(index|i\d+)_(m?\d+))", "\n".join([*kept, text]))
    }
    given = "\n".join([*sorted(constants), *kept])
    before, after = (
        parse(f"func.func @f({INPUTS}) -> i32 {{\n{given}\n{more}\nreturn %q : i32\n}}")
        for more in ("", text)
    )
    return prove(before, after).proved


WIDTHS = [("i8", 8), ("i32", 32), ("i64", 64), ("index", 32)]  # an index may have 32 bits


@pytest.mark.parametrize("name", ["arith.shli", "arith.shrsi", "arith.shrui"])
@pytest.mark.parametrize(("type", "width"), WIDTHS)
def test_a_shift_is_defined_below_the_width(name, type, width):
    for n in (-1, 0, 5, 31, 32, 33, 63, 64):
        by = f"%{type}_{n}".replace("-", "m")
        assert is_defined(f"%r = {name} %{type}_1, {by} : {type}") == (0 <= n < width), n


DIVISIONS = [
    *(
        f"arith.{name}"
        for name in ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
    )
]
INDEX_DIVISIONS = [
    f"index.{name}" for name in ("divs", "divu", "rems", "remu", "floordivs", "ceildivs", "ceildivu")
]


@pytest.mark.parametrize("name", DIVISIONS)
def test_a_division_is_defined_if_the_divisor_is_not_zero_nor_minus_one(name):
    by = {"%x": False, "%i32_0": False, "%i32_m1": False, "%i32_1": True, "%i32_m2": True, "%i32_2": True}
    assert {divisor: is_defined(f"%r = {name} %y, {divisor} : i32") for divisor in by} == by
    tensors = {"%t": False, "%two": True, "%zero": False, "%some": False}
    assert {d: is_defined(f"%r = {name} %t, {d} : tensor<4xi32>") for d in tensors} == tensors
    vectors = {"%v": False, "%twos": True, "%zeros": False, "%spread": True, "%spread0": False}
    assert {d: is_defined(f"%r = {name} %v, {d} : vector<4xi32>") for d in vectors} == vectors


@pytest.mark.parametrize("name", INDEX_DIVISIONS)
def test_a_division_of_indices(name):
    by = {"%n": False, "%index_0": False, "%index_m1": False, "%index_1": True, "%index_m2": True}
    assert {divisor: is_defined(f"%r = {name} %n, {divisor}") for divisor in by} == by


OPERATIONS = {
    # powers
    "math.ipowi %x, %y : i32": False,
    "math.ipowi %i32_0, %y : i32": False,
    "math.ipowi %i32_1, %y : i32": True,
    "math.ipowi %i32_m1, %y : i32": True,
    "math.ipowi %x, %i32_m1 : i32": False,
    "math.ipowi %x, %i32_0 : i32": True,
    "math.ipowi %x, %i32_1 : i32": True,
    "math.ipowi %i32_0, %i32_m1 : i32": False,
    # conversions and parts of vectors
    "arith.fptosi %s : f32 to i32": False,
    "arith.fptoui %s : f32 to i32": False,
    "arith.sitofp %x : i32 to f32": True,
    "vector.extract %v[3] : i32 from vector<4xi32>": True,
    "vector.extract %v[%n] : i32 from vector<4xi32>": False,
    "vector.insert %x, %v[0] : i32 into vector<4xi32>": True,
    "vector.insert %x, %v[%n] : i32 into vector<4xi32>": False,
    # elements
    "tensor.extract %t[%index_3] : tensor<4xi32>": True,
    "tensor.extract %t[%index_4] : tensor<4xi32>": False,
    "tensor.extract %t[%index_m1] : tensor<4xi32>": False,
    "tensor.extract %t[%n] : tensor<4xi32>": False,
    "tensor.extract %u[%index_0] : tensor<?xi32>": False,
    "tensor.insert %x into %t[%index_3] : tensor<4xi32>": True,
    "tensor.insert %x into %t[%index_4] : tensor<4xi32>": False,
    "memref.load %m[%index_0] : memref<4xi32>": True,
    "memref.load %m[%index_4] : memref<4xi32>": False,
    "memref.load %m[%index_m1] : memref<4xi32>": False,
    "memref.load %k[%index_0] : memref<?xi32>": False,
    "memref.load %h[%index_3, %index_5] : memref<4x6xf32>": True,
    "memref.load %h[%index_4, %index_5] : memref<4x6xf32>": False,
    "memref.load %h[%index_5, %index_3] : memref<4x6xf32>": False,
    # sizes
    "tensor.dim %u, %index_0 : tensor<?xi32>": True,
    "tensor.dim %u, %index_1 : tensor<?xi32>": False,
    "tensor.dim %u, %n : tensor<?xi32>": False,
    "memref.dim %k, %index_0 : memref<?xi32>": True,
    "memref.dim %k, %index_1 : memref<?xi32>": False,
    "memref.dim %k, %n : memref<?xi32>": False,
    "tensor.empty(%index_3) : tensor<?xi32>": True,
    # slices
    "tensor.extract_slice %t[1] [3] [1] : tensor<4xi32> to tensor<3xi32>": True,
    "tensor.extract_slice %t[0] [2] [3] : tensor<4xi32> to tensor<2xi32>": True,
    "tensor.extract_slice %u[0] [2] [1] : tensor<?xi32> to tensor<2xi32>": False,
    "tensor.extract_slice %t[%n] [1] [1] : tensor<4xi32> to tensor<1xi32>": False,
    "tensor.extract_slice %t[0] [%n] [1] : tensor<4xi32> to tensor<?xi32>": False,
    "tensor.extract_slice %t[%index_2] [2] [1] : tensor<4xi32> to tensor<2xi32>": True,
    "tensor.extract_slice %t[%index_3] [2] [1] : tensor<4xi32> to tensor<2xi32>": False,
    "tensor.extract_slice %t[%index_m1] [2] [1] : tensor<4xi32> to tensor<2xi32>": False,
    "tensor.extract_slice %t[0] [2] [%index_3] : tensor<4xi32> to tensor<2xi32>": True,
    "tensor.extract_slice %t[0] [2] [%index_4] : tensor<4xi32> to tensor<2xi32>": False,
    "tensor.extract_slice %e[1, 0] [3, 6] [1, 1] : tensor<4x6xf32> to tensor<3x6xf32>": True,
    "tensor.extract_slice %e[%index_1, 0] [3, 6] [1, 1] : tensor<4x6xf32> to tensor<3x6xf32>": True,
    "tensor.extract_slice %e[%index_2, 0] [3, 6] [1, 1] : tensor<4x6xf32> to tensor<3x6xf32>": False,
    "tensor.extract_slice %e[0, %index_2] [3, 4] [1, 1] : tensor<4x6xf32> to tensor<3x4xf32>": True,
    "tensor.extract_slice %e[0, %index_3] [3, 4] [1, 1] : tensor<4x6xf32> to tensor<3x4xf32>": False,
    "tensor.insert_slice %t into %t[0] [4] [1] : tensor<4xi32> into tensor<4xi32>": True,
    "tensor.insert_slice %t into %u[0] [4] [1] : tensor<4xi32> into tensor<?xi32>": False,
    "memref.subview %m[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>": True,
    "memref.subview %k[1] [3] [1] : memref<?xi32> to memref<3xi32, strided<[1], offset: 1>>": False,
    "memref.subview %m[%n] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: ?>>": False,
    # types that say more
    "tensor.cast %u : tensor<?xi32> to tensor<4xi32>": False,
    "tensor.cast %t : tensor<4xi32> to tensor<?xi32>": True,
    "memref.cast %k : memref<?xi32> to memref<4xi32>": False,
    "memref.cast %m : memref<4xi32> to memref<?xi32>": True,
    "memref.cast %m : memref<4xi32> to memref<4xi32, strided<[?], offset: ?>>": True,
    "tensor.collapse_shape %e [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>": True,
    "tensor.collapse_shape %g [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>": True,
    "tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>": True,
    "tensor.expand_shape %u [[0, 1]] output_shape [%n, 2] : tensor<?xi32> into tensor<?x2xi32>": False,
    "tensor.from_elements %x, %y : tensor<2xi32>": True,
    "arith.addi %x, %y : i32": True,
    "arith.addi %x, %y overflow<nsw> : i32": True,
    "arith.select %b, %x, %y : i32": True,
    "arith.cmpi slt, %x, %y : i32": True,
}  # fmt: skip


@pytest.mark.parametrize("text", OPERATIONS)
def test_what_is_defined_for_all_inputs(text):
    assert is_defined(f"%r = {text}") == OPERATIONS[text]


COMPOUND = {
    "memref.copy %m, %m : memref<4xi32> to memref<4xi32>": False,
    "memref.store %x, %m[%index_0] : memref<4xi32>": False,
    "cf.assert %b, \"no\"": False,
    "%a = memref.alloc() : memref<4xi32> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> memref.store %x, %a[%index_3] : memref<4xi32> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> memref.store %x, %a[%index_4] : memref<4xi32> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> memref.dealloc %a : memref<4xi32> memref.dealloc %a : memref<4xi32>": False,
    "memref.dealloc %m : memref<4xi32>": False,
    "scf.if %b { %r = arith.divsi %x, %y : i32 }": False,
    "scf.if %b { %r = arith.divsi %x, %i32_2 : i32 }": True,
    "scf.for %i = %index_0 to %index_4 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_5 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for %i = %index_m1 to %index_4 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for %i = %index_0 to %n step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for %i = %index_0 to %index_5 step %index_4 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for %i = %index_0 to %index_4 step %index_4 { %r = memref.load %m[%i] : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_4 step %index_0 { }": False,
    "scf.for %i = %index_0 to %index_4 step %n { }": False,
    "scf.while : () -> () { scf.condition(%b) } do { scf.yield }": False,
    "scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) { memref.store %x, %m[%i] : memref<4xi32> }": False,
    "%r = arith.divsi %b, %true : i1": False,
    "%r = arith.divui %b, %true : i1": False,
    "%r = math.ipowi %b, %true : i1": False,
    "%r = math.ipowi %true, %b : i1": False,
    "%r = arith.divsi %b, %b : i1": False,
    "%r = math.ipowi %spread, %v : vector<4xi32>": True,
    "%r = math.ipowi %two, %t : tensor<4xi32>": True,
    "%r = tensor.pad %t low[1] high[0] { ^bb0(%i: index): tensor.yield %x : i32 } : tensor<4xi32> to tensor<5xi32>": True,
    "%r = tensor.pad %t low[%n] high[0] { ^bb0(%i: index): tensor.yield %x : i32 } : tensor<4xi32> to tensor<?xi32>": False,
    "%r = tensor.pad %t low[-1] high[0] { ^bb0(%i: index): tensor.yield %x : i32 } : tensor<4xi32> to tensor<3xi32>": False,
    "%r = tensor.generate %index_3 { ^bb0(%i: index): %z = tensor.extract %t[%i] : tensor<4xi32> tensor.yield %z : i32 } : tensor<?xi32>": False,
    "%r = tensor.generate %index_5 { ^bb0(%i: index): %z = tensor.extract %t[%i] : tensor<4xi32> tensor.yield %z : i32 } : tensor<?xi32>": False,
    "%r = tensor.concat dim(0) %t, %t : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>": True,
    "%r = tensor.concat dim(0) %u, %t : (tensor<?xi32>, tensor<4xi32>) -> tensor<8xi32>": False,
    "%r = tensor.splat %x : tensor<4xi32>": True,
    "%r = linalg.fill ins(%x : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>": True,
    "%r = linalg.add ins(%t, %u : tensor<4xi32>, tensor<?xi32>) outs(%t : tensor<4xi32>) -> tensor<4xi32>": False,
    "%r = linalg.copy ins(%t : tensor<4xi32>) outs(%u : tensor<?xi32>) -> tensor<?xi32>": False,
    "%r = linalg.transpose ins(%g : tensor<?x?xf32>) outs(%g : tensor<?x?xf32>) permutation = [1, 0]": False,
    "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<4xi32> to memref<4xi32, strided<[1], offset: 0>>": True,
    "%r = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<4xi32> to memref<4xi32, strided<[1], offset: 1>>": False,
    "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>": True,
    "%r = memref.collapse_shape %h [[0, 1]] : memref<4x6xf32> into memref<24xf32>": True,
    "%r = memref.assume_alignment %m, 64 : memref<4xi32>": False,
    "%r = vector.transfer_read %t[%index_0], %x : tensor<4xi32>, vector<4xi32>": True,
    "%r = vector.transfer_read %t[%index_0], %x {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>": True,
    "%r = vector.transfer_read %t[%index_1], %x {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>": False,
    "%r = vector.transfer_read %t[%index_1], %x : tensor<4xi32>, vector<4xi32>": True,
    "%r = vector.transfer_read %u[%index_0], %x {in_bounds = [true]} : tensor<?xi32>, vector<4xi32>": False,
    "%r = vector.transfer_read %u[%index_0], %x : tensor<?xi32>, vector<4xi32>": True,
    "%r = vector.load %m[%index_0] : memref<4xi32>, vector<4xi32>": False,
    "%r = vector.load %m[%index_1] : memref<4xi32>, vector<4xi32>": False,
    "%r = vector.load %k[%index_0] : memref<?xi32>, vector<4xi32>": False,
    "%r = affine.load %m[3] : memref<4xi32>": True,
    "%r = affine.load %m[4] : memref<4xi32>": False,
    "%r = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%n)": True,
    "%r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%n]": False,
    "%r = affine.min affine_map<(d0) -> (d0, 4)>(%n)": True,
    "%r = scf.if %b -> (i32) { scf.yield %x : i32 } else { %z = arith.divsi %x, %y : i32 scf.yield %z : i32 }": False,
    "%c = arith.cmpi ne, %y, %i32_0 : i32 scf.if %c { %z = arith.divsi %x, %y : i32 }": False,
    "%c = arith.cmpi slt, %n, %index_4 : index %e2 = arith.cmpi sge, %n, %index_0 : index scf.if %c { scf.if %e2 { %z = memref.load %m[%n] : memref<4xi32> } }": False,
    "%c = arith.cmpi slt, %n, %index_4 : index scf.if %c { %z = memref.load %m[%n] : memref<4xi32> }": False,
    "%z = tensor.dim %u, %index_0 : tensor<?xi32> %c = arith.cmpi sge, %z, %index_2 : index scf.if %c { %r = tensor.extract_slice %u[0] [2] [1] : tensor<?xi32> to tensor<2xi32> }": False,
    "%z = memref.dim %k, %index_0 : memref<?xi32> scf.for %i = %index_0 to %z step %index_1 { %r = memref.load %k[%i] : memref<?xi32> }": True,
    "%z = memref.dim %k, %index_0 : memref<?xi32> scf.for %i = %index_1 to %z step %index_1 { %p = arith.subi %i, %index_1 : index %r = memref.load %k[%p] : memref<?xi32> }": True,
    "%z = memref.dim %k, %index_0 : memref<?xi32> scf.for %i = %index_0 to %z step %index_1 { %p = arith.addi %i, %index_1 : index %r = memref.load %k[%p] : memref<?xi32> }": False,
    "%z = memref.dim %k, %index_0 : memref<?xi32> scf.for %i = %index_0 to %z step %index_2 { %p = arith.addi %i, %index_1 : index %r = memref.load %k[%p] : memref<?xi32> }": False,
    "scf.for %i = %index_0 to %index_4 step %index_2 { %p = arith.addi %i, %index_1 : index %r = memref.load %m[%p] : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_3 step %index_2 { %p = arith.addi %i, %index_2 : index %r = memref.load %m[%p] : memref<4xi32> }": False,
    "scf.for %i = %index_0 to %index_2 step %index_1 { scf.for %j = %index_0 to %index_2 step %index_1 { %p = arith.muli %i, %index_2 : index %p2 = arith.addi %p, %j : index %r = memref.load %m[%p2] : memref<4xi32> } }": True,
    "scf.for %i = %index_0 to %index_2 step %index_1 { scf.for %j = %index_0 to %index_3 step %index_1 { %p = arith.muli %i, %index_2 : index %p2 = arith.addi %p, %j : index %r = memref.load %m[%p2] : memref<4xi32> } }": False,
    "scf.for %i = %index_0 to %index_4 step %index_1 { %p = arith.subi %index_3, %i : index %r = memref.load %m[%p] : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_4 step %index_1 { %p = arith.subi %index_2, %i : index %r = memref.load %m[%p] : memref<4xi32> }": False,
    "%p = arith.remui %n, %index_4 : index %r = memref.load %m[%p] : memref<4xi32>": True,
    "%p = arith.remsi %n, %index_4 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.remui %n, %index_5 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = affine.apply affine_map<(d0) -> (d0 mod 4)>(%n) %r = memref.load %m[%p] : memref<4xi32>": True,
    "%p = affine.apply affine_map<(d0) -> (d0 mod 5)>(%n) %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.minsi %n, %index_3 : index %p2 = arith.maxsi %p, %index_0 : index %r = memref.load %m[%p2] : memref<4xi32>": False,
    "%p = arith.minsi %n, %index_4 : index %p2 = arith.maxsi %p, %index_0 : index %r = memref.load %m[%p2] : memref<4xi32>": False,
    "%p = arith.minsi %n, %index_3 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.minui %n, %index_3 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.maxsi %n, %index_0 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.select %b, %index_3, %index_0 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.select %b, %index_4, %index_0 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.select %b, %index_0, %index_m1 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.index_cast %b : i1 to index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.index_castui %b : i1 to index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.divui %n, %index_2 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%p = arith.shrui %n, %index_2 : index %r = memref.load %m[%p] : memref<4xi32>": False,
    "%a = arith.addi %x, %i32_1 overflow<nsw> : i32": True,
    "%a = arith.subi %x, %i32_1 overflow<nsw> : i32 %q2 = arith.divsi %a, %i32_2 : i32": False,
    "%a = memref.alloc() {alignment = 64 : i64} : memref<4xi32> memref.assume_alignment %a, 64 : memref<4xi32> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloca() : memref<4xi32> memref.store %x, %a[%index_0] : memref<4xi32>": True,
    "%a = memref.alloca() : memref<4xi32> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> scf.if %b { memref.dealloc %a : memref<4xi32> }": False,
    "%a = memref.alloc() : memref<4xi32> scf.if %b { memref.dealloc %a : memref<4xi32> } else { memref.dealloc %a : memref<4xi32> }": True,
    "%a = memref.alloc() : memref<4xi32> scf.for %i = %index_0 to %index_2 step %index_1 { memref.dealloc %a : memref<4xi32> }": False,
    "%a = memref.alloc() : memref<4xi32> scf.for %i = %index_0 to %index_1 step %index_1 { memref.dealloc %a : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_4 step %index_1 { %a = memref.alloc() : memref<4xi32> memref.store %x, %a[%i] : memref<4xi32> memref.dealloc %a : memref<4xi32> }": True,
    "scf.for %i = %index_0 to %index_5 step %index_1 { %a = memref.alloc() : memref<4xi32> memref.store %x, %a[%i] : memref<4xi32> memref.dealloc %a : memref<4xi32> }": False,
    "%a = memref.alloc() : memref<4xi32> %z = memref.load %a[%index_0] : memref<4xi32> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %z = memref.load %a[%index_0] : memref<4xi32> %c = arith.cmpi eq, %z, %x : i32 scf.if %c { memref.dealloc %a : memref<4xi32> } else { memref.dealloc %a : memref<4xi32> }": False,
    "%a = memref.alloc() : memref<4xi32> memref.dealloc %a : memref<4xi32> %z = memref.load %a[%index_0] : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> memref.dealloc %a : memref<4xi32> memref.store %x, %a[%index_0] : memref<4xi32>": False,
    "%a = memref.alloc() : memref<8xi32> %part = memref.subview %a[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>> memref.store %x, %part[%index_3] : memref<4xi32, strided<[1], offset: 2>> memref.dealloc %a : memref<8xi32>": True,
    "%a = memref.alloc() : memref<8xi32> %part = memref.subview %a[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>> memref.store %x, %part[%index_4] : memref<4xi32, strided<[1], offset: 2>> memref.dealloc %a : memref<8xi32>": False,
    "%a = memref.alloc() : memref<8xi32> %part = memref.subview %a[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>> memref.copy %m, %part : memref<4xi32> to memref<4xi32, strided<[2]>> memref.dealloc %a : memref<8xi32>": True,
    "%a = memref.alloc() : memref<8xi32> %part = memref.subview %a[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>> memref.dealloc %part : memref<4xi32, strided<[1], offset: 2>>": False,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_0][] : memref<16xi8> to memref<4xi32> memref.store %x, %part[%index_3] : memref<4xi32> memref.dealloc %a : memref<16xi8>": True,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_4][] : memref<16xi8> to memref<3xi32> memref.store %x, %part[%index_2] : memref<3xi32> memref.dealloc %a : memref<16xi8>": True,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_4][] : memref<16xi8> to memref<4xi32> memref.store %x, %part[%index_2] : memref<4xi32> memref.dealloc %a : memref<16xi8>": False,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_1][] : memref<16xi8> to memref<3xi32> memref.store %x, %part[%index_2] : memref<3xi32> memref.dealloc %a : memref<16xi8>": False,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_0][%index_4] : memref<16xi8> to memref<?xi32> memref.store %x, %part[%index_3] : memref<?xi32> memref.dealloc %a : memref<16xi8>": True,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_0][%index_5] : memref<16xi8> to memref<?xi32> memref.store %x, %part[%index_3] : memref<?xi32> memref.dealloc %a : memref<16xi8>": False,
    "%a = memref.alloc() : memref<16xi8> %part = memref.view %a[%index_0][%n] : memref<16xi8> to memref<?xi32> memref.dealloc %a : memref<16xi8>": False,
    "%a = memref.alloc() : memref<4xi32> %r = memref.realloc %a : memref<4xi32> to memref<8xi32> memref.dealloc %r : memref<8xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %r = memref.realloc %a : memref<4xi32> to memref<8xi32> memref.dealloc %a : memref<4xi32>": False,
    "%a = bufferization.clone %m : memref<4xi32> to memref<4xi32> memref.dealloc %a : memref<4xi32>": True,
    "%a = bufferization.clone %m : memref<4xi32> to memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> bufferization.dealloc (%a : memref<4xi32>) if (%b)": False,
    "%a = memref.alloc() : memref<4xi32> bufferization.dealloc (%a : memref<4xi32>) if (%true)": True,
    "%a = memref.alloc() : memref<4xi32> bufferization.dealloc (%a, %a : memref<4xi32>, memref<4xi32>) if (%true, %true)": True,
    "scf.execute_region { %r = arith.divsi %x, %i32_2 : i32 scf.yield }": True,
    "scf.execute_region { %r = arith.divsi %x, %y : i32 scf.yield }": False,
    "scf.index_switch %n case 1 { %r = arith.divsi %x, %y : i32 scf.yield } default { }": False,
    "scf.index_switch %n case 1 { %r = arith.divsi %x, %i32_2 : i32 scf.yield } default { }": True,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi slt, %i, %index_4 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_1 : index scf.yield %p : index }": True,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi slt, %i, %index_4 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_0 : index scf.yield %p : index }": False,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi slt, %i, %n : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_1 : index scf.yield %p : index }": True,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi slt, %i, %n : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_2 : index scf.yield %p : index }": False,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi slt, %i, %index_4 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_2 : index scf.yield %p : index }": True,
    "%r = scf.while (%i = %index_0) : (index) -> index { %c = arith.cmpi ne, %i, %index_4 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.addi %i, %index_1 : index scf.yield %p : index }": False,
    "%r = scf.while (%i = %index_4) : (index) -> index { %c = arith.cmpi sgt, %i, %index_0 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.subi %i, %index_1 : index scf.yield %p : index }": True,
    "%r = scf.while (%i = %index_4) : (index) -> index { %c = arith.cmpi slt, %i, %index_5 : index scf.condition(%c) %i : index } do { ^bb0(%i: index): %p = arith.subi %i, %index_1 : index scf.yield %p : index }": False,
    "%r = scf.while (%i = %i8_0) : (i8) -> i8 { %c = arith.cmpi ult, %i, %i8_64 : i8 scf.condition(%c) %i : i8 } do { ^bb0(%i: i8): %p = arith.addi %i, %i8_2 : i8 scf.yield %p : i8 }": False,
    "%r = scf.while (%i = %i8_0) : (i8) -> i8 { %c = arith.cmpi slt, %i, %i8_64 : i8 scf.condition(%c) %i : i8 } do { ^bb0(%i: i8): %p = arith.addi %i, %i8_64 : i8 scf.yield %p : i8 }": False,
    "%r = scf.while (%i = %i8_0) : (i8) -> i8 { %c = arith.cmpi slt, %i, %i8_64 : i8 scf.condition(%c) %i : i8 } do { ^bb0(%i: i8): %p = arith.addi %i, %i8_63 : i8 scf.yield %p : i8 }": True,
    "%r = scf.while (%i = %i8_0, %j = %i8_3) : (i8, i8) -> i8 { %c = arith.cmpi slt, %i, %i8_64 : i8 scf.condition(%c) %i : i8 } do { ^bb0(%i: i8): %p = arith.addi %i, %i8_1 : i8 scf.yield %p, %i : i8, i8 }": True,
    "%r = scf.while (%j = %x, %i = %i32_0) : (i32, i32) -> i32 { %c = arith.cmpi slt, %i, %y : i32 scf.condition(%c) %i : i32 } do { ^bb0(%i: i32): %p = arith.addi %i, %i32_1 : i32 %p3 = arith.addi %i, %i32_3 : i32 scf.yield %p3, %p : i32, i32 }": True,
    "scf.for %i = %index_0 to %n step %index_1 { %a = memref.alloc(%i) : memref<?xi32> memref.dealloc %a : memref<?xi32> }": True,
    "scf.for unsigned %i = %index_0 to %index_4 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": True,
    "scf.for unsigned %i = %index_0 to %index_5 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for unsigned %i = %index_m1 to %index_4 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.for unsigned %i = %index_0 to %index_m1 step %index_1 { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "affine.for %i = 0 to 4 { %r = affine.load %m[%i] : memref<4xi32> }": True,
    "affine.for %i = 0 to 5 { %r = affine.load %m[%i] : memref<4xi32> }": False,
    "affine.for %i = 0 to 3 { %r = affine.load %m[%i + 1] : memref<4xi32> }": True,
    "affine.for %i = 0 to 4 step 2 { %r = affine.load %m[%i + 1] : memref<4xi32> }": True,
    "affine.for %i = 0 to 4 step 2 { %r = affine.load %m[%i + 2] : memref<4xi32> }": False,
    "affine.if affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>(%n) { %r = memref.load %m[%n] : memref<4xi32> }": False,
    "affine.parallel (%i) = (0) to (4) { %r = affine.load %m[%i] : memref<4xi32> }": True,
    "affine.parallel (%i) = (0) to (5) { %r = affine.load %m[%i] : memref<4xi32> }": False,
    "%a = memref.alloc() : memref<4xi32> %l2 = memref.alloc() : memref<4xi32> scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) { memref.store %x, %a[%i] : memref<4xi32> %z = memref.load %l2[%index_0] : memref<4xi32> } memref.dealloc %a : memref<4xi32> memref.dealloc %l2 : memref<4xi32>": True,
    "%r = scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) init (%x) -> i32 { scf.reduce(%y : i32) { ^bb0(%p: i32, %q2: i32): %z = arith.addi %p, %q2 : i32 scf.reduce.return %z : i32 } }": True,
    "%r = scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) init (%x) -> i32 { scf.reduce(%y : i32) { ^bb0(%p: i32, %q2: i32): %z = arith.divsi %p, %q2 : i32 scf.reduce.return %z : i32 } }": False,
    "%r = scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) init (%x) -> i32 { scf.reduce(%y : i32) { ^bb0(%p: i32, %q2: i32): %a = memref.alloc() : memref<4xi32> memref.store %p, %a[%index_0] : memref<4xi32> %z = memref.load %a[%index_0] : memref<4xi32> memref.dealloc %a : memref<4xi32> scf.reduce.return %z : i32 } }": False,
    "%r = scf.parallel (%i) = (%index_0) to (%index_4) step (%index_1) init (%x) -> i32 { scf.reduce(%y : i32) { ^bb0(%p: i32, %q2: i32): %z = memref.load %m[%index_0] : memref<4xi32> scf.reduce.return %z : i32 } }": True,
    "scf.forall (%i) in (4) { %r = memref.load %m[%i] : memref<4xi32> }": True,
    "scf.forall (%i) in (5) { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "scf.forall (%i) = (0) to (8) step (2) { %p = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i) %r = memref.load %m[%p] : memref<4xi32> }": True,
    "scf.forall (%i) in (%n) { %r = memref.load %m[%i] : memref<4xi32> }": False,
    "%r = memref.atomic_rmw addi %x, %m[%index_0] : (i32, memref<4xi32>) -> i32": False,
    "%a = memref.alloc() : memref<4xi32> linalg.fill ins(%x : i32) outs(%a : memref<4xi32>) %r = memref.atomic_rmw addi %x, %a[%index_3] : (i32, memref<4xi32>) -> i32 memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> linalg.fill ins(%x : i32) outs(%a : memref<4xi32>) %r = memref.atomic_rmw addi %x, %a[%index_4] : (i32, memref<4xi32>) -> i32 memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> linalg.map { arith.addi } ins(%m, %m : memref<4xi32>, memref<4xi32>) outs(%a : memref<4xi32>) memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> linalg.map { arith.divsi } ins(%m, %m : memref<4xi32>, memref<4xi32>) outs(%a : memref<4xi32>) memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<4xi32> to memref<4xi32, strided<[1]>> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [1], sizes: [4], strides: [1] : memref<4xi32> to memref<4xi32, strided<[1], offset: 1>> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [1], sizes: [3], strides: [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xi32> to memref<2x2xi32, strided<[2, 1]>> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [3, 1] : memref<4xi32> to memref<2x2xi32, strided<[3, 1]>> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [3], sizes: [4], strides: [-1] : memref<4xi32> to memref<4xi32, strided<[-1], offset: 3>> memref.dealloc %a : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [2], sizes: [4], strides: [-1] : memref<4xi32> to memref<4xi32, strided<[-1], offset: 2>> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [9], sizes: [0], strides: [1] : memref<4xi32> to memref<0xi32, strided<[1], offset: 9>> memref.dealloc %a : memref<4xi32>": False,
    "%a = memref.alloc() : memref<2x3xi32> %part = memref.reinterpret_cast %a to offset: [0], sizes: [6], strides: [1] : memref<2x3xi32> to memref<6xi32, strided<[1]>> memref.dealloc %a : memref<2x3xi32>": True,
    "%a = memref.alloc() : memref<2x3xi32> %part = memref.reinterpret_cast %a to offset: [0], sizes: [7], strides: [1] : memref<2x3xi32> to memref<7xi32, strided<[1]>> memref.dealloc %a : memref<2x3xi32>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.reinterpret_cast %a to offset: [%n], sizes: [1], strides: [1] : memref<4xi32> to memref<1xi32, strided<[1], offset: ?>> memref.dealloc %a : memref<4xi32>": False,
    "%z = memref.alloc() : memref<2xindex> memref.store %index_2, %z[%index_0] : memref<2xindex> memref.store %index_2, %z[%index_1] : memref<2xindex> %part = memref.reshape %m(%z) : (memref<4xi32>, memref<2xindex>) -> memref<2x2xi32> memref.dealloc %z : memref<2xindex>": True,
    "%z = memref.alloc() : memref<2xindex> memref.store %index_2, %z[%index_0] : memref<2xindex> memref.store %index_2, %z[%index_1] : memref<2xindex> %part = memref.reshape %m(%z) : (memref<4xi32>, memref<2xindex>) -> memref<?x?xi32> memref.dealloc %z : memref<2xindex>": True,
    "%z = memref.alloc() : memref<2xindex> memref.store %index_2, %z[%index_0] : memref<2xindex> memref.store %index_3, %z[%index_1] : memref<2xindex> %part = memref.reshape %m(%z) : (memref<4xi32>, memref<2xindex>) -> memref<?x?xi32> memref.dealloc %z : memref<2xindex>": False,
    "%base, %off, %sz, %st = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index": True,
    "%base, %off, %sz, %st = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index %r = memref.load %m[%off] : memref<4xi32>": True,
    "%base, %off, %sz, %st = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index %r = memref.load %m[%st] : memref<4xi32>": True,
    "%base, %off, %sz, %st = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index %r = memref.load %m[%sz] : memref<4xi32>": False,
    "%r = tensor.dim %t, %index_0 : tensor<4xi32> %p = arith.subi %r, %index_1 : index %q2 = memref.load %m[%p] : memref<4xi32>": True,
    "%part = memref.transpose %h (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>> %r = memref.load %part[%index_5, %index_3] : memref<6x4xf32, strided<[1, 6]>>": True,
    "%part = memref.transpose %h (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>> %r = memref.load %part[%index_3, %index_5] : memref<6x4xf32, strided<[1, 6]>>": False,
    "%part = memref.collapse_shape %h [[0, 1]] : memref<4x6xf32> into memref<24xf32> scf.for %i = %index_0 to %index_4 step %index_1 { %p = arith.muli %i, %index_5 : index %r = memref.load %part[%p] : memref<24xf32> }": True,
    "%part = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32> %r = memref.load %part[%index_1, %index_1] : memref<2x2xi32>": True,
    "%part = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32> %r = memref.load %part[%index_1, %index_2] : memref<2x2xi32>": False,
    "%part = memref.subview %h[1, 2] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 8>> %r = memref.load %part[%index_1, %index_2] : memref<2x3xf32, strided<[6, 1], offset: 8>>": True,
    "%part = memref.subview %h[1, 2] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 8>> %r = memref.load %part[%index_2, %index_1] : memref<2x3xf32, strided<[6, 1], offset: 8>>": False,
    "%part = memref.subview %h[1, 2] [1, 3] [1, 1] : memref<4x6xf32> to memref<3xf32, strided<[1], offset: 8>> %r = memref.load %part[%index_2] : memref<3xf32, strided<[1], offset: 8>>": True,
    "%part = memref.subview %h[1, 2] [1, 3] [1, 1] : memref<4x6xf32> to memref<3xf32, strided<[1], offset: 8>> %r = memref.load %part[%index_3] : memref<3xf32, strided<[1], offset: 8>>": False,
    "%a = memref.alloc() : memref<4xi32> %part = memref.cast %a : memref<4xi32> to memref<*xi32> %back = memref.cast %part : memref<*xi32> to memref<4xi32> memref.dealloc %back : memref<4xi32>": True,
    "%a = memref.alloc() : memref<4xi32> %part = memref.cast %a : memref<4xi32> to memref<*xi32> %back = memref.cast %part : memref<*xi32> to memref<5xi32> memref.dealloc %a : memref<4xi32>": False,
}  # fmt: skip


@pytest.mark.parametrize("text", COMPOUND)
def test_what_has_no_effect_is_defined_for_all_inputs(text):
    assert is_defined(text) == COMPOUND[text]
