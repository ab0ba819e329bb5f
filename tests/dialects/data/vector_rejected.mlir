// Programs that are not accepted: the comment above each quotes the first error, and it stands where BODY is in the frame
// above it.

// frame:
func.func @g(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %f: f32, %v: vector<4xf32>, %v2: vector<4x8xf32>, %mask: vector<4xi1>, %mask2: vector<4x8xi1>, %vi : vector<4xi32>, %v0: vector<f32>, %sv: vector<[4]xf32>, %a: vector<4x5xf32>, %b : vector<5x8xf32>, %m1: memref<?xf32>, %i32: i32, %ms: memref<?xf32, strided<[2]>>, %um: memref<*xf32>) {BODY return }

// error: 'vector.transfer_read' op requires 2 indices
%0 = vector.transfer_read %m[%i], %f : memref<?x?xf32>, vector<4xf32>

// error: custom op 'vector.transfer_read' expected a custom permutation_map when rank(source) != rank(destination)
%0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4x4x4xf32>

// error: custom op 'vector.transfer_read' requires two types
%0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>

// error: custom op 'vector.transfer_read' requires vector type
%0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, f32

// error: custom op 'vector.transfer_read' requires memref or ranked tensor type
%0 = vector.transfer_read %f[%i, %i], %f : f32, vector<4xf32>

// error: custom op 'vector.transfer_read' requires memref or ranked tensor type
%0 = vector.transfer_read %um[%i, %i], %f : memref<*xf32>, vector<4xf32>

// error: use of value '%i32' expects different type than prior uses: 'f32' vs 'i32'
%0 = vector.transfer_read %m[%i, %i], %i32 : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>

// error: 'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0) -> (d0)>} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires permutation_map without symbols
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1)[s0] -> (d0)>} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)
%0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (1)>} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2
%0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, false]} : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op attribute 'in_bounds' failed to satisfy constraint: 1-bit boolean array attribute
%0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [1]} : memref<?x?xf32>, vector<4xf32>

// error: use of value '%mask2' expects different type than prior uses: 'vector<4xi1>' vs 'vector<4x8xi1>'
%0 = vector.transfer_read %m[%i, %i], %f, %mask2 : memref<?x?xf32>, vector<4xf32>

// error: 'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type
%0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<3xf16>

// error: 'vector.transfer_read' op inferred mask type ('vector<4xi1>') and mask operand type ('vector<4x8xi1>') don't match
"vector.transfer_read"(%m, %i, %i, %f, %mask2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<?x?xf32>, index, index, f32, vector<4x8xi1>) -> vector<4xf32>

// error: 'vector.transfer_read' op requires formal padding and source of the same elemental type
"vector.transfer_read"(%m, %i, %i, %i32) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<?x?xf32>, index, index, i32) -> vector<4xf32>

// error: 'vector.transfer_read' op requires source to be a memref or ranked tensor type
"vector.transfer_read"(%v, %i, %f) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, index, f32) -> vector<4xf32>

// error: 'vector.transfer_read' op operand #0 must be shaped of any type values, but got 'f32'
"vector.transfer_read"(%f, %i, %f) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (f32, index, f32) -> vector<4xf32>

// error: 'vector.transfer_write' op should not have broadcast dimensions
vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>

// error: 'vector.transfer_write' op requires 2 indices
vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?x?xf32>

