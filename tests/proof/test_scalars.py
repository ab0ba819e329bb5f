"""Two ways to compute one scalar, index or vector: which ones are proved to be the same for all inputs."""

import re

import pytest
from bufferize import parse, prove

INPUTS = (
    "%b: i1, %c: i1, %n: index, %k: index, %x: i32, %y: i32, %w: i64, %z: i8, %s: f32, %u: f32, "
    "%v: vector<4xf32>, %t: tensor<4xf32>, %g: tensor<?x?xf32>"
)

SAME = [
    ("vector<2x4xf32>", "%r = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>", "%a = vector.broadcast %v : vector<4xf32> to vector<1x4xf32> %r = vector.broadcast %a : vector<1x4xf32> to vector<2x4xf32>"),
    ("i32", "%r = arith.addi %x, %y : i32", "%r = arith.addi %y, %x : i32"),
    ("i32", "%a = arith.subi %x, %y : i32 %r = arith.addi %a, %y : i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i32", "%a = arith.muli %x, %i32_3 : i32 %r = arith.addi %a, %x : i32", "%r = arith.muli %x, %i32_4 : i32"),
    ("i32", "%a = arith.addi %x, %y : i32 %r = arith.muli %a, %a : i32", "%a = arith.muli %x, %x : i32 %b2 = arith.muli %y, %y : i32 %c2 = arith.muli %x, %y : i32 %d = arith.addi %c2, %c2 : i32 %e = arith.addi %a, %b2 : i32 %r = arith.addi %e, %d : i32"),
    ("i8", "%r = arith.addi %i8_127, %i8_1 : i8", "%r = arith.addi %i8_m128, %i8_0 : i8"),
    ("i8", "%r = arith.muli %z, %i8_m128 : i8", "%a = arith.muli %z, %i8_64 : i8 %r = arith.addi %a, %a : i8"),
    ("i1", "%r = arith.andi %b, %c : i1", "%r = arith.andi %c, %b : i1"),
    ("i1", "%a = arith.ori %b, %c : i1 %r = arith.andi %a, %b : i1", "%r = arith.andi %b, %b : i1"),
    ("i1", "%r = arith.cmpi slt, %x, %y : i32", "%r = arith.cmpi sgt, %y, %x : i32"),
    ("i1", "%r = arith.cmpi sle, %x, %y : i32", "%r = arith.cmpi sge, %y, %x : i32"),
    ("i1", "%r = arith.cmpi ule, %x, %y : i32", "%r = arith.cmpi uge, %y, %x : i32"),
    ("i1", "%r = arith.cmpi eq, %x, %y : i32", "%r = arith.cmpi eq, %y, %x : i32"),
    ("i1", "%a = arith.addi %x, %i32_1 : i32 %r = arith.cmpi eq, %a, %x : i32", "%r = arith.cmpi ne, %x, %x : i32"),
    ("i1", "%a = arith.addi %x, %i32_1 : i32 %r = arith.cmpi ne, %a, %x : i32", "%r = arith.cmpi eq, %x, %x : i32"),
    ("i1", "%a = arith.cmpi slt, %x, %y : i32 %t1 = arith.constant true %r = arith.xori %a, %t1 : i1", "%r = arith.cmpi sge, %x, %y : i32"),
    ("i32", "%r = arith.select %b, %x, %x : i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i32", "%t1 = arith.constant true %nb = arith.xori %b, %t1 : i1 %r = arith.select %nb, %x, %y : i32", "%r = arith.select %b, %y, %x : i32"),
    ("i32", "%a = arith.select %b, %x, %y : i32 %r = arith.select %b, %a, %x : i32", "%r = arith.select %b, %x, %x : i32"),
    ("i32", "%t1 = arith.constant true %r = arith.select %t1, %x, %y : i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i32", "%a = arith.extsi %z : i8 to i32 %q = arith.trunci %a : i32 to i8 %r = arith.extsi %q : i8 to i32", "%r = arith.extsi %z : i8 to i32"),
    ("i8", "%a = arith.extui %z : i8 to i32 %r = arith.trunci %a : i32 to i8", "%r = arith.addi %z, %i8_0 : i8"),
    ("i8", "%a = arith.extsi %z : i8 to i32 %r = arith.trunci %a : i32 to i8", "%r = arith.addi %z, %i8_0 : i8"),
    ("i32", "%r = arith.extsi %i8_m1 : i8 to i32", "%r = arith.addi %i32_m1, %i32_0 : i32"),
    ("i32", "%r = arith.extui %i8_m1 : i8 to i32", "%r = arith.addi %i32_255, %i32_0 : i32"),
    ("i32", "%r = arith.extui %i8_5 : i8 to i32", "%r = arith.addi %i32_5, %i32_0 : i32"),
    ("index", "%r = arith.index_cast %i32_m1 : i32 to index", "%r = arith.addi %index_m1, %index_0 : index"),
    ("index", "%r = arith.index_castui %i32_0 : i32 to index", "%r = arith.addi %index_0, %index_0 : index"),
    ("index", "%r = arith.index_castui %i32_7 : i32 to index", "%r = arith.addi %index_7, %index_0 : index"),
    ("index", "%t1 = arith.constant true %r = arith.index_cast %t1 : i1 to index", "%r = arith.addi %index_m1, %index_0 : index"),
    ("index", "%t1 = arith.constant true %r = arith.index_castui %t1 : i1 to index", "%r = arith.addi %index_1, %index_0 : index"),
    ("index", "%t1 = arith.constant false %r = arith.index_cast %t1 : i1 to index", "%r = arith.addi %index_0, %index_0 : index"),
    ("i64", "%a = arith.index_cast %w : i64 to index %r = arith.index_cast %a : index to i64", "%r = arith.addi %w, %i64_0 : i64"),
    ("index", "%a = arith.index_cast %w : i64 to index %r = arith.addi %a, %index_0 : index", "%r = arith.index_cast %w : i64 to index"),
    ("i32", "%r = arith.maxsi %x, %x : i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i32", "%r = arith.andi %x, %x : i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i32", "%r = arith.maxsi %x, %y : i32", "%r = arith.maxsi %y, %x : i32"),
    ("f32", "%r = arith.maximumf %s, %s : f32", "%r = arith.minimumf %s, %s : f32"),
    ("f32", "%r = arith.addf %s, %u : f32", "%r = arith.addf %u, %s : f32"),
    ("f32", "%r = arith.addf %f32_1p5, %f32_2p25 : f32", "%r = arith.addf %f32_3p75, %f32_0p0 : f32"),
    ("f32", "%r = arith.addf %f32_1p5, %f32_2p25 : f32", "%r = arith.constant 3.75 : f32"),
    ("f32", "%r = arith.subf %f32_1p5, %f32_2p25 : f32", "%r = arith.constant -0.75 : f32"),
    ("f32", "%r = arith.mulf %f32_1p5, %f32_2p0 : f32", "%r = arith.constant 3.0 : f32"),
    ("f32", "%r = arith.divf %f32_1p0, %f32_3p0 : f32", "%r = arith.constant 0.333333343 : f32"),
    ("f64", "%q = arith.constant 1.0 : f64 %p = arith.constant 3.0 : f64 %r = arith.divf %q, %p : f64", "%r = arith.constant 0.33333333333333331 : f64"),
    ("f32", "%a = arith.addf %s, %u : f32 %r = arith.mulf %a, %s : f32", "%a = arith.addf %u, %s : f32 %r = arith.mulf %s, %a : f32"),
    ("i32", "%r = arith.divsi %i32_7, %i32_2 : i32", "%r = arith.addi %i32_3, %i32_0 : i32"),
    ("i32", "%r = arith.divsi %i32_m7, %i32_2 : i32", "%r = arith.addi %i32_m3, %i32_0 : i32"),
    ("i32", "%r = arith.floordivsi %i32_m7, %i32_2 : i32", "%r = arith.addi %i32_m4, %i32_0 : i32"),
    ("i32", "%r = arith.ceildivsi %i32_7, %i32_2 : i32", "%r = arith.addi %i32_4, %i32_0 : i32"),
    ("i32", "%r = arith.remsi %i32_m7, %i32_2 : i32", "%r = arith.addi %i32_m1, %i32_0 : i32"),
    ("i32", "%r = arith.shli %i32_1, %i32_4 : i32", "%r = arith.addi %i32_16, %i32_0 : i32"),
    *(("i32", f"%r = arith.{name} %x, %i32_{neutral} : i32", "%r = arith.addi %x, %i32_0 : i32") for name, neutral in [("divsi", "1"), ("divui", "1"), ("floordivsi", "1"), ("ceildivsi", "1"), ("ceildivui", "1"), ("shli", "0"), ("shrsi", "0"), ("shrui", "0"), ("ori", "0"), ("xori", "0"), ("andi", "m1")]),
    *(("i32", f"%r = arith.{name} %i32_{neutral}, %x : i32", "%r = arith.addi %x, %i32_0 : i32") for name, neutral in [("ori", "0"), ("xori", "0"), ("andi", "m1")]),
    ("i32", "%r = arith.shrui %i32_m1, %i32_31 : i32", "%r = arith.addi %i32_1, %i32_0 : i32"),
    ("i32", "%r = arith.shrsi %i32_m8, %i32_1 : i32", "%r = arith.addi %i32_m4, %i32_0 : i32"),
    ("vector<2x4xf32>", "%a = vector.broadcast %s : f32 to vector<4xf32> %r = vector.broadcast %a : vector<4xf32> to vector<2x4xf32>", "%r = vector.broadcast %s : f32 to vector<2x4xf32>"),
    ("vector<4xf32>", "%r = arith.constant dense<1.0> : vector<4xf32>", "%r = vector.broadcast %f32_1p0 : f32 to vector<4xf32>"),
    ("index", "%r = arith.minsi %n, %k : index", "%r = arith.minsi %k, %n : index"),
    ("index", "%r = arith.minsi %index_3, %index_5 : index", "%r = arith.addi %index_3, %index_0 : index"),
    ("index", "%r = affine.min affine_map<(d0) -> (d0, 4)>(%n)", "%r = arith.minsi %n, %index_4 : index"),
    ("index", "%r = affine.max affine_map<(d0) -> (d0, 4)>(%n)", "%r = arith.maxsi %n, %index_4 : index"),
    ("index", "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 - 1)>(%n)[%k]", "%a = arith.muli %n, %index_2 : index %c2 = arith.addi %a, %k : index %r = arith.subi %c2, %index_1 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> (d0 floordiv 1)>(%n)", "%r = arith.addi %n, %index_0 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> ((d0 * 4) floordiv 4)>(%n)", "%r = arith.addi %n, %index_0 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> ((d0 * 8 + 3) mod 4)>(%n)", "%r = arith.addi %index_3, %index_0 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> ((d0 * 4) mod 4)>(%n)", "%r = arith.addi %index_0, %index_0 : index"),
    ("index", "%r = tensor.dim %t, %index_0 : tensor<4xf32>", "%r = arith.addi %index_4, %index_0 : index"),
    ("index", "%e = tensor.empty() : tensor<4x0xf32> %r = tensor.dim %e, %index_1 : tensor<4x0xf32>", "%r = arith.addi %index_0, %index_0 : index"),
    ("index", "%r = tensor.rank %g : tensor<?x?xf32>", "%r = arith.addi %index_2, %index_0 : index"),
]  # fmt: skip
"""Type, and two ways to compute `%r`. `%i32_m1` stands for the constant -1 of this type, `%f32_1p5` for 1.5."""

