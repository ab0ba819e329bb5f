func.func @f(%x: i8, %y: i8, %c: i1) -> i8 {
  cf.br ^b1(%x : i8)
^b1(%p1_0: i8):
  cf.cond_br %c, ^b1(%x : i8), ^b1(%y : i8)
^b2:
  return %x : i8
}
// =>
module {
  func.func @f(%arg0: i8, %arg1: i8, %arg2: i1) -> i8 {
    cf.br ^bb1
  ^bb1:  // 2 preds: ^bb0, ^bb1
    cf.br ^bb1
  }
}
// -----
func.func @b() {
  scf.forall () in () { "test.x"() : () -> () }
  return
}
// =>
module {
  func.func @b() {
    "test.x"() : () -> ()
    return
  }
}
// -----
func.func @u2(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall () in () shared_outs(%a = %t) -> tensor<4xf32> { 
   %f = arith.constant 1.0 : f32
   %b = tensor.from_elements %f : tensor<1xf32>
   scf.forall.in_parallel { tensor.parallel_insert_slice %b into %a[0] [1] [1] : tensor<1xf32> into tensor<4xf32> } }
  return %r : tensor<4xf32>
}
// =>
module {
  func.func @u2(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<1xf32>
    %inserted_slice = tensor.insert_slice %cst into %arg0[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
    return %inserted_slice : tensor<4xf32>
  }
}
// -----
func.func @f(%x: i8, %y: i8, %c: i1) -> i8 {
  %r:3 = scf.execute_region -> (i8, i8, i8) no_inline {
    cf.cond_br %c, ^a, ^b
  ^a:
    %1 = "test.a"() : () -> i8
    scf.yield %x, %1, %1 : i8, i8, i8
  ^b:
    %2 = "test.a"() : () -> i8
    scf.yield %x, %2, %2 : i8, i8, i8
  }
  return %r#2 : i8
}
// =>
module {
  func.func @f(%arg0: i8, %arg1: i8, %arg2: i1) -> i8 {
    %0 = scf.execute_region -> i8 no_inline {
      cf.cond_br %arg2, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %1 = "test.a"() : () -> i8
      scf.yield %1 : i8
    ^bb2:  // pred: ^bb0
      %2 = "test.a"() : () -> i8
      scf.yield %2 : i8
    }
    return %0 : i8
  }
}
// -----
func.func @f1(%x: i8, %y: i8, %c: i1) -> (i8, i8) {
  %r:3 = scf.execute_region -> (i8, i8, i8) no_inline {
    cf.cond_br %c, ^a, ^b
  ^a:
    %1 = "test.a"() : () -> i8
    scf.yield %x, %1, %1 : i8, i8, i8
  ^b:
    scf.yield %x, %y, %y : i8, i8, i8
  }
  return %r#2, %r#1 : i8, i8
}
// =>
module {
  func.func @f1(%arg0: i8, %arg1: i8, %arg2: i1) -> (i8, i8) {
    %0 = scf.execute_region -> i8 no_inline {
      cf.cond_br %arg2, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %1 = "test.a"() : () -> i8
      scf.yield %1 : i8
    ^bb2:  // pred: ^bb0
      scf.yield %arg1 : i8
    }
    return %0, %0 : i8, i8
  }
}
// -----
func.func @f2(%x: i8, %y: i8, %c: i1) -> (i8, i8) {
  %r:3 = scf.execute_region -> (i8, i8, i8) no_inline {
    %1 = "test.a"() : () -> i8
    scf.yield %x, %1, %1 : i8, i8, i8
  }
  return %r#2, %r#1 : i8, i8
}
// =>
module {
  func.func @f2(%arg0: i8, %arg1: i8, %arg2: i1) -> (i8, i8) {
    %0 = scf.execute_region -> i8 no_inline {
      %1 = "test.a"() : () -> i8
      scf.yield %1 : i8
    }
    return %0, %0 : i8, i8
  }
}
// -----
func.func @f4(%x: i8, %y: i8, %c: i1) -> (i8, i8) {
  %r:3 = scf.execute_region -> (i8, i8, i8) no_inline {
    cf.cond_br %c, ^a, ^b
  ^a:
    "test.a"() : () -> ()
    ub.unreachable
  ^b:
    %1 = "test.a"() : () -> i8
    scf.yield %x, %1, %y : i8, i8, i8
  }
  return %r#1, %r#1 : i8, i8
}
// =>
module {
  func.func @f4(%arg0: i8, %arg1: i8, %arg2: i1) -> (i8, i8) {
    %0 = scf.execute_region -> i8 no_inline {
      cf.cond_br %arg2, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      "test.a"() : () -> ()
      ub.unreachable
    ^bb2:  // pred: ^bb0
      %1 = "test.a"() : () -> i8
      scf.yield %1 : i8
    }
    return %0, %0 : i8, i8
  }
}
// -----
func.func @f(%a: index, %b: index) {
  affine.for %v1 = %a to min affine_map<(d0)[s0] -> ((s0 - d0), (d0 mod 2))>(%b)[%b] step 2 {
    "test.use"(%v1) : (index) -> ()
  }
  affine.for %i = max affine_map<(d0)[s0] -> (s0 mod 4, 5, d0)>(%a)[%b] to min affine_map<(d0)[s0] -> (s0 mod 4, 5, d0)>(%a)[%b] {
    affine.for %j = max affine_map<(d0) -> (d0 mod 4, 5, 5, 4+1)>(%i) to min affine_map<(d0) -> (-3, d0 mod 4 -9, 5,3)>(%i) {
    "test.use"(%j) : (index) -> ()
    }
    affine.for %j = 0 to min affine_map<(d0) -> (d0 mod 4, 3)>(%i) {
    "test.use"(%j) : (index) -> ()
    }
  }
  affine.for %i = 3 to 70 step 4 {
    affine.for %j = max affine_map<(d0) -> (d0 , 5, -d0)>(%i) to min affine_map<(d0) -> (d0, 3, d0 floordiv 16, 8)>(%i) {
    "test.use"(%j) : (index) -> ()
    }
    affine.for %j = max affine_map<(d0) -> (d0+1 , 3, -d0 + 6)>(%i) to min affine_map<(d0) -> (d0 + 68, 2+ d0 * 2, 70)>(%i) {
    "test.use"(%j) : (index) -> ()
    }
  }
  return
}
// =>
#map = affine_map<()[s0] -> (5, s0)>
#map1 = affine_map<()[s0, s1] -> (s0 mod 4, s1)>
#map2 = affine_map<(d0) -> (-3, d0 mod 4 - 9)>
#map3 = affine_map<(d0) -> (d0 mod 4)>
#map4 = affine_map<(d0) -> (d0, 5)>
#map5 = affine_map<(d0) -> (3, d0 floordiv 16)>
#map6 = affine_map<(d0) -> (d0 + 1)>
#map7 = affine_map<(d0) -> (d0 * 2 + 2, 70)>
module {
  func.func @f(%arg0: index, %arg1: index) {
    affine.for %arg2 = %arg0 to 0 step 2 {
      "test.use"(%arg2) : (index) -> ()
    }
    affine.for %arg2 = max #map()[%arg0] to min #map1()[%arg1, %arg0] {
      affine.for %arg3 = 5 to min #map2(%arg2) {
        "test.use"(%arg3) : (index) -> ()
      }
      affine.for %arg3 = 0 to #map3(%arg2) {
        "test.use"(%arg3) : (index) -> ()
      }
    }
    affine.for %arg2 = 3 to 70 step 4 {
      affine.for %arg3 = max #map4(%arg2) to min #map5(%arg2) {
        "test.use"(%arg3) : (index) -> ()
      }
      affine.for %arg3 = #map6(%arg2) to min #map7(%arg2) {
        "test.use"(%arg3) : (index) -> ()
      }
    }
    return
  }
}
// -----
func.func @d() -> (index,index,index) {
  %c = arith.constant 4611686018427387904 : index
  %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
  %1 = affine.min affine_map<(d0) -> (d0 * 4, 7)>(%c)
  %2 = affine.max affine_map<(d0) -> (d0 * 4, 7)>(%c)
  return %0,%1,%2 : index,index,index
}
// =>
module {
  func.func @d() -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    return %c0, %c0, %c7 : index, index, index
  }
}
// -----
func.func @f(%a: index, %n: index) {
  %x = affine.apply affine_map<()[s0] -> ((s0 floordiv 2) * -2 + 1)>()[%n]
  affine.parallel (%i, %j) = (0, %a) to (%x, min(%x, 8)) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  return
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) {
    affine.parallel (%arg2, %arg3) = (0, symbol(%arg0)) to ((symbol(%arg1) floordiv 2) * -2 + 1, min((symbol(%arg1) floordiv 2) * -2 + 1, 8)) {
      "test.use"(%arg2, %arg3) : (index, index) -> ()
    }
    return
  }
}
// -----
func.func @f() {
  "foo.op"() {a = loc("x"("f":3:4)), b = loc(callsite("a" at "b.c":1:1))} : () -> ()
  return
}
// =>
#loc = loc("f":3:4)
#loc1 = loc("a")
#loc2 = loc("b.c":1:1)
#loc3 = loc("x"(#loc))
#loc4 = loc(callsite(#loc1 at #loc2))
module {
  func.func @f() {
    "foo.op"() {a = #loc3, b = #loc4} : () -> ()
    return
  }
}
// -----
func.func @f() -> (f16, bf16, f32, f64, f32, f16) {
  %a = arith.constant 1.5 : f16
  %b = arith.constant 2.5 : bf16
  %c = arith.constant -0.0 : f32
  %d = arith.constant 0.0 : f64
  %e = arith.constant -2.5 : f32
  %0 = math.round %a : f16
  %1 = math.trunc %b : bf16
  %2 = math.sqrt %c : f32
  %3 = math.log %d : f64
  %4 = math.round %e : f32
  %5 = math.floor %a : f16
  return %0, %1, %2, %3, %4, %5 : f16, bf16, f32, f64, f32, f16
}
// =>
module {
  func.func @f() -> (f16, bf16, f32, f64, f32, f16) {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant -3.000000e+00 : f32
    %cst_1 = arith.constant 0xFFF0000000000000 : f64
    %cst_2 = arith.constant 1.500000e+00 : f16
    %cst_3 = arith.constant 2.500000e+00 : bf16
    %cst_4 = arith.constant -0.000000e+00 : f32
    %0 = math.round %cst_2 : f16
    %1 = math.trunc %cst_3 : bf16
    %2 = math.sqrt %cst_4 : f32
    return %0, %1, %2, %cst_1, %cst_0, %cst : f16, bf16, f32, f64, f32, f16
  }
}
