func.func @paddings_that_tell_no_size(%x: tensor<?x4xf32>, %h: index, %z: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// =>
module {
  func.func @paddings_that_tell_no_size(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
    %c1 = arith.constant 1 : index
    %padded = tensor.pad %arg0 low[%c1, 0] high[0, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<?x4xf32> to tensor<?x?xf32>
    return %padded : tensor<?x?xf32>
  }
}
// -----
func.func @constant_paddings_of_known_sizes(%x: tensor<3x4xf32>, %h: index, %z: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<3x4xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// =>
module {
  func.func @constant_paddings_of_known_sizes(%arg0: tensor<3x4xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
    %padded = tensor.pad %arg0 low[1, 0] high[0, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<3x4xf32> to tensor<4x?xf32>
    %cast = tensor.cast %padded : tensor<4x?xf32> to tensor<?x?xf32>
    return %cast : tensor<?x?xf32>
  }
}
// -----
func.func @sizes_known_already(%x: tensor<3x4xf32>, %h: index, %z: f32) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<3x4xf32> to tensor<4x?xf32>
  return %p : tensor<4x?xf32>
}
// =>
module {
  func.func @sizes_known_already(%arg0: tensor<3x4xf32>, %arg1: index, %arg2: f32) -> tensor<4x?xf32> {
    %c1 = arith.constant 1 : index
    %padded = tensor.pad %arg0 low[%c1, 0] high[0, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<3x4xf32> to tensor<4x?xf32>
    return %padded : tensor<4x?xf32>
  }
}
// -----
func.func @size_known_from_the_result(%x: tensor<?x4xf32>, %h: index, %z: f32) -> tensor<8x?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %c1] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<8x?xf32>
  return %p : tensor<8x?xf32>
}
// =>
module {
  func.func @size_known_from_the_result(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32) -> tensor<8x?xf32> {
    %padded = tensor.pad %arg0 low[1, 0] high[0, 1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<?x4xf32> to tensor<8x5xf32>
    %cast = tensor.cast %padded : tensor<8x5xf32> to tensor<8x?xf32>
    return %cast : tensor<8x?xf32>
  }
}
// -----
func.func @one_size_unknown(%x: tensor<?x4xf32>, %h: index, %z: f32) -> tensor<?x7xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<?x7xf32>
  return %p : tensor<?x7xf32>
}
// =>
module {
  func.func @one_size_unknown(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32) -> tensor<?x7xf32> {
    %c1 = arith.constant 1 : index
    %padded = tensor.pad %arg0 low[%c1, 0] high[0, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %padded : tensor<?x7xf32>
  }
}
// -----
func.func @padded_twice(%x: tensor<?x?xf32>, %h: index, %z: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[%c1, 0] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  %q = tensor.pad %p low[%c1, 0] high[3, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 * 2)>
module {
  func.func @padded_twice(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
    %0 = affine.apply #map()[%arg1]
    %padded = tensor.pad %arg0 low[2, 0] high[3, %0] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    return %padded : tensor<?x?xf32>
  }
}
// -----
func.func @never_folded(%x: tensor<?x?xf32>, %h: index) -> tensor<?x?xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  %q = tensor.pad %p nofold low[3, 0] high[3, %h] { ^bb0(%a: index, %b: index): %z2 = arith.constant 1.0 : f32
   tensor.yield %z2 : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}
// =>
module {
  func.func @never_folded(%arg0: tensor<?x?xf32>, %arg1: index) -> tensor<?x?xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %padded = tensor.pad %arg0 low[1, 2] high[0, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    %padded_0 = tensor.pad %padded nofold low[3, 0] high[3, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    return %padded_0 : tensor<?x?xf32>
  }
}
// -----
func.func @padded_twice_with_equal_constants(%x: tensor<4x4xf32>, %h: index) -> tensor<?x8xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<4x4xf32> to tensor<5x?xf32>
  %q = tensor.pad %p low[3, 0] high[%h, %h] { ^bb0(%a: index, %b: index): %z2 = arith.constant 1.0 : f32
   tensor.yield %z2 : f32 } : tensor<5x?xf32> to tensor<?x8xf32>
  return %q : tensor<?x8xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 * 2)>
module {
  func.func @padded_twice_with_equal_constants(%arg0: tensor<4x4xf32>, %arg1: index) -> tensor<?x8xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = affine.apply #map()[%arg1]
    %padded = tensor.pad %arg0 low[4, 2] high[%arg1, %0] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<4x4xf32> to tensor<?x8xf32>
    return %padded : tensor<?x8xf32>
  }
}
// -----
func.func @padded_then_cast(%x: tensor<4x4xf32>, %h: index, %z: f32) -> (tensor<?x8xf32>, tensor<4x8xf32>) {
  %p = tensor.pad %x low[1, 2] high[%h, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<4x4xf32> to tensor<?x?xf32>
  %c1 = tensor.cast %p : tensor<?x?xf32> to tensor<?x8xf32>
  %p2 = tensor.pad %x low[1, 2] high[%h, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<4x4xf32> to tensor<?x8xf32>
  %c2 = tensor.cast %p2 : tensor<?x8xf32> to tensor<4x8xf32>
  return %c1, %c2 : tensor<?x8xf32>, tensor<4x8xf32>
}
// =>
module {
  func.func @padded_then_cast(%arg0: tensor<4x4xf32>, %arg1: index, %arg2: f32) -> (tensor<?x8xf32>, tensor<4x8xf32>) {
    %padded = tensor.pad %arg0 low[1, 2] high[%arg1, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<4x4xf32> to tensor<?x8xf32>
    %padded_0 = tensor.pad %arg0 low[1, 2] high[%arg1, %arg1] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %arg2 : f32
    } : tensor<4x4xf32> to tensor<4x8xf32>
    return %padded, %padded_0 : tensor<?x8xf32>, tensor<4x8xf32>
  }
}
// -----
func.func @nofold_zero(%x: tensor<?x4xf32>, %z: f32) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %p = tensor.pad %x nofold low[0, 0] high[0, 0] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<?x4xf32>
  %q = tensor.pad %x low[0, 0] high[0, 0] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<?x4xf32>
  return %p, %q : tensor<?x4xf32>, tensor<?x4xf32>
}
// =>
module {
  func.func @nofold_zero(%arg0: tensor<?x4xf32>, %arg1: f32) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %padded = tensor.pad %arg0 nofold low[0, 0] high[0, 0] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } : tensor<?x4xf32> to tensor<?x4xf32>
    return %padded, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>
  }
}
// -----
func.func @pad_cast_attr(%x: tensor<2x4xf32>, %z: f32) -> tensor<?x5xf32> {
  %k = tensor.cast %x : tensor<2x4xf32> to tensor<?x4xf32>
  %p = tensor.pad %k nofold low[0, 0] high[0, 1] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } {foo = 1} : tensor<?x4xf32> to tensor<?x5xf32>
  return %p : tensor<?x5xf32>
}
// =>
module {
  func.func @pad_cast_attr(%arg0: tensor<2x4xf32>, %arg1: f32) -> tensor<?x5xf32> {
    %padded = tensor.pad %arg0 nofold low[0, 0] high[0, 1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } {foo = 1 : i64} : tensor<2x4xf32> to tensor<2x5xf32>
    %cast = tensor.cast %padded : tensor<2x5xf32> to tensor<?x5xf32>
    return %cast : tensor<?x5xf32>
  }
}
// -----
func.func @orthogonal_but_nothing_is_padded(%x: tensor<64x64xf32>, %s0: index, %s1: index, %h0: index, %h1: index) -> tensor<8x4xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %x[16, 0] [%s0, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
  %1 = tensor.pad %0 low[0, 0] high[%h0, 0] { ^bb0(%a: index, %b: index): tensor.yield %cst : f32 } : tensor<?x64xf32> to tensor<8x64xf32>
  %2 = tensor.extract_slice %1[0, 4] [8, 4] [1, 1] : tensor<8x64xf32> to tensor<8x4xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, 0] { ^bb0(%a: index, %b: index): tensor.yield %cst : f32 } : tensor<8x4xf32> to tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
// =>
module {
  func.func @orthogonal_but_nothing_is_padded(%arg0: tensor<64x64xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index) -> tensor<8x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[16, 0] [%arg1, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
    %padded = tensor.pad %extracted_slice low[0, 0] high[%arg3, 0] {
    ^bb0(%arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<?x64xf32> to tensor<8x64xf32>
    %extracted_slice_0 = tensor.extract_slice %padded[0, 4] [8, 4] [1, 1] : tensor<8x64xf32> to tensor<8x4xf32>
    return %extracted_slice_0 : tensor<8x4xf32>
  }
}
// -----
func.func @twice_but_the_first_never_folds(%x: tensor<?x?xf32>, %h: index) -> tensor<?x?xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x nofold low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  %q = tensor.pad %p low[3, 0] high[3, %h] { ^bb0(%a: index, %b: index): %z2 = arith.constant 1.0 : f32
   tensor.yield %z2 : f32 } {foo = 1 : i64} : tensor<?x?xf32> to tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}
// =>
module {
  func.func @twice_but_the_first_never_folds(%arg0: tensor<?x?xf32>, %arg1: index) -> tensor<?x?xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %padded = tensor.pad %arg0 nofold low[1, 2] high[0, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    %padded_0 = tensor.pad %padded low[3, 0] high[3, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } {foo = 1 : i64} : tensor<?x?xf32> to tensor<?x?xf32>
    return %padded_0 : tensor<?x?xf32>
  }
}
// -----
func.func @padded_twice_both_used(%x: tensor<?x?xf32>, %h: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  %q = tensor.pad %p low[3, 0] high[3, %h] { ^bb0(%a: index, %b: index): %z2 = arith.constant 1.0 : f32
   tensor.yield %z2 : f32 } {foo = 1 : i64} : tensor<?x?xf32> to tensor<?x?xf32>
  return %q, %p : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 * 2)>
module {
  func.func @padded_twice_both_used(%arg0: tensor<?x?xf32>, %arg1: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %padded = tensor.pad %arg0 low[1, 2] high[0, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    %0 = affine.apply #map()[%arg1]
    %padded_0 = tensor.pad %arg0 low[4, 2] high[3, %0] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } {foo = 1 : i64} : tensor<?x?xf32> to tensor<?x?xf32>
    return %padded_0, %padded : tensor<?x?xf32>, tensor<?x?xf32>
  }
}
// -----
func.func @border_of_indices(%x: tensor<?x?xindex>, %h: index) -> tensor<?x?xindex> {
  %p = tensor.pad %x low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %a : index } : tensor<?x?xindex> to tensor<?x?xindex>
  %q = tensor.pad %p low[3, 0] high[3, %h] { ^bb0(%a: index, %b: index): tensor.yield %a : index } {foo = 1 : i64} : tensor<?x?xindex> to tensor<?x?xindex>
  return %q : tensor<?x?xindex>
}
// =>
module {
  func.func @border_of_indices(%arg0: tensor<?x?xindex>, %arg1: index) -> tensor<?x?xindex> {
    %padded = tensor.pad %arg0 low[1, 2] high[0, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg2 : index
    } : tensor<?x?xindex> to tensor<?x?xindex>
    %padded_0 = tensor.pad %padded low[3, 0] high[3, %arg1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg2 : index
    } {foo = 1 : i64} : tensor<?x?xindex> to tensor<?x?xindex>
    return %padded_0 : tensor<?x?xindex>
  }
}
// -----
func.func @padded_fill(%x: tensor<?x4xf32>, %h: index) -> (tensor<?x?xf32>, tensor<9x4xf32>) {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = tensor.pad %f low[1, 2] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  %q = tensor.pad %f low[1, 0] high[3, 0] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<9x4xf32>
  return %p, %q : tensor<?x?xf32>, tensor<9x4xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0] -> (s0 + 6)>
module {
  func.func @padded_fill(%arg0: tensor<?x4xf32>, %arg1: index) -> (tensor<?x?xf32>, tensor<9x4xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %0 = affine.apply #map()[%dim]
    %1 = affine.apply #map1()[%arg1]
    %2 = tensor.empty(%0, %1) : tensor<?x?xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %4 = tensor.empty() : tensor<9x4xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<9x4xf32>) -> tensor<9x4xf32>
    return %3, %5 : tensor<?x?xf32>, tensor<9x4xf32>
  }
}
// -----
func.func @padded_into_fill(%x: tensor<?x4xf32>, %h: index, %k: index, %d: tensor<100x100xf32>) -> (tensor<100x100xf32>) {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<100x100xf32>) -> tensor<100x100xf32>
  %p = tensor.pad %x low[1, %h] high[0, %h] { ^bb0(%a: index, %b: index): tensor.yield %z : f32 } : tensor<?x4xf32> to tensor<20x20xf32>
  %i = tensor.insert_slice %p into %f[%k, 3] [20, 20] [1, 1] : tensor<20x20xf32> into tensor<100x100xf32>
  %i2 = tensor.insert_slice %p into %i[%k, 33] [20, 20] [1, 1] : tensor<20x20xf32> into tensor<100x100xf32>
  %i3 = tensor.insert_slice %p into %i2[%k, 13] [20, 20] [1, 1] : tensor<20x20xf32> into tensor<100x100xf32>
  return %i3 : tensor<100x100xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0] -> (s0 + 3)>