OPEN = [
    ("i32", "%r = arith.subi %x, %y : i32", "%r = arith.subi %y, %x : i32"),
    ("i32", "%a = arith.muli %x, %i32_3 : i32 %r = arith.addi %a, %x : i32", "%r = arith.muli %x, %i32_5 : i32"),
    ("i8", "%r = arith.addi %i8_127, %i8_1 : i8", "%r = arith.addi %i8_127, %i8_0 : i8"),
    ("i1", "%r = arith.addi %b, %b : i1", "%r = arith.xori %b, %b : i1"),
    ("i1", "%r = arith.andi %b, %c : i1", "%r = arith.ori %c, %b : i1"),
    ("i1", "%r = arith.xori %b, %c : i1", "%r = arith.cmpi ne, %b, %c : i1"),
    ("i1", "%r = arith.cmpi slt, %x, %y : i32", "%r = arith.cmpi ult, %x, %y : i32"),
    ("i1", "%r = arith.cmpi slt, %x, %y : i32", "%r = arith.cmpi sle, %x, %y : i32"),
    ("i1", "%a = arith.addi %x, %i32_1 : i32 %r = arith.cmpi slt, %x, %a : i32", "%r = arith.cmpi eq, %x, %x : i32"),
    ("i32", "%r = arith.select %b, %x, %y : i32", "%r = arith.select %b, %y, %x : i32"),
    ("i16", "%a = arith.extsi %z : i8 to i32 %r = arith.trunci %a : i32 to i16", "%r = arith.extsi %z : i8 to i16"),
    ("i16", "%a = arith.extsi %z : i8 to i32 %r = arith.trunci %a : i32 to i16", "%r = arith.extui %z : i8 to i16"),
    ("i32", "%r = arith.extui %i8_m1 : i8 to i32", "%r = arith.addi %i32_m1, %i32_0 : i32"),
    ("index", "%r = arith.index_castui %i32_m1 : i32 to index", "%r = arith.addi %index_m1, %index_0 : index"),
    ("i32", "%a = arith.index_cast %x : i32 to index %r = arith.index_cast %a : index to i32", "%r = arith.addi %x, %i32_0 : i32"),
    ("i64", "%a = arith.index_cast %w : i64 to index %r = arith.index_castui %a : index to i64", "%r = arith.addi %w, %i64_0 : i64"),
    ("index", "%a = arith.index_cast %n : index to i64 %r = arith.index_cast %a : i64 to index", "%r = arith.addi %n, %index_0 : index"),
    ("index", "%a = arith.index_cast %n : index to i32 %r = arith.index_cast %a : i32 to index", "%r = arith.addi %n, %index_0 : index"),
    ("i32", "%r = arith.xori %x, %x : i32", "%r = arith.addi %i32_0, %i32_0 : i32"),
    *(("i32", f"%r = arith.{name} %i32_{left}, %x : i32", "%r = arith.addi %x, %i32_0 : i32") for name, left in [("divsi", "1"), ("divui", "1"), ("shli", "0"), ("shrsi", "0"), ("shrui", "0"), ("andi", "0"), ("ori", "m1"), ("xori", "1")]),
    *(("i32", f"%r = arith.{name} %x, %i32_{right} : i32", "%r = arith.addi %x, %i32_0 : i32") for name, right in [("divsi", "2"), ("remsi", "1"), ("shli", "1"), ("ori", "m1"), ("andi", "1"), ("xori", "m1")]),
    ("i1", "%t1 = arith.constant true %r = arith.xori %b, %t1 : i1", "%r = arith.andi %b, %b : i1"),
    ("i32", "%r = arith.maxsi %x, %y : i32", "%r = arith.maxui %x, %y : i32"),
    ("f32", "%r = arith.subf %s, %u : f32", "%r = arith.subf %u, %s : f32"),
    ("f32", "%r = arith.divf %f32_1p0, %f32_3p0 : f32", "%r = arith.constant 0.333333313 : f32"),
    ("f32", "%r = arith.divf %f32_1p0, %f32_0p0 : f32", "%r = arith.constant 0x7F800000 : f32"),
    ("f16", "%q = arith.constant 1.0 : f16 %p = arith.constant 3.0 : f16 %r = arith.addf %q, %p : f16", "%r = arith.constant 4.0 : f16"),
    ("f32", "%r = arith.addf %f32_1p5, %f32_2p25 fastmath<fast> : f32", "%r = arith.constant 3.75 : f32"),
    ("f32", "%r = arith.addf %s, %f32_0p0 : f32", "%r = arith.subf %s, %f32_0p0 : f32"),
    ("vector<4xf32>", "%r = vector.broadcast %s : f32 to vector<4xf32>", "%r = vector.broadcast %u : f32 to vector<4xf32>"),
    ("vector<4x4xf32>", "%r = vector.broadcast %v : vector<4xf32> to vector<4x4xf32>", "%q = vector.shape_cast %v : vector<4xf32> to vector<4x1xf32> %r = vector.broadcast %q : vector<4x1xf32> to vector<4x4xf32>"),
    ("vector<4xf32>", "%r = arith.constant dense<1.0> : vector<4xf32>", "%r = arith.constant dense<[1.0, 1.0, 1.0, 2.0]> : vector<4xf32>"),
    ("index", "%r = arith.minsi %n, %k : index", "%r = arith.maxsi %k, %n : index"),
    ("index", "%a = arith.minsi %n, %index_5 : index %r = arith.minsi %a, %index_7 : index", "%r = arith.minsi %n, %index_5 : index"),
    ("index", "%a = arith.maxsi %n, %index_5 : index %r = arith.minsi %a, %index_4 : index", "%r = arith.addi %index_4, %index_0 : index"),
    ("index", "%a = arith.minsi %n, %index_5 : index %r = arith.minsi %a, %index_3 : index", "%r = arith.minsi %n, %index_3 : index"),
    ("index", "%a = arith.minui %n, %k : index %r = arith.minui %a, %n : index", "%r = arith.minui %n, %k : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%n)", "%r = arith.floordivsi %n, %index_4 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%n)", "%r = arith.ceildivsi %n, %index_4 : index"),
    ("index", "%r = affine.apply affine_map<(d0) -> (d0 mod 4)>(%n)", "%r = arith.remsi %n, %index_4 : index"),
    ("index", "%r = tensor.dim %g, %index_0 : tensor<?x?xf32>", "%r = tensor.dim %g, %index_1 : tensor<?x?xf32>"),
]  # fmt: skip
"""What differs for some inputs, or is not known to be the same."""


