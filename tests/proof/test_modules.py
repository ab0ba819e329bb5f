"""What modules have beside their functions' bodies: globals, declarations, nested modules, other operations."""

import pytest
from bufferize import parse, prove
from bufferize.proof.checker import Refused, certificate_of, check_certificate, digest
from bufferize.semantics.frees import leaks_matter

FUNCTION = "func.func @f(%x: i32) -> i32 { return %x : i32 }"
RETURNED = "func.func KIND @h(%a: memref<4xf32>) -> memref<4xf32> { return %a : memref<4xf32> }"
RELAID = """func.func KIND @h(%a: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %c = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %c : memref<4xf32, strided<[?], offset: ?>>
}"""

CASES = [
    # before, after, whether that is proved
    ("", "memref.global @g : memref<2xi32> = dense<1>", False),
    ("", 'memref.global "private" @g : memref<2xi32> = dense<1>', True),
    ("", 'memref.global "nested" @g : memref<2xi32> = dense<1>', False),
    ("memref.global @g : memref<2xi32> = dense<1>", "", False),
    ('memref.global "private" @g : memref<2xi32> = dense<1>', "", True),
    ('memref.global "private" @g : memref<2xi32> = dense<1> func.func @h() attributes {uses = @g} { return }', "func.func @h() attributes {uses = @g} { return }", False),
    ('memref.global "private" @g : memref<2xi32> = dense<1>', "func.func private @g()", True),
    ("memref.global @g : memref<2xi32> = dense<1>", "func.func @g() { return }", False),
    ("memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", "memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", True),
    ("memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", "memref.global @g : memref<2xi32> = dense<1> {alignment = 16 : i64}", True),
    ("memref.global @g : memref<2xi32> = dense<1> {alignment = 16 : i64}", "memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", False),
    ("memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", "memref.global @g : memref<2xi32> = dense<1>", False),
    ("memref.global @g : memref<2xi32> = dense<1>", "memref.global @g : memref<2xi32> = dense<1> {alignment = 8 : i64}", True),
    ("memref.global constant @g : memref<2xi32> = dense<1>", "memref.global @g : memref<2xi32> = dense<1>", False),
    ("memref.global @g : memref<2xi32> = dense<1>", "memref.global constant @g : memref<2xi32> = dense<1>", False),
    ("memref.global @g : memref<2xi32> = dense<1>", "memref.global @g : memref<2xi32> = dense<[1, 1]>", True),
    ("memref.global @g : memref<2xi32>", "memref.global @g : memref<2xi32>", True),
    ("memref.global @g : memref<2xi32>", "memref.global @g : memref<2xi32> = uninitialized", False),
    ("memref.global @g : memref<2xi32> = uninitialized", "memref.global @g : memref<2xi32> = dense<1>", False),
    ("memref.global @g : memref<2xi32> = dense<1>", 'memref.global "private" @g : memref<2xi32> = dense<1>', False),
    ('memref.global "private" @g : memref<2xi32> = dense<1>', "memref.global @g : memref<2xi32> = dense<1>", False),
    ("memref.global @g : memref<2xi32> = dense<1>", "memref.global @g : memref<2xi32, strided<[1]>> = dense<1>", False),
    ("func.func @h() { return }", "", False),
    ("func.func private @h() { return }", "", True),
    ("", "func.func @h() { return }", False),
    ("", "func.func private @h() { return }", True),
    ("", "func.func private @h()", True),
    ("func.func private @h()", "", False),
    ("func.func private @h()", "func.func private @h() { return }", False),
    ("func.func private @h() { return }", "func.func private @h()", False),
    ("func.func @h() { return }", "func.func private @h() { return }", False),
    ("func.func private @h() { return }", "func.func @h() { return }", False),
    ("func.func private @h() attributes {llvm.x}", "func.func private @h()", False),
    ("func.func private @h()", "func.func private @h() attributes {llvm.x}", False),
    ("func.func private @h(i32) -> i32", "func.func private @h(i32) -> i64", False),
    ("func.func private @h(i32)", "func.func private @h(i32, i32)", False),
    ("func.func private @h(tensor<4xf32>)", "func.func private @h(memref<4xf32>)", True),
    ("func.func private @h(tensor<4xf32>)", "func.func private @h(memref<4xf32, strided<[?], offset: ?>>)", True),
    ("func.func private @h(memref<4xf32, strided<[?], offset: ?>>)", "func.func private @h(memref<4xf32>)", False),
    ("func.func private @h(memref<4xf32>)", "func.func private @h(memref<4xf32, strided<[?], offset: ?>>)", True),
    ("func.func private @h() -> memref<4xf32>", "func.func private @h() -> memref<4xf32, strided<[?], offset: ?>>", True),
    ("func.func private @h() -> memref<4xf32, strided<[?], offset: ?>>", "func.func private @h() -> memref<4xf32>", True),
    ("func.func private @h() -> tensor<4xf32>", "func.func private @h() -> memref<4xf32, strided<[?], offset: ?>>", True),
    (RETURNED.replace("KIND", ""), RELAID.replace("KIND", ""), False),
    (RETURNED.replace("KIND", "private"), RELAID.replace("KIND", "private"), True),
    (RETURNED.replace("KIND", "").replace("memref", "tensor"), RELAID.replace("KIND", ""), True),
    ("func.func private @h(tensor<4xf32> {llvm.noalias})", "func.func private @h(memref<4xf32>)", False),
    ("func.func private @h(tensor<4xf32>)", "func.func private @h(memref<4xf32> {llvm.noalias})", False),
    ("func.func private @h(tensor<4xf32> {bufferization.writable = false})", "func.func private @h(memref<4xf32>)", True),
    ("module @m { func.func @i() { return } }", "module @m { func.func @i() { return } }", True),
    ("module @m { func.func @i() { return } }", "", False),
    ("module @m { func.func @i() { return } }", "module @m { func.func @k() { return } }", False),
    ("module @m { func.func @i() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } }", "module @m { func.func @i() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } }", False),
    ("module @m { func.func @i() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } }", "module @m { func.func @i() -> i32 { %d = arith.constant 2 : i32 %c = arith.constant 1 : i32 return %c : i32 } }", True),
    ("module @m { func.func @i(%a: i32, %b: i32) -> i32 { %c = arith.addi %a, %b : i32 %d = arith.addi %c, %a : i32 return %d : i32 } }", "module @m { func.func @i(%a: i32, %b: i32) -> i32 { %c = arith.addi %a, %b : i32 %d = arith.addi %c, %b : i32 return %d : i32 } }", False),
    ("module @m { func.func @i(%a: i32, %b: i32) -> i32 { %c = arith.addi %a, %b : i32 %d = arith.addi %c, %a : i32 return %d : i32 } }", "module @m { func.func @i(%a: i32, %b: i32) -> i32 { %k = arith.subi %a, %b : i32 %c = arith.addi %a, %b : i32 %e = arith.addi %a, %b : i32 %d = arith.addi %e, %a : i32 return %d : i32 } }", True),
    ('module @m { func.func @i(%a: i1) { cf.cond_br %a, ^x, ^y ^x: return ^y: "t.o"() : () -> () return } }', 'module @m { func.func @i(%a: i1) { cf.cond_br %a, ^y, ^x ^x: return ^y: "t.o"() : () -> () return } }', False),
    ('module @m { func.func @i(%a: i1) { cf.cond_br %a, ^x, ^y ^x: return ^y: "t.o"() : () -> () return } }', 'module @m { func.func @i(%a: i1) { cf.cond_br %a, ^u, ^v ^u: return ^v: "t.o"() : () -> () return } }', True),
    ('module @m { func.func @i(%a: i1, %x: i32) -> i32 { cf.cond_br %a, ^x(%x : i32), ^x(%x : i32) ^x(%p: i32): %q = "t.o"(%p) : (i32) -> i32 return %q : i32 } }', 'module @m { func.func @i(%a: i1, %x: i32) -> i32 { cf.cond_br %a, ^x(%x : i32), ^x(%x : i32) ^x(%p: i32): %q = "t.o"(%x) : (i32) -> i32 return %q : i32 } }', True),
    ('module @m { func.func @i() -> (i32, i32) { %a:2 = "t.o"() : () -> (i32, i32) return %a#0, %a#1 : i32, i32 } }', 'module @m { func.func @i() -> (i32, i32) { %a:2 = "t.o"() : () -> (i32, i32) return %a#1, %a#0 : i32, i32 } }', False),
    ('module @m { func.func @i() -> (i32, i32) { %a = "t.o"() : () -> i32 %b = "t.o"() : () -> i32 return %a, %b : i32, i32 } }', 'module @m { func.func @i() -> (i32, i32) { %a = "t.o"() : () -> i32 %b = "t.o"() : () -> i32 return %b, %a : i32, i32 } }', False),
    ('"t.glob"() {a = 1 : i32} : () -> ()', '"t.glob"() {a = 1 : i32} : () -> ()', True),
    ('"t.glob"() {a = 1 : i32} : () -> ()', '"t.glob"() {a = 2 : i32} : () -> ()', False),
    ('"t.glob"() {a = 1 : i32} : () -> ()', "", False),
    ('"t.a"() ({ "t.b"() [^y] : () -> () ^x: "t.u"(%y) : (i32) -> () ^y: %y = "t.y"() : () -> i32 "t.b"() [^x] : () -> () }) : () -> ()', '"t.a"() ({ "t.b"() [^y] : () -> () ^x: "t.u"(%y) : (i32) -> () ^y: %y = "t.y"() : () -> i32 "t.b"() [^x] : () -> () }) : () -> ()', True),
    ("", '"t.glob"() {a = 1 : i32} : () -> ()', False),
    ('"t.a"() : () -> () "t.b"() : () -> ()', '"t.b"() : () -> () "t.a"() : () -> ()', False),
    ('"t.a"() ({ "t.x"() : () -> () }) : () -> ()', '"t.a"() ({ "t.y"() : () -> () }) : () -> ()', False),
    ('"t.a"() ({ "t.x"() : () -> () }) : () -> ()', '"t.a"() ({ "t.x"() : () -> () }, { }) : () -> ()', False),
    ('"t.a"() ({ "t.x"() : () -> () "t.y"() : () -> () }, { }) : () -> ()', '"t.a"() ({ "t.x"() : () -> () }, { "t.y"() : () -> () }) : () -> ()', False),
    ("func.func @h() { return }", "func.func @h() attributes {frees_are_placed} { return }", True),
    ("func.func @h() { return }", "func.func @h() attributes {places} { return }", False),
    ("ml_program.global private @m(dense<4> : tensor<4xi32>) : tensor<4xi32>", "", True),
    ("ml_program.global public @m(dense<4> : tensor<4xi32>) : tensor<4xi32>", "", False),
    ('"t.r"() ({ %c = arith.constant 1 : i32 "t.u"(%c) : (i32) -> () }) : () -> ()', '"t.r"() ({ %d = arith.constant 2 : i32 %c = arith.constant 1 : i32 "t.u"(%c) : (i32) -> () }) : () -> ()', True),
    ('"t.r"() ({ %c = arith.constant 1 : i32 "t.u"(%c) : (i32) -> () }) : () -> ()', '"t.r"() ({ %c = arith.constant 2 : i32 "t.u"(%c) : (i32) -> () }) : () -> ()', False),
    ('"t.r"() ({ %c = arith.constant 1 : i32 %d = arith.addi %c, %c : i32 "t.u"(%d) : (i32) -> () }) : () -> ()', '"t.r"() ({ %c = arith.constant 1 : i32 %e = arith.constant 1 : i32 %d = arith.addi %c, %e : i32 "t.u"(%d) : (i32) -> () }) : () -> ()', True),
    ('"t.r"() ({ %c = "t.c"() : () -> i32 %d = "t.c"() : () -> i32 %e = arith.subi %c, %d : i32 "t.u"(%e) : (i32) -> () }) : () -> ()', '"t.r"() ({ %c = "t.c"() : () -> i32 %d = "t.c"() : () -> i32 %e = arith.subi %d, %c : i32 "t.u"(%e) : (i32) -> () }) : () -> ()', False),
    ('"t.r"() ({ %c:2 = "t.c"() : () -> (i32, i32) "t.u"(%c#0) : (i32) -> () }) : () -> ()', '"t.r"() ({ %c:2 = "t.c"() : () -> (i32, i32) "t.u"(%c#1) : (i32) -> () }) : () -> ()', False),
    ('"t.r"() ({ ^b(%c: i32, %d: i32): "t.u"(%c) : (i32) -> () }) : () -> ()', '"t.r"() ({ ^b(%c: i32, %d: i32): "t.u"(%d) : (i32) -> () }) : () -> ()', False),
    ('"t.r"() ({ ^b(%c: i32, %d: i32): "t.u"(%c) : (i32) -> () }) : () -> ()', '"t.r"() ({ ^b(%d: i32, %c: i32): "t.u"(%d) : (i32) -> () }) : () -> ()', True),
    ('"t.r"() ({ ^b(%c: i32): "t.u"() : () -> () }) : () -> ()', '"t.r"() ({ ^b(%c: i64): "t.u"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ "t.b"() [^x, ^y] : () -> () ^x: "t.x"() : () -> () ^y: "t.y"() : () -> () }) : () -> ()', '"t.r"() ({ "t.b"() [^y, ^x] : () -> () ^x: "t.x"() : () -> () ^y: "t.y"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ "t.b"() [^x, ^y] : () -> () ^x: "t.x"() : () -> () ^y: "t.y"() : () -> () }) : () -> ()', '"t.r"() ({ "t.b"() [^x, ^y] : () -> () ^x: "t.x"() : () -> () "t.y"() : () -> () ^y: "t.z"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ "t.b"() [^x, ^y] : () -> () ^x: "t.x"() : () -> () "t.e"() : () -> () ^y: "t.y"() : () -> () }) : () -> ()', '"t.r"() ({ "t.b"() [^x, ^y] : () -> () ^x: "t.x"() : () -> () ^y: "t.e"() : () -> () "t.y"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ %c = arith.constant 1 : index %t = "t.t"() : () -> tensor<4xi32> %x = tensor.extract %t[%c] : tensor<4xi32> "t.u"() : () -> () }) : () -> ()', '"t.r"() ({ %c = arith.constant 1 : index %t = "t.t"() : () -> tensor<4xi32> "t.u"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ %x = "t.x"() : () -> i32 "t.u"(%x) {k} : (i32) -> () }) : () -> ()', '"t.r"() ({ %x = "t.x"() : () -> i32 "t.u"(%x) : (i32) -> () }) : () -> ()', False),
    ('"t.r"() ({ %x = "t.x"() : () -> i32 "t.s"() ({ "t.u"(%x) : (i32) -> () }) : () -> () }) : () -> ()', '"t.r"() ({ %x = "t.x"() : () -> i32 "t.s"() ({ %y = arith.constant 0 : i32 "t.u"(%x) : (i32) -> () }) : () -> () }) : () -> ()', True),
    ('"t.r"() ({ %x = "t.x"() : () -> i32 %y = "t.x"() : () -> i32 "t.s"() ({ "t.u"(%x) : (i32) -> () }) : () -> () }) : () -> ()', '"t.r"() ({ %x = "t.x"() : () -> i32 %y = "t.x"() : () -> i32 "t.s"() ({ "t.u"(%y) : (i32) -> () }) : () -> () }) : () -> ()', False),
    ('"t.r"() ({ "t.s"() ({ "t.u"() : () -> () }, { "t.v"() : () -> () }) : () -> () }) : () -> ()', '"t.r"() ({ "t.s"() ({ "t.v"() : () -> () }, { "t.u"() : () -> () }) : () -> () }) : () -> ()', False),
    ('"t.r"() ({ "t.s"() ({ "t.u"() : () -> () }) : () -> () "t.v"() : () -> () }) : () -> ()', '"t.r"() ({ "t.s"() ({ "t.u"() : () -> () "t.v"() : () -> () }) : () -> () }) : () -> ()', False),
    ('"t.r"() ({ ^b(%c: i32): "t.u"() : () -> () }) : () -> ()', '"t.r"() ({ ^b(%c: i32, %d: i32): "t.u"() : () -> () }) : () -> ()', False),
    ('"t.r"() ({ ^b(%c: i32): "t.u"() : () -> () }) : () -> ()', '"t.r"() ({ ^b(%d: i32): "t.u"() : () -> () }) : () -> ()', True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "proved"), CASES)
