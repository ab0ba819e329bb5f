func.func @sums(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  %0 = arith.addi %x, %c3 : i32
  %1 = arith.addi %0, %c10 : i32
  %2 = arith.subi %x, %c3 : i32
  %3 = arith.addi %2, %c10 : i32
  %4 = arith.subi %c3, %x : i32
  %5 = arith.addi %4, %c10 : i32
  %6 = arith.subi %0, %c10 : i32
  %7 = arith.subi %c10, %0 : i32
  %8 = arith.subi %2, %c10 : i32
  %9 = arith.subi %4, %c10 : i32
  %10 = arith.subi %c10, %2 : i32
  %11 = arith.subi %c10, %4 : i32
  %12 = arith.muli %x, %c3 : i32
  %13 = arith.muli %12, %c10 : i32
  return %1, %3, %5, %6, %7, %8, %9, %10, %11, %13 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}
func.func @flags(%x: i32) -> (i32, i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  %0 = arith.addi %x, %c3 overflow<nsw, nuw> : i32
  %1 = arith.addi %0, %c10 overflow<nsw> : i32
  %2 = arith.addi %0, %c10 overflow<nsw, nuw> : i32
  %3 = arith.addi %0, %c10 : i32
  %4 = arith.muli %x, %c3 overflow<nuw> : i32
  %5 = arith.muli %4, %c10 overflow<nsw, nuw> : i32
  %6 = arith.subi %x, %c3 overflow<nsw> : i32
  %7 = arith.subi %6, %c10 overflow<nsw> : i32
  return %1, %2, %3, %5, %7 : i32, i32, i32, i32, i32
}
func.func @negated_factor(%x: i32, %y: i32) -> (i32, i32) {
  %m1 = arith.constant -1 : i32
  %0 = arith.muli %x, %m1 : i32
  %1 = arith.addi %y, %0 : i32
  %2 = arith.addi %0, %y : i32
  return %1, %2 : i32, i32
}
func.func @difference_with_itself(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  %1 = arith.subi %0, %x : i32
  return %1 : i32
}
func.func @bits_of_extensions(%x: i8, %y: i8, %z: i4) -> (i32, i32, i32, i32, i32, i32, i32) {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.extsi %x : i8 to i32
  %3 = arith.extsi %y : i8 to i32
  %z0 = arith.extui %z : i4 to i32
  %4 = arith.andi %0, %1 : i32
  %5 = arith.andi %2, %3 : i32
  %6 = arith.ori %0, %1 : i32
  %7 = arith.ori %2, %3 : i32
  %8 = arith.xori %0, %1 : i32
  %9 = arith.xori %2, %3 : i32
  %10 = arith.andi %0, %z0 : i32
  return %4, %5, %6, %7, %8, %9, %10 : i32, i32, i32, i32, i32, i32, i32
}
func.func @comparisons_of_extensions(%x: i8, %y: i8, %z: i4) -> (i1, i1, i1, i1, i1, i1) {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.extsi %x : i8 to i32
  %3 = arith.extsi %y : i8 to i32
  %z0 = arith.extui %z : i4 to i32
  %4 = arith.cmpi eq, %0, %1 : i32
  %5 = arith.cmpi ne, %2, %3 : i32
  %6 = arith.cmpi slt, %0, %1 : i32
  %7 = arith.cmpi eq, %0, %z0 : i32
  %8 = arith.cmpi ult, %2, %3 : i32
  %9 = arith.cmpi eq, %0, %3 : i32
  return %4, %5, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1
}
func.func @not_of_comparison(%x: i32, %y: i32) -> (i1, i1, i1) {
  %true = arith.constant true
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.xori %0, %true : i1
  %2 = arith.cmpi eq, %x, %y : i32
  %3 = arith.xori %2, %true : i1
  %4 = arith.cmpi ugt, %x, %y : i32
  %5 = arith.xori %true, %4 : i1
  return %1, %3, %5 : i1, i1, i1
}
func.func @selects(%c: i1, %d: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32, i32, i32, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.select %c, %x, %y : i32
  %1 = arith.select %c, %0, %z : i32
  %2 = arith.select %c, %z, %0 : i32
  %n = arith.xori %c, %true : i1
  %3 = arith.select %n, %x, %y : i32
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %4 = arith.select %c, %c1, %c0 : i32
  %5 = arith.select %c, %c0, %c1 : i32
  %6 = arith.select %d, %0, %z : i32
  return %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32
}
func.func @selects_of_bits(%c: i1, %d: i1) -> (i1, i1, i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.select %c, %true, %false : i1
  %1 = arith.select %c, %false, %true : i1
  %2 = arith.select %c, %d, %false : i1
  %3 = arith.select %c, %true, %d : i1
  %4 = arith.select %c, %false, %d : i1
  %5 = arith.select %c, %d, %true : i1
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}
func.func @index_casts(%x: i8, %y: index, %z: i32) -> (index, index, i32, index, i64, i8) {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.index_cast %0 : i32 to index
  %2 = arith.extui %x : i8 to i32
  %3 = arith.index_castui %2 : i32 to index
  %4 = arith.index_cast %z : i32 to index
  %5 = arith.index_cast %4 : index to i32
  %6 = arith.index_cast %y : index to i64
  %7 = arith.index_cast %6 : i64 to index
  %8 = arith.index_cast %4 : index to i64
  %9 = arith.index_cast %1 : index to i8
  return %1, %3, %5, %7, %8, %9 : index, index, i32, index, i64, i8
}
func.func @signed_of_unsigned(%x: i8) -> (i32, i32) {
  %0 = arith.extui %x : i8 to i16
  %1 = arith.extsi %0 : i16 to i32
  %2 = arith.extsi %x : i8 to i16
  %3 = arith.extui %2 : i16 to i32
  return %1, %3 : i32, i32
}
func.func @truncations(%x: i8, %y: i32, %z: i64) -> (i16, i16, i8, i4, i16, i32, i8) {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.trunci %0 : i32 to i16
  %2 = arith.extui %x : i8 to i32
  %3 = arith.trunci %2 : i32 to i16
  %4 = arith.trunci %2 : i32 to i8
  %5 = arith.trunci %0 : i32 to i4
  %c16 = arith.constant 16 : i32
  %6 = arith.shrsi %y, %c16 : i32
  %7 = arith.trunci %6 : i32 to i16
  %8 = arith.trunci %z : i64 to i32
  %9 = arith.trunci %8 : i32 to i8
  return %1, %3, %4, %5, %7, %8, %9 : i16, i16, i8, i4, i16, i32, i8
}
func.func @high_halves(%x: i8, %y: i8) -> (i8, i8, i8, i8) {
  %0 = arith.extsi %x : i8 to i16
  %1 = arith.extsi %y : i8 to i16
  %2 = arith.muli %0, %1 : i16
  %c8 = arith.constant 8 : i16
  %3 = arith.shrui %2, %c8 : i16
  %4 = arith.trunci %3 : i16 to i8
  %5 = arith.extui %x : i8 to i16
  %6 = arith.extui %y : i8 to i16
  %7 = arith.muli %5, %6 : i16
  %8 = arith.shrui %7, %c8 : i16
  %9 = arith.trunci %8 : i16 to i8
  %low, %high = arith.mulsi_extended %x, %y : i8
  %ulow, %uhigh = arith.mului_extended %x, %y : i8
  return %4, %9, %low, %ulow : i8, i8, i8, i8
}
func.func @wide_by_one(%x: i8) -> (i8, i8, i8, i8) {
  %c1 = arith.constant 1 : i8
  %low, %high = arith.mulsi_extended %x, %c1 : i8
  %ulow, %uhigh = arith.mului_extended %x, %c1 : i8
  return %low, %high, %ulow, %uhigh : i8, i8, i8, i8
}
func.func @sum_and_carry(%x: i8, %y: i8) -> (i8, i8) {
  %s, %o = arith.addui_extended %x, %y : i8, i1
  %c0 = arith.constant 0 : i8
  %s2, %o2 = arith.addui_extended %x, %c0 : i8, i1
  return %s, %s2 : i8, i8
}
func.func @negated_floats(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %0 = arith.negf %x : f32
  %1 = arith.negf %y : f32
  %2 = arith.mulf %0, %1 : f32
  %3 = arith.divf %0, %1 : f32
  %4 = arith.mulf %0, %y : f32
  %5 = arith.divf %0, %1 fastmath<nnan> : f32
  return %2, %3, %4, %5 : f32, f32, f32, f32
}
func.func @float_comparison(%x: i32, %y: i32) -> (i1, i1, i1, i1) {
  %0 = arith.sitofp %x : i32 to f64
  %c = arith.constant 1.5 : f64
  %z = arith.constant 2.0 : f64
  %1 = arith.cmpf olt, %0, %c : f64
  %2 = arith.cmpf ogt, %0, %z : f64
  %3 = arith.uitofp %y : i32 to f64
  %4 = arith.cmpf uge, %3, %c : f64
  %5 = arith.cmpf oeq, %3, %c : f64
  return %1, %2, %4, %5 : i1, i1, i1, i1
}
// =>
module {
  func.func @sums(%arg0: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
    %c30_i32 = arith.constant 30 : i32
    %c-7_i32 = arith.constant -7 : i32
    %c7_i32 = arith.constant 7 : i32
    %c13_i32 = arith.constant 13 : i32
    %0 = arith.addi %arg0, %c13_i32 : i32
    %1 = arith.addi %arg0, %c7_i32 : i32
    %2 = arith.subi %c13_i32, %arg0 : i32
    %3 = arith.addi %arg0, %c-7_i32 : i32
    %4 = arith.subi %c7_i32, %arg0 : i32
    %5 = arith.subi %arg0, %c13_i32 : i32
    %6 = arith.subi %c-7_i32, %arg0 : i32
    %7 = arith.subi %c13_i32, %arg0 : i32
    %8 = arith.addi %arg0, %c7_i32 : i32
    %9 = arith.muli %arg0, %c30_i32 : i32
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  }
  func.func @flags(%arg0: i32) -> (i32, i32, i32, i32, i32) {
    %c30_i32 = arith.constant 30 : i32
    %c13_i32 = arith.constant 13 : i32
    %0 = arith.addi %arg0, %c13_i32 overflow<nsw> : i32
    %1 = arith.addi %arg0, %c13_i32 overflow<nsw, nuw> : i32
    %2 = arith.addi %arg0, %c13_i32 : i32
    %3 = arith.muli %arg0, %c30_i32 overflow<nuw> : i32
    %4 = arith.subi %arg0, %c13_i32 overflow<nsw> : i32
    return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
  }
  func.func @negated_factor(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.subi %arg1, %arg0 : i32
    %1 = arith.subi %arg1, %arg0 : i32
    return %0, %1 : i32, i32
  }
  func.func @difference_with_itself(%arg0: i32, %arg1: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.subi %c0_i32, %arg1 : i32
    return %0 : i32
  }
  func.func @bits_of_extensions(%arg0: i8, %arg1: i8, %arg2: i4) -> (i32, i32, i32, i32, i32, i32, i32) {
    %0 = arith.extui %arg0 : i8 to i32
    %1 = arith.extui %arg2 : i4 to i32
    %2 = arith.andi %arg0, %arg1 : i8
    %3 = arith.extui %2 : i8 to i32
    %4 = arith.andi %arg0, %arg1 : i8
    %5 = arith.extsi %4 : i8 to i32
    %6 = arith.ori %arg0, %arg1 : i8
    %7 = arith.extui %6 : i8 to i32
    %8 = arith.ori %arg0, %arg1 : i8
    %9 = arith.extsi %8 : i8 to i32
    %10 = arith.xori %arg0, %arg1 : i8
    %11 = arith.extui %10 : i8 to i32
    %12 = arith.xori %arg0, %arg1 : i8
    %13 = arith.extsi %12 : i8 to i32
    %14 = arith.andi %0, %1 : i32
    return %3, %5, %7, %9, %11, %13, %14 : i32, i32, i32, i32, i32, i32, i32
  }
  func.func @comparisons_of_extensions(%arg0: i8, %arg1: i8, %arg2: i4) -> (i1, i1, i1, i1, i1, i1) {
    %0 = arith.extui %arg0 : i8 to i32
    %1 = arith.extui %arg1 : i8 to i32
    %2 = arith.extsi %arg0 : i8 to i32
    %3 = arith.extsi %arg1 : i8 to i32
    %4 = arith.extui %arg2 : i4 to i32
    %5 = arith.cmpi eq, %arg0, %arg1 : i8
    %6 = arith.cmpi ne, %arg0, %arg1 : i8
    %7 = arith.cmpi slt, %0, %1 : i32
    %8 = arith.cmpi eq, %0, %4 : i32
    %9 = arith.cmpi ult, %2, %3 : i32
    %10 = arith.cmpi eq, %0, %3 : i32
    return %5, %6, %7, %8, %9, %10 : i1, i1, i1, i1, i1, i1
  }
  func.func @not_of_comparison(%arg0: i32, %arg1: i32) -> (i1, i1, i1) {
    %0 = arith.cmpi sge, %arg0, %arg1 : i32
    %1 = arith.cmpi ne, %arg0, %arg1 : i32
    %2 = arith.cmpi ule, %arg0, %arg1 : i32
    return %0, %1, %2 : i1, i1, i1
  }
  func.func @selects(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32, %arg4: i32) -> (i32, i32, i32, i32, i32, i32) {
    %true = arith.constant true
    %0 = arith.select %arg0, %arg2, %arg3 : i32
    %1 = arith.select %arg0, %arg2, %arg4 : i32
    %2 = arith.select %arg0, %arg4, %arg3 : i32
    %3 = arith.select %arg0, %arg3, %arg2 : i32
    %4 = arith.extui %arg0 : i1 to i32
    %5 = arith.xori %arg0, %true : i1
    %6 = arith.extui %5 : i1 to i32
    %7 = arith.select %arg1, %0, %arg4 : i32
    return %1, %2, %3, %4, %6, %7 : i32, i32, i32, i32, i32, i32
  }
  func.func @selects_of_bits(%arg0: i1, %arg1: i1) -> (i1, i1, i1, i1, i1, i1) {
    %true = arith.constant true
    %false = arith.constant false
    %0 = arith.xori %arg0, %true : i1
    %1 = arith.select %arg0, %arg1, %false : i1
    %2 = arith.select %arg0, %true, %arg1 : i1
    %3 = arith.select %arg0, %false, %arg1 : i1
    %4 = arith.select %arg0, %arg1, %true : i1
    return %arg0, %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1, i1
  }
  func.func @index_casts(%arg0: i8, %arg1: index, %arg2: i32) -> (index, index, i32, index, i64, i8) {
    %0 = arith.index_cast %arg0 : i8 to index
    %1 = arith.index_castui %arg0 : i8 to index
    %2 = arith.index_cast %arg2 : i32 to index
    %3 = arith.index_cast %2 : index to i64
    return %0, %1, %arg2, %arg1, %3, %arg0 : index, index, i32, index, i64, i8
  }
  func.func @signed_of_unsigned(%arg0: i8) -> (i32, i32) {
    %0 = arith.extui %arg0 : i8 to i32
    %1 = arith.extsi %arg0 : i8 to i16
    %2 = arith.extui %1 : i16 to i32
    return %0, %2 : i32, i32
  }
  func.func @truncations(%arg0: i8, %arg1: i32, %arg2: i64) -> (i16, i16, i8, i4, i16, i32, i8) {
    %c16_i32 = arith.constant 16 : i32
    %0 = arith.extsi %arg0 : i8 to i16
    %1 = arith.extui %arg0 : i8 to i16
    %2 = arith.trunci %arg0 : i8 to i4
    %3 = arith.shrui %arg1, %c16_i32 : i32
    %4 = arith.trunci %3 : i32 to i16
    %5 = arith.trunci %arg2 : i64 to i32
    %6 = arith.trunci %arg2 : i64 to i8
    return %0, %1, %arg0, %2, %4, %5, %6 : i16, i16, i8, i4, i16, i32, i8
  }
  func.func @high_halves(%arg0: i8, %arg1: i8) -> (i8, i8, i8, i8) {
    %c8_i16 = arith.constant 8 : i16
    %0 = arith.extsi %arg0 : i8 to i16
    %1 = arith.extsi %arg1 : i8 to i16
    %2 = arith.muli %0, %1 : i16
    %3 = arith.shrui %2, %c8_i16 : i16
    %4 = arith.trunci %3 : i16 to i8
    %5 = arith.extui %arg0 : i8 to i16
    %6 = arith.extui %arg1 : i8 to i16
    %7 = arith.muli %5, %6 : i16
    %8 = arith.shrui %7, %c8_i16 : i16
    %9 = arith.trunci %8 : i16 to i8
    %10 = arith.muli %arg0, %arg1 : i8
    %11 = arith.muli %arg0, %arg1 : i8
    return %4, %9, %10, %11 : i8, i8, i8, i8
  }
  func.func @wide_by_one(%arg0: i8) -> (i8, i8, i8, i8) {
    %c0_i8 = arith.constant 0 : i8
    %0 = arith.cmpi slt, %arg0, %c0_i8 : i8
    %1 = arith.extsi %0 : i1 to i8
    return %arg0, %1, %arg0, %c0_i8 : i8, i8, i8, i8
  }
  func.func @sum_and_carry(%arg0: i8, %arg1: i8) -> (i8, i8) {
    %0 = arith.addi %arg0, %arg1 : i8
    return %0, %arg0 : i8, i8
  }
  func.func @negated_floats(%arg0: f32, %arg1: f32) -> (f32, f32, f32, f32) {
    %0 = arith.negf %arg0 : f32
    %1 = arith.mulf %arg0, %arg1 : f32
    %2 = arith.divf %arg0, %arg1 : f32
    %3 = arith.mulf %0, %arg1 : f32
    %4 = arith.divf %arg0, %arg1 fastmath<nnan> : f32
    return %1, %2, %3, %4 : f32, f32, f32, f32
  }
  func.func @float_comparison(%arg0: i32, %arg1: i32) -> (i1, i1, i1, i1) {
    %false = arith.constant false
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.cmpi sle, %arg0, %c1_i32 : i32
    %1 = arith.cmpi sgt, %arg0, %c2_i32 : i32
    %2 = arith.cmpi ugt, %arg1, %c1_i32 : i32
    return %0, %1, %2, %false : i1, i1, i1, i1
  }
}