PROMISES = [
    ("i32", "%a = arith.addi %x, %i32_1 overflow<nsw> : i32 %r = arith.addi %a, %i32_2 overflow<nsw> : i32", "%r = arith.addi %x, %i32_3 overflow<nsw> : i32", True),
    ("i32", "%a = arith.subi %x, %i32_1 overflow<nsw> : i32 %r = arith.subi %a, %i32_2 overflow<nsw> : i32", "%r = arith.subi %x, %i32_3 overflow<nsw> : i32", True),
    ("i32", "%a = arith.subi %x, %y overflow<nsw> : i32 %r = arith.subi %a, %y overflow<nsw> : i32", "%b2 = arith.muli %y, %i32_2 : i32 %r = arith.subi %x, %b2 overflow<nsw> : i32", False),
    ("i32", "%a = arith.addi %x, %i32_1 : i32 %r = arith.addi %a, %i32_2 overflow<nsw> : i32", "%r = arith.addi %x, %i32_3 overflow<nsw> : i32", False),
    ("i32", "%a = arith.addi %x, %i32_1 overflow<nsw> : i32 %r = arith.addi %a, %i32_2 : i32", "%r = arith.addi %x, %i32_3 overflow<nsw> : i32", False),
    ("i32", "%a = arith.addi %x, %i32_1 overflow<nuw> : i32 %r = arith.addi %a, %i32_2 overflow<nuw> : i32", "%r = arith.addi %x, %i32_3 overflow<nsw> : i32", False),
    ("i32", "%a = arith.addi %x, %i32_1 overflow<nuw> : i32 %r = arith.addi %a, %i32_2 overflow<nuw> : i32", "%r = arith.addi %x, %i32_3 overflow<nuw> : i32", True),
    ("i32", "%a = arith.muli %x, %i32_2 overflow<nsw> : i32 %r = arith.muli %a, %i32_3 overflow<nsw> : i32", "%r = arith.muli %x, %i32_6 overflow<nsw> : i32", True),
    ("i32", "%a = arith.muli %i32_2, %x overflow<nsw> : i32 %r = arith.muli %a, %i32_3 overflow<nsw> : i32", "%r = arith.muli %i32_6, %x overflow<nsw> : i32", True),
    ("i32", "%a = arith.muli %x, %i32_2 overflow<nsw> : i32 %r = arith.muli %a, %y overflow<nsw> : i32", "%b2 = arith.muli %x, %y overflow<nsw> : i32 %r = arith.muli %b2, %i32_2 overflow<nsw> : i32", False),
    ("i32", "%a = arith.addi %x, %i32_1 overflow<nsw> : i32 %r = arith.muli %a, %i32_3 overflow<nsw> : i32", "%b2 = arith.muli %x, %i32_3 : i32 %r = arith.addi %b2, %i32_3 overflow<nsw> : i32", False),
    ("i32", "%r = arith.addi %x, %y overflow<nsw> : i32", "%r = arith.addi %y, %x overflow<nsw> : i32", True),
    ("i32", "%r = arith.addi %x, %y overflow<nsw> : i32", "%r = arith.addi %x, %y : i32", True),
    ("i32", "%r = arith.addi %x, %y : i32", "%r = arith.addi %x, %y overflow<nsw> : i32", False),
    ("i32", "%r = arith.addi %x, %y overflow<nsw> : i32", "%r = arith.addi %x, %y overflow<nuw> : i32", False),
    ("i32", "%r = arith.addi %x, %y overflow<nsw, nuw> : i32", "%r = arith.addi %x, %y overflow<nuw> : i32", True),
    ("i32", "%r = arith.subi %x, %y overflow<nsw> : i32", "%n2 = arith.subi %i32_0, %y : i32 %r = arith.addi %x, %n2 overflow<nsw> : i32", False),
    ("i32", "%r = arith.addi %i32_m1, %i32_1 : i32", "%r = arith.addi %i32_m1, %i32_1 overflow<nsw> : i32", True),
    ("i32", "%r = arith.addi %i32_m1, %i32_1 : i32", "%r = arith.addi %i32_m1, %i32_1 overflow<nuw> : i32", False),
    ("i32", "%r = arith.subi %i32_0, %i32_1 : i32", "%r = arith.subi %i32_0, %i32_1 overflow<nuw> : i32", False),
    ("f32", "%r = arith.addf %s, %u fastmath<fast> : f32", "%r = arith.addf %s, %u : f32", False),
    ("f32", "%r = arith.addf %s, %u : f32", "%r = arith.addf %s, %u fastmath<fast> : f32", False),
    ("f32", "%r = arith.addf %s, %u fastmath<nnan> : f32", "%r = arith.addf %s, %u fastmath<nnan> : f32", True),
    ("i32", "%r = arith.divsi %x, %i32_4 exact : i32", "%r = arith.divsi %x, %i32_4 : i32", False),
    ("i32", "%r = arith.shrui %x, %i32_4 exact : i32", "%r = arith.shrui %x, %i32_4 : i32", False),
]  # fmt: skip
"""What may be promised of a result where the original promises something: before, after, whether that is proved."""


def program(type, body):
    found = re.findall(r"(%(index|[if]\d+)_(m?\d+(?:p\d+)?))", body)
    signs = str.maketrans("mp", "-.")
    constants = sorted({f"{name} = arith.constant {n.translate(signs)} : {kind}" for name, kind, n in found})
    text = "\n".join([*constants, body])
    return parse(f"func.func @f({INPUTS}) -> {type} {{\n{text}\nreturn %r : {type}\n}}")


@pytest.mark.parametrize(("type", "one", "other"), SAME)
def test_the_same_in_two_ways(type, one, other):
    assert prove(program(type, one), program(type, other)).proved
    assert prove(program(type, other), program(type, one)).proved


@pytest.mark.parametrize(("type", "one", "other"), OPEN)
def test_what_is_not_the_same_for_certain(type, one, other):
    assert not prove(program(type, one), program(type, other)).proved
    for body in (one, other):
        assert prove(program(type, body), program(type, body)).proved


@pytest.mark.parametrize(("type", "before", "after", "proved"), PROMISES)
def test_what_may_be_promised(type, before, after, proved):
    assert prove(program(type, before), program(type, after)).proved == proved