module {
  func.func @padded_into_fill(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: index, %arg3: tensor<100x100xf32>) -> tensor<100x100xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 1.000000e+00 : f32
    %0 = linalg.fill ins(%cst : f32) outs(%arg3 : tensor<100x100xf32>) -> tensor<100x100xf32>
    %padded = tensor.pad %arg0 low[1, %arg1] high[0, %arg1] {
    ^bb0(%arg4: index, %arg5: index):
      tensor.yield %cst : f32
    } : tensor<?x4xf32> to tensor<20x20xf32>
    %1 = affine.apply #map()[%arg2]
    %2 = affine.apply #map1()[%arg1]
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %0[%1, %2] [%dim, 4] [1, 1] : tensor<?x4xf32> into tensor<100x100xf32>
    %inserted_slice_0 = tensor.insert_slice %padded into %inserted_slice[%arg2, 33] [20, 20] [1, 1] : tensor<20x20xf32> into tensor<100x100xf32>
    %inserted_slice_1 = tensor.insert_slice %padded into %inserted_slice_0[%arg2, 13] [20, 20] [1, 1] : tensor<20x20xf32> into tensor<100x100xf32>
    return %inserted_slice_1 : tensor<100x100xf32>
  }
}
// -----
func.func @what_is_done_with_a_fill(%x: tensor<?x4xf32>, %h: index, %k: index) -> (tensor<?xf32>, tensor<?x2x2xf32>, tensor<4x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>) {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.collapse_shape %f [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %f [[0], [1, 2]] output_shape [%h, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %e = tensor.empty(%h) : tensor<4x?xf32>
  %3 = linalg.transpose ins(%f : tensor<?x4xf32>) outs(%e : tensor<4x?xf32>) permutation = [1, 0]
  %e2 = tensor.empty(%h) : tensor<?x4xf32>
  %4 = linalg.copy ins(%f : tensor<?x4xf32>) outs(%e2 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e2 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %5 = linalg.copy ins(%x : tensor<?x4xf32>) outs(%f3 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %6 = tensor.concat dim(1) %f, %f3 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  return %1, %2, %3, %4, %5, %6 : tensor<?xf32>, tensor<?x2x2xf32>, tensor<4x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>
}
// =>
module {
  func.func @what_is_done_with_a_fill(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: index) -> (tensor<?xf32>, tensor<?x2x2xf32>, tensor<4x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
    %0 = linalg.fill ins(%cst : f32) outs(%collapsed : tensor<?xf32>) -> tensor<?xf32>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [%arg1, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%expanded : tensor<?x2x2xf32>) -> tensor<?x2x2xf32>
    %2 = tensor.empty(%arg1) : tensor<4x?xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
    %4 = tensor.empty(%arg1) : tensor<?x4xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %6 = linalg.copy ins(%arg0 : tensor<?x4xf32>) outs(%4 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %concat = tensor.concat dim(1) %arg0, %4 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%concat : tensor<?x8xf32>) -> tensor<?x8xf32>
    return %0, %1, %3, %5, %6, %7 : tensor<?xf32>, tensor<?x2x2xf32>, tensor<4x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>
  }
}
// -----
func.func @filled_buffer(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %h: index, %k: index) {
  %z = arith.constant 1.0 : f32
  linalg.fill ins(%z : f32) outs(%x : memref<?x4xf32>) 
  linalg.copy ins(%x : memref<?x4xf32>) outs(%y : memref<?x4xf32>)
  return
}
// =>
module {
  func.func @filled_buffer(%arg0: memref<?x4xf32>, %arg1: memref<?x4xf32>, %arg2: index, %arg3: index) {
    %cst = arith.constant 1.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg0 : memref<?x4xf32>)
    linalg.copy ins(%arg0 : memref<?x4xf32>) outs(%arg1 : memref<?x4xf32>)
    return
  }
}
// -----
func.func @element_and_cast_of_fill(%x: tensor<?x4xf32>, %i: index) -> (f32, tensor<2x4xf32>) {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%i) : tensor<?x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = tensor.extract %f[%i, %i] : tensor<?x4xf32>
  %k = tensor.cast %f : tensor<?x4xf32> to tensor<2x4xf32>
  return %s, %k : f32, tensor<2x4xf32>
}
// =>
module {
  func.func @element_and_cast_of_fill(%arg0: tensor<?x4xf32>, %arg1: index) -> (f32, tensor<2x4xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
    return %cst, %1 : f32, tensor<2x4xf32>
  }
}
// -----
func.func @concat(%x: tensor<?x4xf32>, %y: tensor<3x?xf32>, %z: tensor<3x4xf32>, %w: tensor<?x?xf32>) -> (tensor<?x8xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<3x8xf32>) {
  %1 = tensor.concat dim(1) %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %2 = tensor.concat dim(1) %y, %z : (tensor<3x?xf32>, tensor<3x4xf32>) -> tensor<?x?xf32>
  %3 = tensor.concat dim(0) %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = tensor.concat dim(1) %w, %z : (tensor<?x?xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
  return %1, %2, %3, %4 : tensor<?x8xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<3x8xf32>
}
// =>
module {
  func.func @concat(%arg0: tensor<?x4xf32>, %arg1: tensor<3x?xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<?x?xf32>) -> (tensor<?x8xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<3x8xf32>) {
    %concat = tensor.concat dim(1) %arg0, %arg0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
    %concat_0 = tensor.concat dim(1) %arg1, %arg2 : (tensor<3x?xf32>, tensor<3x4xf32>) -> tensor<3x?xf32>
    %cast = tensor.cast %concat_0 : tensor<3x?xf32> to tensor<?x?xf32>
    %cast_1 = tensor.cast %arg3 : tensor<?x?xf32> to tensor<3x?xf32>
    %concat_2 = tensor.concat dim(1) %cast_1, %arg2 : (tensor<3x?xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    return %concat, %cast, %arg0, %concat_2 : tensor<?x8xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<3x8xf32>
  }
}
// -----
func.func @splat(%f: f32, %i: index) -> (f32, tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>) {
  %s = tensor.splat %f : tensor<4xf32>
  %e = tensor.extract %s[%i] : tensor<4xf32>
  %x = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1.0 : f32
  %t = tensor.splat %f[%c4] : tensor<?xf32>
  %u = tensor.splat %c1 : tensor<4xf32>
  return %e, %s, %x, %t, %u : f32, tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>
}
// =>
module {
  func.func @splat(%arg0: f32, %arg1: index) -> (f32, tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>) {
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %c4 = arith.constant 4 : index
    %splat = tensor.splat %arg0 : tensor<4xf32>
    %extracted = tensor.extract %splat[%arg1] : tensor<4xf32>
    %splat_0 = tensor.splat %arg0 : tensor<2x2xf32>
    %splat_1 = tensor.splat %arg0[%c4] : tensor<?xf32>
    return %extracted, %splat, %splat_0, %splat_1, %cst : f32, tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>
  }
}
// -----
func.func @collapsed_again(%x: tensor<?x4xf32>, %y: tensor<2x3x4x5xf32>, %i: index, %j: index) -> (tensor<?x2x2xf32>, tensor<?xf32>, tensor<6x20xf32>, tensor<2x60xf32>, tensor<6x4x5xf32>) {
  %e = tensor.expand_shape %x [[0], [1, 2, 3]] output_shape [%i, 2, 2, 1] : tensor<?x4xf32> into tensor<?x2x2x1xf32>
  %c = tensor.collapse_shape %e [[0], [1], [2, 3]] : tensor<?x2x2x1xf32> into tensor<?x2x2xf32>
  %d = tensor.collapse_shape %e [[0, 1, 2, 3]] : tensor<?x2x2x1xf32> into tensor<?xf32>
  %1 = tensor.collapse_shape %y [[0], [1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<2x3x20xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<2x3x20xf32> into tensor<6x20xf32>
  %3 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<2x3x20xf32> into tensor<2x60xf32>
  %4 = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
  %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [6, 4, 5] : tensor<6x20xf32> into tensor<6x4x5xf32>
  return %c, %d, %2, %3, %5 : tensor<?x2x2xf32>, tensor<?xf32>, tensor<6x20xf32>, tensor<2x60xf32>, tensor<6x4x5xf32>
}
// =>
module {
  func.func @collapsed_again(%arg0: tensor<?x4xf32>, %arg1: tensor<2x3x4x5xf32>, %arg2: index, %arg3: index) -> (tensor<?x2x2xf32>, tensor<?xf32>, tensor<6x20xf32>, tensor<2x60xf32>, tensor<6x4x5xf32>) {
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [%arg2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
    %collapsed_1 = tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<2x60xf32>
    %collapsed_2 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    return %expanded, %collapsed, %collapsed_0, %collapsed_1, %collapsed_2 : tensor<?x2x2xf32>, tensor<?xf32>, tensor<6x20xf32>, tensor<2x60xf32>, tensor<6x4x5xf32>
  }
}
// -----
func.func @expanded_again(%x: tensor<?x4x1xf32>, %y: tensor<2x3x4x5xf32>, %i: index, %z: tensor<1x1xf32>, %w: tensor<f32>) -> (tensor<?x4xf32>, tensor<2x2x3x4x5xf32>, tensor<3x2x4x5xf32>, tensor<1xf32>, tensor<f32>, tensor<1x1x1xf32>) {
  %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x4x1xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %3 = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
  %4 = tensor.expand_shape %3 [[0, 1, 2], [3], [4]] output_shape [2, 1, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x1x3x4x5xf32>
  %b4 = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [3, 2, 4, 5] : tensor<6x4x5xf32> into tensor<3x2x4x5xf32>
  %c2 = tensor.empty() : tensor<2x2x3x4x5xf32>
  %5 = tensor.collapse_shape %z [] : tensor<1x1xf32> into tensor<f32>
  %6 = tensor.expand_shape %5 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %7 = tensor.expand_shape %w [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %8 = tensor.collapse_shape %7 [] : tensor<1x1xf32> into tensor<f32>
  %9 = tensor.expand_shape %w [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %10 = tensor.expand_shape %9 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
  return %2, %c2, %b4, %6, %8, %10 : tensor<?x4xf32>, tensor<2x2x3x4x5xf32>, tensor<3x2x4x5xf32>, tensor<1xf32>, tensor<f32>, tensor<1x1x1xf32>
}
// =>
module {
  func.func @expanded_again(%arg0: tensor<?x4x1xf32>, %arg1: tensor<2x3x4x5xf32>, %arg2: index, %arg3: tensor<1x1xf32>, %arg4: tensor<f32>) -> (tensor<?x4xf32>, tensor<2x2x3x4x5xf32>, tensor<3x2x4x5xf32>, tensor<1xf32>, tensor<f32>, tensor<1x1x1xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x4x1xf32> into tensor<?x4xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %expanded = tensor.expand_shape %collapsed_0 [[0, 1], [2], [3]] output_shape [3, 2, 4, 5] : tensor<6x4x5xf32> into tensor<3x2x4x5xf32>
    %0 = tensor.empty() : tensor<2x2x3x4x5xf32>
    %collapsed_1 = tensor.collapse_shape %arg3 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
    %expanded_2 = tensor.expand_shape %arg4 [] output_shape [1, 1, 1] : tensor<f32> into tensor<1x1x1xf32>
    return %collapsed, %0, %expanded, %collapsed_1, %arg4, %expanded_2 : tensor<?x4xf32>, tensor<2x2x3x4x5xf32>, tensor<3x2x4x5xf32>, tensor<1xf32>, tensor<f32>, tensor<1x1x1xf32>
  }
}
// -----
func.func @units(%x: tensor<1x?x1x1x?x1xf32>, %i: index, %j: index) -> (tensor<?x?xf32>, tensor<1x?x?xf32>, tensor<?x1x?x1xf32>) {
  %1 = tensor.collapse_shape %x [[0, 1], [2, 3, 4], [5]] : tensor<1x?x1x1x?x1xf32> into tensor<?x?x1xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [1, %i, %j] : tensor<?x?xf32> into tensor<1x?x?xf32>
  %4 = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [%i, 1, %j, 1] : tensor<?x?xf32> into tensor<?x1x?x1xf32>
  return %2, %3, %4 : tensor<?x?xf32>, tensor<1x?x?xf32>, tensor<?x1x?x1xf32>
}
// =>
module {
  func.func @units(%arg0: tensor<1x?x1x1x?x1xf32>, %arg1: index, %arg2: index) -> (tensor<?x?xf32>, tensor<1x?x?xf32>, tensor<?x1x?x1xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2, 3, 4, 5]] : tensor<1x?x1x1x?x1xf32> into tensor<?x?xf32>
    %collapsed_0 = tensor.collapse_shape %arg0 [[0], [1], [2, 3, 4, 5]] : tensor<1x?x1x1x?x1xf32> into tensor<1x?x?xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1], [2, 3]] output_shape [%arg1, 1, %arg2, 1] : tensor<?x?xf32> into tensor<?x1x?x1xf32>
    return %collapsed, %collapsed_0, %expanded : tensor<?x?xf32>, tensor<1x?x?xf32>, tensor<?x1x?x1xf32>
  }
}
// -----
func.func @constant_output_shape(%x: tensor<8x?xf32>, %u: tensor<?x?xf32>, %i: index, %j: index) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %a = tensor.cast %x : tensor<8x?xf32> to tensor<?x?xf32>
  %1 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%c4, %c2, %j] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %2 = tensor.expand_shape %u [[0, 1], [2]] output_shape [%c4, %i, %j] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  %b = tensor.cast %x : tensor<8x?xf32> to tensor<?x2xf32>
  return %1, %2, %3, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>
}
// =>
module {
  func.func @constant_output_shape(%arg0: tensor<8x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index, %arg3: index) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>) {
    %c4 = arith.constant 4 : index
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [4, 2, %arg3] : tensor<8x?xf32> into tensor<4x2x?xf32>
    %cast = tensor.cast %expanded : tensor<4x2x?xf32> to tensor<?x?x?xf32>
    %expanded_0 = tensor.expand_shape %arg1 [[0, 1], [2]] output_shape [%c4, %arg2, %arg3] : tensor<?x?xf32> into tensor<?x?x?xf32>
    %cast_1 = tensor.cast %arg0 : tensor<8x?xf32> to tensor<?x?xf32>
    %cast_2 = tensor.cast %arg0 : tensor<8x?xf32> to tensor<?x2xf32>
    return %cast, %expanded_0, %cast_1, %cast_2 : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>
  }
}
// -----
func.func @dims(%x: tensor<8x?x?xf32>, %i: index, %j: index, %k: index, %s: tensor<3xindex>, %sr: tensor<2xi32>) -> (index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<8x?x?xf32> into tensor<?x?xf32>
  %d0 = tensor.dim %c, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %c, %c1 : tensor<?x?xf32>
  %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [8, 4, %i, %k] : tensor<8x?x?xf32> into tensor<8x4x?x?xf32>
  %d2 = tensor.dim %e, %c2 : tensor<8x4x?x?xf32>
  %d3 = tensor.dim %c, %k : tensor<?x?xf32>
  %r = tensor.reshape %x(%s) : (tensor<8x?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %dd = tensor.dim %r, %c1 : tensor<?x?x?xf32>
  %q = tensor.reshape %x(%sr) : (tensor<8x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %d5 = tensor.dim %q, %c1 : tensor<?x?xf32>
  return %d0, %d1, %d2, %d3, %dd, %d5 : index, index, index, index, index, index
}
// =>
module {
  func.func @dims(%arg0: tensor<8x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: tensor<3xindex>, %arg5: tensor<2xi32>) -> (index, index, index, index, index, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<8x?x?xf32> into tensor<?x?xf32>
    %dim = tensor.dim %collapsed, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %collapsed, %c1 : tensor<?x?xf32>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2], [3]] output_shape [8, 4, %arg1, %arg3] : tensor<8x?x?xf32> into tensor<8x4x?x?xf32>
    %dim_1 = tensor.dim %expanded, %c2 : tensor<8x4x?x?xf32>
    %dim_2 = tensor.dim %collapsed, %arg3 : tensor<?x?xf32>
    %extracted = tensor.extract %arg4[%c1] : tensor<3xindex>
    %extracted_3 = tensor.extract %arg5[%c1] : tensor<2xi32>
    %0 = arith.index_cast %extracted_3 : i32 to index
    return %dim, %dim_0, %dim_1, %dim_2, %extracted, %0 : index, index, index, index, index, index
  }
}
// -----
func.func @reshapes(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>, %s: tensor<2xindex>, %s3: tensor<3xindex>, %i: index) -> (tensor<?x?xf32>, tensor<2x4xf32>, tensor<?x4xf32>, tensor<8xf32>, tensor<?x4xf32>) {
  %1 = tensor.reshape %x(%s3) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %2 = tensor.reshape %1(%s) : (tensor<?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %3 = tensor.reshape %y(%s) : (tensor<2x4xf32>, tensor<2xindex>) -> tensor<2x4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %fe = tensor.from_elements %d, %c4 : tensor<2xindex>
  %4 = tensor.reshape %x(%fe) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %cst = arith.constant dense<3.0> : tensor<2x4xf32>
  %sh = arith.constant dense<8> : tensor<1xi32>
  %5 = tensor.reshape %cst(%sh) : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<8xf32>
  %fe2 = tensor.from_elements %i, %c4 : tensor<2xindex>
  %6 = tensor.reshape %x(%fe2) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %2, %3, %4, %5, %6 : tensor<?x?xf32>, tensor<2x4xf32>, tensor<?x4xf32>, tensor<8xf32>, tensor<?x4xf32>
}
// =>
module {
  func.func @reshapes(%arg0: tensor<?x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2xindex>, %arg3: tensor<3xindex>, %arg4: index) -> (tensor<?x?xf32>, tensor<2x4xf32>, tensor<?x4xf32>, tensor<8xf32>, tensor<?x4xf32>) {
    %cst = arith.constant dense<3.000000e+00> : tensor<8xf32>
    %c4 = arith.constant 4 : index
    %reshape = tensor.reshape %arg0(%arg2) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %reshape_0 = tensor.reshape %arg1(%arg2) : (tensor<2x4xf32>, tensor<2xindex>) -> tensor<2x4xf32>
    %from_elements = tensor.from_elements %arg4, %c4 : tensor<2xindex>
    %reshape_1 = tensor.reshape %arg0(%from_elements) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    return %reshape, %reshape_0, %arg0, %cst, %reshape_1 : tensor<?x?xf32>, tensor<2x4xf32>, tensor<?x4xf32>, tensor<8xf32>, tensor<?x4xf32>
  }
}
// -----
func.func @collapsed_cast(%x: tensor<8x12x?xf32>, %y: tensor<?x2x4xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %k = tensor.cast %x : tensor<8x12x?xf32> to tensor<?x12x?xf32>
  %1 = tensor.collapse_shape %k [[0, 1], [2]] : tensor<?x12x?xf32> into tensor<?x?xf32>
  %l = tensor.cast %y : tensor<?x2x4xf32> to tensor<?x2x?xf32>
  %2 = tensor.collapse_shape %l [[0, 1], [2]] : tensor<?x2x?xf32> into tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @collapsed_cast(%arg0: tensor<8x12x?xf32>, %arg1: tensor<?x2x4xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<8x12x?xf32> into tensor<96x?xf32>
    %cast = tensor.cast %collapsed : tensor<96x?xf32> to tensor<?x?xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<?x2x4xf32> into tensor<?x4xf32>
    %cast_1 = tensor.cast %collapsed_0 : tensor<?x4xf32> to tensor<?x?xf32>
    return %cast, %cast_1 : tensor<?x?xf32>, tensor<?x?xf32>
  }
}
// -----
func.func @insert_const(%i: index) -> tensor<4xf32> {
  %cst = arith.constant dense<3.0> : tensor<4xf32>
  %c = arith.constant 3.0 : f32
  %1 = tensor.insert %c into %cst[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// =>
module {
  func.func @insert_const(%arg0: index) -> tensor<4xf32> {
    %cst = arith.constant dense<3.000000e+00> : tensor<4xf32>
    return %cst : tensor<4xf32>
  }
}
// -----
func.func @concat_fold(%x: tensor<2x4xf32>, %y: tensor<?x4xf32>) -> (tensor<2x4xf32>, tensor<?x4xf32>) {
  %1 = tensor.concat dim(0) %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = tensor.concat dim(0) %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<?x4xf32>
}
// =>
module {
  func.func @concat_fold(%arg0: tensor<2x4xf32>, %arg1: tensor<?x4xf32>) -> (tensor<2x4xf32>, tensor<?x4xf32>) {
    %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %cast = tensor.cast %concat : tensor<4x4xf32> to tensor<?x4xf32>
    return %arg0, %cast : tensor<2x4xf32>, tensor<?x4xf32>
  }
}
// -----
func.func @f0(%x: tensor<2x1x3x1x4xf32>) -> tensor<2x3x4xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<2x1x3x1x4xf32> into tensor<24xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>
 return %2 : tensor<2x3x4xf32> }
// =>
module {
  func.func @f0(%arg0: tensor<2x1x3x1x4xf32>) -> tensor<2x3x4xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2], [3, 4]] : tensor<2x1x3x1x4xf32> into tensor<2x3x4xf32>
    return %collapsed : tensor<2x3x4xf32>
  }
}
// -----
func.func @f1(%x: tensor<1x2x1x3xf32>) -> tensor<2x3xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<1x2x1x3xf32> into tensor<6xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
 return %2 : tensor<2x3xf32> }
// =>
module {
  func.func @f1(%arg0: tensor<1x2x1x3xf32>) -> tensor<2x3xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2, 3]] : tensor<1x2x1x3xf32> into tensor<2x3xf32>
    return %collapsed : tensor<2x3xf32>
  }
}
// -----
func.func @f2(%x: tensor<2x1x1x3xf32>) -> tensor<2x1x3xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<2x1x1x3xf32> into tensor<6xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [2, 1, 3] : tensor<6xf32> into tensor<2x1x3xf32>
 return %2 : tensor<2x1x3xf32> }
