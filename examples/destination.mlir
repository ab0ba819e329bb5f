// A destination that is still needed, while a dead input could be used instead.
#id = affine_map<(d0) -> (d0)>
func.func @scale(%a: tensor<?xf32>, %b: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {
  ^bb0(%x: f32, %ignored: f32):
    %y = arith.mulf %x, %f : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %scaled, %b : tensor<?xf32>, tensor<?xf32>
}
