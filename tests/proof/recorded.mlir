// ownership/723a93b528.mlir
func.func @view(%arg0 : index, %arg1 : index, %arg2 : index) {
  %0 = memref.alloc() : memref<2048xi8>

  %1 = memref.view %0[%arg2][%arg0, %arg1] : memref<2048xi8> to memref<?x?xf32>

  %3 = memref.view %0[%arg2][%arg1] : memref<2048xi8> to memref<4x?xf32>

  %5 = memref.view %0[%arg2][] : memref<2048xi8> to memref<64x4xf32>

  %6 = memref.alloc() : memref<2048xi8, 4>

  %7 = memref.view %6[%arg2][] : memref<2048xi8, 4> to memref<64x4xf32, 4>

  return
}
// =>
module {
  func.func @view(%arg0: index, %arg1: index, %arg2: index) {
    %true = arith.constant true
    %true_0 = arith.constant true
    %alloc = memref.alloc() : memref<2048xi8>
    %view = memref.view %alloc[%arg2][%arg0, %arg1] : memref<2048xi8> to memref<?x?xf32>
    %view_1 = memref.view %alloc[%arg2][%arg1] : memref<2048xi8> to memref<4x?xf32>
    %view_2 = memref.view %alloc[%arg2][] : memref<2048xi8> to memref<64x4xf32>
    %alloc_3 = memref.alloc() : memref<2048xi8, 4>
    %view_4 = memref.view %alloc_3[%arg2][] : memref<2048xi8, 4> to memref<64x4xf32, 4>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<2048xi8> -> memref<i8>, index, index, index
    %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %alloc_3 : memref<2048xi8, 4> -> memref<i8, 4>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_5 : memref<i8>, memref<i8, 4>) if (%true_0, %true)
    return
  }
}
// -----
// old-dealloc/723a93b528.mlir
func.func @view(%arg0 : index, %arg1 : index, %arg2 : index) {
  %0 = memref.alloc() : memref<2048xi8>

  %1 = memref.view %0[%arg2][%arg0, %arg1] : memref<2048xi8> to memref<?x?xf32>

  %3 = memref.view %0[%arg2][%arg1] : memref<2048xi8> to memref<4x?xf32>

  %5 = memref.view %0[%arg2][] : memref<2048xi8> to memref<64x4xf32>

  %6 = memref.alloc() : memref<2048xi8, 4>

  %7 = memref.view %6[%arg2][] : memref<2048xi8, 4> to memref<64x4xf32, 4>

  return
}
// =>
module {
  func.func @view(%arg0: index, %arg1: index, %arg2: index) {
    %alloc = memref.alloc() : memref<2048xi8>
    %view = memref.view %alloc[%arg2][%arg0, %arg1] : memref<2048xi8> to memref<?x?xf32>
    %view_0 = memref.view %alloc[%arg2][%arg1] : memref<2048xi8> to memref<4x?xf32>
    %view_1 = memref.view %alloc[%arg2][] : memref<2048xi8> to memref<64x4xf32>
    memref.dealloc %alloc : memref<2048xi8>
    %alloc_2 = memref.alloc() : memref<2048xi8, 4>
    %view_3 = memref.view %alloc_2[%arg2][] : memref<2048xi8, 4> to memref<64x4xf32, 4>
    memref.dealloc %alloc_2 : memref<2048xi8, 4>
    return
  }
}
// -----
// full/b463618c30.mlir
func.func @scf_for_yield_allocation(%t: tensor<?xf32>, %lb : index, %ub : index,
                               %step : index) -> tensor<?xf32> {
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %t) -> tensor<?xf32> {
    %t2 = bufferization.alloc_tensor(%i) : tensor<?xf32>
    scf.yield %t2 : tensor<?xf32>
  }

  return %r : tensor<?xf32>
}
// =>
module {
  func.func @scf_for_yield_allocation(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: index, %arg3: index) -> memref<?xf32, strided<[?], offset: ?>> {
    %true = arith.constant true
    %false = arith.constant false
    %0:2 = scf.for %arg4 = %arg1 to %arg2 step %arg3 iter_args(%arg5 = %arg0, %arg6 = %false) -> (memref<?xf32, strided<[?], offset: ?>>, i1) {
      %alloc = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xf32>
      %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
      %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %arg5 : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
      scf.if %arg6 {
        memref.dealloc %base_buffer_1 : memref<f32>
      }
      scf.yield %cast, %true : memref<?xf32, strided<[?], offset: ?>>, i1
    }
    %1 = scf.if %0#1 -> (memref<?xf32, strided<[?], offset: ?>>) {
      scf.yield %0#0 : memref<?xf32, strided<[?], offset: ?>>
    } else {
      %4 = bufferization.clone %0#0 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
      scf.yield %4 : memref<?xf32, strided<[?], offset: ?>>
    }
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
    %intptr = memref.extract_aligned_pointer_as_index %base_buffer : memref<f32> -> index
    %intptr_0 = memref.extract_aligned_pointer_as_index %1 : memref<?xf32, strided<[?], offset: ?>> -> index
    %2 = arith.cmpi ne, %intptr, %intptr_0 : index
    %3 = arith.andi %2, %0#1 : i1
    scf.if %3 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return %1 : memref<?xf32, strided<[?], offset: ?>>
  }
}
// -----
// ownership/d087c25b69.mlir
func.func @no_hoist_one_loop(
  %lb: index,
  %ub: index,
  %step: index,
  %buf: memref<2xf32>,
  %res: memref<2xf32>) {
  %0 = scf.for %i = %lb to %ub step %step
    iter_args(%iterBuf = %buf) -> memref<2xf32> {
      %1 = memref.alloc() : memref<2xf32>
      scf.yield %1 : memref<2xf32>
  }
  test.copy(%0, %res) : (memref<2xf32>, memref<2xf32>)
  return
}
// =>
module {
  func.func @no_hoist_one_loop(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<2xf32>, %arg4: memref<2xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %false_1 = arith.constant false
    %0:2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3, %arg7 = %false) -> (memref<2xf32>, i1) {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<2xf32>
      %base_buffer_10, %offset_11, %sizes_12, %strides_13 = memref.extract_strided_metadata %arg6 : memref<2xf32> -> memref<f32>, index, index, index
      %base_buffer_14, %offset_15, %sizes_16, %strides_17 = memref.extract_strided_metadata %alloc : memref<2xf32> -> memref<f32>, index, index, index
      %1 = bufferization.dealloc (%base_buffer_10, %base_buffer_14 : memref<f32>, memref<f32>) if (%arg7, %true) retain (%alloc : memref<2xf32>)
      scf.yield %alloc, %1 : memref<2xf32>, i1
    }
    test.copy(%0#0, %arg4) : (memref<2xf32>, memref<2xf32>)
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg3 : memref<2xf32> -> memref<f32>, index, index, index
    %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %arg4 : memref<2xf32> -> memref<f32>, index, index, index
    %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %0#0 : memref<2xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_2, %base_buffer_6 : memref<f32>, memref<f32>, memref<f32>) if (%false_0, %false_1, %0#1)
    return
  }
}
// -----
// cse/e040d7b434.mlir
func.func @blocked_matmul(%arg0: memref<4x16x32x32xf32>, %arg1: memref<8x16x32x32xf32>, %arg2: memref<4x8x32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
    %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 16, 32, 32] [1, 1, 1, 1] : memref<4x16x32x32xf32> to memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 16, 32, 32] [1, 1, 1, 1] : memref<8x16x32x32xf32> to memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>
    %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<4x8x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.batch_reduce_matmul ins(%subview, %subview_0 :
                                   memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>,
                                   memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>)
                               outs(%subview_1 : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    scf.reduce
  }

  return
}
// =>
module {
  func.func @blocked_matmul(%arg0: memref<4x16x32x32xf32>, %arg1: memref<8x16x32x32xf32>, %arg2: memref<4x8x32x32xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
      %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 16, 32, 32] [1, 1, 1, 1] : memref<4x16x32x32xf32> to memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 16, 32, 32] [1, 1, 1, 1] : memref<8x16x32x32xf32> to memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>
      %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<4x8x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.batch_reduce_matmul ins(%subview, %subview_0 : memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>, memref<16x32x32xf32, strided<[1024, 32, 1], offset: ?>>) outs(%subview_1 : memref<32x32xf32, strided<[32, 1], offset: ?>>)
      scf.reduce 
    }
    return
  }
}
// -----
// ownership-lower/d600010154.mlir arith.constant one more#3
func.func @entry() {
    %work = memref.alloca():memref<8x32xi32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c32_i32 = arith.constant 32: i32
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c32)  step(%c1, %c1) { 
        %temp = arith.muli %i, %c32 :index
	%workid_ij = arith.addi %temp, %j: index
	%workid_ij_i32 = index.casts %workid_ij :index to i32
        memref.store %workid_ij_i32, %work[%i, %j]:memref<8x32xi32>	
   }
  %d1 = arith.constant 0 : i32
   
  %v1 = vector.transfer_read %work[%c0, %c0], %d1 : memref<8x32xi32>, vector<8x32xi32>
  vector.print %v1 : vector<8x32xi32>
 

  return
}
// =>
module {
  func.func @entry() {
    %false = arith.constant false
    %false_0 = arith.constant false
    %alloca = memref.alloca() : memref<8x32xi32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c2 = arith.constant 2 : index
    %c32_i32 = arith.constant 32 : i32
    scf.parallel (%arg0, %arg1) = (%c0, %c0) to (%c8, %c32) step (%c2, %c2) {
      %false_1 = arith.constant false
      %1 = arith.muli %arg0, %c32 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = index.casts %2 : index to i32
      memref.store %3, %alloca[%arg0, %arg1] : memref<8x32xi32>
      scf.reduce 
    }
    %c0_i32 = arith.constant 0 : i32
    %0 = vector.transfer_read %alloca[%c0, %c0], %c0_i32 {in_bounds = [true, true]} : memref<8x32xi32>, vector<8x32xi32>
    vector.print %0 : vector<8x32xi32>
    return
  }
}
// -----
// ownership/b6e1c040b2.mlir
#accesses = [
  affine_map<(i, j, k, l, m) -> (i, k, m)>,
  affine_map<(i, j, k, l, m) -> ()>,
  affine_map<(i, j, k, l, m) -> (i, k, j, l, m)>
]

#trait = {
  iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"],
  indexing_maps = #accesses,
  library_call = "some_external_func"
}

