"""What is said of typical programs: what must be there, and what must not, as it is not proved."""

import pytest
from bufferize import parse
from bufferize.analysis.function_summaries import FunctionSummaries, contracts, describe_contracts
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.explain.report import explain
from bufferize.explain.suggest import Totals
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source

T8 = "tensor<8xf32>"
LOOP = "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index\n"
ABS = "linalg.map {{ math.absf }} ins({0} : tensor<8xf32>) outs({1} : tensor<8xf32>)"
EMPTY = "%e = tensor.empty() : tensor<8xf32>"

SAID: dict[str, tuple[str, list[str], list[str]]] = {
    "two buffers of a loop trade places": (
        f"""func.func @f(%u0: {T8}, %v0: {T8}, %n: index) -> {T8} {{ {LOOP}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> ({T8}, {T8}) {{
    %w = {ABS.format("%u", "%v")}
    scf.yield %w, %u : {T8}, {T8}
  }}
  return %r#0 : {T8} }}""",
        [
            "%u and %v swap buffers",
            "forwards the buffer of %v as %u",
            "forwards the buffer of %u as %v",
            "%n times",
        ],
        ["buffer that others know", "somebody else"],
    ),
    "a read that does not depend on the loop": (
        f"""func.func @f(%t0: {T8}, %n: index) -> {T8} {{ {LOOP}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> ({T8}) {{
    %z = tensor.extract %t0[%c1] : {T8}
    %m = tensor.insert %z into %t[%i] : {T8}
    scf.yield %m : {T8}
  }}
  return %r : {T8} }}""",
        [
            "the loop updates %t",
            "reads in every iteration",
            "before 'scf.for': it reads the same value in each iteration",
        ],
        ["assumed to"],
    ),
    "input and result of one product": (
        """func.func @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %h = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %h : tensor<4x4xf32> }""",
        [
            "(i, k) is still read here when (i, j) is written",
            "cannot share a buffer",
            "the result can go to any buffer",
        ],
        [],
    ),
    "parts that overlap": (
        f"""func.func @f(%t: {T8}) -> {T8} {{
  %s = tensor.extract_slice %t[1] [7] [1] : {T8} to tensor<7xf32>
  %r = tensor.insert_slice %s into %t[0] [7] [1] : tensor<7xf32> into {T8}
  return %r : {T8} }}""",
        ["writes [0, 7) of the same buffer", "[1, 8) of it"],
        ["apart", "reads another part"],
    ),
    "parts that do not overlap": (
        f"""func.func @f(%t: {T8}) -> {T8} {{
  %s = tensor.extract_slice %t[0] [4] [1] : {T8} to tensor<4xf32>
  %r = tensor.insert_slice %s into %t[4] [4] [1] : tensor<4xf32> into {T8}
  return %r : {T8} }}""",
        ["reads another part of", "[0, 4) is read here, which does not overlap", "writes [4, 8)"],
        ["would overwrite", "same memory", "would let %t be overwritten"],
    ),
    "the updated tensor has the slice, too": (
        f"""func.func @f(%t: {T8}) -> {T8} {{
  %lo = tensor.extract_slice %t[0] [4] [1] : {T8} to tensor<4xf32>
  %hi = tensor.extract_slice %t[4] [4] [1] : {T8} to tensor<4xf32>
  %lo1 = linalg.map {{ math.absf }} ins(%lo : tensor<4xf32>) outs(%lo : tensor<4xf32>)
  %hi1 = linalg.map {{ math.exp }} ins(%hi : tensor<4xf32>) outs(%hi : tensor<4xf32>)
  %a = tensor.insert_slice %lo1 into %t[0] [4] [1] : tensor<4xf32> into {T8}
  %b = tensor.insert_slice %hi1 into %a[4] [4] [1] : tensor<4xf32> into {T8}
  return %b : {T8} }}""",
        ["take the slice from %a", "%lo1 is copied (16 bytes) to itself", "is here already"],
        ["'linalg.map' could write there directly"],
    ),
    "the way through calls": (
        f"""func.func private @normalise(%t: {T8}, %s: f32, %i: index) -> {T8} {{
  %r = tensor.insert %s into %t[%i] : {T8}
  return %r : {T8} }}
func.func private @wrap(%t: {T8}, %s: f32, %i: index) -> {T8} {{
  %r = func.call @normalise(%t, %s, %i) : ({T8}, f32, index) -> {T8}
  return %r : {T8} }}
func.func @loss(%x: {T8}, %s: f32, %i: index) -> ({T8}, f32) {{
  %n = func.call @wrap(%x, %s, %i) : ({T8}, f32, index) -> {T8}
  %a = tensor.extract %x[%i] : {T8}
  return %n, %a : {T8}, f32 }}""",
        [
            "@wrap calls @normalise, whose 'tensor.insert' on line 2 writes",
            "in @normalise, 'tensor.insert' writes it",
            "@wrap forwards it here",
            "would overwrite",
        ],
        ["assumed to"],
    ),
    "the function called writes its own copy": (
        """func.func private @part(%t: tensor<4x4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %s = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %r = tensor.insert %f into %c[%i] : tensor<4xf32>
  return %r : tensor<4xf32> }
func.func @use(%t: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = func.call @part(%t, %f, %i) : (tensor<4x4xf32>, f32, index) -> tensor<4xf32>
  %v = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  return %r, %v : tensor<4xf32>, f32 }""",
        ["is assumed to overwrite", "writes only a copy of it", "may not be contiguous"],
        ["would overwrite"],
    ),
    "nothing is known of the function called": (
        f"""func.func private @ext({T8}) -> {T8}
func.func @f(%t: {T8}, %i: index) -> ({T8}, f32) {{
  %r = func.call @ext(%t) : ({T8}) -> {T8}
  %a = tensor.extract %t[%i] : {T8}
  return %r, %a : {T8}, f32 }}""",
        ["@ext has no body here", "assumed to", "only reads the argument, state this on its declaration"],
        ["would overwrite"],
    ),
    "a loop that writes nothing": (
        f"""func.func @f(%t: {T8}, %n: index, %i: index) -> ({T8}, f32) {{ {LOOP}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> ({T8}) {{
    {EMPTY}
    %f = {ABS.format("%a", "%e")}
    scf.yield %f : {T8}
  }}
  %v = tensor.extract %t[%i] : {T8}
  return %r, %v : {T8}, f32 }}""",
        [
            "no operation in the loop writes its buffer, but a loop is assumed to update %a",
            "is assumed to overwrite",
            "%f does not end in the buffer in which the iteration began",
            "each iteration allocates a new buffer here",
            "--allow-return-allocs-from-loops bufferizes it",
            "avoidable: move 'tensor.extract' up",
        ],
        ["would overwrite", "the loop updates"],
    ),
    "a loop that starts with one tensor twice": (
        f"""func.func @f(%x0: {T8}, %eps: f32) -> ({T8}, {T8}) {{ {LOOP}
  %r:2 = scf.while (%x = %x0, %p = %x0) : ({T8}, {T8}) -> ({T8}, {T8}) {{
    %v = tensor.extract %x[%c0] : {T8}
    %go = arith.cmpf ogt, %v, %eps : f32
    scf.condition(%go) %x, %p : {T8}, {T8}
  }} do {{
  ^bb0(%x: {T8}, %p: {T8}):
    %n = {ABS.format("%x", "%x")}
    scf.yield %n, %x : {T8}, {T8}
  }}
  return %r#0, %r#1 : {T8}, {T8} }}""",
        [
            "receives it twice",
            "is assumed to overwrite",
            "writes to another buffer than that of %x",
            "the two regions of 'scf.while'",
        ],
        ["the loop updates %x,", "the loop updates %p"],
    ),
    "a loop in a loop does write": (
        f"""func.func @f(%t: {T8}, %f: f32, %n: index) -> {T8} {{ {LOOP}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> ({T8}) {{
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> ({T8}) {{
      %x = tensor.extract %t[%i] : {T8}
      %w = tensor.insert %x into %b[%j] : {T8}
      scf.yield %w : {T8}
    }}
    scf.yield %q : {T8}
  }}
  return %r : {T8} }}""",
        ["the loop updates %a", "would overwrite"],
        ["assumed to"],
    ),
    "values in two memory spaces": (
        f"""func.func @f(%c: i1, %t: {T8}) -> {T8} {{
  %s = bufferization.alloc_tensor() copy(%t) {{memory_space = 3 : i64}} : {T8}
  %r = scf.if %c -> {T8} {{ scf.yield %s : {T8} }} else {{ scf.yield %t : {T8} }}
  return %r : {T8} }}""",
        [
            "'scf.if' cannot be bufferized: inconsistent memory space",
            "%s is in memory space 3",
            "%t is in the default memory space",
            "copies 32 bytes, as the program requests",
        ],
        ["failed to bufferize", "no destination"],
    ),
    "memory spaces meet in a loop": (
        f"""func.func @f(%t: {T8}, %n: index) -> {T8} {{ {LOOP}
  %s = bufferization.alloc_tensor() copy(%t) {{memory_space = 3 : i64}} : {T8}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> {T8} {{
    %k = bufferization.alloc_tensor() : {T8}
    scf.yield %k : {T8}
  }}
  return %r : {T8} }}""",
        ["each iteration allocates a new buffer here"],
        [],
    ),
    "one empty tensor, filled twice": (
        f"""func.func @f(%a: f32, %b: f32) -> ({T8}, {T8}) {{
  {EMPTY}
  %p = linalg.fill ins(%a : f32) outs(%e : {T8}) -> {T8}
  %q = linalg.fill ins(%b : f32) outs(%e : {T8}) -> {T8}
  return %p, %q : {T8}, {T8} }}""",
        ["'linalg.fill' (%q) would overwrite", "its old contents are dead"],
        ["-eliminate-empty-tensors"],
    ),
    "a constant of equal elements": (
        f"""func.func @f(%x: f32, %i: index) -> {T8} {{
  %zero = arith.constant dense<0.0> : {T8}
  %b = tensor.insert %x into %zero[%i] : {T8}
  return %b : {T8} }}""",
        ["read-only memory", "fill a separate tensor for 'tensor.insert'"],
        [],
    ),
    "a constant of different elements": (
        """func.func @f(%x: f32, %i: index) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = tensor.insert %x into %c[%i] : tensor<2xf32>
  return %b : tensor<2xf32> }""",
        ["read-only memory"],
        ["fill a tensor"],
    ),
    "the reader that cannot be moved is shown": (
        f"""func.func @f(%t: {T8}, %f: f32, %i: index, %o: {T8}) -> ({T8}, {T8}, f32) {{
  %w = tensor.insert %f into %t[%i] : {T8}
  %a = tensor.extract %t[%i] : {T8}
  %s = linalg.add ins(%t, %w : {T8}, {T8}) outs(%o : {T8}) -> {T8}
  return %w, %s, %a : {T8}, {T8}, f32 }}""",
        ["'linalg.add' still needs what 'tensor.insert' would overwrite"],
        ["'tensor.extract' still needs"],
    ),
    "two copies where one would do": (
        """func.func @f(%t: tensor<2x4xf32>, %f: f32, %k: index) -> (tensor<8xf32>, tensor<2x4xf32>) {
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %w = tensor.insert %f into %flat[%k] : tensor<8xf32>
  return %w, %t : tensor<8xf32>, tensor<2x4xf32> }""",
        ["one of the two is redundant", "may not be contiguous", "is assumed to overwrite"],
        ["would overwrite"],
    ),
    "a tile whose destination is known": (
        f"""func.func @f(%t: {T8}, %f: f32) -> {T8} {{
  %e = tensor.empty() : tensor<4xf32>
  %new = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %ins = tensor.insert_slice %new into %t[4] [4] [1] : tensor<4xf32> into {T8}
  return %ins : {T8} }}""",
        [
            "-eliminate-empty-tensors computes it in its destination: saves 1 copy (16 bytes) and 1 allocation (tried)",
            "compute %new in its place: take %e from %t",
            "%t itself is updated in place",
        ],
        [],
    ),
    "each element's body writes": (
        f"""func.func @f(%t: {T8}, %i: index) -> {T8} {{
  %r = tensor.generate {{
  ^bb0(%j: index):
    %x = tensor.extract %t[%i] : {T8}
    %w = tensor.insert %x into %t[%j] : {T8}
    %y = tensor.extract %w[%i] : {T8}
    tensor.yield %y : f32
  }} : {T8}
  return %r : {T8} }}""",
        ["'tensor.generate' runs this for each element", "the next one would read"],
        ["parallel loop"],
    ),
    "several blocks where there may be one": (
        f"""func.func @f(%t: {T8}, %c: i1) -> {T8} {{
  %r = scf.execute_region -> {T8} {{
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %t : {T8}
  ^b:
    scf.yield %t : {T8}
  }}
  return %r : {T8} }}""",
        ["several blocks yield its results", "yields results", "so does this", "branch to one block"],
        [],
    ),
    "operands that must be in place": (
        f"""func.func @f(%t: {T8}, %f: f32, %i: index) -> ({T8}, {T8}) {{
  %m = bufferization.materialize_in_destination %t in %t : ({T8}, {T8}) -> {T8}
  %p = tensor.insert %f into %t[%i] : {T8}
  return %p, %m : {T8}, {T8} }}""",
        ["must do so in place", "bufferization.alloc_tensor copy(%t)"],
        [],
    ),
    "a loop of blocks is not freed by the pipeline": (
        f"""func.func @f(%t: {T8}, %n: index) {{ {LOOP}
  cf.br ^h(%c0 : index)
^h(%i: index):
  %g = arith.cmpi slt, %i, %n : index
  cf.cond_br %g, ^b, ^x
^b:
  %k = tensor.empty() : {T8}
  %x = tensor.extract %t[%i] : {T8}
  %w = tensor.insert %x into %k[%i] : {T8}
  %m = bufferization.to_buffer %w : {T8} to memref<8xf32>
  "test.use"(%m) : (memref<8xf32>) -> ()
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^x:
  return }}""",
        ["the deallocation pipeline rejects this program", "-buffer-deallocation-static"],
        [],
    ),
    "an operation that nobody knows": (
        f"""func.func @f(%t: {T8}) -> {T8} {{
  %u = "my.update"(%t) : ({T8}) -> {T8}
  return %u : {T8} }}""",
        ["no bufferization is known for it", "op was not bufferized", "describe it in a facts file"],
        ["cannot be updated in place"],
    ),
    "one of two arguments is returned": (
        f"""func.func @f(%c: i1, %a: {T8}, %b: {T8}, %v: f32, %i: index) -> {T8} {{
  %s = arith.select %c, %a, %b : {T8}
  %r = tensor.insert %v into %s[%i] : {T8}
  return %r : {T8} }}""",
        ["this may be the buffer of %a", "this may be the buffer of %b"],
        ["this is the buffer of"],
    ),
    "a new buffer or an argument": (
        f"""func.func @f(%c: i1, %a: {T8}, %v: f32, %i: index) -> {T8} {{
  %r = scf.if %c -> {T8} {{
    {EMPTY}
    %y = linalg.exp ins(%a : {T8}) outs(%e : {T8}) -> {T8}
    scf.yield %y : {T8}
  }} else {{
    scf.yield %a : {T8}
  }}
  %u = tensor.insert %v into %r[%i] : {T8}
  return %u : {T8} }}""",
        ["overwrites only the elements that it has just read", "this may be the buffer of %a"],
        ["reads elements after others were written", "this is the buffer of"],
    ),
    "blocks of which only one runs": (
        f"""func.func @f(%c: i1, %x: {T8}, %v: f32, %i: index) -> {T8} {{
  {EMPTY}
  %t = linalg.exp ins(%x : {T8}) outs(%e : {T8}) -> {T8}
  cf.cond_br %c, ^a, ^b
^a:
  %u = tensor.insert %v into %t[%i] : {T8}
  cf.br ^d(%u : {T8})
^b:
  %g = tensor.empty() : {T8}
  %h = linalg.fill ins(%v : f32) outs(%g : {T8}) -> {T8}
  cf.br ^d(%h : {T8})
^d(%r: {T8}):
  return %r : {T8} }}""",
        ["no run reaches both 'cf.br' and 'linalg.fill'"],
        [],
    ),
    "blocks that run one after the other": (
        f"""func.func @f(%c: i1, %t: {T8}, %v: f32, %i: index) -> ({T8}, f32) {{
  %u = tensor.insert %v into %t[%i] : {T8}
  cf.cond_br %c, ^a, ^b
^a:
  %o = tensor.extract %t[%i] : {T8}
  return %u, %o : {T8}, f32
^b:
  return %u, %v : {T8}, f32 }}""",
        ["whose old value is read here"],
        ["no run reaches both"],
    ),
    "a part of a memref that is updated in place": (
        """func.func @f(%m: memref<16xf32>) {
  %s = memref.subview %m[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %t = bufferization.to_tensor %s restrict writable : memref<8xf32, strided<[1], offset: 8>> to tensor<8xf32>
  %y = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %s
    : (tensor<8xf32>, memref<8xf32, strided<[1], offset: 8>>) -> ()
  return }""",
        [
            "copies 32 bytes to itself: %y is already in its destination",
            "-cse -canonicalize removes the copy",
        ],
        ["as the program requests"],
    ),
}


