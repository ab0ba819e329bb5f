// The before/after pairs of the preparation phase in MLIR's Bufferization.md of 2020, type parameters put back where the
// page lost them. Bodies that the page leaves out are filled with one operation that makes the results.

// PAIR: unpack tuples, all buffers appended
// OPTIONS: memref-results=append-to-arguments-list copy-op=linalg.copy
func @f(%arg0: tuple<i1, f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>) {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  return %0 : tuple<memref<10xf32>, tensor<5xf32>>
}
// AFTER
func @f(%arg0: i1, %arg1: f32, %target0: memref<10xf32>, %target1: memref<5xf32>) {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  %1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> memref<10xf32>
  %2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
  %3 = bufferization.to_buffer %2 : tensor<5xf32> to memref<5xf32>
  linalg.copy(%1, %target0) : memref<10xf32>, memref<10xf32>
  linalg.copy(%3, %target1) : memref<5xf32>, memref<5xf32>
  return
}

// PAIR: only results that were tensors are appended
// OPTIONS: copy-op=linalg.copy
func @f(%arg1: tuple<i1, f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>) {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  return %0 : tuple<memref<10xf32>, tensor<5xf32>>
}
// AFTER
func @f(%arg0: i1, %arg1: f32, %out: memref<5xf32>) -> memref<10xf32> {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  %1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> memref<10xf32>
  %2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
  %3 = bufferization.to_buffer %2 : tensor<5xf32> to memref<5xf32>
  linalg.copy(%3, %out) : memref<5xf32>, memref<5xf32>
  return %1 : memref<10xf32>
}

// PAIR: results that were tensors stay results
// OPTIONS: tensor-results=keep-as-function-result
func @f(%arg1: tuple<i1, f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>) {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  return %0 : tuple<memref<10xf32>, tensor<5xf32>>
}
// AFTER
func @f(%arg0: i1, %arg1: f32) -> (memref<10xf32>, memref<5xf32>) {
  %0 = "test.make"() : () -> tuple<memref<10xf32>, tensor<5xf32>>
  %1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> memref<10xf32>
  %2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
  %3 = bufferization.to_buffer %2 : tensor<5xf32> to memref<5xf32>
  return %1, %3 : memref<10xf32>, memref<5xf32>
}

// PAIR: a return copies what became an argument
// OPTIONS: copy-op=linalg.copy
func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
  return %arg0, %arg1 : tensor<5xf32>, i1
}
// AFTER
func @on_tensors(%arg0: memref<5xf32>, %arg1: i1, %out: memref<5xf32>) -> i1 {
  linalg.copy(%arg0, %out) : memref<5xf32>, memref<5xf32>
  return %arg1 : i1
}

// PAIR: a caller allocates
// OPTIONS: copy-op=linalg.copy
func @callee(%arg0: tensor<5xf32>) -> (tensor<5xf32>) {
  return %arg0 : tensor<5xf32>
}

func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
// AFTER
func @callee(%arg0: memref<5xf32>, %out: memref<5xf32>) {
  linalg.copy(%arg0, %out) : memref<5xf32>, memref<5xf32>
  return
}

func @caller(%arg0: memref<5xf32>, %out: memref<5xf32>) {
  %0 = alloc() : memref<5xf32>
  call @callee(%arg0, %0) : (memref<5xf32>, memref<5xf32>) -> ()
  linalg.copy(%0, %out) : memref<5xf32>, memref<5xf32>
  return
}

// PAIR: all converters
// OPTIONS: copy-op=linalg.copy
func @callee(%arg0: tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1> {
  return %arg0 : tuple<tensor<5xf32>,i1>
}

func @caller(%arg0: tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1> {
  %x = call @callee(%arg0) : (tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1>
  return %x : tuple<tensor<5xf32>,i1>
}
// AFTER
func @callee(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
  %0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
  %1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
  %2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
  linalg.copy(%1, %arg2) : memref<5xf32>, memref<5xf32>
  return %2 : i1
}
func @caller(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
  %0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
  %1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
  %2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
  %3 = alloc() : memref<5xf32>
  %4 = call @callee(%1, %2, %3) : (memref<5xf32>, i1, memref<5xf32>) -> i1
  %5 = "test.make_tuple"(%3, %4) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
  %6 = "test.get_tuple_element"(%5) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
  %7 = "test.get_tuple_element"(%5) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
  linalg.copy(%6, %arg2) : memref<5xf32>, memref<5xf32>
  return %7 : i1
}