// =>
module {
  func.func @f2(%arg0: tensor<2x1x1x3xf32>) -> tensor<2x1x3xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<2x1x1x3xf32> into tensor<2x1x3xf32>
    return %collapsed : tensor<2x1x3xf32>
  }
}
// -----
func.func @f3(%x: tensor<2x3x1x1xf32>) -> tensor<2x3x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<2x3x1x1xf32> into tensor<6xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
 return %2 : tensor<2x3x1xf32> }
// =>
module {
  func.func @f3(%arg0: tensor<2x3x1x1xf32>) -> tensor<2x3x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<2x3x1x1xf32> into tensor<2x3x1xf32>
    return %collapsed : tensor<2x3x1xf32>
  }
}
// -----
func.func @f4(%x: tensor<1x1x2xf32>) -> tensor<1x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<1x1x2xf32> into tensor<2xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
 return %2 : tensor<1x2xf32> }
// =>
module {
  func.func @f4(%arg0: tensor<1x1x2xf32>) -> tensor<1x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<1x1x2xf32> into tensor<1x2xf32>
    return %collapsed : tensor<1x2xf32>
  }
}
// -----
func.func @f5(%x: tensor<1x1x1xf32>) -> tensor<1x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<1x1x1xf32> into tensor<1xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
 return %2 : tensor<1x1xf32> }