def test_what_may_change_in_a_module(before, after, proved):
    pair = (parse(f"{text}\n{FUNCTION}", allow_unregistered=True) for text in (before, after))
    assert prove(*pair).proved == proved


STORES = "func.func @s(%a: memref<memref<4xf32>>) { %x = memref.alloc() : memref<4xf32> memref.store %x, %a[] : memref<memref<4xf32>> return }\n"
KEEPS = STORES.replace("return", "memref.store %x, %a[] : memref<memref<4xf32>> return")
RETURNS = "func.func @l(%a: memref<memref<4xf32>>) -> memref<4xf32> { %x = memref.alloca() : memref<4xf32> memref.store %x, %a[] : memref<memref<4xf32>> %y = memref.load %a[] : memref<memref<4xf32>> return %y : memref<4xf32> }\n"
CALLS = (
    "func.func @c(%a: memref<memref<4xf32>>) { func.call @s(%a) : (memref<memref<4xf32>>) -> () return }\n"
)
FREES = "func.func @g(%b: memref<4xf32>) { memref.dealloc %b : memref<4xf32> return }\n"
STACK = "func.func @s(%a: memref<memref<4xf32>>) { %x = memref.alloca() : memref<4xf32> memref.store %x, %a[] : memref<memref<4xf32>> return }\n"
LEAVES = "func.func @g(%a: memref<memref<4xf32>>) { %y = func.call @l(%a) : (memref<memref<4xf32>>) -> memref<4xf32> return }\n"
TWICE = "func.func @d(%n: i32) -> i32 { %c2 = arith.constant 2 : i32 %t = arith.muli %n, %c2 : i32 return %t : i32 }\n"
UNCHANGED = [
    # before, after, whether that is proved: memory that is stored in memory twice is not followed
    (KEEPS, KEEPS, True),
    (RETURNS, RETURNS, True),
    (KEEPS + RETURNS, KEEPS + RETURNS, True),
    (KEEPS, KEEPS.replace("alloc()", "alloc() {alignment = 8 : i64}"), False),
    (KEEPS, STACK, False),
    (STACK, STACK, True),
    (KEEPS + CALLS, KEEPS + CALLS, False),
    (STACK + CALLS, STACK + CALLS, True),
    (KEEPS + FREES, KEEPS + FREES, False),
    (RETURNS + FREES, RETURNS + FREES, False),
    (STACK + FREES, STACK + FREES, True),
    (STORES, STORES.replace("alloc()", "alloc() {alignment = 8 : i64}"), True),
    (STORES + FREES, STORES + FREES, True),
    (STORES + CALLS, STORES + CALLS, True),
    (STORES + CALLS + FREES, STORES + CALLS + FREES, False),
    *(
        (f"module @m {{ {STORES} }} {FREES} {use}",) * 2 + (proved,)
        for use, proved in (("", True), ('"t.o"() {f = @m::@s} : () -> ()', False))
    ),
    (RETURNS + LEAVES, RETURNS + LEAVES, False),
    (KEEPS + TWICE, KEEPS + TWICE.replace("%c2", "%c3"), True),
    (KEEPS + TWICE, KEEPS + TWICE.replace("return %t", "return %n"), False),
    (KEEPS.replace("func @s", "func private @s"),) * 2 + (True,),
    (KEEPS + CALLS.replace("func.call @s(%a) :", '"t.o"(%a) {f = @s} :'),) * 2 + (False,),
]


