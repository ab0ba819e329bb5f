"""The verdict on each copy of small programs, in Python, in the memory report, and in what is said."""

import json

import pytest
from bufferize import parse
from bufferize.analysis.function_summaries import FunctionSummaries
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.explain.finding import Word
from bufferize.explain.report import explain
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.one_shot_bufferize import OneShotBufferize
from bufferize.transforms.pass_base import Context

T = "tensor<4xf32>"
ONE = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
ROWS = {
    "both values are returned": (
        f"%w = tensor.insert %f into %t[%i] : {T}\nreturn %w, %t : {T}, {T}",
        [Word.NECESSARY],
        "%t is returned, and so is its update by 'tensor.insert'",
    ),
    "the read could come first": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n%x = tensor.extract %t[%i] : {T}\n"
        f"%v = tensor.insert %x into %w[%i] : {T}\nreturn %v, %v : {T}, {T}",
        [Word.AVOIDABLE],
        "move 'tensor.extract' up",
    ),
    "a read that an unknown operation uses could come first": (
        f"%w = tensor.insert %f into %t[%i] : {T}\n"
        f'"mine.before"() : () -> ()\n%x = tensor.extract %t[%i] : {T} "mine.op"(%x) : (f32) -> ()\n'
        f"return %w, %w : {T}, {T}",
        [Word.AVOIDABLE],
        "move 'tensor.extract' up",
    ),
    "a fill": (
        f"%e = tensor.empty() : {T}\n%z = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}\n"
        f"%w = tensor.insert %f into %z[%i] : {T}\nreturn %w, %z : {T}, {T}",
        [Word.AVOIDABLE],
        "is cheap to rematerialize",
    ),
    "an unknown operation": (
        f'%w = tensor.insert %f into %t[%i] : {T}\n"mine.op"(%t) : ({T}) -> ()\nreturn %w, %w : {T}, {T}',
        [Word.OPEN],
        "nothing is known of 'mine.op'",
    ),
    "what the caller gives is put elsewhere": (
        f"%c = tensor.concat dim(0) %t, %t : ({T}, {T}) -> tensor<8xf32>\n"
        f"%s = tensor.extract_slice %c[2] [4] [1] : tensor<8xf32> to {T}\nreturn %s, %s : {T}, {T}",
        [Word.AVOIDABLE, Word.AVOIDABLE],
        "in other places",
    ),
    "a rotation that may go into another buffer": (
        f"%l = tensor.extract_slice %t[0] [1] [1] : {T} to tensor<1xf32>\n"
        f"%h = tensor.extract_slice %t[1] [3] [1] : {T} to tensor<3xf32>\n"
        f"%0 = tensor.insert_slice %l into %t[3] [1] [1] : tensor<1xf32> into {T}\n"
        f"%1 = tensor.insert_slice %h into %0[0] [3] [1] : tensor<3xf32> into {T}\n"
        f"return %1, %1 : {T}, {T}",
        [Word.AVOIDABLE, Word.AVOIDABLE, Word.NEEDED, Word.NEEDED],
        "the plan's command eliminates it (fewest-copies)",
    ),
    "a constant of different elements": (
        f"%c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}\n%w = tensor.insert %f into %c[%i] : {T}\n"
        f"return %w, %w : {T}, {T}",
        [Word.NECESSARY],
        "%c is a constant, and it is returned with an update",
    ),
    "a loop that does not write": (
        f"{ONE}%r = scf.for %k = %c0 to %i step %c1 iter_args(%a = %t) -> ({T}) {{\n"
        f"  %e = tensor.empty() : {T}\n"
        f"  %g = linalg.map {{ math.absf }} ins(%a : {T}) outs(%e : {T})\n  scf.yield %g : {T}\n}}\n"
        f"return %r, %t : {T}, {T}",
        [Word.AVOIDABLE],
        "the plan's command eliminates it (fewest-copies)",
    ),
    "two that trade places": (
        f"{ONE}%r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%a = %t, %b = %u) -> ({T}, {T}) {{\n"
        f"  %g = linalg.map {{ math.absf }} ins(%a : {T}) outs(%b : {T})\n  scf.yield %g, %a : {T}, {T}\n}}\n"
        f"return %r#0, %r#1 : {T}, {T}",
        [Word.AVOIDABLE, Word.AVOIDABLE],
        "the plan's command eliminates it (fewest-copies",
    ),
    "in its place already": (
        f"%s = tensor.extract_slice %t[2] [2] [1] : {T} to tensor<2xf32>\n"
        "%g = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>\n"
        f"%w = tensor.insert_slice %g into %t[2] [2] [1] : tensor<2xf32> into {T}\nreturn %w, %u : {T}, {T}",
        [Word.AVOIDABLE],
        "the plan's command eliminates it (fewest-copies, -keep-arguments), net of 1 copy in other places",
    ),
    "parts whose offsets cannot be compared": (
        f"%s = tensor.extract_slice %t[%i] [1] [1] : {T} to tensor<1xf32>\n"
        "%k = arith.fptosi %f : f32 to i64\n%j = arith.index_cast %k : i64 to index\n"
        f"%w = tensor.insert_slice %s into %t[%j] [1] [1] : tensor<1xf32> into {T}\nreturn %w, %u : {T}, {T}",
        [Word.AVOIDABLE, Word.OPEN],
        "depend on unknown values",
    ),
    "what may be in its place": (
        f"%k = arith.cmpf oeq, %f, %f : f32\n%s = tensor.extract_slice %t[0] [1] [1] : {T} to tensor<1xf32>\n"
        f"%p = tensor.extract_slice %u[0] [1] [1] : {T} to tensor<1xf32>\n"
        "%q = arith.select %k, %s, %p : tensor<1xf32>\n"
        f"%w = tensor.insert_slice %q into %t[0] [1] [1] : tensor<1xf32> into {T}\nreturn %w, %u : {T}, {T}",
        [Word.AVOIDABLE, Word.OPEN],
        "may lie in its place already",
    ),
    "a row of the buffer with which the iteration began": (
        f"%lo = arith.constant 0 : index\n%hi = arith.constant 9 : index\n%one = arith.constant 1 : index\n"
        "%two = arith.constant 2 : index\n"
        f"%r = scf.for %n = %lo to %hi step %one iter_args(%b = %t) -> ({T}) {{\n"
        f"  %e = tensor.empty() : {T}\n"
        f"  %q = scf.for %m = %lo to %two step %one iter_args(%o = %e) -> ({T}) {{\n"
        "    %j = arith.remui %i, %two : index\n"
        f"    %s = tensor.extract_slice %b[%j] [2] [1] : {T} to tensor<2xf32>\n"
        "    %k = arith.muli %m, %two : index\n"
        f"    %w = tensor.insert_slice %s into %o[%k] [2] [1] : tensor<2xf32> into {T}\n    scf.yield %w : {T}\n  }}\n"
        f"  scf.yield %q : {T}\n}}\nreturn %r, %u : {T}, {T}",
        [Word.NEEDED],
        "%s is part of the buffer of %b, and goes into the buffer of %o",
    ),
    "asked for": (
        f"%c = bufferization.alloc_tensor() copy(%t) : {T}\nreturn %c, %t : {T}, {T}",
        [Word.NEEDED],
        "the program requests it",
    ),
    "an element that is written in the part that is read": (
        f"%s = tensor.extract_slice %t[1] [2] [1] : {T} to tensor<2xf32>\n"
        "%b = tensor.insert %f into %s[%i] : tensor<2xf32>\n"
        f"%w = tensor.insert_slice %b into %t[1] [2] [1] : tensor<2xf32> into {T}\n"
        f"%k = tensor.concat dim(0) %s, %s : (tensor<2xf32>, tensor<2xf32>) -> {T}\nreturn %w, %k : {T}, {T}",
        [Word.AVOIDABLE, Word.AVOIDABLE, Word.AVOIDABLE, Word.NEEDED, Word.NEEDED],
        "",
    ),
    "the elements are apart": (
        f"%s = tensor.extract_slice %w2[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>\n"
        f"%c = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xf32> into {T}\nreturn %c, %t : {T}, {T}",
        [Word.NECESSARY],
        "have to be moved together",
    ),
}
OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)


