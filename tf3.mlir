func.func @f(%a: index, %b: index, %c: index, %f: f32, %t: tensor<8xf32>) -> tensor<8xf32> {
%r0 = scf.for %i0 = %a to %b step %c iter_args(%x0 = %t) -> (tensor<8xf32>) {
%r1 = scf.for %i1 = %a to %b step %c iter_args(%x1 = %x0) -> (tensor<8xf32>) {
%r2 = scf.for %i2 = %a to %b step %c iter_args(%x2 = %x1) -> (tensor<8xf32>) {
%z = tensor.insert %f into %x2[%i2] : tensor<8xf32>
scf.yield %z : tensor<8xf32>
}
scf.yield %r2 : tensor<8xf32>
}
scf.yield %r1 : tensor<8xf32>
}
return %r0 : tensor<8xf32>
}