@pytest.mark.parametrize(("before", "after", "proved"), UNCHANGED)
def test_a_function_that_is_unchanged(before, after, proved):
    pair = [parse(text, allow_unregistered=True) for text in (before, after)]
    proof = prove(*pair)
    assert proof.proved == proved
    if proved:
        check_certificate(*pair, certificate_of(*pair, proof, leaks_matter(*pair)))


# The prover does not follow a body that loads from the memory that it overwrites.
IN_PLACE = """
func.func @p(%x: f32) -> memref<4x4xf32> {
  %m = memref.alloc() : memref<4x4xf32>
  %s = memref.alloc() : memref<f32>
  %i = arith.constant 0 : index
  linalg.map outs(%m : memref<4x4xf32>) () { %y = memref.load %m[%i, %i] : memref<4x4xf32> linalg.yield %y : f32 }
  memref.dealloc %s : memref<f32>
  return %m : memref<4x4xf32>
}
"""
FREE = "memref.dealloc %s : memref<f32>"
CALLER = """
func.func @c(%x: f32) {
  %m = func.call @p(%x) : (f32) -> memref<4x4xf32>
  memref.dealloc %m : memref<4x4xf32>
  return
}"""
CALLEE = "func.func private @callee() -> i32 { %r = arith.constant 1 : i32 return %r : i32 }\n"
USE = '%c = func.call @callee() : () -> i32 "use"(%c) : (i32) -> () return'
COMPUTING = [
    # before, after, the kinds of questions that stay open
    (IN_PLACE, IN_PLACE, ""),
    (IN_PLACE, IN_PLACE.replace("%s =", "%d = arith.constant 1 : index %s ="), "content"),
    (IN_PLACE, IN_PLACE.replace(FREE, ""), "content leak"),
    (*(IN_PLACE.replace(FREE, ""),) * 2, "content leak"),
    (*(IN_PLACE.replace(FREE, f"{FREE} {FREE}"),) * 2, "content double-free"),
    (*(IN_PLACE.replace(FREE, f"{FREE} memref.store %x, %s[] : memref<f32>"),) * 2, "content use-after-free"),
    (*(IN_PLACE + CALLER,) * 2, "content"),
    (*(IN_PLACE + '"t.o"() {f = @p} : () -> ()',) * 2, "content"),
    (*(IN_PLACE.replace("return", USE) + CALLEE,) * 2, ""),
    (IN_PLACE.replace("return", USE) + CALLEE, IN_PLACE.replace("return", USE) + CALLEE.replace("1 :", "2 :"), "content"),
    (IN_PLACE + "memref.global @g : memref<f32> = dense<1.0>", IN_PLACE + "memref.global @g : memref<f32> = dense<2.0>", "content global"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "kinds"), COMPUTING)
