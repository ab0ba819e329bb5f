// One-Shot Bufferize assumes that a structured operation overwrites its destination even if a reduction has no
// iterations.
//
// The body ignores the old element of `%t`, but if the second dimension of `%x` is 0, the body does not run at all and
// the result is `%t`. The pass decides that the contents of `%t` are not needed, and allocates a buffer without
// copying: the result is then undefined. A destination counts as overwritten only if the loops of all reductions are
// known to run, and if its map reaches every element.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
//   linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg1 : memref<8x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<8xf32>) {
func.func @f(%t: tensor<8xf32>, %x: tensor<8x?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<8x?xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}