func.func @drop_one_trip_loops(%arg0 : memref<?x1x?xf32>, %arg1 : f32, %shape: memref<?x1x?x1x?xf32>) -> memref<?x1x?x1x?xf32> {
  linalg.generic #trait
     ins(%arg0, %arg1 : memref<?x1x?xf32>, f32)
    outs(%shape : memref<?x1x?x1x?xf32>) {
       ^bb0(%arg2 : f32, %arg3 : f32, %arg4 : f32) :
         linalg.yield %arg3 : f32
       }
  return %shape : memref<?x1x?x1x?xf32>
}
// =>
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
module {
  func.func @drop_one_trip_loops(%arg0: memref<?x1x?xf32>, %arg1: f32, %arg2: memref<?x1x?x1x?xf32>) -> memref<?x1x?x1x?xf32> {
    %false = arith.constant false
    %false_0 = arith.constant false
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"], library_call = "some_external_func"} ins(%arg0, %arg1 : memref<?x1x?xf32>, f32) outs(%arg2 : memref<?x1x?x1x?xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      linalg.yield %in_9 : f32
    }
    %0 = scf.if %false_0 -> (memref<?x1x?x1x?xf32>) {
      scf.yield %arg2 : memref<?x1x?x1x?xf32>
    } else {
      %2 = bufferization.clone %arg2 : memref<?x1x?x1x?xf32> to memref<?x1x?x1x?xf32>
      scf.yield %2 : memref<?x1x?x1x?xf32>
    }
    %true = arith.constant true
    %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<?x1x?xf32> -> memref<f32>, index, index, index, index, index, index, index
    %base_buffer_1, %offset_2, %sizes_3:5, %strides_4:5 = memref.extract_strided_metadata %arg2 : memref<?x1x?x1x?xf32> -> memref<f32>, index, index, index, index, index, index, index, index, index, index, index
    %base_buffer_5, %offset_6, %sizes_7:5, %strides_8:5 = memref.extract_strided_metadata %0 : memref<?x1x?x1x?xf32> -> memref<f32>, index, index, index, index, index, index, index, index, index, index, index
    %1 = bufferization.dealloc (%base_buffer, %base_buffer_1, %base_buffer_5 : memref<f32>, memref<f32>, memref<f32>) if (%false, %false_0, %true) retain (%0 : memref<?x1x?x1x?xf32>)
    return %0 : memref<?x1x?x1x?xf32>
  }
}
// -----
// oneshot-loops/90ce243156.mlir
func.func private @do(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32>

func.func @matmul_on_tensors(%t0: tensor<32x1024xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %0 = tensor.cast %t0 : tensor<32x1024xf32> to tensor<?x?xf32>
  %1 = scf.for %i = %c0 to %c1024 step %c32 iter_args(%iter_t0 = %0) -> (tensor<?x?xf32>) {
    %2 = func.call @do(%iter_t0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %2 : tensor<?x?xf32>
  } {some_attr}
  return %1 : tensor<?x?xf32>
}
// =>
module {
  func.func private @do(memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
  func.func @matmul_on_tensors(%arg0: memref<32x1024xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %cast = memref.cast %arg0 : memref<32x1024xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %0 = scf.for %arg1 = %c0 to %c1024 step %c32 iter_args(%arg2 = %cast) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>) {
      %1 = func.call @do(%arg2) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
      scf.yield %1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    } {some_attr}
    return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// partial-all/f7d61b2eea.mlir
func.func @ranked_return_via_unranked_call(%arg0: tensor<64x20x40xf32>) -> tensor<64x20x40xf32> {
  %u = tensor.cast %arg0 : tensor<64x20x40xf32> to tensor<*xf32>
  %r = call @relu_unranked(%u) : (tensor<*xf32>) -> tensor<*xf32>
  %b = tensor.cast %r : tensor<*xf32> to tensor<64x20x40xf32>
  return %b : tensor<64x20x40xf32>
}
func.func private @relu_unranked(tensor<*xf32>) -> tensor<*xf32>
// =>
module {
  func.func @ranked_return_via_unranked_call(%arg0: memref<64x20x40xf32>) -> memref<64x20x40xf32> {
    %cast = memref.cast %arg0 : memref<64x20x40xf32> to memref<*xf32>
    %0 = call @relu_unranked(%cast) : (memref<*xf32>) -> memref<*xf32>
    %cast_0 = memref.cast %0 : memref<*xf32> to memref<64x20x40xf32>
    return %cast_0 : memref<64x20x40xf32>
  }
  func.func private @relu_unranked(memref<*xf32>) -> memref<*xf32>
}
// -----
// canonicalize/919930154d.mlir
#map0 = affine_map<() -> ()>

#attrs = {
  indexing_maps = [#map0, #map0, #map0],
  iterator_types = []
}

func.func @main() -> () attributes {} {
  %c0 = arith.constant 0 : i32
  %0 = tensor.from_elements %c0 : tensor<1xi32>
  %reshaped0 = tensor.collapse_shape %0 [] : tensor<1xi32> into tensor<i32>
  %c10 = arith.constant 10 : i32
  %1 = tensor.from_elements %c10 : tensor<1xi32>
  %reshaped1 = tensor.collapse_shape %1 [] : tensor<1xi32> into tensor<i32>
  cf.br ^bb1(%reshaped0 : tensor<i32>)

^bb1(%2: tensor<i32>):  // 2 preds: ^bb0, ^bb2
  %3 = tensor.empty() : tensor<i1>
  %4 = linalg.generic #attrs
    ins(%2, %reshaped1 : tensor<i32>, tensor<i32>)
    outs(%3 : tensor<i1>) {
    ^bb0(%arg0: i32, %arg1: i32, %arg2: i1):
      %8 = arith.cmpi slt, %arg0, %arg1 : i32
      linalg.yield %8 : i1
  } -> tensor<i1>
  %5 = tensor.extract %4[] : tensor<i1>
  cf.cond_br %5, ^bb2(%2 : tensor<i32>), ^bb3

^bb2(%6: tensor<i32>):  // pred: ^bb1
  %7 = tensor.empty() : tensor<i32>
  %8 = linalg.generic #attrs
    ins(%6, %6 : tensor<i32>, tensor<i32>)
    outs(%7 : tensor<i32>) {
    ^bb0(%arg0: i32, %arg1: i32, %arg2: i32):
      %9 = arith.addi %arg0, %arg1 : i32
      linalg.yield %9 : i32
  } -> tensor<i32>
  cf.br ^bb1(%8 : tensor<i32>)

^bb3:  // pred: ^bb1
  return
}
// =>
#map = affine_map<() -> ()>
module {
  func.func @main() {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<10> : tensor<i32>
    cf.br ^bb1(%cst : tensor<i32>)
  ^bb1(%0: tensor<i32>):  // 2 preds: ^bb0, ^bb2
    %1 = tensor.empty() : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%0, %cst_0 : tensor<i32>, tensor<i32>) outs(%1 : tensor<i1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %6 = arith.cmpi slt, %in, %in_1 : i32
      linalg.yield %6 : i1
    } -> tensor<i1>
    %extracted = tensor.extract %2[] : tensor<i1>
    cf.cond_br %extracted, ^bb2(%0 : tensor<i32>), ^bb3
  ^bb2(%3: tensor<i32>):  // pred: ^bb1
    %4 = tensor.empty() : tensor<i32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%3, %3 : tensor<i32>, tensor<i32>) outs(%4 : tensor<i32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %6 = arith.addi %in, %in_1 : i32
      linalg.yield %6 : i32
    } -> tensor<i32>
    cf.br ^bb1(%5 : tensor<i32>)
  ^bb3:  // pred: ^bb1
    return
  }
}
// -----
// stack/bc5502ddb9.mlir
func.func @do_loop_alloc(
  %arg0 : i32,
  %arg1 : i32,
  %arg2: memref<2xf32>,
  %arg3: memref<2xf32>) {
  %const0 = arith.constant 0 : i32
  cf.br ^loopBody(%const0, %arg2 : i32, memref<2xf32>)

^loopBody(%val : i32, %buff2: memref<2xf32>):
  %const1 = arith.constant 1 : i32
  %inc = arith.addi %val, %const1 : i32
  %alloc1 = memref.alloc() : memref<2xf32>
  cf.br ^loopHeader(%inc, %alloc1 : i32, memref<2xf32>)

^loopHeader(%i : i32, %buff : memref<2xf32>):
  %lessThan = arith.cmpi slt, %i, %arg1 : i32
  cf.cond_br %lessThan,
    ^loopBody(%i, %buff : i32, memref<2xf32>),
    ^exit(%buff : memref<2xf32>)

^exit(%buff3 : memref<2xf32>):
  test.copy(%buff3, %arg3) : (memref<2xf32>, memref<2xf32>)
  return
}
// =>
module {
  func.func @do_loop_alloc(%arg0: i32, %arg1: i32, %arg2: memref<2xf32>, %arg3: memref<2xf32>) {
    %c0_i32 = arith.constant 0 : i32
    cf.br ^bb1(%c0_i32, %arg2 : i32, memref<2xf32>)
  ^bb1(%0: i32, %1: memref<2xf32>):  // 2 preds: ^bb0, ^bb2
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.addi %0, %c1_i32 : i32
    %alloca = memref.alloca() : memref<2xf32>
    cf.br ^bb2(%2, %alloca : i32, memref<2xf32>)
  ^bb2(%3: i32, %4: memref<2xf32>):  // pred: ^bb1
    %5 = arith.cmpi slt, %3, %arg1 : i32
    cf.cond_br %5, ^bb1(%3, %4 : i32, memref<2xf32>), ^bb3(%4 : memref<2xf32>)
  ^bb3(%6: memref<2xf32>):  // pred: ^bb2
    test.copy(%6, %arg3) : (memref<2xf32>, memref<2xf32>)
    return
  }
}
// -----
// ownership-lower/d600010154.mlir arith.constant one more#1
func.func @entry() {
    %work = memref.alloca():memref<8x32xi32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c32_i32 = arith.constant 32: i32
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c32)  step(%c1, %c1) { 
        %temp = arith.muli %i, %c32 :index
	%workid_ij = arith.addi %temp, %j: index
	%workid_ij_i32 = index.casts %workid_ij :index to i32
        memref.store %workid_ij_i32, %work[%i, %j]:memref<8x32xi32>	
   }
  %d1 = arith.constant 0 : i32
   
  %v1 = vector.transfer_read %work[%c0, %c0], %d1 : memref<8x32xi32>, vector<8x32xi32>
  vector.print %v1 : vector<8x32xi32>
 

  return
}
// =>
module {
  func.func @entry() {
    %false = arith.constant false
    %false_0 = arith.constant false
    %alloca = memref.alloca() : memref<8x32xi32>
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c32_i32 = arith.constant 32 : i32
    scf.parallel (%arg0, %arg1) = (%c0, %c0) to (%c9, %c32) step (%c1, %c1) {
      %false_1 = arith.constant false
      %1 = arith.muli %arg0, %c32 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = index.casts %2 : index to i32
      memref.store %3, %alloca[%arg0, %arg1] : memref<8x32xi32>
      scf.reduce 
    }
    %c0_i32 = arith.constant 0 : i32
    %0 = vector.transfer_read %alloca[%c0, %c0], %c0_i32 {in_bounds = [true, true]} : memref<8x32xi32>, vector<8x32xi32>
    vector.print %0 : vector<8x32xi32>
    return
  }
}
// -----
// canonicalize/ef87a8e211.mlir
#map_1d_tile = affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)>


func.func @test_norm_reinterpret_cast(%arg0 : memref<3xf32, #map_1d_tile>) -> (memref<3x1x1xf32>) {
    %0 = memref.alloc() : memref<3xf32>
    "test.op_norm"(%arg0, %0) : (memref<3xf32, #map_1d_tile>, memref<3xf32>) -> ()
    %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [3, 1, 1], strides: [1, 1, 1] : memref<3xf32> to memref<3x1x1xf32>
    return %1 : memref<3x1x1xf32>
}
// =>
#map = affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)>
module {
  func.func @test_norm_reinterpret_cast(%arg0: memref<3xf32, #map>) -> memref<3x1x1xf32> {
    %alloc = memref.alloc() : memref<3xf32>
    "test.op_norm"(%arg0, %alloc) : (memref<3xf32, #map>, memref<3xf32>) -> ()
    %reinterpret_cast = memref.reinterpret_cast %alloc to offset: [0], sizes: [3, 1, 1], strides: [1, 1, 1] : memref<3xf32> to memref<3x1x1xf32>
    return %reinterpret_cast : memref<3x1x1xf32>
  }
}
// -----
// old-dealloc/75535b61b4.mlir
func.func @while_three_arg(%arg0: index) {
  %a = memref.alloc(%arg0) : memref<?xf32>
  scf.while (%arg1 = %a, %arg2 = %a, %arg3 = %a) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>) {
    %0 = "test.make_condition"() : () -> i1
    scf.condition(%0) %arg1, %arg2, %arg3 : memref<?xf32>, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>):
    %b = memref.alloc(%arg0) : memref<?xf32>
    %q = memref.alloc(%arg0) : memref<?xf32>
    scf.yield %q, %b, %arg2: memref<?xf32>, memref<?xf32>, memref<?xf32>
  }
  return
}
// =>
module {
  func.func @while_three_arg(%arg0: index) {
    %alloc = memref.alloc(%arg0) : memref<?xf32>
    %0 = bufferization.clone %alloc : memref<?xf32> to memref<?xf32>
    %1 = bufferization.clone %alloc : memref<?xf32> to memref<?xf32>
    %2 = bufferization.clone %alloc : memref<?xf32> to memref<?xf32>
    memref.dealloc %alloc : memref<?xf32>
    %3:3 = scf.while (%arg1 = %0, %arg2 = %2, %arg3 = %1) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>) {
      %4 = "test.make_condition"() : () -> i1
      %5 = bufferization.clone %arg1 : memref<?xf32> to memref<?xf32>
      memref.dealloc %arg1 : memref<?xf32>
      %6 = bufferization.clone %arg3 : memref<?xf32> to memref<?xf32>
      memref.dealloc %arg3 : memref<?xf32>
      %7 = bufferization.clone %arg2 : memref<?xf32> to memref<?xf32>
      memref.dealloc %arg2 : memref<?xf32>
      scf.condition(%4) %5, %7, %6 : memref<?xf32>, memref<?xf32>, memref<?xf32>
    } do {
    ^bb0(%arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>):
      %alloc_0 = memref.alloc(%arg0) : memref<?xf32>
      memref.dealloc %arg3 : memref<?xf32>
      memref.dealloc %arg1 : memref<?xf32>
      %alloc_1 = memref.alloc(%arg0) : memref<?xf32>
      %4 = bufferization.clone %alloc_1 : memref<?xf32> to memref<?xf32>
      memref.dealloc %alloc_1 : memref<?xf32>
      %5 = bufferization.clone %arg2 : memref<?xf32> to memref<?xf32>
      memref.dealloc %arg2 : memref<?xf32>
      %6 = bufferization.clone %alloc_0 : memref<?xf32> to memref<?xf32>
      memref.dealloc %alloc_0 : memref<?xf32>
      scf.yield %4, %6, %5 : memref<?xf32>, memref<?xf32>, memref<?xf32>
    }
    memref.dealloc %3#0 : memref<?xf32>
    memref.dealloc %3#1 : memref<?xf32>
    memref.dealloc %3#2 : memref<?xf32>
    return
  }
}
// -----
// dealloc-pipeline/3d85de8d8d.mlir
func.func @condBranchUnrankedType(
  %arg0: i1,
  %arg1: memref<*xf32>,
  %arg2: memref<*xf32>,
  %arg3: index) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
  cf.br ^bb3(%arg1 : memref<*xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  %2 = memref.cast %1 : memref<?xf32> to memref<*xf32>
  test.buffer_based in(%arg1: memref<*xf32>) out(%2: memref<*xf32>)
  cf.br ^bb3(%2 : memref<*xf32>)
^bb3(%3: memref<*xf32>):
  test.copy(%3, %arg2) : (memref<*xf32>, memref<*xf32>)
  return
}
// =>
module {
  func.func @condBranchUnrankedType(%arg0: i1, %arg1: memref<*xf32>, %arg2: memref<*xf32>, %arg3: index) {
    %true = arith.constant true
    %false = arith.constant false
    cf.cond_br %arg0, ^bb2(%arg1, %false : memref<*xf32>, i1), ^bb1(%arg3 : index)
  ^bb1(%0: index):  // pred: ^bb0
    %alloc = memref.alloc(%0) : memref<?xf32>
    %cast = memref.cast %alloc : memref<?xf32> to memref<*xf32>
    test.buffer_based in(%arg1 : memref<*xf32>) out(%cast : memref<*xf32>)
    cf.br ^bb2(%cast, %true : memref<*xf32>, i1)
  ^bb2(%1: memref<*xf32>, %2: i1):  // 2 preds: ^bb0, ^bb1
    test.copy(%1, %arg2) : (memref<*xf32>, memref<*xf32>)
    %reinterpret_cast = memref.reinterpret_cast %1 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[]>>
    %base_buffer, %offset = memref.extract_strided_metadata %reinterpret_cast : memref<f32, strided<[]>> -> memref<f32>, index
    scf.if %2 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return
  }
}
// -----
// stack/cdaf848d23.mlir arith.constant one more#1
func.func @loop_nest_dma() {

  %A = memref.alloc() : memref<256 x f32, affine_map<(d0) -> (d0)>, 0>
  %Ah = memref.alloc() : memref<32 x f32, affine_map<(d0) -> (d0)>, 1>

  %tag = memref.alloc() : memref<1 x f32>

  %zero = arith.constant 0 : index
  %num_elts = arith.constant 32 : index

  affine.for %i = 0 to 8 {
    affine.dma_start %A[%i], %Ah[%i], %tag[%zero], %num_elts : memref<256 x f32>, memref<32 x f32, 1>, memref<1 x f32>
    affine.dma_wait %tag[%zero], %num_elts : memref<1 x f32>
    %v = affine.load %Ah[%i] : memref<32 x f32, affine_map<(d0) -> (d0)>, 1>
    %r = "compute"(%v) : (f32) -> (f32)
    affine.store %r, %Ah[%i] : memref<32 x f32, affine_map<(d0) -> (d0)>, 1>
    affine.for %j = 0 to 32 {
      "do_more_compute"(%i, %j) : (index, index) -> ()
    }
  }
  memref.dealloc %tag : memref<1 x f32>
  memref.dealloc %Ah : memref<32 x f32, affine_map<(d0) -> (d0)>, 1>
  return
}
// =>
module {
  func.func @loop_nest_dma() {
    %alloca = memref.alloca() : memref<256xf32>
    %alloc = memref.alloc() : memref<32xf32, 1>
    %alloc_0 = memref.alloc() : memref<1xf32>
    %c0 = arith.constant 0 : index
    %c33 = arith.constant 33 : index
    affine.for %arg0 = 0 to 8 {
      affine.dma_start %alloca[%arg0], %alloc[%arg0], %alloc_0[%c0], %c33 : memref<256xf32>, memref<32xf32, 1>, memref<1xf32>
      affine.dma_wait %alloc_0[%c0], %c33 : memref<1xf32>
      %0 = affine.load %alloc[%arg0] : memref<32xf32, 1>
      %1 = "compute"(%0) : (f32) -> f32
      affine.store %1, %alloc[%arg0] : memref<32xf32, 1>
      affine.for %arg1 = 0 to 32 {
        "do_more_compute"(%arg0, %arg1) : (index, index) -> ()
      }
    }
    memref.dealloc %alloc_0 : memref<1xf32>
    memref.dealloc %alloc : memref<32xf32, 1>
    return
  }
}
// -----
// full-hoist-stack/1499790770.mlir
func.func private @foo(%t : tensor<?xf32>) -> (f32, tensor<?xf32>, f32)

