// passes: -expand-realloc=emit-deallocs=false
// =====
// the old buffer is left to whoever owns it
func.func @keep(%n: memref<?xf32>, %s: index) -> memref<?xf32> {
  %0 = memref.realloc %n(%s) : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
// ==>
module {
  func.func @keep(%arg0: memref<?xf32>, %arg1: index) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = arith.cmpi ult, %dim, %arg1 : index
    %1 = scf.if %0 -> (memref<?xf32>) {
      %alloc = memref.alloc(%arg1) : memref<?xf32>
      %subview = memref.subview %alloc[0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.copy %arg0, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
      scf.yield %alloc : memref<?xf32>
    } else {
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1] : memref<?xf32> to memref<?xf32>
      scf.yield %reinterpret_cast : memref<?xf32>
    }
    return %1 : memref<?xf32>
  }
}
