"""Dialect conversion: what is converted, what is refused in which words, and that a refusal changes nothing."""

import bufferize
import pytest
from bufferize.ir.program.core import UnregisteredOp
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.types import types as t
from bufferize.ir.types.attributes import UNIT
from bufferize.transforms.conversion import (
    NO_CONVERSION,
    ConversionTarget,
    TypeConverter,
    apply_full_conversion,
    apply_partial_conversion,
    pattern,
)
from bufferize.transforms.conversion.structure import (
    populate_func_bufferize_patterns,
    populate_scf_bufferize_patterns,
)

I32, I64 = t.IntegerType(32), t.IntegerType(64)


def widening(cast="test.cast"):
    """i32 becomes i64, with casts at the border."""
    converter = TypeConverter()
    converter.add_conversion(lambda type: type)
    converter.add_conversion(lambda type: I64 if type is I32 else None)

    def make(builder, type, values):
        return builder.insert(UnregisteredOp(cast, values, (type,))).results[0]

    converter.add_source_materialization(make)
    converter.add_target_materialization(make)
    return converter


def rename(old, new, converter=None):
    """A pattern that gives an operation another name and converted types."""

    @pattern(old, converter=converter)
    def rewrite(op, operands, rewriter):
        types = op.result_types if converter is None else converter.convert_all(op.result_types)
        rewriter.replace_with(op, UnregisteredOp(new, operands, types))
        return True

    return rewrite


def target(legal=(), illegal=(), unknown=None):
    found = ConversionTarget()
    found.add_legal_ops(*legal)
    found.add_illegal_ops(*illegal)
    if unknown is not None:
        found.mark_unknown_dynamically_legal(unknown)
    return found


def body(module):
    """The lines between the braces of the only function."""
    lines = str(module).splitlines()
    return [line.strip() for line in lines[2 : lines.index("  }")]]


def parse(text):
    return bufferize.parse(text, allow_unregistered=True)


def test_a_value_of_another_type_is_cast_for_users_that_stay():
    module = parse(
        """func.func @f() {
          %0 = "a.make"() : () -> i32
          "a.stays"(%0) : (i32) -> ()
          return
        }"""
    )
    converter = widening()
    apply_partial_conversion(module, target(["b.make"], ["a.make"]), [rename("a.make", "b.make", converter)])
    assert body(module) == [
        '%0 = "b.make"() : () -> i64',
        '%1 = "test.cast"(%0) : (i64) -> i32',
        '"a.stays"(%1) : (i32) -> ()',
        "return",
    ]


def test_operands_are_cast_once_behind_their_definition():
    module = parse(
        """func.func @f(%0: i32) {
          "a.use"(%0, %0) : (i32, i32) -> ()
          "a.use"(%0, %0) : (i32, i32) -> ()
          return
        }"""
    )
    converter = widening()
    apply_partial_conversion(module, target(["b.use"], ["a.use"]), [rename("a.use", "b.use", converter)])
    assert body(module) == [
        '%0 = "test.cast"(%arg0) : (i32) -> i64',
        '"b.use"(%0, %0) : (i64, i64) -> ()',
        '"b.use"(%0, %0) : (i64, i64) -> ()',
        "return",
    ]


def test_converted_operations_pass_values_to_each_other_without_casts():
    module = parse(
        """func.func @f() {
          %0 = "a.make"() : () -> i32
          "a.use"(%0) : (i32) -> ()
          return
        }"""
    )
    converter = widening()
    patterns = [rename("a.make", "b.make", converter), rename("a.use", "b.use", converter)]
    apply_partial_conversion(module, target(["b.make", "b.use"]), patterns)
    assert body(module) == ['%0 = "b.make"() : () -> i64', '"b.use"(%0) : (i64) -> ()', "return"]


def test_a_use_converted_before_its_definition_needs_no_cast_either():
    """In a loop of blocks the user may come first."""
    module = parse(
        """func.func @f() {
          cf.br ^b
        ^a:
          "a.use"(%0) : (i32) -> ()
          return
        ^b:
          %0 = "a.make"() : () -> i32
          cf.br ^a
        }"""
    )
    converter = widening()
    patterns = [rename("a.make", "b.make", converter), rename("a.use", "b.use", converter)]
    apply_partial_conversion(module, target(["b.make", "b.use"]), patterns)
    assert "test.cast" not in str(module)


