module {
  func.func @red(%arg0: memref<100xf32>, %arg1: index) -> (f32, f32, f32) {
    %c0 = arith.constant 0 : index
    %c100 = arith.constant 100 : index
    %0 = arith.minsi %c100, %arg1 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %1:3 = scf.parallel (%arg2) = (%c0) to (%0) step (%c1) init (%cst, %cst_0, %cst_1) -> (f32, f32, f32) {
      %2 = memref.load %arg0[%arg2] : memref<100xf32>
      scf.reduce(%2, %2, %2 : f32, f32, f32) {
      ^bb0(%arg3: f32, %arg4: f32):
        %3 = arith.addf %arg3, %arg4 : f32
        scf.reduce.return %3 : f32
      }, {
      ^bb0(%arg3: f32, %arg4: f32):
        %3 = arith.maximumf %arg3, %arg4 : f32
        scf.reduce.return %3 : f32
      }, {
      ^bb0(%arg3: f32, %arg4: f32):
        %3 = arith.mulf %arg3, %arg4 : f32
        scf.reduce.return %3 : f32
      }
    }
    return %1#0, %1#1, %1#2 : f32, f32, f32
  }
  func.func @red2(%arg0: memref<100xi32>) -> (i32, i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c100 = arith.constant 100 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c-1_i32 = arith.constant -1 : i32
    %0:4 = scf.parallel (%arg1) = (%c0) to (%c100) step (%c1) init (%c0_i32, %c1_i32, %c0_i32_0, %c-1_i32) -> (i32, i32, i32, i32) {
      %1 = memref.load %arg0[%arg1] : memref<100xi32>
      scf.reduce(%1, %1, %1, %1 : i32, i32, i32, i32) {
      ^bb0(%arg2: i32, %arg3: i32):
        %2 = arith.addi %arg2, %arg3 : i32
        scf.reduce.return %2 : i32
      }, {
      ^bb0(%arg2: i32, %arg3: i32):
        %2 = arith.muli %arg2, %arg3 : i32
        scf.reduce.return %2 : i32
      }, {
      ^bb0(%arg2: i32, %arg3: i32):
        %2 = arith.ori %arg2, %arg3 : i32
        scf.reduce.return %2 : i32
      }, {
      ^bb0(%arg2: i32, %arg3: i32):
        %2 = arith.andi %arg2, %arg3 : i32
        scf.reduce.return %2 : i32
      }
    }
    return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i32
  }
  func.func @red3(%arg0: memref<100xf64>) -> f64 {
    %c0 = arith.constant 0 : index
    %c100 = arith.constant 100 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0x7FF0000000000000 : f64
    %0 = scf.parallel (%arg1) = (%c0) to (%c100) step (%c1) init (%cst) -> f64 {
      %1 = memref.load %arg0[%arg1] : memref<100xf64>
      scf.reduce(%1 : f64) {
      ^bb0(%arg2: f64, %arg3: f64):
        %2 = arith.minimumf %arg2, %arg3 : f64
        scf.reduce.return %2 : f64
      }
    }
    return %0 : f64
  }
}

