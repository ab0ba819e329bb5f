func.func @f(%a: index, %b: index, %m: memref<?x4xf32>, %t: tensor<?xf32>, %c: i1, %n: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c0 to %a step %c1 iter_args(%x = %t) -> tensor<?xf32> {
    %d0 = memref.dim %m, %c0 : memref<?x4xf32>
    %d1 = memref.dim %m, %a : memref<?x4xf32>
    %d2 = tensor.dim %t, %c0 : tensor<?xf32>
    %d3 = tensor.dim %t, %c7 : tensor<?xf32>
    %q0 = arith.divui %a, %b : index
    %q1 = arith.divui %a, %c2 : index
    %q2 = arith.divsi %a, %c2 : index
    %q3 = arith.remsi %a, %b : index
    %q4 = arith.ceildivsi %a, %c7 : index
    %e = tensor.empty(%d0) : tensor<?xf32>
    %cst = arith.constant 1.0 : f32
    %f = linalg.fill ins(%cst : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %g = scf.if %c -> tensor<?xf32> {
      %h = tensor.insert %cst into %f[%c0] : tensor<?xf32>
      scf.yield %h : tensor<?xf32>
    } else {
      scf.yield %f : tensor<?xf32>
    }
    %w = scf.for %j = %c0 to %a step %c1 iter_args(%y = %f) -> tensor<?xf32> {
      %h = tensor.insert %cst into %y[%j] : tensor<?xf32>
      scf.yield %h : tensor<?xf32>
    }
    %w2 = scf.for %j = %c0 to %a step %c2 iter_args(%y = %f) -> tensor<?xf32> {
      %h = tensor.insert %cst into %y[%j] : tensor<?xf32>
      scf.yield %h : tensor<?xf32>
    }
    %gg = tensor.generate %a {
    ^bb0(%k: index):
      tensor.yield %cst : f32
    } : tensor<?xf32>
    %ex = tensor.extract %t[%c0] : tensor<?xf32>
    %sl = tensor.extract_slice %t[%c1][%a][1] : tensor<?xf32> to tensor<?xf32>
    %pad = tensor.pad %sl low[%a] high[%b] {
    ^bb0(%k: index):
      tensor.yield %cst : f32
    } : tensor<?xf32> to tensor<?xf32>
    %er = scf.execute_region -> f32 {
      %z = arith.addf %cst, %cst : f32
      scf.yield %z : f32
    }
    %is = scf.index_switch %a -> f32
    case 2 { scf.yield %er : f32 }
    default { scf.yield %cst : f32 }
    %fa = scf.forall (%k) in (4) shared_outs(%o = %f) -> tensor<?xf32> {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sl into %o[0][%a][1] : tensor<?xf32> into tensor<?xf32>
      }
    }
    scf.parallel (%k) = (%c0) to (%a) step (%c1) {
      %zz = arith.addi %a, %b : index
      scf.reduce
    }
    "use"(%d0,%d1,%d2,%d3,%q0,%q1,%q2,%q3,%q4,%g,%w,%w2,%gg,%ex,%sl,%pad,%er,%is,%fa) : (index,index,index,index,index,index,index,index,index,tensor<?xf32>,tensor<?xf32>,tensor<?xf32>,tensor<?xf32>,f32,tensor<?xf32>,tensor<?xf32>,f32,f32,tensor<?xf32>)->()
    scf.yield %x : tensor<?xf32>
  }
  %ww = scf.while (%x = %n) : (i32) -> i32 {
    %k = arith.addi %n, %n : i32
    %p = arith.cmpi slt, %k, %x : i32
    scf.condition(%p) %x : i32
  } do {
  ^bb0(%y: i32):
    %k = arith.muli %n, %n : i32
    %l = arith.muli %k, %y : i32
    scf.yield %l : i32
  }
  affine.for %i = 0 to 10 {
    affine.parallel (%j) = (0) to (10) {
      %k = affine.apply affine_map<(d0)->(d0+1)>(%i)
      %k2 = affine.apply affine_map<()[s0]->(s0+1)>()[%a]
      %k3 = affine.min affine_map<()[s0]->(s0+1, 4)>()[%a]
      affine.if affine_set<(d0): (d0 - 3>=0)>(%i) { 
      }
      "use"(%k,%k2,%k3) : (index,index,index)->()
    }
    %arg = arith.constant 3.0 : f32
  }
  return %r : tensor<?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0] -> (s0 + 1, 4)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#set = affine_set<(d0) : (d0 - 3 >= 0)>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: memref<?x4xf32>, %arg3: tensor<?xf32>, %arg4: i1, %arg5: i32) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %dim = memref.dim %arg2, %c0 : memref<?x4xf32>
    %dim_0 = tensor.dim %arg3, %c0 : tensor<?xf32>
    %0 = arith.divui %arg0, %c2 : index
    %1 = arith.divsi %arg0, %c2 : index
    %2 = arith.remsi %arg0, %arg1 : index
    %3 = arith.ceildivsi %arg0, %c7 : index
    %4 = tensor.empty(%dim) : tensor<?xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?xf32>) -> tensor<?xf32>
    %6 = scf.if %arg4 -> (tensor<?xf32>) {
      %inserted = tensor.insert %cst into %5[%c0] : tensor<?xf32>
      scf.yield %inserted : tensor<?xf32>
    } else {
      scf.yield %5 : tensor<?xf32>
    }
    %7 = scf.for %arg6 = %c0 to %arg0 step %c1 iter_args(%arg7 = %5) -> (tensor<?xf32>) {
      %inserted = tensor.insert %cst into %arg7[%arg6] : tensor<?xf32>
      scf.yield %inserted : tensor<?xf32>
    }
    %extracted = tensor.extract %arg3[%c0] : tensor<?xf32>
    %extracted_slice = tensor.extract_slice %arg3[%c1] [%arg0] [1] : tensor<?xf32> to tensor<?xf32>
    %padded = tensor.pad %extracted_slice low[%arg0] high[%arg1] {
    ^bb0(%arg6: index):
      tensor.yield %cst : f32
    } : tensor<?xf32> to tensor<?xf32>
    %8 = arith.addi %arg0, %arg1 : index
    %9 = scf.for %arg6 = %c0 to %arg0 step %c1 iter_args(%arg7 = %arg3) -> (tensor<?xf32>) {
      %dim_2 = memref.dim %arg2, %arg0 : memref<?x4xf32>
      %dim_3 = tensor.dim %arg3, %c7 : tensor<?xf32>
      %15 = arith.divui %arg0, %arg1 : index
      %16 = scf.for %arg8 = %c0 to %arg0 step %c2 iter_args(%arg9 = %5) -> (tensor<?xf32>) {
        %inserted = tensor.insert %cst into %arg9[%arg8] : tensor<?xf32>
        scf.yield %inserted : tensor<?xf32>
      }
      %generated = tensor.generate %arg0 {
      ^bb0(%arg8: index):
        tensor.yield %cst : f32
      } : tensor<?xf32>
      %17 = scf.execute_region -> f32 {
        %20 = arith.addf %cst, %cst : f32
        scf.yield %20 : f32
      }
      %18 = scf.index_switch %arg0 -> f32 
      case 2 {
        scf.yield %17 : f32
      }
      default {
        scf.yield %cst : f32
      }
      %19 = scf.forall (%arg8) in (4) shared_outs(%arg9 = %5) -> (tensor<?xf32>) {
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %extracted_slice into %arg9[0] [%arg0] [1] : tensor<?xf32> into tensor<?xf32>
        }
      }
      scf.parallel (%arg8) = (%c0) to (%arg0) step (%c1) {
        scf.reduce 
      }
      "use"(%dim, %dim_2, %dim_0, %dim_3, %15, %0, %1, %2, %3, %6, %7, %16, %generated, %extracted, %extracted_slice, %padded, %17, %18, %19) : (index, index, index, index, index, index, index, index, index, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, f32, tensor<?xf32>, tensor<?xf32>, f32, f32, tensor<?xf32>) -> ()
      scf.yield %arg7 : tensor<?xf32>
    }
    %10 = arith.addi %arg5, %arg5 : i32
    %11 = arith.muli %arg5, %arg5 : i32
    %12 = scf.while (%arg6 = %arg5) : (i32) -> i32 {
      %15 = arith.cmpi slt, %10, %arg6 : i32
      scf.condition(%15) %arg6 : i32
    } do {
    ^bb0(%arg6: i32):
      %15 = arith.muli %11, %arg6 : i32
      scf.yield %15 : i32
    }
    %13 = affine.apply #map()[%arg0]
    %14 = affine.min #map1()[%arg0]
    %cst_1 = arith.constant 3.000000e+00 : f32
    affine.for %arg6 = 0 to 10 {
      %15 = affine.apply #map2(%arg6)
      affine.if #set(%arg6) {
      }
      affine.parallel (%arg7) = (0) to (10) {
        "use"(%15, %13, %14) : (index, index, index) -> ()
      }
    }
    return %9 : tensor<?xf32>
  }
}
// -----
/// What leaves the inner loop leaves the outer one, too; what uses a counter stays in its loop.
func.func @nested(%a: index, %m: memref<4x4xindex>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %0 = arith.addi %a, %a : index
      %1 = arith.addi %0, %i : index
      %2 = arith.addi %1, %j : index
      memref.store %2, %m[%i, %j] : memref<4x4xindex>
    }
  }
  return
}
// =>
module {
  func.func @nested(%arg0: index, %arg1: memref<4x4xindex>) {
    %0 = arith.addi %arg0, %arg0 : index
    affine.for %arg2 = 0 to 4 {
      %1 = arith.addi %0, %arg2 : index
      affine.for %arg3 = 0 to 4 {
        %2 = arith.addi %1, %arg3 : index
        memref.store %2, %arg1[%arg2, %arg3] : memref<4x4xindex>
      }
    }
    return
  }
}
// -----
/// Transfers on tensors may run early; those on memory may not.
func.func @transfers(%t: tensor<4x?xf32>, %m: memref<?xf32>, %v: vector<4xf32>, %k: vector<4xi1>, %i: index, %n: index, %p: f32) {
  %c1 = arith.constant 1 : index
  scf.for %j = %i to %n step %c1 {
    %0 = vector.transfer_read %t[%i, %i], %p : tensor<4x?xf32>, vector<4xf32>
    %1 = vector.transfer_read %m[%i], %p : memref<?xf32>, vector<4xf32>
    %2 = vector.transfer_write %v, %t[%i, %i] : vector<4xf32>, tensor<4x?xf32>
    %3 = vector.transfer_write %v, %2[%i, %i], %k : vector<4xf32>, tensor<4x?xf32>
    %4 = vector.transfer_write %v, %3[%i, %j] : vector<4xf32>, tensor<4x?xf32>
    "use"(%0, %1, %4) : (vector<4xf32>, vector<4xf32>, tensor<4x?xf32>) -> ()
  }
  return
}
// =>
module {
  func.func @transfers(%arg0: tensor<4x?xf32>, %arg1: memref<?xf32>, %arg2: vector<4xf32>, %arg3: vector<4xi1>, %arg4: index, %arg5: index, %arg6: f32) {
    %c1 = arith.constant 1 : index
    %0 = vector.transfer_read %arg0[%arg4, %arg4], %arg6 : tensor<4x?xf32>, vector<4xf32>
    %1 = vector.transfer_write %arg2, %arg0[%arg4, %arg4] : vector<4xf32>, tensor<4x?xf32>
    %2 = vector.transfer_write %arg2, %1[%arg4, %arg4], %arg3 : vector<4xf32>, tensor<4x?xf32>
    scf.for %arg7 = %arg4 to %arg5 step %c1 {
      %3 = vector.transfer_read %arg1[%arg4], %arg6 : memref<?xf32>, vector<4xf32>
      %4 = vector.transfer_write %arg2, %2[%arg4, %arg7] : vector<4xf32>, tensor<4x?xf32>
      "use"(%0, %3, %4) : (vector<4xf32>, vector<4xf32>, tensor<4x?xf32>) -> ()
    }
    return
  }
}
