// Parallel threads: one scratch buffer, allocated outside the loop, would be written by all iterations in parallel.
func.func @rows(%out: tensor<128x64xf32>, %f: f32) -> tensor<128x64xf32> {
  %scratch = bufferization.alloc_tensor() : tensor<1x64xf32>
  %result = scf.forall (%row) in (128) shared_outs(%o = %out) -> (tensor<128x64xf32>) {
    %filled = linalg.fill ins(%f : f32) outs(%scratch : tensor<1x64xf32>) -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %filled into %o[%row, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<128x64xf32>
    }
  }
  return %result : tensor<128x64xf32>
}