// -----
module {
  func.func @lin(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg4 = %c0 to %arg2 step %c1 iter_args(%arg5 = %c0) -> (index) {
      %1 = arith.muli %arg3, %arg2 overflow<nsw> : index
      %2 = arith.muli %arg4, %1 overflow<nsw> : index
      %3 = arith.muli %arg1, %arg3 overflow<nsw> : index
      %4 = arith.addi %3, %arg0 overflow<nsw> : index
      %5 = arith.addi %4, %2 overflow<nsw> : index
      %c5 = arith.constant 5 : index
      %c5_0 = arith.constant 5 : index
      %6 = arith.muli %arg2, %c5_0 overflow<nsw, nuw> : index
      %7 = arith.muli %arg4, %6 overflow<nsw> : index
      %8 = arith.muli %arg1, %c5 overflow<nsw> : index
      %9 = arith.addi %8, %arg0 overflow<nsw> : index
      %10 = arith.addi %9, %7 overflow<nsw> : index
      %11 = arith.addi %5, %10 : index
      %c4 = arith.constant 4 : index
      %12 = arith.muli %arg3, %c4 overflow<nsw, nuw> : index
      %13 = arith.muli %arg3, %arg2 overflow<nsw, nuw> : index
      %c4_1 = arith.constant 4 : index
      %14 = arith.muli %13, %c4_1 overflow<nsw, nuw> : index
      %c0_2 = arith.constant 0 : index
      %15 = arith.floordivsi %11, %14 : index
      %16 = arith.remsi %11, %14 : index
      %17 = arith.cmpi slt, %16, %c0_2 : index
      %18 = arith.addi %16, %14 overflow<nsw> : index
      %19 = arith.select %17, %18, %16 : index
      %20 = arith.divsi %19, %12 : index
      %21 = arith.remsi %11, %12 : index
      %22 = arith.cmpi slt, %21, %c0_2 : index
      %23 = arith.addi %21, %12 overflow<nsw> : index
      %24 = arith.select %22, %23, %21 : index
      %25 = arith.divsi %24, %arg3 : index
      %26 = arith.remsi %11, %arg3 : index
      %27 = arith.cmpi slt, %26, %c0_2 : index
      %28 = arith.addi %26, %arg3 overflow<nsw> : index
      %29 = arith.select %27, %28, %26 : index
      %30 = arith.addi %20, %29 : index
      %31 = arith.addi %30, %11 : index
      scf.yield %31 : index
    }
    return %0 : index
  }
}

// -----
module {
  func.func @lin(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index) {
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %0 = arith.muli %c3, %c1_0 overflow<nsw> : index
    %1 = arith.muli %arg1, %c1 overflow<nsw> : index
    %2 = arith.addi %0, %1 overflow<nsw> : index
    %3 = arith.addi %2, %arg0 overflow<nsw> : index
    %c30 = arith.constant 30 : index
    %c1_1 = arith.constant 1 : index
    %4 = arith.muli %arg1, %arg2 overflow<nsw> : index
    %5 = arith.muli %arg0, %c1_1 overflow<nsw> : index
    %6 = arith.addi %4, %5 overflow<nsw> : index
    %7 = arith.addi %6, %c3 overflow<nsw> : index
    %c1_2 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %8 = arith.floordivsi %7, %c1_2 : index
    %9 = arith.remsi %7, %c1_2 : index
    %10 = arith.cmpi slt, %9, %c0 : index
    %11 = arith.addi %9, %c1_2 overflow<nsw> : index
    %12 = arith.select %10, %11, %9 : index
    %13 = arith.muli %arg3, %arg2 overflow<nsw, nuw> : index
    %c0_3 = arith.constant 0 : index
    %14 = arith.floordivsi %7, %13 : index
    %15 = arith.remsi %7, %13 : index
    %16 = arith.cmpi slt, %15, %c0_3 : index
    %17 = arith.addi %15, %13 overflow<nsw> : index
    %18 = arith.select %16, %17, %15 : index
    %19 = arith.divsi %18, %arg3 : index
    %20 = arith.remsi %7, %arg3 : index
    %21 = arith.cmpi slt, %20, %c0_3 : index
    %22 = arith.addi %20, %arg3 overflow<nsw> : index
    %23 = arith.select %21, %22, %20 : index
    %24 = arith.addi %3, %c30 : index
    %25 = arith.addi %24, %arg1 : index
    %26 = arith.addi %25, %8 : index
    %27 = arith.addi %26, %12 : index
    %28 = arith.addi %27, %19 : index
    return %28, %7 : index, index
  }
}

// -----
module {
  func.func @element_of_insert(%arg0: tensor<4x4xi64>, %arg1: i64, %arg2: index) -> (i64, i64, i64) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %inserted = tensor.insert %arg1 into %arg0[%c1, %c0] : tensor<4x4xi64>
    %extracted = tensor.extract %inserted[%c2, %c0] : tensor<4x4xi64>
    return %arg1, %arg1, %extracted : i64, i64, i64
  }
}

