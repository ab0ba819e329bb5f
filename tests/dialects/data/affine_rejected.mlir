// Programs that are not accepted: the comment above each quotes the first error, and it stands where BODY is in the frame
// above it.

// frame:
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
BODY
  return
}

// error: 'affine.load' op operand cannot be used as a dimension id
  scf.for %i = %n to %n step %n {
    %x = affine.load %m[%i] : memref<?xf32>
  }

// error: custom op 'affine.apply' dimension or symbol index mismatch
    %x = affine.apply affine_map<()[s0] -> (s0)>(%n)[]

// error: operation defines 2 results but was provided 1 to bind
    %x = affine.apply affine_map<()[s0] -> (s0, s0)>()[%n]

// error: 'affine.min' op affine map expect at least one result
    %x = affine.min affine_map<()[s0] -> ()>()[%n]

// error: 'affine.min' op operand count and affine map dimension and symbol count must match
    %x = affine.min affine_map<()[s0] -> (s0)>(%n)[%n]

// error: custom op 'affine.for' symbol operand count and affine map symbol count must match
    affine.for %i = affine_map<()[s0] -> (s0)>()[%n, %n] to 10 {}

// error: custom op 'affine.for' dim operand count and affine map dim count must match
    affine.for %i = affine_map<()[s0] -> (s0)>(%n)[%n] to 10 {}

// error: custom op 'affine.for' lower loop bound affine map with multiple results requires 'max' prefix
    affine.for %i = affine_map<()[s0] -> (s0, 3)>()[%n] to 10 {}

// error: custom op 'affine.for' upper loop bound affine map with multiple results requires 'min' prefix
    affine.for %i = 0 to affine_map<()[s0] -> (s0, 3)>()[%n] {}

// error: custom op 'affine.for' expected valid affine map representation for loop bounds
    affine.for %i = "x" to affine_map<()[s0] -> (s0, 3)>()[%n] {}

// error: custom op 'affine.for' expected step to be representable as a positive signed integer
    affine.for %i = 0 to 10 step -1 {}

// error: 'affine.for' op operand cannot be used as a symbol
  scf.for %i = %n to %n step %n {
    affine.for %j = 0 to %i {}
  }

// error: 'affine.yield' op types mismatch between yield op and its parent
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { affine.yield %c : i1 }

// error: use of value '%n' expects different type than prior uses: 'i1' vs 'index'
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (i1) { affine.yield %c : i1 }

// error: 'affine.yield' op parent of yield must have same number of results as the yield operands
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { affine.yield }

// error: 'affine.yield' op parent of yield must have same number of results as the yield operands
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { }

// error: custom op 'affine.for' mismatch between the number of loop-carried values and results
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index, index) { affine.yield %a : index }

// error: custom op 'affine.if' dim operand count and integer set dim count must match
    affine.if affine_set<(d0) : (d0 >= 0)>()[%n] {}

// error: 'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs
    %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index { affine.yield %n : index}

// error: 'affine.yield' op types mismatch between yield op and its parent
    %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index { affine.yield %c : i1} else {affine.yield %n : index}

// error: custom op 'affine.if' invalid kind of attribute specified
    affine.if affine_map<(d0) -> (d0 )>(%n) { }

// error: 'affine.load' op affine map num results must equal memref rank
    %x = affine.load %m[%n, %n] : memref<?xf32>

// error: non-affine expression: at least one of the multiply operands has to be either a constant or symbolic
    %x = affine.load %m[%n * %n] : memref<?xf32>

// error: non-affine expression: right operand of floordiv has to be either a constant or symbolic
    %x = affine.load %m[3 floordiv %n] : memref<?xf32>

// error: non-affine expression: right operand of ceildiv has to be either a constant or symbolic
    %x = affine.load %m[3 ceildiv %n] : memref<?xf32>

// error: non-affine expression: right operand of mod has to be either a constant or symbolic
    %x = affine.load %m[3 mod %n] : memref<?xf32>

// error: missing right operand of binary operator
    %x = affine.load %m[3 + * 2] : memref<?xf32>

// error: use of undeclared identifier
    %x = affine.load %m[foo] : memref<?xf32>