// =>
module {
  func.func @f5(%arg0: tensor<1x1x1xf32>) -> tensor<1x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<1x1x1xf32> into tensor<1x1xf32>
    return %collapsed : tensor<1x1xf32>
  }
}
// -----
func.func @f6(%x: tensor<1x1x1xf32>) -> tensor<1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<1x1x1xf32> into tensor<1xf32>
 %2 = tensor.expand_shape %1 [[0]] output_shape [1] : tensor<1xf32> into tensor<1xf32>
 return %2 : tensor<1xf32> }
// =>
module {
  func.func @f6(%arg0: tensor<1x1x1xf32>) -> tensor<1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<1x1x1xf32> into tensor<1xf32>
    return %collapsed : tensor<1xf32>
  }
}
// -----
func.func @f7(%x: tensor<1x2x1x1x3x1xf32>) -> tensor<1x2x3x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4, 5]] : tensor<1x2x1x1x3x1xf32> into tensor<6xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2, 3]] output_shape [1, 2, 3, 1] : tensor<6xf32> into tensor<1x2x3x1xf32>
 return %2 : tensor<1x2x3x1xf32> }
// =>
module {
  func.func @f7(%arg0: tensor<1x2x1x1x3x1xf32>) -> tensor<1x2x3x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3, 4], [5]] : tensor<1x2x1x1x3x1xf32> into tensor<1x2x3x1xf32>
    return %collapsed : tensor<1x2x3x1xf32>
  }
}
// -----
func.func @f8(%x: tensor<2x2x1x2x2xf32>) -> tensor<4x4xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<2x2x1x2x2xf32> into tensor<16xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
 return %2 : tensor<4x4xf32> }
