// Ownership-based buffer deallocation assumes that the owner of a memref owns the memrefs that are loaded from it.
//
// `@g` owns the table but not its argument `%a`, which it stores in the table and loads again. The pass decides that
// `@g` owns what it loads, and returns it without a clone. `@f`, which owns the result of every call, frees it, and so
// frees its own argument, which its caller may still use. The ownership of an element is independent of that of the
// table: what is loaded must count as not owned, and be cloned before it is returned.
//
// mlir-opt -ownership-based-buffer-deallocation
//   %0 = call @g(%arg0) : (memref<4xf32>) -> memref<4xf32>
//   bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true)
func.func @g(%a: memref<4xf32>) -> memref<4xf32> {
  %table = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %table[] : memref<memref<4xf32>>
  %m = memref.load %table[] : memref<memref<4xf32>>
  return %m : memref<4xf32>
}
func.func @f(%a: memref<4xf32>, %i: index) -> f32 {
  %m = call @g(%a) : (memref<4xf32>) -> memref<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