// error: expected ')'
    %x = affine.load %m[(%n + 1] : memref<?xf32>

// error: no expression inside parentheses
    %x = affine.load %m[()] : memref<?xf32>

// error: expected affine expression
    %x = affine.load %m[- ] : memref<?xf32>

// error: expected ssa identifier
    %x = affine.load %m[symbol(3)] : memref<?xf32>

// error: expected affine expression
    %x = affine.load %m[-%n * 2 - -3 - -%n, ] : memref<?xf32>

// error: use of value '%c' expects different type than prior uses: 'index' vs 'i1'
    %x = affine.load %m[%c] : memref<?xf32>

// error: custom op 'affine.load' invalid kind of type specified: expected builtin.memref, but found 'tensor<?xf32>'
    %x = affine.load %m[%n] : tensor<?xf32>

// error: 'affine.delinearize_index' op should return an index for each basis element and up to one extra index
  %b:3 = affine.delinearize_index %n into (3) : index, index, index

// error: 'affine.delinearize_index' op no basis element may be statically non-positive
  %b:3 = affine.delinearize_index %n into (3, 0) : index, index, index

// error: 'affine.linearize_index' op should be passed a basis element for each index except possibly the first
  %b = affine.linearize_index [%n, %n] by (3, 4, 5) : index

// error: 'affine.linearize_index' op mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite
  "affine.linearize_index"(%n, %n) <{operandSegmentSizes=array<i32: 1,1>, static_basis=array<i64: 1>}> : (index, index) -> index

// error: 'affine.delinearize_index' op should return an index for each basis element and up to one extra index
  "affine.delinearize_index"(%n) <{static_basis=array<i64: 1>}> : (index) -> ()

// error: 'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (2), and the number of steps (1) must all match
  affine.parallel (%i) = (0) to (10, 3) { }

// error: 'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match
  affine.parallel (%i) = (0) to (10) step (1, 2) { }

// error: 'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match
  affine.parallel (%i) = (0, 1) to (10) step (1) { }

// error: custom op 'affine.parallel' invalid reduction value: "foo"
  %r = affine.parallel (%i) = (0) to (10) reduce ("foo") -> f32 { }

// error: 'affine.yield' op parent of yield must have same number of results as the yield operands
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> f32 { }

// error: operation defines 2 results but was provided 1 to bind
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32, f32) { }

// error: 'affine.parallel' op expected lower bound map to have at least one result
  affine.parallel (%i) = (max()) to (10) { }

// error: 'affine.parallel' op operand cannot be used as a dimension id
  scf.for %k = %n to %n step %n {
  affine.parallel (%i) = (%k) to (10) { }
  }

// frame:
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
BODY
  affine.yield
}

// error: 'affine.yield' op only terminates affine.if/for/parallel regions


// frame:
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
BODY
  return
}

// error: custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'
  affine.prefetch %m[%n], foo, locality<3>, data : memref<?xf32>

// error: 'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3
  affine.prefetch %m[%n], read, locality<5>, data : memref<?xf32>

// error: custom op 'affine.prefetch' cache type has to be 'data' or 'instr'
  affine.prefetch %m[%n], read, locality<2>, foo : memref<?xf32>

// frame:
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
BODY
  return
}

// error: use of value '%n' expects different type than prior uses: 'f32' vs 'index'
  affine.store %n, %m[%n] : memref<?xf32>

// error: 'affine.store' op value to store must have the same type as memref element type
  "affine.store"(%n, %m, %n) {map = affine_map<(d0)->(d0)>} : (index, memref<?xf32>, index)->()

// error: 'affine.load' op result type must match element type of memref
  "affine.load"(%m, %n) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, index)->(i32)

// error: 'affine.load' op expects as many subscripts as affine map inputs
  "affine.load"(%m, %n) {map = affine_map<(d0, d1)->(d0)>} : (memref<?xf32>, index)->(f32)

// error: 'affine.load' op operand #1 must be variadic of index, but got 'f32'
  "affine.load"(%m, %c) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, f32)->(f32)

// error: 'affine.load' op requires attribute 'map'
  "affine.load"(%m, %n) : (memref<?xf32>, index)->(f32)

// error: 'affine.vector_load' op requires memref and vector types of the same elemental type
  "affine.vector_load"(%m, %n) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, index)->(vector<4xi32>)

// error: 'affine.prefetch' op requires attribute 'map'
  "affine.prefetch"(%m, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32} : (memref<?xf32>, index)->()

// error: 'affine.prefetch' op affine.prefetch affine map num results must equal memref rank
  "affine.prefetch"(%m, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0,d0)>} : (memref<?xf32>, index)->()

// frame:
func.func @a(%n: index, %m: memref<?xf32>, %c: f32, %t: memref<1xi32>) {
BODY
  return
}

// error: custom op 'affine.dma_start' expected two stride related operands
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32>, memref<?xf32>, memref<1xi32>
  affine.dma_start %m[%n], %m[%n], %t[%n], %n, %n: memref<?xf32>, memref<?xf32>, memref<1xi32>

// error: custom op 'affine.dma_start' expected three types
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32>, memref<?xf32>

// frame:
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
BODY
  return
}