// =>
module {
  func.func @f8(%arg0: tensor<2x2x1x2x2xf32>) -> tensor<4x4xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2, 3, 4]] : tensor<2x2x1x2x2xf32> into tensor<4x4xf32>
    return %collapsed : tensor<4x4xf32>
  }
}
// -----
func.func @f9(%x: tensor<1x1x2x1x1xf32>) -> tensor<1x2x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<1x1x2x1x1xf32> into tensor<2xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [1, 2, 1] : tensor<2xf32> into tensor<1x2x1xf32>
 return %2 : tensor<1x2x1xf32> }
// =>
module {
  func.func @f9(%arg0: tensor<1x1x2x1x1xf32>) -> tensor<1x2x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2], [3, 4]] : tensor<1x1x2x1x1xf32> into tensor<1x2x1xf32>
    return %collapsed : tensor<1x2x1xf32>
  }
}
// -----
func.func @f10(%x: tensor<1x1x2x1x1xf32>) -> tensor<2x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<1x1x2x1x1xf32> into tensor<2xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
 return %2 : tensor<2x1xf32> }
// =>
module {
  func.func @f10(%arg0: tensor<1x1x2x1x1xf32>) -> tensor<2x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2], [3, 4]] : tensor<1x1x2x1x1xf32> into tensor<2x1xf32>
    return %collapsed : tensor<2x1xf32>
  }
}
// -----
func.func @f11(%x: tensor<1x1x2x1x1xf32>) -> tensor<1x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<1x1x2x1x1xf32> into tensor<2xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
 return %2 : tensor<1x2xf32> }
