// passes: -ownership-based-buffer-deallocation=private-function-dynamic-ownership
// =====
// a private function with a body tells who owns what it returns, behind all its results
func.func private @p(%a: memref<4xf32>, %c: i1) -> (memref<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %n : memref<4xf32>
  return %s, %c0 : memref<4xf32>, index
}
func.func @public(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r:2 = call @p(%a, %c) : (memref<4xf32>, i1) -> (memref<4xf32>, index)
  return %r#0 : memref<4xf32>
}
// ==>
module {
  func.func private @p(%arg0: memref<4xf32>, %arg1: i1) -> (memref<4xf32>, index, i1) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<4xf32>
    %0 = arith.select %arg1, %arg0, %alloc : memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
    %1 = bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true) retain (%0 : memref<4xf32>)
    return %0, %c0, %1 : memref<4xf32>, index, i1
  }
  func.func @public(%arg0: memref<4xf32>, %arg1: i1) -> memref<4xf32> {
    %false = arith.constant false
    %0:3 = call @p(%arg0, %arg1) : (memref<4xf32>, i1) -> (memref<4xf32>, index, i1)
    %1 = scf.if %0#2 -> (memref<4xf32>) {
      scf.yield %0#0 : memref<4xf32>
    } else {
      %3 = bufferization.clone %0#0 : memref<4xf32> to memref<4xf32>
      scf.yield %3 : memref<4xf32>
    }
    %true = arith.constant true
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_4, %offset_5, %sizes_6, %strides_7 = memref.extract_strided_metadata %1 : memref<4xf32> -> memref<f32>, index, index, index
    %2 = bufferization.dealloc (%base_buffer, %base_buffer_0, %base_buffer_4 : memref<f32>, memref<f32>, memref<f32>) if (%false, %0#2, %true) retain (%1 : memref<4xf32>)
    return %1 : memref<4xf32>
  }
}
// =====
// declared functions keep to the convention
func.func private @d(memref<4xf32>) -> memref<4xf32>
func.func @public(%a: memref<4xf32>) {
  %r = call @d(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}
// ==>
module {
  func.func private @d(memref<4xf32>) -> memref<4xf32>
  func.func @public(%arg0: memref<4xf32>) {
    %false = arith.constant false
    %true = arith.constant true
    %0 = call @d(%arg0) : (memref<4xf32>) -> memref<4xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true)
    return
  }
}
// =====
// recursion
func.func private @r(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @r(%a, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// ==>
module {
  func.func private @r(%arg0: memref<4xf32>, %arg1: i1) -> (memref<4xf32>, i1) {
    %false = arith.constant false
    %false_0 = arith.constant false
    %0:2 = scf.if %arg1 -> (memref<4xf32>, i1) {
      %false_5 = arith.constant false
      %2:2 = func.call @r(%arg0, %arg1) : (memref<4xf32>, i1) -> (memref<4xf32>, i1)
      %base_buffer_6, %offset_7, %sizes_8, %strides_9 = memref.extract_strided_metadata %2#0 : memref<4xf32> -> memref<f32>, index, index, index
      %3 = bufferization.dealloc (%base_buffer_6 : memref<f32>) if (%2#1) retain (%2#0 : memref<4xf32>)
      scf.yield %2#0, %3 : memref<4xf32>, i1
    } else {
      %false_5 = arith.constant false
      %2 = bufferization.dealloc retain (%arg0 : memref<4xf32>)
      scf.yield %arg0, %2 : memref<4xf32>, i1
    }
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
    %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
    %1 = bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%false_0, %0#1) retain (%0#0 : memref<4xf32>)
    return %0#0, %1 : memref<4xf32>, i1
  }
}
// =====
// a value that is called counts as a public function, whatever it is
func.func @of_a_value(%f: (memref<2xf32>) -> memref<2xf32>, %a: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = func.call_indirect %f(%a) : (memref<2xf32>) -> memref<2xf32>
  %1 = memref.load %0[%c0] : memref<2xf32>
  return %1 : f32
}
// ==>
module {
  func.func @of_a_value(%arg0: (memref<2xf32>) -> memref<2xf32>, %arg1: memref<2xf32>) -> f32 {
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %0 = call_indirect %arg0(%arg1) : (memref<2xf32>) -> memref<2xf32>
    %1 = memref.load %0[%c0] : memref<2xf32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<2xf32> -> memref<f32>, index, index, index
    %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0 : memref<2xf32> -> memref<f32>, index, index, index
    bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true)
    return %1 : f32
  }
}
