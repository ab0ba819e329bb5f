func.func @f(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4096xf32>
  %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%e0 : tensor<4096xf32>) -> tensor<4096xf32>
  %e1 = tensor.empty() : tensor<4096xf32>
  %b = linalg.log ins(%y : tensor<4096xf32>) outs(%e1 : tensor<4096xf32>) -> tensor<4096xf32>
  %e2 = tensor.empty() : tensor<4096xf32>
  %c = linalg.abs ins(%b : tensor<4096xf32>) outs(%e2 : tensor<4096xf32>) -> tensor<4096xf32>
  %e3 = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%zero : f32) outs(%e3 : tensor<f32>) -> tensor<f32>
  %u = linalg.dot ins(%a, %c : tensor<4096xf32>, tensor<4096xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %w = tensor.extract %u[] : tensor<f32>
  return %w : f32
}