def test_what_a_pattern_makes_is_converted_in_its_turn():
    module = parse('func.func @f() { "a.one"() : () -> () return }')
    patterns = [rename("a.two", "a.three"), rename("a.one", "a.two")]
    apply_partial_conversion(module, target(["a.three"], ["a.one", "a.two"]), patterns)
    assert body(module) == ['"a.three"() : () -> ()', "return"]


def test_of_two_patterns_the_one_whose_outcome_is_legal_wins():
    module = parse('func.func @f() { "a.one"() : () -> () return }')
    patterns = [rename("a.one", "a.bad"), rename("a.one", "a.good")]
    apply_partial_conversion(module, target(["a.good"], ["a.one", "a.bad"]), patterns)
    assert body(module) == ['"a.good"() : () -> ()', "return"]


def test_patterns_that_lead_in_circles_fail_without_looping():
    module = parse('func.func @f() { "a.one"() : () -> () return }')
    patterns = [rename("a.one", "a.two"), rename("a.two", "a.one")]
    with pytest.raises(PassFailed, match=r"failed to legalize operation 'a\.one'"):
        apply_partial_conversion(module, target([], ["a.one", "a.two"]), patterns)


def test_a_higher_benefit_is_tried_first():
    module = parse('func.func @f() { "a.one"() : () -> () return }')

    @pattern("a.one", benefit=2)
    def better(op, operands, rewriter):
        rewriter.replace_with(op, UnregisteredOp("a.best", operands))
        return True

    apply_partial_conversion(
        module, target(["a.best", "a.good"], ["a.one"]), [rename("a.one", "a.good"), better]
    )
    assert body(module)[0] == '"a.best"() : () -> ()'


def test_legality_of_an_operation_counts_before_its_dialect_and_that_before_the_rest():
    found = ConversionTarget()
    found.add_illegal_dialects("a")
    found.add_legal_ops("a.fine")
    found.add_dynamically_legal_ops(lambda op: None, "a.undecided")
    found.mark_unknown_dynamically_legal(lambda op: "ok" in op.attributes)
    fine, bad, undecided, other = (UnregisteredOp(n) for n in ("a.fine", "a.bad", "a.undecided", "c.x"))
    marked = UnregisteredOp("c.x", attributes={"ok": UNIT})
    assert [found.is_legal(op) for op in (fine, bad, undecided, other, marked)] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert [found.is_illegal(op) for op in (fine, bad, undecided, other, marked)] == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_what_is_inside_a_recursively_legal_operation_is_left_alone():
    module = parse('func.func @f() { "a.outer"() ({ "a.inner"() : () -> () }) : () -> () return }')
    found = target(["a.outer"], ["a.inner"])
    found.mark_recursively_legal("a.outer")
    apply_partial_conversion(module, found, [])
    assert '"a.inner"' in str(module)


def test_the_newest_conversion_is_asked_first_and_may_refuse():
    converter = TypeConverter()
    converter.add_conversion(lambda type: type)
    converter.add_conversion(lambda type: [I32, I32] if type is I64 else None)
    assert converter.convert(I64) == (I32, I32) and converter.convert_one(I64) is None
    assert converter.convert(I32) == (I32,) and converter.is_legal([I32]) and not converter.is_legal([I64])
    converter.add_conversion(lambda type: NO_CONVERSION if type is I32 else None)
    assert converter.convert(I32) is None and converter.convert_all([I64, I32]) is None