// =>
module {
  func.func @f11(%arg0: tensor<1x1x2x1x1xf32>) -> tensor<1x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3, 4]] : tensor<1x1x2x1x1xf32> into tensor<1x2xf32>
    return %collapsed : tensor<1x2xf32>
  }
}
// -----
func.func @f12(%x: tensor<?x1x2xf32>, %d0: index) -> tensor<?x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x1x2xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%d0, 2] : tensor<?xf32> into tensor<?x2xf32>
 return %2 : tensor<?x2xf32> }
// =>
module {
  func.func @f12(%arg0: tensor<?x1x2xf32>, %arg1: index) -> tensor<?x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x1x2xf32> into tensor<?x2xf32>
    return %collapsed : tensor<?x2xf32>
  }
}
// -----
func.func @f13(%x: tensor<1x?x1x2xf32>, %d0: index) -> tensor<?x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<1x?x1x2xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%d0, 2] : tensor<?xf32> into tensor<?x2xf32>
 return %2 : tensor<?x2xf32> }
// =>
module {
  func.func @f13(%arg0: tensor<1x?x1x2xf32>, %arg1: index) -> tensor<?x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2, 3]] : tensor<1x?x1x2xf32> into tensor<?x2xf32>
    return %collapsed : tensor<?x2xf32>
  }
}
// -----
func.func @f14(%x: tensor<1x?x1x2x1xf32>, %d0: index) -> tensor<1x?x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<1x?x1x2x1xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [1, %d0, 2] : tensor<?xf32> into tensor<1x?x2xf32>
 return %2 : tensor<1x?x2xf32> }
