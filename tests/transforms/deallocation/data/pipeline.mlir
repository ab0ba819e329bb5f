// passes: -buffer-deallocation-pipeline
// =====
// a choice between what is owned and what is not, returned
func.func @choice(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %n : memref<4xf32>
  return %s : memref<4xf32>
}
// ==>
module {
  func.func @choice(%arg0: i1, %arg1: memref<4xf32>) -> memref<4xf32> {
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
    %0 = arith.select %arg0, %arg1, %alloc : memref<4xf32>
    %1 = scf.if %arg0 -> (memref<4xf32>) {
      %3 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
      scf.yield %3 : memref<4xf32>
    } else {
      scf.yield %0 : memref<4xf32>
    }
    %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<4xf32> -> index
    %intptr_0 = memref.extract_aligned_pointer_as_index %1 : memref<4xf32> -> index
    %2 = arith.cmpi ne, %intptr, %intptr_0 : index
    scf.if %2 {
      memref.dealloc %alloc : memref<4xf32>
    }
    return %1 : memref<4xf32>
  }
}
// =====
// the diamond
func.func @diamond(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^join(%a : memref<4xf32>)
^right:
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  cf.br ^join(%n : memref<4xf32>)
^join(%p: memref<4xf32>):
  memref.copy %p, %o : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @diamond(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    cf.cond_br %arg0, ^bb2(%arg1, %false : memref<4xf32>, i1), ^bb1
  ^bb1:  // pred: ^bb0
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
    cf.br ^bb2(%alloc, %true : memref<4xf32>, i1)
  ^bb2(%0: memref<4xf32>, %1: i1):  // 2 preds: ^bb0, ^bb1
    memref.copy %0, %arg2 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
    scf.if %1 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return
  }
}
// =====
// a loop that makes a new buffer each time
func.func @loop(%lb: index, %ub: index, %st: index, %a: memref<4xf32>, %o: memref<4xf32>) {
  %r = scf.for %i = %lb to %ub step %st iter_args(%x = %a) -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %x, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @loop(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4xf32>, %arg4: memref<4xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %0:2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3, %arg7 = %false) -> (memref<4xf32>, i1) {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg6, %alloc : memref<4xf32> to memref<4xf32>
      %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %arg6 : memref<4xf32> -> memref<f32>, index, index, index
      scf.if %arg7 {
        memref.dealloc %base_buffer_0 : memref<f32>
      }
      scf.yield %alloc, %true : memref<4xf32>, i1
    }
    memref.copy %0#0, %arg4 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    scf.if %0#1 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return
  }
}
// =====
// used on one side only: freed under the condition that the other is taken
func.func @one_side(%c: i1, %o: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %o, %n : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^end, ^use
^use:
  memref.copy %n, %o : memref<4xf32> to memref<4xf32>
  cf.br ^end
^end:
  return
}
// ==>
module {
  func.func @one_side(%arg0: i1, %arg1: memref<4xf32>) {
    %true = arith.constant true
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
    scf.if %arg0 {
      memref.dealloc %alloc : memref<4xf32>
    }
    %0 = arith.xori %arg0, %true : i1
    cf.cond_br %arg0, ^bb2, ^bb1
  ^bb1:  // pred: ^bb0
    memref.copy %alloc, %arg1 : memref<4xf32> to memref<4xf32>
    scf.if %0 {
      memref.dealloc %alloc : memref<4xf32>
    }
    cf.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    return
  }
}
// =====
// a buffer that grows
func.func @grow(%o: memref<8xf32>, %i: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %i, %n : memref<4xf32> to memref<4xf32>
  %m = memref.realloc %n : memref<4xf32> to memref<8xf32>
  memref.copy %m, %o : memref<8xf32> to memref<8xf32>
  return
}
// ==>
module {
  func.func @grow(%arg0: memref<8xf32>, %arg1: memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
    %alloc_0 = memref.alloc() : memref<8xf32>
    %subview = memref.subview %alloc_0[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %alloc, %subview : memref<4xf32> to memref<4xf32, strided<[1]>>
    memref.copy %alloc_0, %arg0 : memref<8xf32> to memref<8xf32>
    memref.dealloc %alloc : memref<4xf32>
    memref.dealloc %alloc_0 : memref<8xf32>
    return
  }
}
// =====
// two calls, one result of which is returned
func.func private @f() -> memref<4xf32>
func.func @calls() -> memref<4xf32> {
  %a = call @f() : () -> memref<4xf32>
  %b = call @f() : () -> memref<4xf32>
  return %b : memref<4xf32>
}
// ==>
module {
  func.func private @f() -> memref<4xf32>
  func.func @calls() -> memref<4xf32> {
    %0 = call @f() : () -> memref<4xf32>
    %1 = call @f() : () -> memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
    %intptr = memref.extract_aligned_pointer_as_index %base_buffer : memref<f32> -> index
    %intptr_0 = memref.extract_aligned_pointer_as_index %1 : memref<4xf32> -> index
    %2 = arith.cmpi ne, %intptr, %intptr_0 : index
    scf.if %2 {
      memref.dealloc %base_buffer : memref<f32>
    }
    return %1 : memref<4xf32>
  }
}
