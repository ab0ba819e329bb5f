"""The words of conflicts, label by label: on operands of a small program, with what is proved about them given."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot.result import ReasonKind
from bufferize.explain import conflict_labels as labels, verdicts, why
from bufferize.explain.kinds import conflicts
from bufferize.explain.kinds.conflicts import ForbiddenByRule, ParallelRegion, reasons_wanted
from bufferize.explain.why import values_named
from bufferize.ir.source.diagnostics import Diagnostic, Severity
from bufferize.ir.source.locations import Source, Span

TEXT = """
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#sum = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
func.func private @callee(%x: tensor<4x4xf32>)
func.func @f(%t: tensor<4x4xf32>, %u: tensor<4x4xf32>, %w: tensor<7x4xf32>, %f: f32, %i: index, %p: i1)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<1.0> : tensor<4x4xf32>
  %first = tensor.insert %f into %t[%i, %c0] : tensor<4x4xf32>
  %second = tensor.insert %f into %t[%c0, %i] : tensor<4x4xf32>
  %x = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  call @callee(%t) : (tensor<4x4xf32>) -> ()
  %product = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    linalg.yield %o : f32
  } -> tensor<4x4xf32>
  %shifted = linalg.generic {indexing_maps = [#sum, #a, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %t : tensor<7x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    linalg.yield %o : f32
  } -> tensor<4x4xf32>
  %loop:2 = scf.for %n = %c0 to %i step %i iter_args(%a = %t, %b = %u) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %y = tensor.extract %t[%n, %n] : tensor<4x4xf32>
    %inner = tensor.insert %y into %b[%n, %n] : tensor<4x4xf32>
    scf.yield %a, %inner : tensor<4x4xf32>, tensor<4x4xf32>
  }
  %chosen = scf.if %p -> (tensor<4x4xf32>) {
    scf.yield %first : tensor<4x4xf32>
  } else {
    scf.yield %second : tensor<4x4xf32>
  }
  %none = "test.regions"() ({
    "test.end"(%t) : (tensor<4x4xf32>) -> ()
  }, {
    "test.end"() : () -> ()
  }) : () -> tensor<4x4xf32>
  %select = arith.select %p, %t, %u : tensor<4x4xf32>
  cf.cond_br %p, ^one(%t : tensor<4x4xf32>), ^two(%u, %t : tensor<4x4xf32>, tensor<4x4xf32>)
^one(%m: tensor<4x4xf32>):
  cf.br ^two(%t, %m : tensor<4x4xf32>, tensor<4x4xf32>)
