"""The conditions of the arguments that a copy is necessary, each on values of one small function."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.fewest_copies.problem import BYTE
from bufferize.explain import necessary as n
from bufferize.explain.why import values_named
from bufferize.ir.program.interfaces import FunctionOp

T = "tensor<4xf32>"
TEXT = """
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %o: tensor<4x1xf32>, %d: tensor<?xf32>,
             %f: f32, %i: index, %j: index, %p: i1)
    -> (tensor<4xf32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = arith.addf %f, %f : f32
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %y = arith.addf %x, %f : f32
  %z = scf.if %p -> (f32) {
    scf.yield %f : f32
  } else {
    scf.yield %x : f32
  }

  %new = tensor.insert %f into %t[%i] : tensor<4xf32>
  %sum_new = tensor.insert %g into %t[%j] : tensor<4xf32>
  %read = tensor.insert %x into %t[%i] : tensor<4xf32>
  %computed = tensor.insert %y into %t[%i] : tensor<4xf32>
  %chosen = tensor.insert %z into %t[%i] : tensor<4xf32>
  %first = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %second = tensor.insert %f into %t[%c1] : tensor<4xf32>

  %product = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %onto = linalg.matvec ins(%m, %u : tensor<4x4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %column = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%o : tensor<4x1xf32>) outs(%u : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %abs = linalg.map { math.absf } ins(%t : tensor<4xf32>) outs(%u : tensor<4xf32>)

  %again = tensor.insert %g into %new[%j] : tensor<4xf32>
  %square = tensor.expand_shape %again [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %part = tensor.extract_slice %again[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %over = tensor.insert %x into %product[%i] : tensor<4xf32>
  %low = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %into = tensor.insert_slice %low into %u[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %cast = tensor.cast %into : tensor<4xf32> to tensor<?xf32>
  %padded = tensor.pad %t low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<6xf32>
  %behind = tensor.pad %d low[0] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %same = tensor.pad %d low[0] high[0] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %wide = tensor.empty(%i) : tensor<?x8xf32>
  %narrow = tensor.empty(%i) : tensor<?x4xf32>

  %one = arith.constant dense<1.0> : tensor<4xf32>
  %all = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %over, %square, %padded, %column, %chosen : tensor<4xf32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>
}"""
MODULE = parse(TEXT)


def value(name):
    (found,) = values_named(MODULE, name)
    return found


def op(name):
    return value(name).defining_op


def use(name, index):
    return op(name).op_operands[index]


def holding(predicate, names):
    return {name for name in names.split() if predicate(value(name))}


def test_insertions_of_what_no_element_of_a_tensor_determines():
    names = "new sum_new read computed chosen first product"
    assert holding(lambda v: n._inserts_new(v.defining_op), names) == {"new", "sum_new", "first"}


def test_accumulations():
    names = "product column abs new padded"
    assert holding(lambda v: n._accumulates(v.defining_op), names) == {"product"}
    assert holding(lambda v: n._is_ordered(v.defining_op), names) == {"product"}
    assert holding(lambda v: n._updates(v.defining_op), names) == {"product", "new"}


def test_constants_of_different_elements():
    assert holding(n._is_constant, "t one all new") == {"all"}
    assert holding(n._is_given, "t one all new") == {"t", "all"}


def test_distinct_values():
    pairs = [("i", "j"), ("i", "i"), ("i", "c0"), ("c0", "i"), ("c0", "c1"), ("f", "g"), ("g", "x")]
    found = [pair for pair in pairs if n._are_distinct(*map(value, pair))]
    assert found == [("i", "j"), ("i", "c0"), ("c0", "i")]


@pytest.mark.parametrize(
    ("one", "other", "are_two"),
    [
        (("new", 1), ("sum_new", 1), True),
        (("first", 1), ("second", 1), False),
        (("first", 1), ("new", 1), True),
        (("new", 1), ("read", 1), False),
        (("new", 1), ("product", 1), False),
        (("new", 1), ("onto", 2), True),
        (("onto", 2), ("first", 1), True),
        (("again", 1), ("new", 1), False),
        (("product", 2), ("product", 2), False),
    ],
)
def test_two_updates_of_an_argument(one, other, are_two):
    assert n._are_two_updates(use(*one), use(*other), value("t")) is are_two
    assert not n._are_two_updates(use(*one), use(*other), value("u"))


def test_destinations():
    found = [
        (name, operand.index)
        for name in ("new", "product", "abs", "padded", "into")
        for operand in op(name).op_operands
        if n._is_updated(operand)
    ]
    assert found == [("new", 1), ("product", 2), ("abs", 1), ("into", 1)]


def test_the_tensor_behind_updates():
    starts = {"t": "t", "new": "t", "again": "t", "square": "t", "part": "t", "product": "u", "over": "u"}
    starts |= {"into": "u", "cast": "u", "abs": "abs", "column": "column", "padded": "padded"}
    assert {name: n._behind(value(name)) for name in starts} == {k: value(v) for k, v in starts.items()}


def test_views_and_subsets():
    chains = {"cast": ["cast", "into"], "part": ["part", "again"], "t": ["t"], "padded": ["padded"]}
    assert {name: n._seen_as(value(name)) for name in chains} == {
        name: [value(one) for one in chain] for name, chain in chains.items()
    }


SMALLER = [
    ("t", "padded", True),
    ("padded", "t", False),
    ("t", "u", False),
    ("t", "m", True),
    ("d", "behind", True),
    ("d", "same", False),
    ("t", "behind", False),
    ("narrow", "wide", True),
    ("wide", "narrow", False),
    ("d", "wide", False),
    ("f", "t", False),
    ("t", "f", False),
]


@pytest.mark.parametrize(("part", "whole", "is_smaller"), SMALLER)
def test_what_is_known_to_be_smaller(part, whole, is_smaller):
    assert n.is_smaller(value(part), value(whole)) is is_smaller


def test_what_is_returned():
    names = "new again square part product over padded column abs into sum_new chosen"
    assert holding(n._is_returned, names) == {
        "new",
        "again",
        "square",
        "over",
        "padded",
        "column",
        "chosen",
    }
    as_part = holding(lambda v: n._is_returned(v, part=value("t")), names)
    assert as_part == {"new", "again", "square", "product", "over", "padded", "column", "chosen"}
    assert not n._is_returned(None)


def test_the_result_that_a_write_makes():
    for name, index in (("new", 1), ("product", 2), ("product", 0)):
        assert n._made_by(use(name, index)) is value(name)
    assert n._made_by(op("x").parent_op.body.entry.last_op.op_operands[0]) is None


def test_evidence_without_operands_proves_nothing():
    t = value("t")
    assert n.why_both([(t, t, t)]) == ""
    assert n.why_both([(use("new", 1), use("new", 1), use("new", 1))]) == ""
    assert n.why_both([(use("x", 0), use("new", 1), "text")]) == ""
    assert n.why_both([("text", use("new", 1), t)]) == ""


@pytest.mark.parametrize(("visibility", "is_plain"), [("", True), ("private", False)])
@pytest.mark.parametrize("blocks", [1, 2])
def test_operations_of_public_functions_of_one_block(visibility, is_plain, blocks):
    end = "cf.br ^a\n^a:\n" if blocks == 2 else ""
    module = parse(
        f"func.func {visibility} @f(%p: i1, %f: f32) {{\n  %a = math.exp %f : f32\n  scf.if %p {{\n"
        f"    %b = math.exp %f : f32\n  }}\n  {end}  return\n}}"
    )
    outer, inner = (values_named(module, name)[0].defining_op for name in "ab")
    assert n._is_plain(outer) is (is_plain and blocks == 1)
    assert not n._is_plain(inner)
    (function,) = (each for each in module.walk() if isinstance(each, FunctionOp))
    assert not n._is_plain(function)


READ = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index, %p: i1) -> (tensor<4xf32>, f32, f32, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %low = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %all = tensor.cast %low : tensor<2xf32> to tensor<?xf32>
  %y = tensor.extract %all[%i] : tensor<?xf32>
  %z = tensor.extract %low[%i] : tensor<2xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %d = tensor.dim %t, %i : tensor<4xf32>
  %e = tensor.extract_slice %t[%d] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %w, %x, %y, %z : tensor<4xf32>, f32, f32, f32
}"""
READING = parse(READ)


def reading(name, index=0):
    return values_named(READING, name)[0].defining_op.op_operands[index]


def test_who_reads_through_views():
    def readers(use):
        return {(each.owner.results[0].name_hint, each.index) for each in n._readers(use)}

    assert readers(reading("x")) == {("x", 0)}
    assert readers(reading("low")) == {("y", 0), ("z", 0)}
    assert readers(reading("all")) == {("y", 0)}
    assert readers(reading("e", 1)) == {("e", 1)}, "an offset is no view"
    assert readers(reading("w", 1)) == {("w", 1)}


VALUE = values_named(READING, "t")[0]
WRITE = reading("w", 1)
EVIDENCE = {
    "movable": (reading("x"), WRITE, VALUE),
    "a buffer": (reading("m"), WRITE, VALUE),
    "two updates": (WRITE, WRITE, VALUE),
    "not writable": (WRITE, VALUE),
}
BYTES_4 = 4 * BYTE


def certified(cores, cost=BYTES_4, *, errors=(), outcomes=("one",), in_place=False, open_to=()):
    """The proofs of a program in which conflicts pay for the copy of one operand."""
    found = object.__new__(n.Certified)
    state = SimpleNamespace(writes=lambda use: use is WRITE)
    found._best = SimpleNamespace(
        errors=errors, outcomes=outcomes, is_in_place=lambda operand: in_place, state=state
    )
    found._cores = {"use": [core(*each) for each in cores]}
    found._costs = {"use": cost}
    found._is_open = lambda evidence: evidence in [EVIDENCE[name] for name in open_to]
    return found


def core(name, price=BYTES_4, operands=(), hands_over=None):
    return SimpleNamespace(evidence=EVIDENCE[name], price=price, operands=operands, hands_over=hands_over)


PROVED = "no set of in-place decisions and no order copies less here ({}, checked)"
CERTIFIED = {
    "nothing": ({"cores": []}, "the search proves nothing about this operand"),
    "in vain": ({"cores": [("movable", 0)]}, "the search proves nothing about this operand"),
    "too many pairs": ({"cores": [], "outcomes": ()}, "there were too many pairs of reads and writes"),
    "errors": ({"cores": [], "errors": ["no"]}, "there were too many pairs of reads and writes"),
    "in place": ({"cores": [], "in_place": True}, "decisions that avoid it make other copies"),
    "a part": (
        {"cores": [("not writable", 3 * BYTE)]},
        "3 of 4 bytes are proved to be necessary; the rest is shared with other operands",
    ),
    "parts": ({"cores": [("not writable", 3 * BYTE), ("not writable", BYTE)]}, PROVED.format("2 conflicts")),
    "all": ({"cores": [("not writable",)]}, PROVED.format("one conflict")),
    "more than all": ({"cores": [("not writable", BYTES_4 + 1)]}, PROVED.format("one conflict")),
    "two updates": ({"cores": [("two updates",)]}, PROVED.format("one conflict")),
    "movable": ({"cores": [("movable",)]}, "'tensor.extract' might be moved before the write"),
    "movable, and others": (
        {"cores": [("not writable",), ("movable",)]}, "'tensor.extract' might be moved before the write",
    ),
    "movable, but it does not pay": ({"cores": [("not writable",), ("movable", 0)]}, PROVED.format("one conflict")),
    "movable by (1)": ({"cores": [("movable",)], "both": True}, PROVED.format("one conflict")),
    "a buffer": ({"cores": [("a buffer",)]}, "what reads the buffer of 'bufferization.to_buffer' might be moved"),
    "open": (
        {"cores": [("not writable",), ("two updates",)], "open_to": ["two updates"]},
        "whether the read and the written parts overlap",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CERTIFIED)
@pytest.mark.parametrize("doubt", [None, "doubt"])
def test_what_conflicts_prove(name, doubt, monkeypatch):
    given, said = CERTIFIED[name]
    both = given.get("both", False)
    monkeypatch.setattr(n, "_of_conflict", lambda evidence: "both" if both else "")
    found = certified(**{key: value for key, value in given.items() if key != "both"}).verdict("use", doubt)
    if doubt and said.startswith(("no set", "whether")):  # it says more than what is not known of offsets
        assert found == "doubt"
        return
    assert found.why.startswith(said)
    assert (str(found.word) == "needed as written") is said.startswith(("no set", "decisions"))
    if said.startswith("no set"):
        paying = [each for each in given["cores"] if len(each) == 1 or each[1]]
        assert len(found.certificate) == 2 * len(paying) and len(found.cores) == len(paying)


def test_the_conflicts_that_pay():
    found = certified([("movable", 0), ("not writable", 1)])
    assert found.conflicts("use") == [EVIDENCE["not writable"]] and found.conflicts("other") == []


STEPS = [
    (
        core("movable", operands=(WRITE,)),
        "'tensor.insert' on line 3 (%t) writes before 'tensor.extract' on line 4 (%t) reads the contents of %t",
        "they share memory if these operands are in place: 'tensor.insert' on line 3 (%t)",
    ),
    (
        core("not writable"),
        "'tensor.insert' on line 3 (%t) would write %t, which must not be written",
        "they always share memory",
    ),
    (
        core("movable", operands=(WRITE, reading("x")), hands_over=WRITE),
        "the next iteration receives %t, which would be %t or %t",
        "they share memory if these operands are in place: 'tensor.insert' on line 3 (%t), 'tensor.extract' on line 4 (%t)",
    ),
]


@pytest.mark.parametrize(("given", "first", "second"), STEPS)
def test_a_conflict_in_two_steps(given, first, second):
    assert n._steps(given) == [first, second]


def test_values_and_words_of_a_conflict():
    assert n._at(VALUE) == "%t" and n._at("text") == "text" and n._named("text") == "text"
    data = n._core_data(core("movable", 9 * BYTE, (WRITE,)))
    assert [part["value"] for part in data["conflict"]] == ["%t"] * 3
    assert [part.get("operand") for part in data["conflict"]] == [0, 1, None]
    assert data["bytes"] == 9 and [part["operand"] for part in data["oneOf"]] == [1]


@pytest.mark.parametrize(
    ("evidence", "places", "is_open"),
    [
        ((WRITE, VALUE), {}, False),
        ((VALUE, WRITE, VALUE), {}, False),
        ((reading("x"), VALUE, VALUE), {}, False),
        ((reading("x"), WRITE, VALUE), {"is_open": lambda read, write: True}, True),
        ((reading("x"), WRITE, VALUE), {"is_open": lambda read, write: False}, False),
        ((use("into", 0), use("into", 1), VALUE), {"is_in_another_place": lambda read, op: True}, False),
        ((use("into", 0), use("into", 1), VALUE), {"is_in_another_place": lambda read, op: False}, True),
        ((use("into", 1), use("into", 1), VALUE), {"is_open": lambda read, write: True}, True),
    ],
)
def test_parts_that_may_be_disjoint(evidence, places, is_open):
    found = object.__new__(n.Certified)
    found._places = SimpleNamespace(**places)
    assert found._is_open(evidence) is is_open


APART = [
    # the tensors that one is a view or slice of, which is last, and the collapse of the first one
    ("tensor.extract_slice %m[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>", "tensor<4x2xf32>", "[[0, 1]]", "tensor<8xf32>", True),
    ("tensor.extract_slice %m[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>", "tensor<2x4xf32>", "[[0, 1]]", "tensor<8xf32>", False),
    ("tensor.extract_slice %m[0, 0] [2, 4] [2, 1] : tensor<4x4xf32> to tensor<2x4xf32>", "tensor<2x4xf32>", "[[0, 1]]", "tensor<8xf32>", True),
    ("tensor.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 2] : tensor<4x4xf32> into tensor<4x2x2xf32>", "tensor<4x2x2xf32>", "[[0, 1, 2]]", "tensor<16xf32>", False),
    ("tensor.cast %m : tensor<4x4xf32> to tensor<?x4xf32>", "tensor<?x4xf32>", "[[0, 1]]", "tensor<?xf32>", False),
]  # fmt: skip


@pytest.mark.parametrize(("maker", "type", "groups", "flat", "is_apart"), APART)
def test_elements_that_lie_apart_when_they_are_collapsed(maker, type, groups, flat, is_apart):
    last = f"%c = tensor.collapse_shape %s {groups} : {type} into {flat}"
    module = parse(f"func.func @f(%m: tensor<4x4xf32>) {{\n%s = {maker}\n{last}\nreturn\n}}")
    collapsed, *chain = (values_named(module, name)[0] for name in ("c", "s", "m"))
    assert n.is_certainly_apart(chain, collapsed.defining_op) is is_apart
    assert not n.is_certainly_apart(chain, chain[0].defining_op)


def test_transfers_of_whole_tensors():
    """Transfers of parts may be of different elements; one of all elements meets every other one."""
    module = parse(
        """func.func @f(%t: tensor<4xf32>, %d: tensor<?xf32>, %f: f32, %i: index, %v: vector<2xf32>, %w: vector<4xf32>) {
          %part = vector.transfer_read %t[%i], %f : tensor<4xf32>, vector<2xf32>
          %all = vector.transfer_read %t[%i], %f : tensor<4xf32>, vector<4xf32>
          %more = vector.transfer_read %t[%i], %f : tensor<4xf32>, vector<8xf32>
          %unknown = vector.transfer_read %d[%i], %f : tensor<?xf32>, vector<4xf32>
          %scalable = vector.transfer_read %t[%i], %f : tensor<4xf32>, vector<[2]xf32>
          %put = vector.transfer_write %v, %t[%i] : vector<2xf32>, tensor<4xf32>
          %over = vector.transfer_write %w, %t[%i] : vector<4xf32>, tensor<4xf32>
          %one = tensor.extract %t[%i] : tensor<4xf32>
          %c1 = arith.constant 1 : index
          %loop = scf.for %k = %c1 to %i step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
            scf.yield %a : tensor<4xf32>
          }
          return }"""
    )
    found = object.__new__(n.Certified)
    found._places = SimpleNamespace(is_open=lambda read, write: "asked")

    def at(name, index):
        return values_named(module, name)[0].defining_op.op_operands[index]

    for read, write, is_open in [
        ("part", "put", True),
        ("part", "over", False),
        ("all", "put", False),
        ("more", "put", False),
        ("unknown", "put", False),
        ("part", "loop", True),
        ("all", "loop", False),
        ("one", "put", "asked"),
    ]:
        ends = at(read, 0), at(write, 3 if write == "loop" else 1), VALUE
        assert found._is_open(ends) == is_open, (read, write)
