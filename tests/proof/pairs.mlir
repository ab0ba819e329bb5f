// canonicalize
func.func @scopeMerge3() {
  %cnt = "test.count"() : () -> index
  "test.region"() ({
    memref.alloca_scope {
      %a = memref.alloca(%cnt) : memref<?xi64>
      "test.use"(%a) : (memref<?xi64>) -> ()
    }
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}
// =>
module {
  func.func @scopeMerge3() {
    %0 = "test.count"() : () -> index
    %alloca = memref.alloca(%0) : memref<?xi64>
    "test.region"() ({
      memref.alloca_scope  {
        "test.use"(%alloca) : (memref<?xi64>) -> ()
      }
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
}
// -----
// dealloc-pipeline
func.func @dim_of_memref_reshape_block_arg_index(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) -> index {
  %reshape = memref.reshape %arg0(%arg1) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %dim = memref.dim %reshape, %arg2 : memref<*xf32>
  return %dim : index
}
// =>
module {
  func.func @dim_of_memref_reshape_block_arg_index(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) -> index {
    %0 = memref.load %arg1[%arg2] : memref<?xindex>
    return %0 : index
  }
}
// -----
// canonicalize
func.func @nested_regions_and_cond_branch(
  %arg0: i1,
  %arg1: memref<2xf32>,
  %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  test.region_buffer_based in(%arg1: memref<2xf32>) out(%0: memref<2xf32>) {
  ^bb0(%gen1_arg0: f32, %gen1_arg1: f32):
    %1 = memref.alloc() : memref<2xf32>
    test.buffer_based in(%arg1: memref<2xf32>) out(%1: memref<2xf32>)
    %tmp1 = math.exp %gen1_arg0 : f32
    test.region_yield %tmp1 : f32
  }
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  test.copy(%1, %arg2) : (memref<2xf32>, memref<2xf32>)
  return
}
// =>
module {
  func.func @nested_regions_and_cond_branch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
    cf.cond_br %arg0, ^bb2(%arg1 : memref<2xf32>), ^bb1
  ^bb1:  // pred: ^bb0
    %alloc = memref.alloc() : memref<2xf32>
    test.region_buffer_based in(%arg1 : memref<2xf32>) out(%alloc : memref<2xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %alloc_0 = memref.alloc() : memref<2xf32>
      test.buffer_based in(%arg1 : memref<2xf32>) out(%alloc_0 : memref<2xf32>)
      %1 = math.exp %arg3 : f32
      test.region_yield %1 : f32
    }
    cf.br ^bb2(%alloc : memref<2xf32>)
  ^bb2(%0: memref<2xf32>):  // 2 preds: ^bb0, ^bb1
    test.copy(%0, %arg2) : (memref<2xf32>, memref<2xf32>)
    return
  }
}
// -----
// canonicalize
func.func @clone_multiple_dealloc_of_clone(%arg0: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
  "use"(%0) : (memref<?xf32>) -> ()
  "if_else"() ({
    memref.dealloc %0 : memref<?xf32>
    }, {
    memref.dealloc %0 : memref<?xf32>
    }) : () -> ()
  return %arg0 : memref<?xf32>
}
// =>
module {
  func.func @clone_multiple_dealloc_of_clone(%arg0: memref<?xf32>) -> memref<?xf32> {
    %0 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
    "use"(%0) : (memref<?xf32>) -> ()
    "if_else"() ({
      memref.dealloc %0 : memref<?xf32>
    }, {
      memref.dealloc %0 : memref<?xf32>
    }) : () -> ()
    return %arg0 : memref<?xf32>
  }
}
// -----
// full
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
// canonicalize
module {
  func.func @gemm_do_register_tiling(%arg0: memref<16x32x16x32xf32>, %arg1: memref<32x32x32x32xf32>, %arg2: memref<16x32x16x32xf32>) {
    scf.forall (%arg3, %arg4) in (16, 32) {
      %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 32, 16, 32] [1, 1, 1, 1] : memref<16x32x16x32xf32> to memref<32x16x32xf32, strided<[512, 32, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 32, 32, 32] [1, 1, 1, 1] : memref<32x32x32x32xf32> to memref<32x32x32xf32, strided<[1024, 32, 1], offset: ?>>
      %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1] : memref<16x32x16x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
      linalg.batch_reduce_matmul ins(%subview, %subview_0 : memref<32x16x32xf32, strided<[512, 32, 1], offset: ?>>, memref<32x32x32xf32, strided<[1024, 32, 1], offset: ?>>) outs(%subview_1 : memref<16x32xf32, strided<[32, 1], offset: ?>>)
    }
    return
  }
}
// =>
module {
  func.func @gemm_do_register_tiling(%arg0: memref<16x32x16x32xf32>, %arg1: memref<32x32x32x32xf32>, %arg2: memref<16x32x16x32xf32>) {
    scf.forall (%arg3, %arg4) in (16, 32) {
      %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 32, 16, 32] [1, 1, 1, 1] : memref<16x32x16x32xf32> to memref<32x16x32xf32, strided<[512, 32, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 32, 32, 32] [1, 1, 1, 1] : memref<32x32x32x32xf32> to memref<32x32x32xf32, strided<[1024, 32, 1], offset: ?>>
      %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1] : memref<16x32x16x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
      linalg.batch_reduce_matmul ins(%subview, %subview_0 : memref<32x16x32xf32, strided<[512, 32, 1], offset: ?>>, memref<32x32x32xf32, strided<[1024, 32, 1], offset: ?>>) outs(%subview_1 : memref<16x32xf32, strided<[32, 1], offset: ?>>)
    }
    return
  }
}
// -----
// full
func.func @tensor.cast_from_unranked(%arg0: tensor<*xf32>) -> tensor<2xf32> {
  %0 = tensor.cast %arg0 : tensor<*xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
// =>
module {
  func.func @tensor.cast_from_unranked(%arg0: memref<*xf32>) -> memref<*xf32> {
    %0 = bufferization.clone %arg0 : memref<*xf32> to memref<*xf32>
    return %0 : memref<*xf32>
  }
}
// -----
// canonicalize
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
// -----
// full
func.func @some_use(%A : tensor<?xf32> {bufferization.writable = true},
                    %v : vector<5xf32>) -> (tensor<?xf32>) {
  %idx = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%idx] : vector<5xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}


