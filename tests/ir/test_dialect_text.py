"""Attributes kept as text have one spelling, that of mlir-opt 22."""

from __future__ import annotations

import pytest
from bufferize.ir.text.dialect_text import canonical_body, llvm_type
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from hypothesis import given, strategies as st

SPELLINGS = [
    ("dlti", "dl_spec<#dlti.dl_entry<index, 256>>", "dl_spec<index = 256 : i64>"),
    (
        "dlti",
        'dl_spec<#dlti.dl_entry<"foo", 3: i32>, #dlti.dl_entry<!llvm.ptr, dense<[1,2]>: vector<2xi64>>>',
        'dl_spec<"foo" = 3 : i32, !llvm.ptr = dense<[1, 2]> : vector<2xi64>>',
    ),
    ("dlti", "dl_spec<>", "dl_spec<>"),
    ("dlti", "dl_entry<index, 3>", "dl_entry<index, 3 : i64>"),
    (
        "dlti",
        'target_system_spec<"CPU" = #dlti.target_device_spec<#dlti.dl_entry<"L1", 34 : i32>, "vec" = 3>>',
        'target_system_spec<"CPU" = #dlti.target_device_spec<"L1" = 34 : i32, "vec" = 3 : i64>>',
    ),
    ("dlti", 'map<"a" = 1, i32 = 2 : i8>', 'map<"a" = 1 : i64, i32 = 2 : i8>'),
    ("dlti", 'dl_spec<"x.y" = ["a", 1, i32]>', 'dl_spec<"x.y" = ["a", 1, i32]>'),
    (
        "sparse_tensor",
        "encoding<{map = (i, j) -> (i: dense, j : compressed(nonunique , nonordered)), posWidth = 32,crdWidth=32}>",
        "encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique, nonordered)), posWidth = 32, crdWidth = 32 }>",
    ),
    (
        "sparse_tensor",
        "encoding<{map = (i, j) -> (i floordiv 2: dense, j  floordiv  2: compressed, i mod 2 : dense, j mod 2: dense)}>",
        "encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense) }>",
    ),
    (
        "sparse_tensor",
        "encoding<{ map = {l0, l1}(i = l0, j = l1) -> (l0 = i : dense, l1 = j : compressed), explicitVal = 1.0 : f32}>",
        "encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), explicitVal = 1.000000e+00 : f32 }>",
    ),
    (
        "sparse_tensor",
        "encoding<{ map = [s0](i : #sparse_tensor<slice(0,?,2)>, j) -> (i : dense, j : compressed)}>",
        "encoding<{ map = [s0](d0 : #sparse_tensor<slice(0, ?, 2)>, d1 : #sparse_tensor<slice(0, ?, 1)>) -> "
        "(d0 : dense, d1 : compressed) }>",
    ),
    ("dlti", 'map<"f" = 42.42 : f32>', 'map<"f" = 4.242000e+01 : f32>'),
    ("arith", "fastmath<ninf, nnan>", "fastmath<nnan,ninf>"),
    ("arith", "fastmath<afn,reassoc,nnan,ninf,nsz,arcp,contract>", "fastmath<fast>"),
    ("arith", "fastmath<none>", "fastmath<none>"),
    ("arith", "overflow<nuw,nsw>", "overflow<nsw, nuw>"),
    ("arith", "overflow<fast>", "overflow<fast>"),
    ("llvm", "fastmath<ninf,nnan>", "fastmath<nnan, ninf>"),
    ("llvm", "overflow<nuw,nuw>", "overflow<nuw>"),
    ("complex", "number<:f32 1.0e5,  -4.0>", "number<:f32 1.000000e+05, -4.000000e+00>"),
    ("gpu", "thread<x>", "thread<x>"),
]


@pytest.mark.parametrize(("dialect", "written", "canonical"), SPELLINGS)
def test_spelling(dialect: str, written: str, canonical: str):
    assert canonical_body(dialect, written) == canonical
    assert canonical_body(dialect, canonical) == canonical


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("struct<(i32,!llvm.array<3 x i32>)>", "struct<(i32, array<3 x i32>)>"),
        ('struct<"foo",(ptr<0>, !llvm.ptr<1>)>', 'struct<"foo", (ptr, ptr<1>)>'),
        ('struct<"!llvm.ptr,(", opaque>', 'struct<"!llvm.ptr,(", opaque>'),
        ("struct<packed(i1,  i8)>", "struct<packed (i1, i8)>"),
        ("struct<()>", "struct<()>"),
        ("func<ptr<1>(i32,...)>", "func<ptr<1> (i32, ...)>"),
        ("func<void (struct<(i1)>)>", "func<void (struct<(i1)>)>"),
        ("struct<(vector<4x!llvm.ptr>,tensor<2x3xf32>)>", "struct<(vector<4x!llvm.ptr>, tensor<2x3xf32>)>"),
        ('target<"spirv.Image", i32,0>', 'target<"spirv.Image", i32, 0>'),
        ("struct<(~)>", "struct<(~)>"),
    ],
)
def test_spelling_of_llvm_types(written: str, canonical: str):
    assert llvm_type(written) == canonical
    assert llvm_type(canonical) == canonical


def test_the_type_of_a_complex_number_is_that_of_its_parts():
    text = '"t.op"() {a = #complex.number<:f32 1.0, 2.0>, b = #complex.number<:f16 1.0, 2.0> : complex<i32>} : () -> ()'
    shown = print_module(parse_text(text, allow_unregistered=True))
    assert "#complex.number<:f32 1.000000e+00, 2.000000e+00> : complex<f32>" in shown
    assert "#complex.number<:f16 1.000000e+00, 2.000000e+00> : complex<f16>" in shown


@given(
    st.sampled_from(["dlti", "sparse_tensor"]), st.text(alphabet='dl_spec<>(){}[],=:"\\ 1i#.->', max_size=60)
)
def test_any_text_is_accepted(dialect: str, text: str):
    for prefix in ("", "dl_spec<", "encoding<{", "map<"):
        canonical_body(dialect, prefix + text)
    llvm_type("struct<(" + text)


ALIASED = """\
#tbaa_root = #llvm.tbaa_root<id = "C">
#tbaa_type_desc = #llvm.tbaa_type_desc<id = "double", members = {<#tbaa_root, 0>}>
#tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_type_desc, access_type = #tbaa_type_desc, offset = 0>
module {
  llvm.func @f(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 {tbaa = [#tbaa_tag]} : !llvm.ptr -> f64
    llvm.return
  }
}

"""


@pytest.mark.parametrize(
    "text",
    [
        ALIASED,
        ALIASED.replace("<#tbaa_root, 0>", '<#llvm.tbaa_root<id = "C">, 0>'),
        ALIASED.replace("#tbaa_tag", "#other").replace("#tbaa_root", "#r"),
    ],
)
def test_aliases_inside_attributes_of_dialects_are_defined(text: str):
    assert print_module(parse_text(text)) == ALIASED