FAILURES = {
    "a partial conversion fails for what is illegal": (
        '"a.bad"() : () -> ()',
        target([], ["a.bad"]),
        [],
        apply_partial_conversion,
        "failed to legalize operation 'a.bad' that was explicitly marked illegal",
    ),
    "a full conversion fails for what nobody converts": (
        '"a.bad"() : () -> ()',
        target(["builtin.module", "func.func", "func.return"]),
        [],
        apply_full_conversion,
        "failed to legalize operation 'a.bad'",
    ),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_says_why_and_changes_nothing(case):
    inside, allowed, patterns, apply, message = FAILURES[case]
    module = parse(f'func.func @f() {{ "a.one"() : () -> () {inside} return }}')
    allowed.add_legal_ops("a.two")
    allowed.add_illegal_ops("a.one")
    before = str(module)
    with pytest.raises(PassFailed) as failure:
        apply(module, allowed, [rename("a.one", "a.two"), *patterns])
    assert failure.value.diagnostic.message == message
    assert failure.value.diagnostic.span is not None
    assert str(module) == before
    bufferize.verify(module)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '%0 = "a.make"() : () -> i32 "a.use"(%0) : (i32) -> ()',
            "failed to materialize conversion for result #0 of operation 'a.make' that remained live after conversion",
        ),
        (
            '%0 = "c.make"() : () -> i32 "a.take"(%0) : (i32) -> ()',
            "failed to legalize unresolved materialization from 'i32' to 'i64' that remained live after conversion",
        ),
    ],
)
def test_a_missing_materialization_is_named(text, message):
    converter = TypeConverter()
    converter.add_conversion(lambda type: I64 if type is I32 else type)
    module = parse(f"func.func @f() {{ {text} return }}")
    before = str(module)
    patterns = [rename("a.make", "b.make", converter), rename("a.take", "b.take", converter)]
    with pytest.raises(PassFailed) as failure:
        apply_partial_conversion(module, target(["b.make", "b.take"], ["a.make", "a.take"]), patterns)
    assert failure.value.diagnostic.message == message
    assert str(module) == before


NESTED = """
func.func @f(%c: i1, %x: i32, %n: index) -> i32 {
  %r = scf.if %c -> (i32) {
    %a = "a.one"(%x) : (i32) -> i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  %l = scf.for %i = %n to %n step %n iter_args(%k = %r) -> (i32) {
    scf.yield %k : i32
  }
  cf.cond_br %c, ^b(%l : i32), ^d
^b(%v: i32):
  %w = func.call @f(%c, %v, %n) : (i1, i32, index) -> i32
  return %w : i32
^d:
  "a.fails"() : () -> ()
  return %x : i32
}
"""


def everything(module, patterns):
    converter = widening()
    found = ConversionTarget()
    made = []
    populate_func_bufferize_patterns(converter, made, found)
    populate_scf_bufferize_patterns(converter, made, found)
    found.add_legal_ops("builtin.module", "a.one", "test.cast")
    found.add_illegal_ops("a.fails")
    apply_full_conversion(module, found, [*made, *patterns])


def test_types_flow_through_functions_blocks_branches_and_loops():
    module = parse(NESTED)
    everything(module, [rename("a.fails", "a.one")])
    text = str(module)
    assert "func.func @f(%arg0: i1, %arg1: i64, %arg2: index) -> i64" in text
    for line in (
        "scf.if %arg0 -> (i64)",
        "iter_args(%arg4 = %1) -> (i64)",
        "^bb1(%3: i64)",
        "(i1, i64, index) -> i64",
    ):
        assert line in text
    assert text.count("test.cast") == 2  # around a.one
    bufferize.verify(module)


def test_a_late_failure_takes_back_signatures_regions_and_blocks():
    module = parse(NESTED)
    before = str(module)
    with pytest.raises(PassFailed, match=r"a\.fails"):
        everything(module, [])
    assert str(module) == before
    bufferize.verify(module)
    everything(module, [rename("a.fails", "a.one")])