// error: 'affine.dma_wait' op index must be a valid dimension or symbol identifier
  scf.for %i = %n to %n step %n {
  affine.dma_wait %t[%i], %n : memref<1xi32>
  affine.prefetch %m[%i], read, locality<3>, data : memref<?xf32, 1>
  }

// error: 'affine.prefetch' op index must be a valid dimension or symbol identifier
  scf.for %i = %n to %n step %n {
  affine.prefetch %m[%i], read, locality<3>, data : memref<?xf32, 1>
  }

// error: 'affine.prefetch' op too few operands
  "affine.prefetch"(%m, %n, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0)>} : (memref<?xf32,1>, index, index)->()

// error: 'affine.prefetch' op operand #1 must be variadic of index, but got 'f32'
  "affine.prefetch"(%m, %c) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0)>} : (memref<?xf32,1>, f32)->()

// error: 'affine.dma_wait' op index to dma_wait must have 'index' type
  "affine.dma_wait"(%t, %c, %n) {tag_map = affine_map<(d0) -> (0)>} : (memref<1xi32>, f32, index) -> ()

// error: 'affine.dma_wait' op expected DMA tag to be of memref type
  "affine.dma_wait"(%c, %n, %n) {tag_map = affine_map<(d0) -> (0)>} : (f32, index, index) -> ()

// error: use of value '%t' expects different type than prior uses: 'f32' vs 'memref<1xi32>'
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>, f32

// error: 'affine.dma_start' op expected DMA source to be of memref type
  affine.dma_start %c[%n], %m[%n], %t[%n], %n : f32, memref<?xf32, 1>, memref<1xi32>

// error: 'affine.dma_start' op expected DMA destination to be of memref type
  affine.dma_start %m[%n], %c[%n], %t[%n], %n : memref<?xf32, 1>, f32,memref<1xi32>

// error: 'affine.dma_start' op expected DMA tag to be of memref type
  affine.dma_start %m[%n], %m[%n], %c[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,f32

// error: 'affine.dma_start' op src index must be a valid dimension or symbol identifier
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%i], %m[%n], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }

// error: 'affine.dma_start' op dst index must be a valid dimension or symbol identifier
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%n], %m[%i], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }

// error: 'affine.dma_start' op tag index must be a valid dimension or symbol identifier
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%n], %m[%n], %t[%i], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }

// error: 'affine.dma_start' op expected DMA destination to be of memref type
  "affine.dma_start"(%m, %n, %m, %n, %t, %n, %n) {src_map = affine_map<() -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, index,memref<1xi32>, index, index) -> ()

// error: 'affine.dma_start' op src index to dma_start must have 'index' type
  "affine.dma_start"(%m, %c, %m, %n, %t, %n, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, f32, memref<?xf32, 1>, index,memref<1xi32>, index, index) -> ()

// error: 'affine.dma_start' op dst index to dma_start must have 'index' type
  "affine.dma_start"(%m, %n, %m, %c, %t, %n, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, f32,memref<1xi32>, index, index) -> ()

// error: 'affine.dma_start' op tag index to dma_start must have 'index' type
  "affine.dma_start"(%m, %n, %m, %n, %t, %c, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, index,memref<1xi32>, f32, index) -> ()

// error: 'affine.for' op different number of inits and region iter_args: 1 != 0
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield
   }) : (index, index) -> ()

// error: 'affine.for' op expected body to have a single index argument for the induction variable
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: i32):
    affine.yield
   }) : (index) -> ()

// error: 'affine.for' op different number of inits and region iter_args: 1 != 0
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield %n : index
   }) : (index, index) -> (index)

// error: 'affine.for' op 0-th init and 0-th region iter_arg have different type: 'index' != 'i1'
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index, %1:i1):
    affine.yield %n : index
   }) : (index, index) -> (index)

// error: 'affine.for' op different number of inits and region iter_args: 0 != 1
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index, %1:index):
    affine.yield %n : index
   }) : (index) -> (index)

// error: 'affine.for' op expected lower bound map to have at least one result
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield
   }) : (index) -> ()

// error: 'affine.for' op region #0 ('region') failed to verify constraint: region with 1 blocks
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 2 : index, upperBoundMap = affine_map<() -> (0)>}> ({
   }) : () -> ()

// error: 'affine.if' op operand count and condition integer set dimension and symbol count must match
  "affine.if"(%n, %n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({affine.yield}, {}) : (index, index) -> ()

// error: 'affine.if' op region #0 should have no arguments
  "affine.if"(%n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
  ^bb0(%x: index):
  affine.yield}, {}) : (index) -> ()

// error: 'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()

// error: 'affine.parallel' op expected lower bounds map to have 2 results
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()

// error: 'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [22], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()

// error: 'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [22], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"(%c) : (f32) -> ()
    }) : (index) -> (f32)