def test_an_unchanged_function_computes_the_same_but_may_leak(before, after, kinds):
    pair = [parse(text, allow_unregistered=True) for text in (before, after)]
    proof = prove(*pair, leaks=True)
    assert " ".join(sorted({question.kind for question in proof.questions})) == kinds
    unchanged = [parse(IN_PLACE), parse(IN_PLACE)]
    certificate = certificate_of(*unchanged, prove(*unchanged, leaks=True), True)
    if not kinds:
        certificate = certificate_of(*pair, proof, True)
        check_certificate(*pair, certificate)
    for named, forged in (("before", pair[0]), ("after", pair[1])):
        certificate[named] = digest(forged)
    if kinds and "global" not in kinds:
        with pytest.raises(Refused):
            check_certificate(*pair, certificate)


def test_a_certificate_compares_the_text_only_where_it_must():
    pair = [parse(FUNCTION), parse(FUNCTION)]
    certificate = certificate_of(*pair, prove(*pair), True)
    certificate["functions"][0]["compared"].insert(0, "the text")
    with pytest.raises(Refused, match="it compares other observables"):
        check_certificate(*pair, certificate)


ARITHMETIC = [
    # before, after, whether that is proved
    ("%x = llvm.mul %a, %b : i64 %y = llvm.mul %a, %b : i64 %r = llvm.add %x, %y : i64", "%x = llvm.mul %a, %b : i64 %r = llvm.add %x, %x : i64", True),
    ("%x = llvm.mul %a, %b : i64 %y = llvm.mul %a, %b : i64 %r = llvm.add %x, %y : i64", "%x = llvm.mul %a, %a : i64 %r = llvm.add %x, %x : i64", False),
    ("%r = llvm.mul %a, %b : i64", "%r = llvm.mul %a, %b overflow<nsw> : i64", False),
    ("%r = llvm.mul %a, %b : i64", "%y = llvm.sdiv %a, %b : i64 %r = llvm.mul %a, %b : i64", False),
    *(("%r = llvm.mul %a, %b : i64", f"%y = llvm.{name} %a, %b : i64 %r = llvm.mul %a, %b : i64", False) for name in ("udiv", "srem", "urem")),
    ("%x = llvm.freeze %a : i64 %y = llvm.freeze %a : i64 %r = llvm.sub %x, %y : i64", "%x = llvm.freeze %a : i64 %r = llvm.sub %x, %x : i64", False),
    ("%r = llvm.mul %a, %b : i64", "%y = llvm.and %a, %b : i64 %r = llvm.mul %a, %b : i64", True),
    ("%r = llvm.mul %a, %b : i64", "%y = llvm.load %p : !llvm.ptr -> i64 %r = llvm.mul %a, %b : i64", False),
    ("%r = llvm.mlir.constant(1 : i64) : i64", "%r = llvm.mlir.constant(2 : i64) : i64", False),
    ("%g = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f64 %r = llvm.ptrtoint %g : !llvm.ptr to i64", "%g = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f64 %r = llvm.ptrtoint %g : !llvm.ptr to i64", False),
    ("%x = llvm.load %p : !llvm.ptr -> i64 llvm.store %a, %p : i64, !llvm.ptr %r = llvm.load %p : !llvm.ptr -> i64", "%r = llvm.load %p : !llvm.ptr -> i64 llvm.store %a, %p : i64, !llvm.ptr", False),
    ("llvm.cond_br %c, ^x, ^y ^x: llvm.br ^z(%a : i64) ^y: llvm.br ^z(%b : i64) ^z(%r: i64):", "llvm.cond_br %c, ^x, ^y ^x: llvm.br ^z(%b : i64) ^y: llvm.br ^z(%a : i64) ^z(%r: i64):", False),
    ("llvm.cond_br %c, ^x, ^y ^x: llvm.br ^z(%a : i64) ^y: llvm.br ^z(%b : i64) ^z(%r: i64):", "llvm.cond_br %c, ^y, ^x ^x: llvm.br ^z(%a : i64) ^y: llvm.br ^z(%b : i64) ^z(%r: i64):", False),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "proved"), ARITHMETIC)
def test_pure_arithmetic_of_other_functions_may_be_merged(before, after, proved):
    pair = (
        parse(
            f"llvm.func @h(%a: i64, %b: i64, %p: !llvm.ptr, %c: i1) -> i64 {{ {body} llvm.return %r : i64 }}\n{FUNCTION}",
            allow_unregistered=True,
        )
        for body in (before, after)
    )
    assert prove(*pair).proved == proved
