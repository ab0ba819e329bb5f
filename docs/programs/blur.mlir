func.func @blur(%image: memref<64x64xf32>, %out: memref<64x64xf32>, %f: f32) {
  %rows = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%f : f32) outs(%rows : memref<64x64xf32>)
  linalg.add ins(%image, %rows : memref<64x64xf32>, memref<64x64xf32>) outs(%rows : memref<64x64xf32>)
  %half = memref.alloc() : memref<32x64xf32>
  linalg.fill ins(%f : f32) outs(%half : memref<32x64xf32>)
  %columns = memref.alloc() : memref<64x64xf32>
  linalg.copy ins(%rows : memref<64x64xf32>) outs(%columns : memref<64x64xf32>)
  memref.dealloc %rows : memref<64x64xf32>
  %sums = memref.alloc() : memref<64xf32>
  linalg.reduce ins(%columns : memref<64x64xf32>) outs(%sums : memref<64xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  %small = memref.subview %out[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1]>>
  memref.copy %half, %small : memref<32x64xf32> to memref<32x64xf32, strided<[64, 1]>>
  memref.copy %columns, %out : memref<64x64xf32> to memref<64x64xf32>
  memref.dealloc %half : memref<32x64xf32>
  memref.dealloc %columns : memref<64x64xf32>
  memref.dealloc %sums : memref<64xf32>
  return
}
