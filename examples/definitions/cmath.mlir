func.func @length(%x: complex<f32>) -> f32 {
  %0 = "cmath.norm"(%x) : (complex<f32>) -> f32
  return %0 : f32
}
