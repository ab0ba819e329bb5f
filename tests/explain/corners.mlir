func.func @while_two_arg(%arg0: index) {
  %a = memref.alloc(%arg0) : memref<?xf32>
  scf.while (%arg1 = %a, %arg2 = %a) : (memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
    %0 = "test.make_condition"() : () -> i1
    scf.condition(%0) %arg1, %arg2 : memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%arg1: memref<?xf32>, %arg2: memref<?xf32>):
    %b = memref.alloc(%arg0) : memref<?xf32>
    scf.yield %arg1, %b : memref<?xf32>, memref<?xf32>
  }
  return
}
// -----
%t = bufferization.alloc_tensor() : tensor<10x20x30xf64>
%m = "test.op"() : () -> memref<30x20x10xf32>
%m_t = bufferization.to_tensor %m restrict writable : memref<30x20x10xf32> to tensor<30x20x10xf32>
%t_m = bufferization.to_buffer %m_t read_only : tensor<30x20x10xf32> to memref<30x20x10xf32>
%c = bufferization.clone %m : memref<30x20x10xf32> to memref<30x20x10xf32>

%tensor1 = "test.op"() : () -> tensor<2x2xf64>
%tensor2 = "test.op"() : () -> tensor<2x2xf64>
%memref = "test.op"() : () -> memref<2x2xf64>
bufferization.materialize_in_destination %b in writable %memref : (tensor<2x2xf64>, memref<2x2xf64>) -> ()
%b = bufferization.materialize_in_destination %tensor1 in %tensor2 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
// -----
func.func @tensor_dim_of_loop_result_no_canonicalize(%t : tensor<?x?xf32>,
                                                %u : tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %0, %1 = scf.for %i = %c0 to %c10 step %c1 iter_args(%arg0 = %t, %arg1 = %u)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    scf.yield %u, %u : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %dim = tensor.dim %1, %c0 : tensor<?x?xf32>
  return %dim : index
}
// -----
func.func @extract_strided_metadata_of_alloca_dyn_size(
  %dyn_size0 : index, %dyn_size1 : index, %dyn_size3 : index)
    -> (memref<i16>, index,
        index, index, index, index,
        index, index, index, index) {

  %A = memref.alloca(%dyn_size0, %dyn_size1, %dyn_size3) : memref<?x?x4x?xi16>

  %base, %offset, %sizes:4, %strides:4 = memref.extract_strided_metadata %A :
    memref<?x?x4x?xi16>
    -> memref<i16>, index,
       index, index, index, index,
       index, index, index, index

  return %base, %offset,
    %sizes#0, %sizes#1, %sizes#2, %sizes#3,
    %strides#0, %strides#1, %strides#2, %strides#3 :
      memref<i16>, index,
      index, index, index, index,
      index, index, index, index
}
// -----
func.func private @second(%x: tensor<64xf32>, %f: f32, %i: index) -> tensor<64xf32> {
  %s = tensor.extract_slice %x[32] [32] [0] : tensor<64xf32> to tensor<32xf32>
  %u = tensor.insert %f into %s[%i] : tensor<32xf32>
  %r = tensor.insert_slice %u into %x[32] [32] [1] : tensor<32xf32> into tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @main(%m: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %f: f32, %i: index) -> (tensor<64xf32>, f32) {
  %c3 = arith.constant 3 : index
  %v = tensor.extract %m[%c3] : tensor<64xf32>
  %r = call @second(%m, %f, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  return %r, %v : tensor<64xf32>, f32
}
// -----
func.func @main() {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>

  %addf = arith.addf %a, %b : tensor<3xf32>
  %addf_unranked = tensor.cast %addf : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%addf_unranked) : (tensor<*xf32>) -> ()

  return
}

func.func private @printMemrefF32(%ptr : tensor<*xf32>)
// -----
func.func @inner_func(%t: tensor<?xf32>) -> tensor<?xf32> {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %t[%c0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @equivalent_func_arg(%t0: tensor<?xf32> {bufferization.writable = true},
                               %c0: index, %c10: index, %c1: index) -> tensor<?xf32> {
  %1 = scf.for %iv = %c0 to %c10 step %c1 iter_args(%t1 = %t0) -> (tensor<?xf32>) {
    %3 = func.call @inner_func(%t1) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  return %1: tensor<?xf32>
}
// -----
module attributes {scheme.ckks} {


  func.func @test_insert_slice_2d() -> tensor<32x32xf32> {
    %cst_2 = arith.constant dense<1.000000e-01> : tensor<8x8xf32>
    %0 = tensor.empty() : tensor<32x32xf32>
    %inserted_slice = tensor.insert_slice %cst_2 into %0[8, 8] [8, 8] [2, 2] : tensor<8x8xf32> into tensor<32x32xf32>
    return %inserted_slice : tensor<32x32xf32>
  }
}
// -----
func.func @insert_slice(
    %t: tensor<8x16x4xf32>,
    %td: tensor<8x?x4xf32>,
    %t2: tensor<16x32x8xf32>,
    %t3: tensor<4x4xf32>,
    %idx : index,
    %sz : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %1 = tensor.insert_slice %t into %t2[%c0, %c0, %c0][8, 16, 4][%c1, %c1, %c1]
    : tensor<8x16x4xf32> into tensor<16x32x8xf32>

  %2 = tensor.insert_slice %t into %t2[%c0, %idx, %c0][8, 16, 4][%c1, 1, %c1]
    : tensor<8x16x4xf32> into tensor<16x32x8xf32>

  %3 = tensor.insert_slice %t3 into %t[0, 2, 0][4, 1, 4][1, 1, 1]
    : tensor<4x4xf32> into tensor<8x16x4xf32>

  %4 = tensor.insert_slice %td into %t[0, %idx, 0][8, %sz, 4][1, 1, 1]
    : tensor<8x?x4xf32> into tensor<8x16x4xf32>

  return
}
// -----
func.func @f(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %k = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %a, %y = %a) -> (tensor<4xi32>, tensor<4xi32>) {
    %m = tensor.extract_slice %y[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %w = tensor.insert %k into %m[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %m into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
// -----
func.func private @fun_with_side_effects(%A: tensor<?xf32>)

func.func @foo(%A: tensor<?xf32> {bufferization.writable = true}) -> (tensor<?xf32>) {
  call @fun_with_side_effects(%A) : (tensor<?xf32>) -> ()
  return %A: tensor<?xf32>
}

func.func @scf_yield_needs_copy(%A : tensor<?xf32> {bufferization.writable = true}, %iters : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %res = scf.for %arg0 = %c0 to %iters step %c1 iter_args(%bbarg = %A) -> (tensor<?xf32>) {
    %r = func.call @foo(%A) : (tensor<?xf32>) -> (tensor<?xf32>)
    scf.yield %r : tensor<?xf32>
  }
  call @fun_with_side_effects(%res) : (tensor<?xf32>) -> ()
  return
}
// -----
func.func @memref_cast(%a: index, %b: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %1 = memref.alloc (%c16) : memref<?xi8>
  %2 = memref.view %1[%c0][] : memref<?xi8> to memref<16x16xf32>
  %3 = memref.cast %2 : memref<16x16xf32> to memref<?x?xf32>

  linalg.matmul ins(%3, %3: memref<?x?xf32>, memref<?x?xf32>)
               outs(%3: memref<?x?xf32>)
  return %3: memref<?x?xf32>
}
// -----
func.func @clone_multiple_dealloc_of_clone(%arg0: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
  "use"(%0) : (memref<?xf32>) -> ()
  "if_else"() ({
    memref.dealloc %0 : memref<?xf32>
    }, {
    memref.dealloc %0 : memref<?xf32>
    }) : () -> ()
  return %0 : memref<?xf32>
}
// -----
func.func @non_block_argument_yield() {
  %true = arith.constant true
  %0 = bufferization.alloc_tensor() : tensor<i32>
  %1 = scf.while (%arg0 = %0) : (tensor<i32>) -> (tensor<i32>) {
    scf.condition(%true) %arg0 : tensor<i32>
  } do {
  ^bb0(%arg0: tensor<i32>):
    %ret = scf.while (%arg1 = %0) : (tensor<i32>) -> (tensor<i32>) {
      scf.condition(%true) %arg1 : tensor<i32>
    } do {
    ^bb0(%arg7: tensor<i32>):
      scf.yield %0 : tensor<i32>
    }
    scf.yield %ret : tensor<i32>
  }
  return
}
// -----
func.func @f(%u0: tensor<64xf32>, %v0: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r:2 = scf.for %i = %c0 to %c100 step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<64xf32>, tensor<64xf32>)  {
    %e = tensor.empty() : tensor<64xf32>
    %n = linalg.sub ins(%v, %u : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %v, %n : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
// -----
func.func @jacobi(%u0: tensor<64xf32>, %v0: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<64xf32>, tensor<64xf32>) {
    %w = linalg.map { math.absf } ins(%u : tensor<64xf32>) outs(%v : tensor<64xf32>)
    scf.yield %w, %u : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0 : tensor<64xf32>
}
// -----
func.func @extract_slice(%t: tensor<?xf32>, %idx: index, %f: f32)
  -> (tensor<5xf32>, tensor<?xf32>)
{
  %0 = tensor.extract_slice %t[10][5][1] : tensor<?xf32> to tensor<5xf32>
  %1 = tensor.insert %f into %0[%idx] : tensor<5xf32>
  return %1, %t : tensor<5xf32>, tensor<?xf32>
}
// -----
func.func @inconsistent_memory_space_arith_select(%c: i1) -> tensor<10xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 0 : ui64} : tensor<10xf32>
  %1 = bufferization.alloc_tensor() {memory_space = 1 : ui64} : tensor<10xf32>
  %r = arith.select %c, %0, %1 : tensor<10xf32>
  func.return %r : tensor<10xf32>
}
// -----
func.func @fold_pad_source_cast(%arg0: tensor<4x?xf32>) -> tensor<4x4xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.cast %arg0 : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[0, 0] high[0, 1]  {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
  } : tensor<?x?xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// -----
func.func @f(%c: i1, %a: memref<2xf32>, %o: memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "custom.br"(%a)[^bb3] : (memref<2xf32>) -> ()
^bb2:
  %1 = memref.alloc() : memref<2xf32>
  "custom.br"(%1)[^bb3] : (memref<2xf32>) -> ()
^bb3(%2: memref<2xf32>):
  memref.copy %2, %o : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @alloc_tensor_with_memory_space() -> tensor<5xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// dynamic sizes, softmax-like: which copy costs most?
func.func @rows(%t: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %acc = %zero) -> (tensor<?x?xf32>, f32) {
    %row = tensor.extract_slice %a[%i, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %e = linalg.map { math.exp } ins(%row : tensor<?xf32>) outs(%row : tensor<?xf32>)
    %ins = tensor.insert_slice %e into %a[%i, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    %old = tensor.extract %row[%c0] : tensor<?xf32>
    %s = arith.addf %acc, %old : f32
    scf.yield %ins, %s : tensor<?x?xf32>, f32
  }
  return %r#0, %r#1 : tensor<?x?xf32>, f32
}
// -----
func.func @mask(%t0: tensor<?xf32>, %val: vector<16xf32>, %idx: index, %m0: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m0 { vector.transfer_write %val, %t0[%idx] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @main(%t: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %f: f32, %i: index) -> (tensor<64xf32>, f32) {
  %d = tensor.cast %t : tensor<64xf32> to tensor<?xf32>
  %u = tensor.insert %f into %d[%i] : tensor<?xf32>
  %b = tensor.cast %d : tensor<?xf32> to tensor<64xf32>
  %x = tensor.extract %t[%i] : tensor<64xf32>
  return %b, %x : tensor<64xf32>, f32
}
// -----
module {
  func.func public @test_no_change(%arg0: tensor<1xi64>) -> tensor<1xi64> {
    return %arg0 : tensor<1xi64>
  }
}
// -----
func.func @scf_while(%A: tensor<5xi1>, %B: tensor<5xi1>, %idx: index)
  -> (tensor<5xi1>, tensor<5xi1>)
{
  %r0, %r1 = scf.while (%w0 = %A, %w1 = %B)
      : (tensor<5xi1>, tensor<5xi1>) -> (tensor<5xi1>, tensor<5xi1>) {
    %condition = tensor.extract %w0[%idx] : tensor<5xi1>
    scf.condition(%condition) %w0, %A : tensor<5xi1>, tensor<5xi1>
  } do {
  ^bb0(%b0: tensor<5xi1>, %b1: tensor<5xi1>):
    scf.yield %b0, %b1 : tensor<5xi1>, tensor<5xi1>
  }

  return %r0, %r1 : tensor<5xi1>, tensor<5xi1>
}
// -----
func.func @f() -> tensor<2xindex> {
  %cs = shape.const_shape [0, 1] : !shape.shape
  %0 = shape.to_extent_tensor %cs : !shape.shape -> tensor<2xindex>
  return %0 : tensor<2xindex>
}
// -----
func.func @partial_hoist_multiple_loop_dependency(
  %lb: index,
  %ub: index,
  %step: index,
  %buf: memref<2xf32>,
  %res: memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  %1 = scf.for %i = %lb to %ub step %step
    iter_args(%iterBuf = %buf) -> memref<2xf32> {
    %2 = scf.for %i2 = %lb to %ub step %step
      iter_args(%iterBuf2 = %iterBuf) -> memref<2xf32> {
        %3 = memref.alloc(%i) : memref<?xf32>
        scf.yield %0 : memref<2xf32>
    }
    scf.yield %0 : memref<2xf32>
  }
  test.copy(%1, %res) : (memref<2xf32>, memref<2xf32>)
  return
}
// -----
module {
  func.func @conv1d_ncw_padded(%arg0 : tensor<1x2x8xf32> {secret.secret}) -> tensor<1x3x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %filter = arith.constant dense<[[[-1.0, -0.5, 0.0], [0.5, 1.0, -1.0]], [[-0.5, 0.0, 0.5], [1.0, -1.0, -0.5]], [[0.0, 0.5, 1.0], [-1.0, -0.5, 0.0]]]> : tensor<3x2x3xf32>
    %bias = arith.constant dense<[0.1, -0.2, 0.3]> : tensor<3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1] high[0, 0, 1] {
    ^bb0(%a: index, %b: index, %c: index):
      tensor.yield %cst : f32
    } : tensor<1x2x8xf32> to tensor<1x2x10xf32>
    %empty = tensor.empty() : tensor<1x3x8xf32>
    %bcast = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%empty : tensor<1x3x8xf32>) dimensions = [0, 2]
    %out = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%padded, %filter : tensor<1x2x10xf32>, tensor<3x2x3xf32>) outs(%bcast : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
    return %out : tensor<1x3x8xf32>
  }
}
// -----
func.func @write_to_same_alloc_tensor_out_of_place(
    %A : tensor<?xf32> {bufferization.writable = true},
    %lb : index, %ub : index, %step : index, %sz: index, %sz2: index, %f: f32)
  -> (tensor<?xf32>)
{
  %B = bufferization.alloc_tensor(%sz2) : tensor<?xf32>
  %C = tensor.insert %f into %B[%lb] : tensor<?xf32>

  %r0 = scf.for %i = %lb to %ub step %step iter_args(%t = %A) -> (tensor<?xf32>) {
    %i2 = arith.index_cast %i : index to i32
    %i3 = arith.sitofp %i2 : i32 to f32
    %B2 = tensor.insert %i3 into %C[%i] : tensor<?xf32>
    %A2 = tensor.insert_slice %B2 into %t[%i][%sz][1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %A2 : tensor<?xf32>
  }

  return %r0 : tensor<?xf32>
}
// -----
func.func @main(%t: tensor<64xf32> {bufferization.writable = false}, %f: f32, %g: f32, %i: index, %j: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %u = tensor.insert %f into %t[%i] : tensor<64xf32>
  %w = tensor.insert %g into %u[%j] : tensor<64xf32>
  return %u, %w : tensor<64xf32>, tensor<64xf32>
}
// -----
func.func @main(%x: tensor<64xf32>, %p: i1) -> tensor<64xf32> {
  %r = scf.if %p -> tensor<64xf32> {
    scf.yield %x : tensor<64xf32>
  } else {
    %e = tensor.empty() : tensor<64xf32>
    %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %a : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
// -----
func.func @pad_tensor_detailed(%arg0: tensor<1x28x28x1xf32>) -> tensor<1x32x32x1xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.pad %arg0 low[0, 2, 2, 0] high[0, 2, 2, 0]  {
  ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
    tensor.yield %cst : f32
  } : tensor<1x28x28x1xf32> to tensor<1x32x32x1xf32>
  return %0 : tensor<1x32x32x1xf32>
}
// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%t: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<16x16xf32> {
  %s = tensor.extract_slice %t[0, 0] [1, 16] [1, 1] : tensor<16x16xf32> to tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<16xf32>) outs(%t : tensor<16x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %o, %i : f32
    linalg.yield %q : f32
  } -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
// -----
func.func @exp(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = math.exp %arg0 : tensor<f32>
  return %0 : tensor<f32>
}
// -----
func.func @dead_store_tensor_negative(%arg0 : tensor<4x4xf32>,
  %v0 : vector<1x4xf32>, %v1 : vector<1x4xf32>, %i : index) -> tensor<4x4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %cf0 = arith.constant 0.0 : f32
  %w0 = vector.transfer_write %v0, %arg0[%c1, %c0] {in_bounds = [true, true]} :
    vector<1x4xf32>, tensor<4x4xf32>
  %w1 = vector.transfer_write %v0, %w0[%c2, %c0] {in_bounds = [true, true]} :
    vector<1x4xf32>, tensor<4x4xf32>
  %0 = vector.transfer_read %w1[%i, %i], %cf0 {in_bounds = [true, true]} :
    tensor<4x4xf32>, vector<1x4xf32>
  %x = arith.addf %0, %0 : vector<1x4xf32>
  %w2 = vector.transfer_write %x, %w0[%c1, %c0] {in_bounds = [true, true]} :
    vector<1x4xf32>, tensor<4x4xf32>
  return %w2 : tensor<4x4xf32>
}
// -----
func.func @cmpf(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1> {
  %0 = arith.cmpf olt, %arg0, %arg1 : tensor<f32>
  return %0 : tensor<i1>
}
// -----
func.func @f(%o: memref<2xf32>) {
  %0:2 = "pool.take2"() : () -> (memref<2xf32>, memref<2xf32>)
  memref.copy %0#0, %o : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func private @callee() -> (memref<?xf32>)

func.func @call_non_memref_result() {
  %0 = call @callee() : () -> (memref<?xf32>)
  "test.sink"(%0) : (memref<?xf32>) -> ()
}
// -----
func.func @select(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
  %0 = arith.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}
// -----
func.func @tensor.collapse_shape(%t1: tensor<2x?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %t1 [[0, 1], [2]]
      : tensor<2x?x?xf32> into tensor<?x?xf32>

  return %0 : tensor<?x?xf32>
}
// -----
func.func private @ext_func(%t: tensor<?xf32>, %t2: tensor<?xf32>)

func.func @private_func_two_params_writing(%t: tensor<?xf32>) {
  func.call @ext_func(%t, %t) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}
// -----
func.func @infer_concat_return_type(%arg0: tensor<5x12xi32>, %arg1: tensor<?x12xi32>) -> (tensor<?x?xi32>) {
  %0 = tensor.concat dim(0) %arg0, %arg1: (tensor<5x12xi32>, tensor<?x12xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
// -----
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
// -----
func.func @insert_equivalent_tensor(%t: tensor<10xf32>) -> tensor<10xf32> {
  %cst = arith.constant 4.200000e+01 : f32
  %0 = linalg.fill ins(%cst : f32) outs(%t : tensor<10xf32>) -> tensor<10xf32>
  %1 = tensor.insert_slice %0 into %t[0][10][1] : tensor<10xf32> into tensor<10xf32>
  return %1 : tensor<10xf32>
}
// -----
func.func private @ext_func(%t: tensor<?xf32>) -> (tensor<5xf32>, tensor<6xf32>)

func.func @private_func_aliasing(%t: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0, %1 = func.call @ext_func(%t) : (tensor<?xf32>) -> (tensor<5xf32>, tensor<6xf32>)
  %2 = tensor.extract %1[%c0] : tensor<6xf32>
  return %2 : f32
}
// -----
func.func @write_into_constant_via_alias(%v : vector<5xi32>,
                                    %s1 : index, %s2 : index,
                                    %s3 : index) -> tensor<?xi32> {
  %A = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = tensor.extract_slice %A[%s1][%s2][1] : tensor<4xi32> to tensor<?xi32>
  %r = vector.transfer_write %v, %b[%s3] : vector<5xi32>, tensor<?xi32>
  return %r : tensor<?xi32>
}
// -----
func.func @nofold_unpack_slice_non_zero_offset(%arg0 : tensor<?x?x8x4xf32>, %arg1 : tensor<?x?xf32>,
    %arg2 : index, %arg3 : index, %arg4 : index) -> tensor<?x?xf32> {
  %0 = linalg.unpack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1
      : tensor<?x?x8x4xf32> -> tensor<?x?xf32>
  %1 = tensor.extract_slice %0[0, %arg4] [%arg2, %arg3] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// -----
func.func @main(%m: memref<64xf32>, %o: memref<64xf32>, %f: f32, %i: index) {
  memref.copy %m, %o : memref<64xf32> to memref<64xf32>
  %t = bufferization.to_tensor %o restrict writable : memref<64xf32> to tensor<64xf32>
  %u = tensor.insert %f into %t[%i] : tensor<64xf32>
  %b = bufferization.to_buffer %u : tensor<64xf32> to memref<64xf32>
  %g = memref.load %m[%i] : memref<64xf32>
  memref.store %g, %b[%i] : memref<64xf32>
  return
}
// -----
func.func private @sw(%a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  return %b, %a : tensor<64xf32>, tensor<64xf32>
}
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>, %f: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %r:2 = call @sw(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %u = tensor.insert %f into %r#0[%i] : tensor<64xf32>
  return %u, %r#1 : tensor<64xf32>, tensor<64xf32>
}
// -----
func.func @hoist_alloca(
  %lb: index,
  %ub: index,
  %step: index,
  %buf: memref<2xf32>,
  %res: memref<2xf32>) {
  %0 = memref.alloca() : memref<2xf32>
  %1 = scf.for %i = %lb to %ub step %step
    iter_args(%iterBuf = %buf) -> memref<2xf32> {
    %2 = scf.for %i2 = %lb to %ub step %step
      iter_args(%iterBuf2 = %iterBuf) -> memref<2xf32> {
        %3 = memref.alloca() : memref<2xf32>
        scf.yield %0 : memref<2xf32>
    }
    scf.yield %0 : memref<2xf32>
  }
  test.copy(%1, %res) : (memref<2xf32>, memref<2xf32>)
  return
}
// -----
func.func @table(%i: index, %v: f32) -> tensor<4xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %u = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @acc(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<4xf32>) {
    %b = linalg.add ins(%a, %x : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
func.func @chain(%t: tensor<4x16xf32>, %f: f32, %c: i1, %k: index) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %sel = scf.if %c -> tensor<64xf32> {
    scf.yield %flat : tensor<64xf32>
  } else {
    %n = tensor.empty() : tensor<64xf32>
    %z = linalg.fill ins(%f : f32) outs(%n : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  %w = tensor.insert %f into %sel[%k] : tensor<64xf32>
  %row = tensor.extract_slice %t[1, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %v = tensor.extract %row[%c0] : tensor<16xf32>
  return %w, %v : tensor<64xf32>, f32
}
// -----
func.func @to_shared(%t: tensor<64x64xf32>, %f: f32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %s = bufferization.alloc_tensor() copy(%t) {memory_space = 3 : i64} : tensor<64x64xf32>
  %u = tensor.insert %f into %s[%c0, %c0] : tensor<64x64xf32>
  %b = bufferization.alloc_tensor() copy(%u) {memory_space = 0 : i64} : tensor<64x64xf32>
  return %b : tensor<64x64xf32>
}
func.func @select_space(%c: i1, %t: tensor<64xf32>) -> tensor<64xf32> {
  %s = bufferization.alloc_tensor() copy(%t) {memory_space = 3 : i64} : tensor<64xf32>
  %r = scf.if %c -> tensor<64xf32> {
    scf.yield %s : tensor<64xf32>
  } else {
    scf.yield %t : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
// -----
func.func @cfg(%t: tensor<32xf32>, %w: tensor<32xf32>, %n: index) -> (tensor<32xf32>, tensor<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 2.0 : f32
  cf.br ^head(%c0, %t, %t : index, tensor<32xf32>, tensor<32xf32>)
^head(%i: index, %a: tensor<32xf32>, %b: tensor<32xf32>):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit
^body:
  %a1 = tensor.insert %f into %a[%i] : tensor<32xf32>
  %old = tensor.extract %a[%c0] : tensor<32xf32>
  %b1 = tensor.insert %old into %b[%i] : tensor<32xf32>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^head(%i1, %a1, %b1 : index, tensor<32xf32>, tensor<32xf32>)
^exit:
  return %a, %b : tensor<32xf32>, tensor<32xf32>
}
// -----
func.func @depthwise_conv_1d_nwc_wc(%arg0: index, %arg1: index, %arg2: tensor<8x18x32xf32>)
    -> tensor<?x1x6x8xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c8 = arith.constant 8 : index
  %0 = bufferization.alloc_tensor() : tensor<4x1x6x8xf32>
  %1 = tensor.cast %0 : tensor<4x1x6x8xf32> to tensor<?x1x6x8xf32>
  %2 = bufferization.alloc_tensor() : tensor<1x6x8xf32>
  %3 = scf.for %arg3 = %c0 to %c32 step %c8 iter_args(%arg4 = %1) -> (tensor<?x1x6x8xf32>) {
    %4 = affine.apply affine_map<(d0) -> (d0 ceildiv 8)>(%arg3)
    %5 = tensor.insert_slice %2 into %arg4[%4,0, 0, 0] [1, 1, 6, 8] [1, 1, 1, 1] :
      tensor<1x6x8xf32> into tensor<?x1x6x8xf32>
    scf.yield %5 : tensor<?x1x6x8xf32>
  }
  return %3 : tensor<?x1x6x8xf32>
}
// -----
func.func @insert_slice_insert_slice(
    %A : tensor<?xf32> {bufferization.writable = true},
    %A2 : tensor<4xf32> {bufferization.writable = true},
    %A3 : tensor<2xf32> {bufferization.writable = true},
    %B : tensor<?xf32> {bufferization.writable = false},
    %B2 : tensor<4xf32> {bufferization.writable = false},
    %B3 : tensor<2xf32> {bufferization.writable = false})
  -> (tensor<?xf32>, tensor<?xf32>)
{
  %r0 = tensor.insert_slice %A3 into %A2[0][2][1] : tensor<2xf32> into tensor<4xf32>

  %r1 = tensor.insert_slice %r0 into %A[0][4][1] : tensor<4xf32> into tensor<?xf32>

  %r2 = tensor.insert_slice %B3 into %B2[0][2][1] : tensor<2xf32> into tensor<4xf32>

  %r3 = tensor.insert_slice %r2 into %B[0][4][1] : tensor<4xf32> into tensor<?xf32>

  return %r1, %r3: tensor<?xf32>, tensor<?xf32>
}
// -----
func.func @multi_insert_pad_into_fill(%input: tensor<7x123x124xf32>, %a: tensor<8x128x128xf32>, %offset: index) -> tensor<8x384x384xf32> {
  %f0 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %pad = tensor.pad %input low[1, 2, 0] high[0, 3, 4] {
  ^bb0(%arg3: index, %arg4: index, %arg5: index):
    tensor.yield %f0 : f32
  } : tensor<7x123x124xf32> to tensor<8x128x128xf32>
  %empty = tensor.empty() : tensor<8x384x384xf32>
  %fill = linalg.fill ins(%f0 : f32) outs(%empty : tensor<8x384x384xf32>) -> tensor<8x384x384xf32>
  %0 = tensor.insert_slice %a   into %fill[0, 0, %offset]  [8, 128, 128] [1, 1, 1] : tensor<8x128x128xf32> into tensor<8x384x384xf32>
  %1 = tensor.insert_slice %a   into %0   [0, 1, %offset]  [8, 128, 128] [1, 1, 1] : tensor<8x128x128xf32> into tensor<8x384x384xf32>
  %2 = tensor.insert_slice %pad into %1   [0, 256, 256]    [8, 128, 128] [1, 1, 1] : tensor<8x128x128xf32> into tensor<8x384x384xf32>
  return %2: tensor<8x384x384xf32>
}
// -----
// a block that nothing reaches
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
^dead(%d: tensor<4xf32>):
  cf.br ^dead(%d : tensor<4xf32>)
}
// -----
// memory spaces meet at a choice
func.func @f(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %x = tensor.extract %s[%c0] : tensor<4xf32>
  return %x : f32
}
// -----
// memory spaces meet at a block
func.func @f(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  cf.cond_br %c, ^l(%a : tensor<4xf32>), ^l(%b : tensor<4xf32>)
^l(%s: tensor<4xf32>):
  %x = tensor.extract %s[%c0] : tensor<4xf32>
  return %x : f32
}
// -----
// memory spaces meet in a loop
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %e = tensor.insert %v into %a[%c0] : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %d = tensor.insert %v into %b[%c0] : tensor<4xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<4xf32>) {
    scf.yield %d : tensor<4xf32>
  }
  %x = tensor.extract %s[%c0] : tensor<4xf32>
  return %x : f32
}
// -----
// two tensors of one buffer
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %c = tensor.insert %v into %a[%i] : tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}
// -----
// an unknown operation
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "x.y"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// parallel with a reduction
func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> tensor<4xf32> {
    %b = tensor.empty() : tensor<4xf32>
    scf.reduce(%b : tensor<4xf32>) {
    ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
      scf.reduce.return %x : tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
// -----
func.func private @id(%t: tensor<64xf32>) -> tensor<64xf32> {
  return %t : tensor<64xf32>
}
func.func @main(%t: tensor<64xf32>, %f: f32, %i: index) -> tensor<64xf32> {
  %a = call @id(%t) : (tensor<64xf32>) -> tensor<64xf32>
  %r = tensor.insert %f into %a[%i] : tensor<64xf32>
  return %r : tensor<64xf32>
}
