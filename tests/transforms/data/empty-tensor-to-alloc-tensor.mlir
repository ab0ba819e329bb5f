func.func @alike_but_for_what_they_return(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<4xf32>
^bb2:
  return %b : tensor<4xf32>
}
// =>
module {
  func.func @alike_but_for_what_they_return(%arg0: i1, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    cf.cond_br %arg0, ^bb1(%arg1 : tensor<4xf32>), ^bb1(%arg2 : tensor<4xf32>)
  ^bb1(%0: tensor<4xf32>):  // 2 preds: ^bb0, ^bb0
    return %0 : tensor<4xf32>
  }
}
// -----
func.func @same_arguments_once(%flag: i32, %a: index, %b: index, %m: memref<4x4x4xindex>) {
  cf.switch %flag : i32, [
    default: ^bb1(%a : index),
    1: ^bb2(%b : index),
    2: ^bb3
  ]
^bb1(%x: index):
  memref.store %a, %m[%a, %x, %b] : memref<4x4x4xindex>
  return
^bb2(%y: index):
  memref.store %b, %m[%b, %y, %b] : memref<4x4x4xindex>
  return
^bb3:
  memref.store %b, %m[%b, %a, %b] : memref<4x4x4xindex>
  return
}
// =>
module {
  func.func @same_arguments_once(%arg0: i32, %arg1: index, %arg2: index, %arg3: memref<4x4x4xindex>) {
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg1, %arg1 : index, index),
      1: ^bb1(%arg2, %arg2 : index, index),
      2: ^bb2
    ]
  ^bb1(%0: index, %1: index):  // 2 preds: ^bb0, ^bb0
    memref.store %1, %arg3[%1, %0, %arg2] : memref<4x4x4xindex>
    return
  ^bb2:  // pred: ^bb0
    memref.store %arg2, %arg3[%arg2, %arg1, %arg2] : memref<4x4x4xindex>
    return
  }
}
// -----
func.func @made_inside(%c: i1, %a: f32, %m: memref<4xf32>, %i: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = math.exp %a : f32
  %1 = math.exp %0 : f32
  %2 = arith.subf %0, %1 : f32
  memref.store %2, %m[%i] : memref<4xf32>
  cf.br ^bb3
^bb2:
  %3 = math.exp %a : f32
  %4 = math.exp %3 : f32
  %5 = arith.subf %4, %3 : f32
  memref.store %5, %m[%i] : memref<4xf32>
  cf.br ^bb3
^bb3:
  return
}
// =>
module {
  func.func @made_inside(%arg0: i1, %arg1: f32, %arg2: memref<4xf32>, %arg3: index) {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = math.exp %arg1 : f32
    %1 = math.exp %0 : f32
    %2 = arith.subf %0, %1 : f32
    memref.store %2, %arg2[%arg3] : memref<4xf32>
    cf.br ^bb3
  ^bb2:  // pred: ^bb0
    %3 = math.exp %arg1 : f32
    %4 = math.exp %3 : f32
    %5 = arith.subf %4, %3 : f32
    memref.store %5, %arg2[%arg3] : memref<4xf32>
    cf.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
    return
  }
}
// -----
func.func @kept_apart(%flag: i32, %a: f32, %m: memref<4xf32>, %i: index) -> f32 {
  cf.switch %flag : i32, [
    default: ^bb1,
    1: ^bb2,
    2: ^bb3,
    3: ^bb4
  ]
^bb1:
  %0 = math.exp %a {x} : f32
  cf.br ^bb5(%0 : f32)
^bb2:
  %1 = math.exp %a : f32
  cf.br ^bb5(%1 : f32)
^bb3:
  scf.execute_region {
    memref.store %a, %m[%i] : memref<4xf32>
    scf.yield
  }
  cf.br ^bb5(%a : f32)
^bb4:
  scf.execute_region {
    memref.store %a, %m[%i] : memref<4xf32>
    scf.yield
  }
  cf.br ^bb5(%a : f32)
^bb5(%x: f32):
  return %x : f32
}
// =>
module {
  func.func @kept_apart(%arg0: i32, %arg1: f32, %arg2: memref<4xf32>, %arg3: index) -> f32 {
    cf.switch %arg0 : i32, [
      default: ^bb1,
      1: ^bb2,
      2: ^bb3,
      3: ^bb4
    ]
  ^bb1:  // pred: ^bb0
    %0 = math.exp %arg1 {x} : f32
    cf.br ^bb5(%0 : f32)
  ^bb2:  // pred: ^bb0
    %1 = math.exp %arg1 : f32
    cf.br ^bb5(%1 : f32)
  ^bb3:  // pred: ^bb0
    scf.execute_region {
      memref.store %arg1, %arg2[%arg3] : memref<4xf32>
      scf.yield
    }
    cf.br ^bb5(%arg1 : f32)
  ^bb4:  // pred: ^bb0
    scf.execute_region {
      memref.store %arg1, %arg2[%arg3] : memref<4xf32>
      scf.yield
    }
    cf.br ^bb5(%arg1 : f32)
  ^bb5(%2: f32):  // 4 preds: ^bb1, ^bb2, ^bb3, ^bb4
    return %2 : f32
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
func.func @nobody_needs_it(%t: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%t : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %t : tensor<5xf32>
}
// =>
module {
  func.func @nobody_needs_it(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    return %arg0 : tensor<5xf32>
  }
}
// -----
func.func @folded_on_the_way(%t: tensor<2x3xf32>, %m: memref<8x2xf64>) -> (tensor<2xindex>, index, tensor<4xf32>) {
  %0 = shape.shape_of %t : tensor<2x3xf32> -> tensor<2xindex>
  %b, %o, %s:2, %r:2 = memref.extract_strided_metadata %m : memref<8x2xf64> -> memref<f64>, index, index, index, index, index
  %e = tensor.empty() : tensor<4xf32>
  return %0, %s#1, %e : tensor<2xindex>, index, tensor<4xf32>
}
// =>
module {
  func.func @folded_on_the_way(%arg0: tensor<2x3xf32>, %arg1: memref<8x2xf64>) -> (tensor<2xindex>, index, tensor<4xf32>) {
    %c2 = arith.constant 2 : index
    %0 = shape.shape_of %arg0 : tensor<2x3xf32> -> tensor<2xindex>
    %1 = bufferization.alloc_tensor() : tensor<4xf32>
    return %0, %c2, %1 : tensor<2xindex>, index, tensor<4xf32>
  }
}
// -----
func.func @empty_in_then_linalg(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
%e = tensor.empty() : tensor<4xf32>
%x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
scf.yield %x : tensor<4xf32>
} else {
scf.yield %t : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_in_then_linalg(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    return
  }
}
// -----
func.func @empty_cast(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
scf.yield %t : tensor<4xf32>
} else {
%e = tensor.empty(%n) : tensor<?xf32>
%x = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
scf.yield %x : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_cast(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    %0 = scf.if %arg0 -> (tensor<4xf32>) {
      scf.yield %arg1 : tensor<4xf32>
    } else {
      %1 = bufferization.alloc_tensor(%arg3) : tensor<?xf32>
      %cast = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>
      scf.yield %cast : tensor<4xf32>
    }
    return
  }
}
// -----
func.func @empty_else_yield(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
scf.yield %t : tensor<4xf32>
} else {
%e = tensor.empty() : tensor<4xf32>
scf.yield %e : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_else_yield(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    %0 = scf.if %arg0 -> (tensor<4xf32>) {
      scf.yield %arg1 : tensor<4xf32>
    } else {
      %1 = bufferization.alloc_tensor() : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    return
  }
}
// -----
func.func @empty_insert(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
scf.yield %t : tensor<4xf32>
} else {
%e = tensor.empty() : tensor<4xf32>
%x = tensor.insert %f into %e[%n] : tensor<4xf32>
scf.yield %x : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_insert(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    %0 = scf.if %arg0 -> (tensor<4xf32>) {
      scf.yield %arg1 : tensor<4xf32>
    } else {
      %1 = bufferization.alloc_tensor() : tensor<4xf32>
      %inserted = tensor.insert %arg2 into %1[%arg3] : tensor<4xf32>
      scf.yield %inserted : tensor<4xf32>
    }
    return
  }
}
// -----
func.func @empty_unused(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
scf.yield %t : tensor<4xf32>
} else {
%e = tensor.empty() : tensor<4xf32>
scf.yield %t : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_unused(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    return
  }
}
// -----
func.func @empty_then_yield(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.if %c -> (tensor<4xf32>) {
%e = tensor.empty() : tensor<4xf32>
scf.yield %e : tensor<4xf32>
} else {
scf.yield %t : tensor<4xf32>
}
return
}
// =>
module {
  func.func @empty_then_yield(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    return
  }
}
// -----
func.func @dead_chain(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%e = tensor.empty() : tensor<4xf32>
%x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return
}
// =>
module {
  func.func @dead_chain(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    return
  }
}
// -----
func.func @exec(%c: i1, %t: tensor<4xf32>, %f: f32, %n: index) {
%r = scf.execute_region -> tensor<4xf32> {
%e = tensor.empty() : tensor<4xf32>
%x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
scf.yield %x : tensor<4xf32>
}
return
}
// =>
module {
  func.func @exec(%arg0: i1, %arg1: tensor<4xf32>, %arg2: f32, %arg3: index) {
    return
  }
}