func.func @call_to_unknown_tensor_returning_func(%t : tensor<?xf32>) {
  call @foo(%t) : (tensor<?xf32>) -> (f32, tensor<?xf32>, f32)
  return
}
// =>
module {
  func.func private @foo(memref<?xf32, strided<[?], offset: ?>>) -> (f32, memref<?xf32, strided<[?], offset: ?>>, f32)
  func.func @call_to_unknown_tensor_returning_func(%arg0: memref<?xf32, strided<[?], offset: ?>>) {
    %0:3 = call @foo(%arg0) : (memref<?xf32, strided<[?], offset: ?>>) -> (f32, memref<?xf32, strided<[?], offset: ?>>, f32)
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#1 : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
    memref.dealloc %base_buffer : memref<f32>
    return
  }
}
// -----
// memref_program_with_names/14 arith.constant one more#3
func.func private @poke(%p: memref<4xf32, strided<[?], offset: ?>>, %q: memref<4xf32, strided<[?], offset: ?>>, %at: index, %x: f32) -> f32 {
  memref.copy %q, %q : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  memref.copy %p, %q : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  linalg.add ins(%q, %q : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) outs(%q : memref<4xf32, strided<[?], offset: ?>>)
  %v1 = memref.load %q[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v2 = arith.addf %x, %v1 : f32
  return %v2 : f32
}
func.func @main(%a0: memref<4xf32>, %a1: f32, %a2: index, %a3: i1) -> memref<4xf32> {
  %v3 = arith.constant 4 : index
  %v4 = arith.remui %a2, %v3 : index
  %v5 = arith.constant 2 : index
  %v6 = arith.remui %v4, %v5 : index
  %v7 = memref.subview %a0[%v6] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %v8 = arith.constant 0 : index
  memref.store %a1, %v7[%v8] : memref<2xf32, strided<[1], offset: ?>>
  return %a0 : memref<4xf32>
}
// =>
module {
  func.func private @poke(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: index, %arg3: f32) -> f32 {
    memref.copy %arg0, %arg1 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    linalg.add ins(%arg1, %arg1 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) outs(%arg1 : memref<4xf32, strided<[?], offset: ?>>)
    %0 = memref.load %arg1[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %1 = arith.addf %arg3, %0 : f32
    return %1 : f32
  }
  func.func @main(%arg0: memref<4xf32>, %arg1: f32, %arg2: index, %arg3: i1) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %0 = arith.remui %arg2, %c4 : index
    %1 = arith.remui %0, %c3 : index
    %subview = memref.subview %arg0[%1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.store %arg1, %subview[%c0] : memref<2xf32, strided<[1], offset: ?>>
    return %arg0 : memref<4xf32>
  }
}
// -----
// oneshot/79d99400f3.mlir
func.func @matmul_sequence_only_tiling_fusion(%arg0: tensor<32x64xf32>, %arg1: tensor<64x32xf32>,
    %arg2: tensor<32x32xf32>, %arg3: tensor<32x64xf32>, %arg4: tensor<32x64xf32>,
    %arg5: tensor<64x32xf32>, %arg6: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<32x64xf32>, tensor<64x32xf32>)
    outs(%arg2 : tensor<32x32xf32>) -> tensor<32x32xf32> // [M, N0] * [N0, N1]
  %1 = linalg.matmul ins(%0, %arg3 : tensor<32x32xf32>, tensor<32x64xf32>)
    outs(%arg4 : tensor<32x64xf32>) -> tensor<32x64xf32> // [M, N1] * [N1, N2]
  %2 = linalg.matmul ins(%1, %arg5 : tensor<32x64xf32>, tensor<64x32xf32>)
    outs(%arg6 : tensor<32x32xf32>) -> tensor<32x32xf32> // [M, N2] * [N2, N3]
  return %2 : tensor<32x32xf32>
}
// =>
module {
  func.func @matmul_sequence_only_tiling_fusion(%arg0: memref<32x64xf32, strided<[?, ?], offset: ?>>, %arg1: memref<64x32xf32, strided<[?, ?], offset: ?>>, %arg2: memref<32x32xf32, strided<[?, ?], offset: ?>>, %arg3: memref<32x64xf32, strided<[?, ?], offset: ?>>, %arg4: memref<32x64xf32, strided<[?, ?], offset: ?>>, %arg5: memref<64x32xf32, strided<[?, ?], offset: ?>>, %arg6: memref<32x32xf32, strided<[?, ?], offset: ?>>) -> memref<32x32xf32, strided<[?, ?], offset: ?>> {
    linalg.matmul ins(%arg0, %arg1 : memref<32x64xf32, strided<[?, ?], offset: ?>>, memref<64x32xf32, strided<[?, ?], offset: ?>>) outs(%arg2 : memref<32x32xf32, strided<[?, ?], offset: ?>>)
    linalg.matmul ins(%arg2, %arg3 : memref<32x32xf32, strided<[?, ?], offset: ?>>, memref<32x64xf32, strided<[?, ?], offset: ?>>) outs(%arg4 : memref<32x64xf32, strided<[?, ?], offset: ?>>)
    linalg.matmul ins(%arg4, %arg5 : memref<32x64xf32, strided<[?, ?], offset: ?>>, memref<64x32xf32, strided<[?, ?], offset: ?>>) outs(%arg6 : memref<32x32xf32, strided<[?, ?], offset: ?>>)
    return %arg6 : memref<32x32xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// full-hoist-stack/77b84bafe3.mlir memref.store left out#1
func.func @reshape_nofold_2d_ins(%arg0 : tensor<?x?xi32>, %arg1: index, %arg2: index) -> tensor<?x?xi32> {
  %ds = tensor.from_elements %arg1, %arg2 : tensor<2xindex>
  %reshape = tensor.reshape %arg0(%ds) : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  return %reshape : tensor<?x?xi32>
}
// =>
module {
  func.func @reshape_nofold_2d_ins(%arg0: memref<?x?xi32, strided<[?, ?], offset: ?>>, %arg1: index, %arg2: index) -> memref<?x?xi32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<2xindex>
    memref.store %arg1, %alloca[%c0] : memref<2xindex>
    %dim = memref.dim %arg0, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xi32>
    memref.copy %arg0, %alloc : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<?x?xi32>
    %reshape = memref.reshape %alloc(%alloca) : (memref<?x?xi32>, memref<2xindex>) -> memref<?x?xi32>
    return %reshape : memref<?x?xi32>
  }
}
// -----
// partial-all/7d26d3ebf3.mlir
func.func @dim_of_reshape_for( %arg0: tensor<*xf32>, %arg1: tensor<?xindex>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index

    %0 = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>

    %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %2 = tensor.dim %0, %arg2 : tensor<*xf32>
      %3 = arith.muli %arg3, %2 : index
      scf.yield %3 : index
    }
    return %1 : index
}
// =>
module {
  func.func @dim_of_reshape_for(%arg0: memref<*xf32>, %arg1: memref<?xindex>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %reshape = memref.reshape %arg0(%arg1) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
    %0 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %dim = memref.dim %reshape, %arg2 : memref<*xf32>
      %1 = arith.muli %arg3, %dim : index
      scf.yield %1 : index
    }
    return %0 : index
  }
}
// -----
// cse/e4cd58812e.mlir
func.func @reshape_as_producer_projected_permutation(
    %arg0 : tensor<33x8x?xi32>, %shape : tensor<264x?x4xi32>) -> tensor<264x?x4xi32>
{
  %0 = tensor.collapse_shape %arg0 [[0, 1], [2]]
    : tensor<33x8x?xi32> into tensor<264x?xi32>
  %1 = linalg.generic
    {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>,
                      affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
     iterator_types = ["parallel", "parallel", "parallel"]}
     ins(%0 : tensor<264x?xi32>)
    outs(%shape : tensor<264x?x4xi32>) {
  ^bb0(%arg1: i32, %s: i32):
    %idx0 = linalg.index 0 : index
    %idx1 = linalg.index 1 : index
    %idx2 = linalg.index 2 : index
    %2 = arith.index_cast %idx0 : index to i32
    %3 = arith.addi %arg1, %2 : i32
    %4 = arith.index_cast %idx1 : index to i32
    %5 = arith.addi %3, %4 : i32
    %6 = arith.index_cast %idx2 : index to i32
    %7 = arith.addi %5, %6 : i32
    linalg.yield %7 : i32
  } -> tensor<264x?x4xi32>
  return %1 : tensor<264x?x4xi32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @reshape_as_producer_projected_permutation(%arg0: tensor<33x8x?xi32>, %arg1: tensor<264x?x4xi32>) -> tensor<264x?x4xi32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<33x8x?xi32> into tensor<264x?xi32>
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<264x?xi32>) outs(%arg1 : tensor<264x?x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      %1 = linalg.index 0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = arith.index_cast %1 : index to i32
      %5 = arith.addi %in, %4 : i32
      %6 = arith.index_cast %2 : index to i32
      %7 = arith.addi %5, %6 : i32
      %8 = arith.index_cast %3 : index to i32
      %9 = arith.addi %7, %8 : i32
      linalg.yield %9 : i32
    } -> tensor<264x?x4xi32>
    return %0 : tensor<264x?x4xi32>
  }
}
// -----
// memref_program/27
func.func @main(%a0: memref<4xf32>, %a1: memref<4xf32>, %a2: f32, %a3: index, %a4: i1) -> memref<4xf32> {
  %v1 = arith.constant 4 : index
  %v2 = arith.remui %a3, %v1 : index
  memref.copy %a1, %a1 : memref<4xf32> to memref<4xf32>
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 3 : index
  %v5 = arith.constant 1 : index
  %v8 = scf.for %v7 = %v3 to %v4 step %v5 iter_args(%v6 = %a0) -> (memref<4xf32>) {
    memref.store %a2, %v6[%v7] : memref<4xf32>
    scf.yield %v6 : memref<4xf32>
  }
  cf.cond_br %a4, ^then9, ^else9
^then9:
    memref.store %a2, %a0[%v2] : memref<4xf32>
    cf.br ^join9(%v8 : memref<4xf32>)
^else9:
    %v10 = memref.cast %a0 : memref<4xf32> to memref<?xf32>
    %v11 = memref.cast %v10 : memref<?xf32> to memref<4xf32>
    cf.br ^join9(%v11 : memref<4xf32>)
^join9(%v9: memref<4xf32>):
  %v12 = memref.load %v9[%v2] : memref<4xf32>
  %v13 = arith.cmpi slt, %v2, %v2 : index
  %v14 = scf.if %v13 -> (memref<4xf32>) {
    %v15 = memref.load %v8[%v2] : memref<4xf32>
    scf.yield %a1 : memref<4xf32>
  } else {
    memref.store %a2, %a0[%v2] : memref<4xf32>
    scf.yield %a1 : memref<4xf32>
  }
  return %v8 : memref<4xf32>
}
// =>
module {
  func.func @main(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: f32, %arg3: index, %arg4: i1) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.remui %arg3, %c4 : index
    scf.for %arg5 = %c0 to %c3 step %c1 {
      memref.store %arg2, %arg0[%arg5] : memref<4xf32>
    }
    cf.cond_br %arg4, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    memref.store %arg2, %arg0[%0] : memref<4xf32>
    cf.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    memref.store %arg2, %arg0[%0] : memref<4xf32>
    return %arg0 : memref<4xf32>
  }
}
// -----
// partial-all/b558d36a67.mlir
func.func @scf_while_non_equiv_condition(%arg0: tensor<5xi1>,
                                         %arg1: tensor<5xi1>,
                                         %idx: index) -> (i1, i1)
{
  %r0, %r1 = scf.while (%w0 = %arg0, %w1 = %arg1)
      : (tensor<5xi1>, tensor<5xi1>) -> (tensor<5xi1>, tensor<5xi1>) {
    %condition = tensor.extract %w0[%idx] : tensor<5xi1>
    scf.condition(%condition) %w1, %w0 : tensor<5xi1>, tensor<5xi1>
  } do {
  ^bb0(%b0: tensor<5xi1>, %b1: tensor<5xi1>):
    %pos = "dummy.some_op"() : () -> (index)
    %val = "dummy.another_op"() : () -> (i1)
    %1 = tensor.insert %val into %b0[%pos] : tensor<5xi1>
    scf.yield %1, %b1 : tensor<5xi1>, tensor<5xi1>
  }

  %v0 = tensor.extract %r0[%idx] : tensor<5xi1>
  %v1 = tensor.extract %r1[%idx] : tensor<5xi1>
  return %v0, %v1 : i1, i1
}
// =>
module {
  func.func @scf_while_non_equiv_condition(%arg0: memref<5xi1>, %arg1: memref<5xi1>, %arg2: index) -> (i1, i1) {
    %0:2 = scf.while (%arg3 = %arg0, %arg4 = %arg1) : (memref<5xi1>, memref<5xi1>) -> (memref<5xi1>, memref<5xi1>) {
      %3 = memref.load %arg3[%arg2] : memref<5xi1>
      scf.condition(%3) %arg4, %arg3 : memref<5xi1>, memref<5xi1>
    } do {
    ^bb0(%arg3: memref<5xi1>, %arg4: memref<5xi1>):
      %3 = "dummy.some_op"() : () -> index
      %4 = "dummy.another_op"() : () -> i1
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<5xi1>
      memref.copy %arg3, %alloc : memref<5xi1> to memref<5xi1>
      memref.store %4, %alloc[%3] : memref<5xi1>
      scf.yield %alloc, %arg4 : memref<5xi1>, memref<5xi1>
    }
    %1 = memref.load %0#0[%arg2] : memref<5xi1>
    %2 = memref.load %0#1[%arg2] : memref<5xi1>
    return %1, %2 : i1, i1
  }
}
// -----
// graph_program/34
func.func private @taker(%a: memref<4xf32>) {
  memref.dealloc %a {written_by_hand} : memref<4xf32>
  return
}
func.func private @giver(%a: memref<4xf32>) {
  %v1 = arith.constant 0 : index
  %v2 = memref.load %a[%v1] : memref<4xf32>
  memref.store %v2, %a[%v1] : memref<4xf32>
  func.call @taker(%a) : (memref<4xf32>) -> ()
  return
}
func.func @main(%state: memref<1xi64>, %a1: memref<4xf32>, %a2: f32, %a3: index) -> (memref<4xf32>, memref<4xf32>) {
  %v3 = arith.constant 0 : index
  memref.store %a2, %a1[%v3] : memref<4xf32>
  return %a1, %a1 : memref<4xf32>, memref<4xf32>
}
// =>
module {
  func.func private @taker(%arg0: memref<4xf32>) {
    memref.dealloc %arg0 {written_by_hand} : memref<4xf32>
    return
  }
  func.func private @giver(%arg0: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg0[%c0] : memref<4xf32>
    memref.store %0, %arg0[%c0] : memref<4xf32>
    call @taker(%arg0) : (memref<4xf32>) -> ()
    return
  }
  func.func @main(%arg0: memref<1xi64>, %arg1: memref<4xf32>, %arg2: f32, %arg3: index) -> (memref<4xf32>, memref<4xf32>) {
    %c0 = arith.constant 0 : index
    memref.store %arg2, %arg1[%c0] : memref<4xf32>
    %0 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>
    %1 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>
    return %0, %1 : memref<4xf32>, memref<4xf32>
  }
}
// -----
// loop-hoist/241b3ff0eb.mlir
func.func @loop_step(%arg0: memref<512xf32>,
                  %arg1: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  affine.for %i0 = 0 to 512 step 4 {
    %1 = memref.alloc() : memref<4xf32, 1>
    %2 = memref.alloc() : memref<1xi32>
    affine.dma_start %arg0[%i0], %1[%c0], %2[%c0], %c4,
              : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %2[%c0], %c4 : memref<1xi32>
    "compute"(%i0) : (index) -> ()
    memref.dealloc %2 : memref<1xi32>
    memref.dealloc %1 : memref<4xf32, 1>
  }
  return
}
// =>
module {
  func.func @loop_step(%arg0: memref<512xf32>, %arg1: memref<512xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %alloc = memref.alloc() : memref<4xf32, 1>
    %alloc_0 = memref.alloc() : memref<1xi32>
    affine.for %arg2 = 0 to 512 step 4 {
      affine.dma_start %arg0[%arg2], %alloc[%c0], %alloc_0[%c0], %c4 : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
      affine.dma_wait %alloc_0[%c0], %c4 : memref<1xi32>
      "compute"(%arg2) : (index) -> ()
      memref.dealloc %alloc_0 : memref<1xi32>
      memref.dealloc %alloc : memref<4xf32, 1>
    }
    return
  }
}
// -----
// oneshot/f7d61b2eea.mlir
func.func @ranked_return_via_unranked_call(%arg0: tensor<64x20x40xf32>) -> tensor<64x20x40xf32> {
  %u = tensor.cast %arg0 : tensor<64x20x40xf32> to tensor<*xf32>
  %r = call @relu_unranked(%u) : (tensor<*xf32>) -> tensor<*xf32>
  %b = tensor.cast %r : tensor<*xf32> to tensor<64x20x40xf32>
  return %b : tensor<64x20x40xf32>
}
func.func private @relu_unranked(tensor<*xf32>) -> tensor<*xf32>
// =>
module {
  func.func @ranked_return_via_unranked_call(%arg0: memref<64x20x40xf32, strided<[?, ?, ?], offset: ?>>) -> memref<*xf32> {
    %cast = memref.cast %arg0 : memref<64x20x40xf32, strided<[?, ?, ?], offset: ?>> to memref<*xf32>
    %0 = call @relu_unranked(%cast) : (memref<*xf32>) -> memref<*xf32>
    %cast_0 = memref.cast %0 : memref<*xf32> to memref<64x20x40xf32, strided<[?, ?, ?], offset: ?>>
    return %0 : memref<*xf32>
  }
  func.func private @relu_unranked(memref<*xf32>) -> memref<*xf32>
}
// -----
// oneshot/07ee85ab5d.mlir
func.func @inner_func_2(%t: tensor<?xf32>) -> tensor<?xf32> {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %t[%c0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @equivalent_func_arg_2(%c0: index, %c10: index, %c1: index, %t0: tensor<?xf32>) -> tensor<?xf32> {
  %1 = scf.for %iv = %c0 to %c10 step %c1 iter_args(%t1 = %t0) -> (tensor<?xf32>) {
    %3 = func.call @inner_func_2(%t1) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  return %1: tensor<?xf32>
}
// =>
module {
  func.func @inner_func_2(%arg0: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    memref.store %cst, %arg0[%c0] : memref<?xf32, strided<[?], offset: ?>>
    return %arg0 : memref<?xf32, strided<[?], offset: ?>>
  }
  func.func @equivalent_func_arg_2(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
    %0 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %arg3) -> (memref<?xf32, strided<[?], offset: ?>>) {
      %1 = func.call @inner_func_2(%arg5) : (memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
      scf.yield %1 : memref<?xf32, strided<[?], offset: ?>>
    }
    return %0 : memref<?xf32, strided<[?], offset: ?>>
  }
}
// -----
// dealloc-pipeline/956e8f3be5.mlir
func.func @fold_assume_alignment_chain(%0: memref<128xf32>) -> memref<128xf32> {
  %1 = memref.assume_alignment %0, 16 : memref<128xf32>
  %2 = memref.assume_alignment %1, 16 : memref<128xf32>
  return %2 : memref<128xf32>
}
// =>
module {
  func.func @fold_assume_alignment_chain(%arg0: memref<128xf32>) -> memref<128xf32> {
    %assume_align = memref.assume_alignment %arg0, 16 : memref<128xf32>
    %0 = bufferization.clone %assume_align : memref<128xf32> to memref<128xf32>
    return %0 : memref<128xf32>
  }
}
// -----
// full/7d26d3ebf3.mlir
func.func @dim_of_reshape_for( %arg0: tensor<*xf32>, %arg1: tensor<?xindex>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index

    %0 = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>

    %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %2 = tensor.dim %0, %arg2 : tensor<*xf32>
      %3 = arith.muli %arg3, %2 : index
      scf.yield %3 : index
    }
    return %1 : index
}
// =>
module {
  func.func @dim_of_reshape_for(%arg0: memref<*xf32>, %arg1: memref<?xindex, strided<[?], offset: ?>>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %reshape = memref.reshape %arg0(%arg1) : (memref<*xf32>, memref<?xindex, strided<[?], offset: ?>>) -> memref<*xf32>
    %0 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %dim = memref.dim %reshape, %arg2 : memref<*xf32>
      %1 = arith.muli %arg3, %dim : index
      scf.yield %1 : index
    }
    return %0 : index
  }
}
// -----
// oneshot-partial/032efd3244.mlir
func.func @reduce_arith_with_attr(%input: tensor<16x32x64xf32>,
                  %init: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %reduce = linalg.reduce
      ins(%input:tensor<16x32x64xf32>)
      outs(%init:tensor<16x64xf32>)
      dimensions = [1]
      (%in: f32, %out: f32) {
        %0 = arith.addf %out, %in fastmath<fast> : f32
        linalg.yield %0: f32
      }
  func.return %reduce : tensor<16x64xf32>
}
// =>
module {
  func.func @reduce_arith_with_attr(%arg0: tensor<16x32x64xf32>, %arg1: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = bufferization.to_buffer %arg0 : tensor<16x32x64xf32> to memref<16x32x64xf32, strided<[?, ?, ?], offset: ?>>
    %1 = bufferization.to_buffer %arg1 : tensor<16x64xf32> to memref<16x64xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<16x64xf32>
    memref.copy %1, %alloc : memref<16x64xf32, strided<[?, ?], offset: ?>> to memref<16x64xf32>
    linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%0 : memref<16x32x64xf32, strided<[?, ?, ?], offset: ?>>) outs(%alloc : memref<16x64xf32>) dimensions = [1] 
    %2 = bufferization.to_tensor %alloc : memref<16x64xf32> to tensor<16x64xf32>
    return %2 : tensor<16x64xf32>
  }
}
// -----
// partial-all/094625dca7.mlir
func.func @fold_conv_op_with_cast_consumer(%arg0 : tensor<?x?x?x?xf32>,
    %arg1 : tensor<?x?x?x?xf32>,  %arg2 : tensor<?x?x?x?xf32>) ->
    (tensor<4x8x12x16xf32>, tensor<?x?x?x?xf32>) {
  %0 = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
      outs(%arg2 : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?x?x?xf32> to tensor<4x8x12x16xf32>
  return %1, %0 : tensor<4x8x12x16xf32>, tensor<?x?x?x?xf32>
}
// =>
module {
  func.func @fold_conv_op_with_cast_consumer(%arg0: memref<?x?x?x?xf32>, %arg1: memref<?x?x?x?xf32>, %arg2: memref<?x?x?x?xf32>) -> (memref<4x8x12x16xf32>, memref<?x?x?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg2, %c0 : memref<?x?x?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg2, %c1 : memref<?x?x?x?xf32>
    %c2 = arith.constant 2 : index
    %dim_1 = memref.dim %arg2, %c2 : memref<?x?x?x?xf32>
    %c3 = arith.constant 3 : index
    %dim_2 = memref.dim %arg2, %c3 : memref<?x?x?x?xf32>
    %alloc = memref.alloc(%dim, %dim_0, %dim_1, %dim_2) {alignment = 64 : i64} : memref<?x?x?x?xf32>
    memref.copy %arg2, %alloc : memref<?x?x?x?xf32> to memref<?x?x?x?xf32>
    linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) outs(%alloc : memref<?x?x?x?xf32>)
    %cast = memref.cast %alloc : memref<?x?x?x?xf32> to memref<4x8x12x16xf32>
    return %cast, %alloc : memref<4x8x12x16xf32>, memref<?x?x?x?xf32>
  }
}
// -----
// stack/39ca311382.mlir
#set = affine_set<(d0) : (d0 - 1 >= 0)>