// =>
module {
  func.func @f14(%arg0: tensor<1x?x1x2x1xf32>, %arg1: index) -> tensor<1x?x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3, 4]] : tensor<1x?x1x2x1xf32> into tensor<1x?x2xf32>
    return %collapsed : tensor<1x?x2xf32>
  }
}
// -----
func.func @f15(%x: tensor<2x1x?xf32>, %d0: index) -> tensor<2x?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x1x?xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, %d0] : tensor<?xf32> into tensor<2x?xf32>
 return %2 : tensor<2x?xf32> }
// =>
module {
  func.func @f15(%arg0: tensor<2x1x?xf32>, %arg1: index) -> tensor<2x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<2x1x?xf32> into tensor<2x?xf32>
    return %collapsed : tensor<2x?xf32>
  }
}
// -----
func.func @f16(%x: tensor<1x1x?x1xf32>, %d0: index) -> tensor<1x?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<1x1x?x1xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, %d0] : tensor<?xf32> into tensor<1x?xf32>
 return %2 : tensor<1x?xf32> }
// =>
module {
  func.func @f16(%arg0: tensor<1x1x?x1xf32>, %arg1: index) -> tensor<1x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3]] : tensor<1x1x?x1xf32> into tensor<1x?xf32>
    return %collapsed : tensor<1x?xf32>
  }
}
// -----
func.func @f17(%x: tensor<?x1x1xf32>, %d0: index) -> tensor<?x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x1x1xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%d0, 1] : tensor<?xf32> into tensor<?x1xf32>
 return %2 : tensor<?x1xf32> }
// =>
module {
  func.func @f17(%arg0: tensor<?x1x1xf32>, %arg1: index) -> tensor<?x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x1x1xf32> into tensor<?x1xf32>
    return %collapsed : tensor<?x1xf32>
  }
}
// -----
func.func @f18(%x: tensor<2x3x?xf32>, %d0: index) -> tensor<6x?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x3x?xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [6, %d0] : tensor<?xf32> into tensor<6x?xf32>
 return %2 : tensor<6x?xf32> }
// =>
module {
  func.func @f18(%arg0: tensor<2x3x?xf32>, %arg1: index) -> tensor<6x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x?xf32> into tensor<6x?xf32>
    return %collapsed : tensor<6x?xf32>
  }
}
// -----
func.func @f19(%x: tensor<2x?x3xf32>, %d0: index) -> tensor<2x?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x?x3xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, %d0] : tensor<?xf32> into tensor<2x?xf32>
 return %2 : tensor<2x?xf32> }