def program(body):
    return f"func.func @f(%t: {T}, %u: {T}, %w2: tensor<4x4xf32>, %f: f32, %i: index) -> ({T}, {T}) {{\n{body}\n}}"


def explained(text):
    source = Source("<text>", text)
    return explain(parse_source(source, allow_unregistered=True), OPTIONS, source=source)


@pytest.mark.parametrize("name", ROWS)
def test_verdict(name):
    body, words, why = ROWS[name]
    found = explained(program(body))
    verdicts = [copy.verdict for copy in found.memory_report.copies]
    assert [verdict.word for verdict in verdicts] == words
    assert why in " ".join(verdict.why for verdict in verdicts)
    said = [note.text for d in found.diagnostics for note in d.notes if note.kind == "verdict"]
    assert all(f"{verdict.word}: {verdict.why}" in said for verdict in verdicts)
    for entry in found.data()["memoryReport"]["records"]:
        if entry["kind"] == "copy":
            verdict = json.loads(json.dumps(entry["verdict"]))
            needed = {
                "necessary": "certificate",
                "avoidable": "change",
                "needed as written": "certificate",
                "open": "settledBy",
            }[verdict["word"]]
            assert verdict[needed]


def accumulated(read):
    """A reduction onto an argument that it also reads, at these positions."""
    return (
        "func.func @f(%a: tensor<4x4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {\n"
        f"%r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<{read}>,"
        ' affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}'
        " ins(%a, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) {\n"
        "^bb0(%x: f32, %y: f32, %o: f32):\n%p = arith.mulf %x, %y : f32\n%s = arith.addf %o, %p : f32\n"
        "linalg.yield %s : f32\n} -> tensor<4xf32>\nreturn %r : tensor<4xf32>\n}"
    )