func.func @should_not_fuse_if_op_in_loop_nest_between_src_and_dest() -> memref<10xf32> {
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  %cf7 = arith.constant 7.0 : f32

  affine.for %i0 = 0 to 10 {
    affine.store %cf7, %a[%i0] : memref<10xf32>
  }
  affine.for %i1 = 0 to 10 {
    affine.if #set(%i1) {
      affine.store %cf7, %a[%i1] : memref<10xf32>
    }
  }
  affine.for %i3 = 0 to 10 {
    %v0 = affine.load %a[%i3] : memref<10xf32>
    affine.store %v0, %b[%i3] : memref<10xf32>
  }
  return %b : memref<10xf32>


}
// =>
#set = affine_set<(d0) : (d0 - 1 >= 0)>
module {
  func.func @should_not_fuse_if_op_in_loop_nest_between_src_and_dest() -> memref<10xf32> {
    %alloca = memref.alloca() : memref<10xf32>
    %alloc = memref.alloc() : memref<10xf32>
    %cst = arith.constant 7.000000e+00 : f32
    affine.for %arg0 = 0 to 10 {
      affine.store %cst, %alloca[%arg0] : memref<10xf32>
    }
    affine.for %arg0 = 0 to 10 {
      affine.if #set(%arg0) {
        affine.store %cst, %alloca[%arg0] : memref<10xf32>
      }
    }
    affine.for %arg0 = 0 to 10 {
      %0 = affine.load %alloca[%arg0] : memref<10xf32>
      affine.store %0, %alloc[%arg0] : memref<10xf32>
    }
    return %alloc : memref<10xf32>
  }
}
// -----
// corner_program/10
func.func private @peek(%p: memref<4xf32, strided<[?], offset: ?>>, %q: memref<4xf32, strided<[?], offset: ?>>, %at: index, %x: f32) -> f32 {
  %v1 = memref.load %q[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v2 = arith.addf %x, %v1 : f32
  %v3 = memref.load %p[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v4 = arith.addf %v2, %v3 : f32
  %v5 = memref.load %q[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v6 = arith.addf %v4, %v5 : f32
  return %v6 : f32
}
func.func private @poke(%p: memref<4xf32, strided<[?], offset: ?>>, %q: memref<4xf32, strided<[?], offset: ?>>, %at: index, %x: f32) -> f32 {
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 1 : index
  %v9 = memref.subview %q[%v7] [4] [%v8] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  linalg.add ins(%p, %v9 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) outs(%p : memref<4xf32, strided<[?], offset: ?>>)
  memref.store %x, %q[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v10 = memref.load %v9[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v11 = arith.addf %x, %v10 : f32
  %v12 = memref.alloc() : memref<4xf32>
  memref.copy %q, %v12 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  memref.store %v11, %p[%at] : memref<4xf32, strided<[?], offset: ?>>
  memref.copy %v12, %q : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %v13 = memref.load %q[%at] : memref<4xf32, strided<[?], offset: ?>>
  %v14 = arith.addf %v11, %v13 : f32
  return %v14 : f32
}
func.func private @helper0(%a0: tensor<8xf32>, %a1: tensor<8xf32>, %a2: f32, %a3: index, %a4: i1, %a5: memref<4xf32>, %a6: memref<4xf32>) -> (tensor<4x4xf32>) {
  %v15 = arith.constant 4 : index
  %v16 = arith.remui %a3, %v15 : index
  %v17 = arith.constant 0 : index
  %v18 = arith.constant 4 : index
  %v19 = arith.constant 1 : index
  %v20 = arith.constant dense<2.0> : tensor<4xf32>
  %v24:2 = scf.for %v23 = %v17 to %v16 step %v19 iter_args(%v21 = %a1, %v22 = %v20) -> (tensor<8xf32>, tensor<4xf32>) {
    %v25 = arith.constant 0 : index
    %v26 = arith.constant 4 : index
    %v27 = arith.constant 1 : index
    %v28 = tensor.empty() : tensor<4x4xf32>
    %v29 = linalg.fill ins(%a2 : f32) outs(%v28 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %v33:2 = scf.for %v32 = %v25 to %v16 step %v27 iter_args(%v30 = %v20, %v31 = %v29) -> (tensor<4xf32>, tensor<4x4xf32>) {
      %v34 = scf.index_switch %v16 -> tensor<4xf32>
      case 0 {
        %v35 = memref.alloc() : memref<4xf32>
        linalg.fill ins(%a2 : f32) outs(%v35 : memref<4xf32>)
        %v36 = arith.constant 0 : index
        %v37 = arith.constant 1 : index
        %v38 = memref.subview %v35[%v36] [4] [%v37] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
        %v39 = arith.constant 0 : index
        %v40 = arith.constant 1 : index
        %v41 = memref.subview %v35[%v39] [4] [%v40] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
        %v42 = func.call @poke(%v38, %v41, %v23, %a2) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>, index, f32) -> f32
        %v43 = bufferization.to_tensor %v35 restrict writable : memref<4xf32> to tensor<4xf32>
        scf.yield %v43 : tensor<4xf32>
      }
      case 2 {
        %v44 = tensor.insert_slice %v30 into %a1[%v32] [4] [1] : tensor<4xf32> into tensor<8xf32>
        scf.yield %v20 : tensor<4xf32>
      }
      default {
        %v45 = bufferization.to_buffer %v20 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
        %v46 = tensor.extract_slice %v31[0, 0] [4, %v32] [1, 1] : tensor<4x4xf32> to tensor<4x?xf32>
        %v47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v46 : tensor<4x?xf32>) outs(%v30 : tensor<4xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<4xf32>
        memref.store %a2, %v45[%v32] : memref<4xf32, strided<[?], offset: ?>>
        %v48 = tensor.generate { ^bb0(%i: index): %t = tensor.extract %v47[%i] : tensor<4xf32> %y = arith.addf %t, %t : f32 tensor.yield %y : f32 } : tensor<4xf32>
        %v49 = memref.load %v45[%v16] : memref<4xf32, strided<[?], offset: ?>>
        scf.yield %v48 : tensor<4xf32>
      }
      scf.yield %v34, %v31 : tensor<4xf32>, tensor<4x4xf32>
    }
    scf.yield %v21, %v33#0 : tensor<8xf32>, tensor<4xf32>
  }
  %v50 = tensor.extract_slice %a0[%v16] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %v51 = tensor.empty() : tensor<4x4xf32>
  %v52 = linalg.fill ins(%a2 : f32) outs(%v51 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %v52 : tensor<4x4xf32>
}
func.func @main(%a0: tensor<8xf32> {bufferization.writable = false}, %a1: tensor<8xf32> {bufferization.writable = true}, %a2: tensor<8xf32>, %a3: f32) -> (tensor<4x4xf32>, f32) {
  %v53 = tensor.from_elements %a3, %a3, %a3, %a3 : tensor<4xf32>
  %v54 = bufferization.to_buffer %v53 read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %v55 = tensor.empty() : tensor<4x4xf32>
  %v56 = linalg.fill ins(%a3 : f32) outs(%v55 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v57 = linalg.broadcast ins(%v53 : tensor<4xf32>) outs(%v56 : tensor<4x4xf32>) dimensions = [1]
  %v58 = arith.constant 3 : index
  %v59 = tensor.insert %a3 into %v53[%v58] : tensor<4xf32>
  %v60 = memref.load %v54[%v58] : memref<4xf32, strided<[?], offset: ?>>
  %v61 = vector.transfer_read %a0[%v58], %v60 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %v62 = vector.transfer_write %v61, %a2[%v58] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  return %v57, %v60 : tensor<4x4xf32>, f32
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<2.000000e+00> {alignment = 64 : i64}
  func.func private @peek(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: index, %arg3: f32) -> f32 {
    %0 = memref.load %arg1[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %1 = arith.addf %arg3, %0 : f32
    %2 = memref.load %arg0[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %3 = arith.addf %1, %2 : f32
    %4 = memref.load %arg1[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %5 = arith.addf %3, %4 : f32
    return %5 : f32
  }
  func.func private @poke(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: index, %arg3: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %subview = memref.subview %arg1[%c0] [4] [%c1] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    linalg.add ins(%arg0, %subview : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) outs(%arg0 : memref<4xf32, strided<[?], offset: ?>>)
    memref.store %arg3, %arg1[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %0 = memref.load %subview[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %1 = arith.addf %arg3, %0 : f32
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg1, %alloc : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
    memref.store %1, %arg0[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    memref.copy %alloc, %arg1 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %2 = memref.load %arg1[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %3 = arith.addf %1, %2 : f32
    return %3 : f32
  }
  func.func private @helper0(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1, %arg5: memref<4xf32>, %arg6: memref<4xf32>) -> memref<4x4xf32> {
    %c4 = arith.constant 4 : index
    %0 = arith.remui %arg3, %c4 : index
    %c0 = arith.constant 0 : index
    %c4_0 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %1 = memref.get_global @__constant_4xf32 : memref<4xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %arg1, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %1, %alloc_1 : memref<4xf32> to memref<4xf32>
    %2:2 = scf.for %arg7 = %c0 to %0 step %c1 iter_args(%arg8 = %alloc, %arg9 = %alloc_1) -> (memref<8xf32>, memref<4xf32>) {
      %c0_3 = arith.constant 0 : index
      %c4_4 = arith.constant 4 : index
      %c1_5 = arith.constant 1 : index
      %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
      linalg.fill ins(%arg2 : f32) outs(%alloc_6 : memref<4x4xf32>)
      %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      memref.copy %1, %alloc_7 : memref<4xf32> to memref<4xf32>
      %3:2 = scf.for %arg10 = %c0_3 to %0 step %c1_5 iter_args(%arg11 = %alloc_7, %arg12 = %alloc_6) -> (memref<4xf32>, memref<4x4xf32>) {
        %4 = scf.index_switch %0 -> memref<4xf32> 
        case 0 {
          %alloc_9 = memref.alloc() : memref<4xf32>
          linalg.fill ins(%arg2 : f32) outs(%alloc_9 : memref<4xf32>)
          %c0_10 = arith.constant 0 : index
          %c1_11 = arith.constant 1 : index
          %subview_12 = memref.subview %alloc_9[%c0_10] [4] [%c1_11] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
          %c0_13 = arith.constant 0 : index
          %c1_14 = arith.constant 1 : index
          %subview_15 = memref.subview %alloc_9[%c0_13] [4] [%c1_14] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
          %5 = func.call @poke(%subview_12, %subview_15, %arg7, %arg2) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>, index, f32) -> f32
          scf.yield %alloc_9 : memref<4xf32>
        }
        case 2 {
          %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
          memref.copy %arg1, %alloc_9 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
          %subview_10 = memref.subview %alloc_9[%arg10] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
          memref.copy %arg11, %subview_10 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
          scf.yield %1 : memref<4xf32>
        }
        default {
          %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
          memref.copy %1, %alloc_9 : memref<4xf32> to memref<4xf32>
          %cast_10 = memref.cast %alloc_9 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
          %subview_11 = memref.subview %arg12[0, 0] [4, %arg10] [1, 1] : memref<4x4xf32> to memref<4x?xf32, strided<[4, 1]>>
          linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%subview_11 : memref<4x?xf32, strided<[4, 1]>>) outs(%arg11 : memref<4xf32>) {
          ^bb0(%in: f32, %out: f32):
            linalg.yield %in : f32
          }
          memref.store %arg2, %cast_10[%arg10] : memref<4xf32, strided<[?], offset: ?>>
          %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
          linalg.map outs(%alloc_12 : memref<4xf32>)
            (%init: f32) {
              %6 = linalg.index 0 : index
              %7 = memref.load %arg11[%6] : memref<4xf32>
              %8 = arith.addf %7, %7 : f32
              linalg.yield %8 : f32
            }
          %5 = memref.load %cast_10[%0] : memref<4xf32, strided<[?], offset: ?>>
          scf.yield %alloc_12 : memref<4xf32>
        }
        %alloc_8 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        memref.copy %4, %alloc_8 : memref<4xf32> to memref<4xf32>
        scf.yield %alloc_8, %arg12 : memref<4xf32>, memref<4x4xf32>
      }
      scf.yield %arg8, %3#0 : memref<8xf32>, memref<4xf32>
    }
    %subview = memref.subview %arg0[%0] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc_2 : memref<4x4xf32>)
    %cast = memref.cast %alloc_2 : memref<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
    return %alloc_2 : memref<4x4xf32>
  }
  func.func @main(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: memref<8xf32, strided<[?], offset: ?>>, %arg3: f32) -> (memref<4x4xf32>, f32) {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    memref.store %arg3, %alloc[%c0] : memref<4xf32>
    memref.store %arg3, %alloc[%c1] : memref<4xf32>
    memref.store %arg3, %alloc[%c2] : memref<4xf32>
    memref.store %arg3, %alloc[%c3] : memref<4xf32>
    %cast = memref.cast %alloc : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
    linalg.fill ins(%arg3 : f32) outs(%alloc_0 : memref<4x4xf32>)
    linalg.broadcast ins(%alloc : memref<4xf32>) outs(%alloc_0 : memref<4x4xf32>) dimensions = [1] 
    %c3_1 = arith.constant 3 : index
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %alloc, %alloc_2 : memref<4xf32> to memref<4xf32>
    memref.store %arg3, %alloc_2[%c3_1] : memref<4xf32>
    %0 = memref.load %cast[%c3_1] : memref<4xf32, strided<[?], offset: ?>>
    %1 = vector.transfer_read %arg0[%c3_1], %0 {in_bounds = [true]} : memref<8xf32, strided<[?], offset: ?>>, vector<4xf32>
    vector.transfer_write %1, %arg2[%c3_1] {in_bounds = [true]} : vector<4xf32>, memref<8xf32, strided<[?], offset: ?>>
    %cast_3 = memref.cast %alloc_0 : memref<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
    return %alloc_0, %0 : memref<4x4xf32>, f32
  }
}
// -----
// canonicalize/81b5714ca0.mlir
func.func @fill_extract_matmul_1234(
    %arg0: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false},
    %arg1: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false},
    %arg2: tensor<256x256xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = true})
  -> tensor<256x256xf32>
{
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %0 = bufferization.alloc_tensor() : tensor<256x256xf32>

  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %3 = tensor.extract_slice %1[0, 0] [256, 16] [1, 1] : tensor<256x256xf32> to tensor<256x16xf32>
  %4 = tensor.extract_slice %2[0, 0] [16, 256] [1, 1] : tensor<256x256xf32> to tensor<16x256xf32>
  %5 = linalg.matmul ins(%3, %4 : tensor<256x16xf32>, tensor<16x256xf32>) outs(%arg2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %5 : tensor<256x256xf32>
}
// =>
module {
  func.func @fill_extract_matmul_1234(%arg0: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false}, %arg1: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false}, %arg2: tensor<256x256xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = true}) -> tensor<256x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = bufferization.alloc_tensor() : tensor<256x256xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %extracted_slice = tensor.extract_slice %1[0, 0] [256, 16] [1, 1] : tensor<256x256xf32> to tensor<256x16xf32>
    %extracted_slice_1 = tensor.extract_slice %2[0, 0] [16, 256] [1, 1] : tensor<256x256xf32> to tensor<16x256xf32>
    %3 = linalg.matmul ins(%extracted_slice, %extracted_slice_1 : tensor<256x16xf32>, tensor<16x256xf32>) outs(%arg2 : tensor<256x256xf32>) -> tensor<256x256xf32>
    return %3 : tensor<256x256xf32>
  }
}
// -----
// dealloc-pipeline/83502fdab5.mlir scf.if other way#0
func.func @no_hoist_one_loop_conditional(
  %lb: index,
  %ub: index,
  %step: index,
  %buf: memref<2xf32>,
  %res: memref<2xf32>) {
  %0 = scf.for %i = %lb to %ub step %step
    iter_args(%iterBuf = %buf) -> memref<2xf32> {
      %1 = arith.cmpi eq, %i, %ub : index
      %2 = scf.if %1 -> (memref<2xf32>) {
        %3 = memref.alloc() : memref<2xf32>
        scf.yield %3 : memref<2xf32>
      } else {
        scf.yield %iterBuf : memref<2xf32>
      }
    scf.yield %2 : memref<2xf32>
  }
  test.copy(%0, %res) : (memref<2xf32>, memref<2xf32>)
  return
}
// =>
module {
  func.func @no_hoist_one_loop_conditional(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<2xf32>, %arg4: memref<2xf32>) {
    %false = arith.constant false
    %0:2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3, %arg7 = %false) -> (memref<2xf32>, i1) {
      %1 = arith.cmpi eq, %arg5, %arg1 : index
      %2 = scf.if %1 -> (memref<2xf32>) {
        scf.yield %arg6 : memref<2xf32>
      } else {
        %alloc = memref.alloc() : memref<2xf32>
        scf.yield %alloc : memref<2xf32>
      }
      %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %arg6 : memref<2xf32> -> memref<f32>, index, index, index
      %intptr = memref.extract_aligned_pointer_as_index %base_buffer_0 : memref<f32> -> index
      %intptr_4 = memref.extract_aligned_pointer_as_index %2 : memref<2xf32> -> index
      %3 = arith.cmpi ne, %intptr, %intptr_4 : index
      %4 = arith.andi %3, %arg7 : i1
      scf.if %4 {
        memref.dealloc %base_buffer_0 : memref<f32>
      }
      %5 = arith.cmpi eq, %intptr, %intptr_4 : index
      %6 = arith.andi %5, %arg7 : i1
      %7 = arith.ori %6, %1 : i1
      scf.yield %2, %7 : memref<2xf32>, i1
    }
    test.copy(%0#0, %arg4) : (memref<2xf32>, memref<2xf32>)
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<2xf32> -> memref<f32>, index, index, index
    scf.if %0#1 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return
  }
}
// -----
// -ownership-based-buffer-deallocation -buffer-deallocation-simplification
func.func @main(%v1: memref<4xi64>, %v2: memref<i64>, %v3: i1, %v4: index) -> (memref<4xi64>) {
  %v5 = memref.alloc() : memref<i64>
  %v6 = arith.constant 1 : i64
  linalg.fill ins(%v6 : i64) outs(%v5 : memref<i64>)
  %v7 = memref.alloc() : memref<1xi64>
  %v8 = arith.constant 5 : i64
  linalg.fill ins(%v8 : i64) outs(%v7 : memref<1xi64>)
  %v9 = arith.constant 0 : index
  %v10 = memref.load %v7[%v9] : memref<1xi64>
  %v11 = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v10 : i64) outs(%v11 : memref<4xi64>)
  %v12 = scf.execute_region -> (memref<4xi64>) {
    %v13 = scf.execute_region -> (memref<4xi64>) {
      %v14 = arith.constant 0 : index
      %v15 = memref.dim %v7, %v14 : memref<1xi64>
      %v16 = memref.alloc() : memref<1xi64>
      linalg.fill ins(%v10 : i64) outs(%v16 : memref<1xi64>)
      %v17 = arith.constant 1 : index
      %v18 = arith.remui %v15, %v17 : index
      memref.store %v10, %v16[%v18] : memref<1xi64>
      %v19 = arith.constant 2 : index
      %v20:2 = scf.index_switch %v19 -> memref<4xi64>, i64
      case 0 {
        scf.yield %v11, %v10 : memref<4xi64>, i64
      }
      default {
        %v21 = arith.constant 5 : i64
        scf.yield %v1, %v21 : memref<4xi64>, i64
      }
      scf.yield %v1 : memref<4xi64>
    }
    %v22 = arith.constant 0 : index
    %v23 = arith.constant 2 : index
    %v24 = arith.constant 1 : index
    %v25:2 = scf.while (%v26 = %v22, %v27 = %v1) : (index, memref<4xi64>) -> (index, memref<4xi64>) {
      %v30 = arith.constant 0 : index
      %v31 = memref.subview %v13[%v30] [3] [1] : memref<4xi64> to memref<3xi64, strided<[1], offset: ?>>
      %v32 = memref.alloc() : memref<4xi64>
      linalg.fill ins(%v10 : i64) outs(%v32 : memref<4xi64>)
      %v33 = memref.alloc() : memref<4xi64>
      %v34 = arith.constant 1 : i64
      linalg.fill ins(%v34 : i64) outs(%v33 : memref<4xi64>)
      memref.copy %v32, %v33 : memref<4xi64> to memref<4xi64>
      %v35 = arith.cmpi ult, %v26, %v23 : index
      scf.condition(%v35) %v26, %v32 : index, memref<4xi64>
    } do {
      ^bb0(%v28: index, %v29: memref<4xi64>):
      %v36 = arith.addi %v28, %v24 : index
      scf.yield %v36, %v29 : index, memref<4xi64>
    }
    scf.yield %v25#1 : memref<4xi64>
  }
  cf.cond_br %v3, ^main36_0, ^main36_1
  ^main36_0:
    cf.br ^main36_2(%v10 : i64)
  ^main36_1:
    cf.br ^main36_2(%v10 : i64)
  ^main36_2(%v37: i64):
  return %v1 : memref<4xi64>
}
// =>
module {
  func.func @main(%arg0: memref<4xi64>, %arg1: memref<i64>, %arg2: i1, %arg3: index) -> memref<4xi64> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c5_i64 = arith.constant 5 : i64
    %c1_i64 = arith.constant 1 : i64
    %false = arith.constant false
    %true = arith.constant true
    %alloc = memref.alloc() : memref<i64>
    linalg.fill ins(%c1_i64 : i64) outs(%alloc : memref<i64>)
    %alloc_0 = memref.alloc() : memref<1xi64>
    linalg.fill ins(%c5_i64 : i64) outs(%alloc_0 : memref<1xi64>)
    %0 = memref.load %alloc_0[%c0] : memref<1xi64>
    %alloc_1 = memref.alloc() : memref<4xi64>
    linalg.fill ins(%0 : i64) outs(%alloc_1 : memref<4xi64>)
    %1:2 = scf.execute_region -> (memref<4xi64>, i1) {
      %9:2 = scf.execute_region -> (memref<4xi64>, i1) {
        %alloc_6 = memref.alloc() : memref<1xi64>
        linalg.fill ins(%0 : i64) outs(%alloc_6 : memref<1xi64>)
        memref.store %0, %alloc_6[%c0] : memref<1xi64>
        %11:3 = scf.index_switch %c2 -> memref<4xi64>, i64, i1 
        case 0 {
          scf.yield %alloc_1, %0, %false : memref<4xi64>, i64, i1
        }
        default {
          scf.yield %arg0, %c5_i64, %false : memref<4xi64>, i64, i1
        }
        %base_buffer_7, %offset_8, %sizes_9, %strides_10 = memref.extract_strided_metadata %11#0 : memref<4xi64> -> memref<i64>, index, index, index
        bufferization.dealloc (%alloc_6 : memref<1xi64>) if (%true)
        %12 = bufferization.dealloc (%base_buffer_7 : memref<i64>) if (%11#2) retain (%arg0 : memref<4xi64>)
        scf.yield %arg0, %12 : memref<4xi64>, i1
      }
      %10:3 = scf.while (%arg4 = %c0, %arg5 = %arg0, %arg6 = %false) : (index, memref<4xi64>, i1) -> (index, memref<4xi64>, i1) {
        %alloc_6 = memref.alloc() : memref<4xi64>
        linalg.fill ins(%0 : i64) outs(%alloc_6 : memref<4xi64>)
        %alloc_7 = memref.alloc() : memref<4xi64>
        linalg.fill ins(%c1_i64 : i64) outs(%alloc_7 : memref<4xi64>)
        memref.copy %alloc_6, %alloc_7 : memref<4xi64> to memref<4xi64>
        %11 = arith.cmpi ult, %arg4, %c2 : index
        %base_buffer_8, %offset_9, %sizes_10, %strides_11 = memref.extract_strided_metadata %arg5 : memref<4xi64> -> memref<i64>, index, index, index
        bufferization.dealloc (%base_buffer_8 : memref<i64>) if (%arg6)
        bufferization.dealloc (%alloc_7 : memref<4xi64>) if (%true)
        scf.condition(%11) %arg4, %alloc_6, %true : index, memref<4xi64>, i1
      } do {
      ^bb0(%arg4: index, %arg5: memref<4xi64>, %arg6: i1):
        %11 = arith.addi %arg4, %c1 : index
        scf.yield %11, %arg5, %arg6 : index, memref<4xi64>, i1
      }
      %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %9#0 : memref<4xi64> -> memref<i64>, index, index, index
      bufferization.dealloc (%base_buffer_2 : memref<i64>) if (%9#1)
      scf.yield %10#1, %10#2 : memref<4xi64>, i1
    }
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %1#0 : memref<4xi64> -> memref<i64>, index, index, index
    %2 = arith.andi %1#1, %arg2 : i1
    bufferization.dealloc (%alloc : memref<i64>) if (%arg2)
    bufferization.dealloc (%alloc_0 : memref<1xi64>) if (%arg2)
    bufferization.dealloc (%alloc_1 : memref<4xi64>) if (%arg2)
    bufferization.dealloc (%base_buffer : memref<i64>) if (%2)
    %3 = arith.xori %arg2, %true : i1
    %4 = arith.xori %arg2, %true : i1
    %5 = arith.xori %arg2, %true : i1
    %6 = arith.xori %arg2, %true : i1
    %7 = arith.andi %1#1, %6 : i1
    bufferization.dealloc (%alloc : memref<i64>) if (%3)
    bufferization.dealloc (%alloc_0 : memref<1xi64>) if (%4)
    bufferization.dealloc (%alloc_1 : memref<4xi64>) if (%5)
    bufferization.dealloc (%base_buffer : memref<i64>) if (%7)
    cf.cond_br %arg2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3
  ^bb2:  // pred: ^bb0
    cf.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
    %8 = scf.if %false -> (memref<4xi64>) {
      scf.yield %arg0 : memref<4xi64>
    } else {
      %9 = bufferization.clone %arg0 : memref<4xi64> to memref<4xi64>
      scf.yield %9 : memref<4xi64>
    }
    return %8 : memref<4xi64>
  }
}
// -----
// cse/045c0c4be1
func.func @inner_region_control_flow(%arg0 : index) -> memref<?x?xf32> {
  %0 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %1 = test.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>) then {
    ^bb0(%arg1 : memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
  } else {
    ^bb0(%arg1 : memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
  } join {
    ^bb0(%arg1 : memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
  }
  return %1 : memref<?x?xf32>
}
// =>
module {
  func.func @inner_region_control_flow(%arg0: index) -> memref<?x?xf32> {
    %alloc = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
    %0 = test.region_if %alloc: memref<?x?xf32> -> memref<?x?xf32> then {
    ^bb0(%arg1: memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
    } else {
    ^bb0(%arg1: memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
    } join {
    ^bb0(%arg1: memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
    }
    return %0 : memref<?x?xf32>
  }
}
// -----
// -convert-elementwise-to-linalg -one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops -buffer-deallocation-pipeline -optimize-allocation-liveness
func.func private @g0(%v1: tensor<3xf32>, %v2: index, %v3: i1) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, i1) {
  %v4 = arith.constant 2 : index
  %v5 = tensor.empty() : tensor<f32>
  %v6 = arith.constant -2.5 : f32
  %v7 = linalg.fill ins(%v6 : f32) outs(%v5 : tensor<f32>) -> tensor<f32>
  %v8 = tensor.insert_slice %v7 into %v1[%v4] [1] [1] : tensor<f32> into tensor<3xf32>
  %v9 = arith.constant 0.5 : f32
  %v11 = arith.constant 0 : index
  %v12 = arith.constant 0 : index
  %v13 = arith.constant 1 : index
  %v10:4 = scf.while (%v14 = %v11, %v15 = %v8, %v16 = %v8, %v17 = %v9) : (index, tensor<3xf32>, tensor<3xf32>, f32) -> (index, tensor<3xf32>, tensor<3xf32>, f32) {
    %v22 = arith.cmpi ult, %v14, %v12 : index
    scf.condition(%v22) %v14, %v15, %v15, %v17 : index, tensor<3xf32>, tensor<3xf32>, f32
  } do {
    ^bb0(%v18: index, %v19: tensor<3xf32>, %v20: tensor<3xf32>, %v21: f32):
    %v23 = scf.index_switch %v2 -> tensor<3xf32>
    case 0 {
      scf.yield %v1 : tensor<3xf32>
    }
    default {
      scf.yield %v20 : tensor<3xf32>
    }
    %v24 = arith.addi %v18, %v13 : index
    scf.yield %v24, %v23, %v20, %v21 : index, tensor<3xf32>, tensor<3xf32>, f32
  }
  return %v1, %v1, %v1, %v3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, i1
}
func.func @main(%v25: tensor<3x2xf32>, %v26: tensor<6xf32>) -> (tensor<3x5xf32>) {
  %v28 = arith.constant -2.5 : f32
  %v27 = tensor.pad %v25 low[0, 2] high[0, 1] {
    ^bb0(%v29: index, %v30: index):
    tensor.yield %v28 : f32
  } : tensor<3x2xf32> to tensor<3x5xf32>
  %v31:2 = scf.forall (%v32) in (3) shared_outs(%v33 = %v27, %v34 = %v27) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %v35 = tensor.extract_slice %v34[%v32, 0] [1, 5] [1, 1] : tensor<3x5xf32> to tensor<1x5xf32>
    %v36 = bufferization.materialize_in_destination %v35 in %v35 : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v36 into %v33[%v32, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<3x5xf32>
      tensor.parallel_insert_slice %v35 into %v34[%v32, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<3x5xf32>
    }
  }
  %v37 = tensor.cast %v26 : tensor<6xf32> to tensor<?xf32>
  return %v31#0 : tensor<3x5xf32>
}
// =>
module {
  func.func private @g0(%arg0: memref<3xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: i1) -> (memref<3xf32, strided<[?], offset: ?>>, memref<3xf32, strided<[?], offset: ?>>, memref<3xf32, strided<[?], offset: ?>>, i1) {
    %false = arith.constant false
    %true = arith.constant true
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant -2.500000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<f32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<f32>)
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
    memref.copy %arg0, %alloc_0 : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32>
    %subview = memref.subview %alloc_0[2] [1] [1] : memref<3xf32> to memref<f32, strided<[], offset: 2>>
    memref.copy %alloc, %subview : memref<f32> to memref<f32, strided<[], offset: 2>>
    memref.dealloc %alloc : memref<f32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
    memref.copy %alloc_0, %alloc_1 : memref<3xf32> to memref<3xf32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
    memref.copy %alloc_0, %alloc_2 : memref<3xf32> to memref<3xf32>
    memref.dealloc %alloc_2 : memref<3xf32>
    memref.dealloc %alloc_0 : memref<3xf32>
    %0:2 = scf.while (%arg3 = %c0, %arg4 = %alloc_1, %arg5 = %false) : (index, memref<3xf32>, i1) -> (index, memref<3xf32>) {
      %4 = arith.cmpi ult, %arg3, %c0 : index
      %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
      memref.copy %arg4, %alloc_3 : memref<3xf32> to memref<3xf32>
      memref.dealloc %alloc_3 : memref<3xf32>
      %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
      memref.copy %arg4, %alloc_4 : memref<3xf32> to memref<3xf32>
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg4 : memref<3xf32> -> memref<f32>, index, index, index
      scf.if %arg5 {
        memref.dealloc %base_buffer_5 : memref<f32>
      }
      scf.condition(%4) %arg3, %alloc_4 : index, memref<3xf32>
    } do {
    ^bb0(%arg3: index, %arg4: memref<3xf32>):
      %4 = scf.index_switch %arg1 -> memref<3xf32, strided<[?], offset: ?>> 
      case 0 {
        scf.yield %arg0 : memref<3xf32, strided<[?], offset: ?>>
      }
      default {
        %cast = memref.cast %arg4 : memref<3xf32> to memref<3xf32, strided<[?], offset: ?>>
        scf.yield %cast : memref<3xf32, strided<[?], offset: ?>>
      }
      %5 = arith.addi %arg3, %c1 : index
      %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
      memref.copy %4, %alloc_3 : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32>
      %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
      memref.copy %arg4, %alloc_4 : memref<3xf32> to memref<3xf32>
      memref.dealloc %alloc_4 : memref<3xf32>
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg4 : memref<3xf32> -> memref<f32>, index, index, index
      memref.dealloc %base_buffer_5 : memref<f32>
      scf.yield %5, %alloc_3, %true : index, memref<3xf32>, i1
    }
    memref.dealloc %alloc_1 : memref<3xf32>
    %1 = bufferization.clone %arg0 : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32, strided<[?], offset: ?>>
    %2 = bufferization.clone %arg0 : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32, strided<[?], offset: ?>>
    %3 = bufferization.clone %arg0 : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32, strided<[?], offset: ?>>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#1 : memref<3xf32> -> memref<f32>, index, index, index
    memref.dealloc %base_buffer : memref<f32>
    return %1, %2, %3, %arg2 : memref<3xf32, strided<[?], offset: ?>>, memref<3xf32, strided<[?], offset: ?>>, memref<3xf32, strided<[?], offset: ?>>, i1
  }
  func.func @main(%arg0: memref<3x2xf32, strided<[?, ?], offset: ?>>, %arg1: memref<6xf32, strided<[?], offset: ?>>) -> memref<3x5xf32> {
    %cst = arith.constant -2.500000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<3x5xf32>
    linalg.map outs(%alloc : memref<3x5xf32>)
      (%init: f32) {
        linalg.yield %cst : f32
      }
    %subview = memref.subview %alloc[0, 2] [3, 2] [1, 1] : memref<3x5xf32> to memref<3x2xf32, strided<[5, 1], offset: 2>>
    memref.copy %arg0, %subview : memref<3x2xf32, strided<[?, ?], offset: ?>> to memref<3x2xf32, strided<[5, 1], offset: 2>>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<3x5xf32>
    memref.copy %alloc, %alloc_0 : memref<3x5xf32> to memref<3x5xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<3x5xf32>
    memref.copy %alloc, %alloc_1 : memref<3x5xf32> to memref<3x5xf32>
    memref.dealloc %alloc : memref<3x5xf32>
    scf.forall (%arg2) in (3) {
      %subview_2 = memref.subview %alloc_1[%arg2, 0] [1, 5] [1, 1] : memref<3x5xf32> to memref<1x5xf32, strided<[5, 1], offset: ?>>
      %subview_3 = memref.subview %alloc_0[%arg2, 0] [1, 5] [1, 1] : memref<3x5xf32> to memref<1x5xf32, strided<[5, 1], offset: ?>>
      memref.copy %subview_2, %subview_3 : memref<1x5xf32, strided<[5, 1], offset: ?>> to memref<1x5xf32, strided<[5, 1], offset: ?>>
    }
    memref.dealloc %alloc_1 : memref<3x5xf32>
    return %alloc_0 : memref<3x5xf32>
  }
}
// -----
// -convert-elementwise-to-linalg -one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=top-down
func.func @main(%v1: tensor<1xf32>, %v2: index) -> (tensor<1xi1>, f32) {
  %v3 = arith.constant 1.0 : f32
  %v4 = arith.constant -2.5 : f32
  %v5 = arith.addf %v3, %v4 : f32
  %v6 = arith.constant 1 : index
  %v7 = arith.remui %v2, %v6 : index
  %v8 = vector.transfer_read %v1[%v7], %v5 : tensor<1xf32>, vector<2xf32>
  %v9 = arith.constant 1 : index
  %v10 = arith.remui %v2, %v9 : index
  %v11 = vector.transfer_write %v8, %v1[%v10] : vector<2xf32>, tensor<1xf32>
  %v12 = tensor.extract_slice %v1[0] [1] [1] : tensor<1xf32> to tensor<1xf32>
  %v13 = arith.addf %v5, %v5 : f32
  %v14 = arith.constant 1 : index
  %v15 = arith.remui %v2, %v14 : index
  %v16 = tensor.extract %v1[%v15] : tensor<1xf32>
  %v17 = tensor.expand_shape %v11 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %v18 = arith.cmpf olt, %v1, %v11 : tensor<1xf32>
  %v19 = arith.select %v18, %v1, %v11 : tensor<1xi1>, tensor<1xf32>
  %v20 = arith.constant true
  %v21 = linalg.fill ins(%v20 : i1) outs(%v18 : tensor<1xi1>) -> tensor<1xi1>
  %v22 = arith.constant false
  cf.cond_br %v22, ^fmain0, ^fmain1
  ^fmain0:
    %v23 = arith.constant 1 : index
    %v24 = arith.remui %v2, %v23 : index
    %v25 = tensor.extract %v12[%v24] : tensor<1xf32>
    %v26 = arith.constant 0.5 : f32
    cf.br ^fmain2(%v18, %v21, %v26 : tensor<1xi1>, tensor<1xi1>, f32)
  ^fmain1:
    cf.br ^fmain2(%v18, %v21, %v16 : tensor<1xi1>, tensor<1xi1>, f32)
  ^fmain2(%v27: tensor<1xi1>, %v28: tensor<1xi1>, %v29: f32):
  return %v27, %v16 : tensor<1xi1>, f32
}
// =>
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: memref<1xf32, strided<[?], offset: ?>>, %arg1: index) -> (memref<1xi1>, f32) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant -2.500000e+00 : f32
    %0 = arith.addf %cst, %cst_0 : f32
    %c1 = arith.constant 1 : index
    %1 = arith.remui %arg1, %c1 : index
    %2 = vector.transfer_read %arg0[%1], %0 : memref<1xf32, strided<[?], offset: ?>>, vector<2xf32>
    %c1_1 = arith.constant 1 : index
    %3 = arith.remui %arg1, %c1_1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    memref.copy %arg0, %alloc : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32>
    vector.transfer_write %2, %alloc[%3] : vector<2xf32>, memref<1xf32>
    %subview = memref.subview %arg0[0] [1] [1] : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
    %4 = arith.addf %0, %0 : f32
    %c1_2 = arith.constant 1 : index
    %5 = arith.remui %arg1, %c1_2 : index
    %6 = memref.load %arg0[%5] : memref<1xf32, strided<[?], offset: ?>>
    %expand_shape = memref.expand_shape %alloc [[0, 1]] output_shape [1, 1] : memref<1xf32> into memref<1x1xf32>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<1xi1>
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %alloc : memref<1xf32, strided<[?], offset: ?>>, memref<1xf32>) outs(%alloc_3 : memref<1xi1>) {
    ^bb0(%in: f32, %in_8: f32, %out: i1):
      %12 = arith.cmpf olt, %in, %in_8 : f32
      linalg.yield %12 : i1
    }
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%alloc_3, %arg0, %alloc : memref<1xi1>, memref<1xf32, strided<[?], offset: ?>>, memref<1xf32>) outs(%alloc_4 : memref<1xf32>) {
    ^bb0(%in: i1, %in_8: f32, %in_9: f32, %out: f32):
      %12 = arith.select %in, %in_8, %in_9 : f32
      linalg.yield %12 : f32
    }
    %true = arith.constant true
    %alloc_5 = memref.alloc() {alignment = 64 : i64} : memref<1xi1>
    linalg.fill ins(%true : i1) outs(%alloc_5 : memref<1xi1>)
    %false = arith.constant false
    cf.cond_br %false, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %c1_6 = arith.constant 1 : index
    %7 = arith.remui %arg1, %c1_6 : index
    %8 = memref.load %subview[%7] : memref<1xf32, strided<[?], offset: ?>>
    %cst_7 = arith.constant 5.000000e-01 : f32
    cf.br ^bb3(%alloc_3, %alloc_5, %cst_7 : memref<1xi1>, memref<1xi1>, f32)
  ^bb2:  // pred: ^bb0
    cf.br ^bb3(%alloc_3, %alloc_5, %6 : memref<1xi1>, memref<1xi1>, f32)
  ^bb3(%9: memref<1xi1>, %10: memref<1xi1>, %11: f32):  // 2 preds: ^bb1, ^bb2
    %cast = memref.cast %9 : memref<1xi1> to memref<1xi1, strided<[?], offset: ?>>
    return %9, %6 : memref<1xi1>, f32
  }
}
// -----
// partial-tensor/e09b91c02e
func.func @dim_of_reshape_i32(%arg0: tensor<*xf32>, %arg1: tensor<?xi32>)
    -> index {
    %c3 = arith.constant 3 : index
    %0 = tensor.reshape %arg0(%arg1)
        : (tensor<*xf32>, tensor<?xi32>) -> tensor<*xf32>
    %1 = tensor.dim %0, %c3 : tensor<*xf32>
    return %1 : index
}
// =>
module {
  func.func @dim_of_reshape_i32(%arg0: tensor<*xf32>, %arg1: tensor<?xi32>) -> index {
    %0 = bufferization.to_memref %arg1 : memref<?xi32>
    %1 = bufferization.to_memref %arg0 : memref<*xf32>
    %c3 = arith.constant 3 : index
    %reshape = memref.reshape %1(%0) : (memref<*xf32>, memref<?xi32>) -> memref<*xf32>
    %2 = bufferization.to_tensor %reshape : memref<*xf32>
    %dim = memref.dim %reshape, %c3 : memref<*xf32>
    return %dim : index
  }
}
// -----
// canonicalize/627eab2068
func.func @memref_realloc_dead(%src : memref<2xf32>, %v : f32) -> memref<2xf32>{
  %0 = memref.realloc %src : memref<2xf32> to memref<4xf32>
  %i2 = arith.constant 2 : index
  memref.store %v, %0[%i2] : memref<4xf32>
  return %src : memref<2xf32>
}
// =>
module {
  func.func @memref_realloc_dead(%arg0: memref<2xf32>, %arg1: f32) -> memref<2xf32> {
    return %arg0 : memref<2xf32>
  }
}
// -----
// oneshot-partial/e09b91c02e
func.func @dim_of_reshape_i32(%arg0: tensor<*xf32>, %arg1: tensor<?xi32>)
    -> index {
    %c3 = arith.constant 3 : index
    %0 = tensor.reshape %arg0(%arg1)
        : (tensor<*xf32>, tensor<?xi32>) -> tensor<*xf32>
    %1 = tensor.dim %0, %c3 : tensor<*xf32>
    return %1 : index
}
// =>
module {
  func.func @dim_of_reshape_i32(%arg0: tensor<*xf32>, %arg1: tensor<?xi32>) -> index {
    %0 = bufferization.to_buffer %arg1 : tensor<?xi32> to memref<?xi32, strided<[?], offset: ?>>
    %1 = bufferization.to_buffer %arg0 : tensor<*xf32> to memref<*xf32>
    %c3 = arith.constant 3 : index
    %reshape = memref.reshape %1(%0) : (memref<*xf32>, memref<?xi32, strided<[?], offset: ?>>) -> memref<*xf32>
    %dim = memref.dim %reshape, %c3 : memref<*xf32>
    return %dim : index
  }
}
// -----
// canonicalize/6944443533
func.func @vector_loop_nothing_invariant() {
  %m1 = memref.alloc() : memref<40xf32>
  %m2 = memref.alloc() : memref<40xf32>
  affine.for %arg0 = 0 to 10 {
    %v0 = affine.vector_load %m1[%arg0*4] : memref<40xf32>, vector<4xf32>
    %v1 = affine.vector_load %m2[%arg0*4] : memref<40xf32>, vector<4xf32>
    %v2 = arith.addf %v0, %v1 : vector<4xf32>
    affine.vector_store %v2, %m1[%arg0*4] : memref<40xf32>, vector<4xf32>
  }
  return
}
// =>
module {
  func.func @vector_loop_nothing_invariant() {
    %alloc = memref.alloc() : memref<40xf32>
    %alloc_0 = memref.alloc() : memref<40xf32>
    affine.for %arg0 = 0 to 10 {
      %0 = affine.vector_load %alloc[%arg0 * 4] : memref<40xf32>, vector<4xf32>
      %1 = affine.vector_load %alloc_0[%arg0 * 4] : memref<40xf32>, vector<4xf32>
      %2 = arith.addf %0, %1 : vector<4xf32>
      affine.vector_store %2, %alloc[%arg0 * 4] : memref<40xf32>, vector<4xf32>
    }
    return
  }
}
// -----
// partial-all/3476da277e
func.func @foo() -> tensor<4xf32> {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @main() {
  %0 = call @foo() : () -> tensor<4xf32>

  %unranked = tensor.cast %0 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()


  return
}

func.func private @printMemrefF32(%ptr : tensor<*xf32>)
// =>
module {
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  func.func @foo() -> memref<4xf32> {
    %0 = memref.get_global @__constant_4xf32 : memref<4xf32>
    return %0 : memref<4xf32>
  }
  func.func @main() {
    %0 = call @foo() : () -> memref<4xf32>
    %cast = memref.cast %0 : memref<4xf32> to memref<*xf32>
    call @printMemrefF32(%cast) : (memref<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(memref<*xf32>)
}
// -----
// partial-tensor/f7d61b2eea
func.func @ranked_return_via_unranked_call(%arg0: tensor<64x20x40xf32>) -> tensor<64x20x40xf32> {
  %u = tensor.cast %arg0 : tensor<64x20x40xf32> to tensor<*xf32>
  %r = call @relu_unranked(%u) : (tensor<*xf32>) -> tensor<*xf32>
  %b = tensor.cast %r : tensor<*xf32> to tensor<64x20x40xf32>
  return %b : tensor<64x20x40xf32>
}
func.func private @relu_unranked(tensor<*xf32>) -> tensor<*xf32>
// =>
module {
  func.func @ranked_return_via_unranked_call(%arg0: tensor<64x20x40xf32>) -> tensor<64x20x40xf32> {
    %0 = bufferization.to_memref %arg0 : memref<64x20x40xf32>
    %cast = memref.cast %0 : memref<64x20x40xf32> to memref<*xf32>
    %1 = bufferization.to_tensor %cast : memref<*xf32>
    %2 = call @relu_unranked(%1) : (tensor<*xf32>) -> tensor<*xf32>
    %3 = bufferization.to_memref %2 : memref<*xf32>
    %cast_0 = memref.cast %3 : memref<*xf32> to memref<64x20x40xf32>
    %4 = bufferization.to_tensor %cast_0 : memref<64x20x40xf32>
    return %4 : tensor<64x20x40xf32>
  }
  func.func private @relu_unranked(tensor<*xf32>) -> tensor<*xf32>
}
// -----
// cse/5068529320
func.func @extract_from_tensor.generate(%idx: index, %tensor: tensor<*xf32>) -> index {
  %size = tensor.rank %tensor : tensor<*xf32>
  %0 = tensor.generate %size {
    ^bb0(%arg0: index):
    %1 = tensor.dim %tensor, %arg0 : tensor<*xf32>
    tensor.yield %1 : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%idx] : tensor<?xindex>
  return %1 : index
}
// =>
module {
  func.func @extract_from_tensor.generate(%arg0: index, %arg1: tensor<*xf32>) -> index {
    %rank = tensor.rank %arg1 : tensor<*xf32>
    %generated = tensor.generate %rank {
    ^bb0(%arg2: index):
      %dim = tensor.dim %arg1, %arg2 : tensor<*xf32>
      tensor.yield %dim : index
    } : tensor<?xindex>
    %extracted = tensor.extract %generated[%arg0] : tensor<?xindex>
    return %extracted : index
  }
}
// -----
// canonicalize/57f08294f9
func.func @main() {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>

  %addf = arith.addf %a, %b : tensor<3xf32>
  %addf_unranked = tensor.cast %addf : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%addf_unranked) : (tensor<*xf32>) -> ()

  return
}

func.func private @printMemrefF32(%ptr : tensor<*xf32>)
// =>
module {
  func.func @main() {
    %cst = arith.constant dense<[1.100000e+01, 2.200000e+01, 3.300000e+01]> : tensor<3xf32>
    %cast = tensor.cast %cst : tensor<3xf32> to tensor<*xf32>
    call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(tensor<*xf32>)
}
// -----
// cse/a89b4b9626
#map0 = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>

func.func @mixed_redundant_non_redundant(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#map0, #map1, #map0, #map0], iterator_types = ["parallel", "parallel"]}
     ins(%arg0, %arg0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%arg0 : tensor<?x?xf32>) {
  ^bb0(%arg1: f32, %arg2: f32, %arg3: f32, %arg4: f32):
    %1 = "test.elementwise_mappable"(%arg1, %arg2, %arg3) : (f32, f32, f32) -> f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @mixed_redundant_non_redundant(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %1 = "test.elementwise_mappable"(%in, %in_0, %in_1) : (f32, f32, f32) -> f32
      linalg.yield %1 : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
// -----
// dealloc-pipeline/6944443533
func.func @vector_loop_nothing_invariant() {
  %m1 = memref.alloc() : memref<40xf32>
  %m2 = memref.alloc() : memref<40xf32>
  affine.for %arg0 = 0 to 10 {
    %v0 = affine.vector_load %m1[%arg0*4] : memref<40xf32>, vector<4xf32>
    %v1 = affine.vector_load %m2[%arg0*4] : memref<40xf32>, vector<4xf32>
    %v2 = arith.addf %v0, %v1 : vector<4xf32>
    affine.vector_store %v2, %m1[%arg0*4] : memref<40xf32>, vector<4xf32>
  }
  return
}
// =>
module {
  func.func @vector_loop_nothing_invariant() {
    %alloc = memref.alloc() : memref<40xf32>
    %alloc_0 = memref.alloc() : memref<40xf32>
    affine.for %arg0 = 0 to 10 {
      %0 = affine.vector_load %alloc[%arg0 * 4] : memref<40xf32>, vector<4xf32>
      %1 = affine.vector_load %alloc_0[%arg0 * 4] : memref<40xf32>, vector<4xf32>
      %2 = arith.addf %0, %1 : vector<4xf32>
      affine.vector_store %2, %alloc[%arg0 * 4] : memref<40xf32>, vector<4xf32>
    }
    memref.dealloc %alloc : memref<40xf32>
    memref.dealloc %alloc_0 : memref<40xf32>
    return
  }
}
// -----
// -convert-elementwise-to-linalg -one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops -drop-equivalent-buffer-results -buffer-deallocation-pipeline
func.func private @g0(%v1: tensor<1xi32>, %v2: index, %v3: i1) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %v4 = arith.constant 1 : index
  %v5 = tensor.cast %v1 : tensor<1xi32> to tensor<?xi32>
  %v6 = tensor.insert_slice %v5 into %v1[0] [%v4] [1] : tensor<?xi32> into tensor<1xi32>
  return %v1, %v6, %v1 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}
func.func @main(%v7: tensor<f32>, %v8: i32, %v9: i32) -> (tensor<3xf32>) {
  %v10 = arith.constant false
  %v11 = arith.select %v10, %v7, %v7 : tensor<f32>
  %v12 = tensor.empty() : tensor<3xf32>
  %v13 = arith.constant 1.0 : f32
  %v14 = linalg.fill ins(%v13 : f32) outs(%v12 : tensor<3xf32>) -> tensor<3xf32>
  %v15 = linalg.broadcast ins(%v11 : tensor<f32>) outs(%v14 : tensor<3xf32>) dimensions = [0]
  return %v15 : tensor<3xf32>
}
// =>
module {
  func.func private @g0(%arg0: memref<1xi32, strided<[?], offset: ?>>, %arg1: index, %arg2: i1) -> memref<1xi32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1xi32>
    memref.copy %arg0, %alloc : memref<1xi32, strided<[?], offset: ?>> to memref<1xi32>
    return %alloc : memref<1xi32>
  }
  func.func @main(%arg0: memref<f32, strided<[], offset: ?>>, %arg1: i32, %arg2: i32) -> memref<3xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<3xf32>)
    linalg.broadcast ins(%arg0 : memref<f32, strided<[], offset: ?>>) outs(%alloc : memref<3xf32>) dimensions = [0] 
    return %alloc : memref<3xf32>
  }
}
// -----
// ownership-simplify/ac5c5528a7
#map0 = affine_map<(d0) -> (d0 floordiv 4)>
#map1 = affine_map<(d0) -> (d0 floordiv 4 + 4)>
#map2 = affine_map<(d0) -> (4 * (d0 floordiv 4)  + d0 mod 4)>

func.func @test_floordiv_bound() {
  %0 = memref.alloc() : memref<1027 x f32>
  %1 = memref.alloc() : memref<1026 x f32>
  %2 = memref.alloc() : memref<4096 x f32>
  %N = arith.constant 2048 : index
  affine.for %i0 = 0 to 4096 {
    affine.for %i1 = #map0(%i0) to #map1(%i0) {
      affine.load %0[%i1] : memref<1027 x f32>
      affine.load %1[%i1] : memref<1026 x f32>
    }
    affine.for %i2 = 0 to #map2(%N) {
      %v = affine.load %2[%i2] : memref<4096 x f32>
    }
  }
  return
}
// =>
module {
  func.func @test_floordiv_bound() {
    return
  }
}
// -----
// partial-func/7d26d3ebf3
func.func @dim_of_reshape_for( %arg0: tensor<*xf32>, %arg1: tensor<?xindex>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index

    %0 = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>

    %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %2 = tensor.dim %0, %arg2 : tensor<*xf32>
      %3 = arith.muli %arg3, %2 : index
      scf.yield %3 : index
    }
    return %1 : index
}
// =>
module {
  func.func @dim_of_reshape_for(%arg0: memref<*xf32>, %arg1: memref<?xindex>) -> index {
    %0 = bufferization.to_tensor %arg1 : memref<?xindex>
    %1 = bufferization.to_tensor %arg0 : memref<*xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %reshape = tensor.reshape %1(%0) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
    %2 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %c1) -> (index) {
      %dim = tensor.dim %reshape, %arg2 : tensor<*xf32>
      %3 = arith.muli %arg3, %dim : index
      scf.yield %3 : index
    }
    return %2 : index
  }
}
// -----
// full/4eb7c377e5
func.func @fill_extract_matmul_4321(
    %arg0: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false},
    %arg1: tensor<518x518xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false},
    %arg2: tensor<256x256xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = true})
  -> tensor<256x256xf32>
{
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %0 = bufferization.alloc_tensor() : tensor<256x256xf32>

  %4 = tensor.extract_slice %0[0, 0] [16, 256] [1, 1] : tensor<256x256xf32> to tensor<16x256xf32>
  %3 = tensor.extract_slice %0[0, 0] [256, 16] [1, 1] : tensor<256x256xf32> to tensor<256x16xf32>
  %2 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<16x256xf32>) -> tensor<16x256xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%3 : tensor<256x16xf32>) -> tensor<256x16xf32>
  %5 = linalg.matmul ins(%1, %2 : tensor<256x16xf32>, tensor<16x256xf32>) outs(%arg2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %5 : tensor<256x256xf32>
}
// =>
module {
  func.func @fill_extract_matmul_4321(%arg0: memref<518x518xf32>, %arg1: memref<518x518xf32>, %arg2: memref<256x256xf32>) -> memref<256x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<16x256xf32>
    %subview = memref.subview %alloc[0, 0] [256, 16] [1, 1] : memref<256x256xf32> to memref<256x16xf32, strided<[256, 1]>>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<16x256xf32>)
    linalg.fill ins(%cst : f32) outs(%subview : memref<256x16xf32, strided<[256, 1]>>)
    linalg.matmul ins(%subview, %alloc_1 : memref<256x16xf32, strided<[256, 1]>>, memref<16x256xf32>) outs(%arg2 : memref<256x256xf32>)
    %0 = bufferization.clone %arg2 : memref<256x256xf32> to memref<256x256xf32>
    memref.dealloc %alloc : memref<256x256xf32>
    memref.dealloc %alloc_1 : memref<16x256xf32>
    return %0 : memref<256x256xf32>
  }
}
// -----
// cse/e1c95363a3
func.func @redundantOperations(%arg0: memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  test.buffer_based in(%arg0: memref<2xf32>) out(%0: memref<2xf32>)
  %1 = memref.alloc() : memref<2xf32>
  test.buffer_based in(%0: memref<2xf32>) out(%1: memref<2xf32>)
  return
}
// =>
module {
  func.func @redundantOperations(%arg0: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    test.buffer_based in(%arg0 : memref<2xf32>) out(%alloc : memref<2xf32>)
    %alloc_0 = memref.alloc() : memref<2xf32>
    test.buffer_based in(%alloc : memref<2xf32>) out(%alloc_0 : memref<2xf32>)
    return
  }
}
// -----
// canonicalize/61e9465e78
func.func @copy_of_cast(%m1: memref<?xf32>, %m2: memref<*xf32>) {
  %casted1 = memref.cast %m1 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %casted2 = memref.cast %m2 : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.copy %casted1, %casted2 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return
}
// =>
module {
  func.func @copy_of_cast(%arg0: memref<?xf32>, %arg1: memref<*xf32>) {
    %cast = memref.cast %arg1 : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
    memref.copy %arg0, %cast : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    return
  }
}