// =>
module {
  func.func @f19(%arg0: tensor<2x?x3xf32>, %arg1: index) -> tensor<2x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<2x?x3xf32> into tensor<2x?xf32>
    return %collapsed : tensor<2x?xf32>
  }
}
// -----
func.func @f20(%x: tensor<?x2x3xf32>, %d0: index) -> tensor<?x6xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x2x3xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%d0, 6] : tensor<?xf32> into tensor<?x6xf32>
 return %2 : tensor<?x6xf32> }
// =>
module {
  func.func @f20(%arg0: tensor<?x2x3xf32>, %arg1: index) -> tensor<?x6xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x2x3xf32> into tensor<?x6xf32>
    return %collapsed : tensor<?x6xf32>
  }
}
// -----
func.func @f21(%x: tensor<2x2x3xf32>) -> tensor<4x3xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x2x3xf32> into tensor<12xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
 return %2 : tensor<4x3xf32> }
// =>
module {
  func.func @f21(%arg0: tensor<2x2x3xf32>) -> tensor<4x3xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x2x3xf32> into tensor<4x3xf32>
    return %collapsed : tensor<4x3xf32>
  }
}
// -----
func.func @f22(%x: tensor<2x2x?x3x3xf32>, %d0: index) -> tensor<4x?x9xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<2x2x?x3x3xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [4, %d0, 9] : tensor<?xf32> into tensor<4x?x9xf32>
 return %2 : tensor<4x?x9xf32> }
// =>
module {
  func.func @f22(%arg0: tensor<2x2x?x3x3xf32>, %arg1: index) -> tensor<4x?x9xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3, 4]] : tensor<2x2x?x3x3xf32> into tensor<4x?x9xf32>
    return %collapsed : tensor<4x?x9xf32>
  }
}
// -----
func.func @f23(%x: tensor<1x1x1x?xf32>, %d0: index) -> tensor<1x?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<1x1x1x?xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, %d0] : tensor<?xf32> into tensor<1x?xf32>
 return %2 : tensor<1x?xf32> }
// =>
module {
  func.func @f23(%arg0: tensor<1x1x1x?xf32>, %arg1: index) -> tensor<1x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3]] : tensor<1x1x1x?xf32> into tensor<1x?xf32>
    return %collapsed : tensor<1x?xf32>
  }
}
// -----
func.func @f24(%x: tensor<4x1x1x1xf32>) -> tensor<4x1x1xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<4x1x1x1xf32> into tensor<4xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
 return %2 : tensor<4x1x1xf32> }
// =>
module {
  func.func @f24(%arg0: tensor<4x1x1x1xf32>) -> tensor<4x1x1xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<4x1x1x1xf32> into tensor<4x1x1xf32>
    return %collapsed : tensor<4x1x1xf32>
  }
}
// -----
func.func @f25(%x: tensor<4x1x1x1x5xf32>) -> tensor<4x1x5xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<4x1x1x1x5xf32> into tensor<20xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [4, 1, 5] : tensor<20xf32> into tensor<4x1x5xf32>
 return %2 : tensor<4x1x5xf32> }
// =>
module {
  func.func @f25(%arg0: tensor<4x1x1x1x5xf32>) -> tensor<4x1x5xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3, 4]] : tensor<4x1x1x1x5xf32> into tensor<4x1x5xf32>
    return %collapsed : tensor<4x1x5xf32>
  }
}
// -----
func.func @f26(%x: tensor<2x1x2x1x2xf32>) -> tensor<4x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<2x1x2x1x2xf32> into tensor<8xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
 return %2 : tensor<4x2xf32> }
// =>
module {
  func.func @f26(%arg0: tensor<2x1x2x1x2xf32>) -> tensor<4x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2], [3, 4]] : tensor<2x1x2x1x2xf32> into tensor<4x2xf32>
    return %collapsed : tensor<4x2xf32>
  }
}
// -----
func.func @f27(%x: tensor<2x1x2x1x2xf32>) -> tensor<2x4xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<2x1x2x1x2xf32> into tensor<8xf32>
 %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
 return %2 : tensor<2x4xf32> }
// =>
module {
  func.func @f27(%arg0: tensor<2x1x2x1x2xf32>) -> tensor<2x4xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3, 4]] : tensor<2x1x2x1x2xf32> into tensor<2x4xf32>
    return %collapsed : tensor<2x4xf32>
  }
}
// -----
func.func @f28(%x: tensor<1x?x1xf32>, %d0: index) -> tensor<?xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<1x?x1xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0]] output_shape [%d0] : tensor<?xf32> into tensor<?xf32>
 return %2 : tensor<?xf32> }
// =>
module {
  func.func @f28(%arg0: tensor<1x?x1xf32>, %arg1: index) -> tensor<?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<1x?x1xf32> into tensor<?xf32>
    return %collapsed : tensor<?xf32>
  }
}
// -----
func.func @f29(%x: tensor<3x1x?x1x2xf32>, %d0: index) -> tensor<3x?x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<3x1x?x1x2xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [3, %d0, 2] : tensor<?xf32> into tensor<3x?x2xf32>
 return %2 : tensor<3x?x2xf32> }
// =>
module {
  func.func @f29(%arg0: tensor<3x1x?x1x2xf32>, %arg1: index) -> tensor<3x?x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2], [3, 4]] : tensor<3x1x?x1x2xf32> into tensor<3x?x2xf32>
    return %collapsed : tensor<3x?x2xf32>
  }
}
// -----
func.func @f30(%x: tensor<3x1x?x1x2xf32>, %d0: index) -> tensor<3x1x?x2xf32> { %1 = tensor.collapse_shape %x [[0, 1, 2, 3, 4]] : tensor<3x1x?x1x2xf32> into tensor<?xf32>
 %2 = tensor.expand_shape %1 [[0, 1, 2, 3]] output_shape [3, 1, %d0, 2] : tensor<?xf32> into tensor<3x1x?x2xf32>
 return %2 : tensor<3x1x?x2xf32> }
// =>
module {
  func.func @f30(%arg0: tensor<3x1x?x1x2xf32>, %arg1: index) -> tensor<3x1x?x2xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2], [3, 4]] : tensor<3x1x?x1x2xf32> into tensor<3x1x?x2xf32>
    return %collapsed : tensor<3x1x?x2xf32>
  }
}