def test_a_type_may_become_several():
    """A complex number is passed as two."""
    pair = t.TupleType([I32, I32])
    converter = TypeConverter()
    converter.add_conversion(lambda type: type)
    converter.add_conversion(lambda type: type.elements if isinstance(type, t.TupleType) else None)

    def pack(builder, type, values):
        return builder.insert(UnregisteredOp("test.pack", values, (type,))).results[0]

    def unpack(builder, types, value):
        return builder.insert(UnregisteredOp("test.unpack", (value,), types)).results

    converter.add_source_materialization(pack)
    converter.add_decomposition(unpack)
    found = ConversionTarget()
    patterns = []
    populate_func_bufferize_patterns(converter, patterns, found)
    populate_scf_bufferize_patterns(converter, patterns, found)
    found.add_legal_ops("builtin.module")
    module = parse(
        f"""func.func @f(%c: i1, %p: {pair}, %x: i32) -> {pair} {{
          %q = func.call @f(%c, %p, %x) : (i1, {pair}, i32) -> {pair}
          %r = scf.if %c -> ({pair}) {{ scf.yield %q : {pair} }} else {{
            %s = "a.swap"(%p) : ({pair}) -> {pair}
            scf.yield %s : {pair}
          }}
          return %r : {pair}
        }}"""
    )
    apply_full_conversion(module, found, patterns)
    assert body(module) == [
        '%0 = "test.pack"(%arg1, %arg2) : (i32, i32) -> tuple<i32, i32>',
        "%1:2 = call @f(%arg0, %arg1, %arg2, %arg3) : (i1, i32, i32, i32) -> (i32, i32)",
        "%2:2 = scf.if %arg0 -> (i32, i32) {",
        "scf.yield %1#0, %1#1 : i32, i32",
        "} else {",
        '%3 = "a.swap"(%0) : (tuple<i32, i32>) -> tuple<i32, i32>',
        '%4:2 = "test.unpack"(%3) : (tuple<i32, i32>) -> (i32, i32)',
        "scf.yield %4#0, %4#1 : i32, i32",
        "}",
        "return %2#0, %2#1 : i32, i32",
    ]


def test_an_operation_that_is_not_legal_folds_away():
    module = parse(
        """func.func @f(%x: index) -> index {
          %c0 = arith.constant 0 : index
          %a = arith.addi %x, %c0 : index
          %b = arith.addi %c0, %x : index
          return %a : index
        }"""
    )
    apply_partial_conversion(module, target(["func.func"]), [])
    assert body(module)[-1] == "return %arg0 : index"


def test_a_constant_that_a_fold_needs_must_be_legal():
    text = """func.func @f() -> index {
      %c1 = arith.constant 1 : index
      %a = arith.addi %c1, %c1 : index
      return %a : index
    }"""
    module = parse(text)
    apply_partial_conversion(module, ConversionTarget(), [])
    assert "arith.addi" in str(module)
    apply_partial_conversion(module, target(["arith.constant"]), [])
    assert "arith.addi" not in str(module) and "arith.constant 2 : index" in str(module)


def test_the_first_failure_is_that_of_the_last_successor():
    module = parse(
        """func.func @f(%c: i1) {
          cf.cond_br %c, ^a, ^b
        ^a:
          "a.bad"() {first} : () -> ()
          return
        ^b:
          "b.bad"() : () -> ()
          return
        }"""
    )
    with pytest.raises(PassFailed, match=r"'b\.bad'"):
        apply_partial_conversion(module, target([], ["a.bad", "b.bad"]), [])


def test_blocks_that_nothing_leads_to_stay_as_they_are():
    module = parse("""func.func @f() { return ^a: "a.bad"() : () -> () return }""")
    apply_partial_conversion(module, target([], ["a.bad"]), [])
    assert "a.bad" in str(module)


def test_a_pattern_may_be_rooted_at_an_interface():
    from bufferize.ir.program.interfaces import CastOp

    module = bufferize.parse("""
    func.func @f(%t: tensor<4xf32>, %i: index) -> (tensor<?xf32>, i32) {
      %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
      %j = arith.index_cast %i : index to i32
      return %u, %j : tensor<?xf32>, i32
    }""")
    seen = []

    @pattern(CastOp)
    def look(op, operands, rewriter):
        seen.append(op.name)
        return False

    found = ConversionTarget()
    found.mark_unknown_dynamically_legal(lambda op: None if isinstance(op, CastOp) else True)
    apply_partial_conversion(module, found, [look])
    assert "tensor.cast" in seen
    assert "func.return" not in seen


def test_names_of_the_cxx_interface_are_answered_with_those_of_this_one():
    with pytest.raises(AttributeError, match="it is called 'add_argument_materialization' here"):
        TypeConverter().addArgumentMaterialization  # noqa: B018