// error: 'vector.mask' op expects only one operation to mask
vector.mask %mask { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>

// error: 'vector.mask' op expects a MaskableOpInterface within the mask region
vector.mask %mask { arith.addf %f, %f : f32 } : vector<4xi1> -> f32

// error: 'vector.mask' op expects a 'vector<4xi1>' mask for the maskable operation
vector.mask %mask2 { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4x8xi1>

// error: 'vector.mask' op expects number of results to match mask region yielded values
%r = vector.mask %mask { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1> -> f32

// error: 'vector.mask' op expects number of results to match mask region yielded values
vector.mask %mask { vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4xf32> } : vector<4xi1>

// error: 'vector.mask' op doesn't expect a passthru argument for this maskable operation
%r = vector.mask %mask, %f { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32

// error: 'vector.mask' op expects result type to match maskable operation result type
%r = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> i32

// error: custom op 'vector.mask' expects a result if passthru operand is provided
vector.mask %mask, %f { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>

// error: use of value '%v2' expects different type than prior uses: 'vector<4xf32>' vs 'vector<4x8xf32>'
%r = vector.mask %mask, %v2 { vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>

// error: 'vector.reduction' op unsupported reduction rank: 2
%r = vector.reduction <add>, %v2 : vector<4x8xf32> into f32

// error: 'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'
%r = vector.reduction <and>, %v : vector<4xf32> into f32

// error: custom op 'vector.reduction' expected ::mlir::vector::CombiningKind to be one of: add, mul, minui, minsi, minnumf, maxui, maxsi, maxnumf, and, or, xor, maximumf, minimumf
%r = vector.reduction <foo>, %v : vector<4xf32> into f32

// error: 'vector.reduction' op failed to verify that source operand and result have same element type
%r = vector.reduction <add>, %v : vector<4xf32> into i32

// error: use of value '%i32' expects different type than prior uses: 'f32' vs 'i32'
%r = vector.reduction <add>, %v, %i32 : vector<4xf32> into f32

// error: 'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<4x8xf32>'
%r2 = vector.multi_reduction <mul>, %v2, %v [0] : vector<4x8xf32> to vector<4xf32>

// error: 'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)
%e = vector.extract %v2[4] : vector<8xf32> from vector<4x8xf32>

// error: 'vector.extract' op expected position attribute of rank no greater than vector rank
%e = vector.extract %v2[1, 2, 3] : f32 from vector<4x8xf32>

// error: 'vector.extract' op inferred type(s) 'vector<8xf32>' are incompatible with return type(s) of operation 'vector<7xf32>'
%e = vector.extract %v2[1] : vector<7xf32> from vector<4x8xf32>

// error: 'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)
%e = vector.extract %v2[-2] : vector<8xf32> from vector<4x8xf32>

// error: expected a scalar instead of a 0-d vector as the result type
%e = vector.extract %v2[1, 2] : vector<f32> from vector<4x8xf32>

// error: 'vector.insert' op expected position attribute rank to match the dest vector rank
%e = vector.insert %f, %v2[1] : f32 into vector<4x8xf32>

// error: 'vector.insert' op expected position attribute #2 to be a non-negative integer smaller than the corresponding dest vector dimension
%e = vector.insert %f, %v2[1, 9] : f32 into vector<4x8xf32>

// error: 'vector.insert' op expected position attribute rank + source rank to match dest vector rank
%e = vector.insert %v, %v2[1, 1] : vector<4xf32> into vector<4x8xf32>

// error: expected a scalar instead of a 0-d vector as the source operand
%e = vector.insert %v0, %v2[1, 1] : vector<f32> into vector<4x8xf32>

// error: 'vector.insert' op expected position attribute of rank no greater than dest vector rank
%e = vector.insert %f, %v2[1, 2, 3] : f32 into vector<4x8xf32>

// error: 'vector.broadcast' op source rank higher than destination rank
%e = vector.broadcast %v2 : vector<4x8xf32> to vector<8xf32>

// error: 'vector.broadcast' op dimension mismatch (4 vs. 8)
%e = vector.broadcast %v : vector<4xf32> to vector<8xf32>

// error: 'vector.broadcast' op dimension mismatch ([4] vs. 4)
%e = vector.broadcast %sv : vector<[4]xf32> to vector<4xf32>

// error: 'vector.broadcast' op failed to verify that source operand and result have same element type
%e = vector.broadcast %i32 : i32 to vector<8xf32>

// error: 'vector.broadcast' op source type is not a vector
%e = vector.broadcast %m : memref<?x?xf32> to vector<8xf32>

// error: 'vector.shape_cast' op has different number of elements at source (32) and result (31)
%e = vector.shape_cast %v2 : vector<4x8xf32> to vector<31xf32>

// error: 'vector.shape_cast' op has different source and result element types
%e = vector.shape_cast %v2 : vector<4x8xf32> to vector<32xi32>

// error: 'vector.shape_cast' op has different number of scalable dims at source (1) and result (0)
%e = vector.shape_cast %sv : vector<[4]xf32> to vector<4xf32>

// error: 'vector.bitcast' op dimension size mismatch at: 0
%e = vector.bitcast %v2 : vector<4x8xf32> to vector<5x8xf32>

// error: 'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal
%e = vector.bitcast %v2 : vector<4x8xf32> to vector<4x4xf32>

// error: 'vector.bitcast' op failed to verify that all of {source, result} have same rank
%e = vector.bitcast %v2 : vector<4x8xf32> to vector<4xf32>

// error: 'vector.bitcast' op source/result bitwidth of the 0-D vector element types must be equal
%e = vector.bitcast %v0 : vector<f32> to vector<i8>

// error: 'vector.transpose' op transposition length mismatch: 1
%e = vector.transpose %v2, [0] : vector<4x8xf32> to vector<8x4xf32>

// error: 'vector.transpose' op dimension size mismatch at: 0
%e = vector.transpose %v2, [0, 0] : vector<4x8xf32> to vector<8x4xf32>

// error: 'vector.transpose' op dimension size mismatch at: 0
%e = vector.transpose %v2, [0, 2] : vector<4x8xf32> to vector<8x4xf32>

// error: 'vector.transpose' op dimension size mismatch at: 0
%e = vector.transpose %v2, [0, 1] : vector<4x8xf32> to vector<8x4xf32>

// error: 'vector.transpose' op vector result rank mismatch: 1
%e = vector.transpose %v2, [0, 1] : vector<4x8xf32> to vector<8xf32>

// error: 'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size
%e = vector.extract_strided_slice %v2 {offsets = [0], sizes = [2, 1], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank
%e = vector.extract_strided_slice %v2 {offsets = [0,0,0], sizes = [2,1,1], strides = [1,1,1]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected offsets dimension 0 to be confined to [0, 4)
%e = vector.extract_strided_slice %v2 {offsets = [5], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected sizes dimension 0 to be confined to [1, 5)
%e = vector.extract_strided_slice %v2 {offsets = [0], sizes = [5], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected strides to be confined to [1, 2)
%e = vector.extract_strided_slice %v2 {offsets = [0], sizes = [2], strides = [2]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)
%e = vector.extract_strided_slice %v2 {offsets = [3], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>

// error: 'vector.extract_strided_slice' op expected result type to be 'vector<2x8xf32>'
%e = vector.extract_strided_slice %v2 {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>

// error: 'vector.insert_strided_slice' op expected offsets of same size as destination vector rank
%e = vector.insert_strided_slice %v, %v2 {offsets = [0], strides = [1]} : vector<4xf32> into vector<4x8xf32>

// error: 'vector.insert_strided_slice' op expected strides of same size as source vector rank
%e = vector.insert_strided_slice %v, %v2 {offsets = [0, 0], strides = [1, 1]} : vector<4xf32> into vector<4x8xf32>

// error: 'vector.insert_strided_slice' op expected source rank to be no greater than destination rank
%e = vector.insert_strided_slice %v2, %v {offsets = [0], strides = [1, 1]} : vector<4x8xf32> into vector<4xf32>

// error: 'vector.insert_strided_slice' op expected offsets dimension 1 to be confined to [0, 8)
%e = vector.insert_strided_slice %v, %v2 {offsets = [0, 100], strides = [1]} : vector<4xf32> into vector<4x8xf32>

// error: 'vector.insert_strided_slice' op expected strides to be confined to [1, 2)
%e = vector.insert_strided_slice %v, %v2 {offsets = [0, 0], strides = [3]} : vector<4xf32> into vector<4x8xf32>

// error: 'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 9)
%e = vector.insert_strided_slice %v, %v2 {offsets = [0, 5], strides = [1]} : vector<4xf32> into vector<4x8xf32>

// error: 'vector.shuffle' op rank mismatch
%e = vector.shuffle %v, %v2 [0, 1] : vector<4xf32>, vector<4x8xf32>

// error: 'vector.shuffle' op mask index #2 out of range
%e = vector.shuffle %v, %v [0, 100] : vector<4xf32>, vector<4xf32>

// error: 'vector.shuffle' op invalid mask length
%e = vector.shuffle %v, %v [] : vector<4xf32>, vector<4xf32>

// error: 'vector.shuffle' op dimension mismatch
%e = vector.shuffle %a, %v2 [0, 1] : vector<4x5xf32>, vector<4x8xf32>

// error: 'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs
%e = vector.interleave %v, %v : vector<4xf32> -> vector<9xf32>

// error: 'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension
%e:2 = vector.deinterleave %v : vector<4xf32> -> vector<3xf32>

// error: 'vector.load' op requires 2 indices
%e = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>

// error: 'vector.load' op base and result element types should match
%e = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xi32>

// error: 'vector.load' op destination memref has lower rank than the result vector
%e = vector.load %m1[%i] : memref<?xf32>, vector<4x8xf32>

// error: 'vector.load' op most minor memref dim must have unit stride
%e = vector.load %ms[%i] : memref<?xf32, strided<[2]>>, vector<4xf32>

// error: 'vector.store' op requires 2 indices
vector.store %v, %m[%i] : memref<?x?xf32>, vector<4xf32>

// error: 'vector.store' op base and valueToStore element type should match
vector.store %vi, %m[%i, %i] : memref<?x?xf32>, vector<4xi32>

// error: 'vector.store' op source memref has lower rank than the vector to store
vector.store %v2, %m1[%i] : memref<?xf32>, vector<4x8xf32>

// error: 'vector.store' op most minor memref dim must have unit stride
vector.store %v, %ms[%i] : memref<?xf32, strided<[2]>>, vector<4xf32>

// error: 'vector.maskedload' op expected result shape to match mask shape
%ml = vector.maskedload %m[%i, %i], %mask2, %v : memref<?x?xf32>, vector<4x8xi1>, vector<4xf32> into vector<4xf32>

// error: 'vector.maskedload' op requires 2 indices
%ml = vector.maskedload %m[%i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>

// error: 'vector.maskedload' op expected pass_thru of same type as result type
%ml = vector.maskedload %m[%i, %i], %mask, %v2 : memref<?x?xf32>, vector<4xi1>, vector<4x8xf32> into vector<4xf32>

// error: 'vector.maskedload' op base and result element type should match
%ml = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xi32>

// error: 'vector.maskedstore' op expected valueToStore shape to match mask shape
vector.maskedstore %m[%i, %i], %mask2, %v : memref<?x?xf32>, vector<4x8xi1>, vector<4xf32>

// error: 'vector.maskedstore' op base and valueToStore element type should match
vector.maskedstore %m[%i, %i], %mask, %vi : memref<?x?xf32>, vector<4xi1>, vector<4xi32>

// error: 'vector.maskedstore' op requires 2 indices
vector.maskedstore %m[%i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>

// error: 'vector.compressstore' op requires 2 indices
vector.compressstore %m[%i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>

// error: 'vector.compressstore' op base and valueToStore element type should match
vector.compressstore %m[%i, %i], %mask, %vi : memref<?x?xf32>, vector<4xi1>, vector<4xi32>

// error: 'vector.expandload' op requires 2 indices
%el = vector.expandload %m[%i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>

// error: 'vector.expandload' op expected pass_thru of same type as result type
%el = vector.expandload %m[%i, %i], %mask, %v2 : memref<?x?xf32>, vector<4xi1>, vector<4x8xf32> into vector<4xf32>

// error: 'vector.expandload' op base and result element type should match
%el = vector.expandload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xi32>

// error: 'vector.gather' op requires 2 indices
%ga = vector.gather %m[%i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>

// error: 'vector.gather' op expected result dim to match indices dim
%ga = vector.gather %m[%i, %i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<5xf32>

// error: 'vector.gather' op expected result dim to match mask dim
%ga = vector.gather %m[%i, %i] [%vi], %mask2, %v : memref<?x?xf32>, vector<4xi32>, vector<4x8xi1>, vector<4xf32> into vector<4xf32>

// error: 'vector.gather' op expected pass_thru of same type as result type
%ga = vector.gather %m[%i, %i] [%vi], %mask, %v2 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4x8xf32> into vector<4xf32>

// error: 'vector.gather' op base and result element type should match
%ga = vector.gather %m[%i, %i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xi32>

// error: 'vector.scatter' op requires 2 indices
vector.scatter %m[%i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>

// error: 'vector.scatter' op expected valueToStore dim to match mask dim
vector.scatter %m[%i, %i] [%vi], %mask2, %v : memref<?x?xf32>, vector<4xi32>, vector<4x8xi1>, vector<4xf32>

// error: 'vector.scatter' op expected valueToStore dim to match indices dim
vector.scatter %m[%i, %i] [%vi], %mask, %v2 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4x8xf32>

// error: 'vector.scatter' op base and valueToStore element type should match
vector.scatter %m[%i, %i] [%vi], %mask, %vi : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xi32>

// error: 'vector.constant_mask' op must specify array attr of size equal vector result rank
%cm = vector.constant_mask [4] : vector<4x8xi1>

// error: 'vector.constant_mask' op array attr of size out of bounds of vector result dimension size
%cm = vector.constant_mask [4, 9] : vector<4x8xi1>

// error: 'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim
%cm = vector.constant_mask [4, 0] : vector<4x8xi1>

// error: 'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions
%cm = vector.constant_mask [2] : vector<[4]xi1>

// error: mask dim size must be either 0 or 1 for 0-D vectors
%cm = vector.constant_mask [2] : vector<i1>

// error: array attr must have length 1 for 0-D vectors
%cm = vector.constant_mask [1, 1] : vector<i1>

// error: 'vector.create_mask' op must specify an operand for each result vector dimension
%cm = vector.create_mask %i : vector<4x8xi1>

// error: 'vector.create_mask' op must specify exactly one operand for 0-D create_mask
%cm = vector.create_mask : vector<i1>

// error: 'vector.create_mask' op result #0 must be vector of 1-bit signless integer values, but got 'vector<4xi32>'
%cm = vector.create_mask %i : vector<4xi32>

// error: 'vector.scan' op reduction dimension 2 has to be less than 2
%sc:2 = vector.scan <add>, %v2, %v {inclusive = true, reduction_dim = 2 : i64} : vector<4x8xf32>, vector<4xf32>

// error: 'vector.scan' op initial value rank 2 has to be equal to 1
%sc:2 = vector.scan <add>, %v2, %v2 {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4x8xf32>

// error: 'vector.scan' op incompatible input/initial value shapes
%sc:2 = vector.scan <add>, %v2, %v {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<4xf32>

// error: 'vector.scan' op unsupported reduction type 'f32' for kind 'and'
%sc:2 = vector.scan <and>, %v2, %v {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>

// error: custom op 'vector.outerproduct' expected at least 2 operands
%o = vector.outerproduct %v : vector<4xf32>, vector<4xf32>

// error: expected ','
%o = vector.outerproduct %v, %v : vector<4xf32>

// error: custom op 'vector.outerproduct' expected vector type for operand #1
%o = vector.outerproduct %f, %v : f32, vector<4xf32>

// error: 'vector.outerproduct' op expected 1-d vector for operand #1
%o = vector.outerproduct %v2, %v : vector<4x8xf32>, vector<4xf32>

// error: 'vector.outerproduct' op expected 1-d vector for operand #2
%o = vector.outerproduct %v, %v2 : vector<4xf32>, vector<4x8xf32>

// error: use of value '%v2' expects different type than prior uses: 'vector<4x4xf32>' vs 'vector<4x8xf32>'
%o = vector.outerproduct %v, %v, %v2 : vector<4xf32>, vector<4xf32>

// error: 'vector.outerproduct' op unsupported outerproduct type
%o = vector.outerproduct %v, %v {kind = #vector.kind<and>} : vector<4xf32>, vector<4xf32>

// error: 'vector.outerproduct' op failed to verify that rhs operand and result have same element type
%o = vector.outerproduct %v, %vi : vector<4xf32>, vector<4xi32>

// error: 'vector.contract' op expected an indexing map for each vector operand
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: custom op 'vector.contract' unexpected iterator_type (foo)
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "foo"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op expected indexing map 0 to have 2 number of inputs
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op expected indexing map 0 to have no symbols
%c = vector.contract {indexing_maps = [affine_map<(i,j,k)[s] -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op expected indexing map 0 to have 2 number of outputs
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,i)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op expected at least one contracting dimension pair
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "parallel"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op invalid contracting dimension map
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (j,k)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: 'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<4x8xf32>'
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %a : vector<4x5xf32>, vector<5x8xf32> into vector<4x5xf32>

// error: 'vector.contract' op expected indexing map 2 to have 0 number of outputs
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %f : vector<4x5xf32>, vector<5x8xf32> into f32

// error: 'vector.contract' op unsupported contraction type
%c = vector.contract {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<and>} %a, %b, %v2 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>

// error: custom op 'vector.from_elements' number of operands and types do not match: got 2 operands and 3 types
%fe = vector.from_elements %f, %f : vector<3xf32>

// error: 'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4x4xindex>'
%st = vector.step : vector<4x4xindex>

// error: 'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4xi32>'
%st = vector.step : vector<4xi32>

// error: 'vector.type_cast' op operand #0 must be statically shaped memref of any type values, but got 'memref<?x?xf32>'
%tc = vector.type_cast %m : memref<?x?xf32> to memref<vector<3x4xf32>>

// error: 'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings
vector.print %v : vector<4xf32> str "x"

// error: custom op 'vector.print' expected ::mlir::vector::PrintPunctuation to be one of: no_punctuation, newline, comma, open, close
vector.print punctuation <foo>

// error: 'vector.scalable.insert' op failed to verify that position is a multiple of the source length.
%si = vector.scalable.insert %v, %sv[3] : vector<4xf32> into vector<[4]xf32>

// error: 'vector.scalable.extract' op failed to verify that position is a multiple of the result length.
%se = vector.scalable.extract %sv[1] : vector<4xf32> from vector<[4]xf32>

// error: 'vector.scalable.extract' op operand #0 must be  of ranks 1, but got 'vector<4xf32>'
%se = vector.scalable.extract %v[0] : vector<4xf32> from vector<4xf32>

// error: 'vector.fma' op operand #0 must be vector of floating-point values, but got 'vector<4xi32>'
%x = vector.fma %vi, %vi, %vi : vector<4xi32>