^two(%v: tensor<4x4xf32>, %z: tensor<4x4xf32>):
  return %t, %v : tensor<4x4xf32>, tensor<4x4xf32>
}
"""
MODULE = parse(TEXT, allow_unregistered=True)
F = list(MODULE.regions[0].ops())[-1]
CALL = next(op for op in F.walk() if op.name == "func.call")
RETURN = next(op for op in F.walk() if op.name == "func.return")


def value(name):
    return values_named(MODULE, name)[0]


def op(name):
    return value(name).defining_op


def use(name, index):
    owner = {"call": CALL, "return": RETURN}.get(name) or op(name)
    return owner.op_operands[index]


def reason(read, write, loop=None, victim="t", kind=ReasonKind.READ_AFTER_WRITE, rule="X1"):
    read, write = (each and use(*each) for each in (read, write))
    return SimpleNamespace(
        read=read, write=write, loop=loop and op(loop), value=value(victim), kind=kind, rule=rule
    )


class Proved(SimpleNamespace):
    """What is proved about operands: by default nothing."""

    def __init__(self, **given):
        fields = {
            "elements": lambda use, is_write: "",
            "are_disjoint": lambda read, write: False,
            "is_write": lambda write: True,
            "reaches": lambda one, other: True,
            "relaid": (),
            "is_updated": lambda argument: False,
            "may_be_updated": lambda init: True,
            "result": SimpleNamespace(are_equivalent=lambda one, other: False),
        }
        super().__init__(**(fields | given))


def part(use, is_write):
    return "[0:2]" if is_write else "[2:4]"


T = ("first", 1)
READS = [
    (reason(("x", 0), T), {}, "whose old value is read here"),
    (reason(("x", 0), T, "loop"), {}, "whose old value is read again here in the next iteration"),
    (reason(("x", 0), T), {"elements": part}, "whose old value is read here, [2:4] of it"),
    (
        reason(("x", 0), T),
        {"elements": part, "are_disjoint": lambda read, write: True},
        "[2:4] is read here, which does not overlap",
    ),
    (
        reason(("x", 0), T, "loop"),
        {"elements": part},
        "whose old value is read again here in the next iteration",
    ),
    (reason(("call", 0), T), {}, "whose old value is read here, by the called function"),
    (
        reason(("call", 0), T, "loop"),
        {},
        "whose old value is read again here in the next iteration, by the called function",
    ),
    (reason(("return", 0), T), {}, "whose old value is returned here"),
    (reason(("y", 0), ("loop", 3)), {}, "read here in every iteration"),
    (
        reason(("product", 0), ("product", 2)),
        {},
        "element (i, k) is still read here when (i, j) is written",
    ),
    (
        reason(("product", 1), ("product", 2)),
        {},
        "element (k, j) is still read here when (i, j) is written",
    ),
    (reason(("product", 2), ("product", 2)), {}, "whose old value is read here"),
    (
        reason(("product", 2), ("product", 0)),
        {},
        "element (i, j) is still read here when (i, k) is written",
    ),
    (reason(("shifted", 0), ("shifted", 2)), {}, "whose old value is read here"),
    (reason(("product", 0), T), {}, "whose old value is read here"),
]


@pytest.mark.parametrize(("given", "proved", "said"), READS)
def test_the_label_of_a_read(given, proved, said):
    assert labels._read_label(Proved(**proved), given) == said


def test_elements_of_a_body():
    def found(name, read, write):
        return labels._elements_of_body(use(name, read), use(name, write))

    assert found("product", 0, 1) == ("(i, k)", "(k, j)")
    assert found("product", 0, 0) is None
    assert found("shifted", 0, 2) is None and found("shifted", 2, 0) is None
    assert found("first", 1, 1) is None
    maps = op("product").indexing_maps()
    assert labels._element(maps[0]) == "(i, k)"
    outer = SimpleNamespace(results=[SimpleNamespace(position=7)])
    assert labels._element(outer) is None, "not a dimension"


OWN = [
    (("first", 1), reason(("first", 1), T), {}, "reads %t and would overwrite it for the next iteration"),
    (("first", 1), reason(("x", 0), T), {}, "writing here would overwrite %t"),
    (("first", 1), reason(("x", 0), T), {"is_write": lambda write: False}, "%t is assumed to be overwritten here"),
    (("first", 1), reason(("x", 0), T), {"reaches": lambda a, b: False}, "%t is assumed to be overwritten here"),
    (("first", 1), reason(("x", 0), T), {"relaid": (use("first", 1),)}, "%t is assumed to be overwritten here"),
    (
        ("first", 1),
        reason(("x", 0), T),
        {"are_disjoint": lambda a, b: True},
        "only a part of the buffer of %t would be written here",
    ),
    (
        ("first", 1),
        reason(("x", 0), T),
        {"are_disjoint": lambda a, b: True, "elements": part},
        "only [0:2] of the buffer of %t would be written here",
    ),
    (
        ("loop", 3),
        reason(("x", 0), ("loop", 3)),
        {},
        "the loop is assumed to update %a, which would share the buffer of %t",
    ),
    (
        ("loop", 4),
        reason(("x", 0), ("loop", 4)),
        {"is_updated": lambda argument: argument is value("b")},
        "the loop updates %b, which would share the buffer of %t",
    ),
    (
        ("loop", 3),
        reason(("x", 0), ("loop", 3)),
        {"may_be_updated": lambda init: False},
        "no operation in the loop writes its buffer, but a loop is assumed to update %a, which would share the buffer of %t",
    ),
    (("x", 0), reason(("x", 0), T), {}, "reads %t, so it cannot share that buffer"),
    (("call", 0), reason(("x", 0), T), {}, "sharing the buffer of %t here would let %t be overwritten"),
    (
        ("call", 0),
        reason(("x", 0), T),
        {"is_write": lambda write: False},
        "sharing the buffer of %t here is assumed to let %t be overwritten",
    ),
    (
        ("call", 0),
        reason(("x", 0), T),
        {"are_disjoint": lambda a, b: True},
        "if this shared the buffer of %t, one part would be written while another is still needed",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("operand", "given", "proved", "said"), OWN)
def test_the_label_of_the_operand_itself(operand, given, proved, said):
    assert labels._own_label(Proved(**proved), use(*operand), given) == said


def test_only_reads_after_writes_are_told_to_be_disjoint():
    proved = Proved(are_disjoint=lambda read, write: True)
    assert labels.are_disjoint(proved, reason(("x", 0), T))
    assert not labels.are_disjoint(proved, reason(("x", 0), T, kind=ReasonKind.CARRIED_AROUND_LOOP))
    assert not labels.are_disjoint(proved, reason(None, T))
    assert not labels.are_disjoint(Proved(), reason(("x", 0), T))


ALIKE = SimpleNamespace(are_equivalent=lambda one, other: True)
WRITES = [
    (("x", 0), reason(("x", 0), T), {}, "'tensor.insert' writes here, memory that %t would share"),
    (("second", 1), reason(("x", 0), T), {}, "'tensor.insert' (%first) writes here, memory that %t would share"),
    (("x", 0), reason(("second", 1), T), {}, "'tensor.insert' (%first) writes here, memory that %t would share"),
    (("x", 0), reason(None, T), {}, "'tensor.insert' writes here, memory that %t would share"),
    (
        ("x", 0),
        reason(("x", 0), T),
        {"is_write": lambda write: False},
        "'tensor.insert' is assumed to write here, to memory that %t would share",
    ),
    (("x", 0), reason(("x", 0), T), {"result": ALIKE}, "'tensor.insert' writes here, to the same buffer"),
    (
        ("x", 0),
        reason(("x", 0), T),
        {"result": ALIKE, "elements": part},
        "'tensor.insert' writes [0:2] of the same buffer here",
    ),
    (
        ("x", 0),
        reason(("x", 0), ("loop", 3)),
        {"result": ALIKE, "elements": part},
        "the loop is assumed to update %a, to memory that %t would share",
    ),
    (
        ("x", 0),
        reason(("x", 0), ("loop", 0)),
        {},
        "'scf.for' is assumed to write this, to memory that %t would share",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("operand", "given", "proved", "said"), WRITES)
def test_the_label_of_a_write(operand, given, proved, said):
    assert labels._write_label(Proved(**proved), use(*operand), given) == said


def test_definitions():
    said = {name: labels._definition_label(value(name)) for name in ("t", "m", "a", "k", "first")}
    assert said == {
        "t": "%t gets its contents from the caller",
        "m": "%m gets its contents here, on entry to the block",
        "a": "%a gets its contents here, on entry to the block",
        "k": "%k is a constant",
        "first": "%first gets its contents here",
    }


def test_loops_behind_reasons_and_arguments_that_carry_operands():
    loop = op("loop")
    assert labels.loop_over(reason(("x", 0), T)) is None
    assert labels.loop_over(reason(("x", 0), T, "loop")) is loop
    assert labels.loop_over(reason(("y", 0), ("loop", 3))) is loop
    assert labels.loop_over(reason(("x", 0), ("loop", 3))) is None
    assert labels.loop_over(reason(("loop", 3), ("loop", 3))) is None
    assert labels.loop_over(reason(None, ("loop", 3))) is None
    assert labels.loop_over(reason(("y", 0), ("inner", 1))) is None
    carried = [labels.carried_by(use("loop", index)) for index in range(5)]
    assert carried == [None, None, None, value("a"), value("b")]
    assert labels.carried_by(use("first", 1)) is None


@pytest.mark.parametrize(
    ("name", "others", "said"),
    [
        ("first", [], "'tensor.insert'"),
        ("first", ["x"], "'tensor.insert'"),
        ("first", ["first"], "'tensor.insert'"),
        ("first", [None], "'tensor.insert'"),
        ("first", ["x", "second"], "'tensor.insert' (%first)"),
    ],
)
def test_operations_of_one_name_are_told_apart(name, others, said):
    assert labels.name_of(op(name), *(other and op(other) for other in others)) == said


def test_an_operation_without_results_has_only_a_name():
    (yields,) = [[each for each in F.walk() if each.name == "scf.yield"]]
    assert labels.name_of(yields[0], yields[1]) == "'scf.yield'"


def test_values_that_meet_in_one():
    def meeting(found):
        return [[(each.owner.name, each.index) for each in group] for group in labels._meeting(found)]

    assert meeting(op("select")) == [[("arith.select", 1), ("arith.select", 2)]]
    assert meeting(op("loop")) == [[("scf.for", 3), ("scf.yield", 0)], [("scf.for", 4), ("scf.yield", 1)]]
    assert meeting(op("chosen")) == [[("scf.yield", 0), ("scf.yield", 0)]]
    assert meeting(op("none")) == [[("test.end", 0)]]
    assert meeting(op("first")) == [[]]
    assert meeting(F) == [
        [("cf.cond_br", 1)],
        [("cf.cond_br", 2), ("cf.br", 0)],
        [("cf.cond_br", 3), ("cf.br", 1)],
    ]


def test_a_place_has_one_label():
    source = Source("t", "some text")
    here, there = Span(source, 0, 4), Span(source, 5, 9)
    said = Diagnostic(Severity.REMARK, "said")
    labels.add_label(said, None, "nowhere")
    labels.add_label(said, here, "{one}", one="first")
    labels.add_label(said, there, "second")
    labels.add_label(said, here, "first")
    labels.add_label(said, here, "irs")
    labels.add_label(said, here, "more {than}")
    assert [(label.span, label.text, label.primary) for label in said.labels] == [
        (here, "first; more {than}", False),
        (there, "second", False),
    ]


@pytest.mark.parametrize(
    ("write", "said", "title"),
    [
        (("first", 1), "%t is one buffer for all elements that 'func.func' computes", ": 'func.func' runs this for each element, and the next one would read what the previous one wrote to %t"),
        (("inner", 1), "%t is allocated once, outside the parallel loop", ": parallel iterations would all write to %t"),
    ],
)  # fmt: skip
def test_a_write_in_a_parallel_region(write, said, title):
    given = reason(None, write)
    assert labels._outside_label(given) == said
    assert ParallelRegion.why(None, given) == title


def test_what_a_rule_of_the_user_says():
    rules = [
        SimpleNamespace(id="X0", doc="Other. More."),
        SimpleNamespace(id="X1", doc="The engine stops. And more."),
        SimpleNamespace(id="X2", doc="Nothing else."),
        SimpleNamespace(id="X3", doc=""),
    ]
    program = SimpleNamespace(rules=rules)
    state = SimpleNamespace(database=SimpleNamespace(program=program))
    finding = SimpleNamespace(
        result=SimpleNamespace(state=state), writer=lambda reason: "'w'", name="%t", op=op("first")
    )
    said = {
        rule: ForbiddenByRule.why(finding, reason(None, T, kind=ReasonKind.FORBIDDEN, rule=rule))
        for rule in ("X0", "X1", "X2", "X3", "X4")
    }
    ends = {rule: text.partition("X")[2].partition(":")[2] for rule, text in said.items()}
    assert ends == {"X0": " other", "X1": " the engine stops", "X2": " nothing else", "X3": "", "X4": ""}


def test_how_many_reasons_are_looked_for():
    assert [reasons_wanted(count) for count in (0, 199, 200)] == [100, 100, 12]
    assert conflicts.MAX_REASONS == 100


@pytest.mark.parametrize(
    ("name", "wanted", "is_called"),
    [("%r", "%r", True), ("%r#1", "%r", True), ("%r#12", "%r", True), ("%r#1", "%r#1", True), ("%r#a", "%r", False),
     ("%rest", "%r", False), ("%r", "%r#0", False), ("%r#", "%r", False)],
)  # fmt: skip
def test_which_values_are_called_so(name, wanted, is_called, monkeypatch):
    monkeypatch.setattr(why, "value_name", lambda value: value)
    assert why._is_called(name, wanted) is is_called


def test_blocks_of_which_only_one_runs():
    """Operations in different regions, or in blocks of which one leads to the other, may both run."""
    module = parse("""func.func @f(%c: i1, %x: f32) {
      %start = math.absf %x : f32
      cf.cond_br %c, ^left, ^right
    ^left:
      %one = math.absf %x : f32
      %beside = math.absf %x : f32
      scf.if %c {
        %inside = math.absf %x : f32
      }
      cf.br ^end
    ^right:
      %other = math.absf %x : f32
      scf.if %c {
        %within = math.absf %x : f32
      }
      cf.br ^end
    ^end:
      %last = math.absf %x : f32
      scf.execute_region {
        cf.cond_br %c, ^yes, ^no
      ^yes:
        %then = math.absf %x : f32
        cf.br ^out
      ^no:
        %else = math.absf %x : f32
        cf.br ^out
      ^out:
        scf.yield
      }
      return
    }""")

    def never_both(one, other):
        return conflicts.run_never_both(*(values_named(module, name)[0].defining_op for name in (one, other)))

    pairs = {
        ("one", "other"): True,
        ("one", "within"): True,
        ("one", "beside"): False,
        ("one", "inside"): False,
        ("start", "one"): False,
        ("one", "last"): False,
        ("inside", "one"): False,
        ("inside", "other"): False,
        ("inside", "within"): False,
        ("then", "else"): False,
        ("one", "then"): False,
    }
    assert {pair: never_both(*pair) for pair in pairs} == pairs
    assert never_both("other", "one") and not never_both("last", "one")


def test_an_external_function_among_other_writes():
    module = parse("""func.func private @log(tensor<4xf32>)
    func.func private @reads(tensor<4xf32> {bufferization.access = "read"})
    func.func private @here(%t: tensor<4xf32>) { return }
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) {
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      call @here(%t) : (tensor<4xf32>) -> ()
      call @reads(%t) : (tensor<4xf32>) -> ()
      call @log(%t) : (tensor<4xf32>) -> ()
      return
    }""")
    functions = {op.properties["sym_name"].value: op for op in module.regions[0].ops()}
    insert, here, reads, log, _ = functions["f"].regions[0].entry
    targets = {here: functions["here"], reads: functions["reads"], log: functions["log"]}
    result = SimpleNamespace(state=SimpleNamespace(call_targets=targets))

    def verdict(*writers):
        reasons = [SimpleNamespace(write=op.op_operands[1 if op is insert else 0]) for op in writers]
        return verdicts._without_body(SimpleNamespace(reasons=reasons, result=result))

    for writers, is_external in [
        ((), False), ((insert,), False), ((here,), False), ((reads,), False), ((log,), True), ((insert, log), True),
        ((here, log), True), ((reads, log), True), ((log, insert), True), ((insert, here, reads), False),
    ]:  # fmt: skip
        found = verdict(*writers)
        assert (found is not None) == is_external, writers
        assert found is None or "@log has no body here" in found.why