def words(text: str) -> str:
    """Everything that is said of a program, help and titles of suggestions included."""
    source = Source("<text>", text)
    module = parse_source(source, allow_unregistered=True)
    explanation = explain(module, AnalysisOptions(bufferize_function_boundaries=True), source=source)
    found = []
    for diagnostic in [*explanation.errors, *explanation.diagnostics]:
        found.append(diagnostic.message)
        found += [part.text for part in (*diagnostic.labels, *diagnostic.notes, *diagnostic.steps)]
        found += [f"{suggestion.title}: {suggestion.saving}" for suggestion in diagnostic.suggestions]
    return "\n".join(found)


@pytest.mark.parametrize("name", SAID)
def test_situation(name):
    text, said, unsaid = SAID[name]
    found = words(text)
    assert [part for part in said if part not in found] == [], found
    assert [part for part in unsaid if part in found] == [], found


def test_what_a_read_forces_is_one_finding():
    text = f"""func.func @f(%t: {T8}) -> ({T8}, f32) {{ {LOOP}
  %row = tensor.extract_slice %t[0] [4] [1] : {T8} to tensor<4xf32>
  %e = linalg.map {{ math.exp }} ins(%row : tensor<4xf32>) outs(%row : tensor<4xf32>)
  %ins = tensor.insert_slice %e into %t[0] [4] [1] : tensor<4xf32> into {T8}
  %old = tensor.extract %row[%c0] : tensor<4xf32>
  return %ins, %old : {T8}, f32 }}"""
    explanation = explain(
        parse_source(Source("<text>", text)), AnalysisOptions(bufferize_function_boundaries=True)
    )
    groups = [g for g in explanation.groups() if g.findings[0].id == "read-after-write"]
    assert [len(group.findings) for group in groups] == [2]


