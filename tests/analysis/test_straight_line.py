"""Pieces of a function and the ways between them."""

import pytest
from bufferize.analysis.straight_line import straight_line_pieces
from bufferize.ir.source.places import Source
from bufferize.ir.text.parser import parse_source

PROGRAMS = {
    "a block is one piece": (
        """func.func @f(%c: i1) {
             %0 = arith.constant 1 : index
             return
           }""",
        {"constant return": []},
    ),
    "an if is passed on either side": (
        """func.func @f(%c: i1) {
             scf.if %c {
               %0 = arith.constant 1 : index
             }
             return
           }""",
        {"if": ["constant yield", "return"], "constant yield": ["return"], "return": []},
    ),
    "a loop is entered, repeated and left": (
        """func.func @f(%n: index) {
             scf.for %i = %n to %n step %n {
               %0 = arith.constant 1 : index
             }
             return
           }""",
        {
            "for": ["constant yield", "return"],
            "constant yield": ["constant yield", "return"],
            "return": [],
        },
    ),
    "blocks branch": (
        """func.func @f(%c: i1) {
             cf.cond_br %c, ^a, ^b
           ^a:
             cf.br ^b
           ^b:
             return
           }""",
        {"cond_br": ["br", "return"], "br": ["return"], "return": []},
    ),
    "regions that are no control flow belong to the piece": (
        """func.func @f(%m: memref<4xf32>) {
             linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
                 outs(%m : memref<4xf32>) {
             ^bb0(%x: f32):
               linalg.yield %x : f32
             }
             return
           }""",
        {"generic yield return": []},
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_pieces_and_their_successors(name):
    text, expected = PROGRAMS[name]
    function = parse_source(Source("test.mlir", text)).regions[0].entry.ops[0]
    pieces = straight_line_pieces(function.regions[0])

    def words(piece):
        return " ".join(op.name.partition(".")[2] for op in piece.all_ops())

    assert {words(piece): [words(s) for s in piece.successors] for piece in pieces} == expected
