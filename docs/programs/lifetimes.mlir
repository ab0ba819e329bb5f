// Two buffers whose lives overlap for a while.
func.func @lifetimes(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%in : memref<1024xf32>) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.log ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  memref.dealloc %a : memref<1024xf32>
  linalg.exp ins(%b : memref<1024xf32>) outs(%out : memref<1024xf32>)
  memref.dealloc %b : memref<1024xf32>
  return
}