func.func @main_func(%A : tensor<?xf32> {bufferization.writable = true},
                     %v : vector<5xf32>) -> (tensor<?xf32>) {
  %0 = call @some_use(%A, %v) : (tensor<?xf32>, vector<5xf32>) -> (tensor<?xf32>)
  return %0 : tensor<?xf32>
}
// =>
module {
  func.func @some_use(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: vector<5xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
    %c0 = arith.constant 0 : index
    vector.transfer_write %arg1, %arg0[%c0] : vector<5xf32>, memref<?xf32, strided<[?], offset: ?>>
    %0 = bufferization.clone %arg0 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
    return %0 : memref<?xf32, strided<[?], offset: ?>>
  }
  func.func @main_func(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: vector<5xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
    %0 = call @some_use(%arg0, %arg1) : (memref<?xf32, strided<[?], offset: ?>>, vector<5xf32>) -> memref<?xf32, strided<[?], offset: ?>>
    return %0 : memref<?xf32, strided<[?], offset: ?>>
  }
}
// -----
// dealloc-pipeline
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
// oneshot
func.func @tensor.collapse_shape_to_scalar(%t1: tensor<1x1x1xf32>) -> tensor<f32> {
  %0 = tensor.collapse_shape %t1 []
      : tensor<1x1x1xf32> into tensor<f32>

  return %0 : tensor<f32>
}
// =>
module {
  func.func @tensor.collapse_shape_to_scalar(%arg0: memref<1x1x1xf32, strided<[?, ?, ?], offset: ?>>) -> memref<f32, strided<[], offset: ?>> {
    %collapse_shape = memref.collapse_shape %arg0 [] : memref<1x1x1xf32, strided<[?, ?, ?], offset: ?>> into memref<f32, strided<[], offset: ?>>
    return %collapse_shape : memref<f32, strided<[], offset: ?>>
  }
}
// -----
// canonicalize
func.func @tensor.generate_unknown_ops_in_body(%arg0: index) -> tensor<?xindex> {
  %tensor = tensor.generate %arg0 {
  ^bb0(%iv: index):
    %0 = "test.source"() : () -> index
    tensor.yield %0 : index
  } : tensor<?xindex>
  return %tensor : tensor<?xindex>
}
// =>
module {
  func.func @tensor.generate_unknown_ops_in_body(%arg0: index) -> tensor<?xindex> {
    %generated = tensor.generate %arg0 {
    ^bb0(%arg1: index):
      %0 = "test.source"() : () -> index
      tensor.yield %0 : index
    } : tensor<?xindex>
    return %generated : tensor<?xindex>
  }
}
// -----
// dealloc-pipeline
func.func @loop_nested_alloc(
  %lb: index,
  %ub: index,
  %step: index,
  %buf: memref<2xf32>,
  %res: memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  %1 = scf.for %i = %lb to %ub step %step
    iter_args(%iterBuf = %buf) -> memref<2xf32> {
    %2 = scf.for %i2 = %lb to %ub step %step
      iter_args(%iterBuf2 = %iterBuf) -> memref<2xf32> {
      %3 = scf.for %i3 = %lb to %ub step %step
        iter_args(%iterBuf3 = %iterBuf2) -> memref<2xf32> {
        %4 = memref.alloc() : memref<2xf32>
        %5 = arith.cmpi eq, %i, %ub : index
        %6 = scf.if %5 -> (memref<2xf32>) {
          %7 = memref.alloc() : memref<2xf32>
          scf.yield %7 : memref<2xf32>
        } else {
          scf.yield %iterBuf3 : memref<2xf32>
        }
        scf.yield %6 : memref<2xf32>
      }
      scf.yield %3 : memref<2xf32>
    }
    scf.yield %2 : memref<2xf32>
  }
  test.copy(%1, %res) : (memref<2xf32>, memref<2xf32>)
  return
}
// =>
module {
  func.func @loop_nested_alloc(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<2xf32>, %arg4: memref<2xf32>) {
    %false = arith.constant false
    %0:2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3, %arg7 = %false) -> (memref<2xf32>, i1) {
      %1:2 = scf.for %arg8 = %arg0 to %arg1 step %arg2 iter_args(%arg9 = %arg6, %arg10 = %false) -> (memref<2xf32>, i1) {
        %7:2 = scf.for %arg11 = %arg0 to %arg1 step %arg2 iter_args(%arg12 = %arg9, %arg13 = %false) -> (memref<2xf32>, i1) {
          %13 = arith.cmpi eq, %arg5, %arg1 : index
          %14 = scf.if %13 -> (memref<2xf32>) {
            %alloc = memref.alloc() : memref<2xf32>
            scf.yield %alloc : memref<2xf32>
          } else {
            scf.yield %arg12 : memref<2xf32>
          }
          %base_buffer_11, %offset_12, %sizes_13, %strides_14 = memref.extract_strided_metadata %arg12 : memref<2xf32> -> memref<f32>, index, index, index
          %intptr_15 = memref.extract_aligned_pointer_as_index %base_buffer_11 : memref<f32> -> index
          %intptr_16 = memref.extract_aligned_pointer_as_index %14 : memref<2xf32> -> index
          %15 = arith.cmpi ne, %intptr_15, %intptr_16 : index
          %16 = arith.andi %15, %arg13 : i1
          scf.if %16 {
            memref.dealloc %base_buffer_11 : memref<f32>
          }
          %17 = arith.cmpi eq, %intptr_15, %intptr_16 : index
          %18 = arith.andi %17, %arg13 : i1
          %19 = arith.ori %18, %13 : i1
          scf.yield %14, %19 : memref<2xf32>, i1
        }
        %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg9 : memref<2xf32> -> memref<f32>, index, index, index
        %intptr_9 = memref.extract_aligned_pointer_as_index %base_buffer_5 : memref<f32> -> index
        %intptr_10 = memref.extract_aligned_pointer_as_index %7#0 : memref<2xf32> -> index
        %8 = arith.cmpi ne, %intptr_9, %intptr_10 : index
        %9 = arith.andi %8, %arg10 : i1
        scf.if %9 {
          memref.dealloc %base_buffer_5 : memref<f32>
        }
        %10 = arith.cmpi eq, %intptr_9, %intptr_10 : index
        %11 = arith.andi %10, %arg10 : i1
        %12 = arith.ori %11, %7#1 : i1
        scf.yield %7#0, %12 : memref<2xf32>, i1
      }
      %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %arg6 : memref<2xf32> -> memref<f32>, index, index, index
      %intptr = memref.extract_aligned_pointer_as_index %base_buffer_0 : memref<f32> -> index
      %intptr_4 = memref.extract_aligned_pointer_as_index %1#0 : memref<2xf32> -> index
      %2 = arith.cmpi ne, %intptr, %intptr_4 : index
      %3 = arith.andi %2, %arg7 : i1
      scf.if %3 {
        memref.dealloc %base_buffer_0 : memref<f32>
      }
      %4 = arith.cmpi eq, %intptr, %intptr_4 : index
      %5 = arith.andi %4, %arg7 : i1
      %6 = arith.ori %5, %1#1 : i1
      scf.yield %1#0, %6 : memref<2xf32>, i1
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
// full
func.func @fold_reshape_constant_splat(%shape : tensor<1xi32>) -> tensor<4xf32> {
  %cst = arith.constant dense<1.000000e-01> : tensor<4x1xf32>
  %0 = tensor.reshape %cst(%shape)
             : (tensor<4x1xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// =>
module {
  memref.global "private" constant @__constant_4x1xf32 : memref<4x1xf32> = dense<1.000000e-01> {alignment = 64 : i64}
  func.func @fold_reshape_constant_splat(%arg0: memref<1xi32, strided<[?], offset: ?>>) -> memref<4xf32> {
    %0 = memref.get_global @__constant_4x1xf32 : memref<4x1xf32>
    %reshape = memref.reshape %0(%arg0) : (memref<4x1xf32>, memref<1xi32, strided<[?], offset: ?>>) -> memref<4xf32>
    %1 = bufferization.clone %reshape : memref<4xf32> to memref<4xf32>
    return %1 : memref<4xf32>
  }
}
// -----
// full
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
    return %0 : memref<*xf32>
  }
  func.func private @relu_unranked(memref<*xf32>) -> memref<*xf32>
}
// -----
// canonicalize
func.func @write_to_alloc_tensor_or_readonly_tensor(%arg0: tensor<i32>,
                                                    %cond: i1, %val: i32)
  -> tensor<i32>
{
  %3 = scf.if %cond -> (tensor<i32>) {
    scf.yield %arg0 : tensor<i32>
  } else {
    %7 = bufferization.alloc_tensor() : tensor<i32>
    %8 = tensor.insert %val into %7[] : tensor<i32>
    scf.yield %8 : tensor<i32>
  }
  return %3 : tensor<i32>
}
// =>
module {
  func.func @write_to_alloc_tensor_or_readonly_tensor(%arg0: tensor<i32>, %arg1: i1, %arg2: i32) -> tensor<i32> {
    %0 = scf.if %arg1 -> (tensor<i32>) {
      scf.yield %arg0 : tensor<i32>
    } else {
      %1 = bufferization.alloc_tensor() : tensor<i32>
      %inserted = tensor.insert %arg2 into %1[] : tensor<i32>
      scf.yield %inserted : tensor<i32>
    }
    return %0 : tensor<i32>
  }
}
// -----
// canonicalize
memref.global "private" constant @__constant_2048x512xf32 : memref<2048x512xf32> = dense<0.00332225906> {alignment = 128 : i64}

func.func @conv2d_1x1(%arg0: memref<1x7x7x2048xf32>) -> memref<1x7x7x512xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = memref.get_global @__constant_2048x512xf32 : memref<2048x512xf32>

  %alloc = memref.alloc() {alignment = 128 : i64} : memref<1x7x7x512xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<1x7x7x512xf32>)
  scf.for %arg1 = %c0 to %c7 step %c1 {
    %subview = memref.subview %arg0[0, %arg1, 0, 0] [1, 1, 7, 2048] [1, 1, 1, 1] : memref<1x7x7x2048xf32> to memref<7x2048xf32, strided<[2048, 1], offset: ?>>
    %subview_0 = memref.subview %alloc[0, %arg1, 0, 0] [1, 1, 7, 512] [1, 1, 1, 1] : memref<1x7x7x512xf32> to memref<7x512xf32, strided<[512, 1], offset: ?>>
    linalg.matmul ins(%subview, %0 : memref<7x2048xf32, strided<[2048, 1], offset: ?>>,
                                     memref<2048x512xf32>)
                  outs(%subview_0 : memref<7x512xf32, strided<[512, 1], offset: ?>>)
  }

  return %alloc : memref<1x7x7x512xf32>
}
// =>
module {
  memref.global "private" constant @__constant_2048x512xf32 : memref<2048x512xf32> = dense<0.00332225906> {alignment = 128 : i64}
  func.func @conv2d_1x1(%arg0: memref<1x7x7x2048xf32>) -> memref<1x7x7x512xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c7 = arith.constant 7 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = memref.get_global @__constant_2048x512xf32 : memref<2048x512xf32>
    %alloc = memref.alloc() {alignment = 128 : i64} : memref<1x7x7x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<1x7x7x512xf32>)
    scf.for %arg1 = %c0 to %c7 step %c1 {
      %subview = memref.subview %arg0[0, %arg1, 0, 0] [1, 1, 7, 2048] [1, 1, 1, 1] : memref<1x7x7x2048xf32> to memref<7x2048xf32, strided<[2048, 1], offset: ?>>
      %subview_0 = memref.subview %alloc[0, %arg1, 0, 0] [1, 1, 7, 512] [1, 1, 1, 1] : memref<1x7x7x512xf32> to memref<7x512xf32, strided<[512, 1], offset: ?>>
      linalg.matmul ins(%subview, %0 : memref<7x2048xf32, strided<[2048, 1], offset: ?>>, memref<2048x512xf32>) outs(%subview_0 : memref<7x512xf32, strided<[512, 1], offset: ?>>)
    }
    return %alloc : memref<1x7x7x512xf32>
  }
}
// -----
// canonicalize
func.func @no_fold_contiguous_scatter_tensor(%base: tensor<16xf32>,
                                          %mask: vector<16xi1>,
                                          %value: vector<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %indices = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
  %0 = vector.scatter %base[%c0] [%indices], %mask, %value
      : tensor<16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// =>
module {
  func.func @no_fold_contiguous_scatter_tensor(%arg0: tensor<16xf32>, %arg1: vector<16xi1>, %arg2: vector<16xf32>) -> tensor<16xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
    %0 = vector.scatter %arg0[%c0] [%cst], %arg1, %arg2 : tensor<16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}
// -----
// canonicalize
func.func @reinterpret_of_extract_strided_metadata_w_different_offset(%arg0 : memref<8x2xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<8x2xf32> -> memref<f32>, index, index, index, index, index
  %m2 = memref.reinterpret_cast %base to offset: [1], sizes: [%sizes#0, %sizes#1], strides: [%strides#0, %strides#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %m2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
// =>
module {
  func.func @reinterpret_of_extract_strided_metadata_w_different_offset(%arg0: memref<8x2xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [1], sizes: [8, 2], strides: [2, 1] : memref<8x2xf32> to memref<8x2xf32, strided<[2, 1], offset: 1>>
    %cast = memref.cast %reinterpret_cast : memref<8x2xf32, strided<[2, 1], offset: 1>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %cast : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// canonicalize
#map_not_tiled0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 - d1, d3 - d2)>


func.func @test_norm_dynamic_not_tiled0(%arg0 : memref<1x?x?x14xf32, #map_not_tiled0>) -> () {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = memref.dim %arg0, %c1 :memref<1x?x?x14xf32, #map_not_tiled0>
    %1 = memref.dim %arg0, %c2 :memref<1x?x?x14xf32, #map_not_tiled0>
    %2 = memref.alloc(%0, %1) : memref<1x?x?x14xf32, #map_not_tiled0>
    "test.op_norm"(%arg0, %2) : (memref<1x?x?x14xf32, #map_not_tiled0>, memref<1x?x?x14xf32, #map_not_tiled0>) -> ()
    memref.dealloc %2 :  memref<1x?x?x14xf32, #map_not_tiled0>
    return
}
// =>
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 - d1, d3 - d2)>
module {
  func.func @test_norm_dynamic_not_tiled0(%arg0: memref<1x?x?x14xf32, #map>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c1 : memref<1x?x?x14xf32, #map>
    %dim_0 = memref.dim %arg0, %c2 : memref<1x?x?x14xf32, #map>
    %alloc = memref.alloc(%dim, %dim_0) : memref<1x?x?x14xf32, #map>
    "test.op_norm"(%arg0, %alloc) : (memref<1x?x?x14xf32, #map>, memref<1x?x?x14xf32, #map>) -> ()
    memref.dealloc %alloc : memref<1x?x?x14xf32, #map>
    return
  }
}
// -----
// full
func.func @fusion_different_axes(%arg0 : tensor<5000xi64>, %arg1 : tensor<5000xi32>) -> tensor<5000xi32> {
  %c1_i32 = arith.constant 1 : i32
  %0 = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}
        outs(%arg0 : tensor<5000xi64>) {
        ^bb0(%arg3: i64):  // no predecessors
          %22 = linalg.index 0 : index
          %23 = arith.index_cast %22 : index to i64
          linalg.yield %23 : i64
        } -> tensor<5000xi64>
  %1 = tensor.empty() : tensor<5000xi32>
  %2 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<5000xi64>) outs(%1 : tensor<5000xi32>) {
        ^bb0(%arg3: i64, %arg5: i32):  // no predecessors
          %22 = arith.index_cast %arg3 : i64 to index
          %23 = tensor.extract %arg1[%22] : tensor<5000xi32>
          linalg.yield %23 : i32
        } -> tensor<5000xi32>
  return %2 : tensor<5000xi32>
}
// =>
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @fusion_different_axes(%arg0: memref<5000xi64, strided<[?], offset: ?>>, %arg1: memref<5000xi32, strided<[?], offset: ?>>) -> memref<5000xi32> {
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%arg0 : memref<5000xi64, strided<[?], offset: ?>>) {
    ^bb0(%out: i64):
      %0 = linalg.index 0 : index
      %1 = arith.index_cast %0 : index to i64
      linalg.yield %1 : i64
    }
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<5000xi32>
    linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<5000xi64, strided<[?], offset: ?>>) outs(%alloc : memref<5000xi32>) {
    ^bb0(%in: i64, %out: i32):
      %0 = arith.index_cast %in : i64 to index
      %1 = memref.load %arg1[%0] : memref<5000xi32, strided<[?], offset: ?>>
      linalg.yield %1 : i32
    }
    return %alloc : memref<5000xi32>
  }
}
// -----
// oneshot
#map0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
func.func @drop_only_the_cycles_not_used_by_others(%arg0 : tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %init0 = tensor.empty(%d0, %d1, %d2) : tensor<?x?x?xf32>
  %0:3 = linalg.generic {
      indexing_maps = [#map0, #map1, #map2, #map3],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg0 : tensor<?x?x?xf32>)
      outs(%arg0, %init0, %init0
          : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
    ^bb0(%b0 : f32, %b1 : f32, %b2 : f32, %b3 : f32) :
      %1 = arith.addf %b1, %b2: f32
      %2 = arith.addf %b1, %b3 : f32
      linalg.yield %1, %b1, %2 : f32, f32, f32
    } -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  return %0#0 : tensor<?x?x?xf32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
module {
  func.func @drop_only_the_cycles_not_used_by_others(%arg0: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) -> memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
    %c2 = arith.constant 2 : index
    %dim_1 = memref.dim %arg0, %c2 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0, %dim_1) {alignment = 64 : i64} : memref<?x?x?xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) outs(%arg0, %alloc, %alloc : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, memref<?x?x?xf32>, memref<?x?x?xf32>) {
    ^bb0(%in: f32, %out: f32, %out_2: f32, %out_3: f32):
      %0 = arith.addf %out, %out_2 : f32
      %1 = arith.addf %out, %out_3 : f32
      linalg.yield %0, %out, %1 : f32, f32, f32
    }
    return %arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  }
}
// -----
// canonicalize
func.func @scopeMerge() {
  memref.alloca_scope {
    %cnt = "test.count"() : () -> index
    %a = memref.alloca(%cnt) : memref<?xi64>
    "test.use"(%a) : (memref<?xi64>) -> ()
  }
  return
}

func.func @scopeMerge2() {
  "test.region"() ({
    memref.alloca_scope {
      %cnt = "test.count"() : () -> index
      %a = memref.alloca(%cnt) : memref<?xi64>
      "test.use"(%a) : (memref<?xi64>) -> ()
    }
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}


func.func @scopeMerge3() {
  %cnt = "test.count"() : () -> index
  "test.region"() ({
    memref.alloca_scope {
      %a = memref.alloca(%cnt) : memref<?xi64>
      "test.use"(%a) : (memref<?xi64>) -> ()
    }
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}


func.func @scopeMerge4() {
  %cnt = "test.count"() : () -> index
  "test.region"() ({
    memref.alloca_scope {
      %a = memref.alloca(%cnt) : memref<?xi64>
      "test.use"(%a) : (memref<?xi64>) -> ()
    }
    "test.op"() : () -> ()
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}


func.func @scopeMerge5() {
  "test.region"() ({
    memref.alloca_scope {
      affine.parallel (%arg) = (0) to (64) {
        %a = memref.alloca(%arg) : memref<?xi64>
        "test.use"(%a) : (memref<?xi64>) -> ()
      }
    }
    "test.op"() : () -> ()
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}


func.func @scopeInline(%arg : memref<index>) {
  %cnt = "test.count"() : () -> index
  "test.region"() ({
    memref.alloca_scope {
      memref.store %cnt, %arg[] : memref<index>
    }
    "test.terminator"() : () -> ()
  }) : () -> ()
  return
}
// =>
module {
  func.func @scopeMerge() {
    %0 = "test.count"() : () -> index
    %alloca = memref.alloca(%0) : memref<?xi64>
    "test.use"(%alloca) : (memref<?xi64>) -> ()
    return
  }
  func.func @scopeMerge2() {
    "test.region"() ({
      memref.alloca_scope  {
        %0 = "test.count"() : () -> index
        %alloca = memref.alloca(%0) : memref<?xi64>
        "test.use"(%alloca) : (memref<?xi64>) -> ()
      }
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
  func.func @scopeMerge3() {
    %0 = "test.count"() : () -> index
    %alloca = memref.alloca(%0) : memref<?xi64>
    "test.region"() ({
      memref.alloca_scope  {
        "test.use"(%alloca) : (memref<?xi64>) -> ()
      }
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
  func.func @scopeMerge4() {
    %0 = "test.count"() : () -> index
    "test.region"() ({
      memref.alloca_scope  {
        %alloca = memref.alloca(%0) : memref<?xi64>
        "test.use"(%alloca) : (memref<?xi64>) -> ()
      }
      "test.op"() : () -> ()
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
  func.func @scopeMerge5() {
    "test.region"() ({
      affine.parallel (%arg0) = (0) to (64) {
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        "test.use"(%alloca) : (memref<?xi64>) -> ()
      }
      "test.op"() : () -> ()
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
  func.func @scopeInline(%arg0: memref<index>) {
    %0 = "test.count"() : () -> index
    "test.region"() ({
      memref.store %0, %arg0[] : memref<index>
      "test.terminator"() : () -> ()
    }) : () -> ()
    return
  }
}
// -----
// canonicalize
func.func @invariant_loop_args_in_same_order(%f_arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %cst_0 = arith.constant dense<0> : tensor<i32>
  %cst_1 = arith.constant dense<1> : tensor<i32>
  %cst_42 = arith.constant dense<42> : tensor<i32>

  %0:5 = scf.while (%arg0 = %cst_0, %arg1 = %f_arg0, %arg2 = %cst_1, %arg3 = %cst_1, %arg4 = %cst_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %1 = arith.cmpi slt, %arg0, %cst_42 : tensor<i32>
    %2 = tensor.extract %1[] : tensor<i1>
    scf.condition(%2) %arg0, %arg1, %arg2, %arg3, %arg4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  } do {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>): // no predecessors
    %1 = arith.addi %arg0, %arg1 : tensor<i32>
    %2 = arith.addi %arg2, %arg3 : tensor<i32>
    scf.yield %1, %arg1, %2, %2, %arg4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

func.func @while_loop_invariant_argument_different_order(%arg : tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %cst_0 = arith.constant dense<0> : tensor<i32>
  %cst_1 = arith.constant dense<1> : tensor<i32>
  %cst_42 = arith.constant dense<42> : tensor<i32>

  %0:6 = scf.while (%arg0 = %cst_0, %arg1 = %cst_1, %arg2 = %cst_1, %arg3 = %cst_1, %arg4 = %cst_0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %1 = arith.cmpi slt, %arg0, %arg : tensor<i32>
    %2 = tensor.extract %1[] : tensor<i1>
    scf.condition(%2) %arg1, %arg0, %arg2, %arg0, %arg3, %arg4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  } do {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>): // no predecessors
    %1 = arith.addi %arg0, %cst_1 : tensor<i32>
    %2 = arith.addi %arg2, %arg3 : tensor<i32>
    scf.yield %arg3, %arg1, %2, %2, %arg4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
// =>
module {
  func.func @invariant_loop_args_in_same_order(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %cst_1 = arith.constant dense<42> : tensor<i32>
    %0:2 = scf.while (%arg1 = %cst, %arg2 = %cst_0) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      %1 = arith.cmpi slt, %arg1, %cst_1 : tensor<i32>
      %extracted = tensor.extract %1[] : tensor<i1>
      scf.condition(%extracted) %arg1, %arg2 : tensor<i32>, tensor<i32>
    } do {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = arith.addi %arg1, %arg0 : tensor<i32>
      %2 = arith.addi %arg2, %arg2 : tensor<i32>
      scf.yield %1, %2 : tensor<i32>, tensor<i32>
    }
    return %0#0, %arg0, %0#1, %0#1, %cst : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  func.func @while_loop_invariant_argument_different_order(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %0:2 = scf.while (%arg1 = %cst_0, %arg2 = %cst) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      %1 = arith.cmpi sgt, %arg0, %cst : tensor<i32>
      %extracted = tensor.extract %1[] : tensor<i1>
      scf.condition(%extracted) %arg1, %arg2 : tensor<i32>, tensor<i32>
    } do {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      scf.yield %cst, %cst_0 : tensor<i32>, tensor<i32>
    }
    return %0#0, %cst, %cst_0, %cst, %cst_0, %0#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}
// -----
// full
func.func @empty_tensor_dynamic_dim(%arg0 : index) -> (index) {
  %c2 = arith.constant 2 : index
  %0 = tensor.empty(%arg0) : tensor<4x5x?xf32>
  %1 = tensor.dim %0, %c2 : tensor<4x5x?xf32>
  return %1 : index
}
// =>
module {
  func.func @empty_tensor_dynamic_dim(%arg0: index) -> index {
    return %arg0 : index
  }
}
// -----
// declared: the result is owned
func.func private @g() -> (memref<4xf32> {bufferization.owned = true})
func.func @f(%i: index) -> f32 {
  %m = call @g() : () -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @g() -> (memref<4xf32> {bufferization.owned = true})
func.func @f(%i: index) -> f32 {
  %m = call @g() : () -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}
// -----
// declared: nothing is said about who owns the result
func.func private @g(memref<4xf32>) -> memref<4xf32>
func.func @f(%a: memref<4xf32>, %i: index) -> f32 {
  %m = call @g(%a) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @g(memref<4xf32>) -> memref<4xf32>
func.func @f(%a: memref<4xf32>, %i: index) -> f32 {
  %m = call @g(%a) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}
// -----
// declared: the argument is only read
func.func private @g(tensor<4xf32> {bufferization.access = "read"})
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  call @g(%t) : (tensor<4xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}
// =>
func.func private @g(memref<4xf32> {bufferization.access = "read"})
func.func @f(%t: memref<4xf32>, %i: index) -> f32 {
  call @g(%t) : (memref<4xf32>) -> ()
  %x = memref.load %t[%i] : memref<4xf32>
  return %x : f32
}
// -----
// declared: the argument is not accessed, and its contents are not there yet
func.func private @g(tensor<4xf32> {bufferization.access = "none"}) -> f32
func.func @f(%f: f32) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %x = call @g(%t) : (tensor<4xf32>) -> f32
  return %x : f32
}
// =>
func.func private @g(memref<4xf32> {bufferization.access = "none"}) -> f32
func.func @f(%f: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %x = call @g(%m) : (memref<4xf32>) -> f32
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}
// -----
// declared: the argument is overwritten, so what was in it does not matter
func.func private @g(tensor<4xf32> {bufferization.access = "write"}) -> tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %r = call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}
// =>
func.func private @g(memref<4xf32> {bufferization.access = "write"}) -> memref<4xf32>
func.func @f(%t: memref<4xf32>, %i: index) -> f32 {
  %r = call @g(%t) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  return %x : f32
}
// -----
// operations of the module: a constant is somewhere else
"test.region"() ({
  %c = arith.constant 1 : index
  %d = arith.addi %c, %c : index
  "test.use"(%d) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// =>
"test.region"() ({
  %k = arith.constant 2 : index
  %c = arith.constant 1 : index
  %d = arith.addi %c, %c : index
  "test.use"(%d) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// -----
// operations of the module: another value is used
"test.region"() ({
  %c = arith.constant 1 : index
  %d = arith.constant 2 : index
  "test.use"(%d) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// =>
"test.region"() ({
  %c = arith.constant 1 : index
  %d = arith.constant 2 : index
  "test.use"(%c) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// -----
// operations of the module: results of operations with effects, and blocks
"test.region"() ({
^bb0(%a: index, %b: index):
  %x:2 = "test.make"(%a) : (index) -> (index, index)
  "test.branch"(%x#0)[^bb1, ^bb2] : (index) -> ()
^bb1:
  "test.use"(%b) : (index) -> ()
^bb2:
  "test.use"(%x#1) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// =>
"test.region"() ({
^bb0(%a: index, %b: index):
  %c = arith.constant 1 : index
  %x:2 = "test.make"(%a) : (index) -> (index, index)
  "test.branch"(%x#0)[^bb1, ^bb2] : (index) -> ()
^bb1:
  "test.use"(%b) : (index) -> ()
^bb2:
  "test.use"(%x#1) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// -----
// operations of the module: the other result, the other argument, the other block
"test.region"() ({
^bb0(%a: index, %b: index):
  %x:2 = "test.make"(%a) : (index) -> (index, index)
  "test.branch"(%x#0)[^bb1, ^bb2] : (index) -> ()
^bb1:
  "test.use"(%b) : (index) -> ()
^bb2:
  "test.use"(%x#1) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// =>
"test.region"() ({
^bb0(%a: index, %b: index):
  %x:2 = "test.make"(%a) : (index) -> (index, index)
  "test.branch"(%x#0)[^bb2, ^bb1] : (index) -> ()
^bb1:
  "test.use"(%b) : (index) -> ()
^bb2:
  "test.use"(%x#1) : (index) -> ()
}) : () -> ()
func.func @f() { return }
// -----
// constants of floats are computed as they are at run time
func.func @f() -> (f32, f32, f64, f16, f32) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant -2.25 : f32
  %c = arith.addf %a, %b : f32
  %d = arith.mulf %a, %b : f32
  %p = arith.constant 1.0e-3 : f64
  %q = arith.constant 3.0 : f64
  %r = arith.mulf %p, %q : f64
  %h = arith.constant 1.5 : f16
  %k = arith.addf %h, %h : f16
  %n = arith.constant 0x7FC00000 : f32
  %m = arith.addf %n, %a : f32
  return %c, %d, %r, %k, %m : f32, f32, f64, f16, f32
}
// =>
func.func @f() -> (f32, f32, f64, f16, f32) {
  %c = arith.constant -0.75 : f32
  %d = arith.constant -3.375 : f32
  %r = arith.constant 3.0e-3 : f64
  %k = arith.constant 3.0 : f16
  %m = arith.constant 0x7FC00000 : f32
  return %c, %d, %r, %k, %m : f32, f32, f64, f16, f32
}
// -----
// a loop of many iterations whose bounds are constants is run at once
func.func @f(%t: tensor<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> i32 {
    %x = tensor.extract %t[%i] : tensor<8xi32>
    %s = arith.addi %a, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// =>
func.func @f(%t: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%a = %z) -> i32 {
    %x = memref.load %t[%i] : memref<8xi32>
    %s = arith.addi %a, %x : i32
    %j = arith.addi %i, %c1 : index
    %y = memref.load %t[%j] : memref<8xi32>
    %u = arith.addi %s, %y : i32
    scf.yield %u : i32
  }
  return %r : i32
}
// -----
func.func @metadata_of_an_unranked_argument(%arg: memref<*xi32>) -> (index, index, index) {
  %m = memref.cast %arg : memref<*xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xi32, strided<[?, ?], offset: ?>> -> memref<i32>, index, index, index, index, index
  %u = memref.cast %m : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<*xi32>
  "test.use"(%u) : (memref<*xi32>) -> ()
  return %offset, %sizes#1, %strides#0 : index, index, index
}
// -----
func.func @view_at_any_place(%at: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<64xi8>
  %w = memref.view %m[%at][] : memref<64xi8> to memref<4xf32>
  memref.store %v, %w[%c0] : memref<4xf32>
  %x = memref.load %w[%c0] : memref<4xf32>
  return %x : f32
}
// -----
func.func @view_at_any_place_of_an_argument(%m: memref<64xi8>, %at: index) -> f32 {
  %c0 = arith.constant 0 : index
  %w = memref.view %m[%at][] : memref<64xi8> to memref<4xf32>
  %x = memref.load %w[%c0] : memref<4xf32>
  return %x : f32
}
// -----
func.func private @filled(%n: index, %v: f32) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
  return %m : memref<?xf32>
}
func.func private @twice(%m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %m[%c0] : memref<4xf32>
  return %m : memref<4xf32>
}
func.func @f(%v: f32, %w: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = call @filled(%c4, %v) : (index, f32) -> memref<?xf32>
  %b = call @filled(%c4, %w) : (index, f32) -> memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<4xf32>
  %d = call @twice(%c) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %a[%c0] : memref<?xf32>
  %y = memref.load %d[%c0] : memref<4xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}
// -----
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
// =>
func.func private @helper_of_blocks(%t: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return %t : memref<4xf32>
}
func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
  %c = arith.constant true
  %r = call @helper_of_blocks(%t, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  return %r : memref<4xf32>
}
// -----
func.func @generated_from_the_next(%t: tensor<8xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %i : index
    %k = arith.remui %j, %c1 : index
    %x = tensor.extract %t[%k] : tensor<8xf32>
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @scalable(%m: memref<?xf32>, %i: index, %p: f32) -> vector<[4]xf32> {
  %v = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<?xf32>, vector<[4]xf32>
  return %v : vector<[4]xf32>
}
// -----
func.func private @static(%t: tensor<4xf32>) -> tensor<?xf32> {
  %r = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @f(%t: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %r = call @static(%t) : (tensor<4xf32>) -> tensor<?xf32>
  %n = tensor.dim %r, %c0 : tensor<?xf32>
  return %n : index
}
// -----
func.func @unsigned_step(%m: memref<i32>, %a: i32, %b: i32, %s: i32) {
  scf.for unsigned %i = %a to %b step %s : i32 {
    memref.store %i, %m[] : memref<i32>
  }
  return
}
// -----
func.func @constants() -> (f32, f32, f32, f16, f64, f32) {
  %big = arith.constant 3.0e38 : f32
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %h = arith.constant 1.5 : f16
  %d = arith.constant 1.0e308 : f64
  %a = arith.addf %big, %big : f32
  %b = arith.divf %big, %zero : f32
  %c = arith.mulf %nan, %big : f32
  %e = arith.addf %h, %h : f16
  %f = arith.mulf %d, %d : f64
  %g = arith.subf %big, %zero : f32
  return %a, %b, %c, %e, %f, %g : f32, f32, f32, f16, f64, f32
}
// -----
func.func @idempotent(%x: i32, %y: f32) -> (i32, i32, f32, i64) {
  %a = arith.andi %x, %x : i32
  %b = arith.maxui %x, %x : i32
  %c = arith.minimumf %y, %y : f32
  %w = arith.extsi %x : i32 to i64
  %i = arith.index_cast %w : i64 to index
  %j = arith.index_cast %i : index to i64
  return %a, %b, %c, %j : i32, i32, f32, i64
}
// =>
func.func @idempotent(%x: i32, %y: f32) -> (i32, i32, f32, i64) {
  %w = arith.extsi %x : i32 to i64
  return %x, %x, %y, %w : i32, i32, f32, i64
}
// -----
func.func @by_one(%i: index) -> (index, index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 mod 1)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 1)>(%i)
  %c = affine.apply affine_map<(d0) -> (d0 ceildiv 1)>(%i)
  return %a, %b, %c : index, index, index
}
// =>
func.func @by_one(%i: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  return %c0, %i, %i : index, index, index
}
// -----
func.func @promised_product(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y overflow<nsw> : i32
  %b = arith.muli %a, %x overflow<nsw> : i32
  return %b : i32
}
// -----
func.func @promised_sums(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %a = arith.addi %x, %c2 overflow<nsw> : i32
  %b = arith.addi %a, %c3 overflow<nsw> : i32
  %c = arith.muli %x, %c3 overflow<nsw> : i32
  %d = arith.subi %b, %c overflow<nsw> : i32
  return %d : i32
}
// =>
func.func @promised_sums(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %b = arith.addi %x, %c5 overflow<nsw> : i32
  %c = arith.muli %x, %c3 overflow<nsw> : i32
  %d = arith.subi %b, %c overflow<nsw> : i32
  return %d : i32
}
// -----
func.func @metadata_of_a_choice(%c: i1, %a: memref<?xf32>, %b: memref<?xf32>) -> index {
  %m = arith.select %c, %a, %b : memref<?xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %m : memref<?xf32> -> memref<f32>, index, index, index
  return %size : index
}
// -----
func.func @unknown_gives_unranked(%m: memref<4xf32>, %i: index) -> index {
  %u = "test.unranked"(%m) : (memref<4xf32>) -> memref<*xf32>
  %n = memref.dim %u, %i : memref<*xf32>
  %r = memref.rank %u : memref<*xf32>
  %s = arith.addi %n, %r : index
  return %s : index
}
// -----
func.func @columns_written(%m: memref<3x4xf32>, %v: f32) {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %v, %t[%c2, %c1] : memref<4x3xf32, strided<[1, 4]>>
  return
}
// =>
func.func @columns_written(%m: memref<3x4xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %v, %m[%c1, %c2] : memref<3x4xf32>
  return
}
// -----
func.func @rotated(%m: memref<2x3x4xf32>, %v: f32) {
  %t = memref.transpose %m (i, j, k) -> (k, i, j) : memref<2x3x4xf32> to memref<4x2x3xf32, strided<[1, 12, 4]>>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %v, %t[%c3, %c1, %c2] : memref<4x2x3xf32, strided<[1, 12, 4]>>
  return
}
// =>
func.func @rotated(%m: memref<2x3x4xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %v, %m[%c1, %c2, %c3] : memref<2x3x4xf32>
  return
}
// -----
func.func private @even(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %p -> index {
    %k = arith.subi %n, %c1 : index
    %q = func.call @odd(%k) : (index) -> index
    scf.yield %q : index
  } else {
    scf.yield %c1 : index
  }
  return %r : index
}
func.func private @odd(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %k = arith.subi %n, %c1 : index
  %q = func.call @even(%k) : (index) -> index
  return %q : index
}
func.func private @leaf(%n: index) -> index {
  %s = arith.addi %n, %n : index
  return %s : index
}
func.func private @left(%n: index) -> index {
  %r = call @leaf(%n) : (index) -> index
  return %r : index
}
func.func private @right(%n: index) -> index {
  %r = call @leaf(%n) : (index) -> index
  %s = call @left(%r) : (index) -> index
  return %s : index
}
func.func @f(%n: index, %a: i32, %b: i32) -> (index, index, i32) {
  %r = call @right(%n) : (index) -> index
  %e = call @even(%n) : (index) -> index
  %q = arith.divsi %a, %b : i32
  return %r, %e, %q : index, index, i32
}
// -----
func.func private @writes_to_what_is_only_read(%t: tensor<4xf32> {bufferization.access = "read"}, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32> {bufferization.access = "read"}, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func private @writes_to_what_is_only_read(%t: memref<4xf32> {bufferization.access = "read"}, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<4xf32>
  return %t : memref<4xf32>
}
func.func @f(%t: memref<4xf32> {bufferization.access = "read"}, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<4xf32>
  return %t : memref<4xf32>
}
// -----
// unreachable block
func.func @f(%c: i1, %a: memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  ub.unreachable
}
// -----
// endless cycle in a loop
func.func @f(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.execute_region {
      cf.br ^l
    ^l:
      cf.br ^l
    }
  }
  return
}
// -----
// a slice of computed contents put back
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}
// =>
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %m[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.insert_slice %s into %m[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
// -----
// another slice of computed contents put back
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}
// =>
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %m[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.insert_slice %s into %m[3] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
// -----
// transposed in a loop
func.func @f(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %u = linalg.transpose ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
    scf.yield %u : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
// =>
func.func @f(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = bufferization.to_buffer %a : tensor<4x4xf32> to memref<4x4xf32>
  %x = memref.alloc() : memref<4x4xf32>
  %y = memref.alloc() : memref<4x4xf32>
  memref.copy %m, %x : memref<4x4xf32> to memref<4x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.transpose ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>) permutation = [1, 0]
    memref.copy %y, %x : memref<4x4xf32> to memref<4x4xf32>
  }
  %r = bufferization.to_tensor %x : memref<4x4xf32> to tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// -----
// an index as contents
func.func @f() -> tensor<4x3xindex> {
  %e = tensor.empty() : tensor<4x3xindex>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x3xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<4x3xindex>
  return %g : tensor<4x3xindex>
}
// -----
// elementwise of unknown rank
func.func @f(%v: tensor<*xf32>) -> tensor<*xf32> {
  %g = math.exp %v : tensor<*xf32>
  return %g : tensor<*xf32>
}
// -----
// element of a resource that the file lacks
func.func @f() -> tensor<2xi32> {
  %c = arith.constant dense_resource<bad> : tensor<2xi32>
  return %c : tensor<2xi32>
}
// -----
// not a strided layout
func.func @f(%v: memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %i: index) -> f32 {
  %u = memref.cast %v : memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>> to memref<?x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  %d = memref.load %u[%i, %i] : memref<?x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  return %d : f32
}
// -----
// reinterpreted to a scalar
func.func @f(%v: memref<4xf32>, %x: f32) -> f32 {
  %b, %o, %s, %t = memref.extract_strided_metadata %v : memref<4xf32> -> memref<f32>, index, index, index
  memref.store %x, %b[] : memref<f32>
  %c0 = arith.constant 0 : index
  %d = memref.load %v[%c0] : memref<4xf32>
  return %d : f32
}
// -----
// gathered
func.func @f(%v: tensor<4x4xf32>, %i: tensor<?x1xindex>) -> tensor<?x4xf32> {
  %g = tensor.gather %v[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}
// -----
// buffers before, tensors after
func.func @f(%v: memref<4xf32>) -> memref<4xf32> {
  return %v : memref<4xf32>
}
// =>
func.func @f(%v: tensor<4xf32>) -> tensor<4xf32> {
  return %v : tensor<4xf32>
}
// -----
// body that writes
func.func @f(%m: memref<1xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%o: f32):
    memref.store %o, %m[%c0] : memref<1xf32>
    linalg.yield %o : f32
  } -> tensor<4xf32>
  return %g : tensor<4xf32>
}
// -----
// window in a body with index
func.func @f(%a: tensor<6xf32>, %o: tensor<4x3xindex>) -> tensor<4x3xindex> {
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<6xf32>) outs(%o : tensor<4x3xindex>) {
  ^bb0(%x: f32, %y: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4x3xindex>
  return %g : tensor<4x3xindex>
}
// -----
// generated by a gather
func.func @f(%t: tensor<8xindex>, %v: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %t[%i] : tensor<8xindex>
    %y = tensor.extract %v[%x] : tensor<8xf32>
    tensor.yield %y : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}
// -----
// generated in parts
func.func @f(%v: tensor<8x4xf32>, %n: index) -> tensor<?xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %s = tensor.extract_slice %v[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %c2 = arith.constant 2 : index
    %y = tensor.extract %s[%c2] : tensor<4xf32>
    tensor.yield %y : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}
// -----
// element of computed contents at a computed place
func.func @f(%v: tensor<8xf32>, %n: index, %k: index) -> (tensor<?xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.exp ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %c7 = arith.constant 7 : index
    %j = arith.subi %c7, %i : index
    %y = tensor.extract %m[%j] : tensor<8xf32>
    %z = tensor.extract %m[%k] : tensor<8xf32>
    %s = arith.addf %y, %z : f32
    tensor.yield %s : f32
  } : tensor<?xf32>
  %x = tensor.extract %m[%k] : tensor<8xf32>
  return %g, %x : tensor<?xf32>, f32
}
// =>
func.func @f(%v: tensor<8xf32>, %n: index, %k: index) -> (tensor<?xf32>, f32) {
  %l = tensor.extract %v[%k] : tensor<8xf32>
  %z = math.exp %l : f32
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %c7 = arith.constant 7 : index
    %j = arith.subi %c7, %i : index
    %w = tensor.extract %v[%j] : tensor<8xf32>
    %y = math.exp %w : f32
    %s = arith.addf %y, %z : f32
    tensor.yield %s : f32
  } : tensor<?xf32>
  return %g, %z : tensor<?xf32>, f32
}
// -----
// transposed accumulator
func.func @f(%a: tensor<4x4x3xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x4x3xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}
// -----
// two accumulators in different orders
func.func @f(%a: tensor<4x4x3xf32>, %o: tensor<4x4xf32>, %p: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %g:2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x4x3xf32>) outs(%o, %p : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %u = arith.addf %s, %z : f32
    linalg.yield %s, %u : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %g#0, %g#1 : tensor<4x4xf32>, tensor<4x4xf32>
}
// -----
// diagonal
func.func @f(%a: tensor<4x4xf32>, %o: tensor<4xf32>, %w: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%o : tensor<4xf32>) outs(%w : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %g, %h : tensor<4xf32>, tensor<4x4xf32>
}
// -----
// reduction of a slice of a reduction
func.func @f(%a: tensor<8x6xf32>, %z: tensor<8xf32>) -> tensor<3xf32> {
  %g = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x6xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %k = linalg.index 1 : index
    %q = arith.index_cast %k : index to i32
    %r = arith.sitofp %q : i32 to f32
    %m = arith.mulf %x, %r : f32
    %s = arith.addf %y, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %s = tensor.extract_slice %g[1] [3] [2] : tensor<8xf32> to tensor<3xf32>
  return %s : tensor<3xf32>
}
// =>
func.func @f(%a: tensor<8x6xf32>, %z: tensor<8xf32>) -> tensor<3xf32> {
  %b = tensor.extract_slice %a[1, 0] [3, 6] [2, 1] : tensor<8x6xf32> to tensor<3x6xf32>
  %y = tensor.extract_slice %z[1] [3] [2] : tensor<8xf32> to tensor<3xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<3x6xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%x: f32, %w: f32):
    %k = linalg.index 1 : index
    %q = arith.index_cast %k : index to i32
    %r = arith.sitofp %q : i32 to f32
    %m = arith.mulf %x, %r : f32
    %s = arith.addf %w, %m : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %g : tensor<3xf32>
}
// -----
// folded constants of floats
func.func @f() -> (f32, f32, f64, f16) {
  %d = arith.constant 1.5 : f32
  %s = arith.addf %d, %d : f32
  %u = arith.mulf %d, %d fastmath<fast> : f32
  %e = arith.constant 1.5 : f64
  %v = arith.mulf %e, %e : f64
  %h = arith.constant 1.5 : f16
  %w = arith.mulf %h, %h : f16
  return %s, %u, %v, %w : f32, f32, f64, f16
}
// =>
func.func @f() -> (f32, f32, f64, f16) {
  %d = arith.constant 3.0 : f32
  %u = arith.constant 2.25 : f32
  %v = arith.constant 2.25 : f64
  %w = arith.constant 2.25 : f16
  return %d, %u, %v, %w : f32, f32, f64, f16
}
// -----
// constants through a loop
func.func @f(%n: index) -> (f32, bf16, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = arith.constant 1.5 : f32
  %h = arith.constant 1.5 : bf16
  %r:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %d, %y = %h, %z = %d) -> (f32, bf16, f32) {
    %s = arith.addf %x, %d : f32
    %t = arith.mulf %y, %h : bf16
    %u = arith.addf %z, %d fastmath<fast> : f32
    scf.yield %s, %t, %u : f32, bf16, f32
  }
  return %r#0, %r#1, %r#2 : f32, bf16, f32
}
// =>
func.func @f(%n: index) -> (f32, bf16, f32) {
  %d = arith.constant 1.5 : f32
  %h = arith.constant 1.5 : bf16
  %s = arith.addf %d, %d : f32
  %t = arith.mulf %h, %h : bf16
  %t2 = arith.mulf %t, %h : bf16
  %s2 = arith.addf %s, %d : f32
  %u = arith.addf %d, %d fastmath<fast> : f32
  %u2 = arith.addf %u, %d fastmath<fast> : f32
  return %s2, %t2, %u2 : f32, bf16, f32
}
// -----
// written in parallel downwards
func.func @f(%m: memref<8xf32>, %v: f32, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.subi %c1, %c1 : index
  %d = arith.subi %z, %c1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%z) to (%c8) step (%d) {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}
// -----
// written in steps in parallel
func.func @f(%m: memref<16xf32>, %v: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %s = memref.subview %m[%i] [1] [2] : memref<16xf32> to memref<1xf32, strided<[2], offset: ?>>
    memref.copy %v, %s : memref<1xf32> to memref<1xf32, strided<[2], offset: ?>>
  }
  return
}
// -----
// a reduction of buffers
func.func @f(%c: memref<f32>, %d: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%c) -> memref<f32> {
    scf.reduce(%d : memref<f32>) {
    ^bb0(%x: memref<f32>, %y: memref<f32>):
      scf.reduce.return %x : memref<f32>
    }
  }
  return
}
// -----
// promises of sums
func.func @f(%a: i32, %v: vector<4xi32>) -> (i32, vector<4xi32>) {
  %s = arith.addi %a, %a overflow<nsw> : i32
  %t = arith.addi %v, %v overflow<nsw> : vector<4xi32>
  return %s, %t : i32, vector<4xi32>
}
// =>
func.func @f(%a: i32, %v: vector<4xi32>) -> (i32, vector<4xi32>) {
  %s = arith.addi %a, %a overflow<nsw> : i32
  %s2 = arith.addi %a, %a : i32
  %t = arith.addi %v, %v : vector<4xi32>
  return %s, %t : i32, vector<4xi32>
}
// -----
// a branch on what was never written
func.func @f(%c: i1) -> i32 {
  %e = tensor.empty() : tensor<1xi1>
  %c0 = arith.constant 0 : index
  %u = tensor.extract %e[%c0] : tensor<1xi1>
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.if %u -> i32 { scf.yield %c1 : i32 } else { scf.yield %c2 : i32 }
  return %r : i32
}
// -----
// a branch on what was never written, only afterwards
func.func @f(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.if %c -> i32 { scf.yield %c1 : i32 } else { scf.yield %c2 : i32 }
  return %r : i32
}
// =>
func.func @f(%c: i1) -> i32 {
  %e = tensor.empty() : tensor<1xi1>
  %c0 = arith.constant 0 : index
  %u = tensor.extract %e[%c0] : tensor<1xi1>
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  scf.if %u { scf.yield } else { scf.yield }
  %r = scf.if %c -> i32 { scf.yield %c1 : i32 } else { scf.yield %c2 : i32 }
  return %r : i32
}
// -----
// a stack buffer that outlives its scope
func.func @f(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca_scope -> (memref<4xf32>) {
    %a = memref.alloca() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    memref.alloca_scope.return %a : memref<4xf32>
  }
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// reinterpreted cast of a view
func.func @f(%m: memref<8x8xf32, strided<[?, ?], offset: ?>>, %i: index) -> f32 {
  %s = memref.subview %m[1, 1] [4, 4] [1, 1] : memref<8x8xf32, strided<[?, ?], offset: ?>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  %r = memref.reinterpret_cast %s to offset: [0], sizes: [], strides: [] : memref<4x4xf32, strided<[?, ?], offset: ?>> to memref<f32>
  %q = memref.reinterpret_cast %r to offset: [%i], sizes: [4], strides: [2] : memref<f32> to memref<4xf32, strided<[2], offset: ?>>
  %x = memref.load %q[%i] : memref<4xf32, strided<[2], offset: ?>>
  return %x : f32
}
// -----
// measured into buffers
func.func @f(%m: memref<4xf64>, %q: !quantum.bit) -> (memref<4xf64>) {
  %o = quantum.compbasis qubits %q : !quantum.obs
  quantum.probs %o in(%m : memref<4xf64>)
  return %m : memref<4xf64>
}
// -----
// oneshot-partial
func.func @cast_values(%arg0: tensor<*xi32>) -> tensor<2xi32> {
  %0 = tensor.cast %arg0 : tensor<*xi32> to tensor<*xi32>
  %2 = tensor.cast %0 : tensor<*xi32> to tensor<2xi32>
  %4 = tensor.cast %2 : tensor<2xi32> to tensor<2xi32>
  return %4 : tensor<2xi32>
}
// =>
module {
  func.func @cast_values(%arg0: tensor<*xi32>) -> tensor<2xi32> {
    %0 = bufferization.to_buffer %arg0 : tensor<*xi32> to memref<*xi32>
    %cast = memref.cast %0 : memref<*xi32> to memref<2xi32, strided<[?], offset: ?>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xi32>
    %1 = bufferization.to_tensor %alloc : memref<2xi32> to tensor<2xi32>
    return %1 : tensor<2xi32>
  }
}
// -----
// cse
func.func @alias_is_freed(%arg0 : memref<?xf32>) {
  %0 = memref.cast %arg0 : memref<?xf32> to memref<32xf32>
  %1 = bufferization.clone %0 : memref<32xf32> to memref<32xf32>
  "use"(%1) : (memref<32xf32>) -> ()
  return
}
// =>
module {
  func.func @alias_is_freed(%arg0: memref<?xf32>) {
    %cast = memref.cast %arg0 : memref<?xf32> to memref<32xf32>
    %0 = bufferization.clone %cast : memref<32xf32> to memref<32xf32>
    "use"(%0) : (memref<32xf32>) -> ()
    return
  }
}
// -----
// partial-func, changed
func.func @simple_sum(%arg0: tensor<32xi16> { secret.secret }) -> i16 {
  %c0 = arith.constant 0 : index
  %c0_si16 = arith.constant 0 : i16
  %c32 = arith.constant 32 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c32 step %c1 iter_args(%sum_iter = %c0_si16) -> i16 {
    %1 = tensor.extract %arg0[%i] : tensor<32xi16>
    %2 = arith.addi %1, %sum_iter : i16
    scf.yield %2 : i16
  }
  return %0 : i16
}
// =>
module {
  func.func @simple_sum(%arg0: memref<32xi16> {secret.secret}) -> i16 {
    %0 = bufferization.to_tensor %arg0 : memref<32xi16>
    %c0 = arith.constant 0 : index
    %c0_i16 = arith.constant 0 : i16
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 0 : index
    %1 = scf.for %arg1 = %c0 to %c32 step %c1 iter_args(%arg2 = %c0_i16) -> (i16) {
      %extracted = tensor.extract %0[%arg1] : tensor<32xi16>
      %2 = arith.addi %extracted, %arg2 : i16
      scf.yield %2 : i16
    }
    return %1 : i16
  }
}
// -----
// canonicalize
func.func @transpose_fold_4d_i16(%init: tensor<3x1x4x2xi16>) -> tensor<3x1x4x2xi16> {
  %input = arith.constant dense<[[
    [[ 0,  1,  2,  3], [ 4,  5,  6,  7], [ 8,  9, 10, 11]],
    [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]
  ]]> : tensor<1x2x3x4xi16>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d0, d3, d1)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%input : tensor<1x2x3x4xi16>) outs(%init : tensor<3x1x4x2xi16>) {
  ^bb0(%arg1: i16, %arg2: i16):
    linalg.yield %arg1 : i16
  } -> tensor<3x1x4x2xi16>
  return %1 : tensor<3x1x4x2xi16>
}
// =>
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3, d1)>
module {
  func.func @transpose_fold_4d_i16(%arg0: tensor<3x1x4x2xi16>) -> tensor<3x1x4x2xi16> {
    %cst = arith.constant dense<[[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]]> : tensor<1x2x3x4xi16>
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<1x2x3x4xi16>) outs(%arg0 : tensor<3x1x4x2xi16>) {
    ^bb0(%in: i16, %out: i16):
      linalg.yield %in : i16
    } -> tensor<3x1x4x2xi16>
    return %0 : tensor<3x1x4x2xi16>
  }
}
// -----
// full, changed
func.func @tensor.insert_slice_rank_reducing_1(
    %t1: tensor<?x?xf32>, %f: tensor<f32>, %idx1: index, %idx2: index)
  -> tensor<?x?xf32>
{
  %0 = tensor.insert_slice %f into %t1[%idx1, %idx2][1, 1][1, 1]
      : tensor<f32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// =>
module {
  func.func @tensor.insert_slice_rank_reducing_1(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<f32, strided<[], offset: ?>>, %arg2: index, %arg3: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
    %subview = memref.subview %arg0[%arg2, %arg3] [1, 1] [1, 0] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<f32, strided<[], offset: ?>>
    memref.copy %arg1, %subview : memref<f32, strided<[], offset: ?>> to memref<f32, strided<[], offset: ?>>
    %0 = bufferization.clone %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// full
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
  func.func @dim_of_reshape_i32(%arg0: memref<*xf32>, %arg1: memref<?xi32, strided<[?], offset: ?>>) -> index {
    %c3 = arith.constant 3 : index
    %0 = memref.load %arg1[%c3] : memref<?xi32, strided<[?], offset: ?>>
    %1 = arith.index_cast %0 : i32 to index
    return %1 : index
  }
}
// -----
// oneshot-partial
func.func @extract_from_shape_of_memref_no_fold(%arg0: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %shape = shape.shape_of %arg0 : memref<?xf32> -> tensor<1xindex>
  %dim = tensor.extract %shape[%c0] : tensor<1xindex>
  return %dim : index
}
// =>
module {
  func.func @extract_from_shape_of_memref_no_fold(%arg0: memref<?xf32>) -> index {
    %c0 = arith.constant 0 : index
    %0 = shape.shape_of %arg0 : memref<?xf32> -> tensor<1xindex>
    %1 = bufferization.to_buffer %0 : tensor<1xindex> to memref<1xindex, strided<[?], offset: ?>>
    %2 = memref.load %1[%c0] : memref<1xindex, strided<[?], offset: ?>>
    return %2 : index
  }
}
// -----
// full
#map = affine_map<() -> ()>
func.func @cant_fold_to_tensor_cast(%arg0 : f32) -> tensor<f32> {
  %out = tensor.empty() : tensor<f32>
  %g = linalg.generic {
    indexing_maps = [#map, #map],
    iterator_types = []
  } ins(%arg0 : f32)
    outs(%out : tensor<f32>) {
  ^bb0(%arg2 : f32, %arg3 : f32):
    linalg.yield %arg2 : f32
  } -> (tensor<f32>)
  return %g : tensor<f32>
}
// =>
#map = affine_map<() -> ()>
module {
  func.func @cant_fold_to_tensor_cast(%arg0: f32) -> memref<f32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<f32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg0 : f32) outs(%alloc : memref<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return %alloc : memref<f32>
  }
}
// -----
// oneshot-out-params
func.func private @init_and_dot(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<f32>) -> tensor<f32> {
  %v0 = arith.constant 0.0 : f32
  %d = linalg.fill ins(%v0 : f32) outs(%c : tensor<f32>) -> tensor<f32>
  %e = linalg.dot ins(%a, %b : tensor<64xf32>,tensor<64xf32>)
    outs(%d: tensor<f32>) -> tensor<f32>
  return %e : tensor<f32>
}
func.func @main() {
  %v0 = arith.constant 0.0 : f32
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32

  %A = bufferization.alloc_tensor() : tensor<64xf32>
  %B = bufferization.alloc_tensor() : tensor<64xf32>
  %C = bufferization.alloc_tensor() : tensor<f32>

  %AA = linalg.fill ins(%v1 : f32) outs(%A : tensor<64xf32>) -> tensor<64xf32>
  %BB = linalg.fill ins(%v2 : f32) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  %CC = linalg.fill ins(%v0 : f32) outs(%C : tensor<f32>) -> tensor<f32>

  %res = call @init_and_dot(%AA, %BB, %CC) :
    (tensor<64xf32>, tensor<64xf32>, tensor<f32>) -> tensor<f32>

  %res2 = tensor.cast %res: tensor<f32> to tensor<*xf32>

  return
}
// =>
module {
  func.func private @init_and_dot(%arg0: memref<64xf32>, %arg1: memref<64xf32>, %arg2: memref<f32>, %arg3: memref<f32>) {
    %cst = arith.constant 0.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg2 : memref<f32>)
    linalg.dot ins(%arg0, %arg1 : memref<64xf32>, memref<64xf32>) outs(%arg2 : memref<f32>)
    memref.copy %arg2, %arg3 : memref<f32> to memref<f32>
    return
  }
  func.func @main() {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<f32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<64xf32>)
    linalg.fill ins(%cst_1 : f32) outs(%alloc_2 : memref<64xf32>)
    linalg.fill ins(%cst : f32) outs(%alloc_3 : memref<f32>)
    %alloc_4 = memref.alloc() : memref<f32>
    call @init_and_dot(%alloc, %alloc_2, %alloc_3, %alloc_4) : (memref<64xf32>, memref<64xf32>, memref<f32>, memref<f32>) -> ()
    %cast = memref.cast %alloc_4 : memref<f32> to memref<*xf32>
    call @printMemrefF32(%cast) : (memref<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(memref<*xf32>)
}
// -----
// dealloc-pipeline
func.func @conversion_unknown(%arg0 : memref<*xf32>) -> memref<*xf32> {
  %1 = bufferization.clone %arg0 : memref<*xf32> to memref<*xf32>
  return %1 : memref<*xf32>
}
// =>
module {
  func.func @conversion_unknown(%arg0: memref<*xf32>) -> memref<*xf32> {
    %0 = bufferization.clone %arg0 : memref<*xf32> to memref<*xf32>
    return %0 : memref<*xf32>
  }
}
// -----
// oneshot-copy, changed
func.func @empty(%sz: index) -> tensor<5x?x6xf32> {
  %0 = tensor.empty(%sz) : tensor<5x?x6xf32>
  return %0 : tensor<5x?x6xf32>
}
// =>
module {
  func.func @empty(%arg0: index) -> memref<5x?x6xf32> {
    %alloc = memref.alloc(%arg0) {alignment = 1 : i64} : memref<5x?x6xf32>
    return %alloc : memref<5x?x6xf32>
  }
}
// -----
// oneshot, changed
func.func private @external_func_with_return_val(tensor<4xi32>) -> f32
// =>
module {
}
// -----
// expand-realloc
func.func @memref_cast(%a: index, %b: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %1 = memref.alloc (%b) : memref<?xi8>
  %2 = memref.view %1[%c0][] : memref<?xi8> to memref<16x16xf32>
  %3 = memref.cast %2 : memref<16x16xf32> to memref<?x?xf32>
  linalg.matmul ins(%3, %3: memref<?x?xf32>, memref<?x?xf32>)
               outs(%3: memref<?x?xf32>)
  return %3: memref<?x?xf32>
}
// =>
module {
  func.func @memref_cast(%arg0: index, %arg1: index) -> memref<?x?xf32> {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc(%arg1) : memref<?xi8>
    %view = memref.view %alloc[%c0][] : memref<?xi8> to memref<16x16xf32>
    %cast = memref.cast %view : memref<16x16xf32> to memref<?x?xf32>
    linalg.matmul ins(%view, %view : memref<16x16xf32>, memref<16x16xf32>) outs(%view : memref<16x16xf32>)
    return %cast : memref<?x?xf32>
  }
}
// -----
// oneshot-partial
func.func @fold_empty_tensor_with_cast(%arg0 : index) -> tensor<1x12xf32> {
  %0 = tensor.empty(%arg0) : tensor<?x12xf32>
  %1 = tensor.cast %0 : tensor<?x12xf32> to tensor<1x12xf32>
  return %1 : tensor<1x12xf32>
}
// =>
module {
  func.func @fold_empty_tensor_with_cast(%arg0: index) -> tensor<1x12xf32> {
    %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x12xf32>
    %cast = memref.cast %alloc : memref<?x12xf32> to memref<1x12xf32>
    %0 = bufferization.to_tensor %cast : memref<1x12xf32> to tensor<1x12xf32>
    return %0 : tensor<1x12xf32>
  }
}
// -----
// full
func.func @non_block_argument_yield() {
  %true = arith.constant true
  %0 = bufferization.alloc_tensor() : tensor<i32>
  %1 = scf.while (%arg0 = %0) : (tensor<i32>) -> (tensor<i32>) {
    scf.condition(%true) %arg0 : tensor<i32>
  } do {
  ^bb0(%arg0: tensor<i32>):
    %ret = scf.while (%arg1 = %0) : (tensor<i32>) -> (tensor<i32>) {
      scf.condition(%true) %arg1 : tensor<i32>
    } do {
    ^bb0(%arg7: tensor<i32>):
      scf.yield %0 : tensor<i32>
    }
    scf.yield %ret : tensor<i32>
  }
  return
}
// =>
module {
  func.func @non_block_argument_yield() {
    %false = arith.constant false
    %true = arith.constant true
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<i32>
    %0 = scf.while (%arg0 = %alloc, %arg1 = %false) : (memref<i32>, i1) -> memref<i32> {
      %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<i32>
      memref.copy %arg0, %alloc_0 : memref<i32> to memref<i32>
      %base_buffer, %offset = memref.extract_strided_metadata %arg0 : memref<i32> -> memref<i32>, index
      scf.if %arg1 {
        memref.dealloc %base_buffer : memref<i32>
      }
      scf.condition(%true) %alloc_0 : memref<i32>
    } do {
    ^bb0(%arg0: memref<i32>):
      memref.dealloc %arg0 : memref<i32>
      %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<i32>
      %1 = scf.while (%arg1 = %alloc_0) : (memref<i32>) -> memref<i32> {
        %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<i32>
        memref.copy %arg1, %alloc_1 : memref<i32> to memref<i32>
        scf.condition(%true) %alloc_1 : memref<i32>
      } do {
      ^bb0(%arg1: memref<i32>):
        %base_buffer, %offset = memref.extract_strided_metadata %arg1 : memref<i32> -> memref<i32>, index
        memref.dealloc %base_buffer : memref<i32>
        scf.yield %alloc : memref<i32>
      }
      memref.dealloc %alloc_0 : memref<i32>
      scf.yield %1, %true : memref<i32>, i1
    }
    memref.dealloc %alloc : memref<i32>
    return
  }
}
// -----
// dealloc-pipeline, changed
func.func @affine_if_no_dependence() {
  %c1 = arith.constant 1 : index
  affine.if affine_set<(d0, d1, d2, d3) : ((d0 + 1) mod 0 >= 0, d0 * -8 >= 0)>(%c1, %c1, %c1, %c1){
  }
  return
}
// -----
// canonicalize
func.func @insert_slice_cast(%arg0 : tensor<1x?xf32>, %arg1 : tensor<?x?xf32>, %arg2 : index, %arg3 : index, %arg4 : index, %arg5 : index, %arg6 : index, %arg7 : index) -> tensor<?x?xf32> {
  %0 = tensor.cast %arg0 : tensor<1x?xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %0 into %arg1[%arg2, %arg3] [%arg4, %arg5] [%arg6, %arg7] : tensor<?x?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// =>
module {
  func.func @insert_slice_cast(%arg0: tensor<1x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index) -> tensor<?x?xf32> {
    %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg2, %arg3] [1, %arg5] [%arg6, %arg7] : tensor<1x?xf32> into tensor<?x?xf32>
    return %inserted_slice : tensor<?x?xf32>
  }
}
// -----
// oneshot-copy, changed
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
// -----
// oneshot-identity, changed
func.func @main() {
  %const = arith.constant dense<[[[[-3.9058,0.9072],[-2.9470,-2.2055],[18.3946,8.2997]],[[3.4700,5.9006],[-17.2267,4.9777],[1.0450,-0.8201]]],[[[17.6996,-11.1763],[26.7775,-3.8823],[-4.2492,-5.8966]],[[2.1259,13.1794],[-10.7136,0.8428],[16.4233,9.4589]]]]> : tensor<2x2x3x2xf32>
  %dynamic = tensor.cast %const: tensor<2x2x3x2xf32> to tensor<2x?x?x?xf32>
  %collapsed = call @collapse_dynamic_shape(%dynamic) : (tensor<2x?x?x?xf32>) -> (tensor<2x?x?xf32>)
  return
}
func.func @collapse_dynamic_shape(%arg0 : tensor<2x?x?x?xf32>) -> tensor<2x?x?xf32> {
  %0 = tensor.collapse_shape %arg0 [[0], [1, 2], [3]]: tensor<2x?x?x?xf32> into tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}
// -----
// canonicalize
#map0 = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (0, d0)>
#map2 = affine_map<(d0) -> (0)>
func.func @consumer_with_reduction(%arg0: tensor<1x10xf32>,
                              %arg1: tensor<1x10xf32>,
                              %arg2: tensor<1xf32>) -> tensor<1xf32> {
  %init = tensor.empty() : tensor<1x10xf32>
  %0 = linalg.generic
    {indexing_maps = [#map0, #map0, #map0],
     iterator_types = ["parallel", "parallel"]}
    ins(%arg0, %arg1 : tensor<1x10xf32>, tensor<1x10xf32>)
    outs(%init : tensor<1x10xf32>) {
  ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
    %2 = arith.addf %arg3, %arg4 : f32
    linalg.yield %2 : f32
  } -> tensor<1x10xf32>
  %1 = linalg.generic
    {indexing_maps = [#map1, #map2],
     iterator_types = ["reduction"]}
    ins(%0 : tensor<1x10xf32>)
    outs(%arg2 : tensor<1xf32>)  {
  ^bb0(%arg3: f32, %arg4: f32):
    %2 = arith.addf %arg3, %arg4 : f32
    linalg.yield %2 : f32
  } -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (0, d0)>
#map2 = affine_map<(d0) -> (0)>
module {
  func.func @consumer_with_reduction(%arg0: tensor<1x10xf32>, %arg1: tensor<1x10xf32>, %arg2: tensor<1xf32>) -> tensor<1xf32> {
    %0 = tensor.empty() : tensor<1x10xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<1x10xf32>, tensor<1x10xf32>) outs(%0 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.addf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<1x10xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction"]} ins(%1 : tensor<1x10xf32>) outs(%arg2 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    return %2 : tensor<1xf32>
  }
}
// -----
// partial-all
func.func @fold_linalgop_with_cast_consumer(%arg0 : tensor<?x?xf32>, %arg1 : tensor<?x?xf32>,
    %arg2 : tensor<?x?xf32>) -> (tensor<4x8xf32>, tensor<?x?xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x8xf32>
  return %1, %0 : tensor<4x8xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @fold_linalgop_with_cast_consumer(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) -> (memref<4x8xf32>, memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg2, %c1 : memref<?x?xf32>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    %cast = memref.cast %alloc : memref<?x?xf32> to memref<4x8xf32>
    return %cast, %alloc : memref<4x8xf32>, memref<?x?xf32>
  }
}
// -----
// oneshot-partial
func.func @fold_cast_multiple_results(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> index {
  %cast = tensor.cast %arg0 : tensor<2x2xf32> to tensor<?x2xf32>
  %cast_0 = tensor.cast %arg1 : tensor<2x2xf32> to tensor<?x2xf32>
  %0:2 = test.destination_style_op ins(%cast : tensor<?x2xf32>) outs(%cast_0 : tensor<?x2xf32>) -> tensor<?x2xf32>, index
  return %0#1 : index
}
// =>
module {
  func.func @fold_cast_multiple_results(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> index {
    %0 = bufferization.to_buffer %arg1 : tensor<2x2xf32> to memref<2x2xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_buffer %arg0 : tensor<2x2xf32> to memref<2x2xf32, strided<[?, ?], offset: ?>>
    %cast = memref.cast %1 : memref<2x2xf32, strided<[?, ?], offset: ?>> to memref<?x2xf32, strided<[?, ?], offset: ?>>
    %2 = bufferization.to_tensor %cast : memref<?x2xf32, strided<[?, ?], offset: ?>> to tensor<?x2xf32>
    %cast_0 = memref.cast %0 : memref<2x2xf32, strided<[?, ?], offset: ?>> to memref<?x2xf32, strided<[?, ?], offset: ?>>
    %3 = bufferization.to_tensor %cast_0 : memref<?x2xf32, strided<[?, ?], offset: ?>> to tensor<?x2xf32>
    %4:2 = test.destination_style_op ins(%2 : tensor<?x2xf32>) outs(%3 : tensor<?x2xf32>) -> tensor<?x2xf32>, index
    return %4#1 : index
  }
}
// -----
// canonicalize
func.func @select(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
  %0 = arith.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}
// =>
module {
  func.func @select(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = arith.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
// -----
// canonicalize, changed
func.func @write_to_same_alloc_tensor_out_of_place(
    %A : tensor<?xf32> {bufferization.writable = true},
    %lb : index, %ub : index, %step : index, %sz: index, %sz2: index, %f: f32)
  -> (tensor<?xf32>)
{
  %B = bufferization.alloc_tensor(%sz2) : tensor<?xf32>
  %C = tensor.insert %f into %B[%lb] : tensor<?xf32>
  %r0 = scf.for %i = %lb to %ub step %step iter_args(%t = %A) -> (tensor<?xf32>) {
    %i2 = arith.index_cast %i : index to i32
    %i3 = arith.sitofp %i2 : i32 to f32
    %B2 = tensor.insert %i3 into %C[%i] : tensor<?xf32>
    %A2 = tensor.insert_slice %B2 into %t[%i][%sz][2] : tensor<?xf32> into tensor<?xf32>
    scf.yield %A2 : tensor<?xf32>
  }
  return %r0 : tensor<?xf32>
}
// -----
// partial-func, changed
func.func @alloc_tensor_canonicalize() -> (tensor<4x5x?xf32>) {
  %c6 = arith.constant 6 : index
  %0 = bufferization.alloc_tensor(%c6) : tensor<4x5x?xf32>
  return %0 : tensor<4x5x?xf32>
}
// =>
module {
  func.func @alloc_tensor_canonicalize() -> memref<4x5x?xf32> {
    %c6 = arith.constant 7 : index
    %0 = bufferization.alloc_tensor(%c6) : tensor<4x5x?xf32>
    %1 = bufferization.to_memref %0 : memref<4x5x?xf32>
    return %1 : memref<4x5x?xf32>
  }
}
// -----
// oneshot-out-params
#map0 = affine_map<() -> ()>
func.func @add_mul_scalar_fusion(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32>
{
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = []}
      ins(%arg0, %arg1 : tensor<f32>, tensor<f32>)
      outs(%0 : tensor<f32>) {
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %2 = arith.addf %arg3, %arg4 : f32
      linalg.yield %2 : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = []}
      ins(%1, %arg2 : tensor<f32>, tensor<f32>)
      outs(%0 : tensor<f32>) {
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %3 = arith.mulf %arg3, %arg4 : f32
      linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
// =>
#map = affine_map<() -> ()>
module {
  func.func @add_mul_scalar_fusion(%arg0: memref<f32>, %arg1: memref<f32>, %arg2: memref<f32>) -> memref<f32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<f32>
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%arg0, %arg1 : memref<f32>, memref<f32>) outs(%alloc : memref<f32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%alloc, %arg2 : memref<f32>, memref<f32>) outs(%alloc : memref<f32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    return %alloc : memref<f32>
  }
}
// -----
// cse
func.func @vec_rejected_sequential(%A : memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %N = memref.dim %A, %c0 : memref<?xf32>
  affine.for %i = 0 to %N {
    %a = affine.load %A[%i] : memref<?xf32>
  }
  return
}
// =>
module {
  func.func @vec_rejected_sequential(%arg0: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg1 = 0 to %dim {
      %0 = affine.load %arg0[%arg1] : memref<?xf32>
      affine.store %0, %arg0[%arg1 + 1] : memref<?xf32>
    }
    return
  }
}
// -----
// dealloc-pipeline
func.func @nestedRegionControlFlowAlloca(
  %arg0 : index,
  %arg1 : index) -> memref<?x?xf32> {
  %0 = arith.cmpi eq, %arg0, %arg1 : index
  %1 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %2 = scf.if %0 -> (memref<?x?xf32>) {
    scf.yield %1 : memref<?x?xf32>
  } else {
    %3 = memref.alloca(%arg0, %arg1) : memref<?x?xf32>
    scf.yield %1 : memref<?x?xf32>
  }
  return %2 : memref<?x?xf32>
}
// =>
module {
  func.func @nestedRegionControlFlowAlloca(%arg0: index, %arg1: index) -> memref<?x?xf32> {
    %alloc = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
    return %alloc : memref<?x?xf32>
  }
}
// -----
// cse
func.func @use_of_unknown_op_1(%t1: tensor<?xf32>)
    -> vector<5xf32> {
  %0 = "test.dummy_op"(%t1) : (tensor<?xf32>) -> tensor<?xf32>
  %idx = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %1 = vector.transfer_read %0[%idx], %cst : tensor<?xf32>, vector<5xf32>
  return %1 : vector<5xf32>
}
// =>
module {
  func.func @use_of_unknown_op_1(%arg0: tensor<?xf32>) -> vector<5xf32> {
    %0 = "test.dummy_op"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %1 = vector.transfer_read %0[%c0], %cst : tensor<?xf32>, vector<5xf32>
    return %1 : vector<5xf32>
  }
}
// -----
// dealloc-pipeline
func.func @reinterpret_of_subview(%arg : memref<?xi8>, %size1: index, %size2: index) -> memref<?xi8> {
  %0 = memref.subview %arg[0] [%size1] [1] : memref<?xi8> to memref<?xi8>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%size2], strides: [1] : memref<?xi8> to memref<?xi8>
  return %1 : memref<?xi8>
}
// =>
module {
  func.func @reinterpret_of_subview(%arg0: memref<?xi8>, %arg1: index, %arg2: index) -> memref<?xi8> {
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg2], strides: [1] : memref<?xi8> to memref<?xi8>
    %0 = bufferization.clone %reinterpret_cast : memref<?xi8> to memref<?xi8>
    return %0 : memref<?xi8>
  }
}
// -----
// canonicalize
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
    scf.while : () -> () {
      %0 = "test.make_condition"() : () -> i1
      scf.condition(%0)
    } do {
      scf.yield
    }
    return
  }
}
// -----
// cse
func.func @tensor_and(%arg0 : tensor<2xi32>) -> tensor<2xi32> {
  %cAllOnes_32 = arith.constant dense<4294967295> : tensor<2xi32>
  %c31 = arith.constant dense<31> : tensor<2xi32>
  %c_mixed = arith.constant dense<[31, 4294967295]> : tensor<2xi32>
  %0 = arith.andi %arg0, %cAllOnes_32 : tensor<2xi32>
  %1 = arith.andi %0, %c31 : tensor<2xi32>
  %2 = arith.andi %1, %c_mixed : tensor<2xi32>
  return %2 : tensor<2xi32>
}
// =>
module {
  func.func @tensor_and(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %cst = arith.constant dense<-1> : tensor<2xi32>
    %cst_0 = arith.constant dense<31> : tensor<2xi32>
    %cst_1 = arith.constant dense<[31, -1]> : tensor<2xi32>
    %0 = arith.andi %arg0, %cst : tensor<2xi32>
    %1 = arith.andi %0, %cst_0 : tensor<2xi32>
    %2 = arith.andi %1, %cst_1 : tensor<2xi32>
    return %2 : tensor<2xi32>
  }
}
// -----
// oneshot-partial
func.func @tensor.cast_chain_ok(%input: tensor<*xi32>) -> tensor<4x8xi32> {
  %0 = tensor.cast %input : tensor<*xi32> to tensor<4x?xi32>
  %1 = tensor.cast %0 : tensor<4x?xi32> to tensor<4x8xi32>
  return %1 : tensor<4x8xi32>
}
// =>
module {
  func.func @tensor.cast_chain_ok(%arg0: tensor<*xi32>) -> tensor<4x8xi32> {
    %0 = bufferization.to_buffer %arg0 : tensor<*xi32> to memref<*xi32>
    %cast = memref.cast %0 : memref<*xi32> to memref<4x?xi32, strided<[?, ?], offset: ?>>
    %cast_0 = memref.cast %cast : memref<4x?xi32, strided<[?, ?], offset: ?>> to memref<4x8xi32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x8xi32>
    %1 = bufferization.to_tensor %alloc : memref<4x8xi32> to tensor<4x8xi32>
    return %1 : tensor<4x8xi32>
  }
}
// -----
// ownership
func.func @dynamicRanked(%memref: memref<*xf32>) {
  return
}
// =>
module {
  func.func @dynamicRanked(%arg0: memref<*xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %0 = memref.rank %arg0 : memref<*xf32>
    %alloc = memref.alloc(%0) : memref<?xindex>
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[]>>
    %base_buffer, %offset = memref.extract_strided_metadata %reinterpret_cast : memref<f32, strided<[]>> -> memref<f32>, index
    %base_buffer_0, %offset_1, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<?xindex> -> memref<index>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<index>) if (%false, %true)
    return
  }
}
// -----
// hoist
func.func @moving_invalid_dealloc_op_complex(
  %cond: i1,
    %arg0: memref<2xf32>,
    %arg1: memref<2xf32>) {
  %1 = memref.alloc() : memref<2xf32>
  cf.br ^exit(%1 : memref<2xf32>)
^exit(%arg2: memref<2xf32>):
  return
}
// =>
module {
  func.func @moving_invalid_dealloc_op_complex(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3(%arg1 : memref<2xf32>)
  ^bb2:  // pred: ^bb0
    test.buffer_based in(%arg1 : memref<2xf32>) out(%alloc : memref<2xf32>)
    memref.dealloc %alloc : memref<2xf32>
    cf.br ^bb3(%alloc : memref<2xf32>)
  ^bb3(%0: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
    test.copy(%0, %arg2) : (memref<2xf32>, memref<2xf32>)
    return
  }
}
// -----
// cse
func.func @inner_region_control_flow(%arg0 : index) -> memref<?x?xf32> {
  %0 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %1 = test.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>) then {
    ^bb0(%arg1 : memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
  } else {
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
    } else {
    ^bb0(%arg1: memref<?x?xf32>):
      test.region_if_yield %arg1 : memref<?x?xf32>
    } join {
    }
    return %0 : memref<?x?xf32>
  }
}
// -----
// partial-func, changed
func.func @tensor_dim_of_loop_result_no_canonicalize(%t : tensor<?x?xf32>,
                                                %u : tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %0, %1 = scf.for %i = %c0 to %c10 step %c1 iter_args(%arg0 = %t, %arg1 = %u)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    scf.yield %arg0, %u : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %dim = tensor.dim %1, %c0 : tensor<?x?xf32>
  return %dim : index
}
// =>
module {
  func.func @tensor_dim_of_loop_result_no_canonicalize(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) -> index {
    %0 = bufferization.to_tensor %arg1 : memref<?x?xf32>
    %1 = bufferization.to_tensor %arg0 : memref<?x?xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %2:2 = scf.for %arg2 = %c0 to %c10 step %c1 iter_args(%arg3 = %1, %arg4 = %0) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      scf.yield %arg3, %0 : tensor<?x?xf32>, tensor<?x?xf32>
    }
    %dim = tensor.dim %2#1, %c0 : tensor<?x?xf32>
    return %dim : index
  }
}
// -----
// ownership, changed
func.func @perfectly_nested_loops_loop_independent() {
  %m = memref.alloc() : memref<10x10xf32>
  affine.for %i0 = 0 to 10 {
    affine.for %i1 = 0 to 11 {
      %a10 = affine.apply affine_map<(d0, d1) -> (d0)> (%i0, %i1)
      %a11 = affine.apply affine_map<(d0, d1) -> (d1)> (%i0, %i1)
    }
  }
  return
}
// =>
func.func @perfectly_nested_loops_loop_independent() {
  %m = memref.alloc() : memref<10x10xf32>
  %c7 = arith.constant 7.0 : f32
  affine.for %i0 = 0 to 10 {
    affine.for %i1 = 0 to 11 {
      %a00 = affine.apply affine_map<(d0, d1) -> (d0)> (%i1, %i1)
      %a01 = affine.apply affine_map<(d0, d1) -> (d1)> (%i0, %i1)
      affine.store %c7, %m[%a00, %a01] : memref<10x10xf32>
      %a10 = affine.apply affine_map<(d0, d1) -> (d0)> (%i0, %i1)
      %a11 = affine.apply affine_map<(d0, d1) -> (d1)> (%i0, %i1)
      %v0 = affine.load %m[%a10, %a11] : memref<10x10xf32>
    }
  }
  return
}
// -----
// canonicalize, changed
func.func @fold_vector_transfer_write_with_inner_rank_reduced_subview(
    %arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>,
    %arg1 : vector<4xf32>, %arg2: index, %arg3 : index, %arg4 : index,
    %arg5: index, %arg6 : index, %arg7 : index) {
  %0 = memref.subview %arg0[%arg2, %arg3, 0] [%arg4, %arg5, 1] [1, 1, 1]
      : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to
        memref<?x?xf32, strided<[?, ?], offset: ?>>
  return
}
// =>
module {
  func.func @fold_vector_transfer_write_with_inner_rank_reduced_subview(%arg0: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %arg1: vector<4xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index) {
    %subview = memref.subview %arg0[%arg2, %arg3, 0] [%arg4, %arg5, 1] [1, 1, 0] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return
  }
}
// -----
// oneshot-identity
func.func @transpose_nofold_multi_ops_in_region(%init: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %input = arith.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%input : tensor<2x3xf32>) outs(%init : tensor<3x2xf32>) {
  ^bb0(%arg1: f32, %arg2: f32):
    %add = arith.addf %arg1, %arg1 : f32
    linalg.yield %add : f32
  } -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  memref.global "private" constant @__constant_2x3xf32 : memref<2x3xf32> = dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> {alignment = 64 : i64}
  func.func @transpose_nofold_multi_ops_in_region(%arg0: memref<3x2xf32>) -> memref<3x2xf32> {
    %0 = memref.get_global @__constant_2x3xf32 : memref<2x3xf32>
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%0 : memref<2x3xf32>) outs(%arg0 : memref<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %in : f32
      linalg.yield %1 : f32
    }
    return %arg0 : memref<3x2xf32>
  }
}
// -----
// oneshot-copy
func.func @non_block_argument_yield() {
  %true = arith.constant true
  %0 = bufferization.alloc_tensor() : tensor<i32>
  %1 = scf.while (%arg0 = %0) : (tensor<i32>) -> (tensor<i32>) {
    scf.condition(%true) %arg0 : tensor<i32>
  } do {
  ^bb0(%arg0: tensor<i32>):
    %ret = scf.while (%arg1 = %0) : (tensor<i32>) -> (tensor<i32>) {
      scf.condition(%true) %arg1 : tensor<i32>
    } do {
    ^bb0(%arg7: tensor<i32>):
      scf.yield %0 : tensor<i32>
    }
    scf.yield %ret : tensor<i32>
  }
  return
}
// =>
module {
  func.func @non_block_argument_yield() {
    %true = arith.constant true
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<i32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<i32>
    memref.copy %alloc, %alloc_0 : memref<i32> to memref<i32>
    %0 = scf.while (%arg0 = %alloc_0) : (memref<i32>) -> memref<i32> {
      scf.condition(%true) %arg0 : memref<i32>
    } do {
    ^bb0(%arg0: memref<i32>):
      %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<i32>
      memref.copy %alloc, %alloc_1 : memref<i32> to memref<i32>
      %1 = scf.while (%arg1 = %alloc_1) : (memref<i32>) -> memref<i32> {
        scf.condition(%true) %arg1 : memref<i32>
      } do {
      ^bb0(%arg1: memref<i32>):
        scf.yield %alloc : memref<i32>
      }
      scf.yield %1 : memref<i32>
    }
    return
  }
}
// -----
// cse
func.func @extract_strided_metadata_of_alloca_dyn_size(
  %dyn_size0 : index, %dyn_size1 : index, %dyn_size3 : index)
    -> (memref<i16>, index,
        index, index, index, index,
        index, index, index, index) {
  %A = memref.alloca(%dyn_size0, %dyn_size1, %dyn_size3) : memref<?x?x4x?xi16>
  %base, %offset, %sizes:4, %strides:4 = memref.extract_strided_metadata %A :
    memref<?x?x4x?xi16>
    -> memref<i16>, index,
       index, index, index, index,
       index, index, index, index
  return %base, %offset,
    %sizes#0, %sizes#1, %sizes#2, %sizes#3,
    %strides#0, %strides#1, %strides#2, %strides#3 :
      memref<i16>, index,
      index, index, index, index,
      index, index, index, index
}
// =>
module {
  func.func @extract_strided_metadata_of_alloca_dyn_size(%arg0: index, %arg1: index, %arg2: index) -> (memref<i16>, index, index, index, index, index, index, index, index, index) {
    %alloca = memref.alloca(%arg0, %arg1, %arg2) : memref<?x?x4x?xi16>
    %base_buffer, %offset, %sizes:4, %strides:4 = memref.extract_strided_metadata %alloca : memref<?x?x4x?xi16> -> memref<i16>, index, index, index, index, index, index, index, index, index
    return %base_buffer, %offset, %sizes#0, %sizes#1, %sizes#2, %sizes#3, %strides#0, %strides#1, %strides#2, %strides#3 : memref<i16>, index, index, index, index, index, index, index, index, index
  }
}
// -----
// cse, changed
func.func @scf_for_swapping_yields_memory_space(
    %sz: index, %C : tensor<4xf32>, %lb : index, %ub : index, %step : index)
  -> (f32, f32)
{
  %A = bufferization.alloc_tensor(%sz) {memory_space = 1 : i64} : tensor<?xf32>
  %B = bufferization.alloc_tensor(%sz) {memory_space = 1 : i64} : tensor<?xf32>
  %r0:2 = scf.for %i = %lb to %ub step %step iter_args(%tA = %A, %tB = %B)
      -> (tensor<?xf32>, tensor<?xf32>)
  {
    %ttA = tensor.insert_slice %C into %tA[0][4][2] : tensor<4xf32> into tensor<?xf32>
    %ttB = tensor.insert_slice %C into %tB[0][4][1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %ttB, %ttA : tensor<?xf32>, tensor<?xf32>
  }
  %f0 = tensor.extract %r0#0[%step] : tensor<?xf32>
  %f1 = tensor.extract %r0#1[%step] : tensor<?xf32>
  return %f0, %f1: f32, f32
}
// -----
// partial-all, changed
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
      memref.store %4, %alloc[%3] : memref<5xi1>
      scf.yield %alloc, %arg4 : memref<5xi1>, memref<5xi1>
    }
    %1 = memref.load %0#0[%arg2] : memref<5xi1>
    %2 = memref.load %0#1[%arg2] : memref<5xi1>
    return %1, %2 : i1, i1
  }
}
// -----
// oneshot
#accesses_1 = [
  affine_map<(i, j, k) -> (j, i)>,
  affine_map<(i, j, k) -> (i, k, i + j)>,
  affine_map<(i, j, k) -> (i, k, i + j)>
]
#trait_1 = {
  indexing_maps = #accesses_1,
  iterator_types = ["parallel", "parallel", "parallel"],
  library_call = "some_external_function_name_1"
}
func.func @generic_with_tensor_input_and_output(
    %arg0: tensor<?x?xvector<3x4xi4>>, %arg1: tensor<?x?x?xf32>)
    -> (tensor<?x?x?xf32>) {
  %0 = linalg.generic #trait_1
       ins(%arg0, %arg1 : tensor<?x?xvector<3x4xi4>>, tensor<?x?x?xf32>)
      outs(%arg1 : tensor<?x?x?xf32>)
      attrs = {foo = 1} {
    ^bb(%0: vector<3x4xi4>, %1: f32, %2: f32) :
      %f0 = arith.constant 0.0 : f32
      linalg.yield %f0 : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d1, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2, d0 + d1)>
module {
  func.func @generic_with_tensor_input_and_output(%arg0: memref<?x?xvector<3x4xi4>, strided<[?, ?], offset: ?>>, %arg1: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) -> memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> {
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"], library_call = "some_external_function_name_1"} ins(%arg0, %arg1 : memref<?x?xvector<3x4xi4>, strided<[?, ?], offset: ?>>, memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) outs(%arg1 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) attrs =  {foo = 1 : i64} {
    ^bb0(%in: vector<3x4xi4>, %in_0: f32, %out: f32):
      %cst = arith.constant 0.000000e+00 : f32
      linalg.yield %cst : f32
    }
    return %arg1 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  }
}
// -----
// canonicalize
func.func @scf_for_swapping_yields_memory_space(
    %sz: index, %C : tensor<4xf32>, %lb : index, %ub : index, %step : index)
  -> (f32, f32)
{
  %A = bufferization.alloc_tensor(%sz) {memory_space = 1 : i64} : tensor<?xf32>
  %B = bufferization.alloc_tensor(%sz) {memory_space = 1 : i64} : tensor<?xf32>
  %r0:2 = scf.for %i = %lb to %ub step %step iter_args(%tA = %A, %tB = %B)
      -> (tensor<?xf32>, tensor<?xf32>)
  {
    %ttA = tensor.insert_slice %C into %tA[0][4][1] : tensor<4xf32> into tensor<?xf32>
    %ttB = tensor.insert_slice %C into %tB[0][4][1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %ttB, %ttA : tensor<?xf32>, tensor<?xf32>
  }
  %f0 = tensor.extract %r0#0[%step] : tensor<?xf32>
  %f1 = tensor.extract %r0#1[%step] : tensor<?xf32>
  return %f0, %f1: f32, f32
}
// =>
module {
  func.func @scf_for_swapping_yields_memory_space(%arg0: index, %arg1: tensor<4xf32>, %arg2: index, %arg3: index, %arg4: index) -> (f32, f32) {
    %0 = bufferization.alloc_tensor(%arg0) {memory_space = 1 : i64} : tensor<?xf32>
    %1 = bufferization.alloc_tensor(%arg0) {memory_space = 1 : i64} : tensor<?xf32>
    %2:2 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %0, %arg7 = %1) -> (tensor<?xf32>, tensor<?xf32>) {
      %inserted_slice = tensor.insert_slice %arg1 into %arg6[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
      %inserted_slice_1 = tensor.insert_slice %arg1 into %arg7[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
      scf.yield %inserted_slice_1, %inserted_slice : tensor<?xf32>, tensor<?xf32>
    }
    %extracted = tensor.extract %2#0[%arg4] : tensor<?xf32>
    %extracted_0 = tensor.extract %2#1[%arg4] : tensor<?xf32>
    return %extracted, %extracted_0 : f32, f32
  }
}
// -----
// cse
#map_tiled1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, (d2 floordiv 4) floordiv 32, (d3 mod 8) floordiv 64, (d2 floordiv 4) mod 32, (d3 mod 8) mod 64)>
func.func @test_norm_dynamic1234(%arg0 : memref<?x?x?x?xf32, #map_tiled1>) -> () {
    return
}
// =>
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, (d2 floordiv 4) floordiv 32, (d3 mod 8) floordiv 64, (d2 floordiv 4) mod 32, (d3 mod 8) mod 64)>
module {
  func.func @test_norm_dynamic1234(%arg0: memref<?x?x?x?xf32, #map>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?x?x?xf32, #map>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?x?x?xf32, #map>
    %dim_1 = memref.dim %arg0, %c2 : memref<?x?x?x?xf32, #map>
    %dim_2 = memref.dim %arg0, %c3 : memref<?x?x?x?xf32, #map>
    %alloc = memref.alloc(%dim, %dim_0, %dim_1, %dim_2) : memref<?x?x?x?xf32, #map>
    memref.dealloc %alloc : memref<?x?x?x?xf32, #map>
    return
  }
}
// -----
// full
func.func @fold_dynamic_pad_fill(%empty: tensor<8x?x16x32xf32>, %low0: index, %low3: index, %high2: index, %high3: index) -> tensor<?x?x?x?xf32> {
  %f0 = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%f0 : f32) outs(%empty : tensor<8x?x16x32xf32>) -> tensor<8x?x16x32xf32>
  %pad = tensor.pad %fill low[%low0, 8, 7, %low3] high[1, 2, %high2, %high3] {
  ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
    tensor.yield %f0 : f32
  } : tensor<8x?x16x32xf32> to tensor<?x?x?x?xf32>
  return %pad : tensor<?x?x?x?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 9)>
#map1 = affine_map<()[s0] -> (s0 + 10)>
#map2 = affine_map<()[s0] -> (s0 + 23)>
#map3 = affine_map<()[s0, s1] -> (s0 + s1 + 32)>
module {
  func.func @fold_dynamic_pad_fill(%arg0: memref<8x?x16x32xf32, strided<[?, ?, ?, ?], offset: ?>>, %arg1: index, %arg2: index, %arg3: index, %arg4: index) -> memref<?x?x?x?xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg0 : memref<8x?x16x32xf32, strided<[?, ?, ?, ?], offset: ?>>)
    %0 = affine.apply #map()[%arg1]
    %dim = memref.dim %arg0, %c1 : memref<8x?x16x32xf32, strided<[?, ?, ?, ?], offset: ?>>
    %1 = affine.apply #map1()[%dim]
    %2 = affine.apply #map2()[%arg3]
    %3 = affine.apply #map3()[%arg2, %arg4]
    %alloc = memref.alloc(%0, %1, %2, %3) {alignment = 64 : i64} : memref<?x?x?x?xf32>
    linalg.map outs(%alloc : memref<?x?x?x?xf32>)
      (%init: f32) {
        linalg.yield %cst : f32
      }
    %subview = memref.subview %alloc[%arg1, 8, 7, %arg2] [8, %dim, 16, 32] [1, 1, 1, 1] : memref<?x?x?x?xf32> to memref<8x?x16x32xf32, strided<[?, ?, ?, 1], offset: ?>>
    memref.copy %arg0, %subview : memref<8x?x16x32xf32, strided<[?, ?, ?, ?], offset: ?>> to memref<8x?x16x32xf32, strided<[?, ?, ?, 1], offset: ?>>
    return %alloc : memref<?x?x?x?xf32>
  }
}
// -----
// full
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
// partial-func
#map0 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
func.func @indexed_consumer_reshape_producer_fusion(%arg0 : tensor<?x?x4x?xi32>,
                                         %arg1 : tensor<?x?x?xi32>) ->
                                         tensor<?x?x?xi32>
{
  %0 = tensor.collapse_shape %arg0 [[0], [1, 2], [3]]:
    tensor<?x?x4x?xi32> into tensor<?x?x?xi32>
  %1 = linalg.generic {
     indexing_maps = [#map0, #map1, #map1],
     iterator_types = ["parallel", "parallel", "parallel"]}
       ins(%0, %arg1 : tensor<?x?x?xi32>, tensor<?x?x?xi32>)
      outs(%0 : tensor<?x?x?xi32>) {
    ^bb0(%arg3: i32, %arg4: i32, %s: i32):
      %idx0 = linalg.index 0 : index
      %idx1 = linalg.index 1 : index
      %idx2 = linalg.index 2 : index
      %1 = arith.muli %arg3, %arg4 : i32
      %2 = arith.index_cast %idx0 : index to i32
      %3 = arith.addi %1, %2 : i32
      %4 = arith.index_cast %idx1 : index to i32
      %5 = arith.addi %3, %4 : i32
      %6 = arith.index_cast %idx2 : index to i32
      %7 = arith.addi %5, %6 : i32
      linalg.yield %7 : i32
  } -> tensor<?x?x?xi32>
  return %1 : tensor<?x?x?xi32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
module {
  func.func @indexed_consumer_reshape_producer_fusion(%arg0: memref<?x?x4x?xi32>, %arg1: memref<?x?x?xi32>) -> memref<?x?x?xi32> {
    %0 = bufferization.to_tensor %arg1 : memref<?x?x?xi32>
    %1 = bufferization.to_tensor %arg0 : memref<?x?x4x?xi32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3]] : tensor<?x?x4x?xi32> into tensor<?x?x?xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %0 : tensor<?x?x?xi32>, tensor<?x?x?xi32>) outs(%collapsed : tensor<?x?x?xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %4 = linalg.index 0 : index
      %5 = linalg.index 1 : index
      %6 = linalg.index 2 : index
      %7 = arith.muli %in, %in_0 : i32
      %8 = arith.index_cast %4 : index to i32
      %9 = arith.addi %7, %8 : i32
      %10 = arith.index_cast %5 : index to i32
      %11 = arith.addi %9, %10 : i32
      %12 = arith.index_cast %6 : index to i32
      %13 = arith.addi %11, %12 : i32
      linalg.yield %13 : i32
    } -> tensor<?x?x?xi32>
    %3 = bufferization.to_memref %2 : memref<?x?x?xi32>
    return %3 : memref<?x?x?xi32>
  }
}
// -----
// the last value of a while
func.func @f(%a: tensor<4xf32>, %v: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%t = %a, %i = %n) : (tensor<4xf32>, i32) -> (tensor<4xf32>, i32) {
    %h = arith.shrsi %i, %c1 : i32
    %c = arith.cmpi ne, %h, %c0 : i32
    scf.condition(%c) %t, %h : tensor<4xf32>, i32
  } do {
  ^bb0(%u: tensor<4xf32>, %j: i32):
    scf.yield %v, %j : tensor<4xf32>, i32
  }
  return %r#0 : tensor<4xf32>
}
// =>
func.func @f(%a: tensor<4xf32>, %v: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %m = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
  %w = bufferization.to_buffer %v : tensor<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = scf.while (%i = %n) : (i32) -> (i32) {
    %h = arith.shrsi %i, %c1 : i32
    %c = arith.cmpi ne, %h, %c0 : i32
    scf.condition(%c) %h : i32
  } do {
  ^bb0(%j: i32):
    memref.copy %w, %b : memref<4xf32> to memref<4xf32>
    scf.yield %j : i32
  }
  %z = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}
// -----
// a flag that says whether a while ran
func.func @f(%a: i32, %v: i32, %n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %no = arith.constant false
  %yes = arith.constant true
  %r:2 = scf.while (%t = %no, %i = %n) : (i1, i32) -> (i1, i32) {
    %h = arith.shrsi %i, %c1 : i32
    %c = arith.cmpi ne, %h, %c0 : i32
    scf.condition(%c) %t, %h : i1, i32
  } do {
  ^bb0(%u: i1, %j: i32):
    scf.yield %yes, %j : i1, i32
  }
  %s = arith.select %r#0, %v, %a : i32
  return %s : i32
}
// =>
func.func @f(%a: i32, %v: i32, %n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%t = %a, %i = %n) : (i32, i32) -> (i32, i32) {
    %h = arith.shrsi %i, %c1 : i32
    %c = arith.cmpi ne, %h, %c0 : i32
    scf.condition(%c) %t, %h : i32, i32
  } do {
  ^bb0(%u: i32, %j: i32):
    scf.yield %v, %j : i32, i32
  }
  return %r#0 : i32
}
// -----
// a flag that says whether a for ran
func.func @f(%a: i32, %v: i32, %n: index, %m: index) -> i32 {
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r = scf.for %i = %n to %m step %c1 iter_args(%t = %no) -> (i1) {
    scf.yield %yes : i1
  }
  %s = arith.select %r, %v, %a : i32
  return %s : i32
}
// =>
func.func @f(%a: i32, %v: i32, %n: index, %m: index) -> i32 {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %n to %m step %c1 iter_args(%t = %a) -> (i32) {
    scf.yield %v : i32
  }
  return %r : i32
}
// -----
// nested loops whose slots cross
func.func @f(%a: i32, %b: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%u = %x, %v = %y) -> (i32, i32) {
      %k = arith.xori %u, %y : i32
      %l = arith.ori %v, %x : i32
      scf.yield %l, %k : i32, i32
    }
    scf.yield %q#1, %q#0 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// =>
func.func @f(%a: i32, %b: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %b, %x = %a) -> (i32, i32) {
    %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%v = %y, %u = %x) -> (i32, i32) {
      %l = arith.ori %x, %v : i32
      %k = arith.xori %y, %u : i32
      scf.yield %k, %l : i32, i32
    }
    scf.yield %q#1, %q#0 : i32, i32
  }
  return %r#1, %r#0 : i32, i32
}
// -----
// insertion at a place that a loop carries
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %v: f32, %n: index, %k: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %p = %k) -> (tensor<8xf32>, index) {
    %y = tensor.insert %v into %x[%p] : tensor<8xf32>
    %q = arith.muli %p, %c3 : index
    %w = arith.remui %q, %c8 : index
    scf.yield %y, %w : tensor<8xf32>, index
  }
  return %r#0 : tensor<8xf32>
}
// =>
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %v: f32, %n: index, %k: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %m = bufferization.to_buffer %a : tensor<8xf32> to memref<8xf32>
  %z = memref.alloc() : memref<8xf32>
  memref.copy %m, %z : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %k) -> (index) {
    memref.store %v, %z[%p] : memref<8xf32>
    %q = arith.muli %c3, %p : index
    %w = arith.remui %q, %c8 : index
    scf.yield %w : index
  }
  %t = bufferization.to_tensor %z restrict : memref<8xf32> to tensor<8xf32>
  return %t : tensor<8xf32>
}
// -----
// chosen either way
func.func @f(%c: i1, %a: tensor<8xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %x = tensor.insert_slice %b into %a[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  } else {
    %x = tensor.insert_slice %b into %a[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  %y = tensor.insert_slice %b into %r[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}
// =>
func.func @f(%c: i1, %a: tensor<8xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %x = tensor.insert_slice %b into %a[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %y = tensor.insert_slice %b into %x[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  } else {
    %x = tensor.insert_slice %b into %a[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %y = tensor.insert_slice %b into %x[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// -----
// a number that is broadcast
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %p = vector.broadcast %z : f32 to vector<1xf32>
  %q = vector.broadcast %p : vector<1xf32> to vector<4xf32>
  scf.for %j = %c0 to %n step %c1 {
    %v = vector.maskedload %m[%j], %k, %q : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>
  }
  return
}
// =>
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant dense<0.0> : vector<4xf32>
  scf.for %j = %c0 to %n step %c1 {
    %v = vector.maskedload %m[%j], %k, %q : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>
  }
  return
}
// -----
// a divisor in a body over buffers of a loop
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  scf.for %j = %c0 to %n step %c1 {
    %t = memref.alloca() : memref<8xi32>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<8xi32>) outs(%t : memref<8xi32>) {
    ^bb0(%x: i32, %o: i32):
      %y = arith.addi %x, %c3 : i32
      linalg.yield %y : i32
    }
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : memref<8xi32>) outs(%b : memref<8xi32>) {
    ^bb0(%x: i32, %o: i32):
      %y = arith.divsi %o, %x : i32
      linalg.yield %y : i32
    }
  }
  return
}
// =>
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %t = memref.alloca() : memref<8xi32>
  scf.for %j = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<8xi32>) outs(%t : memref<8xi32>) {
    ^bb0(%x: i32, %o: i32):
      %y = arith.addi %c3, %x : i32
      linalg.yield %y : i32
    }
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : memref<8xi32>) outs(%b : memref<8xi32>) {
    ^bb0(%x: i32, %o: i32):
      %y = arith.divsi %o, %x : i32
      linalg.yield %y : i32
    }
  }
  return
}
// -----
// a view of an aligned result
func.func @f(%a: memref<2x4xf32>) -> memref<8xf32> {
  %b = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
  memref.copy %a, %b : memref<2x4xf32> to memref<2x4xf32>
  %c = memref.collapse_shape %b [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  return %c : memref<8xf32>
}
// =>
func.func @f(%a: memref<2x4xf32>) -> memref<8xf32> {
  %b = memref.alloc() {alignment = 128 : i64} : memref<2x4xf32>
  %c = memref.collapse_shape %b [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  memref.copy %a, %b : memref<2x4xf32> to memref<2x4xf32>
  return %c : memref<8xf32>
}
// -----
// owned in some iterations, borrowed from one of two in others
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> (memref<f32>) {
    %s = scf.if %k -> (memref<f32>) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d : memref<f32>
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t : memref<f32>
    }
    scf.yield %s : memref<f32>
  }
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// =>
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a, %own = %false) -> (memref<f32>, i1) {
    %s, %f = scf.if %k -> (memref<f32>, i1) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d, %true : memref<f32>, i1
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t, %false : memref<f32>, i1
    }
    scf.if %own { memref.dealloc %y : memref<f32> }
    scf.yield %s, %f : memref<f32>, i1
  }
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  scf.if %o { memref.dealloc %r : memref<f32> }
  memref.dealloc %a : memref<f32>
  memref.dealloc %b : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// -----
// places in merged dimensions
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  %y = memref.collapse_shape %o [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2x3xf32>) outs(%y : memref<2x3xf32>) {
  ^bb0(%p: f32, %q: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %k = arith.muli %i, %c3 : index
    %l = arith.addi %k, %j : index
    %n = arith.index_cast %l : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// =>
#m = affine_map<(i) -> (i)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  %y = memref.collapse_shape %o [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %l = linalg.index 0 : index
    %n = arith.index_cast %l : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// -----
// places in split dimensions
#m = affine_map<(i) -> (i)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  %y = memref.collapse_shape %o [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %l = linalg.index 0 : index
    %n = arith.index_cast %l : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// =>
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  %y = memref.collapse_shape %o [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2x3xf32>) outs(%y : memref<2x3xf32>) {
  ^bb0(%p: f32, %q: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %k = arith.muli %i, %c3 : index
    %l = arith.addi %k, %j : index
    %n = arith.index_cast %l : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// -----
// an arena of constant and of dynamic regions
func.func @f(%a: memref<8xf32>, %b: memref<?xf32>) -> (memref<8xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %b, %c0 : memref<?xf32>
  %o = memref.alloc() : memref<8xf32>
  %q = memref.alloc(%d) : memref<?xf32>
  memref.copy %a, %o : memref<8xf32> to memref<8xf32>
  memref.copy %b, %q : memref<?xf32> to memref<?xf32>
  return %o, %q : memref<8xf32>, memref<?xf32>
}
// =>
func.func @f(%a: memref<8xf32>, %b: memref<?xf32>) -> (memref<8xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %d = memref.dim %b, %c0 : memref<?xf32>
  %o = memref.alloc() : memref<8xf32>
  %q = memref.alloc(%d) : memref<?xf32>
  %e = arith.muli %d, %c4 : index
  %t = arith.addi %e, %c32 : index
  %m = memref.alloc(%t) {alignment = 64 : i64} : memref<?xi8>
  %y = memref.view %m[%c32][%d] : memref<?xi8> to memref<?xf32>
  %x = memref.view %m[%c0][] : memref<?xi8> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  memref.copy %x, %o : memref<8xf32> to memref<8xf32>
  memref.copy %y, %q : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xi8>
  return %o, %q : memref<8xf32>, memref<?xf32>
}
// -----
// an unranked buffer is copied into a ranked one
func.func @f(%a: memref<*xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<?xf32>
  return
}
// =>
func.func @f(%a: memref<*xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<?xf32>
  memref.copy %a, %b : memref<*xf32> to memref<?xf32>
  return
}
// -----
// the result of a call is another buffer than its argument
func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %r = call @g(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %z = memref.load %r[%i] : memref<4xf32>
  return %z : f32
}
// =>
func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %r = call @g(%m) : (memref<4xf32>) -> memref<4xf32>
  %z = memref.load %r[%i] : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  return %z : f32
}
// -----
// a reduction that allocates
func.func @f(%m: memref<4xf32>, %x: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      %new = memref.alloc() : memref<4xf32>
      memref.dealloc %new : memref<4xf32>
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// -----
// unsigned loops
func.func @f(%t: tensor<4xf32>, %x: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.constant -1 : index
  %r0 = scf.for unsigned %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r1 = scf.for unsigned %i = %c1 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r2 = scf.for unsigned %i = %m1 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r3 = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r0, %r1, %r2, %r3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// unsigned loops from 0 are signed ones
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r0 = scf.for unsigned %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r1 = scf.for unsigned %i = %c0 to %c0 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r0, %r1 : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r1 = scf.for %i = %c0 to %c0 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r0, %r1 : tensor<4xf32>, tensor<4xf32>
}
