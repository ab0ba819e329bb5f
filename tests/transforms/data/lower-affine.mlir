func.func @f(%m: memref<?x8xf32>, %n: index, %v: f32) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> ((d0 floordiv 3) mod 5 + s0 ceildiv 7 - 3)>(%n)[%n]
  affine.for %i = 0 to %n step 2 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (8, d0 + 4)>(%i) {
      affine.store %v, %m[%i + 1, %j] : memref<?x8xf32>
    }
  }
  affine.if affine_set<(d0) : (d0 - 3 >= 0, d0 == 0)>(%n) { affine.store %v, %m[0, 0] : memref<?x8xf32> }
  affine.parallel (%i, %j) = (0, 0) to (10, %n) step (1, 2) { affine.store %v, %m[%i, %j] : memref<?x8xf32> }
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: memref<?x8xf32>, %arg1: index, %arg2: f32) -> index {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c-1 = arith.constant -1 : index
    %0 = arith.cmpi slt, %arg1, %c0 : index
    %1 = arith.subi %c-1, %arg1 : index
    %2 = arith.select %0, %1, %arg1 : index
    %3 = arith.divsi %2, %c3 : index
    %4 = arith.subi %c-1, %3 : index
    %5 = arith.select %0, %4, %3 : index
    %c5 = arith.constant 5 : index
    %6 = arith.remsi %5, %c5 : index
    %c0_0 = arith.constant 0 : index
    %7 = arith.cmpi slt, %6, %c0_0 : index
    %8 = arith.addi %6, %c5 : index
    %9 = arith.select %7, %8, %6 : index
    %c7 = arith.constant 7 : index
    %c0_1 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %10 = arith.cmpi sle, %arg1, %c0_1 : index
    %11 = arith.subi %c0_1, %arg1 : index
    %12 = arith.subi %arg1, %c1 : index
    %13 = arith.select %10, %11, %12 : index
    %14 = arith.divsi %13, %c7 : index
    %15 = arith.subi %c0_1, %14 : index
    %16 = arith.addi %14, %c1 : index
    %17 = arith.select %10, %15, %16 : index
    %18 = arith.addi %9, %17 : index
    %c-3 = arith.constant -3 : index
    %19 = arith.addi %18, %c-3 : index
    %c0_2 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    scf.for %arg3 = %c0_2 to %arg1 step %c2 {
      %c8 = arith.constant 8 : index
      %c4 = arith.constant 4 : index
      %24 = arith.addi %arg3, %c4 : index
      %25 = arith.minsi %c8, %24 : index
      %c1_9 = arith.constant 1 : index
      scf.for %arg4 = %arg3 to %25 step %c1_9 {
        %c1_10 = arith.constant 1 : index
        %26 = arith.addi %arg3, %c1_10 : index
        memref.store %arg2, %arg0[%26, %arg4] : memref<?x8xf32>
      }
    }
    %c0_3 = arith.constant 0 : index
    %c-3_4 = arith.constant -3 : index
    %20 = arith.addi %arg1, %c-3_4 : index
    %21 = arith.cmpi sge, %20, %c0_3 : index
    %22 = arith.cmpi eq, %arg1, %c0_3 : index
    %23 = arith.andi %21, %22 : i1
    scf.if %23 {
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      memref.store %arg2, %arg0[%c0_9, %c0_10] : memref<?x8xf32>
    }
    %c0_5 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %c0_6 = arith.constant 0 : index
    %c1_7 = arith.constant 1 : index
    %c2_8 = arith.constant 2 : index
    scf.parallel (%arg3, %arg4) = (%c0_5, %c0_6) to (%c10, %arg1) step (%c1_7, %c2_8) {
      memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x8xf32>
      scf.reduce 
    }
    return %19 : index
  }
}

// -----
func.func @copies(%a: memref<64xf32>, %b: memref<64xf32, 1>, %tag: memref<1xi32>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    affine.dma_start %a[%i * 2 + symbol(%s)], %b[%i], %tag[0], %n : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
    affine.dma_start %a[%i], %b[%i + 1], %tag[%c0], %n, %s, %n : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[0], %n : memref<1xi32>
  }
  return
}
// =>
module {
  func.func @copies(%arg0: memref<64xf32>, %arg1: memref<64xf32, 1>, %arg2: memref<1xi32>, %arg3: index, %arg4: index) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %arg5 = %c0_0 to %c8 step %c1 {
      %c2 = arith.constant 2 : index
      %0 = arith.muli %arg5, %c2 overflow<nsw> : index
      %1 = arith.addi %0, %arg4 : index
      %c0_1 = arith.constant 0 : index
      memref.dma_start %arg0[%1], %arg1[%arg5], %arg3, %arg2[%c0_1] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
      %c1_2 = arith.constant 1 : index
      %2 = arith.addi %arg5, %c1_2 : index
      memref.dma_start %arg0[%arg5], %arg1[%2], %arg3, %arg2[%c0], %arg4, %arg3 : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
      %c0_3 = arith.constant 0 : index
      memref.dma_wait %arg2[%c0_3], %arg3 : memref<1xi32>
    }
    return
  }
}
// -----
memref.global "private" constant @g : memref<3xi8> = dense<[1, 2, 3]>
memref.global "private" constant @s : memref<3xi8> = dense<7>
func.func @f(%i: index) -> (i8, i8, i8, i8, index, index, index) {
  %g = memref.get_global @g : memref<3xi8>
  %s = memref.get_global @s : memref<3xi8>
  %c1 = arith.constant 1 : index
  %a = affine.load %g[1] : memref<3xi8>
  %b = affine.load %g[%c1] : memref<3xi8>
  %c = affine.load %s[%i] : memref<3xi8>
  %d = memref.load %g[%c1] : memref<3xi8>
  %e = affine.apply affine_map<(d0) -> (d0)>(%i)
  %x = affine.apply affine_map<(d0) -> (d0 + 3)>(%c1)
  %h = affine.min affine_map<(d0) -> (d0, 5)>(%c1)
  return %a, %b, %c, %d, %e, %x, %h : i8, i8, i8, i8, index, index, index
}
// =>
module {
  memref.global "private" constant @g : memref<3xi8> = dense<[1, 2, 3]>
  memref.global "private" constant @s : memref<3xi8> = dense<7>
  func.func @f(%arg0: index) -> (i8, i8, i8, i8, index, index, index) {
    %0 = memref.get_global @g : memref<3xi8>
    %1 = memref.get_global @s : memref<3xi8>
    %c1 = arith.constant 1 : index
    %c2_i8 = arith.constant 2 : i8
    %2 = memref.load %0[%c1] : memref<3xi8>
    %c7_i8 = arith.constant 7 : i8
    %3 = memref.load %0[%c1] : memref<3xi8>
    %c4 = arith.constant 4 : index
    %c1_0 = arith.constant 1 : index
    return %c2_i8, %2, %c7_i8, %3, %arg0, %c4, %c1_0 : i8, i8, i8, i8, index, index, index
  }
}
// -----
func.func @unreachable(%m: memref<4xf32>, %i: index) {
  return
^a:
  %x = affine.load %m[%i] : memref<4xf32>
  return
}
// =>
module {
  func.func @unreachable(%arg0: memref<4xf32>, %arg1: index) {
    return
  ^bb1:  // no predecessors
    %0 = affine.load %arg0[%arg1] : memref<4xf32>
    return
  }
}
