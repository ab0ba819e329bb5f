// passes: -ownership-based-buffer-deallocation
// =====
// constants of later allocations stand above those of earlier ones, arguments come first
memref.global @g : memref<4xf32>
func.func @kinds(%a: memref<4xf32>, %b: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %g = memref.get_global @g : memref<4xf32>
  %s = memref.alloca() : memref<4xf32>
  %v = memref.subview %n[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %c = bufferization.clone %b : memref<4xf32> to memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  memref.global @g : memref<4xf32>
  func.func @kinds(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %true_0 = arith.constant true
    %false_1 = arith.constant false
    %false_2 = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %false_3 = arith.constant false
    %0 = memref.get_global @g : memref<4xf32>
    %alloca = memref.alloca() : memref<4xf32>
    %subview = memref.subview %alloc[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    %1 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_4, %offset_5, %sizes_6, %strides_7 = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_8, %offset_9, %sizes_10, %strides_11 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_12, %offset_13, %sizes_14, %strides_15 = memref.extract_strided_metadata %1 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_4, %base_buffer_8, %base_buffer_12 : memref<f32>, memref<f32>, memref<f32>, memref<f32>) if (%false_1, %false_2, %true_0, %true)
    return
  }
}
// =====
// the caller owns what is returned: what may not be owned is copied at run time
func.func @argument(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func @own() -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  return %n : memref<4xf32>
}
func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  return %n, %n : memref<4xf32>, memref<4xf32>
}
// ==>
module {
  func.func @argument(%arg0: memref<4xf32>) -> memref<4xf32> {
    %false = arith.constant false
    %0 = scf.if %false -> (memref<4xf32>) {
      scf.yield %arg0 : memref<4xf32>
    } else {
      %2 = bufferization.clone %arg0 : memref<4xf32> to memref<4xf32>
      scf.yield %2 : memref<4xf32>
    }
    %true = arith.constant true
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
    %1 = bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true) retain (%0 : memref<4xf32>)
    return %0 : memref<4xf32>
  }
  func.func @own() -> memref<4xf32> {
    %true = arith.constant true
    %alloc = memref.alloc() : memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %0 = bufferization.dealloc (%base_buffer : memref<f32>) if (%true) retain (%alloc : memref<4xf32>)
    return %alloc : memref<4xf32>
  }
  func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
    %true = arith.constant true
    %alloc = memref.alloc() : memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %0:2 = bufferization.dealloc (%base_buffer : memref<f32>) if (%true) retain (%alloc, %alloc : memref<4xf32>, memref<4xf32>)
    return %alloc, %alloc : memref<4xf32>, memref<4xf32>
  }
}
// =====
// of a choice, ownership can be chosen alike, unless a view hides it
func.func @select(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %n : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @hidden(%c: i1, %a: memref<4xf32>) -> memref<?xf32> {
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %n : memref<4xf32>
  %d = memref.cast %s : memref<4xf32> to memref<?xf32>
  return %d : memref<?xf32>
}
// ==>
module {
  func.func @select(%arg0: i1, %arg1: memref<4xf32>) -> memref<4xf32> {
    %true = arith.constant true
    %false = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %0 = arith.select %arg0, %arg1, %alloc : memref<4xf32>
    %1 = arith.select %arg0, %false, %true : i1
    %2 = scf.if %1 -> (memref<4xf32>) {
      scf.yield %0 : memref<4xf32>
    } else {
      %4 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
      scf.yield %4 : memref<4xf32>
    }
    %true_0 = arith.constant true
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %2 : memref<4xf32> -> memref<f32>, index, index, index
    %3 = bufferization.dealloc (%base_buffer, %base_buffer_1, %base_buffer_5 : memref<f32>, memref<f32>, memref<f32>) if (%false, %true, %true_0) retain (%2 : memref<4xf32>)
    return %2 : memref<4xf32>
  }
  func.func @hidden(%arg0: i1, %arg1: memref<4xf32>) -> memref<?xf32> {
    %true = arith.constant true
    %false = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %0 = arith.select %arg0, %arg1, %alloc : memref<4xf32>
    %cast = memref.cast %0 : memref<4xf32> to memref<?xf32>
    %1 = bufferization.clone %cast : memref<?xf32> to memref<?xf32>
    %true_0 = arith.constant true
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %1 : memref<?xf32> -> memref<f32>, index, index, index
    %2 = bufferization.dealloc (%base_buffer, %base_buffer_1, %base_buffer_5 : memref<f32>, memref<f32>, memref<f32>) if (%false, %true, %true_0) retain (%1 : memref<?xf32>)
    return %1 : memref<?xf32>
  }
}
// =====
// freed by hand: guarded by an assertion
func.func @manual(%a: memref<4xf32>) {
  %n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %n {bufferization.manual_deallocation} : memref<4xf32>
  return
}
// ==>
module {
  func.func @manual(%arg0: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %alloc = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
    %true = arith.constant true
    %0 = arith.xori %false, %true : i1
    cf.assert %0, "expected that the block does not have ownership"
    memref.dealloc %alloc {bufferization.manual_deallocation} : memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer : memref<f32>) if (%false_0)
    return
  }
}
// =====
// a loop carries who owns what it carries
func.func @loop(%lb: index, %ub: index, %st: index, %a: memref<4xf32>) {
  %r = scf.for %i = %lb to %ub step %st iter_args(%x = %a) -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %x, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @loop(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %0:2 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %arg3, %arg6 = %false) -> (memref<4xf32>, i1) {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg5, %alloc : memref<4xf32> to memref<4xf32>
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg5 : memref<4xf32> -> memref<f32>, index, index, index
      %base_buffer_9, %offset_10, %sizes_11, %strides_12 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %1 = bufferization.dealloc (%base_buffer_5, %base_buffer_9 : memref<f32>, memref<f32>) if (%arg6, %true) retain (%alloc : memref<4xf32>)
      scf.yield %alloc, %1 : memref<4xf32>, i1
    }
    memref.copy %0#0, %arg3 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg3 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%false_0, %0#1)
    return
  }
}
// =====
// branches of scf.if; what is captured is not owned inside
func.func @if(%c: i1, %a: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @if(%arg0: i1, %arg1: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %0:2 = scf.if %arg0 -> (memref<4xf32>, i1) {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %1 = bufferization.dealloc (%base_buffer_5 : memref<f32>) if (%true) retain (%alloc : memref<4xf32>)
      scf.yield %alloc, %1 : memref<4xf32>, i1
    } else {
      %false_5 = arith.constant false
      %1 = bufferization.dealloc retain (%arg1 : memref<4xf32>)
      scf.yield %arg1, %1 : memref<4xf32>, i1
    }
    memref.copy %0#0, %arg1 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%false_0, %0#1)
    return
  }
}
// =====
// both regions of a while loop, and operands in another order after the first
func.func @while(%a: memref<4xf32>, %c: i1, %n: index) {
  %r:2 = scf.while (%x = %a, %k = %n) : (memref<4xf32>, index) -> (index, memref<4xf32>) {
    scf.condition(%c) %k, %x : index, memref<4xf32>
  } do {
  ^bb0(%k2: index, %y: memref<4xf32>):
    %m = memref.alloc() : memref<4xf32>
    scf.yield %m, %k2 : memref<4xf32>, index
  }
  memref.copy %r#1, %a : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @while(%arg0: memref<4xf32>, %arg1: i1, %arg2: index) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %0:3 = scf.while (%arg3 = %arg0, %arg4 = %arg2, %arg5 = %false) : (memref<4xf32>, index, i1) -> (index, memref<4xf32>, i1) {
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg3 : memref<4xf32> -> memref<f32>, index, index, index
      %1 = bufferization.dealloc (%base_buffer_5 : memref<f32>) if (%arg5) retain (%arg3 : memref<4xf32>)
      scf.condition(%arg1) %arg4, %arg3, %1 : index, memref<4xf32>, i1
    } do {
    ^bb0(%arg3: index, %arg4: memref<4xf32>, %arg5: i1):
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %arg4 : memref<4xf32> -> memref<f32>, index, index, index
      %base_buffer_9, %offset_10, %sizes_11, %strides_12 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %1 = bufferization.dealloc (%base_buffer_5, %base_buffer_9 : memref<f32>, memref<f32>) if (%arg5, %true) retain (%alloc : memref<4xf32>)
      scf.yield %alloc, %arg3, %1 : memref<4xf32>, index, i1
    }
    memref.copy %0#1, %arg0 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0#1 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%false_0, %0#2)
    return
  }
}
// =====
// parallel loops: freed at the end of each iteration, before the implicit terminator
func.func @parallel(%n: index, %a: memref<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %m = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  }
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
    %m = memref.alloc() : memref<4xf32>
    %v = memref.load %m[%c0] : memref<4xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %q = memref.alloc() : memref<4xf32>
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  return %r : f32
}
// ==>
module {
  func.func @parallel(%arg0: index, %arg1: memref<4xf32>, %arg2: f32) -> f32 {
    %false = arith.constant false
    %false_0 = arith.constant false
    %false_1 = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%arg3) in (%arg0) {
      %true = arith.constant true
      %false_2 = arith.constant false
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %alloc, %arg1 : memref<4xf32> to memref<4xf32>
      %base_buffer_3, %offset_4, %sizes_5, %strides_6 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      bufferization.dealloc (%base_buffer_3 : memref<f32>) if (%true)
    }
    %0 = scf.parallel (%arg3) = (%c0) to (%arg0) step (%c1) init (%arg2) -> f32 {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %1 = memref.load %alloc[%c0] : memref<4xf32>
      %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      bufferization.dealloc (%base_buffer_2 : memref<f32>) if (%true)
      scf.reduce(%1 : f32) {
      ^bb0(%arg4: f32, %arg5: f32):
        %true_6 = arith.constant true
        %alloc_7 = memref.alloc() : memref<4xf32>
        %2 = arith.addf %arg4, %arg5 : f32
        %base_buffer_8, %offset_9, %sizes_10, %strides_11 = memref.extract_strided_metadata %alloc_7 : memref<4xf32> -> memref<f32>, index, index, index
        bufferization.dealloc (%base_buffer_8 : memref<f32>) if (%true_6)
        scf.reduce.return %2 : f32
      }
    }
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer : memref<f32>) if (%false_1)
    return %0 : f32
  }
}
// =====
// other operations with regions
func.func @others(%i: index, %a: memref<4xf32>) {
  %r = scf.index_switch %i -> memref<4xf32>
  case 1 {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  default {
    scf.yield %a : memref<4xf32>
  }
  %e = scf.execute_region -> memref<4xf32> {
    scf.yield %r : memref<4xf32>
  }
  %s = memref.alloca_scope -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.alloca_scope.return %n : memref<4xf32>
  }
  memref.copy %e, %s : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @others(%arg0: index, %arg1: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %false_1 = arith.constant false
    %false_2 = arith.constant false
    %0:2 = scf.index_switch %arg0 -> memref<4xf32>, i1 
    case 1 {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %base_buffer_15, %offset_16, %sizes_17, %strides_18 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %3 = bufferization.dealloc (%base_buffer_15 : memref<f32>) if (%true) retain (%alloc : memref<4xf32>)
      scf.yield %alloc, %3 : memref<4xf32>, i1
    }
    default {
      %false_15 = arith.constant false
      %3 = bufferization.dealloc retain (%arg1 : memref<4xf32>)
      scf.yield %arg1, %3 : memref<4xf32>, i1
    }
    %1:2 = scf.execute_region -> (memref<4xf32>, i1) {
      %false_15 = arith.constant false
      %3 = bufferization.dealloc retain (%0#0 : memref<4xf32>)
      scf.yield %0#0, %3 : memref<4xf32>, i1
    }
    %2:2 = memref.alloca_scope  -> (memref<4xf32>, i1) {
      %true = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %base_buffer_15, %offset_16, %sizes_17, %strides_18 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %3 = bufferization.dealloc (%base_buffer_15 : memref<f32>) if (%true) retain (%alloc : memref<4xf32>)
      memref.alloca_scope.return %alloc, %3 : memref<4xf32>, i1
    }
    memref.copy %1#0, %2#0 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_3, %offset_4, %sizes_5, %strides_6 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_7, %offset_8, %sizes_9, %strides_10 = memref.extract_strided_metadata %1#0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_11, %offset_12, %sizes_13, %strides_14 = memref.extract_strided_metadata %2#0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_3, %base_buffer_7, %base_buffer_11 : memref<f32>, memref<f32>, memref<f32>, memref<f32>) if (%false_2, %0#1, %1#1, %2#1)
    return
  }
}
// =====
// the diamond: what joins carries who owns it
func.func @diamond(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^join(%a : memref<4xf32>)
^right:
  %n = memref.alloc() : memref<4xf32>
  cf.br ^join(%n : memref<4xf32>)
^join(%p: memref<4xf32>):
  memref.copy %p, %o : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @diamond(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %0 = arith.andi %false, %arg0 : i1
    %1 = arith.andi %false_0, %arg0 : i1
    %2:2 = bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%0, %1) retain (%arg1, %arg2 : memref<4xf32>, memref<4xf32>)
    %true = arith.constant true
    %3 = arith.xori %true, %arg0 : i1
    %4 = arith.andi %false, %3 : i1
    %true_5 = arith.constant true
    %5 = arith.xori %true_5, %arg0 : i1
    %6 = arith.andi %false_0, %5 : i1
    %7 = bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%4, %6) retain (%arg2 : memref<4xf32>)
    %8 = arith.select %arg0, %2#1, %7 : i1
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_10, %offset_11, %sizes_12, %strides_13 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %9:2 = bufferization.dealloc (%base_buffer_6, %base_buffer_10 : memref<f32>, memref<f32>) if (%2#0, %8) retain (%arg1, %arg2 : memref<4xf32>, memref<4xf32>)
    cf.br ^bb3(%arg1, %9#0 : memref<4xf32>, i1)
  ^bb2:  // pred: ^bb0
    %true_14 = arith.constant true
    %alloc = memref.alloc() : memref<4xf32>
    %base_buffer_15, %offset_16, %sizes_17, %strides_18 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_19, %offset_20, %sizes_21, %strides_22 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %10:2 = bufferization.dealloc (%base_buffer_15, %base_buffer_19 : memref<f32>, memref<f32>) if (%8, %true_14) retain (%alloc, %arg2 : memref<4xf32>, memref<4xf32>)
    cf.br ^bb3(%alloc, %10#0 : memref<4xf32>, i1)
  ^bb3(%11: memref<4xf32>, %12: i1):  // 2 preds: ^bb1, ^bb2
    memref.copy %11, %arg2 : memref<4xf32> to memref<4xf32>
    %base_buffer_23, %offset_24, %sizes_25, %strides_26 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_27, %offset_28, %sizes_29, %strides_30 = memref.extract_strided_metadata %11 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer_23, %base_buffer_27 : memref<f32>, memref<f32>) if (%8, %12)
    return
  }
}
// =====
// both edges of one branch to one block, and a value passed twice on an edge
func.func @same(%c: i1, %a: memref<4xf32>, %n: memref<4xf32>) {
  cf.cond_br %c, ^x(%a, %a : memref<4xf32>, memref<4xf32>), ^x(%a, %n : memref<4xf32>, memref<4xf32>)
^x(%p: memref<4xf32>, %q: memref<4xf32>):
  return
}
// ==>
module {
  func.func @same(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %0 = arith.andi %false, %arg0 : i1
    %1 = arith.andi %false_0, %arg0 : i1
    %2:2 = bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%0, %1) retain (%arg1, %arg1 : memref<4xf32>, memref<4xf32>)
    %true = arith.constant true
    %3 = arith.xori %true, %arg0 : i1
    %4 = arith.andi %false, %3 : i1
    %true_5 = arith.constant true
    %5 = arith.xori %true_5, %arg0 : i1
    %6 = arith.andi %false_0, %5 : i1
    %7:2 = bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%4, %6) retain (%arg1, %arg2 : memref<4xf32>, memref<4xf32>)
    %8 = arith.select %arg0, %2#1, %7#0 : i1
    cf.cond_br %arg0, ^bb1(%arg1, %arg1, %2#1, %2#1 : memref<4xf32>, memref<4xf32>, i1, i1), ^bb1(%arg1, %arg2, %7#0, %7#1 : memref<4xf32>, memref<4xf32>, i1, i1)
  ^bb1(%9: memref<4xf32>, %10: memref<4xf32>, %11: i1, %12: i1):  // 2 preds: ^bb0, ^bb0
    %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %9 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_10, %offset_11, %sizes_12, %strides_13 = memref.extract_strided_metadata %10 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer_6, %base_buffer_10 : memref<f32>, memref<f32>) if (%11, %12)
    return
  }
}
// =====
// the order of what a block lists: arguments, then by place in the own block, whichever it is
func.func @order(%o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  cf.br ^one
^one:
  %b = memref.alloc() : memref<4xf32>
  cf.br ^two
^two:
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @order(%arg0: memref<4xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %0:2 = bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true) retain (%arg0, %alloc : memref<4xf32>, memref<4xf32>)
    cf.br ^bb1
  ^bb1:  // pred: ^bb0
    %true_4 = arith.constant true
    %alloc_5 = memref.alloc() : memref<4xf32>
    %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_10, %offset_11, %sizes_12, %strides_13 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_14, %offset_15, %sizes_16, %strides_17 = memref.extract_strided_metadata %alloc_5 : memref<4xf32> -> memref<f32>, index, index, index
    %1:3 = bufferization.dealloc (%base_buffer_6, %base_buffer_10, %base_buffer_14 : memref<f32>, memref<f32>, memref<f32>) if (%0#0, %0#1, %true_4) retain (%arg0, %alloc, %alloc_5 : memref<4xf32>, memref<4xf32>, memref<4xf32>)
    cf.br ^bb2
  ^bb2:  // pred: ^bb1
    memref.copy %alloc, %alloc_5 : memref<4xf32> to memref<4xf32>
    memref.copy %alloc_5, %arg0 : memref<4xf32> to memref<4xf32>
    %base_buffer_18, %offset_19, %sizes_20, %strides_21 = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_22, %offset_23, %sizes_24, %strides_25 = memref.extract_strided_metadata %alloc_5 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_26, %offset_27, %sizes_28, %strides_29 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer_18, %base_buffer_22, %base_buffer_26 : memref<f32>, memref<f32>, memref<f32>) if (%0#0, %1#2, %0#1)
    return
  }
}
// =====
// calls: the results are owned, the arguments stay with whom they were
func.func private @f(memref<4xf32>) -> (index, memref<4xf32>)
func.func private @nothing(memref<4xf32>)
func.func @call(%a: memref<4xf32>) {
  %r:2 = call @f(%a) : (memref<4xf32>) -> (index, memref<4xf32>)
  call @nothing(%r#1) : (memref<4xf32>) -> ()
  return
}
// ==>
module {
  func.func private @f(memref<4xf32>) -> (index, memref<4xf32>)
  func.func private @nothing(memref<4xf32>)
  func.func @call(%arg0: memref<4xf32>) {
    %false = arith.constant false
    %true = arith.constant true
    %0:2 = call @f(%arg0) : (memref<4xf32>) -> (index, memref<4xf32>)
    %true_0 = arith.constant true
    call @nothing(%0#1) : (memref<4xf32>) -> ()
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0#1 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%false, %true)
    return
  }
}
// =====
// unranked memrefs are taken apart by way of rank 0
func.func @unranked(%u: memref<*xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %d = memref.cast %n : memref<4xf32> to memref<*xf32>
  cf.br ^x(%d : memref<*xf32>)
^x(%p: memref<*xf32>):
  return
}
// ==>
module {
  func.func @unranked(%arg0: memref<*xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %cast = memref.cast %alloc : memref<4xf32> to memref<*xf32>
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[]>>
    %base_buffer, %offset = memref.extract_strided_metadata %reinterpret_cast : memref<f32, strided<[]>> -> memref<f32>, index
    %base_buffer_0, %offset_1, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %0 = bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true) retain (%cast : memref<*xf32>)
    cf.br ^bb1(%cast, %0 : memref<*xf32>, i1)
  ^bb1(%1: memref<*xf32>, %2: i1):  // pred: ^bb0
    %reinterpret_cast_2 = memref.reinterpret_cast %1 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[]>>
    %base_buffer_3, %offset_4 = memref.extract_strided_metadata %reinterpret_cast_2 : memref<f32, strided<[]>> -> memref<f32>, index
    bufferization.dealloc (%base_buffer_3 : memref<f32>) if (%2)
    return
  }
}
// =====
// blocks nobody reaches stay as they are
func.func @unreachable(%a: memref<4xf32>) {
  return
^never(%p: memref<4xf32>):
  %n = memref.alloc() : memref<4xf32>
  return
}
// ==>
module {
  func.func @unreachable(%arg0: memref<4xf32>) {
    %false = arith.constant false
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer : memref<f32>) if (%false)
    return
  ^bb1(%0: memref<4xf32>):  // no predecessors
    %alloc = memref.alloc() : memref<4xf32>
    return
  }
}
// =====
// an inner function's blocks: multiple blocks in a region
func.func @region_blocks(%c: i1, %a: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %r = scf.execute_region -> memref<4xf32> {
    cf.cond_br %c, ^x, ^y
  ^x:
    %m = memref.alloc() : memref<4xf32>
    cf.br ^z(%m : memref<4xf32>)
  ^y:
    cf.br ^z(%n : memref<4xf32>)
  ^z(%p: memref<4xf32>):
    scf.yield %p : memref<4xf32>
  }
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  return
}
// ==>
module {
  func.func @region_blocks(%arg0: i1, %arg1: memref<4xf32>) {
    %false = arith.constant false
    %true = arith.constant true
    %false_0 = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %0:2 = scf.execute_region -> (memref<4xf32>, i1) {
      %false_9 = arith.constant false
      bufferization.dealloc
      %1 = bufferization.dealloc retain (%alloc : memref<4xf32>)
      cf.cond_br %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %true_10 = arith.constant true
      %alloc_11 = memref.alloc() : memref<4xf32>
      %base_buffer_12, %offset_13, %sizes_14, %strides_15 = memref.extract_strided_metadata %alloc_11 : memref<4xf32> -> memref<f32>, index, index, index
      %2 = bufferization.dealloc (%base_buffer_12 : memref<f32>) if (%true_10) retain (%alloc_11 : memref<4xf32>)
      cf.br ^bb3(%alloc_11, %2 : memref<4xf32>, i1)
    ^bb2:  // pred: ^bb0
      %false_16 = arith.constant false
      %3 = bufferization.dealloc retain (%alloc : memref<4xf32>)
      cf.br ^bb3(%alloc, %3 : memref<4xf32>, i1)
    ^bb3(%4: memref<4xf32>, %5: i1):  // 2 preds: ^bb1, ^bb2
      %base_buffer_17, %offset_18, %sizes_19, %strides_20 = memref.extract_strided_metadata %4 : memref<4xf32> -> memref<f32>, index, index, index
      %6 = bufferization.dealloc (%base_buffer_17 : memref<f32>) if (%5) retain (%4 : memref<4xf32>)
      scf.yield %4, %6 : memref<4xf32>, i1
    }
    memref.copy %0#0, %arg1 : memref<4xf32> to memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_5, %offset_6, %sizes_7, %strides_8 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_1, %base_buffer_5 : memref<f32>, memref<f32>, memref<f32>) if (%false_0, %true, %0#1)
    return
  }
}
// =====
// rejected: a loop made of branches
func.func @branches(%c: i1) {
  cf.br ^a
^a:
  cf.cond_br %c, ^a, ^b
^b:
  return
}
// ==>
error: Only structured control-flow loops are supported.
// =====
// rejected: deallocations that are there already
func.func @present(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}
// ==>
error: No deallocation operations must be present when running this pass!
// =====
// rejected: freed by hand without saying so
func.func @freed() {
  %n = memref.alloc() : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return
}
// ==>
error: memory free side-effect on MemRef value not supported!
// =====
// rejected: what the operation does to memory is not known
func.func @unknown(%i: i32) {
  "foo.bar"(%i) : (i32) -> ()
  return
}
// ==>
error: ops with unknown memory side effects are not supported
// =====
// rejected: a region without control flow, and a result
func.func @region(%a: memref<4xi32>, %i: index) {
  %r = memref.generic_atomic_rmw %a[%i] : memref<4xi32> {
  ^bb0(%x: i32):
    memref.atomic_yield %x : i32
  }
  return
}
// ==>
error: All operations with attached regions need to implement the RegionBranchOpInterface.
// =====
// rejected: branches to many blocks
func.func @switch(%i: i32, %a: memref<4xf32>) {
  cf.switch %i : i32, [default: ^x(%a : memref<4xf32>), 1: ^y]
^x(%p: memref<4xf32>):
  return
^y:
  return
}
// ==>
error: Terminators with more than one successor are not supported!
// =====
func.func @switch_without_buffers(%i: i32) {
  cf.switch %i : i32, [default: ^x, 1: ^y]
^x:
  return
^y:
  return
}
// ==>
error: BranchOpInterface operations with multiple successors are not supported yet
// =====
// rejected: passed twice and needed besides, so two flags tell who owns it
func.func @joined(%o: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  cf.br ^x(%n, %n : memref<4xf32>, memref<4xf32>)
^x(%p: memref<4xf32>, %q: memref<4xf32>):
  memref.copy %n, %o : memref<4xf32> to memref<4xf32>
  return
}
// ==>
error: MemRef value does not have valid ownership
// =====
// rejected: a reduction of buffers
func.func @reduced(%n: index, %a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<4xf32> {
    scf.reduce(%a : memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      scf.reduce.return %x : memref<4xf32>
    }
  }
  return
}
// ==>
error: only supported when operand is not a MemRef
// =====
// the result of a conditional that another block uses is freed too early
func.func @main(%a0: memref<4xf32>, %c: i1, %o: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a0 : memref<4xf32>
  }
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb2:
  return
}
// ==>
module {
  func.func @main(%arg0: memref<4xf32>, %arg1: i1, %arg2: memref<4xf32>) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %false_1 = arith.constant false
    %0:2 = scf.if %arg1 -> (memref<4xf32>, i1) {
      %true_16 = arith.constant true
      %alloc = memref.alloc() : memref<4xf32>
      %base_buffer_17, %offset_18, %sizes_19, %strides_20 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
      %11 = bufferization.dealloc (%base_buffer_17 : memref<f32>) if (%true_16) retain (%alloc : memref<4xf32>)
      scf.yield %alloc, %11 : memref<4xf32>, i1
    } else {
      %false_16 = arith.constant false
      %11 = bufferization.dealloc retain (%arg0 : memref<4xf32>)
      scf.yield %arg0, %11 : memref<4xf32>, i1
    }
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    %1 = arith.andi %false_0, %arg1 : i1
    %2 = arith.andi %false_1, %arg1 : i1
    %3 = arith.andi %0#1, %arg1 : i1
    %4 = bufferization.dealloc (%base_buffer, %base_buffer_2, %base_buffer_6 : memref<f32>, memref<f32>, memref<f32>) if (%1, %2, %3) retain (%arg2 : memref<4xf32>)
    %true = arith.constant true
    %5 = arith.xori %true, %arg1 : i1
    %6 = arith.andi %false_0, %5 : i1
    %true_10 = arith.constant true
    %7 = arith.xori %true_10, %arg1 : i1
    %8 = arith.andi %false_1, %7 : i1
    %true_11 = arith.constant true
    %9 = arith.xori %true_11, %arg1 : i1
    %10 = arith.andi %0#1, %9 : i1
    bufferization.dealloc (%base_buffer, %base_buffer_2, %base_buffer_6 : memref<f32>, memref<f32>, memref<f32>) if (%6, %8, %10)
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    memref.copy %0#0, %arg2 : memref<4xf32> to memref<4xf32>
    %base_buffer_12, %offset_13, %sizes_14, %strides_15 = memref.extract_strided_metadata %arg2 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer_12 : memref<f32>) if (%4)
    cf.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    return
  }
}
