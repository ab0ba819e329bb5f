// passes: -bufferization-lower-deallocations
// =====
// nothing, one, one against others
func.func @few(%m: memref<4xf32>, %c: i1, %r: memref<?xf32>, %s: memref<4xf32>) -> (i1, i1, i1) {
  bufferization.dealloc
  %0 = bufferization.dealloc retain (%r : memref<?xf32>)
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  %1:2 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r, %s : memref<?xf32>, memref<4xf32>)
  return %0, %1#0, %1#1 : i1, i1, i1
}
// ==>
module {
  func.func @few(%arg0: memref<4xf32>, %arg1: i1, %arg2: memref<?xf32>, %arg3: memref<4xf32>) -> (i1, i1, i1) {
    %false = arith.constant false
    %false_0 = arith.constant false
    scf.if %arg1 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<4xf32> -> index
    %intptr_1 = memref.extract_aligned_pointer_as_index %arg2 : memref<?xf32> -> index
    %0 = arith.cmpi ne, %intptr, %intptr_1 : index
    %intptr_2 = memref.extract_aligned_pointer_as_index %arg3 : memref<4xf32> -> index
    %1 = arith.cmpi ne, %intptr, %intptr_2 : index
    %2 = arith.andi %0, %1 : i1
    %3 = arith.andi %2, %arg1 : i1
    scf.if %3 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    %true = arith.constant true
    %4 = arith.xori %0, %true : i1
    %5 = arith.andi %4, %arg1 : i1
    %6 = arith.xori %1, %true : i1
    %7 = arith.andi %6, %arg1 : i1
    return %false_0, %5, %7 : i1, i1, i1
  }
}
// =====
// several: by way of a function, under a name that is free
func.func private @dealloc_helper()
func.func @many(%m: memref<4xf32>, %n: memref<8xf32>, %c: i1, %r: memref<?xf32>) -> i1 {
  %0 = bufferization.dealloc (%m, %n : memref<4xf32>, memref<8xf32>) if (%c, %c) retain (%r : memref<?xf32>)
  bufferization.dealloc (%m, %n : memref<4xf32>, memref<8xf32>) if (%c, %c)
  return %0 : i1
}
// ==>
module {
  func.func private @dealloc_helper()
  func.func @many(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: i1, %arg3: memref<?xf32>) -> i1 {
    %alloc = memref.alloc() : memref<2xindex>
    %alloc_0 = memref.alloc() : memref<2xi1>
    %alloc_1 = memref.alloc() : memref<1xindex>
    %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<4xf32> -> index
    %c0 = arith.constant 0 : index
    memref.store %intptr, %alloc[%c0] : memref<2xindex>
    %intptr_2 = memref.extract_aligned_pointer_as_index %arg1 : memref<8xf32> -> index
    %c1 = arith.constant 1 : index
    memref.store %intptr_2, %alloc[%c1] : memref<2xindex>
    %c0_3 = arith.constant 0 : index
    memref.store %arg2, %alloc_0[%c0_3] : memref<2xi1>
    %c1_4 = arith.constant 1 : index
    memref.store %arg2, %alloc_0[%c1_4] : memref<2xi1>
    %intptr_5 = memref.extract_aligned_pointer_as_index %arg3 : memref<?xf32> -> index
    %c0_6 = arith.constant 0 : index
    memref.store %intptr_5, %alloc_1[%c0_6] : memref<1xindex>
    %cast = memref.cast %alloc : memref<2xindex> to memref<?xindex>
    %cast_7 = memref.cast %alloc_0 : memref<2xi1> to memref<?xi1>
    %cast_8 = memref.cast %alloc_1 : memref<1xindex> to memref<?xindex>
    %alloc_9 = memref.alloc() : memref<2xi1>
    %alloc_10 = memref.alloc() : memref<1xi1>
    %cast_11 = memref.cast %alloc_9 : memref<2xi1> to memref<?xi1>
    %cast_12 = memref.cast %alloc_10 : memref<1xi1> to memref<?xi1>
    call @dealloc_helper_0(%cast, %cast_8, %cast_7, %cast_11, %cast_12) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
    %c0_13 = arith.constant 0 : index
    %0 = memref.load %alloc_9[%c0_13] : memref<2xi1>
    scf.if %0 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    %c1_14 = arith.constant 1 : index
    %1 = memref.load %alloc_9[%c1_14] : memref<2xi1>
    scf.if %1 {
      memref.dealloc %arg1 : memref<8xf32>
    }
    %c0_15 = arith.constant 0 : index
    %2 = memref.load %alloc_10[%c0_15] : memref<1xi1>
    memref.dealloc %alloc : memref<2xindex>
    memref.dealloc %alloc_1 : memref<1xindex>
    memref.dealloc %alloc_0 : memref<2xi1>
    memref.dealloc %alloc_9 : memref<2xi1>
    memref.dealloc %alloc_10 : memref<1xi1>
    %alloc_16 = memref.alloc() : memref<2xindex>
    %alloc_17 = memref.alloc() : memref<2xi1>
    %alloc_18 = memref.alloc() : memref<0xindex>
    %intptr_19 = memref.extract_aligned_pointer_as_index %arg0 : memref<4xf32> -> index
    %c0_20 = arith.constant 0 : index
    memref.store %intptr_19, %alloc_16[%c0_20] : memref<2xindex>
    %intptr_21 = memref.extract_aligned_pointer_as_index %arg1 : memref<8xf32> -> index
    %c1_22 = arith.constant 1 : index
    memref.store %intptr_21, %alloc_16[%c1_22] : memref<2xindex>
    %c0_23 = arith.constant 0 : index
    memref.store %arg2, %alloc_17[%c0_23] : memref<2xi1>
    %c1_24 = arith.constant 1 : index
    memref.store %arg2, %alloc_17[%c1_24] : memref<2xi1>
    %cast_25 = memref.cast %alloc_16 : memref<2xindex> to memref<?xindex>
    %cast_26 = memref.cast %alloc_17 : memref<2xi1> to memref<?xi1>
    %cast_27 = memref.cast %alloc_18 : memref<0xindex> to memref<?xindex>
    %alloc_28 = memref.alloc() : memref<2xi1>
    %alloc_29 = memref.alloc() : memref<0xi1>
    %cast_30 = memref.cast %alloc_28 : memref<2xi1> to memref<?xi1>
    %cast_31 = memref.cast %alloc_29 : memref<0xi1> to memref<?xi1>
    call @dealloc_helper_0(%cast_25, %cast_27, %cast_26, %cast_30, %cast_31) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
    %c0_32 = arith.constant 0 : index
    %3 = memref.load %alloc_28[%c0_32] : memref<2xi1>
    scf.if %3 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    %c1_33 = arith.constant 1 : index
    %4 = memref.load %alloc_28[%c1_33] : memref<2xi1>
    scf.if %4 {
      memref.dealloc %arg1 : memref<8xf32>
    }
    memref.dealloc %alloc_16 : memref<2xindex>
    memref.dealloc %alloc_18 : memref<0xindex>
    memref.dealloc %alloc_17 : memref<2xi1>
    memref.dealloc %alloc_28 : memref<2xi1>
    memref.dealloc %alloc_29 : memref<0xi1>
    return %2 : i1
  }
  func.func private @dealloc_helper_0(%arg0: memref<?xindex>, %arg1: memref<?xindex>, %arg2: memref<?xi1>, %arg3: memref<?xi1>, %arg4: memref<?xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %dim = memref.dim %arg0, %c0 : memref<?xindex>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xindex>
    scf.for %arg5 = %c0 to %dim_0 step %c1 {
      memref.store %false, %arg4[%arg5] : memref<?xi1>
    }
    scf.for %arg5 = %c0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg5] : memref<?xindex>
      %1 = memref.load %arg2[%arg5] : memref<?xi1>
      %2 = scf.for %arg6 = %c0 to %dim_0 step %c1 iter_args(%arg7 = %true) -> (i1) {
        %5 = memref.load %arg1[%arg6] : memref<?xindex>
        %6 = arith.cmpi eq, %5, %0 : index
        scf.if %6 {
          %9 = memref.load %arg4[%arg6] : memref<?xi1>
          %10 = arith.ori %9, %1 : i1
          memref.store %10, %arg4[%arg6] : memref<?xi1>
        }
        %7 = arith.cmpi ne, %5, %0 : index
        %8 = arith.andi %arg7, %7 : i1
        scf.yield %8 : i1
      }
      %3 = scf.for %arg6 = %c0 to %arg5 step %c1 iter_args(%arg7 = %2) -> (i1) {
        %5 = memref.load %arg0[%arg6] : memref<?xindex>
        %6 = arith.cmpi ne, %5, %0 : index
        %7 = arith.andi %arg7, %6 : i1
        scf.yield %7 : i1
      }
      %4 = arith.andi %3, %1 : i1
      memref.store %4, %arg3[%arg5] : memref<?xi1>
    }
    return
  }
}
// =====
// the function goes to the symbol table around
module {
  func.func @inner(%m: memref<4xf32>, %n: memref<8xf32>, %c: i1) {
    bufferization.dealloc (%m, %n : memref<4xf32>, memref<8xf32>) if (%c, %c)
    return
  }
}
func.func @outer(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}
// ==>
module {
  module {
    func.func @inner(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: i1) {
      %alloc = memref.alloc() : memref<2xindex>
      %alloc_0 = memref.alloc() : memref<2xi1>
      %alloc_1 = memref.alloc() : memref<0xindex>
      %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<4xf32> -> index
      %c0 = arith.constant 0 : index
      memref.store %intptr, %alloc[%c0] : memref<2xindex>
      %intptr_2 = memref.extract_aligned_pointer_as_index %arg1 : memref<8xf32> -> index
      %c1 = arith.constant 1 : index
      memref.store %intptr_2, %alloc[%c1] : memref<2xindex>
      %c0_3 = arith.constant 0 : index
      memref.store %arg2, %alloc_0[%c0_3] : memref<2xi1>
      %c1_4 = arith.constant 1 : index
      memref.store %arg2, %alloc_0[%c1_4] : memref<2xi1>
      %cast = memref.cast %alloc : memref<2xindex> to memref<?xindex>
      %cast_5 = memref.cast %alloc_0 : memref<2xi1> to memref<?xi1>
      %cast_6 = memref.cast %alloc_1 : memref<0xindex> to memref<?xindex>
      %alloc_7 = memref.alloc() : memref<2xi1>
      %alloc_8 = memref.alloc() : memref<0xi1>
      %cast_9 = memref.cast %alloc_7 : memref<2xi1> to memref<?xi1>
      %cast_10 = memref.cast %alloc_8 : memref<0xi1> to memref<?xi1>
      call @dealloc_helper(%cast, %cast_6, %cast_5, %cast_9, %cast_10) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
      %c0_11 = arith.constant 0 : index
      %0 = memref.load %alloc_7[%c0_11] : memref<2xi1>
      scf.if %0 {
        memref.dealloc %arg0 : memref<4xf32>
      }
      %c1_12 = arith.constant 1 : index
      %1 = memref.load %alloc_7[%c1_12] : memref<2xi1>
      scf.if %1 {
        memref.dealloc %arg1 : memref<8xf32>
      }
      memref.dealloc %alloc : memref<2xindex>
      memref.dealloc %alloc_1 : memref<0xindex>
      memref.dealloc %alloc_0 : memref<2xi1>
      memref.dealloc %alloc_7 : memref<2xi1>
      memref.dealloc %alloc_8 : memref<0xi1>
      return
    }
    func.func private @dealloc_helper(%arg0: memref<?xindex>, %arg1: memref<?xindex>, %arg2: memref<?xi1>, %arg3: memref<?xi1>, %arg4: memref<?xi1>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %true = arith.constant true
      %false = arith.constant false
      %dim = memref.dim %arg0, %c0 : memref<?xindex>
      %dim_0 = memref.dim %arg1, %c0 : memref<?xindex>
      scf.for %arg5 = %c0 to %dim_0 step %c1 {
        memref.store %false, %arg4[%arg5] : memref<?xi1>
      }
      scf.for %arg5 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg5] : memref<?xindex>
        %1 = memref.load %arg2[%arg5] : memref<?xi1>
        %2 = scf.for %arg6 = %c0 to %dim_0 step %c1 iter_args(%arg7 = %true) -> (i1) {
          %5 = memref.load %arg1[%arg6] : memref<?xindex>
          %6 = arith.cmpi eq, %5, %0 : index
          scf.if %6 {
            %9 = memref.load %arg4[%arg6] : memref<?xi1>
            %10 = arith.ori %9, %1 : i1
            memref.store %10, %arg4[%arg6] : memref<?xi1>
          }
          %7 = arith.cmpi ne, %5, %0 : index
          %8 = arith.andi %arg7, %7 : i1
          scf.yield %8 : i1
        }
        %3 = scf.for %arg6 = %c0 to %arg5 step %c1 iter_args(%arg7 = %2) -> (i1) {
          %5 = memref.load %arg0[%arg6] : memref<?xindex>
          %6 = arith.cmpi ne, %5, %0 : index
          %7 = arith.andi %arg7, %6 : i1
          scf.yield %7 : i1
        }
        %4 = arith.andi %3, %1 : i1
        memref.store %4, %arg3[%arg5] : memref<?xi1>
      }
      return
    }
  }
  func.func @outer(%arg0: memref<4xf32>, %arg1: i1) {
    scf.if %arg1 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    return
  }
}