def test_copies_onto_themselves_do_not_count_against_a_change():
    text = f"""func.func @f(%t: {T8}, %f: f32) -> {T8} {{
  %e = tensor.extract_slice %t[4] [4] [1] : {T8} to tensor<4xf32>
  %new = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %ins = tensor.insert_slice %new into %t[4] [4] [1] : tensor<4xf32> into {T8}
  return %ins : {T8} }}"""
    explanation = explain(
        parse_source(Source("<text>", text)), AnalysisOptions(bufferize_function_boundaries=True)
    )
    assert [copy.is_onto_itself for copy in explanation.memory_report.copies] == [True]
    assert Totals.of(explanation.memory_report).copies == 0


def test_what_a_branch_yields_is_not_written_with_what_the_other_branch_updates():
    text = f"""func.func @f(%k: index, %x: {T8}, %y: {T8}, %v: f32) -> f32 {{
  %r = scf.index_switch %k -> {T8}
  case 0 {{
    %a = tensor.insert %v into %x[%k] : {T8}
    scf.yield %a : {T8}
  }}
  default {{
    scf.yield %y : {T8}
  }}
  %o = tensor.extract %r[%k] : {T8}
  return %o : f32 }}"""
    result = analyze(parse(text), AnalysisOptions(bufferize_function_boundaries=True))
    said = describe_contracts(contracts(FunctionSummaries(result), lambda function: True))
    assert said == ["@f: %x is read and overwritten; %y is read and assumed to be overwritten"]
