func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  test.buffer_based in(%arg1: memref<2xf32>) out(%arg2: memref<2xf32>)
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  test.buffer_based in(%arg1: memref<2xf32>) out(%0: memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  test.copy(%1, %arg2) : (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  test.buffer_based in(%arg1 : memref<2xf32>) out(%arg2 : memref<2xf32>)
  %0 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb2:  // pred: ^bb0
  %alloc = memref.alloc() : memref<2xf32>
  test.buffer_based in(%arg1 : memref<2xf32>) out(%alloc : memref<2xf32>)
  cf.br ^bb3(%alloc : memref<2xf32>)
^bb3(%1: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
  test.copy(%1, %arg2) : (memref<2xf32>, memref<2xf32>)
  memref.dealloc %1 : memref<2xf32>
  return
}

// -----

func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  test.buffer_based in(%arg1 : memref<2xf32>) out(%arg2 : memref<2xf32>)
  cf.br ^bb3(%arg1, %false : memref<2xf32>, i1)
^bb2:  // pred: ^bb0
  %alloc = memref.alloc() : memref<2xf32>
  test.buffer_based in(%arg1 : memref<2xf32>) out(%alloc : memref<2xf32>)
  cf.br ^bb3(%alloc, %true : memref<2xf32>, i1)
^bb3(%0: memref<2xf32>, %1: i1):  // 2 preds: ^bb1, ^bb2
  test.copy(%0, %arg2) : (memref<2xf32>, memref<2xf32>)
  %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0 : memref<2xf32> -> memref<f32>, index, index, index
  scf.if %1 {
    memref.dealloc %base_buffer : memref<f32>
  }
  return
}

// -----

func.func @test2() -> (memref<1xf64>, memref<1xf64>) {
  %1 = memref.alloc() : memref<1xf64>
  return %1, %1 : memref<1xf64>, memref<1xf64>
}

// -----

func.func @top() {
  %true = arith.constant true
  %0:2 = call @test2() : () -> (memref<1xf64>, memref<1xf64>)
  bufferization.dealloc (%0#0, %0#1 : memref<1xf64>, memref<1xf64>) if (%true, %true)
  return
}

// -----

func.func @top() {
  %true = arith.constant true
  %0:2 = call @test2() : () -> (memref<1xf64>, memref<1xf64>)
  memref.dealloc %0#0 : memref<1xf64>
  %intptr = memref.extract_aligned_pointer_as_index %0#0 : memref<f64> -> index
  %intptr_0 = memref.extract_aligned_pointer_as_index %0#1 : memref<f64> -> index
  %1 = arith.cmpi ne, %intptr, %intptr_0 : index
  scf.if %1 {
    memref.dealloc %0#1 : memref<1xf64>
  }
  return
}

// -----

func.func @_ZN10numba_mlir4mlir5tests10test_basic12test_prange112_3clocals_3e11py_func_241B106c8tJTC_2fWQAlzW1yBDkop6GEOEUMEOYSPGuIQMViAQ3iQ8IbKQIMbwoOGNoQDDWwQR1NHAS3lQ9XgSucwm4pgLNTQs80DZTPd3JzMIk0AEx(%arg0: i64 {numba.restrict}) -> i64 attributes {gpu_runtime.fp64_truncate = false, gpu_runtime.use_64bit_index = true, numba.max_concurrency = 16 : i64, numba.opt_level = 3 : i64} {
  %c0_i64 = arith.constant 0 : i64
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = numba_util.env_region #numba_util.parallel -> i64 {
    %1 = arith.index_cast %arg0 : i64 to index
    %2 = scf.parallel (%arg1) = (%c0) to (%1) step (%c1) init (%c0_i64) -> i64 {
      %3 = arith.index_cast %arg1 : index to i64
      scf.reduce(%3)  : i64 {
      ^bb0(%arg2: i64, %arg3: i64):
        %4 = arith.addi %arg2, %arg3 : i64
        scf.reduce.return %4 : i64
      }
      scf.yield
    }
    numba_util.env_region_yield %2 : i64
  }
  return %0 : i64
}
