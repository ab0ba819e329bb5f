"""What unknown sizes weigh, against every number that they can be."""

from itertools import product

import numpy as np
import pytest
from bufferize import parse
from bufferize.analysis.cost_model import CostModel
from bufferize.interpreter.machine import Machine

CASES = {
    "the rest of a known size": ("%n = arith.subi %c9, %a : index", 9),
    "the smaller of two": ("%n = arith.minsi %a, %c3 : index", 3),
    "the greater of two bounded ones": (
        "%x = arith.minsi %a, %c3 : index\n%y = arith.remui %b, %c9 : index\n%n = arith.maxsi %x, %y : index",
        8,
    ),
    "the least of a map": ("%n = affine.min affine_map<(d0) -> (7, 9 - d0)>(%a)", 7),
    "the rest in a map": ("%n = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%a)[%c9]", 9),
    "chosen": ("%n = arith.select %p, %c3, %c9 : index", 9),
    "a remainder, twice": (
        "%x = arith.remui %a, %c3 : index\n%y = arith.muli %x, %c3 : index\n%n = arith.addi %y, %c1 : index",
        7,
    ),
    "a quotient": ("%x = arith.minui %a, %c9 : index\n%n = arith.ceildivui %x, %c3 : index", 3),
    "less of a product": ("%n = affine.apply affine_map<(d0) -> (9 - d0 * 3)>(%a)", 9),
    "nothing known": ("%n = arith.addi %a, %b : index", 64),
    "given": ("%n = arith.addi %a, %c1 : index", 64),
}


def program(lines, tensor="%t = tensor.empty(%n) : tensor<?xi8>"):
    return f"""func.func @f(%a: index, %b: index, %p: i1, %whole: tensor<9xi8>) -> tensor<?xi8> {{
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c9 = arith.constant 9 : index
      {lines}
      {tensor}
      return %t : tensor<?xi8>
    }}"""


def weight(text, **assumed):
    op = [op for op in parse(text).walk() if op.name.startswith("tensor.")][-1]
    return CostModel(**assumed).bytes_of(op.results[0])


@pytest.mark.parametrize("name", CASES)
def test_a_size_weighs_the_most_it_can_be(name):
    lines, expected = CASES[name]
    assert weight(program(lines)) == expected
    if expected != 64:
        assert max(sizes(program(lines))) <= expected


def sizes(text):
    """The sizes for small numbers, by running what computes them."""
    head, _, _ = text.replace("-> tensor<?xi8>", "-> index").partition("%t = ")
    module = parse(head + "return %n : index }")
    for a, b, p in product(range(10), range(4), (0, 1)):
        machine = Machine(module)
        (size,) = machine.call(machine.function("f"), [np.int64(a), np.int64(b), np.bool_(p), None])
        yield int(size)


def test_a_part_weighs_no_more_than_the_whole():
    part = "%t = tensor.extract_slice %whole[%b] [%a] [1] : tensor<9xi8> to tensor<?xi8>"
    assert weight(program("", part)) == 9


def test_what_is_assumed_of_the_others():
    assert weight(program(CASES["given"][0]), assumed=1000) == 1000