WHOLE = {
    "another copy would let it be in its place, and the plan makes this one still": (
        "func.func @f(%t: tensor<8xi32>) -> tensor<8xi32> {\n"
        "%a = tensor.extract_slice %t[1] [7] [1] : tensor<8xi32> to tensor<7xi32>\n"
        "%b = tensor.extract_slice %t[0] [7] [1] : tensor<8xi32> to tensor<7xi32>\n"
        "%s = linalg.add ins(%a, %b : tensor<7xi32>, tensor<7xi32>) outs(%a : tensor<7xi32>) -> tensor<7xi32>\n"
        "%w = tensor.insert_slice %s into %t[1] [7] [1] : tensor<7xi32> into tensor<8xi32>\n"
        "%c = tensor.extract_slice %w[2] [6] [1] : tensor<8xi32> to tensor<6xi32>\n"
        "%d = tensor.extract_slice %w[0] [6] [1] : tensor<8xi32> to tensor<6xi32>\n"
        "%p = linalg.add ins(%c, %d : tensor<6xi32>, tensor<6xi32>) outs(%c : tensor<6xi32>) -> tensor<6xi32>\n"
        "%x = tensor.insert_slice %p into %w[2] [6] [1] : tensor<6xi32> into tensor<8xi32>\n"
        "return %x : tensor<8xi32>\n}",
        [Word.AVOIDABLE, Word.AVOIDABLE, Word.AVOIDABLE, Word.OPEN],
        "but still makes this one",
    ),
    "rows that are contiguous unless the argument has gaps": (
        "func.func @f(%t: tensor<8x8xf32>) -> tensor<32xf32> {\n"
        "%s = tensor.extract_slice %t[2, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>\n"
        "%c = tensor.collapse_shape %s [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>\n"
        "return %c : tensor<32xf32>\n}",
        [Word.NEEDED],
        "are not contiguous, or not known to be",
    ),
    "elements that lie apart, of an expanded argument": (
        "func.func @f(%t: tensor<64xf32>) -> tensor<16xf32> {\n"
        "%e = tensor.expand_shape %t [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>\n"
        "%s = tensor.extract_slice %e[2, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>\n"
        "%c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>\n"
        "return %c : tensor<16xf32>\n}",
        [Word.NECESSARY],
        "have to be moved together",
    ),
    "an iteration reads another element of the tensor that all share": (
        "func.func @f(%t: tensor<16xf32>) -> tensor<16xf32> {\n"
        "%r = scf.forall (%i) in (15) shared_outs(%o = %t) -> tensor<16xf32> {\n"
        "%j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)\n"
        "%s = tensor.extract_slice %t[%j] [1] [1] : tensor<16xf32> to tensor<1xf32>\n"
        "scf.forall.in_parallel {\n"
        "tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<16xf32>\n}\n}\n"
        "return %r : tensor<16xf32>\n}",
        [Word.NEEDED, Word.NEEDED],
        "goes into the buffer of %o",
    ),
    "a memref that may be written, and an update": (
        "func.func private @sink(memref<8xf32>)\n"
        "func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {\n"
        "%m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>\n"
        "func.call @sink(%m) : (memref<8xf32>) -> ()\n"
        "%u = tensor.insert %f into %t[%i] : tensor<8xf32>\nreturn %u : tensor<8xf32>\n}",
        [Word.NEEDED],
        "no set of in-place decisions and no order copies less here",
    ),
    "an external function that may write, and an update": (
        "func.func private @log(tensor<8xf32>)\n"
        "func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {\n"
        "%u = tensor.insert %f into %t[%i] : tensor<8xf32>\n"
        "call @log(%t) : (tensor<8xf32>) -> ()\nreturn %u : tensor<8xf32>\n}",
        [Word.OPEN],
        "@log has no body here",
    ),
    "an external function that may write a part of what is read as another": (
        "func.func private @ext(tensor<4xf32>) -> tensor<4xf32>\n"
        "func.func @f(%t: tensor<16xf32>) -> tensor<16xf32> {\n"
        "%a = tensor.extract_slice %t[0] [4] [1] : tensor<16xf32> to tensor<4xf32>\n"
        "%r = call @ext(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "%w = tensor.insert_slice %r into %t[8] [4] [1] : tensor<4xf32> into tensor<16xf32>\n"
        "return %w : tensor<16xf32>\n}",
        [Word.OPEN, Word.OPEN],
        "@ext has no body here",
    ),
    "an operation without a bufferization, whose result is inserted": (
        "func.func @f(%t: tensor<8xf32>, %at: tensor<4x1xindex>) -> tensor<8xf32> {\n"
        "%g = tensor.gather %t[%at] gather_dims([0]) : (tensor<8xf32>, tensor<4x1xindex>) -> tensor<4x1xf32>\n"
        "%c = tensor.collapse_shape %g [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>\n"
        "%w = tensor.insert_slice %c into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>\n"
        "return %w : tensor<8xf32>\n}",
        [Word.OPEN, Word.OPEN],
        "no bufferization is known for 'tensor.gather'",
    ),
    "a reduction that reads one element of what it updates": (
        accumulated("(i, j) -> (0)"),
        [Word.NEEDED],
        "no set of in-place decisions",
    ),
    "a reduction that reads the element that it updates": (
        accumulated("(i, j) -> (i)"),
        [Word.NEEDED],
        "no set of in-place decisions",
    ),
    "a reduction that reads all that it updates": (
        accumulated("(i, j) -> (j)"),
        [Word.NECESSARY],
        "two buffers start with its contents",
    ),
    "a part of which each element is overwritten": (
        "func.func @f(%t: tensor<2xf32>, %u: tensor<6xf32>, %f: f32, %i: index, %j: index) -> tensor<8xf32> {\n"
        "%c = tensor.concat dim(0) %t, %u : (tensor<2xf32>, tensor<6xf32>) -> tensor<8xf32>\n"
        "%v = tensor.insert %f into %c[%i] : tensor<8xf32>\n"
        "%w = tensor.insert %f into %v[%j] : tensor<8xf32>\nreturn %w : tensor<8xf32>\n}",
        [Word.NEEDED, Word.NECESSARY],
        "is returned as part of another buffer",
    ),
    "two parts of one argument, which are moved together": (
        "func.func @f(%t: tensor<8xf32>, %u: tensor<4xf32>) -> tensor<12xf32> {\n"
        "%a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"
        "%b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"
        "%c = tensor.concat dim(0) %a, %b, %u : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>\n"
        "return %c : tensor<12xf32>\n}",
        [Word.NEEDED, Word.NEEDED, Word.NECESSARY],
        "is returned as part of another buffer",
    ),
    "a scalar and its update": (
        "func.func @f(%t: tensor<8xf32>, %a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n"
        "%d = linalg.dot ins(%t, %t : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<f32>) -> tensor<f32>\n"
        "return %d, %a : tensor<f32>, tensor<f32>\n}",
        [Word.NEEDED],
        "no set of in-place decisions",
    ),
    "one element may be moved alone, and none needs no copy": (
        "func.func @f(%t: tensor<0xf32>, %u: tensor<1xf32>, %v: tensor<3xf32>) -> tensor<4xf32> {\n"
        "%c = tensor.concat dim(0) %t, %u, %v : (tensor<0xf32>, tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>\n"
        "return %c : tensor<4xf32>\n}",
        [Word.AVOIDABLE, Word.NEEDED, Word.NECESSARY],
        "there are no elements to copy",
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_verdict_in_a_whole_program(name):
    text, words, why = WHOLE[name]
    verdicts = [copy.verdict for copy in explained(text).memory_report.copies]
    assert [verdict.word for verdict in verdicts] == words
    assert why in " ".join(verdict.why for verdict in verdicts)


@pytest.mark.parametrize("access", ["write", "read-write", None])
def test_what_a_declaration_says_is_not_called_assumed(access):
    declared = f' {{bufferization.access = "{access}"}}' if access else ""
    found = explained(
        f"func.func private @g(tensor<8xf32>{declared})\n"
        "func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {\n"
        "call @g(%t) : (tensor<8xf32>) -> ()\nreturn %t : tensor<8xf32>\n}"
    )
    diagnostic = next(d for d in found.diagnostics if d.code == "read-after-write")
    labels = [label.text for label in diagnostic.labels]
    assert ("@g is declared to write its argument" in labels) is (access is not None)
    assert ("is assumed to overwrite" in diagnostic.message) is (access is None)
    assert (not diagnostic.suggestions) is (access is not None)


def test_what_a_choice_may_have_copied_is_not_said_to_be_overwritten():
    found = explained(
        "func.func @f(%c: i1, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {\n"
        "%e = tensor.empty() : tensor<8xf32>\n%d = tensor.empty() : tensor<8xf32>\n"
        "%a = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
        "%b = linalg.fill ins(%f : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>\n"
        "%s = arith.select %c, %a, %b : tensor<8xf32>\n"
        "%u = tensor.insert %f into %s[%i] : tensor<8xf32>\nreturn %u, %a : tensor<8xf32>, tensor<8xf32>\n}"
    )
    said = [d.message for d in found.diagnostics if "%d" in d.message]
    assert any("'linalg.fill' is assumed to overwrite" in message for message in said)


def test_two_results_that_start_with_one_tensor():
    found = explained(
        "func.func @f(%a: tensor<4x8xf32>, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
        "%r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,"
        ' affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}'
        " ins(%a : tensor<4x8xf32>) outs(%t, %t : tensor<4xf32>, tensor<4xf32>) {\n"
        "^bb0(%x: f32, %y: f32, %z: f32):\n%s = arith.addf %y, %x : f32\n%m = arith.mulf %z, %x : f32\n"
        "linalg.yield %s, %m : f32, f32\n} -> (tensor<4xf32>, tensor<4xf32>)\n"
        "return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>\n}"
    )
    notes = [note.text for d in found.diagnostics for note in d.notes]
    assert any("start with the contents of %t, each in a buffer of its own" in note for note in notes)
    assert not any("its input and its result" in note for note in notes)


def test_a_certificate_names_the_conflict_and_the_operands():
    copy = explained(program(ROWS["both values are returned"][0])).memory_report.copies[0]
    (core,) = copy.verdict.data()["cores"]
    assert [part.get("operation") for part in core["conflict"]] == [
        "func.return",
        "tensor.insert",
        "func.func",
    ]
    assert [operand["operation"] for operand in core["oneOf"]] == ["tensor.insert"]
    assert core["bytes"] == 16


MADE = f"%e = tensor.empty() : {T}\n%z = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}\n"
CLONES = {
    "an argument": (f"return %t, %t : {T}, {T}", Word.NEEDED, "is in a buffer of the caller"),
    "one of two, known at run time": (
        f"{MADE}%c = arith.cmpf oeq, %f, %f : f32\n%s = scf.if %c -> ({T}) {{\nscf.yield %t : {T}\n}} else {{\n"
        f"scf.yield %z : {T}\n}}\n%y = tensor.splat %f : {T}\nreturn %s, %y : {T}, {T}",
        Word.NEEDED,
        "-buffer-deallocation-static makes it only if",
    ),
}


@pytest.mark.parametrize("name", CLONES)
def test_verdict_on_what_deallocation_clones(name):
    body, word, why = CLONES[name]
    found = explained(program(body))
    clones = [m for m in found.memory_report if m.kind == "clone"]
    assert clones
    assert {clone.verdict.word for clone in clones} == {word}
    assert all(why in clone.verdict.why for clone in clones)


def test_what_a_private_function_clones_is_avoidable():
    text = f"""
    func.func private @inner(%t: {T}, %u: {T}, %c: i1) -> {T} {{
      %e = tensor.empty() : {T}
      %z = linalg.add ins(%t, %u : {T}, {T}) outs(%e : {T}) -> {T}
      %s = arith.select %c, %t, %z : {T}
      return %s : {T}
    }}
    func.func @outer(%t: {T}, %c: i1, %i: index) -> f32 {{
      %s = call @inner(%t, %t, %c) : ({T}, {T}, i1) -> {T}
      %x = tensor.extract %s[%i] : {T}
      return %x : f32
    }}"""
    (clone,) = [m for m in explained(text).memory_report if m.kind == "clone"]
    assert clone.verdict.word is Word.AVOIDABLE
    assert "private-function-dynamic-ownership" in clone.verdict.data()["change"]


def test_what_a_function_frees_by_hand_it_may_keep():
    kept = "func.func @f(%m: memref<?xf32>) -> memref<?xf32> {{\n  %1 = bufferization.clone %m : memref<?xf32> to memref<?xf32>\n{}"
    for freed, why in (
        (
            "  memref.dealloc %m : memref<?xf32>\n  return %1 : memref<?xf32>\n}",
            "-buffer-deallocation-static avoids it, but copies no less in total",
        ),
        ("  return %m : memref<?xf32>\n}", "in a buffer of the caller"),
    ):
        clones = [m for m in explained(kept.format(freed)).memory_report if m.kind == "clone" and m.verdict]
        assert [clone.verdict.word for clone in clones] == [Word.NEEDED]
        assert why in clones[0].verdict.why


WHILE = f"""{ONE}%r:3 = scf.while (%p = %t, %q = %u, %k = %c0) : ({T}, {T}, index) -> ({T}, {T}, index) {{
  %go = arith.cmpi slt, %k, %i : index
  scf.condition(%go) PASSED, %k : {T}, {T}, index
}} do {{
^bb0(%x: {T}, %y: {T}, %j: index):
  %e = tensor.empty() : {T}
  %s = linalg.add ins(%x, %y : {T}, {T}) outs(%e : {T}) -> {T}
  %n = arith.addi %j, %c1 : index
  scf.yield YIELDED, %n : {T}, {T}, index
}}
return %r#0, %r#1 : {T}, {T}"""


@pytest.mark.parametrize(
    ("passed", "yielded", "words"),
    [
        ("%p, %q", "%s, %y", [Word.AVOIDABLE]),
        ("%q, %p", "%s, %y", [Word.AVOIDABLE] * 2),
        ("%p, %q", "%y, %s", [Word.AVOIDABLE] * 2),
    ],
)
def test_verdict_on_what_passes_a_condition(passed, yielded, words):
    found = explained(program(WHILE.replace("PASSED", passed).replace("YIELDED", yielded)))
    assert [copy.verdict.word for copy in found.memory_report.copies if copy.verdict] == words


LOOPS = {
    "reads only": ("%x = tensor.extract %a[%k] : {T}\n%n = tensor.splat %x : {T}", "%n", False),
    "writes": ("%n = tensor.insert %f into %a[%k] : {T}", "%n", True),
    "hands it to a loop that writes": (
        "%n = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> ({T}) {{\n"
        "  %q = tensor.insert %f into %b[%j] : {T}\n  scf.yield %q : {T}\n}}",
        "%n",
        True,
    ),
    "hands it to an unknown operation": (
        '"mine.op"(%a) : ({T}) -> ()\n%n = tensor.splat %f : {T}',
        "%n",
        True,
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_what_a_loop_may_write(name):
    inner, result, may = LOOPS[name]
    body = (
        f"{ONE}%r = scf.for %k = %c0 to %i step %c1 iter_args(%a = %t) -> ({T}) {{\n{inner.format(T=T)}\n"
        f"  scf.yield {result} : {T}\n}}\nreturn %r, %r : {T}, {T}"
    )
    from bufferize.analysis.one_shot.analyze import analyze

    found = analyze(parse(program(body), allow_unregistered=True), OPTIONS)
    loop = next(op for op in found.state.root.walk() if op.name == "scf.for")
    assert FunctionSummaries(found).may_be_updated(loop.op_operands[3]) is may


@pytest.mark.parametrize("name", ["a loop that does not write", "two that trade places", "a fill"])
def test_without_the_copies_the_program_computes_the_same(name):
    before = parse(program(ROWS[name][0]))
    after = before.clone()
    OneShotBufferize(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        fewest_copies=True,
        peak_percent=0,
    ).run(after, Context())
    assert all(f.runs and not f.failed for f in verify_module(before, after, Options(inputs=4, tries=8)))
